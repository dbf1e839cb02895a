#include "scene/reflection/reflection_internal.h"

#include <cairn/input/player_actions.h>
#include <cairn/scene/camera.h>
#include <cairn/scene/file.h>
#include <cairn/scene/object.h>
#include <cairn/sim/input.h>
#include <cairn/sim/loop.h>
#include <cairn/sim/random.h>
#include <cairn/sim/time.h>

#include <string.h>

/* An opaque resource, so that loading keeps it. It has a fixed size and needs no destructor. */
typedef struct CniSceneReflectionTables {
    uint32_t count, hidden_count;
    const CnReflectedType *tables[CN_MAX_REFLECTED_TYPES]; /* in order of names */
    uint32_t components[CN_MAX_REFLECTED_TYPES];           /* of the tables */
    uint32_t hidden[CN_MAX_REFLECTED_TYPES];
} CniSceneReflectionTables;
CN_OPAQUE(CniSceneReflectionTables);

/* State of the engine that is described for hashing and saving, but not reflected. */
static const CnType *const engine_types[] = {
    &cn_type_CnNode,         &cn_type_CnObject,     &cn_type_CnInactive,
    &cn_type_CnActiveCamera, &cn_type_CnInputEvent, &cn_type_CnInputState,
    &cn_type_CnGamepadState, &cn_type_CnTime,       &cn_type_CnTickInfo,
    &cn_type_CnTimingInfo,   &cn_type_CnRandomSeed, &cn_type_CnObjectCounter,
    &cn_type_CnPrefabSource, &cn_type_CnWindowSize, &cn_type_CnPlayerActionsEvent,
};

static const CniSceneReflectionTables *tables_of(const CnWorld *world)
{
    return cn_resource(world, CniSceneReflectionTables);
}

static CniSceneReflectionTables *tables_for_writing(CnWorld *world, CnError *error)
{
    CniSceneReflectionTables *tables = cn_resource_mut(world, CniSceneReflectionTables);
    if (tables)
        return tables;
    CnComponent component =
        cn_component_register(world,
                              &(CnComponentDesc){.type = &cn_type_CniSceneReflectionTables,
                                                 .flags = CN_COMPONENT_TRANSIENT},
                              error);
    if (!component.id)
        return NULL;
    tables = cn_resource_set_value(world, component, NULL);
    if (!tables)
        cn_error_memory(error, "reflected components");
    return tables;
}

