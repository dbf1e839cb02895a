/* Maintains the tag CnInactive, which is inherited from parents. */
#include "scene/object/object_internal.h"

bool cn_object_is_enabled(const CnWorld *world, CnEntity object)
{
    CN_ASSERT(world, "%s: world is NULL", __func__);
    const CnObject *found = cni_scene_object_get(world, object);
    return found && found->enabled;
}

bool cn_object_is_active(const CnWorld *world, CnEntity object)
{
    CN_ASSERT(world, "%s: world is NULL", __func__);
    if (!cni_scene_object_get(world, object))
        return false;
    for (CnEntity e = object; e.id; e = cn_parent(world, e)) {
        const CnObject *found = cni_scene_object_get(world, e);
        if (found && !found->enabled)
            return false;
    }
    return true;
}

static bool set_tag(CnWorld *world, CnEntity object, bool inactive)
{
    return inactive ? cn_add(world, object, CnInactive) : cn_remove(world, object, CnInactive);
}

bool cni_scene_object_update_active(CnWorld *world, CnEntity object)
{
    bool inactive = !cn_object_is_active(world, object);
    if (cn_has(world, object, CnInactive) == inactive)
        return true;
    bool done = set_tag(world, object, inactive), descend = true;
    for (CnEntity e = object; (e = cni_scene_next_below(world, object, e, descend)).id;) {
        const CnObject *found = cni_scene_object_get(world, e);
        bool wanted = inactive || (found && !found->enabled);
        /* Where the tag is correct, it is correct below, too. */
        descend = !found || cn_has(world, e, CnInactive) != wanted;
        if (found && descend)
            done &= set_tag(world, e, wanted);
    }
    return done;
}

bool cn_object_set_enabled(CnWorld *world, CnEntity object, bool enabled)
{
    CN_ASSERT(world, "%s: world is NULL", __func__);
    CnObject *found = cn_get_mut(world, object, CnObject);
    if (!found)
        return false;
    bool before = found->enabled;
    found->enabled = enabled;
    if (cni_scene_object_update_active(world, object))
        return true;
    cn_get_mut(world, object, CnObject)->enabled = before;
    cni_scene_object_update_active(world, object);
    return false;
}

/* Collects objects whose tag contradicts their parent's; those that are wrong because their
 * parent's tag is wrong are corrected together with the parent. */
static bool gather_wrong(CniSceneObjects *objects, const CnQuery *query, bool inactive)
{
    const CnWorld *world = objects->world;
    CnComponent tag = cn_component_of(world, &cn_type_CnInactive);
    CnChunkView view;
    for (CnQueryIter it = cn_query_iter_changed(query, objects->refreshed);
         cn_query_next(&it, &view);) {
        const CnObject *rows = cn_column_const(&view, CnObject);
        const CnNode *nodes = cn_column_const(&view, CnNode);
        for (uint32_t i = 0; i < view.count; i++) {
            bool below =
                nodes && nodes[i].parent.id && cn_has_component(world, nodes[i].parent, tag);
            if ((below || !rows[i].enabled) != inactive &&
                !cn_array_push(&objects->wrong, view.entities[i]))
                return false;
        }
    }
    return true;
}

bool cn_object_refresh_active(CnWorld *world)
{
    CN_ASSERT(world, "%s: world is NULL", __func__);
    CniSceneObjects *objects = cni_scene_objects_mut(world);
    if (!objects)
        return false;
    cni_scene_objects_index(objects);
    cn_array_clear(&objects->wrong);
    bool done = gather_wrong(objects, objects->active, false) &&
                gather_wrong(objects, objects->inactive, true);
    cni_scene_objects_sort(world, objects->wrong.items, objects->wrong.count);
    for (uint32_t i = 0; i < objects->wrong.count; i++)
        done &= cni_scene_object_update_active(world, objects->wrong.items[i]);
    if (done) /* later writes of this tick are examined again */
        objects->refreshed = cn_world_tick(world) - 1;
    return done;
}
