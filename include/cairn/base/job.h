/*
 * Jobs: a work-stealing thread pool. A thread that waits for a job runs other jobs meanwhile.
 * The pool also works with zero workers; all jobs then run on the waiting thread.
 *
 *     static void blur_rows(void *data, uint32_t begin, uint32_t end, uint32_t lane)
 *     {
 *         for (uint32_t row = begin; row < end; row++)
 *             ((float *)data)[row] *= 0.5f;
 *     }
 *
 *     static void load_level(void *data, uint32_t lane) { }
 *     static void bake_light(void *data, uint32_t lane) { }
 *
 *     void run_jobs(float *rows, uint32_t row_count, void *level)
 *     {
 *         CnJobPool *pool = cn_job_pool_create(NULL, NULL);
 *         cn_job_parallel_for(pool, row_count, 256, blur_rows, rows);   // returns when done
 *
 *         CnJob load = cn_job_submit(pool, &(CnJobDesc){.run = load_level, .data = level});
 *         CnJob bake = cn_job_submit(pool, &(CnJobDesc){
 *             .run = bake_light, .data = level, .after = &load, .after_count = 1});
 *         cn_job_wait(pool, bake);
 *         cn_job_pool_destroy(pool);
 *     }
 *
 * Waking a sleeping worker takes tens of microseconds; a spinning worker starts in less than
 * one. Between cn_job_pool_begin_spinning and cn_job_pool_end_spinning, workers spin for up to a
 * millisecond after the last job (unless there are more lanes than cores); otherwise they go to
 * sleep soon after it. Ticks of a simulation run hot. Splitting work that takes less than about
 * 100 us rarely pays off.
 *
 * Rules:
 * - A job may wait only for jobs that it submitted itself and that depend on no older job.
 *   Express all other dependencies with `after`.
 * - cn_job_wait may run any job on the waiting thread. cn_job_parallel_for runs only pieces of
 *   its own loop and of loops nested in it, so per-lane data of a piece is safe.
 * - When every slot is taken and no job can run, cn_job_submit runs the job immediately and
 *   returns the null handle.
 * - Workers avoid the core of the thread that created the pool, unless there are more lanes than
 *   cores.
 */
#ifndef CAIRN_BASE_JOB_H
#define CAIRN_BASE_JOB_H

#include <cairn/base/memory.h>

CN_EXTERN_C_BEGIN

typedef struct CnJobPool CnJobPool;

#define CN_JOBS_AUTO 0u         /* one worker fewer than cores, because the owner works too */
#define CN_JOBS_NONE UINT32_MAX /* no workers */
#define CN_JOBS_MAX_WORKERS 255u

typedef struct CnJobPoolDesc {
    CnAllocator *allocator; /* NULL: the system allocator; used only by create and destroy */
    uint32_t workers;       /* CN_JOBS_AUTO, CN_JOBS_NONE or a number */
    uint32_t max_jobs;      /* in flight at once, rounded up to a power of two; 0 selects 4,096 */
} CnJobPoolDesc;

/* A submitted job. The zero handle is null and counts as done. Handles of finished jobs stay
 * valid. */
typedef struct CnJob {
    uint32_t slot;
    uint32_t generation;
} CnJob;

/* `lane` identifies the thread that runs the job: 0 for threads that are not workers, 1 to
 * cn_job_pool_workers() for workers. Only one thread outside the pool at a time may submit jobs
 * and wait for them; jobs may do both as well. */
typedef void (*CnJobFn)(void *data, uint32_t lane);

typedef struct CnJobDesc {
    CnJobFn run;
    void *data;
    const CnJob *after; /* jobs that must finish first; copied */
    uint32_t after_count;
} CnJobDesc;

/* Creates a pool. `desc` may be NULL. Returns NULL and sets the error when out of memory, when
 * threads cannot be created, or if the description exceeds a limit. */
CN_API CnJobPool *cn_job_pool_create(const CnJobPoolDesc *desc, CnError *error);
/* Waits for all jobs, then stops the workers and frees the pool. NULL is ignored. */
CN_API void cn_job_pool_destroy(CnJobPool *pool);
/* Returns the number of workers, which may be 0. */
CN_API uint32_t cn_job_pool_workers(const CnJobPool *pool);

/* Submits a job. When max_jobs jobs are in flight, runs other jobs until a slot is free. */
CN_API CnJob cn_job_submit(CnJobPool *pool, const CnJobDesc *desc);
/* Returns whether a job is done. Does not run jobs. */
CN_API bool cn_job_is_done(CnJobPool *pool, CnJob job);
/* Runs other jobs until this one is done. Everything the job wrote is then visible to the
 * caller. */
CN_API void cn_job_wait(CnJobPool *pool, CnJob job);

/* Calls run(data, begin, end, lane) for ranges of `grain` items (the last may be smaller) that
 * cover 0 to count - 1, and returns when all are done. With a NULL pool everything runs on the
 * calling thread. Allocates nothing. */
typedef void (*CnParallelFn)(void *data, uint32_t begin, uint32_t end, uint32_t lane);
CN_API void cn_job_parallel_for(CnJobPool *pool, uint32_t count, uint32_t grain, CnParallelFn run,
                                void *data);

/* Makes workers spin longer before they sleep. Calls may be nested. */
CN_API void cn_job_pool_begin_spinning(CnJobPool *pool);
CN_API void cn_job_pool_end_spinning(CnJobPool *pool);

CN_EXTERN_C_END

#endif
