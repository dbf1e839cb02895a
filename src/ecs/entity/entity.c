#include "ecs/world/world_internal.h"

/* ---- Creating ---- */

CniEcsArchetype *cni_ecs_archetype_of_values(CnWorld *world, const CnValue *values, uint32_t count,
                                             uint32_t *ids)
{
    CN_ASSERT(count <= CN_MAX_VALUES, "%u values; the limit is %u", count, CN_MAX_VALUES);
    if (count > CN_MAX_VALUES)
        return NULL;
    CniEcsArchetype *archetype = world->archetypes.items[0];
    for (uint32_t i = 0; i < count && archetype; i++) {
        ids[i] = cni_ecs_value_component(world, values[i].type, values[i].component);
        if (!cni_ecs_may_change(world, ids[i]))
            return NULL;
        if (!cni_ecs_archetype_has(archetype, ids[i]))
            archetype = cni_ecs_archetype_toggle(world, archetype, ids[i]);
    }
    return archetype;
}

/* Performs everything that can fail, because taking an index and returning it would change the
 * order of indices. Reservations of command buffers are resolved before an index is assigned
 * here. */
static inline bool reserve(CnWorld *world, CniEcsArchetype *archetype)
{
    CniEcsSlots *slots = &world->slots;
    return (CN_LIKELY(!slots->reserved) || cni_ecs_commands_resolve_ids(world)) &&
           (CN_LIKELY(slots->free.count) || cni_ecs_slots_reserve_numbers(slots, 1)) &&
           cni_ecs_rows_reserve_one(world, archetype);
}

static inline CnEntity create_in(CnWorld *world, CniEcsArchetype *archetype, CniEcsRowRef *place)
{
    uint32_t index;
    if (!reserve(world, archetype) || !cni_ecs_slot_acquire(&world->slots, &index))
        return (CnEntity){0};
    CniEcsSlot *slot = cni_ecs_slots_at(&world->slots, index);
    CnEntity entity = cn_entity_make(index, slot->generation);
    cni_ecs_row_append(world, archetype, entity, slot, place);
    cni_ecs_structure_changed(world);
    return entity;
}

void cni_ecs_hooks_spawned(CnWorld *world, CnEntity entity, const CniEcsArchetype *archetype,
                           const CnValue *values, const uint32_t *ids, uint32_t count)
{
    cni_ecs_hooks_added(world, entity, NULL, archetype);
    for (uint32_t i = 0; i < count; i++)
        if (values[i].data)
            cni_ecs_hook_set(world, entity, ids[i]);
}

CnEntity cn_entity_create(CnWorld *world)
{
    CN_ASSERT(world, "%s: world is NULL", __func__);
    return cn_spawn_values(world, NULL, 0);
}

/* The id of a pair may be reused, so a component that is given by id never matches. */
static const CnType no_type;

static bool has_shape(const CniEcsSpawnCache *shape, const CnValue *values, uint32_t count)
{
    if (!shape->archetype || shape->count != count)
        return false;
    for (uint32_t i = 0; i < count; i++)
        if (shape->types[i] != values[i].type)
            return false;
    return true;
}

static bool find_shape(CnWorld *world, const CnValue *values, uint32_t count)
{
    CniEcsSpawnCache *shape = &world->spawn_cache;
    shape->archetype = cni_ecs_archetype_of_values(world, values, count, shape->ids);
    shape->count = count;
    shape->all_vectors = true;
    for (uint32_t i = 0; shape->archetype && i < count; i++) {
        const CniEcsColumn *column = cni_ecs_archetype_column(shape->archetype, shape->ids[i]);
        shape->types[i] = values[i].type ? values[i].type : &no_type;
        shape->columns[i] = column;
        shape->all_vectors &= column && column->size == 12 && !column->field_count;
    }
    return shape->archetype != NULL;
}

/* Spawns inside a hook. Commands do not register types, but a spawn does. */
static CnEntity spawn_later(CnWorld *world, const CnValue *values, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        if (!cni_ecs_value_component(world, values[i].type, values[i].component))
            return (CnEntity){0};
    return cn_defer_spawn_values(world->hook_commands, values, count);
}

