/* Layers: a generator with its envelope, filters and place in the sound. */
#include "filter.h"
#include "recipe.h"

#include <cairn/base/math.h>

#include <string.h>

#define FILTERS 6u
#define FILTER_STEP 16u /* frames between changes of a filter whose frequency moves */

static const char *const layer_keys[] = {
    "type",    "at",       "seconds",   "gain",       "pan",       "pitch",       "attack",
    "hold",    "decay",    "release",   "envelope",   "filters",   "drive",       "tremolo_hz",
    "tremolo", "wobble",   "wobble_hz", "sweep",      "sweep_hz",  "color",       "wave",
    "hz",      "fm_index", "fm_ratio",  "vibrato_hz", "vibrato",   "material",    "bright",
    "spread",  "open",     "breath",    "jitter",     "rough",     "size",        "formants",
    "layers",  "rate",     "count",     "grain_gain", "grain_pan", "grain_pitch", "tail",
    "rhythm",  NULL};
static const char *const filter_names[] = {"lowpass",  "highpass",  "bandpass", "peak",
                                           "lowshelf", "highshelf", NULL};

/* ---- Slow random changes ---- */

typedef struct Wobble {
    float from, to, time, step;
} Wobble;

/* Returns -1 to 1: a smooth curve through random points. */
static float wobble_next(Wobble *wobble, Random *random)
{
    wobble->time += wobble->step;
    if (wobble->time >= 1) {
        wobble->time -= 1;
        wobble->from = wobble->to;
        wobble->to = random_bipolar(random);
    }
    float t = wobble->time * wobble->time * (3 - 2 * wobble->time);
    return wobble->from + t * (wobble->to - wobble->from);
}

static Wobble wobble_begin(Reader *reader, const json_t *layer, const char *key, float hz)
{
    float from = random_bipolar(&reader->random), to = random_bipolar(&reader->random);
    return (Wobble){from, to, 0, reader_number(reader, layer, key, hz) / SOUNDS_RATE_F};
}

/* ---- Envelope ---- */

/* Attack, hold and decay of 60 dB, in seconds; or a curve; or level until the release. */
static void apply_envelope(Reader *reader, const json_t *layer, Signal *to)
{
    float attack = reader_number(reader, layer, "attack", 0.001f) * SOUNDS_RATE_F;
    float hold = attack + reader_number(reader, layer, "hold", 0) * SOUNDS_RATE_F;
    float decay = reader_number(reader, layer, "decay", 0) * SOUNDS_RATE_F;
    float release = reader_number(reader, layer, "release", 0.01f) * SOUNDS_RATE_F;
    bool has_curve = json_object_get(layer, "envelope") != NULL;
    bool is_struck = strcmp(json_string_value(json_object_get(layer, "type")), "modal") == 0;
    Curve curve = reader_curve(reader, layer, "envelope", 1);
    float fall = decay > 0 && !is_struck ? cn_expf(-6.9078f / decay) : 1, level = 1;
    for (uint32_t i = 0; i < to->frames; i++) {
        float frame = (float)i, left = (float)(to->frames - i), gain = 1;
        if (has_curve)
            gain = curve_at(&curve, frame / (float)to->frames);
        else if (frame > hold)
            gain = level *= fall;
        if (frame < attack)
            gain *= frame / attack;
        if (left < release)
            gain *= left / release;
        for (uint32_t c = 0; c < to->channels; c++)
            signal_channel(to, c)[i] *= gain;
    }
}

