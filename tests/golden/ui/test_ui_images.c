/* Images of widgets and of the overlay. */
#include "golden_image.h"

#include <cairn/ui.h>

#include <string.h>

#define WIDTH 400
#define HEIGHT 348

typedef struct Fixture {
    RenderFixture render;
    CnFonts *fonts;
    CnCanvas *canvas;
    CnUi *ui;
    CnUiInput input;
    CnUiDemo demo;
} Fixture;

static bool begin(Fixture *fixture)
{
    *fixture = (Fixture){0};
    if (!render_fixture_init(&fixture->render, RENDER_VULKAN))
        return false;
    render_fixture_add(&fixture->render, &cn_feature_ui, NULL);
    fixture->fonts = cn_fonts_create(NULL, NULL);
    fixture->canvas = cn_canvas_create(&(CnCanvasDesc){.fonts = fixture->fonts}, NULL);
    fixture->ui = cn_ui_create(&(CnUiDesc){.fonts = fixture->fonts}, NULL);
    assert_non_null(fixture->ui);
    fixture->render.frame_desc.width = WIDTH;
    fixture->render.frame_desc.height = HEIGHT;
    fixture->render.frame_desc.canvas = fixture->canvas;
    fixture->input.mouse = (CnVec2){-10, -10};
    fixture->input.delta = 1.0f / 60;
    return true;
}

static void begin_canvas(Fixture *fixture)
{
    cn_canvas_begin(fixture->canvas, WIDTH, HEIGHT, 1);
    cn_canvas_box(fixture->canvas, cn_canvas_area(fixture->canvas),
                  &(CnBoxStyle){.fill = cn_rgb(0x6C8CA8),
                                .gradient = CN_GRADIENT_VERTICAL,
                                .fill_to = cn_rgb(0x3F5A4A)});
}

static void frame(Fixture *fixture)
{
    begin_canvas(fixture);
    cn_ui_begin(fixture->ui, fixture->canvas, &fixture->input);
    cn_ui_demo(fixture->ui, &fixture->demo);
    cn_ui_end(fixture->ui);
    cn_canvas_end(fixture->canvas);
    cn_ui_input_clear(&fixture->input);
}

/* The page, after everything has its place. */
static void open_page(Fixture *fixture, uint32_t page)
{
    frame(fixture);
    fixture->demo.page = page;
    for (int i = 0; i < 3; i++)
        frame(fixture);
}

static void press(Fixture *fixture, CnUiKey key, uint32_t times)
{
    for (uint32_t i = 0; i < times; i++) {
        cn_ui_input_key(&fixture->input, key, 0);
        frame(fixture);
    }
}

static void end(Fixture *fixture, const char *name)
{
    render_fixture_draw(&fixture->render, 1);
    assert_golden_image(name, &fixture->render);
    cn_ui_destroy(fixture->ui);
    cn_canvas_destroy(fixture->canvas);
    cn_fonts_destroy(fixture->fonts);
    render_fixture_fini(&fixture->render);
}

static void the_page_of_options(void **state)
{
    (void)state;
    Fixture fixture;
    if (!begin(&fixture))
        return;
    open_page(&fixture, 0);
    end(&fixture, "ui_options");
}

static void an_open_combo_and_the_keyboard(void **state)
{
    (void)state;
    Fixture fixture;
    if (!begin(&fixture))
        return;
    open_page(&fixture, 0);
    press(&fixture, CN_UI_NEXT, 7);
    press(&fixture, CN_UI_ACTIVATE, 1);
    press(&fixture, CN_UI_DOWN, 1);
    frame(&fixture);
    end(&fixture, "ui_combo");
}

static void a_field_that_is_written_into(void **state)
{
    (void)state;
    Fixture fixture;
    if (!begin(&fixture))
        return;
    open_page(&fixture, 1);
    strcpy(fixture.demo.password, "geheim");
    press(&fixture, CN_UI_NEXT, 4);
    cn_ui_input_text(&fixture.input, cn_text("Zoë Größenwahn"));
    frame(&fixture);
    for (int i = 0; i < 5; i++)
        cn_ui_input_key(&fixture.input, CN_UI_LEFT, CN_UI_SHIFT);
    frame(&fixture);
    frame(&fixture);
    end(&fixture, "ui_field");
}

static void a_list_scrolled_to_its_end_in_the_light_theme(void **state)
{
    (void)state;
    Fixture fixture;
    if (!begin(&fixture))
        return;
    *cn_ui_theme(fixture.ui) = cn_ui_theme_light();
    open_page(&fixture, 2);
    press(&fixture, CN_UI_NEXT, 4);
    press(&fixture, CN_UI_END, 1);
    frame(&fixture);
    end(&fixture, "ui_list");
}

