/*
 * Sounds of mods: the files sounds/NAME.ogg in their folders.
 *
 *     CraftyModSounds *sounds = crafty_mod_sounds_create(NULL, audio, mods, &error);
 *     CnSound bell = crafty_mod_sounds_get(sounds, "castle", "bell"); // null: there is none
 *     crafty_mod_sounds_destroy(sounds);
 *
 * A sound is loaded when it is first played. Files of mods are foreign: the helper process decodes
 * them (cairn/vfs/decoder.h), in the background. One that is too large or cannot be decoded is
 * silent, and logged once.
 */
#ifndef CRAFTY_CLIENT_MOD_SOUNDS_H
#define CRAFTY_CLIENT_MOD_SOUNDS_H

#include "crafty/sim/mod/mods.h"

#include <cairn/audio/sound.h>

#define CRAFTY_MOD_SOUNDS 256u               /* of all mods */
#define CRAFTY_MOD_SOUND_BYTES (1u << 20)    /* of a file */
#define CRAFTY_MOD_SAMPLE_BYTES (8ull << 20) /* decoded: 43 seconds of stereo at 48 kHz */

typedef struct CraftyModSounds CraftyModSounds;

/* The audio system and the mods must outlive it. Returns NULL and an error when out of memory. */
CraftyModSounds *crafty_mod_sounds_create(CnAllocator *allocator, CnAudio *audio,
                                          const CraftyMods *mods, CnError *error);
void crafty_mod_sounds_destroy(CraftyModSounds *sounds); /* NULL is ignored */
/* Returns the sound of a mod; null if the mod has no such file or it cannot be loaded. */
CnSound crafty_mod_sounds_get(CraftyModSounds *sounds, const char *mod, const char *name);
/* Returns whether the mod has a file of this name, whether it can be loaded or not. */
bool crafty_mod_sounds_has(CraftyModSounds *sounds, const char *mod, const char *name);
uint32_t crafty_mod_sounds_failed(const CraftyModSounds *sounds);

#endif
