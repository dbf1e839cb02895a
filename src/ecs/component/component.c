#include "ecs/world/world_internal.h"

static const struct {
    const char *name;
    uint32_t size;
} field_types[CN_FIELD_TYPE_COUNT] = {
    [CN_FIELD_F32] = {"f32", 4},    [CN_FIELD_F64] = {"f64", 8},
    [CN_FIELD_I8] = {"i8", 1},      [CN_FIELD_I16] = {"i16", 2},
    [CN_FIELD_I32] = {"i32", 4},    [CN_FIELD_I64] = {"i64", 8},
    [CN_FIELD_U8] = {"u8", 1},      [CN_FIELD_U16] = {"u16", 2},
    [CN_FIELD_U32] = {"u32", 4},    [CN_FIELD_U64] = {"u64", 8},
    [CN_FIELD_BOOL] = {"bool", 1},  [CN_FIELD_ENTITY] = {"entity", 8},
    [CN_FIELD_VEC2] = {"vec2", 8},  [CN_FIELD_VEC3] = {"vec3", 12},
    [CN_FIELD_VEC4] = {"vec4", 16}, [CN_FIELD_QUAT] = {"quat", 16},
    [CN_FIELD_MAT4] = {"mat4", 64}, [CN_FIELD_TEXT] = {"text", 1},
};

const char *cn_field_type_name(CnFieldType type)
{
    return (unsigned)type < CN_FIELD_TYPE_COUNT ? field_types[type].name : "unknown";
}

uint32_t cn_field_type_size(CnFieldType type)
{
    return (unsigned)type < CN_FIELD_TYPE_COUNT ? field_types[type].size : 0;
}

/* ---- Checks ---- */

static bool name_is_valid(const char *name)
{
    size_t size = name ? strlen(name) : 0;
    return size > 0 && size < CN_MAX_NAME_BYTES && cn_text_is_utf8(cn_text(name));
}

static bool check_field(const CnType *type, const CnField *field, CnError *error)
{
    if (!name_is_valid(field->name))
        return cn_error_set(error, CN_ERROR_FORMAT, "component %s: a field has no valid name",
                            type->name);
    uint32_t element = cn_field_type_size(field->type);
    if (!element || !field->count || (uint64_t)element * field->count != field->size ||
        (uint64_t)field->offset + field->size > type->size)
        return cn_error_set(error, CN_ERROR_FORMAT,
                            "component %s: field %s (type %s, count %u, offset %u, size %u) does "
                            "not fit a struct of %u bytes",
                            type->name, field->name, cn_field_type_name(field->type), field->count,
                            field->offset, field->size, type->size);
    return true;
}

