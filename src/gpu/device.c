/* The CnGpu itself: choice of the backend, tables, statistics, invalid calls. */
#include "gpu/gpu_internal.h"

#include <cairn/base/assert.h>
#include <cairn/base/log.h>
#include <cairn/base/text.h>

#include <stdlib.h>

#define DEFAULT_UPLOAD_BYTES (16ull << 20)
#define MAX_UPLOAD_BYTES (1ull << 30)
#define LOGGED_WRONG_CALLS 20u

bool cni_gpu_wrong_call(CnGpu *gpu, const char *format, ...)
{
    char text[512];
    va_list arguments;
    va_start(arguments, format);
    cn_format_v(text, sizeof text, format, arguments);
    va_end(arguments);
    if (gpu->wrong_calls++ < LOGGED_WRONG_CALLS)
        CN_LOG_ERROR("gpu", "invalid call: %s", text);
    CN_ASSERT(false, "%s", text);
    return false;
}

bool cni_gpu_error_device_lost(CnError *error)
{
    return cn_error_set(error, CN_ERROR_IO,
                        "the GPU is lost; destroy the CnGpu and create another");
}

static void init_tables(CnGpu *gpu)
{
    static const size_t bytes[CNI_GPU_OBJECT_KIND_COUNT] = {
        [CNI_GPU_OBJECT_BUFFER] = sizeof(CniGpuBuffer),
        [CNI_GPU_OBJECT_TEXTURE] = sizeof(CniGpuTexture),
        [CNI_GPU_OBJECT_SAMPLER] = sizeof(CniGpuSampler),
        [CNI_GPU_OBJECT_HEAP] = sizeof(CniGpuHeap),
        [CNI_GPU_OBJECT_PIPELINE] = sizeof(CniGpuPipeline),
    };
    for (uint32_t i = 0; i < CNI_GPU_OBJECT_KIND_COUNT; i++)
        cn_slot_table_init(&gpu->tables[i], gpu->allocator, bytes[i], CN_SLOT_MAX_COUNT);
    cn_array_init(&gpu->deferred_destroys, gpu->allocator);
    cn_array_init(&gpu->blocks, gpu->allocator);
}

static bool copy_desc(CnGpu *gpu, const CnGpuDesc *desc, CnError *error)
{
    if (desc->window)
        gpu->window = *desc->window;
    if ((uint32_t)desc->vsync > CN_VSYNC_MAILBOX)
        return cn_error_set(error, CN_ERROR_NOT_FOUND, "there is no vsync mode %d",
                            (int)desc->vsync);
    gpu->vsync = desc->vsync;
    gpu->upload_bytes = desc->upload_bytes ? desc->upload_bytes : DEFAULT_UPLOAD_BYTES;
    if (gpu->upload_bytes > MAX_UPLOAD_BYTES)
        return cn_error_set(error, CN_ERROR_LIMIT, "upload memory is limited to 1 GiB per frame");
    gpu->cache = desc->cache;
    return true;
}

static bool make_backend(CnGpu *gpu, const CnGpuDesc *desc, CnError *error)
{
    CnGpuDesc chosen = *desc;
    const char *requested = getenv("CAIRN_GPU");
    if (requested && requested[0])
        chosen.device = requested;
    if (desc->backend == CN_GPU_NULL ||
        (desc->backend == CN_GPU_DEFAULT && chosen.device && !strcmp(chosen.device, "null")))
        return cni_gpu_null_create(gpu, error);
    const char *validation = getenv("CAIRN_GPU_VALIDATION");
    if (validation && validation[0] && strcmp(validation, "0"))
        chosen.validation = true;
    return cni_gpu_vulkan_create(gpu, &chosen, error);
}

static bool make_upload(CnGpu *gpu, CnError *error)
{
    uint64_t aligned = gpu->info.bind_alignment - 1;
    gpu->upload_bytes = (gpu->upload_bytes + aligned) & ~aligned;
    gpu->upload = cn_gpu_buffer_create(
        gpu,
        &(CnGpuBufferDesc){.name = "upload",
                           .size = gpu->upload_bytes * CN_GPU_FRAMES,
                           .usage = CN_GPU_USE_COPY_FROM | CN_GPU_USE_STORAGE | CN_GPU_USE_UNIFORM |
                                    CN_GPU_USE_VERTEX | CN_GPU_USE_INDIRECT,
                           .memory = CN_GPU_MEMORY_UPLOAD},
        error);
    return gpu->upload.id != 0;
}

