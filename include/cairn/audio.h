/* cairn/audio: sounds, playing them in space, and the acoustics of voxel worlds. */
#ifndef CAIRN_AUDIO_H
#define CAIRN_AUDIO_H

#include <cairn/audio/acoustics.h>
#include <cairn/audio/audio.h>
#include <cairn/audio/reverb.h>
#include <cairn/audio/sound.h>
#include <cairn/audio/tick_audio.h>
#include <cairn/audio/wav.h>

#endif