static __attribute__((noinline)) CnEntity spawn_slowly(CnWorld *world, const CnValue *values,
                                                       uint32_t count)
{
    if (CN_UNLIKELY(world->hook_depth))
        return spawn_later(world, values, count);
    const CniEcsSpawnCache *shape = &world->spawn_cache;
    if (!has_shape(shape, values, count) && !find_shape(world, values, count))
        return (CnEntity){0};
    CniEcsRowRef place = {0, 0};
    CnEntity entity = create_in(world, shape->archetype, &place);
    if (CN_UNLIKELY(!entity.id))
        return entity;
    const CniEcsChunk *chunk = &world->chunks.items[place.chunk];
    for (uint32_t i = 0; i < count; i++) {
        const CniEcsColumn *column = shape->columns[i];
        if (CN_LIKELY(column && values[i].data))
            cni_ecs_value_write(chunk, column, place.row, values[i].data);
        else if (column)
            cni_ecs_values_write(world, chunk, column, place.row, 1, NULL, 0);
    }
    if (CN_UNLIKELY(shape->archetype->hook_flags)) {
        CniEcsSpawnCache copy = *shape; /* hooks may spawn and thereby change it */
        cni_ecs_hooks_spawned(world, entity, copy.archetype, values, copy.ids, count);
        cni_ecs_hooks_flush(world);
    }
    return entity;
}

/* Writes the values of a row while comparing their components with the last spawn. Returns false if
 * they differ. */
CN_FORCE_INLINE bool write_alike(const CniEcsSpawnCache *shape, const CnValue *values,
                                 uint32_t count, uint8_t *data, size_t extent_row, bool all_vectors)
{
    uint8_t *const row_12 = data + extent_row * 12;
    for (uint32_t i = 0; i < count; i++) {
        const CniEcsColumn *column = shape->columns[i];
        const void *value = values[i].data;
        if (CN_UNLIKELY(shape->types[i] != values[i].type || ((all_vectors || column) && !value)))
            return false;
        if (all_vectors)
            cni_ecs_copy_value_inline(row_12 + column->offset, value, 12);
        else if (column)
            cni_ecs_copy_value_inline(data + column->offset + extent_row * column->size, value,
                                      column->size);
    }
    return true;
}

/* Fast path: spawns an entity like the last one if a slot and a row are available. The values are
 * written before the row is taken. It makes no calls; see cn_destroy. */
CN_FORCE_INLINE CnEntity spawn_alike(CnWorld *world, const CnValue *values, uint32_t count,
                                     bool all_vectors)
{
    const CniEcsSpawnCache *shape = &world->spawn_cache;
    const CniEcsArchetype *archetype = shape->archetype;
    CniEcsSlots *slots = &world->slots;
    if (CN_UNLIKELY(!archetype || shape->count != count || !slots->free.count || slots->reserved ||
                    world->hook_depth || archetype->hook_flags || archetype->has_field_columns ||
                    archetype->head.tail == CNI_ECS_NO_CHUNK))
        return spawn_slowly(world, values, count);
    CniEcsChunk *chunk = &world->head.chunks[archetype->head.tail];
    uint8_t *const data = chunk->data;
    const size_t row = chunk->count, extent_row = chunk->first + row;
    if (CN_UNLIKELY(row == chunk->capacity ||
                    !write_alike(shape, values, count, data, extent_row, all_vectors)))
        return spawn_slowly(world, values, count);
    uint32_t index = slots->free.items[--slots->free.count];
    CniEcsSlot *slot = cni_ecs_world_slot(world, index);
    CnEntity entity = cn_entity_make(index, slot->generation + 1);
    *slot = (CniEcsSlot){slot->generation + 1,
                         cni_ecs_row_ref_pack((CniEcsRowRef){archetype->head.tail, (uint32_t)row})};
    slots->alive++;
    ((CnEntity *)(void *)data)[extent_row] = entity;
    chunk->count = (uint16_t)(row + 1);
    chunk->changed = world->head.tick;
    cni_ecs_structure_changed(world);
    return entity;
}

static CN_NOINLINE CnEntity spawn_mixed(CnWorld *world, const CnValue *values, uint32_t count)
{
    return spawn_alike(world, values, count, false);
}

/* Vectors are the most frequent components; without other sizes, fewer registers are needed. */
CnEntity cn_spawn_values(CnWorld *world, const CnValue *values, uint32_t count)
{
    CN_ASSERT(world, "%s: world is NULL", __func__);
    if (CN_UNLIKELY(!world->spawn_cache.all_vectors))
        return spawn_mixed(world, values, count);
    return spawn_alike(world, values, count, true);
}

