#include "ecs/world/world_internal.h"

/* Writes a value into every row of an archetype. */
static void overwrite_all(CnWorld *world, CniEcsArchetype *archetype, uint32_t component,
                          const void *data)
{
    const CniEcsColumn *column = cni_ecs_archetype_column(archetype, component);
    if (!column || !data)
        return;
    for (uint32_t c = 0; c < archetype->head.chunk_count; c++) {
        const CniEcsChunk *chunk = &world->chunks.items[archetype->head.chunk_ids[c]];
        cni_ecs_values_write(world, chunk, column, 0, chunk->count, data, 0);
        cni_ecs_column_changed(world, chunk, column);
    }
}

static CniEcsArchetype *match(const CnQuery *query, uint32_t i)
{
    return (CniEcsArchetype *)(void *)cni_ecs_match(&query->head, i)->archetype;
}

/* Changes all matching entities. When out of memory, returns false: *stopped is the archetype in
 * which some entities are not changed, and none in the archetypes after it are. */
static bool set_all(CnQuery *query, uint32_t component, const void *data,
                    const CniEcsArchetype **stopped)
{
    CnWorld *world = query->world;
    /* Archetypes may be inserted anywhere meanwhile, but only ones with the component. */
    for (uint32_t i = 0; i < query->head.match_count; i++) {
        CniEcsArchetype *from = match(query, i);
        if (!from->head.chunk_count)
            continue;
        *stopped = from;
        if (cni_ecs_archetype_has(from, component)) {
            overwrite_all(world, from, component, data);
            continue;
        }
        CniEcsArchetype *to = cni_ecs_archetype_toggle(world, from, component);
        if (!to)
            return false;
        if ((from->hook_flags & CNI_ECS_HOOK_OBSERVED) && !cni_ecs_same_observers(from, to)) {
            if (!cni_ecs_rows_reserve(world, from, to))
                return false;
            cni_ecs_hooks_removed_all(world, from, to);
        }
        const CniEcsColumn *column = cni_ecs_archetype_column(to, component);
        if (!column || !data) {
            if (!cni_ecs_rows_move_all(world, from, to))
                return false;
            continue;
        }
        /* Rows that arrive get the value as their default. */
        CnComponentInfo *info = &world->components.items[component].info;
        const void *saved = info->default_value;
        info->default_value = data;
        bool moved = cni_ecs_rows_move_all(world, from, to);
        world->components.items[component].info.default_value = saved;
        if (!moved)
            return false;
    }
    *stopped = NULL;
    return true;
}

/* An entity affected by a bulk change, and its previous archetype. */
typedef struct Gathered {
    CnEntity entity;
    const CniEcsArchetype *from;
} Gathered;

static CniEcsArchetype *archetype_of(const CnWorld *world, CnEntity entity)
{
    return cni_ecs_chunk_archetype(
        &world->chunks.items[cni_ecs_row_ref(cni_ecs_live_slot(world, entity)->location).chunk]);
}

static void gather(CnQuery *query, Gathered *gathered, uint32_t count)
{
    const CnWorld *world = query->world;
    CnEntity *entities = (CnEntity *)(void *)gathered; /* filled from the end below */
    cn_query_entities(query, entities, count);
    for (uint32_t i = count; i-- > 0;) {
        CnEntity entity = entities[i];
        gathered[i] = (Gathered){entity, archetype_of(world, entity)};
    }
}

/* Entities from several archetypes are moved to archetypes that already have rows. They are
 * gathered before the change, so that hooks can be called for exactly these. Rows end up in the
 * same positions as without hooks. */
static bool set_with_hooks(CnQuery *query, uint32_t component, const CnValue *value)
{
    CnWorld *world = query->world;
    uint32_t count = cn_query_count(query);
    Gathered *gathered = cn_alloc(world->allocator, count * sizeof *gathered);
    if (!gathered)
        return !count;
    gather(query, gathered, count);
    const CniEcsArchetype *stopped;
    bool done = set_all(query, component, value->data, &stopped);
    for (uint32_t i = 0; i < count; i++) {
        const CniEcsArchetype *from = gathered[i].from,
                              *to = archetype_of(world, gathered[i].entity);
        if (!done && (from->serial > stopped->serial || (from == stopped && to == from)))
            continue;
        cni_ecs_hooks_added(world, gathered[i].entity, from, to);
        if (value->data)
            cni_ecs_hook_set(world, gathered[i].entity, component);
    }
    cn_free(world->allocator, gathered, count * sizeof *gathered);
    cni_ecs_hooks_flush(world);
    return done;
}

