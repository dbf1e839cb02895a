/* Replaceable code: everything that belongs to an owner is removed and taken over by its next
 * version. */
/* Before the fixture, whose `world` its parameters would shadow. */
#include "ecs/command/command_buffer.h"
#include "ecs/schedule/schedule.h"

#include "traced_systems.h"

enum { PLUGIN = 7 };

static CnSystem add(CnSystemDesc desc, uint32_t owner)
{
    uint32_t before = cn_world_set_owner(world, owner);
    CnSystem system = cn_system_add(world, &desc, NULL);
    assert_int_equal(cn_world_set_owner(world, before), owner);
    return system;
}

static void assert_update(const char *expected)
{
    trace[0] = '\0';
    assert_true(cn_world_update(world, 0.1f, NULL));
    assert_string_equal(trace, expected);
}

static void replace(void)
{
    cn_owner_begin_replace(world, PLUGIN);
}

static void end_replace(void)
{
    cn_owner_end_replace(world, PLUGIN);
}

/* ---- Systems ---- */

static void setting_the_owner_returns_the_one_before(void **state)
{
    (void)state;
    assert_int_equal(cn_world_set_owner(world, 3), 0);
    assert_int_equal(cn_world_set_owner(world, 0), 3);
}

static void systems_are_called_off_before_their_code_goes(void **state)
{
    (void)state;
    add(describe("a"), PLUGIN), add(describe("b"), 0), add(describe("c"), PLUGIN);
    trace[0] = '\0';
    replace();
    assert_string_equal(trace, "-a ~a -c ~c ");
    end_replace();
}

static void systems_without_code_do_not_run(void **state)
{
    (void)state;
    add(describe("a"), PLUGIN), add(describe("b"), 0);
    replace();
    assert_update("b ");
    end_replace();
}

static void a_system_added_again_has_its_place_and_number(void **state)
{
    (void)state;
    CnSystem a = add(describe("a"), PLUGIN);
    add(describe("b"), 0);
    assert_update("a b ");
    replace();
    trace[0] = '\0';
    assert_int_equal(add(describe("a"), PLUGIN).id, a.id);
    assert_string_equal(trace, "+a ");
    end_replace();
    assert_update("a b ");
}

static uint64_t seen_last_run;

static void see_last_run(CnSystemContext *context)
{
    seen_last_run = context->last_run;
}

static void a_system_added_again_knows_when_it_ran(void **state)
{
    (void)state;
    CnSystemDesc desc = describe("a");
    desc.run = see_last_run;
    add(desc, PLUGIN);
    assert_update("");
    assert_int_equal(seen_last_run, 0);
    uint64_t tick = cn_world_tick(world);
    replace();
    add(desc, PLUGIN);
    end_replace();
    assert_update("");
    assert_true(seen_last_run > 0 && seen_last_run <= tick);
}

static CnCommands *seen_commands;

static void see_commands(CnSystemContext *context)
{
    seen_commands = context->commands;
}

static void a_system_added_again_has_its_commands_and_what_they_hold(void **state)
{
    (void)state;
    CnSystemDesc desc = describe("a");
    desc.run = see_commands;
    add(desc, PLUGIN);
    assert_update("");
    CnCommands *before = seen_commands;
    cn_register(world, Enemy);
    cn_defer_spawn(before, cn_with_tag(Enemy));
    replace();
    add(desc, PLUGIN);
    end_replace();
    seen_commands = NULL;
    assert_update("");
    assert_ptr_equal(seen_commands, before);
    assert_int_equal(cn_entity_count(world), 1);
}

static void a_new_version_may_declare_and_order_differently(void **state)
{
    (void)state;
    CnSystemDesc desc = describe("a");
    add(desc, PLUGIN), add(describe("b"), 0);
    assert_update("a b ");
    desc.after[0] = "b";
    replace();
    add(desc, PLUGIN);
    end_replace();
    assert_update("b a ");
}

static void a_new_version_may_move_to_another_stage(void **state)
{
    (void)state;
    CnSystemDesc desc = describe("a");
    add(desc, PLUGIN), add(describe("b"), 0);
    assert_update("a b ");
    replace();
    desc.stage = CN_STAGE_POST_UPDATE;
    add(desc, PLUGIN);
    end_replace();
    assert_update("b a ");
}

