/* The library part of CN_SYSTEM: iterates over the chunks of a query, on this thread or on the
 * world's jobs, and calls the system's loop over rows. */
#include "ecs/command/command_buffer.h"
#include "ecs/schedule/split_system.h"

typedef void (*RowsFn)(CnSystemContext *context, const CnChunkView *chunk, void *const *addresses);

/* Returns the term of the query that an argument refers to. */
static inline uint32_t argument_term(const CniEcsQueryHead *query,
                                     const CniEcsSystemColumn *argument, uint32_t place)
{
    CN_ASSERT(cni_ecs_query_is_packed(query, argument->type) ==
                  !(argument->flags & CNI_COLUMN_BY_FIELD),
              "%s is %s", argument->type->name,
              argument->flags & CNI_COLUMN_BY_FIELD ? "packed" : "laid out by fields");
    CN_ASSERT(
        argument->writes ? cni_ecs_query_may_write(query, argument->type)
                         : cni_ecs_query_may_read(query, argument->type),
        "%s",
        cni_ecs_query_access_text(query, argument->type, argument->writes ? "write" : "read"));
    /* The query's terms are usually the same as the arguments. */
    if (CN_LIKELY(place < query->term_count && query->term_types[place] == argument->type))
        return place;
    return cni_ecs_query_term(query, argument->type);
}

static inline const CniEcsSystemColumn *arguments_of(const CniEcsSystemCode *code)
{
    return (const CniEcsSystemColumn *)(const void *)(code + 1);
}

/* Finds the terms of the columns. */
CN_FORCE_INLINE void find_columns(const CniEcsQueryHead *query, const CniEcsSystemCode *code,
                                  uint32_t count, uint32_t *terms)
{
    for (uint32_t i = 0; i < count; i++)
        terms[i] = argument_term(query, &arguments_of(code)[i], i);
}

/* Finds the terms of the columns and of the types in `changed` terms. */
static inline void find_terms(const CniEcsQueryHead *query, const CniEcsSystemCode *code,
                              uint32_t *terms)
{
    find_columns(query, code, code->column_count, terms);
    for (uint32_t i = 0; i < code->changed_count; i++)
        terms[code->column_count + i] =
            cni_ecs_query_term(query, arguments_of(code)[code->column_count + i].type);
}

/* `stride` is the stride of the chunk's archetype, which the caller knows. */
CN_FORCE_INLINE void run_chunk(CnSystemContext *context, RowsFn rows, const CniEcsSystemCode *code,
                               uint32_t count, const uint32_t *terms, const CnChunkView *view,
                               size_t stride, bool has_optional)
{
    void *addresses[CN_MAX_TERMS];
    uint8_t *const data = view->chunk->data;
    const size_t first = view->chunk->first;
    for (uint32_t i = 0; i < count; i++) {
        const CniEcsSystemColumn *argument = &arguments_of(code)[i];
        const CniEcsQueryColumn *column = &view->columns[terms[i]];
        if (has_optional && column->prefix == CNI_ECS_ABSENT) {
            addresses[i] = NULL;
            continue;
        }
        addresses[i] = data + (column->prefix + argument->offset) * stride + first * argument->size;
        if (argument->writes)
            cni_ecs_view_mark_written(view, column);
    }
    rows(context, view, addresses);
}

/* Whether rows were added or removed, or one of the listed components was written, since the last
 * run. */
static bool has_changed(const CnSystemContext *context, const CniEcsSystemCode *code,
                        const uint32_t *terms, const CnChunkView *view)
{
    if (view->chunk->changed > context->last_run)
        return true;
    for (uint32_t i = 0; i < code->changed_count; i++) {
        const CniEcsQueryColumn *column = &view->columns[terms[code->column_count + i]];
        if (view->ticks[cni_ecs_column_tick_index(column)] > context->last_run)
            return true;
    }
    return false;
}

/* For systems that have `changed` or `optional` terms, and for lanes. */
static void run_selected(CnSystemContext *context, RowsFn rows, const CniEcsSystemCode *code,
                         const uint32_t *terms, const CnChunkView *view)
{
    if (!code->changed_count || has_changed(context, code, terms, view))
        run_chunk(context, rows, code, code->column_count, terms, view,
                  view->chunk->archetype->stride, true);
}

