/* Declarations shared by the files of the render graph. */
#ifndef CAIRN_SRC_RENDER_GRAPH_GRAPH_INTERNAL_H
#define CAIRN_SRC_RENDER_GRAPH_GRAPH_INTERNAL_H

#include <cairn/base/array.h>
#include <cairn/render/graph.h>

#define CNI_RENDER_GRAPH_NO_USE UINT32_MAX
#define CNI_RENDER_GRAPH_ACCESS_BIT(access) (1u << (access))
/* Accesses that require a barrier before any other access. */
#define CNI_RENDER_GRAPH_NOT_READS                                                                 \
    (CNI_RENDER_GRAPH_ACCESS_BIT(CN_GPU_ACCESS_NONE) |                                             \
     CNI_RENDER_GRAPH_ACCESS_BIT(CN_GPU_ACCESS_COLOR) |                                            \
     CNI_RENDER_GRAPH_ACCESS_BIT(CN_GPU_ACCESS_DEPTH) |                                            \
     CNI_RENDER_GRAPH_ACCESS_BIT(CN_GPU_ACCESS_WRITE) |                                            \
     CNI_RENDER_GRAPH_ACCESS_BIT(CN_GPU_ACCESS_WRITE_COMPUTE) |                                    \
     CNI_RENDER_GRAPH_ACCESS_BIT(CN_GPU_ACCESS_COPY_TO))

/* Mips and layers; buffers have one of each. Both counts are at least 1. */
typedef struct CniRenderGraphRange {
    uint32_t mip, mip_count, layer, layer_count;
} CniRenderGraphRange;

/* A use of a resource by a pass: reads a version, or writes and thereby creates one. */
typedef struct CniRenderGraphUse {
    uint32_t pass, resource, version;
    CnGpuAccess access;
    bool writes;
    bool keeps; /* the previous contents are preserved */
    bool needs; /* and must have been written */
    CniRenderGraphRange range;
    /* indices of uses; CNI_RENDER_GRAPH_NO_USE: none */
    uint32_t next_of_pass, next_of_resource, previous_writer;
} CniRenderGraphUse;

typedef struct CniRenderGraphPass {
    CnGraphPassDesc desc;
    CnGraphPass handle; /* the graph owns the name */
    uint32_t first_use, last_use;
    CnGraphAttachment color[CN_GPU_MAX_COLORS], depth;
    uint32_t color_resource[CN_GPU_MAX_COLORS], depth_resource;
    uint32_t color_count;
    bool has_depth;
    uint32_t width, height, layers; /* of the attachments */
    const char *size_of;            /* name of the attachment that determined the size */
    bool is_live;
    uint32_t order;
    uint32_t first_barrier, barrier_count;
} CniRenderGraphPass;

typedef struct CniRenderGraphResource {
    const char *name;
    CnGraphOrigin origin;
    bool is_texture;
    CnGpuTextureDesc texture_desc; /* with defaults filled in */
    CnGpuBufferDesc buffer_desc;
    CnGpuAccess before, after; /* of imports */
    uint32_t persistent;       /* index + 1 of the kept resource; 0: none */
    uint32_t version;          /* the newest */
    uint32_t first_use, last_use, last_writer;
    uint32_t usage; /* required by passes */

    bool is_live;
    bool is_begun;        /* its first pass was reached while deriving barriers */
    uint32_t first, last; /* order of passes */
    CnGpuTexture texture;
    CnGpuBuffer buffer;
    CnGpuMemoryRequirements need;
    uint64_t key; /* hash of a transient's description */
    uint64_t offset;
    uint32_t waits_for; /* accesses that used the memory of a transient before */

    /* Used while deriving barriers: bits of the accesses that are possible without a barrier, for
     * all parts, or per part in graph->part_states at layer * mips + mip. */
    uint16_t state;
    uint16_t *states;
} CniRenderGraphResource;

typedef struct CniRenderGraphBarrier {
    uint32_t resource;
    CnGpuBarrier barrier;
    uint32_t round; /* barriers of a later round wait for those of earlier ones */
} CniRenderGraphBarrier;

