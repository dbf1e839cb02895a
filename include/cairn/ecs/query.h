/*
 * Queries: live sets of archetypes. A query is iterated chunk by chunk, so that the caller writes
 * the inner loop and the compiler can vectorize it.
 *
 *     CnQueryDesc desc = {.all = {cn_writes(Position), cn_reads(Velocity)},
 *                         .none = {cn_tag(Frozen)}};
 *     CnQuery *movers = cn_query_acquire(world, &desc, NULL);
 *
 *     CnChunkView view;
 *     for (CnQueryIter it = cn_query_iter(movers); cn_query_next(&it, &view);) {
 *         Position *p = cn_column(&view, Position);
 *         const Velocity *v = cn_column_const(&view, Velocity);
 *         for (uint32_t i = 0; i < view.count; i++)
 *             p[i].x += v[i].x * dt;
 *     }
 *
 *     cn_query_release(movers);
 *
 * Create a query once and keep it: new archetypes are added to it automatically. Equal descriptions
 * yield the same query, which exists until it has been released as often as it was acquired, or
 * until the world is destroyed. During iteration, change the structure of the world only through
 * commands. Iteration allocates nothing.
 *
 * A pair ends when its target is destroyed, and its id may then be reused for another pair. Queries
 * that contain the pair continue without it: a query that requires it (in `all`, or as the last
 * term of `any`) matches nothing from then on; from `none`, `any` and `optional` the term is
 * removed.
 */
#ifndef CAIRN_ECS_QUERY_H
#define CAIRN_ECS_QUERY_H

#include <cairn/ecs/world.h>

CN_EXTERN_C_BEGIN

typedef struct CnQuery CnQuery;

typedef enum CnAccess { CN_ACCESS_NONE, CN_ACCESS_READ, CN_ACCESS_WRITE } CnAccess;

typedef struct CnTerm {
    const CnType *type;    /* or */
    CnComponent component; /* when type is NULL */
    CnAccess access;
} CnTerm;

#define cn_reads(T)                                                                                \
    {                                                                                              \
        &cn_type_##T, {0}, CN_ACCESS_READ                                                          \
    }
#define cn_writes(T)                                                                               \
    {                                                                                              \
        &cn_type_##T, {0}, CN_ACCESS_WRITE                                                         \
    }
#define cn_tag(T)                                                                                  \
    {                                                                                              \
        &cn_type_##T, {0}, CN_ACCESS_NONE                                                          \
    }
#define cn_reads_id(component_)                                                                    \
    {                                                                                              \
        NULL, (component_), CN_ACCESS_READ                                                         \
    }
#define cn_writes_id(component_)                                                                   \
    {                                                                                              \
        NULL, (component_), CN_ACCESS_WRITE                                                        \
    }
#define cn_tag_id(component_)                                                                      \
    {                                                                                              \
        NULL, (component_), CN_ACCESS_NONE                                                         \
    }

/* Each list ends at its first zero term. An entity matches if it has every component of `all`, at
 * least one of `any` (unless `any` is empty) and none of `none`. `optional` grants access and does
 * not affect matching. */
typedef struct CnQueryDesc {
    CnTerm all[CN_MAX_TERMS];
    CnTerm any[CN_MAX_TERMS];
    CnTerm none[CN_MAX_TERMS];
    CnTerm optional[CN_MAX_TERMS];
} CnQueryDesc;

/* Acquires the query of a description, which is created if it does not exist; release it when it is
 * no longer needed. Returns NULL and sets the error when out of memory or if a term refers to an
 * unknown component id. Call it on the thread that owns the world; a system that shares its wave
 * may only acquire existing queries. */
CN_API CnQuery *cn_query_acquire(CnWorld *world, const CnQueryDesc *desc, CnError *error);
/* Releases a query acquired by cn_query_acquire, cn_query_and, cn_query_not or cn_query_or; the
 * last release frees it. NULL is ignored. Must not be called while the query is iterated, nor for
 * the query of a system, which the system releases itself. */
CN_API void cn_query_release(CnQuery *query);

/* Acquires a query with one more component required or excluded, or with a list of alternatives.
 * The caller keeps `query`. Returns NULL and sets the error in the same cases as
 * cn_query_acquire. */
