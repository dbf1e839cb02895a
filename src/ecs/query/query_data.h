/* Queries, and the components of the last spawn. */
#ifndef CAIRN_SRC_ECS_QUERY_QUERY_DATA_H
#define CAIRN_SRC_ECS_QUERY_QUERY_DATA_H

#include "ecs/storage/archetype.h"

/* ---- Queries ---- */

#define CNI_ECS_MASK_WORDS 4u /* 256 components */

#define CNI_ECS_INLINE_TERMS 4u

struct CnQuery {
    CniEcsQueryHead head;
    const CnType *
        inline_types[CNI_ECS_INLINE_TERMS]; /* for small queries: in one cache line with the head */
    uint32_t inline_ids[CNI_ECS_INLINE_TERMS];
    uint32_t *term_ids;
    uint32_t match_capacity, match_class;
    uint8_t mask_words; /* words in use; if more than CNI_ECS_MASK_WORDS, use the bit sets */
    bool has_any;
    /* Increases when the list of matches changes or moves. Stored here because a new archetype is
     * added to many queries. */
    uint32_t matches_version;
    /* A copy of the masks if they fit, because a new archetype is compared with many queries: of
     * the components in `all` and `none`, it must have exactly the wanted ones. */
    struct {
        uint64_t named[CNI_ECS_MASK_WORDS], wanted[CNI_ECS_MASK_WORDS], any[CNI_ECS_MASK_WORDS];
    } mask;
    CnWorld *world;
    CnBitSet all, any, none, optional;
    CnBitSet access, write; /* components with columns, and those it may write */
    uint32_t references;    /* 0: released */
    uint32_t place;         /* in world->queries */
    uint32_t anchor;        /* the component whose `queries` contain it; 0: world->free_queries */
    bool is_listed;         /* in that list, so that new archetypes find it */
    bool is_hashed;         /* in query_by_hash, so that equal descriptions find it */
    bool is_dead;           /* it requires a pair whose target died: never matches */
    uint64_t hash;
    CnQuery *next_same_hash; /* with the same hash */
};

#define CNI_ECS_RELEASED_QUERIES 16u

/* The components of the last spawn, because the next one usually has the same. */
typedef struct CniEcsSpawnCache {
    CniEcsArchetype *archetype; /* NULL if unknown */
    uint32_t count;
    bool all_vectors; /* all components are packed and have 12 bytes */
    const CnType *types[CN_MAX_VALUES];
    uint32_t ids[CN_MAX_VALUES];
    const CniEcsColumn *columns[CN_MAX_VALUES];
} CniEcsSpawnCache;

#endif
