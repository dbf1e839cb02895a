/*
 * A GPU: the device, its memory, its frames.
 *
 *     CnError error = {0};
 *     CnGpu *gpu = cn_gpu_create(&(CnGpuDesc){.name = "hello"}, &error);
 *     CnGpuBuffer numbers = cn_gpu_buffer_create(gpu, &(CnGpuBufferDesc){
 *         .name = "numbers", .size = 4096, .usage = CN_GPU_USE_STORAGE}, &error);
 *     for (int frame = 0; frame < 600; frame++) {
 *         CnGpuCommands *commands = cn_gpu_begin_frame(gpu, &error);   // waits for an older frame
 *         cn_gpu_end_frame(gpu, &error);                               // submits and presents
 *     }
 *     cn_gpu_buffer_destroy(gpu, numbers);
 *     cn_gpu_destroy(gpu);
 *
 * Uses Vulkan 1.3 with dynamic rendering, synchronization2, timeline semaphores and push
 * descriptors, loaded at run time. It works without a window; with a window, see CnGpuWindow. The
 * null backend accepts the same calls, checks and logs them, and does nothing else; it serves to
 * test render graphs and features.
 *
 * Device selection: discrete devices are preferred to integrated ones, and these to CPUs.
 * CAIRN_GPU=<part of a name> or a number selects another device; CAIRN_GPU=null selects the null
 * backend (unless the program requests Vulkan explicitly). CAIRN_GPU_VALIDATION=1 enables the
 * validation layer, if it is installed; its messages are logged and counted.
 *
 * Invalid calls (stale handles, missing usages, draws outside of rendering, barriers that
 * contradict earlier commands) fail an assertion; without guards they are logged, counted in
 * CnGpuStats.wrong_calls, and ignored. The resources that commands access are checked with guards,
 * and always on the null backend.
 *
 * One thread at a time may use a CnGpu; different ones are independent. Destroyed resources are
 * kept until no frame uses them. When the device is lost, every call fails with CN_ERROR_IO;
 * destroy the CnGpu and create another.
 */
#ifndef CAIRN_GPU_DEVICE_H
#define CAIRN_GPU_DEVICE_H

#include <cairn/base/cache.h>
#include <cairn/base/error.h>
#include <cairn/base/memory.h>
#include <cairn/gpu/format.h>

CN_EXTERN_C_BEGIN

#define CN_GPU_FRAMES 2u /* in flight */

typedef struct CnGpu CnGpu;
typedef struct CnGpuCommands CnGpuCommands;

typedef struct CnGpuBuffer {
    uint32_t id;
} CnGpuBuffer;
typedef struct CnGpuTexture {
    uint32_t id;
} CnGpuTexture;
typedef struct CnGpuSampler {
    uint32_t id;
} CnGpuSampler;
typedef struct CnGpuPipeline {
    uint32_t id;
} CnGpuPipeline;

typedef enum CnGpuBackend { CN_GPU_DEFAULT, CN_GPU_VULKAN, CN_GPU_NULL } CnGpuBackend;
typedef enum CnGpuKind {
    CN_GPU_KIND_DISCRETE,
    CN_GPU_KIND_INTEGRATED,
    CN_GPU_KIND_CPU,
    CN_GPU_KIND_NULL
} CnGpuKind;

/*
 * Connects a window. SDL's functions match (SDL_Vulkan_GetInstanceExtensions,
 * SDL_Vulkan_CreateSurface, SDL_Vulkan_GetDrawableSize). The null backend calls only `size`.
 */
typedef struct CnGpuWindow {
    /* Instance extensions that surfaces require. */
    const char *const *extensions;
    uint32_t extension_count;
    /* Returns a VkSurfaceKHR for this VkInstance, or 0. */
    uint64_t (*create_surface)(void *instance, void *user);
    void (*size)(uint32_t *width, uint32_t *height, void *user); /* current size in pixels */
    void *user;
} CnGpuWindow;

typedef enum CnVsync { CN_VSYNC_ON, CN_VSYNC_OFF, CN_VSYNC_MAILBOX } CnVsync;

typedef struct CnGpuDesc {
    CnAllocator *allocator;
    const char *name; /* of the program */
    CnGpuBackend backend;
    const char *device;        /* like CAIRN_GPU, which takes precedence; NULL: the best device */
    bool validation;           /* enables validation even without CAIRN_GPU_VALIDATION */
    const CnGpuWindow *window; /* NULL: headless */
    CnVsync vsync;
    CnCache *cache;        /* of pipelines between runs; must outlive the GPU; NULL: none */
    uint64_t upload_bytes; /* available to cn_gpu_upload per frame; 0 selects 16 MiB */
} CnGpuDesc;

