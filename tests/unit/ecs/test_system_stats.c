/* Counts and times of systems. */
#include "traced_systems.h"

#include <cairn/base/assert.h>

static CnSystem add(CnSystemDesc desc)
{
    CnSystem system = cn_system_add(world, &desc, NULL);
    assert_int_not_equal(system.id, 0);
    return system;
}

static void update(int times)
{
    for (int i = 0; i < times; i++)
        assert_true(cn_world_update(world, 1, NULL));
}

static CnSystemStats stats_of(CnSystem system)
{
    CnSystemStats stats;
    assert_true(cn_system_stats(world, system, &stats));
    return stats;
}

static void at_first_nothing_is_measured(void **state)
{
    (void)state;
    CnSystem a = add(describe("a"));
    update(3);
    CnSystemStats stats = stats_of(a), zero = {0};
    assert_memory_equal(&stats, &zero, sizeof stats);
}

static void runs_are_counted_while_measuring_is_on(void **state)
{
    (void)state;
    CnSystem a = add(describe("a"));
    cn_world_measure_systems(world, true);
    update(3);
    assert_int_equal(stats_of(a).runs, 3);
    cn_world_measure_systems(world, false);
    update(2);
    assert_int_equal(stats_of(a).runs, 3);
}

static void switching_it_on_begins_at_zero(void **state)
{
    (void)state;
    CnSystem a = add(describe("a"));
    cn_world_measure_systems(world, true);
    update(3);
    cn_world_measure_systems(world, false);
    cn_world_measure_systems(world, true);
    assert_int_equal(stats_of(a).runs, 0);
    assert_int_equal(stats_of(a).total_ns, 0);
}

static void switching_it_on_again_keeps_what_was_measured(void **state)
{
    (void)state;
    CnSystem a = add(describe("a"));
    cn_world_measure_systems(world, true);
    update(3);
    cn_world_measure_systems(world, true);
    assert_int_equal(stats_of(a).runs, 3);
}

static void the_total_holds_the_longest_and_the_last_run(void **state)
{
    (void)state;
    CnSystem a = add(describe("a"));
    cn_world_measure_systems(world, true);
    update(5);
    CnSystemStats stats = stats_of(a);
    assert_true(stats.max_ns >= stats.last_ns);
    assert_true(stats.total_ns >= stats.max_ns);
    assert_true(stats.total_ns <= 5 * stats.max_ns);
}

static bool refuse(const CnSystemContext *context)
{
    (void)context;
    return false;
}

static void runs_that_run_if_refuses_are_not_counted(void **state)
{
    (void)state;
    CnSystemDesc desc = describe("a");
    desc.run_if = refuse;
    CnSystem a = add(desc);
    cn_world_measure_systems(world, true);
    update(3);
    assert_int_equal(stats_of(a).runs, 0);
}

static void a_disabled_system_is_not_counted(void **state)
{
    (void)state;
    CnSystem a = add(describe("a"));
    cn_world_measure_systems(world, true);
    update(1);
    cn_system_enable(world, a, false);
    update(3);
    assert_int_equal(stats_of(a).runs, 1);
}

static void runs_on_a_job_pool_are_counted(void **state)
{
    (void)state;
    CnJobPool *jobs = cn_job_pool_create(&(CnJobPoolDesc){.workers = 2}, NULL);
    CnSystemDesc first = describe("a"), second = describe("b");
    first.access[0] = (CnTerm)cn_reads(Position), second.access[0] = (CnTerm)cn_reads(Mass);
    first.alone = second.alone = true; /* both append to the trace */
    CnSystem a = add(first), b = add(second);
    cn_world_set_jobs(world, jobs);
    cn_world_measure_systems(world, true);
    update(4);
    assert_int_equal(stats_of(a).runs, 4);
    assert_int_equal(stats_of(b).runs, 4);
    cn_world_set_jobs(world, NULL);
    cn_job_pool_destroy(jobs);
}

static void measuring_changes_neither_order_nor_ticks(void **state)
{
    (void)state;
    add(describe("a")), add(describe("b"));
    update(1);
    uint64_t begin = cn_world_tick(world);
    update(1);
    uint64_t step = cn_world_tick(world) - begin;
    trace[0] = '\0';
    cn_world_measure_systems(world, true);
    update(1);
    assert_string_equal(trace, "a b ");
    assert_int_equal(cn_world_tick(world), begin + 2 * step);
}

static void measuring_is_no_part_of_the_state(void **state)
{
    (void)state;
    cn_spawn(world, cn_with(Position, {1, 2, 3}));
    add(describe("a"));
    uint64_t before = cn_world_hash(world);
    cn_world_measure_systems(world, true);
    update(1);
    assert_true(cn_world_hash(world) == before);
}

static void a_system_that_is_unknown_has_no_stats(void **state)
{
    (void)state;
    CnSystemStats stats = {9, 9, 9, 9}, zero = {0};
    assert_false(cn_system_stats(world, (CnSystem){77}, &stats));
    assert_memory_equal(&stats, &zero, sizeof stats);
}

static void go_on(const char *file, int line, const char *message, void *user)
{
    (void)file, (void)line, (void)message, (void)user;
}

static void switch_on(CnSystemContext *context)
{
    cn_world_measure_systems(context->world, true);
}

static void a_system_cannot_switch_it(void **state)
{
    (void)state;
    CnSystemDesc desc = describe("a");
    desc.run = switch_on;
    CnSystem a = add(desc);
    cn_assert_set_handler(go_on, NULL);
    update(2);
    cn_assert_set_handler(NULL, NULL);
    assert_int_equal(stats_of(a).runs, 0);
}

#define TRACED_TEST(name) cmocka_unit_test_setup_teardown(name, make_traced_world, drop_world)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TRACED_TEST(at_first_nothing_is_measured),
        TRACED_TEST(runs_are_counted_while_measuring_is_on),
        TRACED_TEST(switching_it_on_begins_at_zero),
        TRACED_TEST(switching_it_on_again_keeps_what_was_measured),
        TRACED_TEST(the_total_holds_the_longest_and_the_last_run),
        TRACED_TEST(runs_that_run_if_refuses_are_not_counted),
        TRACED_TEST(a_disabled_system_is_not_counted),
        TRACED_TEST(runs_on_a_job_pool_are_counted),
        TRACED_TEST(measuring_changes_neither_order_nor_ticks),
        TRACED_TEST(measuring_is_no_part_of_the_state),
        TRACED_TEST(a_system_that_is_unknown_has_no_stats),
        TRACED_TEST(a_system_cannot_switch_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
