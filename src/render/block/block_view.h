/*
 * Blocks on the GPU, shared by the features that draw them: block_upload_queue.c is the upload queue,
 * block_gpu_storage.c dequeues uploads and stores the data, and chunk_culling.c culls and draws it.
 *
 * A record is a chunk or a tile of far terrain. shaders/render/block/blocks.glsl has the same layouts.
 */
#ifndef CAIRN_SRC_RENDER_BLOCK_BLOCK_VIEW_H
#define CAIRN_SRC_RENDER_BLOCK_BLOCK_VIEW_H

#include "render/block/range_allocator.h"
#include "render/core/renderer_internal.h"

#include <cairn/base/hash_map.h>
#include <cairn/render/blocks.h>

#include <assert.h>
#include <pthread.h>

#define CNI_BLOCK_ENDS 19u
#define CNI_NO_RECORD UINT32_MAX
#define CNI_MOST_RECORDS 65536u
/* Per draw: the range of 16-bit indices. */
#define CNI_BLOCK_DRAW_QUADS 16384u

typedef struct CniBlockRecord {
    int32_t place[3]; /* of the corner, in chunks */
    uint32_t first;   /* index of the first quad */
    float low[3];     /* bounds of the contents, relative to the corner, in blocks */
    uint32_t level;   /* of far terrain; 0: a chunk; combined with CNI_BLOCK_HIDDEN */
    float high[3];
    float born; /* time at which a tile starts to fade in, seconds */
    /* End of the quads of each part, face by face, relative to `first`; props have only one end. */
    uint32_t ends[CNI_BLOCK_ENDS];
    uint32_t is_dark; /* sunlight cannot enter: it casts no sun shadow */
} CniBlockRecord;
#define CNI_BLOCK_HIDDEN 16u
/* The head of the culling output, in words: draw counts of each list, and from CNI_COUNTS_AT on
 * records and quads. The draws of four lists of cni_block_list and their quads are counted in place
 * of those of bands; those of a second list follow. Where culling writes items, the quads of its
 * draws (water) are counted at CNI_WATER_AT, separately from those of the items. */
#define CNI_HEAD_WORDS 16u
#define CNI_COUNTS_AT 8u
#define CNI_SIFTED_LISTS 4u
#define CNI_SECOND_AT 10u
#define CNI_WATER_AT 15u
#define CNI_COUNT_BYTES (CNI_HEAD_WORDS * 4u)

/* Which chunks exist: a bit grid that repeats and is larger than any view. */
#define CNI_PRESENCE_WORDS (1u << 16)
static inline uint32_t cni_presence_bit(const int32_t place[3])
{
    return ((uint32_t)place[0] & 255) | ((uint32_t)place[1] & 31) << 8 |
           ((uint32_t)place[2] & 255) << 13;
}

/* A pending upload: quads of 8 bytes and their record. */
typedef struct CniBlockLetter {
    uint64_t key;
    CniBlockRecord record; /* without `first` */
    /* Quads that sky light does not reach, if there are many: a separate record, which terrain
     * occludes more often. Its quads come last. */
    CniBlockRecord dark;
    CnQuad *quads; /* NULL: none */
    uint32_t count, dark_count;
    bool is_removal;
} CniBlockLetter;

typedef struct CniBlockTextures {
    void *bytes; /* copy of the file, until it is uploaded */
    size_t size;
    CnGpuTexture color, detail;
    CnGpuSampler sampler;
} CniBlockTextures;

/* Tint factors by position: block_appearance.c. */
typedef struct CniBlockClimate {
    uint8_t factors[CN_CLIMATE_SIZE * CN_CLIMATE_SIZE][4]; /* protected by the lock, like is_new */
    bool is_new, is_sent;
    CnGpuTexture texture;
    CnGpuSampler sampler;
} CniBlockClimate;

/* The parts of a view that are drawn into one image. */
typedef struct CniBlockDraws {
    const CnBlockView *view;
    CnGraphBuffer buffer;
    uint32_t room;           /* in records; 0: nothing to draw */
    bool is_water;           /* draws of water only: solid quads became items */
    CnGraphBuffer sifted[2]; /* draws of cni_block_list, which are counted as well; or none */
} CniBlockDraws;

/* Indices that have to be uploaded, as bits, so that none is lost when memory runs out. */
#define CNI_NEWS_WORDS (CNI_PRESENCE_WORDS / 64)
typedef struct CniBlockNews {
    uint32_t count;
    uint64_t marks[CNI_NEWS_WORDS];
} CniBlockNews;
static_assert(CNI_NEWS_WORDS * 64 >= CNI_MOST_RECORDS, "a bit for each record");

struct CnBlockView {
    CnAllocator *allocator;
    uint32_t max_quads, max_records, upload_bytes;

