/*
 * Blocks on the GPU, shared by the features that draw them: block_upload_queue.c is the upload
 * queue, block_gpu_storage.c dequeues uploads and stores the data, and chunk_culling.c culls and
 * draws it.
 *
 * A record is a chunk or a tile of far terrain. shaders/render/block/blocks.glsl has the same
 * layouts.
 */
#ifndef CAIRN_SRC_RENDER_BLOCK_BLOCK_VIEW_H
#define CAIRN_SRC_RENDER_BLOCK_BLOCK_VIEW_H

#include "render/core/range_allocator.h"
#include "render/core/renderer_internal.h"

#include <cairn/base/hash_map.h>
#include <cairn/render/blocks.h>

#include <assert.h>
#include <pthread.h>

#define CNI_RENDER_BLOCK_ENDS 19u
#define CNI_RENDER_NO_RECORD UINT32_MAX
#define CNI_RENDER_MAX_BLOCK_RECORDS 65536u
/* Per draw: the range of 16-bit indices. */
#define CNI_RENDER_BLOCK_DRAW_QUADS 16384u

typedef struct CniRenderBlockRecord {
    int32_t chunk_position[3]; /* of the corner */
    uint32_t first;            /* index of the first quad */
    float low[3];              /* bounds of the contents, relative to the corner, in blocks */
    uint32_t level; /* of far terrain; 0: a chunk; combined with CNI_RENDER_BLOCK_HIDDEN */
    float high[3];
    float fade_start; /* time at which a tile starts to fade in, seconds */
    /* End of the quads of each part, face by face, relative to `first`; props have only one end. */
    uint32_t ends[CNI_RENDER_BLOCK_ENDS];
    uint32_t is_dark; /* sunlight cannot enter: it casts no sun shadow */
} CniRenderBlockRecord;
#define CNI_RENDER_BLOCK_HIDDEN 16u
/* The head of the culling output, in words: draw counts of each list, and from CNI_RENDER_COUNTS_AT
 * on records and quads. The draws of four lists of cni_render_quad_list and their quads are counted
 * in place of those of bands; those of a second list follow. Where culling writes items, the quads
 * of its draws (water) are counted at CNI_RENDER_WATER_AT, separately from those of the items. */
#define CNI_RENDER_HEAD_WORDS 16u
#define CNI_RENDER_COUNTS_AT 8u
#define CNI_RENDER_QUAD_LISTS 4u
#define CNI_RENDER_SECOND_LISTS_AT 10u
#define CNI_RENDER_WATER_AT 15u
#define CNI_RENDER_COUNT_BYTES (CNI_RENDER_HEAD_WORDS * 4u)

/* The first bits of the fields of a far quad; x is at 0. blocks_quad_bits.glsl repeats them. */
#define CNI_RENDER_FAR_Z_SHIFT 6
#define CNI_RENDER_FAR_Y_SHIFT 12
#define CNI_RENDER_FAR_WIDTH_SHIFT 22
#define CNI_RENDER_FAR_SKIRT_SHIFT 27
#define CNI_RENDER_FAR_BLOCK_SHIFT 32
#define CNI_RENDER_FAR_HEIGHT_SHIFT 44

/* Which chunks exist: a bit grid that repeats and is larger than any view. */
#define CNI_RENDER_PRESENCE_WORDS (1u << 16)
static inline uint32_t cni_render_presence_bit(const int32_t chunk_position[3])
{
    return ((uint32_t)chunk_position[0] & 255) | ((uint32_t)chunk_position[1] & 31) << 8 |
           ((uint32_t)chunk_position[2] & 255) << 13;
}

/* A pending upload: quads of 8 bytes and their record. */
typedef struct CniRenderBlockUpload {
    uint64_t key;
    CniRenderBlockRecord record; /* without `first` */
    /* Quads that sky light does not reach, if there are many: a separate record, which terrain
     * occludes more often. Its quads come last. */
    CniRenderBlockRecord dark;
    CnQuad *quads; /* NULL: none */
    uint32_t count, dark_count;
    bool is_removal;
} CniRenderBlockUpload;

