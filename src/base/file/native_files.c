/* The operating system's files, through POSIX. */
#include "base/file/native_files.h"

#include <cairn/base/assert.h>
#include <cairn/base/array.h>
#include <cairn/base/text.h>

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

/* The kernel transfers at most 2 GiB per call. */
#define MAX_TRANSFER_BYTES ((size_t)1 << 30)
#define FILE_PERMISSIONS 0644
#define FOLDER_PERMISSIONS 0755

struct CnFile {
    int descriptor;
    bool is_append;
    bool is_stream;    /* opened for writing, cannot seek */
    uint64_t streamed; /* bytes written to a stream so far */
    char path[];       /* for messages */
};

static CnErrorCode code_of(int error_number)
{
    switch (error_number) {
    case ENOENT:
    case ENOTDIR:
        return CN_ERROR_NOT_FOUND;
    case EEXIST:
        return CN_ERROR_EXISTS;
    case EACCES:
    case EPERM:
    case EROFS:
        return CN_ERROR_PERMISSION;
    case ENOMEM:
        return CN_ERROR_MEMORY;
    default:
        return CN_ERROR_IO;
    }
}

bool cn_file_set_errno(CnError *error, const char *action, const char *path, int error_number)
{
    char buffer[128];
    const char *reason = strerror_r(error_number, buffer, sizeof buffer);
    return cn_file_set_error(error, code_of(error_number), action, path, reason);
}

bool cni_base_native_check_path(const char *path, const char *action, CnError *error)
{
    if (!path)
        return cn_file_set_error(error, CN_ERROR_FORMAT, action, "", "the path is NULL");
    if (!path[0])
        return cn_file_set_error(error, CN_ERROR_FORMAT, action, path, "the path is empty");
    if (strlen(path) >= PATH_MAX)
        return cn_file_set_error(error, CN_ERROR_FORMAT, action, path, "the path is too long");
    return true;
}

static int flags_of(CnFileMode mode)
{
    switch (mode) {
    case CN_FILE_WRITE:
        return O_WRONLY | O_CREAT | O_TRUNC;
    case CN_FILE_APPEND:
        return O_WRONLY | O_CREAT | O_APPEND;
    case CN_FILE_UPDATE:
        return O_RDWR;
    case CN_FILE_NEW:
        return O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW;
    case CN_FILE_READ:
    default:
        return O_RDONLY;
    }
}

/* Without O_NONBLOCK, opening a pipe waits for its other end; regular files ignore it. */
static int open_descriptor(const char *path, int flags)
{
    int descriptor;
    do {
        descriptor = open(path, flags | O_CLOEXEC | O_NOCTTY | O_NONBLOCK, FILE_PERMISSIONS);
    } while (descriptor < 0 && errno == EINTR);
    return descriptor;
}

/* Gives a reason that is more helpful than the error number. */
static bool refuse_to_open(const char *path, int error_number, CnError *error)
{
    struct stat status;
    if (error_number == ENXIO && stat(path, &status) == 0 && S_ISFIFO(status.st_mode))
        return cn_file_set_error(error, CN_ERROR_IO, "open", path, "the pipe has no reader");
    if (error_number == ENXIO && stat(path, &status) == 0 && S_ISSOCK(status.st_mode))
        return cn_file_set_error(error, CN_ERROR_IO, "open", path, "it is a socket");
    return cn_file_set_errno(error, "open", path, error_number);
}

/* Pipes can only be written to; a reader would have to wait for data. */
static bool check_kind(int descriptor, CnFileMode mode, const char *path, bool *is_stream,
                       CnError *error)
{
    struct stat status;
    if (fstat(descriptor, &status) != 0)
        return cn_file_set_errno(error, "open", path, errno);
    if (S_ISDIR(status.st_mode))
        return cn_file_set_error(error, CN_ERROR_IO, "open", path, "it is a folder");
    bool writes = mode == CN_FILE_WRITE || mode == CN_FILE_APPEND || mode == CN_FILE_NEW;
    bool is_pipe = S_ISFIFO(status.st_mode) && writes;
    if (!S_ISREG(status.st_mode) && !S_ISCHR(status.st_mode) && !is_pipe)
        return cn_file_set_error(error, CN_ERROR_IO, "open", path, "it is not a regular file");
    *is_stream = writes && !S_ISREG(status.st_mode);
    return true;
}

