/* Converts the text to a snapshot, which loading validates completely before it changes the
 * world. */
#include "scene/file/world_json_reader.h"

#include <cairn/base/json_size.h>
#include <cairn/scene/world_json.h>

#include <stdlib.h>

#define HEAD_BYTES 12u /* magic and version */

/* ---- Writing the snapshot ---- */

static bool fail_memory(const CniSceneWorldJsonReader *r)
{
    return cni_scene_fail_memory(&r->source, r->error);
}

/* Appends `size` zero bytes; returns NULL when out of memory. */
static uint8_t *put_room(CniSceneWorldJsonReader *r, size_t size)
{
    if ((uint64_t)r->out.count + size > UINT32_MAX ||
        !cn_array_reserve(&r->out, (uint64_t)r->out.count + size)) {
        fail_memory(r);
        return NULL;
    }
    uint8_t *room = r->out.items + r->out.count;
    memset(room, 0, size);
    r->out.count += (uint32_t)size;
    return room;
}

static bool put(CniSceneWorldJsonReader *r, const void *bytes, size_t size)
{
    uint8_t *room = put_room(r, size);
    if (room && size)
        memcpy(room, bytes, size);
    return room != NULL;
}

static bool put_u8(CniSceneWorldJsonReader *r, uint8_t value)
{
    return put(r, &value, sizeof value);
}

static bool put_u32(CniSceneWorldJsonReader *r, uint32_t value)
{
    return put(r, &value, sizeof value);
}

static bool put_name(CniSceneWorldJsonReader *r, const char *name)
{
    size_t size = strlen(name);
    return put_u8(r, (uint8_t)size) && put(r, name, size);
}

/* ---- Reading the text ---- */

static bool member_u32(const CniSceneWorldJsonReader *r, json_t *object,
                       const CniSceneJsonPath *where, const char *key, uint32_t *value)
{
    CniSceneJsonPath here;
    const json_t *json = cni_scene_world_json_member(r, object, where, key, JSON_INTEGER, &here);
    return json && cni_scene_world_json_u32(r, json, &here, value);
}

static bool put_member_u32(CniSceneWorldJsonReader *r, json_t *object,
                           const CniSceneJsonPath *where, const char *key)
{
    uint32_t value;
    return member_u32(r, object, where, key, &value) && put_u32(r, value);
}

/* Writes the numbers of a list, preceded by their count if `counted`. */
static bool put_numbers(CniSceneWorldJsonReader *r, json_t *object, const CniSceneJsonPath *where,
                        const char *key, bool counted)
{
    CniSceneJsonPath here;
    json_t *list = cni_scene_world_json_member(r, object, where, key, JSON_ARRAY, &here);
    if (!list || (counted && !put_u32(r, (uint32_t)json_array_size(list))))
        return false;
    for (size_t i = 0; i < json_array_size(list); i++) {
        uint32_t value;
        if (!cni_scene_world_json_u32(r, json_array_get(list, i),
                                      &(CniSceneJsonPath){&here, list, NULL, i}, &value) ||
            !put_u32(r, value))
            return false;
    }
    return true;
}

/* ---- Sections ---- */

static bool put_slots(CniSceneWorldJsonReader *r, json_t *root)
{
    CniSceneJsonPath top = {0}, slots_here, buffers_here;
    json_t *slots = cni_scene_world_json_member(r, root, &top, "slots", JSON_OBJECT, &slots_here);
    json_t *fresh;
    CniSceneJsonPath here;
    if (!slots || !put_member_u32(r, slots, &slots_here, "first_generation") ||
        !put_member_u32(r, slots, &slots_here, "pages") ||
        !put_numbers(r, slots, &slots_here, "absent_pages", true) ||
        !(fresh = cni_scene_world_json_member(r, slots, &slots_here, "fresh", JSON_ARRAY, &here)))
        return false;
    if (json_array_size(fresh) != 2)
        return cni_scene_fail(&r->source, &here, CNI_SCENE_JSON_AT_VALUE, r->error, CN_ERROR_FORMAT,
                              "\"fresh\" must be an array of two numbers");
    json_t *buffers =
        cni_scene_world_json_member(r, root, &top, "buffers", JSON_OBJECT, &buffers_here);
    return put_numbers(r, slots, &slots_here, "fresh", false) &&
           put_numbers(r, slots, &slots_here, "generations", false) &&
           put_numbers(r, slots, &slots_here, "free", true) && buffers &&
           put_member_u32(r, buffers, &buffers_here, "ranks") &&
           put_numbers(r, buffers, &buffers_here, "rank_of", true);
}

