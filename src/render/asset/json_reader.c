#include "render/asset/json_reader.h"

#include <cairn/base/json_size.h>

/* ---- Source positions, which jansson does not report. The text is well-formed; otherwise the
 * search ends early. ---- */

static const char *skip_blanks(const char *at, const char *end)
{
    while (at < end && (*at == ' ' || *at == '\t' || *at == '\n' || *at == '\r'))
        at++;
    return at;
}

static const char *skip_text(const char *at, const char *end)
{
    for (at++; at < end && *at != '"'; at++)
        at += *at == '\\';
    return at < end ? at + 1 : end;
}

/* Skips a value of any kind, to the comma or bracket that follows it. */
static const char *skip_value(const char *at, const char *end)
{
    uint32_t depth = 0;
    while (at < end) {
        if (*at == '"') {
            at = skip_text(at, end);
            continue;
        }
        if (depth == 0 && (*at == ',' || *at == ']' || *at == '}'))
            return at;
        if (*at == '[' || *at == '{')
            depth++;
        if (*at == ']' || *at == '}')
            depth--;
        at++;
    }
    return end;
}

static const char *find_object(const CniRenderJsonText *text, uint32_t number)
{
    const char *end = text->text.data + text->text.size;
    const char *at = skip_blanks(text->text.data, end);
    at = skip_blanks(at < end ? at + 1 : end, end); /* into the list */
    for (uint32_t i = 0; i < number && at < end; i++) {
        at = skip_value(at, end);
        at = skip_blanks(at < end ? at + 1 : end, end);
    }
    return at;
}

/* Finds the key in the object, or the object if it lacks the key. */
static const char *find_key(const CniRenderJsonText *text, const char *object, const char *key)
{
    const char *end = text->text.data + text->text.size;
    const char *at = object < end ? object + 1 : end;
    size_t size = strlen(key);
    while (at < end) {
        at = skip_blanks(at, end);
        if (at >= end || *at != '"')
            return object;
        const char *behind = skip_text(at, end);
        if ((size_t)(behind - at) == size + 2 && !memcmp(at + 1, key, size))
            return at;
        at = skip_value(behind, end);
        at += at < end;
    }
    return object;
}

/* Reports an error at a line and column of the text. */
static bool fails_in(const CniRenderJsonText *text, int line, int column, CnError *error,
                     CnErrorCode code, const char *message)
{
    if (line == 1 && text->begin.column)
        column += text->begin.column - 1;
    if (text->begin.line)
        line += text->begin.line - 1;
    return cn_error_set_at(error, code, text->name, line, column, "%s", message);
}

static bool fails_at(const CniRenderJsonText *text, const char *at, CnError *error,
                     CnErrorCode code, const char *message)
{
    int line = 1, column = 1;
    for (const char *c = text->text.data; c < at; c++) {
        column = *c == '\n' ? 1 : column + (((unsigned char)*c & 0xc0) != 0x80);
        line += *c == '\n';
    }
    return fails_in(text, line, column, error, code, message);
}

bool cni_render_json_fails(const CniRenderJsonText *text, uint32_t number, const char *key,
                           CnErrorCode code, const char *format, ...)
{
    char message[CN_ERROR_MESSAGE_BYTES];
    va_list arguments;
    va_start(arguments, format);
    cn_format_v(message, sizeof message, format, arguments);
    va_end(arguments);
    const char *at = find_object(text, number);
    if (key)
        at = find_key(text, at, key);
    return fails_at(text, at, text->error, code, message);
}

/* ---- Reading ---- */

/* Bounds the memory and the recursion of the JSON library before it sees the text. */
static bool check_size(const CniRenderJsonText *text, CnError *error)
{
    CnJsonSize size = cn_json_measure(text->text);
    if (size.tree_bytes <= CNI_RENDER_JSON_MAX_TREE_BYTES &&
        size.depth <= CNI_RENDER_JSON_MAX_DEPTH)
        return true;
    char message[CN_ERROR_MESSAGE_BYTES];
    cn_format(
        message, sizeof message,
        "the %llu values of the list would take more than %u MiB of memory, or are nested more "
        "than %u deep",
        (unsigned long long)size.values, CNI_RENDER_JSON_MAX_TREE_BYTES >> 20,
        CNI_RENDER_JSON_MAX_DEPTH);
    return fails_in(text, 1, 1, error, CN_ERROR_LIMIT, message);
}

