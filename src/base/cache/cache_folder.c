#include "base/cache/cache_folder.h"
#include "base/file/temporary_name.h"

#include <cairn/base/file.h>
#include <cairn/base/text.h>

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define FILE_PERMISSIONS 0600
#define FOLDER_PERMISSIONS 0700
#define TEMPORARY_NAME_BYTES 48u

/* ---- The folder ---- */

/* As the XDG Base Directory Specification demands, a relative path is ignored. */
bool cni_base_cache_folder_path(char *path, size_t path_bytes, CnError *error)
{
    const char *cache = getenv("XDG_CACHE_HOME");
    const char *home = getenv("HOME");
    bool has_cache = cache && cache[0] == '/';
    if (!has_cache && !(home && home[0] == '/'))
        return cn_error_set(error, CN_ERROR_NOT_FOUND,
                            "neither XDG_CACHE_HOME nor HOME is an absolute path");
    return cn_format(path, path_bytes, "%s%s", has_cache ? cache : home,
                     has_cache ? "/cairn" : "/.cache/cairn") ||
           cn_error_set(error, CN_ERROR_LIMIT, "the path of the cache folder is too long");
}

/* Creates all folders of the path that do not exist. */
static bool make_folders(const char *path, CnError *error)
{
    char partial[CN_FILE_PATH_BYTES];
    if (!path[0] || !cn_copy_text(partial, sizeof partial, cn_text(path)))
        return cn_file_set_error(error, CN_ERROR_FORMAT, "create the folder", path,
                                 path[0] ? "the path is too long" : "the path is empty");
    for (char *end = partial + 1;; end++) {
        if (*end && *end != '/')
            continue;
        char kept = *end;
        *end = '\0';
        struct stat status;
        if (mkdir(partial, FOLDER_PERMISSIONS) != 0 && errno != EEXIST) {
            int failure = errno;
            /* A read-only file system refuses before it says that the folder exists. */
            if (stat(partial, &status) != 0 || !S_ISDIR(status.st_mode))
                return cn_file_set_errno(error, "create the folder", partial, failure);
        }
        *end = kept;
        if (!kept)
            return true;
    }
}

/* Returns why something must not be used; NULL if it may. `refused` are bits of chmod. */
static const char *reason_to_distrust(const struct stat *status, mode_t refused)
{
    if (status->st_uid != geteuid())
        return "it belongs to another user";
    return status->st_mode & refused ? "others have access to it" : NULL;
}

int cni_base_private_folder_open(const char *path, CnError *error)
{
    if (!make_folders(path, error))
        return -1;
    int folder = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (folder < 0) {
        struct stat link;
        int failure = errno;
        if (lstat(path, &link) == 0 && S_ISLNK(link.st_mode))
            cn_file_set_error(error, CN_ERROR_PERMISSION, "use", path, "it is a symbolic link");
        else
            cn_file_set_errno(error, "open", path, failure);
        return -1;
    }
    struct stat status;
    const char *reason = fstat(folder, &status) != 0 ? "its owner cannot be determined"
                                                     : reason_to_distrust(&status, 022);
    if (!reason && (status.st_mode & 077) && fchmod(folder, FOLDER_PERMISSIONS) != 0)
        reason = "others may read it";
    if (!reason)
        return folder;
    close(folder);
    cn_file_set_error(error, CN_ERROR_PERMISSION, "use", path, reason);
    return -1;
}

/* ---- Reading ---- */