typedef struct CniRenderBlockTextures {
    void *bytes; /* copy of the file, until it is uploaded */
    size_t size;
    CnGpuTexture color, detail;
    CnGpuSampler sampler;
} CniRenderBlockTextures;

/* Tint factors by position: block_climate.c. */
typedef struct CniRenderBlockClimate {
    uint8_t factors[CN_CLIMATE_SIZE * CN_CLIMATE_SIZE][4]; /* protected by the lock, like is_new */
    bool is_new, is_sent;
    CnGpuTexture texture;
    CnGpuSampler sampler;
} CniRenderBlockClimate;

/* The parts of a view that are drawn into one image. */
typedef struct CniRenderBlockDrawList {
    const CnBlockView *view;
    CnGraphBuffer buffer;
    uint32_t capacity; /* in records; 0: nothing to draw */
    bool is_water;     /* draws of water only: solid quads became items */
    CnGraphBuffer
        quad_draws[2]; /* draws of cni_render_quad_list, which are counted as well; or none */
} CniRenderBlockDrawList;

/* Indices that have to be uploaded, as bits, so that none is lost when memory runs out. */
#define CNI_RENDER_DIRTY_WORDS (CNI_RENDER_PRESENCE_WORDS / 64)
typedef struct CniRenderDirtySet {
    uint32_t count;
    uint64_t marks[CNI_RENDER_DIRTY_WORDS];
} CniRenderDirtySet;
static_assert(CNI_RENDER_DIRTY_WORDS * 64 >= CNI_RENDER_MAX_BLOCK_RECORDS, "a bit for each record");

struct CnBlockView {
    CnAllocator *allocator;
    uint32_t max_quads, max_records, upload_bytes;

    /* The upload queue, protected by the lock. */
    pthread_mutex_t lock;
    CnHashMap uploads;    /* by key */
    CnU64Array queues[2]; /* keys in order: changed chunks, new chunks */
    uint32_t queue_begins[2];
    CnHashMap queued_keys; /* keys that were added and not removed */
    uint64_t waiting_bytes;
    uint64_t refused_uploads; /* refused for lack of memory */
    CnBlockAim aim;
    CnBlockViewStats stats;

    /* Used by the renderer only. */
    CnRenderer *renderer; /* while features use the view */
    uint32_t users;
    CN_ARRAY(CniRenderBlockUpload) dequeued; /* dequeued and not yet uploaded */
    uint32_t dequeued_begin;
    /* Chunks and tiles of far terrain by key: the index of a record, or none if it is empty. */
    CnHashMap records, tiles;
    uint64_t refused; /* meshes for which there was no space */
    CN_ARRAY(CniRenderBlockRecord) all;
    CnU32Array dark_records; /* index of the dark record of each record, or none */
    CnU32Array free_records;
    CniRenderRangeAllocator ranges;
    uint32_t *presence;                           /* CNI_RENDER_PRESENCE_WORDS */
    CniRenderDirtySet dirty_records, dirty_words; /* dirty entries of `all` and `presence` */
    const CnBlockTable *blocks;
    CniRenderBlockTextures textures;
    CniRenderBlockClimate climate;
    CnGpuBuffer quad_buffer, record_buffer, table_buffer, index_buffer, presence_buffer;
    /* Draw counts, read back when a frame completes. */
    CnGpuBuffer counts[CN_GPU_FRAMES];
    /* lists of draws whose counts are stored there: of the camera, */
    uint32_t counted[CN_GPU_FRAMES];
    uint32_t counted_shadows[CN_GPU_FRAMES]; /* followed by those of shadows */
    uint64_t counted_in[CN_GPU_FRAMES];      /* number of that frame */
    uint64_t all_draws, all_quads;           /* of a completed frame, with shadows */
    bool is_cleared;                         /* frames may change the buffers */
    uint64_t frame;                          /* number + 1 of the last frame that began */
    /* Visible records that Blocks found in this frame, including water, for later features. */
    CniRenderBlockDrawList seen[2];
    uint32_t seen_count;
    /* Draws into shadow maps in this frame, for the counts. */
    CnGraphBuffer shadow_draws[CN_MAX_SHADOW_VIEWS];
    uint32_t shadow_count;
    bool tiles_changed;
    double tiles_settle; /* time at which the last tile has faded in */
};

