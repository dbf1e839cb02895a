/* What recordings hold, and what ends them. */
#include "guards.h"
#include "replay_fixture.h"
#include "scratch.h"

static const SimWorldDesc usual = {.seed = 7};

/* ---- Content ---- */

static void the_header_says_how_the_run_was_made(void **state)
{
    (void)state;
    SimWorldDesc desc = {.seed = 99, .tick_hz = 50};
    Recording run = record_run(
        &desc, 12, &(CnRecorderDesc){.settings = "herd=20", .build = "abc-1", .keyframe_ticks = 5});
    CnReplay *replay = open_recording(&run);
    const CnReplayInfo *info = cn_replay_info(replay);
    assert_string_equal(info->settings, "herd=20");
    assert_string_equal(info->build, "abc-1");
    assert_int_equal(info->seed, 99);
    assert_int_equal(info->tick_hz, 50);
    assert_int_equal(info->first_tick, 0);
    assert_int_equal(info->tick_count, 12);
    assert_int_equal(info->keyframe_count, 3);
    cn_replay_close(replay);
    free(run.bytes);
}

static void the_build_is_the_version_unless_it_is_given(void **state)
{
    (void)state;
    Recording run = record_run(&usual, 1, NULL);
    CnReplay *replay = open_recording(&run);
    assert_string_equal(cn_replay_info(replay)->build, cn_version());
    assert_string_equal(cn_replay_info(replay)->settings, "");
    cn_replay_close(replay);
    free(run.bytes);
}

CN_COMPONENT(Zeros, (u8, zeros, 65000));

static void a_state_that_compresses_to_almost_nothing_can_be_read(void **state)
{
    (void)state;
    SimWorld world, again;
    Recording run = {0};
    CnError error = {0};
    start(&world, &usual);
    for (uint32_t i = 0; i < 1100; i++) /* 68 MiB */
        assert_int_not_equal(cn_spawn(cn_sim_world(world.sim), cn_with_default(Zeros)).id, 0);
    CnRecorder *recorder = begin_recording(&world, &(CnRecorderDesc){.without_components = true});
    assert_true(cn_sim_tick_n(world.sim, 1, NULL));
    copy_bytes(&run, recorder);
    cn_recorder_destroy(recorder);
    sim_world_fini(&world);
    CnReplay *replay = open_recording(&run);
    start(&again, &usual);
    check_error(cn_replay_seek(replay, again.sim, 0, &error), &error);
    cn_replay_close(replay);
    sim_world_fini(&again);
    free(run.bytes);
}

/* A run whose only event is this one. */
static Recording record_order(const SimOrder *order)
{
    SimWorld world;
    Recording run = {0};
    start(&world, &usual);
    CnRecorder *recorder = begin_recording(&world, &(CnRecorderDesc){.without_components = true});
    cn_produce_value(world.near, world.orders, order);
    assert_true(cn_sim_tick_n(world.sim, 1, NULL));
    copy_bytes(&run, recorder);
    cn_recorder_destroy(recorder);
    sim_world_fini(&world);
    return run;
}

static void neither_padding_nor_what_follows_a_text_is_in_the_file(void **state)
{
    (void)state;
    SimOrder clean, dirty;
    memset(&clean, 0, sizeof clean);
    memset(&dirty, 0xcd, sizeof dirty);
    clean.kind = dirty.kind = 1;
    clean.amount = dirty.amount = 5;
    clean.loud = dirty.loud = true;
    strcpy(clean.note, "hi");
    strcpy(dirty.note, "hi");
    Recording one = record_order(&clean), two = record_order(&dirty);
    assert_int_equal(one.size, two.size);
    assert_memory_equal(one.bytes, two.bytes, one.size);
    free(one.bytes);
    free(two.bytes);
}

static void the_same_run_is_recorded_as_the_same_bytes(void **state)
{
    (void)state;
    Recording one = record_run(&usual, 80, NULL), two = record_run(&usual, 80, NULL);
    assert_int_equal(one.size, two.size);
    assert_memory_equal(one.bytes, two.bytes, one.size);
    free(one.bytes);
    free(two.bytes);
}

