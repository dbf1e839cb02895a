/* test-labels: rendering */
/* How bright Crafty's images are: snow in the sun is white and not burnt, nights are dark and not
 * black, the ground of a rainy evening can be seen. On both paths. */
#include "block_scene.h"

#include <crafty/client/preset.h>
#include <crafty/sim/day.h>
#include <crafty/sim/weather.h>

#define NOON 12.0
#define NIGHT 0.0
#define EVENING 17.5
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
    fixture->frame_desc.width = 96;
    fixture->frame_desc.height = 54;
    CraftySettings settings = crafty_settings(quality);
    settings.shadow_size = 256;
    if (!crafty_preset(fixture->renderer, &settings, &(CraftyRenderSources){.blocks = scene.view},
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
    scene.fixture.snapshot.atmosphere = (CnRenderAtmosphere){.valid = true,
                                                             .to_sun = sky.to_sun,
                                                             .to_moon = sky.to_moon,
                                                             .moon_phase = sky.moon_phase,
                                                             .star_rotation = sky.star_rotation};
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

/* ---- Rain ---- */

typedef struct Rain {
    float ground, sky; /* luminance, 0 to 255 */
} Rain;

/* Ground below, sky above. */
static Rain rain_at(double hours)
{
    const CraftyWeather weather = {.cover = 1, .fog = 0.006f, .rain = 1, .wetness = 1};
    CraftySky sky = crafty_sky_at(1 + hours / 24);
    block_scene_camera(&scene, cn_vec3(0, 3, 2), 0, -8);
    scene.fixture.snapshot.atmosphere = (CnRenderAtmosphere){.valid = true,
                                                             .to_sun = sky.to_sun,
                                                             .to_moon = sky.to_moon,
                                                             .moon_phase = sky.moon_phase,
                                                             .cloud_cover = weather.cover,
                                                             .cloud_bottom = 420,
                                                             .cloud_top = 500,
                                                             .fog = weather.fog,
                                                             .rain = weather.rain,
                                                             .wetness = weather.wetness};
    render_fixture_clear(&scene.fixture);
    render_fixture_sun(&scene.fixture, cn_vec3_scale(sky.to_light, -1),
                       cn_vec3_scale(sky.light, crafty_weather_light(&weather)));
    render_fixture_draw(&scene.fixture, FRAMES);
    Rain rain = {0, 0};
    for (uint32_t y = 0; y < 10; y++)
        for (uint32_t x = 0; x < 96; x++) {
            const uint8_t *above = render_fixture_pixel(&scene.fixture, x, y);
            const uint8_t *below = render_fixture_pixel(&scene.fixture, x, 53 - y);
            rain.sky += luminance(cn_vec3(above[0], above[1], above[2])) / 960;
            rain.ground += luminance(cn_vec3(below[0], below[1], below[2])) / 960;
        }
    return rain;
}

static void check_rain(CraftyQuality quality)
{
    if (!begin(quality, "grass", "dirt"))
        skip();
    Rain noon = rain_at(NOON), evening = rain_at(EVENING), night = rain_at(NIGHT);
    print_message("rainy night: ground %.1f, sky %.1f\n", (double)night.ground, (double)night.sky);
    assert_in_range(evening.ground, 38, (uintmax_t)noon.ground);
    assert_in_range(evening.sky, 60, (uintmax_t)noon.sky);
    /* As dark against the sky as at noon, and not much more. */
    assert_true(evening.ground / evening.sky > 0.6f * noon.ground / noon.sky);
    /* Dark, but the horizon and what stands on the ground can be made out. */
    assert_in_range(night.ground, 15, 40);
    assert_in_range(night.sky, 24, 90);
    block_scene_fini(&scene);
}

/* ---- Caves ---- */

/* A closed room of stone, 9 blocks long, with a pillar of dirt in its middle and no light. */
static void check_cave(CraftyQuality quality)
{
    if (!begin(quality, "stone", "stone"))
        skip();
    block_scene_fill(&scene, (CnCell){-5, 0, -10}, (CnCell){5, 6, 4}, "stone");
    block_scene_fill(&scene, (CnCell){-3, 1, -7}, (CnCell){3, 4, 2}, "air");
    block_scene_fill(&scene, (CnCell){0, 1, -4}, (CnCell){0, 4, -4}, "dirt");
    block_scene_show(&scene);
    block_scene_camera(&scene, cn_vec3(0.5f, 2.6f, 1.5f), 0, 0);
    scene.fixture.snapshot.atmosphere = (CnRenderAtmosphere){
        .valid = true, .to_sun = {0, 1, 0}, .to_moon = {0, -1, 0}, .shelter = 1};
    render_fixture_clear(&scene.fixture);
    render_fixture_sun(&scene.fixture, cn_vec3(0, -1, 0), cn_vec3(3, 3, 3));
    render_fixture_draw(&scene.fixture, FRAMES);
    float pillar = 0, wall = 0, floor = 0;
    for (uint32_t y = 22; y < 32; y++)
        for (uint32_t x = 0; x < 4; x++) {
            const uint8_t *p = render_fixture_pixel(&scene.fixture, 46 + x, y);
            const uint8_t *w = render_fixture_pixel(&scene.fixture, 28 + x, y);
            const uint8_t *f = render_fixture_pixel(&scene.fixture, 30 + x, 43 + y / 4);
            pillar += luminance(cn_vec3(p[0], p[1], p[2])) / 40;
            wall += luminance(cn_vec3(w[0], w[1], w[2])) / 40;
            floor += luminance(cn_vec3(f[0], f[1], f[2])) / 40;
        }
    print_message("cave: pillar %.1f, wall behind it %.1f, floor %.1f\n", (double)pillar,
                  (double)wall, (double)floor);
    assert_in_range(wall, 14, 50);
    assert_in_range(floor, 20, 70);
    assert_true(pillar > 1.15f * wall || wall > 1.15f * pillar); /* it stands out */
    block_scene_fini(&scene);
}

static void a_cave_without_light_can_be_read_on_the_light_path(void **state)
{
    (void)state;
    check_cave(CRAFTY_LOW);
}

static void a_cave_without_light_can_be_read_on_the_full_path(void **state)
{
    (void)state;
    check_cave(CRAFTY_MEDIUM);
}

static void the_ground_of_a_rainy_evening_is_seen_on_the_light_path(void **state)
{
    (void)state;
    check_rain(CRAFTY_LOW);
}

static void the_ground_of_a_rainy_evening_is_seen_on_the_full_path(void **state)
{
    (void)state;
    check_rain(CRAFTY_MEDIUM);
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
        cmocka_unit_test(the_ground_of_a_rainy_evening_is_seen_on_the_light_path),
        cmocka_unit_test(the_ground_of_a_rainy_evening_is_seen_on_the_full_path),
        cmocka_unit_test(a_cave_without_light_can_be_read_on_the_light_path),
        cmocka_unit_test(a_cave_without_light_can_be_read_on_the_full_path),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
