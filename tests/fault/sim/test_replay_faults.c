/* Recordings when files fail or memory runs out: the simulation goes on, the error is reported at
 * the end, and what was recorded before is good. */
#include "failing_heap.h"
#include "faulty_allocator.h"
#include "faulty_files.h"
#include "replay_fixture.h"
#include "scratch.h"

enum { TICKS = 200 };

static const SimWorldDesc usual = {.seed = 7};
static Recording good; /* a run without faults */

/* What is in the file is the run as it was, up to somewhere. */
static void assert_file_is_good(const char *path, uint64_t most)
{
    CnError error = {0};
    CnReplay *replay = cn_replay_open(cn_native_files(), path, NULL, &error);
    if (!replay) {
        assert_int_equal(error.code, CN_ERROR_FORMAT); /* nothing was written */
        return;
    }
    uint64_t ticks = cn_replay_info(replay)->tick_count;
    assert_true(ticks <= most);
    SimWorld again;
    start(&again, &usual);
    check_error(cn_replay_seek(replay, again.sim, ticks, &error), &error);
    assert_int_equal(cn_sim_hash(again.sim), good.hashes[ticks]);
    sim_world_fini(&again);
    cn_replay_close(replay);
}

/* True when no fault happened. */
static bool record_with_fault(const Scratch *scratch, FaultyOperation operation, uint32_t nth,
                              FaultKind kind)
{
    FaultyFiles faulty;
    SimWorld world;
    CnError error = {0};
    const char *path = scratch_path(scratch, "run.cnr");
    cn_native_files()->remove(cn_native_files(), path, NULL);
    faulty_files_init(&faulty, cn_native_files());
    faulty_files_fail(&faulty, operation, nth, kind);
    start(&world, &usual);
    CnRecorder *recorder = cn_recorder_create(
        world.sim, &(CnRecorderDesc){.files = &faulty.files, .path = path, .keyframe_ticks = 30},
        &error);
    assert_true(recorder || faulty.has_failed);
    assert_true(sim_world_play(&world, TICKS));
    assert_int_equal(cn_sim_hash(world.sim), good.hashes[TICKS]);
    if (recorder) {
        error = (CnError){0};
        bool finished = cn_recorder_finish(recorder, &error);
        cn_recorder_destroy(recorder);
        assert_int_equal(finished, !faulty.has_failed);
        assert_file_is_good(path, TICKS);
    }
    if (faulty.has_failed)
        assert_int_equal(error.code, CN_ERROR_IO);
    assert_int_equal(faulty.open_files, 0);
    sim_world_fini(&world);
    return !faulty.has_failed;
}

static void fail_every(FaultyOperation operation, FaultKind kind)
{
    Scratch scratch;
    scratch_init(&scratch);
    uint32_t nth = 0;
    while (!record_with_fault(&scratch, operation, nth, kind))
        nth++;
    assert_true(nth > 0);
    scratch_fini(&scratch);
}

static void any_write_may_fail(void **state)
{
    (void)state;
    fail_every(FAULT_WRITE, FAULT_ONCE);
}

static void the_disk_may_be_full_from_any_write_on(void **state)
{
    (void)state;
    fail_every(FAULT_WRITE, FAULT_POWER_CUT);
}

static void the_file_may_not_open(void **state)
{
    (void)state;
    fail_every(FAULT_OPEN, FAULT_ONCE);
}

/* ---- Memory ---- */

/* The run on this allocator is as good as any, as far as it was recorded. */
static void check_recording(const CnRecorder *recorder, bool sim_is_good)
{
    CnError error = {0};
    Recording run = {0};
    run.bytes = (uint8_t *)(uintptr_t)cn_recorder_bytes(recorder, &run.size);
    CnReplay *replay = open_recording(&run);
    uint64_t last = cn_replay_info(replay)->first_tick + cn_replay_info(replay)->tick_count;
    SimWorld again;
    start(&again, &usual);
    if (sim_is_good) {
        check_error(cn_replay_seek(replay, again.sim, last, &error), &error);
        assert_int_equal(cn_sim_hash(again.sim), good.hashes[last]);
    }
    sim_world_fini(&again);
    cn_replay_close(replay);
}