/* A texture or buffer that outlives frames: a transient, identified by description and offset. */
typedef struct CniRenderGraphPhysical {
    uint64_t key;
    CnGpuTexture texture;
    CnGpuBuffer buffer;
    uint64_t frame; /* last frame that used it */
} CniRenderGraphPhysical;

/* A persistent resource or a history. */
typedef struct CniRenderGraphPersistent {
    uint64_t name_hash, key; /* of its description */
    bool is_texture;
    uint32_t count; /* 1, or 2 for a history */
    CnGpuTexture textures[2];
    CnGpuBuffer buffers[2];
    uint16_t *states[2]; /* final state; part_count entries each */
    uint32_t part_count;
    bool has_contents[2];
    uint32_t current; /* index of the history texture that is written */
    uint64_t bytes;   /* of one resource */
    uint64_t frame;   /* last frame that declared it */
    bool is_declared; /* in this frame */
} CniRenderGraphPersistent;

/* A part of the heap, the last accesses there, and those before them in this frame. The next user
 * waits for both, although the last one already waited for those before: the validation layer does
 * not follow a chain through another resource. Sorted, without overlaps. */
typedef struct CniRenderGraphHeapRange {
    uint64_t offset, end;
    uint32_t accesses, before;
} CniRenderGraphHeapRange;
typedef CN_ARRAY(CniRenderGraphHeapRange) CniRenderGraphHeapRanges;

/* One allocation of transient memory. Offsets continue through all heaps: a resource at `begin` is
 * at the beginning of this one. No resource spans two heaps. Heaps are sorted by offset, with gaps
 * where others were freed. */
typedef struct CniRenderGraphHeap {
    CnGpuHeap heap;
    uint64_t begin, end;
    uint64_t frame; /* the last that used it */
} CniRenderGraphHeap;

#define CNI_RENDER_GRAPH_MAX_HEAPS 32u

struct CnGraph {
    CnAllocator *allocator;
    CnGpu *gpu;
    bool no_aliasing;
    uint64_t frame;
    uint32_t serial; /* part of handles, to detect those of other frames */
    bool is_compiled;
    CnError error; /* the first error in declarations */

    CnArena arena; /* of the frame */
    CN_ARRAY(CniRenderGraphPass) passes;
    CN_ARRAY(CniRenderGraphResource) resources;
    CN_ARRAY(CniRenderGraphUse) uses;

    CnU64Array before; /* bit matrix: which passes run before a pass */
    CnU32Array order;  /* passes that run */
    CnU32Array stack, placed;
    CN_ARRAY(CniRenderGraphBarrier) barriers;
    uint32_t first_last_barrier; /* those after the last pass */

    CN_ARRAY(CniRenderGraphPhysical) physicals;
    uint32_t physical_hint;
    CN_ARRAY(CniRenderGraphPersistent) persistent;
    CnHashMap needs; /* CnGpuMemoryRequirements by key */
    CniRenderGraphHeap heaps[CNI_RENDER_GRAPH_MAX_HEAPS];
    uint32_t heap_count;
    uint64_t heap_bytes;                                     /* sum over all heaps */
    CniRenderGraphHeapRanges heap_ranges, heap_ranges_after; /* as executed; as compiled */
    CnGraphStats stats;
};

/* ---- graph.c ---- */

/* Returns whether the access is valid; otherwise reports a mistake. */
bool cni_render_graph_is_access(CnGraph *graph, CnGpuAccess access);
/* Stores the first mistake. */
void cni_render_graph_record_error(CnGraph *graph, CnErrorCode code, const char *format, ...)
    CN_PRINTF_LIKE(3, 4);
/* Returns the index of a handle; CNI_RENDER_GRAPH_NO_USE after a mistake. `what` names the pass in
 * the message. */
uint32_t cni_render_graph_resolve(CnGraph *graph, uint32_t id, bool is_texture, const char *what,
                                  uint32_t *version);
uint32_t cni_render_graph_handle(const CnGraph *graph, uint32_t index, uint32_t version);
/* Fills in the defaults of a description. */
CnGpuTextureDesc cni_render_graph_complete(const CnGpuTextureDesc *desc);
/* Returns the hash of a description without its name. */
uint64_t cni_render_graph_texture_key(const CnGpuTextureDesc *desc);
uint64_t cni_render_graph_buffer_key(const CnGpuBufferDesc *desc);

