/* Basic bindings: log, time, random numbers, mathematics. */
#include "script/bind/bind.h"

#include <cairn/base/log.h>
#include <cairn/base/math.h>
#include <cairn/sim/loop.h>
#include <cairn/sim/random.h>
#include <string.h>

/* ---- Log ---- */

#define MAX_LOG_LINES 200u /* of one state in one tick */
#define MAX_LOG_BYTES 2000u

static bool may_log(CniScriptBindings *bound)
{
    uint64_t now = cni_script_tick_now(bound);
    if (bound->log_tick != now) {
        bound->log_tick = now;
        bound->log_lines = 0;
    }
    bound->log_lines++;
    if (bound->log_lines == MAX_LOG_LINES)
        CN_LOG_WARNING("script", "more than %u log lines in one tick; the rest is dropped",
                       MAX_LOG_LINES);
    return bound->log_lines < MAX_LOG_LINES;
}

static int write_log(lua_State *lua, CnLogLevel level, int first)
{
    CniScriptBindings *bound = cni_script_bindings(lua);
    int top = lua_gettop(lua);
    char line[MAX_LOG_BYTES];
    size_t used = 0;
    for (int i = first; i <= top; i++) {
        size_t size;
        const char *text = cni_script_push_text(lua, i, &size);
        if (i > first && used + 1 < sizeof line)
            line[used++] = '\t';
        size_t room = sizeof line - 1 - used;
        memcpy(line + used, text, size < room ? size : room);
        used += size < room ? size : room;
        lua_pop(lua, 1);
    }
    cni_script_budget_charge(lua, 200 + used);
    if (!may_log(bound))
        return 0;
    for (size_t i = 0; i < used; i++)
        if ((unsigned char)line[i] < 32 && line[i] != '\t' && line[i] != '\n')
            line[i] = '?'; /* no control codes in a terminal */
    line[used] = 0;
    luaL_where(lua, 1);
    CN_LOG(level, "script", "%s%s", lua_tostring(lua, -1), line);
    return 0;
}

static int log_info(lua_State *lua)
{
    return write_log(lua, CN_LOG_LEVEL_INFO, 1);
}

static int log_call(lua_State *lua)
{
    return write_log(lua, CN_LOG_LEVEL_INFO, 2);
}

static int log_debug(lua_State *lua)
{
    return write_log(lua, CN_LOG_LEVEL_DEBUG, 1);
}

static int log_warning(lua_State *lua)
{
    return write_log(lua, CN_LOG_LEVEL_WARNING, 1);
}

static int log_error(lua_State *lua)
{
    return write_log(lua, CN_LOG_LEVEL_ERROR, 1);
}

static const CniScriptBinding log_rows[] = {
    {"debug", CNI_SCRIPT_FUNCTION, log_debug, NULL, "(...: any)",
     "Logs a line for the author of the script."},
    {"info", CNI_SCRIPT_FUNCTION, log_info, NULL, "(...: any)", "Same as log(...) and print(...)."},
    {"warning", CNI_SCRIPT_FUNCTION, log_warning, NULL, "(...: any)", "Logs a warning."},
    {"error", CNI_SCRIPT_FUNCTION, log_error, NULL, "(...: any)",
     "Logs an error; the script continues."},
    {"__call", CNI_SCRIPT_OPERATOR, log_call, NULL, "(...: any)", "Logs a line at level info."},
    {.name = NULL}};
const CniScriptBindingTable cni_script_bind_log = {
    "log", "Writes lines to the game's log, with script and line.", log_rows};

/* ---- Time ---- */

static int get_tick(lua_State *lua)
{
    lua_pushnumber(lua, (lua_Number)cni_script_tick_now(cni_script_bindings(lua)));
    return 1;
}

static int get_elapsed(lua_State *lua)
{
    const CnTickInfo *info = cn_resource(cni_script_bindings(lua)->world, CnTickInfo);
    lua_pushnumber(lua, info ? info->elapsed : 0);
    return 1;
}

static int get_dt(lua_State *lua)
{
    lua_pushnumber(lua, (lua_Number)cni_script_bindings(lua)->scripts->dt);
    return 1;
}

