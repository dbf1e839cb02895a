/*
 * Writes the file `cairn.lua`, which editors with a Lua language server use for completion and
 * checks. It is generated from the binding tables and from the reflected components of a world.
 */
#include "script/script_internal.h"
#include "script/system/plugin_code.h"

#include <cairn/scene/reflection.h>
#include <string.h>

/* Appends text, and records when memory runs out. */
typedef struct Writer {
    CnWorld *world;
    CnTextBuilder *text;
    bool failed;
} Writer;

static void write(Writer *w, const char *text)
{
    w->failed |= !cn_text_append(w->text, cn_text(text));
}

static void write_part(Writer *w, CnText text)
{
    w->failed |= !cn_text_append(w->text, text);
}

/* Writes text from elsewhere as part of one line. */
static void write_line_of(Writer *w, const char *text)
{
    for (; *text; text++) {
        char c[2] = {*text, 0};
        write(w, (unsigned char)*text < 32 ? " " : c);
    }
}

static void write_comment(Writer *w, const char *about)
{
    if (!about)
        return;
    write(w, "---");
    write_line_of(w, about);
    write(w, "\n");
}

/* ---- Signatures: "(path: string, parent?: Object): Object?" ---- */

/* Returns the end of the part that begins here: a `stop` outside of brackets, or the end of the
 * text. */
static const char *end_of(const char *at, const char *end, char stop)
{
    int depth = 0;
    for (; at < end && (depth || *at != stop); at++)
        depth += strchr("([{<", *at) ? 1 : strchr(")]}>", *at) ? -1 : 0;
    return at;
}

typedef struct Signature {
    CnText parameters; /* without the brackets */
    CnText results;    /* empty: none */
} Signature;

static Signature parse(const char *type)
{
    const char *end = type + strlen(type), *close = end_of(type + 1, end, ')');
    const char *results = strncmp(close, "): ", 3) ? end : close + 3;
    return (Signature){{type + 1, (size_t)(close - type - 1)}, {results, (size_t)(end - results)}};
}

static CnText next_part(CnText *rest)
{
    const char *end = rest->data + rest->size, *stop = end_of(rest->data, end, ',');
    CnText part = {rest->data, (size_t)(stop - rest->data)};
    const char *next = stop < end ? stop + 1 : end;
    *rest = (CnText){next, (size_t)(end - next)};
    return cn_text_trim(part);
}

/* "parent?: Object" is split into the name "parent", an optional mark, and the type. */
typedef struct Parameter {
    CnText name, type;
    bool optional;
} Parameter;

static Parameter split_parameter(CnText part)
{
    const char *colon = end_of(part.data, part.data + part.size, ':');
    Parameter p = {.name = {part.data, (size_t)(colon - part.data)}};
    p.type = cn_text_trim((CnText){colon + 1, (size_t)(part.data + part.size - colon - 1)});
    p.optional = p.name.size && p.name.data[p.name.size - 1] == '?';
    p.name.size -= p.optional;
    return p;
}

static void write_parameters(Writer *w, CnText parameters)
{
    while (parameters.size) {
        Parameter p = split_parameter(next_part(&parameters));
        write(w, "---@param ");
        write_part(w, p.name);
        write(w, p.optional ? "? " : " ");
        write_part(w, p.type);
        write(w, "\n");
    }
}

static void write_results(Writer *w, CnText results)
{
    while (results.size) {
        write(w, "---@return ");
        write_part(w, next_part(&results));
        write(w, "\n");
    }
}

static void write_names(Writer *w, CnText parameters)
{
    for (bool first = true; parameters.size; first = false) {
        write(w, first ? "" : ", ");
        write_part(w, split_parameter(next_part(&parameters)).name);
    }
}

/* `prefix` is "Object:", "input." or "". */
static void write_function(Writer *w, const char *prefix, const char *name, const char *type)
{
    Signature signature = parse(type);
    write_parameters(w, signature.parameters);
    write_results(w, signature.results);
    write(w, "function ");
    write(w, prefix);
    write(w, name);
    write(w, "(");
    write_names(w, signature.parameters);
    write(w, ") end\n\n");
}

