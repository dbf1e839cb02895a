/* Breakage: structural changes from inside iteration, flushes and hooks; things done twice. */
#include "../../unit/ecs/ecs_fixture.h"

#include "check_world.h"
#include "guards.h"

#include <string.h>

static CnCommands *commands;

static int make_commands(void **state)
{
    if (make_world(state))
        return -1;
    cn_id(world, Position), cn_id(world, Velocity), cn_id(world, Health), cn_id(world, Mass);
    cn_id(world, Frozen), cn_id(world, Enemy), cn_id(world, Burning);
    commands = cn_commands_create(world, NULL);
    return commands ? 0 : -1;
}

#define COMMANDS_TEST(name) cmocka_unit_test_setup_teardown(name, make_commands, drop_world)

static CnQuery *positions(void)
{
    return cn_query_acquire(world, &(CnQueryDesc){.all = {cn_writes(Position)}}, NULL);
}

/* ---- While iterating ---- */

static void everything_can_be_destroyed_while_iterating(void **state)
{
    (void)state;
    enum { COUNT = 5000 };
    cn_spawn_many(world, COUNT, NULL, cn_with(Position, {0, 0, 0}));
    cn_spawn_many(world, COUNT, NULL, cn_with(Position, {0, 0, 0}), cn_with(Mass, {1}));
    uint32_t seen = 0;
    CnChunkView view;
    for (CnQueryIter it = cn_query_iter(positions()); cn_query_next(&it, &view);)
        for (uint32_t i = 0; i < view.count; i++, seen++)
            assert_true(cn_defer_destroy(commands, view.entities[i]));
    assert_int_equal(seen, 2 * COUNT);
    assert_int_equal(cn_entity_count(world), 2 * COUNT);
    assert_true(cn_flush(world));
    assert_int_equal(cn_entity_count(world), 0);
    assert_world_sound(world);
}

static void half_can_be_destroyed_and_half_changed_while_iterating(void **state)
{
    (void)state;
    enum { COUNT = 3000 };
    static CnEntity entities[COUNT];
    for (uint32_t i = 0; i < COUNT; i++)
        entities[i] = cn_spawn(world, cn_with(Position, {(float)i, 0, 0}));
    CnChunkView view;
    for (CnQueryIter it = cn_query_iter(positions()); cn_query_next(&it, &view);)
        for (uint32_t i = 0; i < view.count; i++) {
            if (cn_entity_index(view.entities[i]) % 2)
                cn_defer_destroy(commands, view.entities[i]);
            else
                cn_defer_add(commands, view.entities[i], Frozen);
            cn_defer_spawn(commands, cn_with(Mass, {2}));
        }
    assert_true(cn_flush(world));
    assert_int_equal(cn_entity_count(world), COUNT / 2 + COUNT);
    for (uint32_t i = 0; i < COUNT; i++) {
        assert_int_equal(cn_is_alive(world, entities[i]), i % 2 == 0);
        if (i % 2 == 0) {
            assert_true(cn_has(world, entities[i], Frozen));
            assert_number_equal(cn_get(world, entities[i], Position)->x, i);
        }
    }
    assert_world_sound(world);
}

#ifdef CN_GUARDS
static void guards_tell_of_a_change_while_iterating(void **state)
{
    (void)state;
    CnEntity e = cn_spawn(world, cn_with(Position, {0, 0, 0}));
    CnChunkView view;
    CnQueryIter it = cn_query_iter(positions());
    assert_true(cn_query_next(&it, &view));
    cn_add(world, e, Frozen);
    EXPECT_GUARD(cn_query_next(&it, &view));
    assert_non_null(strstr(guard_message(), "commands"));
}

static void guards_tell_of_a_trim_while_iterating(void **state)
{
    (void)state;
    cn_spawn(world, cn_with(Position, {0, 0, 0}));
    cn_destroy(world, cn_spawn(world, cn_with(Position, {0, 0, 0}), cn_with(Mass, {1})));
    CnChunkView view;
    CnQueryIter it = cn_query_iter(positions());
    assert_true(cn_query_next(&it, &view));
    cn_world_trim(world);
    EXPECT_GUARD(cn_query_next(&it, &view));
}
#endif

