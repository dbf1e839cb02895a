/* Features and weather of content, and worlds with them, when memory runs out. */
#include "cmocka_tests.h"
#include "failing_heap.h"

#include <crafty/world/blocks.h>
#include <crafty/world/features.h>
#include <crafty/world/weather_kinds.h>

#include <cairn/voxel/generate.h>

static CnBlockTable *blocks;

static const char text[] =
    "{\"decorations\": [{\"name\": \"a\", \"blocks\": [\"stone\", \"dirt\"], \"per_chunk\": 8}],\n"
    " \"structures\": [{\"name\": \"b\", \"palette\": {\"s\": [\"stone\", \"bricks\"]},\n"
    "   \"layers\": [[\"sss\", \"s s\"], [\"sss\", \"s s\"]]}]}";

static bool make_world(CnAllocator *allocator, void *user)
{
    (void)user;
    CnError error = {0};
    CraftyFeatures *features = crafty_features_create(
        &(CraftyFeaturesDesc){
            .allocator = allocator, .blocks = blocks, .file = "features", .text = cn_text(text)},
        &error);
    if (!features) {
        assert_int_equal(error.code, CN_ERROR_MEMORY);
        return false;
    }
    CnGenerator *generator =
        cn_generator_create(&(CnGeneratorDesc){.allocator = allocator,
                                               .blocks = blocks,
                                               .seed = 1,
                                               .placements = crafty_features_placements(features),
                                               .placement_count = crafty_features_count(features)},
                            &error);
    CnGenerateScratch *scratch = generator ? cn_generate_scratch_create(generator) : NULL;
    const bool done = scratch != NULL;
    cn_generate_scratch_destroy(scratch);
    cn_generator_destroy(generator);
    crafty_features_destroy(features);
    return done;
}

static void features_are_complete_or_an_error(void **state)
{
    (void)state;
    assert_true(run_with_failing_allocations(make_world, NULL) > 5);
}

static bool make_weather(CnAllocator *allocator, void *user)
{
    (void)user;
    CnError error = {0};
    CraftyWeatherKinds *kinds = crafty_weather_kinds_create(
        allocator, "weather", cn_text("{\"kinds\": [{\"name\": \"hail\"}]}"), &error);
    assert_true(kinds || error.code == CN_ERROR_MEMORY);
    crafty_weather_kinds_destroy(kinds);
    return kinds != NULL;
}

static void weather_is_complete_or_an_error(void **state)
{
    (void)state;
    assert_true(run_with_failing_allocations(make_weather, NULL) > 0);
}

static int begin(void **state)
{
    (void)state;
    blocks = crafty_blocks_create(NULL, NULL);
    cn_block_table_close(blocks);
    return blocks ? 0 : -1;
}

static int end(void **state)
{
    (void)state;
    cn_block_table_destroy(blocks);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(features_are_complete_or_an_error),
        cmocka_unit_test(weather_is_complete_or_an_error),
    };
    return cmocka_run_group_tests(tests, begin, end);
}
