/* Villages that jobs plan ahead: the same ones, with and without workers. */
#include "cmocka_tests.h"

#include <crafty/world/world.h>

#define SEED 42u

static CraftyWorld *make(uint32_t workers)
{
    CraftyWorld *world =
        crafty_world_create(&(CraftyWorldDesc){.seed = SEED, .workers = workers}, NULL);
    assert_non_null(world);
    return world;
}

static const CraftyRegion regions[CRAFTY_PREFETCH_REGIONS] = {{3, -2}, {3, -1}, {3, 0}, {3, 1}};

static void a_prefetched_region_has_the_same_village(void **state)
{
    (void)state;
    CraftyWorld *with = make(2), *without = make(CN_JOBS_NONE);
    CraftyVillagePrefetch *villages = crafty_world_villages(with);
    crafty_village_prefetch(villages, regions, CN_COUNT_OF(regions));
    assert_int_equal(villages->jobs_begun, 1);
    CraftyBiomes a = crafty_world_terrain(with), b = crafty_world_terrain(without);
    for (uint32_t i = 0; i < CN_COUNT_OF(regions); i++) {
        CnCell first = {0}, second = {0};
        assert_int_equal(
            cn_generate_village(a.generator, a.scratch, regions[i].x, regions[i].z, &first),
            cn_generate_village(b.generator, b.scratch, regions[i].x, regions[i].z, &second));
        assert_memory_equal(&first, &second, sizeof first);
    }
    crafty_world_destroy(with);
    crafty_world_destroy(without);
}

static void nothing_is_prefetched_without_workers(void **state)
{
    (void)state;
    CraftyWorld *world = make(CN_JOBS_NONE);
    crafty_village_prefetch(crafty_world_villages(world), regions, CN_COUNT_OF(regions));
    assert_int_equal(crafty_world_villages(world)->jobs_begun, 0);
    crafty_village_prefetch(NULL, regions, CN_COUNT_OF(regions));
    crafty_world_destroy(world);
}

static void a_world_that_is_closed_waits_for_the_job(void **state)
{
    (void)state;
    CraftyWorld *world = make(1);
    crafty_village_prefetch(crafty_world_villages(world), regions, CN_COUNT_OF(regions));
    crafty_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_prefetched_region_has_the_same_village),
        cmocka_unit_test(nothing_is_prefetched_without_workers),
        cmocka_unit_test(a_world_that_is_closed_waits_for_the_job),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
