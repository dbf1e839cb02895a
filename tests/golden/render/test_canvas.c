/* Images of canvases: letters, shapes, clips, sprites. */
#include "golden_image.h"

#include <math.h>
#include <string.h>

typedef struct Fixture {
    RenderFixture render;
    CnFonts *fonts;
    CnCanvas *canvas;
} Fixture;

static bool begin(Fixture *fixture, uint32_t width, uint32_t height, float scale)
{
    if (!render_fixture_init(&fixture->render, RENDER_VULKAN))
        return false;
    render_fixture_add(&fixture->render, &cn_feature_ui, NULL);
    fixture->fonts = cn_fonts_create(NULL, NULL);
    fixture->canvas = cn_canvas_create(&(CnCanvasDesc){.fonts = fixture->fonts}, NULL);
    assert_non_null(fixture->canvas);
    fixture->render.frame_desc.width = width;
    fixture->render.frame_desc.height = height;
    fixture->render.frame_desc.canvas = fixture->canvas;
    cn_canvas_begin(fixture->canvas, (float)width / scale, (float)height / scale, scale);
    return true;
}

static void end(Fixture *fixture, const char *name)
{
    cn_canvas_end(fixture->canvas);
    render_fixture_draw(&fixture->render, 2);
    assert_golden_image(name, &fixture->render);
    cn_canvas_destroy(fixture->canvas);
    cn_fonts_destroy(fixture->fonts);
    render_fixture_fini(&fixture->render);
}

static void background(Fixture *fixture, uint32_t rgb)
{
    cn_canvas_fill(fixture->canvas, cn_canvas_area(fixture->canvas), cn_rgb(rgb));
}

static void write(Fixture *fixture, float x, float y, float size, uint32_t font, uint32_t rgb,
                  const char *text)
{
    cn_canvas_text(fixture->canvas, x, y,
                   &(CnTextStyle){.font = {font}, .size = size, .color = cn_rgb(rgb)},
                   cn_text(text));
}

static void text_of_many_sizes(void **state)
{
    (void)state;
    static const float sizes[] = {8, 10, 12, 13, 14, 16, 18, 24, 32};
    Fixture fixture;
    if (!begin(&fixture, 320, 180, 1))
        return;
    background(&fixture, 0x1B2027);
    cn_canvas_fill(fixture.canvas, (CnRect){160, 0, 160, 180}, cn_rgb(0xF4F6F8));
    float y = 2;
    for (size_t i = 0; i < CN_COUNT_OF(sizes); i++) {
        cn_canvas_push_clip(fixture.canvas, (CnRect){0, 0, 158, 180});
        write(&fixture, 4, y, sizes[i], CN_FONT_SANS, 0xE6EAF0, "Hamburgefonstiv AVATAR");
        cn_canvas_pop_clip(fixture.canvas);
        write(&fixture, 164, y, sizes[i], CN_FONT_MONO, 0x1D232B, "Hamburgefonstiv {0}");
        y += sizes[i] * 1.2f + 1;
    }
    end(&fixture, "canvas_text_sizes");
}

static void text_of_many_alphabets(void **state)
{
    (void)state;
    Fixture fixture;
    if (!begin(&fixture, 320, 180, 1))
        return;
    background(&fixture, 0x1B2027);
    static const char *const lines[] = {
        "Zwölf Boxkämpfer jagen Viktor über den Deich, groß",
        "Příliš žluťoučký kůň úpěl ďábelské ódy; Çağrı, İstanbul",
        "Ξεσκεπάζω την ψυχοφθόρα βδελυγμία",
        "Съешь ещё этих мягких французских булок",
        "«Ñandú» — naïve façade … 25 €, ½ × ±°",
        "Broken: \xFF\xC3( \xE2\x82 | missing: \xF4\x80\x80\x80",
        "→ ← ↑ ↓ ✓ ✗ ★ ▲ ▼ ● ♥ ♫ ∑ ∞ ≠",
    };
    for (size_t i = 0; i < CN_COUNT_OF(lines); i++) {
        write(&fixture, 6, 6 + 17 * (float)i, 10, CN_FONT_SANS, 0xE6EAF0, lines[i]);
        if (i > 1 && i < 5)
            write(&fixture, 6, 128 + 16 * (float)(i - 2), 11, CN_FONT_MONO, 0xF2B134, lines[i]);
    }
    end(&fixture, "canvas_alphabets");
}

