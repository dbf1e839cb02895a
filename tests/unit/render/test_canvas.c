/* Canvases: shapes, clips, layers, text, limits. */
#include "cmocka_tests.h"

#include "guards.h"
#include "render/text/canvas_internal.h"

#include <math.h>
#include <string.h>

#define WHITE cn_rgb(0xFFFFFF)

typedef struct Fixture {
    CnHeap *heap;
    CnFonts *fonts;
    CnCanvas *canvas;
} Fixture;

static int setup(void **state)
{
    static Fixture fixture;
    fixture.heap = cn_heap_create(NULL, NULL);
    CnAllocator *allocator = cn_heap_tag(fixture.heap, "canvas");
    fixture.fonts = cn_fonts_create(&(CnFontsDesc){.allocator = allocator}, NULL);
    fixture.canvas =
        cn_canvas_create(&(CnCanvasDesc){.allocator = allocator, .fonts = fixture.fonts}, NULL);
    cn_canvas_begin(fixture.canvas, 200, 100, 1);
    *state = &fixture;
    return fixture.canvas ? 0 : -1;
}

static int teardown(void **state)
{
    Fixture *fixture = *state;
    cn_canvas_destroy(fixture->canvas);
    cn_fonts_destroy(fixture->fonts);
    int left = (int)cn_heap_stats(fixture->heap).live_blocks;
    cn_heap_destroy(fixture->heap);
    return left;
}

static CnCanvas *canvas_of(void **state)
{
    return ((Fixture *)*state)->canvas;
}

static void text(CnCanvas *canvas, float x, float y, const char *what)
{
    cn_canvas_text(canvas, x, y, &(CnTextStyle){.size = 16, .color = WHITE}, cn_text(what));
}

static const CniRenderCanvasShape *shape(const CnCanvas *canvas, uint32_t index)
{
    assert_true(index < canvas->shapes.count);
    return &canvas->shapes.items[index];
}

/* ---- Shapes ---- */

static void points_become_pixels(void **state)
{
    CnCanvas *canvas = canvas_of(state);
    cn_canvas_begin(canvas, 200, 100, 1.5f);
    cn_canvas_box(canvas, (CnRect){10, 20, 30, 40},
                  &(CnBoxStyle){.fill = WHITE, .radius = 4, .border = 2});
    assert_float_equal(shape(canvas, 0)->rect.x, 15, 0);
    assert_float_equal(shape(canvas, 0)->rect.height, 60, 0);
    assert_float_equal(shape(canvas, 0)->box.radius, 6, 0);
    assert_float_equal(shape(canvas, 0)->box.border, 3, 0);
}

static void a_radius_is_at_most_half_of_the_smaller_side(void **state)
{
    CnCanvas *canvas = canvas_of(state);
    cn_canvas_box(canvas, (CnRect){0, 0, 30, 10}, &(CnBoxStyle){.fill = WHITE, .radius = 100});
    assert_float_equal(shape(canvas, 0)->box.radius, 5, 0);
}

static void gradients_are_colors_of_corners(void **state)
{
    CnCanvas *canvas = canvas_of(state);
    CnColor red = cn_rgb(0xFF0000), blue = cn_rgb(0x0000FF);
    cn_canvas_box(canvas, (CnRect){0, 0, 30, 10},
                  &(CnBoxStyle){.fill = red, .gradient = CN_GRADIENT_HORIZONTAL, .fill_to = blue});
    assert_int_equal(shape(canvas, 0)->corners[1].b, 255);
    assert_int_equal(shape(canvas, 0)->corners[2].r, 255);
    cn_canvas_box(canvas, (CnRect){0, 0, 30, 10},
                  &(CnBoxStyle){.fill = red, .gradient = CN_GRADIENT_VERTICAL, .fill_to = blue});
    assert_int_equal(shape(canvas, 1)->corners[1].r, 255);
    assert_int_equal(shape(canvas, 1)->corners[2].b, 255);
}

static void a_line_is_a_turned_box(void **state)
{
    CnCanvas *canvas = canvas_of(state);
    cn_canvas_line(canvas, (CnVec2){10, 10}, (CnVec2){10, 30}, 2, WHITE);
    const CniRenderCanvasShape *line = shape(canvas, 0);
    assert_float_equal(line->rect.width, 20, 1e-4);
    assert_float_equal(line->rect.height, 2, 1e-4);
    assert_float_equal(line->rect.x + line->rect.width / 2, 10, 1e-4);
    assert_float_equal(line->rotation, 1.5707963f, 1e-4);
}

