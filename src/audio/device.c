/* The device: opening, its context, sources and effects, and its loss. */
#include "audio/audio_internal.h"

#include <cairn/base/log.h>

#include <string.h>

#define RETRY_SECONDS 2.0
#define MOST_RETRY_SECONDS 30.0 /* each failure doubles the time: drivers write to the terminal */
#define REVERB_SENDS 1

/* ---- The current context ---- */

static void make_current(CnAudio *audio, ALCcontext *context)
{
    if (audio->al.alcSetThreadContext)
        audio->al.alcSetThreadContext(context);
    else
        audio->al.alcMakeContextCurrent(context);
}

void cni_audio_enter(CnAudio *audio)
{
    if (audio->context)
        make_current(audio, audio->context);
}

void cni_audio_leave(CnAudio *audio)
{
    if (!audio->context)
        return;
    if (audio->al.alGetError() != AL_NO_ERROR)
        audio->stats.failures++;
    make_current(audio, NULL);
}

/* ---- Parts of an open device ---- */

static bool has_extension(const CnAudio *audio, const char *name)
{
    return audio->al.alcIsExtensionPresent(audio->device, name);
}

static bool make_context(CnAudio *audio)
{
    ALCint attributes[32];
    uint32_t count = 0;
    attributes[count++] = ALC_FREQUENCY;
    attributes[count++] = (ALCint)audio->desc.sample_rate;
    if (audio->desc.device == CN_AUDIO_DEVICE_LOOPBACK) {
        attributes[count++] = ALC_FORMAT_CHANNELS_SOFT;
        attributes[count++] = ALC_STEREO_SOFT;
        attributes[count++] = ALC_FORMAT_TYPE_SOFT;
        attributes[count++] = ALC_FLOAT_SOFT;
    }
    if (has_extension(audio, "ALC_SOFT_HRTF")) {
        attributes[count++] = ALC_HRTF_SOFT;
        attributes[count++] = audio->desc.no_hrtf ? ALC_FALSE : ALC_TRUE;
    }
    if (has_extension(audio, "ALC_SOFT_output_limiter")) {
        attributes[count++] = ALC_OUTPUT_LIMITER_SOFT;
        attributes[count++] = ALC_TRUE;
    }
    attributes[count++] = ALC_MONO_SOURCES;
    attributes[count++] = (ALCint)audio->desc.max_voices;
    attributes[count++] = ALC_MAX_AUXILIARY_SENDS;
    attributes[count++] = REVERB_SENDS;
    attributes[count] = 0;
    audio->context = audio->al.alcCreateContext(audio->device, attributes);
    return audio->context != NULL;
}

static void query(CnAudio *audio)
{
    ALCint hrtf = ALC_HRTF_DISABLED_SOFT;
    if (has_extension(audio, "ALC_SOFT_HRTF"))
        audio->al.alcGetIntegerv(audio->device, ALC_HRTF_SOFT, 1, &hrtf);
    audio->has_hrtf = hrtf != ALC_FALSE;
    audio->has_disconnect = has_extension(audio, "ALC_EXT_disconnect");
    audio->has_direct_channels = audio->al.alIsExtensionPresent("AL_SOFT_direct_channels");
    audio->has_spatialize = audio->al.alIsExtensionPresent("AL_SOFT_source_spatialize");
}

static void make_effects(CnAudio *audio)
{
    const CniAudioAl *al = &audio->al;
    if (!audio->has_effects)
        return;
    al->alGetError();
    al->alGenFilters(1, &audio->direct_filter);
    al->alGenFilters(1, &audio->send_filter);
    al->alGenEffects(1, &audio->effect);
    al->alGenAuxiliaryEffectSlots(1, &audio->effect_slot);
    al->alFilteri(audio->direct_filter, AL_FILTER_TYPE, AL_FILTER_LOWPASS);
    al->alFilteri(audio->send_filter, AL_FILTER_TYPE, AL_FILTER_LOWPASS);
    al->alEffecti(audio->effect, AL_EFFECT_TYPE, AL_EFFECT_EAXREVERB);
    audio->has_effects = al->alGetError() == AL_NO_ERROR;
    audio->reverb.is_sent = false;
}

static bool make_sources(CnAudio *audio)
{
    const CniAudioAl *al = &audio->al;
    al->alGetError();
    al->alDistanceModel(AL_NONE);
    for (uint32_t i = 0; i < audio->desc.max_voices; i++) {
        CniAudioSource *source = &audio->sources[i];
        *source = (CniAudioSource){0};
        al->alGenSources(1, &source->name);
        /* Positions are relative to the listener, which stays at the origin: floats are precise
         * there, however large the world is. */
        al->alSourcei(source->name, AL_SOURCE_RELATIVE, AL_TRUE);
        if (al->alGetError() != AL_NO_ERROR)
            return false;
        al->alSourcef(source->name, AL_MAX_GAIN, 16); /* an extension; otherwise 1 remains */
        al->alGetError();
    }
    return true;
}

