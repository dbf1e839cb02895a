/* test-labels: threads
 *
 * What split systems record: events, signals, commands and spawned entities are the same, and in
 * the same order, for any number of threads. */
#include "check_world.h"
#include "ecs_fixture.h"

#include "jobs.h"

CN_COMPONENT(Hit, (u32, from), (f32, amount));
CN_COMPONENT(Spread, (u32, from), (f32, amount));
CN_COMPONENT(Number, (u32, value));
CN_COMPONENT(Spark, (u32, from));
CN_COMPONENT(Huge, (u32, from), (u8, bytes, 1000));

enum { COUNT = 20000 };

CN_SYSTEM(hit, (read, Number, n))
{
    CnChannel *channel = cn_channel(context->world, Hit);
    for (uint32_t i = 0; i < count; i++)
        if (n[i].value % 3 == 0)
            cn_send(channel, Hit, {n[i].value, 2});
}

CN_SYSTEM(spread, (read, Number, n))
{
    CnChannel *channel = cn_channel(context->world, Spread);
    for (uint32_t i = 0; i < count; i++)
        cn_send(channel, Spread, {n[i].value, (float)i});
}

CN_SYSTEM(burn, (read, Number, n))
{
    CnChannel *channel = cn_channel(context->world, Burning);
    for (uint32_t i = 0; i < count; i++)
        if (n[i].value % 2)
            cn_signal(channel);
}

CN_SYSTEM(spark, (read, Number, n))
{
    for (uint32_t i = 0; i < count; i++) {
        if (n[i].value % 7)
            continue;
        CnEntity e = cn_defer_spawn(context->commands, cn_with(Spark, {n[i].value}));
        cn_defer_set(context->commands, e, Health, {(int32_t)cn_entity_index(e), 1});
    }
}

CN_SYSTEM(fade, (read, Spark, s))
{
    for (uint32_t i = 0; i < count; i++)
        if (s[i].from % 2)
            cn_defer_destroy(context->commands, chunk->entities[i]);
}

static CnEntity root;

CN_SYSTEM(mark, (read, Number, n))
{
    for (uint32_t i = 0; i < count; i++) {
        if (n[i].value % 5 == 0)
            cn_defer_add(context->commands, chunk->entities[i], Enemy);
        if (n[i].value % 501 == 0)
            cn_defer_set(context->commands, chunk->entities[i], Huge, {.from = n[i].value});
        if (n[i].value % 100 == 1)
            cn_defer_set_parent(context->commands, chunk->entities[i], root);
    }
}

typedef struct Outcome {
    uint64_t hash, events, spread;
    uint32_t count, signals;
} Outcome;

static CnJobPool *pool;

static void build(CnWorld *w)
{
    cn_register(w, Spread, .layout = CN_LAYOUT_FIELDS);
    cn_register(w, Health);
    cn_register(w, Enemy);
    cn_register(w, Huge);
    cn_system(w, hit, .stage = CN_STAGE_UPDATE, .split = true, .access = {cn_writes(Hit)});
    cn_system(w, spread, .stage = CN_STAGE_UPDATE, .split = true, .access = {cn_writes(Spread)});
    cn_system(w, burn, .stage = CN_STAGE_UPDATE, .split = true, .access = {cn_writes(Burning)});
    cn_system(w, spark, .stage = CN_STAGE_UPDATE, .split = true);
    cn_system(w, fade, .stage = CN_STAGE_POST_UPDATE, .split = true);
    cn_system(w, mark, .stage = CN_STAGE_PRE_UPDATE, .split = true);
    cn_world_set_jobs(w, pool);
}

static void populate(CnWorld *w)
{
    root = cn_entity_create(w);
    for (uint32_t i = 0; i < COUNT; i++) {
        CnEntity e = cn_spawn(w, cn_with(Number, {i}));
        if (i % 4 == 0)
            cn_set(w, e, Position, {0});
    }
}

static void run(CnWorld *w, uint32_t ticks, Outcome *outcome)
{
    for (uint32_t i = 0; i < ticks; i++)
        assert_true(cn_world_update(w, 1, NULL));
    const CnChannel *hits = cn_channel(w, Hit), *spreads = cn_channel(w, Spread);
    *outcome = (Outcome){
        .hash = cn_world_hash(w),
        .events = cn_hash_bytes(cn_events(hits, Hit), cn_event_count(hits) * sizeof(Hit), 0),
        .spread = cn_hash_bytes(cn_event_field(spreads, Spread, from),
                                cn_event_count(spreads) * sizeof(uint32_t), 0),
        .count = cn_event_count(hits),
        .signals = cn_event_count(cn_channel(w, Burning)),
    };
}

