/*
 * Commands of a frame.
 *
 *     void draw_cube(CnGpuCommands *commands, CnGpuTexture hdr, CnGpuPipeline lit,
 *                    CnGpuBuffer camera)
 *     {
 *         cn_gpu_barriers(commands, &(CnGpuBarrier){.texture = hdr, .before = CN_GPU_ACCESS_NONE,
 *                                                   .after = CN_GPU_ACCESS_COLOR}, 1);
 *         cn_gpu_begin_rendering(commands, &(CnGpuRendering){
 *             .width = 1280, .height = 720, .color = {{.texture = hdr, .load = CN_GPU_CLEAR}}});
 *         cn_gpu_bind_pipeline(commands, lit);
 *         cn_gpu_bind_buffer(commands, 0, camera, 0, 256);
 *         cn_gpu_push_constants(commands, (float[4]){1, 0, 0, 1}, 16);
 *         cn_gpu_draw(commands, 36, 1, 0, 0);
 *         cn_gpu_end_rendering(commands);
 *     }
 *
 * No ordering is implicit: barriers define all dependencies, and every use must be covered by one,
 * also across frames: a resource keeps the access of its last barrier. Reads accumulate: after a
 * write, one barrier for each kind of read allows all of them (for a texture, the reads of one
 * layout: sampling, and attachments that are only tested). Buffers in upload memory need no
 * barriers. The render graph generates barriers.
 *
 * Bindings and constants persist when another pipeline is bound; each draw checks that they match
 * the pipeline.
 */
#ifndef CAIRN_GPU_COMMANDS_H
#define CAIRN_GPU_COMMANDS_H

#include <cairn/gpu/pipeline.h>

CN_EXTERN_C_BEGIN

typedef struct CnGpuBarrier {
    CnGpuTexture texture; /* either a texture or a buffer */
    CnGpuBuffer buffer;
    CnGpuAccess before, after; /* CN_GPU_ACCESS_NONE before: the contents are discarded */
    uint32_t mip, mip_count;   /* 0, 0: all */
    uint32_t layer, layer_count;
    /* With CN_GPU_ACCESS_NONE before, for a resource in a heap: bits 1 << CnGpuAccess of the
     * uses of this memory by other resources that must have finished. 0: everything before. */
    uint32_t waits_for;
} CnGpuBarrier;

/* Records barriers. Those of one call are not ordered among themselves, except that later ones for
 * the same resource wait for earlier ones. */
CN_API void cn_gpu_barriers(CnGpuCommands *commands, const CnGpuBarrier *barriers, uint32_t count);

typedef enum CnGpuLoad { CN_GPU_LOAD, CN_GPU_CLEAR, CN_GPU_DISCARD } CnGpuLoad;

typedef struct CnGpuAttachment {
    CnGpuTexture texture;
    uint32_t mip, layer;
    CnGpuLoad load;
    bool discard_after; /* discards the result after rendering */
    float clear[4];     /* depth: the first value; integer formats: whole numbers */
} CnGpuAttachment;

typedef struct CnGpuRendering {
    const char *name;
    uint32_t width, height;
    uint32_t layers;                          /* 0 selects 1 */
    CnGpuAttachment color[CN_GPU_MAX_COLORS]; /* ends at the first one without a texture */
    CnGpuAttachment depth;
    bool depth_read_only;
} CnGpuRendering;

/* Begins rendering and sets viewport and scissor to the whole area. */
CN_API void cn_gpu_begin_rendering(CnGpuCommands *commands, const CnGpuRendering *rendering);
CN_API void cn_gpu_end_rendering(CnGpuCommands *commands);
CN_API void cn_gpu_set_viewport(CnGpuCommands *commands, float x, float y, float width,
                                float height);
CN_API void cn_gpu_set_scissor(CnGpuCommands *commands, int32_t x, int32_t y, uint32_t width,
                               uint32_t height);

CN_API void cn_gpu_bind_pipeline(CnGpuCommands *commands, CnGpuPipeline pipeline);
/* Binds a range of a buffer; size 0 selects the rest of the buffer. */
CN_API void cn_gpu_bind_buffer(CnGpuCommands *commands, uint32_t binding, CnGpuBuffer buffer,
                               uint64_t offset, uint64_t size);
CN_API void cn_gpu_bind_texture(CnGpuCommands *commands, uint32_t binding, CnGpuTexture texture,
                                CnGpuSampler sampler);
/* Binds a single mip, for chains in which each mip is computed from the one above. */
CN_API void cn_gpu_bind_texture_mip(CnGpuCommands *commands, uint32_t binding, CnGpuTexture texture,
                                    uint32_t mip, CnGpuSampler sampler);
CN_API void cn_gpu_bind_storage_texture(CnGpuCommands *commands, uint32_t binding,
                                        CnGpuTexture texture, uint32_t mip);
/* Sets push constants from the start; `bytes` is a multiple of 4, at most
 * CN_GPU_MAX_CONSTANT_BYTES. */
CN_API void cn_gpu_push_constants(CnGpuCommands *commands, const void *data, uint32_t bytes);

CN_API void cn_gpu_draw(CnGpuCommands *commands, uint32_t vertices, uint32_t instances,
                        uint32_t first_vertex, uint32_t first_instance);
CN_API void cn_gpu_bind_indices(CnGpuCommands *commands, CnGpuBuffer buffer, uint64_t offset,
                                CnGpuFormat format); /* R16U or R32U */
