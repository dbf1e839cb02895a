/*
 * Who a player is: an account, a name and a role.
 *
 *     char name[CRAFTY_PLAYER_NAME_BYTES];
 *     puts(crafty_player_name(world, 1, name)); // "Ada", or "player1"
 *
 * A player that joined (join.h) has a CraftyIdentity. Those with which a simulation starts have
 * none: they belong to the program that owns the world, have the names "player1", "player2" and so
 * on, and what they may do follows from the rules of the world alone.
 *
 * An account is the public key of a person's key pair. The account of zeros stands for the owner
 * of the world, without a key.
 */
#ifndef CRAFTY_SIM_IDENTITY_H
#define CRAFTY_SIM_IDENTITY_H

#include <cairn/base/text.h>
#include <cairn/ecs/query.h>

#define CRAFTY_ACCOUNT_KEY_BYTES 32u
#define CRAFTY_ACCOUNT_TEXT_BYTES (2 * CRAFTY_ACCOUNT_KEY_BYTES + 1)
#define CRAFTY_PLAYER_NAME_LENGTH 16u /* characters */
#define CRAFTY_PLAYER_NAME_BYTES (4 * CRAFTY_PLAYER_NAME_LENGTH + 1)

CN_STRUCT(CraftyAccount, (u8, key, CRAFTY_ACCOUNT_KEY_BYTES));

/* What a player may do; each role may do what those before it may. */
typedef enum CraftyRole {
    CRAFTY_ROLE_PLAYER,
    CRAFTY_ROLE_MODERATOR, /* finds and moves itself to players */
    CRAFTY_ROLE_OPERATOR,  /* uses all commands */
    CRAFTY_ROLE_COUNT
} CraftyRole;

/* Of a player. name: valid, or empty: the default name; name_key: crafty_name_key of it; role: a
 * CraftyRole. */
CN_COMPONENT(CraftyIdentity, (struct, CraftyAccount, account), (u64, name_key), (u8, role),
             (text, name, CRAFTY_PLAYER_NAME_BYTES));

/* Registers the component; crafty_player_add calls it. */
bool crafty_identity_register(CnWorld *world, CnError *error);

/* ---- Accounts ---- */

bool crafty_account_equal(const CraftyAccount *a, const CraftyAccount *b);
/* Returns whether it is the account of the owner of the world: all zeros. */
bool crafty_account_is_owner(const CraftyAccount *account);
/* 64 hexadecimal digits. */
const char *crafty_account_write(const CraftyAccount *account,
                                 char text[CRAFTY_ACCOUNT_TEXT_BYTES]);
bool crafty_account_read(CnText text, CraftyAccount *account);

/* ---- Names ---- */

/*
 * Returns whether a text can be the name of a player: 1 to 16 characters, which begin with a letter
 * or '_', and of ASCII characters contain only letters, digits, '_', '-' and '.'. Other characters
 * are allowed if they are visible: no blanks, no control characters, no marks that change the
 * direction of writing, no characters without a width. "me", "console", and "player" followed by
 * digits have a meaning of their own.
 */
bool crafty_player_name_valid(CnText name);
/* Returns a number that is equal for names that differ only in case (Latin, Greek and Cyrillic
 * letters) or are the same. Different names have different numbers, with a probability that makes a
 * collision a curiosity. */
uint64_t crafty_name_key(CnText name);

/* Writes the name of a player: that of its identity, "player1" without one; "console" for 0. Other
 * systems may call it between ticks and when they run exclusively. */
const char *crafty_player_name(const CnWorld *world, uint32_t number,
                               char name[CRAFTY_PLAYER_NAME_BYTES]);
/* The same without a world, for players without an identity. */
const char *crafty_player_default_name(uint32_t number, char name[CRAFTY_PLAYER_NAME_BYTES]);

/* ---- Roles ---- */

const char *crafty_role_name(CraftyRole role); /* "operator" */
bool crafty_role_parse(const char *name, CraftyRole *role);
/* Returns the role of a player: that of its identity; without one, operator where the rules of the
 * world allow commands, otherwise player. */
CraftyRole crafty_role_of(const CnWorld *world, CnEntity player);

#endif
