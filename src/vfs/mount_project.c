/* Mounts the folders of a project under their conventional schemes. */
#include "vfs/vfs_internal.h"

#include <cairn/base/assert.h>

#include <limits.h>

bool cn_vfs_mount_project(CnVfs *vfs, const char *folder, CnOrigin origin, CnError *error)
{
    CN_ASSERT(vfs, "%s: vfs is NULL", __func__);
    static const char *const below[] = {"assets", "scripts"};
    const CnMountDesc project = {.scheme = "project", .native = folder, .origin = origin};
    if (!cn_vfs_mount_as(vfs, &project, error))
        return false;
    for (size_t i = 0; i < CN_COUNT_OF(below); i++) {
        char path[PATH_MAX];
        CnFileInfo info;
        CnFileSystem *files = cn_native_files();
        bool is_there = cn_format(path, sizeof path, "%s/%s", folder, below[i]) &&
                        files->info(files, path, &info, NULL) && info.is_directory;
        const CnMountDesc desc = {
            .scheme = below[i], .native = is_there ? path : folder, .origin = origin};
        if (!cn_vfs_mount_as(vfs, &desc, error))
            return false;
    }
    return true;
}
