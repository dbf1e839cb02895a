/*
 * Inventories: what players have open, and the commands that move items.
 *
 *     crafty_inventory_open(world, player, CRAFTY_OPEN_CRATE, cell); // the player used a crate
 *     const CraftyRecipe *made = crafty_inventory_recipe(world, player); // of the grid; or NULL
 *     crafty_inventory_close(world, player);
 *
 * A player opens the inventory by CRAFTY_COMMAND_OPEN, and blocks by using them. What is open is
 * closed when the block is gone, when the player moves away, dies, or becomes a spectator. Slots of
 * the crafting grid exist while the inventory or a crafting table is open. By hand, the grid has
 * its four left upper slots.
 *
 * Every operation is done completely or not at all, also when memory runs out: items are neither
 * created nor lost, except by recipes and CRAFTY_COMMAND_DELETE_ITEMS.
 */
#ifndef CRAFTY_SIM_INVENTORY_H
#define CRAFTY_SIM_INVENTORY_H

#include "command.h"
#include "player.h"

typedef enum CraftyOpen {
    CRAFTY_OPEN_NOTHING,
    CRAFTY_OPEN_INVENTORY,
    CRAFTY_OPEN_TABLE, /* a crafting table */
    CRAFTY_OPEN_CRATE, /* also a chest or a barrel */
    CRAFTY_OPEN_FURNACE,
    CRAFTY_OPEN_SIGN,
    CRAFTY_OPEN_TRADE, /* with a villager: trade.h */
    CRAFTY_OPEN_COUNT
} CraftyOpen;

/* Opens something, after closing what was open. `cell` is that of the block; any for the inventory.
 * Does nothing for an entity that is not a player. */
void crafty_inventory_open(CnWorld *world, CnEntity player, CraftyOpen what, CnCell cell);
/* Closes what is open: carried items and those in the grid go back to the slots, or drop. What
 * cannot drop either stays where it is, until the next close. */
void crafty_inventory_close(CnWorld *world, CnEntity player);
/* Returns what opens when a player uses this block; CRAFTY_OPEN_NOTHING if nothing does. */
CraftyOpen crafty_inventory_of_block(const CnBlockTable *blocks, CnBlock block);

/* Returns the columns of the player's crafting grid: 3 at a table, 2 by hand, 0 without a grid. */
uint32_t crafty_inventory_grid_width(const CraftyPlayer *player);
/* Returns the recipe that the player's grid makes; NULL if it makes nothing. */
const CraftyRecipe *crafty_inventory_recipe(const CnWorld *world, CnEntity player);

/* Returns whether the fields of a command about items are in range. */
bool crafty_inventory_command_valid(const CraftyCommand *command);
/* Applies a command about items, from CRAFTY_COMMAND_MOVE_ITEMS to CRAFTY_COMMAND_SORT. Returns
 * false if it is not possible; nothing has changed then. */
bool crafty_inventory_apply(CnWorld *world, CnEntity player, const CraftyCommand *command);

/* Adds the system CraftyInventories, which closes what is out of reach. */
bool crafty_inventory_add(CnWorld *world, CnError *error);

#endif
