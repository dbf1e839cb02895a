/* test-labels: threads */
#include "guards.h"
#include "jobs.h"

#include <cairn/base/assert.h>
#include <cairn/base/cpu.h>

#include "base/job/job_pool.h"

#include <pthread.h>

/* ---- Workers ---- */

static void a_pool_has_the_requested_workers(void **state)
{
    (void)state;
    for (uint32_t workers = 0; workers < 4; workers++) {
        CnJobPool *pool = create_pool(workers, 0);
        assert_int_equal(workers, cn_job_pool_workers(pool));
        cn_job_pool_destroy(pool);
    }
}

static void a_default_pool_has_one_worker_less_than_the_cores(void **state)
{
    (void)state;
    CnJobPool *pool = cn_job_pool_create(&(CnJobPoolDesc){0}, NULL);
    uint32_t cores = cn_cpu_info()->logical_cores;
    uint32_t expected = cores - 1 < CN_JOBS_MAX_WORKERS ? cores - 1 : CN_JOBS_MAX_WORKERS;
    assert_int_equal(expected, cn_job_pool_workers(pool));
    cn_job_pool_destroy(pool);
}

static void many_pools_can_be_created_and_destroyed(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < 100; i++) {
        CnJobPool *pool = create_pool(i % 5, 0);
        Counter runs = {0};
        cn_job_wait(pool, submit(pool, count_up, &runs));
        assert_int_equal(runs.value, 1);
        cn_job_pool_destroy(pool);
    }
}

static void destroying_no_pool_does_nothing(void **state)
{
    (void)state;
    cn_job_pool_destroy(NULL);
}

static void a_pool_for_absurdly_many_jobs_is_not_created(void **state)
{
    (void)state;
    CnJobPoolDesc desc = {.workers = CN_JOBS_NONE, .max_jobs = UINT32_MAX};
    CnError error = {0};
    assert_null(cn_job_pool_create(&desc, &error));
    assert_int_equal(error.code, CN_ERROR_LIMIT);
}

static void a_pool_without_memory_sets_an_error(void **state)
{
    (void)state;
    CnHeap *heap = cn_heap_create(NULL, NULL);
    CnJobPoolDesc desc = {.allocator = cn_heap_tag(heap, "jobs"), .workers = CN_JOBS_NONE};
    CnError error = {0};
    cn_heap_fail_after(heap, 0);
    assert_null(cn_job_pool_create(&desc, &error));
    assert_int_equal(error.code, CN_ERROR_MEMORY);
    cn_heap_destroy(heap);
}

static void a_pool_without_a_description_has_the_default_workers(void **state)
{
    (void)state;
    CnJobPool *usual = cn_job_pool_create(NULL, NULL);
    CnJobPool *zeroed = cn_job_pool_create(&(CnJobPoolDesc){0}, NULL);
    assert_int_equal(cn_job_pool_workers(usual), cn_job_pool_workers(zeroed));
    cn_job_pool_destroy(zeroed);
    cn_job_pool_destroy(usual);
}

static void count_items(void *data, uint32_t begin, uint32_t end, uint32_t lane)
{
    (void)lane;
    atomic_fetch_add(&((Counter *)data)->value, end - begin);
}

/* ---- Hot ---- */

static void hot_begins_and_ends_can_be_nested(void **state)
{
    (void)state;
    CnJobPool *pool = create_pool(2, 0);
    Counter runs = {0};
    cn_job_pool_begin_spinning(pool);
    cn_job_pool_begin_spinning(pool);
    cn_job_wait(pool, submit(pool, count_up, &runs));
    cn_job_pool_end_spinning(pool);
    cn_job_wait(pool, submit(pool, count_up, &runs));
    cn_job_pool_end_spinning(pool);
    cn_clock_sleep_ns(3000000); /* the workers fall asleep */
    cn_job_wait(pool, submit(pool, count_up, &runs));
    assert_int_equal(runs.value, 3);
    cn_job_pool_destroy(pool);
}

