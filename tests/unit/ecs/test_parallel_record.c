/* test-labels: threads */
/* Free parallel loops that send events and record commands: the same result for any number of
 * threads. */
#include "check_world.h"
#include "ecs_fixture.h"

enum { COUNT = 20000 };

CN_COMPONENT(Ping, (u32, from));
CN_COMPONENT(Child, (u32, of));
CN_COMPONENT(Heard, (u64, sum));

static const uint32_t worker_counts[] = {0, 1, 3};

typedef struct Loop {
    CnQuery *query;
    CnChannel *pings;
    CnCommands *commands, *others;
} Loop;

static Loop loop;

static void record(const CnChunkView *view, void *user, uint32_t lane)
{
    const Loop *with = user;
    (void)lane;
    const Position *p = cn_column_const(view, Position);
    for (uint32_t i = 0; i < view->count; i++) {
        uint32_t number = (uint32_t)p[i].x;
        cn_send(with->pings, Ping, {number});
        if (number % 3 == 0)
            cn_defer_spawn(with->commands, cn_with(Child, {number}));
        if (number % 5 == 0)
            cn_defer_add(with->commands, view->entities[i], Frozen);
        if (number % 7 == 0 && with->others)
            cn_defer_spawn(with->others, cn_with(Child, {number + COUNT}));
        if (number % 11 == 0)
            cn_defer_destroy(with->commands, view->entities[i]);
    }
}

static void fill(CnWorld *of)
{
    cn_register(of, Position);
    cn_register(of, Child);
    cn_register(of, Frozen);
    for (uint32_t i = 0; i < COUNT; i++)
        cn_spawn(of, cn_with(Position, {(float)i, 0, 0}));
    loop = (Loop){.query = cn_query_acquire(of, &(CnQueryDesc){.all = {cn_reads(Position)}}, NULL),
                  .pings = cn_channel_open(
                      of, &(CnChannelDesc){.type = &cn_type_Ping, .max_events = 10 * COUNT}),
                  .commands = cn_commands_create(of, NULL),
                  .others = cn_commands_create(of, NULL)};
}

static uint64_t hash_pings(uint64_t hash)
{
    const Ping *pings = cn_events(loop.pings, Ping);
    for (uint32_t i = 0; i < cn_event_count(loop.pings); i++)
        hash = hash * 31 + pings[i].from;
    return hash;
}

static uint64_t run_free(uint32_t workers)
{
    CnJobPool *pool =
        cn_job_pool_create(&(CnJobPoolDesc){.workers = workers ? workers : CN_JOBS_NONE}, NULL);
    CnWorld *own = cn_world_create(NULL, NULL);
    fill(own);
    uint64_t hash = 0;
    for (uint32_t round = 0; round < 4; round++) {
        cn_query_parallel(loop.query, pool, record, &loop);
        hash = hash_pings(hash);
        assert_true(cn_flush(own));
    }
    assert_world_sound(own);
    assert_int_equal(cn_world_stats(own).failed_commands, 0);
    hash = hash * 31 + cn_world_hash(own);
    cn_world_destroy(own);
    cn_job_pool_destroy(pool);
    return hash;
}

static void a_free_loop_records_the_same_with_any_number_of_threads(void **state)
{
    (void)state;
    uint64_t expected = run_free(worker_counts[0]);
    for (uint32_t i = 1; i < CN_COUNT_OF(worker_counts); i++)
        assert_true(run_free(worker_counts[i]) == expected);
}

static void everything_that_a_free_loop_records_is_there(void **state)
{
    (void)state;
    CnJobPool *pool = cn_job_pool_create(&(CnJobPoolDesc){.workers = 3}, NULL);
    fill(world);
    cn_query_parallel(loop.query, pool, record, &loop);
    assert_int_equal(cn_event_count(loop.pings), COUNT);
    for (uint32_t i = 0; i < COUNT; i++)
        assert_int_equal(cn_events(loop.pings, Ping)[i].from, i);
    assert_true(cn_flush(world));
    CnQuery *children = cn_query_acquire(world, &(CnQueryDesc){.all = {cn_reads(Child)}}, NULL);
    assert_int_equal(cn_query_count(children), (COUNT + 2) / 3 + (COUNT + 6) / 7);
    assert_int_equal(cn_query_count(loop.query), COUNT - (COUNT + 10) / 11);
    cn_job_pool_destroy(pool);
}

static void what_is_recorded_after_the_loop_goes_to_the_buffer_and_channel_again(void **state)
{
    (void)state;
    fill(world);
    cn_query_parallel(loop.query, NULL, record, &loop);
    uint32_t commands = cn_commands_count(loop.commands);
    cn_defer_spawn(loop.commands, cn_with(Child, {1}));
    assert_int_equal(cn_commands_count(loop.commands), commands + 1);
    assert_true(cn_send(loop.pings, Ping, {1}));
    assert_int_equal(cn_event_count(loop.pings), COUNT + 1);
}

/* ---- In systems ---- */

