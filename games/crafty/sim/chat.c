#include "chat.h"

#include "chat_locate.h"
#include "connection.h"
#include "mod/mod_notes.h"
#include "player.h"

/* The limit of lines, as part of the state: `due` of a player is the tick in which all lines that
 * it sent are paid for, at CRAFTY_CHAT_TICKS each; `told` players know that they are too fast. */
CN_COMPONENT(CraftyChatLimit, (u64, due, CRAFTY_MAX_PLAYERS), (u32, told));

/* ---- Lines ---- */

const char *crafty_chat_player_name(uint32_t player, char name[CRAFTY_CHAT_NAME_BYTES])
{
    if (player == CRAFTY_CONSOLE)
        cn_copy_text(name, CRAFTY_CHAT_NAME_BYTES, cn_text("console"));
    else
        cn_format(name, CRAFTY_CHAT_NAME_BYTES, "player%u", player % 100000000u);
    return name;
}

bool crafty_chat_text_valid(const char text[CRAFTY_COMMAND_TEXT_BYTES])
{
    char escaped[2 * CRAFTY_COMMAND_TEXT_BYTES];
    const char *end = memchr(text, 0, CRAFTY_COMMAND_TEXT_BYTES);
    if (!end)
        return false;
    CnText line = {text, (size_t)(end - text)};
    return cn_text_trim(line).size &&
           cn_text_equal(cn_text(cn_text_escape(line, escaped, sizeof escaped)), line);
}

void crafty_chat_send(CnWorld *world, const CraftyChatLine *line)
{
    CraftyChatLine sent = *line;
    memset(sent.text, 0, sizeof sent.text); /* lines with the same text have the same bytes */
    cn_text_escape(cn_text(line->text), sent.text, sizeof sent.text);
    CnChannel *channel = cn_channel(world, CraftyChatLine);
    if (channel)
        cn_send_value(channel, &sent); /* the channel counts events for which it has no room */
}

/* ---- Typed lines ---- */

static void say_too_fast(CnWorld *world, uint32_t player)
{
    CraftyChatLine line = {.to = player, .from = player, .kind = CRAFTY_CHAT_ERROR};
    cn_copy_text(line.text, sizeof line.text,
                 cn_text("Too many lines at once. Wait a few seconds, then send it again."));
    crafty_chat_send(world, &line);
}

/* Returns whether the player may send a line now, and counts it. */
static bool may_send(CnWorld *world, uint32_t player)
{
    CraftyChatLimit *limit = cn_resource_mut(world, CraftyChatLimit);
    uint64_t tick = cn_resource(world, CnTickInfo)->tick;
    uint32_t slot = player - CRAFTY_FIRST_PLAYER;
    if (player == CRAFTY_CONSOLE)
        return true;
    if (!limit || slot >= CRAFTY_MAX_PLAYERS)
        return false;
    if (limit->due[slot] > tick + CRAFTY_CHAT_BURST * CRAFTY_CHAT_TICKS) /* a manipulated save */
        limit->due[slot] = tick;
    if (limit->due[slot] > tick + (CRAFTY_CHAT_BURST - 1) * CRAFTY_CHAT_TICKS) {
        if (!(limit->told >> slot & 1u))
            say_too_fast(world, player);
        limit->told |= 1u << slot;
        return false;
    }
    limit->due[slot] = (limit->due[slot] > tick ? limit->due[slot] : tick) + CRAFTY_CHAT_TICKS;
    limit->told &= ~(1u << slot);
    return true;
}

bool crafty_chat_apply(CnWorld *world, const CnQuery *players, const CraftyCommand *command)
{
    if (command->sender != CRAFTY_CONSOLE && !crafty_player_find(players, command->sender).id)
        return false;
    if (!may_send(world, command->sender))
        return false;
    CnText text = cn_text_trim(cn_text(command->text));
    if (text.data[0] == '/') {
        crafty_chat_run(world, players, command->sender, command->text);
        return true;
    }
    if (!crafty_mods_ask_chat(world, command->sender, text))
        return true;
    CraftyChatLine line = {
        .to = CRAFTY_CHAT_EVERYONE, .from = command->sender, .kind = CRAFTY_CHAT_SAID};
    cn_copy_text(line.text, sizeof line.text, text);
    crafty_chat_send(world, &line);
    return true;
}

bool crafty_chat_add(CnWorld *world, CnError *error)
{
    const CnComponentDesc descs[] = {{.type = &cn_type_CraftyChatLine},
                                     {.type = &cn_type_CraftyChatLimit}};
    for (uint32_t i = 0; i < CN_COUNT_OF(descs); i++)
        if (!cn_component_register(world, &descs[i], error).id)
            return false;
    if (!cn_channel(world, CraftyChatLine) ||
        (!cn_resource(world, CraftyChatLimit) && !cn_resource_set(world, CraftyChatLimit, {0})))
        return cn_error_memory(error, "the chat");
    return crafty_chat_locate_add(world, error);
}
