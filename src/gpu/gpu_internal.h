/*
 * Internals shared by the files of gpu. The front end (device.c, frame.c, resource.c, record_*.c
 * ...) keeps the tables, checks every call and tracks accesses; a backend does the rest, through
 * CniGpuBackend. A backend is never called with a stale handle or in a wrong state.
 */
#ifndef CAIRN_SRC_GPU_GPU_INTERNAL_H
#define CAIRN_SRC_GPU_GPU_INTERNAL_H

#include "gpu/suballocator.h"

#include <cairn/base/array.h>
#include <cairn/base/slot_table.h>
#include <cairn/gpu.h>

#include <stdatomic.h>

typedef struct CniGpuVulkanDevice CniGpuVulkanDevice;
typedef struct CniGpuNullDevice CniGpuNullDevice;
typedef struct CniGpuBackend CniGpuBackend;

#define CNI_GPU_ACCESS_BIT(access) (1u << (access))

/* A range of a block. */
typedef struct CniGpuAllocation {
    uint32_t block; /* index + 1; 0: none */
    uint32_t segment;
    uint64_t offset, size;
} CniGpuAllocation;

/* Resources of different tiling must not share a page (bufferImageGranularity). */
typedef enum CniGpuTiling { CNI_GPU_TILING_LINEAR, CNI_GPU_TILING_OPTIMAL } CniGpuTiling;

typedef struct CniGpuMemoryBlock {
    struct VkDeviceMemory_T *vk;
    uint8_t *mapped;
    uint64_t size;
    uint32_t type;
    CniGpuTiling tiling;
    bool is_used;  /* the entry is in use */
    bool is_whole; /* dedicated to one resource or heap */
    CniGpuSuballocator segments;
} CniGpuMemoryBlock;

typedef struct CniGpuMemoryRequest {
    uint64_t size, alignment;
    uint32_t types; /* bits */
    CnGpuMemory memory;
    CniGpuTiling tiling;
    bool whole; /* requests a dedicated block, for: */
    struct VkBuffer_T *vk_buffer;
    struct VkImage_T *vk_image;
} CniGpuMemoryRequest;

#define CNI_GPU_NAME_BYTES 48u

/* The first member of everything that has an id. What is destroyed keeps its slot until the GPU has
 * finished with it. */
typedef struct CniGpuHandleSlot {
    CnSlot table;
    char name[CNI_GPU_NAME_BYTES];
} CniGpuHandleSlot;

typedef struct CniGpuBuffer {
    CniGpuHandleSlot slot;
    CnGpuBufferDesc desc;
    CniGpuAllocation memory;
    uint8_t *mapped;
    uint64_t address;
    uint32_t accesses; /* bits of CnGpuAccess that the last barriers allow */
    CnGpuHeap heap;    /* that contains it; null: memory of its own */
    struct VkBuffer_T *vk;
} CniGpuBuffer;

typedef struct CniGpuImageView {
    uint64_t key;
    struct VkImageView_T *vk;
} CniGpuImageView;

typedef struct CniGpuTexture {
    CniGpuHandleSlot slot;
    CnGpuTextureDesc desc; /* with defaults filled in */
    CniGpuAllocation memory;
    uint16_t *accesses; /* bits, by layer * mips + mip */
    CnGpuHeap heap;
    bool is_window; /* belongs to the swapchain */
    struct VkImage_T *vk;
    CN_ARRAY(CniGpuImageView) views;
} CniGpuTexture;

typedef struct CniGpuSampler {
    CniGpuHandleSlot slot;
    CnGpuSamplerDesc desc;
    struct VkSampler_T *vk;
} CniGpuSampler;

typedef struct CniGpuHeap {
    CniGpuHandleSlot slot;
    CniGpuAllocation memory;
    uint32_t residents; /* live resources in the heap */
} CniGpuHeap;

