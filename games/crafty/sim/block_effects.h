/*
 * What blocks do to the bodies of players, by name: CraftyBlockEffects, a transient resource.
 *
 *     if (crafty_block_effects_at(world, cell) & CRAFTY_BLOCK_CLIMBS)
 *         climb();
 */
#ifndef CRAFTY_SIM_BLOCK_EFFECTS_H
#define CRAFTY_SIM_BLOCK_EFFECTS_H

#include <cairn/ecs/world.h>
#include <cairn/voxel/voxels.h>

#define CRAFTY_BLOCK_CLIMBS 1u /* ladders */
#define CRAFTY_BLOCK_HEATS 2u  /* magma hurts who stands on it */
#define CRAFTY_BLOCK_STINGS 4u /* a cactus hurts who touches it */
#define CRAFTY_BLOCK_BURNS 8u  /* lava and fire hurt who is inside */
#define CRAFTY_BLOCK_IS_BED 16u

typedef struct CraftyBlockEffects {
    uint8_t effects[CN_BLOCK_MAX + 1]; /* CRAFTY_BLOCK_... */
} CraftyBlockEffects;
CN_OPAQUE(CraftyBlockEffects);

/* Adds the resource for the blocks of a table. Calling it again is harmless. */
bool crafty_block_effects_add(CnWorld *world, const CnBlockTable *blocks, CnError *error);
/* Returns the effects of a block; 0 without the resource. */
uint8_t crafty_block_effects(const CnWorld *world, CnBlock block);
/* Returns those of the block in a cell. */
uint8_t crafty_block_effects_at(const CnWorld *world, CnCell cell);

#endif
