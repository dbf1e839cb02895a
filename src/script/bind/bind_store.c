/* store: values that all objects with the same script share and that are saved with the world. */
#include "script/bind/bind.h"
#include "script/runtime/runtime.h"
#include "script/runtime/script_value.h"

/* The values belong to the file of the running script, or to the console. */
static CnText owner_of(const CniScriptRuntime *runtime)
{
    const CniScriptInstance *instance = cni_script_instance_find(runtime, runtime->shared.current);
    return cn_text(instance && instance->file ? instance->file->path : "console");
}

static CnText check_key(lua_State *lua)
{
    size_t size;
    const char *key = luaL_checklstring(lua, 1, &size);
    if (!size || size > CNI_SCRIPT_STORED_KEY_BYTES)
        luaL_error(lua, "a key has 1 to %d bytes", (int)CNI_SCRIPT_STORED_KEY_BYTES);
    return (CnText){key, size};
}

/* Comparing keys and moving entries. */
static void charge(lua_State *lua, const CniScriptRuntime *runtime, size_t size)
{
    cni_script_budget_charge(lua, 100 + size + runtime->stored.items.count / 4);
}

static void check_value(lua_State *lua, int index)
{
    switch (lua_type(lua, index)) {
    case LUA_TNIL:
    case LUA_TBOOLEAN:
    case LUA_TNUMBER:
    case LUA_TSTRING:
    case LUA_TTABLE:
        return;
    case LUA_TUSERDATA: {
        CniScriptClass kind = cni_script_class_of(lua, cni_script_bindings(lua), index);
        if (kind <= CNI_SCRIPT_CLASS_QUAT)
            return;
        break;
    }
    default:
        break;
    }
    luaL_error(lua, "a %s cannot be stored", cni_script_type_name(lua, index));
}

static int set_value(lua_State *lua)
{
    const CniScriptBindings *bound = cni_script_bindings(lua);
    CniScriptRuntime *runtime = cni_script_runtime(bound->scripts);
    CniScriptStoredValues *values = &runtime->stored;
    CnText key = check_key(lua);
    luaL_checkany(lua, 2);
    cni_script_check_may_change(lua, bound);
    check_value(lua, 2);
    cn_array_clear(&values->scratch);
    bool removes = lua_isnil(lua, 2);
    if (!removes) {
        CniScriptValueWriter writer = {.bytes = &values->scratch,
                                       .max_bytes = CNI_SCRIPT_STORED_VALUE_BYTES,
                                       .max_depth = CNI_SCRIPT_STORED_DEPTH,
                                       .refuses = true};
        cni_script_value_write(lua, &writer, 2);
    }
    charge(lua, runtime, values->scratch.count);
    CnError error = {0};
    if (!cni_script_stored_set(values, owner_of(runtime), key,
                               removes ? NULL : values->scratch.items, values->scratch.count,
                               &error))
        cni_script_throw(lua, &error);
    return 0;
}

static int get_value(lua_State *lua)
{
    CniScriptRuntime *runtime = cni_script_runtime(cni_script_bindings(lua)->scripts);
    CnText key = check_key(lua);
    CniScriptValueReader reader = {0};
    reader.bytes = cni_script_stored_find(&runtime->stored, owner_of(runtime), key, &reader.size);
    charge(lua, runtime, reader.size);
    if (reader.bytes)
        cni_script_value_read(lua, &reader);
    else
        lua_pushnil(lua);
    return 1;
}

static int save_values(lua_State *lua)
{
    cni_script_check_game(lua, "store.save");
    cni_script_runtime(cni_script_bindings(lua)->scripts)->game.requests.save_values = true;
    return 0;
}

static const CniScriptBinding store_rows[] = {
    {"set", CNI_SCRIPT_FUNCTION, set_value, NULL, "(key: string, value: any)",
     "Keeps a copy of a value under a key, or removes the key if the value is nil."},
    {"get", CNI_SCRIPT_FUNCTION, get_value, NULL, "(key: string): any",
     "Returns a copy of the value under a key, or nil."},
    {"save", CNI_SCRIPT_FUNCTION, save_values, NULL, "()",
     "Writes the values to a file after this tick. They are there when the game is started again."},
    {.name = NULL}};
const CniScriptBindingTable cni_script_bind_store = {
    "store", "Values that all objects with this script share and that are saved with the world.",
    store_rows};
