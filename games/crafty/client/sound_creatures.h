/*
 * Voices of creatures: which sound a kind of creature makes for what happens to it.
 *
 *     crafty_sound_creature(sound, entity, "duck", CRAFTY_VOICE_IDLE, position);
 *
 * The sounds are named creature.KIND.VOICE: creature.duck.idle. A voice that a kind lacks is
 * silent, or another one of the table below.
 */
#ifndef CRAFTY_CLIENT_SOUND_CREATURES_H
#define CRAFTY_CLIENT_SOUND_CREATURES_H

#include "sound.h"

typedef enum CraftyVoice {
    CRAFTY_VOICE_IDLE,
    CRAFTY_VOICE_HURT,
    CRAFTY_VOICE_DIE,
    CRAFTY_VOICE_ANGRY, /* about to attack: a growl, a hiss */
    CRAFTY_VOICE_BITE,  /* attacks */
    CRAFTY_VOICE_CALL,  /* far away: a howl */
    CRAFTY_VOICE_YES,   /* a trade, food that is liked */
    CRAFTY_VOICE_NO,
    CRAFTY_VOICE_COUNT
} CraftyVoice;

/* Writes the name of the sound; returns false if the kind has no such voice. */
bool crafty_creature_sound_name(const CraftySoundBank *bank, const char *kind, CraftyVoice voice,
                                char *name, size_t name_bytes);
/* Plays it; the voice moves with the entity, if there is one. One that is a loop in the pack, as of
 * wings, fades in and out. `kind` is the name of the creature's kind, or "duckling". */
CnVoice crafty_sound_creature(CraftySound *sound, CnEntity entity, const char *kind,
                              CraftyVoice voice, CnVec3 position);

#endif
