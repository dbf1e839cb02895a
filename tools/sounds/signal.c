#include "signal.h"

#include <cairn/base/math.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

Signal signal_create(uint32_t frames, uint32_t channels)
{
    size_t count = (size_t)frames * channels;
    Signal signal = {calloc(count ? count : 1, sizeof(float)), frames, channels};
    if (!signal.samples) {
        fprintf(stderr, "sounds: out of memory\n");
        exit(1);
    }
    return signal;
}

void signal_destroy(Signal *signal)
{
    free(signal->samples);
    *signal = (Signal){0};
}

float *signal_channel(const Signal *signal, uint32_t channel)
{
    return signal->samples + (size_t)channel * signal->frames;
}

uint32_t signal_frames(double seconds)
{
    return seconds > 0 ? (uint32_t)(seconds * SOUNDS_RATE + 0.5) : 0;
}

void signal_scale(Signal *signal, float factor)
{
    size_t count = (size_t)signal->frames * signal->channels;
    for (size_t i = 0; i < count; i++)
        signal->samples[i] *= factor;
}

static void mix_channel(float *to, uint32_t frames, const Signal *mono, int64_t frame, float gain)
{
    uint32_t first = frame < 0 ? (uint32_t)-frame : 0;
    for (uint32_t i = first; i < mono->frames && frame + i < frames; i++)
        to[frame + i] += gain * mono->samples[i];
}

void signal_mix(Signal *to, const Signal *mono, int64_t frame, float gain, float pan)
{
    if (frame + mono->frames <= 0)
        return;
    if (to->channels == 1) {
        mix_channel(to->samples, to->frames, mono, frame, gain);
        return;
    }
    float left, right;
    pan = pan < -1 ? -1 : pan > 1 ? 1 : pan;
    cn_sincosf((pan + 1) * CN_PIF / 4, &right, &left);
    mix_channel(signal_channel(to, 0), to->frames, mono, frame, gain * left);
    mix_channel(signal_channel(to, 1), to->frames, mono, frame, gain * right);
}

float signal_peak(const Signal *signal)
{
    float peak = 0;
    size_t count = (size_t)signal->frames * signal->channels;
    for (size_t i = 0; i < count; i++)
        if (cn_fabsf(signal->samples[i]) > peak)
            peak = cn_fabsf(signal->samples[i]);
    return peak;
}

static void keep(Signal *signal, uint32_t first, uint32_t frames)
{
    for (uint32_t c = 0; c < signal->channels; c++)
        memmove(signal->samples + (size_t)c * frames, signal_channel(signal, c) + first,
                frames * sizeof(float));
    signal->frames = frames;
}

void signal_cut(Signal *signal, uint32_t frames)
{
    if (frames < signal->frames)
        keep(signal, 0, frames);
}

void signal_skip(Signal *signal, uint32_t frames)
{
    frames = frames < signal->frames ? frames : signal->frames;
    keep(signal, frames, signal->frames - frames);
}

static float fade_gain(uint32_t i, uint32_t frames)
{
    float s = cn_sinf(CN_PIF / 2 * (float)i / (float)frames);
    return s * s;
}

void signal_fade(Signal *signal, uint32_t in, uint32_t out)
{
    in = in < signal->frames ? in : signal->frames;
    out = out < signal->frames ? out : signal->frames;
    for (uint32_t c = 0; c < signal->channels; c++) {
        float *samples = signal_channel(signal, c);
        for (uint32_t i = 0; i < in; i++)
            samples[i] *= fade_gain(i, in);
        for (uint32_t i = 0; i < out; i++)
            samples[signal->frames - 1 - i] *= fade_gain(i, out);
    }
}

Signal signal_loop(Signal *signal, uint32_t fade)
{
    fade = fade < signal->frames / 2 ? fade : signal->frames / 2;
    uint32_t frames = signal->frames - fade;
    Signal loop = signal_create(frames, signal->channels);
    for (uint32_t c = 0; c < signal->channels; c++) {
        const float *from = signal_channel(signal, c);
        float *to = signal_channel(&loop, c);
        memcpy(to, from, frames * sizeof(float));
        for (uint32_t i = 0; i < fade; i++) {
            float rise, fall;
            cn_sincosf(CN_PIF / 2 * (float)i / (float)fade, &rise, &fall);
            to[i] = rise * from[i] + fall * from[frames + i];
        }
    }
    signal_destroy(signal);
    return loop;
}

float decibels(float db)
{
    return cn_expf(db * 0.11512925f); /* ln(10) / 20 */
}

float to_decibels(float factor)
{
    return factor > 1e-9f ? 8.6858896f * cn_logf(factor) : -180.0f;
}

Random random_named(const char *name, uint64_t number)
{
    uint64_t state = 0xcbf29ce484222325u ^ (number * 0x9e3779b97f4a7c15u);
    for (; *name; name++)
        state = (state ^ (uint8_t)*name) * 0x100000001b3u;
    return (Random){state};
}

uint32_t random_bits(Random *random)
{
    uint64_t z = random->state += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return (uint32_t)((z ^ (z >> 31)) >> 32);
}

float random_unit(Random *random)
{
    return (float)(random_bits(random) >> 8) * 0x1p-24f;
}

float random_between(Random *random, float low, float high)
{
    return low + (high - low) * random_unit(random);
}

float random_bipolar(Random *random)
{
    return 2 * random_unit(random) - 1;
}
