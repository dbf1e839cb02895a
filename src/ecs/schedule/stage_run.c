/* Runs the systems of a stage, in order or in waves, and checks their accesses. */
#include "ecs/schedule/schedule.h"
#include "ecs/schedule/split_system.h"

/* ---- Guards ---- */

/* The system that runs on this thread. Without guards it is not set if systems run in order on one
 * thread; world->turn has it then. */
static _Thread_local const CniEcsSystem *running;
/* This thread is a lane of a query that the system runs in parallel. */
static _Thread_local bool on_lane;

const CniEcsSystem *cni_ecs_running_system(bool *lane)
{
    *lane = on_lane;
    return running;
}

void cni_ecs_set_running_system(const CniEcsSystem *system, bool lane)
{
    running = system;
    on_lane = system && lane;
}

const CniEcsSystem *cni_ecs_system_here(const CnWorld *world)
{
    bool is_here = running && running->runnable->context.world == world;
    return is_here ? running : world->turn;
}

CnCommands *cni_system_commands(const CniEcsSystem *system)
{
    return system->runnable->context.commands;
}

bool cni_ecs_running_system_is_exclusive(void)
{
    return !running || (running->alone && !on_lane);
}

/* Frame stages may read the simulation but not change it, whatever their systems declare. */
static bool may_touch(const CnWorld *world, uint32_t component)
{
    const CniEcsComponent *found = cni_ecs_component_get(world, component);
    return !cn_stage_is_frame(running->desc.stage) ||
           (found && found->info.flags & (CN_COMPONENT_TRANSIENT | CN_COMPONENT_DERIVED));
}

bool cni_ecs_may_read(const CnWorld *world, uint32_t component)
{
    (void)world;
    return !running || running->free || cn_bitset_has(&running->reads, component) ||
           cn_bitset_has(&running->writes, component);
}

bool cni_ecs_may_write(const CnWorld *world, uint32_t component)
{
    return !running || ((running->free || cn_bitset_has(&running->writes, component)) &&
                        may_touch(world, component));
}

bool cni_ecs_may_change_structure(void)
{
    return !running || (running->desc.alone && !on_lane && !cn_stage_is_frame(running->desc.stage));
}

bool cni_ecs_may_defer(const CnWorld *world, uint32_t component)
{
    return !running || ((!on_lane || cni_ecs_lane_records()) && may_touch(world, component));
}

bool cni_ecs_may_send(const CnWorld *world, uint32_t component)
{
    return (!on_lane || cni_ecs_lane_records()) && cni_ecs_may_write(world, component);
}

void cni_ecs_query_text(const CnQuery *query, char *text, size_t text_bytes)
{
    text[0] = '\0';
    for (uint32_t i = 0; query && i < query->head.term_count; i++) {
        size_t used = strlen(text);
        const CniEcsComponent *component = cni_ecs_component_get(query->world, query->term_ids[i]);
        cn_format(text + used, text_bytes - used, "%s%s", used ? ", " : "",
                  component ? component->info.name : "a pair whose target is dead");
    }
}

const char *cni_ecs_access_text(const CnWorld *world, uint32_t component, const char *verb)
{
    static _Thread_local char text[400];
    char terms[160];
    const CniEcsComponent *found = cni_ecs_component_get(world, component);
    if (!running)
        return "";
    cni_ecs_query_text(running->runnable->context.query, terms, sizeof terms);
    bool reads = !strncmp(verb, "read", 4), writes = !strcmp(verb, "write");
    cn_format(text, sizeof text, "system %s (stage %s, query: %s) %s %s %s", running->desc.name,
              cn_stage_name(running->desc.stage), terms[0] ? terms : "none",
              !reads && !may_touch(world, component) ? "is a frame system and must not"
              : !reads && !writes && on_lane && !cni_ecs_lane_records()
                  ? "is run in parallel by cn_query_parallel and must not"
                  : "does not declare to",
              verb,
              found       ? found->info.name
              : component ? "an unknown component"
                          : "entities");
    return text;
}

/* ---- Running ---- */

/* Returns false if run_if skipped the system. */
static bool run_system(CniEcsSystem *system, float dt, uint64_t tick)
{
    CniEcsRunnable *runnable = system->runnable;
    CnSystemContext context = runnable->context;
    context.dt = dt;
    context.jobs = context.world->jobs;
    bool lane_before;
    const CniEcsSystem *before = cni_ecs_running_system(&lane_before);
    cni_ecs_set_running_system(system, false);
    const bool runs = !system->desc.run_if || system->desc.run_if(&context);
    if (runs) {
        runnable->context.last_run = tick;
        runnable->run(&context);
    }
    cni_ecs_set_running_system(before, lane_before);
    return runs;
}

/* Returns the duration in nanoseconds. */
static uint64_t run_timed(CniEcsSystem *system, float dt, uint64_t tick)
{
    const uint64_t start = cn_clock_ns();
    const bool ran = run_system(system, dt, tick);
    const uint64_t ns = cn_clock_ns() - start;
    CnSystemStats *stats = &system->stats;
    if (ran && system->runnable->context.world->measures_systems) {
        stats->runs++;
        stats->last_ns = ns;
        stats->total_ns += ns;
        stats->max_ns = ns > stats->max_ns ? ns : stats->max_ns;
    }
    return ns;
}

