#include "world_internals.h"

/* ---- Ids ---- */

static void an_id_packs_index_and_generation(void **state)
{
    (void)state;
    CnEntity entity = cn_entity_make(0x12345678u, 0x9abcdef1u);
    assert_int_equal(entity.id, 0x9abcdef112345678u);
    assert_int_equal(cn_entity_index(entity), 0x12345678u);
    assert_int_equal(cn_entity_generation(entity), 0x9abcdef1u);
}

static void index_and_generation_use_all_32_bits(void **state)
{
    (void)state;
    CnEntity entity = cn_entity_make(UINT32_MAX, UINT32_MAX);
    assert_int_equal(cn_entity_index(entity), UINT32_MAX);
    assert_int_equal(cn_entity_generation(entity), UINT32_MAX);
}

static void ids_are_compared_as_a_whole(void **state)
{
    (void)state;
    assert_true(cn_entity_equal(cn_entity_make(1, 3), cn_entity_make(1, 3)));
    assert_false(cn_entity_equal(cn_entity_make(1, 3), cn_entity_make(1, 5)));
    assert_false(cn_entity_equal(cn_entity_make(1, 3), cn_entity_make(2, 3)));
}

static void the_null_entity_is_zero_and_never_alive(void **state)
{
    (void)state;
    CnEntity none = {0};
    assert_true(cn_entity_is_null(none));
    cn_entity_create(world); /* takes slot 0 */
    assert_false(cn_is_alive(world, none));
}

/* Handles are distinct struct types. */
static void handles_of_different_kinds_are_different_types(void **state)
{
    (void)state;
    assert_true(_Generic((CnEntity){0}, CnComponent : false, CnSystem : false, default : true));
    assert_true(_Generic((CnComponent){0}, CnEntity : false, CnSystem : false, default : true));
    assert_true(_Generic((CnSystem){0}, CnEntity : false, CnComponent : false, default : true));
}

/* ---- Slots ---- */

static void a_new_world_has_no_entities(void **state)
{
    (void)state;
    assert_int_equal(cn_entity_count(world), 0);
    assert_int_equal(cn_world_stats(world).entities, 0);
}

static void a_new_entity_is_alive(void **state)
{
    (void)state;
    CnEntity entity = cn_entity_create(world);
    assert_true(cn_is_alive(world, entity));
    assert_int_equal(cn_entity_count(world), 1);
}

static void new_slots_are_taken_in_rising_order(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < 10000; i++)
        assert_int_equal(cn_entity_index(cn_entity_create(world)), i);
}

static void a_destroyed_entity_is_dead(void **state)
{
    (void)state;
    CnEntity entity = cn_spawn(world, cn_with(Position, {1, 2, 3}));
    assert_true(cn_destroy(world, entity));
    assert_false(cn_is_alive(world, entity));
    assert_int_equal(cn_entity_count(world), 0);
}

static void a_recycled_slot_keeps_its_index_and_gets_a_newer_generation(void **state)
{
    (void)state;
    CnEntity first = cn_entity_create(world);
    cn_destroy(world, first);
    CnEntity second = cn_entity_create(world);
    assert_int_equal(cn_entity_index(second), cn_entity_index(first));
    assert_true(cn_entity_generation(second) > cn_entity_generation(first));
}

static void the_slot_freed_last_is_reused_first(void **state)
{
    (void)state;
    CnEntity a = cn_entity_create(world), b = cn_entity_create(world), c = cn_entity_create(world);
    cn_destroy(world, b);
    cn_destroy(world, a);
    assert_int_equal(cn_entity_index(cn_entity_create(world)), cn_entity_index(a));
    assert_int_equal(cn_entity_index(cn_entity_create(world)), cn_entity_index(b));
    assert_int_equal(cn_entity_index(cn_entity_create(world)), cn_entity_index(c) + 1);
}

static void a_stale_id_never_reaches_the_new_occupant_of_its_slot(void **state)
{
    (void)state;
    CnEntity stale = cn_spawn(world, cn_with(Position, {1, 1, 1}));
    cn_destroy(world, stale);
    CnEntity occupant = cn_spawn(world, cn_with(Position, {2, 2, 2}));
    assert_int_equal(cn_entity_index(occupant), cn_entity_index(stale));
    assert_false(cn_is_alive(world, stale));
    assert_false(cn_has(world, stale, Position));
    assert_false(cn_destroy(world, stale));
    assert_true(cn_is_alive(world, occupant));
    assert_number_equal(cn_get(world, occupant, Position)->x, 2);
}

static void a_slot_survives_many_lives(void **state)
{
    (void)state;
    /* More than the 2,047 generations of the original. */
    CnEntity first = cn_entity_create(world), entity = first;
    for (int i = 0; i < 5000; i++) {
        cn_destroy(world, entity);
        entity = cn_entity_create(world);
        assert_int_equal(cn_entity_index(entity), cn_entity_index(first));
        assert_false(cn_is_alive(world, first));
    }
    assert_int_equal(cn_world_stats(world).retired_slots, 0);
}

