/* The overlay of errors that stand. */
#include <cairn/ui/error_overlay.h>

#include <cairn/base/hash_map.h>
#include <cairn/base/text.h>

#include <string.h>

#define MARGIN 8.0f
#define INSET 10.0f
#define GAP 5.0f            /* between errors */
#define LEAST_WIDTH 96.0f   /* of a canvas on which anything is drawn */
#define HEIGHT_SHARE 0.667f /* of the canvas, at most */
#define TEXT_COLOR 0xFFE0D8
#define PLACE_COLOR 0xFFC850
#define PLACE_BYTES (CN_ERROR_FILE_BYTES + 32)

/* ---- What is hidden ---- */

static uint64_t hash_of(const CnError *error)
{
    uint64_t hash = cn_hash_bytes(error->file, strnlen(error->file, sizeof error->file),
                                  (uint64_t)(uint32_t)error->line);
    return cn_hash_bytes(error->message, strnlen(error->message, sizeof error->message), hash);
}

static uint32_t count_of(const CnErrorOverlay *overlay)
{
    return overlay->count < CN_ERROR_OVERLAY_MAX ? overlay->count : CN_ERROR_OVERLAY_MAX;
}

static bool is_hidden(const CnErrorOverlay *overlay, const CnError *error)
{
    uint64_t hash = hash_of(error);
    for (uint32_t i = 0; i < overlay->hidden_count; i++)
        if (overlay->hidden[i] == hash)
            return true;
    return false;
}

bool cn_error_overlay_is_shown(const CnErrorOverlay *overlay)
{
    CN_ASSERT(overlay, "%s: overlay is NULL", __func__);
    for (uint32_t i = 0; i < count_of(overlay); i++)
        if (!is_hidden(overlay, &overlay->errors[i]))
            return true;
    return false;
}

void cn_error_overlay_hide(CnErrorOverlay *overlay, bool hidden)
{
    CN_ASSERT(overlay, "%s: overlay is NULL", __func__);
    overlay->hidden_count = hidden ? count_of(overlay) : 0;
    for (uint32_t i = 0; i < overlay->hidden_count; i++)
        overlay->hidden[i] = hash_of(&overlay->errors[i]);
}

/* ---- Texts ---- */

typedef struct Entry {
    char place[PLACE_BYTES]; /* "file:line:column"; "": unknown */
    char message[CN_ERROR_MESSAGE_BYTES];
} Entry;

/* Errors are escaped when they are set, but a program may have filled in its own. */
static Entry entry_of(const CnError *error)
{
    Entry entry = {.place = ""};
    char file[CN_ERROR_FILE_BYTES];
    CnText name = {error->file, strnlen(error->file, sizeof error->file)};
    CnText message = {error->message, strnlen(error->message, sizeof error->message)};
    cn_text_escape(name, file, sizeof file);
    cn_text_escape(message, entry.message, sizeof entry.message);
    if (file[0] && error->line > 0 && error->column > 0)
        cn_format(entry.place, sizeof entry.place, "%s:%d:%d", file, error->line, error->column);
    else if (file[0] && error->line > 0)
        cn_format(entry.place, sizeof entry.place, "%s:%d", file, error->line);
    else
        cn_copy_text(entry.place, sizeof entry.place, cn_text(file));
    return entry;
}

/* ---- Drawing ---- */

typedef struct Pen {
    CnCanvas *canvas;
    float x, y, width;
} Pen;

static CnTextStyle style(uint32_t rgb)
{
    return (CnTextStyle){.font = {CN_FONT_MONO}, .size = 12, .color = cn_rgb(rgb)};
}

static float text_height(const CnCanvas *canvas, const char *text, float width)
{
    CnTextStyle text_style = style(TEXT_COLOR);
    return text[0] ? cn_canvas_text_size(canvas, &text_style, cn_text(text), width).y : 0;
}

static float entry_height(const CnCanvas *canvas, const CnError *error, float width)
{
    Entry entry = entry_of(error);
    return text_height(canvas, entry.place, width) + text_height(canvas, entry.message, width) +
           GAP;
}

static void write_text(Pen *pen, uint32_t rgb, const char *text)
{
    CnTextStyle text_style = style(rgb);
    float height = text_height(pen->canvas, text, pen->width);
    if (text[0])
        cn_canvas_text_in(pen->canvas, (CnRect){pen->x, pen->y, pen->width, height}, &text_style,
                          &(CnTextLayout){.wrap = true}, cn_text(text));
    pen->y += height;
}

static void title_of(const CnErrorOverlay *overlay, uint32_t fit, char *title, size_t bytes)
{
    uint32_t count = count_of(overlay);
    char shown[32] = "";
    if (fit < count)
        cn_format(shown, sizeof shown, ", %u shown", fit);
    cn_format(title, bytes, "%u%s error%s%s%s%s", count,
              count == CN_ERROR_OVERLAY_MAX ? " or more" : "", count == 1 ? "" : "s", shown,
              overlay->hint[0] ? "  -  " : "", overlay->hint);
}

/* Returns how many errors fit, and the height that they take. */
static uint32_t fit_entries(const CnCanvas *canvas, const CnErrorOverlay *overlay, float width,
                            float room, float *height)
{
    uint32_t fit = 0;
    *height = 0;
    for (; fit < count_of(overlay); fit++) {
        float next = entry_height(canvas, &overlay->errors[fit], width);
        if (fit > 0 && *height + next > room)
            break;
        *height += next;
    }
    return fit;
}

static void draw_panel(CnCanvas *canvas, const CnErrorOverlay *overlay)
{
    char title[128];
    float height;
    CnRect area = cn_canvas_area(canvas);
    float width = area.width - 2 * (MARGIN + INSET);
    uint32_t fit =
        fit_entries(canvas, overlay, width, area.height * HEIGHT_SHARE - 2 * INSET, &height);
    title_of(overlay, fit, title, sizeof title);
    height += text_height(canvas, title, width) + 2 * INSET;
    CnRect panel = {MARGIN, area.height - height - MARGIN, area.width - 2 * MARGIN, height};
    cn_canvas_box(canvas, panel,
                  &(CnBoxStyle){.fill = cn_color_fade(cn_rgb(0x701810), 0.92f), .radius = 6});
    Pen pen = {canvas, panel.x + INSET, panel.y + INSET, width};
    write_text(&pen, 0xFFFFFF, title);
    for (uint32_t i = 0; i < fit; i++) {
        Entry entry = entry_of(&overlay->errors[i]);
        pen.y += GAP;
        write_text(&pen, PLACE_COLOR, entry.place);
        write_text(&pen, TEXT_COLOR, entry.message);
    }
}

void cn_error_overlay_draw(CnCanvas *canvas, const CnErrorOverlay *overlay)
{
    CN_ASSERT(canvas, "%s: canvas is NULL", __func__);
    CN_ASSERT(overlay, "%s: overlay is NULL", __func__);
    if (!overlay->count || cn_canvas_area(canvas).width < LEAST_WIDTH)
        return;
    uint32_t layer = cn_canvas_set_layer(canvas, CN_CANVAS_MAX_LAYERS - 1);
    draw_panel(canvas, overlay);
    cn_canvas_set_layer(canvas, layer);
}
