#include "event_log.h"

#include <cairn/base/file.h>

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#define VALUE_BYTES 1024u /* of one value, escaped; longer ones are cut off */

/* Process-wide, like the log of the engine. */
static struct {
    pthread_mutex_t mutex;
    bool is_open;
    int file;
    char path[CRAFTY_SETTINGS_PATH_BYTES];
    CnLogLevel level, level_before;
    CraftyLogFormat format;
    int sink;
    _Atomic uint64_t lost;
} event_log = {.mutex = PTHREAD_MUTEX_INITIALIZER, .file = -1};

/* ---- Lines ---- */

typedef struct Line {
    char *text;
    size_t size;
} Line;

/* Room for the end of the line is kept. */
static void add(Line *line, const char *text, size_t size)
{
    size_t room = CRAFTY_EVENT_BYTES - 8 - line->size;
    if (size > room)
        size = room;
    memcpy(line->text + line->size, text, size);
    line->size += size;
}

static void add_text(Line *line, const char *text)
{
    add(line, text, strlen(text));
}

/* Adds text in quotes; '"' and '\' get a '\' before them. The text is added as a whole or cut off
 * between characters. */
static void add_quoted(Line *line, const char *text)
{
    CnText rest = cn_text(text);
    uint32_t character;
    add(line, "\"", 1);
    for (size_t at = 0, next; at < rest.size; at = next) {
        next = cn_utf8_next(rest, at, &character);
        if (line->size + (next - at) + 16 > CRAFTY_EVENT_BYTES)
            break;
        if (rest.data[at] == '"' || rest.data[at] == '\\')
            add(line, "\\", 1);
        add(line, rest.data + at, next - at);
    }
    add(line, "\"", 1);
}

static bool needs_quotes(const char *text)
{
    return !text[0] || text[strcspn(text, " \"=\\")];
}

static void add_time(Line *line, int64_t time_ms)
{
    char text[64];
    time_t seconds = (time_t)(time_ms / 1000);
    struct tm utc;
    gmtime_r(&seconds, &utc);
    size_t size = strftime(text, sizeof text - 8, "%Y-%m-%dT%H:%M:%S", &utc);
    cn_format(text + size, sizeof text - size, ".%03dZ", (int)(time_ms % 1000));
    add_text(line, text);
}

static void add_field(Line *line, CraftyLogFormat format, const CraftyEventField *field)
{
    char value[VALUE_BYTES];
    if (line->size + 64 > CRAFTY_EVENT_BYTES)
        return;
    add_text(line, format == CRAFTY_LOG_JSON ? ",\"" : " ");
    add_text(line, field->key);
    add_text(line, format == CRAFTY_LOG_JSON ? "\":" : "=");
    if (!field->text) {
        cn_format(value, sizeof value, "%" PRId64, field->number);
        add_text(line, value);
        return;
    }
    cn_text_escape(cn_text(field->text), value, sizeof value);
    if (format == CRAFTY_LOG_JSON || needs_quotes(value))
        add_quoted(line, value);
    else
        add_text(line, value);
}

size_t crafty_event_format(char text[CRAFTY_EVENT_BYTES], CraftyLogFormat format, int64_t time_ms,
                           CnLogLevel level, const char *event, const CraftyEventField *fields,
                           uint32_t count)
{
    Line line = {text, 0};
    bool is_json = format == CRAFTY_LOG_JSON;
    add_text(&line, is_json ? "{\"time\":\"" : "");
    add_time(&line, time_ms);
    add_text(&line, is_json ? "\",\"level\":\"" : " ");
    add_text(&line, cn_log_level_name(level));
    add_text(&line, is_json ? "\",\"event\":\"" : " ");
    add_text(&line, event);
    add_text(&line, is_json ? "\"" : "");
    for (uint32_t i = 0; i < count; i++)
        add_field(&line, format, &fields[i]);
    add_text(&line, is_json ? "}\n" : "\n");
    text[line.size] = '\0';
    return line.size;
}

/* ---- Writing ---- */

