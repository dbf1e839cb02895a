/*
 * Shared by the files of bench_voxel. A workload is a function that measures one case: it sets up
 * both sides, checks that they do the same work, lets take_turns run them alternately, and cleans
 * up. It is listed in the table of bench_voxel.c and declared below.
 */
#ifndef CAIRN_BENCH_VOXEL_BENCH_H
#define CAIRN_BENCH_VOXEL_BENCH_H

#include "../measure.h"

#include <cairn/base/api.h>

#define NO_RAW -1.0
#define MAX_EXTRAS 6u

typedef struct Case {
    uint32_t n, threads;
    uint32_t runs;
    bool quick; /* only test that it works: do little */
} Case;

/* An additional figure, such as {"quads", 812.5}. */
typedef struct Extra {
    const char *name;
    double value;
} Extra;

/* Medians: nanoseconds (or bytes) per sample, chunk or other unit of the workload. */
typedef struct Figures {
    double ns;
    double raw_ns;            /* NO_RAW if there is nothing to compare with */
    Extra extras[MAX_EXTRAS]; /* ends at the first entry without a name */
} Figures;

typedef Figures (*MeasureFn)(const Case *run);

/* Runs one side once. Returns the nanoseconds of the measured part. */
typedef uint64_t (*RunFn)(void *state);

/* After one untimed run of each side, runs both alternately `run->runs` times, so that both are
 * exposed to the same noise. `raw` may be NULL. Results are divided by `operations`. */
Figures take_turns(const Case *run, RunFn ours, RunFn raw, void *state, double operations);

/* These functions exit the program when out of memory. */
void *need(void *pointer);
void *need_array(size_t count, size_t bytes);
/* Exits the program if a side did not do its work; `what` names the side. */
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
