/* The atlas: growing, throwing out, what canvases keep. */
#include "cmocka_tests.h"

#include "random.h"
#include "render/text/canvas_internal.h"

#include <string.h>

typedef struct Fixture {
    CnFonts *fonts;
    CnCanvas *canvas, *other;
} Fixture;

static void begin(Fixture *fixture, uint32_t first, uint32_t most)
{
    fixture->fonts =
        cn_fonts_create(&(CnFontsDesc){.atlas_size = first, .max_atlas_size = most}, NULL);
    fixture->canvas = cn_canvas_create(&(CnCanvasDesc){.fonts = fixture->fonts}, NULL);
    fixture->other = cn_canvas_create(&(CnCanvasDesc){.fonts = fixture->fonts}, NULL);
    assert_non_null(fixture->other);
}

static void end(Fixture *fixture)
{
    cn_canvas_destroy(fixture->canvas);
    cn_canvas_destroy(fixture->other);
    cn_fonts_destroy(fixture->fonts);
}

/* One frame of a canvas with `count` characters from `first` on. */
static void show(CnCanvas *canvas, uint32_t first, uint32_t count, float size)
{
    cn_canvas_begin(canvas, 100, 100, 1);
    for (uint32_t i = 0; i < count; i++) {
        char bytes[4];
        size_t bytes_count = cn_utf8_write(first + i, bytes);
        cn_canvas_text(canvas, 5, 5, &(CnTextStyle){.size = size, .color = cn_rgb(0xFFFFFF)},
                       (CnText){bytes, bytes_count});
    }
    cn_canvas_end(canvas);
}

/* A hash of the pixels that each shape of a canvas would be drawn with. */
static uint64_t hash_of_shapes(const CnCanvas *canvas)
{
    const CnFonts *fonts = canvas->fonts;
    uint64_t hash = 1;
    for (uint32_t i = 0; i < canvas->shapes.count; i++) {
        const CniRenderCanvasShape *shape = &canvas->shapes.items[i];
        for (uint32_t y = 0; y < (uint32_t)shape->rect.height; y++) {
            size_t row = ((size_t)shape->glyph.y + y) * fonts->atlas_size + (size_t)shape->glyph.x;
            hash = cn_hash_bytes(fonts->pixels + row, (size_t)shape->rect.width, hash);
        }
    }
    return hash;
}

static void check_no_overlap(const CnFonts *fonts)
{
    uint8_t *taken = cn_alloc_zeroed(NULL, (size_t)fonts->atlas_size * fonts->atlas_size);
    for (uint32_t i = 0; i < fonts->glyphs.count; i++) {
        const CniRenderGlyph *glyph = cn_hash_map_value(&fonts->glyphs, i);
        for (uint32_t y = 0; glyph->shelf && y < glyph->height; y++) {
            for (uint32_t x = 0; x < glyph->width; x++) {
                size_t at = (size_t)(glyph->y + y) * fonts->atlas_size + glyph->x + x;
                assert_true(glyph->x + x < fonts->atlas_size && glyph->y + y < fonts->atlas_size);
                assert_int_equal(taken[at], 0);
                taken[at] = 1;
            }
        }
    }
    cn_free(NULL, taken, (size_t)fonts->atlas_size * fonts->atlas_size);
    uint32_t y = 0;
    for (uint32_t i = 0; i < fonts->shelf_count; i++) {
        assert_int_equal(fonts->shelves[i].y, y);
        y += fonts->shelves[i].height;
    }
    assert_int_equal(y, fonts->atlas_rows);
}

static void a_glyph_is_drawn_once(void **state)
{
    (void)state;
    Fixture fixture;
    begin(&fixture, 128, 128);
    show(fixture.canvas, 'a', 3, 16);
    show(fixture.canvas, 'a', 3, 16);
    assert_int_equal(cn_fonts_stats(fixture.fonts).rendered, 3);
    end(&fixture);
}

static void the_atlas_grows_and_glyphs_stay_where_they_are(void **state)
{
    (void)state;
    Fixture fixture;
    begin(&fixture, 64, 512);
    show(fixture.canvas, 'a', 4, 16);
    uint64_t before = hash_of_shapes(fixture.canvas);
    show(fixture.other, 'A', 50, 40);
    assert_true(cn_fonts_stats(fixture.fonts).atlas_size > 64);
    assert_int_equal(cn_fonts_stats(fixture.fonts).evicted, 0);
    assert_true(hash_of_shapes(fixture.canvas) == before);
    check_no_overlap(fixture.fonts);
    end(&fixture);
}

static void old_glyphs_make_room(void **state)
{
    (void)state;
    Fixture fixture;
    begin(&fixture, 128, 128);
    for (uint32_t i = 0; i < 40; i++)
        show(fixture.canvas, 0x400 + i * 5, 5, 24);
    CnFontsStats stats = cn_fonts_stats(fixture.fonts);
    assert_true(stats.evicted > 0);
    assert_int_equal(stats.refused, 0);
    check_no_overlap(fixture.fonts);
    end(&fixture);
}

static void a_canvas_that_may_be_drawn_keeps_its_glyphs(void **state)
{
    (void)state;
    Fixture fixture;
    begin(&fixture, 128, 128);
    show(fixture.canvas, 'a', 10, 16);
    uint64_t before = hash_of_shapes(fixture.canvas);
    for (uint32_t i = 0; i < 60; i++) {
        show(fixture.other, 0x400 + i * 5, 5, 24);
        assert_true(hash_of_shapes(fixture.canvas) == before);
    }
    end(&fixture);
}

