/* test-labels: threads */
#include "jobs.h"

#include <string.h>

static void sleep_a_while(void *data, uint32_t lane)
{
    (void)lane;
    cn_clock_sleep_ns(3000000);
    *(uint32_t *)data = 1;
}

/* ---- Handles ---- */

static void the_null_handle_is_done(void **state)
{
    (void)state;
    CnJobPool *pool = create_pool(1, 0);
    assert_true(cn_job_is_done(pool, (CnJob){0}));
    cn_job_wait(pool, (CnJob){0});
    cn_job_pool_destroy(pool);
}

static void a_submitted_job_has_a_handle_that_is_not_null(void **state)
{
    (void)state;
    CnJobPool *pool = create_pool(0, 0);
    Counter runs = {0};
    CnJob job = submit(pool, count_up, &runs);
    assert_int_not_equal(0, job.generation);
    cn_job_pool_destroy(pool);
}

static void a_job_is_done_only_after_it_ran(void **state)
{
    (void)state;
    CnJobPool *pool = create_pool(0, 0);
    Counter runs = {0};
    CnJob job = submit(pool, count_up, &runs);
    assert_false(cn_job_is_done(pool, job));
    assert_int_equal(runs.value, 0);
    cn_job_wait(pool, job);
    assert_true(cn_job_is_done(pool, job));
    assert_int_equal(runs.value, 1);
    cn_job_pool_destroy(pool);
}

static void a_handle_stays_done_when_its_slot_is_used_again(void **state)
{
    (void)state;
    CnJobPool *pool = create_pool(0, 1);
    Counter runs = {0};
    CnJob old = submit(pool, count_up, &runs);
    cn_job_wait(pool, old);
    for (int i = 0; i < 100; i++) {
        CnJob job = submit(pool, count_up, &runs);
        assert_int_equal(old.slot, job.slot);
        assert_true(cn_job_is_done(pool, old));
        assert_false(cn_job_is_done(pool, job));
        cn_job_wait(pool, old);
        cn_job_wait(pool, job);
    }
    cn_job_pool_destroy(pool);
}

/* ---- Waiting ---- */

static void waiting_runs_the_job_when_there_are_no_workers(void **state)
{
    (void)state;
    CnJobPool *pool = create_pool(0, 0);
    Counter runs = {0};
    CnJob jobs[10];
    for (uint32_t i = 0; i < 10; i++)
        jobs[i] = submit(pool, count_up, &runs);
    cn_job_wait(pool, jobs[0]);
    assert_true(runs.value >= 1);
    for (uint32_t i = 0; i < 10; i++)
        cn_job_wait(pool, jobs[i]);
    assert_int_equal(runs.value, 10);
    cn_job_pool_destroy(pool);
}

static void what_a_job_wrote_is_visible_after_waiting(void **state)
{
    (void)state;
    CnJobPool *pool = create_pool(2, 0);
    for (int i = 0; i < 20; i++) {
        uint32_t written = 0; /* not atomic: ThreadSanitizer reports a missing order */
        cn_job_wait(pool, submit(pool, sleep_a_while, &written));
        assert_int_equal(written, 1);
    }
    cn_job_pool_destroy(pool);
}

static void what_a_job_wrote_is_visible_once_it_is_done(void **state)
{
    (void)state;
    CnJobPool *pool = create_pool(1, 0);
    uint32_t written = 0;
    CnJob job = submit(pool, sleep_a_while, &written);
    while (!cn_job_is_done(pool, job))
        cn_clock_sleep_ns(100000);
    assert_int_equal(written, 1);
    cn_job_pool_destroy(pool);
}

static void jobs_can_wait_for_jobs_they_submitted(void **state)
{
    (void)state;
    for (uint32_t workers = 0; workers < 4; workers++) {
        CnJobPool *pool = create_pool(workers, 0);
        assert_int_equal(count_leaves(pool, 7), 2187);
        cn_job_pool_destroy(pool);
    }
}

