/* Queries: creating one, iterating one that matches nothing, and adding new archetypes to
 * queries. */
#include "bench.h"

#include <stdio.h>

typedef struct Population {
    Case run;
    uint32_t n;
} Population;

/* Registers a tag with a unique name. */
static CnComponent numbered_tag(CnWorld *world, const char *name, uint32_t number)
{
    char text[CN_MAX_NAME_BYTES];
    snprintf(text, sizeof text, "%s%u", name, number);
    return cn_component_register(
        world, &(CnComponentDesc){.type = &(CnType){.name = text, .alignment = 1}}, NULL);
}

/* ---- query_create_1000 ---- */

/* Creates n archetypes with one entity each: Position, and tags according to the bits of a
 * number. */
static void add_archetypes(CnWorld *world, uint32_t n)
{
    CnComponent tags[32];
    for (uint32_t bit = 0; bit < CN_COUNT_OF(tags) && n >> bit; bit++)
        tags[bit] = numbered_tag(world, "Bit", bit);
    for (uint32_t i = 0; i < n; i++) {
        CnValue values[CN_COUNT_OF(tags) + 1];
        uint32_t count = 0;
        values[count++] = cn_with(Position, {1, 2, 3});
        for (uint32_t bit = 0; bit < CN_COUNT_OF(tags) && i >> bit; bit++)
            if (i >> bit & 1u)
                values[count++] = (CnValue){.component = tags[bit]};
        cn_spawn_values(world, values, count);
    }
}

/* Equal descriptions yield the same query, so each run has its own world. */
static uint64_t query_create_run(void *state)
{
    const Population *population = state;
    CnWorld *world = make_moving_world(&population->run);
    add_archetypes(world, population->n);
    uint64_t start = cn_clock_ns();
    CnQuery *query = cn_query_acquire(world, &(CnQueryDesc){.all = {cn_reads(Position)}}, NULL);
    uint64_t ns = cn_clock_ns() - start;
    expect_count("archetypes match", cn_query_archetype_count(query), population->n);
    cn_world_destroy(world);
    return ns;
}

Figures measure_query_create_1000(const Case *run)
{
    return take_turns(run, query_create_run, NULL, &(Population){*run, run->n}, 1);
}

/* ---- query_empty ---- */

enum { EMPTY_PASSES = 100000 };

static uint64_t query_empty_run(void *state)
{
    CnQuery *query = state;
    CnChunkView view;
    uint32_t rows = 0;
    uint64_t start = cn_clock_ns();
    for (uint32_t i = 0; i < EMPTY_PASSES; i++) {
        measure_forget(query);
        for (CnQueryIter it = cn_query_iter(query); cn_query_next(&it, &view);)
            rows += view.count;
    }
    uint64_t ns = cn_clock_ns() - start;
    measure_keep(rows);
    return ns;
}

Figures measure_query_empty(const Case *run)
{
    CnWorld *world = make_moving_world(run);
    add_movers(world, 1000, NULL);
    CnQuery *query = need(cn_query_acquire(
        world, &(CnQueryDesc){.all = {cn_writes(Position), cn_reads(Extra)}}, NULL));
    Figures figures = take_turns(run, query_empty_run, NULL, query, EMPTY_PASSES);
    cn_world_destroy(world);
    return figures;
}

/* ---- new_archetype_100_queries ---- */

enum { NEW_ARCHETYPES = 50 };

/* All queries match and differ in a component that no entity has. An archetype is created when the
 * first entity gets a tag. */
static uint64_t new_archetype_run(void *state)
{
    const Population *population = state;
    CnWorld *world = make_moving_world(&population->run);
    CnEntity entities[NEW_ARCHETYPES];
    CnComponent tags[NEW_ARCHETYPES];
    cn_spawn_many(world, NEW_ARCHETYPES, entities, cn_with(Position, {1, 2, 3}),
                  cn_with(Velocity, {1, 2, 3}));
    for (uint32_t i = 0; i < NEW_ARCHETYPES; i++)
        tags[i] = numbered_tag(world, "Tag", i);
    CnQuery *query = NULL;
    for (uint32_t i = 0; i < population->n; i++)
        query =
            cn_query_acquire(world,
                             &(CnQueryDesc){.all = {cn_writes(Position), cn_reads(Velocity)},
                                            .none = {cn_tag_id(numbered_tag(world, "Absent", i))}},
                             NULL);
    uint64_t start = cn_clock_ns();
    for (uint32_t i = 0; i < NEW_ARCHETYPES; i++)
        cn_add_component(world, entities[i], tags[i]);
    uint64_t ns = cn_clock_ns() - start;
    expect_count("archetypes match", cn_query_archetype_count(query), NEW_ARCHETYPES + 1);
    cn_world_destroy(world);
    return ns;
}

Figures measure_new_archetype_100_queries(const Case *run)
{
    return take_turns(run, new_archetype_run, NULL, &(Population){*run, run->n}, NEW_ARCHETYPES);
}
