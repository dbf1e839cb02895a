#include "world_internals.h"

enum { MANY = 3000 };

static CnEntity entities[MANY];

static CnQuery *with_health(void)
{
    return cn_query_acquire(world, &(CnQueryDesc){.all = {cn_tag(Health)}}, NULL);
}

/* Each entity knows its number: Health.now and Position.x are it. */
static void spawn_numbered(uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        entities[i] =
            cn_spawn(world, cn_with(Health, {(int32_t)i, 0}), cn_with(Position, {(float)i, 0, 0}));
}

static void assert_numbered(uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        assert_true(cn_is_alive(world, entities[i]));
        assert_entity_equal(
            cni_ecs_chunk_entities(chunk_of(entities[i]))[place_of(entities[i]).row], entities[i]);
        Health health;
        assert_true(cn_read(world, entities[i], Health, &health));
        assert_int_equal(health.now, i);
        assert_number_equal(cn_get(world, entities[i], Position)->x, i);
    }
}

/* ---- Spawning ---- */

static void many_entities_are_spawned_at_once(void **state)
{
    (void)state;
    assert_true(cn_spawn_many(world, MANY, entities, cn_with(Health, {3, 4}), cn_with_tag(Enemy)));
    assert_int_equal(cn_entity_count(world), MANY);
    for (int i = 0; i < MANY; i++) {
        assert_true(cn_is_alive(world, entities[i]));
        assert_int_equal(cn_get(world, entities[i], Health)->most, 4);
        assert_true(cn_has(world, entities[i], Enemy));
    }
}

static void each_of_many_takes_its_value_from_an_array(void **state)
{
    (void)state;
    static Health values[MANY];
    static Position places[MANY];
    cn_register(world, Position, .layout = CN_LAYOUT_FIELDS);
    for (int i = 0; i < MANY; i++) {
        values[i] = (Health){i, -i};
        places[i] = (Position){(float)i, 1, (float)-i};
    }
    cn_spawn(world, cn_with(Health, {0}), cn_with(Position, {0})); /* not the first row */
    assert_true(cn_spawn_many(world, MANY, entities, cn_with_array(Health, values),
                              cn_with_array(Position, places), cn_with(Mass, {7})));
    for (int i = 0; i < MANY; i++) {
        Position p;
        assert_true(cn_read(world, entities[i], Position, &p));
        assert_int_equal(cn_get(world, entities[i], Health)->most, -i);
        assert_number_equal(p.z, -i);
        assert_number_equal(cn_get(world, entities[i], Mass)->kilograms, 7);
    }
}

/* More than the caches hold is written past them: see spawn_many.c. */
static void a_very_large_crowd_keeps_each_value(void **state)
{
    (void)state;
    const uint32_t count = 400000;
    CnAllocator *allocator = cn_heap_tag(heap, "test");
    CnEntity *crowd = cn_alloc(allocator, count * sizeof *crowd);
    Position *positions = cn_alloc(allocator, count * sizeof *positions);
    for (uint32_t i = 0; i < count; i++)
        positions[i] = (Position){(float)i, 1, -(float)i};
    cn_spawn(world, cn_with(Position, {0}), cn_with(Velocity, {0})); /* columns start unaligned */
    assert_true(cn_spawn_many(world, count, crowd, cn_with_array(Position, positions),
                              cn_with(Velocity, {4, 5, 6})));
    for (uint32_t i = 0; i < count; i++) {
        const Position *position = cn_get(world, crowd[i], Position);
        if (position->x != (float)i || position->z != -(float)i ||
            cn_get(world, crowd[i], Velocity)->z != 6)
            fail_msg("entity %u has wrong values", i);
    }
    assert_int_equal(cn_entity_count(world), count + 1);
    cn_free(allocator, crowd, count * sizeof *crowd);
    cn_free(allocator, positions, count * sizeof *positions);
}

static void many_without_a_value_take_the_default(void **state)
{
    (void)state;
    cn_register(world, Health, .default_value = &(Health){50, 60});
    cn_destroy(world, cn_spawn(world, cn_with(Health, {1, 1}))); /* leaves a used row */
    assert_true(cn_spawn_many(world, 100, entities, cn_with_default(Health)));
    assert_int_equal(cn_get(world, entities[0], Health)->now, 50);
    assert_int_equal(cn_get(world, entities[99], Health)->most, 60);
}

static void the_list_of_ids_may_be_left_out(void **state)
{
    (void)state;
    assert_true(cn_spawn_many(world, 100, NULL, cn_with(Health, {0})));
    assert_true(cn_spawn_many_values(world, 100, NULL, NULL, 0));
    assert_int_equal(cn_entity_count(world), 200);
}

static void spawning_none_of_many_succeeds(void **state)
{
    (void)state;
    assert_true(cn_spawn_many(world, 0, entities, cn_with(Health, {0})));
    assert_int_equal(cn_entity_count(world), 0);
}

