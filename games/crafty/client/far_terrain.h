/*
 * Far terrain: selects tiles around the camera, builds them in jobs and passes them to the block
 * view. A tile is removed once all its replacements are drawn.
 */
#ifndef CRAFTY_CLIENT_FAR_TERRAIN_H
#define CRAFTY_CLIENT_FAR_TERRAIN_H

#include <cairn/base/job.h>
#include <cairn/render/blocks.h>

typedef struct CraftyFarLand CraftyFarLand;

typedef struct CraftyFarLandDesc {
    CnAllocator *allocator;
    CnGenerator *generator;
    CnJobPool *jobs;
    CnBlockView *view;
} CraftyFarLandDesc;
CraftyFarLand *crafty_far_land_create(const CraftyFarLandDesc *desc, CnError *error);
/* Waits for its jobs. Call before destroying the view. */
void crafty_far_land_destroy(CraftyFarLand *far_land);

/* Updates the tiles. `view` NULL removes all tiles. `wait` blocks until none is missing. */
void crafty_far_land_stream(CraftyFarLand *far_land, const CnLodView *view, bool wait);

typedef struct CraftyFarLandStats {
    uint32_t shown, missing;
} CraftyFarLandStats;
CraftyFarLandStats crafty_far_land_stats(const CraftyFarLand *far_land);

#endif
