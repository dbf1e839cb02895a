/* Seeds and names give these numbers, with every compiler and at every level of optimization. When
 * a value here changes, so does every world that was ever made from a seed: say so, and why. */
#include "cmocka_tests.h"

#include <cairn/ecs.h>
#include <cairn/sim/random.h>

#define assert_bits(actual, expected)                                                              \
    do {                                                                                           \
        uint64_t actual_ = (actual);                                                               \
        if (actual_ != (expected))                                                                 \
            fail_msg("0x%016llx, not 0x%016llx", (unsigned long long)actual_,                      \
                     (unsigned long long)(expected));                                              \
    } while (0)

static CnRandom fixed(void)
{
    return cn_random_make(20111112, "golden");
}

static void seeds_and_names_have_their_keys(void **state)
{
    (void)state;
    assert_bits(cn_random_make(0, "").key, 0x2d06800538d394c2u);
    assert_bits(cn_random_make(1, "weather").key, 0x92b2df4628ce7c53u);
    assert_bits(cn_random_make(UINT64_MAX, "a longer name of a stream").key, 0x4477eb5b6cf3d63eu);
}

static void a_generator_has_its_numbers(void **state)
{
    (void)state;
    CnRandom random = fixed();
    assert_bits(cn_random_u64(&random), 0xa803c44d3c0ddceeu);
    assert_bits(cn_random_u32(&random), 0x0000000052492b0du);
    assert_bits(cn_random_below(&random, 1000000), 590766u);
    assert_bits((uint64_t)cn_random_range(&random, -1000000, 1000000), 420287u);
    cn_random_skip(&random, 1000000007);
    assert_bits(cn_random_u64(&random), 0xe843711beccfa436u);
}

static void indices_have_their_numbers(void **state)
{
    (void)state;
    assert_bits(cn_random_at(1, 2, 3), 0x022bab68a804e296u);
    CnRandom fork = cn_random_fork(1, 2, 3);
    assert_bits(cn_random_u64(&fork), 0xdae3f0ec3b096bbdu);
}

static uint64_t hash_of(const void *values, size_t size)
{
    return cn_hash_bytes(values, size, 0);
}

static void floats_have_their_bits(void **state)
{
    (void)state;
    struct {
        double doubles[500];
        float singles[500], ranges[500];
        CnVec2 circle[500];
        CnVec3 sphere[500];
    } drawn;
    CnRandom random = fixed();
    for (uint32_t i = 0; i < 500; i++) {
        drawn.doubles[i] = cn_random_f64(&random);
        drawn.singles[i] = cn_random_f32(&random);
        drawn.ranges[i] = cn_random_f32_range(&random, -0.1f, 7.3f);
        drawn.circle[i] = cn_random_unit2(&random);
        drawn.sphere[i] = cn_random_unit3(&random);
    }
    assert_bits(hash_of(drawn.doubles, sizeof drawn.doubles), 0x0de4c65810002dbeu);
    assert_bits(hash_of(drawn.singles, sizeof drawn.singles), 0x5ad1f73da89c9d41u);
    assert_bits(hash_of(drawn.ranges, sizeof drawn.ranges), 0x0854ea98e63e0469u);
    assert_bits(hash_of(drawn.circle, sizeof drawn.circle), 0x666e9a9e173e3edbu);
    assert_bits(hash_of(drawn.sphere, sizeof drawn.sphere), 0x44b5ea222fc2865fu);
    assert_bits(random.counter, 2753u);
}

static void a_shuffle_has_its_order(void **state)
{
    (void)state;
    uint32_t items[200];
    CnRandom random = fixed();
    for (uint32_t i = 0; i < 200; i++)
        items[i] = i;
    cn_random_shuffle(&random, items, 200);
    assert_bits(hash_of(items, sizeof items), 0xa4db1b8b01cd3aa5u);
}

static void a_world_with_streams_has_its_hash(void **state)
{
    (void)state;
    CnWorld *world = cn_world_create(NULL, NULL);
    cn_random_seed(world, 5, NULL);
    cn_random_skip(cn_random_of(world, cn_random_stream(world, "weather", NULL)), 17);
    cn_random_stream(world, "loot", NULL);
    uint64_t hash = cn_world_hash(world);
    cn_world_destroy(world);
    assert_bits(hash, 0x075a3c9145b9c27du);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(seeds_and_names_have_their_keys),
        cmocka_unit_test(a_generator_has_its_numbers),
        cmocka_unit_test(indices_have_their_numbers),
        cmocka_unit_test(floats_have_their_bits),
        cmocka_unit_test(a_shuffle_has_its_order),
        cmocka_unit_test(a_world_with_streams_has_its_hash),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
