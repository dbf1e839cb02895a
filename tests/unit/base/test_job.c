/* test-labels: threads */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include <cairn/base/assert.h>
#include <cairn/base/clock.h>
#include <cairn/base/cpu.h>
#include <cairn/base/job.h>

#include <pthread.h>
#include <stdatomic.h>
#include <string.h>

static CnJobPool *create(uint32_t workers)
{
    CnJobPool *pool =
        cn_job_pool_create(&(CnJobPoolDesc){.workers = workers ? workers : CN_JOBS_NONE});
    assert_non_null(pool);
    return pool;
}

static CnJob submit(CnJobPool *pool, CnJobFn run, void *data)
{
    return cn_job_submit(pool, &(CnJobDesc){.run = run, .data = data});
}

static CnJob submit_after(CnJobPool *pool, CnJobFn run, void *data, const CnJob *after,
                          uint32_t after_count)
{
    return cn_job_submit(pool, &(CnJobDesc){run, data, after, after_count});
}

static void count_up(void *data, uint32_t lane)
{
    (void)lane;
    atomic_fetch_add((_Atomic uint32_t *)data, 1);
}

static void sleep_a_while(void *data, uint32_t lane)
{
    (void)lane;
    cn_clock_sleep_ns(3000000);
    *(uint32_t *)data = 1;
}

/* ---- Workers ---- */

static void a_pool_has_the_workers_it_was_asked_for(void **state)
{
    (void)state;
    for (uint32_t workers = 0; workers < 4; workers++) {
        CnJobPool *pool = create(workers);
        assert_int_equal(workers, cn_job_pool_workers(pool));
        cn_job_pool_destroy(pool);
    }
}

static void a_default_pool_has_one_worker_less_than_the_cores(void **state)
{
    (void)state;
    CnJobPool *pool = cn_job_pool_create(&(CnJobPoolDesc){0});
    uint32_t cores = cn_cpu_info()->logical_cores;
    uint32_t expected = cores - 1 < CN_JOBS_MAX_WORKERS ? cores - 1 : CN_JOBS_MAX_WORKERS;
    assert_int_equal(expected, cn_job_pool_workers(pool));
    cn_job_pool_destroy(pool);
}

static void many_pools_can_be_created_and_destroyed(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < 100; i++) {
        CnJobPool *pool = create(i % 5);
        _Atomic uint32_t runs = 0;
        cn_job_wait(pool, submit(pool, count_up, (void *)&runs));
        assert_int_equal(1, runs);
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
    assert_null(cn_job_pool_create(&desc));
}

/* ---- parallel_for ---- */

#define MAX_ITEMS 3000

typedef struct Visits {
    uint32_t count, grain, lanes;
    _Atomic uint32_t of_item[MAX_ITEMS];
    _Atomic uint32_t wrong_pieces;
} Visits;

static void visit(void *data, uint32_t begin, uint32_t end, uint32_t lane)
{
    Visits *visits = data;
    uint32_t left = visits->count - begin;
    bool right = begin < end && end <= visits->count && begin % visits->grain == 0 &&
                 end - begin == (left < visits->grain ? left : visits->grain) &&
                 lane < visits->lanes;
    if (!right) {
        atomic_fetch_add(&visits->wrong_pieces, 1);
        return;
    }
    for (uint32_t i = begin; i < end; i++)
        atomic_fetch_add_explicit(&visits->of_item[i], 1, memory_order_relaxed);
}

static void check_visits(CnJobPool *pool, uint32_t count, uint32_t grain)
{
    static Visits visits;
    memset(&visits, 0, sizeof visits);
    visits.count = count;
    visits.grain = grain;
    visits.lanes = pool ? cn_job_pool_workers(pool) + 1 : 1;
    cn_job_parallel_for(pool, count, grain, visit, &visits);
    assert_int_equal(0, visits.wrong_pieces);
    for (uint32_t i = 0; i < MAX_ITEMS; i++)
        assert_int_equal(i < count, visits.of_item[i]);
}