typedef struct CniGpuPipeline {
    CniGpuHandleSlot slot;
    bool is_compute;
    CnGpuBindingKind bindings[CN_GPU_MAX_BINDINGS];
    uint32_t binding_count;
    uint32_t constants;
    CnGpuFormat color[CN_GPU_MAX_COLORS];
    CnGpuFormat depth;
    bool depth_write;
    struct VkPipeline_T *vk;
    struct VkPipelineLayout_T *vk_layout;
    struct VkDescriptorSetLayout_T *vk_set;
} CniGpuPipeline;

typedef enum CniGpuObjectKind {
    CNI_GPU_OBJECT_BUFFER,
    CNI_GPU_OBJECT_TEXTURE,
    CNI_GPU_OBJECT_SAMPLER,
    CNI_GPU_OBJECT_HEAP,
    CNI_GPU_OBJECT_PIPELINE,
    CNI_GPU_OBJECT_KIND_COUNT
} CniGpuObjectKind;

/* A resource that the program destroyed, but that the GPU may still use. */
typedef struct CniGpuDeferredDestroy {
    uint64_t frame; /* the last that may use it */
    CniGpuObjectKind kind;
    uint32_t index;
} CniGpuDeferredDestroy;

/* The resource bound at one number. */
typedef struct CniGpuBoundResource {
    CnGpuBindingKind kind;
    CnGpuBuffer buffer;
    CnGpuTexture texture;
    CnGpuSampler sampler;
    uint32_t mip, mip_count;
    uint64_t offset, size;
} CniGpuBoundResource;

typedef struct CniGpuTimer {
    char name[CNI_GPU_NAME_BYTES];
    bool is_open;
} CniGpuTimer;

/* Data of a frame that is kept after recording, until the frame is complete. */
typedef struct CniGpuFrame {
    uint64_t number; /* 0: none, or its timers were read */
    CniGpuTimer timers[CN_GPU_MAX_TIMERS];
    uint32_t timer_count;
} CniGpuFrame;

struct CnGpuCommands {
    CnGpu *gpu;
    bool is_recording;
    bool is_rendering;
    CnGpuRendering rendering;
    uint32_t color_count;
    CnGpuPipeline pipeline;
    bool pipeline_fits; /* the rendering; checked once */
    CniGpuBoundResource bindings[CN_GPU_MAX_BINDINGS];
    uint32_t dirty; /* bits of bindings that were not passed to the backend yet */
    uint32_t constant_bytes;
    CnGpuBuffer indices;
    uint64_t index_offset;
    uint32_t label_depth;
    uint64_t upload_used;
    uint64_t draw_calls;
};

struct CnGpu {
    CnAllocator *allocator;
    const CniGpuBackend *backend;
    CniGpuVulkanDevice *vulkan;
    CniGpuNullDevice *null;
    CnGpuInfo info;
    bool is_strict; /* checks the accesses of resources that commands use */
    bool is_lost;
    CnGpuWindow window; /* without a size function: headless */
    CnVsync vsync;
    CnCache *cache; /* may be NULL */

    CnSlotTable tables[CNI_GPU_OBJECT_KIND_COUNT];
    CN_ARRAY(CniGpuDeferredDestroy)
    deferred_destroys; /* oldest first; has room for everything that is alive */
    CN_ARRAY(CniGpuMemoryBlock) blocks;
    uint64_t block_bytes; /* size of a regular block */
    uint64_t used_bytes, reserved_bytes;
    uint32_t block_count;

    uint64_t frame; /* being recorded, or the last one */
    CnGpuCommands commands;
    CniGpuFrame frames[CN_GPU_FRAMES];
    CnGpuTiming timings[CN_GPU_MAX_TIMERS];
    char timing_names[CN_GPU_MAX_TIMERS][CNI_GPU_NAME_BYTES];
    uint32_t timing_count;
    uint64_t timings_frame;

    CnGpuBuffer upload;
    uint64_t upload_bytes;       /* per frame */
    CnGpuTexture window_texture; /* of this frame */

    uint64_t last_upload_bytes, last_draw_calls, upload_refused, timers_refused, wrong_calls;
    _Atomic uint64_t validation_messages; /* layers may call from driver threads */
};

#define CNI_GPU_BARRIER_BATCH 32u /* the most that a backend receives at once */

