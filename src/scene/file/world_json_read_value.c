/* Values of fields in the JSON of a world. */
#include "scene/file/world_json_reader.h"

#include <stdlib.h>

json_t *cni_scene_world_json_member(const CniSceneWorldJsonReader *r, json_t *object,
                                    const CniSceneJsonPath *where, const char *key, json_type type,
                                    CniSceneJsonPath *here)
{
    static const char *const kinds[] = {[JSON_OBJECT] = "an object",
                                        [JSON_ARRAY] = "an array",
                                        [JSON_STRING] = "a string",
                                        [JSON_INTEGER] = "an integer"};
    json_t *found = json_object_get(object, key);
    *here = (CniSceneJsonPath){where, object, key, 0};
    if (!found) {
        cni_scene_fail(&r->source, where, CNI_SCENE_JSON_AT_VALUE, r->error, CN_ERROR_FORMAT,
                       "\"%s\" is missing here", key);
        return NULL;
    }
    if (json_typeof(found) != type) {
        cni_scene_fail(&r->source, here, CNI_SCENE_JSON_AT_VALUE, r->error, CN_ERROR_FORMAT,
                       "\"%s\" must be %s, not %s", key, kinds[type], cni_scene_json_kind(found));
        return NULL;
    }
    return found;
}

bool cni_scene_world_json_u32(const CniSceneWorldJsonReader *r, const json_t *json,
                              const CniSceneJsonPath *where, uint32_t *value)
{
    if (!json_is_integer(json) || json_integer_value(json) < 0 ||
        json_integer_value(json) > UINT32_MAX)
        return cni_scene_fail(&r->source, where, CNI_SCENE_JSON_AT_VALUE, r->error, CN_ERROR_FORMAT,
                              "an integer from 0 to 4294967295 is expected here");
    *value = (uint32_t)json_integer_value(json);
    return true;
}

bool cni_scene_world_json_entity(const CniSceneWorldJsonReader *r, const json_t *json,
                                 const CniSceneJsonPath *where, CnEntity *entity)
{
    *entity = (CnEntity){0};
    if (json_is_null(json))
        return true;
    const char *text = json_string_value(json);
    char *end = NULL;
    unsigned long long index = 0, generation = 0;
    bool is_good = text && text[0] >= '0' && text[0] <= '9';
    if (is_good)
        index = strtoull(text, &end, 10);
    is_good = is_good && end[0] == ':' && end[1] >= '0' && end[1] <= '9';
    if (is_good)
        generation = strtoull(end + 1, &end, 10);
    if (!is_good || *end || index > UINT32_MAX || generation > UINT32_MAX)
        return cni_scene_fail(&r->source, where, CNI_SCENE_JSON_AT_VALUE, r->error, CN_ERROR_FORMAT,
                              "an entity must be \"index:generation\" or null");
    *entity = cn_entity_make((uint32_t)index, (uint32_t)generation);
    return true;
}

/* ---- Values ---- */

static bool fail_type(const CniSceneWorldJsonReader *r, const CniSceneJsonPath *where,
                      const CnField *field)
{
    return cni_scene_fail(&r->source, where, CNI_SCENE_JSON_AT_VALUE, r->error, CN_ERROR_FORMAT,
                          "%s is of type %s, which cannot hold this", field->name,
                          cn_field_type_name(field->type));
}

/* Numbers that JSON cannot represent are strings of their bits, such as "0x7fc00000". */
static bool to_bits(const json_t *json, size_t digits, uint64_t *bits)
{
    const char *text = json_string_value(json);
    if (!text || strlen(text) != digits + 2 || strncmp(text, "0x", 2) != 0 ||
        strspn(text + 2, "0123456789abcdef") != digits)
        return false;
    *bits = strtoull(text + 2, NULL, 16);
    return true;
}

