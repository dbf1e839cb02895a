/*
 * Decoding in a helper process.
 *
 *     char path[4096];
 *     if (!cn_decoder_find(path, sizeof path, &error))
 *         puts("images, models and sounds of mods cannot be loaded");
 *
 * Images, models and sounds of foreign origin (cairn/base/origin.h) and all GLSL that is compiled
 * at run time are decoded by the program `cairn-decode`, one process per file. It has no access to
 * files, the network or other processes: before it reads the first byte, it gives up everything but
 * memory, a socket to the engine and shared memory for the result (seccomp, resource limits). It
 * returns plain pixels, samples, plain arrays or SPIR-V, which the engine checks like data from a
 * stranger. A crash, a time-out or a wrong result is an error of the function that loads the file;
 * nothing else happens. There is no other way: without the program, such files are refused.
 *
 *     CnBudget.decode_ms            wall-clock time of the process, then it is killed
 *     CnBudget.decode_memory_bytes  its address space, and the size of its result
 *
 * GLSL has 10 seconds and 512 MiB. GLSL of foreign origin is refused without compiling it.
 *
 * A model may consist of several files. The helper asks for them by path, and the engine reads them
 * from the same file system: only those in the folder of the model and below, at most 512, and
 * CnBudget.model_bytes together.
 *
 * The program is searched
 *   1. at the path in the environment variable CAIRN_DECODE, and if it is set, only there;
 *   2. beside the executable, and in ../libexec/cairn of its folder;
 *   3. in the folder libexec/cairn of the installation that contains the shared library.
 * A game that is linked statically ships it beside its own program.
 *
 * Loading from other threads than the frame's: models that are drawn and textures of scene files
 * are decoded in the background if they are foreign (cairn/render/renderer.h), and so are sounds of
 * scenes (cairn/audio/tick_audio.h); functions that load something explicitly, such as
 * cn_model_load, cn_image_read and cn_sound_load, wait for the helper.
 */
#ifndef CAIRN_VFS_DECODER_H
#define CAIRN_VFS_DECODER_H

#include <cairn/base/error.h>

CN_EXTERN_C_BEGIN

/* Finds the program and writes its path. Returns false and an error that says where it was
 * searched. Thread-safe. */
CN_API bool cn_decoder_find(char *path, size_t path_bytes, CnError *error);

typedef struct CnDecoderStats {
    uint64_t started;  /* processes */
    uint64_t failed;   /* jobs that ended with an error, including processes that did not start */
    uint64_t total_ns; /* wall-clock time of all jobs */
} CnDecoderStats;
/* Returns the counters of this process since its start. Thread-safe. */
CN_API CnDecoderStats cn_decoder_stats(void);

CN_EXTERN_C_END

#endif
