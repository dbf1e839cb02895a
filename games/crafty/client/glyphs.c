#include "glyphs.h"

#include <string.h>

#define TEXT_SHARE 0.6f /* of the height */
#define GAP_SHARE 0.2f  /* between glyphs of one action */
#define STICK_MOVED 0.5f
#define MAX_CONTROLS 4u /* of an action that are drawn */

static const uint32_t cap_fill = 0x20262EF0, cap_edge = 0xF4F6F8FF, cap_mark = 0xF2C14EFF;

/* ---- Device ---- */

static bool uses_keyboard(const CnInputState *input)
{
    bool any = input->mouse_pressed || input->wheel_x != 0 || input->wheel_y != 0 ||
               input->mouse_dx != 0 || input->mouse_dy != 0;
    for (uint32_t i = 0; i < CN_COUNT_OF(input->keys_pressed); i++)
        any |= input->keys_pressed[i] != 0;
    return any;
}

/* Returns CN_GAMEPAD_COUNT if none is used. Resting sticks do not count. */
static uint32_t used_gamepad(const CnGamepadState *pads)
{
    for (uint32_t i = 0; i < CN_GAMEPAD_COUNT; i++) {
        bool any = pads->pressed[i] != 0;
        for (uint32_t axis = 0; axis < CN_GAMEPAD_AXIS_COUNT; axis++) {
            float value = cn_gamepad_axis(pads, i, axis);
            any |= value > STICK_MOVED || value < -STICK_MOVED;
        }
        if (any)
            return i;
    }
    return CN_GAMEPAD_COUNT;
}

static CraftyDevice device_of_kind(CnGamepadKind kind)
{
    return kind == CN_GAMEPAD_KIND_PLAYSTATION ? CRAFTY_DEVICE_PLAYSTATION
           : kind == CN_GAMEPAD_KIND_NINTENDO  ? CRAFTY_DEVICE_NINTENDO
                                               : CRAFTY_DEVICE_XBOX;
}

/* Some systems send motion of the mouse after touches; a touch in the same frame wins. */
void crafty_glyphs_frame(CraftyGlyphs *glyphs, CraftyControls *controls, const CnEngine *engine)
{
    const CnInputDevices *devices = cn_engine_devices(engine);
    uint32_t gamepad = used_gamepad(&devices->gamepads);
    glyphs->actions = cn_action_map_actions(crafty_controls_map(controls));
    if (devices->input.touch_held || devices->input.touch_pressed)
        glyphs->device = CRAFTY_DEVICE_TOUCH;
    else if (gamepad < CN_GAMEPAD_COUNT)
        glyphs->device = device_of_kind(cn_engine_gamepad_kind(engine, gamepad));
    else if (uses_keyboard(&devices->input))
        glyphs->device = CRAFTY_DEVICE_KEYBOARD;
}

/* ---- Names ---- */

static const char *gamepad_button_label(uint32_t button, CraftyDevice device)
{
    static const char *const labels[][3] = {
        [CN_GAMEPAD_A] = {"A", "Cross", "B"},
        [CN_GAMEPAD_B] = {"B", "Circle", "A"},
        [CN_GAMEPAD_X] = {"X", "Square", "Y"},
        [CN_GAMEPAD_Y] = {"Y", "Triangle", "X"},
        [CN_GAMEPAD_BACK] = {"View", "Share", "-"},
        [CN_GAMEPAD_GUIDE] = {"Guide", "PS", "Home"},
        [CN_GAMEPAD_START] = {"Menu", "Options", "+"},
        [CN_GAMEPAD_LEFT_STICK] = {"Left stick", "L3", "Left stick"},
        [CN_GAMEPAD_RIGHT_STICK] = {"Right stick", "R3", "Right stick"},
        [CN_GAMEPAD_LEFT_SHOULDER] = {"LB", "L1", "L"},
        [CN_GAMEPAD_RIGHT_SHOULDER] = {"RB", "R1", "R"},
        [CN_GAMEPAD_UP] = {"D-pad up", "D-pad up", "D-pad up"},
        [CN_GAMEPAD_DOWN] = {"D-pad down", "D-pad down", "D-pad down"},
        [CN_GAMEPAD_LEFT] = {"D-pad left", "D-pad left", "D-pad left"},
        [CN_GAMEPAD_RIGHT] = {"D-pad right", "D-pad right", "D-pad right"},
    };
    uint32_t column = device == CRAFTY_DEVICE_PLAYSTATION ? 1
                      : device == CRAFTY_DEVICE_NINTENDO  ? 2
                                                          : 0;
    return button < CN_COUNT_OF(labels) ? labels[button][column] : NULL;
}

