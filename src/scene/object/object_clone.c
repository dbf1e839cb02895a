/* Copies objects with everything below them. */
#include "scene/object/object_internal.h"

typedef struct Original {
    CnEntity entity;
    CnValue *values; /* of its copy */
    uint32_t value_count;
    bool is_inactive; /* the copy */
} Original;

/* One clone operation: the objects to copy, parents before children. */
typedef struct Clone {
    CnWorld *world;
    CnArena *arena;
    CnHashMap indices; /* entity -> its index below */
    CN_ARRAY(Original) originals;
    CN_ARRAY(CnTreeSpawn) spawns;
    CN_ARRAY(CnEntity) copies;
} Clone;

/* ---- Collecting what to copy ---- */

static bool add_original(Clone *clone, CnEntity entity)
{
    uint32_t index = clone->originals.count;
    return cn_array_push(&clone->originals, (Original){.entity = entity}) &&
           cn_hash_map_set(&clone->indices, entity.id, &index);
}

static bool gather(Clone *clone, CnEntity object)
{
    for (CnEntity e = object; e.id; e = cni_scene_next_below(clone->world, object, e, true))
        if (!add_original(clone, e))
            return false;
    return true;
}

/* Copies what a saved world would contain: nothing transient or opaque, which is created again
 * as after loading. Links of the tree and the tag of inactive objects are rebuilt. */
static bool is_copied(const CnWorld *world, CnComponent id, const CnComponentInfo *info)
{
    bool is_opaque = info->size && !info->field_count;
    return !is_opaque && !(info->flags & CN_COMPONENT_TRANSIENT) &&
           id.id != cn_component_of(world, &cn_type_CnNode).id &&
           id.id != cn_component_of(world, &cn_type_CnInactive).id;
}

/* Assigns a new uid and creation_order. */
static bool renew(CnWorld *world, CnObject *object)
{
    object->creation_order = cni_scene_object_take_order(world);
    if (object->creation_order)
        object->uid = cni_scene_object_new_uid(world, object->name, object->creation_order);
    return object->creation_order != 0;
}

static bool copy_value(Clone *clone, Original *original, CnComponent id, uint32_t size)
{
    CnValue *value = &original->values[original->value_count++];
    *value = (CnValue){.component = id};
    if (!size)
        return true;
    void *bytes = cn_arena_alloc(clone->arena, size, CN_DEFAULT_ALIGNMENT);
    if (!bytes)
        return false;
    value->data = bytes;
    cn_read_component(clone->world, original->entity, id, bytes);
    if (id.id != cn_component_of(clone->world, &cn_type_CnObject).id)
        return true;
    original->is_inactive |= !((CnObject *)bytes)->enabled;
    return renew(clone->world, bytes);
}

static bool copy_values(Clone *clone, Original *original)
{
    CnWorld *world = clone->world;
    uint32_t count = cn_entity_components(world, original->entity, NULL, 0);
    CnComponent *ids =
        cn_arena_alloc(clone->arena, (count + 1) * sizeof *ids, CN_ALIGN_OF(CnValue));
    original->values =
        cn_arena_alloc(clone->arena, (count + 1) * sizeof *original->values, CN_ALIGN_OF(CnValue));
    if (!ids || !original->values)
        return false;
    cn_entity_components(world, original->entity, ids, count);
    for (uint32_t i = 0; i < count; i++) {
        CnComponentInfo info;
        if (cn_component_info(world, ids[i], &info) && is_copied(world, ids[i], &info) &&
            !copy_value(clone, original, ids[i], info.size))
            return false;
    }
    if (original->is_inactive)
        original->values[original->value_count++] = cn_with_tag(CnInactive);
    return true;
}

static uint32_t parent_index(const Clone *clone, uint32_t index)
{
    CnEntity parent = cn_parent(clone->world, clone->originals.items[index].entity);
    const uint32_t *above = index ? cn_hash_map_get(&clone->indices, parent.id) : NULL;
    return above ? *above : UINT32_MAX;
}

/* Pairs whose target is copied as well are added after the targets exist. */
static bool is_pair_inside(const Clone *clone, CnComponent id, CnComponentInfo *info)
{
    return id.id && cn_component_info(clone->world, id, info) && info->pair_kind.id &&
           cn_hash_map_get(&clone->indices, info->pair_target.id);
}

/* Moves the values that can be spawned to the front; returns their number. */
static uint32_t sort_values(const Clone *clone, Original *original)
{
    uint32_t first = 0;
    CnComponentInfo info;
    for (uint32_t i = 0; i < original->value_count && first < CN_MAX_VALUES; i++) {
        CnValue value = original->values[i];
        if (is_pair_inside(clone, value.component, &info))
            continue;
        original->values[i] = original->values[first];
        original->values[first++] = value;
    }
    return first;
}