CN_API void cn_gpu_draw_indexed(CnGpuCommands *commands, uint32_t indices, uint32_t instances,
                                uint32_t first_index, int32_t vertex_offset,
                                uint32_t first_instance);
/* Draw from Vulkan's indirect structs in a buffer. For indirect draws, bind indices at offset 0:
 * some drivers ignore other offsets. */
CN_API void cn_gpu_draw_indirect(CnGpuCommands *commands, CnGpuBuffer buffer, uint64_t offset,
                                 uint32_t count, uint32_t stride);
CN_API void cn_gpu_draw_indexed_indirect(CnGpuCommands *commands, CnGpuBuffer buffer,
                                         uint64_t offset, uint32_t count, uint32_t stride);
/* Like the above, with the number of draws in a buffer; at most `max_count`. */
CN_API void cn_gpu_draw_indirect_count(CnGpuCommands *commands, CnGpuBuffer buffer, uint64_t offset,
                                       CnGpuBuffer count_buffer, uint64_t count_offset,
                                       uint32_t max_count, uint32_t stride);
CN_API void cn_gpu_draw_indexed_indirect_count(CnGpuCommands *commands, CnGpuBuffer buffer,
                                               uint64_t offset, CnGpuBuffer count_buffer,
                                               uint64_t count_offset, uint32_t max_count,
                                               uint32_t stride);
#define CN_GPU_MAX_GROUPS 65535u /* per dimension; supported by every device */
CN_API void cn_gpu_dispatch(CnGpuCommands *commands, uint32_t x, uint32_t y, uint32_t z);
CN_API void cn_gpu_dispatch_indirect(CnGpuCommands *commands, CnGpuBuffer buffer, uint64_t offset);

/* Copies bytes between buffers. To be recorded outside of rendering, like all copies. */
CN_API void cn_gpu_copy_buffer(CnGpuCommands *commands, CnGpuBuffer from, uint64_t from_offset,
                               CnGpuBuffer to, uint64_t to_offset, uint64_t size);
/* Fills a range with a 32-bit value; offset and size are multiples of 4. */
CN_API void cn_gpu_fill_buffer(CnGpuCommands *commands, CnGpuBuffer buffer, uint64_t offset,
                               uint64_t size, uint32_t value);

typedef struct CnGpuRegion {
    uint32_t mip, layer, layer_count;       /* layer_count 0 selects 1 */
    uint32_t x, y, z, width, height, depth; /* width 0: the whole mip */
    uint64_t offset;                        /* in the buffer; rows are tightly packed */
} CnGpuRegion;
CN_API void cn_gpu_copy_to_texture(CnGpuCommands *commands, CnGpuBuffer from, CnGpuTexture to,
                                   const CnGpuRegion *region);
CN_API void cn_gpu_copy_from_texture(CnGpuCommands *commands, CnGpuTexture from, CnGpuBuffer to,
                                     const CnGpuRegion *region);
/* Scales a whole mip, with all layers, to a whole mip of another texture, with filtering. */
CN_API void cn_gpu_blit(CnGpuCommands *commands, CnGpuTexture from, uint32_t from_mip,
                        CnGpuTexture to, uint32_t to_mip, CnGpuFilter filter);

/* Memory in the upload buffer of this frame. Write to it immediately; it may be used for any
 * purpose during this frame. Alignment 0 satisfies every kind of binding. `data` is NULL when
 * the frame has used up its upload memory; this is counted. */
typedef struct CnGpuUpload {
    void *data;
    CnGpuBuffer buffer;
    uint64_t offset;
} CnGpuUpload;
CN_API CnGpuUpload cn_gpu_upload(CnGpuCommands *commands, uint64_t bytes, uint64_t alignment);

/* ---- Time and names ---- */

CN_API void cn_gpu_begin_label(CnGpuCommands *commands, const char *name);
CN_API void cn_gpu_end_label(CnGpuCommands *commands);
#define CN_GPU_MAX_TIMERS 128u /* per frame */
/* Measures the GPU time of the commands recorded until cn_gpu_end_timer. Returns the number of
 * the timer in this frame. */
CN_API uint32_t cn_gpu_begin_timer(CnGpuCommands *commands, const char *name);
CN_API void cn_gpu_end_timer(CnGpuCommands *commands, uint32_t timer);

typedef struct CnGpuTiming {
    const char *name;
    float microseconds;
} CnGpuTiming;
/* Returns the number of timings of the last frame known to be complete (updated when a frame
 * begins and by cn_gpu_wait) and stores at most `capacity` of them. Names are valid until the
 * next frame begins. */
CN_API uint32_t cn_gpu_timings(const CnGpu *gpu, CnGpuTiming *timings, uint32_t capacity);

/* ---- The null backend's log ---- */

typedef struct CnGpuLogEntry {
    /* The function without "cn_gpu_", such as "draw"; one "barrier" for each barrier. */
    const char *command;
    char name[32]; /* of a rendering, label or timer; otherwise of the resource */
    /* Barriers: with ranges filled in, and in waits_for all accesses that it waits for (all
     * bits: everything before it). Other commands: their texture and buffer. */
    CnGpuBarrier barrier;
    uint32_t numbers[4]; /* the first four numeric arguments of the command, in order */
} CnGpuLogEntry;
/* Returns the commands of the last frame, or of the current one so far; NULL and 0 with other
 * backends. */
CN_API const CnGpuLogEntry *cn_gpu_command_log(const CnGpu *gpu, uint32_t *count);

CN_EXTERN_C_END

#endif
