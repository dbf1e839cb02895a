/* Objects by name: objects with the same name form a linked list, by entity index. */
#include "scene/object/object_internal.h"

static uint64_t hash_of(const char *name, size_t size)
{
    uint64_t hash = cn_hash_bytes(name, size, 0);
    return hash ? hash : 1;
}

static bool reserve(CniObjects *objects, uint32_t count)
{
    if (!cn_array_reserve(&objects->namesakes, count))
        return false;
    while (objects->namesakes.count < count)
        objects->namesakes.items[objects->namesakes.count++] = (CniNamesake){0};
    return true;
}

bool cni_name_is_entered(const CniObjects *objects, CnEntity object, CnText name)
{
    uint32_t index = cn_entity_index(object);
    return index < objects->namesakes.count &&
           objects->namesakes.items[index].hash == hash_of(name.data, name.size);
}

bool cni_name_enter(CniObjects *objects, CnEntity object, const char *name)
{
    uint32_t position = cn_entity_index(object) + 1;
    uint64_t hash = hash_of(name, strlen(name));
    if (!reserve(objects, position))
        return false;
    CniNamesake *own = &objects->namesakes.items[position - 1];
    if (own->hash == hash)
        return true;
    cni_name_leave(objects, object);
    const uint32_t *first = cn_hash_map_get(&objects->by_name, hash);
    uint32_t next = first ? *first : 0;
    if (!cn_hash_map_set(&objects->by_name, hash, &position))
        return false;
    *own = (CniNamesake){.hash = hash, .next = next};
    if (next)
        objects->namesakes.items[next - 1].previous = position;
    return true;
}

void cni_name_leave(CniObjects *objects, CnEntity object)
{
    uint32_t index = cn_entity_index(object);
    if (index >= objects->namesakes.count || !objects->namesakes.items[index].hash)
        return;
    CniNamesake own = objects->namesakes.items[index];
    objects->namesakes.items[index] = (CniNamesake){0};
    if (own.next)
        objects->namesakes.items[own.next - 1].previous = own.previous;
    if (own.previous)
        objects->namesakes.items[own.previous - 1].next = own.next;
    else if (own.next)
        cn_hash_map_set(&objects->by_name, own.hash, &own.next);
    else
        cn_hash_map_remove(&objects->by_name, own.hash);
}

void cni_names_clear(CniObjects *objects)
{
    cn_hash_map_clear(&objects->by_name);
    cn_array_clear(&objects->namesakes);
}

/* ---- Lookup ---- */

/* Returns the older of two objects; the first may be null. */
static CnEntity older(const CnWorld *world, CnEntity a, CnEntity b)
{
    return a.id && cni_object(world, a)->born < cni_object(world, b)->born ? a : b;
}

static CnEntity root_by_scan(const CniObjects *objects, CnText name)
{
    CnEntity first = CN_NO_PARENT;
    CnChunkView view;
    for (CnQueryIter it = cn_query_iter(objects->all); cn_query_next(&it, &view);) {
        const CnObject *rows = cn_column_const(&view, CnObject);
        for (uint32_t i = 0; i < view.count; i++)
            if (cni_has_name(&rows[i], name) && cni_is_root(objects->world, view.entities[i]))
                first = older(objects->world, first, view.entities[i]);
    }
    return first;
}

CnEntity cni_root_by_name(const CniObjects *objects, CnText name)
{
    if (!cni_objects_are_indexed(objects))
        return root_by_scan(objects, name);
    const CnWorld *world = objects->world;
    const uint32_t *position = cn_hash_map_get(&objects->by_name, hash_of(name.data, name.size));
    CnEntity first = CN_NO_PARENT;
    for (uint32_t at = position ? *position : 0; at; at = objects->namesakes.items[at - 1].next) {
        CnEntity entity = cn_entity_at(world, at - 1);
        const CnObject *object = cni_object(world, entity);
        if (object && cni_has_name(object, name) && cni_is_root(world, entity))
            first = older(world, first, entity);
    }
    return first;
}
