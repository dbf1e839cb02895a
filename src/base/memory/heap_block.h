/*
 * The blocks of a CnHeap. With CN_GUARDS, each block has its size and owner in front and a marker
 * behind, so that a wrong size, a wrong tag, a double free and a write past the end are detected
 * when the block is freed; growing always moves it. Release builds add nothing.
 */
#ifndef CAIRN_SRC_BASE_MEMORY_HEAP_BLOCK_H
#define CAIRN_SRC_BASE_MEMORY_HEAP_BLOCK_H

#include <cairn/base/memory.h>

/* Like the resize function of CnAllocator. `owner` is the name of the tag, the same for all
 * calls for a block. */
void *cni_base_heap_block_resize(CnAllocator *parent, const char *owner, void *block,
                                 size_t old_bytes, size_t new_bytes, size_t alignment);

#endif
