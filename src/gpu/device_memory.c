/*
 * Device memory: blocks, divided into segments. Buffers and textures are in different blocks, so
 * that they never share a page; large ones have a dedicated block. One empty block of each kind is
 * kept.
 */
#include "gpu/gpu_internal.h"

#include <cairn/base/assert.h>

static CniBlock *new_block(CnGpu *gpu, uint32_t *index)
{
    for (uint32_t i = 0; i < gpu->blocks.count; i++) {
        if (!gpu->blocks.items[i].is_used) {
            *index = i;
            return &gpu->blocks.items[i];
        }
    }
    if (!cn_array_push(&gpu->blocks, (CniBlock){0}))
        return NULL;
    *index = gpu->blocks.count - 1;
    return &gpu->blocks.items[*index];
}

/* Allocates a block of this size and type; returns false when there is no memory for it. */
static bool make_block(CnGpu *gpu, const CniMemoryNeed *need, uint32_t type, uint64_t size,
                       uint32_t *index)
{
    CniBlock *block = new_block(gpu, index);
    if (!block)
        return false;
    *block =
        (CniBlock){.size = size, .type = type, .tiling = need->tiling, .is_whole = need->whole};
    if (!cni_segments_init(&block->segments, gpu->allocator, size))
        return false;
    if (!gpu->backend->block_create(gpu, block, need)) {
        cni_segments_fini(&block->segments);
        return false;
    }
    block->is_used = true;
    gpu->reserved_bytes += size;
    gpu->block_count++;
    return true;
}

static void free_block(CnGpu *gpu, CniBlock *block)
{
    gpu->backend->block_destroy(gpu, block);
    cni_segments_fini(&block->segments);
    gpu->reserved_bytes -= block->size;
    gpu->block_count--;
    *block = (CniBlock){0};
}

static bool take_from(CnGpu *gpu, uint32_t index, const CniMemoryNeed *need, CniMemory *memory)
{
    CniBlock *block = &gpu->blocks.items[index];
    uint32_t segment = cni_segments_take(&block->segments, need->size, need->alignment);
    if (segment == CNI_NO_SEGMENT)
        return false;
    *memory = (CniMemory){.block = index + 1,
                          .segment = segment,
                          .offset = block->segments.items.items[segment].offset,
                          .size = need->size};
    gpu->used_bytes += need->size;
    return true;
}

static bool is_shared_block(const CniBlock *block, uint32_t type, CniTiling tiling)
{
    return block->is_used && !block->is_whole && block->type == type && block->tiling == tiling;
}

static bool take_of_type(CnGpu *gpu, const CniMemoryNeed *need, uint32_t type, CniMemory *memory)
{
    uint64_t usual = gpu->backend->block_bytes(gpu, type);
    CniMemoryNeed wanted = *need;
    wanted.whole = need->whole || need->size > usual / 2;
    uint32_t index;
    if (wanted.whole)
        return make_block(gpu, &wanted, type, need->size, &index) &&
               take_from(gpu, index, &wanted, memory);
    for (uint32_t i = 0; i < gpu->blocks.count; i++) {
        if (is_shared_block(&gpu->blocks.items[i], type, need->tiling) &&
            take_from(gpu, i, need, memory))
            return true;
    }
    /* When memory is scarce, a smaller block may still be available. */
    for (uint64_t size = usual; size >= need->size; size /= 2) {
        if (make_block(gpu, &wanted, type, size, &index))
            return take_from(gpu, index, need, memory);
    }
    return false;
}

bool cni_memory_take(CnGpu *gpu, const CniMemoryNeed *need, const char *name, CniMemory *memory,
                     CnError *error)
{
    uint32_t types[32];
    uint32_t count = gpu->backend->memory_types(gpu, need, types);
    for (uint32_t i = 0; i < count; i++) {
        if (take_of_type(gpu, need, types[i], memory))
            return true;
    }
    return cn_error_set(error, CN_ERROR_MEMORY,
                        "out of device memory for %s: %llu bytes requested, %llu reserved", name,
                        (unsigned long long)need->size, (unsigned long long)gpu->reserved_bytes);
}

static bool another_is_empty(const CnGpu *gpu, const CniBlock *block)
{
    for (uint32_t i = 0; i < gpu->blocks.count; i++) {
        const CniBlock *other = &gpu->blocks.items[i];
        if (other != block && is_shared_block(other, block->type, block->tiling) &&
            !other->segments.used)
            return true;
    }
    return false;
}

void cni_memory_give(CnGpu *gpu, CniMemory *memory)
{
    if (!memory->block)
        return;
    CniBlock *block = cni_memory_block(gpu, memory);
    CN_ASSERT(block->is_used, "the memory was already freed");
    cni_segments_give(&block->segments, memory->segment);
    gpu->used_bytes -= memory->size;
    if (!block->segments.used && (block->is_whole || another_is_empty(gpu, block)))
        free_block(gpu, block);
    *memory = (CniMemory){0};
}

void cni_memory_fini(CnGpu *gpu)
{
    for (uint32_t i = 0; i < gpu->blocks.count; i++) {
        if (gpu->blocks.items[i].is_used)
            free_block(gpu, &gpu->blocks.items[i]);
    }
    cn_array_fini(&gpu->blocks);
}
