/* Selects the voices that are mixed: by priority, then by level at the listener. */
#include "audio/audio_internal.h"

#include "audio/select.h"

#include <string.h>

#define INAUDIBLE 0.0005f /* -66 dB */
#define KEEP_FACTOR 1.25f /* a mixed voice is replaced only by one that is clearly louder */
#define INDEX_MASK 0xFFFFFFu

float cni_audio_attenuation(const CniAudioVoice *voice, float distance)
{
    float reference = voice->reference_distance, most = voice->max_distance;
    if (!(distance < 2 * most)) /* also not a number */
        return 0;
    float clamped = cni_audio_clamp(distance, reference, most);
    float below = reference + voice->rolloff * (clamped - reference);
    float gain = below > 0 ? reference / below : 1;
    return distance > most ? gain * (2 - distance / most) : gain;
}

void cni_audio_measure(const CnAudio *audio, CniAudioVoice *voice)
{
    voice->attenuation =
        voice->is_spatial
            ? cni_audio_attenuation(
                  voice, cn_vec3_length(cn_vec3_sub(voice->place, audio->listener.position)))
            : 1;
    float fade = voice->is_stopping ? voice->fade.value : cni_audio_ramp_most(&voice->fade);
    voice->level = fade * voice->attenuation * cni_audio_ramp_most(&voice->gain) *
                   cni_audio_ramp_most(&audio->buses[voice->bus]) *
                   cni_audio_ramp_most(&audio->buses[CN_AUDIO_BUS_MASTER]);
}

uint64_t cni_audio_importance(const CniAudioVoice *voice, uint32_t index)
{
    float level = voice->source ? voice->level * KEEP_FACTOR : voice->level;
    uint32_t bits;
    memcpy(&bits, &level, sizeof bits); /* floats that are not negative have the order of bits */
    return (uint64_t)(voice->priority + 128) << 56 | (uint64_t)bits << 24 |
           (INDEX_MASK - (index & INDEX_MASK));
}

/* Moves the `wanted` largest keys to the front (quickselect); keys differ from each other. */
static void move_largest_to_front(uint64_t *keys, uint32_t count, uint32_t wanted)
{
    uint32_t low = 0, high = count; /* the border at `wanted` lies in [low, high) */
    while (high - low > 1) {
        uint64_t pivot = keys[low + (high - low) / 2];
        uint32_t left = low, right = high - 1;
        for (;;) {
            while (keys[left] > pivot)
                left++;
            while (keys[right] < pivot)
                right--;
            if (left >= right)
                break;
            uint64_t swapped = keys[left];
            keys[left] = keys[right];
            keys[right] = swapped;
        }
        /* keys[left] is the pivot: larger ones lie before it. */
        if (left == wanted)
            return;
        if (left > wanted)
            high = left;
        else
            low = left + 1;
    }
}

static bool can_be_heard(const CnAudio *audio, const CniAudioVoice *voice)
{
    return !voice->is_paused && !voice->is_waiting && !audio->paused_buses[voice->bus] &&
           !audio->paused_buses[CN_AUDIO_BUS_MASTER] && voice->level >= INAUDIBLE;
}

void cni_audio_select(CnAudio *audio)
{
    uint32_t count = 0, most = audio->desc.max_voices;
    for (uint32_t i = 0; i < audio->voices.count; i++) {
        CniAudioVoice *voice = cn_slot_table_live_at(&audio->voices, i);
        if (!voice)
            continue;
        cni_audio_measure(audio, voice);
        voice->is_wanted = can_be_heard(audio, voice);
        if (voice->is_wanted && count < audio->desc.max_playing)
            audio->keys[count++] = cni_audio_importance(voice, i);
    }
    if (count <= most)
        return;
    move_largest_to_front(audio->keys, count, most);
    for (uint32_t i = most; i < count; i++) {
        uint32_t index = INDEX_MASK - (uint32_t)(audio->keys[i] & INDEX_MASK);
        ((CniAudioVoice *)cn_slot_table_at(&audio->voices, index))->is_wanted = false;
    }
}
