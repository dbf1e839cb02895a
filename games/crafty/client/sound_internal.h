/* Shared by the files of the client's sound. */
#ifndef CRAFTY_CLIENT_SOUND_INTERNAL_H
#define CRAFTY_CLIENT_SOUND_INTERNAL_H

#include "sound.h"

#include "crafty/sim/stack.h"

#include <cairn/ecs/event.h>
#include <cairn/ecs/query.h>

#define AMBIENCE_LAYERS 16u
#define EMITTERS 8u
#define FOLLOWERS 16u
#define CRAFTY_VOICE_SECONDS 8.0f /* no voice of a creature is longer */
#define CRAFTY_BUZZ_SECONDS 3.0f  /* of a voice that is a loop */
#define CRAFTY_BUZZ_FADE 0.5f

/* A loop that fades in and out. */
typedef struct SoundLoop {
    uint32_t sound;
    CnVoice voice;
    float target, now; /* gain */
} SoundLoop;

/* A loop at a block that burns. */
typedef struct SoundEmitter {
    CnVec3 position;
    CnVoice voice;
    bool is_wanted;
    bool is_lava; /* or magma */
} SoundEmitter;

/* A voice that moves with an entity. */
typedef struct SoundFollower {
    CnEntity entity;
    CnVoice voice;
    float seconds; /* until it is stopped */
} SoundFollower;

typedef struct SoundMusic {
    uint32_t piece; /* CRAFTY_NO_SOUND: silence */
    uint32_t last;  /* never twice in a row */
    CnVoice voice;
    float pause; /* seconds until the next piece */
    uint32_t mood;
    bool is_started;
} SoundMusic;

struct CraftySound {
    CnAllocator *allocator;
    CnAudio *audio;
    CraftySoundBank *bank;
    uint64_t counter;       /* of all choices */
    uint8_t *last_variants; /* by sound */
    CnEventReader *hand_events, *player_events;
    CnEventReader *creature_events; /* NULL: the world has no creatures */
    CnEventReader *mod_events;      /* NULL: the world has no mods */
    CraftyModSounds *mod_sounds;    /* NULL: the world has no mods */
    CraftyCaption captions[CRAFTY_CAPTIONS];
    uint32_t caption_count;
    SoundLoop layers[AMBIENCE_LAYERS];
    SoundEmitter emitters[EMITTERS];
    SoundFollower followers[FOLLOWERS];
    float emitter_wait, stroke, bubbles, thunder, hiss_wait;
    CnQuery *villagers; /* NULL: the world has none */
    float village;      /* how much of a village is heard, 0 to 1 */
    float village_wait, talk_wait, rung;
    CraftyStack carried; /* by the cursor, in the last frame */
    SoundMusic music;
    uint8_t open; /* CraftyOpen of the player in the last frame */
    CnVec3 open_position;
    CraftySoundCounts counts;
};

uint32_t crafty_sound_random(CraftySound *sound);
float crafty_sound_unit(CraftySound *sound); /* 0 to 1 */

/* sound_events.c: what happened in the ticks since the last frame. */
void crafty_sound_events(CraftySound *sound, const CraftySoundFrame *frame);
/* sound_creatures.c: what happened to creatures. */
void crafty_sound_creature_events(CraftySound *sound, const CraftySoundFrame *frame);
/* The sound of an action on a block with this surface. */
void crafty_sound_block(CraftySound *sound, uint32_t surface, const char *action, CnVec3 position,
                        float gain);
uint32_t crafty_sound_surface(const CraftySoundFrame *frame, CnBlock block);
/* sound_nearby.c: what bodies near the player do. */
void crafty_sound_nearby(CraftySound *sound, const CraftySoundFrame *frame);
bool crafty_sound_nearby_enter(CraftySound *sound, CnWorld *world, CnError *error);
void crafty_sound_nearby_leave(CraftySound *sound);
/* Moves a voice with an entity and stops it after some seconds. */
void crafty_sound_follow(CraftySound *sound, CnEntity entity, CnVoice voice, float seconds);
/* Returns whether the block in a cell is lava, or as hot; reads only what is loaded. */
bool crafty_sound_is_lava(const CraftySoundFrame *frame, CnVec3 at);
/* sound_surroundings.c: ambience, weather, water, fires. */
void crafty_sound_surroundings(CraftySound *sound, const CraftySoundFrame *frame);
void crafty_sound_surroundings_stop(CraftySound *sound);
/* sound_music.c */
void crafty_sound_music(CraftySound *sound, const CraftySoundFrame *frame);

#endif
