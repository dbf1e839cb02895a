#include "input/action_map_internal.h"

#include <cairn/base/json_location.h>
#include <jansson.h>

/* ---- Errors with positions ---- */

/* The way from the whole text to a value: file, actions, action, component, bindings, value. */
#define MAX_STEPS 8

typedef struct Step {
    size_t number;
    bool in_object;
} Step;

typedef struct Reader {
    const char *name;
    CnText text;
    CnError *error;
    CnActionMap *map;
    Step steps[MAX_STEPS];
    uint32_t depth;
} Reader;

typedef enum Anchor { AT_VALUE, AT_KEY } Anchor;

static const char *locate(const Reader *reader, Anchor anchor)
{
    const char *end = reader->text.data + reader->text.size;
    const char *at = cn_text_trim(reader->text).data, *key = at;
    for (uint32_t i = 0; i < reader->depth; i++)
        at = cn_json_find_child(at, end, reader->steps[i].number, reader->steps[i].in_object, &key);
    return anchor == AT_KEY ? key : at;
}

CN_PRINTF_LIKE(4, 5)
static bool fail(const Reader *reader, Anchor anchor, CnErrorCode code, const char *format, ...)
{
    char message[CN_ERROR_MESSAGE_BYTES];
    va_list arguments;
    va_start(arguments, format);
    cn_format_v(message, sizeof message, format, arguments);
    va_end(arguments);
    int line, column;
    cn_text_line_column(reader->text, locate(reader, anchor), &line, &column);
    return cn_error_set_at(reader->error, code, reader->name, line, column, "%s", message);
}

static void enter(Reader *reader, size_t number, bool in_object)
{
    CN_ASSERT(reader->depth < MAX_STEPS, "the format has fewer levels");
    reader->steps[reader->depth++] = (Step){number, in_object};
}

static void leave(Reader *reader)
{
    reader->depth--;
}

/* ---- Suggestions ---- */

static const char *next_of_list(void *user)
{
    const char *const **names = user;
    return **names ? *(*names)++ : NULL;
}

typedef struct ActionCursor {
    const CnActionMap *map;
    uint32_t next;
} ActionCursor;

static const char *next_action(void *user)
{
    ActionCursor *cursor = user;
    return cursor->next < cursor->map->count ? cursor->map->names[cursor->next++] : NULL;
}

static bool fail_unknown(const Reader *reader, Anchor anchor, const char *what, const char *name,
                         const char *similar)
{
    if (similar)
        return fail(reader, anchor, CN_ERROR_NOT_FOUND,
                    "there is no %s \"%s\" (did you mean \"%s\"?)", what, name, similar);
    return fail(reader, anchor, CN_ERROR_NOT_FOUND, "there is no %s \"%s\"", what, name);
}

static bool fail_unknown_key(const Reader *reader, const char *key, const char *const *known)
{
    return fail_unknown(reader, AT_KEY, "key", key,
                        cn_text_most_similar(key, next_of_list, &known));
}

/* ---- Bindings ---- */

static bool read_control(const Reader *reader, const json_t *json, CnControl *control)
{
    if (!json_is_string(json))
        return fail(reader, AT_VALUE, CN_ERROR_FORMAT,
                    "a control is a string, such as \"Space\" or \"GamepadLeftX\"");
    const char *text = json_string_value(json);
    return cn_control_find(text, control) ||
           fail_unknown(reader, AT_VALUE, "control", text, cn_control_most_similar(text));
}

static bool read_scale(const Reader *reader, const json_t *json, float *scale)
{
    double value = json_number_value(json);
    float nearest = value >= -1e30 && value <= 1e30 ? (float)value : 0;
    if (!json_is_number(json) || nearest == 0)
        return fail(reader, AT_VALUE, CN_ERROR_FORMAT, "\"scale\" is a number other than 0");
    *scale = nearest;
    return true;
}

static bool read_dead_zone(const Reader *reader, const json_t *json, float *dead_zone)
{
    double value = json_number_value(json);
    if (!json_is_number(json) || !(value >= 0 && (float)value < 1))
        return fail(reader, AT_VALUE, CN_ERROR_FORMAT,
                    "\"deadZone\" is a number that is at least 0 and less than 1");
    *dead_zone = (float)value > 0 ? (float)value : -1; /* 0 would select the default */
    return true;
}

static bool read_binding_key(const Reader *reader, const char *key, const json_t *value,
                             CnBinding *binding)
{
    static const char *const keys[] = {"control", "negative", "scale", "deadZone", NULL};
    if (strcmp(key, "control") == 0)
        return read_control(reader, value, &binding->control);
    if (strcmp(key, "negative") == 0)
        return read_control(reader, value, &binding->negative);
    if (strcmp(key, "scale") == 0)
        return read_scale(reader, value, &binding->scale);
    if (strcmp(key, "deadZone") == 0)
        return read_dead_zone(reader, value, &binding->dead_zone);
    return fail_unknown_key(reader, key, keys);
}

