#include "scene/file/file_reader.h"

/* Keys of components are looked up as "shape.radius" for a member of the object "shape". */
#define KEY_BYTES 160u

/* ---- Types ---- */

typedef struct TypeNames {
    const CnWorld *world;
    uint32_t id; /* of the last one */
} TypeNames;

static const char *next_type_name(void *user)
{
    TypeNames *names = user;
    CnReflectedComponent reflected;
    while (++names->id <= cn_component_limit(names->world))
        if (cn_reflection_of(names->world, (CnComponent){names->id}, &reflected) &&
            !cni_scene_is_node_component(names->world, reflected.component))
            return reflected.name;
    return NULL;
}

static const CniSceneFileComponent *find_looked_up(const CniSceneFileReader *reader,
                                                   CnComponent component)
{
    for (uint32_t i = 0; i < reader->known.count; i++)
        if (reader->known.items[i].reflected.component.id == component.id)
            return &reader->known.items[i];
    return NULL;
}

static const CniSceneFileComponent *find_known(CniSceneFileReader *reader, const char *name,
                                               const CniSceneJsonPath *where)
{
    for (uint32_t i = 0; i < reader->known.count; i++)
        if (strcmp(reader->known.items[i].reflected.name, name) == 0)
            return &reader->known.items[i];
    CniSceneFileComponent known = {0};
    if (!cn_reflection_find(reader->world, cn_text(name), &known.reflected) ||
        cni_scene_is_node_component(reader->world, known.reflected.component)) {
        char suggestion[CNI_SCENE_SUGGESTION_BYTES];
        TypeNames names = {reader->world, 0};
        cni_scene_fail(
            &reader->source, where, CNI_SCENE_JSON_AT_VALUE, reader->error, CN_ERROR_NOT_FOUND,
            "there is no component named \"%.64s\"%s", name,
            cni_scene_suggestion(suggestion, cn_text_most_similar(name, next_type_name, &names)));
        return NULL;
    }
    const CniSceneFileComponent *by_name = find_looked_up(reader, known.reflected.component);
    if (by_name) /* the name is an alias */
        return by_name;
    if (!cni_scene_file_component_init(&known, reader->world, &reader->plan->arena) ||
        !cn_array_push(&reader->known, known)) {
        cni_scene_fail_memory(&reader->source, reader->error);
        return NULL;
    }
    return &reader->known.items[reader->known.count - 1];
}

/* ---- Values ---- */

typedef struct Target {
    CniSceneFileReader *reader;
    const CniSceneFileComponent *known;
    uint32_t node;
    uint8_t *value;
    bool is_over;      /* overrides a value from a prefab */
    uint64_t seen[16]; /* by item */
} Target;

static bool fail(const CniSceneFileReader *reader, const CniSceneJsonPath *where,
                 CniSceneJsonAnchor point, CnErrorCode code, const char *message)
{
    return cni_scene_fail(&reader->source, where, point, reader->error, code, "%s", message);
}

static const CniSceneJsonPath *keep_where(CnArena *arena, const CniSceneJsonPath *where)
{
    CniSceneJsonPath *kept = cn_arena_alloc(arena, sizeof *kept, CN_ALIGN_OF(CniSceneJsonPath));
    if (!kept)
        return NULL;
    *kept = cni_scene_path_without_json(where);
    if (where->up) {
        kept->up = keep_where(arena, where->up);
        if (!kept->up)
            return NULL;
    }
    return kept;
}

/* Drops the prefab's reference in this field, which is being replaced. */
static void drop_reference(const CniSceneFileReader *reader, const CniScenePlanReference *reference)
{
    CniScenePlan *plan = reader->plan;
    uint32_t kept = reader->first_reference;
    for (uint32_t i = kept; i < plan->references.count; i++) {
        const CniScenePlanReference *other = &plan->references.items[i];
        if (other->node != reference->node || other->component.id != reference->component.id ||
            other->field != reference->field || other->element != reference->element)
            plan->references.items[kept++] = *other;
    }
    plan->references.count = kept;
}