static void parallel_for_visits_every_item_once_in_pieces_of_grain(void **state)
{
    (void)state;
    static const uint32_t counts[] = {0, 1, 2, 3, 7, 64, 100, 101, 1000, MAX_ITEMS};
    static const uint32_t grains[] = {1, 2, 3, 16, 99, 100, 101, 5000, UINT32_MAX};
    for (uint32_t workers = 0; workers < 4; workers++) {
        CnJobPool *pool = create(workers);
        for (uint32_t i = 0; i < CN_COUNT_OF(counts); i++) {
            for (uint32_t k = 0; k < CN_COUNT_OF(grains); k++)
                check_visits(pool, counts[i], grains[k]);
        }
        cn_job_pool_destroy(pool);
    }
}

static void parallel_for_without_a_pool_visits_every_item_once(void **state)
{
    (void)state;
    check_visits(NULL, 1000, 7);
}

static void note_last_piece(void *data, uint32_t begin, uint32_t end, uint32_t lane)
{
    (void)lane;
    uint32_t *last = data;
    last[0] += end - begin;
    last[1] = end;
}

static void parallel_for_reaches_the_largest_count(void **state)
{
    (void)state;
    uint32_t last[2] = {0, 0};
    cn_job_parallel_for(NULL, UINT32_MAX, 1u << 30, note_last_piece, last);
    assert_int_equal(UINT32_MAX, last[0]);
    assert_int_equal(UINT32_MAX, last[1]);
}

typedef struct Order {
    uint32_t next;
    bool ascending;
} Order;

static void note_order(void *data, uint32_t begin, uint32_t end, uint32_t lane)
{
    Order *order = data;
    order->ascending = order->ascending && begin == order->next && lane == 0;
    order->next = end;
}

static void parallel_for_on_one_thread_goes_upwards(void **state)
{
    (void)state;
    CnJobPool *alone = create(0);
    CnJobPool *pools[] = {NULL, alone};
    for (uint32_t i = 0; i < CN_COUNT_OF(pools); i++) {
        Order order = {.ascending = true};
        cn_job_parallel_for(pools[i], 1000, 10, note_order, &order);
        assert_true(order.ascending);
        assert_int_equal(1000, order.next);
    }
    cn_job_pool_destroy(alone);
}

static void note_thread(void *data, uint32_t begin, uint32_t end, uint32_t lane)
{
    (void)begin;
    (void)end;
    (void)lane;
    *(pthread_t *)data = pthread_self();
}

static void parallel_for_of_one_piece_runs_on_the_calling_thread(void **state)
{
    (void)state;
    CnJobPool *pool = create(2);
    cn_job_pool_begin_hot(pool);
    for (int i = 0; i < 100; i++) {
        pthread_t thread;
        cn_job_parallel_for(pool, 10, 10, note_thread, &thread);
        assert_true(pthread_equal(pthread_self(), thread));
    }
    cn_job_pool_end_hot(pool);
    cn_job_pool_destroy(pool);
}

/* Two threads in one lane at the same time would make per-lane data useless. */
typedef struct Lanes {
    _Atomic uint32_t inside[CN_JOBS_MAX_WORKERS + 1];
    _Atomic uint32_t collisions;
} Lanes;

static void stay_in_lane(void *data, uint32_t begin, uint32_t end, uint32_t lane)
{
    Lanes *lanes = data;
    if (atomic_fetch_add(&lanes->inside[lane], 1) != 0)
        atomic_fetch_add(&lanes->collisions, 1);
    for (volatile uint32_t i = begin * 100; i < end * 100; i++) {
    }
    atomic_fetch_sub(&lanes->inside[lane], 1);
}

static void no_two_pieces_are_in_one_lane_at_a_time(void **state)
{
    (void)state;
    CnJobPool *pool = create(5);
    static Lanes lanes;
    for (int i = 0; i < 200; i++)
        cn_job_parallel_for(pool, 100, 1, stay_in_lane, &lanes);
    assert_int_equal(0, lanes.collisions);
    cn_job_pool_destroy(pool);
}

/* Each level splits into two pieces, each of which calls the next. */
typedef struct Nest {
    CnJobPool *pool;
    uint32_t levels_left;
    _Atomic uint32_t *leaves;
} Nest;

