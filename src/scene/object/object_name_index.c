/* Objects by name: objects with the same name form a linked list, by entity index. */
#include "scene/object/object_internal.h"

static uint64_t hash_of(const char *name, size_t size)
{
    uint64_t hash = cn_hash_keyed(name, size, 0);
    return hash ? hash : 1;
}

static bool reserve(CniSceneObjects *objects, uint32_t count)
{
    if (!cn_array_reserve(&objects->name_links, count))
        return false;
    while (objects->name_links.count < count)
        objects->name_links.items[objects->name_links.count++] = (CniSceneNameLink){0};
    return true;
}

bool cni_scene_name_index_contains(const CniSceneObjects *objects, CnEntity object, CnText name)
{
    uint32_t index = cn_entity_index(object);
    return index < objects->name_links.count &&
           objects->name_links.items[index].hash == hash_of(name.data, name.size);
}

bool cni_scene_name_index_add(CniSceneObjects *objects, CnEntity object, const char *name)
{
    uint32_t position = cn_entity_index(object) + 1;
    uint64_t hash = hash_of(name, strlen(name));
    if (!reserve(objects, position))
        return false;
    CniSceneNameLink *own = &objects->name_links.items[position - 1];
    if (own->hash == hash)
        return true;
    cni_scene_name_index_remove(objects, object);
    const uint32_t *first = cn_hash_map_get(&objects->by_name, hash);
    uint32_t next = first ? *first : 0;
    if (!cn_hash_map_set(&objects->by_name, hash, &position))
        return false;
    *own = (CniSceneNameLink){.hash = hash, .next = next};
    CN_ASSERT(next <= objects->name_links.count && next != position,
              "the list of objects named %s is damaged", name);
    if (next)
        objects->name_links.items[next - 1].previous = position;
    return true;
}

void cni_scene_name_index_remove(CniSceneObjects *objects, CnEntity object)
{
    uint32_t index = cn_entity_index(object);
    if (index >= objects->name_links.count || !objects->name_links.items[index].hash)
        return;
    CniSceneNameLink own = objects->name_links.items[index];
    CN_ASSERT(!own.previous || objects->name_links.items[own.previous - 1].next == index + 1,
              "the predecessor of object %u is linked to another one", index);
    CN_ASSERT(!own.next || objects->name_links.items[own.next - 1].previous == index + 1,
              "the successor of object %u is linked to another one", index);
    objects->name_links.items[index] = (CniSceneNameLink){0};
    if (own.next)
        objects->name_links.items[own.next - 1].previous = own.previous;
    if (own.previous)
        objects->name_links.items[own.previous - 1].next = own.next;
    else if (own.next)
        cn_hash_map_set(&objects->by_name, own.hash, &own.next);
    else
        cn_hash_map_remove(&objects->by_name, own.hash);
}

void cni_scene_name_index_clear(CniSceneObjects *objects)
{
    cn_hash_map_clear(&objects->by_name);
    cn_array_clear(&objects->name_links);
}

/* ---- Lookup ---- */

/* Returns the older of two objects; the first may be null. */
static CnEntity older(const CnWorld *world, CnEntity a, CnEntity b)
{
    return a.id && cni_scene_object_get(world, a)->creation_order <
                       cni_scene_object_get(world, b)->creation_order
               ? a
               : b;
}

static CnEntity root_by_scan(const CniSceneObjects *objects, CnText name)
{
    CnEntity first = CN_NO_PARENT;
    CnChunkView view;
    for (CnQueryIter it = cn_query_iter(objects->all); cn_query_next(&it, &view);) {
        const CnObject *rows = cn_column_const(&view, CnObject);
        for (uint32_t i = 0; i < view.count; i++)
            if (cni_scene_has_name(&rows[i], name) &&
                cni_scene_is_root(objects->world, view.entities[i]))
                first = older(objects->world, first, view.entities[i]);
    }
    return first;
}

CniSceneNameWalk cni_scene_name_walk_begin(const CniSceneObjects *objects, CnText name)
{
    CniSceneNameWalk walk = {.name = name};
    if (!objects || !cni_scene_objects_are_indexed(objects))
        return walk;
    const uint32_t *position = cn_hash_map_get(&objects->by_name, hash_of(name.data, name.size));
    walk.next = position ? *position : 0;
    walk.is_usable = true;
    return walk;
}

CnEntity cni_scene_name_walk_next(const CniSceneObjects *objects, CniSceneNameWalk *walk)
{
    while (walk->next) {
        CnEntity entity = cn_entity_at(objects->world, walk->next - 1);
        const CnObject *object = cni_scene_object_get(objects->world, entity);
        walk->next = objects->name_links.items[walk->next - 1].next;
        /* Names with the same hash are listed together. */
        if (object && cni_scene_has_name(object, walk->name))
            return entity;
    }
    return CN_NO_PARENT;
}

CnEntity cni_scene_name_index_find_root(const CniSceneObjects *objects, CnText name,
                                        uint32_t *steps)
{
    if (!cni_scene_objects_are_indexed(objects))
        return root_by_scan(objects, name);
    const CnWorld *world = objects->world;
    const uint32_t *position = cn_hash_map_get(&objects->by_name, hash_of(name.data, name.size));
    CnEntity first = CN_NO_PARENT;
    for (uint32_t at = position ? *position : 0; at; at = objects->name_links.items[at - 1].next) {
        CnEntity entity = cn_entity_at(world, at - 1);
        const CnObject *object = cni_scene_object_get(world, entity);
        ++*steps;
        if (object && cni_scene_has_name(object, name) && cni_scene_is_root(world, entity))
            first = older(world, first, entity);
    }
    return first;
}
