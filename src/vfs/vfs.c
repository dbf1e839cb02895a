/* Mounts by scheme, and the CnFileSystem on top of them. */
#include "vfs/vfs_internal.h"

#include <cairn/base/assert.h>

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

typedef struct Mount Mount;
struct Mount {
    Mount *next; /* searched after this one */
    char scheme[CN_VFS_SCHEME_BYTES];
    char prefix[CN_VFS_PREFIX_BYTES]; /* the folder in which its files appear; empty: the root */
    bool is_writable;
    CnBudget budget;
    int folder;                               /* a descriptor; -1: an archive */
    char archive[CNI_VFS_ARCHIVE_NAME_BYTES]; /* its name in PhysicsFS */
    _Atomic uint32_t open_files;
};

struct CnVfs {
    CnFileSystem files; /* first: the functions receive its address */
    CnAllocator *allocator;
    Mount *mounts;
    uint32_t version; /* counts changes of the mounts */
};

typedef struct OpenFile {
    Mount *mount;
    CnFile *native;            /* of a folder */
    CniVfsArchiveFile *packed; /* of an archive */
} OpenFile;

static bool is_of_scheme(const Mount *mount, CnText scheme)
{
    return cn_text_equal(cn_text(mount->scheme), scheme);
}

/* ---- Lookup ---- */

/* How a path relates to a mount. */
typedef enum Relation {
    OUTSIDE, /* not of this mount */
    ABOVE,   /* the folder in which the prefix appears */
    INSIDE
} Relation;

/* Sets `within` to the path inside of the mount. */
static Relation relate(const Mount *mount, const CniVfsPath *path, CniVfsPath *within)
{
    *within = *path;
    if (!is_of_scheme(mount, path->scheme))
        return OUTSIDE;
    size_t size = strlen(mount->prefix);
    if (size == 0)
        return INSIDE;
    if (!path->rest[0])
        return ABOVE;
    if (strncmp(path->rest, mount->prefix, size) != 0 ||
        (path->rest[size] != '/' && path->rest[size] != '\0'))
        return OUTSIDE;
    within->rest += size + (path->rest[size] == '/');
    return INSIDE;
}

typedef enum Purpose { TO_OPEN, TO_LOOK, TO_LIST } Purpose;

typedef struct Found {
    OpenFile file;
    CnFileInfo info;
    CniVfsListing *listing;
} Found;

static bool find_in(CnVfs *vfs, Mount *mount, const CniVfsPath *path, Purpose purpose, Found *found,
                    CnError *error)
{
    bool is_folder = mount->folder >= 0;
    switch (purpose) {
    case TO_OPEN:
        found->file.mount = mount;
        return is_folder ? cni_vfs_folder_open_file(mount->folder, path, CN_FILE_READ,
                                                    &found->file.native, error)
                         : cni_vfs_archive_open_file(mount->archive, path, vfs->allocator,
                                                     &found->file.packed, error);
    case TO_LOOK:
        return is_folder ? cni_vfs_folder_info(mount->folder, path, &found->info, error)
                         : cni_vfs_archive_info(mount->archive, path, &found->info, error);
    case TO_LIST:
    default:
        return is_folder ? cni_vfs_folder_list(mount->folder, path, found->listing, error)
                         : cni_vfs_archive_list(mount->archive, path, found->listing, error);
    }
}

/* Of the folder in which the prefix of a mount appears. */
static bool find_above(const Mount *mount, const CniVfsPath *path, Purpose purpose, Found *found,
                       CnError *error)
{
    if (purpose == TO_OPEN)
        return cn_file_set_error(error, CN_ERROR_IO, "open", path->whole, "it is a folder");
    found->info = (CnFileInfo){.is_directory = true};
    return purpose != TO_LIST || cni_vfs_listing_add(found->listing, mount->prefix, true) ||
           cn_file_set_error(error, CN_ERROR_MEMORY, "list", path->whole, "out of memory");
}

/* Finds the first mount that has the path; for listing, all that have it. An entry that exists
 * but cannot be used is an error, not a reason to search further. */
