/* The light path: a small real world with water and sky; and that hiding changes nothing. */
#include "block_scene.h"
#include "golden_image.h"

#include <stdlib.h>
#include <string.h>

static BlockScene scene;

static bool make_world(const CnLitBlocksOptions *options)
{
    if (!block_scene_init(&scene, &(BlockSceneDesc){.backend = RENDER_VULKAN, .no_erosion = true}))
        return false;
    CnLitBlocksOptions all = *options;
    all.view = scene.view;
    all.air.sea_level = CN_SEA_LEVEL;
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
    if (!make_world(&(CnLitBlocksOptions){.air = {.edge = 40}}))
        skip();
    render_fixture_draw(&scene.fixture, 2);
    assert_golden_image("lit_blocks_edge", &scene.fixture);
    block_scene_fini(&scene);
}

static void what_is_hidden_is_not_missed(void **state)
{
    (void)state;
    uint8_t *drawn = NULL;
    size_t bytes = 0;
    for (int i = 0; i < 2; i++) {
        if (!make_world(&(CnLitBlocksOptions){.no_occlusion = i == 1}))
            skip();
        render_fixture_draw(&scene.fixture, 3);
        bytes = (size_t)scene.fixture.picture.width * scene.fixture.picture.height * 4;
        if (!drawn) {
            drawn = malloc(bytes);
            assert_non_null(drawn);
            memcpy(drawn, scene.fixture.pixels, bytes);
        } else {
            assert_memory_equal(drawn, scene.fixture.pixels, bytes);
        }
        block_scene_fini(&scene);
    }
    free(drawn);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(blocks_are_lit_as_they_are_drawn),
        cmocka_unit_test(far_away_all_is_sky),
        cmocka_unit_test(what_is_hidden_is_not_missed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