/* ---- Binding tables ---- */

static bool is_class(const CniScriptBindingTable *table)
{
    return table->name && table->name[0] >= 'A' && table->name[0] <= 'Z';
}

static void write_field(Writer *w, const char *name, const char *type, const char *about)
{
    write(w, "---@field ");
    write(w, name);
    write(w, " ");
    write(w, type);
    write(w, about ? " " : "");
    write_line_of(w, about ? about : "");
    write(w, "\n");
}

/* Writes operators that LuaLS can declare: "---@operator mul(number): Vec3". */
static void write_operator(Writer *w, const CniScriptBinding *row)
{
    static const char *const known[] = {"__add", "__sub", "__mul", "__div", "__unm", "__call"};
    bool declared = false;
    for (uint32_t i = 0; i < CN_COUNT_OF(known); i++)
        declared |= !strcmp(known[i], row->name);
    Signature signature = parse(row->type);
    if (!declared) {
        write(w, "---`");
        write(w, row->name);
        write(w, "`: ");
        write_line_of(w, row->about);
        write(w, "\n");
        return;
    }
    write(w, "---@operator ");
    write(w, row->name + 2);
    if (signature.parameters.size) {
        write(w, "(");
        write_part(w, split_parameter(signature.parameters).type);
        write(w, ")");
    }
    write(w, ": ");
    write_part(w, signature.results.size ? signature.results : cn_text("nil"));
    write(w, "\n");
}

static void write_overloads(Writer *w, const char *format)
{
    CnReflectedComponent list[CN_MAX_REFLECTED_TYPES];
    uint32_t count = cn_reflection_list(w->world, list, CN_MAX_REFLECTED_TYPES);
    for (uint32_t i = 0; i < count && i < CN_MAX_REFLECTED_TYPES; i++)
        w->failed |= !cn_text_append_format(w->text, format, list[i].name, list[i].name);
}

static void write_functions(Writer *w, const CniScriptBindingTable *table)
{
    char prefix[CN_MAX_NAME_BYTES] = "";
    for (const CniScriptBinding *row = table->bindings; row->name; row++) {
        if (row->kind != CNI_SCRIPT_FUNCTION && row->kind != CNI_SCRIPT_METHOD)
            continue;
        if (table->name)
            cn_format(prefix, sizeof prefix, "%s%s", table->name,
                      row->kind == CNI_SCRIPT_METHOD ? ":" : ".");
        write_comment(w, row->about);
        if (!strcmp(row->name, "getComponent"))
            write_overloads(w, row->kind == CNI_SCRIPT_METHOD
                                   ? "---@overload fun(self: Object, name: \"%s\"): %s?\n"
                                   : "---@overload fun(object: Object, name: \"%s\"): %s?\n");
        write_function(w, prefix, row->name, row->type);
    }
}

static bool has_functions(const CniScriptBindingTable *table)
{
    for (const CniScriptBinding *row = table->bindings; row->name; row++)
        if (row->call)
            return true;
    return false;
}

static void write_table(Writer *w, const CniScriptBindingTable *table)
{
    if (!table->name) {
        w->failed |= !cn_text_append_format(w->text, "-- %s\n\n", table->about);
        write_functions(w, table);
        return;
    }
    write_comment(w, table->about);
    bool extends = !strcmp(table->name, "math"); /* already exists in Lua */
    if (!extends)
        w->failed |= !cn_text_append_format(w->text, "---@class %s\n", table->name);
    for (const CniScriptBinding *row = table->bindings; row->name; row++) {
        if (row->kind == CNI_SCRIPT_PROPERTY)
            write_field(w, row->name, row->type, row->about);
        else if (row->kind == CNI_SCRIPT_OPERATOR)
            write_operator(w, row);
    }
    bool plain = !has_functions(table); /* a table that scripts create */
    if (!extends && !plain)
        w->failed |= !cn_text_append_format(w->text, "%s%s = {}\n", is_class(table) ? "local " : "",
                                            table->name);
    write(w, "\n");
    write_functions(w, table);
}

/* ---- Components ---- */

