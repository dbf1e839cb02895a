/* OpenAL sources: what a mixed voice sends to OpenAL. */
#include "audio/audio_internal.h"

#include <cairn/base/math.h>

#include <math.h>

#define SPEED_OF_SOUND 343.0f
/* OpenAL skips filters that do nothing; one that begins later would click. */
#define NO_LOWPASS 0.999f

/* ---- Parameters ---- */

static float doppler(const CnAudio *audio, const CniAudioVoice *voice)
{
    if (!audio->desc.doppler || !voice->is_spatial)
        return 1;
    CnVec3 towards = cn_vec3_normalize(cn_vec3_sub(audio->listener.position, voice->place));
    float limit = SPEED_OF_SOUND / 2;
    float source = cni_audio_clamp(cn_vec3_dot(voice->velocity, towards), -limit, limit);
    float listener = cni_audio_clamp(cn_vec3_dot(audio->listener.velocity, towards), -limit, limit);
    return (SPEED_OF_SOUND - listener) / (SPEED_OF_SOUND - source);
}

/* The place of a voice as seen by the listener. */
static CnVec3 relative_place(const CnAudio *audio, const CniAudioVoice *voice)
{
    if (!voice->is_spatial || !voice->is_mono)
        return cn_vec3(0, 0, 0);
    CnVec3 way = cn_vec3_sub(voice->place, audio->listener.position);
    return cn_quat_rotate(cn_quat_inverse(audio->listener.rotation), way);
}

static CniAudioParameters parameters_of(const CnAudio *audio, const CniAudioVoice *voice,
                                        bool is_silent)
{
    float gain = voice->gain.value * voice->fade.value * audio->buses[voice->bus].value *
                 audio->buses[CN_AUDIO_BUS_MASTER].value;
    float muffle = voice->is_spatial ? audio->muffle.value : 1;
    float direct = voice->occlusion.value;
    if (audio->has_effects) {
        /* Reverb decreases less with distance than the direct sound. */
        float root = cn_sqrtf(voice->attenuation);
        gain *= root;
        direct *= root;
    } else {
        gain *= voice->attenuation * direct;
    }
    return (CniAudioParameters){.gain = is_silent ? 0 : gain,
                                .pitch = voice->pitch * doppler(audio, voice),
                                .place = relative_place(audio, voice),
                                .direct_gain = direct,
                                .direct_high =
                                    voice->lowpass.value * voice->occlusion_lowpass.value * muffle,
                                .send_high = voice->lowpass.value};
}

static bool differs(float a, float b)
{
    return a != b;
}

static void send_filters(CnAudio *audio, CniAudioSource *source, const CniAudioParameters *now,
                         bool has_reverb)
{
    const CniAudioAl *al = &audio->al;
    CniAudioParameters *sent = &source->sent;
    if (differs(now->direct_gain, sent->direct_gain) ||
        differs(now->direct_high, sent->direct_high)) {
        al->alFilterf(audio->direct_filter, AL_LOWPASS_GAIN,
                      cni_audio_clamp(now->direct_gain, 0, 1));
        al->alFilterf(audio->direct_filter, AL_LOWPASS_GAINHF,
                      cni_audio_clamp(now->direct_high, 0, NO_LOWPASS));
        al->alSourcei(source->name, AL_DIRECT_FILTER, (ALint)audio->direct_filter);
    }
    if (has_reverb && differs(now->send_high, sent->send_high)) {
        al->alFilterf(audio->send_filter, AL_LOWPASS_GAIN, 1);
        al->alFilterf(audio->send_filter, AL_LOWPASS_GAINHF,
                      cni_audio_clamp(now->send_high, 0, NO_LOWPASS));
        al->alSource3i(source->name, AL_AUXILIARY_SEND_FILTER, (ALint)audio->effect_slot, 0,
                       (ALint)audio->send_filter);
    }
}

