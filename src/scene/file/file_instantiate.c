#include "scene/file/file_reader.h"
#include "scene/object/object_internal.h"

/* The values of a node, in scratch memory. */
typedef struct Seed {
    CnObject object;
    CnPrefabSource source;
    bool is_inactive;
} Seed;

typedef struct Making {
    CnWorld *world;
    const CniPlan *plan;
    CnEntity parent;
    const char *prefab; /* of the first node */
    CnTreeSpawn *spawns;
    Seed *seeds;
    CnArena *arena;
    CnComponent transform;
    bool is_deferred;
} Making;

/* Returns a new uid that no node of the plan will have. */
static uint64_t new_uid(const Making *making, const CnObject *object)
{
    for (uint64_t other = object->born;; other += UINT64_C(1) << 40) {
        uint64_t uid = cni_object_new_uid(making->world, object->name, other);
        if (!making->plan->by_uid.count || !cn_hash_map_get(&making->plan->by_uid, uid))
            return uid;
    }
}

static void fill_seed(const Making *making, const CniPlanNode *node, Seed *seed)
{
    memset(seed, 0, sizeof *seed);
    CnObject *object = &seed->object;
    cn_copy_text(object->name, sizeof object->name, cn_text(node->name));
    object->enabled = !node->disabled;
    seed->is_inactive = node->disabled || (node->parent == CNI_NO_NODE
                                               ? cn_has(making->world, making->parent, CnInactive)
                                               : making->seeds[node->parent].is_inactive);
    if (making->is_deferred)
        return; /* the hook sets uid and order when the object is added */
    object->born = cni_object_next_born(making->world);
    object->uid = node->uid ? node->uid : new_uid(making, object);
}

static bool fill_spawn(const Making *making, const CniPlanNode *node, uint32_t index)
{
    Seed *seed = &making->seeds[index];
    CnValue *values = cn_arena_alloc(making->arena, (node->value_count + 4) * sizeof *values,
                                     CN_ALIGN_OF(CnValue));
    if (!values)
        return false;
    fill_seed(making, node, seed);
    uint32_t n = 0;
    values[n++] = (CnValue){.type = &cn_type_CnObject, .data = &seed->object};
    values[n++] = (CnValue){.type = &cn_type_CnTransform};
    if (seed->is_inactive)
        values[n++] = (CnValue){.type = &cn_type_CnInactive};
    const char *prefab = index == 0 && making->prefab ? making->prefab : node->prefab;
    if (prefab) {
        cn_copy_text(seed->source.path, sizeof seed->source.path, cn_text(prefab));
        values[n++] = (CnValue){.type = &cn_type_CnPrefabSource, .data = &seed->source};
    }
    for (uint32_t i = 0; i < node->value_count; i++) {
        const CniPlanValue *value = &node->values[i];
        if (value->component.id == making->transform.id)
            values[1].data = value->data;
        else
            values[n++] = (CnValue){.component = value->component, .data = value->data};
    }
    making->spawns[index] = (CnTreeSpawn){values, n, node->parent};
    return true;
}

/* Writes entity ids into the values of the plan, for each instantiation. */
static void set_references(const CnEntity *made, void *user)
{
    const CniPlan *plan = user;
    for (uint32_t i = 0; i < plan->references.count; i++) {
        const CniPlanReference *reference = &plan->references.items[i];
        const CniPlanNode *node = &plan->nodes.items[reference->node];
        for (uint32_t v = 0; v < node->value_count; v++) {
            if (node->values[v].component.id != reference->component.id)
                continue;
            char *field = (char *)node->values[v].data + reference->field->offset;
            ((CnEntity *)(void *)field)[reference->element] = made[reference->target];
        }
    }
}

static bool make(Making *making, CnCommands *commands, CnEntity *made)
{
    const CniPlan *plan = making->plan;
    uint32_t count = plan->nodes.count;
    making->spawns =
        cn_arena_alloc(making->arena, count * sizeof *making->spawns + 1, CN_ALIGN_OF(CnTreeSpawn));
    making->seeds =
        cn_arena_alloc(making->arena, count * sizeof *making->seeds + 1, CN_ALIGN_OF(Seed));
    if (!making->spawns || !making->seeds)
        return false;
    for (uint32_t i = 0; i < count; i++)
        if (!fill_spawn(making, &plan->nodes.items[i], i))
            return false;
    CnTreeSpawnDesc desc = {.spawns = making->spawns,
                            .count = count,
                            .above = making->parent,
                            .known = plan->references.count ? set_references : NULL,
                            .user = (void *)(uintptr_t)plan};
    return commands ? cn_defer_tree(commands, &desc, made)
                    : cn_spawn_tree(making->world, &desc, made);
}

bool cni_plan_make(CnWorld *world, CnCommands *commands, const CniPlan *plan, CnEntity parent,
                   const char *prefab, CnEntity *made, CnError *error)
{
    CniObjects *objects = cni_objects(world);
    if (!objects)
        return cn_error_set(error, CN_ERROR_MISMATCH,
                            "the world has no objects; call cn_object_add first");
    Making making = {.world = world,
                     .plan = plan,
                     .parent = parent,
                     .prefab = prefab,
                     .arena = &objects->scratch,
                     .transform = cn_component_of(world, &cn_type_CnTransform),
                     .is_deferred = commands != NULL};
    const CnObjectCounter *counter = cn_resource(world, CnObjectCounter);
    CnObjectCounter before = counter ? *counter : (CnObjectCounter){0};
    CnArenaMark mark = cn_arena_mark(making.arena);
    bool done = make(&making, commands, made);
    cn_arena_rewind(making.arena, mark);
    if (!done && !commands && counter)
        *cn_resource_mut(world, CnObjectCounter) = before;
    return done || (parent.id && !commands && !cn_is_alive(world, parent)
                        ? cn_error_set(error, CN_ERROR_NOT_FOUND, "the parent does not exist")
                        : cn_error_set(error, CN_ERROR_MEMORY, "out of memory"));
}
