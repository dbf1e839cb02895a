/*
 * The part of the world that mods read and change: the chunks around players. What is outside
 * counts as not loaded. It follows from the state, never from what is in memory, so it is the same
 * with and without a client.
 */
#ifndef CRAFTY_SIM_MOD_MOD_AREA_H
#define CRAFTY_SIM_MOD_MOD_AREA_H

#include "mods_internal.h"

#define CRAFTY_MOD_AREA_RADIUS 8 /* chunks, along x and z */
#define CRAFTY_MOD_AREA_HEIGHT 8 /* chunks above and below */

extern const CraftyModPart crafty_mod_area_part;

/* Returns whether the cell is inside, and charges for its chunk. */
bool crafty_mod_area_has(CnLuaCall *call, CnCell cell);
/* The same for the column of a cell, whose y is ignored. */
bool crafty_mod_area_has_column(CnLuaCall *call, int32_t x, int32_t z);
/* After a player was moved. */
void crafty_mod_area_changed(const CraftyModRun *run);

#endif
