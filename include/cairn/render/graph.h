/*
 * The render graph: the passes of a frame and the resources they use, declared anew in each frame.
 *
 *     CnGpuTextureDesc desc = {
 *         .name = "hdr", .format = CN_GPU_FORMAT_RGBA16F, .width = 1280, .height = 720};
 *     cn_graph_begin(graph);
 *     CnGraphTexture hdr = cn_graph_create_texture(graph, &desc);
 *     CnGraphTexture window = cn_graph_import_texture(graph, "window", cn_gpu_window_texture(gpu),
 *                                                     CN_GPU_ACCESS_NONE, CN_GPU_ACCESS_PRESENT);
 *
 *     CnGraphPassDesc lit_desc = {.name = "lit", .run = run_lit};
 *     CnGraphPass lit = cn_graph_add_pass(graph, &lit_desc);
 *     CnGraphAttachment clear = {.load = CN_GPU_CLEAR}, discard = {.load = CN_GPU_DISCARD};
 *     hdr = cn_graph_color_attachment(graph, lit, hdr, &clear);
 *
 *     CnGraphPassDesc tone_desc = {.name = "tone", .run = run_tone};
 *     CnGraphPass tone = cn_graph_add_pass(graph, &tone_desc);
 *     cn_graph_read_texture(graph, tone, hdr, CN_GPU_ACCESS_SAMPLE, NULL);
 *     window = cn_graph_color_attachment(graph, tone, window, &discard);
 *
 *     if (cn_graph_compile(graph, &error))
 *         cn_graph_execute(graph, commands); // between cn_gpu_begin_frame and cn_gpu_end_frame
 *
 * Passes declare what they read and write. The graph culls passes whose results are not used,
 * orders the rest, lets transient resources share memory if their lifetimes do not overlap, and
 * inserts the barriers. It begins and ends rendering, so `run` only draws, dispatches or copies.
 *
 * Handles have versions. A write returns a new version, and only the newest version can be written,
 * so each version has one writer. A read refers to the version of its handle, whenever it is
 * declared: the pass runs after the writer of that version and before the writer of the next one.
 * Otherwise passes run in the order of declaration. Accesses to parts of a texture (mips, layers)
 * that do not overlap do not depend on each other.
 *
 * A pass is kept if it has side effects, or if it contributes to the last version of an import with
 * an access after the graph, of a persistent resource or of a history, or to anything that a kept
 * pass reads.
 *
 * Errors in declarations are stored; cn_graph_compile reports the first one with its pass and
 * resource. One thread at a time uses a graph. Handles are valid until the next cn_graph_begin.
 */
#ifndef CAIRN_RENDER_GRAPH_H
#define CAIRN_RENDER_GRAPH_H

#include <cairn/base/text.h>
#include <cairn/gpu/commands.h>

CN_EXTERN_C_BEGIN

#define CN_GRAPH_MAX_PASSES 1024u
#define CN_GRAPH_MAX_RESOURCES 1023u /* a history counts twice */
#define CN_GRAPH_MAX_VERSIONS 4095u  /* per resource */
#define CN_GRAPH_MAX_USES 65536u
/* Resources that no frame requested for this many frames are freed. About a second: passes come and
 * go with what is in view, and recreating their images takes drivers milliseconds. */
#define CN_GRAPH_KEEP_FRAMES 60u
/* A heap that no transient used for this many frames is freed, one heap per frame. The delay is
 * longer because drivers take milliseconds to allocate the memory again. */
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
    /* give each transient its own memory, to find out whether aliasing causes a fault */
    bool no_aliasing;
} CnGraphDesc;

/* Creates a graph. Returns NULL and an error if out of memory. */
CN_API CnGraph *cn_graph_create(const CnGraphDesc *desc, CnError *error);
/* Destroy the graph before its CnGpu. */
CN_API void cn_graph_destroy(CnGraph *graph);

/* Starts a new frame: drops all passes and handles. */
CN_API void cn_graph_begin(CnGraph *graph);
/* Allocates memory for data of passes, valid until the next cn_graph_begin. Returns NULL if out of
 * memory. */
CN_API void *cn_graph_alloc(CnGraph *graph, size_t bytes);

/* ---- Resources ---- */