static void others_may_still_be_ordered_by_a_system_without_code(void **state)
{
    (void)state;
    CnSystemDesc b = describe("b");
    b.after[0] = "a";
    add(b, 0), add(describe("a"), PLUGIN);
    replace();
    assert_update("b ");
    add(describe("a"), PLUGIN);
    end_replace();
    assert_update("a b ");
}

static void systems_that_are_not_added_again_go_without_a_call(void **state)
{
    (void)state;
    CnSystem a = add(describe("a"), PLUGIN);
    add(describe("b"), PLUGIN);
    replace();
    add(describe("b"), PLUGIN);
    trace[0] = '\0';
    end_replace();
    assert_string_equal(trace, "");
    assert_null(cn_system_name(world, a));
    assert_update("b ");
}

static void a_world_that_is_destroyed_meanwhile_calls_no_handler(void **state)
{
    (void)state;
    CnWorld *kept = world;
    world = cn_world_create(NULL, NULL);
    add(describe("a"), PLUGIN);
    replace();
    trace[0] = '\0';
    cn_world_destroy(world);
    world = kept;
    assert_string_equal(trace, "");
}

static void systems_of_other_owners_stay(void **state)
{
    (void)state;
    add(describe("a"), PLUGIN + 1), add(describe("b"), 0);
    trace[0] = '\0';
    replace();
    end_replace();
    assert_string_equal(trace, "");
    assert_update("a b ");
}

static void it_may_be_replaced_again_and_again(void **state)
{
    (void)state;
    CnSystem a = add(describe("a"), PLUGIN);
    for (int i = 0; i < 10; i++) {
        replace();
        assert_int_equal(add(describe("a"), PLUGIN).id, a.id);
        end_replace();
        assert_update("a ");
    }
}

static void remove_first(CnWorld *of, void *user)
{
    on_removed(of, user);
    cn_system_remove(of, cn_system_find(of, "first"));
}

/* The list of systems changes while it is walked. */
static void a_callback_that_removes_another_does_not_hide_the_rest(void **state)
{
    (void)state;
    CnSystemDesc a = describe("a");
    a.on_removed = remove_first;
    add(describe("first"), 0), add(a, PLUGIN), add(describe("b"), PLUGIN);
    trace[0] = '\0';
    replace();
    assert_string_equal(trace, "-a ~a -b ~b -first ~first ");
    assert_update("");
    end_replace();
}

static void remove_itself(CnWorld *of, void *user)
{
    on_removed(of, user);
    cn_system_remove(of, cn_system_find(of, user));
}

static void a_callback_may_remove_its_own_system(void **state)
{
    (void)state;
    CnSystemDesc a = describe("a");
    a.on_removed = remove_itself;
    add(a, PLUGIN);
    trace[0] = '\0';
    replace();
    end_replace();
    assert_string_equal(trace, "-a ~a ");
    assert_int_equal(cn_system_find(world, "a").id, 0);
}

/* ---- Hooks ---- */

static uint32_t hook_calls;

static void hook(CnWorld *of, CnEntity entity, CnComponent component, void *user)
{
    (void)of, (void)entity, (void)component, (void)user;
    hook_calls++;
}

static void hooks_of_the_owner_are_forgotten(void **state)
{
    (void)state;
    uint32_t before = cn_world_set_owner(world, PLUGIN);
    cn_register(world, Health, .hooks = {.on_add = {hook, NULL}});
    cn_world_set_owner(world, before);
    CnEntity entity = cn_spawn(world, cn_with(Health, {0}));
    hook_calls = 0;
    replace();
    cn_remove(world, entity, Health);
    cn_add(world, entity, Health);
    end_replace();
    assert_int_equal(hook_calls, 0);
}

static void hooks_of_others_stay(void **state)
{
    (void)state;
    cn_register(world, Health, .hooks = {.on_add = {hook, NULL}});
    hook_calls = 0;
    replace();
    end_replace();
    cn_spawn(world, cn_with(Health, {0}));
    assert_int_equal(hook_calls, 1);
}

/* ---- Types ---- */

/* The same component as another version of the code describes it. */
static CniEcsTypeSite next_site;
static CnType next_version(void)
{
    CnType type = cn_type_Position;
    next_site = *type.site;
    next_site.number = 0;
    type.site = &next_site;
    return type;
}

static bool knows(const CnQuery *query, const CnType *type)
{
    for (uint32_t i = 0; i < query->head.term_count; i++)
        if (query->head.term_types[i] == type)
            return true;
    return false;
}

