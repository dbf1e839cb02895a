#include "row_step.h"

/* ---- Creating ---- */

/* Where entities with these values belong; NULL when a component is unknown or out of memory. */
static Archetype *archetype_of_values(CnWorld *world, const CnValue *values, uint32_t count,
                                      uint32_t *ids)
{
    CN_ASSERT(count <= CN_MAX_VALUES, "%u values; the limit is %u", count, CN_MAX_VALUES);
    if (count > CN_MAX_VALUES)
        return NULL;
    Archetype *archetype = world->archetypes.items[0];
    for (uint32_t i = 0; i < count && archetype; i++) {
        ids[i] = cni_value_component(world, values[i].type, values[i].component);
        if (!cni_may_change(world, ids[i]))
            return NULL;
        if (!cni_archetype_has(archetype, ids[i]))
            archetype = cni_archetype_toggle(world, archetype, ids[i]);
    }
    return archetype;
}

/* Reservations of command buffers are settled before a number is handed out here. */
static inline bool acquire_slot(CnWorld *world, uint32_t *index)
{
    if (CN_UNLIKELY(world->slots.reserved) && !cni_commands_settle(world))
        return false;
    return cni_slot_acquire(&world->slots, index);
}

static inline CnEntity create_in(CnWorld *world, Archetype *archetype, Place *place)
{
    uint32_t index;
    if (!acquire_slot(world, &index))
        return (CnEntity){0};
    Slot *slot = cni_slot(&world->slots, index);
    CnEntity entity = cn_entity_make(index, slot->generation);
    if (!cni_row_append(world, archetype, entity, slot, place)) {
        cni_slot_release(&world->slots, index);
        return (CnEntity){0};
    }
    cni_structure_changed(world);
    return entity;
}

static void run_spawn_hooks(CnWorld *world, CnEntity entity, const Archetype *archetype,
                            const CnValue *values, const uint32_t *ids, uint32_t count)
{
    cni_hooks_added(world, entity, NULL, archetype);
    for (uint32_t i = 0; i < count; i++)
        if (values[i].data)
            cni_hook_set(world, entity, ids[i]);
}

CnEntity cn_entity_create(CnWorld *world)
{
    return cn_spawn_values(world, NULL, 0);
}

static bool has_shape(const SpawnShape *shape, const CnValue *values, uint32_t count)
{
    if (!shape->archetype || shape->count != count)
        return false;
    for (uint32_t i = 0; i < count; i++)
        if (shape->types[i] != values[i].type || !values[i].type)
            return false;
    return true;
}

static bool find_shape(CnWorld *world, const CnValue *values, uint32_t count)
{
    SpawnShape *shape = &world->spawn_shape;
    shape->archetype = archetype_of_values(world, values, count, shape->ids);
    shape->count = count;
    for (uint32_t i = 0; shape->archetype && i < count; i++) {
        shape->types[i] = values[i].type;
        shape->columns[i] = cni_archetype_column(shape->archetype, shape->ids[i]);
    }
    return shape->archetype != NULL;
}

/* Inside a hook. Commands do not register types, a spawn does. */
static CnEntity spawn_later(CnWorld *world, const CnValue *values, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        if (!cni_value_component(world, values[i].type, values[i].component))
            return (CnEntity){0};
    return cn_defer_spawn_values(world->hook_commands, values, count);
}

CnEntity cn_spawn_values(CnWorld *world, const CnValue *values, uint32_t count)
{
    if (CN_UNLIKELY(world->hook_depth))
        return spawn_later(world, values, count);
    const SpawnShape *shape = &world->spawn_shape;
    if (CN_UNLIKELY(!has_shape(shape, values, count)) && !find_shape(world, values, count))
        return (CnEntity){0};
    Place place;
    CnEntity entity = create_in(world, shape->archetype, &place);
    if (CN_UNLIKELY(!entity.id))
        return entity;
    const CniChunk *chunk = &world->chunks.items[place.chunk];
    for (uint32_t i = 0; i < count; i++) {
        const Column *column = shape->columns[i];
        if (CN_LIKELY(column && values[i].data))
            cni_value_write(chunk, column, place.row, values[i].data);
        else if (column)
            cni_values_write(world, chunk, column, place.row, 1, NULL, 0);
    }
    if (CN_UNLIKELY(shape->archetype->hook_flags)) {
        SpawnShape copy = *shape; /* hooks may spawn, and so change it */
        run_spawn_hooks(world, entity, copy.archetype, values, copy.ids, count);
        cni_hooks_settle(world);
    }
    return entity;
}

