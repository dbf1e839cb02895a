/* Adding or removing one component: the most frequent structural change. Its cost is the number of
 * instructions, so there is one function for each kind of edge, and rare cases are handled
 * elsewhere. */
#include "ecs/world/world_internal.h"

/* The rows that move: the entity's row to a new one, and the last row of its archetype into the
 * hole, which may be that row itself. */
typedef struct Rows {
    uint8_t *target, *source;
    const uint8_t *last; /* data of the extents that contain the rows */
    size_t target_row, hole, last_row;
} Rows;

CN_FORCE_INLINE void move_values(const CniEcsCopyStep *step, size_t size, uint8_t *to,
                                 uint8_t *hole, const uint8_t *last)
{
    size_t from = step->from;
    cni_ecs_copy_value(to + step->to, hole + from, size);
    cni_ecs_copy_value(hole + from, last + from, size);
}

/* Moves `count` columns whose size is known at compile time. */
CN_FORCE_INLINE const CniEcsCopyStep *move_columns(Rows rows, const CniEcsCopyStep *step,
                                                   uint32_t count, size_t size)
{
    uint8_t *to = rows.target + rows.target_row * size, *hole = rows.source + rows.hole * size;
    const uint8_t *last = rows.last + rows.last_row * size;
    /* Keeps the sums in registers; otherwise the compiler would recompute them for every column. */
    __asm__("" : "+r"(to), "+r"(hole), "+r"(last));
    for (const CniEcsCopyStep *end = step + count; step < end; step++)
        move_values(step, size, to, hole, last);
    return step;
}

/* The rest of a step if all columns have 12 bytes. A separate function has enough registers. */
static CN_NOINLINE bool move_vectors(uint8_t *to, uint8_t *hole, const uint8_t *last,
                                     const CniEcsCopyPlan *plan)
{
    const CniEcsCopyStep *step = plan->steps;
    for (uint32_t count = plan->count; count; count--, step++)
        move_values(step, 12, to, hole, last);
    return true;
}

static CN_NOINLINE void move_any_columns(Rows rows, const CniEcsCopyStep *step,
                                         const CniEcsCopyStep *end)
{
    for (; step < end; step++) {
        size_t size = step->size;
        uint8_t *hole = rows.source + step->from + rows.hole * size;
        memcpy(rows.target + step->to + rows.target_row * size, hole, size);
        memmove(hole, rows.last + step->from + rows.last_row * size, size);
    }
}

CN_FORCE_INLINE void move_mixed_columns(Rows rows, const CniEcsCopyPlan *plan)
{
    const CniEcsCopyStep *step = plan->steps, *end = step + plan->count;
    step = move_columns(rows, step, plan->counts[CNI_ECS_STEPS_12], 12);
    step = move_columns(rows, step, plan->counts[CNI_ECS_STEPS_4], 4);
    step = move_columns(rows, step, plan->counts[CNI_ECS_STEPS_8], 8);
    step = move_columns(rows, step, plan->counts[CNI_ECS_STEPS_16], 16);
    if (CN_UNLIKELY(step != end))
        move_any_columns(rows, step, end);
}

/* Handles the column that is removed. */
CN_FORCE_INLINE void fill_hole(Rows rows, const CniEcsCopyPlan *plan)
{
    uint8_t *hole = rows.source + plan->offset + rows.hole * plan->size;
    const uint8_t *last = rows.last + plan->offset + rows.last_row * plan->size;
    if (CN_LIKELY(hole != last))
        cni_ecs_copy_value(hole, last, plan->size);
}

/* Writes the column that is added. */
CN_FORCE_INLINE void write_value(const CnWorld *world, const CniEcsArchetypeEdge *edge, uint8_t *to,
                                 const void *value)
{
    size_t size = edge->plan->size;
    if (!value)
        value = world->components.items[edge->component].info.default_value;
    if (value)
        cni_ecs_copy_recent_value(to, value, size);
    else
        memset(to, 0, size);
}

