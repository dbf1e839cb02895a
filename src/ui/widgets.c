/* Labels, images, buttons and similar widgets. */
#include "ui/ui_internal.h"

#include <math.h>

/* ---- Display ---- */

static float text_height(const CnUi *ui)
{
    CnTextStyle style = cni_ui_style(ui, ui->theme.text);
    return cn_canvas_line_height(ui->canvas, &style);
}

/* Registers a widget without interaction, so that tooltips work on it. */
static void passive(CnUi *ui, CnRect rect)
{
    ui->last.rect = rect;
    ui->last.id = cn_hash_bytes(&rect, sizeof rect, ui->window_id);
    ui->last.hovered = ui->hot_window == ui->window_id &&
                       cn_rect_contains(rect, ui->mouse.x, ui->mouse.y) &&
                       cn_rect_contains(cn_canvas_clip(ui->canvas), ui->mouse.x, ui->mouse.y);
    ui->last.pressed = ui->last.focused = false;
    if (ui->last.hovered)
        ui->hovered_now = ui->last.id;
}

void cn_ui_label_colored(CnUi *ui, CnColor color, CnAlign align, const char *text)
{
    CN_ASSERT(ui, "%s: ui is NULL", __func__);
    CN_ASSERT((uint32_t)align <= CN_ALIGN_END, "invalid alignment %d", (int)align);
    align = (uint32_t)align <= CN_ALIGN_END ? align : CN_ALIGN_START;
    float height = text_height(ui);
    const CniUiLayout *layout = &ui->layouts[ui->layout_depth > 0 ? ui->layout_depth - 1 : 0];
    /* In a row with buttons and fields, the text is centered vertically. */
    CnRect rect =
        cni_ui_layout_next(ui, layout->cells ? fmaxf(height, ui->theme.row_height) : height);
    cni_ui_text_in(ui, rect, color, align, cni_ui_visible_label(text));
    passive(ui, rect);
}

void cn_ui_label(CnUi *ui, const char *text)
{
    CN_ASSERT(ui, "%s: ui is NULL", __func__);
    cn_ui_label_colored(ui, ui->theme.text, CN_ALIGN_START, text);
}

void cn_ui_label_format(CnUi *ui, const char *format, ...)
{
    CN_ASSERT(ui, "%s: ui is NULL", __func__);
    char text[512];
    va_list arguments;
    va_start(arguments, format);
    cn_format_v(text, sizeof text, format, arguments);
    va_end(arguments);
    cn_ui_label(ui, text);
}

void cn_ui_text(CnUi *ui, const char *text)
{
    CN_ASSERT(ui, "%s: ui is NULL", __func__);
    CnTextStyle style = cni_ui_style(ui, ui->theme.text);
    float height =
        cn_canvas_text_size(ui->canvas, &style, cn_text(text), cn_ui_available_width(ui)).y;
    CnRect rect = cni_ui_layout_next(ui, height);
    cn_canvas_text_in(ui->canvas, rect, &style, &(CnTextLayout){.wrap = true}, cn_text(text));
    passive(ui, rect);
}

void cn_ui_heading(CnUi *ui, const char *text)
{
    CN_ASSERT(ui, "%s: ui is NULL", __func__);
    CnTextStyle style = {.font = ui->theme.font,
                         .size = ui->theme.text_size * 1.3f,
                         .color = cni_ui_fade(ui, ui->theme.text)};
    CnRect rect = cni_ui_layout_next(ui, cn_canvas_line_height(ui->canvas, &style));
    cn_canvas_text_in(ui->canvas, rect, &style, &(CnTextLayout){.ellipsis = true},
                      cni_ui_visible_label(text));
    passive(ui, rect);
}

void cn_ui_separator(CnUi *ui)
{
    CN_ASSERT(ui, "%s: ui is NULL", __func__);
    CnRect rect = cni_ui_layout_next(ui, 7);
    float line = 1 / cn_canvas_scale(ui->canvas);
    cn_canvas_fill(ui->canvas,
                   (CnRect){rect.x, cn_canvas_snap(ui->canvas, rect.y + 3), rect.width, line},
                   ui->theme.window_border);
    passive(ui, rect);
}