static void what_is_not_a_number_is_not_drawn(void **state)
{
    CnCanvas *canvas = canvas_of(state);
    cn_canvas_fill(canvas, (CnRect){NAN, 0, 10, 10}, WHITE);
    cn_canvas_fill(canvas, (CnRect){0, 0, INFINITY, 10}, WHITE);
    cn_canvas_line(canvas, (CnVec2){0, 0}, (CnVec2){NAN, 0}, 1, WHITE);
    text(canvas, NAN, 0, "a");
    assert_int_equal(canvas->shapes.count, 0);
}

static void nine_slices_keep_their_corners(void **state)
{
    CnCanvas *canvas = canvas_of(state);
    CnSprite sprite = {
        .texture = {1}, .part = {0, 0, 30, 30}, .texture_width = 60, .texture_height = 60};
    cn_canvas_nine_slice(canvas, (CnRect){0, 0, 100, 80}, &sprite,
                         &(CnNineSlice){10, 10, 10, 10, 1});
    assert_int_equal(canvas->shapes.count, 9);
    assert_float_equal(shape(canvas, 0)->rect.width, 10, 1e-4);
    assert_float_equal(shape(canvas, 4)->rect.width, 80, 1e-4);
    assert_float_equal(shape(canvas, 4)->rect.height, 60, 1e-4);
    assert_float_equal(shape(canvas, 8)->uv.width, 0.5f, 1e-5);
    assert_float_equal(shape(canvas, 8)->uv.x, 20.0f / 60, 1e-5);
}

static void a_sprite_without_a_texture_is_not_drawn(void **state)
{
    CnCanvas *canvas = canvas_of(state);
    cn_canvas_sprite(canvas, (CnRect){0, 0, 10, 10}, &(CnSprite){0});
    assert_int_equal(canvas->shapes.count, 0);
}

/* ---- Clips ---- */

static void clips_cut_each_other(void **state)
{
    CnCanvas *canvas = canvas_of(state);
    cn_canvas_push_clip(canvas, (CnRect){10, 10, 50, 50});
    cn_canvas_push_clip(canvas, (CnRect){40, 0, 100, 30});
    cn_canvas_fill(canvas, (CnRect){0, 0, 200, 100}, WHITE);
    const uint16_t expected[] = {40, 10, 60, 30};
    assert_memory_equal(shape(canvas, 0)->clip, expected, sizeof expected);
    cn_canvas_pop_clip(canvas);
    assert_float_equal(cn_canvas_clip(canvas).width, 50, 0);
    cn_canvas_pop_clip(canvas);
    assert_float_equal(cn_canvas_clip(canvas).width, 200, 0);
}

static void what_is_outside_of_the_clip_is_no_shape(void **state)
{
    CnCanvas *canvas = canvas_of(state);
    cn_canvas_push_clip(canvas, (CnRect){10, 10, 50, 50});
    cn_canvas_fill(canvas, (CnRect){100, 10, 20, 20}, WHITE);
    text(canvas, 20, 300, "below");
    text(canvas, 120, 20, "beside");
    cn_canvas_pop_clip(canvas);
    assert_int_equal(canvas->shapes.count, 0);
    assert_int_equal(cn_fonts_stats(canvas->fonts).rendered, 0);
}

static void a_whole_clip_ignores_those_before(void **state)
{
    CnCanvas *canvas = canvas_of(state);
    cn_canvas_push_clip(canvas, (CnRect){10, 10, 5, 5});
    cn_canvas_push_full_clip(canvas);
    cn_canvas_fill(canvas, (CnRect){100, 50, 20, 20}, WHITE);
    assert_int_equal(canvas->shapes.count, 1);
    cn_canvas_pop_clip(canvas);
    assert_float_equal(cn_canvas_clip(canvas).width, 5, 0);
    cn_canvas_pop_clip(canvas);
}

