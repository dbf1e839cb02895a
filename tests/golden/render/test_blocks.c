/* Blocks that were looked at: a small real world, a room made by hand, far terrain. */
#include "block_scene.h"
#include "golden_image.h"

#include <stdlib.h>
#include <string.h>

static BlockScene scene;

static bool make_world(void)
{
    if (!block_scene_init(&scene, &(BlockSceneDesc){.backend = RENDER_VULKAN, .no_erosion = true}))
        return false;
    block_scene_add_all(&scene);
    block_scene_sun(&scene, cn_vec3(-0.4f, -0.7f, -0.3f));
    block_scene_camera(&scene, cn_vec3(0, 12, 28), 0, -20);
    return true;
}

static void blocks_of_a_world_are_drawn(void **state)
{
    (void)state;
    if (!make_world())
        skip();
    render_fixture_draw(&scene.fixture, 2);
    assert_golden_image("blocks", &scene.fixture);
    block_scene_fini(&scene);
}

static void switched_off_there_are_none(void **state)
{
    (void)state;
    if (!make_world())
        skip();
    cn_feature_set_enabled(cn_renderer_feature(scene.fixture.renderer, "Blocks"), false);
    render_fixture_draw(&scene.fixture, 2);
    assert_golden_image("blocks_off", &scene.fixture);
    block_scene_fini(&scene);
}

static uint8_t *copy_image(void)
{
    size_t bytes = (size_t)scene.fixture.frame_desc.width * scene.fixture.frame_desc.height * 4;
    uint8_t *copy = malloc(bytes);
    assert_non_null(copy);
    memcpy(copy, scene.fixture.pixels, bytes);
    return copy;
}

/* Cut-out, props, what glows, light in a room without a window. */
static bool make_room(void)
{
    BlockSceneDesc desc = {
        .backend = RENDER_VULKAN, .empty = true, .no_erosion = true, .radius = 1, .height = 1};
    if (!block_scene_init(&scene, &desc))
        return false;
    block_scene_fill(&scene, (CnCell){-5, 0, -6}, (CnCell){-1, 3, -6}, "oak_leaves");
    block_scene_fill(&scene, (CnCell){1, 0, -6}, (CnCell){5, 3, -6}, "glass");
    block_scene_fill(&scene, (CnCell){-5, 0, -3}, (CnCell){-4, 1, -3}, "oak_log");
    block_scene_set(&scene, 3, 0, -3, "glowstone");
    block_scene_set(&scene, -2, 0, -2, "torch");
    block_scene_set(&scene, 1, 0, -1, "dandelion");
    block_scene_show(&scene);
    block_scene_add_all(&scene);
    block_scene_sun(&scene, cn_vec3(0.3f, -0.8f, 0.6f));
    block_scene_camera(&scene, cn_vec3(0.5f, 4, 4), 0, -28);
    return true;
}

static void blocks_with_holes_and_props_are_drawn(void **state)
{
    (void)state;
    if (!make_room())
        skip();
    render_fixture_draw(&scene.fixture, 2);
    assert_golden_image("blocks_room", &scene.fixture);
    block_scene_fini(&scene);
}

/* To the left it is dry, to the right lush; dirt stays as it is. */
static void greens_are_those_of_the_climate(void **state)
{
    (void)state;
    static uint8_t factors[CN_CLIMATE_SIZE * CN_CLIMATE_SIZE][4];
    const BlockSceneDesc desc = {
        .backend = RENDER_VULKAN, .empty = true, .no_erosion = true, .radius = 1, .height = 1};
    if (!block_scene_init(&scene, &desc))
        skip();
    for (uint32_t i = 0; i < CN_COUNT_OF(factors); i++) {
        bool is_left = i % CN_CLIMATE_SIZE >= CN_CLIMATE_SIZE / 2;
        memcpy(factors[i],
               is_left ? (uint8_t[4]){220, 130, 60, 255} : (uint8_t[4]){70, 110, 90, 255}, 4);
    }
    cn_block_view_set_climate(scene.view, (const uint8_t(*)[4])factors);
    block_scene_fill(&scene, (CnCell){-12, 0, -12}, (CnCell){12, 0, 0}, "grass");
    block_scene_fill(&scene, (CnCell){-3, 1, -8}, (CnCell){3, 3, -8}, "oak_leaves");
    block_scene_set(&scene, 0, 1, -3, "tall_grass");
    block_scene_show(&scene);
    block_scene_add_all(&scene);
    block_scene_sun(&scene, cn_vec3(0.3f, -0.8f, -0.6f));
    block_scene_camera(&scene, cn_vec3(0.5f, 4, 6), 0, -22);
    render_fixture_draw(&scene.fixture, 1);
    assert_golden_image("blocks_climate", &scene.fixture);
    block_scene_fini(&scene);
}

