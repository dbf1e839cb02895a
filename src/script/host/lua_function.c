/* Functions of a game as Lua sees them: checking arguments, passing values, throwing errors. */
#include "script/host/lua_sandbox.h"

#include "script/bind/bind.h"

#include <cairn/base/log.h>

#define MAX_VARIADIC 64
#define CALL_COST 32u
#define MAX_LINES 100u /* of print, per tick */

CnLuaSandbox *cni_lua_sandbox_of(lua_State *lua)
{
    return (CnLuaSandbox *)(void *)cni_script_context_of(lua);
}

/* ---- Types: "(name: string, count?: integer): boolean" ---- */

static CniLuaParameter parse_type(CnText type)
{
    static const struct {
        const char *name;
        CnLuaKind kind;
        bool is_whole;
    } known[] = {{"any", CN_LUA_NIL, false},          {"boolean", CN_LUA_BOOLEAN, false},
                 {"number", CN_LUA_NUMBER, false},    {"integer", CN_LUA_NUMBER, true},
                 {"string", CN_LUA_TEXT, false},      {"table", CN_LUA_TABLE, false},
                 {"function", CN_LUA_FUNCTION, false}};
    CniLuaParameter parameter = {.kind = CN_LUA_TABLE};
    for (uint32_t i = 0; i < CN_COUNT_OF(known); i++)
        if (cn_text_equal(type, cn_text(known[i].name)))
            return (CniLuaParameter){.kind = known[i].kind, .is_whole = known[i].is_whole};
    if (cn_text_starts_with(type, cn_text("fun(")))
        parameter.kind = CN_LUA_FUNCTION;
    else if (memchr(type.data, '|', type.size))
        parameter.kind = CN_LUA_NIL;
    return parameter;
}

/* Returns the end of the part that begins here: a comma or bracket outside of brackets. */
static const char *end_of_parameter(const char *at)
{
    int depth = 0;
    for (; *at && (depth || (*at != ',' && *at != ')')); at++)
        depth += strchr("([{<", *at) ? 1 : strchr(")]}>", *at) ? -1 : 0;
    return at;
}

/* Throws if the type of a row is malformed, which makes creating the sandbox fail. */
static void parse_parameters(lua_State *lua, CniLuaBound *bound)
{
    const char *name = bound->row->name, *at = bound->row->type;
    if (!bound->row->call || !at || *at++ != '(')
        luaL_error(lua, "the function %s has no type that begins with '('", name);
    while (*at && *at != ')') {
        const char *end = end_of_parameter(at), *colon = memchr(at, ':', (size_t)(end - at));
        if (!colon || colon == at)
            luaL_error(lua, "a parameter of the function %s has no type", name);
        if (bound->count == CN_LUA_MAX_PARAMETERS)
            luaL_error(lua, "the function %s has more than %d parameters", name,
                       (int)CN_LUA_MAX_PARAMETERS);
        bound->is_variadic |= *at == '.';
        bool is_optional = colon[-1] == '?' || *at == '.';
        CniLuaParameter *parameter = &bound->parameters[bound->count++];
        *parameter = parse_type(cn_text_trim((CnText){colon + 1, (size_t)(end - colon - 1)}));
        parameter->is_optional = is_optional;
        for (at = end; *at == ',' || *at == ' ';)
            at++;
    }
    if (*at != ')')
        luaL_error(lua, "the parameters of the function %s do not end with ')'", name);
}

/* ---- Arguments ---- */

static CnLuaKind kind_at(lua_State *lua, int index)
{
    switch (lua_type(lua, index)) {
    case LUA_TBOOLEAN:
        return CN_LUA_BOOLEAN;
    case LUA_TNUMBER:
        return CN_LUA_NUMBER;
    case LUA_TSTRING:
        return CN_LUA_TEXT;
    case LUA_TTABLE:
        return CN_LUA_TABLE;
    case LUA_TFUNCTION:
        return CN_LUA_FUNCTION;
    default:
        return CN_LUA_NIL;
    }
}

#define MAX_WHOLE 9007199254740992.0 /* 2^53 */

