/* Images of clouds, of their shadows and of light in the air. CAIRN_UPDATE_GOLDEN=1 writes them:
 * look at each. */
#include "golden_image.h"
#include "sky_fixture.h"

#include <cairn/base/linear.h>

#define BOTTOM 150.0f
#define TOP 198.0f

typedef struct Wanted {
    bool shadows, clouds, fog, rays;
} Wanted;

static RenderFixture fixture;

static void add_features(Wanted wanted)
{
    static const CnSkyOptions sky = {.kind = CN_SKY_ATMOSPHERE};
    if (wanted.shadows)
        render_fixture_add(&fixture, &cn_feature_cloud_shadows,
                           &(CnCloudShadowOptions){.size = 512});
    render_fixture_add(&fixture, &cn_feature_shadows, &(CnShadowOptions){.size = 512});
    render_fixture_add(&fixture, &cn_feature_geometry, NULL);
    render_fixture_add(&fixture, &cn_feature_sky, &sky);
    render_fixture_add(&fixture, &cn_feature_environment, &sky);
    render_fixture_add(&fixture, &cn_feature_deferred, NULL);
    if (wanted.clouds)
        render_fixture_add(&fixture, &cn_feature_clouds, NULL);
    if (wanted.fog)
        render_fixture_add(&fixture, &cn_feature_fog, &(CnFogOptions){.edge = 2400});
    if (wanted.rays)
        render_fixture_add(&fixture, &cn_feature_god_rays, NULL);
    render_fixture_add(&fixture, &cn_feature_tone_map, NULL);
}

/* Over a plain; the sun stands so many degrees high, ahead (-z) and a little to the right. */
static void begin(Wanted wanted, float cover, float elevation)
{
    if (!render_fixture_init(&fixture, RENDER_VULKAN))
        skip();
    fixture.frame_desc.width = 240;
    fixture.frame_desc.height = 135;
    add_features(wanted);
    float sine, cosine;
    cn_sincosf(elevation * CN_PIF / 180, &sine, &cosine);
    CnVec3 to_sun = cn_vec3_normalize(cn_vec3(0.4f * cosine, sine, -cosine));
    fixture.snapshot.atmosphere = (CnRenderAtmosphere){.valid = true,
                                                       .to_sun = to_sun,
                                                       .to_moon = cn_vec3_scale(to_sun, -1),
                                                       .cloud_cover = cover,
                                                       .cloud_bottom = BOTTOM,
                                                       .cloud_top = TOP};
    render_fixture_sun(&fixture, cn_vec3_scale(to_sun, -1),
                       cn_vec3_scale(cn_atmosphere_sun_color(to_sun), 6));
    cn_material_create(fixture.renderer,
                       &(CnMaterialDesc){.name = "Green", .base_color = {0.12f, 0.2f, 0.06f, 1}},
                       &fixture.error);
    render_fixture_item(&fixture, "shapes://plane", "Green", cn_vec3(0, 0, 0), 4000);
}

static void look(CnVec3 from, CnVec3 along)
{
    render_fixture_camera(&fixture, from, cn_vec3_add(from, along), 70);
    fixture.snapshot.camera.far_plane = 2500;
}

static void shoot(const char *name)
{
    render_fixture_draw(&fixture, 2);
    assert_golden_image(name, &fixture);
    render_fixture_fini(&fixture);
}

static void clouds_cover_a_part_of_the_sky(void **state)
{
    (void)state;
    begin((Wanted){.clouds = true}, 0.5f, 50);
    look(cn_vec3(0, 70, 0), cn_vec3(0.9f, 0.35f, -0.5f));
    shoot("clouds_some");
}

static void clouds_glow_around_a_low_sun(void **state)
{
    (void)state;
    begin((Wanted){.clouds = true}, 0.5f, 9);
    look(cn_vec3(0, 70, 0), cn_vec3(0.3f, 0.25f, -1));
    shoot("clouds_evening");
}

static void after_sunset_clouds_are_lit_from_below(void **state)
{
    (void)state;
    begin((Wanted){.clouds = true}, 0.5f, -3);
    look(cn_vec3(0, 70, 0), cn_vec3(0.3f, 0.25f, -1));
    shoot("clouds_dusk");
}

