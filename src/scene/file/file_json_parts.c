/*
 * Large texts are parsed in parts. For a text such as "{},{},{}", jansson takes up to 75 bytes of
 * memory per byte; a part bounds that. The brackets of a text are matched first (8 bytes for each
 * pair); then each node is parsed without its children, and freed before its children are parsed.
 *
 * Whatever the text, the parts together have the syntax errors of the whole: a list that is left
 * out is replaced by "[]", and its elements and the commas between them are checked by themselves.
 */
#include "scene/file/file_reader.h"

#define MAX_DEPTH 2048u /* of brackets; that of jansson */

static bool fail_at(const CniSceneSourceText *source, const char *at, CnError *error,
                    CnErrorCode code, const char *message)
{
    int line, column;
    cn_text_line_column(source->text, at, &line, &column);
    return cn_error_set_at(error, code, source->name, line, column, "%s", message);
}

/* ---- The index: pairs of brackets ---- */

static const char *skip_string(const char *at, const char *end)
{
    for (at++; at < end && *at != '"'; at++)
        at += *at == '\\' && at + 1 < end;
    return at < end ? at + 1 : end;
}

typedef struct OpenBracket {
    uint32_t span;
    char closes;
} OpenBracket;

/* Matches the brackets; fills index->spans unless it is NULL. */
static bool match_brackets(CniSceneJsonIndex *index, const CniSceneSourceText *source,
                           CnError *error)
{
    OpenBracket open[MAX_DEPTH];
    uint32_t depth = 0;
    const char *begin = source->text.data, *end = begin + source->text.size;
    index->count = 0;
    for (const char *at = begin; at < end; at++) {
        if (*at == '"') {
            at = skip_string(at, end) - 1;
        } else if (*at == '{' || *at == '[') {
            if (depth == MAX_DEPTH)
                return fail_at(source, at, error, CN_ERROR_LIMIT,
                               "values are nested more than 2048 levels deep");
            open[depth++] = (OpenBracket){index->count++, *at == '{' ? '}' : ']'};
        } else if (*at == '}' || *at == ']') {
            if (!depth || open[depth - 1].closes != *at)
                return fail_at(source, at, error, CN_ERROR_FORMAT,
                               "this bracket does not close the last one that is open");
            depth--;
            if (index->spans)
                index->spans[open[depth].span] =
                    (CniSceneJsonSpan){(uint32_t)(at + 1 - begin), index->count};
        }
    }
    return !depth || fail_at(source, end, error, CN_ERROR_FORMAT,
                             "the text ends before all brackets are closed");
}

bool cni_scene_json_index_init(CniSceneJsonIndex *index, const CniSceneSourceText *source,
                               size_t part_bytes, CnAllocator *allocator, CnError *error)
{
    *index = (CniSceneJsonIndex){.part_bytes = part_bytes, .allocator = allocator};
    if (!cni_scene_json_check_text(source, error))
        return false;
    if (source->text.size <= part_bytes)
        return true;
    if (!match_brackets(index, source, error))
        return false;
    uint32_t count = index->count;
    index->spans = cn_alloc(allocator, (count + (size_t)1) * sizeof *index->spans);
    return index->spans ? match_brackets(index, source, error)
                        : cni_scene_fail_memory(source, error);
}

