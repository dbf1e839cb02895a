/* Windows: position, stacking order and decoration. */
#include "ui/ui_internal.h"

#include <math.h>
#include <string.h>

#define SMALLEST 60.0f

static CniUiWindow *find_window(CnUi *ui, uint64_t id)
{
    for (uint32_t i = 0; i < ui->window_count; i++) {
        if (ui->windows[i].id == id)
            return &ui->windows[i];
    }
    return NULL;
}

/* Orders stay contiguous, from 0 to count - 1. */
static void bring_to_front(CnUi *ui, CniUiWindow *window)
{
    for (uint32_t i = 0; i < ui->window_count; i++)
        ui->windows[i].order -= ui->windows[i].order > window->order;
    window->order = ui->window_count - 1;
}

static CniUiWindow *add_window(CnUi *ui, uint64_t id, CnRect rect)
{
    if (ui->window_count == CN_UI_MAX_WINDOWS)
        return NULL;
    CniUiWindow *window = &ui->windows[ui->window_count];
    *window = (CniUiWindow){.id = id, .rect = rect, .order = ui->window_count};
    ui->window_count++;
    return window;
}

static float title_height(const CnUi *ui, uint32_t flags)
{
    return flags & CN_UI_NO_TITLE ? 0 : ui->theme.title_size + 14;
}

/* Keeps a part of the title bar on the screen. */
static void keep_on_screen(CnUi *ui, CniUiWindow *window)
{
    CnRect area = cn_canvas_area(ui->canvas);
    CnRect *rect = &window->rect;
    rect->x = cn_canvas_snap(ui->canvas, fmaxf(fminf(rect->x, area.width - 40), 40 - rect->width));
    rect->y = cn_canvas_snap(ui->canvas, fmaxf(fminf(rect->y, area.height - 24), 0));
    rect->width = cn_canvas_snap(ui->canvas, fmaxf(rect->width, SMALLEST));
    rect->height = cn_canvas_snap(ui->canvas, rect->height);
}

static void drag(CnUi *ui, CniUiWindow *window, float title, bool can_close)
{
    if (!(window->flags & (CN_UI_NO_MOVE | CN_UI_NO_TITLE))) {
        CnRect bar = {window->rect.x, window->rect.y, window->rect.width, title};
        bar.width -= can_close ? title : 0;
        if (cni_ui_interact(ui, cni_ui_id(ui, "##title"), bar, CNI_UI_NO_FOCUS_TARGET).held) {
            window->rect.x = ui->mouse.x - ui->grip.x;
            window->rect.y = ui->mouse.y - ui->grip.y;
        }
    }
}

static void draw_resize(CnUi *ui, CniUiWindow *window)
{
    CnRect *rect = &window->rect;
    CnRect corner = {rect->x + rect->width - 14, rect->y + rect->height - 14, 14, 14};
    CniUiInteraction interaction =
        cni_ui_interact(ui, cni_ui_id(ui, "##size"), corner, CNI_UI_NO_FOCUS_TARGET);
    CnColor color =
        interaction.hovered || interaction.held ? ui->theme.accent : ui->theme.widget_border;
    for (int i = 1; i <= 3; i++) {
        float step = 3.5f * (float)i;
        cn_canvas_line(ui->canvas, (CnVec2){corner.x + 12 - step, corner.y + 12},
                       (CnVec2){corner.x + 12, corner.y + 12 - step}, 1, color);
    }
    if (interaction.held) {
        rect->width = fmaxf(ui->mouse.x - ui->grip.x + corner.width - rect->x, 2 * SMALLEST);
        rect->height = fmaxf(ui->mouse.y - ui->grip.y + corner.height - rect->y, SMALLEST);
    }
}