static void clouds_close_the_sky(void **state)
{
    (void)state;
    begin((Wanted){.clouds = true}, 1, 50);
    look(cn_vec3(0, 70, 0), cn_vec3(0.9f, 0.3f, -0.5f));
    shoot("clouds_closed");
}

static void clouds_and_their_shadows_from_above(void **state)
{
    (void)state;
    begin((Wanted){.clouds = true, .shadows = true}, 0.4f, 50);
    look(cn_vec3(0, 330, 0), cn_vec3(0.9f, -0.4f, -0.5f));
    shoot("clouds_above");
}

static void haze_behind_clouds_does_not_hide_them(void **state)
{
    (void)state;
    begin((Wanted){.clouds = true, .fog = true}, 0.4f, 50);
    look(cn_vec3(0, 330, 0), cn_vec3(0.9f, -0.25f, -0.5f));
    shoot("clouds_above_haze");
}

static void shadows_of_clouds_lie_on_the_ground(void **state)
{
    (void)state;
    begin((Wanted){.shadows = true}, 0.4f, 50);
    look(cn_vec3(0, 140, 0), cn_vec3(0.9f, -0.4f, -0.5f));
    shoot("clouds_shadows");
}

static void the_sun_shines_through_a_gate(bool has_rays, const char *name)
{
    begin((Wanted){.rays = has_rays}, 0, 18);
    for (int i = -4; i <= 4; i++) {
        CnRenderItem *pillar = render_fixture_item(&fixture, "shapes://cube", NULL,
                                                   cn_vec3(5.0f * (float)i + 10, 12, -26), 1);
        pillar->scale = cn_vec3(3, 24, 3);
    }
    look(cn_vec3(0, 3, 0), cn_vec3(0.3f, 0.25f, -1));
    shoot(name);
}

static void light_falls_through_a_row_of_pillars(void **state)
{
    (void)state;
    the_sun_shines_through_a_gate(true, "god_rays");
}

static void without_god_rays_the_atmosphere_is_clear(void **state)
{
    (void)state;
    the_sun_shines_through_a_gate(false, "god_rays_off");
}

static void where_there_are_no_clouds_nothing_is_drawn_for_them(void **state)
{
    (void)state;
    begin((Wanted){.clouds = true, .shadows = true}, 0, 50);
    look(cn_vec3(0, 70, 0), cn_vec3(1, 0.3f, 0));
    render_fixture_draw(&fixture, 1);
    assert_int_equal(sky_fixture_passes(&fixture, "clouds"), 0);
    assert_int_equal(sky_fixture_passes(&fixture, "cloud shadow"), 0);
    render_fixture_fini(&fixture);
}

static void steady_frames_make_no_heap_calls_and_draw_noise_once(void **state)
{
    (void)state;
    begin((Wanted){true, true, true, true}, 0.5f, 50);
    look(cn_vec3(0, 70, 0), cn_vec3(1, 0.3f, 0));
    render_fixture_draw(&fixture, 1);
    assert_int_equal(sky_fixture_passes(&fixture, "cloud noise"), 1);
    render_fixture_draw(&fixture, 4);
    assert_int_equal(sky_fixture_passes(&fixture, "cloud noise"), 0);
    uint64_t calls = cn_heap_stats(fixture.heap).calls;
    render_fixture_draw(&fixture, 3);
    assert_int_equal(cn_heap_stats(fixture.heap).calls, calls);
    render_fixture_fini(&fixture);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(clouds_cover_a_part_of_the_sky),
        cmocka_unit_test(clouds_glow_around_a_low_sun),
        cmocka_unit_test(after_sunset_clouds_are_lit_from_below),
        cmocka_unit_test(clouds_close_the_sky),
        cmocka_unit_test(clouds_and_their_shadows_from_above),
        cmocka_unit_test(haze_behind_clouds_does_not_hide_them),
        cmocka_unit_test(shadows_of_clouds_lie_on_the_ground),
        cmocka_unit_test(light_falls_through_a_row_of_pillars),
        cmocka_unit_test(without_god_rays_the_atmosphere_is_clear),
        cmocka_unit_test(where_there_are_no_clouds_nothing_is_drawn_for_them),
        cmocka_unit_test(steady_frames_make_no_heap_calls_and_draw_noise_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
