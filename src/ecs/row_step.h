/* Adding or removing one component: the hottest structural change, compiled into its callers. */
#ifndef CAIRN_SRC_ECS_ROW_STEP_H
#define CAIRN_SRC_ECS_ROW_STEP_H

#include "store.h"

/* Moves a live entity's row along an edge that is plain. `value` is the added component's (NULL: its
 * default). False when out of memory, and nothing changed. */
CN_FORCE_INLINE bool cni_row_step(CnWorld *world, Slot *slot, CnEntity entity, const Edge *edge,
                                  const void *value)
{
    Archetype *to = edge->to;
    if (CN_UNLIKELY(!cni_rows_make_room(world, to)))
        return false;
    Place hole = cni_place(slot->location);
    CniChunk *chunks = world->chunks.items;
    CniChunk *source = &chunks[hole.chunk], *target = &chunks[to->head.tail];
    Archetype *from = cni_chunk_archetype(source);
    CniChunk *last = &chunks[from->head.tail];
    /* All chunks of one archetype have the same capacity. */
    const size_t capacity = source->capacity, to_capacity = target->capacity;
    const size_t to_row = target->count++, last_row = --last->count;
    uint8_t *const target_data = target->data, *const source_data = source->data;
    uint8_t *const last_data = last->data;
    source->changed = last->changed = target->changed = world->head.tick;
    ((CnEntity *)(void *)target_data)[to_row] = entity;
    slot->location = cni_location((Place){to->head.tail, (uint32_t)to_row});
    const CopyStep *step = edge->steps;
    uint32_t steps = edge->step_count;
    if (CN_LIKELY(source != last || hole.row != last_row)) {
        CnEntity moved = ((const CnEntity *)(const void *)last_data)[last_row];
        ((CnEntity *)(void *)source_data)[hole.row] = moved;
        cni_world_slot(world, cn_entity_index(moved))->location = cni_location(hole);
        for (; steps; steps--, step++) {
            size_t size = step->size;
            uint8_t *column = source_data + step->from * capacity;
            uint8_t *at = column + hole.row * size;
            cni_copy(target_data + step->to * to_capacity + to_row * size, at, size);
            cni_copy(at, last_data + step->from * capacity + last_row * size, size);
        }
        if (edge->size && !edge->adds)
            cni_copy(source_data + edge->prefix * capacity + hole.row * (size_t)edge->size,
                     last_data + edge->prefix * capacity + last_row * edge->size, edge->size);
    } else {
        for (; steps; steps--, step++) {
            size_t size = step->size;
            cni_copy(target_data + step->to * to_capacity + to_row * size,
                     source_data + step->from * capacity + hole.row * size, size);
        }
    }
    if (edge->size && edge->adds) {
        uint8_t *at = target_data + edge->prefix * to_capacity + to_row * edge->size;
        if (!value)
            value = world->components.items[edge->component].info.default_value;
        if (value)
            cni_copy(at, value, edge->size);
        else
            memset(at, 0, edge->size);
    }
    if (CN_UNLIKELY(last_row == 0))
        cni_rows_drop_last_chunk(world, from);
    cni_structure_changed(world);
    return true;
}

#endif