static bool check_type(const CnType *type, CnLayout layout, CnError *error)
{
    if (!type || !name_is_valid(type->name))
        return cn_error_set(error, CN_ERROR_FORMAT,
                            "a component needs a name of 1 to %u bytes of UTF-8",
                            CN_MAX_NAME_BYTES - 1);
    CN_ASSERT((unsigned)layout <= CN_LAYOUT_FIELDS, "invalid layout %d", (int)layout);
    if ((unsigned)layout > CN_LAYOUT_FIELDS)
        return cn_error_set(error, CN_ERROR_FORMAT, "component %s: invalid layout %d", type->name,
                            (int)layout);
    if (type->size > CN_MAX_COMPONENT_BYTES)
        return cn_error_set(error, CN_ERROR_LIMIT, "component %s has %u bytes; the limit is %u",
                            type->name, type->size, CN_MAX_COMPONENT_BYTES);
    if (type->field_count > CN_MAX_FIELDS)
        return cn_error_set(error, CN_ERROR_LIMIT, "component %s has %u fields; the limit is %u",
                            type->name, type->field_count, CN_MAX_FIELDS);
    if (type->alignment > 64 || (type->alignment & (type->alignment - 1)))
        return cn_error_set(error, CN_ERROR_FORMAT, "component %s has an alignment of %u",
                            type->name, type->alignment);
    if (layout == CN_LAYOUT_FIELDS && !strcmp(type->name, cn_type_CnNode.name))
        return cn_error_set(error, CN_ERROR_FORMAT, "component %s is always packed", type->name);
    if (type->alignment && type->size % type->alignment)
        return cn_error_set(error, CN_ERROR_FORMAT,
                            "component %s has %u bytes, not a multiple of its alignment of %u",
                            type->name, type->size, type->alignment);
    if (type->field_count && !type->fields)
        return cn_error_set(error, CN_ERROR_FORMAT, "component %s has %u fields but no list",
                            type->name, type->field_count);
    if (layout == CN_LAYOUT_FIELDS && type->size && !type->field_count)
        return cn_error_set(error, CN_ERROR_FORMAT,
                            "component %s is opaque and cannot be laid out by fields", type->name);
    uint32_t end = 0;
    for (uint32_t i = 0; i < type->field_count; i++) {
        const CnField *field = &type->fields[i];
        if (!check_field(type, field, error))
            return false;
        if (field->offset < end)
            return cn_error_set(error, CN_ERROR_FORMAT,
                                "component %s: field %s overlaps the one before it", type->name,
                                field->name);
        end = field->offset + field->size;
        for (uint32_t j = 0; j < i; j++)
            if (!strcmp(type->fields[j].name, field->name))
                return cn_error_set(error, CN_ERROR_EXISTS, "component %s has two fields named %s",
                                    type->name, field->name);
    }
    return true;
}

static bool same_shape(const CnComponentInfo *info, const CnType *type)
{
    if (info->size != type->size || info->field_count != type->field_count)
        return false;
    for (uint32_t i = 0; i < type->field_count; i++) {
        const CnField *a = &info->fields[i], *b = &type->fields[i];
        if (strcmp(a->name, b->name) || a->type != b->type || a->count != b->count ||
            a->offset != b->offset)
            return false;
    }
    return true;
}

/* ---- Registration ---- */

static bool map_set(CnU32Array *map, uint32_t key, uint32_t value)
{
    if (!cn_array_reserve(map, (uint64_t)key + 1))
        return false;
    while (map->count <= key)
        map->items[map->count++] = 0;
    map->items[key] = value;
    return true;
}

static uint32_t find_by_name(const CnWorld *world, const char *name)
{
    CnName interned = cn_name_find(&world->names, cn_text(name));
    return interned.id && interned.id < world->component_by_name.count
               ? world->component_by_name.items[interned.id]
               : 0;
}

static bool copy_fields(CnWorld *world, CniEcsComponent *component, const CnType *type)
{
    if (!type->field_count)
        return true;
    CnField *fields = cn_alloc(world->allocator, type->field_count * sizeof *fields);
    if (!fields)
        return false;
    uint32_t bytes = 0;
    for (uint32_t i = 0; i < type->field_count; i++) {
        fields[i] = type->fields[i];
        CnName name = cn_name(&world->names, type->fields[i].name);
        fields[i].name = cn_name_text(&world->names, name);
        bytes += fields[i].size;
        if (!name.id) {
            cn_free(world->allocator, fields, type->field_count * sizeof *fields);
            return false;
        }
    }
    component->info.fields = fields;
    component->info.field_count = type->field_count;
    component->has_padding = bytes != type->size;
    return true;
}

static void free_component_parts(CnWorld *world, CniEcsComponent *component)
{
    CnComponentInfo *info = &component->info;
    if (!info->pair_kind.id) {
        cn_free(world->allocator, (void *)(uintptr_t)info->fields,
                info->field_count * sizeof *info->fields);
        cn_free(world->allocator, (void *)(uintptr_t)info->default_value, info->size);
    }
    if (component->resource)
        cn_free_aligned(world->allocator, component->resource, info->size ? info->size : 1, 64);
    cn_array_fini(&component->added_hooks);
    cn_array_fini(&component->archetypes);
    cn_array_fini(&component->queries);
    cn_array_fini(&component->named_by);
    cn_bitset_fini(&component->pairs);
}