static bool read_entity(Target *target, const CnReflectedMember *item, uint32_t element,
                        json_t *json, const CniSceneJsonPath *where)
{
    CniSceneFileReader *reader = target->reader;
    CnEntity *field = (CnEntity *)(void *)(target->value + item->field->offset) + element;
    CniScenePlanReference reference = {target->node, CNI_SCENE_NO_NODE,
                                       target->known->reflected.component, item->field, element};
    *field = (CnEntity){0};
    if (target->is_over)
        drop_reference(reader, &reference);
    if (json_is_null(json))
        return true;
    if (!json_is_string(json))
        return cni_scene_fail(&reader->source, where, CNI_SCENE_JSON_AT_VALUE, reader->error,
                              CN_ERROR_FORMAT, "%s must be the path of an object or null, not %s",
                              item->reflected.key, cni_scene_json_kind(json));
    CnArena *arena = &reader->plan->arena;
    CniScenePendingReference pending = {
        .reference = reference,
        .path = cn_arena_copy_text(arena, json_string_value(json), json_string_length(json)),
        .where = keep_where(arena, where)};
    return (pending.path && pending.where && cn_array_push(&reader->pending, pending)) ||
           cni_scene_fail_memory(&reader->source, reader->error);
}

/* Integers beyond the range of JSON readers are written as strings of digits. */
static bool parse_digits(const char *text, uint64_t *whole)
{
    *whole = 0;
    for (const char *c = text; *c; c++) {
        uint64_t digit = (uint64_t)(*c - '0');
        if (*c < '0' || *c > '9' || *whole > (UINT64_MAX - digit) / 10)
            return false;
        *whole = *whole * 10 + digit;
    }
    return text[0] != 0;
}

static bool to_vector(const CniSceneFileReader *reader, json_t *json, const CniSceneJsonPath *where,
                      CnReflectedValue *value)
{
    value->form = CN_REFLECTED_VECTOR;
    value->count = (uint32_t)json_array_size(json);
    for (uint32_t i = 0; i < value->count; i++) {
        json_t *number = json_array_get(json, i);
        if (i == CN_COUNT_OF(value->numbers))
            return fail(reader, where, CNI_SCENE_JSON_AT_VALUE, CN_ERROR_FORMAT,
                        "too many numbers");
        if (!json_is_number(number))
            return cni_scene_fail(&reader->source, &(CniSceneJsonPath){where, json, NULL, i},
                                  CNI_SCENE_JSON_AT_VALUE, reader->error, CN_ERROR_FORMAT,
                                  "a number is expected here, not %s", cni_scene_json_kind(number));
        value->numbers[i] = json_number_value(number);
    }
    return true;
}

static bool to_value(const CniSceneFileReader *reader, const CnReflectedMember *item, json_t *json,
                     const CniSceneJsonPath *where, CnReflectedValueType form,
                     CnReflectedValue *value)
{
    uint64_t whole;
    switch (json_typeof(json)) {
    case JSON_ARRAY:
        return to_vector(reader, json, where, value);
    case JSON_INTEGER:
        value->form = CN_REFLECTED_INTEGER;
        value->negative = json_integer_value(json) < 0;
        value->integer = (uint64_t)json_integer_value(json);
        return true;
    case JSON_REAL:
        value->form = CN_REFLECTED_NUMBER;
        value->numbers[0] = json_real_value(json);
        return true;
    case JSON_TRUE:
    case JSON_FALSE:
        value->form = CN_REFLECTED_BOOL;
        value->boolean = json_is_true(json);
        return true;
    case JSON_STRING:
        value->form = CN_REFLECTED_TEXT;
        value->text = (CnText){json_string_value(json), json_string_length(json)};
        if (form == CN_REFLECTED_INTEGER && parse_digits(value->text.data, &whole)) {
            value->form = CN_REFLECTED_INTEGER;
            value->negative = false;
            value->integer = whole;
        }
        return true;
    default:
        return cni_scene_fail(&reader->source, where, CNI_SCENE_JSON_AT_VALUE, reader->error,
                              CN_ERROR_FORMAT, "%s cannot be %s", item->reflected.key,
                              cni_scene_json_kind(json));
    }
}

static bool read_element(Target *target, const CnReflectedMember *item, CnReflectedValueType form,
                         uint32_t element, json_t *json, const CniSceneJsonPath *where)
{
    const CniSceneFileReader *reader = target->reader;
    if (form == CN_REFLECTED_ENTITY)
        return read_entity(target, item, element, json, where);
    CnReflectedValue value;
    if (!to_value(reader, item, json, where, form, &value))
        return false;
    CnError wrong = {0};
    return cn_reflection_write(item, target->value + item->field->offset, element, &value,
                               &wrong) ||
           fail(reader, where, CNI_SCENE_JSON_AT_VALUE, wrong.code, wrong.message);
}

