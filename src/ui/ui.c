/* The user interface: frames, ids and stored state. */
#include "ui/ui_internal.h"

#include <math.h>
#include <string.h>

#define REPEAT_AFTER 0.4f /* seconds */
#define REPEAT_EVERY 0.045f
#define TOOLTIP_AFTER 0.5

CnUi *cn_ui_create(const CnUiDesc *desc, CnError *error)
{
    CN_ASSERT(desc, "%s: desc is NULL", __func__);
    CN_ASSERT(desc->fonts, "a user interface needs fonts");
    CnUi *ui = cn_alloc_zeroed(desc->allocator, sizeof *ui);
    CniUiSeen *seen = cn_alloc_zeroed(desc->allocator, CNI_UI_SEEN * sizeof *seen);
    if (!ui || !seen) {
        cn_free(desc->allocator, ui, ui ? sizeof *ui : 0);
        cn_free(desc->allocator, seen, seen ? CNI_UI_SEEN * sizeof *seen : 0);
        cn_error_memory(error, "user interface");
        return NULL;
    }
    ui->allocator = desc->allocator;
    ui->fonts = desc->fonts;
    ui->theme = desc->theme ? *desc->theme : cn_ui_theme_dark();
    ui->clipboard = desc->clipboard;
    ui->layer = desc->layer ? desc->layer : 16;
    ui->seen = seen;
    ui->popup_item = CNI_UI_NO_ITEM;
    cn_arena_init(&ui->texts, desc->allocator, 4096);
    cn_array_init(&ui->copied, desc->allocator);
    cn_array_init(&ui->stops, desc->allocator);
    cn_hash_map_init(&ui->states, desc->allocator, sizeof(CniUiState));
    return ui;
}

void cn_ui_destroy(CnUi *ui)
{
    if (!ui)
        return;
    cn_arena_fini(&ui->texts);
    cn_array_fini(&ui->copied);
    cn_array_fini(&ui->stops);
    cn_hash_map_fini(&ui->states);
    cn_free(ui->allocator, ui->seen, CNI_UI_SEEN * sizeof *ui->seen);
    cn_free(ui->allocator, ui, sizeof *ui);
}

CnUiTheme *cn_ui_theme(CnUi *ui)
{
    CN_ASSERT(ui, "%s: ui is NULL", __func__);
    return &ui->theme;
}

CnCanvas *cn_ui_canvas(CnUi *ui)
{
    CN_ASSERT(ui, "%s: ui is NULL", __func__);
    CN_ASSERT(ui->canvas, "the canvas is only available between cn_ui_begin and cn_ui_end");
    return ui->canvas;
}

/* ---- Frames ---- */

/* Arrow, delete and page keys repeat while they are held. */
static void repeat_keys(CnUi *ui)
{
    const uint32_t repeated = 0xFFu | 1u << CN_UI_BACKSPACE | 1u << CN_UI_DELETE |
                              1u << CN_UI_NEXT | 1u << CN_UI_PREVIOUS;
    for (uint32_t key = 0; key < CN_UI_KEY_COUNT; key++) {
        if (!(ui->input.keys_held & repeated & 1u << key)) {
            ui->repeat[key] = REPEAT_AFTER;
            continue;
        }
        ui->repeat[key] -= ui->input.delta;
        for (int i = 0; ui->repeat[key] <= 0 && i < 8; i++, ui->repeat[key] += REPEAT_EVERY)
            cn_ui_input_key(&ui->input, (CnUiKey)key, ui->input.modifiers);
        ui->repeat[key] = fmaxf(ui->repeat[key], 0.001f);
    }
}

static void find_hot_window(CnUi *ui)
{
    ui->hot_window = 0;
    if (ui->input.no_mouse)
        return;
    if (ui->popup && cn_rect_contains(ui->popup_rect, ui->mouse.x, ui->mouse.y)) {
        ui->hot_window = ui->popup;
        return;
    }
    uint32_t front = 0;
    for (uint32_t i = 0; i < ui->window_count; i++) {
        const CniUiWindow *window = &ui->windows[i];
        if (window->frame + 1 != ui->frame ||
            !cn_rect_contains(window->rect, ui->mouse.x, ui->mouse.y) ||
            (ui->modal && window->id != ui->modal) || (ui->hot_window && window->order < front))
            continue;
        ui->hot_window = window->id;
        front = window->order;
    }
}

