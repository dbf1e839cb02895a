/* Images of nights and of weather. CAIRN_UPDATE_GOLDEN=1 writes them. */
#include "golden_image.h"
#include "sky_fixture.h"

#include <cairn/base/linear.h>

static const CnSkyOptions atmosphere = {.kind = CN_SKY_ATMOSPHERE};

/* The sun ahead (-z) and the moon where it is told, as degrees above the horizon. */
static CnVec3 ahead(float elevation)
{
    float sine, cosine;
    cn_sincosf(elevation * CN_PIF / 180, &sine, &cosine);
    return cn_vec3(0, sine, -cosine);
}

typedef struct Shot {
    const char *name;
    CnRenderAtmosphere atmosphere;
    float sun, moon, pitch, fov;
} Shot;

static void shoot(const Shot *shots, uint32_t count)
{
    RenderFixture fixture;
    if (!sky_fixture_init(&fixture, RENDER_VULKAN, &atmosphere, cn_vec3(0, 0, 0)))
        skip();
    for (uint32_t i = 0; i < count; i++) {
        CnRenderAtmosphere air = shots[i].atmosphere;
        air.valid = true;
        air.to_sun = ahead(shots[i].sun);
        air.to_moon = ahead(shots[i].moon);
        fixture.snapshot.atmosphere = air;
        sky_fixture_look(&fixture, shots[i].pitch, 0, shots[i].fov);
        render_fixture_draw(&fixture, 1);
        assert_golden_image(shots[i].name, &fixture);
    }
    render_fixture_fini(&fixture);
}

static void the_night_has_stars_and_a_moon(void **state)
{
    (void)state;
    static const Shot shots[] = {
        {"air_night", {.moon_phase = 0.5f, .star_rotation = 4.2f}, -60, 35, 25, 70},
        {"air_night_new_moon", {.moon_phase = 0, .star_rotation = 5.5f}, -60, -20, 25, 70},
        {"air_twilight", {.moon_phase = 0.5f, .star_rotation = 3.2f}, -7, -60, 12, 70}};
    shoot(shots, CN_COUNT_OF(shots));
}

static void the_moon_has_phases(void **state)
{
    (void)state;
    static const Shot shots[] = {{"air_moon_crescent", {.moon_phase = 0.12f}, -60, 40, 40, 6},
                                 {"air_moon_half", {.moon_phase = 0.25f}, -60, 40, 40, 6},
                                 {"air_moon_full", {.moon_phase = 0.5f}, -60, 40, 40, 6},
                                 {"air_moon_waning", {.moon_phase = 0.68f}, -60, 40, 40, 6}};
    shoot(shots, CN_COUNT_OF(shots));
}

static void clouds_hide_the_sky(void **state)
{
    (void)state;
    static const Shot shots[] = {{"air_overcast", {.cloud_cover = 0.9f}, 40, -40, 20, 70},
                                 {"air_rain", {.cloud_cover = 1, .rain = 1}, 40, -40, 20, 70}};
    shoot(shots, CN_COUNT_OF(shots));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_night_has_stars_and_a_moon),
        cmocka_unit_test(the_moon_has_phases),
        cmocka_unit_test(clouds_hide_the_sky),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
