/* Files of samples: WAV, the pack that the game embeds, and the manifest. */
#include "output.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool finish(FILE *file, const char *path)
{
    bool ok = file && !ferror(file);
    if (file && fclose(file))
        ok = false;
    if (!ok)
        fprintf(stderr, "sounds: cannot write %s\n", path);
    return ok;
}

static void put(FILE *file, uint32_t value, uint32_t bytes)
{
    for (uint32_t i = 0; i < bytes; i++)
        fputc((int)(value >> (8 * i) & 255), file);
}

bool wav_write(const Signal *signal, const char *path)
{
    FILE *file = fopen(path, "wb");
    if (!file)
        return finish(file, path);
    uint32_t size = signal->frames * signal->channels * 2;
    fwrite("RIFF", 1, 4, file);
    put(file, 36 + size, 4);
    fwrite("WAVEfmt ", 1, 8, file);
    put(file, 16, 4);
    put(file, 1, 2);
    put(file, signal->channels, 2);
    put(file, SOUNDS_RATE, 4);
    put(file, SOUNDS_RATE * signal->channels * 2, 4);
    put(file, signal->channels * 2, 2);
    put(file, 16, 2);
    fwrite("data", 1, 4, file);
    put(file, size, 4);
    int16_t *pcm = signal_pcm(signal);
    for (uint32_t i = 0; pcm && i < signal->frames * signal->channels; i++)
        put(file, (uint16_t)pcm[i], 2);
    free(pcm);
    return finish(file, path);
}

static void put_text(FILE *file, const char *text, uint32_t bytes)
{
    char field[64] = {0};
    snprintf(field, sizeof field, "%s", text);
    fwrite(field, 1, bytes, file);
}

static void put_float(FILE *file, float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    put(file, bits, 4);
}

#define HEADER_BYTES 20u
#define SOUND_BYTES (SOUND_NAME_BYTES + SOUND_CAPTION_BYTES + 16)
#define TAKE_BYTES 12u

static uint32_t take_count(const Sound *sounds, uint32_t count)
{
    uint32_t takes = 0;
    for (uint32_t i = 0; i < count; i++)
        takes += sounds[i].variants;
    return takes;
}

static void put_tables(FILE *file, const Sound *sounds, uint32_t count)
{
    uint32_t takes = take_count(sounds, count), take = 0;
    fwrite("CNSOUNDS", 1, 8, file);
    put(file, 1, 4);
    put(file, count, 4);
    put(file, takes, 4);
    for (uint32_t i = 0; i < count; i++) {
        const Sound *sound = &sounds[i];
        put_text(file, sound->name, SOUND_NAME_BYTES);
        put_text(file, sound->caption, SOUND_CAPTION_BYTES);
        put(file, take, 4);
        put(file, sound->variants, 4);
        put_float(file, sound->volume);
        put(file, sound->bus, 1);
        put(file, sound->loops, 1);
        put(file, sound->stereo ? 2 : 1, 1);
        put(file, sound->priority, 1);
        take += sound->variants;
    }
    uint32_t offset = HEADER_BYTES + count * SOUND_BYTES + takes * TAKE_BYTES;
    for (uint32_t i = 0; i < count; i++) {
        for (uint32_t v = 0; v < sounds[i].variants; v++) {
            const SoundTake *one = &sounds[i].takes[v];
            put(file, offset, 4);
            put(file, (uint32_t)one->size, 4);
            put(file, one->frames, 4);
            offset += (uint32_t)one->size;
        }
    }
}

bool pack_write(const Sound *sounds, uint32_t count, const char *path)
{
    FILE *file = fopen(path, "wb");
    if (!file)
        return finish(file, path);
    put_tables(file, sounds, count);
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t v = 0; v < sounds[i].variants; v++)
            fwrite(sounds[i].takes[v].bytes, 1, sounds[i].takes[v].size, file);
    return finish(file, path);
}

bool manifest_write(const Sound *sounds, uint32_t count, const char *path)
{
    FILE *file = fopen(path, "w");
    if (!file)
        return finish(file, path);
    fprintf(file, "#name\tvariant\tbus\tloop\tchannels\tframes\tlufs\tpeak_db\tdc\tonset_ms\t"
                  "loop_jump\tbytes\thash\n");
    for (uint32_t i = 0; i < count; i++) {
        for (uint32_t v = 0; v < sounds[i].variants; v++) {
            const Sound *sound = &sounds[i];
            const SoundTake *take = &sound->takes[v];
            fprintf(file, "%s\t%u\t%s\t%d\t%d\t%u\t%.2f\t%.2f\t%.5f\t%.1f\t%.3f\t%zu\t%016llx\n",
                    sound->name, v + 1, sound_bus_names[sound->bus], sound->loops,
                    sound->stereo ? 2 : 1, take->frames, (double)take->lufs, (double)take->peak_db,
                    (double)take->dc, (double)take->onset_seconds * 1000, (double)take->loop_jump,
                    take->size, (unsigned long long)take->hash);
        }
    }
    return finish(file, path);
}
