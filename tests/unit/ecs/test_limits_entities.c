/* Limits: the number of entities, generations and chunks, and the depth of trees. */
#include "ecs_fixture.h"

#include "check_world.h"

#include <string.h>

#define MILLIONS 4000000u

static CnQuery *movers(void)
{
    return cn_query_acquire(world, &(CnQueryDesc){.all = {cn_writes(Position)}}, NULL);
}

static uint64_t visit_all(CnQuery *query)
{
    uint64_t sum = 0;
    CnChunkView view = {0};
    for (CnQueryIter it = cn_query_iter(query); cn_query_next(&it, &view);) {
        Position *p = cn_column(&view, Position);
        for (uint32_t i = 0; i < view.count; i++) {
            p[i].x += 1;
            sum += cn_entity_index(view.entities[i]);
        }
    }
    return sum;
}

/* ---- Four million entities ---- */

static void four_million_entities_live_at_once(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < MILLIONS / 8; i++)
        assert_true(cn_spawn(world, cn_with(Position, {0, 0, 0})).id);
    assert_true(cn_spawn_many(world, MILLIONS - MILLIONS / 8, NULL, cn_with(Position, {0, 0, 0})));
    assert_int_equal(cn_entity_count(world), MILLIONS);
    CnQuery *query = movers();
    assert_int_equal(cn_query_count(query), MILLIONS);
    /* Every index once. */
    assert_int_equal(visit_all(query), (uint64_t)MILLIONS * (MILLIONS - 1) / 2);
    assert_int_equal(visit_all(query), (uint64_t)MILLIONS * (MILLIONS - 1) / 2);
}

/* Nothing is allocated: the count alone exceeds the limit. */
static void more_entities_than_the_limit_are_refused_without_allocating(void **state)
{
    (void)state;
    assert_true(cn_spawn_many(world, 1, NULL, cn_with(Position, {0, 0, 0})));
    uint64_t calls = cn_heap_stats(heap).calls;
    assert_false(cn_spawn_many(world, UINT32_MAX, NULL, cn_with(Position, {0, 0, 0})));
    assert_false(cn_spawn_many(world, CN_MAX_ENTITIES, NULL, cn_with(Position, {0, 0, 0})));
    assert_int_equal(cn_heap_stats(heap).calls, calls);
    assert_int_equal(cn_entity_count(world), 1);
}

static void four_million_entities_are_destroyed_one_by_one(void **state)
{
    (void)state;
    CnEntity *entities = cn_alloc(NULL, MILLIONS * sizeof *entities);
    assert_true(cn_spawn_many(world, MILLIONS, entities, cn_with(Position, {0, 0, 0})));
    /* A scattered order: the step and the number have no common factor. */
    for (uint64_t i = 0, at = 0; i < MILLIONS; i++, at = (at + 1299709) % MILLIONS)
        assert_true(cn_destroy(world, entities[at]));
    assert_int_equal(cn_entity_count(world), 0);
    assert_int_equal(cn_query_count(movers()), 0);
    for (uint32_t i = 0; i < MILLIONS; i += 997)
        assert_false(cn_is_alive(world, entities[i]));
    cn_free(NULL, entities, MILLIONS * sizeof *entities);
    assert_world_sound(world);
}

static void the_memory_of_four_million_entities_is_returned(void **state)
{
    (void)state;
    assert_true(cn_spawn_many(world, MILLIONS, NULL, cn_with(Position, {0, 0, 0}),
                              cn_with(Velocity, {0, 0, 0})));
    uint64_t full = cn_heap_stats(heap).live_bytes;
    assert_true(full >= (uint64_t)MILLIONS * (8 + 12 + 12 + 8));
    assert_int_equal(cn_query_destroy_entities(movers()), MILLIONS);
    cn_world_trim(world);
    /* The remaining memory: a slot and an entry of the free stack for each index. */
    uint64_t left = cn_heap_stats(heap).live_bytes;
    assert_true(left < (uint64_t)MILLIONS * 20);
    assert_int_equal(cn_world_stats(world).chunks, 0);
    assert_true(cn_spawn_many(world, MILLIONS, NULL, cn_with(Position, {0, 0, 0})));
    assert_int_equal(cn_entity_count(world), MILLIONS);
}