static const char *gamepad_axis_label(uint32_t axis, CraftyDevice device)
{
    bool is_sony = device == CRAFTY_DEVICE_PLAYSTATION,
         is_nintendo = device == CRAFTY_DEVICE_NINTENDO;
    switch (axis) {
    case CN_GAMEPAD_LEFT_X:
    case CN_GAMEPAD_LEFT_Y:
        return "Left stick";
    case CN_GAMEPAD_RIGHT_X:
    case CN_GAMEPAD_RIGHT_Y:
        return "Right stick";
    case CN_GAMEPAD_LEFT_TRIGGER:
        return is_sony ? "L2" : is_nintendo ? "ZL" : "LT";
    case CN_GAMEPAD_RIGHT_TRIGGER:
        return is_sony ? "R2" : is_nintendo ? "ZR" : "RT";
    default:
        return NULL;
    }
}

/* Names of keys that are not words, and of the mouse. */
static const char *other_label(CnControl control)
{
    static const struct {
        CnControl control;
        const char *label;
    } labels[] = {
        {CN_CONTROL_KEY_OF(CN_KEY_ESCAPE), "Esc"},
        {CN_CONTROL_KEY_OF(CN_KEY_RETURN), "Enter"},
        {CN_CONTROL_KEY_OF(CN_KEY_DELETE), "Del"},
        {CN_CONTROL_KEY_OF(CN_KEY_INSERT), "Ins"},
        {CN_CONTROL_KEY_OF(CN_KEY_LEFT_CTRL), "Ctrl"},
        {CN_CONTROL_KEY_OF(CN_KEY_RIGHT_CTRL), "Right Ctrl"},
        {CN_CONTROL_KEY_OF(CN_KEY_LEFT_SHIFT), "Shift"},
        {CN_CONTROL_KEY_OF(CN_KEY_RIGHT_SHIFT), "Right Shift"},
        {CN_CONTROL_KEY_OF(CN_KEY_LEFT_ALT), "Alt"},
        {CN_CONTROL_KEY_OF(CN_KEY_RIGHT_ALT), "Right Alt"},
        {CN_CONTROL_KEY_OF(CN_KEY_SLASH), "/"},
        {CN_CONTROL_KEY_OF(CN_KEY_MINUS), "-"},
        {CN_CONTROL_KEY_OF(CN_KEY_EQUALS), "="},
        {CN_CONTROL_KEY_OF(CN_KEY_COMMA), ","},
        {CN_CONTROL_KEY_OF(CN_KEY_PERIOD), "."},
        {CN_CONTROL_MOUSE_BUTTON_OF(CN_MOUSE_LEFT), "Left click"},
        {CN_CONTROL_MOUSE_BUTTON_OF(CN_MOUSE_MIDDLE), "Middle click"},
        {CN_CONTROL_MOUSE_BUTTON_OF(CN_MOUSE_RIGHT), "Right click"},
        {CN_CONTROL_MOUSE_BUTTON_OF(CN_MOUSE_BACK), "Mouse back"},
        {CN_CONTROL_MOUSE_BUTTON_OF(CN_MOUSE_FORWARD), "Mouse forward"},
        {CN_CONTROL_MOUSE_MOTION_OF(CN_MOUSE_MOTION_X), "Mouse"},
        {CN_CONTROL_MOUSE_MOTION_OF(CN_MOUSE_MOTION_Y), "Mouse"},
        {CN_CONTROL_MOUSE_MOTION_OF(CN_MOUSE_WHEEL_X), "Wheel"},
        {CN_CONTROL_MOUSE_MOTION_OF(CN_MOUSE_WHEEL_Y), "Wheel"},
    };
    for (uint32_t i = 0; i < CN_COUNT_OF(labels); i++)
        if (cn_control_equal(labels[i].control, control))
            return labels[i].label;
    return NULL;
}