static void check_argument(lua_State *lua, const CniLuaParameter *parameter, int index)
{
    static const int types[] = {[CN_LUA_BOOLEAN] = LUA_TBOOLEAN,
                                [CN_LUA_NUMBER] = LUA_TNUMBER,
                                [CN_LUA_TEXT] = LUA_TSTRING,
                                [CN_LUA_TABLE] = LUA_TTABLE,
                                [CN_LUA_FUNCTION] = LUA_TFUNCTION};
    if (parameter->is_optional && lua_isnoneornil(lua, index))
        return;
    if (parameter->kind != CN_LUA_NIL)
        luaL_checktype(lua, index, types[parameter->kind]);
    if (lua_type(lua, index) != LUA_TNUMBER)
        return;
    double number = lua_tonumber(lua, index);
    if (!(number - number == 0))
        luaL_argerror(lua, index, "the number is not finite");
    if (parameter->is_whole &&
        !(number > -MAX_WHOLE && number < MAX_WHOLE && (double)(int64_t)number == number))
        luaL_argerror(lua, index, "a whole number is expected");
}

/* Texts of tables are in a buffer that may still move, so only their offsets are known. */
static CnLuaValue take(lua_State *lua, CnLuaSandbox *sandbox, int index)
{
    CnLuaValue value = {.kind = kind_at(lua, index)};
    uint32_t begin = sandbox->passed.count;
    switch (value.kind) {
    case CN_LUA_BOOLEAN:
        value.boolean = lua_toboolean(lua, index);
        break;
    case CN_LUA_NUMBER:
        value.number = lua_tonumber(lua, index);
        break;
    case CN_LUA_TEXT:
        value.text.data = lua_tolstring(lua, index, &value.text.size);
        if (!cn_text_is_utf8(value.text))
            luaL_argerror(lua, index, "the text is not UTF-8");
        cni_script_budget_charge(lua, value.text.size / 16);
        break;
    case CN_LUA_FUNCTION:
        value.function = cni_lua_take_handler(lua, sandbox, index);
        break;
    case CN_LUA_TABLE:
        cni_lua_write_json(lua, sandbox, &sandbox->passed, index);
        value.text = (CnText){NULL, sandbox->passed.count - begin};
        value.number = begin;
        break;
    case CN_LUA_NIL:
        if (!lua_isnoneornil(lua, index))
            luaL_argerror(lua, index, "a value of this type cannot be passed to the game");
    }
    return value;
}

static void take_all(lua_State *lua, CnLuaSandbox *sandbox, CnLuaValue *arguments, uint32_t count)
{
    sandbox->passed.count = 0;
    for (uint32_t i = 0; i < count; i++)
        arguments[i] = take(lua, sandbox, (int)i + 1);
    for (uint32_t i = 0; i < count; i++)
        if (arguments[i].kind == CN_LUA_TABLE) {
            arguments[i].text.data = sandbox->passed.items + (size_t)arguments[i].number;
            arguments[i].number = 0;
        }
}

/* ---- Calls ---- */

static void push_result(lua_State *lua, CnLuaSandbox *sandbox, const CnLuaValue *value)
{
    CnError error = {0};
    switch (value->kind) {
    case CN_LUA_BOOLEAN:
        lua_pushboolean(lua, value->boolean);
        break;
    case CN_LUA_NUMBER:
        lua_pushnumber(lua, value->number);
        break;
    case CN_LUA_TEXT:
        lua_pushlstring(lua, value->text.data ? value->text.data : "", value->text.size);
        break;
    case CN_LUA_TABLE:
        json_decref(sandbox->json);
        sandbox->json = cni_lua_parse_json(value->text, &error);
        if (!sandbox->json)
            cni_script_throw(lua, &error);
        cni_script_budget_charge(lua, value->text.size / 2);
        cni_lua_push_json(lua, sandbox->json);
        break;
    default:
        lua_pushnil(lua);
    }
}

static int throw_error(lua_State *lua, const CnError *error)
{
    return luaL_error(lua, "%s", error->code ? error->message : "the call failed");
}