static bool has_pass(const char *name)
{
    CnGraphPassInfo info;
    for (uint32_t i = 0; cn_graph_pass_info(cn_renderer_graph(scene.fixture.renderer), i, &info);
         i++) {
        if (!strcmp(info.name, name))
            return true;
    }
    return false;
}

/* Edges may fall to a neighbor: whether a pixel's middle lies on one side is rounded in two ways.
 */
static void compute_shaders_draw_the_same(void **state)
{
    (void)state;
    assert_return_code(setenv("CAIRN_FULL_SCREEN", "fragment", 1), 0);
    if (!make_room())
        skip();
    render_fixture_draw(&scene.fixture, 2);
    assert_false(has_pass("block surfaces"));
    uint8_t *drawn = copy_image();
    block_scene_fini(&scene);
    assert_return_code(setenv("CAIRN_FULL_SCREEN", "compute", 1), 0);
    assert_true(make_room());
    assert_return_code(unsetenv("CAIRN_FULL_SCREEN"), 0);
    render_fixture_draw(&scene.fixture, 2);
    assert_true(has_pass("block surfaces"));
    uint32_t count = RENDER_FIXTURE_WIDTH * RENDER_FIXTURE_HEIGHT, others = 0;
    for (uint32_t i = 0; i < count; i++)
        others += abs(drawn[4 * i + 1] - scene.fixture.pixels[4 * i + 1]) > 6;
    if (others > count / 100)
        fail_msg("%u of %u pixels differ", others, count);
    free(drawn);
    block_scene_fini(&scene);
}

static void far_terrain_goes_on_where_chunks_end(void **state)
{
    (void)state;
    if (!make_world())
        skip();
    block_scene_show_far(&scene, 400);
    block_scene_camera(&scene, cn_vec3(0, 22, 10), 0, -15);
    render_fixture_draw(&scene.fixture, 2);
    assert_golden_image("blocks_far", &scene.fixture);
    block_scene_fini(&scene);
}

/* A ridge to the left that is too far to be drawn: what lies behind it is dark, from where drawn
 * shadows end. */
static void ridges_throw_shadows_on_far_terrain(void **state)
{
    (void)state;
    static uint8_t factors[CN_CLIMATE_SIZE * CN_CLIMATE_SIZE][4];
    if (!make_world())
        skip();
    for (uint32_t i = 0; i < CN_COUNT_OF(factors); i++) {
        int32_t square = (int32_t)(i % CN_CLIMATE_SIZE) - scene.middle.x / CN_CLIMATE_BLOCKS;
        int32_t away = (square + CN_CLIMATE_SIZE) % CN_CLIMATE_SIZE - CN_CLIMATE_SIZE;
        bool is_ridge = away < -4 && away > -8;
        memcpy(factors[i], (uint8_t[4]){128, 128, 128, is_ridge ? 135 : 255}, 4);
    }
    cn_block_view_set_climate(scene.view, (const uint8_t(*)[4])factors);
    block_scene_show_far(&scene, 400);
    block_scene_sun(&scene, cn_vec3(1, -0.5f, 0));
    block_scene_camera(&scene, cn_vec3(0, 60, 40), 0, -15);
    render_fixture_draw(&scene.fixture, 2);
    assert_golden_image("blocks_land_shadow", &scene.fixture);
    block_scene_fini(&scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(blocks_of_a_world_are_drawn),
        cmocka_unit_test(switched_off_there_are_none),
        cmocka_unit_test(blocks_with_holes_and_props_are_drawn),
        cmocka_unit_test(greens_are_those_of_the_climate),
        cmocka_unit_test(compute_shaders_draw_the_same),
        cmocka_unit_test(far_terrain_goes_on_where_chunks_end),
        cmocka_unit_test(ridges_throw_shadows_on_far_terrain),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