static Outcome outcome_with(CnJobPool *jobs, uint32_t ticks)
{
    Outcome outcome;
    CnWorld *w = cn_world_create(NULL, NULL);
    pool = jobs;
    build(w);
    populate(w);
    run(w, ticks, &outcome);
    cn_world_destroy(w);
    return outcome;
}

static void what_split_systems_record_does_not_depend_on_the_threads(void **state)
{
    (void)state;
    Outcome alone = outcome_with(NULL, 5);
    assert_int_equal(alone.count, (COUNT + 2) / 3);
    assert_int_equal(alone.signals, COUNT / 2);
    for (uint32_t workers = 0; workers <= 4; workers += workers ? 3 : 1) {
        CnJobPool *jobs = create_pool(workers, 0);
        Outcome many = outcome_with(jobs, 5);
        assert_memory_equal(&many, &alone, sizeof many);
        cn_job_pool_destroy(jobs);
    }
}

static void the_events_of_a_split_system_are_in_the_order_of_its_rows(void **state)
{
    (void)state;
    CnJobPool *jobs = create_pool(3, 0);
    pool = jobs;
    build(world);
    for (uint32_t i = 0; i < COUNT; i++)
        cn_spawn(world, cn_with(Number, {i}));
    assert_true(cn_world_run_stage(world, CN_STAGE_UPDATE, 1, NULL));
    const CnChannel *hits = cn_channel(world, Hit);
    for (uint32_t i = 0; i < cn_event_count(hits); i++)
        assert_int_equal(cn_events(hits, Hit)[i].from, 3 * i);
    cn_world_set_jobs(world, NULL);
    cn_job_pool_destroy(jobs);
}

static void ids_of_spawned_entities_are_good_at_once(void **state)
{
    (void)state;
    CnJobPool *jobs = create_pool(3, 0);
    pool = jobs;
    build(world);
    populate(world);
    for (int i = 0; i < 3; i++)
        assert_true(cn_world_update(world, 1, NULL));
    CnQuery *query =
        cn_query_acquire(world, &(CnQueryDesc){.all = {cn_reads(Spark), cn_reads(Health)}}, NULL);
    CnChunkView view;
    uint32_t found = 0;
    for (CnQueryIter it = cn_query_iter(query); cn_query_next(&it, &view);)
        for (uint32_t i = 0; i < view.count; i++, found++)
            assert_int_equal(cn_column_const(&view, Health)[i].now,
                             cn_entity_index(view.entities[i]));
    assert_in_range(found, 1000, COUNT);
    cn_world_set_jobs(world, NULL);
    cn_job_pool_destroy(jobs);
}

static void a_loaded_world_goes_on_like_the_one_that_was_saved(void **state)
{
    (void)state;
    Outcome outcomes[2];
    CnSnapshot snapshot = {0};
    CnWorld *other = cn_world_create(NULL, NULL);
    pool = NULL;
    build(world);
    populate(world);
    run(world, 3, &outcomes[0]);
    assert_true(cn_world_save(world, &snapshot, NULL));
    CnJobPool *jobs = create_pool(3, 0);
    pool = jobs;
    build(other);
    uint32_t count;
    for (int stage = 0; stage < CN_STAGE_COUNT; stage++) /* buffers take their places */
        cn_stage_systems(other, (CnStage)stage, NULL, 0, &count, NULL);
    assert_true(cn_world_load(other, snapshot.bytes, snapshot.size, NULL));
    run(world, 3, &outcomes[0]);
    run(other, 3, &outcomes[1]);
    assert_memory_equal(&outcomes[0], &outcomes[1], sizeof outcomes[0]);
    cn_snapshot_free(&snapshot);
    cn_world_destroy(other);
    cn_job_pool_destroy(jobs);
}

static void what_does_not_fit_the_channel_is_dropped_as_on_one_thread(void **state)
{
    (void)state;
    uint64_t dropped[2], kept[2];
    CnJobPool *jobs = create_pool(3, 0);
    for (int i = 0; i < 2; i++) {
        CnWorld *w = cn_world_create(NULL, NULL);
        pool = i ? jobs : NULL;
        build(w);
        populate(w);
        CnChannel *hits =
            cn_channel_open(w, &(CnChannelDesc){.type = &cn_type_Hit, .max_events = 100});
        CnChannel *burning =
            cn_channel_open(w, &(CnChannelDesc){.type = &cn_type_Burning, .max_events = 77});
        QUIETLY(cn_world_update(w, 1, NULL));
        assert_int_equal(cn_event_count(hits), 100);
        assert_int_equal(cn_event_count(burning), 77);
        dropped[i] = cn_world_stats(w).dropped_events;
        kept[i] = cn_hash_bytes(cn_events(hits, Hit), 100 * sizeof(Hit), 0);
        cn_world_destroy(w);
    }
    assert_int_equal(dropped[0], (COUNT + 2) / 3 - 100 + COUNT / 2 - 77);
    assert_int_equal(dropped[1], dropped[0]);
    assert_int_equal(kept[1], kept[0]);
    cn_job_pool_destroy(jobs);
}

