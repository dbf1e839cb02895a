/*
 * The blocks of a CnHeap. Where CN_GUARDS is defined each carries its size and owner in front and
 * a mark behind, so that a wrong size, a wrong tag, a second free and a write past the end are
 * found when the block comes back, and growing always moves it. Release builds add nothing.
 */
#ifndef CAIRN_SRC_BASE_HEAP_BLOCK_H
#define CAIRN_SRC_BASE_HEAP_BLOCK_H

#include <cairn/base/memory.h>

/* As CnAllocator's resize. `owner` names the tag; it must be the same for all calls on a block. */
void *cni_heap_block_resize(CnAllocator *parent, const char *owner, void *block, size_t old_bytes,
                            size_t new_bytes, size_t alignment);

#endif
