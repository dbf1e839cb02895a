/*
 * Jobs and the threads that run them; job_parallel_for.c implements parallel_for.
 *
 * A ready job is in the deque of the lane that submitted it or that finished the last job it
 * depends on. A thread that needs work takes the newest job of its own deque, then joins a
 * parallel_for, then steals the oldest job of another lane.
 *
 * A waiting thread runs other jobs on top of its stack. The stack therefore grows with the depth of
 * waits inside of jobs, and a waiting job continues only when the jobs run meanwhile have finished.
 * For this reason a job may wait only for jobs that it submitted itself and that depend on no job
 * older than it: two jobs then cannot wait for each other. To run after any other job, a job names
 * it in `after`. Submitting also waits when there is no room for the job or its dependencies. The
 * outside thread may wait for every job. While a job waits, other jobs may access the data of its
 * lane.
 */
#include "base/job/job_pool.h"

#include <cairn/base/clock.h>
#include <cairn/base/cpu.h>

#include <stdio.h>

#define DEFAULT_MAX_JOBS 4096u
/* Waking a thread costs more than this, so a thread that has just run out of work keeps
 * spinning. */
#define SPIN_NS 20000u
/* In a hot pool. A job that blocks, or computes alone for longer, must not keep all cores busy. */
#define LONG_SPIN_NS 1000000u
#define SPINS_PER_CLOCK_READ 32u
#define SPINS_PER_YIELD 4096u
#define SPINS_PER_YIELD_OVERSUBSCRIBED 16u /* more lanes than cores */

_Thread_local CniBaseJobLane *cni_base_job_thread_lane;

#ifdef CN_GUARDS
void cni_base_job_enter(CniBaseJobLane *lane)
{
    static _Thread_local char self; /* its address identifies the thread */
    CnJobPool *pool = lane->pool;
    if (lane->index != 0)
        return;
    const void *inside = NULL;
    if (!atomic_compare_exchange_strong_explicit(&pool->outside, &inside, &self,
                                                 memory_order_relaxed, memory_order_relaxed))
        CN_ASSERT(inside == &self, "two threads outside of the pool use it at the same time");
    pool->outside_depth++;
}

void cni_base_job_leave(CniBaseJobLane *lane)
{
    CnJobPool *pool = lane->pool;
    if (lane->index == 0 && --pool->outside_depth == 0)
        atomic_store_explicit(&pool->outside, NULL, memory_order_relaxed);
}
#endif

static void wake_waiting(CnJobPool *pool, uint32_t count)
{
    if (CN_LIKELY(atomic_load(&pool->waiting) == 0))
        return;
    for (uint32_t i = 0; i < pool->lane_count && count > 0; i++)
        count -= cni_base_parking_wake(&pool->lanes[i].parking, 1);
}

/* A scheduler may wake a worker on the core of the thread that wakes it and leave it there
 * although another core is idle (Linux does this in virtual machines, where idle cores count as
 * stolen). The worker then does not run until the outside thread sleeps. */
static void avoid_this_core(CnJobPool *pool)
{
    uint32_t core = cni_base_thread_core();
    if (pool->oversubscribed ||
        atomic_load_explicit(&pool->outside_core, memory_order_relaxed) == core)
        return;
    atomic_store_explicit(&pool->outside_core, core, memory_order_relaxed);
    for (uint32_t i = 1; i < pool->lane_count; i++)
        cni_base_thread_avoid_core(&pool->lanes[i].thread, core);
}

void cni_base_job_wake(CniBaseJobLane *lane, uint32_t count)
{
    CnJobPool *pool = lane->pool;
    uint32_t woken = 0;
    if (atomic_load(&pool->idle.parked) > 0) {
        if (lane->index == 0)
            avoid_this_core(pool);
        woken = cni_base_parking_wake(&pool->idle, count);
    }
    if (woken < count)
        wake_waiting(pool, count - woken);
}

