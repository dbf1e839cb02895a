/*
 * Fences: posts whose arms reach to the fences, gates and walls beside them.
 *
 *     crafty_fence_watch(world, players, &edit); // after each edit: updates the fences around it
 *
 * The blocks of one kind of fence are oak_fence and oak_fence_joined_1 to _15, whose number is a
 * sum of directions: 1 north, 2 east, 4 south, 8 west. An update that follows from an edit of a
 * player in creative mode is undone together with it.
 */
#ifndef CRAFTY_SIM_FENCE_H
#define CRAFTY_SIM_FENCE_H

#include "player.h"

void crafty_fence_watch(CnWorld *world, CnQuery *players, const CnEdit *edit);

/* Returns the fence with arms to what is around the cell, for any fence; other blocks as they
 * are. */
CnBlock crafty_fence_joined(const CraftyBlocks *blocks, CnCell cell, CnBlock block);

#endif
