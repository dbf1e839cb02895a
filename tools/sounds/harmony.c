/* Names of notes, chords and scales. */
#include "music.h"

#include <stdlib.h>
#include <string.h>

static bool parse_letter(const char **text, int *pitch)
{
    static const int semitones[7] = {9, 11, 0, 2, 4, 5, 7}; /* A to G */
    if (**text < 'A' || **text > 'G')
        return false;
    *pitch = semitones[*(*text)++ - 'A'];
    for (; **text == '#' || **text == 'b'; (*text)++)
        *pitch += **text == '#' ? 1 : -1;
    *pitch = (*pitch + 12) % 12;
    return true;
}

bool note_parse(const char *text, int *pitch)
{
    int letter;
    if (!parse_letter(&text, &letter) || *text < '0' || *text > '8')
        return false;
    *pitch = letter + 12 * (*text - '0' + 1);
    return text[1] == 0;
}

bool chord_parse(const char *text, Chord *chord)
{
    static const struct {
        const char *name;
        uint32_t count;
        int tones[CHORD_TONES];
    } qualities[] = {
        {"", 3, {0, 4, 7}},
        {"m", 3, {0, 3, 7}},
        {"5", 2, {0, 7}},
        {"6", 4, {0, 4, 7, 9}},
        {"m6", 4, {0, 3, 7, 9}},
        {"7", 4, {0, 4, 7, 10}},
        {"maj7", 4, {0, 4, 7, 11}},
        {"m7", 4, {0, 3, 7, 10}},
        {"sus2", 3, {0, 2, 7}},
        {"sus4", 3, {0, 5, 7}},
        {"7sus4", 4, {0, 5, 7, 10}},
        {"add9", 4, {0, 4, 7, 14}},
        {"madd9", 4, {0, 3, 7, 14}},
        {"maj9", 5, {0, 4, 7, 11, 14}},
        {"m9", 5, {0, 3, 7, 10, 14}},
        {"69", 5, {0, 4, 7, 9, 14}},
        {"m11", 6, {0, 3, 7, 10, 14, 17}},
        {"maj7#11", 5, {0, 4, 7, 11, 18}},
    };
    char quality[16] = {0};
    if (!parse_letter(&text, &chord->root))
        return false;
    size_t length = strcspn(text, "/");
    if (length >= sizeof quality)
        return false;
    memcpy(quality, text, length);
    text += length;
    chord->bass = chord->root;
    if (*text == '/' && (text++, !parse_letter(&text, &chord->bass) || *text))
        return false;
    for (size_t i = 0; i < sizeof qualities / sizeof qualities[0]; i++) {
        if (strcmp(qualities[i].name, quality) == 0) {
            chord->count = qualities[i].count;
            memcpy(chord->tones, qualities[i].tones, sizeof chord->tones);
            return true;
        }
    }
    return false;
}

bool scale_parse(const char *text, int scale[7])
{
    static const struct {
        const char *name;
        int steps[7];
    } modes[] = {
        {"major", {0, 2, 4, 5, 7, 9, 11}},      {"minor", {0, 2, 3, 5, 7, 8, 10}},
        {"dorian", {0, 2, 3, 5, 7, 9, 10}},     {"lydian", {0, 2, 4, 6, 7, 9, 11}},
        {"mixolydian", {0, 2, 4, 5, 7, 9, 10}},
    };
    int root;
    if (!parse_letter(&text, &root) || *text++ != ' ')
        return false;
    for (size_t i = 0; i < sizeof modes / sizeof modes[0]; i++) {
        if (strcmp(modes[i].name, text) == 0) {
            for (int step = 0; step < 7; step++)
                scale[step] = root + modes[i].steps[step];
            return true;
        }
    }
    return false;
}

int scale_pitch(const int scale[7], int step)
{
    int octave = step >= 0 ? step / 7 : -((6 - step) / 7);
    return scale[step - 7 * octave] + 12 * octave;
}

int scale_step(const int scale[7], int pitch)
{
    int best = 0;
    for (int step = 0; step < 80; step++)
        if (abs(scale_pitch(scale, step) - pitch) < abs(scale_pitch(scale, best) - pitch))
            best = step;
    return best;
}
