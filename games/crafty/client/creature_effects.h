/*
 * Particles for what happens to creatures: hearts when they are fed, tamed or breed, a cloud when
 * they vanish, feathers, and the debris, smoke and flash of blasts.
 *
 *     for (const CraftyCreatureEvent *event; (event = cn_read_next(reader, CraftyCreatureEvent));)
 *         crafty_creature_effect(&effects, event);
 */
#ifndef CRAFTY_CLIENT_CREATURE_EFFECTS_H
#define CRAFTY_CLIENT_CREATURE_EFFECTS_H

#include "emitters.h"

#include "crafty/sim/creature/creature.h"

typedef struct CraftyCreatureEffects {
    CraftyEmitters *emitters;
    CnVoxels *voxels;
    const CraftyCreatureKinds *kinds; /* NULL: none are known */
    CnVec3 eye;
} CraftyCreatureEffects;

#define CRAFTY_EFFECT_REACH 64.0f /* blocks: beyond it, nothing is seen of them */

/* Emits the particles of an event; most events have none. */
void crafty_creature_effect(const CraftyCreatureEffects *effects, const CraftyCreatureEvent *event);

#endif
