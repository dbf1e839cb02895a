/* Writes the content of a snapshot as text. The snapshot was just created, so it is not
 * validated. */
#include "scene/file/json_text.h"

#include <cairn/scene/world_json.h>

#include <string.h>

#define HEAD_BYTES 12u /* magic and version */

typedef struct JsonField {
    char name[CN_MAX_NAME_BYTES];
    CnFieldType type;
    uint32_t count, size;
} JsonField;

typedef struct JsonComponent {
    char name[CN_MAX_NAME_BYTES];
    uint32_t first_field, field_count;
} JsonComponent;

/* Failures are only recorded: all of them mean out of memory. */
typedef struct Writer {
    const uint8_t *at;
    CniSceneJsonWriter layout;
    CN_ARRAY(JsonField) fields;
    CN_ARRAY(JsonComponent) components;
    CnU32Array pair_kinds;
    CN_ARRAY(const uint8_t *) columns; /* of the fields of one archetype */
    bool failed;
} Writer;

/* ---- Reading the snapshot ---- */

static uint32_t take_u32(Writer *w)
{
    uint32_t value;
    memcpy(&value, w->at, sizeof value);
    w->at += sizeof value;
    return value;
}

static uint64_t take_u64(Writer *w)
{
    uint64_t value = cn_load_u64(w->at);
    w->at += sizeof value;
    return value;
}

static void take_name(Writer *w, char name[CN_MAX_NAME_BYTES])
{
    uint8_t size = *w->at++;
    memcpy(name, w->at, size);
    name[size] = '\0';
    w->at += size;
}

/* ---- Writing text ---- */

static void put(Writer *w, const char *text)
{
    w->failed = w->failed || !cni_scene_json_append(w->layout.text, text);
}

static void key(Writer *w, const char *name)
{
    w->failed = w->failed || !cni_scene_json_next(&w->layout, name);
}

static void open(Writer *w, const char *name, const char *bracket)
{
    key(w, name);
    w->failed = w->failed || !cni_scene_json_open(&w->layout, bracket);
}

static void close(Writer *w, const char *bracket)
{
    w->failed = w->failed || !cni_scene_json_close(&w->layout, bracket);
}

static void string(Writer *w, const char *text)
{
    w->failed = w->failed || !cni_scene_json_append_string(w->layout.text, cn_text(text));
}

static void whole(Writer *w, uint64_t value, bool negative)
{
    w->failed = w->failed || !cni_scene_json_append_integer(w->layout.text, value, negative);
}

static void number_of(Writer *w, const char *name, uint32_t value)
{
    key(w, name);
    whole(w, value, false);
}

static void entity(Writer *w, CnEntity id)
{
    w->failed =
        w->failed || !(id.id ? cn_text_append_format(w->layout.text, "\"%u:%u\"",
                                                     cn_entity_index(id), cn_entity_generation(id))
                             : cni_scene_json_append(w->layout.text, "null"));
}

static void numbers(Writer *w, const char *name, uint32_t count)
{
    key(w, name);
    put(w, "[");
    for (uint32_t i = 0; i < count; i++) {
        put(w, i ? ", " : "");
        whole(w, take_u32(w), false);
    }
    put(w, "]");
}

/* ---- Values ---- */

/* JSON cannot represent infinities and NaNs: these are strings of their bits. */
static void put_f32(Writer *w, const uint8_t *from)
{
    uint32_t bits;
    float value;
    memcpy(&bits, from, sizeof bits);
    memcpy(&value, from, sizeof value);
    bool is_finite = (bits & 0x7f800000u) != 0x7f800000u;
    w->failed =
        w->failed || !(is_finite ? cn_text_append_float(w->layout.text, value)
                                 : cn_text_append_format(w->layout.text, "\"0x%08x\"", bits));
}

static void put_f64(Writer *w, const uint8_t *from)
{
    uint64_t bits = cn_load_u64(from);
    double value;
    memcpy(&value, from, sizeof value);
    bool is_finite = (bits & 0x7ff0000000000000u) != 0x7ff0000000000000u;
    w->failed = w->failed || !(is_finite ? cn_text_append_double(w->layout.text, value)
                                         : cn_text_append_format(w->layout.text, "\"0x%016llx\"",
                                                                 (unsigned long long)bits));
}

