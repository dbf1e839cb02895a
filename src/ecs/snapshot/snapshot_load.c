#include "ecs/snapshot/snapshot_format.h"

static bool fail(CnError *error, CnErrorCode code, size_t at, const char *format, ...)
    CN_PRINTF_LIKE(4, 5);

static bool fail(CnError *error, CnErrorCode code, size_t at, const char *format, ...)
{
    char message[CN_ERROR_MESSAGE_BYTES];
    va_list arguments;
    va_start(arguments, format);
    cn_format_v(message, sizeof message, format, arguments);
    va_end(arguments);
    return cn_error_set(error, code, "snapshot, byte %zu: %s", at, message);
}

static bool out_of_memory(CnError *error, const char *outcome)
{
    return cn_error_set(error, CN_ERROR_MEMORY, "out of memory: %s", outcome);
}

/* ---- Compatibility of the data with the world ---- */

typedef char Name[CN_MAX_NAME_BYTES];

static const char *terminated(CnText text, Name name)
{
    cn_copy_text(name, CN_MAX_NAME_BYTES, text);
    return name;
}

static bool is_node(const CniEcsSavedComponent *component)
{
    return cn_text_equal(component->name, cn_text(cn_type_CnNode.name));
}

/* The library reads the tree through the C type. */
static bool node_is_known_type(const CnWorld *world, uint32_t id)
{
    const CnComponentInfo *info = &world->components.items[id].info;
    bool same = info->size == cn_type_CnNode.size && info->layout == CN_LAYOUT_PACKED;
    for (uint32_t f = 0; f < cn_type_CnNode.field_count && same; f++) {
        const CnField *wanted = &cn_type_CnNode.fields[f];
        const CnField *field = cn_component_field(world, (CnComponent){id}, wanted->name);
        same = field && field->type == wanted->type && field->offset == wanted->offset;
    }
    return same;
}

static bool match_known(const CniEcsSavedWorld *saved, const CnWorld *world,
                        const CniEcsSavedComponent *component, CnError *error)
{
    const CnComponentInfo *info = &world->components.items[component->id].info;
    /* Snapshots come from outside, and these values may be pointers. */
    if (!cni_ecs_component_is_saved(world, component->id))
        return fail(error, CN_ERROR_MISMATCH, component->at,
                    "%s belongs to the running program and is never part of a snapshot",
                    info->name);
    for (uint32_t f = 0; f < component->field_count; f++) {
        const CniEcsSavedField *theirs = &saved->fields.items[component->first_field + f];
        Name name;
        const CnField *ours =
            cn_component_field(world, (CnComponent){component->id}, terminated(theirs->name, name));
        if (ours && (ours->type != theirs->type || ours->count != theirs->count))
            return fail(error, CN_ERROR_MISMATCH, component->at,
                        "%s.%s is %s[%u] in the data, %s[%u] in this program", info->name, name,
                        cn_field_type_name(theirs->type), theirs->count,
                        cn_field_type_name(ours->type), ours->count);
    }
    if (world->components.items[component->id].is_any_tag)
        return fail(error, CN_ERROR_MISMATCH, component->at, "%s is a tag that follows pairs",
                    info->name);
    if (is_node(component) && !node_is_known_type(world, component->id))
        return fail(error, CN_ERROR_MISMATCH, component->at,
                    "CnNode is registered in this program with a different structure");
    return true;
}

/* Returns the id that the n-th new component will get. */
static uint32_t next_id(const CnWorld *world, uint32_t n)
{
    const CnU32Array *free = &world->free_components;
    if (n < free->count)
        return free->items[free->count - 1 - n];
    return (world->components.count ? world->components.count : 1) + n - free->count;
}

static bool match_components(CniEcsSavedWorld *saved, const CnWorld *world, uint32_t *new_count,
                             CnError *error)
{
    for (uint32_t i = 0; i < saved->components.count; i++) {
        CniEcsSavedComponent *component = &saved->components.items[i];
        Name name;
        component->id = cn_component_find(world, terminated(component->name, name)).id;
        component->is_new = !component->id;
        if (component->is_new) {
            component->id = next_id(world, (*new_count)++);
            if (component->size > CN_MAX_COMPONENT_BYTES)
                return fail(error, CN_ERROR_LIMIT, component->at,
                            "component %s has %u bytes; the limit is %u", name, component->size,
                            CN_MAX_COMPONENT_BYTES);
        } else if (!match_known(saved, world, component, error)) {
            return false;
        }
    }
    return true;
}