/* ---- Destroying ---- */

static void destroy_single(CnWorld *world, CnEntity entity, CniEcsSlot *slot)
{
    uint32_t index = cn_entity_index(entity);
    const CniEcsArchetype *archetype =
        cni_ecs_chunk_archetype(&world->chunks.items[cni_ecs_row_ref(slot->location).chunk]);
    if (CN_UNLIKELY(cn_bitset_has(&world->pair_targets, index))) {
        /* Done first, so that the hook of a pair with itself is called once. */
        cni_ecs_pairs_target_died(world, entity);
        archetype =
            cni_ecs_chunk_archetype(&world->chunks.items[cni_ecs_row_ref(slot->location).chunk]);
    }
    cni_ecs_hooks_removed(world, entity, archetype, NULL);
    if (archetype->has_node)
        cni_ecs_node_unlink(world, entity);
    if (CN_UNLIKELY(cn_bitset_has(&world->pair_targets, index)))
        cni_ecs_pairs_target_died(world, entity); /* pairs that hooks have created */
    cni_ecs_row_remove(world, cni_ecs_row_ref(slot->location));
    cni_ecs_slot_release(&world->slots, index);
    cni_ecs_structure_changed(world);
}

/* Children first, deepest first, so that every hook still finds its parent alive. */
static void destroy_subtree(CnWorld *world, CnEntity root)
{
    CnEntity entity = root;
    for (;;) {
        CnEntity child = cn_first_child(world, entity);
        if (!cn_entity_is_null(child)) {
            entity = child;
            continue;
        }
        CnEntity parent = cn_parent(world, entity);
        destroy_single(world, entity, cni_ecs_live_slot(world, entity));
        if (cn_entity_equal(entity, root))
            return;
        entity = parent;
    }
}

bool cni_ecs_entity_destroy_now(CnWorld *world, CnEntity entity)
{
    CniEcsSlot *slot = cni_ecs_live_slot(world, entity);
    if (CN_UNLIKELY(!slot))
        return false;
    CniEcsRowRef place = cni_ecs_row_ref(slot->location);
    const CniEcsArchetype *archetype = cni_ecs_chunk_archetype(&world->chunks.items[place.chunk]);
    if (archetype->has_node) {
        destroy_subtree(world, entity);
    } else if (CN_UNLIKELY(archetype->hook_flags & CNI_ECS_HOOK_ANY_EXIT) ||
               CN_UNLIKELY(cn_bitset_has(&world->pair_targets, cn_entity_index(entity)))) {
        destroy_single(world, entity, slot);
    } else {
        cni_ecs_row_remove(world, place);
        cni_ecs_slot_release(&world->slots, cn_entity_index(entity));
        cni_ecs_structure_changed(world);
    }
    return true;
}

static __attribute__((noinline)) bool destroy_slowly(CnWorld *world, CnEntity entity)
{
    if (CN_UNLIKELY(world->hook_depth))
        return (cn_is_alive(world, entity) || cni_ecs_slot_is_reserved(&world->slots, entity)) &&
               cn_defer_destroy(world->hook_commands, entity);
    if (!cni_ecs_entity_destroy_now(world, entity))
        return false;
    if (CN_UNLIKELY(world->has_commands))
        cni_ecs_hooks_flush(world);
    return true;
}

/* Copies the remaining columns of the last row. Returns true, so that it can be a tail call. */
static __attribute__((noinline)) bool fill_hole(const CniEcsChunk *chunk, uint32_t row,
                                                const CniEcsChunk *last, const CniEcsColumn *column,
                                                const CniEcsColumn *end)
{
    const size_t last_row = last->count;
    if (chunk == last && row == last_row)
        return true;
    for (; column < end; column++) {
        size_t size = column->size;
        cni_ecs_copy_value(cni_ecs_column_values(chunk, column) + row * size,
                           cni_ecs_column_values(last, column) + last_row * size, size);
    }
    return true;
}

static __attribute__((noinline)) bool destroy_other(CnWorld *world, CnEntity entity,
                                                    CniEcsArchetype *archetype)
{
    world->likely_archetype = archetype;
    return cn_destroy(world, entity);
}