/* Undoes the last `count` rows of the archetype. */
static void unspawn(CnWorld *world, Archetype *archetype, uint32_t count)
{
    while (count--) {
        uint32_t id = archetype->head.tail, row = world->chunks.items[id].count - 1u;
        CnEntity entity = cni_chunk_entities(&world->chunks.items[id])[row];
        cni_row_remove(world, (Place){id, row});
        cni_slot_release(&world->slots, cn_entity_index(entity));
    }
}

/* Creates up to `count` rows in the last chunk of the archetype; 0 when out of memory. */
static uint32_t spawn_run(CnWorld *world, Archetype *archetype, uint32_t count, Place *first)
{
    if (!cni_rows_make_room(world, archetype))
        return 0;
    uint32_t id = archetype->head.tail;
    CniChunk *chunk = &world->chunks.items[id];
    uint32_t room = (uint32_t)chunk->capacity - chunk->count;
    uint32_t wanted = count < room ? count : room, row = chunk->count, done = 0;
    CnEntity *entities = cni_chunk_entities(chunk) + row;
    while (done < wanted) {
        uint32_t index;
        if (!cni_slot_acquire(&world->slots, &index))
            break;
        Slot *slot = cni_slot(&world->slots, index);
        slot->location = cni_location((Place){id, row + done});
        entities[done++] = cn_entity_make(index, slot->generation);
    }
    *first = (Place){id, row};
    chunk->count = (uint16_t)(row + done);
    chunk->changed = world->head.tick;
    if (!done && !chunk->count)
        cni_rows_drop_last_chunk(world, archetype);
    return done;
}

bool cn_spawn_many_values(CnWorld *world, uint32_t count, CnEntity *entities, const CnValue *values,
                          uint32_t value_count)
{
    CN_ASSERT(!world->hook_depth, "a hook cannot spawn in bulk");
    uint32_t ids[CN_MAX_VALUES];
    Archetype *archetype = archetype_of_values(world, values, value_count, ids);
    if (!archetype || world->hook_depth || (world->slots.reserved && !cni_commands_settle(world)))
        return false;
    cni_structure_changed(world);
    uint32_t first_row = cni_archetype_rows(world, archetype);
    for (uint32_t done = 0; done < count;) {
        Place place;
        uint32_t run = spawn_run(world, archetype, count - done, &place);
        if (!run) {
            unspawn(world, archetype, done);
            return false;
        }
        const CniChunk *chunk = &world->chunks.items[place.chunk];
        for (uint32_t i = 0; i < value_count; i++) {
            const Column *column = cni_archetype_column(archetype, ids[i]);
            const uint8_t *data = values[i].data;
            if (column)
                cni_values_write(world, chunk, column, place.row, run,
                                 data ? data + (size_t)done * values[i].stride : NULL,
                                 values[i].stride);
        }
        if (entities)
            memcpy(entities + done, cni_chunk_entities(chunk) + place.row, run * sizeof *entities);
        done += run;
    }
    if (archetype->hook_flags) {
        /* Hooks defer structural changes, so rows stay where they are. */
        uint32_t row = first_row;
        for (uint32_t done = 0; done < count; done++, row++) {
            uint32_t position = row / archetype->full_capacity;
            const CniChunk *chunk = &world->chunks.items[archetype->head.chunk_ids[position]];
            CnEntity entity = cni_chunk_entities(chunk)[row % archetype->full_capacity];
            run_spawn_hooks(world, entity, archetype, values, ids, value_count);
        }
        cni_hooks_settle(world);
    }
    return true;
}

/* ---- Destroying ---- */

static void destroy_single(CnWorld *world, CnEntity entity, Slot *slot)
{
    uint32_t index = cn_entity_index(entity);
    const Archetype *archetype =
        cni_chunk_archetype(&world->chunks.items[cni_place(slot->location).chunk]);
    if (CN_UNLIKELY(cn_bitset_has(&world->pair_targets, index))) {
        /* First, so that the hook of a pair with itself is called once. */
        cni_pairs_target_died(world, entity);
        archetype = cni_chunk_archetype(&world->chunks.items[cni_place(slot->location).chunk]);
    }
    cni_hooks_removed(world, entity, archetype, NULL);
    if (archetype->has_node)
        cni_node_unlink(world, entity);
    if (CN_UNLIKELY(cn_bitset_has(&world->pair_targets, index)))
        cni_pairs_target_died(world, entity); /* those that hooks have made */
    cni_row_remove(world, cni_place(slot->location));
    cni_slot_release(&world->slots, index);
    cni_structure_changed(world);
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
        destroy_single(world, entity, cni_slot_of(world, entity));
        if (cn_entity_equal(entity, root))
            return;
        entity = parent;
    }
}

