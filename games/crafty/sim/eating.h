/*
 * Eating: a player in survival who is hungry and holds the action "place_block" with food in the
 * hand eats one item every CRAFTY_EATING_SECONDS.
 *
 *     crafty_eating_add(world, &error); // adds the system CraftyEating of Update
 *
 * CraftyVitals.eating grows meanwhile, for the view. Food that is also a block is placed instead.
 */
#ifndef CRAFTY_SIM_EATING_H
#define CRAFTY_SIM_EATING_H

#include <cairn/ecs/world.h>

#define CRAFTY_EATING_SECONDS 1.6f

/* Adds the system, after crafty_hand_add. Calling it again is harmless. */
bool crafty_eating_add(CnWorld *world, CnError *error);

#endif
