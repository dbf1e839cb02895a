/*
 * Internals shared by the files of gpu. The front end (device.c, frame.c, resource.c, record_*.c
 * ...) keeps the tables, checks every call and tracks accesses; a backend does the rest, through
 * CniBackend. A backend is never called with a stale handle or in a wrong state.
 */
#ifndef CAIRN_SRC_GPU_GPU_INTERNAL_H
#define CAIRN_SRC_GPU_GPU_INTERNAL_H

#include "gpu/suballocator.h"

#include <cairn/base/array.h>
#include <cairn/base/slot_table.h>
#include <cairn/gpu.h>

#include <stdatomic.h>

typedef struct CniVulkan CniVulkan;
typedef struct CniNull CniNull;
typedef struct CniBackend CniBackend;

#define CNI_ACCESS_BIT(access) (1u << (access))

/* A range of a block. */
typedef struct CniMemory {
    uint32_t block; /* index + 1; 0: none */
    uint32_t segment;
    uint64_t offset, size;
} CniMemory;

/* Resources of different tiling must not share a page (bufferImageGranularity). */
typedef enum CniTiling { CNI_LINEAR, CNI_OPTIMAL } CniTiling;

typedef struct CniBlock {
    struct VkDeviceMemory_T *vk;
    uint8_t *mapped;
    uint64_t size;
    uint32_t type;
    CniTiling tiling;
    bool is_used;  /* the entry is in use */
    bool is_whole; /* dedicated to one resource or heap */
    CniSegments segments;
} CniBlock;

typedef struct CniMemoryNeed {
    uint64_t size, alignment;
    uint32_t types; /* bits */
    CnGpuMemory memory;
    CniTiling tiling;
    bool whole; /* requests a dedicated block, for: */
    struct VkBuffer_T *vk_buffer;
    struct VkImage_T *vk_image;
} CniMemoryNeed;

#define CNI_GPU_NAME_BYTES 48u

/* The first member of everything that has an id. What is destroyed keeps its slot until the GPU has
 * finished with it. */
typedef struct CniGpuSlot {
    CnSlot table;
    char name[CNI_GPU_NAME_BYTES];
} CniGpuSlot;

typedef struct CniBuffer {
    CniGpuSlot slot;
    CnGpuBufferDesc desc;
    CniMemory memory;
    uint8_t *mapped;
    uint64_t address;
    uint32_t accesses; /* bits of CnGpuAccess that the last barriers allow */
    CnGpuHeap heap;    /* that contains it; null: memory of its own */
    struct VkBuffer_T *vk;
} CniBuffer;

typedef struct CniView {
    uint64_t key;
    struct VkImageView_T *vk;
} CniView;

typedef struct CniTexture {
    CniGpuSlot slot;
    CnGpuTextureDesc desc; /* with defaults filled in */
    CniMemory memory;
    uint16_t *accesses; /* bits, by layer * mips + mip */
    CnGpuHeap heap;
    bool is_window; /* belongs to the swapchain */
    struct VkImage_T *vk;
    CN_ARRAY(CniView) views;
} CniTexture;

typedef struct CniSampler {
    CniGpuSlot slot;
    CnGpuSamplerDesc desc;
    struct VkSampler_T *vk;
} CniSampler;

typedef struct CniHeap {
    CniGpuSlot slot;
    CniMemory memory;
    uint32_t residents; /* live resources in the heap */
} CniHeap;

typedef struct CniPipeline {
    CniGpuSlot slot;
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
} CniPipeline;

typedef enum CniKind {
    CNI_BUFFER,
    CNI_TEXTURE,
    CNI_SAMPLER,
    CNI_HEAP,
    CNI_PIPELINE,
    CNI_KINDS
} CniKind;

/* A resource that the program destroyed, but that the GPU may still use. */
typedef struct CniDying {
    uint64_t frame; /* the last that may use it */
    CniKind kind;
    uint32_t index;
} CniDying;