static const char *member_name(const CniSceneWorldJsonReader *r, json_t *object,
                               const CniSceneJsonPath *where)
{
    CniSceneJsonPath here;
    json_t *name = cni_scene_world_json_member(r, object, where, "name", JSON_STRING, &here);
    if (name && json_string_length(name) - 1 >= CN_MAX_NAME_BYTES - 1) {
        cni_scene_fail(&r->source, &here, CNI_SCENE_JSON_AT_VALUE, r->error, CN_ERROR_FORMAT,
                       "a name must have 1 to %u bytes", CN_MAX_NAME_BYTES - 1);
        return NULL;
    }
    return name ? json_string_value(name) : NULL;
}

static bool put_field(CniSceneWorldJsonReader *r, json_t *json, const CniSceneJsonPath *where,
                      CniSceneWorldJsonComponent *component)
{
    CnField *field = &component->fields[component->field_count];
    CniSceneJsonPath here;
    field->name = member_name(r, json, where);
    const json_t *type =
        field->name ? cni_scene_world_json_member(r, json, where, "type", JSON_STRING, &here)
                    : NULL;
    if (!type || !member_u32(r, json, where, "count", &field->count))
        return false;
    uint32_t known = 0;
    while (known < CN_FIELD_TYPE_COUNT &&
           strcmp(cn_field_type_name((CnFieldType)known), json_string_value(type)) != 0)
        known++;
    if (known == CN_FIELD_TYPE_COUNT)
        return cni_scene_fail(&r->source, &here, CNI_SCENE_JSON_AT_VALUE, r->error,
                              CN_ERROR_NOT_FOUND, "there is no field type named \"%s\"",
                              json_string_value(type));
    field->type = (CnFieldType)known;
    uint32_t element = cn_field_type_size(field->type);
    if (!field->count || field->count > CN_MAX_COMPONENT_BYTES / element)
        return cni_scene_fail(&r->source, where, CNI_SCENE_JSON_AT_VALUE, r->error, CN_ERROR_LIMIT,
                              "%s has no elements or too many", field->name);
    field->size = element * field->count;
    field->offset = component->size;
    component->size += field->size;
    component->field_count++;
    return put_name(r, field->name) && put_u8(r, (uint8_t)known) && put_u32(r, field->count);
}

static bool put_component(CniSceneWorldJsonReader *r, json_t *json, const CniSceneJsonPath *where)
{
    CniSceneWorldJsonComponent component = {
        .name = json_is_object(json) ? member_name(r, json, where) : NULL};
    if (!json_is_object(json))
        return cni_scene_fail(&r->source, where, CNI_SCENE_JSON_AT_VALUE, r->error, CN_ERROR_FORMAT,
                              "a component must be an object, not %s", cni_scene_json_kind(json));
    CniSceneJsonPath here;
    json_t *fields = component.name
                         ? cni_scene_world_json_member(r, json, where, "fields", JSON_ARRAY, &here)
                         : NULL;
    if (!fields)
        return false;
    size_t count = json_array_size(fields);
    if (count > CN_MAX_FIELDS)
        return cni_scene_fail(&r->source, &here, CNI_SCENE_JSON_AT_VALUE, r->error, CN_ERROR_LIMIT,
                              "%s has more than %u fields", component.name, CN_MAX_FIELDS);
    component.fields =
        cn_arena_alloc(&r->arena, (count + 1) * sizeof *component.fields, CN_ALIGN_OF(CnField));
    if (!component.fields)
        return fail_memory(r);
    if (!put_name(r, component.name) || !put_u8(r, (uint8_t)count))
        return false;
    for (size_t i = 0; i < count; i++) {
        json_t *field = json_array_get(fields, i);
        CniSceneJsonPath at = {&here, fields, NULL, i};
        if (!json_is_object(field))
            return cni_scene_fail(&r->source, &at, CNI_SCENE_JSON_AT_VALUE, r->error,
                                  CN_ERROR_FORMAT, "a field must be an object, not %s",
                                  cni_scene_json_kind(field));
        if (!put_field(r, field, &at, &component))
            return false;
    }
    return cn_array_push(&r->components, component) || fail_memory(r);
}