/* A validated barrier, with what it waits for and with its ranges filled in. */
typedef struct CniGpuBarrier {
    CniGpuTexture *texture; /* either a texture or a buffer */
    CniGpuBuffer *buffer;
    uint32_t before; /* bits of accesses to wait for */
    CnGpuAccess after;
    CnGpuAccess layout; /* an access with the old layout; none: the contents are discarded */
    uint32_t mip, mip_count, layer, layer_count;
    bool waits_for_all;
} CniGpuBarrier;

typedef struct CniGpuIndirectDraw {
    CniGpuBuffer *buffer, *count_buffer;
    uint64_t offset, count_offset;
    uint32_t count, stride;
    bool indexed;
} CniGpuIndirectDraw;

struct CniGpuBackend {
    void (*destroy)(CnGpu *gpu);
    /* Waits for the frame that used the same slot, and begins to record. */
    bool (*frame_begin)(CnGpu *gpu, CnError *error);
    bool (*frame_end)(CnGpu *gpu, CnError *error);
    bool (*wait)(CnGpu *gpu, CnError *error);
    uint64_t (*frame_done)(const CnGpu *gpu);
    /* Reads `count` timers, in timestamp steps; returns false when they are not available. */
    bool (*read_timers)(CnGpu *gpu, uint32_t frame_slot, uint32_t count, uint64_t (*times)[2]);
    CnGpuTexture (*window_texture)(CnGpu *gpu);
    void (*vsync_changed)(CnGpu *gpu);

    /* Returns the types that a request allows, best first. */
    uint32_t (*memory_types)(const CnGpu *gpu, const CniGpuMemoryRequest *need, uint32_t types[32]);
    uint64_t (*block_bytes)(const CnGpu *gpu, uint32_t type);
    bool (*block_create)(CnGpu *gpu, CniGpuMemoryBlock *block, const CniGpuMemoryRequest *need);
    void (*block_destroy)(CnGpu *gpu, CniGpuMemoryBlock *block);
    CniGpuMemoryRequest (*heap_memory_request)(CnGpu *gpu, uint64_t size);

    bool (*buffer_memory_requirements)(CnGpu *gpu, const CnGpuBufferDesc *desc,
                                       CnGpuMemoryRequirements *need);
    bool (*texture_memory_requirements)(CnGpu *gpu, const CnGpuTextureDesc *desc,
                                        CnGpuMemoryRequirements *need);
    /* With a heap: placed at this offset; otherwise memory is allocated. */
    bool (*buffer_create)(CnGpu *gpu, CniGpuBuffer *buffer, const CniGpuHeap *heap, uint64_t offset,
                          CnError *error);
    bool (*texture_create)(CnGpu *gpu, CniGpuTexture *texture, const CniGpuHeap *heap,
                           uint64_t offset, CnError *error);
    bool (*sampler_create)(CnGpu *gpu, CniGpuSampler *sampler, CnError *error);
    bool (*graphics_create)(CnGpu *gpu, CniGpuPipeline *pipeline, const CnGpuGraphicsDesc *desc,
                            CnError *error);
    bool (*compute_create)(CnGpu *gpu, CniGpuPipeline *pipeline, const CnGpuComputeDesc *desc,
                           CnError *error);
    void (*buffer_destroy)(CnGpu *gpu, CniGpuBuffer *buffer);
    void (*texture_destroy)(CnGpu *gpu, CniGpuTexture *texture);
    void (*sampler_destroy)(CnGpu *gpu, CniGpuSampler *sampler);
    void (*pipeline_destroy)(CnGpu *gpu, CniGpuPipeline *pipeline);
    bool (*save_pipelines)(CnGpu *gpu, CnError *error);

