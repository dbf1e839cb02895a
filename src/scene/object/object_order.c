/* Objects in order: roots, and all objects with a component. */
#include "scene/object/object_internal.h"

typedef struct OrderKey {
    uint32_t depth;
    uint64_t creation_order;
} OrderKey;

static OrderKey place_of(const CnWorld *world, CnEntity entity)
{
    return (OrderKey){cn_depth(world, entity), cni_scene_object_get(world, entity)->creation_order};
}

static bool is_before(const CnWorld *world, CnEntity a, CnEntity b)
{
    OrderKey x = place_of(world, a), y = place_of(world, b);
    return x.depth != y.depth ? x.depth < y.depth : x.creation_order < y.creation_order;
}

/* A heap whose top is the last in the order. */
static void sift_down(const CnWorld *world, CnEntity *heap, uint32_t at, uint32_t count)
{
    CnEntity moved = heap[at];
    for (uint32_t child; (child = 2 * at + 1) < count; at = child) {
        if (child + 1 < count && is_before(world, heap[child], heap[child + 1]))
            child++;
        if (!is_before(world, moved, heap[child]))
            break;
        heap[at] = heap[child];
    }
    heap[at] = moved;
}

static void sift_up(const CnWorld *world, CnEntity *heap, uint32_t at)
{
    CnEntity moved = heap[at];
    for (; at && is_before(world, heap[(at - 1) / 2], moved); at = (at - 1) / 2)
        heap[at] = heap[(at - 1) / 2];
    heap[at] = moved;
}

static void sort_heap(const CnWorld *world, CnEntity *heap, uint32_t count)
{
    while (count > 1) {
        CnEntity last = heap[--count];
        heap[count] = heap[0];
        heap[0] = last;
        sift_down(world, heap, 0, count);
    }
}

void cni_scene_objects_sort(const CnWorld *world, CnEntity *objects, uint32_t count)
{
    for (uint32_t i = 1; i < count; i++)
        sift_up(world, objects, i);
    sort_heap(world, objects, count);
}

/* Selects the first `capacity` of the offered objects without further memory. */
typedef struct First {
    const CnWorld *world;
    CnEntity *heap;
    uint32_t capacity, offered;
} First;

static void offer(First *first, CnEntity entity)
{
    uint32_t n = first->offered++;
    if (n < first->capacity) {
        first->heap[n] = entity;
        sift_up(first->world, first->heap, n);
    } else if (first->capacity && is_before(first->world, entity, first->heap[0])) {
        first->heap[0] = entity;
        sift_down(first->world, first->heap, 0, first->capacity);
    }
}

static uint32_t finish(const First *first)
{
    bool all = first->offered < first->capacity;
    sort_heap(first->world, first->heap, all ? first->offered : first->capacity);
    return first->offered;
}

uint32_t cn_object_roots(const CnWorld *world, CnEntity *roots, uint32_t capacity)
{
    CN_ASSERT(world, "%s: world is NULL", __func__);
    const CniSceneObjects *objects = cni_scene_objects_get(world);
    if (!objects)
        return 0;
    First first = {world, roots, capacity, 0};
    CnChunkView view;
    for (CnQueryIter it = cn_query_iter(objects->all); cn_query_next(&it, &view);) {
        for (uint32_t i = 0; i < view.count; i++)
            if (cni_scene_is_root(world, view.entities[i]))
                offer(&first, view.entities[i]);
    }
    return finish(&first);
}

/* Queries are kept, because creating one allocates; except queries for pairs, which end with
 * their targets. The caller releases a query that is not kept. */
static CnQuery *active_with(CnWorld *world, CnComponent component, bool *is_kept)
{
    CniSceneObjects *objects = cni_scene_objects_mut(world);
    CnComponentInfo info;
    if (!objects || !cn_component_info(world, component, &info))
        return NULL;
    CnQuery **kept = cn_hash_map_get(&objects->active_with, component.id);
    *is_kept = kept && !info.pair_kind.id;
    if (*is_kept)
        return *kept;
    CnQuery *query = cn_query_and(objects->active, (CnTerm)cn_tag_id(component), NULL);
    *is_kept =
        query && !info.pair_kind.id && cn_hash_map_set(&objects->active_with, component.id, &query);
    return query;
}

uint32_t cn_objects_with(CnWorld *world, CnComponent component, CnEntity *found, uint32_t capacity)
{
    CN_ASSERT(world, "%s: world is NULL", __func__);
    bool is_kept = false;
    CnQuery *query = active_with(world, component, &is_kept);
    if (!query)
        return 0;
    First first = {world, found, capacity, 0};
    CnChunkView view;
    for (CnQueryIter it = cn_query_iter(query); cn_query_next(&it, &view);)
        for (uint32_t i = 0; i < view.count; i++)
            offer(&first, view.entities[i]);
    if (!is_kept)
        cn_query_release(query);
    return finish(&first);
}

CnEntity cn_object_first_with(const CnWorld *world, CnEntity object, CnComponent component)
{
    CN_ASSERT(world, "%s: world is NULL", __func__);
    if (!component.id || !cn_is_alive(world, object))
        return CN_NO_PARENT;
    CnEntity e = object;
    while (e.id && !(cni_scene_object_get(world, e) && cn_has_component(world, e, component)))
        e = cni_scene_next_below(world, object, e, true);
    return e;
}

uint32_t cn_object_all_with(const CnWorld *world, CnEntity object, CnComponent component,
                            CnEntity *objects, uint32_t capacity)
{
    CN_ASSERT(world, "%s: world is NULL", __func__);
    uint32_t count = 0;
    if (!component.id || !cn_is_alive(world, object))
        return 0;
    for (CnEntity e = object; e.id; e = cni_scene_next_below(world, object, e, true)) {
        if (!cni_scene_object_get(world, e) || !cn_has_component(world, e, component))
            continue;
        if (count < capacity)
            objects[count] = e;
        count++;
    }
    return count;
}
