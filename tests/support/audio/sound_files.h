/* Sound files in memory: a sine of 440 Hz as WAV and as Ogg Vorbis. */
#ifndef CAIRN_TESTS_SUPPORT_AUDIO_SOUND_FILES_H
#define CAIRN_TESTS_SUPPORT_AUDIO_SOUND_FILES_H

#include <stddef.h>
#include <stdint.h>

typedef struct SoundFile {
    uint8_t *bytes;
    size_t size;
    char folder[256]; /* of the saved file; "": none */
    char path[320];
} SoundFile;

/* `bits`: 8, 16, 24, 32, or 0 for 32-bit float. */
SoundFile wav_file(uint32_t bits, uint32_t channels, uint32_t frames);
SoundFile vorbis_file(uint32_t channels, uint32_t frames);
/* Writes it to a temporary folder, which sound_file_free removes. Returns the path. */
const char *sound_file_save(SoundFile *file, const char *name);
void sound_file_free(SoundFile *file);

#endif
