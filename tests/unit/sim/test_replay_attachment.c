/* Recordings with attachments, recorders beside each other, and playing in the simulation's own
 * time. */
#include "replay_fixture.h"

static const SimWorldDesc usual = {.seed = 7};

/* ---- Attachments ---- */

static CnReplay *recorded_with_attachments(const CnRecorderDesc *desc, const uint8_t *large,
                                           size_t large_bytes)
{
    SimWorld world;
    size_t size;
    start(&world, &usual);
    CnRecorder *recorder = cn_recorder_create(world.sim, desc, NULL);
    assert_non_null(recorder);
    assert_true(cn_recorder_attach(recorder, "first", "abc", 3));
    assert_true(cn_recorder_attach(recorder, "empty", NULL, 0));
    sim_world_play(&world, 5);
    assert_true(cn_recorder_attach(recorder, "first", large, large_bytes));
    sim_world_play(&world, 5);
    assert_true(cn_recorder_finish(recorder, NULL));
    const uint8_t *bytes = cn_recorder_bytes(recorder, &size);
    CnReplay *replay = cn_replay_open_bytes(bytes, size, NULL, NULL);
    assert_non_null(replay);
    cn_recorder_destroy(recorder);
    sim_world_fini(&world);
    return replay;
}

static void assert_attachment(const CnReplay *replay, uint32_t index, const char *name,
                              const void *content, size_t size)
{
    CnU8Array bytes;
    CnError error = {0};
    cn_array_init(&bytes, NULL);
    assert_true(cn_text_equal(cn_replay_attachment_name(replay, index), cn_text(name)));
    check_error(cn_replay_attachment_read(replay, index, &bytes, &error), &error);
    assert_int_equal(bytes.count, size);
    if (size)
        assert_memory_equal(bytes.items, content, size);
    cn_array_fini(&bytes);
}

static void check_attachments(bool without_compression)
{
    static uint8_t large[100000];
    for (uint32_t i = 0; i < sizeof large; i++)
        large[i] = (uint8_t)(i / 300);
    CnReplay *replay = recorded_with_attachments(
        &(CnRecorderDesc){.without_compression = without_compression}, large, sizeof large);
    assert_int_equal(cn_replay_attachment_count(replay), 3);
    assert_attachment(replay, 0, "first", "abc", 3);
    assert_attachment(replay, 1, "empty", "", 0);
    assert_attachment(replay, 2, "first", large, sizeof large);
    assert_int_equal(cn_replay_info(replay)->tick_count, 10);
    cn_replay_close(replay);
}

static void attachments_are_read_in_order(void **state)
{
    (void)state;
    check_attachments(false);
}

static void attachments_may_be_stored_as_they_are(void **state)
{
    (void)state;
    check_attachments(true);
}

static void a_finished_recording_takes_no_attachment(void **state)
{
    (void)state;
    SimWorld world;
    start(&world, &usual);
    CnRecorder *recorder = cn_recorder_create(world.sim, NULL, NULL);
    assert_true(cn_recorder_finish(recorder, NULL));
    assert_false(cn_recorder_attach(recorder, "late", "x", 1));
    cn_recorder_destroy(recorder);
    sim_world_fini(&world);
}

/* ---- Recorders beside each other ---- */

static CnReplay *finish(CnRecorder *recorder)
{
    size_t size;
    assert_true(cn_recorder_finish(recorder, NULL));
    const uint8_t *bytes = cn_recorder_bytes(recorder, &size);
    CnReplay *replay = cn_replay_open_bytes(bytes, size, NULL, NULL);
    assert_non_null(replay);
    cn_recorder_destroy(recorder);
    return replay;
}

static void assert_plays(CnReplay *replay, uint64_t first, uint64_t last)
{
    SimWorld again;
    CnError error = {0};
    start(&again, &usual);
    check_error(cn_replay_seek(replay, again.sim, first, &error), &error);
    assert_same(replay, &again);
    assert_int_equal(cn_sim_tick(again.sim), last);
    sim_world_fini(&again);
}