static void a_full_atlas_leaves_glyphs_out_and_counts_them(void **state)
{
    (void)state;
    Fixture fixture;
    begin(&fixture, 64, 64);
    show(fixture.canvas, 'A', 26, 40);
    CnFontsStats stats = cn_fonts_stats(fixture.fonts);
    assert_true(stats.refused > 0);
    assert_true(fixture.canvas->shapes.count > 0 && fixture.canvas->shapes.count < 26);
    /* The next frame has other glyphs: those that are not shown any more make room. */
    show(fixture.canvas, 'a', 1, 40);
    assert_int_equal(fixture.canvas->shapes.count, 1);
    end(&fixture);
}

static void low_shelves_are_joined_for_a_high_glyph(void **state)
{
    (void)state;
    Fixture fixture;
    begin(&fixture, 128, 128);
    for (uint32_t i = 0; i < 30; i++)
        show(fixture.canvas, 0x400 + i * 8, 8, 10);
    show(fixture.canvas, 'M', 1, 90);
    assert_int_equal(fixture.canvas->shapes.count, 1);
    check_no_overlap(fixture.fonts);
    end(&fixture);
}

static void a_glyph_larger_than_the_atlas_is_left_out(void **state)
{
    (void)state;
    Fixture fixture;
    begin(&fixture, 64, 64);
    show(fixture.canvas, 'W', 1, 200);
    assert_int_equal(fixture.canvas->shapes.count, 0);
    assert_int_equal(cn_fonts_stats(fixture.fonts).refused, 1);
    end(&fixture);
}

static void random_frames_never_overlap_and_never_change_what_is_shown(void **state)
{
    (void)state;
    Fixture fixture;
    begin(&fixture, 64, 256);
    TestRandom random = {.state = 5};
    uint64_t before = 0;
    for (uint32_t i = 0; i < 300; i++) {
        uint32_t first = 0x21 + test_random_below(&random, 0x500);
        show(fixture.other, first, 1 + test_random_below(&random, 20),
             6 + (float)test_random_below(&random, 60));
        if (i > 0 && i % 8 != 0)
            assert_true(hash_of_shapes(fixture.canvas) == before);
        if (i % 8 == 0)
            show(fixture.canvas, first, 12, 20);
        before = hash_of_shapes(fixture.canvas);
        if (i % 16 == 0)
            check_no_overlap(fixture.fonts);
    }
    end(&fixture);
}

static void so_many_glyphs_are_remembered_and_no_more(void **state)
{
    (void)state;
    Fixture fixture;
    begin(&fixture, 64, 64);
    for (uint32_t size = 4; size < 40; size++) {
        for (uint32_t character = 0x20; character < 0x20 + 1000; character++) {
            char bytes[4];
            size_t count = cn_utf8_write(character, bytes);
            cn_fonts_width(fixture.fonts, (CnFont){0}, size, (CnText){bytes, count});
        }
    }
    assert_true(cn_fonts_stats(fixture.fonts).glyphs <= CN_FONTS_MAX_GLYPHS);
    end(&fixture);
}

/* ---- What is copied to the GPU ---- */

typedef struct Mirror {
    uint32_t size;
    uint64_t seen;
    uint8_t *pixels;
    uint32_t copies;
} Mirror;

static bool copy(const CniRenderAtlasChange *change, const uint8_t *pixels, uint32_t row_bytes,
                 void *user)
{
    Mirror *mirror = user;
    for (uint32_t y = 0; y < change->height; y++)
        memcpy(mirror->pixels + (size_t)(change->y + y) * mirror->size + change->x,
               pixels + (size_t)y * row_bytes, change->width);
    mirror->copies++;
    return true;
}

static void changes_keep_a_copy_the_same(void **state)
{
    (void)state;
    Fixture fixture;
    begin(&fixture, 128, 128);
    Mirror mirror = {.size = 128, .seen = UINT64_MAX, .pixels = cn_alloc_zeroed(NULL, 128 * 128)};
    for (uint32_t i = 0; i < 60; i++) {
        show(fixture.canvas, 0x400 + i * 5, 1 + i % 7, 20);
        assert_true(cni_render_fonts_copy_changes(fixture.fonts, 128, &mirror.seen, copy, &mirror));
        assert_memory_equal(mirror.pixels, fixture.fonts->pixels, 128 * 128);
    }
    uint32_t copies = mirror.copies;
    assert_true(cni_render_fonts_copy_changes(fixture.fonts, 128, &mirror.seen, copy, &mirror));
    assert_int_equal(mirror.copies, copies);
    assert_false(cni_render_fonts_copy_changes(fixture.fonts, 64, &mirror.seen, copy, &mirror));
    cn_free(NULL, mirror.pixels, 128 * 128);
    end(&fixture);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_glyph_is_drawn_once),
        cmocka_unit_test(the_atlas_grows_and_glyphs_stay_where_they_are),
        cmocka_unit_test(old_glyphs_make_room),
        cmocka_unit_test(a_canvas_that_may_be_drawn_keeps_its_glyphs),
        cmocka_unit_test(a_full_atlas_leaves_glyphs_out_and_counts_them),
        cmocka_unit_test(low_shelves_are_joined_for_a_high_glyph),
        cmocka_unit_test(a_glyph_larger_than_the_atlas_is_left_out),
        cmocka_unit_test(random_frames_never_overlap_and_never_change_what_is_shown),
        cmocka_unit_test(so_many_glyphs_are_remembered_and_no_more),
        cmocka_unit_test(changes_keep_a_copy_the_same),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
