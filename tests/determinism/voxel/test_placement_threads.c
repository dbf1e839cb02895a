/* test-labels: threads */
/* Structures that cross borders of chunks are the same for one thread and many, and in any order of
 * chunks. */
#include "jobs.h"
#include "standard_blocks.h"
#include "voxel_generated.h"

#define SIDE 12u
#define CHUNKS (SIDE * SIDE)
#define WORKERS 3u

typedef struct Run {
    CnGenerator *generator;
    CnGenerateScratch *scratches[WORKERS + 1];
    uint32_t stride; /* coprime to CHUNKS: the order of the chunks */
    uint64_t hashes[CHUNKS];
    uint32_t drawn[WORKERS + 1]; /* blocks of structures, by lane */
} Run;

static CnBlock blocks_of_hall[40 * 9 * 30], blocks_of_rock[5 * 3 * 5];
static const CnPattern hall = {40, 9, 30, 1, blocks_of_hall}, rock = {5, 3, 5, 1, blocks_of_rock};
static const CnPlacement placements[] = {{.name = "hall",
                                          .salt = 0x4A11,
                                          .spacing = 72,
                                          .separation = 48,
                                          .chance = CN_PLACEMENT_ALWAYS,
                                          .highest = 200,
                                          .unevenness = 12,
                                          .sunk = 1,
                                          .is_structure = true,
                                          .foundation = BLOCK_COBBLESTONE,
                                          .patterns = &hall,
                                          .pattern_count = 1},
                                         {.name = "rock",
                                          .salt = 0x20C4,
                                          .spacing = 8,
                                          .chance = CN_PLACEMENT_ALWAYS,
                                          .highest = 200,
                                          .unevenness = 255,
                                          .patterns = &rock,
                                          .pattern_count = 1}};

static void generate_all(void *data, uint32_t begin, uint32_t end, uint32_t lane)
{
    Run *run = data;
    CnBlock blocks[CN_CHUNK_BLOCKS];
    for (uint32_t n = begin; n < end; n++) {
        uint32_t at = n * run->stride % CHUNKS;
        int32_t x = (int32_t)(at % SIDE) - 6, z = (int32_t)(at / SIDE) - 6;
        uint64_t hash = 0;
        int32_t top = cn_generate_max_height(run->generator, run->scratches[lane], x, z);
        for (int32_t y = 0; 16 * y < top; y++) {
            cn_generate(run->generator, run->scratches[lane], (CnChunkPos){x, y, z}, blocks);
            hash = cn_hash_bytes(blocks, sizeof blocks, hash);
            for (uint32_t i = 0; i < CN_CHUNK_BLOCKS; i++)
                run->drawn[lane] += blocks[i] == BLOCK_BOOKSHELF;
        }
        run->hashes[at] = hash;
    }
}

static void generate(Run *run, uint32_t workers, uint32_t stride)
{
    CnJobPool *pool = create_pool(workers, 0);
    run->generator = cn_generator_create(&(CnGeneratorDesc){.blocks = standard_blocks(),
                                                            .seed = 42,
                                                            .no_erosion = true,
                                                            .placements = placements,
                                                            .placement_count = 2},
                                         NULL);
    assert_non_null(run->generator);
    for (uint32_t i = 0; i <= workers; i++)
        assert_non_null(run->scratches[i] = cn_generate_scratch_create(run->generator));
    run->stride = stride;
    cn_job_parallel_for(pool, CHUNKS, 1, generate_all, run);
    cn_job_pool_destroy(pool);
    for (uint32_t i = 0; i <= workers; i++)
        cn_generate_scratch_destroy(run->scratches[i]);
    cn_generator_destroy(run->generator);
}

static void structures_do_not_depend_on_threads_or_order(void **state)
{
    (void)state;
    static Run one, backwards, many;
    for (uint32_t i = 0; i < CN_COUNT_OF(blocks_of_hall); i++)
        blocks_of_hall[i] = BLOCK_BOOKSHELF;
    for (uint32_t i = 0; i < CN_COUNT_OF(blocks_of_rock); i++)
        blocks_of_rock[i] = BLOCK_COBBLESTONE;
    generate(&one, 0, 1);
    generate(&backwards, 0, CHUNKS - 1);
    generate(&many, WORKERS, 61);
    assert_true(one.drawn[0] > 1000);
    assert_memory_equal(one.hashes, backwards.hashes, sizeof one.hashes);
    assert_memory_equal(one.hashes, many.hashes, sizeof one.hashes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(structures_do_not_depend_on_threads_or_order),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
