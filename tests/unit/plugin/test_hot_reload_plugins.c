/* Shared libraries and Lua files with systems that change while a simulation runs. */
#include "cmocka_tests.h"

#include <cairn/base/clock.h>
#include <cairn/base/log.h>
#include <cairn/engine/hot_reload.h>
#include <cairn/script.h>
#include <cairn/sim.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char folder[64];
static CnSim *sim;
static CnPluginHost *host;
static CnHotReload *hot_reload;
static CnError error;

static const char *path_of(const char *name)
{
    static char path[128];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return path;
}

static int begin(void **state)
{
    (void)state;
    cn_log_set_level(CN_LOG_LEVEL_OFF);
    error = (CnError){0};
    snprintf(folder, sizeof folder, "/tmp/cairn-reload-XXXXXX");
    if (!mkdtemp(folder))
        return -1;
    sim = cn_sim_create(&(CnSimDesc){.seed = 5}, &error);
    host = cn_plugin_host_create(sim, &error);
    hot_reload = cn_hot_reload_create(&(CnHotReloadDesc){.sim = sim}, &error);
    return hot_reload && cn_hot_reload_add_plugins(hot_reload, host) ? 0 : -1;
}

static int end(void **state)
{
    (void)state;
    cn_hot_reload_destroy(hot_reload);
    cn_plugin_host_destroy(host);
    cn_sim_destroy(sim);
    unlink(path_of("plugin.so"));
    unlink(path_of("drift.lua"));
    return rmdir(folder);
}

static void put(const char *name, const char *text, size_t size)
{
    assert_true(cn_file_write_all(cn_native_files(), path_of(name), text, size, NULL));
}

static void put_library(const char *name)
{
    char path[256];
    CnFileBytes bytes;
    snprintf(path, sizeof path, "%s/%s.so", CAIRN_TEST_PLUGINS, name);
    assert_true(cn_file_read_all(cn_native_files(), path, NULL, &bytes, NULL));
    put("plugin.so", (const char *)bytes.data, bytes.size);
    cn_file_bytes_free(&bytes);
}

static CnError standing(void)
{
    CnError errors[2] = {0};
    cn_hot_reload_errors(hot_reload, errors, CN_COUNT_OF(errors));
    return errors[0];
}

/* Applies the next change. */
static void wait_for_change(void)
{
    for (uint32_t i = 0; i < 2000; i++) {
        if (cn_hot_reload_has_changes(hot_reload)) {
            cn_hot_reload_apply(hot_reload);
            return;
        }
        cn_clock_sleep_ns(5000000);
    }
    fail_msg("no change is reported");
}

static uint32_t load_count(void)
{
    CnWorld *world = cn_sim_world(sim);
    const uint32_t *loads = cn_resource_get(world, cn_component_find(world, "EditionLoads"));
    return *loads;
}

static void a_library_is_replaced(void **state)
{
    (void)state;
    put_library("edition_a");
    assert_true(cn_plugin_load(host, path_of("plugin.so"), &error));
    assert_false(cn_hot_reload_has_changes(hot_reload)); /* its folder is watched now */
    assert_int_equal(load_count(), 1);
    put_library("edition_b");
    wait_for_change();
    assert_int_equal(load_count(), 2);
    assert_int_equal(standing().code, CN_OK);
}

static void a_broken_library_stands_until_it_is_mended(void **state)
{
    (void)state;
    put_library("edition_a");
    assert_true(cn_plugin_load(host, path_of("plugin.so"), &error));
    assert_false(cn_hot_reload_has_changes(hot_reload));
    put("plugin.so", "no library", 10);
    wait_for_change();
    assert_int_equal(standing().code, CN_ERROR_FORMAT);
    assert_true(cn_sim_tick_n(sim, 3, &error));
    put_library("edition_b");
    wait_for_change();
    assert_int_equal(standing().code, CN_OK);
}

static void a_lua_file_with_systems_is_replaced(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "component('Drift', {x = 'f32'})\nsystem {name = 'drift', writes = {'Drift'},\n"
        "run = function() end}\n",
        "component('Drift', {x = 'f32'})\nsystem {name = 'drift', writes = {'Drift'},\n"
        "run = function() error('new') end}\n"};
    static CnScriptSystemDesc desc;
    put("drift.lua", texts[0], strlen(texts[0]));
    char path[300];
    snprintf(path, sizeof path, "%s", path_of("drift.lua"));
    desc = (CnScriptSystemDesc){.path = path, .trusted = true};
    CnPlugin plugin = cn_script_system_plugin(&desc);
    if (!cn_sim_add_plugin(sim, &plugin, &error))
        fail_msg("%s", error.message);
    cn_hot_reload_destroy(hot_reload); /* it did not know of the file */
    hot_reload = cn_hot_reload_create(&(CnHotReloadDesc){.sim = sim}, &error);
    assert_non_null(hot_reload);
    put("drift.lua", "system {\n", 9);
    wait_for_change();
    CnError wrong = standing();
    assert_true(wrong.code != CN_OK && strstr(wrong.file, "drift.lua"));
    put("drift.lua", texts[1], strlen(texts[1]));
    wait_for_change();
    assert_int_equal(standing().code, CN_OK);
    CnComponent drift = cn_component_find(cn_sim_world(sim), "Drift");
    cn_add_component(cn_sim_world(sim), cn_entity_create(cn_sim_world(sim)), drift);
    assert_true(cn_sim_tick_n(sim, 1, &error));
    assert_non_null(strstr(standing().message, "new"));
}

#define RELOAD_TEST(name) cmocka_unit_test_setup_teardown(name, begin, end)

int main(void)
{
    const struct CMUnitTest tests[] = {
        RELOAD_TEST(a_library_is_replaced),
        RELOAD_TEST(a_broken_library_stands_until_it_is_mended),
        RELOAD_TEST(a_lua_file_with_systems_is_replaced),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