static void all_workers_and_the_waiting_thread_run_jobs_at_once(void **state)
{
    (void)state;
    for (uint32_t workers = 0; workers < 4; workers++) {
        CnJobPool *pool = create_pool(workers, 0);
        Meeting meeting = {.pool = pool, .expected = workers + 1};
        CnJob jobs[4];
        for (uint32_t i = 0; i <= workers; i++)
            jobs[i] = submit(pool, meet, &meeting);
        for (uint32_t i = 0; i <= workers; i++)
            cn_job_wait(pool, jobs[i]);
        cn_job_pool_destroy(pool);
    }
}

typedef struct LateMeeting {
    Meeting meeting;
    _Atomic bool started;
} LateMeeting;

static void submit_late(void *data, uint32_t lane)
{
    LateMeeting *late = data;
    atomic_store(&late->started, true);
    cn_clock_sleep_ns(3000000); /* by now the outside thread sleeps */
    CnJob job = submit(late->meeting.pool, meet, &late->meeting);
    meet(&late->meeting, lane);
    cn_job_wait(late->meeting.pool, job);
}

static void a_thread_that_sleeps_while_waiting_wakes_to_run_new_jobs(void **state)
{
    (void)state;
    CnJobPool *pool = create_pool(1, 0);
    LateMeeting late = {.meeting = {.pool = pool, .expected = 2}};
    CnJob job = submit(pool, submit_late, &late);
    while (!atomic_load(&late.started))
        cn_clock_sleep_ns(10000); /* so that the worker runs it */
    cn_job_wait(pool, job);
    assert_int_equal(late.meeting.arrived, 2);
    cn_job_pool_destroy(pool);
}

/* ---- Dependencies ---- */

typedef struct Step {
    uint32_t *counter; /* not atomic: dependencies alone keep the order */
    uint32_t number;   /* what it must find */
    uint32_t found;
} Step;

static void take_step(void *data, uint32_t lane)
{
    (void)lane;
    Step *step = data;
    step->found = (*step->counter)++;
}

static void a_chain_runs_in_order(void **state)
{
    (void)state;
    for (uint32_t workers = 0; workers < 4; workers++) {
        CnJobPool *pool = create_pool(workers, 0);
        static Step steps[1000];
        uint32_t counter = 0;
        CnJob last = {0};
        for (uint32_t i = 0; i < CN_COUNT_OF(steps); i++) {
            steps[i] = (Step){&counter, i, UINT32_MAX};
            last = submit_after(pool, take_step, &steps[i], &last, 1);
        }
        cn_job_wait(pool, last);
        for (uint32_t i = 0; i < CN_COUNT_OF(steps); i++)
            assert_int_equal(steps[i].number, steps[i].found);
        cn_job_pool_destroy(pool);
    }
}

/* One more than the sum of others. */
typedef struct Sum {
    const struct Sum *from;
    uint32_t count;
    uint32_t result;
} Sum;

static void add_up(void *data, uint32_t lane)
{
    (void)lane;
    Sum *sum = data;
    sum->result = 1;
    for (uint32_t i = 0; i < sum->count; i++)
        sum->result += sum->from[i].result;
}

static void a_diamond_joins_both_sides(void **state)
{
    (void)state;
    for (uint32_t workers = 0; workers < 4; workers++) {
        CnJobPool *pool = create_pool(workers, 0);
        for (int i = 0; i < 200; i++) {
            Sum sums[4] = {0};
            sums[1] = sums[2] = (Sum){&sums[0], 1, 0};
            sums[3] = (Sum){&sums[1], 2, 0};
            CnJob jobs[4];
            jobs[0] = submit(pool, add_up, &sums[0]);
            jobs[1] = submit_after(pool, add_up, &sums[1], &jobs[0], 1);
            jobs[2] = submit_after(pool, add_up, &sums[2], &jobs[0], 1);
            jobs[3] = submit_after(pool, add_up, &sums[3], &jobs[1], 2);
            cn_job_wait(pool, jobs[3]);
            assert_int_equal(sums[3].result, 5);
        }
        cn_job_pool_destroy(pool);
    }
}

