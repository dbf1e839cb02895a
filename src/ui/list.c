/* Lists of many items, and the menus of combo boxes. */
#include "ui/ui_internal.h"

#include <math.h>

#define MENU_ITEMS 8u
#define DOUBLE_CLICK_SECONDS 0.35

static void scroll_to_item(const CnUiList *list, CniUiState *state, double view)
{
    double top = (double)state->item * (double)list->item_height;
    state->scroll = fmax(fmin(state->scroll, top), top + (double)list->item_height - view);
}

/* Arrow and page keys select another item and scroll it into view. */
static void use_keys(CnUi *ui, CnUiList *list, CniUiState *state, double view)
{
    static const CnUiKey keys[] = {CN_UI_UP,        CN_UI_DOWN, CN_UI_PAGE_UP,
                                   CN_UI_PAGE_DOWN, CN_UI_HOME, CN_UI_END};
    int64_t page = (int64_t)(view / (double)list->item_height), last = (int64_t)list->count - 1;
    int64_t steps[] = {-1, 1, -page, page, -last, last};
    for (size_t i = 0; i < CN_COUNT_OF(keys); i++) {
        while (cni_ui_take_key(ui, keys[i], NULL)) {
            int64_t item = (int64_t)state->item + steps[i];
            state->item = (uint32_t)(item < 0 ? 0 : item > last ? last : item);
            list->moved_to = state->item;
        }
    }
    while (state->item <= (uint32_t)last && cni_ui_take_key(ui, CN_UI_ACTIVATE, NULL))
        list->activated = state->item;
    if (list->moved_to == CNI_UI_NO_ITEM)
        return;
    scroll_to_item(list, state, view);
    ui->focus_shown = true;
}

/* The program selected another item since the last frame. */
static void follow_selection(const CnUiListDesc *desc, const CnUiList *list, CniUiState *state,
                             double view)
{
    if (!desc->has_selection || desc->selected >= desc->count || desc->selected == state->item)
        return;
    state->item = desc->selected;
    scroll_to_item(list, state, view);
}

void cn_ui_begin_list(CnUi *ui, const CnUiListDesc *desc, CnUiList *list)
{
    CN_ASSERT(ui, "%s: ui is NULL", __func__);
    CN_ASSERT(desc, "%s: desc is NULL", __func__);
    CN_ASSERT(list, "%s: list is NULL", __func__);
    uint64_t id = cni_ui_id(ui, desc->id);
    CnRect rect = cni_ui_layout_next(ui, desc->height);
    CniUiState *state = cni_ui_state(ui, id), none = {0};
    state = state ? state : &none;
    *list = (CnUiList){.count = desc->count,
                       .item_height =
                           desc->item_height > 0 ? desc->item_height : ui->theme.row_height - 2,
                       .moved_to = CNI_UI_NO_ITEM,
                       .activated = CNI_UI_NO_ITEM,
                       .has_selection = desc->has_selection};
    CniUiInteraction interaction = cni_ui_interact(ui, id, rect, CNI_UI_NO_KEYS);
    /* The press belongs to an item or to the scroll bar. */
    if (ui->active == id && interaction.pressed)
        ui->active = 0;
    CnRect view = cn_rect_inset(rect, ui->theme.border);
    list->focused = interaction.focused;
    follow_selection(desc, list, state, (double)view.height);
    if (interaction.focused && desc->count > 0)
        use_keys(ui, list, state, (double)view.height);
    cni_ui_frame(ui, rect, ui->theme.field, interaction.focused && !desc->has_selection);
    state->content = (double)desc->count * (double)list->item_height;
    list->area = cni_ui_begin_scroll_area(ui, id, view, &state->scroll, state->content);
    list->area.height = view.height;
    list->top = (double)view.y - state->scroll;
    double first = floor(state->scroll / (double)list->item_height);
    double end = ceil((state->scroll + (double)view.height) / (double)list->item_height);
    list->first = (uint32_t)fmin(first, desc->count);
    list->end = (uint32_t)fmin(end, desc->count);
    cn_ui_push_id(ui, desc->id);
}

CnRect cn_ui_list_item_rect(const CnUiList *list, uint32_t index)
{
    CN_ASSERT(list, "%s: list is NULL", __func__);
    return (CnRect){list->area.x, (float)(list->top + (double)index * (double)list->item_height),
                    list->area.width, list->item_height};
}