static bool find(CnVfs *vfs, const char *path, Purpose purpose, Found *found, CnError *error)
{
    CniVfsPath split;
    if (!cni_vfs_path_split(path, &split, error))
        return false;
    bool is_mounted = false, is_found = false;
    for (Mount *mount = vfs->mounts; mount; mount = mount->next) {
        CniVfsPath within;
        Relation relation = relate(mount, &split, &within);
        is_mounted = is_mounted || is_of_scheme(mount, split.scheme);
        if (relation == OUTSIDE)
            continue;
        CnError problem = {0};
        if (relation == ABOVE ? find_above(mount, &split, purpose, found, &problem)
                              : find_in(vfs, mount, &within, purpose, found, &problem))
            is_found = true;
        else if (problem.code != CN_ERROR_NOT_FOUND)
            return cn_error_set(error, problem.code, "%s", problem.message);
        if (is_found && purpose != TO_LIST)
            return true;
    }
    static const char *const actions[] = {"open", "access", "list"};
    if (!is_found)
        cn_file_set_error(error, CN_ERROR_NOT_FOUND, actions[purpose], path,
                          is_mounted ? "there is no such file or folder"
                                     : "nothing is mounted under its scheme");
    return is_found;
}

/* Returns the mount to which paths of this scheme are written. */
static Mount *find_writable(CnVfs *vfs, const CniVfsPath *path, const char *action, CnError *error)
{
    bool is_mounted = false;
    for (Mount *mount = vfs->mounts; mount; mount = mount->next) {
        if (!is_of_scheme(mount, path->scheme))
            continue;
        if (mount->is_writable)
            return mount;
        is_mounted = true;
    }
    cn_file_set_error(
        error, is_mounted ? CN_ERROR_PERMISSION : CN_ERROR_NOT_FOUND, action, path->whole,
        is_mounted ? "its scheme is mounted read-only" : "nothing is mounted under its scheme");
    return NULL;
}

/* ---- The functions of CnFileSystem ---- */

static bool open_for_writing(CnVfs *vfs, const char *path, CnFileMode mode, OpenFile *file,
                             CnError *error)
{
    CniVfsPath split;
    if (!cni_vfs_path_split(path, &split, error))
        return false;
    file->mount = find_writable(vfs, &split, "open", error);
    return file->mount &&
           cni_vfs_folder_open_file(file->mount->folder, &split, mode, &file->native, error);
}

static bool vfs_open(CnFileSystem *fs, const char *path, CnFileMode mode, CnFile **file,
                     CnError *error)
{
    CnVfs *vfs = (CnVfs *)fs;
    *file = NULL;
    CN_ASSERT((uint32_t)mode <= CN_FILE_NEW, "there is no file mode %d", (int)mode);
    if ((uint32_t)mode > CN_FILE_NEW)
        return cn_file_set_error(error, CN_ERROR_NOT_FOUND, "open", path ? path : "",
                                 "the mode is invalid");
    OpenFile *opened = cn_alloc_zeroed(vfs->allocator, sizeof *opened);
    if (!opened)
        return cn_file_set_error(error, CN_ERROR_MEMORY, "open", path ? path : "", "out of memory");
    Found found = {0};
    bool ok = mode == CN_FILE_READ ? find(vfs, path, TO_OPEN, &found, error)
                                   : open_for_writing(vfs, path, mode, &found.file, error);
    if (!ok) {
        cn_free(vfs->allocator, opened, sizeof *opened);
        return false;
    }
    *opened = found.file;
    atomic_fetch_add(&opened->mount->open_files, 1);
    *file = (CnFile *)opened;
    return true;
}

static void vfs_close(CnFileSystem *fs, CnFile *file)
{
    CnVfs *vfs = (CnVfs *)fs;
    OpenFile *opened = (OpenFile *)file;
    if (!opened)
        return;
    if (opened->packed)
        cni_vfs_archive_close_file(opened->packed);
    else
        cn_native_files()->close(cn_native_files(), opened->native);
    atomic_fetch_sub(&opened->mount->open_files, 1);
    cn_free(vfs->allocator, opened, sizeof *opened);
}

static bool vfs_read(CnFileSystem *fs, CnFile *file, uint64_t offset, void *bytes, size_t size,
                     size_t *done, CnError *error)
{
    (void)fs;
    OpenFile *opened = (OpenFile *)file;
    if (opened->packed)
        return cni_vfs_archive_read(opened->packed, offset, bytes, size, done, error);
    CnFileSystem *native = cn_native_files();
    return native->read(native, opened->native, offset, bytes, size, done, error);
}

