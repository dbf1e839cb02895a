#include <cairn/base/error.h>
#include <cairn/base/hash_map.h>
#include <cairn/base/log.h>
#include <cairn/base/text.h>

static const char *const code_names[CN_ERROR_CODE_COUNT] = {
    [CN_OK] = "ok",
    [CN_ERROR_MEMORY] = "out of memory",
    [CN_ERROR_LIMIT] = "limit reached",
    [CN_ERROR_NOT_FOUND] = "not found",
    [CN_ERROR_EXISTS] = "already exists",
    [CN_ERROR_FORMAT] = "malformed",
    [CN_ERROR_VERSION] = "unknown version",
    [CN_ERROR_MISMATCH] = "mismatch",
    [CN_ERROR_IO] = "input/output",
    [CN_ERROR_PERMISSION] = "not permitted",
    [CN_ERROR_CYCLE] = "cycle",
    [CN_ERROR_UNSUPPORTED] = "unsupported",
};

/* The message and the file may point into the error itself, when a caller wraps an error: both
 * are assembled in separate buffers first. */
static void fill(CnError *error, CnErrorCode code, const char *file, int line, int column,
                 const char *format, va_list arguments)
{
    char message[CN_ERROR_MESSAGE_BYTES];
    char place[CN_ERROR_FILE_BYTES];
    cn_format_v(message, sizeof message, format, arguments);
    cn_copy_text(place, sizeof place, cn_text(file));

    error->code = code;
    error->line = line;
    error->column = column;
    cn_text_escape(cn_text(place), error->file, sizeof error->file);
    cn_text_escape(cn_text(message), error->message, sizeof error->message);
}

bool cn_error_set(CnError *error, CnErrorCode code, const char *format, ...)
{
    if (!error)
        return false;
    va_list arguments;
    va_start(arguments, format);
    fill(error, code, NULL, 0, 0, format, arguments);
    va_end(arguments);
    return false;
}

bool cn_error_memory(CnError *error, const char *what, ...)
{
    if (!error)
        return false;
    char text[CN_ERROR_MESSAGE_BYTES];
    va_list arguments;
    va_start(arguments, what);
    cn_format_v(text, sizeof text, what, arguments);
    va_end(arguments);
    return cn_error_set(error, CN_ERROR_MEMORY, "out of memory for %s", text);
}

bool cn_error_set_at(CnError *error, CnErrorCode code, const char *file, int line, int column,
                     const char *format, ...)
{
    if (!error)
        return false;
    va_list arguments;
    va_start(arguments, format);
    fill(error, code, file, line, column, format, arguments);
    va_end(arguments);
    return false;
}

void cn_error_clear(CnError *error)
{
    if (error)
        *error = (CnError){0};
}

const char *cn_error_code_name(CnErrorCode code)
{
    return (unsigned)code < CN_ERROR_CODE_COUNT ? code_names[code] : "unknown";
}

const char *cn_error_text(const CnError *error, char *text, size_t text_bytes)
{
    if (!text || text_bytes == 0)
        return "";
    char line[16] = "", column[16] = "";
    if (error->line > 0)
        cn_format(line, sizeof line, "%s%d", error->file[0] ? ":" : "line ", error->line);
    if (error->line > 0 && error->column > 0)
        cn_format(column, sizeof column, ":%d", error->column);
    bool has_place = error->file[0] || line[0];
    char file[CN_ERROR_FILE_BYTES], message[CN_ERROR_MESSAGE_BYTES];
    cn_text_escape(cn_text(error->file), file, sizeof file);
    cn_text_escape(cn_text(error->message), message, sizeof message);
    cn_format(text, text_bytes, "%s%s%s%s%s (%s)", file, line, column, has_place ? ": " : "",
              message, cn_error_code_name(error->code));
    return text;
}

/* ---- Errors that no caller receives ---- */

static CnUnhandledErrors of_process;

/* Never 0, which marks a free slot. */
static uint64_t cause_of(const CnError *error)
{
    uint64_t hash = cn_hash_bytes(error->message, strlen(error->message), (uint64_t)error->code);
    hash = cn_hash_bytes(error->file, strlen(error->file), hash + (uint64_t)error->line);
    return hash ? hash : 1;
}

typedef enum Remembered { KNOWN, NEW, LAST } Remembered;

/* Several threads may report at the same time; each slot is claimed by one of them. */
static Remembered remember(CnUnhandledErrors *unhandled, uint64_t cause)
{
    for (uint32_t i = 0; i < CN_UNHANDLED_CAUSES; i++) {
        uint64_t there = __atomic_load_n(&unhandled->causes[i], __ATOMIC_RELAXED);
        if (!there && __atomic_compare_exchange_n(&unhandled->causes[i], &there, cause, false,
                                                  __ATOMIC_RELAXED, __ATOMIC_RELAXED))
            return i + 1 < CN_UNHANDLED_CAUSES ? NEW : LAST;
        if (there == cause)
            return KNOWN;
    }
    return KNOWN;
}

void cn_error_report(CnUnhandledErrors *unhandled, const char *module, const CnError *error)
{
    CnUnhandledErrors *owner = unhandled ? unhandled : &of_process;
    char text[CN_ERROR_MESSAGE_BYTES + CN_ERROR_FILE_BYTES + 64];
    __atomic_fetch_add(&owner->count, 1, __ATOMIC_RELAXED);
    Remembered remembered = remember(owner, cause_of(error));
    if (remembered == KNOWN)
        return;
    CN_LOG_ERROR(module, "%s", cn_error_text(error, text, sizeof text));
    if (remembered == LAST)
        CN_LOG_ERROR(module, "further errors without a receiver are counted but not logged");
}

uint64_t cn_errors_unhandled(void)
{
    return __atomic_load_n(&of_process.count, __ATOMIC_RELAXED);
}
