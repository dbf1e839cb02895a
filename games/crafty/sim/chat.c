#include "chat.h"

#include "chat_locate.h"
#include "connection.h"
#include "mod/mod_notes.h"
#include "player.h"

#include <string.h>

/* The limit of lines of a player: `due` is the tick in which all lines that it sent are paid for,
 * at CRAFTY_CHAT_TICKS each; `told`: it knows that it is too fast. */
CN_COMPONENT(CraftyChatRate, (u64, due), (bool, told));

/* ---- Lines ---- */

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
    memset(sent.name, 0, sizeof sent.name);
    cn_text_escape(cn_text(line->text), sent.text, sizeof sent.text);
    crafty_player_name(world, sent.from, sent.name);
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
static bool may_send(CnWorld *world, CnEntity player, uint32_t number)
{
    uint64_t tick = cn_resource(world, CnTickInfo)->tick;
    if (number == CRAFTY_CONSOLE)
        return true;
    if (!cn_get(world, player, CraftyChatRate) && !cn_set(world, player, CraftyChatRate, {0}))
        return false;
    CraftyChatRate *rate = cn_get_mut(world, player, CraftyChatRate);
    if (rate->due > tick + CRAFTY_CHAT_BURST * CRAFTY_CHAT_TICKS) /* a manipulated save */
        rate->due = tick;
    if (rate->due > tick + (CRAFTY_CHAT_BURST - 1) * CRAFTY_CHAT_TICKS) {
        bool was_told = rate->told;
        rate->told = true;
        if (!was_told)
            say_too_fast(world, number);
        return false;
    }
    rate->due = (rate->due > tick ? rate->due : tick) + CRAFTY_CHAT_TICKS;
    rate->told = false;
    return true;
}

bool crafty_chat_apply(CnWorld *world, const CnQuery *players, const CraftyCommand *command)
{
    CnEntity player = crafty_player_find(players, command->sender);
    if (command->sender != CRAFTY_CONSOLE && !player.id)
        return false;
    if (!may_send(world, player, command->sender))
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
                                     {.type = &cn_type_CraftyChatRate}};
    for (uint32_t i = 0; i < CN_COUNT_OF(descs); i++)
        if (!cn_component_register(world, &descs[i], error).id)
            return false;
    if (!cn_channel(world, CraftyChatLine))
        return cn_error_memory(error, "the chat");
    return crafty_chat_locate_add(world, error);
}
