/* animation: clips of the mesh of an object. */
#include "script/bind/bind.h"
#include "script/runtime/runtime.h"

#include <cairn/scene/presentation.h>
#include <string.h>

#define READ_COST 2000u          /* instructions; a file is charged whether it is known or not */
#define BYTES_PER_INSTRUCTION 16 /* of JSON */
#define MAX_SPEED 1000.0

/* Returns the clips of the object's mesh, or throws. */
static const CnAnimationClips *clips_of(lua_State *lua, const CniScriptBindings *bound,
                                        CnEntity object)
{
    const CnMeshRenderer *mesh = cn_get(bound->world, object, CnMeshRenderer);
    CnError error = {0};
    if (!mesh)
        luaL_error(lua, "%s: the object has no mesh with clips", cni_script_running_name(lua));
    const CnAnimationClips *clips =
        cni_script_model_clips(cni_script_runtime(bound->scripts), mesh->mesh, &error);
    if (!clips)
        cni_script_throw(lua, &error);
    cni_script_budget_charge(lua, READ_COST + clips->text_bytes / BYTES_PER_INSTRUCTION);
    return clips;
}

/* Pushes the names of the clips, for an error. */
static void push_names(lua_State *lua, const CnAnimationClips *clips)
{
    luaL_Buffer names;
    luaL_buffinit(lua, &names);
    for (uint32_t i = 0; i < clips->count && i < 16; i++) {
        luaL_addstring(&names, i ? ", " : "");
        luaL_addstring(&names, clips->items[i].name);
    }
    luaL_pushresult(&names);
}

/* Returns the clip at `index`: its name, or its number from 0. */
static uint32_t check_clip(lua_State *lua, int index, const CnAnimationClips *clips)
{
    uint32_t clip = clips->count;
    if (lua_type(lua, index) == LUA_TNUMBER) {
        double number = lua_tonumber(lua, index);
        clip = number >= 0 && number < clips->count ? (uint32_t)number : clip;
    } else {
        clip = cn_animation_clips_find(clips, luaL_checkstring(lua, index));
    }
    if (clip < clips->count)
        return clip;
    push_names(lua, clips);
    luaL_error(lua, "%s: the mesh has no clip '%s'; it has %s", cni_script_running_name(lua),
               lua_tostring(lua, index), clips->count ? lua_tostring(lua, -1) : "no clips");
    return 0;
}

/* ---- Options ---- */

static double number_option(lua_State *lua, int table, const char *key, double standard, double low,
                            double high)
{
    lua_pushstring(lua, key);
    lua_rawget(lua, table);
    double value = lua_isnil(lua, -1) ? standard : lua_tonumber(lua, -1);
    bool is_number = lua_isnil(lua, -1) || lua_type(lua, -1) == LUA_TNUMBER;
    if (!is_number || !(value >= low && value <= high)) {
        lua_pushfstring(lua, "%s: '%s' must be a number from %f to %f",
                        cni_script_running_name(lua), key, low, high);
        luaL_error(lua, "%s", lua_tostring(lua, -1));
    }
    lua_pop(lua, 1);
    return value;
}

static bool flag_option(lua_State *lua, int table, const char *key)
{
    lua_pushstring(lua, key);
    lua_rawget(lua, table);
    bool is_set = lua_toboolean(lua, -1) != 0;
    if (!lua_isnil(lua, -1) && !lua_isboolean(lua, -1))
        luaL_error(lua, "%s: '%s' must be true or false", cni_script_running_name(lua), key);
    lua_pop(lua, 1);
    return is_set;
}

static void check_keys(lua_State *lua, int table)
{
    static const char *const options[] = {"blend", "speed", "hold"};
    for (lua_pushnil(lua); lua_next(lua, table); lua_pop(lua, 1)) {
        const char *key = lua_type(lua, -2) == LUA_TSTRING ? lua_tostring(lua, -2) : "";
        uint32_t i = 0;
        while (i < CN_COUNT_OF(options) && strcmp(options[i], key) != 0)
            i++;
        if (i == CN_COUNT_OF(options))
            luaL_error(lua, "%s: there is no option '%s'; there are blend, speed and hold",
                       cni_script_running_name(lua), key);
    }
}