static void what_does_not_change_takes_no_room(void **state)
{
    (void)state;
    CnSim *sim = cn_sim_create(NULL, NULL);
    for (uint32_t i = 0; i < 1000; i++)
        cn_spawn(cn_sim_world(sim), cn_with(SimPlace, {1, 2}));
    CnRecorder *recorder = cn_recorder_create(sim, NULL, NULL);
    size_t before, after;
    cn_sim_tick_n(sim, 2, NULL);
    cn_recorder_bytes(recorder, &before);
    cn_sim_tick_n(sim, 10, NULL);
    cn_recorder_bytes(recorder, &after);
    /* Block, hash, counts, and the resource CnTickInfo. */
    assert_int_equal(after - before, 10 * (13 + 8 + 4 + 4 + 5 + 8));
    cn_recorder_destroy(recorder);
    cn_sim_destroy(sim);
}

static void a_recording_in_memory_has_whole_ticks(void **state)
{
    (void)state;
    SimWorld world;
    start(&world, &usual);
    CnRecorder *recorder = begin_recording(&world, NULL);
    for (uint64_t ticks = 0; ticks < 10; ticks++) {
        Recording run = {0};
        run.bytes = (uint8_t *)(uintptr_t)cn_recorder_bytes(recorder, &run.size);
        CnReplay *replay = open_recording(&run);
        assert_int_equal(cn_replay_info(replay)->tick_count, ticks);
        assert_true(cn_replay_info(replay)->cut_off);
        assert_int_equal(cn_recorder_ticks(recorder), ticks);
        cn_replay_close(replay);
        assert_true(sim_world_play(&world, 1));
    }
    cn_recorder_destroy(recorder);
    sim_world_fini(&world);
}

/* ---- Files ---- */

static void a_file_that_was_finished_has_an_end(void **state)
{
    (void)state;
    Scratch scratch;
    SimWorld world;
    CnError error = {0};
    scratch_init(&scratch);
    start(&world, &usual);
    const char *path = scratch_path(&scratch, "run.cnr");
    CnRecorder *recorder =
        begin_recording(&world, &(CnRecorderDesc){.files = cn_native_files(), .path = path});
    assert_true(sim_world_play(&world, 150));
    check_error(cn_recorder_finish(recorder, &error), &error);
    cn_recorder_destroy(recorder);
    CnReplay *replay = cn_replay_open(cn_native_files(), path, NULL, &error);
    check_error(replay != NULL, &error);
    assert_false(cn_replay_info(replay)->cut_off);
    assert_int_equal(cn_replay_info(replay)->tick_count, 150);
    SimWorld again;
    start(&again, &usual);
    assert_same(replay, &again);
    sim_world_fini(&again);
    sim_world_fini(&world);
    cn_replay_close(replay);
    scratch_fini(&scratch);
}

static void a_file_has_all_but_the_last_second_while_it_is_recorded(void **state)
{
    (void)state;
    Scratch scratch;
    SimWorld world;
    CnError error = {0};
    scratch_init(&scratch);
    start(&world, &usual);
    const char *path = scratch_path(&scratch, "run.cnr");
    CnRecorder *recorder =
        begin_recording(&world, &(CnRecorderDesc){.files = cn_native_files(), .path = path});
    assert_true(sim_world_play(&world, 100));
    CnReplay *replay = cn_replay_open(cn_native_files(), path, NULL, &error);
    check_error(replay != NULL, &error);
    assert_true(cn_replay_info(replay)->cut_off);
    assert_true(cn_replay_info(replay)->tick_count >= 40);
    cn_replay_close(replay);
    check_error(cn_recorder_finish(recorder, &error), &error);
    cn_recorder_destroy(recorder);
    sim_world_fini(&world);
    scratch_fini(&scratch);
}

