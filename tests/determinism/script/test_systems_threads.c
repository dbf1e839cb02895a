/* Systems in Lua: the same states for any number of threads, compiled or interpreted, and in a
 * replay. */
#include "cmocka_tests.h"
#include "plugin_world.h"

#include <cairn/base/job.h>
#include <cairn/sim/replay.h>
#include <stdlib.h>
#include <string.h>

#define TICKS 150u

static const char life[] =
    "component('Age', { ticks = 'u32' })\n"
    "system { name = 'age', writes = { 'Age' }, run = function(batch, dt, commands)\n"
    "  local a, e = batch.Age, batch.entities\n"
    "  for i = 0, batch.count - 1 do\n"
    "    a[i].ticks = a[i].ticks + 1\n"
    "    if randomAt(e[i]) < 0.02 then commands:destroy(e[i]) end\n"
    "    if randomAt(e[i], 1) < 0.01 then commands:add(e[i], 'PluginFrozen') end\n"
    "    if randomAt(e[i], 2) < 0.03 then commands:remove(e[i], 'PluginFrozen') end\n"
    "  end\n"
    "end }\n"
    "system { name = 'birth', before = { 'age' }, run = function(batch, dt, commands)\n"
    "  for i = 1, 30 do\n"
    "    local x = math.sin(batch.tick + i) * math.exp(randomAt(i))\n"
    "    commands:spawn { Age = true, PluginPlace = { x = x }, PluginSpeed = { y = x * 3 } }\n"
    "  end\n"
    "end }\n";
static const char motion[] =
    "system { name = 'move', stage = 'PostUpdate', reads = { 'PluginSpeed' },\n"
    "  writes = { 'PluginPlace' }, without = { 'PluginFrozen' }, run = function(batch, dt)\n"
    "  local p, v = batch.PluginPlace, batch.PluginSpeed\n"
    "  for i = 0, batch.count - 1 do\n"
    "    p[i].x = p[i].x + v[i].y * dt\n"
    "    p[i].y = p[i].y * 0.99 + math.cos(p[i].x) / 3\n"
    "  end\n"
    "end }\n";
static const char turning[] =
    "system { name = 'turn', stage = 'PostUpdate', writes = { 'PluginSpeed' },\n"
    "  changed = { 'PluginSpeed' }, run = function(batch, dt)\n"
    "  local v = batch.PluginSpeed\n"
    "  for i = 0, batch.count - 1 do v[i].x, v[i].y = v[i].y, -v[i].x end\n"
    "end }\n";

typedef struct Options {
    uint32_t workers; /* UINT32_MAX: no pool */
    bool unchecked, is_interpreted;
    bool has_filters; /* with a change filter, after which a restore may differ */
} Options;

typedef struct Run {
    PluginWorld w;
    CnJobPool *jobs;
    char *life;
} Run;

static void begin(Run *run, const Options *options)
{
    run->jobs = options->workers == UINT32_MAX
                    ? NULL
                    : cn_job_pool_create(&(CnJobPoolDesc){.workers = options->workers}, NULL);
    assert_true(plugin_world_init(
        &run->w, &(PluginWorldDesc){.jobs = run->jobs, .unchecked = options->unchecked}));
    run->life = malloc(sizeof life + 16);
    strcpy(run->life, options->is_interpreted ? "jit.off()\n" : "");
    strcat(run->life, life);
    assert_true(plugin_world_load(&run->w, "life.lua", run->life));
    assert_true(plugin_world_load(&run->w, "motion.lua", motion));
    if (options->has_filters)
        assert_true(plugin_world_load(&run->w, "turning.lua", turning));
}

static void end(Run *run)
{
    static const char *const systems[] = {"age", "birth", "move", "turn"};
    for (uint32_t i = 0; i < CN_COUNT_OF(systems); i++)
        assert_string_equal(plugin_world_system_error(&run->w, systems[i]), "");
    plugin_world_fini(&run->w);
    cn_job_pool_destroy(run->jobs);
    free(run->life);
}

static void play(const Options *options, uint64_t hashes[TICKS])
{
    Run run;
    begin(&run, options);
    for (uint32_t i = 0; i < TICKS; i++) {
        assert_true(cn_sim_tick_n(run.w.sim, 1, NULL));
        hashes[i] = cn_sim_hash(run.w.sim);
    }
    assert_true(cn_entity_count(run.w.world) > 200);
    end(&run);
}

static void compare(const Options *options)
{
    static uint64_t expected[TICKS], found[TICKS];
    play(&(Options){.workers = UINT32_MAX, .has_filters = true}, expected);
    play(options, found);
    for (uint32_t i = 0; i < TICKS; i++)
        assert_int_equal(found[i], expected[i]);
}

static void any_number_of_threads_gives_the_same_states(void **state)
{
    (void)state;
    static const uint32_t workers[] = {0, 1, 3};
    for (uint32_t i = 0; i < CN_COUNT_OF(workers); i++)
        compare(&(Options){.workers = workers[i], .has_filters = true});
}

static void unchecked_views_give_the_same_states(void **state)
{
    (void)state;
    compare(&(Options){.workers = 3, .unchecked = true, .has_filters = true});
}

static void interpreted_code_gives_the_same_states(void **state)
{
    (void)state;
    compare(&(Options){.workers = 3, .is_interpreted = true, .has_filters = true});
}

static void a_replay_gives_the_same_states(void **state)
{
    (void)state;
    Run run;
    begin(&run, &(Options){.workers = 3, .has_filters = true});
    CnError error = {0};
    CnRecorder *recorder = cn_recorder_create(run.w.sim, NULL, &error);
    assert_non_null(recorder);
    assert_true(cn_sim_tick_n(run.w.sim, TICKS, NULL));
    size_t size;
    const uint8_t *bytes = cn_recorder_bytes(recorder, &size);
    CnReplay *replay = cn_replay_open_bytes(bytes, size, NULL, &error);
    assert_non_null(replay);
    Run again;
    begin(&again, &(Options){.workers = 1, .has_filters = true});
    CnReplayDifference difference = {0};
    assert_true(cn_replay_run(replay, again.w.sim, TICKS, &difference, &error));
    assert_false(difference.found);
    assert_int_equal(cn_sim_hash(again.w.sim), cn_sim_hash(run.w.sim));
    cn_replay_close(replay);
    assert_true(cn_recorder_finish(recorder, &error));
    cn_recorder_destroy(recorder);
    end(&again);
    end(&run);
}

static void a_restored_state_continues_in_the_same_way(void **state)
{
    (void)state;
    Run run;
    CnSnapshot snapshot;
    begin(&run, &(Options){.workers = 1});
    assert_true(cn_sim_tick_n(run.w.sim, 40, NULL));
    assert_true(cn_sim_save(run.w.sim, &snapshot, NULL));
    assert_true(cn_sim_tick_n(run.w.sim, 20, NULL));
    uint64_t expected = cn_sim_hash(run.w.sim);
    assert_true(cn_sim_restore(run.w.sim, snapshot.bytes, snapshot.size, NULL));
    cn_snapshot_free(&snapshot);
    assert_true(cn_sim_tick_n(run.w.sim, 20, NULL));
    assert_int_equal(cn_sim_hash(run.w.sim), expected);
    end(&run);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(any_number_of_threads_gives_the_same_states),
        cmocka_unit_test(unchecked_views_give_the_same_states),
        cmocka_unit_test(interpreted_code_gives_the_same_states),
        cmocka_unit_test(a_replay_gives_the_same_states),
        cmocka_unit_test(a_restored_state_continues_in_the_same_way),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
