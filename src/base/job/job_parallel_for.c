/*
 * parallel_for. The caller describes the loop in its lane; idle threads find it there, join, and
 * claim pieces until none are left. The caller runs only pieces of its own loop and of loops nested
 * in it, so data that a piece keeps per lane is safe across a nested parallel_for.
 */
#include "base/job/job_pool.h"

/* Pieces are divided into a share for each lane. A lane claims from its own share first, so that
 * a repeated loop finds its data in the cache of the same core, and then from the other shares,
 * in smaller claims, so that all lanes finish together. */
#define OWN_CLAIMS 8u
#define OTHER_CLAIMS 32u

static uint32_t share_count(const CnJobPool *pool)
{
    return pool->lane_count < CNI_BASE_JOB_MAX_SHARES ? pool->lane_count : CNI_BASE_JOB_MAX_SHARES;
}

static uint64_t share_begin(uint32_t pieces, uint32_t share, uint32_t shares)
{
    return (uint64_t)pieces * share / shares;
}

static void run_piece(const CniBaseJobLoopWork *work, uint32_t piece, uint32_t lane)
{
    uint32_t begin = piece * work->grain;
    uint32_t left = work->count - begin;
    work->run(work->data, begin, begin + (left < work->grain ? left : work->grain), lane);
}

/* Claims pieces of a share, in about `claims` steps, until all are claimed. */
static bool run_share(CniBaseJobLane *lane, CniBaseJobLoop *loop, uint32_t share, uint32_t claims)
{
    const CniBaseJobLoopWork *work = &loop->work;
    uint32_t shares = share_count(lane->pool);
    uint64_t begin = share_begin(work->pieces, share, shares);
    uint64_t pieces = share_begin(work->pieces, share + 1, shares) - begin;
    uint64_t size = pieces > claims ? pieces / claims : 1;
    bool ran = false;
    while (atomic_load_explicit(&loop->shares[share].claimed, memory_order_relaxed) < pieces) {
        uint64_t at =
            atomic_fetch_add_explicit(&loop->shares[share].claimed, size, memory_order_relaxed);
        for (uint64_t piece = at; piece < at + size && piece < pieces; piece++, ran = true)
            run_piece(work, (uint32_t)(begin + piece), lane->index);
    }
    return ran;
}

/* Runs pieces until all are claimed, and returns whether it ran any. The calling thread counts
 * as a user of the loop. The thread that finds nothing left closes the loop, so that no other
 * joins it. */
static bool run_pieces(CniBaseJobLane *lane, CniBaseJobLoop *loop)
{
    const CniBaseJobLoop *outer = lane->inside_of;
    lane->inside_of = loop;
    lane->job_depth++;

    uint32_t shares = share_count(lane->pool);
    bool ran = false;
    for (uint32_t i = 0; i < shares; i++)
        ran |= run_share(lane, loop, (lane->index + i) % shares, i ? OTHER_CLAIMS : OWN_CLAIMS);
    if (atomic_load_explicit(&loop->users, memory_order_relaxed) & CNI_BASE_JOB_LOOP_OPEN)
        atomic_fetch_and_explicit(&loop->users, ~CNI_BASE_JOB_LOOP_OPEN, memory_order_relaxed);

    lane->job_depth--;
    lane->inside_of = outer;
    return ran;
}

static bool join(CniBaseJobLoop *loop)
{
    uint32_t users = atomic_load_explicit(&loop->users, memory_order_relaxed);
    while (users & CNI_BASE_JOB_LOOP_OPEN) {
        if (atomic_compare_exchange_weak_explicit(&loop->users, &users, users + 1,
                                                  memory_order_acquire, memory_order_relaxed))
            return true;
    }
    return false;
}

static void leave(CniBaseJobLoop *loop)
{
    atomic_fetch_sub_explicit(&loop->users, 1, memory_order_release);
}

static bool is_child(CniBaseJobLoop *loop, const CniBaseJobLoop *parent)
{
    return !parent || atomic_load_explicit(&loop->parent, memory_order_relaxed) == parent;
}

