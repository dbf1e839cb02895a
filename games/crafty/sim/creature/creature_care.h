/*
 * What players do to creatures with their hands: hitting, feeding, taming, shearing.
 *
 *     CnEntity creature = crafty_creature_aimed(world, eye, forward, CRAFTY_STRIKE_REACH,
 * &distance); if (creature.id && crafty_creature_strike(world, player, creature, held, forward))
 *         wear(held);
 *
 * All of it changes the structure of the world.
 */
#ifndef CRAFTY_SIM_CREATURE_CREATURE_CARE_H
#define CRAFTY_SIM_CREATURE_CREATURE_CARE_H

#include "creature.h"

#include "../stack.h"

#define CRAFTY_STRIKE_REACH 4.0f /* blocks */
#define CRAFTY_STRIKE_TICKS 24u  /* between two blows */

/* Returns where a ray enters a box, as a distance from the eye; negative: it does not. */
float crafty_ray_enters(const CnVoxelBox *box, CnVec3 eye, CnVec3 forward);
/* Returns the nearest living creature other than villagers that a ray meets, or the null entity.
 * `forward` is normalized. */
CnEntity crafty_creature_aimed(CnWorld *world, CnVec3 eye, CnVec3 forward, float reach,
                               float *distance);
/* The same for hands: within CRAFTY_STRIKE_REACH, unless a collidable block is before it. Plants do
 * not hide creatures from hands. */
CnEntity crafty_creature_in_reach(CnWorld *world, CnVec3 eye, CnVec3 forward);
/* Returns whether a living creature overlaps a box of a cell. */
bool crafty_creature_is_inside(CnWorld *world, CnCell cell, const CnBlockBox *box);
/* Returns the damage of a blow with this stack. */
float crafty_strike_damage(const CraftyItems *items, CraftyStack held);
/* Hits a creature. Returns false if the last blow of the player was a moment ago or the creature
 * was not hurt. */
bool crafty_creature_strike(CnWorld *world, CnEntity player, CnEntity creature, CraftyStack held,
                            CnVec3 direction);

typedef enum CraftyCare {
    CRAFTY_CARE_NONE,  /* the creature does not react */
    CRAFTY_CARE_DONE,  /* it does, and the stack stays */
    CRAFTY_CARE_EATEN, /* one item was taken */
    CRAFTY_CARE_WORN   /* a tool was used */
} CraftyCare;
/* Uses a stack on a creature: food, a gift, shears; nothing special makes one's own sit or come. */
CraftyCare crafty_creature_care(CnWorld *world, CnEntity player, CnEntity creature,
                                CraftyStack held);

#endif
