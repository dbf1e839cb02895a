/* Compares two plans of a file, and applies what differs to the objects. */
#include "scene/file/file_reload.h"
#include "scene/object/object_internal.h"

typedef struct Comparison {
    const CniScenePlanChange *change;
    CnWorld *world;
    CnArena arena;
    uint32_t *old_of;     /* per new node: the old one, or CNI_SCENE_NO_NODE */
    uint32_t *new_of;     /* per old node: the new one, or CNI_SCENE_NO_NODE */
    CnHashMap references; /* key -> index in the old plan */
    CnComponent transform;
    CnError *error;
} Comparison;

static bool no_memory(const Comparison *comparison)
{
    return cn_error_memory(comparison->error, "reloading a scene file");
}

/* ---- Nodes ---- */

/* A node is the same if its path is. */
static void match_nodes(Comparison *comparison)
{
    const CniScenePlan *old = comparison->change->old, *now = comparison->change->now;
    for (uint32_t i = 0; i < old->nodes.count; i++)
        comparison->new_of[i] = CNI_SCENE_NO_NODE;
    for (uint32_t i = 0; i < now->nodes.count; i++) {
        const CniScenePlanNode *node = &now->nodes.items[i];
        bool is_root = node->parent == CNI_SCENE_NO_NODE;
        uint32_t parent = is_root ? CNI_SCENE_NO_NODE : comparison->old_of[node->parent];
        uint32_t found = CNI_SCENE_NO_NODE;
        if (is_root && comparison->change->is_instance)
            found = 0;
        else if (is_root || parent != CNI_SCENE_NO_NODE)
            found = cni_scene_plan_child(old, parent, node->name);
        comparison->old_of[i] = found;
        comparison->change->made[i] = (CnEntity){0};
        if (found == CNI_SCENE_NO_NODE)
            continue;
        comparison->new_of[found] = i;
        comparison->change->made[i] = comparison->change->objects[found];
    }
}

/* ---- Values ---- */

static bool field_differs(const CnField *field, const void *a, const void *b)
{
    return field->type != CN_FIELD_ENTITY &&
           memcmp((const char *)a + field->offset, (const char *)b + field->offset, field->size);
}

static uint32_t copy_changed_fields(const CnComponentInfo *info, const void *old, const void *now,
                                    void *value)
{
    uint32_t changed = 0;
    for (uint32_t i = 0; i < info->field_count; i++) {
        const CnField *field = &info->fields[i];
        if (!field_differs(field, old, now))
            continue;
        memcpy((char *)value + field->offset, (const char *)now + field->offset, field->size);
        changed++;
    }
    return changed;
}

/* Writes the fields that differ between two values of the file, and leaves the others. */
static bool change_fields(Comparison *comparison, CnEntity object, CnComponent component,
                          const void *old, const void *now)
{
    CnWorld *world = comparison->world;
    CnSceneReload *report = comparison->change->report;
    CnComponentInfo info;
    if (!cn_component_info(world, component, &info) || !info.size)
        return true;
    CnArenaMark mark = cn_arena_mark(&comparison->arena);
    void *value = cn_arena_alloc(&comparison->arena, info.size, info.alignment);
    if (!value)
        return no_memory(comparison);
    memset(value, 0, info.size);
    bool is_there = cn_read_component(world, object, component, value);
    uint32_t changed = copy_changed_fields(&info, old, now, value);
    bool done = true;
    if (changed && is_there) {
        report->changed_fields += changed;
        done = cn_set_component(world, object, component, value) || no_memory(comparison);
    } else if (changed) {
        report->skipped++;
    }
    cn_arena_rewind(&comparison->arena, mark);
    return done;
}

static bool add_value(const Comparison *comparison, CnEntity object, const CniScenePlanValue *value)
{
    comparison->change->report->changed_fields++;
    return (value->size ? cn_set_component(comparison->world, object, value->component, value->data)
                        : cn_add_component(comparison->world, object, value->component)) ||
           no_memory(comparison);
}

/* Every object has a transform, whether the file gives it or not. */
static bool change_transform(Comparison *comparison, CnEntity object, const CniScenePlanValue *old,
                             const CniScenePlanValue *now)
{
    const CnTransform identity = CN_TRANSFORM_IDENTITY;
    return change_fields(comparison, object, comparison->transform, old ? old->data : &identity,
                         now ? now->data : &identity);
}

static bool change_value(Comparison *comparison, CnEntity object, const CniScenePlanValue *old,
                         const CniScenePlanValue *now)
{
    CnComponent component = old ? old->component : now->component;
    if (component.id == comparison->transform.id)
        return change_transform(comparison, object, old, now);
    if (old && now)
        return change_fields(comparison, object, component, old->data, now->data);
    if (now)
        return add_value(comparison, object, now);
    comparison->change->report->changed_fields++;
    return cn_remove_component(comparison->world, object, component) || no_memory(comparison);
}

