/* The device: opening, its context, sources and effects, and its loss. */
#include "audio/audio_internal.h"

#include <cairn/base/log.h>
#include <cairn/base/text.h>

#include <string.h>

#define RETRY_SECONDS 2.0
/* A device that is lost sooner after it was opened is not reported, and the pauses grow on. */
#define STABLE_SECONDS 20.0
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

typedef struct Attributes {
    ALCint items[40];
    uint32_t count;
} Attributes;

static void add(Attributes *attributes, ALCint name, ALCint value)
{
    attributes->items[attributes->count++] = name;
    attributes->items[attributes->count++] = value;
}

/* A user may have installed other measurements of heads: those of the library are chosen. */
static void add_head(CnAudio *audio, Attributes *attributes)
{
    ALCint count = 0;
    char name[32];
    if (!audio->al.alcGetStringiSOFT)
        return;
    cn_format(name, sizeof name, "Built-In %u", audio->desc.sample_rate);
    audio->al.alcGetIntegerv(audio->device, ALC_NUM_HRTF_SPECIFIERS_SOFT, 1, &count);
    for (ALCint i = 0; i < count; i++) {
        const char *found = audio->al.alcGetStringiSOFT(audio->device, ALC_HRTF_SPECIFIER_SOFT, i);
        if (!found || (strcmp(found, name) != 0 && strcmp(found, "Built-In HRTF") != 0))
            continue;
        add(attributes, ALC_HRTF_ID_SOFT, i);
        return;
    }
}

/* All that affects the samples is given, so that settings of the user do not. */
static bool make_context(CnAudio *audio)
{
    Attributes attributes = {.count = 0};
    bool is_loopback = audio->desc.device == CN_AUDIO_DEVICE_LOOPBACK;
    add(&attributes, ALC_FREQUENCY, (ALCint)audio->desc.sample_rate);
    if (is_loopback) {
        add(&attributes, ALC_FORMAT_CHANNELS_SOFT, ALC_STEREO_SOFT);
        add(&attributes, ALC_FORMAT_TYPE_SOFT, ALC_FLOAT_SOFT);
    }
    if (has_extension(audio, "ALC_SOFT_HRTF")) {
        add(&attributes, ALC_HRTF_SOFT, audio->desc.no_hrtf ? ALC_FALSE : ALC_TRUE);
        if (is_loopback && !audio->desc.no_hrtf)
            add_head(audio, &attributes);
    }
    if (has_extension(audio, "ALC_SOFT_output_limiter"))
        add(&attributes, ALC_OUTPUT_LIMITER_SOFT, ALC_TRUE);
    add(&attributes, ALC_MONO_SOURCES, (ALCint)audio->desc.max_voices);
    add(&attributes, ALC_MAX_AUXILIARY_SENDS, REVERB_SENDS);
    add(&attributes, 0, 0);
    audio->context = audio->al.alcCreateContext(audio->device, attributes.items);
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
    audio->is_announced = true;
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
    bool was_stable = audio->open_seconds >= STABLE_SECONDS || !audio->stats.device_losses;
    audio->stats.device_losses++;
    make_all_virtual(audio);
    cni_audio_device_close(audio);
    if (was_stable) {
        CN_LOG_WARNING("audio", "the audio device is gone; continuing silently");
        audio->retry_pause = RETRY_SECONDS;
    }
    audio->retry_seconds = audio->retry_pause;
}

/* Not at once: a bad contact would fill the log. */
static void announce(CnAudio *audio)
{
    if (audio->is_announced || audio->open_seconds < 1)
        return;
    audio->is_announced = true;
    CN_LOG_INFO("audio", "an audio device is open");
}

static void try_again(CnAudio *audio, double seconds)
{
    if (audio->is_opening) {
        if (!atomic_load_explicit(&audio->is_opened, memory_order_acquire))
            return;
        CnError error = {0};
        double pause = 2 * audio->retry_pause;
        audio->retry_pause = pause < MOST_RETRY_SECONDS ? pause : MOST_RETRY_SECONDS;
        audio->open_seconds = 0;
        audio->is_announced = !adopt(audio, take_opened(audio), &error);
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
    audio->open_seconds += seconds;
    if (audio->device && is_lost(audio))
        lose(audio);
    if (audio->device)
        announce(audio);
    if (!audio->device)
        try_again(audio, seconds);
}