bool cni_base_job_spin(const CnJobPool *pool, CniBaseJobSpin *spin)
{
    cni_base_cpu_pause();
    spin->count++;
    if (spin->count % (pool->oversubscribed ? SPINS_PER_YIELD_OVERSUBSCRIBED : SPINS_PER_YIELD) ==
        0)
        cni_base_thread_yield();
    if (spin->count % SPINS_PER_CLOCK_READ != 0)
        return false;
    uint64_t now_ns = cn_clock_ns();
    if (spin->start_ns == 0)
        spin->start_ns = now_ns;
    bool spinning =
        !pool->oversubscribed && atomic_load_explicit(&pool->spinning, memory_order_relaxed) > 0;
    return now_ns - spin->start_ns >= (spinning ? LONG_SPIN_NS : SPIN_NS);
}

/* ---- Running ---- */

static uint64_t state_of(uint32_t generation)
{
    return (uint64_t)generation << 32;
}

static uint32_t generation_of(uint64_t state)
{
    return (uint32_t)(state >> 32);
}

/* Records that `count` dependencies of a job are done. Returns true when these were the last. */
static bool count_down(CnJobPool *pool, uint32_t slot, uint32_t count)
{
    return atomic_fetch_sub_explicit(&pool->slots[slot].pending, count, memory_order_acq_rel) ==
           count;
}

/* Makes the jobs ready that waited for nothing else, and returns their number. */
static uint32_t follow_edges(CniBaseJobLane *lane, uint32_t first)
{
    CnJobPool *pool = lane->pool;
    uint32_t ready = 0;
    while (first != 0) {
        uint32_t edge = first - 1;
        uint32_t target = pool->edge_targets[edge];
        first = atomic_load_explicit(&pool->free_edges.next[edge], memory_order_relaxed);
        cni_base_free_list_release(&pool->free_edges, edge);
        if (count_down(pool, target, 1)) {
            cni_base_job_deque_push(&lane->deque, target);
            ready++;
        }
    }
    return ready;
}

static void finish(CniBaseJobLane *lane, uint32_t slot)
{
    CnJobPool *pool = lane->pool;
    CniBaseJobSlot *job = &pool->slots[slot];
    uint32_t generation = generation_of(atomic_load_explicit(&job->state, memory_order_relaxed));
    uint32_t next_generation = generation + 1 != 0 ? generation + 1 : 1;
    uint64_t state = atomic_exchange(&job->state, state_of(next_generation));

    uint32_t ready = follow_edges(lane, (uint32_t)state & CNI_BASE_JOB_FIRST_EDGE);
    cni_base_free_list_release(&pool->free_slots, slot);

    /* A worker between jobs continues with one of them; other threads may have more to do first. */
    bool takes_one = lane->index != 0 && lane->job_depth == 0;
    if (ready > takes_one)
        cni_base_job_wake(lane, ready - takes_one);
    if (state & CNI_BASE_JOB_HAS_SLEEPER)
        wake_waiting(pool, UINT32_MAX); /* it is not known which of them waits for this job */
}

static void call(CniBaseJobLane *lane, CnJobFn run, void *data)
{
    const CniBaseJobLoop *outer = lane->inside_of;
    lane->inside_of = NULL;
    lane->job_depth++;
    run(data, lane->index);
    lane->job_depth--;
    lane->inside_of = outer;
}

static void run_job(CniBaseJobLane *lane, uint32_t slot)
{
    const CniBaseJobSlot *job = &lane->pool->slots[slot];
    call(lane, job->run, job->data);
    finish(lane, slot);
}

static uint32_t steal(CniBaseJobLane *lane)
{
    CnJobPool *pool = lane->pool;
    uint32_t victim = lane->victim;
    for (uint32_t i = 0; i < pool->lane_count; i++) {
        uint32_t slot = victim == lane->index
                            ? CNI_BASE_JOB_NONE
                            : cni_base_job_deque_steal(&pool->lanes[victim].deque);
        if (slot != CNI_BASE_JOB_NONE) {
            lane->victim = victim; /* it probably has more */
            return slot;
        }
        victim = victim + 1 < pool->lane_count ? victim + 1 : 0;
    }
    return CNI_BASE_JOB_NONE;
}

