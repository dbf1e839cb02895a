/* Adding, setting, removing and reading components of one entity. */
#include "world_internals.h"

#include <string.h>

/* ---- Add ---- */

static void adding_moves_the_entity_and_keeps_its_values(void **state)
{
    (void)state;
    CnEntity entity = cn_spawn(world, cn_with(Position, {1, 2, 3}));
    assert_true(cn_add(world, entity, Velocity));
    assert_true(cn_has(world, entity, Velocity));
    assert_number_equal(cn_get(world, entity, Position)->z, 3);
    assert_number_equal(cn_get(world, entity, Velocity)->x, 0);
}

static void adding_what_is_there_changes_nothing(void **state)
{
    (void)state;
    CnEntity entity = cn_spawn(world, cn_with(Position, {1, 2, 3}));
    uint32_t structure = structure_changes();
    assert_true(cn_add(world, entity, Position));
    assert_number_equal(cn_get(world, entity, Position)->x, 1);
    assert_int_equal(structure_changes(), structure);
}

static void a_new_row_holds_the_default_though_its_memory_was_used(void **state)
{
    (void)state;
    CnEntity old = cn_spawn(world, cn_with(Position, {9, 9, 9}), cn_with(Health, {9, 9}));
    cn_destroy(world, old);
    CnEntity entity = cn_spawn(world, cn_with(Health, {1, 1}));
    cn_add(world, entity, Position);
    assert_number_equal(cn_get(world, entity, Position)->x, 0);
    CnEntity spawned = cn_spawn(world, cn_with_default(Position), cn_with_default(Health));
    assert_int_equal(cn_get(world, spawned, Health)->now, 0);
}

/* ---- Set ---- */

static void setting_adds_what_is_missing(void **state)
{
    (void)state;
    CnEntity entity = cn_entity_create(world);
    assert_true(cn_set(world, entity, Health, {3, 4}));
    assert_int_equal(cn_get(world, entity, Health)->now, 3);
}

static void setting_overwrites_in_place_without_a_move(void **state)
{
    (void)state;
    CnEntity entity = cn_spawn(world, cn_with(Health, {1, 1}));
    uint32_t structure = structure_changes();
    const Health *before = cn_get(world, entity, Health);
    assert_true(cn_set(world, entity, Health, {3, 4}));
    assert_ptr_equal(cn_get(world, entity, Health), before);
    assert_int_equal(before->now, 3);
    assert_int_equal(structure_changes(), structure);
}

static void setting_writes_every_field_column(void **state)
{
    (void)state;
    cn_register(world, Position, .layout = CN_LAYOUT_FIELDS);
    CnEntity a = cn_entity_create(world), b = cn_entity_create(world);
    cn_set(world, a, Position, {1, 2, 3});
    cn_set(world, b, Position, {4, 5, 6});
    cn_set(world, a, Position, {7, 8, 9});
    Position p, q;
    assert_true(cn_read(world, a, Position, &p));
    assert_true(cn_read(world, b, Position, &q));
    assert_number_equal(p.x + p.y + p.z, 24);
    assert_number_equal(q.x + q.y + q.z, 15);
}

/* ---- Remove ---- */

static void removing_keeps_the_other_values(void **state)
{
    (void)state;
    CnEntity entity = cn_spawn(world, cn_with(Position, {1, 2, 3}), cn_with(Health, {4, 5}));
    assert_true(cn_remove(world, entity, Position));
    assert_false(cn_has(world, entity, Position));
    assert_null(cn_get(world, entity, Position));
    assert_int_equal(cn_get(world, entity, Health)->most, 5);
}

static void removing_what_is_not_there_succeeds_and_moves_nothing(void **state)
{
    (void)state;
    CnEntity entity = cn_spawn(world, cn_with(Position, {1, 2, 3}));
    cn_id(world, Velocity);
    uint32_t structure = structure_changes();
    assert_true(cn_remove(world, entity, Velocity)); /* registered */
    assert_true(cn_remove(world, entity, Health));   /* never seen */
    assert_int_equal(structure_changes(), structure);
}

static void removing_the_last_component_leaves_a_living_entity(void **state)
{
    (void)state;
    CnEntity entity = cn_spawn(world, cn_with_tag(Enemy));
    cn_remove(world, entity, Enemy);
    assert_true(cn_is_alive(world, entity));
    assert_int_equal(cn_entity_components(world, entity, NULL, 0), 0);
}

/* ---- Several at once ---- */

