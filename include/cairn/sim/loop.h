/*
 * CnSim: a world that lives in ticks of one length.
 *
 *     CnSim *sim = cn_sim_create(&(CnSimDesc){.tick_hz = 60, .seed = 7}, &error);
 *     cn_sim_add_plugin(sim, &my_game, &error);
 *     for (double last = now();;) {
 *         double time = now();
 *         cn_sim_frame(sim, time - last, &error);      // as many ticks as are due, then a frame
 *         last = time;
 *     }
 *     cn_sim_destroy(sim);
 *
 * A tick sees the world, the events that came in since the last one, and its fixed dt; nothing else.
 * So the same inputs give the same states, on every machine and with any number of threads. Real
 * time enters through cn_sim_frame alone and decides only how many ticks are run.
 *
 * A tick: what producers sent is merged into the channels; CnTickInfo is set; the stages Input,
 * PreUpdate, Update, PostUpdate and PreExtract run; the snapshots are published. A frame: the clock
 * advances, ticks run, CnTime and CnTimingInfo are set, the stages PreFrame, Frame and PostFrame run.
 * The first tick or frame runs the startup stages before it.
 *
 * One thread owns a simulation. Tools and tests drive it without a clock: cn_sim_tick_n.
 */
#ifndef CAIRN_SIM_LOOP_H
#define CAIRN_SIM_LOOP_H

#include <cairn/ecs/producer.h>
#include <cairn/ecs/snapshot.h>
#include <cairn/sim/clock.h>
#include <cairn/sim/extract.h>
#include <cairn/sim/input.h>
#include <cairn/sim/plugin.h>
#include <cairn/sim/time.h>

CN_EXTERN_C_BEGIN

/* A resource; part of the state. */
CN_COMPONENT(CnTickInfo, (u64, tick), (f32, dt), (f64, elapsed));
/* A transient resource, for frames. `alpha` is how far the next tick has come. */
CN_COMPONENT(CnTimingInfo, (u64, timing_drops), (u32, ticks_this_frame), (f32, alpha));

/* A transient resource: the size of the picture in pixels, for frames. It is no part of the state, so a
 * run gives the same states and recordings in a window of any size. 0: there is no picture. */
CN_COMPONENT(CnWindowSize, (u32, width), (u32, height));

typedef struct CnSimDesc {
    CnAllocator *allocator;      /* NULL: the system's */
    CnJobPool *jobs;             /* not owned; NULL: one thread */
    uint32_t tick_hz;            /* 0 means 60 */
    uint32_t max_catch_up_ticks; /* of one frame; 0 means 8 */
    uint64_t seed;               /* of the random streams */
    /* Plugins of other modules of the engine: each finds its place in the fixed order. */
    const CnPlugin *core;
    uint32_t core_count;
} CnSimDesc;

/* `desc` may be NULL. NULL and an error for a bad rate or when out of memory. */
CN_API CnSim *cn_sim_create(const CnSimDesc *desc, CnError *error);
CN_API void cn_sim_destroy(CnSim *sim);

CN_API CnWorld *cn_sim_world(const CnSim *sim);
CN_API CnAllocator *cn_sim_allocator(const CnSim *sim);
CN_API const CnTickClock *cn_sim_clock(const CnSim *sim);
/* Sets CnWindowSize, between ticks, on the owner's thread. */
CN_API void cn_sim_set_window_size(CnSim *sim, uint32_t width, uint32_t height);
/* Its scale is yours to set; 0 pauses ticks that real time asks for. */
CN_API CnTime *cn_sim_time(CnSim *sim);
/* What the owner's thread sends input with; other threads make producers of their own. */
CN_API CnInputSource cn_sim_input(CnSim *sim);
/* What those who draw and sound read, from one other thread. */
CN_API CnOutbox *cn_sim_outbox(CnSim *sim);
/* Ticks run, which is the number of the next one. */
CN_API uint64_t cn_sim_tick(const CnSim *sim);
CN_API uint64_t cn_sim_seed(const CnSim *sim);

/* Runs the startup stages if they have not run. */
CN_API bool cn_sim_start(CnSim *sim, CnError *error);
/* Lets real time pass. False and an error when a schedule cannot be sorted, commands could not be
 * applied, or an observer stops it; ticks that ran are counted. */
CN_API bool cn_sim_frame(CnSim *sim, double real_seconds, CnError *error);
/* Runs so many ticks now, whatever the clock says, also when paused. */
CN_API bool cn_sim_tick_n(CnSim *sim, uint64_t count, CnError *error);
/* From within a tick: it ends as ever, and the call that ran it runs no further ones. Those that a frame
 * still had to run are left out. Nothing happens outside of a tick. */
CN_API void cn_sim_stop(CnSim *sim);
/* A paused simulation runs frames without ticks. */
CN_API void cn_sim_pause(CnSim *sim, bool paused);
CN_API bool cn_sim_is_paused(const CnSim *sim);

/* ---- State ---- */

CN_API uint64_t cn_sim_hash(const CnSim *sim);
/* Between ticks. The data is that of cn_world_save, and what keepers add; the number of ticks is in
 * it. Restoring keeps plugins, systems and time; what producers sent and nobody saw yet stays too. */
CN_API bool cn_sim_save(const CnSim *sim, CnSnapshot *snapshot, CnError *error);
CN_API bool cn_sim_restore(CnSim *sim, const void *bytes, size_t size, CnError *error);

/* State that a plugin has outside of the world, such as what scripts keep: a part of what is saved,
 * not of the hash. Without keepers, the data is that of cn_world_save. */
typedef struct CnKeeper {
    const char *name; /* unique in the simulation; not copied */
    /* Appends its part. */
    bool (*save)(void *user, CnU8Array *bytes, CnError *error);
    /* The world was restored: `bytes` are what was saved with it; size 0: it has no such part. */
    bool (*restore)(void *user, const uint8_t *bytes, size_t size, CnError *error);
    void *user;
} CnKeeper;

CN_API bool cn_sim_add_keeper(CnSim *sim, const CnKeeper *keeper, CnError *error);
CN_API void cn_sim_remove_keeper(CnSim *sim, const char *name);

/* ---- Watching and feeding, for replays and tools ---- */

typedef struct CnSimObserver {
    /* Each event that a merge delivers, in order, before the tick. */
    void (*delivered)(CnChannel *channel, const void *value, void *user);
    /* In place of the merge: sends the events of this tick itself. */
    bool (*feed)(CnSim *sim, void *user, CnError *error);
    /* After each tick. False stops: the call that ran the tick fails with the error. */
    bool (*ticked)(CnSim *sim, void *user, CnError *error);
    void *user;
} CnSimObserver;

/* Replaces the observer; NULL: none. */
CN_API void cn_sim_observe(CnSim *sim, const CnSimObserver *observer);

CN_EXTERN_C_END

#endif
