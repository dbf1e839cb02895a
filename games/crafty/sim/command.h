/*
 * Commands: everything by which a client, a menu, a tour or a console changes the simulation, other
 * than the actions of its player. connection.h sends them.
 *
 * Commands are events from a producer: they wait for the next tick, whose system CraftyCommands
 * (CN_STAGE_INPUT) applies them in order, and a recorder records them. Nothing about them is
 * trusted except `sender`, which the connection sets: commands with invalid fields, or for a player
 * other than the sender, change nothing and are counted in CraftyCommandCounts. Where the rules of
 * the world (rules.h) do not allow commands, only the console changes mode, position, time and
 * weather. Valid commands that are not possible at the moment, such as moving items from an empty
 * slot, are normal, since a client may be behind the simulation; they are counted separately.
 */
#ifndef CRAFTY_SIM_COMMAND_H
#define CRAFTY_SIM_COMMAND_H

#include "crafty/world/items.h"

#include <cairn/ecs/producer.h>

typedef enum CraftyCommandKind {
    CRAFTY_COMMAND_NONE, /* not a command */
    /* `player`, not in survival, takes `count` of `item` into the hand; to the cursor while
     * something is open */
    CRAFTY_COMMAND_TAKE_ITEM,
    CRAFTY_COMMAND_MODE,        /* mode of `player`; `choice` is a CraftyPlayerMode */
    CRAFTY_COMMAND_CAPTURE,     /* captures (`choice` 1) or releases (0) the mouse of `player` */
    CRAFTY_COMMAND_SENSITIVITY, /* of the mouse of `player`; `value` in degrees per pixel */
    CRAFTY_COMMAND_MOVE,        /* moves `player`, or the camera of a tour, to a pose */
    CRAFTY_COMMAND_TIME,        /* sets the time of day; `value` in hours, 0 to 24 */
    CRAFTY_COMMAND_TIME_SPEED,  /* `value` as CraftyDay.speed, 0 to CRAFTY_MAX_TIME_SPEED */
    CRAFTY_COMMAND_WEATHER,     /* `choice` is a CraftyWeatherKind, which stays */
    CRAFTY_COMMAND_WEATHER_NOW, /* the same, without a transition */
    CRAFTY_COMMAND_MOVE_ITEMS,  /* `player` moves `count` items from slot `from` to slot `to` */
    CRAFTY_COMMAND_CHAT,        /* the sender types `text`: says it, or a command line (chat.h) */
    CRAFTY_COMMAND_RESPAWN,     /* `player`, who is dead, appears at the bed or at the spawn */
    CRAFTY_COMMAND_PREFERENCES, /* of `player`; `choice` are CRAFTY_PREFERS_... bits */
    CRAFTY_COMMAND_SIGN_TEXT,   /* `player` writes `text` on the sign in `cell` (sign.h) */
    CRAFTY_COMMAND_UNDO,        /* `player` undoes its last changes (undo.h) */
    CRAFTY_COMMAND_REDO,        /* `player` redoes what it undid last */
    CRAFTY_COMMAND_OPEN,       /* `player` opens the inventory; `choice` is CRAFTY_OPEN_INVENTORY */
    CRAFTY_COMMAND_CLOSE,      /* `player` closes what is open */
    CRAFTY_COMMAND_QUICK_MOVE, /* moves the stack in slot `from` to where it belongs */
    CRAFTY_COMMAND_DROP_ITEMS, /* `player` throws `count` items of slot `from` */
    CRAFTY_COMMAND_DELETE_ITEMS, /* removes `count` items of slot `from`; only in creative mode */
    CRAFTY_COMMAND_FILL_RECIPE,  /* fills the grid for `count` times the recipe named `item` */
    CRAFTY_COMMAND_SORT,         /* sorts the inventory, or the container if `from` is in it */
    CRAFTY_COMMAND_TRADE, /* `player` buys offer `choice` of a villager, up to `count` times */
    /* `player` answers the dialog with the number cell[0] (mod/hud.h): by `choice` from 1; 0: it
     * closes the dialog */
    CRAFTY_COMMAND_CHOOSE,
    CRAFTY_COMMAND_KIND_COUNT
} CraftyCommandKind;

#define CRAFTY_MAX_TIME_SPEED 10000.0f
#define CRAFTY_MIN_SENSITIVITY 0.001f /* degrees per pixel */
#define CRAFTY_MAX_SENSITIVITY 10.0f
#define CRAFTY_MAX_COORDINATE 8e6f /* keeps everything visible inside the limits of the world */

/* Slots in commands: those of the player (crafty_player_slot) from 0 on, then these. The slots of
 * the container are those of the open one; if none is open, of that in `cell`, which must be within
 * reach (container.h); players with an account have to open it first. A furnace has three: input,
 * fuel and result. */
#define CRAFTY_SLOT_GRID 36u    /* 9 of the crafting grid, row by row of 3 */
#define CRAFTY_SLOT_RESULT 45u  /* what the grid makes; taking it crafts */
#define CRAFTY_SLOT_CARRIED 63u /* the stack at the cursor */
#define CRAFTY_COMMAND_CONTAINER 64u

#define CRAFTY_COMMAND_TEXT_BYTES 128u /* of a text, including the terminator */

/* `kind` is a CraftyCommandKind, which determines the other fields that are used. `sender` is set
 * by the connection. `player` is the number of the player that obeys; 0: the sender. Only a console
 * may name another one. Position, yaw and pitch are those of a CraftyPose. Items have their names,
 * because numbers belong to one world. */
CN_COMPONENT(CraftyCommand, (u32, sender), (u32, player), (vec3, position), (f32, yaw),
             (f32, pitch), (f32, value), (i32, cell, 3), (u16, count), (u8, kind), (u8, choice),
             (u8, from), (u8, to), (text, text, CRAFTY_COMMAND_TEXT_BYTES),
             (text, item, CRAFTY_ITEM_NAME_BYTES));

/* A resource; part of the state. `ignored`: invalid or not allowed; the first one is logged.
 * `without_effect`: valid, but there was nothing to do or nobody to do it. */
CN_COMPONENT(CraftyCommandCounts, (u64, applied), (u64, ignored), (u64, without_effect));

/* Adds the events, the resource and the system. */
bool crafty_commands_add(CnWorld *world, CnError *error);

/* Returns whether the fields that the kind uses are in range. */
bool crafty_command_valid(const CraftyCommand *command);

#endif