CN_API CnQuery *cn_query_and(CnQuery *query, CnTerm term, CnError *error);
CN_API CnQuery *cn_query_not(CnQuery *query, CnTerm term, CnError *error);
CN_API CnQuery *cn_query_or(CnQuery *query, const CnTerm *terms, uint32_t count, CnError *error);
#define cn_term_reads(T) ((CnTerm)cn_reads(T))
#define cn_term_writes(T) ((CnTerm)cn_writes(T))
#define cn_term_tag(T) ((CnTerm)cn_tag(T))

/* Returns the number of matching entities. The cost is proportional to the number of archetypes. */
CN_API uint32_t cn_query_count(const CnQuery *query);
CN_API uint32_t cn_query_archetype_count(const CnQuery *query);
CN_API CnWorld *cn_query_world(const CnQuery *query);
CN_API bool cn_query_matches(const CnQuery *query, CnEntity entity);
/* Fills `entities` with at most `capacity` matching entities in rising order of index, independent
 * of their storage order. Returns the number of matching entities. */
CN_API uint32_t cn_query_entities(const CnQuery *query, CnEntity *entities, uint32_t capacity);

/* ---- Iteration ---- */

typedef struct CniEcsQueryColumn {
    uint32_t prefix; /* bytes per row before the component's data, or CNI_ECS_ABSENT */
    uint32_t tick;   /* index in the chunk's ticks; see cni_ecs_column_tick_index */
} CniEcsQueryColumn;

#define CNI_ECS_TRACKED_COLUMN 0x80000000u /* in `tick`: writes are recorded for each row */

static inline uint32_t cni_ecs_column_tick_index(const CniEcsQueryColumn *column)
{
    return column->tick & ~CNI_ECS_TRACKED_COLUMN;
}

/* A matching archetype. It is followed in memory by its columns, one per term of the query. */
typedef struct CniEcsQueryMatch {
    CniEcsArchetypeHead *archetype;
} CniEcsQueryMatch;
CN_STATIC_ASSERT(sizeof(CniEcsQueryMatch) == sizeof(CniEcsQueryColumn), "see cni_ecs_match");

typedef struct CniEcsQueryHead {
    const CniEcsWorldHead *world;
    CniEcsQueryMatch *matches;
    const CnType **term_types;
    uint32_t match_count;
    uint32_t term_count;
} CniEcsQueryHead;

static inline CniEcsQueryMatch *cni_ecs_match(const CniEcsQueryHead *query, uint32_t index)
{
    return query->matches + (size_t)index * (query->term_count + 1u);
}

static inline CniEcsQueryColumn *cni_ecs_match_columns(const CniEcsQueryMatch *match)
{
    return (CniEcsQueryColumn *)(uintptr_t)(match + 1);
}

typedef struct CnChunkView {
    uint32_t count; /* rows */
    uint32_t capacity;
    const CnEntity *entities;
    const CniEcsQueryHead *query;
    const CniEcsQueryColumn *columns;
    const CniEcsChunk *chunk;
    uint64_t *ticks; /* of the chunk's columns */
    uint64_t tick;
} CnChunkView;

typedef struct CnQueryIter {
    const CniEcsQueryHead *query;
    const CniEcsChunk *chunks;
    const uint32_t *chunk_ids;
    uint32_t chunk, chunk_count;
    const CniEcsQueryMatch *match; /* the next one */
    uint32_t matches_left;
    uint32_t structure;
    const CniEcsQueryColumn *columns;
    uint64_t *ticks;
    uint32_t tick_stride;
    uint64_t since;
    uint64_t tick;
} CnQueryIter;

CN_API bool cni_ecs_view_changed(const CniEcsQueryHead *query, const CniEcsQueryColumn *columns,
                                 const CniEcsChunk *chunk, const uint64_t *ticks, uint64_t since);
CN_API const CniEcsQueryColumn *cni_ecs_view_column_slow(const CniEcsQueryHead *query,
                                                         const CniEcsQueryColumn *columns,
                                                         const CnType *type);
/* For guards only. */
CN_API bool cni_ecs_query_may_read(const CniEcsQueryHead *query, const CnType *type);
CN_API bool cni_ecs_query_may_write(const CniEcsQueryHead *query, const CnType *type);
CN_API const char *cni_ecs_query_access_text(const CniEcsQueryHead *query, const CnType *type,
                                             const char *verb);
CN_API bool cni_ecs_query_is_packed(const CniEcsQueryHead *query, const CnType *type);

