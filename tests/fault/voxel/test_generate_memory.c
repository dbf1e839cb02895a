#include "cmocka_tests.h"
#include "failing_heap.h"
#include "standard_blocks.h"

#include <cairn/voxel/generate.h>

static bool make_a_generator(CnAllocator *allocator, void *user)
{
    (void)user;
    CnError error = {0};
    CnGenerator *generator = cn_generator_create(
        &(CnGeneratorDesc){.blocks = standard_blocks(), .allocator = allocator, .seed = 1}, &error);
    if (!generator) {
        assert_int_equal(error.code, CN_ERROR_MEMORY);
        return false;
    }
    CnGenerateScratch *scratch = cn_generate_scratch_create(generator);
    cn_generate_scratch_destroy(scratch);
    cn_generator_destroy(generator);
    return scratch != NULL;
}

static void generators_and_scratches_say_when_memory_is_out(void **state)
{
    (void)state;
    run_with_failing_allocations(make_a_generator, NULL);
}

/* Erosion and villages keep what they can, and what they cannot keep they compute again. */
static bool generate_a_chunk(CnAllocator *allocator, void *user)
{
    uint64_t *hash = user;
    CnGenerator *generator = cn_generator_create(
        &(CnGeneratorDesc){.blocks = standard_blocks(), .allocator = allocator, .seed = 1}, NULL);
    if (!generator)
        return false;
    CnGenerateScratch *scratch = cn_generate_scratch_create(generator);
    if (scratch) {
        CnBlock blocks[CN_CHUNK_BLOCKS];
        uint64_t sum = 0;
        cn_generate(generator, scratch, (CnChunkPos){3, 1, 3}, blocks);
        for (uint32_t i = 0; i < CN_CHUNK_BLOCKS; i++)
            sum = sum * 31 + blocks[i];
        assert_true(*hash == 0 || *hash == sum);
        *hash = sum;
    }
    cn_generate_scratch_destroy(scratch);
    cn_generator_destroy(generator);
    return scratch != NULL;
}

static void chunks_are_the_same_when_caches_get_no_memory(void **state)
{
    (void)state;
    uint64_t hash = 0;
    run_with_failing_allocations(generate_a_chunk, &hash);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(generators_and_scratches_say_when_memory_is_out),
        cmocka_unit_test(chunks_are_the_same_when_caches_get_no_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
