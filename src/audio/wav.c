#include <cairn/audio/wav.h>
#include <cairn/base/assert.h>

#include <string.h>

#define HEADER_BYTES 44u
#define BLOCK_FRAMES 1024u
#define FRAME_BYTES 4u

struct CnWavWriter {
    CnAllocator *allocator;
    CnFileSystem *files;
    CnFile *file;
    uint32_t sample_rate;
    uint64_t frames;
};

CnWavWriter *cn_wav_create(CnAllocator *allocator, CnFileSystem *files, const char *path,
                           uint32_t sample_rate, CnError *error)
{
    CN_ASSERT(files, "%s: files is NULL", __func__);
    CN_ASSERT(path, "%s: path is NULL", __func__);
    CN_REPORT_UNHANDLED(error, "audio", NULL);
    CnWavWriter *wav = cn_alloc_zeroed(allocator, sizeof *wav);
    if (!wav) {
        cn_error_memory(error, "sound file %s", path);
        return NULL;
    }
    *wav = (CnWavWriter){.allocator = allocator, .files = files, .sample_rate = sample_rate};
    uint8_t empty[HEADER_BYTES] = {0};
    if (!files->open(files, path, CN_FILE_WRITE, &wav->file, error)) {
        cn_free(allocator, wav, sizeof *wav);
        return NULL;
    }
    if (files->write(files, wav->file, 0, empty, sizeof empty, error))
        return wav;
    files->close(files, wav->file);
    cn_free(allocator, wav, sizeof *wav);
    return NULL;
}

static void put(uint8_t *bytes, uint32_t value, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        bytes[i] = (uint8_t)(value >> 8 * i);
}

static void put_sample(uint8_t *bytes, float value)
{
    float scaled = value * 32767.0f;
    int32_t rounded = !(scaled > -32767.0f) ? -32767 /* also not a number */
                      : scaled < 32767.0f   ? (int32_t)(scaled + (scaled < 0 ? -0.5f : 0.5f))
                                            : 32767;
    put(bytes, (uint32_t)rounded, 2);
}

bool cn_wav_write(CnWavWriter *wav, const float *stereo, uint32_t frames, CnError *error)
{
    CN_ASSERT(wav, "%s: wav is NULL", __func__);
    CN_ASSERT(stereo || !frames, "%s: stereo is NULL", __func__);
    CN_REPORT_UNHANDLED(error, "audio", NULL);
    uint8_t block[BLOCK_FRAMES * FRAME_BYTES];
    while (frames) {
        uint32_t count = frames < BLOCK_FRAMES ? frames : BLOCK_FRAMES;
        for (uint32_t i = 0; i < 2 * count; i++)
            put_sample(block + 2 * (size_t)i, stereo[i]);
        if (!wav->files->write(wav->files, wav->file, HEADER_BYTES + wav->frames * FRAME_BYTES,
                               block, (size_t)count * FRAME_BYTES, error))
            return false;
        wav->frames += count;
        stereo += 2 * (size_t)count;
        frames -= count;
    }
    return true;
}

bool cn_wav_finish(CnWavWriter *wav, CnError *error)
{
    if (!wav)
        return true;
    CN_REPORT_UNHANDLED(error, "audio", NULL);
    /* A file that is too long for the header keeps its samples; readers take what there is. */
    uint64_t bytes = wav->frames * FRAME_BYTES;
    uint32_t data_bytes =
        bytes < UINT32_MAX - HEADER_BYTES ? (uint32_t)bytes : UINT32_MAX - HEADER_BYTES;
    uint8_t header[HEADER_BYTES] = "RIFF....WAVEfmt ";
    put(header + 4, data_bytes + HEADER_BYTES - 8, 4);
    put(header + 16, 16, 4); /* bytes of the format */
    put(header + 20, 1, 2);  /* PCM */
    put(header + 22, 2, 2);  /* channels */
    put(header + 24, wav->sample_rate, 4);
    put(header + 28, wav->sample_rate * FRAME_BYTES, 4); /* bytes a second */
    put(header + 32, FRAME_BYTES, 2);
    put(header + 34, 16, 2); /* bits */
    memcpy(header + 36, "data", 4);
    put(header + 40, data_bytes, 4);
    bool is_good = wav->files->write(wav->files, wav->file, 0, header, sizeof header, error);
    wav->files->close(wav->files, wav->file);
    cn_free(wav->allocator, wav, sizeof *wav);
    return is_good;
}
