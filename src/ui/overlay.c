/* The F3 performance overlay. */
#include <cairn/ui/overlay.h>

#include <math.h>
#include <string.h>

#define PANEL_WIDTH 372.0f
#define LINE 16.0f
#define GRAPH_HEIGHT 64.0f
#define MARGIN 8.0f
#define INSET 10.0f

/* Position of the next line. */
typedef struct Pen {
    CnCanvas *canvas;
    float x, y, width;
} Pen;

static const uint32_t colors[] = {0x5AB0F6FF, 0x7BD88FFF, 0xF2B134FF,
                                  0xE5646EFF, 0xB48EF0FF, 0x4FD1C5FF};

/* ---- Data ---- */

void cn_overlay_add_frame(CnOverlayData *data, float frame_ms, float tick_ms, float gpu_ms)
{
    uint32_t at = data->frame_next % CN_OVERLAY_FRAMES;
    data->frame_ms[at] = frame_ms;
    data->tick_ms[at] = tick_ms;
    data->gpu_ms[at] = gpu_ms;
    data->frame_next = (at + 1) % CN_OVERLAY_FRAMES;
    if (data->frame_count < CN_OVERLAY_FRAMES)
        data->frame_count++;
}

void cn_overlay_copy_graph(CnOverlayData *data, const CnGraph *graph)
{
    data->graph = cn_graph_stats(graph);
    data->pass_count = 0;
    CnGraphPassInfo info;
    for (uint32_t i = 0;
         data->pass_count < CN_OVERLAY_MAX_PASSES && cn_graph_pass_info(graph, i, &info); i++) {
        CnOverlayPass *pass = &data->passes[data->pass_count++];
        *pass = (CnOverlayPass){.kind = info.kind,
                                .is_culled = info.is_culled,
                                .barriers = info.barriers,
                                .microseconds = info.microseconds};
        cn_copy_text(pass->name, sizeof pass->name, cn_text(info.name));
    }
}

typedef struct Range {
    float mean, least, most;
} Range;

static Range range_of(const float *values, uint32_t count)
{
    Range range = {0, count ? values[0] : 0, 0};
    for (uint32_t i = 0; i < count; i++) {
        range.mean += values[i] / (float)count;
        range.least = fminf(range.least, values[i]);
        range.most = fmaxf(range.most, values[i]);
    }
    return range;
}

float cn_overlay_fps(const CnOverlayData *data)
{
    Range range = range_of(data->frame_ms, data->frame_count);
    return range.mean > 0 ? 1000 / range.mean : 0;
}

/* ---- Lines ---- */

static CnTextStyle style(uint32_t rgb)
{
    return (CnTextStyle){.font = {CN_FONT_MONO}, .size = 12, .color = cn_rgb(rgb)};
}

static void line(Pen *pen, uint32_t rgb, const char *text)
{
    CnTextStyle text_style = style(rgb);
    cn_canvas_text_in(pen->canvas, (CnRect){pen->x, pen->y, pen->width, LINE}, &text_style,
                      &(CnTextLayout){.align_y = CN_ALIGN_CENTER, .ellipsis = true}, cn_text(text));
    pen->y += LINE;
}

static void line_format(Pen *pen, uint32_t rgb, const char *format, ...) CN_PRINTF_LIKE(3, 4);
static void line_format(Pen *pen, uint32_t rgb, const char *format, ...)
{
    char text[160];
    va_list arguments;
    va_start(arguments, format);
    cn_format_v(text, sizeof text, format, arguments);
    va_end(arguments);
    line(pen, rgb, text);
}

/* "1,234,567" */
static const char *grouped(uint64_t number, char text[32])
{
    char digits[24];
    cn_format(digits, sizeof digits, "%llu", (unsigned long long)number);
    size_t count = strlen(digits), to = 0;
    for (size_t i = 0; i < count; i++) {
        if (i > 0 && (count - i) % 3 == 0)
            text[to++] = ',';
        text[to++] = digits[i];
    }
    text[to] = '\0';
    return text;
}

static const char *memory_text(uint64_t bytes, char text[32])
{
    double mib = (double)bytes / (1 << 20);
    cn_format(text, 32, mib < 10 ? "%.1f MiB" : "%.0f MiB", mib);
    return text;
}

/* ---- Graph of the last frames ---- */

/* The range is at least two 60 Hz frames and grows in steps, so that the scale does not jitter. */
static float graph_top(float most)
{
    float top = 1000.0f / 30;
    while (top < most && top < 1e6f)
        top *= 2;
    return top;
}

static float at_age(const float *values, const CnOverlayData *data, uint32_t column)
{
    uint32_t from = data->frame_next + CN_OVERLAY_FRAMES - data->frame_count;
    return values[(from + column) % CN_OVERLAY_FRAMES];
}