static void a_tooltip_over_a_window_over_a_window(void **state)
{
    (void)state;
    Fixture fixture;
    if (!begin(&fixture))
        return;
    for (int i = 0; i < 60; i++) {
        begin_canvas(&fixture);
        fixture.input.mouse = (CnVec2){170, 178};
        cn_ui_begin(fixture.ui, fixture.canvas, &fixture.input);
        cn_ui_demo(fixture.ui, &fixture.demo);
        if (cn_ui_begin_window(fixture.ui,
                               &(CnUiWindow){.title = "In front", .rect = {130, 120, 200, 150}})) {
            cn_ui_button(fixture.ui, "Hover");
            cn_ui_tooltip(fixture.ui,
                          "Tells what the button does, in as many lines as it takes to say it.");
            cn_ui_text(
                fixture.ui,
                "A window lies over another, and its text is wrapped, and it is scrolled because it is too long.");
            cn_ui_button(fixture.ui, "Below");
        }
        cn_ui_end_window(fixture.ui);
        cn_ui_end(fixture.ui);
        cn_canvas_end(fixture.canvas);
    }
    end(&fixture, "ui_windows");
}

/* ---- The overlay ---- */

static CnOverlayData *overlay_data(CnOverlayPage page)
{
    static CnOverlayData data;
    data = (CnOverlayData){.page = page,
                           .title = "Cairn",
                           .device = "a device of tests",
                           .width = WIDTH,
                           .height = HEIGHT,
                           .tick = 123456,
                           .entities = 120000,
                           .triangles = 1234567,
                           .items = 10000,
                           .visible_items = 4321,
                           .draws = 4321,
                           .draw_calls = 99,
                           .lights = 500,
                           .visible_lights = 123,
                           .gpu_used_bytes = 123ull << 20,
                           .gpu_reserved_bytes = 256ull << 20,
                           .camera = {1.5f, 2, -3.25f},
                           .more = {"chunks     1,024"},
                           .graph = {.passes = 12,
                                     .culled_passes = 1,
                                     .resources = 25,
                                     .barriers = 31,
                                     .barrier_calls = 12,
                                     .transient_bytes = 99ull << 20,
                                     .placed_bytes = 51ull << 20,
                                     .heap_bytes = 64ull << 20,
                                     .persistent_bytes = 9ull << 20,
                                     .microseconds = 2345}};
    for (int i = 0; i < 220; i++)
        cn_overlay_add_frame(&data, 16.0f + (float)(i % 5) + (i % 37 == 0 ? 12.0f : 0),
                             1.5f + 0.3f * (float)(i % 11), 7 + 0.4f * (float)(i % 7));
    static const char *const names[] = {"shadow 0", "shadow 1", "geometry", "ambient occlusion",
                                        "sky",      "deferred", "lights",   "taa",
                                        "bloom",    "tone map", "glyphs",   "ui"};
    for (uint32_t i = 0; i < CN_COUNT_OF(names); i++) {
        CnOverlayPass *pass = &data.passes[data.pass_count++];
        *pass = (CnOverlayPass){.microseconds = 20 + (float)(i * 137 % 400),
                                .kind = i == 3    ? CN_GRAPH_COMPUTE
                                        : i == 10 ? CN_GRAPH_TRANSFER
                                                  : CN_GRAPH_GRAPHICS,
                                .is_culled = i == 4};
        cn_copy_text(pass->name, sizeof pass->name, cn_text(names[i]));
    }
    return &data;
}

static void show_overlay(CnOverlayPage page, const char *name)
{
    Fixture fixture;
    if (!begin(&fixture))
        return;
    begin_canvas(&fixture);
    cn_overlay_draw(fixture.canvas, overlay_data(page));
    cn_canvas_end(fixture.canvas);
    end(&fixture, name);
}

static void the_overlay_with_times_and_counts(void **state)
{
    (void)state;
    show_overlay(CN_OVERLAY_SUMMARY, "ui_overlay");
}

static void the_overlay_with_passes(void **state)
{
    (void)state;
    show_overlay(CN_OVERLAY_PASSES, "ui_overlay_passes");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_page_of_options),
        cmocka_unit_test(an_open_combo_and_the_keyboard),
        cmocka_unit_test(a_field_that_is_written_into),
        cmocka_unit_test(a_list_scrolled_to_its_end_in_the_light_theme),
        cmocka_unit_test(a_tooltip_over_a_window_over_a_window),
        cmocka_unit_test(the_overlay_with_times_and_counts),
        cmocka_unit_test(the_overlay_with_passes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
