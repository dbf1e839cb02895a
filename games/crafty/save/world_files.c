#include "world_files.h"

#include "save_internal.h"

#include <cairn/base/file.h>

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#define WAL "-wal"
#define SHM "-shm"
#define LOG_PATH_BYTES (CN_STORE_PATH_BYTES + 8)

/* ---- Names ---- */

bool crafty_world_name_check(const char *name, char checked[CRAFTY_WORLD_NAME_BYTES],
                             CnError *error)
{
    CnText trimmed = cn_text_trim(cn_text(name));
    bool valid =
        trimmed.size > 0 && trimmed.size < CRAFTY_WORLD_NAME_BYTES && cn_text_is_utf8(trimmed);
    for (size_t i = 0; valid && i < trimmed.size; i++)
        valid = (unsigned char)trimmed.data[i] >= 0x20 && trimmed.data[i] != 0x7f;
    if (!valid)
        return cn_error_set(error, CN_ERROR_FORMAT,
                            "\"%s\" cannot be the name of a world: names have 1 to %u bytes of "
                            "UTF-8 without control characters",
                            name, CRAFTY_WORLD_NAME_BYTES - 1);
    cn_copy_text(checked, CRAFTY_WORLD_NAME_BYTES, trimmed);
    return true;
}

static char lower(char character)
{
    return character >= 'A' && character <= 'Z' ? (char)(character + 32) : character;
}

bool crafty_world_names_equal(const char *a, const char *b)
{
    while (*a && lower(*a) == lower(*b))
        a++, b++;
    return *a == *b;
}

void crafty_world_file_name(const char *name, char file[CRAFTY_WORLD_NAME_BYTES])
{
    cn_copy_text(file, CRAFTY_WORLD_NAME_BYTES, cn_text(name));
    size_t size = strlen(file);
    for (size_t i = 0; i < size; i++)
        if (strchr("/\\:*?\"<>|", file[i]) || (i == 0 && file[i] == '.') ||
            (i + 1 == size && file[i] == '.'))
            file[i] = '_';
}

void crafty_world_base_name(const char *path, char base[CRAFTY_WORLD_FILE_BYTES])
{
    const char *slash = strrchr(path, '/');
    CnText file = cn_text(slash ? slash + 1 : path);
    if (cn_text_ends_with(file, cn_text(CRAFTY_WORLD_SUFFIX)))
        file.size -= sizeof CRAFTY_WORLD_SUFFIX - 1;
    cn_copy_text(base, CRAFTY_WORLD_FILE_BYTES, file);
}

void crafty_world_folder_of(const char *path, char folder[CN_STORE_PATH_BYTES])
{
    const char *slash = strrchr(path, '/');
    CnText text = slash ? (CnText){path, slash == path ? 1 : (size_t)(slash - path)} : cn_text(".");
    cn_copy_text(folder, CN_STORE_PATH_BYTES, text);
}

/* ---- Free paths ---- */

typedef struct Search {
    const char *file;
    bool found;
} Search;

static bool compare_file(const char *name, bool is_directory, void *user)
{
    (void)is_directory;
    Search *search = user;
    search->found = crafty_world_names_equal(name, search->file);
    return !search->found;
}

bool crafty_world_free_path(const char *folder, const char *base, char path[CN_STORE_PATH_BYTES],
                            CnError *error)
{
    char file[CRAFTY_WORLD_FILE_BYTES + 32];
    for (uint32_t number = 1; number < 10000; number++) {
        char suffix[16] = "";
        if (number > 1)
            cn_format(suffix, sizeof suffix, " (%u)", number);
        cn_format(file, sizeof file, "%s%s" CRAFTY_WORLD_SUFFIX, base, suffix);
        Search search = {.file = file};
        if (!cn_native_files()->list(cn_native_files(), folder, compare_file, &search, error))
            return false;
        if (!search.found)
            return cn_format(path, CN_STORE_PATH_BYTES, "%s/%s", folder, file) ||
                   cn_error_set(error, CN_ERROR_LIMIT,
                                "the path of the world has more than %u bytes",
                                CN_STORE_PATH_BYTES - 1);
    }
    return cn_error_set(error, CN_ERROR_EXISTS, "'%s' has too many files named %s", folder, base);
}

/* ---- Moving ---- */

static void log_path(const char *path, const char *suffix, char log[LOG_PATH_BYTES])
{
    cn_format(log, LOG_PATH_BYTES, "%s%s", path, suffix);
}