static void put_floats(Writer *w, const uint8_t *from, uint32_t count)
{
    put(w, "[");
    for (uint32_t i = 0; i < count; i++) {
        put(w, i ? ", " : "");
        put_f32(w, from + i * sizeof(float));
    }
    put(w, "]");
}

static void put_integer(Writer *w, CnFieldType type, const uint8_t *from, uint32_t size)
{
    uint64_t value = 0; /* little-endian on all supported machines */
    memcpy(&value, from, size);
    bool is_signed = type >= CN_FIELD_I8 && type <= CN_FIELD_I64;
    bool negative = is_signed && value >> (size * 8 - 1) & 1;
    if (negative && size < 8)
        value |= ~UINT64_C(0) << size * 8;
    whole(w, value, negative);
}

static void put_element(Writer *w, const JsonField *field, const uint8_t *from)
{
    uint32_t size = cn_field_type_size(field->type);
    switch (field->type) {
    case CN_FIELD_F32:
        put_f32(w, from);
        break;
    case CN_FIELD_F64:
        put_f64(w, from);
        break;
    case CN_FIELD_BOOL:
        put(w, *from ? "true" : "false");
        break;
    case CN_FIELD_ENTITY:
        entity(w, (CnEntity){cn_load_u64(from)});
        break;
    case CN_FIELD_VEC2:
    case CN_FIELD_VEC3:
    case CN_FIELD_VEC4:
    case CN_FIELD_QUAT:
    case CN_FIELD_MAT4:
        put_floats(w, from, size / (uint32_t)sizeof(float));
        break;
    default:
        put_integer(w, field->type, from, size);
    }
}

static void put_field(Writer *w, const JsonField *field, const uint8_t *from)
{
    if (field->type == CN_FIELD_TEXT) {
        CnText text = {(const char *)from, strnlen((const char *)from, field->count)};
        w->failed = w->failed || !cni_scene_json_append_string(w->layout.text, text);
        return;
    }
    if (field->count == 1) {
        put_element(w, field, from);
        return;
    }
    put(w, "[");
    for (uint32_t i = 0; i < field->count; i++) {
        put(w, i ? ", " : "");
        put_element(w, field, from + i * cn_field_type_size(field->type));
    }
    put(w, "]");
}

/* Writes fields from `first` on that share the first `prefix` bytes of their names: those of a
 * component, or of a struct in it. Returns the first field that does not. */
static uint32_t put_members(Writer *w, const JsonField *fields, const uint8_t *const *values,
                            uint32_t first, uint32_t count, size_t prefix)
{
    bool is_array =
        prefix && fields[first].name[prefix] >= '0' && fields[first].name[prefix] <= '9';
    uint32_t i = first;
    put(w, is_array ? "[" : "{");
    while (i < count && !strncmp(fields[i].name, fields[first].name, prefix)) {
        const char *part = fields[i].name + prefix, *dot = strchr(part, '.');
        put(w, i > first ? ", " : "");
        if (!is_array) {
            CnText name = {part, dot ? (size_t)(dot - part) : strlen(part)};
            w->failed = w->failed || !cni_scene_json_append_string(w->layout.text, name);
            put(w, ": ");
        }
        if (dot) {
            i = put_members(w, fields, values, i, count, (size_t)(dot - fields[i].name) + 1);
        } else {
            put_field(w, &fields[i], values[i]);
            i++;
        }
    }
    put(w, is_array ? "]" : "}");
    return i;
}

static void put_value(Writer *w, const JsonComponent *component, const uint8_t *const *values)
{
    if (!component->field_count)
        put(w, "{}");
    else
        put_members(w, w->fields.items + component->first_field, values, 0, component->field_count,
                    0);
}

/* ---- Sections ---- */

