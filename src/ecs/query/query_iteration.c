#include "ecs/world/world_internal.h"
#include "ecs/schedule/split_system.h"

/* ---- Counting and listing ---- */

uint32_t cn_query_count(const CnQuery *query)
{
    CN_ASSERT(query, "%s: query is NULL", __func__);
    uint32_t count = 0;
    for (uint32_t i = 0; i < query->head.match_count; i++)
        count += cni_ecs_archetype_rows(query->world, cni_ecs_match_archetype(query, i));
    return count;
}

uint32_t cn_query_archetype_count(const CnQuery *query)
{
    CN_ASSERT(query, "%s: query is NULL", __func__);
    return query->head.match_count;
}

CnWorld *cn_query_world(const CnQuery *query)
{
    CN_ASSERT(query, "%s: query is NULL", __func__);
    return query->world;
}

bool cn_query_matches(const CnQuery *query, CnEntity entity)
{
    CN_ASSERT(query, "%s: query is NULL", __func__);
    const CnWorld *world = query->world;
    const CniEcsSlot *slot = cni_ecs_live_slot(world, entity);
    return slot && cni_ecs_query_matches_archetype(
                       query, cni_ecs_chunk_archetype(
                                  &world->chunks.items[cni_ecs_row_ref(slot->location).chunk]));
}

/* Iterates over the entity slots in order: one pass without additional memory, in the order of
 * indices. */
uint32_t cn_query_entities(const CnQuery *query, CnEntity *entities, uint32_t capacity)
{
    CN_ASSERT(query, "%s: query is NULL", __func__);
    const CnWorld *world = query->world;
    const CniEcsSlots *slots = &world->slots;
    uint32_t count = 0, total = cn_query_count(query);
    if (!capacity)
        return total;
    for (uint32_t page = 0; page < slots->head->page_count && count < total; page++) {
        for (uint32_t i = 0; i < CNI_ECS_PAGE_SLOTS && count < total; i++) {
            const CniEcsSlot *slot = &slots->head->pages[page][i];
            if (!(slot->generation & 1u))
                continue;
            const CniEcsChunk *chunk = &world->chunks.items[cni_ecs_row_ref(slot->location).chunk];
            if (!cni_ecs_query_matches_archetype(query, cni_ecs_chunk_archetype(chunk)))
                continue;
            if (count < capacity)
                entities[count] = cn_entity_make(page * CNI_ECS_PAGE_SLOTS + i, slot->generation);
            count++;
        }
    }
    return total;
}

/* ---- Views ---- */

static const CnQuery *whole(const CniEcsQueryHead *head)
{
    return (const CnQuery *)(const void *)head;
}

static const CniEcsQueryColumn *column_of_term(const CniEcsQueryHead *head,
                                               const CniEcsQueryColumn *columns, uint32_t id)
{
    for (uint32_t i = 0; i < head->term_count; i++)
        if (whole(head)->term_ids[i] == id)
            return &columns[i];
    return NULL;
}

const CniEcsQueryColumn *cni_ecs_view_column_slow(const CniEcsQueryHead *query,
                                                  const CniEcsQueryColumn *columns,
                                                  const CnType *type)
{
    CnComponent id = cn_component_of(whole(query)->world, type);
    const CniEcsQueryColumn *column = id.id ? column_of_term(query, columns, id.id) : NULL;
    CN_ASSERT(column || !type->size, "the query does not declare %s", type->name);
    return column;
}

uint32_t cni_ecs_query_term(const CniEcsQueryHead *query, const CnType *type)
{
    const CnQuery *all = whole(query);
    uint32_t id = cn_component_of(all->world, type).id;
    for (uint32_t i = 0; i < query->term_count; i++)
        if (all->term_ids[i] == id)
            return i;
    CN_ASSERT(false, "the query does not declare %s", type->name);
    return 0;
}

bool cni_ecs_query_may_read(const CniEcsQueryHead *head, const CnType *type)
{
    const CnQuery *query = whole(head);
    return cni_ecs_may_read(query->world, cn_component_of(query->world, type).id);
}

