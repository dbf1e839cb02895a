#include <cairn/base/text.h>

#include <stdio.h>

bool cn_text_equal(CnText a, CnText b)
{
    return a.size == b.size && (a.size == 0 || memcmp(a.data, b.data, a.size) == 0);
}

int cn_text_compare(CnText a, CnText b)
{
    size_t shared = a.size < b.size ? a.size : b.size;
    int order = shared > 0 ? memcmp(a.data, b.data, shared) : 0;
    if (order != 0)
        return order < 0 ? -1 : 1;
    return (a.size > b.size) - (a.size < b.size);
}

bool cn_text_starts_with(CnText text, CnText prefix)
{
    return text.size >= prefix.size && cn_text_equal((CnText){text.data, prefix.size}, prefix);
}

bool cn_text_ends_with(CnText text, CnText suffix)
{
    if (suffix.size == 0)
        return true;
    return text.size >= suffix.size &&
           memcmp(text.data + (text.size - suffix.size), suffix.data, suffix.size) == 0;
}

static bool is_blank(char c)
{
    return c == ' ' || (c >= '\t' && c <= '\r');
}

CnText cn_text_trim(CnText text)
{
    while (text.size > 0 && is_blank(text.data[0])) {
        text.data++;
        text.size--;
    }
    while (text.size > 0 && is_blank(text.data[text.size - 1]))
        text.size--;
    return text;
}

bool cn_text_split(CnText *rest, char separator, CnText *part)
{
    if (rest->size == 0)
        return false;
    const char *at = memchr(rest->data, separator, rest->size);
    size_t part_size = at ? (size_t)(at - rest->data) : rest->size;
    size_t taken = at ? part_size + 1 : part_size;
    *part = (CnText){rest->data, part_size};
    *rest = (CnText){rest->data + taken, rest->size - taken};
    return true;
}

/* Returns the length of the character that begins with this byte; 0 when none does. */
static size_t character_size(unsigned char lead)
{
    if (lead < 0x80)
        return 1;
    if (lead >= 0xC2 && lead <= 0xDF)
        return 2;
    if (lead >= 0xE0 && lead <= 0xEF)
        return 3;
    if (lead >= 0xF0 && lead <= 0xF4)
        return 4;
    return 0;
}

static bool is_continuation(unsigned char byte)
{
    return (byte & 0xC0) == 0x80;
}

/* The second byte reveals overlong forms, surrogates and numbers beyond U+10FFFF (Unicode 15,
 * table 3-7). */
static bool second_byte_fits(unsigned char lead, unsigned char second)
{
    switch (lead) {
    case 0xE0:
        return second >= 0xA0 && second <= 0xBF;
    case 0xED:
        return second >= 0x80 && second <= 0x9F;
    case 0xF0:
        return second >= 0x90 && second <= 0xBF;
    case 0xF4:
        return second >= 0x80 && second <= 0x8F;
    default:
        return is_continuation(second);
    }
}

bool cn_text_is_utf8(CnText text)
{
    const unsigned char *bytes = (const unsigned char *)text.data;
    for (size_t i = 0; i < text.size;) {
        size_t size = character_size(bytes[i]);
        if (size == 0 || size > text.size - i)
            return false;
        if (size > 1 && !second_byte_fits(bytes[i], bytes[i + 1]))
            return false;
        for (size_t k = 2; k < size; k++) {
            if (!is_continuation(bytes[i + k]))
                return false;
        }
        i += size;
    }
    return true;
}

size_t cn_utf8_next(CnText text, size_t at, uint32_t *character)
{
    const unsigned char *bytes = (const unsigned char *)text.data + at;
    size_t left = text.size - at, size = character_size(bytes[0]), good = 1;
    *character = CN_UTF8_REPLACEMENT;
    if (size == 1) {
        *character = bytes[0];
        return at + 1;
    }
    if (size == 0 || left < 2 || !second_byte_fits(bytes[0], bytes[1]))
        return at + 1;
    uint32_t value = bytes[0] & (0x7Fu >> size);
    while (good < size && good < left && is_continuation(bytes[good]))
        value = value << 6 | (bytes[good++] & 0x3Fu);
    if (good == size)
        *character = value;
    return at + good;
}

