/*
 * The world of a client without a screen: blocks as the server describes them.
 *
 *     CraftyNetWorld world;
 *     if (crafty_net_world_init(&world, client, 0, &error))
 *         crafty_net_client_enter(client, &world.sim, &error);
 *     // ... crafty_net_client_destroy(client) ...
 *     crafty_net_world_fini(&world);
 */
#ifndef CRAFTY_NET_NET_WORLD_H
#define CRAFTY_NET_NET_WORLD_H

#include "crafty/world/world.h"
#include "net_client.h"

typedef struct CraftyNetWorld {
    CraftyWorld *world;
    CraftySimDesc sim; /* for crafty_net_client_enter */
} CraftyNetWorld;

/* Creates the world that the server has described; `workers` as in CnJobPoolDesc. */
bool crafty_net_world_init(CraftyNetWorld *world, CraftyNetClient *client, uint32_t workers,
                           CnError *error);
/* Loads the chunks around the player in jobs, so that ticks rarely generate one themselves and
 * columns can be compared. Call it once per tick. */
void crafty_net_world_prepare(CraftyNetWorld *world, CraftyNetClient *client);
/* After the client was destroyed. */
void crafty_net_world_fini(CraftyNetWorld *world);

#endif
