/* Scripts and objects that end when scripts have run. */
#include "script/runtime/runtime.h"

bool cni_script_destroy_later(CniScriptContext *scripts, CnEntity object)
{
    CniScriptRuntime *runtime = cni_script_runtime(scripts);
    CN_ASSERT(object.id, "the null entity is destroyed");
    return cn_hash_map_set(&runtime->destroyed, object.id, NULL) != NULL;
}

static CnEntity deepest_first(const CnWorld *world, CnEntity entity)
{
    for (CnEntity child; (child = cn_first_child(world, entity)).id;)
        entity = child;
    return entity;
}

/* Lists the objects at and below `root` whose scripts have begun, children before parents, in the
 * order in which they are destroyed. Returns false when out of memory. */
static bool list_scripts(CniScriptRuntime *runtime, CnEntity root)
{
    const CnWorld *world = runtime->shared.world;
    cn_array_clear(&runtime->ending);
    for (CnEntity entity = deepest_first(world, root);;) {
        const CniScriptInstance *instance = cni_script_instance_find(runtime, entity);
        if (instance && instance->begun && !cn_array_push(&runtime->ending, entity))
            return false;
        if (entity.id == root.id)
            return true;
        CnEntity next = cn_next_sibling(world, entity);
        entity = next.id ? deepest_first(world, next) : cn_parent(world, entity);
    }
}

/* Calls on_destroy of the scripts before the objects are destroyed, so that these calls may change
 * the world like all others. When out of memory, hooks call it during the destruction. */
static void end_scripts(CniScriptRuntime *runtime, CnEntity root)
{
    if (!runtime->instances.count || !list_scripts(runtime, root))
        return;
    for (uint32_t i = 0; i < runtime->ending.count; i++) {
        CniScriptInstance *instance = cni_script_instance_find(runtime, runtime->ending.items[i]);
        if (instance && instance->begun)
            cni_script_instance_end(runtime, instance);
    }
}

void cni_script_apply_removals(CniScriptRuntime *runtime)
{
    CnWorld *world = runtime->shared.world;
    CN_ASSERT(!runtime->running && !runtime->walking, "objects are destroyed while scripts run");
    cni_script_end_removed(runtime);
    for (uint32_t i = 0; i < runtime->destroyed.count; i++) {
        CnEntity object = {cn_hash_map_key(&runtime->destroyed, i)};
        if (!cn_is_alive(world, object))
            continue;
        end_scripts(runtime, object);
        cni_script_end_removed(runtime);
        if (cn_is_alive(world, object))
            cn_destroy(world, object);
    }
    cn_hash_map_clear(&runtime->destroyed);
}