static void memory_is_returned_while_some_entities_stay(void **state)
{
    (void)state;
    CnEntity kept = cn_spawn(world, cn_with(Mass, {5}));
    assert_true(cn_spawn_many(world, 1000000, NULL, cn_with(Position, {0, 0, 0})));
    uint64_t full = cn_heap_stats(heap).live_bytes;
    cn_query_destroy_entities(movers());
    cn_world_trim(world);
    /* The rows were freed; the free stack grew. */
    assert_true(cn_heap_stats(heap).live_bytes < full - (uint64_t)1000000 * (20 - 6));
    assert_number_equal(cn_get(world, kept, Mass)->kilograms, 5);
    assert_world_sound(world);
}

/* ---- Generations ---- */

#define LAST_GENERATION UINT32_MAX

static void use_generation(uint32_t first)
{
    drop_world(NULL);
    assert_int_equal(make_world_from((CnWorldDesc){.first_generation = first}), 0);
}

static void a_slot_at_its_last_generation_is_retired(void **state)
{
    (void)state;
    use_generation(LAST_GENERATION);
    CnEntity e = cn_spawn(world, cn_with(Mass, {1}));
    assert_int_equal(cn_entity_generation(e), LAST_GENERATION);
    assert_true(cn_destroy(world, e));
    assert_int_equal(cn_world_stats(world).retired_slots, 1);
    CnEntity next = cn_entity_create(world);
    assert_int_not_equal(cn_entity_index(next), cn_entity_index(e));
    assert_world_sound(world);
}

static void a_slot_lives_until_its_last_generation(void **state)
{
    (void)state;
    use_generation(LAST_GENERATION - 6);
    CnEntity lives[4];
    for (uint32_t i = 0; i < 4; i++) {
        lives[i] = cn_entity_create(world);
        assert_int_equal(cn_entity_generation(lives[i]), LAST_GENERATION - 6 + 2 * i);
        assert_int_equal(cn_entity_index(lives[i]), cn_entity_index(lives[0]));
        assert_true(cn_destroy(world, lives[i]));
    }
    assert_int_equal(cn_world_stats(world).retired_slots, 1);
    assert_int_not_equal(cn_entity_index(cn_entity_create(world)), cn_entity_index(lives[0]));
}

static void every_id_of_a_retired_slot_stays_dead(void **state)
{
    (void)state;
    use_generation(LAST_GENERATION - 2);
    CnEntity e = cn_entity_create(world);
    cn_destroy(world, e);
    e = cn_entity_create(world);
    cn_destroy(world, e);
    for (uint32_t i = 0; i < 100; i++)
        cn_entity_create(world);
    uint32_t generations[] = {
        0, 1, 2, LAST_GENERATION - 3, LAST_GENERATION - 2, LAST_GENERATION - 1, LAST_GENERATION};
    for (uint32_t i = 0; i < CN_COUNT_OF(generations); i++) {
        CnEntity forged = cn_entity_make(cn_entity_index(e), generations[i]);
        assert_false(cn_is_alive(world, forged));
        assert_false(cn_destroy(world, forged));
        assert_false(cn_has(world, forged, Mass));
    }
    assert_int_equal(cn_entity_count(world), 100);
}

static void thousands_of_slots_retire(void **state)
{
    (void)state;
    use_generation(LAST_GENERATION);
    enum { COUNT = 10000 };
    for (uint32_t round = 1; round <= 3; round++) {
        assert_true(cn_spawn_many(world, COUNT, NULL, cn_with(Mass, {1})));
        CnQuery *query = cn_query_acquire(world, &(CnQueryDesc){.all = {cn_reads(Mass)}}, NULL);
        assert_int_equal(cn_query_destroy_entities(query), COUNT);
        assert_int_equal(cn_world_stats(world).retired_slots, COUNT * round);
    }
    assert_world_sound(world);
}

