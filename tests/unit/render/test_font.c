/* Fonts: measuring, lines, fallbacks, files that are none. */
#include "cmocka_tests.h"

#include "render/text/font_embedded.h"

#include <cairn/render/font.h>

#include <string.h>

#define SANS ((CnFont){CN_FONT_SANS})
#define MONO ((CnFont){CN_FONT_MONO})

typedef struct Fixture {
    CnHeap *heap;
    CnFonts *fonts;
    CnError error;
} Fixture;

static int setup(void **state)
{
    static Fixture fixture;
    fixture = (Fixture){.heap = cn_heap_create(NULL, NULL)};
    fixture.fonts = cn_fonts_create(&(CnFontsDesc){.allocator = cn_heap_tag(fixture.heap, "fonts")},
                                    &fixture.error);
    *state = &fixture;
    return fixture.fonts ? 0 : -1;
}

static int teardown(void **state)
{
    Fixture *fixture = *state;
    cn_fonts_destroy(fixture->fonts);
    int left = (int)cn_heap_stats(fixture->heap).live_blocks;
    cn_heap_destroy(fixture->heap);
    return left;
}

static float width(Fixture *fixture, CnFont font, uint32_t size, const char *text)
{
    return cn_fonts_width(fixture->fonts, font, size, cn_text(text));
}

/* ---- Widths ---- */

static void glyphs_of_a_monospaced_font_have_equal_advances(void **state)
{
    Fixture *fixture = *state;
    assert_float_equal(width(fixture, MONO, 16, "iiii"), width(fixture, MONO, 16, "WWWW"), 0);
    assert_true(width(fixture, SANS, 16, "iiii") < width(fixture, SANS, 16, "WWWW"));
}

static void pairs_are_kerned(void **state)
{
    Fixture *fixture = *state;
    float apart = width(fixture, SANS, 48, "A") + width(fixture, SANS, 48, "V");
    assert_true(width(fixture, SANS, 48, "AV") < apart);
}

static void larger_text_is_wider(void **state)
{
    Fixture *fixture = *state;
    for (uint32_t size = 8; size < 64; size *= 2)
        assert_true(width(fixture, SANS, size, "Cairn") < width(fixture, SANS, 2 * size, "Cairn"));
}

static void sizes_beyond_the_limits_are_brought_there(void **state)
{
    Fixture *fixture = *state;
    assert_float_equal(width(fixture, SANS, 0, "Cairn"),
                       width(fixture, SANS, CN_FONT_MIN_SIZE, "Cairn"), 0);
    assert_float_equal(width(fixture, SANS, 100000, "Cairn"),
                       width(fixture, SANS, CN_FONT_MAX_SIZE, "Cairn"), 0);
}

static void a_tab_is_four_spaces_and_a_line_break_nothing(void **state)
{
    Fixture *fixture = *state;
    assert_float_equal(width(fixture, SANS, 16, "\t"), width(fixture, SANS, 16, "    "), 0);
    assert_float_equal(width(fixture, SANS, 16, "a\nb"), width(fixture, SANS, 16, "ab"), 0);
}

static void bytes_that_are_not_utf8_are_as_wide_as_the_replacement(void **state)
{
    Fixture *fixture = *state;
    assert_float_equal(width(fixture, SANS, 16, "\xFF"), width(fixture, SANS, 16, "\xEF\xBF\xBD"),
                       0);
    assert_float_equal(width(fixture, SANS, 16, "\x01"), width(fixture, SANS, 16, "\xEF\xBF\xBD"),
                       0);
}

static void measuring_makes_no_image(void **state)
{
    Fixture *fixture = *state;
    width(fixture, SANS, 16, "Cairn");
    CnFontsStats stats = cn_fonts_stats(fixture->fonts);
    assert_int_equal(stats.drawn_glyphs, 0);
    assert_int_equal(stats.glyphs, 5);
}

static void measuring_again_calls_no_heap(void **state)
{
    Fixture *fixture = *state;
    width(fixture, SANS, 16, "Grüße, Welt");
    uint64_t before = cn_heap_stats(fixture->heap).calls;
    width(fixture, SANS, 16, "Grüße, Welt");
    assert_int_equal(cn_heap_stats(fixture->heap).calls, before);
}

