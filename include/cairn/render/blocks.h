/*
 * Rendering of the blocks of a voxel world.
 *
 *     CnBlockViewDesc desc = {.blocks = table, .textures = bytes, .texture_bytes = size};
 *     CnBlockView *view = cn_block_view_create(&desc, &error);
 *     // In the hooks of the CnVoxels: mesh_changed calls cn_block_view_set, and
 *     // chunk_removed calls cn_block_view_remove.
 *     CnBlocksOptions blocks = {.view = view};
 *     CnWaterOptions water = {.view = view};
 *     cn_renderer_add_feature(renderer, &cn_feature_blocks, &blocks, &error); // after Geometry
 *     cn_renderer_add_feature(renderer, &cn_feature_water, &water, &error);   // after Deferred
 *
 * A view is the upload queue between the thread that owns the world and the render thread: meshes
 * are copied when they are set, and the following frames upload them within a byte budget per
 * frame. Quads of 8 bytes are stored in one buffer, which the vertex shader reads. The GPU culls
 * chunks against the frustum and against the depth that was already drawn, and writes its own draw
 * commands. Positions are relative to the camera's chunk, which keeps precision far from the
 * origin.
 */
#ifndef CAIRN_RENDER_BLOCKS_H
#define CAIRN_RENDER_BLOCKS_H

#include <cairn/render/atmosphere.h>
#include <cairn/voxel/lod.h>
#include <cairn/voxel/mesh.h>

CN_EXTERN_C_BEGIN

typedef struct CnBlockView CnBlockView;

typedef struct CnBlockViewDesc {
    CnAllocator *allocator;     /* must be thread-safe */
    const CnBlockTable *blocks; /* of the world; closed; must outlive the view */
    const void *textures;       /* contents of a block texture file (cairn/voxel/tiles.h); copied */
    size_t texture_bytes;
    /* Capacity on the GPU; 0 selects 16 million, which fits every device; less where the device
     * limits buffers further. Quads beyond it are refused and counted. */
    uint32_t max_quads;
    uint32_t upload_bytes; /* per frame; 0 selects 4 MiB */
} CnBlockViewDesc;
/* Creates a view. Returns NULL and an error if the texture file is invalid or lacks a layer that a
 * block uses, or if memory runs out. */
CN_API CnBlockView *cn_block_view_create(const CnBlockViewDesc *desc, CnError *error);
/* Remove the features that use the view from the renderer first. */
CN_API void cn_block_view_destroy(CnBlockView *view);

/* Sets or removes the mesh of a chunk. Call these from one thread, the owner of the world. An empty
 * mesh is a chunk without quads. Returns false if out of memory; this is counted as refused. */
CN_API bool cn_block_view_set(CnBlockView *view, CnChunkPos position, const CnChunkMesh *mesh);
CN_API void cn_block_view_remove(CnBlockView *view, CnChunkPos position);
/* Sets or removes a tile of far terrain, which is not drawn where chunks are. Tiles of different
 * levels may overlap: a tile is drawn until its four quarters (tiles, or recursively quarters) are
 * present and have faded in, so remove a tile after its replacements are set. Any thread may call
 * these, but calls for the same tile must not overlap. */
CN_API bool cn_block_view_set_far(CnBlockView *view, const CnLodMesh *mesh);
CN_API void cn_block_view_remove_far(CnBlockView *view, CnLodTile tile);
/* Sets the climate map: RGB are the tint factors of grass and leaves (128 is 1.0), and alpha is 255
 * minus the terrain height, which casts shadows beyond the range of the shadow cascades. Each entry
 * covers CN_CLIMATE_BLOCKS x CN_CLIMATE_BLOCKS blocks; entries are interpolated. The map repeats: a
 * position is in entry floor(x / CN_CLIMATE_BLOCKS) modulo CN_CLIMATE_SIZE, and likewise for z.
 * `factors` has CN_CLIMATE_SIZE rows of CN_CLIMATE_SIZE entries and is copied. Without a map, all
 * factors are 1 and terrain casts no such shadows. */
#define CN_CLIMATE_BLOCKS 32
#define CN_CLIMATE_SIZE 256
CN_API void cn_block_view_set_climate(CnBlockView *view, const uint8_t (*factors)[4]);
/* The block that the player aims at: its outline, and a crack stage from 0 to 9 (-1: none). The
 * outline of a block with a shape follows its boxes; that of a plain prop, such as a flower, is
 * smaller than its cell. */
typedef struct CnBlockAim {
    bool exists;
    bool is_prop;  /* a plain prop */
    CnBlock block; /* in the cell; without a shape, it need not be given */
    CnCell cell;
    int32_t crack_stage;
    bool is_bright; /* a white outline with a dark edge, visible on every color */
} CnBlockAim;
/* Sets the block that is highlighted; any thread may call it. */
CN_API void cn_block_view_set_aim(CnBlockView *view, const CnBlockAim *aim);

typedef struct CnBlockViewStats {
    /* Drawn counts are those of the camera, without shadows; drawn_chunks includes tiles of far
     * terrain. */
    uint32_t chunks, drawn_chunks, far_tiles;
    uint64_t quads, drawn_quads, gpu_bytes;
    uint64_t draws;         /* written by the GPU, in a few indirect calls */
    uint64_t waiting_bytes; /* queued for upload */
    uint64_t refused;       /* meshes and removals refused for lack of space or memory */
} CnBlockViewStats;
/* Returns the statistics of the view. */
CN_API CnBlockViewStats cn_block_view_stats(const CnBlockView *view);

typedef struct CnBlocksOptions {
    CnBlockView *view;
    bool no_occlusion; /* cull against the frustum only */
} CnBlocksOptions;
/* "Blocks": writes the albedo, normal, baked and depth slots; draws the shadows of blocks into the
 * cascades. */
CN_API extern const CnFeatureType cn_feature_blocks;
/* "Block highlight": outline and cracks of the block aimed at, over hdr. */
CN_API extern const CnFeatureType cn_feature_block_highlight;

typedef struct CnWaterOptions {
    CnBlockView *view;
    CnSwitch reflections; /* screen-space; on by default */
} CnWaterOptions;
/* "Water": refraction, absorption and reflections, over hdr. */
CN_API extern const CnFeatureType cn_feature_water;

/* ---- The lightweight path for CPUs ---- */

typedef struct CnLitBlocksOptions {
    CnBlockView *view;
    bool no_occlusion;           /* cull against the frustum only */
    CnSwitch water, clouds, fog; /* on by default */
    CnFogOptions fog_options;
} CnLitBlocksOptions;
/*
 * "Lit blocks": draws blocks, sky, clouds, water and fog into hdr and depth, and shades each pixel
 * once. It replaces Geometry, Blocks, Sky, Environment, Deferred, lights, Clouds, Water and Fog on
 * devices where each full-screen pass is expensive. Baked sky light replaces the sun's shadow maps,
 * and baked block light replaces light sources. Meshes of the scene are not drawn.
 */
CN_API extern const CnFeatureType cn_feature_lit_blocks;

CN_EXTERN_C_END

#endif
