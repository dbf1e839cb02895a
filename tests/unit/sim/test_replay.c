/* Playing recordings: the same states again, from any tick; what cannot be played. */
#include "replay_fixture.h"

static const SimWorldDesc usual = {.seed = 7};

/* ---- The same again ---- */

static void a_run_gives_the_same_states_again(void **state)
{
    (void)state;
    Recording run = record_run(&usual, 200, NULL);
    CnReplay *replay = open_recording(&run);
    SimWorld again;
    start(&again, &usual);
    assert_same(replay, &again);
    assert_int_equal(cn_sim_tick(again.sim), 200);
    assert_int_equal(cn_sim_hash(again.sim), run.hashes[200]);
    sim_world_fini(&again);
    cn_replay_close(replay);
    free(run.bytes);
}

static void events_reach_the_systems(void **state)
{
    (void)state;
    Recording run = record_run(&usual, 50, NULL);
    CnReplay *replay = open_recording(&run);
    SimWorld again;
    start(&again, &usual);
    assert_same(replay, &again);
    const SimScore *score = cn_resource(cn_sim_world(again.sim), SimScore);
    assert_int_equal(score->pings, 10);
    assert_true(score->orders > 0);
    sim_world_fini(&again);
    cn_replay_close(replay);
    free(run.bytes);
}

static void what_producers_send_meanwhile_is_dropped(void **state)
{
    (void)state;
    Recording run = record_run(&usual, 20, NULL);
    CnReplay *replay = open_recording(&run);
    SimWorld again;
    start(&again, &usual);
    for (uint64_t end = 1; end <= 20; end++) {
        cn_produce_value(again.near, again.pings, NULL);
        CnReplayDifference difference = compare(replay, &again, end);
        assert_false(difference.found);
    }
    sim_world_fini(&again);
    cn_replay_close(replay);
    free(run.bytes);
}

static void a_replay_may_be_played_by_several_simulations(void **state)
{
    (void)state;
    Recording run = record_run(&usual, 60, NULL);
    CnReplay *replay = open_recording(&run);
    SimWorld first, second;
    start(&first, &usual);
    start(&second, &usual);
    compare(replay, &first, 30);
    assert_same(replay, &second);
    assert_same(replay, &first);
    sim_world_fini(&second);
    sim_world_fini(&first);
    cn_replay_close(replay);
    free(run.bytes);
}

static void playback_ends_at_the_given_tick(void **state)
{
    (void)state;
    Recording run = record_run(&usual, 20, NULL);
    CnReplay *replay = open_recording(&run);
    SimWorld again;
    start(&again, &usual);
    CnError error = {0};
    assert_true(cn_replay_run(replay, again.sim, 12, NULL, &error));
    assert_int_equal(cn_sim_tick(again.sim), 12);
    assert_true(cn_replay_run(replay, again.sim, 5, NULL, &error));
    assert_int_equal(cn_sim_tick(again.sim), 12);
    assert_int_equal(cn_sim_hash(again.sim), run.hashes[12]);
    sim_world_fini(&again);
    cn_replay_close(replay);
    free(run.bytes);
}

static bool observer_called;

static bool note_tick(CnSim *sim, void *user, CnError *error)
{
    (void)sim, (void)user, (void)error;
    return observer_called = true;
}

static void the_observer_is_back_after_playing(void **state)
{
    (void)state;
    Recording run = record_run(&usual, 5, NULL);
    CnReplay *replay = open_recording(&run);
    SimWorld again;
    start(&again, &usual);
    cn_sim_observe(again.sim, &(CnSimObserver){.ticked = note_tick});
    observer_called = false;
    assert_same(replay, &again);
    assert_false(observer_called);
    sim_world_play(&again, 1);
    assert_true(observer_called);
    sim_world_fini(&again);
    cn_replay_close(replay);
    free(run.bytes);
}

/* ---- Seeking ---- */

static void assert_seeks(CnReplay *replay, SimWorld *world, const Recording *run, uint64_t tick)
{
    CnError error = {0};
    check_error(cn_replay_seek(replay, world->sim, tick, &error), &error);
    assert_int_equal(cn_sim_tick(world->sim), tick);
    assert_int_equal(cn_sim_hash(world->sim), run->hashes[tick - run->first]);
}

static void every_tick_can_be_sought(void **state)
{
    (void)state;
    Recording run = record_run(&usual, 90, &(CnRecorderDesc){.keyframe_ticks = 16});
    CnReplay *replay = open_recording(&run);
    assert_int_equal(cn_replay_info(replay)->keyframe_count, 6);
    SimWorld again;
    start(&again, &usual);
    for (uint64_t tick = 0; tick <= 90; tick++)
        assert_seeks(replay, &again, &run, tick);
    for (uint64_t tick = 90; tick-- > 0;)
        assert_seeks(replay, &again, &run, tick);
    for (uint64_t i = 0; i < 90; i++)
        assert_seeks(replay, &again, &run, i * 37 % 91);
    sim_world_fini(&again);
    cn_replay_close(replay);
    free(run.bytes);
}

