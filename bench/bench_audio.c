/*
 * The cost of sound on the main thread: cn_audio_update with playing sources around a moving
 * listener, compared with mixing the same frame into memory (what OpenAL's own thread does with a
 * sound card). `--help` lists the options.
 */
#include "machine.h"
#include "measure.h"
#include "options.h"

#include <cairn/audio.h>
#include <cairn/base/clock.h>

#include <stdio.h>

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

static uint64_t mix(void)
{
    uint64_t start = cn_clock_ns();
    cn_audio_render(audio, stereo, FRAMES);
    return cn_clock_ns() - start;
}

int main(int argc, char **argv)
{
    bool json = false;
    uint32_t count = 200;
    const BenchOption options[] = {BENCH_OPTION_JSON(&json)};
    bench_read_options(&(BenchUsage){"bench_audio",
                                     "Microseconds per frame with 200 moving sources: the main "
                                     "thread's part, compared with mixing in the same run.",
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
    if (json)
        printf("{\"workload\":\"audio_update\",\"n\":%u,\"threads\":1,\"ns\":%.3f,"
               "\"raw_ns\":%.3f}\n",
               count, ours.median_ns, other.median_ns);
    else
        printf("%-14s %8s %10s %10s %8s\n%-14s %8u %10.1f %10.1f %8.3f\n", "workload", "sources",
               "us", "mixing us", "ratio", "audio_update", count, ours.median_ns / 1e3,
               other.median_ns / 1e3, ours.median_ns / other.median_ns);
    cn_audio_destroy(audio);
    return 0;
}
