/* Which features and passes presets have, on the null backend, with every choice of switches. */
#include "gallery.h"
#include "gpu_device.h"

#include <cairn/render.h>

#include <string.h>

typedef struct Fixture {
    CnGpu *gpu;
    Gallery gallery;
    CnRenderer *renderer;
} Fixture;

static int set_up(void **state)
{
    static Fixture fixture;
    fixture.gpu = make_null();
    gallery_open(&fixture.gallery);
    *state = &fixture;
    return 0;
}

static int tear_down(void **state)
{
    Fixture *fixture = *state;
    gallery_close(&fixture->gallery);
    end_gpu(fixture->gpu);
    return 0;
}

static void begin(Fixture *fixture)
{
    CnError error = {0};
    fixture->renderer = cn_renderer_create(
        &(CnRendererDesc){.gpu = fixture->gpu, .files = gallery_files(&fixture->gallery)}, &error);
    assert_non_null(fixture->renderer);
    gallery_show(&fixture->gallery, fixture->renderer);
}

static void begin_preset(Fixture *fixture, CnPreset preset, const CnRenderOptions *options)
{
    CnError error = {0};
    begin(fixture);
    if (!preset(fixture->renderer, options, NULL, &error))
        fail_msg("%s", error.message);
}

static void end(Fixture *fixture)
{
    cn_renderer_destroy(fixture->renderer);
}

static void draw_snapshot(Fixture *fixture, const CnRenderSnapshot *snapshot)
{
    CnError error = {0};
    if (!cn_renderer_draw(
            fixture->renderer,
            &(CnFrameDesc){.current = snapshot, .alpha = 1, .width = 100, .height = 60}, &error))
        fail_msg("%s", error.message);
}

static void draw(Fixture *fixture)
{
    draw_snapshot(fixture, gallery_snapshot(&fixture->gallery));
}

static void assert_features(const Fixture *fixture, const char *names)
{
    char found[512] = "";
    for (uint32_t i = 0; cn_renderer_feature_at(fixture->renderer, i); i++) {
        if (i > 0)
            strcat(found, ", ");
        strcat(found, cn_feature_name(cn_renderer_feature_at(fixture->renderer, i)));
    }
    assert_string_equal(found, names);
}

static bool has_pass(const Fixture *fixture, const char *name)
{
    CnGraphPassInfo info;
    for (uint32_t i = 0; cn_graph_pass_info(cn_renderer_graph(fixture->renderer), i, &info); i++) {
        if (strcmp(info.name, name) == 0 && !info.is_culled)
            return true;
    }
    return false;
}

/* ---- Features ---- */

static const CnRenderOptions everything = {
    .sky = {.kind = CN_SKY_ATMOSPHERE},
    .shadow = CN_SWITCH_ON,
    .shadows = {.size = 256, .local_size = 64},
    .point_spot_lights = CN_SWITCH_ON,
    .taa = CN_SWITCH_ON,
    .dof = CN_SWITCH_ON,
    .bloom = CN_SWITCH_ON,
    .auto_exposure = CN_SWITCH_ON,
};

static void forward_has_little_by_default(void **state)
{
    begin_preset(*state, cn_preset_forward, NULL);
    assert_features(*state, "Forward, Scene particles, Tone map, UI");
    end(*state);
}

static void forward_plus_has_little_by_default(void **state)
{
    begin_preset(*state, cn_preset_forward_plus, NULL);
    assert_features(*state, "Forward+, Scene particles, Tone map, UI");
    end(*state);
}

static void deferred_has_shadows_ao_transparent_and_taa_by_default(void **state)
{
    begin_preset(*state, cn_preset_deferred, NULL);
    assert_features(*state, "Shadows, Geometry, Ambient occlusion, Deferred, Transparent, TAA, "
                            "Scene particles, Tone map, UI");
    end(*state);
}

static void a_sky_brings_light_from_all_around(void **state)
{
    begin_preset(*state, cn_preset_forward,
                 &(CnRenderOptions){.sky = {.kind = CN_SKY_COLOR, .color = {1, 1, 1}}});
    assert_features(*state, "Sky, Environment, Forward, Scene particles, Tone map, UI");
    end(*state);
}