static void a_recording_that_was_cut_anywhere_is_good_up_to_its_last_whole_tick(void **state)
{
    (void)state;
    Recording run = record_run(&usual, 20, &(CnRecorderDesc){.keyframe_ticks = 7});
    SimWorld again;
    start(&again, &usual);
    uint64_t last = 0;
    bool opened = false;
    for (size_t size = 0; size <= run.size; size++) {
        CnError error = {0};
        CnReplay *replay = cn_replay_open_bytes(run.bytes, size, NULL, &error);
        if (!replay) {
            assert_false(opened);
            assert_int_equal(error.code, CN_ERROR_FORMAT);
            continue;
        }
        opened = true;
        uint64_t ticks = cn_replay_info(replay)->tick_count;
        assert_true(ticks == last || ticks == last + 1);
        if (ticks != last) {
            assert_true(cn_replay_seek(replay, again.sim, ticks, &error));
            assert_int_equal(cn_sim_hash(again.sim), run.hashes[ticks]);
        }
        last = ticks;
        cn_replay_close(replay);
    }
    assert_int_equal(last, 20);
    sim_world_fini(&again);
    free(run.bytes);
}

static void steady_ticks_make_no_heap_call(void **state)
{
    (void)state;
    Scratch scratch;
    scratch_init(&scratch);
    CnHeap *heap = cn_heap_create(NULL, NULL);
    CnSim *sim = cn_sim_create(&(CnSimDesc){.allocator = cn_heap_tag(heap, "sim")}, NULL);
    CnWorld *world = cn_sim_world(sim);
    CnChannel *pushes = cn_channel(world, SimPush);
    CnProducer *producer = cn_producer_create(world, &(CnProducerDesc){.name = "test"}, NULL);
    for (uint32_t i = 0; i < 100; i++)
        cn_spawn(world, cn_with(SimPlace, {1, 2}));
    CnRecorderDesc desc = {.files = cn_native_files(), .path = scratch_path(&scratch, "run.cnr")};
    CnRecorder *recorder = cn_recorder_create(sim, &desc, NULL);
    uint64_t calls = 0;
    for (uint32_t tick = 0; tick < 500; tick++) {
        if (tick == 20)
            calls = cn_heap_stats(heap).calls;
        cn_produce(producer, pushes, SimPush, {(float)tick, 2});
        assert_true(cn_sim_tick_n(sim, 1, NULL));
    }
    assert_int_equal(cn_heap_stats(heap).calls, calls);
    assert_true(cn_recorder_finish(recorder, NULL));
    cn_recorder_destroy(recorder);
    cn_sim_destroy(sim);
    assert_int_equal(cn_heap_stats(heap).live_blocks, 0);
    cn_heap_destroy(heap);
    scratch_fini(&scratch);
}

/* ---- Finishing and destroying ---- */

static void a_finished_recording_in_memory_has_an_end(void **state)
{
    (void)state;
    SimWorld world;
    start(&world, &usual);
    CnRecorder *recorder = begin_recording(&world, NULL);
    assert_true(sim_world_play(&world, 3));
    assert_true(cn_recorder_finish(recorder, NULL));
    sim_world_fini(&world);
    Recording run = {0};
    run.bytes = (uint8_t *)(uintptr_t)cn_recorder_bytes(recorder, &run.size);
    CnReplay *replay = open_recording(&run);
    assert_false(cn_replay_info(replay)->cut_off);
    assert_int_equal(cn_replay_info(replay)->tick_count, 3);
    cn_replay_close(replay);
    cn_recorder_destroy(recorder); /* a finished recorder may outlive its simulation */
}

static void a_recorder_that_is_destroyed_unfinished_stops_observing(void **state)
{
    (void)state;
    SimWorld world;
    start(&world, &usual);
    CnRecorder *recorder = begin_recording(&world, NULL);
    assert_true(sim_world_play(&world, 3));
    cn_recorder_destroy(recorder);
    assert_true(sim_world_play(&world, 3));
    recorder = begin_recording(&world, NULL);
    assert_non_null(recorder);
    cn_recorder_destroy(recorder);
    cn_recorder_destroy(NULL);
    sim_world_fini(&world);
}

static void finishing_a_recorder_twice_is_refused(void **state)
{
    (void)state;
    SimWorld world;
    start(&world, &usual);
    CnRecorder *recorder = begin_recording(&world, NULL);
    assert_true(cn_recorder_finish(recorder, NULL));
#ifdef CN_GUARDS
    EXPECT_GUARD(cn_recorder_finish(recorder, NULL));
#else
    CnError error = {0};
    assert_false(cn_recorder_finish(recorder, &error));
    assert_int_equal(error.code, CN_ERROR_PERMISSION);
#endif
    cn_recorder_destroy(recorder);
    sim_world_fini(&world);
}

