#include "mod_answer.h"

#include <stdlib.h>

bool crafty_mod_return_json(CnLuaCall *call, json_t *value)
{
    char *json = value ? json_dumps(value, JSON_COMPACT | JSON_ENCODE_ANY) : NULL;
    bool good = json && cn_text_append(call->text, cn_text(json));
    free(json);
    json_decref(value);
    if (!good)
        return cn_error_memory(call->error, "a result");
    return cn_lua_return(call, cn_lua_json((CnText){call->text->items, call->text->count}));
}

json_t *crafty_mod_position(CnVec3 at)
{
    return json_pack("{s:f, s:f, s:f}", "x", (double)at.x, "y", (double)at.y, "z", (double)at.z);
}