static void too_many_clips_are_counted_and_popped_in_order(void **state)
{
    CnCanvas *canvas = canvas_of(state);
    for (uint32_t i = 0; i < CN_CANVAS_MAX_CLIPS + 5; i++)
        cn_canvas_push_clip(canvas, (CnRect){1, 1, 50, 50});
    assert_int_equal(cn_canvas_stats(canvas).refused, 5);
    for (uint32_t i = 0; i < CN_CANVAS_MAX_CLIPS + 5; i++)
        cn_canvas_pop_clip(canvas);
    assert_float_equal(cn_canvas_clip(canvas).width, 200, 0);
}

/* ---- Layers and draw calls ---- */

static void higher_layers_come_last_and_keep_their_order(void **state)
{
    CnCanvas *canvas = canvas_of(state);
    static const uint32_t layers[] = {2, 0, 1, 2, 0};
    for (uint32_t i = 0; i < 5; i++) {
        cn_canvas_set_layer(canvas, layers[i]);
        cn_canvas_fill(canvas, (CnRect){(float)i, 0, 10, 10}, WHITE);
    }
    cn_canvas_end(canvas);
    static const float expected[] = {1, 4, 2, 0, 3};
    uint32_t at = 0;
    for (uint32_t r = 0; r < canvas->runs.count; r++) {
        CniRenderShapeRun run = canvas->runs.items[r];
        for (uint32_t i = 0; i < run.count; i++)
            assert_float_equal(canvas->shapes.items[run.first + i].rect.x, expected[at++], 0);
    }
    assert_int_equal(at, 5);
}

static void only_textures_divide_draw_calls(void **state)
{
    CnCanvas *canvas = canvas_of(state);
    CnRect rect = {0, 0, 10, 10};
    CnSprite one = {.texture = {1}}, two = {.texture = {2}};
    cn_canvas_fill(canvas, rect, WHITE);
    cn_canvas_sprite(canvas, rect, &one);
    text(canvas, 0, 0, "abc");
    cn_canvas_push_clip(canvas, rect);
    cn_canvas_sprite(canvas, rect, &one);
    cn_canvas_pop_clip(canvas);
    assert_int_equal(cn_canvas_stats(canvas).draws, 1);
    cn_canvas_sprite(canvas, rect, &two);
    text(canvas, 0, 0, "abc");
    assert_int_equal(cn_canvas_stats(canvas).draws, 2);
}

/* ---- Text ---- */

static void text_stands_on_whole_pixels(void **state)
{
    CnCanvas *canvas = canvas_of(state);
    text(canvas, 10.3f, 5.7f, "Text");
    for (uint32_t i = 0; i < canvas->shapes.count; i++) {
        assert_float_equal(shape(canvas, i)->rect.x, floorf(shape(canvas, i)->rect.x), 0);
        assert_float_equal(shape(canvas, i)->rect.y, floorf(shape(canvas, i)->rect.y), 0);
    }
    assert_int_equal(canvas->shapes.count, 4);
}

static void text_in_the_middle_is_as_far_from_both_sides(void **state)
{
    CnCanvas *canvas = canvas_of(state);
    CnTextStyle style = {.size = 16, .color = WHITE};
    cn_canvas_text_in(canvas, (CnRect){0, 0, 200, 100}, &style,
                      &(CnTextLayout){.align_x = CN_ALIGN_CENTER, .align_y = CN_ALIGN_CENTER},
                      cn_text("HH"));
    CnVec2 size = cn_canvas_text_size(canvas, &style, cn_text("HH"), 0);
    assert_float_equal(shape(canvas, 0)->rect.x, (200 - size.x) / 2, 3);
    float middle = shape(canvas, 0)->rect.y + shape(canvas, 0)->rect.height / 2;
    assert_float_equal(middle, 50, 3);
}

static void text_that_is_too_wide_ends_with_an_ellipsis(void **state)
{
    CnCanvas *canvas = canvas_of(state);
    CnTextStyle style = {.size = 16, .color = WHITE};
    CnRect rect = {0, 0, 60, 20};
    cn_canvas_text_in(canvas, rect, &style, &(CnTextLayout){.ellipsis = true},
                      cn_text("Hamburgefonstiv"));
    const CniRenderCanvasShape *last = shape(canvas, canvas->shapes.count - 1);
    assert_true(last->rect.x + last->rect.width <= 60);
    assert_true(last->rect.height <= 3);
    assert_true(canvas->shapes.count < 10);
}

