/* Input by name: keys, mouse, gamepads. */
#include "script/bind/bind.h"

#include <cairn/input/control.h>
#include <cairn/sim/input.h>
#include <string.h>

enum { MOUSE = 1000, GAMEPAD = 2000 }; /* offsets of their numbers */

/* Sets fields with the names of all controls of a kind, without the first `skip` characters. */
static void name_all(lua_State *lua, CnControlKind kind, uint32_t count, uint32_t first,
                     size_t skip)
{
    for (uint32_t code = 0; code < count; code++) {
        const char *name = cn_control_name((CnControl){(uint16_t)kind, (uint16_t)code});
        if (!name)
            continue;
        lua_pushnumber(lua, first + code);
        lua_setfield(lua, -2, name + skip);
    }
}

void cni_script_bind_input_names(lua_State *lua, CniScriptBindings *bound)
{
    lua_newtable(lua);
    name_all(lua, CN_CONTROL_KEY, CN_KEY_COUNT, 0, 0);
    name_all(lua, CN_CONTROL_MOUSE_BUTTON, CN_MOUSE_BUTTON_COUNT, MOUSE, 0);
    name_all(lua, CN_CONTROL_GAMEPAD_BUTTON, CN_GAMEPAD_BUTTON_COUNT, GAMEPAD, 0);
    bound->keys = luaL_ref(lua, LUA_REGISTRYINDEX);
    lua_newtable(lua);
    name_all(lua, CN_CONTROL_GAMEPAD_AXIS, CN_GAMEPAD_AXIS_COUNT, 0, strlen("Gamepad"));
    bound->axes = luaL_ref(lua, LUA_REGISTRYINDEX);
}

static uint32_t check_name(lua_State *lua, int names, const char *what)
{
    luaL_checktype(lua, 1, LUA_TSTRING);
    lua_rawgeti(lua, LUA_REGISTRYINDEX, names);
    lua_pushvalue(lua, 1);
    lua_rawget(lua, -2);
    if (CN_UNLIKELY(!lua_isnumber(lua, -1))) {
        const char *name = lua_tostring(lua, 1);
        luaL_error(lua, "there is no %s named '%s'%s", what, name,
                   cni_script_suggest(lua, lua_gettop(lua) - 1, name));
    }
    uint32_t number = (uint32_t)lua_tonumber(lua, -1);
    lua_pop(lua, 2);
    return number;
}

/* Returns the gamepad argument; 1 by default. */
static uint32_t check_gamepad(lua_State *lua, int index)
{
    lua_Number number = luaL_optnumber(lua, index, 1);
    for (uint32_t i = 0; i < CN_GAMEPAD_COUNT; i++)
        if (number == (lua_Number)(i + 1))
            return i;
    luaL_argerror(lua, index, "gamepads are numbered 1 to 4");
    return 0;
}

typedef enum Question { HELD, PRESSED, RELEASED } Question;

static bool ask_gamepad(const CnGamepadState *pads, uint32_t pad, uint32_t button,
                        Question question)
{
    return question == HELD      ? cn_gamepad_held(pads, pad, button)
           : question == PRESSED ? cn_gamepad_pressed(pads, pad, button)
                                 : cn_gamepad_released(pads, pad, button);
}

static bool ask_mouse(const CnInputState *input, uint32_t button, Question question)
{
    return question == HELD      ? cn_mouse_held(input, button)
           : question == PRESSED ? cn_mouse_pressed(input, button)
                                 : cn_mouse_released(input, button);
}

static bool ask_key(const CnInputState *input, uint32_t key, Question question)
{
    return question == HELD      ? cn_key_held(input, key)
           : question == PRESSED ? cn_key_pressed(input, key)
                                 : cn_key_released(input, key);
}

static int ask(lua_State *lua, Question question)
{
    const CniScriptBindings *bound = cni_script_bindings(lua);
    uint32_t number = check_name(lua, bound->keys, "key or button");
    uint32_t pad = check_gamepad(lua, 2);
    const CnInputState *input = cn_resource(bound->world, CnInputState);
    const CnGamepadState *pads = cn_resource(bound->world, CnGamepadState);
    bool answer = number >= GAMEPAD ? pads && ask_gamepad(pads, pad, number - GAMEPAD, question)
                  : number >= MOUSE ? input && ask_mouse(input, number - MOUSE, question)
                                    : input && ask_key(input, number, question);
    lua_pushboolean(lua, answer);
    return 1;
}

