/*
 * Blocks on the device, as the features that draw them share them: block_view.c is the letter box, block_store.c takes
 * letters out and keeps what is drawn, block_draws.c finds what is seen and draws it.
 *
 * A record is a chunk, or a tile of far terrain. shaders/render/blocks.glsl has the same layouts.
 */
#ifndef CAIRN_SRC_RENDER_BLOCK_VIEW_H
#define CAIRN_SRC_RENDER_BLOCK_VIEW_H

#include "block_ranges.h"
#include "renderer.h"

#include <cairn/base/hash_map.h>
#include <cairn/render/blocks.h>

#include <assert.h>
#include <pthread.h>

#define CNI_BLOCK_ENDS 19u
#define CNI_NO_RECORD UINT32_MAX
#define CNI_MOST_RECORDS 65536u
/* Of one draw: as far as indices of 16 bits reach. */
#define CNI_BLOCK_DRAW_QUADS 16384u

typedef struct CniBlockRecord {
    int32_t place[3]; /* in chunks: of the corner */
    uint32_t first;   /* quad */
    float low[3];     /* of what is in it, from the corner, in blocks */
    uint32_t level;   /* of far terrain; 0: a chunk; and CNI_BLOCK_HIDDEN */
    float high[3];
    float born; /* seconds: tiles fade in */
    /* Where the quads of the parts end, face after face, from `first` on; props have but one end. */
    uint32_t ends[CNI_BLOCK_ENDS];
    uint32_t is_dark; /* the sun cannot come in: it throws no shadow of the sun */
} CniBlockRecord;
#define CNI_BLOCK_HIDDEN 16u
/* The head of what culling writes, in words: draws of each list; from CNI_COUNTS_AT on records and quads. The draws of four
 * lists of cni_block_list are counted in the place of those of bands, with their quads; those of a second one behind.
 * Where culling writes items, the quads of its draws (water) are counted at CNI_WATER_AT, apart
 * from those of the items. */
#define CNI_HEAD_WORDS 16u
#define CNI_COUNTS_AT 8u
#define CNI_SIFTED_LISTS 4u
#define CNI_SECOND_AT 10u
#define CNI_WATER_AT 15u
#define CNI_COUNT_BYTES (CNI_HEAD_WORDS * 4u)

/* Which chunks are there: bits of a grid that repeats, wider than any view. */
#define CNI_PRESENCE_WORDS (1u << 16)
static inline uint32_t cni_presence_bit(const int32_t place[3])
{
    return ((uint32_t)place[0] & 255) | ((uint32_t)place[1] & 31) << 8 |
           ((uint32_t)place[2] & 255) << 13;
}

/* What is on its way: quads of 8 bytes and what is known of them. */
typedef struct CniBlockLetter {
    uint64_t key;
    CniBlockRecord record; /* without `first` */
    /* What the sky's light does not reach, if it is much: a record of its own, which the ground hides more often. Its
     * quads are the last of all. */
    CniBlockRecord dark;
    CnQuad *quads; /* NULL: none */
    uint32_t count, dark_count;
    bool is_removal;
} CniBlockLetter;

typedef struct CniBlockTextures {
    void *bytes; /* a copy of the file, until it is on the device */
    size_t size;
    CnGpuTexture color, detail;
    CnGpuSampler sampler;
} CniBlockTextures;

/* Factors of greens by place: block_looks.c. */
typedef struct CniBlockClimate {
    uint8_t factors[CN_CLIMATE_SIZE * CN_CLIMATE_SIZE][4]; /* under the lock, as is_new */
    bool is_new, is_sent;
    CnGpuTexture texture;
    CnGpuSampler sampler;
} CniBlockClimate;

/* What a picture shows of a view. */
typedef struct CniBlockDraws {
    const CnBlockView *view;
    CnGraphBuffer buffer;
    uint32_t room;           /* records; 0: nothing */
    CnGraphBuffer sifted[2]; /* draws of cni_block_list: these are counted, too; or none */
} CniBlockDraws;

/* Numbers of what is to be sent: bits, since none may be lost when there is no memory. */
#define CNI_NEWS_WORDS (CNI_PRESENCE_WORDS / 64)
typedef struct CniBlockNews {
    uint32_t count;
    uint64_t marks[CNI_NEWS_WORDS];
} CniBlockNews;
static_assert(CNI_NEWS_WORDS * 64 >= CNI_MOST_RECORDS, "a bit for each record");

struct CnBlockView {
    CnAllocator *allocator;
    uint32_t max_quads, max_records, upload_bytes;

