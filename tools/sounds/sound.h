/* Sounds: what the recipe files and scores describe, rendered and measured. */
#ifndef SOUNDS_SOUND_H
#define SOUNDS_SOUND_H

#include "signal.h"

#include <jansson.h>

#define SOUND_VARIANTS 8u
#define SOUND_NAME_BYTES 48u
#define SOUND_CAPTION_BYTES 40u

typedef enum SoundBus {
    SOUND_BUS_EFFECTS,
    SOUND_BUS_MUSIC,
    SOUND_BUS_AMBIENCE,
    SOUND_BUS_INTERFACE,
    SOUND_BUS_COUNT
} SoundBus;

extern const char *const sound_bus_names[SOUND_BUS_COUNT + 1];

/* One rendered variant. */
typedef struct SoundTake {
    uint32_t frames;
    uint64_t hash; /* of its 16-bit samples */
    float lufs, peak_db, dc, onset_seconds;
    float loop_jump; /* of loops: the largest step across the end, relative to usual steps */
    uint8_t *bytes;  /* encoded */
    size_t size;
} SoundTake;

typedef struct Sound {
    char name[SOUND_NAME_BYTES], caption[SOUND_CAPTION_BYTES];
    const char *file;
    const json_t *data;
    bool is_score, loops, stereo, failed;
    SoundBus bus;
    float volume;      /* dB at which the game plays it */
    uint32_t priority; /* 0 to 255; the higher stays audible */
    uint32_t variants;
    SoundTake takes[SOUND_VARIANTS];
} Sound;

/* Reads the properties of a sound. Returns false after printing an error. */
bool sound_read(Sound *sound, const char *file, const char *name, const json_t *data);
/* Renders one variant. Sets `failed` after printing an error. */
Signal sound_render(Sound *sound, uint32_t variant);
/* Fills everything of a take but its bytes. */
void sound_measure(Sound *sound, uint32_t variant, const Signal *signal);

/* Renders a score (music.h). */
Signal music_render(const char *file, const char *name, const json_t *score, bool *failed);

/* Converts to 16 bits, interleaved. The caller frees the result. */
int16_t *signal_pcm(const Signal *signal);

#endif