size_t cn_utf8_previous(CnText text, size_t at)
{
    if (at == 0)
        return 0;
    uint32_t character;
    for (size_t back = at < 4 ? at : 4; back > 1; back--) {
        if (character_size((unsigned char)text.data[at - back]) >= back &&
            cn_utf8_next((CnText){text.data, at}, at - back, &character) == at)
            return at - back;
    }
    return at - 1;
}

size_t cn_utf8_write(uint32_t character, char bytes[4])
{
    if (character > 0x10FFFFu || (character >= 0xD800u && character <= 0xDFFFu))
        character = CN_UTF8_REPLACEMENT;
    if (character < 0x80) {
        bytes[0] = (char)character;
        return 1;
    }
    size_t size = character < 0x800 ? 2 : character < 0x10000 ? 3 : 4;
    for (size_t i = size; i-- > 1; character >>= 6)
        bytes[i] = (char)(0x80u | (character & 0x3Fu));
    bytes[0] = (char)((0xF00u >> size & 0xF0u) | character);
    return size;
}

/* Returns how much of the first `size` bytes remains without an incomplete character at the end. */
static size_t whole_characters(const char *text, size_t size)
{
    for (size_t back = 1; back <= 3 && back <= size; back++) {
        unsigned char byte = (unsigned char)text[size - back];
        if (!is_continuation(byte))
            return character_size(byte) > back ? size - back : size;
    }
    return size;
}

bool cn_format_v(char *buffer, size_t buffer_bytes, const char *format, va_list arguments)
{
    if (buffer_bytes == 0)
        return false;
    int size = vsnprintf(buffer, buffer_bytes, format, arguments);
    if (size < 0) {
        buffer[0] = '\0';
        return false;
    }
    if ((size_t)size < buffer_bytes)
        return true;
    buffer[whole_characters(buffer, buffer_bytes - 1)] = '\0';
    return false;
}

bool cn_format(char *buffer, size_t buffer_bytes, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    bool fits = cn_format_v(buffer, buffer_bytes, format, arguments);
    va_end(arguments);
    return fits;
}

bool cn_copy_text(char *buffer, size_t buffer_bytes, CnText text)
{
    if (buffer_bytes == 0)
        return false;
    bool fits = text.size < buffer_bytes;
    size_t size = fits ? text.size : whole_characters(text.data, buffer_bytes - 1);
    if (size > 0)
        memmove(buffer, text.data, size);
    buffer[size] = '\0';
    return fits;
}

/* Makes room for `size` bytes and the terminator after them. */
static bool reserve_text(CnTextBuilder *builder, size_t size)
{
    uint64_t needed;
    if (__builtin_add_overflow((uint64_t)size, (uint64_t)builder->count + 1, &needed))
        return false;
    return cn_array_reserve(builder, needed);
}

bool cn_text_append(CnTextBuilder *builder, CnText text)
{
    /* The text may be part of the builder's own memory, which moves. */
    uintptr_t offset = (uintptr_t)text.data - (uintptr_t)builder->items;
    bool is_own = builder->items && text.data && offset < builder->capacity;
    if (!reserve_text(builder, text.size))
        return false;
    const char *from = is_own ? builder->items + offset : text.data;
    if (text.size > 0)
        memmove(builder->items + builder->count, from, text.size);
    builder->count += (uint32_t)text.size;
    builder->items[builder->count] = '\0';
    return true;
}

bool cn_text_append_format(CnTextBuilder *builder, const char *format, ...)
{
    va_list arguments, again;
    va_start(arguments, format);
    va_copy(again, arguments);
    int size = vsnprintf(NULL, 0, format, arguments);
    va_end(arguments);
    bool ok = size >= 0 && reserve_text(builder, (size_t)size);
    if (ok) {
        vsnprintf(builder->items + builder->count, (size_t)size + 1, format, again);
        builder->count += (uint32_t)size;
    }
    va_end(again);
    return ok;
}