static void draw_columns(Pen *pen, const CnOverlayData *data, const float *values, float top,
                         CnColor color)
{
    float start = pen->x + (float)(CN_OVERLAY_FRAMES - data->frame_count);
    for (uint32_t i = 0; i < data->frame_count; i++) {
        float value = at_age(values, data, i);
        float height = fminf(value > 0 ? value / top : 0, 1) * GRAPH_HEIGHT;
        cn_canvas_fill(pen->canvas,
                       (CnRect){start + (float)i, pen->y + GRAPH_HEIGHT - height, 1, height},
                       color);
    }
}

static void draw_graph(Pen *pen, const CnOverlayData *data, float most)
{
    float top = graph_top(most), pixel = 1 / cn_canvas_scale(pen->canvas),
          width = CN_OVERLAY_FRAMES;
    cn_canvas_fill(pen->canvas, (CnRect){pen->x, pen->y, width, GRAPH_HEIGHT}, cn_rgba(0x00000070));
    draw_columns(pen, data, data->frame_ms, top, cn_rgba(0x5AB0F6B0));
    draw_columns(pen, data, data->gpu_ms, top, cn_rgba(0x7BD88FC0));
    draw_columns(pen, data, data->tick_ms, top, cn_rgba(0xF2B134D0));
    const float marks[] = {1000.0f / 60, 1000.0f / 30};
    for (int i = 0; i < 2; i++) {
        float y = cn_canvas_snap(pen->canvas, pen->y + GRAPH_HEIGHT * (1 - marks[i] / top));
        if (marks[i] / top <= 0.05f)
            continue;
        cn_canvas_fill(pen->canvas, (CnRect){pen->x, y, width, pixel}, cn_rgba(0xFFFFFF50));
        if (i == 0 &&
            GRAPH_HEIGHT * (marks[1] - marks[0]) / top < LINE) /* the numbers would overlap */
            continue;
        CnTextStyle number = style(0x9AA4B2);
        cn_canvas_text(pen->canvas, pen->x + width + 8, fmaxf(y - 7, pen->y - 4), &number,
                       cn_text(i == 0 ? "60 fps" : "30 fps"));
    }
    pen->y += GRAPH_HEIGHT + 6;
}

/* ---- Pages ---- */

static void times_line(Pen *pen, uint32_t rgb, const char *name, const float *values,
                       uint32_t count)
{
    Range range = range_of(values, count);
    line_format(pen, rgb, "%-6s%7.2f ms   least %6.2f   most %7.2f", name, (double)range.mean,
                (double)range.least, (double)range.most);
}

static void draw_summary(Pen *pen, const CnOverlayData *data)
{
    char a[32], b[32];
    line_format(pen, 0xFFFFFF, "%.0f fps   %u x %u", (double)cn_overlay_fps(data), data->width,
                data->height);
    line(pen, 0x9AA4B2, data->device);
    times_line(pen, 0x5AB0F6, "frame", data->frame_ms, data->frame_count);
    times_line(pen, 0x7BD88F, "gpu", data->gpu_ms, data->frame_count);
    times_line(pen, 0xF2B134, "tick", data->tick_ms, data->frame_count);
    pen->y += 3;
    draw_graph(pen, data, range_of(data->frame_ms, data->frame_count).most);
    line_format(pen, 0xE6EAF0, "tick       %-14s entities %s", grouped(data->tick, a),
                grouped(data->entities, b));
    line_format(pen, 0xE6EAF0, "items      %-14s visible  %s", grouped(data->items, a),
                grouped(data->visible_items, b));
    line_format(pen, 0xE6EAF0, "draws      %-14s calls    %s", grouped(data->draws, a),
                grouped(data->draw_calls, b));
    line_format(pen, 0xE6EAF0, "triangles  %-14s lights   %u of %u", grouped(data->triangles, a),
                data->visible_lights, data->lights);
    line_format(pen, 0xE6EAF0, "gpu memory %-14s reserved %s", memory_text(data->gpu_used_bytes, a),
                memory_text(data->gpu_reserved_bytes, b));
    line_format(pen, 0xE6EAF0, "camera     %.2f  %.2f  %.2f", (double)data->camera.x,
                (double)data->camera.y, (double)data->camera.z);
    for (size_t i = 0; i < CN_COUNT_OF(data->more); i++) {
        if (data->more[i][0])
            line(pen, 0xE6EAF0, data->more[i]);
    }
}

