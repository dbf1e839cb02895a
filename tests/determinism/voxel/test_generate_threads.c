/* test-labels: threads */
/* Threads that share a generator get the blocks that one thread gets, in any order. */
#include "jobs.h"
#include "standard_blocks.h"
#include "voxel_generated.h"

#define SIDE 6u
#define LAYERS 5u
#define CHUNKS (SIDE * LAYERS * SIDE)
#define MAX_LANES 5u

typedef struct Run {
    CnGenerator *generator;
    CnGenerateScratch *scratches[MAX_LANES];
    uint32_t stride; /* chunk i of a run is chunk i * stride modulo CHUNKS */
    uint64_t hashes[CHUNKS];
} Run;

static void generate_some(void *data, uint32_t begin, uint32_t end, uint32_t lane)
{
    Run *run = data;
    for (uint32_t i = begin; i < end; i++) {
        CnBlock blocks[CN_CHUNK_BLOCKS];
        const uint32_t at = i * run->stride % CHUNKS;
        const CnChunkPos position = {(int32_t)(at % SIDE), (int32_t)(at / SIDE % LAYERS),
                                     (int32_t)(at / SIDE / LAYERS)};
        cn_generate(run->generator, run->scratches[lane], position, blocks);
        run->hashes[at] = cn_hash_bytes(blocks, sizeof blocks, 0);
    }
}

static void generate_all(Run *run, uint32_t workers, uint32_t stride)
{
    CnJobPool *pool = create_pool(workers, 0);
    run->generator =
        cn_generator_create(&(CnGeneratorDesc){.blocks = standard_blocks(), .seed = 42}, NULL);
    assert_non_null(run->generator);
    for (uint32_t i = 0; i <= workers; i++) {
        run->scratches[i] = cn_generate_scratch_create(run->generator);
        assert_non_null(run->scratches[i]);
    }
    run->stride = stride;
    cn_job_parallel_for(pool, CHUNKS, 1, generate_some, run);
    cn_job_pool_destroy(pool);
    for (uint32_t i = 0; i <= workers; i++)
        cn_generate_scratch_destroy(run->scratches[i]);
    cn_generator_destroy(run->generator);
}

static void any_number_of_threads_and_any_order_give_the_same_blocks(void **state)
{
    (void)state;
    static Run one, many;
    generate_all(&one, 0, 1);
    for (uint32_t workers = 1; workers < MAX_LANES; workers += 3) {
        generate_all(&many, workers, 77);
        assert_memory_equal(one.hashes, many.hashes, sizeof one.hashes);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(any_number_of_threads_and_any_order_give_the_same_blocks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