static const CniScriptBinding time_rows[] = {
    {"tick", CNI_SCRIPT_PROPERTY, get_tick, NULL, "number", "The number of this tick, from 0."},
    {"elapsed", CNI_SCRIPT_PROPERTY, get_elapsed, NULL, "number",
     "Total length of all ticks before this one, in seconds."},
    {"dt", CNI_SCRIPT_PROPERTY, get_dt, NULL, "number", "Length of a tick in seconds."},
    {.name = NULL}};
const CniScriptBindingTable cni_script_bind_time = {"time", "Simulation time.", time_rows};

/* ---- Random numbers ---- */

#define MAX_WHOLE 9007199254740992.0 /* 2^53 */

static int64_t check_whole(lua_State *lua, int index)
{
    double number = luaL_checknumber(lua, index);
    if (!(number >= -MAX_WHOLE && number <= MAX_WHOLE) || cn_floor(number) != number)
        luaL_argerror(lua, index, "integer expected");
    return (int64_t)number;
}

static int random_number(lua_State *lua)
{
    const CniScriptBindings *bound = cni_script_bindings(lua);
    cni_script_check_may_change(lua, bound);
    CnRandom *random = cni_script_random(lua, bound->random);
    if (!random)
        return luaL_error(lua, "this world has no random numbers");
    if (lua_isnoneornil(lua, 1)) {
        lua_pushnumber(lua, cn_random_f64(random));
        return 1;
    }
    int64_t low = lua_isnoneornil(lua, 2) ? 1 : check_whole(lua, 1);
    int64_t high = check_whole(lua, lua_isnoneornil(lua, 2) ? 1 : 2);
    if (low > high)
        return luaL_error(lua, "there is no number between %f and %f", (double)low, (double)high);
    lua_pushnumber(lua, (lua_Number)cn_random_range(random, low, high));
    return 1;
}

static int random_seed(lua_State *lua)
{
    return luaL_error(lua, "the seed of random numbers belongs to the simulation");
}

/* ---- Mathematics ---- */

