/* Layout: stacked widgets, rows, columns and scroll areas. */
#include "ui/ui_internal.h"

#include <math.h>

#define BAR_WIDTH 10.0f
#define WHEEL_POINTS 48.0f

static CniUiLayout *top_layout(CnUi *ui)
{
    CN_ASSERT(ui->layout_depth > 0, "a widget was used outside of a window");
    /* Outside of a window there is no layout; the first one is used in that case. */
    return &ui->layouts[ui->layout_depth > 0 ? ui->layout_depth - 1 : 0];
}

void cni_ui_push_layout(CnUi *ui, CnRect area)
{
    if (ui->layout_depth == CN_UI_MAX_DEPTH) {
        ui->refused++;
        ui->layouts_refused++;
        return;
    }
    ui->layouts[ui->layout_depth++] = (CniUiLayout){.x = area.x, .y = area.y, .width = area.width};
}

static void finish_row(CnUi *ui, CniUiLayout *layout)
{
    if (layout->cell > 0)
        layout->y += layout->row_height + ui->theme.spacing;
    layout->cell = 0;
    layout->row_height = 0;
}

float cni_ui_pop_layout(CnUi *ui)
{
    CniUiLayout *layout = top_layout(ui);
    finish_row(ui, layout);
    float end = layout->y;
    if (ui->layouts_refused > 0)
        ui->layouts_refused--;
    else if (ui->layout_depth > 0)
        ui->layout_depth--;
    return end;
}

CnRect cni_ui_layout_next(CnUi *ui, float height)
{
    CniUiLayout *layout = top_layout(ui);
    if (layout->next_height > 0)
        height = layout->next_height;
    layout->next_height = 0;
    CnRect rect = {layout->x, layout->y, layout->width, height};
    if (layout->cells == 0) {
        layout->y += height + ui->theme.spacing;
        return rect;
    }
    rect.x = layout->cell_x[layout->cell];
    rect.width = layout->cell_width[layout->cell];
    layout->row_height = fmaxf(layout->row_height, height);
    if (++layout->cell == layout->cells)
        finish_row(ui, layout);
    return rect;
}

CnRect cn_ui_reserve(CnUi *ui, float height)
{
    CN_ASSERT(ui, "%s: ui is NULL", __func__);
    return cni_ui_layout_next(ui, height);
}

float cn_ui_available_width(const CnUi *ui)
{
    CN_ASSERT(ui, "%s: ui is NULL", __func__);
    const CniUiLayout *layout = &ui->layouts[ui->layout_depth > 0 ? ui->layout_depth - 1 : 0];
    return layout->cells ? layout->cell_width[layout->cell] : layout->width;
}

void cn_ui_space(CnUi *ui, float points)
{
    CN_ASSERT(ui, "%s: ui is NULL", __func__);
    CniUiLayout *layout = top_layout(ui);
    finish_row(ui, layout);
    layout->y += points;
}

void cn_ui_next_height(CnUi *ui, float points)
{
    CN_ASSERT(ui, "%s: ui is NULL", __func__);
    top_layout(ui)->next_height = points;
}

/* ---- Rows and columns ---- */

static void divide(CnUi *ui, CniUiLayout *layout, const float *widths)
{
    float left = layout->width - ui->theme.spacing * (float)(layout->cells - 1), shares = 0;
    for (uint32_t i = 0; i < layout->cells; i++) {
        if (widths && widths[i] > 0)
            left -= widths[i];
        else
            shares += widths && widths[i] < 0 ? -widths[i] : 1;
    }
    float x = layout->x;
    for (uint32_t i = 0; i < layout->cells; i++) {
        float share = widths && widths[i] < 0 ? -widths[i] : 1;
        float width = widths && widths[i] > 0 ? widths[i] : fmaxf(left, 0) * share / shares;
        float end = cn_canvas_snap(ui->canvas, x + width);
        layout->cell_x[i] = cn_canvas_snap(ui->canvas, x);
        layout->cell_width[i] = end - layout->cell_x[i];
        x += width + ui->theme.spacing;
    }
}

