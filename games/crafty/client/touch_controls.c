#include "touch_controls.h"

#include "hud.h"

#include <cairn/base/math.h>

#define LOOK_FACTOR 2.5f   /* pixels of a mouse per point of a drag */
#define SPRINT_REACH 1.35f /* of the radius of the stick */
#define BUTTON_RADIUS 26.0f
#define TEXT_SIZE 12.0f
#define MOST_TEXT 16.0f                                          /* that fits into a button */
typedef enum Role { NONE, STICK, LOOK, BUTTON, SLOT = 32 } Role; /* BUTTON + index, SLOT + index */

/* ---- Layout ---- */

typedef struct Button {
    const char *label, *action;
    float right, bottom; /* of its middle from the edges, in points; negative: from the top */
} Button;

static const Button buttons[] = {
    {"Jump", "jump", 44, 100},  {"Sneak", "slow", 108, 44}, {"Items", "inventory", 44, -40},
    {"Chat", "chat", 108, -40}, {"Menu", "menu", 172, -40},
};

static CnVec2 middle_of(const Button *button, CnVec2 area)
{
    return (CnVec2){area.x - button->right,
                    button->bottom < 0 ? -button->bottom : area.y - button->bottom};
}

static float distance(CnVec2 a, CnVec2 b)
{
    float x = a.x - b.x, y = a.y - b.y;
    return cn_sqrtf(x * x + y * y);
}

static uint8_t role_at(CnVec2 point, CnVec2 area)
{
    for (uint32_t i = 0; i < CN_COUNT_OF(buttons); i++)
        if (distance(point, middle_of(&buttons[i], area)) <= BUTTON_RADIUS + 4)
            return (uint8_t)(BUTTON + i);
    for (uint32_t i = 0; i < CRAFTY_SLOTS; i++)
        if (cn_rect_contains(crafty_hud_slot((CnRect){0, 0, area.x, area.y}, i), point.x, point.y))
            return (uint8_t)(SLOT + i);
    return point.x < area.x / 2 ? STICK : LOOK;
}

/* ---- Actions ---- */

static void set(const CraftyTouchView *view, CnActions *actions, const char *name, bool held,
                bool pressed, bool released)
{
    CnAction action = cn_action_find(view->actions, name);
    uint64_t bit = action.number ? UINT64_C(1) << (action.number - 1) : 0;
    actions->held |= held ? bit : 0;
    actions->pressed |= pressed ? bit : 0;
    actions->released |= released ? bit : 0;
}

static void add_axes(const CraftyTouchView *view, CnActions *actions, const char *name, CnVec2 by)
{
    CnAction action = cn_action_find(view->actions, name);
    if (!action.number)
        return;
    actions->axes[action.axis] += by.x;
    actions->axes[action.axis + 1u] += by.y;
}

static void use_stick(const CraftyTouchView *view, const CraftyTouchFinger *finger,
                      CnActions *actions)
{
    float length = distance(finger->first, finger->last), by = length;
    by = by > CRAFTY_TOUCH_STICK ? by : CRAFTY_TOUCH_STICK;
    add_axes(
        view, actions, "move",
        (CnVec2){(finger->last.x - finger->first.x) / by, (finger->first.y - finger->last.y) / by});
    set(view, actions, "fast", length > SPRINT_REACH * CRAFTY_TOUCH_STICK, false, false);
}

static void use_look(const CraftyTouchView *view, const CraftyTouchFinger *finger, CnVec2 before,
                     bool ends, CnActions *actions)
{
    bool rests = finger->seconds >= CRAFTY_TOUCH_HOLD_SECONDS && !finger->is_moved;
    bool rested = finger->seconds - view->seconds >= CRAFTY_TOUCH_HOLD_SECONDS && rests;
    if (finger->is_moved)
        add_axes(view, actions, "look",
                 (CnVec2){(finger->last.x - before.x) * LOOK_FACTOR,
                          (before.y - finger->last.y) * LOOK_FACTOR});
    if (rests)
        set(view, actions, "break_block", !ends, !rested, ends);
    else if (ends && !finger->is_moved)
        set(view, actions, "place_block", false, true, true);
}

static void use_slot(const CraftyTouchView *view, uint32_t slot, CnActions *actions)
{
    char name[] = "slot_1";
    name[sizeof name - 2] = (char)('1' + slot);
    set(view, actions, name, false, true, true);
}

static void use_finger(const CraftyTouchView *view, const CraftyTouchFinger *finger, CnVec2 before,
                       bool begins, bool ends, CnActions *actions)
{
    if (finger->role == STICK && !ends)
        use_stick(view, finger, actions);
    else if (finger->role == LOOK)
        use_look(view, finger, before, ends, actions);
    else if (finger->role >= SLOT && begins)
        use_slot(view, finger->role - SLOT, actions);
    else if (finger->role >= BUTTON && finger->role < SLOT)
        set(view, actions, buttons[finger->role - BUTTON].action, !ends, begins, ends);
}

