/* The order of systems inside a stage, and their coming and going. */
#include "ecs_fixture.h"

#include <cairn/base/assert.h>
#include <stdio.h>
#include <string.h>

static char trace[4096];
static CnError error;

/* Guards report cycles and duplicates where they are compiled in; here the errors are looked at. */
static void go_on(const char *file, int line, const char *message, void *user)
{
    (void)file, (void)line, (void)message, (void)user;
}

static int make_schedule(void **state)
{
    trace[0] = '\0';
    error = (CnError){0};
    cn_assert_set_handler(go_on, NULL);
    return make_world(state);
}

static int drop_schedule(void **state)
{
    cn_assert_set_handler(NULL, NULL);
    return drop_world(state);
}

static void note(CnSystemContext *context)
{
    strncat(trace, context->user, sizeof trace - strlen(trace) - 1);
    strncat(trace, " ", sizeof trace - strlen(trace) - 1);
}

static CnSystemDesc describe(const char *name)
{
    return (CnSystemDesc){
        .name = name, .run = note, .user = (void *)(uintptr_t)name, .stage = CN_STAGE_UPDATE};
}

static CnSystem add(const char *name)
{
    CnSystemDesc desc = describe(name);
    return cn_system_add(world, &desc, &error);
}

static CnSystem add_before(const char *name, const char *other)
{
    CnSystemDesc desc = describe(name);
    desc.before[0] = other;
    return cn_system_add(world, &desc, &error);
}

static CnSystem add_after(const char *name, const char *other)
{
    CnSystemDesc desc = describe(name);
    desc.after[0] = other;
    return cn_system_add(world, &desc, &error);
}

static void assert_order(const char *expected)
{
    trace[0] = '\0';
    if (!cn_world_update(world, 0.1f, &error))
        fail_msg("%s", error.message);
    assert_string_equal(trace, expected);
}

/* ---- Order ---- */

static void without_constraints_the_order_is_that_of_registration(void **state)
{
    (void)state;
    add("c"), add("a"), add("b");
    assert_order("c a b ");
}

static void before_and_after_decide(void **state)
{
    (void)state;
    add("a");
    add("b");
    add_before("c", "a");
    add_after("d", "c");
    assert_order("b c a d ");
}

static void among_those_that_are_ready_the_first_registered_goes_first(void **state)
{
    (void)state;
    add_after("a", "e");
    add("b"), add("c"), add("d"), add("e");
    assert_order("b c d e a ");
    add_before("f", "b");
    assert_order("c d e a f b ");
}

static void several_names_may_be_given(void **state)
{
    (void)state;
    CnSystemDesc last = describe("last"), first = describe("first");
    last.after[0] = "a", last.after[1] = "b", last.after[2] = "c";
    first.before[0] = "a", first.before[1] = "b", first.before[2] = "last";
    cn_system_add(world, &last, NULL);
    add("a"), add("b"), add("c");
    cn_system_add(world, &first, NULL);
    assert_order("c first a b last ");
}

static void a_constraint_given_twice_counts_once(void **state)
{
    (void)state;
    add_before("a", "b");
    CnSystemDesc desc = describe("b");
    desc.after[0] = "a", desc.after[1] = "a";
    cn_system_add(world, &desc, NULL);
    assert_order("a b ");
}

static void a_long_chain_is_sorted(void **state)
{
    (void)state;
    char names[100][16];
    for (int i = 0; i < 100; i++)
        snprintf(names[i], sizeof names[i], "s%d", i);
    for (int i = 0; i < 100; i++)
        i ? add_before(names[i], names[i - 1]) : add(names[i]);
    CnScheduled order[100];
    uint32_t count = 0;
    assert_true(cn_stage_systems(world, CN_STAGE_UPDATE, order, 100, &count, NULL));
    assert_int_equal(count, 100);
    for (int i = 0; i < 100; i++)
        assert_string_equal(order[i].name, names[99 - i]);
}

static void stages_are_sorted_apart(void **state)
{
    (void)state;
    CnSystemDesc early = describe("early");
    early.stage = CN_STAGE_PRE_UPDATE;
    add("late");
    cn_system_add(world, &early, NULL);
    assert_order("early late ");
    uint32_t count = 9;
    assert_true(cn_stage_systems(world, CN_STAGE_POST_UPDATE, NULL, 0, &count, NULL));
    assert_int_equal(count, 0);
    assert_true(cn_stage_systems(world, CN_STAGE_UPDATE, NULL, 0, &count, NULL));
    assert_int_equal(count, 1);
}

/* ---- What cannot be ordered ---- */