static bool read_options(lua_State *lua, int table, CnAnimationPlay *play)
{
    if (lua_isnoneornil(lua, table))
        return false;
    luaL_checktype(lua, table, LUA_TTABLE);
    check_keys(lua, table);
    play->blend = (float)number_option(lua, table, "blend", 0, 0, (double)CN_ANIMATION_MAX_BLEND);
    play->speed = (float)number_option(lua, table, "speed", 1, -MAX_SPEED, MAX_SPEED);
    if (play->speed == 0)
        luaL_error(lua, "%s: 'speed' must not be 0", cni_script_running_name(lua));
    return flag_option(lua, table, "hold");
}

/* ---- Functions ---- */

static int play_clip(lua_State *lua, bool is_once)
{
    const CniScriptBindings *bound = cni_script_bindings(lua);
    cni_script_check_may_change(lua, bound);
    CnEntity object = cni_script_check_alive(lua, 1);
    const CnAnimationClips *clips = clips_of(lua, bound, object);
    CnAnimationPlay play = {.clip = check_clip(lua, 2, clips)};
    play.length = clips->items[play.clip].seconds;
    lua_settop(lua, 3);
    bool holds = read_options(lua, 3, &play);
    if (is_once)
        play.mode = holds ? CN_ANIMATION_ONCE : CN_ANIMATION_RETURN;
    if (!cn_animator_play(bound->world, object, &play))
        return cni_script_throw_out_of_memory(lua);
    cni_script_settle(lua, bound);
    return 0;
}

static int play(lua_State *lua)
{
    return play_clip(lua, false);
}

static int play_once(lua_State *lua)
{
    return play_clip(lua, true);
}

static int get_clips(lua_State *lua)
{
    const CniScriptBindings *bound = cni_script_bindings(lua);
    const CnAnimationClips *clips = clips_of(lua, bound, cni_script_check_alive(lua, 1));
    lua_createtable(lua, (int)clips->count, 0);
    for (uint32_t i = 0; i < clips->count; i++) {
        lua_createtable(lua, 0, 2);
        lua_pushstring(lua, clips->items[i].name);
        lua_setfield(lua, -2, "name");
        lua_pushnumber(lua, (lua_Number)clips->items[i].seconds);
        lua_setfield(lua, -2, "seconds");
        lua_rawseti(lua, -2, (int)i + 1);
    }
    return 1;
}

static const CniScriptBinding rows[] = {
    {"play", CNI_SCRIPT_FUNCTION, play, NULL,
     "(object: Object, clip: string|number, options?: AnimationOptions)",
     "Plays a clip of the object's mesh in a loop. Clips have names, and numbers from 0."},
    {"playOnce", CNI_SCRIPT_FUNCTION, play_once, NULL,
     "(object: Object, clip: string|number, options?: AnimationOptions)",
     "Plays a clip once and continues with the one that plays now. At its end, on_animationend is "
     "called on the object."},
    {"clips", CNI_SCRIPT_FUNCTION, get_clips, NULL, "(object: Object): Clip[]",
     "Returns the clips of the object's mesh."},
    {.name = NULL}};
const CniScriptBindingTable cni_script_bind_animation = {
    "animation", "Animation clips of meshes, played as part of the simulation.", rows};

/* For annotations. */
static const CniScriptBinding option_rows[] = {
    {"blend", CNI_SCRIPT_PROPERTY, NULL, NULL, "number?",
     "Seconds of the transition from the current pose; 0 if not given. playOnce takes as long to "
     "return."},
    {"speed", CNI_SCRIPT_PROPERTY, NULL, NULL, "number?", "1 if not given; negative: backwards."},
    {"hold", CNI_SCRIPT_PROPERTY, NULL, NULL, "boolean?",
     "Of playOnce: keeps the last pose instead of returning."},
    {.name = NULL}};
const CniScriptBindingTable cni_script_bind_animation_options = {
    "AnimationOptions", "Options of animation.play and animation.playOnce.", option_rows};

static const CniScriptBinding clip_rows[] = {
    {"name", CNI_SCRIPT_PROPERTY, NULL, NULL, "string", "The name in the file."},
    {"seconds", CNI_SCRIPT_PROPERTY, NULL, NULL, "number", "The length at speed 1."},
    {.name = NULL}};
const CniScriptBindingTable cni_script_bind_clip = {"Clip", "An animation clip.", clip_rows};