static bool set_default(CnWorld *world, CniEcsComponent *component, const void *value)
{
    CnComponentInfo *info = &component->info;
    if (!value || !info->size)
        return true;
    if (!info->default_value) {
        info->default_value = cn_alloc(world->allocator, info->size);
        if (!info->default_value)
            return false;
    }
    memcpy((void *)(uintptr_t)info->default_value, value, info->size);
    return true;
}

/* Reserves room for one more component. Returns its id, or 0. */
static uint32_t reserve_id(CnWorld *world)
{
    CN_ASSERT(cni_ecs_running_system_is_exclusive(),
              "a system that shares its wave registers a component");
    if (world->free_components.count)
        return world->free_components.items[world->free_components.count - 1];
    if (world->components.count > CN_MAX_COMPONENTS)
        return 0;
    if (!cn_array_reserve(&world->components, (uint64_t)world->components.count + 2) ||
        !cn_array_reserve(&world->free_components, world->components.capacity) ||
        !cn_array_reserve(&world->quarantined_components, world->components.capacity))
        return 0;
    if (world->components.count == 0)
        memset(&world->components.items[world->components.count++], 0, sizeof(CniEcsComponent));
    return world->components.count;
}

static CniEcsComponent *commit_id(CnWorld *world, uint32_t id, const CniEcsComponent *component)
{
    if (id == world->components.count)
        world->components.count++;
    else
        world->free_components.count--;
    world->components.items[id] = *component;
    return &world->components.items[id];
}

/* Only its own code knows the content of an opaque component. */
static uint32_t flags_of(const CnComponentDesc *desc)
{
    bool is_opaque = desc->type->size && !desc->type->field_count;
    return desc->flags |
           (is_opaque && !(desc->flags & CN_COMPONENT_DERIVED) ? CN_COMPONENT_TRANSIENT : 0u);
}

static uint32_t register_new(CnWorld *world, const CnComponentDesc *desc, CnError *error)
{
    const CnType *type = desc->type;
    uint32_t id = reserve_id(world);
    if (!id) {
        if (world->components.count > CN_MAX_COMPONENTS)
            cn_error_set(error, CN_ERROR_LIMIT,
                         "component %s cannot be registered: the world has %u, which is the limit",
                         type->name, CN_MAX_COMPONENTS);
        else
            cn_error_memory(error, "component %s", type->name);
        return 0;
    }
    CniEcsComponent component = {0};
    cn_array_init(&component.added_hooks, world->allocator);
    cn_array_init(&component.archetypes, world->allocator);
    cn_array_init(&component.queries, world->allocator);
    cn_array_init(&component.named_by, world->allocator);
    cn_bitset_init(&component.pairs, world->allocator);
    component.info.size = type->size;
    component.info.alignment = type->alignment ? type->alignment : 1;
    component.info.layout = type->size ? desc->layout : CN_LAYOUT_PACKED;
    component.info.flags = flags_of(desc);
    component.hooks = desc->hooks;
    component.hook_flags = cni_ecs_hook_flags(&desc->hooks);
    component.hook_owner = component.hook_flags ? world->owner : 0;
    component.name_hash = cn_hash_bytes(type->name, strlen(type->name), 0);
    CnName name = cn_name(&world->names, type->name);
    component.info.name = cn_name_text(&world->names, name);
    char place_text[CNI_ECS_SOURCE_LOCATION_BYTES];
    cni_ecs_type_source_location(type, place_text, sizeof place_text);
    CnName place = cn_name(&world->names, place_text);
    component.place = cn_name_text(&world->names, place);
    if (!name.id || !place.id || !copy_fields(world, &component, type) ||
        !set_default(world, &component, desc->default_value) ||
        !map_set(&world->component_by_name, name.id, id)) {
        free_component_parts(world, &component);
        cn_error_memory(error, "component %s", type->name);
        return 0;
    }
    commit_id(world, id, &component);
    if (!strcmp(type->name, cn_type_CnNode.name))
        world->node = id; /* from now on, only cn_set_parent adds it */
    return id;
}

