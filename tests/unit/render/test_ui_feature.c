/* The UI feature: what it draws with, on the null backend; and what is drawn, on a Vulkan device.
 */
#include "render_fixture.h"

#include <string.h>

typedef struct Fixture {
    RenderFixture render;
    CnFonts *fonts;
    CnCanvas *canvas;
} Fixture;

static bool begin(Fixture *fixture, RenderBackend backend)
{
    if (!render_fixture_init(&fixture->render, backend))
        return false;
    CnAllocator *allocator = cn_heap_tag(fixture->render.heap, "canvas");
    fixture->fonts =
        cn_fonts_create(&(CnFontsDesc){.allocator = allocator, .atlas_size = 64}, NULL);
    fixture->canvas =
        cn_canvas_create(&(CnCanvasDesc){.allocator = allocator, .fonts = fixture->fonts}, NULL);
    assert_non_null(fixture->canvas);
    fixture->render.frame_desc.canvas = fixture->canvas;
    fixture->render.frame_desc.width = 64;
    fixture->render.frame_desc.height = 32;
    return true;
}

static void end(Fixture *fixture)
{
    cn_canvas_destroy(fixture->canvas);
    cn_fonts_destroy(fixture->fonts);
    render_fixture_fini(&fixture->render);
}

static void show(Fixture *fixture, const char *text)
{
    cn_canvas_begin(fixture->canvas, 64, 32, 1);
    cn_canvas_fill(fixture->canvas, (CnRect){4, 4, 40, 20}, cn_rgba(0xFF800080));
    cn_canvas_text(fixture->canvas, 6, 6, &(CnTextStyle){.size = 12, .color = cn_rgb(0x80FFFF)},
                   cn_text(text));
    cn_canvas_end(fixture->canvas);
}

/* How often the last frame has this command; of copies, those into the atlas. */
static uint32_t count(const Fixture *fixture, const char *command)
{
    uint32_t entries, found = 0;
    const CnGpuLogEntry *log = cn_gpu_command_log(fixture->render.gpu, &entries);
    for (uint32_t i = 0; i < entries; i++)
        found += !strcmp(log[i].command, command) &&
                 (strcmp(command, "copy_to_texture") || !strcmp(log[i].name, "glyph atlas"));
    return found;
}

static void draw(Fixture *fixture)
{
    assert_true(cn_renderer_draw(fixture->render.renderer, &fixture->render.frame_desc,
                                 &fixture->render.error));
}

static void a_hud_is_one_draw_call(void **state)
{
    (void)state;
    Fixture fixture;
    assert_true(begin(&fixture, RENDER_NULL));
    render_fixture_add(&fixture.render, &cn_feature_ui, NULL);
    show(&fixture, "Text");
    draw(&fixture);
    assert_int_equal(count(&fixture, "draw"), 1);
    end(&fixture);
}

static void two_ui_features_draw_it_once(void **state)
{
    (void)state;
    Fixture fixture;
    assert_true(begin(&fixture, RENDER_NULL));
    render_fixture_add(&fixture.render, &cn_feature_ui, NULL);
    render_fixture_add(&fixture.render, &cn_feature_ui, NULL);
    show(&fixture, "Text");
    draw(&fixture);
    assert_int_equal(count(&fixture, "draw"), 1);
    end(&fixture);
}

static void glyphs_are_copied_when_they_are_new(void **state)
{
    (void)state;
    Fixture fixture;
    assert_true(begin(&fixture, RENDER_NULL));
    render_fixture_add(&fixture.render, &cn_feature_ui, NULL);
    show(&fixture, "abc");
    draw(&fixture);
    assert_int_equal(count(&fixture, "copy_to_texture"), 1); /* all of the atlas */
    draw(&fixture);
    assert_int_equal(count(&fixture, "copy_to_texture"), 0);
    show(&fixture, "abcde");
    draw(&fixture);
    assert_int_equal(count(&fixture, "copy_to_texture"), 2); /* two glyphs */
    end(&fixture);
}

