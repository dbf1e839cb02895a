/* The table `chat`. */
#include "mod_cost.h"
#include "mods_internal.h"

#include "crafty/sim/chat.h"
#include "crafty/sim/connection.h"

static bool send_line(CnLuaCall *call, uint32_t to, CnText text)
{
    CraftyChatLine line = {.to = to, .from = CRAFTY_CONSOLE, .kind = CRAFTY_CHAT_NOTICE};
    if (!text.size || !cn_copy_text(line.text, sizeof line.text, text))
        return cn_error_set(call->error, CN_ERROR_LIMIT, "a line has 1 to %u bytes",
                            CRAFTY_CHAT_LINE_BYTES - 1);
    cn_lua_charge(call, CRAFTY_MOD_COST_EVENT);
    if (crafty_mod_take_quota(crafty_mod_of(call), CRAFTY_MOD_LINES))
        crafty_chat_send(crafty_mod_run(call)->world, &line);
    return true;
}

static bool send(CnLuaCall *call)
{
    return crafty_mod_may(call, CRAFTY_MOD_MAY_CHAT) && crafty_mod_player(call, 0).id &&
           send_line(call, (uint32_t)call->arguments[0].number, call->arguments[1].text);
}

static bool broadcast(CnLuaCall *call)
{
    return crafty_mod_may(call, CRAFTY_MOD_MAY_CHAT) &&
           send_line(call, CRAFTY_CHAT_EVERYONE, call->arguments[0].text);
}

static const CnLuaFunction functions[] = {
    {"send", send, "(player: integer, text: string)",
     "Writes a line of at most 255 bytes to a player. Needs the permission `chat`.",
     "on(\"join\", function(e) chat.send(e.player, \"Welcome!\") end)"},
    {"broadcast", broadcast, "(text: string)",
     "Writes a line to all players. Needs the permission `chat`.",
     "on(\"died\", function(e) chat.broadcast(\"The bell tolls.\") end)"},
    {0}};
const CnLuaTable crafty_mod_chat_table = {"chat", "The chat.", functions, NULL};