/* Draws one item of a list or menu. `fill`: of a selected item. */
static CniUiInteraction item(CnUi *ui, CnRect rect, uint32_t index, const char *text, bool selected,
                             bool marked, CnColor fill)
{
    cn_ui_push_number(ui, index);
    uint64_t id = ui->ids[ui->id_depth];
    cn_ui_pop_id(ui);
    rect.y = cn_canvas_snap(ui->canvas, rect.y);
    CniUiInteraction interaction = cni_ui_interact(ui, id, rect, CNI_UI_NO_FOCUS_TARGET);
    if (selected || marked || interaction.hovered)
        cn_canvas_fill(ui->canvas, rect,
                       cni_ui_fade(ui, selected ? fill
                                       : marked ? ui->theme.widget_hot
                                                : ui->theme.widget));
    cni_ui_text_in(ui, (CnRect){rect.x + 8, rect.y, rect.width - 12, rect.height},
                   selected ? ui->theme.text_on_accent : ui->theme.text, CN_ALIGN_START,
                   cni_ui_visible_label(text));
    return interaction;
}

bool cn_ui_list_item(CnUi *ui, CnUiList *list, uint32_t index, const char *text, bool selected)
{
    CN_ASSERT(ui, "%s: ui is NULL", __func__);
    CN_ASSERT(list, "%s: list is NULL", __func__);
    CniUiInteraction interaction =
        item(ui, cn_ui_list_item_rect(list, index), index, text, selected, false,
             list->focused || !list->has_selection ? ui->theme.accent : ui->theme.widget_hot);
    CniUiState *state = cni_ui_state(ui, ui->areas[ui->area_depth > 0 ? ui->area_depth - 1 : 0].id);
    if (interaction.clicked && state) {
        bool is_double = state->clicked_at > 0 && state->item == index &&
                         ui->time - state->clicked_at < DOUBLE_CLICK_SECONDS;
        if (is_double)
            list->activated = index;
        state->item = index;
        state->clicked_at = is_double ? 0 : ui->time;
    }
    return interaction.clicked || list->moved_to == index;
}

void cn_ui_end_list(CnUi *ui, CnUiList *list)
{
    CN_ASSERT(ui, "%s: ui is NULL", __func__);
    (void)list;
    CniUiState none = {0};
    CniUiState *state = cni_ui_state(ui, ui->areas[ui->area_depth > 0 ? ui->area_depth - 1 : 0].id);
    state = state ? state : &none;
    cn_ui_pop_id(ui);
    cni_ui_end_scroll_area(ui, &state->scroll, state->content);
}

/* ---- Combo boxes ---- */

/* Places the menu below the widget, or above it if there is more space. */
static CnRect menu_rect(CnUi *ui, CnRect rect, uint32_t count, float item_height)
{
    CnRect area = cn_canvas_area(ui->canvas);
    float height = (float)(count < MENU_ITEMS ? count : MENU_ITEMS) * item_height + 4;
    float below = area.height - rect.y - rect.height, above = rect.y;
    if (height > below && above > below)
        return (CnRect){rect.x, fmaxf(rect.y - height, 0), rect.width, fminf(height, above)};
    return (CnRect){rect.x, rect.y + rect.height, rect.width, fminf(height, below)};
}

/* Returns the selected item. */
static uint32_t menu_keys(CnUi *ui, uint32_t count)
{
    uint32_t chosen = CNI_UI_NO_ITEM;
    while (cni_ui_take_key(ui, CN_UI_DOWN, NULL))
        ui->popup_item = ui->popup_item + 1 < count ? ui->popup_item + 1 : count - 1;
    while (cni_ui_take_key(ui, CN_UI_UP, NULL))
        ui->popup_item = ui->popup_item > 0 && ui->popup_item < count ? ui->popup_item - 1 : 0;
    if (cni_ui_take_key(ui, CN_UI_ACTIVATE, NULL) || cni_ui_take_key(ui, CN_UI_SPACE, NULL))
        chosen = ui->popup_item;
    if (cni_ui_take_key(ui, CN_UI_CANCEL, NULL))
        ui->popup = 0;
    return chosen;
}

