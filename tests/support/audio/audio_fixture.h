/* Loop-back devices for tests: audio is rendered into memory, frame by frame. */
#ifndef CAIRN_TESTS_SUPPORT_AUDIO_AUDIO_FIXTURE_H
#define CAIRN_TESTS_SUPPORT_AUDIO_AUDIO_FIXTURE_H

#include "cmocka_tests.h"

#include <cairn/audio.h>
#include <cairn/vfs/decode_job.h>

#include <math.h>
#include <stdlib.h>

#define AUDIO_RATE 48000u
#define AUDIO_STEP 800u /* frames of an update: 60 a second */

#if CN_DECODE_HAS_SANITIZER
/* The library of OpenAL is not instrumented, so its locks and atomics are not seen: only races of
 * our own code are reported. Weak, because several files of a test include this header, and visible
 * to the library of the sanitizer. */
__attribute__((weak, visibility("default"))) const char *__tsan_default_suppressions(void);
const char *__tsan_default_suppressions(void)
{
    return "race:libopenal.so\n";
}
#endif

#define assert_near(a, b, tolerance) assert_true(fabs((double)(a) - (double)(b)) <= (tolerance))

typedef struct Loopback {
    CnAudio *audio;
    float *stereo; /* of the last listen call */
    uint32_t frames;
} Loopback;

static inline Loopback loopback_open(const CnAudioDesc *desc)
{
    CnAudioDesc all = desc ? *desc : (CnAudioDesc){0};
    CnError error = {0};
    all.device = CN_AUDIO_DEVICE_LOOPBACK;
    Loopback loop = {.audio = cn_audio_create(&all, &error)};
    if (!loop.audio && error.code == CN_ERROR_UNSUPPORTED) {
        print_message("skipped: %s\n", error.message);
        exit(77);
    }
    assert_non_null(loop.audio);
    return loop;
}

static inline void loopback_close(Loopback *loop)
{
    assert_int_equal(cn_audio_stats(loop->audio).failures, 0);
    cn_audio_destroy(loop->audio);
    free(loop->stereo);
}

/* Renders this many updates, and keeps the samples. */
static inline void loopback_listen(Loopback *loop, uint32_t updates)
{
    loop->frames = updates * AUDIO_STEP;
    loop->stereo = realloc(loop->stereo, loop->frames * 2 * sizeof *loop->stereo);
    assert_non_null(loop->stereo);
    for (uint32_t i = 0; i < updates; i++) {
        cn_audio_update(loop->audio, (double)AUDIO_STEP / AUDIO_RATE);
        cn_audio_render(loop->audio, loop->stereo + 2 * (size_t)i * AUDIO_STEP, AUDIO_STEP);
    }
}

/* Root mean square of a channel (0 left, 1 right) between two frames. */
static inline double loopback_level(const Loopback *loop, uint32_t channel, uint32_t from,
                                    uint32_t to)
{
    double sum = 0;
    for (uint32_t i = from; i < to; i++)
        sum += (double)loop->stereo[2 * i + channel] * (double)loop->stereo[2 * i + channel];
    return sqrt(sum / (to - from));
}

static inline double loopback_loudness(const Loopback *loop)
{
    return loopback_level(loop, 0, 0, loop->frames) + loopback_level(loop, 1, 0, loop->frames);
}

static inline CnSound sound_of_function(CnAudio *audio, uint32_t frames, float (*value)(uint32_t))
{
    CnError error = {0};
    int16_t *samples = malloc(frames * sizeof *samples);
    assert_non_null(samples);
    for (uint32_t i = 0; i < frames; i++)
        samples[i] = (int16_t)(value(i) * 32767);
    CnSound sound = cn_sound_create(
        audio,
        &(CnSoundDesc){
            .samples = samples, .frames = frames, .channels = 1, .sample_rate = AUDIO_RATE},
        &error);
    free(samples);
    assert_int_not_equal(sound.id, 0);
    return sound;
}

/* White noise of amplitude 0.25; the same in each run. */
static inline float noise_value(uint32_t i)
{
    uint32_t x = i * 2654435761u;
    x ^= x >> 15;
    x *= 2246822519u;
    x ^= x >> 13;
    return ((float)(x & 0xFFFF) / 65536.0f - 0.5f) * 0.5f;
}

/* A sine of 440 Hz and amplitude 0.5. */
static inline float sine_value(uint32_t i)
{
    return 0.5f * (float)sin(2 * 3.14159265358979 * 440.0 * i / AUDIO_RATE);
}

#endif
