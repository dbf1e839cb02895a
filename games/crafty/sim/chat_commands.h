/*
 * The commands of the chat: a table of their forms, from which lines are parsed (chat_parse.h),
 * completed (chat_complete.h) and documented. docs/crafty.md lists all of them.
 *
 *     char usage[CRAFTY_CHAT_USAGE_BYTES];
 *     const CraftyChatCommand *fill = crafty_chat_command_find(cn_text("fill"));
 *     puts(crafty_chat_usage(fill, 0, usage)); // "/fill x y z x y z block"
 */
#ifndef CRAFTY_SIM_CHAT_COMMANDS_H
#define CRAFTY_SIM_CHAT_COMMANDS_H

#include "identity.h"

#include <cairn/base/text.h>
#include <cairn/voxel/generate.h>

#define CRAFTY_CHAT_MAX_PARAMS 10u /* of a form */
#define CRAFTY_CHAT_MAX_FORMS 5u   /* of a command */
#define CRAFTY_CHAT_USAGE_BYTES 96u

/* ---- Limits of arguments ---- */

#define CRAFTY_CHAT_MAX_XZ 8000000     /* blocks from the origin */
#define CRAFTY_CHAT_MIN_Y (-128)       /* the bottom of the world */
#define CRAFTY_CHAT_MAX_Y 1000         /* far above the highest mountain */
#define CRAFTY_CHAT_MAX_GIVE 2304      /* 36 slots of 64 */
#define CRAFTY_CHAT_MAX_UNDO 100       /* groups of one command */
#define CRAFTY_CHAT_MAX_SPEED 10000    /* of the time of day */
#define CRAFTY_CHAT_MAX_ADD 240        /* hours of one /time add */
#define CRAFTY_CHAT_FILL_CELLS 32768   /* of one /fill, in one tick: about 28 ms */
#define CRAFTY_CHAT_FILL_SIDE 128      /* blocks along each axis, which limits the chunks */
#define CRAFTY_CHAT_LOCATE_RADIUS 6400 /* blocks */
#define CRAFTY_CHAT_VILLAGE_RADIUS 3200

typedef enum CraftyParamKind {
    CRAFTY_PARAM_NONE,       /* no parameter: the end of a form */
    CRAFTY_PARAM_LITERAL,    /* the name itself */
    CRAFTY_PARAM_COMMAND,    /* the name of a command, with or without '/' */
    CRAFTY_PARAM_PLAYER,     /* "player1", or "me" */
    CRAFTY_PARAM_ITEM,       /* the name of an item */
    CRAFTY_PARAM_BLOCK,      /* the name of a block */
    CRAFTY_PARAM_PLACE,      /* a biome or "village" */
    CRAFTY_PARAM_WEATHER,    /* a kind of weather */
    CRAFTY_PARAM_MODE,       /* a game mode */
    CRAFTY_PARAM_CREATURE,   /* a kind of creature, by index */
    CRAFTY_PARAM_DIFFICULTY, /* 0: peaceful, 1: normal */
    CRAFTY_PARAM_TIME,       /* a time of day: a word or HH:MM */
    CRAFTY_PARAM_DURATION,   /* hours: a number or HH:MM */
    CRAFTY_PARAM_NUMBER,     /* min to max */
    CRAFTY_PARAM_COUNT,      /* a whole number, min to max */
    CRAFTY_PARAM_X,          /* a coordinate; "~" and "~5" are relative to the player */
    CRAFTY_PARAM_Y,
    CRAFTY_PARAM_Z,
    CRAFTY_PARAM_TEXT, /* the rest of the line */
    CRAFTY_PARAM_KIND_COUNT
} CraftyParamKind;

typedef struct CraftyParam {
    CraftyParamKind kind;
    const char *name; /* in the usage */
    bool is_optional; /* all that follow it are optional, too */
    int32_t min, max; /* of numbers */
} CraftyParam;