static bool help(CniBaseJobLane *lane, CniBaseJobLoop *loop, const CniBaseJobLoop *parent)
{
    if (!is_child(loop, parent) || !join(loop))
        return false;
    /* Before this thread joined, the loop could end and another could take its slot. */
    bool ran = is_child(loop, parent) && run_pieces(lane, loop);
    leave(loop);
    return ran;
}

bool cni_base_job_loop_help(CniBaseJobLane *lane, const CniBaseJobLoop *parent)
{
    const CnJobPool *pool = lane->pool;
    for (uint32_t i = 0; i < pool->lane_count; i++) {
        CniBaseJobLane *other = &pool->lanes[i];
        for (uint32_t depth = 0; depth < CNI_BASE_JOB_LOOP_DEPTH; depth++) {
            CniBaseJobLoop *loop = &other->loops[depth];
            uint32_t users = atomic_load_explicit(&loop->users, memory_order_relaxed);
            if (users == 0)
                break; /* a loop nested deeper would need this one */
            if ((users & CNI_BASE_JOB_LOOP_OPEN) && help(lane, loop, parent))
                return true;
        }
    }
    return false;
}

bool cni_base_job_loop_is_open(CniBaseJobLane *lane)
{
    for (uint32_t depth = 0; depth < CNI_BASE_JOB_LOOP_DEPTH; depth++) {
        uint32_t users = atomic_load(&lane->loops[depth].users);
        if (users == 0 || (users & CNI_BASE_JOB_LOOP_OPEN))
            return users != 0;
    }
    return false;
}

static void run_shared(CniBaseJobLane *lane, const CniBaseJobLoopWork *work)
{
    CnJobPool *pool = lane->pool;
    CniBaseJobLoop *loop = &lane->loops[lane->loop_depth++];
    loop->work = *work;
    atomic_store_explicit(&loop->parent, lane->inside_of, memory_order_relaxed);
    for (uint32_t i = 0; i < share_count(pool); i++)
        atomic_store_explicit(&loop->shares[i].claimed, 0, memory_order_relaxed);
    atomic_store(&loop->users, CNI_BASE_JOB_LOOP_OPEN | 1);
    cni_base_job_wake(lane, work->pieces - 1);

    run_pieces(lane, loop);

    /* All pieces are claimed and the other users are in their last ones. They finish soon, so
     * this thread does not sleep. It leaves last, so that `users` marks the loop as in use
     * throughout. */
    CniBaseJobSpin spin = {0};
    while (atomic_load_explicit(&loop->users, memory_order_acquire) != 1) {
        if (cni_base_job_loop_help(lane, loop))
            spin = (CniBaseJobSpin){0};
        else
            cni_base_job_spin(pool, &spin);
    }
    atomic_store_explicit(&loop->users, 0, memory_order_relaxed);
    lane->loop_depth--;
}

void cn_job_parallel_for(CnJobPool *pool, uint32_t count, uint32_t grain, CnParallelFn run,
                         void *data)
{
    CN_ASSERT(run, "cn_job_parallel_for needs a function");
    CN_ASSERT(grain > 0, "the grain of cn_job_parallel_for must not be 0");
    if (grain == 0)
        grain = 1;

    CniBaseJobLoopWork work = {
        .count = count,
        .grain = grain,
        .pieces = count / grain + (count % grain != 0),
        .run = run,
        .data = data,
    };
    CniBaseJobLane *lane = pool ? cni_base_job_lane(pool) : NULL;
    if (lane)
        cni_base_job_enter(lane);
    if (lane && work.pieces > 1 && pool->lane_count > 1 &&
        lane->loop_depth < CNI_BASE_JOB_LOOP_DEPTH) {
        run_shared(lane, &work);
    } else {
        for (uint32_t piece = 0; piece < work.pieces; piece++)
            run_piece(&work, piece, lane ? lane->index : 0);
    }
    if (lane)
        cni_base_job_leave(lane);
}
