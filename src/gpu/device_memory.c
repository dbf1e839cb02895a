/*
 * Device memory: blocks, divided into segments. Buffers and textures are in different blocks, so
 * that they never share a page; large ones have a dedicated block. One empty block of each kind is
 * kept.
 */
#include "gpu/gpu_internal.h"

#include <cairn/base/assert.h>

static CniGpuMemoryBlock *new_block(CnGpu *gpu, uint32_t *index)
{
    for (uint32_t i = 0; i < gpu->blocks.count; i++) {
        if (!gpu->blocks.items[i].is_used) {
            *index = i;
            return &gpu->blocks.items[i];
        }
    }
    if (!cn_array_push(&gpu->blocks, (CniGpuMemoryBlock){0}))
        return NULL;
    *index = gpu->blocks.count - 1;
    return &gpu->blocks.items[*index];
}

/* Allocates a block of this size and type; returns false when there is no memory for it. */
static bool make_block(CnGpu *gpu, const CniGpuMemoryRequest *need, uint32_t type, uint64_t size,
                       uint32_t *index)
{
    CniGpuMemoryBlock *block = new_block(gpu, index);
    if (!block)
        return false;
    *block = (CniGpuMemoryBlock){
        .size = size, .type = type, .tiling = need->tiling, .is_whole = need->whole};
    if (!cni_gpu_suballocator_init(&block->segments, gpu->allocator, size))
        return false;
    if (!gpu->backend->block_create(gpu, block, need)) {
        cni_gpu_suballocator_fini(&block->segments);
        return false;
    }
    block->is_used = true;
    gpu->reserved_bytes += size;
    gpu->block_count++;
    return true;
}

static void free_block(CnGpu *gpu, CniGpuMemoryBlock *block)
{
    CN_ASSERT(block->is_used && gpu->block_count && gpu->reserved_bytes >= block->size,
              "the statistics of device memory do not include a block");
    gpu->backend->block_destroy(gpu, block);
    cni_gpu_suballocator_fini(&block->segments);
    gpu->reserved_bytes -= block->size;
    gpu->block_count--;
    *block = (CniGpuMemoryBlock){0};
}

static bool take_from(CnGpu *gpu, uint32_t index, const CniGpuMemoryRequest *need,
                      CniGpuAllocation *memory)
{
    CniGpuMemoryBlock *block = &gpu->blocks.items[index];
    uint32_t segment = cni_gpu_suballocator_alloc(&block->segments, need->size, need->alignment);
    if (segment == CNI_GPU_NO_SEGMENT)
        return false;
    CN_ASSERT(block->is_used &&
                  block->segments.items.items[segment].offset + need->size <= block->size,
              "a segment ends behind its block");
    *memory = (CniGpuAllocation){.block = index + 1,
                                 .segment = segment,
                                 .offset = block->segments.items.items[segment].offset,
                                 .size = need->size};
    gpu->used_bytes += need->size;
    return true;
}

static bool is_shared_block(const CniGpuMemoryBlock *block, uint32_t type, CniGpuTiling tiling)
{
    return block->is_used && !block->is_whole && block->type == type && block->tiling == tiling;
}

static bool take_of_type(CnGpu *gpu, const CniGpuMemoryRequest *need, uint32_t type,
                         CniGpuAllocation *memory)
{
    uint64_t usual = gpu->backend->block_bytes(gpu, type);
    CniGpuMemoryRequest wanted = *need;
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

bool cni_gpu_memory_alloc(CnGpu *gpu, const CniGpuMemoryRequest *need, const char *name,
                          CniGpuAllocation *memory, CnError *error)
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

static bool another_is_empty(const CnGpu *gpu, const CniGpuMemoryBlock *block)
{
    for (uint32_t i = 0; i < gpu->blocks.count; i++) {
        const CniGpuMemoryBlock *other = &gpu->blocks.items[i];
        if (other != block && is_shared_block(other, block->type, block->tiling) &&
            !other->segments.used)
            return true;
    }
    return false;
}

void cni_gpu_memory_free(CnGpu *gpu, CniGpuAllocation *memory)
{
    if (!memory->block)
        return;
    CniGpuMemoryBlock *block = cni_gpu_memory_block(gpu, memory);
    CN_ASSERT(block->is_used, "the memory was already freed");
    cni_gpu_suballocator_free(&block->segments, memory->segment);
    CN_ASSERT(gpu->used_bytes >= memory->size, "more device memory is freed than allocated");
    gpu->used_bytes -= memory->size;
    if (!block->segments.used && (block->is_whole || another_is_empty(gpu, block)))
        free_block(gpu, block);
    *memory = (CniGpuAllocation){0};
}

void cni_gpu_memory_fini(CnGpu *gpu)
{
    for (uint32_t i = 0; i < gpu->blocks.count; i++) {
        if (gpu->blocks.items[i].is_used)
            free_block(gpu, &gpu->blocks.items[i]);
    }
    cn_array_fini(&gpu->blocks);
}