static void what_was_sought_goes_on_as_recorded(void **state)
{
    (void)state;
    Recording run = record_run(&usual, 120, &(CnRecorderDesc){.keyframe_ticks = 50});
    CnReplay *replay = open_recording(&run);
    SimWorld again;
    start(&again, &usual);
    for (uint64_t tick = 0; tick <= 120; tick += 30) {
        assert_seeks(replay, &again, &run, tick);
        assert_same(replay, &again);
    }
    sim_world_fini(&again);
    cn_replay_close(replay);
    free(run.bytes);
}

static void seeking_repairs_a_state_that_was_changed(void **state)
{
    (void)state;
    Recording run = record_run(&usual, 60, NULL);
    CnReplay *replay = open_recording(&run);
    SimWorld again;
    start(&again, &usual);
    assert_seeks(replay, &again, &run, 30);
    cn_spawn(cn_sim_world(again.sim), cn_with(SimPlace, {1, 1}));
    assert_seeks(replay, &again, &run, 40);
    sim_world_fini(&again);
    cn_replay_close(replay);
    free(run.bytes);
}

static void a_recording_from_the_middle_begins_with_a_keyframe(void **state)
{
    (void)state;
    SimWorld world;
    start(&world, &usual);
    assert_true(sim_world_play(&world, 73));
    Recording run = record(&world, 40, &(CnRecorderDesc){.keyframe_ticks = UINT32_MAX});
    CnReplay *replay = open_recording(&run);
    assert_int_equal(cn_replay_info(replay)->first_tick, 73);
    assert_int_equal(cn_replay_info(replay)->keyframe_count, 1);
    SimWorld again;
    start(&again, &usual);
    assert_seeks(replay, &again, &run, 73);
    assert_same(replay, &again);
    assert_seeks(replay, &again, &run, 99);
    sim_world_fini(&again);
    sim_world_fini(&world);
    cn_replay_close(replay);
    free(run.bytes);
}

static uint32_t ticks_played;

static void count_ticks(CnSystemContext *context, uint64_t tick)
{
    (void)context, (void)tick;
    ticks_played++;
}

static void seeking_plays_no_more_ticks_than_it_must(void **state)
{
    (void)state;
    Recording run = record_run(&usual, 40, &(CnRecorderDesc){.keyframe_ticks = 10});
    CnReplay *replay = open_recording(&run);
    SimWorld again;
    start(&again, &usual);
    again.sabotage = count_ticks;
    const struct {
        uint64_t tick;
        uint32_t played;
    } steps[] = {{20, 0}, {20, 0}, {25, 5}, {25, 0}, {28, 3}, {24, 4}, {10, 0}, {40, 0}, {9, 9}};
    for (uint32_t i = 0; i < CN_COUNT_OF(steps); i++) {
        ticks_played = 0;
        assert_seeks(replay, &again, &run, steps[i].tick);
        assert_int_equal(ticks_played, steps[i].played);
    }
    sim_world_fini(&again);
    cn_replay_close(replay);
    free(run.bytes);
}

static void keyframes_are_counted_from_the_first_tick(void **state)
{
    (void)state;
    SimWorld world;
    start(&world, &usual);
    assert_true(sim_world_play(&world, 13));
    Recording run = record(&world, 25, &(CnRecorderDesc){.keyframe_ticks = 10});
    CnReplay *replay = open_recording(&run);
    world.sabotage = count_ticks;
    ticks_played = 0;
    for (uint64_t tick = 13; tick <= 33; tick += 10)
        assert_seeks(replay, &world, &run, tick);
    assert_int_equal(ticks_played, 0);
    sim_world_fini(&world);
    cn_replay_close(replay);
    free(run.bytes);
}

static void ticks_that_are_not_there_cannot_be_sought(void **state)
{
    (void)state;
    SimWorld world;
    start(&world, &usual);
    assert_true(sim_world_play(&world, 10));
    Recording run = record(&world, 10, NULL);
    CnReplay *replay = open_recording(&run);
    CnError error = {0};
    assert_false(cn_replay_seek(replay, world.sim, 9, &error));
    assert_int_equal(error.code, CN_ERROR_NOT_FOUND);
    assert_false(cn_replay_seek(replay, world.sim, 21, &error));
    assert_non_null(strstr(error.message, "10 to 20"));
    assert_int_equal(cn_sim_tick(world.sim), 20);
    sim_world_fini(&world);
    cn_replay_close(replay);
    free(run.bytes);
}

/* ---- What cannot be played ---- */

static void assert_refuses(const SimWorldDesc *desc, CnErrorCode code, const char *text)
{
    Recording run = record_run(&usual, 30, NULL);
    CnReplay *replay = open_recording(&run);
    SimWorld again;
    CnError error = {0};
    start(&again, desc);
    assert_false(cn_replay_run(replay, again.sim, UINT64_MAX, NULL, &error));
    assert_int_equal(error.code, code);
    if (!strstr(error.message, text))
        fail_msg("it says: %s", error.message);
    sim_world_fini(&again);
    cn_replay_close(replay);
    free(run.bytes);
}

