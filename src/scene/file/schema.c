#include "scene/file/file_reader.h"
#include "scene/file/json_text.h"
#include "scene/file/schema_render.h"

/* JSON schema, draft 7. What a schema cannot express simply is left to the reader: fields that
 * belong to one choice, and fields that are required unless a prefab supplies them. */
typedef struct Schema {
    const CnWorld *world;
    CniSceneJsonWriter layout;
    bool is_done; /* false: out of memory */
} Schema;

static void key(Schema *schema, const char *name)
{
    schema->is_done = schema->is_done && cni_scene_json_next(&schema->layout, name);
}

static void open(Schema *schema, const char *name, const char *bracket)
{
    key(schema, name);
    schema->is_done = schema->is_done && cni_scene_json_open(&schema->layout, bracket);
}

static void close(Schema *schema, const char *bracket)
{
    schema->is_done = schema->is_done && cni_scene_json_close(&schema->layout, bracket);
}

/* Writes a value that is already JSON. */
static void raw(Schema *schema, const char *name, const char *json)
{
    key(schema, name);
    schema->is_done = schema->is_done && cni_scene_json_append(schema->layout.text, json);
}

static void string(Schema *schema, const char *name, const char *value)
{
    key(schema, name);
    schema->is_done =
        schema->is_done && cni_scene_json_append_string(schema->layout.text, cn_text(value));
}

static void number(Schema *schema, const char *name, double value)
{
    key(schema, name);
    schema->is_done = schema->is_done && cn_text_append_double(schema->layout.text, value);
}

static void counts(Schema *schema, uint32_t least, uint32_t most)
{
    number(schema, "minItems", least);
    number(schema, "maxItems", most);
}

/* ---- Fields ---- */

static void range(Schema *schema, const CnReflectedMember *item, double minimum, double maximum)
{
    if (item->reflected.minimum != 0 || item->reflected.maximum != 0) {
        minimum = item->reflected.minimum;
        maximum = item->reflected.maximum;
    }
    if (minimum != 0 || maximum != 0) {
        number(schema, "minimum", minimum);
        number(schema, "maximum", maximum);
    }
}

static void whole(Schema *schema, const CnReflectedMember *item)
{
    static const struct {
        double minimum, maximum;
    } ranges[CN_FIELD_TYPE_COUNT] = {
        [CN_FIELD_I8] = {INT8_MIN, INT8_MAX},    [CN_FIELD_I16] = {INT16_MIN, INT16_MAX},
        [CN_FIELD_I32] = {INT32_MIN, INT32_MAX}, [CN_FIELD_U8] = {0, UINT8_MAX},
        [CN_FIELD_U16] = {0, UINT16_MAX},        [CN_FIELD_U32] = {0, UINT32_MAX},
    };
    CnFieldType type = item->field->type;
    if (type == CN_FIELD_U64) {
        /* Integers beyond 63 bits are strings of digits. */
        raw(schema, "type", "[\"integer\", \"string\"]");
        raw(schema, "minimum", "0");
        raw(schema, "pattern", "\"^[0-9]+$\"");
        return;
    }
    raw(schema, "type", "\"integer\"");
    range(schema, item, ranges[type].minimum, ranges[type].maximum);
}

static void choice(Schema *schema, const CnReflectedMember *item)
{
    open(schema, "enum", "[");
    for (uint32_t i = 0; item->reflected.choices[i]; i++)
        string(schema, NULL, item->reflected.choices[i]);
    close(schema, "]");
}

static void vector(Schema *schema, const CnReflectedMember *item, uint32_t numbers)
{
    raw(schema, "type", "\"array\"");
    open(schema, "items", "{");
    raw(schema, "type", "\"number\"");
    range(schema, item, 0, 0);
    close(schema, "}");
    /* Angles may also be given as a quaternion. */
    counts(schema, numbers, item->reflected.kind == CN_REFLECTED_EULER ? 4 : numbers);
}

static void element(Schema *schema, const CnReflectedMember *item, CnReflectedShape shape)
{
    if (item->reflected.kind == CN_REFLECTED_CHOICE) {
        choice(schema, item);
        return;
    }
    switch (shape.form) {
    case CN_REFLECTED_NUMBER:
        raw(schema, "type", "\"number\"");
        range(schema, item, 0, 0);
        break;
    case CN_REFLECTED_INTEGER:
        whole(schema, item);
        break;
    case CN_REFLECTED_BOOL:
        raw(schema, "type", "\"boolean\"");
        break;
    case CN_REFLECTED_TEXT:
        raw(schema, "type", "\"string\"");
        number(schema, "maxLength", item->field->count - 1);
        break;
    case CN_REFLECTED_ENTITY:
        raw(schema, "type", "[\"string\", \"null\"]");
        break;
    case CN_REFLECTED_VECTOR:
        vector(schema, item, shape.numbers);
        break;
    }
}

