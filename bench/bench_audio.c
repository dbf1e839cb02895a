/*
 * The cost of sound on the main thread: cn_audio_update with playing sources around a moving
 * listener, compared with mixing the same frame into memory (what OpenAL's own thread does with a
 * sound card); and that of acoustics in a generated world: what the main thread does in a frame,
 * and what jobs do. `--help` lists the options.
 */
#include "machine.h"
#include "measure.h"
#include "options.h"

#include "crafty/world/blocks.h"

#include <cairn/audio.h>
#include <cairn/base/clock.h>
#include <cairn/base/job.h>

#include <stdio.h>
#include <time.h>

#define RUNS 301u
#define RATE 48000u
#define FRAMES 800u

static CnAudio *audio;
static float stereo[2 * FRAMES];

static void stop(const CnError *error)
{
    fprintf(stderr, "bench_audio: %s\n", error->message);
    exit(1);
}

static void place(uint32_t count)
{
    static int16_t samples[RATE];
    CnError error = {0};
    for (uint32_t i = 0; i < RATE; i++)
        samples[i] = (int16_t)(i * 40503u % 8192u);
    CnSound sound = cn_sound_create(
        audio,
        &(CnSoundDesc){.samples = samples, .frames = RATE, .channels = 1, .sample_rate = RATE},
        &error);
    if (!sound.id)
        stop(&error);
    for (uint32_t i = 0; i < count; i++)
        cn_audio_play(audio, &(CnPlayDesc){.sound = sound,
                                           .loop = true,
                                           .spatial = true,
                                           .position = {(float)(i % 20) * 3 - 30, 0,
                                                        (float)(i / 20) * 3 - 15}});
}

static uint64_t update(uint32_t run)
{
    uint64_t start = cn_clock_ns();
    cn_audio_set_listener(audio, &(CnAudioListener){.position = {(float)(run % 60) * 0.1f, 0, 0},
                                                    .rotation = {0, 0, 0, 1}});
    cn_audio_update(audio, (double)FRAMES / RATE);
    return cn_clock_ns() - start;
}

/* ---- Acoustics ---- */

#define LOADED 3 /* chunks in each direction */
#define JOB_NS 3000000

typedef struct Ground {
    CnBlockTable *blocks;
    CnGenerator *generator;
    CnVoxels *world;
    CnJobPool *jobs;
    CnAcoustics *acoustics;
    CnVec3 ear;
} Ground;

/* The place of the ear: above the ground of the first column. */
static float ground_height(CnVoxels *world)
{
    int32_t y = 200;
    while (y > -64 && cn_voxels_get(world, (CnCell){0, y, 0}) == CN_BLOCK_AIR)
        y--;
    return (float)y + 1;
}

static Ground ground_create(void)
{
    CnError error = {0};
    Ground ground = {.blocks = crafty_blocks_create(NULL, &error)};
    if (!ground.blocks)
        stop(&error);
    cn_block_table_close(ground.blocks);
    ground.generator =
        cn_generator_create(&(CnGeneratorDesc){.blocks = ground.blocks, .seed = 7}, &error);
    ground.world = ground.generator
                       ? cn_voxels_create(&(CnVoxelsDesc){.generator = ground.generator}, &error)
                       : NULL;
    ground.jobs = cn_job_pool_create(&(CnJobPoolDesc){.workers = 2}, &error);
    if (!ground.world || !ground.jobs)
        stop(&error);
    ground.ear = cn_vec3(0.5f, ground_height(ground.world) + 1.6f, 0.5f);
    CnChunkPos middle = cn_chunk_of((CnCell){0, (int32_t)ground.ear.y, 0});
    for (int32_t z = -LOADED; z <= LOADED; z++)
        for (int32_t y = -LOADED; y <= LOADED; y++)
            for (int32_t x = -LOADED; x <= LOADED; x++)
                cn_voxels_chunk(ground.world, (CnChunkPos){x, middle.y + y, z});
    ground.acoustics =
        cn_acoustics_create(&(CnAcousticsDesc){.audio = audio, .jobs = ground.jobs}, &error);
    if (!ground.acoustics)
        stop(&error);
    return ground;
}

static void ground_destroy(Ground *ground)
{
    cn_acoustics_destroy(ground->acoustics);
    cn_job_pool_destroy(ground->jobs);
    cn_voxels_destroy(ground->world);
    cn_generator_destroy(ground->generator);
    cn_block_table_destroy(ground->blocks);
}

