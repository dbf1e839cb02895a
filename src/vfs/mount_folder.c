/*
 * Files below a mounted folder. Paths are resolved part by part from the descriptor of the folder,
 * and no part may be a symbolic link. So no path escapes the folder, even if folders are replaced
 * by links concurrently.
 */
#include "vfs/vfs_internal.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#define FILE_PERMISSIONS 0644
#define FOLDER_PERMISSIONS 0755
/* Passing through a folder does not require that it is readable. */
#define STEP_FLAGS (O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)

static bool refuse(CnError *error, const char *action, const CniVfsPath *path, int error_number)
{
    if (error_number == ELOOP)
        return cn_file_set_error(error, CN_ERROR_PERMISSION, action, path->whole,
                                 "symbolic links are not followed");
    return cn_file_set_errno(error, action, path->whole, error_number);
}

static bool refuse_root(CnError *error, const char *action, const CniVfsPath *path)
{
    return cn_file_set_error(error, CN_ERROR_PERMISSION, action, path->whole,
                             "it is the mounted folder itself");
}

static bool is_link(int folder, const char *name)
{
    struct stat status;
    return fstatat(folder, name, &status, AT_SYMLINK_NOFOLLOW) == 0 && S_ISLNK(status.st_mode);
}

/* Returns a descriptor, or -1 and errno; ELOOP for a symbolic link. */
static int open_below(int folder, const char *name, int flags)
{
    int descriptor;
    do {
        descriptor = openat(folder, name, flags | O_NOFOLLOW | O_CLOEXEC, FILE_PERMISSIONS);
    } while (descriptor < 0 && errno == EINTR);
    if (descriptor < 0 && errno == ENOTDIR)
        errno = is_link(folder, name) ? ELOOP : ENOTDIR;
    return descriptor;
}

typedef struct Place {
    int folder;              /* that contains it; closed by the caller. -1: see errno */
    char name[NAME_MAX + 1]; /* "." for the mounted folder itself */
} Place;

/* Opens a subfolder of `folder`, which is closed; returns -1 and errno on failure. */
static int step(int folder, const char *name, bool makes)
{
    int next = -1;
    if (!makes || mkdirat(folder, name, FOLDER_PERMISSIONS) == 0 || errno == EEXIST)
        next = open_below(folder, name, STEP_FLAGS);
    int reason = errno;
    close(folder);
    errno = reason;
    return next;
}

/* Walks to the last part. With `makes`, missing folders on the way are created. */
static Place find_place(int root, const CniVfsPath *path, bool makes)
{
    Place place = {.folder = fcntl(root, F_DUPFD_CLOEXEC, 0), .name = "."};
    CnText left = cn_text(path->rest), part;
    while (place.folder >= 0 && cn_text_split(&left, '/', &part)) {
        cn_copy_text(place.name, sizeof place.name, part);
        if (left.size == 0)
            break;
        place.folder = step(place.folder, place.name, makes);
    }
    return place;
}

static bool is_root(const CniVfsPath *path)
{
    return path->rest[0] == '\0';
}

/* ---- Files ---- */

/* Without O_NONBLOCK, opening a pipe waits for its other end; regular files ignore it. */
static int flags_of(CnFileMode mode)
{
    switch (mode) {
    case CN_FILE_WRITE:
        return O_NONBLOCK | O_NOCTTY | O_WRONLY | O_CREAT | O_TRUNC;
    case CN_FILE_APPEND:
        return O_NONBLOCK | O_NOCTTY | O_WRONLY | O_CREAT | O_APPEND;
    case CN_FILE_UPDATE:
        return O_NONBLOCK | O_NOCTTY | O_RDWR;
    case CN_FILE_NEW:
        return O_NOCTTY | O_WRONLY | O_CREAT | O_EXCL;
    case CN_FILE_READ:
    default:
        return O_NONBLOCK | O_NOCTTY | O_RDONLY;
    }
}