bool cni_ecs_query_is_packed(const CniEcsQueryHead *head, const CnType *type)
{
    const CnWorld *world = whole(head)->world;
    const CniEcsComponent *component =
        cni_ecs_component_get(world, cn_component_of(world, type).id);
    return !component || component->info.layout == CN_LAYOUT_PACKED;
}

bool cni_ecs_query_may_write(const CniEcsQueryHead *head, const CnType *type)
{
    const CnQuery *query = whole(head);
    uint32_t id = cn_component_of(query->world, type).id;
    return cn_bitset_has(&query->write, id) && cni_ecs_may_write(query->world, id);
}

const char *cni_ecs_query_access_text(const CniEcsQueryHead *head, const CnType *type,
                                      const char *verb)
{
    const CnQuery *query = whole(head);
    uint32_t id = cn_component_of(query->world, type).id;
    static _Thread_local char text[300];
    char terms[160];
    if (cn_bitset_has(strcmp(verb, "write") ? &query->access : &query->write, id))
        return cni_ecs_access_text(query->world, id, verb);
    cni_ecs_query_text(query, terms, sizeof terms);
    cn_format(text, sizeof text, "the query (%s) does not declare to %s %s", terms, verb,
              type->name);
    return text;
}

bool cni_ecs_view_changed(const CniEcsQueryHead *query, const CniEcsQueryColumn *columns,
                          const CniEcsChunk *chunk, const uint64_t *ticks, uint64_t since)
{
    if (chunk->changed > since)
        return true;
    for (uint32_t t = 0; t < query->term_count; t++)
        if (columns[t].prefix != CNI_ECS_ABSENT &&
            ticks[cni_ecs_column_tick_index(&columns[t])] > since)
            return true;
    return false;
}

static void *column_by_id(const CnChunkView *view, CnComponent component, const CnField *field,
                          CnAccess access)
{
    const CnQuery *query = whole(view->query);
    const CniEcsQueryColumn *column = column_of_term(view->query, view->columns, component.id);
    CN_ASSERT(column, "the query does not declare component %u", component.id);
    CN_ASSERT(access != CN_ACCESS_WRITE || cn_bitset_has(&query->write, component.id),
              "the query does not declare to write component %u", component.id);
    CN_ASSERT(access == CN_ACCESS_WRITE ? cni_ecs_may_write(query->world, component.id)
                                        : cni_ecs_may_read(query->world, component.id),
              "%s",
              cni_ecs_access_text(query->world, component.id,
                                  access == CN_ACCESS_WRITE ? "write" : "read"));
    if (!column || column->prefix == CNI_ECS_ABSENT)
        return NULL;
    const CnComponentInfo *info = &query->world->components.items[component.id].info;
    CN_ASSERT((info->layout == CN_LAYOUT_FIELDS) == (field != NULL), "%s is %s", info->name,
              field ? "packed" : "laid out by fields");
    CN_ASSERT(!field || field->offset + field->size <= info->size, "%s has no field %s", info->name,
              field->name);
    if ((info->layout == CN_LAYOUT_FIELDS) != (field != NULL))
        return NULL;
    if (access == CN_ACCESS_WRITE)
        cni_ecs_view_mark_written(view, column);
    return cni_ecs_view_address(view, column, field ? field->offset : 0,
                                field ? field->size : info->size);
}

const void *cn_column_by_id(const CnChunkView *view, CnComponent component, const CnField *field)
{
    CN_ASSERT(view, "%s: view is NULL", __func__);
    return column_by_id(view, component, field, CN_ACCESS_READ);
}

void *cn_column_by_id_mut(const CnChunkView *view, CnComponent component, const CnField *field)
{
    CN_ASSERT(view, "%s: view is NULL", __func__);
    return column_by_id(view, component, field, CN_ACCESS_WRITE);
}

/* ---- In parallel ---- */

typedef struct ParallelRun {
    const CniEcsQueryHead *query;
    CnChunkFn run;
    void *user;
    const CniEcsSystem *running; /* for guards */
    CniEcsSplit *split;          /* NULL: nothing may be recorded */
    uint32_t chunks, chunks_of_share;
} ParallelRun;

/* Shares depend only on the state of the world; see split_system.h. There are few enough to keep
 * their memory small, and enough for the lanes of any machine. */