/* "PageUp" becomes "Page Up". */
static void separate_words(char *text, size_t bytes)
{
    for (size_t i = 1; text[i] && strlen(text) + 1 < bytes; i++)
        if (text[i] >= 'A' && text[i] <= 'Z' && text[i - 1] >= 'a' && text[i - 1] <= 'z') {
            memmove(text + i + 1, text + i, strlen(text + i) + 1);
            text[i++] = ' ';
        }
}

const char *crafty_control_label(CnControl control, CraftyDevice device, char *text)
{
    const char *label =
        control.kind == CN_CONTROL_GAMEPAD_BUTTON ? gamepad_button_label(control.code, device)
        : control.kind == CN_CONTROL_GAMEPAD_AXIS ? gamepad_axis_label(control.code, device)
                                                  : other_label(control);
    if (label) {
        cn_copy_text(text, CN_CONTROL_TEXT_BYTES, cn_text(label));
    } else {
        cn_control_text(control, text);
        separate_words(text, CN_CONTROL_TEXT_BYTES);
    }
    return text;
}

/* ---- Shapes ---- */

typedef enum Shape { SHAPE_KEY, SHAPE_MOUSE, SHAPE_ROUND, SHAPE_STICK, SHAPE_PAD } Shape;

static Shape shape_of(CnControl control)
{
    if (control.kind == CN_CONTROL_MOUSE_MOTION ||
        (control.kind == CN_CONTROL_MOUSE_BUTTON && control.code <= CN_MOUSE_RIGHT))
        return SHAPE_MOUSE;
    if (control.kind == CN_CONTROL_GAMEPAD_BUTTON) {
        if (control.code <= CN_GAMEPAD_Y)
            return SHAPE_ROUND;
        if (control.code >= CN_GAMEPAD_UP && control.code <= CN_GAMEPAD_RIGHT)
            return SHAPE_PAD;
        if (control.code == CN_GAMEPAD_LEFT_STICK || control.code == CN_GAMEPAD_RIGHT_STICK)
            return SHAPE_STICK;
    }
    return control.kind == CN_CONTROL_GAMEPAD_AXIS && control.code <= CN_GAMEPAD_RIGHT_Y
               ? SHAPE_STICK
               : SHAPE_KEY;
}

static CnTextStyle text_style(float height, uint32_t color)
{
    return (CnTextStyle){.size = height * TEXT_SHARE, .color = cn_rgba(color)};
}

static void draw_label(CnCanvas *canvas, CnRect rect, float height, uint32_t color,
                       const char *text)
{
    CnTextStyle style = text_style(height, color);
    cn_canvas_text_in(canvas, rect, &style,
                      &(CnTextLayout){.align_x = CN_ALIGN_CENTER, .align_y = CN_ALIGN_CENTER},
                      cn_text(text));
}

static void draw_key(CnCanvas *canvas, CnRect rect, const char *text)
{
    float edge = rect.height * 0.1f;
    CnBoxStyle box = {.fill = cn_rgba(cap_fill),
                      .radius = rect.height * 0.22f,
                      .border = 1,
                      .border_color = cn_rgba(cap_edge)};
    cn_canvas_box(canvas, rect, &box);
    cn_canvas_fill(canvas,
                   (CnRect){rect.x + 3, rect.y + rect.height - edge - 1, rect.width - 6, edge},
                   cn_color_fade(cn_rgba(cap_edge), 0.35f));
    draw_label(canvas, (CnRect){rect.x, rect.y, rect.width, rect.height - edge}, rect.height,
               cap_edge, text);
}

