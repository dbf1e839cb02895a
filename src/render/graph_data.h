/* What the files of the render graph share. */
#ifndef CAIRN_RENDER_GRAPH_DATA_H
#define CAIRN_RENDER_GRAPH_DATA_H

#include <cairn/base/array.h>
#include <cairn/render/graph.h>

#define CNI_NO_USE UINT32_MAX
#define CNI_ACCESS_BIT(access) (1u << (access))
/* Accesses that no other may follow without a barrier. */
#define CNI_NOT_READS                                                                              \
    (CNI_ACCESS_BIT(CN_GPU_ACCESS_NONE) | CNI_ACCESS_BIT(CN_GPU_ACCESS_COLOR) |                    \
     CNI_ACCESS_BIT(CN_GPU_ACCESS_DEPTH) | CNI_ACCESS_BIT(CN_GPU_ACCESS_WRITE) |                   \
     CNI_ACCESS_BIT(CN_GPU_ACCESS_WRITE_COMPUTE) | CNI_ACCESS_BIT(CN_GPU_ACCESS_COPY_TO))

/* Mips and layers; buffers have one of each. Both counts are at least 1. */
typedef struct CniGraphRange {
    uint32_t mip, mip_count, layer, layer_count;
} CniGraphRange;

/* A pass reads a version of a resource, or writes it and so makes a version. */
typedef struct CniGraphUse {
    uint32_t pass, resource, version;
    CnGpuAccess access;
    bool writes;
    bool keeps; /* what was there before counts */
    bool needs; /* and must have been written */
    CniGraphRange range;
    uint32_t next_of_pass, next_of_resource, previous_writer; /* uses; CNI_NO_USE: none */
} CniGraphUse;

typedef struct CniGraphPass {
    CnGraphPassDesc desc;
    CnGraphPass handle; /* the name is the graph's */
    uint32_t first_use, last_use;
    CnGraphAttachment color[CN_GPU_MAX_COLORS], depth;
    uint32_t color_resource[CN_GPU_MAX_COLORS], depth_resource;
    uint32_t color_count;
    bool has_depth;
    uint32_t width, height, layers; /* of the attachments */
    const char *size_of;            /* the one that gave them */
    bool is_live;
    uint32_t order;
    uint32_t first_barrier, barrier_count;
} CniGraphPass;

typedef struct CniGraphResource {
    const char *name;
    CnGraphOrigin origin;
    bool is_texture;
    CnGpuTextureDesc texture_desc; /* nothing in it is 0 that means 1 */
    CnGpuBufferDesc buffer_desc;
    CnGpuAccess before, after; /* of imports */
    uint32_t kept;             /* index + 1 of what is kept; 0: not */
    uint32_t version;          /* the newest */
    uint32_t first_use, last_use, last_writer;
    uint32_t usage; /* that passes need */

    bool is_live;
    bool is_begun;        /* its first pass has come, while barriers are derived */
    uint32_t first, last; /* order of passes */
    CnGpuTexture texture;
    CnGpuBuffer buffer;
    CnGpuMemoryNeed need;
    uint64_t key; /* of the description of a transient */
    uint64_t offset;
    uint32_t waits_for; /* what touched the memory of a transient before */

    /* While barriers are derived: accesses that the last ones allow, as bits: of all parts, or by
     * layer * mips + mip, from graph->part_states. */
    uint16_t state;
    uint16_t *states;
} CniGraphResource;

typedef struct CniGraphBarrier {
    uint32_t resource;
    CnGpuBarrier barrier;
    uint32_t round; /* barriers of a later one wait for those before */
} CniGraphBarrier;

/* A texture or buffer that outlives frames: a transient, by description and place. */
typedef struct CniGraphPhysical {
    uint64_t key;
    CnGpuTexture texture;
    CnGpuBuffer buffer;
    uint64_t frame; /* that used it last */
} CniGraphPhysical;

/* A persistent resource or a history. */
typedef struct CniGraphKept {
    uint64_t name_hash, key; /* of its description */
    bool is_texture;
    uint32_t count; /* 1, or 2 of a history */
    CnGpuTexture textures[2];
    CnGpuBuffer buffers[2];
    uint16_t *states[2]; /* as it was left; part_count each */
    uint32_t part_count;
    bool has_contents[2];
    uint32_t current; /* which of a history is written */
    uint64_t bytes;   /* of one */
    uint64_t frame;   /* that declared it last */
    bool is_declared; /* in this one */
} CniGraphKept;

/* A part of the heap, the accesses that were the last there, and those before them in this frame. Who takes
 * it next waits for both, although the last waited for those before: the validation layer does not follow a
 * chain through another resource. Sorted, without overlap. */
typedef struct CniGraphTenant {
    uint64_t offset, end;
    uint32_t accesses, before;
} CniGraphTenant;
typedef CN_ARRAY(CniGraphTenant) CniGraphTenants;

/* One allocation of the memory of transients. Offsets run through all heaps: a resource at `begin` lies at
 * the beginning of this one. No resource lies across an end. */
typedef struct CniGraphHeap {
    CnGpuHeap heap;
    uint64_t begin, end;
} CniGraphHeap;

#define CNI_GRAPH_MAX_HEAPS 8u

struct CnGraph {
    CnAllocator *allocator;
    CnGpu *gpu;
    bool no_aliasing;
    uint64_t frame;
    uint32_t serial; /* of handles: tells those of other frames */
    bool is_compiled;
    CnError error; /* the first while declaring */

