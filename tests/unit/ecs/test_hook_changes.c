/* Structural changes that hooks make: deferred until the operation that called them is complete. */
#include "ecs_fixture.h"

#include <string.h>

static CnHooks on_add_of(void (*call)(CnWorld *, CnEntity, CnComponent, void *), void *user)
{
    return (CnHooks){.on_add = {call, user}};
}

static void set_on_add(const CnType *type, void (*call)(CnWorld *, CnEntity, CnComponent, void *),
                       void *user)
{
    CnHooks hooks = on_add_of(call, user);
    cn_component_set_hooks(world, cn_component_ensure(world, type), &hooks);
}

static void add_enemy(CnWorld *of, CnEntity entity, CnComponent component, void *user)
{
    (void)component, (void)user;
    assert_true(cn_add(of, entity, Enemy));
    assert_false(cn_has(of, entity, Enemy)); /* not yet */
}

static void a_component_added_by_a_hook_is_there_when_the_operation_returns(void **state)
{
    (void)state;
    set_on_add(&cn_type_Health, add_enemy, NULL);
    CnEntity spawned = cn_spawn(world, cn_with(Health, {1, 2}), cn_with(Mass, {3}));
    assert_true(cn_has(world, spawned, Enemy));
    assert_int_equal(cn_get(world, spawned, Health)->most, 2);
    CnEntity added = cn_entity_create(world);
    cn_set(world, added, Health, {4, 5});
    assert_true(cn_has(world, added, Enemy));
    CnEntity many[300];
    cn_spawn_many(world, 300, many, cn_with(Health, {6, 7}));
    for (int i = 0; i < 300; i++)
        assert_true(cn_has(world, many[i], Enemy));
}

static void a_flush_ends_with_what_its_hooks_changed(void **state)
{
    (void)state;
    set_on_add(&cn_type_Health, add_enemy, NULL);
    CnCommands *commands = cn_commands_create(world, NULL);
    CnEntity entity = cn_defer_spawn(commands, cn_with(Health, {1, 1}));
    assert_true(cn_flush(world));
    assert_true(cn_has(world, entity, Enemy));
}

static void remove_self(CnWorld *of, CnEntity entity, CnComponent component, void *user)
{
    (void)user;
    assert_true(cn_remove_component(of, entity, component));
    assert_true(cn_has_component(of, entity, component));
}

static void a_hook_may_remove_its_own_component(void **state)
{
    (void)state;
    set_on_add(&cn_type_Health, remove_self, NULL);
    CnEntity entity = cn_spawn(world, cn_with(Health, {1, 1}), cn_with(Mass, {2}));
    assert_false(cn_has(world, entity, Health));
    assert_number_equal(cn_get(world, entity, Mass)->kilograms, 2);
}

static void destroy_self(CnWorld *of, CnEntity entity, CnComponent component, void *user)
{
    (void)component, (void)user;
    assert_true(cn_destroy(of, entity));
    assert_true(cn_is_alive(of, entity));
}

static void a_hook_may_destroy_its_own_entity(void **state)
{
    (void)state;
    set_on_add(&cn_type_Health, destroy_self, NULL);
    CnEntity entity = cn_spawn(world, cn_with(Health, {1, 1}));
    assert_false(cn_is_alive(world, entity));
    cn_spawn_many(world, 100, NULL, cn_with(Health, {1, 1}));
    assert_int_equal(cn_entity_count(world), 0);
}

static void spawn_shadow(CnWorld *of, CnEntity entity, CnComponent component, void *user)
{
    (void)component;
    CnEntity *shadow = user;
    *shadow = cn_spawn(of, cn_with(Position, {1, 2, 3})); /* a type the world may not know yet */
    assert_false(cn_is_alive(of, *shadow));
    assert_true(cn_set_parent(of, *shadow, entity));
    assert_true(cn_set(of, *shadow, Mass, {4}));
    assert_true(cn_add(of, *shadow, Frozen));
    assert_true(cn_remove(of, *shadow, Frozen));
    CnEntity brief = cn_spawn(of, cn_with_tag(Enemy));
    assert_true(cn_destroy(of, brief));
}