/* ---- Twice ---- */

static void a_second_destroy_is_refused(void **state)
{
    (void)state;
    CnEntity e = cn_spawn(world, cn_with(Position, {0, 0, 0}));
    assert_true(cn_destroy(world, e));
    assert_false(cn_destroy(world, e));
    assert_int_equal(cn_entity_count(world), 0);
    assert_world_sound(world);
}

static void a_second_deferred_destroy_is_skipped(void **state)
{
    (void)state;
    CnEntity e = cn_spawn(world, cn_with(Position, {0, 0, 0}));
    CnCommands *other = cn_commands_create(world, NULL);
    cn_defer_destroy(commands, e);
    cn_defer_destroy(other, e);
    cn_defer_destroy(commands, e);
    assert_true(cn_flush(world));
    assert_int_equal(cn_world_stats(world).skipped_commands, 2);
    assert_int_equal(cn_entity_count(world), 0);
    assert_world_sound(world);
}

static void a_deferred_destroy_after_an_immediate_one_is_skipped(void **state)
{
    (void)state;
    CnEntity e = cn_spawn(world, cn_with(Position, {0, 0, 0}));
    cn_defer_destroy(commands, e);
    assert_true(cn_destroy(world, e));
    CnEntity heir = cn_spawn(world, cn_with(Position, {1, 1, 1}));
    assert_int_equal(cn_entity_index(heir), cn_entity_index(e));
    assert_true(cn_flush(world));
    assert_true(cn_is_alive(world, heir));
    assert_int_equal(cn_world_stats(world).skipped_commands, 1);
    assert_world_sound(world);
}

static void a_spawn_and_its_destroy_in_one_flush_leave_nothing(void **state)
{
    (void)state;
    CnEntity e = cn_defer_spawn(commands, cn_with(Position, {0, 0, 0}));
    cn_defer_destroy(commands, e);
    cn_defer_add(commands, e, Frozen);
    cn_defer_destroy(commands, e);
    assert_true(cn_flush(world));
    assert_false(cn_is_alive(world, e));
    assert_int_equal(cn_entity_count(world), 0);
    assert_int_equal(cn_world_stats(world).skipped_commands, 1);
    assert_world_sound(world);
}

static void parent_and_child_destroyed_in_one_flush_die_once(void **state)
{
    (void)state;
    for (int order = 0; order < 2; order++) {
        CnEntity parent = cn_spawn(world, cn_with(Position, {0, 0, 0}));
        CnEntity child = cn_spawn(world, cn_with(Mass, {0}));
        CnEntity below = cn_spawn(world, cn_with(Mass, {0}));
        cn_set_parent(world, child, parent);
        cn_set_parent(world, below, child);
        uint64_t skipped = cn_world_stats(world).skipped_commands;
        cn_defer_destroy(commands, order ? below : parent);
        cn_defer_destroy(commands, child);
        cn_defer_destroy(commands, order ? parent : below);
        assert_true(cn_flush(world));
        assert_int_equal(cn_entity_count(world), 0);
        assert_int_equal(cn_world_stats(world).skipped_commands, skipped + (order ? 0 : 2));
    }
    assert_world_sound(world);
}

static void a_child_attached_and_its_parent_destroyed_in_one_flush_die_together(void **state)
{
    (void)state;
    CnEntity parent = cn_spawn(world, cn_with(Position, {0, 0, 0}));
    CnEntity child = cn_defer_spawn(commands, cn_with(Mass, {1}));
    cn_defer_destroy(commands, parent);
    cn_defer_set_parent(commands, child, parent);
    assert_true(cn_flush(world));
    assert_int_equal(cn_entity_count(world), 0);
    assert_world_sound(world);
}

