/* The light path: a small real world with water and sky. */
#include "block_scene.h"
#include "golden_image.h"

#include <string.h>

static BlockScene scene;

static bool make_world(const CnLitBlocksOptions *options)
{
    if (!block_scene_init(&scene, &(BlockSceneDesc){.backend = RENDER_VULKAN, .no_erosion = true}))
        return false;
    CnLitBlocksOptions all = *options;
    all.view = scene.view;
    all.fog_options.sea_level = CN_SEA_LEVEL;
    render_fixture_add(&scene.fixture, &cn_feature_lit_blocks, &all);
    render_fixture_add(&scene.fixture, &cn_feature_tone_map, NULL);
    block_scene_sun(&scene, cn_vec3(-0.4f, -0.7f, -0.3f));
    block_scene_camera(&scene, cn_vec3(0, 12, 28), 0, -20);
    return true;
}

static void blocks_are_lit_as_they_are_drawn(void **state)
{
    (void)state;
    if (!make_world(&(CnLitBlocksOptions){0}))
        skip();
    render_fixture_draw(&scene.fixture, 2);
    assert_golden_image("lit_blocks", &scene.fixture);
    block_scene_fini(&scene);
}

static void far_away_all_is_sky(void **state)
{
    (void)state;
    if (!make_world(&(CnLitBlocksOptions){.fog_options = {.edge = 40}}))
        skip();
    render_fixture_draw(&scene.fixture, 2);
    assert_golden_image("lit_blocks_edge", &scene.fixture);
    block_scene_fini(&scene);
}

static void set_atmosphere(CnVec3 to_sun)
{
    scene.fixture.snapshot.atmosphere = (CnRenderAtmosphere){
        .valid = true, .to_sun = to_sun, .to_moon = cn_vec3_scale(to_sun, -1), .moon_phase = 0.5f};
}

static void at_night_there_are_moon_and_stars(void **state)
{
    (void)state;
    if (!make_world(&(CnLitBlocksOptions){0}))
        skip();
    set_atmosphere(cn_vec3_normalize(cn_vec3(0.3f, -0.4f, 1)));
    render_fixture_clear(&scene.fixture);
    render_fixture_sun(&scene.fixture, cn_vec3(0.3f, -0.4f, 1), cn_vec3(0.1f, 0.12f, 0.2f));
    block_scene_camera(&scene, cn_vec3(0, 12, 28), 10, 15);
    render_fixture_draw(&scene.fixture, 2);
    assert_golden_image("lit_blocks_night", &scene.fixture);
    block_scene_fini(&scene);
}

/* One of the first images has the shader of the night compiled. */
static void by_day_all_images_are_alike(void **state)
{
    (void)state;
    if (!make_world(&(CnLitBlocksOptions){.water = CN_SWITCH_OFF}))
        skip();
    const size_t size = 4u * RENDER_FIXTURE_WIDTH * RENDER_FIXTURE_HEIGHT;
    uint8_t *first = cn_alloc(cn_system_allocator(), size);
    set_atmosphere(cn_vec3_normalize(cn_vec3(0.4f, 0.7f, 0.3f)));
    render_fixture_draw(&scene.fixture, 3);
    memcpy(first, scene.fixture.pixels, size);
    for (uint32_t i = 0; i < 3; i++) {
        render_fixture_draw(&scene.fixture, 1);
        assert_memory_equal(first, scene.fixture.pixels, size);
    }
    cn_free(cn_system_allocator(), first, size);
    block_scene_fini(&scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(blocks_are_lit_as_they_are_drawn),
        cmocka_unit_test(far_away_all_is_sky),
        cmocka_unit_test(at_night_there_are_moon_and_stars),
        cmocka_unit_test(by_day_all_images_are_alike),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