bool cni_destroy_now(CnWorld *world, CnEntity entity)
{
    Slot *slot = cni_slot_of(world, entity);
    if (CN_UNLIKELY(!slot))
        return false;
    Place place = cni_place(slot->location);
    const Archetype *archetype = cni_chunk_archetype(&world->chunks.items[place.chunk]);
    if (archetype->has_node) {
        destroy_subtree(world, entity);
    } else if (CN_UNLIKELY(archetype->hook_flags & CNI_HOOK_REMOVE) ||
               CN_UNLIKELY(cn_bitset_has(&world->pair_targets, cn_entity_index(entity)))) {
        destroy_single(world, entity, slot);
    } else {
        cni_row_remove(world, place);
        cni_slot_release(&world->slots, cn_entity_index(entity));
        cni_structure_changed(world);
    }
    return true;
}

bool cn_destroy(CnWorld *world, CnEntity entity)
{
    if (CN_LIKELY(cni_row_destroy(world, entity)))
        return true;
    if (CN_UNLIKELY(world->hook_depth))
        return (cn_is_alive(world, entity) || cni_slot_is_promised(&world->slots, entity)) &&
               cn_defer_destroy(world->hook_commands, entity);
    if (!cni_destroy_now(world, entity))
        return false;
    if (CN_UNLIKELY(world->has_commands))
        cni_hooks_settle(world);
    return true;
}

uint32_t cn_destroy_many(CnWorld *world, const CnEntity *entities, uint32_t count)
{
    uint32_t destroyed = 0;
    for (uint32_t i = 0; i < count; i++)
        destroyed += cn_destroy(world, entities[i]);
    return destroyed;
}

uint32_t cn_entity_count(const CnWorld *world)
{
    return world->slots.alive;
}

/* ---- Components of one entity ---- */

typedef struct Found {
    Slot *slot;
    CniChunk *chunk;
    Archetype *archetype;
    uint32_t row;
} Found;

static inline bool find(const CnWorld *world, CnEntity entity, Found *found)
{
    found->slot = cni_slot_of(world, entity);
    if (CN_UNLIKELY(!found->slot))
        return false;
    Place place = cni_place(found->slot->location);
    found->chunk = &world->chunks.items[place.chunk];
    found->archetype = cni_chunk_archetype(found->chunk);
    found->row = place.row;
    return true;
}

/* For changes that found no live entity. A hook may go on with what it has spawned: true when the
 * change is to be recorded behind that spawn. Else it is the caller's mistake. */
static bool comes_later(const CnWorld *world, CnEntity entity)
{
    bool later = world->hook_depth && cni_slot_is_promised(&world->slots, entity);
    CN_ASSERT(later, "entity %u:%u is changed, which %s", cn_entity_index(entity),
              cn_entity_generation(entity),
              cni_slot_was_used(&world->slots, entity) ? "is dead" : "this world never made");
    return later;
}

/* The edge to follow at once: nothing to check, no hook to call. NULL: take the long way. */
static inline const Edge *plain_edge(const CnWorld *world, const Archetype *from,
                                     uint32_t component)
{
    const Edge *edge = cni_archetype_edge(from, component);
    return CN_LIKELY(edge && edge->plain &&
                     !(from->hook_flags | edge->to->hook_flags | world->hook_depth))
               ? edge
               : NULL;
}

/* Moves along an edge, however it is made. */
static bool follow(CnWorld *world, Slot *slot, CnEntity entity, Archetype *from, uint32_t component)
{
    Archetype *to = cni_archetype_toggle(world, from, component);
    if (!to || !cni_rows_make_room(world, to))
        return false;
    cni_hooks_removed(world, entity, from, to);
    return cni_row_move(world, slot, entity, to);
}

static bool add_slowly(CnWorld *world, CnEntity entity, CnComponent component)
{
    Found found;
    if (!cni_may_change(world, component.id) || !find(world, entity, &found))
        return false;
    Archetype *from = found.archetype;
    if (world->hook_depth) /* also when it is there: an earlier change of the hook may remove it */
        return cn_defer_add_component(world->hook_commands, entity, component);
    if (cni_archetype_has(from, component.id))
        return true;
    if (!follow(world, found.slot, entity, from, component.id))
        return false;
    find(world, entity, &found);
    cni_hooks_added(world, entity, from, found.archetype);
    cni_hooks_settle(world);
    return true;
}

