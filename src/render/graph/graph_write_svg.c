/*
 * Draws the graph as SVG: a column for each pass that runs, and a row for each resource with a bar
 * for its lifetime and marks where passes read or write it; below, the heap with transients over
 * time and offset.
 */
#include "render/graph/graph_internal.h"

#include <cairn/base/assert.h>

#define LEFT 230u
#define COLUMN 34u
#define ROW 20u
#define RIGHT 130u
#define HEADER 170u
#define HEAP_HEIGHT 240u
#define GAP 46u

typedef struct SvgWriter {
    const CnGraph *graph;
    CnTextBuilder *text;
    /* rows_end: end of the rows; height: of the whole image */
    uint32_t rows, width, rows_end, height;
} SvgWriter;

static const char *const kind_colors[] = {"#3568c0", "#c06a12", "#2f8a4a"};
static const char *const origin_colors[] = {"#8fc7c2", "#c4c8d0", "#c3a6de", "#f0b6c8", "#e887a5"};
static const char *const origin_names[] = {"transient", "import", "persistent", "previous",
                                           "current"};
static const char *const range_colors[] = {"#8fc7c2", "#f2cf8d", "#a9bfe8",
                                           "#e3aaa3", "#b9d998", "#cdb4e0"};

static bool append_name(CnTextBuilder *text, const char *name)
{
    bool ok = true;
    for (; *name && ok; name++) {
        switch (*name) {
        case '<':
            ok = cn_text_append(text, cn_text("&lt;"));
            break;
        case '>':
            ok = cn_text_append(text, cn_text("&gt;"));
            break;
        case '&':
            ok = cn_text_append(text, cn_text("&amp;"));
            break;
        default:
            ok = (unsigned char)*name < 0x20 || cn_text_append(text, (CnText){name, 1});
        }
    }
    return ok;
}

/* "12.4 MiB" */
static const char *bytes_text(uint64_t bytes, char *text, size_t text_bytes)
{
    if (bytes >= 1u << 20)
        cn_format(text, text_bytes, "%.1f MiB", (double)bytes / (1 << 20));
    else
        cn_format(text, text_bytes, "%.1f KiB", (double)bytes / (1 << 10));
    return text;
}

static uint32_t column_x(uint32_t order)
{
    return LEFT + order * COLUMN;
}

static bool write_head(const SvgWriter *writer)
{
    char transient[32], placed[32], persistent[32];
    const CnGraphStats *stats = &writer->graph->stats;
    return cn_text_append_format(
        writer->text,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%u\" height=\"%u\" "
        "font-family=\"sans-serif\" font-size=\"12\">\n"
        "<rect width=\"%u\" height=\"%u\" fill=\"#ffffff\"/>\n"
        "<text x=\"12\" y=\"24\" font-size=\"16\" fill=\"#202428\">%u passes, %u culled</text>\n"
        "<text x=\"12\" y=\"46\" fill=\"#50565e\">%u barriers in %u calls</text>\n"
        "<text x=\"12\" y=\"64\" fill=\"#50565e\">transients %s in %s</text>\n"
        "<text x=\"12\" y=\"82\" fill=\"#50565e\">kept %s</text>\n",
        writer->width, writer->height, writer->width, writer->height, stats->passes,
        stats->culled_passes, stats->barriers, stats->barrier_calls,
        bytes_text(stats->transient_bytes, transient, sizeof transient),
        bytes_text(stats->placed_bytes, placed, sizeof placed),
        bytes_text(stats->persistent_bytes, persistent, sizeof persistent));
}

