/* Visiting the few entities that changed: by row, compared with searching the changed chunks. */
#include "bench.h"

#include <stdlib.h>

#define CHANGED 64u

typedef struct ChangesState {
    CnWorld *world;
    CnRowChanges *changes;
    CnQuery *query;
    CnEntity *entities;
    uint32_t n, next;
    float sum;
} ChangesState;

/* Entities that are far apart. */
static void change_some(ChangesState *s)
{
    cn_world_advance_tick(s->world);
    for (uint32_t i = 0; i < CHANGED; i++) {
        s->next = (s->next + 1299709u) % s->n;
        cn_get_mut(s->world, s->entities[s->next], Position)->x += 1;
    }
}

static uint64_t rows_run(void *state)
{
    ChangesState *s = state;
    CnEntity e;
    while (cn_row_changes_next(s->changes, &e)) {
    }
    change_some(s);
    uint32_t found = 0;
    uint64_t start = cn_clock_ns();
    while (cn_row_changes_next(s->changes, &e)) {
        s->sum += cn_get(s->world, e, Position)->x;
        found++;
    }
    uint64_t taken = cn_clock_ns() - start;
    expect_count("changed rows", found, s->n < CHANGED ? s->n : CHANGED);
    return taken;
}

static uint64_t chunks_run(void *state)
{
    ChangesState *s = state;
    uint64_t since = cn_world_tick(s->world);
    change_some(s);
    uint64_t start = cn_clock_ns();
    CnChunkView view;
    for (CnQueryIter it = cn_query_iter_changed(s->query, since); cn_query_next(&it, &view);) {
        const Position *p = cn_column_const(&view, Position);
        for (uint32_t i = 0; i < view.count; i++)
            s->sum += p[i].x;
    }
    return cn_clock_ns() - start;
}

Figures measure_changes_per_entity(const Case *run)
{
    ChangesState s = {.world = need(cn_world_create(NULL, NULL)), .n = run->n};
    cn_register(s.world, Position, .layout = CN_LAYOUT_PACKED, .flags = CN_COMPONENT_TRACKED);
    s.entities = need_array(run->n, sizeof *s.entities);
    add_movers(s.world, run->n, s.entities);
    s.changes = need(cn_row_changes(s.world, Position));
    s.query = need(cn_query_acquire(s.world, &(CnQueryDesc){.all = {cn_reads(Position)}}, NULL));
    Figures figures = take_turns(run, rows_run, chunks_run, &s, CHANGED);
    free(s.entities);
    cn_world_destroy(s.world);
    return figures;
}
