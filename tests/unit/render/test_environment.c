/* When light from all around is computed, and when not. On the null backend. */
#include "scratch.h"
#include "sky_fixture.h"

#include <cairn/base/linear.h>

#define FACES 6u

static const CnSkyOptions atmosphere = {.kind = CN_SKY_ATMOSPHERE};

static void begin(RenderFixture *fixture, const CnSkyOptions *options)
{
    assert_true(sky_fixture_init(fixture, RENDER_NULL, options, cn_vec3(0, 0, 0)));
}

static uint32_t draw_and_count(RenderFixture *fixture, const char *pass)
{
    render_fixture_draw(fixture, 1);
    return sky_fixture_passes(fixture, pass);
}

static void the_first_frame_has_all_of_it(void **state)
{
    (void)state;
    RenderFixture fixture;
    begin(&fixture, &atmosphere);
    assert_int_equal(draw_and_count(&fixture, "prefilter"), 1);
    assert_int_equal(sky_fixture_passes(&fixture, "irradiance"), 1);
    assert_int_equal(sky_fixture_passes(&fixture, "environment"), 1);
    assert_int_equal(sky_fixture_passes(&fixture, "BRDF table"), 1);
    assert_int_equal(sky_fixture_passes(&fixture, "sky view"), 1);
    render_fixture_fini(&fixture);
}

static void a_sky_that_stays_is_not_computed_again(void **state)
{
    (void)state;
    RenderFixture fixture;
    begin(&fixture, &atmosphere);
    render_fixture_draw(&fixture, 1);
    render_fixture_draw(&fixture, 1);
    static const char *const passes[] = {"sky view",   "environment", "environment mip",
                                         "irradiance", "prefilter",   "BRDF table"};
    for (uint32_t i = 0; i < CN_COUNT_OF(passes); i++)
        assert_int_equal(sky_fixture_passes(&fixture, passes[i]), 0);
    assert_int_equal(sky_fixture_passes(&fixture, "sky"), 1);
    render_fixture_fini(&fixture);
}

static void a_small_step_of_the_sun_changes_only_the_sky(void **state)
{
    (void)state;
    RenderFixture fixture;
    begin(&fixture, &atmosphere);
    render_fixture_draw(&fixture, 1);
    sky_fixture_sun(&fixture, 69.8f);
    assert_int_equal(draw_and_count(&fixture, "sky view"), 1);
    assert_int_equal(sky_fixture_passes(&fixture, "environment"), 0);
    render_fixture_fini(&fixture);
}

static void a_large_step_of_the_sun_is_followed_face_by_face(void **state)
{
    (void)state;
    RenderFixture fixture;
    begin(&fixture, &atmosphere);
    render_fixture_draw(&fixture, 1);
    sky_fixture_sun(&fixture, 69);
    assert_int_equal(draw_and_count(&fixture, "environment"), 1);
    assert_int_equal(sky_fixture_passes(&fixture, "prefilter"), 0);
    for (uint32_t i = 0; i < FACES; i++)
        assert_int_equal(draw_and_count(&fixture, "prefilter"), 1);
    assert_int_equal(draw_and_count(&fixture, "prefilter"), 0);
    render_fixture_fini(&fixture);
}

static void a_low_sun_is_followed_in_smaller_steps(void **state)
{
    (void)state;
    RenderFixture fixture;
    begin(&fixture, &atmosphere);
    sky_fixture_sun(&fixture, 3);
    render_fixture_draw(&fixture, 1);
    sky_fixture_sun(&fixture, 2.8f);
    assert_int_equal(draw_and_count(&fixture, "environment"), 1);
    render_fixture_fini(&fixture);
}

static void cover(RenderFixture *fixture, float share)
{
    const CnVec3 to_sun = cn_vec3_normalize(cn_vec3(0, 0.9f, -0.4f));
    fixture->snapshot.atmosphere = (CnRenderAtmosphere){.valid = true,
                                                        .to_sun = to_sun,
                                                        .to_moon = cn_vec3_scale(to_sun, -1),
                                                        .cloud_cover = share,
                                                        .cloud_bottom = 100,
                                                        .cloud_top = 150};
}

static void clouds_that_come_are_followed_face_by_face(void **state)
{
    (void)state;
    RenderFixture fixture;
    begin(&fixture, &atmosphere);
    cover(&fixture, 0.2f);
    render_fixture_draw(&fixture, 1);
    assert_int_equal(draw_and_count(&fixture, "environment"), 0);
    cover(&fixture, 0.6f);
    assert_int_equal(draw_and_count(&fixture, "environment"), 1);
    for (uint32_t i = 0; i < FACES; i++)
        assert_int_equal(draw_and_count(&fixture, "prefilter"), 1);
    assert_int_equal(draw_and_count(&fixture, "prefilter"), 0);
    render_fixture_fini(&fixture);
}

