#include "scene/file/file_reader.h"

bool cni_scene_fail(const CniSceneSourceText *source, const CniSceneJsonPath *where,
                    CniSceneJsonAnchor point, CnError *error, CnErrorCode code, const char *format,
                    ...)
{
    char message[CN_ERROR_MESSAGE_BYTES];
    va_list arguments;
    va_start(arguments, format);
    cn_format_v(message, sizeof message, format, arguments);
    va_end(arguments);
    CnText at = point == CNI_SCENE_JSON_AT_KEY ? cni_scene_locate_key(source->text, where)
                                               : cni_scene_locate_value(source->text, where);
    int line, column;
    cn_text_line_column(source->text, at.data, &line, &column);
    return cn_error_set_at(error, code, source->name, line, column, "%s", message);
}

bool cni_scene_fail_memory(const CniSceneSourceText *source, CnError *error)
{
    return cn_error_set_at(error, CN_ERROR_MEMORY, source->name, 0, 0, "out of memory");
}

const char *cni_scene_json_kind(const json_t *json)
{
    switch (json_typeof(json)) {
    case JSON_OBJECT:
        return "an object";
    case JSON_ARRAY:
        return "an array";
    case JSON_STRING:
        return "a string";
    case JSON_INTEGER:
    case JSON_REAL:
        return "a number";
    case JSON_NULL:
        return "null";
    default:
        return "true or false";
    }
}

/* ---- Parsing ---- */

bool cni_scene_json_check_text(const CniSceneSourceText *source, CnError *error)
{
    CnText text = source->text;
    if (text.size > CN_SCENE_FILE_MAX_BYTES)
        return cn_error_set_at(error, CN_ERROR_LIMIT, source->name, 0, 0,
                               "the file is larger than %u MiB", CN_SCENE_FILE_MAX_BYTES >> 20);
    if (cn_text_starts_with(text, cn_text("\xef\xbb\xbf")))
        return cn_error_set_at(error, CN_ERROR_FORMAT, source->name, 1, 1,
                               "the file begins with a byte order mark; save it without one");
    if (cn_text_trim(text).size == 0)
        return cn_error_set_at(error, CN_ERROR_FORMAT, source->name, 1, 1, "the file is empty");
    return true;
}

json_t *cni_scene_json_read(const CniSceneSourceText *source, CnError *error)
{
    if (!cni_scene_json_check_text(source, error))
        return NULL;
    json_error_t wrong;
    json_t *json = json_loadb(source->text.data, source->text.size, JSON_REJECT_DUPLICATES, &wrong);
    if (json && !json_is_object(json)) {
        json_decref(json);
        cni_scene_fail(source, NULL, CNI_SCENE_JSON_AT_VALUE, error, CN_ERROR_FORMAT,
                       "the file must contain an object, not an array");
        return NULL;
    }
    if (!json && json_error_code(&wrong) == json_error_out_of_memory)
        cni_scene_fail_memory(source, error);
    else if (!json)
        cn_error_set_at(error, CN_ERROR_FORMAT, source->name, wrong.line > 0 ? wrong.line : 1,
                        wrong.column > 0 ? wrong.column : 1, "%s", wrong.text);
    return json;
}

/* ---- Suggestions for misspelled names ---- */

static const char *next_of_list(void *user)
{
    const char *const **names = user;
    return **names ? *(*names)++ : NULL;
}

const char *cni_scene_find_similar_in(const char *name, const char *const *names)
{
    return cn_text_most_similar(name, next_of_list, &names);
}

const char *cni_scene_suggestion(char *buffer, const char *similar)
{
    buffer[0] = 0;
    if (similar)
        cn_format(buffer, CNI_SCENE_SUGGESTION_BYTES, " (did you mean \"%s\"?)", similar);
    return buffer;
}
