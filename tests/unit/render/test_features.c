/* Features: their order, switching, failing, removing; the frame they see. On the null backend. */
#include "render_fixture.h"

#include <string.h>

static char calls[512];

static void note(const char *step, const void *self)
{
    const char *name = *(const char *const *)self;
    cn_format(calls + strlen(calls), sizeof calls - strlen(calls), "%s%s.%s", calls[0] ? " " : "",
              name, step);
}

static bool setup(CnRenderer *renderer, void *self, const void *options, CnError *error)
{
    (void)renderer;
    *(const char **)self = options;
    if (!strcmp(options, "bad")) {
        note("setup", self);
        return cn_error_set(error, CN_ERROR_UNSUPPORTED, "bad on purpose");
    }
    return true;
}

static void early(CnFrame *frame, void *self)
{
    (void)frame;
    note("early", self);
}

static void update(CnFrame *frame, void *self)
{
    (void)frame;
    note("update", self);
}

static void passes(CnFrame *frame, void *self)
{
    (void)frame;
    note("passes", self);
}

static void destroy(CnRenderer *renderer, void *self)
{
    (void)renderer;
    note("destroy", self);
}

static const CnFeatureType noting = {.name = "noting",
                                     .size = sizeof(const char *),
                                     .setup = setup,
                                     .early_update = early,
                                     .update = update,
                                     .add_passes = passes,
                                     .destroy = destroy};

static void init(RenderFixture *fixture)
{
    calls[0] = '\0';
    assert_true(render_fixture_init(fixture, RENDER_NULL));
}

static void features_run_step_by_step_in_the_order_of_adding(void **state)
{
    (void)state;
    RenderFixture fixture;
    init(&fixture);
    render_fixture_add(&fixture, &noting, "a");
    render_fixture_add(&fixture, &noting, "b");
    render_fixture_draw(&fixture, 1);
    assert_string_equal(calls, "a.early b.early a.update b.update a.passes b.passes");
    render_fixture_fini(&fixture);
}

static void a_feature_that_is_off_is_not_called(void **state)
{
    (void)state;
    RenderFixture fixture;
    init(&fixture);
    CnFeature *a = render_fixture_add(&fixture, &noting, "a");
    render_fixture_add(&fixture, &noting, "b");
    cn_feature_set_enabled(a, false);
    assert_false(cn_feature_is_enabled(a));
    render_fixture_draw(&fixture, 1);
    assert_string_equal(calls, "b.early b.update b.passes");
    render_fixture_fini(&fixture);
}

static void a_feature_that_is_on_again_is_called_again(void **state)
{
    (void)state;
    RenderFixture fixture;
    init(&fixture);
    CnFeature *a = render_fixture_add(&fixture, &noting, "a");
    cn_feature_set_enabled(a, false);
    render_fixture_draw(&fixture, 1);
    cn_feature_set_enabled(a, true);
    render_fixture_draw(&fixture, 1);
    assert_string_equal(calls, "a.early a.update a.passes");
    render_fixture_fini(&fixture);
}

static void switch_off(CnFrame *frame, void *self)
{
    note("early", self);
    cn_feature_set_enabled(cn_renderer_feature(frame->renderer, "switching"), false);
}

static void switching_counts_from_the_next_frame_on(void **state)
{
    (void)state;
    RenderFixture fixture;
    init(&fixture);
    CnFeatureType switching = noting;
    switching.name = "switching";
    switching.early_update = switch_off;
    render_fixture_add(&fixture, &switching, "a");
    render_fixture_draw(&fixture, 2);
    assert_string_equal(calls, "a.early a.update a.passes");
    render_fixture_fini(&fixture);
}

static void a_failed_setup_is_destroyed_and_not_there(void **state)
{
    (void)state;
    RenderFixture fixture;
    init(&fixture);
    assert_null(cn_renderer_add_feature(fixture.renderer, &noting, "bad", &fixture.error));
    assert_string_equal(fixture.error.message, "bad on purpose");
    assert_string_equal(calls, "bad.setup bad.destroy");
    assert_null(cn_renderer_feature_at(fixture.renderer, 0));
    render_fixture_fini(&fixture);
}

static void a_removed_feature_is_destroyed_and_the_others_stay_in_order(void **state)
{
    (void)state;
    RenderFixture fixture;
    init(&fixture);
    render_fixture_add(&fixture, &noting, "a");
    CnFeature *b = render_fixture_add(&fixture, &noting, "b");
    render_fixture_add(&fixture, &noting, "c");
    cn_renderer_remove_feature(fixture.renderer, b);
    render_fixture_draw(&fixture, 1);
    assert_string_equal(calls, "b.destroy a.early c.early a.update c.update a.passes c.passes");
    render_fixture_fini(&fixture);
}

static void features_end_in_the_opposite_order(void **state)
{
    (void)state;
    RenderFixture fixture;
    init(&fixture);
    render_fixture_add(&fixture, &noting, "a");
    render_fixture_add(&fixture, &noting, "b");
    render_fixture_fini(&fixture);
    assert_string_equal(calls, "b.destroy a.destroy");
}