/* Creates a device. Returns NULL and an error when no suitable device is available. */
CN_API CnGpu *cn_gpu_create(const CnGpuDesc *desc, CnError *error);
/* Waits for all frames and frees everything. Logs resources that were not destroyed. */
CN_API void cn_gpu_destroy(CnGpu *gpu);

typedef struct CnGpuInfo {
    char name[128], driver[128];
    CnGpuKind kind;
    uint64_t memory_bytes; /* of the device */
    uint32_t max_texture_size;
    uint64_t max_storage_bytes; /* the largest range of a storage buffer that a shader can access */
    float timestamp_ns;         /* per timestamp step; 0: no timestamps */
    float max_anisotropy;
    uint32_t bind_alignment; /* of offsets at which buffers are bound; 256 is valid everywhere */
    bool indirect_count;     /* cn_gpu_draw_indirect_count and its indexed form are available */
    bool atomics_64;         /* shaders may use 64-bit atomics in buffers */
    bool validation;         /* the validation layer is enabled */
} CnGpuInfo;
CN_API CnGpuInfo cn_gpu_info(const CnGpu *gpu);
/* Visits all devices, in the order of the numbers that CAIRN_GPU accepts. */
CN_API bool cn_gpu_list(void (*visit)(const CnGpuInfo *info, void *user), void *user,
                        CnError *error);

typedef struct CnGpuStats {
    uint64_t used_bytes, reserved_bytes; /* of device memory */
    /* without those being destroyed */
    uint32_t buffers, textures, pipelines, samplers, heaps, blocks;
    uint64_t frames;
    uint64_t upload_bytes;   /* of the last frame */
    uint64_t draw_calls;     /* of the last frame; an indirect call counts once */
    uint64_t upload_refused; /* calls of cn_gpu_upload that found no room */
    uint64_t timers_refused; /* calls of cn_gpu_begin_timer beyond CN_GPU_MAX_TIMERS */
    uint64_t wrong_calls;
    uint64_t validation_messages;
} CnGpuStats;
CN_API CnGpuStats cn_gpu_stats(const CnGpu *gpu);

/* ---- Frames ---- */

/* Begins a frame and returns its commands; waits until the frame CN_GPU_FRAMES before it is
 * complete. Returns NULL and an error when the device is lost. */
CN_API CnGpuCommands *cn_gpu_begin_frame(CnGpu *gpu, CnError *error);
/* Submits the frame, and presents it if it acquired a swapchain image. */
CN_API bool cn_gpu_end_frame(CnGpu *gpu, CnError *error);
/* Waits until all frames are complete. */
CN_API bool cn_gpu_wait(CnGpu *gpu, CnError *error);
/* Return the number of the frame being recorded, and of the last complete frame. */
CN_API uint64_t cn_gpu_current_frame(const CnGpu *gpu);
CN_API uint64_t cn_gpu_completed_frame(const CnGpu *gpu);

/*
 * Returns the swapchain image of this frame: a texture that belongs to the swapchain, can be an
 * attachment and can be copied to. It has the size of the window. Its access is CN_GPU_ACCESS_NONE,
 * and must be CN_GPU_ACCESS_PRESENT when the frame ends. Null without a window, while the window is
 * minimized, or when no image is available in this frame.
 */
CN_API CnGpuTexture cn_gpu_window_texture(CnGpu *gpu);
/* Returns whether the CnGpu was created with a window, minimized or not. */
CN_API bool cn_gpu_has_window(const CnGpu *gpu);
/* Falls back to CN_VSYNC_ON if the window does not support the mode. */
CN_API void cn_gpu_set_vsync(CnGpu *gpu, CnVsync vsync);

/* ---- Buffers ---- */

typedef enum CnGpuMemory {
    CN_GPU_MEMORY_DEVICE,
    CN_GPU_MEMORY_UPLOAD,  /* written by the program, always mapped */
    CN_GPU_MEMORY_READBACK /* read by the program, always mapped */
} CnGpuMemory;

typedef struct CnGpuBufferDesc {
    const char *name;
    uint64_t size;
    uint32_t usage; /* CN_GPU_USE_ */
    CnGpuMemory memory;
} CnGpuBufferDesc;

/* Creates a buffer. Returns the null handle and an error on failure. */
CN_API CnGpuBuffer cn_gpu_buffer_create(CnGpu *gpu, const CnGpuBufferDesc *desc, CnError *error);
CN_API void cn_gpu_buffer_destroy(CnGpu *gpu, CnGpuBuffer buffer);
/* Returns the mapped memory of an upload or readback buffer. */
CN_API void *cn_gpu_buffer_data(CnGpu *gpu, CnGpuBuffer buffer);
CN_API uint64_t cn_gpu_buffer_size(const CnGpu *gpu, CnGpuBuffer buffer);
/* Returns the address for shaders that use pointers; requires CN_GPU_USE_STORAGE. 0 on the null
 * backend. */