static void a_hook_may_spawn_and_use_the_id_at_once(void **state)
{
    (void)state;
    CnEntity shadow = {0};
    set_on_add(&cn_type_Health, spawn_shadow, &shadow);
    for (int round = 0; round < 3; round++) {
        CnEntity entity = cn_spawn(world, cn_with(Health, {1, 1}));
        assert_true(cn_is_alive(world, shadow));
        assert_number_equal(cn_get(world, shadow, Position)->y, 2);
        assert_number_equal(cn_get(world, shadow, Mass)->kilograms, 4);
        assert_false(cn_has(world, shadow, Frozen));
        assert_entity_equal(cn_parent(world, shadow), entity);
        assert_int_equal(cn_entity_count(world), 2);
        cn_destroy(world, entity);
    }
    assert_int_equal(cn_world_stats(world).skipped_commands, 0);
}

static void adopt(CnWorld *of, CnEntity entity, CnComponent component, void *user)
{
    (void)component;
    assert_true(cn_set_parent(of, entity, *(CnEntity *)user));
    assert_entity_null(cn_parent(of, entity));
}

static void a_hook_may_set_a_parent(void **state)
{
    (void)state;
    CnEntity parent = cn_entity_create(world);
    set_on_add(&cn_type_Health, adopt, &parent);
    CnEntity child = cn_spawn(world, cn_with(Health, {1, 1}));
    assert_entity_equal(cn_parent(world, child), parent);
}

static void change_much(CnWorld *of, CnEntity entity, CnComponent component, void *user)
{
    (void)component, (void)user;
    const CnValue values[] = {cn_with(Mass, {5}), cn_with_tag(Burning)};
    const CnComponent gone[] = {cn_id(of, Frozen)};
    assert_true(cn_change(of, entity, &(CnChange){values, 2, gone, 1}));
    assert_true(cn_has(of, entity, Frozen));
}

static void a_hook_may_change_several_components(void **state)
{
    (void)state;
    set_on_add(&cn_type_Health, change_much, NULL);
    CnEntity entity = cn_spawn(world, cn_with_tag(Frozen), cn_with(Health, {1, 1}));
    assert_false(cn_has(world, entity, Frozen));
    assert_true(cn_has(world, entity, Burning));
    assert_number_equal(cn_get(world, entity, Mass)->kilograms, 5);
}

static void add_then_remove(CnWorld *of, CnEntity entity, CnComponent component, void *user)
{
    (void)component, (void)user;
    cn_add(of, entity, Enemy);
    cn_remove(of, entity, Enemy);
    cn_remove(of, entity, Mass);
    cn_add(of, entity, Mass);
}

static void the_changes_of_a_hook_keep_their_order(void **state)
{
    (void)state;
    cn_register(world, Mass, .default_value = &(Mass){7});
    set_on_add(&cn_type_Health, add_then_remove, NULL);
    CnEntity entity = cn_spawn(world, cn_with(Mass, {1}), cn_with(Health, {1, 1}));
    assert_false(cn_has(world, entity, Enemy));
    assert_true(cn_has(world, entity, Mass));
    assert_number_equal(cn_get(world, entity, Mass)->kilograms, 7);
}

static void write_in_place(CnWorld *of, CnEntity entity, CnComponent component, void *user)
{
    (void)component, (void)user;
    cn_set(of, entity, Mass, {8});
    assert_number_equal(cn_get(of, entity, Mass)->kilograms, 8); /* not structural: at once */
}

static void remove_then_set(CnWorld *of, CnEntity entity, CnComponent component, void *user)
{
    (void)component, (void)user;
    assert_true(cn_remove(of, entity, Mass));
    assert_true(cn_set(of, entity, Mass, {9}));
    assert_number_equal(cn_get(of, entity, Mass)->kilograms, 1); /* waits behind the removal */
}

static void what_a_hook_sets_after_removing_it_is_there(void **state)
{
    (void)state;
    set_on_add(&cn_type_Health, remove_then_set, NULL);
    CnEntity entity = cn_spawn(world, cn_with(Mass, {1}), cn_with(Health, {1, 1}));
    assert_number_equal(cn_get(world, entity, Mass)->kilograms, 9);
}

static void a_hook_writes_values_at_once(void **state)
{
    (void)state;
    set_on_add(&cn_type_Health, write_in_place, NULL);
    CnEntity entity = cn_spawn(world, cn_with(Mass, {1}), cn_with(Health, {1, 1}));
    assert_number_equal(cn_get(world, entity, Mass)->kilograms, 8);
    /* Also when another hook removed something in an operation before. */
    set_on_add(&cn_type_Position, remove_self, NULL);
    cn_set(world, entity, Position, {1, 2, 3});
    assert_false(cn_has(world, entity, Position));
    CnEntity later = cn_spawn(world, cn_with(Mass, {1}), cn_with(Health, {1, 1}));
    assert_number_equal(cn_get(world, later, Mass)->kilograms, 8);
}