CnGpu *cn_gpu_create(const CnGpuDesc *desc, CnError *error)
{
    CN_ASSERT(desc, "%s: desc is NULL", __func__);
    CnGpu *gpu = cn_alloc_zeroed(desc->allocator, sizeof *gpu);
    if (!gpu) {
        cn_error_memory(error, "a GPU");
        return NULL;
    }
    gpu->allocator = desc->allocator;
    gpu->commands.gpu = gpu;
    init_tables(gpu);
    if (!copy_desc(gpu, desc, error) || !make_backend(gpu, desc, error) ||
        !make_upload(gpu, error)) {
        cn_gpu_destroy(gpu);
        return NULL;
    }
#ifdef CN_GUARDS
    gpu->is_strict = true;
#else
    gpu->is_strict = gpu->null != NULL;
#endif
    return gpu;
}

/* Names resources that the program has not destroyed; they are freed with the rest. */
static void report_leaks(const CnGpu *gpu)
{
    static const char *const kinds[CNI_GPU_OBJECT_KIND_COUNT] = {"buffer", "texture", "sampler",
                                                                 "heap", "pipeline"};
    for (uint32_t kind = 0; kind < CNI_GPU_OBJECT_KIND_COUNT; kind++) {
        const CnSlotTable *table = &gpu->tables[kind];
        for (uint32_t i = 0; i < table->count && kind != CNI_GPU_OBJECT_SAMPLER; i++) {
            const CniGpuHandleSlot *slot = cn_slot_table_at(table, i);
            bool is_ours =
                kind == CNI_GPU_OBJECT_TEXTURE && ((const CniGpuTexture *)slot)->is_window;
            if (slot->table.is_live && !is_ours)
                CN_LOG_WARNING("gpu", "the %s %s was not destroyed", kinds[kind], slot->name);
        }
    }
}

static void destroy_everything(CnGpu *gpu)
{
    if (gpu->upload.id)
        cn_gpu_buffer_destroy(gpu, gpu->upload);
    report_leaks(gpu);
    cni_gpu_process_deferred_destroys(gpu, UINT64_MAX);
    /* Heaps are destroyed after the resources in them. */
    static const CniGpuObjectKind order[CNI_GPU_OBJECT_KIND_COUNT] = {
        CNI_GPU_OBJECT_BUFFER, CNI_GPU_OBJECT_TEXTURE, CNI_GPU_OBJECT_PIPELINE,
        CNI_GPU_OBJECT_SAMPLER, CNI_GPU_OBJECT_HEAP};
    for (uint32_t k = 0; k < CNI_GPU_OBJECT_KIND_COUNT; k++) {
        CnSlotTable *table = &gpu->tables[order[k]];
        for (uint32_t i = 0; i < table->count; i++) {
            if (((CnSlot *)cn_slot_table_at(table, i))->is_used)
                cni_gpu_destroy_now(gpu, order[k], i);
        }
    }
}

void cn_gpu_destroy(CnGpu *gpu)
{
    if (!gpu)
        return;
    if (gpu->backend) {
        gpu->backend->wait(gpu, NULL);
        if (gpu->cache && !gpu->is_lost)
            gpu->backend->save_pipelines(gpu, NULL);
        destroy_everything(gpu);
        cni_gpu_memory_fini(gpu);
        gpu->backend->destroy(gpu);
    }
    for (uint32_t i = 0; i < CNI_GPU_OBJECT_KIND_COUNT; i++)
        cn_slot_table_fini(&gpu->tables[i]);
    cn_array_fini(&gpu->deferred_destroys);
    cn_array_fini(&gpu->blocks);
    cn_free(gpu->allocator, gpu, sizeof *gpu);
}

CnGpuInfo cn_gpu_info(const CnGpu *gpu)
{
    CN_ASSERT(gpu, "%s: gpu is NULL", __func__);
    return gpu->info;
}

bool cn_gpu_list(void (*visit)(const CnGpuInfo *info, void *user), void *user, CnError *error)
{
    return cni_gpu_vulkan_list(visit, user, error);
}

CnGpuStats cn_gpu_stats(const CnGpu *gpu)
{
    CN_ASSERT(gpu, "%s: gpu is NULL", __func__);
    return (CnGpuStats){
        .used_bytes = gpu->used_bytes,
        .reserved_bytes = gpu->reserved_bytes,
        .buffers = gpu->tables[CNI_GPU_OBJECT_BUFFER].live,
        .textures = gpu->tables[CNI_GPU_OBJECT_TEXTURE].live,
        .pipelines = gpu->tables[CNI_GPU_OBJECT_PIPELINE].live,
        .samplers = gpu->tables[CNI_GPU_OBJECT_SAMPLER].live,
        .heaps = gpu->tables[CNI_GPU_OBJECT_HEAP].live,
        .blocks = gpu->block_count,
        .frames = gpu->frame,
        .upload_bytes = gpu->last_upload_bytes,
        .draw_calls = gpu->last_draw_calls,
        .upload_refused = gpu->upload_refused,
        .timers_refused = gpu->timers_refused,
        .wrong_calls = gpu->wrong_calls,
        .validation_messages = atomic_load(&gpu->validation_messages),
    };
}