CN_API uint64_t cn_gpu_buffer_address(const CnGpu *gpu, CnGpuBuffer buffer);

/* ---- Textures and samplers ---- */

typedef struct CnGpuTextureDesc {
    const char *name;
    CnGpuFormat format;
    uint32_t width, height;
    uint32_t depth;  /* 0 selects 1; more than 1: a volume, which cannot be an attachment */
    uint32_t layers; /* 0 selects 1, or 6 for cubes */
    uint32_t mips;   /* 0 selects 1; CN_GPU_ALL_MIPS: down to 1 x 1 */
    bool cube;       /* layers must be a multiple of 6 */
    uint32_t usage;
} CnGpuTextureDesc;
#define CN_GPU_ALL_MIPS UINT32_MAX

/* Creates a texture. Returns the null handle and an error on failure. */
CN_API CnGpuTexture cn_gpu_texture_create(CnGpu *gpu, const CnGpuTextureDesc *desc, CnError *error);
CN_API void cn_gpu_texture_destroy(CnGpu *gpu, CnGpuTexture texture);
/* Returns the description with defaults filled in. */
CN_API CnGpuTextureDesc cn_gpu_texture_desc(const CnGpu *gpu, CnGpuTexture texture);

typedef enum CnGpuFilter { CN_GPU_NEAREST, CN_GPU_LINEAR } CnGpuFilter;
typedef enum CnGpuWrap {
    CN_GPU_REPEAT,
    CN_GPU_CLAMP,
    CN_GPU_BORDER, /* opaque white */
    CN_GPU_MIRROR  /* repeats, every other time mirrored */
} CnGpuWrap;
typedef enum CnGpuCompare {
    CN_GPU_COMPARE_NONE,
    CN_GPU_LESS,
    CN_GPU_LESS_EQUAL,
    CN_GPU_GREATER,
    CN_GPU_GREATER_EQUAL,
    CN_GPU_EQUAL,
    CN_GPU_ALWAYS
} CnGpuCompare;

typedef struct CnGpuSamplerDesc {
    CnGpuFilter filter, mip_filter;
    CnGpuWrap wrap;
    CnGpuCompare compare;
    float anisotropy; /* 0 and 1: none */
    bool has_wrap_v;  /* wrap_v holds for the second axis; false: `wrap` does */
    CnGpuWrap wrap_v;
    bool has_magnify_filter; /* enlarged texels use magnify_filter; false: `filter` */
    CnGpuFilter magnify_filter;
} CnGpuSamplerDesc;

/* Returns a sampler with these settings, creating it if necessary. It lives as long as the
 * device. */
CN_API CnGpuSampler cn_gpu_sampler_get(CnGpu *gpu, const CnGpuSamplerDesc *desc, CnError *error);

/* ---- Memory aliasing, for the render graph ---- */

/* A resource in a heap needs a barrier from CN_GPU_ACCESS_NONE each time its memory has been
 * used by another resource (see CnGpuBarrier.waits_for). */

typedef struct CnGpuMemoryRequirements {
    uint64_t size, alignment;
} CnGpuMemoryRequirements;
typedef struct CnGpuHeap {
    uint32_t id;
} CnGpuHeap;
/* Return the memory that a resource needs in a heap. */
CN_API CnGpuMemoryRequirements cn_gpu_texture_memory_requirements(CnGpu *gpu,
                                                                  const CnGpuTextureDesc *desc);
CN_API CnGpuMemoryRequirements cn_gpu_buffer_memory_requirements(CnGpu *gpu,
                                                                 const CnGpuBufferDesc *desc);
typedef struct CnGpuHeapDesc {
    uint64_t size;    /* bytes; required */
    const char *name; /* for errors and debuggers; may be NULL */
} CnGpuHeapDesc;
/* Creates a heap. Returns the null handle and an error on failure. */
CN_API CnGpuHeap cn_gpu_heap_create(CnGpu *gpu, const CnGpuHeapDesc *desc, CnError *error);
/* Destroy the resources in the heap first. */
CN_API void cn_gpu_heap_destroy(CnGpu *gpu, CnGpuHeap heap);
/* Create a resource at an offset in a heap. Return the null handle and an error on failure. */
CN_API CnGpuTexture cn_gpu_texture_create_in(CnGpu *gpu, const CnGpuTextureDesc *desc,
                                             CnGpuHeap heap, uint64_t offset, CnError *error);
CN_API CnGpuBuffer cn_gpu_buffer_create_in(CnGpu *gpu, const CnGpuBufferDesc *desc, CnGpuHeap heap,
                                           uint64_t offset, CnError *error);

CN_EXTERN_C_END

#endif