static void apply_modulation(Reader *reader, const json_t *layer, Signal *to)
{
    float tremolo = reader_number(reader, layer, "tremolo", 0);
    Curve tremolo_hz = reader_curve(reader, layer, "tremolo_hz", 6);
    float depth = reader_number(reader, layer, "wobble", 0), phase = 0; /* dB */
    Wobble wobble = wobble_begin(reader, layer, "wobble_hz", 0.3f);
    if (tremolo <= 0 && depth <= 0)
        return;
    for (uint32_t i = 0; i < to->frames; i++) {
        float gain = 1;
        if (tremolo > 0) {
            phase += curve_at(&tremolo_hz, (float)i / (float)to->frames) / SOUNDS_RATE_F;
            phase -= cn_floorf(phase);
            gain = 1 - tremolo * (0.5f - 0.5f * cn_cosf(2 * CN_PIF * phase));
        }
        if (depth > 0)
            gain *= decibels(depth * wobble_next(&wobble, &reader->random));
        for (uint32_t c = 0; c < to->channels; c++)
            signal_channel(to, c)[i] *= gain;
    }
}

/* ---- Filters ---- */

typedef struct MovingFilter {
    FilterKind kind;
    Curve hz;
    float q, db;
    Biquad state[2];
} MovingFilter;

static uint32_t read_filters(Reader *reader, const json_t *layer, float pitch,
                             MovingFilter filters[FILTERS])
{
    size_t index;
    json_t *item;
    json_array_foreach(json_object_get(layer, "filters"), index, item)
    {
        const char *name = json_string_value(json_array_get(item, 0));
        if (!name || index == FILTERS) {
            reader_fail(reader, "expected up to 6 lists [name, hz, q, dB] in", "filters");
            return 0;
        }
        MovingFilter *filter = &filters[index];
        *filter = (MovingFilter){.kind = (FilterKind)reader_choice(reader, name, filter_names)};
        filter->hz = reader_curve_of(reader, json_array_get(item, 1), "filters", 1000);
        curve_scale(&filter->hz, pitch);
        filter->q = reader_number_of(reader, json_array_get(item, 2), "filters", 0.7071f);
        filter->db = reader_number_of(reader, json_array_get(item, 3), "filters", 0);
    }
    return (uint32_t)json_array_size(json_object_get(layer, "filters"));
}

static void apply_filters(Reader *reader, const json_t *layer, float pitch, Signal *to)
{
    MovingFilter filters[FILTERS];
    uint32_t count = read_filters(reader, layer, pitch, filters);
    float sweep = reader_number(reader, layer, "sweep", 0); /* octaves */
    Wobble wobble = wobble_begin(reader, layer, "sweep_hz", 0.3f);
    wobble.step *= FILTER_STEP;
    for (uint32_t i = 0; count && i < to->frames; i++) {
        if (i % FILTER_STEP == 0) {
            float factor = sweep > 0 ? cn_exp2f(sweep * wobble_next(&wobble, &reader->random)) : 1;
            for (uint32_t f = 0; f < count; f++) {
                MovingFilter *filter = &filters[f];
                if (i && sweep <= 0 && filter->hz.count == 1)
                    continue;
                float hz = factor * curve_at(&filter->hz, (float)i / (float)to->frames);
                for (uint32_t c = 0; c < to->channels; c++)
                    biquad_set(&filter->state[c], filter->kind, hz, filter->q, filter->db);
            }
        }
        for (uint32_t c = 0; c < to->channels; c++) {
            float *sample = signal_channel(to, c) + i;
            for (uint32_t f = 0; f < count; f++)
                *sample = biquad_next(&filters[f].state[c], *sample);
        }
    }
}

/* Soft saturation; `drive` in dB. */
static void apply_drive(Reader *reader, const json_t *layer, Signal *to)
{
    float drive = reader_number(reader, layer, "drive", 0);
    if (drive <= 0)
        return;
    float factor = decibels(drive);
    size_t count = (size_t)to->frames * to->channels;
    for (size_t i = 0; i < count; i++) {
        float x = factor * to->samples[i];
        to->samples[i] = x / (1 + cn_fabsf(x));
    }
}

/* ---- Layers ---- */

static void mix_stereo(Signal *to, const Signal *part, int64_t frame, float gain)
{
    for (uint32_t c = 0; c < to->channels; c++) {
        Signal mono = {signal_channel(part, c), part->frames, 1};
        Signal channel = {signal_channel(to, c), to->frames, 1};
        signal_mix(&channel, &mono, frame, gain, 0);
    }
}

