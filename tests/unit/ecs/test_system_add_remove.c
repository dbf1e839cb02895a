/* Systems that come and go while others run. */
#include "traced_systems.h"

static CnSystem add(CnSystemDesc desc)
{
    return cn_system_add(world, &desc, NULL);
}

static CnSystem find(const char *name)
{
    return cn_system_find(world, name);
}

static void assert_update(const char *expected)
{
    trace[0] = '\0';
    assert_true(cn_world_update(world, 0.1f, NULL));
    assert_string_equal(trace, expected);
}

/* Adds a system that does something once. */
static void (*task)(void);

static void run_task(CnSystemContext *context)
{
    run(context);
    void (*now)(void) = task;
    task = NULL;
    if (now)
        now();
}

static void add_worker(void (*what)(void), bool alone)
{
    CnSystemDesc desc = describe("worker");
    desc.run = run_task, desc.alone = alone;
    add(desc);
    task = what;
}

/* ---- From a system ---- */

static void add_new(void)
{
    assert_int_not_equal(add(describe("new")).id, 0);
}

static void a_system_added_in_an_update_comes_after_it(void **state)
{
    (void)state;
    add_worker(add_new, false);
    add(describe("other"));
    assert_update("worker other +new ");
    assert_update("worker other new ");
}

static void a_system_that_is_alone_may_add_as_well(void **state)
{
    (void)state;
    add_worker(add_new, true);
    assert_update("worker +new ");
    assert_update("worker new ");
}

static void add_to_a_later_stage(void)
{
    CnSystemDesc desc = describe("late");
    desc.stage = CN_STAGE_POST_UPDATE;
    add(desc);
}

static void also_a_later_stage_of_the_update_goes_on_without_it(void **state)
{
    (void)state;
    add_worker(add_to_a_later_stage, true);
    assert_update("worker +late ");
    assert_update("worker late ");
}

static void remove_other(void)
{
    assert_true(cn_system_remove(world, find("other")));
    assert_int_equal(find("other").id, 0);
}

static void a_system_removed_in_an_update_goes_after_it(void **state)
{
    (void)state;
    add_worker(remove_other, true);
    add(describe("other"));
    assert_update("worker other -other ~other ");
    assert_update("worker ");
}

static void disable_other(void)
{
    assert_true(cn_system_enable(world, find("other"), false));
}

static void a_system_disabled_in_an_update_rests_after_it(void **state)
{
    (void)state;
    add_worker(disable_other, true);
    add(describe("other"));
    assert_update("worker other ");
    assert_update("worker ");
}

static void disable_and_enable_other(void)
{
    cn_system_enable(world, find("other"), false);
    cn_system_enable(world, find("other"), true);
}

static void the_last_switch_counts(void **state)
{
    (void)state;
    add_worker(disable_and_enable_other, true);
    add(describe("other"));
    assert_update("worker other ");
    assert_update("worker other ");
}

static void replace_other(void)
{
    CnSystem before = find("other");
    remove_other();
    CnSystem after = add(describe("other"));
    assert_int_not_equal(after.id, before.id);
    assert_int_equal(find("other").id, after.id);
}

static void a_name_is_free_as_soon_as_its_system_is_removed(void **state)
{
    (void)state;
    add_worker(replace_other, true);
    add(describe("other"));
    add(describe("last"));
    assert_update("worker other last -other ~other +other ");
    assert_update("worker last other "); /* it is a new one */
}

static void add_and_remove_new(void)
{
    add_new();
    assert_true(cn_system_remove(world, find("new")));
}

static void what_comes_and_goes_in_one_update_never_runs_and_is_disposed(void **state)
{
    (void)state;
    add_worker(add_and_remove_new, true);
    assert_update("worker ~new ");
    assert_update("worker ");
}

static void remove_twice(void)
{
    CnSystem other = find("other");
    assert_true(cn_system_remove(world, other));
    assert_false(cn_system_remove(world, other));
    assert_false(cn_system_enable(world, other, true));
    assert_null(cn_system_name(world, other));
}

static void a_removed_system_is_not_found_again(void **state)
{
    (void)state;
    add_worker(remove_twice, true);
    add(describe("other"));
    assert_update("worker other -other ~other ");
}

static void many_changes(void)
{
    cn_system_remove(world, find("c"));
    add(describe("d"));
    cn_system_remove(world, find("a"));
    add(describe("e"));
    add(describe("a"));
}

static void changes_take_effect_in_the_order_of_registration(void **state)
{
    (void)state;
    add(describe("a"));
    add_worker(many_changes, true);
    add(describe("b"));
    add(describe("c"));
    assert_update("a worker b c -a ~a -c ~c +d +e +a ");
    assert_update("worker b d e a ");
}