static void clamp(CnWorld *of, CnEntity entity, CnComponent component, void *user)
{
    (void)component;
    ++*(int *)user;
    const Health *health = cn_get(of, entity, Health);
    if (health->now > health->most)
        cn_set(of, entity, Health, {health->most, health->most});
}

static void on_set_may_set_its_own_component(void **state)
{
    (void)state;
    int calls = 0;
    CnHooks hooks = {.on_set = {clamp, &calls}};
    cn_register(world, Health, .hooks = hooks);
    CnEntity entity = cn_spawn(world, cn_with(Health, {500, 100}));
    assert_int_equal(cn_get(world, entity, Health)->now, 100);
    assert_int_equal(calls, 2);
}

static void clamp_by_name(CnWorld *of, CnEntity entity, CnComponent component, void *user)
{
    (void)component;
    ++*(int *)user;
    int32_t now = cn_get(of, entity, Health)->now, most = 100;
    if (now > most)
        cn_write_field(of, entity, "Health", "now", &most, sizeof most, NULL);
}

static void a_field_written_by_name_inside_a_hook_calls_on_set_too(void **state)
{
    (void)state;
    int calls = 0;
    CnHooks hooks = {.on_set = {clamp_by_name, &calls}};
    cn_register(world, Health, .hooks = hooks);
    CnEntity entity = cn_spawn(world, cn_with(Health, {500, 100}));
    assert_int_equal(cn_get(world, entity, Health)->now, 100);
    assert_int_equal(calls, 2);
}

/* ---- Hooks that cause each other ---- */

static void add_burning(CnWorld *of, CnEntity entity, CnComponent component, void *user)
{
    (void)component, (void)user;
    cn_add(of, entity, Burning);
}

static void add_mass(CnWorld *of, CnEntity entity, CnComponent component, void *user)
{
    (void)component, (void)user;
    cn_set(of, entity, Mass, {9});
}

static void hooks_cause_hooks(void **state)
{
    (void)state;
    set_on_add(&cn_type_Health, add_enemy, NULL);
    set_on_add(&cn_type_Enemy, add_burning, NULL);
    set_on_add(&cn_type_Burning, add_mass, NULL);
    CnEntity entity = cn_spawn(world, cn_with(Health, {1, 1}));
    assert_number_equal(cn_get(world, entity, Mass)->kilograms, 9);
    CnCommands *commands = cn_commands_create(world, NULL);
    CnEntity deferred = cn_defer_spawn(commands, cn_with(Health, {1, 1}));
    assert_true(cn_flush(world));
    assert_number_equal(cn_get(world, deferred, Mass)->kilograms, 9);
}

static void spawn_another(CnWorld *of, CnEntity entity, CnComponent component, void *user)
{
    (void)entity, (void)component;
    ++*(int *)user;
    cn_spawn(of, cn_with(Health, {1, 1}));
}

static void hooks_that_cause_each_other_without_end_are_cut(void **state)
{
    (void)state;
    int calls = 0;
    set_on_add(&cn_type_Health, spawn_another, &calls);
    CnEntity entity;
    QUIETLY(entity = cn_spawn(world, cn_with(Health, {1, 1})));
    assert_true(cn_is_alive(world, entity));
    assert_true(calls >= 100 && calls < 100000);
    assert_int_equal(cn_world_stats(world).failed_commands, 1);
    uint32_t alive = cn_entity_count(world);
    assert_int_equal(alive, calls);
    set_on_add(&cn_type_Health, add_enemy, NULL); /* the world continues to work */
    CnEntity next = cn_spawn(world, cn_with(Health, {2, 2}));
    assert_true(cn_has(world, next, Enemy));
    assert_int_equal(cn_entity_count(world), alive + 1);
}

static void a_flush_whose_hooks_never_end_is_cut(void **state)
{
    (void)state;
    int calls = 0;
    set_on_add(&cn_type_Health, spawn_another, &calls);
    CnCommands *commands = cn_commands_create(world, NULL);
    CnEntity entity = cn_defer_spawn(commands, cn_with(Health, {1, 1}));
    QUIETLY(assert_false(cn_flush(world)));
    assert_true(cn_is_alive(world, entity));
    assert_int_equal(cn_world_stats(world).failed_commands, 1);
    assert_true(cn_flush(world));
}

