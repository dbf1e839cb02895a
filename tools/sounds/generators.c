/* The generators of layers: noise, tones, resonating bodies. */
#include "filter.h"
#include "recipe.h"

#include <cairn/base/math.h>

/* ---- Noise ---- */

/* Pink: a sum of one-pole filters, 3 dB per octave (P. Kellet). */
static float next_pink(Random *random, float state[3])
{
    float white = random_bipolar(random);
    state[0] = 0.99765f * state[0] + white * 0.0990460f;
    state[1] = 0.96300f * state[1] + white * 0.2965164f;
    state[2] = 0.57000f * state[2] + white * 1.0526913f;
    return 0.25f * (state[0] + state[1] + state[2] + white * 0.1848f);
}

static float next_brown(Random *random, float state[3])
{
    state[0] = 0.995f * state[0] + 0.08f * random_bipolar(random);
    return state[0];
}

void noise_render(Reader *reader, const json_t *layer, Signal *to)
{
    static const char *const colors[] = {"white", "pink", "brown", NULL};
    uint32_t color = reader_choice(reader, reader_text(reader, layer, "color", "white"), colors);
    float state[3] = {0};
    for (uint32_t i = 0; i < to->frames; i++)
        to->samples[i] = color == 0   ? random_bipolar(&reader->random)
                         : color == 1 ? next_pink(&reader->random, state)
                                      : next_brown(&reader->random, state);
}

/* ---- Tones ---- */

typedef enum Wave { WAVE_SINE, WAVE_TRIANGLE, WAVE_SAW, WAVE_SQUARE } Wave;

/* Rounds off the step of a saw or a square, which would alias. */
static float smooth_step(float phase, float step)
{
    if (phase < step) {
        float t = phase / step;
        return t + t - t * t - 1;
    }
    if (phase > 1 - step) {
        float t = (phase - 1) / step;
        return t * t + t + t + 1;
    }
    return 0;
}

static float wave_at(Wave wave, float phase, float step)
{
    float half = phase < 0.5f ? phase + 0.5f : phase - 0.5f;
    switch (wave) {
    case WAVE_SAW:
        return 2 * phase - 1 - smooth_step(phase, step);
    case WAVE_SQUARE:
        return (phase < 0.5f ? 1.0f : -1.0f) + smooth_step(phase, step) - smooth_step(half, step);
    case WAVE_TRIANGLE:
        return 4 * cn_fabsf(half - 0.5f) - 1;
    case WAVE_SINE:
        break;
    }
    return cn_sinf(2 * CN_PIF * phase);
}

void tone_render(Reader *reader, const json_t *layer, float pitch, Signal *to)
{
    static const char *const waves[] = {"sine", "triangle", "saw", "square", NULL};
    Wave wave = (Wave)reader_choice(reader, reader_text(reader, layer, "wave", "sine"), waves);
    Curve hz = reader_curve(reader, layer, "hz", 440);
    Curve index = reader_curve(reader, layer, "fm_index", 0);
    float ratio = reader_number(reader, layer, "fm_ratio", 1);
    float vibrato_hz = reader_number(reader, layer, "vibrato_hz", 5);
    float vibrato = reader_number(reader, layer, "vibrato", 0);
    float phase = 0, modulator = 0, swing = 0;
    for (uint32_t i = 0; i < to->frames; i++) {
        float time = (float)i / (float)to->frames;
        float now = pitch * curve_at(&hz, time);
        if (vibrato > 0) {
            swing += vibrato_hz / SOUNDS_RATE_F;
            swing -= cn_floorf(swing);
            now *= 1 + vibrato * cn_sinf(2 * CN_PIF * swing);
        }
        float depth = curve_at(&index, time);
        if (depth > 0) {
            modulator += now * ratio / SOUNDS_RATE_F;
            modulator -= cn_floorf(modulator);
            now *= 1 + depth * cn_sinf(2 * CN_PIF * modulator);
        }
        float step = cn_fabsf(now) / SOUNDS_RATE_F;
        to->samples[i] = wave_at(wave, phase, step < 0.45f ? step : 0.45f);
        phase += now / SOUNDS_RATE_F;
        phase -= cn_floorf(phase);
    }
}