/* The values of a node are in order of components. */
static bool change_values(Comparison *comparison, CnEntity object, const CniScenePlanNode *old,
                          const CniScenePlanNode *now)
{
    uint32_t i = 0, k = 0;
    while (i < old->value_count || k < now->value_count) {
        const CniScenePlanValue *a = i < old->value_count ? &old->values[i] : NULL;
        const CniScenePlanValue *b = k < now->value_count ? &now->values[k] : NULL;
        if (a && b && a->component.id < b->component.id)
            b = NULL;
        else if (a && b && a->component.id > b->component.id)
            a = NULL;
        if (!change_value(comparison, object, a, b))
            return false;
        i += a != NULL;
        k += b != NULL;
    }
    return true;
}

static bool change_origin(const Comparison *comparison, CnEntity object,
                          const CniScenePlanNode *old, const CniScenePlanNode *now)
{
    if (!strcmp(old->prefab ? old->prefab : "", now->prefab ? now->prefab : ""))
        return true;
    comparison->change->report->changed_fields++;
    if (!now->prefab)
        return cn_remove(comparison->world, object, CnPrefabSource) || no_memory(comparison);
    CnPrefabSource source = {{0}};
    cn_copy_text(source.path, sizeof source.path, cn_text(now->prefab));
    return cn_set_component(comparison->world, object, cn_id(comparison->world, CnPrefabSource),
                            &source) ||
           no_memory(comparison);
}

static bool change_node(Comparison *comparison, uint32_t index)
{
    const CniScenePlanChange *change = comparison->change;
    uint32_t before = comparison->old_of[index];
    CnEntity object = change->made[index];
    const CniScenePlanNode *now = &change->now->nodes.items[index];
    const CniScenePlanNode *old = &change->old->nodes.items[before];
    bool is_first = change->is_instance && index == 0;
    if (!cn_is_alive(comparison->world, object))
        return true;
    uint32_t fields = change->report->changed_fields;
    if (old->disabled != now->disabled) {
        cn_object_set_enabled(comparison->world, object, !now->disabled);
        change->report->changed_fields++;
    }
    bool done = (is_first || change_origin(comparison, object, old, now)) &&
                change_values(comparison, object, old, now);
    change->report->changed_objects += change->report->changed_fields != fields;
    return done;
}

/* ---- Objects that are gone, and new ones ---- */

static void remove_objects(const Comparison *comparison)
{
    const CniScenePlanChange *change = comparison->change;
    for (uint32_t i = 0; i < change->old->nodes.count; i++) {
        CnEntity object = change->objects[i];
        if (comparison->new_of[i] != CNI_SCENE_NO_NODE || !cn_is_alive(comparison->world, object))
            continue;
        change->report->removed_objects++; /* those below it are gone when their turn comes */
        cn_destroy(comparison->world, object);
    }
}

static uint32_t end_of_subtree(const CniScenePlan *plan, uint32_t first)
{
    uint32_t end = first + 1;
    while (end < plan->nodes.count && plan->nodes.items[end].depth > plan->nodes.items[first].depth)
        end++;
    return end;
}

/* Creates a node that the old plan does not have, with all nodes below it. */
static bool add_objects(Comparison *comparison, uint32_t first, CnEntity parent)
{
    const CniScenePlanChange *change = comparison->change;
    uint32_t count = end_of_subtree(change->now, first) - first;
    CniScenePlan part = {.by_uid = change->now->by_uid};
    CnArenaMark mark = cn_arena_mark(&comparison->arena);
    part.nodes.items = cn_arena_alloc(&comparison->arena, count * sizeof *part.nodes.items,
                                      CN_ALIGN_OF(CniScenePlanNode));
    part.nodes.count = count;
    if (!part.nodes.items)
        return no_memory(comparison);
    for (uint32_t i = 0; i < count; i++) {
        CniScenePlanNode *node = &part.nodes.items[i];
        *node = change->now->nodes.items[first + i];
        node->parent = i ? node->parent - first : CNI_SCENE_NO_NODE;
    }
    bool done = cni_scene_plan_instantiate(comparison->world, NULL, &part, parent, NULL,
                                           change->made + first, comparison->error);
    change->report->added_objects += done ? count : 0;
    cn_arena_rewind(&comparison->arena, mark);
    return done;
}

