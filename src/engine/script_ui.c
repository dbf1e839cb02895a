/* Draws what the scripts of the active scene drew in the last tick, and tells the scene what was
 * done with it. */
#include "engine/engine_internal.h"

#include <inttypes.h>
#include <string.h>

#define RADIUS 6.0f
#define SHADOW 0.55f /* of texts, so that they can be read before any picture */

/* What is needed to draw an item. */
typedef struct Drawing {
    CnEngine *engine;
    CnUi *ui;
    CnCanvas *canvas;
    const CnUiTheme *theme;
    CnScriptUi list;
    CnInputSource input;
    bool no_focus;  /* of the panel on the screen */
    bool has_focus; /* a widget has the keyboard focus */
} Drawing;

static const CniEngineScriptBox *box_of(const Drawing *drawing, uint32_t index)
{
    return &drawing->engine->script_ui.boxes.items[index];
}

/* ---- Items without widgets ---- */

static void draw_text(const Drawing *drawing, const CnScriptUiItem *item, CnRect rect,
                      CnAlign align)
{
    CnTextStyle style = cni_engine_script_text_style(drawing->engine, item), shadow = style;
    CnTextLayout layout = {.align_x = align, .align_y = CN_ALIGN_CENTER, .wrap = item->width > 0};
    CnText text = cn_script_ui_text(&drawing->list, item);
    float offset = style.size > 24 ? 2 : 1;
    shadow.color = cn_color_fade(cn_rgb(0), SHADOW * (float)style.color.a / 255);
    cn_canvas_text_in(drawing->canvas,
                      (CnRect){rect.x + offset, rect.y + offset, rect.width, rect.height}, &shadow,
                      &layout, text);
    cn_canvas_text_in(drawing->canvas, rect, &style, &layout, text);
}

static void draw_panel(const Drawing *drawing, const CnScriptUiItem *item, CnRect rect)
{
    if (!item->has_background && !item->has_border)
        return;
    CnBoxStyle style = {.radius = item->radius};
    if (item->has_background)
        style.fill = cn_rgba(item->background);
    if (item->has_border) {
        style.border = drawing->theme->border * 2;
        style.border_color = cn_rgba(item->border);
    }
    cn_canvas_box(drawing->canvas, rect, &style);
}

static void draw_image(const Drawing *drawing, const CnScriptUiItem *item, CnRect rect)
{
    const CniEngineScriptImage *image =
        cni_engine_script_image(drawing->engine, cn_script_ui_text(&drawing->list, item));
    CnSprite sprite = {.radius = item->radius};
    if (!image)
        return;
    sprite.texture = image->texture;
    if (item->has_color)
        sprite.tint = cn_rgba(item->color);
    cn_canvas_sprite(drawing->canvas, rect, &sprite);
}

static void draw_progress(const Drawing *drawing, const CnScriptUiItem *item, CnRect rect)
{
    CnBoxStyle style = {.radius = item->radius > 0 ? item->radius : rect.height / 2};
    style.fill = item->has_background ? cn_rgba(item->background) : drawing->theme->field;
    if (item->has_border) {
        style.border = drawing->theme->border * 2;
        style.border_color = cn_rgba(item->border);
    }
    cn_canvas_box(drawing->canvas, rect, &style);
    CnRect filled = cn_rect_inset(rect, style.border + 1);
    filled.width *= item->value;
    if (filled.width < 1)
        return;
    style.border = 0;
    style.radius = style.radius > 1 ? style.radius - 1 : 0;
    style.fill = item->has_color ? cn_rgba(item->color) : drawing->theme->accent;
    cn_canvas_box(drawing->canvas, filled, &style);
}

/* ---- Widgets ---- */

static bool is_clicked(Drawing *drawing, const CnScriptUiItem *item, const CnUiArea *area)
{
    CniEngineScriptUi *state = &drawing->engine->script_ui;
    const uint32_t left = 1u << CN_MOUSE_LEFT;
    if (area->pressed & left)
        state->pressed = item->id;
    if (area->pressed && drawing->no_focus)
        cn_ui_clear_focus(drawing->ui);
    return (area->released & left && state->pressed == item->id) || area->key == CN_UI_ACTIVATE ||
           area->key == CN_UI_SPACE;
}