/* ---- Bodies that resonate when they are struck ---- */

#define MODES 8u

/* Frequencies as multiples of the lowest, amplitudes, and decays as fractions of the longest. */
typedef struct Material {
    float ratio[MODES], gain[MODES], decay[MODES];
} Material;

static const char *const material_names[] = {"stone", "wood", "hollow", "metal",
                                             "glass", "skin", "bar",    NULL};
static const Material materials[] = {
    {{1, 1.47f, 2.09f, 2.56f, 3.39f, 4.08f, 5.2f, 6.6f},
     {1, .8f, .7f, .6f, .5f, .45f, .35f, .3f},
     {1, .7f, .55f, .45f, .35f, .3f, .25f, .2f}},
    {{1, 1.58f, 2.24f, 2.92f, 3.46f, 4.3f, 5.4f, 6.1f},
     {1, .7f, .45f, .35f, .22f, .16f, .1f, .07f},
     {1, .75f, .5f, .4f, .3f, .25f, .2f, .15f}},
    {{1, 1.26f, 2.03f, 2.41f, 3.18f, 3.9f, 4.7f, 5.9f},
     {1, .9f, .5f, .35f, .25f, .15f, .1f, .06f},
     {1, .9f, .5f, .4f, .25f, .2f, .15f, .1f}},
    {{1, 1.34f, 1.86f, 2.62f, 3.7f, 4.55f, 5.83f, 7.12f},
     {1, .9f, .8f, .8f, .6f, .5f, .4f, .3f},
     {1, .95f, .8f, .7f, .6f, .5f, .45f, .4f}},
    {{1, 2.32f, 3.1f, 4.25f, 5.07f, 6.63f, 7.9f, 9.4f},
     {1, .7f, .6f, .5f, .45f, .35f, .3f, .2f},
     {1, .8f, .7f, .6f, .5f, .45f, .4f, .3f}},
    {{1, 1.59f, 2.14f, 2.3f, 2.65f, 2.92f, 3.16f, 3.5f},
     {1, .5f, .35f, .3f, .2f, .15f, .12f, .1f},
     {1, .6f, .5f, .4f, .35f, .3f, .25f, .2f}},
    {{1, 2.76f, 5.4f, 8.93f, 11.3f, 13.3f, 15.1f, 17},
     {1, .4f, .2f, .1f, .06f, .04f, .02f, .01f},
     {1, .5f, .3f, .2f, .15f, .1f, .08f, .05f}},
};

/* Adds a decaying sine as a recursion of two multiplications. */
static void add_mode(Signal *to, float hz, float gain, float decay_seconds)
{
    if (hz > 0.45f * SOUNDS_RATE_F || hz < 10)
        return;
    float r = cn_expf(-6.9078f / (decay_seconds * SOUNDS_RATE_F)); /* 60 dB in that time */
    float sine, cosine;
    cn_sincosf(2 * CN_PIF * hz / SOUNDS_RATE_F, &sine, &cosine);
    float a = 2 * r * cosine, b = -r * r, before = 0, now = gain * sine;
    uint32_t frames = signal_frames(1.5 * (double)decay_seconds);
    frames = frames < to->frames ? frames : to->frames;
    for (uint32_t i = 0; i < frames; i++) {
        to->samples[i] += before;
        float next = a * now + b * before;
        before = now;
        now = next;
    }
}

void modal_render(Reader *reader, const json_t *layer, float pitch, Signal *to)
{
    const Material *body = &materials[reader_choice(
        reader, reader_text(reader, layer, "material", "stone"), material_names)];
    float hz = pitch * reader_number(reader, layer, "hz", 200);
    float decay = reader_number(reader, layer, "decay", 0.2f);
    float bright = reader_number(reader, layer, "bright", 0); /* dB per mode */
    float spread = reader_number(reader, layer, "spread", 0.02f);
    for (uint32_t i = 0; i < MODES; i++) {
        float detune = 1 + spread * random_bipolar(&reader->random);
        float gain =
            body->gain[i] * decibels(bright * (float)i + 3 * random_bipolar(&reader->random));
        add_mode(to, hz * body->ratio[i] * detune, gain, decay * body->decay[i]);
    }
}
