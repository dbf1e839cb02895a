/*
 * Explosions: a crater in the edit log, damage and knock-back by distance, and some drops.
 *
 *     crafty_blast(world, &(CraftyBlast){.center = at, .radius = 4, .damage = 18});
 */
#ifndef CRAFTY_SIM_CREATURE_BLAST_H
#define CRAFTY_SIM_CREATURE_BLAST_H

#include <cairn/ecs/world.h>
#include <cairn/voxel/voxels.h>

typedef struct CraftyBlast {
    CnVec3 center;
    float radius; /* blocks, at most 8 */
    float damage; /* in the middle */
    CnEntity by;
} CraftyBlast;

/* Blocks whose hardness is 10 or more, and unbreakable ones, stay and shield what is behind them.
 * In water, no block breaks. Changes the structure of the world. */
void crafty_blast(CnWorld *world, const CraftyBlast *blast);

#endif