/* ---- Uploads ---- */

static inline uint64_t cni_render_far_tile_key(CnLodTile tile)
{
    return 1ull << 63 | (uint64_t)tile.level << 60 | ((uint64_t)tile.x & 0x3FFFFFFF) << 30 |
           ((uint64_t)tile.z & 0x3FFFFFFF);
}
/* Fills the rest of an upload from a mesh of far terrain; returns false if out of memory. */
bool cni_render_block_upload_fill_far(CnAllocator *allocator, const CnLodMesh *mesh,
                                      CniRenderBlockUpload *pending);
/* Moves uploads up to the byte budget of the frame into `taken`. */
void cni_render_block_upload_dequeue(CnBlockView *view);
void cni_render_block_upload_free(CnBlockView *view, CniRenderBlockUpload *pending);

/* ---- GPU data ---- */

/* Called in setup and destroy of a feature that uses the view. */
bool cni_render_block_view_attach(CnRenderer *renderer, CnBlockView *view, CnError *error);
void cni_render_block_view_detach(CnRenderer *renderer, CnBlockView *view);
/* Returns the time at which a new tile starts to fade in: long ago, if nothing else is drawn in its
 * place. */
double cni_render_far_quadtree_fade_start(const CnBlockView *view, uint64_t key, double time);
/* Updates which tiles of far terrain are drawn, after they have changed. */
void cni_render_far_quadtree_update(CnBlockView *view, double time);
void cni_render_dirty_set_add(CniRenderDirtySet *dirty, uint32_t number);
/* Returns whether everything that block draws bind exists. */
static inline bool cni_render_block_view_is_ready(const CnBlockView *view)
{
    return view->is_cleared && view->climate.is_sent;
}
/* Called in update: uploads queued data, once per frame. */
void cni_render_block_view_begin(CnFrame *frame, CnBlockView *view);

/* ---- Climate: block_climate.c ---- */

bool cni_render_block_climate_create(CnRenderer *renderer, CniRenderBlockClimate *climate,
                                     CnError *error);
void cni_render_block_climate_destroy(CnRenderer *renderer, CniRenderBlockClimate *climate);
void cni_render_block_climate_send(CnFrame *frame, CnBlockView *view);

/* ---- Drawing ---- */

/* Bindings of every pipeline that draws blocks, as in blocks.glsl. */
enum { CNI_RENDER_BLOCK_BINDINGS = 8 };
void cni_render_block_bindings(CnGpuBindingKind bindings[CN_GPU_MAX_BINDINGS]);
void cni_render_block_bind(CnFrame *frame, const CnBlockView *view, CnGpuCommands *commands);

/* The lists that culling writes, see CnChunkMeshPart. */
enum {
    CNI_RENDER_LIST_OPAQUE = 1 << CN_CHUNK_MESH_OPAQUE,
    CNI_RENDER_LIST_SEMI = 1 << CN_CHUNK_MESH_SEMI,
    CNI_RENDER_LIST_WATER = 1 << CN_CHUNK_MESH_WATER,
    CNI_RENDER_LIST_PROPS = 1 << CN_CHUNK_MESH_PROPS,
    CNI_RENDER_LIST_CROSSES = 16, /* props as two crossed instances */
    CNI_RENDER_LIST_NO_FAR = 32,
    /* With items, for quad_culling.h: everything that is not occluded, visible before or not. */
    CNI_RENDER_LIST_QUAD_ITEMS = 64
};
#define CNI_RENDER_MAX_RASTER_VIEWS 4u /* views per dispatch, at most */

/* Returns the largest number of chunk records within this distance of a light along each axis,
 * wherever the light is; at most `records`. A reach of 0 means no limit. */
uint32_t cni_render_block_records_within(float reach, uint32_t records);

/* Returns the size of the buffer of items. It has room for all quads and records that the view can
 * have, so that it never grows. */
uint64_t cni_render_block_item_bytes(const CnBlockView *view);

typedef struct CniRenderBlockCuller {
    CnRenderPipeline cull, depth;
    CnRenderPipeline cull_items,
        visible_depth; /* used by block_compute_raster.h and quad_culling.h only */
} CniRenderBlockCuller;
/* Set up culling for draws; additionally for block_compute_raster.h; and for quad_culling.h only.
 */
