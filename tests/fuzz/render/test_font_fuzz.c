/* Fonts with bytes changed, cut off or made up: an error, or something that can be measured and
 * drawn. */
#include "cmocka_tests.h"

#include "random.h"
#include "render/text/font_embedded.h"

#include <cairn/render/canvas.h>

#include <string.h>

static void use(CnFonts *fonts, CnFont font)
{
    CnCanvas *canvas = cn_canvas_create(&(CnCanvasDesc){.fonts = fonts}, NULL);
    static const float sizes[] = {5, 17, 250};
    for (size_t i = 0; i < CN_COUNT_OF(sizes); i++) {
        cn_canvas_begin(canvas, 500, 300, 1);
        CnTextStyle style = {.font = font, .size = sizes[i], .color = cn_rgb(0xFFFFFF)};
        CnText text = cn_text("AVWa g\xC3\xA4\xCE\xBB\xD0\x96 \xE2\x82\xAC\xFF");
        CnVec2 size = cn_canvas_text_size(canvas, &style, text, 200);
        assert_true(size.x >= 0 && size.x < 1e5f && size.y >= 0 && size.y < 1e5f);
        cn_canvas_text(canvas, 10, 10, &style, text);
        cn_canvas_text_byte_at_x(canvas, &style, text, 50);
        cn_canvas_end(canvas);
    }
    cn_canvas_destroy(canvas);
}

static void try_font(const uint8_t *bytes, size_t size)
{
    CnFonts *fonts = cn_fonts_create(&(CnFontsDesc){.max_atlas_size = 512}, NULL);
    assert_non_null(fonts);
    CnFont font;
    CnError error = {0};
    if (cn_fonts_add(fonts, bytes, size, "fuzzed", &font, &error))
        use(fonts, font);
    else
        assert_int_not_equal(error.code, CN_OK);
    cn_fonts_destroy(fonts);
}

/* Seldom in the directory of tables, where a change makes it no font at all. */
static void damage(TestRandom *random, uint8_t *bytes, size_t size)
{
    uint32_t changes = 1 + test_random_below(random, 400);
    for (uint32_t i = 0; i < changes; i++) {
        size_t range = test_random_chance(random, 1) ? 512 : size;
        size_t at = test_random_below(random, (uint32_t)range);
        bytes[at] = test_random_chance(random, 30) ? 0xFF : (uint8_t)test_random(random);
    }
}

static void damaged_fonts_are_errors_or_work(void **state)
{
    (void)state;
    size_t size = (size_t)(cni_render_font_mono_end - cni_render_font_mono);
    uint8_t *bytes = cn_alloc(NULL, size);
    for (uint32_t seed = 1; seed <= 250; seed++) {
        TestRandom random = {.state = seed};
        memcpy(bytes, cni_render_font_mono, size);
        damage(&random, bytes, size);
        try_font(bytes, size);
    }
    cn_free(NULL, bytes, size);
}

static void fonts_that_are_cut_off_are_errors_or_work(void **state)
{
    (void)state;
    size_t size = (size_t)(cni_render_font_mono_end - cni_render_font_mono);
    for (uint32_t i = 1; i <= 24; i++) {
        size_t part = size >> i;
        /* A copy of its own, so that reading beyond its end shows. */
        uint8_t *bytes = part ? cn_alloc(NULL, part) : NULL;
        if (bytes)
            memcpy(bytes, cni_render_font_mono, part);
        try_font(bytes, part);
        cn_free(NULL, bytes, part);
    }
}

static void random_bytes_are_no_font(void **state)
{
    (void)state;
    static const char *const heads[] = {"\0\1\0\0", "OTTO", "ttcf",    "true",
                                        "%!PS",     "wOFF", "\1\0\4\1"};
    uint8_t bytes[600];
    for (uint32_t seed = 1; seed <= 200; seed++) {
        TestRandom random = {.state = seed};
        for (size_t i = 0; i < sizeof bytes; i++)
            bytes[i] = (uint8_t)(test_random_chance(&random, 50) ? test_random(&random) : 0);
        memcpy(bytes, heads[seed % CN_COUNT_OF(heads)], 4);
        try_font(bytes, sizeof bytes);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(damaged_fonts_are_errors_or_work),
        cmocka_unit_test(fonts_that_are_cut_off_are_errors_or_work),
        cmocka_unit_test(random_bytes_are_no_font),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