/* Runs one job, or pieces of one loop. Returns false when nothing was found. */
static bool run_something(CniBaseJobLane *lane)
{
    uint32_t slot = cni_base_job_deque_take(&lane->deque);
    if (slot == CNI_BASE_JOB_NONE) {
        if (cni_base_job_loop_help(lane, NULL))
            return true;
        slot = steal(lane);
    }
    if (slot == CNI_BASE_JOB_NONE)
        return false;
    run_job(lane, slot);
    return true;
}

/* For a thread that is about to sleep: returns false only if any thread that creates work from
 * now on will wake it. */
static bool must_stay_awake(const CnJobPool *pool)
{
    if (atomic_load(&pool->stop))
        return true;
    for (uint32_t i = 0; i < pool->lane_count; i++) {
        CniBaseJobLane *lane = &pool->lanes[i];
        if (cni_base_job_loop_is_open(lane) || !cni_base_job_deque_is_empty(&lane->deque))
            return true;
    }
    return false;
}

static void *work(void *data)
{
    CniBaseJobLane *lane = data;
    CnJobPool *pool = lane->pool;
    cni_base_job_thread_lane = lane;
    CniBaseJobSpin spin = {0};
    while (!atomic_load_explicit(&pool->stop, memory_order_acquire)) {
        if (run_something(lane)) {
            spin = (CniBaseJobSpin){0};
            continue;
        }
        if (!cni_base_job_spin(pool, &spin))
            continue;
        cni_base_parking_enter(&pool->idle);
        if (must_stay_awake(pool))
            cni_base_parking_leave(&pool->idle);
        else
            cni_base_parking_sleep(&pool->idle);
        spin = (CniBaseJobSpin){0};
    }
    return NULL;
}

/* ---- Waiting ---- */

static bool is_done(const CnJobPool *pool, CnJob job)
{
    if (job.generation == 0)
        return true;
    CN_ASSERT(job.slot < pool->max_jobs, "invalid job handle: slot %u of %u", job.slot,
              pool->max_jobs);
    return generation_of(atomic_load(&pool->slots[job.slot].state)) != job.generation;
}

/* Requests a wake-up when the job is done. Returns false if it already is. */
static bool announce_sleep(CnJobPool *pool, CnJob job)
{
    _Atomic uint64_t *state = &pool->slots[job.slot].state;
    uint64_t seen = atomic_load_explicit(state, memory_order_relaxed);
    while (generation_of(seen) == job.generation) {
        if (atomic_compare_exchange_weak_explicit(state, &seen, seen | CNI_BASE_JOB_HAS_SLEEPER,
                                                  memory_order_relaxed, memory_order_relaxed))
            return true;
    }
    return false;
}

static void sleep_until_done_or_work(CniBaseJobLane *lane, CnJob job)
{
    CnJobPool *pool = lane->pool;
    if (!announce_sleep(pool, job))
        return;
    atomic_fetch_add(&pool->waiting, 1);
    cni_base_parking_enter(&lane->parking);
    if (must_stay_awake(pool) || is_done(pool, job))
        cni_base_parking_leave(&lane->parking);
    else
        cni_base_parking_sleep(&lane->parking);
    atomic_fetch_sub(&pool->waiting, 1);
}

static void wait_for(CniBaseJobLane *lane, CnJob job)
{
    CnJobPool *pool = lane->pool;
    CniBaseJobSpin spin = {0};
    while (!is_done(pool, job)) {
        if (run_something(lane)) {
            spin = (CniBaseJobSpin){0};
            continue;
        }
        CN_ASSERT(pool->lane_count > 1, "a job waits for itself, directly or indirectly");
        if (cni_base_job_spin(pool, &spin)) {
            sleep_until_done_or_work(lane, job);
            spin = (CniBaseJobSpin){0};
        }
    }
}

