#include "audio/decode.h"

#include "audio/foreign.h"

#include <cairn/base/assert.h>

#include <string.h>

static bool check(const CniAudioDecoder *decoder, const char *name, CnError *error)
{
    if (!decoder->frames)
        return cn_error_set_at(error, CN_ERROR_FORMAT, name, 0, 0, "the sound has no samples");
    if (decoder->frames > UINT32_MAX)
        return cn_error_set_at(error, CN_ERROR_LIMIT, name, 0, 0, "the sound is too long");
    if (decoder->sample_rate >= CN_SOUND_MIN_RATE && decoder->sample_rate <= CN_SOUND_MAX_RATE)
        return true;
    return cn_error_set_at(error, CN_ERROR_FORMAT, name, 0, 0,
                           "the sample rate is not between %u and %u", CN_SOUND_MIN_RATE,
                           CN_SOUND_MAX_RATE);
}

bool cni_audio_decoder_open(CniAudioDecoder *decoder, const uint8_t *bytes, size_t size,
                            const char *name, CnError *error)
{
    *decoder = (CniAudioDecoder){.bytes = bytes, .size = size};
    if (size >= 12 && !memcmp(bytes, "RIFF", 4) && !memcmp(bytes + 8, "WAVE", 4)) {
        decoder->format = CNI_AUDIO_WAV;
        return cni_audio_wav_open(decoder, name, error) && check(decoder, name, error);
    }
    decoder->format = CNI_AUDIO_VORBIS;
    if (size < 4 || memcmp(bytes, "OggS", 4))
        return cn_error_set_at(error, CN_ERROR_FORMAT, name, 0, 0,
                               "the file is neither WAV nor Ogg Vorbis");
    if (!cni_audio_vorbis_open(decoder, name, error))
        return false;
    if (check(decoder, name, error))
        return true;
    cni_audio_vorbis_close(decoder);
    return false;
}

void cni_audio_decoder_close(CniAudioDecoder *decoder)
{
    if (decoder->format == CNI_AUDIO_VORBIS)
        cni_audio_vorbis_close(decoder);
}

uint32_t cni_audio_decoder_read(CniAudioDecoder *decoder, int16_t *samples, uint32_t frames)
{
    uint32_t count = decoder->format == CNI_AUDIO_WAV
                         ? cni_audio_wav_read(decoder, samples, frames)
                         : cni_audio_vorbis_read(decoder, samples, frames);
    decoder->position += count;
    return count;
}

bool cni_audio_decoder_seek(CniAudioDecoder *decoder, uint64_t frame)
{
    frame = frame < decoder->frames ? frame : decoder->frames - 1;
    if (decoder->format == CNI_AUDIO_VORBIS && !cni_audio_vorbis_seek(decoder, frame))
        return false;
    decoder->position = frame;
    return true;
}

/* ---- Whole sounds ---- */

static bool decode_all(CniAudioDecoder *decoder, CnSoundSamples *samples, const char *name,
                       CnError *error)
{
    uint32_t frames = (uint32_t)decoder->frames, done = 0, got;
    size_t frame_bytes = decoder->channels * sizeof *samples->samples;
    samples->samples = cn_alloc(samples->allocator, frames * frame_bytes);
    if (!samples->samples)
        return cn_error_memory(error, "sound %s", name);
    do {
        got = cni_audio_decoder_read(decoder, samples->samples + (size_t)done * decoder->channels,
                                     frames - done);
        done += got;
    } while (got && done < frames);
    /* Where damaged data ends early, the rest is silent. */
    memset((char *)samples->samples + done * frame_bytes, 0, (frames - done) * frame_bytes);
    samples->frames = frames;
    samples->channels = decoder->channels;
    samples->sample_rate = decoder->sample_rate;
    return true;
}

bool cni_audio_sound_decode(CnAllocator *allocator, const void *bytes, size_t size,
                            const char *name, const CnBudget *budget, CnSoundSamples *samples,
                            CnError *error)
{
    CniAudioDecoder decoder;
    *samples = (CnSoundSamples){.allocator = allocator};
    if (!cni_audio_decoder_open(&decoder, bytes, size, name, error))
        return false;
    uint64_t sound_bytes = decoder.frames * decoder.channels * sizeof *samples->samples;
    bool is_good = sound_bytes <= budget->sound_bytes
                       ? decode_all(&decoder, samples, name, error)
                       : cn_budget_refuse(error, budget, name, "sound_bytes", sound_bytes,
                                          budget->sound_bytes);
    cni_audio_decoder_close(&decoder);
    return is_good;
}

bool cn_sound_decode(CnAllocator *allocator, const void *bytes, size_t size, const char *name,
                     const CnBudget *budget, CnSoundSamples *samples, CnError *error)
{
    CN_ASSERT(bytes || !size, "%s: bytes is NULL", __func__);
    CN_ASSERT(name, "%s: name is NULL", __func__);
    CN_ASSERT(samples, "%s: samples is NULL", __func__);
    budget = budget ? budget : cn_budget_of(CN_ORIGIN_USER);
    return budget->origin == CN_ORIGIN_FOREIGN
               ? cni_audio_sound_decode_foreign(allocator, bytes, size, name, budget, samples,
                                                error)
               : cni_audio_sound_decode(allocator, bytes, size, name, budget, samples, error);
}

void cn_sound_samples_free(CnSoundSamples *samples)
{
    CN_ASSERT(samples, "%s: samples is NULL", __func__);
    cn_free(samples->allocator, samples->samples,
            (size_t)samples->frames * samples->channels * sizeof *samples->samples);
    *samples = (CnSoundSamples){.allocator = samples->allocator};
}
