/*
 * Protects an open world against losing anything when the program ends unexpectedly: the file of
 * the session, the handler that writes a crash report, and the recording of the last minute.
 *
 *     CraftyCrashWatch *watch = crafty_crash_watch_begin(&desc); // after the world is restored
 *     crafty_crash_watch_tick(watch);                            // after each tick or frame
 *     crafty_crash_watch_end(watch, saved);                      // after the last save is durable
 *
 * Nothing here stops a game: what cannot be set up is logged. A process that has several worlds
 * open begins and ends their watches one at a time.
 */
#ifndef CRAFTY_CRASH_CRASH_WATCH_H
#define CRAFTY_CRASH_CRASH_WATCH_H

#include "crafty/save/save.h"
#include "crafty/sim/start.h"

typedef struct CraftyCrashWatch CraftyCrashWatch;

typedef struct CraftyCrashWatchDesc {
    const char *program;
    const char *world_path;
    const char *gpu; /* NULL: none */
    CnSim *sim;
    CraftyWorld *world;
    const CraftyStart *start; /* with which the simulation was created */
    CraftySave *save;
    const CraftyWorldMods *mods; /* that run; must stay valid; NULL: none */
    /* 0, or the number of a further world that this process has open at the same time: its session
     * and last minute are kept, and the handler stays that of the world 0. */
    uint32_t instance;
} CraftyCrashWatchDesc;

/* Returns NULL if there can be no report, which is logged. Sessions of this world that ended
 * unexpectedly are forgotten: it goes on from another state. A new world is saved. */
CraftyCrashWatch *crafty_crash_watch_begin(const CraftyCrashWatchDesc *desc);
/* `watch` may be NULL. */
void crafty_crash_watch_tick(CraftyCrashWatch *watch);
/* With `saved`, removes all files; otherwise the next start offers to continue. Call it before
 * closing the save. NULL is ignored. */
void crafty_crash_watch_end(CraftyCrashWatch *watch, bool saved);

#endif