static bool to_f32(const CniSceneWorldJsonReader *r, const json_t *json,
                   const CniSceneJsonPath *where, const CnField *field, uint8_t *to)
{
    uint64_t bits;
    uint32_t low;
    float value = (float)json_number_value(json);
    if (to_bits(json, 8, &bits)) {
        low = (uint32_t)bits;
        memcpy(to, &low, sizeof low);
        return true;
    }
    if (!json_is_number(json) || __builtin_isinf(value))
        return fail_type(r, where, field);
    memcpy(to, &value, sizeof value);
    return true;
}

static bool to_f64(const CniSceneWorldJsonReader *r, const json_t *json,
                   const CniSceneJsonPath *where, const CnField *field, uint8_t *to)
{
    uint64_t bits;
    double value = json_number_value(json);
    if (to_bits(json, 16, &bits)) {
        memcpy(to, &bits, sizeof bits);
        return true;
    }
    if (!json_is_number(json))
        return fail_type(r, where, field);
    memcpy(to, &value, sizeof value);
    return true;
}

static bool to_floats(const CniSceneWorldJsonReader *r, json_t *json, const CniSceneJsonPath *where,
                      const CnField *field, uint8_t *to)
{
    size_t count = cn_field_type_size(field->type) / sizeof(float);
    if (!json_is_array(json) || json_array_size(json) != count)
        return cni_scene_fail(&r->source, where, CNI_SCENE_JSON_AT_VALUE, r->error, CN_ERROR_FORMAT,
                              "%s needs an array of %u numbers", field->name, (uint32_t)count);
    for (size_t i = 0; i < count; i++)
        if (!to_f32(r, json_array_get(json, i), &(CniSceneJsonPath){where, json, NULL, i}, field,
                    to + i * sizeof(float)))
            return false;
    return true;
}

/* Integers with more than 63 bits are strings of digits. */
static bool to_integer(const CniSceneWorldJsonReader *r, const json_t *json,
                       const CniSceneJsonPath *where, const CnField *field, uint8_t *to)
{
    uint32_t size = cn_field_type_size(field->type), bits = size * 8;
    bool is_signed = field->type >= CN_FIELD_I8 && field->type <= CN_FIELD_I64;
    uint64_t value = (uint64_t)json_integer_value(json);
    bool negative = json_is_integer(json) && json_integer_value(json) < 0, is_good;
    if (json_is_string(json)) {
        const char *text = json_string_value(json);
        value = strtoull(text, NULL, 10);
        is_good = field->type == CN_FIELD_U64 && text[0] && strlen(text) <= 20 &&
                  strspn(text, "0123456789") == strlen(text);
    } else if (is_signed) {
        int64_t least = bits == 64 ? INT64_MIN : -((int64_t)1 << (bits - 1));
        is_good =
            json_is_integer(json) && (int64_t)value >= least && (int64_t)value <= -(least + 1);
    } else {
        is_good = json_is_integer(json) && !negative && (bits == 64 || !(value >> bits));
    }
    if (!is_good)
        return fail_type(r, where, field);
    memcpy(to, &value, size); /* little-endian on all supported machines */
    return true;
}

static bool to_element(const CniSceneWorldJsonReader *r, json_t *json,
                       const CniSceneJsonPath *where, const CnField *field, uint8_t *to)
{
    CnEntity entity;
    switch (field->type) {
    case CN_FIELD_F32:
        return to_f32(r, json, where, field, to);
    case CN_FIELD_F64:
        return to_f64(r, json, where, field, to);
    case CN_FIELD_BOOL:
        *to = json_is_true(json);
        return json_is_boolean(json) || fail_type(r, where, field);
    case CN_FIELD_ENTITY:
        if (!cni_scene_world_json_entity(r, json, where, &entity))
            return false;
        memcpy(to, &entity.id, sizeof entity.id);
        return true;
    case CN_FIELD_VEC2:
    case CN_FIELD_VEC3:
    case CN_FIELD_VEC4:
    case CN_FIELD_QUAT:
    case CN_FIELD_MAT4:
        return to_floats(r, json, where, field, to);
    default:
        return to_integer(r, json, where, field, to);
    }
}