bool cn_query_set(CnQuery *query, CnValue value)
{
    CN_ASSERT(query, "%s: query is NULL", __func__);
    CnWorld *world = query->world;
    uint32_t component = cni_ecs_value_component(world, value.type, value.component);
    if (!cni_ecs_may_change(world, component))
        return false;
    CN_ASSERT(!world->hook_depth, "a hook cannot change a whole query");
    if (world->hook_depth)
        return false;
    if ((world->components.items[component].hook_flags & (CNI_ECS_HOOK_ADD | CNI_ECS_HOOK_SET)) ||
        world->observers.count)
        return set_with_hooks(query, component, &value);
    const CniEcsArchetype *stopped;
    return set_all(query, component, value.data, &stopped);
}

bool cn_query_remove(CnQuery *query, CnComponent component)
{
    CN_ASSERT(query, "%s: query is NULL", __func__);
    CnWorld *world = query->world;
    if (!component.id)
        return true;
    if (!cni_ecs_may_change(world, component.id))
        return false;
    CN_ASSERT(!world->hook_depth, "a hook cannot change a whole query");
    if (world->hook_depth)
        return false;
    bool done = true;
    /* Archetypes may be inserted anywhere meanwhile, but only ones without the component. */
    for (uint32_t i = 0; i < query->head.match_count && done; i++) {
        CniEcsArchetype *from = match(query, i);
        if (!from->head.chunk_count || !cni_ecs_archetype_has(from, component.id))
            continue;
        CniEcsArchetype *to = cni_ecs_archetype_toggle(world, from, component.id);
        if (!to) {
            done = false;
            break;
        }
        done = cni_ecs_hooks_move_all(world, from, to);
    }
    cni_ecs_hooks_flush(world);
    return done;
}

static bool destroys_alone(const CnWorld *world, const CniEcsArchetype *archetype)
{
    return !archetype->has_node && !(archetype->hook_flags & CNI_ECS_HOOK_ANY_EXIT) &&
           cn_bitset_is_empty(&world->pair_targets);
}

static void destroy_archetype_rows(CnWorld *world, CniEcsArchetype *archetype)
{
    cni_ecs_structure_changed(world);
    while (archetype->head.chunk_count) {
        uint32_t id = archetype->head.tail;
        const CnEntity *entities = cni_ecs_chunk_entities(&world->chunks.items[id]);
        for (uint32_t row = world->chunks.items[id].count; row-- > 0;)
            cni_ecs_slot_release(&world->slots, cn_entity_index(entities[row]));
        cni_ecs_rows_drop_last_chunk(world, archetype);
    }
}

/* Whether only the matching entities are destroyed, so that their rows do not move. */
static bool destroys_in_place(const CnQuery *query)
{
    for (uint32_t i = 0; i < query->head.match_count; i++)
        if (match(query, i)->has_node && match(query, i)->head.chunk_count)
            return false;
    return cn_bitset_is_empty(&query->world->pair_targets);
}

static void destroy_in_place(CnQuery *query)
{
    CnWorld *world = query->world;
    for (uint32_t i = 0; i < query->head.match_count; i++) {
        CniEcsArchetype *archetype = match(query, i);
        if (archetype->head.chunk_count && destroys_alone(world, archetype))
            destroy_archetype_rows(world, archetype);
        while (archetype->head.chunk_count) {
            const CniEcsChunk *chunk = &world->chunks.items[archetype->head.tail];
            cni_ecs_entity_destroy_now(world, cni_ecs_chunk_entities(chunk)[chunk->count - 1u]);
        }
    }
}

/* Destroying a parent destroys its children, and destroying the target of a pair moves other
 * entities between archetypes. The entities are therefore gathered first. They are destroyed in the
 * same order as in place. */
static void destroy_gathered(CnQuery *query)
{
    CnWorld *world = query->world;
    uint32_t count = cn_query_count(query), n = 0;
    CnEntity *entities = cn_alloc(world->allocator, count * sizeof *entities);
    if (!entities)
        return;
    for (uint32_t i = 0; i < query->head.match_count; i++) {
        const CniEcsArchetypeHead *head = &match(query, i)->head;
        for (uint32_t c = head->chunk_count; c-- > 0;) {
            const CniEcsChunk *chunk = &world->chunks.items[head->chunk_ids[c]];
            for (uint32_t row = chunk->count; row-- > 0;)
                entities[n++] = cni_ecs_chunk_entities(chunk)[row];
        }
    }
    for (uint32_t i = 0; i < count; i++)
        cni_ecs_entity_destroy_now(world, entities[i]);
    cn_free(world->allocator, entities, count * sizeof *entities);
}

uint32_t cn_query_destroy_entities(CnQuery *query)
{
    CN_ASSERT(query, "%s: query is NULL", __func__);
    CnWorld *world = query->world;
    CN_ASSERT(!world->hook_depth, "a hook cannot change a whole query");
    if (world->hook_depth)
        return 0;
    uint32_t before = world->slots.alive;
    if (destroys_in_place(query))
        destroy_in_place(query);
    else
        destroy_gathered(query);
    uint32_t destroyed = before - world->slots.alive;
    cni_ecs_hooks_flush(world);
    return destroyed;
}
