/*
 * Shared by tests of recordings: simulations on a counting heap, and recordings in memory.
 *
 *     start(&first, &(SimWorldDesc){.seed = 1});
 *     Recording run = record(&first, 100, NULL);       // with the hash after each tick
 *     CnReplay *replay = open_recording(&run);
 */
#ifndef CAIRN_TESTS_SUPPORT_SIM_REPLAY_FIXTURE_H
#define CAIRN_TESTS_SUPPORT_SIM_REPLAY_FIXTURE_H

#include "cmocka_tests.h"
#include "sim_world.h"

#include <stdlib.h>

#define MAX_TICKS 400u

typedef struct Recording {
    uint8_t *bytes;
    size_t size;
    uint64_t first;
    uint64_t hashes[MAX_TICKS + 1]; /* [n]: before tick first + n */
} Recording;

static inline void check_error(bool done, const CnError *error)
{
    if (!done)
        fail_msg("%s", error->message);
}

static inline void start(SimWorld *world, const SimWorldDesc *desc)
{
    assert_true(sim_world_init(world, desc));
}

static inline CnRecorder *begin_recording(SimWorld *world, const CnRecorderDesc *desc)
{
    CnError error = {0};
    CnRecorder *recorder = cn_recorder_create(world->sim, desc, &error);
    check_error(recorder != NULL, &error);
    return recorder;
}

static inline void play_noting(SimWorld *world, Recording *run, uint32_t ticks)
{
    run->first = cn_sim_tick(world->sim);
    run->hashes[0] = cn_sim_hash(world->sim);
    for (uint32_t i = 1; i <= ticks; i++) {
        assert_true(sim_world_play(world, 1));
        run->hashes[i] = cn_sim_hash(world->sim);
    }
}

static inline void copy_bytes(Recording *run, const CnRecorder *recorder)
{
    const uint8_t *bytes = cn_recorder_bytes(recorder, &run->size);
    run->bytes = malloc(run->size);
    memcpy(run->bytes, bytes, run->size);
}

static inline Recording record(SimWorld *world, uint32_t ticks, const CnRecorderDesc *desc)
{
    Recording run = {0};
    CnError error = {0};
    CnRecorder *recorder = begin_recording(world, desc);
    play_noting(world, &run, ticks);
    copy_bytes(&run, recorder);
    check_error(cn_recorder_finish(recorder, &error), &error);
    cn_recorder_destroy(recorder);
    return run;
}

/* Records a simulation that exists only during the recording. */
static inline Recording record_run(const SimWorldDesc *desc, uint32_t ticks,
                                   const CnRecorderDesc *recorder)
{
    SimWorld world;
    start(&world, desc);
    Recording run = record(&world, ticks, recorder);
    sim_world_fini(&world);
    return run;
}

static inline CnReplay *open_recording(const Recording *run)
{
    CnError error = {0};
    CnReplay *replay = cn_replay_open_bytes(run->bytes, run->size, NULL, &error);
    check_error(replay != NULL, &error);
    return replay;
}

static inline CnReplayDifference compare(CnReplay *replay, SimWorld *world, uint64_t end)
{
    CnError error = {0};
    CnReplayDifference difference;
    check_error(cn_replay_run(replay, world->sim, end, &difference, &error), &error);
    return difference;
}

static inline void assert_same(CnReplay *replay, SimWorld *world)
{
    CnReplayDifference difference = compare(replay, world, UINT64_MAX);
    if (difference.found)
        fail_msg("%s", difference.text);
}

#endif
