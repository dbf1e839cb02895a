/* Memory that runs out at any point of a run with systems in Lua: an error, never a crash or a
 * leak. */
#include "cmocka_tests.h"
#include "failing_heap.h"
#include "plugin_world.h"

static const char busy[] =
    "component('Health', { now = 'i32', name = 'text[8]' }, { default = { now = 5 } })\n"
    "local list = {}\n"
    "system { name = 'live', writes = { 'PluginPlace' }, optionalWrites = { 'Health' },\n"
    "  run = function(batch, dt, commands)\n"
    "    local p = batch.PluginPlace\n"
    "    for i = 0, batch.count - 1 do p[i].x = p[i].x + randomAt(batch.entities[i]) end\n"
    "    list[#list + 1] = ('x'):rep(#list * 100)\n"
    "    commands:spawn { Health = { now = 1, name = 'abc' }, PluginPlace = { x = 1 } }\n"
    "    commands:add(batch.entities[0], 'Health')\n"
    "    if batch.count > 3 then commands:destroy(batch.entities[0]) end\n"
    "end }\n";
static const char other[] =
    "system { name = 'live', reads = { 'PluginPlace' }, run = function() end }\n";

static bool run(CnAllocator *allocator, void *user)
{
    const bool *reloads = user;
    PluginWorld w;
    CnError error;
    bool done = plugin_world_init(&w, &(PluginWorldDesc){.allocator = allocator}) &&
                plugin_world_load(&w, "a.lua", busy) && plugin_world_mover(&w, 0).id &&
                cn_sim_tick_n(w.sim, 6, NULL);
    if (done && *reloads) {
        memory_files_set(&w.files, "a.lua", other);
        done = cn_script_system_reload(w.sim, NULL) == 1 && cn_sim_tick_n(w.sim, 1, NULL);
    }
    done = done && !cn_script_system_error(w.world, "live", &error) &&
           !cn_world_stats(w.world).failed_commands;
    plugin_world_fini(&w);
    return done;
}

static void memory_may_run_out_anywhere(void **state)
{
    (void)state;
    assert_true(run_with_failing_allocations(run, &(bool){false}) > 100);
}

static void memory_may_run_out_during_a_reload(void **state)
{
    (void)state;
    assert_true(run_with_failing_allocations(run, &(bool){true}) > 100);
}

static int be_quiet(void **state)
{
    (void)state;
    cn_log_set_level(CN_LOG_LEVEL_OFF);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(memory_may_run_out_anywhere),
        cmocka_unit_test(memory_may_run_out_during_a_reload),
    };
    return cmocka_run_group_tests(tests, be_quiet, NULL);
}
