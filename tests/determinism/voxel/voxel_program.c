/*
 * Prints hashes of three generated worlds: of each layer of 16 x 16 chunks, of columns at several
 * steps, and of one that is lived in: light, meshes, a spring that runs. tools/check-determinism
 * builds it in every way and compares what it prints.
 *
 *     voxel_program THREADS LAYERS
 *
 * The first line names the SIMD path, the others must be the same everywhere. One thread takes
 * chunks in order, several take them as if shuffled.
 */
#include "standard_blocks.h"

#include <cairn/base/cpu.h>
#include <cairn/base/hash_map.h>
#include <cairn/base/job.h>
#include <cairn/voxel/generate.h>
#include <cairn/voxel/voxels.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#define SIDE 16u
#define MAX_LAYERS 8u
#define MAX_CHUNKS (SIDE * SIDE * MAX_LAYERS)
#define MAX_LANES 16u
#define LOWEST_LAYER (-1)

static void *need(void *pointer)
{
    if (pointer)
        return pointer;
    printf("out of memory\n");
    exit(1);
}

typedef struct Work {
    CnGenerator *generator;
    CnGenerateScratch *scratches[MAX_LANES];
    uint32_t count, stride;
    uint64_t hashes[MAX_CHUNKS];
} Work;

static void generate_some(void *data, uint32_t begin, uint32_t end, uint32_t lane)
{
    Work *work = data;
    for (uint32_t i = begin; i < end; i++) {
        CnBlock blocks[CN_CHUNK_BLOCKS];
        const uint32_t at = (uint32_t)((uint64_t)i * work->stride % work->count);
        const CnChunkPos position = {(int32_t)(at % SIDE) - 8,
                                     (int32_t)(at / SIDE / SIDE) + LOWEST_LAYER,
                                     (int32_t)(at / SIDE % SIDE) - 8};
        cn_generate(work->generator, work->scratches[lane], position, blocks);
        work->hashes[at] = cn_hash_bytes(blocks, sizeof blocks, 0);
    }
}

static void print_columns(Work *work)
{
    static CnColumn columns[48 * 48];
    static const int32_t steps[] = {1, 3, 8};
    for (size_t i = 0; i < CN_COUNT_OF(steps); i++) {
        uint64_t hash = 0;
        cn_generate_columns(
            work->generator, work->scratches[0],
            &(CnColumnGrid){
                .x = -24 * steps[i], .z = -24 * steps[i], .step = steps[i], .count = 48},
            columns);
        for (size_t c = 0; c < CN_COUNT_OF(columns); c++) {
            const CnColumn *column = &columns[c];
            hash = cn_hash_bytes(&column->height, sizeof column->height, hash);
            hash = cn_hash_bytes(&column->top, sizeof column->top, hash);
        }
        printf("columns at steps of %-3d %016" PRIx64 "\n", steps[i], hash);
    }
}

static void print_world(CnJobPool *pool, uint32_t threads, uint32_t layers, uint64_t seed)
{
    static Work work;
    work.generator = need(
        cn_generator_create(&(CnGeneratorDesc){.blocks = standard_blocks(), .seed = seed}, NULL));
    for (uint32_t i = 0; i < threads; i++)
        work.scratches[i] = need(cn_generate_scratch_create(work.generator));
    work.count = SIDE * SIDE * layers;
    work.stride = threads > 1 ? 4099 : 1; /* a prime above MAX_CHUNKS: every chunk has its turn */
    cn_job_parallel_for(pool, work.count, 1, generate_some, &work);
    printf("seed %016" PRIx64 "\n", seed);
    for (uint32_t i = 0; i < layers; i++)
        printf("layer %-3d %016" PRIx64 "\n", (int)i + LOWEST_LAYER,
               cn_hash_bytes(&work.hashes[SIDE * SIDE * i], SIDE * SIDE * sizeof(uint64_t), 0));
    print_columns(&work);
    for (uint32_t i = 0; i < threads; i++)
        cn_generate_scratch_destroy(work.scratches[i]);
    cn_generator_destroy(work.generator);
}

