/* Plays scores: sections of chords, and what each instrument does with them. */
#include "music.h"
#include "filter.h"
#include "loudness.h"
#include "reverb.h"
#include "sound.h"

#include <cairn/base/math.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_CHORDS 64u

/* One section while it is played. */
typedef struct Section {
    Reader *reader;
    double begin_seconds, seconds_per_beat;
    float rubato, swell;
    uint32_t chords;
    Chord chord[MAX_CHORDS];
    float beats; /* of a chord */
    int scale[7];
    Signal *to;
} Section;

/* The time of a beat: the tempo sways over four chords, and the last chord slows down. */
static double beat_seconds(const Section *section, float beat)
{
    float all = section->beats * (float)section->chords, phrase = 4 * section->beats;
    float phase = beat / phrase, sway = cn_sinf(2 * CN_PIF * phase) * phrase / (2 * CN_PIF);
    float late = beat - (all - section->beats), slow = late > 0 ? late * late / section->beats : 0;
    return section->begin_seconds +
           section->seconds_per_beat *
               (double)(beat + section->rubato * sway + 1.2f * section->rubato * slow);
}

static void play(Section *section, const Instrument *instrument, float beat, float beats, int pitch,
                 float velocity)
{
    Random *random = &section->reader->random;
    if (pitch < 21 || pitch > 108)
        return;
    double at = beat_seconds(section, beat) + 0.012 * (double)(random_bipolar(random) + 1);
    double end = beat_seconds(section, beat + beats);
    velocity *= 0.9f + 0.1f * random_bipolar(random);
    Note note = {pitch, velocity > 1 ? 1 : velocity, (float)(end - at)};
    Signal signal = instrument_render(instrument, &note, random);
    float pan = instrument->pan + 0.012f * (float)(pitch - 60);
    signal_mix(section->to, &signal, (int64_t)(at * SOUNDS_RATE), instrument->gain, pan);
    signal_destroy(&signal);
}

/* Returns tone `index` of a chord above `low`, continuing into higher octaves. */
static int chord_pitch(const Chord *chord, int low, int index)
{
    int sorted[CHORD_TONES], count = (int)chord->count;
    for (int i = 0; i < count; i++) {
        int pitch = (chord->root + chord->tones[i]) % 12, at = i;
        pitch = low + (pitch - low % 12 + 12) % 12;
        for (; at > 0 && sorted[at - 1] > pitch; at--)
            sorted[at] = sorted[at - 1];
        sorted[at] = pitch;
    }
    int octave = index / count;
    return sorted[index % count] + 12 * octave;
}

static int nearest_chord_pitch(const Chord *chord, int pitch)
{
    int best = chord_pitch(chord, pitch - 12, 0);
    for (int i = 0; i < 3 * (int)chord->count; i++) {
        int tone = chord_pitch(chord, pitch - 12, i);
        if (abs(tone - pitch) < abs(best - pitch))
            best = tone;
    }
    return best;
}

/* ---- What instruments do ---- */

/* Holds all tones of each chord, or lets them follow each other within "roll" beats. */
static void play_chords(Section *section, const Instrument *instrument, const json_t *part)
{
    int low = (int)reader_number(section->reader, part, "low", 52);
    float roll = reader_number(section->reader, part, "roll", 0);
    float velocity = reader_number(section->reader, part, "velocity", 0.5f);
    float chance = reader_number(section->reader, part, "chance", 1);
    for (uint32_t c = 0; c < section->chords; c++) {
        if (random_unit(&section->reader->random) >= chance)
            continue;
        float beat = (float)c * section->beats;
        for (uint32_t i = 0; i < section->chord[c].count; i++)
            play(section, instrument, beat + roll * (float)i, section->beats - roll * (float)i,
                 chord_pitch(&section->chord[c], low, (int)i), velocity * section->swell);
    }
}