static void rounded_boxes_borders_and_gradients(void **state)
{
    (void)state;
    Fixture fixture;
    if (!begin(&fixture, 320, 180, 1))
        return;
    background(&fixture, 0x5A7A90);
    CnCanvas *canvas = fixture.canvas;
    for (int i = 0; i < 6; i++) {
        float x = 10 + 51 * (float)i;
        CnBoxStyle box = {.fill = cn_rgb(0x202830),
                          .radius = (float)(i * 4),
                          .border = (float)(i % 4),
                          .border_color = cn_rgb(0xF2B134)};
        cn_canvas_box(canvas, (CnRect){x, 10, 41, 40}, &box);
        box.fill = cn_rgba(0);
        box.border = 1;
        cn_canvas_box(canvas, (CnRect){x, 58, 41, 24}, &box);
    }
    cn_canvas_box(canvas, (CnRect){10, 92, 90, 30},
                  &(CnBoxStyle){.fill = cn_rgb(0x3D7FD9),
                                .gradient = CN_GRADIENT_HORIZONTAL,
                                .fill_to = cn_rgba(0x3D7FD900),
                                .radius = 6});
    cn_canvas_box(canvas, (CnRect){112, 92, 90, 30},
                  &(CnBoxStyle){.fill = cn_rgb(0xF4F6F8),
                                .gradient = CN_GRADIENT_VERTICAL,
                                .fill_to = cn_rgb(0x202830),
                                .radius = 15});
    cn_canvas_box(canvas, (CnRect){220, 96, 80, 26},
                  &(CnBoxStyle){.fill = cn_rgba(0x000000A0), .radius = 8, .blur = 16});
    cn_canvas_box(canvas, (CnRect){216, 92, 80, 26},
                  &(CnBoxStyle){.fill = cn_rgb(0xF4F6F8), .radius = 4});
    for (int i = 0; i < 12; i++) {
        float angle = 6.2831853f * (float)i / 12;
        cn_canvas_line(canvas, (CnVec2){50, 152},
                       (CnVec2){50 + 24 * cosf(angle), 152 + 24 * sinf(angle)}, 1 + (float)(i % 3),
                       cn_rgb(0xFFFFFF));
    }
    cn_canvas_box(canvas, (CnRect){110, 140, 40, 24},
                  &(CnBoxStyle){.fill = cn_rgb(0xE5646E), .radius = 5, .rotation = 0.4f});
    for (int i = 0; i < 8; i++) /* one pixel apart, one pixel wide: they must be sharp */
        cn_canvas_fill(canvas, (CnRect){180 + 2 * (float)i, 136, 1, 30}, cn_rgb(0x000000));
    cn_canvas_fill(canvas, (CnRect){210.5f, 136, 20, 30},
                   cn_rgb(0x000000)); /* half a pixel: half as dark */
    cn_canvas_box(canvas, (CnRect){250, 134, 34, 34},
                  &(CnBoxStyle){.fill = cn_rgb(0x7BD88F), .radius = 17});
    end(&fixture, "canvas_boxes");
}

static void clips_inside_of_each_other(void **state)
{
    (void)state;
    Fixture fixture;
    if (!begin(&fixture, 160, 90, 1))
        return;
    background(&fixture, 0x202830);
    CnCanvas *canvas = fixture.canvas;
    CnRect rect = {10, 8, 140, 74};
    for (int i = 0; i < 5; i++) {
        static const uint32_t colors[] = {0x3D7FD9, 0x7BD88F, 0xF2B134, 0xE5646E, 0xF4F6F8};
        cn_canvas_push_clip(canvas, rect);
        cn_canvas_box(canvas, (CnRect){rect.x - 20, rect.y - 20, rect.width + 25, rect.height + 24},
                      &(CnBoxStyle){.fill = cn_rgb(colors[i]), .radius = 10});
        rect = cn_rect_inset(rect, 7);
    }
    write(&fixture, 20, 30, 28, CN_FONT_SANS, 0x202830, "Clipped text");
    for (int i = 0; i < 5; i++)
        cn_canvas_pop_clip(canvas);
    end(&fixture, "canvas_clips");
}