static bool check_mode(CnFileMode mode, const char *path, CnError *error)
{
    CN_ASSERT((uint32_t)mode <= CN_FILE_NEW, "there is no file mode %d", (int)mode);
    if ((uint32_t)mode > CN_FILE_NEW)
        return cn_file_set_error(error, CN_ERROR_NOT_FOUND, "open", path, "the mode is invalid");
    return true;
}

bool cn_native_file_adopt(int descriptor, CnFileMode mode, const char *path, CnFile **file,
                          CnError *error)
{
    *file = NULL;
    if (!check_mode(mode, path, error))
        return false;
    size_t path_bytes = strlen(path) + 1;
    CnFile *opened = malloc(sizeof *opened + path_bytes);
    *file = opened;
    if (!opened)
        return cn_file_set_errno(error, "open", path, ENOMEM);
    opened->descriptor = descriptor;
    opened->is_append = mode == CN_FILE_APPEND;
    opened->is_stream = false;
    opened->streamed = 0;
    memcpy(opened->path, path, path_bytes);
    return true;
}

static bool native_open(CnFileSystem *fs, const char *path, CnFileMode mode, CnFile **file,
                        CnError *error)
{
    (void)fs;
    *file = NULL;
    if (!cni_base_native_check_path(path, "open", error) || !check_mode(mode, path, error))
        return false;
    bool is_stream = false;
    int descriptor = open_descriptor(path, flags_of(mode));
    if (descriptor < 0)
        return refuse_to_open(path, errno, error);
    if (check_kind(descriptor, mode, path, &is_stream, error) &&
        cn_native_file_adopt(descriptor, mode, path, file, error)) {
        (*file)->is_stream = is_stream;
        return true;
    }
    close(descriptor);
    return false;
}

static void native_close(CnFileSystem *fs, CnFile *file)
{
    (void)fs;
    if (!file)
        return;
    close(file->descriptor);
    free(file);
}

static size_t next_transfer(size_t left)
{
    return left < MAX_TRANSFER_BYTES ? left : MAX_TRANSFER_BYTES;
}

static bool check_range(uint64_t offset, size_t size)
{
    return offset <= INT64_MAX && size <= INT64_MAX - offset;
}

static bool native_read(CnFileSystem *fs, CnFile *file, uint64_t offset, void *bytes, size_t size,
                        size_t *done, CnError *error)
{
    (void)fs;
    *done = 0;
    if (!check_range(offset, size))
        return cn_file_set_errno(error, "read", file->path, EOVERFLOW);
    while (*done < size) {
        ssize_t part = pread(file->descriptor, (char *)bytes + *done, next_transfer(size - *done),
                             (off_t)(offset + *done));
        if (part == 0)
            return true;
        if (part > 0)
            *done += (size_t)part;
        else if (errno != EINTR)
            return cn_file_set_errno(error, "read", file->path, errno);
    }
    return true;
}

/* Bytes are written to a stream in order, because it cannot seek. */
static bool write_stream(CnFile *file, uint64_t offset, const void *bytes, size_t size,
                         CnError *error)
{
    if (!file->is_append && offset != file->streamed)
        return cn_file_set_errno(error, "write", file->path, ESPIPE);
    if (!cni_base_native_write_stream(file->descriptor, file->path, bytes, size, error))
        return false;
    file->streamed += size;
    return true;
}