void cn_ui_progress(CnUi *ui, float share, const char *text)
{
    CN_ASSERT(ui, "%s: ui is NULL", __func__);
    CnRect rect = cni_ui_layout_next(ui, ui->theme.row_height - 4);
    share = share > 0 ? fminf(share, 1) : 0;
    cni_ui_frame(ui, rect, ui->theme.field, false);
    CnRect bar = cn_rect_inset(rect, ui->theme.border + 1);
    bar.width = cn_canvas_snap(ui->canvas, bar.width * share);
    cn_canvas_box(
        ui->canvas, bar,
        &(CnBoxStyle){.fill = cni_ui_fade(ui, ui->theme.accent), .radius = ui->theme.radius - 1});
    if (text)
        cni_ui_text_in(ui, rect, ui->theme.text, CN_ALIGN_CENTER, cn_text(text));
    passive(ui, rect);
}

void cn_ui_image(CnUi *ui, const CnSprite *sprite, float width, float height)
{
    CN_ASSERT(ui, "%s: ui is NULL", __func__);
    CnRect rect = cni_ui_layout_next(ui, height);
    cn_canvas_sprite(ui->canvas, (CnRect){rect.x, rect.y, width, height}, sprite);
    passive(ui, rect);
}

/* ---- Buttons and choices ---- */

bool cn_ui_button(CnUi *ui, const char *label)
{
    CN_ASSERT(ui, "%s: ui is NULL", __func__);
    CnRect rect = cni_ui_layout_next(ui, ui->theme.row_height);
    CniUiInteraction interaction = cni_ui_interact(ui, cni_ui_id(ui, label), rect, 0);
    cni_ui_frame(ui, rect, cni_ui_widget_color(ui, interaction), interaction.focused);
    cni_ui_text_in(ui, cn_rect_inset(rect, 4), ui->theme.text, CN_ALIGN_CENTER,
                   cni_ui_visible_label(label));
    return interaction.clicked;
}

bool cn_ui_image_button(CnUi *ui, const char *id, const CnSprite *sprite, float width, float height)
{
    CN_ASSERT(ui, "%s: ui is NULL", __func__);
    CN_ASSERT(sprite, "%s: sprite is NULL", __func__);
    CnRect rect = cni_ui_layout_next(ui, height + 8);
    rect.width = fminf(rect.width, width + 8);
    CniUiInteraction interaction = cni_ui_interact(ui, cni_ui_id(ui, id), rect, 0);
    cni_ui_frame(ui, rect, cni_ui_widget_color(ui, interaction), interaction.focused);
    CnSprite shown = *sprite;
    if (ui->disabled)
        shown.tint = cn_color_fade(shown.tint.a ? shown.tint : cn_rgb(0xFFFFFF), 0.45f);
    cn_canvas_sprite(ui->canvas, (CnRect){rect.x + 4, rect.y + 4, width, height}, &shown);
    return interaction.clicked;
}

/* Draws a mark on the left with a label beside it. */
static CniUiInteraction marked(CnUi *ui, const char *label, uint64_t id, CnRect *mark)
{
    CnRect rect = cni_ui_layout_next(ui, ui->theme.row_height);
    CniUiInteraction interaction = cni_ui_interact(ui, id, rect, 0);
    float side = cn_canvas_snap(ui->canvas, ui->theme.row_height - 8);
    *mark =
        (CnRect){rect.x, cn_canvas_snap(ui->canvas, rect.y + (rect.height - side) / 2), side, side};
    CnRect text = {rect.x + side + 8, rect.y, rect.width - side - 8, rect.height};
    cni_ui_text_in(ui, text, ui->theme.text, CN_ALIGN_START, cni_ui_visible_label(label));
    return interaction;
}

bool cn_ui_checkbox(CnUi *ui, const char *label, bool *value)
{
    CN_ASSERT(ui, "%s: ui is NULL", __func__);
    CN_ASSERT(value, "%s: value is NULL", __func__);
    CnRect mark;
    CniUiInteraction interaction = marked(ui, label, cni_ui_id(ui, label), &mark);
    if (interaction.clicked)
        *value = !*value;
    ui->toggles += interaction.clicked;
    cni_ui_frame(ui, mark,
                 *value                ? ui->theme.accent
                 : interaction.hovered ? ui->theme.widget_hot
                                       : ui->theme.field,
                 interaction.focused);
    if (*value) {
        float unit = mark.width / 18;
        CnVec2 a = {mark.x + 4 * unit, mark.y + 9 * unit},
               b = {mark.x + 7.5f * unit, mark.y + 12.5f * unit},
               c = {mark.x + 14 * unit, mark.y + 5.5f * unit};
        CnColor color = cni_ui_fade(ui, ui->theme.text_on_accent);
        cn_canvas_line(ui->canvas, a, (CnVec2){b.x + 0.5f, b.y + 0.5f}, 2, color);
        cn_canvas_line(ui->canvas, b, c, 2, color);
    }
    return interaction.clicked;
}