    /* The upload queue, protected by the lock. */
    pthread_mutex_t lock;
    CnHashMap letters;    /* by key */
    CnU64Array queues[2]; /* keys in order: changed chunks, new chunks */
    uint32_t queue_begins[2];
    CnHashMap posted; /* keys that were added and not removed */
    uint64_t waiting_bytes;
    uint64_t refused_letters; /* refused for lack of memory */
    CnBlockAim aim;
    CnBlockViewStats stats;

    /* Used by the renderer only. */
    CnRenderer *renderer; /* while features use the view */
    uint32_t users;
    CN_ARRAY(CniBlockLetter) taken; /* dequeued and not yet uploaded */
    uint32_t taken_begin;
    /* Chunks and tiles of far terrain by key: the index of a record, or none if it is empty. */
    CnHashMap records, tiles;
    uint64_t refused; /* meshes for which there was no space */
    CN_ARRAY(CniBlockRecord) all;
    CnU32Array twins; /* index of the dark record of each record, or none */
    CnU32Array free_records;
    CniBlockRanges ranges;
    uint32_t *presence;                  /* CNI_PRESENCE_WORDS */
    CniBlockNews new_records, new_words; /* dirty entries of `all` and `presence` */
    CniBlockTextures textures;
    CniBlockClimate climate;
    CnGpuBuffer quad_buffer, record_buffer, table_buffer, index_buffer, presence_buffer;
    /* Draw counts, read back when a frame completes. */
    CnGpuBuffer counts[CN_GPU_FRAMES];
    /* lists of draws whose counts are stored there: of the camera, */
    uint32_t counted[CN_GPU_FRAMES];
    uint32_t counted_shadows[CN_GPU_FRAMES]; /* followed by those of shadows */
    uint64_t counted_in[CN_GPU_FRAMES];      /* number of that frame */
    uint64_t all_draws, all_quads;           /* of a completed frame, with shadows */
    bool is_sent;                            /* constant data was uploaded */
    uint64_t frame;                          /* number + 1 of the last frame that began */
    /* Visible records that Blocks found in this frame, including water, for later features. */
    CniBlockDraws seen[2];
    uint32_t seen_count;
    /* Draws into shadow maps in this frame, for the counts. */
    CnGraphBuffer shadow_draws[CN_MAX_SHADOW_SHOTS];
    uint32_t shadow_count;
    bool tiles_changed;
    double tiles_settle; /* time at which the last tile has faded in */
};

/* ---- Uploads ---- */

static inline uint64_t cni_far_key(CnLodTile tile)
{
    return 1ull << 63 | (uint64_t)tile.level << 60 | ((uint64_t)tile.x & 0x3FFFFFFF) << 30 |
           ((uint64_t)tile.z & 0x3FFFFFFF);
}
/* Fills the rest of an upload from a mesh of far terrain; returns false if out of memory. */
bool cni_block_letter_far(CnAllocator *allocator, const CnLodMesh *mesh, CniBlockLetter *letter);
/* Moves uploads up to the byte budget of the frame into `taken`. */
void cni_block_view_take(CnBlockView *view);
void cni_block_letter_free(CnBlockView *view, CniBlockLetter *letter);

/* ---- GPU data ---- */

/* Called in setup and destroy of a feature that uses the view. */
bool cni_block_view_attach(CnRenderer *renderer, CnBlockView *view, CnError *error);
void cni_block_view_detach(CnRenderer *renderer, CnBlockView *view);
/* Returns the time at which a new tile starts to fade in: long ago, if nothing else is drawn in its
 * place. */
double cni_block_tree_born(const CnBlockView *view, uint64_t key, double time);
/* Updates which tiles of far terrain are drawn, after they have changed. */
void cni_block_tree_update(CnBlockView *view, double time);
void cni_block_news_add(CniBlockNews *news, uint32_t number);
/* Returns whether everything that block draws bind exists. */
static inline bool cni_block_view_is_ready(const CnBlockView *view)
{
    return view->is_sent && view->climate.is_sent;
}
/* Called in update: uploads queued data, once per frame. */
void cni_block_view_begin(CnFrame *frame, CnBlockView *view);

/* ---- Appearance ---- */

/* Returns how the tiles of a block may be rotated and tinted: LOOK_ in blocks.glsl. */
uint32_t cni_block_looks(CnBlock block);
bool cni_block_climate_create(CnRenderer *renderer, CniBlockClimate *climate, CnError *error);
void cni_block_climate_destroy(CnRenderer *renderer, CniBlockClimate *climate);
void cni_block_climate_send(CnFrame *frame, CnBlockView *view);

/* ---- Drawing ---- */

/* Bindings of every pipeline that draws blocks, as in blocks.glsl. */
enum { CNI_BLOCK_BINDINGS = 8 };
void cni_block_bindings(CnGpuBindingKind bindings[CN_GPU_MAX_BINDINGS]);
void cni_block_bind(CnFrame *frame, const CnBlockView *view, CnGpuCommands *commands);

