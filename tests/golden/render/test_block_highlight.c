/* The block that is aimed at, looked at: its outline, its cracks, and what hides them. */
#include "block_scene.h"
#include "golden_image.h"

static BlockScene scene;

/* A dirt block and leaves on a floor of stone, with a pillar before the leaves. */
static void begin(void)
{
    const BlockSceneDesc desc = {
        .backend = RENDER_VULKAN, .empty = true, .no_erosion = true, .radius = 1};
    if (!block_scene_init(&scene, &desc))
        skip();
    RenderFixture *fixture = &scene.fixture;
    render_fixture_add(fixture, &cn_feature_shadows, &(CnShadowOptions){.size = 512});
    block_scene_add_blocks(&scene, NULL);
    render_fixture_add(fixture, &cn_feature_deferred, NULL);
    render_fixture_add(fixture, &cn_feature_block_highlight,
                       &(CnBlocksOptions){.view = scene.view});
    render_fixture_add(fixture, &cn_feature_tone_map, NULL);
    block_scene_set(&scene, -1, 0, -4, "dirt");
    block_scene_set(&scene, 1, 0, -4, "oak_leaves");
    block_scene_set(&scene, 2, 0, -3, "stone");
    block_scene_set(&scene, 0, 0, -5, "dandelion");
    block_scene_show(&scene);
    block_scene_sun(&scene, cn_vec3(-0.4f, -0.7f, -0.6f));
    block_scene_camera(&scene, cn_vec3(0.7f, 1.8f, -0.9f), 0, -26);
}

static void aim(int32_t x, int32_t y, int32_t z, int32_t crack_stage)
{
    CnCell cell = {scene.middle.x + x, scene.middle.y + y, scene.middle.z + z};
    cn_block_view_set_aim(scene.view,
                          &(CnBlockAim){.exists = true, .cell = cell, .crack_stage = crack_stage});
    render_fixture_draw(&scene.fixture, 1);
}

static void what_is_aimed_at_has_an_outline(void **state)
{
    (void)state;
    begin();
    aim(-1, 0, -4, -1);
    assert_golden_image("block_outline", &scene.fixture);
    block_scene_fini(&scene);
}

static void a_bright_outline_is_white_and_black(void **state)
{
    (void)state;
    begin();
    CnCell cell = {scene.middle.x - 1, scene.middle.y, scene.middle.z - 4};
    cn_block_view_set_aim(
        scene.view,
        &(CnBlockAim){.exists = true, .is_bright = true, .cell = cell, .crack_stage = 3});
    render_fixture_draw(&scene.fixture, 1);
    assert_golden_image("block_outline_bright", &scene.fixture);
    block_scene_fini(&scene);
}

static void the_outline_of_a_flower_is_smaller_than_its_cell(void **state)
{
    (void)state;
    begin();
    CnCell cell = {scene.middle.x, scene.middle.y, scene.middle.z - 5};
    cn_block_view_set_aim(
        scene.view,
        &(CnBlockAim){.exists = true, .is_prop = true, .cell = cell, .crack_stage = -1});
    render_fixture_draw(&scene.fixture, 1);
    assert_golden_image("block_outline_prop", &scene.fixture);
    block_scene_fini(&scene);
}

static void aim_at_shape(const char *block, int32_t crack_stage)
{
    CnBlock number = cn_block_find(cn_voxels_blocks(scene.world), block);
    CnCell cell = {scene.middle.x - 1, scene.middle.y, scene.middle.z - 4};
    block_scene_set(&scene, -1, 0, -4, "air");
    block_scene_set(&scene, -1, 0, -4, block);
    block_scene_show(&scene);
    cn_block_view_set_aim(
        scene.view,
        &(CnBlockAim){.exists = true, .block = number, .cell = cell, .crack_stage = crack_stage});
    render_fixture_draw(&scene.fixture, 2);
}

static void the_outline_of_a_shape_follows_its_boxes(void **state)
{
    (void)state;
    begin();
    aim_at_shape("brick_stairs_east", -1);
    assert_golden_image("block_outline_stairs", &scene.fixture);
    aim_at_shape("chest_south", 6);
    assert_golden_image("block_cracks_chest", &scene.fixture);
    block_scene_fini(&scene);
}

static void what_is_being_broken_has_cracks(void **state)
{
    (void)state;
    begin();
    aim(-1, 0, -4, 6);
    assert_golden_image("block_cracks", &scene.fixture);
    block_scene_fini(&scene);
}

static void cracks_leave_holes_open_and_stay_behind_what_is_nearer(void **state)
{
    (void)state;
    begin();
    aim(1, 0, -4, 9);
    assert_golden_image("block_cracks_leaves", &scene.fixture);
    block_scene_fini(&scene);
}

static uint64_t darkness(void)
{
    uint64_t sum = 0;
    for (uint32_t y = 0; y < RENDER_FIXTURE_HEIGHT; y++) {
        for (uint32_t x = 0; x < RENDER_FIXTURE_WIDTH; x++)
            sum += 255u - render_fixture_pixel(&scene.fixture, x, y)[1];
    }
    return sum;
}

static void every_stage_is_darker_than_the_one_before(void **state)
{
    (void)state;
    begin();
    aim(-1, 0, -4, -1);
    uint64_t before = darkness();
    for (int32_t stage = 0; stage < 10; stage++) {
        aim(-1, 0, -4, stage);
        uint64_t now = darkness();
        assert_true(now > before);
        before = now;
    }
    block_scene_fini(&scene);
}

static void without_an_aim_nothing_is_drawn_over_blocks(void **state)
{
    (void)state;
    begin();
    cn_block_view_set_aim(scene.view, &(CnBlockAim){.crack_stage = 9});
    render_fixture_draw(&scene.fixture, 1);
    uint64_t without = darkness();
    cn_feature_set_enabled(cn_renderer_feature(scene.fixture.renderer, "Block highlight"), false);
    aim(-1, 0, -4, 9);
    assert_int_equal(darkness(), without);
    block_scene_fini(&scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_aimed_at_has_an_outline),
        cmocka_unit_test(a_bright_outline_is_white_and_black),
        cmocka_unit_test(the_outline_of_a_flower_is_smaller_than_its_cell),
        cmocka_unit_test(the_outline_of_a_shape_follows_its_boxes),
        cmocka_unit_test(what_is_being_broken_has_cracks),
        cmocka_unit_test(cracks_leave_holes_open_and_stay_behind_what_is_nearer),
        cmocka_unit_test(every_stage_is_darker_than_the_one_before),
        cmocka_unit_test(without_an_aim_nothing_is_drawn_over_blocks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