/* Whoever waits for it in vain is stopped by the time limit of the test. */
static void workers_of_a_hot_pool_sleep_when_there_is_nothing_for_long(void **state)
{
    (void)state;
    CnJobPool *pool = create_pool(2, 0);
    Counter items = {0};
    cn_job_pool_begin_spinning(pool);
    for (int round = 0; round < 3; round++) {
        while (atomic_load(&pool->idle.parked) < 2)
            cn_clock_sleep_ns(100000);
        cn_job_parallel_for(pool, 500, 1, count_items, &items); /* wakes them */
    }
    cn_job_pool_end_spinning(pool);
    assert_int_equal(items.value, 3 * 500);
    cn_job_pool_destroy(pool);
}

static void a_hot_pool_can_be_destroyed(void **state)
{
    (void)state;
    CnJobPool *pool = create_pool(2, 0);
    cn_job_pool_begin_spinning(pool);
    cn_job_pool_destroy(pool);
}

static void sixteen_workers_get_on_with_few_cores(void **state)
{
    (void)state;
    CnJobPool *pool = create_pool(16, 0);
    cn_job_pool_begin_spinning(pool);
    Counter items = {0};
    for (int i = 0; i < 50; i++)
        cn_job_parallel_for(pool, 500, 1, count_items, &items);
    assert_int_equal(items.value, 50 * 500);
    assert_int_equal(count_leaves(pool, 6), 729);
    cn_job_pool_end_spinning(pool);
    cn_job_pool_destroy(pool);
}

/* ---- Memory, and other pools ---- */

static void only_creating_a_pool_calls_the_heap(void **state)
{
    (void)state;
    CnHeap *heap = cn_heap_create(NULL, NULL);
    CnJobPoolDesc desc = {.allocator = cn_heap_tag(heap, "jobs"), .workers = 2, .max_jobs = 64};
    CnJobPool *pool = cn_job_pool_create(&desc, NULL);
    uint64_t calls = cn_heap_stats(heap).calls;
    assert_true(calls > 0);

    for (int i = 0; i < 20; i++) {
        Counter items = {0};
        cn_job_parallel_for(pool, 1000, 10, count_items, &items);
        count_leaves(pool, 5);
    }
    assert_int_equal(calls, cn_heap_stats(heap).calls);
    cn_job_pool_destroy(pool);
    assert_int_equal(cn_heap_stats(heap).live_bytes, 0);
    cn_heap_destroy(heap);
}

typedef struct OtherPool {
    CnJobPool *pool;
    uint32_t lane;
} OtherPool;

static void note_lane(void *data, uint32_t lane)
{
    ((OtherPool *)data)->lane = lane;
}

static void use_other_pool(void *data, uint32_t lane)
{
    (void)lane;
    OtherPool *other = data;
    cn_job_wait(other->pool, submit(other->pool, note_lane, other));
}

static void a_worker_of_one_pool_is_outside_of_another(void **state)
{
    (void)state;
    CnJobPool *pool = create_pool(1, 0);
    OtherPool other = {.pool = create_pool(0, 0), .lane = UINT32_MAX};
    CnJob job = submit(pool, use_other_pool, &other);
    while (!cn_job_is_done(pool, job))
        cn_clock_sleep_ns(100000); /* so that the worker runs it */
    assert_int_equal(other.lane, 0);
    cn_job_pool_destroy(other.pool);
    cn_job_pool_destroy(pool);
}

static void *leaves_from_another_thread(void *data)
{
    CnJobPool *pool = data;
    return count_leaves(pool, 4) == 81 ? pool : NULL;
}

static void outside_threads_may_use_a_pool_in_turns(void **state)
{
    (void)state;
    CnJobPool *pool = create_pool(1, 0);
    for (int i = 0; i < 10; i++) {
        assert_int_equal(count_leaves(pool, 4), 81);
        pthread_t thread;
        void *result;
        assert_int_equal(pthread_create(&thread, NULL, leaves_from_another_thread, pool), 0);
        pthread_join(thread, &result);
        assert_ptr_equal(result, pool);
    }
    cn_job_pool_destroy(pool);
}

/* ---- Guards ---- */

#ifdef CN_GUARDS
static void end_hot_without_begin_is_guarded(void **state)
{
    (void)state;
    CnJobPool *pool = create_pool(0, 0);
    EXPECT_GUARD(cn_job_pool_end_spinning(pool));
    cn_job_pool_begin_spinning(pool);
    cn_job_pool_destroy(pool);
}