static void destroying_twice_fails_the_second_time(void **state)
{
    (void)state;
    CnEntity entity = cn_entity_create(world);
    assert_true(cn_destroy(world, entity));
    assert_false(cn_destroy(world, entity));
    assert_int_equal(cn_entity_count(world), 0);
}

static void ids_that_were_never_given_out_are_dead(void **state)
{
    (void)state;
    CnEntity entity = cn_entity_create(world);
    uint32_t index = cn_entity_index(entity), generation = cn_entity_generation(entity);
    assert_false(cn_is_alive(world, cn_entity_make(index, generation + 2)));
    assert_false(cn_is_alive(world, cn_entity_make(index, generation + 1)));
    assert_false(cn_is_alive(world, cn_entity_make(index + 1, generation)));
    assert_false(cn_is_alive(world, cn_entity_make(index + 1, 0)));
    assert_false(cn_is_alive(world, cn_entity_make(UINT32_MAX, generation)));
    assert_false(cn_destroy(world, cn_entity_make(UINT32_MAX, generation)));
}

static int make_old_world(void **state)
{
    (void)state;
    return make_world_from((CnWorldDesc){.first_generation = UINT32_MAX - 2});
}

static void a_slot_whose_generation_would_wrap_is_retired(void **state)
{
    (void)state;
    CnEntity first = cn_entity_create(world);
    assert_int_equal(cn_entity_generation(first), UINT32_MAX - 2);
    cn_destroy(world, first);
    CnEntity second = cn_entity_create(world);
    assert_int_equal(cn_entity_index(second), cn_entity_index(first));
    assert_int_equal(cn_entity_generation(second), UINT32_MAX);
    cn_destroy(world, second);
    assert_int_equal(cn_world_stats(world).retired_slots, 1);
    CnEntity third = cn_entity_create(world);
    assert_int_not_equal(cn_entity_index(third), cn_entity_index(first));
}

static void the_last_id_of_a_retired_slot_stays_dead(void **state)
{
    (void)state;
    CnEntity entity = cn_entity_create(world);
    cn_destroy(world, entity);
    entity = cn_entity_create(world);
    cn_destroy(world, entity);
    assert_false(cn_is_alive(world, entity));
    assert_false(cn_destroy(world, entity));
    assert_false(cn_is_alive(world, cn_entity_make(cn_entity_index(entity), 0)));
    assert_false(cn_is_alive(world, cn_entity_make(cn_entity_index(entity), 1)));
}

static void a_world_holds_more_entities_than_20_bits_can_number(void **state)
{
    (void)state;
    uint32_t count = (1u << 20) + 1000;
    assert_true(cn_spawn_many_values(world, count, NULL, NULL, 0));
    assert_int_equal(cn_entity_count(world), count);
    assert_int_equal(cn_entity_index(cn_entity_create(world)), count);
}

/* ---- Where an entity is ---- */

static void the_slot_of_a_live_entity_names_chunk_and_row(void **state)
{
    (void)state;
    CnEntity a = cn_spawn(world, cn_with(Position, {0}));
    CnEntity b = cn_spawn(world, cn_with(Position, {0}));
    assert_int_equal(place_of(a).row, 0);
    assert_int_equal(place_of(b).row, 1);
    assert_int_equal(place_of(a).chunk, place_of(b).chunk);
    assert_entity_equal(cni_ecs_chunk_entities(chunk_of(b))[1], b);
}

static void the_slot_of_a_dead_entity_leads_nowhere(void **state)
{
    (void)state;
    CnEntity entity = cn_spawn(world, cn_with(Position, {0}));
    cn_destroy(world, entity);
    assert_null(cni_ecs_live_slot(world, entity));
    assert_int_equal(cni_ecs_slots_at(&world->slots, cn_entity_index(entity))->generation & 1u, 0);
}

static void an_entity_without_components_lies_in_the_empty_archetype(void **state)
{
    (void)state;
    CnEntity entity = cn_entity_create(world);
    assert_ptr_equal(archetype_of(entity), world->archetypes.items[0]);
    assert_int_equal(archetype_of(entity)->id_count, 0);
}

/* ---- The rest of an entity's life ---- */

static void destroy_many_skips_the_dead_and_counts_the_others(void **state)
{
    (void)state;
    CnEntity entities[4];
    for (int i = 0; i < 4; i++)
        entities[i] = cn_entity_create(world);
    cn_destroy(world, entities[1]);
    entities[3] = entities[0];
    assert_int_equal(cn_destroy_many(world, entities, 4), 2);
}

static void the_components_of_an_entity_are_listed_by_name(void **state)
{
    (void)state;
    CnComponent position = cn_id(world, Position), frozen = cn_id(world, Frozen),
                health = cn_id(world, Health);
    CnEntity entity =
        cn_spawn(world, cn_with_default(Health), cn_with_tag(Frozen), cn_with_default(Position));
    CnComponent found[4];
    assert_int_equal(cn_entity_components(world, entity, found, 4), 3);
    assert_int_equal(found[0].id, frozen.id);
    assert_int_equal(found[1].id, health.id);
    assert_int_equal(found[2].id, position.id);
}