/* Handles steps that add or remove a chunk. */
static CN_NOINLINE bool step_slowly(CnWorld *world, CniEcsSlot *slot, CnEntity entity,
                                    const CniEcsArchetypeEdge *edge, const void *value)
{
    if (!cni_ecs_row_move(world, slot, entity, edge->to))
        return false;
    const CniEcsColumn *column = value ? cni_ecs_archetype_column(edge->to, edge->component) : NULL;
    CniEcsRowRef place = cni_ecs_row_ref(slot->location);
    if (column)
        cni_ecs_value_write(&world->head.chunks[place.chunk], column, place.row, value);
    return true;
}

typedef enum Toggled { TAG, ADDED, REMOVED } Toggled;
typedef enum Sizes { VECTORS, MIXED } Sizes; /* VECTORS: all columns have 12 bytes */

CN_FORCE_INLINE bool step(CnWorld *world, CniEcsSlot *slot, CnEntity entity,
                          const CniEcsArchetypeEdge *edge, const void *value, CniEcsChunk *source,
                          Toggled toggled, Sizes sizes)
{
    CniEcsChunk *chunks = world->head.chunks;
    uint32_t tail = edge->to->head.tail;
    CniEcsChunk *target = &chunks[tail], *last = &chunks[edge->from->head.tail];
    if (CN_UNLIKELY(tail == CNI_ECS_NO_CHUNK || target->count == target->capacity ||
                    last->count == 1))
        return step_slowly(world, slot, entity, edge, value);
    /* Ordered so that few values must be kept in registers. */
    const uint64_t tick = world->head.tick;
    Rows rows;
    rows.last_row = (size_t)last->first + --last->count;
    last->changed = tick;
    rows.last = last->data;
    const CnEntity moved = ((const CnEntity *)(const void *)rows.last)[rows.last_row];
    const uint32_t location = slot->location;
    rows.hole = (size_t)source->first + cni_ecs_row_ref(location).row;
    source->changed = tick;
    rows.source = source->data;
    ((CnEntity *)(void *)rows.source)[rows.hole] = moved;
    cni_ecs_world_slot(world, cn_entity_index(moved))->location = location;
    const uint32_t row = target->count++;
    rows.target_row = (size_t)target->first + row;
    target->changed = tick;
    rows.target = target->data;
    ((CnEntity *)(void *)rows.target)[rows.target_row] = entity;
    /* Written after the slot of the moved row, because it may be the same slot. */
    slot->location = cni_ecs_row_ref_pack((CniEcsRowRef){tail, row});
    cni_ecs_structure_changed(world);
    const CniEcsCopyPlan *plan = edge->plan;
    if (toggled == REMOVED)
        fill_hole(rows, plan);
    else if (toggled == ADDED)
        write_value(world, edge, rows.target + plan->offset + rows.target_row * plan->size, value);
    if (sizes == VECTORS)
        return move_vectors(rows.target + rows.target_row * 12, rows.source + rows.hole * 12,
                            rows.last + rows.last_row * 12, plan);
    move_mixed_columns(rows, plan);
    return true;
}

#define STEP(name, toggled, sizes)                                                                 \
    static bool name(CnWorld *world, CniEcsSlot *slot, CnEntity entity,                            \
                     const CniEcsArchetypeEdge *edge, const void *value, CniEcsChunk *source)      \
    {                                                                                              \
        return step(world, slot, entity, edge, value, source, toggled, sizes);                     \
    }
STEP(step_tag, TAG, VECTORS)
STEP(step_tag_mixed, TAG, MIXED)
STEP(step_add, ADDED, VECTORS)
STEP(step_add_mixed, ADDED, MIXED)
STEP(step_remove, REMOVED, VECTORS)
STEP(step_remove_mixed, REMOVED, MIXED)

CniEcsMoveRowFn *cni_ecs_edge_step(const CniEcsArchetypeEdge *edge)
{
    static CniEcsMoveRowFn *const steps[][2] = {
        [TAG] = {step_tag, step_tag_mixed},
        [ADDED] = {step_add, step_add_mixed},
        [REMOVED] = {step_remove, step_remove_mixed},
    };
    const CniEcsCopyPlan *plan = edge->plan;
    Toggled toggled = !plan->size                                        ? TAG
                      : cni_ecs_archetype_has(edge->to, edge->component) ? ADDED
                                                                         : REMOVED;
    return steps[toggled][plan->count == plan->counts[CNI_ECS_STEPS_12] ? VECTORS : MIXED];
}