static bool read_binding_object(Reader *reader, json_t *json, CnBinding *binding)
{
    size_t number = 0;
    const char *key;
    json_t *value;
    json_object_foreach(json, key, value)
    {
        enter(reader, number++, true);
        if (!read_binding_key(reader, key, value, binding))
            return false;
        leave(reader);
    }
    return true;
}

/* Numbers that equal the default are stored as 0, so that they are written in one form. */
static void normalize(const CnActionDesc *action, CnBinding *binding)
{
    float dead_zone =
        action->kind == CN_ACTION_BUTTON ? CN_ACTION_PRESS_POINT : CN_ACTION_DEAD_ZONE;
    if (binding->scale == 1)
        binding->scale = 0;
    if (binding->dead_zone == dead_zone && binding->control.kind == CN_CONTROL_GAMEPAD_AXIS)
        binding->dead_zone = 0;
}

static bool read_binding(Reader *reader, json_t *json, const CnActionDesc *action,
                         CnBinding *binding)
{
    if (json_is_object(json)) {
        if (!read_binding_object(reader, json, binding))
            return false;
    } else if (!json_is_string(json)) {
        return fail(reader, AT_VALUE, CN_ERROR_FORMAT,
                    "a binding is the name of a control, or an object with \"control\"");
    } else if (!read_control(reader, json, &binding->control)) {
        return false;
    }
    normalize(action, binding);
    CnError wrong = {0};
    return cn_binding_check(action, binding, &wrong) ||
           fail(reader, AT_VALUE, wrong.code, "%s", wrong.message);
}

typedef struct BindingList {
    CnBinding items[CN_MAX_BINDINGS];
    uint32_t count;
} BindingList;

static bool read_bindings(Reader *reader, json_t *json, const CnActionDesc *action,
                          uint32_t component, BindingList *list)
{
    if (!json_is_array(json))
        return fail(reader, AT_VALUE, CN_ERROR_FORMAT,
                    "the bindings of \"%s\" are an array, such as [\"Space\", \"GamepadA\"]",
                    action->name);
    size_t i;
    json_t *value;
    json_array_foreach(json, i, value)
    {
        enter(reader, i, false);
        if (list->count == CN_MAX_BINDINGS)
            return fail(reader, AT_VALUE, CN_ERROR_LIMIT, "an action has at most %u bindings",
                        CN_MAX_BINDINGS);
        CnBinding *binding = &list->items[list->count++];
        *binding = (CnBinding){.component = component};
        if (!read_binding(reader, value, action, binding))
            return false;
        leave(reader);
    }
    return true;
}

/* ---- Actions ---- */

static bool read_components(Reader *reader, json_t *json, const CnActionDesc *action,
                            BindingList *list)
{
    static const char *const keys[] = {"x", "y", NULL};
    if (!json_is_object(json))
        return fail(reader, AT_VALUE, CN_ERROR_FORMAT,
                    "\"%s\" has two axes: {\"x\": [...], \"y\": [...]}", action->name);
    /* x before y, whatever their order in the file, because the order is part of the result. */
    for (uint32_t component = 0; component < 2; component++) {
        size_t number = 0;
        const char *key;
        json_t *value;
        json_object_foreach(json, key, value)
        {
            enter(reader, number++, true);
            if (strcmp(key, "x") != 0 && strcmp(key, "y") != 0)
                return fail_unknown_key(reader, key, keys);
            if (strcmp(key, keys[component]) == 0 &&
                !read_bindings(reader, value, action, component, list))
                return false;
            leave(reader);
        }
    }
    return true;
}

static bool read_action(Reader *reader, const char *name, json_t *json)
{
    CnAction action = cn_action_find(cn_action_map_actions(reader->map), name);
    if (!action.number)
        return fail_unknown(
            reader, AT_KEY, "action", name,
            cn_text_most_similar(name, next_action, &(ActionCursor){reader->map, 0}));
    uint32_t number = action.number - 1u;
    const CnActionDesc *desc = &reader->map->actions[number];
    BindingList list = {.count = 0};
    bool done = desc->kind == CN_ACTION_AXIS2 ? read_components(reader, json, desc, &list)
                                              : read_bindings(reader, json, desc, 0, &list);
    if (done)
        cni_input_map_bind(reader->map, number, list.items, list.count);
    return done;
}

static bool read_actions(Reader *reader, json_t *json)
{
    if (!json_is_object(json))
        return fail(reader, AT_VALUE, CN_ERROR_FORMAT, "\"actions\" is an object");
    size_t number = 0;
    const char *key;
    json_t *value;
    json_object_foreach(json, key, value)
    {
        enter(reader, number++, true);
        if (!read_action(reader, key, value))
            return false;
        leave(reader);
    }
    return true;
}

/* ---- The file ---- */

