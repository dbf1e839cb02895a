/* audio: playing sounds, as part of a tick. */
#include "script/bind/bind.h"
#include "script/runtime/runtime.h"

#include <cairn/base/log.h>
#include <string.h>

#define PLAY_COST 10000u /* instructions: reading headers, whether they are known or not */

/* ---- Limits ---- */

static CniScriptPlayCount *count_of(CniScriptRuntime *runtime)
{
    CniScriptInstance *instance = cni_script_instance_find(runtime, runtime->shared.current);
    return instance ? &instance->plays : &runtime->sounds.console;
}

static uint64_t team_of(lua_State *lua)
{
    const CniScriptLuaState *state = cni_script_lua_of(lua);
    return cni_script_team_of(state->owner, state->sandboxed);
}

/* Returns false, logs once per tick and counts when the sound is one too many. */
static bool take_room(lua_State *lua, CniScriptRuntime *runtime, uint64_t tick)
{
    CniScriptSounds *sounds = &runtime->sounds;
    CniScriptPlayCount *plays = count_of(runtime);
    if (plays->tick != tick)
        *plays = (CniScriptPlayCount){tick, 0};
    const CniScriptTeam *team = cni_script_sounds_team(sounds, team_of(lua));
    if (!team)
        cni_script_throw_out_of_memory(lua);
    uint32_t limit =
        cni_script_is_sandboxed(lua) ? CNI_SCRIPT_MAX_OWNED_SOUNDS : CNI_SCRIPT_MAX_TRUSTED_SOUNDS;
    bool is_full = team->playing >= limit || sounds->playing.count == CNI_SCRIPT_MAX_SOUNDS;
    if (!is_full && plays->count < CNI_SCRIPT_MAX_PLAYS) {
        plays->count++;
        return true;
    }
    sounds->refused++;
    if (sounds->log_tick == tick + 1)
        return false;
    sounds->log_tick = tick + 1;
    luaL_where(lua, 1);
    CN_LOG_ERROR("script", "%s a sound is not played: more than %u %s", lua_tostring(lua, -1),
                 is_full ? limit : CNI_SCRIPT_MAX_PLAYS,
                 is_full ? "of one owner play" : "in a tick by one script");
    lua_pop(lua, 1);
    return false;
}

/* ---- Arguments ---- */

static float check_range(lua_State *lua, double value, double low, double high, const char *what)
{
    if (!(value >= low && value <= high)) {
        lua_pushfstring(lua, "%s must be between %f and %f", what, low, high);
        luaL_error(lua, "%s", lua_tostring(lua, -1));
    }
    return (float)value;
}

static float check_gain(lua_State *lua, double gain)
{
    return check_range(lua, gain, 0, CNI_SCRIPT_MAX_GAIN, "gain");
}

static float check_pitch(lua_State *lua, double pitch)
{
    return check_range(lua, pitch, CNI_SCRIPT_MIN_PITCH, CNI_SCRIPT_MAX_PITCH, "pitch");
}

static const char *const options[] = {"position", "object", "gain", "pitch", "bus", "loop"};

static void check_keys(lua_State *lua, int table)
{
    for (lua_pushnil(lua); lua_next(lua, table); lua_pop(lua, 1)) {
        const char *key = lua_type(lua, -2) == LUA_TSTRING ? lua_tostring(lua, -2) : "";
        uint32_t i = 0;
        while (i < CN_COUNT_OF(options) && strcmp(options[i], key) != 0)
            i++;
        if (i == CN_COUNT_OF(options))
            luaL_error(lua,
                       "play: there is no option '%s'; there are position, object, gain, "
                       "pitch, bus and loop",
                       key);
    }
}

/* Pushes an option and returns whether it is given with this type. */
static bool get_option(lua_State *lua, int table, const char *key, int type)
{
    lua_pushstring(lua, key);
    lua_rawget(lua, table);
    if (lua_isnil(lua, -1))
        return false;
    if (lua_type(lua, -1) != type)
        luaL_error(lua, "play: '%s' must be a %s, not %s", key, lua_typename(lua, type),
                   cni_script_type_name(lua, -1));
    return true;
}

