/*
 * The rules of a world: CraftyRules, a resource that is chosen when the world is created.
 *
 *     crafty_rules_add(world, &error); // creative, commands allowed
 *     if (!crafty_rules_allow_commands(world))
 *         refuse();
 */
#ifndef CRAFTY_SIM_RULES_H
#define CRAFTY_SIM_RULES_H

#include "mode.h"

#include <cairn/ecs/world.h>

/*
 * Fields:
 *     mode              a CraftyPlayerMode: that of new players
 *     commands          players may change time, weather, mode and position by commands
 *     keep_inventory    players keep their items when they die
 *     has_spawn         the two fields below are set
 *     spawn, spawn_yaw  where players appear: position of the eye, and degrees
 */
CN_COMPONENT(CraftyRules, (u8, mode), (bool, commands), (bool, keep_inventory), (bool, has_spawn),
             (vec3, spawn), (f32, spawn_yaw));

/* Adds the resource, unless it exists: creative, with commands, as in worlds that were saved
 * without rules. */
bool crafty_rules_add(CnWorld *world, CnError *error);
/* Returns whether players may use commands; true without rules. */
bool crafty_rules_allow_commands(const CnWorld *world);

#endif