static void ibl_can_be_switched_off(void **state)
{
    begin_preset(*state, cn_preset_forward,
                 &(CnRenderOptions){
                     .sky = {.kind = CN_SKY_COLOR, .color = {1, 1, 1}, .ibl = CN_SWITCH_OFF}});
    assert_features(*state, "Sky, Forward, Scene particles, Tone map, UI");
    end(*state);
}

static void forward_with_everything_is_in_order(void **state)
{
    begin_preset(*state, cn_preset_forward, &everything);
    assert_features(*state, "Sky, Environment, Shadows, Forward, Depth of field, TAA, "
                            "Scene particles, Bloom, Auto exposure, Tone map, UI");
    end(*state);
}

static void deferred_with_everything_is_in_order(void **state)
{
    begin_preset(*state, cn_preset_deferred, &everything);
    assert_features(*state, "Shadows, Geometry, Ambient occlusion, Sky, Environment, Deferred, "
                            "Point and spot lights, Transparent, Depth of field, TAA, "
                            "Scene particles, Bloom, Auto exposure, Tone map, UI");
    end(*state);
}

static void deferred_with_everything_off_is_geometry_and_lighting(void **state)
{
    begin_preset(*state, cn_preset_deferred,
                 &(CnRenderOptions){.shadow = CN_SWITCH_OFF,
                                    .ao = CN_SWITCH_OFF,
                                    .transparent = CN_SWITCH_OFF,
                                    .taa = CN_SWITCH_OFF});
    assert_features(*state, "Geometry, Deferred, Scene particles, Tone map, UI");
    end(*state);
}

static void a_preset_that_fails_adds_nothing(void **state)
{
    Fixture *fixture = *state;
    CnError error = {0};
    begin(fixture);
    for (uint32_t i = 0; i < CN_MAX_FEATURES - 2; i++)
        assert_non_null(cn_renderer_add_feature(fixture->renderer, &cn_feature_ui, NULL, &error));
    assert_false(cn_preset_deferred(fixture->renderer, NULL, NULL, &error));
    assert_non_null(cn_renderer_feature_at(fixture->renderer, CN_MAX_FEATURES - 3));
    assert_null(cn_renderer_feature_at(fixture->renderer, CN_MAX_FEATURES - 2));
    end(fixture);
}

/* ---- Passes ---- */

static void forward_draws_opaque_and_transparent_meshes(void **state)
{
    begin_preset(*state, cn_preset_forward, NULL);
    draw(*state);
    assert_true(has_pass(*state, "forward"));
    assert_true(has_pass(*state, "transparent"));
    assert_false(has_pass(*state, "light tiles"));
    end(*state);
}

static void forward_plus_draws_depth_and_tiles_first(void **state)
{
    begin_preset(*state, cn_preset_forward_plus, NULL);
    draw(*state);
    assert_true(has_pass(*state, "depth"));
    assert_true(has_pass(*state, "light tiles"));
    assert_true(has_pass(*state, "forward+"));
    assert_true(has_pass(*state, "transparent"));
    end(*state);
}

static void deferred_lights_the_g_buffer(void **state)
{
    begin_preset(*state, cn_preset_deferred, NULL);
    draw(*state);
    assert_true(has_pass(*state, "geometry"));
    assert_true(has_pass(*state, "deferred"));
    assert_true(has_pass(*state, "transparent"));
    assert_false(has_pass(*state, "point and spot lights"));
    assert_false(has_pass(*state, "light tiles"));
    end(*state);
}

static void point_and_spot_lights_of_deferred_use_tiles(void **state)
{
    begin_preset(*state, cn_preset_deferred, &(CnRenderOptions){.point_spot_lights = CN_SWITCH_ON});
    draw(*state);
    assert_true(has_pass(*state, "light tiles"));
    assert_true(has_pass(*state, "point and spot lights"));
    end(*state);
}

static void the_overlay_can_use_tiles_of_its_own(void **state)
{
    begin_preset(*state, cn_preset_deferred, &(CnRenderOptions){.transparent_tiled_lights = true});
    draw(*state);
    assert_true(has_pass(*state, "light tiles"));
    assert_true(has_pass(*state, "transparent"));
    end(*state);
}