static void run_loop(CnSystemContext *context)
{
    Loop with = loop;
    with.commands = context->commands;
    with.others = NULL;
    cn_query_parallel(context->query, context->jobs, record, &with);
}

static void hear(CnSystemContext *context)
{
    Heard *heard = cn_resource_mut(context->world, Heard);
    heard->sum = hash_pings(heard->sum);
}

static uint64_t run_in_system(uint32_t workers)
{
    CnJobPool *pool =
        cn_job_pool_create(&(CnJobPoolDesc){.workers = workers ? workers : CN_JOBS_NONE}, NULL);
    CnWorld *own = cn_world_create(NULL, NULL);
    fill(own);
    cn_resource_set(own, Heard, {0});
    const CnSystemDesc systems[] = {{.name = "record",
                                     .run = run_loop,
                                     .stage = CN_STAGE_UPDATE,
                                     .query = {.all = {cn_reads(Position)}},
                                     .access = {cn_writes(Ping)}},
                                    {.name = "hear",
                                     .run = hear,
                                     .stage = CN_STAGE_POST_UPDATE,
                                     .access = {cn_reads(Ping), cn_writes(Heard)}}};
    for (uint32_t i = 0; i < CN_COUNT_OF(systems); i++)
        assert_true(cn_system_add(own, &systems[i], NULL).id);
    cn_world_set_jobs(own, pool);
    for (uint32_t i = 0; i < 4; i++)
        assert_true(cn_world_update(own, 0.1f, NULL));
    assert_world_sound(own);
    assert_true(cn_resource(own, Heard)->sum != 0);
    uint64_t hash = cn_world_hash(own);
    cn_world_destroy(own);
    cn_job_pool_destroy(pool);
    return hash;
}

static void a_loop_of_a_system_records_the_same_with_any_number_of_threads(void **state)
{
    (void)state;
    uint64_t expected = run_in_system(worker_counts[0]);
    for (uint32_t i = 1; i < CN_COUNT_OF(worker_counts); i++)
        assert_true(run_in_system(worker_counts[i]) == expected);
}

/* ---- What is refused: guards report it, and without guards it is harmless ---- */

#ifndef CN_GUARDS
static void send_and_spawn(const CnChunkView *view, void *user, uint32_t lane)
{
    const Loop *with = user;
    (void)view, (void)lane;
    cn_send(with->pings, Ping, {1});
    cn_defer_spawn(with->commands, cn_with(Child, {1}));
}

static void loop_inside(const CnChunkView *view, void *user, uint32_t lane)
{
    (void)view, (void)lane;
    const Loop *with = user;
    cn_query_parallel(with->query, NULL, send_and_spawn, user);
}

static void a_loop_inside_of_a_loop_cannot_record_and_says_so(void **state)
{
    (void)state;
    CnJobPool *pool = cn_job_pool_create(&(CnJobPoolDesc){.workers = 3}, NULL);
    fill(world);
    uint64_t before = cn_world_stats(world).unhandled_errors;
    cn_query_parallel(loop.query, pool, loop_inside, &loop);
    assert_int_equal(cn_event_count(loop.pings), 0);
    assert_int_equal(cn_commands_count(loop.commands), 0);
    assert_true(cn_world_stats(world).unhandled_errors > before);
    cn_job_pool_destroy(pool);
}

static void run_foreign(CnSystemContext *context)
{
    cn_query_parallel(context->query, context->jobs, record, &loop);
}

static void a_loop_of_a_system_cannot_record_into_other_buffers_and_says_so(void **state)
{
    (void)state;
    CnJobPool *pool = cn_job_pool_create(&(CnJobPoolDesc){.workers = 3}, NULL);
    fill(world);
    assert_true(cn_system_add(world,
                              &(CnSystemDesc){.name = "foreign",
                                              .run = run_foreign,
                                              .stage = CN_STAGE_UPDATE,
                                              .query = {.all = {cn_reads(Position)}},
                                              .access = {cn_writes(Ping)}},
                              NULL)
                    .id);
    cn_world_set_jobs(world, pool);
    uint64_t before = cn_world_stats(world).unhandled_errors;
    assert_true(cn_world_update(world, 0.1f, NULL));
    assert_int_equal(cn_entity_count(world), COUNT);
    assert_true(cn_world_stats(world).unhandled_errors > before);
    assert_world_sound(world);
    cn_job_pool_destroy(pool);
}
#endif

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_free_loop_records_the_same_with_any_number_of_threads),
        WORLD_TEST(everything_that_a_free_loop_records_is_there),
        WORLD_TEST(what_is_recorded_after_the_loop_goes_to_the_buffer_and_channel_again),
        cmocka_unit_test(a_loop_of_a_system_records_the_same_with_any_number_of_threads),
#ifndef CN_GUARDS
        WORLD_TEST(a_loop_inside_of_a_loop_cannot_record_and_says_so),
        WORLD_TEST(a_loop_of_a_system_cannot_record_into_other_buffers_and_says_so),
#endif
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
