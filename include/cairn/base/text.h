/*
 * Text: string views, bounded formatting, a string builder and interned names.
 *
 *     CnNames names;
 *     cn_names_init(&names, NULL);
 *     CnName grass = cn_name(&names, "grass");
 *     bool same = cn_name_equal(grass, cn_name(&names, "grass"));   // true: one integer comparison
 *     const char *text = cn_name_text(&names, grass);
 *     cn_names_fini(&names);
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

/* A view of text that something else owns; not zero-terminated. */
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
/* Compares by bytes; a prefix sorts first. The order is the same on every machine and in every
 * locale. */
CN_API int cn_text_compare(CnText a, CnText b);
CN_API bool cn_text_starts_with(CnText text, CnText prefix);
CN_API bool cn_text_ends_with(CnText text, CnText suffix);
CN_API CnText cn_text_trim(CnText text); /* removes ASCII blanks from both ends */
/* Removes the part before `separator` from the front of *rest and stores it in *part. Returns
 * false when nothing is left. */
CN_API bool cn_text_split(CnText *rest, char separator, CnText *part);
/* Returns whether the whole text is valid UTF-8. */
CN_API bool cn_text_is_utf8(CnText text);

/* Iteration by character. Invalid UTF-8 yields U+FFFD, one for each maximal prefix of a
 * character (Unicode 15, section 3.9), so every byte of any text belongs to exactly one
 * character. */
#define CN_UTF8_REPLACEMENT 0xFFFDu
/* Decodes the character at `at`, which must be below text.size. Returns the position of the next
 * character. */
CN_API size_t cn_utf8_next(CnText text, size_t at, uint32_t *character);
/* Returns the position of the character before `at`; 0 at the start. */
CN_API size_t cn_utf8_previous(CnText text, size_t at);
/* Writes 1 to 4 bytes and returns their number. Values that are not characters are written as
 * U+FFFD. */
CN_API size_t cn_utf8_write(uint32_t character, char bytes[4]);

/* Formats into `buffer`. The result is always terminated and never cut inside a UTF-8 character.
 * Returns false when it was truncated. */
CN_API bool cn_format(char *buffer, size_t buffer_bytes, const char *format, ...)
    CN_PRINTF_LIKE(3, 4);
CN_API bool cn_format_v(char *buffer, size_t buffer_bytes, const char *format, va_list arguments);

/* Copies at most buffer_bytes - 1 bytes and terminates them. Returns false when the text was
 * truncated, which happens at a character boundary. */
CN_API bool cn_copy_text(char *buffer, size_t buffer_bytes, CnText text);

/* Copies text from outside so that a log or a terminal displays it on one line without side
 * effects. Control characters, bidirectional marks and line separators become \n, \r, \t, \xNN
 * or \u{N}; invalid UTF-8 becomes \xNN. Everything else, including backslashes, is unchanged, so
 * escaping a text twice has no further effect. The result is truncated before the first
 * character that does not fit. Returns `buffer`, or "" if buffer_bytes is 0. */
CN_API const char *cn_text_escape(CnText text, char *buffer, size_t buffer_bytes);

/* A growable text. `items` is zero-terminated once something has been appended. */
typedef CN_ARRAY(char) CnTextBuilder;

/* Append to the builder. Return false when out of memory; the builder is then unchanged. */
CN_API bool cn_text_append(CnTextBuilder *builder, CnText text);
CN_API bool cn_text_append_format(CnTextBuilder *builder, const char *format, ...)
    CN_PRINTF_LIKE(2, 3);

/* Append the shortest decimal that reads back as the same float or double, in the syntax of JSON
 * and independently of the locale. `number` is finite. Return false when out of memory. */
CN_API bool cn_text_append_float(CnTextBuilder *builder, float number);
CN_API bool cn_text_append_double(CnTextBuilder *builder, double number);

/* ---- Positions and suggestions for error messages ---- */

/* Stores the position of `at`, which points into the text: both are 1-based; columns count
 * characters. */
CN_API void cn_text_line_column(CnText text, const char *at, int *line, int *column);
/* Returns the name that is most similar to the misspelled `name`, or NULL when none is similar
 * enough. `next` enumerates the names until NULL; names of 64 bytes and more are not considered. */
CN_API const char *cn_text_most_similar(const char *name, const char *(*next)(void *user),
                                        void *user);

/* ---- Interned names ---- */

typedef struct CnName {
    uint32_t id;
} CnName;

typedef struct CnNames {
    CnArena arena;
    CN_ARRAY(CnText) texts; /* by id - 1 */
    uint32_t *table;        /* id; 0: free; its size is a power of two */
    uint32_t table_size;
} CnNames;

static inline bool cn_name_equal(CnName a, CnName b)
{
    return a.id == b.id;
}

/* Initializes an empty table. `allocator` may be NULL (the system allocator). */
CN_API void cn_names_init(CnNames *names, CnAllocator *allocator);
CN_API void cn_names_fini(CnNames *names);
/* Interns a text. Returns the empty name for an empty text or when out of memory. */
CN_API CnName cn_name(CnNames *names, const char *terminated);
CN_API CnName cn_name_from_text(CnNames *names, CnText text);
/* Looks up a name without interning it. Returns the empty name when it is unknown. */
CN_API CnName cn_name_find(const CnNames *names, CnText text);
/* Returns the zero-terminated text, valid as long as `names`; "" for the empty name. */
CN_API const char *cn_name_text(const CnNames *names, CnName name);

CN_EXTERN_C_END

#endif