/* Returns the number of slots that are neither in an absent page nor fresh. */
static uint32_t used_slots(uint32_t pages, uint32_t absent, uint32_t fresh)
{
    return (pages - absent) * 4096u - fresh;
}

static void put_slots(Writer *w)
{
    open(w, "slots", "{");
    number_of(w, "first_generation", take_u32(w));
    uint32_t pages = take_u32(w), absent = take_u32(w);
    number_of(w, "pages", pages);
    numbers(w, "absent_pages", absent);
    uint32_t fresh[2];
    memcpy(fresh, w->at, sizeof fresh);
    numbers(w, "fresh", 2);
    numbers(w, "generations", used_slots(pages, absent, fresh[1] - fresh[0]));
    numbers(w, "free", take_u32(w));
    close(w, "}");
    open(w, "buffers", "{");
    number_of(w, "ranks", take_u32(w));
    numbers(w, "rank_of", take_u32(w));
    close(w, "}");
}

static void put_description(Writer *w)
{
    JsonComponent component = {.first_field = w->fields.count};
    take_name(w, component.name);
    open(w, NULL, "{");
    key(w, "name");
    string(w, component.name);
    component.field_count = *w->at++;
    open(w, "fields", "[");
    for (uint32_t f = 0; f < component.field_count; f++) {
        JsonField field;
        take_name(w, field.name);
        field.type = (CnFieldType)*w->at++;
        field.count = take_u32(w);
        field.size = field.count * cn_field_type_size(field.type);
        w->failed = w->failed || !cn_array_push(&w->fields, field);
        key(w, NULL);
        put(w, "{\"name\": ");
        string(w, field.name);
        put(w, ", \"type\": ");
        string(w, cn_field_type_name(field.type));
        put(w, ", \"count\": ");
        whole(w, field.count, false);
        put(w, "}");
    }
    close(w, "]");
    close(w, "}");
    w->failed = w->failed || !cn_array_push(&w->components, component);
}

static void put_pair(Writer *w)
{
    uint32_t kind = take_u32(w);
    w->failed = w->failed || !cn_array_push(&w->pair_kinds, kind);
    if (w->failed)
        return;
    key(w, NULL);
    put(w, "{\"kind\": ");
    string(w, w->components.items[kind].name);
    put(w, ", \"target\": ");
    entity(w, (CnEntity){take_u64(w)});
    put(w, "}");
}

static void put_components(Writer *w)
{
    uint32_t count = take_u32(w), pairs = take_u32(w);
    open(w, "components", "[");
    for (uint32_t i = 0; i < count && !w->failed; i++)
        put_description(w);
    close(w, "]");
    open(w, "pairs", "[");
    for (uint32_t i = 0; i < pairs && !w->failed; i++)
        put_pair(w);
    close(w, "]");
}

/* Returns the component of an entry of the table; for a pair, that of its relation. */
static const JsonComponent *component_at(const Writer *w, uint32_t entry)
{
    uint32_t plain = w->components.count;
    return &w->components.items[entry < plain ? entry : w->pair_kinds.items[entry - plain]];
}

/* Finds the columns of an archetype and advances behind them. */
static void find_columns(Writer *w, const uint8_t *entries, uint32_t count, uint32_t rows)
{
    cn_array_clear(&w->columns);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t entry;
        memcpy(&entry, entries + i * sizeof entry, sizeof entry);
        const JsonComponent *component = component_at(w, entry);
        for (uint32_t f = 0; f < component->field_count; f++) {
            w->failed = w->failed || !cn_array_push(&w->columns, w->at);
            w->at += (size_t)rows * w->fields.items[component->first_field + f].size;
        }
    }
}

