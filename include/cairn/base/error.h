/*
 * CnError: describes what is wrong with data from outside, and where.
 *
 *     CnError error = {0};
 *     char text[512];
 *     if (!cn_error_set(&error, CN_ERROR_NOT_FOUND, "no level '%s'", "cave"))
 *         puts(cn_error_text(&error, text, sizeof text));
 *
 * A function that can fail because of data returns bool and takes a CnError pointer, which may
 * be NULL. Modules that own a world log errors for which the caller passed NULL; see
 * CN_REPORT_UNHANDLED below.
 */
#ifndef CAIRN_BASE_ERROR_H
#define CAIRN_BASE_ERROR_H

#include <cairn/base/api.h>

CN_EXTERN_C_BEGIN

typedef enum CnErrorCode {
    CN_OK = 0,
    CN_ERROR_MEMORY,      /* an allocation failed */
    CN_ERROR_LIMIT,       /* a declared limit is exhausted */
    CN_ERROR_NOT_FOUND,   /* nothing with this name exists */
    CN_ERROR_EXISTS,      /* something with this name already exists */
    CN_ERROR_FORMAT,      /* malformed data */
    CN_ERROR_VERSION,     /* well-formed data of a version that this build does not read */
    CN_ERROR_MISMATCH,    /* data that does not match what is registered */
    CN_ERROR_IO,          /* the operating system reported an error; the message gives the reason */
    CN_ERROR_PERMISSION,  /* not allowed */
    CN_ERROR_CYCLE,       /* ordering constraints that contradict each other */
    CN_ERROR_UNSUPPORTED, /* not available on this machine or in this build */
    CN_ERROR_CODE_COUNT
} CnErrorCode;

#define CN_ERROR_MESSAGE_BYTES 256
#define CN_ERROR_FILE_BYTES 128

/* cn_error_set escapes `file` and `message` as cn_text_escape does, so both may be printed as
 * they are. */
typedef struct CnError {
    CnErrorCode code;
    int line;   /* 1-based; 0 when the data has no lines */
    int column; /* 1-based; 0 when unknown */
    char file[CN_ERROR_FILE_BYTES];
    char message[CN_ERROR_MESSAGE_BYTES];
} CnError;

/* Fills `error`, unless it is NULL, and returns false, so that a failing function can end with
 * `return cn_error_set(error, CN_ERROR_FORMAT, "...");`. A message that is too long is truncated
 * at a character boundary. */
CN_API bool cn_error_set(CnError *error, CnErrorCode code, const char *format, ...)
    CN_PRINTF_LIKE(3, 4);

/* Like cn_error_set, with a position in a file. `file` may be NULL. */
CN_API bool cn_error_set_at(CnError *error, CnErrorCode code, const char *file, int line,
                            int column, const char *format, ...) CN_PRINTF_LIKE(6, 7);

/* Sets CN_ERROR_MEMORY with the message "out of memory for <what>", where `what` is a format for
 * what was to be allocated, such as "model %s". Returns false. */
CN_API bool cn_error_memory(CnError *error, const char *what, ...) CN_PRINTF_LIKE(2, 3);

CN_API void cn_error_clear(CnError *error);

/* Returns the name of a code, such as "not found". */
CN_API const char *cn_error_code_name(CnErrorCode code);

/* Writes "file:line:column: message (code)" into `text` and returns `text`. */
CN_API const char *cn_error_text(const CnError *error, char *text, size_t text_bytes);

/* ---- Errors that no caller receives ---- */

#define CN_UNHANDLED_CAUSES 32

/* Records which failures have been logged. Zero-initialize it. It belongs to a world or to the
 * process and must outlive the calls that report to it. */
typedef struct CnUnhandledErrors {
    uint64_t count;                       /* reports in total */
    uint64_t causes[CN_UNHANDLED_CAUSES]; /* hashes of logged errors; 0: free */
} CnUnhandledErrors;

/* Counts the error and logs it under `module`, unless an error with the same code, message and
 * position was already logged for this owner. After CN_UNHANDLED_CAUSES different errors,
 * further ones are only counted; a final log line announces this. If `unclaimed` is NULL, the
 * process is the owner. Thread-safe. */
CN_API void cn_error_report(CnUnhandledErrors *unhandled, const char *module, const CnError *error);
/* Returns how many errors were reported with the process as their owner. Thread-safe. */
CN_API uint64_t cn_errors_unhandled(void);

/* Placed at the top of a public function that takes `CnError *error`: if the caller passed NULL,
 * the error is reported when the function returns, so that no failure goes unnoticed. After this
 * macro `error` is not NULL. */
#define CN_REPORT_UNHANDLED(error, module, unhandled)                                              \
    __attribute__((cleanup(cni_base_error_catch_end))) CniBaseErrorCatch catch_of_##error;         \
    (error) = cni_base_error_catch_begin(&catch_of_##error, (error), (module), (unhandled))

typedef struct CniBaseErrorCatch {
    const char *module; /* NULL: the caller receives the error */
    CnUnhandledErrors *unhandled;
    CnError own;
} CniBaseErrorCatch;

static inline CnError *cni_base_error_catch_begin(CniBaseErrorCatch *catch_, CnError *error,
                                                  const char *module, CnUnhandledErrors *unhandled)
{
    catch_->module = error ? NULL : module;
    if (error)
        return error;
    catch_->unhandled = unhandled;
    catch_->own.code = CN_OK;
    catch_->own.line = catch_->own.column = 0;
    catch_->own.file[0] = catch_->own.message[0] = '\0';
    return &catch_->own;
}

static inline void cni_base_error_catch_end(const CniBaseErrorCatch *catch_)
{
    if (CN_UNLIKELY(catch_->module && catch_->own.code != CN_OK))
        cn_error_report(catch_->unhandled, catch_->module, &catch_->own);
}

CN_EXTERN_C_END

#endif