static void draw_pass(Pen *pen, const CnOverlayPass *pass, float longest)
{
    static const uint32_t kinds[] = {
        [CN_GRAPH_GRAPHICS] = 0, [CN_GRAPH_COMPUTE] = 4, [CN_GRAPH_TRANSFER] = 5};
    CnTextStyle name = style(pass->is_culled ? 0x6B7480 : 0xE6EAF0), number = style(0x9AA4B2);
    CnTextLayout box = {.align_y = CN_ALIGN_CENTER, .ellipsis = true};
    float name_width = pen->width * 0.42f, number_width = 76;
    cn_canvas_text_in(pen->canvas, (CnRect){pen->x, pen->y, name_width - 6, LINE}, &name, &box,
                      cn_text(pass->name));
    char text[32];
    cn_format(text, sizeof text, pass->is_culled ? "culled" : "%8.1f us",
              (double)pass->microseconds);
    box.align_x = CN_ALIGN_END;
    box.ellipsis = false;
    cn_canvas_text_in(pen->canvas,
                      (CnRect){pen->x + pen->width - number_width, pen->y, number_width, LINE},
                      &number, &box, cn_text(text));
    float room = pen->width - name_width - number_width - 6;
    float share = longest > 0 && !pass->is_culled ? fminf(pass->microseconds / longest, 1) : 0;
    uint32_t kind = (uint32_t)pass->kind < CN_COUNT_OF(kinds) ? kinds[pass->kind] : 3;
    cn_canvas_fill(
        pen->canvas,
        (CnRect){cn_canvas_snap(pen->canvas, pen->x + name_width),
                 cn_canvas_snap(pen->canvas, pen->y + 3),
                 cn_canvas_snap(pen->canvas, fmaxf(room * share, pass->is_culled ? 0 : 1)),
                 LINE - 6},
        cn_rgba(colors[kind]));
    pen->y += LINE;
}

static uint32_t passes_that_fit(const Pen *pen, const CnOverlayData *data)
{
    float room = (cn_canvas_area(pen->canvas).height - pen->y - MARGIN - INSET) / LINE;
    uint32_t fit = room > 0 ? (uint32_t)room : 0;
    return data->pass_count < fit ? data->pass_count : fit;
}

static void draw_passes(Pen *pen, const CnOverlayData *data)
{
    char a[32], b[32], c[32], d[32];
    const CnGraphStats *graph = &data->graph;
    line_format(pen, 0xFFFFFF, "render graph: %u passes, %u culled, %.2f ms", graph->passes,
                graph->culled_passes, (double)graph->microseconds / 1000);
    line_format(pen, 0xE6EAF0, "resources %u, barriers %u in %u calls", graph->resources,
                graph->barriers, graph->barrier_calls);
    line_format(pen, 0xE6EAF0, "transient %s in %s (heap %s)",
                memory_text(graph->transient_bytes, a), memory_text(graph->placed_bytes, b),
                memory_text(graph->heap_bytes, c));
    line_format(pen, 0xE6EAF0, "kept      %s", memory_text(graph->persistent_bytes, d));
    pen->y += 4;
    float longest = 0;
    for (uint32_t i = 0; i < data->pass_count; i++)
        longest = fmaxf(longest, data->passes[i].microseconds);
    uint32_t fit = passes_that_fit(pen, data);
    for (uint32_t i = 0; i < fit; i++)
        draw_pass(pen, &data->passes[i], longest);
}

static float page_height(const CnCanvas *canvas, const CnOverlayData *data)
{
    float lines = data->page == CN_OVERLAY_SUMMARY ? 12 : 5;
    float more = data->page == CN_OVERLAY_SUMMARY ? GRAPH_HEIGHT + 9 : 4;
    for (size_t i = 0; data->page == CN_OVERLAY_SUMMARY && i < CN_COUNT_OF(data->more); i++)
        lines += data->more[i][0] ? 1 : 0;
    if (data->page == CN_OVERLAY_PASSES) {
        Pen pen = {.canvas = (CnCanvas *)canvas, .y = MARGIN + INSET + lines * LINE + more};
        lines += (float)passes_that_fit(&pen, data);
    }
    return lines * LINE + more + 2 * INSET;
}

void cn_overlay_draw(CnCanvas *canvas, const CnOverlayData *data)
{
    CN_ASSERT(canvas, "%s: canvas is NULL", __func__);
    if (data->page <= CN_OVERLAY_OFF || data->page >= CN_OVERLAY_PAGE_COUNT)
        return;
    uint32_t layer = cn_canvas_set_layer(canvas, CN_CANVAS_MAX_LAYERS - 1);
    CnRect panel = {MARGIN, MARGIN, PANEL_WIDTH, page_height(canvas, data)};
    cn_canvas_box(canvas, panel, &(CnBoxStyle){.fill = cn_rgba(0x10141AD8), .radius = 6});
    Pen pen = {canvas, panel.x + INSET, panel.y + INSET, panel.width - 2 * INSET};
    line(&pen, 0xF2B134, data->title[0] ? data->title : "Cairn");
    if (data->page == CN_OVERLAY_SUMMARY)
        draw_summary(&pen, data);
    else
        draw_passes(&pen, data);
    cn_canvas_set_layer(canvas, layer);
}
