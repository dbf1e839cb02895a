/* Instruments: banks of decaying or steady partials, and breath. */
#include "filter.h"
#include "music.h"

#include <cairn/base/math.h>

#include <string.h>

#define LANES 4u
#define PARTIALS 24u

/* Four partials at once. The compiler's vectors have the same bits on every CPU. */
typedef double Lanes __attribute__((vector_size(LANES * sizeof(double))));

typedef struct Bank {
    uint32_t count;
    double hz[PARTIALS], gain[PARTIALS], decay[PARTIALS]; /* decay: seconds for 60 dB; 0: steady */
} Bank;

static void bank_add(Bank *bank, float hz, float gain, float decay)
{
    if (bank->count == PARTIALS || hz > 15000 || gain < 1e-4f)
        return;
    bank->hz[bank->count] = (double)hz;
    bank->gain[bank->count] = (double)gain;
    bank->decay[bank->count++] = (double)decay;
}

static void bank_render(const Bank *bank, Random *random, Signal *to)
{
    for (uint32_t first = 0; first < bank->count; first += LANES) {
        Lanes a = {0}, b = {0}, before = {0}, now = {0};
        double longest = 0;
        for (uint32_t i = 0; i < LANES && first + i < bank->count; i++) {
            double w = 2 * CN_PI * bank->hz[first + i] / SOUNDS_RATE, sine, cosine;
            double decay = bank->decay[first + i];
            double r = decay > 0 ? cn_exp(-6.9078 / (decay * SOUNDS_RATE)) : 1;
            double phase = decay > 0 ? 0 : 2 * CN_PI * (double)random_unit(random);
            cn_sincos(w, &sine, &cosine);
            longest = decay <= 0 ? 1000 : decay > longest ? decay : longest;
            a[i] = 2 * r * cosine;
            b[i] = -r * r;
            before[i] = bank->gain[first + i] * cn_sin(phase);
            now[i] = bank->gain[first + i] * r * cn_sin(phase + w);
        }
        uint32_t frames = signal_frames(1.3 * longest); /* 78 dB */
        frames = frames < to->frames ? frames : to->frames;
        for (uint32_t i = 0; i < frames; i++) {
            to->samples[i] += (float)((before[0] + before[1]) + (before[2] + before[3]));
            Lanes next = a * now + b * before;
            before = now;
            now = next;
        }
    }
}

static float pitch_hz(int pitch)
{
    return 440 * cn_exp2f((float)(pitch - 69) / 12);
}

static void shape(Signal *signal, float attack, float held, float release)
{
    for (uint32_t i = 0; i < signal->frames; i++) {
        float time = (float)i / SOUNDS_RATE_F, gain = 1;
        if (time < attack) {
            float s = cn_sinf(CN_PIF / 2 * time / attack);
            gain = s * s;
        }
        if (time > held) {
            float left = 1 - (time - held) / release;
            gain *= left > 0 ? left * left : 0;
        }
        signal->samples[i] *= gain;
    }
}

/* ---- Struck and plucked ---- */

static void fill_piano(Bank *bank, float hz, float velocity, const Instrument *instrument)
{
    float decay = 9 * cn_powf(220 / hz, 0.45f) * instrument->ring;
    float tilt = 1.5f - 0.5f * instrument->bright - 0.4f * velocity;
    for (int k = 1; k <= 12; k++) {
        float n = (float)k, stiff = cn_sqrtf(1 + 0.0004f * n * n);
        float strike = cn_fabsf(cn_sinf(CN_PIF * n * 0.137f)); /* where the hammer hits */
        float gain = (0.25f + strike) * cn_powf(n, -tilt) * cn_expf(-hz * n / 5200);
        float fade = decay / (1 + 0.28f * (n - 1));
        bank_add(bank, hz * n * stiff, gain * 0.6f, fade);
        if (k <= 5)
            bank_add(bank, hz * n * stiff * (1.0006f + 0.0002f * n), gain * 0.45f, fade * 1.3f);
    }
}