static void another_sky_is_there_in_the_next_frame(void **state)
{
    (void)state;
    RenderFixture fixture;
    begin(&fixture, &atmosphere);
    render_fixture_draw(&fixture, 1);
    assert_true(cn_sky_set(fixture.renderer,
                           &(CnSkyOptions){.kind = CN_SKY_COLOR, .color = {1, 0, 0}}, NULL));
    assert_int_equal(draw_and_count(&fixture, "prefilter"), 1);
    assert_int_equal(draw_and_count(&fixture, "prefilter"), 0);
    render_fixture_fini(&fixture);
}

static void a_sky_of_one_color_needs_no_table(void **state)
{
    (void)state;
    RenderFixture fixture;
    begin(&fixture, &(CnSkyOptions){.kind = CN_SKY_COLOR, .color = {1, 1, 1}});
    assert_int_equal(draw_and_count(&fixture, "sky view"), 0);
    render_fixture_fini(&fixture);
}

static void no_sky_gives_no_light(void **state)
{
    (void)state;
    RenderFixture fixture;
    begin(&fixture, NULL);
    assert_int_equal(draw_and_count(&fixture, "environment"), 0);
    assert_int_equal(sky_fixture_passes(&fixture, "sky"), 1); /* clears */
    render_fixture_fini(&fixture);
}

static void a_sky_may_give_no_light(void **state)
{
    (void)state;
    RenderFixture fixture;
    begin(&fixture, &(CnSkyOptions){.kind = CN_SKY_ATMOSPHERE, .ibl = CN_SWITCH_OFF});
    assert_int_equal(draw_and_count(&fixture, "environment"), 0);
    assert_int_equal(sky_fixture_passes(&fixture, "sky"), 1);
    render_fixture_fini(&fixture);
}

static void light_does_not_need_the_sky_to_be_drawn(void **state)
{
    (void)state;
    RenderFixture fixture;
    begin(&fixture, &atmosphere);
    cn_feature_set_enabled(cn_renderer_feature(fixture.renderer, "Show"), false);
    cn_feature_set_enabled(cn_renderer_feature(fixture.renderer, "Sky"), false);
    assert_int_equal(draw_and_count(&fixture, "environment sky view"), 1);
    assert_int_equal(sky_fixture_passes(&fixture, "prefilter"), 1);
    render_fixture_fini(&fixture);
}

static void what_was_off_for_long_is_computed_again(void **state)
{
    (void)state;
    RenderFixture fixture;
    begin(&fixture, &atmosphere);
    CnFeature *environment = cn_renderer_feature(fixture.renderer, "Environment");
    render_fixture_draw(&fixture, 1);
    cn_feature_set_enabled(environment, false);
    for (uint32_t i = 0; i < 2 * CN_GRAPH_KEEP_FRAMES; i++)
        render_fixture_draw(&fixture, 1);
    cn_feature_set_enabled(environment, true);
    assert_int_equal(draw_and_count(&fixture, "prefilter"), 1);
    render_fixture_fini(&fixture);
}

static void a_steady_frame_makes_no_heap_call(void **state)
{
    (void)state;
    RenderFixture fixture;
    begin(&fixture, &atmosphere);
    for (uint32_t i = 0; i < 20; i++) {
        sky_fixture_sun(&fixture, 70 - (float)i);
        render_fixture_draw(&fixture, 1);
    }
    uint64_t calls = cn_heap_stats(fixture.heap).calls;
    for (uint32_t i = 0; i < 20; i++) {
        sky_fixture_sun(&fixture, 50 - (float)i);
        render_fixture_draw(&fixture, 1);
    }
    assert_int_equal(cn_heap_stats(fixture.heap).calls, calls);
    render_fixture_fini(&fixture);
}

static void the_first_change_of_a_sky_makes_no_heap_call(void **state)
{
    (void)state;
    RenderFixture fixture;
    begin(&fixture, &atmosphere);
    render_fixture_draw(&fixture, 4);
    uint64_t calls = cn_heap_stats(fixture.heap).calls;
    sky_fixture_sun(&fixture, 69);
    assert_int_equal(draw_and_count(&fixture, "environment"), 1);
    render_fixture_draw(&fixture, FACES);
    assert_int_equal(cn_heap_stats(fixture.heap).calls, calls);
    render_fixture_fini(&fixture);
}

