/*
 * A user interface on a canvas that is not rendered, with simulated input.
 *
 *     static void draw(UiFixture *fixture)
 *     {
 *         ...widgets...
 *         fixture->rects[0] = cn_ui_last_rect(fixture->ui);
 *     }
 *
 *     UiFixture fixture;
 *     ui_fixture_init(&fixture, draw);          // in a panel; runs two frames
 *     ui_fixture_click(&fixture, fixture.rects[0]);
 *     ui_fixture_fini(&fixture);
 */
#ifndef CAIRN_TESTS_SUPPORT_UI_UI_FIXTURE_H
#define CAIRN_TESTS_SUPPORT_UI_UI_FIXTURE_H

#include "cmocka_tests.h"

#include <cairn/ui.h>

#include <string.h>

typedef struct UiFixture UiFixture;
typedef void (*UiFixtureDraw)(UiFixture *fixture);

struct UiFixture {
    CnHeap *heap;
    CnFonts *fonts;
    CnCanvas *canvas;
    CnUi *ui;
    CnUiInput input; /* of the next frame */
    UiFixtureDraw draw;
    bool own_windows; /* `draw` opens its own windows */
    float scale;
    CnRect rects[16];
    CnError error;
    void *user;
};

static inline void ui_fixture_frame(UiFixture *fixture)
{
    cn_canvas_begin(fixture->canvas, 400, 300, fixture->scale);
    cn_ui_begin(fixture->ui, fixture->canvas, &fixture->input);
    if (fixture->own_windows) {
        fixture->draw(fixture);
    } else {
        cn_ui_begin_window(
            fixture->ui,
            &(CnUiWindow){.title = "test", .rect = {0, 0, 300, 300}, .flags = CN_UI_PANEL});
        fixture->draw(fixture);
        cn_ui_end_window(fixture->ui);
    }
    cn_ui_end(fixture->ui);
    cn_canvas_end(fixture->canvas);
    cn_ui_input_clear(&fixture->input);
}

static inline void ui_fixture_init_plain(UiFixture *fixture, UiFixtureDraw draw)
{
    *fixture = (UiFixture){.heap = cn_heap_create(NULL, NULL), .draw = draw, .scale = 1};
    CnAllocator *allocator = cn_heap_tag(fixture->heap, "ui");
    fixture->fonts = cn_fonts_create(&(CnFontsDesc){.allocator = allocator}, &fixture->error);
    fixture->canvas =
        cn_canvas_create(&(CnCanvasDesc){.allocator = allocator, .fonts = fixture->fonts}, NULL);
    fixture->ui = cn_ui_create(&(CnUiDesc){.allocator = allocator, .fonts = fixture->fonts}, NULL);
    assert_non_null(fixture->ui);
    fixture->input.delta = 1.0f / 60;
    fixture->input.mouse = (CnVec2){-100, -100};
}

static inline void ui_fixture_init(UiFixture *fixture, UiFixtureDraw draw)
{
    ui_fixture_init_plain(fixture, draw);
    ui_fixture_frame(fixture);
    ui_fixture_frame(fixture);
}

/* For a `draw` function that opens its own windows. */
static inline void ui_fixture_init_windows(UiFixture *fixture, UiFixtureDraw draw)
{
    ui_fixture_init_plain(fixture, draw);
    fixture->own_windows = true;
    ui_fixture_frame(fixture);
    ui_fixture_frame(fixture);
}

static inline void ui_fixture_fini(UiFixture *fixture)
{
    cn_ui_destroy(fixture->ui);
    cn_canvas_destroy(fixture->canvas);
    cn_fonts_destroy(fixture->fonts);
    assert_int_equal(cn_heap_stats(fixture->heap).live_blocks, 0);
    cn_heap_destroy(fixture->heap);
}

/* ---- Input ---- */

static inline void ui_fixture_mouse(UiFixture *fixture, float x, float y)
{
    fixture->input.mouse = (CnVec2){x * fixture->scale, y * fixture->scale};
    ui_fixture_frame(fixture);
}

static inline void ui_fixture_press(UiFixture *fixture)
{
    fixture->input.mouse_held = fixture->input.mouse_pressed = 1u << CN_MOUSE_LEFT;
    ui_fixture_frame(fixture);
}

static inline void ui_fixture_release(UiFixture *fixture)
{
    fixture->input.mouse_held = 0;
    fixture->input.mouse_released = 1u << CN_MOUSE_LEFT;
    ui_fixture_frame(fixture);
}

static inline void ui_fixture_click_at(UiFixture *fixture, float x, float y)
{
    ui_fixture_mouse(fixture, x, y);
    ui_fixture_press(fixture);
    ui_fixture_release(fixture);
}

static inline void ui_fixture_click(UiFixture *fixture, CnRect rect)
{
    ui_fixture_click_at(fixture, rect.x + rect.width / 2, rect.y + rect.height / 2);
}

/* Drags from one position to another with the button held; it is not released. */
static inline void ui_fixture_drag(UiFixture *fixture, float x0, float y0, float x1, float y1)
{
    ui_fixture_mouse(fixture, x0, y0);
    ui_fixture_press(fixture);
    ui_fixture_mouse(fixture, x1, y1);
}

static inline void ui_fixture_key_with(UiFixture *fixture, CnUiKey key, uint32_t modifiers)
{
    cn_ui_input_key(&fixture->input, key, modifiers);
    ui_fixture_frame(fixture);
}

static inline void ui_fixture_key(UiFixture *fixture, CnUiKey key)
{
    ui_fixture_key_with(fixture, key, 0);
}

static inline void ui_fixture_type(UiFixture *fixture, const char *text)
{
    cn_ui_input_text(&fixture->input, cn_text(text));
    ui_fixture_frame(fixture);
}

#endif
