/* test-labels: threads */
#include "ecs_fixture.h"

#include <string.h>

enum { COUNT = 20000, WORKERS = 3 };

static CnJobPool *pool;
static CnEntity entities[COUNT];

static int make_crowd(void **state)
{
    if (make_world(state))
        return -1;
    pool = cn_job_pool_create(&(CnJobPoolDesc){.workers = WORKERS}, NULL);
    for (int i = 0; i < COUNT; i++) {
        entities[i] =
            cn_spawn(world, cn_with(Position, {(float)i, 0, 0}), cn_with(Velocity, {1, 2, 3}));
        if (i % 5 == 1)
            cn_add(world, entities[i], Enemy);
        if (i % 7 == 1)
            cn_add(world, entities[i], Frozen);
    }
    return pool ? 0 : -1;
}

static int drop_crowd(void **state)
{
    cn_job_pool_destroy(pool);
    return drop_world(state);
}

static CnQuery *movers(void)
{
    return cn_query_acquire(world, &(CnQueryDesc){.all = {cn_writes(Position), cn_reads(Velocity)}},
                            NULL);
}

static void move(const CnChunkView *view, void *user, uint32_t lane)
{
    (void)user, (void)lane;
    Position *p = cn_column(view, Position);
    const Velocity *v = cn_column_const(view, Velocity);
    for (uint32_t i = 0; i < view->count; i++)
        p[i].x += v[i].x;
}

static void every_row_is_visited_once_on_all_lanes_together(void **state)
{
    (void)state;
    for (int round = 0; round < 20; round++)
        cn_query_parallel(movers(), pool, move, NULL);
    for (int i = 0; i < COUNT; i++)
        assert_number_equal(cn_get(world, entities[i], Position)->x, i + 20);
}

static void without_a_pool_everything_runs_here_in_order(void **state)
{
    (void)state;
    cn_query_parallel(movers(), NULL, move, NULL);
    for (int i = 0; i < COUNT; i++)
        assert_number_equal(cn_get(world, entities[i], Position)->x, i + 1);
}

typedef struct Visit {
    const CnEntity *chunks[512];
    uint32_t count;
} Visit;

static void note_chunk(const CnChunkView *view, void *user, uint32_t lane)
{
    Visit *visit = user;
    assert_int_equal(lane, 0);
    visit->chunks[visit->count++] = view->entities;
}

static void alone_the_order_is_that_of_iteration(void **state)
{
    (void)state;
    Visit visit = {.count = 0};
    cn_query_parallel(movers(), NULL, note_chunk, &visit);
    CnChunkView view = {0};
    uint32_t n = 0;
    for (CnQueryIter it = cn_query_iter(movers()); cn_query_next(&it, &view);)
        assert_ptr_equal(visit.chunks[n++], view.entities);
    assert_int_equal(visit.count, n);
}

typedef struct LaneSums {
    struct {
        _Alignas(64) uint64_t rows;
    } lanes[WORKERS + 1];
} LaneSums;

static void count_rows(const CnChunkView *view, void *user, uint32_t lane)
{
    LaneSums *sums = user;
    sums->lanes[lane].rows += view->count;
}

static void lanes_number_the_threads_of_the_pool(void **state)
{
    (void)state;
    LaneSums sums;
    memset(&sums, 0, sizeof sums);
    cn_query_parallel(movers(), pool, count_rows, &sums);
    uint64_t rows = 0;
    for (uint32_t lane = 0; lane <= WORKERS; lane++)
        rows += sums.lanes[lane].rows;
    assert_int_equal(rows, COUNT);
}

static void writes_on_many_lanes_are_marked_as_changes(void **state)
{
    (void)state;
    uint64_t since = cn_world_tick(world);
    cn_world_advance_tick(world);
    cn_query_parallel(movers(), pool, move, NULL);
    CnQuery *query = cn_query_acquire(world, &(CnQueryDesc){.all = {cn_reads(Position)}}, NULL);
    CnChunkView view = {0};
    uint32_t rows = 0;
    for (CnQueryIter it = cn_query_iter_changed(query, since); cn_query_next(&it, &view);)
        rows += view.count;
    assert_int_equal(rows, COUNT);
}

static void an_empty_query_calls_nothing(void **state)
{
    (void)state;
    CnQuery *none = cn_query_acquire(world, &(CnQueryDesc){.all = {cn_writes(Mass)}}, NULL);
    cn_query_parallel(none, pool, move, NULL); /* would miss its columns */
    cn_world_clear(world);
    Visit visit = {.count = 0};
    cn_query_parallel(movers(), pool, note_chunk, &visit);
    assert_int_equal(visit.count, 0);
}

static void a_pool_without_workers_does_it_all_on_lane_zero(void **state)
{
    (void)state;
    CnJobPool *lonely = cn_job_pool_create(&(CnJobPoolDesc){.workers = CN_JOBS_NONE}, NULL);
    Visit visit = {.count = 0};
    cn_query_parallel(movers(), lonely, note_chunk, &visit);
    assert_true(visit.count > 4);
    cn_job_pool_destroy(lonely);
}

static void iterating_on_many_lanes_makes_no_heap_call(void **state)
{
    (void)state;
    CnQuery *query = movers();
    uint64_t calls = cn_heap_stats(heap).calls;
    cn_query_parallel(query, pool, move, NULL);
    assert_int_equal(cn_heap_stats(heap).calls, calls);
}

#define CROWD_TEST(name) cmocka_unit_test_setup_teardown(name, make_crowd, drop_crowd)

int main(void)
{
    const struct CMUnitTest tests[] = {
        CROWD_TEST(every_row_is_visited_once_on_all_lanes_together),
        CROWD_TEST(without_a_pool_everything_runs_here_in_order),
        CROWD_TEST(alone_the_order_is_that_of_iteration),
        CROWD_TEST(lanes_number_the_threads_of_the_pool),
        CROWD_TEST(writes_on_many_lanes_are_marked_as_changes),
        CROWD_TEST(an_empty_query_calls_nothing),
        CROWD_TEST(a_pool_without_workers_does_it_all_on_lane_zero),
        CROWD_TEST(iterating_on_many_lanes_makes_no_heap_call),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
