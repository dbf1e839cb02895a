/* Converts input events and input states to the input of widgets. */
#include <cairn/ui/input.h>

#include <string.h>

static const struct {
    uint16_t code;
    CnUiKey key;
} keys[] = {
    {CN_KEY_LEFT, CN_UI_LEFT},
    {CN_KEY_RIGHT, CN_UI_RIGHT},
    {CN_KEY_UP, CN_UI_UP},
    {CN_KEY_DOWN, CN_UI_DOWN},
    {CN_KEY_HOME, CN_UI_HOME},
    {CN_KEY_END, CN_UI_END},
    {CN_KEY_PAGE_UP, CN_UI_PAGE_UP},
    {CN_KEY_PAGE_DOWN, CN_UI_PAGE_DOWN},
    {CN_KEY_TAB, CN_UI_NEXT},
    {CN_KEY_RETURN, CN_UI_ACTIVATE},
    {CN_KEY_PAD_ENTER, CN_UI_ACTIVATE},
    {CN_KEY_ESCAPE, CN_UI_CANCEL},
    {CN_KEY_SPACE, CN_UI_SPACE},
    {CN_KEY_BACKSPACE, CN_UI_BACKSPACE},
    {CN_KEY_DELETE, CN_UI_DELETE},
};

static const struct {
    uint16_t code;
    CnUiKey key;
} control_keys[] = {{CN_KEY_A, CN_UI_SELECT_ALL},
                    {CN_KEY_X, CN_UI_CUT},
                    {CN_KEY_C, CN_UI_COPY},
                    {CN_KEY_V, CN_UI_PASTE}};

static const struct {
    uint8_t code;
    CnUiKey key;
} buttons[] = {
    {CN_GAMEPAD_LEFT, CN_UI_LEFT},
    {CN_GAMEPAD_RIGHT, CN_UI_RIGHT},
    {CN_GAMEPAD_UP, CN_UI_UP},
    {CN_GAMEPAD_DOWN, CN_UI_DOWN},
    {CN_GAMEPAD_A, CN_UI_ACTIVATE},
    {CN_GAMEPAD_B, CN_UI_CANCEL},
    {CN_GAMEPAD_X, CN_UI_SECOND},
    {CN_GAMEPAD_Y, CN_UI_THIRD},
    {CN_GAMEPAD_RIGHT_SHOULDER, CN_UI_NEXT},
    {CN_GAMEPAD_LEFT_SHOULDER, CN_UI_PREVIOUS},
};

static void type(CnUiInput *input, uint32_t what)
{
    if (input->typed_count < CN_UI_MAX_TYPED)
        input->typed[input->typed_count++] = what;
    else
        input->typed_lost++;
}

void cn_ui_input_key(CnUiInput *input, CnUiKey key, uint32_t modifiers)
{
    CN_ASSERT(input, "%s: input is NULL", __func__);
    CN_ASSERT((uint32_t)key < CN_UI_KEY_COUNT, "invalid key %d", (int)key);
    if ((uint32_t)key >= CN_UI_KEY_COUNT)
        return;
    type(input, cn_ui_typed_key(key, modifiers));
}

void cn_ui_input_text(CnUiInput *input, CnText text)
{
    CN_ASSERT(input, "%s: input is NULL", __func__);
    for (size_t at = 0; at < text.size;) {
        uint32_t character;
        at = cn_utf8_next(text, at, &character);
        type(input, character);
    }
}

/* Returns CN_UI_KEY_COUNT for other keys. */
static CnUiKey key_of(uint32_t code, uint32_t modifiers)
{
    for (size_t i = 0; modifiers & CN_UI_CTRL && i < CN_COUNT_OF(control_keys); i++) {
        if (control_keys[i].code == code)
            return control_keys[i].key;
    }
    for (size_t i = 0; i < CN_COUNT_OF(keys); i++) {
        if (keys[i].code == code)
            return keys[i].key == CN_UI_NEXT && modifiers & CN_UI_SHIFT ? CN_UI_PREVIOUS
                                                                        : keys[i].key;
    }
    return CN_UI_KEY_COUNT;
}

static CnUiKey button_of(uint32_t code)
{
    for (size_t i = 0; i < CN_COUNT_OF(buttons); i++) {
        if (buttons[i].code == code)
            return buttons[i].key;
    }
    return CN_UI_KEY_COUNT;
}

static uint32_t modifier_of(uint32_t code)
{
    return code == CN_KEY_LEFT_SHIFT || code == CN_KEY_RIGHT_SHIFT ? CN_UI_SHIFT
           : code == CN_KEY_LEFT_CTRL || code == CN_KEY_RIGHT_CTRL ? CN_UI_CTRL
                                                                   : 0;
}

/* Ignores keys that are already held; cn_ui_begin generates the repeats. */
static void press(CnUiInput *input, CnUiKey key, uint32_t modifiers)
{
    if (key == CN_UI_KEY_COUNT || input->keys_held >> key & 1u)
        return;
    input->keys_held |= 1u << key;
    cn_ui_input_key(input, key, modifiers);
}

static void release(CnUiInput *input, CnUiKey key)
{
    if (key == CN_UI_KEY_COUNT)
        return;
    input->keys_held &= ~(1u << key);
    if (key == CN_UI_NEXT || key == CN_UI_PREVIOUS)
        input->keys_held &= ~(1u << CN_UI_NEXT | 1u << CN_UI_PREVIOUS);
}

