#include "audio/stream.h"

#include <cairn/base/assert.h>

#include <string.h>

#define CHUNK_SAMPLES ((size_t)CNI_AUDIO_STREAM_FRAMES * 2)
#define STREAM_SAMPLES (CHUNK_SAMPLES * CNI_AUDIO_STREAM_CHUNKS)
#define MEMORY_BYTES (STREAM_SAMPLES * CNI_AUDIO_STREAMS * sizeof(int16_t))

/* ---- The decoding side ---- */

static void begin(CniAudioStream *stream)
{
    stream->is_open =
        cni_audio_decoder_open(&stream->decoder, stream->bytes, stream->size, "stream", NULL) &&
        (!stream->start || cni_audio_decoder_seek(&stream->decoder, stream->start));
    if (!stream->is_open)
        atomic_store_explicit(&stream->is_at_end, true, memory_order_release);
}

static void end(CniAudioStream *stream)
{
    if (stream->is_open)
        cni_audio_decoder_close(&stream->decoder);
    stream->is_open = false;
}

/* Fills a chunk, across the end of a sound that loops. Returns the number of frames. */
static uint32_t decode_chunk(CniAudioStream *stream, int16_t *samples)
{
    CniAudioDecoder *decoder = &stream->decoder;
    uint32_t done = 0;
    bool was_at_start = false; /* a damaged sound might have no frames at all */
    while (done < CNI_AUDIO_STREAM_FRAMES) {
        uint32_t got = cni_audio_decoder_read(decoder, samples + (size_t)done * decoder->channels,
                                              CNI_AUDIO_STREAM_FRAMES - done);
        done += got;
        if (got) {
            was_at_start = false;
            continue;
        }
        if (!stream->loops || was_at_start || !cni_audio_decoder_seek(decoder, 0))
            break;
        was_at_start = true;
    }
    return done;
}

/* Returns whether a chunk was filled. */
static bool fill_chunk(CniAudioStream *stream)
{
    uint32_t filled = atomic_load_explicit(&stream->filled, memory_order_relaxed);
    uint32_t taken = atomic_load_explicit(&stream->taken, memory_order_acquire);
    if (!stream->is_open || filled - taken == CNI_AUDIO_STREAM_CHUNKS ||
        atomic_load_explicit(&stream->is_at_end, memory_order_relaxed))
        return false;
    uint32_t index = filled % CNI_AUDIO_STREAM_CHUNKS;
    uint32_t frames = decode_chunk(stream, stream->chunks + index * CHUNK_SAMPLES);
    stream->chunk_frames[index] = frames;
    if (frames < CNI_AUDIO_STREAM_FRAMES)
        atomic_store_explicit(&stream->is_at_end, true, memory_order_release);
    if (frames)
        atomic_store_explicit(&stream->filled, filled + 1, memory_order_release);
    return frames > 0;
}

/* Does one step for a stream. Returns whether there may be more to do. */
static bool serve(CniAudioStream *stream)
{
    uint32_t state = atomic_load_explicit(&stream->state, memory_order_acquire);
    if (state == CNI_AUDIO_STREAM_STARTING) {
        begin(stream);
        /* It may have been stopped meanwhile. */
        atomic_compare_exchange_strong(&stream->state, &state, CNI_AUDIO_STREAM_RUNNING);
        return true;
    }
    if (state == CNI_AUDIO_STREAM_STOPPING) {
        end(stream);
        atomic_store_explicit(&stream->state, CNI_AUDIO_STREAM_FREE, memory_order_release);
        return true;
    }
    return state == CNI_AUDIO_STREAM_RUNNING && fill_chunk(stream);
}

static bool serve_all(CniAudioStreams *streams)
{
    bool again = false;
    for (uint32_t i = 0; i < CNI_AUDIO_STREAMS; i++)
        again |= serve(&streams->items[i]);
    return again;
}

static void *run_thread(void *user)
{
    CniAudioStreams *streams = user;
    pthread_mutex_lock(&streams->lock);
    while (!streams->is_quitting) {
        void (*task)(void *) = streams->task;
        void *task_user = streams->task_user;
        CniAudioLoad *load = cni_audio_load_next(&streams->loads);
        streams->task = NULL;
        streams->has_work = false;
        pthread_mutex_unlock(&streams->lock);
        while (serve_all(streams)) {
        }
        if (task)
            task(task_user);
        if (load)
            cni_audio_load_decode(load);
        pthread_mutex_lock(&streams->lock);
        if (load)
            cni_audio_load_finish(&streams->loads);
        pthread_cond_broadcast(&streams->changed);
        while (!streams->has_work && !streams->loads.waiting && !streams->is_quitting)
            pthread_cond_wait(&streams->changed, &streams->lock);
    }
    pthread_mutex_unlock(&streams->lock);
    return NULL;
}

/* ---- The consuming side ---- */

static void wake(CniAudioStreams *streams)
{
    if (!streams->has_thread) {
        while (serve_all(streams)) {
        }
        return;
    }
    pthread_mutex_lock(&streams->lock);
    streams->has_work = true;
    pthread_cond_broadcast(&streams->changed);
    pthread_mutex_unlock(&streams->lock);
}