CN_FORCE_INLINE CnQueryIter cn_query_iter(const CnQuery *query)
{
    const CniEcsQueryHead *head = (const CniEcsQueryHead *)(const void *)query;
    CnQueryIter it;
    CN_ASSERT(head->world->tick, "a query is iterated that was released");
    it.query = head;
    it.chunks = head->world->chunks;
    it.chunk_ids = NULL;
    it.chunk = it.chunk_count = 0;
    it.match = head->matches;
    it.matches_left = head->match_count;
    it.structure = head->world->structure;
    it.columns = NULL;
    it.ticks = NULL;
    it.tick_stride = 0;
    it.since = 0;
    it.tick = head->world->tick;
    return it;
}

/* Visits only chunks in which a component of `all`, `any` or `optional` with access was written, or
 * rows were added or removed, after tick `since`. */
static inline CnQueryIter cn_query_iter_changed(const CnQuery *query, uint64_t since)
{
    CnQueryIter it = cn_query_iter(query);
    it.since = since;
    return it;
}

CN_FORCE_INLINE bool cn_query_next(CnQueryIter *it, CnChunkView *view)
{
    const CniEcsQueryHead *query = it->query;
    CN_ASSERT(it->structure == query->world->structure,
              "the world's structure changed, or the query was released, while it was iterated; "
              "use commands");
    for (;;) {
        while (it->chunk == it->chunk_count) {
            if (it->matches_left == 0)
                return false;
            const CniEcsArchetypeHead *archetype = it->match->archetype;
            it->columns = cni_ecs_match_columns(it->match);
            it->match += query->term_count + 1u;
            it->matches_left--;
            it->chunk = 0;
            it->chunk_count = archetype->chunk_count;
            it->chunk_ids = archetype->chunk_ids;
            it->ticks = archetype->ticks;
            it->tick_stride = archetype->tick_stride;
        }
        const CniEcsChunk *chunk = &it->chunks[it->chunk_ids[it->chunk]];
        view->count = chunk->count;
        view->capacity = chunk->capacity;
        view->entities = (const CnEntity *)(const void *)chunk->data + chunk->first;
        view->query = query;
        view->columns = it->columns;
        view->chunk = chunk;
        view->ticks = it->ticks + (size_t)it->chunk * it->tick_stride;
        view->tick = it->tick;
        it->chunk++;
        if (it->since == 0 ||
            cni_ecs_view_changed(query, view->columns, chunk, view->ticks, it->since))
            return true;
    }
}

CN_FORCE_INLINE const CniEcsQueryColumn *cni_ecs_view_column(const CnChunkView *view,
                                                             const CnType *type)
{
    const CnType **types = view->query->term_types;
    uint32_t count = view->query->term_count;
    for (uint32_t i = 0; i < count; i++)
        if (types[i] == type)
            return &view->columns[i];
    return cni_ecs_view_column_slow(view->query, view->columns, type);
}

/* `size` is the size of a value, `offset` the offset of the field if the component is stored by
 * fields. */
CN_FORCE_INLINE void *cni_ecs_view_address(const CnChunkView *view, const CniEcsQueryColumn *column,
                                           size_t offset, size_t size)
{
    if (CN_UNLIKELY(!column || column->prefix == CNI_ECS_ABSENT))
        return NULL;
    const CniEcsChunk *chunk = view->chunk;
    return chunk->data + (column->prefix + offset) * chunk->archetype->stride + chunk->first * size;
}

/* Records a write to all rows of a tracked column, and its tick. */
CN_API void cni_ecs_rows_mark_written(const CnChunkView *view, const CniEcsQueryColumn *column);

CN_FORCE_INLINE void cni_ecs_view_mark_written(const CnChunkView *view,
                                               const CniEcsQueryColumn *column)
{
    const uint32_t tick = column->tick;
    if (CN_LIKELY(!(tick & CNI_ECS_TRACKED_COLUMN)))
        view->ticks[tick] = view->tick;
    else
        cni_ecs_rows_mark_written(view, column);
}

CN_FORCE_INLINE const void *cni_ecs_column_const(const CnChunkView *view, const CnType *type,
                                                 size_t offset, size_t size)
{
    CN_ASSERT(cni_ecs_query_may_read(view->query, type), "%s",
              cni_ecs_query_access_text(view->query, type, "read"));
    return cni_ecs_view_address(view, cni_ecs_view_column(view, type), offset, size);
}

