#include "mod_hud.h"

#include <cairn/base/math.h>

#define TEXT 14.0f
#define TEXT_MOST 30.0f /* of a text of normal size, with the player's factor */
#define TEXT_PAD 4.0f   /* around a text with a background */
#define IMAGE 32.0f
#define BAR_WIDTH 120.0f
#define BAR_HEIGHT 8.0f
#define CELL 2.0f /* of a grid without a size */
#define MARKER_ICON 22.0f
#define MARKER_MARGIN 40.0f /* of the edge of the screen */
#define MARKER_ARROW 7.0f

/* ---- The view ---- */

void crafty_mod_hud_init(CraftyModHud *hud, CnAllocator *allocator)
{
    *hud = (CraftyModHud){0};
    crafty_mod_hud_view_init(&hud->view, allocator ? allocator : cn_system_allocator());
}

void crafty_mod_hud_fini(CraftyModHud *hud)
{
    if (!hud->view.allocator)
        return;
    cn_free(hud->view.allocator, hud->rects, hud->capacity * sizeof *hud->rects);
    crafty_mod_hud_view_fini(&hud->view);
    *hud = (CraftyModHud){0};
}

bool crafty_mod_hud_frame(CraftyModHud *hud, const CnWorld *world, uint32_t player)
{
    return crafty_mod_hud_view_update(&hud->view, world, player);
}

static bool make_room(CraftyModHud *hud)
{
    CnAllocator *allocator = hud->view.allocator;
    if (hud->view.element_count <= hud->capacity)
        return true;
    CnRect *rects = cn_alloc(allocator, hud->view.element_count * sizeof *rects);
    if (!rects)
        return false;
    cn_free(allocator, hud->rects, hud->capacity * sizeof *hud->rects);
    hud->rects = rects;
    hud->capacity = hud->view.element_count;
    return true;
}

/* ---- Sizes ---- */

static CnTextStyle text_style(const CraftyModHudFrame *frame, const CraftyModHudElement *element)
{
    float factor = element->size > 0 ? element->size : 1;
    return (CnTextStyle){.size = crafty_icons_text(frame->icons, TEXT, TEXT_MOST) * factor,
                         .color = cn_rgba(element->color)};
}

static bool has_back(const CraftyModHudFrame *frame, const CraftyModHudElement *element)
{
    return (element->background & 0xFF) > 0 || frame->icons->high_contrast;
}

static CnVec2 size_of_text(const CraftyModHudFrame *frame, const CraftyModHudElement *element)
{
    CnTextStyle style = text_style(frame, element);
    float pad = has_back(frame, element) ? 2 * TEXT_PAD : 0;
    float wrap = element->width > pad ? element->width - pad : 0;
    CnVec2 size = cn_canvas_text_size(frame->canvas, &style, cn_text(element->text), wrap);
    return (CnVec2){size.x + pad, size.y + pad};
}

/* The size of what an element shows, without its children. */
static CnVec2 size_of_content(const CraftyModHudFrame *frame, const CraftyModHudElement *element)
{
    switch (element->kind) {
    case CRAFTY_MOD_HUD_TEXT:
        return size_of_text(frame, element);
    case CRAFTY_MOD_HUD_BAR: {
        CnTextStyle style = text_style(frame, element);
        float line = element->text[0] ? cn_canvas_line_height(frame->canvas, &style) : 0;
        return (CnVec2){BAR_WIDTH, BAR_HEIGHT + line};
    }
    case CRAFTY_MOD_HUD_IMAGE:
        return (CnVec2){IMAGE, IMAGE};
    case CRAFTY_MOD_HUD_GRID:
        return (CnVec2){CELL * (float)element->columns, CELL * (float)element->rows};
    default:
        return (CnVec2){0, 0};
    }
}

static float most(float a, float b)
{
    return a > b ? a : b;
}

static float clamp(float value, float low, float high)
{
    return value < low ? low : value > high ? high : value;
}

/* Children come after their panels, so that their sizes are known first in reverse. */
static void measure(CraftyModHud *hud, const CraftyModHudFrame *frame)
{
    const CraftyModHudElement *elements = hud->view.elements;
    for (uint32_t i = 0; i < hud->view.element_count; i++)
        hud->rects[i] = (CnRect){0, 0, 0, 0};
    for (uint32_t i = hud->view.element_count; i-- > 0;) {
        const CraftyModHudElement *element = &elements[i];
        CnRect *rect = &hud->rects[i];
        CnVec2 content = size_of_content(frame, element);
        rect->width = element->width > 0 ? element->width : most(rect->width, content.x);
        rect->height = element->height > 0 ? element->height : most(rect->height, content.y);
        if (element->parent >= i)
            continue;
        CnRect *panel = &hud->rects[element->parent];
        panel->width = most(panel->width, rect->width + 2 * cn_fabsf(element->x));
        panel->height = most(panel->height, rect->height + 2 * cn_fabsf(element->y));
    }
}