bool cni_audio_streams_init(CniAudioStreams *streams, CnAllocator *allocator, bool with_thread,
                            CnError *error)
{
    *streams = (CniAudioStreams){.allocator = allocator};
    if (!with_thread)
        return true;
    pthread_mutex_init(&streams->lock, NULL);
    pthread_cond_init(&streams->changed, NULL);
    streams->has_thread = !pthread_create(&streams->thread, NULL, run_thread, streams);
    if (streams->has_thread)
        return true;
    pthread_cond_destroy(&streams->changed);
    pthread_mutex_destroy(&streams->lock);
    return cn_error_set(error, CN_ERROR_LIMIT, "the system has no thread for streamed sounds");
}

void cni_audio_streams_fini(CniAudioStreams *streams)
{
    if (streams->has_thread) {
        pthread_mutex_lock(&streams->lock);
        streams->is_quitting = true;
        pthread_cond_broadcast(&streams->changed);
        pthread_mutex_unlock(&streams->lock);
        pthread_join(streams->thread, NULL);
        pthread_cond_destroy(&streams->changed);
        pthread_mutex_destroy(&streams->lock);
    }
    for (uint32_t i = 0; i < CNI_AUDIO_STREAMS; i++)
        end(&streams->items[i]);
    cn_free(streams->allocator, streams->memory, MEMORY_BYTES);
    streams->memory = NULL;
    streams->has_thread = false;
}

bool cni_audio_streams_reserve(CniAudioStreams *streams, CnError *error)
{
    if (streams->memory)
        return true;
    streams->memory = cn_alloc(streams->allocator, MEMORY_BYTES);
    if (!streams->memory)
        return cn_error_memory(error, "streamed sounds");
    for (uint32_t i = 0; i < CNI_AUDIO_STREAMS; i++)
        streams->items[i].chunks = streams->memory + i * STREAM_SAMPLES;
    return true;
}

CniAudioStream *cni_audio_stream_start(CniAudioStreams *streams, const uint8_t *bytes, size_t size,
                                       uint64_t frame, bool loops)
{
    CN_ASSERT(streams->memory, "%s: there is no streamed sound", __func__);
    for (uint32_t i = 0; i < CNI_AUDIO_STREAMS; i++) {
        CniAudioStream *stream = &streams->items[i];
        if (atomic_load_explicit(&stream->state, memory_order_acquire) != CNI_AUDIO_STREAM_FREE)
            continue;
        stream->bytes = bytes;
        stream->size = size;
        stream->start = frame;
        stream->loops = loops;
        atomic_store_explicit(&stream->filled, 0, memory_order_relaxed);
        atomic_store_explicit(&stream->taken, 0, memory_order_relaxed);
        atomic_store_explicit(&stream->is_at_end, false, memory_order_relaxed);
        atomic_store_explicit(&stream->state, CNI_AUDIO_STREAM_STARTING, memory_order_release);
        wake(streams);
        return stream;
    }
    return NULL;
}

void cni_audio_stream_stop(CniAudioStreams *streams, CniAudioStream *stream)
{
    atomic_store_explicit(&stream->state, CNI_AUDIO_STREAM_STOPPING, memory_order_release);
    wake(streams);
}

const int16_t *cni_audio_stream_chunk(CniAudioStreams *streams, CniAudioStream *stream,
                                      uint32_t *frames)
{
    if (!streams->has_thread)
        wake(streams);
    uint32_t taken = atomic_load_explicit(&stream->taken, memory_order_relaxed);
    if (taken == atomic_load_explicit(&stream->filled, memory_order_acquire))
        return NULL;
    uint32_t index = taken % CNI_AUDIO_STREAM_CHUNKS;
    *frames = stream->chunk_frames[index];
    return stream->chunks + index * CHUNK_SAMPLES;
}

void cni_audio_stream_take(CniAudioStreams *streams, CniAudioStream *stream)
{
    atomic_fetch_add_explicit(&stream->taken, 1, memory_order_release);
    wake(streams);
}

static bool is_used(CniAudioStreams *streams, const uint8_t *bytes)
{
    for (uint32_t i = 0; i < CNI_AUDIO_STREAMS; i++) {
        CniAudioStream *stream = &streams->items[i];
        if (atomic_load_explicit(&stream->state, memory_order_acquire) != CNI_AUDIO_STREAM_FREE &&
            stream->bytes == bytes)
            return true;
    }
    return false;
}

void cni_audio_streams_wait(CniAudioStreams *streams, const uint8_t *bytes)
{
    if (!streams->has_thread)
        return;
    pthread_mutex_lock(&streams->lock);
    while (is_used(streams, bytes))
        pthread_cond_wait(&streams->changed, &streams->lock);
    pthread_mutex_unlock(&streams->lock);
}

void cni_audio_streams_run(CniAudioStreams *streams, void (*task)(void *user), void *user)
{
    if (!streams->has_thread) {
        task(user);
        return;
    }
    pthread_mutex_lock(&streams->lock);
    streams->task = task;
    streams->task_user = user;
    streams->has_work = true;
    pthread_cond_broadcast(&streams->changed);
    pthread_mutex_unlock(&streams->lock);
}
