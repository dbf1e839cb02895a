/* Shared libraries as plugins: what is refused, what is loaded, and what a reload keeps. */
#include "cmocka_tests.h"

#include "swarm/swarm.h"

#include <cairn/plugin.h>
#include <cairn/sim.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static CnSim *sim;
static CnPluginHost *host;
static CnError error;
static char folder[] = "/tmp/cairn-plugins-XXXXXX";
static char place[128]; /* where reloaded editions are put */

static const char *library(const char *name)
{
    static char path[256];
    snprintf(path, sizeof path, "%s/%s.so", CAIRN_TEST_PLUGINS, name);
    return path;
}

static int make_host(void **state)
{
    (void)state;
    error = (CnError){0};
    sim = cn_sim_create(&(CnSimDesc){.seed = 5}, &error);
    host = sim ? cn_plugin_host_create(sim, &error) : NULL;
    return host ? 0 : -1;
}

static int drop_host(void **state)
{
    (void)state;
    cn_plugin_host_destroy(host);
    cn_sim_destroy(sim);
    unlink(place);
    return 0;
}

static void assert_refused(const char *name, CnErrorCode code, const char *words)
{
    uint32_t before = cn_sim_plugin_count(sim);
    assert_false(cn_plugin_load(host, library(name), &error));
    assert_int_equal(error.code, code);
    assert_non_null(strstr(error.message, words));
    assert_int_equal(cn_sim_plugin_count(sim), before);
    assert_true(cn_sim_tick_n(sim, 3, &error)); /* it goes on */
}

/* ---- Refused ---- */

static void a_library_of_another_interface_is_refused(void **state)
{
    (void)state;
    assert_refused("wrong_abi", CN_ERROR_VERSION, "interface");
}

static void a_library_of_other_headers_is_refused(void **state)
{
    (void)state;
    assert_refused("wrong_size", CN_ERROR_VERSION, "different headers");
}

static void a_library_without_the_table_is_refused(void **state)
{
    (void)state;
    assert_refused("no_table", CN_ERROR_NOT_FOUND, "cn_plugin_table");
}

static void a_library_with_a_missing_symbol_is_refused(void **state)
{
    (void)state;
    assert_refused("missing_symbol", CN_ERROR_FORMAT, "cn_function_of_the_future");
}

static void a_plugin_before_what_it_needs_is_refused(void **state)
{
    (void)state;
    assert_refused("needs_missing", CN_ERROR_NOT_FOUND, "Wolves");
}

static void a_plugin_that_cannot_be_built_is_refused(void **state)
{
    (void)state;
    assert_refused("edition_failing", CN_ERROR_MISMATCH, "this edition cannot be built");
}

CN_COMPONENT(ProgramState, (u8, mood));

static void a_component_of_another_shape_names_program_and_plugin(void **state)
{
    (void)state;
    cn_register(cn_sim_world(sim), ProgramState);
    assert_refused("other_shape", CN_ERROR_MISMATCH, "tests/plugins/other_shape.c:5");
    assert_refused("other_shape", CN_ERROR_MISMATCH, "tests/unit/plugin/test_native.c:");
}

static void a_plugin_loaded_twice_is_refused(void **state)
{
    (void)state;
    assert_true(cn_plugin_load(host, library("edition_a"), &error));
    assert_refused("edition_b", CN_ERROR_EXISTS, "Edition already exists");
}

static void a_file_that_is_missing_or_no_library_is_refused(void **state)
{
    (void)state;
    assert_false(cn_plugin_load(host, "/nowhere/x.so", &error));
    assert_int_equal(error.code, CN_ERROR_NOT_FOUND);
    FILE *file = fopen(place, "w");
    fputs("this is no library", file);
    fclose(file);
    assert_false(cn_plugin_load(host, place, &error));
    assert_int_equal(error.code, CN_ERROR_FORMAT);
}

static void no_code_of_a_refused_library_runs(void **state)
{
    (void)state;
    unsetenv("CAIRN_TEST_CONSTRUCTOR");
    assert_refused("wrong_abi", CN_ERROR_VERSION, "interface");
    assert_refused("wrong_size", CN_ERROR_VERSION, "different headers");
    assert_refused("no_table", CN_ERROR_NOT_FOUND, "cn_plugin_table");
    assert_null(getenv("CAIRN_TEST_CONSTRUCTOR"));
    /* The constructor of a library that is not refused does run. */
    assert_true(cn_plugin_load(host, library("with_constructor"), &error));
    assert_non_null(getenv("CAIRN_TEST_CONSTRUCTOR"));
}

static void put(const char *name);

static void a_library_that_others_may_write_is_refused(void **state)
{
    (void)state;
    put("edition_a");
    assert_int_equal(chmod(place, 0757), 0);
    assert_false(cn_plugin_load(host, place, &error));
    assert_int_equal(error.code, CN_ERROR_PERMISSION);
    assert_non_null(strstr(error.message, "others may write to it"));
    assert_int_equal(chmod(place, 0775), 0); /* the user's own group may */
    assert_true(cn_plugin_load(host, place, &error));
}