static bool native_write(CnFileSystem *fs, CnFile *file, uint64_t offset, const void *bytes,
                         size_t size, CnError *error)
{
    (void)fs;
    if (file->is_stream)
        return write_stream(file, offset, bytes, size, error);
    if (!file->is_append && !check_range(offset, size))
        return cn_file_set_errno(error, "write", file->path, EFBIG);
    for (size_t done = 0; done < size;) {
        const char *from = (const char *)bytes + done;
        size_t wanted = next_transfer(size - done);
        ssize_t part = file->is_append
                           ? write(file->descriptor, from, wanted)
                           : pwrite(file->descriptor, from, wanted, (off_t)(offset + done));
        if (part > 0)
            done += (size_t)part;
        else if (part == 0)
            return cn_file_set_errno(error, "write", file->path, ENOSPC);
        else if (errno != EINTR)
            return cn_file_set_errno(error, "write", file->path, errno);
    }
    return true;
}

static int sync_descriptor(int descriptor)
{
    int result;
    do {
        result = fsync(descriptor);
    } while (result != 0 && errno == EINTR);
    return result;
}

static bool native_sync(CnFileSystem *fs, CnFile *file, CnError *error)
{
    (void)fs;
    if (!file->is_stream && sync_descriptor(file->descriptor) != 0)
        return cn_file_set_errno(error, "sync", file->path, errno);
    return true;
}

static bool native_copy_attributes(CnFileSystem *fs, CnFile *file, const CnFileWriteTarget *from,
                                   CnError *error)
{
    (void)fs;
    /* Only a privileged process may change the owner, and some file systems have no permissions. */
    int given = fchown(file->descriptor, from->owner, from->group);
    if (fchmod(file->descriptor, from->permissions) == 0 || (errno == EPERM && given != 0))
        return true;
    return cn_file_set_errno(error, "set the permissions of", file->path, errno);
}

static bool native_truncate(CnFileSystem *fs, CnFile *file, uint64_t size, CnError *error)
{
    (void)fs;
    if (size > INT64_MAX)
        return cn_file_set_errno(error, "truncate", file->path, EFBIG);
    int result;
    do {
        result = ftruncate(file->descriptor, (off_t)size);
    } while (result != 0 && errno == EINTR);
    return result == 0 || cn_file_set_errno(error, "truncate", file->path, errno);
}

static bool native_info(CnFileSystem *fs, const char *path, CnFileInfo *info, CnError *error)
{
    (void)fs;
    *info = (CnFileInfo){0};
    if (!cni_base_native_check_path(path, "access", error))
        return false;
    struct stat status;
    if (stat(path, &status) != 0)
        return cn_file_set_errno(error, "access", path, errno);
    info->size_bytes = (uint64_t)status.st_size;
    info->modified_ns = (int64_t)status.st_mtim.tv_sec * 1000000000 + status.st_mtim.tv_nsec;
    info->is_directory = S_ISDIR(status.st_mode);
    return true;
}

/* A rename is durable once its folder is on stable storage. Folders that may not be read, and
 * file systems that cannot sync folders, are left to the operating system. */
static bool sync_folder_of(const char *path, CnError *error)
{
    char folder[PATH_MAX];
    const char *slash = strrchr(path, '/');
    if (!slash)
        cn_copy_text(folder, sizeof folder, cn_text("."));
    else if (slash == path)
        cn_copy_text(folder, sizeof folder, cn_text("/"));
    else
        cn_copy_text(folder, sizeof folder, (CnText){path, (size_t)(slash - path)});

    int descriptor = open_descriptor(folder, O_RDONLY | O_DIRECTORY);
    if (descriptor < 0)
        return errno == EACCES || cn_file_set_errno(error, "open", folder, errno);
    bool ok = sync_descriptor(descriptor) == 0 || errno == EINVAL ||
              cn_file_set_errno(error, "sync", folder, errno);
    close(descriptor);
    return ok;
}

static bool native_rename(CnFileSystem *fs, const char *from, const char *to, CnError *error)
{
    (void)fs;
    if (!cni_base_native_check_path(from, "rename", error) ||
        !cni_base_native_check_path(to, "rename to", error))
        return false;
    if (rename(from, to) != 0)
        return cn_file_set_errno(error, "rename to", to, errno);
    return sync_folder_of(to, error);
}

static bool native_remove(CnFileSystem *fs, const char *path, CnError *error)
{
    (void)fs;
    if (!cni_base_native_check_path(path, "remove", error))
        return false;
    return remove(path) == 0 || cn_file_set_errno(error, "remove", path, errno);
}

