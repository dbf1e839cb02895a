/*
 * Archives, through PhysicsFS. The library is global to the process, so each archive is mounted at
 * a unique mount point, and the search order is implemented in vfs.c.
 */
#include "vfs/archive_io.h"
#include "vfs/vfs_internal.h"
#include "vfs/zip_directory.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sys/stat.h>
#include <unistd.h>

struct CniVfsArchiveFile {
    PHYSFS_File *file;
    uint64_t position, size;
    CnAllocator *allocator;
    char path[CN_VFS_PATH_BYTES]; /* for messages */
};

static CnErrorCode code_of(PHYSFS_ErrorCode code)
{
    switch (code) {
    case PHYSFS_ERR_NOT_FOUND:
        return CN_ERROR_NOT_FOUND;
    case PHYSFS_ERR_OUT_OF_MEMORY:
        return CN_ERROR_MEMORY;
    case PHYSFS_ERR_CORRUPT:
    case PHYSFS_ERR_UNSUPPORTED:
        return CN_ERROR_FORMAT;
    case PHYSFS_ERR_SYMLINK_FORBIDDEN:
    case PHYSFS_ERR_BAD_PASSWORD:
        return CN_ERROR_PERMISSION;
    default:
        return CN_ERROR_IO;
    }
}

static bool refuse(CnError *error, const char *action, const char *path)
{
    PHYSFS_ErrorCode code = PHYSFS_getLastErrorCode();
    return cn_file_set_error(error, code_of(code), action, path, PHYSFS_getErrorByCode(code));
}

/* ---- The library ---- */

static struct {
    pthread_mutex_t lock;
    uint32_t users;
    bool is_ours; /* false if the program initialized the library itself */
    uint32_t last_name;
} library = {.lock = PTHREAD_MUTEX_INITIALIZER};

/* The formats of old games are recognized by hardly any data, so a damaged file could pass for one
 * of them, and damaged 7z files crash PhysicsFS. */
static void keep_zip_only(void)
{
    for (;;) {
        const char *other = NULL;
        for (const PHYSFS_ArchiveInfo **it = PHYSFS_supportedArchiveTypes(); *it && !other; it++) {
            const char *name = (*it)->extension;
            if (strcmp(name, "ZIP") != 0)
                other = name;
        }
        if (!other || !PHYSFS_deregisterArchiver(other))
            return;
    }
}

/* Links are rejected by look_at. PhysicsFS itself would not list a folder that contains a broken
 * link. */
static void set_up(void)
{
    PHYSFS_permitSymbolicLinks(1);
    keep_zip_only();
}

bool cni_vfs_physfs_acquire(CnError *error)
{
    bool ok = true;
    pthread_mutex_lock(&library.lock);
    if (library.users == 0) {
        library.is_ours = !PHYSFS_isInit();
        ok = !library.is_ours || PHYSFS_init(NULL);
        if (!ok)
            refuse(error, "start", "PhysicsFS");
        else if (library.is_ours)
            set_up();
    }
    if (ok)
        library.users++;
    pthread_mutex_unlock(&library.lock);
    return ok;
}

void cni_vfs_physfs_release(void)
{
    pthread_mutex_lock(&library.lock);
    if (--library.users == 0 && library.is_ours)
        PHYSFS_deinit();
    pthread_mutex_unlock(&library.lock);
}

static void make_name(char *name)
{
    pthread_mutex_lock(&library.lock);
    uint32_t number = ++library.last_name;
    pthread_mutex_unlock(&library.lock);
    cn_format(name, CNI_VFS_ARCHIVE_NAME_BYTES, "cairn-%u", number);
}

/* ---- Mounts ---- */

