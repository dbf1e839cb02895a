/* Noise on the grid of a chunk, compared with stb_perlin at one call per sample. */
#include "bench.h"

#include <cairn/base/cpu.h>
#include <cairn/voxel/noise.h>

#define STB_PERLIN_IMPLEMENTATION
#include <stb/stb_perlin.h>

#define CHUNKS 64
/* The other side computes fewer chunks in about the same time, because longer runs are interrupted
 * more often. */
#define STB_CHUNKS 2
#define SAMPLES 4096

typedef struct Work {
    CnNoise noise;
    float scale;
    float out[SAMPLES];
} Work;

/* Chunks are at arbitrary positions relative to the lattice. */
static CnNoiseGrid chunk_grid(const Work *work, int32_t i)
{
    return (CnNoiseGrid){.x = 16 * i,
                         .y = 16 * (i % 8),
                         .z = -16 * i,
                         .count = {16, 16, 16},
                         .scale = {work->scale, work->scale, work->scale}};
}

static uint64_t run_ours(void *state)
{
    Work *work = state;
    uint64_t start = cn_clock_ns();
    for (int32_t i = 0; i < CHUNKS; i++) {
        CnNoiseGrid grid = chunk_grid(work, i);
        cn_noise_grid(&work->noise, &grid, work->out);
        measure_keep(work->out);
    }
    return cn_clock_ns() - start;
}

static uint64_t run_stb(void *state)
{
    Work *work = state;
    uint64_t start = cn_clock_ns();
    for (int32_t i = 0; i < CHUNKS; i += CHUNKS / STB_CHUNKS) {
        CnNoiseGrid grid = chunk_grid(work, i);
        float *out = work->out;
        for (int32_t z = 0; z < 16; z++)
            for (int32_t y = 0; y < 16; y++)
                for (int32_t x = 0; x < 16; x++)
                    *out++ = stb_perlin_noise3_seed((float)(grid.x + x) / work->scale,
                                                    (float)(grid.y + y) / work->scale,
                                                    (float)(grid.z + z) / work->scale, 0, 0, 0, 7);
        measure_keep(work->out);
    }
    return (cn_clock_ns() - start) * (CHUNKS / STB_CHUNKS);
}

static Figures measure_scale(const Case *run, float scale)
{
    Work *work = need_array(1, sizeof *work);
    work->noise = cn_noise_perlin(42, "bench");
    work->scale = scale;
    Figures figures = take_turns(run, run_ours, run_stb, work, (double)CHUNKS * SAMPLES);
    free(work);
    return figures;
}

Figures measure_perlin_24(const Case *run)
{
    return measure_scale(run, 24);
}

Figures measure_perlin_5(const Case *run)
{
    return measure_scale(run, 5);
}

/* Uses the best available path on a CPU without AVX2. */
static Figures measure_with_avx2(const Case *run, MeasureFn measure)
{
    CnSimdPath before = cn_simd_path();
    if (before > CN_SIMD_AVX2)
        cn_simd_force(CN_SIMD_AVX2);
    Figures figures = measure(run);
    cn_simd_force(before);
    return figures;
}

Figures measure_perlin_24_avx2(const Case *run)
{
    return measure_with_avx2(run, measure_perlin_24);
}

Figures measure_perlin_5_avx2(const Case *run)
{
    return measure_with_avx2(run, measure_perlin_5);
}

/* ---- Ridges over the columns of a chunk ---- */

static const CnOctaves ridge = {.count = 6, .lacunarity = 2, .gain = 0.6f, .offset = 1.2f};

static uint64_t run_our_ridges(void *state)
{
    Work *work = state;
    uint64_t start = cn_clock_ns();
    for (int32_t i = 0; i < CHUNKS; i++) {
        cn_noise_sum_grid(
            &work->noise, CN_NOISE_RIDGE, &ridge,
            &(CnNoiseGrid){
                .x = 16 * i, .y = 15, .z = -16 * i, .count = {16, 1, 16}, .scale = {256, 1, 256}},
            work->out);
        measure_keep(work->out);
    }
    return cn_clock_ns() - start;
}

static uint64_t run_stb_ridges(void *state)
{
    Work *work = state;
    uint64_t start = cn_clock_ns();
    for (int32_t i = 0; i < CHUNKS; i += CHUNKS / STB_CHUNKS) {
        float *out = work->out;
        for (int32_t z = 0; z < 16; z++)
            for (int32_t x = 0; x < 16; x++)
                *out++ = stb_perlin_ridge_noise3((float)(16 * i + x) / 256, 15,
                                                 (float)(z - 16 * i) / 256, ridge.lacunarity,
                                                 ridge.gain, ridge.offset, (int)ridge.count);
        measure_keep(work->out);
    }
    return (cn_clock_ns() - start) * (CHUNKS / STB_CHUNKS);
}

Figures measure_ridge_columns(const Case *run)
{
    Work *work = need_array(1, sizeof *work);
    work->noise = cn_noise_perlin(42, "bench");
    Figures figures = take_turns(run, run_our_ridges, run_stb_ridges, work, (double)CHUNKS * 256);
    free(work);
    return figures;
}