void crafty_touch_controls_frame(CraftyTouchControls *touch, const CraftyTouchView *view,
                                 CnActions *actions)
{
    const CnInputState *input = view->input;
    *actions = (CnActions){0};
    touch->area = view->area;
    for (uint32_t i = 0; i < CN_INPUT_TOUCH_COUNT; i++) {
        CraftyTouchFinger *finger = &touch->fingers[i];
        bool begins = cn_touch_pressed(input, i), ends = cn_touch_released(input, i);
        CnVec2 at = {input->touch_x[i] / view->scale, input->touch_y[i] / view->scale};
        if (!view->plays || (!begins && !ends && !cn_touch_held(input, i))) {
            *finger = (CraftyTouchFinger){0}; /* touches of a menu do nothing when it is closed */
            continue;
        }
        if (begins)
            *finger = (CraftyTouchFinger){.role = role_at(at, view->area), .first = at, .last = at};
        CnVec2 before = finger->last;
        finger->last = at;
        finger->seconds += begins ? 0 : view->seconds;
        finger->is_moved |= distance(finger->first, at) > CRAFTY_TOUCH_TAP_POINTS &&
                            finger->seconds < CRAFTY_TOUCH_HOLD_SECONDS;
        use_finger(view, finger, before, begins, ends, actions);
        if (begins)
            set(view, actions, "capture_mouse", false, true, true);
        if (ends)
            *finger = (CraftyTouchFinger){0};
    }
}

/* ---- Drawing ---- */

static void draw_disc(CnCanvas *canvas, CnVec2 middle, float radius, uint32_t fill)
{
    cn_canvas_box(canvas, (CnRect){middle.x - radius, middle.y - radius, 2 * radius, 2 * radius},
                  &(CnBoxStyle){.fill = cn_rgba(fill),
                                .radius = radius,
                                .border = 1.5f,
                                .border_color = cn_rgba(0xFFFFFF70)});
}

static bool is_held(const CraftyTouchControls *touch, uint32_t button)
{
    bool held = false;
    for (uint32_t i = 0; i < CN_INPUT_TOUCH_COUNT; i++)
        held |= touch->fingers[i].role == BUTTON + button;
    return held;
}

/* The stick is drawn where it can be found, and where the finger holds it. */
static void draw_stick(const CraftyTouchControls *touch, CnCanvas *canvas, CnVec2 area)
{
    CnVec2 base = {CRAFTY_TOUCH_STICK + 28, area.y - CRAFTY_TOUCH_STICK - 60}, knob = base;
    for (uint32_t i = 0; i < CN_INPUT_TOUCH_COUNT; i++) {
        const CraftyTouchFinger *finger = &touch->fingers[i];
        if (finger->role != STICK)
            continue;
        float length = distance(finger->first, finger->last);
        float part = length > CRAFTY_TOUCH_STICK ? CRAFTY_TOUCH_STICK / length : 1;
        base = finger->first;
        knob = (CnVec2){base.x + (finger->last.x - base.x) * part,
                        base.y + (finger->last.y - base.y) * part};
    }
    draw_disc(canvas, base, CRAFTY_TOUCH_STICK, 0x10141850);
    draw_disc(canvas, knob, CRAFTY_TOUCH_STICK * 0.45f, 0xFFFFFF50);
}

void crafty_touch_controls_draw(const CraftyTouchControls *touch, CnCanvas *canvas, float text_size)
{
    CnRect rect = cn_canvas_area(canvas);
    CnVec2 area = {rect.width, rect.height};
    float size = TEXT_SIZE * text_size < MOST_TEXT ? TEXT_SIZE * text_size : MOST_TEXT;
    draw_stick(touch, canvas, area);
    for (uint32_t i = 0; i < CN_COUNT_OF(buttons); i++) {
        CnVec2 middle = middle_of(&buttons[i], area);
        CnRect label = {middle.x - BUTTON_RADIUS, middle.y - 8, 2 * BUTTON_RADIUS, 16};
        draw_disc(canvas, middle, BUTTON_RADIUS, is_held(touch, i) ? 0xFFFFFF70 : 0x10141880);
        cn_canvas_text_in(canvas, label, &(CnTextStyle){.size = size, .color = cn_rgb(0xFFFFFF)},
                          &(CnTextLayout){.align_x = CN_ALIGN_CENTER, .align_y = CN_ALIGN_CENTER},
                          cn_text(buttons[i].label));
    }
}
