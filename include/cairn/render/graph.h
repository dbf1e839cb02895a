/*
 * The render graph: what a frame draws, as passes over resources, new each frame.
 *
 *     cn_graph_begin(graph);
 *     CnGraphTexture hdr = cn_graph_texture(graph, &(CnGpuTextureDesc){
 *         .name = "hdr", .format = CN_FORMAT_RGBA16F, .width = 1280, .height = 720});
 *     CnGraphTexture window = cn_graph_import_texture(graph, "window", cn_gpu_window_texture(gpu),
 *                                                     CN_GPU_ACCESS_NONE, CN_GPU_ACCESS_PRESENT);
 *
 *     CnGraphPass lit = cn_graph_pass(graph, &(CnGraphPassDesc){.name = "lit", .run = draw_lit});
 *     hdr = cn_graph_color(graph, lit, hdr, &(CnGraphAttachment){.load = CN_GPU_CLEAR});
 *
 *     CnGraphPass tone = cn_graph_pass(graph, &(CnGraphPassDesc){.name = "tone", .run = draw_tone});
 *     cn_graph_read_texture(graph, tone, hdr, CN_GPU_ACCESS_SAMPLE, NULL);
 *     window = cn_graph_color(graph, tone, window, &(CnGraphAttachment){.load = CN_GPU_DROP});
 *
 *     if (cn_graph_compile(graph, &error))
 *         cn_graph_execute(graph, commands);      // between cn_gpu_begin and cn_gpu_end
 *
 * Passes say what they read and write; the graph leaves out those that nobody needs, puts them in order, gives
 * transient resources memory that others use at other times, and makes the barriers. It begins and ends
 * rendering, so `run` only draws, dispatches or copies.
 *
 * Handles have versions. A write gives a new one, and only the newest can be written: each version has one
 * writer. A read is of the version that its handle names, whenever it is declared: it runs after the writer of
 * that version and before the writer of the next. Otherwise passes run in the order in which they were
 * declared. Parts of a texture (mips, layers) that do not overlap do not wait for each other.
 *
 * What is needed: passes with side effects, what leads to the last version of an import with an access
 * after, and to that of persistent and history resources; and whatever those read.
 *
 * Mistakes while declaring are remembered; cn_graph_compile reports the first, with pass and resource.
 * One thread at a time uses a graph. Handles are good until the next cn_graph_begin.
 */
#ifndef CAIRN_RENDER_GRAPH_H
#define CAIRN_RENDER_GRAPH_H

#include <cairn/base/text.h>
#include <cairn/gpu/commands.h>

CN_EXTERN_C_BEGIN

#define CN_GRAPH_MAX_PASSES 1024u
#define CN_GRAPH_MAX_RESOURCES 1023u /* a history counts as two */
#define CN_GRAPH_MAX_VERSIONS 4095u  /* of one resource */
#define CN_GRAPH_MAX_USES 65536u
/* What no frame has asked for during so many is freed. A second or less: passes come and go with what is in
 * view, and making their images anew takes drivers milliseconds. */
#define CN_GRAPH_KEEP_FRAMES 60u
/* The memory of transients shrinks when less than half of it was needed for so many. Longer, because all of
 * them are made anew then. */
#define CN_GRAPH_SHRINK_FRAMES 1800u

typedef struct CnGraph CnGraph;

typedef struct CnGraphTexture {
    uint32_t id;
} CnGraphTexture;
typedef struct CnGraphBuffer {
    uint32_t id;
} CnGraphBuffer;
typedef struct CnGraphPass {
    uint32_t id;
} CnGraphPass;

typedef struct CnGraphDesc {
    CnAllocator *allocator;
    CnGpu *gpu;
    bool
        no_aliasing; /* each transient has memory of its own: to see whether aliasing breaks something */
} CnGraphDesc;

CN_API CnGraph *cn_graph_create(const CnGraphDesc *desc, CnError *error);
/* Before its CnGpu. */
CN_API void cn_graph_destroy(CnGraph *graph);

/* Forgets passes and handles. */
CN_API void cn_graph_begin(CnGraph *graph);
/* Memory until the next cn_graph_begin, for what passes are to know. NULL when out of memory. */
CN_API void *cn_graph_memory(CnGraph *graph, size_t bytes);

/* ---- Resources ---- */