static void play_bass(Section *section, const Instrument *instrument, const json_t *part)
{
    int low = (int)reader_number(section->reader, part, "low", 33);
    float velocity = reader_number(section->reader, part, "velocity", 0.5f);
    for (uint32_t c = 0; c < section->chords; c++) {
        int pitch = low + (section->chord[c].bass - low % 12 + 12) % 12;
        play(section, instrument, (float)c * section->beats, section->beats * 0.95f, pitch,
             velocity * section->swell);
    }
}

/* Walks over the tones of each chord by the numbers of "pattern"; -1 is a rest. */
static void play_arpeggio(Section *section, const Instrument *instrument, const json_t *part)
{
    const json_t *pattern = json_object_get(part, "pattern");
    int low = (int)reader_number(section->reader, part, "low", 52);
    float step = reader_number(section->reader, part, "step", 0.5f);
    float ring = reader_number(section->reader, part, "hold", 2);
    float velocity = reader_number(section->reader, part, "velocity", 0.45f);
    float chance = reader_number(section->reader, part, "chance", 1);
    size_t count = json_array_size(pattern);
    if (!count || step <= 0.05f) {
        reader_fail(section->reader, "an arpeggio lacks its", "pattern");
        return;
    }
    uint32_t steps = (uint32_t)(section->beats / step);
    for (uint32_t c = 0; c < section->chords; c++) {
        for (uint32_t i = 0; i < steps; i++) {
            int index = (int)json_integer_value(json_array_get(pattern, i % count));
            if (index < 0 || (i && random_unit(&section->reader->random) >= chance))
                continue;
            float accent = i == 0 ? 1.0f : 0.75f + 0.1f * (float)(i % 2);
            play(section, instrument, (float)c * section->beats + (float)i * step, ring,
                 chord_pitch(&section->chord[c], low, index), velocity * accent * section->swell);
        }
    }
}

/* Tones of the chord at random times: light on water, drops in a cave. */
static void play_sparkle(Section *section, const Instrument *instrument, const json_t *part)
{
    Random *random = &section->reader->random;
    int low = (int)reader_number(section->reader, part, "low", 72);
    int tones = (int)reader_number(section->reader, part, "tones", 7);
    float rate = reader_number(section->reader, part, "rate", 0.4f); /* per beat */
    float ring = reader_number(section->reader, part, "hold", 4);
    float velocity = reader_number(section->reader, part, "velocity", 0.35f);
    float all = section->beats * (float)section->chords, beat = 0;
    while (rate > 0) {
        beat += (0.4f - 0.8f * cn_logf(1 - random_unit(random))) / rate;
        float grid = cn_floorf(beat * 4) / 4;
        if (grid >= all)
            return;
        const Chord *chord = &section->chord[(uint32_t)(grid / section->beats)];
        int index = (int)(random_unit(random) * (float)tones);
        play(section, instrument, grid, ring, chord_pitch(chord, low, index),
             velocity * random_between(random, 0.6f, 1) * section->swell);
    }
}

/* Plays "step:beats" of the scale, relative to the first tone, which belongs to the chord. */
static float play_motif(Section *section, const Instrument *instrument, const char *motif,
                        float beat, int *pitch, const int range[2], float velocity)
{
    Random *random = &section->reader->random;
    const Chord *chord = &section->chord[(uint32_t)(beat / section->beats) % section->chords];
    int first = scale_step(section->scale, nearest_chord_pitch(chord, *pitch));
    while (scale_pitch(section->scale, first) > range[1])
        first -= 7;
    while (scale_pitch(section->scale, first) < range[0])
        first += 7;
    float all = section->beats * (float)section->chords;
    while (*motif) {
        char *end;
        bool is_rest = *motif == '-' && (motif[1] == ':');
        int step = is_rest ? 0 : (int)strtol(motif, &end, 10);
        end = is_rest ? (char *)motif + 1 : end;
        if (*end != ':') {
            reader_fail(section->reader, "expected step:beats in the motif", motif);
            return all;
        }
        float beats = strtof(end + 1, &end);
        if (beat + 0.01f >= all || beats <= 0)
            return all;
        if (!is_rest) {
            *pitch = scale_pitch(section->scale, first + step);
            float left = all - beat;
            play(section, instrument, beat, beats < left ? beats * 1.02f : left, *pitch,
                 velocity * random_between(random, 0.85f, 1) * section->swell);
        }
        beat += beats;
        motif = end + strspn(end, " ");
    }
    return beat;
}