/* Drops the state of windows that have not been drawn for a while. */
static void forget_windows(CnUi *ui)
{
    for (uint32_t i = 0; i < ui->window_count;) {
        uint32_t order = ui->windows[i].order;
        if (ui->windows[i].frame + CNI_UI_FORGET_FRAMES >= ui->frame ||
            ui->window_count < CN_UI_MAX_WINDOWS) {
            i++;
            continue;
        }
        ui->windows[i] = ui->windows[--ui->window_count];
        for (uint32_t k = 0; k < ui->window_count; k++)
            ui->windows[k].order -= ui->windows[k].order > order;
    }
    for (uint32_t i = ui->states.count; ui->states.count > CN_UI_MAX_STATES / 2 && i-- > 0;) {
        const CniUiState *state = cn_hash_map_value(&ui->states, i);
        if (state->frame + CNI_UI_FORGET_FRAMES < ui->frame)
            cn_hash_map_remove(&ui->states, cn_hash_map_key(&ui->states, i));
    }
}

void cn_ui_begin(CnUi *ui, CnCanvas *canvas, const CnUiInput *input)
{
    CN_ASSERT(ui, "%s: ui is NULL", __func__);
    CN_ASSERT(input, "%s: input is NULL", __func__);
    CN_ASSERT(!ui->canvas, "cn_ui_end was not called");
    ui->canvas = canvas;
    ui->input = *input;
    if (!(ui->input.delta >= 0))
        ui->input.delta = 0;
    ui->input.composition[sizeof ui->input.composition - 1] = '\0';
    ui->time += (double)ui->input.delta;
    ui->frame++;
    float scale = cn_canvas_scale(canvas);
    ui->mouse = (CnVec2){input->mouse.x / scale, input->mouse.y / scale};
    repeat_keys(ui);
    cn_arena_reset(&ui->texts);
    cn_array_clear(&ui->stops);
    ui->ids[0] = 0;
    ui->id_depth = ui->layout_depth = ui->area_depth = 0;
    ui->ids_refused = ui->layouts_refused = ui->areas_refused = 0;
    ui->disabled = ui->disabled_depth = 0;
    ui->widgets = 0;
    ui->wheel_used = false;
    ui->focus_found = ui->focus_taken = false;
    ui->hovered_now = 0;
    ui->modal = ui->modal_now;
    ui->modal_now = 0;
    ui->tooltip = NULL;
    ui->wanted_text = ui->wants_text;
    ui->wants_text = false;
    ui->popup_shown = false;
    ui->window = NULL;
    ui->window_id = 0;
    ui->last.id = 0;
    forget_windows(ui);
    find_hot_window(ui);
    if (ui->input.mouse_pressed) {
        bool is_beside = ui->popup && ui->hot_window != ui->popup;
        ui->focus_shown = false;
        ui->popup_closed = is_beside ? ui->popup : 0;
        ui->popup = is_beside ? 0 : ui->popup;
    }
}

static void draw_tooltip(CnUi *ui)
{
    if (!ui->tooltip)
        return;
    CnTextStyle style = cni_ui_style(ui, ui->theme.text);
    CnText text = cn_text(ui->tooltip);
    CnVec2 size = cn_canvas_text_size(ui->canvas, &style, text, 320);
    CnRect area = cn_canvas_area(ui->canvas);
    CnRect rect = {ui->tooltip_at.x, ui->tooltip_at.y, size.x + 16, size.y + 10};
    rect.x = cn_canvas_snap(ui->canvas, fmaxf(fminf(rect.x, area.width - rect.width - 4), 0));
    if (rect.y + rect.height > area.height)
        rect.y = ui->tooltip_at.y - ui->tooltip_at.height - rect.height;
    rect.y = cn_canvas_snap(ui->canvas, fmaxf(rect.y, 0));
    cn_canvas_set_layer(ui->canvas, ui->layer + CNI_UI_TOOLTIP_LAYER);
    cn_canvas_box(ui->canvas, rect,
                  &(CnBoxStyle){.fill = ui->theme.window_title,
                                .radius = ui->theme.radius,
                                .border = ui->theme.border,
                                .border_color = ui->theme.window_border});
    cn_canvas_text_in(ui->canvas, (CnRect){rect.x + 8, rect.y + 5, 320, size.y}, &style,
                      &(CnTextLayout){.wrap = true}, text);
    cn_canvas_set_layer(ui->canvas, 0);
}

static void settle_focus(CnUi *ui)
{
    bool is_left = ui->input.mouse_pressed && !ui->focus_taken && ui->hot_window != ui->popup;
    if (ui->focus && (!ui->focus_found || is_left))
        cn_ui_clear_focus(ui);
    cni_ui_navigate(ui);
    if (ui->edit.id && ui->edit.id != ui->focus)
        ui->edit.id = 0;
}