/* The pressed part of the mouse is marked. */
static void draw_mouse(CnCanvas *canvas, CnRect rect, CnControl control)
{
    bool is_button = control.kind == CN_CONTROL_MOUSE_BUTTON;
    bool is_wheel = !is_button && control.code >= CN_MOUSE_WHEEL_X;
    float half = rect.width / 2, top = rect.height * 0.42f;
    CnBoxStyle body = {.fill = cn_rgba(cap_fill),
                       .radius = half,
                       .border = 1.2f,
                       .border_color = cn_rgba(cap_edge)};
    CnBoxStyle mark = {.fill = cn_rgba(cap_mark), .radius = half * 0.5f};
    CnBoxStyle wheel = {.fill = cn_rgba(cap_edge), .radius = half};
    cn_canvas_box(canvas, rect, &body);
    if (is_button && control.code != CN_MOUSE_MIDDLE)
        cn_canvas_box(canvas,
                      (CnRect){rect.x + (control.code == CN_MOUSE_LEFT ? 2 : half + 1), rect.y + 2,
                               half - 3, top - 2},
                      &mark);
    if (is_wheel || (is_button && control.code == CN_MOUSE_MIDDLE))
        wheel.fill = cn_rgba(cap_mark);
    cn_canvas_box(canvas,
                  (CnRect){rect.x + half - rect.width * 0.11f, rect.y + rect.height * 0.14f,
                           rect.width * 0.22f, rect.height * 0.26f},
                  &wheel);
    if (!is_button && !is_wheel) /* motion: a point in the middle of the body */
        cn_canvas_box(canvas, (CnRect){rect.x + half - 2, rect.y + rect.height * 0.6f, 4, 4},
                      &(CnBoxStyle){.fill = cn_rgba(cap_mark), .radius = 2});
}

/* Cross, circle, square and triangle. */
static void draw_symbol(CnCanvas *canvas, CnRect rect, uint32_t button)
{
    static const uint32_t colors[] = {0x8FB4FFFF, 0xFF8A80FF, 0xF2A6E0FF, 0x7FE0B0FF};
    CnColor color = cn_rgba(colors[button]);
    CnRect in = cn_rect_inset(rect, rect.height * 0.3f);
    float right = in.x + in.width, bottom = in.y + in.height, middle = in.x + in.width / 2;
    float line = rect.height * 0.09f;
    switch (button) {
    case CN_GAMEPAD_A:
        cn_canvas_line(canvas, (CnVec2){in.x, in.y}, (CnVec2){right, bottom}, line, color);
        cn_canvas_line(canvas, (CnVec2){right, in.y}, (CnVec2){in.x, bottom}, line, color);
        break;
    case CN_GAMEPAD_B:
    case CN_GAMEPAD_X:
        cn_canvas_box(canvas, in,
                      &(CnBoxStyle){.radius = button == CN_GAMEPAD_B ? in.width / 2 : 1,
                                    .border = line,
                                    .border_color = color});
        break;
    default:
        cn_canvas_line(canvas, (CnVec2){middle, in.y}, (CnVec2){right, bottom}, line, color);
        cn_canvas_line(canvas, (CnVec2){middle, in.y}, (CnVec2){in.x, bottom}, line, color);
        cn_canvas_line(canvas, (CnVec2){in.x, bottom}, (CnVec2){right, bottom}, line, color);
        break;
    }
}

static void draw_round(CnCanvas *canvas, CnRect rect, uint32_t button, CraftyDevice device)
{
    /* Colors help, but the letter alone suffices. */
    static const uint32_t colors[] = {0x8FE07AFF, 0xFF8A80FF, 0x8FB4FFFF, 0xFFD75EFF};
    cn_canvas_box(canvas, rect,
                  &(CnBoxStyle){.fill = cn_rgba(cap_fill),
                                .radius = rect.height / 2,
                                .border = 1.2f,
                                .border_color = cn_rgba(cap_edge)});
    if (device == CRAFTY_DEVICE_PLAYSTATION)
        draw_symbol(canvas, rect, button);
    else
        draw_label(canvas, rect, rect.height,
                   device == CRAFTY_DEVICE_NINTENDO ? cap_edge : colors[button],
                   gamepad_button_label(button, device));
}