static void read_bus(lua_State *lua, int table, CniScriptSound *sound)
{
    static const char *const buses[] = {[CN_AUDIO_BUS_EFFECTS] = "effects",
                                        [CN_AUDIO_BUS_MUSIC] = "music",
                                        [CN_AUDIO_BUS_AMBIENCE] = "ambience",
                                        [CN_AUDIO_BUS_INTERFACE] = "interface"};
    if (!get_option(lua, table, "bus", LUA_TSTRING))
        return;
    for (uint8_t i = 0; i < CN_COUNT_OF(buses); i++)
        if (!strcmp(buses[i], lua_tostring(lua, -1))) {
            sound->bus = i;
            return;
        }
    luaL_error(lua, "play: 'bus' must be effects, music, ambience or interface");
}

static void read_place(lua_State *lua, const CniScriptBindings *bound, int table,
                       CniScriptSound *sound)
{
    if (get_option(lua, table, "position", LUA_TUSERDATA)) {
        const float *floats = cni_script_to_class(lua, bound, -1, CNI_SCRIPT_CLASS_VEC3);
        if (!floats || !cni_script_all_finite(floats, 3))
            luaL_error(lua, "play: 'position' must be a finite Vec3");
        memcpy(&sound->position, floats, sizeof sound->position);
        sound->is_spatial = true;
    }
    if (get_option(lua, table, "object", LUA_TUSERDATA)) {
        const CniScriptLuaObject *object =
            cni_script_to_class(lua, bound, -1, CNI_SCRIPT_CLASS_OBJECT);
        if (!object || (!cn_is_alive(bound->world, object->entity) &&
                        !cni_script_find_pending(bound, object->entity)))
            luaL_error(lua, "play: 'object' must be an object that exists");
        sound->object = object->entity;
        sound->is_spatial = true;
    }
}

static void read_options(lua_State *lua, const CniScriptBindings *bound, int table,
                         CniScriptSound *sound)
{
    int top = lua_gettop(lua);
    if (lua_isnoneornil(lua, table))
        return;
    luaL_checktype(lua, table, LUA_TTABLE);
    check_keys(lua, table);
    read_place(lua, bound, table, sound);
    read_bus(lua, table, sound);
    if (get_option(lua, table, "gain", LUA_TNUMBER))
        sound->gain = check_gain(lua, lua_tonumber(lua, -1));
    if (get_option(lua, table, "pitch", LUA_TNUMBER))
        sound->pitch = check_pitch(lua, lua_tonumber(lua, -1));
    if (get_option(lua, table, "loop", LUA_TBOOLEAN))
        sound->loop = lua_toboolean(lua, -1) != 0;
    lua_settop(lua, top);
}

/* ---- Functions ---- */

static int play(lua_State *lua)
{
    const CniScriptBindings *bound = cni_script_bindings(lua);
    CniScriptRuntime *runtime = cni_script_runtime(bound->scripts);
    CniScriptSound sound = {
        .owner = bound->scripts->current, .team = team_of(lua), .gain = 1, .pitch = 1};
    size_t size;
    const char *path = luaL_checklstring(lua, 1, &size);
    cni_script_check_may_change(lua, bound);
    if (!size || size >= sizeof sound.path || memchr(path, 0, size))
        return luaL_error(lua, "play: a path has 1 to %d bytes", (int)sizeof sound.path - 1);
    memcpy(sound.path, path, size);
    lua_settop(lua, 2);
    read_options(lua, bound, 2, &sound);
    if (!take_room(lua, runtime, cni_script_tick_now(bound))) {
        lua_pushnumber(lua, 0);
        return 1;
    }
    cni_script_budget_charge(lua, PLAY_COST);
    CnError error = {0};
    if (!cni_script_sounds_length(runtime, sound.path, &sound.left, &error))
        return cni_script_throw(lua, &error);
    const CniScriptSound *playing = cni_script_sounds_play(runtime, &sound);
    if (!playing)
        return cni_script_throw_out_of_memory(lua);
    lua_pushnumber(lua, (lua_Number)playing->number);
    return 1;
}

/* Returns a sound of the running script, or of any of its owner if a console runs; NULL if it does
 * not play. */
