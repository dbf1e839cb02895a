/* Lighting of generated chunks compared with simple flood fills, and the size of packed light. */
#include "bench.h"

#include "naive_light.h"

#include <cairn/base/cpu.h>
#include <cairn/voxel/generate.h>

#include <string.h>

#define SEED 42
#define SIDE 8 /* chunk columns; those at the border only serve as neighbors */
#define BOTTOM (-3)
#define LAYERS 22

typedef enum Part { SURFACE, OPEN, DARK } Part;

typedef struct World {
    CnChunk *chunks[SIDE * SIDE][LAYERS];
    int32_t open[SIDE * SIDE][256];
    int32_t ground[SIDE * SIDE]; /* chunk layer of the ground */
} World;

typedef struct Work {
    World *world;
    CnNeighborhood *around;
    CnLightSky *sky;
    uint32_t count;
    CnLightScratch *scratch;
    NaiveLight *naive;
    CnLightBox ours, raw;
    CnLightBox *boxes; /* of every chunk, for packing */
    uint64_t packed_bytes;
} Work;

/* ---- World ---- */

static void find_open(World *world, uint32_t column)
{
    for (uint32_t i = 0; i < 256; i++) {
        int32_t y = 16 * LAYERS;
        while (y > 0) {
            const CnChunk *chunk = world->chunks[column][(y - 1) / 16];
            CnBlock block = cn_chunk_get(chunk, i % 16, (uint32_t)(y - 1) % 16, i / 16);
            if (bench_blocks->flags[block] & CN_BLOCK_DIMS_LIGHT)
                break;
            y--;
        }
        world->open[column][i] = 16 * BOTTOM + y;
    }
    world->ground[column] = (world->open[column][136] - 1 - 16 * BOTTOM) / 16;
}

static World *make_world(void)
{
    World *world = need_array(1, sizeof *world);
    CnGenerator *generator =
        need(cn_generator_create(&(CnGeneratorDesc){.blocks = bench_blocks, .seed = SEED}, NULL));
    CnGenerateScratch *scratch = need(cn_generate_scratch_create(generator));
    CnBlock blocks[CN_CHUNK_BLOCKS];
    for (int32_t column = 0; column < SIDE * SIDE; column++) {
        int32_t x = column % SIDE, z = column / SIDE;
        expect(cn_generate_max_height(generator, scratch, x, z) < 16 * (BOTTOM + LAYERS - 1),
               "the layers reach above the ground");
        for (int32_t layer = 0; layer < LAYERS; layer++) {
            cn_generate(generator, scratch, (CnChunkPos){x, BOTTOM + layer, z}, blocks);
            world->chunks[column][layer] = need(cn_chunk_create(NULL, bench_blocks, blocks));
        }
        find_open(world, (uint32_t)column);
    }
    cn_generate_scratch_destroy(scratch);
    cn_generator_destroy(generator);
    return world;
}

static void add_chunk(Work *work, int32_t x, int32_t layer, int32_t z)
{
    CnNeighborhood *around = &work->around[work->count];
    CnLightSky *sky = &work->sky[work->count++];
    around->position = (CnChunkPos){x, BOTTOM + layer, z};
    for (int32_t i = 0; i < 27; i++) {
        int32_t column = x + i % 3 - 1 + SIDE * (z + i / 9 - 1);
        around->chunks[i] = work->world->chunks[column][layer + i / 3 % 3 - 1];
        sky->open[i % 3 + 3 * (i / 9)] = work->world->open[column];
    }
}

static void make_work(Work *work, Part part)
{
    memset(work, 0, sizeof *work);
    work->world = make_world();
    work->around = need_array(SIDE * SIDE, sizeof *work->around);
    work->sky = need_array(SIDE * SIDE, sizeof *work->sky);
    work->boxes = need_array(SIDE * SIDE, sizeof *work->boxes);
    work->scratch = need(cn_light_scratch_create(NULL, bench_blocks));
    work->naive = naive_light_create();
    for (int32_t i = 0; i < SIDE * SIDE; i++) {
        int32_t x = i % SIDE, z = i / SIDE;
        if (x == 0 || z == 0 || x == SIDE - 1 || z == SIDE - 1)
            continue;
        add_chunk(work, x,
                  part == SURFACE ? work->world->ground[i]
                  : part == OPEN  ? LAYERS - 2
                                  : 1,
                  z);
    }
}

static void unmake_work(Work *work)
{
    for (uint32_t i = 0; i < SIDE * SIDE * LAYERS; i++)
        cn_chunk_release(work->world->chunks[i / LAYERS][i % LAYERS]);
    free(work->world);
    free(work->around);
    free(work->sky);
    free(work->boxes);
    cn_light_scratch_destroy(work->scratch);
    naive_light_destroy(work->naive);
}

/* ---- Runs ---- */

static uint64_t run_ours(void *state)
{
    Work *work = state;
    uint64_t start = cn_clock_ns();
    for (uint32_t i = 0; i < work->count; i++) {
        cn_light_build(work->scratch, &work->around[i], &work->sky[i], &work->ours);
        measure_keep(&work->ours);
    }
    return cn_clock_ns() - start;
}

static uint64_t run_raw(void *state)
{
    Work *work = state;
    uint64_t start = cn_clock_ns();
    for (uint32_t i = 0; i < work->count; i++) {
        naive_light_build(work->naive, &work->around[i], &work->sky[i], &work->raw);
        measure_keep(&work->raw);
    }
    return cn_clock_ns() - start;
}

static uint64_t run_pack(void *state)
{
    Work *work = state;
    work->packed_bytes = 0;
    uint64_t start = cn_clock_ns();
    for (uint32_t i = 0; i < work->count; i++) {
        CnChunkLight *light = need(cn_light_pack(NULL, &work->boxes[i]));
        work->packed_bytes += cn_light_bytes(light);
        cn_light_release(light);
    }
    return cn_clock_ns() - start;
}

static Figures measure(const Case *run, Part part)
{
    Work work;
    make_work(&work, part);
    for (uint32_t i = 0; i < work.count; i++) {
        CnLightBox *box = &work.boxes[i];
        cn_light_build(work.scratch, &work.around[i], &work.sky[i], box);
        naive_light_build(work.naive, &work.around[i], &work.sky[i], &work.raw);
        expect(memcmp(box->cells, work.raw.cells, sizeof box->cells) == 0, "light as a flood fill");
    }
    Figures figures = take_turns(run, run_ours, run_raw, &work, work.count);
    Figures pack = take_turns(run, run_pack, NULL, &work, work.count);
    figures.extras[0] = (Extra){"pack_ns", pack.ns};
    figures.extras[1] = (Extra){"packed_bytes", (double)work.packed_bytes / work.count};
    unmake_work(&work);
    return figures;
}

Figures measure_light_surface(const Case *run)
{
    return measure(run, SURFACE);
}

Figures measure_light_open(const Case *run)
{
    return measure(run, OPEN);
}

Figures measure_light_dark(const Case *run)
{
    return measure(run, DARK);
}
