/*
 * Drops: stacks that lie in the world as entities, until a player picks them up.
 *
 *     CraftyStack stack = {.item = stone, .count = 3};
 *     if (!crafty_drop_spawn(world, at, cn_vec3(0, 3, 0), stack, CRAFTY_DROP_WAIT).id)
 *         keep(stack); // the world is full: nothing was dropped
 *
 * Drops fall, slide, float on water and come to rest. At rest they cost almost nothing, until a
 * block near them changes. Drops near a player with room fly to it and are picked up. Equal stacks
 * that lie together merge. After CRAFTY_DROP_LIFETIME ticks a drop vanishes; CraftyDropCounts
 * counts its items.
 *
 * Structure of the world: spawning creates an entity, so it must not happen while a query is
 * iterated.
 */
#ifndef CRAFTY_SIM_DROPS_H
#define CRAFTY_SIM_DROPS_H

#include "stack.h"

#include <cairn/scene/transform.h>
#include <cairn/voxel/voxels.h>

#define CRAFTY_MAX_DROP_ENTITIES 4096u
#define CRAFTY_DROP_LIFETIME 18000u /* ticks: 5 minutes */
#define CRAFTY_DROP_WAIT 30u        /* ticks until a drop of a broken block is picked up */
#define CRAFTY_DROP_THROWN_WAIT 90u /* ticks until its thrower picks up a thrown drop */
#define CRAFTY_DROP_SIZE 0.25f      /* blocks; the position is the center of this cube */

/* A component of entities with a CnTransform.
 *     velocity   blocks per second
 *     age        ticks
 *     wait       ticks until it can be picked up
 *     owner      number of the player who threw it and for whom alone `wait` counts; 0: nobody
 *     rests      it does not move until a block near it changes */
CN_COMPONENT(CraftyDrop, (struct, CraftyStack, stack), (vec3, velocity), (u32, age), (u32, wait),
             (u32, owner), (bool, rests));

/* A resource, part of the state: items that vanished because nobody picked them up. */
CN_COMPONENT(CraftyDropCounts, (u64, vanished_items));

/* Adds components and the system CraftyDrops; crafty_player_add calls it. */
bool crafty_drops_add(CnWorld *world, CnError *error);
/* Adds the system CraftyDropsWake, after all systems that change blocks. Also after a saved world
 * was restored, whose edits are known. */
bool crafty_drops_watch(CnWorld *world, CnError *error);

/* Drops a stack. If there are CRAFTY_MAX_DROP_ENTITIES already, it is added to an equal stack
 * anywhere that has room. Returns the entity, or the null entity if nothing was dropped: the stack
 * is empty, the position is outside of the world, there is no room, or when out of memory. */
CnEntity crafty_drop_spawn(CnWorld *world, CnVec3 at, CnVec3 velocity, CraftyStack stack,
                           uint32_t wait_ticks);
/* Drops a stack in the middle of a cell, in a direction that depends on cell and tick. */
CnEntity crafty_drop_in_cell(CnWorld *world, CnCell cell, CraftyStack stack);
/* The same; what the world has no room for goes to the player with this number, if there is one,
 * and the rest stays in `stack`. Returns whether nothing stays. */
bool crafty_drop_or_keep(CnWorld *world, CnCell cell, uint32_t player, CraftyStack *stack);
/* Throws a stack from the eye of a player, who picks it up again only after
 * CRAFTY_DROP_THROWN_WAIT ticks. */
CnEntity crafty_drop_throw(CnWorld *world, CnEntity player, CraftyStack stack);

/* Returns how many drops there are, and how many items of one kind lie in the world. */
uint32_t crafty_drop_count(CnWorld *world);
uint64_t crafty_drop_items(CnWorld *world, CraftyItem item);

#endif
