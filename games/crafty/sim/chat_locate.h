/*
 * /locate: searches for the nearest biome or village, spread over ticks so that none of them takes
 * long.
 *
 * A search goes outward in square rings and evaluates a fixed number of places in each tick, so it
 * has the same result in the same tick everywhere. It is part of the state: a world that is saved
 * during a search goes on with it. Each player has one search; another /locate replaces it.
 */
#ifndef CRAFTY_SIM_CHAT_LOCATE_H
#define CRAFTY_SIM_CHAT_LOCATE_H

#include "chat_run.h"

/* Adds the resource and the system; after crafty_player_add. Calling it again is harmless. */
bool crafty_chat_locate_add(CnWorld *world, CnError *error);
/* Begins a search for the place that the line names. */
void crafty_chat_locate(const CraftyChatRun *run);

#endif
