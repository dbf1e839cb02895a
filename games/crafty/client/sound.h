/*
 * Sound of the client: plays what happens in the open world, its surroundings, music and the
 * interface. It only reads the simulation.
 *
 *     CraftySound *sound = crafty_sound_create(NULL, cn_engine_audio(engine), &error);
 *     crafty_sound_enter(sound, world, &error);    // a world was opened
 *     crafty_sound_frame(sound, &frame);           // after the ticks of each frame
 *     crafty_sound_leave(sound);                   // before it is closed
 *     crafty_sound_play(sound, "ui.click", 1);
 *     crafty_sound_destroy(sound);
 *
 * Which variant plays and at which pitch follows from a counter, so the same game sounds the same.
 */
#ifndef CRAFTY_CLIENT_SOUND_H
#define CRAFTY_CLIENT_SOUND_H

#include "crafty/sim/crafty_sim.h"
#include "crafty/sim/mod/mod_effect.h"
#include "lamps.h"
#include "mod_sounds.h"
#include "preferences.h"
#include "sound_bank.h"

#define CRAFTY_CAPTIONS 5u
#define CRAFTY_CAPTION_SECONDS 3.0f

/* What is heard, for subtitles. */
typedef struct CraftyCaption {
    const char *text;
    CnVec3 position;
    bool is_spatial;
    float seconds; /* left */
} CraftyCaption;

typedef struct CraftySound CraftySound;

/* What the sound of a frame depends on. */
typedef struct CraftySoundFrame {
    const CnWorld *world; /* NULL: no world is open; the title */
    CnVoxels *voxels;
    const CraftyLamps *lamps; /* NULL: none */
    CnEntity player;
    CnVec3 eye;
    float seconds;  /* since the last frame */
    bool is_paused; /* the simulation stands still */
} CraftySoundFrame;

/* The audio system must outlive it. Returns NULL and an error when out of memory. */
CraftySound *crafty_sound_create(CnAllocator *allocator, CnAudio *audio, CnError *error);
void crafty_sound_destroy(CraftySound *sound); /* NULL is ignored */
/* Decodes all sounds now, for captures, in which no frame may depend on time. */
void crafty_sound_load_all(CraftySound *sound);
/* Applies the volumes at once. */
void crafty_sound_set_volumes(CraftySound *sound, const CraftyPreferences *preferences);

/* Begins to read the events of a world, and of its mods unless that is NULL; they must exist until
 * it is left. Returns false and an error when out of memory. */
bool crafty_sound_enter(CraftySound *sound, CnWorld *world, const CraftyMods *mods, CnError *error);
void crafty_sound_leave(CraftySound *sound);
void crafty_sound_frame(CraftySound *sound, const CraftySoundFrame *frame);

/* Plays a sound that is heard everywhere. Unknown names are ignored. `gain` is a factor. */
CnVoice crafty_sound_play(CraftySound *sound, const char *name, float gain);
/* Plays a sound in the world. */
CnVoice crafty_sound_play_at(CraftySound *sound, const char *name, CnVec3 position, float gain);

/* Plays a sound of a mod, or else one of the game. */
CnVoice crafty_sound_play_of_mod(CraftySound *sound, const CraftyModEffect *effect);

CnAudio *crafty_sound_audio(const CraftySound *sound);
CraftySoundBank *crafty_sound_bank(const CraftySound *sound);
/* Returns the captions, newest first. */
uint32_t crafty_sound_captions(const CraftySound *sound, CraftyCaption captions[CRAFTY_CAPTIONS]);

/* Number of sounds started since the creation, by what they belong to, for tests. */
typedef struct CraftySoundCounts {
    uint64_t steps, blocks, players, creatures, interface, mods;
} CraftySoundCounts;
CraftySoundCounts crafty_sound_counts(const CraftySound *sound);

#endif
