/* How loud and how important a voice is. */
#ifndef CAIRN_SRC_AUDIO_SELECT_H
#define CAIRN_SRC_AUDIO_SELECT_H

#include "audio/audio_internal.h"

/* The inverse distance model of cairn/audio/audio.h. */
float cni_audio_attenuation(const CniAudioVoice *voice, float distance);
/* Computes `attenuation` and `level`. */
void cni_audio_measure(const CnAudio *audio, CniAudioVoice *voice);
/* Returns a number that orders voices; those of different indices differ. */
uint64_t cni_audio_importance(const CniAudioVoice *voice, uint32_t index);

#endif
