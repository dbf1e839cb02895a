#include "ecs_fixture.h"

#include <stdio.h>
#include <string.h>

CN_COMPONENT(Likes, (f32, much));

/* What was called, as text: "+Health" on_add, "=Health" on_set, "-Health" on_remove. */
static char trace[65536];
static size_t traced;

static void write_trace(CnWorld *of, char sign, CnComponent component)
{
    CnComponentInfo info;
    assert_true(cn_component_info(of, component, &info));
    traced += (size_t)snprintf(trace + traced, sizeof trace - traced, "%c%s ", sign, info.name);
}

static void note_add(CnWorld *of, CnEntity entity, CnComponent component, void *user)
{
    (void)user;
    assert_true(cn_has_component(of, entity, component));
    write_trace(of, '+', component);
}

static void note_set(CnWorld *of, CnEntity entity, CnComponent component, void *user)
{
    (void)user;
    assert_true(cn_has_component(of, entity, component));
    write_trace(of, '=', component);
}

static void note_remove(CnWorld *of, CnEntity entity, CnComponent component, void *user)
{
    (void)user;
    assert_true(cn_is_alive(of, entity));
    assert_true(cn_has_component(of, entity, component));
    write_trace(of, '-', component);
}

static const CnHooks noting = {{note_add, NULL}, {note_set, NULL}, {note_remove, NULL}};

static void forget_trace(void)
{
    traced = 0;
    trace[0] = '\0';
}

static int make_hooked_world(void **state)
{
    forget_trace();
    if (make_world(state))
        return -1;
    cn_register(world, Health, .hooks = noting);
    cn_register(world, Position, .hooks = noting);
    cn_register(world, Enemy, .hooks = noting);
    return 0;
}

static void assert_trace(const char *expected)
{
    assert_string_equal(trace, expected);
    forget_trace();
}

/* ---- When hooks are called ---- */

static void spawning_calls_on_add_for_all_then_on_set_for_values(void **state)
{
    (void)state;
    cn_spawn(world, cn_with(Position, {0}), cn_with_tag(Enemy), cn_with(Health, {0}),
             cn_with(Mass, {1}));
    assert_trace("+Enemy +Health +Position =Position =Health ");
    cn_spawn(world, cn_with_default(Health));
    assert_trace("+Health ");
}

static void adding_calls_on_add_once(void **state)
{
    (void)state;
    CnEntity entity = cn_entity_create(world);
    cn_add(world, entity, Health);
    cn_add(world, entity, Health);
    assert_trace("+Health ");
}

static void setting_calls_on_add_the_first_time_and_on_set_each_time(void **state)
{
    (void)state;
    CnEntity entity = cn_entity_create(world);
    cn_set(world, entity, Health, {1, 1});
    cn_set(world, entity, Health, {2, 2});
    assert_trace("+Health =Health =Health ");
}

static void removing_and_destroying_call_on_remove(void **state)
{
    (void)state;
    CnEntity entity = cn_spawn(world, cn_with_default(Health), cn_with_default(Position));
    forget_trace();
    cn_remove(world, entity, Health);
    cn_remove(world, entity, Health);
    assert_trace("-Health ");
    cn_destroy(world, entity);
    assert_trace("-Position ");
}

static void hooks_of_other_components_are_not_called_for_a_move(void **state)
{
    (void)state;
    CnEntity entity = cn_spawn(world, cn_with_default(Health));
    forget_trace();
    cn_set(world, entity, Mass, {1});
    cn_remove(world, entity, Mass);
    cn_get_mut(world, entity, Health)->now = 3;
    assert_trace("");
}

static void a_batch_calls_on_remove_then_on_add_then_on_set(void **state)
{
    (void)state;
    CnEntity entity = cn_spawn(world, cn_with_default(Health));
    forget_trace();
    const CnComponent gone[] = {cn_id(world, Health)};
    const CnValue values[] = {cn_with_tag(Enemy), cn_with(Position, {0})};
    cn_change(world, entity, &(CnChange){values, 2, gone, 1});
    assert_trace("-Health +Enemy +Position =Position ");
}

static void a_field_written_by_name_calls_on_set(void **state)
{
    (void)state;
    CnEntity entity = cn_spawn(world, cn_with_default(Health));
    forget_trace();
    int32_t now = 3;
    cn_write_field(world, entity, "Health", "now", &now, sizeof now, NULL);
    assert_trace("=Health ");
}