/* The threads that run a wave may depend on timing; its results never do. For a gain below this
 * value, waking other threads is not worthwhile. */
#define WORTH_SPLITTING_NS 20000u

static void run_measured(CniEcsSystem *system, float dt, uint64_t tick)
{
    system->cost_ns = (system->cost_ns * 7 + run_timed(system, dt, tick)) / 8;
}

typedef struct Wave {
    CniEcsSystem *const *systems;
    float dt;
    uint64_t tick;
} Wave;

static void run_piece(void *data, uint32_t begin, uint32_t end, uint32_t lane)
{
    const Wave *wave = data;
    (void)lane;
    for (uint32_t i = begin; i < end; i++)
        if (!wave->systems[i]->disabled)
            run_measured(wave->systems[i], wave->dt, wave->tick);
}

/* Adds the costs of the systems to *sum. Returns the cost that would overlap with the longest of
 * them. */
static uint64_t cost_beside(CniEcsSystem *const *systems, uint32_t count, uint64_t *sum)
{
    uint64_t all = 0, most = 0;
    for (uint32_t i = 0; i < count; i++) {
        uint64_t cost = systems[i]->disabled ? 0 : systems[i]->cost_ns;
        all += cost;
        most = cost > most ? cost : most;
    }
    *sum += all;
    return all - most;
}

static void run_waves(CnWorld *world, CnStage stage, float dt, uint64_t first_tick)
{
    CniEcsSystem *const *systems = world->by_wave[stage].items;
    const uint32_t total = world->by_wave[stage].count;
    world->stage_cost_ns[stage] = 0;
    for (uint32_t begin = 0, end; begin < total; begin = end) {
        for (end = begin + 1; end < total && systems[end]->wave == systems[begin]->wave;)
            end++;
        world->head.tick = first_tick + systems[begin]->wave;
        Wave wave = {systems + begin, dt, world->head.tick};
        uint64_t gain = cost_beside(systems + begin, end - begin, &world->stage_cost_ns[stage]);
        cn_job_parallel_for(gain > WORTH_SPLITTING_NS ? world->jobs : NULL, end - begin, 1,
                            run_piece, &wave);
    }
}

static void run_in_order_timed(CnWorld *world, CnStage stage, float dt, uint64_t first_tick)
{
    const CniEcsDispatchEntry *dispatch_list = world->dispatch_list[stage].items;
    for (uint32_t i = 0; i < world->dispatch_list[stage].count; i++) {
        if (!dispatch_list[i].runnable->run)
            continue;
        world->head.tick = first_tick + dispatch_list[i].wave;
        run_timed(dispatch_list[i].system, dt, world->head.tick);
    }
}

/* Uses the ticks of the waves here as well, so that the same changes are detected. */
static void run_in_order(CnWorld *world, CnStage stage, float dt, uint64_t first_tick)
{
    const CniEcsDispatchEntry *dispatch_list = world->dispatch_list[stage].items;
    for (uint32_t i = 0; i < world->dispatch_list[stage].count; i++) {
        CniEcsRunnable *runnable = dispatch_list[i].runnable;
        if (!runnable->run)
            continue;
        uint64_t tick = world->head.tick = first_tick + dispatch_list[i].wave;
#ifndef CN_GUARDS
        if (CN_LIKELY(!dispatch_list[i].conditional)) {
            CnSystemContext context = runnable->context;
            context.dt = dt;
            context.jobs = world->jobs;
            runnable->context.last_run = tick;
            world->turn = dispatch_list[i].system;
            runnable->run(&context);
            continue;
        }
#endif
        run_system(dispatch_list[i].system, dt, tick);
    }
    world->turn = NULL;
}

static bool run_stage(CnWorld *world, CnStage stage, float dt, CnError *error)
{
    const uint64_t first_tick = world->head.tick + 1;
    world->in_stage = true;
    if (world->jobs && cn_job_pool_workers(world->jobs))
        run_waves(world, stage, dt, first_tick);
    else if (CN_UNLIKELY(world->measures_systems))
        run_in_order_timed(world, stage, dt, first_tick);
    else
        run_in_order(world, stage, dt, first_tick);
    /* Changes made by the flush are newer than what any system has seen. */
    world->head.tick = first_tick + world->wave_count[stage];
    bool flushed = cn_flush(world);
    world->in_stage = false;
    return flushed ||
           cn_error_set(error, CN_ERROR_MEMORY, "stage %s: some commands could not be applied",
                        cn_stage_name(stage));
}

/* Waking all workers costs more than a short update takes. */
#define WORTH_WAKING_NS 100000u

static bool is_worth_waking(const CnWorld *world, CnStage first, CnStage last)
{
    uint64_t cost = 0;
    for (CnStage stage = first; stage <= last; stage++)
        cost += world->stage_cost_ns[stage];
    return cost > WORTH_WAKING_NS;
}

