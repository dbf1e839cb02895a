#include "slot_gesture.h"

#define LEFT (1u << CN_MOUSE_LEFT)
#define RIGHT (1u << CN_MOUSE_RIGHT)
#define DOUBLE_CLICK 0.35 /* seconds */

/* ---- Commands ---- */

static void add(const CraftySlotView *view, CraftyGestureCommands *commands, CraftyCommandKind kind,
                uint32_t from, uint32_t to, uint32_t count)
{
    if (commands->count == CRAFTY_MAX_GESTURE_COMMANDS || !count)
        return;
    commands->items[commands->count++] =
        (CraftyCommand){.kind = (uint8_t)kind,
                        .from = (uint8_t)from,
                        .to = (uint8_t)to,
                        .count = (uint16_t)count,
                        .cell = {view->cell[0], view->cell[1], view->cell[2]}};
}

static void move(const CraftySlotView *view, CraftyGestureCommands *commands, uint32_t from,
                 uint32_t to, uint32_t count)
{
    if (from != to)
        add(view, commands, CRAFTY_COMMAND_MOVE_ITEMS, from, to, count);
}

static bool is_same(CraftyStack a, CraftyStack b)
{
    return a.item == b.item && a.wear == b.wear;
}

static uint32_t stack_max(const CraftySlotView *view, CraftyStack stack)
{
    const CraftyItemInfo *info = crafty_items_info(view->items, stack.item);
    return info ? info->stack_max : 1;
}

/* Returns how many of the carried items fit. */
static uint32_t room(const CraftySlotView *view, const CraftyShownSlot *slot)
{
    uint32_t most = stack_max(view, view->carried);
    if (slot->gives_only)
        return 0;
    if (!slot->stack.count)
        return most;
    return is_same(slot->stack, view->carried) && slot->stack.count < most
               ? most - slot->stack.count
               : 0;
}

/* ---- Single slots ---- */

static void take(const CraftySlotView *view, CraftyGestureCommands *commands,
                 const CraftyShownSlot *slot, bool is_half)
{
    uint32_t count = slot->stack.count;
    if (is_half && slot->number != CRAFTY_SLOT_RESULT) /* a recipe gives all or nothing */
        count = (count + 1) / 2;
    move(view, commands, slot->number, CRAFTY_SLOT_CARRIED, count);
}

/* Another stack in the slot changes places with the whole carried one. */
static void put(const CraftySlotView *view, CraftyGestureCommands *commands,
                const CraftyShownSlot *slot, uint32_t count)
{
    bool is_other = slot->stack.count && !is_same(slot->stack, view->carried);
    if (slot->gives_only) {
        if (!is_other)
            take(view, commands, slot, false);
        return;
    }
    move(view, commands, CRAFTY_SLOT_CARRIED, slot->number, is_other ? view->carried.count : count);
}

static void quick_move(const CraftySlotView *view, CraftyGestureCommands *commands,
                       const CraftyShownSlot *slot)
{
    if (slot->stack.count)
        add(view, commands, CRAFTY_COMMAND_QUICK_MOVE, slot->number, 0, slot->stack.count);
}

/* Partly filled stacks first, so that full ones stay whole if they can. */
static void collect(const CraftySlotView *view, CraftyGestureCommands *commands)
{
    uint32_t most = stack_max(view, view->carried), have = view->carried.count;
    for (uint32_t pass = 0; pass < 2; pass++)
        for (uint32_t i = 0; i < view->count && have < most; i++) {
            const CraftyShownSlot *slot = &view->slots[i];
            bool is_full = slot->stack.count >= most;
            if (slot->gives_only || !slot->stack.count || !is_same(slot->stack, view->carried) ||
                is_full != (pass == 1))
                continue;
            uint32_t count = slot->stack.count < most - have ? slot->stack.count : most - have;
            move(view, commands, slot->number, CRAFTY_SLOT_CARRIED, count);
            have += count;
        }
}

/* The whole gesture of a key: press and release. */
static void use(const CraftySlotView *view, CraftyGestureCommands *commands,
                const CraftyShownSlot *slot, bool is_second)
{
    if (!view->carried.count)
        take(view, commands, slot, is_second);
    else
        put(view, commands, slot, is_second ? 1 : view->carried.count);
}