static void a_line_has_room_for_what_is_above_and_below(void **state)
{
    Fixture *fixture = *state;
    CnFontMetrics metrics = cn_fonts_metrics(fixture->fonts, SANS, 16);
    assert_true(metrics.ascent > 10 && metrics.ascent < 20);
    assert_true(metrics.descent > 2 && metrics.descent < 8);
    assert_true(metrics.line_height >= metrics.ascent + metrics.descent - 1);
}

/* ---- Places ---- */

static void the_place_of_the_end_is_the_width(void **state)
{
    Fixture *fixture = *state;
    CnText text = cn_text("Gr\xC3\xBC\xC3\x9F"
                          "e");
    assert_float_equal(cn_fonts_x_at_byte(fixture->fonts, SANS, 16, text, text.size),
                       cn_fonts_width(fixture->fonts, SANS, 16, text), 0);
    assert_float_equal(cn_fonts_x_at_byte(fixture->fonts, SANS, 16, text, 0), 0, 0);
}

static void a_hit_finds_every_place_again(void **state)
{
    Fixture *fixture = *state;
    CnText text = cn_text("Wer h\xC3\xB6rt \xCE\xBB?");
    for (size_t at = 0; at < text.size;) {
        float x = cn_fonts_x_at_byte(fixture->fonts, SANS, 20, text, at);
        assert_int_equal(cn_fonts_byte_at_x(fixture->fonts, SANS, 20, text, x + 0.1f), at);
        uint32_t character;
        at = cn_utf8_next(text, at, &character);
    }
    assert_int_equal(cn_fonts_byte_at_x(fixture->fonts, SANS, 20, text, 1e6f), text.size);
    assert_int_equal(cn_fonts_byte_at_x(fixture->fonts, SANS, 20, text, -5), 0);
}

static void whole_characters_fit_into_a_width(void **state)
{
    Fixture *fixture = *state;
    CnText text = cn_text("\xC3\xA4\xC3\xA4\xC3\xA4");
    float one = cn_fonts_width(fixture->fonts, MONO, 16, (CnText){text.data, 2});
    assert_int_equal(cn_fonts_fit(fixture->fonts, MONO, 16, text, 2.5f * one), 4);
    assert_int_equal(cn_fonts_fit(fixture->fonts, MONO, 16, text, 0.5f * one), 0);
}

/* ---- Lines ---- */

/* The lines, with | between them. */
static const char *lines(Fixture *fixture, const char *text, float wrap_width)
{
    static char all[256];
    all[0] = '\0';
    CnText rest = cn_text(text), line;
    while (cn_fonts_next_line(fixture->fonts, MONO, 16, wrap_width, &rest, &line))
        cn_format(all + strlen(all), sizeof all - strlen(all), "%s%.*s", all[0] ? "|" : "",
                  (int)line.size, line.data);
    return all;
}

static void lines_end_at_line_breaks(void **state)
{
    assert_string_equal(lines(*state, "one two\n\nthree", 0), "one two||three");
}

static void words_go_to_the_next_line(void **state)
{
    float advance = width(*state, MONO, 16, "x");
    assert_string_equal(lines(*state, "one two three", 8 * advance), "one two|three");
}

static void blanks_between_lines_belong_to_none(void **state)
{
    float advance = width(*state, MONO, 16, "x");
    assert_string_equal(lines(*state, "one     two", 5 * advance), "one|two");
}

static void a_long_word_is_cut(void **state)
{
    float advance = width(*state, MONO, 16, "x");
    assert_string_equal(lines(*state, "abcdefgh", 3 * advance), "abc|def|gh");
}

static void wrapping_at_a_width_smaller_than_a_glyph_ends(void **state)
{
    assert_string_equal(lines(*state, "abc", 1), "a|b|c");
}

static void a_word_after_a_blank_that_exactly_fits_stays(void **state)
{
    float advance = width(*state, MONO, 16, "x");
    assert_string_equal(lines(*state, "ab cd", 5 * advance), "ab cd");
}

/* ---- Fonts of one's own ---- */

static void a_font_from_bytes_measures_like_the_same_one_inside(void **state)
{
    Fixture *fixture = *state;
    CnFont font;
    size_t size = (size_t)(cni_render_font_mono_end - cni_render_font_mono);
    assert_true(
        cn_fonts_add(fixture->fonts, cni_render_font_mono, size, "mono", &font, &fixture->error));
    assert_int_not_equal(font.id, CN_FONT_MONO);
    assert_float_equal(width(fixture, font, 20, "Cairn"), width(fixture, MONO, 20, "Cairn"), 0);
}

