/*
 * Commands of a frame.
 *
 *     cn_gpu_barriers(commands, &(CnGpuBarrier){.texture = hdr, .before = CN_GPU_ACCESS_NONE,
 *                                               .after = CN_GPU_ACCESS_COLOR}, 1);
 *     cn_gpu_begin_rendering(commands, &(CnGpuRendering){
 *         .width = 1280, .height = 720, .color = {{.texture = hdr, .load = CN_GPU_CLEAR}}});
 *     cn_gpu_bind_pipeline(commands, lit);
 *     cn_gpu_bind_buffer(commands, 0, camera, 0, 256);
 *     cn_gpu_constants(commands, &constants, sizeof constants);
 *     cn_gpu_draw(commands, 36, 1, 0, 0);
 *     cn_gpu_end_rendering(commands);
 *
 * Nothing is ordered by itself: barriers say what waits for what, and every use is covered by one, across
 * frames too: a resource keeps the access of its last barrier. Reads add up, so after a write one barrier
 * for each kind of read makes all of them possible (of a texture, those of one layout: samplings, and
 * attachments that are only tested). Buffers in upload memory need no barriers. The render graph makes them.
 *
 * Bindings and constants stay when another pipeline is bound; a draw checks that they fit it.
 */
#ifndef CAIRN_GPU_COMMANDS_H
#define CAIRN_GPU_COMMANDS_H

#include <cairn/gpu/pipeline.h>

CN_EXTERN_C_BEGIN

typedef struct CnGpuBarrier {
    CnGpuTexture texture; /* or */
    CnGpuBuffer buffer;
    CnGpuAccess before, after; /* before none: the contents are dropped */
    uint32_t mip, mip_count;   /* 0, 0: all */
    uint32_t layer, layer_count;
    /* Before none, in a heap: bits 1 << CnGpuAccess of what touched this memory under another name and must
     * be over. 0: everything before. */
    uint32_t waits_for;
} CnGpuBarrier;

CN_API void cn_gpu_barriers(CnGpuCommands *commands, const CnGpuBarrier *barriers, uint32_t count);

typedef enum CnGpuLoad { CN_GPU_LOAD, CN_GPU_CLEAR, CN_GPU_DROP } CnGpuLoad;

typedef struct CnGpuAttachment {
    CnGpuTexture texture;
    uint32_t mip, layer;
    CnGpuLoad load;
    bool drop_after; /* nobody needs what was drawn */
    float clear[4];  /* of depth: the first; of formats of integers: whole numbers */
} CnGpuAttachment;

typedef struct CnGpuRendering {
    const char *name;
    uint32_t width, height;
    uint32_t layers;                          /* 0 means 1 */
    CnGpuAttachment color[CN_GPU_MAX_COLORS]; /* ends at the first without a texture */
    CnGpuAttachment depth;
    bool depth_read_only;
} CnGpuRendering;

/* Sets viewport and scissor to the whole. */
CN_API void cn_gpu_begin_rendering(CnGpuCommands *commands, const CnGpuRendering *rendering);
CN_API void cn_gpu_end_rendering(CnGpuCommands *commands);
CN_API void cn_gpu_viewport(CnGpuCommands *commands, float x, float y, float width, float height);
CN_API void cn_gpu_scissor(CnGpuCommands *commands, int32_t x, int32_t y, uint32_t width,
                           uint32_t height);

CN_API void cn_gpu_bind_pipeline(CnGpuCommands *commands, CnGpuPipeline pipeline);
/* size 0: to the end. */
CN_API void cn_gpu_bind_buffer(CnGpuCommands *commands, uint32_t binding, CnGpuBuffer buffer,
                               uint64_t offset, uint64_t size);
CN_API void cn_gpu_bind_texture(CnGpuCommands *commands, uint32_t binding, CnGpuTexture texture,
                                CnGpuSampler sampler);
/* One mip of it alone, for chains in which each mip is made from the one above. */
CN_API void cn_gpu_bind_texture_mip(CnGpuCommands *commands, uint32_t binding, CnGpuTexture texture,
                                    uint32_t mip, CnGpuSampler sampler);
CN_API void cn_gpu_bind_storage_texture(CnGpuCommands *commands, uint32_t binding,
                                        CnGpuTexture texture, uint32_t mip);
CN_API void cn_gpu_constants(CnGpuCommands *commands, const void *data, uint32_t bytes);

CN_API void cn_gpu_draw(CnGpuCommands *commands, uint32_t vertices, uint32_t instances,
                        uint32_t first_vertex, uint32_t first_instance);
CN_API void cn_gpu_bind_indices(CnGpuCommands *commands, CnGpuBuffer buffer, uint64_t offset,
                                CnGpuFormat format); /* R16U or R32U */
CN_API void cn_gpu_draw_indexed(CnGpuCommands *commands, uint32_t indices, uint32_t instances,
                                uint32_t first_index, int32_t vertex_offset,
                                uint32_t first_instance);
