/* Drops of several stacks at once. */
#ifndef CRAFTY_SIM_DROP_CONTENTS_H
#define CRAFTY_SIM_DROP_CONTENTS_H

#include "drops.h"

/* Drops the stacks in a cell, or gives them to the player with this number; slots whose stacks are
 * gone are empty then. Returns how many items stay. */
static inline uint32_t crafty_drop_contents(CnWorld *world, CnCell cell, uint32_t player,
                                            CraftyStack *slots, uint32_t count)
{
    uint32_t left = 0;
    for (uint32_t i = 0; i < count; i++)
        if (!crafty_drop_or_keep(world, cell, player, &slots[i]))
            left += slots[i].count;
    return left;
}

#endif
