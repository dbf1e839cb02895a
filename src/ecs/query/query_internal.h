/* Matching of queries with archetypes, and views of chunks. */
#ifndef CAIRN_SRC_ECS_QUERY_QUERY_INTERNAL_H
#define CAIRN_SRC_ECS_QUERY_QUERY_INTERNAL_H

#include "ecs/storage/rows.h"

/* query_match.c */
static inline const CniEcsArchetype *cni_ecs_match_archetype(const CnQuery *query, uint32_t match)
{
    return (const CniEcsArchetype *)(const void *)cni_ecs_match(&query->head, match)->archetype;
}
bool cni_ecs_query_matches_archetype(const CnQuery *query, const CniEcsArchetype *archetype);
/* Called after a change of `all`, `any` or `none`. */
void cni_ecs_query_cache_masks(CnQuery *query);
void cni_ecs_query_match_nothing(CnQuery *query);
void cni_ecs_query_release_matches(CnQuery *query);
/* Adds all existing archetypes that match to a new query. Returns false when out of memory. */
bool cni_ecs_query_match_existing(CnWorld *world, CnQuery *query, uint32_t anchor);
/* Makes room for a new archetype in those of the queries that match it, and adds them to
 * world->matching. */
bool cni_ecs_queries_reserve_match(CnWorld *world, CnQuery *const *queries, uint32_t count,
                                   const CniEcsArchetype *archetype);
/* Adds the archetype to the queries in world->matching. */
void cni_ecs_queries_add_archetype(CnWorld *world, CniEcsArchetype *archetype);
/* The same for an archetype that is not the newest. */
void cni_ecs_queries_readd_archetype(CnWorld *world, CniEcsArchetype *archetype);
/* Removes an archetype from all queries. */
void cni_ecs_queries_remove_archetype(CnWorld *world, const CniEcsArchetype *archetype);

/* Returns the view of a chunk, as in iterations. */
static inline CnChunkView cni_ecs_chunk_view(const CniEcsQueryHead *query,
                                             const CniEcsQueryColumn *columns,
                                             const CniEcsChunk *chunk)
{
    return (CnChunkView){
        .count = chunk->count,
        .capacity = chunk->capacity,
        .entities = cni_ecs_chunk_entities(chunk),
        .query = query,
        .columns = columns,
        .chunk = chunk,
        .ticks = cni_ecs_chunk_ticks(chunk),
        .tick = query->world->tick,
    };
}

/* query_iteration.c: the index of a type among the terms */
uint32_t cni_ecs_query_term(const CniEcsQueryHead *query, const CnType *type);

/* query.c */
bool cni_ecs_access_exists(CnAccess access); /* guards report an invalid value */
/* Rewrites the queries that refer to a pair whose id is about to become free. No archetype has
 * it. */
void cni_ecs_queries_pair_died(CnWorld *world, uint32_t pair);
/* Restores the C types of the terms from the description. */
void cni_ecs_query_resolve_types(CnQuery *query, const CnQueryDesc *desc);
/* Removes the types from queries: addresses of types serve as keys, and those of removed code must
 * not be used. */
void cni_ecs_queries_forget_types(CnWorld *world);
void cni_ecs_queries_fini(CnWorld *world);

/* row_changes.c */
void cni_ecs_row_changes_fini(CnWorld *world);
bool cni_ecs_is_row_changes_hook(const CnHooks *hooks);

#endif
