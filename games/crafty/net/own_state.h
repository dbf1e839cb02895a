/*
 * The state of one player as bytes: what a server sends to the client of that player, and what the
 * client compares with its prediction.
 *
 *     uint8_t bytes[CRAFTY_OWN_STATE_BYTES];
 *     crafty_own_state_read(world, player, bytes);
 *     crafty_own_state_write(other, same_player, bytes);
 *
 * The bytes are the fields of the player's components without padding, exactly as they are, so that
 * equal bytes mean equal states. References to entities are left out. The first part
 * (CRAFTY_OWN_STATE_PREDICTED bytes) is what clients predict; the rest only the server computes.
 */
#ifndef CRAFTY_NET_OWN_STATE_H
#define CRAFTY_NET_OWN_STATE_H

#include <cairn/ecs/world.h>

#define CRAFTY_OWN_STATE_BYTES 499u
#define CRAFTY_OWN_STATE_PREDICTED 432u

/* Reads the state of a player. Returns false if the entity is not a player. */
bool crafty_own_state_read(const CnWorld *world, CnEntity player, uint8_t *bytes);
/* Gives a player a state; values from outside that are out of range are replaced. Returns false if
 * the entity is not a player, if a number is not finite, or when out of memory. */
bool crafty_own_state_write(CnWorld *world, CnEntity player, const uint8_t *bytes);

#endif