bool cni_render_block_culler_setup(CnRenderer *renderer, CniRenderBlockCuller *culler,
                                   CnError *error);
bool cni_render_block_culler_setup_items(CnRenderer *renderer, CniRenderBlockCuller *culler,
                                         CnError *error);
bool cni_render_block_culler_setup_quads(CnRenderer *renderer, CniRenderBlockCuller *culler,
                                         CnError *error);
void cni_render_block_culler_destroy(CnRenderer *renderer, CniRenderBlockCuller *culler);

/* Two-phase occlusion culling: draws what was visible in the last frame first, then what its depth
 * does not occlude, so nothing pops in. */
typedef enum CniRenderCullPhase {
    CNI_RENDER_PHASE_ALL,
    CNI_RENDER_PHASE_PREVIOUSLY_VISIBLE,
    CNI_RENDER_PHASE_NEWLY_VISIBLE
} CniRenderCullPhase;

typedef struct CniRenderBlockCull {
    const CnFrustum *frustum;
    CnVec4 viewer;  /* position relative to the camera, w 1; or direction towards the viewer, w 0 */
    float reach;    /* meters from the viewer along each axis; 0 means no limit */
    uint32_t lists; /* CNI_RENDER_LIST_ */
    CniRenderCullPhase phase;
    /* Used by the phases. */
    CnMat4 eye_to_clip;
    CnGraphBuffer *seen;         /* visibility by record; written by the last phase */
    CnGraphBuffer depth_pyramid; /* used by the last phase, see cni_render_block_depth_pyramid */
    /* writes solid geometry as items for block_compute_raster.h and only water as draws; NULL:
     * draws only */
    CnGraphBuffer *items;
} CniRenderBlockCull;

/* Call it in add_passes: adds the passes that write draws. */
CniRenderBlockDrawList cni_render_block_cull(CnFrame *frame, CnBlockView *view,
                                             const CniRenderBlockCuller *culler,
                                             const CniRenderBlockCull *cull);
/* As cni_render_block_cull, for the camera: stores the draws in the view, for water and counts. */
CniRenderBlockDrawList cni_render_block_cull_view(CnFrame *frame, CnBlockView *view,
                                                  const CniRenderBlockCuller *culler,
                                                  const CniRenderBlockCull *cull);
/* As cni_render_block_cull, for a light; counts the draws. */
CniRenderBlockDrawList cni_render_block_cull_shadow(CnFrame *frame, CnBlockView *view,
                                                    const CniRenderBlockCuller *culler,
                                                    const CniRenderBlockCull *cull);
/* Visibility in the last frame, by record. The initial contents do not matter: occluded blocks are
 * drawn once at most. */
CnGraphBuffer cni_render_block_visibility_buffer(CnFrame *frame, const CnBlockView *view);
/* Writes items only, for several shadow maps, together with those of the first. */
bool cni_render_block_cull_items(CnFrame *frame, CnBlockView *view,
                                 const CniRenderBlockCuller *culler,
                                 const CniRenderBlockCull *culls, uint32_t count);
/* Builds the depth pyramid from the output of cni_render_raster_items, otherwise from frame->depth.
 */
CnGraphBuffer cni_render_block_depth_pyramid(CnFrame *frame, const CniRenderBlockCuller *culler,
                                             CnGraphBuffer visible);
/* Reads back the draw counts of `seen` and of shadows, for the statistics. */
void cni_render_block_count_draws(CnFrame *frame, CnBlockView *view);
/* Declares that a pass executes the draws. */
void cni_render_block_read(CnFrame *frame, CnGraphPass pass, const CniRenderBlockDrawList *draws);
/* Call it in `run`, after binding a pipeline, cni_render_block_bind and setting constants. */
void cni_render_block_draw(const CnGraphRun *run, const CniRenderBlockDrawList *draws,
                           CnChunkMeshPart part);
/* For points relative to the camera. */
CnMat4 cni_render_eye_to_clip(const CnMat4 *world_to_clip, CnVec3 eye);
/* The same for the main view: the view without the camera position. */
CnMat4 cni_render_view_from_eye(const CnView *view);

#endif