static int call_function(lua_State *lua)
{
    const CniLuaBound *bound = lua_touserdata(lua, lua_upvalueindex(1));
    CnLuaSandbox *sandbox = cni_lua_sandbox_of(lua);
    CnLuaValue arguments[MAX_VARIADIC];
    int given = lua_gettop(lua);
    uint32_t count = bound->is_variadic ? (uint32_t)given : bound->count;
    cni_script_budget_charge(lua, CALL_COST);
    if (given > MAX_VARIADIC || (!bound->is_variadic && given > (int)bound->count))
        return luaL_error(lua, "%s takes at most %d arguments", bound->row->name,
                          bound->is_variadic ? MAX_VARIADIC : (int)bound->count);
    lua_settop(lua, (int)count);
    for (uint32_t i = 0; i < bound->count && !bound->is_variadic; i++)
        check_argument(lua, &bound->parameters[i], (int)i + 1);
    if (sandbox->calling)
        return luaL_error(lua, "%s is called by a function of the game", bound->row->name);
    take_all(lua, sandbox, arguments, count);
    CnError error = {0};
    sandbox->returned.count = 0;
    CnLuaCall call = {.sandbox = sandbox,
                      .user = sandbox->desc.user,
                      .arguments = arguments,
                      .argument_count = count,
                      .text = &sandbox->returned,
                      .error = &error};
    sandbox->position = lua;
    sandbox->calling = true;
    bool good = bound->row->call(&call);
    sandbox->calling = false;
    if (!good)
        return throw_error(lua, &error);
    cni_script_budget_charge(lua, 0); /* what the function charged may exceed the budget */
    luaL_checkstack(lua, CN_LUA_MAX_RESULTS, NULL);
    for (uint32_t i = 0; i < call.result_count; i++)
        push_result(lua, sandbox, &call.results[i]);
    return (int)call.result_count;
}

void cn_lua_call_position(const CnLuaCall *call, char file[CN_LUA_PATH_BYTES], int *line)
{
    lua_Debug info;
    lua_State *lua = call->sandbox->position;
    file[0] = 0;
    *line = 0;
    /* Functions of the library, such as pcall, may lie between. */
    for (int level = 1; lua_getstack(lua, level, &info); level++) {
        if (!lua_getinfo(lua, "Sl", &info) || info.currentline < 1)
            continue;
        cn_copy_text(file, CN_LUA_PATH_BYTES,
                     cn_text(info.source[0] == '@' ? info.source + 1 : info.short_src));
        *line = info.currentline;
        return;
    }
}

void cn_lua_charge(CnLuaCall *call, uint64_t instructions)
{
    call->sandbox->state.call_used += instructions;
}

/* ---- print ---- */

static int print_line(lua_State *lua)
{
    CnLuaSandbox *sandbox = cni_lua_sandbox_of(lua);
    char line[1000], escaped[2000];
    size_t used = 0;
    int count = lua_gettop(lua);
    for (int i = 1; i <= count; i++) {
        size_t size;
        const char *text = cni_script_push_text(lua, i, &size);
        if (i > 1 && used < sizeof line)
            line[used++] = ' ';
        size_t room = sizeof line - used;
        memcpy(line + used, text, size < room ? size : room);
        used += size < room ? size : room;
        lua_pop(lua, 1);
    }
    cni_script_budget_charge(lua, 200 + used);
    if (sandbox->silent || ++sandbox->lines > MAX_LINES)
        return 0;
    luaL_where(lua, 1);
    CN_LOG_INFO("script", "%s%s", lua_tostring(lua, -1),
                cn_text_escape((CnText){line, used}, escaped, sizeof escaped));
    if (sandbox->lines == MAX_LINES)
        CN_LOG_WARNING("script", "%s: more than %u lines in a tick; the rest is dropped",
                       sandbox->name, MAX_LINES);
    return 0;
}

/* ---- Binding ---- */

void cni_lua_bind_table(lua_State *lua, CnLuaSandbox *sandbox, const CnLuaTable *table)
{
    (void)sandbox;
    if (table->name) {
        lua_getfield(lua, -1, table->name);
        if (lua_isnil(lua, -1)) {
            lua_pop(lua, 1);
            lua_newtable(lua);
        }
    } else {
        lua_pushvalue(lua, -1);
        lua_pushcfunction(lua, print_line);
        lua_setfield(lua, -2, "print");
    }
    for (const CnLuaFunction *row = table->functions; row && row->name; row++) {
        CniLuaBound *bound = lua_newuserdata(lua, sizeof *bound);
        *bound = (CniLuaBound){.row = row};
        parse_parameters(lua, bound);
        lua_pushcclosure(lua, call_function, 1);
        lua_setfield(lua, -2, row->name);
    }
    if (table->name)
        lua_setfield(lua, -2, table->name);
    else
        lua_pop(lua, 1);
}