static bool match_pairs(CniEcsSavedWorld *saved, const CnWorld *world, CnBitSet *retained,
                        uint32_t new_count, CnError *error)
{
    uint32_t released = 0;
    if (!cni_ecs_saved_match_pairs(saved, world, retained, &released, error))
        return false;
    uint64_t needed = new_count;
    for (uint32_t i = 0; i < saved->components.count; i++)
        needed += saved->components.items[i].is_kind;
    for (uint32_t i = 0; i < saved->pairs.count; i++)
        needed += !saved->pairs.items[i].id;
    uint32_t used = world->components.count ? world->components.count - 1 : 0;
    uint32_t unused = world->free_components.count + world->quarantined_components.count + released;
    if (needed > CN_MAX_COMPONENTS - used + unused)
        return cn_error_set(error, CN_ERROR_LIMIT,
                            "the data needs %llu more components; the limit is %u",
                            (unsigned long long)needed, CN_MAX_COMPONENTS);
    return true;
}

static bool match_archetypes(const CniEcsSavedWorld *saved, const CnWorld *world, CnError *error)
{
    uint64_t chunks = 0;
    for (uint32_t i = 0; i < saved->archetypes.count; i++) {
        const CniEcsSavedArchetype *archetype = &saved->archetypes.items[i];
        uint64_t bytes = sizeof(CnEntity);
        for (uint32_t c = 0; c < archetype->component_count; c++) {
            uint32_t entry = cn_load_u32(archetype->components + c * sizeof entry);
            const CniEcsSavedComponent *component = cni_ecs_saved_component(saved, entry);
            bytes += component->is_new ? component->size
                                       : world->components.items[component->id].info.size;
        }
        if (bytes > CN_MAX_ROW_BYTES)
            return fail(error, CN_ERROR_LIMIT, archetype->at,
                        "an entity has %llu bytes; the limit is %u", (unsigned long long)bytes,
                        CN_MAX_ROW_BYTES);
        uint64_t capacity = CN_CHUNK_BYTES / bytes / CN_CHUNK_MIN_ROWS * CN_CHUNK_MIN_ROWS;
        capacity = capacity < CN_CHUNK_MIN_ROWS ? CN_CHUNK_MIN_ROWS : capacity;
        chunks += (archetype->row_count + capacity - 1) / capacity;
    }
    if (chunks > CN_MAX_CHUNKS)
        return cn_error_set(error, CN_ERROR_LIMIT, "the data needs %llu chunks; the limit is %u",
                            (unsigned long long)chunks, CN_MAX_CHUNKS);
    return true;
}

/* ---- Registration of unknown components ---- */

static uint32_t register_new(const CniEcsSavedWorld *saved, CnWorld *world,
                             const CniEcsSavedComponent *component, CnError *error)
{
    if (is_node(component)) {
        CnComponentDesc desc = {.type = &cn_type_CnNode};
        return cn_component_register(world, &desc, error).id;
    }
    CnField fields[CN_MAX_FIELDS];
    Name names[CN_MAX_FIELDS + 1];
    CnType type = {.name = terminated(component->name, names[CN_MAX_FIELDS]),
                   .size = component->size,
                   .alignment = 1,
                   .fields = fields,
                   .field_count = component->field_count};
    uint32_t offset = 0;
    for (uint32_t f = 0; f < component->field_count; f++) {
        const CniEcsSavedField *field = &saved->fields.items[component->first_field + f];
        uint32_t alignment = cni_ecs_field_alignment(field->type);
        offset = (offset + alignment - 1) & ~(alignment - 1);
        fields[f] = (CnField){.name = terminated(field->name, names[f]),
                              .type = field->type,
                              .count = field->count,
                              .offset = offset,
                              .size = field->size};
        offset += field->size;
        type.alignment = alignment > type.alignment ? alignment : type.alignment;
    }
    return cn_component_register(world, &(CnComponentDesc){.type = &type}, error).id;
}

