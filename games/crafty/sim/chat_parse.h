/*
 * Parses command lines of the chat. The simulation does it before it carries a line out, a client
 * while the player types, to mark errors.
 *
 *     CraftyChatParse parse;
 *     if (!crafty_chat_parse(&names, "/give stoen", &parse))
 *         puts(parse.error); // "There is no item stoen; did you mean stone?"
 *
 * A line has at most CRAFTY_COMMAND_TEXT_BYTES, so parsing takes a bounded time. It allocates
 * nothing and changes nothing.
 */
#ifndef CRAFTY_SIM_CHAT_PARSE_H
#define CRAFTY_SIM_CHAT_PARSE_H

#include "chat_commands.h"
#include "crafty/world/creature_kinds.h"
#include "identity.h"
#include "player.h"

#define CRAFTY_CHAT_ERROR_BYTES 160u

/* What the names of a world mean. Only `items` and `blocks` are required. */
typedef struct CraftyChatNames {
    const CraftyItems *items;
    const CnBlockTable *blocks;
    const CraftyCreatureKinds *creatures;     /* NULL: none */
    const struct CraftyWeatherKinds *weather; /* beside the standard ones; NULL: none */
    const CnWorld *world;    /* of the names of players; NULL: they have the default names */
    const uint32_t *players; /* numbers, ascending; valid until the next tick */
    uint32_t player_count;
    uint32_t sender; /* whom "me" means; CRAFTY_CONSOLE: nobody */
    CraftyRole role; /* of the sender: words are only commands that it may use */
    bool has_aim;    /* for completion: the block that the player aims at */
    CnCell aim;
    const CraftyChatCommand *more; /* commands of mods, after the others */
    uint32_t more_count;
} CraftyChatNames;

/* A word of a line. Of its value, the kind of its parameter determines what is set. */
typedef struct CraftyChatWord {
    uint8_t at, bytes; /* in the text */
    bool is_relative;  /* coordinates: `number` is added to that of the player */
    bool is_whole;     /* coordinates: written without a fraction */
    double number;     /* coordinates, hours, numbers, counts */
    uint32_t id;       /* item, block, player, place, weather, mode; index of a command */
} CraftyChatWord;

typedef struct CraftyChatParse {
    const CraftyChatCommand *command; /* NULL: unknown */
    uint32_t form;                    /* of the command that the line has, or comes closest to */
    uint32_t count;
    CraftyChatWord words[CRAFTY_CHAT_MAX_PARAMS]; /* by parameter of the form */
    bool is_incomplete; /* the error is that words are missing at the end */
    uint8_t at, bytes;  /* the wrong word */
    char error[CRAFTY_CHAT_ERROR_BYTES];
} CraftyChatParse;

/* Returns the names of a world. `players` reads CnPlayerActions. */
CraftyChatNames crafty_chat_names(const CnWorld *world, const CnQuery *players, uint32_t sender);

/* The commands of the chat and those of mods; the functions return NULL if there is none. */
uint32_t crafty_chat_names_command_count(const CraftyChatNames *names);
const CraftyChatCommand *crafty_chat_names_command_at(const CraftyChatNames *names, uint32_t index);
const CraftyChatCommand *crafty_chat_names_command(const CraftyChatNames *names, CnText name);

/* Parses a line that begins with '/', after blanks. Returns false and the error if it is not a
 * valid command. */
bool crafty_chat_parse(const CraftyChatNames *names, const char *text, CraftyChatParse *parse);

/* Splits a line at blanks; returns the number of words, at most `capacity`. Of each word, only
 * `at` and `bytes` are set. */
uint32_t crafty_chat_split(const char *text, CraftyChatWord *words, uint32_t capacity);
/* Reads a word as the value of a parameter. Returns false if it is none. */
bool crafty_chat_read_word(const CraftyChatNames *names, const CraftyParam *param, CnText text,
                           CraftyChatWord *word);
#define CRAFTY_CHAT_WORD_BYTES 72u
/* Enumerates the words that a parameter accepts, for completion and suggestions: returns the next
 * one, NULL after the last. `cursor` is 0 at first. The word lies in `buffer` or in the names.
 * Numbers and text have none. */
const char *crafty_chat_candidate(const CraftyChatNames *names, const CraftyParam *param,
                                  uint32_t *cursor, char buffer[CRAFTY_CHAT_WORD_BYTES]);

#endif
