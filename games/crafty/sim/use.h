/*
 * What blocks do when a player uses them: the action place_block on a block that does something. A
 * sneaking player places instead.
 *
 *     if (!crafty_use_block(world, player, cell))
 *         place(held);
 *
 * Doors open and close, crafting tables, crates, chests and furnaces open, signs open for writing,
 * and beds set the spawn point.
 */
#ifndef CRAFTY_SIM_USE_H
#define CRAFTY_SIM_USE_H

#include <cairn/ecs/world.h>
#include <cairn/voxel/voxels.h>

/* Returns whether the block in the cell did something. May change the structure of the world. */
bool crafty_use_block(CnWorld *world, CnEntity player, CnCell cell);

#endif