bool cn_ui_radio(CnUi *ui, const char *label, uint32_t *value, uint32_t mine)
{
    CN_ASSERT(ui, "%s: ui is NULL", __func__);
    CN_ASSERT(value, "%s: value is NULL", __func__);
    CnRect mark;
    CniUiInteraction interaction = marked(ui, label, cni_ui_id(ui, label), &mark);
    bool changed = interaction.clicked && *value != mine;
    ui->toggles += changed;
    if (interaction.clicked)
        *value = mine;
    bool is_on = *value == mine;
    cn_canvas_box(ui->canvas, mark,
                  &(CnBoxStyle){.fill = cni_ui_fade(ui, is_on                 ? ui->theme.accent
                                                        : interaction.hovered ? ui->theme.widget_hot
                                                                              : ui->theme.field),
                                .radius = mark.width / 2,
                                .border = ui->theme.border,
                                .border_color = cni_ui_fade(ui, ui->theme.widget_border)});
    if (is_on) {
        CnRect dot = cn_rect_inset(mark, mark.width * 0.3f);
        cn_canvas_box(ui->canvas, dot,
                      &(CnBoxStyle){.fill = cni_ui_fade(ui, ui->theme.text_on_accent),
                                    .radius = dot.width / 2});
    }
    if (interaction.focused && ui->focus_shown)
        cn_canvas_box(ui->canvas, cn_rect_inset(mark, -1),
                      &(CnBoxStyle){.radius = mark.width / 2 + 1,
                                    .border = 2,
                                    .border_color = ui->theme.focus});
    return changed;
}

bool cn_ui_collapsible(CnUi *ui, const char *label, bool *open)
{
    CN_ASSERT(ui, "%s: ui is NULL", __func__);
    CnRect rect = cni_ui_layout_next(ui, ui->theme.row_height);
    CniUiInteraction interaction = cni_ui_interact(ui, cni_ui_id(ui, label), rect, 0);
    if (interaction.clicked)
        *open = !*open;
    if (interaction.hovered || interaction.focused)
        cn_canvas_box(ui->canvas, rect,
                      &(CnBoxStyle){.fill = ui->theme.widget, .radius = ui->theme.radius});
    cni_ui_focus_ring(ui, rect, interaction.focused);
    CnText arrow = cn_text(*open ? "\xE2\x96\xBE" : "\xE2\x96\xB8");
    cni_ui_text_in(ui, (CnRect){rect.x + 4, rect.y, 16, rect.height}, ui->theme.text_dim,
                   CN_ALIGN_START, arrow);
    cni_ui_text_in(ui, (CnRect){rect.x + 20, rect.y, rect.width - 20, rect.height}, ui->theme.text,
                   CN_ALIGN_START, cni_ui_visible_label(label));
    return interaction.clicked;
}

static void draw_tab(CnUi *ui, CnRect rect, CniUiInteraction interaction, bool is_on,
                     const char *name)
{
    CnColor fill = is_on ? ui->theme.accent : cni_ui_widget_color(ui, interaction);
    cni_ui_frame(ui, rect, fill, interaction.focused);
    cni_ui_text_in(ui, cn_rect_inset(rect, 4), is_on ? ui->theme.text_on_accent : ui->theme.text,
                   CN_ALIGN_CENTER, cni_ui_visible_label(name));
}

bool cn_ui_tabs(CnUi *ui, const char *id, uint32_t *value, const char *const *names, uint32_t count)
{
    CN_ASSERT(ui, "%s: ui is NULL", __func__);
    CN_ASSERT(value, "%s: value is NULL", __func__);
    CnRect whole = cni_ui_layout_next(ui, ui->theme.row_height);
    uint32_t before = *value;
    cn_ui_push_id(ui, id);
    for (uint32_t i = 0; i < count; i++) {
        float step = (whole.width + 2) / (float)count;
        float from = cn_canvas_snap(ui->canvas, whole.x + step * (float)i);
        float to = cn_canvas_snap(ui->canvas, whole.x + step * (float)(i + 1)) - 2;
        CnRect rect = {from, whole.y, to - from, whole.height};
        cn_ui_push_number(ui, i);
        CniUiInteraction interaction = cni_ui_interact(ui, cni_ui_id(ui, names[i]), rect, 0);
        cn_ui_pop_id(ui);
        if (interaction.clicked)
            *value = i;
        draw_tab(ui, rect, interaction, *value == i, names[i]);
    }
    cn_ui_pop_id(ui);
    ui->toggles += *value != before;
    return *value != before;
}
