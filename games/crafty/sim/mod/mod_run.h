/*
 * Mods in a running simulation: of what the systems of Crafty notify them, and what they ask them.
 *
 *     if (!crafty_mods_ask(world, &(CraftyModNote){.event = CRAFTY_MOD_BREAK, ...}))
 *         return; // a mod prevents it, and the player has read why
 *     crafty_mods_note(world, &note); // it happened: the system CraftyMods notifies the mods
 *
 * Notes wait for the system CraftyMods, which runs once in each tick; those of later systems wait
 * for the next tick and are part of the state. Without mods, all of this does nothing. Only systems
 * that run alone may call these functions. mods.h explains mods as a whole.
 */
#ifndef CRAFTY_SIM_MOD_MOD_RUN_H
#define CRAFTY_SIM_MOD_MOD_RUN_H

#include "mods.h"

#include "crafty/sim/chat_commands.h"

#include <cairn/sim/loop.h>
#include <cairn/voxel/voxels.h>

#define CRAFTY_MOD_MAX_NOTES 1024u /* that wait; further ones are dropped and counted */
#define CRAFTY_MOD_NOTE_TEXT_BYTES 128u

typedef enum CraftyModEvent {
    CRAFTY_MOD_PLACE,
    CRAFTY_MOD_BREAK,
    CRAFTY_MOD_USE,
    CRAFTY_MOD_HURT,
    CRAFTY_MOD_DIED,
    CRAFTY_MOD_RESPAWNED,
    CRAFTY_MOD_ATE,
    CRAFTY_MOD_CRAFTED,
    CRAFTY_MOD_PICKED_UP,
    CRAFTY_MOD_STEPPED,
    CRAFTY_MOD_CHAT,
    CRAFTY_MOD_JOIN,
    CRAFTY_MOD_TALK,
    CRAFTY_MOD_TICK,
    CRAFTY_MOD_CHOICE,
    CRAFTY_MOD_EVENT_COUNT
} CraftyModEvent;

/* Something that happened or is about to happen. The event determines which fields are used. */
typedef struct CraftyModNote {
    uint8_t event;
    uint8_t has_value; /* of a hurt that is asked about: `value` was changed */
    uint16_t block, item, count;
    uint32_t player; /* number; 0: nobody */
    CnCell cell;
    float value;                           /* amount */
    uint64_t creature;                     /* CnEntity.id */
    char text[CRAFTY_MOD_NOTE_TEXT_BYTES]; /* chat: the line; hurt: the cause; talk: profession;
                                              choice: mod and dialog, as "quest:offer" */
} CraftyModNote;

/* ---- For the systems of Crafty ---- */

/* Asks the handlers of `before`, in order, which may not change anything. Returns false if one
 * prevents it; the player reads the reason. A hurt may get another `value`. */
bool crafty_mods_ask(CnWorld *world, CraftyModNote *note);
/* Notes what happened. */
void crafty_mods_note(CnWorld *world, const CraftyModNote *note);
/* Returns whether a mod handled the use of the block in a cell: its `on_use` returned true. */
bool crafty_mods_use_block(CnWorld *world, CnEntity player, CnCell cell, CnBlock block);
/* Runs the handler of a scheduled or random tick. Returns false if the block has none. */
bool crafty_mods_block_tick(CnWorld *world, CnCell cell, CnBlock block, bool random);
/* Returns whether a block of a mod wants random ticks. */
bool crafty_mods_wants_random(const CnWorld *world, CnBlock block);
/* Returns the commands of mods, valid until the next tick. */
const CraftyChatCommand *crafty_mods_commands(const CnWorld *world, uint32_t *count);
/* Runs the command of a mod with this name, without '/'. Returns false if there is none. `text` is
 * what follows the name. The answer goes to the sender. */
bool crafty_mods_run_command(CnWorld *world, uint32_t player, CnText name, CnText text);

/* ---- The simulation ---- */

/* Adds what mods need to a simulation: the system CraftyMods and the state section, which keeps the
 * storage of mods that are missing. `mods` may be NULL. After all other parts of Crafty. */
bool crafty_mods_add(CnSim *sim, CraftyMods *mods, CnError *error);
/* Undoes it, before the world is destroyed. */
void crafty_mods_remove(CnWorld *world);
/* After a saved world was opened: mods that failed when it was played last get another chance, and
 * players join. Not for replays, which go on as recorded. */
bool crafty_mods_complete(CnWorld *world, CnError *error);

#endif
