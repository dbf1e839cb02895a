/* Sound files of foreign origin, which the helper process decodes (cairn/vfs/decoder.h). */
#ifndef CAIRN_SRC_AUDIO_FOREIGN_H
#define CAIRN_SRC_AUDIO_FOREIGN_H

#include <cairn/audio/sound.h>

/* As cn_sound_decode, in the helper process; checks what it returns. */
bool cni_audio_sound_decode_foreign(CnAllocator *allocator, const void *bytes, size_t size,
                                    const char *name, const CnBudget *budget,
                                    CnSoundSamples *samples, CnError *error);
/* As cn_sound_decode, in this process whatever the origin; the helper calls it. */
bool cni_audio_sound_decode(CnAllocator *allocator, const void *bytes, size_t size,
                            const char *name, const CnBudget *budget, CnSoundSamples *samples,
                            CnError *error);

#endif