static void fill_harp(Bank *bank, float hz, float velocity, const Instrument *instrument)
{
    float decay = 4.5f * cn_powf(220 / hz, 0.4f) * instrument->ring;
    for (int k = 1; k <= 10; k++) {
        float n = (float)k, pluck = cn_fabsf(cn_sinf(CN_PIF * n * 0.31f));
        bank_add(bank, hz * n * (1 + 0.00005f * n * n),
                 pluck * cn_powf(n, -1.6f + 0.4f * velocity + 0.3f * instrument->bright),
                 decay / (1 + 0.45f * (n - 1)));
    }
}

static void fill_bars(Bank *bank, float hz, const Instrument *instrument, bool is_bell)
{
    static const float kalimba[4][3] = {
        {1, 1, 1}, {2.01f, .18f, .5f}, {5.9f, .22f, .15f}, {9.3f, .07f, .08f}};
    static const float bell[8][3] = {{.5f, .12f, 1.1f}, {1, .9f, 1},        {1.003f, .5f, .9f},
                                     {2, .35f, .7f},    {2.76f, .22f, .5f}, {4.07f, .16f, .35f},
                                     {5.4f, .1f, .25f}, {8.1f, .05f, .15f}};
    float decay = (is_bell ? 5.0f : 2.6f) * cn_powf(440 / hz, 0.4f) * instrument->ring;
    for (uint32_t i = 0; i < (is_bell ? 8u : 4u); i++) {
        const float *mode = is_bell ? bell[i] : kalimba[i];
        float high = mode[0] > 2 ? 0.4f + instrument->bright : 1;
        bank_add(bank, hz * mode[0], mode[1] * high, decay * mode[2]);
    }
}

/* The soft knock of a felt hammer or a finger. */
static void add_knock(Signal *signal, float hz, float gain, Random *random)
{
    Biquad low = {0};
    biquad_set(&low, FILTER_LOWPASS, hz, 0.7f, 0);
    uint32_t frames = signal_frames(0.05);
    for (uint32_t i = 0; i < frames && i < signal->frames; i++) {
        float fall = 1 - (float)i / (float)frames;
        signal->samples[i] += gain * fall * fall * biquad_next(&low, random_bipolar(random));
    }
}

static Signal render_struck(const Instrument *instrument, const Note *note, Random *random)
{
    float hz = pitch_hz(note->pitch), velocity = note->velocity;
    Bank bank = {0};
    bool is_piano = instrument->kind == INSTRUMENT_PIANO;
    if (is_piano)
        fill_piano(&bank, hz, velocity, instrument);
    else if (instrument->kind == INSTRUMENT_HARP)
        fill_harp(&bank, hz, velocity, instrument);
    else
        fill_bars(&bank, hz, instrument, instrument->kind == INSTRUMENT_BELL);
    float held = note->seconds, release = is_piano ? 0.5f : 1.5f;
    Signal signal = signal_create(signal_frames((double)(held + release)), 1);
    bank_render(&bank, random, &signal);
    signal_scale(&signal, 0.35f);
    if (instrument->kind != INSTRUMENT_BELL)
        add_knock(&signal, is_piano ? 500 : 1500, is_piano ? 0.25f : 0.06f, random);
    shape(&signal, is_piano ? 0.004f + 0.006f * (1 - velocity) : 0.002f, held, release);
    return signal;
}

/* ---- Steady ---- */