static void a_cycle_is_an_error_that_names_its_members(void **state)
{
    (void)state;
    add("innocent");
    add_before("red", "green");
    add_before("green", "blue");
    add_before("blue", "red");
    assert_false(cn_world_update(world, 0.1f, &error));
    assert_int_equal(error.code, CN_ERROR_CYCLE);
    assert_non_null(strstr(error.message, "Update"));
    assert_non_null(strstr(error.message, "red"));
    assert_non_null(strstr(error.message, "green"));
    assert_non_null(strstr(error.message, "blue"));
    assert_null(strstr(error.message, "innocent"));
    assert_string_equal(trace, "");
}

static void who_only_waits_for_a_cycle_is_not_named(void **state)
{
    (void)state;
    add_before("red", "green");
    add_before("green", "red");
    add_after("bystander", "red");
    uint32_t count;
    assert_false(cn_stage_systems(world, CN_STAGE_UPDATE, NULL, 0, &count, &error));
    assert_int_equal(error.code, CN_ERROR_CYCLE);
    assert_null(strstr(error.message, "bystander"));
}

static void a_system_that_waits_for_itself_is_a_cycle(void **state)
{
    (void)state;
    add_before("ouroboros", "ouroboros");
    uint32_t count;
    assert_false(cn_stage_systems(world, CN_STAGE_UPDATE, NULL, 0, &count, &error));
    assert_int_equal(error.code, CN_ERROR_CYCLE);
    assert_non_null(strstr(error.message, "ouroboros"));
}

static void a_cycle_that_is_broken_up_runs_again(void **state)
{
    (void)state;
    add_before("red", "green");
    CnSystem green = add_before("green", "red");
    assert_false(cn_world_update(world, 0.1f, &error));
    cn_system_remove(world, green);
    add("green");
    assert_order("red green ");
}

static void nothing_runs_when_one_stage_cannot_be_sorted(void **state)
{
    (void)state;
    CnSystemDesc input = describe("input"), early = describe("early");
    input.stage = CN_STAGE_INPUT;
    early.stage = CN_STAGE_PRE_UPDATE;
    cn_system_add(world, &input, NULL);
    cn_system_add(world, &early, NULL);
    add_before("red", "green");
    add_before("green", "red");
    assert_false(cn_world_update(world, 1, &error));
    assert_string_equal(trace, "");
}

static void an_unknown_name_is_an_error_that_says_so(void **state)
{
    (void)state;
    add_after("follower", "leader");
    assert_false(cn_world_update(world, 0.1f, &error));
    assert_int_equal(error.code, CN_ERROR_NOT_FOUND);
    assert_non_null(strstr(error.message, "follower must run after leader"));
    add("leader"); /* may come later */
    assert_order("leader follower ");
}

static void a_name_of_another_stage_is_an_error_that_says_so(void **state)
{
    (void)state;
    CnSystemDesc early = describe("early");
    early.stage = CN_STAGE_PRE_UPDATE;
    cn_system_add(world, &early, NULL);
    add_after("late", "early");
    assert_false(cn_world_update(world, 0.1f, &error));
    assert_int_equal(error.code, CN_ERROR_MISMATCH);
    assert_non_null(strstr(error.message, "PreUpdate"));
}

static void a_system_is_registered_once(void **state)
{
    (void)state;
    add("only");
    assert_int_equal(add("only").id, 0);
    assert_int_equal(error.code, CN_ERROR_EXISTS);
    assert_non_null(strstr(error.message, "only"));
    assert_order("only ");
}

static void a_system_needs_a_name_a_function_and_a_stage(void **state)
{
    (void)state;
    char long_name[CN_MAX_NAME_BYTES + 1];
    memset(long_name, 'n', sizeof long_name);
    long_name[CN_MAX_NAME_BYTES] = 0;
    const char *const bad_names[] = {NULL, "", long_name};
    for (int i = 0; i < 3; i++) {
        CnSystemDesc desc = describe(bad_names[i]);
        assert_int_equal(cn_system_add(world, &desc, &error).id, 0);
        assert_non_null(strstr(error.message, "name"));
    }
    CnSystemDesc idle = describe("idle"), lost = describe("lost");
    idle.run = NULL;
    assert_int_equal(cn_system_add(world, &idle, &error).id, 0);
    assert_non_null(strstr(error.message, "idle has no function"));
    lost.stage = CN_STAGE_COUNT;
    assert_int_equal(cn_system_add(world, &lost, &error).id, 0);
    assert_non_null(strstr(error.message, "lost has no valid stage"));
}

/* ---- Cache ---- */

static void the_order_follows_additions_and_removals(void **state)
{
    (void)state;
    add("a");
    assert_order("a ");
    add_before("b", "a");
    assert_order("b a ");
    CnSystem c = add_before("c", "b");
    assert_order("c b a ");
    assert_true(cn_system_remove(world, c));
    assert_order("b a ");
}

