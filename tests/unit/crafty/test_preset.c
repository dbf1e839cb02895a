/* Features of Crafty while it runs: settings change what there is. */
#include "block_scene.h"
#include "cmocka_tests.h"

#include <crafty/client/preset.h>

static BlockScene scene;

static void begin(void)
{
    assert_true(block_scene_init(
        &scene, &(BlockSceneDesc){.empty = true, .no_erosion = true, .radius = 1}));
}

static bool change(const CraftySettings *settings)
{
    return crafty_preset_change(scene.fixture.renderer, settings,
                                &(CraftyRenderSources){.blocks = scene.view}, &scene.fixture.error);
}

static uint32_t count(void)
{
    uint32_t features = 0;
    while (cn_renderer_feature_at(scene.fixture.renderer, features))
        features++;
    return features;
}

static void a_change_leaves_only_the_features_of_the_new_settings(void **state)
{
    (void)state;
    begin();
    CnRenderer *renderer = scene.fixture.renderer;
    CraftySettings low = crafty_settings(CRAFTY_LOW), high = crafty_settings(CRAFTY_HIGH);
    assert_true(change(&low));
    uint32_t before = count();
    assert_true(change(&high));
    assert_null(cn_renderer_feature(renderer, "Lit blocks"));
    assert_non_null(cn_renderer_feature(renderer, "Blocks"));
    assert_true(change(&low));
    assert_null(cn_renderer_feature(renderer, "Blocks"));
    assert_int_equal(count(), before);
    block_scene_fini(&scene);
}

static CnGpuStats after_change(CraftyQuality quality)
{
    CraftySettings settings = crafty_settings(quality);
    settings.shadow_size = 64;
    assert_true(change(&settings));
    render_fixture_draw(&scene.fixture, 8);
    return cn_gpu_stats(cn_renderer_gpu(scene.fixture.renderer));
}

static void what_was_made_for_other_settings_is_gone(void **state)
{
    (void)state;
    begin();
    after_change(CRAFTY_LOW);
    after_change(CRAFTY_HIGH);
    CnGpuStats once = after_change(CRAFTY_LOW);
    after_change(CRAFTY_HIGH);
    CnGpuStats twice = after_change(CRAFTY_LOW);
    assert_int_equal(twice.buffers, once.buffers);
    assert_int_equal(twice.textures, once.textures);
    assert_int_equal(twice.pipelines, once.pipelines);
    assert_int_equal(twice.used_bytes, once.used_bytes);
    block_scene_fini(&scene);
}

static void a_change_that_fails_leaves_what_was_there(void **state)
{
    (void)state;
    begin();
    CraftySettings low = crafty_settings(CRAFTY_LOW), high = crafty_settings(CRAFTY_HIGH);
    assert_true(change(&low));
    uint32_t before = count();
    while (count() < CN_MAX_FEATURES - 3)
        assert_non_null(
            cn_renderer_add_feature(scene.fixture.renderer, &cn_feature_tone_map, NULL, NULL));
    uint32_t full = count();
    assert_false(change(&high));
    assert_int_equal(scene.fixture.error.code, CN_ERROR_LIMIT);
    assert_int_equal(count(), full);
    assert_non_null(cn_renderer_feature(scene.fixture.renderer, "Lit blocks"));
    assert_true(before < full);
    block_scene_fini(&scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_change_leaves_only_the_features_of_the_new_settings),
        cmocka_unit_test(what_was_made_for_other_settings_is_gone),
        cmocka_unit_test(a_change_that_fails_leaves_what_was_there),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
