/* Sounds: their table, and their upload to the device. */
#include "audio/audio_internal.h"

#include <cairn/base/assert.h>
#include <cairn/base/log.h>
#include <cairn/base/text.h>

#include <string.h>

CniAudioSound *cni_audio_sound(const CnAudio *audio, CnSound sound)
{
    return cn_slot_table_get(&audio->sounds, sound.id);
}

static size_t sample_bytes(const CniAudioSound *sound)
{
    return (size_t)sound->frames * sound->channels * sizeof *sound->samples;
}

/* ---- Creation ---- */

static CniAudioSound *acquire(CnAudio *audio, const char *name, CnSound *handle, CnError *error)
{
    if (audio->sounds.live >= audio->desc.max_sounds) {
        cn_error_set(error, CN_ERROR_LIMIT, "sound %s: there are already %u sounds", name,
                     audio->desc.max_sounds);
        return NULL;
    }
    CniAudioSound *sound = cn_slot_table_acquire(&audio->sounds, &handle->id);
    if (!sound)
        cn_error_memory(error, "sound %s", name);
    else
        audio->stats.sounds++;
    return sound;
}

/* Takes over the samples; frees them on failure. */
static CnSound adopt(CnAudio *audio, CnSoundSamples *samples, const char *name, CnError *error)
{
    CnSound handle = {0};
    CniAudioSound *sound = acquire(audio, name, &handle, error);
    if (!sound) {
        cn_sound_samples_free(samples);
        return (CnSound){0};
    }
    sound->frames = samples->frames;
    sound->channels = samples->channels;
    sound->sample_rate = samples->sample_rate;
    sound->samples = samples->samples;
    audio->stats.sound_bytes += sample_bytes(sound);
    return handle;
}

static bool check(const CnSoundDesc *desc, CnError *error)
{
    bool is_good = desc->samples && desc->frames && desc->channels >= 1 && desc->channels <= 2 &&
                   desc->sample_rate >= CN_SOUND_MIN_RATE && desc->sample_rate <= CN_SOUND_MAX_RATE;
    return is_good ||
           cn_error_set(error, CN_ERROR_FORMAT,
                        "a sound needs samples, one or two channels and %u to %u samples a second",
                        CN_SOUND_MIN_RATE, CN_SOUND_MAX_RATE);
}

CnSound cn_sound_create(CnAudio *audio, const CnSoundDesc *desc, CnError *error)
{
    CN_ASSERT(audio, "%s: audio is NULL", __func__);
    CN_ASSERT(desc, "%s: desc is NULL", __func__);
    CN_REPORT_UNHANDLED(error, "audio", NULL);
    if (!check(desc, error))
        return (CnSound){0};
    size_t bytes = (size_t)desc->frames * desc->channels * sizeof *desc->samples;
    CnSoundSamples samples = {.allocator = audio->allocator,
                              .samples = cn_alloc(audio->allocator, bytes),
                              .frames = desc->frames,
                              .channels = desc->channels,
                              .sample_rate = desc->sample_rate};
    if (!samples.samples) {
        cn_error_memory(error, "a sound");
        return (CnSound){0};
    }
    memcpy(samples.samples, desc->samples, bytes);
    return adopt(audio, &samples, "of samples", error);
}

CnSound cn_sound_read(CnAudio *audio, const void *bytes, size_t size, const char *name,
                      const CnBudget *budget, CnError *error)
{
    CN_ASSERT(audio, "%s: audio is NULL", __func__);
    CN_REPORT_UNHANDLED(error, "audio", NULL);
    CnSoundSamples samples;
    if (!cn_sound_decode(audio->allocator, bytes, size, name, budget, &samples, error))
        return (CnSound){0};
    return adopt(audio, &samples, name, error);
}

/* ---- In the background ---- */

