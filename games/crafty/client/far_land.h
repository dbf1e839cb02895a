/*
 * Far terrain: chooses tiles around the eye, has jobs build them, and hands them to the view. A tile goes when all that
 * take its place are there.
 */
#ifndef CRAFTY_CLIENT_FAR_LAND_H
#define CRAFTY_CLIENT_FAR_LAND_H

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
/* Waits for its jobs. Before the view. */
void crafty_far_land_destroy(CraftyFarLand *far_land);

/* `view` NULL: no tiles at all. `wait`: until none is missing. */
void crafty_far_land_stream(CraftyFarLand *far_land, const CnLodView *view, bool wait);

typedef struct CraftyFarLandStats {
    uint32_t shown, missing;
} CraftyFarLandStats;
CraftyFarLandStats crafty_far_land_stats(const CraftyFarLand *far_land);

#endif