static void descend(void *data, uint32_t begin, uint32_t end, uint32_t lane)
{
    (void)lane;
    const Nest *nest = data;
    if (nest->levels_left == 0) {
        atomic_fetch_add(nest->leaves, end - begin);
        return;
    }
    Nest inner = *nest;
    inner.levels_left--;
    cn_job_parallel_for(nest->pool, 2, 1, descend, &inner);
}

static void parallel_for_can_be_nested(void **state)
{
    (void)state;
    for (uint32_t workers = 0; workers < 4; workers++) {
        CnJobPool *pool = create(workers);
        for (uint32_t levels = 0; levels < 9; levels++) {
            _Atomic uint32_t leaves = 0;
            Nest nest = {pool, levels, &leaves};
            cn_job_parallel_for(pool, 2, 1, descend, &nest);
            assert_int_equal(2u << levels, leaves);
        }
        cn_job_pool_destroy(pool);
    }
}

typedef struct LaneData {
    CnJobPool *pool;
    uint32_t of_lane[8];
    _Atomic uint32_t overwritten;
} LaneData;

static void do_nothing(void *data, uint32_t begin, uint32_t end, uint32_t lane)
{
    (void)data;
    (void)lane;
    for (volatile uint32_t i = begin * 100; i < end * 100; i++) {
    }
}

static void keep_lane_data(void *data, uint32_t begin, uint32_t end, uint32_t lane)
{
    (void)end;
    LaneData *lanes = data;
    lanes->of_lane[lane] = begin;
    cn_job_parallel_for(lanes->pool, 16, 1, do_nothing, NULL);
    if (lanes->of_lane[lane] != begin)
        atomic_fetch_add(&lanes->overwritten, 1);
}

static void a_nested_parallel_for_leaves_the_data_of_its_lane_alone(void **state)
{
    (void)state;
    LaneData lanes = {.pool = create(3)};
    for (int i = 0; i < 100; i++)
        cn_job_parallel_for(lanes.pool, 50, 1, keep_lane_data, &lanes);
    assert_int_equal(0, lanes.overwritten);
    cn_job_pool_destroy(lanes.pool);
}

static void loop_in_job(void *data, uint32_t lane)
{
    (void)lane;
    Nest *nest = data;
    cn_job_parallel_for(nest->pool, 50, 1, descend, nest);
}

static void a_job_can_call_parallel_for(void **state)
{
    (void)state;
    for (uint32_t workers = 0; workers < 3; workers++) {
        CnJobPool *pool = create(workers);
        _Atomic uint32_t leaves = 0;
        Nest nest = {pool, 0, &leaves};
        CnJob jobs[20];
        for (uint32_t i = 0; i < CN_COUNT_OF(jobs); i++)
            jobs[i] = submit(pool, loop_in_job, &nest);
        for (uint32_t i = 0; i < CN_COUNT_OF(jobs); i++)
            cn_job_wait(pool, jobs[i]);
        assert_int_equal(50 * CN_COUNT_OF(jobs), leaves);
        cn_job_pool_destroy(pool);
    }
}

typedef struct JobsInLoop {
    CnJobPool *pool;
    _Atomic uint32_t runs;
} JobsInLoop;

static void wait_in_piece(void *data, uint32_t begin, uint32_t end, uint32_t lane)
{
    (void)begin;
    (void)end;
    (void)lane;
    JobsInLoop *loop = data;
    cn_job_wait(loop->pool, submit(loop->pool, count_up, (void *)&loop->runs));
}

static void a_piece_can_submit_and_wait(void **state)
{
    (void)state;
    for (uint32_t workers = 0; workers < 4; workers++) {
        JobsInLoop loop = {.pool = create(workers)};
        cn_job_parallel_for(loop.pool, 200, 3, wait_in_piece, &loop);
        assert_int_equal(67, loop.runs);
        cn_job_pool_destroy(loop.pool);
    }
}

/* ---- Handles ---- */

static void the_null_handle_is_done(void **state)
{
    (void)state;
    CnJobPool *pool = create(1);
    assert_true(cn_job_is_done(pool, (CnJob){0}));
    cn_job_wait(pool, (CnJob){0});
    cn_job_pool_destroy(pool);
}