static bool read_version(const Reader *reader, const json_t *json)
{
    if (!json_is_integer(json) || json_integer_value(json) < 1)
        return fail(reader, AT_VALUE, CN_ERROR_FORMAT, "\"version\" is a positive integer");
    if (json_integer_value(json) != CNI_INPUT_FILE_VERSION)
        return fail(reader, AT_VALUE, CN_ERROR_VERSION, "this program reads version %d only",
                    CNI_INPUT_FILE_VERSION);
    return true;
}

static bool read_gamepad(const Reader *reader, const json_t *json)
{
    json_int_t number = json_is_integer(json) ? json_integer_value(json) : 0;
    if (json_is_string(json) && strcmp(json_string_value(json), "first") == 0)
        number = 0;
    else if (number < 1 || number > CN_GAMEPAD_COUNT)
        return fail(reader, AT_VALUE, CN_ERROR_FORMAT,
                    "\"gamepad\" is \"first\" or a number from 1 to %u", CN_GAMEPAD_COUNT);
    reader->map->gamepad = (uint32_t)number;
    return true;
}

static bool read_file_key(Reader *reader, const char *key, json_t *value)
{
    static const char *const keys[] = {"version", "gamepad", "actions", NULL};
    if (strcmp(key, "version") == 0)
        return read_version(reader, value);
    if (strcmp(key, "gamepad") == 0)
        return read_gamepad(reader, value);
    if (strcmp(key, "actions") == 0)
        return read_actions(reader, value);
    return fail_unknown_key(reader, key, keys);
}

static bool read_file(Reader *reader, json_t *json)
{
    if (!json_is_object(json))
        return fail(reader, AT_VALUE, CN_ERROR_FORMAT, "the file must contain an object");
    if (!json_object_get(json, "version"))
        return fail(reader, AT_VALUE, CN_ERROR_FORMAT, "the file must contain \"version\": %d",
                    CNI_INPUT_FILE_VERSION);
    size_t number = 0;
    const char *key;
    json_t *value;
    json_object_foreach(json, key, value)
    {
        enter(reader, number++, true);
        if (!read_file_key(reader, key, value))
            return false;
        leave(reader);
    }
    return true;
}

static json_t *parse(const Reader *reader)
{
    if (reader->text.size > CN_ACTION_FILE_MAX_BYTES) {
        cn_error_set_at(reader->error, CN_ERROR_LIMIT, reader->name, 1, 1,
                        "the file is larger than %u KiB", CN_ACTION_FILE_MAX_BYTES >> 10);
        return NULL;
    }
    json_error_t wrong;
    const char *bytes = reader->text.data ? reader->text.data : "";
    json_t *json = json_loadb(bytes, reader->text.size, JSON_REJECT_DUPLICATES, &wrong);
    if (!json && json_error_code(&wrong) == json_error_out_of_memory)
        cn_error_memory(reader->error, "the bindings in %s", reader->name);
    else if (!json)
        cn_error_set_at(reader->error, CN_ERROR_FORMAT, reader->name,
                        wrong.line > 0 ? wrong.line : 1, wrong.column > 0 ? wrong.column : 1, "%s",
                        wrong.text);
    return json;
}

bool cn_action_map_read_text(CnActionMap *map, const char *name, CnText text, CnError *error)
{
    CN_ASSERT(map, "%s: map is NULL", __func__);
    CN_REPORT_UNHANDLED(error, "input", NULL);
    Reader reader = {.name = name, .text = text, .error = error};
    json_t *json = parse(&reader);
    if (!json)
        return false;
    /* Read into a copy: a file with an error must not change the map. */
    CnActionMap *copy = cn_action_map_create(
        &(CnActionMapDesc){.lists = {cn_action_map_actions(map)}, .allocator = map->allocator},
        error);
    bool done = copy != NULL;
    if (done) {
        memcpy(copy->defaults, map->defaults, sizeof copy->defaults);
        memcpy(copy->default_counts, map->default_counts, sizeof copy->default_counts);
        copy->default_gamepad = map->default_gamepad;
        cn_action_map_reset(copy);
        reader.map = copy;
        done = read_file(&reader, json);
    }
    json_decref(json);
    if (done) {
        for (uint32_t i = 0; i < map->count; i++)
            cni_input_map_bind(map, i, copy->bindings[i], copy->actions[i].binding_count);
        map->gamepad = copy->gamepad;
    }
    cn_action_map_destroy(copy);
    return done;
}

bool cn_action_map_read(CnActionMap *map, CnFileSystem *files, const char *path, CnError *error)
{
    CN_ASSERT(map, "%s: map is NULL", __func__);
    CN_REPORT_UNHANDLED(error, "input", NULL);
    CnFileBytes bytes;
    if (!cn_file_read_all(files, path, map->allocator, &bytes, error))
        return false;
    bool done =
        cn_action_map_read_text(map, path, (CnText){(const char *)bytes.data, bytes.size}, error);
    cn_file_bytes_free(&bytes);
    return done;
}