static void without_lights_there_are_no_tiles(void **state)
{
    Fixture *fixture = *state;
    CnRenderSnapshot dark = *gallery_snapshot(&fixture->gallery);
    dark.light_count = 0;
    begin_preset(fixture, cn_preset_forward_plus, NULL);
    draw_snapshot(fixture, &dark);
    assert_false(has_pass(fixture, "light tiles"));
    assert_true(has_pass(fixture, "forward+"));
    end(fixture);
}

/* ---- Every choice ---- */

static uint32_t feature_count(const Fixture *fixture)
{
    uint32_t count = 0;
    while (cn_renderer_feature_at(fixture->renderer, count))
        count++;
    return count;
}

/* Draws with every set of features switched off. */
static void draw_every_choice(Fixture *fixture, CnPreset preset, const CnRenderOptions *options)
{
    begin_preset(fixture, preset, options);
    uint32_t count = feature_count(fixture);
    for (uint32_t choice = 0; choice < 1u << count; choice++) {
        for (uint32_t i = 0; i < count; i++)
            cn_feature_set_enabled(cn_renderer_feature_at(fixture->renderer, i), choice >> i & 1);
        draw(fixture);
    }
    end(fixture);
}

static void forward_draws_with_every_choice_of_features(void **state)
{
    draw_every_choice(*state, cn_preset_forward, &everything);
}

static void forward_plus_draws_with_every_choice_of_features(void **state)
{
    draw_every_choice(*state, cn_preset_forward_plus, &everything);
}

static void deferred_draws_with_every_choice_of_features(void **state)
{
    draw_every_choice(*state, cn_preset_deferred, &everything);
}

static void every_preset_draws_with_every_kind_of_sky(void **state)
{
    static const CnPreset presets[] = {cn_preset_forward, cn_preset_forward_plus,
                                       cn_preset_deferred};
    for (uint32_t i = 0; i < 3; i++) {
        for (uint32_t kind = CN_SKY_NONE; kind <= CN_SKY_ATMOSPHERE; kind++) {
            begin_preset(*state, presets[i],
                         &(CnRenderOptions){.sky = {.kind = (CnSkyKind)kind,
                                                    .color = {0.2f, 0.3f, 0.5f},
                                                    .texture = "assets://ground.png"}});
            draw(*state);
            end(*state);
        }
    }
}

static void every_preset_draws_nothing_at_all(void **state)
{
    static const CnPreset presets[] = {cn_preset_forward, cn_preset_forward_plus,
                                       cn_preset_deferred};
    for (uint32_t i = 0; i < 3; i++) {
        begin_preset(*state, presets[i], &everything);
        draw_snapshot(*state, &(CnRenderSnapshot){0});
        draw_snapshot(*state, NULL);
        end(*state);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(forward_has_little_by_default),
        cmocka_unit_test(forward_plus_has_little_by_default),
        cmocka_unit_test(deferred_has_shadows_ao_transparent_and_taa_by_default),
        cmocka_unit_test(a_sky_brings_light_from_all_around),
        cmocka_unit_test(ibl_can_be_switched_off),
        cmocka_unit_test(forward_with_everything_is_in_order),
        cmocka_unit_test(deferred_with_everything_is_in_order),
        cmocka_unit_test(deferred_with_everything_off_is_geometry_and_lighting),
        cmocka_unit_test(a_preset_that_fails_adds_nothing),
        cmocka_unit_test(forward_draws_opaque_and_transparent_meshes),
        cmocka_unit_test(forward_plus_draws_depth_and_tiles_first),
        cmocka_unit_test(deferred_lights_the_g_buffer),
        cmocka_unit_test(point_and_spot_lights_of_deferred_use_tiles),
        cmocka_unit_test(the_overlay_can_use_tiles_of_its_own),
        cmocka_unit_test(without_lights_there_are_no_tiles),
        cmocka_unit_test(forward_draws_with_every_choice_of_features),
        cmocka_unit_test(forward_plus_draws_with_every_choice_of_features),
        cmocka_unit_test(deferred_draws_with_every_choice_of_features),
        cmocka_unit_test(every_preset_draws_with_every_kind_of_sky),
        cmocka_unit_test(every_preset_draws_nothing_at_all),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
