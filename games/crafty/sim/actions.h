/*
 * The actions of players: what a person can do, with default bindings for keyboard, mouse and
 * gamepad. The simulation reads them from the CnPlayerActions of each player; only clients know
 * bindings.
 *
 *     CnActionMap *map =
 *         cn_action_map_create(&(CnActionMapDesc){.lists = {crafty_actions()}}, &error);
 *
 * The list contains the actions of controllers (cn_controller_actions), with bindings of the game.
 */
#ifndef CRAFTY_SIM_ACTIONS_H
#define CRAFTY_SIM_ACTIONS_H

#include <cairn/input.h>

#define CRAFTY_SLOT_ACTIONS 9u

/* Static: any thread, valid forever. */
CnActionList crafty_actions(void);

/* Those that the systems of Crafty read; also a transient resource, which crafty_player_add sets.
 */
typedef struct CraftyActionSet {
    CnAction move; /* two axes: right, forward */
    CnAction jump, sneak, fast, toggle_fly;
    CnAction break_block, place_block, pick_block;
    CnAction drop_item; /* one; while sneaking the whole stack */
    CnAction undo, redo;
    CnAction slots[CRAFTY_SLOT_ACTIONS];
    CnAction next_slot; /* an axis: slots to the right */
} CraftyActionSet;
CN_OPAQUE(CraftyActionSet);
CraftyActionSet crafty_action_set(void);

#endif