static void bulk_operations_call_hooks_once_per_entity(void **state)
{
    (void)state;
    CnQuery *query = cn_query_acquire(world, &(CnQueryDesc){.all = {cn_tag(Mass)}}, NULL);
    cn_spawn_many(world, 2, NULL, cn_with(Health, {0}), cn_with(Mass, {0}));
    assert_trace("+Health =Health +Health =Health ");
    cn_query_set(query, cn_with(Position, {0}));
    assert_trace("+Position =Position +Position =Position ");
    cn_query_remove(query, cn_id(world, Health));
    assert_trace("-Health -Health ");
    cn_query_destroy_entities(query);
    assert_trace("-Position -Position ");
}

static void bulk_spawning_finds_every_new_entity_for_its_hook(void **state)
{
    (void)state;
    cn_spawn_many(world, 1500, NULL, cn_with_default(Enemy));
    forget_trace();
    cn_spawn_many(world, 7000, NULL, cn_with_default(Enemy));
    assert_int_equal(traced, 7000 * strlen("+Enemy "));
}

static void a_flush_calls_hooks_for_what_it_does(void **state)
{
    (void)state;
    CnCommands *commands = cn_commands_create(world, NULL);
    CnEntity entity = cn_spawn(world, cn_with_default(Health));
    forget_trace();
    cn_defer_remove(commands, entity, Health);
    cn_defer_set(commands, entity, Position, {1, 2, 3});
    cn_defer_add(commands, entity, Enemy);
    cn_defer_spawn(commands, cn_with(Health, {0}));
    cn_flush(world);
    assert_trace("-Health +Enemy +Position =Position +Health =Health ");
    cn_defer_destroy(commands, entity);
    cn_flush(world);
    assert_trace("-Enemy -Position ");
}

static void steps_that_a_flush_merges_call_no_hook(void **state)
{
    (void)state;
    CnCommands *commands = cn_commands_create(world, NULL);
    CnEntity entity = cn_entity_create(world);
    cn_defer_set(commands, entity, Health, {1, 1});
    cn_defer_remove(commands, entity, Health);
    cn_flush(world);
    assert_trace("");
}

static void clearing_the_world_calls_on_remove(void **state)
{
    (void)state;
    cn_spawn(world, cn_with_default(Health));
    cn_spawn(world, cn_with_default(Health), cn_with_tag(Enemy));
    forget_trace();
    cn_world_clear(world);
    assert_trace("-Health -Enemy -Health ");
}

static void hooks_of_children_run_before_those_of_their_parents(void **state)
{
    (void)state;
    CnEntity parent = cn_spawn(world, cn_with_default(Health));
    CnEntity child = cn_spawn(world, cn_with_default(Position));
    cn_set_parent(world, child, parent);
    forget_trace();
    cn_destroy(world, parent);
    assert_trace("-Position -Health ");
}

static void hooks_set_later_hold_for_existing_archetypes(void **state)
{
    (void)state;
    CnEntity entity = cn_spawn(world, cn_with(Mass, {1}));
    cn_component_set_hooks(world, cn_id(world, Mass), &noting);
    cn_set(world, entity, Mass, {2});
    assert_trace("=Mass ");
    cn_component_set_hooks(world, cn_id(world, Mass), &(CnHooks){.on_add = {NULL, NULL}});
    cn_set(world, entity, Mass, {3});
    assert_trace("");
}

static void hooks_set_later_hold_for_known_transitions(void **state)
{
    (void)state;
    CnEntity a = cn_spawn(world, cn_with_tag(Frozen)), b = cn_spawn(world, cn_with_tag(Frozen));
    cn_set(world, a, Mass, {1});
    cn_set(world, b, Mass, {1});
    cn_remove(world, a, Mass);
    cn_component_set_hooks(world, cn_id(world, Mass), &noting);
    cn_remove(world, b, Mass);
    assert_trace("-Mass ");
    cn_set(world, a, Mass, {2});
    assert_trace("+Mass =Mass ");
}

static void the_hooks_of_a_kind_are_those_of_its_pairs(void **state)
{
    (void)state;
    CnComponent kind = cn_register(world, Likes, .hooks = noting);
    CnEntity target = cn_entity_create(world), entity = cn_entity_create(world);
    cn_set_component(world, entity, cn_pair(world, kind, target), &(Likes){1});
    assert_trace("+Likes =Likes ");
    cn_destroy(world, target);
    assert_trace("-Likes ");
}

