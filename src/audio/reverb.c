/* The reverb: transitions between spaces, and its effect in OpenAL. */
#include "audio/audio_internal.h"

#include <cairn/base/assert.h>

static float or_default(float value, float when_zero)
{
    return value == 0 ? when_zero : value;
}

static CnReverb with_defaults(const CnReverb *reverb)
{
    CnReverb none = {0};
    const CnReverb *from = reverb ? reverb : &none;
    return (CnReverb){.gain = cni_audio_clamp(from->gain, 0, 1),
                      .decay_seconds =
                          cni_audio_clamp(or_default(from->decay_seconds, 1), 0.1f, 20),
                      .high_decay = cni_audio_clamp(or_default(from->high_decay, 0.8f), 0.1f, 2),
                      .high_gain = cni_audio_clamp(or_default(from->high_gain, 0.9f), 0, 1),
                      .reflections_gain = cni_audio_clamp(from->reflections_gain, 0, 3.16f),
                      .reflections_delay = cni_audio_clamp(from->reflections_delay, 0, 0.3f),
                      .late_delay = cni_audio_clamp(from->late_delay, 0, 0.1f),
                      .density = cni_audio_clamp(or_default(from->density, 1), 0, 1),
                      .diffusion = cni_audio_clamp(or_default(from->diffusion, 1), 0, 1),
                      .muffle = cni_audio_clamp(or_default(from->muffle, 1), 0, 1)};
}

void cn_audio_set_reverb(CnAudio *audio, const CnReverb *reverb, float fade_seconds)
{
    CN_ASSERT(audio, "%s: audio is NULL", __func__);
    CniAudioReverbState *state = &audio->reverb;
    CnReverb to = with_defaults(reverb);
    if (!reverb) { /* only the level decreases */
        float muffle = to.muffle;
        to = state->to;
        to.gain = to.reflections_gain = 0;
        to.muffle = muffle;
        if (to.decay_seconds == 0)
            to = with_defaults(NULL);
    }
    state->from = state->now;
    state->to = to;
    state->progress = 0;
    state->seconds = fade_seconds > CNI_AUDIO_MIN_FADE ? fade_seconds : CNI_AUDIO_MIN_FADE;
    cni_audio_ramp_to(&audio->muffle, to.muffle, fade_seconds);
}

CnReverb cn_audio_reverb(const CnAudio *audio)
{
    CN_ASSERT(audio, "%s: audio is NULL", __func__);
    return audio->reverb.to;
}

static float mix(float from, float to, float part)
{
    return from + (to - from) * part;
}

static CnReverb mix_all(const CnReverb *from, const CnReverb *to, float part)
{
    return (CnReverb){.gain = mix(from->gain, to->gain, part),
                      .decay_seconds = mix(from->decay_seconds, to->decay_seconds, part),
                      .high_decay = mix(from->high_decay, to->high_decay, part),
                      .high_gain = mix(from->high_gain, to->high_gain, part),
                      .reflections_gain = mix(from->reflections_gain, to->reflections_gain, part),
                      .reflections_delay =
                          mix(from->reflections_delay, to->reflections_delay, part),
                      .late_delay = mix(from->late_delay, to->late_delay, part),
                      .density = mix(from->density, to->density, part),
                      .diffusion = mix(from->diffusion, to->diffusion, part),
                      .muffle = mix(from->muffle, to->muffle, part)};
}

/* A reverb that was silent takes its new form at once. */
static void send(CnAudio *audio)
{
    const CniAudioAl *al = &audio->al;
    const CnReverb *now = &audio->reverb.now;
    ALuint effect = audio->effect;
    /* At gain 1, OpenAL's late reverberation is about as loud as the sound itself. */
    al->alEffectf(effect, AL_EAXREVERB_GAIN, 1);
    al->alEffectf(effect, AL_EAXREVERB_LATE_REVERB_GAIN, now->gain);
    al->alEffectf(effect, AL_EAXREVERB_REFLECTIONS_GAIN, now->reflections_gain);
    al->alEffectf(effect, AL_EAXREVERB_DECAY_TIME, now->decay_seconds);
    al->alEffectf(effect, AL_EAXREVERB_DECAY_HFRATIO, now->high_decay);
    al->alEffectf(effect, AL_EAXREVERB_GAINHF, now->high_gain);
    al->alEffectf(effect, AL_EAXREVERB_REFLECTIONS_DELAY, now->reflections_delay);
    al->alEffectf(effect, AL_EAXREVERB_LATE_REVERB_DELAY, now->late_delay);
    al->alEffectf(effect, AL_EAXREVERB_DENSITY, now->density);
    al->alEffectf(effect, AL_EAXREVERB_DIFFUSION, now->diffusion);
    al->alAuxiliaryEffectSloti(audio->effect_slot, AL_EFFECTSLOT_EFFECT, (ALint)effect);
    audio->reverb.is_sent = true;
}

void cni_audio_reverb_update(CnAudio *audio, float seconds)
{
    CniAudioReverbState *state = &audio->reverb;
    bool is_moving = state->progress < 1;
    if (is_moving) {
        state->progress += seconds / state->seconds;
        state->progress = state->progress < 1 ? state->progress : 1;
        /* Only the level of a space that begins in silence needs a transition. */
        if (state->from.gain + state->from.reflections_gain <= 0) {
            float muffle = state->from.muffle;
            state->from = state->to;
            state->from.gain = state->from.reflections_gain = 0;
            state->from.muffle = muffle;
        }
        state->now = mix_all(&state->from, &state->to, state->progress);
    }
    if (audio->device && audio->has_effects && (is_moving || !state->is_sent))
        send(audio);
}