bool cn_job_is_done(CnJobPool *pool, CnJob job)
{
    return is_done(pool, job);
}

void cn_job_wait(CnJobPool *pool, CnJob job)
{
    if (is_done(pool, job))
        return;
    CniBaseJobLane *lane = cni_base_job_lane(pool);
    cni_base_job_enter(lane);
    wait_for(lane, job);
    cni_base_job_leave(lane);
}

/* ---- Submitting ---- */

/* Records that `slot` waits for `job`. Returns false if that job is already done. */
static bool add_edge(CniBaseJobLane *lane, CnJob job, uint32_t slot)
{
    CnJobPool *pool = lane->pool;
    if (is_done(pool, job))
        return false;
    uint32_t edge = cni_base_free_list_acquire(&pool->free_edges);
    if (edge == CNI_BASE_JOB_NONE) {
        wait_for(lane, job);
        return false;
    }
    pool->edge_targets[edge] = slot;

    _Atomic uint64_t *state = &pool->slots[job.slot].state;
    uint64_t seen = atomic_load_explicit(state, memory_order_acquire);
    while (generation_of(seen) == job.generation) {
        atomic_store_explicit(&pool->free_edges.next[edge],
                              (uint32_t)seen & CNI_BASE_JOB_FIRST_EDGE, memory_order_relaxed);
        uint64_t linked = (seen & ~(uint64_t)CNI_BASE_JOB_FIRST_EDGE) | (edge + 1);
        if (atomic_compare_exchange_weak_explicit(state, &seen, linked, memory_order_release,
                                                  memory_order_acquire))
            return true;
    }
    cni_base_free_list_release(&pool->free_edges, edge);
    return false;
}

/* Returns a slot, or CNI_BASE_JOB_NONE when all are used by jobs that run or wait for dependencies.
 */
static uint32_t acquire_slot(CniBaseJobLane *lane)
{
    for (;;) {
        uint32_t slot = cni_base_free_list_acquire(&lane->pool->free_slots);
        if (slot != CNI_BASE_JOB_NONE || !run_something(lane))
            return slot;
    }
}

/* Runs a job without a slot. The jobs that hold the slots may be further down on this stack, so
 * waiting for a slot could deadlock. */
static void run_now(CniBaseJobLane *lane, const CnJobDesc *desc)
{
    for (uint32_t i = 0; i < desc->after_count; i++)
        wait_for(lane, desc->after[i]);
    call(lane, desc->run, desc->data);
}

static CnJob submit(CniBaseJobLane *lane, const CnJobDesc *desc)
{
    CnJobPool *pool = lane->pool;
    uint32_t slot = acquire_slot(lane);
    if (slot == CNI_BASE_JOB_NONE) {
        run_now(lane, desc);
        return (CnJob){0};
    }

    CniBaseJobSlot *job = &pool->slots[slot];
    job->run = desc->run;
    job->data = desc->data;
    uint64_t state = atomic_load_explicit(&job->state, memory_order_relaxed);
    CnJob handle = {.slot = slot, .generation = generation_of(state)};

    bool ready = true;
    if (desc->after_count > 0) {
        /* One more than there are, so that the job does not start before all are recorded. */
        atomic_store_explicit(&job->pending, desc->after_count + 1, memory_order_relaxed);
        uint32_t done = 1;
        for (uint32_t i = 0; i < desc->after_count; i++)
            done += !add_edge(lane, desc->after[i], slot);
        ready = count_down(pool, slot, done);
    }
    if (ready) {
        cni_base_job_deque_push(&lane->deque, slot);
        cni_base_job_wake(lane, 1);
    }
    return handle;
}

CnJob cn_job_submit(CnJobPool *pool, const CnJobDesc *desc)
{
    CN_ASSERT(desc->run, "the job has no function");
    CniBaseJobLane *lane = cni_base_job_lane(pool);
    cni_base_job_enter(lane);
    CnJob job = submit(lane, desc);
    cni_base_job_leave(lane);
    return job;
}

