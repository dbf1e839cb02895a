/* Mouse and keyboard interaction with a widget, and common widget drawing. */
#include "ui/ui_internal.h"

#include <math.h>

/* Counts ids that occur more than once in a frame. */
void cni_ui_count_widget(CnUi *ui, uint64_t id)
{
    if (ui->widgets >= CN_UI_MAX_WIDGETS) {
        ui->refused++;
        return;
    }
    for (uint64_t at = cn_hash_mix(id);; at++) {
        CniUiSeen *seen = &ui->seen[at % CNI_UI_SEEN];
        if (seen->frame == ui->frame && seen->id != id)
            continue;
        if (seen->frame == ui->frame) {
            ui->duplicate_ids++;
            return;
        }
        *seen = (CniUiSeen){id, ui->frame};
        ui->widgets++;
        return;
    }
}

void cni_ui_take_focus(CnUi *ui, uint64_t id, bool shown)
{
    ui->focus = id;
    ui->focus_window = ui->window_id;
    ui->focus_shown = shown;
    ui->focus_moved = shown;
    ui->focus_taken = true;
}

/* A click on a HUD leaves the keyboard to the game, except on text fields. */
static bool takes_focus(const CnUi *ui, uint32_t flags)
{
    bool is_hud = ui->window && ui->window->flags & CN_UI_NO_FOCUS;
    return !(flags & CNI_UI_NO_FOCUS_TARGET) && (!is_hud || flags & CNI_UI_WRITES);
}

static bool is_pressed_by_key(CnUi *ui)
{
    bool pressed =
        cni_ui_take_key(ui, CN_UI_ACTIVATE, NULL) || cni_ui_take_key(ui, CN_UI_SPACE, NULL);
    ui->focus_shown |= pressed;
    return pressed;
}

CniUiInteraction cni_ui_interact(CnUi *ui, uint64_t id, CnRect rect, uint32_t flags)
{
    const uint32_t left = 1u << CN_MOUSE_LEFT;
    CniUiInteraction interaction = {0};
    float label = ui->label_width;
    ui->label_width = 0;
    ui->last.id = id;
    ui->last.rect = rect;
    ui->last.hovered = ui->last.pressed = ui->last.focused = false;
    cni_ui_count_widget(ui, id);
    if (ui->disabled || (ui->modal && ui->window_id != ui->modal && ui->window_id != ui->popup))
        return interaction;
    bool is_over = ui->hot_window == ui->window_id && ui->window_id &&
                   cn_rect_contains(rect, ui->mouse.x, ui->mouse.y) &&
                   cn_rect_contains(cn_canvas_clip(ui->canvas), ui->mouse.x, ui->mouse.y);
    interaction.hovered = is_over && (!ui->active || ui->active == id);
    if (interaction.hovered && ui->input.mouse_pressed & left && !ui->active) {
        ui->active = id;
        ui->grip = (CnVec2){ui->mouse.x - rect.x, ui->mouse.y - rect.y};
        interaction.pressed = true;
        if (takes_focus(ui, flags))
            cni_ui_take_focus(ui, id, false);
    }
    interaction.held = ui->active == id;
    interaction.clicked =
        interaction.held && interaction.hovered && ui->input.mouse_released & left;
    if (interaction.hovered)
        ui->hovered_now = id;
    if (!(flags & CNI_UI_NO_FOCUS_TARGET)) {
        if (ui->focus_next)
            cni_ui_take_focus(ui, id, true);
        ui->focus_next = false;
        cni_ui_add_focus_target(ui, id,
                                (CnRect){rect.x - label, rect.y, rect.width + label, rect.height});
        interaction.focused = ui->focus == id;
        if (interaction.focused && !(flags & CNI_UI_NO_KEYS) && is_pressed_by_key(ui))
            interaction.clicked = true;
    }
    ui->clicks += interaction.clicked;
    ui->last.hovered = interaction.hovered;
    ui->last.pressed = interaction.held;
    ui->last.focused = interaction.focused;
    return interaction;
}

/* ---- Drawing ---- */

void cni_ui_focus_ring(CnUi *ui, CnRect rect, bool focused)
{
    if (!focused || !ui->focus_shown)
        return;
    cn_canvas_box(ui->canvas, cn_rect_inset(rect, -1),
                  &(CnBoxStyle){.radius = ui->theme.radius + 1,
                                .border = 2,
                                .border_color = ui->theme.focus});
}

void cni_ui_frame(CnUi *ui, CnRect rect, CnColor fill, bool focused)
{
    cn_canvas_box(ui->canvas, rect,
                  &(CnBoxStyle){.fill = cni_ui_fade(ui, fill),
                                .radius = ui->theme.radius,
                                .border = ui->theme.border,
                                .border_color = cni_ui_fade(ui, ui->theme.widget_border)});
    cni_ui_focus_ring(ui, rect, focused);
}

CnColor cni_ui_widget_color(const CnUi *ui, CniUiInteraction interaction)
{
    return interaction.held && interaction.hovered ? ui->theme.widget_pressed
           : interaction.hovered                   ? ui->theme.widget_hot
                                                   : ui->theme.widget;
}

void cni_ui_text_in(CnUi *ui, CnRect rect, CnColor color, CnAlign align_x, CnText text)
{
    CnTextStyle style = cni_ui_style(ui, color);
    cn_canvas_text_in(
        ui->canvas, rect, &style,
        &(CnTextLayout){.align_x = align_x, .align_y = CN_ALIGN_CENTER, .ellipsis = true}, text);
}

CnRect cni_ui_begin_labelled(CnUi *ui, const char *label)
{
    CnRect rect = cni_ui_layout_next(ui, ui->theme.row_height);
    CnText shown = cni_ui_visible_label(label);
    if (shown.size == 0)
        return rect;
    float width = cn_canvas_snap(ui->canvas, rect.width * ui->theme.label_width);
    cni_ui_text_in(ui, (CnRect){rect.x, rect.y, width - 6, rect.height}, ui->theme.text,
                   CN_ALIGN_START, shown);
    ui->label_width = width;
    return (CnRect){rect.x + width, rect.y, rect.width - width, rect.height};
}