/* Create transient resources in device memory, which exist in this frame only and have undefined
 * initial contents. The passes determine the usages; `usage` adds further ones. */
CN_API CnGraphTexture cn_graph_create_texture(CnGraph *graph, const CnGpuTextureDesc *desc);
CN_API CnGraphBuffer cn_graph_create_buffer(CnGraph *graph, const CnGpuBufferDesc *desc);

/* Import resources owned by others. `before` is the access of the last barrier (none: the contents
 * are not needed); `after` is the access to leave the resource in (none: any, and the result is not
 * needed). A texture or buffer may be imported once per frame. */
CN_API CnGraphTexture cn_graph_import_texture(CnGraph *graph, const char *name,
                                              CnGpuTexture texture, CnGpuAccess before,
                                              CnGpuAccess after);
CN_API CnGraphBuffer cn_graph_import_buffer(CnGraph *graph, const char *name, CnGpuBuffer buffer,
                                            CnGpuAccess before, CnGpuAccess after);

/* Returns the description of a handle, with defaults filled in. */
CN_API CnGpuTextureDesc cn_graph_texture_desc(const CnGraph *graph, CnGraphTexture texture);

/* Create resources that persist between frames, identified by name. `is_new` (may be NULL) is
 * set if the contents are undefined because the resource was just created: it is new, its
 * description changed, or it was not declared for CN_GRAPH_KEEP_FRAMES. The description has to
 * list all usages. */
CN_API CnGraphTexture cn_graph_persistent_texture(CnGraph *graph, const CnGpuTextureDesc *desc,
                                                  bool *is_new);
CN_API CnGraphBuffer cn_graph_persistent_buffer(CnGraph *graph, const CnGpuBufferDesc *desc,
                                                bool *is_new);

/* Two resources that swap in each frame. `previous` is what the last frame wrote into `current`,
 * and is read-only. `is_new` means that `previous` is undefined, because the last frame did not
 * write it or used another size. */
typedef struct CnGraphHistory {
    CnGraphTexture previous, current;
    bool is_new;
} CnGraphHistory;
typedef struct CnGraphBufferHistory {
    CnGraphBuffer previous, current;
    bool is_new;
} CnGraphBufferHistory;
/* Create a history, identified by name. The description has to list all usages. */
CN_API CnGraphHistory cn_graph_history_texture(CnGraph *graph, const CnGpuTextureDesc *desc);
CN_API CnGraphBufferHistory cn_graph_history_buffer(CnGraph *graph, const CnGpuBufferDesc *desc);

/* ---- Passes ---- */

typedef enum CnGraphPassKind {
    CN_GRAPH_GRAPHICS,
    CN_GRAPH_COMPUTE,
    CN_GRAPH_TRANSFER
} CnGraphPassKind;

typedef struct CnGraphRun {
    CnGraph *graph;
    CnGpuCommands *commands;
    CnGraphPass pass;
    uint32_t width, height; /* of the attachments */
    void *user;
} CnGraphRun;

typedef struct CnGraphPassDesc {
    const char *name;
    CnGraphPassKind kind;
    void (*run)(const CnGraphRun *run); /* NULL: the pass only clears its attachments */
    void *user;
    bool side_effects; /* never culled, even if no pass reads its results */
} CnGraphPassDesc;

/* Adds a pass. The name is copied. Returns a null handle after a mistake. */
CN_API CnGraphPass cn_graph_add_pass(CnGraph *graph, const CnGraphPassDesc *desc);
/* Returns the kind of a pass, for code that declares accesses of passes it did not create. */
CN_API CnGraphPassKind cn_graph_pass_kind(CnGraph *graph, CnGraphPass pass);

typedef struct CnGraphAttachment {
    uint32_t mip, layer;
    uint32_t layers; /* 0 selects 1 */
    CnGpuLoad load;
    float clear[4]; /* depth uses the first */
    bool read_only; /* depth is tested but not written; the same pass may sample it */
} CnGraphAttachment;

/* Add attachments to a graphics pass, colors in the order of the calls. NULL: loaded, mip 0, layer
 * 0. Contents that no later pass reads are not stored. */
CN_API CnGraphTexture cn_graph_color_attachment(CnGraph *graph, CnGraphPass pass,
                                                CnGraphTexture texture,
                                                const CnGraphAttachment *attachment);