static void several_components_are_added_in_one_move(void **state)
{
    (void)state;
    CnEntity entity = cn_spawn(world, cn_with(Mass, {5}));
    uint32_t structure = structure_changes();
    const CnValue values[] = {cn_with(Position, {1, 2, 3}), cn_with(Health, {4, 5}),
                              cn_with_tag(Enemy)};
    assert_true(cn_change(world, entity, &(CnChange){.set = values, .set_count = 3}));
    assert_int_equal(structure_changes(), structure + 1);
    assert_number_equal(cn_get(world, entity, Position)->y, 2);
    assert_int_equal(cn_get(world, entity, Health)->now, 4);
    assert_number_equal(cn_get(world, entity, Mass)->kilograms, 5);
    assert_true(cn_has(world, entity, Enemy));
}

static void several_components_are_removed_in_one_move(void **state)
{
    (void)state;
    CnEntity entity =
        cn_spawn(world, cn_with(Position, {1, 2, 3}), cn_with(Health, {4, 5}), cn_with_tag(Enemy));
    const CnComponent gone[] = {cn_id(world, Position), cn_id(world, Enemy)};
    uint32_t structure = structure_changes();
    assert_true(cn_change(world, entity, &(CnChange){.remove = gone, .remove_count = 2}));
    assert_int_equal(structure_changes(), structure + 1);
    assert_int_equal(cn_entity_components(world, entity, NULL, 0), 1);
    assert_int_equal(cn_get(world, entity, Health)->now, 4);
}

static void components_are_added_and_removed_in_one_move(void **state)
{
    (void)state;
    CnEntity entity = cn_spawn(world, cn_with(Position, {1, 2, 3}), cn_with_tag(Frozen));
    const CnComponent gone[] = {cn_id(world, Frozen)};
    const CnValue values[] = {cn_with(Velocity, {7, 8, 9}), cn_with(Position, {4, 5, 6})};
    uint32_t structure = structure_changes();
    assert_true(cn_change(world, entity, &(CnChange){values, 2, gone, 1}));
    assert_int_equal(structure_changes(), structure + 1);
    assert_false(cn_has(world, entity, Frozen));
    assert_number_equal(cn_get(world, entity, Position)->x, 4);
    assert_number_equal(cn_get(world, entity, Velocity)->x, 7);
}

static void a_batch_that_changes_no_component_moves_nothing(void **state)
{
    (void)state;
    CnEntity entity = cn_spawn(world, cn_with(Health, {1, 1}));
    const CnComponent gone[] = {cn_id(world, Position), cn_id(world, Enemy)};
    uint32_t structure = structure_changes();
    assert_true(cn_change(world, entity, &(CnChange){.remove = gone, .remove_count = 2}));
    const CnValue values[] = {cn_with(Health, {2, 2})};
    assert_true(cn_change(world, entity, &(CnChange){.set = values, .set_count = 1}));
    assert_true(cn_change(world, entity, &(CnChange){0}));
    assert_int_equal(structure_changes(), structure);
    assert_int_equal(cn_get(world, entity, Health)->now, 2);
}

static void removals_of_a_batch_come_before_its_values(void **state)
{
    (void)state;
    cn_register(world, Health, .default_value = &(Health){50, 50});
    CnEntity entity = cn_spawn(world, cn_with(Health, {1, 1}), cn_with(Mass, {2}));
    const CnComponent gone[] = {cn_id(world, Health)};
    const CnValue value[] = {cn_with(Health, {3, 3})};
    assert_true(cn_change(world, entity, &(CnChange){value, 1, gone, 1}));
    assert_int_equal(cn_get(world, entity, Health)->now, 3);
    const CnValue fresh[] = {cn_with_default(Health)};
    assert_true(cn_change(world, entity, &(CnChange){fresh, 1, gone, 1}));
    assert_int_equal(cn_get(world, entity, Health)->now, 50);
}

static void a_default_in_a_batch_leaves_a_component_that_is_there(void **state)
{
    (void)state;
    CnEntity entity = cn_spawn(world, cn_with(Health, {1, 1}));
    const CnValue values[] = {cn_with_default(Health), cn_with_default(Mass)};
    assert_true(cn_change(world, entity, &(CnChange){.set = values, .set_count = 2}));
    assert_int_equal(cn_get(world, entity, Health)->now, 1);
    assert_number_equal(cn_get(world, entity, Mass)->kilograms, 0);
}

static void a_batch_of_32_values_is_taken(void **state)
{
    (void)state;
    CnValue values[CN_MAX_VALUES];
    for (uint32_t i = 0; i < CN_MAX_VALUES; i++) {
        char name[16];
        cn_format(name, sizeof name, "Tag%u", i);
        CnType type = {.name = name, .alignment = 1};
        values[i] = (CnValue){
            .component = cn_component_register(world, &(CnComponentDesc){.type = &type}, NULL)};
    }
    CnEntity entity = cn_entity_create(world);
    assert_true(cn_change(world, entity, &(CnChange){.set = values, .set_count = CN_MAX_VALUES}));
    assert_int_equal(cn_entity_components(world, entity, NULL, 0), CN_MAX_VALUES);
    CnEntity spawned = cn_spawn_values(world, values, CN_MAX_VALUES);
    assert_ptr_equal(archetype_of(spawned), archetype_of(entity));
}