/* A button below the stick has a filled center. */
static void draw_stick(CnCanvas *canvas, CnRect rect, CnControl control)
{
    bool is_button = control.kind == CN_CONTROL_GAMEPAD_BUTTON;
    bool is_left =
        is_button ? control.code == CN_GAMEPAD_LEFT_STICK : control.code <= CN_GAMEPAD_LEFT_Y;
    CnRect in = cn_rect_inset(rect, rect.height * 0.16f);
    cn_canvas_box(canvas, rect,
                  &(CnBoxStyle){.fill = cn_rgba(cap_fill),
                                .radius = rect.height / 2,
                                .border = 1,
                                .border_color = cn_rgba(cap_edge)});
    cn_canvas_box(canvas, in,
                  &(CnBoxStyle){.fill = is_button ? cn_rgba(cap_mark) : (CnColor){0},
                                .radius = in.height / 2,
                                .border = 1,
                                .border_color = cn_rgba(cap_edge)});
    draw_label(canvas, rect, rect.height * 0.85f, is_button ? 0x101418FF : cap_edge,
               is_left ? "L" : "R");
}

static void draw_pad(CnCanvas *canvas, CnRect rect, uint32_t button)
{
    float arm = rect.height / 3;
    CnRect parts[] = {{rect.x + arm, rect.y, arm, arm},
                      {rect.x + arm, rect.y + 2 * arm, arm, arm},
                      {rect.x, rect.y + arm, arm, arm},
                      {rect.x + 2 * arm, rect.y + arm, arm, arm}};
    cn_canvas_fill(canvas, (CnRect){rect.x + arm, rect.y, arm, rect.height}, cn_rgba(cap_edge));
    cn_canvas_fill(canvas, (CnRect){rect.x, rect.y + arm, rect.height, arm}, cn_rgba(cap_edge));
    cn_canvas_fill(canvas, cn_rect_inset((CnRect){rect.x + arm, rect.y, arm, rect.height}, 1),
                   cn_rgba(cap_fill | 0xFF));
    cn_canvas_fill(canvas, cn_rect_inset((CnRect){rect.x, rect.y + arm, rect.height, arm}, 1),
                   cn_rgba(cap_fill | 0xFF));
    cn_canvas_fill(canvas, cn_rect_inset(parts[button - CN_GAMEPAD_UP], 1), cn_rgba(cap_mark));
}

/* ---- Controls ---- */

float crafty_glyph_control_width(const CnCanvas *canvas, float height, CraftyDevice device,
                                 CnControl control)
{
    char label[CN_CONTROL_TEXT_BYTES];
    CnTextStyle style = text_style(height, cap_edge);
    if (!cn_control_valid(control))
        return 0;
    switch (shape_of(control)) {
    case SHAPE_MOUSE:
        return height * 0.72f;
    case SHAPE_ROUND:
    case SHAPE_STICK:
    case SHAPE_PAD:
        return height;
    case SHAPE_KEY:
        break;
    }
    crafty_control_label(control, device, label);
    float width = cn_canvas_text_size(canvas, &style, cn_text(label), 0).x + height * 0.55f;
    return width > height ? width : height;
}

float crafty_glyph_draw_control(CnCanvas *canvas, CnVec2 position, float height,
                                CraftyDevice device, CnControl control)
{
    char label[CN_CONTROL_TEXT_BYTES];
    float width = crafty_glyph_control_width(canvas, height, device, control);
    CnRect rect = {cn_canvas_snap(canvas, position.x), cn_canvas_snap(canvas, position.y), width,
                   height};
    if (width == 0)
        return 0;
    switch (shape_of(control)) {
    case SHAPE_KEY:
        draw_key(canvas, rect, crafty_control_label(control, device, label));
        break;
    case SHAPE_MOUSE:
        draw_mouse(canvas, rect, control);
        break;
    case SHAPE_ROUND:
        draw_round(canvas, rect, control.code, device);
        break;
    case SHAPE_STICK:
        draw_stick(canvas, rect, control);
        break;
    case SHAPE_PAD:
        draw_pad(canvas, rect, control.code);
        break;
    }
    return width;
}

/* ---- Actions ---- */

static bool is_of_device(CnControl control, CraftyDevice device)
{
    bool is_gamepad =
        control.kind == CN_CONTROL_GAMEPAD_BUTTON || control.kind == CN_CONTROL_GAMEPAD_AXIS;
    return cn_control_valid(control) && device != CRAFTY_DEVICE_TOUCH &&
           is_gamepad == crafty_device_is_gamepad(device);
}

