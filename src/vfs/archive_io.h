/* Access to the bytes of an archive for PhysicsFS. */
#ifndef CAIRN_SRC_VFS_ARCHIVE_IO_H
#define CAIRN_SRC_VFS_ARCHIVE_IO_H

#include <cairn/base/memory.h>

#include <physfs.h>

/* Takes ownership of the descriptor, unless it returns NULL (out of memory). */
PHYSFS_Io *cni_vfs_archive_io(int descriptor, uint64_t size, CnAllocator *allocator);

#endif
