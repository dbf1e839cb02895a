/* Fonts, canvases and user interfaces whose n-th allocation fails. */
#include "cmocka_tests.h"
#include "failing_heap.h"

#include "render/text/font_embedded.h"

#include <cairn/ui.h>

/* Out of memory, things are left out of the frame; nothing is lost for the next ones. */
static void draw_frames(CnUi *ui, CnCanvas *canvas, CnUiDemo *demo)
{
    CnUiInput input = {.delta = 0.1f};
    for (uint32_t i = 0; i < 12; i++) {
        cn_canvas_begin(canvas, 400, 300, 1);
        cn_ui_begin(ui, canvas, &input);
        demo->page = i % 3;
        cn_ui_demo(ui, demo);
        cn_ui_end(ui);
        cn_canvas_end(canvas);
        cn_ui_input_clear(&input);
        cn_ui_input_key(&input, CN_UI_NEXT, 0);
        cn_ui_input_text(&input, cn_text("Gr\xC3\xBC\xC3\x9F"
                                         "e"));
        cn_ui_input_key(&input, CN_UI_SELECT_ALL, 0);
        cn_ui_input_key(&input, CN_UI_COPY, 0);
    }
}

static bool use_everything(CnAllocator *allocator, void *user)
{
    (void)user;
    CnError error = {0};
    CnFonts *fonts = cn_fonts_create(
        &(CnFontsDesc){.allocator = allocator, .atlas_size = 128, .max_atlas_size = 256}, &error);
    if (!fonts) {
        assert_int_equal(error.code, CN_ERROR_MEMORY);
        return false;
    }
    CnFont font;
    bool ok = cn_fonts_add(fonts, cni_render_font_mono,
                           (size_t)(cni_render_font_mono_end - cni_render_font_mono), "mono", &font,
                           &error);
    if (!ok)
        assert_int_equal(error.code, CN_ERROR_MEMORY);
    CnCanvas *canvas =
        ok ? cn_canvas_create(&(CnCanvasDesc){.allocator = allocator, .fonts = fonts}, &error)
           : NULL;
    CnUi *ui =
        canvas ? cn_ui_create(&(CnUiDesc){.allocator = allocator, .fonts = fonts}, &error) : NULL;
    CnUiDemo demo = {0};
    if (ui)
        draw_frames(ui, canvas, &demo);
    ok = ui && cn_canvas_stats(canvas).refused == 0 && cn_fonts_stats(fonts).refused == 0 &&
         cn_ui_stats(ui).refused == 0;
    cn_ui_destroy(ui);
    cn_canvas_destroy(canvas);
    cn_fonts_destroy(fonts);
    return ok;
}

static void every_allocation_may_fail(void **state)
{
    (void)state;
    assert_true(run_with_failing_allocations(use_everything, NULL) > 20);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_allocation_may_fail)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
