/*
 * Jobs: one work-stealing pool. A thread that waits runs other jobs meanwhile; everything works
 * with zero workers, then on the waiting thread alone.
 *
 *     CnJobPool *pool = cn_job_pool_create(&(CnJobPoolDesc){0});
 *     cn_job_parallel_for(pool, count, 256, blur_rows, &image);   // returns when all is done
 *
 *     CnJob load = cn_job_submit(pool, &(CnJobDesc){.run = load_level, .data = level});
 *     CnJob bake = cn_job_submit(pool, &(CnJobDesc){
 *         .run = bake_light, .data = level, .after = &load, .after_count = 1});
 *     cn_job_wait(pool, bake);
 *
 * Waking a sleeping worker costs tens of microseconds, a spinning one a fraction of one: between
 * cn_job_pool_begin_hot and end_hot the workers spin for up to a millisecond after the last job (a
 * tick does this; not when there are more lanes than cores), otherwise they sleep shortly after the
 * last job. Work under about 100 us is better not split.
 *
 * Rules. A job may wait only for jobs that it submitted itself and that depend on no older job;
 * everything else is said with `after`. While cn_job_wait waits, it may run any job on this thread;
 * cn_job_parallel_for runs only pieces of its own loop and of loops inside it, so what a piece keeps
 * per lane is safe. When every slot is taken and nothing can run, submit runs the job at once and
 * returns the null handle. Workers keep off the core of the thread that made the pool, unless
 * there are more lanes than cores.
 */
#ifndef CAIRN_BASE_JOB_H
#define CAIRN_BASE_JOB_H

#include <cairn/base/memory.h>

CN_EXTERN_C_BEGIN

typedef struct CnJobPool CnJobPool;

#define CN_JOBS_AUTO 0u         /* one worker less than the cores: the owner works too */
#define CN_JOBS_NONE UINT32_MAX /* zero workers */
#define CN_JOBS_MAX_WORKERS 255u

typedef struct CnJobPoolDesc {
    CnAllocator *allocator; /* NULL: the system's; used by create and destroy alone */
    uint32_t workers;       /* CN_JOBS_AUTO, CN_JOBS_NONE or a number */
    uint32_t max_jobs;      /* in flight at once, rounded up to a power of two; 0 means 4,096 */
} CnJobPoolDesc;

/* A submitted job; zero is null and counts as done. Handles of finished jobs stay valid. */
typedef struct CnJob {
    uint32_t slot;
    uint32_t generation;
} CnJob;

/* `lane` is the number of the thread that runs the job: 0 for threads that are not workers, 1 to
 * cn_job_pool_workers() for workers. Only one outside thread at a time may submit to and wait on a
 * pool; jobs may do both as well. */
typedef void (*CnJobFn)(void *data, uint32_t lane);

typedef struct CnJobDesc {
    CnJobFn run;
    void *data;
    const CnJob *after; /* jobs that must be done first; copied */
    uint32_t after_count;
} CnJobDesc;

/* NULL when out of memory or when threads cannot be made. */
CN_API CnJobPool *cn_job_pool_create(const CnJobPoolDesc *desc);
/* Waits for all jobs, then ends the workers. */
CN_API void cn_job_pool_destroy(CnJobPool *pool);
CN_API uint32_t cn_job_pool_workers(const CnJobPool *pool);

/* When max_jobs are in flight, runs others until there is room. */
CN_API CnJob cn_job_submit(CnJobPool *pool, const CnJobDesc *desc);
CN_API bool cn_job_is_done(CnJobPool *pool, CnJob job);
/* Runs other jobs until this one is done. What the job wrote is visible afterwards. */
CN_API void cn_job_wait(CnJobPool *pool, CnJob job);

/* Calls run(data, begin, end, lane) for pieces that cover 0..count once, each of `grain` items (the
 * last may be smaller), and returns when all are done. A NULL pool runs everything here. Makes no
 * heap call. */
typedef void (*CnParallelFn)(void *data, uint32_t begin, uint32_t end, uint32_t lane);
CN_API void cn_job_parallel_for(CnJobPool *pool, uint32_t count, uint32_t grain, CnParallelFn run,
                                void *data);

/* Nested; workers spin for longer before they sleep. */
CN_API void cn_job_pool_begin_hot(CnJobPool *pool);
CN_API void cn_job_pool_end_hot(CnJobPool *pool);

CN_EXTERN_C_END

#endif