static void a_job_can_depend_on_many(void **state)
{
    (void)state;
    enum { COUNT = 2000 };
    static Sum sums[COUNT + 1];
    static CnJob jobs[COUNT];
    CnJobPool *pool = create_pool(2, 0);
    for (uint32_t i = 0; i < COUNT; i++) {
        sums[i] = (Sum){0};
        jobs[i] = submit(pool, add_up, &sums[i]);
    }
    sums[COUNT] = (Sum){&sums[0], COUNT, 0};
    CnJob last = submit_after(pool, add_up, &sums[COUNT], jobs, COUNT);
    memset(jobs, 0xff, sizeof jobs); /* the list was copied */
    cn_job_wait(pool, last);
    assert_int_equal(COUNT + 1, sums[COUNT].result);
    cn_job_pool_destroy(pool);
}

static void many_jobs_can_depend_on_one(void **state)
{
    (void)state;
    enum { COUNT = 2000 };
    static Sum sums[COUNT];
    static CnJob jobs[COUNT];
    Sum first = {0};
    CnJobPool *pool = create_pool(2, 0);
    jobs[0] = submit(pool, add_up, &first);
    for (uint32_t i = 1; i < COUNT; i++) {
        sums[i] = (Sum){&first, 1, 0};
        jobs[i] = submit_after(pool, add_up, &sums[i], &jobs[0], 1);
    }
    for (uint32_t i = 1; i < COUNT; i++) {
        cn_job_wait(pool, jobs[i]);
        assert_int_equal(sums[i].result, 2);
    }
    cn_job_pool_destroy(pool);
}

static void null_and_finished_jobs_do_not_hold_up_a_job(void **state)
{
    (void)state;
    CnJobPool *pool = create_pool(0, 0);
    Counter runs = {0};
    CnJob finished = submit(pool, count_up, &runs);
    cn_job_wait(pool, finished);
    CnJob after[] = {{0}, finished, {0}, finished};
    cn_job_wait(pool, submit_after(pool, count_up, &runs, after, 4));
    assert_int_equal(runs.value, 2);
    cn_job_pool_destroy(pool);
}

static void a_job_may_name_a_dependency_twice(void **state)
{
    (void)state;
    CnJobPool *pool = create_pool(0, 0);
    Counter runs = {0};
    CnJob first = submit(pool, count_up, &runs);
    CnJob after[] = {first, first};
    cn_job_wait(pool, submit_after(pool, count_up, &runs, after, 2));
    assert_int_equal(runs.value, 2);
    cn_job_pool_destroy(pool);
}

/* Eight jobs in flight have room for 32 dependencies, and the second job takes them all. */
static void more_dependencies_than_there_is_room_for_still_hold(void **state)
{
    (void)state;
    for (uint32_t workers = 0; workers < 3; workers++) {
        CnJobPool *pool = create_pool(workers, 8);
        uint32_t counters[2] = {0};
        Step steps[4];
        for (uint32_t i = 0; i < CN_COUNT_OF(steps); i++)
            steps[i] = (Step){&counters[i / 2], i % 2, UINT32_MAX};
        CnJob first = submit(pool, take_step, &steps[0]);
        CnJob after[100];
        for (uint32_t i = 0; i < CN_COUNT_OF(after); i++)
            after[i] = first;
        CnJob second = submit_after(pool, take_step, &steps[1], after, 32);
        CnJob third = submit(pool, take_step, &steps[2]);
        CnJob fourth = submit_after(pool, take_step, &steps[3], &third, 1);
        cn_job_wait(pool, fourth);
        cn_job_wait(pool, second);
        for (uint32_t i = 0; i < CN_COUNT_OF(steps); i++)
            assert_int_equal(steps[i].found, steps[i].number);

        cn_job_wait(pool, submit_after(pool, take_step, &steps[0], after, CN_COUNT_OF(after)));
        cn_job_pool_destroy(pool);
    }
}

