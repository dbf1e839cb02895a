#include <cairn/base/json_location.h>

/* The text was parsed without an error, so every value ends properly. The end of the text is
 * checked nevertheless. */

static const char *skip_blanks(const char *at, const char *end)
{
    while (at < end && (*at == ' ' || *at == '\t' || *at == '\n' || *at == '\r'))
        at++;
    return at;
}

static const char *skip_string(const char *at, const char *end)
{
    for (at++; at < end && *at != '"'; at++)
        if (*at == '\\' && at + 1 < end)
            at++;
    return at < end ? at + 1 : end;
}

const char *cn_json_skip_value(const char *at, const char *end)
{
    size_t depth = 0;
    for (at = skip_blanks(at, end); at < end;) {
        if (*at == '"') {
            at = skip_string(at, end);
        } else if (*at == '{' || *at == '[') {
            depth++;
            at++;
        } else if (*at == '}' || *at == ']') {
            if (depth == 0)
                return at;
            depth--;
            at++;
        } else if (depth == 0 && strchr(", \t\r\n:", *at)) {
            return at;
        } else {
            at++;
            continue;
        }
        if (depth == 0)
            return at;
    }
    return end;
}

const char *cn_json_find_child(const char *at, const char *end, size_t number, bool in_object,
                               const char **key)
{
    at = skip_blanks(at, end);
    at = at < end ? at + 1 : end; /* past the bracket */
    for (size_t i = 0;; i++) {
        const char *first = at = skip_blanks(at, end);
        if (in_object) {
            at = skip_blanks(at < end ? skip_string(at, end) : end, end);
            at = skip_blanks(at < end ? at + 1 : end, end); /* past the colon */
        }
        if (key)
            *key = first;
        if (i == number || at == end)
            return at;
        at = skip_blanks(cn_json_skip_value(at, end), end);
        at = at < end ? at + 1 : end; /* past the comma */
    }
}