/* Fast path for an entity without further dependencies, in a row that is not the last of its chunk.
 * The speed depends on how many destructions the CPU has in flight, so that their cache misses
 * overlap. This path therefore makes no calls and assumes the archetype of the last destruction, so
 * that few instructions wait for the entity's slot, which is rarely cached. */
bool cn_destroy(CnWorld *world, CnEntity entity)
{
    CniEcsSlot *slot = cni_ecs_live_slot(world, entity);
    if (CN_UNLIKELY(!slot))
        return destroy_slowly(world, entity);
    CniEcsChunk *chunks = world->head.chunks;
    const uint32_t location = slot->location;
    CniEcsChunk *chunk = &chunks[location >> CNI_ECS_ROW_BITS];
    /* Read twice; otherwise the compiler would use the chunk's archetype, since both are equal. */
    const CniEcsArchetype *archetype = world->likely_archetype;
    if (CN_UNLIKELY(cni_ecs_chunk_archetype(chunk) !=
                    *(CniEcsArchetype *volatile *)&world->likely_archetype))
        return destroy_other(world, entity, cni_ecs_chunk_archetype(chunk));
    CniEcsChunk *last = &chunks[archetype->head.tail];
    CniEcsSlots *slots = &world->slots;
    if (CN_UNLIKELY(archetype->hook_flags || archetype->has_node || archetype->has_field_columns ||
                    world->hook_depth || world->pair_targets.word_count || last->count < 2 ||
                    slot->generation + 1 == 0 || slots->free.count == slots->free.capacity))
        return destroy_slowly(world, entity);
    slot->generation++;
    slots->alive--;
    slots->free.items[slots->free.count++] = cn_entity_index(entity);
    cni_ecs_structure_changed(world);
    chunk->changed = last->changed = world->head.tick;
    const size_t row = location & (CN_CHUNK_MAX_ROWS - 1u), last_row = --last->count;
    CnEntity *hole = cni_ecs_chunk_entities(chunk) + row,
             moved = cni_ecs_chunk_entities(last)[last_row];
    *hole = moved;
    cni_ecs_world_slot(world, cn_entity_index(moved))->location = location;
    /* Vectors are the most frequent columns. */
    uint8_t *const hole_12 = chunk->data + (chunk->first + row) * 12;
    const uint8_t *const last_12 = last->data + (last->first + last_row) * 12;
    const CniEcsColumn *column = archetype->columns, *end = column + archetype->column_count;
    for (; column < end; column++) {
        if (CN_UNLIKELY(column->size != 12))
            return fill_hole(chunk, (uint32_t)row, last, column, end);
        size_t offset = column->offset;
        memcpy(hole_12 + offset, last_12 + offset, 8);
        memcpy(hole_12 + offset + 8, last_12 + offset + 8, 4);
    }
    return true;
}

uint32_t cn_destroy_many(CnWorld *world, const CnEntity *entities, uint32_t count)
{
    CN_ASSERT(world, "%s: world is NULL", __func__);
    uint32_t destroyed = 0;
    for (uint32_t i = 0; i < count; i++)
        destroyed += cn_destroy(world, entities[i]);
    return destroyed;
}

uint32_t cn_entity_count(const CnWorld *world)
{
    CN_ASSERT(world, "%s: world is NULL", __func__);
    return world->slots.alive;
}

/* ---- Components of one entity ---- */

typedef struct Found {
    CniEcsSlot *slot;
    CniEcsChunk *chunk;
    CniEcsArchetype *archetype;
    uint32_t row;
} Found;

static inline bool find(const CnWorld *world, CnEntity entity, Found *found)
{
    found->slot = cni_ecs_live_slot(world, entity);
    if (CN_UNLIKELY(!found->slot))
        return false;
    CniEcsRowRef place = cni_ecs_row_ref(found->slot->location);
    found->chunk = &world->chunks.items[place.chunk];
    found->archetype = cni_ecs_chunk_archetype(found->chunk);
    found->row = place.row;
    return true;
}

/* For changes that found no live entity. Returns true if the change must be recorded because the
 * entity was spawned by the current hook; otherwise it is a mistake of the caller. */
