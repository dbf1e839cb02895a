#include "reverb.h"

#include <cairn/base/math.h>

#include <stdlib.h>
#include <string.h>

#define LINES 8u
#define LONGEST 8192u /* frames; a power of two */

typedef struct Line {
    float samples[LONGEST];
    uint32_t length;
    float gain, damped, damp;
} Line;

static void begin_lines(Line lines[LINES], const ReverbDesc *desc)
{
    /* Prime at size 1, so that the echoes do not coincide. */
    static const uint32_t lengths[LINES] = {1433, 1601, 1867, 2053, 2251, 2399, 2617, 2797};
    for (uint32_t i = 0; i < LINES; i++) {
        uint32_t length = (uint32_t)((float)lengths[i] * desc->size);
        Line *line = &lines[i];
        line->length = length < 16 ? 16 : length >= LONGEST ? LONGEST - 1 : length;
        line->gain = cn_expf(-6.9078f * (float)line->length / (desc->seconds * SOUNDS_RATE_F));
        line->damp = cn_expf(-2 * CN_PIF * desc->damp_hz / SOUNDS_RATE_F);
    }
}

/* Mixes the lines with a Householder matrix, which keeps the energy. */
static void next_frame(Line lines[LINES], uint32_t frame, const float in[2], float out[2])
{
    float value[LINES], sum = 0;
    for (uint32_t i = 0; i < LINES; i++) {
        Line *line = &lines[i];
        float x = line->samples[(frame - line->length) & (LONGEST - 1)];
        line->damped = x + line->damp * (line->damped - x);
        value[i] = line->gain * line->damped;
        sum += value[i];
    }
    sum *= 2.0f / LINES;
    out[0] = out[1] = 0;
    for (uint32_t i = 0; i < LINES; i++) {
        lines[i].samples[frame & (LONGEST - 1)] = value[i] - sum + in[i & 1] + 1e-18f;
        out[i & 1] += (i & 2 ? -1.0f : 1.0f) * value[i];
    }
}

void reverb_apply(Signal *signal, const ReverbDesc *desc)
{
    Line *lines = calloc(LINES, sizeof *lines);
    if (!lines)
        return;
    begin_lines(lines, desc);
    uint32_t delay = (uint32_t)(desc->delay_ms * SOUNDS_RATE_F / 1000),
             right = signal->channels - 1;
    Signal dry = signal_create(signal->frames, signal->channels);
    memcpy(dry.samples, signal->samples, (size_t)signal->frames * signal->channels * sizeof(float));
    float *to[2] = {signal_channel(signal, 0), signal_channel(signal, right)};
    const float *from[2] = {signal_channel(&dry, 0), signal_channel(&dry, right)};
    for (uint32_t i = 0; i < signal->frames; i++) {
        float in[2] = {0}, out[2];
        for (uint32_t c = 0; c < 2 && i >= delay; c++)
            in[c] = from[c][i - delay];
        next_frame(lines, i, in, out);
        if (signal->channels == 1)
            out[0] = out[1] = (out[0] + out[1]) * 0.7071f;
        for (uint32_t c = 0; c < signal->channels; c++)
            to[c][i] = (1 - desc->mix) * from[c][i] + desc->mix * 0.6f * out[c];
    }
    signal_destroy(&dry);
    free(lines);
}