static bool write_key(const SvgWriter *writer)
{
    bool ok = cn_text_append(
        writer->text, cn_text("<text x=\"12\" y=\"106\" font-size=\"11\"><tspan fill=\"#3568c0\">"
                              "graphics</tspan> <tspan fill=\"#c06a12\">compute</tspan> "
                              "<tspan fill=\"#2f8a4a\">transfer</tspan></text>\n"));
    for (uint32_t i = 0; i < CN_COUNT_OF(origin_names) && ok; i++)
        ok = cn_text_append_format(
            writer->text,
            "<rect x=\"%u\" y=\"%u\" width=\"10\" height=\"10\" fill=\"%s\"/>"
            "<text x=\"%u\" y=\"%u\" font-size=\"11\" fill=\"#50565e\">%s</text>\n",
            12 + i % 3 * 72, 116 + i / 3 * 16, origin_colors[i], 26 + i % 3 * 72, 125 + i / 3 * 16,
            origin_names[i]);
    return ok;
}

static bool write_passes(const SvgWriter *writer)
{
    const CnGraph *graph = writer->graph;
    bool ok = true;
    for (uint32_t i = 0; i < graph->order.count && ok; i++) {
        const CniRenderGraphPass *pass = &graph->passes.items[graph->order.items[i]];
        CnGraphPassInfo info;
        cn_graph_pass_info(graph, graph->order.items[i], &info);
        uint32_t x = column_x(i);
        ok = cn_text_append_format(
                 writer->text,
                 "<rect x=\"%u\" y=\"%u\" width=\"%u\" height=\"%u\" fill=\"%s\"/>\n"
                 "<text transform=\"translate(%u,%u) rotate(-55)\" fill=\"%s\">",
                 x, HEADER, COLUMN, writer->rows_end - HEADER, i % 2 ? "#ffffff" : "#f4f6f8",
                 x + 20, HEADER - 8, kind_colors[pass->desc.kind]) &&
             append_name(writer->text, pass->desc.name);
        if (ok && info.microseconds > 0)
            ok = cn_text_append_format(writer->text, " %.0f us", (double)info.microseconds);
        ok = ok && cn_text_append(writer->text, cn_text("</text>\n"));
    }
    return ok;
}

/* Writes the marks of a resource: W for a write, R for a read. */
static bool write_marks(const SvgWriter *writer, const CniRenderGraphResource *resource, uint32_t y)
{
    const CnGraph *graph = writer->graph;
    bool ok = true;
    for (uint32_t i = resource->first_use; i != CNI_RENDER_GRAPH_NO_USE && ok;
         i = graph->uses.items[i].next_of_resource) {
        const CniRenderGraphUse *use = &graph->uses.items[i];
        const CniRenderGraphPass *pass = &graph->passes.items[use->pass];
        if (pass->is_live)
            ok = cn_text_append_format(
                writer->text,
                "<text x=\"%u\" y=\"%u\" text-anchor=\"middle\" font-size=\"11\" "
                "font-weight=\"%s\" fill=\"#202428\">%s</text>\n",
                column_x(pass->order) + COLUMN / 2, y + 14, use->writes ? "bold" : "normal",
                use->writes ? "W" : "R");
    }
    return ok;
}

static bool write_row(const SvgWriter *writer, const CniRenderGraphResource *resource, uint32_t row)
{
    char bytes[32] = "";
    uint32_t y = HEADER + 4 + row * ROW;
    if (resource->need.size)
        bytes_text(resource->need.size, bytes, sizeof bytes);
    bool ok = cn_text_append_format(writer->text,
                                    "<text x=\"%u\" y=\"%u\" text-anchor=\"end\" fill=\"#202428\">",
                                    LEFT - 10, y + 14) &&
              append_name(writer->text, resource->name);
    uint32_t width = (resource->last - resource->first + 1) * COLUMN - 4;
    ok = ok &&
         cn_text_append_format(
             writer->text,
             "</text>\n<rect x=\"%u\" y=\"%u\" width=\"%u\" height=\"%u\" rx=\"4\" fill=\"%s\"/>\n"
             "<text x=\"%u\" y=\"%u\" font-size=\"11\" fill=\"#50565e\">%s</text>\n",
             column_x(resource->first) + 2, y + 1, width, ROW - 2, origin_colors[resource->origin],
             writer->width - RIGHT + 10, y + 14, bytes);
    return ok && write_marks(writer, resource, y);
}

