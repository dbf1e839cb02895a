/*
 * What the engine and the helper process `cairn-decode` exchange. Both come from the same build:
 * the structs have no portable layout, and a helper of another version refuses the job.
 *
 *     descriptor 3   a socket of packets: the job, then questions of the helper and their answers
 *     descriptor 4   the file to decode, sealed
 *     descriptor 5   the result: a CniRenderDecodeResult, then its contents
 *
 * The engine trusts nothing that comes from the helper.
 */
#ifndef CAIRN_SRC_RENDER_DECODE_DECODE_PROTOCOL_H
#define CAIRN_SRC_RENDER_DECODE_DECODE_PROTOCOL_H

#include <cairn/base/error.h>
#include <cairn/base/origin.h>

#define CNI_RENDER_DECODE_MAGIC 0x0144434Eu /* "NCD" and the version */
#define CNI_RENDER_DECODE_TEXT_BYTES 512u

/* Sanitizers open files and reserve terabytes of address space. With one, the helper has no filter
 * of system calls and no limit of memory, and its standard error is that of the engine. */
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define CNI_RENDER_DECODE_HAS_SANITIZER 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) ||                         \
    __has_feature(memory_sanitizer)
#define CNI_RENDER_DECODE_HAS_SANITIZER 1
#endif
#endif
#ifndef CNI_RENDER_DECODE_HAS_SANITIZER
#define CNI_RENDER_DECODE_HAS_SANITIZER 0
#endif

enum { CNI_RENDER_DECODE_SOCKET = 3, CNI_RENDER_DECODE_INPUT, CNI_RENDER_DECODE_OUTPUT };

typedef enum CniRenderDecodeKind {
    CNI_RENDER_DECODE_IMAGE, /* contents: RGBA pixels */
    CNI_RENDER_DECODE_MODEL, /* contents: a baked model */
    CNI_RENDER_DECODE_GLSL,  /* contents: SPIR-V */
    CNI_RENDER_DECODE_KINDS
} CniRenderDecodeKind;

typedef enum CniRenderDecodeStage {
    CNI_RENDER_DECODE_VERTEX,
    CNI_RENDER_DECODE_FRAGMENT,
    CNI_RENDER_DECODE_COMPUTE
} CniRenderDecodeStage;

/* The first packet, to the helper. */
typedef struct CniRenderDecodeJob {
    uint32_t magic;
    uint32_t kind;
    CnBudget budget;
    uint64_t input_bytes;
    uint64_t output_bytes; /* of the result, at most */
    uint32_t stage;        /* GLSL */
    uint32_t is_surface;   /* GLSL: defines CN_SURFACE */
    uint32_t has_scene;    /* MODEL: `scene` is the name of one; else the file selects it */
    char path[CNI_RENDER_DECODE_TEXT_BYTES];
    char scene[CNI_RENDER_DECODE_TEXT_BYTES];
} CniRenderDecodeJob;

typedef enum CniRenderDecodeQuestionKind {
    CNI_RENDER_DECODE_READ, /* for a further file, by its path; answered */
    CNI_RENDER_DECODE_LOG   /* a message for the log; not answered */
} CniRenderDecodeQuestionKind;

/* From the helper. */
typedef struct CniRenderDecodeQuestion {
    uint32_t kind;
    uint32_t level;                          /* LOG */
    char text[CNI_RENDER_DECODE_TEXT_BYTES]; /* terminated */
} CniRenderDecodeQuestion;

/* To the helper, with a descriptor of the contents unless it has an error or is empty. */
typedef struct CniRenderDecodeAnswer {
    uint32_t code; /* CnErrorCode */
    uint64_t size;
    char text[CNI_RENDER_DECODE_TEXT_BYTES]; /* the error, or the name of the file in errors */
} CniRenderDecodeAnswer;

/* The start of the result. `magic` is written last. */
typedef struct CniRenderDecodeResult {
    uint32_t magic;
    uint32_t width, height; /* IMAGE */
    uint32_t unused;
    uint64_t size; /* of the contents, which follow */
    CnError error; /* CN_OK: decoded */
} CniRenderDecodeResult;

#endif