/* Writes one entity and advances the addresses of its values to the next row. */
static void put_entity(Writer *w, CnEntity id, const uint8_t *entries, uint32_t count)
{
    open(w, NULL, "{");
    key(w, "id");
    entity(w, id);
    uint32_t column = 0;
    bool in_pairs = false;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t entry;
        memcpy(&entry, entries + i * sizeof entry, sizeof entry);
        const JsonComponent *component = component_at(w, entry);
        bool is_pair = entry >= w->components.count;
        if (is_pair && !in_pairs)
            open(w, "pairs", "[");
        in_pairs = in_pairs || is_pair;
        key(w, is_pair ? NULL : component->name);
        put_value(w, component, w->columns.items + column);
        for (uint32_t f = 0; f < component->field_count; f++, column++)
            w->columns.items[column] += w->fields.items[component->first_field + f].size;
    }
    if (in_pairs)
        close(w, "]");
    close(w, "}");
}

/* Components are written by name, pairs by their index in the list above. */
static void put_archetype(Writer *w)
{
    uint32_t count = take_u32(w), plain = w->components.count, entry;
    const uint8_t *entries = w->at;
    w->at += count * sizeof entry;
    open(w, NULL, "{");
    for (int pairs = 0; pairs < 2; pairs++) {
        bool is_first = true;
        key(w, pairs ? "pairs" : "components");
        put(w, "[");
        for (uint32_t i = 0; i < count; i++) {
            memcpy(&entry, entries + i * sizeof entry, sizeof entry);
            if ((entry >= plain) != pairs)
                continue;
            put(w, is_first ? "" : ", ");
            is_first = false;
            if (pairs)
                whole(w, entry - plain, false);
            else
                string(w, w->components.items[entry].name);
        }
        put(w, "]");
    }
    uint32_t rows = take_u32(w);
    const uint8_t *ids = w->at;
    w->at += rows * sizeof(CnEntity);
    find_columns(w, entries, count, rows);
    open(w, "entities", "[");
    for (uint32_t row = 0; row < rows && !w->failed; row++)
        put_entity(w, (CnEntity){cn_load_u64(ids + row * sizeof(CnEntity))}, entries, count);
    close(w, "]");
    close(w, "}");
}

static void put_resource(Writer *w)
{
    const JsonComponent *component = component_at(w, take_u32(w));
    const uint8_t *values[CN_MAX_FIELDS];
    for (uint32_t f = 0; f < component->field_count; f++) {
        values[f] = w->at;
        w->at += w->fields.items[component->first_field + f].size;
    }
    open(w, NULL, "{");
    key(w, component->name);
    put_value(w, component, values);
    close(w, "}");
}

static void put_world(Writer *w)
{
    put(w, "{");
    w->layout.depth++;
    w->layout.is_first = true;
    key(w, "format");
    string(w, "cairn world");
    number_of(w, "version", CN_WORLD_JSON_VERSION);
    put_slots(w);
    put_components(w);
    open(w, "archetypes", "[");
    for (uint32_t i = w->failed ? 0 : take_u32(w); i > 0 && !w->failed; i--)
        put_archetype(w);
    close(w, "]");
    open(w, "resources", "[");
    for (uint32_t i = w->failed ? 0 : take_u32(w); i > 0 && !w->failed; i--)
        put_resource(w);
    close(w, "]");
    close(w, "}");
    put(w, "\n");
}

bool cn_world_to_json(const CnWorld *world, CnTextBuilder *text, CnError *error)
{
    CN_ASSERT(world, "%s: world is NULL", __func__);
    CnSnapshot snapshot;
    if (!cn_world_save(world, &snapshot, error))
        return false;
    CnAllocator *allocator = cn_world_allocator(world);
    Writer w = {.at = snapshot.bytes + HEAD_BYTES, .layout = {.text = text}};
    cn_array_init(&w.fields, allocator);
    cn_array_init(&w.components, allocator);
    cn_array_init(&w.pair_kinds, allocator);
    cn_array_init(&w.columns, allocator);
    uint32_t before = text->count;
    put_world(&w);
    cn_array_fini(&w.fields);
    cn_array_fini(&w.components);
    cn_array_fini(&w.pair_kinds);
    cn_array_fini(&w.columns);
    cn_snapshot_free(&snapshot);
    if (!w.failed)
        return true;
    text->count = before;
    return cn_error_set(error, CN_ERROR_MEMORY, "out of memory: the world was not written");
}
