/* A sorted query in which one value in a hundred changes, compared with sorting everything from
 * scratch; a grouped query compared with the same query without groups. */
#include "bench.h"

#include <stdlib.h>
#include <string.h>

typedef struct Keyed {
    float key;
    uint32_t index;
} Keyed;

typedef struct SortState {
    CnWorld *world;
    CnSortedQuery *sorted;
    CnEntity *entities;
    Keyed *values, *scratch;
    uint32_t n, step;
} SortState;

static float next_value(SortState *s)
{
    s->step = s->step * 1664525u + 1013904223u;
    return (float)(s->step >> 8);
}

static uint64_t sorted_ours(void *state)
{
    SortState *s = state;
    cn_world_advance_tick(s->world);
    for (uint32_t i = 0; i < s->n; i += 100) {
        Extra extra = {next_value(s)};
        cn_set_component(s->world, s->entities[(i + s->step) % s->n], cn_id(s->world, Extra),
                         &extra);
    }
    uint64_t start = cn_clock_ns();
    need(cn_sorted_query_update(s->sorted) ? s : NULL);
    uint64_t taken = cn_clock_ns() - start;
    expect_count("sorted", cn_sorted_query_count(s->sorted), s->n);
    return taken;
}

static bool precedes(const Keyed *a, const Keyed *b)
{
    return a->key < b->key || (a->key <= b->key && a->index < b->index);
}

/* Bottom-up, in runs of one. */
static uint64_t sorted_raw(void *state)
{
    SortState *s = state;
    for (uint32_t i = 0; i < s->n; i++)
        s->values[i] = (Keyed){next_value(s), i};
    uint64_t start = cn_clock_ns();
    Keyed *from = s->values, *to = s->scratch;
    for (uint32_t width = 1; width < s->n; width *= 2) {
        for (uint32_t begin = 0; begin < s->n; begin += 2 * width) {
            uint32_t middle = begin + width < s->n ? begin + width : s->n;
            uint32_t end = middle + width < s->n ? middle + width : s->n, a = begin, b = middle;
            for (uint32_t k = begin; k < end; k++)
                to[k] = a < middle && (b == end || !precedes(&from[b], &from[a])) ? from[a++]
                                                                                  : from[b++];
        }
        Keyed *swap = from;
        from = to;
        to = swap;
    }
    uint64_t taken = cn_clock_ns() - start;
    expect_count("sorted", from[0].key <= from[s->n - 1].key, 1);
    return taken;
}

Figures measure_sorted_query_update(const Case *run)
{
    SortState s = {.world = make_moving_world(run), .n = run->n, .step = 1};
    s.entities = need_array(run->n, sizeof *s.entities);
    s.values = need_array(run->n, sizeof *s.values);
    s.scratch = need_array(run->n, sizeof *s.scratch);
    for (uint32_t i = 0; i < run->n; i++)
        s.entities[i] = cn_spawn(s.world, cn_with(Extra, {next_value(&s)}));
    s.sorted = need(cn_sorted_query_create(s.world,
                                           &(CnSortedQueryDesc){.query = {.all = {cn_reads(Extra)}},
                                                                .by = &cn_type_Extra,
                                                                .field = "value"},
                                           NULL));
    Figures figures = take_turns(run, sorted_ours, sorted_raw, &s, run->n);
    cn_sorted_query_destroy(s.sorted);
    cn_world_destroy(s.world);
    free(s.entities);
    free(s.values);
    free(s.scratch);
    return figures;
}

/* ---- Grouped ---- */

#define GROUPS 16u

typedef struct GroupState {
    CnWorld *world;
    CnGroupedQuery *grouped;
    CnQuery *query;
    uint32_t n;
    float sum;
} GroupState;

static void add_values(GroupState *s, const CnChunkView *view)
{
    const Extra *extra = cn_column_const(view, Extra);
    for (uint32_t i = 0; i < view->count; i++)
        s->sum += extra[i].value;
}

static uint64_t grouped_ours(void *state)
{
    GroupState *s = state;
    CnChunkView view;
    uint32_t times = repetitions(s->n);
    uint64_t start = cn_clock_ns();
    for (uint32_t t = 0; t < times; t++)
        for (CnGroupedIter it = cn_grouped_iter(s->grouped); cn_grouped_next(&it, &view, NULL);)
            add_values(s, &view);
    return (cn_clock_ns() - start) / times;
}

static uint64_t grouped_raw(void *state)
{
    GroupState *s = state;
    CnChunkView view;
    uint32_t times = repetitions(s->n);
    uint64_t start = cn_clock_ns();
    for (uint32_t t = 0; t < times; t++)
        for (CnQueryIter it = cn_query_iter(s->query); cn_query_next(&it, &view);)
            add_values(s, &view);
    return (cn_clock_ns() - start) / times;
}

Figures measure_grouped_query(const Case *run)
{
    Case packed = *run;
    packed.layout = CN_LAYOUT_PACKED;
    GroupState s = {.world = make_moving_world(&packed), .n = run->n};
    CnEntity targets[GROUPS];
    for (uint32_t i = 0; i < GROUPS; i++)
        targets[i] = cn_entity_create(s.world);
    for (uint32_t i = 0; i < run->n; i++) {
        CnEntity e = cn_spawn(s.world, cn_with(Extra, {1}));
        CnComponent pair = cn_pair(s.world, cn_id(s.world, Mark), targets[i * 7 % GROUPS]);
        expect_count("pairs", cn_add_component(s.world, e, pair), 1);
    }
    CnQueryDesc desc = {.all = {cn_reads(Extra)}};
    s.query = need(cn_query_acquire(s.world, &desc, NULL));
    s.grouped = need(cn_grouped_query_create(
        s.world, &(CnGroupedQueryDesc){.query = desc, .pair_kind = cn_id(s.world, Mark)}, NULL));
    Figures figures = take_turns(run, grouped_ours, grouped_raw, &s, run->n);
    cn_world_destroy(s.world);
    return figures;
}