static void an_atlas_that_has_grown_is_copied_as_a_whole(void **state)
{
    (void)state;
    Fixture fixture;
    assert_true(begin(&fixture, RENDER_NULL));
    render_fixture_add(&fixture.render, &cn_feature_ui, NULL);
    show(&fixture, "abc");
    draw(&fixture);
    for (uint32_t size = 10; cn_fonts_stats(fixture.fonts).atlas_size == 64; size++) {
        cn_canvas_begin(fixture.canvas, 64, 32, 1);
        cn_canvas_text(fixture.canvas, 6, 6,
                       &(CnTextStyle){.size = (float)size, .color = cn_rgb(0x80FFFF)},
                       cn_text("MW@"));
        cn_canvas_end(fixture.canvas);
    }
    draw(&fixture);
    assert_int_equal(count(&fixture, "copy_to_texture"), 1);
    end(&fixture);
}

static void an_empty_canvas_costs_nothing(void **state)
{
    (void)state;
    Fixture fixture;
    assert_true(begin(&fixture, RENDER_NULL));
    render_fixture_add(&fixture.render, &cn_feature_ui, NULL);
    cn_canvas_begin(fixture.canvas, 64, 32, 1);
    cn_canvas_end(fixture.canvas);
    draw(&fixture);
    assert_int_equal(count(&fixture, "draw"), 0);
    fixture.render.frame_desc.canvas = NULL;
    draw(&fixture);
    assert_int_equal(count(&fixture, "draw"), 0);
    end(&fixture);
}

static void steady_frames_call_no_heap(void **state)
{
    (void)state;
    Fixture fixture;
    assert_true(begin(&fixture, RENDER_NULL));
    render_fixture_add(&fixture.render, &cn_feature_ui, NULL);
    uint64_t calls = 0;
    for (int i = 0; i < 20; i++) {
        if (i == 10)
            calls = cn_heap_stats(fixture.render.heap).calls;
        show(&fixture, i % 2 ? "abc" : "bcd");
        draw(&fixture);
    }
    assert_int_equal(cn_heap_stats(fixture.render.heap).calls, calls);
    end(&fixture);
}

/* ---- On a Vulkan device ---- */

/* Puts an image of another format where the output was, and reads it at the end. */
typedef struct Swap {
    CnGraphTexture output, other;
    CnGpuFormat format;
    CnGpuBuffer pixels;
    CnGraphBuffer slot;
} Swap;

static Swap swapped;

static bool setup_swap(CnRenderer *renderer, void *self, const void *options, CnError *error)
{
    (void)self, (void)options;
    if (!swapped.pixels.id)
        swapped.pixels = cn_gpu_buffer_create(cn_renderer_gpu(renderer),
                                              &(CnGpuBufferDesc){.name = "other pixels",
                                                                 .size = 64 * 32 * 4,
                                                                 .usage = CN_GPU_USE_COPY_TO,
                                                                 .memory = CN_GPU_MEMORY_READBACK},
                                              error);
    return swapped.pixels.id != 0;
}

static void add_swap(CnFrame *frame, void *self)
{
    (void)self;
    swapped.output = frame->output;
    swapped.format = frame->output_format;
    frame->output = cn_frame_texture(frame, "other", CN_GPU_FORMAT_BGRA8, 1);
    frame->output_format = CN_GPU_FORMAT_BGRA8;
}

static void read_other(const CnGraphRun *run)
{
    cn_gpu_copy_from_texture(run->commands, cn_graph_get_texture(run->graph, swapped.other),
                             swapped.pixels, &(CnGpuRegion){0});
}

