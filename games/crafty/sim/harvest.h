/*
 * Harvesting: how long a tool takes to break a block, and what the block drops.
 *
 *     float ms = crafty_harvest_ms(world, block, held);
 *     crafty_harvest_drop(world, player, cell, block, held);
 *
 * Breaking takes hardness x 1,500 ms by hand. The right tool divides that by the speed of its tier;
 * a block that needs another tool or a better one takes 10/3 of the time and drops nothing.
 */
#ifndef CRAFTY_SIM_HARVEST_H
#define CRAFTY_SIM_HARVEST_H

#include "stack.h"

#include <cairn/ecs/world.h>
#include <cairn/voxel/voxels.h>

/* Returns the time in milliseconds; negative if the block is unbreakable. */
float crafty_harvest_ms(const CnWorld *world, CnBlock block, CraftyStack held);
/* Returns the item of a block or of its family; CRAFTY_NO_ITEM: none. */
CraftyItem crafty_harvest_item(const CnWorld *world, CnBlock block);
/* Drops what the block in a cell gives when it is broken with a stack. What the world has no room
 * for goes to `player`, if there is one. */
void crafty_harvest_drop(CnWorld *world, CnEntity player, CnCell cell, CnBlock block,
                         CraftyStack held);
/* Drops a stack in a cell, or gives it to a player. What neither has room for is counted in
 * CraftyDropCounts. */
void crafty_drop_or_give(CnWorld *world, CnEntity player, CnCell cell, CraftyStack stack);

#endif
