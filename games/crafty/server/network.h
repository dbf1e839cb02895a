/*
 * What connects players to a world of the server: a table of functions, all of which are called on
 * the thread of the world, between ticks.
 *
 *     static const CraftyServerNetwork network = {.open = open, .before_tick = receive, ...};
 *     crafty_server_run(&options, &network);
 *
 * In each tick: before_tick receives and queues input; the tick runs; after_tick sends. Each world
 * has a network of its own, with the port `world->port`.
 */
#ifndef CRAFTY_SERVER_NETWORK_H
#define CRAFTY_SERVER_NETWORK_H

#include "accounts.h"
#include "crafty/replay/session.h"
#include "metrics.h"
#include "settings.h"

#define CRAFTY_CONSOLE_LINE_BYTES 1024u
#define CRAFTY_LISTED_PLAYERS 2000u

/* A player who is connected. */
typedef struct CraftyServerPlayer {
    CraftyAccount id;
    char name[CRAFTY_PLAYER_NAME_BYTES];
    char address[CRAFTY_ADDRESS_TEXT_BYTES + 16]; /* with the port */
    CraftyRole role;
    uint32_t ping_ms;
    int64_t joined_at; /* seconds since 1970 */
} CraftyServerPlayer;

/* A line of the remote console. */
typedef struct CraftyRemoteLine {
    uint32_t world; /* index, where the player is */
    CraftyAccount id;
    char name[CRAFTY_PLAYER_NAME_BYTES];
    CraftyRole role;
    char text[CRAFTY_CONSOLE_LINE_BYTES];
} CraftyRemoteLine;

typedef struct CraftyServerNetworkDesc {
    CraftySession *session;
    CraftySave *save;
    const CraftyServerSettings *settings; /* change only between ticks: see reload */
    const CraftyWorldSettings *world;
    uint32_t index;       /* of the world */
    const char *key_path; /* of the server's key */
    CraftyAccounts *accounts;
    CraftyWorldMetrics *metrics;
    /* Hands a line to the console; `reply` is called later. Returns false if the remote console is
     * off or too many lines wait. */
    bool (*submit_line)(void *server, const CraftyRemoteLine *line);
    void *server;
} CraftyServerNetworkDesc;

typedef enum CraftyServerEnd {
    CRAFTY_SERVER_STOPS,
    CRAFTY_SERVER_RESTARTS, /* clients may connect again in a few seconds */
    CRAFTY_SERVER_FAILED
} CraftyServerEnd;

/* Functions may be NULL, except open and close. */
typedef struct CraftyServerNetwork {
    /* Returns NULL and an error if the world cannot be offered, for example because the port is in
     * use. The description is copied by the network. */
    void *(*open)(const CraftyServerNetworkDesc *desc, CnError *error);
    /* Waits until `until_ns` of cn_clock_ns, and may receive and send meanwhile; NULL: sleeps. */
    void (*wait)(void *network, uint64_t until_ns);
    /* Return false and an error if the network fails for good: the world is saved and closed. */
    bool (*before_tick)(void *network, CnError *error);
    bool (*after_tick)(void *network, CnError *error);
    /* The settings have changed. */
    void (*reload)(void *network);
    /* Writes at most `capacity` players and returns how many there are. */
    uint32_t (*players)(void *network, CraftyServerPlayer *players, uint32_t capacity);
    /* Disconnects a player and says why. Returns whether it was connected. */
    bool (*kick)(void *network, const CraftyAccount *id, const char *reason);
    /* Disconnects everybody whom a new ban concerns. Returns how many. */
    uint32_t (*kick_banned)(void *network, const CraftyBan *ban, const char *reason);
    /* Shows a line that is not part of the chat of the game, such as a warning, to everybody. */
    void (*say)(void *network, const char *text);
    /* The answer to a line of the remote console: one or more lines. */
    void (*reply)(void *network, const CraftyAccount *id, const char *text);
    /* Tells all players why it ends, sends what is queued, for at most a second, and closes. */
    void (*close)(void *network, CraftyServerEnd end);
} CraftyServerNetwork;

#endif