static void draw_button_box(const Drawing *drawing, const CnScriptUiItem *item, CnRect rect,
                            const CnUiArea *area)
{
    const CnUiTheme *theme = drawing->theme;
    bool is_down = area->hovered && drawing->engine->script_ui.pressed == item->id;
    CnColor fill = item->has_background ? cn_rgba(item->background) : theme->widget;
    fill = cn_color_mix(fill, is_down ? cn_rgb(0) : cn_rgb(0xFFFFFF),
                        is_down         ? 0.2f
                        : area->hovered ? 0.16f
                                        : 0);
    CnBoxStyle style = {.fill = fill,
                        .radius = item->radius > 0 ? item->radius : RADIUS,
                        .border = area->has_ring ? 2 : theme->border,
                        .border_color = area->has_ring     ? theme->focus
                                        : item->has_border ? cn_rgba(item->border)
                                                           : theme->widget_border};
    if (item->disabled) {
        style.fill = cn_color_fade(fill, 0.5f);
        style.border_color = cn_color_fade(style.border_color, 0.5f);
    }
    cn_canvas_box(drawing->canvas, rect, &style);
}

static void draw_button(Drawing *drawing, const CnScriptUiItem *item, CnRect rect)
{
    char id[32];
    CnUiArea area = {.key = CN_UI_KEY_COUNT};
    cn_format(id, sizeof id, "%016" PRIx64, item->id);
    if (!item->disabled)
        area = cn_ui_area(drawing->ui, id, rect);
    draw_button_box(drawing, item, rect, &area);
    CnScriptUiItem label = *item;
    if (item->disabled) {
        label.has_color = true;
        label.color = 0xFFFFFF60u;
    }
    draw_text(drawing, &label, rect, CN_ALIGN_CENTER);
    drawing->has_focus |= area.focused;
    if (!item->disabled && is_clicked(drawing, item, &area))
        cn_script_ui_send(drawing->input, item->id, 1);
}

/* The widgets of module ui, in a region of the size of the item. */
static void draw_value(Drawing *drawing, const CnScriptUiItem *item, CnRect rect)
{
    CnText text = cn_script_ui_text(&drawing->list, item);
    const char *label =
        cn_ui_format(drawing->ui, "%.*s##%016" PRIx64, (int)text.size, text.data, item->id);
    float value = item->value;
    bool is_on = value != 0, is_changed;
    cn_ui_begin_region(drawing->ui, rect);
    cn_ui_begin_disabled(drawing->ui, item->disabled);
    if (item->kind == CN_SCRIPT_UI_SLIDER) {
        is_changed = cn_ui_slider(drawing->ui, label, &value, item->minimum, item->maximum);
    } else {
        is_changed = cn_ui_checkbox(drawing->ui, label, &is_on);
        value = is_on;
    }
    drawing->has_focus |= cn_ui_is_focused(drawing->ui);
    cn_ui_end_disabled(drawing->ui);
    cn_ui_end_region(drawing->ui);
    if (is_changed)
        cn_script_ui_send(drawing->input, item->id, value);
}

/* ---- The tree ---- */

static void draw_item(Drawing *drawing, uint32_t index)
{
    const CnScriptUiItem *item = &drawing->list.items[index];
    CnRect rect = box_of(drawing, index)->rect;
    switch ((CnScriptUiKind)item->kind) {
    case CN_SCRIPT_UI_COLUMN:
    case CN_SCRIPT_UI_ROW:
        draw_panel(drawing, item, rect);
        break;
    case CN_SCRIPT_UI_TEXT:
        draw_text(drawing, item, rect, (CnAlign)item->align);
        break;
    case CN_SCRIPT_UI_IMAGE:
        draw_image(drawing, item, rect);
        break;
    case CN_SCRIPT_UI_PROGRESS:
        draw_progress(drawing, item, rect);
        break;
    case CN_SCRIPT_UI_BUTTON:
        draw_button(drawing, item, rect);
        break;
    case CN_SCRIPT_UI_CHECKBOX:
    case CN_SCRIPT_UI_SLIDER:
        draw_value(drawing, item, rect);
        break;
    case CN_SCRIPT_UI_SPACE:
    case CN_SCRIPT_UI_KIND_COUNT:
        break;
    }
}

/* Returns the item after this one below `root`, depth first; CNI_ENGINE_NO_ITEM at the end. */
static uint32_t next_item(const Drawing *drawing, uint32_t root, uint32_t index)
{
    uint32_t next = box_of(drawing, index)->first;
    while (next == CNI_ENGINE_NO_ITEM && index != root) {
        next = box_of(drawing, index)->next;
        index = drawing->list.items[index].parent;
    }
    return next;
}