static void an_update_that_fails_changes_what_was_requested_all_the_same(void **state)
{
    (void)state;
    add_worker(add_new, true);
    assert_true(cn_world_run_stage(world, CN_STAGE_UPDATE, 0.1f, NULL));
    CnSystemDesc lost = describe("lost");
    lost.after[0] = "nobody", lost.stage = CN_STAGE_INPUT;
    add(lost);
    trace[0] = '\0';
    assert_false(cn_world_update(world, 0.1f, NULL));
    assert_string_equal(trace, "");
    cn_system_remove(world, find("lost"));
    assert_update("worker new ");
}

/* ---- From callbacks ---- */

static void add_on_added(CnWorld *of, void *user)
{
    on_added(of, user);
    add(describe("second"));
}

static void a_callback_may_add(void **state)
{
    (void)state;
    CnSystemDesc first = describe("first");
    first.on_added = add_on_added;
    assert_int_not_equal(add(first).id, 0);
    assert_string_equal(trace, "+first +second ");
    assert_update("first second ");
}

static void remove_on_added(CnWorld *of, void *user)
{
    on_added(of, user);
    cn_system_remove(of, cn_system_find(of, user));
}

static void a_callback_may_remove_its_own_system(void **state)
{
    (void)state;
    CnSystemDesc brief = describe("brief");
    brief.on_added = remove_on_added;
    add(brief);
    assert_string_equal(trace, "+brief -brief ~brief ");
    assert_update("");
}

static void remove_other_on_removed(CnWorld *of, void *user)
{
    on_removed(of, user);
    cn_system_remove(of, cn_system_find(of, "other"));
}

static void a_callback_may_remove_another(void **state)
{
    (void)state;
    CnSystemDesc first = describe("first");
    first.on_removed = remove_other_on_removed;
    add(describe("other"));
    CnSystem system = add(first);
    trace[0] = '\0';
    cn_system_remove(world, system);
    assert_string_equal(trace, "-first ~first -other ~other ");
}

static void disable_on_added(CnWorld *of, void *user)
{
    on_added(of, user);
    cn_system_enable(of, cn_system_find(of, user), false);
}

static void a_callback_may_disable(void **state)
{
    (void)state;
    CnSystemDesc lazy = describe("lazy");
    lazy.on_added = disable_on_added;
    add(lazy);
    assert_update("");
}

static void add_on_dispose(void *user)
{
    on_dispose(user);
    add(describe("heir"));
}

static void disposing_may_add(void **state)
{
    (void)state;
    CnSystemDesc old = describe("old");
    old.dispose = add_on_dispose;
    CnSystem system = add(old);
    cn_system_remove(world, system);
    assert_string_equal(trace, "+old -old ~old +heir ");
    assert_update("heir ");
}

static void update_on_added(CnWorld *of, void *user)
{
    on_added(of, user);
    assert_true(cn_world_update(of, 0.1f, NULL));
}

static void a_callback_may_run_an_update(void **state)
{
    (void)state;
    CnSystemDesc eager = describe("eager");
    eager.on_added = update_on_added;
    add(describe("other"));
    add(eager);
    assert_string_equal(trace, "+other +eager other eager ");
    assert_update("other eager ");
}

static void add_chain(void)
{
    CnSystemDesc first = describe("first");
    first.on_added = add_on_added;
    add(first);
}

static void callbacks_after_an_update_may_add(void **state)
{
    (void)state;
    add_worker(add_chain, true);
    assert_update("worker +first +second ");
    assert_update("worker first second ");
}

#define TRACED_TEST(name) cmocka_unit_test_setup_teardown(name, make_traced_world, drop_world)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TRACED_TEST(a_system_added_in_an_update_comes_after_it),
        TRACED_TEST(a_system_that_is_alone_may_add_as_well),
        TRACED_TEST(also_a_later_stage_of_the_update_goes_on_without_it),
        TRACED_TEST(a_system_removed_in_an_update_goes_after_it),
        TRACED_TEST(a_system_disabled_in_an_update_rests_after_it),
        TRACED_TEST(the_last_switch_counts),
        TRACED_TEST(a_name_is_free_as_soon_as_its_system_is_removed),
        TRACED_TEST(what_comes_and_goes_in_one_update_never_runs_and_is_disposed),
        TRACED_TEST(a_removed_system_is_not_found_again),
        TRACED_TEST(changes_take_effect_in_the_order_of_registration),
        TRACED_TEST(an_update_that_fails_changes_what_was_requested_all_the_same),
        TRACED_TEST(a_callback_may_add),
        TRACED_TEST(a_callback_may_remove_its_own_system),
        TRACED_TEST(a_callback_may_remove_another),
        TRACED_TEST(a_callback_may_disable),
        TRACED_TEST(disposing_may_add),
        TRACED_TEST(a_callback_may_run_an_update),
        TRACED_TEST(callbacks_after_an_update_may_add),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