static void a_library_of_another_user_is_refused(void **state)
{
    (void)state;
    if (geteuid() != 0)
        skip();
    put("edition_a");
    assert_int_equal(chown(place, 12345, 12345), 0);
    assert_false(cn_plugin_load(host, place, &error));
    assert_int_equal(error.code, CN_ERROR_PERMISSION);
    assert_int_equal(chown(place, 0, 12345), 0);
    assert_int_equal(chmod(place, 0775), 0); /* of another group */
    assert_false(cn_plugin_load(host, place, &error));
    assert_int_equal(error.code, CN_ERROR_PERMISSION);
}

static void a_pipe_is_refused_without_waiting(void **state)
{
    (void)state;
    assert_int_equal(mkfifo(place, 0600), 0);
    assert_false(cn_plugin_load(host, place, &error));
    assert_int_equal(error.code, CN_ERROR_PERMISSION);
}

static void a_truncated_library_is_refused(void **state)
{
    (void)state;
    put("edition_a");
    struct stat status;
    assert_int_equal(stat(place, &status), 0);
    for (off_t size = 0; size < 4096 && size < status.st_size; size += 61) {
        put("edition_a");
        assert_int_equal(truncate(place, size), 0);
        assert_false(cn_plugin_load(host, place, &error));
        assert_int_equal(error.code, CN_ERROR_FORMAT);
    }
}

/* ---- Loaded and unloaded ---- */

static void a_loaded_plugin_runs(void **state)
{
    (void)state;
    assert_true(cn_plugin_load(host, library("template_plugin"), &error));
    assert_true(cn_sim_has_plugin(sim, "Sheep"));
    assert_true(cn_sim_tick_n(sim, 10, &error));
    uint64_t steps = 0;
    CnWorld *world = cn_sim_world(sim);
    const void *flock = cn_resource_get(world, cn_component_find(world, "Flock"));
    assert_non_null(flock);
    memcpy(&steps, flock, sizeof steps);
    assert_int_equal(steps, 1000);
}

static void an_unloaded_plugin_leaves_its_state_and_no_system(void **state)
{
    (void)state;
    assert_true(cn_plugin_load(host, library("edition_a"), &error));
    assert_true(cn_sim_tick_n(sim, 10, &error));
    assert_true(cn_plugin_unload(host, "Edition", &error));
    CnWorld *world = cn_sim_world(sim);
    assert_int_equal(cn_system_find(world, "edition_step").id, 0);
    assert_non_null(cn_resource_get(world, cn_component_find(world, "EditionStep")));
    uint32_t entities = cn_entity_count(world);
    assert_true(cn_sim_tick_n(sim, 100, &error));
    assert_int_equal(cn_entity_count(world), entities);
    assert_false(cn_plugin_unload(host, "Edition", &error));
    assert_int_equal(error.code, CN_ERROR_NOT_FOUND);
}

static void hooks_of_an_unloaded_plugin_are_gone(void **state)
{
    (void)state;
    assert_true(cn_plugin_load(host, library("edition_a"), &error));
    assert_true(cn_plugin_unload(host, "Edition", &error));
    CnWorld *world = cn_sim_world(sim);
    CnEntity entity = cn_entity_create(world);
    assert_true(cn_add_component(world, entity, cn_component_find(world, "EditionBody")));
}

/* ---- Reloaded ---- */

static void put(const char *name)
{
    char command[512];
    snprintf(command, sizeof command, "cp %s %s", library(name), place);
    assert_int_equal(system(command), 0);
}

static uint64_t hash_of_straight_run(uint32_t ticks)
{
    make_host(NULL);
    assert_true(cn_plugin_load(host, library("edition_a"), &error));
    assert_true(cn_sim_tick_n(sim, ticks, &error));
    uint64_t hash = cn_sim_hash(sim);
    cn_plugin_host_destroy(host);
    cn_sim_destroy(sim);
    return hash;
}

static void a_thousand_reloads_do_not_change_a_bit(void **state)
{
    (void)state;
    drop_host(NULL);
    uint64_t expected = hash_of_straight_run(1000);
    make_host(NULL);
    put("edition_a");
    assert_true(cn_plugin_load(host, place, &error));
    for (int i = 0; i < 1000; i++) {
        assert_true(cn_sim_tick_n(sim, 1, &error));
        if (!cn_plugin_reload(host, "Edition", &error))
            fail_msg("reload %d: %s", i, error.message);
    }
    assert_true(cn_sim_hash(sim) == expected);
    CnWorld *world = cn_sim_world(sim);
    const uint32_t *loads = cn_resource_get(world, cn_component_find(world, "EditionLoads"));
    assert_int_equal(*loads, 1001);
}

