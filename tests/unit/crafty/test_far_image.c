/* test-labels: rendering */
/* What Crafty's images show far away: even water, and a world that ends in the sky. On both
 * paths. */
#include "block_scene.h"
#include "standard_blocks.h"

#include <crafty/client/preset.h>
#include <crafty/sim/day.h>

#include <math.h>

#define WIDTH 320u
#define HEIGHT 180u
#define TILE_LEVEL 4u    /* 512 blocks a side */
#define TILES_EACH_WAY 4 /* of the origin */
#define EYE_HEIGHT 140.0f
#define SURFACE 17
/* Rows that show what is about 600 to 1,600 blocks away, seen 8 degrees downwards. */
#define FIRST_ROW 84u
#define END_ROW 100u

static BlockScene scene;

/* One quad of a block as large as the tile. */
static void show_tile(int32_t x, int32_t z, const char *block, CnChunkMeshPart part)
{
    uint16_t side = (uint16_t)cn_lod_tile_blocks(TILE_LEVEL);
    CnLodQuad quad = {.y = SURFACE,
                      .width = side,
                      .height = side,
                      .face = CN_FACE_POS_Y,
                      .part = (uint8_t)part,
                      .block = cn_block_find(standard_blocks(), block)};
    CnLodMesh mesh = {.tile = {.level = TILE_LEVEL, .x = x, .z = z},
                      .quads = &quad,
                      .count = 1,
                      .capacity = 1,
                      .min_y = SURFACE - 1,
                      .max_y = SURFACE};
    assert_true(cn_block_view_set_far(scene.view, &mesh));
}

static void begin(CraftyQuality quality, uint32_t effects, const char *block, CnChunkMeshPart part)
{
    const BlockSceneDesc desc = {
        .backend = RENDER_VULKAN, .empty = true, .no_erosion = true, .radius = 1, .height = 1};
    if (!block_scene_init(&scene, &desc))
        skip();
    RenderFixture *fixture = &scene.fixture;
    fixture->frame_desc.width = WIDTH;
    fixture->frame_desc.height = HEIGHT;
    CraftySettings settings = crafty_settings(quality);
    settings.effects = effects;
    if (!crafty_preset(fixture->renderer, &settings, &(CraftyRenderSources){.blocks = scene.view},
                       &fixture->error))
        fail_msg("%s", fixture->error.message);
    for (int32_t z = -TILES_EACH_WAY; z < TILES_EACH_WAY; z++)
        for (int32_t x = -TILES_EACH_WAY; x < TILES_EACH_WAY; x++)
            show_tile(x, z, block, part);
    fixture->snapshot.camera = (CnRenderCamera){.valid = true,
                                                .position = {3, EYE_HEIGHT, 5},
                                                .rotation = cn_quat_from_euler(cn_vec3(-8, 30, 0)),
                                                .fov = 70 * CN_PIF / 180,
                                                .near_plane = 0.1f,
                                                .far_plane = crafty_far_plane(&settings)};
}

static void draw(double hours, float cover)
{
    CraftySky sky = crafty_sky_at(1 + hours / 24);
    scene.fixture.snapshot.atmosphere = (CnRenderAtmosphere){.valid = true,
                                                             .to_sun = sky.to_sun,
                                                             .to_moon = sky.to_moon,
                                                             .cloud_cover = cover,
                                                             .cloud_bottom = 200,
                                                             .cloud_top = 280};
    scene.fixture.frame_desc.time = 100; /* tiles have faded in */
    render_fixture_draw(&scene.fixture, 1);
    scene.fixture.frame_desc.time = 200;
    render_fixture_clear(&scene.fixture);
    render_fixture_sun(&scene.fixture, cn_vec3_scale(sky.to_light, -1), sky.light);
    render_fixture_draw(&scene.fixture, 2);
}

