/* test-labels: rendering */
/* Previews: what they show, and that nobody waits for them. */
#include "render_fixture.h"

#include <stdlib.h>
#include <string.h>

#define WIDTH 16u
#define HEIGHT 9u

static RenderFixture fixture;
static CnPreview *preview;
static uint8_t rgba[WIDTH * HEIGHT * 4];

/* A wall that is red on the left and green on the right. */
static bool begin(RenderBackend backend)
{
    static const CnRenderOptions plain = {
        .shadow = CN_SWITCH_OFF, .ao = CN_SWITCH_OFF, .taa = CN_SWITCH_OFF, .ambient = {1, 1, 1}};
    if (!render_fixture_init(&fixture, backend))
        return false;
    assert_true(cn_preset_forward(fixture.renderer, &plain, NULL, &fixture.error));
    preview = cn_preview_create(NULL, WIDTH, HEIGHT, &fixture.error);
    assert_non_null(preview);
    render_fixture_add(&fixture, &cn_feature_preview, &(CnPreviewOptions){.preview = preview});
    const CnVec4 colors[] = {{0.8f, 0, 0, 1}, {0, 0.8f, 0, 1}};
    for (uint32_t i = 0; i < 2; i++) {
        const char *name = i ? "Green" : "Red";
        assert_true(cn_material_create(fixture.renderer,
                                       &(CnMaterialDesc){.name = name, .base_color = colors[i]},
                                       &fixture.error)
                        .id);
        render_fixture_item(&fixture, "shapes://quad", name, cn_vec3(i ? 5 : -5, 0, 0), 10);
    }
    render_fixture_camera(&fixture, cn_vec3(0, 0, 2), cn_vec3(0, 0, 0), 60);
    return true;
}

static void end(void)
{
    cn_renderer_remove_feature(fixture.renderer, cn_renderer_feature(fixture.renderer, "Preview"));
    cn_preview_destroy(preview);
    render_fixture_fini(&fixture);
}

/* Returns the number of frames until the preview is there; 0: it does not come. */
static uint32_t frames_until_taken(void)
{
    for (uint32_t i = 1; i < 10; i++) {
        render_fixture_draw(&fixture, 1);
        if (cn_preview_take(preview, rgba))
            return i;
    }
    return 0;
}

static const uint8_t *pixel_at(uint32_t x, uint32_t y)
{
    return rgba + (y * WIDTH + x) * 4;
}

/* As the image, up to rounding and dithering. */
static void assert_as_image(const uint8_t *small, const uint8_t *image)
{
    for (uint32_t i = 0; i < 3; i++)
        assert_in_range(abs(small[i] - image[i]), 0, 3);
    assert_int_equal(small[3], 255);
}

static void a_preview_shows_the_image(void **state)
{
    (void)state;
    if (!begin(RENDER_VULKAN))
        skip();
    cn_preview_request(preview);
    assert_true(frames_until_taken());
    assert_as_image(pixel_at(3, 4), render_fixture_pixel(&fixture, 70, 90));
    assert_as_image(pixel_at(12, 4), render_fixture_pixel(&fixture, 250, 90));
    assert_true(pixel_at(3, 4)[0] > 100 && pixel_at(3, 4)[1] < 60);
    assert_true(pixel_at(12, 4)[1] > 100 && pixel_at(12, 4)[0] < 60);
    end();
}

static void a_wider_image_is_cut_at_its_sides(void **state)
{
    (void)state;
    if (!begin(RENDER_VULKAN))
        skip();
    fixture.frame_desc.width = 640;
    fixture.frame_desc.height = 90;
    cn_preview_request(preview);
    assert_true(frames_until_taken());
    assert_as_image(pixel_at(0, 4), render_fixture_pixel(&fixture, 245, 45));
    assert_as_image(pixel_at(15, 4), render_fixture_pixel(&fixture, 395, 45));
    end();
}

static void a_preview_contains_no_user_interface(void **state)
{
    (void)state;
    if (!begin(RENDER_VULKAN))
        skip();
    CnFonts *fonts = cn_fonts_create(NULL, &fixture.error);
    CnCanvas *canvas = cn_canvas_create(&(CnCanvasDesc){.fonts = fonts}, &fixture.error);
    cn_canvas_begin(canvas, RENDER_FIXTURE_WIDTH, RENDER_FIXTURE_HEIGHT, 1);
    cn_canvas_fill(canvas, (CnRect){0, 0, 320, 180}, cn_rgb(0xFFFFFF));
    cn_canvas_end(canvas);
    render_fixture_add(&fixture, &cn_feature_ui, NULL);
    fixture.frame_desc.canvas = canvas;
    cn_preview_request(preview);
    assert_true(frames_until_taken());
    assert_int_equal(render_fixture_pixel(&fixture, 70, 90)[1], 255);
    assert_true(pixel_at(3, 4)[1] < 60);
    end();
    cn_canvas_destroy(canvas);
    cn_fonts_destroy(fonts);
}

/* ---- Without a device ---- */

static void nothing_is_copied_without_a_request(void **state)
{
    (void)state;
    assert_true(begin(RENDER_NULL));
    render_fixture_draw(&fixture, 3);
    uint32_t passes = cn_graph_stats(cn_renderer_graph(fixture.renderer)).passes;
    assert_false(cn_preview_take(preview, rgba));
    cn_preview_request(preview);
    assert_true(cn_preview_is_requested(preview));
    render_fixture_draw(&fixture, 1);
    assert_int_equal(cn_graph_stats(cn_renderer_graph(fixture.renderer)).passes, passes + 2);
    render_fixture_draw(&fixture, 1);
    assert_int_equal(cn_graph_stats(cn_renderer_graph(fixture.renderer)).passes, passes);
    end();
}

static void a_preview_is_taken_once(void **state)
{
    (void)state;
    assert_true(begin(RENDER_NULL));
    cn_preview_request(preview);
    assert_true(frames_until_taken());
    assert_false(cn_preview_take(preview, rgba));
    assert_false(cn_preview_is_requested(preview));
    end();
}

static void a_feature_that_replaces_another_makes_the_copy(void **state)
{
    (void)state;
    assert_true(begin(RENDER_NULL));
    cn_preview_request(preview);
    render_fixture_draw(&fixture, 1);
    CnFeature *old = cn_renderer_feature(fixture.renderer, "Preview");
    render_fixture_add(&fixture, &cn_feature_preview, &(CnPreviewOptions){.preview = preview});
    cn_renderer_remove_feature(fixture.renderer, old);
    assert_true(frames_until_taken());
    end();
}

static void wrong_sizes_are_refused(void **state)
{
    (void)state;
    CnError error = {0};
    assert_null(cn_preview_create(NULL, 0, 9, &error));
    assert_null(cn_preview_create(NULL, 16, CN_PREVIEW_MAX_SIZE + 1, &error));
    assert_int_equal(error.code, CN_ERROR_LIMIT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_preview_shows_the_image),
        cmocka_unit_test(a_wider_image_is_cut_at_its_sides),
        cmocka_unit_test(a_preview_contains_no_user_interface),
        cmocka_unit_test(nothing_is_copied_without_a_request),
        cmocka_unit_test(a_preview_is_taken_once),
        cmocka_unit_test(a_feature_that_replaces_another_makes_the_copy),
        cmocka_unit_test(wrong_sizes_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