    /* The letter box: under the lock. */
    pthread_mutex_t lock;
    CnHashMap letters;    /* by key */
    CnU64Array queues[2]; /* keys in order: of what changes, of what is new */
    uint32_t queue_begins[2];
    CnHashMap posted; /* keys that were put in and not removed */
    uint64_t waiting_bytes;
    uint64_t refused_letters; /* there was no memory for them */
    CnBlockAim aim;
    CnBlockViewStats stats;

    /* The renderer's. */
    CnRenderer *renderer; /* while features use it */
    uint32_t users;
    CN_ARRAY(CniBlockLetter) taken; /* out of the box, not yet on the device */
    uint32_t taken_begin;
    /* Chunks, and tiles of far terrain, by key: the number of a record, or none for what is empty. */
    CnHashMap records, tiles;
    uint64_t refused; /* meshes that found no room */
    CN_ARRAY(CniBlockRecord) all;
    CnU32Array twins; /* by number: of the dark record beside it, or none */
    CnU32Array free_records;
    CniBlockRanges ranges;
    uint32_t *presence;                  /* CNI_PRESENCE_WORDS */
    CniBlockNews new_records, new_words; /* of `all` and of `presence`, that are to be sent */
    CniBlockTextures textures;
    CniBlockClimate climate;
    CnGpuBuffer quad_buffer, record_buffer, table_buffer, index_buffer, presence_buffer;
    /* What was drawn, read back when a frame is done. */
    CnGpuBuffer counts[CN_GPU_FRAMES];
    uint32_t counted[CN_GPU_FRAMES]; /* lists of draws whose counts are in there: what is seen, */
    uint32_t counted_shadows[CN_GPU_FRAMES]; /* and shadows after it */
    uint64_t counted_in[CN_GPU_FRAMES];      /* the number of that frame */
    uint64_t all_draws, all_quads;           /* of a frame that is done, with shadows */
    bool is_sent;                            /* what never changes is on the device */
    uint64_t frame;                          /* + 1, of the last that began */
    /* What Blocks has found to be seen in this frame, with water: for features after it. */
    CniBlockDraws seen[2];
    uint32_t seen_count;
    /* What this frame draws into shadow maps: for the counts. */
    CnGraphBuffer shadow_draws[CN_MAX_SHADOW_SHOTS];
    uint32_t shadow_count;
    bool tiles_changed;
    double tiles_settle; /* when the last tile has faded in */
};

/* ---- Letters ---- */

static inline uint64_t cni_far_key(CnLodTile tile)
{
    return 1ull << 63 | (uint64_t)tile.level << 60 | ((uint64_t)tile.x & 0x3FFFFFFF) << 30 |
           ((uint64_t)tile.z & 0x3FFFFFFF);
}
/* Fills the rest of a letter from a mesh of far terrain; false: out of memory. */
bool cni_block_letter_far(CnAllocator *allocator, const CnLodMesh *mesh, CniBlockLetter *letter);
/* Moves letters of at most the frame's bytes into `taken`. */
void cni_block_view_take(CnBlockView *view);
void cni_block_letter_free(CnBlockView *view, CniBlockLetter *letter);

/* ---- On the device ---- */

/* In setup and destroy of a feature that uses it. */
bool cni_block_view_attach(CnRenderer *renderer, CnBlockView *view, CnError *error);
void cni_block_view_detach(CnRenderer *renderer, CnBlockView *view);
/* When a tile that comes now begins to fade in: long ago, if there is nothing in its place. */
double cni_block_tree_born(const CnBlockView *view, uint64_t key, double time);
/* Which tiles of far terrain are drawn, after they have changed. */
void cni_block_tree_update(CnBlockView *view, double time);
void cni_block_news_add(CniBlockNews *news, uint32_t number);
/* Whether what every draw of blocks binds is there. */
static inline bool cni_block_view_is_ready(const CnBlockView *view)
{
    return view->is_sent && view->climate.is_sent;
}
/* In update: sends what has come, once a frame. */
void cni_block_view_begin(CnFrame *frame, CnBlockView *view);

/* ---- Looks ---- */

/* How its tiles may lie, and what tints them: LOOK_ in blocks.glsl. */
uint32_t cni_block_looks(CnBlock block);
bool cni_block_climate_create(CnRenderer *renderer, CniBlockClimate *climate, CnError *error);
void cni_block_climate_destroy(CnRenderer *renderer, CniBlockClimate *climate);
void cni_block_climate_send(CnFrame *frame, CnBlockView *view);

/* ---- Drawing ---- */

/* Bindings of every pipeline that draws blocks: those of blocks.glsl. */
enum { CNI_BLOCK_BINDINGS = 8 };
void cni_block_bindings(CnGpuBindingKind bindings[CN_GPU_MAX_BINDINGS]);
void cni_block_bind(CnFrame *frame, const CnBlockView *view, CnGpuCommands *commands);

