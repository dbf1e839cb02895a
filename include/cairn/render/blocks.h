/*
 * The blocks of a voxel world on the screen.
 *
 *     CnBlockView *view = cn_block_view_create(&(CnBlockViewDesc){.textures = bytes, .texture_bytes = size}, &error);
 *     // hooks of the CnVoxels: mesh_changed -> cn_block_view_set, chunk_removed -> cn_block_view_remove
 *     cn_renderer_add(renderer, &cn_feature_blocks, &(CnBlocksOptions){.view = view}, &error);   // after Geometry
 *     cn_renderer_add(renderer, &cn_feature_water, &(CnWaterOptions){.view = view}, &error);     // after Deferred
 *
 * A view is the letter box between the thread that owns the world and the one that draws: what is put in is copied
 * and taken out by the next frames, so many bytes in each. Quads of 8 bytes lie in one buffer, which the vertex shader
 * reads; the GPU culls chunks by frustum and by the depth of what is already drawn, and writes its own draws.
 * Positions are relative to the eye's chunk: worlds do not shake far from the origin.
 */
#ifndef CAIRN_RENDER_BLOCKS_H
#define CAIRN_RENDER_BLOCKS_H

#include <cairn/render/air.h>
#include <cairn/voxel/lod.h>
#include <cairn/voxel/mesh.h>

CN_EXTERN_C_BEGIN

typedef struct CnBlockView CnBlockView;

typedef struct CnBlockViewDesc {
    CnAllocator *allocator; /* thread-safe */
    const void *textures;   /* a file of block textures (cairn/voxel/tiles.h); copied */
    size_t texture_bytes;
    /* On the GPU; 0 means 16 million, which every device has room for; less where its shaders see less. More is
     * refused and counted. */
    uint32_t max_quads;
    uint32_t upload_bytes; /* of one frame; 0 means 4 MiB */
} CnBlockViewDesc;
CN_API CnBlockView *cn_block_view_create(const CnBlockViewDesc *desc, CnError *error);
/* After the renderer's features that use it. */
CN_API void cn_block_view_destroy(CnBlockView *view);

/* From one thread, the world's. An empty mesh is a chunk without quads. False: out of memory; counted as refused. */
CN_API bool cn_block_view_set(CnBlockView *view, CnChunkPos position, const CnChunkMesh *mesh);
CN_API void cn_block_view_remove(CnBlockView *view, CnChunkPos position);
/* Far terrain, left out where chunks are. Tiles of different levels may overlap: a tile is drawn until its four
 * quarters (tiles, or quarters again) are there and have faded in. So remove one after those in its place are set.
 * From any threads, but for one tile one after the other. */
CN_API bool cn_block_view_set_far(CnBlockView *view, const CnLodMesh *mesh);
CN_API void cn_block_view_remove_far(CnBlockView *view, CnLodTile tile);
/* The climate: factors of the greens of grass and leaves (128 is 1), and 255 less the height of the land, which throws
 * shadows by it where those that are drawn end; in squares of
 * CN_CLIMATE_BLOCKS blocks, blended. A map that repeats: a place is in square x / CN_CLIMATE_BLOCKS modulo
 * CN_CLIMATE_SIZE, rounded down, of row z alike. CN_CLIMATE_SIZE rows of that many; copied. Without it all are 1, and
 * there is no land. */
#define CN_CLIMATE_BLOCKS 32
#define CN_CLIMATE_SIZE 256
CN_API void cn_block_view_set_climate(CnBlockView *view, const uint8_t (*factors)[4]);
/* What the player aims at: an outline, and cracks of a stage from 0 to 9 (-1: none). That of a flower is smaller than its
 * cell. */
typedef struct CnBlockAim {
    bool there;
    bool is_prop;
    CnCell cell;
    int32_t crack_stage;
} CnBlockAim;
CN_API void cn_block_view_aim(CnBlockView *view, const CnBlockAim *aim);

typedef struct CnBlockViewStats {
    /* What was drawn is that of the camera, without shadows; drawn_chunks are tiles of far terrain too. */
    uint32_t chunks, drawn_chunks, far_tiles;
    uint64_t quads, drawn_quads, gpu_bytes;
    uint64_t draws;         /* that the GPU made of it, in a few indirect calls */
    uint64_t waiting_bytes; /* to be uploaded */
    uint64_t refused;       /* meshes and removals that found no room or no memory */
} CnBlockViewStats;
CN_API CnBlockViewStats cn_block_view_stats(const CnBlockView *view);

typedef struct CnBlocksOptions {
    CnBlockView *view;
    bool no_occlusion; /* culling by frustum alone */
} CnBlocksOptions;
/* "Blocks": albedo, normal, light slots and depth; casts the shadows of blocks into the cascades. */
CN_API extern const CnFeatureType cn_feature_blocks;
/* "Block highlight": outline and cracks of what is aimed at, over hdr. */
CN_API extern const CnFeatureType cn_feature_block_highlight;

typedef struct CnWaterOptions {
    CnBlockView *view;
    CnSwitch reflections; /* in screen space: on */
} CnWaterOptions;
/* "Water": refraction, murk, reflections, over hdr. */
CN_API extern const CnFeatureType cn_feature_water;

/* ---- The light path, for CPUs ---- */

typedef struct CnLitBlocksOptions {
    CnBlockView *view;
    bool no_occlusion;           /* culling by frustum alone */
    CnSwitch water, clouds, fog; /* on */
    CnFogOptions air;
} CnLitBlocksOptions;
/*
 * "Lit blocks": blocks, sky, clouds, water and fog, each pixel lit once, into hdr and depth. Instead of Geometry, Blocks,
 * Sky, Environment, Deferred, lights, Clouds, Water and Fog, for devices that pay for each pixel of each pass: of the sun's
 * shadow there is what the light of the sky says, of lamps the light of blocks. Meshes of the scene are not drawn.
 */
CN_API extern const CnFeatureType cn_feature_lit_blocks;

CN_EXTERN_C_END

#endif