/* Returns the native file, or NULL and an error: archives are read-only. */
static CnFile *native_of(CnFile *file, CnError *error)
{
    CnFile *native = ((OpenFile *)file)->native;
    if (!native)
        cn_error_set(error, CN_ERROR_PERMISSION, "files in archives are read-only");
    return native;
}

static bool vfs_write(CnFileSystem *fs, CnFile *file, uint64_t offset, const void *bytes,
                      size_t size, CnError *error)
{
    (void)fs;
    CnFileSystem *files = cn_native_files();
    CnFile *native = native_of(file, error);
    return native && files->write(files, native, offset, bytes, size, error);
}

static bool vfs_sync(CnFileSystem *fs, CnFile *file, CnError *error)
{
    (void)fs;
    CnFileSystem *files = cn_native_files();
    CnFile *native = native_of(file, error);
    return native && files->sync(files, native, error);
}

static bool vfs_truncate(CnFileSystem *fs, CnFile *file, uint64_t size, CnError *error)
{
    (void)fs;
    CnFileSystem *files = cn_native_files();
    CnFile *native = native_of(file, error);
    return native && files->truncate(files, native, size, error);
}

static bool vfs_info(CnFileSystem *fs, const char *path, CnFileInfo *info, CnError *error)
{
    Found found = {0};
    bool ok = find((CnVfs *)fs, path, TO_LOOK, &found, error);
    *info = found.info;
    return ok;
}

static bool vfs_rename(CnFileSystem *fs, const char *from, const char *to, CnError *error)
{
    CniVfsPath source, target;
    if (!cni_vfs_path_split(from, &source, error) || !cni_vfs_path_split(to, &target, error))
        return false;
    if (!cn_text_equal(source.scheme, target.scheme))
        return cn_file_set_error(error, CN_ERROR_UNSUPPORTED, "rename to", to,
                                 "it is under another scheme");
    Mount *mount = find_writable((CnVfs *)fs, &source, "rename", error);
    return mount && cni_vfs_folder_rename(mount->folder, &source, &target, error);
}

static bool vfs_remove(CnFileSystem *fs, const char *path, CnError *error)
{
    CniVfsPath split;
    if (!cni_vfs_path_split(path, &split, error))
        return false;
    Mount *mount = find_writable((CnVfs *)fs, &split, "remove", error);
    return mount && cni_vfs_folder_remove(mount->folder, &split, error);
}

static bool vfs_make_folder(CnFileSystem *fs, const char *path, CnError *error)
{
    CniVfsPath split;
    if (!cni_vfs_path_split(path, &split, error))
        return false;
    Mount *mount = find_writable((CnVfs *)fs, &split, "create the folder", error);
    return mount && cni_vfs_folder_make(mount->folder, &split, error);
}

static bool vfs_find_write_target(CnFileSystem *fs, const char *path, CnFileWriteTarget *target,
                                  CnError *error)
{
    CniVfsPath split;
    if (!cni_vfs_path_split(path, &split, error))
        return false;
    Mount *mount = find_writable((CnVfs *)fs, &split, "write", error);
    return mount && cni_vfs_folder_find_write_target(mount->folder, &split, target, error);
}

static bool vfs_copy_attributes(CnFileSystem *fs, CnFile *file, const CnFileWriteTarget *from,
                                CnError *error)
{
    (void)fs;
    CnFileSystem *files = cn_native_files();
    CnFile *native = native_of(file, error);
    return native && files->copy_attributes(files, native, from, error);
}

static const CnBudget *vfs_budget(CnFileSystem *fs, CnFile *file)
{
    (void)fs;
    return &((OpenFile *)file)->mount->budget;
}

static bool vfs_list(CnFileSystem *fs, const char *path,
                     bool (*visit)(const char *name, bool is_directory, void *user), void *user,
                     CnError *error)
{
    CnVfs *vfs = (CnVfs *)fs;
    CniVfsListing listing;
    cni_vfs_listing_init(&listing, vfs->allocator);
    bool ok = find(vfs, path, TO_LIST, &(Found){.listing = &listing}, error);
    if (ok)
        cni_vfs_listing_visit(&listing, visit, user);
    cni_vfs_listing_fini(&listing);
    return ok;
}