/* The lists that culling writes, see CnChunkMeshPart. */
enum {
    CNI_LIST_OPAQUE = 1 << CN_CHUNK_MESH_OPAQUE,
    CNI_LIST_SEMI = 1 << CN_CHUNK_MESH_SEMI,
    CNI_LIST_WATER = 1 << CN_CHUNK_MESH_WATER,
    CNI_LIST_PROPS = 1 << CN_CHUNK_MESH_PROPS,
    CNI_LIST_CROSSES = 16, /* props as two crossed instances */
    CNI_LIST_NO_FAR = 32,
    /* With items, for quad_culling.h: everything that is not occluded, visible before or not. */
    CNI_LIST_SIFTED = 64
};
#define CNI_BLOCK_SHOTS 4u /* views per dispatch, at most */

/* Returns the largest number of chunk records within this distance of a light along each axis,
 * wherever the light is; at most `records`. A reach of 0 means no limit. */
uint32_t cni_block_records_within(float reach, uint32_t records);

/* Returns the size of the buffer of items. It has room for all quads and records that the view can
 * have, so that it never grows. */
uint64_t cni_block_item_bytes(const CnBlockView *view);

typedef struct CniBlockCuller {
    CnRenderPipeline cull, depth;
    CnRenderPipeline cull_items, visible_depth; /* used by block_compute_raster.h and quad_culling.h only */
} CniBlockCuller;
/* Set up culling for draws; additionally for block_compute_raster.h; and for quad_culling.h only. */
bool cni_block_culler_setup(CnRenderer *renderer, CniBlockCuller *culler, CnError *error);
bool cni_block_culler_setup_items(CnRenderer *renderer, CniBlockCuller *culler, CnError *error);
bool cni_block_culler_setup_sift(CnRenderer *renderer, CniBlockCuller *culler, CnError *error);
void cni_block_culler_destroy(CnRenderer *renderer, CniBlockCuller *culler);

/* Two-phase occlusion culling: draws what was visible in the last frame first, then what its depth
 * does not occlude, so nothing pops in. */
typedef enum CniBlockPhase { CNI_PHASE_ALL, CNI_PHASE_SEEN, CNI_PHASE_REST } CniBlockPhase;

typedef struct CniBlockCull {
    const CnFrustum *frustum;
    CnVec4 viewer;  /* position relative to the camera, w 1; or direction towards the viewer, w 0 */
    float reach;    /* metres from the viewer along each axis; 0 means no limit */
    uint32_t lists; /* CNI_LIST_ */
    CniBlockPhase phase;
    /* Used by the phases. */
    CnMat4 eye_to_clip;
    CnGraphBuffer *seen;   /* visibility by record; written by the last phase */
    CnGraphBuffer squares; /* used by the last phase, see cni_block_squares */
    /* writes solid geometry as items for block_compute_raster.h and only water as draws; NULL: draws
     * only */
    CnGraphBuffer *items;
} CniBlockCull;

/* Call it in add_passes: adds the passes that write draws. */
CniBlockDraws cni_block_cull(CnFrame *frame, CnBlockView *view, const CniBlockCuller *culler,
                             const CniBlockCull *cull);
/* As cni_block_cull, for the camera: stores the draws in the view, for water and counts. */
CniBlockDraws cni_block_cull_seen(CnFrame *frame, CnBlockView *view, const CniBlockCuller *culler,
                                  const CniBlockCull *cull);
/* As cni_block_cull, for a light; counts the draws. */
CniBlockDraws cni_block_cull_shadow(CnFrame *frame, CnBlockView *view, const CniBlockCuller *culler,
                                    const CniBlockCull *cull);
/* Visibility in the last frame, by record. The initial contents do not matter: occluded blocks are
 * drawn once at most. */
CnGraphBuffer cni_block_seen_buffer(CnFrame *frame, const CnBlockView *view);
/* Writes items only, for several shadow maps, together with those of the first. */
bool cni_block_cull_items(CnFrame *frame, CnBlockView *view, const CniBlockCuller *culler,
                          const CniBlockCull *culls, uint32_t count);
/* Builds the depth pyramid from the output of cni_block_raster, otherwise from frame->depth. */
CnGraphBuffer cni_block_squares(CnFrame *frame, const CniBlockCuller *culler,
                                CnGraphBuffer visible);
/* Reads back the draw counts of `seen` and of shadows, for the statistics. */
void cni_block_count(CnFrame *frame, CnBlockView *view);
/* Declares that a pass executes the draws. */
void cni_block_read(CnFrame *frame, CnGraphPass pass, const CniBlockDraws *draws);
/* Call it in `run`, after binding a pipeline, cni_block_bind and setting constants. */
void cni_block_draw(const CnGraphRun *run, const CniBlockDraws *draws, CnChunkMeshPart part);
/* For points relative to the camera. */
CnMat4 cni_eye_to_clip(const CnMat4 *world_to_clip, CnVec3 eye);
/* The same for the main view: the view without the camera position. */
CnMat4 cni_view_from_eye(const CnView *view);

#endif