/* A melody: motifs in an order that is drawn, each starting on a tone of its chord near the last
 * tone; a motif that was just played is often repeated, as an answer. */
static void play_melody(Section *section, const Instrument *instrument, const json_t *part)
{
    Random *random = &section->reader->random;
    const json_t *motifs = json_object_get(part, "motifs");
    int range[2] = {(int)reader_number(section->reader, part, "low", 67),
                    (int)reader_number(section->reader, part, "high", 84)};
    float rest =
        reader_number(section->reader, part, "rest", 0.25f); /* chance of a chord's pause */
    float velocity = reader_number(section->reader, part, "velocity", 0.55f);
    float beat = reader_number(section->reader, part, "wait", 0);
    float all = section->beats * (float)section->chords;
    size_t count = json_array_size(motifs), last = 0;
    int pitch = (range[0] + range[1]) / 2;
    if (!count) {
        reader_fail(section->reader, "a melody lacks its", "motifs");
        return;
    }
    for (uint32_t played = 0; beat < all - 0.5f && played < 200; played++) {
        if (played && random_unit(random) < rest) {
            beat = (cn_floorf(beat / section->beats) + 1) * section->beats;
            continue;
        }
        if (!played || random_unit(random) > 0.4f)
            last = random_bits(random) % count;
        pitch += (int)(random_bipolar(random) * 4);
        const char *motif = json_string_value(json_array_get(motifs, last));
        float before = beat;
        beat = play_motif(section, instrument, motif ? motif : "", beat, &pitch, range, velocity);
        if (beat <= before)
            return;
    }
}

/* Plays "note:beats" as it is written. */
static void play_notes(Section *section, const Instrument *instrument, const json_t *part)
{
    const char *text = reader_text(section->reader, part, "notes", "");
    float velocity = reader_number(section->reader, part, "velocity", 0.55f), beat = 0;
    while (*text) {
        char name[8] = {0};
        size_t length = strcspn(text, ":");
        int pitch = 0;
        if (length >= sizeof name || text[length] != ':') {
            reader_fail(section->reader, "expected note:beats in", text);
            return;
        }
        memcpy(name, text, length);
        char *end;
        float beats = strtof(text + length + 1, &end);
        if (strcmp(name, "-") != 0) {
            if (!note_parse(name, &pitch))
                reader_fail(section->reader, "unknown note", name);
            play(section, instrument, beat, beats, pitch, velocity * section->swell);
        }
        beat += beats;
        text = end + strspn(end, " |");
    }
}

/* ---- Sections ---- */

static const char *const part_keys[] = {"instrument", "play", "low",  "high",    "roll", "velocity",
                                        "chance",     "step", "hold", "pattern", "rate", "tones",
                                        "motifs",     "rest", "wait", "notes",   NULL};
static const char *const plays[] = {"chords", "bass",  "arpeggio", "sparkle",
                                    "melody", "notes", NULL};

static void play_part(Section *section, const json_t *instruments, const json_t *part)
{
    static const char *const kinds[] = {"piano", "harp",  "kalimba", "bell", "pad",
                                        "flute", "choir", "bass",    NULL};
    static const char *const keys[] = {"type", "gain", "pan", "bright", "ring", NULL};
    static void (*const functions[])(Section *, const Instrument *, const json_t *) = {
        play_chords, play_bass, play_arpeggio, play_sparkle, play_melody, play_notes};
    Reader *reader = section->reader;
    reader_check_keys(reader, part, part_keys);
    const char *name = reader_text(reader, part, "instrument", "");
    const json_t *data = json_object_get(instruments, name);
    if (!data) {
        reader_fail(reader, "unknown instrument", name);
        return;
    }
    reader_check_keys(reader, data, keys);
    Instrument instrument = {
        .kind =
            (InstrumentKind)reader_choice(reader, reader_text(reader, data, "type", name), kinds),
        .gain = decibels(reader_number(reader, data, "gain", 0)),
        .pan = reader_number(reader, data, "pan", 0),
        .bright = reader_number(reader, data, "bright", 0.3f),
        .ring = reader_number(reader, data, "ring", 1),
    };
    functions[reader_choice(reader, reader_text(reader, part, "play", ""), plays)](
        section, &instrument, part);
}