/* Returns the same handle if the attachment is read-only. */
CN_API CnGraphTexture cn_graph_depth_attachment(CnGraph *graph, CnGraphPass pass,
                                                CnGraphTexture texture,
                                                const CnGraphAttachment *attachment);

typedef struct CnGraphSubresource {
    uint32_t mip, mip_count; /* 0, 0 selects all */
    uint32_t layer, layer_count;
    bool overwrite; /* writes: the whole part is written, and its old contents are not needed */
} CnGraphSubresource;

/* Declare accesses of a pass. `part` NULL selects the whole resource, and writes preserve what they
 * do not overwrite. For buffers, only `overwrite` is used. */
CN_API void cn_graph_read_texture(CnGraph *graph, CnGraphPass pass, CnGraphTexture texture,
                                  CnGpuAccess access, const CnGraphSubresource *part);
CN_API CnGraphTexture cn_graph_write_texture(CnGraph *graph, CnGraphPass pass,
                                             CnGraphTexture texture, CnGpuAccess access,
                                             const CnGraphSubresource *part);
CN_API void cn_graph_read_buffer(CnGraph *graph, CnGraphPass pass, CnGraphBuffer buffer,
                                 CnGpuAccess access);
CN_API CnGraphBuffer cn_graph_write_buffer(CnGraph *graph, CnGraphPass pass, CnGraphBuffer buffer,
                                           CnGpuAccess access, const CnGraphSubresource *part);

/* ---- Compilation and execution ---- */

/* Validates, culls and orders the passes, places transients, creates missing resources and derives
 * the barriers. After an error, the graph cannot be executed until the next cn_graph_begin. */
CN_API bool cn_graph_compile(CnGraph *graph, CnError *error);
/* Records a compiled graph, once, with a label and a timer for each pass. */
CN_API void cn_graph_execute(CnGraph *graph, CnGpuCommands *commands);

/* Return the GPU resource of a handle after cn_graph_compile; within `run`, only of resources that
 * the pass declared. The result is null if no remaining pass uses the resource. */
CN_API CnGpuTexture cn_graph_get_texture(const CnGraph *graph, CnGraphTexture texture);
CN_API CnGpuBuffer cn_graph_get_buffer(const CnGraph *graph, CnGraphBuffer buffer);

/* ---- Inspection ---- */

typedef struct CnGraphStats {
    uint32_t passes, culled_passes;
    uint32_t resources, culled_resources;
    uint32_t barriers, barrier_calls;
    uint64_t transient_bytes;  /* of all transients without aliasing */
    uint64_t placed_bytes;     /* of all transients with aliasing */
    uint64_t heap_bytes;       /* memory allocated for transients */
    uint64_t persistent_bytes; /* of persistent and history resources */
    uint32_t created, freed;   /* textures, buffers and heaps created and freed in this frame */
    float microseconds;        /* GPU time of all timed passes */
} CnGraphStats;
/* Returns the statistics of the last compiled graph. */
CN_API CnGraphStats cn_graph_stats(const CnGraph *graph);

typedef struct CnGraphPassInfo {
    const char *name;
    CnGraphPassKind kind;
    bool is_culled;
    uint32_t order; /* of execution */
    uint32_t barriers;
    /* GPU time in the last completed frame with a pass of this name; 0: unknown */
    float microseconds;
} CnGraphPassInfo;
/* Returns a pass in the order of declaration; false if there is no such pass. */
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
    uint32_t first, last; /* CnGraphPassInfo.order of the first and last pass that use it */
    uint64_t bytes;       /* 0 for imports */
    uint64_t offset;      /* of transients, within the heap */
    CnGpuTexture texture; /* of a texture; otherwise */
    CnGpuBuffer buffer;
} CnGraphResourceInfo;
/* Returns a resource in the order of declaration; false if there is no such resource. */
CN_API bool cn_graph_resource_info(const CnGraph *graph, uint32_t index, CnGraphResourceInfo *info);

/* Append a diagram of the compiled graph, for Graphviz or as SVG. Return false if out of memory. */
CN_API bool cn_graph_write_dot(const CnGraph *graph, CnTextBuilder *text);
CN_API bool cn_graph_write_svg(const CnGraph *graph, CnTextBuilder *text);

CN_EXTERN_C_END

#endif
