/* A look into the store, for facts that the public interface hides. */
#ifndef CAIRN_TESTS_UNIT_ECS_WORLD_INTERNALS_H
#define CAIRN_TESTS_UNIT_ECS_WORLD_INTERNALS_H

/* Before the fixture, whose `world` its parameters would shadow. */
#include "ecs/world/world_internal.h"

#include "ecs_fixture.h"

static inline CniEcsRowRef place_of(CnEntity entity)
{
    const CniEcsSlot *slot = cni_ecs_live_slot(world, entity);
    assert_non_null(slot);
    return cni_ecs_row_ref(slot->location);
}

static inline const CniEcsChunk *chunk_of(CnEntity entity)
{
    return &world->chunks.items[place_of(entity).chunk];
}

static inline CniEcsArchetype *archetype_of(CnEntity entity)
{
    return cni_ecs_chunk_archetype(chunk_of(entity));
}

static inline const CniEcsChunk *nth_chunk(const CniEcsArchetype *archetype, uint32_t n)
{
    assert_true(n < archetype->head.chunk_count);
    return &world->chunks.items[archetype->head.chunk_ids[n]];
}

/* The cached edge, or NULL when it was never walked. */
static inline CniEcsArchetype *edge_of(const CniEcsArchetype *archetype, uint32_t component)
{
    for (uint32_t i = 0; archetype->edge_mask && i <= archetype->edge_mask; i++)
        if (archetype->edges[i].component == component)
            return archetype->edges[i].to;
    return NULL;
}

/* How often rows were made, moved or removed. */
static inline uint32_t structure_changes(void)
{
    return world->head.structure;
}

static inline uint64_t heap_calls(void)
{
    return cn_heap_stats(heap).calls;
}

#endif