static void set_again(CnWorld *of, CnEntity entity, CnComponent component, void *user)
{
    (void)component;
    ++*(int *)user;
    cn_set(of, entity, Health, {1, 1});
}

static void on_set_that_sets_its_own_component_without_end_is_cut(void **state)
{
    (void)state;
    int calls = 0;
    CnHooks hooks = {.on_set = {set_again, &calls}};
    cn_register(world, Health, .hooks = hooks);
    QUIETLY(cn_spawn(world, cn_with(Health, {1, 1})));
    assert_true(calls > 1 && calls < 100000);
    cn_component_set_hooks(world, cn_id(world, Health), &(CnHooks){.on_add = {NULL, NULL}});
    assert_int_equal(cn_entity_count(world), 1);
}

/* ---- Hooks in the middle of larger operations ---- */

static void destroy_next(CnWorld *of, CnEntity entity, CnComponent component, void *user)
{
    (void)component;
    CnEntity *entities = user;
    for (int i = 0; i < 9; i++)
        if (cn_entity_equal(entities[i], entity) && i % 2 == 0)
            cn_destroy(of, entities[i + 1]);
}

static void a_hook_may_destroy_others_of_the_query_that_is_being_set(void **state)
{
    (void)state;
    CnEntity entities[10];
    cn_spawn_many(world, 10, entities, cn_with(Mass, {1}));
    set_on_add(&cn_type_Health, destroy_next, entities);
    CnQuery *query = cn_query_acquire(world, &(CnQueryDesc){.all = {cn_tag(Mass)}}, NULL);
    assert_true(cn_query_set(query, cn_with(Health, {1, 1})));
    assert_int_equal(cn_entity_count(world), 5);
    for (int i = 0; i < 10; i += 2)
        assert_true(cn_has(world, entities[i], Health));
}

static void make_buffers(CnWorld *of, CnEntity entity, CnComponent component, void *user)
{
    (void)component, (void)user;
    for (int i = 0; i < 20; i++)
        cn_defer_add(cn_commands_create(of, NULL), entity, Enemy);
}

static void a_hook_may_make_buffers_during_a_flush(void **state)
{
    (void)state;
    cn_register(world, Enemy);
    set_on_add(&cn_type_Health, make_buffers, NULL);
    CnCommands *commands = cn_commands_create(world, NULL);
    CnEntity entities[10];
    for (int i = 0; i < 10; i++)
        entities[i] = cn_defer_spawn(commands, cn_with(Health, {1, 1}));
    assert_true(cn_flush(world));
    for (int i = 0; i < 10; i++)
        assert_true(cn_has(world, entities[i], Enemy));
}

static void register_many(CnWorld *of, CnEntity entity, CnComponent component, void *user)
{
    (void)entity, (void)component, (void)user;
    for (int i = 0; i < 100; i++) {
        char name[16];
        cn_format(name, sizeof name, "Hooked%d", i);
        CnType type = {.name = name, .size = 4, .alignment = 4};
        CnComponent id = cn_component_register(of, &(CnComponentDesc){.type = &type}, NULL);
        cn_query_acquire(of, &(CnQueryDesc){.all = {cn_tag_id(id)}}, NULL);
    }
}

static void a_hook_may_register_components_and_make_queries(void **state)
{
    (void)state;
    set_on_add(&cn_type_Health, register_many, NULL);
    set_on_add(&cn_type_Mass, add_enemy, NULL);
    CnEntity entity = cn_spawn(world, cn_with(Health, {1, 2}), cn_with(Mass, {3}));
    assert_int_equal(cn_get(world, entity, Health)->most, 2);
    assert_true(cn_has(world, entity, Enemy));
}

static void set_health_in_place(CnSystemContext *context)
{
    CnChunkView view = {0};
    for (CnQueryIter it = cn_query_iter(context->query); cn_query_next(&it, &view);)
        for (uint32_t i = 0; i < view.count; i++)
            cn_set(context->world, view.entities[i], Health, {5, 5});
}