int cni_base_private_file_open(int folder, const char *name, uint64_t *size, const char **reason)
{
    struct stat status;
    *size = 0;
    *reason = NULL;
    /* Without O_NONBLOCK, a pipe would be waited for. */
    int file = openat(folder, name, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
    if (file < 0) {
        if (errno != ENOENT)
            *reason = errno == ELOOP ? "it is a symbolic link" : "it cannot be opened";
        return -1;
    }
    if (fstat(file, &status) != 0 || !S_ISREG(status.st_mode))
        *reason = "it is not a regular file";
    else
        *reason = reason_to_distrust(&status, 077);
    if (*reason) {
        close(file);
        return -1;
    }
    *size = (uint64_t)status.st_size;
    return file;
}

bool cni_base_private_file_read(int file, void *bytes, size_t size)
{
    for (size_t done = 0; done < size;) {
        ssize_t part = read(file, (char *)bytes + done, size - done);
        if (part > 0)
            done += (size_t)part;
        else if (part == 0 || errno != EINTR)
            return false;
    }
    return true;
}

/* ---- Writing ---- */

static void make_temporary_name(char name[TEMPORARY_NAME_BYTES])
{
    char digits[CNI_BASE_TEMPORARY_DIGITS + 1];
    cni_base_temporary_digits(digits);
    cn_format(name, TEMPORARY_NAME_BYTES, ".new-%s", digits);
}

static int write_parts(int file, const struct iovec *parts, int part_count)
{
    for (int i = 0; i < part_count; i++) {
        const char *bytes = parts[i].iov_base;
        for (size_t done = 0; done < parts[i].iov_len;) {
            ssize_t n = write(file, bytes + done, parts[i].iov_len - done);
            if (n > 0)
                done += (size_t)n;
            else if (n == 0)
                return ENOSPC;
            else if (errno != EINTR)
                return errno;
        }
    }
    return 0;
}

/* A new file may be needed for years: it must not be empty after a power failure. An entry that is
 * damaged is only computed again. */
static int finish_content(int file, CniBasePublishMode mode)
{
    return mode == CNI_BASE_PUBLISH_NEW && fsync(file) != 0 ? errno : 0;
}

static int rename_over(int folder, const char *temporary, const char *name)
{
    if (renameat(folder, temporary, folder, name) == 0)
        return 0;
    int failure = errno;
    unlinkat(folder, temporary, 0);
    return failure;
}

int cni_base_private_file_publish_named(int folder, const char *name, const struct iovec *parts,
                                        int part_count, CniBasePublishMode mode)
{
    char temporary[TEMPORARY_NAME_BYTES];
    make_temporary_name(temporary);
    int file = openat(folder, temporary, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC,
                      FILE_PERMISSIONS);
    if (file < 0)
        return errno;
    int failure = write_parts(file, parts, part_count);
    if (!failure)
        failure = finish_content(file, mode);
    if (close(file) != 0 && !failure)
        failure = errno;
    if (!failure && mode == CNI_BASE_PUBLISH_REPLACE)
        return rename_over(folder, temporary, name);
    if (!failure && linkat(folder, temporary, folder, name, 0) != 0)
        failure = errno;
    unlinkat(folder, temporary, 0);
    return failure;
}

/* Gives an unnamed file its name. */
static int link_unnamed(int folder, int file, const char *name, CniBasePublishMode mode)
{
    char source[64], temporary[TEMPORARY_NAME_BYTES];
    cn_format(source, sizeof source, "/proc/self/fd/%d", file);
    if (linkat(AT_FDCWD, source, folder, name, AT_SYMLINK_FOLLOW) == 0)
        return 0;
    if (errno != EEXIST || mode == CNI_BASE_PUBLISH_NEW)
        return errno;
    make_temporary_name(temporary);
    if (linkat(AT_FDCWD, source, folder, temporary, AT_SYMLINK_FOLLOW) != 0)
        return errno;
    return rename_over(folder, temporary, name);
}

static bool is_unsupported(int failure)
{
    return failure == EOPNOTSUPP || failure == EISDIR || failure == EINVAL || failure == ENOENT;
}

int cni_base_private_file_publish(int folder, const char *name, const struct iovec *parts,
                                  int part_count, CniBasePublishMode mode)
{
    int file = openat(folder, ".", O_WRONLY | O_TMPFILE | O_CLOEXEC, FILE_PERMISSIONS);
    int failure = file < 0 ? errno : write_parts(file, parts, part_count);
    if (!failure)
        failure = finish_content(file, mode);
    if (!failure) {
        failure = link_unnamed(folder, file, name, mode);
        /* Without /proc, unnamed files cannot be linked. EISDIR is about `name`. */
        if (failure == EISDIR) {
            close(file);
            return failure;
        }
    }
    if (file >= 0)
        close(file);
    return is_unsupported(failure)
               ? cni_base_private_file_publish_named(folder, name, parts, part_count, mode)
               : failure;
}
