/*
 * parallel_for: the caller describes the loop in its lane, threads with nothing to do find it
 * there, join, and claim pieces until there are none left. The caller runs nothing but pieces of
 * its own loop and of loops that these call: what a piece keeps per lane is safe across a nested
 * parallel_for.
 */
#include "job_pool.h"

/* Which pieces the n-th claim gets. Claims are large first and single pieces in the end
 * ("factoring", Hummel, Schonberg and Flynn, 1992): threads rarely meet at the counter and still
 * end together. It depends on n alone, so claiming is one addition. */
typedef struct Claims {
    uint64_t first_claim; /* of this round; a round has one claim for each lane */
    uint32_t first_piece;
    uint32_t pieces_each;
} Claims;

/* A claim is the CLAIM_PART-th part of a fair share of what is left. */
#define CLAIM_PART 2u

static uint32_t claim_size(uint32_t pieces_left, uint32_t lanes)
{
    uint32_t size = pieces_left / (CLAIM_PART * lanes);
    return size > 0 ? size : 1;
}

/* The first piece of a claim; not below the loop's number of pieces when there are none left.
 * Claims of one `claims` are asked for in ascending order. */
static uint64_t claim_begin(Claims *claims, uint64_t claim, uint32_t pieces, uint32_t lanes)
{
    while (claims->pieces_each > 1 && claim - claims->first_claim >= lanes) {
        claims->first_claim += lanes;
        claims->first_piece += lanes * claims->pieces_each;
        claims->pieces_each = claim_size(pieces - claims->first_piece, lanes);
    }
    return claims->first_piece + (claim - claims->first_claim) * claims->pieces_each;
}

static void run_piece(const CniJobLoopWork *work, uint32_t piece, uint32_t lane)
{
    uint32_t begin = piece * work->grain;
    uint32_t left = work->count - begin;
    work->run(work->data, begin, begin + (left < work->grain ? left : work->grain), lane);
}

/* Runs pieces until all are claimed, and returns whether it ran any. The thread is a user of the
 * loop. Whoever finds that nothing is left closes it, so that nobody joins in vain. */
static bool run_pieces(CniJobLane *lane, CniJobLoop *loop)
{
    const CniJobLoop *outer = lane->inside_of;
    lane->inside_of = loop;
    lane->job_depth++;

    const CniJobLoopWork *work = &loop->work;
    uint32_t lanes = lane->pool->lane_count;
    Claims claims = {.pieces_each = claim_size(work->pieces, lanes)};
    bool ran = false;
    for (;;) {
        uint64_t claim = atomic_fetch_add_explicit(&loop->next_claim, 1, memory_order_relaxed);
        uint64_t begin = claim_begin(&claims, claim, work->pieces, lanes);
        if (begin >= work->pieces)
            break;
        uint64_t end = begin + claims.pieces_each;
        for (uint64_t piece = begin; piece < end && piece < work->pieces; piece++)
            run_piece(work, (uint32_t)piece, lane->index);
        ran = true;
    }
    if (atomic_load_explicit(&loop->users, memory_order_relaxed) & CNI_JOB_LOOP_OPEN)
        atomic_fetch_and_explicit(&loop->users, ~CNI_JOB_LOOP_OPEN, memory_order_relaxed);

    lane->job_depth--;
    lane->inside_of = outer;
    return ran;
}

static bool join(CniJobLoop *loop)
{
    uint32_t users = atomic_load_explicit(&loop->users, memory_order_relaxed);
    while (users & CNI_JOB_LOOP_OPEN) {
        if (atomic_compare_exchange_weak_explicit(&loop->users, &users, users + 1,
                                                  memory_order_acquire, memory_order_relaxed))
            return true;
    }
    return false;
}

static void leave(CniJobLoop *loop)
{
    atomic_fetch_sub_explicit(&loop->users, 1, memory_order_release);
}

static bool is_child(CniJobLoop *loop, const CniJobLoop *parent)
{
    return !parent || atomic_load_explicit(&loop->parent, memory_order_relaxed) == parent;
}

static bool help(CniJobLane *lane, CniJobLoop *loop, const CniJobLoop *parent)
{
    if (!is_child(loop, parent) || !join(loop))
        return false;
    /* Until it was joined, it could end and another take its place. */
    bool ran = is_child(loop, parent) && run_pieces(lane, loop);
    leave(loop);
    return ran;
}

bool cni_job_loop_help(CniJobLane *lane, const CniJobLoop *parent)
{
    const CnJobPool *pool = lane->pool;
    for (uint32_t i = 0; i < pool->lane_count; i++) {
        CniJobLane *other = &pool->lanes[i];
        for (uint32_t depth = 0; depth < CNI_JOB_LOOP_DEPTH; depth++) {
            CniJobLoop *loop = &other->loops[depth];
            uint32_t users = atomic_load_explicit(&loop->users, memory_order_relaxed);
            if (users == 0)
                break; /* a loop further in would need this one */
            if ((users & CNI_JOB_LOOP_OPEN) && help(lane, loop, parent))
                return true;
        }
    }
    return false;
}

bool cni_job_loop_is_open(CniJobLane *lane)
{
    for (uint32_t depth = 0; depth < CNI_JOB_LOOP_DEPTH; depth++) {
        uint32_t users = atomic_load(&lane->loops[depth].users);
        if (users == 0 || (users & CNI_JOB_LOOP_OPEN))
            return users != 0;
    }
    return false;
}

static void run_shared(CniJobLane *lane, const CniJobLoopWork *work)
{
    CnJobPool *pool = lane->pool;
    CniJobLoop *loop = &lane->loops[lane->loop_depth++];
    loop->work = *work;
    atomic_store_explicit(&loop->parent, lane->inside_of, memory_order_relaxed);
    atomic_store_explicit(&loop->next_claim, 0, memory_order_relaxed);
    atomic_store(&loop->users, CNI_JOB_LOOP_OPEN | 1);
    cni_job_wake(lane, work->pieces - 1);

    run_pieces(lane, loop);

    /* All are claimed; the other users are in their last pieces. That is soon over, so this thread
     * does not sleep. It counts itself out last, so that `users` says all the time that the loop is
     * in use. */
    CniJobSpin spin = {0};
    while (atomic_load_explicit(&loop->users, memory_order_acquire) != 1) {
        if (cni_job_loop_help(lane, loop))
            spin = (CniJobSpin){0};
        else
            cni_job_spin(pool, &spin);
    }
    atomic_store_explicit(&loop->users, 0, memory_order_relaxed);
    lane->loop_depth--;
}

void cn_job_parallel_for(CnJobPool *pool, uint32_t count, uint32_t grain, CnParallelFn run,
                         void *data)
{
    CN_ASSERT(run, "parallel_for without a function");
    CN_ASSERT(grain > 0, "parallel_for with pieces of 0 items");
    if (grain == 0)
        grain = 1;

    CniJobLoopWork work = {
        .count = count,
        .grain = grain,
        .pieces = count / grain + (count % grain != 0),
        .run = run,
        .data = data,
    };
    CniJobLane *lane = pool ? cni_job_lane(pool) : NULL;
    if (lane)
        cni_job_enter(lane);
    if (lane && work.pieces > 1 && pool->lane_count > 1 && lane->loop_depth < CNI_JOB_LOOP_DEPTH) {
        run_shared(lane, &work);
    } else {
        for (uint32_t piece = 0; piece < work.pieces; piece++)
            run_piece(&work, piece, lane ? lane->index : 0);
    }
    if (lane)
        cni_job_leave(lane);
}
