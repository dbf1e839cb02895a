/*
 * CnError: what went wrong with data from outside, and where.
 *
 *     CnError error = {0};
 *     if (!cn_world_load(world, bytes, size, &error))
 *         fprintf(stderr, "%s\n", cn_error_text(&error, text, sizeof text));
 *
 * A function that can fail on data returns bool and takes a CnError pointer, which may be NULL. The
 * modules that own a world log an error that nobody takes: see CN_CLAIM_ERROR below.
 */
#ifndef CAIRN_BASE_ERROR_H
#define CAIRN_BASE_ERROR_H

#include <cairn/base/api.h>

CN_EXTERN_C_BEGIN

typedef enum CnErrorCode {
    CN_OK = 0,
    CN_ERROR_MEMORY,      /* an allocation failed */
    CN_ERROR_LIMIT,       /* a declared limit is exhausted */
    CN_ERROR_NOT_FOUND,   /* a named thing does not exist */
    CN_ERROR_EXISTS,      /* a named thing exists already */
    CN_ERROR_FORMAT,      /* malformed data */
    CN_ERROR_VERSION,     /* well-formed data of a version this build does not read */
    CN_ERROR_MISMATCH,    /* data that does not fit what is registered */
    CN_ERROR_IO,          /* the operating system refused; the message says why */
    CN_ERROR_PERMISSION,  /* not allowed */
    CN_ERROR_CYCLE,       /* an order that cannot be satisfied */
    CN_ERROR_UNSUPPORTED, /* not available on this machine or in this build */
    CN_ERROR_CODE_COUNT
} CnErrorCode;

#define CN_ERROR_MESSAGE_BYTES 256
#define CN_ERROR_FILE_BYTES 128

typedef struct CnError {
    CnErrorCode code;
    int line;   /* 1-based; 0 when the data has no lines */
    int column; /* 1-based; 0 when unknown */
    char file[CN_ERROR_FILE_BYTES];
    char message[CN_ERROR_MESSAGE_BYTES];
} CnError;
/* Both texts are escaped by cn_error_set as cn_text_escape does it: they can be printed as they are. */

/* Fills `error` (if not NULL) and returns false, so that a failing function can end with
 * `return cn_error_set(error, CN_ERROR_FORMAT, "…")`. Too long a message is cut at a character. */
CN_API bool cn_error_set(CnError *error, CnErrorCode code, const char *format, ...)
    CN_PRINTF_LIKE(3, 4);

/* The same, with the place in a file. `file` may be NULL. */
CN_API bool cn_error_set_at(CnError *error, CnErrorCode code, const char *file, int line,
                            int column, const char *format, ...) CN_PRINTF_LIKE(6, 7);

CN_API void cn_error_clear(CnError *error);

/* The code's name, such as "not found". */
CN_API const char *cn_error_code_name(CnErrorCode code);

/* Writes "file:line:column: message (code)" into `text` and returns it. */
CN_API const char *cn_error_text(const CnError *error, char *text, size_t text_bytes);

/* ---- Errors that nobody takes ---- */

#define CN_UNCLAIMED_CAUSES 32

/* Which failures were logged already; zero-initialised. Its owner (a world, the process) outlives the
 * calls that report to it. */
typedef struct CnUnclaimed {
    uint64_t count;                       /* of all reports */
    uint64_t causes[CN_UNCLAIMED_CAUSES]; /* hashes of what was logged; 0: free */
} CnUnclaimed;

/* Counts the error and logs it under `module`, unless an error with the same code, message and place
 * was logged for this owner before. Once CN_UNCLAIMED_CAUSES different ones were logged, further ones
 * are only counted, and a last line says so. `unclaimed` NULL: the process is the owner. Any thread. */
CN_API void cn_error_report(CnUnclaimed *unclaimed, const char *module, const CnError *error);
/* How many errors were reported with the process as the owner. Any thread. */
CN_API uint64_t cn_errors_unclaimed(void);

/* At the top of a public function that takes `CnError *error`: a caller that passes NULL gets the
 * error reported when the function returns, so that no failure is silent. `error` is not NULL after
 * it. */
#define CN_CLAIM_ERROR(error, module, unclaimed)                                                   \
    __attribute__((cleanup(cni_claim_end))) CniErrorClaim claim_of_##error;                        \
    (error) = cni_claim_begin(&claim_of_##error, (error), (module), (unclaimed))

typedef struct CniErrorClaim {
    const char *module; /* NULL: the caller takes the error */
    CnUnclaimed *unclaimed;
    CnError own;
} CniErrorClaim;

static inline CnError *cni_claim_begin(CniErrorClaim *claim, CnError *error, const char *module,
                                       CnUnclaimed *unclaimed)
{
    claim->module = error ? NULL : module;
    if (error)
        return error;
    claim->unclaimed = unclaimed;
    claim->own.code = CN_OK;
    claim->own.line = claim->own.column = 0;
    claim->own.file[0] = claim->own.message[0] = '\0';
    return &claim->own;
}

static inline void cni_claim_end(const CniErrorClaim *claim)
{
    if (CN_UNLIKELY(claim->module && claim->own.code != CN_OK))
        cn_error_report(claim->unclaimed, claim->module, &claim->own);
}

CN_EXTERN_C_END

#endif
