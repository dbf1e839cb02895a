#include "sim/sim_internal.h"

CnSim *cni_sim_create_bare(const CnSimDesc *desc, CnError *error)
{
    CnAllocator *allocator = desc->allocator ? desc->allocator : cn_system_allocator();
    CnSim *sim = cn_alloc_zeroed(allocator, sizeof *sim);
    if (!sim) {
        cn_error_memory(error, "a simulation");
        return NULL;
    }
    sim->allocator = allocator;
    sim->seed = desc->seed;
    cn_array_init(&sim->plugins, allocator);
    cn_array_init(&sim->sections, allocator);
    CnTickClockDesc clock = {desc->tick_hz, desc->max_catch_up_ticks};
    if (!cn_tick_clock_init(&sim->clock, &clock, error)) {
        cn_sim_destroy(sim);
        return NULL;
    }
    sim->world = cn_world_create(&(CnWorldDesc){.allocator = allocator}, error);
    sim->outbox =
        sim->world ? cn_outbox_create(&(CnOutboxDesc){.allocator = allocator}, error) : NULL;
    if (!sim->world || !sim->outbox) {
        cn_sim_destroy(sim);
        return NULL;
    }
    cn_world_set_jobs(sim->world, desc->jobs);
    return sim;
}

CnSim *cn_sim_create(const CnSimDesc *desc, CnError *error)
{
    CN_REPORT_UNHANDLED(error, "sim", NULL);
    CnSimDesc options = desc ? *desc : (CnSimDesc){0};
    CnSim *sim = cni_sim_create_bare(&options, error);
    if (sim && !cni_sim_add_core(sim, options.core, options.core_count, error)) {
        cn_sim_destroy(sim);
        return NULL;
    }
    return sim;
}

void cn_sim_destroy(CnSim *sim)
{
    if (!sim)
        return;
    cni_sim_finish_plugins(sim);
    cn_array_fini(&sim->sections);
    cn_world_destroy(sim->world);
    cn_outbox_destroy(sim->outbox);
    cn_free(sim->allocator, sim, sizeof *sim);
}

CnWorld *cn_sim_world(const CnSim *sim)
{
    CN_ASSERT(sim, "%s: sim is NULL", __func__);
    return sim->world;
}

CnAllocator *cn_sim_allocator(const CnSim *sim)
{
    CN_ASSERT(sim, "%s: sim is NULL", __func__);
    return sim->allocator;
}

const CnTickClock *cn_sim_clock(const CnSim *sim)
{
    CN_ASSERT(sim, "%s: sim is NULL", __func__);
    return &sim->clock;
}

CnTime *cn_sim_time(CnSim *sim)
{
    CN_ASSERT(sim, "%s: sim is NULL", __func__);
    return sim->time;
}

void cn_sim_set_window_size(CnSim *sim, uint32_t width, uint32_t height)
{
    CN_ASSERT(sim, "%s: sim is NULL", __func__);
    CN_ASSERT(!sim->ticking, "the window size must be set between ticks");
    CnWindowSize *size = sim->ticking ? NULL : cn_resource_mut(sim->world, CnWindowSize);
    if (size)
        *size = (CnWindowSize){width, height};
}

CnInputSource cn_sim_input(CnSim *sim)
{
    CN_ASSERT(sim, "%s: sim is NULL", __func__);
    return sim->input;
}

CnOutbox *cn_sim_outbox(CnSim *sim)
{
    CN_ASSERT(sim, "%s: sim is NULL", __func__);
    return sim->outbox;
}

uint64_t cn_sim_tick(const CnSim *sim)
{
    CN_ASSERT(sim, "%s: sim is NULL", __func__);
    return sim->tick;
}

uint64_t cn_sim_seed(const CnSim *sim)
{
    CN_ASSERT(sim, "%s: sim is NULL", __func__);
    return sim->seed;
}

void cn_sim_pause(CnSim *sim, bool paused)
{
    CN_ASSERT(sim, "%s: sim is NULL", __func__);
    sim->paused = paused;
}

bool cn_sim_is_paused(const CnSim *sim)
{
    CN_ASSERT(sim, "%s: sim is NULL", __func__);
    return sim->paused;
}

void cn_sim_mark_not_reproducible(CnSim *sim, const char *reason)
{
    CN_ASSERT(sim, "%s: sim is NULL", __func__);
    CN_ASSERT(reason && *reason, "%s: there is no reason", __func__);
    if (sim->not_reproducible[0])
        return;
    cn_copy_text(sim->not_reproducible, sizeof sim->not_reproducible, cn_text(reason));
    sim->not_reproducible_tick = sim->tick;
}