static void a_split_system_that_records_allocates_nothing_once_it_is_warm(void **state)
{
    (void)state;
    CnJobPool *jobs = create_pool(3, 0);
    pool = jobs;
    cn_system(world, hit, .stage = CN_STAGE_UPDATE, .split = true, .access = {cn_writes(Hit)});
    cn_system(world, spark, .stage = CN_STAGE_UPDATE, .split = true);
    cn_system(world, fade, .stage = CN_STAGE_POST_UPDATE, .split = true);
    cn_register(world, Health);
    cn_world_set_jobs(world, jobs);
    for (uint32_t i = 0; i < COUNT; i++)
        cn_spawn(world, cn_with(Number, {i / 7 * 14 + 7})); /* all sparks fade */
    for (int i = 0; i < 8; i++)
        assert_true(cn_world_update(world, 1, NULL));
    uint64_t before = cn_heap_stats(heap).calls;
    for (int i = 0; i < 8; i++)
        assert_true(cn_world_update(world, 1, NULL));
    assert_int_equal(cn_heap_stats(heap).calls, before);
    cn_world_set_jobs(world, NULL);
    cn_job_pool_destroy(jobs);
}

static void numbers_that_no_share_has_used_are_not_lost(void **state)
{
    (void)state;
    cn_register(world, Spark);
    cn_register(world, Health);
    cn_system(world, spark, .stage = CN_STAGE_UPDATE, .split = true);
    for (uint32_t i = 0; i < COUNT; i++)
        cn_spawn(world, cn_with(Number, {i}));
    for (int i = 0; i < 4; i++)
        assert_true(cn_world_update(world, 1, NULL));
    assert_world_sound(world);
}

#ifndef CN_GUARDS /* which report the missing declaration */
static void events_of_a_channel_that_was_not_declared_arrive(void **state)
{
    (void)state;
    CnWorld *w = cn_world_create(NULL, NULL);
    cn_system(w, hit, .stage = CN_STAGE_UPDATE, .split = true);
    cn_spawn(w, cn_with(Number, {3}));
    assert_true(cn_world_update(w, 1, NULL));
    assert_int_equal(cn_event_count(cn_channel(w, Hit)), 1);
    cn_world_destroy(w);
}
#endif

CN_SYSTEM(strip, (read, Number, n))
{
    for (uint32_t i = 0; i < count; i++) {
        cn_defer_set(context->commands, chunk->entities[i], Health, {(int32_t)n[i].value, 1});
        cn_defer_remove_many(context->commands, chunk->entities[i], Health, Enemy);
    }
}

static void removing_several_components_follows_what_was_recorded_before(void **state)
{
    (void)state;
    CnJobPool *jobs = create_pool(3, 0);
    cn_register(world, Health);
    cn_register(world, Enemy);
    cn_system(world, strip, .stage = CN_STAGE_UPDATE, .split = true);
    cn_world_set_jobs(world, jobs);
    for (uint32_t i = 0; i < COUNT; i++)
        cn_spawn(world, cn_with(Number, {i}), cn_with_tag(Enemy));
    assert_true(cn_world_update(world, 1, NULL));
    CnQuery *left =
        cn_query_acquire(world, &(CnQueryDesc){.any = {cn_tag(Health), cn_tag(Enemy)}}, NULL);
    CnChunkView view;
    for (CnQueryIter it = cn_query_iter(left); cn_query_next(&it, &view);)
        fail_msg("%u entities have kept a component", view.count);
    cn_world_set_jobs(world, NULL);
    cn_job_pool_destroy(jobs);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        WORLD_TEST(what_split_systems_record_does_not_depend_on_the_threads),
        WORLD_TEST(the_events_of_a_split_system_are_in_the_order_of_its_rows),
        WORLD_TEST(ids_of_spawned_entities_are_good_at_once),
        WORLD_TEST(a_loaded_world_goes_on_like_the_one_that_was_saved),
        WORLD_TEST(what_does_not_fit_the_channel_is_dropped_as_on_one_thread),
        WORLD_TEST(a_split_system_that_records_allocates_nothing_once_it_is_warm),
        WORLD_TEST(numbers_that_no_share_has_used_are_not_lost),
        WORLD_TEST(removing_several_components_follows_what_was_recorded_before),
#ifndef CN_GUARDS
        cmocka_unit_test(events_of_a_channel_that_was_not_declared_arrive),
#endif
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
