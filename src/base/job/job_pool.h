/*
 * Internals of the job pool, shared by job.c (jobs, workers) and job_parallel_for.c (parallel_for).
 *
 * A lane is the slot of a thread in a pool: lane 0 is for the one outside thread that may use the
 * pool at a time, the others belong to the workers. "Owner only" means the thread of the lane.
 */
#ifndef CAIRN_SRC_BASE_JOB_JOB_POOL_H
#define CAIRN_SRC_BASE_JOB_JOB_POOL_H

#include <cairn/base/assert.h>
#include <cairn/base/job.h>

#include "base/job/job_deque.h"

/* Nested loops that one lane can share at the same time; deeper ones run on this lane alone. */
#define CNI_BASE_JOB_LOOP_DEPTH 4
/* Dependencies of all jobs in flight together, per job. When they are used up, submitting a job
 * waits for its dependencies instead of recording them. */
#define CNI_BASE_JOB_EDGES_PER_JOB 4u
#define CNI_BASE_JOB_MAX_JOBS (1u << 24)

typedef struct CniBaseJobLoopWork {
    uint32_t count, grain, pieces;
    CnParallelFn run;
    void *data;
} CniBaseJobLoopWork;

#define CNI_BASE_JOB_LOOP_OPEN 0x80000000u
#define CNI_BASE_JOB_MAX_SHARES 16u

/* A contiguous part of a loop's pieces that is claimed first by one lane. */
typedef struct CniBaseJobShare {
    alignas(
        CNI_BASE_CACHE_LINE_BYTES) _Atomic uint64_t claimed; /* pieces; past the end once all are */
} CniBaseJobShare;

/* A running parallel_for. It is located in the memory of the pool, so that a helper may look at
 * one that has just ended. */
typedef struct CniBaseJobLoop {
    /* CNI_BASE_JOB_LOOP_OPEN plus the number of threads inside, including its caller; 0: not in
     * use. */
    alignas(CNI_BASE_CACHE_LINE_BYTES) _Atomic uint32_t users;
    CniBaseJobLoopWork work; /* written before it opens; read only by users */
    _Atomic(const struct CniBaseJobLoop *)
        parent; /* the loop whose piece called this one, or NULL */
    CniBaseJobShare shares[CNI_BASE_JOB_MAX_SHARES];
} CniBaseJobLoop;

typedef struct CniBaseJobLane {
    CniBaseJobDeque deque;
    CniBaseJobLoop loops[CNI_BASE_JOB_LOOP_DEPTH];
    CnJobPool *pool;
    uint32_t index;
    /* Owner only: */
    uint32_t loop_depth;             /* loops in use */
    uint32_t job_depth;              /* nesting of jobs and pieces on this thread */
    uint32_t victim;                 /* the lane from which it last stole */
    const CniBaseJobLoop *inside_of; /* the loop whose piece is running; NULL inside a job */
    CniBaseThread thread;
    CniBaseParking parking; /* sleeps here until a job is done or something can be run */
} CniBaseJobLane;

/* Upper half: the generation of the job that has the slot or will have it next. Lower half:
 * whether a thread sleeps until it is done, and the first edge plus 1. One exchange ends a job
 * and takes its edges; nothing can be added to a finished job. */
#define CNI_BASE_JOB_HAS_SLEEPER 0x80000000u
#define CNI_BASE_JOB_FIRST_EDGE 0x7fffffffu

typedef struct CniBaseJobSlot {
    alignas(CNI_BASE_CACHE_LINE_BYTES) _Atomic uint64_t state;
    _Atomic uint32_t pending; /* unfinished dependencies */
    CnJobFn run;
    void *data;
} CniBaseJobSlot;

struct CnJobPool {
    CnAllocator *allocator;
    size_t block_bytes; /* the pool is one memory block */
    uint32_t lane_count;
    uint32_t max_jobs;
    bool oversubscribed; /* more lanes than cores */
    CniBaseJobLane *lanes;
    CniBaseJobSlot *slots;
    uint32_t *edge_targets; /* the slot of the job that waits */

    /* Read by all threads at every step; written when threads fall asleep and wake. */
    alignas(CNI_BASE_CACHE_LINE_BYTES) _Atomic uint32_t spinning;
    _Atomic bool stop;
    _Atomic uint32_t outside_core; /* avoided by the workers, or CNI_BASE_CORE_UNKNOWN */
    _Atomic uint32_t waiting;      /* lanes that sleep in cn_job_wait, each in its own parking */
    CniBaseParking idle;           /* workers between jobs */

    CniBaseFreeList free_slots;
    CniBaseFreeList free_edges; /* an edge in use is linked by the same entries */

#ifdef CN_GUARDS
    _Atomic(const void *) outside; /* identifies the outside thread that is in a call, or NULL */
    uint32_t outside_depth;
#endif
};

/* ---- job.c ---- */

/* The lane of the calling thread if it is a worker of a pool, otherwise NULL. */
extern _Thread_local CniBaseJobLane *cni_base_job_thread_lane;

static inline CniBaseJobLane *cni_base_job_lane(CnJobPool *pool)
{
    CniBaseJobLane *lane = cni_base_job_thread_lane;
    return lane && lane->pool == pool ? lane : &pool->lanes[0];
}

/* Wakes at most `count` idle threads. */
void cni_base_job_wake(CniBaseJobLane *lane, uint32_t count);

/* Checks the rule that only one outside thread at a time uses a pool. */
#ifdef CN_GUARDS
void cni_base_job_enter(CniBaseJobLane *lane);
void cni_base_job_leave(CniBaseJobLane *lane);
#else
static inline void cni_base_job_enter(CniBaseJobLane *lane)
{
    (void)lane;
}

static inline void cni_base_job_leave(CniBaseJobLane *lane)
{
    (void)lane;
}
#endif

typedef struct CniBaseJobSpin {
    uint32_t count;
    uint64_t start_ns;
} CniBaseJobSpin;

/* One iteration of a loop that waits for other threads. Returns true when the thread has spun
 * for so long that it should sleep. */
bool cni_base_job_spin(const CnJobPool *pool, CniBaseJobSpin *spin);

/* ---- job_parallel_for.c ---- */

/* Runs pieces of an open loop of any thread until there are no more; if `parent` is given, only
 * of loops that were called from a piece of `parent`. Returns false when there was none. */
bool cni_base_job_loop_help(CniBaseJobLane *lane, const CniBaseJobLoop *parent);
/* Returns whether a lane has an open loop. Sequentially consistent. */
bool cni_base_job_loop_is_open(CniBaseJobLane *lane);

#endif
