/* Images of skies and of their light. CAIRN_UPDATE_GOLDEN=1 writes them. */
#include "golden_image.h"
#include "sky_fixture.h"

#include <cairn/base/linear.h>

static const CnSkyOptions atmosphere = {.kind = CN_SKY_ATMOSPHERE};
static const CnVec3 no_spheres = {0, 0, 0}, silver = {0.9f, 0.9f, 0.9f};

typedef struct Shot {
    const char *name;
    float sun, pitch, yaw, fov;
} Shot;

static void shoot(const Shot *shots, uint32_t count, CnVec3 albedo)
{
    RenderFixture fixture;
    if (!sky_fixture_init(&fixture, RENDER_VULKAN, &atmosphere, albedo))
        skip();
    for (uint32_t i = 0; i < count; i++) {
        sky_fixture_sun(&fixture, shots[i].sun);
        sky_fixture_look(&fixture, shots[i].pitch, shots[i].yaw, shots[i].fov);
        render_fixture_draw(&fixture, 8); /* until the light from all around has followed */
        assert_golden_image(shots[i].name, &fixture);
    }
    render_fixture_fini(&fixture);
}

static void the_atmosphere_from_noon_to_night(void **state)
{
    (void)state;
    static const Shot shots[] = {{"sky_noon", 70, 10, 0, 70},         {"sky_ten", 10, 10, 0, 70},
                                 {"sky_ten_behind", 10, 10, 180, 70}, {"sky_two", 2, 8, 0, 70},
                                 {"sky_dusk", -5, 8, 0, 70},          {"sky_night", -30, 8, 0, 70}};
    shoot(shots, CN_COUNT_OF(shots), no_spheres);
}

static void the_atmosphere_at_sun_zenith_horizon_and_ground(void **state)
{
    (void)state;
    static const Shot shots[] = {{"sky_at_sun", 40, 40, 0, 20},
                                 {"sky_zenith", 40, 90, 0, 90},
                                 {"sky_horizon", 40, 0, 90, 30},
                                 {"sky_ground", 40, -25, 90, 90}};
    shoot(shots, CN_COUNT_OF(shots), no_spheres);
}

static void spheres_in_the_light_of_the_atmosphere(void **state)
{
    (void)state;
    static const Shot shots[] = {{"sky_spheres_day", 40, -10, 60, 60},
                                 {"sky_spheres_evening", 4, -10, 60, 60}};
    shoot(shots, CN_COUNT_OF(shots), silver);
}

static void a_sky_of_one_color(void **state)
{
    (void)state;
    RenderFixture fixture;
    if (!sky_fixture_init(&fixture, RENDER_VULKAN,
                          &(CnSkyOptions){.kind = CN_SKY_COLOR, .color = {0.2f, 0.5f, 0.4f}},
                          silver))
        skip();
    render_fixture_draw(&fixture, 1);
    assert_golden_image("sky_color", &fixture);
    render_fixture_fini(&fixture);
}

static void no_sky_is_black(void **state)
{
    (void)state;
    RenderFixture fixture;
    if (!sky_fixture_init(&fixture, RENDER_VULKAN, NULL, silver))
        skip();
    render_fixture_draw(&fixture, 1);
    for (uint32_t x = 0; x < fixture.frame_desc.width; x++)
        assert_memory_equal(render_fixture_pixel(&fixture, x, x / 2), "\0\0\0\xff", 4);
    render_fixture_fini(&fixture);
}

#define IMAGE_WIDTH 256u
#define IMAGE_HEIGHT 128u

/* Colored quarters around the horizon, stripes up to the poles, and a small lamp of 60. */
static CnTexture make_image(CnRenderer *renderer)
{
    static float texels[IMAGE_HEIGHT][IMAGE_WIDTH][4];
    static const CnVec3 quarters[4] = {
        {0.8f, 0.2f, 0.1f}, {0.2f, 0.7f, 0.2f}, {0.1f, 0.3f, 0.9f}, {0.8f, 0.7f, 0.1f}};
    for (uint32_t y = 0; y < IMAGE_HEIGHT; y++) {
        for (uint32_t x = 0; x < IMAGE_WIDTH; x++) {
            CnVec3 color = cn_vec3_scale(quarters[x / (IMAGE_WIDTH / 4)], y / 16 % 2 ? 1.0f : 0.5f);
            if (x > 120 && x < 126 && y > 40 && y < 46)
                color = cn_vec3(60, 60, 60);
            float texel[4] = {color.x, color.y, color.z, 1};
            memcpy(texels[y][x], texel, sizeof texel);
        }
    }
    CnError error = {0};
    CnTexture image = cn_texture_create(renderer,
                                        &(CnTextureDesc){.name = "panorama",
                                                         .format = CN_GPU_FORMAT_RGBA32F,
                                                         .width = IMAGE_WIDTH,
                                                         .height = IMAGE_HEIGHT,
                                                         .pixels = texels},
                                        &error);
    if (!image.id)
        fail_msg("%s", error.message);
    return image;
}

static void an_image_around_everything(void **state)
{
    (void)state;
    RenderFixture fixture;
    if (!sky_fixture_init(&fixture, RENDER_VULKAN, NULL, silver))
        skip();
    CnSkyOptions options = {.kind = CN_SKY_TEXTURE, .loaded = make_image(fixture.renderer)};
    assert_true(cn_sky_set(fixture.renderer, &options, &fixture.error));
    static const Shot shots[] = {{"sky_texture", 0, 0, 0, 90},
                                 {"sky_texture_behind", 0, 0, 180, 90},
                                 {"sky_texture_up", 0, 90, 0, 90}};
    for (uint32_t i = 0; i < CN_COUNT_OF(shots); i++) {
        sky_fixture_look(&fixture, shots[i].pitch, shots[i].yaw, shots[i].fov);
        render_fixture_draw(&fixture, 1);
        assert_golden_image(shots[i].name, &fixture);
    }
    render_fixture_fini(&fixture);
}

/* White things in white light look like what is behind them: all energy comes back, at every
 * roughness and angle. */
static void white_spheres_in_white_light_cannot_be_seen(void **state)
{
    (void)state;
    RenderFixture fixture;
    if (!sky_fixture_init(
            &fixture, RENDER_VULKAN,
            &(CnSkyOptions){.kind = CN_SKY_COLOR, .color = {1, 1, 1}, .intensity = 0.2f},
            cn_vec3(1, 1, 1)))
        skip();
    render_fixture_draw(&fixture, 1);
    int background = render_fixture_pixel(&fixture, 0, 0)[0];
    for (uint32_t y = 0; y < fixture.frame_desc.height; y++) {
        for (uint32_t x = 0; x < fixture.frame_desc.width; x++) {
            /* At 0.2, five percent of light are 3 of 255 after tone mapping. */
            assert_in_range(render_fixture_pixel(&fixture, x, y)[0], background - 3,
                            background + 3);
        }
    }
    render_fixture_fini(&fixture);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_atmosphere_from_noon_to_night),
        cmocka_unit_test(the_atmosphere_at_sun_zenith_horizon_and_ground),
        cmocka_unit_test(spheres_in_the_light_of_the_atmosphere),
        cmocka_unit_test(a_sky_of_one_color),
        cmocka_unit_test(no_sky_is_black),
        cmocka_unit_test(an_image_around_everything),
        cmocka_unit_test(white_spheres_in_white_light_cannot_be_seen),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
