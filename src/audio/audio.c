/* Creation, buses, listener and the order of an update. */
#include "audio/audio_internal.h"

#include <cairn/base/log.h>

#include <string.h>

#define LIBRARY "libopenal.so.1"
#define DEFAULT_VOICES 64u
#define DEFAULT_PLAYING 1024u
#define DEFAULT_SOUNDS 4096u
#define MAX_PLAYING 65536u
/* How long a voice may play beyond its computed end, because clocks differ. */
#define OVERTIME_SECONDS 0.5
#define STREAM_OVERTIME_SECONDS 5.0

/* ---- Creation ---- */

static bool check_limit(CnError *error, const char *what, uint32_t value, uint32_t limit)
{
    return value <= limit ||
           cn_error_set(error, CN_ERROR_LIMIT, "audio: %s, %u, exceeds the limit of %u", what,
                        value, limit);
}

static bool fill_in(CnAudio *audio, CnError *error)
{
    CnAudioDesc *desc = &audio->desc;
    desc->sample_rate = desc->sample_rate ? desc->sample_rate : CN_AUDIO_SAMPLE_RATE;
    desc->max_voices = desc->max_voices ? desc->max_voices : DEFAULT_VOICES;
    desc->max_playing = desc->max_playing ? desc->max_playing : DEFAULT_PLAYING;
    desc->max_sounds = desc->max_sounds ? desc->max_sounds : DEFAULT_SOUNDS;
    if (desc->device_name &&
        !cn_copy_text(audio->device_name, sizeof audio->device_name, cn_text(desc->device_name)))
        return cn_error_set(error, CN_ERROR_LIMIT, "the name of the audio device is too long");
    desc->device_name = desc->device_name ? audio->device_name : NULL;
    return check_limit(error, "max_voices", desc->max_voices, CN_AUDIO_MAX_VOICES) &&
           check_limit(error, "max_playing", desc->max_playing, MAX_PLAYING) &&
           check_limit(error, "max_sounds", desc->max_sounds, MAX_PLAYING) &&
           check_limit(error, "sample_rate", desc->sample_rate, CN_SOUND_MAX_RATE);
}

static void set_defaults(CnAudio *audio)
{
    static const float gains[CN_AUDIO_BUS_COUNT] = {[CN_AUDIO_BUS_EFFECTS] = 0.7f,
                                                    [CN_AUDIO_BUS_MUSIC] = 0.4f,
                                                    [CN_AUDIO_BUS_AMBIENCE] = 0.5f,
                                                    [CN_AUDIO_BUS_INTERFACE] = 0.6f,
                                                    [CN_AUDIO_BUS_MASTER] = 0.5f};
    for (uint32_t i = 0; i < CN_AUDIO_BUS_COUNT; i++)
        audio->buses[i] = (CniAudioRamp){.value = gains[i], .target = gains[i]};
    audio->listener.rotation.w = 1;
    audio->muffle = (CniAudioRamp){.value = 1, .target = 1};
    cn_audio_set_reverb(audio, NULL, 0);
    audio->reverb.progress = 1;
    audio->reverb.from = audio->reverb.now = audio->reverb.to;
}

/* A missing library or device means silence, except where samples are wanted. */
static bool open_device(CnAudio *audio, CnError *error)
{
    CnError reason = {0};
    const char *library = audio->desc.library ? audio->desc.library : LIBRARY;
    audio->desc.library = NULL;
    CniAudioAlSettings settings = {.file = -1};
    if (audio->desc.device == CN_AUDIO_DEVICE_NONE)
        return true;
    bool is_loopback = audio->desc.device == CN_AUDIO_DEVICE_LOOPBACK;
    if (is_loopback && !cni_audio_al_settings_begin(&settings, error))
        return false;
    bool is_loaded = cni_audio_al_load(&audio->al, library, &reason);
    bool with_thread = is_loaded && audio->desc.device == CN_AUDIO_DEVICE_DEFAULT;
    if (with_thread && !cni_audio_streams_init(&audio->streams, audio->allocator, true, error))
        return false;
    bool is_open = is_loaded && cni_audio_device_open(audio, &reason);
    cni_audio_al_settings_end(&settings);
    if (is_open)
        return true;
    if (is_loopback) {
        if (error)
            *error = reason;
        return false;
    }
    CN_LOG_WARNING("audio", "there is no sound: %s", reason.message);
    return true;
}

/* Allocates the first page of a table, so that the first voice does not. */
static bool warm_up(CnSlotTable *table)
{
    uint32_t id;
    if (!cn_slot_table_acquire(table, &id))
        return false;
    cn_slot_table_release(table, cn_slot_index(id));
    return true;
}

static bool build(CnAudio *audio, CnError *error)
{
    if (!fill_in(audio, error))
        return false;
    set_defaults(audio);
    const CnAudioDesc *desc = &audio->desc;
    audio->sources = cn_alloc_zeroed(audio->allocator, desc->max_voices * sizeof *audio->sources);
    audio->keys = cn_alloc(audio->allocator, desc->max_playing * sizeof *audio->keys);
    if (!audio->sources || !audio->keys || !warm_up(&audio->voices))
        return cn_error_memory(error, "audio");
    return open_device(audio, error);
}

