/* A reference of all components and resources in Markdown, from their reflection tables. */
#include "scene/file/file_writer.h"
#include "scene/reflection/reflection_internal.h"

static const char introduction[] =
    "# Components\n"
    "\n"
    "<!-- Written by `cairn components`; do not edit. -->\n"
    "\n"
    "Every component that scene files, scripts and C programs can use, with all its fields. "
    "`CnCamera` in C is\n"
    "`CameraComponent` in files and in Lua. Keys are in camelCase there, fields in C in "
    "snake_case. Files are\n"
    "written with these names only; where a line names another spelling, it is accepted when "
    "files are read and\n"
    "in scripts. [formats.md](formats.md#scene-files-and-prefabs) describes how each type is "
    "written in JSON.\n"
    "Omitted fields have their defaults.\n";

typedef struct Reference {
    const CnWorld *world;
    CnTextBuilder *text;
    bool is_done; /* false: out of memory */
} Reference;

static void append(Reference *reference, const char *text)
{
    reference->is_done = reference->is_done && cni_scene_json_append(reference->text, text);
}

#define append_format(reference, ...)                                                              \
    ((reference)->is_done =                                                                        \
         (reference)->is_done && cn_text_append_format((reference)->text, __VA_ARGS__))

/* ---- Fields ---- */

static void append_choices(Reference *reference, const char *const *choices)
{
    for (uint32_t i = 0; choices[i]; i++)
        append_format(reference, "%s`%s`", !i ? "" : choices[i + 1] ? ", " : " or ", choices[i]);
}

static void append_type(Reference *reference, const CnReflectedMember *item)
{
    const CnReflectedField *field = &item->reflected;
    CnReflectedShape shape = cn_reflection_shape(item);
    if (shape.elements > 1)
        append_format(reference, "%u of: ", shape.elements);
    if (field->kind == CN_REFLECTED_CHOICE)
        append_choices(reference, field->choices);
    else if (field->kind == CN_REFLECTED_EULER)
        append(reference, "angles");
    else if (shape.form == CN_REFLECTED_NUMBER)
        append(reference, "number");
    else if (shape.form == CN_REFLECTED_INTEGER)
        append(reference, "integer");
    else if (shape.form == CN_REFLECTED_TEXT)
        append_format(reference, "text, at most %u bytes", item->field->count - 1);
    else
        append(reference, cn_field_type_name(item->field->type));
    if (field->minimum != 0 || field->maximum != 0)
        append_format(reference, ", %g to %g", field->minimum, field->maximum);
}

/* `value`: of the component; NULL: zeros. */
static void append_default(Reference *reference, const CnReflectedMember *item, const void *value)
{
    static const CnMat4 zeros; /* the largest element of a fixed size */
    CnReflectedShape shape = cn_reflection_shape(item);
    const void *field = &zeros;
    if (value)
        field = (const uint8_t *)value + item->field->offset;
    append(reference, shape.elements > 1 ? "`[" : "`");
    for (uint32_t i = 0; i < shape.elements; i++) {
        CnReflectedValue element = cn_reflected_text((CnText){"", 0});
        if (value || item->field->type != CN_FIELD_TEXT)
            cn_reflection_read(item, field, value ? i : 0, &element);
        append(reference, i ? ", " : "");
        reference->is_done =
            reference->is_done && cni_scene_write_value(reference->text, item, &element);
    }
    append(reference, shape.elements > 1 ? "]`" : "`");
}

static void append_about(Reference *reference, const CnReflectedComponent *reflected,
                         const CnReflectedMember *item)
{
    const CnReflectedField *field = &item->reflected;
    char restriction[256], alias[128] = "";
    cni_scene_field_restriction(reference->world, reflected, item, restriction, sizeof restriction);
    if (field->alias)
        cn_format(alias, sizeof alias, "also read as `%s`", field->alias);
    const char *parts[] = {field->required ? "required" : "", field->about ? field->about : "",
                           restriction, alias};
    bool is_first = true;
    for (uint32_t i = 0; i < CN_COUNT_OF(parts); i++)
        if (parts[i][0]) {
            append_format(reference, "%s%s", is_first ? "" : "; ", parts[i]);
            is_first = false;
        }
}