static void a_sorted_stage_is_not_sorted_again(void **state)
{
    (void)state;
    add("a"), add_before("b", "a");
    assert_order("b a ");
    uint64_t calls = cn_heap_stats(heap).calls;
    for (int i = 0; i < 10; i++)
        assert_order("b a ");
    assert_int_equal(cn_heap_stats(heap).calls, calls);
}

/* ---- Coming and going ---- */

static void a_system_is_found_by_its_name(void **state)
{
    (void)state;
    char name[] = "walk";
    CnSystemDesc desc = describe(name);
    desc.user = (void *)(uintptr_t) "walk";
    CnSystem walk = cn_system_add(world, &desc, NULL);
    name[0] = 'x'; /* it was copied */
    assert_int_equal(cn_system_find(world, "walk").id, walk.id);
    assert_string_equal(cn_system_name(world, walk), "walk");
    assert_int_equal(cn_system_find(world, "run").id, 0);
    assert_null(cn_system_name(world, (CnSystem){77}));
    assert_order("walk ");
}

static void a_disabled_system_is_passed_over(void **state)
{
    (void)state;
    CnSystem a = add("a");
    CnSystemDesc desc = describe("b");
    desc.disabled = true;
    CnSystem b = cn_system_add(world, &desc, NULL);
    assert_order("a ");
    assert_true(cn_system_enable(world, a, false));
    assert_true(cn_system_enable(world, b, true));
    assert_order("b ");
    assert_false(cn_system_enable(world, (CnSystem){77}, true));
}

static void a_removed_system_is_gone_and_its_name_free(void **state)
{
    (void)state;
    CnSystem old = add("a");
    assert_true(cn_system_remove(world, old));
    assert_false(cn_system_remove(world, old));
    assert_order("");
    CnSystem again = add("a");
    assert_int_not_equal(again.id, old.id);
    assert_order("a ");
}

static void on_added(CnWorld *of, void *user)
{
    assert_ptr_equal(of, world);
    snprintf(trace + strlen(trace), 32, "+%s ", (const char *)user);
}

static void on_removed(CnWorld *of, void *user)
{
    assert_ptr_equal(of, world);
    snprintf(trace + strlen(trace), 32, "-%s ", (const char *)user);
}

static void on_dispose(void *user)
{
    snprintf(trace + strlen(trace), 32, "~%s ", (const char *)user);
}

static CnSystem add_with_callbacks(const char *name)
{
    CnSystemDesc desc = describe(name);
    desc.on_added = on_added;
    desc.on_removed = on_removed;
    desc.dispose = on_dispose;
    return cn_system_add(world, &desc, NULL);
}

static void callbacks_tell_of_adding_removing_and_disposing(void **state)
{
    (void)state;
    CnSystem a = add_with_callbacks("a");
    assert_string_equal(trace, "+a ");
    cn_system_remove(world, a);
    assert_string_equal(trace, "+a -a ~a ");
}

static void the_end_of_the_world_disposes_the_last_registered_first(void **state)
{
    (void)state;
    CnWorld *kept = world;
    world = cn_world_create(NULL, NULL);
    add_with_callbacks("a");
    add_with_callbacks("b");
    trace[0] = '\0';
    cn_world_destroy(world);
    world = kept;
    assert_string_equal(trace, "~b ~a ");
}

/* ---- Changes while a stage runs ---- */

static void remove_named(CnSystemContext *context)
{
    note(context);
    cn_system_remove(context->world, cn_system_find(context->world, "victim"));
}

static void a_system_may_remove_one_that_comes_later(void **state)
{
    (void)state;
    CnSystemDesc desc = describe("remover");
    desc.run = remove_named;
    cn_system_add(world, &desc, NULL);
    add_with_callbacks("victim");
    add("after");
    assert_order("remover victim after -victim ~victim "); /* it takes effect after the update */
    assert_order("remover after ");
}

static void a_system_may_remove_one_that_has_run_and_its_commands_hold(void **state)
{
    (void)state;
    CnSystemDesc desc = describe("remover");
    desc.run = remove_named;
    desc.after[0] = "victim";
    add_with_callbacks("victim");
    cn_system_add(world, &desc, NULL);
    trace[0] = '\0';
    cn_world_update(world, 0.1f, &error);
    assert_string_equal(trace, "victim remover -victim ~victim ");
}

static void remove_self(CnSystemContext *context)
{
    note(context);
    cn_defer_spawn(context->commands, cn_with_tag(Enemy));
    cn_system_remove(context->world, cn_system_find(context->world, "once"));
}