static void the_scale_enlarges_glyphs_and_keeps_their_spacing(void **state)
{
    CnCanvas *canvas = canvas_of(state);
    CnTextStyle style = {.size = 16, .color = WHITE};
    float once = cn_canvas_text_size(canvas, &style, cn_text("Cairn"), 0).x;
    cn_canvas_begin(canvas, 200, 100, 2);
    assert_float_equal(cn_canvas_text_size(canvas, &style, cn_text("Cairn"), 0).x, once, 3);
    text(canvas, 0, 0, "H");
    assert_true(shape(canvas, 0)->rect.height >= 22);
}

static void a_hit_is_in_points(void **state)
{
    CnCanvas *canvas = canvas_of(state);
    CnTextStyle style = {.size = 16, .color = WHITE};
    cn_canvas_begin(canvas, 200, 100, 2);
    CnText word = cn_text("Cairn");
    float x = cn_canvas_text_x_at_byte(canvas, &style, word, 3);
    assert_int_equal(cn_canvas_text_byte_at_x(canvas, &style, word, x + 0.2f), 3);
}

/* ---- Limits and memory ---- */

static void so_many_shapes_and_no_more(void **state)
{
    CnCanvas *canvas = canvas_of(state);
    for (uint32_t i = 0; i < CN_CANVAS_MAX_SHAPES + 3; i++)
        cn_canvas_fill(canvas, (CnRect){0, 0, 10, 10}, WHITE);
    assert_int_equal(canvas->shapes.count, CN_CANVAS_MAX_SHAPES);
    assert_int_equal(cn_canvas_stats(canvas).refused, 3);
}

static void steady_frames_call_no_heap(void **state)
{
    Fixture *fixture = *state;
    uint64_t calls = 0;
    for (int frame = 0; frame < 10; frame++) {
        if (frame == 2)
            calls = cn_heap_stats(fixture->heap).calls;
        cn_canvas_begin(fixture->canvas, 200, 100, 1);
        for (int i = 0; i < 20; i++)
            text(fixture->canvas, 5, (float)i * 5, "The quick brown fox, 0123456789");
        cn_canvas_end(fixture->canvas);
    }
    assert_int_equal(cn_heap_stats(fixture->heap).calls, calls);
}

#ifdef CN_GUARDS
static void a_clip_that_is_not_popped_fails_a_guard(void **state)
{
    CnCanvas *canvas = canvas_of(state);
    cn_canvas_push_clip(canvas, (CnRect){0, 0, 5, 5});
    EXPECT_GUARD(cn_canvas_end(canvas));
    assert_non_null(strstr(guard_message(), "popped"));
}
#endif

static void colors_mix_and_fade(void **state)
{
    (void)state;
    CnColor half = cn_color_mix(cn_rgb(0x000000), cn_rgb(0xFF8000), 0.5f);
    assert_int_equal(half.r, 128);
    assert_int_equal(half.g, 64);
    assert_int_equal(cn_color_fade(cn_rgba(0xFFFFFF80), 0.5f).a, 64);
    assert_int_equal(cn_rgba(0x11223344).b, 0x33);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
    const struct CMUnitTest tests[] = {
        TEST(points_become_pixels),
        TEST(a_radius_is_at_most_half_of_the_smaller_side),
        TEST(gradients_are_colors_of_corners),
        TEST(a_line_is_a_turned_box),
        TEST(what_is_not_a_number_is_not_drawn),
        TEST(nine_slices_keep_their_corners),
        TEST(a_sprite_without_a_texture_is_not_drawn),
        TEST(clips_cut_each_other),
        TEST(what_is_outside_of_the_clip_is_no_shape),
        TEST(a_whole_clip_ignores_those_before),
        TEST(too_many_clips_are_counted_and_popped_in_order),
        TEST(higher_layers_come_last_and_keep_their_order),
        TEST(only_textures_divide_draw_calls),
        TEST(text_stands_on_whole_pixels),
        TEST(text_in_the_middle_is_as_far_from_both_sides),
        TEST(text_that_is_too_wide_ends_with_an_ellipsis),
        TEST(the_scale_enlarges_glyphs_and_keeps_their_spacing),
        TEST(a_hit_is_in_points),
        TEST(so_many_shapes_and_no_more),
        TEST(steady_frames_call_no_heap),
#ifdef CN_GUARDS
        TEST(a_clip_that_is_not_popped_fails_a_guard),
#endif
        TEST(colors_mix_and_fade),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