json_t *cni_render_json_list(const CniRenderJsonText *text, CnError *error)
{
    if (cn_text_trim(text->text).size == 0)
        return NULL;
    if (!check_size(text, error))
        return NULL;
    json_error_t wrong;
    json_t *list = json_loadb(text->text.data, text->text.size, JSON_REJECT_DUPLICATES, &wrong);
    if (!list) {
        CnErrorCode code =
            json_error_code(&wrong) == json_error_out_of_memory ? CN_ERROR_MEMORY : CN_ERROR_FORMAT;
        fails_in(text, wrong.line > 0 ? wrong.line : 1, wrong.column > 0 ? wrong.column : 1, error,
                 code, wrong.text);
        return NULL;
    }
    if (json_is_array(list))
        return list;
    json_decref(list);
    const char *begin = skip_blanks(text->text.data, text->text.data + text->text.size);
    fails_at(text, begin, error, CN_ERROR_FORMAT, "expected a list: [ ... ]");
    return NULL;
}

static bool read_number(const json_t *value, const CniRenderJsonField *field, float *number)
{
    if (!json_is_number(value))
        return false;
    double found = json_number_value(value);
    *number = (float)found;
    return found >= field->minimum && found <= field->maximum;
}

static bool read_list(const json_t *value, const CniRenderJsonField *field, float *numbers)
{
    size_t count = json_array_size(value);
    bool ok = json_is_array(value) && count >= field->least && count <= field->most;
    for (size_t i = 0; ok && i < count; i++)
        ok = read_number(json_array_get(value, i), field, &numbers[i]);
    return ok;
}

static bool read_choice(const json_t *value, const CniRenderJsonField *field, uint32_t *choice)
{
    const char *name = json_string_value(value);
    for (uint32_t i = 0; name && field->choices[i]; i++)
        if (!strcmp(field->choices[i], name)) {
            *choice = i;
            return true;
        }
    return false;
}

static bool read_value(const json_t *value, const CniRenderJsonField *field, void *into)
{
    switch (field->kind) {
    case CNI_RENDER_JSON_TEXT:
        *(const char **)into = json_string_value(value);
        return json_is_string(value) &&
               strlen(json_string_value(value)) == json_string_length(value);
    case CNI_RENDER_JSON_FLAG:
        *(bool *)into = json_is_true(value);
        return json_is_boolean(value);
    case CNI_RENDER_JSON_NUMBER:
        return read_number(value, field, into);
    case CNI_RENDER_JSON_LIST:
        return read_list(value, field, into);
    default:
        return read_choice(value, field, into);
    }
}

static void describe(const CniRenderJsonField *field, char *text, size_t bytes)
{
    switch (field->kind) {
    case CNI_RENDER_JSON_TEXT:
        cn_format(text, bytes, "a string");
        return;
    case CNI_RENDER_JSON_FLAG:
        cn_format(text, bytes, "true or false");
        return;
    case CNI_RENDER_JSON_NUMBER:
        cn_format(text, bytes, "a number from %g to %g", field->minimum, field->maximum);
        return;
    case CNI_RENDER_JSON_LIST:
        cn_format(text, bytes,
                  field->least == field->most ? "%u numbers from %g to %g"
                                              : "up to %u numbers from %g to %g",
                  field->most, field->minimum, field->maximum);
        return;
    default:
        break;
    }
    size_t at = 0;
    for (uint32_t i = 0; field->choices[i] && at < bytes; i++) {
        cn_format(text + at, bytes - at, i ? ", %s" : "one of %s", field->choices[i]);
        at += strlen(text + at);
    }
}

bool cni_render_json_object(const CniRenderJsonText *text, const json_t *object, uint32_t number,
                            const CniRenderJsonField *fields, uint32_t field_count, void *into)
{
    if (!json_is_object(object))
        return cni_render_json_fails(text, number, NULL, CN_ERROR_FORMAT,
                                     "expected an object: { ... }");
    const char *key;
    json_t *value;
    json_object_foreach((json_t *)object, key, value)
    {
        const CniRenderJsonField *field = NULL;
        for (uint32_t i = 0; i < field_count && !field; i++)
            if (!strcmp(fields[i].key, key))
                field = &fields[i];
        if (!field)
            return cni_render_json_fails(text, number, key, CN_ERROR_FORMAT, "unknown key \"%s\"",
                                         key);
        if (read_value(value, field, (char *)into + field->offset))
            continue;
        char wanted[128];
        describe(field, wanted, sizeof wanted);
        return cni_render_json_fails(text, number, key, CN_ERROR_FORMAT, "\"%s\" must be %s", key,
                                     wanted);
    }
    return true;
}
