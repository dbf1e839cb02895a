/* Buffers, textures, samplers and heaps: validation, tables, deferred destruction. */
#include "gpu/gpu_internal.h"

#include <cairn/base/assert.h>
#include <cairn/base/text.h>

#define MAX_BUFFER_BYTES (1ull << 40)

/* ---- Tables ---- */

void *cni_gpu_acquire_slot(CnGpu *gpu, CniGpuObjectKind kind, const char *name, uint32_t *id,
                           CnError *error)
{
    uint64_t all = 1;
    for (uint32_t i = 0; i < CNI_GPU_OBJECT_KIND_COUNT; i++)
        all += gpu->tables[i].live;
    name = name ? name : "unnamed";
    CniGpuHandleSlot *item = NULL;
    if (cn_array_reserve(&gpu->deferred_destroys, gpu->deferred_destroys.count + all))
        item = cn_slot_table_acquire(&gpu->tables[kind], id);
    if (item)
        cn_copy_text(item->name, sizeof item->name, cn_text(name));
    else
        cn_error_memory(error, "%s", name);
    return item;
}

static void fini_texture(CnGpu *gpu, CniGpuTexture *texture)
{
    cn_array_fini(&texture->views);
    cn_free(gpu->allocator, texture->accesses,
            (size_t)texture->desc.mips * texture->desc.layers * sizeof *texture->accesses);
}

void cni_gpu_destroy_now(CnGpu *gpu, CniGpuObjectKind kind, uint32_t index)
{
    void *item = cn_slot_table_at(&gpu->tables[kind], index);
    switch (kind) {
    case CNI_GPU_OBJECT_BUFFER:
        gpu->backend->buffer_destroy(gpu, item);
        cni_gpu_memory_free(gpu, &((CniGpuBuffer *)item)->memory);
        break;
    case CNI_GPU_OBJECT_TEXTURE:
        gpu->backend->texture_destroy(gpu, item);
        cni_gpu_memory_free(gpu, &((CniGpuTexture *)item)->memory);
        fini_texture(gpu, item);
        break;
    case CNI_GPU_OBJECT_SAMPLER:
        gpu->backend->sampler_destroy(gpu, item);
        break;
    case CNI_GPU_OBJECT_HEAP:
        cni_gpu_memory_free(gpu, &((CniGpuHeap *)item)->memory);
        break;
    case CNI_GPU_OBJECT_PIPELINE:
        gpu->backend->pipeline_destroy(gpu, item);
        break;
    case CNI_GPU_OBJECT_KIND_COUNT:
        break;
    }
    cn_slot_table_release(&gpu->tables[kind], index);
}

void cni_gpu_defer_destroy(CnGpu *gpu, CniGpuObjectKind kind, uint32_t id)
{
    if (!id)
        return;
    CniGpuHandleSlot *slot = cn_slot_table_get(&gpu->tables[kind], id);
    if (!slot) {
        cni_gpu_wrong_call(gpu, "destroy: the handle is stale");
        return;
    }
    uint32_t index = cn_slot_index(id);
    cn_slot_table_kill(&gpu->tables[kind], index);
    bool pushed =
        cn_array_push(&gpu->deferred_destroys,
                      (CniGpuDeferredDestroy){.frame = gpu->frame, .kind = kind, .index = index});
    CN_ASSERT(pushed, "room was reserved");
    (void)pushed;
}

void cni_gpu_process_deferred_destroys(CnGpu *gpu, uint64_t done)
{
    uint32_t count = 0;
    while (count < gpu->deferred_destroys.count &&
           gpu->deferred_destroys.items[count].frame <= done) {
        CniGpuDeferredDestroy deferred_destroys = gpu->deferred_destroys.items[count++];
        cni_gpu_destroy_now(gpu, deferred_destroys.kind, deferred_destroys.index);
    }
    if (!count)
        return;
    gpu->deferred_destroys.count -= count;
    memmove(gpu->deferred_destroys.items, gpu->deferred_destroys.items + count,
            gpu->deferred_destroys.count * sizeof(CniGpuDeferredDestroy));
}