static void append_field(Reference *reference, const CnReflectedComponent *reflected,
                         const CnReflectedMember *item, const void *value)
{
    append_format(reference, "| `%s` | ", item->reflected.key);
    append_type(reference, item);
    append(reference, " | ");
    append_default(reference, item, value);
    append_format(reference, " | %s | `%s %s", item->reflected.unit ? item->reflected.unit : "",
                  cn_field_type_name(item->field->type), item->field->name);
    if (item->field->count > 1)
        append_format(reference, "[%u]", item->field->count);
    append(reference, "` | ");
    append_about(reference, reflected, item);
    append(reference, " |\n");
}

/* Lists the fields that the table omits: state that belongs to the engine. */
static void append_other_fields(Reference *reference, const CnReflectedComponent *reflected,
                                const CnComponentInfo *info)
{
    bool is_first = true;
    for (uint32_t i = 0; i < info->field_count; i++) {
        CnReflectedMember item;
        bool is_listed = false;
        for (uint32_t j = 0; cn_reflection_field(reference->world, reflected, j, &item); j++)
            is_listed |= item.field == &info->fields[i];
        if (is_listed)
            continue;
        append_format(reference, "%s`%s`",
                      is_first ? "\nMaintained by the engine, in C only: " : ", ",
                      info->fields[i].name);
        is_first = false;
    }
    append(reference, is_first ? "" : ".\n");
}

/* ---- Components ---- */

static void append_type_line(Reference *reference, const CnReflectedComponent *reflected,
                             const CnComponentInfo *info)
{
    const CnReflectedType *type = reflected->type;
    append_format(reference, "\n## %s\n\n", reflected->name);
    if (strcmp(reflected->name, info->name) != 0)
        append_format(reference, "In C: `%s`", info->name);
    else
        append(reference, type && type->is_resource ? "A resource, in C only" : "In C: the same");
    if (type && type->alias)
        append_format(reference, "; also read as `%s`", type->alias);
    append_format(reference, "%s%s.\n", type && type->about ? ": " : "",
                  type && type->about ? type->about : "");
}

static void append_component(Reference *reference, const CnReflectedComponent *reflected,
                             const void *value)
{
    CnComponentInfo info;
    CnReflectedMember item;
    if (!cn_component_info(reference->world, reflected->component, &info))
        return;
    append_type_line(reference, reflected, &info);
    value = value ? value : info.default_value;
    for (uint32_t i = 0; cn_reflection_field(reference->world, reflected, i, &item); i++) {
        if (!i)
            append(reference, "\n| key | type | default | unit | in C | |\n"
                              "| --- | --- | --- | --- | --- | --- |\n");
        if (item.reflected.kind != CN_REFLECTED_HIDDEN)
            append_field(reference, reflected, &item, value);
    }
    append_other_fields(reference, reflected, &info);
}

static void append_components(Reference *reference)
{
    CnReflectedComponent list[CN_MAX_REFLECTED_TYPES];
    uint32_t count = cn_reflection_list(reference->world, list, CN_MAX_REFLECTED_TYPES);
    for (uint32_t i = 0; i < count && i < CN_MAX_REFLECTED_TYPES; i++)
        if (!cni_scene_is_node_component(reference->world, list[i].component))
            append_component(reference, &list[i], NULL);
}

/* Resources are few; in order of names, whatever the order of registration is. */
static void append_resources(Reference *reference)
{
    const char *last = "";
    for (;;) {
        CnReflectedComponent next = {0};
        for (uint32_t id = 1; id <= cn_component_limit(reference->world); id++) {
            const CnReflectedType *type =
                cni_scene_reflection_table(reference->world, (CnComponent){id});
            if (type && type->is_resource && strcmp(type->name, last) > 0 &&
                (!next.name || strcmp(type->name, next.name) < 0))
                next = (CnReflectedComponent){type->name, {id}, type};
        }
        if (!next.name)
            return;
        append_component(reference, &next, cn_resource_get(reference->world, next.component));
        last = next.name;
    }
}

bool cn_reflection_reference(CnWorld *world, CnTextBuilder *text, CnError *error)
{
    uint32_t before = text->count;
    Reference reference = {world, text, true};
    append(&reference, introduction);
    append_components(&reference);
    append_resources(&reference);
    if (reference.is_done)
        return true;
    text->count = before;
    return cn_error_memory(error, "the component reference");
}
