/* Files that the program writes. All functions return false after printing an error. */
#ifndef SOUNDS_OUTPUT_H
#define SOUNDS_OUTPUT_H

#include "sound.h"

/* Encodes as Ogg Vorbis; quality from -0.1 to 1. The caller frees the bytes. */
bool vorbis_encode(const Signal *signal, float quality, uint8_t **bytes, size_t *size);
bool wav_write(const Signal *signal, const char *path);
/* All sounds in one file, which the game embeds: see docs/formats.md. */
bool pack_write(const Sound *sounds, uint32_t count, const char *path);
/* One line for each variant: name, length, loudness, hash; tests read it. */
bool manifest_write(const Sound *sounds, uint32_t count, const char *path);

/* A sheet of spectrograms with levels: one tile for each sound, 0 to 16 kHz, 80 dB. */
typedef struct Sheet Sheet;
Sheet *sheet_create(uint32_t tiles, uint32_t columns);
void sheet_add(Sheet *sheet, const Signal *signal, const char *title);
bool sheet_write(const Sheet *sheet, const char *path);
void sheet_destroy(Sheet *sheet);

#endif
