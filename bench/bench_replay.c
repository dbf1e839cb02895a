/*
 * The cost of recordings: a tick of moving entities, recorded in three ways, compared with the same
 * tick without recording; all alternate. Also measures replaying and seeking. `--help` lists the
 * options.
 */
#include "measure.h"
#include "options.h"

#include <cairn/ecs.h>
#include <cairn/sim.h>

#include <stdio.h>
#include <string.h>

#define ENTITIES 100000u
#define RUNS 41u

CN_COMPONENT(Position, (f32, x), (f32, y), (f32, z));
CN_COMPONENT(Velocity, (f32, x), (f32, y), (f32, z));

CN_SYSTEM(move, (write, Position, p), (read, Velocity, v))
{
    for (uint32_t i = 0; i < count; i++) {
        p[i].x += v[i].x * context->dt;
        p[i].y += v[i].y * context->dt;
        p[i].z += v[i].z * context->dt;
    }
}

static CnSim *make_sim(void)
{
    CnSim *sim = cn_sim_create(NULL, NULL);
    CnWorld *world = cn_sim_world(sim);
    cn_system(world, move, .stage = CN_STAGE_UPDATE);
    for (uint32_t i = 0; i < ENTITIES; i++)
        cn_spawn(world, cn_with(Position, {(float)i, 0, 0}), cn_with(Velocity, {1, 2, (float)i}));
    return sim;
}

typedef struct Recorded {
    const char *name;
    CnSim *sim;
    CnRecorder *recorder;
    uint64_t times[RUNS];
} Recorded;

static uint64_t time_tick(CnSim *sim)
{
    uint64_t start = cn_clock_ns();
    cn_sim_tick_n(sim, 1, NULL);
    return cn_clock_ns() - start;
}

static void print(const char *name, double ns, double plain_ns, bool json)
{
    if (json)
        printf("{\"workload\":\"%s\",\"n\":%u,\"threads\":1,\"ns\":%.3f,\"raw_ns\":%.3f}\n", name,
               ENTITIES, ns, plain_ns);
    else
        printf("%-26s %8.2f %12.2f\n", name, ns, plain_ns);
}

/* Returns the cost of a tick without recording. */
static double measure_recording(bool json)
{
    Recorded ways[] = {{.name = "plain"},
                       {.name = "record_hash"},
                       {.name = "record_components"},
                       {.name = "record_keyframes"}};
    const CnRecorderDesc descs[] = {{0},
                                    {.without_components = true, .keyframe_ticks = UINT32_MAX},
                                    {.keyframe_ticks = UINT32_MAX},
                                    {.keyframe_ticks = 1}};
    for (uint32_t w = 0; w < CN_COUNT_OF(ways); w++) {
        ways[w].sim = make_sim();
        if (w)
            ways[w].recorder = cn_recorder_create(ways[w].sim, &descs[w], NULL);
        cn_sim_tick_n(ways[w].sim, 3, NULL);
    }
    for (uint32_t i = 0; i < RUNS; i++)
        for (uint32_t w = 0; w < CN_COUNT_OF(ways); w++)
            ways[w].times[i] = time_tick(ways[w].sim);
    double plain = measure_summarize(ways[0].times, RUNS).median_ns / ENTITIES;
    for (uint32_t w = 0; w < CN_COUNT_OF(ways); w++) {
        if (w)
            print(ways[w].name, measure_summarize(ways[w].times, RUNS).median_ns / ENTITIES, plain,
                  json);
        if (ways[w].recorder)
            cn_recorder_destroy(ways[w].recorder);
        cn_sim_destroy(ways[w].sim);
    }
    return plain;
}

static void measure_playing(double plain, bool json)
{
    uint64_t run_times[RUNS], seek_times[RUNS];
    size_t size;
    CnReplayDifference difference;
    CnSim *sim = make_sim();
    CnRecorder *recorder = cn_recorder_create(sim, &(CnRecorderDesc){.keyframe_ticks = 20}, NULL);
    cn_sim_tick_n(sim, RUNS, NULL);
    const uint8_t *bytes = cn_recorder_bytes(recorder, &size);
    CnReplay *replay = cn_replay_open_bytes(bytes, size, NULL, NULL);
    cn_recorder_destroy(recorder);
    cn_replay_seek(replay, sim, 0, NULL);
    for (uint64_t i = 0; i < RUNS; i++) {
        uint64_t start = cn_clock_ns();
        cn_replay_run(replay, sim, i + 1, &difference, NULL);
        run_times[i] = cn_clock_ns() - start;
    }
    for (uint64_t i = 0; i < RUNS; i++) {
        uint64_t start = cn_clock_ns();
        cn_replay_seek(replay, sim, i % 2 ? 20 : 0, NULL);
        seek_times[i] = cn_clock_ns() - start;
    }
    print("play_and_compare", measure_summarize(run_times, RUNS).median_ns / ENTITIES, plain, json);
    print("seek_keyframe", measure_summarize(seek_times, RUNS).median_ns / ENTITIES, plain, json);
    cn_replay_close(replay);
    cn_sim_destroy(sim);
}

int main(int argc, char **argv)
{
    bool json = false;
    char about[512];
    cn_format(about, sizeof about,
              "Nanoseconds per entity and tick, medians of %u ticks of %u moving entities,\n"
              "compared with the same tick without a recorder.",
              RUNS, ENTITIES);
    const BenchOption options[] = {BENCH_OPTION_JSON(&json)};
    bench_read_options(&(BenchUsage){"bench_replay", about, options, CN_COUNT_OF(options), NULL},
                       argc, argv);
    machine_print(json);
    if (!json)
        printf("%-26s %8s %12s\n", "", "ns", "plain ns");
    measure_playing(measure_recording(json), json);
}