static void about(Schema *schema, const CnReflectedComponent *reflected,
                  const CnReflectedMember *item)
{
    char text[512], unit[64] = "", of[256];
    cni_scene_field_restriction(schema->world, reflected, item, of, sizeof of);
    if (item->reflected.unit)
        cn_format(unit, sizeof unit, "in %s", item->reflected.unit);
    const char *parts[] = {item->reflected.required ? "needed" : "",
                           item->reflected.about ? item->reflected.about : "", unit, of};
    size_t size = 0;
    text[0] = 0;
    for (uint32_t i = 0; i < CN_COUNT_OF(parts); i++) {
        if (parts[i][0])
            cn_format(text + size, sizeof text - size, "%s%s", size ? "; " : "", parts[i]);
        size = strlen(text);
    }
    if (size)
        string(schema, "description", text);
}

static void field(Schema *schema, const CnReflectedComponent *reflected, const char *name,
                  const CnReflectedMember *item)
{
    CnReflectedShape shape = cn_reflection_shape(item);
    open(schema, name, "{");
    about(schema, reflected, item);
    if (shape.elements > 1) {
        raw(schema, "type", "\"array\"");
        open(schema, "items", "{");
        element(schema, item, shape);
        close(schema, "}");
        counts(schema, shape.elements, shape.elements);
    } else {
        element(schema, item, shape);
    }
    close(schema, "}");
}

/* ---- Components ---- */

static bool was_opened(const Schema *schema, const CnReflectedComponent *reflected, uint32_t index,
                       CnText object)
{
    CnReflectedMember item;
    for (uint32_t i = 0; i < index; i++)
        if (cn_reflection_field(schema->world, reflected, i, &item) &&
            cni_scene_key_suffix(&item, object))
            return true;
    return false;
}

static void members(Schema *schema, const CnReflectedComponent *reflected, CnText prefix);

static void object_of(Schema *schema, const CnReflectedComponent *reflected, CnText prefix)
{
    raw(schema, "type", "\"object\"");
    open(schema, "properties", "{");
    members(schema, reflected, prefix);
    close(schema, "}");
    raw(schema, "additionalProperties", "false");
}

/* Returns the number of structs in the array: the highest index plus one. */
static uint32_t element_count(const Schema *schema, const CnReflectedComponent *reflected,
                              CnText prefix)
{
    CnReflectedMember item;
    uint32_t count = 0;
    for (uint32_t i = 0; cn_reflection_field(schema->world, reflected, i, &item); i++) {
        const char *index = cni_scene_key_suffix(&item, prefix);
        uint32_t value = 0;
        for (; index && *index >= '0' && *index <= '9'; index++)
            value = value * 10 + (uint32_t)(*index - '0');
        count = index && value >= count ? value + 1 : count;
    }
    return count;
}

/* All elements of an array of structs have the same description, so the first one represents
 * all. */
static void array(Schema *schema, const CnReflectedComponent *reflected, CnText prefix)
{
    char first[CN_MAX_NAME_BYTES + 4];
    cn_format(first, sizeof first, "%.*s.0", (int)prefix.size, prefix.data);
    raw(schema, "type", "\"array\"");
    open(schema, "items", "{");
    object_of(schema, reflected, cn_text(first));
    close(schema, "}");
    number(schema, "maxItems", element_count(schema, reflected, prefix));
}

static void members(Schema *schema, const CnReflectedComponent *reflected, CnText prefix)
{
    CnReflectedMember item;
    for (uint32_t i = 0; cn_reflection_field(schema->world, reflected, i, &item); i++) {
        const char *name = cni_scene_key_suffix(&item, prefix);
        const char *dot = name ? strchr(name, '.') : NULL;
        if (name && !dot)
            field(schema, reflected, name, &item);
        if (!dot)
            continue;
        CnText object = {item.reflected.key, (size_t)(dot - item.reflected.key)};
        char object_name[CN_MAX_NAME_BYTES];
        cn_copy_text(object_name, sizeof object_name, (CnText){name, (size_t)(dot - name)});
        if (was_opened(schema, reflected, i, object))
            continue;
        open(schema, object_name, "{");
        if (cni_scene_key_is_index(dot + 1))
            array(schema, reflected, object);
        else
            object_of(schema, reflected, object);
        close(schema, "}");
    }
}

static void component(Schema *schema, const CnReflectedComponent *reflected)
{
    open(schema, NULL, "{");
    string(schema, "title", reflected->name);
    if (reflected->type && reflected->type->about)
        string(schema, "description", reflected->type->about);
    raw(schema, "type", "\"object\"");
    open(schema, "properties", "{");
    open(schema, "type", "{");
    string(schema, "const", reflected->name);
    close(schema, "}");
    members(schema, reflected, (CnText){0});
    close(schema, "}");
    raw(schema, "required", "[\"type\"]");
    raw(schema, "additionalProperties", "false");
    close(schema, "}");
}

static void components(Schema *schema, const CnReflectedComponent *list, uint32_t count)
{
    open(schema, "component", "{");
    open(schema, "oneOf", "[");
    for (uint32_t i = 0; i < count; i++)
        if (!cni_scene_is_node_component(schema->world, list[i].component))
            component(schema, &list[i]);
    close(schema, "]");
    close(schema, "}");
}

