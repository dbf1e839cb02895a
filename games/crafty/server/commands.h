/*
 * Commands of the console: a line in, an answer out. The local console, the remote console and
 * tests use the same function.
 *
 *     CraftyCommandSender sender = {.name = "console", .role = CRAFTY_ROLE_OPERATOR};
 *     crafty_server_command(server, &sender, "ban Anna 7d insults", &reply);
 *
 * Lines that begin with '/' are commands of the game, for the first world, or with "in WORLD"
 * before them for another one. "help" lists all.
 */
#ifndef CRAFTY_SERVER_COMMANDS_H
#define CRAFTY_SERVER_COMMANDS_H

#include "accounts.h"

typedef struct CraftyServer CraftyServer;

typedef struct CraftyCommandSender {
    const char *name;
    CraftyRole role;
} CraftyCommandSender;

/* Appends lines, escaped, each with a line break. Returns false if the command failed; the reply
 * says why. Calls wait for the worlds, so never call it on the thread of a world. */
bool crafty_server_command(CraftyServer *server, const CraftyCommandSender *sender,
                           const char *line, CnTextBuilder *reply);

/* The commands that only concern accounts, also while no server runs. */
bool crafty_accounts_command(CraftyAccounts *accounts, const CraftyCommandSender *sender,
                             const char *line, CraftyBan *new_ban, CnTextBuilder *reply);
/* Returns whether the first word of a line is such a command. */
bool crafty_is_accounts_command(const char *line);
/* Appends one line for each such command. */
void crafty_accounts_command_help(CnTextBuilder *reply);

/* Removes the first word, which may be in quotes, from the front of *rest. Returns false when there
 * is none. */
bool crafty_next_word(CnText *rest, char *word, size_t bytes);

#endif