static int open_archive(const char *native, uint64_t *size, CnError *error)
{
    int descriptor = open(native, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
    struct stat status;
    if (descriptor < 0 || fstat(descriptor, &status) != 0) {
        cn_file_set_errno(error, "mount", native, errno);
    } else if (!S_ISREG(status.st_mode)) {
        cn_file_set_error(error, CN_ERROR_IO, "mount", native, "it is neither a file nor a folder");
    } else {
        *size = (uint64_t)status.st_size;
        return descriptor;
    }
    if (descriptor >= 0)
        close(descriptor);
    return -1;
}

bool cni_vfs_archive_mount(const char *native, const CnBudget *budget, CnAllocator *allocator,
                           char *name, CnError *error)
{
    uint64_t size;
    int descriptor = open_archive(native, &size, error);
    if (descriptor < 0)
        return false;
    if (!cni_vfs_zip_check(descriptor, size, native, budget, allocator, error)) {
        close(descriptor);
        return false;
    }
    PHYSFS_Io *io = cni_vfs_archive_io(descriptor, size, allocator);
    if (!io) {
        close(descriptor);
        return cn_file_set_error(error, CN_ERROR_MEMORY, "mount", native, "out of memory");
    }
    make_name(name);
    if (PHYSFS_mountIo(io, name, name, 1))
        return true;
    refuse(error, "mount", native);
    io->destroy(io);
    return false;
}

void cni_vfs_archive_unmount(const char *name)
{
    PHYSFS_unmount(name);
}

/* ---- Files ---- */

#define INNER_BYTES (CNI_VFS_ARCHIVE_NAME_BYTES + CN_VFS_PATH_BYTES)

static void inner_path(char *inner, const char *name, const char *rest)
{
    cn_format(inner, INNER_BYTES, "%s/%s", name, rest);
}

static bool look_at(const char *inner, PHYSFS_Stat *status)
{
    if (!PHYSFS_stat(inner, status))
        return false;
    if (status->filetype == PHYSFS_FILETYPE_REGULAR ||
        status->filetype == PHYSFS_FILETYPE_DIRECTORY)
        return true;
    PHYSFS_setErrorCode(PHYSFS_ERR_SYMLINK_FORBIDDEN);
    return false;
}

bool cni_vfs_archive_info(const char *name, const CniVfsPath *path, CnFileInfo *info,
                          CnError *error)
{
    char inner[INNER_BYTES];
    PHYSFS_Stat status;
    inner_path(inner, name, path->rest);
    if (!look_at(inner, &status))
        return refuse(error, "access", path->whole);
    info->is_directory = status.filetype == PHYSFS_FILETYPE_DIRECTORY;
    info->size_bytes = status.filesize > 0 ? (uint64_t)status.filesize : 0;
    info->modified_ns = status.modtime > 0 ? status.modtime * 1000000000 : 0;
    return true;
}

bool cni_vfs_archive_open_file(const char *name, const CniVfsPath *path, CnAllocator *allocator,
                               CniVfsArchiveFile **file, CnError *error)
{
    char inner[INNER_BYTES];
    PHYSFS_Stat status;
    inner_path(inner, name, path->rest);
    if (!look_at(inner, &status))
        return refuse(error, "open", path->whole);
    if (status.filetype == PHYSFS_FILETYPE_DIRECTORY)
        return cn_file_set_error(error, CN_ERROR_IO, "open", path->whole, "it is a folder");
    CniVfsArchiveFile *made = cn_alloc_zeroed(allocator, sizeof *made);
    if (!made)
        return cn_file_set_error(error, CN_ERROR_MEMORY, "open", path->whole, "out of memory");
    made->allocator = allocator;
    made->size = status.filesize > 0 ? (uint64_t)status.filesize : 0;
    cn_copy_text(made->path, sizeof made->path, cn_text(path->whole));
    made->file = PHYSFS_openRead(inner);
    if (!made->file) {
        refuse(error, "open", path->whole);
        cn_free(allocator, made, sizeof *made);
        return false;
    }
    *file = made;
    return true;
}

void cni_vfs_archive_close_file(CniVfsArchiveFile *file)
{
    PHYSFS_close(file->file);
    cn_free(file->allocator, file, sizeof *file);
}

/* Seeking backwards in compressed data decompresses it again from the start, so it is done only
 * when necessary. */
bool cni_vfs_archive_read(CniVfsArchiveFile *file, uint64_t offset, void *bytes, size_t size,
                          size_t *done, CnError *error)
{
    *done = 0;
    if (offset >= file->size || size == 0)
        return true;
    if (offset != file->position && !PHYSFS_seek(file->file, offset))
        return refuse(error, "read", file->path);
    if (size > file->size - offset)
        size = (size_t)(file->size - offset);
    PHYSFS_sint64 part = PHYSFS_readBytes(file->file, bytes, size);
    PHYSFS_sint64 place = PHYSFS_tell(file->file);
    file->position = place >= 0 ? (uint64_t)place : UINT64_MAX;
    *done = part > 0 ? (size_t)part : 0;
    if (*done < size)
        return cn_file_set_error(error, CN_ERROR_FORMAT, "read", file->path,
                                 "the archive is damaged");
    return true;
}

/* ---- Listing ---- */

typedef struct Enumeration {
    CniVfsListing *listing;
    const char *inner;
} Enumeration;

static PHYSFS_EnumerateCallbackResult add_name(void *user, const char *folder, const char *name)
{
    (void)folder;
    Enumeration *enumeration = user;
    char inner[INNER_BYTES + CN_VFS_PATH_BYTES];
    PHYSFS_Stat status;
    /* What cannot be inspected could not be opened either. */
    if (!cn_format(inner, sizeof inner, "%s/%s", enumeration->inner, name) ||
        !look_at(inner, &status))
        return PHYSFS_ENUM_OK;
    bool is_directory = status.filetype == PHYSFS_FILETYPE_DIRECTORY;
    return cni_vfs_listing_add(enumeration->listing, name, is_directory) ? PHYSFS_ENUM_OK
                                                                         : PHYSFS_ENUM_ERROR;
}

bool cni_vfs_archive_list(const char *name, const CniVfsPath *path, CniVfsListing *listing,
                          CnError *error)
{
    char inner[INNER_BYTES];
    PHYSFS_Stat status;
    inner_path(inner, name, path->rest);
    if (!look_at(inner, &status))
        return refuse(error, "list", path->whole);
    if (status.filetype != PHYSFS_FILETYPE_DIRECTORY)
        return cn_file_set_error(error, CN_ERROR_NOT_FOUND, "list", path->whole,
                                 "it is not a folder");
    Enumeration enumeration = {listing, inner};
    if (PHYSFS_enumerate(inner, add_name, &enumeration))
        return true;
    if (PHYSFS_getLastErrorCode() == PHYSFS_ERR_APP_CALLBACK)
        return cn_file_set_error(error, CN_ERROR_MEMORY, "list", path->whole, "out of memory");
    return refuse(error, "list", path->whole);
}