static void a_system_may_remove_itself_and_its_commands_hold(void **state)
{
    (void)state;
    cn_register(world, Enemy);
    CnSystemDesc desc = describe("once");
    desc.run = remove_self;
    cn_system_add(world, &desc, NULL);
    assert_order("once ");
    assert_order("");
    assert_int_equal(cn_entity_count(world), 1);
}

static void add_another(CnSystemContext *context)
{
    note(context);
    if (!cn_system_find(context->world, "new").id)
        add("new");
    uint32_t count;
    assert_true(
        cn_stage_systems(context->world, CN_STAGE_UPDATE, NULL, 0, &count, NULL)); /* re-sorts */
}

static void a_system_added_while_its_stage_runs_starts_with_the_next(void **state)
{
    (void)state;
    CnSystemDesc desc = describe("adder");
    desc.run = add_another;
    cn_system_add(world, &desc, NULL);
    add("last");
    assert_order("adder last ");
    assert_order("adder last new ");
}

static void disable_other(CnSystemContext *context)
{
    note(context);
    cn_system_enable(context->world, cn_system_find(context->world, "other"), false);
}

static void a_system_disabled_while_its_stage_runs_rests_from_the_next_update_on(void **state)
{
    (void)state;
    CnSystemDesc desc = describe("switch");
    desc.run = disable_other;
    cn_system_add(world, &desc, NULL);
    add("other");
    assert_order("switch other ");
    assert_order("switch ");
}

static void run_update_inside(CnSystemContext *context)
{
    note(context);
    CnError inner = {0};
    assert_false(cn_world_update(context->world, 0.1f, &inner));
    assert_int_equal(inner.code, CN_ERROR_PERMISSION);
    assert_false(cn_world_startup(context->world, &inner));
    assert_false(cn_world_run_stage(context->world, CN_STAGE_POST_UPDATE, 0.1f, &inner));
}

static void a_system_cannot_run_stages_and_the_try_changes_nothing(void **state)
{
    (void)state;
    CnChannel *channel = cn_channel(world, Enemy);
    CnSystemDesc desc = describe("nested");
    desc.run = run_update_inside;
    cn_system_add(world, &desc, NULL);
    cn_signal(channel);
    assert_order("nested ");
    assert_int_equal(cn_event_count(channel), 1);
}

#define SCHEDULE_TEST(name) cmocka_unit_test_setup_teardown(name, make_schedule, drop_schedule)

int main(void)
{
    const struct CMUnitTest tests[] = {
        SCHEDULE_TEST(without_constraints_the_order_is_that_of_registration),
        SCHEDULE_TEST(before_and_after_decide),
        SCHEDULE_TEST(among_those_that_are_ready_the_first_registered_goes_first),
        SCHEDULE_TEST(several_names_may_be_given),
        SCHEDULE_TEST(a_constraint_given_twice_counts_once),
        SCHEDULE_TEST(a_long_chain_is_sorted),
        SCHEDULE_TEST(stages_are_sorted_apart),
        SCHEDULE_TEST(a_cycle_is_an_error_that_names_its_members),
        SCHEDULE_TEST(who_only_waits_for_a_cycle_is_not_named),
        SCHEDULE_TEST(a_system_that_waits_for_itself_is_a_cycle),
        SCHEDULE_TEST(a_cycle_that_is_broken_up_runs_again),
        SCHEDULE_TEST(nothing_runs_when_one_stage_cannot_be_sorted),
        SCHEDULE_TEST(an_unknown_name_is_an_error_that_says_so),
        SCHEDULE_TEST(a_name_of_another_stage_is_an_error_that_says_so),
        SCHEDULE_TEST(a_system_is_registered_once),
        SCHEDULE_TEST(a_system_needs_a_name_a_function_and_a_stage),
        SCHEDULE_TEST(the_order_follows_additions_and_removals),
        SCHEDULE_TEST(a_sorted_stage_is_not_sorted_again),
        SCHEDULE_TEST(a_system_is_found_by_its_name),
        SCHEDULE_TEST(a_disabled_system_is_passed_over),
        SCHEDULE_TEST(a_removed_system_is_gone_and_its_name_free),
        SCHEDULE_TEST(callbacks_tell_of_adding_removing_and_disposing),
        SCHEDULE_TEST(the_end_of_the_world_disposes_the_last_registered_first),
        SCHEDULE_TEST(a_system_may_remove_one_that_comes_later),
        SCHEDULE_TEST(a_system_may_remove_one_that_has_run_and_its_commands_hold),
        SCHEDULE_TEST(a_system_may_remove_itself_and_its_commands_hold),
        SCHEDULE_TEST(a_system_added_while_its_stage_runs_starts_with_the_next),
        SCHEDULE_TEST(a_system_disabled_while_its_stage_runs_rests_from_the_next_update_on),
        SCHEDULE_TEST(a_system_cannot_run_stages_and_the_try_changes_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
