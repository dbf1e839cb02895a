/*
 * CnSim: a world that advances in ticks of a fixed length.
 *
 *     CnError error = {0};
 *     CnSim *sim = cn_sim_create(&(CnSimDesc){.tick_hz = 60, .seed = 7}, &error);
 *     uint64_t last = cn_clock_ns();
 *     for (int frame = 0; frame < 600; frame++) {
 *         uint64_t now = cn_clock_ns();
 *         cn_sim_frame(sim, cn_seconds(now - last), &error);      // runs the ticks that are due
 *         last = now;
 *     }
 *     cn_sim_destroy(sim);
 *
 * A tick sees only the world, the events that arrived since the last tick, and its fixed dt. The
 * same inputs therefore yield the same states on every machine and with any number of threads. Real
 * time enters only through cn_sim_frame and determines only how many ticks run.
 *
 * A tick merges what producers sent into the channels, sets CnTickInfo, runs the stages Input,
 * PreUpdate, Update, PostUpdate and PreExtract, and publishes the snapshots. A frame advances the
 * clock, runs ticks, sets CnTime and CnTimingInfo, and runs the stages PreFrame, Frame and
 * PostFrame. The first tick or frame runs the startup stages before it.
 *
 * A simulation is owned by one thread. Tools and tests drive it without a clock, with
 * cn_sim_tick_n.
 */
#ifndef CAIRN_SIM_LOOP_H
#define CAIRN_SIM_LOOP_H

#include <cairn/ecs/producer.h>
#include <cairn/ecs/snapshot.h>
#include <cairn/sim/tick_clock.h>
#include <cairn/sim/extract.h>
#include <cairn/sim/input.h>
#include <cairn/sim/plugin.h>
#include <cairn/sim/time.h>

CN_EXTERN_C_BEGIN

/* A resource; part of the state. `elapsed` is in seconds. */
CN_COMPONENT(CnTickInfo, (u64, tick), (f32, dt), (f64, elapsed));
/* A transient resource for frames. `alpha` is the progress towards the next tick. */
CN_COMPONENT(CnTimingInfo, (u64, timing_drops), (u32, ticks_this_frame), (f32, alpha));

/* A transient resource for frames: the size of the image in pixels; 0 without one. It is not
 * part of the state, so states and recordings do not depend on the size of the window. */
CN_COMPONENT(CnWindowSize, (u32, width), (u32, height));

typedef struct CnSimDesc {
    CnAllocator *allocator;      /* NULL: the system allocator */
    CnJobPool *jobs;             /* not owned; NULL: single-threaded */
    uint32_t tick_hz;            /* 0 selects the default, 60 */
    uint32_t max_catch_up_ticks; /* per frame; 0 selects the default, 8 */
    uint64_t seed;               /* of the random streams */
    /* Plugins of other engine modules. They are added in the fixed order of cn_core_plugins. */
    const CnPlugin *core;
    uint32_t core_count;
} CnSimDesc;

/* Creates a simulation. `desc` may be NULL. Returns NULL and an error if the rate is out of
 * range or when out of memory. */
CN_API CnSim *cn_sim_create(const CnSimDesc *desc, CnError *error);
/* Finishes all plugins, the last added first, and frees the simulation and its world. */
CN_API void cn_sim_destroy(CnSim *sim);

CN_API CnWorld *cn_sim_world(const CnSim *sim);
CN_API CnAllocator *cn_sim_allocator(const CnSim *sim);
CN_API const CnTickClock *cn_sim_clock(const CnSim *sim);
/* Sets CnWindowSize. Call it between ticks, on the owner's thread. */
CN_API void cn_sim_set_window_size(CnSim *sim, uint32_t width, uint32_t height);
/* Returns the time of frames. The caller may set its scale; 0 suspends the ticks of
 * cn_sim_frame. */
CN_API CnTime *cn_sim_time(CnSim *sim);
/* Returns the source through which the owner's thread sends input. Other threads create their
 * own producers. */
CN_API CnInputSource cn_sim_input(CnSim *sim);
/* Returns the outbox, from which one other thread may read snapshots and audio commands. */
CN_API CnOutbox *cn_sim_outbox(CnSim *sim);
/* Returns the number of ticks run so far, which is also the number of the next tick. */
CN_API uint64_t cn_sim_tick(const CnSim *sim);
/* Returns the seed of the random streams. */
CN_API uint64_t cn_sim_seed(const CnSim *sim);

/* Runs the startup stages if they have not run yet. */
CN_API bool cn_sim_start(CnSim *sim, CnError *error);
/* Advances the simulation by real time. Returns false and an error when a schedule cannot be
 * sorted, commands could not be applied, or an observer stops it; ticks that ran are counted. */
