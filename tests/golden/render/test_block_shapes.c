/* Blocks with shapes and fronts that were looked at: both ways of drawing blocks, day and night. */
#include "block_scene.h"
#include "golden_image.h"

#include <stdio.h>

static BlockScene scene;

static void put(int32_t x, int32_t y, int32_t z, const char *block)
{
    block_scene_set(&scene, x, y, z, block);
}

/* The four directions of a block, from left to right. */
static void put_all_directions(int32_t z, const char *before, const char *after)
{
    static const char *const directions[] = {"north", "east", "south", "west"};
    for (int i = 0; i < 4; i++) {
        char name[64];
        snprintf(name, sizeof name, "%s_%s%s", before, directions[i], after);
        put(2 * i - 5, 0, z, name);
    }
}

static void put_furniture(void)
{
    put_all_directions(0, "chest", "");
    put_all_directions(-2, "furnace", "");
    put_all_directions(-4, "oak_stairs", "");
    put_all_directions(-6, "stone_brick_stairs", "_top");
    put(4, 0, 0, "crafting_table");
    put(4, 0, -2, "stone_slab");
    put(5, 0, -2, "sandstone_slab_top");
    put(4, 0, -4, "lit_furnace_south");
    put(5, 0, -5, "brick_slab");
    put(5, 1, -5, "oak_slab");
}

/* A hut with doors, beds, ladder and signs. */
static void put_hut(void)
{
    block_scene_fill(&scene, (CnCell){-5, 0, -6}, (CnCell){5, 2, -6}, "oak_planks");
    put(-4, 0, -5, "oak_door_south_lower");
    put(-4, 1, -5, "oak_door_south_upper");
    put(-2, 0, -5, "spruce_door_south_open_lower");
    put(-2, 1, -5, "spruce_door_south_open_upper");
    put(0, 0, -5, "iron_door_north_lower");
    put(0, 1, -5, "iron_door_north_upper");
    for (int y = 0; y < 3; y++)
        put(2, y, -5, "ladder_south");
    put(4, 1, -5, "wall_sign_south");
    put(4, 0, -3, "sign_south");
    put(3, 0, -2, "sign_east");
    put(-4, 0, -2, "red_bed_north_foot");
    put(-4, 0, -3, "red_bed_north_head");
    put(-2, 0, -2, "blue_bed_east_foot");
    put(-1, 0, -2, "blue_bed_east_head");
    put(1, 0, -3, "yellow_bed_south_foot");
    put(1, 0, -2, "yellow_bed_south_head");
}

typedef enum Way { DRAWS, COMPUTES, LIGHT_PATH } Way;

static bool begin(Way way)
{
    const BlockSceneDesc desc = {.backend = RENDER_VULKAN,
                                 .empty = true,
                                 .no_erosion = true,
                                 .radius = 1,
                                 .computes = way == COMPUTES};
    if (!block_scene_init(&scene, &desc))
        return false;
    if (way == LIGHT_PATH) {
        render_fixture_add(&scene.fixture, &cn_feature_lit_blocks,
                           &(CnLitBlocksOptions){.view = scene.view});
        render_fixture_add(&scene.fixture, &cn_feature_tone_map, NULL);
    } else {
        block_scene_add_all(&scene);
    }
    block_scene_sun(&scene, cn_vec3(-0.4f, -0.7f, -0.5f));
    return true;
}

static void check(const char *name)
{
    block_scene_show(&scene);
    render_fixture_draw(&scene.fixture, 2);
    assert_golden_image(name, &scene.fixture);
}

static void furniture_faces_its_direction(void **state)
{
    (void)state;
    if (!begin(DRAWS))
        skip();
    put_furniture();
    block_scene_camera(&scene, cn_vec3(-0.5f, 4, 4), 0, -35);
    check("block_shapes_south");
    block_scene_camera(&scene, cn_vec3(-5, 4, -10), 200, -30);
    check("block_shapes_north");
    block_scene_fini(&scene);
}

static void doors_beds_ladders_and_signs(void **state)
{
    (void)state;
    if (!begin(DRAWS))
        skip();
    put_hut();
    block_scene_camera(&scene, cn_vec3(0.5f, 2.2f, 2), 0, -20);
    check("block_shapes_hut");
    block_scene_camera(&scene, cn_vec3(5, 3, -1), 70, -30);
    check("block_shapes_hut_side");
    block_scene_fini(&scene);
}

/* As on GPUs. */
static void the_compute_rasteriser_draws_the_same_shapes(void **state)
{
    (void)state;
    if (!begin(COMPUTES))
        skip();
    if (!cn_gpu_info(scene.fixture.gpu).atomics_64) {
        block_scene_fini(&scene);
        skip();
    }
    put_furniture();
    block_scene_camera(&scene, cn_vec3(-0.5f, 4, 4), 0, -35);
    check("block_shapes_computed_south");
    block_scene_fini(&scene);
    assert_true(begin(COMPUTES));
    put_hut();
    block_scene_camera(&scene, cn_vec3(0.5f, 2.2f, 2), 0, -20);
    check("block_shapes_computed_hut");
    block_scene_fini(&scene);
}

static void the_lightweight_path_draws_the_same_shapes(void **state)
{
    (void)state;
    if (!begin(LIGHT_PATH))
        skip();
    put_furniture();
    block_scene_camera(&scene, cn_vec3(-0.5f, 4, 4), 0, -35);
    check("block_shapes_lit_south");
    block_scene_fini(&scene);
    assert_true(begin(LIGHT_PATH));
    put_hut();
    block_scene_camera(&scene, cn_vec3(0.5f, 2.2f, 2), 0, -20);
    check("block_shapes_lit_hut");
    block_scene_fini(&scene);
}

/* A torch in a closed room lights them; nothing lets the sun in. */
static void torches_light_shapes_in_a_room(void **state)
{
    (void)state;
    if (!begin(DRAWS))
        skip();
    block_scene_fill(&scene, (CnCell){-6, 0, -7}, (CnCell){6, 3, 6}, "stone_bricks");
    block_scene_fill(&scene, (CnCell){-5, 0, -6}, (CnCell){5, 2, 5}, "air");
    block_scene_fill(&scene, (CnCell){-2, 3, -2}, (CnCell){2, 3, 2}, "oak_slab_top");
    put_all_directions(-3, "oak_stairs", "");
    put(-2, 0, -1, "chest_south");
    put(2, 0, -1, "red_bed_west_foot");
    put(1, 0, -1, "red_bed_west_head");
    put(4, 0, -2, "lit_furnace_south");
    put(0, 0, -4, "torch");
    CnVec3 middle = {(float)scene.middle.x + 0.5f, (float)scene.middle.y + 0.9f,
                     (float)scene.middle.z - 3.5f};
    render_fixture_point_light(&scene.fixture, middle, cn_vec3(8.8f, 4.58f, 1.58f), 6)->flags =
        CN_RENDER_LEVEL(14);
    block_scene_camera(&scene, cn_vec3(0.5f, 1.8f, 4.5f), 0, -15);
    check("block_shapes_night");
    block_scene_fini(&scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(furniture_faces_its_direction),
        cmocka_unit_test(doors_beds_ladders_and_signs),
        cmocka_unit_test(the_compute_rasteriser_draws_the_same_shapes),
        cmocka_unit_test(the_lightweight_path_draws_the_same_shapes),
        cmocka_unit_test(torches_light_shapes_in_a_room),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
