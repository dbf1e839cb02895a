/*
 * Writes WAV files, while the samples are produced.
 *
 *     CnWavWriter *wav = cn_wav_create(NULL, cn_native_files(), "out.wav", 48000, &error);
 *     float stereo[2 * 800];
 *     cn_audio_update(audio, 800 / 48000.0);
 *     cn_audio_render(audio, stereo, 800);
 *     cn_wav_write(wav, stereo, 800, &error);
 *     cn_wav_finish(wav, &error); // frees it, too
 */
#ifndef CAIRN_AUDIO_WAV_H
#define CAIRN_AUDIO_WAV_H

#include <cairn/base/file.h>
#include <cairn/base/memory.h>

CN_EXTERN_C_BEGIN

typedef struct CnWavWriter CnWavWriter;

/* Creates a file of 16-bit stereo samples. Returns NULL and an error on failure. */
CN_API CnWavWriter *cn_wav_create(CnAllocator *allocator, CnFileSystem *files, const char *path,
                                  uint32_t sample_rate, CnError *error);
/* Appends frames of two samples each, from -1 to 1; larger values are clamped. */
CN_API bool cn_wav_write(CnWavWriter *wav, const float *stereo, uint32_t frames, CnError *error);
/* Writes the header, closes the file and frees the writer, also on failure. NULL is ignored. */
CN_API bool cn_wav_finish(CnWavWriter *wav, CnError *error);

CN_EXTERN_C_END

#endif
