/* Out of memory where hooks are called: each is called for what really came or went. */
#include "../../unit/ecs/ecs_fixture.h"

#include "check_world.h"
#include "faulty_allocator.h"

CN_COMPONENT(Watched, (u32, value));
CN_COMPONENT(Likes, (f32, amount));
CN_COMPONENT(Wide, (u32, words, 100));

#define MOST_RUNS 2000u

static FaultyAllocator memory;
static uint32_t added, removed;

static void count_added(CnWorld *in, CnEntity entity, CnComponent component, void *user)
{
    (void)in, (void)entity, (void)component, (void)user;
    added++;
}

static void count_removed(CnWorld *in, CnEntity entity, CnComponent component, void *user)
{
    (void)user;
    assert_true(cn_has_component(in, entity, component));
    removed++;
}

static void begin(void)
{
    heap = cn_heap_create(NULL, NULL);
    memory = faulty_allocator(cn_heap_tag(heap, "world"));
    world = cn_world_create(&(CnWorldDesc){.allocator = &memory.base}, NULL);
    added = removed = 0;
    CnHooks hooks = {.on_add = {count_added, NULL}, .on_remove = {count_removed, NULL}};
    assert_true(cn_register(world, Watched, .hooks = hooks).id);
    assert_true(cn_register(world, Likes, .hooks = hooks).id);
    assert_true(cn_id(world, Wide).id && cn_id(world, Mass).id);
}

static void memory_is_back(void)
{
    memory.lasting = false;
    memory.fail_at = UINT64_MAX;
}

static void end(void)
{
    memory_is_back();
    assert_true(cn_flush(world));
    assert_world_sound(world);
    cn_world_destroy(world);
    world = NULL;
    assert_int_equal(cn_heap_stats(heap).live_blocks, 0);
    cn_heap_destroy(heap);
}

static void fail_after(uint64_t n)
{
    memory.fail_at = memory.calls + n;
    memory.lasting = true;
}

/* ---- Bulk ---- */

static bool remove_from_query(uint64_t n)
{
    begin();
    enum { COUNT = 200 };
    cn_spawn_many(world, COUNT, NULL, cn_with(Watched, {1}), cn_with(Wide, {{1}}));
    cn_spawn_many(world, COUNT, NULL, cn_with(Watched, {1}), cn_with(Mass, {1}));
    CnQuery *query = cn_query_acquire(world, &(CnQueryDesc){.all = {cn_reads(Watched)}}, NULL);
    assert_int_equal(added, 2 * COUNT);
    fail_after(n);
    bool done = cn_query_remove(query, cn_id(world, Watched));
    assert_world_sound(world);
    assert_int_equal(removed, 2 * COUNT - cn_query_count(query));
    memory_is_back();
    assert_true(cn_query_remove(query, cn_id(world, Watched)));
    assert_int_equal(removed, 2 * COUNT);
    end();
    return done;
}

static void a_query_removes_and_calls_hooks_alike(void **state)
{
    (void)state;
    uint64_t n = 0;
    QUIETLY({
        while (!remove_from_query(n))
            assert_true(++n < MOST_RUNS);
    });
    assert_true(n > 5);
}

static bool remove_tag_from_query(uint64_t n)
{
    begin();
    enum { COUNT = 300 };
    CnComponent frozen = cn_register(world, Frozen, .hooks = {.on_remove = {count_removed, NULL}});
    cn_spawn_many(world, COUNT, NULL, cn_with_tag(Frozen), cn_with(Wide, {{1}}));
    cn_spawn_many(world, 10, NULL, cn_with(Wide, {{1}}));
    CnQuery *query = cn_query_acquire(world, &(CnQueryDesc){.all = {cn_tag(Frozen)}}, NULL);
    fail_after(n);
    bool done = cn_query_remove(query, frozen);
    assert_world_sound(world);
    assert_int_equal(removed, COUNT - cn_query_count(query));
    end();
    return done;
}

static void a_query_hands_chunks_over_and_calls_hooks_alike(void **state)
{
    (void)state;
    uint64_t n = 0;
    QUIETLY({
        while (!remove_tag_from_query(n))
            assert_true(++n < MOST_RUNS);
    });
    assert_true(n > 2);
}