static void features_are_found_by_name_and_by_place(void **state)
{
    (void)state;
    RenderFixture fixture;
    init(&fixture);
    CnFeatureType other = noting;
    other.name = "other";
    CnFeature *a = render_fixture_add(&fixture, &noting, "a");
    CnFeature *b = render_fixture_add(&fixture, &other, "b");
    assert_ptr_equal(cn_renderer_feature(fixture.renderer, "other"), b);
    assert_null(cn_renderer_feature(fixture.renderer, "none"));
    assert_ptr_equal(cn_renderer_feature_at(fixture.renderer, 0), a);
    assert_ptr_equal(cn_renderer_feature_at(fixture.renderer, 1), b);
    assert_null(cn_renderer_feature_at(fixture.renderer, 2));
    assert_string_equal(cn_feature_name(b), "other");
    assert_string_equal(*(const char **)cn_feature_self(b), "b");
    render_fixture_fini(&fixture);
}

static void there_are_at_most_64_features(void **state)
{
    (void)state;
    RenderFixture fixture;
    init(&fixture);
    for (uint32_t i = 0; i < CN_MAX_FEATURES; i++)
        render_fixture_add(&fixture, &noting, "a");
    assert_null(cn_renderer_add_feature(fixture.renderer, &noting, "b", &fixture.error));
    assert_int_equal(fixture.error.code, CN_ERROR_LIMIT);
    assert_string_equal(fixture.error.message, "cannot add feature noting: the limit is 64");
    render_fixture_fini(&fixture);
}

static void before_render(CnFrame *frame, void *user)
{
    assert_non_null(frame->graph);
    const char *name = user;
    note("before_render", &name);
}

static void before_render_comes_after_all_passes(void **state)
{
    (void)state;
    RenderFixture fixture;
    init(&fixture);
    render_fixture_add(&fixture, &noting, "a");
    char user[] = "user";
    fixture.frame_desc.before_render = before_render;
    fixture.frame_desc.user = user;
    render_fixture_draw(&fixture, 1);
    assert_string_equal(calls, "a.early a.update a.passes user.before_render");
    render_fixture_fini(&fixture);
}

static void spoil(CnFrame *frame, void *user)
{
    (void)user;
    CnGraphPass pass = cn_graph_add_pass(frame->graph, &(CnGraphPassDesc){.name = "spoiled"});
    cn_graph_read_texture(frame->graph, pass, (CnGraphTexture){0}, CN_GPU_ACCESS_SAMPLE, NULL);
}

static void a_graph_with_a_mistake_fails_and_the_next_frame_is_drawn(void **state)
{
    (void)state;
    RenderFixture fixture;
    init(&fixture);
    fixture.frame_desc.before_render = spoil;
    assert_false(cn_renderer_draw(fixture.renderer, &fixture.frame_desc, &fixture.error));
    assert_non_null(strstr(fixture.error.message, "spoiled"));
    fixture.frame_desc.before_render = NULL;
    render_fixture_draw(&fixture, 1);
    render_fixture_fini(&fixture);
}

static void an_image_without_a_size_is_an_error(void **state)
{
    (void)state;
    RenderFixture fixture;
    init(&fixture);
    fixture.frame_desc.width = 0;
    assert_false(cn_renderer_draw(fixture.renderer, &fixture.frame_desc, &fixture.error));
    assert_string_equal(fixture.error.message, "invalid image size 0 x 180");
    render_fixture_fini(&fixture);
}

static void pixels_that_were_not_requested_are_not_there(void **state)
{
    (void)state;
    RenderFixture fixture;
    init(&fixture);
    uint32_t width, height;
    render_fixture_draw(&fixture, 1);
    fixture.frame_desc.read_back = false;
    assert_true(cn_renderer_draw(fixture.renderer, &fixture.frame_desc, &fixture.error));
    assert_null(cn_renderer_pixels(fixture.renderer, &width, &height, &fixture.error));
    render_fixture_fini(&fixture);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(features_run_step_by_step_in_the_order_of_adding),
        cmocka_unit_test(a_feature_that_is_off_is_not_called),
        cmocka_unit_test(a_feature_that_is_on_again_is_called_again),
        cmocka_unit_test(switching_counts_from_the_next_frame_on),
        cmocka_unit_test(a_failed_setup_is_destroyed_and_not_there),
        cmocka_unit_test(a_removed_feature_is_destroyed_and_the_others_stay_in_order),
        cmocka_unit_test(features_end_in_the_opposite_order),
        cmocka_unit_test(features_are_found_by_name_and_by_place),
        cmocka_unit_test(there_are_at_most_64_features),
        cmocka_unit_test(before_render_comes_after_all_passes),
        cmocka_unit_test(a_graph_with_a_mistake_fails_and_the_next_frame_is_drawn),
        cmocka_unit_test(an_image_without_a_size_is_an_error),
        cmocka_unit_test(pixels_that_were_not_requested_are_not_there),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
