/*
 * Far terrain: selects tiles around the camera, builds them in jobs and passes them to the block
 * view. A tile is removed once all its replacements are drawn.
 */
#ifndef CRAFTY_CLIENT_FAR_TERRAIN_H
#define CRAFTY_CLIENT_FAR_TERRAIN_H

#include <cairn/base/job.h>
#include <cairn/render/blocks.h>

typedef struct CraftyFarTerrain CraftyFarTerrain;

typedef struct CraftyFarTerrainDesc {
    CnAllocator *allocator;
    CnGenerator *generator;
    CnJobPool *jobs;
    CnBlockView *view;
} CraftyFarTerrainDesc;
CraftyFarTerrain *crafty_far_terrain_create(const CraftyFarTerrainDesc *desc, CnError *error);
/* Waits for its jobs. Call before destroying the view. */
void crafty_far_terrain_destroy(CraftyFarTerrain *far_terrain);

/* Updates the tiles. `view` NULL removes all tiles. `wait` blocks until none is missing. */
void crafty_far_terrain_stream(CraftyFarTerrain *far_terrain, const CnLodView *view, bool wait);

typedef struct CraftyFarTerrainStats {
    uint32_t shown, missing;
} CraftyFarTerrainStats;
CraftyFarTerrainStats crafty_far_terrain_stats(const CraftyFarTerrain *far_terrain);

#endif