static void draw_tree(Drawing *drawing, uint32_t root)
{
    for (uint32_t i = root; i != CNI_ENGINE_NO_ITEM; i = next_item(drawing, root, i))
        draw_item(drawing, i);
}

static uint64_t first_widget(const Drawing *drawing, uint32_t root)
{
    for (uint32_t i = root; i != CNI_ENGINE_NO_ITEM; i = next_item(drawing, root, i))
        if (cn_script_ui_is_widget(drawing->list.items[i].kind) && !drawing->list.items[i].disabled)
            return drawing->list.items[i].id;
    return 0;
}

/* Items with widgets are windows of module ui, which receive the mouse. */
static void draw_window(Drawing *drawing, uint32_t root, uint64_t *focused_by)
{
    const CnScriptUiItem *item = &drawing->list.items[root];
    uint64_t first = first_widget(drawing, root);
    char title[40];
    cn_format(title, sizeof title, "scripts##%016" PRIx64, first);
    drawing->no_focus = item->no_focus;
    CnUiWindow window = {.title = title,
                         .rect = box_of(drawing, root)->rect,
                         .flags = CN_UI_PANEL | CN_UI_NO_BACKGROUND | CN_UI_NO_SCROLL |
                                  (item->no_focus ? CN_UI_NO_FOCUS : 0)};
    if (cn_ui_begin_window(drawing->ui, &window)) {
        if (item->takes_focus && first && !*focused_by) {
            *focused_by = first;
            if (drawing->engine->script_ui.focused_by != first)
                cn_ui_focus_next(drawing->ui);
        }
        draw_tree(drawing, root);
    }
    cn_ui_end_window(drawing->ui);
}

void cni_engine_script_ui_draw(CnEngine *engine)
{
    CniEngineScriptUi *state = &engine->script_ui;
    CnScene *scene = cn_scenes_active(engine->scenes);
    if (!scene)
        return;
    Drawing drawing = {.engine = engine,
                       .ui = engine->ui,
                       .canvas = cn_ui_canvas(engine->ui),
                       .theme = cn_ui_theme(engine->ui),
                       .list = cn_script_ui(cn_scene_world(scene)),
                       .input = cn_sim_input(cn_scene_sim(scene))};
    uint64_t focused_by = 0;
    if (!drawing.list.count) {
        state->focused_by = state->pressed = 0;
        state->has_focus = false;
        return;
    }
    if (!cni_engine_script_layout(engine, &drawing.list))
        return; /* out of memory: the next frame may have some */
    for (uint32_t i = 0; i < drawing.list.count; i++) {
        if (drawing.list.items[i].parent != CN_SCRIPT_UI_SCREEN)
            continue;
        if (box_of(&drawing, i)->has_widget)
            draw_window(&drawing, i, &focused_by);
        else
            draw_tree(&drawing, i);
    }
    state->focused_by = focused_by;
    state->has_focus = drawing.has_focus;
    if (cn_ui_input(engine->ui)->mouse_released & 1u << CN_MOUSE_LEFT)
        state->pressed = 0;
}

void cni_engine_script_ui_fini(CnEngine *engine)
{
    cn_array_fini(&engine->script_ui.boxes);
}

/* ---- Keys ---- */

bool cni_engine_script_ui_passes(const CnEngine *engine, const CnInputEvent *event)
{
    static const uint16_t keys[] = {CN_KEY_LEFT,   CN_KEY_RIGHT,     CN_KEY_UP,  CN_KEY_DOWN,
                                    CN_KEY_RETURN, CN_KEY_PAD_ENTER, CN_KEY_TAB, CN_KEY_SPACE};
    static const uint8_t buttons[] = {CN_GAMEPAD_LEFT, CN_GAMEPAD_RIGHT, CN_GAMEPAD_UP,
                                      CN_GAMEPAD_DOWN, CN_GAMEPAD_A};
    if (!engine->script_ui.has_focus)
        return false;
    bool is_used = false;
    for (uint32_t i = 0; event->kind == CN_INPUT_KEY && i < CN_COUNT_OF(keys); i++)
        is_used |= keys[i] == event->code;
    for (uint32_t i = 0; event->kind == CN_INPUT_GAMEPAD_BUTTON && i < CN_COUNT_OF(buttons); i++)
        is_used |= buttons[i] == event->code;
    return !is_used;
}
