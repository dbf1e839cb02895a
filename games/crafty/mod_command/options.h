/*
 * The command line of `crafty mod`, as in `crafty mod enable castle --world Home`.
 *
 *     CraftyModOptions options;
 *     CraftyModParse parsed = crafty_mod_options_read(&options, count, arguments);
 *
 * `arguments` starts with "mod".
 */
#ifndef CRAFTY_MOD_COMMAND_OPTIONS_H
#define CRAFTY_MOD_COMMAND_OPTIONS_H

#include <stdbool.h>

typedef enum CraftyModAction {
    CRAFTY_MOD_LIST,
    CRAFTY_MOD_NEW,
    CRAFTY_MOD_CHECK,
    CRAFTY_MOD_ENABLE,
    CRAFTY_MOD_DISABLE,
    CRAFTY_MOD_PACK,
    CRAFTY_MOD_ANNOTATIONS,
    CRAFTY_MOD_ACTION_COUNT
} CraftyModAction;

typedef struct CraftyModOptions {
    CraftyModAction action;
    const char *word;   /* after the action; NULL: not given */
    const char *mods;   /* --mods; NULL: the player's folder */
    const char *world;  /* --world of list, enable and disable; NULL: new worlds */
    const char *worlds; /* --worlds; NULL: the default folder */
    const char *output; /* --output of pack; NULL: NAME-VERSION.zip */
} CraftyModOptions;

typedef enum CraftyModParse {
    CRAFTY_MOD_RUNS,
    CRAFTY_MOD_HELPED, /* the help was printed */
    CRAFTY_MOD_INVALID /* the error was printed */
} CraftyModParse;

CraftyModParse crafty_mod_options_read(CraftyModOptions *options, int count, char **arguments);
/* Returns the word of an action, such as "list". */
const char *crafty_mod_action_name(CraftyModAction action);

#endif
