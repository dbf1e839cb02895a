#include "bench.h"

#include <stdio.h>

void *need(void *pointer)
{
    expect(pointer, "memory");
    return pointer;
}

void *need_array(size_t count, size_t bytes)
{
    return need(calloc(count, bytes));
}

void expect(bool done, const char *what)
{
    if (!done) {
        fprintf(stderr, "bench_voxel: failed: %s\n", what);
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
        .ns = measure_summarize(times, run->runs).median_ns / operations,
        .raw_ns = raw ? measure_summarize(raw_times, run->runs).median_ns / operations : NO_RAW,
    };
    free(times);
    free(raw_times);
    return figures;
}
