/* Lua plugin files: components, systems, views, commands, and what is refused. */
#include "cmocka_tests.h"
#include "plugin_world.h"

#include <string.h>

static PluginWorld w;

static int make(void **state)
{
    (void)state;
    cn_log_set_level(CN_LOG_LEVEL_OFF);
    return plugin_world_init(&w, &(PluginWorldDesc){0}) ? 0 : -1;
}

static int make_checked(void **state)
{
    (void)state;
    cn_log_set_level(CN_LOG_LEVEL_OFF);
    return plugin_world_init(&w, &(PluginWorldDesc){.checked = true}) ? 0 : -1;
}

static int make_untrusted(void **state)
{
    (void)state;
    cn_log_set_level(CN_LOG_LEVEL_OFF);
    return plugin_world_init(&w, &(PluginWorldDesc){.untrusted = true}) ? 0 : -1;
}

static int drop(void **state)
{
    (void)state;
    plugin_world_fini(&w);
    return 0;
}

static void load(const char *code)
{
    if (!plugin_world_load(&w, "test/a.lua", code))
        fail_msg("%s", w.error.message);
}

static void refuse(const char *code, const char *reason)
{
    assert_false(plugin_world_load(&w, "test/a.lua", code));
    if (!strstr(w.error.message, reason))
        fail_msg("'%s' is not in '%s'", reason, w.error.message);
    assert_true(cn_sim_tick_n(w.sim, 1, NULL));
}

static void tick(uint32_t count)
{
    assert_true(cn_sim_tick_n(w.sim, count, &w.error));
}

static void no_error(const char *system)
{
    assert_string_equal(plugin_world_system_error(&w, system), "");
}

#define MOVE(body)                                                                                 \
    "system { name = 'move', reads = { 'PluginSpeed' }, writes = { 'PluginPlace' },\n"             \
    "  run = function(batch, dt)\n"                                                                \
    "    local p, v = batch.PluginPlace, batch.PluginSpeed\n" body                                 \
    "  end }\n"
#define LOOP(body) "for i = 0, batch.count - 1 do " body " end\n"

static void a_system_changes_the_rows_of_the_world(void **state)
{
    (void)state;
    load(MOVE(LOOP("p[i].x = p[i].x + v[i].x * dt")));
    CnEntity e = plugin_world_mover(&w, 5);
    tick(1);
    no_error("move");
    assert_float_equal(cn_get(w.world, e, PluginPlace)->x, 5 + 1.0f / 60, 1e-6);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_system_changes_the_rows_of_the_world, make, drop),
    };
    (void)make_checked, (void)make_untrusted, (void)refuse;
    return cmocka_run_group_tests(tests, NULL, NULL);
}