static void a_submitted_job_has_a_handle_that_is_not_null(void **state)
{
    (void)state;
    CnJobPool *pool = create(0);
    _Atomic uint32_t runs = 0;
    CnJob job = submit(pool, count_up, (void *)&runs);
    assert_int_not_equal(0, job.generation);
    cn_job_pool_destroy(pool);
}

static void a_job_is_done_only_after_it_ran(void **state)
{
    (void)state;
    CnJobPool *pool = create(0);
    _Atomic uint32_t runs = 0;
    CnJob job = submit(pool, count_up, (void *)&runs);
    assert_false(cn_job_is_done(pool, job));
    assert_int_equal(0, runs);
    cn_job_wait(pool, job);
    assert_true(cn_job_is_done(pool, job));
    assert_int_equal(1, runs);
    cn_job_pool_destroy(pool);
}

static void a_handle_stays_done_when_its_slot_is_used_again(void **state)
{
    (void)state;
    CnJobPool *pool = cn_job_pool_create(&(CnJobPoolDesc){.workers = CN_JOBS_NONE, .max_jobs = 1});
    _Atomic uint32_t runs = 0;
    CnJob old = submit(pool, count_up, (void *)&runs);
    cn_job_wait(pool, old);
    for (int i = 0; i < 100; i++) {
        CnJob job = submit(pool, count_up, (void *)&runs);
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
    CnJobPool *pool = create(0);
    _Atomic uint32_t runs = 0;
    CnJob jobs[10];
    for (uint32_t i = 0; i < 10; i++)
        jobs[i] = submit(pool, count_up, (void *)&runs);
    cn_job_wait(pool, jobs[0]);
    assert_true(runs >= 1);
    for (uint32_t i = 0; i < 10; i++)
        cn_job_wait(pool, jobs[i]);
    assert_int_equal(10, runs);
    cn_job_pool_destroy(pool);
}

static void what_a_job_wrote_is_visible_after_waiting(void **state)
{
    (void)state;
    CnJobPool *pool = create(2);
    for (int i = 0; i < 20; i++) {
        uint32_t written = 0; /* not atomic: ThreadSanitizer reports a missing order */
        cn_job_wait(pool, submit(pool, sleep_a_while, &written));
        assert_int_equal(1, written);
    }
    cn_job_pool_destroy(pool);
}

static void what_a_job_wrote_is_visible_once_it_is_done(void **state)
{
    (void)state;
    CnJobPool *pool = create(1);
    uint32_t written = 0;
    CnJob job = submit(pool, sleep_a_while, &written);
    while (!cn_job_is_done(pool, job))
        cn_clock_sleep_ns(100000);
    assert_int_equal(1, written);
    cn_job_pool_destroy(pool);
}

typedef struct Tree {
    CnJobPool *pool;
    uint32_t depth;
    uint32_t leaves;
} Tree;

static void grow(void *data, uint32_t lane)
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
        jobs[i] = submit(tree->pool, grow, &children[i]);
    }
    for (int i = 0; i < 3; i++) {
        cn_job_wait(tree->pool, jobs[i]);
        tree->leaves += children[i].leaves;
    }
}

static void jobs_can_wait_for_jobs_they_submitted(void **state)
{
    (void)state;
    for (uint32_t workers = 0; workers < 4; workers++) {
        Tree tree = {.pool = create(workers), .depth = 7};
        cn_job_wait(tree.pool, submit(tree.pool, grow, &tree));
        assert_int_equal(2187, tree.leaves);
        cn_job_pool_destroy(tree.pool);
    }
}

typedef struct Meeting {
    CnJobPool *pool;
    _Atomic uint32_t arrived;
    uint32_t expected;
} Meeting;

/* Ends only when as many threads are in it as are expected. */
static void meet(void *data, uint32_t lane)
{
    (void)lane;
    Meeting *meeting = data;
    atomic_fetch_add(&meeting->arrived, 1);
    while (atomic_load(&meeting->arrived) < meeting->expected)
        cn_clock_sleep_ns(10000);
}