/* ---- Mounting ---- */

CnVfs *cn_vfs_create(const CnVfsDesc *desc, CnError *error)
{
    CnAllocator *allocator = desc ? desc->allocator : NULL;
    CnVfs *vfs = cn_alloc_zeroed(allocator, sizeof *vfs);
    if (!vfs) {
        cn_error_memory(error, "a virtual file system");
        return NULL;
    }
    if (!cni_vfs_physfs_acquire(error)) {
        cn_free(allocator, vfs, sizeof *vfs);
        return NULL;
    }
    vfs->allocator = allocator;
    vfs->files = (CnFileSystem){
        .open = vfs_open,
        .close = vfs_close,
        .read = vfs_read,
        .write = vfs_write,
        .sync = vfs_sync,
        .truncate = vfs_truncate,
        .info = vfs_info,
        .rename = vfs_rename,
        .remove = vfs_remove,
        .make_folder = vfs_make_folder,
        .list = vfs_list,
        .find_write_target = vfs_find_write_target,
        .copy_attributes = vfs_copy_attributes,
        .budget = vfs_budget,
    };
    return vfs;
}

static void drop_mount(CnVfs *vfs, Mount *mount)
{
    CN_ASSERT(atomic_load(&mount->open_files) == 0, "%u files of %s:// are still open",
              atomic_load(&mount->open_files), mount->scheme);
    if (mount->folder >= 0)
        close(mount->folder);
    else
        cni_vfs_archive_unmount(mount->archive);
    cn_free(vfs->allocator, mount, sizeof *mount);
}

void cn_vfs_destroy(CnVfs *vfs)
{
    if (!vfs)
        return;
    while (vfs->mounts) {
        Mount *first = vfs->mounts;
        vfs->mounts = first->next;
        drop_mount(vfs, first);
    }
    cn_free(vfs->allocator, vfs, sizeof *vfs);
    cni_vfs_physfs_release();
}

/* Opens a folder, or otherwise an archive. */
static bool open_mount(CnVfs *vfs, Mount *mount, const char *native, CnError *error)
{
    mount->folder = open(native, O_PATH | O_DIRECTORY | O_CLOEXEC);
    if (mount->folder >= 0)
        return true;
    if (errno != ENOTDIR)
        return cn_file_set_errno(error, "mount", native, errno);
    if (mount->is_writable)
        return cn_file_set_error(error, CN_ERROR_UNSUPPORTED, "mount", native,
                                 "only folders can be mounted for writing");
    return cni_vfs_archive_mount(native, &mount->budget, vfs->allocator, mount->archive, error);
}

static bool check_mount(CnVfs *vfs, const CnMountDesc *desc, CnError *error)
{
    const char *scheme = desc->scheme, *native = desc->native;
    const bool is_valid = (uint32_t)desc->mode <= CN_MOUNT_WRITE &&
                          (uint32_t)desc->origin < CN_ORIGIN_COUNT &&
                          (!desc->budget || desc->budget->origin == desc->origin);
    CN_ASSERT(is_valid, "there is no mount mode %d with origin %d", (int)desc->mode,
              (int)desc->origin);
    if (!is_valid)
        return cn_file_set_error(error, CN_ERROR_NOT_FOUND, "mount", native ? native : "",
                                 "the mode or the origin is invalid");
    if (!cni_vfs_scheme_valid(cn_text(scheme)))
        return cn_error_set(error, CN_ERROR_FORMAT,
                            "a scheme has 1 to %u characters of a-z, 0-9 and '_'",
                            CN_VFS_SCHEME_BYTES - 1);
    if (desc->prefix &&
        (strlen(desc->prefix) >= CN_VFS_PREFIX_BYTES || !cni_vfs_part_valid(cn_text(desc->prefix))))
        return cn_error_set(error, CN_ERROR_FORMAT,
                            "a prefix is one part of a path, of at most %u bytes",
                            CN_VFS_PREFIX_BYTES - 1);
    if (desc->prefix && desc->mode == CN_MOUNT_WRITE)
        return cn_error_set(error, CN_ERROR_UNSUPPORTED,
                            "a folder that is mounted for writing has no prefix");
    if (!native || !native[0])
        return cn_error_set(error, CN_ERROR_FORMAT, "no folder or archive is given for %s://",
                            scheme);
    for (Mount *mount = vfs->mounts; mount && desc->mode == CN_MOUNT_WRITE; mount = mount->next) {
        if (mount->is_writable && is_of_scheme(mount, cn_text(scheme)))
            return cn_error_set(error, CN_ERROR_EXISTS, "%s:// already has a writable folder",
                                scheme);
    }
    return true;
}

