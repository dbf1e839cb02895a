/*
 * Music: a score as data, played by synthesised instruments. A score names its instruments, its
 * sections with their chords, and what each instrument does in each section; docs/sound.md
 * describes it. Chords and motifs are written; which motif is played where, its ornaments, timing
 * and dynamics are drawn from random numbers that the name of the piece seeds.
 */
#ifndef SOUNDS_MUSIC_H
#define SOUNDS_MUSIC_H

#include "recipe.h"

#define CHORD_TONES 6u

typedef struct Chord {
    int root, bass; /* semitones above C */
    uint32_t count;
    int tones[CHORD_TONES]; /* above the root */
} Chord;

typedef enum InstrumentKind {
    INSTRUMENT_PIANO,
    INSTRUMENT_HARP,
    INSTRUMENT_KALIMBA,
    INSTRUMENT_BELL,
    INSTRUMENT_PAD,
    INSTRUMENT_FLUTE,
    INSTRUMENT_CHOIR,
    INSTRUMENT_BASS
} InstrumentKind;

typedef struct Instrument {
    InstrumentKind kind;
    float gain, pan, bright, ring; /* factor; position; 0 to 1; factor of the decay */
} Instrument;

typedef struct Note {
    int pitch;      /* MIDI: 60 is middle C */
    float velocity; /* 0 to 1 */
    float seconds;  /* until it is released */
} Note;

/* Parses "Dm7", "Fmaj9/C". Returns false if it is not a chord. */
bool chord_parse(const char *text, Chord *chord);
/* Parses "F#4" into 66. Returns false if it is not a note. */
bool note_parse(const char *text, int *pitch);
/* Parses "D dorian" into its seven pitches above C, ascending from the root. */
bool scale_parse(const char *text, int scale[7]);
/* Returns the pitch of a scale step, where 0 is the root above C-1. */
int scale_pitch(const int scale[7], int step);
/* Returns the step of the scale nearest to a pitch. */
int scale_step(const int scale[7], int pitch);

/* Renders one note; the signal is as long as it rings. */
Signal instrument_render(const Instrument *instrument, const Note *note, Random *random);

#endif