static bool comes_later(const CnWorld *world, CnEntity entity)
{
    bool later = world->hook_depth && cni_ecs_slot_is_reserved(&world->slots, entity);
    CN_ASSERT(later, "change of entity %u:%u, which %s", cn_entity_index(entity),
              cn_entity_generation(entity),
              cni_ecs_slot_was_used(&world->slots, entity) ? "is dead"
                                                           : "this world never created");
    return later;
}

/* Returns the edge that can be followed without checks and hooks; NULL selects the slow path. */
static const CniEcsArchetypeEdge *quick_edge(CnWorld *world, const CniEcsArchetype *from,
                                             uint32_t component, CniEcsEdgeKind edge_kind)
{
    const CniEcsArchetypeEdge *edge = cni_ecs_archetype_edge(from, component);
    if (!edge || edge->edge_kind != edge_kind || world->hook_depth)
        return NULL;
    world->last_edges[edge_kind] = edge;
    return edge;
}

/* Whether the last change of its kind took the edge that this change needs. Successive changes are
 * usually alike, and the CPU can speculate along that edge before it has found the entity. */
static inline bool is_last_edge(const CnWorld *world, const CniEcsArchetypeEdge *edge,
                                const CniEcsArchetype *from, uint32_t component,
                                CniEcsEdgeKind edge_kind)
{
    return CN_LIKELY(edge->from == from && edge->component == component &&
                     edge->edge_kind == edge_kind && !world->hook_depth);
}

/* Moves an entity along an edge, with or without hooks. */
static bool follow(CnWorld *world, CniEcsSlot *slot, CnEntity entity, CniEcsArchetype *from,
                   uint32_t component)
{
    CniEcsArchetype *to = cni_ecs_archetype_toggle(world, from, component);
    if (!to || !cni_ecs_rows_reserve_one(world, to))
        return false;
    cni_ecs_hooks_removed(world, entity, from, to);
    /* Callbacks move no rows, but they may reallocate the tables. */
    const CniEcsArchetypeEdge *edge = cni_ecs_archetype_edge(from, component);
    CniEcsChunk *chunk = &world->chunks.items[cni_ecs_row_ref(slot->location).chunk];
    return edge && edge->plan ? edge->step(world, slot, entity, edge, NULL, chunk)
                              : cni_ecs_row_move(world, slot, entity, to);
}

static CN_NOINLINE bool add_slowly(CnWorld *world, CnEntity entity, CnComponent component)
{
    Found found;
    if (!find(world, entity, &found))
        return comes_later(world, entity) &&
               cn_defer_add_component(world->hook_commands, entity, component);
    const CniEcsArchetypeEdge *edge =
        quick_edge(world, found.archetype, component.id, CNI_ECS_EDGE_ADDS);
    if (CN_LIKELY(edge != NULL))
        return edge->step(world, found.slot, entity, edge, NULL, found.chunk);
    if (!cni_ecs_may_change(world, component.id))
        return false;
    CniEcsArchetype *from = found.archetype;
    if (world->hook_depth) /* even if it exists: an earlier change of the hook may remove it */
        return cn_defer_add_component(world->hook_commands, entity, component);
    if (cni_ecs_archetype_has(from, component.id))
        return true;
    if (!follow(world, found.slot, entity, from, component.id))
        return false;
    find(world, entity, &found);
    cni_ecs_hooks_added(world, entity, from, found.archetype);
    cni_ecs_hooks_flush(world);
    return true;
}

bool cn_add_component(CnWorld *world, CnEntity entity, CnComponent component)
{
    CN_ASSERT(world, "%s: world is NULL", __func__);
    Found found;
    const CniEcsArchetypeEdge *edge = world->last_edges[CNI_ECS_EDGE_ADDS];
    if (CN_LIKELY(find(world, entity, &found) &&
                  is_last_edge(world, edge, found.archetype, component.id, CNI_ECS_EDGE_ADDS)))
        return edge->step(world, found.slot, entity, edge, NULL, found.chunk);
    return add_slowly(world, entity, component);
}

