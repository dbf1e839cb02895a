/*
 * Queries in an order of their own.
 *
 * Sorted: entities in order of a field, or of a comparison.
 *
 *     CnSortedQuery *by_depth = cn_sorted_query_create(world, &(CnSortedQueryDesc){
 *         .query = {.all = {cn_reads(Sprite), cn_reads(Position)}},
 *         .by = &cn_type_Sprite, .field = "layer"}, &error);
 *
 *     cn_sorted_query_update(by_depth);
 *     CnSortedRun run;
 *     for (CnSortedIter it = cn_sorted_iter(by_depth); cn_sorted_next(&it, &run);) {
 *         const Sprite *sprites = cn_column_const(&run.view, Sprite);
 *         for (uint32_t row = run.first; row < run.first + run.count; row++)
 *             draw(&sprites[row]);
 *     }
 *
 * Equal values are in rising order of entity index, so the order is a function of the state. It is
 * kept: an update looks only at chunks that were written to or gained or lost rows since the last
 * one, sorts what is out of order, and merges it with the rest. Without changes it costs a few
 * loads per chunk.
 *
 * Grouped: archetypes in order of a number that they have, for example the target of a pair.
 *
 *     CnGroupedQuery *by_region = cn_grouped_query_create(world, &(CnGroupedQueryDesc){
 *         .query = {.all = {cn_writes(Position)}}, .pair_kind = cn_id(world, InRegion)}, &error);
 *
 *     uint64_t region;
 *     CnChunkView view;
 *     for (CnGroupedIter it = cn_grouped_iter(by_region); cn_grouped_next(&it, &view, &region);)
 *
 * Both belong to the owner of the world, as all queries do, and are read-only beside it.
 */
#ifndef CAIRN_ECS_SORTED_QUERY_H
#define CAIRN_ECS_SORTED_QUERY_H

#include <cairn/ecs/query.h>

CN_EXTERN_C_BEGIN

/* ---- Sorted ---- */

typedef struct CnSortedQuery CnSortedQuery;

/* Less than 0: `a` comes first; 0: they are equal. A function of both values alone. */
typedef int (*CnCompareFn)(const void *a, const void *b, void *user);

typedef struct CnSortedQueryDesc {
    CnQueryDesc query;   /* has `by` in `all`, with access */
    const CnType *by;    /* or */
    CnComponent by_id;   /* when `by` is NULL */
    const char *field;   /* of `by`: a number, a bool or an entity; NULL: `compare` decides */
    CnCompareFn compare; /* of values of `by`, which is packed then */
    void *user;          /* for `compare` */
    bool descending;     /* equal values stay in rising order of entity index */
} CnSortedQueryDesc;

/* NULL and an error when out of memory, or when `by` or `field` cannot be sorted by. Numbers that
 * are NaN come last, those with the sign bit first. */
CN_API CnSortedQuery *cn_sorted_query_create(CnWorld *world, const CnSortedQueryDesc *desc,
                                             CnError *error);
/* NULL is allowed. */
CN_API void cn_sorted_query_destroy(CnSortedQuery *sorted);
/* Brings the order up to date; true when it is, false when out of memory: then the order is
 * unchanged and may be of a past state, and must not be iterated. Not in a system that shares its
 * wave. */
CN_API bool cn_sorted_query_update(CnSortedQuery *sorted);
/* As of the last update. */
CN_API uint32_t cn_sorted_query_count(const CnSortedQuery *sorted);
/* Fills at most `capacity` in order, returns how many there are, as of the last update. */
CN_API uint32_t cn_sorted_query_entities(const CnSortedQuery *sorted, CnEntity *entities,
                                         uint32_t capacity);

/* Rows of one chunk that follow one another in the order: rows first to first + count - 1 of the
 * view. */
typedef struct CnSortedRun {
    CnChunkView view;
    uint32_t first, count;
} CnSortedRun;

typedef struct CnSortedIter {
    const CnSortedQuery *sorted;
    uint32_t next;
    uint32_t structure;
} CnSortedIter;

/* The world's structure must be that of the last update. */
CN_API CnSortedIter cn_sorted_iter(const CnSortedQuery *sorted);
CN_API bool cn_sorted_next(CnSortedIter *it, CnSortedRun *run);

/* ---- Grouped ---- */

typedef struct CnGroupedQuery CnGroupedQuery;

/* The group of entities with these components, which are in order of their names. */
typedef uint64_t (*CnGroupFn)(const CnWorld *world, const CnComponent *components, uint32_t count,
                              void *user);

typedef struct CnGroupedQueryDesc {
    CnQueryDesc query;
    /* By the first target of this kind that entities have: the group is the target's index, in the
     * upper half, and its generation; 0 without a target. Or */
    CnComponent pair_kind;
    CnGroupFn group_of; /* when pair_kind is null: asked once for each archetype */
    void *user;
} CnGroupedQueryDesc;

/* NULL and an error when out of memory, or when there is neither kind nor function. */
CN_API CnGroupedQuery *cn_grouped_query_create(CnWorld *world, const CnGroupedQueryDesc *desc,
                                               CnError *error);
/* NULL is allowed. */
CN_API void cn_grouped_query_destroy(CnGroupedQuery *grouped);

typedef struct CnGroupedIter {
    const CnGroupedQuery *grouped;
    uint32_t next, end; /* archetypes */
    uint32_t chunk;     /* of the archetype */
    uint32_t structure;
} CnGroupedIter;

/* All groups in rising order, the archetypes of each in order of creation; or one group alone. What
 * the query matches since the last call is sorted in; when that runs out of memory nothing is
 * visited. */
CN_API CnGroupedIter cn_grouped_iter(CnGroupedQuery *grouped);
CN_API CnGroupedIter cn_grouped_iter_group(CnGroupedQuery *grouped, uint64_t group);
/* `group` may be NULL. */
CN_API bool cn_grouped_next(CnGroupedIter *it, CnChunkView *view, uint64_t *group);

CN_EXTERN_C_END

#endif