    void (*barriers)(CnGpu *gpu, const CniGpuBarrier *barriers, uint32_t count);
    void (*begin_rendering)(CnGpu *gpu, const CnGpuRendering *rendering, uint32_t color_count);
    void (*end_rendering)(CnGpu *gpu);
    void (*viewport)(CnGpu *gpu, float x, float y, float width, float height);
    void (*scissor)(CnGpu *gpu, int32_t x, int32_t y, uint32_t width, uint32_t height);
    void (*bind_pipeline)(CnGpu *gpu, const CniGpuPipeline *pipeline);
    void (*bind)(CnGpu *gpu, const CniGpuPipeline *pipeline, uint32_t dirty);
    void (*constants)(CnGpu *gpu, const void *data, uint32_t bytes);
    void (*bind_indices)(CnGpu *gpu, const CniGpuBuffer *buffer, uint64_t offset,
                         CnGpuFormat format);
    void (*draw)(CnGpu *gpu, uint32_t vertices, uint32_t instances, uint32_t first_vertex,
                 uint32_t first_instance);
    void (*draw_indexed)(CnGpu *gpu, uint32_t indices, uint32_t instances, uint32_t first_index,
                         int32_t vertex_offset, uint32_t first_instance);
    void (*draw_indirect)(CnGpu *gpu, const CniGpuIndirectDraw *draws);
    void (*dispatch)(CnGpu *gpu, uint32_t x, uint32_t y, uint32_t z);
    void (*dispatch_indirect)(CnGpu *gpu, const CniGpuBuffer *buffer, uint64_t offset);
    void (*copy_buffer)(CnGpu *gpu, const CniGpuBuffer *from, uint64_t from_offset,
                        const CniGpuBuffer *to, uint64_t to_offset, uint64_t size);
    void (*fill_buffer)(CnGpu *gpu, const CniGpuBuffer *buffer, uint64_t offset, uint64_t size,
                        uint32_t value);
    void (*copy_to_texture)(CnGpu *gpu, const CniGpuBuffer *from, const CniGpuTexture *to,
                            const CnGpuRegion *region);
    void (*copy_from_texture)(CnGpu *gpu, const CniGpuTexture *from, const CniGpuBuffer *to,
                              const CnGpuRegion *region);
    void (*blit)(CnGpu *gpu, const CniGpuTexture *from, uint32_t from_mip, const CniGpuTexture *to,
                 uint32_t to_mip, CnGpuFilter filter);
    void (*begin_label)(CnGpu *gpu, const char *name);
    void (*end_label)(CnGpu *gpu);
    /* Records the begin or the end of a timer of this frame. */
    void (*timestamp)(CnGpu *gpu, uint32_t timer, bool is_end);
};

bool cni_gpu_null_create(CnGpu *gpu, CnError *error);
bool cni_gpu_vulkan_create(CnGpu *gpu, const CnGpuDesc *desc, CnError *error);
bool cni_gpu_vulkan_list(void (*visit)(const CnGpuInfo *info, void *user), void *user,
                         CnError *error);

/* Reports an invalid call: fails an assertion, or logs and counts it. Returns false. */
bool cni_gpu_wrong_call(CnGpu *gpu, const char *format, ...) CN_PRINTF_LIKE(2, 3);
/* Fills the error for a lost device. Returns false. */
bool cni_gpu_error_device_lost(CnError *error);

/* ---- resource.c ---- */

static inline CniGpuBuffer *cni_gpu_buffer(const CnGpu *gpu, CnGpuBuffer buffer)
{
    return (CniGpuBuffer *)cn_slot_table_get(&gpu->tables[CNI_GPU_OBJECT_BUFFER], buffer.id);
}
static inline CniGpuTexture *cni_gpu_texture(const CnGpu *gpu, CnGpuTexture texture)
{
    return (CniGpuTexture *)cn_slot_table_get(&gpu->tables[CNI_GPU_OBJECT_TEXTURE], texture.id);
}
static inline CniGpuSampler *cni_gpu_sampler(const CnGpu *gpu, CnGpuSampler sampler)
{
    return (CniGpuSampler *)cn_slot_table_get(&gpu->tables[CNI_GPU_OBJECT_SAMPLER], sampler.id);
}
static inline CniGpuPipeline *cni_gpu_pipeline(const CnGpu *gpu, CnGpuPipeline pipeline)
{
    return (CniGpuPipeline *)cn_slot_table_get(&gpu->tables[CNI_GPU_OBJECT_PIPELINE], pipeline.id);
}