void cni_scene_json_index_fini(CniSceneJsonIndex *index)
{
    if (index->spans)
        cn_free(index->allocator, index->spans, (index->count + (size_t)1) * sizeof *index->spans);
    index->spans = NULL;
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

/* cn_text_trim also removes characters that are not blanks in JSON. */
static CnText trim(CnText text)
{
    for (; text.size && is_blank(text.data[0]); text.size--)
        text.data++;
    while (text.size && is_blank(text.data[text.size - 1]))
        text.size--;
    return text;
}

CniSceneJsonPart cni_scene_json_root(const CniSceneSourceText *source)
{
    return (CniSceneJsonPart){trim(source->text), 0};
}

/* ---- Parsing a part ---- */

static json_t *parse(CnText text, json_error_t *wrong)
{
    return json_loadb(text.data, text.size, JSON_REJECT_DUPLICATES | JSON_DECODE_ANY, wrong);
}

/* `at` is the position of the error in the source. */
static void fail_syntax(const CniSceneSourceText *source, const char *at, const json_error_t *wrong,
                        CnError *error)
{
    if (json_error_code(wrong) == json_error_out_of_memory)
        cni_scene_fail_memory(source, error);
    else
        fail_at(source, at, error, CN_ERROR_FORMAT, wrong->text);
}

static json_t *parse_whole(const CniSceneSourceText *source, CnText text, CnError *error)
{
    json_error_t wrong;
    json_t *json = parse(text, &wrong);
    if (!json) {
        size_t at = wrong.position > 0 ? (size_t)wrong.position : 0;
        fail_syntax(source, text.data + (at < text.size ? at : text.size), &wrong, error);
    }
    return json;
}

typedef struct LeftOut {
    CniSceneJsonPart *parts; /* in the order of the keys */
    const char *const *keys;
    const char *starts[CNI_SCENE_JSON_MAX_LEFT_OUT]; /* in the order of the text */
    const char *ends[CNI_SCENE_JSON_MAX_LEFT_OUT];
    uint32_t count;
    size_t bytes;
} LeftOut;

static void leave_out(LeftOut *left_out, CnText key, CniSceneJsonPart list)
{
    for (uint32_t i = 0; left_out->keys[i] && list.text.data[0] == '['; i++) {
        if (!cn_text_equal(key, cn_text(left_out->keys[i])) || left_out->parts[i].text.data)
            continue;
        left_out->parts[i] = list;
        left_out->starts[left_out->count] = list.text.data + 1;
        left_out->ends[left_out->count++] = list.text.data + list.text.size - 1;
        left_out->bytes += list.text.size - 2;
    }
}

/* Finds the lists to leave out among the members of an object. */
static void find_lists(const CniSceneSourceText *source, const CniSceneJsonIndex *index,
                       CniSceneJsonPart object, LeftOut *left_out)
{
    const char *end = object.text.data + object.text.size - 1;
    CnText key = {0};
    bool is_value = false;
    uint32_t span = object.span + 1;
    for (const char *at = object.text.data + 1; at < end;) {
        const char *start = at;
        if (*at == '"') {
            at = skip_string(at, end);
            if (!is_value && at - start >= 2)
                key = (CnText){start + 1, (size_t)(at - start) - 2};
        } else if (*at == '{' || *at == '[') {
            at = source->text.data + index->spans[span].end;
            CnText text = {start, (size_t)(at - start)};
            if (is_value)
                leave_out(left_out, key, (CniSceneJsonPart){text, span});
            span = index->spans[span].next;
        } else {
            is_value = *at == ':' || (is_value && *at != ',');
            at++;
        }
    }
}

/* Parses the rest of an object; positions behind a list that is left out are moved back. */
static json_t *parse_rest(const CniSceneSourceText *source, const CniSceneJsonIndex *index,
                          CnText text, const LeftOut *left_out, CnError *error)
{
    size_t size = text.size - left_out->bytes, used = 0;
    char *rest = cn_alloc(index->allocator, size);
    if (!rest) {
        cni_scene_fail_memory(source, error);
        return NULL;
    }
    const char *from = text.data;
    for (uint32_t i = 0; i <= left_out->count; i++) {
        const char *to = i < left_out->count ? left_out->starts[i] : text.data + text.size;
        memcpy(rest + used, from, (size_t)(to - from));
        used += (size_t)(to - from);
        from = i < left_out->count ? left_out->ends[i] : to;
    }
    json_error_t wrong;
    json_t *json = parse((CnText){rest, size}, &wrong);
    if (!json) {
        const char *at = text.data + (wrong.position > 0 ? wrong.position : 0);
        for (uint32_t i = 0; i < left_out->count && at > left_out->starts[i]; i++)
            at += left_out->ends[i] - left_out->starts[i];
        fail_syntax(source, at, &wrong, error);
    }
    cn_free(index->allocator, rest, size);
    return json;
}

json_t *cni_scene_json_read_part(const CniSceneSourceText *source, const CniSceneJsonIndex *index,
                                 CniSceneJsonPart part, const char *const *keys,
                                 CniSceneJsonPart *lists, CnError *error)
{
    LeftOut left_out = {.parts = lists, .keys = keys};
    for (uint32_t i = 0; keys[i]; i++)
        lists[i] = (CniSceneJsonPart){0};
    if (source->text.size <= index->part_bytes)
        return cni_scene_json_read(source, error);
    if (part.text.size <= index->part_bytes)
        return parse_whole(source, part.text, error);
    bool is_object = part.text.data[0] == '{' && source->text.data + index->spans[part.span].end ==
                                                     part.text.data + part.text.size;
    if (is_object)
        find_lists(source, index, part, &left_out);
    if (part.text.size - left_out.bytes <= index->part_bytes)
        return parse_rest(source, index, part.text, &left_out, error);
    char message[CN_ERROR_MESSAGE_BYTES];
    cn_format(message, sizeof message,
              "this value has %zu KiB without lists of nodes; at most %zu KiB are read",
              (part.text.size - left_out.bytes) / 1024, index->part_bytes / 1024);
    fail_at(source, part.text.data, error, CN_ERROR_LIMIT, message);
    return NULL;
}

/* ---- Elements ---- */

CniSceneJsonElements cni_scene_json_elements(CniSceneJsonPart list)
{
    return (CniSceneJsonElements){list.text.data + 1, list.text.data + list.text.size - 1,
                                  list.span + 1, false};
}

CniSceneJsonNext cni_scene_json_next_element(const CniSceneSourceText *source,
                                             const CniSceneJsonIndex *index,
                                             CniSceneJsonElements *list, CniSceneJsonPart *element,
                                             CnError *error)
{
    const char *at = list->at;
    uint32_t span = list->span;
    while (at < list->end && *at != ',') {
        if (*at == '"') {
            at = skip_string(at, list->end);
        } else if (*at == '{' || *at == '[') {
            at = source->text.data + index->spans[list->span].end;
            list->span = index->spans[list->span].next;
        } else {
            at++;
        }
    }
    CnText text = trim((CnText){list->at, (size_t)(at - list->at)});
    bool is_last = at == list->end;
    if (!text.size && is_last && !list->is_behind_comma)
        return CNI_SCENE_JSON_END;
    if (!text.size) {
        fail_at(source, at, error, CN_ERROR_FORMAT, "a value is expected here");
        return CNI_SCENE_JSON_FAILED;
    }
    *element = (CniSceneJsonPart){text, span};
    list->is_behind_comma = !is_last;
    list->at = is_last ? at : at + 1;
    return CNI_SCENE_JSON_ELEMENT;
}

bool cni_scene_json_check_list(const CniSceneSourceText *source, const CniSceneJsonIndex *index,
                               CniSceneJsonPart list, CnError *error)
{
    static const char *const none[] = {NULL};
    CniSceneJsonElements elements = cni_scene_json_elements(list);
    CniSceneJsonPart element;
    CniSceneJsonNext next;
    while ((next = cni_scene_json_next_element(source, index, &elements, &element, error)) ==
           CNI_SCENE_JSON_ELEMENT) {
        json_t *json = cni_scene_json_read_part(source, index, element, none, NULL, error);
        if (!json)
            return false;
        json_decref(json);
    }
    return next == CNI_SCENE_JSON_END;
}
