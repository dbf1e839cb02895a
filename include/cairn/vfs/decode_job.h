/*
 * Jobs for the helper process `cairn-decode` (cairn/vfs/decoder.h), for modules that load files of
 * foreign origin. A job starts the process, answers its requests for further files, waits for its
 * end, and maps what it has written. A crash, a time-out and a helper that does not keep to the
 * protocol are errors. Any thread may run jobs; each is a process of its own.
 *
 *     const CnBudget *budget = cn_budget_of(CN_ORIGIN_FOREIGN);
 *     CnDecodeDesc desc = {.job = {.kind = CN_DECODE_SOUND, .budget = *budget, .input_bytes = 3},
 *                          .bytes = "abc"};
 *     CnDecodeOutput output;
 *     CnError error;
 *     desc.job.output_bytes = sizeof(CnDecodeResult) + budget->sound_bytes;
 *     if (cn_decode_run(&desc, &output, &error)) {
 *         // check output.result and output.contents like data from a stranger
 *         cn_decode_output_free(&output);
 *     }
 *
 * The second half of this file is what the engine and the helper exchange. Both come from the same
 * build: the structs have no portable layout, and a helper of another version refuses the job.
 *
 *     descriptor 3   a socket of packets: the job, then questions of the helper and their answers
 *     descriptor 4   the file to decode, sealed
 *     descriptor 5   the result: a CnDecodeResult, then its contents
 *
 * The engine trusts nothing that comes from the helper.
 */
#ifndef CAIRN_VFS_DECODE_JOB_H
#define CAIRN_VFS_DECODE_JOB_H

#include <cairn/base/error.h>
#include <cairn/base/file.h>
#include <cairn/base/origin.h>

CN_EXTERN_C_BEGIN

#define CN_DECODE_MAGIC 0x0244434Eu /* "NCD" and the version */
#define CN_DECODE_TEXT_BYTES 512u

/* Sanitizers open files and reserve terabytes of address space. With one, the helper has no filter
 * of system calls and no limit of memory, and its standard error is that of the engine. */
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define CN_DECODE_HAS_SANITIZER 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) ||                         \
    __has_feature(memory_sanitizer)
#define CN_DECODE_HAS_SANITIZER 1
#endif
#endif
#ifndef CN_DECODE_HAS_SANITIZER
#define CN_DECODE_HAS_SANITIZER 0
#endif

enum { CN_DECODE_SOCKET = 3, CN_DECODE_INPUT, CN_DECODE_OUTPUT };

typedef enum CnDecodeKind {
    CN_DECODE_IMAGE, /* contents: RGBA pixels */
    CN_DECODE_MODEL, /* contents: a baked model */
    CN_DECODE_GLSL,  /* contents: SPIR-V */
    CN_DECODE_SOUND, /* contents: frames of `channels` samples of 16 bits */
    CN_DECODE_KINDS
} CnDecodeKind;

typedef enum CnDecodeStage {
    CN_DECODE_VERTEX,
    CN_DECODE_FRAGMENT,
    CN_DECODE_COMPUTE
} CnDecodeStage;

/* The first packet, to the helper. */
typedef struct CnDecodeJob {
    uint32_t magic;
    uint32_t kind;
    CnBudget budget;
    uint64_t input_bytes;
    uint64_t output_bytes; /* of the result, at most */
    uint32_t stage;        /* GLSL */
    uint32_t is_surface;   /* GLSL: defines CN_SURFACE */
    uint32_t has_scene;    /* MODEL: `scene` is the name of one; else the file selects it */
    char path[CN_DECODE_TEXT_BYTES];
    char scene[CN_DECODE_TEXT_BYTES];
} CnDecodeJob;

typedef enum CnDecodeQuestionKind {
    CN_DECODE_READ, /* for a further file, by its path; answered */
    CN_DECODE_LOG   /* a message for the log; not answered */
} CnDecodeQuestionKind;

/* From the helper. */
typedef struct CnDecodeQuestion {
    uint32_t kind;
    uint32_t level;                  /* LOG */
    char text[CN_DECODE_TEXT_BYTES]; /* terminated */
} CnDecodeQuestion;

/* To the helper, with a descriptor of the contents unless it has an error or is empty. */
typedef struct CnDecodeAnswer {
    uint32_t code; /* CnErrorCode */
    uint64_t size;
    char text[CN_DECODE_TEXT_BYTES]; /* the error, or the name of the file in errors */
} CnDecodeAnswer;

/* The start of the result. `magic` is written last. */
typedef struct CnDecodeResult {
    uint32_t magic;
    uint32_t width, height;         /* IMAGE */
    uint32_t channels, sample_rate; /* SOUND */
    uint32_t frames;
    uint64_t size; /* of the contents, which follow */
    CnError error; /* CN_OK: decoded */
} CnDecodeResult;

/* ---- Running a job ---- */

/* Reads a further file that the helper asks for, by a path from the helper. `name` receives the
 * name that errors use for it. */
typedef bool CnDecodeRead(void *user, const char *path, CnFileBytes *bytes,
                          char name[CN_DECODE_TEXT_BYTES], CnError *error);

typedef struct CnDecodeDesc {
    CnDecodeJob job;    /* without its magic; job.path is the file's name in errors */
    const void *bytes;  /* the file: job.input_bytes */
    CnDecodeRead *read; /* NULL: it may not ask for files */
    void *user;
    uint64_t read_bytes; /* of all files that it asks for, at most */
} CnDecodeDesc;

#define CN_DECODE_MAX_FILES 512u /* requests for files in a job, including failed ones */
#define CN_DECODE_MAX_LOGS 32u   /* messages of a job */

/* The result, mapped read-only. Nothing can change it any more; its contents are not checked. */
typedef struct CnDecodeOutput {
    const CnDecodeResult *result;
    const uint8_t *contents; /* result->size bytes */
    size_t mapped_bytes;
} CnDecodeOutput;

/* On success, free the output with cn_decode_output_free. */
CN_API bool cn_decode_run(const CnDecodeDesc *desc, CnDecodeOutput *output, CnError *error);
CN_API void cn_decode_output_free(CnDecodeOutput *output);

/* Ends the jobs of the calling thread with an error as soon as this descriptor is readable; -1:
 * never. */
CN_API void cn_decode_set_cancel(int descriptor);

CN_EXTERN_C_END

#endif