static void all_workers_and_the_waiting_thread_run_jobs_at_once(void **state)
{
    (void)state;
    for (uint32_t workers = 0; workers < 4; workers++) {
        CnJobPool *pool = create(workers);
        Meeting meeting = {.pool = pool, .expected = workers + 1};
        CnJob jobs[4];
        for (uint32_t i = 0; i <= workers; i++)
            jobs[i] = submit(pool, meet, &meeting);
        for (uint32_t i = 0; i <= workers; i++)
            cn_job_wait(pool, jobs[i]);
        cn_job_pool_destroy(pool);
    }
}

static void meet_in_piece(void *data, uint32_t begin, uint32_t end, uint32_t lane)
{
    (void)begin;
    (void)end;
    meet(data, lane);
}

/* The caller of the outer loop has nothing left to do but the pieces of the inner one. */
static void meet_in_inner_loop(void *data, uint32_t begin, uint32_t end, uint32_t lane)
{
    (void)end;
    (void)lane;
    Meeting *meeting = data;
    if (begin == 0)
        return;
    cn_job_parallel_for(meeting->pool, meeting->expected, 1, meet_in_piece, meeting);
}

static void the_caller_of_a_loop_helps_with_loops_inside_of_it(void **state)
{
    (void)state;
    CnJobPool *pool = create(2);
    for (int i = 0; i < 50; i++) {
        Meeting meeting = {.pool = pool, .expected = 3};
        cn_job_parallel_for(pool, 2, 1, meet_in_inner_loop, &meeting);
        assert_int_equal(3, meeting.arrived);
    }
    cn_job_pool_destroy(pool);
}

static void submit_late(void *data, uint32_t lane)
{
    (void)lane;
    Meeting *meeting = data;
    cn_clock_sleep_ns(3000000); /* by now the outside thread sleeps */
    CnJob job = submit(meeting->pool, meet, meeting);
    meet(meeting, lane);
    cn_job_wait(meeting->pool, job);
}

