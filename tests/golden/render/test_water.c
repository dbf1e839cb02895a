/* Water that was looked at: a pool with a tower behind it, with and without what it mirrors, and
 * from below. */
#include "block_scene.h"
#include "golden_image.h"

#include <cairn/render/atmosphere.h>

static BlockScene scene;

/* 25 x 17 blocks, a step deeper each third of it; a tower, pillars, a lamp. */
static void build_pool(void)
{
    block_scene_fill(&scene, (CnCell){-16, 0, -16}, (CnCell){16, 3, 10}, "grass");
    block_scene_fill(&scene, (CnCell){-12, 0, -12}, (CnCell){12, 3, 4}, "sand");
    block_scene_fill(&scene, (CnCell){-12, 3, -12}, (CnCell){12, 3, 4}, "water");
    block_scene_fill(&scene, (CnCell){-12, 2, -12}, (CnCell){12, 2, -1}, "water");
    block_scene_fill(&scene, (CnCell){-12, 0, -12}, (CnCell){12, 1, -6}, "water");
    block_scene_fill(&scene, (CnCell){-6, 4, -15}, (CnCell){-3, 10, -13}, "stone");
    block_scene_fill(&scene, (CnCell){5, 0, -7}, (CnCell){5, 7, -7}, "oak_log");
    block_scene_fill(&scene, (CnCell){8, 4, -13}, (CnCell){8, 5, -13}, "glowstone");
}

static void begin(CnSwitch reflections)
{
    const BlockSceneDesc desc = {
        .backend = RENDER_VULKAN, .empty = true, .no_erosion = true, .radius = 1};
    if (!block_scene_init(&scene, &desc))
        skip();
    RenderFixture *fixture = &scene.fixture;
    const CnSkyOptions sky = {.kind = CN_SKY_ATMOSPHERE};
    render_fixture_add(fixture, &cn_feature_shadows, &(CnShadowOptions){.size = 512});
    block_scene_add_blocks(&scene, NULL);
    render_fixture_add(fixture, &cn_feature_sky, &sky);
    render_fixture_add(fixture, &cn_feature_environment, &sky);
    render_fixture_add(fixture, &cn_feature_deferred, NULL);
    render_fixture_add(fixture, &cn_feature_clouds, NULL);
    render_fixture_add(fixture, &cn_feature_water,
                       &(CnWaterOptions){.view = scene.view, .reflections = reflections});
    render_fixture_add(fixture, &cn_feature_tone_map, NULL);
    block_scene_sun(&scene, cn_vec3(-0.4f, -0.7f, -0.3f));
    build_pool();
    CnVec3 middle = {(float)scene.middle.x, (float)scene.middle.y, (float)scene.middle.z};
    render_fixture_point_light(fixture, cn_vec3_add(middle, cn_vec3(-10, 4.8f, -6)),
                               cn_vec3(16, 8, 3), 8);
    block_scene_show(&scene);
}

static void water_bends_what_is_below_and_mirrors_what_is_above(void **state)
{
    (void)state;
    begin(CN_SWITCH_DEFAULT);
    block_scene_camera(&scene, cn_vec3(0, 7, 9), 0, -14);
    render_fixture_draw(&scene.fixture, 2);
    assert_golden_image("water", &scene.fixture);
    block_scene_fini(&scene);
}

static void water_without_reflections_mirrors_the_sky_alone(void **state)
{
    (void)state;
    begin(CN_SWITCH_OFF);
    block_scene_camera(&scene, cn_vec3(0, 7, 9), 0, -14);
    render_fixture_draw(&scene.fixture, 2);
    assert_golden_image("water_sky_alone", &scene.fixture);
    block_scene_fini(&scene);
}

static void water_mirrors_clouds_that_are_not_in_the_image(void **state)
{
    (void)state;
    begin(CN_SWITCH_OFF);
    block_scene_camera(&scene, cn_vec3(0, 7, 9), 0, -24);
    scene.fixture.snapshot.atmosphere =
        (CnRenderAtmosphere){.valid = true,
                             .to_sun = {0.4f, 0.7f, 0.3f},
                             .cloud_cover = 0.5f,
                             .cloud_bottom = (float)scene.middle.y + 50,
                             .cloud_top = (float)scene.middle.y + 100};
    render_fixture_draw(&scene.fixture, 2);
    assert_golden_image("water_clouds", &scene.fixture);
    block_scene_fini(&scene);
}

static void the_surface_from_below_is_a_window(void **state)
{
    (void)state;
    begin(CN_SWITCH_DEFAULT);
    block_scene_camera(&scene, cn_vec3(0, 1.5f, -7), 0, 35);
    scene.fixture.snapshot.atmosphere =
        (CnRenderAtmosphere){.valid = true, .to_sun = {0.4f, 0.7f, 0.3f}, .water_above = 2};
    render_fixture_draw(&scene.fixture, 2);
    assert_golden_image("water_from_below", &scene.fixture);
    block_scene_fini(&scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(water_bends_what_is_below_and_mirrors_what_is_above),
        cmocka_unit_test(water_without_reflections_mirrors_the_sky_alone),
        cmocka_unit_test(water_mirrors_clouds_that_are_not_in_the_image),
        cmocka_unit_test(the_surface_from_below_is_a_window),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
