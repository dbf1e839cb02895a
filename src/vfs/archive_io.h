/* The bytes of an archive, as PhysicsFS wants to read them. */
#ifndef CAIRN_VFS_ARCHIVE_IO_H
#define CAIRN_VFS_ARCHIVE_IO_H

#include <cairn/base/memory.h>

#include <physfs.h>

/* Owns the descriptor, unless it is NULL: out of memory. */
PHYSFS_Io *cni_archive_io(int descriptor, uint64_t size, CnAllocator *allocator);

#endif
