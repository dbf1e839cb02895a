#include <cairn/scene/camera.h>
#include <cairn/scene/file.h>
#include <cairn/scene/object.h>
#include <cairn/scene/reflection.h>
#include <cairn/sim/input.h>
#include <cairn/sim/loop.h>
#include <cairn/sim/random.h>
#include <cairn/sim/time.h>

#include <string.h>

/* An opaque resource, so that loading keeps it. It has a fixed size and needs no destructor. */
typedef struct CniShownTables {
    uint32_t count, hidden_count;
    const CnShownType *tables[CN_MAX_SHOWN]; /* in order of names */
    uint32_t components[CN_MAX_SHOWN];       /* of the tables */
    uint32_t hidden[CN_MAX_SHOWN];
} CniShownTables;
CN_OPAQUE(CniShownTables);

/* State of the engine that is described for hashing and saving, but not reflected. */
static const CnType *const engine_types[] = {
    &cn_type_CnNode,         &cn_type_CnObject,     &cn_type_CnInactive,
    &cn_type_CnActiveCamera, &cn_type_CnInputEvent, &cn_type_CnInputState,
    &cn_type_CnGamepadState, &cn_type_CnTime,       &cn_type_CnTickInfo,
    &cn_type_CnTimingInfo,   &cn_type_CnRandomSeed, &cn_type_CnObjectCounter,
    &cn_type_CnPrefabSource, &cn_type_CnWindowSize,
};

static const CniShownTables *tables_of(const CnWorld *world)
{
    return cn_resource(world, CniShownTables);
}

static CniShownTables *tables_for_writing(CnWorld *world, CnError *error)
{
    CniShownTables *tables = cn_resource_mut(world, CniShownTables);
    if (tables)
        return tables;
    CnComponent component = cn_component_register(
        world, &(CnComponentDesc){.type = &cn_type_CniShownTables, .flags = CN_COMPONENT_TRANSIENT},
        error);
    if (!component.id)
        return NULL;
    tables = cn_resource_set_value(world, component, NULL);
    if (!tables)
        cn_error_set(error, CN_ERROR_MEMORY, "reflected components: out of memory");
    return tables;
}

/* Returns the index of the name, or where it belongs. */
static uint32_t place_of(const CniShownTables *tables, CnText name, bool *found)
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

static const CnShownType *table_of(const CniShownTables *tables, CnComponent component)
{
    for (uint32_t i = 0; tables && i < tables->count; i++)
        if (tables->components[i] == component.id)
            return tables->tables[i];
    return NULL;
}

static bool is_hidden(const CniShownTables *tables, CnComponent component, const char *name)
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

static bool check_field(const CnWorld *world, CnComponent component, const CnShownType *shown,
                        const CnShownField *field, CnError *error)
{
    const CnField *of_type = cn_component_field(world, component, field->field);
    if (!of_type)
        return cn_error_set(error, CN_ERROR_NOT_FOUND, "%s reflects %s.%s, which does not exist",
                            shown->name, shown->type->name, field->field);
    bool is_whole = of_type->type >= CN_FIELD_I8 && of_type->type <= CN_FIELD_U64;
    if ((field->kind == CN_SHOWN_EULER && of_type->type != CN_FIELD_QUAT) ||
        (field->kind == CN_SHOWN_CHOICE && (!is_whole || !field->choices)))
        return cn_error_set(error, CN_ERROR_MISMATCH, "%s.%s cannot be reflected in this form",
                            shown->type->name, field->field);
    return true;
}

static bool check_table(const CnWorld *world, CnComponent component, const CnShownType *shown,
                        CnError *error)
{
    for (uint32_t i = 0; i < shown->field_count; i++) {
        const CnShownField *field = &shown->fields[i];
        if (!check_field(world, component, shown, field, error))
            return false;
        bool of_found = !field->of_choice;
        for (uint32_t j = 0; j < shown->field_count; j++) {
            const CnShownField *other = &shown->fields[j];
            if (j < i && !strcmp(other->key, field->key))
                return cn_error_set(error, CN_ERROR_EXISTS, "%s reflects %s twice", shown->name,
                                    field->key);
            of_found = of_found ||
                       (other->kind == CN_SHOWN_CHOICE && !strcmp(other->key, field->of_choice));
        }
        if (!of_found)
            return cn_error_set(error, CN_ERROR_NOT_FOUND, "%s.%s depends on the choice %s",
                                shown->name, field->key, field->of_choice);
    }
    return true;
}