static uint32_t draw_menu(CnUi *ui, uint64_t id, const char *const *names, uint32_t count,
                          uint32_t value)
{
    float item_height = ui->theme.row_height - 2;
    CniUiState *state = cni_ui_state(ui, id), none = {0};
    state = state ? state : &none;
    CnRect view = cn_rect_inset(ui->popup_rect, 2);
    uint32_t chosen = CNI_UI_NO_ITEM;
    if (ui->popup_item != state->item && ui->popup_item < count) {
        double top = (double)ui->popup_item * (double)item_height;
        state->scroll =
            fmax(fmin(state->scroll, top), top + (double)item_height - (double)view.height);
        state->item = ui->popup_item;
    }
    cn_canvas_box(ui->canvas, ui->popup_rect,
                  &(CnBoxStyle){.fill = ui->theme.window_title,
                                .radius = ui->theme.radius,
                                .border = ui->theme.border,
                                .border_color = ui->theme.window_border});
    CnRect contents =
        cni_ui_begin_scroll_area(ui, id, view, &state->scroll, (double)count * (double)item_height);
    for (uint32_t i = 0; i < count; i++) {
        CnRect rect = {contents.x, contents.y + (float)i * item_height, contents.width,
                       item_height};
        CniUiInteraction interaction =
            item(ui, rect, i, names[i], i == value, i == ui->popup_item, ui->theme.accent);
        if (interaction.hovered)
            state->item = ui->popup_item = i;
        if (interaction.clicked)
            chosen = i;
    }
    cni_ui_end_scroll_area(ui, &state->scroll, (double)count * (double)item_height);
    return chosen;
}

/* The menu is drawn over everything and belongs to no window. */
static uint32_t run_menu(CnUi *ui, uint64_t id, CnRect rect, const char *const *names,
                         uint32_t count, uint32_t value)
{
    uint64_t window_id = ui->window_id;
    ui->popup_shown = true;
    ui->popup_rect = menu_rect(ui, rect, count, ui->theme.row_height - 2);
    uint32_t chosen = menu_keys(ui, count);
    ui->window_id = id;
    uint32_t layer = cn_canvas_set_layer(ui->canvas, ui->layer + CNI_UI_POPUP_LAYER);
    cn_canvas_push_full_clip(ui->canvas);
    uint32_t clicked = draw_menu(ui, id, names, count, value);
    cn_canvas_pop_clip(ui->canvas);
    cn_canvas_set_layer(ui->canvas, layer);
    ui->window_id = window_id;
    chosen = clicked != CNI_UI_NO_ITEM ? clicked : chosen;
    if (chosen < count)
        ui->popup = 0;
    return chosen;
}

bool cn_ui_combo(CnUi *ui, const char *label, uint32_t *value, const char *const *names,
                 uint32_t count)
{
    CN_ASSERT(ui, "%s: ui is NULL", __func__);
    CN_ASSERT(value, "%s: value is NULL", __func__);
    uint64_t id = cni_ui_id(ui, label);
    CnRect rect = cni_ui_begin_labelled(ui, label);
    bool was_open = ui->popup == id;
    CniUiInteraction interaction = cni_ui_interact(ui, id, rect, was_open ? CNI_UI_NO_KEYS : 0);
    cni_ui_frame(ui, rect, cni_ui_widget_color(ui, interaction), interaction.focused);
    cni_ui_text_in(ui, (CnRect){rect.x + 8, rect.y, rect.width - 30, rect.height}, ui->theme.text,
                   CN_ALIGN_START, cn_text(*value < count ? names[*value] : ""));
    cni_ui_text_in(ui, (CnRect){rect.x + rect.width - 20, rect.y, 16, rect.height},
                   ui->theme.text_dim, CN_ALIGN_START, cn_text("\xE2\x96\xBE"));
    if (interaction.clicked && count > 0 && ui->popup_closed != id) {
        ui->popup = was_open ? 0 : id;
        ui->popup_item = *value < count ? *value : 0;
    }
    uint32_t chosen = CNI_UI_NO_ITEM, before = *value;
    if (ui->popup == id && count > 0) {
        cn_ui_push_id(ui, label);
        chosen = run_menu(ui, id, rect, names, count, *value);
        cn_ui_pop_id(ui);
    }
    if (chosen < count)
        *value = chosen;
    ui->last.id = id;
    ui->last.rect = rect;
    ui->last.hovered = interaction.hovered;
    ui->last.pressed = interaction.held;
    ui->last.focused = interaction.focused;
    return *value != before;
}
