/* Removing several components in one call, and the meaning of values. */
#include "world_internals.h"

static uint32_t removed[8], removed_count;

static void note_removed(CnWorld *of, CnEntity entity, CnComponent component, void *user)
{
    (void)user;
    assert_true(cn_has_component(of, entity, component));
    if (removed_count < 8)
        removed[removed_count++] = component.id;
}

static void watch_removals(void)
{
    const CnHooks hooks = {.on_remove = {note_removed, NULL}};
    removed_count = 0;
    cn_register(world, Position, .hooks = hooks);
    cn_register(world, Health, .hooks = hooks);
    cn_register(world, Enemy, .hooks = hooks);
}

static CnEntity spawn_rich(void)
{
    return cn_spawn(world, cn_with(Position, {1, 2, 3}), cn_with(Health, {4, 5}),
                    cn_with(Mass, {6}), cn_with_tag(Enemy));
}

static void several_components_are_removed_at_once(void **state)
{
    (void)state;
    CnEntity entity = spawn_rich();
    assert_true(cn_remove_many(world, entity, Position, Health, Enemy));
    assert_false(cn_has(world, entity, Position));
    assert_false(cn_has(world, entity, Health));
    assert_false(cn_has(world, entity, Enemy));
    assert_number_equal(cn_get(world, entity, Mass)->kilograms, 6);
}

static void removing_several_moves_the_row_once(void **state)
{
    (void)state;
    CnEntity entity = spawn_rich();
    uint32_t before = structure_changes();
    cn_remove_many(world, entity, Position, Health, Enemy);
    assert_int_equal(structure_changes() - before, 1);
}

static void removing_several_calls_each_hook_once(void **state)
{
    (void)state;
    watch_removals();
    CnEntity entity = spawn_rich();
    cn_remove_many(world, entity, Enemy, Position, Health);
    assert_int_equal(removed_count, 3);
}

static void removing_several_skips_what_is_not_there(void **state)
{
    (void)state;
    watch_removals();
    CnEntity entity = cn_spawn(world, cn_with(Position, {1, 2, 3}));
    assert_true(cn_remove_many(world, entity, Position, Health, Burning));
    assert_int_equal(removed_count, 1);
    assert_false(cn_has(world, entity, Position));
}

static void removing_several_from_a_dead_entity_fails(void **state)
{
    (void)state;
#ifndef CN_GUARDS
    CnEntity entity = spawn_rich();
    cn_destroy(world, entity);
    assert_false(cn_remove_many(world, entity, Position, Health));
#endif
}

static void several_components_are_removed_by_a_command(void **state)
{
    (void)state;
    watch_removals();
    CnEntity entity = spawn_rich();
    CnCommands *commands = cn_commands_create(world, NULL);
    assert_true(cn_defer_remove_many(commands, entity, Position, Health, Enemy, Burning));
    assert_true(cn_has(world, entity, Position));
    uint32_t before = structure_changes();
    assert_true(cn_flush(world));
    assert_int_equal(structure_changes() - before, 1);
    assert_int_equal(removed_count, 3);
    assert_false(cn_has(world, entity, Health));
    assert_true(cn_has(world, entity, Mass));
}

static void remove_two(CnWorld *of, CnEntity entity, CnComponent component, void *user)
{
    (void)component, (void)user;
    assert_true(cn_remove_many(of, entity, Position, Mass));
    assert_true(cn_has(of, entity, Mass)); /* the change waits */
}

static void a_hook_can_remove_several(void **state)
{
    (void)state;
    cn_register(world, Burning, .hooks = {.on_add = {remove_two, NULL}});
    CnEntity entity = spawn_rich();
    cn_add(world, entity, Burning);
    assert_false(cn_has(world, entity, Position));
    assert_false(cn_has(world, entity, Mass));
    assert_true(cn_has(world, entity, Health));
}

/* ---- A value that is given is the whole value ---- */

static const Health strong = {80, 100};

static void members_that_are_not_named_are_zero_everywhere(void **state)
{
    (void)state;
    cn_register(world, Health, .default_value = &strong);
    CnEntity entities[5] = {cn_spawn(world, cn_with(Health, {.now = 5})),
                            cn_entity_create(world),
                            cn_entity_create(world),
                            {0},
                            cn_entity_create(world)};
    cn_set(world, entities[1], Health, {.now = 5});
    CnCommands *commands = cn_commands_create(world, NULL);
    cn_defer_set(commands, entities[2], Health, {.now = 5});
    entities[3] = cn_defer_spawn(commands, cn_with(Health, {.now = 5}));
    cn_flush(world);
    const CnValue value = cn_with(Health, {.now = 5});
    cn_change(world, entities[4], &(CnChange){.set = &value, .set_count = 1});
    for (uint32_t i = 0; i < 5; i++) {
        assert_int_equal(cn_get(world, entities[i], Health)->now, 5);
        assert_int_equal(cn_get(world, entities[i], Health)->most, 0);
    }
    assert_int_equal(cn_resource_set(world, Health, {.now = 5})->most, 0);
}

static void the_default_is_used_where_no_value_is_given(void **state)
{
    (void)state;
    cn_register(world, Health, .default_value = &strong);
    CnEntity entities[4] = {cn_spawn(world, cn_with_default(Health)),
                            cn_entity_create(world),
                            cn_entity_create(world),
                            {0}};
    cn_add(world, entities[1], Health);
    CnCommands *commands = cn_commands_create(world, NULL);
    cn_defer_add(commands, entities[2], Health);
    entities[3] = cn_defer_spawn(commands, cn_with_default(Health));
    cn_flush(world);
    for (uint32_t i = 0; i < 4; i++)
        assert_int_equal(cn_get(world, entities[i], Health)->most, 100);
    const Health *resource = cn_resource_set_value(world, cn_id(world, Health), NULL);
    assert_int_equal(resource->most, 100);
}

static void the_default_can_be_read(void **state)
{
    (void)state;
    Health health = {1, 2};
    assert_false(cn_read_default(world, Health, &health));
    assert_int_equal(health.most, 2);
    cn_register(world, Health);
    assert_true(cn_read_default(world, Health, &health));
    assert_int_equal(health.most, 0);
    cn_register(world, Health, .default_value = &strong);
    assert_true(cn_read_default(world, Health, &health));
    assert_int_equal(health.most, 100);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        WORLD_TEST(several_components_are_removed_at_once),
        WORLD_TEST(removing_several_moves_the_row_once),
        WORLD_TEST(removing_several_calls_each_hook_once),
        WORLD_TEST(removing_several_skips_what_is_not_there),
        WORLD_TEST(removing_several_from_a_dead_entity_fails),
        WORLD_TEST(several_components_are_removed_by_a_command),
        WORLD_TEST(a_hook_can_remove_several),
        WORLD_TEST(members_that_are_not_named_are_zero_everywhere),
        WORLD_TEST(the_default_is_used_where_no_value_is_given),
        WORLD_TEST(the_default_can_be_read),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
