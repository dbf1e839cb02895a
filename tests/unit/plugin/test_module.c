/* Modules that are compiled in: a table of plugins, added in its order. */
#include "cmocka_tests.h"

#include <cairn/plugin.h>
#include <cairn/sim.h>

#include <string.h>

static CnSim *sim;
static CnError error;

static int make_sim(void **state)
{
    (void)state;
    error = (CnError){0};
    sim = cn_sim_create(NULL, &error);
    return sim ? 0 : -1;
}

static int drop_sim(void **state)
{
    (void)state;
    cn_sim_destroy(sim);
    return 0;
}

static bool build(CnSim *of, void *user, CnError *why)
{
    (void)of, (void)user, (void)why;
    return true;
}

static bool fail_to_build(CnSim *of, void *user, CnError *why)
{
    (void)of, (void)user;
    return cn_error_set(why, CN_ERROR_IO, "no wind today");
}

static const CnPlugin wind = {.name = "Wind", .version = 1, .build = build};
static const CnPlugin sails = {.name = "Sails", .version = 1, .needs = {"Wind"}, .build = build};
static const CnPlugin calm = {.name = "Calm", .version = 1, .build = fail_to_build};

static void modules_are_added_in_the_order_of_the_table(void **state)
{
    (void)state;
    const CnPlugin *table[] = {&wind, &sails, NULL};
    uint32_t before = cn_sim_plugin_count(sim);
    assert_true(cn_modules_add(sim, table, &error));
    assert_int_equal(cn_sim_plugin_count(sim), before + 2);
    assert_string_equal(cn_sim_plugin_name(sim, before), "Wind");
    assert_string_equal(cn_sim_plugin_name(sim, before + 1), "Sails");
}

static void an_empty_table_adds_nothing(void **state)
{
    (void)state;
    const CnPlugin *table[] = {NULL};
    uint32_t before = cn_sim_plugin_count(sim);
    assert_true(cn_modules_add(sim, table, &error));
    assert_int_equal(cn_sim_plugin_count(sim), before);
}

static void a_module_that_fails_stops_the_rest_and_leaves_those_before(void **state)
{
    (void)state;
    const CnPlugin *table[] = {&wind, &calm, &sails, NULL};
    assert_false(cn_modules_add(sim, table, &error));
    assert_non_null(strstr(error.message, "no wind today"));
    assert_true(cn_sim_has_plugin(sim, "Wind"));
    assert_false(cn_sim_has_plugin(sim, "Calm"));
    assert_false(cn_sim_has_plugin(sim, "Sails"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(modules_are_added_in_the_order_of_the_table, make_sim,
                                        drop_sim),
        cmocka_unit_test_setup_teardown(an_empty_table_adds_nothing, make_sim, drop_sim),
        cmocka_unit_test_setup_teardown(a_module_that_fails_stops_the_rest_and_leaves_those_before,
                                        make_sim, drop_sim),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