void cn_ui_begin_row(CnUi *ui, const float *widths, uint32_t count)
{
    CN_ASSERT(ui, "%s: ui is NULL", __func__);
    CN_ASSERT(count > 0 && count <= CN_UI_MAX_CELLS, "a row cannot have %u cells", count);
    count = count < 1 ? 1 : count > CN_UI_MAX_CELLS ? CN_UI_MAX_CELLS : count;
    CniUiLayout *outer = top_layout(ui);
    float x = outer->cells ? outer->cell_x[outer->cell] : outer->x;
    cni_ui_push_layout(ui, (CnRect){x, outer->y, cn_ui_available_width(ui), 0});
    CniUiLayout *layout = top_layout(ui);
    layout->cells = count;
    divide(ui, layout, widths);
}

/* The contents count as one widget in the outer layout. */
static void close_into_outer(CnUi *ui)
{
    float end = cni_ui_pop_layout(ui);
    CniUiLayout *outer = top_layout(ui);
    float height = fmaxf(end - ui->theme.spacing - outer->y, 0);
    outer->next_height = 0;
    if (end > outer->y || outer->cells)
        cni_ui_layout_next(ui, height);
}

void cn_ui_end_row(CnUi *ui)
{
    CN_ASSERT(ui, "%s: ui is NULL", __func__);
    close_into_outer(ui);
}

void cn_ui_begin_column(CnUi *ui)
{
    CN_ASSERT(ui, "%s: ui is NULL", __func__);
    CniUiLayout *outer = top_layout(ui);
    float x = outer->cells ? outer->cell_x[outer->cell] : outer->x;
    cni_ui_push_layout(ui, (CnRect){x, outer->y, cn_ui_available_width(ui), 0});
}

void cn_ui_end_column(CnUi *ui)
{
    CN_ASSERT(ui, "%s: ui is NULL", __func__);
    close_into_outer(ui);
}

void cn_ui_begin_region(CnUi *ui, CnRect rect)
{
    CN_ASSERT(ui, "%s: ui is NULL", __func__);
    cni_ui_push_layout(ui, rect);
}

void cn_ui_end_region(CnUi *ui)
{
    CN_ASSERT(ui, "%s: ui is NULL", __func__);
    cni_ui_pop_layout(ui);
}

/* ---- Scroll areas ---- */

static double limited(double scroll, double content, double view)
{
    double most = content > view ? content - view : 0;
    return scroll < 0 ? 0 : scroll > most ? most : scroll;
}

/* Draws the scroll bar on the right: its thumb can be dragged, and a click beside it jumps
 * there. */
static void draw_bar(CnUi *ui, CniUiScrollArea *area, double *scroll, double content)
{
    CnRect track = {area->view.x + area->view.width, area->view.y, BAR_WIDTH, area->view.height};
    double share = track.height / content;
    float height = fmaxf((float)(track.height * share), 20);
    double room = track.height - height, most = content - track.height;
    uint64_t id = cn_hash_mix(area->id + 1);
    CniUiInteraction interaction = cni_ui_interact(ui, id, track, CNI_UI_NO_FOCUS_TARGET);
    float y = track.y + (float)(*scroll / most * room);
    if (interaction.pressed) {
        bool is_on_thumb = ui->mouse.y >= y && ui->mouse.y < y + height;
        ui->grip.y = is_on_thumb ? ui->mouse.y - y : height / 2;
    }
    if (interaction.held && room > 0) {
        *scroll = limited((double)(ui->mouse.y - ui->grip.y - track.y) / room * most, content,
                          track.height);
        y = track.y + (float)(*scroll / most * room);
    }
    CnRect thumb = {track.x + 3, y + 1, track.width - 4, height - 2};
    CnColor color =
        interaction.held || interaction.hovered ? ui->theme.text_dim : ui->theme.widget_border;
    cn_canvas_box(ui->canvas, thumb, &(CnBoxStyle){.fill = color, .radius = thumb.width / 2});
}