/* The resource bound at one number. */
typedef struct CniBinding {
    CnGpuBindingKind kind;
    CnGpuBuffer buffer;
    CnGpuTexture texture;
    CnGpuSampler sampler;
    uint32_t mip, mip_count;
    uint64_t offset, size;
} CniBinding;

typedef struct CniTimer {
    char name[CNI_GPU_NAME_BYTES];
    bool is_open;
} CniTimer;

/* Data of a frame that is kept after recording, until the frame is complete. */
typedef struct CniFrame {
    uint64_t number; /* 0: none, or its timers were read */
    CniTimer timers[CN_GPU_MAX_TIMERS];
    uint32_t timer_count;
} CniFrame;

struct CnGpuCommands {
    CnGpu *gpu;
    bool is_recording;
    bool is_rendering;
    CnGpuRendering rendering;
    uint32_t color_count;
    CnGpuPipeline pipeline;
    bool pipeline_fits; /* the rendering; checked once */
    CniBinding bindings[CN_GPU_MAX_BINDINGS];
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
    const CniBackend *backend;
    CniVulkan *vulkan;
    CniNull *null;
    CnGpuInfo info;
    bool is_strict; /* checks the accesses of resources that commands use */
    bool is_lost;
    CnGpuWindow window; /* without a size function: headless */
    CnVsync vsync;
    CnFileSystem *files;
    char *cache_path;

    CnSlotTable tables[CNI_KINDS];
    CN_ARRAY(CniDying) dying; /* oldest first; has room for everything that is alive */
    CN_ARRAY(CniBlock) blocks;
    uint64_t block_bytes; /* size of a regular block */
    uint64_t used_bytes, reserved_bytes;
    uint32_t block_count;

    uint64_t frame; /* being recorded, or the last one */
    CnGpuCommands commands;
    CniFrame frames[CN_GPU_FRAMES];
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

#define CNI_BARRIER_BATCH 32u /* the most that a backend receives at once */

/* A validated barrier, with what it waits for and with its ranges filled in. */
typedef struct CniBarrier {
    CniTexture *texture; /* either a texture or a buffer */
    CniBuffer *buffer;
    uint32_t before; /* bits of accesses to wait for */
    CnGpuAccess after;
    CnGpuAccess layout; /* an access with the old layout; none: the contents are discarded */
    uint32_t mip, mip_count, layer, layer_count;
    bool waits_for_all;
} CniBarrier;

typedef struct CniIndirect {
    CniBuffer *buffer, *count_buffer;
    uint64_t offset, count_offset;
    uint32_t count, stride;
    bool indexed;
} CniIndirect;

struct CniBackend {
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
    uint32_t (*memory_types)(const CnGpu *gpu, const CniMemoryNeed *need, uint32_t types[32]);
    uint64_t (*block_bytes)(const CnGpu *gpu, uint32_t type);
    bool (*block_create)(CnGpu *gpu, CniBlock *block, const CniMemoryNeed *need);
    void (*block_destroy)(CnGpu *gpu, CniBlock *block);
    CniMemoryNeed (*heap_need)(CnGpu *gpu, uint64_t size);

    bool (*buffer_need)(CnGpu *gpu, const CnGpuBufferDesc *desc, CnGpuMemoryNeed *need);
    bool (*texture_need)(CnGpu *gpu, const CnGpuTextureDesc *desc, CnGpuMemoryNeed *need);
    /* With a heap: placed at this offset; otherwise memory is allocated. */
    bool (*buffer_create)(CnGpu *gpu, CniBuffer *buffer, const CniHeap *heap, uint64_t offset,
                          CnError *error);
    bool (*texture_create)(CnGpu *gpu, CniTexture *texture, const CniHeap *heap, uint64_t offset,
                           CnError *error);
    bool (*sampler_create)(CnGpu *gpu, CniSampler *sampler, CnError *error);
    bool (*graphics_create)(CnGpu *gpu, CniPipeline *pipeline, const CnGpuGraphicsDesc *desc,
                            CnError *error);
    bool (*compute_create)(CnGpu *gpu, CniPipeline *pipeline, const CnGpuComputeDesc *desc,
                           CnError *error);
    void (*buffer_destroy)(CnGpu *gpu, CniBuffer *buffer);
    void (*texture_destroy)(CnGpu *gpu, CniTexture *texture);
    void (*sampler_destroy)(CnGpu *gpu, CniSampler *sampler);
    void (*pipeline_destroy)(CnGpu *gpu, CniPipeline *pipeline);
    bool (*save_pipelines)(CnGpu *gpu, CnError *error);

