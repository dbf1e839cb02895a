/* iterate_move on two threads: a job pool with hot workers, compared with two threads that only
 * spin for each other. Both helper threads are pinned to the second core and sleep while the other
 * side runs. */
#include "raw.h"

#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>

CN_SIMD_DISPATCH(move_rows,
                 (uint32_t count, Position *restrict p, const Velocity *restrict v, float dt),
                 (count, p, v, dt))
{
    for (uint32_t i = 0; i < count; i++) {
        p[i].x += v[i].x * dt;
        p[i].y += v[i].y * dt;
        p[i].z += v[i].z * dt;
    }
}

CN_SIMD_DISPATCH(move_fields_rows,
                 (uint32_t count, float *restrict px, float *restrict py, float *restrict pz,
                  const float *restrict vx, const float *restrict vy, const float *restrict vz,
                  float dt),
                 (count, px, py, pz, vx, vy, vz, dt))
{
    for (uint32_t i = 0; i < count; i++) {
        px[i] += vx[i] * dt;
        py[i] += vy[i] * dt;
        pz[i] += vz[i] * dt;
    }
}

typedef struct Pair {
    uint32_t n, passes;
    CnLayout layout;
    CnQuery *query;
    CnJobPool *pool;

    Position *positions;
    Velocity *velocities;
    pthread_t helper;
    sem_t wake;
    _Alignas(64) atomic_uint pass_begun; /* counts passes */
    _Alignas(64) atomic_uint pass_done;
    atomic_bool park, quit;
} Pair;

/* Yields the core after a while, for machines with only one. */
static inline void relax(uint32_t *spins)
{
#if defined(__x86_64__)
    __builtin_ia32_pause();
#endif
    if (++*spins % 16384 == 0)
        sched_yield();
}

/* ---- Ours ---- */

static void move_chunk(const CnChunkView *view, void *user, uint32_t lane)
{
    (void)user;
    (void)lane;
    move_rows(view->count, cn_column(view, Position), cn_column_const(view, Velocity), DT);
}

static void move_chunk_fields(const CnChunkView *view, void *user, uint32_t lane)
{
    (void)user;
    (void)lane;
    move_fields_rows(view->count, cn_field(view, Position, x), cn_field(view, Position, y),
                     cn_field(view, Position, z), cn_field_const(view, Velocity, x),
                     cn_field_const(view, Velocity, y), cn_field_const(view, Velocity, z), DT);
}

static uint64_t pair_ours(void *state)
{
    Pair *pair = state;
    CnChunkFn run = pair->layout == CN_LAYOUT_PACKED ? move_chunk : move_chunk_fields;
    cn_job_pool_begin_spinning(pair->pool);
    cn_clock_sleep_ns(200000); /* the worker wakes up */
    cn_query_parallel(pair->query, pair->pool, run, NULL);
    uint64_t start = cn_clock_ns();
    for (uint32_t pass = 0; pass < pair->passes; pass++)
        cn_query_parallel(pair->query, pair->pool, run, NULL);
    uint64_t ns = cn_clock_ns() - start;
    cn_job_pool_end_spinning(pair->pool);
    cn_clock_sleep_ns(2000000); /* and falls asleep again */
    return ns;
}

/* ---- Raw ---- */

static void *help(void *state)
{
    Pair *pair = state;
    uint32_t seen = 0, spins = 0, half = pair->n / 2;
    for (;;) {
        sem_wait(&pair->wake);
        if (atomic_load(&pair->quit))
            return NULL;
        while (!atomic_load_explicit(&pair->park, memory_order_acquire)) {
            if (atomic_load_explicit(&pair->pass_begun, memory_order_acquire) == seen) {
                relax(&spins);
                continue;
            }
            seen++;
            move_rows(pair->n - half, pair->positions + half, pair->velocities + half, DT);
            atomic_store_explicit(&pair->pass_done, seen, memory_order_release);
        }
    }
}

static void raw_pass(Pair *pair)
{
    uint32_t number = atomic_load_explicit(&pair->pass_begun, memory_order_relaxed) + 1;
    atomic_store_explicit(&pair->pass_begun, number, memory_order_release);
    move_rows(pair->n / 2, pair->positions, pair->velocities, DT);
    uint32_t spins = 0;
    while (atomic_load_explicit(&pair->pass_done, memory_order_acquire) != number)
        relax(&spins);
}

static uint64_t pair_raw(void *state)
{
    Pair *pair = state;
    atomic_store(&pair->park, false);
    sem_post(&pair->wake);
    raw_pass(pair);
    uint64_t start = cn_clock_ns();
    for (uint32_t pass = 0; pass < pair->passes; pass++)
        raw_pass(pair);
    uint64_t ns = cn_clock_ns() - start;
    atomic_store(&pair->park, true);
    cn_clock_sleep_ns(200000);
    return ns;
}

Figures measure_iterate_move_threads(const Case *run)
{
    CnWorld *world = make_moving_world(run);
    add_movers(world, run->n, NULL);
    cpu_set_t cores;
    measure_stay_on_core(1, &cores); /* threads made now inherit it */
    Pair pair = {
        .n = run->n,
        .passes = repetitions(run->n),
        .layout = run->layout,
        .query = need(cn_query_acquire(
            world, &(CnQueryDesc){.all = {cn_writes(Position), cn_reads(Velocity)}}, NULL)),
        .pool = need(cn_job_pool_create(&(CnJobPoolDesc){.workers = run->threads - 1}, NULL)),
        .positions = raw_alloc(run->n * sizeof(Position)),
        .velocities = raw_alloc(run->n * sizeof(Velocity)),
    };
    atomic_init(&pair.park, true);
    sem_init(&pair.wake, 0, 0);
    if (pthread_create(&pair.helper, NULL, help, &pair) != 0)
        need(NULL);
    measure_use_cores(&cores);
    measure_stay_on_core(0, &cores);

    Figures figures = take_turns(run, pair_ours, pair_raw, &pair, (double)run->n * pair.passes);

    atomic_store(&pair.quit, true);
    sem_post(&pair.wake);
    pthread_join(pair.helper, NULL);
    sem_destroy(&pair.wake);
    raw_free(pair.positions);
    raw_free(pair.velocities);
    cn_job_pool_destroy(pair.pool);
    cn_world_destroy(world);
    measure_use_cores(&cores);
    return figures;
}
