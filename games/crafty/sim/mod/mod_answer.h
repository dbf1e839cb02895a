/* Results of functions of the API. */
#ifndef CRAFTY_SIM_MOD_MOD_ANSWER_H
#define CRAFTY_SIM_MOD_MOD_ANSWER_H

#include <cairn/base/vector.h>
#include <cairn/script/sandbox.h>
#include <jansson.h>

/* Returns a value, which is released, as a result of the call. NULL: out of memory. */
bool crafty_mod_return_json(CnLuaCall *call, json_t *value);
/* Returns no value: nil. */
static inline bool crafty_mod_return_nil(CnLuaCall *call)
{
    return cn_lua_return(call, (CnLuaValue){0});
}
/* Returns a table with x, y and z; NULL when out of memory. */
json_t *crafty_mod_position(CnVec3 at);

#endif
