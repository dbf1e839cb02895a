/* test-labels: threads */
/*
 * Canvases are built on some threads and drawn on another, which copies the atlas meanwhile. What
 * is drawn is what the glyphs look like, although the atlas is small and glyphs are thrown out all
 * the time.
 */
#include "cmocka_tests.h"

#include "random.h"
#include "render/text/canvas_internal.h"

#include <pthread.h>
#include <stdatomic.h>
#include <string.h>

enum { CANVASES = 3, FRAMES = 400, SIZE = 128, GLYPHS = 6, GROUPS = 192 };

/* One canvas is drawn, one waits, one is built: the newest is taken by exchanging numbers. */
typedef struct Handover {
    CnFonts *fonts;
    CnCanvas *canvases[CANVASES];
    uint32_t group[CANVASES]; /* the glyphs that each shows */
    _Atomic uint32_t waiting; /* canvas | 4: nobody has taken it yet */
    _Atomic bool done;
} Handover;

/* 64 groups of glyphs in three sizes: more than the atlas has room for. */
static void show(CnCanvas *canvas, uint32_t group)
{
    uint32_t first = 0x410 + group % 64;
    float size = 16 + 2 * (float)(group / 64);
    cn_canvas_begin(canvas, 400, 100, 1);
    for (uint32_t i = 0; i < GLYPHS; i++) {
        char bytes[4];
        size_t count = cn_utf8_write(first + i, bytes);
        cn_canvas_text(canvas, (float)i * 40, 5,
                       &(CnTextStyle){.size = size, .color = cn_rgb(0xFFFFFF)},
                       (CnText){bytes, count});
    }
    cn_canvas_end(canvas);
}

static void *build(void *data)
{
    Handover *handover = data;
    TestRandom random = {.state = 3};
    uint32_t mine = 0;
    for (uint32_t frame = 0; frame < FRAMES; frame++) {
        handover->group[mine] = test_random_below(&random, GROUPS);
        show(handover->canvases[mine], handover->group[mine]);
        mine = atomic_exchange(&handover->waiting, mine | 4u) & 3u;
    }
    atomic_store(&handover->done, true);
    return NULL;
}

/* Someone else measures with the same fonts. */
static void *measure(void *data)
{
    Handover *handover = data;
    for (uint32_t size = 8; !atomic_load(&handover->done); size = 8 + (size + 1) % 40)
        cn_fonts_width(handover->fonts, (CnFont){CN_FONT_MONO}, size,
                       cn_text("measured meanwhile"));
    return NULL;
}

typedef struct Copy {
    uint8_t pixels[SIZE * SIZE];
    uint64_t seen;
} Copy;

static bool copy_change(const CniRenderAtlasChange *change, const uint8_t *pixels,
                        uint32_t row_bytes, void *user)
{
    Copy *copy = user;
    for (uint32_t y = 0; y < change->height; y++)
        memcpy(copy->pixels + (change->y + y) * SIZE + change->x, pixels + (size_t)y * row_bytes,
               change->width);
    return true;
}

static uint64_t hash_of(const CnCanvas *canvas, const uint8_t *pixels)
{
    uint64_t hash = 0;
    for (uint32_t i = 0; i < canvas->shapes.count; i++) {
        const CniRenderCanvasShape *shape = &canvas->shapes.items[i];
        for (uint32_t y = 0; y < (uint32_t)shape->rect.height; y++)
            hash = cn_hash_bytes(pixels + ((uint32_t)shape->glyph.y + y) * SIZE +
                                     (uint32_t)shape->glyph.x,
                                 (size_t)shape->rect.width, hash);
    }
    return hash;
}

/* What each group of glyphs looks like, in fonts of its own. */
static void expected_hashes(uint64_t hashes[GROUPS])
{
    CnFonts *fonts =
        cn_fonts_create(&(CnFontsDesc){.atlas_size = SIZE, .max_atlas_size = SIZE}, NULL);
    CnCanvas *canvas = cn_canvas_create(&(CnCanvasDesc){.fonts = fonts}, NULL);
    for (uint32_t i = 0; i < GROUPS; i++) {
        show(canvas, i);
        hashes[i] = hash_of(canvas, fonts->pixels);
    }
    cn_canvas_destroy(canvas);
    cn_fonts_destroy(fonts);
}

static void what_is_drawn_is_what_was_built(void **state)
{
    (void)state;
    static Handover handover;
    static Copy copy;
    uint64_t hashes[GROUPS];
    expected_hashes(hashes);
    copy.seen = UINT64_MAX;
    handover.fonts =
        cn_fonts_create(&(CnFontsDesc){.atlas_size = SIZE, .max_atlas_size = SIZE}, NULL);
    for (uint32_t i = 0; i < CANVASES; i++)
        handover.canvases[i] = cn_canvas_create(&(CnCanvasDesc){.fonts = handover.fonts}, NULL);
    atomic_store(&handover.waiting, 1);
    pthread_t builder, measurer;
    assert_int_equal(pthread_create(&builder, NULL, build, &handover), 0);
    assert_int_equal(pthread_create(&measurer, NULL, measure, &handover), 0);
    uint32_t mine = 2, drawn = 0;
    while (!atomic_load(&handover.done) || atomic_load(&handover.waiting) & 4u) {
        if (!(atomic_load(&handover.waiting) & 4u))
            continue;
        mine = atomic_exchange(&handover.waiting, mine) & 3u;
        const CnCanvas *canvas = handover.canvases[mine];
        assert_true(
            cni_render_fonts_copy_changes(handover.fonts, SIZE, &copy.seen, copy_change, &copy));
        /* While a canvas is drawn for long, others may not find room for all of their glyphs. */
        if (canvas->shapes.count < GLYPHS)
            continue;
        assert_true(hash_of(canvas, copy.pixels) == hashes[handover.group[mine]]);
        drawn++;
    }
    pthread_join(builder, NULL);
    pthread_join(measurer, NULL);
    assert_true(drawn > 0);
    CnFontsStats stats = cn_fonts_stats(handover.fonts);
    assert_true(stats.evicted + stats.refused > 0);
    for (uint32_t i = 0; i < CANVASES; i++)
        cn_canvas_destroy(handover.canvases[i]);
    cn_fonts_destroy(handover.fonts);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(what_is_drawn_is_what_was_built)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