static CN_NOINLINE bool set_slowly(CnWorld *world, CnEntity entity, CnComponent component,
                                   const void *value)
{
    Found found;
    if (!find(world, entity, &found))
        return comes_later(world, entity) &&
               cn_defer_set_component(world->hook_commands, entity, component, value);
    const CniEcsArchetypeEdge *edge =
        quick_edge(world, found.archetype, component.id, CNI_ECS_EDGE_ADDS);
    if (CN_LIKELY(edge != NULL))
        return edge->step(world, found.slot, entity, edge, value, found.chunk);
    if (!cni_ecs_may_change(world, component.id))
        return false;
    CniEcsArchetype *from = found.archetype;
    bool has = cni_ecs_archetype_has(from, component.id);
    if (world->hook_depth && (!has || world->hook_removed))
        return cn_defer_set_component(world->hook_commands, entity, component, value);
    if (!has) {
        if (!follow(world, found.slot, entity, from, component.id))
            return false;
        find(world, entity, &found);
    }
    const CniEcsColumn *column = cni_ecs_archetype_column(found.archetype, component.id);
    CN_ASSERT(!column || cni_ecs_may_write(world, component.id), "%s",
              cni_ecs_access_text(world, component.id, "write"));
    if (column && value) {
        cni_ecs_value_write(found.chunk, column, found.row, value);
        cni_ecs_column_changed(world, found.chunk, column);
    }
    cni_ecs_hooks_added(world, entity, from, found.archetype);
    cni_ecs_hook_set(world, entity, component.id);
    cni_ecs_hooks_flush(world);
    return true;
}

bool cn_set_component(CnWorld *world, CnEntity entity, CnComponent component, const void *value)
{
    CN_ASSERT(world, "%s: world is NULL", __func__);
    Found found;
    const CniEcsArchetypeEdge *edge = world->last_edges[CNI_ECS_EDGE_ADDS];
    if (CN_LIKELY(find(world, entity, &found) &&
                  is_last_edge(world, edge, found.archetype, component.id, CNI_ECS_EDGE_ADDS)))
        return edge->step(world, found.slot, entity, edge, value, found.chunk);
    return set_slowly(world, entity, component, value);
}

static CN_NOINLINE bool remove_slowly(CnWorld *world, CnEntity entity, CnComponent component)
{
    Found found;
    if (!find(world, entity, &found))
        return comes_later(world, entity) &&
               cn_defer_remove_component(world->hook_commands, entity, component);
    const CniEcsArchetypeEdge *edge =
        quick_edge(world, found.archetype, component.id, CNI_ECS_EDGE_REMOVES);
    if (CN_LIKELY(edge != NULL))
        return edge->step(world, found.slot, entity, edge, NULL, found.chunk);
    CniEcsArchetype *from = found.archetype;
    if (!component.id)
        return true;
    if (world->hook_depth) {
        world->hook_removed = true;
        return cn_defer_remove_component(world->hook_commands, entity, component);
    }
    if (!cni_ecs_archetype_has(from, component.id))
        return true;
    if (!cni_ecs_may_change(world, component.id))
        return false;
    if (!follow(world, found.slot, entity, from, component.id))
        return false;
    find(world, entity, &found);
    cni_ecs_hooks_added(world, entity, from, found.archetype); /* for observers that exclude it */
    cni_ecs_hooks_flush(world);
    return true;
}

bool cn_remove_component(CnWorld *world, CnEntity entity, CnComponent component)
{
    CN_ASSERT(world, "%s: world is NULL", __func__);
    Found found;
    const CniEcsArchetypeEdge *edge = world->last_edges[CNI_ECS_EDGE_REMOVES];
    if (CN_LIKELY(find(world, entity, &found) &&
                  is_last_edge(world, edge, found.archetype, component.id, CNI_ECS_EDGE_REMOVES)))
        return edge->step(world, found.slot, entity, edge, NULL, found.chunk);
    return remove_slowly(world, entity, component);
}

static bool defer_change(CnWorld *world, CnEntity entity, const CnChange *change)
{
    bool done = true;
    world->hook_removed |= change->remove_count > 0;
    for (uint32_t i = 0; i < change->remove_count; i++)
        done &= cn_defer_remove_component(world->hook_commands, entity, change->remove[i]);
    for (uint32_t i = 0; i < change->set_count; i++) {
        const CnValue *value = &change->set[i];
        CnComponent id = {cni_ecs_value_component(world, value->type, value->component)};
        done &= value->data ? cn_defer_set_component(world->hook_commands, entity, id, value->data)
                            : cn_defer_add_component(world->hook_commands, entity, id);
    }
    return done;
}