static void bulk_spawning_reuses_slots_with_new_generations(void **state)
{
    (void)state;
    static CnEntity old[MANY];
    cn_spawn_many(world, MANY, old, cn_with(Health, {0}));
    cn_destroy_many(world, old, MANY);
    cn_spawn_many(world, MANY, entities, cn_with(Health, {0}));
    for (int i = 0; i < MANY; i++) {
        assert_true(cn_entity_index(entities[i]) < MANY);
        assert_int_not_equal(cn_entity_generation(entities[i]), cn_entity_generation(old[0]));
        assert_false(cn_is_alive(world, old[i]));
    }
}

/* ---- Setting ---- */

static void a_whole_query_gets_a_component(void **state)
{
    (void)state;
    spawn_numbered(MANY);
    assert_true(cn_query_set(with_health(), cn_with(Velocity, {1, 2, 3})));
    for (int i = 0; i < MANY; i++)
        assert_number_equal(cn_get(world, entities[i], Velocity)->z, 3);
    assert_numbered(MANY);
}

static void a_whole_query_gets_the_default(void **state)
{
    (void)state;
    spawn_numbered(100);
    cn_register(world, Mass, .default_value = &(Mass){9});
    assert_true(cn_query_set(with_health(), cn_with_default(Mass)));
    assert_number_equal(cn_get(world, entities[99], Mass)->kilograms, 9);
}

static void what_is_there_is_overwritten_and_marked(void **state)
{
    (void)state;
    spawn_numbered(100);
    for (int i = 0; i < 100; i += 2)
        cn_set(world, entities[i], Mass, {1});
    uint64_t since = cn_world_tick(world);
    cn_world_advance_tick(world);
    assert_true(cn_query_set(with_health(), cn_with(Mass, {5})));
    for (int i = 0; i < 100; i++)
        assert_number_equal(cn_get(world, entities[i], Mass)->kilograms, 5);
    CnQuery *query = cn_query_acquire(world, &(CnQueryDesc){.all = {cn_reads(Mass)}}, NULL);
    CnChunkView view = {0};
    uint32_t rows = 0;
    for (CnQueryIter it = cn_query_iter_changed(query, since); cn_query_next(&it, &view);)
        rows += view.count;
    assert_int_equal(rows, 100);
    assert_numbered(100);
}

static void setting_a_query_reaches_all_its_archetypes_and_no_other(void **state)
{
    (void)state;
    spawn_numbered(300);
    for (int i = 0; i < 300; i += 3)
        cn_add(world, entities[i], Enemy);
    CnEntity outside = cn_spawn(world, cn_with(Position, {0}));
    assert_true(cn_query_set(with_health(), cn_with_tag(Burning)));
    for (int i = 0; i < 300; i++) {
        assert_true(cn_has(world, entities[i], Burning));
        assert_int_equal(cn_has(world, entities[i], Enemy), i % 3 == 0);
    }
    assert_false(cn_has(world, outside, Burning));
}

static void a_tag_moves_full_chunks_as_they_are(void **state)
{
    (void)state;
    spawn_numbered(MANY);
    CniEcsRowRef first = place_of(entities[0]), some = place_of(entities[1000]);
    uint8_t *data = chunk_of(entities[0])->data;
    assert_true(cn_query_set(with_health(), cn_with_tag(Enemy)));
    assert_int_equal(place_of(entities[0]).chunk, first.chunk);
    assert_int_equal(place_of(entities[1000]).row, some.row);
    assert_ptr_equal(chunk_of(entities[0])->data, data);
    assert_numbered(MANY);
    assert_true(cn_query_remove(with_health(), cn_id(world, Enemy)));
    assert_ptr_equal(chunk_of(entities[0])->data, data);
    assert_numbered(MANY);
}

static void whole_chunks_join_an_archetype_that_has_rows(void **state)
{
    (void)state;
    spawn_numbered(MANY);
    for (int i = 0; i < 10; i++)
        cn_add(world, entities[i * 100], Enemy);
    cn_query_set(with_health(), cn_with_tag(Enemy));
    assert_int_equal(
        cn_query_count(cn_query_acquire(world, &(CnQueryDesc){.all = {cn_tag(Enemy)}}, NULL)),
        MANY);
    assert_numbered(MANY);
    for (int i = 0; i < MANY; i += 2) /* rows still fill their holes */
        cn_remove(world, entities[i], Enemy);
    assert_numbered(MANY);
}

static void a_bulk_change_costs_no_move_per_entity(void **state)
{
    (void)state;
    spawn_numbered(MANY);
    CnQuery *query = with_health();
    cn_query_set(query, cn_with_tag(Enemy));
    cn_query_remove(query, cn_id(world, Enemy));
    uint32_t structure = structure_changes();
    uint64_t calls = heap_calls();
    cn_query_set(query, cn_with_tag(Enemy));
    cn_query_remove(query, cn_id(world, Enemy));
    assert_true(structure_changes() - structure <= 2);
    assert_int_equal(heap_calls(), calls);
}

static void bulk_changes_keep_components_laid_out_by_fields(void **state)
{
    (void)state;
    cn_register(world, Health, .layout = CN_LAYOUT_FIELDS);
    spawn_numbered(MANY);
    cn_query_set(with_health(), cn_with(Mass, {3}));
    assert_numbered(MANY);
    cn_query_set(with_health(), cn_with_tag(Enemy));
    cn_query_remove(with_health(), cn_id(world, Mass));
    assert_numbered(MANY);
}