CnAudio *cn_audio_create(const CnAudioDesc *desc, CnError *error)
{
    CN_REPORT_UNHANDLED(error, "audio", NULL);
    CnAllocator *allocator = desc && desc->allocator ? desc->allocator : cn_system_allocator();
    CnAudio *audio = cn_alloc_zeroed(allocator, sizeof *audio);
    if (!audio) {
        cn_error_memory(error, "audio");
        return NULL;
    }
    audio->allocator = allocator;
    audio->desc = desc ? *desc : (CnAudioDesc){0};
    cni_audio_streams_init(&audio->streams, allocator, false, NULL);
    cn_slot_table_init(&audio->sounds, allocator, sizeof(CniAudioSound), CN_SLOT_MAX_COUNT);
    cn_slot_table_init(&audio->voices, allocator, sizeof(CniAudioVoice), CN_SLOT_MAX_COUNT);
    if (build(audio, error))
        return audio;
    cn_audio_destroy(audio);
    return NULL;
}

void cn_audio_destroy(CnAudio *audio)
{
    if (!audio)
        return;
    cni_audio_device_close(audio);
    cni_audio_streams_fini(&audio->streams); /* ends a task that opens a device */
    ALCdevice *opened = atomic_load_explicit(&audio->opened, memory_order_relaxed);
    if (opened)
        audio->al.alcCloseDevice(opened);
    cni_audio_sounds_free(audio);
    cn_slot_table_fini(&audio->voices);
    cn_slot_table_fini(&audio->sounds);
    cn_free(audio->allocator, audio->keys, audio->desc.max_playing * sizeof *audio->keys);
    cn_free(audio->allocator, audio->sources, audio->desc.max_voices * sizeof *audio->sources);
    cni_audio_al_unload(&audio->al);
    cn_free(audio->allocator, audio, sizeof *audio);
}

/* ---- Time ---- */

static bool is_at_rest(const CnAudio *audio, const CniAudioVoice *voice)
{
    return voice->is_paused || voice->is_waiting || audio->paused_buses[voice->bus] ||
           audio->paused_buses[CN_AUDIO_BUS_MASTER];
}

static void step_ramps(CniAudioVoice *voice, float seconds)
{
    cni_audio_ramp_step(&voice->gain, seconds);
    cni_audio_ramp_step(&voice->fade, seconds);
    cni_audio_ramp_step(&voice->lowpass, seconds);
    cni_audio_ramp_step(&voice->occlusion, seconds);
    cni_audio_ramp_step(&voice->occlusion_lowpass, seconds);
}

/* Returns whether the voice has reached the end of its sound. */
static bool advance(CnAudio *audio, CniAudioVoice *voice, double seconds)
{
    double length = voice->frames;
    voice->position += seconds * (double)voice->pitch * voice->sample_rate;
    if (voice->position < length)
        return false;
    if (voice->loops) {
        voice->position = cn_fmod(voice->position, length);
        return false;
    }
    voice->position = length;
    if (!voice->source || cni_audio_source_has_stopped(audio, voice))
        return true;
    double most = voice->is_streamed ? STREAM_OVERTIME_SECONDS : OVERTIME_SECONDS;
    voice->overtime += seconds;
    return voice->overtime > most;
}

/* Returns whether the voice has ended. */
static bool step(CnAudio *audio, CniAudioVoice *voice, double seconds)
{
    if (!voice->is_started) {
        voice->is_started = true;
        /* Starts as it was described, or fades in from the next update on. */
        return voice->is_stopping;
    }
    bool rests = is_at_rest(audio, voice);
    if (rests && voice->is_stopping)
        return true;
    if (rests)
        return false;
    step_ramps(voice, (float)seconds);
    return (voice->is_stopping && voice->fade.value <= 0) || advance(audio, voice, seconds);
}

static void step_voices(CnAudio *audio, double seconds)
{
    for (uint32_t i = 0; i < audio->voices.count; i++) {
        CniAudioVoice *voice = cn_slot_table_live_at(&audio->voices, i);
        if (!voice || !step(audio, voice, seconds))
            continue;
        if (voice->source)
            cni_audio_source_release(audio, voice);
        cni_audio_voice_end(audio, i);
    }
}

/* ---- Mixing ---- */

static void stop_released(CnAudio *audio)
{
    for (uint32_t i = 0; i < audio->desc.max_voices; i++)
        if (audio->sources[i].state == CNI_AUDIO_SOURCE_RELEASED)
            cni_audio_source_stop(audio, &audio->sources[i]);
}

