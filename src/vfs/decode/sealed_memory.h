/* Memory that is passed to another process by a descriptor and sealed, so that neither side can
 * change its size, and only one its contents. */
#ifndef CAIRN_SRC_VFS_DECODE_SEALED_MEMORY_H
#define CAIRN_SRC_VFS_DECODE_SEALED_MEMORY_H

#include <cairn/base/api.h>

/* Return a descriptor; -1 and errno on failure. */
int cni_vfs_sealed_copy(const void *bytes, uint64_t size); /* read-only for everybody */
int cni_vfs_sealed_space(uint64_t size); /* zeros; it takes memory only where it is written */

#endif