CN_FORCE_INLINE void *cni_ecs_column(const CnChunkView *view, const CnType *type, size_t offset,
                                     size_t size)
{
    CN_ASSERT(cni_ecs_query_may_write(view->query, type), "%s",
              cni_ecs_query_access_text(view->query, type, "write"));
    const CniEcsQueryColumn *column = cni_ecs_view_column(view, type);
    void *address = cni_ecs_view_address(view, column, offset, size);
    if (CN_LIKELY(address != NULL))
        cni_ecs_view_mark_written(view, column);
    return address;
}

CN_FORCE_INLINE const void *cni_ecs_rows_const(const CnChunkView *view, const CnType *type,
                                               size_t size)
{
    CN_ASSERT(cni_ecs_query_is_packed(view->query, type), "%s is laid out by fields: use cn_field",
              type->name);
    return cni_ecs_column_const(view, type, 0, size);
}

CN_FORCE_INLINE void *cni_ecs_rows(const CnChunkView *view, const CnType *type, size_t size)
{
    CN_ASSERT(cni_ecs_query_is_packed(view->query, type), "%s is laid out by fields: use cn_field",
              type->name);
    return cni_ecs_column(view, type, 0, size);
}

/* Returns the rows of a packed component; NULL if it is optional and absent. cn_column requires
 * declared write access and marks the chunk's column as changed. */
#define cn_column(view, T) ((T *)cni_ecs_rows((view), &cn_type_##T, sizeof(T)))
#define cn_column_const(view, T) ((const T *)cni_ecs_rows_const((view), &cn_type_##T, sizeof(T)))

/* Returns the column of one field of a component that is stored by fields. */
#define cn_field(view, T, field)                                                                   \
    ((__typeof__(((T *)0)->field) *)cni_ecs_field((view), &cn_type_##T, offsetof(T, field),        \
                                                  sizeof(((T *)0)->field)))
#define cn_field_const(view, T, field)                                                             \
    ((const __typeof__(((T *)0)->field) *)cni_ecs_field_const(                                     \
        (view), &cn_type_##T, offsetof(T, field), sizeof(((T *)0)->field)))

CN_FORCE_INLINE void *cni_ecs_field(const CnChunkView *view, const CnType *type, size_t offset,
                                    size_t size)
{
    CN_ASSERT(!cni_ecs_query_is_packed(view->query, type), "%s is packed: use cn_column",
              type->name);
    return cni_ecs_column(view, type, offset, size);
}

CN_FORCE_INLINE const void *cni_ecs_field_const(const CnChunkView *view, const CnType *type,
                                                size_t offset, size_t size)
{
    CN_ASSERT(!cni_ecs_query_is_packed(view->query, type), "%s is packed: use cn_column",
              type->name);
    return cni_ecs_column_const(view, type, offset, size);
}

/* The same for components known only at run time. If `field` is NULL, returns the rows of a packed
 * component. */
CN_API const void *cn_column_by_id(const CnChunkView *view, CnComponent component,
                                   const CnField *field);
CN_API void *cn_column_by_id_mut(const CnChunkView *view, CnComponent component,
                                 const CnField *field);

/* Calls `run` for every chunk, on all lanes of the pool, or on this thread in order if `pool` is
 * NULL. The assignment of chunks to lanes is unspecified; results must not depend on it.
 *
 * `run` may send events and record commands, like split systems: the result is that of one thread
 * visiting the chunks in order, for any number of threads. Outside of systems it may use every
 * channel and every command buffer of the world; in a system, the channels that the system declares
 * to write, and context->commands. A parallel loop inside another one, or inside a split system,
 * may do neither: guards report it, and without guards its commands and events are dropped and the
 * error is logged. */
typedef void (*CnChunkFn)(const CnChunkView *view, void *user, uint32_t lane);
CN_API void cn_query_parallel(CnQuery *query, CnJobPool *pool, CnChunkFn run, void *user);

/* ---- Bulk changes: one move per chunk, not per entity ---- */

/* These functions change all matching entities. They return false when out of memory; entities
 * changed by then stay changed. The hooks on_add and on_set are called after all entities are
 * changed, in rising order of entity index; on_remove is called for the entities of each archetype
 * in row order before they change. */
CN_API bool cn_query_set(CnQuery *query, CnValue value);
CN_API bool cn_query_remove(CnQuery *query, CnComponent component);
/* Destroys all matching entities, but not the query. Returns the number of destroyed entities,
 * including children. The order is that of the archetypes and, within each, from the last row to
 * the first. If the world has pairs, or some of the entities are parents, this needs memory; when
 * out of memory, it returns 0. */
CN_API uint32_t cn_query_destroy_entities(CnQuery *query);

CN_EXTERN_C_END

#endif
