/*
 * One world of a server, on a thread of its own: opens it, runs its ticks in real time, saves it,
 * and closes it.
 *
 *     CraftyWorldHost *host = crafty_world_host_create(&desc, &error); // starts the thread
 *     crafty_world_host_wait_opened(host);
 *     crafty_world_host_call(host, &request);                          // between two ticks
 *     crafty_world_host_stop(host, CRAFTY_SERVER_STOPS);
 *     bool saved = crafty_world_host_destroy(host);                    // waits for the thread
 *
 * A world that fails is saved, if possible, and closed; other worlds are not concerned. Worlds are
 * opened and closed one after the other. Functions are for the thread of the console, except where
 * it is said.
 */
#ifndef CRAFTY_SERVER_WORLD_HOST_H
#define CRAFTY_SERVER_WORLD_HOST_H

#include "network.h"

typedef struct CraftyWorldHost CraftyWorldHost;

typedef enum CraftyWorldState {
    CRAFTY_WORLD_OPENING,
    CRAFTY_WORLD_RUNS,
    CRAFTY_WORLD_CLOSING,
    CRAFTY_WORLD_CLOSED, /* saved */
    CRAFTY_WORLD_FAILED  /* see crafty_world_host_error */
} CraftyWorldState;

typedef struct CraftyWorldHostDesc {
    uint32_t index;
    const CraftyServerSettings *settings; /* copied */
    const char *path;                     /* of the file, or a URI */
    const char *key_path;
    const char *record; /* file for a recording; NULL: none */
    bool no_mods, continues;
    CraftyAccounts *accounts;
    CraftyWorldMetrics *metrics;
    const CraftyServerNetwork *network; /* NULL: none */
    bool (*submit_line)(void *server, const CraftyRemoteLine *line);
    void (*state_changed)(void *server); /* on the thread of the world */
    /* Called on the thread of the world after it is saved; may be NULL. */
    int (*done)(CraftySession *session);
    void *server;
} CraftyWorldHostDesc;

/* Returns NULL and an error if there is no memory for the thread. Errors of the world are those of
 * its state. */
CraftyWorldHost *crafty_world_host_create(const CraftyWorldHostDesc *desc, CnError *error);
/* Waits until the thread has ended, and frees the host. Returns whether everything is saved. */
bool crafty_world_host_destroy(CraftyWorldHost *host);
/* Waits until the world runs or has failed. */
void crafty_world_host_wait_opened(CraftyWorldHost *host);

/* From any thread. */
CraftyWorldState crafty_world_host_state(const CraftyWorldHost *host);
const char *crafty_world_host_name(const CraftyWorldHost *host);
/* The first error; its code is CN_OK without one. Any thread. */
CnError crafty_world_host_error(CraftyWorldHost *host);
/* Returns whether the world does what it should: it ticks, or it is being opened or closed. Any
 * thread. */
bool crafty_world_host_is_healthy(const CraftyWorldHost *host);

/* Ends the world after the current tick. Any thread. */
void crafty_world_host_stop(CraftyWorldHost *host, CraftyServerEnd end);
/* Saving at the end takes at most a few seconds from now on. Any thread. */
void crafty_world_host_hurry(CraftyWorldHost *host);

/* ---- Requests: carried out on the thread of the world, between two ticks ---- */

typedef enum CraftyWorldRequestKind {
    CRAFTY_WORLD_LINE,    /* a line of the console: a command of the game, or chat; see `text` */
    CRAFTY_WORLD_SAVE,    /* waits until everything is durable */
    CRAFTY_WORLD_LIST,    /* one line in the reply for each player */
    CRAFTY_WORLD_KICK,    /* the account `id`, or whom `ban` concerns; `text` is the reason */
    CRAFTY_WORLD_REPLY,   /* `text` to `id`, of the remote console */
    CRAFTY_WORLD_SETTINGS /* `settings` */
} CraftyWorldRequestKind;

typedef struct CraftyWorldRequest {
    CraftyWorldRequestKind kind;
    char text[CRAFTY_CONSOLE_LINE_BYTES];
    CraftyAccount id;
    bool has_ban;
    CraftyBan ban;
    const CraftyServerSettings *settings; /* copied by the call */
} CraftyWorldRequest;

/* Appends the answer to `reply`, lines with '\n'. Returns false if the world does not run, does not
 * answer within ten seconds, or the request failed; the reply then says why. */
bool crafty_world_host_call(CraftyWorldHost *host, const CraftyWorldRequest *request,
                            CnTextBuilder *reply);

/* ---- Backups: any thread ---- */

/* Keeps the world open, and returns its store, until crafty_world_host_release_store. Returns NULL
 * if the world does not run. */
CnStore *crafty_world_host_acquire_store(CraftyWorldHost *host);
void crafty_world_host_release_store(CraftyWorldHost *host);
/* Returns whether the world is being closed and waits for its store. */
bool crafty_world_host_wants_store(const CraftyWorldHost *host);

#endif
