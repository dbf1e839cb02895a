/*
 * Shared by tests of systems in Lua: a world for each test, and what they check.
 *
 *     load("system { ... }");
 *     tick(1);
 *     no_error("name");
 */
#ifndef CAIRN_TESTS_SUPPORT_SCRIPT_PLUGIN_CHECKS_H
#define CAIRN_TESTS_SUPPORT_SCRIPT_PLUGIN_CHECKS_H

#include "cmocka_tests.h"
#include "plugin_world.h"

#include <string.h>

static PluginWorld w;

static inline int make(void **state)
{
    (void)state;
    cn_log_set_level(CN_LOG_LEVEL_OFF);
    return plugin_world_init(&w, &(PluginWorldDesc){0}) ? 0 : -1;
}

static inline int make_unchecked(void **state)
{
    (void)state;
    cn_log_set_level(CN_LOG_LEVEL_OFF);
    return plugin_world_init(&w, &(PluginWorldDesc){.unchecked = true}) ? 0 : -1;
}

static inline int make_untrusted(void **state)
{
    (void)state;
    cn_log_set_level(CN_LOG_LEVEL_OFF);
    return plugin_world_init(&w, &(PluginWorldDesc){.untrusted = true}) ? 0 : -1;
}

static inline int drop(void **state)
{
    (void)state;
    plugin_world_fini(&w);
    return 0;
}

static inline void load(const char *code)
{
    if (!plugin_world_load(&w, "test/a.lua", code))
        fail_msg("%s", w.error.message);
}

static inline void refuse(const char *code, const char *reason)
{
    assert_false(plugin_world_load(&w, "test/a.lua", code));
    if (!strstr(w.error.message, reason))
        fail_msg("'%s' is not in '%s'", reason, w.error.message);
    assert_true(cn_sim_tick_n(w.sim, 1, NULL));
}

static inline void tick(uint32_t count)
{
    assert_true(cn_sim_tick_n(w.sim, count, &w.error));
}

static inline void no_error(const char *system)
{
    assert_string_equal(plugin_world_system_error(&w, system), "");
}

#define MOVE(body)                                                                                 \
    "system { name = 'move', reads = { 'PluginSpeed' }, writes = { 'PluginPlace' },\n"             \
    "  run = function(batch, dt)\n"                                                                \
    "    local p, v = batch.PluginPlace, batch.PluginSpeed\n" body "  end }\n"
#define LOOP(body) "for i = 0, batch.count - 1 do " body " end\n"

static inline float x_of(CnEntity e)
{
    return cn_get(w.world, e, PluginPlace)->x;
}

#define IN_WORLD(test) cmocka_unit_test_setup_teardown(test, make, drop)

#endif
