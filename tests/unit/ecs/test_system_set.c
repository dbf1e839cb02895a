/* Sets of systems: order and switching as a group. */
#include "traced_systems.h"

#include <cairn/base/assert.h>

static CnError error;

/* Guards report cycles and names in use where they are compiled in; here the errors are looked at.
 */
static void go_on(const char *file, int line, const char *message, void *user)
{
    (void)file, (void)line, (void)message, (void)user;
}

static int make_sets(void **state)
{
    error = (CnError){0};
    cn_assert_set_handler(go_on, NULL);
    return make_traced_world(state);
}

static int drop_sets(void **state)
{
    cn_assert_set_handler(NULL, NULL);
    return drop_world(state);
}

#define SET_TEST(name) cmocka_unit_test_setup_teardown(name, make_sets, drop_sets)

static CnSystemDesc plain(const char *name, const char *set)
{
    CnSystemDesc desc = describe(name);
    desc.on_added = desc.on_removed = NULL;
    desc.dispose = NULL;
    desc.set = set;
    return desc;
}

static CnSystem add(const char *name, const char *set)
{
    CnSystemDesc desc = plain(name, set);
    return cn_system_add(world, &desc, &error);
}

static CnSystem add_before(const char *name, const char *set, const char *other)
{
    CnSystemDesc desc = plain(name, set);
    desc.before[0] = other;
    return cn_system_add(world, &desc, &error);
}

static CnSystem add_after(const char *name, const char *set, const char *other)
{
    CnSystemDesc desc = plain(name, set);
    desc.after[0] = other;
    return cn_system_add(world, &desc, &error);
}

static void assert_order(const char *expected)
{
    trace[0] = '\0';
    if (!cn_world_update(world, 1, &error))
        fail_msg("%s", error.message);
    assert_string_equal(trace, expected);
}

/* ---- Order ---- */

static void a_system_may_run_before_all_systems_of_a_set(void **state)
{
    (void)state;
    add("a", "physics"), add("b", NULL), add("c", "physics");
    add_before("first", NULL, "physics");
    assert_order("b first a c ");
}

static void a_system_may_run_after_all_systems_of_a_set(void **state)
{
    (void)state;
    add_after("last", NULL, "physics");
    add("a", "physics"), add("b", NULL), add("c", "physics");
    assert_order("a b c last ");
}

static void systems_of_a_set_may_run_after_those_of_another(void **state)
{
    (void)state;
    add_after("draw", "image", "physics");
    add_after("sound", "image", "physics");
    add("step", "physics"), add("push", "physics");
    assert_order("step push draw sound ");
}

static void a_system_ordered_by_its_own_set_is_ordered_by_the_others(void **state)
{
    (void)state;
    add("a", "physics"), add("b", "physics");
    add_before("begin", "physics", "physics");
    assert_order("begin a b ");
}

static void two_systems_that_both_precede_their_set_are_a_cycle(void **state)
{
    (void)state;
    add_before("a", "physics", "physics");
    add_before("b", "physics", "physics");
    QUIETLY(assert_false(cn_world_update(world, 1, &error)));
    assert_int_equal(error.code, CN_ERROR_CYCLE);
}

static void a_set_stands_for_its_systems_of_the_same_stage(void **state)
{
    (void)state;
    CnSystemDesc early = plain("early", "physics");
    early.stage = CN_STAGE_PRE_UPDATE;
    cn_system_add(world, &early, NULL);
    add_before("first", NULL, "physics");
    assert_false(cn_world_update(world, 1, &error));
    assert_int_equal(error.code, CN_ERROR_MISMATCH);
    add("a", "physics");
    assert_order("early first a ");
}

static void an_order_by_a_set_without_systems_is_an_error(void **state)
{
    (void)state;
    CnSystem only = add("a", "physics");
    add_after("last", NULL, "physics");
    assert_order("a last ");
    cn_system_remove(world, only);
    assert_false(cn_world_update(world, 1, &error));
    assert_int_equal(error.code, CN_ERROR_NOT_FOUND);
    assert_non_null(strstr(error.message, "physics"));
}