/* ---- The pool ---- */

uint32_t cn_job_pool_workers(const CnJobPool *pool)
{
    return pool->lane_count - 1;
}

void cn_job_pool_begin_spinning(CnJobPool *pool)
{
    if (atomic_fetch_add(&pool->spinning, 1) == 0)
        cni_base_job_wake(cni_base_job_lane(pool), UINT32_MAX);
}

void cn_job_pool_end_spinning(CnJobPool *pool)
{
    uint32_t before = atomic_fetch_sub(&pool->spinning, 1);
    CN_ASSERT(before > 0, "cn_job_pool_end_spinning without cn_job_pool_begin_spinning");
    (void)before;
}

static uint32_t workers_for(uint32_t asked)
{
    if (asked == CN_JOBS_NONE)
        return 0;
    if (asked == CN_JOBS_AUTO)
        asked = cn_cpu_info()->logical_cores - 1;
    return asked < CN_JOBS_MAX_WORKERS ? asked : CN_JOBS_MAX_WORKERS;
}

static uint32_t max_jobs_for(uint32_t asked)
{
    uint32_t max_jobs = 1;
    while (max_jobs < (asked ? asked : DEFAULT_MAX_JOBS))
        max_jobs *= 2;
    return max_jobs;
}

/* Offsets of the parts of the pool's memory block. */
typedef struct Layout {
    size_t lanes, slots, rings, slot_links, edge_links, edge_targets;
    size_t bytes;
} Layout;

static size_t add_part(Layout *layout, size_t count, size_t item_bytes)
{
    size_t offset = layout->bytes;
    size_t line = CNI_BASE_CACHE_LINE_BYTES;
    layout->bytes += (count * item_bytes + line - 1) / line * line;
    return offset;
}

static Layout layout_for(uint32_t lanes, uint32_t max_jobs)
{
    Layout layout = {0};
    size_t edges = (size_t)max_jobs * CNI_BASE_JOB_EDGES_PER_JOB;
    add_part(&layout, 1, sizeof(CnJobPool));
    layout.lanes = add_part(&layout, lanes, sizeof(CniBaseJobLane));
    layout.slots = add_part(&layout, max_jobs, sizeof(CniBaseJobSlot));
    layout.rings = add_part(&layout, (size_t)lanes * max_jobs, sizeof(_Atomic uint32_t));
    layout.slot_links = add_part(&layout, max_jobs, sizeof(_Atomic uint32_t));
    layout.edge_links = add_part(&layout, edges, sizeof(_Atomic uint32_t));
    layout.edge_targets = add_part(&layout, edges, sizeof(uint32_t));
    return layout;
}

static void init_lane(CnJobPool *pool, uint32_t index, _Atomic uint32_t *ring)
{
    CniBaseJobLane *lane = &pool->lanes[index];
    *lane = (CniBaseJobLane){.pool = pool, .index = index};
    cni_base_job_deque_init(&lane->deque, ring, pool->max_jobs);
    cni_base_parking_init(&lane->parking);
}