static void queries_forget_types_and_resolve_them_when_requested(void **state)
{
    (void)state;
    cn_spawn(world, cn_with(Position, {1, 2, 3}));
    CnQueryDesc desc = {.all = {cn_reads(Position)}};
    CnQuery *query = cn_query_acquire(world, &desc, NULL);
    replace();
    assert_false(knows(query, &cn_type_Position));
    CnType type = next_version();
    desc.all[0].type = &type;
    assert_ptr_equal(cn_query_acquire(world, &desc, NULL), query);
    assert_true(knows(query, &type));
    end_replace();
}

static void a_query_that_knows_no_type_finds_its_columns_all_the_same(void **state)
{
    (void)state;
    cn_spawn(world, cn_with(Position, {1, 2, 3}));
    CnQuery *query = cn_query_acquire(world, &(CnQueryDesc){.all = {cn_reads(Position)}}, NULL);
    replace();
    end_replace();
    CnChunkView view = {0};
    CnQueryIter it = cn_query_iter(query);
    assert_true(cn_query_next(&it, &view));
    assert_number_equal(cn_column_const(&view, Position)->z, 3);
}

static void queries_of_systems_that_stay_know_their_types_at_once(void **state)
{
    (void)state;
    CnSystemDesc desc = describe("a");
    desc.query.all[0] = (CnTerm)cn_reads(Position);
    add(desc, 0);
    const CnQuery *query = cn_query_acquire(world, &desc.query, NULL);
    replace();
    assert_true(knows(query, &cn_type_Position));
    end_replace();
}

static void queries_of_systems_added_again_know_the_new_types(void **state)
{
    (void)state;
    CnSystemDesc desc = describe("a");
    desc.query.all[0] = (CnTerm)cn_reads(Position);
    add(desc, PLUGIN);
    const CnQuery *query = cn_query_acquire(world, &desc.query, NULL);
    replace();
    assert_false(knows(query, &cn_type_Position));
    CnType type = next_version();
    desc.query.all[0].type = &type;
    add(desc, PLUGIN);
    end_replace();
    assert_true(knows(query, &type));
}

static void spawn_templates_are_forgotten(void **state)
{
    (void)state;
    cn_register(world, Position);
    CnCommands *commands = cn_commands_create(world, NULL);
    cn_spawn(world, cn_with(Position, {0}));
    cn_defer_spawn(commands, cn_with(Position, {0}));
    assert_int_equal(commands->spawn.count, 1);
    assert_non_null(world->spawn_cache.archetype);
    replace();
    assert_int_equal(commands->spawn.count, 0);
    assert_null(world->spawn_cache.archetype);
    end_replace();
    cn_defer_spawn(commands, cn_with(Position, {0}));
    assert_true(cn_flush(world));
    assert_int_equal(cn_entity_count(world), 3);
}

#define TRACED_TEST(name) cmocka_unit_test_setup_teardown(name, make_traced_world, drop_world)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TRACED_TEST(setting_the_owner_returns_the_one_before),
        TRACED_TEST(systems_are_called_off_before_their_code_goes),
        TRACED_TEST(systems_without_code_do_not_run),
        TRACED_TEST(a_system_added_again_has_its_place_and_number),
        TRACED_TEST(a_system_added_again_knows_when_it_ran),
        TRACED_TEST(a_system_added_again_has_its_commands_and_what_they_hold),
        TRACED_TEST(a_new_version_may_declare_and_order_differently),
        TRACED_TEST(a_new_version_may_move_to_another_stage),
        TRACED_TEST(others_may_still_be_ordered_by_a_system_without_code),
        TRACED_TEST(systems_that_are_not_added_again_go_without_a_call),
        TRACED_TEST(a_world_that_is_destroyed_meanwhile_calls_no_handler),
        TRACED_TEST(systems_of_other_owners_stay),
        TRACED_TEST(it_may_be_replaced_again_and_again),
        TRACED_TEST(a_callback_that_removes_another_does_not_hide_the_rest),
        TRACED_TEST(a_callback_may_remove_its_own_system),
        TRACED_TEST(hooks_of_the_owner_are_forgotten),
        TRACED_TEST(hooks_of_others_stay),
        TRACED_TEST(queries_forget_types_and_resolve_them_when_requested),
        TRACED_TEST(a_query_that_knows_no_type_finds_its_columns_all_the_same),
        TRACED_TEST(queries_of_systems_that_stay_know_their_types_at_once),
        TRACED_TEST(queries_of_systems_added_again_know_the_new_types),
        TRACED_TEST(spawn_templates_are_forgotten),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