/* ---- Get ---- */

static void a_pointer_to_write_through_reaches_the_entity(void **state)
{
    (void)state;
    CnEntity entity = cn_spawn(world, cn_with(Health, {1, 1}));
    cn_get_mut(world, entity, Health)->now = 5;
    assert_int_equal(cn_get(world, entity, Health)->now, 5);
}

static void what_an_entity_lacks_is_null(void **state)
{
    (void)state;
    CnEntity entity = cn_spawn(world, cn_with(Health, {1, 1}));
    cn_id(world, Mass);
    Mass mass;
    assert_null(cn_get(world, entity, Mass));
    assert_null(cn_get_mut(world, entity, Mass));
    assert_false(cn_read(world, entity, Mass, &mass));
    assert_null(cn_get(world, entity, Position)); /* never registered */
    assert_null(cn_get_component(world, entity, (CnComponent){0}));
    assert_null(cn_get_component(world, entity, (CnComponent){9999}));
}

static void reading_copies_the_whole_value(void **state)
{
    (void)state;
    CnEntity entity = cn_spawn(world, cn_with(Position, {1, 2, 3}));
    Position copy;
    assert_true(cn_read(world, entity, Position, &copy));
    cn_set(world, entity, Position, {4, 5, 6});
    assert_number_equal(copy.x + copy.y + copy.z, 6);
}

/* ---- Fields by name ---- */

static void a_field_is_read_and_written_by_name(void **state)
{
    (void)state;
    cn_register(world, Position, .layout = CN_LAYOUT_FIELDS);
    CnEntity entity = cn_spawn(world, cn_with(Position, {1, 2, 3}), cn_with(Health, {4, 5}));
    float y = 0, z = 9;
    int32_t now = 7;
    assert_true(cn_read_field(world, entity, "Position", "y", &y, sizeof y, NULL));
    assert_number_equal(y, 2);
    assert_true(cn_write_field(world, entity, "Position", "z", &z, sizeof z, NULL));
    assert_true(cn_write_field(world, entity, "Health", "now", &now, sizeof now, NULL));
    Position p;
    cn_read(world, entity, Position, &p);
    assert_number_equal(p.z, 9);
    assert_int_equal(cn_get(world, entity, Health)->now, 7);
    assert_int_equal(cn_get(world, entity, Health)->most, 5);
}

static void expect_field_error(CnEntity entity, const char *component, const char *field,
                               size_t size, CnErrorCode code, const char *reason)
{
    CnError error = {0};
    uint8_t value[64] = {0};
    assert_false(cn_read_field(world, entity, component, field, value, size, &error));
    assert_int_equal(error.code, code);
    assert_non_null(strstr(error.message, reason));
    error = (CnError){0};
    assert_false(cn_write_field(world, entity, component, field, value, size, &error));
    assert_int_equal(error.code, code);
    assert_non_null(strstr(error.message, reason));
}

static void an_error_says_what_is_missing_of_a_named_field(void **state)
{
    (void)state;
    CnEntity entity = cn_spawn(world, cn_with(Health, {4, 5})), dead = cn_entity_create(world);
    cn_id(world, Mass);
    cn_destroy(world, dead);
    expect_field_error(entity, "Speed", "x", 4, CN_ERROR_NOT_FOUND, "component Speed");
    expect_field_error(entity, "Health", "least", 4, CN_ERROR_NOT_FOUND, "no field least");
    expect_field_error(entity, "Mass", "kilograms", 8, CN_ERROR_NOT_FOUND, "no component Mass");
    expect_field_error(dead, "Health", "now", 4, CN_ERROR_NOT_FOUND, "not alive");
    expect_field_error(entity, "Health", "now", 8, CN_ERROR_MISMATCH, "4 bytes, not 8");
    assert_int_equal(cn_get(world, entity, Health)->now, 4);
}

static void the_node_of_the_tree_is_not_written_by_name(void **state)
{
    (void)state;
    CnEntity parent = cn_entity_create(world), child = cn_entity_create(world), none = {0};
    cn_set_parent(world, child, parent);
    CnError error = {0};
    assert_false(cn_write_field(world, child, "CnNode", "parent", &none, sizeof none, &error));
    assert_int_equal(error.code, CN_ERROR_PERMISSION);
    assert_entity_equal(cn_parent(world, child), parent);
    CnEntity read;
    assert_true(cn_read_field(world, child, "CnNode", "parent", &read, sizeof read, NULL));
    assert_entity_equal(read, parent);
}