static void swap_with_hotbar(const CraftySlotView *view, CraftyGestureCommands *commands,
                             const CraftyShownSlot *slot, uint32_t hotbar)
{
    if (slot->stack.count) {
        move(view, commands, slot->number, hotbar, slot->stack.count);
        return;
    }
    for (uint32_t i = 0; i < view->count && !slot->gives_only; i++)
        if (view->slots[i].number == hotbar)
            move(view, commands, hotbar, slot->number, view->slots[i].stack.count);
}

/* ---- Drags ---- */

static const CraftyShownSlot *find(const CraftySlotView *view, uint32_t number)
{
    for (uint32_t i = 0; i < view->count; i++)
        if (view->slots[i].number == number)
            return &view->slots[i];
    return NULL;
}

static bool is_dragged(const CraftySlotGesture *gesture, uint32_t number)
{
    for (uint32_t i = 0; i < gesture->dragged_count; i++)
        if (gesture->dragged[i] == number)
            return true;
    return false;
}

static void stop(CraftySlotGesture *gesture)
{
    gesture->button = gesture->dragged_count = gesture->clicked = 0;
    gesture->moves_quick = false;
}

static void begin_drag(CraftySlotGesture *gesture, uint32_t button, uint32_t number)
{
    gesture->button = button;
    gesture->dragged[0] = (uint8_t)number;
    gesture->dragged_count = 1;
}

/* The first slot counts only if items fit: a drag that begins on another stack goes on without it.
 */
static void drag_over(CraftySlotGesture *gesture, const CraftySlotView *view,
                      const CraftyShownSlot *slot)
{
    if (is_dragged(gesture, slot->number) || !room(view, slot) ||
        gesture->dragged_count >= view->carried.count ||
        gesture->dragged_count == CRAFTY_MAX_SHOWN_SLOTS)
        return;
    const CraftyShownSlot *first = find(view, gesture->dragged[0]);
    if (gesture->dragged_count == 1 && first && !room(view, first))
        gesture->dragged[0] = slot->number;
    else
        gesture->dragged[gesture->dragged_count++] = slot->number;
}

static uint32_t share_of(const CraftySlotGesture *gesture, const CraftySlotView *view,
                         const CraftyShownSlot *slot)
{
    uint32_t share = gesture->button == LEFT ? view->carried.count / gesture->dragged_count : 1;
    uint32_t fits = room(view, slot);
    return share < fits ? share : fits;
}

uint32_t crafty_slot_gesture_share(const CraftySlotGesture *gesture, const CraftySlotView *view,
                                   uint32_t index)
{
    const CraftyShownSlot *slot = &view->slots[index];
    if (!gesture->button || gesture->dragged_count < 2 || !is_dragged(gesture, slot->number))
        return 0;
    return share_of(gesture, view, slot);
}

static void end_drag(CraftySlotGesture *gesture, const CraftySlotView *view,
                     CraftyGestureCommands *commands)
{
    for (uint32_t i = 0; i < gesture->dragged_count; i++) {
        const CraftyShownSlot *slot = find(view, gesture->dragged[i]);
        if (!slot || !view->carried.count)
            continue;
        if (gesture->dragged_count == 1)
            put(view, commands, slot, gesture->button == LEFT ? view->carried.count : 1);
        else
            move(view, commands, CRAFTY_SLOT_CARRIED, slot->number, share_of(gesture, view, slot));
    }
    gesture->button = gesture->dragged_count = 0;
}

/* ---- Frames ---- */

static bool is_double_click(const CraftySlotGesture *gesture, const CraftySlotInput *input,
                            uint32_t number)
{
    return gesture->clicked == number + 1 && input->seconds - gesture->clicked_at < DOUBLE_CLICK;
}