/* Returns whether the allocation failed. */
static bool record_without_memory(uint64_t nth, bool lasting)
{
    CnHeap *heap = cn_heap_create(NULL, NULL);
    FaultyAllocator faulty = faulty_allocator(cn_heap_tag(heap, "sim"));
    SimWorldDesc desc = usual;
    SimWorld world;
    CnError error = {0};
    desc.allocator = &faulty.base;
    faulty.fail_at = UINT64_MAX;
    start(&world, &desc);
    assert_true(sim_world_play(&world, 60));
    faulty.fail_at = faulty.calls + nth;
    faulty.lasting = lasting;
    faulty.failures = 0;
    CnRecorder *recorder =
        cn_recorder_create(world.sim, &(CnRecorderDesc){.keyframe_ticks = 6}, &error);
    bool failed_at_first = !recorder;
    if (failed_at_first)
        assert_int_equal(error.code, CN_ERROR_MEMORY);
    sim_world_play(&world, 16);
    bool failed = faulty.failures > 0;
    faulty.fail_at = UINT64_MAX;
    faulty.lasting = false;
    uint64_t tick = cn_sim_tick(world.sim);
    bool sim_is_good = tick <= TICKS && cn_sim_hash(world.sim) == good.hashes[tick];
    if (recorder) {
        check_recording(recorder, sim_is_good);
        if (!cn_recorder_finish(recorder, &error))
            assert_true(failed);
        cn_recorder_destroy(recorder);
    }
    sim_world_fini(&world);
    assert_int_equal(cn_heap_stats(heap).live_blocks, 0);
    cn_heap_destroy(heap);
    return failed;
}

static void any_allocation_of_a_recording_run_may_fail(void **state)
{
    (void)state;
    uint64_t nth = 0;
    while (record_without_memory(nth, false))
        nth++;
    assert_true(nth > 10);
}

static void memory_may_be_out_from_any_allocation_on(void **state)
{
    (void)state;
    uint64_t nth = 0;
    while (record_without_memory(nth, true))
        nth++;
    assert_true(nth > 10);
}

/* The simulation has memory of its own: what fails is the replay's. */
static bool play_all(CnAllocator *allocator, void *user)
{
    (void)user;
    CnError error = {0};
    CnReplayDifference difference;
    CnReplay *replay = cn_replay_open_bytes(good.bytes, good.size, allocator, &error);
    if (!replay) {
        assert_int_equal(error.code, CN_ERROR_MEMORY);
        return false;
    }
    SimWorld again;
    start(&again, &usual);
    bool done = cn_replay_run(replay, again.sim, 40, &difference, &error) &&
                cn_replay_seek(replay, again.sim, 20, &error);
    if (done) {
        cn_spawn(cn_sim_world(again.sim), cn_with(SimPlace, {1, 2}));
        done = cn_replay_run(replay, again.sim, 40, &difference, &error);
        assert_true(!done || difference.has_entity);
    }
    if (!done)
        assert_int_equal(error.code, CN_ERROR_MEMORY);
    sim_world_fini(&again);
    cn_replay_close(replay);
    return done;
}

static void any_allocation_of_a_replay_may_fail(void **state)
{
    (void)state;
    assert_true(run_with_failing_allocations(play_all, NULL) > 5);
}

int main(void)
{
    cn_log_set_level(CN_LOG_LEVEL_OFF);
    good = record_run(&usual, TICKS, &(CnRecorderDesc){.keyframe_ticks = 30});
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(any_write_may_fail),
        cmocka_unit_test(the_disk_may_be_full_from_any_write_on),
        cmocka_unit_test(the_file_may_not_open),
        cmocka_unit_test(any_allocation_of_a_recording_run_may_fail),
        cmocka_unit_test(memory_may_be_out_from_any_allocation_on),
        cmocka_unit_test(any_allocation_of_a_replay_may_fail),
    };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    free(good.bytes);
    return failed;
}