CN_API bool cn_sim_frame(CnSim *sim, double real_seconds, CnError *error);
/* Runs `count` ticks now, regardless of the clock, even when paused. */
CN_API bool cn_sim_tick_n(CnSim *sim, uint64_t count, CnError *error);
/* Called during a tick: completes this tick, after which the running call runs no further ticks.
 * The remaining ticks of a frame are skipped. Does nothing outside of a tick. */
CN_API void cn_sim_stop(CnSim *sim);
/* Pauses or resumes. A paused simulation runs frames without ticks. */
CN_API void cn_sim_pause(CnSim *sim, bool paused);
CN_API bool cn_sim_is_paused(const CnSim *sim);

/* ---- State ---- */

/* Returns the state hash of the world. */
CN_API uint64_t cn_sim_hash(const CnSim *sim);
/* Save and restore between ticks. The data is that of cn_world_save plus the state sections; it
 * includes the tick count. Restoring keeps plugins, systems and time, and also events that
 * producers have sent but that have not been merged yet. */
CN_API bool cn_sim_save(const CnSim *sim, CnSnapshot *snapshot, CnError *error);
CN_API bool cn_sim_restore(CnSim *sim, const void *bytes, size_t size, CnError *error);

/* Creates a second simulation in the same state, which runs on independently: for prediction and
 * "what if" tools. The plugins are added in the same order (see CnPlugin.clone), and then the state
 * replaces what they created: that of the world (cn_world_copy_state), the state sections, the tick
 * count, the clock, CnTime, and whether the startup stages have run. Given the same messages, both
 * simulations reach the same states.
 *
 * `allocator` NULL: that of the original. The clone has its own outbox and input source. It has no
 * job pool (cn_world_set_jobs), no observer, and no events that producers of the original have sent
 * but that have not been merged yet. Producers that no plugin creates are created again by the
 * caller.
 *
 * Returns NULL and an error that names the obstacle: a plugin with a user pointer and without
 * `clone`, a system or state section that no plugin added, waiting commands; during a tick; or
 * out of memory. Call it on the thread that owns the simulation. */
CN_API CnSim *cn_sim_clone(const CnSim *sim, CnAllocator *allocator, CnError *error);

/* A state section: state of a plugin that lives outside of the world, such as the tables of
 * scripts. It is saved but not hashed. Without state sections, the data is that of
 * cn_world_save. */
typedef struct CnStateSection {
    const char *name; /* unique in the simulation; not copied */
    /* Appends the section to `bytes`. */
    bool (*save)(void *user, CnU8Array *bytes, CnError *error);
    /* Called after the world was restored. `bytes` holds the saved section; `size` is 0 if the
     * data has no such section. */
    bool (*restore)(void *user, const uint8_t *bytes, size_t size, CnError *error);
    void *user;
} CnStateSection;

/* Adds a state section. Returns false and an error when the name is in use or memory runs out. */
CN_API bool cn_sim_add_state_section(CnSim *sim, const CnStateSection *section, CnError *error);
CN_API void cn_sim_remove_state_section(CnSim *sim, const char *name);

/* ---- Observing and feeding ticks, for replays and tools ---- */

typedef struct CnSimObserver {
    /* Called before the tick for each event that a merge delivers, in order. */
    void (*delivered)(CnChannel *channel, const void *value, void *user);
    /* Replaces the merge: sends the events of this tick itself. */
    bool (*feed)(CnSim *sim, void *user, CnError *error);
    /* Called after each tick. If it returns false, the call that ran the tick fails with the
     * error. */
    bool (*ticked)(CnSim *sim, void *user, CnError *error);
    void *user;
} CnSimObserver;

/* Replaces the observer; NULL removes it. */
CN_API void cn_sim_observe(CnSim *sim, const CnSimObserver *observer);

/* Marks the run as not reproducible from its inputs, for example because something was stopped by a
 * wall clock: from this tick on, a replay may differ. Recorders write an attachment with the name
 * CN_NOT_REPRODUCIBLE whose text is the tick and the first reason. The mark stays until the
 * simulation is destroyed; it is not part of the state. */
#define CN_NOT_REPRODUCIBLE "not-reproducible"
CN_API void cn_sim_mark_not_reproducible(CnSim *sim, const char *reason);
/* Returns the first reason, or NULL. */
CN_API const char *cn_sim_not_reproducible(const CnSim *sim);

#define CN_SIM_MAX_LISTENERS 4u
/* Adds an observer beside the one of cn_sim_observe, without `feed`: for recorders that run beside
 * each other. It is called after that one, and not while something feeds the ticks. `user`
 * identifies it. Returns false when there are CN_SIM_MAX_LISTENERS. */
CN_API bool cn_sim_add_listener(CnSim *sim, const CnSimObserver *listener);
/* Removes the listener with this `user`, if there is one. */
CN_API void cn_sim_remove_listener(CnSim *sim, const void *user);
/* Returns whether there is an observer or a listener: the simulation is recorded or replayed. */
CN_API bool cn_sim_is_observed(const CnSim *sim);

CN_EXTERN_C_END

#endif
