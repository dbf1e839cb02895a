/*
 * Numbers of keys, buttons and axes. They identify the position on the device, not the label.
 *
 * Keys use the numbers of the USB HID usage tables, page 7 (Keyboard/Keypad), like SDL's scancodes;
 * every number from 1 to CN_KEY_COUNT - 1 is a key, whether or not it has a name here. Mouse
 * buttons are numbered as in SDL. Gamepad buttons and axes are in the order of SDL2's game
 * controllers. Values from SDL2 can therefore be passed on unchanged.
 */
#ifndef CAIRN_SIM_INPUT_CODES_H
#define CAIRN_SIM_INPUT_CODES_H

#include <cairn/base/api.h>

CN_EXTERN_C_BEGIN

#define CN_KEY_COUNT 512u
#define CN_MOUSE_BUTTON_COUNT 32u
#define CN_GAMEPAD_COUNT 4u
#define CN_GAMEPAD_BUTTON_COUNT 21u
#define CN_GAMEPAD_AXIS_COUNT 6u

typedef enum CnMouseButton {
    CN_MOUSE_LEFT = 1, /* there is no button 0 */
    CN_MOUSE_MIDDLE,
    CN_MOUSE_RIGHT,
    CN_MOUSE_BACK,
    CN_MOUSE_FORWARD
} CnMouseButton;

/* A is the bottom button of the four, B the right, X the left, Y the top one. */
typedef enum CnGamepadButton {
    CN_GAMEPAD_A,
    CN_GAMEPAD_B,
    CN_GAMEPAD_X,
    CN_GAMEPAD_Y,
    CN_GAMEPAD_BACK,
    CN_GAMEPAD_GUIDE,
    CN_GAMEPAD_START,
    CN_GAMEPAD_LEFT_STICK,
    CN_GAMEPAD_RIGHT_STICK,
    CN_GAMEPAD_LEFT_SHOULDER,
    CN_GAMEPAD_RIGHT_SHOULDER,
    CN_GAMEPAD_UP,
    CN_GAMEPAD_DOWN,
    CN_GAMEPAD_LEFT,
    CN_GAMEPAD_RIGHT,
    CN_GAMEPAD_MISC,
    CN_GAMEPAD_PADDLE_1,
    CN_GAMEPAD_PADDLE_2,
    CN_GAMEPAD_PADDLE_3,
    CN_GAMEPAD_PADDLE_4,
    CN_GAMEPAD_TOUCHPAD
} CnGamepadButton;

/* Sticks: -1 is left or up, 1 is right or down. Triggers: 0 is released, 1 is fully pulled. */
typedef enum CnGamepadAxis {
    CN_GAMEPAD_LEFT_X,
    CN_GAMEPAD_LEFT_Y,
    CN_GAMEPAD_RIGHT_X,
    CN_GAMEPAD_RIGHT_Y,
    CN_GAMEPAD_LEFT_TRIGGER,
    CN_GAMEPAD_RIGHT_TRIGGER
} CnGamepadAxis;