/* A window that was closed in this frame no longer receives the mouse. */
static void forget_hidden(CnUi *ui)
{
    if (ui->popup && !ui->popup_shown)
        ui->popup = 0;
    bool is_shown = ui->popup && ui->hot_window == ui->popup;
    for (uint32_t i = 0; i < ui->window_count && !is_shown; i++)
        is_shown = ui->windows[i].id == ui->hot_window && ui->windows[i].frame == ui->frame;
    if (!is_shown)
        ui->hot_window = 0;
}

void cn_ui_end(CnUi *ui)
{
    CN_ASSERT(ui, "%s: ui is NULL", __func__);
    CN_ASSERT(ui->canvas, "cn_ui_begin was not called");
    CN_ASSERT(!ui->window, "a window was not ended");
    CN_ASSERT(ui->id_depth == 0, "an id was pushed but not popped");
    draw_tooltip(ui);
    settle_focus(ui);
    forget_hidden(ui);
    if (!(ui->input.mouse_held & 1u << CN_MOUSE_LEFT))
        ui->active = 0;
    if (ui->hovered != ui->hovered_now) {
        ui->hovered_at = ui->time;
        ui->hovers += ui->hovered_now != 0;
    }
    ui->hovered = ui->hovered_now;
    ui->focus_next = false;
    ui->canvas = NULL;
}

bool cn_ui_wants_mouse(const CnUi *ui)
{
    CN_ASSERT(ui, "%s: ui is NULL", __func__);
    return ui->hot_window || ui->active || ui->modal_now || ui->popup;
}

bool cn_ui_wants_keyboard(const CnUi *ui)
{
    CN_ASSERT(ui, "%s: ui is NULL", __func__);
    return ui->focus != 0 || ui->modal_now;
}

bool cn_ui_wants_text(const CnUi *ui, CnRect *area)
{
    CN_ASSERT(ui, "%s: ui is NULL", __func__);
    if (ui->wants_text && area)
        *area = ui->text_place;
    return ui->wants_text || (ui->canvas && ui->wanted_text);
}

const char *cn_ui_format(CnUi *ui, const char *format, ...)
{
    CN_ASSERT(ui, "%s: ui is NULL", __func__);
    char text[1024];
    va_list arguments;
    va_start(arguments, format);
    cn_format_v(text, sizeof text, format, arguments);
    va_end(arguments);
    const char *copy = cn_arena_copy_text(&ui->texts, text, strlen(text));
    return copy ? copy : "";
}

/* ---- Ids ---- */

uint64_t cni_ui_id(const CnUi *ui, const char *label)
{
    const char *own = strstr(label, "###");
    if (own)
        label = own;
    uint64_t id = cn_hash_bytes(label, strlen(label), ui->ids[ui->id_depth]);
    return id ? id : 1;
}

static void push_id(CnUi *ui, uint64_t id)
{
    if (ui->id_depth == CN_UI_MAX_DEPTH) {
        ui->refused++;
        ui->ids_refused++;
        return;
    }
    ui->ids[++ui->id_depth] = id;
}

void cn_ui_push_id(CnUi *ui, const char *id)
{
    CN_ASSERT(ui, "%s: ui is NULL", __func__);
    push_id(ui, cni_ui_id(ui, id));
}

void cn_ui_push_number(CnUi *ui, uint64_t id)
{
    CN_ASSERT(ui, "%s: ui is NULL", __func__);
    push_id(ui, cn_hash_bytes(&id, sizeof id, ui->ids[ui->id_depth]));
}

void cn_ui_pop_id(CnUi *ui)
{
    CN_ASSERT(ui, "%s: ui is NULL", __func__);
    CN_ASSERT(ui->id_depth > 0, "cn_ui_pop_id without cn_ui_push_id");
    if (ui->ids_refused > 0)
        ui->ids_refused--;
    else if (ui->id_depth > 0)
        ui->id_depth--;
}

CnText cni_ui_visible_label(const char *label)
{
    const char *end = strstr(label, "##");
    return end ? (CnText){label, (size_t)(end - label)} : cn_text(label);
}

/* ---- Stored state and typed keys ---- */

CniUiState *cni_ui_state(CnUi *ui, uint64_t id)
{
    CniUiState *state = cn_hash_map_get(&ui->states, id);
    if (!state && ui->states.count < CN_UI_MAX_STATES)
        state = cn_hash_map_set(&ui->states, id, NULL);
    if (state)
        state->frame = ui->frame;
    else
        ui->refused++;
    return state;
}

