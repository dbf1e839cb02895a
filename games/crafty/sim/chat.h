/*
 * Chat: lines that players type, what they say, and the answers to commands.
 *
 *     crafty_connection_send_command(
 *         connection, &(CraftyCommand){.kind = CRAFTY_COMMAND_CHAT, .text = "/time set noon"});
 *
 *     CnEventReader *reader = cn_event_reader_create(cn_channel(world, CraftyChatLine), NULL);
 *     for (const CraftyChatLine *line; (line = cn_read_next(reader, CraftyChatLine));)
 *         if (crafty_chat_is_for(line, CRAFTY_FIRST_PLAYER))
 *             show(line); // each line exactly once
 *
 * A typed line is a command of a tick (command.h), so replays and saved worlds contain what it
 * does. Text that begins with '/' is a command line (chat_commands.h): it is parsed and carried out
 * in that tick, and answered by lines to its sender. Other text is said to everyone.
 *
 * Lines come from outside: text that is not valid UTF-8 or contains control characters is refused,
 * and a player may send only so many lines in a while.
 */
#ifndef CRAFTY_SIM_CHAT_H
#define CRAFTY_SIM_CHAT_H

#include "command.h"
#include "identity.h"

#include <cairn/ecs/event.h>
#include <cairn/ecs/query.h>

#define CRAFTY_CHAT_LINE_BYTES 256u /* of a line that is shown, including the terminator */

/* A player may send CRAFTY_CHAT_BURST lines at once, and then one per CRAFTY_CHAT_TICKS. The
 * console has no limit. */
#define CRAFTY_CHAT_TICKS 20u
#define CRAFTY_CHAT_BURST 10u

#define CRAFTY_CHAT_EVERYONE UINT32_MAX /* CraftyChatLine.to */

typedef enum CraftyChatKind {
    CRAFTY_CHAT_SAID,      /* `from` said it */
    CRAFTY_CHAT_ANSWER,    /* of a command */
    CRAFTY_CHAT_ERROR,     /* a command is wrong or was refused; see `at` */
    CRAFTY_CHAT_NOTICE,    /* something happened in the world */
    CRAFTY_CHAT_WHISPERED, /* `from` said it to `to` alone */
    CRAFTY_CHAT_KIND_COUNT
} CraftyChatKind;

/*
 * to     number of a player, CRAFTY_CONSOLE, or CRAFTY_CHAT_EVERYONE
 * from   number of the player who said or caused it, or CRAFTY_CONSOLE
 * kind   a CraftyChatKind
 * at     errors: where the wrong word begins in the typed text, in bytes
 * bytes  errors: length of the wrong word; 0: the error is not about one word
 * text   valid UTF-8 without control characters
 * name   of `from` when the line was sent
 */
CN_COMPONENT(CraftyChatLine, (u32, to), (u32, from), (u8, kind), (u8, at), (u8, bytes),
             (text, text, CRAFTY_CHAT_LINE_BYTES), (text, name, CRAFTY_PLAYER_NAME_BYTES));

/* Adds the events and the resources; after crafty_player_add. Calling it again is harmless. */
bool crafty_chat_add(CnWorld *world, CnError *error);

/* Returns whether the text can be a typed line: it has a terminator, is not blank, is valid UTF-8,
 * and has no control characters and no marks that change the direction of writing. */
bool crafty_chat_text_valid(const char text[CRAFTY_COMMAND_TEXT_BYTES]);
/* Applies a valid CRAFTY_COMMAND_CHAT. `players` reads CnPlayerActions. Returns false if the line
 * was refused because its sender does not exist or sends too many. Commands that are wrong are
 * answered, which counts as applied. */
bool crafty_chat_apply(CnWorld *world, const CnQuery *players, const CraftyCommand *command);

/* Sends a line; text that is too long is truncated, and control characters are escaped. Only in
 * systems that run exclusively. */
void crafty_chat_send(CnWorld *world, const CraftyChatLine *line);

/* Returns whether a player, or the console, sees the line. */
static inline bool crafty_chat_is_for(const CraftyChatLine *line, uint32_t player)
{
    return line->to == player || line->to == CRAFTY_CHAT_EVERYONE;
}

#endif