static void parents_that_would_make_a_ring_are_refused(void **state)
{
    (void)state;
    CnEntity a = cn_entity_create(world), b = cn_entity_create(world), c = cn_entity_create(world);
    cn_set_parent(world, b, a);
    cn_set_parent(world, c, b);
    assert_false(cn_set_parent(world, a, c));
    assert_false(cn_set_parent(world, a, a));
    cn_defer_set_parent(commands, a, c);
    cn_defer_set_parent(commands, b, b);
    assert_false(cn_flush(world));
    assert_int_equal(cn_world_stats(world).failed_commands, 2);
    assert_entity_null(cn_parent(world, a));
    assert_world_sound(world);
}

/* ---- Several buffers ---- */

static void what_an_earlier_buffer_says_about_a_later_spawn_is_skipped(void **state)
{
    (void)state;
    CnCommands *later = cn_commands_create(world, NULL);
    CnEntity e = cn_defer_spawn(later, cn_with(Position, {1, 2, 3}));
    cn_defer_add(commands, e, Frozen);
    cn_defer_set(commands, e, Health, {1, 2});
    cn_defer_set(later, e, Mass, {7});
    assert_true(cn_flush(world));
    assert_true(cn_is_alive(world, e));
    assert_number_equal(cn_get(world, e, Position)->z, 3);
    assert_number_equal(cn_get(world, e, Mass)->kilograms, 7);
    assert_false(cn_has(world, e, Frozen));
    assert_int_equal(cn_world_stats(world).skipped_commands, 2);
    assert_world_sound(world);
}

static void a_dead_and_a_living_entity_of_one_index_keep_their_commands_apart(void **state)
{
    (void)state;
    CnEntity dead = cn_spawn(world, cn_with(Position, {1, 1, 1}));
    cn_defer_set(commands, dead, Mass, {1});
    cn_destroy(world, dead);
    CnEntity heir = cn_spawn(world, cn_with(Position, {2, 2, 2}));
    cn_defer_add(commands, heir, Frozen);
    cn_defer_remove(commands, dead, Position);
    cn_defer_set(commands, heir, Mass, {2});
    cn_defer_destroy(commands, dead);
    assert_true(cn_flush(world));
    assert_true(cn_has(world, heir, Frozen));
    assert_number_equal(cn_get(world, heir, Mass)->kilograms, 2);
    assert_number_equal(cn_get(world, heir, Position)->x, 2);
    assert_world_sound(world);
}

static void buffers_that_come_and_go_do_not_use_up_numbers(void **state)
{
    (void)state;
    uint32_t highest = 0;
    for (uint32_t round = 0; round < 500; round++) {
        CnCommands *passing = cn_commands_create(world, NULL);
        CnEntity spawned[20];
        for (uint32_t i = 0; i < 20; i++) {
            spawned[i] = cn_defer_spawn(passing, cn_with(Mass, {1}));
            uint32_t index = cn_entity_index(spawned[i]);
            highest = index > highest ? index : highest;
        }
        cn_flush(world);
        cn_destroy_many(world, spawned, 20);
        cn_commands_destroy(passing);
    }
    assert_int_equal(cn_entity_count(world), 0);
    assert_true(highest < 8 * 4096);
    assert_world_sound(world);
}

static void a_world_ends_with_commands_waiting(void **state)
{
    (void)state;
    CnEntity e = cn_spawn(world, cn_with(Position, {0, 0, 0}));
    static uint8_t large[1000];
    CnField field = {"bytes", CN_FIELD_U8, 1000, 0, 1000};
    CnType type = {"Large", 1000, 1, &field, 1, NULL};
    CnComponent component = cn_component_register(world, &(CnComponentDesc){.type = &type}, NULL);
    for (uint32_t i = 0; i < 300; i++) {
        cn_defer_spawn(commands, cn_with(Position, {1, 1, 1}));
        cn_defer_set(commands, e, Health, {1, 1});
        cn_defer_set_component(commands, e, component, large);
        cn_defer_destroy(commands, e);
        cn_defer_set_parent(commands, e, e);
    }
    /* The teardown finds what is not freed. */
}