/* Transient: of this frame only, with no contents at first. Usages follow from the passes; `usage` adds to
 * them. In device memory. */
CN_API CnGraphTexture cn_graph_texture(CnGraph *graph, const CnGpuTextureDesc *desc);
CN_API CnGraphBuffer cn_graph_buffer(CnGraph *graph, const CnGpuBufferDesc *desc);

/* Somebody else's. `before` is the access of its last barrier (none: nobody needs its contents), `after` the
 * one that it is to have when the graph is done (none: as it happens, and nobody needs what is written).
 * Each texture and buffer is imported once in a frame. */
CN_API CnGraphTexture cn_graph_import_texture(CnGraph *graph, const char *name,
                                              CnGpuTexture texture, CnGpuAccess before,
                                              CnGpuAccess after);
CN_API CnGraphBuffer cn_graph_import_buffer(CnGraph *graph, const char *name, CnGpuBuffer buffer,
                                            CnGpuAccess before, CnGpuAccess after);

/* What a handle was declared with; nothing in it is 0 that means 1. */
CN_API CnGpuTextureDesc cn_graph_texture_desc(const CnGraph *graph, CnGraphTexture texture);

/* Kept from frame to frame by its name. `is_new` (may be NULL) says that its contents are undefined: it was
 * just made, because it is new, was described otherwise before, or was not declared for
 * CN_GRAPH_KEEP_FRAMES. All usages must be given. */
CN_API CnGraphTexture cn_graph_persistent_texture(CnGraph *graph, const CnGpuTextureDesc *desc,
                                                  bool *is_new);
CN_API CnGraphBuffer cn_graph_persistent_buffer(CnGraph *graph, const CnGpuBufferDesc *desc,
                                                bool *is_new);

/* Two of them that swap with each frame. `previous` is what the last frame wrote into `current`, and can only
 * be read. `is_new`: it is undefined, because the last frame did not write it or had another size. */
typedef struct CnGraphHistory {
    CnGraphTexture previous, current;
    bool is_new;
} CnGraphHistory;
typedef struct CnGraphBufferHistory {
    CnGraphBuffer previous, current;
    bool is_new;
} CnGraphBufferHistory;
CN_API CnGraphHistory cn_graph_history_texture(CnGraph *graph, const CnGpuTextureDesc *desc);
CN_API CnGraphBufferHistory cn_graph_history_buffer(CnGraph *graph, const CnGpuBufferDesc *desc);

/* ---- Passes ---- */

typedef enum CnGraphKind { CN_GRAPH_GRAPHICS, CN_GRAPH_COMPUTE, CN_GRAPH_TRANSFER } CnGraphKind;

typedef struct CnGraphRun {
    CnGraph *graph;
    CnGpuCommands *commands;
    CnGraphPass pass;
    uint32_t width, height; /* of the attachments */
    void *user;
} CnGraphRun;

typedef struct CnGraphPassDesc {
    const char *name;
    CnGraphKind kind;
    void (*run)(const CnGraphRun *run); /* NULL: clearing the attachments is all */
    void *user;
    bool side_effects; /* needed, even if nobody reads what it writes */
} CnGraphPassDesc;

CN_API CnGraphPass cn_graph_pass(CnGraph *graph, const CnGraphPassDesc *desc);
/* For those who declare what passes of others use. */
CN_API CnGraphKind cn_graph_pass_kind(CnGraph *graph, CnGraphPass pass);

typedef struct CnGraphAttachment {
    uint32_t mip, layer;
    uint32_t layers; /* 0 means 1 */
    CnGpuLoad load;
    float clear[4]; /* of depth: the first */
    bool read_only; /* depth: tested, not written; may be sampled by the same pass */
} CnGraphAttachment;

/* Attachments of graphics passes, colors in the order of the calls; NULL: loaded, mip 0, layer 0. What nobody
 * reads later is not stored. */
CN_API CnGraphTexture cn_graph_color(CnGraph *graph, CnGraphPass pass, CnGraphTexture texture,
                                     const CnGraphAttachment *attachment);
/* The same handle when it is read only. */
CN_API CnGraphTexture cn_graph_depth(CnGraph *graph, CnGraphPass pass, CnGraphTexture texture,
                                     const CnGraphAttachment *attachment);

