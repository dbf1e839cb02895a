#include "scene/object/first_active_object.h"

CnQuery *cni_scene_active_with(CnWorld *world, const CnType *type, CnError *error)
{
    return cn_query_acquire(world,
                            &(CnQueryDesc){.all = {{type, {0}, CN_ACCESS_READ}, cn_reads(CnObject)},
                                           .none = {cn_tag(CnInactive)}},
                            error);
}

CnEntity cni_scene_first_object(const CnQuery *active, const CnType *type,
                                bool (*accept)(const void *value))
{
    CnEntity first = {0};
    uint32_t first_depth = 0;
    uint64_t first_order = 0;
    if (!active)
        return first;
    const CnWorld *world = cn_query_world(active);
    CnComponent component = cn_component_of(world, type);
    CnChunkView view;
    for (CnQueryIter it = cn_query_iter(active); cn_query_next(&it, &view);) {
        const char *values = cn_column_by_id(&view, component, NULL);
        const CnObject *objects = cn_column_const(&view, CnObject);
        for (uint32_t i = 0; i < view.count; i++) {
            if (accept && !accept(values + (size_t)i * type->size))
                continue;
            uint32_t depth = cn_depth(world, view.entities[i]);
            if (!cn_entity_is_null(first) &&
                (depth > first_depth ||
                 (depth == first_depth && objects[i].creation_order > first_order)))
                continue;
            first = view.entities[i];
            first_depth = depth;
            first_order = objects[i].creation_order;
        }
    }
    return first;
}