/* ---- Ticks of change ---- */

static bool changed_since(CnQueryDesc desc, uint64_t since)
{
    CnChunkView view = {0};
    CnQueryIter it = cn_query_iter_changed(cn_query_acquire(world, &desc, NULL), since);
    return cn_query_next(&it, &view);
}

#define CHANGED(T, since) changed_since((CnQueryDesc){.all = {cn_reads(T)}}, since)

static void every_way_to_write_marks_the_column(void **state)
{
    (void)state;
    CnEntity entity = cn_spawn(world, cn_with(Health, {1, 1}), cn_with(Position, {0}));
    CnComponent health = cn_id(world, Health);
    const CnField *now = cn_component_field(world, health, "now");
    int32_t value = 3;
    for (int way = 0; way < 5; way++) {
        uint64_t since = cn_world_tick(world);
        assert_false(CHANGED(Health, since));
        cn_world_advance_tick(world);
        if (way == 0)
            cn_set(world, entity, Health, {2, 2});
        else if (way == 1)
            cn_get_mut(world, entity, Health);
        else if (way == 2)
            cn_get_field_mut(world, entity, health, now);
        else if (way == 3)
            cn_write_field(world, entity, "Health", "now", &value, sizeof value, NULL);
        else
            cn_change(world, entity,
                      &(CnChange){.set = (CnValue[]){cn_with(Health, {5, 5})}, .set_count = 1});
        assert_true(CHANGED(Health, since));
        assert_false(CHANGED(Position, since));
    }
}

static void reading_marks_nothing(void **state)
{
    (void)state;
    CnEntity entity = cn_spawn(world, cn_with(Health, {1, 1}));
    uint64_t since = cn_world_tick(world);
    cn_world_advance_tick(world);
    Health copy;
    int32_t now;
    cn_get(world, entity, Health);
    cn_read(world, entity, Health, &copy);
    cn_read_field(world, entity, "Health", "now", &now, sizeof now, NULL);
    cn_add(world, entity, Health); /* is there already */
    assert_false(CHANGED(Health, since));
}

static void arrivals_and_departures_mark_the_chunk(void **state)
{
    (void)state;
    CnEntity entity = cn_spawn(world, cn_with(Health, {1, 1}));
    uint64_t since = cn_world_tick(world);
    cn_world_advance_tick(world);
    CnEntity second = cn_spawn(world, cn_with(Health, {2, 2}));
    assert_true(CHANGED(Health, since));
    since = cn_world_tick(world);
    cn_world_advance_tick(world);
    cn_destroy(world, second);
    assert_true(CHANGED(Health, since));
    since = cn_world_tick(world);
    cn_world_advance_tick(world);
    cn_add(world, entity, Enemy);
    assert_true(CHANGED(Health, since));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        WORLD_TEST(adding_moves_the_entity_and_keeps_its_values),
        WORLD_TEST(adding_what_is_there_changes_nothing),
        WORLD_TEST(a_new_row_holds_the_default_though_its_memory_was_used),
        WORLD_TEST(setting_adds_what_is_missing),
        WORLD_TEST(setting_overwrites_in_place_without_a_move),
        WORLD_TEST(setting_writes_every_field_column),
        WORLD_TEST(removing_keeps_the_other_values),
        WORLD_TEST(removing_what_is_not_there_succeeds_and_moves_nothing),
        WORLD_TEST(removing_the_last_component_leaves_a_living_entity),
        WORLD_TEST(several_components_are_added_in_one_move),
        WORLD_TEST(several_components_are_removed_in_one_move),
        WORLD_TEST(components_are_added_and_removed_in_one_move),
        WORLD_TEST(a_batch_that_changes_no_component_moves_nothing),
        WORLD_TEST(removals_of_a_batch_come_before_its_values),
        WORLD_TEST(a_default_in_a_batch_leaves_a_component_that_is_there),
        WORLD_TEST(a_batch_of_32_values_is_taken),
        WORLD_TEST(a_pointer_to_write_through_reaches_the_entity),
        WORLD_TEST(what_an_entity_lacks_is_null),
        WORLD_TEST(reading_copies_the_whole_value),
        WORLD_TEST(a_field_is_read_and_written_by_name),
        WORLD_TEST(an_error_says_what_is_missing_of_a_named_field),
        WORLD_TEST(the_node_of_the_tree_is_not_written_by_name),
        WORLD_TEST(every_way_to_write_marks_the_column),
        WORLD_TEST(reading_marks_nothing),
        WORLD_TEST(arrivals_and_departures_mark_the_chunk),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