static int64_t now_ms(void)
{
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

/* With the mutex held. */
static void write_line(const char *line, size_t size)
{
    int file = event_log.file >= 0 ? event_log.file : STDERR_FILENO;
    while (size > 0) {
        ssize_t done = write(file, line, size);
        if (done < 0 && errno == EINTR)
            continue;
        if (done <= 0) {
            atomic_fetch_add(&event_log.lost, 1);
            return;
        }
        line += done;
        size -= (size_t)done;
    }
}

void crafty_event(CnLogLevel level, const char *event, const CraftyEventField *fields,
                  uint32_t count)
{
    char line[CRAFTY_EVENT_BYTES];
    pthread_mutex_lock(&event_log.mutex);
    bool is_open = event_log.is_open;
    if (!is_open || level >= event_log.level) {
        size_t size =
            crafty_event_format(line, event_log.format, now_ms(), level, event, fields, count);
        if (is_open)
            write_line(line, size);
        else
            line[size - 1] = '\0';
    }
    pthread_mutex_unlock(&event_log.mutex);
    if (!is_open)
        CN_LOG(level, "server", "%s", line);
}

/* A message of the engine. Text has it as it is, so that it reads as elsewhere. */
static void write_record(const CnLogRecord *record, void *user)
{
    (void)user;
    char line[CRAFTY_EVENT_BYTES], message[VALUE_BYTES];
    pthread_mutex_lock(&event_log.mutex);
    if (event_log.is_open && record->level >= event_log.level) {
        size_t size;
        if (event_log.format == CRAFTY_LOG_JSON) {
            size = crafty_event_format(
                line, CRAFTY_LOG_JSON, now_ms(), record->level, "log",
                (const CraftyEventField[]){CRAFTY_FIELD("module", record->module),
                                           CRAFTY_FIELD("message", record->message)},
                2);
        } else {
            cn_copy_text(message, sizeof message, cn_text(record->message));
            Line text = {line, 0};
            add_time(&text, now_ms());
            add_text(&text, " ");
            add_text(&text, cn_log_level_name(record->level));
            add_text(&text, " ");
            add_text(&text, record->module);
            add_text(&text, ": ");
            add_text(&text, message);
            add_text(&text, "\n");
            size = text.size;
        }
        write_line(line, size);
    }
    pthread_mutex_unlock(&event_log.mutex);
}

/* ---- Opening ---- */

static int open_file(const char *path, CnError *error)
{
    int file = open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | O_NOCTTY, 0640);
    if (file < 0)
        cn_file_set_errno(error, "open the log", path, errno);
    return file;
}

/* Replaces the file of the log; -1: the standard error. */
static void use_file(int file)
{
    pthread_mutex_lock(&event_log.mutex);
    int old = event_log.file;
    event_log.file = file;
    pthread_mutex_unlock(&event_log.mutex);
    if (old >= 0)
        close(old);
}

/* Replaces the sink, because sinks cannot change their level. */
static bool use_sink(CnLogLevel level, CnError *error)
{
    if (event_log.sink)
        cn_log_remove_sink(event_log.sink);
    event_log.sink = cn_log_add_sink(&(CnLogSink){.write = write_record, .level = level});
    return event_log.sink ||
           cn_error_set(error, CN_ERROR_LIMIT, "the log has no place for another sink");
}

bool crafty_event_log_open(const CraftyEventLogDesc *desc, CnError *error)
{
    const char *path = desc->path ? desc->path : "";
    int file = path[0] ? open_file(path, error) : -1;
    if (path[0] && file < 0)
        return false;
    if (!event_log.is_open)
        event_log.level_before = cn_log_level();
    CnLogLevel level = getenv("CAIRN_LOG") ? event_log.level_before : desc->level;
    if (!use_sink(level, error)) {
        if (file >= 0)
            close(file);
        return false;
    }
    use_file(file);
    cn_copy_text(event_log.path, sizeof event_log.path, cn_text(path));
    pthread_mutex_lock(&event_log.mutex);
    event_log.level = level;
    event_log.format = desc->format;
    event_log.is_open = true;
    pthread_mutex_unlock(&event_log.mutex);
    cn_log_set_level(CN_LOG_LEVEL_OFF); /* the engine's own output */
    return true;
}

bool crafty_event_log_reopen(CnError *error)
{
    if (!event_log.is_open || !event_log.path[0])
        return true;
    int file = open_file(event_log.path, error);
    if (file >= 0)
        use_file(file);
    return file >= 0;
}

void crafty_event_log_close(void)
{
    if (!event_log.is_open)
        return;
    cn_log_remove_sink(event_log.sink);
    event_log.sink = 0;
    cn_log_set_level(event_log.level_before);
    pthread_mutex_lock(&event_log.mutex);
    event_log.is_open = false;
    event_log.format = CRAFTY_LOG_TEXT;
    pthread_mutex_unlock(&event_log.mutex);
    use_file(-1);
}

uint64_t crafty_event_log_lost(void)
{
    return atomic_load(&event_log.lost);
}