/* Creates everything except the threads. */
static CnJobPool *create_idle(CnAllocator *allocator, uint32_t lanes, uint32_t max_jobs)
{
    Layout layout = layout_for(lanes, max_jobs);
    char *block = cn_alloc_aligned(allocator, layout.bytes, CNI_BASE_CACHE_LINE_BYTES);
    if (!block)
        return NULL;

    CnJobPool *pool = (CnJobPool *)block;
    *pool = (CnJobPool){
        .allocator = allocator,
        .block_bytes = layout.bytes,
        .lane_count = lanes,
        .max_jobs = max_jobs,
        .oversubscribed = lanes > cn_cpu_info()->logical_cores,
        .lanes = (CniBaseJobLane *)(block + layout.lanes),
        .slots = (CniBaseJobSlot *)(block + layout.slots),
        .edge_targets = (uint32_t *)(block + layout.edge_targets),
    };
    atomic_init(&pool->outside_core, CNI_BASE_CORE_UNKNOWN);
    cni_base_parking_init(&pool->idle);
    cni_base_free_list_init(&pool->free_slots, (_Atomic uint32_t *)(block + layout.slot_links),
                            max_jobs);
    cni_base_free_list_init(&pool->free_edges, (_Atomic uint32_t *)(block + layout.edge_links),
                            max_jobs * CNI_BASE_JOB_EDGES_PER_JOB);
    for (uint32_t i = 0; i < max_jobs; i++)
        atomic_init(&pool->slots[i].state, state_of(1));
    for (uint32_t i = 0; i < lanes; i++)
        init_lane(pool, i, (_Atomic uint32_t *)(block + layout.rings) + (size_t)i * max_jobs);
    return pool;
}

/* Stops the first `workers` workers and frees the pool. */
static void destroy_idle(CnJobPool *pool, uint32_t workers)
{
    atomic_store(&pool->stop, true);
    cni_base_parking_wake(&pool->idle, UINT32_MAX);
    for (uint32_t i = 1; i <= workers; i++)
        cni_base_thread_join(&pool->lanes[i].thread);
    cni_base_parking_fini(&pool->idle);
    for (uint32_t i = 0; i < pool->lane_count; i++)
        cni_base_parking_fini(&pool->lanes[i].parking);
    cn_free_aligned(pool->allocator, pool, pool->block_bytes, CNI_BASE_CACHE_LINE_BYTES);
}

CnJobPool *cn_job_pool_create(const CnJobPoolDesc *desc, CnError *error)
{
    CN_REPORT_UNHANDLED(error, "base", NULL);
    CnJobPoolDesc options = desc ? *desc : (CnJobPoolDesc){0};
    CN_ASSERT(options.workers <= CN_JOBS_MAX_WORKERS || options.workers == CN_JOBS_NONE,
              "%u workers are too many", options.workers);
    if (options.max_jobs > CNI_BASE_JOB_MAX_JOBS) {
        cn_error_set(error, CN_ERROR_LIMIT, "a job pool cannot hold %u jobs; the limit is %u",
                     options.max_jobs, CNI_BASE_JOB_MAX_JOBS);
        return NULL;
    }
    uint32_t workers = workers_for(options.workers);
    CnJobPool *pool = create_idle(options.allocator, workers + 1, max_jobs_for(options.max_jobs));
    if (!pool) {
        cn_error_memory(error, "a job pool");
        return NULL;
    }
    for (uint32_t i = 1; i <= workers; i++) {
        char name[16];
        snprintf(name, sizeof name, "cairn-job-%u", i);
        if (!cni_base_thread_start(&pool->lanes[i].thread, name, work, &pool->lanes[i])) {
            destroy_idle(pool, i - 1);
            cn_error_set(error, CN_ERROR_LIMIT,
                         "cannot start worker %u of %u: the system refuses another thread", i,
                         workers);
            return NULL;
        }
    }
    avoid_this_core(pool);
    return pool;
}

void cn_job_pool_destroy(CnJobPool *pool)
{
    if (!pool)
        return;
    CniBaseJobLane *lane = cni_base_job_lane(pool);
    CN_ASSERT(lane->index == 0, "a job cannot destroy its own pool");
    cni_base_job_enter(lane);
    /* Holding all slots proves that no job is in flight. */
    CniBaseJobSpin spin = {0};
    for (uint32_t held = 0; held < pool->max_jobs;) {
        if (acquire_slot(lane) != CNI_BASE_JOB_NONE)
            held++;
        else if (cni_base_job_spin(pool, &spin))
            cn_clock_sleep_ns(SPIN_NS);
    }
    cni_base_job_leave(lane);
    destroy_idle(pool, pool->lane_count - 1);
}