static int input_held(lua_State *lua)
{
    return ask(lua, HELD);
}

static int input_pressed(lua_State *lua)
{
    return ask(lua, PRESSED);
}

static int input_released(lua_State *lua)
{
    return ask(lua, RELEASED);
}

static int input_axis(lua_State *lua)
{
    const CniScriptBindings *bound = cni_script_bindings(lua);
    uint32_t axis = check_name(lua, bound->axes, "axis");
    uint32_t pad = check_gamepad(lua, 2);
    const CnGamepadState *pads = cn_resource(bound->world, CnGamepadState);
    lua_pushnumber(lua, pads ? (lua_Number)cn_gamepad_axis(pads, pad, axis) : 0);
    return 1;
}

static int input_gamepad(lua_State *lua)
{
    const CnGamepadState *pads = cn_resource(cni_script_bindings(lua)->world, CnGamepadState);
    lua_pushboolean(lua, pads && cn_gamepad_connected(pads, check_gamepad(lua, 1)));
    return 1;
}

static int input_mouse(lua_State *lua)
{
    const CnInputState *input = cn_resource(cni_script_bindings(lua)->world, CnInputState);
    lua_pushnumber(lua, input ? (lua_Number)input->mouse_x : 0);
    lua_pushnumber(lua, input ? (lua_Number)input->mouse_y : 0);
    lua_pushnumber(lua, input ? (lua_Number)input->mouse_dx : 0);
    lua_pushnumber(lua, input ? (lua_Number)input->mouse_dy : 0);
    return 4;
}

static int input_wheel(lua_State *lua)
{
    const CnInputState *input = cn_resource(cni_script_bindings(lua)->world, CnInputState);
    lua_pushnumber(lua, input ? (lua_Number)input->wheel_x : 0);
    lua_pushnumber(lua, input ? (lua_Number)input->wheel_y : 0);
    return 2;
}

static int get_text(lua_State *lua)
{
    const CnInputState *input = cn_resource(cni_script_bindings(lua)->world, CnInputState);
    lua_pushstring(lua, input ? input->text : "");
    return 1;
}

static const CniScriptBinding rows[] = {
    {"key", CNI_SCRIPT_FUNCTION, input_held, NULL, "(name: string, gamepad?: number): boolean",
     "Whether a key or button is held: \"W\", \"Space\", \"MouseLeft\", \"GamepadA\"."},
    {"pressed", CNI_SCRIPT_FUNCTION, input_pressed, NULL,
     "(name: string, gamepad?: number): boolean",
     "Whether a key or button was pressed in this tick."},
    {"released", CNI_SCRIPT_FUNCTION, input_released, NULL,
     "(name: string, gamepad?: number): boolean",
     "Whether a key or button was released in this tick."},
    {"axis", CNI_SCRIPT_FUNCTION, input_axis, NULL, "(name: string, gamepad?: number): number",
     "An axis of a gamepad from -1 to 1: \"LeftX\", \"RightY\", \"LeftTrigger\"."},
    {"gamepad", CNI_SCRIPT_FUNCTION, input_gamepad, NULL, "(gamepad?: number): boolean",
     "Whether this gamepad is connected; 1 is the first."},
    {"mouse", CNI_SCRIPT_FUNCTION, input_mouse, NULL, "(): number, number, number, number",
     "The position in the window, and the motion in this tick."},
    {"wheel", CNI_SCRIPT_FUNCTION, input_wheel, NULL, "(): number, number",
     "The rotation of the wheel in this tick, horizontally and vertically."},
    {"pointerRay", CNI_SCRIPT_FUNCTION, cni_script_pointer_ray, NULL, "(): RayQuery?",
     "The ray from the active camera through the mouse, for raycast; nil without a camera."},
    {"text", CNI_SCRIPT_PROPERTY, get_text, NULL, "string",
     "The text that was typed in this tick."},
    {.name = NULL}};
const CniScriptBindingTable cni_script_bind_input = {
    "input", "Keys, mouse and gamepads in this tick.", rows};
