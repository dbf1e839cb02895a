/*
 * The server's side of multiplayer: sessions of clients in one world.
 *
 *     CraftyNetServer *server = crafty_net_server_create(
 *         &(CraftyNetServerDesc){.endpoint = endpoint, .sim = sim, .world = world,
 *                                .start = start, .name = "Home"}, &error);
 *     for (;;) {
 *         cn_net_poll(endpoint, 0, &error);
 *         for (CnNetEvent event; cn_net_next_event(endpoint, &event);)
 *             crafty_net_server_event(server, &event);
 *         crafty_net_server_before_tick(server);
 *         cn_sim_tick_n(sim, 1, &error);
 *         crafty_net_server_after_tick(server);
 *     }
 *     crafty_net_server_destroy(server);
 *
 * A client says hello, is admitted by the host, and gets the description of the world. Its player
 * joins by a command of the host (crafty/sim/join.h). From then on the client sends the actions of
 * its player for the coming ticks, and commands. Both enter the simulation through the connection
 * of that player; a client has no other way to change anything. It gets the edited chunks around
 * its player, every change of a block there, events, and snapshots of its player and of the
 * entities around it.
 *
 * Everything from clients is bounded: who sends too much, or something that no client would send,
 * is disconnected with a reason.
 *
 * The thread that owns the world calls all functions, between ticks.
 */
#ifndef CRAFTY_NET_NET_SERVER_H
#define CRAFTY_NET_NET_SERVER_H

#include "crafty/sim/join.h"
#include "crafty/sim/start.h"
#include "crafty/world/world.h"
#include "message.h"

#include <cairn/net/endpoint.h>
#include <cairn/sim/loop.h>

/* Reasons of cn_net_close by a server, and by clients. */
typedef enum CraftyLeaveReason {
    CRAFTY_LEAVE_QUIT = 1,   /* the player left */
    CRAFTY_LEAVE_REFUSED,    /* not admitted; the text says why */
    CRAFTY_LEAVE_KICKED,     /* by the host; the text says why */
    CRAFTY_LEAVE_STOPPING,   /* the server stops */
    CRAFTY_LEAVE_RESTARTING, /* it comes back: clients connect again by themselves */
    CRAFTY_LEAVE_MESSAGE,    /* a message that no client would send */
    CRAFTY_LEAVE_FLOOD,      /* too many messages */
    CRAFTY_LEAVE_ELSEWHERE,  /* the account joined from another place */
    CRAFTY_LEAVE_INTERNAL    /* an error of the server */
} CraftyLeaveReason;

/* Who asks to join. */
typedef struct CraftyJoinRequest {
    CnNetConnection connection;
    CraftyAccount account;
    CnNetAddress address;
    const char *name; /* as asked for; not checked */
} CraftyJoinRequest;

#define CRAFTY_NET_REASON_BYTES CN_NET_REASON_BYTES

/* How the host decides. */
typedef struct CraftyJoinAnswer {
    char name[CRAFTY_PLAYER_NAME_BYTES]; /* that the player gets */
    CraftyRole role;
    char reason[CRAFTY_NET_REASON_BYTES]; /* if it is refused: for the player */
} CraftyJoinAnswer;

typedef struct CraftyNetServerDesc {
    CnNetEndpoint *endpoint;
    CnSim *sim;
    CraftyWorld *world;
    const CraftyStart *start;
    const char *name;          /* of the world */
    uint32_t max_players;      /* 0 selects 200 */
    uint32_t view_distance;    /* largest one in chunks; 0 selects 10 */
    uint32_t snapshot_hz;      /* 0 selects 20 */
    uint32_t bytes_per_second; /* of snapshots to each client; 0 selects 14,000 */
    /* Whether somebody may join; NULL: everybody may, with the name that was asked for. */
    bool (*admit)(void *user, const CraftyJoinRequest *request, CraftyJoinAnswer *admission);
    /* A player has joined or left; `reason` is a text for the log. May be NULL. */
    void (*joined)(void *user, uint32_t player, const CraftyAccount *account, const char *name);
    void (*left)(void *user, uint32_t player, const char *reason);
    void *user;
} CraftyNetServerDesc;

typedef struct CraftyNetServer CraftyNetServer;

/* Returns NULL and an error when out of memory. */
CraftyNetServer *crafty_net_server_create(const CraftyNetServerDesc *desc, CnError *error);
/* Disconnects all clients. Call it before the simulation is destroyed. NULL is ignored. */
void crafty_net_server_destroy(CraftyNetServer *server);

/* An event of the endpoint; those of connections that belong to nobody begin sessions. */
void crafty_net_server_event(CraftyNetServer *server, const CnNetEvent *event);
/* Passes what clients sent for the next tick to the simulation. */
void crafty_net_server_before_tick(CraftyNetServer *server);
/* Sends what happened in the last tick. */
void crafty_net_server_after_tick(CraftyNetServer *server);

/* Disconnects a player. Returns false if there is no such player here. */
bool crafty_net_server_kick(CraftyNetServer *server, uint32_t player, CraftyLeaveReason reason,
                            const char *text);
/* Disconnects all clients; nobody is admitted any more. */
void crafty_net_server_stop(CraftyNetServer *server, CraftyLeaveReason reason, const char *text);

typedef struct CraftyNetServerStats {
    uint32_t players;  /* that play */
    uint32_t sessions; /* including those that are joining */
    uint64_t invalid_messages, dropped_commands, missing_inputs, late_inputs;
    uint64_t snapshots, snapshot_bytes, edits, chunks, chunk_bytes;
} CraftyNetServerStats;
CraftyNetServerStats crafty_net_server_stats(const CraftyNetServer *server);

/* What is known about a player's connection. Returns false if it does not play here. */
typedef struct CraftyNetPlayer {
    CnNetConnection connection;
    int32_t lead; /* ticks by which its input comes early */
    uint64_t missing_inputs;
} CraftyNetPlayer;
bool crafty_net_server_player(const CraftyNetServer *server, uint32_t player,
                              CraftyNetPlayer *info);

#endif
