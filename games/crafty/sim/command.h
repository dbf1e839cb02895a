/*
 * Commands: everything by which a client, a menu, a tour or a console changes the simulation, other
 * than the actions of its player. connection.h sends them.
 *
 * Commands are events from a producer: they wait for the next tick, whose system CraftyCommands
 * (CN_STAGE_INPUT) applies them in order, and a recorder records them. Nothing about them is
 * trusted except `sender`, which the connection sets: commands with invalid fields, for a player
 * other than the sender, or for an entity that cannot obey, change nothing and are counted in
 * CraftyCommandCounts.
 */
#ifndef CRAFTY_SIM_COMMAND_H
#define CRAFTY_SIM_COMMAND_H

#include "crafty/world/items.h"

#include <cairn/ecs/producer.h>

typedef enum CraftyCommandKind {
    CRAFTY_COMMAND_NONE,        /* not a command */
    CRAFTY_COMMAND_TAKE_ITEM,   /* `player` takes `count` of `item` into the hand */
    CRAFTY_COMMAND_MODE,        /* `player` walks or flies; `choice` is a CraftyPlayerMode */
    CRAFTY_COMMAND_CAPTURE,     /* captures (`choice` 1) or releases (0) the mouse of `player` */
    CRAFTY_COMMAND_SENSITIVITY, /* of the mouse of `player`; `value` in degrees per pixel */
    CRAFTY_COMMAND_MOVE,        /* moves `player`, or the camera of a tour, to a pose */
    CRAFTY_COMMAND_TIME,        /* sets the time of day; `value` in hours, 0 to 24 */
    CRAFTY_COMMAND_TIME_SPEED,  /* `value` as CraftyDay.speed, 0 to CRAFTY_MAX_TIME_SPEED */
    CRAFTY_COMMAND_WEATHER,     /* `choice` is a CraftyWeatherKind, which stays */
    CRAFTY_COMMAND_WEATHER_NOW, /* the same, without a transition */
    CRAFTY_COMMAND_MOVE_ITEMS,  /* `player` moves `count` items from slot `from` to slot `to` */
    CRAFTY_COMMAND_KIND_COUNT
} CraftyCommandKind;

#define CRAFTY_MAX_TIME_SPEED 10000.0f
#define CRAFTY_MIN_SENSITIVITY 0.001f /* degrees per pixel */
#define CRAFTY_MAX_SENSITIVITY 10.0f
#define CRAFTY_MAX_COORDINATE 8e6f /* keeps everything visible inside the limits of the world */

/* Slots of CRAFTY_COMMAND_MOVE_ITEMS: those of the player (crafty_player_slot), and from this
 * number on those of the container in `cell`, which must be within reach (container.h). */
#define CRAFTY_COMMAND_CONTAINER 64u

/* `kind` is a CraftyCommandKind, which determines the other fields that are used. `sender` is set
 * by the connection. `player` is the number of the player that obeys; 0: the sender. Only a console
 * may name another one. Position, yaw and pitch are those of a CraftyPose. Items have their names,
 * because numbers belong to one world. */
CN_COMPONENT(CraftyCommand, (u32, sender), (u32, player), (vec3, position), (f32, yaw),
             (f32, pitch), (f32, value), (i32, cell, 3), (u16, count), (u8, kind), (u8, choice),
             (u8, from), (u8, to), (text, item, CRAFTY_ITEM_NAME_BYTES));

/* A resource; part of the state. */
CN_COMPONENT(CraftyCommandCounts, (u64, applied), (u64, ignored));

/* Adds the events, the resource and the system. */
bool crafty_commands_add(CnWorld *world, CnError *error);

/* Returns whether the fields that the kind uses are in range. */
bool crafty_command_valid(const CraftyCommand *command);

#endif
