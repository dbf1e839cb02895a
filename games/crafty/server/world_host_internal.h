/* Shared by the files of CraftyWorldHost. */
#ifndef CRAFTY_SERVER_WORLD_HOST_INTERNAL_H
#define CRAFTY_SERVER_WORLD_HOST_INTERNAL_H

#include "console.h"
#include "event_log.h"
#include "pace.h"
#include "world_host.h"

#include "crafty/crash/crash_watch.h"
#include "crafty/mods/session_mods.h"
#include "crafty/replay/world_recorder.h"

#include <pthread.h>

struct CraftyWorldHost {
    CraftyWorldHostDesc desc;
    CraftyServerSettings settings;
    CraftyWorldSettings *world; /* of the settings */
    char path[CN_STORE_PATH_BYTES], key_path[CN_STORE_PATH_BYTES];
    pthread_t thread;
    pthread_mutex_t mutex; /* of calls and error */
    pthread_cond_t changed;
    struct CraftyWorldCall *calls; /* see world_calls.c */
    CnError error;
    pthread_rwlock_t store_lock;
    _Atomic int state;
    _Atomic int end; /* -1: runs on */
    _Atomic bool hurries, wants_store;
    _Atomic uint64_t ticked_ns;
    bool is_saved;
    /* Of the thread. */
    CraftySave *save;
    CraftySessionMods *mods;
    CraftySession *session;
    CraftyWorldRecorder *recorder;
    CraftyCrashWatch *watch;
    CraftyServerConsole console;
    void *network;
    CraftyPace pace;
    uint64_t save_began_ns, save_began_tick; /* 0: none is in progress */
    uint64_t last_save_ns;
    bool save_failed;
};

void crafty_world_host_log_error(CraftyWorldHost *host, const char *event, const CnError *error);

/* Opens the world, its session, and the network. */
bool crafty_world_host_open(CraftyWorldHost *host, CnError *error);

/* Begins an autosave or continues it; after each tick. */
void crafty_world_host_save_if_due(CraftyWorldHost *host);
/* Saves, and waits until that is durable. */
bool crafty_world_host_save_now(CraftyWorldHost *host, CnError *error);

/* Carries out requests in order, until one has to wait for a tick; between ticks. */
void crafty_world_host_answer_calls(CraftyWorldHost *host);
/* Refuses all requests, when the world has ended. */
void crafty_world_host_refuse_calls(CraftyWorldHost *host);
/* Logs what was said, and notices of the game. */
void crafty_world_host_log_lines(CraftyWorldHost *host);

#endif
