/* Flattens types that contain other described structs into plain fields. */
#include "ecs/world/world_internal.h"

static bool add_fields(CniEcsFlatType *flat, const CnType *type, const char *prefix,
                       uint32_t offset, CnError *error);

static bool join(char name[CN_MAX_NAME_BYTES], const char *prefix, const char *field)
{
    return cn_format(name, CN_MAX_NAME_BYTES, "%s%s%s", prefix, prefix[0] ? "." : "", field);
}

static bool fail_name(const CniEcsFlatType *flat, const char *prefix, const CnField *field,
                      CnError *error)
{
    return cn_error_set(error, CN_ERROR_LIMIT,
                        "component %s: the name of field %s.%s has more than %u bytes",
                        flat->type.name, prefix, field->name, CN_MAX_NAME_BYTES - 1);
}

/* Adds the fields of a nested struct, or of each element of an array of structs. */
static bool add_struct(CniEcsFlatType *flat, const CnType *nested, const CnField *field,
                       const char *prefix, uint32_t offset, CnError *error)
{
    char name[CN_MAX_NAME_BYTES], element[CN_MAX_NAME_BYTES];
    if (nested->site && !cni_ecs_type_number(nested, error))
        return false;
    if (!join(name, prefix, field->name))
        return fail_name(flat, prefix, field, error);
    if (field->count == 1)
        return add_fields(flat, nested, name, offset, error);
    for (uint32_t i = 0; i < field->count; i++) {
        if (!cn_format(element, sizeof element, "%s.%u", name, i))
            return fail_name(flat, prefix, field, error);
        if (!add_fields(flat, nested, element, offset + i * nested->size, error))
            return false;
    }
    return true;
}

static bool add_fields(CniEcsFlatType *flat, const CnType *type, const char *prefix,
                       uint32_t offset, CnError *error)
{
    if (!type->field_count)
        return cn_error_set(error, CN_ERROR_FORMAT,
                            "component %s: %s is a %s, which is not described by fields",
                            flat->type.name, prefix, type->name);
    for (uint32_t f = 0; f < type->field_count; f++) {
        const CnField *field = &type->fields[f];
        const CnType *nested = type->site && type->site->nested ? type->site->nested[f] : NULL;
        if (nested) {
            if (!add_struct(flat, nested, field, prefix, offset + field->offset, error))
                return false;
            continue;
        }
        if (flat->type.field_count == CN_MAX_FIELDS)
            return cn_error_set(error, CN_ERROR_LIMIT,
                                "component %s has more fields than the limit of %u, with those of "
                                "nested structs",
                                flat->type.name, CN_MAX_FIELDS);
        uint32_t at = flat->type.field_count++;
        if (!join(flat->names[at], prefix, field->name))
            return fail_name(flat, prefix, field, error);
        flat->fields[at] = *field;
        flat->fields[at].name = flat->names[at];
        flat->fields[at].offset += offset;
    }
    return true;
}

bool cni_ecs_type_flatten(const CnType *type, CniEcsFlatType *flat, CnError *error)
{
    flat->type = *type;
    bool has_nested = false;
    for (uint32_t f = 0; type->site && type->site->nested && f < type->field_count; f++)
        has_nested = has_nested || type->site->nested[f];
    if (!has_nested)
        return true;
    flat->type.fields = flat->fields;
    flat->type.field_count = 0;
    return add_fields(flat, type, "", 0, error);
}