typedef struct CnGraphPart {
    uint32_t mip, mip_count; /* 0, 0: all */
    uint32_t layer, layer_count;
    bool overwrite; /* of writes: all of the part is written, nobody needs what was there */
} CnGraphPart;

/* `part` NULL: all of it, and writes keep what they do not write. Of buffers only `overwrite` counts. */
CN_API void cn_graph_read_texture(CnGraph *graph, CnGraphPass pass, CnGraphTexture texture,
                                  CnGpuAccess access, const CnGraphPart *part);
CN_API CnGraphTexture cn_graph_write_texture(CnGraph *graph, CnGraphPass pass,
                                             CnGraphTexture texture, CnGpuAccess access,
                                             const CnGraphPart *part);
CN_API void cn_graph_read_buffer(CnGraph *graph, CnGraphPass pass, CnGraphBuffer buffer,
                                 CnGpuAccess access);
CN_API CnGraphBuffer cn_graph_write_buffer(CnGraph *graph, CnGraphPass pass, CnGraphBuffer buffer,
                                           CnGpuAccess access, const CnGraphPart *part);

/* ---- The frame ---- */

/* Validates, culls, sorts, places, makes what is missing, and derives the barriers. On an error nothing can be
 * executed until the next cn_graph_begin. */
CN_API bool cn_graph_compile(CnGraph *graph, CnError *error);
/* Records a compiled graph, once: a label and a timer around each pass. */
CN_API void cn_graph_execute(CnGraph *graph, CnGpuCommands *commands);

/* What is behind a handle, after cn_graph_compile: in `run`, of what the pass declared. Null if no pass that
 * runs uses it. */
CN_API CnGpuTexture cn_graph_get_texture(const CnGraph *graph, CnGraphTexture texture);
CN_API CnGpuBuffer cn_graph_get_buffer(const CnGraph *graph, CnGraphBuffer buffer);

/* ---- To look at ---- */

typedef struct CnGraphStats {
    uint32_t passes, culled_passes;
    uint32_t resources, culled_resources;
    uint32_t barriers, barrier_calls;
    uint64_t transient_bytes; /* of transients, if each had its own memory */
    uint64_t placed_bytes;    /* with aliasing: the difference is saved */
    uint64_t heap_bytes;      /* the memory they lie in */
    uint64_t kept_bytes;      /* of persistent and history resources */
    uint32_t made, freed;     /* textures, buffers and heaps, by this frame */
    float microseconds;       /* of the GPU, over all passes, as far as they are timed */
} CnGraphStats;
/* Of the graph that was compiled last. */
CN_API CnGraphStats cn_graph_stats(const CnGraph *graph);

typedef struct CnGraphPassInfo {
    const char *name;
    CnGraphKind kind;
    bool is_culled;
    uint32_t order; /* among those that run */
    uint32_t barriers;
    float microseconds; /* of the last frame that is done and had a pass of this name; 0: unknown */
} CnGraphPassInfo;
/* In the order of declaration; false when there is no such pass. */
CN_API bool cn_graph_pass_info(const CnGraph *graph, uint32_t index, CnGraphPassInfo *info);

typedef enum CnGraphOrigin {
    CN_GRAPH_TRANSIENT,
    CN_GRAPH_IMPORT,
    CN_GRAPH_PERSISTENT,
    CN_GRAPH_PREVIOUS,
    CN_GRAPH_CURRENT
} CnGraphOrigin;

typedef struct CnGraphResourceInfo {
    const char *name;
    CnGraphOrigin origin;
    bool is_texture, is_culled;
    uint32_t first, last; /* passes that use it, as CnGraphPassInfo.order */
    uint64_t bytes;       /* 0 of imports */
    uint64_t offset;      /* of transients, in the heap */
    CnGpuTexture texture; /* or */
    CnGpuBuffer buffer;
} CnGraphResourceInfo;
/* In the order of declaration. */
CN_API bool cn_graph_resource_info(const CnGraph *graph, uint32_t index, CnGraphResourceInfo *info);

/* Appends a picture of the compiled graph: for Graphviz, or on its own. False when out of memory. */
CN_API bool cn_graph_write_dot(const CnGraph *graph, CnTextBuilder *text);
CN_API bool cn_graph_write_svg(const CnGraph *graph, CnTextBuilder *text);

CN_EXTERN_C_END

#endif
