#include "sound.h"
#include "filter.h"
#include "loudness.h"
#include "recipe.h"
#include "reverb.h"

#include <cairn/base/math.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *const sound_bus_names[SOUND_BUS_COUNT + 1] = {"effects", "music", "ambience",
                                                          "interface", NULL};

static const char *const sound_keys[] = {"variants", "seconds",   "pitch",    "loudness", "stereo",
                                         "loop",     "loop_fade", "bus",      "caption",  "volume",
                                         "reverb",   "layers",    "priority", "drive",    NULL};

static Reader reader_of(const Sound *sound, uint32_t variant)
{
    return (Reader){sound->file, sound->name, random_named(sound->name, variant), false};
}

bool sound_read(Sound *sound, const char *file, const char *name, const json_t *data)
{
    *sound = (Sound){.file = file, .data = data, .is_score = json_object_get(data, "form") != NULL};
    snprintf(sound->name, sizeof sound->name, "%s", name);
    Reader reader = reader_of(sound, 0);
    if (strlen(name) >= sizeof sound->name)
        reader_fail(&reader, "too long a name", name);
    if (!sound->is_score)
        reader_check_keys(&reader, data, sound_keys);
    const char *bus = reader_text(&reader, data, "bus", sound->is_score ? "music" : "effects");
    sound->bus = (SoundBus)reader_choice(&reader, bus, sound_bus_names);
    snprintf(sound->caption, sizeof sound->caption, "%s",
             reader_text(&reader, data, "caption", ""));
    sound->loops = reader_flag(&reader, data, "loop");
    sound->stereo = sound->is_score || reader_flag(&reader, data, "stereo");
    sound->volume = reader_number(&reader, data, "volume", 0);
    sound->priority = (uint32_t)reader_number(&reader, data, "priority", 100);
    float variants = reader_number(&reader, data, "variants", 1);
    sound->variants = variants >= 1 && variants <= SOUND_VARIANTS ? (uint32_t)variants : 0;
    if (!sound->variants)
        reader_fail(&reader, "expected 1 to 8", "variants");
    return !reader.failed;
}

static void apply_reverb(Reader *reader, const json_t *data, Signal *signal)
{
    static const char *const keys[] = {"seconds", "damp", "mix", "size", "delay", NULL};
    const json_t *reverb = json_object_get(data, "reverb");
    if (!reverb)
        return;
    reader_check_keys(reader, reverb, keys);
    reverb_apply(signal, &(ReverbDesc){
                             .seconds = reader_number(reader, reverb, "seconds", 1),
                             .damp_hz = reader_number(reader, reverb, "damp", 5000),
                             .mix = reader_number(reader, reverb, "mix", 0.3f),
                             .size = reader_number(reader, reverb, "size", 0.7f),
                             .delay_ms = reader_number(reader, reverb, "delay", 0),
                         });
}

/* Removes silence before the first and after the last sample that matters. */
static void trim(Signal *signal)
{
    float peak = signal_peak(signal), begin = 0.08f * peak, end = 0.0015f * peak;
    uint32_t first = signal->frames, last = 0;
    for (uint32_t i = 0; i < signal->frames; i++) {
        for (uint32_t c = 0; c < signal->channels; c++) {
            float x = cn_fabsf(signal_channel(signal, c)[i]);
            if (x >= begin && first == signal->frames)
                first = i;
            if (x >= end)
                last = i;
        }
    }
    uint32_t lead = first > 72 ? first - 72 : 0; /* 1.5 ms for the fade */
    signal_cut(signal, last + 1);
    signal_skip(signal, lead);
    signal_fade(signal, 72, signal->frames / 8 < 1440 ? signal->frames / 8 : 1440);
}