/* Returns a new item of a table, with room to destroy it later; NULL and an error on failure. */
void *cni_gpu_acquire_slot(CnGpu *gpu, CniGpuObjectKind kind, const char *name, uint32_t *id,
                           CnError *error);
/* Invalidates the id; the resource is destroyed when the GPU is done with it. */
void cni_gpu_defer_destroy(CnGpu *gpu, CniGpuObjectKind kind, uint32_t id);
/* Destroys resources whose last possible use was in frames up to `done`. */
void cni_gpu_process_deferred_destroys(CnGpu *gpu, uint64_t done);
/* Creates the texture of a swapchain image, without memory of its own. */
CniGpuTexture *cni_gpu_swapchain_texture(CnGpu *gpu, const CnGpuTextureDesc *desc,
                                         CnGpuTexture *texture);
/* Destroys the resource of a slot immediately: the GPU is done with it. */
void cni_gpu_destroy_now(CnGpu *gpu, CniGpuObjectKind kind, uint32_t index);

static inline uint32_t cni_gpu_mip_size(uint32_t size, uint32_t mip)
{
    return size >> mip ? size >> mip : 1u;
}

/* ---- device_memory.c ---- */

bool cni_gpu_memory_alloc(CnGpu *gpu, const CniGpuMemoryRequest *need, const char *name,
                          CniGpuAllocation *memory, CnError *error);
void cni_gpu_memory_free(CnGpu *gpu, CniGpuAllocation *memory);
/* Frees all blocks; nothing may be left in them. */
void cni_gpu_memory_fini(CnGpu *gpu);
static inline CniGpuMemoryBlock *cni_gpu_memory_block(const CnGpu *gpu,
                                                      const CniGpuAllocation *memory)
{
    return &gpu->blocks.items[memory->block - 1];
}

/* ---- commands.c ---- */

/* Returns true when commands are being recorded, and the rendering state is as `when` requires. */
typedef enum CniGpuRecordScope {
    CNI_GPU_OUTSIDE_RENDERING,
    CNI_GPU_INSIDE_RENDERING,
    CNI_GPU_ANYWHERE
} CniGpuRecordScope;
bool cni_gpu_check_recording(CnGpuCommands *commands, CniGpuRecordScope when, const char *what);
/* Return NULL, after reporting an invalid call, if the handle is stale or lacks the usage. */
CniGpuBuffer *cni_gpu_check_buffer(CnGpuCommands *commands, CnGpuBuffer buffer, uint32_t usage,
                                   const char *what);
CniGpuTexture *cni_gpu_check_texture(CnGpuCommands *commands, CnGpuTexture texture, uint32_t usage,
                                     const char *what);
/* Return whether the last barriers allow this access, and report an invalid call if not. Always
 * true unless the device is strict. */
bool cni_gpu_check_buffer_access(CnGpu *gpu, const CniGpuBuffer *buffer, CnGpuAccess access,
                                 const char *what);
bool cni_gpu_check_texture_access(CnGpu *gpu, const CniGpuTexture *texture, uint32_t mip,
                                  uint32_t mip_count, uint32_t layer, uint32_t layer_count,
                                  CnGpuAccess access, const char *what);

/* ---- access.c ---- */

static inline bool cni_gpu_format_is_integer(CnGpuFormat format)
{
    return format == CN_GPU_FORMAT_R16U || format == CN_GPU_FORMAT_R32U ||
           format == CN_GPU_FORMAT_RG32U || format == CN_GPU_FORMAT_RGBA32U;
}

/* Returns whether the accesses allowed by barriers include this one. */
bool cni_gpu_access_covers(uint32_t accesses, CnGpuAccess access);
/* Returns whether both use a texture in the same layout. */
bool cni_gpu_access_same_layout(CnGpuAccess a, CnGpuAccess b);
/* Returns the usage that a resource needs for the access; 0: none. */
uint32_t cni_gpu_access_usage(CnGpuAccess access, bool is_texture);

#endif