/* The hash of a swarm beside the plugin, which is reloaded after each tick or never. */
static uint64_t hash_with_swarm(bool reload)
{
    make_host(NULL);
    assert_true(swarm_add(sim, &(SwarmDesc){200}, &error));
    put("edition_a");
    assert_true(cn_plugin_load(host, place, &error));
    for (uint64_t tick = 0; tick < 1000; tick++) {
        swarm_play(sim, 3, tick);
        assert_true(cn_sim_tick_n(sim, 1, &error));
        if (reload && !cn_plugin_reload(host, "Edition", &error))
            fail_msg("reload %u: %s", (unsigned)tick, error.message);
    }
    uint64_t hash = cn_sim_hash(sim);
    cn_plugin_host_destroy(host);
    cn_sim_destroy(sim);
    return hash;
}

static void a_thousand_reloads_beside_a_swarm_do_not_change_a_bit(void **state)
{
    (void)state;
    drop_host(NULL);
    assert_true(hash_with_swarm(true) == hash_with_swarm(false));
    make_host(NULL);
}

static void a_reload_brings_the_new_code(void **state)
{
    (void)state;
    CnWorld *world = cn_sim_world(sim);
    put("edition_a");
    assert_true(cn_plugin_load(host, place, &error));
    const uint64_t *value = cn_resource_get(world, cn_component_find(world, "EditionStep"));
    uint64_t before = *value;
    assert_true(cn_sim_tick_n(sim, 1, &error));
    assert_int_equal(*value, before * 31 + 1);
    put("edition_b");
    assert_true(cn_plugin_reload(host, "Edition", &error));
    before = *value;
    assert_true(cn_sim_tick_n(sim, 1, &error));
    assert_int_equal(*value, before * 31 + 2);
}

static void a_reload_that_fails_keeps_the_old_code(void **state)
{
    (void)state;
    CnWorld *world = cn_sim_world(sim);
    const char *const bad[] = {"edition_failing", "edition_renamed", "wrong_abi", "no_table",
                               "missing_symbol"};
    put("edition_a");
    assert_true(cn_plugin_load(host, place, &error));
    const uint64_t *value = cn_resource_get(world, cn_component_find(world, "EditionStep"));
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        put(bad[i]);
        assert_false(cn_plugin_reload(host, "Edition", &error));
        uint64_t before = *value;
        assert_true(cn_sim_tick_n(sim, 1, &error));
        assert_int_equal(*value, before * 31 + 1);
    }
}

static void only_files_that_changed_are_reloaded(void **state)
{
    (void)state;
    put("edition_a");
    assert_true(cn_plugin_load(host, place, &error));
    assert_int_equal(cn_plugin_reload_changed(host, &error), 0);
    usleep(20000); /* the file system's clock */
    put("edition_b");
    assert_int_equal(cn_plugin_reload_changed(host, &error), 1);
    assert_int_equal(cn_plugin_reload_changed(host, &error), 0);
}

#define HOST_TEST(name) cmocka_unit_test_setup_teardown(name, make_host, drop_host)

int main(void)
{
    const struct CMUnitTest tests[] = {
        HOST_TEST(a_library_of_another_interface_is_refused),
        HOST_TEST(a_library_of_other_headers_is_refused),
        HOST_TEST(a_library_without_the_table_is_refused),
        HOST_TEST(a_library_with_a_missing_symbol_is_refused),
        HOST_TEST(a_plugin_before_what_it_needs_is_refused),
        HOST_TEST(a_plugin_that_cannot_be_built_is_refused),
        HOST_TEST(a_component_of_another_shape_names_program_and_plugin),
        HOST_TEST(a_plugin_loaded_twice_is_refused),
        HOST_TEST(a_file_that_is_missing_or_no_library_is_refused),
        HOST_TEST(no_code_of_a_refused_library_runs),
        HOST_TEST(a_library_that_others_may_write_is_refused),
        HOST_TEST(a_library_of_another_user_is_refused),
        HOST_TEST(a_pipe_is_refused_without_waiting),
        HOST_TEST(a_truncated_library_is_refused),
        HOST_TEST(a_loaded_plugin_runs),
        HOST_TEST(an_unloaded_plugin_leaves_its_state_and_no_system),
        HOST_TEST(hooks_of_an_unloaded_plugin_are_gone),
        HOST_TEST(a_thousand_reloads_do_not_change_a_bit),
        HOST_TEST(a_thousand_reloads_beside_a_swarm_do_not_change_a_bit),
        HOST_TEST(a_reload_brings_the_new_code),
        HOST_TEST(a_reload_that_fails_keeps_the_old_code),
        HOST_TEST(only_files_that_changed_are_reloaded),
    };
    if (!mkdtemp(folder))
        return 1;
    snprintf(place, sizeof place, "%s/plugin.so", folder);
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    rmdir(folder);
    return failed;
}
