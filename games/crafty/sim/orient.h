/*
 * Orientation: which variants of a block a player places, and where.
 *
 *     CraftyPlacement placement;
 *     crafty_orient(families, door, forward, &target, cell, &placement); // two halves
 *
 * The fronts of chests, furnaces, signs and doors face the player, and stairs rise away from it.
 * The head of a bed lies away from it. Ladders and signs on walls hang on the face that is aimed
 * at. Stairs and slabs fill the upper half if the upper half of a side is aimed at, or a face from
 * below. A slab that is placed against the free half of another one of its kind combines with it
 * to the full block.
 */
#ifndef CRAFTY_SIM_ORIENT_H
#define CRAFTY_SIM_ORIENT_H

#include "crafty/world/block_family.h"

#include <cairn/voxel/voxels.h>

/* `count` is 2 for doors and beds, otherwise 1. */
typedef struct CraftyPlacement {
    CnCell cells[2];
    CnBlock blocks[2];
    uint32_t count;
} CraftyPlacement;

/* `block` is that of the item. `families` may be NULL: the block stays as it is. Returns false if
 * it cannot be placed at this face, as a ladder at a floor. */
bool crafty_orient(const CraftyBlockFamilies *families, CnBlock block, CnVec3 forward,
                   const CnVoxelHit *target, CnCell cell, CraftyPlacement *placement);

/* Plans a slab that combines with the one in the target's cell, or in `cell` before its face, to
 * the full block. Returns false if there is no such slab. */
bool crafty_orient_combine(const CraftyBlockFamilies *families, CnVoxels *voxels, CnBlock block,
                           const CnVoxelHit *target, CnCell cell, CraftyPlacement *placement);

#endif