static void layer_render(Reader *reader, const json_t *layer, const LayerPlace *place, Signal *to)
{
    static const char *const types[] = {"noise", "tone", "modal", "voice", "grains", NULL};
    reader_check_keys(reader, layer, layer_keys);
    const char *type = json_string_value(json_object_get(layer, "type"));
    if (!type) {
        reader_fail(reader, "a layer lacks its", "type");
        return;
    }
    LayerPlace here = *place;
    here.at_seconds += (double)reader_number(reader, layer, "at", 0);
    here.seconds = (double)reader_number(reader, layer, "seconds", (float)place->seconds);
    here.gain *= decibels(reader_number(reader, layer, "gain", 0));
    here.pan += reader_number(reader, layer, "pan", 0);
    here.pitch *= reader_number(reader, layer, "pitch", 1);
    uint32_t number = reader_choice(reader, type, types);
    bool is_grains = number == 4;
    double tail = is_grains ? (double)reader_number(reader, layer, "tail", 0.3f) : 0;
    Signal part = signal_create(signal_frames(here.seconds + tail), is_grains ? to->channels : 1);
    switch (number) {
    case 0:
        noise_render(reader, layer, &part);
        break;
    case 1:
        tone_render(reader, layer, here.pitch, &part);
        break;
    case 2:
        modal_render(reader, layer, here.pitch, &part);
        break;
    case 3:
        voice_render(reader, layer, here.pitch, &part);
        break;
    default:
        grains_render(reader, layer, &here, &part);
    }
    apply_drive(reader, layer, &part);
    apply_filters(reader, layer, is_grains ? 1 : here.pitch, &part);
    apply_envelope(reader, layer, &part);
    apply_modulation(reader, layer, &part);
    int64_t frame = (int64_t)(here.at_seconds * SOUNDS_RATE + 0.5);
    if (is_grains)
        mix_stereo(to, &part, frame, here.gain);
    else
        signal_mix(to, &part, frame, here.gain, here.pan);
    signal_destroy(&part);
}

void layers_render(Reader *reader, const json_t *layers, const LayerPlace *place, Signal *to)
{
    size_t index;
    json_t *layer;
    if (!json_array_size(layers))
        reader_fail(reader, "expected a list of", "layers");
    json_array_foreach(layers, index, layer) layer_render(reader, layer, place, to);
}

/* ---- Grains ---- */

void grains_render(Reader *reader, const json_t *layer, const LayerPlace *place, Signal *to)
{
    const json_t *layers = json_object_get(layer, "layers");
    Curve rate = reader_curve(reader, layer, "rate", 0);
    float count = reader_number(reader, layer, "count", 0);
    float rhythm = reader_number(reader, layer, "rhythm", 0); /* 0: random, 1: even */
    if (count > 0)
        rate = curve_constant(count / (float)place->seconds);
    double time = count > 0 ? 0 : random_unit(&reader->random) / (1.0 + curve_at(&rate, 0));
    for (uint32_t made = 0; time < place->seconds && !reader->failed; made++) {
        if (count > 0 && (float)made >= cn_floorf(count + 0.5f))
            return;
        LayerPlace grain = {
            .at_seconds = time,
            .seconds = 0.1,
            .gain = decibels(reader_number(reader, layer, "grain_gain", 0)),
            .pan = place->pan + reader_number(reader, layer, "grain_pan", 0),
            .pitch = place->pitch * reader_number(reader, layer, "grain_pitch", 1),
        };
        layers_render(reader, layers, &grain, to);
        float now = curve_at(&rate, (float)(time / place->seconds));
        float wait = -cn_logf(1 - random_unit(&reader->random)); /* mean 1 */
        wait = wait < 4 ? wait : 4;
        time += (double)((rhythm + (1 - rhythm) * wait) / (now > 0.01f ? now : 0.01f));
    }
}