/* ---- A world that is lived in ---- */

static uint64_t light_and_mesh_hash(CnVoxels *world, CnChunkPos middle)
{
    uint64_t hash = 0;
    for (int32_t i = 0; i < 27; i++) {
        const CnChunkPos position = {middle.x + i % 3 - 1, middle.y + i / 3 % 3 - 1,
                                     middle.z + i / 9 - 1};
        const CnChunkMesh *mesh = cn_voxels_mesh(world, position);
        if (mesh && mesh->count > 0)
            hash = cn_hash_bytes(mesh->quads, mesh->count * sizeof *mesh->quads, hash);
        for (int32_t c = 0; c < CN_CHUNK_BLOCKS; c += 7) {
            const CnCell cell = {16 * position.x + c % 16, 16 * position.y + c / 16 % 16,
                                 16 * position.z + c / 256};
            const uint8_t light = cn_voxels_light(world, cell);
            hash = cn_hash_bytes(&light, 1, hash);
        }
    }
    return hash;
}

/* Water from high above the ground, and a lamp beside where it falls. */
static void print_lived_in(CnJobPool *pool, uint64_t seed)
{
    CnGenerator *generator = need(
        cn_generator_create(&(CnGeneratorDesc){.blocks = standard_blocks(), .seed = seed}, NULL));
    CnVoxels *world =
        need(cn_voxels_create(&(CnVoxelsDesc){.generator = generator, .jobs = pool}, NULL));
    const int32_t ground = cn_voxels_height(world, 8, 8);
    const CnVec3 eye = {8, (float)ground, 8};
    CnVoxelsView view = {.eye = eye, .forward = {1, 0, 0}, .radius = 1, .height = 1, .wait = true};
    cn_voxels_stream(world, &view);
    CnEdit edits[] = {
        {.kind = CN_EDIT_PLACE, .cell = {8, ground + 9, 8}, .new_block = CN_BLOCK_WATER},
        {.kind = CN_EDIT_PLACE, .cell = {11, ground + 2, 8}, .new_block = BLOCK_LANTERN},
        {.kind = CN_EDIT_BREAK, .cell = {5, ground, 8}, .new_block = CN_BLOCK_AIR}};
    for (size_t i = 0; i < CN_COUNT_OF(edits); i++)
        need(cn_voxels_edit(world, &edits[i], NULL) ? world : NULL);
    for (uint64_t tick = 1; tick <= 40; tick++)
        cn_voxels_tick(world, &(CnVoxelsTick){.tick = tick,
                                              .players = &eye,
                                              .player_count = 1,
                                              .water_ticks = 1,
                                              .water_budget = 60});
    cn_voxels_stream(world, &view);
    const CnChunkPos middle = {0, ground >> 4, 0};
    printf("edits, water %016" PRIx64 "\n", cn_voxels_hash(world));
    printf("light, mesh  %016" PRIx64 "\n", light_and_mesh_hash(world, middle));
    cn_voxels_destroy(world);
    cn_generator_destroy(generator);
}

int main(int argc, char **argv)
{
    const uint32_t threads = argc > 1 ? (uint32_t)atoi(argv[1]) : 0;
    const uint32_t layers = argc > 2 ? (uint32_t)atoi(argv[2]) : 0;
    if (threads < 1 || threads > MAX_LANES || layers < 1 || layers > MAX_LAYERS) {
        fprintf(stderr, "usage: voxel_program THREADS LAYERS\n");
        return 2;
    }
    CnJobPool *pool = need(cn_job_pool_create(
        &(CnJobPoolDesc){.workers = threads > 1 ? threads - 1 : CN_JOBS_NONE}, NULL));
    printf("%s\n", cn_simd_path_name(cn_simd_path()));
    print_world(pool, threads, layers, 1);
    print_world(pool, threads, layers, 42);
    print_world(pool, threads, layers, 0xFEDCBA9876543210u);
    print_lived_in(pool, 42);
    cn_job_pool_destroy(pool);
    return 0;
}