static bool add_or_change(Comparison *comparison)
{
    const CniScenePlanChange *change = comparison->change;
    for (uint32_t i = 0; i < change->now->nodes.count; i++) {
        const CniScenePlanNode *node = &change->now->nodes.items[i];
        bool is_root = node->parent == CNI_SCENE_NO_NODE;
        if (comparison->old_of[i] != CNI_SCENE_NO_NODE) {
            if (!change_node(comparison, i))
                return false;
            continue;
        }
        CnEntity parent = is_root ? CN_NO_PARENT : change->made[node->parent];
        if (is_root || cn_is_alive(comparison->world, parent)) {
            if (!add_objects(comparison, i, parent))
                return false;
        } else {
            change->report->skipped++; /* the game has destroyed the object above it */
        }
        i = end_of_subtree(change->now, i) - 1;
    }
    return true;
}

/* ---- References between objects ---- */

static uint64_t key_of(const CniScenePlanReference *reference, uint32_t node)
{
    const uint32_t parts[] = {node, reference->component.id, reference->field->offset,
                              reference->element};
    return cn_hash_bytes(parts, sizeof parts, 0);
}

static bool list_references(Comparison *comparison)
{
    const CniScenePlan *old = comparison->change->old;
    for (uint32_t i = 0; i < old->references.count; i++) {
        const CniScenePlanReference *reference = &old->references.items[i];
        if (!cn_hash_map_set(&comparison->references, key_of(reference, reference->node), &i))
            return no_memory(comparison);
    }
    return true;
}

static bool write_reference(Comparison *comparison, CnEntity object,
                            const CniScenePlanReference *reference, CnEntity target)
{
    CnComponentInfo info;
    if (!cn_is_alive(comparison->world, object) ||
        !cn_component_info(comparison->world, reference->component, &info))
        return true;
    CnArenaMark mark = cn_arena_mark(&comparison->arena);
    char *value = cn_arena_alloc(&comparison->arena, info.size, info.alignment);
    if (!value)
        return no_memory(comparison);
    bool done = true;
    if (cn_read_component(comparison->world, object, reference->component, value)) {
        memcpy(value + reference->field->offset + reference->element * sizeof target, &target,
               sizeof target);
        comparison->change->report->changed_fields++;
        done = cn_set_component(comparison->world, object, reference->component, value) ||
               no_memory(comparison);
    }
    cn_arena_rewind(&comparison->arena, mark);
    return done;
}

/* Writes references that are new or refer to another node, and clears those that are gone. */
static bool change_references(Comparison *comparison)
{
    const CniScenePlanChange *change = comparison->change;
    for (uint32_t i = 0; i < change->now->references.count; i++) {
        const CniScenePlanReference *now = &change->now->references.items[i];
        uint32_t before = comparison->old_of[now->node], *found = NULL;
        if (before != CNI_SCENE_NO_NODE)
            found = cn_hash_map_get(&comparison->references, key_of(now, before));
        uint32_t target = found ? change->old->references.items[*found].target : CNI_SCENE_NO_NODE;
        if (found)
            cn_hash_map_remove(&comparison->references, key_of(now, before));
        if ((!found || comparison->old_of[now->target] != target) &&
            !write_reference(comparison, change->made[now->node], now, change->made[now->target]))
            return false;
    }
    for (uint32_t i = 0; i < change->old->references.count; i++) {
        const CniScenePlanReference *old = &change->old->references.items[i];
        if (cn_hash_map_get(&comparison->references, key_of(old, old->node)) &&
            comparison->new_of[old->node] != CNI_SCENE_NO_NODE &&
            !write_reference(comparison, change->objects[old->node], old, CN_NO_PARENT))
            return false;
    }
    return true;
}

/* ---- The whole ---- */

bool cni_scene_plan_apply_changes(const CniScenePlanChange *change, CnError *error)
{
    CnAllocator *allocator = cn_world_allocator(change->world);
    Comparison comparison = {.change = change,
                             .world = change->world,
                             .transform = cn_component_of(change->world, &cn_type_CnTransform),
                             .error = error};
    cn_arena_init(&comparison.arena, allocator, 0);
    cn_hash_map_init(&comparison.references, allocator, sizeof(uint32_t));
    comparison.old_of = cn_arena_alloc(
        &comparison.arena, change->now->nodes.count * sizeof(uint32_t) + 1, sizeof(uint32_t));
    comparison.new_of = cn_arena_alloc(
        &comparison.arena, change->old->nodes.count * sizeof(uint32_t) + 1, sizeof(uint32_t));
    bool done = comparison.old_of && comparison.new_of ? list_references(&comparison)
                                                       : no_memory(&comparison);
    if (done) {
        match_nodes(&comparison);
        remove_objects(&comparison);
        done = add_or_change(&comparison) && change_references(&comparison);
    }
    cn_hash_map_fini(&comparison.references);
    cn_arena_fini(&comparison.arena);
    return done;
}