/* The pitches of the variants divide the range evenly, so that no two are the same. */
static float pitch_of(Reader *reader, const json_t *data, uint32_t variant, uint32_t variants)
{
    const json_t *range = json_object_get(data, "pitch");
    if (!json_is_array(range))
        return reader_number(reader, data, "pitch", 1);
    float low = (float)json_number_value(json_array_get(range, 0));
    float high = (float)json_number_value(json_array_get(range, 1));
    uint32_t part = (variant * 3 + 1) % variants; /* not in rising order */
    if (variants % 3 == 0)
        part = variant;
    return low + (high - low) * ((float)part + random_unit(&reader->random)) / (float)variants;
}

Signal sound_render(Sound *sound, uint32_t variant)
{
    if (sound->is_score) {
        Signal music = music_render(sound->file, sound->name, sound->data, &sound->failed);
        return music;
    }
    const json_t *data = sound->data;
    Reader reader = reader_of(sound, variant);
    float seconds = reader_number(&reader, data, "seconds", 1);
    float fade = sound->loops ? reader_number(&reader, data, "loop_fade", 1) : 0;
    LayerPlace place = {.seconds = (double)(seconds + fade), .gain = 1};
    place.pitch = pitch_of(&reader, data, variant, sound->variants);
    Signal signal = signal_create(signal_frames(place.seconds), sound->stereo ? 2 : 1);
    layers_render(&reader, json_object_get(data, "layers"), &place, &signal);
    apply_reverb(&reader, data, &signal);
    filter_dc(&signal);
    if (sound->loops)
        signal = signal_loop(&signal, signal_frames((double)fade));
    else
        trim(&signal);
    master(&signal, reader_number(&reader, data, "loudness", -19));
    sound->failed |= reader.failed;
    return signal;
}

/* ---- Measures ---- */

int16_t *signal_pcm(const Signal *signal)
{
    int16_t *pcm = malloc(((size_t)signal->frames * signal->channels + 1) * sizeof *pcm);
    for (uint32_t i = 0; pcm && i < signal->frames; i++) {
        for (uint32_t c = 0; c < signal->channels; c++) {
            float x = cn_roundf(32767 * signal_channel(signal, c)[i]);
            x = x > 32767 ? 32767 : x < -32768 ? -32768 : x;
            pcm[i * signal->channels + c] = (int16_t)x;
        }
    }
    return pcm;
}

static uint64_t hash_of(const Signal *signal)
{
    int16_t *pcm = signal_pcm(signal);
    uint64_t hash = 0xcbf29ce484222325u;
    for (size_t i = 0; pcm && i < (size_t)signal->frames * signal->channels; i++) {
        hash = (hash ^ (uint8_t)((uint16_t)pcm[i] & 255)) * 0x100000001b3u;
        hash = (hash ^ (uint8_t)((uint16_t)pcm[i] >> 8)) * 0x100000001b3u;
    }
    free(pcm);
    return hash;
}

/* The second difference across the end, relative to the largest of the 50 ms around it: a click is
 * several times larger than its surroundings. */
static float loop_jump(const Signal *signal)
{
    float worst = 0;
    uint32_t n = signal->frames, around = SOUNDS_RATE / 20;
    for (uint32_t c = 0; c < signal->channels && n > 2 * around; c++) {
        const float *x = signal_channel(signal, c);
        float usual = 1e-6f, seam = 0;
        for (uint32_t i = n - around; i < n + around; i++) {
            float bend = cn_fabsf(x[i % n] - 2 * x[(i + 1) % n] + x[(i + 2) % n]);
            if (i + 2 >= n && i < n)
                seam = bend > seam ? bend : seam;
            else
                usual = bend > usual ? bend : usual;
        }
        worst = seam / usual > worst ? seam / usual : worst;
    }
    return worst;
}

void sound_measure(Sound *sound, uint32_t variant, const Signal *signal)
{
    SoundTake *take = &sound->takes[variant];
    take->frames = signal->frames;
    take->hash = hash_of(signal);
    take->lufs = loudness_of(signal);
    take->peak_db = to_decibels(true_peak(signal));
    take->dc = dc_of(signal);
    take->onset_seconds = onset_seconds(signal);
    take->loop_jump = sound->loops ? loop_jump(signal) : 0;
}