static CniScriptSound *check_sound(lua_State *lua, CniScriptRuntime *runtime)
{
    const CniScriptBindings *bound = cni_script_bindings(lua);
    double id = luaL_checknumber(lua, 1);
    cni_script_check_may_change(lua, bound);
    if (!(id >= 0 && id <= UINT32_MAX))
        luaL_argerror(lua, 1, "not a number that audio.play returned");
    const CniScriptTeam *team = cni_script_sounds_team(&runtime->sounds, team_of(lua));
    cni_script_budget_charge(lua, 100 + (team ? team->playing : 0));
    CniScriptSound *sound = cni_script_sounds_find(&runtime->sounds, team_of(lua), (uint32_t)id);
    CnEntity current = bound->scripts->current;
    return sound && (!current.id || current.id == sound->owner.id) ? sound : NULL;
}

static int stop(lua_State *lua)
{
    CniScriptRuntime *runtime = cni_script_runtime(cni_script_bindings(lua)->scripts);
    CniScriptSound *sound = check_sound(lua, runtime);
    double fade = luaL_optnumber(lua, 2, 0);
    check_range(lua, fade, 0, CNI_SCRIPT_MAX_FADE, "fade");
    if (sound)
        cni_script_sounds_stop(&runtime->sounds, sound, fade);
    return 0;
}

static int set_volume(lua_State *lua)
{
    CniScriptRuntime *runtime = cni_script_runtime(cni_script_bindings(lua)->scripts);
    CniScriptSound *sound = check_sound(lua, runtime);
    float gain = check_gain(lua, luaL_checknumber(lua, 2));
    if (!sound)
        return 0;
    sound->gain = gain;
    sound->is_changed = true;
    return 0;
}

static int set_pitch(lua_State *lua)
{
    CniScriptRuntime *runtime = cni_script_runtime(cni_script_bindings(lua)->scripts);
    CniScriptSound *sound = check_sound(lua, runtime);
    float pitch = check_pitch(lua, luaL_checknumber(lua, 2));
    if (sound)
        cni_script_sounds_set_pitch(runtime, sound, pitch);
    return 0;
}

static const CniScriptBinding rows[] = {
    {"play", CNI_SCRIPT_FUNCTION, play, NULL, "(sound: string, options?: SoundOptions): number",
     "Plays a WAV or Ogg Vorbis file from this tick on and returns a number for the functions "
     "below. At its end, on_soundend of this script is called. Beyond a limit nothing is played, "
     "and the result is 0."},
    {"stop", CNI_SCRIPT_FUNCTION, stop, NULL, "(sound: number, fade?: number)",
     "Stops a sound of this script, within so many seconds. on_soundend is not called. No effect "
     "if it has ended."},
    {"setVolume", CNI_SCRIPT_FUNCTION, set_volume, NULL, "(sound: number, gain: number)",
     "Changes the volume of a sound of this script; 1 is unchanged."},
    {"setPitch", CNI_SCRIPT_FUNCTION, set_pitch, NULL, "(sound: number, pitch: number)",
     "Changes the playback rate of a sound of this script; 1 is unchanged."},
    {.name = NULL}};
const CniScriptBindingTable cni_script_bind_audio = {
    "audio", "Sounds, played as part of the simulation.", rows};

/* For annotations. */
static const CniScriptBinding option_rows[] = {
    {"position", CNI_SCRIPT_PROPERTY, NULL, NULL, "Vec3?", "Where it is heard."},
    {"object", CNI_SCRIPT_PROPERTY, NULL, NULL, "Object?",
     "An object at which it is heard. Without it and without a position, the sound has no "
     "place."},
    {"gain", CNI_SCRIPT_PROPERTY, NULL, NULL, "number?", "Volume; 1 if not given."},
    {"pitch", CNI_SCRIPT_PROPERTY, NULL, NULL, "number?", "Playback rate; 1 if not given."},
    {"bus", CNI_SCRIPT_PROPERTY, NULL, NULL, "\"effects\"|\"music\"|\"ambience\"|\"interface\"|nil",
     "Group with a common volume; effects if not given."},
    {"loop", CNI_SCRIPT_PROPERTY, NULL, NULL, "boolean?",
     "Whether it plays until it is stopped, or until its script or object is gone."},
    {.name = NULL}};
const CniScriptBindingTable cni_script_bind_sound_options = {"SoundOptions",
                                                             "Options of audio.play.", option_rows};