/* Splits "Dm7 Gsus4 | C" into chords. */
static void read_chords(Section *section, const char *text)
{
    section->chords = 0;
    for (text += strspn(text, " |"); *text && section->chords < MAX_CHORDS;
         text += strspn(text, " |")) {
        char name[16] = {0};
        size_t length = strcspn(text, " |");
        snprintf(name, sizeof name, "%.*s", (int)length, text);
        if (!chord_parse(name, &section->chord[section->chords++]))
            reader_fail(section->reader, "unknown chord", name);
        text += length;
    }
    if (!section->chords)
        reader_fail(section->reader, "a section lacks its", "chords");
}

static void read_section(Section *section, const json_t *data)
{
    static const char *const keys[] = {"chords", "beats", "swell", "parts", NULL};
    reader_check_keys(section->reader, data, keys);
    section->beats = reader_number(section->reader, data, "beats", 4);
    section->swell = reader_number(section->reader, data, "swell", 1);
    read_chords(section, reader_text(section->reader, data, "chords", ""));
}

static void play_section(Section *section, const json_t *score, const json_t *data)
{
    size_t index;
    json_t *part;
    json_array_foreach(json_object_get(data, "parts"), index, part)
        play_part(section, json_object_get(score, "instruments"), part);
}

static void finish(Reader *reader, const json_t *score, Signal *music)
{
    const json_t *room = json_object_get(score, "reverb");
    reverb_apply(music, &(ReverbDesc){
                            .seconds = reader_number(reader, room, "seconds", 3.2f),
                            .damp_hz = reader_number(reader, room, "damp", 4200),
                            .mix = reader_number(reader, room, "mix", 0.32f),
                            .size = 1.6f,
                            .delay_ms = 28,
                        });
    filter_dc(music);
    signal_fade(music, 480, signal_frames(3));
    master(music, reader_number(reader, score, "loudness", -20));
}

Signal music_render(const char *file, const char *name, const json_t *score, bool *failed)
{
    static const char *const keys[] = {"title",    "tempo", "rubato", "scale",    "instruments",
                                       "sections", "form",  "reverb", "loudness", "volume",
                                       "caption",  "bus",   NULL};
    Reader reader = {file, name, random_named(name, 0), false};
    reader_check_keys(&reader, score, keys);
    Section section = {.reader = &reader, .begin_seconds = 0.1};
    section.seconds_per_beat = 60 / (double)reader_number(&reader, score, "tempo", 60);
    section.rubato = reader_number(&reader, score, "rubato", 0.05f);
    if (!scale_parse(reader_text(&reader, score, "scale", ""), section.scale))
        reader_fail(&reader, "unknown", "scale");
    const json_t *sections = json_object_get(score, "sections");
    double seconds = section.begin_seconds;
    size_t index;
    json_t *item;
    json_array_foreach(json_object_get(score, "form"), index, item)
    {
        const json_t *data = json_object_get(sections, json_string_value(item));
        if (!data) {
            reader_fail(&reader, "unknown section in", "form");
            break;
        }
        section.begin_seconds = seconds;
        read_section(&section, data);
        seconds = beat_seconds(&section, section.beats * (float)section.chords);
    }
    Signal music = signal_create(signal_frames(seconds + 6), 2);
    section.to = &music;
    seconds = 0.1;
    json_array_foreach(json_object_get(score, "form"), index, item)
    {
        const json_t *data = json_object_get(sections, json_string_value(item));
        if (reader.failed)
            break;
        section.begin_seconds = seconds;
        read_section(&section, data);
        play_section(&section, score, data);
        seconds = beat_seconds(&section, section.beats * (float)section.chords);
    }
    finish(&reader, score, &music);
    *failed |= reader.failed;
    return music;
}