static CniAudioLoad *make_load(CnAudio *audio, const char *name, const CnBudget *budget,
                               CnError *error)
{
    CniAudioLoad *load = cn_alloc_zeroed(audio->allocator, sizeof *load);
    if (!load) {
        cn_error_memory(error, "sound %s", name);
        return NULL;
    }
    load->allocator = audio->allocator;
    load->budget = *(budget ? budget : cn_budget_of(CN_ORIGIN_USER));
    cn_copy_text(load->name, sizeof load->name, cn_text(name)); /* it may be shortened in errors */
    return load;
}

static CnSound start_load(CnAudio *audio, CniAudioLoad *load, CnError *error)
{
    CniAudioSound *sound = acquire(audio, load->name, &load->sound, error);
    if (!sound) {
        cni_audio_load_free(load);
        return (CnSound){0};
    }
    CnSound handle = load->sound;
    sound->load = load;
    cni_audio_load_start(&audio->streams, load);
    return handle;
}

CnSound cn_sound_read_background(CnAudio *audio, const void *bytes, size_t size, const char *name,
                                 const CnBudget *budget, CnError *error)
{
    CN_ASSERT(audio, "%s: audio is NULL", __func__);
    CN_ASSERT(bytes || !size, "%s: bytes is NULL", __func__);
    CN_ASSERT(name, "%s: name is NULL", __func__);
    CN_REPORT_UNHANDLED(error, "audio", NULL);
    if (!audio->streams.has_thread)
        return cn_sound_read(audio, bytes, size, name, budget, error);
    CniAudioLoad *load = make_load(audio, name, budget, error);
    if (!load)
        return (CnSound){0};
    load->bytes = bytes;
    load->size = size;
    return start_load(audio, load, error);
}

CnSound cn_sound_load_background(CnAudio *audio, CnFileSystem *files, const char *path,
                                 CnError *error)
{
    CN_ASSERT(audio, "%s: audio is NULL", __func__);
    CN_ASSERT(files, "%s: files is NULL", __func__);
    CN_ASSERT(path, "%s: path is NULL", __func__);
    CN_REPORT_UNHANDLED(error, "audio", NULL);
    CnFileBytes file;
    if (!audio->streams.has_thread)
        return cn_sound_load(audio, files, path, error);
    if (!cn_file_read_all(files, path, audio->allocator, &file, error))
        return (CnSound){0};
    CniAudioLoad *load = make_load(audio, path, file.budget, error);
    if (!load) {
        cn_file_bytes_free(&file);
        return (CnSound){0};
    }
    load->file = file;
    load->bytes = file.data;
    load->size = file.size;
    return start_load(audio, load, error);
}

static void start_voices(CnAudio *audio, const CniAudioSound *sound, CnSound handle)
{
    for (uint32_t i = 0; i < audio->voices.count; i++) {
        CniAudioVoice *voice = cn_slot_table_live_at(&audio->voices, i);
        if (!voice || voice->sound.id != handle.id)
            continue;
        if (sound->is_broken)
            cni_audio_voice_end(audio, i);
        else
            cni_audio_voice_begin(voice, sound, voice->position);
    }
}

static void collect(CnAudio *audio, CniAudioLoad *load)
{
    CniAudioSound *sound = cni_audio_sound(audio, load->sound);
    sound->load = NULL;
    sound->is_broken = load->error.code != CN_OK;
    if (sound->is_broken)
        CN_LOG_WARNING("audio", "a sound is silent: %s: %s", load->name, load->error.message);
    sound->frames = load->samples.frames;
    sound->channels = load->samples.channels;
    sound->sample_rate = load->samples.sample_rate;
    sound->samples = load->samples.samples;
    load->samples = (CnSoundSamples){0};
    audio->stats.sound_bytes += sample_bytes(sound);
    if (audio->upload_cursor > cn_slot_index(load->sound.id))
        audio->upload_cursor = cn_slot_index(load->sound.id);
    start_voices(audio, sound, load->sound);
    cni_audio_load_free(load);
}