static void free_parts(CnAudio *audio)
{
    const CniAudioAl *al = &audio->al;
    for (uint32_t i = 0; i < audio->desc.max_voices; i++) {
        CniAudioSource *source = &audio->sources[i];
        if (source->stream)
            cni_audio_stream_stop(&audio->streams, source->stream);
        if (source->name)
            al->alDeleteSources(1, &source->name);
        if (source->buffers[0])
            al->alDeleteBuffers(CNI_AUDIO_STREAM_CHUNKS, source->buffers);
        *source = (CniAudioSource){0};
    }
    if (audio->effect_slot)
        al->alDeleteAuxiliaryEffectSlots(1, &audio->effect_slot);
    if (audio->effect)
        al->alDeleteEffects(1, &audio->effect);
    if (audio->send_filter)
        al->alDeleteFilters(1, &audio->send_filter);
    if (audio->direct_filter)
        al->alDeleteFilters(1, &audio->direct_filter);
    audio->effect_slot = audio->effect = audio->send_filter = audio->direct_filter = 0;
    cni_audio_sounds_forget_device(audio);
}

/* ---- Opening and closing ---- */

static void open_plain(void *user)
{
    CnAudio *audio = user;
    const char *name = audio->desc.device_name;
    ALCdevice *device = audio->desc.device == CN_AUDIO_DEVICE_LOOPBACK
                            ? audio->al.alcLoopbackOpenDeviceSOFT(NULL)
                            : audio->al.alcOpenDevice(name);
    atomic_store_explicit(&audio->opened, device, memory_order_relaxed);
    atomic_store_explicit(&audio->is_opened, true, memory_order_release);
}

/* Makes everything that an opened device needs; closes the device if that fails. */
static bool adopt(CnAudio *audio, ALCdevice *device, CnError *error)
{
    audio->device = device;
    if (!device)
        return cn_error_set(error, CN_ERROR_UNSUPPORTED, "no audio device can be opened");
    bool is_made = make_context(audio);
    if (is_made) {
        cni_audio_enter(audio);
        audio->has_effects = cni_audio_al_load_extensions(&audio->al, device);
        query(audio);
        make_effects(audio);
        is_made = make_sources(audio);
        cni_audio_leave(audio);
    }
    if (is_made)
        return true;
    cni_audio_device_close(audio);
    return cn_error_set(error, CN_ERROR_UNSUPPORTED, "the audio device cannot be used");
}

static ALCdevice *take_opened(CnAudio *audio)
{
    ALCdevice *device = atomic_load_explicit(&audio->opened, memory_order_relaxed);
    atomic_store_explicit(&audio->opened, NULL, memory_order_relaxed);
    atomic_store_explicit(&audio->is_opened, false, memory_order_relaxed);
    audio->is_opening = false;
    return device;
}

bool cni_audio_device_open(CnAudio *audio, CnError *error)
{
    const CniAudioAl *al = &audio->al;
    bool is_loopback = audio->desc.device == CN_AUDIO_DEVICE_LOOPBACK;
    if (is_loopback && (!al->alcLoopbackOpenDeviceSOFT || !al->alcRenderSamplesSOFT))
        return cn_error_set(error, CN_ERROR_UNSUPPORTED, "OpenAL has no loop-back devices");
    audio->retry_seconds = audio->retry_pause = RETRY_SECONDS;
    open_plain(audio);
    return adopt(audio, take_opened(audio), error);
}

void cni_audio_device_close(CnAudio *audio)
{
    if (audio->context) {
        cni_audio_enter(audio);
        free_parts(audio);
        cni_audio_leave(audio);
        audio->al.alcDestroyContext(audio->context);
    }
    if (audio->device)
        audio->al.alcCloseDevice(audio->device);
    audio->context = NULL;
    audio->device = NULL;
    audio->has_hrtf = audio->has_effects = false;
}

/* ---- Loss ---- */

static bool is_lost(const CnAudio *audio)
{
    ALCint is_connected = ALC_TRUE;
    if (audio->has_disconnect)
        audio->al.alcGetIntegerv(audio->device, ALC_CONNECTED, 1, &is_connected);
    return !is_connected;
}

/* Voices become virtual and go on silently. */
static void make_all_virtual(CnAudio *audio)
{
    for (uint32_t i = 0; i < audio->voices.count; i++) {
        CniAudioVoice *voice = cn_slot_table_live_at(&audio->voices, i);
        if (voice)
            voice->source = 0;
    }
}

static void lose(CnAudio *audio)
{
    audio->stats.device_losses++;
    CN_LOG_WARNING("audio", "the audio device is gone; continuing silently");
    make_all_virtual(audio);
    cni_audio_device_close(audio);
    audio->retry_seconds = audio->retry_pause = RETRY_SECONDS;
}

static void try_again(CnAudio *audio, double seconds)
{
    if (audio->is_opening) {
        if (!atomic_load_explicit(&audio->is_opened, memory_order_acquire))
            return;
        CnError error = {0};
        double pause = 2 * audio->retry_pause;
        audio->retry_pause = pause < MOST_RETRY_SECONDS ? pause : MOST_RETRY_SECONDS;
        if (adopt(audio, take_opened(audio), &error))
            CN_LOG_INFO("audio", "an audio device is open");
        audio->retry_seconds = audio->retry_pause;
        return;
    }
    audio->retry_seconds -= seconds;
    if (audio->retry_seconds > 0)
        return;
    audio->is_opening = true;
    cni_audio_streams_run(&audio->streams, open_plain, audio);
}

void cni_audio_device_watch(CnAudio *audio, double seconds)
{
    if (audio->desc.device != CN_AUDIO_DEVICE_DEFAULT || !audio->al.library)
        return;
    if (audio->device && is_lost(audio))
        lose(audio);
    if (!audio->device)
        try_again(audio, seconds);
}