static bool set_shape_error(const CniEcsComponent *component, const CnType *type, CnError *error)
{
    char place[CNI_ECS_SOURCE_LOCATION_BYTES];
    cni_ecs_type_source_location(type, place, sizeof place);
    return cn_error_set(
        error, CN_ERROR_MISMATCH,
        "component %s is registered with a different structure: %u bytes and %u fields in "
        "%s, %u bytes and %u fields in %s",
        type->name, component->info.size, component->info.field_count, component->place, type->size,
        type->field_count, place);
}

static bool is_used(const CnWorld *world, const CniEcsComponent *component)
{
    if (component->archetypes.count || component->resource || component->channel)
        return true;
    for (uint32_t id = cn_bitset_next(&component->pairs, 0); id != CN_BITSET_NONE;
         id = cn_bitset_next(&component->pairs, id + 1))
        if (is_used(world, &world->components.items[id]))
            return true;
    return false;
}

/* Updates pairs that were created before their kind was described completely. */
static void describe_pairs(CnWorld *world, const CniEcsComponent *kind)
{
    for (uint32_t id = cn_bitset_next(&kind->pairs, 0); id != CN_BITSET_NONE;
         id = cn_bitset_next(&kind->pairs, id + 1)) {
        CnComponentInfo *info = &world->components.items[id].info;
        CnComponent pair_kind = info->pair_kind;
        CnEntity pair_target = info->pair_target;
        *info = kind->info;
        info->pair_kind = pair_kind;
        info->pair_target = pair_target;
    }
}

static bool register_again(CnWorld *world, uint32_t id, const CnComponentDesc *desc, CnError *error)
{
    CniEcsComponent *component = &world->components.items[id];
    if (!same_shape(&component->info, desc->type))
        return set_shape_error(component, desc->type, error);
    /* The type may have been looked up before it was described. */
    bool may_change = !component->is_described && !is_used(world, component);
    if (component->info.layout != desc->layout && desc->layout != CN_LAYOUT_PACKED &&
        component->info.size && !may_change)
        return cn_error_set(error, CN_ERROR_MISMATCH,
                            "component %s is registered with a different layout", desc->type->name);
    if ((desc->flags & CN_COMPONENT_TRACKED) && component->archetypes.count &&
        !(component->info.flags & CN_COMPONENT_TRACKED))
        return cn_error_set(
            error, CN_ERROR_MISMATCH,
            "component %s is already in use; register it as tracked before its first use",
            desc->type->name);
    if (!set_default(world, component, desc->default_value))
        return cn_error_memory(error, "component %s", desc->type->name);
    if (may_change && component->info.size)
        component->info.layout = desc->layout;
    component->info.flags |= desc->flags;
    if (desc->flags & CN_COMPONENT_DERIVED) /* its first use made it transient */
        component->info.flags &= ~(uint32_t)CN_COMPONENT_TRANSIENT;
    describe_pairs(world, component);
    if (cni_ecs_hook_flags(&desc->hooks))
        cn_component_set_hooks(world, (CnComponent){id}, &desc->hooks);
    return true;
}

/* Registers a type whose nested structs have been flattened. */
static uint32_t register_flat(CnWorld *world, const CnComponentDesc *desc, CnError *error)
{
    if (!check_type(desc->type, desc->layout, error))
        return 0;
    const uint32_t unknown = desc->flags & ~(uint32_t)CN_COMPONENT_FLAGS;
    CN_ASSERT(!unknown, "unknown component flag %#x", unknown);
    if (unknown) {
        cn_error_set(error, CN_ERROR_FORMAT, "component %s: unknown flag %#x", desc->type->name,
                     unknown);
        return 0;
    }
    if ((desc->flags & CN_COMPONENT_DERIVED) && desc->type->field_count) {
        cn_error_set(error, CN_ERROR_MISMATCH,
                     "component %s has described fields, so it cannot be derived",
                     desc->type->name);
        return 0;
    }
    if ((desc->flags & CN_COMPONENT_TRACKED) && (desc->flags & CN_COMPONENT_DERIVED)) {
        cn_error_set(error, CN_ERROR_MISMATCH, "component %s is derived, so it cannot be tracked",
                     desc->type->name);
        return 0;
    }
    uint32_t id = find_by_name(world, desc->type->name);
    if (!id)
        return register_new(world, desc, error);
    return register_again(world, id, desc, error) ? id : 0;
}

