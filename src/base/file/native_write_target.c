/* Determines what a path refers to when its content is to be replaced. */
#include "base/file/native_files.h"

#include <cairn/base/text.h>

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* The same limit as Linux. */
#define MAX_LINKS 40

/* Replaces `path`, which is a symbolic link, by the target of the link. */
static bool step_along_link(char path[CN_FILE_PATH_BYTES], const char *link)
{
    const char *slash = strrchr(path, '/');
    if (link[0] == '/' || !slash)
        return cn_copy_text(path, CN_FILE_PATH_BYTES, cn_text(link));
    size_t folder_bytes = (size_t)(slash + 1 - path);
    return cn_copy_text(path + folder_bytes, CN_FILE_PATH_BYTES - folder_bytes, cn_text(link));
}

/* Follows symbolic links in the last part of the path, also to a file that does not exist yet.
 * Returns 0 or an error number. */
static int follow_links(char path[CN_FILE_PATH_BYTES])
{
    for (int i = 0; i < MAX_LINKS; i++) {
        char link[CN_FILE_PATH_BYTES];
        ssize_t size = readlink(path, link, sizeof link - 1);
        if (size < 0)
            return errno == EINVAL || errno == ENOENT ? 0 : errno; /* not a link, or missing */
        link[size] = '\0';
        if ((size_t)size == sizeof link - 1 || !step_along_link(path, link))
            return ENAMETOOLONG;
    }
    return ELOOP;
}

/* Returns why the file can be neither replaced nor written to; NULL if it can. */
static const char *reason_to_refuse(mode_t mode)
{
    if (S_ISDIR(mode))
        return "it is a folder";
    if (S_ISSOCK(mode))
        return "it is a socket";
    return S_ISBLK(mode) ? "it is a block device" : NULL;
}

static bool describe_regular(const char *path, const struct stat *expected,
                             CnFileWriteTarget *target, CnError *error)
{
    /* Links in /proc may lead to files that no longer have a name. */
    struct stat found;
    if (stat(target->path, &found) != 0 || found.st_dev != expected->st_dev ||
        found.st_ino != expected->st_ino)
        return cn_file_set_error(error, CN_ERROR_IO, "write", path,
                                 "it leads to a file without a name");
    /* Renaming requires permission only for the folder. */
    if (faccessat(AT_FDCWD, target->path, W_OK, AT_EACCESS) != 0)
        return cn_file_set_errno(error, "write", path, errno);
    target->kind = CN_FILE_WRITE_TARGET_REGULAR;
    target->permissions = found.st_mode & 0777;
    target->owner = found.st_uid;
    target->group = found.st_gid;
    return true;
}

bool cni_base_native_find_write_target(CnFileSystem *fs, const char *path,
                                       CnFileWriteTarget *target, CnError *error)
{
    (void)fs;
    if (!cni_base_native_check_path(path, "write", error))
        return false;
    target->kind = CN_FILE_WRITE_TARGET_MISSING;
    cn_copy_text(target->path, sizeof target->path, cn_text(path)); /* fits: already checked */
    struct stat status;
    bool exists = stat(path, &status) == 0;
    if (!exists && errno != ENOENT)
        return cn_file_set_errno(error, "write", path, errno);
    const char *reason = exists ? reason_to_refuse(status.st_mode) : NULL;
    if (!exists && path[strlen(path) - 1] == '/')
        reason = "it names a folder";
    if (reason)
        return cn_file_set_error(error, CN_ERROR_IO, "write", path, reason);
    if (exists && !S_ISREG(status.st_mode)) {
        target->kind = CN_FILE_WRITE_TARGET_STREAM;
        return true;
    }
    int failure = follow_links(target->path);
    if (failure)
        return cn_file_set_errno(error, "write", path, failure);
    return !exists || describe_regular(path, &status, target, error);
}