static void a_list_of_components_that_is_too_short_is_filled_and_counted(void **state)
{
    (void)state;
    CnComponent found[2] = {{0}, {77}}, frozen = cn_id(world, Frozen);
    CnEntity entity = cn_spawn(world, cn_with_default(Position), cn_with_tag(Frozen));
    assert_int_equal(cn_entity_components(world, entity, found, 1), 2);
    assert_int_equal(found[0].id, frozen.id);
    assert_int_equal(found[1].id, 77);
    assert_int_equal(cn_entity_components(world, entity, NULL, 0), 2);
    cn_destroy(world, entity);
    assert_int_equal(cn_entity_components(world, entity, found, 2), 0);
}

static void spawning_gives_each_component_its_value(void **state)
{
    (void)state;
    CnEntity entity =
        cn_spawn(world, cn_with(Position, {1, 2, 3}), cn_with_tag(Enemy), cn_with(Health, {5, 9}));
    assert_number_equal(cn_get(world, entity, Position)->y, 2);
    assert_int_equal(cn_get(world, entity, Health)->most, 9);
    assert_true(cn_has(world, entity, Enemy));
    assert_false(cn_has(world, entity, Velocity));
}

static void a_component_spawned_twice_takes_the_later_value(void **state)
{
    (void)state;
    CnEntity entity = cn_spawn(world, cn_with(Health, {1, 1}), cn_with(Health, {2, 2}));
    assert_int_equal(cn_get(world, entity, Health)->now, 2);
    assert_int_equal(cn_entity_components(world, entity, NULL, 0), 1);
}

static void clearing_a_world_removes_all_entities_and_keeps_what_is_registered(void **state)
{
    (void)state;
    CnQuery *query = cn_query_acquire(world, &(CnQueryDesc){.all = {cn_reads(Position)}}, NULL);
    CnComponent position = cn_id(world, Position);
    CnEntity entity = cn_spawn(world, cn_with(Position, {0}));
    cn_entity_create(world);
    cn_world_clear(world);
    assert_int_equal(cn_entity_count(world), 0);
    assert_int_equal(cn_query_count(query), 0);
    assert_false(cn_is_alive(world, entity));
    assert_int_equal(cn_id(world, Position).id, position.id);
    cn_spawn(world, cn_with(Position, {0}));
    assert_int_equal(cn_query_count(query), 1);
}

static void a_world_is_destroyed_with_its_entities(void **state)
{
    (void)state; /* the teardown checks for leaks */
    cn_spawn_many(world, 5000, NULL, cn_with(Position, {0}), cn_with_tag(Enemy));
    assert_true(cn_heap_stats(heap).live_blocks > 0);
}

static void destroying_no_world_does_nothing(void **state)
{
    (void)state;
    cn_world_destroy(NULL);
}

#define OLD_WORLD_TEST(name) cmocka_unit_test_setup_teardown(name, make_old_world, drop_world)

int main(void)
{
    const struct CMUnitTest tests[] = {
        WORLD_TEST(an_id_packs_index_and_generation),
        WORLD_TEST(index_and_generation_use_all_32_bits),
        WORLD_TEST(ids_are_compared_as_a_whole),
        WORLD_TEST(the_null_entity_is_zero_and_never_alive),
        WORLD_TEST(handles_of_different_kinds_are_different_types),
        WORLD_TEST(a_new_world_has_no_entities),
        WORLD_TEST(a_new_entity_is_alive),
        WORLD_TEST(new_slots_are_taken_in_rising_order),
        WORLD_TEST(a_destroyed_entity_is_dead),
        WORLD_TEST(a_recycled_slot_keeps_its_index_and_gets_a_newer_generation),
        WORLD_TEST(the_slot_freed_last_is_reused_first),
        WORLD_TEST(a_stale_id_never_reaches_the_new_occupant_of_its_slot),
        WORLD_TEST(a_slot_survives_many_lives),
        WORLD_TEST(destroying_twice_fails_the_second_time),
        WORLD_TEST(ids_that_were_never_given_out_are_dead),
        OLD_WORLD_TEST(a_slot_whose_generation_would_wrap_is_retired),
        OLD_WORLD_TEST(the_last_id_of_a_retired_slot_stays_dead),
        WORLD_TEST(a_world_holds_more_entities_than_20_bits_can_number),
        WORLD_TEST(the_slot_of_a_live_entity_names_chunk_and_row),
        WORLD_TEST(the_slot_of_a_dead_entity_leads_nowhere),
        WORLD_TEST(an_entity_without_components_lies_in_the_empty_archetype),
        WORLD_TEST(destroy_many_skips_the_dead_and_counts_the_others),
        WORLD_TEST(the_components_of_an_entity_are_listed_by_name),
        WORLD_TEST(a_list_of_components_that_is_too_short_is_filled_and_counted),
        WORLD_TEST(spawning_gives_each_component_its_value),
        WORLD_TEST(a_component_spawned_twice_takes_the_later_value),
        WORLD_TEST(clearing_a_world_removes_all_entities_and_keeps_what_is_registered),
        WORLD_TEST(a_world_is_destroyed_with_its_entities),
        WORLD_TEST(destroying_no_world_does_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