static bool find_component(const CniSceneWorldJsonReader *r, const char *name, uint32_t *entry)
{
    for (*entry = 0; *entry < r->components.count; ++*entry)
        if (name && strcmp(r->components.items[*entry].name, name) == 0)
            return true;
    return false;
}

static bool fail_component(const CniSceneWorldJsonReader *r, const CniSceneJsonPath *where)
{
    return cni_scene_fail(&r->source, where, CNI_SCENE_JSON_AT_VALUE, r->error, CN_ERROR_NOT_FOUND,
                          "the name of a component in \"components\" is expected here");
}

static bool put_pair(CniSceneWorldJsonReader *r, json_t *json, const CniSceneJsonPath *where)
{
    CniSceneJsonPath kind_here, target_here = {where, json, "target", 0};
    if (!json_is_object(json))
        return cni_scene_fail(&r->source, where, CNI_SCENE_JSON_AT_VALUE, r->error, CN_ERROR_FORMAT,
                              "a pair must be an object, not %s", cni_scene_json_kind(json));
    const json_t *kind =
        cni_scene_world_json_member(r, json, where, "kind", JSON_STRING, &kind_here);
    const json_t *target = json_object_get(json, "target");
    uint32_t entry;
    CnEntity entity;
    if (!kind)
        return false;
    if (!find_component(r, json_string_value(kind), &entry))
        return fail_component(r, &kind_here);
    if (!target)
        return cni_scene_fail(&r->source, where, CNI_SCENE_JSON_AT_VALUE, r->error, CN_ERROR_FORMAT,
                              "\"target\" is missing here");
    if (!cni_scene_world_json_entity(r, target, &target_here, &entity))
        return false;
    if (!cn_array_push(&r->pair_kinds, entry))
        return fail_memory(r);
    return put_u32(r, entry) && put(r, &entity.id, sizeof entity.id);
}

static bool put_components(CniSceneWorldJsonReader *r, json_t *root)
{
    CniSceneJsonPath top = {0}, here, pairs_here;
    json_t *components =
        cni_scene_world_json_member(r, root, &top, "components", JSON_ARRAY, &here);
    json_t *pairs =
        components ? cni_scene_world_json_member(r, root, &top, "pairs", JSON_ARRAY, &pairs_here)
                   : NULL;
    if (!pairs || !put_u32(r, (uint32_t)json_array_size(components)) ||
        !put_u32(r, (uint32_t)json_array_size(pairs)))
        return false;
    for (size_t i = 0; i < json_array_size(components); i++)
        if (!put_component(r, json_array_get(components, i),
                           &(CniSceneJsonPath){&here, components, NULL, i}))
            return false;
    for (size_t i = 0; i < json_array_size(pairs); i++)
        if (!put_pair(r, json_array_get(pairs, i),
                      &(CniSceneJsonPath){&pairs_here, pairs, NULL, i}))
            return false;
    return true;
}

/* ---- Archetypes ---- */

/* The contents of the rows of an archetype. */
typedef struct Shape {
    uint32_t *entries; /* positions in the table: components, then pairs */
    uint32_t plain_count, count;
    uint32_t bytes; /* of a row, without its entity */
} Shape;

