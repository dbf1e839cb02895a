#include "loudness.h"
#include "filter.h"

#include <cairn/base/math.h>

#include <stdlib.h>
#include <string.h>

/* The two filters of the recommendation, at 48 kHz: the head, then the low frequencies. */
static void weight(Signal *signal)
{
    for (uint32_t c = 0; c < signal->channels; c++) {
        Biquad head = {.b0 = 1.53512486f,
                       .b1 = -2.69169619f,
                       .b2 = 1.19839281f,
                       .a1 = -1.69065929f,
                       .a2 = 0.73248077f};
        Biquad low = {.b0 = 1, .b1 = -2, .b2 = 1, .a1 = -1.99004745f, .a2 = 0.99007225f};
        float *samples = signal_channel(signal, c);
        for (uint32_t i = 0; i < signal->frames; i++)
            samples[i] = biquad_next(&low, biquad_next(&head, samples[i]));
    }
}

static Signal weighted(const Signal *signal)
{
    Signal copy = signal_create(signal->frames, signal->channels);
    memcpy(copy.samples, signal->samples,
           (size_t)signal->frames * signal->channels * sizeof(float));
    weight(&copy);
    return copy;
}

/* Mean power of all channels. */
static double power(const Signal *signal, uint32_t first, uint32_t frames)
{
    double sum = 0;
    for (uint32_t c = 0; c < signal->channels; c++) {
        const float *samples = signal_channel(signal, c) + first;
        for (uint32_t i = 0; i < frames; i++)
            sum += (double)samples[i] * (double)samples[i];
    }
    return frames ? sum / frames : 0;
}

static float lufs_of(double mean_power)
{
    return mean_power > 1e-12 ? (float)(-0.691 + 4.342944819 * cn_log(mean_power))
                              : LOUDNESS_SILENCE;
}

#define BLOCK (SOUNDS_RATE * 2 / 5)
#define STEP (SOUNDS_RATE / 10)

float loudness_integrated(const Signal *signal)
{
    if (signal->frames < BLOCK)
        return loudness_momentary(signal);
    Signal copy = weighted(signal);
    uint32_t count = (copy.frames - BLOCK) / STEP + 1;
    double *blocks = calloc(count, sizeof *blocks), gate = 0;
    for (uint32_t i = 0; i < count; i++)
        blocks[i] = power(&copy, i * STEP, BLOCK);
    double mean = 0;
    for (uint32_t pass = 0; pass < 2; pass++) {
        double sum = 0;
        uint32_t used = 0;
        gate = pass ? mean * 0.1 : 1.17e-7; /* -70 LUFS */
        for (uint32_t i = 0; i < count; i++) {
            if (blocks[i] <= gate)
                continue;
            sum += blocks[i];
            used++;
        }
        mean = used ? sum / used : 0;
    }
    free(blocks);
    signal_destroy(&copy);
    return lufs_of(mean);
}

float loudness_momentary(const Signal *signal)
{
    Signal copy = weighted(signal);
    uint32_t window = copy.frames < BLOCK ? copy.frames : BLOCK;
    double loudest = 0;
    for (uint32_t first = 0; first + window <= copy.frames; first += STEP / 10) {
        double now = power(&copy, first, window);
        loudest = now > loudest ? now : loudest;
    }
    signal_destroy(&copy);
    return lufs_of(loudest);
}

float loudness_of(const Signal *signal)
{
    return signal->frames >= 3 * SOUNDS_RATE ? loudness_integrated(signal)
                                             : loudness_momentary(signal);
}

/* ---- Peaks ---- */

#define TAPS 12 /* of each phase of the interpolation */

static void interpolation(float taps[4][TAPS])
{
    for (int phase = 0; phase < 4; phase++) {
        for (int i = 0; i < TAPS; i++) {
            float x = (float)(i - TAPS / 2) + (float)phase / 4, sinc = 1;
            if (x > 1e-4f || x < -1e-4f)
                sinc = cn_sinf(CN_PIF * x) / (CN_PIF * x);
            taps[phase][i] = sinc * (0.5f + 0.5f * cn_cosf(CN_PIF * x / (TAPS / 2 + 1)));
        }
    }
}

float true_peak(const Signal *signal)
{
    float taps[4][TAPS], peak = signal_peak(signal);
    interpolation(taps);
    for (uint32_t c = 0; c < signal->channels; c++) {
        const float *samples = signal_channel(signal, c);
        for (uint32_t i = TAPS; i + TAPS < signal->frames; i++) {
            if (cn_fabsf(samples[i]) < 0.5f * peak) /* cannot become the peak */
                continue;
            for (int phase = 1; phase < 4; phase++) {
                float sum = 0;
                for (int t = 0; t < TAPS; t++)
                    sum += taps[phase][t] * samples[i + (uint32_t)t - TAPS / 2];
                peak = cn_fabsf(sum) > peak ? cn_fabsf(sum) : peak;
            }
        }
    }
    return peak;
}

float dc_of(const Signal *signal)
{
    double largest = 0;
    for (uint32_t c = 0; c < signal->channels; c++) {
        double sum = 0;
        for (uint32_t i = 0; i < signal->frames; i++)
            sum += (double)signal_channel(signal, c)[i];
        sum = cn_fabs(sum / (signal->frames ? signal->frames : 1));
        largest = sum > largest ? sum : largest;
    }
    return (float)largest;
}

float onset_seconds(const Signal *signal)
{
    float limit = 0.1f * signal_peak(signal);
    for (uint32_t i = 0; i < signal->frames; i++)
        for (uint32_t c = 0; c < signal->channels; c++)
            if (cn_fabsf(signal_channel(signal, c)[i]) >= limit)
                return (float)i / SOUNDS_RATE_F;
    return (float)signal->frames / SOUNDS_RATE_F;
}

/* ---- Mastering ---- */

#define AHEAD 96u /* frames, 2 ms */

/* The gain falls before a peak and recovers in about 60 ms. */
static void limit(Signal *signal, float ceiling)
{
    float *gains = malloc(signal->frames * sizeof(float)), gain = 1;
    for (uint32_t i = 0; i < signal->frames; i++) {
        float peak = 0;
        for (uint32_t c = 0; c < signal->channels; c++) {
            float x = cn_fabsf(signal_channel(signal, c)[i]);
            peak = x > peak ? x : peak;
        }
        gains[i] = peak > ceiling ? ceiling / peak : 1;
    }
    for (uint32_t i = signal->frames; i-- > 0;) { /* the fall before a peak */
        gain += (1 - gain) / AHEAD * 2;
        gain = gains[i] < gain ? gains[i] : gain;
        gains[i] = gain;
    }
    gain = 1;
    for (uint32_t i = 0; i < signal->frames; i++) { /* the recovery after it */
        gain += (1 - gain) / (SOUNDS_RATE_F * 0.06f);
        gain = gains[i] < gain ? gains[i] : gain;
        for (uint32_t c = 0; c < signal->channels; c++)
            signal_channel(signal, c)[i] *= gain;
    }
    free(gains);
}

void master(Signal *signal, float lufs)
{
    for (uint32_t pass = 0; pass < 6; pass++) {
        float now = loudness_of(signal);
        if (now <= LOUDNESS_SILENCE)
            return;
        signal_scale(signal, decibels(lufs - now));
        float peak = true_peak(signal);
        if (peak <= 0.89f)
            return;
        limit(signal, 0.84f);
    }
    float peak = true_peak(signal);
    if (peak > 0.89f)
        signal_scale(signal, 0.89f / peak);
}