bool cni_ui_take_key(CnUi *ui, CnUiKey key, uint32_t *modifiers)
{
    for (uint32_t i = 0; i < ui->input.typed_count; i++) {
        uint32_t typed = ui->input.typed[i];
        if (!(typed & CN_UI_TYPED_KEY) || (typed & 0xFFu) != (uint32_t)key)
            continue;
        if (modifiers)
            *modifiers = typed >> 8 & 0xFFu;
        memmove(&ui->input.typed[i], &ui->input.typed[i + 1],
                (ui->input.typed_count - i - 1) * sizeof ui->input.typed[0]);
        ui->input.typed_count--;
        return true;
    }
    return false;
}

bool cn_ui_take_key(CnUi *ui, CnUiKey key, uint32_t *modifiers)
{
    CN_ASSERT(ui, "%s: ui is NULL", __func__);
    return cni_ui_take_key(ui, key, modifiers);
}

CnColor cni_ui_fade(const CnUi *ui, CnColor color)
{
    return ui->disabled ? cn_color_fade(color, 0.45f) : color;
}

CnTextStyle cni_ui_style(const CnUi *ui, CnColor color)
{
    return (CnTextStyle){
        .font = ui->theme.font, .size = ui->theme.text_size, .color = cni_ui_fade(ui, color)};
}

CnUiStats cn_ui_stats(const CnUi *ui)
{
    CN_ASSERT(ui, "%s: ui is NULL", __func__);
    CnUiStats stats = {.widgets = ui->widgets,
                       .states = ui->states.count,
                       .duplicate_ids = ui->duplicate_ids,
                       .refused = ui->refused};
    for (uint32_t i = 0; i < ui->window_count; i++)
        stats.windows += ui->windows[i].frame == ui->frame;
    return stats;
}

/* ---- The last widget ---- */

void cn_ui_tooltip(CnUi *ui, const char *text)
{
    CN_ASSERT(ui, "%s: ui is NULL", __func__);
    bool waits = ui->last.hovered && ui->hovered == ui->last.id &&
                 ui->time - ui->hovered_at >= TOOLTIP_AFTER;
    bool focused = ui->last.focused && ui->focus_shown;
    if (!ui->last.id || ui->active || !(waits || focused))
        return;
    ui->tooltip = cn_arena_copy_text(&ui->texts, text, strlen(text));
    CnRect rect = ui->last.rect;
    ui->tooltip_at = waits ? (CnRect){ui->mouse.x + 12, ui->mouse.y + 18, 0, 24}
                           : (CnRect){rect.x, rect.y + rect.height + 4, 0, rect.height + 8};
}

bool cn_ui_is_hovered(const CnUi *ui)
{
    CN_ASSERT(ui, "%s: ui is NULL", __func__);
    return ui->last.hovered;
}

bool cn_ui_is_pressed(const CnUi *ui)
{
    CN_ASSERT(ui, "%s: ui is NULL", __func__);
    return ui->last.pressed;
}

bool cn_ui_is_focused(const CnUi *ui)
{
    CN_ASSERT(ui, "%s: ui is NULL", __func__);
    return ui->last.focused;
}

uint64_t cn_ui_clicks(const CnUi *ui)
{
    CN_ASSERT(ui, "%s: ui is NULL", __func__);
    return ui->clicks;
}

uint64_t cn_ui_hovers(const CnUi *ui)
{
    CN_ASSERT(ui, "%s: ui is NULL", __func__);
    return ui->hovers;
}

uint64_t cn_ui_toggles(const CnUi *ui)
{
    CN_ASSERT(ui, "%s: ui is NULL", __func__);
    return ui->toggles;
}

CnRect cn_ui_last_rect(const CnUi *ui)
{
    CN_ASSERT(ui, "%s: ui is NULL", __func__);
    return ui->last.rect;
}

void cn_ui_begin_disabled(CnUi *ui, bool disabled)
{
    CN_ASSERT(ui, "%s: ui is NULL", __func__);
    ui->disabled_depth++;
    if (disabled && !ui->disabled)
        ui->disabled = ui->disabled_depth;
}

void cn_ui_end_disabled(CnUi *ui)
{
    CN_ASSERT(ui, "%s: ui is NULL", __func__);
    CN_ASSERT(ui->disabled_depth > 0, "cn_ui_begin_disabled was not called");
    if (ui->disabled == ui->disabled_depth)
        ui->disabled = 0;
    ui->disabled_depth--;
}