CnComponent cn_component_register(CnWorld *world, const CnComponentDesc *desc, CnError *error)
{
    CN_ASSERT(world, "%s: world is NULL", __func__);
    CN_ASSERT(desc, "%s: desc is NULL", __func__);
    CNI_ECS_REPORT_UNHANDLED(world, error);
    const CnComponent none = {0};
    /* Checked first, because a type that the linker merged from two descriptions may be wrong in
     * any way. */
    const CniEcsTypeSite *site = desc->type ? desc->type->site : NULL;
    uint32_t number = site ? cni_ecs_type_number(desc->type, error) : 0;
    if (site && !number)
        return none;
    CniEcsFlatType flat;
    CnComponentDesc flat_desc = *desc;
    if (desc->type && !cni_ecs_type_flatten(desc->type, &flat, error))
        return none;
    flat_desc.type = desc->type ? &flat.type : NULL;
    uint32_t id = register_flat(world, &flat_desc, error);
    if (!id)
        return none;
    if (number && !map_set(&world->component_by_slot, number, id)) {
        cn_error_memory(error, "component %s", desc->type->name);
        return none;
    }
    world->head.component_by_slot = world->component_by_slot.items;
    world->head.slot_count = world->component_by_slot.count;
    world->components.items[id].is_described = true;
    return (CnComponent){id};
}

void cni_ecs_component_release(CnWorld *world, uint32_t id)
{
    CniEcsComponent *component = &world->components.items[id];
    cn_resource_remove_value(world, (CnComponent){id});
    free_component_parts(world, component);
    memset(component, 0, sizeof *component);
    /* Room was reserved when the id was made. */
    world->free_components.items[world->free_components.count++] = id;
}

/* ---- Pairs as components ---- */

uint64_t cni_ecs_pair_key(uint32_t kind, CnEntity target)
{
    return cn_hash_mix(target.id) ^ ((uint64_t)kind << 32 | kind) * 0x9e3779b97f4a7c15u;
}

/* Also returns a pair that no entity has. */
static CnComponent find_pair(const CnWorld *world, CnComponent kind, CnEntity target)
{
    const uint32_t *id = cn_hash_map_get(&world->pairs, cni_ecs_pair_key(kind.id, target));
    if (!id)
        return (CnComponent){0};
    const CnComponentInfo *info = &world->components.items[*id].info;
    CN_ASSERT(info->pair_kind.id == kind.id && info->pair_target.id == target.id,
              "two pairs share the key of pair (%u, %llu)", kind.id, (unsigned long long)target.id);
    return info->pair_kind.id == kind.id && info->pair_target.id == target.id ? (CnComponent){*id}
                                                                              : (CnComponent){0};
}

void cni_ecs_pair_link(CnWorld *world, uint32_t id)
{
    CniEcsComponent *pair = &world->components.items[id];
    uint32_t *at = cn_hash_map_get(&world->first_pairs, pair->info.pair_target.id);
    while (*at && cni_ecs_component_precedes(world, *at, id))
        at = &world->components.items[*at].next_pair;
    pair->next_pair = *at;
    *at = id;
}

CnComponent cn_pair_find(const CnWorld *world, CnComponent kind, CnEntity target)
{
    CN_ASSERT(world, "%s: world is NULL", __func__);
    CnComponent pair = find_pair(world, kind, target);
    const CniEcsComponent *found = &world->components.items[pair.id];
    if (!pair.id || found->resource)
        return pair;
    for (uint32_t i = 0; i < found->archetypes.count; i++)
        if (found->archetypes.items[i].archetype->head.chunk_count)
            return pair;
    return (CnComponent){0};
}

