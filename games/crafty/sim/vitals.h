/*
 * Health, hunger and air of players: the component CraftyVitals.
 *
 *     crafty_vitals_hurt(world, player, 4, CRAFTY_DAMAGE_FALL);
 *     if (cn_get(world, player, CraftyVitals)->dead)
 *         show_death_screen();
 *
 * Only players in survival are hurt and hunger; those in creative mode die only by the void and by
 * commands, spectators only by commands. Every loss of health is an event (player_event.h).
 *
 *     fall       one point for each block beyond three; none into water
 *     air        10 seconds; then 2 points per second
 *     magma, cactus, lava   1, 1 and 4 points every half second
 *     hunger     exhaustion of 4 takes one point of food: a second costs 0.02, a block of sprinting
 *                0.05 and of swimming 0.01, a jump 0.05, a jump while sprinting 0.2, breaking a
 *                block 0.005, and healing 1.5 per point; walking costs nothing more
 *     food       from 18 on, one point of health returns every 4 seconds; below 7 nobody sprints;
 * at 0, one point of health is lost every 4 seconds, down to 1
 *
 * A player who dies drops all stacks, unless the rules of the world keep them.
 */
#ifndef CRAFTY_SIM_VITALS_H
#define CRAFTY_SIM_VITALS_H

#include "player_event.h"

#include "crafty/world/items.h"

#include <cairn/ecs/world.h>

#define CRAFTY_MAX_HEALTH 20.0f
#define CRAFTY_MAX_FOOD 20.0f
#define CRAFTY_MAX_AIR 10.0f /* seconds */

typedef enum CraftyDamage {
    CRAFTY_DAMAGE_NONE,
    CRAFTY_DAMAGE_FALL,
    CRAFTY_DAMAGE_DROWNING,
    CRAFTY_DAMAGE_HUNGER,
    CRAFTY_DAMAGE_LAVA,
    CRAFTY_DAMAGE_HEAT, /* of magma */
    CRAFTY_DAMAGE_CACTUS,
    CRAFTY_DAMAGE_VOID,    /* below the world; in every mode */
    CRAFTY_DAMAGE_COMMAND, /* in every mode */
    CRAFTY_DAMAGE_CREATURE,
    CRAFTY_DAMAGE_BLAST,
    CRAFTY_DAMAGE_MOD,
    CRAFTY_DAMAGE_COUNT
} CraftyDamage;

/*
 * Fields:
 *     health, food   0 to 20
 *     air            seconds left under water, 0 to CRAFTY_MAX_AIR
 *     fall           blocks fallen since the player last stood, swam or climbed
 *     exhaustion     what became of actions; food decreases when it is large
 *     hurt_tick      the tick of the last damage; 0: none
 *     cause          a CraftyDamage: of the last damage
 *     dead           does not move or act until CRAFTY_COMMAND_RESPAWN
 *     has_spawn      `spawn` is the cell of a bed: where the player respawns
 *     spawn          a cell
 *     landed         blocks of a fall that ended in this tick, otherwise 0
 *     heal_wait      seconds since food or hunger last changed the health
 *     drown_wait     seconds since drowning last hurt
 *     eating         seconds for which the player has been eating; see eating.h
 *     eaten_item     the CraftyItem that is being eaten
 *     dropped        the items of the dead player were dropped
 *     sleep_ticks    for which the player has been sleeping; 0: awake; see bed.h
 *     spawns_here    `spawn` is where the feet are put, by /spawnpoint, and need not be a bed
 */
CN_COMPONENT(CraftyVitals, (f32, health), (f32, food), (f32, air), (f32, fall), (f32, exhaustion),
             (u64, hurt_tick), (u8, cause), (bool, dead), (bool, has_spawn), (i32, spawn, 3),
             (f32, landed), (f32, heal_wait), (f32, drown_wait), (f32, eating), (u16, eaten_item),
             (bool, dropped), (u32, sleep_ticks), (bool, spawns_here));

/* Adds the component, with full values, and the events. Calling it again is harmless. */
bool crafty_vitals_register(CnWorld *world, CnError *error);
/* Adds the system CraftyVitals of Update, after the systems that move players and use hands. */
bool crafty_vitals_add(CnWorld *world, CnError *error);

/* Takes health from a player; at 0 the player is dead. Returns false if nothing changed: the mode
 * protects the player, the player is dead already, or was hurt by the same cause a moment ago. */
bool crafty_vitals_hurt(CnWorld *world, CnEntity player, float damage, CraftyDamage cause);
/* Gives food, at most to CRAFTY_MAX_FOOD. Returns false if the player is not hungry or is dead. */
bool crafty_vitals_eat(CnWorld *world, CnEntity player, float food);
#define CRAFTY_EXHAUSTION_BREAK 0.005f /* of breaking a block */
/* Adds exhaustion of a player in survival. */
void crafty_vitals_exhaust(CnWorld *world, CnEntity player, float exhaustion);
/* Returns whether the player is dead; false without CraftyVitals. */
bool crafty_player_is_dead(const CnWorld *world, CnEntity player);
/* Returns whether the player is dead or asleep and can do nothing. */
bool crafty_player_is_helpless(const CnWorld *world, CnEntity player);

#endif