static Signal render_pad(const Instrument *instrument, const Note *note, Random *random)
{
    float hz = pitch_hz(note->pitch), tilt = 1.9f - 0.7f * instrument->bright;
    bool is_choir = instrument->kind == INSTRUMENT_CHOIR;
    Bank bank = {0};
    for (int k = 1; k <= (is_choir ? 8 : 6); k++) {
        float n = (float)k, gain = cn_powf(n, -tilt);
        if (is_choir) { /* the vowel "oo", with a little "ah" */
            float f = hz * n, a = (f - 420) / 260, b = (f - 950) / 300;
            gain = cn_powf(n, -0.7f) * (cn_expf(-a * a) + 0.35f * cn_expf(-b * b) + 0.05f);
        }
        for (int voice = -1; voice <= 1; voice++)
            bank_add(&bank,
                     hz * n * (1 + (float)voice * 0.0022f + 0.0006f * random_bipolar(random)),
                     gain * (voice ? 0.5f : 0.7f), 0);
    }
    float attack = note->seconds * 0.35f;
    attack = attack < 0.4f ? 0.4f : attack > 2.2f ? 2.2f : attack;
    Signal signal = signal_create(signal_frames((double)note->seconds + 2.5), 1);
    bank_render(&bank, random, &signal);
    signal_scale(&signal, 0.22f);
    shape(&signal, attack, note->seconds, 2.5f);
    return signal;
}

static Signal render_bass(const Instrument *instrument, const Note *note, Random *random)
{
    float hz = pitch_hz(note->pitch);
    Bank bank = {0};
    for (int k = 1; k <= 5; k++)
        bank_add(&bank, hz * (float)k, cn_powf((float)k, -2.2f + instrument->bright),
                 6 * instrument->ring / (1 + 0.5f * (float)(k - 1)));
    Signal signal = signal_create(signal_frames((double)note->seconds + 0.6), 1);
    bank_render(&bank, random, &signal);
    signal_scale(&signal, 0.5f);
    shape(&signal, 0.02f, note->seconds, 0.6f);
    return signal;
}

/* Three harmonics with a vibrato that begins late, and breath around the tone. */
static Signal render_flute(const Instrument *instrument, const Note *note, Random *random)
{
    float hz = pitch_hz(note->pitch), phase = 0, vibrato = 0;
    Signal signal = signal_create(signal_frames((double)note->seconds + 0.35), 1);
    Biquad breath = {0};
    biquad_set(&breath, FILTER_BANDPASS, hz * 2, 1.2f, 0);
    for (uint32_t i = 0; i < signal.frames; i++) {
        float time = (float)i / SOUNDS_RATE_F, late = time < 0.4f   ? 0
                                                      : time > 1.2f ? 1
                                                                    : (time - 0.4f) / 0.8f;
        vibrato += 4.8f / SOUNDS_RATE_F;
        vibrato -= cn_floorf(vibrato);
        float swing = late * cn_sinf(2 * CN_PIF * vibrato);
        float scoop = time < 0.08f ? -0.012f * (1 - time / 0.08f) : 0;
        phase += hz * (1 + 0.004f * swing + scoop) / SOUNDS_RATE_F;
        phase -= cn_floorf(phase);
        float angle = 2 * CN_PIF * phase;
        float tone = cn_sinf(angle) + (0.16f + 0.2f * instrument->bright) * cn_sinf(2 * angle) +
                     (0.05f + 0.12f * instrument->bright) * cn_sinf(3 * angle);
        float air = biquad_next(&breath, random_bipolar(random));
        float start = time < 0.12f ? 1 - time / 0.12f : 0;
        signal.samples[i] = 0.32f * (tone * (1 + 0.12f * swing) + air * (0.10f + 0.35f * start));
    }
    shape(&signal, 0.09f, note->seconds, 0.35f);
    return signal;
}

Signal instrument_render(const Instrument *instrument, const Note *note, Random *random)
{
    Signal signal;
    switch (instrument->kind) {
    case INSTRUMENT_PAD:
    case INSTRUMENT_CHOIR:
        signal = render_pad(instrument, note, random);
        break;
    case INSTRUMENT_FLUTE:
        signal = render_flute(instrument, note, random);
        break;
    case INSTRUMENT_BASS:
        signal = render_bass(instrument, note, random);
        break;
    default:
        signal = render_struck(instrument, note, random);
    }
    signal_scale(&signal, 0.15f + 0.85f * note->velocity * note->velocity);
    return signal;
}