/* A frame of a sixtieth of a second of simulated time; then the job has time. */
static uint64_t acoustics_frame(Ground *ground)
{
    uint64_t start = cn_clock_ns();
    cn_acoustics_update(ground->acoustics, ground->world, (double)FRAMES / RATE);
    uint64_t taken = cn_clock_ns() - start;
    nanosleep(&(struct timespec){.tv_nsec = JOB_NS}, NULL);
    return taken;
}

static uint64_t mix(void)
{
    uint64_t start = cn_clock_ns();
    cn_audio_render(audio, stereo, FRAMES);
    return cn_clock_ns() - start;
}

static void print_row(bool json, const char *name, uint32_t count, double ns, double reference_ns)
{
    if (json)
        printf("{\"workload\":\"%s\",\"n\":%u,\"threads\":1,\"ns\":%.3f,\"raw_ns\":%.3f}\n", name,
               count, ns, reference_ns);
    else
        printf("%-16s %8u %10.1f %10.1f %8.3f\n", name, count, ns / 1e3, reference_ns / 1e3,
               ns / reference_ns);
}

/* Moves the sources to the ear of the ground, so that rays meet its blocks. */
static void measure_acoustics(bool json, uint32_t count, double mix_ns)
{
    uint64_t times[RUNS];
    Ground ground = ground_create();
    uint32_t index = 0;
    for (CnVoice voice = {0}; (voice = cn_audio_next_spatial(audio, voice)).id; index++)
        cn_voice_set_position(audio, voice,
                              cn_vec3(ground.ear.x + (float)(index % 20) * 3 - 30, ground.ear.y,
                                      ground.ear.z + (float)(index / 20) * 3 - 15));
    cn_audio_set_listener(audio,
                          &(CnAudioListener){.position = ground.ear, .rotation = {0, 0, 0, 1}});
    for (uint32_t i = 0; i < 60; i++)
        acoustics_frame(&ground);
    CnAcousticsStats before = cn_acoustics_stats(ground.acoustics);
    for (uint32_t i = 0; i < RUNS; i++)
        times[i] = acoustics_frame(&ground);
    CnAcousticsStats after = cn_acoustics_stats(ground.acoustics);
    double probes = (double)(after.probes - before.probes);
    double sum = 0;
    for (uint32_t i = 0; i < RUNS; i++)
        sum += (double)times[i];
    print_row(json, "acoustics_main", count, sum / RUNS, mix_ns);
    qsort(times, RUNS, sizeof *times, measure_compare);
    print_row(json, "acoustics_99", count, (double)times[RUNS * 99 / 100], mix_ns);
    print_row(json, "acoustics_probe", count,
              (after.probe_seconds - before.probe_seconds) * 1e9 / probes, mix_ns);
    ground_destroy(&ground);
}

int main(int argc, char **argv)
{
    bool json = false;
    uint32_t count = 200;
    const BenchOption options[] = {BENCH_OPTION_JSON(&json)};
    bench_read_options(&(BenchUsage){"bench_audio",
                                     "Microseconds per frame with 200 moving sources: the main "
                                     "thread's part of sound and of acoustics (mean and 99 %), and "
                                     "a probe of acoustics in a job, of which there are 20 a "
                                     "second; compared with mixing in the same run.",
                                     options, CN_COUNT_OF(options), NULL},
                       argc, argv);
    CnError error = {0};
    uint64_t times[RUNS], mix_times[RUNS];
    audio = cn_audio_create(&(CnAudioDesc){.device = CN_AUDIO_DEVICE_LOOPBACK}, &error);
    if (!audio)
        stop(&error);
    place(count);
    for (uint32_t i = 0; i < 60; i++) {
        update(i);
        mix();
    }
    for (uint32_t i = 0; i < RUNS; i++) {
        times[i] = update(i);
        mix_times[i] = mix();
    }
    MeasureTimes ours = measure_summarize(times, RUNS), other = measure_summarize(mix_times, RUNS);
    machine_print(json);
    if (!json)
        printf("%-16s %8s %10s %10s %8s\n", "workload", "sources", "us", "mixing us", "ratio");
    print_row(json, "audio_update", count, ours.median_ns, other.median_ns);
    measure_acoustics(json, count, other.median_ns);
    cn_audio_destroy(audio);
    return 0;
}