static void a_world_cleared_with_commands_waiting_skips_them(void **state)
{
    (void)state;
    CnEntity e = cn_spawn(world, cn_with(Position, {0, 0, 0}));
    cn_defer_add(commands, e, Frozen);
    CnEntity spawned = cn_defer_spawn(commands, cn_with(Mass, {1}));
    cn_world_clear(world);
    assert_int_equal(cn_entity_count(world), 0);
    assert_true(cn_flush(world));
    assert_int_equal(cn_world_stats(world).skipped_commands, 1);
    assert_true(cn_is_alive(world, spawned));
    assert_world_sound(world);
}

/* ---- Hooks ---- */

static CnEntity other_entity;
static CnCommands *hook_buffer;
static uint32_t hook_calls;

static void add_burning(CnWorld *in, CnEntity entity, CnComponent component, void *user)
{
    (void)component, (void)user;
    hook_calls++;
    assert_true(cn_add(in, entity, Burning));
    /* Deferred until the operation is complete. */
    assert_false(cn_has(in, entity, Burning));
}

static void set_hook(CnComponent component,
                     void (*on_add)(CnWorld *, CnEntity, CnComponent, void *),
                     void (*on_remove)(CnWorld *, CnEntity, CnComponent, void *))
{
    hook_calls = 0;
    cn_component_set_hooks(world, component,
                           &(CnHooks){.on_add = {on_add, NULL}, .on_remove = {on_remove, NULL}});
}

static void what_a_hook_adds_during_a_flush_is_there_after_it(void **state)
{
    (void)state;
    set_hook(cn_id(world, Frozen), add_burning, NULL);
    CnEntity entities[100];
    cn_spawn_many(world, 100, entities, cn_with(Mass, {1}));
    for (uint32_t i = 0; i < 100; i++)
        cn_defer_add(commands, entities[i], Frozen);
    CnEntity spawned = cn_defer_spawn(commands, cn_with_tag(Frozen));
    assert_true(cn_flush(world));
    assert_int_equal(hook_calls, 101);
    for (uint32_t i = 0; i < 100; i++)
        assert_true(cn_has(world, entities[i], Burning));
    assert_true(cn_has(world, spawned, Burning));
    assert_world_sound(world);
}

static void destroy_other(CnWorld *in, CnEntity entity, CnComponent component, void *user)
{
    (void)component, (void)user;
    hook_calls++;
    cn_destroy(in, other_entity);
    cn_destroy(in, entity);
    cn_destroy(in, entity);
}

static void a_hook_may_destroy_its_own_entity_and_others(void **state)
{
    (void)state;
    set_hook(cn_id(world, Frozen), destroy_other, NULL);
    CnEntity e = cn_spawn(world, cn_with(Mass, {1}));
    other_entity = cn_spawn(world, cn_with(Mass, {2}));
    assert_true(cn_add(world, e, Frozen));
    assert_false(cn_is_alive(world, e));
    assert_false(cn_is_alive(world, other_entity));
    assert_int_equal(cn_entity_count(world), 0);
    assert_world_sound(world);
}

static void a_hook_may_destroy_others_that_a_query_changes(void **state)
{
    (void)state;
    set_hook(cn_id(world, Frozen), destroy_other, NULL);
    CnEntity entities[10];
    cn_spawn_many(world, 10, entities, cn_with(Mass, {1}));
    other_entity = entities[7];
    CnQuery *heavy = cn_query_acquire(world, &(CnQueryDesc){.all = {cn_reads(Mass)}}, NULL);
    assert_true(cn_query_set(heavy, cn_with_tag(Frozen)));
    assert_int_equal(cn_entity_count(world), 0);
    assert_int_equal(hook_calls, 10); /* all are changed before the first hook is called */
    assert_world_sound(world);
}

static void breed(CnWorld *in, CnEntity entity, CnComponent component, void *user)
{
    (void)entity, (void)component, (void)user;
    if (++hook_calls < 50)
        assert_true(cn_spawn(in, cn_with_tag(Frozen), cn_with(Mass, {3})).id);
}

