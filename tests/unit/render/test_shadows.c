/* What the feature "Shadows" adds to a frame, on the null backend. */
#include "mesh_feature.h"
#include "render_fixture.h"

#include <string.h>

static RenderFixture fixture;
static const CnShadowOptions small = {.size = 128, .local_size = 64};

static int teardown(void **state)
{
    (void)state;
    render_fixture_fini(&fixture);
    return 0;
}

/* With a cube before the camera, and somebody who looks at the shadows. */
static CnFeature *begin(const CnShadowOptions *options)
{
    assert_true(render_fixture_init(&fixture, RENDER_NULL));
    CnFeature *shadows = render_fixture_add(&fixture, &cn_feature_shadows, options);
    render_fixture_add(&fixture, &mesh_feature, NULL);
    render_fixture_item(&fixture, "shapes://cube", NULL, cn_vec3(0, 0, 0), 1);
    return shadows;
}

static void add_sun(void)
{
    render_fixture_sun(&fixture, cn_vec3(1, -1, 0.5f), cn_vec3(3, 3, 3));
}

static void add_lamp(CnVec3 position)
{
    CnRenderLight *lamp = render_fixture_point_light(&fixture, position, cn_vec3(1, 1, 1), 10);
    lamp->flags = CN_RENDER_CASTS_SHADOWS;
}

static uint32_t passes_named(const char *start)
{
    CnGraphPassInfo info;
    uint32_t count = 0;
    for (uint32_t i = 0; cn_graph_pass_info(cn_renderer_graph(fixture.renderer), i, &info); i++)
        count += !info.is_culled && !strncmp(info.name, start, strlen(start));
    return count;
}

/* Commands of the last frame, with this first size. */
static uint32_t commands_named(const char *name, uint32_t width)
{
    uint32_t count, found = 0;
    const CnGpuLogEntry *log = cn_gpu_command_log(fixture.gpu, &count);
    for (uint32_t i = 0; i < count; i++)
        found += !strcmp(log[i].command, name) && (!width || log[i].numbers[2] == width);
    return found;
}

static void a_sun_has_a_pass_for_each_cascade(void **state)
{
    (void)state;
    begin(&(CnShadowOptions){.cascades = 4, .size = 128});
    add_sun();
    render_fixture_draw(&fixture, 1);
    assert_int_equal(passes_named("shadow cascade"), 4);
}

static void by_default_there_are_three_cascades(void **state)
{
    (void)state;
    begin(NULL);
    add_sun();
    render_fixture_draw(&fixture, 1);
    assert_int_equal(passes_named("shadow cascade"), 3);
}

static void without_a_sun_there_are_no_cascades(void **state)
{
    (void)state;
    begin(&small);
    render_fixture_draw(&fixture, 1);
    assert_int_equal(passes_named("shadow"), 0);
}

static void a_sun_that_casts_no_shadows_has_no_cascades(void **state)
{
    (void)state;
    begin(&small);
    add_sun();
    fixture.lights[0].flags = 0;
    render_fixture_draw(&fixture, 1);
    assert_int_equal(passes_named("shadow"), 0);
}

static void switched_off_there_are_no_passes(void **state)
{
    (void)state;
    CnFeature *shadows = begin(&small);
    add_sun();
    cn_feature_set_enabled(shadows, false);
    render_fixture_draw(&fixture, 1);
    assert_int_equal(passes_named("shadow"), 0);
}

static void what_nobody_looks_at_is_not_drawn(void **state)
{
    (void)state;
    begin(&small);
    add_sun();
    cn_feature_set_enabled(cn_renderer_feature(fixture.renderer, "meshes"), false);
    render_fixture_draw(&fixture, 1);
    assert_int_equal(passes_named("shadow"), 0);
}

static void a_point_light_draws_six_tiles(void **state)
{
    (void)state;
    begin(&small);
    add_lamp(cn_vec3(2, 2, 2));
    render_fixture_draw(&fixture, 1);
    assert_int_equal(passes_named("shadow atlas"), 1);
    assert_int_equal(commands_named("set_viewport", 64), 6);
}

static void a_spot_light_draws_one_tile(void **state)
{
    (void)state;
    begin(&small);
    CnRenderLight *spot = render_fixture_spot_light(&fixture, cn_vec3(0, 3, 0), cn_vec3(0, -1, 0),
                                                    cn_vec3(1, 1, 1), 10, 60);
    spot->flags = CN_RENDER_CASTS_SHADOWS;
    render_fixture_draw(&fixture, 1);
    assert_int_equal(commands_named("set_viewport", 64), 1);
}