static bool begin_update(CnWorld *world, CnStage first, CnStage last, CnError *error)
{
    CN_ASSERT(!world->updating, "a system cannot run a stage");
    if (world->updating)
        return cn_error_set(error, CN_ERROR_PERMISSION, "a system cannot run a stage");
    for (CnStage stage = first; stage <= last; stage++)
        if (!world->sorted_valid[stage] && !cni_ecs_stage_sort(world, stage, error))
            return false;
    world->updating = true;
    world->has_begun_spinning = world->jobs && is_worth_waking(world, first, last);
    if (world->has_begun_spinning)
        cn_job_pool_begin_spinning(world->jobs);
    return true;
}

static void end_update(CnWorld *world)
{
    if (world->has_begun_spinning)
        cn_job_pool_end_spinning(world->jobs);
    world->updating = false;
    cni_ecs_systems_apply_pending(world);
}

/* A stage that could not apply its commands does not prevent the following stages from running. The
 * first error is returned, and later ones are reported. */
static bool run_stages(CnWorld *world, CnStage first, CnStage last, float dt, CnError *error)
{
    bool done = true;
    for (CnStage stage = first; stage <= last; stage++) {
        CnError *taken = done ? error : NULL;
        CNI_ECS_REPORT_UNHANDLED(world, taken);
        done &= run_stage(world, stage, dt, taken);
    }
    return done;
}

void cn_world_set_jobs(CnWorld *world, CnJobPool *jobs)
{
    CN_ASSERT(world, "%s: world is NULL", __func__);
    CN_ASSERT(!world->updating, "a system cannot change the world's jobs");
    world->jobs = jobs;
}

void cn_world_measure_systems(CnWorld *world, bool measure)
{
    CN_ASSERT(world, "%s: world is NULL", __func__);
    CN_ASSERT(!world->updating, "measuring cannot be switched while a stage runs");
    if (world->updating)
        return;
    for (uint32_t i = 0; measure && !world->measures_systems && i < world->systems.count; i++)
        world->systems.items[i]->stats = (CnSystemStats){0};
    world->measures_systems = measure;
}

bool cn_system_stats(const CnWorld *world, CnSystem id, CnSystemStats *stats)
{
    CN_ASSERT(world, "%s: world is NULL", __func__);
    CN_ASSERT(stats, "%s: stats is NULL", __func__);
    CN_ASSERT(cni_ecs_running_system_is_exclusive(),
              "a system that shares its wave reads system statistics");
    const CniEcsSystem *system = cni_ecs_system_get(world, id.id);
    *stats = system ? system->stats : (CnSystemStats){0};
    return system != NULL;
}

static float sane_dt(float dt)
{
    return dt > 0 && dt <= 1e9f ? dt : 0;
}

bool cn_world_run_stage(CnWorld *world, CnStage stage, float dt, CnError *error)
{
    CN_ASSERT(world, "%s: world is NULL", __func__);
    CNI_ECS_REPORT_UNHANDLED(world, error);
    if (!cni_ecs_stage_exists(stage, error))
        return false;
    if (!begin_update(world, stage, stage, error))
        return false;
    bool done = run_stage(world, stage, sane_dt(dt), error);
    end_update(world);
    return done;
}

bool cn_world_startup(CnWorld *world, CnError *error)
{
    CN_ASSERT(world, "%s: world is NULL", __func__);
    CNI_ECS_REPORT_UNHANDLED(world, error);
    if (!begin_update(world, CN_STAGE_PRE_STARTUP, CN_STAGE_POST_STARTUP, error))
        return false;
    cn_events_begin_update(world);
    bool done = run_stages(world, CN_STAGE_PRE_STARTUP, CN_STAGE_POST_STARTUP, 0, error);
    cn_events_end_update(world);
    end_update(world);
    return done;
}

bool cn_world_update(CnWorld *world, float dt, CnError *error)
{
    CN_ASSERT(world, "%s: world is NULL", __func__);
    CNI_ECS_REPORT_UNHANDLED(world, error);
    if (!begin_update(world, CN_STAGE_INPUT, CN_STAGE_PRE_EXTRACT, error))
        return false;
    cn_events_begin_update(world);
    bool done = run_stages(world, CN_STAGE_INPUT, CN_STAGE_PRE_EXTRACT, sane_dt(dt), error);
    cn_events_end_update(world);
    end_update(world);
    return done;
}

bool cn_world_frame(CnWorld *world, float dt, CnError *error)
{
    CN_ASSERT(world, "%s: world is NULL", __func__);
    CNI_ECS_REPORT_UNHANDLED(world, error);
    if (!begin_update(world, CN_STAGE_PRE_FRAME, CN_STAGE_POST_FRAME, error))
        return false;
    cni_ecs_events_begin_frame(world);
    bool done = run_stages(world, CN_STAGE_PRE_FRAME, CN_STAGE_POST_FRAME, sane_dt(dt), error);
    cni_ecs_events_end_frame(world);
    end_update(world);
    return done;
}