static float luminance(uint32_t x, uint32_t y)
{
    const uint8_t *p = render_fixture_pixel(&scene.fixture, x, y);
    return 0.2126f * p[0] + 0.7152f * p[1] + 0.0722f * p[2];
}

/* How far pixels of the rows are from the mean of their neighbors in the row, of the mean of the
 * rows, in thousandths. */
static uint32_t roughness(uint32_t first_row, uint32_t end_row)
{
    const uint32_t reach = 6;
    double off = 0, all = 0;
    for (uint32_t y = first_row; y < end_row; y++)
        for (uint32_t x = reach; x < WIDTH - reach; x++) {
            double around = 0, here = (double)luminance(x, y);
            for (uint32_t i = x - reach; i <= x + reach; i++)
                around += (double)luminance(i, y) / (2 * reach + 1);
            off += fabs(here - around);
            all += here;
        }
    return (uint32_t)(1000 * off / all);
}

#define WATER_EFFECTS (CRAFTY_WATER | CRAFTY_REFLECTIONS | CRAFTY_CLOUDS | CRAFTY_FAR)

static void far_water_shows_no_pattern(void **state)
{
    (void)state;
    begin(CRAFTY_MEDIUM, WATER_EFFECTS, "water", CN_CHUNK_MESH_WATER);
    draw(10.5, 0.5f);
    assert_in_range(roughness(FIRST_ROW, END_ROW), 0, 6);
    block_scene_fini(&scene);
}

static void far_water_of_the_light_path_shows_no_pattern(void **state)
{
    (void)state;
    begin(CRAFTY_LOW, CRAFTY_WATER | CRAFTY_FAR, "water", CN_CHUNK_MESH_WATER);
    draw(6.5, 0);
    assert_in_range(roughness(FIRST_ROW, END_ROW), 0, 6);
    block_scene_fini(&scene);
}

/* Row at which the horizon is, by the camera above; the terrain of low ends below it. */
#define HORIZON_ROW 68u

static void low_quality_has_no_bands_below_the_horizon(void **state)
{
    (void)state;
    begin(CRAFTY_LOW, CRAFTY_FOG | CRAFTY_FAR, "grass", CN_CHUNK_MESH_OPAQUE);
    draw(6.35, 0);
    assert_in_range(roughness(HORIZON_ROW, HORIZON_ROW + 8), 0, 3);
    block_scene_fini(&scene);
}

/* By how much the mean of a row changes to the next at most, around the horizon. */
static void low_quality_fades_into_the_sky(void **state)
{
    (void)state;
    begin(CRAFTY_LOW, CRAFTY_FOG | CRAFTY_FAR, "grass", CN_CHUNK_MESH_OPAQUE);
    draw(6.35, 0);
    float last = 0, largest = 0;
    for (uint32_t y = HORIZON_ROW - 10; y < HORIZON_ROW + 16; y++) {
        float row = 0;
        for (uint32_t x = 0; x < WIDTH; x++)
            row += luminance(x, y) / WIDTH;
        float change = fabsf(row - last);
        largest = y > HORIZON_ROW - 10 && change > largest ? change : largest;
        last = row;
    }
    assert_in_range(largest, 0, 14);
    block_scene_fini(&scene);
}

static void the_world_ends_close_to_the_horizon_at_every_quality(void **state)
{
    (void)state;
    const float peak = 200;
    for (uint32_t i = 0; i < CRAFTY_QUALITY_COUNT; i++) {
        CraftySettings settings = crafty_settings((CraftyQuality)i);
        assert_true(settings.far_edge >= 10 * (peak - SURFACE)); /* under 6 degrees below it */
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(far_water_shows_no_pattern),
        cmocka_unit_test(far_water_of_the_light_path_shows_no_pattern),
        cmocka_unit_test(low_quality_has_no_bands_below_the_horizon),
        cmocka_unit_test(low_quality_fades_into_the_sky),
        cmocka_unit_test(the_world_ends_close_to_the_horizon_at_every_quality),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
