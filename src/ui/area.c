/* Areas: widgets that the program draws itself. The scale of interfaces. */
#include "ui/ui_internal.h"

#include <math.h>

#define LEAST_WIDTH 640.0f /* points */
#define LEAST_HEIGHT 360.0f
#define SHARE 0.75f /* of the largest scale that leaves these points */
#define STEP 0.5f

static void take_keys(CnUi *ui, CnUiArea *area)
{
    static const CnUiKey keys[] = {CN_UI_ACTIVATE, CN_UI_SPACE, CN_UI_SECOND, CN_UI_THIRD};
    for (size_t i = 0; i < CN_COUNT_OF(keys); i++) {
        if (!cni_ui_take_key(ui, keys[i], &area->modifiers))
            continue;
        area->key = keys[i];
        ui->focus_shown = true;
        return;
    }
}

static bool is_reached(const CnUi *ui)
{
    return !ui->disabled &&
           (!ui->modal || ui->window_id == ui->modal || ui->window_id == ui->popup);
}

CnUiArea cn_ui_area(CnUi *ui, const char *label, CnRect rect)
{
    CN_ASSERT(ui, "%s: ui is NULL", __func__);
    uint64_t id = cni_ui_id(ui, label);
    CnUiArea area = {.key = CN_UI_KEY_COUNT, .modifiers = ui->input.modifiers};
    cni_ui_count_widget(ui, id);
    ui->last.id = id;
    ui->last.rect = rect;
    ui->last.hovered = ui->last.pressed = ui->last.focused = false;
    if (!is_reached(ui))
        return area;
    area.hovered = ui->hot_window == ui->window_id && ui->window_id && !ui->active &&
                   cn_rect_contains(rect, ui->mouse.x, ui->mouse.y) &&
                   cn_rect_contains(cn_canvas_clip(ui->canvas), ui->mouse.x, ui->mouse.y);
    if (area.hovered) {
        ui->hovered_now = id;
        area.pressed = ui->input.mouse_pressed;
        area.released = ui->input.mouse_released;
    }
    if (area.pressed)
        cni_ui_take_focus(ui, id, false);
    if (ui->focus_next)
        cni_ui_take_focus(ui, id, true);
    ui->focus_next = false;
    cni_ui_add_focus_target(ui, id, rect);
    area.focused = ui->focus == id;
    if (area.focused)
        take_keys(ui, &area);
    area.has_ring = area.focused && ui->focus_shown;
    ui->last.hovered = area.hovered;
    ui->last.focused = area.focused;
    return area;
}

CnVec2 cn_ui_mouse(const CnUi *ui)
{
    CN_ASSERT(ui, "%s: ui is NULL", __func__);
    return ui->mouse;
}

const CnUiInput *cn_ui_input(const CnUi *ui)
{
    CN_ASSERT(ui, "%s: ui is NULL", __func__);
    return &ui->input;
}

float cn_ui_scale(uint32_t width, uint32_t height, float density, float factor)
{
    float most = fminf((float)width / LEAST_WIDTH, (float)height / LEAST_HEIGHT);
    float steps = floorf(most * SHARE / STEP) * STEP;
    float scale = fmaxf(steps, density) * (factor > 0 ? factor : 1);
    return fmaxf(fminf(scale, most), 1);
}
