/* A probe: what one job of the acoustics reads and computes, without a world. */
#ifndef CAIRN_SRC_AUDIO_ACOUSTIC_PROBE_H
#define CAIRN_SRC_AUDIO_ACOUSTIC_PROBE_H

#include <cairn/audio/acoustics.h>

#define CNI_ACOUSTICS_RADIUS 3 /* chunks around that of the listener */
#define CNI_ACOUSTICS_WIDTH (2 * CNI_ACOUSTICS_RADIUS + 1)
#define CNI_ACOUSTICS_CHUNKS (CNI_ACOUSTICS_WIDTH * CNI_ACOUSTICS_WIDTH * CNI_ACOUSTICS_WIDTH)
#define CNI_ACOUSTICS_REACH 40.0f /* meters; shorter than the chunks reach */
#define CNI_ACOUSTICS_RAYS 64u
#define CNI_ACOUSTICS_MAX_VOICES 256u

typedef struct CniAcousticVoice {
    CnVoice voice;
    CnVec3 place;
    float gain, lowpass; /* the result */
} CniAcousticVoice;

typedef struct CniAcousticProbe {
    const CnBlockTable *table;
    CnChunkPos middle;
    CnChunk *chunks[CNI_ACOUSTICS_CHUNKS]; /* references; NULL: not loaded, counts as air */
    CnVec3 ear;
    CniAcousticVoice voices[CNI_ACOUSTICS_MAX_VOICES];
    uint32_t voice_count;
    CnAcousticSpace space; /* the result */
    uint64_t rays;
    double seconds;
} CniAcousticProbe;

/* Computes occlusion and space. Reads only the probe. */
void cni_acoustics_run(CniAcousticProbe *probe);
/* Derives the reverb of a space from its other members. */
CnReverb cni_acoustics_reverb(const CnAcousticSpace *space);

#endif