static void hooks_that_spawn_what_calls_them_again_come_to_rest(void **state)
{
    (void)state;
    set_hook(cn_id(world, Frozen), breed, NULL);
    cn_spawn(world, cn_with_tag(Frozen));
    assert_int_equal(cn_entity_count(world), 50);
    assert_world_sound(world);
}

static void breed_without_end(CnWorld *in, CnEntity entity, CnComponent component, void *user)
{
    (void)entity, (void)component, (void)user;
    cn_spawn(in, cn_with_tag(Frozen));
}

static void hooks_without_end_are_cut(void **state)
{
    (void)state;
    set_hook(cn_id(world, Frozen), breed_without_end, NULL);
    QUIETLY(assert_true(cn_spawn(world, cn_with_tag(Frozen)).id));
    uint32_t count = cn_entity_count(world);
    assert_true(count > 100);
    assert_true(cn_world_stats(world).failed_commands >= 1);
    assert_world_sound(world);
    cn_defer_add(commands, cn_entity_create(world), Frozen);
    QUIETLY(assert_false(cn_flush(world)));
    assert_world_sound(world);
}

static void record_in_hook(CnWorld *in, CnEntity entity, CnComponent component, void *user)
{
    (void)component, (void)user;
    hook_calls++;
    /* Many buffers, so that the world's list of them moves. */
    for (uint32_t i = 0; i < 20; i++)
        hook_buffer = cn_commands_create(in, NULL);
    cn_defer_add(hook_buffer, entity, Burning);
    cn_defer_spawn(hook_buffer, cn_with(Mass, {9}));
}

static void a_hook_may_make_buffers_during_a_flush(void **state)
{
    (void)state;
    set_hook(cn_id(world, Frozen), record_in_hook, NULL);
    CnEntity e = cn_entity_create(world), f = cn_entity_create(world);
    CnCommands *second = cn_commands_create(world, NULL);
    cn_defer_add(commands, e, Frozen);
    cn_defer_add(second, f, Frozen);
    cn_defer_destroy(second, cn_entity_create(world));
    assert_true(cn_flush(world));
    assert_true(cn_has(world, e, Burning) && cn_has(world, f, Burning));
    assert_int_equal(cn_entity_count(world), 4);
    assert_world_sound(world);
}

static void drop_buffer_in_hook(CnWorld *in, CnEntity entity, CnComponent component, void *user)
{
    (void)in, (void)entity, (void)component, (void)user;
    cn_commands_destroy(hook_buffer);
    hook_buffer = NULL;
}

static void a_hook_may_destroy_a_buffer_during_a_flush(void **state)
{
    (void)state;
    set_hook(cn_id(world, Frozen), drop_buffer_in_hook, NULL);
    hook_buffer = cn_commands_create(world, NULL);
    CnEntity e = cn_entity_create(world);
    cn_defer_add(commands, e, Frozen);
    cn_defer_spawn(hook_buffer, cn_with(Mass, {1}));
    cn_defer_add(hook_buffer, e, Enemy);
    assert_true(cn_flush(world));
    assert_true(cn_has(world, e, Frozen));
    assert_world_sound(world);
    cn_defer_add(commands, e, Burning);
    assert_true(cn_flush(world));
    assert_true(cn_has(world, e, Burning));
    assert_world_sound(world);
}

CN_COMPONENT(FirstSeenInHook, (u32, value));

static void use_new_type(CnWorld *in, CnEntity entity, CnComponent component, void *user)
{
    (void)entity, (void)component, (void)user;
    hook_calls++;
    assert_true(cn_spawn(in, cn_with(FirstSeenInHook, {5})).id);
    cn_set(in, entity, FirstSeenInHook, {6});
}