/* ---- What ends a recording ---- */

static void a_state_that_is_replaced_ends_the_recording(void **state)
{
    (void)state;
    SimWorld world;
    CnError error = {0};
    CnSnapshot snapshot;
    start(&world, &usual);
    CnRecorder *recorder = begin_recording(&world, NULL);
    assert_true(cn_sim_save(world.sim, &snapshot, NULL));
    assert_true(sim_world_play(&world, 8));
    assert_true(cn_sim_restore(world.sim, snapshot.bytes, snapshot.size, NULL));
    assert_true(sim_world_play(&world, 20));
    assert_int_equal(cn_recorder_ticks(recorder), 8);
    assert_false(cn_recorder_finish(recorder, &error));
    cn_recorder_destroy(recorder);
    assert_int_equal(error.code, CN_ERROR_MISMATCH);
    cn_snapshot_free(&snapshot);
    sim_world_fini(&world);
}

typedef struct Closed {
    int inside;
} Closed;
CN_OPAQUE(Closed);

static void opaque_events_end_the_recording(void **state)
{
    (void)state;
    SimWorld world;
    CnError error = {0};
    start(&world, &usual);
    CnChannel *channel = cn_channel(cn_sim_world(world.sim), Closed);
    CnRecorder *recorder = begin_recording(&world, NULL);
    assert_true(sim_world_play(&world, 3));
    cn_produce(world.near, channel, Closed, {1});
    assert_true(sim_world_play(&world, 3));
    assert_int_equal(cn_recorder_ticks(recorder), 3);
    assert_false(cn_recorder_finish(recorder, &error));
    cn_recorder_destroy(recorder);
    assert_non_null(strstr(error.message, "Closed"));
    sim_world_fini(&world);
}

static void settings_of_many_kilobytes_are_read_as_written(void **state)
{
    (void)state;
    SimWorld world;
    static char settings[40000];
    memset(settings, 'x', sizeof settings - 1);
    start(&world, &usual);
    CnRecorder *recorder = begin_recording(&world, &(CnRecorderDesc){.settings = settings});
    size_t size;
    const uint8_t *bytes = cn_recorder_bytes(recorder, &size);
    CnReplay *replay = cn_replay_open_bytes(bytes, size, NULL, NULL);
    assert_non_null(replay);
    assert_string_equal(cn_replay_info(replay)->settings, settings);
    cn_replay_close(replay);
    assert_true(cn_recorder_finish(recorder, NULL));
    cn_recorder_destroy(recorder);
    sim_world_fini(&world);
}

static void settings_that_are_too_long_are_refused(void **state)
{
    (void)state;
    SimWorld world;
    CnError error = {0};
    static char settings[CN_MAX_REPLAY_SETTINGS + 1];
    memset(settings, 'x', sizeof settings);
    start(&world, &usual);
    settings[CN_MAX_REPLAY_SETTINGS] = 0;
    assert_null(cn_recorder_create(world.sim, &(CnRecorderDesc){.settings = settings}, &error));
    assert_int_equal(error.code, CN_ERROR_LIMIT);
    settings[CN_MAX_REPLAY_SETTINGS - 1] = 0;
    CnRecorder *recorder = begin_recording(&world, &(CnRecorderDesc){.settings = settings});
    assert_true(cn_recorder_finish(recorder, NULL));
    cn_recorder_destroy(recorder);
    settings[CN_MAX_REPLAY_BUILD] = 0;
    assert_null(cn_recorder_create(world.sim, &(CnRecorderDesc){.build = settings}, &error));
    assert_null(
        cn_recorder_create(world.sim, &(CnRecorderDesc){.files = cn_native_files()}, &error));
    sim_world_fini(&world);
}

static void after_the_end_nothing_is_recorded(void **state)
{
    (void)state;
    SimWorld world;
    start(&world, &usual);
    CnRecorder *recorder = begin_recording(&world, NULL);
    assert_true(sim_world_play(&world, 3));
    assert_true(cn_recorder_finish(recorder, NULL));
    cn_recorder_destroy(recorder);
    assert_true(sim_world_play(&world, 3));
    sim_world_fini(&world);
}