static bool check_is_file(int descriptor, const CniVfsPath *path, CnError *error)
{
    struct stat status;
    if (fstat(descriptor, &status) != 0)
        return refuse(error, "open", path, errno);
    if (S_ISDIR(status.st_mode))
        return cn_file_set_error(error, CN_ERROR_IO, "open", path->whole, "it is a folder");
    if (!S_ISREG(status.st_mode))
        return cn_file_set_error(error, CN_ERROR_IO, "open", path->whole,
                                 "it is not a regular file");
    return true;
}

bool cni_vfs_folder_open_file(int folder, const CniVfsPath *path, CnFileMode mode, CnFile **file,
                              CnError *error)
{
    Place place = find_place(folder, path, false);
    if (place.folder < 0)
        return refuse(error, "open", path, errno);
    int descriptor = open_below(place.folder, place.name, flags_of(mode));
    int reason = errno;
    close(place.folder);
    if (descriptor < 0)
        return refuse(error, "open", path, reason);
    if (check_is_file(descriptor, path, error) &&
        cn_native_file_adopt(descriptor, mode, path->whole, file, error))
        return true;
    close(descriptor);
    return false;
}

bool cni_vfs_folder_info(int folder, const CniVfsPath *path, CnFileInfo *info, CnError *error)
{
    Place place = find_place(folder, path, false);
    if (place.folder < 0)
        return refuse(error, "access", path, errno);
    struct stat status;
    int reason = fstatat(place.folder, place.name, &status, AT_SYMLINK_NOFOLLOW) == 0 ? 0 : errno;
    close(place.folder);
    if (reason == 0 && S_ISLNK(status.st_mode))
        reason = ELOOP;
    if (reason != 0)
        return refuse(error, "access", path, reason);
    info->size_bytes = (uint64_t)status.st_size;
    info->modified_ns = (int64_t)status.st_mtim.tv_sec * 1000000000 + status.st_mtim.tv_nsec;
    info->is_directory = S_ISDIR(status.st_mode);
    return true;
}

/* Returns 0 or an error number: ENOENT when nothing is there, ELOOP for a symbolic link. */
static int look_at(int folder, const CniVfsPath *path, struct stat *status)
{
    Place place = find_place(folder, path, false);
    if (place.folder < 0)
        return errno;
    int reason = fstatat(place.folder, place.name, status, AT_SYMLINK_NOFOLLOW) == 0 ? 0 : errno;
    if (reason == 0 && S_ISREG(status->st_mode) &&
        faccessat(place.folder, place.name, W_OK, AT_EACCESS) != 0)
        reason = errno;
    close(place.folder);
    return reason == 0 && S_ISLNK(status->st_mode) ? ELOOP : reason;
}

bool cni_vfs_folder_find_write_target(int folder, const CniVfsPath *path, CnFileWriteTarget *target,
                                      CnError *error)
{
    struct stat status;
    target->kind = CN_FILE_WRITE_TARGET_MISSING;
    if (!cn_copy_text(target->path, sizeof target->path, cn_text(path->whole)))
        return refuse(error, "write", path, ENAMETOOLONG);
    int reason = look_at(folder, path, &status);
    if (reason == ENOENT)
        return true;
    if (reason != 0)
        return refuse(error, "write", path, reason);
    if (!S_ISREG(status.st_mode))
        return cn_file_set_error(error, CN_ERROR_IO, "write", path->whole,
                                 S_ISDIR(status.st_mode) ? "it is a folder"
                                                         : "it is not a regular file");
    target->kind = CN_FILE_WRITE_TARGET_REGULAR;
    target->permissions = status.st_mode & 0777;
    target->owner = status.st_uid;
    target->group = status.st_gid;
    return true;
}

/* ---- Folders ---- */

/* Adds files and folders; returns 0 or an error number. */
static int add_entries(DIR *folder, CniVfsListing *listing)
{
    for (;;) {
        errno = 0;
        const struct dirent *entry = readdir(folder);
        if (!entry)
            return errno;
        struct stat status;
        if (fstatat(dirfd(folder), entry->d_name, &status, AT_SYMLINK_NOFOLLOW) != 0 ||
            !(S_ISDIR(status.st_mode) || S_ISREG(status.st_mode)))
            continue;
        if (!cni_vfs_listing_add(listing, entry->d_name, S_ISDIR(status.st_mode)))
            return ENOMEM;
    }
}

