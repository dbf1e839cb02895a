#include "audio/foreign.h"

#include <cairn/base/text.h>
#include <cairn/vfs/decode_job.h>

#include <string.h>

/* Trusts nothing of a result. */
static bool is_sound(const CnDecodeResult *result, const CnBudget *budget)
{
    uint64_t bytes = (uint64_t)result->frames * result->channels * sizeof(int16_t);
    return result->frames && result->channels >= 1 && result->channels <= 2 &&
           result->sample_rate >= CN_SOUND_MIN_RATE && result->sample_rate <= CN_SOUND_MAX_RATE &&
           bytes <= budget->sound_bytes && result->size == bytes;
}

static bool take(const CnDecodeOutput *output, const CnDecodeDesc *desc, CnSoundSamples *samples,
                 CnError *error)
{
    const CnDecodeResult result = *output->result;
    if (!is_sound(&result, &desc->job.budget))
        return cn_error_set_at(error, CN_ERROR_FORMAT, desc->job.path, 0, 0,
                               "the decoder returned a sound whose format does not fit its "
                               "samples; the file is made to attack it");
    samples->samples = cn_alloc(samples->allocator, (size_t)result.size);
    if (!samples->samples)
        return cn_error_memory(error, "sound %s", desc->job.path);
    memcpy(samples->samples, output->contents, (size_t)result.size);
    samples->frames = result.frames;
    samples->channels = result.channels;
    samples->sample_rate = result.sample_rate;
    return true;
}

bool cni_audio_sound_decode_foreign(CnAllocator *allocator, const void *bytes, size_t size,
                                    const char *name, const CnBudget *budget,
                                    CnSoundSamples *samples, CnError *error)
{
    CnDecodeDesc desc = {.job = {.kind = CN_DECODE_SOUND,
                                 .budget = *budget,
                                 .input_bytes = size,
                                 .output_bytes = sizeof(CnDecodeResult) + budget->sound_bytes},
                         .bytes = bytes};
    CnDecodeOutput output;
    *samples = (CnSoundSamples){.allocator = allocator};
    if (!cn_copy_text(desc.job.path, sizeof desc.job.path, cn_text(name)))
        return cn_error_set(error, CN_ERROR_LIMIT, "the path of a file is too long: %s", name);
    if (!cn_decode_run(&desc, &output, error))
        return false;
    bool ok = take(&output, &desc, samples, error);
    cn_decode_output_free(&output);
    return ok;
}
