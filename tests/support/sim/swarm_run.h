/*
 * Shared by tests of the demo swarm: a swarm with a moving pointer.
 *
 *     CnSim *sim = start_swarm(500, NULL);
 *     play_swarm(sim, 100);                        // to tick 100
 *     cn_sim_destroy(sim);
 */
#ifndef CAIRN_TESTS_SUPPORT_SIM_SWARM_RUN_H
#define CAIRN_TESTS_SUPPORT_SIM_SWARM_RUN_H

#include "cmocka_tests.h"
#include "swarm/swarm.h"

static inline void check_done(bool done, const CnError *error)
{
    if (!done)
        fail_msg("%s", error->message);
}

static inline CnSim *start_swarm(uint32_t entities, CnJobPool *jobs)
{
    CnError error = {0};
    CnSim *sim = cn_sim_create(&(CnSimDesc){.jobs = jobs, .seed = 31}, &error);
    check_done(sim && swarm_add(sim, &(SwarmDesc){entities}, &error), &error);
    return sim;
}

static inline void tick_swarm(CnSim *sim)
{
    CnError error = {0};
    swarm_play(sim, 9, cn_sim_tick(sim));
    check_done(cn_sim_tick_n(sim, 1, &error), &error);
}

static inline void play_swarm(CnSim *sim, uint64_t end)
{
    while (cn_sim_tick(sim) < end)
        tick_swarm(sim);
}

static inline CnReplay *open_replay(const CnRecorder *recorder)
{
    CnError error = {0};
    size_t size;
    const uint8_t *bytes = cn_recorder_bytes(recorder, &size);
    CnReplay *replay = cn_replay_open_bytes(bytes, size, NULL, &error);
    check_done(replay != NULL, &error);
    return replay;
}

static inline CnReplayDifference verify(CnReplay *replay, CnSim *sim, uint64_t end)
{
    CnError error = {0};
    CnReplayDifference difference;
    check_done(cn_replay_run(replay, sim, end, &difference, &error), &error);
    return difference;
}

#endif
