/*
 * cairn/vfs: files by virtual paths, out of mounted folders and archives.
 *
 *     CnVfs *vfs = cn_vfs_create(NULL, &error);
 *     cn_vfs_mount(vfs, "assets", "game/assets", CN_MOUNT_READ, &error);
 *     cn_vfs_mount(vfs, "assets", "game/assets.zip", CN_MOUNT_READ, &error);   // looked in second
 *     cn_vfs_mount(vfs, "project", ".", CN_MOUNT_WRITE, &error);
 *     cn_file_read_all(cn_vfs_files(vfs), "assets://meshes/box.mesh", allocator, &bytes, &error);
 *
 * A virtual path is a scheme, "://" and parts with '/' between them; "assets://" alone is the root.
 * Nothing leads out of what is mounted: no part is empty, "." or "..", or ends with a dot or a blank;
 * backslashes, colons, control characters and what is not UTF-8 are refused, and symbolic links below
 * a mounted folder are not followed, wherever they point.
 *
 * Any thread may use the files; mounting and unmounting is for one thread while no other uses them.
 * Different CnVfs are separate.
 */
#ifndef CAIRN_VFS_H
#define CAIRN_VFS_H

#include <cairn/base/file.h>
#include <cairn/base/text.h>

CN_EXTERN_C_BEGIN

#define CN_VFS_PATH_BYTES 512u /* with the terminator */
#define CN_VFS_SCHEME_BYTES 32u

typedef struct CnVfs CnVfs;

typedef enum CnMountMode {
    CN_MOUNT_READ,
    CN_MOUNT_WRITE /* a folder; one per scheme; it is also read */
} CnMountMode;

CN_API CnVfs *cn_vfs_create(CnAllocator *allocator, CnError *error);
/* All its files are closed before. */
CN_API void cn_vfs_destroy(CnVfs *vfs);

/* `native` is a folder or an archive (zip, 7z) of the operating system. Scheme: a-z, 0-9, '_'. Mounted
 * earlier is looked in first. */
CN_API bool cn_vfs_mount(CnVfs *vfs, const char *scheme, const char *native, CnMountMode mode,
                         CnError *error);
/* A folder as project://, and its folders `assets` and `scripts` (or where there are none, itself) as assets:// and
 * scripts://; all to be read. */
CN_API bool cn_vfs_mount_project(CnVfs *vfs, const char *folder, CnError *error);
/* All of the scheme; false when it is not mounted or has open files. */
CN_API bool cn_vfs_unmount(CnVfs *vfs, const char *scheme, CnError *error);

/* As files of base: every function takes virtual paths. One thread at a time per CnFile. Modification
 * times have nanoseconds in folders. Listings are those of all mounts of the scheme together, without
 * links and without names that no path can have. */
CN_API CnFileSystem *cn_vfs_files(CnVfs *vfs);
/* Whether it is a well-formed virtual path that stays inside; the error says why not. */
CN_API bool cn_vfs_path_valid(CnText path, CnError *error);

CN_EXTERN_C_END

#endif