static CniGpuHeap *find_heap(const CnGpu *gpu, CnGpuHeap heap)
{
    return cn_slot_table_get(&gpu->tables[CNI_GPU_OBJECT_HEAP], heap.id);
}

/* Adds `change` to the number of resources in the heap. */
static void count_resident(CnGpu *gpu, CnGpuHeap heap, int change)
{
    CniGpuHeap *found = find_heap(gpu, heap);
    if (found)
        found->residents += (uint32_t)change;
}

/* ---- Buffers ---- */

static bool check_buffer(CnGpu *gpu, const CnGpuBufferDesc *desc, CnError *error)
{
    const uint32_t known = CN_GPU_USE_COPY_FROM | CN_GPU_USE_COPY_TO | CN_GPU_USE_STORAGE |
                           CN_GPU_USE_UNIFORM | CN_GPU_USE_VERTEX | CN_GPU_USE_INDIRECT;
    const char *name = desc->name ? desc->name : "unnamed";
    if (gpu->is_lost)
        return cni_gpu_error_device_lost(error);
    if (!desc->size || desc->size > MAX_BUFFER_BYTES)
        return cn_error_set(error, CN_ERROR_LIMIT, "the buffer %s cannot have %llu bytes", name,
                            (unsigned long long)desc->size);
    if (!desc->usage || (desc->usage & ~known))
        return cn_error_set(error, CN_ERROR_UNSUPPORTED, "the buffer %s cannot have the usages %x",
                            name, (unsigned)desc->usage);
    return true;
}

static CnGpuBuffer make_buffer(CnGpu *gpu, const CnGpuBufferDesc *desc, CnGpuHeap heap,
                               uint64_t offset, CnError *error)
{
    CnGpuBuffer none = {0}, made = {0};
    if (!check_buffer(gpu, desc, error))
        return none;
    CniGpuBuffer *buffer =
        cni_gpu_acquire_slot(gpu, CNI_GPU_OBJECT_BUFFER, desc->name, &made.id, error);
    if (!buffer)
        return none;
    buffer->desc = *desc;
    buffer->accesses = CNI_GPU_ACCESS_BIT(CN_GPU_ACCESS_NONE);
    if (gpu->backend->buffer_create(gpu, buffer, find_heap(gpu, heap), offset, error)) {
        buffer->heap = heap;
        count_resident(gpu, heap, 1);
        return made;
    }
    cn_slot_table_release(&gpu->tables[CNI_GPU_OBJECT_BUFFER], cn_slot_index(made.id));
    return none;
}

CnGpuBuffer cn_gpu_buffer_create(CnGpu *gpu, const CnGpuBufferDesc *desc, CnError *error)
{
    CN_ASSERT(gpu, "%s: gpu is NULL", __func__);
    return make_buffer(gpu, desc, (CnGpuHeap){0}, 0, error);
}

void cn_gpu_buffer_destroy(CnGpu *gpu, CnGpuBuffer buffer)
{
    const CniGpuBuffer *found = cni_gpu_buffer(gpu, buffer);
    if (found)
        count_resident(gpu, found->heap, -1);
    cni_gpu_defer_destroy(gpu, CNI_GPU_OBJECT_BUFFER, buffer.id);
}

void *cn_gpu_buffer_data(CnGpu *gpu, CnGpuBuffer buffer)
{
    CN_ASSERT(gpu, "%s: gpu is NULL", __func__);
    const CniGpuBuffer *found = cni_gpu_buffer(gpu, buffer);
    if (!found || !found->mapped) {
        cni_gpu_wrong_call(gpu, "buffer_data: %s",
                           found ? "the buffer is in device memory" : "the handle is stale");
        return NULL;
    }
    return found->mapped;
}