typedef enum CnKey {
    CN_KEY_NONE = 0, /* no key */
    CN_KEY_A = 4,
    CN_KEY_B = 5,
    CN_KEY_C = 6,
    CN_KEY_D = 7,
    CN_KEY_E = 8,
    CN_KEY_F = 9,
    CN_KEY_G = 10,
    CN_KEY_H = 11,
    CN_KEY_I = 12,
    CN_KEY_J = 13,
    CN_KEY_K = 14,
    CN_KEY_L = 15,
    CN_KEY_M = 16,
    CN_KEY_N = 17,
    CN_KEY_O = 18,
    CN_KEY_P = 19,
    CN_KEY_Q = 20,
    CN_KEY_R = 21,
    CN_KEY_S = 22,
    CN_KEY_T = 23,
    CN_KEY_U = 24,
    CN_KEY_V = 25,
    CN_KEY_W = 26,
    CN_KEY_X = 27,
    CN_KEY_Y = 28,
    CN_KEY_Z = 29,
    CN_KEY_1 = 30,
    CN_KEY_2 = 31,
    CN_KEY_3 = 32,
    CN_KEY_4 = 33,
    CN_KEY_5 = 34,
    CN_KEY_6 = 35,
    CN_KEY_7 = 36,
    CN_KEY_8 = 37,
    CN_KEY_9 = 38,
    CN_KEY_0 = 39,
    CN_KEY_RETURN = 40,
    CN_KEY_ESCAPE = 41,
    CN_KEY_BACKSPACE = 42,
    CN_KEY_TAB = 43,
    CN_KEY_SPACE = 44,
    CN_KEY_MINUS = 45,
    CN_KEY_EQUALS = 46,
    CN_KEY_LEFT_BRACKET = 47,
    CN_KEY_RIGHT_BRACKET = 48,
    CN_KEY_BACKSLASH = 49,
    CN_KEY_NON_US_HASH = 50,
    CN_KEY_SEMICOLON = 51,
    CN_KEY_APOSTROPHE = 52,
    CN_KEY_GRAVE = 53,
    CN_KEY_COMMA = 54,
    CN_KEY_PERIOD = 55,
    CN_KEY_SLASH = 56,
    CN_KEY_CAPS_LOCK = 57,
    CN_KEY_F1 = 58,
    CN_KEY_F2 = 59,
    CN_KEY_F3 = 60,
    CN_KEY_F4 = 61,
    CN_KEY_F5 = 62,
    CN_KEY_F6 = 63,
    CN_KEY_F7 = 64,
    CN_KEY_F8 = 65,
    CN_KEY_F9 = 66,
    CN_KEY_F10 = 67,
    CN_KEY_F11 = 68,
    CN_KEY_F12 = 69,
    CN_KEY_PRINT_SCREEN = 70,
    CN_KEY_SCROLL_LOCK = 71,
    CN_KEY_PAUSE = 72,
    CN_KEY_INSERT = 73,
    CN_KEY_HOME = 74,
    CN_KEY_PAGE_UP = 75,
    CN_KEY_DELETE = 76,
    CN_KEY_END = 77,
    CN_KEY_PAGE_DOWN = 78,
    CN_KEY_RIGHT = 79,
    CN_KEY_LEFT = 80,
    CN_KEY_DOWN = 81,
    CN_KEY_UP = 82,
    CN_KEY_NUM_LOCK = 83,
    CN_KEY_PAD_DIVIDE = 84,
    CN_KEY_PAD_MULTIPLY = 85,
    CN_KEY_PAD_MINUS = 86,
    CN_KEY_PAD_PLUS = 87,
    CN_KEY_PAD_ENTER = 88,
    CN_KEY_PAD_1 = 89,
    CN_KEY_PAD_2 = 90,
    CN_KEY_PAD_3 = 91,
    CN_KEY_PAD_4 = 92,
    CN_KEY_PAD_5 = 93,
    CN_KEY_PAD_6 = 94,
    CN_KEY_PAD_7 = 95,
    CN_KEY_PAD_8 = 96,
    CN_KEY_PAD_9 = 97,
    CN_KEY_PAD_0 = 98,
    CN_KEY_PAD_PERIOD = 99,
    CN_KEY_NON_US_BACKSLASH = 100,
    CN_KEY_APPLICATION = 101,
    CN_KEY_POWER = 102,
    CN_KEY_PAD_EQUALS = 103,
    CN_KEY_F13 = 104,
    CN_KEY_F14 = 105,
    CN_KEY_F15 = 106,
    CN_KEY_F16 = 107,
    CN_KEY_F17 = 108,
    CN_KEY_F18 = 109,
    CN_KEY_F19 = 110,
    CN_KEY_F20 = 111,
    CN_KEY_F21 = 112,
    CN_KEY_F22 = 113,
    CN_KEY_F23 = 114,
    CN_KEY_F24 = 115,
    CN_KEY_MUTE = 127,
    CN_KEY_VOLUME_UP = 128,
    CN_KEY_VOLUME_DOWN = 129,
    CN_KEY_LEFT_CTRL = 224,
    CN_KEY_LEFT_SHIFT = 225,
    CN_KEY_LEFT_ALT = 226,
    CN_KEY_LEFT_GUI = 227,
    CN_KEY_RIGHT_CTRL = 228,
    CN_KEY_RIGHT_SHIFT = 229,
    CN_KEY_RIGHT_ALT = 230,
    CN_KEY_RIGHT_GUI = 231
} CnKey;

CN_EXTERN_C_END

#endif