/* A component that is removed and added again by the same change starts from its default. */
static bool starts_anew(const CnChange *change, const uint32_t *ids, uint32_t i)
{
    for (uint32_t j = 0; j < i; j++)
        if (ids[j] == ids[i])
            return false;
    for (uint32_t j = 0; j < change->remove_count; j++)
        if (change->remove[j].id == ids[i])
            return true;
    return false;
}

bool cn_change(CnWorld *world, CnEntity entity, const CnChange *change)
{
    CN_ASSERT(world, "%s: world is NULL", __func__);
    CN_ASSERT(change, "%s: change is NULL", __func__);
    uint32_t ids[CN_MAX_VALUES];
    Found found;
    CN_ASSERT(change->set_count <= CN_MAX_VALUES, "%u values; the limit is %u", change->set_count,
              CN_MAX_VALUES);
    bool alive = find(world, entity, &found);
    if (change->set_count > CN_MAX_VALUES || (!alive && !comes_later(world, entity)))
        return false;
    if (CN_UNLIKELY(!alive || world->hook_depth))
        return defer_change(world, entity, change);
    CniEcsArchetype *from = found.archetype, *to = from;
    for (uint32_t i = 0; i < change->remove_count && to; i++)
        if (cni_ecs_archetype_has(to, change->remove[i].id)) {
            if (!cni_ecs_may_change(world, change->remove[i].id))
                return false;
            to = cni_ecs_archetype_toggle(world, to, change->remove[i].id);
        }
    for (uint32_t i = 0; i < change->set_count && to; i++) {
        ids[i] = cni_ecs_value_component(world, change->set[i].type, change->set[i].component);
        if (!cni_ecs_may_change(world, ids[i]))
            return false;
        if (!cni_ecs_archetype_has(to, ids[i]))
            to = cni_ecs_archetype_toggle(world, to, ids[i]);
    }
    if (!to)
        return false;
    if (to != from) {
        if (!cni_ecs_rows_reserve_one(world, to))
            return false;
        cni_ecs_hooks_removed(world, entity, from, to);
        cni_ecs_row_move(world, found.slot, entity, to);
        find(world, entity, &found);
    }
    for (uint32_t i = 0; i < change->set_count; i++) {
        const CniEcsColumn *column = cni_ecs_archetype_column(to, ids[i]);
        if (!column || (!change->set[i].data && !starts_anew(change, ids, i)))
            continue;
        cni_ecs_values_write(world, found.chunk, column, found.row, 1, change->set[i].data, 0);
        cni_ecs_column_changed(world, found.chunk, column);
    }
    cni_ecs_hooks_added(world, entity, from, to);
    for (uint32_t i = 0; i < change->set_count; i++)
        if (change->set[i].data)
            cni_ecs_hook_set(world, entity, ids[i]);
    cni_ecs_hooks_flush(world);
    return true;
}

bool cn_remove_components(CnWorld *world, CnEntity entity, const CnComponent *components,
                          uint32_t count)
{
    CN_ASSERT(world, "%s: world is NULL", __func__);
    CnChange change = {.remove = components, .remove_count = count};
    return cn_change(world, entity, &change);
}

bool cn_has_component(const CnWorld *world, CnEntity entity, CnComponent component)
{
    CN_ASSERT(world, "%s: world is NULL", __func__);
    Found found;
    return find(world, entity, &found) && cni_ecs_archetype_has(found.archetype, component.id);
}

static inline const CniEcsColumn *find_column(const CnWorld *world, CnEntity entity,
                                              CnComponent component, Found *found)
{
    return component.id && find(world, entity, found)
               ? cni_ecs_archetype_column(found->archetype, component.id)
               : NULL;
}

bool cn_read_component(const CnWorld *world, CnEntity entity, CnComponent component, void *value)
{
    Found found;
    const CniEcsColumn *column = find_column(world, entity, component, &found);
    if (CN_UNLIKELY(!column))
        return false;
    CN_ASSERT(cni_ecs_may_read(world, component.id), "%s",
              cni_ecs_access_text(world, component.id, "read"));
    cni_ecs_value_read(found.chunk, column, found.row, value);
    return true;
}

