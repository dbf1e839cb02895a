/* game, window, loadScene and restartScene: the game as a whole. What a tick cannot do itself is
 * requested from the program, which does it between ticks. */
#include "script/bind/bind.h"
#include "script/runtime/runtime.h"

#include <cairn/sim/random.h>
#include <string.h>

static CniScriptGameState *game_of(lua_State *lua)
{
    return &cni_script_runtime(cni_script_bindings(lua)->scripts)->game;
}

void cni_script_check_game(lua_State *lua, const char *what)
{
    const CniScriptBindings *bound = cni_script_bindings(lua);
    const CniScriptInstance *instance =
        cni_script_instance_find(cni_script_runtime(bound->scripts), bound->scripts->current);
    cni_script_check_may_change(lua, bound);
    if (instance && instance->file && instance->file->is_foreign)
        luaL_error(lua, "%s: scripts of mods and other foreign files do not control the game",
                   what);
}

/* Requests something that replaces the state after this tick: the last such request wins. */
static void request_change(lua_State *lua, CniScriptChange change, CnText argument)
{
    CniScriptRequests *requests = &game_of(lua)->requests;
    CN_ASSERT(argument.size < sizeof requests->argument, "the argument is too long");
    requests->change = change;
    memset(requests->argument, 0, sizeof requests->argument);
    memcpy(requests->argument, argument.data, argument.size);
}

/* ---- Scenes ---- */

static int load_scene(lua_State *lua)
{
    CnText path;
    path.data = luaL_checklstring(lua, 1, &path.size);
    cni_script_check_game(lua, "loadScene");
    if (!path.size || path.size >= CN_ASSET_PATH_BYTES || memchr(path.data, 0, path.size))
        return luaL_argerror(lua, 1, "a path has 1 to 127 bytes");
    request_change(lua, CNI_SCRIPT_LOAD_SCENE, path);
    return 0;
}

/* The seed makes the next round differ from this one; it is drawn, so that it is the same in
 * replays. */
static int restart_scene(lua_State *lua)
{
    const CniScriptBindings *bound = cni_script_bindings(lua);
    cni_script_check_game(lua, "restartScene");
    request_change(lua, CNI_SCRIPT_RESTART_SCENE, (CnText){"", 0});
    CnRandom *random = cni_script_random(lua, bound->random);
    game_of(lua)->requests.seed = random ? cn_random_u64(random) : 0;
    return 0;
}

static const CniScriptBinding scene_rows[] = {
    {"loadScene", CNI_SCRIPT_FUNCTION, load_scene, NULL, "(path: string)",
     "Starts the scene of a file after this tick, with the current values of store."},
    {"restartScene", CNI_SCRIPT_FUNCTION, restart_scene, NULL, "()",
     "Starts this scene again after this tick, with other random numbers and the current values "
     "of store."},
    {.name = NULL}};
const CniScriptBindingTable cni_script_bind_scene_changes = {NULL, "Changing scenes", scene_rows};

/* ---- game ---- */

static int quit(lua_State *lua)
{
    cni_script_check_game(lua, "quit");
    game_of(lua)->requests.quit = true;
    return 0;
}

static int get_paused(lua_State *lua)
{
    lua_pushboolean(lua, game_of(lua)->paused);
    return 1;
}

static int set_paused(lua_State *lua)
{
    cni_script_check_game(lua, "paused");
    if (!lua_isboolean(lua, 3))
        return cni_script_throw_bad_value(lua, "boolean");
    game_of(lua)->paused = lua_toboolean(lua, 3) != 0;
    return 0;
}

static int get_time_scale(lua_State *lua)
{
    lua_pushnumber(lua, (lua_Number)game_of(lua)->time_scale);
    return 1;
}

static int set_time_scale(lua_State *lua)
{
    cni_script_check_game(lua, "timeScale");
    if (lua_type(lua, 3) != LUA_TNUMBER)
        return cni_script_throw_bad_value(lua, "number");
    double scale = lua_tonumber(lua, 3);
    if (!(scale >= CNI_SCRIPT_MIN_TIME_SCALE && scale <= CNI_SCRIPT_MAX_TIME_SCALE))
        return luaL_error(lua, "'timeScale' must be between 0.05 and 8; to stop, set 'paused'");
    game_of(lua)->time_scale = (float)scale;
    return 0;
}

static CnText check_save_name(lua_State *lua)
{
    CnText name;
    name.data = luaL_checklstring(lua, 1, &name.size);
    if (!cni_script_save_name_valid(name))
        luaL_argerror(lua, 1, "the name of a saved game has 1 to 23 of a-z, 0-9, _ and -");
    return name;
}

static int save_game(lua_State *lua)
{
    CnText name = check_save_name(lua);
    cni_script_check_game(lua, "save");
    CniScriptRequests *requests = &game_of(lua)->requests;
    requests->save_game = true;
    memset(requests->save, 0, sizeof requests->save);
    memcpy(requests->save, name.data, name.size);
    return 0;
}

static int load_game(lua_State *lua)
{
    CnText name = check_save_name(lua);
    cni_script_check_game(lua, "load");
    request_change(lua, CNI_SCRIPT_LOAD_GAME, name);
    return 0;
}

static int list_saves(lua_State *lua)
{
    const CniScriptGameState *game = game_of(lua);
    cni_script_budget_charge(lua, 20ull * game->save_count);
    lua_createtable(lua, (int)game->save_count, 0);
    for (uint32_t i = 0; i < game->save_count; i++) {
        lua_pushstring(lua, game->saves[i]);
        lua_rawseti(lua, -2, (int)i + 1);
    }
    return 1;
}

static const CniScriptBinding game_rows[] = {
    {"quit", CNI_SCRIPT_FUNCTION, quit, NULL, "()", "Ends the program after this tick."},
    {"paused", CNI_SCRIPT_PROPERTY, get_paused, set_paused, "boolean",
     "Whether the game is paused, from the next tick on: physics, animations, timers, "
     "on_fixedupdate and on_update rest, and on_paused is called instead."},
    {"timeScale", CNI_SCRIPT_PROPERTY, get_time_scale, set_time_scale, "number",
     "Speed of the game, 0.05 to 8: how many ticks there are per second, not how long they are."},
    {"save", CNI_SCRIPT_FUNCTION, save_game, NULL, "(name: string)",
     "Saves the scene after this tick."},
    {"load", CNI_SCRIPT_FUNCTION, load_game, NULL, "(name: string)",
     "Continues a saved game after this tick."},
    {"saves", CNI_SCRIPT_FUNCTION, list_saves, NULL, "(): string[]",
     "The names of saved games, in order."},
    {.name = NULL}};
const CniScriptBindingTable cni_script_bind_game = {
    "game", "The game as a whole. Not for scripts of mods and other foreign files.", game_rows};

/* ---- window ---- */

static int get_width(lua_State *lua)
{
    lua_pushnumber(lua, game_of(lua)->width);
    return 1;
}

static int get_height(lua_State *lua)
{
    lua_pushnumber(lua, game_of(lua)->height);
    return 1;
}

static const CniScriptBinding window_rows[] = {
    {"width", CNI_SCRIPT_PROPERTY, get_width, NULL, "number", "In pixels, like input.mouse()."},
    {"height", CNI_SCRIPT_PROPERTY, get_height, NULL, "number", "In pixels."},
    {.name = NULL}};
const CniScriptBindingTable cni_script_bind_window = {
    "window", "The window, as of this tick; 1280 x 720 without one.", window_rows};