void cni_audio_sounds_collect(CnAudio *audio)
{
    if (!audio->streams.has_thread)
        return;
    CniAudioLoad *load = cni_audio_loads_take_done(&audio->streams);
    while (load) {
        CniAudioLoad *next = load->next;
        collect(audio, load);
        load = next;
    }
}

bool cn_sound_is_loading(const CnAudio *audio, CnSound sound)
{
    CN_ASSERT(audio, "%s: audio is NULL", __func__);
    const CniAudioSound *found = cni_audio_sound(audio, sound);
    return found && found->load;
}

/* ---- Files ---- */

CnSound cn_sound_load(CnAudio *audio, CnFileSystem *files, const char *path, CnError *error)
{
    CN_ASSERT(audio, "%s: audio is NULL", __func__);
    CN_ASSERT(files, "%s: files is NULL", __func__);
    CN_ASSERT(path, "%s: path is NULL", __func__);
    CN_REPORT_UNHANDLED(error, "audio", NULL);
    CnFileBytes file;
    if (!cn_file_read_all(files, path, audio->allocator, &file, error))
        return (CnSound){0};
    CnSound sound = cn_sound_read(audio, file.data, file.size, path, file.budget, error);
    cn_file_bytes_free(&file);
    return sound;
}

static CnSound adopt_stream(CnAudio *audio, const CnFileBytes *file, const char *path,
                            CnError *error)
{
    CniAudioDecoder decoder;
    CnSound handle = {0};
    if (!cni_audio_decoder_open(&decoder, file->data, file->size, path, error))
        return handle;
    CniAudioSound *sound = cni_audio_streams_reserve(&audio->streams, error)
                               ? acquire(audio, path, &handle, error)
                               : NULL;
    if (sound) {
        sound->frames = (uint32_t)decoder.frames;
        sound->channels = decoder.channels;
        sound->sample_rate = decoder.sample_rate;
        sound->file = *file;
        audio->stats.sound_bytes += file->size;
    }
    cni_audio_decoder_close(&decoder);
    return sound ? handle : (CnSound){0};
}

CnSound cn_sound_load_stream(CnAudio *audio, CnFileSystem *files, const char *path, CnError *error)
{
    CN_ASSERT(audio, "%s: audio is NULL", __func__);
    CN_ASSERT(files, "%s: files is NULL", __func__);
    CN_ASSERT(path, "%s: path is NULL", __func__);
    CN_REPORT_UNHANDLED(error, "audio", NULL);
    CnFileBytes file;
    if (!cn_file_read_all(files, path, audio->allocator, &file, error))
        return (CnSound){0};
    if (file.budget->origin == CN_ORIGIN_FOREIGN) {
        CnSound whole = cn_sound_read(audio, file.data, file.size, path, file.budget, error);
        cn_file_bytes_free(&file);
        return whole;
    }
    CnSound sound = adopt_stream(audio, &file, path, error);
    if (!sound.id)
        cn_file_bytes_free(&file);
    return sound;
}

/* ---- The device ---- */

bool cni_audio_sound_upload(CnAudio *audio, CniAudioSound *sound)
{
    const CniAudioAl *al = &audio->al;
    if (sound->buffer || sound->is_refused || !sound->samples)
        return sound->buffer != 0;
    al->alGetError();
    al->alGenBuffers(1, &sound->buffer);
    al->alBufferData(sound->buffer, sound->channels == 2 ? AL_FORMAT_STEREO16 : AL_FORMAT_MONO16,
                     sound->samples, (ALsizei)sample_bytes(sound), (ALsizei)sound->sample_rate);
    if (al->alGetError() == AL_NO_ERROR)
        return true;
    if (sound->buffer)
        al->alDeleteBuffers(1, &sound->buffer);
    sound->buffer = 0;
    sound->is_refused = true;
    audio->stats.failures++;
    return false;
}