uint64_t crafty_world_file_size(const char *path)
{
    char log[LOG_PATH_BYTES];
    struct stat file, wal;
    log_path(path, WAL, log);
    if (stat(path, &file))
        return 0;
    return (uint64_t)file.st_size + (stat(log, &wal) ? 0 : (uint64_t)wal.st_size);
}

static bool sync_folder_of(const char *path)
{
    char folder[CN_STORE_PATH_BYTES];
    crafty_world_folder_of(path, folder);
    int descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    bool done = descriptor >= 0 && fsync(descriptor) == 0;
    int number = errno;
    if (descriptor >= 0)
        close(descriptor);
    errno = number;
    /* Some network file systems cannot sync folders. */
    return done || number == EINVAL || number == ENOTSUP;
}

bool crafty_world_sync_folder_of(const char *path, CnError *error)
{
    return sync_folder_of(path) || cn_file_set_errno(error, "sync the folder of", path, errno);
}

bool crafty_world_settle(const char *path, bool *is_open, CnError *error)
{
    CnError problem = {0};
    CnStoreDesc desc = crafty_save_store_desc(path, CN_STORE_OPEN);
    *is_open = false;
    if (access(path, F_OK))
        return cn_file_set_errno(error, "find", path, errno);
    if (cn_store_settle(&desc, &problem) || problem.code == CN_ERROR_FORMAT ||
        problem.code == CN_ERROR_VERSION || problem.code == CN_ERROR_MISMATCH)
        return true;
    char folder[CN_STORE_PATH_BYTES];
    crafty_world_folder_of(path, folder);
    *is_open = problem.code == CN_ERROR_PERMISSION && access(path, R_OK | W_OK) == 0 &&
               access(folder, W_OK | X_OK) == 0;
    if (*is_open)
        return cn_error_set(error, CN_ERROR_PERMISSION,
                            "the world '%s' is open in a game: close it there first", path);
    if (error)
        *error = problem;
    return false;
}

/* Fails with EEXIST if there is something at `to`. */
static bool rename_file(const char *from, const char *to)
{
    if (renameat2(AT_FDCWD, from, AT_FDCWD, to, RENAME_NOREPLACE) == 0)
        return true;
    if (errno != EINVAL && errno != ENOSYS) /* some file systems do not know the flag */
        return false;
    if (access(to, F_OK) == 0) {
        errno = EEXIST;
        return false;
    }
    return rename(from, to) == 0;
}

/* The log is beside the file before and after the file moves. */
static bool move_files(const char *from, const char *to, const char *from_log, const char *to_log)
{
    bool has_log = access(from_log, F_OK) == 0;
    if (has_log && link(from_log, to_log) && rename(from_log, to_log))
        return false;
    if (rename_file(from, to)) {
        if (has_log && unlink(from_log) && errno != ENOENT)
            return false;
        return sync_folder_of(to) && sync_folder_of(from);
    }
    int number = errno;
    if (has_log && (access(from_log, F_OK) == 0 || rename(to_log, from_log) == 0))
        unlink(to_log);
    errno = number;
    return false;
}

bool crafty_world_move(const char *from, const char *to, CnError *error)
{
    char from_log[LOG_PATH_BYTES], to_log[LOG_PATH_BYTES], memory[LOG_PATH_BYTES];
    log_path(from, WAL, from_log);
    log_path(to, WAL, to_log);
    log_path(from, SHM, memory);
    if (access(to, F_OK) == 0)
        return cn_file_set_error(error, CN_ERROR_EXISTS, "write", to, "it already exists");
    /* A log without a file would be applied to the file that comes here. */
    if (unlink(to_log) && errno != ENOENT)
        return cn_file_set_errno(error, "remove", to_log, errno);
    if (!move_files(from, to, from_log, to_log))
        return cn_file_set_errno(error, "move to", to, errno);
    unlink(memory);
    return true;
}

bool crafty_world_remove(const char *path, CnError *error)
{
    static const char *const suffixes[] = {WAL, SHM};
    char log[LOG_PATH_BYTES];
    if (unlink(path))
        return cn_file_set_errno(error, "remove", path, errno);
    for (uint32_t i = 0; i < CN_COUNT_OF(suffixes); i++) {
        log_path(path, suffixes[i], log);
        if (unlink(log) && errno != ENOENT)
            return cn_file_set_errno(error, "remove", log, errno);
    }
    return sync_folder_of(path) || cn_file_set_errno(error, "remove", path, errno);
}
