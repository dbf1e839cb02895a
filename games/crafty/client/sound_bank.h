/*
 * The sounds of the game, embedded in the program: made by tools/sounds from games/crafty/sounds.
 *
 *     CraftySoundBank *bank = crafty_sound_bank_create(NULL, audio, &error);
 *     uint32_t dig = crafty_sound_bank_find(bank, "block.stone.dig");
 *     CnSound first = crafty_sound_bank_get(bank, dig, 0); // decoded when it is first needed
 *     crafty_sound_bank_destroy(bank);
 *
 * Short sounds are decoded into memory, in the background if there is a device, stereo ones are
 * streamed.
 */
#ifndef CRAFTY_CLIENT_SOUND_BANK_H
#define CRAFTY_CLIENT_SOUND_BANK_H

#include <cairn/audio/sound.h>

#define CRAFTY_NO_SOUND UINT32_MAX

typedef struct CraftySoundInfo {
    const char *name, *caption; /* caption: "" for none */
    CnAudioBus bus;
    bool loops, streams;
    uint32_t variants;
    float gain;
    int8_t priority;
} CraftySoundInfo;

typedef struct CraftySoundBank CraftySoundBank;

/* Returns NULL and an error when out of memory. */
CraftySoundBank *crafty_sound_bank_create(CnAllocator *allocator, CnAudio *audio, CnError *error);
/* Destroys its sounds, too, so the audio system must still exist. NULL is ignored. */
void crafty_sound_bank_destroy(CraftySoundBank *bank);
uint32_t crafty_sound_bank_count(const CraftySoundBank *bank);
/* Returns the number of a sound, or CRAFTY_NO_SOUND. */
uint32_t crafty_sound_bank_find(const CraftySoundBank *bank, const char *name);
const CraftySoundInfo *crafty_sound_bank_info(const CraftySoundBank *bank, uint32_t sound);
/* Returns a variant, which may still be decoded; null if it cannot be, which is logged once. */
CnSound crafty_sound_bank_get(CraftySoundBank *bank, uint32_t sound, uint32_t variant);
/* Decodes up to `most` sounds that were not needed yet, so that none is decoded while it is waited
 * for. Returns false when all are. */
bool crafty_sound_bank_load(CraftySoundBank *bank, uint32_t most);
/* Returns the compressed bytes of a variant, for tests. */
const void *crafty_sound_bank_bytes(const CraftySoundBank *bank, uint32_t sound, uint32_t variant,
                                    size_t *size);

#endif