CnComponent cn_pair(CnWorld *world, CnComponent kind, CnEntity target)
{
    CN_ASSERT(world, "%s: world is NULL", __func__);
    CnComponent none = {0}, found = find_pair(world, kind, target);
    if (found.id)
        return found;
    CniEcsComponent *parent = cni_ecs_component_get(world, kind.id);
    CN_ASSERT(!kind.id || (parent && !parent->info.pair_kind.id && !parent->is_any_tag),
              "component %u cannot be the kind of a pair", kind.id);
    if (!parent || parent->info.pair_kind.id || parent->is_any_tag || !cn_is_alive(world, target))
        return none;
    uint64_t key = cni_ecs_pair_key(kind.id, target);
    if (cn_hash_map_get(&world->pairs, key) || !cn_pair_any(world, kind).id ||
        !cn_bitset_set(&world->pair_targets, cn_entity_index(target)))
        return none;
    uint32_t id = reserve_id(world);
    parent = &world->components.items[kind.id];
    if (!id || !cn_bitset_set(&parent->pairs, id))
        return none;
    const uint32_t none_yet = 0;
    bool has_head = cn_hash_map_get(&world->first_pairs, target.id) ||
                    cn_hash_map_set(&world->first_pairs, target.id, &none_yet);
    if (!has_head || !cn_hash_map_set(&world->pairs, key, &id)) {
        cn_bitset_clear(&parent->pairs, id);
        return none;
    }
    CniEcsComponent pair = {0};
    pair.info = parent->info;
    pair.info.pair_kind = kind;
    pair.info.pair_target = target;
    pair.hooks = parent->hooks;
    pair.hook_flags = parent->hook_flags;
    pair.hook_owner = parent->hook_owner;
    pair.has_padding = parent->has_padding;
    pair.any_tag = parent->any_tag;
    pair.name_hash = cn_hash_mix(parent->name_hash ^ cn_hash_mix(target.id));
    cn_array_init(&pair.added_hooks, world->allocator);
    cn_array_init(&pair.archetypes, world->allocator);
    cn_array_init(&pair.queries, world->allocator);
    cn_array_init(&pair.named_by, world->allocator);
    cn_bitset_init(&pair.pairs, world->allocator);
    commit_id(world, id, &pair);
    cni_ecs_pair_link(world, id);
    return (CnComponent){id};
}

CnComponent cn_pair_any(CnWorld *world, CnComponent kind)
{
    CN_ASSERT(world, "%s: world is NULL", __func__);
    CniEcsComponent *parent = cni_ecs_component_get(world, kind.id);
    if (!parent)
        return (CnComponent){0};
    if (parent->any_tag)
        return (CnComponent){parent->any_tag};
    char name[CN_MAX_NAME_BYTES];
    if (!cn_format(name, sizeof name, "(%s,*)", parent->info.name))
        cn_format(name, sizeof name, "(#%016llx,*)", (unsigned long long)parent->name_hash);
    CnType type = {.name = name, .alignment = 1};
    CnComponentDesc desc = {.type = &type, .flags = CN_COMPONENT_TRANSIENT};
    CnComponent tag = cn_component_register(world, &desc, NULL);
    if (tag.id) {
        world->components.items[tag.id].is_any_tag = true;
        world->components.items[kind.id].any_tag = tag.id;
    }
    return tag;
}

/* ---- Look-up ---- */

bool cni_ecs_component_precedes(const CnWorld *world, uint32_t a, uint32_t b)
{
    const CnComponentInfo *x = &world->components.items[a].info;
    const CnComponentInfo *y = &world->components.items[b].info;
    int names = x->name == y->name ? 0 : strcmp(x->name, y->name); /* names are interned */
    if (names)
        return names < 0;
    uint32_t i = cn_entity_index(x->pair_target), k = cn_entity_index(y->pair_target);
    if (i != k || !x->pair_target.id || !y->pair_target.id)
        return x->pair_target.id && y->pair_target.id ? i < k
                                                      : !x->pair_target.id && y->pair_target.id;
    return cn_entity_generation(x->pair_target) < cn_entity_generation(y->pair_target);
}