/* Returns the index of the name, or where it belongs. */
static uint32_t index_of(const CniSceneReflectionTables *tables, CnText name, bool *found)
{
    uint32_t low = 0, high = tables ? tables->count : 0;
    *found = false;
    while (low < high) {
        uint32_t middle = (low + high) / 2;
        int order = cn_text_compare(cn_text(tables->tables[middle]->name), name);
        if (order == 0) {
            *found = true;
            return middle;
        }
        if (order < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static const CnReflectedType *table_of(const CniSceneReflectionTables *tables,
                                       CnComponent component)
{
    for (uint32_t i = 0; tables && i < tables->count; i++)
        if (tables->components[i] == component.id)
            return tables->tables[i];
    return NULL;
}

static bool is_hidden(const CniSceneReflectionTables *tables, CnComponent component,
                      const char *name)
{
    for (uint32_t i = 0; tables && i < tables->hidden_count; i++)
        if (tables->hidden[i] == component.id)
            return true;
    for (uint32_t i = 0; i < CN_COUNT_OF(engine_types); i++)
        if (!strcmp(engine_types[i]->name, name))
            return true;
    return cn_text_starts_with(cn_text(name), cn_text(CN_RANDOM_STREAM_PREFIX));
}

static bool is_describable(const CnComponentInfo *info)
{
    return !(info->flags & CN_COMPONENT_TRANSIENT) && !info->pair_kind.id &&
           (info->field_count || !info->size);
}

/* ---- Adding tables and hiding components ---- */

static bool check_field(const CnWorld *world, CnComponent component,
                        const CnReflectedType *reflected, const CnReflectedField *field,
                        CnError *error)
{
    const CnField *of_type = cn_component_field(world, component, field->field);
    if (!of_type)
        return cn_error_set(error, CN_ERROR_NOT_FOUND, "%s reflects %s.%s, which does not exist",
                            reflected->name, reflected->type->name, field->field);
    bool is_whole = of_type->type >= CN_FIELD_I8 && of_type->type <= CN_FIELD_U64;
    if ((field->kind == CN_REFLECTED_EULER && of_type->type != CN_FIELD_QUAT) ||
        (field->kind == CN_REFLECTED_CHOICE && (!is_whole || !field->choices)))
        return cn_error_set(error, CN_ERROR_MISMATCH, "%s.%s cannot be reflected in this form",
                            reflected->type->name, field->field);
    return true;
}

static bool check_table(const CnWorld *world, CnComponent component,
                        const CnReflectedType *reflected, CnError *error)
{
    for (uint32_t i = 0; i < reflected->field_count; i++) {
        const CnReflectedField *field = &reflected->fields[i];
        if (!check_field(world, component, reflected, field, error))
            return false;
        bool of_found = !field->of_choice;
        for (uint32_t j = 0; j < reflected->field_count; j++) {
            const CnReflectedField *other = &reflected->fields[j];
            if (j < i && !strcmp(other->key, field->key))
                return cn_error_set(error, CN_ERROR_EXISTS, "%s reflects %s twice", reflected->name,
                                    field->key);
            of_found = of_found || (other->kind == CN_REFLECTED_CHOICE &&
                                    !strcmp(other->key, field->of_choice));
        }
        if (!of_found)
            return cn_error_set(error, CN_ERROR_NOT_FOUND, "%s.%s depends on the choice %s",
                                reflected->name, field->key, field->of_choice);
    }
    return true;
}

bool cn_reflection_add(CnWorld *world, const CnReflectedType *reflected, CnError *error)
{
    CN_ASSERT(world, "%s: world is NULL", __func__);
    bool is_complete = reflected && reflected->name && reflected->type;
    CN_ASSERT(is_complete, "cn_reflection_add: the table has no name or no type");
    if (!is_complete)
        return cn_error_set(error, CN_ERROR_MISMATCH, "a reflection table needs a name and a type");
    CnComponent component = cn_component_ensure(world, reflected->type);
    CniSceneReflectionTables *tables = tables_for_writing(world, error);
    if (!tables)
        return false;
    CnComponentInfo info;
    if (!cn_component_info(world, component, &info) ||
        !(reflected->is_resource ? info.field_count > 0 : is_describable(&info)))
        return cn_error_set(error, CN_ERROR_MISMATCH,
                            "%s cannot be reflected: it has no field description",
                            reflected->type->name);
    bool taken;
    uint32_t index = index_of(tables, cn_text(reflected->name), &taken);
    if (taken && tables->tables[index] == reflected)
        return true;
    CnComponent named = cn_component_find(world, reflected->name);
    if (taken || (named.id && named.id != component.id) || table_of(tables, component))
        return cn_error_set(error, CN_ERROR_EXISTS,
                            "the name %s is in use, or %s already has a table", reflected->name,
                            reflected->type->name);
    if (!check_table(world, component, reflected, error))
        return false;
    if (tables->count == CN_MAX_REFLECTED_TYPES)
        return cn_error_set(error, CN_ERROR_LIMIT, "there are more than %u reflection tables",
                            CN_MAX_REFLECTED_TYPES);
    uint32_t behind = tables->count - index;
    memmove(&tables->tables[index + 1], &tables->tables[index], behind * sizeof *tables->tables);
    memmove(&tables->components[index + 1], &tables->components[index],
            behind * sizeof *tables->components);
    tables->tables[index] = reflected;
    tables->components[index] = component.id;
    tables->count++;
    return true;
}

bool cn_reflection_hide(CnWorld *world, const CnType *type, CnError *error)
{
    CN_ASSERT(world, "%s: world is NULL", __func__);
    CN_ASSERT(type, "%s: type is NULL", __func__);
    CnComponent component = cn_component_ensure(world, type);
    CniSceneReflectionTables *tables = tables_for_writing(world, error);
    if (!tables)
        return false;
    if (!component.id)
        return cn_error_set(error, CN_ERROR_MEMORY, "%s cannot be registered", type->name);
    if (is_hidden(tables, component, type->name))
        return true;
    if (tables->hidden_count == CN_MAX_REFLECTED_TYPES)
        return cn_error_set(error, CN_ERROR_LIMIT, "there are more than %u hidden components",
                            CN_MAX_REFLECTED_TYPES);
    tables->hidden[tables->hidden_count++] = component.id;
    return true;
}

/* ---- Lookup ---- */

bool cn_reflection_of(const CnWorld *world, CnComponent component, CnReflectedComponent *reflected)
{
    CN_ASSERT(world, "%s: world is NULL", __func__);
    CN_ASSERT(reflected, "%s: reflected is NULL", __func__);
    const CniSceneReflectionTables *tables = tables_of(world);
    CnComponentInfo info;
    if (!cn_component_info(world, component, &info) || !is_describable(&info) ||
        is_hidden(tables, component, info.name))
        return false;
    const CnReflectedType *table = table_of(tables, component);
    if (table && table->is_resource)
        return false;
    if (!table) {
        bool taken; /* a component with a table is not also found by its own name */
        index_of(tables, cn_text(info.name), &taken);
        if (taken)
            return false;
    }
    *reflected = (CnReflectedComponent){table ? table->name : info.name, component, table};
    return true;
}

const CnReflectedType *cni_scene_reflection_table(const CnWorld *world, CnComponent component)
{
    return table_of(tables_of(world), component);
}

static bool find_alias(const CnWorld *world, CnText name, CnReflectedComponent *reflected)
{
    const CniSceneReflectionTables *tables = tables_of(world);
    for (uint32_t i = 0; tables && i < tables->count; i++)
        if (tables->tables[i]->alias && cn_text_equal(cn_text(tables->tables[i]->alias), name))
            return cn_reflection_of(world, (CnComponent){tables->components[i]}, reflected);
    return false;
}

bool cn_reflection_find(const CnWorld *world, CnText name, CnReflectedComponent *reflected)
{
    CN_ASSERT(world, "%s: world is NULL", __func__);
    CN_ASSERT(reflected, "%s: reflected is NULL", __func__);
    const CniSceneReflectionTables *tables = tables_of(world);
    bool found;
    uint32_t index = index_of(tables, name, &found);
    if (found)
        return cn_reflection_of(world, (CnComponent){tables->components[index]}, reflected);
    char terminated[CN_MAX_NAME_BYTES];
    if (!cn_copy_text(terminated, sizeof terminated, name))
        return false;
    CnComponent component = cn_component_find(world, terminated);
    return (cn_reflection_of(world, component, reflected) &&
            cn_text_equal(cn_text(reflected->name), name)) ||
           find_alias(world, name, reflected);
}

uint32_t cn_reflection_list(const CnWorld *world, CnReflectedComponent *list, uint32_t capacity)
{
    CN_ASSERT(world, "%s: world is NULL", __func__);
    uint32_t total = 0, kept = 0, limit = cn_component_limit(world);
    for (uint32_t id = 1; id <= limit; id++) {
        CnReflectedComponent reflected;
        if (!cn_reflection_of(world, (CnComponent){id}, &reflected))
            continue;
        total++;
        uint32_t at = kept;
        while (at && strcmp(list[at - 1].name, reflected.name) > 0)
            at--;
        if (at >= capacity)
            continue;
        kept = kept < capacity ? kept + 1 : capacity;
        memmove(&list[at + 1], &list[at], (kept - 1 - at) * sizeof *list);
        list[at] = reflected;
    }
    return total;
}

/* ---- Fields ---- */

bool cn_reflection_field(const CnWorld *world, const CnReflectedComponent *reflected,
                         uint32_t index, CnReflectedMember *item)
{
    CN_ASSERT(world, "%s: world is NULL", __func__);
    CN_ASSERT(reflected, "%s: reflected is NULL", __func__);
    CN_ASSERT(item, "%s: item is NULL", __func__);
    CnComponentInfo info;
    if (!cn_component_info(world, reflected->component, &info))
        return false;
    if (!reflected->type) {
        if (index >= info.field_count)
            return false;
        const CnField *field = &info.fields[index];
        *item = (CnReflectedMember){{.key = field->name, .field = field->name}, field};
        return true;
    }
    if (index >= reflected->type->field_count)
        return false;
    item->reflected = reflected->type->fields[index];
    item->field = cn_component_field(world, reflected->component, item->reflected.field);
    return item->field != NULL;
}

bool cn_reflection_find_field(const CnWorld *world, const CnReflectedComponent *reflected,
                              CnText key, CnReflectedMember *item)
{
    CN_ASSERT(world, "%s: world is NULL", __func__);
    CN_ASSERT(item, "%s: item is NULL", __func__);
    for (uint32_t i = 0; cn_reflection_field(world, reflected, i, item); i++)
        if (item->reflected.kind != CN_REFLECTED_HIDDEN &&
            cn_reflected_field_matches(&item->reflected, key))
            return true;
    return false;
}

bool cn_reflection_field_applies(const CnWorld *world, const CnReflectedComponent *reflected,
                                 const CnReflectedMember *item, const void *value)
{
    CN_ASSERT(world, "%s: world is NULL", __func__);
    CN_ASSERT(item, "%s: item is NULL", __func__);
    CnReflectedMember choice;
    if (!item->reflected.of_choice ||
        !cn_reflection_find_field(world, reflected, cn_text(item->reflected.of_choice), &choice))
        return true;
    uint64_t chosen = 0; /* integers are little-endian on all supported machines */
    memcpy(&chosen, (const char *)value + choice.field->offset, choice.field->size);
    return chosen == item->reflected.of_value ||
           (item->reflected.or_value && chosen == item->reflected.or_value);
}

bool cn_reflection_check(const CnReflectedComponent *reflected, const void *value, CnError *error)
{
    CN_ASSERT(reflected, "%s: reflected is NULL", __func__);
    return !reflected->type || !reflected->type->check || reflected->type->check(value, error);
}
