/*
 * cairn/vfs: a virtual file system over mounted folders and archives.
 *
 *     CnError error = {0};
 *     CnVfs *vfs = cn_vfs_create(NULL, &error);
 *     cn_vfs_mount(vfs, "assets", "game/assets", CN_MOUNT_READ, &error);
 *     cn_vfs_mount(vfs, "assets", "game/assets.zip", CN_MOUNT_READ, &error);   // searched second
 *     cn_vfs_mount(vfs, "project", ".", CN_MOUNT_WRITE, &error);
 *     CnMountDesc mod = {.scheme = "mods",
 *                        .native = "mods/castle.zip",
 *                        .prefix = "castle", // its files are mods://castle/...
 *                        .origin = CN_ORIGIN_FOREIGN};
 *     cn_vfs_mount_as(vfs, &mod, &error);
 *     CnFileBytes bytes;
 *     if (cn_file_read_all(cn_vfs_files(vfs), "assets://meshes/box.mesh", NULL, &bytes, &error))
 *         cn_file_bytes_free(&bytes);
 *     cn_vfs_destroy(vfs);
 *
 * A virtual path consists of a scheme, "://" and parts separated by '/'; "assets://" alone is the
 * root. Paths cannot escape what is mounted: no part may be empty, "." or "..", or end with a dot
 * or a blank; backslashes, colons, control characters and invalid UTF-8 are errors; and symbolic
 * links below a mounted folder are not followed, wherever they point.
 *
 * A file has the origin of the mount in which it is found, and loaders accept what the budget of
 * that origin allows (cairn/base/origin.h). A program mounts its own data as trusted, what a person
 * opened as user, and mods as foreign.
 *
 * Any thread may use the files. Mounting and unmounting require that no other thread uses the
 * CnVfs. Different CnVfs are independent.
 */
#ifndef CAIRN_VFS_H
#define CAIRN_VFS_H

#include <cairn/base/file.h>
#include <cairn/base/text.h>
#include <cairn/vfs/decode_job.h>
#include <cairn/vfs/decoder.h>

CN_EXTERN_C_BEGIN

#define CN_VFS_PATH_BYTES 512u /* including the terminator */
#define CN_VFS_SCHEME_BYTES 32u
#define CN_VFS_PREFIX_BYTES 64u

typedef struct CnVfs CnVfs;

typedef enum CnMountMode {
    CN_MOUNT_READ,
    CN_MOUNT_WRITE /* for reading and writing; a folder; one per scheme */
} CnMountMode;

typedef struct CnVfsDesc {
    CnAllocator *allocator; /* NULL: the system allocator */
} CnVfsDesc;

/* Creates an empty file system. `desc` may be NULL. Returns NULL and an error when out of memory.
 */
CN_API CnVfs *cn_vfs_create(const CnVfsDesc *desc, CnError *error);
/* Frees the file system. All of its files must be closed. NULL is ignored. */
CN_API void cn_vfs_destroy(CnVfs *vfs);

typedef struct CnMountDesc {
    const char *scheme; /* consists of a-z, 0-9 and '_' */
    const char *native; /* path of a folder or a zip archive of the operating system */
    /* Name of the folder in which its files appear: with "castle", a file "door.lua" is
     * "mods://castle/door.lua". For reading only. NULL: in the root of the scheme. */
    const char *prefix;
    CnMountMode mode;
    CnOrigin origin; /* of all its files; 0 selects CN_ORIGIN_USER */
    /* What loaders accept of its files; copied. It must have the same origin. NULL: the default of
     * the origin. */
    const CnBudget *budget;
} CnMountDesc;

/* Mounts a folder or a zip archive. Mounts of a scheme are searched in the order in which they were
 * mounted. An archive may have at most 16,384 files and folders, paths of 32 parts and the unpacked
 * bytes of its budget; its directory is checked before anything else is read. */
CN_API bool cn_vfs_mount_as(CnVfs *vfs, const CnMountDesc *desc, CnError *error);
/* The same for files that a person opened: with the origin CN_ORIGIN_USER. */
CN_API bool cn_vfs_mount(CnVfs *vfs, const char *scheme, const char *native, CnMountMode mode,
                         CnError *error);
/* Mounts a folder as project://, and its subfolders `assets` and `scripts` as assets:// and
 * scripts://; where a subfolder is missing, the folder itself. All are read-only and have this
 * origin: trusted for the program's own project, user for one that a person opened. */
CN_API bool cn_vfs_mount_project(CnVfs *vfs, const char *folder, CnOrigin origin, CnError *error);
/* Removes all mounts of a scheme. Returns false when it is not mounted or has open files. */
CN_API bool cn_vfs_unmount(CnVfs *vfs, const char *scheme, CnError *error);

/* Returns the file system whose functions take virtual paths. One thread at a time may use a
 * CnFile. Modification times of files in folders have nanosecond resolution. A listing merges
 * all mounts of the scheme, without links and without names that no virtual path can contain. */
CN_API CnFileSystem *cn_vfs_files(CnVfs *vfs);
/* Returns whether `path` is a well-formed virtual path; the error explains why not. */
CN_API bool cn_vfs_path_valid(CnText path, CnError *error);

CN_EXTERN_C_END

#endif
