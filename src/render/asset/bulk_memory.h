/*
 * An allocator for the large blocks that loading a model needs for a short time: the file, its
 * vertices, and scratch memory.
 *
 *     CniRenderBulkMemory bulk;
 *     cni_render_bulk_init(&bulk, renderer->allocator);
 *     ...                                      // allocate from &bulk.allocator
 *     cni_render_bulk_fini(&bulk);             // after all blocks were freed
 *
 * A large block that the C library allocates consists of pages that were not used before, and the
 * system fills each of them with zeros when it is touched; in a load this takes longer than the
 * work. Here, large blocks are parts of slabs of huge pages, and freed ones are used again. Slabs
 * are mapped from the system and returned to it. Small blocks, and large ones if mapping fails,
 * come from the parent allocator. One thread at a time uses it.
 */
#ifndef CAIRN_SRC_RENDER_ASSET_BULK_MEMORY_H
#define CAIRN_SRC_RENDER_ASSET_BULK_MEMORY_H

#include "render/core/range_allocator.h"

#define CNI_RENDER_BULK_LEAST_BYTES (256u << 10) /* smaller blocks come from the parent */

typedef struct CniRenderBulkSlab {
    uint8_t *memory;
    size_t bytes;
    uint32_t first_page; /* its number in `pages` */
} CniRenderBulkSlab;

typedef struct CniRenderBulkMemory {
    CnAllocator allocator; /* the first member */
    CnAllocator *parent;
    CN_ARRAY(CniRenderBulkSlab) slabs;
    CniRenderRangeAllocator pages; /* free pages of all slabs; there is a gap between two slabs */
    uint32_t page_count;           /* including gaps */
} CniRenderBulkMemory;

/* Allocates nothing. */
void cni_render_bulk_init(CniRenderBulkMemory *bulk, CnAllocator *parent);
void cni_render_bulk_fini(CniRenderBulkMemory *bulk);

#endif