bool cn_component_info(const CnWorld *world, CnComponent component, CnComponentInfo *info)
{
    CN_ASSERT(world, "%s: world is NULL", __func__);
    CN_ASSERT(info, "%s: info is NULL", __func__);
    const CniEcsComponent *found = cni_ecs_component_get(world, component.id);
    if (found)
        *info = found->info;
    return found != NULL;
}

bool cn_read_default_value(const CnWorld *world, CnComponent component, void *value)
{
    CN_ASSERT(world, "%s: world is NULL", __func__);
    const CniEcsComponent *found = cni_ecs_component_get(world, component.id);
    if (!found)
        return false;
    if (found->info.default_value)
        memcpy(value, found->info.default_value, found->info.size);
    else
        memset(value, 0, found->info.size);
    return true;
}

CnComponent cn_component_find(const CnWorld *world, const char *name)
{
    CN_ASSERT(world, "%s: world is NULL", __func__);
    return (CnComponent){find_by_name(world, name)};
}

const CnField *cn_component_field(const CnWorld *world, CnComponent component, const char *field)
{
    CN_ASSERT(world, "%s: world is NULL", __func__);
    const CniEcsComponent *found = cni_ecs_component_get(world, component.id);
    for (uint32_t i = 0; found && i < found->info.field_count; i++)
        if (!strcmp(found->info.fields[i].name, field))
            return &found->info.fields[i];
    return NULL;
}

uint32_t cn_component_limit(const CnWorld *world)
{
    CN_ASSERT(world, "%s: world is NULL", __func__);
    return world->components.count ? world->components.count - 1 : 0;
}

static uint32_t search(const CnWorld *world, const CnType *type, CnError *error)
{
    if (type->site && !cni_ecs_type_number(type, error))
        return 0;
    uint32_t id = find_by_name(world, type->name);
    if (!id)
        return 0;
    CniEcsFlatType flat;
    if (!cni_ecs_type_flatten(type, &flat, error))
        return 0;
    const CniEcsComponent *component = &world->components.items[id];
    if (same_shape(&component->info, &flat.type))
        return id;
    set_shape_error(component, &flat.type, error);
    return 0;
}

/* A world that does not know this C type may know one of the same name, from a plugin or created at
 * run time. */
CnComponent cni_ecs_component_search(const CnWorld *world, const CnType *type)
{
    CnError error = {0};
    CnComponent component = {search(world, type, &error)};
    if (error.code != CN_OK)
        cn_error_report(cn_world_unhandled_errors(world), "ecs", &error);
    return component;
}

static CnComponent add_type(CnWorld *world, const CnType *type, CnError *error)
{
    uint32_t known = type->name ? find_by_name(world, type->name) : 0;
    bool is_described = known && world->components.items[known].is_described;
    CnComponent id = cn_component_register(world, &(CnComponentDesc){.type = type}, error);
    if (id.id)
        world->components.items[id.id].is_described = is_described;
    return id;
}

CnComponent cni_ecs_component_add(CnWorld *world, const CnType *type)
{
    return add_type(world, type, NULL);
}

uint32_t cni_ecs_term_component(CnWorld *world, const CnTerm *term, CnError *error)
{
    if (term->type) {
        uint32_t id = cni_ecs_component_by_slot(world, term->type);
        return id ? id : add_type(world, term->type, error).id;
    }
    bool known = cni_ecs_component_get(world, term->component.id) != NULL;
    CN_ASSERT(known, "a query refers to component %u, which is not registered", term->component.id);
    if (!known)
        cn_error_set(error, CN_ERROR_NOT_FOUND,
                     "a query refers to component %u, which is not registered", term->component.id);
    return known ? term->component.id : 0;
}

uint32_t cni_ecs_value_component(CnWorld *world, const CnType *type, CnComponent component)
{
    if (type)
        return cn_component_ensure(world, type).id;
    bool known = cni_ecs_component_get(world, component.id) != NULL;
    CN_ASSERT(known || !component.id, "component %u is not registered", component.id);
    return known ? component.id : 0;
}