const char *cn_sim_not_reproducible(const CnSim *sim)
{
    CN_ASSERT(sim, "%s: sim is NULL", __func__);
    return sim->not_reproducible[0] ? sim->not_reproducible : NULL;
}

void cn_sim_observe(CnSim *sim, const CnSimObserver *observer)
{
    CN_ASSERT(sim, "%s: sim is NULL", __func__);
    sim->observer = observer ? *observer : (CnSimObserver){0};
}

bool cn_sim_add_listener(CnSim *sim, const CnSimObserver *listener)
{
    CN_ASSERT(sim, "%s: sim is NULL", __func__);
    CN_ASSERT(!listener->feed, "a listener does not feed ticks");
    CN_ASSERT(!sim->ticking, "listeners are added between ticks");
    if (sim->listener_count == CN_SIM_MAX_LISTENERS)
        return false;
    sim->listeners[sim->listener_count++] = *listener;
    return true;
}

void cn_sim_remove_listener(CnSim *sim, const void *user)
{
    CN_ASSERT(sim, "%s: sim is NULL", __func__);
    CN_ASSERT(!sim->ticking, "listeners are removed between ticks");
    uint32_t kept = 0;
    for (uint32_t i = 0; i < sim->listener_count; i++)
        if (sim->listeners[i].user != user)
            sim->listeners[kept++] = sim->listeners[i];
    sim->listener_count = kept;
}

bool cn_sim_is_observed(const CnSim *sim)
{
    CN_ASSERT(sim, "%s: sim is NULL", __func__);
    return sim->observer.delivered || sim->observer.feed || sim->observer.ticked ||
           sim->listener_count > 0;
}

/* ---- Ticks ---- */

static void deliver_to_all(CnChannel *channel, const void *value, void *user)
{
    const CnSim *sim = user;
    if (sim->observer.delivered)
        sim->observer.delivered(channel, value, sim->observer.user);
    for (uint32_t i = 0; i < sim->listener_count; i++)
        if (sim->listeners[i].delivered)
            sim->listeners[i].delivered(channel, value, sim->listeners[i].user);
}

static bool take_events(CnSim *sim, CnError *error)
{
    const CnSimObserver *observer = &sim->observer;
    if (observer->feed) {
        cn_producers_discard(sim->world);
        return observer->feed(sim, observer->user, error);
    }
    if (sim->listener_count > 0)
        cn_producers_merge(sim->world, deliver_to_all, sim);
    else
        cn_producers_merge(sim->world, observer->delivered, observer->user);
    return true;
}

static bool report_tick(CnSim *sim, CnError *error)
{
    bool feeds = sim->observer.feed != NULL;
    bool done = !sim->observer.ticked || sim->observer.ticked(sim, sim->observer.user, error);
    for (uint32_t i = 0; i < sim->listener_count && !feeds && done; i++)
        done = !sim->listeners[i].ticked ||
               sim->listeners[i].ticked(sim, sim->listeners[i].user, error);
    return done;
}

/* Updates the world's copy, which makes the tick count part of the state. */
bool cni_sim_set_tick_info(CnSim *sim, CnError *error)
{
    CnTickInfo info = {
        .tick = sim->tick,
        .dt = cn_tick_clock_dt(&sim->clock),
        .elapsed = (double)sim->tick / sim->clock.tick_hz,
    };
    return cn_resource_set_value(sim->world, cn_id(sim->world, CnTickInfo), &info) ||
           cn_error_memory(error, "CnTickInfo");
}

static bool run_tick(CnSim *sim, CnError *error)
{
    if (!take_events(sim, error) || !cni_sim_set_tick_info(sim, error))
        return false;
    cn_outbox_begin(sim->outbox, sim->tick, (double)sim->tick / sim->clock.tick_hz);
    bool done = cn_world_update(sim->world, cn_tick_clock_dt(&sim->clock), error);
    if (done)
        cn_outbox_publish(sim->outbox);
    sim->tick++;
    sim->time->tick_count++;
    CnError later; /* the first error is kept */
    done &= cni_sim_set_tick_info(sim, done ? error : &later);
    return done && report_tick(sim, error);
}

bool cn_sim_start(CnSim *sim, CnError *error)
{
    CN_ASSERT(sim, "%s: sim is NULL", __func__);
    CN_REPORT_UNHANDLED(error, "sim", cn_world_unhandled_errors(sim->world));
    if (sim->started)
        return true;
    /* Set even if startup fails: stages that ran must not run again. */
    sim->started = true;
    return cn_world_startup(sim->world, error);
}

