/* Voices: the pulses of vocal folds and breath, shaped by the resonances of a throat and a mouth or
 * a beak (formants). */
#include "filter.h"
#include "recipe.h"

#include <cairn/base/math.h>

#define FORMANTS 6u
#define STEP 32u /* frames between changes of the formants */

typedef struct Voice {
    Curve hz, formant[FORMANTS];
    float width[FORMANTS], gain[FORMANTS];
    uint32_t formants;
    float open;   /* part of a period in which the folds are open: small is sharp */
    float breath; /* noise, as a factor */
    float jitter; /* random change of the period */
    float rough;  /* every second period is weaker by this */
    Biquad filter[FORMANTS];
} Voice;

static void read_voice(Reader *reader, const json_t *layer, float pitch, Voice *voice)
{
    static const char *const keys[] = {"hz", "width", "gain", NULL};
    *voice = (Voice){.hz = reader_curve(reader, layer, "hz", 200)};
    curve_scale(&voice->hz, pitch);
    voice->open = reader_number(reader, layer, "open", 0.6f);
    voice->breath = reader_number(reader, layer, "breath", 0.05f);
    voice->jitter = reader_number(reader, layer, "jitter", 0.01f);
    voice->rough = reader_number(reader, layer, "rough", 0);
    float size = reader_number(reader, layer, "size", 1); /* of the throat: lowers all formants */
    size_t index;
    json_t *formant;
    json_array_foreach(json_object_get(layer, "formants"), index, formant)
    {
        if (index == FORMANTS) {
            reader_fail(reader, "too many", "formants");
            break;
        }
        reader_check_keys(reader, formant, keys);
        voice->formant[index] = reader_curve(reader, formant, "hz", 500);
        curve_scale(&voice->formant[index], cn_sqrtf(pitch) / size);
        voice->width[index] = reader_number(reader, formant, "width", 100);
        voice->gain[index] = decibels(reader_number(reader, formant, "gain", 0));
        voice->formants++;
    }
    if (!voice->formants)
        reader_fail(reader, "missing", "formants");
}

/* The change of the air flow between the folds: it grows and collapses while they are open. */
static float pulse_at(float phase, float open)
{
    if (phase >= open)
        return 0;
    float t = phase / open;
    return t < 0.7f ? cn_sinf(CN_PIF / 0.7f * t) * 0.5f
                    : -cn_sinf(CN_PIF / 0.3f * (t - 0.7f)) * 1.2f;
}

void voice_render(Reader *reader, const json_t *layer, float pitch, Signal *to)
{
    Voice voice;
    read_voice(reader, layer, pitch, &voice);
    float phase = 0, stretch = 1, strength = 1;
    bool odd = false;
    for (uint32_t i = 0; i < to->frames; i++) {
        float time = (float)i / (float)to->frames;
        if (i % STEP == 0)
            for (uint32_t f = 0; f < voice.formants; f++)
                resonator_set(&voice.filter[f], curve_at(&voice.formant[f], time), voice.width[f]);
        float hz = curve_at(&voice.hz, time);
        phase += hz * stretch / SOUNDS_RATE_F;
        if (phase >= 1) {
            phase -= 1;
            odd = !odd;
            stretch = 1 + voice.jitter * random_bipolar(&reader->random);
            strength = (odd ? 1 - voice.rough : 1) *
                       (1 + 2 * voice.jitter * random_bipolar(&reader->random));
        }
        float pulse = strength * pulse_at(phase, voice.open);
        float air = voice.breath * random_bipolar(&reader->random) *
                    (0.4f + (phase < voice.open ? 0.6f : 0));
        float sum = 0;
        for (uint32_t f = 0; f < voice.formants; f++)
            sum += voice.gain[f] * biquad_next(&voice.filter[f], pulse + air);
        to->samples[i] = sum;
    }
}
