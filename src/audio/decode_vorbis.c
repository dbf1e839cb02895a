/* Ogg Vorbis through libvorbisfile. */
#include "audio/decode.h"

#include <string.h>

/* ---- A file in memory ---- */

static size_t read_bytes(void *to, size_t item_bytes, size_t count, void *user)
{
    CniAudioDecoder *decoder = user;
    size_t left = decoder->size - decoder->offset;
    if (!item_bytes)
        return 0;
    count = count < left / item_bytes ? count : left / item_bytes;
    if (count)
        memcpy(to, decoder->bytes + decoder->offset, count * item_bytes);
    decoder->offset += count * item_bytes;
    return count;
}

static int seek_bytes(void *user, ogg_int64_t offset, int whence)
{
    CniAudioDecoder *decoder = user;
    ogg_int64_t size = (ogg_int64_t)decoder->size;
    ogg_int64_t from = whence == SEEK_SET   ? 0
                       : whence == SEEK_CUR ? (ogg_int64_t)decoder->offset
                                            : size;
    if (offset < -from || offset > size - from)
        return -1;
    decoder->offset = (size_t)(from + offset);
    return 0;
}

static long tell_bytes(void *user)
{
    return (long)((const CniAudioDecoder *)user)->offset;
}

/* ---- Decoding ---- */

bool cni_audio_vorbis_open(CniAudioDecoder *decoder, const char *name, CnError *error)
{
    static const ov_callbacks callbacks = {
        .read_func = read_bytes, .seek_func = seek_bytes, .tell_func = tell_bytes};
    int status = ov_open_callbacks(decoder, &decoder->vorbis, NULL, 0, callbacks);
    if (status == OV_EFAULT)
        return cn_error_memory(error, "sound %s", name);
    if (status < 0)
        return cn_error_set_at(error, CN_ERROR_FORMAT, name, 0, 0,
                               "the file is not Ogg Vorbis, or is damaged");
    const vorbis_info *info = ov_info(&decoder->vorbis, -1);
    ogg_int64_t frames = ov_pcm_total(&decoder->vorbis, -1);
    if (info && info->channels > 0 && info->channels <= 2 && info->rate > 0 && frames >= 0) {
        decoder->channels = (uint32_t)info->channels;
        decoder->sample_rate = info->rate <= CN_SOUND_MAX_RATE ? (uint32_t)info->rate : 0;
        decoder->frames = (uint64_t)frames;
        return true;
    }
    ov_clear(&decoder->vorbis);
    return cn_error_set_at(error, CN_ERROR_FORMAT, name, 0, 0,
                           "the Vorbis file has neither one nor two channels, or no length");
}

void cni_audio_vorbis_close(CniAudioDecoder *decoder)
{
    ov_clear(&decoder->vorbis);
}

/* A file may consist of several streams; only those with the format of the first can be heard. */
static bool has_same_format(CniAudioDecoder *decoder, int link)
{
    const vorbis_info *info = ov_info(&decoder->vorbis, link);
    return info && (uint32_t)info->channels == decoder->channels &&
           info->rate == (long)decoder->sample_rate;
}

uint32_t cni_audio_vorbis_read(CniAudioDecoder *decoder, int16_t *samples, uint32_t frames)
{
    uint32_t done = 0, frame_bytes = decoder->channels * 2;
    uint64_t left = decoder->frames - decoder->position;
    frames = left < frames ? (uint32_t)left : frames;
    while (done < frames) {
        int link = 0;
        uint32_t wanted = (frames - done) * frame_bytes;
        wanted = wanted < 1u << 16 ? wanted : 1u << 16;
        long got = ov_read(&decoder->vorbis, (char *)(samples + (size_t)done * decoder->channels),
                           (int)wanted, 0, 2, 1, &link);
        if (got == OV_HOLE)
            continue; /* data is missing: go on behind the gap */
        if (got <= 0 || !has_same_format(decoder, link))
            break;
        done += (uint32_t)got / frame_bytes;
    }
    return done;
}

bool cni_audio_vorbis_seek(CniAudioDecoder *decoder, uint64_t frame)
{
    return ov_pcm_seek(&decoder->vorbis, (ogg_int64_t)frame) == 0;
}
