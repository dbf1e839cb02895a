/*
 * Text: string views, bounded formatting, a builder, and interned names.
 *
 *     CnNames names;
 *     cn_names_init(&names, allocator);
 *     CnName grass = cn_name(&names, "grass");
 *     cn_name_equal(grass, cn_name(&names, "grass"));   // true: one integer compare
 *     puts(cn_name_text(&names, grass));
 *
 * Names are numbered from 1 in order of first use; 0 is the empty name.
 */
#ifndef CAIRN_BASE_TEXT_H
#define CAIRN_BASE_TEXT_H

#include <cairn/base/array.h>
#include <cairn/base/hash_map.h>

#include <stdarg.h>
#include <string.h>

CN_EXTERN_C_BEGIN

/* A piece of somebody else's text; not terminated. */
typedef struct CnText {
    const char *data;
    size_t size;
} CnText;

static inline CnText cn_text(const char *terminated)
{
    CnText text = {terminated, terminated ? strlen(terminated) : 0};
    return text;
}

CN_API bool cn_text_equal(CnText a, CnText b);
/* Byte order, shorter first: the same on every machine and locale. */
CN_API int cn_text_compare(CnText a, CnText b);
CN_API bool cn_text_starts_with(CnText text, CnText prefix);
CN_API bool cn_text_ends_with(CnText text, CnText suffix);
CN_API CnText cn_text_trim(CnText text); /* ASCII blanks off both ends */
/* Takes the part before `separator` off the front of *rest; false when nothing is left. */
CN_API bool cn_text_split(CnText *rest, char separator, CnText *part);
CN_API bool cn_text_is_utf8(CnText text);

/* Character by character. What is not UTF-8 counts as U+FFFD, one for as many bytes as could have begun a
 * character (Unicode 15, section 3.9), so every text has characters and every byte belongs to one. */
#define CN_UTF8_REPLACEMENT 0xFFFDu
/* The character at `at`, which is below text.size; returns where the next begins. */
CN_API size_t cn_utf8_next(CnText text, size_t at, uint32_t *character);
/* Where the character before `at` begins; 0 at the start. */
CN_API size_t cn_utf8_before(CnText text, size_t at);
/* Writes 1 to 4 bytes and returns how many; U+FFFD for what is no character. */
CN_API size_t cn_utf8_write(uint32_t character, char bytes[4]);

/* Formats into `buffer`, always terminated and never cut inside a UTF-8 character. Returns false
 * when it did not fit. */
CN_API bool cn_format(char *buffer, size_t buffer_bytes, const char *format, ...)
    CN_PRINTF_LIKE(3, 4);
CN_API bool cn_format_v(char *buffer, size_t buffer_bytes, const char *format, va_list arguments);

/* Copies at most buffer_bytes - 1 bytes and terminates; false when cut (at a character). */
CN_API bool cn_copy_text(char *buffer, size_t buffer_bytes, CnText text);

/* Copies a text from outside so that a log or a terminal shows it on one line and does nothing else.
 * Control characters, marks of writing direction and line separators become \n, \r, \t, \xNN or
 * \u{N}, bytes that are no UTF-8 become \xNN; everything else, backslashes too, stays, so that an
 * escaped text does not change when it is escaped again. Cut before what does not fit. Returns the
 * buffer; "" if it has no room at all. */
CN_API const char *cn_text_escape(CnText text, char *buffer, size_t buffer_bytes);

/* A text that grows. `items` is always terminated once something was appended. */
typedef CN_ARRAY(char) CnTextBuilder;

CN_API bool cn_text_append(CnTextBuilder *builder, CnText text);
CN_API bool cn_text_append_format(CnTextBuilder *builder, const char *format, ...)
    CN_PRINTF_LIKE(2, 3);

/* ---- Interned names ---- */

typedef struct CnName {
    uint32_t id;
} CnName;

typedef struct CnNames {
    CnArena arena;
    CN_ARRAY(CnText) texts; /* by id - 1 */
    uint32_t *table;        /* id, 0: free; a power of two of them */
    uint32_t table_size;
} CnNames;

static inline bool cn_name_equal(CnName a, CnName b)
{
    return a.id == b.id;
}

CN_API void cn_names_init(CnNames *names, CnAllocator *allocator);
CN_API void cn_names_fini(CnNames *names);
/* Interns; the empty name for an empty text or when out of memory. */
CN_API CnName cn_name(CnNames *names, const char *terminated);
CN_API CnName cn_name_from_text(CnNames *names, CnText text);
/* Looks up without interning; the empty name when unknown. */
CN_API CnName cn_name_find(const CnNames *names, CnText text);
/* Terminated; valid as long as `names`. "" for the empty name. */
CN_API const char *cn_name_text(const CnNames *names, CnName name);

CN_EXTERN_C_END

#endif
