#include "session_file.h"

#include <cairn/base/file.h>
#include <cairn/base/text.h>

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#define FIRST_LINE "Crafty session 1"

static const char *const recording_suffixes[] = CRAFTY_RECORDING_SUFFIXES;

/* ---- Content ---- */

static bool is_plain(CnText text)
{
    bool plain = cn_text_is_utf8(text);
    for (size_t i = 0; plain && i < text.size; i++)
        plain = (unsigned char)text.data[i] >= 0x20 && text.data[i] != 0x7f;
    return plain;
}

static bool read_line(CraftySessionInfo *info, CnText line)
{
    CnText key = {0};
    size_t size = line.size;
    if (!is_plain(line) || !cn_text_split(&line, ':', &key) || key.size == size)
        return false;
    CnText value = cn_text_trim(line);
    if (cn_text_equal(key, cn_text("program")))
        return cn_copy_text(info->program, sizeof info->program, value);
    if (cn_text_equal(key, cn_text("started")))
        return cn_copy_text(info->started, sizeof info->started, value);
    if (cn_text_equal(key, cn_text("world")))
        return cn_copy_text(info->world, sizeof info->world, value);
    if (cn_text_equal(key, cn_text("path")))
        return value.size > 0 && value.data[0] == '/' &&
               cn_copy_text(info->path, sizeof info->path, value);
    info->attempts += cn_text_equal(key, cn_text("attempt"));
    return true;
}

/* A line that was torn off by a power cut is ignored. */
bool crafty_session_info_read(CraftySessionInfo *info, const char *text, size_t size,
                              CnError *error)
{
    CnText rest = {text, size}, line = {0};
    *info = (CraftySessionInfo){0};
    while (rest.size > 0 && rest.data[rest.size - 1] != '\n')
        rest.size--;
    bool valid = cn_text_split(&rest, '\n', &line) && cn_text_equal(line, cn_text(FIRST_LINE));
    while (valid && rest.size > 0 && cn_text_split(&rest, '\n', &line))
        valid = line.size == 0 || read_line(info, line);
    return (valid && info->path[0]) ||
           cn_error_set(error, CN_ERROR_FORMAT, "this is not the file of a session of Crafty");
}

/* ---- The file of this process ---- */

static bool write_info(int file, const CraftySessionInfo *info)
{
    char text[CRAFTY_SESSION_FILE_BYTES], date[CRAFTY_DATE_BYTES];
    crafty_date(time(NULL), date);
    return cn_format(text, sizeof text,
                     FIRST_LINE "\nprogram: %s\nstarted: %s\nworld: %s\npath: %s\n", info->program,
                     date, info->world, info->path) &&
           write(file, text, strlen(text)) == (ssize_t)strlen(text);
}

bool crafty_session_file_create(CraftySessionFile *session, const char *folder, const char *name,
                                const CraftySessionInfo *info, CnError *error)
{
    session->file = -1;
    if (!is_plain(cn_text(info->path)) || !is_plain(cn_text(info->world)))
        return cn_error_set(error, CN_ERROR_FORMAT,
                            "the path of the world has control characters; continuing after a "
                            "crash is not possible");
    if (!crafty_crash_path(folder, name, CRAFTY_SESSION_SUFFIX, session->path))
        return cn_error_set(error, CN_ERROR_LIMIT, "the path of the session is too long");
    session->file = open(session->path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600);
    if (session->file < 0)
        return cn_file_set_errno(error, "create", session->path, errno);
    if (flock(session->file, LOCK_EX | LOCK_NB) == 0 && write_info(session->file, info) &&
        fsync(session->file) == 0)
        return true;
    cn_file_set_errno(error, "write", session->path, errno);
    crafty_session_file_remove(session);
    return false;
}

void crafty_session_file_remove(CraftySessionFile *session)
{
    if (session->file < 0)
        return;
    unlink(session->path);
    crafty_session_file_abandon(session);
}

void crafty_session_file_abandon(CraftySessionFile *session)
{
    if (session->file >= 0)
        close(session->file);
    session->file = -1;
}

