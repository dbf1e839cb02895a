/* Playing recordings: the same states again, from any tick, and what differs where they are not. */
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
        CnDifference difference = compare(replay, &again, end);
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

static void playing_ends_where_it_is_told(void **state)
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

/* ---- Differences ---- */

static CnEntity victim;

static CnEntity nth_animal(CnWorld *world, uint32_t n)
{
    CnChunkView view;
    CnQuery *query = cn_query(world, &(CnQueryDesc){.all = {cn_reads(SimPlace)}});
    for (CnQueryIter it = cn_query_iter(query); cn_query_next(&it, &view);) {
        if (n < view.count)
            return view.entities[n];
        n -= view.count;
    }
    return (CnEntity){0};
}

static void flip_a_bit(CnSystemContext *context, uint64_t tick)
{
    if (tick != 33)
        return;
    victim = nth_animal(context->world, 11);
    uint8_t *bytes = (uint8_t *)cn_get_mut(context->world, victim, SimPlace);
    bytes[4] = (uint8_t)(bytes[4] ^ 1u);
}

static void change_a_resource(CnSystemContext *context, uint64_t tick)
{
    if (tick == 21)
        cn_resource_mut(context->world, SimScore)->died++;
}

static void add_an_entity(CnSystemContext *context, uint64_t tick)
{
    if (tick == 5)
        victim = cn_defer_spawn(context->commands, cn_with(SimPlace, {1, 2}));
}

static void remove_an_entity(CnSystemContext *context, uint64_t tick)
{
    if (tick == 8) {
        victim = nth_animal(context->world, 2);
        cn_defer_destroy(context->commands, victim);
    }
}

static void add_a_tag(CnSystemContext *context, uint64_t tick)
{
    if (tick == 9) {
        victim = nth_animal(context->world, 4);
        cn_defer_add(context->commands, victim, SimTired);
    }
}

static void change_two(CnSystemContext *context, uint64_t tick)
{
    for (uint32_t i = 0; i < 2 && tick == 12; i++)
        cn_get_mut(context->world, nth_animal(context->world, i), SimPlace)->x += 1;
}

static void draw_a_number(CnSystemContext *context, uint64_t tick)
{
    if (tick == 14)
        cn_random_u64(
            cn_random_of(context->world, cn_component_find(context->world, "random.wander")));
}

static CnDifference find_sabotage(void (*sabotage)(CnSystemContext *context, uint64_t tick),
                                  const CnRecorderDesc *desc)
{
    Recording run = record_run(&usual, 60, desc);
    CnReplay *replay = open_recording(&run);
    SimWorld again;
    start(&again, &usual);
    again.sabotage = sabotage;
    CnDifference difference = compare(replay, &again, UINT64_MAX);
    sim_world_fini(&again);
    cn_replay_close(replay);
    free(run.bytes);
    assert_true(difference.found);
    return difference;
}

static void assert_says(const CnDifference *difference, const char *text)
{
    if (!strstr(difference->text, text))
        fail_msg("it says: %s", difference->text);
}

static void a_bit_is_named_by_tick_component_and_entity(void **state)
{
    (void)state;
    CnDifference difference = find_sabotage(flip_a_bit, NULL);
    assert_int_equal(difference.tick, 33);
    assert_false(difference.at_start);
    assert_string_equal(difference.component, "SimPlace");
    assert_true(difference.has_entity);
    assert_int_equal(difference.entity.id, victim.id);
    assert_says(&difference, "after tick 33: entity ");
    assert_says(&difference, "has another SimPlace");
}

static void a_resource_is_named(void **state)
{
    (void)state;
    CnDifference difference = find_sabotage(change_a_resource, NULL);
    assert_int_equal(difference.tick, 21);
    assert_string_equal(difference.component, "SimScore");
    assert_false(difference.has_entity);
    assert_says(&difference, "the resource SimScore differs.");
}

static void a_stream_of_random_numbers_is_named(void **state)
{
    (void)state;
    CnDifference difference = find_sabotage(draw_a_number, NULL);
    assert_int_equal(difference.tick, 14);
    assert_string_equal(difference.component, "random.wander");
}

static void an_added_entity_is_named(void **state)
{
    (void)state;
    CnDifference difference = find_sabotage(add_an_entity, NULL);
    assert_int_equal(difference.tick, 5);
    assert_string_equal(difference.component, "");
    assert_true(difference.has_entity);
    assert_int_equal(difference.entity.id, victim.id);
    assert_says(&difference, "did not exist; also differ: SimPlace.");
}

static void a_missing_entity_is_named_by_its_index(void **state)
{
    (void)state;
    CnDifference difference = find_sabotage(remove_an_entity, NULL);
    assert_int_equal(difference.tick, 8);
    assert_true(difference.has_entity);
    assert_int_equal(cn_entity_index(difference.entity), cn_entity_index(victim));
    assert_int_equal(cn_entity_generation(difference.entity), 0);
    assert_says(&difference, "is missing");
}

