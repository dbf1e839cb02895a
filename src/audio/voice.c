/* Voices: starting and changing them, and reports of their ends. */
#include "audio/audio_internal.h"
#include "audio/select.h"

#include <cairn/base/assert.h>

#define OCCLUSION_SECONDS 0.25f
#define LOWPASS_SECONDS 0.25f

CniAudioVoice *cni_audio_voice(const CnAudio *audio, CnVoice voice)
{
    return cn_slot_table_get(&audio->voices, voice.id);
}

/* ---- Starting ---- */

static float or_default(float value, float when_zero)
{
    return value == 0 ? when_zero : value; /* not a number stays */
}

static bool is_finite3(CnVec3 v)
{
    return v.x - v.x == 0 && v.y - v.y == 0 && v.z - v.z == 0;
}

void cni_audio_voice_begin(CniAudioVoice *voice, const CniAudioSound *sound, double seconds)
{
    double start = seconds * sound->sample_rate;
    voice->frames = sound->frames;
    voice->sample_rate = sound->sample_rate;
    voice->is_mono = sound->channels == 1;
    voice->is_waiting = false;
    voice->position = start < sound->frames ? start
                      : voice->loops        ? cn_fmod(start, sound->frames)
                                            : sound->frames;
}

static CniAudioVoice describe(const CnPlayDesc *desc, const CniAudioSound *sound)
{
    bool is_bus = (uint32_t)desc->bus < CN_AUDIO_BUS_MASTER;
    float gain = cni_audio_clamp(or_default(desc->gain, 1), 0, CNI_AUDIO_MAX_GAIN);
    float fade = desc->fade_in_seconds > 0 ? 0 : 1;
    float lowpass = cni_audio_clamp(or_default(desc->lowpass, 1), 0, 1);
    CniAudioVoice voice = {
        .sound = desc->sound,
        .user = desc->user,
        .gain = {.value = gain, .target = gain},
        .fade = {.value = fade, .target = fade},
        .occlusion = {.value = 1, .target = 1},
        .occlusion_lowpass = {.value = 1, .target = 1},
        .pitch = cni_audio_clamp(or_default(desc->pitch, 1), 0.1f, 4),
        .lowpass = {.value = lowpass, .target = lowpass},
        .reference_distance = cni_audio_clamp(
            or_default(desc->reference_distance, CN_AUDIO_REFERENCE_DISTANCE), 0.01f, 1e6f),
        .max_distance =
            cni_audio_clamp(or_default(desc->max_distance, CN_AUDIO_MAX_DISTANCE), 0.01f, 1e6f),
        .rolloff = cni_audio_clamp(or_default(desc->rolloff, CN_AUDIO_ROLLOFF), 0, 1000),
        .bus = (uint8_t)(is_bus ? desc->bus : CN_AUDIO_BUS_EFFECTS),
        .priority = desc->priority,
        .loops = desc->loop,
        .is_spatial = desc->spatial,
        .is_streamed = sound->file.data != NULL,
        .has_reverb = desc->spatial && !desc->dry};
    if (voice.max_distance < voice.reference_distance)
        voice.max_distance = voice.reference_distance;
    if (is_finite3(desc->position))
        voice.place = desc->position;
    if (is_finite3(desc->velocity))
        voice.velocity = desc->velocity;
    if (fade == 0)
        cni_audio_ramp_to(&voice.fade, 1, desc->fade_in_seconds);
    double start = desc->start_seconds > 0 ? (double)desc->start_seconds : 0;
    if (sound->load) {
        voice.is_waiting = true;
        voice.position = start;
        voice.sample_rate = 1;
    } else {
        cni_audio_voice_begin(&voice, sound, start);
    }
    return voice;
}

static uint32_t count_streams(const CnAudio *audio)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < audio->voices.count; i++) {
        const CniAudioVoice *voice = cn_slot_table_live_at(&audio->voices, i);
        count += voice && voice->is_streamed;
    }
    return count;
}

/* Finds the least important voice, among the streamed ones or among all. */
static bool find_least(const CnAudio *audio, bool streamed, uint32_t *least, uint64_t *importance)
{
    *importance = UINT64_MAX;
    for (uint32_t i = 0; i < audio->voices.count; i++) {
        const CniAudioVoice *voice = cn_slot_table_live_at(&audio->voices, i);
        if (!voice || (streamed && !voice->is_streamed))
            continue;
        uint64_t key = cni_audio_importance(voice, i);
        if (key < *importance) {
            *importance = key;
            *least = i;
        }
    }
    return *importance != UINT64_MAX;
}