static uint32_t other_calls;

static bool note_tick(CnSim *sim, void *user, CnError *error)
{
    (void)sim, (void)user, (void)error;
    other_calls++;
    return true;
}

static void another_observer_that_came_later_stays(void **state)
{
    (void)state;
    SimWorld world;
    start(&world, &usual);
    CnRecorder *recorder = begin_recording(&world, NULL);
    cn_sim_observe(world.sim, &(CnSimObserver){.ticked = note_tick});
    assert_true(cn_recorder_finish(recorder, NULL));
    cn_recorder_destroy(recorder);
    other_calls = 0;
    assert_true(sim_world_play(&world, 3));
    assert_int_equal(other_calls, 3);
    sim_world_fini(&world);
}

static void a_second_recorder_is_refused(void **state)
{
    (void)state;
    SimWorld world;
    CnError error = {0};
    start(&world, &usual);
    CnRecorder *first = begin_recording(&world, NULL);
    assert_null(cn_recorder_create(world.sim, NULL, &error));
    assert_int_equal(error.code, CN_ERROR_EXISTS);
    assert_true(sim_world_play(&world, 3));
    assert_int_equal(cn_recorder_ticks(first), 3);
    assert_true(cn_recorder_finish(first, &error));
    cn_recorder_destroy(first);
    CnRecorder *second = cn_recorder_create(world.sim, NULL, &error);
    assert_non_null(second);
    assert_true(cn_recorder_finish(second, &error));
    cn_recorder_destroy(second);
    sim_world_fini(&world);
}

static void a_recorder_that_was_displaced_says_so(void **state)
{
    (void)state;
    SimWorld world;
    CnError error = {0};
    start(&world, &usual);
    CnRecorder *recorder = begin_recording(&world, NULL);
    cn_sim_observe(world.sim, NULL);
    assert_true(sim_world_play(&world, 3));
    assert_false(cn_recorder_finish(recorder, &error));
    cn_recorder_destroy(recorder);
    assert_int_equal(error.code, CN_ERROR_MISMATCH);
    assert_non_null(strstr(error.message, "before tick 0: another observer"));
    sim_world_fini(&world);
}

int main(void)
{
    cn_log_set_level(CN_LOG_LEVEL_OFF);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_second_recorder_is_refused),
        cmocka_unit_test(a_recorder_that_was_displaced_says_so),
        cmocka_unit_test(the_header_says_how_the_run_was_made),
        cmocka_unit_test(the_build_is_the_version_unless_it_is_given),
        cmocka_unit_test(a_state_that_compresses_to_almost_nothing_can_be_read),
        cmocka_unit_test(neither_padding_nor_what_follows_a_text_is_in_the_file),
        cmocka_unit_test(the_same_run_is_recorded_as_the_same_bytes),
        cmocka_unit_test(what_does_not_change_takes_no_room),
        cmocka_unit_test(a_recording_in_memory_has_whole_ticks),
        cmocka_unit_test(a_finished_recording_in_memory_has_an_end),
        cmocka_unit_test(a_recorder_that_is_destroyed_unfinished_stops_observing),
        cmocka_unit_test(finishing_a_recorder_twice_is_refused),
        cmocka_unit_test(a_file_that_was_finished_has_an_end),
        cmocka_unit_test(a_file_has_all_but_the_last_second_while_it_is_recorded),
        cmocka_unit_test(a_recording_that_was_cut_anywhere_is_good_up_to_its_last_whole_tick),
        cmocka_unit_test(steady_ticks_make_no_heap_call),
        cmocka_unit_test(a_state_that_is_replaced_ends_the_recording),
        cmocka_unit_test(opaque_events_end_the_recording),
        cmocka_unit_test(settings_of_many_kilobytes_are_read_as_written),
        cmocka_unit_test(settings_that_are_too_long_are_refused),
        cmocka_unit_test(after_the_end_nothing_is_recorded),
        cmocka_unit_test(another_observer_that_came_later_stays),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