static void recorders_beside_each_other_record_the_same(void **state)
{
    (void)state;
    SimWorld world;
    start(&world, &usual);
    CnRecorderDesc beside = {.beside_others = true, .without_components = true};
    CnRecorder *first = cn_recorder_create(world.sim, NULL, NULL);
    CnRecorder *second = cn_recorder_create(world.sim, &beside, NULL);
    assert_true(first && second);
    sim_world_play(&world, 20);
    CnRecorder *third = cn_recorder_create(world.sim, &beside, NULL);
    assert_non_null(third);
    sim_world_play(&world, 20);
    CnReplay *middle = finish(second);
    sim_world_play(&world, 20);
    CnReplay *whole = finish(first), *late = finish(third);
    sim_world_fini(&world);
    assert_plays(whole, 0, 60);
    assert_plays(middle, 0, 40);
    assert_plays(late, 20, 60);
    cn_replay_close(whole);
    cn_replay_close(middle);
    cn_replay_close(late);
}

static void the_number_of_recorders_is_limited(void **state)
{
    (void)state;
    SimWorld world;
    CnError error = {0};
    CnRecorder *recorders[CN_SIM_MAX_LISTENERS];
    start(&world, &usual);
    for (uint32_t i = 0; i < CN_SIM_MAX_LISTENERS; i++) {
        recorders[i] =
            cn_recorder_create(world.sim, &(CnRecorderDesc){.beside_others = true}, NULL);
        assert_non_null(recorders[i]);
    }
    assert_null(cn_recorder_create(world.sim, &(CnRecorderDesc){.beside_others = true}, &error));
    assert_int_equal(error.code, CN_ERROR_LIMIT);
    for (uint32_t i = 0; i < CN_SIM_MAX_LISTENERS; i++)
        cn_recorder_destroy(recorders[i]);
    sim_world_fini(&world);
}

/* ---- Playing in the simulation's own time ---- */

static void ticks_of_frames_are_those_of_the_recording(void **state)
{
    (void)state;
    Recording run = record_run(&usual, 60, NULL);
    CnReplay *replay = open_recording(&run);
    SimWorld again;
    CnError error = {0};
    start(&again, &usual);
    check_error(cn_replay_begin(replay, again.sim, &error), &error);
    for (uint32_t i = 0; i < 200; i++)
        check_error(cn_sim_frame(again.sim, 0.01, &error), &error);
    assert_false(cn_replay_difference(replay)->found);
    assert_int_equal(cn_sim_tick(again.sim), 60);
    assert_int_equal(cn_sim_hash(again.sim), run.hashes[60]);
    assert_true(cn_sim_is_paused(again.sim));
    cn_replay_end(replay, again.sim);
    sim_world_fini(&again);
    cn_replay_close(replay);
    free(run.bytes);
}

static void a_difference_is_kept_with_both_hashes(void **state)
{
    (void)state;
    Recording run = record_run(&usual, 20, NULL);
    CnReplay *replay = open_recording(&run);
    SimWorld other;
    CnError error = {0};
    start(&other, &(SimWorldDesc){.seed = 8});
    check_error(cn_replay_begin(replay, other.sim, &error), &error);
    check_error(cn_sim_tick_n(other.sim, 20, &error), &error);
    const CnReplayDifference *difference = cn_replay_difference(replay);
    assert_true(difference->found && difference->at_start);
    assert_true(difference->hash != difference->recorded_hash);
    assert_true(difference->recorded_hash == run.hashes[0]);
    cn_replay_end(replay, other.sim);
    sim_world_fini(&other);
    cn_replay_close(replay);
    free(run.bytes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(attachments_are_read_in_order),
        cmocka_unit_test(attachments_may_be_stored_as_they_are),
        cmocka_unit_test(a_finished_recording_takes_no_attachment),
        cmocka_unit_test(recorders_beside_each_other_record_the_same),
        cmocka_unit_test(the_number_of_recorders_is_limited),
        cmocka_unit_test(ticks_of_frames_are_those_of_the_recording),
        cmocka_unit_test(a_difference_is_kept_with_both_hashes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