static void events_of_an_unknown_type_are_an_error(void **state)
{
    (void)state;
    assert_refuses(&(SimWorldDesc){.seed = 7, .without_orders = true}, CN_ERROR_NOT_FOUND,
                   "events of type SimOrder");
}

static void another_rate_is_an_error(void **state)
{
    (void)state;
    assert_refuses(&(SimWorldDesc){.seed = 7, .tick_hz = 30}, CN_ERROR_MISMATCH,
                   "60 ticks per second, the simulation 30");
}

static void a_tick_that_was_not_recorded_is_an_error(void **state)
{
    (void)state;
    Recording run = record_run(&usual, 5, NULL);
    CnReplay *replay = open_recording(&run);
    SimWorld again;
    CnError error = {0};
    start(&again, &usual);
    assert_true(sim_world_play(&again, 6));
    assert_false(cn_replay_run(replay, again.sim, UINT64_MAX, NULL, &error));
    assert_non_null(strstr(error.message, "at tick 6; the recording covers 0 to 5"));
    sim_world_fini(&again);
    cn_replay_close(replay);
    free(run.bytes);
}

/* The type as another program has it. */
static void assert_field_is_named(const CnField *fields, uint32_t count, const char *text)
{
    Recording run = record_run(&usual, 30, NULL);
    CnReplay *replay = open_recording(&run);
    SimWorld again;
    CnError error = {0};
    start(&again, &(SimWorldDesc){.seed = 7, .without_orders = true});
    CnType type = {
        .name = "SimOrder", .size = 64, .alignment = 8, .fields = fields, .field_count = count};
    CnWorld *world = cn_sim_world(again.sim);
    assert_true(cn_component_register(world, &(CnComponentDesc){.type = &type}, &error).id);
    assert_false(cn_replay_run(replay, again.sim, UINT64_MAX, NULL, &error));
    assert_int_equal(error.code, CN_ERROR_MISMATCH);
    if (!strstr(error.message, text))
        fail_msg("it says: %s", error.message);
    sim_world_fini(&again);
    cn_replay_close(replay);
    free(run.bytes);
}

static void a_field_that_changed_is_named(void **state)
{
    (void)state;
    const CnField fields[] = {{"kind", CN_FIELD_U8, 1, 0, 1}, {"amount", CN_FIELD_F64, 1, 8, 8}};
    assert_field_is_named(fields, 2,
                          "field amount of the recorded event SimOrder is u64[1]; here it is f64");
}

static void a_field_that_is_gone_is_named(void **state)
{
    (void)state;
    const CnField fields[] = {{"kind", CN_FIELD_U8, 1, 0, 1}, {"amount", CN_FIELD_U64, 1, 8, 8}};
    assert_field_is_named(fields, 2, "has a field note, which this simulation does not have");
}

static void a_field_that_is_new_is_named(void **state)
{
    (void)state;
    const CnField fields[] = {{"kind", CN_FIELD_U8, 1, 0, 1},
                              {"amount", CN_FIELD_U64, 1, 8, 8},
                              {"note", CN_FIELD_TEXT, 9, 16, 9},
                              {"loud", CN_FIELD_BOOL, 1, 25, 1},
                              {"urgent", CN_FIELD_BOOL, 1, 26, 1}};
    assert_field_is_named(fields, 5, "has a field urgent, which the recording does not have");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_run_gives_the_same_states_again),
        cmocka_unit_test(events_reach_the_systems),
        cmocka_unit_test(what_producers_send_meanwhile_is_dropped),
        cmocka_unit_test(a_replay_may_be_played_by_several_simulations),
        cmocka_unit_test(playback_ends_at_the_given_tick),
        cmocka_unit_test(the_observer_is_back_after_playing),
        cmocka_unit_test(every_tick_can_be_sought),
        cmocka_unit_test(what_was_sought_goes_on_as_recorded),
        cmocka_unit_test(seeking_repairs_a_state_that_was_changed),
        cmocka_unit_test(a_recording_from_the_middle_begins_with_a_keyframe),
        cmocka_unit_test(seeking_plays_no_more_ticks_than_it_must),
        cmocka_unit_test(keyframes_are_counted_from_the_first_tick),
        cmocka_unit_test(ticks_that_are_not_there_cannot_be_sought),
        cmocka_unit_test(events_of_an_unknown_type_are_an_error),
        cmocka_unit_test(another_rate_is_an_error),
        cmocka_unit_test(a_tick_that_was_not_recorded_is_an_error),
        cmocka_unit_test(a_field_that_changed_is_named),
        cmocka_unit_test(a_field_that_is_gone_is_named),
        cmocka_unit_test(a_field_that_is_new_is_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
