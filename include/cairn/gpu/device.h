/*
 * A GPU: the device, its memory, its frames.
 *
 *     CnGpu *gpu = cn_gpu_create(&(CnGpuDesc){.name = "hello"}, &error);
 *     CnGpuBuffer numbers = cn_gpu_buffer(gpu, &(CnGpuBufferDesc){
 *         .name = "numbers", .size = 4096, .usage = CN_GPU_USE_STORAGE}, &error);
 *     for (;;) {
 *         CnGpuCommands *commands = cn_gpu_begin(gpu, &error);     // waits for the frame before the last
 *         ...                                                      // commands.h
 *         cn_gpu_end(gpu, &error);                                 // one submit, and presents
 *     }
 *     cn_gpu_destroy(gpu);
 *
 * Vulkan 1.3 with dynamic rendering, synchronization2, timeline semaphores and push descriptors, loaded at
 * run time. It runs without a window; with one, see CnGpuWindow. The null backend takes the same calls,
 * checks them, keeps a log of them, and does nothing: render graphs and features are tested on it.
 *
 * Which device: a discrete one before an integrated one before a CPU; CAIRN_GPU=<part of a name> or a
 * number chooses another, CAIRN_GPU=null the null backend (where the program has not asked for Vulkan).
 * CAIRN_GPU_VALIDATION=1 switches the validation layer on, where it is installed; what it says is logged
 * and counted.
 *
 * Wrong calls (dead handles, missing usages, draws outside of rendering, barriers that contradict what was
 * done before) fail a guard; without guards they are logged, counted in CnGpuStats.wrong_calls, and
 * left out. The checks of what commands touch are made with guards, and always on the null backend.
 *
 * One thread at a time uses a CnGpu; different ones are separate. Things that are destroyed stay until no
 * frame uses them. When the device is lost, every call fails with CN_ERROR_IO; destroy it and make another.
 */
#ifndef CAIRN_GPU_DEVICE_H
#define CAIRN_GPU_DEVICE_H

#include <cairn/base/error.h>
#include <cairn/base/file.h>
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
 * What windows bring: SDL's functions fit (SDL_Vulkan_GetInstanceExtensions, SDL_Vulkan_CreateSurface,
 * SDL_Vulkan_GetDrawableSize). The null backend asks only for the size.
 */
typedef struct CnGpuWindow {
    /* Instance extensions for surfaces, `count` of them. */
    const char *const *extensions;
    uint32_t extension_count;
    /* A VkSurfaceKHR for this VkInstance, or 0. */
    uint64_t (*create_surface)(void *instance, void *user);
    void (*size)(uint32_t *width, uint32_t *height, void *user); /* in pixels, now */
    void *user;
} CnGpuWindow;

typedef enum CnVsync { CN_VSYNC_ON, CN_VSYNC_OFF, CN_VSYNC_MAILBOX } CnVsync;

typedef struct CnGpuDesc {
    CnAllocator *allocator;
    const char *name; /* of the program */
    CnGpuBackend backend;
    const char *device;        /* as CAIRN_GPU; that wins. NULL: the best */
    bool validation;           /* also without CAIRN_GPU_VALIDATION */
    const CnGpuWindow *window; /* NULL: headless */
    CnVsync vsync;
    CnFileSystem *files; /* with cache_path: where pipelines are kept between runs; NULL: not */
    const char *cache_path;
    uint64_t upload_bytes; /* that cn_gpu_upload can give in one frame; 0 means 16 MiB */
} CnGpuDesc;

CN_API CnGpu *cn_gpu_create(const CnGpuDesc *desc, CnError *error);
CN_API void cn_gpu_destroy(CnGpu *gpu);

typedef struct CnGpuInfo {
    char name[128], driver[128];
    CnGpuKind kind;
    uint64_t memory_bytes; /* of the device */
    uint32_t max_texture_size;
    uint64_t
        max_storage_bytes; /* of a storage buffer that a shader sees: beyond it there is nothing */
    float timestamp_ns;    /* of one step; 0: no timestamps */
    float max_anisotropy;
    uint32_t bind_alignment; /* of the offsets at which buffers are bound; 256 is good everywhere */
    bool indirect_count;     /* cn_gpu_draw_indirect_count and its indexed form work */
    bool atomics_64;         /* shaders have them, of 64 bits in buffers */
    bool validation;         /* the layer is on */
} CnGpuInfo;
CN_API CnGpuInfo cn_gpu_info(const CnGpu *gpu);
/* What there is, in the order of the numbers that CAIRN_GPU takes. */
CN_API bool cn_gpu_list(void (*visit)(const CnGpuInfo *info, void *user), void *user,
                        CnError *error);

typedef struct CnGpuStats {
    uint64_t used_bytes, reserved_bytes;                            /* of the device's memory */
    uint32_t buffers, textures, pipelines, samplers, heaps, blocks; /* not those being destroyed */
    uint64_t frames;
    uint64_t upload_bytes; /* of the last frame */
    uint64_t
        draw_calls; /* of the last frame; an indirect one is one, however many draws it makes */
    uint64_t upload_refused; /* calls of cn_gpu_upload that found no room */
    uint64_t timers_refused; /* calls of cn_gpu_begin_timer beyond CN_GPU_MAX_TIMERS */
    uint64_t wrong_calls;
    uint64_t validation_messages;
} CnGpuStats;
CN_API CnGpuStats cn_gpu_stats(const CnGpu *gpu);

