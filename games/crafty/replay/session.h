/*
 * A session without a client: the world, its jobs and the simulation.
 *
 *     CraftySession *session = crafty_session_create(&(CraftySessionDesc){.start = start}, &error);
 *     cn_sim_tick_n(crafty_session_sim(session), 60, &error);
 *     crafty_session_destroy(session);
 */
#ifndef CRAFTY_REPLAY_SESSION_H
#define CRAFTY_REPLAY_SESSION_H

#include "crafty/save/save.h"
#include "crafty/sim/crafty_sim.h"
#include "crafty/world/world.h"
#include "world_replay.h"

typedef struct CraftySession CraftySession;

typedef struct CraftySessionDesc {
    CraftyStart start;
    bool finds_spawn;  /* the viewer starts at the spawn of the seed; `start.pose` is not used */
    uint32_t threads;  /* of ticks and of the world, including the caller's; 0: one per core */
    uint32_t tick_hz;  /* 0 selects the default of CnSim */
    uint64_t sim_seed; /* of random numbers; 0: that of the world */
    CraftyPalettes palettes;
    CraftyMods *mods; /* which must outlive the session; NULL: only the standard content */
    /* The world is that of this save, and so are its seeds and palettes; it must outlive the
     * session. Of `start`, only a new world uses all; a saved one continues. NULL: none. */
    CraftySave *save;
    /* The world, start and seeds are those of this recording, before its first tick; it must
     * outlive the session. NULL: none. */
    CraftyWorldReplay *replay;
} CraftySessionDesc;

/* Returns NULL and an error on failure. */
CraftySession *crafty_session_create(const CraftySessionDesc *desc, CnError *error);
void crafty_session_destroy(CraftySession *session);

CnSim *crafty_session_sim(CraftySession *session);
CraftyWorld *crafty_session_world(CraftySession *session);
const CraftyStart *crafty_session_start(const CraftySession *session);

#endif
