/* Sounds that scripts play: part of the saved state. Nothing depends on what is heard. */
#ifndef CAIRN_SRC_SCRIPT_RUNTIME_SCRIPT_SOUNDS_H
#define CAIRN_SRC_SCRIPT_RUNTIME_SCRIPT_SOUNDS_H

#include "script/script_internal.h"

#include <cairn/base/text.h>
#include <cairn/scene/presentation.h>

typedef struct CniScriptRuntime CniScriptRuntime;

#define CNI_SCRIPT_MAX_PLAYS 64u /* per script and tick */
/* Playing at the same time: of trusted scripts, of a sandboxed owner, in a world. */
#define CNI_SCRIPT_MAX_TRUSTED_SOUNDS 1024u
#define CNI_SCRIPT_MAX_OWNED_SOUNDS 128u
#define CNI_SCRIPT_MAX_SOUNDS                                                                      \
    (CNI_SCRIPT_MAX_TRUSTED_SOUNDS + CNI_SCRIPT_MAX_OWNERS * CNI_SCRIPT_MAX_OWNED_SOUNDS)
#define CNI_SCRIPT_MAX_STOPS 2048u   /* that the audio system has not taken yet */
#define CNI_SCRIPT_MAX_LENGTHS 1024u /* of files that are remembered */
#define CNI_SCRIPT_MAX_GAIN 1000.0
#define CNI_SCRIPT_MIN_PITCH 0.01
#define CNI_SCRIPT_MAX_PITCH 100.0
#define CNI_SCRIPT_MAX_FADE 60.0 /* seconds */

/* A sound from audio.play to its end. */
typedef struct CniScriptSound {
    CnEntity owner;  /* whose script plays it; null: a console, or its script has ended */
    CnEntity object; /* that it follows; null: none */
    uint64_t from;   /* tick from which `left` counts */
    uint64_t due;    /* tick of its end, unless it is a loop */
    double left;     /* seconds with pitch 1 */
    uint64_t team;   /* of its scripts: see cni_script_sounds_team */
    uint32_t id;     /* the `source` of its audio commands; entities have a generation */
    uint32_t number; /* that scripts see: counted by their owner */
    CnVec3 position;
    float gain, pitch;
    uint8_t bus; /* a CnAudioBus */
    bool loop, is_spatial;
    /* Not saved. */
    bool is_sent;    /* the command that plays it */
    bool is_changed; /* since the last command */
    char path[CN_ASSET_PATH_BYTES];
} CniScriptSound;

typedef struct CniScriptSoundStop {
    uint32_t id;
    uint16_t fade_ms;
} CniScriptSoundStop;

/* Plays of one script in a tick. */
typedef struct CniScriptPlayCount {
    uint64_t tick;
    uint32_t count;
} CniScriptPlayCount;

/* The sounds of one owner. */
typedef struct CniScriptTeam {
    uint64_t team; /* hash of the owner's name; 0: trusted scripts */
    uint32_t last; /* number */
    uint32_t playing;
} CniScriptTeam;

typedef struct CniScriptSounds {
    CN_ARRAY(CniScriptTeam) teams;
    CN_ARRAY(CniScriptSound) playing; /* in the order of their start */
    uint32_t last_id;
    CN_ARRAY(CniScriptSoundStop) stops; /* commands to send */
    CnNames paths;                      /* of known lengths */
    CN_ARRAY(double) lengths;           /* seconds, by name - 1 */
    CniScriptPlayCount console;
    uint64_t refused;  /* plays beyond a limit */
    uint64_t log_tick; /* tick + 1 in which the last refusal was logged */
} CniScriptSounds;

void cni_script_sounds_init(CniScriptSounds *sounds, CnAllocator *allocator);
void cni_script_sounds_fini(CniScriptSounds *sounds);

/* Stores the length of a file, which is read once. */
bool cni_script_sounds_length(CniScriptRuntime *runtime, const char *path, double *seconds,
                              CnError *error);
/* Returns the sounds of a team; NULL when out of memory. */
CniScriptTeam *cni_script_sounds_team(CniScriptSounds *sounds, uint64_t team);
uint64_t cni_script_team_of(const char *owner, bool is_sandboxed);
/* Adds a copy with a new id and number; `left` is the length. Returns NULL when out of memory. */
CniScriptSound *cni_script_sounds_play(CniScriptRuntime *runtime, const CniScriptSound *sound);
/* Returns the sound of a team with this number; NULL if it does not play. */
CniScriptSound *cni_script_sounds_find(CniScriptSounds *sounds, uint64_t team, uint32_t number);
void cni_script_sounds_set_pitch(CniScriptRuntime *runtime, CniScriptSound *sound, float pitch);
/* Stops and forgets a sound, without an event. */
void cni_script_sounds_stop(CniScriptSounds *sounds, CniScriptSound *sound, double fade_seconds);

/* A script ends: its loops stop, and there is nobody to tell about the ends of its other sounds. */
void cni_script_sounds_drop(CniScriptSounds *sounds, CnEntity owner);

/* Takes a sound that has ended and whose script can be told, and returns true. Also stops loops
 * whose script or object is gone. */
bool cni_script_sounds_next_end(CniScriptRuntime *runtime, CniScriptSound *ended);

/* The system that sends audio commands, in PreExtract. */
bool cni_script_sounds_system_add(CniScriptRuntime *runtime, CnError *error);

/* The state section. */
bool cni_script_sounds_section_begin(CniScriptRuntime *runtime, CnError *error);
void cni_script_sounds_section_end(CniScriptRuntime *runtime);

#endif