static void draw_body(CnUi *ui, const CniUiWindow *window, const CnUiWindow *desc, float title)
{
    const CnUiTheme *theme = &ui->theme;
    CnRect rect = window->rect;
    if (desc->flags & CN_UI_MODAL)
        cn_canvas_fill(ui->canvas, cn_canvas_area(ui->canvas), cn_rgba(0x00000080));
    if (desc->flags & CN_UI_NO_BACKGROUND)
        return;
    cn_canvas_box(ui->canvas, (CnRect){rect.x, rect.y + 4, rect.width, rect.height},
                  &(CnBoxStyle){.fill = theme->shadow, .radius = theme->radius + 8, .blur = 24});
    cn_canvas_box(ui->canvas, rect,
                  &(CnBoxStyle){.fill = theme->window,
                                .radius = theme->radius + 2,
                                .border = theme->border,
                                .border_color = theme->window_border});
    if (title <= 0)
        return;
    /* A second rectangle covers the rounded lower corners. */
    CnRect bar = cn_rect_inset((CnRect){rect.x, rect.y, rect.width, title}, theme->border);
    cn_canvas_push_clip(ui->canvas, bar);
    cn_canvas_box(ui->canvas, (CnRect){bar.x, bar.y, bar.width, bar.height + 12},
                  &(CnBoxStyle){.fill = theme->window_title, .radius = theme->radius + 1});
    cn_canvas_pop_clip(ui->canvas);
    CnTextStyle style = {.font = theme->font, .size = theme->title_size, .color = theme->text};
    cn_canvas_text_in(
        ui->canvas,
        (CnRect){rect.x + theme->padding, rect.y, rect.width - 2 * theme->padding - 20, title},
        &style, &(CnTextLayout){.align_y = CN_ALIGN_CENTER, .ellipsis = true},
        cni_ui_visible_label(desc->title));
}

/* Drawn after the contents, so that it comes last in the focus order. */
static void draw_close(CnUi *ui, const CniUiWindow *window, float title, bool *open)
{
    float side = title - 10;
    CnRect rect = {window->rect.x + window->rect.width - side - 5, window->rect.y + 5, side, side};
    CniUiInteraction interaction = cni_ui_interact(ui, cni_ui_id(ui, "##close"), rect, 0);
    if (interaction.hovered)
        cn_canvas_box(ui->canvas, rect,
                      &(CnBoxStyle){.fill = ui->theme.widget_hot, .radius = ui->theme.radius});
    cni_ui_focus_ring(ui, rect, interaction.focused);
    CnRect cross = cn_rect_inset(rect, side * 0.3f);
    float right = cross.x + cross.width, bottom = cross.y + cross.height;
    cn_canvas_line(ui->canvas, (CnVec2){cross.x, cross.y}, (CnVec2){right, bottom}, 1.5f,
                   ui->theme.text);
    cn_canvas_line(ui->canvas, (CnVec2){cross.x, bottom}, (CnVec2){right, cross.y}, 1.5f,
                   ui->theme.text);
    if (interaction.clicked)
        *open = false;
}

/* Determines size and position for this frame; returns the height of the title. */
static float place_window(CnUi *ui, CniUiWindow *window, const CnUiWindow *desc)
{
    float title = title_height(ui, desc->flags);
    bool is_front = ui->hot_window == window->id && ui->input.mouse_pressed;
    if (is_front || window->frame + 1 != ui->frame || desc->flags & CN_UI_MODAL)
        bring_to_front(ui, window);
    window->flags = desc->flags;
    if (desc->flags & CN_UI_NO_MOVE)
        window->rect = (CnRect){desc->rect.x, desc->rect.y, desc->rect.width, window->rect.height};
    if (desc->rect.height <= 0 && window->content_height > 0) {
        float most = cn_canvas_area(ui->canvas).height - window->rect.y - 4;
        window->rect.height = fmaxf(fminf(title + window->content_height, most), SMALLEST / 2);
    } else if (desc->rect.height > 0 && desc->flags & CN_UI_NO_RESIZE) {
        window->rect.height = desc->rect.height;
    }
    drag(ui, window, title, desc->open != NULL);
    keep_on_screen(ui, window);
    return title;
}