    CnArena arena; /* of the frame */
    CN_ARRAY(CniGraphPass) passes;
    CN_ARRAY(CniGraphResource) resources;
    CN_ARRAY(CniGraphUse) uses;

    CnU64Array before; /* bit matrix: which passes run before one */
    CnU32Array order;  /* passes that run */
    CnU32Array stack, placed;
    CN_ARRAY(CniGraphBarrier) barriers;
    uint32_t first_last_barrier; /* those after the last pass */

    CN_ARRAY(CniGraphPhysical) physicals;
    uint32_t physical_hint;
    CN_ARRAY(CniGraphKept) kept;
    CnHashMap needs; /* CnGpuMemoryNeed by key */
    CniGraphHeap heaps[CNI_GRAPH_MAX_HEAPS];
    uint32_t heap_count;
    uint64_t heap_bytes; /* of all; the end of the last */
    uint32_t heap_too_big_frames;
    CniGraphTenants tenants, tenants_after; /* as executed; as compiled */
    CnGraphStats stats;
};

/* ---- graph.c ---- */

/* Whether there is this access; otherwise it is a mistake. */
bool cni_graph_is_access(CnGraph *graph, CnGpuAccess access);
/* Remembers the first mistake. */
void cni_graph_mistake(CnGraph *graph, CnErrorCode code, const char *format, ...)
    CN_PRINTF_LIKE(3, 4);
/* The index behind a handle; CNI_NO_USE after a mistake. `what` names it in the message. */
uint32_t cni_graph_resolve(CnGraph *graph, uint32_t id, bool is_texture, const char *what,
                           uint32_t *version);
uint32_t cni_graph_handle(const CnGraph *graph, uint32_t index, uint32_t version);
/* Nothing in it is 0 that means 1. */
CnGpuTextureDesc cni_graph_complete(const CnGpuTextureDesc *desc);
/* Of what a description says, without its name. */
uint64_t cni_graph_texture_key(const CnGpuTextureDesc *desc);
uint64_t cni_graph_buffer_key(const CnGpuBufferDesc *desc);

static inline uint32_t cni_graph_mips(const CniGraphResource *resource)
{
    return resource->is_texture ? resource->texture_desc.mips : 1;
}
static inline uint32_t cni_graph_layers(const CniGraphResource *resource)
{
    return resource->is_texture ? resource->texture_desc.layers : 1;
}
static inline CniGraphRange cni_graph_all(const CniGraphResource *resource)
{
    return (CniGraphRange){0, cni_graph_mips(resource), 0, cni_graph_layers(resource)};
}
static inline bool cni_range_overlaps(const CniGraphRange *a, const CniGraphRange *b)
{
    return a->mip < b->mip + b->mip_count && b->mip < a->mip + a->mip_count &&
           a->layer < b->layer + b->layer_count && b->layer < a->layer + a->layer_count;
}
static inline bool cni_range_covers(const CniGraphRange *a, const CniGraphRange *b)
{
    return a->mip <= b->mip && b->mip + b->mip_count <= a->mip + a->mip_count &&
           a->layer <= b->layer && b->layer + b->layer_count <= a->layer + a->layer_count;
}

/* ---- graph_kept.c: persistent and history resources ---- */

/* Finds or makes the entry of a name; NULL after a mistake. `count` 2: a history. */
CniGraphKept *cni_graph_keep(CnGraph *graph, const char *name, bool is_texture, uint64_t key,
                             uint32_t parts, uint32_t count);
/* Makes what is missing behind the resources that live. */
bool cni_graph_make_kept(CnGraph *graph, CnError *error);
/* Remembers what the frame leaves; swaps; frees what was not declared for long. */
void cni_graph_kept_end(CnGraph *graph);
void cni_graph_kept_fini(CnGraph *graph);

/* ---- graph_access.c ---- */

/* NULL, or why a pass of this kind cannot touch it so. */
const char *cni_graph_access_complaint(CnGpuAccess access, CnGraphKind kind, bool is_texture);
/* The usage that it needs; 0: none. */
uint32_t cni_graph_access_usage(CnGpuAccess access, bool is_texture);
/* Whether a resource in this state, bits of accesses, can be used so without a barrier. */
bool cni_graph_access_is_free(uint32_t state, CnGpuAccess access);
/* The state after a barrier to an access. */
uint32_t cni_graph_access_add(uint32_t state, CnGpuAccess access, bool is_texture);

/* ---- graph_order.c ---- */

bool cni_graph_validate(CnGraph *graph, CnError *error);
void cni_graph_cull(CnGraph *graph);
/* Fills graph->order; false for a cycle, or when out of memory. */
bool cni_graph_sort(CnGraph *graph, CnError *error);

/* ---- graph_memory.c ---- */

bool cni_graph_place(CnGraph *graph, CnError *error);
void cni_graph_memory_end(CnGraph *graph);
void cni_graph_memory_fini(CnGraph *graph);
/* The accesses that touched a part of the heap last; and says which do now. */
uint32_t cni_tenants_find(const CniGraphTenants *tenants, uint64_t offset, uint64_t end);
bool cni_tenants_set(CniGraphTenants *tenants, const CniGraphTenant *tenant);

/* ---- graph_barrier.c ---- */

bool cni_graph_make_barriers(CnGraph *graph, CnError *error);

#endif