bool cn_vfs_mount(CnVfs *vfs, const char *scheme, const char *native, CnMountMode mode,
                  CnError *error)
{
    const CnMountDesc desc = {.scheme = scheme, .native = native, .mode = mode};
    return cn_vfs_mount_as(vfs, &desc, error);
}

bool cn_vfs_mount_as(CnVfs *vfs, const CnMountDesc *desc, CnError *error)
{
    CN_ASSERT(vfs, "%s: vfs is NULL", __func__);
    CN_ASSERT(desc, "%s: desc is NULL", __func__);
    if (!check_mount(vfs, desc, error))
        return false;
    Mount *mount = cn_alloc_zeroed(vfs->allocator, sizeof *mount);
    if (!mount)
        return cn_file_set_error(error, CN_ERROR_MEMORY, "mount", desc->native, "out of memory");
    mount->is_writable = desc->mode == CN_MOUNT_WRITE;
    mount->budget = desc->budget ? *desc->budget : *cn_budget_of(desc->origin);
    cn_copy_text(mount->scheme, sizeof mount->scheme, cn_text(desc->scheme));
    if (desc->prefix)
        cn_copy_text(mount->prefix, sizeof mount->prefix, cn_text(desc->prefix));
    if (!open_mount(vfs, mount, desc->native, error)) {
        cn_free(vfs->allocator, mount, sizeof *mount);
        return false;
    }
    Mount **end = &vfs->mounts;
    while (*end)
        end = &(*end)->next;
    *end = mount;
    vfs->version++;
    return true;
}

bool cn_vfs_unmount(CnVfs *vfs, const char *scheme, CnError *error)
{
    CN_ASSERT(vfs, "%s: vfs is NULL", __func__);
    bool is_mounted = false;
    for (Mount *mount = vfs->mounts; mount; mount = mount->next) {
        if (!is_of_scheme(mount, cn_text(scheme)))
            continue;
        is_mounted = true;
        if (atomic_load(&mount->open_files) > 0)
            return cn_error_set(error, CN_ERROR_PERMISSION, "files of %s:// are still open",
                                scheme);
    }
    if (!is_mounted)
        return cn_error_set(error, CN_ERROR_NOT_FOUND, "nothing is mounted as %s://",
                            scheme ? scheme : "");
    for (Mount **place = &vfs->mounts; *place;) {
        Mount *mount = *place;
        if (is_of_scheme(mount, cn_text(scheme))) {
            *place = mount->next;
            drop_mount(vfs, mount);
        } else {
            place = &mount->next;
        }
    }
    vfs->version++;
    return true;
}

bool cn_vfs_watch(const CnVfs *vfs, CnFileWatch *watch, CnError *error)
{
    CN_ASSERT(vfs, "%s: vfs is NULL", __func__);
    for (const Mount *mount = vfs->mounts; mount; mount = mount->next) {
        char path[32], prefix[CN_VFS_SCHEME_BYTES + CN_VFS_PREFIX_BYTES + 4];
        if (mount->folder < 0)
            continue;
        cn_format(path, sizeof path, "/proc/self/fd/%d", mount->folder);
        cn_format(prefix, sizeof prefix, "%s://%s%s", mount->scheme, mount->prefix,
                  mount->prefix[0] ? "/" : "");
        const CnWatchedFolder folder = {.path = path, .prefix = prefix, .is_recursive = true};
        if (!cn_file_watch_add(watch, &folder, error))
            return false;
    }
    return true;
}

uint32_t cn_vfs_version(const CnVfs *vfs)
{
    CN_ASSERT(vfs, "%s: vfs is NULL", __func__);
    return vfs->version;
}

CnFileSystem *cn_vfs_files(CnVfs *vfs)
{
    CN_ASSERT(vfs, "%s: vfs is NULL", __func__);
    return &vfs->files;
}