uint64_t cn_gpu_buffer_size(const CnGpu *gpu, CnGpuBuffer buffer)
{
    CN_ASSERT(gpu, "%s: gpu is NULL", __func__);
    const CniGpuBuffer *found = cni_gpu_buffer(gpu, buffer);
    CN_ASSERT(found, "the buffer handle is stale");
    return found ? found->desc.size : 0;
}

uint64_t cn_gpu_buffer_address(const CnGpu *gpu, CnGpuBuffer buffer)
{
    CN_ASSERT(gpu, "%s: gpu is NULL", __func__);
    const CniGpuBuffer *found = cni_gpu_buffer(gpu, buffer);
    CN_ASSERT(found && (found->desc.usage & CN_GPU_USE_STORAGE),
              "only storage buffers have an address");
    return found ? found->address : 0;
}

/* ---- Textures ---- */

static uint32_t all_mips(const CnGpuTextureDesc *desc)
{
    uint32_t largest = desc->width > desc->height ? desc->width : desc->height, mips = 1;
    if (desc->depth > largest)
        largest = desc->depth;
    while (largest >>= 1)
        mips++;
    return mips;
}

static CnGpuTextureDesc complete(const CnGpuTextureDesc *desc)
{
    CnGpuTextureDesc all = *desc;
    all.depth = all.depth ? all.depth : 1;
    all.layers = all.layers ? all.layers : (all.cube ? 6 : 1);
    all.mips = all.mips ? all.mips : 1;
    if (all.mips == CN_GPU_ALL_MIPS)
        all.mips = all_mips(&all);
    all.name = all.name ? all.name : "unnamed";
    return all;
}

/* Checks a description with defaults filled in. */
static bool check_texture(CnGpu *gpu, const CnGpuTextureDesc *desc, CnError *error)
{
    const uint32_t known = CN_GPU_USE_COPY_FROM | CN_GPU_USE_COPY_TO | CN_GPU_USE_STORAGE |
                           CN_GPU_USE_SAMPLED | CN_GPU_USE_ATTACHMENT;
    uint32_t max = gpu->info.max_texture_size;
    if (gpu->is_lost)
        return cni_gpu_error_device_lost(error);
    if (desc->format <= CN_GPU_FORMAT_NONE || desc->format >= CN_GPU_FORMAT_COUNT ||
        desc->format == CN_GPU_FORMAT_RGB32F)
        return cn_error_set(
            error, CN_ERROR_UNSUPPORTED, "the texture %s cannot have the format %s", desc->name,
            desc->format == CN_GPU_FORMAT_RGB32F ? "rgb32f" : "that does not exist");
    if (!desc->width || !desc->height || desc->width > max || desc->height > max ||
        desc->depth > max || desc->layers > max)
        return cn_error_set(
            error, CN_ERROR_LIMIT,
            "the texture %s cannot have the size %u x %u x %u, %u layers; at most %u", desc->name,
            desc->width, desc->height, desc->depth, desc->layers, max);
    if (desc->mips > all_mips(desc))
        return cn_error_set(error, CN_ERROR_LIMIT,
                            "the texture %s has %u mips, but %u x %u allows only %u", desc->name,
                            desc->mips, desc->width, desc->height, all_mips(desc));
    if (desc->depth > 1 && (desc->layers > 1 || desc->cube || cn_gpu_format_is_depth(desc->format)))
        return cn_error_set(error, CN_ERROR_UNSUPPORTED,
                            "the volume %s cannot have layers, cube faces or a depth format",
                            desc->name);
    if (desc->cube && (desc->layers % 6 || desc->width != desc->height))
        return cn_error_set(error, CN_ERROR_UNSUPPORTED,
                            "the cube %s needs square faces and a multiple of 6 layers",
                            desc->name);
    if (!desc->usage || (desc->usage & ~known))
        return cn_error_set(error, CN_ERROR_UNSUPPORTED, "the texture %s cannot have the usages %x",
                            desc->name, (unsigned)desc->usage);
    return true;
}

