/*
 * Chunk generation compared with a simple program of the same rules. Both sides omit erosion and
 * features, which the simple one lacks; the full generator is measured alone.
 *
 * Chunks are generated in columns of land, as streaming requests them, and no column twice. The
 * first chunk of a column includes the cost of the data that the column shares, climate and
 * heights: the one at the surface, the first of four below it, and the first of four above it.
 */
#include "bench.h"

#include "naive_generate.h"

#include <string.h>

#define SEED 42
/* Distance in chunks at which a scratch never finds a cached column; see CNI_VOXEL_COLUMN_SIDE. */
#define APART 32
#define SIDE 16

typedef enum Part { SURFACE, UNDERGROUND, SKY } Part;

typedef struct Work {
    CnGenerator *generator;
    CnGenerateScratch *scratch;
    NaiveWorld naive;
    CnChunkPos *chunks;
    uint32_t count;
    CnBlock ours[CN_CHUNK_BLOCKS], raw[CN_CHUNK_BLOCKS];
} Work;

static uint64_t run_ours(void *state)
{
    Work *work = state;
    uint64_t start = cn_clock_ns();
    for (uint32_t i = 0; i < work->count; i++) {
        cn_generate(work->generator, work->scratch, work->chunks[i], work->ours);
        measure_keep(work->ours);
    }
    return cn_clock_ns() - start;
}

static uint64_t run_raw(void *state)
{
    Work *work = state;
    uint64_t start = cn_clock_ns();
    for (uint32_t i = 0; i < work->count; i++) {
        naive_generate(&work->naive, work->chunks[i], work->raw);
        measure_keep(work->raw);
    }
    return cn_clock_ns() - start;
}

static void add_column(Work *work, Part part, int32_t x, int32_t z)
{
    const int32_t top = cn_generate_max_height(work->generator, work->scratch, x, z);
    const int32_t first[] = {
        [SURFACE] = (top - 1) >> 4, [UNDERGROUND] = -6, [SKY] = (top + 15) >> 4};
    const int32_t count = part == SURFACE ? 1 : 4;
    for (int32_t i = 0; i < count; i++)
        work->chunks[work->count++] = (CnChunkPos){x, first[part] + i, z};
}

/* Adds chunk columns whose corner is land, in the order of a wide or a narrow grid. */
static void add_columns(Work *work, Part part, uint32_t columns, int32_t apart)
{
    for (int32_t i = 0; columns > 0; i++) {
        const int32_t x = i % SIDE * apart, z = i / SIDE * apart;
        if (cn_generate_column(work->generator, work->scratch, x * 16, z * 16).underwater)
            continue;
        add_column(work, part, x, z);
        columns--;
    }
}

static Work *create_work(const CnGeneratorDesc *desc, Part part, uint32_t columns, int32_t apart)
{
    Work *work = need_array(1, sizeof *work);
    work->generator = need(cn_generator_create(desc, NULL));
    work->scratch = need(cn_generate_scratch_create(work->generator));
    work->naive = naive_world(desc->seed);
    work->chunks = need_array((size_t)columns * 4, sizeof *work->chunks);
    add_columns(work, part, columns, apart);
    return work;
}

static void destroy_work(Work *work)
{
    cn_generate_scratch_destroy(work->scratch);
    cn_generator_destroy(work->generator);
    free(work->chunks);
    free(work);
}

static void expect_same(Work *work)
{
    for (uint32_t i = 0; i < work->count && i < 20; i++) {
        cn_generate(work->generator, work->scratch, work->chunks[i], work->ours);
        naive_generate(&work->naive, work->chunks[i], work->raw);
        expect(memcmp(work->ours, work->raw, sizeof work->ours) == 0, "generation differs");
    }
}

static Figures measure_part(const Case *run, Part part)
{
    const CnGeneratorDesc desc = {
        .blocks = bench_blocks, .seed = SEED, .no_erosion = true, .no_features = true};
    Work *work = create_work(&desc, part, run->n, APART);
    expect_same(work);
    Figures figures = take_turns(run, run_ours, run_raw, work, (double)work->count);
    destroy_work(work);
    return figures;
}

Figures measure_generate_surface(const Case *run)
{
    return measure_part(run, SURFACE);
}

Figures measure_generate_underground(const Case *run)
{
    return measure_part(run, UNDERGROUND);
}

Figures measure_generate_sky(const Case *run)
{
    return measure_part(run, SKY);
}

/* Generates neighboring columns with erosion, trees and villages, with the column cache cleared
 * before each run. Data shared by regions is computed in the first run, which is not timed. */
static uint64_t run_whole(void *state)
{
    Work *work = state;
    cn_generate_scratch_destroy(work->scratch);
    work->scratch = need(cn_generate_scratch_create(work->generator));
    return run_ours(work);
}

Figures measure_generate_whole(const Case *run)
{
    Work *work =
        create_work(&(CnGeneratorDesc){.blocks = bench_blocks, .seed = SEED}, SURFACE, run->n, 1);
    Figures figures = take_turns(run, run_whole, NULL, work, (double)work->count);
    destroy_work(work);
    return figures;
}
