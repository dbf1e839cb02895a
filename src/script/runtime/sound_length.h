/* How long a sound file plays, from its headers. */
#ifndef CAIRN_SRC_SCRIPT_RUNTIME_SOUND_LENGTH_H
#define CAIRN_SRC_SCRIPT_RUNTIME_SOUND_LENGTH_H

#include <cairn/base/file.h>

/* Reads the headers of a WAV file (PCM or float) or an Ogg Vorbis file with one stream, at most
 * 128 KiB. The error names the file. Gives the length that the decoders of the audio module see. */
bool cni_script_sound_length(CnFileSystem *files, CnAllocator *allocator, const char *path,
                             double *seconds, CnError *error);

#endif