/* Sources are taken from voices before others need them. */
static void mix_selected(CnAudio *audio)
{
    uint32_t mixed = 0;
    for (uint32_t i = 0; i < audio->voices.count; i++) {
        CniAudioVoice *voice = cn_slot_table_live_at(&audio->voices, i);
        if (voice && voice->source && !voice->is_wanted)
            cni_audio_source_release(audio, voice);
    }
    for (uint32_t i = 0; i < audio->voices.count; i++) {
        CniAudioVoice *voice = cn_slot_table_live_at(&audio->voices, i);
        if (!voice)
            continue;
        if (voice->source)
            cni_audio_source_send(audio, voice);
        else if (voice->is_wanted)
            cni_audio_source_start(audio, voice, cn_slot_table_id(&audio->voices, i));
        if (voice->source) {
            cni_audio_source_feed(audio, &audio->sources[voice->source - 1]);
            mixed++;
        }
    }
    audio->stats.mixed = mixed;
    audio->stats.most_mixed = mixed > audio->stats.most_mixed ? mixed : audio->stats.most_mixed;
}

void cn_audio_update(CnAudio *audio, double seconds)
{
    CN_ASSERT(audio, "%s: audio is NULL", __func__);
    seconds = seconds > 0 ? seconds < 1 ? seconds : 1 : 0;
    cni_audio_device_watch(audio, seconds);
    for (uint32_t i = 0; i < CN_AUDIO_BUS_COUNT; i++)
        cni_audio_ramp_step(&audio->buses[i], (float)seconds);
    cni_audio_ramp_step(&audio->muffle, (float)seconds);
    cni_audio_enter(audio);
    if (audio->device) {
        stop_released(audio); /* before the others, which would wait for them */
        if (audio->al.alDeferUpdatesSOFT)
            audio->al.alDeferUpdatesSOFT();
    }
    cni_audio_sounds_collect(audio);
    step_voices(audio, seconds);
    cni_audio_reverb_update(audio, (float)seconds);
    if (audio->device) {
        cni_audio_select(audio);
        mix_selected(audio);
        cni_audio_sound_upload_next(audio);
        if (audio->al.alProcessUpdatesSOFT)
            audio->al.alProcessUpdatesSOFT();
    }
    cni_audio_leave(audio);
    audio->stats.playing = audio->voices.live;
}

void cn_audio_render(CnAudio *audio, float *stereo, uint32_t frames)
{
    CN_ASSERT(audio, "%s: audio is NULL", __func__);
    CN_ASSERT(stereo, "%s: stereo is NULL", __func__);
    if (audio->device && audio->desc.device == CN_AUDIO_DEVICE_LOOPBACK)
        audio->al.alcRenderSamplesSOFT(audio->device, stereo, (ALCsizei)frames);
    else
        memset(stereo, 0, (size_t)frames * 2 * sizeof *stereo);
}

/* ---- Listener and buses ---- */

void cn_audio_set_listener(CnAudio *audio, const CnAudioListener *listener)
{
    CN_ASSERT(audio, "%s: audio is NULL", __func__);
    CN_ASSERT(listener, "%s: listener is NULL", __func__);
    audio->listener = *listener;
    if (!cn_quat_make_unit(&audio->listener.rotation))
        audio->listener.rotation = cn_quat_identity();
}

CnAudioListener cn_audio_listener(const CnAudio *audio)
{
    CN_ASSERT(audio, "%s: audio is NULL", __func__);
    return audio->listener;
}

static bool is_bus(CnAudioBus bus)
{
    CN_ASSERT((uint32_t)bus < CN_AUDIO_BUS_COUNT, "there is no audio bus %d", (int)bus);
    return (uint32_t)bus < CN_AUDIO_BUS_COUNT;
}

void cn_audio_set_bus(CnAudio *audio, CnAudioBus bus, float gain, float fade_seconds)
{
    CN_ASSERT(audio, "%s: audio is NULL", __func__);
    if (is_bus(bus))
        cni_audio_ramp_to(&audio->buses[bus], cni_audio_clamp(gain, 0, CNI_AUDIO_MAX_GAIN),
                          fade_seconds);
}

float cn_audio_bus(const CnAudio *audio, CnAudioBus bus)
{
    CN_ASSERT(audio, "%s: audio is NULL", __func__);
    return is_bus(bus) ? audio->buses[bus].target : 0;
}

void cn_audio_pause_bus(CnAudio *audio, CnAudioBus bus)
{
    CN_ASSERT(audio, "%s: audio is NULL", __func__);
    if (is_bus(bus))
        audio->paused_buses[bus] = true;
}

void cn_audio_resume_bus(CnAudio *audio, CnAudioBus bus)
{
    CN_ASSERT(audio, "%s: audio is NULL", __func__);
    if (is_bus(bus))
        audio->paused_buses[bus] = false;
}

/* ---- State ---- */

CnAudioStats cn_audio_stats(const CnAudio *audio)
{
    CN_ASSERT(audio, "%s: audio is NULL", __func__);
    return audio->stats;
}

bool cn_audio_is_audible(const CnAudio *audio)
{
    CN_ASSERT(audio, "%s: audio is NULL", __func__);
    return audio->device != NULL;
}

bool cn_audio_has_hrtf(const CnAudio *audio)
{
    CN_ASSERT(audio, "%s: audio is NULL", __func__);
    return audio->has_hrtf;
}

uint32_t cn_audio_sample_rate(const CnAudio *audio)
{
    CN_ASSERT(audio, "%s: audio is NULL", __func__);
    return audio->desc.sample_rate;
}
