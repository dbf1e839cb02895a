/*
 * Reverb: the space around the listener, which all spatial voices share.
 *
 *     cn_audio_set_reverb(audio, &(CnReverb){.gain = 0.3f, .decay_seconds = 2.5f}, 0.5f);
 *     cn_audio_set_reverb(audio, NULL, 1); // fades to none within a second
 *
 * Without OpenAL's effects extension (EFX), reverb is silently left out.
 */
#ifndef CAIRN_AUDIO_REVERB_H
#define CAIRN_AUDIO_REVERB_H

#include <cairn/audio/audio.h>

CN_EXTERN_C_BEGIN

/* Values outside their range are clamped. */
typedef struct CnReverb {
    float gain;               /* 0 to 1: level of the late reverberation; 0: none */
    float decay_seconds;      /* 0.1 to 20: until it has decayed by 60 dB; 0 selects 1 */
    float high_decay;         /* 0.1 to 2: decay of high frequencies, as a factor; 0 selects 0.8 */
    float high_gain;          /* 0 to 1: gain of high frequencies in the reverb; 0 selects 0.9 */
    float reflections_gain;   /* 0 to 3.16: level of the first echoes */
    float reflections_delay;  /* 0 to 0.3 seconds: until the first echo */
    float late_delay;         /* 0 to 0.1 seconds: from the first echo to the reverberation */
    float density, diffusion; /* 0 to 1: 0 selects 1 */
    /* 0 to 1: low-pass of all spatial voices, heard directly; 0 selects 1, none. Under water. */
    float muffle;
} CnReverb;

/* Changes the space within `fade_seconds`. NULL: no reverb. */
CN_API void cn_audio_set_reverb(CnAudio *audio, const CnReverb *reverb, float fade_seconds);
/* Returns the space that was set last. */
CN_API CnReverb cn_audio_reverb(const CnAudio *audio);

CN_EXTERN_C_END

#endif