static void a_hook_may_use_a_type_the_world_never_saw(void **state)
{
    (void)state;
    set_hook(cn_id(world, Frozen), use_new_type, NULL);
    CnEntity e = cn_spawn(world, cn_with_tag(Frozen));
    CnQuery *query =
        cn_query_acquire(world, &(CnQueryDesc){.all = {cn_reads(FirstSeenInHook)}}, NULL);
    assert_int_equal(cn_query_count(query), 2);
    assert_int_equal(cn_get(world, e, FirstSeenInHook)->value, 6);
    assert_world_sound(world);
}

static void read_parent(CnWorld *in, CnEntity entity, CnComponent component, void *user)
{
    (void)component, (void)user;
    CnEntity above = cn_parent(in, entity);
    hook_calls++;
    assert_true(cn_entity_is_null(above) || cn_is_alive(in, above));
    assert_true(cn_is_alive(in, entity) && cn_has(in, entity, Frozen));
    cn_set_parent(in, entity, (CnEntity){0});
    cn_add(in, entity, Burning);
}

static void hooks_of_a_dying_tree_find_their_parents_alive(void **state)
{
    (void)state;
    CnEntity root = cn_spawn(world, cn_with_tag(Frozen)), e[30];
    for (uint32_t i = 0; i < 30; i++) {
        e[i] = cn_spawn(world, cn_with_tag(Frozen), cn_with(Mass, {1}));
        cn_set_parent(world, e[i], i < 3 ? root : e[i / 3]);
    }
    set_hook(cn_id(world, Frozen), NULL, read_parent);
    assert_true(cn_destroy(world, root));
    assert_int_equal(hook_calls, 31);
    assert_int_equal(cn_entity_count(world), 0);
    assert_world_sound(world);
}

int main(void)
{
    const struct CMUnitTest breakage[] = {
        COMMANDS_TEST(everything_can_be_destroyed_while_iterating),
        COMMANDS_TEST(half_can_be_destroyed_and_half_changed_while_iterating),
#ifdef CN_GUARDS
        COMMANDS_TEST(guards_tell_of_a_change_while_iterating),
        COMMANDS_TEST(guards_tell_of_a_trim_while_iterating),
#endif
        COMMANDS_TEST(a_second_destroy_is_refused),
        COMMANDS_TEST(a_second_deferred_destroy_is_skipped),
        COMMANDS_TEST(a_deferred_destroy_after_an_immediate_one_is_skipped),
        COMMANDS_TEST(a_spawn_and_its_destroy_in_one_flush_leave_nothing),
        COMMANDS_TEST(parent_and_child_destroyed_in_one_flush_die_once),
        COMMANDS_TEST(a_child_attached_and_its_parent_destroyed_in_one_flush_die_together),
        COMMANDS_TEST(parents_that_would_make_a_ring_are_refused),
        COMMANDS_TEST(what_an_earlier_buffer_says_about_a_later_spawn_is_skipped),
        COMMANDS_TEST(a_dead_and_a_living_entity_of_one_index_keep_their_commands_apart),
        COMMANDS_TEST(buffers_that_come_and_go_do_not_use_up_numbers),
        COMMANDS_TEST(a_world_ends_with_commands_waiting),
        COMMANDS_TEST(a_world_cleared_with_commands_waiting_skips_them),
        COMMANDS_TEST(what_a_hook_adds_during_a_flush_is_there_after_it),
        COMMANDS_TEST(a_hook_may_destroy_its_own_entity_and_others),
        COMMANDS_TEST(a_hook_may_destroy_others_that_a_query_changes),
        COMMANDS_TEST(hooks_that_spawn_what_calls_them_again_come_to_rest),
        COMMANDS_TEST(hooks_without_end_are_cut),
        COMMANDS_TEST(a_hook_may_make_buffers_during_a_flush),
        COMMANDS_TEST(a_hook_may_destroy_a_buffer_during_a_flush),
        COMMANDS_TEST(a_hook_may_use_a_type_the_world_never_saw),
        COMMANDS_TEST(hooks_of_a_dying_tree_find_their_parents_alive),
    };
    return cmocka_run_group_tests(breakage, NULL, NULL);
}
