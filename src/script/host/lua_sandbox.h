/* Internals of sandboxes for games (cairn/script/sandbox.h). */
#ifndef CAIRN_SRC_SCRIPT_HOST_LUA_SANDBOX_H
#define CAIRN_SRC_SCRIPT_HOST_LUA_SANDBOX_H

#include "script/runtime/runtime.h"

#include <cairn/script/sandbox.h>
#include <jansson.h>

/* A parameter of a function of the game, from its type. */
typedef struct CniLuaParameter {
    CnLuaKind kind; /* CN_LUA_NIL: any */
    bool is_whole, is_optional;
} CniLuaParameter;

/* A function of the game, in a userdata that is an upvalue. */
typedef struct CniLuaBound {
    const CnLuaFunction *row;
    uint32_t count;
    bool is_variadic;
    CniLuaParameter parameters[CN_LUA_MAX_PARAMETERS];
} CniLuaBound;

struct CnLuaSandbox {
    CniScriptContext scripts; /* first; without a world */
    CniScriptLuaState state;
    CnLuaSandboxDesc desc;
    char name[CN_LUA_NAME_BYTES], folder[CN_LUA_PATH_BYTES];
    int environment; /* reference: globals of the owner's files */
    int modules;     /* reference: results of require by file */
    CN_ARRAY(int) handlers;
    bool loading;        /* handlers are taken */
    bool calling;        /* a function of the game runs, */
    lua_State *position; /* called by this thread of Lua */
    bool silent;         /* print does not write: the same files are loaded again */
    uint64_t calls, errors;
    uint32_t lines; /* that print wrote in this tick */
    /* Values on their way between Lua and the game. Kept here so that errors of Lua leak nothing.
     */
    CnTextBuilder passed, returned, result;
    json_t *json;
};

/* ---- lua_value.c ---- */

/* Appends the value at `index` as canonical JSON to `text`; throws what has no JSON. */
void cni_lua_write_json(lua_State *lua, CnLuaSandbox *sandbox, CnTextBuilder *text, int index);
/* Parses JSON of the game, before Lua runs or outside of protected code. */
json_t *cni_lua_parse_json(CnText text, CnError *error);
/* Pushes a parsed value. May throw. */
void cni_lua_push_json(lua_State *lua, const json_t *value);
/* Takes the function at `index` and returns its number; throws outside of loading. */
uint32_t cni_lua_take_handler(lua_State *lua, CnLuaSandbox *sandbox, int index);

/* ---- lua_function.c ---- */

/* Adds the functions of a table to the one on top of the stack. May throw. */
void cni_lua_bind_table(lua_State *lua, CnLuaSandbox *sandbox, const CnLuaTable *table);
CnLuaSandbox *cni_lua_sandbox_of(lua_State *lua);

/* ---- lua_require.c ---- */

/* Adds `require` to the table on top of the stack. May throw. */
void cni_lua_bind_require(lua_State *lua);
/* Compiles a text and calls it in the environment of the owner; leaves one result on the stack.
 * May throw. */
void cni_lua_run_text(lua_State *lua, CnLuaSandbox *sandbox, const char *file, CnText text);

#endif
