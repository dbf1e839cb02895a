/* test-labels: threads */
/* Threads that fight for the few plans and windows that a generator keeps still get the same world.
 */
#include "jobs.h"
#include "standard_blocks.h"
#include "voxel_generated.h"

#define PLACES 4u
#define WORKERS 3u

typedef struct Run {
    CnGenerator *generator;
    CnGenerateScratch *scratches[WORKERS + 1];
    uint32_t stride;
    int32_t tops[PLACES];
    uint64_t hashes[PLACES];
} Run;

/* Far from each other, so that every one needs windows and plans of its own, which push each other
 * out. */
static void generate_places(void *data, uint32_t begin, uint32_t end, uint32_t lane)
{
    Run *run = data;
    for (uint32_t i = begin; i < end; i++) {
        CnBlock blocks[CN_CHUNK_BLOCKS];
        uint32_t at = i * run->stride % PLACES;
        int32_t x = 20 * (int32_t)(at % 4) - 90, z = 80 - 20 * (int32_t)(at / 4);
        run->tops[at] = cn_generate_max_height(run->generator, run->scratches[lane], x, z);
        CnChunkPos position = {x, (run->tops[at] - 1) >> 4, z};
        cn_generate(run->generator, run->scratches[lane], position, blocks);
        run->hashes[at] = cn_hash_bytes(blocks, sizeof blocks, 0);
    }
}

static void generate_all(Run *run, uint32_t workers, uint32_t stride, uint64_t cache_bytes)
{
    CnJobPool *pool = create_pool(workers, 0);
    run->generator = cn_generator_create(
        &(CnGeneratorDesc){.blocks = standard_blocks(), .seed = 42, .cache_bytes = cache_bytes},
        NULL);
    assert_non_null(run->generator);
    for (uint32_t i = 0; i <= workers; i++) {
        run->scratches[i] = cn_generate_scratch_create(run->generator);
        assert_non_null(run->scratches[i]);
    }
    run->stride = stride;
    cn_job_parallel_for(pool, PLACES, 1, generate_places, run);
    cn_job_pool_destroy(pool);
    for (uint32_t i = 0; i <= workers; i++)
        cn_generate_scratch_destroy(run->scratches[i]);
    cn_generator_destroy(run->generator);
}

static void threads_that_push_each_others_windows_out_get_the_same_world(void **state)
{
    (void)state;
    static Run one, many;
    generate_all(&one, 0, 1, 0);
    generate_all(&many, WORKERS, 3, 1);
    assert_memory_equal(one.tops, many.tops, sizeof one.tops);
    assert_memory_equal(one.hashes, many.hashes, sizeof one.hashes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(threads_that_push_each_others_windows_out_get_the_same_world),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