static bool init_texture(CnGpu *gpu, CniGpuTexture *texture, const CnGpuTextureDesc *desc)
{
    uint32_t count = desc->mips * desc->layers;
    texture->desc = *desc;
    texture->desc.name = NULL;
    cn_array_init(&texture->views, gpu->allocator);
    texture->accesses = cn_alloc(gpu->allocator, count * sizeof *texture->accesses);
    if (!texture->accesses)
        return false;
    for (uint32_t i = 0; i < count; i++)
        texture->accesses[i] = CNI_GPU_ACCESS_BIT(CN_GPU_ACCESS_NONE);
    return true;
}

static CnGpuTexture make_texture(CnGpu *gpu, const CnGpuTextureDesc *desc, CnGpuHeap heap,
                                 uint64_t offset, CnError *error)
{
    CnGpuTexture none = {0}, made = {0};
    CnGpuTextureDesc all = complete(desc);
    if (!check_texture(gpu, &all, error))
        return none;
    CniGpuTexture *texture =
        cni_gpu_acquire_slot(gpu, CNI_GPU_OBJECT_TEXTURE, desc->name, &made.id, error);
    if (!texture)
        return none;
    if (!init_texture(gpu, texture, &all)) {
        cn_error_memory(error, "%s", all.name);
    } else if (gpu->backend->texture_create(gpu, texture, find_heap(gpu, heap), offset, error)) {
        texture->heap = heap;
        count_resident(gpu, heap, 1);
        return made;
    }
    fini_texture(gpu, texture);
    cn_slot_table_release(&gpu->tables[CNI_GPU_OBJECT_TEXTURE], cn_slot_index(made.id));
    return none;
}

CnGpuTexture cn_gpu_texture_create(CnGpu *gpu, const CnGpuTextureDesc *desc, CnError *error)
{
    CN_ASSERT(gpu, "%s: gpu is NULL", __func__);
    return make_texture(gpu, desc, (CnGpuHeap){0}, 0, error);
}

CniGpuTexture *cni_gpu_swapchain_texture(CnGpu *gpu, const CnGpuTextureDesc *desc,
                                         CnGpuTexture *made)
{
    CnGpuTextureDesc all = complete(desc);
    CniGpuTexture *texture =
        cni_gpu_acquire_slot(gpu, CNI_GPU_OBJECT_TEXTURE, desc->name, &made->id, NULL);
    if (!texture)
        return NULL;
    texture->is_window = true;
    if (init_texture(gpu, texture, &all))
        return texture;
    fini_texture(gpu, texture);
    cn_slot_table_release(&gpu->tables[CNI_GPU_OBJECT_TEXTURE], cn_slot_index(made->id));
    return NULL;
}

void cn_gpu_texture_destroy(CnGpu *gpu, CnGpuTexture texture)
{
    const CniGpuTexture *found = cni_gpu_texture(gpu, texture);
    if (found && found->is_window) {
        cni_gpu_wrong_call(gpu, "texture_destroy: the texture belongs to the swapchain");
        return;
    }
    if (found)
        count_resident(gpu, found->heap, -1);
    cni_gpu_defer_destroy(gpu, CNI_GPU_OBJECT_TEXTURE, texture.id);
}

CnGpuTextureDesc cn_gpu_texture_desc(const CnGpu *gpu, CnGpuTexture texture)
{
    CN_ASSERT(gpu, "%s: gpu is NULL", __func__);
    const CniGpuTexture *found = cni_gpu_texture(gpu, texture);
    CN_ASSERT(found, "the texture handle is stale");
    if (!found)
        return (CnGpuTextureDesc){0};
    CnGpuTextureDesc desc = found->desc;
    desc.name = found->slot.name;
    return desc;
}

/* ---- Samplers ---- */

