#include "slot_panel.h"

#include <math.h>

#define PANEL_RADIUS 6.0f
#define MOST_TITLE 16.0f /* beside three buttons */

/* ---- Layout ---- */

void crafty_slot_add(CraftySlotView *view, uint32_t number, CraftyStack stack, float x, float y)
{
    if (view->count == CRAFTY_MAX_SHOWN_SLOTS)
        return;
    view->slots[view->count++] =
        (CraftyShownSlot){.number = (uint8_t)number,
                          .stack = stack,
                          .rect = {x, y, CRAFTY_SLOT_SIZE, CRAFTY_SLOT_SIZE}};
}

void crafty_slots_add(CraftySlotView *view, uint32_t first, const CraftyStack *stacks,
                      uint32_t count, uint32_t a_row, float x, float y)
{
    for (uint32_t i = 0; i < count; i++)
        crafty_slot_add(view, first + i, stacks[i], x + (float)(i % a_row) * CRAFTY_SLOT_PITCH,
                        y + (float)(i / a_row) * CRAFTY_SLOT_PITCH);
}

/* ---- Drawing ---- */

void crafty_panel_draw(CnUi *ui, CnRect rect, const char *title)
{
    CnCanvas *canvas = cn_ui_canvas(ui);
    const CnUiTheme *theme = cn_ui_theme(ui);
    cn_canvas_box(canvas, (CnRect){rect.x, rect.y + 3, rect.width, rect.height},
                  &(CnBoxStyle){.fill = theme->shadow, .radius = PANEL_RADIUS, .blur = 12});
    cn_canvas_box(canvas, rect,
                  &(CnBoxStyle){.fill = theme->window,
                                .radius = PANEL_RADIUS,
                                .border = theme->border,
                                .border_color = theme->window_border});
    if (title)
        cn_canvas_text(
            canvas, rect.x + 10, rect.y + 7,
            &(CnTextStyle){.size = fminf(theme->text_size, MOST_TITLE), .color = theme->text},
            cn_text(title));
}

void crafty_slot_frame(const CraftyItemIcons *icons, CnCanvas *canvas, CnRect rect, bool is_hovered,
                       bool has_ring)
{
    CnBoxStyle style = {.fill = cn_rgba(is_hovered ? 0x5A6A80E0 : 0x272E38E0),
                        .radius = 3,
                        .border = 1,
                        .border_color = cn_rgba(is_hovered ? 0xC8D4E4FF : 0x4A5666FF)};
    if (icons->high_contrast) {
        style.fill = cn_rgb(is_hovered ? 0x404040 : 0x000000);
        style.border_color = cn_rgb(0xFFFFFF);
    }
    cn_canvas_box(canvas, rect, &style);
    if (has_ring)
        cn_canvas_box(canvas, cn_rect_inset(rect, -1),
                      &(CnBoxStyle){.radius = 4, .border = 2, .border_color = cn_rgb(0xF2B134)});
}

/* During a drag, slots show what they would hold. */
static void draw_contents(const CraftySlotView *view, const CraftySlotGesture *gesture,
                          CnCanvas *canvas, const CraftyItemIcons *icons, uint32_t index)
{
    const CraftyShownSlot *slot = &view->slots[index];
    CraftyStack stack = slot->stack;
    uint32_t share = crafty_slot_gesture_share(gesture, view, index);
    if (share) {
        stack =
            (CraftyStack){view->carried.item, (uint16_t)(stack.count + share), view->carried.wear};
        cn_canvas_fill(canvas, cn_rect_inset(slot->rect, 1), cn_rgba(0xFFFFFF28));
    }
    crafty_stack_draw(icons, canvas, slot->rect, stack, 1);
}

/* ---- Input ---- */

static uint32_t number_key(const CnEngine *engine)
{
    for (uint32_t i = 0; i < 9; i++)
        if (cn_engine_key_pressed(engine, CN_KEY_1 + i))
            return i + 1;
    return 0;
}

/* Q, and pressing the right stick: the D-pad, which drops items in the game, moves the focus. */
static bool is_drop_pressed(const CnEngine *engine, bool writes)
{
    return (!writes && cn_engine_key_pressed(engine, CN_KEY_Q)) ||
           cn_engine_gamepad_pressed(engine, CN_GAMEPAD_RIGHT_STICK);
}

