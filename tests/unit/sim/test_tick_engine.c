/* What holds only for the whole: a tick, its stages and plugins together. See TICK_ENGINE.md. */
#include "cmocka_tests.h"

#include <cairn/sim.h>

#include <stdio.h>
#include <string.h>

CN_COMPONENT(EngineThing, (u32, value));
CN_COMPONENT(EngineWeather, (f32, wind));
CN_COMPONENT(EngineGust, (f32, strength));
CN_COMPONENT(EngineSail, (u32, gusts), (f32, pull));

static CnSim *sim;
static CnError error;

static int make_sim(void **state)
{
    (void)state;
    error = (CnError){0};
    sim = cn_sim_create(&(CnSimDesc){.tick_hz = 50, .seed = 1}, &error);
    return sim ? 0 : -1;
}

static int drop_sim(void **state)
{
    (void)state;
    cn_sim_destroy(sim);
    return 0;
}

static CnWorld *world(void)
{
    return cn_sim_world(sim);
}

static void add_system(const CnSystemDesc *desc)
{
    if (!cn_system_add(world(), desc, &error).id)
        fail_msg("%s", error.message);
}

static void tick(void)
{
    if (!cn_sim_tick_n(sim, 1, &error))
        fail_msg("%s", error.message);
}

/* ---- Ticks ---- */

static float shortest, longest;

static void note_dt(CnSystemContext *context)
{
    const CnTickInfo *info = cn_resource(context->world, CnTickInfo);
    shortest = context->dt < shortest ? context->dt : shortest;
    longest = context->dt > longest ? context->dt : longest;
    assert_true(info->dt == context->dt);
}

static void every_tick_has_the_same_dt_whatever_the_frames_take(void **state)
{
    (void)state;
    const double frames[] = {0.001, 0.3, 0.0, 0.021, 5.0, 0.017};
    shortest = 100, longest = 0;
    add_system(&(CnSystemDesc){.name = "note",
                               .run = note_dt,
                               .stage = CN_STAGE_UPDATE,
                               .access = {cn_reads(CnTickInfo)}});
    for (size_t i = 0; i < CN_COUNT_OF(frames); i++)
        assert_true(cn_sim_frame(sim, frames[i], &error));
    assert_true(cn_sim_tick(sim) > 8);
    assert_true(shortest == 1.0f / 50 && longest == 1.0f / 50);
}

static void every_tick_has_newer_changes(void **state)
{
    (void)state;
    uint64_t before = cn_world_tick(world());
    tick();
    uint64_t after = cn_world_tick(world());
    tick();
    assert_true(after > before);
    assert_true(cn_world_tick(world()) > after);
}

/* ---- Stages ---- */

static void the_stages_of_a_tick_have_rising_numbers_and_names(void **state)
{
    (void)state;
    const char *names[] = {"Input", "PreUpdate", "Update", "PostUpdate", "PreExtract"};
    for (uint32_t i = 0; i < 5; i++)
        assert_string_equal(cn_stage_name((CnStage)(CN_STAGE_INPUT + i)), names[i]);
    assert_int_equal(CN_STAGE_PRE_EXTRACT - CN_STAGE_INPUT, 4);
}

static uint32_t seen[5];

static void count_and_spawn(CnSystemContext *context)
{
    seen[(uintptr_t)context->user] = cn_query_count(context->query);
    cn_defer_spawn(context->commands, cn_with(EngineThing, {1}));
}

static void each_stage_sees_what_the_one_before_has_spawned(void **state)
{
    (void)state;
    for (uintptr_t i = 0; i < 5; i++) {
        char name[16];
        snprintf(name, sizeof name, "spawn_%u", (unsigned)i);
        add_system(&(CnSystemDesc){.name = name,
                                   .run = count_and_spawn,
                                   .user = (void *)i,
                                   .stage = (CnStage)(CN_STAGE_INPUT + i),
                                   .query = {.all = {cn_reads(EngineThing)}}});
    }
    tick();
    for (uint32_t i = 0; i < 5; i++)
        assert_int_equal(seen[i], i);
    assert_int_equal(cn_entity_count(world()), 5); /* also the last stage is flushed */
}

CN_SYSTEM(grow, (write, EngineThing, thing))
{
    (void)context;
    for (uint32_t i = 0; i < count; i++)
        thing[i].value++;
}

static void push_values(CnSystemContext *context)
{
    CnUiOut *out = cn_resource_mut(context->world, CnUiOut);
    CnChunkView view;
    for (CnQueryIter it = cn_query_iter(context->query); cn_query_next(&it, &view);)
        cn_extract_ui_value(out, 1, (float)cn_column_const(&view, EngineThing)->value);
}