static bool make_one_folder(const char *path, CnError *error)
{
    if (mkdir(path, FOLDER_PERMISSIONS) == 0)
        return true;
    int reason = errno;
    struct stat status;
    if (stat(path, &status) == 0) {
        if (S_ISDIR(status.st_mode))
            return true;
        return cn_file_set_error(error, CN_ERROR_EXISTS, "create the folder", path,
                                 "a file with this name exists");
    }
    return cn_file_set_errno(error, "create the folder", path, reason);
}

static bool native_make_folder(CnFileSystem *fs, const char *path, CnError *error)
{
    (void)fs;
    if (!cni_base_native_check_path(path, "create the folder", error))
        return false;
    char partial[PATH_MAX];
    cn_copy_text(partial, sizeof partial, cn_text(path));
    for (char *slash = strchr(partial + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        if (!make_one_folder(partial, error))
            return false;
        *slash = '/';
    }
    return make_one_folder(partial, error);
}

typedef struct FolderEntry {
    const char *name;
    bool is_directory;
} FolderEntry;

typedef struct FolderListing {
    CnArena names;
    CN_ARRAY(FolderEntry) entries;
} FolderListing;

static bool entry_is_directory(DIR *folder, const struct dirent *entry)
{
    if (entry->d_type != DT_UNKNOWN && entry->d_type != DT_LNK)
        return entry->d_type == DT_DIR;
    struct stat status;
    return fstatat(dirfd(folder), entry->d_name, &status, 0) == 0 && S_ISDIR(status.st_mode);
}

/* Returns 0 or an error number. */
static int read_entries(DIR *folder, FolderListing *listing)
{
    for (;;) {
        errno = 0;
        const struct dirent *entry = readdir(folder);
        if (!entry)
            return errno;
        const char *name = entry->d_name;
        if (strcmp(name, ".") == 0 || strcmp(name, "..") == 0)
            continue;
        name = cn_arena_copy_text(&listing->names, name, strlen(name));
        if (!name)
            return ENOMEM;
        FolderEntry copy = {name, entry_is_directory(folder, entry)};
        if (!cn_array_push(&listing->entries, copy))
            return ENOMEM;
    }
}

static int compare_entries(const void *a, const void *b)
{
    return strcmp(((const FolderEntry *)a)->name, ((const FolderEntry *)b)->name);
}

static bool native_list(CnFileSystem *fs, const char *path,
                        bool (*visit)(const char *name, bool is_directory, void *user), void *user,
                        CnError *error)
{
    (void)fs;
    if (!cni_base_native_check_path(path, "list", error))
        return false;
    DIR *folder = opendir(path);
    if (!folder)
        return cn_file_set_errno(error, "list", path, errno);
    FolderListing listing;
    cn_arena_init(&listing.names, NULL, 0);
    cn_array_init(&listing.entries, NULL);
    int failure = read_entries(folder, &listing);
    closedir(folder);

    if (failure == 0 && listing.entries.count > 0) {
        qsort(listing.entries.items, listing.entries.count, sizeof *listing.entries.items,
              compare_entries);
        for (uint32_t i = 0; i < listing.entries.count; i++) {
            if (!visit(listing.entries.items[i].name, listing.entries.items[i].is_directory, user))
                break;
        }
    }
    cn_array_fini(&listing.entries);
    cn_arena_fini(&listing.names);
    return failure == 0 || cn_file_set_errno(error, "list", path, failure);
}

CnFileSystem *cn_native_files(void)
{
    static CnFileSystem native = {
        .open = native_open,
        .close = native_close,
        .read = native_read,
        .write = native_write,
        .sync = native_sync,
        .truncate = native_truncate,
        .info = native_info,
        .rename = native_rename,
        .remove = native_remove,
        .make_folder = native_make_folder,
        .list = native_list,
        .find_write_target = cni_base_native_find_write_target,
        .copy_attributes = native_copy_attributes,
    };
    return &native;
}