static void add_swap_back(CnFrame *frame, void *self)
{
    (void)self;
    CnGraph *graph = frame->graph;
    CnGraphPass pass = cn_graph_add_pass(
        graph,
        &(CnGraphPassDesc){.name = "read other", .kind = CN_GRAPH_TRANSFER, .run = read_other});
    swapped.other = frame->output;
    swapped.slot = cn_graph_import_buffer(graph, "other pixels", swapped.pixels, CN_GPU_ACCESS_NONE,
                                          CN_GPU_ACCESS_HOST);
    cn_graph_read_texture(graph, pass, frame->output, CN_GPU_ACCESS_COPY_FROM, NULL);
    cn_graph_write_buffer(graph, pass, swapped.slot, CN_GPU_ACCESS_COPY_TO,
                          &(CnGraphSubresource){.overwrite = true});
    frame->output = swapped.output;
    frame->output_format = swapped.format;
}

static const CnFeatureType swap_feature = {
    .name = "swap", .size = 1, .setup = setup_swap, .add_passes = add_swap};
static const CnFeatureType back_feature = {
    .name = "back", .size = 1, .setup = setup_swap, .add_passes = add_swap_back};

static void bgra_images_show_the_same(void **state)
{
    (void)state;
    uint8_t pixels[2][64 * 32 * 4];
    for (int bgra = 0; bgra < 2; bgra++) {
        Fixture fixture;
        if (!begin(&fixture, RENDER_VULKAN))
            return;
        if (bgra)
            render_fixture_add(&fixture.render, &swap_feature, NULL);
        render_fixture_add(&fixture.render, &cn_feature_ui, NULL);
        if (bgra)
            render_fixture_add(&fixture.render, &back_feature, NULL);
        show(&fixture, "Text");
        render_fixture_draw(&fixture.render, 2);
        memcpy(pixels[bgra],
               bgra ? cn_gpu_buffer_data(fixture.render.gpu, swapped.pixels)
                    : fixture.render.pixels,
               sizeof pixels[bgra]);
        if (bgra)
            cn_gpu_buffer_destroy(fixture.render.gpu, swapped.pixels);
        end(&fixture);
    }
    for (uint32_t i = 0; i < 64 * 32; i++) {
        uint8_t blue = pixels[1][i * 4];
        pixels[1][i * 4] = pixels[1][i * 4 + 2];
        pixels[1][i * 4 + 2] = blue;
    }
    assert_memory_equal(pixels[0], pixels[1], sizeof pixels[0]);
    /* Half of orange over black, blended as encoded. */
    const uint8_t *inside = pixels[0] + (20 * 64 + 42) * 4;
    assert_in_range(inside[0], 127, 129);
    assert_in_range(inside[1], 63, 65);
    assert_int_equal(inside[2], 0);
    assert_int_equal(pixels[0][3], 255);
}

static void glyphs_stay_correct_while_the_atlas_changes(void **state)
{
    (void)state;
    Fixture fixture;
    if (!begin(&fixture, RENDER_VULKAN))
        return;
    render_fixture_add(&fixture.render, &cn_feature_ui, NULL);
    uint8_t first[64 * 32 * 4];
    show(&fixture, "Text");
    render_fixture_draw(&fixture.render, 1);
    memcpy(first, fixture.render.pixels, sizeof first);
    for (int i = 0; i < 30; i++) {
        show(&fixture, i % 2 ? "Gr\xC3\xBC\xC3\x9F"
                               "e"
                             : "\xD0\x96\xD0\xB4\xCE\xBB\xCF\x80");
        render_fixture_draw(&fixture.render, 1);
    }
    show(&fixture, "Text");
    render_fixture_draw(&fixture.render, 1);
    assert_memory_equal(first, fixture.render.pixels, sizeof first);
    end(&fixture);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_hud_is_one_draw_call),
        cmocka_unit_test(two_ui_features_draw_it_once),
        cmocka_unit_test(glyphs_are_copied_when_they_are_new),
        cmocka_unit_test(an_atlas_that_has_grown_is_copied_as_a_whole),
        cmocka_unit_test(an_empty_canvas_costs_nothing),
        cmocka_unit_test(steady_frames_call_no_heap),
        cmocka_unit_test(bgra_images_show_the_same),
        cmocka_unit_test(glyphs_stay_correct_while_the_atlas_changes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