#define MATH_FUNCTION(name)                                                                        \
    static int math_##name(lua_State *lua)                                                         \
    {                                                                                              \
        lua_pushnumber(lua, cn_##name(luaL_checknumber(lua, 1)));                                  \
        return 1;                                                                                  \
    }
MATH_FUNCTION(sin)
MATH_FUNCTION(cos)
MATH_FUNCTION(tan)
MATH_FUNCTION(asin)
MATH_FUNCTION(acos)
MATH_FUNCTION(atan)
MATH_FUNCTION(exp)
MATH_FUNCTION(sqrt)
#undef MATH_FUNCTION

static int math_atan2(lua_State *lua)
{
    lua_pushnumber(lua, cn_atan2(luaL_checknumber(lua, 1), luaL_checknumber(lua, 2)));
    return 1;
}

static int math_pow(lua_State *lua)
{
    lua_pushnumber(lua, cn_pow(luaL_checknumber(lua, 1), luaL_checknumber(lua, 2)));
    return 1;
}

static int math_fmod(lua_State *lua)
{
    lua_pushnumber(lua, cn_fmod(luaL_checknumber(lua, 1), luaL_checknumber(lua, 2)));
    return 1;
}

static int math_log(lua_State *lua)
{
    double x = luaL_checknumber(lua, 1);
    if (lua_isnoneornil(lua, 2))
        lua_pushnumber(lua, cn_log(x));
    else
        lua_pushnumber(lua, cn_log2(x) / cn_log2(luaL_checknumber(lua, 2)));
    return 1;
}

static int math_log10(lua_State *lua)
{
    lua_pushnumber(lua, cn_log2(luaL_checknumber(lua, 1)) / cn_log2(10));
    return 1;
}

static int math_sinh(lua_State *lua)
{
    double x = luaL_checknumber(lua, 1);
    lua_pushnumber(lua, (cn_exp(x) - cn_exp(-x)) / 2);
    return 1;
}

static int math_cosh(lua_State *lua)
{
    double x = luaL_checknumber(lua, 1);
    lua_pushnumber(lua, (cn_exp(x) + cn_exp(-x)) / 2);
    return 1;
}

static int math_tanh(lua_State *lua)
{
    double x = luaL_checknumber(lua, 1), e = cn_exp(-2 * cn_fabs(x));
    double size = (1 - e) / (1 + e);
    lua_pushnumber(lua, x < 0 ? -size : size);
    return 1;
}

static const CniScriptBinding math_rows[] = {
    {"sin", CNI_SCRIPT_FUNCTION, math_sin, NULL, "(x: number): number", "Of radians."},
    {"cos", CNI_SCRIPT_FUNCTION, math_cos, NULL, "(x: number): number", "Of radians."},
    {"tan", CNI_SCRIPT_FUNCTION, math_tan, NULL, "(x: number): number", "Of radians."},
    {"asin", CNI_SCRIPT_FUNCTION, math_asin, NULL, "(x: number): number", "In radians."},
    {"acos", CNI_SCRIPT_FUNCTION, math_acos, NULL, "(x: number): number", "In radians."},
    {"atan", CNI_SCRIPT_FUNCTION, math_atan, NULL, "(x: number): number", "In radians."},
    {"atan2", CNI_SCRIPT_FUNCTION, math_atan2, NULL, "(y: number, x: number): number",
     "The direction of the point (x, y), in radians."},
    {"sinh", CNI_SCRIPT_FUNCTION, math_sinh, NULL, "(x: number): number", "Hyperbolic sine."},
    {"cosh", CNI_SCRIPT_FUNCTION, math_cosh, NULL, "(x: number): number", "Hyperbolic cosine."},
    {"tanh", CNI_SCRIPT_FUNCTION, math_tanh, NULL, "(x: number): number", "Hyperbolic tangent."},
    {"exp", CNI_SCRIPT_FUNCTION, math_exp, NULL, "(x: number): number", "e to the power of x."},
    {"log", CNI_SCRIPT_FUNCTION, math_log, NULL, "(x: number, base?: number): number",
     "The natural logarithm, or the logarithm to a base."},
    {"log10", CNI_SCRIPT_FUNCTION, math_log10, NULL, "(x: number): number",
     "The logarithm to the base 10."},
    {"pow", CNI_SCRIPT_FUNCTION, math_pow, NULL, "(x: number, y: number): number",
     "x to the power of y, with identical bits on every machine, unlike the operator ^."},
    {"sqrt", CNI_SCRIPT_FUNCTION, math_sqrt, NULL, "(x: number): number", "The square root."},
    {"fmod", CNI_SCRIPT_FUNCTION, math_fmod, NULL, "(x: number, y: number): number",
     "The remainder of x / y, with the sign of x."},
    {"random", CNI_SCRIPT_FUNCTION, random_number, NULL, "(low?: number, high?: number): number",
     "Same as random(...)."},
    {"randomseed", CNI_SCRIPT_FUNCTION, random_seed, NULL, "(seed: number)",
     "An error: the seed belongs to the simulation."},
    {.name = NULL}};
const CniScriptBindingTable cni_script_bind_math = {
    "math", "Lua's math functions, with identical results on every machine; the rest is standard.",
    math_rows};

static const CniScriptBinding rows[] = {
    {"print", CNI_SCRIPT_FUNCTION, log_info, NULL, "(...: any)", "Writes a line to the log."},
    {"pairs", CNI_SCRIPT_FUNCTION, cni_script_pairs, NULL, "(table: table): function",
     "Iterates over a table in order: numbers, then strings by bytes, then booleans, then "
     "objects. Other keys "
     "have no order and are an error."},
    {"next", CNI_SCRIPT_FUNCTION, cni_script_next, NULL, "(table: table, key?: any): any, any",
     "The first key, or the one after `key`, in the order of pairs. Slow; use pairs to iterate."},
    {"random", CNI_SCRIPT_FUNCTION, random_number, NULL, "(low?: number, high?: number): number",
     "A number from 0 to less than 1; an integer from 1 to low; or an integer from low to high. "
     "Saved with the world."},
    {.name = NULL}};
const CniScriptBindingTable cni_script_bind_base = {NULL, "Basics", rows};
