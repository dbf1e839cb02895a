#include "base/text/text_escape.h"

#include <cairn/base/clock.h>
#include <cairn/base/log.h>

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

#define MESSAGE_BYTES 4096
#define FURTHER_LINE "\n    | " /* messages begin with "[" */
#define NOT_STARTED (-1)
#define STANDARD_ERROR_ID 1

typedef struct SinkSlot {
    int id; /* 0: free */
    CnLogSink sink;
} SinkSlot;

static const char *const level_names[] = {
    [CN_LOG_LEVEL_TRACE] = "trace", [CN_LOG_LEVEL_DEBUG] = "debug",
    [CN_LOG_LEVEL_INFO] = "info",   [CN_LOG_LEVEL_WARNING] = "warning",
    [CN_LOG_LEVEL_ERROR] = "error", [CN_LOG_LEVEL_OFF] = "off",
};

/* The log is global to the process. The mutex guards the sinks and everything below. It is
 * recursive because a sink may add and remove sinks. */
static pthread_mutex_t mutex = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
static SinkSlot slots[CN_LOG_MAX_SINKS];
static int last_id;
static uint64_t start_ns;

/* The lowest level that any sink receives; NOT_STARTED lets every message through to start(). */
static atomic_int least_level = NOT_STARTED;
static pthread_once_t started = PTHREAD_ONCE_INIT;
static _Thread_local bool is_in_sink;

static void write_to_standard_error(const CnLogRecord *record, void *user)
{
    (void)user;
    fprintf(stderr, "[%7.3f] %s %s: %s\n", cn_seconds(record->time_ns),
            cn_log_level_name(record->level), record->module, record->message);
}

static void update_least_level(void)
{
    int least = CN_LOG_LEVEL_OFF;
    for (int i = 0; i < CN_LOG_MAX_SINKS; i++) {
        if (slots[i].id && (int)slots[i].sink.level < least)
            least = (int)slots[i].sink.level;
    }
    atomic_store_explicit(&least_level, least, memory_order_relaxed);
}

static bool level_from_name(const char *name, CnLogLevel *level)
{
    for (size_t i = 0; i < CN_COUNT_OF(level_names); i++) {
        if (strcmp(name, level_names[i]) == 0) {
            *level = (CnLogLevel)i;
            return true;
        }
    }
    return false;
}

static void start_once(void)
{
    CnLogLevel level = CN_LOG_LEVEL_INFO;
    const char *wanted = getenv("CAIRN_LOG");
    bool is_known = !wanted || !wanted[0] || level_from_name(wanted, &level);

    pthread_mutex_lock(&mutex);
    start_ns = cn_clock_ns();
    last_id = STANDARD_ERROR_ID;
    slots[0] = (SinkSlot){STANDARD_ERROR_ID, {write_to_standard_error, NULL, level}};
    update_least_level();
    pthread_mutex_unlock(&mutex);

    if (!is_known) {
        char message[128], shown[64];
        cn_format(message, sizeof message, "CAIRN_LOG=%s is not a level; using info",
                  cn_text_escape(cn_text(wanted), shown, sizeof shown));
        write_to_standard_error(&(CnLogRecord){CN_LOG_LEVEL_WARNING, "base", message, 0}, NULL);
    }
}

/* Also runs before main, so that times are relative to the start of the process. */
__attribute__((constructor)) static void start(void)
{
    pthread_once(&started, start_once);
}

int cn_log_add_sink(const CnLogSink *sink)
{
    start();
    int id = 0;
    pthread_mutex_lock(&mutex);
    for (int i = 0; i < CN_LOG_MAX_SINKS && id == 0; i++) {
        if (slots[i].id)
            continue;
        id = ++last_id;
        slots[i] = (SinkSlot){id, *sink};
        update_least_level();
    }
    pthread_mutex_unlock(&mutex);
    return id;
}

void cn_log_remove_sink(int sink)
{
    start();
    if (sink <= STANDARD_ERROR_ID)
        return;
    pthread_mutex_lock(&mutex);
    for (int i = 0; i < CN_LOG_MAX_SINKS; i++) {
        if (slots[i].id == sink)
            slots[i] = (SinkSlot){0};
    }
    update_least_level();
    pthread_mutex_unlock(&mutex);
}

void cn_log_set_level(CnLogLevel level)
{
    start();
    pthread_mutex_lock(&mutex);
    slots[0].sink.level = level;
    update_least_level();
    pthread_mutex_unlock(&mutex);
}

CnLogLevel cn_log_level(void)
{
    start();
    pthread_mutex_lock(&mutex);
    CnLogLevel level = slots[0].sink.level;
    pthread_mutex_unlock(&mutex);
    return level;
}

const char *cn_log_level_name(CnLogLevel level)
{
    return (size_t)level < CN_COUNT_OF(level_names) ? level_names[level] : "unknown";
}

bool cn_log_enabled(CnLogLevel level)
{
    int least = atomic_load_explicit(&least_level, memory_order_relaxed);
    if ((int)level < least)
        return false;
    if (least == NOT_STARTED) {
        start();
        least = atomic_load_explicit(&least_level, memory_order_relaxed);
    }
    return (int)level >= least && level < CN_LOG_LEVEL_OFF;
}

static void strip_newlines(char *message)
{
    size_t size = strlen(message);
    while (size > 0 && (message[size - 1] == '\n' || message[size - 1] == '\r'))
        message[--size] = '\0';
}

/* A sink may remove itself or others while it runs. */
static void send_to_sinks(const CnLogRecord *record)
{
    pthread_mutex_lock(&mutex);
    is_in_sink = true;
    for (int i = 0; i < CN_LOG_MAX_SINKS; i++) {
        CnLogSink sink = slots[i].sink;
        if (slots[i].id && record->level >= sink.level)
            sink.write(record, sink.user);
    }
    is_in_sink = false;
    pthread_mutex_unlock(&mutex);
}

void cn_log_write(CnLogLevel level, const char *module, const char *format, ...)
{
    /* A sink that logs would receive its own messages endlessly. */
    if (!cn_log_enabled(level) || is_in_sink)
        return;
    start();
    char raw[MESSAGE_BYTES], message[MESSAGE_BYTES];
    va_list arguments;
    va_start(arguments, format);
    cn_format_v(raw, sizeof raw, format, arguments);
    va_end(arguments);
    strip_newlines(raw);
    cni_base_text_escape_lines(cn_text(raw), FURTHER_LINE, message, sizeof message);
    send_to_sinks(&(CnLogRecord){
        .level = level,
        .module = module ? module : "",
        .message = message,
        .time_ns = cn_clock_ns() - start_ns,
    });
}