bool cn_show(CnWorld *world, const CnShownType *shown, CnError *error)
{
    CnComponent component = cn_component_ensure(world, shown->type);
    CniShownTables *tables = tables_for_writing(world, error);
    if (!tables)
        return false;
    CnComponentInfo info;
    if (!cn_component_info(world, component, &info) || !is_describable(&info))
        return cn_error_set(error, CN_ERROR_MISMATCH,
                            "%s cannot be reflected: it has no field description",
                            shown->type->name);
    bool taken;
    uint32_t place = place_of(tables, cn_text(shown->name), &taken);
    if (taken && tables->tables[place] == shown)
        return true;
    CnComponent named = cn_component_find(world, shown->name);
    if (taken || (named.id && named.id != component.id) || table_of(tables, component))
        return cn_error_set(error, CN_ERROR_EXISTS,
                            "the name %s is in use, or %s already has a table", shown->name,
                            shown->type->name);
    if (!check_table(world, component, shown, error))
        return false;
    if (tables->count == CN_MAX_SHOWN)
        return cn_error_set(error, CN_ERROR_LIMIT, "there are more than %u reflection tables",
                            CN_MAX_SHOWN);
    uint32_t behind = tables->count - place;
    memmove(&tables->tables[place + 1], &tables->tables[place], behind * sizeof *tables->tables);
    memmove(&tables->components[place + 1], &tables->components[place],
            behind * sizeof *tables->components);
    tables->tables[place] = shown;
    tables->components[place] = component.id;
    tables->count++;
    return true;
}

bool cn_hide(CnWorld *world, const CnType *type, CnError *error)
{
    CnComponent component = cn_component_ensure(world, type);
    CniShownTables *tables = tables_for_writing(world, error);
    if (!tables)
        return false;
    if (!component.id)
        return cn_error_set(error, CN_ERROR_MEMORY, "%s cannot be registered", type->name);
    if (is_hidden(tables, component, type->name))
        return true;
    if (tables->hidden_count == CN_MAX_SHOWN)
        return cn_error_set(error, CN_ERROR_LIMIT, "there are more than %u hidden components",
                            CN_MAX_SHOWN);
    tables->hidden[tables->hidden_count++] = component.id;
    return true;
}

/* ---- Lookup ---- */

bool cn_shown_of(const CnWorld *world, CnComponent component, CnShown *shown)
{
    const CniShownTables *tables = tables_of(world);
    CnComponentInfo info;
    if (!cn_component_info(world, component, &info) || !is_describable(&info) ||
        is_hidden(tables, component, info.name))
        return false;
    const CnShownType *table = table_of(tables, component);
    if (!table) {
        bool taken; /* a component with a table is not also found by its own name */
        place_of(tables, cn_text(info.name), &taken);
        if (taken)
            return false;
    }
    *shown = (CnShown){table ? table->name : info.name, component, table};
    return true;
}

bool cn_shown_find(const CnWorld *world, CnText name, CnShown *shown)
{
    const CniShownTables *tables = tables_of(world);
    bool found;
    uint32_t place = place_of(tables, name, &found);
    if (found)
        return cn_shown_of(world, (CnComponent){tables->components[place]}, shown);
    char terminated[CN_MAX_NAME_BYTES];
    if (!cn_copy_text(terminated, sizeof terminated, name))
        return false;
    CnComponent component = cn_component_find(world, terminated);
    return cn_shown_of(world, component, shown) && cn_text_equal(cn_text(shown->name), name);
}

uint32_t cn_shown_list(const CnWorld *world, CnShown *list, uint32_t capacity)
{
    uint32_t total = 0, kept = 0, limit = cn_component_limit(world);
    for (uint32_t id = 1; id <= limit; id++) {
        CnShown shown;
        if (!cn_shown_of(world, (CnComponent){id}, &shown))
            continue;
        total++;
        uint32_t at = kept;
        while (at && strcmp(list[at - 1].name, shown.name) > 0)
            at--;
        if (at >= capacity)
            continue;
        kept = kept < capacity ? kept + 1 : capacity;
        memmove(&list[at + 1], &list[at], (kept - 1 - at) * sizeof *list);
        list[at] = shown;
    }
    return total;
}

/* ---- Fields ---- */

bool cn_shown_field(const CnWorld *world, const CnShown *shown, uint32_t index, CnShownItem *item)
{
    CnComponentInfo info;
    if (!cn_component_info(world, shown->component, &info))
        return false;
    if (!shown->type) {
        if (index >= info.field_count)
            return false;
        const CnField *field = &info.fields[index];
        *item = (CnShownItem){{.key = field->name, .field = field->name}, field};
        return true;
    }
    if (index >= shown->type->field_count)
        return false;
    item->shown = shown->type->fields[index];
    item->field = cn_component_field(world, shown->component, item->shown.field);
    return item->field != NULL;
}

bool cn_shown_field_find(const CnWorld *world, const CnShown *shown, CnText key, CnShownItem *item)
{
    for (uint32_t i = 0; cn_shown_field(world, shown, i, item); i++)
        if (item->shown.kind != CN_SHOWN_HIDDEN && cn_text_equal(cn_text(item->shown.key), key))
            return true;
    return false;
}

bool cn_shown_applies(const CnWorld *world, const CnShown *shown, const CnShownItem *item,
                      const void *value)
{
    CnShownItem choice;
    if (!item->shown.of_choice ||
        !cn_shown_field_find(world, shown, cn_text(item->shown.of_choice), &choice))
        return true;
    uint64_t chosen = 0; /* integers are little-endian on all supported machines */
    memcpy(&chosen, (const char *)value + choice.field->offset, choice.field->size);
    return chosen == item->shown.of_value ||
           (item->shown.or_value && chosen == item->shown.or_value);
}

bool cn_shown_check(const CnShown *shown, const void *value, CnError *error)
{
    return !shown->type || !shown->type->check || shown->type->check(value, error);
}
