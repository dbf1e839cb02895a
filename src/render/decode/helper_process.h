/*
 * Runs a job in the helper process `cairn-decode`: starts it, answers its requests for further
 * files, waits for its end, and maps what it has written. A crash, a time-out and a helper that
 * does not keep to the protocol are errors. Any thread may run jobs; each is a process of its own.
 */
#ifndef CAIRN_SRC_RENDER_DECODE_HELPER_PROCESS_H
#define CAIRN_SRC_RENDER_DECODE_HELPER_PROCESS_H

#include "render/decode/decode_protocol.h"

#include <cairn/base/file.h>

/* Reads a further file that the helper asks for, by a path from the helper. `name` receives the
 * name that errors use for it. */
typedef bool CniRenderHelperRead(void *user, const char *path, CnFileBytes *bytes,
                                 char name[CNI_RENDER_DECODE_TEXT_BYTES], CnError *error);

typedef struct CniRenderHelperDesc {
    CniRenderDecodeJob job;    /* without its magic; job.path is the file's name in errors */
    const void *bytes;         /* the file: job.input_bytes */
    CniRenderHelperRead *read; /* NULL: it may not ask for files */
    void *user;
    uint64_t read_bytes; /* of all files that it asks for, at most */
} CniRenderHelperDesc;

#define CNI_RENDER_HELPER_MAX_FILES 512u /* requests for files in a job, including failed ones */
#define CNI_RENDER_HELPER_MAX_LOGS 32u   /* messages of a job */

/* The result, mapped read-only. Nothing can change it any more; its contents are not checked. */
typedef struct CniRenderHelperOutput {
    const CniRenderDecodeResult *result;
    const uint8_t *contents; /* result->size bytes */
    size_t mapped_bytes;
} CniRenderHelperOutput;

/* On success, free the output with cni_render_helper_output_free. */
bool cni_render_helper_run(const CniRenderHelperDesc *desc, CniRenderHelperOutput *output,
                           CnError *error);
void cni_render_helper_output_free(CniRenderHelperOutput *output);

/* Ends the jobs of the calling thread with an error as soon as this descriptor is readable; -1:
 * never. */
void cni_render_helper_set_cancel(int descriptor);

/* ---- helper_program.c ---- */

/* Finds the program; see cairn/render/decoder.h. */
bool cni_render_helper_find(char path[CN_FILE_PATH_BYTES], CnError *error);

#endif
