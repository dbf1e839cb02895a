/*
 * Beds: using one sets the spawn of the player and, at night, lets the player sleep.
 *
 *     crafty_bed_use(world, player, cell); // the hand used the block of a bed
 *
 * When all living players except for spectators have slept for CRAFTY_SLEEP_TICKS, it is morning.
 * Who jumps, sneaks, is hurt, or loses the bed, gets up. The client shows CraftyVitals.sleep_ticks
 * / CRAFTY_SLEEP_TICKS as a fade.
 */
#ifndef CRAFTY_SIM_BED_H
#define CRAFTY_SIM_BED_H

#include "player.h"

#define CRAFTY_SLEEP_TICKS 180u /* 3 seconds */
#define CRAFTY_MORNING 6.5f     /* hours; when sleepers wake up */
#define CRAFTY_BED_NIGHT_BEGIN                                                                     \
    18.0f /* hours; players sleep from then on to CRAFTY_BED_NIGHT_END                             \
           */
#define CRAFTY_BED_NIGHT_END 6.0f

/* Sets the spawn; at night, the player falls asleep. By day, or when there is no room beside the
 * bed, that is refused with an event. Returns false if the block is not a bed or the player cannot
 * use it. */
bool crafty_bed_use(CnWorld *world, CnEntity player, CnCell cell);
/* Finds a position of the eye beside a bed where a player can stand. Returns false if there is no
 * bed in this cell, or no room. */
bool crafty_bed_find_room(CnWorld *world, CnCell cell, CnVec3 *eye);

/* Adds the system CraftyBeds of Update. Calling it again is harmless. */
bool crafty_beds_add(CnWorld *world, CnError *error);

#endif
