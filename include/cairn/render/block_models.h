/*
 * Small models made of the tiles of blocks: items in the world and in the hand, and figures. They
 * are lit by the light of their cell, like blocks, so that they are dark in caves.
 *
 *     CnBlockViewDesc desc = {.blocks = table, .textures = bytes, .texture_bytes = size};
 *     CnBlockView *view = cn_block_view_create(&desc, &error);
 *     CnBlockModels *models = cn_block_models_create(NULL, &error);
 *     CnBlockModelsOptions world = {.models = models, .view = view};
 *     CnBlockModelsOptions hand = {.models = models, .view = view, .layer = CN_MODEL_LAYER_HAND};
 *     cn_renderer_add_feature(renderer, &cn_feature_block_models, &world, &error); // after light
 *     cn_renderer_add_feature(renderer, &cn_feature_block_models, &hand, &error);  // before Bloom
 *     // ... in every frame, on the thread of the game:
 *     cn_block_models_begin(models);
 *     CnBlockModelPart *part = cn_block_models_add(models, CN_MODEL_LAYER_WORLD, 1);
 *     if (part)
 *         *part = (CnBlockModelPart){.place = cn_affine_identity(), .high = {16, 16, 16}, .sky =
 * 1}; cn_block_models_end(models);
 *
 * A model consists of parts: boxes with a tile on each face, and sprites, which are the pixels of
 * one tile, one sixteenth of a block thick. The parts of a layer are drawn by at most three
 * instanced draws. Parts outside the view are not drawn; distant sprites have no thickness.
 */
#ifndef CAIRN_RENDER_BLOCK_MODELS_H
#define CAIRN_RENDER_BLOCK_MODELS_H

#include <cairn/base/linear.h>
#include <cairn/render/blocks.h>

CN_EXTERN_C_BEGIN

typedef struct CnBlockModels CnBlockModels;

typedef enum CnModelLayer {
    /* Places are in the world. */
    CN_MODEL_LAYER_WORLD,
    /* Places are relative to the camera: x to the right, y up, z backwards. Drawn in front of
     * everything, with a field of view of its own. */
    CN_MODEL_LAYER_HAND,
    CN_MODEL_LAYER_COUNT
} CnModelLayer;

#define CN_MODEL_NO_TILE UINT16_MAX /* plain: only the tint, with a slight grain */
#define CN_MODEL_MAX_PARTS 65536u   /* of a layer and frame */

/* Within its place, a block reaches from 0 to 1 along each axis. */
typedef struct CnBlockModelPart {
    CnAffine place;
    bool is_sprite;    /* the pixels of tiles[0], in the plane z = 0.5; otherwise a box */
    uint16_t tiles[6]; /* layers of the block textures, by CnFace; or CN_MODEL_NO_TILE */
    /* Of a box: corners in sixteenths of a block, 0 to 16. Tiles are not scaled, but cut. A box may
     * be flat: two faces that show a part of their tiles. */
    uint8_t low[3], high[3];
    /* A box with a skin: each face shows the texels of its tile from its origin on, so that several
     * faces share a tile. The left side (NEG_X) is the mirror image of the right side. */
    bool has_skin;
    uint8_t origins[6]; /* of faces: column and row of the top left texel, as column + 16 * row */
    uint8_t tint[3];    /* sRGB; all 0 means no tint */
    bool in_greens;     /* tints only green pixels, as the climate does with grass */
    bool casts_shadow;  /* a box only, in the world */
    bool is_hidden;     /* not drawn; may cast a shadow */
    float sky, block;   /* light of the cell, 0 to 1 */
    float glow;         /* light that it emits, 0 to 1 */
    float flash;        /* 0 to 1: red, for what was hurt */
    float white;        /* 0 to 1: shines white */
    float fade;         /* 0 to 1: part of the pixels that are not drawn */
} CnBlockModelPart;

/* Creates an empty list. `allocator` may be NULL (the system allocator). Returns NULL and an error
 * when out of memory. */
CN_API CnBlockModels *cn_block_models_create(CnAllocator *allocator, CnError *error);
CN_API void cn_block_models_destroy(CnBlockModels *models); /* remove the features first */

/* Begins the parts of a frame. One thread fills the list, also while another draws the last one. */
CN_API void cn_block_models_begin(CnBlockModels *models);
/* Adds parts, all zeros, which the caller fills. Returns NULL if that exceeds CN_MODEL_MAX_PARTS,
 * or when out of memory; they are counted as refused. The pointer is valid until the next call. */
CN_API CnBlockModelPart *cn_block_models_add(CnBlockModels *models, CnModelLayer layer,
                                             uint32_t count);
/* Publishes the parts: they are drawn until the next call. */
CN_API void cn_block_models_end(CnBlockModels *models);

typedef struct CnBlockModelStats {
    uint32_t parts, drawn; /* published; in the view of the last frame */
    uint64_t refused;
} CnBlockModelStats;
/* Any thread. */
CN_API CnBlockModelStats cn_block_models_stats(CnBlockModels *models);

typedef struct CnBlockModelsOptions {
    CnBlockModels *models;
    CnBlockView *view; /* whose textures are used */
    CnModelLayer layer;
    float fov; /* of the hand: vertical, in radians; 0 selects 70 degrees */
} CnBlockModelsOptions;
/* "Block models": draws a layer over hdr and, in the world, into depth. */
CN_API extern const CnFeatureType cn_feature_block_models;

CN_EXTERN_C_END

#endif