static void too_many_workers_are_guarded(void **state)
{
    (void)state;
    CnJobPoolDesc desc = {.workers = CN_JOBS_MAX_WORKERS + 1};
    EXPECT_GUARD(cn_job_pool_create(&desc, NULL));
}

static void a_job_without_a_function_is_guarded(void **state)
{
    (void)state;
    CnJobPool *pool = create_pool(0, 0);
    EXPECT_GUARD(submit(pool, NULL, NULL));
    cn_job_pool_destroy(pool);
}

/* The pool cannot be used any more after the jump out of it: its memory is given up as a whole. */
static void *take_from_buffer(CnAllocator *self, void *block, size_t old_bytes, size_t new_bytes,
                              size_t alignment)
{
    static _Alignas(64) char buffer[1 << 16];
    (void)self;
    (void)block;
    (void)old_bytes;
    return new_bytes <= sizeof buffer && alignment <= 64 ? buffer : NULL;
}

typedef struct SelfWait {
    CnJobPool *pool;
    CnJob self;
} SelfWait;

static void wait_for_self(void *data, uint32_t lane)
{
    (void)lane;
    SelfWait *wait = data;
    cn_job_wait(wait->pool, wait->self);
}

static void a_job_that_waits_for_itself_is_guarded_without_workers(void **state)
{
    (void)state;
    CnAllocator allocator = {take_from_buffer};
    SelfWait wait = {
        .pool = cn_job_pool_create(
            &(CnJobPoolDesc){.allocator = &allocator, .workers = CN_JOBS_NONE, .max_jobs = 4},
            NULL)};
    wait.self = submit(wait.pool, wait_for_self, &wait);
    EXPECT_GUARD(cn_job_wait(wait.pool, wait.self));
}

static _Atomic uint32_t guards_hit;

static void end_thread(const char *file, int line, const char *message, void *user)
{
    (void)file, (void)line, (void)message, (void)user;
    atomic_fetch_add(&guards_hit, 1);
    pthread_exit(NULL);
}

static void *submit_from_outside(void *data)
{
    Counter runs = {0};
    submit(data, count_up, &runs);
    return NULL;
}

static void start_second_outside_thread(void *data, uint32_t lane)
{
    (void)lane;
    pthread_t thread;
    pthread_create(&thread, NULL, submit_from_outside, data);
    pthread_join(thread, NULL);
}

static void two_outside_threads_at_once_are_guarded(void **state)
{
    (void)state;
    CnJobPool *pool = create_pool(0, 0);
    cn_assert_set_handler(end_thread, NULL);
    cn_job_wait(pool, submit(pool, start_second_outside_thread, pool));
    cn_assert_set_handler(NULL, NULL);
    assert_int_equal(guards_hit, 1);
    cn_job_pool_destroy(pool);
}
#endif

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_pool_has_the_requested_workers),
        cmocka_unit_test(a_default_pool_has_one_worker_less_than_the_cores),
        cmocka_unit_test(many_pools_can_be_created_and_destroyed),
        cmocka_unit_test(destroying_no_pool_does_nothing),
        cmocka_unit_test(a_pool_for_absurdly_many_jobs_is_not_created),
        cmocka_unit_test(a_pool_without_memory_sets_an_error),
        cmocka_unit_test(a_pool_without_a_description_has_the_default_workers),
        cmocka_unit_test(hot_begins_and_ends_can_be_nested),
        cmocka_unit_test(workers_of_a_hot_pool_sleep_when_there_is_nothing_for_long),
        cmocka_unit_test(a_hot_pool_can_be_destroyed),
        cmocka_unit_test(sixteen_workers_get_on_with_few_cores),
        cmocka_unit_test(only_creating_a_pool_calls_the_heap),
        cmocka_unit_test(a_worker_of_one_pool_is_outside_of_another),
        cmocka_unit_test(outside_threads_may_use_a_pool_in_turns),
#ifdef CN_GUARDS
        cmocka_unit_test(end_hot_without_begin_is_guarded),
        cmocka_unit_test(too_many_workers_are_guarded),
        cmocka_unit_test(a_job_without_a_function_is_guarded),
        cmocka_unit_test(a_job_that_waits_for_itself_is_guarded_without_workers),
        cmocka_unit_test(two_outside_threads_at_once_are_guarded),
#endif
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