static void sprites_and_nine_slices(void **state)
{
    (void)state;
    Fixture fixture;
    if (!begin(&fixture, 160, 90, 1))
        return;
    background(&fixture, 0x5A7A90);
    static uint8_t pixels[16 * 16 * 4];
    for (uint32_t i = 0; i < 256; i++) {
        uint32_t x = i % 16, y = i / 16;
        bool is_edge = x < 2 || y < 2 || x > 13 || y > 13,
             is_corner = (x < 4 || x > 11) && (y < 4 || y > 11);
        const uint8_t color[] = {is_edge ? 240 : 40, is_corner ? 60 : (uint8_t)(x * 16),
                                 (uint8_t)(y * 16), is_edge ? 255 : 200};
        memcpy(pixels + i * 4, color, 4);
    }
    CnImage image = {.width = 16, .height = 16, .pixels = pixels};
    CnTexture texture = cn_texture_create(
        fixture.render.renderer,
        &(CnTextureDesc){
            .name = "tile", .image = &image, .nearest = true, .clamp = true, .no_mips = true},
        NULL);
    CnTexture linear = cn_texture_create(
        fixture.render.renderer,
        &(CnTextureDesc){
            .name = "smooth", .image = &image, .linear = true, .clamp = true, .no_mips = true},
        NULL);
    CnSprite sprite = {.texture = texture, .texture_width = 16, .texture_height = 16};
    cn_canvas_sprite(fixture.canvas, (CnRect){8, 8, 16, 16}, &sprite);
    cn_canvas_sprite(fixture.canvas, (CnRect){30, 8, 32, 32}, &sprite);
    sprite.tint = cn_rgba(0xFF8080FF);
    sprite.part = (CnRect){0, 0, 8, 8};
    cn_canvas_sprite(fixture.canvas, (CnRect){68, 8, 32, 32}, &sprite);
    sprite = (CnSprite){.texture = linear, .rotation = 0.5f, .radius = 6};
    cn_canvas_sprite(fixture.canvas, (CnRect){110, 10, 30, 30}, &sprite);
    sprite = (CnSprite){.texture = texture, .texture_width = 16, .texture_height = 16};
    cn_canvas_nine_slice(fixture.canvas, (CnRect){8, 48, 90, 34}, &sprite,
                         &(CnNineSlice){4, 4, 4, 4, 2});
    write(&fixture, 20, 56, 14, CN_FONT_SANS, 0xFFFFFF, "nine slice");
    assert_int_equal(cn_canvas_stats(fixture.canvas).draws, 3);
    end(&fixture, "canvas_sprites");
}

static void twice_the_pixels_show_the_same(void **state)
{
    (void)state;
    Fixture fixture;
    if (!begin(&fixture, 320, 120, 2))
        return;
    background(&fixture, 0x1B2027);
    cn_canvas_box(
        fixture.canvas, (CnRect){8, 8, 144, 44},
        &(CnBoxStyle){
            .fill = cn_rgb(0x343D4A), .radius = 6, .border = 1, .border_color = cn_rgb(0x4A5666)});
    write(&fixture, 16, 12, 14, CN_FONT_SANS, 0xE6EAF0, "High DPI");
    write(&fixture, 16, 30, 11, CN_FONT_MONO, 0x8A94A3, "two pixels a point");
    end(&fixture, "canvas_high_dpi");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(text_of_many_sizes),
        cmocka_unit_test(text_of_many_alphabets),
        cmocka_unit_test(rounded_boxes_borders_and_gradients),
        cmocka_unit_test(clips_inside_of_each_other),
        cmocka_unit_test(sprites_and_nine_slices),
        cmocka_unit_test(twice_the_pixels_show_the_same),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