/* What a form does. */
typedef enum CraftyChatAction {
    CRAFTY_CHAT_HELP,
    CRAFTY_CHAT_TIME_SHOW,
    CRAFTY_CHAT_TIME_SET,
    CRAFTY_CHAT_TIME_ADD,
    CRAFTY_CHAT_TIME_SPEED,
    CRAFTY_CHAT_TP_CELL,
    CRAFTY_CHAT_TP_COLUMN,
    CRAFTY_CHAT_TP_PLAYER,
    CRAFTY_CHAT_TP_OTHER,
    CRAFTY_CHAT_TP_OTHER_CELL,
    CRAFTY_CHAT_SEED,
    CRAFTY_CHAT_WEATHER,
    CRAFTY_CHAT_GAMEMODE,
    CRAFTY_CHAT_GIVE,
    CRAFTY_CHAT_GIVE_OTHER,
    CRAFTY_CHAT_CLEAR,
    CRAFTY_CHAT_LOCATE,
    CRAFTY_CHAT_FILL,
    CRAFTY_CHAT_FILL_REPLACE,
    CRAFTY_CHAT_UNDO,
    CRAFTY_CHAT_REDO,
    CRAFTY_CHAT_KILL,
    CRAFTY_CHAT_HEAL,
    CRAFTY_CHAT_SPAWNPOINT,
    CRAFTY_CHAT_SPAWNPOINT_CELL,
    CRAFTY_CHAT_SAY,
    CRAFTY_CHAT_LIST,
    CRAFTY_CHAT_MSG,
    CRAFTY_CHAT_DIFFICULTY,
    CRAFTY_CHAT_KILL_CREATURES,
    CRAFTY_CHAT_NAME,
    CRAFTY_CHAT_SUMMON,
    CRAFTY_CHAT_MOD, /* a command of a mod */
    CRAFTY_CHAT_ACTION_COUNT
} CraftyChatAction;

typedef struct CraftyChatForm {
    CraftyChatAction action;
    CraftyParam params[CRAFTY_CHAT_MAX_PARAMS];
} CraftyChatForm;

typedef struct CraftyChatCommand {
    const char *name;
    const char *help;        /* one sentence */
    const char *examples[3]; /* up to NULL */
    const char *usage;       /* what follows the name; NULL: from the form */
    const char *common;      /* offered in the quick list of a gamepad; NULL: not */
    bool is_always_allowed;  /* for every role, also in worlds that do not allow commands */
    bool is_for_moderators;  /* otherwise only for operators */
    CraftyChatForm forms[CRAFTY_CHAT_MAX_FORMS];
    uint32_t form_count;
} CraftyChatCommand;

/* Static: any thread, valid forever. In alphabetical order. */
uint32_t crafty_chat_command_count(void);
const CraftyChatCommand *crafty_chat_command_at(uint32_t index);
/* Returns the command with this name, without '/'; NULL when there is none. */
const CraftyChatCommand *crafty_chat_command_find(CnText name);

/* Returns whether players with this role may use a command. */
bool crafty_chat_may_use(const CraftyChatCommand *command, CraftyRole role);
/* Returns the number of parameters of a form. */
uint32_t crafty_chat_param_count(const CraftyChatForm *form);
/* Writes how a form is typed: "/give player item [count]". */
const char *crafty_chat_usage(const CraftyChatCommand *command, uint32_t form,
                              char usage[CRAFTY_CHAT_USAGE_BYTES]);

/* ---- Words ---- */

/* Return names by number, NULL if there is no such number. Modes are CraftyPlayerModes; places are
 * first the biomes (CnBiome), then CRAFTY_CHAT_VILLAGE. */
const char *crafty_chat_mode_name(uint32_t mode);
#define CRAFTY_CHAT_VILLAGE ((uint32_t)CN_BIOME_COUNT)
const char *crafty_chat_place_name(uint32_t place);
/* Peaceful and normal; NULL after the last. */
const char *crafty_chat_difficulty_name(uint32_t index);
/* Words for times of day; NULL after the last. `hours` may be NULL. */
const char *crafty_chat_time_word(uint32_t index, double *hours);

#endif