CnRect cni_ui_begin_scroll_area(CnUi *ui, uint64_t id, CnRect view, double *scroll, double content)
{
    bool has_bar = content > view.height + 0.5;
    *scroll = limited(*scroll, content, view.height);
    CniUiScrollArea area = {.id = id, .view = view};
    if (has_bar)
        area.view.width -= BAR_WIDTH;
    if (has_bar)
        draw_bar(ui, &area, scroll, content);
    area.top = cn_canvas_snap(ui->canvas, view.y - (float)*scroll);
    if (ui->area_depth < CN_UI_MAX_DEPTH) {
        ui->areas[ui->area_depth++] = area;
    } else {
        ui->refused++;
        ui->areas_refused++;
    }
    cn_canvas_push_clip(ui->canvas, area.view);
    return (CnRect){view.x, area.top, area.view.width - (has_bar ? 4 : 0), 0};
}

static void use_wheel(CnUi *ui, const CniUiScrollArea *area, double *scroll, double content)
{
    bool is_over = ui->hot_window == ui->window_id &&
                   cn_rect_contains(area->view, ui->mouse.x, ui->mouse.y) &&
                   cn_rect_contains(cn_canvas_clip(ui->canvas), ui->mouse.x, ui->mouse.y);
    if (!is_over || ui->wheel_used || ui->input.wheel.y == 0 || content <= area->view.height)
        return;
    *scroll -= (double)(ui->input.wheel.y * WHEEL_POINTS);
    ui->wheel_used = true;
}

void cni_ui_end_scroll_area(CnUi *ui, double *scroll, double content)
{
    cn_canvas_pop_clip(ui->canvas);
    CN_ASSERT(ui->area_depth > 0, "no area is open");
    if (ui->areas_refused > 0 || ui->area_depth == 0) {
        ui->areas_refused -= ui->areas_refused > 0;
        return;
    }
    CniUiScrollArea area = ui->areas[--ui->area_depth];
    if (area.has_reveal) {
        float above = area.view.y - area.reveal_top,
              below = area.reveal_bottom - area.view.y - area.view.height;
        *scroll += above > 0 ? -(double)above - 4 : below > 0 ? (double)below + 4 : 0;
        if (ui->area_depth > 0 && !ui->areas[ui->area_depth - 1].has_reveal) {
            CniUiScrollArea *outer = &ui->areas[ui->area_depth - 1];
            outer->has_reveal = true;
            outer->reveal_top = area.view.y;
            outer->reveal_bottom = area.view.y + area.view.height;
        }
    }
    use_wheel(ui, &area, scroll, content);
    *scroll = limited(*scroll, content, area.view.height);
}

void cn_ui_begin_scroll(CnUi *ui, const char *label, float height)
{
    CN_ASSERT(ui, "%s: ui is NULL", __func__);
    uint64_t id = cni_ui_id(ui, label);
    CnRect rect = cni_ui_layout_next(ui, height);
    CniUiState *state = cni_ui_state(ui, id), none = {0};
    state = state ? state : &none;
    cni_ui_frame(ui, rect, ui->theme.field, false);
    CnRect contents = cni_ui_begin_scroll_area(ui, id, cn_rect_inset(rect, ui->theme.border),
                                               &state->scroll, state->content);
    cni_ui_push_layout(ui, (CnRect){contents.x + 6, contents.y + 6, contents.width - 12, 0});
    cn_ui_push_id(ui, label);
}

void cn_ui_end_scroll(CnUi *ui)
{
    CN_ASSERT(ui, "%s: ui is NULL", __func__);
    CN_ASSERT(ui->area_depth > 1, "cn_ui_begin_scroll was not called");
    cn_ui_pop_id(ui);
    float end = cni_ui_pop_layout(ui);
    CniUiScrollArea *area = &ui->areas[ui->area_depth > 0 ? ui->area_depth - 1 : 0];
    CniUiState *state = cni_ui_state(ui, area->id), none = {0};
    state = state ? state : &none;
    state->content = (double)(end - ui->theme.spacing + 6 - area->top);
    cni_ui_end_scroll_area(ui, &state->scroll, state->content);
}
