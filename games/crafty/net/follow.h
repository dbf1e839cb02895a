/*
 * A simulation that follows a server: what a client with a screen shows. Its own player is the
 * predicted one, everything else comes from the server.
 *
 *     CnPlugin plugin = crafty_sim_plugin(&sim_desc);
 *     cn_sim_add_plugin(sim, &plugin, &error);
 *     CraftyFollow *follow = crafty_follow_begin(sim, client, player, &error);
 *     crafty_connection_relay(connection, crafty_follow_send, follow); // commands go to the server
 *     // ... ticks of `sim`; cn_net_poll and crafty_net_client_event in every frame ...
 *     crafty_follow_end(follow);
 *
 * The system CraftyFollow of the stage Input predicts a tick with the actions of the player, and
 * writes the results to the world: the own player, the entities around it, time and weather, and
 * events. The systems of the simulation that only a server runs are disabled.
 */
#ifndef CRAFTY_NET_FOLLOW_H
#define CRAFTY_NET_FOLLOW_H

#include "net_client.h"

typedef struct CraftyFollow CraftyFollow;

/* `player` is the entity that the client plays, which gets its number. Returns NULL and an error
 * when out of memory. */
CraftyFollow *crafty_follow_begin(CnSim *sim, CraftyNetClient *client, CnEntity player,
                                  CnError *error);
/* Call it before the simulation is destroyed. NULL is ignored. */
void crafty_follow_end(CraftyFollow *follow);

/* Sends a command to the server: for crafty_connection_relay. */
bool crafty_follow_send(void *follow, const CraftyCommand *command);

#endif
