/* Decoders of sound files in memory. The bytes must stay where they are while a decoder is open. */
#ifndef CAIRN_SRC_AUDIO_DECODE_H
#define CAIRN_SRC_AUDIO_DECODE_H

#include <cairn/audio/sound.h>

#include <vorbis/vorbisfile.h>

typedef enum CniAudioFormat { CNI_AUDIO_WAV, CNI_AUDIO_VORBIS } CniAudioFormat;

typedef struct CniAudioDecoder {
    CniAudioFormat format;
    const uint8_t *bytes;
    size_t size, offset; /* `offset`: the read position of the Vorbis file in its bytes */
    uint32_t channels, sample_rate;
    uint64_t frames;   /* in total */
    uint64_t position; /* the next frame */
    /* WAV. */
    const uint8_t *data;
    uint32_t sample_bytes;
    bool is_float;
    /* Vorbis. */
    OggVorbis_File vorbis;
} CniAudioDecoder;

/* Opens a file of either format. Do not move the decoder while it is open. */
bool cni_audio_decoder_open(CniAudioDecoder *decoder, const uint8_t *bytes, size_t size,
                            const char *name, CnError *error);
void cni_audio_decoder_close(CniAudioDecoder *decoder);
/* Decodes up to `frames` frames. Returns their number; 0 at the end and where the data is damaged
 * beyond repair. */
uint32_t cni_audio_decoder_read(CniAudioDecoder *decoder, int16_t *samples, uint32_t frames);
bool cni_audio_decoder_seek(CniAudioDecoder *decoder, uint64_t frame);

/* ---- decode_wav.c, decode_vorbis.c ---- */

bool cni_audio_wav_open(CniAudioDecoder *decoder, const char *name, CnError *error);
uint32_t cni_audio_wav_read(CniAudioDecoder *decoder, int16_t *samples, uint32_t frames);
bool cni_audio_vorbis_open(CniAudioDecoder *decoder, const char *name, CnError *error);
void cni_audio_vorbis_close(CniAudioDecoder *decoder);
uint32_t cni_audio_vorbis_read(CniAudioDecoder *decoder, int16_t *samples, uint32_t frames);
bool cni_audio_vorbis_seek(CniAudioDecoder *decoder, uint64_t frame);

#endif