static void lights_that_cast_none_draw_no_tiles(void **state)
{
    (void)state;
    begin(&small);
    render_fixture_point_light(&fixture, cn_vec3(2, 2, 2), cn_vec3(1, 1, 1), 10);
    render_fixture_draw(&fixture, 1);
    assert_int_equal(passes_named("shadow"), 0);
}

static void no_more_lights_have_shadows_than_requested(void **state)
{
    (void)state;
    begin(&(CnShadowOptions){.size = 128, .local_size = 64, .local_lights = 2});
    for (int i = 0; i < 5; i++)
        add_lamp(cn_vec3((float)i - 2, 2, 0));
    render_fixture_draw(&fixture, 1);
    assert_int_equal(commands_named("set_viewport", 64), 12);
}

static void lights_can_be_without_shadows_altogether(void **state)
{
    (void)state;
    begin(&(CnShadowOptions){.size = 128, .local_lights = UINT32_MAX});
    add_lamp(cn_vec3(2, 2, 2));
    render_fixture_draw(&fixture, 1);
    assert_int_equal(passes_named("shadow"), 0);
}

static void casters_that_are_not_in_view_are_drawn(void **state)
{
    (void)state;
    begin(&small);
    add_sun();
    render_fixture_clear(&fixture);
    add_sun();
    /* Beside the camera's view, on the way of the sun to what it sees. */
    render_fixture_item(&fixture, "shapes://cube", NULL, cn_vec3(-60, 60, -30), 1);
    render_fixture_draw(&fixture, 1);
    assert_int_equal(cn_renderer_stats(fixture.renderer).visible_items, 0);
    assert_true(cn_renderer_stats(fixture.renderer).draws >= 1);
}

static void things_that_cast_no_shadows_are_not_drawn_into_maps(void **state)
{
    (void)state;
    begin(&small);
    add_sun();
    fixture.items[0].flags = 0;
    render_fixture_draw(&fixture, 1);
    assert_int_equal(cn_renderer_stats(fixture.renderer).draws, 1); /* as the camera sees it */
}

static void options_beyond_limits_are_bounded(void **state)
{
    (void)state;
    begin(&(CnShadowOptions){.cascades = 100, .size = 1, .local_lights = 1000, .local_size = 1});
    add_sun();
    add_lamp(cn_vec3(2, 2, 2));
    render_fixture_draw(&fixture, 1);
    assert_int_equal(passes_named("shadow cascade"), 4);
}

static void a_steady_frame_calls_no_heap(void **state)
{
    (void)state;
    begin(&small);
    add_sun();
    for (int i = 0; i < 6; i++)
        add_lamp(cn_vec3((float)i - 2, 2, 0));
    render_fixture_draw(&fixture, 20);
    uint64_t calls = cn_heap_stats(fixture.heap).calls;
    for (int i = 0; i < 50; i++) {
        fixture.snapshot.camera.position.x += 0.01f;
        assert_true(cn_renderer_draw(fixture.renderer, &fixture.frame_desc, &fixture.error));
    }
    assert_int_equal(cn_heap_stats(fixture.heap).calls, calls);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(a_sun_has_a_pass_for_each_cascade, teardown),
        cmocka_unit_test_teardown(by_default_there_are_three_cascades, teardown),
        cmocka_unit_test_teardown(without_a_sun_there_are_no_cascades, teardown),
        cmocka_unit_test_teardown(a_sun_that_casts_no_shadows_has_no_cascades, teardown),
        cmocka_unit_test_teardown(switched_off_there_are_no_passes, teardown),
        cmocka_unit_test_teardown(what_nobody_looks_at_is_not_drawn, teardown),
        cmocka_unit_test_teardown(a_point_light_draws_six_tiles, teardown),
        cmocka_unit_test_teardown(a_spot_light_draws_one_tile, teardown),
        cmocka_unit_test_teardown(lights_that_cast_none_draw_no_tiles, teardown),
        cmocka_unit_test_teardown(no_more_lights_have_shadows_than_requested, teardown),
        cmocka_unit_test_teardown(lights_can_be_without_shadows_altogether, teardown),
        cmocka_unit_test_teardown(casters_that_are_not_in_view_are_drawn, teardown),
        cmocka_unit_test_teardown(things_that_cast_no_shadows_are_not_drawn_into_maps, teardown),
        cmocka_unit_test_teardown(options_beyond_limits_are_bounded, teardown),
        cmocka_unit_test_teardown(a_steady_frame_calls_no_heap, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