static void a_thread_that_sleeps_while_waiting_wakes_to_run_new_jobs(void **state)
{
    (void)state;
    Meeting meeting = {.pool = create(1), .expected = 2};
    cn_job_wait(meeting.pool, submit(meeting.pool, submit_late, &meeting));
    assert_int_equal(2, meeting.arrived);
    cn_job_pool_destroy(meeting.pool);
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
        CnJobPool *pool = create(workers);
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

typedef struct Sum {
    const uint32_t *from;
    uint32_t count;
    uint32_t result;
} Sum;

static void add_up(void *data, uint32_t lane)
{
    (void)lane;
    Sum *sum = data;
    sum->result = 1;
    for (uint32_t i = 0; i < sum->count; i++)
        sum->result += sum->from[i * (sizeof(Sum) / sizeof(uint32_t))];
}

static void a_diamond_joins_both_sides(void **state)
{
    (void)state;
    for (uint32_t workers = 0; workers < 4; workers++) {
        CnJobPool *pool = create(workers);
        for (int i = 0; i < 200; i++) {
            Sum sums[4] = {0};
            sums[1] = sums[2] = (Sum){&sums[0].result, 1, 0};
            sums[3] = (Sum){&sums[1].result, 2, 0};
            CnJob jobs[4];
            jobs[0] = submit(pool, add_up, &sums[0]);
            jobs[1] = submit_after(pool, add_up, &sums[1], &jobs[0], 1);
            jobs[2] = submit_after(pool, add_up, &sums[2], &jobs[0], 1);
            jobs[3] = submit_after(pool, add_up, &sums[3], &jobs[1], 2);
            cn_job_wait(pool, jobs[3]);
            assert_int_equal(5, sums[3].result);
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
    CnJobPool *pool = create(2);
    for (uint32_t i = 0; i < COUNT; i++) {
        sums[i] = (Sum){0};
        jobs[i] = submit(pool, add_up, &sums[i]);
    }
    sums[COUNT] = (Sum){&sums[0].result, COUNT, 0};
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
    CnJobPool *pool = create(2);
    jobs[0] = submit(pool, add_up, &first);
    for (uint32_t i = 1; i < COUNT; i++) {
        sums[i] = (Sum){&first.result, 1, 0};
        jobs[i] = submit_after(pool, add_up, &sums[i], &jobs[0], 1);
    }
    for (uint32_t i = 1; i < COUNT; i++) {
        cn_job_wait(pool, jobs[i]);
        assert_int_equal(2, sums[i].result);
    }
    cn_job_pool_destroy(pool);
}

static void null_and_finished_jobs_do_not_hold_up_a_job(void **state)
{
    (void)state;
    CnJobPool *pool = create(0);
    _Atomic uint32_t runs = 0;
    CnJob finished = submit(pool, count_up, (void *)&runs);
    cn_job_wait(pool, finished);
    CnJob after[] = {{0}, finished, {0}, finished};
    cn_job_wait(pool, submit_after(pool, count_up, (void *)&runs, after, 4));
    assert_int_equal(2, runs);
    cn_job_pool_destroy(pool);
}

static void a_job_may_name_a_dependency_twice(void **state)
{
    (void)state;
    CnJobPool *pool = create(0);
    _Atomic uint32_t runs = 0;
    CnJob first = submit(pool, count_up, (void *)&runs);
    CnJob after[] = {first, first};
    cn_job_wait(pool, submit_after(pool, count_up, (void *)&runs, after, 2));
    assert_int_equal(2, runs);
    cn_job_pool_destroy(pool);
}

/* Eight jobs in flight have room for 32 dependencies. */
static void more_dependencies_than_there_is_room_for_still_hold(void **state)
{
    (void)state;
    for (uint32_t workers = 0; workers < 3; workers++) {
        CnJobPool *pool = cn_job_pool_create(
            &(CnJobPoolDesc){.workers = workers ? workers : CN_JOBS_NONE, .max_jobs = 8});
        uint32_t counter = 0;
        Step steps[2] = {{&counter, 0, UINT32_MAX}, {&counter, 1, UINT32_MAX}};
        CnJob first = submit(pool, take_step, &steps[0]);
        CnJob after[100];
        for (uint32_t i = 0; i < CN_COUNT_OF(after); i++)
            after[i] = first;
        cn_job_wait(pool, submit_after(pool, take_step, &steps[1], after, CN_COUNT_OF(after)));
        assert_int_equal(0, steps[0].found);
        assert_int_equal(1, steps[1].found);
        cn_job_pool_destroy(pool);
    }
}

/* ---- Limits ---- */

static void more_jobs_than_fit_all_run(void **state)
{
    (void)state;
    for (uint32_t workers = 0; workers < 3; workers++) {
        CnJobPool *pool = cn_job_pool_create(
            &(CnJobPoolDesc){.workers = workers ? workers : CN_JOBS_NONE, .max_jobs = 8});
        _Atomic uint32_t runs = 0;
        for (int i = 0; i < 5000; i++)
            submit(pool, count_up, (void *)&runs);
        cn_job_pool_destroy(pool);
        assert_int_equal(5000, runs);
    }
}

static void a_tree_of_waits_deeper_than_the_jobs_that_fit_completes(void **state)
{
    (void)state;
    for (uint32_t workers = 0; workers < 3; workers++) {
        Tree tree = {.pool = cn_job_pool_create(&(CnJobPoolDesc){
                         .workers = workers ? workers : CN_JOBS_NONE, .max_jobs = 2}),
                     .depth = 6};
        cn_job_wait(tree.pool, submit(tree.pool, grow, &tree));
        assert_int_equal(729, tree.leaves);
        cn_job_pool_destroy(tree.pool);
    }
}

static void a_chain_longer_than_the_jobs_that_fit_runs_in_order(void **state)
{
    (void)state;
    CnJobPool *pool = cn_job_pool_create(&(CnJobPoolDesc){.workers = CN_JOBS_NONE, .max_jobs = 4});
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
        CnJobPool *pool = create(workers);
        uint32_t written[3] = {0};
        CnJob first = submit(pool, sleep_a_while, &written[0]);
        submit_after(pool, sleep_a_while, &written[1], &first, 1);
        submit(pool, sleep_a_while, &written[2]);
        cn_job_pool_destroy(pool);
        assert_int_equal(3, written[0] + written[1] + written[2]);
    }
}

/* ---- Hot ---- */

static void hot_begins_and_ends_can_be_nested(void **state)
{
    (void)state;
    CnJobPool *pool = create(2);
    _Atomic uint32_t runs = 0;
    cn_job_pool_begin_hot(pool);
    cn_job_pool_begin_hot(pool);
    cn_job_wait(pool, submit(pool, count_up, (void *)&runs));
    cn_job_pool_end_hot(pool);
    cn_job_wait(pool, submit(pool, count_up, (void *)&runs));
    cn_job_pool_end_hot(pool);
    cn_clock_sleep_ns(3000000); /* the workers fall asleep */
    cn_job_wait(pool, submit(pool, count_up, (void *)&runs));
    assert_int_equal(3, runs);
    cn_job_pool_destroy(pool);
}

static void a_hot_pool_can_be_destroyed(void **state)
{
    (void)state;
    CnJobPool *pool = create(2);
    cn_job_pool_begin_hot(pool);
    cn_job_pool_destroy(pool);
}

static void sixteen_workers_get_on_with_few_cores(void **state)
{
    (void)state;
    CnJobPool *pool = create(16);
    cn_job_pool_begin_hot(pool);
    for (int i = 0; i < 50; i++)
        check_visits(pool, 500, 1);
    Tree tree = {.pool = pool, .depth = 6};
    cn_job_wait(pool, submit(pool, grow, &tree));
    assert_int_equal(729, tree.leaves);
    cn_job_pool_end_hot(pool);
    cn_job_pool_destroy(pool);
}

/* ---- Memory, and other pools ---- */

static void only_creating_a_pool_calls_the_heap(void **state)
{
    (void)state;
    CnHeap *heap = cn_heap_create(NULL);
    CnJobPoolDesc desc = {.allocator = cn_heap_tag(heap, "jobs"), .workers = 2, .max_jobs = 64};
    CnJobPool *pool = cn_job_pool_create(&desc);
    uint64_t calls = cn_heap_stats(heap).calls;
    assert_true(calls > 0);

    for (int i = 0; i < 20; i++) {
        check_visits(pool, 1000, 10);
        Tree tree = {.pool = pool, .depth = 5};
        cn_job_wait(pool, submit(pool, grow, &tree));
    }
    assert_int_equal(calls, cn_heap_stats(heap).calls);
    cn_job_pool_destroy(pool);
    assert_int_equal(0, cn_heap_stats(heap).live_bytes);
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
    CnJobPool *pool = create(1);
    OtherPool other = {.pool = create(0), .lane = UINT32_MAX};
    CnJob job = submit(pool, use_other_pool, &other);
    while (!cn_job_is_done(pool, job))
        cn_clock_sleep_ns(100000); /* so that the worker runs it */
    assert_int_equal(0, other.lane);
    cn_job_pool_destroy(other.pool);
    cn_job_pool_destroy(pool);
}

/* ---- Guards ---- */

#ifdef CN_GUARDS
static jmp_buf guard_jump;

static void leave_guard(const char *file, int line, const char *message, void *user)
{
    (void)file;
    (void)line;
    (void)message;
    (void)user;
    longjmp(guard_jump, 1);
}

static void end_hot_without_begin_is_guarded(void **state)
{
    (void)state;
    CnJobPool *pool = create(0);
    cn_assert_set_handler(leave_guard, NULL);
    if (setjmp(guard_jump) == 0) {
        cn_job_pool_end_hot(pool);
        fail();
    }
    cn_assert_set_handler(NULL, NULL);
    cn_job_pool_begin_hot(pool);
    cn_job_pool_destroy(pool);
}

static void a_piece_of_no_items_is_guarded(void **state)
{
    (void)state;
    cn_assert_set_handler(leave_guard, NULL);
    if (setjmp(guard_jump) == 0) {
        cn_job_parallel_for(NULL, 10, 0, do_nothing, NULL);
        fail();
    }
    cn_assert_set_handler(NULL, NULL);
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
    SelfWait wait = {.pool = cn_job_pool_create(&(CnJobPoolDesc){
                         .allocator = &allocator, .workers = CN_JOBS_NONE, .max_jobs = 4})};
    wait.self = submit(wait.pool, wait_for_self, &wait);
    cn_assert_set_handler(leave_guard, NULL);
    if (setjmp(guard_jump) == 0) {
        cn_job_wait(wait.pool, wait.self);
        fail();
    }
    cn_assert_set_handler(NULL, NULL);
}

static _Atomic uint32_t guards_hit;

static void end_thread(const char *file, int line, const char *message, void *user)
{
    (void)file;
    (void)line;
    (void)message;
    (void)user;
    atomic_fetch_add(&guards_hit, 1);
    pthread_exit(NULL);
}

static void *submit_from_outside(void *data)
{
    _Atomic uint32_t runs = 0;
    submit(data, count_up, (void *)&runs);
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
    CnJobPool *pool = create(0);
    cn_assert_set_handler(end_thread, NULL);
    cn_job_wait(pool, submit(pool, start_second_outside_thread, pool));
    cn_assert_set_handler(NULL, NULL);
    assert_int_equal(1, guards_hit);
    cn_job_pool_destroy(pool);
}
#endif

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_pool_has_the_workers_it_was_asked_for),
        cmocka_unit_test(a_default_pool_has_one_worker_less_than_the_cores),
        cmocka_unit_test(many_pools_can_be_created_and_destroyed),
        cmocka_unit_test(destroying_no_pool_does_nothing),
        cmocka_unit_test(a_pool_for_absurdly_many_jobs_is_not_created),
        cmocka_unit_test(parallel_for_visits_every_item_once_in_pieces_of_grain),
        cmocka_unit_test(parallel_for_without_a_pool_visits_every_item_once),
        cmocka_unit_test(parallel_for_reaches_the_largest_count),
        cmocka_unit_test(parallel_for_on_one_thread_goes_upwards),
        cmocka_unit_test(parallel_for_of_one_piece_runs_on_the_calling_thread),
        cmocka_unit_test(no_two_pieces_are_in_one_lane_at_a_time),
        cmocka_unit_test(parallel_for_can_be_nested),
        cmocka_unit_test(a_nested_parallel_for_leaves_the_data_of_its_lane_alone),
        cmocka_unit_test(a_job_can_call_parallel_for),
        cmocka_unit_test(a_piece_can_submit_and_wait),
        cmocka_unit_test(the_null_handle_is_done),
        cmocka_unit_test(a_submitted_job_has_a_handle_that_is_not_null),
        cmocka_unit_test(a_job_is_done_only_after_it_ran),
        cmocka_unit_test(a_handle_stays_done_when_its_slot_is_used_again),
        cmocka_unit_test(waiting_runs_the_job_when_there_are_no_workers),
        cmocka_unit_test(what_a_job_wrote_is_visible_after_waiting),
        cmocka_unit_test(what_a_job_wrote_is_visible_once_it_is_done),
        cmocka_unit_test(jobs_can_wait_for_jobs_they_submitted),
        cmocka_unit_test(all_workers_and_the_waiting_thread_run_jobs_at_once),
        cmocka_unit_test(the_caller_of_a_loop_helps_with_loops_inside_of_it),
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
        cmocka_unit_test(hot_begins_and_ends_can_be_nested),
        cmocka_unit_test(a_hot_pool_can_be_destroyed),
        cmocka_unit_test(sixteen_workers_get_on_with_few_cores),
        cmocka_unit_test(only_creating_a_pool_calls_the_heap),
        cmocka_unit_test(a_worker_of_one_pool_is_outside_of_another),
#ifdef CN_GUARDS
        cmocka_unit_test(end_hot_without_begin_is_guarded),
        cmocka_unit_test(a_piece_of_no_items_is_guarded),
        cmocka_unit_test(a_job_that_waits_for_itself_is_guarded_without_workers),
        cmocka_unit_test(two_outside_threads_at_once_are_guarded),
#endif
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