#define MAX_SHARES 128u

/* Searches for the match that contains the first chunk and then iterates. */
static void run_chunks(const ParallelRun *run, uint32_t begin, uint32_t end, uint32_t lane)
{
    const CniEcsQueryHead *query = run->query;
    uint32_t match = 0, before = 0;
    for (uint32_t i = begin; i < end; i++) {
        while (before + cni_ecs_match(query, match)->archetype->chunk_count <= i)
            before += cni_ecs_match(query, match++)->archetype->chunk_count;
        const CniEcsArchetypeHead *archetype = cni_ecs_match(query, match)->archetype;
        const CniEcsChunk *chunk = &query->world->chunks[archetype->chunk_ids[i - before]];
        CnChunkView view =
            cni_ecs_chunk_view(query, cni_ecs_match_columns(cni_ecs_match(query, match)), chunk);
        run->run(&view, run->user, lane);
    }
}

static void run_shares(void *data, uint32_t begin, uint32_t end, uint32_t lane)
{
    const ParallelRun *run = data;
    bool outside_lane;
    const CniEcsSystem *outside = cni_ecs_running_system(&outside_lane);
    cni_ecs_set_running_system(run->running, true);
    for (uint32_t share = begin; share < end; share++) {
        uint32_t first = share * run->chunks_of_share, left = run->chunks - first;
        CniEcsLane here = {.split = run->split, .number = share};
        CniEcsLane *outer = cni_ecs_lane_set(&here);
        run_chunks(run, first, first + (left < run->chunks_of_share ? left : run->chunks_of_share),
                   lane);
        cni_ecs_lane_set(outer);
    }
    cni_ecs_set_running_system(outside, outside_lane);
}

/* On a single thread, recording needs no shares. */
static void run_here(CnQuery *query, CnChunkFn run, void *user)
{
    CnChunkView view;
    cni_ecs_report(query->world, CN_ERROR_MEMORY,
                   "out of memory: a parallel loop runs on one thread");
    for (CnQueryIter it = cn_query_iter(query); cn_query_next(&it, &view);)
        run(&view, user, 0);
}

void cn_query_parallel(CnQuery *query, CnJobPool *pool, CnChunkFn run, void *user)
{
    CN_ASSERT(query, "%s: query is NULL", __func__);
    CnWorld *world = query->world;
    if (cni_ecs_in_lane()) { /* its share is being recorded, so results would depend on threads */
        cni_ecs_query_parallel(query, pool, NULL, run, user);
        return;
    }
    const CniEcsSystem *system = cni_ecs_system_here(world);
    CnCommands *own = system ? cni_system_commands(system) : world->hook_commands;
    CniEcsSplit *split = cni_ecs_split_of(own, system);
    if (split)
        cni_ecs_query_parallel(query, pool, split, run, user);
    else
        run_here(query, run, user);
}

void cni_ecs_query_parallel(CnQuery *query, CnJobPool *pool, CniEcsSplit *split, CnChunkFn run,
                            void *user)
{
    uint32_t chunks = 0;
    for (uint32_t i = 0; i < query->head.match_count; i++)
        chunks += cni_ecs_match_archetype(query, i)->head.chunk_count;
    if (!chunks)
        return;
    bool lane;
    uint32_t chunks_of_share = (chunks + MAX_SHARES - 1) / MAX_SHARES;
    uint32_t shares = (chunks + chunks_of_share - 1) / chunks_of_share;
    ParallelRun parallel = {.query = &query->head,
                            .run = run,
                            .user = user,
                            .running = cni_ecs_running_system(&lane),
                            .split = split,
                            .chunks = chunks,
                            .chunks_of_share = chunks_of_share};
    /* About eight pieces per lane: fine enough for load balancing, coarse enough to cost
     * nothing. */
    uint32_t lanes = pool ? cn_job_pool_workers(pool) + 1 : 1;
    uint32_t grain = shares / (lanes * 8);
    if (split)
        cni_ecs_split_begin(split, shares);
    cn_job_parallel_for(lanes > 1 ? pool : NULL, shares, grain ? grain : 1, run_shares, &parallel);
    if (split)
        cni_ecs_split_end(split);
}
