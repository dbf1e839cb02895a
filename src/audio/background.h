/*
 * Sounds that are decoded in the background, by the thread of streams (stream.h). The thread sees
 * only the load, not the sound.
 */
#ifndef CAIRN_SRC_AUDIO_BACKGROUND_H
#define CAIRN_SRC_AUDIO_BACKGROUND_H

#include "audio/decode.h"

#include <stdatomic.h>

typedef struct CniAudioLoad {
    struct CniAudioLoad *next;
    CnSound sound;
    const uint8_t *bytes; /* of `file`, or of the caller */
    size_t size;
    CnFileBytes file; /* owned; empty: none */
    CnBudget budget;
    CnAllocator *allocator;
    char name[CN_FILE_PATH_BYTES];
    /* The result. */
    CnSoundSamples samples;
    CnError error; /* CN_OK: decoded */
} CniAudioLoad;

/* Guarded by the lock of the streams, except `has_done`. */
typedef struct CniAudioLoads {
    CniAudioLoad *waiting; /* in this order */
    CniAudioLoad *current; /* the thread decodes it */
    CniAudioLoad *done;
    _Atomic bool has_done;
} CniAudioLoads;

/* ---- The decoding side ---- */

/* Takes the next load, with the lock. NULL: there is none. */
CniAudioLoad *cni_audio_load_next(CniAudioLoads *loads);
/* Decodes it, without the lock. */
void cni_audio_load_decode(CniAudioLoad *load);
/* Passes it back, with the lock. */
void cni_audio_load_finish(CniAudioLoads *loads);

/* ---- The other side ---- */

struct CniAudioStreams;
/* Gives a load to the thread. */
void cni_audio_load_start(struct CniAudioStreams *streams, CniAudioLoad *load);
/* Decodes it before others, because it is waited for. */
void cni_audio_load_hurry(struct CniAudioStreams *streams, CniAudioLoad *load);
/* Takes all loads that are done, linked by `next`. */
CniAudioLoad *cni_audio_loads_take_done(struct CniAudioStreams *streams);
/* Takes a load back, whatever its state; waits while it is decoded. */
void cni_audio_load_cancel(struct CniAudioStreams *streams, CniAudioLoad *load);
/* Frees a load and what it still owns. */
void cni_audio_load_free(CniAudioLoad *load);

#endif
