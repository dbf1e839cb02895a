/*
 * Names of players, as crafty/sim/identity.h defines them, with a reason for those that are
 * refused.
 *
 *     if (!crafty_player_name_check("Anna", &error))
 *         refuse(error.message);
 *     bool same = crafty_player_names_equal("Anna", "aNNA"); // true
 */
#ifndef CRAFTY_SERVER_PLAYER_NAME_H
#define CRAFTY_SERVER_PLAYER_NAME_H

#include <cairn/base/error.h>

/* Returns false and an error whose message is for the player. */
bool crafty_player_name_check(const char *name, CnError *error);
/* Returns whether two names are the same for everybody: case makes no difference. */
bool crafty_player_names_equal(const char *a, const char *b);

#endif