static bool plan(Clone *clone, CnEntity parent)
{
    for (uint32_t i = 0; i < clone->originals.count; i++) {
        Original *original = &clone->originals.items[i];
        uint32_t above = parent_index(clone, i);
        original->is_inactive = above == UINT32_MAX ? cn_has(clone->world, parent, CnInactive)
                                                    : clone->originals.items[above].is_inactive;
        if (!copy_values(clone, original) ||
            !cn_array_push(&clone->spawns,
                           (CnTreeSpawn){original->values, sort_values(clone, original), above}))
            return false;
    }
    return cn_array_reserve(&clone->copies, clone->originals.count);
}

/* ---- Creating the copies ---- */

static void remap_value(const Clone *clone, const CnEntity *copies, const CnValue *value)
{
    CnComponentInfo info;
    if (!value->component.id || !cn_component_info(clone->world, value->component, &info))
        return;
    for (uint32_t f = 0; f < info.field_count; f++) {
        const CnField *field = &info.fields[f];
        CnEntity *entities = (CnEntity *)(uintptr_t)((const char *)value->data + field->offset);
        for (uint32_t i = 0; field->type == CN_FIELD_ENTITY && i < field->count; i++) {
            const uint32_t *index = cn_hash_map_get(&clone->indices, entities[i].id);
            entities[i] = index ? copies[*index] : entities[i];
        }
    }
}

static void remap(const CnEntity *copies, void *user)
{
    const Clone *clone = user;
    for (uint32_t i = 0; i < clone->originals.count; i++)
        for (uint32_t v = 0; v < clone->originals.items[i].value_count; v++)
            remap_value(clone, copies, &clone->originals.items[i].values[v]);
}

/* Adds what a spawn cannot: values beyond its limit, and pairs between copied objects. */
static bool add_rest(Clone *clone, uint32_t index)
{
    const Original *original = &clone->originals.items[index];
    for (uint32_t i = clone->spawns.items[index].value_count; i < original->value_count; i++) {
        CnValue value = original->values[i];
        CnComponentInfo info;
        if (is_pair_inside(clone, value.component, &info)) {
            const uint32_t *target = cn_hash_map_get(&clone->indices, info.pair_target.id);
            value.component = cn_pair(clone->world, info.pair_kind, clone->copies.items[*target]);
        }
        CnChange change = {.set = &value, .set_count = 1};
        if ((!value.component.id && !value.type) ||
            !cn_change(clone->world, clone->copies.items[index], &change))
            return false;
    }
    return true;
}

static bool make(Clone *clone, CnEntity object, CnEntity parent)
{
    if (!gather(clone, object) || !plan(clone, parent))
        return false;
    CnTreeSpawnDesc desc = {.spawns = clone->spawns.items,
                            .count = clone->spawns.count,
                            .root_parent = parent,
                            .on_ids_reserved = remap,
                            .user = clone};
    if (!cn_spawn_tree(clone->world, &desc, clone->copies.items))
        return false;
    for (uint32_t i = 0; i < clone->originals.count; i++)
        if (!add_rest(clone, i)) {
            cn_destroy(clone->world, clone->copies.items[0]);
            return false;
        }
    return true;
}

CnEntity cn_object_clone(CnWorld *world, CnEntity object, CnEntity parent, CnError *error)
{
    CN_ASSERT(world, "%s: world is NULL", __func__);
    if (!cni_scene_object_get(world, object) || (parent.id && !cn_is_alive(world, parent))) {
        cn_error_set(error, CN_ERROR_NOT_FOUND, "a clone: %s",
                     cni_scene_object_get(world, object) ? "its parent does not exist"
                                                         : "there is no such object");
        return CN_NO_PARENT;
    }
    CnAllocator *allocator = cn_world_allocator(world);
    Clone clone = {.world = world, .arena = &cni_scene_objects_mut(world)->scratch};
    cn_hash_map_init_keyed(&clone.indices, allocator, sizeof(uint32_t));
    cn_array_init(&clone.originals, allocator);
    cn_array_init(&clone.spawns, allocator);
    cn_array_init(&clone.copies, allocator);
    CnArenaMark mark = cn_arena_mark(clone.arena);
    const CnObjectCounter *counter = cn_resource(world, CnObjectCounter);
    uint64_t created = counter ? counter->created : 0;
    bool done = make(&clone, object, parent);
    CnEntity copy = done ? clone.copies.items[0] : CN_NO_PARENT;
    cn_arena_rewind(clone.arena, mark);
    cn_hash_map_fini(&clone.indices);
    cn_array_fini(&clone.originals);
    cn_array_fini(&clone.spawns);
    cn_array_fini(&clone.copies);
    if (!done) {
        if (counter)
            cn_resource_mut(world, CnObjectCounter)->created = created;
        cn_error_memory(error, "a clone of %s", cn_object_name(world, object));
    }
    return copy;
}