static void bytes_that_are_no_font_are_refused(void **state)
{
    Fixture *fixture = *state;
    CnFont font = {7};
    assert_false(cn_fonts_add(fixture->fonts, "nothing", 7, "x.ttf", &font, &fixture->error));
    assert_int_equal(fixture->error.code, CN_ERROR_FORMAT);
    assert_non_null(strstr(fixture->error.message, "x.ttf"));
    assert_int_equal(font.id, CN_FONT_SANS);
    assert_false(cn_fonts_add(fixture->fonts, "", 0, "empty.ttf", &font, &fixture->error));
    assert_int_equal(fixture->error.code, CN_ERROR_FORMAT);
}

static void a_file_that_is_not_there_is_an_error(void **state)
{
    Fixture *fixture = *state;
    CnFont font;
    assert_false(
        cn_fonts_load(fixture->fonts, cn_native_files(), "no/such.ttf", &font, &fixture->error));
    assert_int_equal(fixture->error.code, CN_ERROR_NOT_FOUND);
}

static void there_are_so_many_fonts_and_no_more(void **state)
{
    Fixture *fixture = *state;
    size_t size = (size_t)(cni_render_font_mono_end - cni_render_font_mono);
    CnFont font;
    for (uint32_t i = 2; i < CN_MAX_FONTS; i++)
        assert_true(cn_fonts_add(fixture->fonts, cni_render_font_mono, size, "mono", &font, NULL));
    assert_false(
        cn_fonts_add(fixture->fonts, cni_render_font_mono, size, "mono", &font, &fixture->error));
    assert_int_equal(fixture->error.code, CN_ERROR_LIMIT);
}

static void what_mono_does_not_have_comes_from_sans(void **state)
{
    Fixture *fixture = *state;
    /* Hebrew alef: only DejaVu Sans has it, and it is not as wide as letters of the mono font. */
    const char *alef = "\xD7\x90";
    assert_float_equal(width(fixture, MONO, 32, alef), width(fixture, SANS, 32, alef), 0);
    assert_true(width(fixture, MONO, 32, alef) != width(fixture, MONO, 32, "a"));
}

static void a_circle_of_fallbacks_is_an_error(void **state)
{
    Fixture *fixture = *state;
    assert_false(cn_fonts_set_fallback(fixture->fonts, SANS, MONO, &fixture->error));
    assert_int_equal(fixture->error.code, CN_ERROR_CYCLE);
    assert_false(cn_fonts_set_fallback(fixture->fonts, SANS, SANS, &fixture->error));
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
    const struct CMUnitTest tests[] = {
        TEST(glyphs_of_a_monospaced_font_have_equal_advances),
        TEST(pairs_are_kerned),
        TEST(larger_text_is_wider),
        TEST(sizes_beyond_the_limits_are_brought_there),
        TEST(a_tab_is_four_spaces_and_a_line_break_nothing),
        TEST(bytes_that_are_not_utf8_are_as_wide_as_the_replacement),
        TEST(measuring_makes_no_image),
        TEST(measuring_again_calls_no_heap),
        TEST(a_line_has_room_for_what_is_above_and_below),
        TEST(the_place_of_the_end_is_the_width),
        TEST(a_hit_finds_every_place_again),
        TEST(whole_characters_fit_into_a_width),
        TEST(lines_end_at_line_breaks),
        TEST(words_go_to_the_next_line),
        TEST(blanks_between_lines_belong_to_none),
        TEST(a_long_word_is_cut),
        TEST(wrapping_at_a_width_smaller_than_a_glyph_ends),
        TEST(a_word_after_a_blank_that_exactly_fits_stays),
        TEST(a_font_from_bytes_measures_like_the_same_one_inside),
        TEST(bytes_that_are_no_font_are_refused),
        TEST(a_file_that_is_not_there_is_an_error),
        TEST(there_are_so_many_fonts_and_no_more),
        TEST(what_mono_does_not_have_comes_from_sans),
        TEST(a_circle_of_fallbacks_is_an_error),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
