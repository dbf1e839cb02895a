/* Three worlds of 16 x 8 x 16 chunks have these blocks, with every compiler, SIMD path and number
 * of threads. When a value here changes, so does every world that was ever made from a seed: say
 * so, and why. */
#include "cmocka_tests.h"
#include "standard_blocks.h"
#include "voxel_generated.h"

#define assert_bits(actual, expected)                                                              \
    do {                                                                                           \
        uint64_t actual_ = (actual);                                                               \
        if (actual_ != (expected))                                                                 \
            fail_msg("0x%016llx, not 0x%016llx", (unsigned long long)actual_,                      \
                     (unsigned long long)(expected));                                              \
    } while (0)

static const CnChunkPos first = {-8, -2, -8}, size = {16, 8, 16};

static uint64_t bare_hash(uint64_t seed)
{
    GeneratedWorld world = generated_bare(seed);
    const uint64_t hash = generated_hash(&world, first, size);
    generated_drop(&world);
    return hash;
}

static uint64_t whole_hash(uint64_t seed)
{
    GeneratedWorld world =
        generated_world(&(CnGeneratorDesc){.blocks = standard_blocks(), .seed = seed});
    const uint64_t hash = generated_hash(&world, first, size);
    generated_drop(&world);
    return hash;
}

static void ground_caves_and_ores_have_their_blocks(void **state)
{
    (void)state;
    assert_bits(bare_hash(1), 0x516288833b682e13u);
    assert_bits(bare_hash(42), 0x2d801944fb5f5a4au);
    assert_bits(bare_hash(0xFEDCBA9876543210u), 0x858a54dccb6f78cdu);
}

static void erosion_features_and_villages_have_their_blocks(void **state)
{
    (void)state;
    assert_bits(whole_hash(1), 0xe3b19dc4bb5f1b80u);
    assert_bits(whole_hash(42), 0xedc25b37eafb37bdu);
    assert_bits(whole_hash(0xFEDCBA9876543210u), 0xb851aafd4718721cu);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ground_caves_and_ores_have_their_blocks),
        cmocka_unit_test(erosion_features_and_villages_have_their_blocks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