/* ---- Limits ---- */

static void more_jobs_than_fit_all_run(void **state)
{
    (void)state;
    for (uint32_t workers = 0; workers < 3; workers++) {
        CnJobPool *pool = create_pool(workers, 8);
        Counter runs = {0};
        for (int i = 0; i < 5000; i++)
            submit(pool, count_up, &runs);
        cn_job_pool_destroy(pool);
        assert_int_equal(runs.value, 5000);
    }
}

static void a_tree_of_waits_deeper_than_the_jobs_that_fit_completes(void **state)
{
    (void)state;
    for (uint32_t workers = 0; workers < 3; workers++) {
        CnJobPool *pool = create_pool(workers, 2);
        assert_int_equal(count_leaves(pool, 6), 729);
        cn_job_pool_destroy(pool);
    }
}

static void a_chain_longer_than_the_jobs_that_fit_runs_in_order(void **state)
{
    (void)state;
    CnJobPool *pool = create_pool(0, 4);
    static Step steps[100];
    uint32_t counter = 0;
    CnJob last = {0};
    for (uint32_t i = 0; i < CN_COUNT_OF(steps); i++) {
        steps[i] = (Step){&counter, i, UINT32_MAX};
        last = submit_after(pool, take_step, &steps[i], &last, 1);
    }
    cn_job_wait(pool, last);
    for (uint32_t i = 0; i < CN_COUNT_OF(steps); i++)
        assert_int_equal(i, steps[i].found);
    cn_job_pool_destroy(pool);
}

static void destroying_a_pool_waits_for_its_jobs(void **state)
{
    (void)state;
    for (uint32_t workers = 0; workers < 3; workers++) {
        CnJobPool *pool = create_pool(workers, 0);
        uint32_t written[3] = {0};
        CnJob first = submit(pool, sleep_a_while, &written[0]);
        submit_after(pool, sleep_a_while, &written[1], &first, 1);
        submit(pool, sleep_a_while, &written[2]);
        cn_job_pool_destroy(pool);
        assert_int_equal(written[0] + written[1] + written[2], 3);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_null_handle_is_done),
        cmocka_unit_test(a_submitted_job_has_a_handle_that_is_not_null),
        cmocka_unit_test(a_job_is_done_only_after_it_ran),
        cmocka_unit_test(a_handle_stays_done_when_its_slot_is_used_again),
        cmocka_unit_test(waiting_runs_the_job_when_there_are_no_workers),
        cmocka_unit_test(what_a_job_wrote_is_visible_after_waiting),
        cmocka_unit_test(what_a_job_wrote_is_visible_once_it_is_done),
        cmocka_unit_test(jobs_can_wait_for_jobs_they_submitted),
        cmocka_unit_test(all_workers_and_the_waiting_thread_run_jobs_at_once),
        cmocka_unit_test(a_thread_that_sleeps_while_waiting_wakes_to_run_new_jobs),
        cmocka_unit_test(a_chain_runs_in_order),
        cmocka_unit_test(a_diamond_joins_both_sides),
        cmocka_unit_test(a_job_can_depend_on_many),
        cmocka_unit_test(many_jobs_can_depend_on_one),
        cmocka_unit_test(null_and_finished_jobs_do_not_hold_up_a_job),
        cmocka_unit_test(a_job_may_name_a_dependency_twice),
        cmocka_unit_test(more_dependencies_than_there_is_room_for_still_hold),
        cmocka_unit_test(more_jobs_than_fit_all_run),
        cmocka_unit_test(a_tree_of_waits_deeper_than_the_jobs_that_fit_completes),
        cmocka_unit_test(a_chain_longer_than_the_jobs_that_fit_runs_in_order),
        cmocka_unit_test(destroying_a_pool_waits_for_its_jobs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