bool cn_add_component(CnWorld *world, CnEntity entity, CnComponent component)
{
    Found found;
    if (CN_UNLIKELY(!find(world, entity, &found)))
        return comes_later(world, entity) &&
               cn_defer_add_component(world->hook_commands, entity, component);
    const Edge *edge = plain_edge(world, found.archetype, component.id);
    if (CN_UNLIKELY(!edge))
        return add_slowly(world, entity, component);
    return !edge->adds || cni_row_step(world, found.slot, entity, edge, NULL);
}

static bool set_slowly(CnWorld *world, CnEntity entity, CnComponent component, const void *value)
{
    Found found;
    if (!cni_may_change(world, component.id) || !find(world, entity, &found))
        return false;
    Archetype *from = found.archetype;
    bool has = cni_archetype_has(from, component.id);
    if (world->hook_depth && (!has || world->hook_removed))
        return cn_defer_set_component(world->hook_commands, entity, component, value);
    if (!has) {
        if (!follow(world, found.slot, entity, from, component.id))
            return false;
        find(world, entity, &found);
    }
    const Column *column = cni_archetype_column(found.archetype, component.id);
    CN_ASSERT(!column || cni_may_write(world, component.id),
              "the running system does not declare to write component %u", component.id);
    if (column && value) {
        cni_value_write(found.chunk, column, found.row, value);
        cni_column_changed(world, found.chunk, column);
    }
    cni_hooks_added(world, entity, from, found.archetype);
    cni_hook_set(world, entity, component.id);
    cni_hooks_settle(world);
    return true;
}

bool cn_set_component(CnWorld *world, CnEntity entity, CnComponent component, const void *value)
{
    Found found;
    if (CN_UNLIKELY(!find(world, entity, &found)))
        return comes_later(world, entity) &&
               cn_defer_set_component(world->hook_commands, entity, component, value);
    const Edge *edge = plain_edge(world, found.archetype, component.id);
    if (CN_LIKELY(edge && edge->adds))
        return cni_row_step(world, found.slot, entity, edge, value);
    return set_slowly(world, entity, component, value);
}

static bool remove_slowly(CnWorld *world, CnEntity entity, CnComponent component)
{
    Found found;
    if (!find(world, entity, &found))
        return false;
    Archetype *from = found.archetype;
    if (!component.id)
        return true;
    if (world->hook_depth) {
        world->hook_removed = true;
        return cn_defer_remove_component(world->hook_commands, entity, component);
    }
    if (!cni_archetype_has(from, component.id))
        return true;
    if (!cni_may_change(world, component.id))
        return false;
    if (!follow(world, found.slot, entity, from, component.id))
        return false;
    cni_hooks_settle(world);
    return true;
}

bool cn_remove_component(CnWorld *world, CnEntity entity, CnComponent component)
{
    Found found;
    if (CN_UNLIKELY(!find(world, entity, &found)))
        return comes_later(world, entity) &&
               cn_defer_remove_component(world->hook_commands, entity, component);
    const Edge *edge = plain_edge(world, found.archetype, component.id);
    if (CN_UNLIKELY(!edge))
        return remove_slowly(world, entity, component);
    return edge->adds || cni_row_step(world, found.slot, entity, edge, NULL);
}

