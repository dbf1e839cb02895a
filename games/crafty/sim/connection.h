/*
 * The connection of a client to the simulation, as one player: the only way by which a client, a
 * menu, a tour or a console changes the simulation.
 *
 *     CraftyConnection *connection = crafty_connection_create(world, 1, &error); // by the host
 *     crafty_connection_send_actions(connection, &actions);
 *     crafty_connection_send_command(
 *         connection, &(CraftyCommand){.kind = CRAFTY_COMMAND_TIME, .value = 18.5f});
 *     crafty_connection_destroy(connection);
 *
 * The host, which owns the world, decides whose player a connection is. Everything that is sent
 * through it comes from that player, whatever the messages say: a client cannot act for another
 * player. Messages wait for the next tick, and a recorder records them.
 *
 * The thread that owns the world creates and destroys connections; one thread at a time sends.
 */
#ifndef CRAFTY_SIM_CONNECTION_H
#define CRAFTY_SIM_CONNECTION_H

#include "command.h"
#include "join.h"

#include <cairn/input.h>

typedef struct CraftyConnection CraftyConnection;

/* `player` is the number of a player, which need not exist yet, or CRAFTY_CONSOLE. Call it after
 * crafty_commands_add and crafty_player_add. Returns NULL and an error when out of memory. */
CraftyConnection *crafty_connection_create(CnWorld *world, uint32_t player, CnError *error);
/* Call it before the world is destroyed. NULL is ignored. */
void crafty_connection_destroy(CraftyConnection *connection);
uint32_t crafty_connection_player(const CraftyConnection *connection);

/* Sends a command to the next tick; its sender is set to the player of the connection. Returns
 * false if a field is invalid or the connection is full. */
bool crafty_connection_send_command(CraftyConnection *connection, const CraftyCommand *command);
/* From now on, commands do not go to this world but to a function, which returns whether it took
 * them: for clients of a server, whose world only follows. NULL: to the world. */
void crafty_connection_relay(CraftyConnection *connection,
                             bool (*send)(void *user, const CraftyCommand *command), void *user);
/* Sends a command of the host (join.h) to the next tick; only through the connection of a console.
 * Returns false if a field is invalid or the connection is full. */
bool crafty_connection_send_host(CraftyConnection *connection, const CraftyHostCommand *command);
/* Sends the actions of the player, in order of crafty_actions. Call it once per frame or tick, or
 * only when they have changed. Returns false if a value is invalid, the connection is full or that
 * of a console. */
bool crafty_connection_send_actions(CraftyConnection *connection, const CnActions *actions);

#endif
