/* test-labels: rendering */
/* Land far from the middle of the world looks as it does there: nothing shakes, no shadow is torn,
 * no wave is lost. */
#include "block_scene.h"

#include <stdlib.h>
#include <string.h>

/* A multiple of what repeats (waves, variety of tiles), and beyond what a float tells apart by
 * quarters. */
#define FAR_OUT 4096000

enum { WIDTH = 192, HEIGHT = 108, BYTES = WIDTH * HEIGHT * 4 };

static BlockScene scene;

static void build(void)
{
    block_scene_fill(&scene, (CnCell){-10, 0, -12}, (CnCell){10, 1, 6}, "grass");
    block_scene_fill(&scene, (CnCell){-8, 0, -9}, (CnCell){2, 1, 2}, "water");
    block_scene_fill(&scene, (CnCell){-6, 2, -12}, (CnCell){-4, 6, -11}, "stone");
    block_scene_fill(&scene, (CnCell){5, 2, -6}, (CnCell){5, 5, -6}, "oak_log");
    block_scene_fill(&scene, (CnCell){3, 5, -8}, (CnCell){7, 7, -4}, "oak_leaves");
    block_scene_set(&scene, 7, 2, 0, "glowstone");
    block_scene_set(&scene, 2, 2, 3, "tall_grass");
    block_scene_show(&scene);
}

static void add_features(void)
{
    RenderFixture *fixture = &scene.fixture;
    const CnSkyOptions sky = {.kind = CN_SKY_ATMOSPHERE};
    render_fixture_add(fixture, &cn_feature_shadows, &(CnShadowOptions){.size = 512});
    block_scene_add_blocks(&scene, NULL);
    render_fixture_add(fixture, &cn_feature_sky, &sky);
    render_fixture_add(fixture, &cn_feature_deferred, NULL);
    render_fixture_add(fixture, &cn_feature_point_spot, NULL);
    render_fixture_add(fixture, &cn_feature_water, &(CnWaterOptions){.view = scene.view});
    render_fixture_add(fixture, &cn_feature_fog, &(CnFogOptions){.edge = 400, .sea_level = 256});
    render_fixture_add(fixture, &cn_feature_taa, NULL);
    render_fixture_add(fixture, &cn_feature_tone_map, NULL);
}

/* A short way past it, as an image. */
static void draw_at(int32_t x, int32_t z, uint8_t *pixels)
{
    const BlockSceneDesc desc = {.backend = RENDER_VULKAN,
                                 .empty = true,
                                 .no_erosion = true,
                                 .radius = 1,
                                 .height = 1,
                                 .x = x,
                                 .z = z};
    if (!block_scene_init(&scene, &desc))
        skip();
    RenderFixture *fixture = &scene.fixture;
    fixture->frame_desc.width = WIDTH;
    fixture->frame_desc.height = HEIGHT;
    add_features();
    build();
    block_scene_sun(&scene, cn_vec3(-0.5f, -0.6f, -0.3f));
    CnVec3 middle = {(float)scene.middle.x, (float)scene.middle.y, (float)scene.middle.z};
    render_fixture_point_light(fixture, cn_vec3_add(middle, cn_vec3(7.5f, 3.5f, 0.5f)),
                               cn_vec3(8, 4, 2), 8);
    render_fixture_item(fixture, "shapes://sphere", NULL,
                        cn_vec3_add(middle, cn_vec3(-0.5f, 4, -2)), 1);
    for (uint32_t i = 0; i < 3; i++) {
        block_scene_camera(&scene, cn_vec3(-0.5f + 0.25f * (float)i, 6, 9), 4, -18);
        render_fixture_draw(fixture, 1);
    }
    memcpy(pixels, fixture->pixels, BYTES);
    block_scene_fini(&scene);
}

static void terrain_looks_the_same_four_million_blocks_away(void **state)
{
    (void)state;
    static uint8_t near_by[BYTES], far_out[BYTES];
    draw_at(0, 0, near_by);
    draw_at(FAR_OUT, -FAR_OUT, far_out);
    uint32_t different = 0, colors = 0;
    int32_t worst = 0;
    for (uint32_t i = 0; i < BYTES; i++) {
        int32_t by = abs(near_by[i] - far_out[i]);
        different += by > 2;
        worst = by > worst ? by : worst;
        colors += i >= 4 && near_by[i] != near_by[i - 4];
    }
    assert_true(colors > BYTES / 8);
    if (different > BYTES / 1000)
        fail_msg("%u of %d bytes differ, by up to %d", different, BYTES, worst);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(terrain_looks_the_same_four_million_blocks_away),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
