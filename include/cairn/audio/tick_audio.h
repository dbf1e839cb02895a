/*
 * Plays the audio commands of ticks (cairn/sim/extract.h): what a simulation wants to be heard.
 *
 *     CnTickAudio *ticks = cn_tick_audio_create(
 *         &(CnTickAudioDesc){.audio = audio, .files = cn_native_files()}, &error);
 *     CnAudioCommand command;
 *     while (cn_outbox_next_audio(outbox, &command))
 *         cn_tick_audio_apply(ticks, world, &command); // once per frame, before cn_audio_update
 *     cn_tick_audio_destroy(ticks);
 *
 * The number of a sound in a command is that of its path in the world: cn_asset_number. Files are
 * loaded when they are first needed; one that cannot be loaded is logged once and is silent. An
 * engine does all of this for its active scene.
 */
#ifndef CAIRN_AUDIO_TICK_AUDIO_H
#define CAIRN_AUDIO_TICK_AUDIO_H

#include <cairn/audio/sound.h>
#include <cairn/sim/extract.h>

CN_EXTERN_C_BEGIN

typedef struct CnTickAudio CnTickAudio;

typedef struct CnTickAudioDesc {
    CnAllocator *allocator; /* NULL: the system allocator */
    CnAudio *audio;         /* not owned */
    CnFileSystem *files;    /* for the paths of sounds */
} CnTickAudioDesc;

/* Returns NULL and sets the error when out of memory. */
CN_API CnTickAudio *cn_tick_audio_create(const CnTickAudioDesc *desc, CnError *error);
/* Stops the voices that commands started, and frees their sounds. NULL is ignored. */
CN_API void cn_tick_audio_destroy(CnTickAudio *ticks);
/* Applies a command. `world` gives the paths of sound numbers. */
CN_API void cn_tick_audio_apply(CnTickAudio *ticks, const CnWorld *world,
                                const CnAudioCommand *command);
/* Stops all voices of commands and forgets the numbers of sounds, for another world. Sounds stay
 * loaded. */
CN_API void cn_tick_audio_clear(CnTickAudio *ticks);

CN_EXTERN_C_END

#endif
