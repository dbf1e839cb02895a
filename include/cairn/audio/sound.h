/*
 * Sounds: samples in memory, or compressed data that is decoded while it plays.
 *
 *     static int16_t beep[4800]; // filled by the program
 *     CnSound made = cn_sound_create(audio, &(CnSoundDesc){
 *         .samples = beep, .frames = 4800, .channels = 1, .sample_rate = 48000}, &error);
 *     CnSound step = cn_sound_load(audio, cn_native_files(), "step.ogg", &error);
 *     CnSound song = cn_sound_load_stream(audio, cn_native_files(), "song.ogg", &error);
 *     printf("%g seconds\n", cn_sound_seconds(audio, song));
 *
 * Files are WAV (PCM of 8, 16, 24 or 32 bits, or 32-bit float) or Ogg Vorbis, with one or two
 * channels and 8,000 to 192,000 samples a second; the content decides, not the name. Sounds that
 * play in space are mono. The budget of the file's origin (cairn/base/origin.h) limits the size of
 * the file and the decoded samples (sound_bytes). Files of foreign origin are decoded in the helper
 * process, which the functions wait for (cairn/vfs/decoder.h).
 */
#ifndef CAIRN_AUDIO_SOUND_H
#define CAIRN_AUDIO_SOUND_H

#include <cairn/audio/audio.h>
#include <cairn/base/file.h>

CN_EXTERN_C_BEGIN

#define CN_SOUND_MIN_RATE 8000u
#define CN_SOUND_MAX_RATE 192000u

typedef struct CnSoundDesc {
    const int16_t *samples; /* frames x channels, interleaved; copied */
    uint32_t frames;        /* at least 1 */
    uint32_t channels;      /* 1 or 2 */
    uint32_t sample_rate;
} CnSoundDesc;

/* Creates a sound. Returns null and sets the error if the description is not valid or a limit is
 * exceeded, or when out of memory. */
CN_API CnSound cn_sound_create(CnAudio *audio, const CnSoundDesc *desc, CnError *error);
/* Reads and decodes a file. Returns null and an error on failure. */
CN_API CnSound cn_sound_load(CnAudio *audio, CnFileSystem *files, const char *path, CnError *error);
/* Reads a file and keeps its bytes; every voice decodes them while it plays. For music and other
 * long sounds. A WAV file is accepted, too. A file of foreign origin is decoded whole. */
CN_API CnSound cn_sound_load_stream(CnAudio *audio, CnFileSystem *files, const char *path,
                                    CnError *error);
/* Decodes a file in memory. `name` appears in errors; `budget` NULL selects that of a file that a
 * person opened. */
CN_API CnSound cn_sound_read(CnAudio *audio, const void *bytes, size_t size, const char *name,
                             const CnBudget *budget, CnError *error);
/* The same as cn_sound_load and cn_sound_read, but decode on the thread of streamed sounds. A voice
 * that is started earlier waits, and begins where it was to begin once the sound is decoded. A
 * sound that cannot be decoded is logged and silent: its voices end. Without a real device there is
 * no such thread, and they decode at once, so that output is deterministic.
 *     cn_sound_read_background does not copy: the bytes must stay until cn_sound_is_loading returns
 * false or the sound is destroyed. */
CN_API CnSound cn_sound_load_background(CnAudio *audio, CnFileSystem *files, const char *path,
                                        CnError *error);
CN_API CnSound cn_sound_read_background(CnAudio *audio, const void *bytes, size_t size,
                                        const char *name, const CnBudget *budget, CnError *error);
/* Returns whether it is still decoded; its duration and its channels are 0 until then. */
CN_API bool cn_sound_is_loading(const CnAudio *audio, CnSound sound);
/* Ends its voices at once and frees the sound. */
CN_API void cn_sound_destroy(CnAudio *audio, CnSound sound);

CN_API bool cn_sound_exists(const CnAudio *audio, CnSound sound);
/* Returns the duration at the normal pitch; 0 for null. */
CN_API double cn_sound_seconds(const CnAudio *audio, CnSound sound);
CN_API uint32_t cn_sound_channels(const CnAudio *audio, CnSound sound);

/* ---- Decoding without playing, for tools and tests ---- */

typedef struct CnSoundSamples {
    CnAllocator *allocator;
    int16_t *samples; /* frames x channels, interleaved */
    uint32_t frames, channels, sample_rate;
} CnSoundSamples;

/* Decodes a file in memory. On failure *samples is empty. */
CN_API bool cn_sound_decode(CnAllocator *allocator, const void *bytes, size_t size,
                            const char *name, const CnBudget *budget, CnSoundSamples *samples,
                            CnError *error);
CN_API void cn_sound_samples_free(CnSoundSamples *samples);

CN_EXTERN_C_END

#endif