/* ---- Nodes and scenes ---- */

static void simple(Schema *schema, const char *name, const char *description, const char *json)
{
    open(schema, name, "{");
    string(schema, "description", description);
    raw(schema, "type", json);
    close(schema, "}");
}

static void list_of(Schema *schema, const char *name, const char *reference)
{
    open(schema, name, "{");
    raw(schema, "type", "\"array\"");
    open(schema, "items", "{");
    string(schema, "$ref", reference);
    close(schema, "}");
    close(schema, "}");
}

static void overrides(Schema *schema)
{
    open(schema, "overrides", "{");
    string(schema, "description", "changes of nodes of the prefab, by their paths below its root");
    raw(schema, "type", "\"object\"");
    open(schema, "additionalProperties", "{");
    raw(schema, "type", "\"object\"");
    open(schema, "properties", "{");
    simple(schema, "enabled", "whether the node is enabled", "\"boolean\"");
    list_of(schema, "components", "#/definitions/component");
    close(schema, "}");
    raw(schema, "additionalProperties", "false");
    close(schema, "}");
    close(schema, "}");
}

/* Describes the content of a prefab file, or a node in a file. */
static void node(Schema *schema, const char *name, bool is_file)
{
    open(schema, name, "{");
    raw(schema, "type", "\"object\"");
    open(schema, "properties", "{");
    if (is_file)
        simple(schema, "$schema", "location of this schema, for editors", "\"string\"");
    open(schema, "id", "{");
    string(schema, "description", "the name; unique among siblings");
    raw(schema, "type", "\"string\"");
    raw(schema, "minLength", "1");
    number(schema, "maxLength", CN_OBJECT_NAME_BYTES - 1);
    raw(schema, "pattern", "\"^[^/]+$\"");
    close(schema, "}");
    open(schema, "uid", "{");
    string(schema, "description", "a unique number; assigned automatically by default");
    raw(schema, "type", "\"integer\"");
    raw(schema, "minimum", "1");
    close(schema, "}");
    simple(schema, "enabled", "true by default", "\"boolean\"");
    simple(schema, "prefab", "the prefab file whose content it gets", "\"string\"");
    simple(schema, "origin", "the prefab file from which it was created; not read", "\"string\"");
    overrides(schema);
    list_of(schema, "components", "#/definitions/component");
    list_of(schema, "children", "#/definitions/node");
    close(schema, "}");
    raw(schema, "anyOf", "[{ \"required\": [\"id\"] }, { \"required\": [\"prefab\"] }]");
    raw(schema, "additionalProperties", "false");
    close(schema, "}");
}

static void scene(Schema *schema)
{
    open(schema, "scene", "{");
    raw(schema, "type", "\"object\"");
    open(schema, "properties", "{");
    simple(schema, "$schema", "location of this schema, for editors", "\"string\"");
    simple(schema, "id", "the name of the scene", "\"string\"");
    list_of(schema, "nodes", "#/definitions/node");
    raw(schema, "materials", CNI_SCENE_SCHEMA_MATERIALS);
    raw(schema, "pipelines", CNI_SCENE_SCHEMA_PIPELINES);
    simple(schema, "activeCamera", "the path of a node with a camera", "\"string\"");
    close(schema, "}");
    raw(schema, "required", "[\"nodes\"]");
    raw(schema, "additionalProperties", "false");
    close(schema, "}");
}

bool cn_scene_schema(CnWorld *world, CnTextBuilder *text, CnError *error)
{
    CN_ASSERT(world, "%s: world is NULL", __func__);
    CnAllocator *allocator = cn_world_allocator(world);
    uint32_t before = text->count, count = cn_reflection_list(world, NULL, 0);
    size_t bytes = (count + 1) * sizeof(CnReflectedComponent);
    CnReflectedComponent *list = cn_alloc(allocator, bytes);
    Schema schema = {.world = world, .layout = {.text = text}, .is_done = list != NULL};
    if (list)
        cn_reflection_list(world, list, count);
    schema.is_done = schema.is_done && cni_scene_json_open(&schema.layout, "{");
    string(&schema, "$schema", "http://json-schema.org/draft-07/schema#");
    string(&schema, "title", "A scene or a prefab");
    raw(&schema, "anyOf",
        "[{ \"$ref\": \"#/definitions/scene\" }, { \"$ref\": \"#/definitions/prefab\" }]");
    open(&schema, "definitions", "{");
    scene(&schema);
    node(&schema, "prefab", true);
    node(&schema, "node", false);
    components(&schema, list, list ? count : 0);
    close(&schema, "}");
    close(&schema, "}");
    schema.is_done = schema.is_done && cni_scene_json_append(text, "\n");
    cn_free(allocator, list, bytes);
    if (schema.is_done)
        return true;
    text->count = before;
    return cn_error_memory(error, "the schema");
}
