/*
 * What becomes of dead players: they respawn by CRAFTY_COMMAND_RESPAWN, at their bed or at the
 * spawn of the world.
 */
#ifndef CRAFTY_SIM_RESPAWN_H
#define CRAFTY_SIM_RESPAWN_H

#include <cairn/ecs/world.h>

/* Returns false if the entity is not a dead player. */
bool crafty_player_respawn(CnWorld *world, CnEntity player);

#endif
