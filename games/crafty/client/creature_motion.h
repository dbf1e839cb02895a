/*
 * How the drawn state of a creature follows what it does: weights and clocks of its animations.
 *
 *     CraftyCreatureMotion motion = {0}; // of a creature; copied from tick to tick
 *     crafty_creature_motion_tick(&motion, &input, dt);
 *     crafty_creature_motion_pose(&before, &motion, alpha, &pose);
 */
#ifndef CRAFTY_CLIENT_CREATURE_MOTION_H
#define CRAFTY_CLIENT_CREATURE_MOTION_H

#include "creature_model.h"

#include "crafty/sim/creature/creature.h"

typedef struct CraftyCreatureMotion {
    float weights[CRAFTY_ANIMATION_COUNT];
    float clocks[CRAFTY_ANIMATION_COUNT];
} CraftyCreatureMotion;

typedef struct CraftyCreatureInput {
    const CraftyCreature *creature;
    const CraftyBody *body; /* NULL: unknown */
    float way;              /* blocks moved on the ground in this tick */
    float stride;           /* of the model: blocks per second of full steps */
} CraftyCreatureInput;

/* Starts the clocks of a creature that was not seen before, differently for each seed. */
void crafty_creature_motion_begin(CraftyCreatureMotion *motion, uint32_t seed);
void crafty_creature_motion_tick(CraftyCreatureMotion *motion, const CraftyCreatureInput *input,
                                 float dt);
/* Sets weights and clocks of a pose between two ticks. */
void crafty_creature_motion_pose(const CraftyCreatureMotion *before,
                                 const CraftyCreatureMotion *now, float alpha,
                                 CraftyCreaturePose *pose);
/* Sets what being hurt, dying and a burning fuse change. `ticks` since the last one, 0 to 1. */
void crafty_creature_damage_pose(const CraftyCreature *creature, float ticks, bool is_still,
                                 CraftyCreaturePose *pose);

#endif