static void a_snapshot_shows_the_state_that_its_tick_has_made(void **state)
{
    (void)state;
    cn_spawn(world(), cn_with(EngineThing, {41}));
    assert_true(cn_system(world(), grow, .stage = CN_STAGE_POST_UPDATE).id);
    add_system(&(CnSystemDesc){.name = "push",
                               .run = push_values,
                               .stage = CN_STAGE_PRE_EXTRACT,
                               .query = {.all = {cn_reads(EngineThing)}},
                               .access = {cn_writes(CnUiOut)}});
    tick();
    CnSnapshotPair pair;
    assert_true(cn_outbox_acquire(cn_sim_outbox(sim), &pair));
    assert_int_equal(pair.current->ui.tick, 0);
    assert_int_equal(pair.current->ui.item_count, 1);
    assert_true(pair.current->ui.items[0].value == 42);
    cn_outbox_release(cn_sim_outbox(sim));
}

/* ---- Plugins ---- */

static void blow(CnSystemContext *context)
{
    const EngineWeather *weather = cn_resource(context->world, EngineWeather);
    cn_send(cn_channel(context->world, EngineGust), EngineGust, {weather->wind});
}

static bool build_weather(CnSim *to, void *user, CnError *why)
{
    (void)user;
    const CnSystemDesc desc = {.name = "blow",
                               .run = blow,
                               .stage = CN_STAGE_PRE_UPDATE,
                               .access = {cn_reads(EngineWeather), cn_writes(EngineGust)}};
    return cn_resource_set(cn_sim_world(to), EngineWeather, {3}) &&
           cn_channel(cn_sim_world(to), EngineGust) &&
           cn_system_add(cn_sim_world(to), &desc, why).id;
}

static void pull_sail(CnSystemContext *context)
{
    CnChannel *gusts = cn_channel(context->world, EngineGust);
    EngineSail *sail = cn_resource_mut(context->world, EngineSail);
    for (uint32_t i = 0; i < cn_event_count(gusts); i++) {
        sail->pull += cn_events(gusts, EngineGust)[i].strength;
        sail->gusts++;
    }
}

static bool build_sail(CnSim *to, void *user, CnError *why)
{
    (void)user;
    CnWorld *of = cn_sim_world(to);
    const EngineWeather *weather = cn_resource(of, EngineWeather);
    const CnSystemDesc desc = {.name = "pull_sail",
                               .run = pull_sail,
                               .stage = CN_STAGE_UPDATE,
                               .access = {cn_reads(EngineGust), cn_writes(EngineSail)}};
    return weather && cn_resource_set(of, EngineSail, {0, weather->wind * 100}) &&
           cn_channel(of, EngineGust) && cn_system_add(of, &desc, why).id;
}

static const CnPlugin weather_plugin = {.name = "Weather", .build = build_weather};
static const CnPlugin sail_plugin = {.name = "Sail", .needs = {"Weather"}, .build = build_sail};

static void a_plugin_reads_in_build_what_an_earlier_one_has_put_into_the_world(void **state)
{
    (void)state;
    assert_true(cn_sim_add_plugin(sim, &weather_plugin, &error));
    assert_true(cn_sim_add_plugin(sim, &sail_plugin, &error));
    assert_true(cn_resource(world(), EngineSail)->pull == 300);
}

static void plugins_meet_in_the_world_by_resources_and_events(void **state)
{
    (void)state;
    assert_true(cn_sim_add_plugin(sim, &weather_plugin, &error));
    assert_true(cn_sim_add_plugin(sim, &sail_plugin, &error));
    tick();
    tick();
    assert_int_equal(cn_resource(world(), EngineSail)->gusts, 2);
    assert_true(cn_resource(world(), EngineSail)->pull == 306);
}

static void what_a_program_adds_comes_after_what_comes_with_the_engine(void **state)
{
    (void)state;
    uint32_t count = cn_sim_plugin_count(sim);
    assert_true(count > 0);
    assert_true(cn_sim_add_plugin(sim, &weather_plugin, &error));
    assert_string_equal(cn_sim_plugin_name(sim, count), "Weather");
    const CnPlugin late = {.name = "Host", .build = build_weather};
    assert_false(cn_sim_add_plugin(sim, &late, &error));
    assert_non_null(strstr(error.message, "must be added before Weather"));
}

#define SIM_TEST(name) cmocka_unit_test_setup_teardown(name, make_sim, drop_sim)

int main(void)
{
    const struct CMUnitTest tests[] = {
        SIM_TEST(every_tick_has_the_same_dt_whatever_the_frames_take),
        SIM_TEST(every_tick_has_newer_changes),
        SIM_TEST(the_stages_of_a_tick_have_rising_numbers_and_names),
        SIM_TEST(each_stage_sees_what_the_one_before_has_spawned),
        SIM_TEST(a_snapshot_shows_the_state_that_its_tick_has_made),
        SIM_TEST(a_plugin_reads_in_build_what_an_earlier_one_has_put_into_the_world),
        SIM_TEST(plugins_meet_in_the_world_by_resources_and_events),
        SIM_TEST(what_a_program_adds_comes_after_what_comes_with_the_engine),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
