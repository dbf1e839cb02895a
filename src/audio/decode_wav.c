/* WAV files: RIFF chunks "fmt " and "data" with PCM or floats. */
#include "audio/decode.h"

#include <string.h>

enum { PCM = 1, FLOAT = 3, EXTENSIBLE = 0xFFFE };

static uint32_t read_u16(const uint8_t *bytes)
{
    return (uint32_t)bytes[0] | (uint32_t)bytes[1] << 8;
}

static uint32_t read_u32(const uint8_t *bytes)
{
    return read_u16(bytes) | read_u16(bytes + 2) << 16;
}

static bool wrong(CnError *error, const char *name, const char *what)
{
    return cn_error_set_at(error, CN_ERROR_FORMAT, name, 0, 0, "%s", what);
}

static bool read_format(CniAudioDecoder *decoder, const uint8_t *chunk, size_t size,
                        const char *name, CnError *error)
{
    if (size < 16)
        return wrong(error, name, "the format chunk of the WAV file is too short");
    uint32_t tag = read_u16(chunk), bits = read_u16(chunk + 14);
    if (tag == EXTENSIBLE && size >= 26)
        tag = read_u16(chunk + 24);
    decoder->channels = read_u16(chunk + 2);
    decoder->sample_rate = read_u32(chunk + 4);
    decoder->sample_bytes = bits / 8;
    decoder->is_float = tag == FLOAT;
    bool is_known = (tag == PCM && (bits == 8 || bits == 16 || bits == 24 || bits == 32)) ||
                    (tag == FLOAT && bits == 32);
    if (!is_known)
        return wrong(error, name, "the WAV file is neither PCM of 8 to 32 bits nor 32-bit float");
    if (decoder->channels < 1 || decoder->channels > 2)
        return wrong(error, name, "the WAV file has neither one nor two channels");
    return read_u16(chunk + 12) == decoder->channels * decoder->sample_bytes ||
           wrong(error, name, "the block size of the WAV file does not match its format");
}

bool cni_audio_wav_open(CniAudioDecoder *decoder, const char *name, CnError *error)
{
    const uint8_t *bytes = decoder->bytes;
    size_t at = 12, size = decoder->size;
    bool has_format = false;
    while (size - at >= 8) {
        const uint8_t *chunk = bytes + at + 8;
        size_t left = size - at - 8, chunk_bytes = read_u32(bytes + at + 4);
        bool is_data = !memcmp(bytes + at, "data", 4);
        if (is_data && has_format) {
            size_t data_bytes = chunk_bytes < left ? chunk_bytes : left; /* streamed: too large */
            decoder->data = chunk;
            decoder->frames = data_bytes / (decoder->channels * decoder->sample_bytes);
            return true;
        }
        if (chunk_bytes > left)
            break;
        if (!memcmp(bytes + at, "fmt ", 4)) {
            if (!read_format(decoder, chunk, chunk_bytes, name, error))
                return false;
            has_format = true;
        }
        at += 8 + chunk_bytes + (chunk_bytes & 1 && chunk_bytes < left);
    }
    return wrong(error, name, "the WAV file has no data chunk after a format chunk");
}

static int16_t from_float(const uint8_t *bytes)
{
    uint32_t bits = read_u32(bytes);
    float value;
    memcpy(&value, &bits, sizeof value);
    value *= 32767.0f;
    if (!(value > -32768.0f)) /* also not a number */
        return value < 0 ? INT16_MIN : 0;
    return value >= 32767.0f ? INT16_MAX : (int16_t)value;
}

static int16_t sample_at(const CniAudioDecoder *decoder, const uint8_t *bytes)
{
    if (decoder->is_float)
        return from_float(bytes);
    if (decoder->sample_bytes == 1)
        return (int16_t)((bytes[0] - 128) * 256);
    return (int16_t)read_u16(bytes + decoder->sample_bytes - 2); /* the two highest bytes */
}

uint32_t cni_audio_wav_read(CniAudioDecoder *decoder, int16_t *samples, uint32_t frames)
{
    uint64_t left = decoder->frames - decoder->position;
    uint32_t count = left < frames ? (uint32_t)left : frames;
    size_t total = (size_t)count * decoder->channels;
    const uint8_t *from =
        decoder->data + (size_t)decoder->position * decoder->channels * decoder->sample_bytes;
    for (size_t i = 0; i < total; i++)
        samples[i] = sample_at(decoder, from + i * decoder->sample_bytes);
    return count;
}