/* Ends the least important voice in favor of a more important one. */
static bool make_room(CnAudio *audio, const CniAudioVoice *wanted)
{
    bool for_stream = wanted->is_streamed && count_streams(audio) >= CN_AUDIO_MAX_STREAMS;
    uint32_t least = 0;
    uint64_t importance;
    if (!for_stream && audio->voices.live < audio->desc.max_playing)
        return true;
    if (!find_least(audio, for_stream, &least, &importance) ||
        cni_audio_importance(wanted, 0) <= importance)
        return false;
    CniAudioVoice *voice = cn_slot_table_at(&audio->voices, least);
    if (voice->source) {
        cni_audio_enter(audio);
        cni_audio_source_release(audio, voice);
        cni_audio_leave(audio);
    }
    voice->is_stopping = true;
    cni_audio_voice_end(audio, least);
    return true;
}

CnVoice cn_audio_play(CnAudio *audio, const CnPlayDesc *desc)
{
    CN_ASSERT(audio, "%s: audio is NULL", __func__);
    CN_ASSERT(desc, "%s: desc is NULL", __func__);
    CniAudioSound *sound = cni_audio_sound(audio, desc->sound);
    CnVoice handle = {0};
    if (!sound || sound->is_broken)
        return handle;
    if (sound->load)
        cni_audio_load_hurry(&audio->streams, sound->load);
    CniAudioVoice made = describe(desc, sound);
    cni_audio_measure(audio, &made);
    CniAudioVoice *voice =
        make_room(audio, &made) ? cn_slot_table_acquire(&audio->voices, &handle.id) : NULL;
    if (!voice) {
        audio->stats.refused++;
        return (CnVoice){0};
    }
    made.slot = voice->slot;
    *voice = made;
    audio->stats.started++;
    return handle;
}

/* ---- Ends ---- */

void cni_audio_voice_end(CnAudio *audio, uint32_t index)
{
    const CniAudioVoice *voice = cn_slot_table_at(&audio->voices, index);
    CnVoiceEnd end = {.voice = {cn_slot_table_id(&audio->voices, index)},
                      .sound = voice->sound,
                      .user = voice->user,
                      .is_stopped = voice->is_stopping};
    if (audio->end_count == CNI_AUDIO_ENDS) {
        audio->end_read++;
        audio->end_count--;
    }
    audio->ends[(audio->end_read + audio->end_count++) % CNI_AUDIO_ENDS] = end;
    audio->stats.ended++;
    cn_slot_table_release(&audio->voices, index);
}

bool cn_audio_next_ended(CnAudio *audio, CnVoiceEnd *end)
{
    CN_ASSERT(audio, "%s: audio is NULL", __func__);
    CN_ASSERT(end, "%s: end is NULL", __func__);
    if (!audio->end_count)
        return false;
    *end = audio->ends[audio->end_read++ % CNI_AUDIO_ENDS];
    audio->end_count--;
    return true;
}

static void stop(CniAudioVoice *voice, float fade_seconds)
{
    /* A second stop may only shorten the fade. */
    CniAudioRamp fade = voice->fade;
    cni_audio_ramp_to(&fade, 0, fade_seconds);
    if (!voice->is_stopping || fade.rate > voice->fade.rate)
        voice->fade = fade;
    voice->is_stopping = true;
}

void cn_voice_stop(CnAudio *audio, CnVoice voice, float fade_seconds)
{
    CN_ASSERT(audio, "%s: audio is NULL", __func__);
    CniAudioVoice *found = cni_audio_voice(audio, voice);
    if (found)
        stop(found, fade_seconds);
}

void cn_audio_stop_all(CnAudio *audio, CnSound sound, float fade_seconds)
{
    CN_ASSERT(audio, "%s: audio is NULL", __func__);
    for (uint32_t i = 0; i < audio->voices.count; i++) {
        CniAudioVoice *voice = cn_slot_table_live_at(&audio->voices, i);
        if (voice && (!sound.id || voice->sound.id == sound.id))
            stop(voice, fade_seconds);
    }
}

/* ---- Changes ---- */

void cn_voice_pause(CnAudio *audio, CnVoice voice)
{
    CN_ASSERT(audio, "%s: audio is NULL", __func__);
    CniAudioVoice *found = cni_audio_voice(audio, voice);
    if (found)
        found->is_paused = true;
}

void cn_voice_resume(CnAudio *audio, CnVoice voice)
{
    CN_ASSERT(audio, "%s: audio is NULL", __func__);
    CniAudioVoice *found = cni_audio_voice(audio, voice);
    if (found)
        found->is_paused = false;
}

