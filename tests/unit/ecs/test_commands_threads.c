/* test-labels: threads */
/*
 * Recording into several buffers at once: ids and the world after the flush depend on the buffers
 * and their commands, never on the recording threads or on timing.
 */
#include "ecs_fixture.h"
#include "random.h"

#include <string.h>

enum { BUFFERS = 6, ROUNDS = 6, STEPS = 700, KEPT = 4000 };

typedef struct Recorder {
    CnCommands *commands;
    TestRandom random;
    CnEntity own[KEPT]; /* spawned by this buffer */
    uint32_t count;
} Recorder;

typedef struct Crowd {
    CnWorld *world;
    Recorder recorders[BUFFERS];
    CnEntity shared[64]; /* made before, changed by all */
} Crowd;

static void crowd_init(Crowd *crowd)
{
    memset(crowd, 0, sizeof *crowd);
    crowd->world = cn_world_create(NULL, NULL);
    cn_register(crowd->world, Position);
    cn_register(crowd->world, Health);
    cn_register(crowd->world, Mass, .layout = CN_LAYOUT_FIELDS);
    cn_register(crowd->world, Enemy);
    cn_register(crowd->world, Frozen);
    cn_spawn_many(crowd->world, 64, crowd->shared, cn_with(Health, {1, 1}));
    for (uint32_t b = 0; b < BUFFERS; b++) {
        crowd->recorders[b].commands = cn_commands_create(crowd->world, NULL);
        crowd->recorders[b].random.state = b + 1;
    }
}

static void record_step(Recorder *recorder, const CnEntity *shared)
{
    CnCommands *commands = recorder->commands;
    TestRandom *random = &recorder->random;
    uint32_t kind = test_random_below(random, 10);
    int32_t number = (int32_t)test_random_below(random, 1000);
    if (kind < 4 && recorder->count < KEPT) {
        CnEntity made = kind ? cn_defer_spawn(commands, cn_with(Health, {number, 0}))
                             : cn_defer_spawn(commands, cn_with(Position, {1, 2, 3}),
                                              cn_with(Mass, {(double)number}));
        recorder->own[recorder->count++] = made;
        return;
    }
    bool own = recorder->count && kind != 9;
    uint32_t place = test_random_below(random, own ? recorder->count : 64);
    CnEntity target = own ? recorder->own[place] : shared[place];
    if (kind < 6)
        cn_defer_set(commands, target, Health, {number, number});
    else if (kind == 6)
        cn_defer_add(commands, target, Enemy);
    else if (kind == 7)
        cn_defer_remove(commands, target, Health);
    else if (kind == 8 && own)
        cn_defer_destroy(commands, target);
    else
        cn_defer_set(commands, target, Mass, {(double)number});
}

static void record_buffer(void *data, uint32_t begin, uint32_t end, uint32_t lane)
{
    Crowd *crowd = data;
    (void)lane;
    for (uint32_t b = begin; b < end; b++)
        for (int i = 0; i < STEPS; i++)
            record_step(&crowd->recorders[b], crowd->shared);
}

/* The same commands, the buffers taking turns step by step. */
static void record_interleaved(Crowd *crowd)
{
    for (int i = 0; i < STEPS; i++)
        for (uint32_t b = BUFFERS; b-- > 0;)
            record_step(&crowd->recorders[b], crowd->shared);
}

static void assert_same_value(CnWorld *a, CnWorld *b, CnEntity entity, CnComponent component)
{
    uint8_t left[64] = {0}, right[64] = {0};
    assert_int_equal(cn_read_component(a, entity, component, left),
                     cn_read_component(b, entity, component, right));
    assert_memory_equal(left, right, sizeof left);
}

/* Entities, components, values, and the order of storage. */
static void assert_same_world(CnWorld *a, CnWorld *b)
{
    CnQuery *all_a = cn_query_acquire(a, &(CnQueryDesc){.none = {{0}}}, NULL);
    CnQuery *all_b = cn_query_acquire(b, &(CnQueryDesc){.none = {{0}}}, NULL);
    assert_int_equal(cn_query_count(all_a), cn_query_count(all_b));
    CnChunkView view_a = {0}, view_b = {0};
    CnQueryIter it_a = cn_query_iter(all_a), it_b = cn_query_iter(all_b);
    while (cn_query_next(&it_a, &view_a)) {
        assert_true(cn_query_next(&it_b, &view_b));
        assert_int_equal(view_a.count, view_b.count);
        for (uint32_t row = 0; row < view_a.count; row++) {
            CnEntity entity = view_a.entities[row];
            assert_entity_equal(entity, view_b.entities[row]);
            CnComponent left[8] = {{0}}, right[8] = {{0}};
            uint32_t count = cn_entity_components(a, entity, left, 8);
            assert_int_equal(cn_entity_components(b, entity, right, 8), count);
            assert_memory_equal(left, right, sizeof left);
            for (uint32_t i = 0; i < count; i++)
                assert_same_value(a, b, entity, left[i]);
        }
    }
    assert_false(cn_query_next(&it_b, &view_b));
}

