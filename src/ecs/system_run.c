/* What the functions that CN_SYSTEM makes call: walks the chunks of a query, on this thread or over
 * the world's jobs, and calls the system's loop over rows. */
#include "store.h"

typedef struct Walk {
    CnSystemContext *context;
    void (*rows)(CnSystemContext *context, const CnChunkView *chunk, void *const *addresses);
    const CniSystemColumn *arguments;
    uint32_t argument_count;
    uint32_t terms[CN_MAX_TERMS]; /* of the query, by argument */
} Walk;

/* Which term of the query an argument is; all of them are required, so every match has its column. */
static inline uint32_t argument_term(const CniQueryHead *query, const CniSystemColumn *argument,
                                     uint32_t place)
{
    CN_ASSERT(cni_query_is_packed(query, argument->type) == !argument->by_field, "%s is %s",
              argument->type->name, argument->by_field ? "packed" : "laid out by fields");
    CN_ASSERT(argument->writes ? cni_query_may_write(query, argument->type)
                               : cni_query_may_read(query, argument->type),
              "%s",
              cni_query_access_text(query, argument->type, argument->writes ? "write" : "read"));
    /* Mostly the query's terms are just the arguments. */
    if (CN_LIKELY(place < query->term_count && query->term_types[place] == argument->type))
        return place;
    return cni_query_term(query, argument->type);
}

static inline void run_chunk(const Walk *walk, const CnChunkView *view)
{
    void *addresses[CN_MAX_TERMS];
    const CniChunk *chunk = view->chunk;
    for (uint32_t i = 0; i < walk->argument_count; i++) {
        const CniColumn *column = &view->columns[walk->terms[i]];
        addresses[i] =
            chunk->data + (size_t)(column->prefix + walk->arguments[i].offset) * chunk->capacity;
        if (walk->arguments[i].writes)
            view->ticks[column->tick] = view->tick;
    }
    walk->rows(walk->context, view, addresses);
}

static void run_chunk_of_lane(const CnChunkView *view, void *user, uint32_t lane)
{
    (void)lane;
    run_chunk(user, view);
}

void cni_system_run(CnSystemContext *context, const CniSystemCode *code)
{
    const CniQueryHead *query = (const CniQueryHead *)(const void *)context->query;
    const CniWorldHead *world = query->world;
    Walk walk;
    walk.context = context;
    walk.rows = code->rows[cn_simd_path()];
    walk.arguments = (const CniSystemColumn *)(const void *)(code + 1);
    walk.argument_count = (uint32_t)code->column_count;
    for (uint32_t i = 0; i < walk.argument_count; i++)
        walk.terms[i] = argument_term(query, &walk.arguments[i], i);
    if (context->split) {
        cn_query_parallel(context->query, context->jobs, run_chunk_of_lane, &walk);
        return;
    }
    __attribute__((unused)) const uint32_t structure = world->structure;
    const CniMatch *match = query->matches;
    CnChunkView view;
    view.query = query;
    view.tick = world->tick;
    for (uint32_t m = query->match_count; m > 0; m--, match += query->term_count + 1u) {
        const CniArchetype *archetype = match->archetype;
        view.columns = cni_match_columns(match);
        view.ticks = archetype->ticks;
        for (uint32_t c = 0; c < archetype->chunk_count; c++) {
            const CniChunk *chunk = &world->chunks[archetype->chunk_ids[c]];
            view.chunk = chunk;
            view.count = chunk->count;
            view.capacity = chunk->capacity;
            view.entities = cni_chunk_entities(chunk);
            run_chunk(&walk, &view);
            CN_ASSERT(world->structure == structure,
                      "the world's structure changed while a query was iterated; use commands");
            view.ticks += archetype->tick_stride;
        }
    }
}