/* Vulkan's structs in a buffer. Indices of indirect draws are bound at offset 0: not every driver heeds
 * another. */
CN_API void cn_gpu_draw_indirect(CnGpuCommands *commands, CnGpuBuffer buffer, uint64_t offset,
                                 uint32_t count, uint32_t stride);
CN_API void cn_gpu_draw_indexed_indirect(CnGpuCommands *commands, CnGpuBuffer buffer,
                                         uint64_t offset, uint32_t count, uint32_t stride);
/* The number of draws comes from a buffer, at most `max_count`. */
CN_API void cn_gpu_draw_indirect_count(CnGpuCommands *commands, CnGpuBuffer buffer, uint64_t offset,
                                       CnGpuBuffer count_buffer, uint64_t count_offset,
                                       uint32_t max_count, uint32_t stride);
CN_API void cn_gpu_draw_indexed_indirect_count(CnGpuCommands *commands, CnGpuBuffer buffer,
                                               uint64_t offset, CnGpuBuffer count_buffer,
                                               uint64_t count_offset, uint32_t max_count,
                                               uint32_t stride);
#define CN_GPU_MAX_GROUPS 65535u /* each way; what every device can do */
CN_API void cn_gpu_dispatch(CnGpuCommands *commands, uint32_t x, uint32_t y, uint32_t z);
CN_API void cn_gpu_dispatch_indirect(CnGpuCommands *commands, CnGpuBuffer buffer, uint64_t offset);

CN_API void cn_gpu_copy_buffer(CnGpuCommands *commands, CnGpuBuffer from, uint64_t from_offset,
                               CnGpuBuffer to, uint64_t to_offset, uint64_t size);
CN_API void cn_gpu_fill_buffer(CnGpuCommands *commands, CnGpuBuffer buffer, uint64_t offset,
                               uint64_t size, uint32_t value);

typedef struct CnGpuRegion {
    uint32_t mip, layer, layer_count;       /* layer_count 0 means 1 */
    uint32_t x, y, z, width, height, depth; /* width 0: all of the mip */
    uint64_t offset;                        /* in the buffer; rows are packed */
} CnGpuRegion;
CN_API void cn_gpu_copy_to_texture(CnGpuCommands *commands, CnGpuBuffer from, CnGpuTexture to,
                                   const CnGpuRegion *region);
CN_API void cn_gpu_copy_from_texture(CnGpuCommands *commands, CnGpuTexture from, CnGpuBuffer to,
                                     const CnGpuRegion *region);
/* Scales all of one mip, with its layers, to all of another, filtered. */
CN_API void cn_gpu_blit(CnGpuCommands *commands, CnGpuTexture from, uint32_t from_mip,
                        CnGpuTexture to, uint32_t to_mip, CnGpuFilter filter);

/* Room in this frame's part of the upload memory: write at once; it is good for this frame and for every
 * use. Alignment 0: what any binding needs. No data: the frame has used up what there is (a limit,
 * counted). */
typedef struct CnGpuUpload {
    void *data;
    CnGpuBuffer buffer;
    uint64_t offset;
} CnGpuUpload;
CN_API CnGpuUpload cn_gpu_upload(CnGpuCommands *commands, uint64_t bytes, uint64_t alignment);

/* ---- Time and names ---- */

CN_API void cn_gpu_begin_label(CnGpuCommands *commands, const char *name);
CN_API void cn_gpu_end_label(CnGpuCommands *commands);
#define CN_GPU_MAX_TIMERS 128u /* in a frame */
/* Times what is recorded between the two. Returns its number in this frame. */
CN_API uint32_t cn_gpu_begin_timer(CnGpuCommands *commands, const char *name);
CN_API void cn_gpu_end_timer(CnGpuCommands *commands, uint32_t timer);

typedef struct CnGpuTiming {
    const char *name;
    float microseconds;
} CnGpuTiming;
/* Of the last frame that is known to be done (when one begins, or after cn_gpu_wait): fills at most
 * `capacity`, returns how many there are. Names are good until the next frame begins. */
CN_API uint32_t cn_gpu_timings(const CnGpu *gpu, CnGpuTiming *timings, uint32_t capacity);

/* ---- The null backend's log ---- */

typedef struct CnGpuLogEntry {
    const char
        *command;  /* the function without its cn_gpu_: "draw"; one "barrier" for each of them */
    char name[32]; /* of a rendering, label or timer; else of the resource */
    /* Of barriers, with ranges filled in and, in waits_for, all accesses that it waits for (all bits:
     * everything before it); else the texture and the buffer of the command. */
    CnGpuBarrier barrier;
    uint32_t numbers[4]; /* the numbers that the command takes, in order, the first four */
} CnGpuLogEntry;
/* What the last frame recorded, or the present one so far; NULL and 0 for other backends. */
CN_API const CnGpuLogEntry *cn_gpu_log(const CnGpu *gpu, uint32_t *count);

CN_EXTERN_C_END

#endif