/* ---- Over the lanes of a pool ---- */

typedef struct SplitRun {
    CnSystemContext *context;
    RowsFn rows;
    const CniEcsSystemCode *code;
    uint32_t terms[CN_MAX_TERMS];
} SplitRun;

static void run_chunk_of_lane(const CnChunkView *view, void *user, uint32_t lane)
{
    const SplitRun *split = user;
    (void)lane;
    run_selected(split->context, split->rows, split->code, split->terms, view);
}

static CN_NOINLINE void run_split(CnSystemContext *context, const CniEcsSystemCode *code)
{
    const CniEcsQueryHead *query = (const CniEcsQueryHead *)(const void *)context->query;
    SplitRun split = {.context = context, .rows = code->rows[cn_simd_path()], .code = code};
    find_terms(query, code, split.terms);
    cni_ecs_query_parallel(context->query, context->jobs, context->commands->split,
                           run_chunk_of_lane, &split);
}

/* ---- On this thread ---- */

static CN_NOINLINE void run_selected_chunks(CnSystemContext *context, const CniEcsSystemCode *code)
{
    const RowsFn rows = code->rows[cn_simd_path()];
    uint32_t terms[CN_MAX_TERMS];
    CnChunkView view;
    find_terms((const CniEcsQueryHead *)(const void *)context->query, code, terms);
    for (CnQueryIter it = cn_query_iter(context->query); cn_query_next(&it, &view);)
        run_selected(context, rows, code, terms, &view);
}

/* Iterates over all chunks for a system with `count` columns. */
CN_FORCE_INLINE void run_chunks(CnSystemContext *context, const CniEcsSystemCode *code,
                                uint32_t count)
{
    const CniEcsQueryHead *query = (const CniEcsQueryHead *)(const void *)context->query;
    const CniEcsWorldHead *world = query->world;
    const RowsFn rows = code->rows[cn_simd_path()];
    uint32_t terms[CN_MAX_TERMS];
    find_columns(query, code, count, terms);
    __attribute__((unused)) const uint32_t structure = world->structure;
    const CniEcsQueryMatch *match = query->matches;
    const uint32_t stride = query->term_count + 1u;
    CnChunkView view;
    view.query = query;
    view.tick = world->tick;
    for (uint32_t m = query->match_count; m > 0; m--, match += stride) {
        const CniEcsArchetypeHead *archetype = match->archetype;
        view.columns = cni_ecs_match_columns(match);
        view.ticks = archetype->ticks;
        for (uint32_t c = 0; c < archetype->chunk_count; c++) {
            const CniEcsChunk *chunk = &world->chunks[archetype->chunk_ids[c]];
            view.chunk = chunk;
            view.count = chunk->count;
            view.capacity = chunk->capacity;
            view.entities = cni_ecs_chunk_entities(chunk);
            run_chunk(context, rows, code, count, terms, &view, archetype->stride, false);
            CN_ASSERT(world->structure == structure,
                      "the world's structure changed while a query was iterated; use commands");
            view.ticks += archetype->tick_stride;
        }
    }
}

/* One function for each of the most frequent numbers of columns: if chunks have few rows, the loop
 * over columns costs more than the rows. */
static CN_NOINLINE void run_1_column(CnSystemContext *context, const CniEcsSystemCode *code)
{
    run_chunks(context, code, 1);
}

static CN_NOINLINE void run_2_columns(CnSystemContext *context, const CniEcsSystemCode *code)
{
    run_chunks(context, code, 2);
}

static CN_NOINLINE void run_columns(CnSystemContext *context, const CniEcsSystemCode *code)
{
    run_chunks(context, code, code->column_count);
}

void cni_ecs_system_run(CnSystemContext *context, const CniEcsSystemCode *code)
{
    if (CN_UNLIKELY(context->split))
        run_split(context, code);
    else if (CN_UNLIKELY(code->changed_count || code->has_optional))
        run_selected_chunks(context, code);
    else if (code->column_count == 1)
        run_1_column(context, code);
    else if (code->column_count == 2)
        run_2_columns(context, code);
    else
        run_columns(context, code);
}