static bool set_in_query(uint64_t n)
{
    begin();
    enum { COUNT = 200 };
    cn_spawn_many(world, COUNT, NULL, cn_with(Mass, {1}));
    cn_spawn_many(world, COUNT, NULL, cn_with(Wide, {{1}}), cn_with(Mass, {1}));
    CnQuery *query = cn_query_acquire(world, &(CnQueryDesc){.all = {cn_reads(Mass)}}, NULL);
    CnQuery *watched = cn_query_acquire(world, &(CnQueryDesc){.all = {cn_reads(Watched)}}, NULL);
    fail_after(n);
    bool done = cn_query_set(query, cn_with(Watched, {2}));
    assert_world_sound(world);
    assert_int_equal(added, cn_query_count(watched));
    end();
    return done;
}

static void a_query_sets_and_calls_hooks_alike(void **state)
{
    (void)state;
    uint64_t n = 0;
    QUIETLY({
        while (!set_in_query(n))
            assert_true(++n < MOST_RUNS);
    });
    assert_true(n > 5);
}

static bool spawn_many_watched(uint64_t n)
{
    begin();
    enum { COUNT = 500 };
    fail_after(n);
    bool done = cn_spawn_many(world, COUNT, NULL, cn_with(Watched, {1}), cn_with(Wide, {{1}}));
    assert_int_equal(cn_entity_count(world), done ? COUNT : 0);
    assert_int_equal(added, done ? COUNT : 0);
    assert_int_equal(removed, 0);
    assert_world_sound(world);
    end();
    return done;
}

static void entities_are_spawned_all_or_none(void **state)
{
    (void)state;
    uint64_t n = 0;
    QUIETLY({
        while (!spawn_many_watched(n))
            assert_true(++n < MOST_RUNS);
    });
    assert_true(n > 5);
}

/* ---- Pairs ---- */

static bool kill_target(uint64_t n)
{
    begin();
    enum { COUNT = 100 };
    CnEntity target = cn_entity_create(world), fans[COUNT];
    CnComponent pair = cn_pair(world, cn_id(world, Likes), target);
    for (uint32_t i = 0; i < COUNT; i++) {
        fans[i] =
            i % 2 ? cn_spawn(world, cn_with(Wide, {{1}})) : cn_spawn(world, cn_with(Mass, {1}));
        assert_true(cn_set_component(world, fans[i], pair, &(Likes){1}));
    }
    assert_true(cn_add_component(world, target, pair));
    assert_int_equal(added, COUNT + 1);
    cn_world_trim(world); /* the archetypes that the fans come back to */
    uint64_t failures = memory.failures;
    fail_after(n);
    /* It cannot fail; what pairs are left go with the next flush. */
    assert_true(cn_destroy(world, target));
    assert_false(cn_is_alive(world, target));
    assert_world_sound(world);
    bool done = memory.failures == failures;
    memory_is_back();
    assert_true(cn_flush(world));
    for (uint32_t i = 0; i < COUNT; i++)
        assert_int_equal(cn_entity_components(world, fans[i], NULL, 0), 1);
    assert_int_equal(removed, COUNT + 1);
    end();
    return done;
}

static void a_target_dies_and_its_pairs_go_when_there_is_memory(void **state)
{
    (void)state;
    uint64_t n = 0;
    QUIETLY({
        while (!kill_target(n))
            assert_true(++n < MOST_RUNS);
    });
    assert_true(n > 3);
}

/* ---- Numbers that buffers have taken ---- */