/* The lists that culling writes: CnChunkMeshPart. */
enum {
    CNI_LIST_OPAQUE = 1 << CN_CHUNK_MESH_OPAQUE,
    CNI_LIST_SEMI = 1 << CN_CHUNK_MESH_SEMI,
    CNI_LIST_WATER = 1 << CN_CHUNK_MESH_WATER,
    CNI_LIST_PROPS = 1 << CN_CHUNK_MESH_PROPS,
    CNI_LIST_CROSSES = 16, /* props are drawn as such: two instances */
    CNI_LIST_NO_FAR = 32,
    /* With items, for block_sift.h: whatever is not hidden, seen before or not. */
    CNI_LIST_SIFTED = 64
};
#define CNI_BLOCK_SHOTS 4u /* pictures of one dispatch, at most */

/* For how many records buffers have room, so that they are not made anew for each that comes. */
uint32_t cni_block_room(uint32_t records);

typedef struct CniBlockCuller {
    CnRenderPipeline cull, depth;
    CnRenderPipeline cull_items, visible_depth; /* of block_raster.h and block_sift.h alone */
} CniBlockCuller;
/* For draws; for block_raster.h, too; for block_sift.h alone. */
bool cni_block_culler_setup(CnRenderer *renderer, CniBlockCuller *culler, CnError *error);
bool cni_block_culler_setup_items(CnRenderer *renderer, CniBlockCuller *culler, CnError *error);
bool cni_block_culler_setup_sift(CnRenderer *renderer, CniBlockCuller *culler, CnError *error);
void cni_block_culler_destroy(CnRenderer *renderer, CniBlockCuller *culler);

/* Two phases: what was seen in the last picture is drawn first, then what its depth does not hide. Nothing pops. */
typedef enum CniBlockPhase { CNI_PHASE_ALL, CNI_PHASE_SEEN, CNI_PHASE_REST } CniBlockPhase;

typedef struct CniBlockCull {
    const CnFrustum *frustum;
    CnVec4 viewer;  /* from the eye, w 1; or a direction towards what looks, w 0 */
    uint32_t lists; /* CNI_LIST_ */
    CniBlockPhase phase;
    /* Of phases. */
    CnMat4 eye_to_clip;
    CnGraphBuffer *seen;   /* by record; the last phase writes it */
    CnGraphBuffer squares; /* of the last: cni_block_squares */
    CnGraphBuffer *
        items; /* what is solid as items, for block_raster.h, water alone as draws; NULL: draws alone */
} CniBlockCull;

/* In add_passes: adds the passes that make draws. */
CniBlockDraws cni_block_cull(CnFrame *frame, CnBlockView *view, const CniBlockCuller *culler,
                             const CniBlockCull *cull);
/* The same for what the eye sees: draws that there are come to those of the view, for water and counts. */
CniBlockDraws cni_block_cull_seen(CnFrame *frame, CnBlockView *view, const CniBlockCuller *culler,
                                  const CniBlockCull *cull);
/* The same for what a light sees, for counts. */
CniBlockDraws cni_block_cull_shadow(CnFrame *frame, CnBlockView *view, const CniBlockCuller *culler,
                                    const CniBlockCull *cull);
/* By record: whether it was seen in the last picture. What is in a new one does no harm: blocks that are not seen are
 * drawn once. */
CnGraphBuffer cni_block_seen_buffer(CnFrame *frame, const CnBlockView *view);
/* Items alone, of several shadow maps, with those of the first. */
bool cni_block_cull_items(CnFrame *frame, CnBlockView *view, const CniBlockCuller *culler,
                          const CniBlockCull *culls, uint32_t count);
/* The depth of squares of the picture, from what cni_block_raster makes, or else from frame->depth. */
CnGraphBuffer cni_block_squares(CnFrame *frame, const CniBlockCuller *culler,
                                CnGraphBuffer visible);
/* Reads back how much of `seen` and of shadows is drawn, for the statistics. */
void cni_block_count(CnFrame *frame, CnBlockView *view);
/* Declares that a pass draws them. */
void cni_block_read(CnFrame *frame, CnGraphPass pass, const CniBlockDraws *draws);
/* In `run`, with a pipeline bound, cni_block_bind called and constants set. */
void cni_block_draw(const CnGraphRun *run, const CniBlockDraws *draws, CnChunkMeshPart part);
/* For points that are relative to the eye. */
CnMat4 cni_eye_to_clip(const CnMat4 *world_to_clip, CnVec3 eye);
/* The same of the picture: the view without the eye's position. */
CnMat4 cni_view_from_eye(const CnView *view);

#endif