void cni_audio_source_send(CnAudio *audio, const CniAudioVoice *voice)
{
    const CniAudioAl *al = &audio->al;
    CniAudioSource *source = &audio->sources[voice->source - 1];
    CniAudioParameters now = parameters_of(audio, voice, source->is_silent_start);
    CniAudioParameters *sent = &source->sent;
    if (audio->has_effects)
        send_filters(audio, source, &now, voice->has_reverb);
    if (differs(now.gain, sent->gain))
        al->alSourcef(source->name, AL_GAIN, now.gain);
    if (differs(now.pitch, sent->pitch))
        al->alSourcef(source->name, AL_PITCH, now.pitch);
    if (differs(now.place.x, sent->place.x) || differs(now.place.y, sent->place.y) ||
        differs(now.place.z, sent->place.z))
        al->alSource3f(source->name, AL_POSITION, now.place.x, now.place.y, now.place.z);
    *sent = now;
    source->is_silent_start = false;
}

/* ---- Start and end ---- */

static CniAudioSource *find_free(CnAudio *audio)
{
    for (uint32_t i = 0; i < audio->desc.max_voices; i++)
        if (audio->sources[i].state == CNI_AUDIO_SOURCE_FREE)
            return &audio->sources[i];
    return NULL;
}

/* Attaches the samples of a sound. */
static bool attach(CnAudio *audio, CniAudioSource *source, const CniAudioVoice *voice)
{
    const CniAudioAl *al = &audio->al;
    CniAudioSound *sound = cni_audio_sound(audio, voice->sound);
    if (!sound)
        return false;
    uint32_t frame = (uint32_t)voice->position;
    if (voice->is_streamed) {
        if (!source->buffers[0])
            al->alGenBuffers(CNI_AUDIO_STREAM_CHUNKS, source->buffers);
        source->stream = cni_audio_stream_start(&audio->streams, sound->file.data, sound->file.size,
                                                frame, voice->loops);
        source->queued = source->next_buffer = 0;
        source->is_streaming = false;
        return source->stream != NULL;
    }
    if (!cni_audio_sound_upload(audio, sound))
        return false;
    al->alSourcei(source->name, AL_BUFFER, (ALint)sound->buffer);
    al->alSourcei(source->name, AL_LOOPING, voice->loops);
    if (frame)
        al->alSourcei(source->name, AL_SAMPLE_OFFSET, (ALint)frame);
    return true;
}

static void configure(CnAudio *audio, CniAudioSource *source, const CniAudioVoice *voice)
{
    const CniAudioAl *al = &audio->al;
    if (audio->has_direct_channels)
        al->alSourcei(source->name, AL_DIRECT_CHANNELS_SOFT, voice->is_mono ? AL_FALSE : AL_TRUE);
    if (audio->has_spatialize)
        al->alSourcei(source->name, AL_SOURCE_SPATIALIZE_SOFT,
                      voice->is_spatial && voice->is_mono ? AL_TRUE : AL_FALSE);
    if (audio->has_effects)
        al->alSource3i(source->name, AL_AUXILIARY_SEND_FILTER, AL_EFFECTSLOT_NULL, 0,
                       AL_FILTER_NULL);
    /* So that every parameter differs and is sent. */
    source->sent = (CniAudioParameters){NAN, NAN, {NAN, NAN, NAN}, NAN, NAN, NAN};
}

void cni_audio_source_start(CnAudio *audio, CniAudioVoice *voice, uint32_t id)
{
    CniAudioSource *source = find_free(audio);
    if (!source || (!voice->loops && voice->position >= voice->frames) ||
        !attach(audio, source, voice))
        return;
    configure(audio, source, voice);
    source->state = CNI_AUDIO_SOURCE_PLAYING;
    source->voice = id;
    source->is_silent_start = voice->position > 0;
    voice->source = (uint32_t)(source - audio->sources) + 1;
    cni_audio_source_send(audio, voice);
    if (!voice->is_streamed)
        audio->al.alSourcePlay(source->name);
    audio->stats.became_mixed++;
}