static void commands_respect_retired_slots(void **state)
{
    (void)state;
    use_generation(LAST_GENERATION);
    CnCommands *commands = cn_commands_create(world, NULL);
    cn_id(world, Mass);
    CnEntity first[100], second[100];
    for (uint32_t i = 0; i < 100; i++)
        first[i] = cn_defer_spawn(commands, cn_with(Mass, {1}));
    cn_flush(world);
    for (uint32_t i = 0; i < 100; i++)
        cn_defer_destroy(commands, first[i]);
    cn_flush(world);
    assert_int_equal(cn_world_stats(world).retired_slots, 100);
    for (uint32_t i = 0; i < 100; i++)
        second[i] = cn_defer_spawn(commands, cn_with(Mass, {2}));
    cn_flush(world);
    for (uint32_t i = 0; i < 100; i++) {
        assert_true(cn_is_alive(world, second[i]));
        assert_false(cn_is_alive(world, first[i]));
    }
    assert_int_equal(cn_entity_count(world), 100);
    assert_world_sound(world);
}

static void a_dropped_spawn_at_the_last_generation_retires_its_slot(void **state)
{
    (void)state;
    use_generation(LAST_GENERATION);
    CnCommands *commands = cn_commands_create(world, NULL);
    CnEntity promised = cn_defer_spawn_values(commands, NULL, 0);
    cn_commands_destroy(commands);
    for (uint32_t i = 0; i < 5000; i++)
        assert_int_not_equal(cn_entity_create(world).id, promised.id);
    assert_false(cn_is_alive(world, promised));
    assert_world_sound(world);
}

/* ---- Chunks ---- */

static void a_chunk_never_holds_more_than_4096_rows(void **state)
{
    (void)state;
    assert_true(cn_spawn_many_values(world, 100000, NULL, NULL, 0));
    CnQuery *all = cn_query_acquire(world, &(CnQueryDesc){.all = {{.type = NULL}}}, NULL);
    CnChunkView view = {0};
    uint32_t chunks = 0;
    for (CnQueryIter it = cn_query_iter(all); cn_query_next(&it, &view); chunks++) {
        assert_true(view.count <= CN_CHUNK_MAX_ROWS && view.count <= view.capacity);
        assert_true(chunks == 100000 / CN_CHUNK_MAX_ROWS || view.count == CN_CHUNK_MAX_ROWS);
    }
    assert_int_equal(chunks, 100000 / CN_CHUNK_MAX_ROWS + 1);
}

static void columns_are_aligned_at_every_size(void **state)
{
    (void)state;
    cn_id(world, Health);
    CnQuery *query = cn_query_acquire(
        world, &(CnQueryDesc){.all = {cn_reads(Position), cn_reads(Health)}}, NULL);
    for (uint32_t n = 1; n < 5000; n += 1 + n / 7) {
        cn_spawn_many(world, n, NULL, cn_with(Position, {1, 2, 3}), cn_with(Health, {1, 2}));
        CnChunkView view;
        for (CnQueryIter it = cn_query_iter(query); cn_query_next(&it, &view);) {
            assert_int_equal((uintptr_t)cn_column_const(&view, Position) % 64, 0);
            assert_int_equal((uintptr_t)cn_column_const(&view, Health) % 64, 0);
            assert_int_equal(view.capacity % CN_CHUNK_MIN_ROWS, 0);
        }
    }
    assert_world_sound(world);
}

static void growing_one_by_one_through_many_chunks_keeps_every_row(void **state)
{
    (void)state;
    enum { COUNT = 20000 };
    static CnEntity entities[COUNT];
    for (uint32_t i = 0; i < COUNT; i++) {
        entities[i] = cn_spawn(world, cn_with(Health, {(int32_t)i, -(int32_t)i}));
        if (i % 3 == 2)
            cn_destroy(world, entities[i - 1]);
    }
    for (uint32_t i = 0; i < COUNT; i++)
        if (i % 3 != 1 || i == COUNT - 1)
            assert_int_equal(cn_get(world, entities[i], Health)->now, (int32_t)i);
    assert_world_sound(world);
}

