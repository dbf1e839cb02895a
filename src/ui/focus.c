/* Keyboard focus and navigation. */
#include "ui/ui_internal.h"

#include <math.h>

void cni_ui_add_focus_target(CnUi *ui, uint64_t id, CnRect rect)
{
    bool is_open = !(ui->window && ui->window->flags & CN_UI_NO_FOCUS);
    if (ui->focus == id) {
        ui->focus_found = true;
        ui->focus_window = ui->window_id;
        CniUiScrollArea *area = ui->area_depth > 0 ? &ui->areas[ui->area_depth - 1] : NULL;
        if (ui->focus_moved && area) {
            area->has_reveal = true;
            area->reveal_top = rect.y;
            area->reveal_bottom = rect.y + rect.height;
        }
    }
    if (is_open && ui->stops.count < CN_UI_MAX_WIDGETS)
        cn_array_push(&ui->stops, (CniUiFocusTarget){id, ui->window_id, rect});
}

void cn_ui_focus_next(CnUi *ui)
{
    CN_ASSERT(ui, "%s: ui is NULL", __func__);
    ui->focus_next = true;
}

void cn_ui_clear_focus(CnUi *ui)
{
    CN_ASSERT(ui, "%s: ui is NULL", __func__);
    ui->focus = ui->focus_window = 0;
    ui->focus_shown = ui->focus_moved = false;
}

/* Returns the index of the focused stop; UINT32_MAX: none. */
static uint32_t focused_stop(const CnUi *ui)
{
    for (uint32_t i = 0; i < ui->stops.count; i++) {
        if (ui->stops.items[i].id == ui->focus)
            return i;
    }
    return UINT32_MAX;
}

static bool is_reachable(const CnUi *ui, const CniUiFocusTarget *stop)
{
    return !ui->modal_now || stop->window == ui->modal_now || stop->window == ui->popup;
}

static void go_to(CnUi *ui, const CniUiFocusTarget *stop)
{
    ui->focus = stop->id;
    ui->focus_window = stop->window;
    ui->focus_shown = ui->focus_moved = true;
}

/* Moves to the next stop in drawing order, wrapping around, across windows. */
static void go_along(CnUi *ui, int32_t direction)
{
    uint32_t count = ui->stops.count, from = focused_stop(ui);
    if (count == 0)
        return;
    if (from == UINT32_MAX)
        from = direction > 0 ? count - 1 : 0;
    for (uint32_t i = 1; i <= count; i++) {
        uint32_t to = (from + (direction > 0 ? i : count - i)) % count;
        if (is_reachable(ui, &ui->stops.items[to])) {
            go_to(ui, &ui->stops.items[to]);
            return;
        }
    }
}

/* Returns the distance of a stop in this direction; infinite if it lies elsewhere. Sideways
 * distance counts more. */
static float distance(CnRect from, CnRect to, CnUiKey key)
{
    bool is_across = key == CN_UI_LEFT || key == CN_UI_RIGHT;
    float sign = key == CN_UI_RIGHT || key == CN_UI_DOWN ? 1.0f : -1.0f;
    float dx = (to.x + to.width / 2) - (from.x + from.width / 2);
    float dy = (to.y + to.height / 2) - (from.y + from.height / 2);
    /* Stops that overlap horizontally are straight above or below. */
    float gap_x = fmaxf(fmaxf(to.x - (from.x + from.width), from.x - (to.x + to.width)), 0);
    float gap_y = fmaxf(fmaxf(to.y - (from.y + from.height), from.y - (to.y + to.height)), 0);
    float along = sign * (is_across ? dx : dy);
    if (along <= 1 || (is_across && gap_x <= 0) || (!is_across && gap_y <= 0 && fabsf(dy) < 4))
        return INFINITY;
    return along + 4 * (is_across ? gap_y : gap_x) + 0.05f * fabsf(is_across ? dy : dx);
}

static void go_towards(CnUi *ui, CnUiKey key)
{
    uint32_t from = focused_stop(ui);
    if (from == UINT32_MAX) {
        go_along(ui, key == CN_UI_DOWN || key == CN_UI_RIGHT ? 1 : -1);
        return;
    }
    const CniUiFocusTarget *best = NULL;
    float least = INFINITY;
    for (uint32_t i = 0; i < ui->stops.count; i++) {
        const CniUiFocusTarget *stop = &ui->stops.items[i];
        float far = distance(ui->stops.items[from].rect, stop->rect, key);
        if (stop->window == ui->focus_window)
            far *= 0.25f; /* leave a window only if there is no other target */
        if (is_reachable(ui, stop) && far < least) {
            least = far;
            best = stop;
        }
    }
    if (best)
        go_to(ui, best);
}

/* Uses the keys that widgets did not consume. */
void cni_ui_navigate(CnUi *ui)
{
    ui->focus_moved = false;
    for (uint32_t i = 0; i < ui->input.typed_count; i++) {
        uint32_t typed = ui->input.typed[i];
        if (!(typed & CN_UI_TYPED_KEY))
            continue;
        CnUiKey key = (CnUiKey)(typed & 0xFFu);
        if (key == CN_UI_NEXT || key == CN_UI_PREVIOUS)
            go_along(ui, key == CN_UI_NEXT ? 1 : -1);
        else if (key <= CN_UI_DOWN)
            go_towards(ui, key);
        else if (key == CN_UI_CANCEL)
            cn_ui_clear_focus(ui);
    }
}
