/* Escapes text from outside for logs and terminals. */
#include "base/text/text_escape.h"

#include <cairn/base/text.h>

/* Longest escape: \u{10ffff}. */
#define MAX_ESCAPE_BYTES 16

typedef struct CharacterRange {
    uint32_t first, last;
} CharacterRange;

/* Characters that change how others are displayed, or break lines: control characters,
 * bidirectional marks, separators, annotations, tags. */
static const CharacterRange unsafe[] = {
    {0x0000, 0x001F}, {0x007F, 0x009F}, {0x061C, 0x061C}, {0x200E, 0x200F},   {0x2028, 0x202E},
    {0x2066, 0x206F}, {0xFEFF, 0xFEFF}, {0xFFF9, 0xFFFB}, {0xE0000, 0xE007F},
};

static bool is_unsafe(uint32_t character)
{
    for (size_t i = 0; i < CN_COUNT_OF(unsafe); i++)
        if (character >= unsafe[i].first && character <= unsafe[i].last)
            return true;
    return false;
}

/* Invalid UTF-8 is decoded as the replacement character, which can also occur as valid UTF-8. */
static bool is_damaged(uint32_t character, const char *bytes, size_t size)
{
    return character == CN_UTF8_REPLACEMENT && (size != 3 || memcmp(bytes, "\xEF\xBF\xBD", 3) != 0);
}

static const char *short_escape(uint32_t character, const char *line_break)
{
    switch (character) {
    case '\n':
        return line_break ? line_break : "\\n";
    case '\r':
        return "\\r";
    case '\t':
        return line_break ? "\t" : "\\t";
    default:
        return NULL;
    }
}

/* Writes one character in escaped form; returns its size in bytes. */
static size_t escape_character(uint32_t character, const char *bytes, size_t size,
                               const char *line_break, char shown[MAX_ESCAPE_BYTES])
{
    const char *text = short_escape(character, line_break);
    if (text) {
        cn_copy_text(shown, MAX_ESCAPE_BYTES, cn_text(text));
    } else if (is_damaged(character, bytes, size)) {
        for (size_t i = 0; i < size && i < 3; i++)
            cn_format(shown + 4 * i, MAX_ESCAPE_BYTES - 4 * i, "\\x%02x", (unsigned char)bytes[i]);
    } else if (character < 0x80 && is_unsafe(character)) {
        cn_format(shown, MAX_ESCAPE_BYTES, "\\x%02x", (unsigned)character);
    } else if (is_unsafe(character)) {
        cn_format(shown, MAX_ESCAPE_BYTES, "\\u{%x}", (unsigned)character);
    } else {
        memcpy(shown, bytes, size);
        shown[size] = '\0';
    }
    return strlen(shown);
}

void cni_base_text_escape_lines(CnText text, const char *line_break, char *buffer,
                                size_t buffer_bytes)
{
    size_t used = 0;
    for (size_t at = 0; at < text.size;) {
        uint32_t character;
        char shown[MAX_ESCAPE_BYTES];
        size_t next = cn_utf8_next(text, at, &character);
        size_t size = escape_character(character, text.data + at, next - at, line_break, shown);
        if (used + size >= buffer_bytes)
            break;
        memcpy(buffer + used, shown, size);
        used += size;
        at = next;
    }
    buffer[used] = '\0';
}

const char *cn_text_escape(CnText text, char *buffer, size_t buffer_bytes)
{
    if (!buffer || buffer_bytes == 0)
        return "";
    cni_base_text_escape_lines(text, NULL, buffer, buffer_bytes);
    return buffer;
}
