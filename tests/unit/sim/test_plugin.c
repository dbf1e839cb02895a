/* Plugins of a simulation: order, needs, failure, replacement. */
#include "cmocka_tests.h"

#include <cairn/sim.h>

#include <stdio.h>
#include <string.h>

CN_COMPONENT(PluginSum, (u64, value));

static CnSim *sim;
static CnError error;
static char trace[512];

static int make_sim(void **state)
{
    (void)state;
    trace[0] = '\0';
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

static void add_three(CnSystemContext *context)
{
    cn_resource_mut(context->world, PluginSum)->value += 3;
}

static void times_seven(CnSystemContext *context)
{
    cn_resource_mut(context->world, PluginSum)->value *= 7;
}

static bool add_system(CnSim *to, const char *name, void (*run)(CnSystemContext *), CnError *why)
{
    CnSystemDesc desc = {.name = name, .run = run, .stage = CN_STAGE_UPDATE};
    desc.access[0] = (CnTerm)cn_writes(PluginSum);
    return cn_system_add(cn_sim_world(to), &desc, why).id != 0;
}

static bool build_adder(CnSim *to, void *user, CnError *why)
{
    strcat(trace, "+");
    strcat(trace, user ? user : "");
    if (!cn_resource(cn_sim_world(to), PluginSum))
        cn_resource_set(cn_sim_world(to), PluginSum, {1});
    return add_system(to, "first", add_three, why);
}

static bool build_multiplier(CnSim *to, void *user, CnError *why)
{
    (void)user;
    return add_system(to, "second", times_seven, why);
}

static bool build_then_fail(CnSim *to, void *user, CnError *why)
{
    (void)user;
    return add_system(to, "broken", add_three, why) &&
           cn_error_set(why, CN_ERROR_IO, "the disk is full");
}

static bool build_nothing(CnSim *to, void *user, CnError *why)
{
    (void)to, (void)user, (void)why;
    return true;
}

static void finish(CnSim *of, void *user)
{
    (void)of;
    strcat(trace, "-");
    strcat(trace, user);
}

static const CnPlugin adder = {.name = "Adder", .version = 1, .build = build_adder};
static const CnPlugin multiplier = {
    .name = "Multiplier", .version = 1, .needs = {"Adder"}, .build = build_multiplier};

static bool add(const CnPlugin *plugin)
{
    return cn_sim_add_plugin(sim, plugin, &error);
}

static uint64_t sum_after(uint64_t ticks)
{
    assert_true(cn_sim_tick_n(sim, ticks, &error));
    return cn_resource(cn_sim_world(sim), PluginSum)->value;
}

/* ---- Adding ---- */

static void a_plugin_is_built_when_it_is_added(void **state)
{
    (void)state;
    assert_true(add(&adder));
    assert_true(cn_sim_has_plugin(sim, "Adder"));
    assert_int_equal(sum_after(1), 4);
}

static bool build_with_others(CnSim *to, void *user, CnError *why)
{
    (void)user;
    static char names[20][16];
    for (uint32_t i = 0; i < CN_COUNT_OF(names); i++) {
        cn_format(names[i], sizeof names[i], "Other %u", i);
        CnPlugin other = {.name = names[i], .version = 1, .build = build_nothing};
        if (!cn_sim_add_plugin(to, &other, why))
            return false;
    }
    return true;
}

static void plugins_added_by_a_build_come_before_it(void **state)
{
    (void)state;
    uint32_t before = cn_sim_plugin_count(sim);
    assert_true(add(&(CnPlugin){.name = "Outer", .version = 1, .build = build_with_others}));
    assert_int_equal(cn_sim_plugin_count(sim), before + 21);
    assert_string_equal(cn_sim_plugin_name(sim, before), "Other 0");
    assert_string_equal(cn_sim_plugin_name(sim, before + 20), "Outer");
}

static void a_plugin_is_added_once(void **state)
{
    (void)state;
    assert_true(add(&adder));
    assert_false(add(&adder));
    assert_int_equal(error.code, CN_ERROR_EXISTS);
    assert_int_equal(sum_after(1), 4);
}

static void a_plugin_before_what_it_needs_is_refused(void **state)
{
    (void)state;
    assert_false(add(&multiplier));
    assert_int_equal(error.code, CN_ERROR_NOT_FOUND);
    assert_string_equal(error.message,
                        "plugin Multiplier needs plugin Adder, which has not been added");
    assert_true(add(&adder));
    assert_true(add(&multiplier));
    assert_int_equal(sum_after(1), 28);
}

static void a_plugin_without_a_name_or_build_is_refused(void **state)
{
    (void)state;
    assert_false(add(&(CnPlugin){.build = build_nothing}));
    assert_false(add(&(CnPlugin){.name = "", .build = build_nothing}));
    assert_false(add(&(CnPlugin){.name = "Idle"}));
    assert_non_null(strstr(error.message, "Idle has no build"));
}

static void what_a_failed_build_added_is_removed(void **state)
{
    (void)state;
    assert_true(add(&adder));
    assert_false(add(&(CnPlugin){.name = "Broken", .build = build_then_fail}));
    assert_string_equal(error.message, "plugin Broken cannot be built: the disk is full");
    assert_int_equal(cn_system_find(cn_sim_world(sim), "broken").id, 0);
    assert_int_equal(sum_after(1), 4);
}

static void the_number_of_plugins_is_limited(void **state)
{
    (void)state;
    char name[32];
    uint32_t added = cn_sim_plugin_count(sim);
    for (;; added++) {
        snprintf(name, sizeof name, "plugin %u", added);
        if (!add(&(CnPlugin){.name = name, .build = build_nothing}))
            break;
    }
    assert_int_equal(error.code, CN_ERROR_LIMIT);
    assert_int_equal(added, CN_MAX_PLUGINS);
}

/* ---- The fixed order ---- */

static void the_engines_plugins_come_in_the_fixed_order(void **state)
{
    (void)state;
    const char *const order[] = {"CoreTiming", "Random", "Replay", "Scheduler",
                                 "Render",     "Scene",  "Asset",  "MeshImport",
                                 "Io",         "Ui",     "Audio",  "Host"};
    for (size_t i = 0; i < sizeof order / sizeof order[0]; i++)
        assert_string_equal(cn_core_plugins()[i], order[i]);
    uint32_t last = 0;
    for (uint32_t i = 0; i < cn_sim_plugin_count(sim); i++) {
        uint32_t rank = 0;
        while (strcmp(order[rank], cn_sim_plugin_name(sim, i)))
            rank++;
        assert_true(!i || rank > last);
        last = rank;
    }
    assert_null(cn_sim_plugin_name(sim, cn_sim_plugin_count(sim)));
}

static void a_core_plugin_out_of_order_is_refused(void **state)
{
    (void)state;
    assert_false(add(&(CnPlugin){.name = "Scene", .build = build_nothing}));
    assert_int_equal(error.code, CN_ERROR_MISMATCH);
    assert_string_equal(error.message, "plugin Scene must be added before Io");
    assert_true(add(&(CnPlugin){.name = "Ui", .build = build_nothing}));
    assert_true(add(&adder));
    assert_false(add(&(CnPlugin){.name = "Audio", .build = build_nothing}));
}

static void core_plugins_of_other_modules_find_their_places(void **state)
{
    (void)state;
    const CnPlugin core[] = {{.name = "Audio", .build = build_nothing},
                             {.name = "Scene", .build = build_nothing}};
    CnSim *other = cn_sim_create(&(CnSimDesc){.core = core, .core_count = 2}, &error);
    assert_non_null(other);
    const char *const expected[] = {"CoreTiming", "Random", "Scheduler", "Scene", "Io", "Audio"};
    for (uint32_t i = 0; i < 6; i++)
        assert_string_equal(cn_sim_plugin_name(other, i), expected[i]);
    cn_sim_destroy(other);
    assert_null(cn_sim_create(&(CnSimDesc){.core = &adder, .core_count = 1}, &error));
    assert_non_null(strstr(error.message, "Adder is not a plugin of the engine"));
}

/* ---- Going ---- */

static void a_removed_plugin_is_finished_and_its_systems_are_gone(void **state)
{
    (void)state;
    CnPlugin plugin = adder;
    plugin.finish = finish;
    plugin.user = "a";
    assert_true(add(&plugin));
    assert_true(cn_sim_remove_plugin(sim, "Adder", &error));
    assert_string_equal(trace, "+a-a");
    assert_int_equal(cn_system_find(cn_sim_world(sim), "first").id, 0);
    assert_false(cn_sim_remove_plugin(sim, "Adder", &error));
    assert_int_equal(error.code, CN_ERROR_NOT_FOUND);
}

static void a_plugin_that_is_needed_is_not_removed(void **state)
{
    (void)state;
    add(&adder), add(&multiplier);
    assert_false(cn_sim_remove_plugin(sim, "Adder", &error));
    assert_string_equal(error.message, "plugin Adder is needed by Multiplier");
    assert_int_equal(sum_after(1), 28);
}

static void the_end_finishes_the_last_added_first(void **state)
{
    (void)state;
    add(&(CnPlugin){.name = "A", .build = build_nothing, .finish = finish, .user = "a"});
    add(&(CnPlugin){.name = "B", .build = build_nothing, .finish = finish, .user = "b"});
    drop_sim(NULL);
    assert_string_equal(trace, "-b-a");
    make_sim(NULL);
}

/* ---- Replacing ---- */

static bool build_better_adder(CnSim *to, void *user, CnError *why)
{
    (void)user;
    return add_system(to, "first", times_seven, why);
}

static void a_replaced_plugin_keeps_its_place_and_state(void **state)
{
    (void)state;
    add(&adder), add(&multiplier);
    assert_int_equal(sum_after(1), 28);
    assert_true(cn_sim_replace_plugin(sim, &adder, &error));
    assert_int_equal(sum_after(1), (28 + 3) * 7);
    CnPlugin better = adder;
    better.build = build_better_adder;
    assert_true(cn_sim_replace_plugin(sim, &better, &error));
    assert_int_equal(sum_after(1), (28 + 3) * 7 * 49);
}

static void a_replacement_that_fails_leaves_the_old_code(void **state)
{
    (void)state;
    add(&adder), add(&multiplier);
    CnPlugin broken = adder;
    broken.build = build_then_fail;
    assert_false(cn_sim_replace_plugin(sim, &broken, &error));
    assert_non_null(strstr(error.message, "the disk is full"));
    assert_int_equal(cn_system_find(cn_sim_world(sim), "broken").id, 0);
    assert_int_equal(sum_after(1), 28);
}

static void only_a_plugin_that_is_there_is_replaced(void **state)
{
    (void)state;
    assert_false(cn_sim_replace_plugin(sim, &adder, &error));
    assert_int_equal(error.code, CN_ERROR_NOT_FOUND);
}

#define PLUGIN_TEST(name) cmocka_unit_test_setup_teardown(name, make_sim, drop_sim)

int main(void)
{
    const struct CMUnitTest tests[] = {
        PLUGIN_TEST(a_plugin_is_built_when_it_is_added),
        PLUGIN_TEST(plugins_added_by_a_build_come_before_it),
        PLUGIN_TEST(a_plugin_is_added_once),
        PLUGIN_TEST(a_plugin_before_what_it_needs_is_refused),
        PLUGIN_TEST(a_plugin_without_a_name_or_build_is_refused),
        PLUGIN_TEST(what_a_failed_build_added_is_removed),
        PLUGIN_TEST(the_number_of_plugins_is_limited),
        PLUGIN_TEST(the_engines_plugins_come_in_the_fixed_order),
        PLUGIN_TEST(a_core_plugin_out_of_order_is_refused),
        PLUGIN_TEST(core_plugins_of_other_modules_find_their_places),
        PLUGIN_TEST(a_removed_plugin_is_finished_and_its_systems_are_gone),
        PLUGIN_TEST(a_plugin_that_is_needed_is_not_removed),
        PLUGIN_TEST(the_end_finishes_the_last_added_first),
        PLUGIN_TEST(a_replaced_plugin_keeps_its_place_and_state),
        PLUGIN_TEST(a_replacement_that_fails_leaves_the_old_code),
        PLUGIN_TEST(only_a_plugin_that_is_there_is_replaced),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