/* ---- Places ---- */

/* 0, 1/2 or 1 of the size, to the right and down. */
static CnVec2 share_of(CraftyModHudAnchor anchor)
{
    return (CnVec2){0.5f * (float)((uint32_t)anchor % 3), 0.5f * (float)((uint32_t)anchor / 3)};
}

bool crafty_mod_hud_place(CraftyModHud *hud, const CraftyModHudFrame *frame)
{
    if (!make_room(hud))
        return false;
    measure(hud, frame);
    for (uint32_t i = 0; i < hud->view.element_count; i++) {
        const CraftyModHudElement *element = &hud->view.elements[i];
        CnRect area =
            element->parent < i ? hud->rects[element->parent] : cn_canvas_area(frame->canvas);
        CnRect *rect = &hud->rects[i];
        CnVec2 share = share_of(element->anchor);
        rect->x = cn_canvas_snap(frame->canvas,
                                 area.x + share.x * (area.width - rect->width) + element->x);
        rect->y = cn_canvas_snap(frame->canvas,
                                 area.y + share.y * (area.height - rect->height) + element->y);
    }
    return true;
}

/* ---- Drawing ---- */

static void draw_back(const CraftyModHudFrame *frame, CnRect rect, uint32_t color)
{
    uint32_t shown = frame->icons->high_contrast ? (color | 0xE0u) : color;
    if ((shown & 0xFF) > 0)
        cn_canvas_box(frame->canvas, rect, &(CnBoxStyle){.fill = cn_rgba(shown), .radius = 3});
}

/* Without a background, a shadow keeps it readable on snow. */
static void draw_text(const CraftyModHudFrame *frame, CnRect rect,
                      const CraftyModHudElement *element)
{
    CnTextStyle style = text_style(frame, element);
    CnTextLayout layout = {.align_x = (CnAlign)((uint32_t)element->anchor % 3),
                           .wrap = element->width > 0};
    if (has_back(frame, element)) {
        draw_back(frame, rect, element->background);
        rect = cn_rect_inset(rect, TEXT_PAD);
    } else {
        CnTextStyle shadow = {
            .size = style.size,
            .color = cn_color_fade(cn_rgba(0x000000B0), (float)(element->color & 0xFF) / 255)};
        cn_canvas_text_in(frame->canvas, (CnRect){rect.x + 1, rect.y + 1, rect.width, rect.height},
                          &shadow, &layout, cn_text(element->text));
    }
    cn_canvas_text_in(frame->canvas, rect, &style, &layout, cn_text(element->text));
}

static void draw_bar(const CraftyModHudFrame *frame, CnRect rect,
                     const CraftyModHudElement *element)
{
    CnTextStyle style = text_style(frame, element);
    float line = element->text[0] ? cn_canvas_line_height(frame->canvas, &style) : 0;
    CnRect bar = {rect.x, rect.y + line, rect.width, most(rect.height - line, 2)};
    uint32_t back = (element->background & 0xFF) ? element->background : 0x10141890;
    if (line > 0) {
        CraftyModHudElement label = *element;
        label.background = 0;
        label.width = 0;
        draw_text(frame, (CnRect){rect.x, rect.y, rect.width, line}, &label);
    }
    draw_back(frame, bar, back);
    bar = cn_rect_inset(bar, 1);
    bar.width *= clamp(element->value, 0, 1);
    cn_canvas_box(frame->canvas, bar, &(CnBoxStyle){.fill = cn_rgba(element->color), .radius = 2});
}

/* The picture of an item, a block or a texture of the mod. */
static void draw_tile(const CraftyModHudFrame *frame, CnRect rect,
                      const CraftyModHudElement *element)
{
    char full[CRAFTY_MOD_HUD_TILE_BYTES + 40];
    const CraftyItemIcons *icons = frame->icons;
    const char *names[2] = {element->tile, full};
    cn_format(full, sizeof full, "%s:%s", element->mod, element->tile);
    for (uint32_t i = 0; i < 2; i++)
        if (crafty_texture_icon_draw(icons, frame->canvas, rect, names[1 - i]))
            return;
    for (uint32_t i = 0; i < 2; i++) {
        CraftyItem item = crafty_items_find(icons->items, names[i]);
        if (item != CRAFTY_NO_ITEM) {
            crafty_item_icon_draw(icons, frame->canvas, rect, item, 1);
            return;
        }
    }
}

/* Runs of cells of one color are one rectangle; edges are on whole pixels, so that nothing shows
 * between cells. */
