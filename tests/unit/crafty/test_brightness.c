/* test-labels: pictures */
/* How bright Crafty's pictures are: snow in the sun is white and not burnt, nights are dark and not black. On both paths. */
#include "block_scene.h"

#include <crafty/client/preset.h>
#include <crafty/sim/day.h>

#define NOON 12.0
#define NIGHT 0.0
/* Exposure has settled. */
#define FRAMES 4u

static BlockScene scene;

/* Half of the ground is of one block, half of another. */
static bool begin(CraftyQuality quality, const char *left, const char *right)
{
    const BlockSceneDesc desc = {
        .backend = RENDER_VULKAN, .empty = true, .no_erosion = true, .radius = 1, .height = 1};
    if (!block_scene_init(&scene, &desc))
        return false;
    RenderFixture *fixture = &scene.fixture;
    fixture->picture.width = 96;
    fixture->picture.height = 54;
    CraftySettings settings = crafty_settings(quality);
    settings.shadow_size = 256;
    if (!crafty_preset(fixture->renderer, &settings, &(CraftyShown){.blocks = scene.view},
                       &fixture->error))
        fail_msg("%s", fixture->error.message);
    block_scene_fill(&scene, (CnCell){-12, 0, -12}, (CnCell){-1, 0, 4}, left);
    block_scene_fill(&scene, (CnCell){0, 0, -12}, (CnCell){12, 0, 4}, right);
    block_scene_show(&scene);
    block_scene_camera(&scene, cn_vec3(0, 5, 2), 0, -50);
    return true;
}

static void shine(double hours)
{
    CraftySky sky = crafty_sky_at(1 + hours / 24);
    scene.fixture.snapshot.air = (CnRenderAir){.valid = true,
                                               .to_sun = sky.to_sun,
                                               .to_moon = sky.to_moon,
                                               .moon_phase = sky.moon_phase,
                                               .star_turn = sky.star_turn};
    render_fixture_clear(&scene.fixture);
    render_fixture_sun(&scene.fixture, cn_vec3_scale(sky.to_light, -1), sky.light);
    render_fixture_draw(&scene.fixture, FRAMES);
}

/* The mean of a square on the left or the right half, from 0 to 255. */
static CnVec3 mean_of(bool right)
{
    CnVec3 sum = {0, 0, 0};
    for (uint32_t y = 20; y < 40; y++)
        for (uint32_t x = 14; x < 34; x++) {
            const uint8_t *p = render_fixture_pixel(&scene.fixture, right ? 95 - x : x, y);
            sum = cn_vec3_add(sum, cn_vec3(p[0], p[1], p[2]));
        }
    return cn_vec3_scale(sum, 1.0f / 400);
}

static float luminance(CnVec3 color)
{
    return 0.2126f * color.x + 0.7152f * color.y + 0.0722f * color.z;
}

static void check(CraftyQuality quality)
{
    if (!begin(quality, "snow", "grass"))
        skip();
    shine(NOON);
    CnVec3 snow = mean_of(false), grass = mean_of(true);
    assert_in_range(luminance(snow), 215, 248);
    assert_in_range(snow.z - snow.x, 0, 12); /* white */
    assert_in_range(luminance(grass), 130, 210);
    shine(NIGHT);
    snow = mean_of(false), grass = mean_of(true);
    assert_in_range(luminance(snow), 70, 150);
    assert_true(snow.z > snow.x * 1.3f); /* the moon's */
    assert_in_range(luminance(grass), 25, 70);
    block_scene_fini(&scene);
}

static void the_light_path_is_as_bright_as_it_should_be(void **state)
{
    (void)state;
    check(CRAFTY_LOW);
}

static void the_full_path_is_as_bright_as_it_should_be(void **state)
{
    (void)state;
    check(CRAFTY_MEDIUM);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_light_path_is_as_bright_as_it_should_be),
        cmocka_unit_test(the_full_path_is_as_bright_as_it_should_be),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