static const char *type_of(const CnReflectedMember *item)
{
    CnReflectedShape shape = cn_reflection_shape(item);
    switch (shape.form) {
    case CN_REFLECTED_NUMBER:
    case CN_REFLECTED_INTEGER:
        return "number";
    case CN_REFLECTED_BOOL:
        return "boolean";
    case CN_REFLECTED_TEXT:
        return "string";
    case CN_REFLECTED_ENTITY:
        return "Object?";
    case CN_REFLECTED_VECTOR:
        break;
    }
    return shape.numbers == 2                   ? "Vec2"
           : shape.numbers == 3                 ? "Vec3"
           : shape.numbers > 4                  ? "number[]"
           : item->field->type == CN_FIELD_QUAT ? "Quat"
                                                : "Vec4";
}

static void write_alias(Writer *w, const CnReflectedComponent *reflected,
                        const CnReflectedMember *item)
{
    w->failed |=
        !cn_text_append_format(w->text, "---@alias %s.%s", reflected->name, item->reflected.key);
    for (const char *const *choice = item->reflected.choices; *choice; choice++)
        w->failed |= !cn_text_append_format(w->text, "%s\"%s\"",
                                            choice == item->reflected.choices ? " " : "|", *choice);
    write(w, "\n");
}

static bool is_index(const char *part)
{
    return part[0] >= '0' && part[0] <= '9';
}

/* Returns the rest of a key in the object `within`, which may be the component itself; NULL if
 * it is not in there. */
static const char *key_within(const CnReflectedMember *item, CnText within)
{
    const char *key = item->reflected.key;
    if (item->reflected.kind == CN_REFLECTED_HIDDEN)
        return NULL;
    if (!within.size)
        return key;
    return !strncmp(key, within.data, within.size) && key[within.size] == '.'
               ? key + within.size + 1
               : NULL;
}

/* Returns whether an earlier field is in the object. */
static bool was_met(const Writer *w, const CnReflectedComponent *reflected, uint32_t index,
                    CnText object)
{
    CnReflectedMember item;
    for (uint32_t i = 0; i < index && cn_reflection_field(w->world, reflected, i, &item); i++)
        if (key_within(&item, object))
            return true;
    return false;
}

/* Writes "Gun.zones" for the object "zones.0": all elements of an array share one class. */
static void class_name(const CnReflectedComponent *reflected, CnText object, char *name,
                       size_t name_bytes)
{
    CnText part;
    cn_format(name, name_bytes, "%s", reflected->name);
    while (cn_text_split(&object, '.', &part)) {
        size_t size = strlen(name);
        if (!is_index(part.data))
            cn_format(name + size, name_bytes - size, ".%.*s", (int)part.size, part.data);
    }
}

#define CLASS_BYTES (3 * CN_MAX_NAME_BYTES)

static void write_item(Writer *w, const CnReflectedComponent *reflected,
                       const CnReflectedMember *item, const char *name)
{
    char type[CLASS_BYTES];
    if (item->reflected.kind == CN_REFLECTED_CHOICE)
        cn_format(type, sizeof type, "%s.%s", reflected->name, item->reflected.key);
    else
        cn_format(type, sizeof type, "%s%s", type_of(item),
                  cn_reflection_shape(item).elements > 1 ? "[]" : "");
    write_field(w, name, type, item->reflected.about);
}

/* Writes the fields of an object inside the component, or of the component itself; fields that
 * form a nested object count as one. */
static void write_items(Writer *w, const CnReflectedComponent *reflected, CnText within)
{
    CnReflectedMember item;
    for (uint32_t i = 0; cn_reflection_field(w->world, reflected, i, &item); i++) {
        const char *name = key_within(&item, within);
        const char *dot = name ? strchr(name, '.') : NULL;
        if (name && !dot)
            write_item(w, reflected, &item, name);
        CnText object = {item.reflected.key, dot ? (size_t)(dot - item.reflected.key) : 0};
        if (!dot || was_met(w, reflected, i, object))
            continue;
        char class[CLASS_BYTES];
        class_name(reflected, object, class, sizeof class);
        w->failed |= !cn_text_append_format(w->text, "---@field %.*s %s%s\n", (int)(dot - name),
                                            name, class, is_index(dot + 1) ? "[]" : "");
    }
}