static bool is_same_sampler(const CnGpuSamplerDesc *a, const CnGpuSamplerDesc *b)
{
    return a->filter == b->filter && a->mip_filter == b->mip_filter && a->wrap == b->wrap &&
           a->compare == b->compare && a->anisotropy == b->anisotropy && a->wrap_v == b->wrap_v &&
           a->magnify_filter == b->magnify_filter;
}

CnGpuSampler cn_gpu_sampler_get(CnGpu *gpu, const CnGpuSamplerDesc *desc, CnError *error)
{
    CN_ASSERT(gpu, "%s: gpu is NULL", __func__);
    CN_ASSERT(desc, "%s: desc is NULL", __func__);
    CnGpuSampler none = {0}, made = {0};
    CnSlotTable *table = &gpu->tables[CNI_GPU_OBJECT_SAMPLER];
    CnGpuSamplerDesc wanted = *desc;
    if (!wanted.has_wrap_v)
        wanted.wrap_v = wanted.wrap;
    if (!wanted.has_magnify_filter)
        wanted.magnify_filter = wanted.filter;
    wanted.has_wrap_v = wanted.has_magnify_filter = true;
    if ((uint32_t)desc->filter > CN_GPU_LINEAR || (uint32_t)desc->mip_filter > CN_GPU_LINEAR ||
        (uint32_t)wanted.magnify_filter > CN_GPU_LINEAR || (uint32_t)desc->wrap > CN_GPU_MIRROR ||
        (uint32_t)wanted.wrap_v > CN_GPU_MIRROR || (uint32_t)desc->compare > CN_GPU_ALWAYS) {
        cn_error_set(error, CN_ERROR_UNSUPPORTED,
                     "invalid sampler: filters %d, %d and %d, wrap modes %d and %d, comparison %d",
                     (int)desc->filter, (int)desc->mip_filter, (int)wanted.magnify_filter,
                     (int)desc->wrap, (int)wanted.wrap_v, (int)desc->compare);
        return none;
    }
    if (!(wanted.anisotropy > 1.0f))
        wanted.anisotropy = 1.0f;
    if (wanted.anisotropy > gpu->info.max_anisotropy)
        wanted.anisotropy = gpu->info.max_anisotropy;
    for (uint32_t i = 0; i < table->count; i++) {
        const CniGpuSampler *other = cn_slot_table_at(table, i);
        if (other->slot.table.is_live && is_same_sampler(&other->desc, &wanted))
            return (CnGpuSampler){cn_slot_table_id(table, i)};
    }
    if (gpu->is_lost) {
        cni_gpu_error_device_lost(error);
        return none;
    }
    CniGpuSampler *sampler =
        cni_gpu_acquire_slot(gpu, CNI_GPU_OBJECT_SAMPLER, "sampler", &made.id, error);
    if (!sampler)
        return none;
    sampler->desc = wanted;
    if (gpu->backend->sampler_create(gpu, sampler, error))
        return made;
    cn_slot_table_release(table, cn_slot_index(made.id));
    return none;
}

/* ---- Heaps ---- */

CnGpuMemoryRequirements cn_gpu_texture_memory_requirements(CnGpu *gpu, const CnGpuTextureDesc *desc)
{
    CN_ASSERT(gpu, "%s: gpu is NULL", __func__);
    CnGpuMemoryRequirements need = {0};
    CnGpuTextureDesc all = complete(desc);
    if (check_texture(gpu, &all, NULL))
        gpu->backend->texture_memory_requirements(gpu, &all, &need);
    return need;
}

CnGpuMemoryRequirements cn_gpu_buffer_memory_requirements(CnGpu *gpu, const CnGpuBufferDesc *desc)
{
    CN_ASSERT(gpu, "%s: gpu is NULL", __func__);
    CnGpuMemoryRequirements need = {0};
    if (check_buffer(gpu, desc, NULL))
        gpu->backend->buffer_memory_requirements(gpu, desc, &need);
    return need;
}

