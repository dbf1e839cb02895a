/* test-labels: threads */
#include "guards.h"
#include "jobs.h"

#include <pthread.h>
#include <string.h>

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
    assert_int_equal(visits.wrong_pieces, 0);
    for (uint32_t i = 0; i < MAX_ITEMS; i++)
        assert_int_equal(i < count, visits.of_item[i]);
}

static void parallel_for_visits_every_item_once_in_pieces_of_grain(void **state)
{
    (void)state;
    static const uint32_t counts[] = {0, 1, 2, 3, 7, 64, 100, 101, 1000, MAX_ITEMS};
    static const uint32_t grains[] = {1, 2, 3, 16, 99, 100, 101, 5000, UINT32_MAX};
    for (uint32_t workers = 0; workers < 4; workers++) {
        CnJobPool *pool = create_pool(workers, 0);
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

typedef struct Extent {
    _Atomic uint64_t items;
    _Atomic uint32_t pieces, last_pieces;
} Extent;

static void note_extent(void *data, uint32_t begin, uint32_t end, uint32_t lane)
{
    (void)lane;
    Extent *extent = data;
    atomic_fetch_add(&extent->items, end - begin);
    atomic_fetch_add(&extent->pieces, 1);
    atomic_fetch_add(&extent->last_pieces, end == UINT32_MAX);
}

static void parallel_for_reaches_the_largest_count(void **state)
{
    (void)state;
    CnJobPool *pool = create_pool(2, 0);
    CnJobPool *pools[] = {NULL, pool};
    for (uint32_t i = 0; i < CN_COUNT_OF(pools); i++) {
        Extent extent = {0};
        cn_job_parallel_for(pools[i], UINT32_MAX, 1u << 20, note_extent, &extent);
        assert_int_equal(extent.items, UINT32_MAX);
        assert_int_equal(extent.pieces, 4096);
        assert_int_equal(extent.last_pieces, 1);
    }
    cn_job_pool_destroy(pool);
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
    CnJobPool *alone = create_pool(0, 0);
    CnJobPool *pools[] = {NULL, alone};
    for (uint32_t i = 0; i < CN_COUNT_OF(pools); i++) {
        Order order = {.ascending = true};
        cn_job_parallel_for(pools[i], 1000, 10, note_order, &order);
        assert_true(order.ascending);
        assert_int_equal(order.next, 1000);
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
    CnJobPool *pool = create_pool(2, 0);
    cn_job_pool_begin_spinning(pool);
    for (int i = 0; i < 100; i++) {
        pthread_t thread;
        cn_job_parallel_for(pool, 10, 10, note_thread, &thread);
        assert_true(pthread_equal(pthread_self(), thread));
    }
    cn_job_pool_end_spinning(pool);
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
    CnJobPool *pool = create_pool(5, 0);
    static Lanes lanes;
    for (int i = 0; i < 200; i++)
        cn_job_parallel_for(pool, 100, 1, stay_in_lane, &lanes);
    assert_int_equal(lanes.collisions, 0);
    cn_job_pool_destroy(pool);
}

/* Each level splits into two pieces, each of which calls the next. */
typedef struct Nest {
    CnJobPool *pool;
    uint32_t levels_left;
    Counter *leaves;
} Nest;

static void descend(void *data, uint32_t begin, uint32_t end, uint32_t lane)
{
    (void)lane;
    const Nest *nest = data;
    if (nest->levels_left == 0) {
        atomic_fetch_add(&nest->leaves->value, end - begin);
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
        CnJobPool *pool = create_pool(workers, 0);
        for (uint32_t levels = 0; levels < 9; levels++) {
            Counter leaves = {0};
            Nest nest = {pool, levels, &leaves};
            cn_job_parallel_for(pool, 2, 1, descend, &nest);
            assert_int_equal(leaves.value, 2u << levels);
        }
        cn_job_pool_destroy(pool);
    }
}

typedef struct LaneData {
    CnJobPool *pool;
    uint32_t of_lane[4];
    _Atomic uint32_t marks;
    _Atomic uint32_t overwritten;
} LaneData;

static void take_time(void *data, uint32_t begin, uint32_t end, uint32_t lane)
{
    (void)data;
    (void)begin;
    (void)end;
    (void)lane;
    cn_clock_sleep_ns(20000);
}

static void keep_lane_data(void *data, uint32_t begin, uint32_t end, uint32_t lane)
{
    (void)begin;
    (void)end;
    LaneData *lanes = data;
    uint32_t mark = atomic_fetch_add(&lanes->marks, 1);
    lanes->of_lane[lane] = mark;
    cn_job_parallel_for(lanes->pool, 4, 1, take_time, NULL);
    if (lanes->of_lane[lane] != mark)
        atomic_fetch_add(&lanes->overwritten, 1);
}

static void loop_over_lane_data(void *data, uint32_t lane)
{
    (void)lane;
    LaneData *lanes = data;
    for (int i = 0; i < 30; i++)
        cn_job_parallel_for(lanes->pool, 3, 1, keep_lane_data, lanes);
}

/* While the inner loop waits for its last pieces, those of the other jobs' loops stay away. */
static void a_nested_parallel_for_leaves_the_data_of_its_lane_alone(void **state)
{
    (void)state;
    LaneData lanes = {.pool = create_pool(3, 0)};
    CnJob jobs[3];
    for (uint32_t i = 0; i < CN_COUNT_OF(jobs); i++)
        jobs[i] = submit(lanes.pool, loop_over_lane_data, &lanes);
    for (uint32_t i = 0; i < CN_COUNT_OF(jobs); i++)
        cn_job_wait(lanes.pool, jobs[i]);
    assert_int_equal(lanes.overwritten, 0);
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
        CnJobPool *pool = create_pool(workers, 0);
        Counter leaves = {0};
        Nest nest = {pool, 0, &leaves};
        CnJob jobs[20];
        for (uint32_t i = 0; i < CN_COUNT_OF(jobs); i++)
            jobs[i] = submit(pool, loop_in_job, &nest);
        for (uint32_t i = 0; i < CN_COUNT_OF(jobs); i++)
            cn_job_wait(pool, jobs[i]);
        assert_int_equal(leaves.value, 50 * CN_COUNT_OF(jobs));
        cn_job_pool_destroy(pool);
    }
}

typedef struct JobsInLoop {
    CnJobPool *pool;
    Counter runs;
} JobsInLoop;

static void wait_in_piece(void *data, uint32_t begin, uint32_t end, uint32_t lane)
{
    (void)begin;
    (void)end;
    (void)lane;
    JobsInLoop *loop = data;
    cn_job_wait(loop->pool, submit(loop->pool, count_up, &loop->runs));
}

static void a_piece_can_submit_and_wait(void **state)
{
    (void)state;
    for (uint32_t workers = 0; workers < 4; workers++) {
        JobsInLoop loop = {.pool = create_pool(workers, 0)};
        cn_job_parallel_for(loop.pool, 200, 3, wait_in_piece, &loop);
        assert_int_equal(loop.runs.value, 67);
        cn_job_pool_destroy(loop.pool);
    }
}

static void meet_in_piece(void *data, uint32_t begin, uint32_t end, uint32_t lane)
{
    (void)begin;
    (void)end;
    meet(data, lane);
}

/* When a worker has the second piece, the caller has nothing left to do but what that calls. */
static void meet_in_inner_loop(void *data, uint32_t begin, uint32_t end, uint32_t lane)
{
    (void)end;
    Meeting *meeting = data;
    if (begin == 1)
        cn_job_parallel_for(meeting->pool, meeting->expected, 1, meet_in_piece, meeting);
    while (lane == 0 && atomic_load(&meeting->arrived) == 0)
        cn_clock_sleep_ns(10000); /* so that a worker takes the second piece */
}

static void the_caller_of_a_loop_helps_with_loops_inside_of_it(void **state)
{
    (void)state;
    CnJobPool *pool = create_pool(2, 0);
    for (int i = 0; i < 50; i++) {
        Meeting meeting = {.pool = pool, .expected = 3};
        cn_job_parallel_for(pool, 2, 1, meet_in_inner_loop, &meeting);
        assert_int_equal(meeting.arrived, 3);
    }
    cn_job_pool_destroy(pool);
}

#ifdef CN_GUARDS
static void pieces_of_no_items_are_guarded(void **state)
{
    (void)state;
    EXPECT_GUARD(cn_job_parallel_for(NULL, 10, 0, take_time, NULL));
}

static void parallel_for_without_a_function_is_guarded(void **state)
{
    (void)state;
    EXPECT_GUARD(cn_job_parallel_for(NULL, 10, 1, NULL, NULL));
}
#endif

int main(void)
{
    const struct CMUnitTest tests[] = {
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
        cmocka_unit_test(the_caller_of_a_loop_helps_with_loops_inside_of_it),
#ifdef CN_GUARDS
        cmocka_unit_test(pieces_of_no_items_are_guarded),
        cmocka_unit_test(parallel_for_without_a_function_is_guarded),
#endif
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