static bool may_tick(const CnSim *sim, CnError *error)
{
    CN_ASSERT(!sim->ticking, "ticks cannot be run from within a tick");
    return !sim->ticking ||
           cn_error_set(error, CN_ERROR_PERMISSION, "ticks cannot be run from within a tick");
}

bool cn_sim_tick_n(CnSim *sim, uint64_t count, CnError *error)
{
    CN_ASSERT(sim, "%s: sim is NULL", __func__);
    CN_REPORT_UNHANDLED(error, "sim", cn_world_unhandled_errors(sim->world));
    if (!may_tick(sim, error))
        return false;
    sim->ticking = true;
    sim->stopping = false;
    bool done = cn_sim_start(sim, error);
    for (uint64_t i = 0; i < count && done && !sim->stopping; i++)
        done = run_tick(sim, error);
    sim->ticking = false;
    return done;
}

void cn_sim_stop(CnSim *sim)
{
    CN_ASSERT(sim, "%s: sim is NULL", __func__);
    sim->stopping = true;
}

bool cn_sim_frame(CnSim *sim, double real_seconds, CnError *error)
{
    CN_ASSERT(sim, "%s: sim is NULL", __func__);
    CN_REPORT_UNHANDLED(error, "sim", cn_world_unhandled_errors(sim->world));
    if (!may_tick(sim, error)) /* checked before time passes */
        return false;
    const CnTime time = *sim->time;
    const CnTickClock clock = sim->clock;
    const uint64_t before = sim->tick;
    double seconds = cn_time_advance(sim->time, real_seconds);
    uint32_t ticks = sim->paused ? 0 : cn_tick_clock_advance(&sim->clock, seconds);
    if (!cn_sim_tick_n(sim, ticks, error)) {
        if (sim->tick == before) { /* no tick ran, so no time has passed */
            *sim->time = time;
            sim->clock = clock;
        }
        return false;
    }
    sim->timing->ticks_this_frame = (uint32_t)(sim->tick - before);
    sim->timing->timing_drops = sim->clock.timing_drops;
    sim->timing->alpha = cn_tick_clock_alpha_f32(&sim->clock);
    return cn_world_frame(sim->world, (float)sim->time->delta, error);
}

/* ---- State ---- */

uint64_t cn_sim_hash(const CnSim *sim)
{
    CN_ASSERT(sim, "%s: sim is NULL", __func__);
    return cn_world_hash(sim->world);
}

/* Command buffers are identified by their position, which is determined by sorting. A stage that
 * cannot be sorted is reported by the next tick. */
static void sort_stages(CnWorld *world)
{
    uint32_t count;
    CnError ignored;
    for (uint32_t stage = 0; stage < CN_STAGE_COUNT; stage++)
        cn_stage_systems(world, (CnStage)stage, NULL, 0, &count, &ignored);
}

bool cn_sim_save(const CnSim *sim, CnSnapshot *snapshot, CnError *error)
{
    CN_ASSERT(sim, "%s: sim is NULL", __func__);
    CN_REPORT_UNHANDLED(error, "sim", cn_world_unhandled_errors(sim->world));
    sort_stages(sim->world);
    return cn_world_save(sim->world, snapshot, error) &&
           cni_sim_state_sections_save(sim, snapshot, error);
}

bool cn_sim_restore(CnSim *sim, const void *bytes, size_t size, CnError *error)
{
    CN_ASSERT(sim, "%s: sim is NULL", __func__);
    CN_REPORT_UNHANDLED(error, "sim", cn_world_unhandled_errors(sim->world));
    CN_ASSERT(!sim->ticking, "a state cannot be restored from within a tick");
    if (sim->ticking)
        return cn_error_set(error, CN_ERROR_PERMISSION,
                            "a state cannot be restored from within a tick");
    size_t world_size;
    if (!cni_sim_state_sections_split(bytes, size, &world_size, error))
        return false;
    sort_stages(sim->world);
    if (!cn_world_load(sim->world, bytes, world_size, error))
        return false;
    /* Resources that the data lacks start from their initial values. */
    const CnTickInfo *info = cn_resource(sim->world, CnTickInfo);
    sim->tick = info ? info->tick : 0;
    sim->started = true;
    return cni_sim_set_tick_info(sim, error) && cn_input_add(sim->world, error) &&
           cn_random_restore(sim->world, error) &&
           cni_sim_state_sections_restore(sim, bytes, size, error);
}
