/*
 * A copy of everything that a command about items may change: the player and the open container.
 * Commands change the copy; crafty_view_commit makes it the state, completely or not at all.
 */
#ifndef CRAFTY_SIM_INVENTORY_VIEW_H
#define CRAFTY_SIM_INVENTORY_VIEW_H

#include "container.h"
#include "furnace.h"
#include "inventory.h"

typedef struct CraftyView {
    CnWorld *world;
    CnEntity entity;
    const CraftyItems *items;
    const CraftyRecipes *recipes; /* NULL: none */
    CraftyPlayer player;
    uint32_t container_slots; /* 0: there is no container */
    bool is_furnace, has_changed;
    CnCell cell; /* of the container */
    CraftyContainer container;
    CraftyFurnace furnace;
} CraftyView;

/* Returns false if the entity is not a player, or if the slots `from` and `to` are those of a
 * container that is not there or out of reach. */
bool crafty_view_begin(CraftyView *view, CnWorld *world, CnEntity entity,
                       const CraftyCommand *command);
/* Returns false when out of memory; nothing has changed then. */
bool crafty_view_commit(CraftyView *view);

/* Returns a slot of a command; NULL if the player has no such slot now. That of the result has
 * none. */
CraftyStack *crafty_view_slot(CraftyView *view, uint32_t slot);
/* Returns whether a stack may be put into a slot: not into the result of a furnace, and only fuel
 * where fuel burns. An empty stack always may. */
bool crafty_view_accepts(const CraftyView *view, uint32_t slot, CraftyStack stack);
/* Moves as much as fits of slot `from` to the slots from `first` on: first to stacks of the same
 * item, then to empty slots. Returns whether something moved. */
bool crafty_view_spread(CraftyView *view, uint32_t from, uint32_t first, uint32_t count);

/* ---- Crafting: crafting.c ---- */

/* Returns the recipe that the grid makes; NULL if it makes nothing. */
const CraftyRecipe *crafty_view_recipe(const CraftyView *view);
/* Makes the recipe of the grid once and puts the result into slot `to`. Returns false if the grid
 * makes nothing or if the result does not fit. */
bool crafty_view_craft(CraftyView *view, uint32_t to);
/* Makes as many as possible into the player's slots. Returns how many times. */
uint32_t crafty_view_craft_all(CraftyView *view);
/* Fills the grid from the slots for at most `times` times the recipe. */
bool crafty_view_fill(CraftyView *view, const char *recipe, uint32_t times);

#endif