/* ---- Frames ---- */

/* Commands of a new frame; waits until the one CN_GPU_FRAMES before is done. NULL and an error when the
 * device is lost. */
CN_API CnGpuCommands *cn_gpu_begin(CnGpu *gpu, CnError *error);
/* Submits, and presents if the frame has taken a picture of the swapchain. */
CN_API bool cn_gpu_end(CnGpu *gpu, CnError *error);
/* Waits until all frames are done. */
CN_API bool cn_gpu_wait(CnGpu *gpu, CnError *error);
/* The number of the frame that is recorded, and of the last that is done. */
CN_API uint64_t cn_gpu_frame(const CnGpu *gpu);
CN_API uint64_t cn_gpu_frame_done(const CnGpu *gpu);

/*
 * The picture that this frame is to draw: its texture, which belongs to the swapchain, is an attachment and
 * may be copied to. Its size is the window's; its access is none, and must be CN_GPU_ACCESS_PRESENT when the
 * frame ends. Null without a window, while it is minimised, or when it cannot be had in this frame.
 */
CN_API CnGpuTexture cn_gpu_window_texture(CnGpu *gpu);
/* Whether it was made with one, minimised or not. */
CN_API bool cn_gpu_has_window(const CnGpu *gpu);
/* CN_VSYNC_ON where the window has no other. */
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

CN_API CnGpuBuffer cn_gpu_buffer(CnGpu *gpu, const CnGpuBufferDesc *desc, CnError *error);
CN_API void cn_gpu_buffer_destroy(CnGpu *gpu, CnGpuBuffer buffer);
/* Of upload and readback buffers. */
CN_API void *cn_gpu_buffer_data(CnGpu *gpu, CnGpuBuffer buffer);
CN_API uint64_t cn_gpu_buffer_size(const CnGpu *gpu, CnGpuBuffer buffer);
/* For shaders that follow pointers; of buffers with CN_GPU_USE_STORAGE. 0 on the null backend. */
CN_API uint64_t cn_gpu_buffer_address(const CnGpu *gpu, CnGpuBuffer buffer);

/* ---- Textures and samplers ---- */

typedef struct CnGpuTextureDesc {
    const char *name;
    CnGpuFormat format;
    uint32_t width, height;
    uint32_t depth;  /* 0 means 1; more: a volume, which cannot be an attachment */
    uint32_t layers; /* 0 means 1; of cubes 6 */
    uint32_t mips;   /* 0 means 1; CN_GPU_ALL_MIPS: down to 1 x 1 */
    bool cube;       /* layers: a multiple of 6 */
    uint32_t usage;
} CnGpuTextureDesc;
#define CN_GPU_ALL_MIPS UINT32_MAX

CN_API CnGpuTexture cn_gpu_texture(CnGpu *gpu, const CnGpuTextureDesc *desc, CnError *error);
CN_API void cn_gpu_texture_destroy(CnGpu *gpu, CnGpuTexture texture);
CN_API CnGpuTextureDesc cn_gpu_texture_desc(const CnGpu *gpu, CnGpuTexture texture);

typedef enum CnGpuFilter { CN_GPU_NEAREST, CN_GPU_LINEAR } CnGpuFilter;
typedef enum CnGpuWrap {
    CN_GPU_REPEAT,
    CN_GPU_CLAMP,
    CN_GPU_BORDER
} CnGpuWrap; /* border: opaque white */
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
} CnGpuSamplerDesc;

/* Made or found; lives as long as the device. */
CN_API CnGpuSampler cn_gpu_sampler(CnGpu *gpu, const CnGpuSamplerDesc *desc, CnError *error);

/* ---- Memory shared by resources of different times, for the render graph ---- */

/* A resource in a heap begins with a barrier from CN_GPU_ACCESS_NONE each time that its memory has held
 * something else (CnGpuBarrier.waits_for). */

typedef struct CnGpuMemoryNeed {
    uint64_t size, alignment;
} CnGpuMemoryNeed;
typedef struct CnGpuHeap {
    uint32_t id;
} CnGpuHeap;
CN_API CnGpuMemoryNeed cn_gpu_texture_need(CnGpu *gpu, const CnGpuTextureDesc *desc);
CN_API CnGpuMemoryNeed cn_gpu_buffer_need(CnGpu *gpu, const CnGpuBufferDesc *desc);
CN_API CnGpuHeap cn_gpu_heap(CnGpu *gpu, uint64_t size, const char *name, CnError *error);
CN_API void cn_gpu_heap_destroy(CnGpu *gpu, CnGpuHeap heap); /* after what lies in it */
CN_API CnGpuTexture cn_gpu_texture_in(CnGpu *gpu, const CnGpuTextureDesc *desc, CnGpuHeap heap,
                                      uint64_t offset, CnError *error);
CN_API CnGpuBuffer cn_gpu_buffer_in(CnGpu *gpu, const CnGpuBufferDesc *desc, CnGpuHeap heap,
                                    uint64_t offset, CnError *error);

CN_EXTERN_C_END

#endif