void cni_audio_sound_upload_next(CnAudio *audio)
{
    while (audio->upload_cursor < audio->sounds.count) {
        CniAudioSound *sound = cn_slot_table_live_at(&audio->sounds, audio->upload_cursor++);
        if (sound && sound->samples && !sound->buffer) {
            cni_audio_sound_upload(audio, sound);
            return;
        }
    }
}

void cni_audio_sounds_forget_device(CnAudio *audio)
{
    for (uint32_t i = 0; i < audio->sounds.count; i++) {
        CniAudioSound *sound = cn_slot_table_live_at(&audio->sounds, i);
        if (!sound)
            continue;
        if (sound->buffer)
            audio->al.alDeleteBuffers(1, &sound->buffer);
        sound->buffer = 0;
        sound->is_refused = false;
    }
    audio->upload_cursor = 0;
}

/* ---- Destruction ---- */

static void free_memory(CnAudio *audio, CniAudioSound *sound)
{
    audio->stats.sound_bytes -= sound->samples ? sample_bytes(sound) : sound->file.size;
    if (sound->samples)
        cn_free(audio->allocator, sound->samples, sample_bytes(sound));
    if (sound->load) {
        cni_audio_load_cancel(&audio->streams, sound->load);
        cni_audio_load_free(sound->load);
    }
    if (sound->file.data) {
        cni_audio_streams_wait(&audio->streams, sound->file.data);
        cn_file_bytes_free(&sound->file);
    }
}

static void end_voices(CnAudio *audio, CnSound sound)
{
    for (uint32_t i = 0; i < audio->voices.count; i++) {
        CniAudioVoice *voice = cn_slot_table_live_at(&audio->voices, i);
        if (!voice || voice->sound.id != sound.id)
            continue;
        if (voice->source)
            cni_audio_source_release(audio, voice);
        voice->is_stopping = true;
        cni_audio_voice_end(audio, i);
    }
}

/* Sources that fade out may still use the buffer. */
static void stop_released(CnAudio *audio)
{
    for (uint32_t i = 0; i < audio->desc.max_voices; i++)
        if (audio->sources[i].state == CNI_AUDIO_SOURCE_RELEASED)
            cni_audio_source_stop(audio, &audio->sources[i]);
}

void cn_sound_destroy(CnAudio *audio, CnSound sound)
{
    CN_ASSERT(audio, "%s: audio is NULL", __func__);
    CniAudioSound *found = cni_audio_sound(audio, sound);
    if (!found)
        return;
    cni_audio_enter(audio);
    end_voices(audio, sound);
    if (audio->device)
        stop_released(audio);
    if (found->buffer)
        audio->al.alDeleteBuffers(1, &found->buffer);
    cni_audio_leave(audio);
    free_memory(audio, found);
    audio->stats.sounds--;
    cn_slot_table_release(&audio->sounds, cn_slot_index(sound.id));
    if (audio->upload_cursor > cn_slot_index(sound.id))
        audio->upload_cursor = cn_slot_index(sound.id);
}

void cni_audio_sounds_free(CnAudio *audio)
{
    for (uint32_t i = 0; i < audio->sounds.count; i++) {
        CniAudioSound *sound = cn_slot_table_live_at(&audio->sounds, i);
        if (sound)
            free_memory(audio, sound);
    }
}

/* ---- Properties ---- */

bool cn_sound_exists(const CnAudio *audio, CnSound sound)
{
    CN_ASSERT(audio, "%s: audio is NULL", __func__);
    return cni_audio_sound(audio, sound) != NULL;
}

double cn_sound_seconds(const CnAudio *audio, CnSound sound)
{
    CN_ASSERT(audio, "%s: audio is NULL", __func__);
    const CniAudioSound *found = cni_audio_sound(audio, sound);
    return found && found->sample_rate ? (double)found->frames / found->sample_rate : 0;
}

uint32_t cn_sound_channels(const CnAudio *audio, CnSound sound)
{
    CN_ASSERT(audio, "%s: audio is NULL", __func__);
    const CniAudioSound *found = cni_audio_sound(audio, sound);
    return found ? found->channels : 0;
}