/* Finds the destination of each field. */
static void bind_fields(CniEcsSavedWorld *saved, const CnWorld *world,
                        CniEcsSavedComponent *component)
{
    uint32_t bytes = 0;
    for (uint32_t f = 0; f < component->field_count; f++) {
        CniEcsSavedField *field = &saved->fields.items[component->first_field + f];
        Name name;
        field->field =
            cn_component_field(world, (CnComponent){component->id}, terminated(field->name, name));
        bytes += field->field ? field->size : 0;
    }
    component->is_whole = bytes == world->components.items[component->id].info.size;
}

static bool register_components(CniEcsSavedWorld *saved, CnWorld *world, CnError *error)
{
    for (uint32_t i = 0; i < saved->components.count; i++) {
        CniEcsSavedComponent *component = &saved->components.items[i];
        if (component->is_new) {
            component->id = register_new(saved, world, component, error);
            if (!component->id)
                return false;
        }
        bind_fields(saved, world, component);
    }
    return true;
}

/* ---- Resources ---- */

static size_t resource_bytes(const CniEcsSavedWorld *saved, const CnWorld *world, uint32_t entry)
{
    uint32_t size = world->components.items[cni_ecs_saved_component(saved, entry)->id].info.size;
    return size ? size : 1;
}

static bool reserve_resources(CniEcsSavedWorld *saved, CnWorld *world, CnError *error)
{
    bool good = cn_array_reserve(&world->resources,
                                 (uint64_t)world->resources.count + saved->resources.count);
    for (uint32_t i = 0; i < saved->resources.count && good; i++) {
        CniEcsSavedResource *resource = &saved->resources.items[i];
        uint32_t id = cni_ecs_saved_id(saved, resource->component);
        if (id && world->components.items[id].resource)
            continue;
        resource->memory = cn_alloc_aligned(world->allocator,
                                            resource_bytes(saved, world, resource->component), 64);
        good = resource->memory != NULL;
    }
    return good || out_of_memory(error, "nothing is loaded");
}

static void release_resources(CniEcsSavedWorld *saved, CnWorld *world)
{
    for (uint32_t i = 0; i < saved->resources.count; i++) {
        CniEcsSavedResource *resource = &saved->resources.items[i];
        if (resource->memory)
            cn_free_aligned(world->allocator, resource->memory,
                            resource_bytes(saved, world, resource->component), 64);
    }
}

/* ---- Loading ---- */

static bool load(CniEcsSavedWorld *saved, CnWorld *world, CnBitSet *retained, CnError *error)
{
    uint32_t new_count = 0;
    if (!match_components(saved, world, &new_count, error) ||
        !match_pairs(saved, world, retained, new_count, error) ||
        !match_archetypes(saved, world, error) || !register_components(saved, world, error))
        return false;
    bool good = reserve_resources(saved, world, error);
    if (good && !cni_ecs_saved_apply(saved, world, retained))
        good = out_of_memory(error, "the world is left without entities");
    if (good)
        cni_ecs_saved_apply_resources(saved, world);
    release_resources(saved, world);
    return good;
}

bool cn_world_load(CnWorld *world, const void *bytes, size_t size, CnError *error)
{
    CN_ASSERT(world, "%s: world is NULL", __func__);
    CNI_ECS_REPORT_UNHANDLED(world, error);
    if (world->hook_depth || world->flushing || world->in_stage)
        return cn_error_set(error, CN_ERROR_PERMISSION,
                            "a world cannot be loaded in a hook, a system or a flush");
    CniEcsSavedWorld saved;
    CnBitSet retained;
    cn_bitset_init(&retained, world->allocator);
    bool good = cni_ecs_saved_read(&saved, world->allocator, bytes, size, error) &&
                load(&saved, world, &retained, error);
    cn_bitset_fini(&retained);
    cni_ecs_saved_free(&saved);
    return good;
}
