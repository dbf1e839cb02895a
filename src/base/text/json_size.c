#include <cairn/base/json_size.h>

/* Of jansson, with the overhead of malloc: */
#define VALUE_BYTES 56u  /* a number, and its place in an array that grows */
#define STRING_BYTES 48u /* of a value or a key, besides the characters */
#define MEMBER_BYTES 56u
#define OBJECT_BYTES 192u
#define ARRAY_BYTES 96u

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

static const char *skip_string(const char *at, const char *end)
{
    for (at++; at < end && *at != '"'; at++)
        if (*at == '\\' && at + 1 < end)
            at++;
    return at < end ? at + 1 : end;
}

CnJsonSize cn_json_measure(CnText text)
{
    uint64_t commas = 0, objects = 0, arrays = 0, empty = 0, strings = 0, members = 0;
    uint32_t depth = 0, deepest = 0;
    char last = 0; /* that is not blank */
    const char *at = text.data, *end = text.size ? text.data + text.size : text.data;
    while (at < end) {
        char c = *at;
        if (c == '"') {
            strings++;
            at = skip_string(at, end);
            last = c;
            continue;
        }
        commas += c == ',';
        members += c == ':';
        objects += c == '{';
        arrays += c == '[';
        if (c == '{' || c == '[') {
            deepest = ++depth > deepest ? depth : deepest;
        } else if (c == '}' || c == ']') {
            empty += last == '{' || last == '[';
            depth -= depth > 0;
        }
        last = is_blank(c) ? last : c;
        at++;
    }
    /* An object or array has one value more than it has commas, unless it is empty. */
    uint64_t values = 1 + commas + objects + arrays - empty;
    return (CnJsonSize){.values = values,
                        .tree_bytes = values * VALUE_BYTES + strings * STRING_BYTES +
                                      members * MEMBER_BYTES + objects * OBJECT_BYTES +
                                      arrays * ARRAY_BYTES,
                        .depth = deepest};
}
