/* Calling the Lua functions of mods: budgets, errors. */
#include "mods_internal.h"

#include "crafty/sim/chat.h"

#include <cairn/base/log.h>

/* Once per tick; what follows in the same tick is only counted. */
static void skip(CraftyModState *mod, const CnError *error)
{
    char text[CN_ERROR_MESSAGE_BYTES + CN_ERROR_FILE_BYTES + 64];
    mod->skipped++;
    if (!mod->budget_logged)
        CN_LOG_WARNING("mods", "the mod %s has used up its budget: %s", mod->source->name,
                       cn_error_text(error, text, sizeof text));
    mod->budget_logged = true;
}

bool crafty_mod_call(CraftyModState *mod, CraftyModPhase phase, uint32_t function, CnText event,
                     CnLuaValue *results, uint32_t result_count)
{
    CraftyMods *mods = mod->mods;
    CraftyModPhase before = mods->phase;
    CraftyModState *running = mods->running;
    CnLuaValue argument = cn_lua_json(event);
    CnError error = {0};
    if (mod->is_disabled || !mod->sandbox)
        return false;
    mods->phase = phase;
    mods->running = phase == CRAFTY_MODS_RUN ? mod : NULL;
    mod->is_fresh = false;
    bool good = cn_lua_sandbox_call_many(mod->sandbox, function, &argument, 1, results,
                                         result_count, &error);
    mods->phase = before;
    mods->running = running;
    if (good)
        return true;
    if (error.code == CN_ERROR_LIMIT)
        skip(mod, &error);
    else
        crafty_mod_disable(mod, &error);
    return false;
}

void crafty_mods_notify_disabled(const CraftyModState *mod)
{
    const CraftyModRun *run = mod->mods->run;
    char text[CN_ERROR_MESSAGE_BYTES + CN_ERROR_FILE_BYTES + 64];
    CraftyChatLine line = {.to = CRAFTY_CHAT_EVERYONE, .kind = CRAFTY_CHAT_ERROR};
    if (!run || !run->is_ticking)
        return;
    cn_format(line.text, sizeof line.text, "The mod %s is disabled: %s", mod->source->name,
              cn_error_text(&mod->error, text, sizeof text));
    crafty_chat_send(run->world, &line);
}