static void key_event(CnUiInput *input, const CnInputEvent *event)
{
    uint32_t modifier = modifier_of(event->code);
    if (modifier)
        input->modifiers =
            event->pressed ? input->modifiers | modifier : input->modifiers & ~modifier;
    if (event->pressed) {
        press(input, key_of(event->code, input->modifiers), input->modifiers);
        return;
    }
    release(input, key_of(event->code, 0));
    release(input, key_of(event->code, CN_UI_CTRL));
}

static void mouse_button(CnUiInput *input, uint32_t button, bool is_pressed)
{
    uint32_t bit = 1u << (button & 31u);
    if (is_pressed) {
        input->mouse_held |= bit;
        input->mouse_pressed |= bit;
    } else {
        input->mouse_held &= ~bit;
        input->mouse_released |= bit;
    }
}

/* The first finger acts as the left button. */
static void touch_event(CnUiInput *input, const CnInputEvent *event)
{
    input->mouse = (CnVec2){event->x, event->y};
    if (event->kind != CN_INPUT_TOUCH_MOVE)
        mouse_button(input, CN_MOUSE_LEFT, event->kind == CN_INPUT_TOUCH_BEGIN);
}

static void focus_lost(CnUiInput *input)
{
    input->mouse_released |= input->mouse_held;
    input->mouse_held = input->keys_held = input->modifiers = 0;
}

void cn_ui_input_event(CnUiInput *input, const CnInputEvent *event)
{
    CN_ASSERT(input, "%s: input is NULL", __func__);
    CN_ASSERT(event, "%s: event is NULL", __func__);
    if (!cn_input_event_valid(event))
        return;
    switch ((CnInputKind)event->kind) {
    case CN_INPUT_KEY:
        key_event(input, event);
        break;
    case CN_INPUT_MOUSE_BUTTON:
        mouse_button(input, event->code, event->pressed);
        break;
    case CN_INPUT_MOUSE_MOVE:
        input->mouse = (CnVec2){event->x, event->y};
        break;
    case CN_INPUT_WHEEL:
        input->wheel.x += event->dx;
        input->wheel.y += event->dy;
        break;
    case CN_INPUT_TEXT:
        cn_ui_input_text(input, (CnText){(const char *)event->data, event->bytes});
        break;
    case CN_INPUT_GAMEPAD_BUTTON:
        if (event->pressed)
            press(input, button_of(event->code), CN_UI_PAD);
        else
            release(input, button_of(event->code));
        break;
    case CN_INPUT_TOUCH_BEGIN:
    case CN_INPUT_TOUCH_MOVE:
    case CN_INPUT_TOUCH_END:
        touch_event(input, event);
        break;
    case CN_INPUT_FOCUS_LOST:
        focus_lost(input);
        break;
    default:
        break;
    }
}

/* ---- Input state of a tick ---- */

static void type_pressed(CnUiInput *input, const CnInputState *state, uint32_t code)
{
    CnUiKey key = key_of(code, input->modifiers);
    if (key == CN_UI_KEY_COUNT)
        return;
    if (cn_key_pressed(state, code))
        cn_ui_input_key(input, key, input->modifiers);
    if (cn_key_held(state, code))
        input->keys_held |= 1u << key;
}

static void pad_state(CnUiInput *input, const CnGamepadState *pads)
{
    for (uint32_t pad = 0; pad < CN_GAMEPAD_COUNT; pad++) {
        for (size_t i = 0; i < CN_COUNT_OF(buttons); i++) {
            if (cn_gamepad_pressed(pads, pad, buttons[i].code))
                cn_ui_input_key(input, buttons[i].key, CN_UI_PAD);
            if (cn_gamepad_held(pads, pad, buttons[i].code))
                input->keys_held |= 1u << buttons[i].key;
        }
    }
}

void cn_ui_input_state(CnUiInput *input, const CnInputState *state, const CnGamepadState *pads)
{
    CN_ASSERT(input, "%s: input is NULL", __func__);
    bool shift = cn_key_held(state, CN_KEY_LEFT_SHIFT) || cn_key_held(state, CN_KEY_RIGHT_SHIFT);
    bool ctrl = cn_key_held(state, CN_KEY_LEFT_CTRL) || cn_key_held(state, CN_KEY_RIGHT_CTRL);
    input->modifiers = (shift ? CN_UI_SHIFT : 0) | (ctrl ? CN_UI_CTRL : 0);
    input->keys_held = 0;
    for (size_t i = 0; i < CN_COUNT_OF(keys); i++)
        type_pressed(input, state, keys[i].code);
    for (size_t i = 0; ctrl && i < CN_COUNT_OF(control_keys); i++)
        type_pressed(input, state, control_keys[i].code);
    cn_ui_input_text(input, cn_text(state->text));
    input->mouse = (CnVec2){state->mouse_x, state->mouse_y};
    input->mouse_held = (uint32_t)state->mouse_held;
    input->mouse_pressed |= (uint32_t)state->mouse_pressed;
    input->mouse_released |= (uint32_t)state->mouse_released;
    input->wheel.x += state->wheel_x;
    input->wheel.y += state->wheel_y;
    if (pads)
        pad_state(input, pads);
}

void cn_ui_input_clear(CnUiInput *input)
{
    CN_ASSERT(input, "%s: input is NULL", __func__);
    input->mouse_pressed = input->mouse_released = 0;
    input->wheel = (CnVec2){0, 0};
    input->typed_count = 0;
}