static void draw_grid(const CraftyModHudFrame *frame, CnRect rect,
                      const CraftyModHudElement *element)
{
    CnCanvas *canvas = frame->canvas;
    draw_back(frame, rect, element->background);
    for (uint32_t row = 0; row < element->rows && element->cells; row++) {
        const uint32_t *cells = element->cells + (size_t)row * element->columns;
        float height = rect.height / (float)element->rows;
        float width = rect.width / (float)element->columns;
        float top = cn_canvas_snap(canvas, rect.y + height * (float)row);
        float bottom = cn_canvas_snap(canvas, rect.y + height * (float)(row + 1));
        for (uint32_t from = 0, to; from < element->columns; from = to) {
            for (to = from + 1; to < element->columns && cells[to] == cells[from];)
                to++;
            float left = cn_canvas_snap(canvas, rect.x + width * (float)from);
            float right = cn_canvas_snap(canvas, rect.x + width * (float)to);
            if ((cells[from] & 0xFF) > 0)
                cn_canvas_fill(canvas, (CnRect){left, top, right - left, bottom - top},
                               cn_rgba(cells[from]));
        }
    }
}

/* ---- Markers ---- */

static void draw_arrow(CnCanvas *canvas, CnVec2 at, CnVec2 direction, CnColor color)
{
    CnVec2 tip = {at.x + direction.x * (MARKER_ICON / 2 + MARKER_ARROW),
                  at.y + direction.y * (MARKER_ICON / 2 + MARKER_ARROW)};
    for (int side = -1; side <= 1; side += 2) {
        CnVec2 back = {tip.x - MARKER_ARROW * (direction.x - (float)side * direction.y),
                       tip.y - MARKER_ARROW * (direction.y + (float)side * direction.x)};
        cn_canvas_line(canvas, tip, back, 4, cn_rgba(0x000000A0));
        cn_canvas_line(canvas, tip, back, 2, color);
    }
}

static void draw_marker_sign(const CraftyModHudFrame *frame, CnVec2 at,
                             const CraftyModHudElement *element)
{
    CnRect icon = {at.x - MARKER_ICON / 2, at.y - MARKER_ICON / 2, MARKER_ICON, MARKER_ICON};
    if (element->tile[0])
        draw_tile(frame, icon, element);
    else
        cn_canvas_box(frame->canvas, cn_rect_inset(icon, 6),
                      &(CnBoxStyle){.fill = cn_rgba(element->color),
                                    .border = 1.5f,
                                    .border_color = cn_rgba(0x000000C0),
                                    .rotation = CN_PIF / 4});
}

static void draw_marker(const CraftyModHudFrame *frame, const CraftyModHudElement *element)
{
    CnRect area = cn_canvas_area(frame->canvas);
    char text[CRAFTY_MOD_HUD_TEXT_BYTES + 24];
    if (!frame->camera.valid)
        return;
    CraftyMarkerPlace place =
        crafty_marker_place(&frame->camera, element->position, (CnVec2){area.width, area.height},
                            (CnVec2){MARKER_MARGIN, MARKER_MARGIN});
    CnVec3 way = cn_vec3_sub(element->position, frame->camera.position);
    cn_format(text, sizeof text, "%s%s%.0f m", element->text, element->text[0] ? "  ·  " : "",
              (double)cn_vec3_length(way));
    CraftyModHudElement label = *element;
    label.kind = CRAFTY_MOD_HUD_TEXT;
    label.anchor = CRAFTY_MOD_HUD_TOP;
    label.text = text;
    label.width = 0;
    CnVec2 size = size_of_text(frame, &label);
    float left = clamp(place.at.x - size.x / 2, 4, most(area.width - size.x - 4, 4));
    draw_marker_sign(frame, place.at, element);
    if (place.is_outside)
        draw_arrow(frame->canvas, place.at, place.direction, cn_rgba(element->color));
    /* Above the sign near the lower edge, where the hotbar is. */
    bool is_low = place.at.y > area.height - 2 * MARKER_MARGIN;
    float top = is_low ? place.at.y - MARKER_ICON / 2 - size.y - 2 : place.at.y + MARKER_ICON / 2;
    draw_text(frame, (CnRect){left, top, size.x, size.y}, &label);
}

void crafty_mod_hud_draw(CraftyModHud *hud, const CraftyModHudFrame *frame)
{
    if (hud->view.element_count == 0 || !crafty_mod_hud_place(hud, frame))
        return;
    for (uint32_t i = 0; i < hud->view.element_count; i++) {
        const CraftyModHudElement *element = &hud->view.elements[i];
        CnRect rect = hud->rects[i];
        switch (element->kind) {
        case CRAFTY_MOD_HUD_TEXT:
            draw_text(frame, rect, element);
            break;
        case CRAFTY_MOD_HUD_BAR:
            draw_bar(frame, rect, element);
            break;
        case CRAFTY_MOD_HUD_IMAGE:
            draw_tile(frame, rect, element);
            break;
        case CRAFTY_MOD_HUD_GRID:
            draw_grid(frame, rect, element);
            break;
        case CRAFTY_MOD_HUD_PANEL:
            draw_back(frame, rect, element->background);
            break;
        case CRAFTY_MOD_HUD_MARKER:
            draw_marker(frame, element);
            break;
        case CRAFTY_MOD_HUD_KIND_COUNT:
            break;
        }
    }
}