/* Both axes of a stick and of the mouse have one glyph. */
static bool looks_same(CnControl a, CnControl b)
{
    bool are_sticks = a.kind == CN_CONTROL_GAMEPAD_AXIS && b.kind == a.kind &&
                      a.code <= CN_GAMEPAD_RIGHT_Y && b.code <= CN_GAMEPAD_RIGHT_Y;
    bool are_motions = a.kind == CN_CONTROL_MOUSE_MOTION && b.kind == a.kind;
    return cn_control_equal(a, b) || ((are_sticks || are_motions) && a.code / 2 == b.code / 2);
}

static void add_control(CnControl *controls, uint32_t *count, CnControl control,
                        CraftyDevice device)
{
    for (uint32_t i = 0; i < *count; i++)
        if (looks_same(controls[i], control))
            return;
    if (*count < MAX_CONTROLS && is_of_device(control, device))
        controls[(*count)++] = control;
}

/* The first binding of a button; the first of each component of axes, y before x: W, S, D, A. */
static uint32_t controls_of(const CraftyGlyphs *glyphs, const char *name,
                            CnControl controls[MAX_CONTROLS])
{
    uint32_t count = 0, components = 0;
    CnAction action = cn_action_find(glyphs->actions, name);
    if (!action.number)
        return 0;
    const CnActionDesc *desc = &glyphs->actions.actions[action.number - 1u];
    for (uint32_t turn = 0; turn < 2; turn++)
        for (uint32_t i = 0; i < desc->binding_count; i++) {
            const CnBinding *binding = &desc->bindings[i];
            bool is_usable = is_of_device(binding->control, glyphs->device) ||
                             is_of_device(binding->negative, glyphs->device);
            if (binding->component != 1 - turn || !is_usable ||
                components >> binding->component & 1u)
                continue;
            components |= 1u << binding->component;
            add_control(controls, &count, binding->control, glyphs->device);
            add_control(controls, &count, binding->negative, glyphs->device);
        }
    return count;
}

static float draw_controls(CnCanvas *canvas, CnVec2 position, float height, CraftyDevice device,
                           const CnControl *controls, uint32_t count)
{
    float x = position.x;
    for (uint32_t i = 0; i < count; i++)
        x += crafty_glyph_draw_control(canvas, (CnVec2){x, position.y}, height, device,
                                       controls[i]) +
             (i + 1 < count ? height * GAP_SHARE : 0);
    return x - position.x;
}

float crafty_glyph_draw(const CraftyGlyphs *glyphs, CnCanvas *canvas, CnVec2 position, float height,
                        const char *action)
{
    CnControl controls[MAX_CONTROLS];
    uint32_t count = controls_of(glyphs, action, controls);
    return draw_controls(canvas, position, height, glyphs->device, controls, count);
}

float crafty_glyph_width(const CraftyGlyphs *glyphs, const CnCanvas *canvas, float height,
                         const char *action)
{
    CnControl controls[MAX_CONTROLS];
    uint32_t count = controls_of(glyphs, action, controls);
    float width = 0;
    for (uint32_t i = 0; i < count; i++)
        width += crafty_glyph_control_width(canvas, height, glyphs->device, controls[i]) +
                 (i + 1 < count ? height * GAP_SHARE : 0);
    return width;
}

float crafty_glyph_prompt(const CraftyGlyphs *glyphs, CnCanvas *canvas, CnVec2 position,
                          float height, const char *action, const char *text)
{
    CnTextStyle style = {.size = height * 0.75f, .color = cn_rgb(0xFFFFFF)};
    float width = crafty_glyph_draw(glyphs, canvas, position, height, action);
    float x = position.x + (width > 0 ? width + height * 0.35f : 0);
    CnVec2 size = cn_canvas_text_size(canvas, &style, cn_text(text), 0);
    float y = position.y + (height - size.y) / 2;
    CnTextStyle shadow = {.size = style.size, .color = cn_rgba(0x000000B0)};
    cn_canvas_text(canvas, x + 1, y + 1, &shadow, cn_text(text));
    cn_canvas_text(canvas, x, y, &style, cn_text(text));
    return x + size.x - position.x;
}
