/* Objects by uid, and the source of uids. */
#include "scene/object/object_internal.h"

static CnEntity find_by_scan(const CniSceneObjects *objects, uint64_t uid)
{
    CnChunkView view;
    for (CnQueryIter it = cn_query_iter(objects->all); cn_query_next(&it, &view);) {
        const CnObject *rows = cn_column_const(&view, CnObject);
        for (uint32_t i = 0; i < view.count; i++)
            if (rows[i].uid == uid)
                return view.entities[i];
    }
    return CN_NO_PARENT;
}

bool cni_scene_objects_are_indexed(const CniSceneObjects *objects)
{
    return objects->is_complete && objects->loads == cn_world_load_count(objects->world);
}

static void enter(CniSceneObjects *objects, CnEntity entity, const CnObject *object)
{
    if (!cn_hash_map_set(&objects->by_uid, object->uid, &entity) ||
        !cni_scene_name_index_add(objects, entity, object->name))
        objects->is_complete = false;
}

/* Loading a state calls no hooks, so the index that they maintain is rebuilt afterwards. */
void cni_scene_objects_index(CniSceneObjects *objects)
{
    CnChunkView view;
    if (cni_scene_objects_are_indexed(objects))
        return;
    cn_hash_map_clear(&objects->by_uid);
    cni_scene_name_index_clear(objects);
    objects->loads = cn_world_load_count(objects->world);
    objects->is_complete = true;
    for (CnQueryIter it = cn_query_iter(objects->all); cn_query_next(&it, &view);) {
        const CnObject *rows = cn_column_const(&view, CnObject);
        for (uint32_t i = 0; i < view.count && objects->is_complete; i++)
            enter(objects, view.entities[i], &rows[i]);
    }
}

static CnEntity find(CniSceneObjects *objects, uint64_t uid)
{
    cni_scene_objects_index(objects);
    if (!objects->is_complete)
        return find_by_scan(objects, uid);
    const CnEntity *found = cn_hash_map_get(&objects->by_uid, uid);
    const CnObject *object = found ? cni_scene_object_get(objects->world, *found) : NULL;
    return object && object->uid == uid ? *found : CN_NO_PARENT;
}

CnEntity cn_object_by_uid(CnWorld *world, uint64_t uid)
{
    CN_ASSERT(world, "%s: world is NULL", __func__);
    CniSceneObjects *objects = cni_scene_objects_mut(world);
    return objects && uid ? find(objects, uid) : CN_NO_PARENT;
}

/* A state without the counter continues behind its highest value. */
static uint64_t highest_order(const CniSceneObjects *objects)
{
    uint64_t highest = 0;
    CnChunkView view;
    for (CnQueryIter it = cn_query_iter(objects->all); cn_query_next(&it, &view);) {
        const CnObject *rows = cn_column_const(&view, CnObject);
        for (uint32_t i = 0; i < view.count; i++)
            highest = rows[i].creation_order > highest ? rows[i].creation_order : highest;
    }
    return highest;
}

uint64_t cni_scene_object_take_order(CnWorld *world)
{
    CnObjectCounter *counter = cn_resource_mut(world, CnObjectCounter);
    if (!counter)
        counter =
            cn_resource_set(world, CnObjectCounter, {highest_order(cni_scene_objects_mut(world))});
    return counter ? ++counter->created : 0;
}

void cni_scene_object_return_order(CnWorld *world, uint64_t creation_order)
{
    CnObjectCounter *counter = cn_resource_mut(world, CnObjectCounter);
    if (counter && counter->created == creation_order)
        counter->created--;
}

/* The uid also depends on the name: two programs that count alike then do not give the same uid
 * to different objects, whose files may be read into one world. */
uint64_t cni_scene_object_new_uid(CnWorld *world, const char *name, uint64_t creation_order)
{
    CniSceneObjects *objects = cni_scene_objects_mut(world);
    CN_ASSERT(objects, "the world has no objects");
    for (uint64_t hash = cn_hash_bytes(name, strlen(name), creation_order);;
         hash = cn_hash_mix(hash + 1)) {
        uint64_t uid = hash & CN_OBJECT_UID_MAX;
        if (uid && cn_entity_is_null(find(objects, uid)))
            return uid;
    }
}

/* ---- Hooks ---- */

static void complete(CnWorld *world, CnEntity entity, bool uid_is_free)
{
    CnObject object = *cni_scene_object_get(world, entity);
    char name[CN_OBJECT_NAME_BYTES];
    cni_scene_object_sanitize_name(name,
                                   (CnText){object.name, strnlen(object.name, sizeof object.name)});
    memcpy(object.name, name, sizeof name);
    if (!object.creation_order)
        object.creation_order = cni_scene_object_take_order(world);
    if (!uid_is_free)
        object.uid = cni_scene_object_new_uid(world, object.name, object.creation_order);
    CnObject *row = cn_get_mut(world, entity, CnObject);
    *row = object;
}

/* Called twice for a spawned object: for the component and for its value. */
void cni_scene_object_on_add(CnWorld *world, CnEntity entity, CnComponent component, void *user)
{
    CniSceneObjects *objects = user;
    const CnObject *object = cni_scene_object_get(world, entity);
    (void)component;
    CnText name = {object->name, strnlen(object->name, sizeof object->name)};
    CnEntity holder = find(objects, object->uid);
    if (holder.id == entity.id && object->creation_order &&
        cni_scene_name_index_contains(objects, entity, name))
        return;
    bool uid_is_free =
        object->uid && object->uid <= CN_OBJECT_UID_MAX && (!holder.id || holder.id == entity.id);
    if (!uid_is_free || !object->creation_order || !cn_object_name_valid(name)) {
        complete(world, entity, uid_is_free);
        object = cni_scene_object_get(world, entity);
    }
    enter(objects, entity, object);
}

void cni_scene_object_on_remove(CnWorld *world, CnEntity entity, CnComponent component, void *user)
{
    CniSceneObjects *objects = user;
    uint64_t uid = cni_scene_object_get(world, entity)->uid;
    (void)component;
    const CnEntity *found = cn_hash_map_get(&objects->by_uid, uid);
    if (found && found->id == entity.id)
        cn_hash_map_remove(&objects->by_uid, uid);
    cni_scene_name_index_remove(objects, entity);
}
