/*
 * The client's side of multiplayer: joining a server, playing ahead of it, and following what it
 * says. Nothing here draws; a bot is a client too.
 *
 *     CraftyNetClient *client = crafty_net_client_create(
 *         &(CraftyNetClientDesc){.endpoint = endpoint, .address = address, .name = "Ada"}, &error);
 *     // ... each frame: cn_net_poll, and for each of its events:
 *     crafty_net_client_event(client, &event);
 *     if (crafty_net_client_state(client) == CRAFTY_NET_WELCOMED) {
 *         // make the world of crafty_net_client_welcome with the hooks of the client
 *         crafty_net_client_enter(client, &sim, &error);
 *     }
 *     // ... each tick, when crafty_net_client_state(client) == CRAFTY_NET_PLAYS:
 *     crafty_net_client_tick(client, &actions, &error);
 *
 * The client generates the terrain itself and gets the edited chunks around its player. A hash of a
 * column now and then tells whether the blocks are those of the server; a column that differs is
 * sent again, and counted.
 *
 * The clock of the client runs ahead of that of the server, so that its input arrives just in time.
 * crafty_net_client_time_scale tells by how much the ticks should be faster or slower.
 */
#ifndef CRAFTY_NET_NET_CLIENT_H
#define CRAFTY_NET_NET_CLIENT_H

#include "crafty/save/chunk_edits.h"
#include "message.h"
#include "net_server.h"
#include "prediction.h"

#include <cairn/net/endpoint.h>
#include <cairn/net/replica.h>

typedef enum CraftyNetState {
    CRAFTY_NET_CONNECTS,
    CRAFTY_NET_JOINS,    /* waits for the server to admit it */
    CRAFTY_NET_WELCOMED, /* waits for crafty_net_client_enter */
    CRAFTY_NET_ENTERS,   /* waits for the first state of its player */
    CRAFTY_NET_PLAYS,
    CRAFTY_NET_LEFT /* crafty_net_client_reason tells why */
} CraftyNetState;

typedef struct CraftyNetClientDesc {
    CnNetEndpoint *endpoint;
    CnNetAddress address;
    const CnNetKeyId *server_key; /* that the server must have; NULL: any */
    const char *name;             /* empty: that of the account */
    uint32_t view_distance;       /* chunks; 0 selects 10 */
} CraftyNetClientDesc;

typedef struct CraftyNetClient CraftyNetClient;

/* Begins to connect. Returns NULL and an error on failure. */
CraftyNetClient *crafty_net_client_create(const CraftyNetClientDesc *desc, CnError *error);
/* Leaves the server. Call it before the voxel world is destroyed. NULL is ignored. */
void crafty_net_client_destroy(CraftyNetClient *client);

/* An event of the endpoint; those of other connections are ignored. */
void crafty_net_client_event(CraftyNetClient *client, const CnNetEvent *event);
CraftyNetState crafty_net_client_state(const CraftyNetClient *client);
/* Returns why the client left, for people. */
const char *crafty_net_client_reason(const CraftyNetClient *client);
/* Returns whether connecting again may help: the connection was lost, or the server restarts. */
bool crafty_net_client_may_return(const CraftyNetClient *client);
CnNetConnection crafty_net_client_connection(const CraftyNetClient *client);

/* ---- Entering ---- */

/* Returns the description of the world, from CRAFTY_NET_WELCOMED on; NULL before. */
const CraftyWelcome *crafty_net_client_welcome(const CraftyNetClient *client);
const CraftyStart *crafty_net_client_start(const CraftyNetClient *client);
/* Returns the hooks with which the voxel world keeps edited chunks: CraftyWorldDesc.hooks. */
CnVoxelsHooks crafty_net_client_hooks(CraftyNetClient *client);
/* Begins to play in a world that was made of the welcome. `sim` outlives the client. */
bool crafty_net_client_enter(CraftyNetClient *client, const CraftySimDesc *sim, CnError *error);

/* ---- Playing ---- */

/* Takes over what has arrived, predicts the next tick and sends its actions. Returns false and an
 * error if memory runs out; what a server sends wrongly ends the connection. */
bool crafty_net_client_tick(CraftyNetClient *client, const CnActions *actions, CnError *error);
/* Returns the factor by which ticks should run faster, .9 to 1.1. */
float crafty_net_client_time_scale(const CraftyNetClient *client);
bool crafty_net_client_send_command(CraftyNetClient *client, const CraftyCommand *command);

/* The own player, in a world of its own. */
CraftyPrediction *crafty_net_client_prediction(const CraftyNetClient *client);
/* Writes the other entities to a world, as they were a little earlier. */
bool crafty_net_client_show(CraftyNetClient *client, CnWorld *world, CnError *error);

/* The entity that the player has in the world of crafty_net_client_show: events name it. */
void crafty_net_client_set_player(CraftyNetClient *client, CnEntity player);
/* Returns the number of the newest state of the world, 0 before the first one. */
uint32_t crafty_net_client_world_state(const CraftyNetClient *client, CraftyWorldState *state);

/* Fetches the next event of others; `event` has room for CRAFTY_EVENT_BYTES. Entities in it are
 * those of crafty_net_client_show. */
bool crafty_net_client_next_event(CraftyNetClient *client, CraftyEventKind *kind, void *event);

typedef struct CraftyNetClientStats {
    uint64_t ticks, snapshots, confirmed;
    uint64_t corrections;     /* predictions that were wrong */
    float largest_correction; /* blocks by which the player was moved by one */
    uint64_t columns_compared, columns_different;
    uint64_t edits, chunks;
    int32_t lead;         /* as the server reported it last */
    uint32_t entities;    /* that it knows */
    uint64_t lost_events; /* that nobody fetched */
} CraftyNetClientStats;
CraftyNetClientStats crafty_net_client_stats(const CraftyNetClient *client);

#endif
