/* What functions of the API may do, and what their arguments mean. */
#include "mods_internal.h"

#include "crafty/sim/command.h"

#include <string.h>

#define MAX_EXACT 9007199254740992.0 /* 2^53 */

/* ---- Phases and permissions ---- */

CraftyModState *crafty_mod_of(const CnLuaCall *call)
{
    return call->user;
}

CraftyModRun *crafty_mod_run(const CnLuaCall *call)
{
    return crafty_mod_of(call)->mods->run;
}

bool crafty_mod_has_permission(CnLuaCall *call, CraftyModPermission permission)
{
    static const char *const names[] = {"blocks",   "players", "creatures", "chat",
                                        "commands", "world",   "storage"};
    const CraftyModSource *source = crafty_mod_of(call)->source;
    return (source->permissions >> permission & 1) != 0 ||
           cn_error_set(call->error, CN_ERROR_PERMISSION,
                        "the mod %s needs \"%s\" in the \"permissions\" of its mod.json for this",
                        source->name, names[permission]);
}

bool crafty_mod_may_act(CnLuaCall *call)
{
    CraftyModPhase phase = crafty_mod_of(call)->mods->phase;
    if (phase == CRAFTY_MODS_ASK)
        return cn_error_set(call->error, CN_ERROR_PERMISSION,
                            "handlers of `before` change nothing: do it in a handler of `on`");
    if (phase != CRAFTY_MODS_RUN)
        return cn_error_set(call->error, CN_ERROR_PERMISSION,
                            "main.lua only registers: call this in a handler");
    return true;
}

bool crafty_mod_may(CnLuaCall *call, CraftyModPermission permission)
{
    return crafty_mod_may_act(call) && crafty_mod_has_permission(call, permission);
}

bool crafty_mod_may_read(CnLuaCall *call)
{
    CraftyModPhase phase = crafty_mod_of(call)->mods->phase;
    return phase == CRAFTY_MODS_ASK || phase == CRAFTY_MODS_RUN ||
           cn_error_set(call->error, CN_ERROR_PERMISSION,
                        "there is no world yet while main.lua runs: call this in a handler");
}

bool crafty_mod_may_register(CnLuaCall *call)
{
    CraftyModPhase phase = crafty_mod_of(call)->mods->phase;
    return phase == CRAFTY_MODS_DEFINE || phase == CRAFTY_MODS_REDEFINE ||
           cn_error_set(call->error, CN_ERROR_PERMISSION,
                        "this is registered while main.lua runs, not later");
}

/* ---- Players and creatures ---- */

CnEntity crafty_mod_player(CnLuaCall *call, uint32_t argument)
{
    double number = call->arguments[argument].number;
    CnEntity player = {0};
    if (number >= 1 && number <= CRAFTY_MAX_PLAYER_NUMBER)
        player = crafty_player_find(crafty_mod_run(call)->players, (uint32_t)number);
    if (!player.id)
        cn_error_set(call->error, CN_ERROR_NOT_FOUND, "there is no player %.0f", number);
    return player;
}

uint32_t crafty_mod_player_number(const CraftyModRun *run, CnEntity player)
{
    const CnPlayerActions *own =
        cn_is_alive(run->world, player) ? cn_get(run->world, player, CnPlayerActions) : NULL;
    return own ? own->player : 0;
}

double crafty_mod_creature_id(CnEntity creature)
{
    return (double)creature.id < MAX_EXACT ? (double)creature.id : 0;
}

CnEntity crafty_mod_creature(double id)
{
    return (CnEntity){id >= 1 && id < MAX_EXACT ? (uint64_t)id : 0};
}

/* ---- Cells, blocks and items ---- */

bool crafty_mod_cell(CnLuaCall *call, uint32_t first_argument, CnCell *cell)
{
    const CnLuaValue *at = &call->arguments[first_argument];
    for (uint32_t i = 0; i < 3; i++)
        if (!(at[i].number > -CN_CELL_LIMIT && at[i].number < CN_CELL_LIMIT))
            return cn_error_set(call->error, CN_ERROR_LIMIT, "the cell is outside of the world");
    *cell = (CnCell){(int32_t)at[0].number, (int32_t)at[1].number, (int32_t)at[2].number};
    return cn_cell_is_in_world(*cell) ||
           cn_error_set(call->error, CN_ERROR_LIMIT, "the cell is outside of the world");
}

bool crafty_mod_point(CnLuaCall *call, uint32_t first_argument, CnVec3 *at)
{
    const CnLuaValue *given = &call->arguments[first_argument];
    const double limit = (double)CRAFTY_MAX_COORDINATE;
    for (uint32_t i = 0; i < 3; i++)
        if (!(given[i].number > -limit && given[i].number < limit))
            return cn_error_set(call->error, CN_ERROR_LIMIT, "the point is outside of the world");
    *at = cn_vec3((float)given[0].number, (float)given[1].number, (float)given[2].number);
    return true;
}

bool crafty_mod_owns(const CnLuaCall *call, CnBlock block)
{
    const char *own = crafty_mod_of(call)->source->name;
    const char *name = crafty_mod_block_name(crafty_mod_run(call), block);
    size_t size = strlen(own);
    return name && strncmp(name, own, size) == 0 && name[size] == ':';
}

const char *crafty_mod_block_name(const CraftyModRun *run, CnBlock block)
{
    return cn_block_exists(run->blocks, block) ? cn_block_info(run->blocks, block)->name : NULL;
}

const char *crafty_mod_item_name(const CraftyModRun *run, CraftyItem item)
{
    const CraftyItemInfo *info = item ? crafty_items_info(run->items, item) : NULL;
    return info ? info->name : NULL;
}

bool crafty_mod_block(CnLuaCall *call, uint32_t argument, CnBlock *block)
{
    char name[CN_BLOCK_NAME_BYTES], escaped[CN_BLOCK_NAME_BYTES];
    const CnText text = call->arguments[argument].text;
    *block = cn_copy_text(name, sizeof name, text)
                 ? cn_block_find(crafty_mod_run(call)->blocks, name)
                 : (CnBlock)CN_BLOCK_NONE;
    return *block != CN_BLOCK_NONE ||
           cn_error_set(call->error, CN_ERROR_NOT_FOUND, "there is no block \"%s\"",
                        cn_text_escape(text, escaped, sizeof escaped));
}

bool crafty_mod_item(CnLuaCall *call, uint32_t argument, CraftyItem *item)
{
    char name[CRAFTY_ITEM_NAME_BYTES], escaped[CRAFTY_ITEM_NAME_BYTES];
    const CnText text = call->arguments[argument].text;
    *item = cn_copy_text(name, sizeof name, text)
                ? crafty_items_find(crafty_mod_run(call)->items, name)
                : (CraftyItem)CRAFTY_NO_ITEM;
    return *item != CRAFTY_NO_ITEM ||
           cn_error_set(call->error, CN_ERROR_NOT_FOUND, "there is no item \"%s\"",
                        cn_text_escape(text, escaped, sizeof escaped));
}
