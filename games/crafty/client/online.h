/*
 * The connection of the program to a server, while one of its worlds is open.
 *
 *     CraftyOnline *online = crafty_online_connect(
 *         &(CraftyOnlineDesc){.server = "example.org", .name = "Ada"}, &error); // waits
 *     // ... the world is made of crafty_online_client(online) and entered ...
 *     crafty_online_poll(online); // in every frame
 *     crafty_online_leave(online);
 *
 * The player has a key pair in the folder of the program's settings, created on first use: it is
 * the account on every server. The key of a server is remembered at the first visit; a server that
 * has another one later is refused, and the message says what to do.
 */
#ifndef CRAFTY_CLIENT_ONLINE_H
#define CRAFTY_CLIENT_ONLINE_H

#include "crafty/net/follow.h"
#include "crafty/sim/connection.h"

typedef struct CraftyOnline CraftyOnline;

typedef struct CraftyOnlineDesc {
    const char *server;     /* address or host name, with or without a port */
    const char *name;       /* of the player; NULL: that of the account */
    const char *conditions; /* of a simulated network; NULL: none */
    uint32_t view_distance; /* chunks */
} CraftyOnlineDesc;

/* Waits until the server has welcomed the player, for at most 20 seconds. Returns NULL and an error
 * that says why it did not. */
CraftyOnline *crafty_online_connect(const CraftyOnlineDesc *desc, CnError *error);
/* Leaves the server. The simulation and the voxel world still exist. NULL is ignored. */
void crafty_online_leave(CraftyOnline *online);
CraftyNetClient *crafty_online_client(const CraftyOnline *online);

/* Lets a simulation follow the server, and sends the commands of a connection there. */
bool crafty_online_enter(CraftyOnline *online, CnSim *sim, const CraftySimDesc *desc,
                         CnEntity player, CraftyConnection *connection, CnError *error);
/* Receives and sends. Returns false and an error, whose text is for the player, when the server or
 * the connection has ended. */
bool crafty_online_poll(CraftyOnline *online, CnError *error);

#endif