static bool read_field(Target *target, const CnReflectedMember *item, json_t *json,
                       const CniSceneJsonPath *where)
{
    CnReflectedShape shape = cn_reflection_shape(item);
    if (shape.elements <= 1)
        return read_element(target, item, shape.form, 0, json, where);
    const CniSceneFileReader *reader = target->reader;
    if (json_array_size(json) != shape.elements)
        return cni_scene_fail(&reader->source, where, CNI_SCENE_JSON_AT_VALUE, reader->error,
                              CN_ERROR_FORMAT, "%s must be an array of %u elements",
                              item->reflected.key, shape.elements);
    for (uint32_t i = 0; i < shape.elements; i++)
        if (!read_element(target, item, shape.form, i, json_array_get(json, i),
                          &(CniSceneJsonPath){where, json, NULL, i}))
            return false;
    return true;
}

/* ---- Keys ---- */

static bool is_reflected(const CnReflectedMember *item)
{
    return item->reflected.kind != CN_REFLECTED_HIDDEN;
}

/* Returns UINT32_MAX when there is none. */
static uint32_t item_of(const CniSceneFileComponent *known, const char *key)
{
    for (uint32_t i = 0; i < known->item_count; i++)
        if (is_reflected(&known->items[i]) &&
            cn_reflected_field_matches(&known->items[i].reflected, cn_text(key)))
            return i;
    return UINT32_MAX;
}

static bool has_members(const CniSceneFileComponent *known, const char *key)
{
    size_t size = strlen(key);
    for (uint32_t i = 0; i < known->item_count; i++)
        if (is_reflected(&known->items[i]) &&
            strncmp(known->items[i].reflected.key, key, size) == 0 &&
            known->items[i].reflected.key[size] == '.')
            return true;
    return false;
}

typedef struct Keys {
    const CniSceneFileComponent *known;
    uint32_t index; /* of the next one */
} Keys;

static const char *next_key(void *user)
{
    Keys *keys = user;
    while (keys->index < keys->known->item_count) {
        const CnReflectedMember *item = &keys->known->items[keys->index++];
        if (is_reflected(item))
            return item->reflected.key;
    }
    return NULL;
}

static bool fail_key(const Target *target, const char *key, const CniSceneJsonPath *where)
{
    char suggestion[CNI_SCENE_SUGGESTION_BYTES];
    Keys keys = {target->known, 0};
    return cni_scene_fail(
        &target->reader->source, where, CNI_SCENE_JSON_AT_KEY, target->reader->error,
        CN_ERROR_NOT_FOUND, "%s has no \"%.64s\"%s", target->known->reflected.name, key,
        cni_scene_suggestion(suggestion, cn_text_most_similar(key, next_key, &keys)));
}

static void mark_seen(Target *target, uint32_t item)
{
    if (item < 64 * CN_COUNT_OF(target->seen))
        target->seen[item / 64] |= UINT64_C(1) << item % 64;
}

static bool was_seen(const Target *target, uint32_t item)
{
    return item < 64 * CN_COUNT_OF(target->seen) && (target->seen[item / 64] >> item % 64 & 1);
}

/* Returns whether the key refers to an array of structs, whose members begin with an index. */
static bool has_elements(const CniSceneFileComponent *known, const char *key)
{
    char first[KEY_BYTES];
    return cn_format(first, sizeof first, "%s.0", key) && has_members(known, first);
}

static bool read_members(Target *target, json_t *json, const CniSceneJsonPath *where,
                         const char *prefix);
static bool read_elements(Target *target, json_t *json, const CniSceneJsonPath *where,
                          const char *prefix);