CnGpuHeap cn_gpu_heap_create(CnGpu *gpu, const CnGpuHeapDesc *desc, CnError *error)
{
    CN_ASSERT(gpu && desc, "heap_create: the device or the description is NULL");
    CnGpuHeap none = {0}, made = {0};
    if (gpu->is_lost) {
        cni_gpu_error_device_lost(error);
        return none;
    }
    if (!desc->size || desc->size > MAX_BUFFER_BYTES) {
        cn_error_set(error, CN_ERROR_LIMIT, "the heap %s cannot have %llu bytes",
                     desc->name ? desc->name : "unnamed", (unsigned long long)desc->size);
        return none;
    }
    CniGpuHeap *heap = cni_gpu_acquire_slot(gpu, CNI_GPU_OBJECT_HEAP, desc->name, &made.id, error);
    if (!heap)
        return none;
    CniGpuMemoryRequest need = gpu->backend->heap_memory_request(gpu, desc->size);
    if (cni_gpu_memory_alloc(gpu, &need, heap->slot.name, &heap->memory, error))
        return made;
    cn_slot_table_release(&gpu->tables[CNI_GPU_OBJECT_HEAP], cn_slot_index(made.id));
    return none;
}

void cn_gpu_heap_destroy(CnGpu *gpu, CnGpuHeap heap)
{
    const CniGpuHeap *found = find_heap(gpu, heap);
    if (found && found->residents) {
        cni_gpu_wrong_call(gpu, "heap_destroy: %u resources are still in %s", found->residents,
                           found->slot.name);
        return;
    }
    cni_gpu_defer_destroy(gpu, CNI_GPU_OBJECT_HEAP, heap.id);
}

/* Checks that the resource fits into the heap at the offset. */
static bool check_place(CnGpu *gpu, CnGpuHeap heap, CnGpuMemoryRequirements need, uint64_t offset,
                        const char *name, CnError *error)
{
    const CniGpuHeap *found = find_heap(gpu, heap);
    name = name ? name : "unnamed";
    if (!found) {
        cn_error_set(error, CN_ERROR_NOT_FOUND, "the heap for %s is stale", name);
        return cni_gpu_wrong_call(gpu, "%s: the heap is stale", name);
    }
    if (!need.size)
        return cn_error_set(error, CN_ERROR_UNSUPPORTED,
                            "%s cannot be created on this GPU as described", name);
    if (offset % need.alignment == 0 && offset <= found->memory.size &&
        need.size <= found->memory.size - offset)
        return true;
    return cn_error_set(error, CN_ERROR_LIMIT, "%s does not fit into the heap %s at %llu", name,
                        found->slot.name, (unsigned long long)offset);
}

CnGpuTexture cn_gpu_texture_create_in(CnGpu *gpu, const CnGpuTextureDesc *desc, CnGpuHeap heap,
                                      uint64_t offset, CnError *error)
{
    CN_ASSERT(gpu, "%s: gpu is NULL", __func__);
    CN_ASSERT(desc, "%s: desc is NULL", __func__);
    CnGpuMemoryRequirements need = cn_gpu_texture_memory_requirements(gpu, desc);
    if (!check_place(gpu, heap, need, offset, desc->name, error))
        return (CnGpuTexture){0};
    return make_texture(gpu, desc, heap, offset, error);
}

CnGpuBuffer cn_gpu_buffer_create_in(CnGpu *gpu, const CnGpuBufferDesc *desc, CnGpuHeap heap,
                                    uint64_t offset, CnError *error)
{
    CN_ASSERT(gpu, "%s: gpu is NULL", __func__);
    CN_ASSERT(desc, "%s: desc is NULL", __func__);
    CnGpuMemoryRequirements need = cn_gpu_buffer_memory_requirements(gpu, desc);
    if (!check_place(gpu, heap, need, offset, desc->name, error))
        return (CnGpuBuffer){0};
    return make_buffer(gpu, desc, heap, offset, error);
}
