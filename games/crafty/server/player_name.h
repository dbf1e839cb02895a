/*
 * Names of players: 1 to 16 characters of UTF-8 that everybody can see and type after another.
 *
 *     if (!crafty_player_name_check("Anna", &error))
 *         refuse(error.message);
 *     bool same = crafty_player_names_equal("Anna", "aNNA"); // true
 *
 * Refused are control and invisible characters, marks that combine with the character before or
 * change the direction of writing, blanks, the characters that commands and addresses use, and
 * names that could be taken for the server.
 */
#ifndef CRAFTY_SERVER_PLAYER_NAME_H
#define CRAFTY_SERVER_PLAYER_NAME_H

#include <cairn/base/error.h>

#define CRAFTY_PLAYER_NAME_CHARACTERS 16u
#define CRAFTY_PLAYER_NAME_BYTES (4u * CRAFTY_PLAYER_NAME_CHARACTERS + 1u)

/* Returns false and an error whose message is for the player. */
bool crafty_player_name_check(const char *name, CnError *error);
/* Compare two names, ignoring case in Latin, Greek and Cyrillic. */
int crafty_player_names_compare(const char *a, const char *b); /* below 0, 0 or above 0 */
bool crafty_player_names_equal(const char *a, const char *b);

#endif