static bool read_member(Target *target, const char *key, json_t *json,
                        const CniSceneJsonPath *where)
{
    uint32_t item = item_of(target->known, key);
    if (item != UINT32_MAX) {
        if (was_seen(target, item)) /* under its alias: equal keys were rejected before */
            return cni_scene_fail(&target->reader->source, where, CNI_SCENE_JSON_AT_KEY,
                                  target->reader->error, CN_ERROR_EXISTS,
                                  "%s is given twice: remove \"%s\"",
                                  target->known->items[item].reflected.key,
                                  target->known->items[item].reflected.alias);
        if (!read_field(target, &target->known->items[item], json, where))
            return false;
        mark_seen(target, item);
        return true;
    }
    if (!has_members(target->known, key))
        return fail_key(target, key, where);
    bool is_array = has_elements(target->known, key);
    if (is_array ? !json_is_array(json) : !json_is_object(json))
        return cni_scene_fail(&target->reader->source, where, CNI_SCENE_JSON_AT_VALUE,
                              target->reader->error, CN_ERROR_FORMAT, "%s must be %s, not %s", key,
                              is_array ? "an array" : "an object", cni_scene_json_kind(json));
    return is_array ? read_elements(target, json, where, key)
                    : read_members(target, json, where, key);
}

/* Missing elements at the end keep their defaults. */
static bool read_elements(Target *target, json_t *json, const CniSceneJsonPath *where,
                          const char *prefix)
{
    for (uint32_t i = 0; i < json_array_size(json); i++) {
        char key[KEY_BYTES];
        CniSceneJsonPath here = {where, json, NULL, i};
        if (!cn_format(key, sizeof key, "%s.%u", prefix, i) || !has_members(target->known, key))
            return cni_scene_fail(&target->reader->source, &here, CNI_SCENE_JSON_AT_VALUE,
                                  target->reader->error, CN_ERROR_FORMAT, "%s has only %u elements",
                                  prefix, i);
        if (!read_member(target, key, json_array_get(json, i), &here))
            return false;
    }
    return true;
}

static bool read_members(Target *target, json_t *json, const CniSceneJsonPath *where,
                         const char *prefix)
{
    const char *name;
    json_t *member;
    json_object_foreach(json, name, member)
    {
        char joined[KEY_BYTES];
        CniSceneJsonPath here = {where, json, name, 0};
        if (!prefix && strcmp(name, "type") == 0)
            continue;
        if (prefix && !cn_format(joined, sizeof joined, "%s.%s", prefix, name))
            return fail_key(target, name, &here);
        if (!read_member(target, prefix ? joined : name, member, &here))
            return false;
    }
    return true;
}

/* Reports an error about a key that may be inside an object; its position is found by the parts
 * of the key. */
static bool fail_item(const Target *target, json_t *json, const CniSceneJsonPath *where,
                      const CnReflectedMember *item, CnErrorCode code, const char *message)
{
    char key[KEY_BYTES];
    CnText rest = cn_text(item->reflected.key), part;
    if (!cn_text_split(&rest, '.', &part) || !cn_copy_text(key, sizeof key, part) ||
        !json_object_get(json, key))
        return fail(target->reader, where, CNI_SCENE_JSON_AT_VALUE, code, message);
    CniSceneJsonPath outer = {where, json, key, 0};
    json_t *inner = json_object_get(json, key);
    char inner_key[KEY_BYTES];
    if (!json_is_object(inner) || !cn_copy_text(inner_key, sizeof inner_key, rest) ||
        !json_object_get(inner, inner_key))
        return fail(target->reader, &outer, CNI_SCENE_JSON_AT_KEY, code, message);
    return fail(target->reader, &(CniSceneJsonPath){&outer, inner, inner_key, 0},
                CNI_SCENE_JSON_AT_KEY, code, message);
}

/* Checks that are possible only after all keys were read. */
static bool check_items(const Target *target, json_t *json, const CniSceneJsonPath *where)
{
    const CniSceneFileComponent *known = target->known;
    char message[CN_ERROR_MESSAGE_BYTES];
    for (uint32_t i = 0; i < known->item_count; i++) {
        const CnReflectedMember *item = &known->items[i];
        bool seen = was_seen(target, i);
        bool applies = cn_reflection_field_applies(target->reader->world, &known->reflected, item,
                                                   target->value);
        if (seen && !applies) {
            cn_format(message, sizeof message, "%s is not allowed for this %s", item->reflected.key,
                      item->reflected.of_choice);
            return fail_item(target, json, where, item, CN_ERROR_FORMAT, message);
        }
        if (item->reflected.required && is_reflected(item) && applies && !seen &&
            !target->is_over) {
            cn_format(message, sizeof message, "%s needs \"%s\"", known->reflected.name,
                      item->reflected.key);
            return fail_item(target, json, where, item, CN_ERROR_FORMAT, message);
        }
    }
    CnError wrong = {0};
    return cn_reflection_check(&known->reflected, target->value, &wrong) ||
           fail(target->reader, where, CNI_SCENE_JSON_AT_VALUE, wrong.code, wrong.message);
}

