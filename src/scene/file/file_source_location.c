#include "scene/file/file_reader.h"

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

static const char *skip_value(const char *at, const char *end)
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

/* Returns the index of a member in the order of the text, which jansson preserves. */
static size_t member_number(json_t *object, const char *key)
{
    size_t number = 0;
    const char *name;
    json_t *value;
    json_object_foreach(object, name, value)
    {
        (void)value;
        if (strcmp(name, key) == 0)
            break;
        number++;
    }
    return number;
}

/* Returns the position of the value `where`; *key is the position of its key, or of the value in
 * an array. */
static const char *find(CnText text, const CniSceneJsonPath *where, const char **key)
{
    const char *end = text.data + text.size;
    if (!where || !where->up) {
        *key = skip_blanks(text.data, end);
        return *key;
    }
    const char *at = find(text, where->up, key);
    size_t number = where->key ? member_number(where->in, where->key) : where->index;
    at = at < end ? at + 1 : end; /* past the bracket */
    for (size_t i = 0;; i++) {
        *key = at = skip_blanks(at, end);
        if (where->key) {
            at = skip_blanks(at < end ? skip_string(at, end) : end, end);
            at = skip_blanks(at < end ? at + 1 : end, end); /* past the colon */
        }
        if (i == number || at == end)
            return at;
        at = skip_blanks(skip_value(at, end), end);
        at = at < end ? at + 1 : end; /* past the comma */
    }
}

CnText cni_scene_locate_value(CnText text, const CniSceneJsonPath *where)
{
    const char *key, *at = find(text, where, &key);
    const char *end = skip_value(at, text.data + text.size);
    return (CnText){at, (size_t)(end - at)};
}

CnText cni_scene_locate_key(CnText text, const CniSceneJsonPath *where)
{
    const char *key;
    find(text, where, &key);
    return (CnText){key, (size_t)(skip_value(key, text.data + text.size) - key)};
}

void cni_scene_locate_line(CnText text, const char *at, int *line, int *column)
{
    *line = *column = 1;
    for (const char *c = text.data; c < at; c++) {
        if (*c == '\n') {
            (*line)++;
            *column = 1;
        } else if (((unsigned char)*c & 0xc0) != 0x80) {
            (*column)++;
        }
    }
}
