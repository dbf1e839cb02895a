#include "input/action_map_internal.h"

/* Out of memory is remembered until the end. */
typedef struct Writer {
    CnTextBuilder *text;
    bool failed;
} Writer;

static void put(Writer *writer, const char *text)
{
    writer->failed = writer->failed || !cn_text_append(writer->text, cn_text(text));
}

/* Names contain nothing that JSON would escape. */
static void put_quoted(Writer *writer, const char *text)
{
    put(writer, "\"");
    put(writer, text);
    put(writer, "\"");
}

static void put_number(Writer *writer, float number)
{
    writer->failed = writer->failed || !cn_text_append_float(writer->text, number);
}

static void put_control(Writer *writer, CnControl control)
{
    char text[CN_CONTROL_TEXT_BYTES];
    put_quoted(writer, cn_control_text(control, text));
}

/* Begins a member of an object on one line. */
static void put_key(Writer *writer, const char *key, bool *is_first)
{
    put(writer, *is_first ? "" : ", ");
    *is_first = false;
    put_quoted(writer, key);
    put(writer, ": ");
}

static void put_binding(Writer *writer, const CnActionDesc *action, const CnBinding *binding)
{
    float usual = action->kind == CN_ACTION_BUTTON ? CN_ACTION_PRESS_POINT : CN_ACTION_DEAD_ZONE;
    bool has_control = binding->control.kind != CN_CONTROL_NONE;
    bool has_negative = binding->negative.kind != CN_CONTROL_NONE;
    bool has_scale = binding->scale != 0 && binding->scale != 1;
    bool has_dead_zone = binding->dead_zone != 0 && binding->dead_zone != usual;
    if (!has_negative && !has_scale && !has_dead_zone) {
        put_control(writer, binding->control);
        return;
    }
    bool is_first = true;
    put(writer, "{");
    if (has_control) {
        put_key(writer, "control", &is_first);
        put_control(writer, binding->control);
    }
    if (has_negative) {
        put_key(writer, "negative", &is_first);
        put_control(writer, binding->negative);
    }
    if (has_scale) {
        put_key(writer, "scale", &is_first);
        put_number(writer, binding->scale);
    }
    if (has_dead_zone) {
        put_key(writer, "deadZone", &is_first);
        put_number(writer, binding->dead_zone > 0 ? binding->dead_zone : 0);
    }
    put(writer, "}");
}

static void put_bindings(Writer *writer, const CnActionDesc *action, uint32_t component)
{
    bool is_first = true;
    put(writer, "[");
    for (uint32_t i = 0; i < action->binding_count; i++) {
        if (action->bindings[i].component != component)
            continue;
        put(writer, is_first ? "" : ", ");
        is_first = false;
        put_binding(writer, action, &action->bindings[i]);
    }
    put(writer, "]");
}

static void put_action(Writer *writer, const CnActionDesc *action)
{
    put(writer, "    ");
    put_quoted(writer, action->name);
    put(writer, ": ");
    if (action->kind != CN_ACTION_AXIS2) {
        put_bindings(writer, action, 0);
        return;
    }
    put(writer, "{\n      \"x\": ");
    put_bindings(writer, action, 0);
    put(writer, ",\n      \"y\": ");
    put_bindings(writer, action, 1);
    put(writer, "\n    }");
}

bool cn_action_map_write_text(const CnActionMap *map, CnTextBuilder *builder, CnError *error)
{
    CN_ASSERT(map, "%s: map is NULL", __func__);
    CN_REPORT_UNHANDLED(error, "input", NULL);
    Writer writer = {.text = builder};
    writer.failed =
        !cn_text_append_format(builder, "{\n  \"version\": %d,\n", CNI_INPUT_FILE_VERSION);
    if (map->gamepad)
        writer.failed =
            writer.failed || !cn_text_append_format(builder, "  \"gamepad\": %u,\n", map->gamepad);
    else
        put(&writer, "  \"gamepad\": \"first\",\n");
    put(&writer, "  \"actions\": {");
    for (uint32_t i = 0; i < map->count; i++) {
        put(&writer, i ? ",\n" : "\n");
        put_action(&writer, &map->actions[i]);
    }
    put(&writer, map->count ? "\n  }\n}\n" : "}\n}\n");
    return !writer.failed || cn_error_memory(error, "the text of an action map");
}

bool cn_action_map_write(const CnActionMap *map, CnFileSystem *files, const char *path,
                         CnError *error)
{
    CN_ASSERT(map, "%s: map is NULL", __func__);
    CN_REPORT_UNHANDLED(error, "input", NULL);
    CnTextBuilder text;
    cn_array_init(&text, map->allocator);
    bool done = cn_action_map_write_text(map, &text, error) &&
                cn_file_write_all(files, path, text.items, text.count, error);
    cn_array_fini(&text);
    return done;
}
