/* test-labels: rendering */
/* Culling by depth: less is drawn, and the image is the same, also in the frame after the camera
 * has jumped or the world has changed. */
#include "block_scene.h"

#include <stdlib.h>
#include <string.h>

#define WIDTH 160u
#define HEIGHT 90u

static BlockScene scene;
static CnFeature *hiding, *plain;

/* Where to look from, one frame after the other: before a wall, beside it, over it, behind it, into
 * the ground. */
static const struct Pose {
    CnVec3 from;
    float yaw, pitch;
} poses[] = {
    {{0.5f, 3, 8}, 0, 0},       {{0.5f, 3, 8}, 100, -5},  {{14, 3, 6}, 30, 0},
    {{14.3f, 3.1f, 6}, 32, 0},  {{0.5f, 22, 9}, 0, -35},  {{0.5f, 3, -7}, 0, 0},
    {{0.5f, 3, -7}, 180, 0},    {{0.5f, -4, 0.5f}, 0, 0}, {{-3, 2, 7}, -20, 3},
    {{-30, 14, -30}, 225, -12},
};

static void look(uint32_t i)
{
    block_scene_camera(&scene, poses[i].from, poses[i].yaw, poses[i].pitch);
}

static void draw_with(CnFeature *blocks, uint32_t frames)
{
    cn_feature_set_enabled(hiding, blocks == hiding);
    cn_feature_set_enabled(plain, blocks == plain);
    render_fixture_draw(&scene.fixture, frames);
}

/* A real world with a wall of stone, a window in it and a pond behind. */
static bool make_world(const char *form)
{
    assert_return_code(setenv("CAIRN_FULL_SCREEN", form, 1), 0);
    bool is_there =
        block_scene_init(&scene, &(BlockSceneDesc){.backend = RENDER_VULKAN, .no_erosion = true});
    assert_return_code(unsetenv("CAIRN_FULL_SCREEN"), 0);
    if (!is_there)
        return false;
    scene.fixture.frame_desc.width = WIDTH;
    scene.fixture.frame_desc.height = HEIGHT;
    scene.fixture.frame_desc.delta = 0; /* the pond lies still */
    block_scene_fill(&scene, (CnCell){-14, -3, 0}, (CnCell){14, 16, 0}, "stone");
    block_scene_fill(&scene, (CnCell){3, 2, 0}, (CnCell){5, 4, 0}, "air");
    block_scene_fill(&scene, (CnCell){-6, 6, -12}, (CnCell){6, 6, -6}, "water");
    block_scene_show(&scene);
    block_scene_sun(&scene, cn_vec3(-0.4f, -0.7f, -0.3f));
    return true;
}

static uint64_t quads_drawn(CnFeature *blocks)
{
    /* Counts are read back late; before, all that was new is drawn. */
    draw_with(blocks, CN_GPU_FRAMES + 4);
    return cn_block_view_stats(scene.view).drawn_quads;
}

static uint8_t pixels[WIDTH * HEIGHT * 4];

static void keep_image(void)
{
    memcpy(pixels, scene.fixture.pixels, sizeof pixels);
}

static void assert_same_image(const char *what, uint32_t number)
{
    uint32_t others = 0;
    for (uint32_t p = 0; p < WIDTH * HEIGHT; p++)
        others += memcmp(pixels + 4 * p, scene.fixture.pixels + 4 * p, 4) != 0;
    if (others)
        fail_msg("%u pixels differ in %s %u", others, what, number);
}

static void check_poses(void)
{
    for (uint32_t i = 0; i < CN_COUNT_OF(poses); i++) {
        look(i);
        draw_with(hiding, 1);
        keep_image();
        draw_with(plain, 1);
        assert_same_image("pose", i);
    }
}

static void check_counts(void)
{
    look(0);
    uint64_t all = quads_drawn(plain), seen = quads_drawn(hiding);
    assert_true(seen > 0);
    assert_true(seen < all * 3 / 4);
}

/* Blocks change, chunks go: what the last image had shown is no longer there, or something else
 * is. */
static void change_world(uint32_t step)
{
    CnChunkPos chunk = cn_chunk_of((CnCell){scene.middle.x, scene.middle.y, scene.middle.z + 1});
    switch (step) {
    case 0:
        block_scene_fill(&scene, (CnCell){-14, 0, 0}, (CnCell){14, 16, 0}, "air");
        break;
    case 1:
        block_scene_fill(&scene, (CnCell){-5, 0, 4}, (CnCell){5, 5, 4}, "oak_leaves");
        break;
    case 2:
        block_scene_fill(&scene, (CnCell){-2, 0, 3}, (CnCell){2, 4, 3}, "glowstone");
        break;
    case 3:
        cn_block_view_remove(scene.view, chunk);
        break;
    default:
        block_scene_fill(&scene, (CnCell){-9, 1, -9}, (CnCell){9, 9, -9}, "stone");
        break;
    }
    block_scene_show(&scene);
}

static void check_changes(void)
{
    look(0);
    draw_with(hiding, 4);
    for (uint32_t step = 0; step < 5; step++) {
        change_world(step);
        draw_with(hiding, 1);
        keep_image();
        draw_with(hiding, 4);
        assert_same_image("change", step);
    }
}

static void check(void)
{
    check_poses();
    check_counts();
    check_changes();
    block_scene_fini(&scene);
}

static void add_blocks(void)
{
    hiding = block_scene_add_blocks(&scene, NULL);
    plain = block_scene_add_blocks(&scene, &(CnBlocksOptions){.no_occlusion = true});
    render_fixture_add(&scene.fixture, &cn_feature_deferred,
                       &(CnLightingOptions){.ambient = {1, 1, 1}});
    render_fixture_add(&scene.fixture, &cn_feature_water, &(CnWaterOptions){.view = scene.view});
    render_fixture_add(&scene.fixture, &cn_feature_tone_map, NULL);
}

static void hiding_changes_nothing_of_blocks_that_are_drawn(void **state)
{
    (void)state;
    if (!make_world("fragment"))
        skip();
    add_blocks();
    check();
}

static void hiding_changes_nothing_of_blocks_that_are_computed(void **state)
{
    (void)state;
    if (!make_world("compute"))
        skip();
    add_blocks();
    check();
}

static void hiding_changes_nothing_of_lit_blocks(void **state)
{
    (void)state;
    if (!make_world("fragment"))
        skip();
    CnLitBlocksOptions options = {.view = scene.view};
    hiding = render_fixture_add(&scene.fixture, &cn_feature_lit_blocks, &options);
    options.no_occlusion = true;
    plain = render_fixture_add(&scene.fixture, &cn_feature_lit_blocks, &options);
    render_fixture_add(&scene.fixture, &cn_feature_tone_map, NULL);
    check();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(hiding_changes_nothing_of_blocks_that_are_drawn),
        cmocka_unit_test(hiding_changes_nothing_of_blocks_that_are_computed),
        cmocka_unit_test(hiding_changes_nothing_of_lit_blocks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