static void note_area(CraftySlotInput *input, const CnUiArea *area, uint32_t index)
{
    if (area->hovered)
        input->hovered = index;
    if (area->focused)
        input->focused = index;
    if (area->key != CN_UI_KEY_COUNT) {
        input->key = area->key;
        input->modifiers = area->modifiers;
    }
}

/* The focus counts from a key that moves or uses it until the mouse moves. */
static void choose_pointer(CraftySlotGesture *gesture, CnUi *ui, CraftySlotInput *input,
                           bool has_ring)
{
    CnVec2 mouse = cn_ui_mouse(ui);
    const CnUiInput *raw = cn_ui_input(ui);
    bool is_moved = mouse.x != gesture->mouse.x || mouse.y != gesture->mouse.y;
    if (is_moved || raw->mouse_pressed)
        gesture->uses_keys = false;
    else if (has_ring && (raw->typed_count || input->key != CN_UI_KEY_COUNT))
        gesture->uses_keys = true;
    gesture->mouse = mouse;
    if (gesture->uses_keys)
        input->hovered = CRAFTY_NO_SHOWN_SLOT;
}

void crafty_slots_frame(const CraftySlotView *view, CraftySlotGesture *gesture, CnEngine *engine,
                        const CraftyItemIcons *icons, CraftySlotInput *input)
{
    CnUi *ui = cn_engine_ui(engine);
    CnCanvas *canvas = cn_ui_canvas(ui);
    const CnUiInput *raw = cn_ui_input(ui);
    bool writes = cn_ui_wants_text(ui, NULL);
    *input = (CraftySlotInput){.hovered = CRAFTY_NO_SHOWN_SLOT,
                               .focused = CRAFTY_NO_SHOWN_SLOT,
                               .key = CN_UI_KEY_COUNT,
                               .pressed = raw->mouse_pressed,
                               .released = raw->mouse_released,
                               .modifiers = raw->modifiers,
                               .number = writes ? 0 : number_key(engine),
                               .drops = is_drop_pressed(engine, writes),
                               .seconds = cn_engine_time(engine)->unscaled_elapsed};
    bool has_ring = false;
    for (uint32_t i = 0; i < view->count; i++) {
        const CraftyShownSlot *slot = &view->slots[i];
        cn_ui_push_number(ui, slot->number);
        CnUiArea area = cn_ui_area(ui, "slot", slot->rect);
        cn_ui_pop_id(ui);
        note_area(input, &area, i);
        has_ring |= area.has_ring;
        crafty_slot_frame(icons, canvas, slot->rect, area.hovered && !gesture->uses_keys,
                          area.has_ring);
        draw_contents(view, gesture, canvas, icons, i);
    }
    choose_pointer(gesture, ui, input, has_ring);
}

void crafty_slots_finish(const CraftySlotView *view, const CraftySlotGesture *gesture,
                         const CraftySlotInput *input, CnEngine *engine,
                         const CraftyItemIcons *icons)
{
    CnUi *ui = cn_engine_ui(engine);
    CnCanvas *canvas = cn_ui_canvas(ui);
    uint32_t target = gesture->uses_keys ? input->focused : input->hovered;
    CnVec2 at = cn_ui_mouse(ui);
    if (gesture->uses_keys && target < view->count)
        at = (CnVec2){view->slots[target].rect.x + CRAFTY_SLOT_SIZE * 0.75f,
                      view->slots[target].rect.y + CRAFTY_SLOT_SIZE * 0.75f};
    if (view->carried.count) {
        uint32_t layer = cn_canvas_set_layer(canvas, CRAFTY_LAYER_CARRIED);
        CnRect rect = {at.x - CRAFTY_SLOT_SIZE / 2, at.y - CRAFTY_SLOT_SIZE / 2, CRAFTY_SLOT_SIZE,
                       CRAFTY_SLOT_SIZE};
        cn_canvas_push_full_clip(canvas);
        crafty_stack_draw(icons, canvas, rect, view->carried, 1);
        cn_canvas_pop_clip(canvas);
        cn_canvas_set_layer(canvas, layer);
    } else if (target < view->count) {
        char text[CRAFTY_TOOLTIP_BYTES];
        if (crafty_stack_describe(view->items, view->slots[target].stack, text))
            crafty_tooltip_draw(icons, canvas, at, text);
    }
}