static void the_changes_of_hooks_in_a_system_wait_for_the_flush(void **state)
{
    (void)state;
    CnHooks hooks = {.on_set = {add_burning, NULL}};
    cn_register(world, Health, .hooks = hooks);
    cn_register(world, Burning);
    CnEntity entities[100];
    cn_spawn_many(world, 100, entities, cn_with_default(Health));
    CnSystemDesc desc = {.name = "set", .run = set_health_in_place, .stage = CN_STAGE_UPDATE};
    desc.query.all[0] = (CnTerm)cn_writes(Health);
    cn_system_add(world, &desc, NULL);
    assert_true(cn_world_update(world, 0.1f, NULL));
    for (int i = 0; i < 100; i++) {
        assert_int_equal(cn_get(world, entities[i], Health)->now, 5);
        assert_true(cn_has(world, entities[i], Burning));
    }
}

static void spawn_and_flush_hooks(CnSystemContext *context)
{
    CnEntity entity = cn_spawn(context->world, cn_with(Health, {1, 2}));
    *(bool *)context->user = !cn_has(context->world, entity, Burning) &&
                             cn_flush_hooks(context->world) &&
                             cn_has(context->world, entity, Burning);
}

static void a_system_that_runs_alone_can_apply_the_changes_of_hooks(void **state)
{
    (void)state;
    bool applied = false;
    cn_register(world, Health, .hooks = {.on_add = {add_burning, NULL}});
    cn_register(world, Burning);
    CnSystemDesc desc = {.name = "spawn",
                         .run = spawn_and_flush_hooks,
                         .stage = CN_STAGE_UPDATE,
                         .alone = true,
                         .user = &applied};
    cn_system_add(world, &desc, NULL);
    assert_true(cn_world_update(world, 0.1f, NULL));
    assert_true(applied);
}

static void apply_hooks_beside_commands(CnSystemContext *context)
{
    CnEntity deferred = cn_defer_spawn(context->commands, cn_with(Mass, {3}));
    cn_spawn(context->world, cn_with(Health, {1, 2}));
    *(bool *)context->user =
        cn_flush_hooks(context->world) && !cn_is_alive(context->world, deferred);
}

static void applying_the_changes_of_hooks_leaves_other_commands_to_the_flush(void **state)
{
    (void)state;
    bool waited = false;
    cn_register(world, Health, .hooks = {.on_add = {add_burning, NULL}});
    cn_register(world, Burning);
    cn_register(world, Mass);
    CnSystemDesc desc = {.name = "spawn",
                         .run = apply_hooks_beside_commands,
                         .stage = CN_STAGE_UPDATE,
                         .alone = true,
                         .user = &waited};
    cn_system_add(world, &desc, NULL);
    assert_true(cn_world_update(world, 0.1f, NULL));
    assert_true(waited);
    assert_int_equal(cn_entity_count(world), 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        WORLD_TEST(a_component_added_by_a_hook_is_there_when_the_operation_returns),
        WORLD_TEST(a_flush_ends_with_what_its_hooks_changed),
        WORLD_TEST(a_hook_may_remove_its_own_component),
        WORLD_TEST(a_hook_may_destroy_its_own_entity),
        WORLD_TEST(a_hook_may_spawn_and_use_the_id_at_once),
        WORLD_TEST(a_hook_may_set_a_parent),
        WORLD_TEST(a_hook_may_change_several_components),
        WORLD_TEST(the_changes_of_a_hook_keep_their_order),
        WORLD_TEST(what_a_hook_sets_after_removing_it_is_there),
        WORLD_TEST(a_hook_writes_values_at_once),
        WORLD_TEST(on_set_may_set_its_own_component),
        WORLD_TEST(a_field_written_by_name_inside_a_hook_calls_on_set_too),
        WORLD_TEST(hooks_cause_hooks),
        WORLD_TEST(hooks_that_cause_each_other_without_end_are_cut),
        WORLD_TEST(a_flush_whose_hooks_never_end_is_cut),
        WORLD_TEST(on_set_that_sets_its_own_component_without_end_is_cut),
        WORLD_TEST(a_hook_may_destroy_others_of_the_query_that_is_being_set),
        WORLD_TEST(a_hook_may_make_buffers_during_a_flush),
        WORLD_TEST(a_hook_may_register_components_and_make_queries),
        WORLD_TEST(the_changes_of_hooks_in_a_system_wait_for_the_flush),
        WORLD_TEST(a_system_that_runs_alone_can_apply_the_changes_of_hooks),
        WORLD_TEST(applying_the_changes_of_hooks_leaves_other_commands_to_the_flush),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