static void a_sky_of_kind_texture_needs_one(void **state)
{
    (void)state;
    RenderFixture fixture;
    CnError error = {0};
    begin(&fixture, &atmosphere);
    assert_false(cn_sky_set(fixture.renderer, &(CnSkyOptions){.kind = CN_SKY_TEXTURE}, &error));
    assert_string_equal(error.message, "a sky of kind texture has no texture");
    assert_int_equal(draw_and_count(&fixture, "sky view"), 1); /* as before */
    render_fixture_fini(&fixture);
}

/* A mistake that the graph finds: reads what nobody wrote. */
static void spoil(CnFrame *frame, void *user)
{
    (void)user;
    CnGraphPass pass =
        cn_graph_add_pass(frame->graph, &(CnGraphPassDesc){.name = "wrong", .side_effects = true});
    cn_graph_read_texture(frame->graph, pass, cn_frame_texture(frame, "nothing", CN_HDR_FORMAT, 1),
                          CN_GPU_ACCESS_SAMPLE, NULL);
}

static void what_a_failed_frame_has_not_made_is_made_by_the_next(void **state)
{
    (void)state;
    RenderFixture fixture;
    begin(&fixture, &atmosphere);
    CnFrameDesc image = fixture.frame_desc;
    image.current = &fixture.snapshot;
    image.before_render = spoil;
    assert_false(cn_renderer_draw(fixture.renderer, &image, &fixture.error));
    assert_int_equal(draw_and_count(&fixture, "prefilter"), 1);
    assert_int_equal(sky_fixture_passes(&fixture, "sky view"), 1);
    render_fixture_fini(&fixture);
}

/* With tables of shaders/ that come from a scratch folder. */
static void a_shader_that_was_saved_makes_the_light_again(void **state)
{
    (void)state;
    static const char text[] = "#version 460\n"
                               "layout(local_size_x = 8, local_size_y = 8) in;\n"
                               "layout(binding = 0, rg16f) writeonly uniform image2D target;\n"
                               "void main() { imageStore(target, ivec2(0), vec4(%s)); }\n";
    CnFileSystem *files = cn_native_files();
    char shader[sizeof text + 8];
    Scratch scratch;
    scratch_init(&scratch);
    assert_true(files->make_folder(files, scratch_path(&scratch, "render"), NULL));
    assert_true(files->make_folder(files, scratch_path(&scratch, "render/feature"), NULL));
    const char *path = scratch_path(&scratch, "render/feature/environment_brdf_lut.comp");
    cn_format(shader, sizeof shader, text, "0.0");
    assert_true(cn_file_write_all(files, path, shader, strlen(shader), NULL));

    RenderFixture fixture;
    assert_true(render_fixture_init_with(&fixture, RENDER_NULL,
                                         &(CnRendererDesc){.shader_folder = scratch.folder}));
    sky_fixture_add(&fixture, &atmosphere, cn_vec3(0, 0, 0));
    render_fixture_draw(&fixture, 2);
    assert_int_equal(sky_fixture_passes(&fixture, "prefilter"), 0);
    cn_format(shader, sizeof shader, text, "1.0");
    assert_true(cn_file_write_all(files, path, shader, strlen(shader), NULL));
    assert_int_equal(cn_renderer_reload_shaders(fixture.renderer), 1);
    assert_int_equal(draw_and_count(&fixture, "BRDF table"), 1);
    assert_int_equal(sky_fixture_passes(&fixture, "prefilter"), 1);
    render_fixture_fini(&fixture);
    scratch_fini(&scratch);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_first_frame_has_all_of_it),
        cmocka_unit_test(a_sky_that_stays_is_not_computed_again),
        cmocka_unit_test(a_small_step_of_the_sun_changes_only_the_sky),
        cmocka_unit_test(a_large_step_of_the_sun_is_followed_face_by_face),
        cmocka_unit_test(a_low_sun_is_followed_in_smaller_steps),
        cmocka_unit_test(clouds_that_come_are_followed_face_by_face),
        cmocka_unit_test(another_sky_is_there_in_the_next_frame),
        cmocka_unit_test(a_sky_of_one_color_needs_no_table),
        cmocka_unit_test(no_sky_gives_no_light),
        cmocka_unit_test(a_sky_may_give_no_light),
        cmocka_unit_test(light_does_not_need_the_sky_to_be_drawn),
        cmocka_unit_test(what_was_off_for_long_is_computed_again),
        cmocka_unit_test(a_steady_frame_makes_no_heap_call),
        cmocka_unit_test(the_first_change_of_a_sky_makes_no_heap_call),
        cmocka_unit_test(a_sky_of_kind_texture_needs_one),
        cmocka_unit_test(what_a_failed_frame_has_not_made_is_made_by_the_next),
        cmocka_unit_test(a_shader_that_was_saved_makes_the_light_again),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