/* OpenAL's clock and ours may differ a little; the voice goes on where it was heard last. */
static void keep_position(CnAudio *audio, CniAudioVoice *voice, const CniAudioSource *source)
{
    ALint state = 0, offset = 0;
    if (voice->is_streamed)
        return;
    audio->al.alGetSourcei(source->name, AL_SOURCE_STATE, &state);
    if (state != AL_PLAYING)
        return;
    audio->al.alGetSourcei(source->name, AL_SAMPLE_OFFSET, &offset);
    voice->position = offset;
}

void cni_audio_source_release(CnAudio *audio, CniAudioVoice *voice)
{
    CniAudioSource *source = &audio->sources[voice->source - 1];
    keep_position(audio, voice, source);
    audio->al.alSourcef(source->name, AL_GAIN, 0);
    source->state = CNI_AUDIO_SOURCE_RELEASED;
    source->voice = 0;
    voice->source = 0;
    audio->stats.became_virtual++;
}

void cni_audio_source_stop(CnAudio *audio, CniAudioSource *source)
{
    const CniAudioAl *al = &audio->al;
    al->alSourceRewind(source->name);
    al->alSourcei(source->name, AL_BUFFER, 0);
    if (source->stream)
        cni_audio_stream_stop(&audio->streams, source->stream);
    source->stream = NULL;
    source->queued = 0;
    source->voice = 0;
    source->state = CNI_AUDIO_SOURCE_FREE;
}

bool cni_audio_source_has_stopped(CnAudio *audio, const CniAudioVoice *voice)
{
    const CniAudioSource *source = &audio->sources[voice->source - 1];
    ALint state = AL_STOPPED;
    if (source->stream &&
        !(atomic_load_explicit(&source->stream->is_at_end, memory_order_acquire) &&
          source->is_streaming))
        return false;
    audio->al.alGetSourcei(source->name, AL_SOURCE_STATE, &state);
    return state == AL_STOPPED;
}

/* ---- Streams ---- */

static void unqueue(CnAudio *audio, CniAudioSource *source)
{
    ALint processed = 0;
    audio->al.alGetSourcei(source->name, AL_BUFFERS_PROCESSED, &processed);
    for (; processed > 0 && source->queued; processed--) {
        ALuint buffer;
        audio->al.alSourceUnqueueBuffers(source->name, 1, &buffer);
        source->queued--;
    }
}

void cni_audio_source_feed(CnAudio *audio, CniAudioSource *source)
{
    const CniAudioAl *al = &audio->al;
    CniAudioStream *stream = source->stream;
    if (!stream)
        return;
    uint32_t frames;
    const int16_t *samples;
    bool was_fed = false;
    unqueue(audio, source);
    while (source->queued < CNI_AUDIO_STREAM_CHUNKS &&
           (samples = cni_audio_stream_chunk(&audio->streams, stream, &frames))) {
        ALuint buffer = source->buffers[source->next_buffer++ % CNI_AUDIO_STREAM_CHUNKS];
        uint32_t channels = stream->decoder.channels;
        al->alBufferData(buffer, channels == 2 ? AL_FORMAT_STEREO16 : AL_FORMAT_MONO16, samples,
                         (ALsizei)(frames * channels * sizeof *samples),
                         (ALsizei)stream->decoder.sample_rate);
        al->alSourceQueueBuffers(source->name, 1, &buffer);
        cni_audio_stream_take(&audio->streams, stream);
        source->queued++;
        was_fed = true;
    }
    ALint state = AL_PLAYING;
    al->alGetSourcei(source->name, AL_SOURCE_STATE, &state);
    if (state == AL_PLAYING || !source->queued || !was_fed)
        return;
    if (source->is_streaming)
        audio->stats.underruns++;
    source->is_streaming = true;
    al->alSourcePlay(source->name);
}
