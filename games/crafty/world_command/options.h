/*
 * The command line of `crafty world`, as in `crafty world rename Home "Old home" --json`.
 *
 *     CraftyWorldOptions options;
 *     CraftyWorldParse parsed = crafty_world_options_read(&options, count, arguments);
 *
 * `arguments` starts with "world".
 */
#ifndef CRAFTY_WORLD_COMMAND_OPTIONS_H
#define CRAFTY_WORLD_COMMAND_OPTIONS_H

#include "crafty/sim/mode.h"

typedef enum CraftyWorldAction {
    CRAFTY_WORLD_LIST,
    CRAFTY_WORLD_CREATE,
    CRAFTY_WORLD_INFO,
    CRAFTY_WORLD_RENAME,
    CRAFTY_WORLD_COPY,
    CRAFTY_WORLD_BACKUP,
    CRAFTY_WORLD_RESTORE,
    CRAFTY_WORLD_EXPORT,
    CRAFTY_WORLD_IMPORT,
    CRAFTY_WORLD_VERIFY,
    CRAFTY_WORLD_REPAIR,
    CRAFTY_WORLD_COMPACT,
    CRAFTY_WORLD_DELETE,
    CRAFTY_WORLD_TORTURE,
    CRAFTY_WORLD_ACTION_COUNT
} CraftyWorldAction;

typedef struct CraftyWorldOptions {
    CraftyWorldAction action;
    const char *first, *second;   /* the words after the action; NULL: not given */
    const char *worlds;           /* --worlds; NULL: the default folder */
    const char *seed, *generator; /* of create; the seed also of repair */
    const char *mode_text;        /* --mode of create; NULL: not given */
    CraftyPlayerMode mode;        /* of create; survival if it is not given */
    bool allow_commands;          /* of create */
    const char *name;             /* of restore and import */
    const char *from;             /* of restore: a backup */
    const char *folder;           /* of torture */
    uint64_t seconds, rounds;     /* of torture; 0: not given */
    bool json, quiet;
    bool backups, deleted; /* of list */
    bool permanently;      /* of delete */
    bool all;              /* of verify */
} CraftyWorldOptions;

typedef enum CraftyWorldParse {
    CRAFTY_WORLD_RUN,
    CRAFTY_WORLD_HELPED, /* the help was printed */
    CRAFTY_WORLD_INVALID /* the error was printed */
} CraftyWorldParse;

CraftyWorldParse crafty_world_options_read(CraftyWorldOptions *options, int count,
                                           char **arguments);
/* Returns the word of an action, such as "list". */
const char *crafty_world_action_name(CraftyWorldAction action);

#endif
