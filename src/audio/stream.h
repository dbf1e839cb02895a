/*
 * Streams decode sounds while they play, in chunks, on a thread of their own or, for deterministic
 * output, on the thread that consumes them. The thread also decodes whole sounds (background.h) and
 * opens devices.
 */
#ifndef CAIRN_SRC_AUDIO_STREAM_H
#define CAIRN_SRC_AUDIO_STREAM_H

#include "audio/background.h"

#include <pthread.h>
#include <stdatomic.h>

#define CNI_AUDIO_STREAM_CHUNKS 6u
#define CNI_AUDIO_STREAM_FRAMES 8192u /* of a chunk */
/* More than voices, because a stream that was stopped is in use until its thread has noticed. */
#define CNI_AUDIO_STREAMS (2 * CN_AUDIO_MAX_STREAMS)

typedef enum CniAudioStreamState {
    CNI_AUDIO_STREAM_FREE,
    CNI_AUDIO_STREAM_STARTING, /* owned by the decoding side from here */
    CNI_AUDIO_STREAM_RUNNING,
    CNI_AUDIO_STREAM_STOPPING /* the decoding side closes it and makes it free */
} CniAudioStreamState;

typedef struct CniAudioStream {
    _Atomic uint32_t state; /* a CniAudioStreamState */
    const uint8_t *bytes;
    size_t size;
    uint64_t start; /* frame */
    bool loops;
    uint32_t channels, sample_rate;
    bool is_open;
    CniAudioDecoder decoder;
    int16_t *chunks; /* of two channels at most */
    uint32_t chunk_frames[CNI_AUDIO_STREAM_CHUNKS];
    _Atomic uint32_t filled, taken; /* chunks, in total */
    _Atomic bool is_at_end;         /* no more chunks will be filled */
} CniAudioStream;

typedef struct CniAudioStreams {
    CnAllocator *allocator;
    int16_t *memory; /* of the chunks of all streams; NULL: there was no streamed sound yet */
    CniAudioStream items[CNI_AUDIO_STREAMS];
    bool has_thread;
    pthread_t thread;
    pthread_mutex_t lock;
    pthread_cond_t changed;
    bool is_quitting; /* with the lock */
    bool has_work;    /* with the lock */
    /* A task for the thread: opening a device, which may take long. */
    void (*task)(void *user);
    void *task_user;
    CniAudioLoads loads;
} CniAudioStreams;

bool cni_audio_streams_init(CniAudioStreams *streams, CnAllocator *allocator, bool with_thread,
                            CnError *error);
void cni_audio_streams_fini(CniAudioStreams *streams);
/* Allocates the chunks, once. */
bool cni_audio_streams_reserve(CniAudioStreams *streams, CnError *error);

/* Starts decoding at a frame. Returns NULL if all streams are in use. */
CniAudioStream *cni_audio_stream_start(CniAudioStreams *streams, const uint8_t *bytes, size_t size,
                                       uint64_t frame, bool loops);
void cni_audio_stream_stop(CniAudioStreams *streams, CniAudioStream *stream);
/* Returns the oldest chunk that was not taken, or NULL if there is none. */
const int16_t *cni_audio_stream_chunk(CniAudioStreams *streams, CniAudioStream *stream,
                                      uint32_t *frames);
void cni_audio_stream_take(CniAudioStreams *streams, CniAudioStream *stream);
/* Waits until no stream uses these bytes. All of them were stopped. */
void cni_audio_streams_wait(CniAudioStreams *streams, const uint8_t *bytes);
/* Runs a task on the thread, or at once if there is none. */
void cni_audio_streams_run(CniAudioStreams *streams, void (*task)(void *user), void *user);

#endif