    void (*barriers)(CnGpu *gpu, const CniBarrier *barriers, uint32_t count);
    void (*begin_rendering)(CnGpu *gpu, const CnGpuRendering *rendering, uint32_t color_count);
    void (*end_rendering)(CnGpu *gpu);
    void (*viewport)(CnGpu *gpu, float x, float y, float width, float height);
    void (*scissor)(CnGpu *gpu, int32_t x, int32_t y, uint32_t width, uint32_t height);
    void (*bind_pipeline)(CnGpu *gpu, const CniPipeline *pipeline);
    void (*bind)(CnGpu *gpu, const CniPipeline *pipeline, uint32_t dirty);
    void (*constants)(CnGpu *gpu, const void *data, uint32_t bytes);
    void (*bind_indices)(CnGpu *gpu, const CniBuffer *buffer, uint64_t offset, CnGpuFormat format);
    void (*draw)(CnGpu *gpu, uint32_t vertices, uint32_t instances, uint32_t first_vertex,
                 uint32_t first_instance);
    void (*draw_indexed)(CnGpu *gpu, uint32_t indices, uint32_t instances, uint32_t first_index,
                         int32_t vertex_offset, uint32_t first_instance);
    void (*draw_indirect)(CnGpu *gpu, const CniIndirect *draws);
    void (*dispatch)(CnGpu *gpu, uint32_t x, uint32_t y, uint32_t z);
    void (*dispatch_indirect)(CnGpu *gpu, const CniBuffer *buffer, uint64_t offset);
    void (*copy_buffer)(CnGpu *gpu, const CniBuffer *from, uint64_t from_offset,
                        const CniBuffer *to, uint64_t to_offset, uint64_t size);
    void (*fill_buffer)(CnGpu *gpu, const CniBuffer *buffer, uint64_t offset, uint64_t size,
                        uint32_t value);
    void (*copy_to_texture)(CnGpu *gpu, const CniBuffer *from, const CniTexture *to,
                            const CnGpuRegion *region);
    void (*copy_from_texture)(CnGpu *gpu, const CniTexture *from, const CniBuffer *to,
                              const CnGpuRegion *region);
    void (*blit)(CnGpu *gpu, const CniTexture *from, uint32_t from_mip, const CniTexture *to,
                 uint32_t to_mip, CnGpuFilter filter);
    void (*begin_label)(CnGpu *gpu, const char *name);
    void (*end_label)(CnGpu *gpu);
    /* Records the begin or the end of a timer of this frame. */
    void (*timestamp)(CnGpu *gpu, uint32_t timer, bool is_end);
};

bool cni_null_create(CnGpu *gpu, CnError *error);
bool cni_vulkan_create(CnGpu *gpu, const CnGpuDesc *desc, CnError *error);
bool cni_vulkan_list(void (*visit)(const CnGpuInfo *info, void *user), void *user, CnError *error);

/* Reports an invalid call: fails an assertion, or logs and counts it. Returns false. */
bool cni_gpu_wrong(CnGpu *gpu, const char *format, ...) CN_PRINTF_LIKE(2, 3);
/* Fills the error for a lost device. Returns false. */
bool cni_gpu_refuse_lost(CnError *error);

/* ---- resource.c ---- */

static inline CniBuffer *cni_buffer(const CnGpu *gpu, CnGpuBuffer buffer)
{
    return (CniBuffer *)cn_slot_table_get(&gpu->tables[CNI_BUFFER], buffer.id);
}
static inline CniTexture *cni_texture(const CnGpu *gpu, CnGpuTexture texture)
{
    return (CniTexture *)cn_slot_table_get(&gpu->tables[CNI_TEXTURE], texture.id);
}
static inline CniSampler *cni_sampler(const CnGpu *gpu, CnGpuSampler sampler)
{
    return (CniSampler *)cn_slot_table_get(&gpu->tables[CNI_SAMPLER], sampler.id);
}
static inline CniPipeline *cni_pipeline(const CnGpu *gpu, CnGpuPipeline pipeline)
{
    return (CniPipeline *)cn_slot_table_get(&gpu->tables[CNI_PIPELINE], pipeline.id);
}

/* Returns a new item of a table, with room to destroy it later; NULL and an error on failure. */
void *cni_gpu_take(CnGpu *gpu, CniKind kind, const char *name, uint32_t *id, CnError *error);
/* Invalidates the id; the resource is destroyed when the GPU is done with it. */
void cni_gpu_destroy_later(CnGpu *gpu, CniKind kind, uint32_t id);
/* Destroys resources whose last possible use was in frames up to `done`. */
void cni_gpu_bury(CnGpu *gpu, uint64_t done);
/* Creates the texture of a swapchain image, without memory of its own. */
CniTexture *cni_texture_of_window(CnGpu *gpu, const CnGpuTextureDesc *desc, CnGpuTexture *texture);
/* Destroys the resource of a slot immediately: the GPU is done with it. */
void cni_gpu_free(CnGpu *gpu, CniKind kind, uint32_t index);

static inline uint32_t cni_mip_size(uint32_t size, uint32_t mip)
{
    return size >> mip ? size >> mip : 1u;
}

/* ---- device_memory.c ---- */

bool cni_memory_take(CnGpu *gpu, const CniMemoryNeed *need, const char *name, CniMemory *memory,
                     CnError *error);
void cni_memory_give(CnGpu *gpu, CniMemory *memory);
/* Frees all blocks; nothing may be left in them. */
void cni_memory_fini(CnGpu *gpu);
static inline CniBlock *cni_memory_block(const CnGpu *gpu, const CniMemory *memory)
{
    return &gpu->blocks.items[memory->block - 1];
}

/* ---- commands.c ---- */

/* Returns true when commands are being recorded, and the rendering state is as `when` requires. */
typedef enum CniWhen { CNI_OUTSIDE, CNI_INSIDE, CNI_ANYWHERE } CniWhen;
bool cni_recording(CnGpuCommands *commands, CniWhen when, const char *what);
/* Return NULL, after reporting an invalid call, if the handle is stale or lacks the usage. */
CniBuffer *cni_use_buffer(CnGpuCommands *commands, CnGpuBuffer buffer, uint32_t usage,
                          const char *what);
CniTexture *cni_use_texture(CnGpuCommands *commands, CnGpuTexture texture, uint32_t usage,
                            const char *what);
/* Return whether the last barriers allow this access, and report an invalid call if not. Always
 * true unless the device is strict. */
bool cni_allow_buffer(CnGpu *gpu, const CniBuffer *buffer, CnGpuAccess access, const char *what);
bool cni_allow_texture(CnGpu *gpu, const CniTexture *texture, uint32_t mip, uint32_t mip_count,
                       uint32_t layer, uint32_t layer_count, CnGpuAccess access, const char *what);

/* ---- access.c ---- */

static inline bool cni_format_is_integer(CnGpuFormat format)
{
    return format == CN_FORMAT_R16U || format == CN_FORMAT_R32U || format == CN_FORMAT_RG32U ||
           format == CN_FORMAT_RGBA32U;
}

/* Returns whether the accesses allowed by barriers include this one. */
bool cni_access_covers(uint32_t accesses, CnGpuAccess access);
/* Returns whether both use a texture in the same layout. */
bool cni_access_same_layout(CnGpuAccess a, CnGpuAccess b);
/* Returns the usage that a resource needs for the access; 0: none. */
uint32_t cni_access_usage(CnGpuAccess access, bool is_texture);

#endif