/* ---- Components ---- */

/* Returns the value to write to: a copy of what the node already has, or of the default. */
static CniScenePlanValue *place_value(CniSceneFileReader *reader,
                                      const CniSceneFileComponent *known, CniScenePlanNode *node,
                                      bool *is_over)
{
    CniScenePlanValue *value = NULL;
    for (uint32_t i = 0; i < node->value_count; i++)
        if (node->values[i].component.id == known->reflected.component.id)
            value = &node->values[i];
    *is_over = value != NULL;
    const void *from = value ? value->data : known->info.default_value;
    size_t size = known->info.size;
    void *data = size ? cn_arena_alloc(&reader->plan->arena, size, known->info.alignment) : NULL;
    if (size && !data) {
        cni_scene_fail_memory(&reader->source, reader->error);
        return NULL;
    }
    if (from && size)
        memcpy(data, from, size);
    else if (size)
        memset(data, 0, size);
    value = value ? value : &node->values[node->value_count];
    *value = (CniScenePlanValue){known->reflected.component, known->info.size,
                                 known->info.alignment, data};
    return value;
}

/* Returns whether an earlier component of the same list has this type. */
static bool is_second(json_t *list, const json_t *json, const CnReflectedComponent *reflected)
{
    const char *alias = reflected->type ? reflected->type->alias : NULL;
    for (size_t i = 0; json_array_get(list, i) != json; i++) {
        const char *other = json_string_value(json_object_get(json_array_get(list, i), "type"));
        if (strcmp(other, reflected->name) == 0 || (alias && strcmp(other, alias) == 0))
            return true;
    }
    return false;
}

/* Counts components without the transform, which every object has. */
static uint32_t count_others(const CniSceneFileReader *reader, const CniScenePlanNode *node)
{
    CnComponent transform = cn_component_of(reader->world, &cn_type_CnTransform);
    uint32_t count = 0;
    for (uint32_t i = 0; i < node->value_count; i++)
        count += node->values[i].component.id != transform.id;
    return count;
}

bool cni_scene_read_component(CniSceneFileReader *reader, json_t *json,
                              const CniSceneJsonPath *where, uint32_t node)
{
    if (!json_is_object(json))
        return cni_scene_fail(&reader->source, where, CNI_SCENE_JSON_AT_VALUE, reader->error,
                              CN_ERROR_FORMAT, "a component must be an object, not %s",
                              cni_scene_json_kind(json));
    json_t *type = json_object_get(json, "type");
    CniSceneJsonPath type_where = {where, json, "type", 0};
    if (!type)
        return fail(reader, where, CNI_SCENE_JSON_AT_VALUE, CN_ERROR_FORMAT,
                    "a component needs a \"type\"");
    if (!json_is_string(type))
        return cni_scene_fail(&reader->source, &type_where, CNI_SCENE_JSON_AT_VALUE, reader->error,
                              CN_ERROR_FORMAT, "\"type\" must be a string, not %s",
                              cni_scene_json_kind(type));
    const CniSceneFileComponent *known = find_known(reader, json_string_value(type), &type_where);
    if (!known)
        return false;
    if (is_second(where->in, json, &known->reflected))
        return cni_scene_fail(&reader->source, &type_where, CNI_SCENE_JSON_AT_VALUE, reader->error,
                              CN_ERROR_EXISTS, "the node has a second %.64s",
                              known->reflected.name);
    CniScenePlanNode *owner = &reader->plan->nodes.items[node];
    if (owner->value_count >= CNI_SCENE_MAX_COMPONENTS &&
        count_others(reader, owner) == CNI_SCENE_MAX_COMPONENTS)
        return cni_scene_fail(&reader->source, where, CNI_SCENE_JSON_AT_VALUE, reader->error,
                              CN_ERROR_LIMIT, "a node has more than %u components",
                              CNI_SCENE_MAX_COMPONENTS);
    Target target = {.reader = reader, .known = known, .node = node};
    const CniScenePlanValue *place = place_value(reader, known, owner, &target.is_over);
    if (!place)
        return false;
    target.value = place->data;
    if (!read_members(&target, json, where, NULL) || !check_items(&target, json, where))
        return false;
    owner->value_count += !target.is_over;
    return true;
}
