/* The canvas, the user interface and the overlay that are drawn over the image. */
#include "engine/engine_internal.h"

#include <cairn/base/clock.h>

bool cni_engine_overlay_create(CnEngine *engine, CnError *error)
{
    engine->fonts = cn_fonts_create(&(CnFontsDesc){.allocator = engine->allocator}, error);
    if (!engine->fonts)
        return false;
    for (uint32_t i = 0; i < CN_COUNT_OF(engine->canvases); i++) {
        engine->canvases[i] = cn_canvas_create(
            &(CnCanvasDesc){.allocator = engine->allocator, .fonts = engine->fonts}, error);
        if (!engine->canvases[i])
            return false;
    }
    engine->ui = cn_ui_create(
        &(CnUiDesc){.allocator = engine->allocator,
                    .fonts = engine->fonts,
                    .clipboard = engine->window ? cni_engine_window_clipboard(engine->window)
                                                : (CnUiClipboard){0}},
        error);
    CnGpuInfo info = cn_gpu_info(engine->gpu);
    cn_copy_text(engine->overlay.title, sizeof engine->overlay.title, cn_text(engine->desc.title));
    cn_copy_text(engine->overlay.device, sizeof engine->overlay.device, cn_text(info.name));
    engine->overlay.page = engine->desc.overlay ? CN_OVERLAY_SUMMARY : CN_OVERLAY_OFF;
    return engine->ui != NULL;
}

void cni_engine_overlay_destroy(CnEngine *engine)
{
    cn_ui_destroy(engine->ui);
    for (uint32_t i = 0; i < CN_COUNT_OF(engine->canvases); i++)
        cn_canvas_destroy(engine->canvases[i]);
    cn_fonts_destroy(engine->fonts);
}

/* ---- A frame ---- */

void cni_engine_overlay_begin(CnEngine *engine, double seconds)
{
    uint32_t width, height;
    cn_engine_size(engine, &width, &height);
    float scale = engine->window ? cni_engine_window_scale(engine->window) : 1;
    if (engine->ui_factor > 0 && width > 0 && height > 0)
        scale = cn_ui_scale(width, height, scale, engine->ui_factor);
    CnCanvas *canvas = engine->canvases[engine->canvas];
    cn_canvas_begin(canvas, (float)width / scale, (float)height / scale, scale);
    engine->ui_input.delta = (float)seconds;
    cn_ui_begin(engine->ui, canvas, &engine->ui_input);
    cn_ui_input_clear(&engine->ui_input);
    engine->is_canvas_open = true;
}

const CnCanvas *cni_engine_overlay_end(CnEngine *engine)
{
    CnCanvas *canvas = engine->canvases[engine->canvas];
    CnRect area = {0};
    cn_ui_end(engine->ui);
    if (cn_ui_wants_text(engine->ui, &area) && engine->window)
        cni_engine_window_put_text_at(engine->window, area, cn_canvas_scale(canvas));
    cn_overlay_draw(canvas, &engine->overlay);
    if (cn_error_overlay_is_shown(&engine->errors))
        cn_error_overlay_draw(canvas, &engine->errors);
    cn_canvas_end(canvas);
    engine->is_canvas_open = false;
    engine->canvas ^= 1;
    return canvas;
}

static float gpu_milliseconds(const CnGpu *gpu)
{
    CnGpuTiming timings[CN_GPU_MAX_TIMERS];
    uint32_t count = cn_gpu_timings(gpu, timings, CN_COUNT_OF(timings));
    float sum = 0;
    for (uint32_t i = 0; i < count && i < CN_COUNT_OF(timings); i++)
        sum += timings[i].microseconds;
    return sum * 1e-3f;
}

static void measure_world(CnEngine *engine)
{
    CnOverlayData *data = &engine->overlay;
    data->tick = cn_sim_tick(cn_engine_sim(engine));
    data->entities = cn_entity_count(cn_engine_world(engine));
}

void cni_engine_overlay_measure(CnEngine *engine)
{
    CnOverlayData *data = &engine->overlay;
    uint64_t now_ns = cn_clock_ns();
    if (engine->overlay_ns)
        cn_overlay_add_frame(data, (float)(cn_seconds(now_ns - engine->overlay_ns) * 1e3),
                             engine->tick_ms, gpu_milliseconds(engine->gpu));
    engine->overlay_ns = now_ns;
    cni_engine_errors_collect(engine);
    if (data->page == CN_OVERLAY_OFF)
        return;
    CnRendererStats stats = cn_renderer_stats(engine->renderer);
    CnGpuStats gpu = cn_gpu_stats(engine->gpu);
    cn_engine_size(engine, &data->width, &data->height);
    measure_world(engine);
    data->triangles = stats.triangles;
    data->items = stats.items;
    data->visible_items = stats.visible_items;
    data->draws = stats.draws;
    data->draw_calls = stats.draw_calls;
    data->lights = stats.lights;
    data->visible_lights = stats.visible_lights;
    data->gpu_used_bytes = gpu.used_bytes;
    data->gpu_reserved_bytes = gpu.reserved_bytes;
    cn_overlay_copy_graph(data, cn_renderer_graph(engine->renderer));
}

/* ---- Access ---- */

CnCanvas *cn_engine_canvas(CnEngine *engine)
{
    CN_ASSERT(engine, "%s: engine is NULL", __func__);
    CN_ASSERT(engine->is_canvas_open, "the canvas is only available during a frame");
    return engine->canvases[engine->canvas];
}

CnUi *cn_engine_ui(CnEngine *engine)
{
    CN_ASSERT(engine, "%s: engine is NULL", __func__);
    CN_ASSERT(engine->is_canvas_open, "the user interface is only available during a frame");
    return engine->ui;
}

void cn_engine_set_ui_scale(CnEngine *engine, float factor)
{
    CN_ASSERT(engine, "%s: engine is NULL", __func__);
    CN_ASSERT(factor >= 0 && factor <= 4, "invalid factor of the interface %g", (double)factor);
    engine->ui_factor = factor >= 0 && factor <= 4 ? factor : 0;
}

CnFonts *cn_engine_fonts(CnEngine *engine)
{
    CN_ASSERT(engine, "%s: engine is NULL", __func__);
    return engine->fonts;
}

void cn_engine_show_overlay(CnEngine *engine, CnOverlayPage page)
{
    CN_ASSERT(engine, "%s: engine is NULL", __func__);
    CN_ASSERT((uint32_t)page < CN_OVERLAY_PAGE_COUNT, "invalid overlay page %d", (int)page);
    engine->overlay.page = (uint32_t)page < CN_OVERLAY_PAGE_COUNT ? page : CN_OVERLAY_OFF;
}

CnOverlayData *cn_engine_overlay(CnEngine *engine)
{
    CN_ASSERT(engine, "%s: engine is NULL", __func__);
    return &engine->overlay;
}
