#include "bench.h"

#include <stdio.h>

void *need(void *pointer)
{
    if (!pointer) {
        fprintf(stderr, "bench_ecs: out of memory\n");
        exit(1);
    }
    return pointer;
}

void *need_array(size_t count, size_t bytes)
{
    return need(calloc(count, bytes));
}

void expect_count(const char *what, uint32_t found, uint32_t expected)
{
    if (found != expected) {
        fprintf(stderr, "bench_ecs: %u %s, expected %u\n", found, what, expected);
        exit(1);
    }
}

Figures take_turns(const Case *run, RunFn ours, RunFn raw, void *state, double operations)
{
    uint64_t *times = need_array(run->runs, sizeof *times);
    uint64_t *raw_times = need_array(run->runs, sizeof *raw_times);
    ours(state);
    if (raw)
        raw(state);
    for (uint32_t i = 0; i < run->runs; i++) {
        bool raw_first = i & 1u;
        if (raw && raw_first)
            raw_times[i] = raw(state);
        times[i] = ours(state);
        if (raw && !raw_first)
            raw_times[i] = raw(state);
    }
    Figures figures = {
        measure_summarize(times, run->runs).median_ns / operations,
        raw ? measure_summarize(raw_times, run->runs).median_ns / operations : NO_RAW,
    };
    free(times);
    free(raw_times);
    return figures;
}

CnWorld *make_world(const Case *run, const CnType *const *types)
{
    CnWorld *world = need(cn_world_create(NULL, NULL));
    for (; *types; types++) {
        CnComponentDesc desc = {.type = *types};
        if (desc.type->size)
            desc.layout = run->layout;
        cn_component_register(world, &desc, NULL);
    }
    return world;
}

CnWorld *make_moving_world(const Case *run)
{
    return make_world(run, (const CnType *const[]){&cn_type_Position, &cn_type_Velocity,
                                                   &cn_type_Extra, &cn_type_Mark, NULL});
}

void add_movers(CnWorld *world, uint32_t n, CnEntity *entities)
{
    for (uint32_t i = 0; i < n; i++) {
        CnEntity entity = cn_spawn(world, cn_with(Position, {(float)i, 1, 2}),
                                   cn_with(Velocity, {1, (float)(i & 15), 3}));
        if (entities)
            entities[i] = entity;
    }
}

uint32_t repetitions(uint32_t n)
{
    uint32_t count = 4000000u / (n ? n : 1);
    return count > 4 ? count : 4;
}