static bool spawn_from_buffers(uint64_t n)
{
    begin();
    enum { BUFFERS = 3, COUNT = 300 };
    CnCommands *buffers[BUFFERS];
    static CnEntity spawned[BUFFERS * COUNT];
    uint32_t count = 0;
    for (uint32_t i = 0; i < BUFFERS; i++)
        buffers[i] = cn_commands_create(world, NULL);
    fail_after(n);
    uint64_t failures = memory.failures;
    for (uint32_t i = 0; i < COUNT; i++)
        for (uint32_t b = 0; b < BUFFERS; b++) {
            /* Settles what the buffers have taken, or fails to. */
            if (i % 50 == 49)
                cn_destroy(world, cn_entity_create(world));
            CnEntity e = cn_defer_spawn(buffers[b], cn_with(Mass, {1}));
            if (e.id)
                spawned[count++] = e;
        }
    bool flushed = cn_flush(world);
    assert_world_sound(world);
    bool done = memory.failures == failures;
    memory_is_back();
    cn_flush(world);
    assert_world_sound(world);
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t j = 0; j < i && i % 7 == 0; j++)
            assert_int_not_equal(spawned[i].id, spawned[j].id);
    assert_true(flushed ? cn_entity_count(world) == count : cn_entity_count(world) <= count);
    cn_commands_destroy(buffers[1]);
    end();
    return done;
}

static void buffers_never_hand_out_a_number_twice(void **state)
{
    (void)state;
    uint64_t n = 0;
    QUIETLY({
        while (!spawn_from_buffers(n))
            assert_true(++n < MOST_RUNS);
    });
    assert_true(n > 5);
}

static bool drop_buffer(uint64_t n)
{
    begin();
    CnCommands *a = cn_commands_create(world, NULL), *b = cn_commands_create(world, NULL);
    CnEntity first = cn_defer_spawn(a, cn_with(Mass, {1}));
    CnEntity second = cn_defer_spawn(b, cn_with(Mass, {2}));
    uint64_t failures = memory.failures;
    fail_after(n);
    cn_commands_destroy(a);
    assert_world_sound(world);
    bool done = memory.failures == failures;
    memory_is_back();
    CnEntity third = cn_defer_spawn(b, cn_with(Mass, {3}));
    assert_true(cn_flush(world));
    assert_false(cn_is_alive(world, first));
    assert_true(cn_is_alive(world, second) && cn_is_alive(world, third));
    for (uint32_t i = 0; i < 5000; i++)
        assert_int_not_equal(cn_entity_create(world).id, first.id);
    end();
    return done;
}

static void a_buffer_that_cannot_go_at_once_goes_later(void **state)
{
    (void)state;
    uint64_t n = 0;
    QUIETLY({
        while (!drop_buffer(n))
            assert_true(++n < MOST_RUNS);
    });
    assert_true(n > 0);
}

/* ---- Destroying ---- */

static void destroying_needs_no_memory(void **state)
{
    (void)state;
    enum { COUNT = 5000 };
    static CnEntity entities[COUNT];
    begin();
    assert_true(cn_spawn_many(world, COUNT, entities, cn_with(Watched, {1})));
    for (uint32_t i = 1; i < 100; i++)
        assert_true(cn_set_parent(world, entities[i], entities[i / 3]));
    fail_after(0);
    assert_true(cn_destroy(world, entities[0]));
    assert_int_equal(cn_entity_count(world), COUNT - 100);
    for (uint32_t i = 100; i < COUNT; i++)
        assert_true(cn_destroy(world, entities[i]));
    assert_int_equal(removed, COUNT);
    assert_world_sound(world);
    /* Their numbers are not lost. */
    memory_is_back();
    assert_true(cn_spawn_many(world, COUNT, entities, cn_with(Mass, {1})));
    for (uint32_t i = 0; i < COUNT; i++)
        assert_true(cn_entity_index(entities[i]) < 2 * 4096);
    end();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_query_removes_and_calls_hooks_alike),
        cmocka_unit_test(a_query_hands_chunks_over_and_calls_hooks_alike),
        cmocka_unit_test(a_query_sets_and_calls_hooks_alike),
        cmocka_unit_test(entities_are_spawned_all_or_none),
        cmocka_unit_test(a_target_dies_and_its_pairs_go_when_there_is_memory),
        cmocka_unit_test(buffers_never_hand_out_a_number_twice),
        cmocka_unit_test(a_buffer_that_cannot_go_at_once_goes_later),
        cmocka_unit_test(destroying_needs_no_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