/* ---- Sessions of other processes ---- */

static bool has_content(const char *folder, const char *name, const char *suffix)
{
    char path[CRAFTY_CRASH_PATH_BYTES];
    struct stat status;
    return crafty_crash_path(folder, name, suffix, path) && stat(path, &status) == 0 &&
           status.st_size > 0;
}

bool crafty_unclean_session_read(const char *folder, const char *name,
                                 CraftyUncleanSession *session, CnError *error)
{
    char path[CRAFTY_CRASH_PATH_BYTES], text[CRAFTY_SESSION_FILE_BYTES];
    *session = (CraftyUncleanSession){0};
    if (!cn_copy_text(session->name, sizeof session->name, cn_text(name)) ||
        !crafty_crash_path(folder, name, CRAFTY_SESSION_SUFFIX, path))
        return cn_error_set(error, CN_ERROR_LIMIT, "the name of the session is too long");
    int file = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    if (file < 0)
        return cn_file_set_errno(error, "open", path, errno);
    bool is_running = flock(file, LOCK_SH | LOCK_NB) != 0;
    ssize_t size = read(file, text, sizeof text);
    close(file);
    if (is_running)
        return cn_error_set(error, CN_ERROR_PERMISSION, "the session %s is running", name);
    session->has_report = has_content(folder, name, CRAFTY_REPORT_SUFFIX);
    return size >= 0 ? crafty_session_info_read(&session->info, text, (size_t)size, error)
                     : cn_file_set_errno(error, "read", path, errno);
}

typedef struct Search {
    const char *folder, *world_path;
    CraftyUncleanSession *last;
    bool found, dismisses;
} Search;

static bool name_without(const char *file, const char *suffix, char name[CRAFTY_CRASH_NAME_BYTES])
{
    CnText text = cn_text(file), end = cn_text(suffix);
    if (text.size <= end.size || !cn_text_ends_with(text, end))
        return false;
    return cn_copy_text(name, CRAFTY_CRASH_NAME_BYTES, (CnText){file, text.size - end.size});
}

/* Dates are compared as text. */
static bool visit_session(const char *file, bool is_directory, void *user)
{
    Search *search = user;
    char name[CRAFTY_CRASH_NAME_BYTES];
    CraftyUncleanSession session;
    CnError error = {0};
    if (is_directory || !name_without(file, CRAFTY_SESSION_SUFFIX, name) ||
        !crafty_unclean_session_read(search->folder, name, &session, &error))
        return true;
    if (search->world_path && strcmp(search->world_path, session.info.path) != 0)
        return true;
    if (access(session.info.path, F_OK) != 0) /* the world was renamed or deleted since */
        return true;
    if (search->dismisses)
        crafty_unclean_session_dismiss(search->folder, &session);
    else if (!search->found || strcmp(session.info.started, search->last->info.started) >= 0)
        *search->last = session;
    search->found = true;
    return true;
}

bool crafty_unclean_session_find(const char *folder, const char *world_path,
                                 CraftyUncleanSession *session)
{
    CnFileSystem *files = cn_native_files();
    CnError error = {0};
    Search search = {.folder = folder, .world_path = world_path, .last = session};
    files->list(files, folder, visit_session, &search, &error);
    return search.found;
}

bool crafty_unclean_session_attempt(const char *folder, const CraftyUncleanSession *session,
                                    CnError *error)
{
    char path[CRAFTY_CRASH_PATH_BYTES], line[48] = "attempt: ", date[CRAFTY_DATE_BYTES];
    crafty_crash_path(folder, session->name, CRAFTY_SESSION_SUFFIX, path);
    crafty_date(time(NULL), date);
    cn_format(line, sizeof line, "attempt: %s\n", date);
    int file = open(path, O_WRONLY | O_APPEND | O_CLOEXEC | O_NOFOLLOW);
    bool done =
        file >= 0 && write(file, line, strlen(line)) == (ssize_t)strlen(line) && fsync(file) == 0;
    if (!done)
        cn_file_set_errno(error, "write", path, errno);
    if (file >= 0)
        close(file);
    return done;
}