static uint8_t *field_address(const Found *found, const CniEcsColumn *column, const CnField *field)
{
    CN_ASSERT(field->offset + field->size <= column->size, "component %u has no field %s",
              column->component, field->name);
    return column->field_count ? cni_ecs_field_values(found->chunk, column, field) +
                                     (size_t)found->row * field->size
                               : cni_ecs_column_values(found->chunk, column) +
                                     (size_t)found->row * column->size + field->offset;
}

const void *cn_get_field(const CnWorld *world, CnEntity entity, CnComponent component,
                         const CnField *field)
{
    Found found;
    const CniEcsColumn *column = find_column(world, entity, component, &found);
    CN_ASSERT(!column || cni_ecs_may_read(world, component.id), "%s",
              cni_ecs_access_text(world, component.id, "read"));
    return column ? field_address(&found, column, field) : NULL;
}

void *cn_get_field_mut(CnWorld *world, CnEntity entity, CnComponent component, const CnField *field)
{
    Found found;
    const CniEcsColumn *column = find_column(world, entity, component, &found);
    if (!column)
        return NULL;
    CN_ASSERT(cni_ecs_may_write(world, component.id), "%s",
              cni_ecs_access_text(world, component.id, "write"));
    cni_ecs_column_changed(world, found.chunk, column);
    if (CN_UNLIKELY(world->components.items[component.id].info.flags & CN_COMPONENT_TRACKED))
        cni_ecs_row_mark_written(world, entity, component);
    return field_address(&found, column, field);
}

static const CnField *find_field(const CnWorld *world, CnEntity entity, const char *component,
                                 const char *field, size_t size, CnComponent *id, CnError *error)
{
    *id = cn_component_find(world, component);
    if (!id->id) {
        cn_error_set(error, CN_ERROR_NOT_FOUND, "there is no component %s", component);
        return NULL;
    }
    const CnField *found = cn_component_field(world, *id, field);
    if (!found) {
        cn_error_set(error, CN_ERROR_NOT_FOUND, "component %s has no field %s", component, field);
        return NULL;
    }
    if (found->size != size) {
        cn_error_set(error, CN_ERROR_MISMATCH, "%s.%s has %u bytes, not %zu", component, field,
                     found->size, size);
        return NULL;
    }
    if (!cn_is_alive(world, entity)) {
        cn_error_set(error, CN_ERROR_NOT_FOUND, "entity %u:%u is not alive",
                     cn_entity_index(entity), cn_entity_generation(entity));
        return NULL;
    }
    if (!cn_has_component(world, entity, *id)) {
        cn_error_set(error, CN_ERROR_NOT_FOUND, "entity %u:%u has no component %s",
                     cn_entity_index(entity), cn_entity_generation(entity), component);
        return NULL;
    }
    return found;
}

bool cn_read_field(const CnWorld *world, CnEntity entity, const char *component, const char *field,
                   void *value, size_t size, CnError *error)
{
    CN_ASSERT(world, "%s: world is NULL", __func__);
    CNI_ECS_REPORT_UNHANDLED(world, error);
    CnComponent id;
    const CnField *found = find_field(world, entity, component, field, size, &id, error);
    if (!found)
        return false;
    memcpy(value, cn_get_field(world, entity, id, found), size);
    return true;
}

bool cn_write_field(CnWorld *world, CnEntity entity, const char *component, const char *field,
                    const void *value, size_t size, CnError *error)
{
    CN_ASSERT(world, "%s: world is NULL", __func__);
    CNI_ECS_REPORT_UNHANDLED(world, error);
    CnComponent id;
    const CnField *found = find_field(world, entity, component, field, size, &id, error);
    if (!found)
        return false;
    if (id.id == world->node)
        return cn_error_set(error, CN_ERROR_PERMISSION, "%s can only be changed by cn_set_parent",
                            component);
    memcpy(cn_get_field_mut(world, entity, id, found), value, size);
    cni_ecs_hook_set(world, entity, id.id);
    cni_ecs_hooks_flush(world);
    return true;
}

uint32_t cn_entity_components(const CnWorld *world, CnEntity entity, CnComponent *components,
                              uint32_t capacity)
{
    CN_ASSERT(world, "%s: world is NULL", __func__);
    Found found;
    if (!find(world, entity, &found))
        return 0;
    uint32_t count = found.archetype->id_count;
    for (uint32_t i = 0; i < count && i < capacity; i++)
        components[i] = (CnComponent){found.archetype->ordered[i]};
    return count;
}