/* Writes the classes of the objects that contain a field, unless an earlier field is in them as
 * well. */
static void write_classes_of(Writer *w, const CnReflectedComponent *reflected, uint32_t index,
                             const CnReflectedMember *item)
{
    const char *part = item->reflected.key;
    for (const char *dot; (dot = strchr(part, '.')); part = dot + 1) {
        CnText object = {item->reflected.key, (size_t)(dot - item->reflected.key)};
        if (is_index(part) && part[0] != '0')
            return; /* described by the first element */
        if (is_index(dot + 1) || was_met(w, reflected, index, object))
            continue;
        char class[CLASS_BYTES];
        class_name(reflected, object, class, sizeof class);
        w->failed |= !cn_text_append_format(w->text, "---@class %s\n", class);
        write_items(w, reflected, object);
        write(w, "\n");
    }
}

static void write_inner_classes(Writer *w, const CnReflectedComponent *reflected)
{
    CnReflectedMember item;
    for (uint32_t i = 0; cn_reflection_field(w->world, reflected, i, &item); i++) {
        if (item.reflected.kind == CN_REFLECTED_CHOICE)
            write_alias(w, reflected, &item);
        if (item.reflected.kind != CN_REFLECTED_HIDDEN)
            write_classes_of(w, reflected, i, &item);
    }
}

static void write_components(Writer *w)
{
    CnReflectedComponent list[CN_MAX_REFLECTED_TYPES];
    uint32_t count = cn_reflection_list(w->world, list, CN_MAX_REFLECTED_TYPES);
    write(w, "-- Components and events of this world\n\n");
    for (uint32_t i = 0; i < count && i < CN_MAX_REFLECTED_TYPES; i++) {
        write_inner_classes(w, &list[i]);
        write_comment(w, list[i].type ? list[i].type->about : NULL);
        w->failed |= !cn_text_append_format(w->text, "---@class %s: Component\n", list[i].name);
        write_items(w, &list[i], (CnText){"", 0});
        write(w, "\n");
    }
}

/* ---- Callbacks ---- */

static const struct {
    const char *name, *type, *about;
} callbacks[] = {
    {"on_init", "()", "Called once, before all other callbacks."},
    {"on_fixedupdate", "(dt: number)", "Called every tick, before the physics step."},
    {"on_update", "(dt: number)", "Called every tick, after the physics step."},
    {"on_collisionenter", "(other: Object, contact: Contact)",
     "Called when another object starts touching this one."},
    {"on_collisionstay", "(other: Object, contact: Contact)",
     "Called in every later tick in which another object touches this one."},
    {"on_collisionleave", "(other: Object)", "Called when another object stops touching this one."},
    {"on_soundend", "(sound: number)",
     "Called when a sound that this script played with audio.play has ended."},
    {"on_animationend", "(clip: number)",
     "Called when a clip that does not loop has ended on the object; clips are counted from 0."},
    {"on_paused", "()", "Called every tick while the game is paused, instead of on_update."},
    {"on_reload", "()", "Called after the script's file was reloaded."},
    {"on_destroy", "()", "Called before the object or its script is removed."},
};

static void write_callbacks(Writer *w)
{
    write(w, "-- Callbacks that a script may define\n\n---The object that the script is attached "
             "to.\n---@type Object\n"
             "this = nil\n\n");
    for (uint32_t i = 0; i < CN_COUNT_OF(callbacks); i++) {
        write_comment(w, callbacks[i].about);
        write_function(w, "", callbacks[i].name, callbacks[i].type);
    }
}

bool cn_script_annotations(CnWorld *world, CnTextBuilder *text, CnError *error)
{
    Writer w = {world, text, false};
    write(&w,
          "---@meta\n-- The scripting interface of Cairn. Generated by cn_script_annotations; do "
          "not edit.\n\n");
    for (const CniScriptBindingTable *const *table = cni_script_binding_tables(); *table; table++)
        write_table(&w, *table);
    write_callbacks(&w);
    write_components(&w);
    write(&w, cni_script_plugin_annotations);
    return !w.failed || cn_error_memory(error, "annotations");
}