/* Contents are laid out even if they are not visible, to determine their height. */
static void begin_contents(CnUi *ui, CniUiWindow *window, float title)
{
    float border = window->flags & CN_UI_NO_BACKGROUND ? 0 : ui->theme.border;
    CnRect view = cn_rect_inset((CnRect){window->rect.x, window->rect.y + title, window->rect.width,
                                         window->rect.height - title},
                                border);
    double scroll = (double)window->scroll;
    double content =
        window->flags & CN_UI_NO_SCROLL ? 0 : (double)window->content_height - 2 * (double)border;
    CnRect contents = cni_ui_begin_scroll_area(ui, window->id, view, &scroll, content);
    window->scroll = (float)scroll;
    float padding = window->flags & CN_UI_NO_BACKGROUND ? 0 : ui->theme.padding;
    cni_ui_push_layout(
        ui, (CnRect){contents.x + padding, contents.y + padding, contents.width - 2 * padding, 0});
}

bool cn_ui_begin_window(CnUi *ui, const CnUiWindow *desc)
{
    CN_ASSERT(ui, "%s: ui is NULL", __func__);
    CN_ASSERT(desc, "%s: desc is NULL", __func__);
    CN_ASSERT(!ui->window, "windows cannot be nested");
    CN_ASSERT(ui->canvas, "cn_ui_begin was not called");
    cn_ui_push_id(ui, desc->title);
    uint64_t id = ui->ids[ui->id_depth];
    CniUiWindow *window = find_window(ui, id);
    if (!window)
        window = add_window(ui, id, desc->rect);
    if ((desc->open && !*desc->open) || !window) {
        ui->refused += !window;
        return false;
    }
    ui->window = window;
    ui->window_id = id;
    if (desc->flags & CN_UI_MODAL)
        ui->modal_now = id;
    float title = place_window(ui, window, desc);
    window->frame = ui->frame;
    cn_canvas_set_layer(ui->canvas, ui->layer + window->order);
    /* The height is unknown in the first frame, which only measures it; the window is drawn from
     * the next frame on. */
    bool is_measured =
        window->rect.height <= 0 || (desc->rect.height <= 0 && window->content_height <= 0);
    cn_canvas_push_clip(ui->canvas,
                        is_measured ? (CnRect){0, 0, 0, 0} : cn_canvas_area(ui->canvas));
    draw_body(ui, window, desc, title);
    ui->window_open = title > 0 ? desc->open : NULL;
    if (!(desc->flags & (CN_UI_NO_RESIZE | CN_UI_NO_SCROLL)) && desc->rect.height > 0)
        draw_resize(ui, window);
    begin_contents(ui, window, title);
    return true;
}

void cn_ui_end_window(CnUi *ui)
{
    CN_ASSERT(ui, "%s: ui is NULL", __func__);
    if (ui->window) {
        CniUiWindow *window = ui->window;
        CN_ASSERT(ui->layout_depth == 1, "a row, column or area was not ended");
        float end = cni_ui_pop_layout(ui);
        float border = window->flags & CN_UI_NO_BACKGROUND ? 0 : ui->theme.border;
        float padding = window->flags & CN_UI_NO_BACKGROUND ? 0 : ui->theme.padding;
        float top = ui->areas[0].top;
        window->content_height = fmaxf(end - ui->theme.spacing - top, 0) + padding + 2 * border;
        double scroll = (double)window->scroll;
        double content =
            window->flags & CN_UI_NO_SCROLL ? 0 : (double)(window->content_height - 2 * border);
        cni_ui_end_scroll_area(ui, &scroll, content);
        window->scroll = (float)scroll;
        if (ui->window_open)
            draw_close(ui, window, title_height(ui, window->flags), ui->window_open);
        cn_canvas_pop_clip(ui->canvas);
        cn_canvas_set_layer(ui->canvas, 0);
        ui->window = NULL;
        ui->window_id = 0;
    }
    cn_ui_pop_id(ui);
}