static int compare_numbers(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

static const CniSceneWorldJsonComponent *component_at(const CniSceneWorldJsonReader *r,
                                                      uint32_t entry)
{
    uint32_t plain = r->components.count;
    return &r->components.items[entry < plain ? entry : r->pair_kinds.items[entry - plain]];
}

static bool read_shape(CniSceneWorldJsonReader *r, json_t *json, const CniSceneJsonPath *where,
                       Shape *shape)
{
    CniSceneJsonPath here, pairs_here;
    json_t *names = cni_scene_world_json_member(r, json, where, "components", JSON_ARRAY, &here);
    json_t *pairs =
        names ? cni_scene_world_json_member(r, json, where, "pairs", JSON_ARRAY, &pairs_here)
              : NULL;
    if (!pairs)
        return false;
    size_t plain = json_array_size(names), count = plain + json_array_size(pairs);
    *shape = (Shape){.plain_count = (uint32_t)plain, .count = (uint32_t)count};
    shape->entries = cn_arena_alloc(&r->arena, (count + 1) * sizeof(uint32_t), 4);
    if (!shape->entries)
        return fail_memory(r);
    for (size_t i = 0; i < plain; i++)
        if (!find_component(r, json_string_value(json_array_get(names, i)), &shape->entries[i]))
            return fail_component(r, &(CniSceneJsonPath){&here, names, NULL, i});
    for (size_t i = plain; i < count; i++) {
        CniSceneJsonPath at = {&pairs_here, pairs, NULL, i - plain};
        uint32_t pair = 0;
        if (!cni_scene_world_json_u32(r, json_array_get(pairs, i - plain), &at, &pair))
            return false;
        if (pair >= r->pair_kinds.count)
            return cni_scene_fail(&r->source, &at, CNI_SCENE_JSON_AT_VALUE, r->error,
                                  CN_ERROR_NOT_FOUND, "there are only %u pairs",
                                  r->pair_kinds.count);
        shape->entries[i] = r->components.count + pair;
    }
    qsort(shape->entries, plain, sizeof(uint32_t), compare_numbers);
    qsort(shape->entries + plain, count - plain, sizeof(uint32_t), compare_numbers);
    uint64_t bytes = 0;
    for (size_t i = 0; i < count; i++)
        bytes += component_at(r, shape->entries[i])->size;
    if (bytes > CN_MAX_ROW_BYTES)
        return cni_scene_fail(&r->source, where, CNI_SCENE_JSON_AT_VALUE, r->error, CN_ERROR_LIMIT,
                              "the components of an entity have more than %u bytes",
                              CN_MAX_ROW_BYTES);
    shape->bytes = (uint32_t)bytes;
    return true;
}

/* Writes an entity into its row, or reports an error that names the member. */
static bool read_row(const CniSceneWorldJsonReader *r, json_t *json, const CniSceneJsonPath *where,
                     const Shape *shape, uint8_t *columns, uint32_t row, uint32_t rows)
{
    CniSceneJsonPath pairs_here = {where, json, "pairs", 0};
    json_t *pairs = json_object_get(json, "pairs");
    size_t used = 2u - !pairs; /* members with a fixed meaning: the id, and the pairs */
    if (pairs &&
        (!json_is_array(pairs) || json_array_size(pairs) != shape->count - shape->plain_count))
        return cni_scene_fail(&r->source, &pairs_here, CNI_SCENE_JSON_AT_VALUE, r->error,
                              CN_ERROR_FORMAT, "\"pairs\" must be an array of %u values here",
                              shape->count - shape->plain_count);
    for (uint32_t i = 0; i < shape->count; i++) {
        const CniSceneWorldJsonComponent *component = component_at(r, shape->entries[i]);
        bool is_pair = i >= shape->plain_count;
        size_t index = i - shape->plain_count;
        json_t *value =
            is_pair ? json_array_get(pairs, index) : json_object_get(json, component->name);
        CniSceneJsonPath here = is_pair ? (CniSceneJsonPath){&pairs_here, pairs, NULL, index}
                                        : (CniSceneJsonPath){where, json, component->name, 0};
        used += !is_pair && value;
        CniSceneWorldJsonRow target = {component, columns, row, rows};
        if (value && !cni_scene_world_json_value(r, value, &here, &target))
            return false;
        columns += (size_t)component->size * rows;
    }
    if (used == json_object_size(json))
        return true;
    return cni_scene_fail(&r->source, where, CNI_SCENE_JSON_AT_VALUE, r->error, CN_ERROR_NOT_FOUND,
                          "the entity has a component that its archetype does not have");
}

static bool put_rows(CniSceneWorldJsonReader *r, json_t *list, const CniSceneJsonPath *where,
                     const Shape *shape)
{
    uint32_t rows = (uint32_t)json_array_size(list);
    if (!put_u32(r, rows))
        return false;
    /* Appended at once, because later appends may move the memory. */
    uint8_t *ids = put_room(r, (size_t)rows * (sizeof(CnEntity) + shape->bytes));
    if (!ids)
        return false;
    for (uint32_t row = 0; row < rows; row++) {
        json_t *json = json_array_get(list, row);
        CniSceneJsonPath here = {where, list, NULL, row}, id_here;
        CnEntity entity;
        if (!json_is_object(json))
            return cni_scene_fail(&r->source, &here, CNI_SCENE_JSON_AT_VALUE, r->error,
                                  CN_ERROR_FORMAT, "an entity must be an object, not %s",
                                  cni_scene_json_kind(json));
        const json_t *id = cni_scene_world_json_member(r, json, &here, "id", JSON_STRING, &id_here);
        if (!id || !cni_scene_world_json_entity(r, id, &id_here, &entity))
            return false;
        memcpy(ids + row * sizeof entity.id, &entity.id, sizeof entity.id);
        if (!read_row(r, json, &here, shape, ids + rows * sizeof entity.id, row, rows))
            return false;
    }
    return true;
}

static bool put_archetype(CniSceneWorldJsonReader *r, json_t *json, const CniSceneJsonPath *where)
{
    Shape shape;
    CniSceneJsonPath here;
    if (!json_is_object(json))
        return cni_scene_fail(&r->source, where, CNI_SCENE_JSON_AT_VALUE, r->error, CN_ERROR_FORMAT,
                              "an archetype must be an object, not %s", cni_scene_json_kind(json));
    if (!read_shape(r, json, where, &shape))
        return false;
    json_t *entities = cni_scene_world_json_member(r, json, where, "entities", JSON_ARRAY, &here);
    return entities && put_u32(r, shape.count) &&
           put(r, shape.entries, shape.count * sizeof(uint32_t)) &&
           put_rows(r, entities, &here, &shape);
}

static bool put_resource(CniSceneWorldJsonReader *r, json_t *json, const CniSceneJsonPath *where)
{
    const char *name = json_object_iter_key(json_object_iter(json));
    uint32_t entry;
    if (!json_is_object(json) || json_object_size(json) != 1)
        return cni_scene_fail(&r->source, where, CNI_SCENE_JSON_AT_VALUE, r->error, CN_ERROR_FORMAT,
                              "a resource must be an object with one member, its component");
    CniSceneJsonPath here = {where, json, name, 0};
    if (!find_component(r, name, &entry))
        return fail_component(r, &here);
    const CniSceneWorldJsonComponent *component = &r->components.items[entry];
    if (!put_u32(r, entry))
        return false;
    uint8_t *room = put_room(r, component->size);
    return room && cni_scene_world_json_value(r, json_object_get(json, name), &here,
                                              &(CniSceneWorldJsonRow){component, room, 0, 1});
}

/* Writes a list preceded by its count. */
static bool put_list(CniSceneWorldJsonReader *r, json_t *root, const char *key,
                     bool (*put_one)(CniSceneWorldJsonReader *r, json_t *json,
                                     const CniSceneJsonPath *where))
{
    CniSceneJsonPath top = {0}, here;
    json_t *list = cni_scene_world_json_member(r, root, &top, key, JSON_ARRAY, &here);
    if (!list || !put_u32(r, (uint32_t)json_array_size(list)))
        return false;
    for (size_t i = 0; i < json_array_size(list); i++)
        if (!put_one(r, json_array_get(list, i), &(CniSceneJsonPath){&here, list, NULL, i}))
            return false;
    return true;
}

/* Magic and version are those of the snapshots that this build writes. */
static bool put_head(CniSceneWorldJsonReader *r)
{
    CnWorld *empty = cn_world_create(NULL, r->error);
    CnSnapshot snapshot = {0};
    bool done =
        empty && cn_world_save(empty, &snapshot, r->error) && put(r, snapshot.bytes, HEAD_BYTES);
    cn_snapshot_free(&snapshot);
    cn_world_destroy(empty);
    return done || (!empty && fail_memory(r));
}

static bool check_version(const CniSceneWorldJsonReader *r, json_t *root)
{
    CniSceneJsonPath top = {0}, here;
    const json_t *format = cni_scene_world_json_member(r, root, &top, "format", JSON_STRING, &here);
    uint32_t version;
    if (!format)
        return false;
    if (strcmp(json_string_value(format), "cairn world") != 0)
        return cni_scene_fail(&r->source, &here, CNI_SCENE_JSON_AT_VALUE, r->error, CN_ERROR_FORMAT,
                              "\"format\" must be \"cairn world\"");
    here = (CniSceneJsonPath){&top, root, "version", 0};
    if (!member_u32(r, root, &top, "version", &version))
        return false;
    return version == CN_WORLD_JSON_VERSION ||
           cni_scene_fail(&r->source, &here, CNI_SCENE_JSON_AT_VALUE, r->error, CN_ERROR_VERSION,
                          "version %u; this build reads version %u", version,
                          CN_WORLD_JSON_VERSION);
}

static bool put_world(CniSceneWorldJsonReader *r, json_t *root)
{
    if (!check_version(r, root) || !put_head(r) || !put_slots(r, root) ||
        !put_components(r, root) || !put_list(r, root, "archetypes", put_archetype) ||
        !put_list(r, root, "resources", put_resource))
        return false;
    uint64_t checksum = cn_hash_bytes(r->out.items, r->out.count, 0);
    return put(r, &checksum, sizeof checksum);
}

/* Bounds the memory of the JSON library before it sees the text. */
static bool check_size(const CniSceneSourceText *source, CnError *error)
{
    CnJsonSize size = cn_json_measure(source->text);
    return size.tree_bytes <= CN_WORLD_JSON_MAX_TREE_BYTES ||
           cn_error_set_at(error, CN_ERROR_LIMIT, source->name, 1, 1,
                           "its %llu values would take %llu MiB of memory while they are read; at "
                           "most %u MiB are allowed (large worlds belong in binary files)",
                           (unsigned long long)size.values,
                           (unsigned long long)(size.tree_bytes >> 20),
                           CN_WORLD_JSON_MAX_TREE_BYTES >> 20);
}

bool cn_snapshot_from_json(CnAllocator *allocator, const char *name, CnText text,
                           CnSnapshot *snapshot, CnError *error)
{
    CN_REPORT_UNHANDLED(error, "scene", NULL);
    allocator = allocator ? allocator : cn_system_allocator();
    *snapshot = (CnSnapshot){.allocator = allocator};
    CniSceneWorldJsonReader r = {.source = {.name = name, .text = text}, .error = error};
    if (!check_size(&r.source, error))
        return false;
    json_t *root = cni_scene_json_read(&r.source, r.error);
    if (!root)
        return false;
    cn_arena_init(&r.arena, allocator, 0);
    cn_array_init(&r.out, allocator);
    cn_array_init(&r.components, allocator);
    cn_array_init(&r.pair_kinds, allocator);
    bool done = put_world(&r, root);
    if (done)
        *snapshot = (CnSnapshot){r.out.items, r.out.count, allocator, r.out.capacity};
    else
        cn_array_fini(&r.out);
    cn_array_fini(&r.pair_kinds);
    cn_array_fini(&r.components);
    cn_arena_fini(&r.arena);
    json_decref(root);
    return done;
}

bool cn_world_from_json(CnWorld *world, const char *name, CnText text, CnError *error)
{
    CN_ASSERT(world, "%s: world is NULL", __func__);
    CN_REPORT_UNHANDLED(error, "scene", cn_world_unhandled_errors(world));
    CnSnapshot snapshot;
    bool done = cn_snapshot_from_json(cn_world_allocator(world), name, text, &snapshot, error) &&
                cn_world_load(world, snapshot.bytes, snapshot.size, error);
    cn_snapshot_free(&snapshot);
    return done;
}