static void full_chunks_without_columns_are_handed_over(void **state)
{
    (void)state;
    enum { COUNT = 3 * CN_CHUNK_MAX_ROWS + 100 };
    assert_true(cn_spawn_many(world, COUNT, NULL, cn_with_tag(Enemy)));
    assert_true(cn_spawn_many(world, 50, NULL, cn_with_tag(Enemy), cn_with_tag(Frozen)));
    CnQuery *enemies = cn_query_acquire(world, &(CnQueryDesc){.all = {cn_tag(Enemy)}}, NULL);
    CnQuery *frozen = cn_query_acquire(world, &(CnQueryDesc){.all = {cn_tag(Frozen)}}, NULL);
    assert_true(cn_query_set(enemies, cn_with_tag(Frozen)));
    assert_int_equal(cn_query_count(frozen), COUNT + 50);
    assert_world_sound(world);
    assert_true(cn_query_remove(frozen, cn_id(world, Frozen)));
    assert_int_equal(cn_query_count(frozen), 0);
    assert_int_equal(cn_query_count(enemies), COUNT + 50);
    assert_world_sound(world);
}

/* ---- Trees ---- */

static void a_chain_of_a_hundred_thousand_generations_is_destroyed(void **state)
{
    (void)state;
    enum { DEPTH = 100000 };
    CnEntity root = cn_entity_create(world), parent = root;
    for (uint32_t i = 1; i < DEPTH; i++) {
        CnEntity child = cn_entity_create(world);
        assert_true(cn_set_parent(world, child, parent));
        assert_int_equal(cn_depth(world, child), i);
        parent = child;
    }
    CnTreeOrder order;
    assert_true(cn_tree_order(world, &order));
    assert_int_equal(order.count, DEPTH);
    assert_true(cn_destroy(world, root));
    assert_int_equal(cn_entity_count(world), 0);
    assert_world_sound(world);
}

static void a_parent_may_have_a_hundred_thousand_children(void **state)
{
    (void)state;
    enum { CHILDREN = 100000 };
    CnEntity parent = cn_entity_create(world);
    for (uint32_t i = 0; i < CHILDREN; i++)
        assert_true(cn_set_parent(world, cn_entity_create(world), parent));
    assert_int_equal(cn_child_count(world, parent), CHILDREN);
    for (uint32_t i = 0; i < CHILDREN / 2; i++)
        assert_true(cn_destroy(world, cn_first_child(world, parent)));
    assert_int_equal(cn_child_count(world, parent), CHILDREN / 2);
    assert_world_sound(world);
    assert_true(cn_destroy(world, parent));
    assert_int_equal(cn_entity_count(world), 0);
}

int main(void)
{
    const struct CMUnitTest limits[] = {
        WORLD_TEST(four_million_entities_live_at_once),
        WORLD_TEST(more_entities_than_the_limit_are_refused_without_allocating),
        WORLD_TEST(four_million_entities_are_destroyed_one_by_one),
        WORLD_TEST(the_memory_of_four_million_entities_is_returned),
        WORLD_TEST(memory_is_returned_while_some_entities_stay),
        WORLD_TEST(a_slot_at_its_last_generation_is_retired),
        WORLD_TEST(a_slot_lives_until_its_last_generation),
        WORLD_TEST(every_id_of_a_retired_slot_stays_dead),
        WORLD_TEST(thousands_of_slots_retire),
        WORLD_TEST(commands_respect_retired_slots),
        WORLD_TEST(a_dropped_spawn_at_the_last_generation_retires_its_slot),
        WORLD_TEST(a_chunk_never_holds_more_than_4096_rows),
        WORLD_TEST(columns_are_aligned_at_every_size),
        WORLD_TEST(growing_one_by_one_through_many_chunks_keeps_every_row),
        WORLD_TEST(full_chunks_without_columns_are_handed_over),
        WORLD_TEST(a_chain_of_a_hundred_thousand_generations_is_destroyed),
        WORLD_TEST(a_parent_may_have_a_hundred_thousand_children),
    };
    return cmocka_run_group_tests(limits, NULL, NULL);
}
