/* Helpers for tests of jobs. */
#ifndef CAIRN_TESTS_SUPPORT_BASE_JOBS_H
#define CAIRN_TESTS_SUPPORT_BASE_JOBS_H

#include "cmocka_tests.h"

#include <cairn/base/clock.h>
#include <cairn/base/job.h>

#include <stdatomic.h>

/* 0 workers means none, 0 jobs the default. */
static inline CnJobPool *create_pool(uint32_t workers, uint32_t max_jobs)
{
    CnJobPool *pool = cn_job_pool_create(
        &(CnJobPoolDesc){
            .workers = workers ? workers : CN_JOBS_NONE,
            .max_jobs = max_jobs,
        },
        NULL);
    assert_non_null(pool);
    return pool;
}

static inline CnJob submit_after(CnJobPool *pool, CnJobFn run, void *data, const CnJob *after,
                                 uint32_t after_count)
{
    return cn_job_submit(pool, &(CnJobDesc){run, data, after, after_count});
}

static inline CnJob submit(CnJobPool *pool, CnJobFn run, void *data)
{
    return submit_after(pool, run, data, NULL, 0);
}

/* A counter that jobs increment. */
typedef struct Counter {
    _Atomic uint32_t value;
} Counter;

static inline void count_up(void *data, uint32_t lane)
{
    (void)lane;
    atomic_fetch_add(&((Counter *)data)->value, 1);
}

/* Returns only when the expected number of threads is in it. */
typedef struct Meeting {
    CnJobPool *pool;
    uint32_t expected;
    _Atomic uint32_t arrived;
} Meeting;

static inline void meet(void *data, uint32_t lane)
{
    (void)lane;
    Meeting *meeting = data;
    atomic_fetch_add(&meeting->arrived, 1);
    while (atomic_load(&meeting->arrived) < meeting->expected)
        cn_clock_sleep_ns(10000);
}

/* A job that submits three jobs, waits for them and adds their results, `depth` levels deep. */
typedef struct Tree {
    CnJobPool *pool;
    uint32_t depth;
    uint32_t leaves;
} Tree;

static inline void grow_tree(void *data, uint32_t lane)
{
    (void)lane;
    Tree *tree = data;
    if (tree->depth == 0) {
        tree->leaves = 1;
        return;
    }
    Tree children[3];
    CnJob jobs[3];
    for (int i = 0; i < 3; i++) {
        children[i] = (Tree){.pool = tree->pool, .depth = tree->depth - 1};
        jobs[i] = submit(tree->pool, grow_tree, &children[i]);
    }
    for (int i = 0; i < 3; i++) {
        cn_job_wait(tree->pool, jobs[i]);
        tree->leaves += children[i].leaves;
    }
}

/* Called from outside the pool. Returns 3 to the power of `depth`. */
static inline uint32_t count_leaves(CnJobPool *pool, uint32_t depth)
{
    Tree tree = {.pool = pool, .depth = depth};
    cn_job_wait(pool, submit(pool, grow_tree, &tree));
    return tree.leaves;
}

#endif