void cn_voice_set_gain(CnAudio *audio, CnVoice voice, float gain, float fade_seconds)
{
    CN_ASSERT(audio, "%s: audio is NULL", __func__);
    CniAudioVoice *found = cni_audio_voice(audio, voice);
    if (found)
        cni_audio_ramp_to(&found->gain, cni_audio_clamp(gain, 0, CNI_AUDIO_MAX_GAIN), fade_seconds);
}

void cn_voice_set_pitch(CnAudio *audio, CnVoice voice, float pitch)
{
    CN_ASSERT(audio, "%s: audio is NULL", __func__);
    CniAudioVoice *found = cni_audio_voice(audio, voice);
    if (found)
        found->pitch = cni_audio_clamp(pitch, 0.1f, 4);
}

void cn_voice_set_position(CnAudio *audio, CnVoice voice, CnVec3 position)
{
    CN_ASSERT(audio, "%s: audio is NULL", __func__);
    CniAudioVoice *found = cni_audio_voice(audio, voice);
    if (found && is_finite3(position))
        found->place = position;
}

void cn_voice_set_velocity(CnAudio *audio, CnVoice voice, CnVec3 velocity)
{
    CN_ASSERT(audio, "%s: audio is NULL", __func__);
    CniAudioVoice *found = cni_audio_voice(audio, voice);
    if (found && is_finite3(velocity))
        found->velocity = velocity;
}

void cn_voice_set_lowpass(CnAudio *audio, CnVoice voice, float lowpass)
{
    CN_ASSERT(audio, "%s: audio is NULL", __func__);
    CniAudioVoice *found = cni_audio_voice(audio, voice);
    if (found)
        cni_audio_ramp_to(&found->lowpass, cni_audio_clamp(lowpass, 0, 1), LOWPASS_SECONDS);
}

void cn_voice_set_occlusion(CnAudio *audio, CnVoice voice, float gain, float lowpass)
{
    CN_ASSERT(audio, "%s: audio is NULL", __func__);
    CniAudioVoice *found = cni_audio_voice(audio, voice);
    if (!found)
        return;
    /* A voice that was not heard yet begins with it. */
    float seconds = found->is_started ? OCCLUSION_SECONDS : 0;
    cni_audio_ramp_to(&found->occlusion, cni_audio_clamp(gain, 0, 1), seconds);
    cni_audio_ramp_to(&found->occlusion_lowpass, cni_audio_clamp(lowpass, 0, 1), seconds);
    if (!found->is_started) {
        found->occlusion.value = found->occlusion.target;
        found->occlusion_lowpass.value = found->occlusion_lowpass.target;
    }
}

/* ---- State ---- */

bool cn_voice_is_playing(const CnAudio *audio, CnVoice voice)
{
    CN_ASSERT(audio, "%s: audio is NULL", __func__);
    return cni_audio_voice(audio, voice) != NULL;
}

bool cn_voice_is_virtual(const CnAudio *audio, CnVoice voice)
{
    CN_ASSERT(audio, "%s: audio is NULL", __func__);
    const CniAudioVoice *found = cni_audio_voice(audio, voice);
    return found && !found->source;
}

double cn_voice_seconds(const CnAudio *audio, CnVoice voice)
{
    CN_ASSERT(audio, "%s: audio is NULL", __func__);
    const CniAudioVoice *found = cni_audio_voice(audio, voice);
    return found ? found->position / found->sample_rate : 0;
}

CnVec3 cn_voice_position(const CnAudio *audio, CnVoice voice)
{
    CN_ASSERT(audio, "%s: audio is NULL", __func__);
    const CniAudioVoice *found = cni_audio_voice(audio, voice);
    return found ? found->place : cn_vec3(0, 0, 0);
}

bool cn_voice_is_spatial(const CnAudio *audio, CnVoice voice)
{
    CN_ASSERT(audio, "%s: audio is NULL", __func__);
    const CniAudioVoice *found = cni_audio_voice(audio, voice);
    return found && found->is_spatial;
}

CnVoice cn_audio_next_spatial(const CnAudio *audio, CnVoice voice)
{
    CN_ASSERT(audio, "%s: audio is NULL", __func__);
    for (uint32_t i = voice.id ? cn_slot_index(voice.id) + 1 : 0; i < audio->voices.count; i++) {
        const CniAudioVoice *found = cn_slot_table_live_at(&audio->voices, i);
        if (found && found->is_spatial)
            return (CnVoice){cn_slot_table_id(&audio->voices, i)};
    }
    return (CnVoice){0};
}
