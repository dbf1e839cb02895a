#include "audio/background.h"

#include "audio/stream.h"

/* ---- The decoding side ---- */

CniAudioLoad *cni_audio_load_next(CniAudioLoads *loads)
{
    loads->current = loads->waiting;
    if (loads->current)
        loads->waiting = loads->current->next;
    return loads->current;
}

void cni_audio_load_decode(CniAudioLoad *load)
{
    cn_sound_decode(load->allocator, load->bytes, load->size, load->name, &load->budget,
                    &load->samples, &load->error);
}

void cni_audio_load_finish(CniAudioLoads *loads)
{
    loads->current->next = loads->done;
    loads->done = loads->current;
    loads->current = NULL;
    atomic_store_explicit(&loads->has_done, true, memory_order_release);
}

/* ---- The other side ---- */

void cni_audio_load_start(CniAudioStreams *streams, CniAudioLoad *load)
{
    pthread_mutex_lock(&streams->lock);
    CniAudioLoad **end = &streams->loads.waiting;
    while (*end)
        end = &(*end)->next;
    load->next = NULL;
    *end = load;
    streams->has_work = true;
    pthread_cond_broadcast(&streams->changed);
    pthread_mutex_unlock(&streams->lock);
}

/* Removes a load from a list. Returns whether it was there. */
static bool unlink_load(CniAudioLoad **list, CniAudioLoad *load)
{
    while (*list && *list != load)
        list = &(*list)->next;
    if (!*list)
        return false;
    *list = load->next;
    return true;
}

void cni_audio_load_hurry(CniAudioStreams *streams, CniAudioLoad *load)
{
    pthread_mutex_lock(&streams->lock);
    if (unlink_load(&streams->loads.waiting, load)) {
        load->next = streams->loads.waiting;
        streams->loads.waiting = load;
    }
    pthread_mutex_unlock(&streams->lock);
}

CniAudioLoad *cni_audio_loads_take_done(CniAudioStreams *streams)
{
    if (!atomic_load_explicit(&streams->loads.has_done, memory_order_acquire))
        return NULL;
    pthread_mutex_lock(&streams->lock);
    CniAudioLoad *done = streams->loads.done;
    streams->loads.done = NULL;
    atomic_store_explicit(&streams->loads.has_done, false, memory_order_relaxed);
    pthread_mutex_unlock(&streams->lock);
    return done;
}

void cni_audio_load_cancel(CniAudioStreams *streams, CniAudioLoad *load)
{
    if (!streams->has_thread) /* it has ended */
        return;
    pthread_mutex_lock(&streams->lock);
    while (streams->loads.current == load)
        pthread_cond_wait(&streams->changed, &streams->lock);
    if (!unlink_load(&streams->loads.waiting, load))
        unlink_load(&streams->loads.done, load);
    pthread_mutex_unlock(&streams->lock);
}

void cni_audio_load_free(CniAudioLoad *load)
{
    if (load->samples.samples)
        cn_sound_samples_free(&load->samples);
    if (load->file.data)
        cn_file_bytes_free(&load->file);
    cn_free(load->allocator, load, sizeof *load);
}
