/*
 * The path of the terrain to the screen: streams the chunks of a CraftyWorld around the camera, and
 * passes their meshes to the block view that the renderer draws.
 *
 *     CraftyTerrain *terrain = crafty_terrain_create(&(CraftyTerrainDesc){.seed = 42}, &error);
 *     CraftyStreamView eye = {.position = position, .forward = forward, .radius = 8, .height = 4};
 *     crafty_terrain_stream(terrain, &eye); // every frame
 *     crafty_terrain_wait(terrain, &eye);   // or block until everything around it is loaded
 *
 * Use from the simulation thread only. Jobs generate, light and mesh chunks; results go to the
 * block view, from which the render thread takes them.
 */
#ifndef CRAFTY_CLIENT_TERRAIN_H
#define CRAFTY_CLIENT_TERRAIN_H

#include "climate.h"
#include "crafty/world/world.h"
#include "frame_times.h"
#include "lamps.h"

#include <cairn/render/blocks.h>
#include <cairn/voxel.h>

typedef struct CraftyTerrain CraftyTerrain;

typedef struct CraftyTerrainDesc {
    CnAllocator *allocator; /* thread-safe; NULL: system allocator */
    uint64_t seed;
    uint32_t workers;                 /* see CnJobPoolDesc */
    uint32_t upload_bytes, max_quads; /* see CnBlockViewDesc */
    CnVoxelsHooks hooks; /* chunk_store and chunk_load, of a saved world; the others are unused */
    CraftyPalettes palettes;      /* of a saved world */
    const CraftyContent *content; /* NULL: the standard content; not needed after the creation */
} CraftyTerrainDesc;
CraftyTerrain *crafty_terrain_create(const CraftyTerrainDesc *desc, CnError *error);
/* Call after removing the features that draw it (crafty_preset_clear). */
void crafty_terrain_destroy(CraftyTerrain *terrain);

/* Returns the world, which the terrain owns. */
CraftyWorld *crafty_terrain_world(CraftyTerrain *terrain);
CnVoxels *crafty_terrain_voxels(CraftyTerrain *terrain);
CnBlockView *crafty_terrain_view(CraftyTerrain *terrain);
CraftyLamps *crafty_terrain_lamps(CraftyTerrain *terrain);

typedef struct CraftyStreamView {
    CnVec3 position, forward;
    uint32_t radius, height; /* chunks */
    float far_edge;          /* blocks; 0: no far terrain */
    CnLodDetail far_detail;
    float seconds;           /* since the last frame; scales the budgets */
    CraftyFrameTimes *times; /* receives the times of phases; may be NULL */
} CraftyStreamView;
/* Starts jobs and applies results. Does not allocate from the heap when nothing changes. */
void crafty_terrain_stream(CraftyTerrain *terrain, const CraftyStreamView *eye);
/* Does the same with as many jobs as possible, for use while the caller does other long work. */
void crafty_terrain_load(CraftyTerrain *terrain, const CraftyStreamView *eye);
/* Blocks until all chunks and far tiles are built; they may not have been uploaded yet. */
void crafty_terrain_wait(CraftyTerrain *terrain, const CraftyStreamView *eye);

typedef struct CraftyTerrainStats {
    CnVoxelsStats voxels;
    CnBlockViewStats view;
    uint32_t far_tiles, far_missing;
} CraftyTerrainStats;
CraftyTerrainStats crafty_terrain_stats(const CraftyTerrain *terrain);
/* Returns whether everything requested by the last crafty_terrain_stream is loaded. */
bool crafty_terrain_is_complete(const CraftyTerrain *terrain);

#endif