static void a_set_and_a_system_do_not_share_a_name(void **state)
{
    (void)state;
    add("a", "physics");
    assert_int_equal(add("physics", NULL).id, 0);
    assert_int_equal(error.code, CN_ERROR_EXISTS);
    assert_int_equal(add("b", "a").id, 0);
    assert_int_equal(error.code, CN_ERROR_EXISTS);
    assert_int_equal(add("c", "c").id, 0);
    assert_int_equal(error.code, CN_ERROR_EXISTS);
}

static void a_set_needs_a_name(void **state)
{
    (void)state;
    assert_int_equal(add("a", "").id, 0);
    assert_int_equal(error.code, CN_ERROR_FORMAT);
}

/* ---- Switching ---- */

static void a_set_is_switched_as_a_whole(void **state)
{
    (void)state;
    add("a", "physics"), add("b", NULL), add("c", "physics");
    assert_true(cn_system_set_enable(world, "physics", false));
    assert_order("b ");
    assert_true(cn_system_set_enable(world, "physics", true));
    assert_order("a b c ");
}

static void a_system_that_is_disabled_itself_stays_so(void **state)
{
    (void)state;
    add("a", "physics");
    CnSystem b = add("b", "physics");
    cn_system_enable(world, b, false);
    cn_system_set_enable(world, "physics", false);
    cn_system_set_enable(world, "physics", true);
    assert_order("a ");
}

static void enabling_a_system_does_not_enable_its_set(void **state)
{
    (void)state;
    CnSystem a = add("a", "physics");
    cn_system_set_enable(world, "physics", false);
    cn_system_enable(world, a, true);
    assert_order("");
}

static void a_disabled_set_holds_for_systems_that_join_later(void **state)
{
    (void)state;
    add("a", "physics");
    cn_system_set_enable(world, "physics", false);
    add("b", "physics");
    assert_order("");
    cn_system_set_enable(world, "physics", true);
    assert_order("a b ");
}

static void a_set_without_systems_cannot_be_switched(void **state)
{
    (void)state;
    add("a", "physics");
    assert_false(cn_system_set_enable(world, "phisics", false));
    assert_order("a ");
}

static void switch_off(CnSystemContext *context)
{
    run(context);
    cn_system_set_enable(context->world, "physics", false);
}

static void a_set_that_is_switched_by_a_system_runs_until_the_update_ends(void **state)
{
    (void)state;
    CnSystemDesc desc = plain("switch", NULL);
    desc.run = switch_off;
    cn_system_add(world, &desc, NULL);
    add("a", "physics");
    assert_order("switch a ");
    assert_order("switch ");
}

static void a_clone_has_the_sets_and_what_is_switched_off(void **state)
{
    (void)state;
    add("a", "physics"), add("b", NULL);
    cn_system_set_enable(world, "physics", false);
    CnWorld *clone = cn_world_clone(world, NULL, NULL);
    assert_non_null(clone);
    trace[0] = '\0';
    assert_true(cn_world_update(clone, 1, NULL));
    assert_string_equal(trace, "b ");
    assert_true(cn_system_set_enable(clone, "physics", true));
    trace[0] = '\0';
    assert_true(cn_world_update(clone, 1, NULL));
    assert_string_equal(trace, "a b ");
    cn_world_destroy(clone);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        SET_TEST(a_system_may_run_before_all_systems_of_a_set),
        SET_TEST(a_system_may_run_after_all_systems_of_a_set),
        SET_TEST(systems_of_a_set_may_run_after_those_of_another),
        SET_TEST(a_system_ordered_by_its_own_set_is_ordered_by_the_others),
        SET_TEST(two_systems_that_both_precede_their_set_are_a_cycle),
        SET_TEST(a_set_stands_for_its_systems_of_the_same_stage),
        SET_TEST(an_order_by_a_set_without_systems_is_an_error),
        SET_TEST(a_set_and_a_system_do_not_share_a_name),
        SET_TEST(a_set_needs_a_name),
        SET_TEST(a_set_is_switched_as_a_whole),
        SET_TEST(a_system_that_is_disabled_itself_stays_so),
        SET_TEST(enabling_a_system_does_not_enable_its_set),
        SET_TEST(a_disabled_set_holds_for_systems_that_join_later),
        SET_TEST(a_set_without_systems_cannot_be_switched),
        SET_TEST(a_set_that_is_switched_by_a_system_runs_until_the_update_ends),
        SET_TEST(a_clone_has_the_sets_and_what_is_switched_off),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