bool cni_vfs_folder_list(int folder, const CniVfsPath *path, CniVfsListing *listing, CnError *error)
{
    Place place = find_place(folder, path, false);
    if (place.folder < 0)
        return refuse(error, "list", path, errno);
    int descriptor = open_below(place.folder, place.name, O_RDONLY | O_DIRECTORY);
    int reason = descriptor < 0 ? errno : 0;
    close(place.folder);
    if (reason != 0)
        return refuse(error, "list", path, reason);
    DIR *opened = fdopendir(descriptor);
    if (!opened) {
        reason = errno;
        close(descriptor);
        return refuse(error, "list", path, reason);
    }
    reason = add_entries(opened, listing);
    closedir(opened);
    return reason == 0 || refuse(error, "list", path, reason);
}

/* A rename is durable once its folder is on stable storage. Folders that may not be read, and
 * file systems that cannot sync folders, are left to the operating system. */
static bool sync_folder(int folder, const CniVfsPath *path, CnError *error)
{
    int readable = open_below(folder, ".", O_RDONLY | O_DIRECTORY);
    if (readable < 0)
        return errno == EACCES || refuse(error, "sync the folder of", path, errno);
    bool ok =
        fsync(readable) == 0 || errno == EINVAL || refuse(error, "sync the folder of", path, errno);
    close(readable);
    return ok;
}

bool cni_vfs_folder_rename(int folder, const CniVfsPath *from, const CniVfsPath *to, CnError *error)
{
    if (is_root(from) || is_root(to))
        return refuse_root(error, "rename", is_root(from) ? from : to);
    Place source = find_place(folder, from, false);
    if (source.folder < 0)
        return refuse(error, "rename", from, errno);
    Place target = find_place(folder, to, false);
    bool ok = target.folder >= 0 || refuse(error, "rename to", to, errno);
    if (ok && renameat(source.folder, source.name, target.folder, target.name) != 0)
        ok = refuse(error, "rename to", to, errno);
    ok = ok && sync_folder(target.folder, to, error);
    close(source.folder);
    if (target.folder >= 0)
        close(target.folder);
    return ok;
}

bool cni_vfs_folder_remove(int folder, const CniVfsPath *path, CnError *error)
{
    if (is_root(path))
        return refuse_root(error, "remove", path);
    Place place = find_place(folder, path, false);
    if (place.folder < 0)
        return refuse(error, "remove", path, errno);
    bool ok = unlinkat(place.folder, place.name, 0) == 0 ||
              (errno == EISDIR && unlinkat(place.folder, place.name, AT_REMOVEDIR) == 0) ||
              refuse(error, "remove", path, errno);
    close(place.folder);
    return ok;
}

/* Also called when `place` could not be reached. */
static bool make_last(const Place *place, const CniVfsPath *path, CnError *error)
{
    int reason = 0;
    if (place->folder < 0 || mkdirat(place->folder, place->name, FOLDER_PERMISSIONS) != 0)
        reason = errno;
    if (reason == EEXIST) {
        int existing = open_below(place->folder, place->name, STEP_FLAGS);
        reason = existing < 0 ? errno : 0;
        if (existing >= 0)
            close(existing);
    }
    if (reason == ENOTDIR)
        return cn_file_set_error(error, CN_ERROR_EXISTS, "create the folder", path->whole,
                                 "a file with this name exists");
    return reason == 0 || refuse(error, "create the folder", path, reason);
}

bool cni_vfs_folder_make(int folder, const CniVfsPath *path, CnError *error)
{
    if (is_root(path))
        return true;
    Place place = find_place(folder, path, true);
    bool ok = make_last(&place, path, error);
    if (place.folder >= 0)
        close(place.folder);
    return ok;
}