static bool defer_change(CnWorld *world, CnEntity entity, const CnChange *change)
{
    bool done = true;
    world->hook_removed |= change->remove_count > 0;
    for (uint32_t i = 0; i < change->remove_count; i++)
        done &= cn_defer_remove_component(world->hook_commands, entity, change->remove[i]);
    for (uint32_t i = 0; i < change->set_count; i++) {
        const CnValue *value = &change->set[i];
        CnComponent id = {cni_value_component(world, value->type, value->component)};
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
    uint32_t ids[CN_MAX_VALUES];
    Found found;
    CN_ASSERT(change->set_count <= CN_MAX_VALUES, "%u values; the limit is %u", change->set_count,
              CN_MAX_VALUES);
    bool alive = find(world, entity, &found);
    if (change->set_count > CN_MAX_VALUES || (!alive && !comes_later(world, entity)))
        return false;
    if (CN_UNLIKELY(!alive || world->hook_depth))
        return defer_change(world, entity, change);
    Archetype *from = found.archetype, *to = from;
    for (uint32_t i = 0; i < change->remove_count && to; i++)
        if (cni_archetype_has(to, change->remove[i].id)) {
            if (!cni_may_change(world, change->remove[i].id))
                return false;
            to = cni_archetype_toggle(world, to, change->remove[i].id);
        }
    for (uint32_t i = 0; i < change->set_count && to; i++) {
        ids[i] = cni_value_component(world, change->set[i].type, change->set[i].component);
        if (!cni_may_change(world, ids[i]))
            return false;
        if (!cni_archetype_has(to, ids[i]))
            to = cni_archetype_toggle(world, to, ids[i]);
    }
    if (!to)
        return false;
    if (to != from) {
        if (!cni_rows_make_room(world, to))
            return false;
        cni_hooks_removed(world, entity, from, to);
        cni_row_move(world, found.slot, entity, to);
        find(world, entity, &found);
    }
    for (uint32_t i = 0; i < change->set_count; i++) {
        const Column *column = cni_archetype_column(to, ids[i]);
        if (!column || (!change->set[i].data && !starts_anew(change, ids, i)))
            continue;
        cni_values_write(world, found.chunk, column, found.row, 1, change->set[i].data, 0);
        cni_column_changed(world, found.chunk, column);
    }
    cni_hooks_added(world, entity, from, to);
    for (uint32_t i = 0; i < change->set_count; i++)
        if (change->set[i].data)
            cni_hook_set(world, entity, ids[i]);
    cni_hooks_settle(world);
    return true;
}

bool cn_has_component(const CnWorld *world, CnEntity entity, CnComponent component)
{
    Found found;
    return find(world, entity, &found) && cni_archetype_has(found.archetype, component.id);
}

static inline const Column *find_column(const CnWorld *world, CnEntity entity,
                                        CnComponent component, Found *found)
{
    return component.id && find(world, entity, found)
               ? cni_archetype_column(found->archetype, component.id)
               : NULL;
}

bool cn_read_component(const CnWorld *world, CnEntity entity, CnComponent component, void *value)
{
    Found found;
    const Column *column = find_column(world, entity, component, &found);
    if (CN_UNLIKELY(!column))
        return false;
    CN_ASSERT(cni_may_read(world, component.id), "the running system does not declare to read %s",
              world->components.items[component.id].info.name);
    cni_value_read(found.chunk, column, found.row, value);
    return true;
}

static uint8_t *field_address(const Found *found, const Column *column, const CnField *field)
{
    CN_ASSERT(field->offset + field->size <= column->size, "component %u has no such field as %s",
              column->component, field->name);
    uint8_t *base = cni_column_base(found->chunk, column);
    return column->field_count ? base + (size_t)field->offset * found->chunk->capacity +
                                     (size_t)found->row * field->size
                               : base + (size_t)found->row * column->size + field->offset;
}

const void *cn_get_field(const CnWorld *world, CnEntity entity, CnComponent component,
                         const CnField *field)
{
    Found found;
    const Column *column = find_column(world, entity, component, &found);
    CN_ASSERT(!column || cni_may_read(world, component.id),
              "the running system does not declare to read component %u", component.id);
    return column ? field_address(&found, column, field) : NULL;
}

void *cn_get_field_mut(CnWorld *world, CnEntity entity, CnComponent component, const CnField *field)
{
    Found found;
    const Column *column = find_column(world, entity, component, &found);
    if (!column)
        return NULL;
    CN_ASSERT(cni_may_write(world, component.id),
              "the running system does not declare to write component %u", component.id);
    cni_column_changed(world, found.chunk, column);
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
    CnComponent id;
    const CnField *found = find_field(world, entity, component, field, size, &id, error);
    if (!found)
        return false;
    if (id.id == world->node)
        return cn_error_set(error, CN_ERROR_PERMISSION, "%s is changed by cn_set_parent alone",
                            component);
    memcpy(cn_get_field_mut(world, entity, id, found), value, size);
    cni_hook_set(world, entity, id.id);
    cni_hooks_settle(world);
    return true;
}

uint32_t cn_entity_components(const CnWorld *world, CnEntity entity, CnComponent *components,
                              uint32_t capacity)
{
    Found found;
    if (!find(world, entity, &found))
        return 0;
    uint32_t count = found.archetype->id_count;
    for (uint32_t i = 0; i < count && i < capacity; i++)
        components[i] = (CnComponent){found.archetype->ids[i]};
    return count;
}