static void the_pair_of_an_entity_with_itself_is_removed_once(void **state)
{
    (void)state;
    CnComponent kind = cn_register(world, Likes, .hooks = noting);
    CnEntity entity = cn_entity_create(world);
    cn_set_component(world, entity, cn_pair(world, kind, entity), &(Likes){1});
    forget_trace();
    cn_destroy(world, entity);
    assert_trace("-Likes ");
}

/* ---- What hooks see ---- */

static int32_t seen_value;

static void read_value(CnWorld *of, CnEntity entity, CnComponent component, void *user)
{
    (void)user;
    seen_value = ((const Health *)cn_get_component(of, entity, component))->now;
}

static void the_value_is_there_on_add_set_and_remove(void **state)
{
    (void)state;
    CnHook hook = {read_value, NULL};
    CnComponent health = cn_id(world, Health);
    CnEntity entity = cn_entity_create(world);
    cn_component_set_hooks(world, health, &(CnHooks){.on_add = hook});
    cn_set(world, entity, Health, {1, 1});
    assert_int_equal(seen_value, 1);
    cn_component_set_hooks(world, health, &(CnHooks){.on_set = hook});
    cn_set(world, entity, Health, {2, 2});
    assert_int_equal(seen_value, 2);
    cn_component_set_hooks(world, health, &(CnHooks){.on_remove = hook});
    cn_get_mut(world, entity, Health)->now = 3;
    cn_remove(world, entity, Health);
    assert_int_equal(seen_value, 3);
}

static void hand_over(CnWorld *of, CnEntity entity, CnComponent component, void *user)
{
    (void)of, (void)component;
    *(CnEntity *)user = entity;
}

static void a_hook_gets_its_entity_and_its_user_pointer(void **state)
{
    (void)state;
    CnEntity notified = {0};
    CnHooks hooks = {.on_add = {hand_over, &notified}};
    cn_register(world, Mass, .hooks = hooks);
    CnEntity entity = cn_spawn(world, cn_with(Mass, {1}));
    assert_entity_equal(notified, entity);
}

static void parent_alive(CnWorld *of, CnEntity entity, CnComponent component, void *user)
{
    (void)component;
    *(bool *)user = cn_is_alive(of, cn_parent(of, entity));
}

static void on_remove_of_a_child_still_finds_its_parent(void **state)
{
    (void)state;
    bool alive = false;
    CnHooks hooks = {.on_remove = {parent_alive, &alive}};
    cn_register(world, Mass, .hooks = hooks);
    CnEntity parent = cn_entity_create(world), child = cn_spawn(world, cn_with(Mass, {1}));
    cn_set_parent(world, child, parent);
    cn_destroy(world, parent);
    assert_true(alive);
}

#define HOOK_TEST(name) cmocka_unit_test_setup_teardown(name, make_hooked_world, drop_world)

int main(void)
{
    const struct CMUnitTest tests[] = {
        HOOK_TEST(spawning_calls_on_add_for_all_then_on_set_for_values),
        HOOK_TEST(adding_calls_on_add_once),
        HOOK_TEST(setting_calls_on_add_the_first_time_and_on_set_each_time),
        HOOK_TEST(removing_and_destroying_call_on_remove),
        HOOK_TEST(hooks_of_other_components_are_not_called_for_a_move),
        HOOK_TEST(a_batch_calls_on_remove_then_on_add_then_on_set),
        HOOK_TEST(a_field_written_by_name_calls_on_set),
        HOOK_TEST(bulk_operations_call_hooks_once_per_entity),
        HOOK_TEST(bulk_spawning_finds_every_new_entity_for_its_hook),
        HOOK_TEST(a_flush_calls_hooks_for_what_it_does),
        HOOK_TEST(steps_that_a_flush_merges_call_no_hook),
        HOOK_TEST(clearing_the_world_calls_on_remove),
        HOOK_TEST(hooks_of_children_run_before_those_of_their_parents),
        HOOK_TEST(hooks_set_later_hold_for_existing_archetypes),
        HOOK_TEST(hooks_set_later_hold_for_known_transitions),
        HOOK_TEST(the_hooks_of_a_kind_are_those_of_its_pairs),
        HOOK_TEST(the_pair_of_an_entity_with_itself_is_removed_once),
        HOOK_TEST(the_value_is_there_on_add_set_and_remove),
        HOOK_TEST(a_hook_gets_its_entity_and_its_user_pointer),
        HOOK_TEST(on_remove_of_a_child_still_finds_its_parent),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