static void an_added_component_is_named(void **state)
{
    (void)state;
    CnDifference difference = find_sabotage(add_a_tag, NULL);
    assert_int_equal(difference.tick, 9);
    assert_string_equal(difference.component, "SimTired");
    assert_int_equal(difference.entity.id, victim.id);
    assert_says(&difference, "has a SimTired it did not have");
}

static void of_two_entities_only_the_component_is_named(void **state)
{
    (void)state;
    CnDifference difference = find_sabotage(change_two, NULL);
    assert_int_equal(difference.tick, 12);
    assert_string_equal(difference.component, "SimPlace");
    assert_false(difference.has_entity);
}

static void without_components_the_tick_is_named(void **state)
{
    (void)state;
    CnDifference difference =
        find_sabotage(flip_a_bit, &(CnRecorderDesc){.without_components = true});
    assert_int_equal(difference.tick, 33);
    assert_string_equal(difference.component, "");
    assert_false(difference.has_entity);
    assert_says(&difference, "recorded without components");
}

static CnDifference compare_with(const SimWorldDesc *desc)
{
    Recording run = record_run(&usual, 10, NULL);
    CnReplay *replay = open_recording(&run);
    SimWorld again;
    start(&again, desc);
    CnDifference difference = compare(replay, &again, UINT64_MAX);
    sim_world_fini(&again);
    cn_replay_close(replay);
    free(run.bytes);
    assert_true(difference.found);
    return difference;
}

static void another_seed_differs_at_the_start(void **state)
{
    (void)state;
    CnDifference difference = compare_with(&(SimWorldDesc){.seed = 8});
    assert_true(difference.at_start);
    assert_int_equal(difference.tick, 0);
    assert_says(&difference, "CnRandomSeed");
    assert_says(&difference, "other settings");
}

static void other_settings_differ_at_the_start(void **state)
{
    (void)state;
    CnDifference difference = compare_with(&(SimWorldDesc){.seed = 7, .animals = 21});
    assert_true(difference.at_start);
    assert_int_equal(difference.tick, 0);
    assert_true(difference.has_entity);
    assert_says(&difference, ":1 did not exist; also differ: ");
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
                   "60 ticks a second, the simulation 30");
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
    assert_non_null(strstr(error.message, "at tick 6; recorded are 0 to 5"));
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
    assert_field_is_named(fields, 2, "has a field note, which it does not have here");
}

static void a_field_that_is_new_is_named(void **state)
{
    (void)state;
    const CnField fields[] = {{"kind", CN_FIELD_U8, 1, 0, 1},
                              {"amount", CN_FIELD_U64, 1, 8, 8},
                              {"note", CN_FIELD_TEXT, 9, 16, 9},
                              {"loud", CN_FIELD_BOOL, 1, 25, 1},
                              {"urgent", CN_FIELD_BOOL, 1, 26, 1}};
    assert_field_is_named(fields, 5, "has a field urgent, which the recorded one does not have");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_run_gives_the_same_states_again),
        cmocka_unit_test(events_reach_the_systems),
        cmocka_unit_test(what_producers_send_meanwhile_is_dropped),
        cmocka_unit_test(a_replay_may_be_played_by_several_simulations),
        cmocka_unit_test(playing_ends_where_it_is_told),
        cmocka_unit_test(the_observer_is_back_after_playing),
        cmocka_unit_test(every_tick_can_be_sought),
        cmocka_unit_test(what_was_sought_goes_on_as_recorded),
        cmocka_unit_test(seeking_repairs_a_state_that_was_changed),
        cmocka_unit_test(a_recording_from_the_middle_begins_with_a_keyframe),
        cmocka_unit_test(ticks_that_are_not_there_cannot_be_sought),
        cmocka_unit_test(a_bit_is_named_by_tick_component_and_entity),
        cmocka_unit_test(a_resource_is_named),
        cmocka_unit_test(a_stream_of_random_numbers_is_named),
        cmocka_unit_test(an_added_entity_is_named),
        cmocka_unit_test(a_missing_entity_is_named_by_its_index),
        cmocka_unit_test(an_added_component_is_named),
        cmocka_unit_test(of_two_entities_only_the_component_is_named),
        cmocka_unit_test(without_components_the_tick_is_named),
        cmocka_unit_test(another_seed_differs_at_the_start),
        cmocka_unit_test(other_settings_differ_at_the_start),
        cmocka_unit_test(events_of_an_unknown_type_are_an_error),
        cmocka_unit_test(another_rate_is_an_error),
        cmocka_unit_test(a_tick_that_was_not_recorded_is_an_error),
        cmocka_unit_test(a_field_that_changed_is_named),
        cmocka_unit_test(a_field_that_is_gone_is_named),
        cmocka_unit_test(a_field_that_is_new_is_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
