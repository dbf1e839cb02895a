/*
 * bench_voxel: what its files share. A workload is a function that measures one case: it builds both
 * sides, checks that they do the same work, lets take_turns run them alternately, and takes them
 * down. Its line stands in the table of bench_voxel.c, its declaration below.
 */
#ifndef CAIRN_BENCH_VOXEL_BENCH_H
#define CAIRN_BENCH_VOXEL_BENCH_H

#include "measure.h"

#include <cairn/base/api.h>

#define NO_RAW -1.0
#define MAX_EXTRAS 6u

typedef struct Case {
    uint32_t n, threads;
    uint32_t runs;
    bool quick; /* tells whether it works, not how fast: do little */
} Case;

/* Something else worth knowing: {"quads", 812.5}. */
typedef struct Extra {
    const char *name;
    double value;
} Extra;

/* Medians: nanoseconds (or bytes) for one sample, chunk or whatever the workload counts. */
typedef struct Figures {
    double ns;
    double raw_ns;            /* NO_RAW when there is nothing to compare with */
    Extra extras[MAX_EXTRAS]; /* up to the first without a name */
} Figures;

typedef Figures (*MeasureFn)(const Case *run);

/* One run of one side; returns the nanoseconds of the part that counts. */
typedef uint64_t (*RunFn)(void *state);

/* After one run of each that does not count, `run->runs` of each in turns: machines are noisy, but
 * both sides meet the same noise. `raw` may be NULL. Results are divided by `operations`. */
Figures take_turns(const Case *run, RunFn ours, RunFn raw, void *state, double operations);

/* These end the program when memory runs out. */
void *need(void *pointer);
void *need_array(size_t count, size_t bytes);
/* Ends the program when a side did not do its work: `what` says which. */
void expect(bool done, const char *what);

/* noise.c */
Figures measure_perlin_24(const Case *run);
Figures measure_perlin_5(const Case *run);
Figures measure_perlin_24_avx2(const Case *run);
Figures measure_perlin_5_avx2(const Case *run);
Figures measure_ridge_columns(const Case *run);

/* generate.c */
Figures measure_generate_surface(const Case *run);
Figures measure_generate_underground(const Case *run);
Figures measure_generate_sky(const Case *run);
Figures measure_generate_whole(const Case *run);

/* mesh.c */
Figures measure_mesh_surface(const Case *run);
Figures measure_mesh_surface_lit(const Case *run);

/* light.c */
Figures measure_light_surface(const Case *run);
Figures measure_light_open(const Case *run);
Figures measure_light_dark(const Case *run);

/* lod.c */
Figures measure_lod_view(const Case *run);

/* view.c */
Figures measure_fill_view(const Case *run);
Figures measure_fill_view_whole(const Case *run);
Figures measure_stream_16(const Case *run);
Figures measure_bytes_per_chunk(const Case *run);

#endif