static void assert_same_ids(const Crowd *a, const Crowd *b)
{
    for (uint32_t i = 0; i < BUFFERS; i++) {
        assert_int_equal(a->recorders[i].count, b->recorders[i].count);
        assert_memory_equal(a->recorders[i].own, b->recorders[i].own,
                            a->recorders[i].count * sizeof(CnEntity));
    }
}

static Crowd first, second;

static void many_threads_give_the_ids_and_the_world_that_one_gives(void **state)
{
    (void)state;
    CnJobPool *pool = cn_job_pool_create(&(CnJobPoolDesc){.workers = 3}, NULL);
    crowd_init(&first);
    crowd_init(&second);
    for (int round = 0; round < ROUNDS; round++) {
        record_buffer(&first, 0, BUFFERS, 0);
        cn_job_parallel_for(pool, BUFFERS, 1, record_buffer, &second);
        assert_same_ids(&first, &second);
        assert_true(cn_flush(first.world));
        assert_true(cn_flush(second.world));
        assert_same_world(first.world, second.world);
    }
    assert_true(cn_entity_count(first.world) > 1000);
    assert_true(cn_world_stats(first.world).skipped_commands > 0);
    assert_int_equal(cn_world_stats(first.world).skipped_commands,
                     cn_world_stats(second.world).skipped_commands);
    cn_world_destroy(first.world);
    cn_world_destroy(second.world);
    cn_job_pool_destroy(pool);
}

static void the_interleaving_of_buffers_does_not_matter(void **state)
{
    (void)state;
    crowd_init(&first);
    crowd_init(&second);
    for (int round = 0; round < ROUNDS; round++) {
        record_buffer(&first, 0, BUFFERS, 0);
        record_interleaved(&second);
        assert_same_ids(&first, &second);
        cn_flush(first.world);
        cn_flush(second.world);
        assert_same_world(first.world, second.world);
    }
    cn_world_destroy(first.world);
    cn_world_destroy(second.world);
}

static void all_spawned_ids_are_different(void **state)
{
    (void)state;
    CnJobPool *pool = cn_job_pool_create(&(CnJobPoolDesc){.workers = 3}, NULL);
    crowd_init(&first);
    for (int round = 0; round < ROUNDS; round++) {
        cn_job_parallel_for(pool, BUFFERS, 1, record_buffer, &first);
        assert_true(cn_flush(first.world));
    }
    for (uint32_t a = 0; a < BUFFERS; a++)
        for (uint32_t b = 0; b < a; b++)
            for (uint32_t i = 0; i < first.recorders[a].count; i += 7)
                for (uint32_t j = 0; j < first.recorders[b].count; j++)
                    assert_false(
                        cn_entity_equal(first.recorders[a].own[i], first.recorders[b].own[j]));
    cn_world_destroy(first.world);
    cn_job_pool_destroy(pool);
}

typedef struct Reader {
    CnWorld *world;
    CnQuery *query;
    CnCommands *commands[4];
} Reader;

static void mark_weak(const CnChunkView *view, void *user, uint32_t lane)
{
    Reader *reader = user;
    const Health *health = cn_column_const(view, Health);
    for (uint32_t i = 0; i < view->count; i++)
        if (health[i].now < 10)
            cn_defer_add(reader->commands[lane], view->entities[i], Frozen);
}

static void lanes_of_a_parallel_query_record_into_buffers_of_their_own(void **state)
{
    (void)state;
    CnJobPool *pool = cn_job_pool_create(&(CnJobPoolDesc){.workers = 3}, NULL);
    Reader reader = {.world = cn_world_create(NULL, NULL)};
    cn_register(reader.world, Frozen);
    for (int i = 0; i < 30000; i++)
        cn_spawn(reader.world, cn_with(Health, {i % 100, 100}));
    reader.query = cn_query_acquire(reader.world, &(CnQueryDesc){.all = {cn_reads(Health)}}, NULL);
    for (int i = 0; i < 4; i++)
        reader.commands[i] = cn_commands_create(reader.world, NULL);
    cn_query_parallel(reader.query, pool, mark_weak, &reader);
    assert_true(cn_flush(reader.world));
    CnQuery *frozen = cn_query_acquire(reader.world, &(CnQueryDesc){.all = {cn_tag(Frozen)}}, NULL);
    assert_int_equal(cn_query_count(frozen), 3000);
    cn_world_destroy(reader.world);
    cn_job_pool_destroy(pool);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(many_threads_give_the_ids_and_the_world_that_one_gives),
        cmocka_unit_test(the_interleaving_of_buffers_does_not_matter),
        cmocka_unit_test(all_spawned_ids_are_different),
        cmocka_unit_test(lanes_of_a_parallel_query_record_into_buffers_of_their_own),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
