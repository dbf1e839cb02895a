/* storage: what a mod keeps with the world. */
#include "mods_internal.h"

#include <stdlib.h>

#define MAX_WHOLE 9007199254740992.0 /* 2^53 */

static CraftyModStore *store_of(CnLuaCall *call)
{
    return &crafty_mod_of(call)->store;
}

static CnText key_of(CnLuaCall *call)
{
    return call->argument_count ? call->arguments[0].text : (CnText){NULL, 0};
}

/* Values are JSON texts: "3", "\"red\"", "[1,2]". */
static bool get(CnLuaCall *call)
{
    if (!crafty_mod_may_read(call) || !crafty_mod_has_permission(call, CRAFTY_MOD_MAY_STORAGE))
        return false;
    CnText text = crafty_mod_store_get(store_of(call), key_of(call));
    cn_lua_charge(call, text.size / 8);
    if (!text.size)
        return cn_lua_return(call, (CnLuaValue){0});
    if (text.data[0] == '{' || text.data[0] == '[')
        return cn_lua_return(call, cn_lua_json(text));
    json_t *value = json_loadb(text.data, text.size, JSON_DECODE_ANY, NULL);
    if (!value)
        return cn_error_set(call->error, CN_ERROR_FORMAT, "the stored value is damaged");
    bool good = true;
    if (json_is_boolean(value))
        cn_lua_return_boolean(call, json_is_true(value));
    else if (json_is_number(value))
        cn_lua_return_number(call, json_number_value(value));
    else
        good = cn_text_append(call->text,
                              (CnText){json_string_value(value), json_string_length(value)}) &&
               cn_lua_return_text(call, (CnText){call->text->items, call->text->count});
    json_decref(value);
    return good || cn_error_memory(call->error, "a stored value");
}

static json_t *scalar(const CnLuaValue *value)
{
    double number = value->number;
    if (value->kind == CN_LUA_BOOLEAN)
        return json_boolean(value->boolean);
    if (value->kind == CN_LUA_TEXT)
        return json_stringn(value->text.data, value->text.size);
    bool is_whole = number > -MAX_WHOLE && number < MAX_WHOLE && (double)(int64_t)number == number;
    return is_whole ? json_integer((json_int_t)number) : json_real(number);
}

static bool set(CnLuaCall *call)
{
    const CnLuaValue *value = &call->arguments[1];
    if (!crafty_mod_may(call, CRAFTY_MOD_MAY_STORAGE))
        return false;
    if (value->kind == CN_LUA_FUNCTION)
        return cn_error_set(call->error, CN_ERROR_FORMAT, "functions cannot be stored");
    if (value->kind == CN_LUA_NIL)
        return crafty_mod_store_set(store_of(call), key_of(call), (CnText){NULL, 0}, call->error);
    cn_lua_charge(call, value->text.size / 8);
    if (value->kind == CN_LUA_TABLE)
        return crafty_mod_store_set(store_of(call), key_of(call), value->text, call->error);
    json_t *json = scalar(value);
    char *text = json ? json_dumps(json, JSON_ENCODE_ANY | JSON_COMPACT) : NULL;
    bool good = text
                    ? crafty_mod_store_set(store_of(call), key_of(call), cn_text(text), call->error)
                    : cn_error_memory(call->error, "a stored value");
    free(text);
    json_decref(json);
    return good;
}

static bool remove_key(CnLuaCall *call)
{
    return crafty_mod_may(call, CRAFTY_MOD_MAY_STORAGE) &&
           crafty_mod_store_set(store_of(call), key_of(call), (CnText){NULL, 0}, call->error);
}

static bool keys(CnLuaCall *call)
{
    const CraftyModStore *store = store_of(call);
    CnText prefix = key_of(call);
    if (!crafty_mod_may_read(call) || !crafty_mod_has_permission(call, CRAFTY_MOD_MAY_STORAGE))
        return false;
    json_t *list = json_array();
    bool good = list != NULL;
    for (uint32_t i = crafty_mod_store_find(store, prefix); i < store->entries.count && good; i++) {
        CnText key = crafty_mod_store_key(store, i);
        if (!cn_text_starts_with(key, prefix))
            break;
        good = json_array_append_new(list, json_stringn(key.data, key.size)) == 0;
    }
    char *text = good ? json_dumps(list, JSON_COMPACT) : NULL;
    good = text && cn_text_append(call->text, cn_text(text));
    free(text);
    json_decref(list);
    if (!good)
        return cn_error_memory(call->error, "the keys");
    cn_lua_charge(call, call->text->count / 4);
    return cn_lua_return(call, cn_lua_json((CnText){call->text->items, call->text->count}));
}

/* ---- The table ---- */

static const CnLuaFunction functions[] = {
    {"get", get, "(key: string): any", "Returns the value of a key; nil if there is none.",
     "on(\"join\", function(e)\n"
     "    print(storage.get(\"visits\") or 0)\n"
     "end)"},
    {"set", set, "(key: string, value?: any)",
     "Keeps a value: a number, a text, a boolean or a table of these. nil removes the key. Keys "
     "have 1 to 63 bytes, values at most 64 KiB, and all values of a mod 1 MiB.",
     "on(\"join\", function(e)\n"
     "    storage.set(\"visits\", (storage.get(\"visits\") or 0) + 1)\n"
     "end)"},
    {"remove", remove_key, "(key: string)", "Removes a key.",
     "on(\"died\", function(e)\n"
     "    storage.remove(\"kills/\" .. e.player)\n"
     "end)"},
    {"keys", keys, "(prefix?: string): string[]",
     "Returns all keys, or those that begin with `prefix`, in byte order.",
     "on(\"join\", function(e)\n"
     "    for _, key in ipairs(storage.keys(\"home/\")) do print(key) end\n"
     "end)"},
    {0}};
const CnLuaTable crafty_mod_storage_table = {
    "storage",
    "What a mod keeps with the world: saved, restored, and there when the mod was missing for a "
    "while. Needs the permission `storage`. Variables of Lua are lost when a world is opened "
    "again.",
    functions, NULL};