static inline uint32_t cni_render_graph_mips(const CniRenderGraphResource *resource)
{
    return resource->is_texture ? resource->texture_desc.mips : 1;
}
static inline uint32_t cni_render_graph_layers(const CniRenderGraphResource *resource)
{
    return resource->is_texture ? resource->texture_desc.layers : 1;
}
static inline CniRenderGraphRange cni_render_graph_all(const CniRenderGraphResource *resource)
{
    return (CniRenderGraphRange){0, cni_render_graph_mips(resource), 0,
                                 cni_render_graph_layers(resource)};
}
static inline bool cni_render_graph_range_overlaps(const CniRenderGraphRange *a,
                                                   const CniRenderGraphRange *b)
{
    return a->mip < b->mip + b->mip_count && b->mip < a->mip + a->mip_count &&
           a->layer < b->layer + b->layer_count && b->layer < a->layer + a->layer_count;
}
static inline bool cni_render_graph_range_covers(const CniRenderGraphRange *a,
                                                 const CniRenderGraphRange *b)
{
    return a->mip <= b->mip && b->mip + b->mip_count <= a->mip + a->mip_count &&
           a->layer <= b->layer && b->layer + b->layer_count <= a->layer + a->layer_count;
}

/* ---- graph_persistent.c: persistent and history resources ---- */

/* Finds or creates the entry of a name; returns NULL after a mistake. `count` 2: a history. */
CniRenderGraphPersistent *cni_render_graph_persistent_acquire(CnGraph *graph, const char *name,
                                                              bool is_texture, uint64_t key,
                                                              uint32_t parts, uint32_t count);
/* Creates missing textures and buffers for the resources in use. */
bool cni_render_graph_persistent_create(CnGraph *graph, CnError *error);
/* Stores the final states of the frame, swaps histories, and frees resources that were not declared
 * for a long time. */
void cni_render_graph_persistent_end(CnGraph *graph);
void cni_render_graph_persistent_fini(CnGraph *graph);

/* ---- graph_access.c ---- */

/* Returns NULL, or the reason why a pass of this kind cannot use the access. */
const char *cni_render_graph_access_error(CnGpuAccess access, CnGraphPassKind kind,
                                          bool is_texture);
/* Returns the required usage; 0: none. */
uint32_t cni_render_graph_access_usage(CnGpuAccess access, bool is_texture);
/* Returns whether a resource in this state (bits of accesses) can be used without a barrier. */
bool cni_render_graph_access_is_free(uint32_t state, CnGpuAccess access);
/* Returns the state after a barrier to an access. */
uint32_t cni_render_graph_access_add(uint32_t state, CnGpuAccess access, bool is_texture);

/* ---- graph_pass_order.c ---- */

bool cni_render_graph_validate(CnGraph *graph, CnError *error);
void cni_render_graph_cull(CnGraph *graph);
/* Fills graph->order; returns false for a cycle, or if out of memory. */
bool cni_render_graph_sort(CnGraph *graph, CnError *error);

/* ---- graph_transient_memory.c ---- */

bool cni_render_graph_place(CnGraph *graph, CnError *error);
void cni_render_graph_memory_end(CnGraph *graph);
void cni_render_graph_memory_fini(CnGraph *graph);
/* Return the accesses that last used a part of the heap, and record the current ones. */
uint32_t cni_render_graph_heap_ranges_find(const CniRenderGraphHeapRanges *heap_ranges,
                                           uint64_t offset, uint64_t end);
bool cni_render_graph_heap_ranges_set(CniRenderGraphHeapRanges *heap_ranges,
                                      const CniRenderGraphHeapRange *heap_range);
/* Removes the tenants of a heap that is freed. */
void cni_tenants_remove(CniRenderGraphHeapRanges *heap_ranges, uint64_t offset, uint64_t end);

/* ---- graph_barrier.c ---- */

bool cni_render_graph_make_barriers(CnGraph *graph, CnError *error);

#endif
