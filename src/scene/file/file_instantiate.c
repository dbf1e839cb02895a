#include "scene/file/file_reader.h"
#include "scene/object/object_internal.h"

/* The values of a node, in scratch memory. */
typedef struct NodeComponents {
    CnObject object;
    CnPrefabSource source;
    bool is_inactive;
} NodeComponents;

typedef struct Instantiation {
    CnWorld *world;
    const CniScenePlan *plan;
    CnEntity parent;
    const char *prefab; /* of the first node */
    CnTreeSpawn *spawns;
    NodeComponents *node_components;
    CnArena *arena;
    CnComponent transform;
    bool is_deferred;
} Instantiation;

/* Returns a new uid that no node of the plan will have. */
static uint64_t new_uid(const Instantiation *instantiation, const CnObject *object)
{
    for (uint64_t other = object->creation_order;; other += UINT64_C(1) << 40) {
        uint64_t uid = cni_scene_object_new_uid(instantiation->world, object->name, other);
        if (!instantiation->plan->by_uid.count ||
            !cn_hash_map_get(&instantiation->plan->by_uid, uid))
            return uid;
    }
}

static void fill_seed(const Instantiation *instantiation, const CniScenePlanNode *node,
                      NodeComponents *seed)
{
    memset(seed, 0, sizeof *seed);
    CnObject *object = &seed->object;
    cn_copy_text(object->name, sizeof object->name, cn_text(node->name));
    object->enabled = !node->disabled;
    seed->is_inactive =
        node->disabled || (node->parent == CNI_SCENE_NO_NODE
                               ? cn_has(instantiation->world, instantiation->parent, CnInactive)
                               : instantiation->node_components[node->parent].is_inactive);
    if (instantiation->is_deferred)
        return; /* the hook sets uid and order when the object is added */
    object->creation_order = cni_scene_object_take_order(instantiation->world);
    object->uid = node->uid ? node->uid : new_uid(instantiation, object);
}

static bool fill_spawn(const Instantiation *instantiation, const CniScenePlanNode *node,
                       uint32_t index)
{
    NodeComponents *seed = &instantiation->node_components[index];
    CnValue *values = cn_arena_alloc(instantiation->arena, (node->value_count + 4) * sizeof *values,
                                     CN_ALIGN_OF(CnValue));
    if (!values)
        return false;
    fill_seed(instantiation, node, seed);
    uint32_t n = 0;
    values[n++] = (CnValue){.type = &cn_type_CnObject, .data = &seed->object};
    values[n++] = (CnValue){.type = &cn_type_CnTransform};
    if (seed->is_inactive)
        values[n++] = (CnValue){.type = &cn_type_CnInactive};
    const char *prefab = index == 0 && instantiation->prefab ? instantiation->prefab : node->prefab;
    if (prefab) {
        cn_copy_text(seed->source.path, sizeof seed->source.path, cn_text(prefab));
        values[n++] = (CnValue){.type = &cn_type_CnPrefabSource, .data = &seed->source};
    }
    for (uint32_t i = 0; i < node->value_count; i++) {
        const CniScenePlanValue *value = &node->values[i];
        if (value->component.id == instantiation->transform.id)
            values[1].data = value->data;
        else
            values[n++] = (CnValue){.component = value->component, .data = value->data};
    }
    instantiation->spawns[index] = (CnTreeSpawn){values, n, node->parent};
    return true;
}

/* Writes entity ids into the values of the plan, for each instantiation. */
static void set_references(const CnEntity *made, void *user)
{
    const CniScenePlan *plan = user;
    for (uint32_t i = 0; i < plan->references.count; i++) {
        const CniScenePlanReference *reference = &plan->references.items[i];
        const CniScenePlanNode *node = &plan->nodes.items[reference->node];
        for (uint32_t v = 0; v < node->value_count; v++) {
            if (node->values[v].component.id != reference->component.id)
                continue;
            char *field = (char *)node->values[v].data + reference->field->offset;
            ((CnEntity *)(void *)field)[reference->element] = made[reference->target];
        }
    }
}

static bool make(Instantiation *instantiation, CnCommands *commands, CnEntity *made)
{
    const CniScenePlan *plan = instantiation->plan;
    uint32_t count = plan->nodes.count;
    instantiation->spawns = cn_arena_alloc(
        instantiation->arena, count * sizeof *instantiation->spawns + 1, CN_ALIGN_OF(CnTreeSpawn));
    instantiation->node_components =
        cn_arena_alloc(instantiation->arena, count * sizeof *instantiation->node_components + 1,
                       CN_ALIGN_OF(NodeComponents));
    if (!instantiation->spawns || !instantiation->node_components)
        return false;
    for (uint32_t i = 0; i < count; i++)
        if (!fill_spawn(instantiation, &plan->nodes.items[i], i))
            return false;
    CnTreeSpawnDesc desc = {.spawns = instantiation->spawns,
                            .count = count,
                            .root_parent = instantiation->parent,
                            .on_ids_reserved = plan->references.count ? set_references : NULL,
                            .user = (void *)(uintptr_t)plan};
    return commands ? cn_defer_tree(commands, &desc, made)
                    : cn_spawn_tree(instantiation->world, &desc, made);
}

bool cni_scene_plan_instantiate(CnWorld *world, CnCommands *commands, const CniScenePlan *plan,
                                CnEntity parent, const char *prefab, CnEntity *made, CnError *error)
{
    CniSceneObjects *objects = cni_scene_objects_mut(world);
    if (!objects)
        return cn_error_set(error, CN_ERROR_MISMATCH,
                            "the world has no objects; call cn_object_add first");
    Instantiation instantiation = {.world = world,
                                   .plan = plan,
                                   .parent = parent,
                                   .prefab = prefab,
                                   .arena = &objects->scratch,
                                   .transform = cn_component_of(world, &cn_type_CnTransform),
                                   .is_deferred = commands != NULL};
    const CnObjectCounter *counter = cn_resource(world, CnObjectCounter);
    CnObjectCounter before = counter ? *counter : (CnObjectCounter){0};
    CnArenaMark mark = cn_arena_mark(instantiation.arena);
    bool done = make(&instantiation, commands, made);
    cn_arena_rewind(instantiation.arena, mark);
    if (!done && !commands && counter)
        *cn_resource_mut(world, CnObjectCounter) = before;
    return done || (parent.id && !commands && !cn_is_alive(world, parent)
                        ? cn_error_set(error, CN_ERROR_NOT_FOUND, "the parent does not exist")
                        : cn_error_memory(error, "the objects of a scene file"));
}
