/*
 * Sorted and grouped queries.
 *
 * A sorted query visits entities in the order of a field or of a comparison function.
 *
 *     CnSortedQueryDesc desc = {.query = {.all = {cn_reads(Sprite), cn_reads(Position)}},
 *                               .by = &cn_type_Sprite,
 *                               .field = "layer"};
 *     CnSortedQuery *by_layer = cn_sorted_query_create(world, &desc, &error);
 *
 *     cn_sorted_query_update(by_layer);
 *     CnSortedRun run;
 *     for (CnSortedIter it = cn_sorted_iter(by_layer); cn_sorted_next(&it, &run);) {
 *         const Sprite *sprites = cn_column_const(&run.view, Sprite);
 *         for (uint32_t row = run.first; row < run.first + run.count; row++)
 *             draw(&sprites[row]);
 *     }
 *
 * Entities with equal values are in rising order of index, so the order is a function of the state.
 * The order is cached: an update examines only chunks that were written or whose rows changed since
 * the last update, sorts the rows that are out of order, and merges them with the rest. Without
 * changes, an update costs a few loads per chunk.
 *
 * A grouped query visits archetypes in the order of a number, for example the target of a pair.
 *
 *     CnGroupedQueryDesc desc = {.query = {.all = {cn_writes(Position)}},
 *                                .pair_kind = cn_id(world, InRegion)};
 *     CnGroupedQuery *by_region = cn_grouped_query_create(world, &desc, &error);
 *
 *     uint64_t region;
 *     CnChunkView view;
 *     for (CnGroupedIter it = cn_grouped_iter(by_region); cn_grouped_next(&it, &view, &region);)
 *         visit(region, view.entities, view.count);
 *
 * Like all queries, both belong to the thread that owns the world, and other threads may only read
 * them.
 */
#ifndef CAIRN_ECS_SORTED_QUERY_H
#define CAIRN_ECS_SORTED_QUERY_H

#include <cairn/ecs/query.h>

CN_EXTERN_C_BEGIN

/* ---- Sorted ---- */

typedef struct CnSortedQuery CnSortedQuery;

/* Returns a negative number if `a` comes first and 0 if they are equal. The result must depend on
 * both values only. */
typedef int (*CnCompareFn)(const void *a, const void *b, void *user);

typedef struct CnSortedQueryDesc {
    CnQueryDesc query;   /* must have `by` in `all`, with access */
    const CnType *by;    /* or */
    CnComponent by_id;   /* when `by` is NULL */
    const char *field;   /* of `by`: a number, a bool or an entity; NULL: use `compare` */
    CnCompareFn compare; /* compares values of `by`, which must be packed */
    void *user;          /* for `compare` */
    bool descending;     /* equal values stay in rising order of index */
} CnSortedQueryDesc;

/* Creates a sorted query. Returns NULL and sets the error when out of memory or if `by` or `field`
 * cannot be sorted by. NaNs come last; NaNs with a sign bit come first. */
CN_API CnSortedQuery *cn_sorted_query_create(CnWorld *world, const CnSortedQueryDesc *desc,
                                             CnError *error);
/* NULL is ignored. */
CN_API void cn_sorted_query_destroy(CnSortedQuery *sorted);
/* Updates the order. Returns false when out of memory: the order is then unchanged, may be out of
 * date, and must not be iterated. Must not be called in a system that shares its wave. */
CN_API bool cn_sorted_query_update(CnSortedQuery *sorted);
/* Returns the number of entities as of the last update. */
CN_API uint32_t cn_sorted_query_count(const CnSortedQuery *sorted);
/* Fills `entities` with at most `capacity` entities in order. Returns the number of entities, as of
 * the last update. */
CN_API uint32_t cn_sorted_query_entities(const CnSortedQuery *sorted, CnEntity *entities,
                                         uint32_t capacity);

/* Consecutive entities of the order that are consecutive rows of one chunk: rows first to first +
 * count - 1 of the view. */
typedef struct CnSortedRun {
    CnChunkView view;
    uint32_t first, count;
} CnSortedRun;

typedef struct CnSortedIter {
    const CnSortedQuery *sorted;
    uint32_t next;
    uint32_t structure;
} CnSortedIter;

/* The structure of the world must not have changed since the last update. */
CN_API CnSortedIter cn_sorted_iter(const CnSortedQuery *sorted);
CN_API bool cn_sorted_next(CnSortedIter *it, CnSortedRun *run);

/* ---- Grouped ---- */

typedef struct CnGroupedQuery CnGroupedQuery;

/* Returns the group of the entities with these components, which are sorted by name. */
typedef uint64_t (*CnGroupFn)(const CnWorld *world, const CnComponent *components, uint32_t count,
                              void *user);

typedef struct CnGroupedQueryDesc {
    CnQueryDesc query;
    /* Groups by the first target of this kind: the group number has the target's index in the upper
     * half and its generation in the lower half; it is 0 without a target. Or */
    CnComponent pair_kind;
    CnGroupFn group_of; /* if pair_kind is null: called once per archetype */
    void *user;
} CnGroupedQueryDesc;

/* Creates a grouped query. Returns NULL and sets the error when out of memory or if neither
 * pair_kind nor group_of is given. */
CN_API CnGroupedQuery *cn_grouped_query_create(CnWorld *world, const CnGroupedQueryDesc *desc,
                                               CnError *error);
/* NULL is ignored. */
CN_API void cn_grouped_query_destroy(CnGroupedQuery *grouped);

typedef struct CnGroupedIter {
    const CnGroupedQuery *grouped;
    uint32_t next, end; /* archetypes */
    uint32_t chunk;     /* of the archetype */
    uint32_t structure;
} CnGroupedIter;

/* Visits all groups in rising order, or a single group; the archetypes of a group in order of
 * creation. Archetypes that the query matches since the last call are sorted in; when out of
 * memory, nothing is visited. */
CN_API CnGroupedIter cn_grouped_iter(CnGroupedQuery *grouped);
CN_API CnGroupedIter cn_grouped_iter_group(CnGroupedQuery *grouped, uint64_t group);
/* `group` may be NULL. */
CN_API bool cn_grouped_next(CnGroupedIter *it, CnChunkView *view, uint64_t *group);

CN_EXTERN_C_END

#endif