static bool to_field(const CniSceneWorldJsonReader *r, json_t *json, const CniSceneJsonPath *where,
                     const CnField *field, uint8_t *to)
{
    if (field->type == CN_FIELD_TEXT) {
        size_t size = json_string_length(json);
        if (!json_is_string(json) || size >= field->count)
            return fail_type(r, where, field);
        memcpy(to, json_string_value(json), size);
        return true;
    }
    if (field->count == 1)
        return to_element(r, json, where, field, to);
    if (!json_is_array(json) || json_array_size(json) != field->count)
        return cni_scene_fail(&r->source, where, CNI_SCENE_JSON_AT_VALUE, r->error, CN_ERROR_FORMAT,
                              "%s needs an array of %u values", field->name, field->count);
    for (uint32_t i = 0; i < field->count; i++)
        if (!to_element(r, json_array_get(json, i), &(CniSceneJsonPath){where, json, NULL, i},
                        field, to + i * cn_field_type_size(field->type)))
            return false;
    return true;
}

static bool to_members(const CniSceneWorldJsonReader *r, json_t *json,
                       const CniSceneJsonPath *where, const CniSceneWorldJsonRow *row,
                       const char *prefix);

static bool to_member(const CniSceneWorldJsonReader *r, json_t *json, const CniSceneJsonPath *where,
                      const CniSceneWorldJsonRow *row, const char *key)
{
    const CniSceneWorldJsonComponent *component = row->component;
    for (uint32_t f = 0; f < component->field_count; f++) {
        const CnField *field = &component->fields[f];
        if (strcmp(field->name, key) == 0)
            return to_field(r, json, where, field,
                            row->columns + (size_t)field->offset * row->rows +
                                (size_t)field->size * row->row);
    }
    if (json_is_object(json) || json_is_array(json))
        return to_members(r, json, where, row, key);
    return cni_scene_fail(&r->source, where, CNI_SCENE_JSON_AT_KEY, r->error, CN_ERROR_NOT_FOUND,
                          "%s has no field \"%s\"", component->name, key);
}

/* A component, or a struct or an array of structs in it; names of fields are joined with dots. */
static bool to_members(const CniSceneWorldJsonReader *r, json_t *json,
                       const CniSceneJsonPath *where, const CniSceneWorldJsonRow *row,
                       const char *prefix)
{
    char key[CN_MAX_NAME_BYTES];
    const char *dot = prefix[0] ? "." : "", *name;
    json_t *value;
    for (size_t i = 0; i < json_array_size(json); i++) {
        CniSceneJsonPath here = {where, json, NULL, i};
        if (!cn_format(key, sizeof key, "%s%s%u", prefix, dot, (uint32_t)i))
            return cni_scene_fail(&r->source, &here, CNI_SCENE_JSON_AT_VALUE, r->error,
                                  CN_ERROR_NOT_FOUND, "%s has no field of this name",
                                  row->component->name);
        if (!to_member(r, json_array_get(json, i), &here, row, key))
            return false;
    }
    json_object_foreach(json, name, value)
    {
        CniSceneJsonPath here = {where, json, name, 0};
        if (!cn_format(key, sizeof key, "%s%s%s", prefix, dot, name))
            return cni_scene_fail(&r->source, &here, CNI_SCENE_JSON_AT_KEY, r->error,
                                  CN_ERROR_NOT_FOUND, "%s has no field of this name",
                                  row->component->name);
        if (!to_member(r, value, &here, row, key))
            return false;
    }
    return true;
}

bool cni_scene_world_json_value(const CniSceneWorldJsonReader *r, json_t *json,
                                const CniSceneJsonPath *where, const CniSceneWorldJsonRow *row)
{
    return json_is_object(json)
               ? to_members(r, json, where, row, "")
               : cni_scene_fail(&r->source, where, CNI_SCENE_JSON_AT_VALUE, r->error,
                                CN_ERROR_FORMAT, "%s must be an object, not %s",
                                row->component->name, cni_scene_json_kind(json));
}