static bool write_rows(const SvgWriter *writer)
{
    bool ok = true;
    uint32_t row = 0;
    for (uint32_t i = 0; i < writer->graph->resources.count && ok; i++) {
        if (writer->graph->resources.items[i].is_live)
            ok = write_row(writer, &writer->graph->resources.items[i], row++);
    }
    return ok;
}

/* Returns the y of an offset in the heap. */
static double heap_y(const SvgWriter *writer, uint64_t offset)
{
    uint64_t all = writer->graph->stats.placed_bytes;
    return writer->rows_end + GAP + (double)offset / (double)(all ? all : 1) * HEAP_HEIGHT;
}

static bool write_heap_range(const SvgWriter *writer, const CniRenderGraphResource *resource,
                             uint32_t number)
{
    double top = heap_y(writer, resource->offset);
    double height = heap_y(writer, resource->offset + resource->need.size) - top;
    uint32_t width = (resource->last - resource->first + 1) * COLUMN - 2;
    bool ok = cn_text_append_format(
        writer->text,
        "<rect x=\"%u\" y=\"%.1f\" width=\"%u\" height=\"%.1f\" fill=\"%s\" stroke=\"#ffffff\"/>\n",
        column_x(resource->first) + 1, top, width, height,
        range_colors[number % CN_COUNT_OF(range_colors)]);
    /* Truncates the name to the available width, at about 7 pixels per character. */
    char name[64];
    uint32_t room = (width - 6) / 7;
    if (!ok || height < 13 || room < 3)
        return ok;
    cn_copy_text(name, room < sizeof name ? room : sizeof name, cn_text(resource->name));
    return cn_text_append_format(writer->text,
                                 "<text x=\"%u\" y=\"%.1f\" font-size=\"11\" fill=\"#202428\">",
                                 column_x(resource->first) + 5, top + height / 2 + 4) &&
           append_name(writer->text, name) && cn_text_append(writer->text, cn_text("</text>\n"));
}

static bool write_heap(const SvgWriter *writer)
{
    const CnGraph *graph = writer->graph;
    char bytes[32];
    uint32_t width = graph->order.count * COLUMN;
    bool ok = cn_text_append_format(
        writer->text,
        "<text x=\"%u\" y=\"%u\" font-size=\"14\" fill=\"#202428\">Memory of transients, by time and "
        "offset</text>\n<rect x=\"%u\" y=\"%u\" width=\"%u\" height=\"%u\" fill=\"#f4f6f8\"/>\n"
        "<text x=\"%u\" y=\"%u\" text-anchor=\"end\" fill=\"#50565e\">0</text>\n"
        "<text x=\"%u\" y=\"%u\" text-anchor=\"end\" fill=\"#50565e\">%s</text>\n",
        LEFT, writer->rows_end + GAP - 12, LEFT, writer->rows_end + GAP, width, HEAP_HEIGHT,
        LEFT - 10, writer->rows_end + GAP + 12, LEFT - 10, writer->rows_end + GAP + HEAP_HEIGHT,
        bytes_text(graph->stats.placed_bytes, bytes, sizeof bytes));
    for (uint32_t i = 0; i < graph->placed.count && ok; i++)
        ok = write_heap_range(writer, &graph->resources.items[graph->placed.items[i]], i);
    return ok;
}

bool cn_graph_write_svg(const CnGraph *graph, CnTextBuilder *text)
{
    CN_ASSERT(graph, "%s: graph is NULL", __func__);
    SvgWriter writer = {.graph = graph, .text = text};
    for (uint32_t i = 0; i < graph->resources.count; i++)
        writer.rows += graph->resources.items[i].is_live;
    writer.width = LEFT + graph->order.count * COLUMN + RIGHT;
    writer.rows_end = HEADER + 8 + writer.rows * ROW;
    writer.height = writer.rows_end + GAP + HEAP_HEIGHT + 20;
    return write_head(&writer) && write_key(&writer) && write_passes(&writer) &&
           write_rows(&writer) && write_heap(&writer) && cn_text_append(text, cn_text("</svg>\n"));
}
