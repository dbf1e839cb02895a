/*
 * Support: blocks that need another block. Plain props stand on the block below, ladders and signs
 * hang on the one behind them, doors stand on one, and doors and beds have two halves. When what
 * they need is gone, whatever removed it, they break in the same tick.
 *
 *     if (!crafty_support_holds(world, cell, ladder))
 *         refuse(); // nothing to hang on
 *
 * What breaks by a player in creative mode drops nothing and is undone together with the change.
 * Otherwise blocks drop what they drop by hand; the second half of a door or bed drops nothing.
 * Props that water washes away drop, too.
 */
#ifndef CRAFTY_SIM_SUPPORT_H
#define CRAFTY_SIM_SUPPORT_H

#include <cairn/ecs/world.h>
#include <cairn/voxel/voxels.h>

/* Returns whether a block in this cell would have what it needs, other than its second half. */
bool crafty_support_holds(const CnWorld *world, CnCell cell, CnBlock block);

/* Returns whether the other half of a door or bed is where it belongs; true for other blocks. */
bool crafty_support_is_whole(const CnWorld *world, CnCell cell, CnBlock block);

/* Adds the system CraftySupport, after all other systems that change blocks. Also after a saved
 * world was restored, whose edits are known. */
bool crafty_support_add(CnWorld *world, CnError *error);

#endif
