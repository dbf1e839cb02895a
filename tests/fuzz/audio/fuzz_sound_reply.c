/*
 * What the process cairn-decode returns for a sound: the engine checks all of it. An input is the
 * format of a result, and its contents.
 */
#include "fuzz_surface.h"

#include <cairn/audio/sound.h>
#include <cairn/vfs/decode_job.h>

#include <string.h>

static CnDecodeResult result;
static const uint8_t *contents;

/* Instead of the process. */
bool cn_decode_run(const CnDecodeDesc *desc, CnDecodeOutput *output, CnError *error)
{
    (void)desc, (void)error;
    *output = (CnDecodeOutput){.result = &result, .contents = contents};
    return true;
}

void cn_decode_output_free(CnDecodeOutput *output)
{
    (void)output;
}

enum { HEAD_BYTES = 12 };

static void add_reply(FuzzSeeds *seeds, uint32_t frames, uint32_t channels, uint32_t rate,
                      size_t size)
{
    uint8_t input[256] = {0};
    memcpy(input, &frames, 4);
    memcpy(input + 4, &channels, 4);
    memcpy(input + 8, &rate, 4);
    fuzz_add(seeds, input, HEAD_BYTES + size);
}

static void add_seeds(FuzzSeeds *seeds)
{
    add_reply(seeds, 10, 1, 48000, 20);
    add_reply(seeds, 10, 2, 8000, 40);
    add_reply(seeds, UINT32_MAX, 2, 48000, 40);
    add_reply(seeds, 10, 3, 48000, 60);
    add_reply(seeds, 10, 1, 0, 20);
}

static bool run(const uint8_t *bytes, size_t size)
{
    CnSoundSamples samples;
    CnError error = {0};
    if (size < HEAD_BYTES)
        return false;
    result = (CnDecodeResult){.magic = CN_DECODE_MAGIC, .size = size - HEAD_BYTES};
    memcpy(&result.frames, bytes, 4);
    memcpy(&result.channels, bytes + 4, 4);
    memcpy(&result.sample_rate, bytes + 8, 4);
    contents = bytes + HEAD_BYTES;
    if (!cn_sound_decode(NULL, "x", 1, "fuzz", cn_budget_of(CN_ORIGIN_FOREIGN), &samples, &error)) {
        FUZZ_CHECK(error.code != CN_OK && !samples.samples);
        return false;
    }
    FUZZ_CHECK(samples.frames && samples.channels >= 1 && samples.channels <= 2);
    FUZZ_CHECK((uint64_t)samples.frames * samples.channels * 2 == result.size);
    FUZZ_CHECK(samples.sample_rate >= CN_SOUND_MIN_RATE);
    FUZZ_CHECK(samples.sample_rate <= CN_SOUND_MAX_RATE);
    cn_sound_samples_free(&samples);
    return true;
}

const FuzzSurface fuzz_surface = {.max_bytes = 256, .add_seeds = add_seeds, .run = run};