static void remove_file(const char *folder, const char *name, const char *suffix)
{
    char path[CRAFTY_CRASH_PATH_BYTES];
    if (crafty_crash_path(folder, name, suffix, path))
        unlink(path);
}

void crafty_unclean_session_dismiss(const char *folder, const CraftyUncleanSession *session)
{
    if (!session->has_report) {
        remove_file(folder, session->name, CRAFTY_REPORT_SUFFIX);
        for (uint32_t i = 0; i < CN_COUNT_OF(recording_suffixes); i++)
            remove_file(folder, session->name, recording_suffixes[i]);
    }
    remove_file(folder, session->name, CRAFTY_SESSION_SUFFIX);
}

void crafty_unclean_sessions_dismiss_world(const char *folder, const char *world_path)
{
    CnFileSystem *files = cn_native_files();
    CnError error = {0};
    CraftyUncleanSession session;
    Search search = {
        .folder = folder, .world_path = world_path, .last = &session, .dismisses = true};
    files->list(files, folder, visit_session, &search, &error);
}

/* ---- Old files ---- */

typedef struct Cleaning {
    const char *folder;
    char newest[CRAFTY_KEPT_REPORTS][CRAFTY_CRASH_NAME_BYTES]; /* of reports, by date */
    uint32_t count;
    bool removes;
} Cleaning;

/* Names are PROGRAM-DATE-TIME-PID; dates are compared as text. */
static const char *date_in(const char *name)
{
    const char *at = name + strlen(name);
    for (uint32_t dashes = 0; at > name && dashes < 3;)
        dashes += *--at == '-';
    return at;
}

static void note_report(Cleaning *cleaning, const char *name)
{
    uint32_t at = cleaning->count;
    while (at > 0 && strcmp(date_in(cleaning->newest[at - 1]), date_in(name)) < 0)
        at--;
    if (at == CRAFTY_KEPT_REPORTS)
        return;
    if (cleaning->count < CRAFTY_KEPT_REPORTS)
        cleaning->count++;
    for (uint32_t i = cleaning->count - 1; i > at; i--)
        memcpy(cleaning->newest[i], cleaning->newest[i - 1], CRAFTY_CRASH_NAME_BYTES);
    cn_copy_text(cleaning->newest[at], CRAFTY_CRASH_NAME_BYTES, cn_text(name));
}

static bool is_kept(const Cleaning *cleaning, const char *name)
{
    bool kept = has_content(cleaning->folder, name, CRAFTY_SESSION_SUFFIX);
    for (uint32_t i = 0; i < cleaning->count && !kept; i++)
        kept = strcmp(cleaning->newest[i], name) == 0;
    return kept;
}

static bool visit_file(const char *file, bool is_directory, void *user)
{
    Cleaning *cleaning = user;
    char name[CRAFTY_CRASH_NAME_BYTES];
    bool is_report = name_without(file, CRAFTY_REPORT_SUFFIX, name);
    bool is_known = is_report;
    for (uint32_t i = 0; i < CN_COUNT_OF(recording_suffixes) && !is_known; i++)
        is_known = name_without(file, recording_suffixes[i], name);
    if (is_directory || !is_known)
        return true;
    if (!cleaning->removes && is_report &&
        has_content(cleaning->folder, name, CRAFTY_REPORT_SUFFIX))
        note_report(cleaning, name);
    if (cleaning->removes && !is_kept(cleaning, name))
        remove_file(cleaning->folder, name, file + strlen(name));
    return true;
}

void crafty_crash_folder_clean(const char *folder)
{
    CnFileSystem *files = cn_native_files();
    CnError error = {0};
    Cleaning cleaning = {.folder = folder};
    files->list(files, folder, visit_file, &cleaning, &error);
    cleaning.removes = true;
    files->list(files, folder, visit_file, &cleaning, &error);
}