static void press_on(CraftySlotGesture *gesture, const CraftySlotView *view,
                     const CraftySlotInput *input, const CraftyShownSlot *slot,
                     CraftyGestureCommands *commands)
{
    uint32_t button = input->pressed & LEFT ? LEFT : RIGHT;
    bool is_double = button == LEFT && is_double_click(gesture, input, slot->number);
    gesture->clicked = button == LEFT && !is_double ? slot->number + 1u : 0;
    gesture->clicked_at = input->seconds;
    if (input->modifiers & CN_UI_SHIFT) {
        gesture->moves_quick = true;
        gesture->dragged[0] = slot->number;
        gesture->dragged_count = 1;
        quick_move(view, commands, slot);
    } else if (is_double && view->carried.count && !slot->gives_only) {
        collect(view, commands);
    } else if (!view->carried.count) {
        take(view, commands, slot, button == RIGHT);
    } else if (slot->gives_only) {
        put(view, commands, slot, view->carried.count);
    } else {
        begin_drag(gesture, button, slot->number);
    }
}

static void press(CraftySlotGesture *gesture, const CraftySlotView *view,
                  const CraftySlotInput *input, CraftyGestureCommands *commands)
{
    if (gesture->button || gesture->moves_quick) /* another button ends a drag without effect */
        stop(gesture);
    else if (input->hovered < view->count)
        press_on(gesture, view, input, &view->slots[input->hovered], commands);
    else if (input->is_outside)
        add(view, commands, CRAFTY_COMMAND_DROP_ITEMS, CRAFTY_SLOT_CARRIED, 0,
            input->pressed & LEFT ? view->carried.count : view->carried.count > 0);
}

static void hover(CraftySlotGesture *gesture, const CraftySlotView *view,
                  const CraftyShownSlot *slot, CraftyGestureCommands *commands)
{
    if (gesture->button) {
        drag_over(gesture, view, slot);
    } else if (gesture->moves_quick && !is_dragged(gesture, slot->number) &&
               gesture->dragged_count < CRAFTY_MAX_SHOWN_SLOTS) {
        gesture->dragged[gesture->dragged_count++] = slot->number;
        quick_move(view, commands, slot);
    }
}

static void release(CraftySlotGesture *gesture, const CraftySlotView *view,
                    const CraftySlotInput *input, CraftyGestureCommands *commands)
{
    if (gesture->button & input->released)
        end_drag(gesture, view, commands);
    if (gesture->moves_quick && input->released & (LEFT | RIGHT)) {
        gesture->moves_quick = false;
        gesture->dragged_count = 0;
    }
}

static void type_on(const CraftySlotView *view, const CraftySlotInput *input,
                    const CraftyShownSlot *slot, CraftyGestureCommands *commands)
{
    bool is_quick = input->key == CN_UI_THIRD ||
                    (input->key == CN_UI_ACTIVATE && input->modifiers & CN_UI_SHIFT);
    if (is_quick)
        quick_move(view, commands, slot);
    else if (input->key == CN_UI_ACTIVATE)
        use(view, commands, slot, false);
    else if (input->key == CN_UI_SPACE || input->key == CN_UI_SECOND)
        use(view, commands, slot, true);
}

void crafty_slot_gesture_frame(CraftySlotGesture *gesture, const CraftySlotView *view,
                               const CraftySlotInput *input, CraftyGestureCommands *commands)
{
    uint32_t target = input->hovered < view->count ? input->hovered : input->focused;
    if (gesture->button && !view->carried.count) /* it is gone: dropped, or the screen changed */
        stop(gesture);
    if (input->pressed & (LEFT | RIGHT))
        press(gesture, view, input, commands);
    if (input->hovered < view->count)
        hover(gesture, view, &view->slots[input->hovered], commands);
    release(gesture, view, input, commands);
    if (input->focused < view->count && input->key != CN_UI_KEY_COUNT)
        type_on(view, input, &view->slots[input->focused], commands);
    if (target >= view->count || gesture->button)
        return;
    const CraftyShownSlot *slot = &view->slots[target];
    if (input->number)
        swap_with_hotbar(view, commands, slot, input->number - 1);
    if (input->drops && gesture->uses_keys && view->carried.count)
        add(view, commands, CRAFTY_COMMAND_DROP_ITEMS, CRAFTY_SLOT_CARRIED, 0, view->carried.count);
    else if (input->drops && slot->stack.count)
        add(view, commands, CRAFTY_COMMAND_DROP_ITEMS, slot->number, 0,
            input->modifiers & CN_UI_CTRL ? slot->stack.count : 1);
}
