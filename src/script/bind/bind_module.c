/* Modules, and calls between scripts of one owner. */
#include "script/bind/bind.h"

int cni_script_object_call(lua_State *lua)
{
    CnEntity object = cni_script_check_alive(lua, 1);
    return cni_script_call_object(lua, object, luaL_checkstring(lua, 2));
}

static const CniScriptBinding rows[] = {
    {"require", CNI_SCRIPT_FUNCTION, cni_script_require, NULL, "(name: string): any",
     "What another file returns: require(\"parts.door\") or require(\"scripts://door.lua\"). The "
     "file runs once for all scripts of the owner."},
    {.name = NULL}};
const CniScriptBindingTable cni_script_bind_module = {NULL, "Modules", rows};