static void setting_what_a_query_excludes_empties_it(void **state)
{
    (void)state;
    spawn_numbered(200);
    CnQuery *calm = cn_query_acquire(
        world, &(CnQueryDesc){.all = {cn_tag(Health)}, .none = {cn_tag(Enemy)}}, NULL);
    assert_true(cn_query_set(calm, cn_with_tag(Enemy)));
    assert_int_equal(cn_query_count(calm), 0);
    assert_int_equal(cn_query_count(with_health()), 200);
    assert_numbered(200);
}

/* ---- Removing ---- */

static void a_whole_query_loses_a_component(void **state)
{
    (void)state;
    spawn_numbered(MANY);
    for (int i = 0; i < MANY; i += 2)
        cn_set(world, entities[i], Mass, {1});
    assert_true(cn_query_remove(with_health(), cn_id(world, Mass)));
    for (int i = 0; i < MANY; i++)
        assert_false(cn_has(world, entities[i], Mass));
    assert_numbered(MANY);
}

static void removing_what_the_query_is_about_empties_it(void **state)
{
    (void)state;
    spawn_numbered(100);
    assert_true(cn_query_remove(with_health(), cn_id(world, Health)));
    assert_int_equal(cn_query_count(with_health()), 0);
    assert_true(cn_is_alive(world, entities[5]));
    assert_number_equal(cn_get(world, entities[5], Position)->x, 5);
}

static void removing_nothing_from_a_query_succeeds(void **state)
{
    (void)state;
    spawn_numbered(10);
    uint32_t structure = structure_changes();
    assert_true(cn_query_remove(with_health(), cn_id(world, Mass)));
    assert_true(cn_query_remove(with_health(), (CnComponent){0}));
    assert_int_equal(structure_changes(), structure);
}

/* ---- Destroying ---- */

static void a_whole_query_is_destroyed(void **state)
{
    (void)state;
    spawn_numbered(MANY);
    for (int i = 0; i < MANY; i += 3)
        cn_remove(world, entities[i], Health);
    assert_int_equal(cn_query_destroy_entities(with_health()), 2000);
    assert_int_equal(cn_entity_count(world), 1000);
    for (int i = 0; i < MANY; i++)
        assert_int_equal(cn_is_alive(world, entities[i]), i % 3 == 0);
    assert_number_equal(cn_get(world, entities[2997], Position)->x, 2997);
}

static void destroying_an_empty_query_destroys_no_entity(void **state)
{
    (void)state;
    assert_int_equal(cn_query_destroy_entities(with_health()), 0);
}

static void destroying_a_query_takes_children_along_and_counts_them(void **state)
{
    (void)state;
    CnEntity parent = cn_spawn(world, cn_with(Health, {0})), child = cn_entity_create(world);
    cn_set_parent(world, child, parent);
    assert_int_equal(cn_query_destroy_entities(with_health()), 2);
    assert_false(cn_is_alive(world, child));
}

static void slots_of_a_destroyed_query_are_free_again(void **state)
{
    (void)state;
    cn_spawn_many(world, MANY, entities, cn_with(Health, {0}));
    cn_query_destroy_entities(with_health());
    for (int i = 0; i < MANY; i++)
        assert_true(cn_entity_index(cn_entity_create(world)) < MANY);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        WORLD_TEST(a_very_large_crowd_keeps_each_value),
        WORLD_TEST(many_entities_are_spawned_at_once),
        WORLD_TEST(each_of_many_takes_its_value_from_an_array),
        WORLD_TEST(many_without_a_value_take_the_default),
        WORLD_TEST(the_list_of_ids_may_be_left_out),
        WORLD_TEST(spawning_none_of_many_succeeds),
        WORLD_TEST(bulk_spawning_reuses_slots_with_new_generations),
        WORLD_TEST(a_whole_query_gets_a_component),
        WORLD_TEST(a_whole_query_gets_the_default),
        WORLD_TEST(what_is_there_is_overwritten_and_marked),
        WORLD_TEST(setting_a_query_reaches_all_its_archetypes_and_no_other),
        WORLD_TEST(a_tag_moves_full_chunks_as_they_are),
        WORLD_TEST(whole_chunks_join_an_archetype_that_has_rows),
        WORLD_TEST(a_bulk_change_costs_no_move_per_entity),
        WORLD_TEST(bulk_changes_keep_components_laid_out_by_fields),
        WORLD_TEST(setting_what_a_query_excludes_empties_it),
        WORLD_TEST(a_whole_query_loses_a_component),
        WORLD_TEST(removing_what_the_query_is_about_empties_it),
        WORLD_TEST(removing_nothing_from_a_query_succeeds),
        WORLD_TEST(a_whole_query_is_destroyed),
        WORLD_TEST(destroying_an_empty_query_destroys_no_entity),
        WORLD_TEST(destroying_a_query_takes_children_along_and_counts_them),
        WORLD_TEST(slots_of_a_destroyed_query_are_free_again),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
