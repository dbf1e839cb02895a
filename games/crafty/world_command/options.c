#include "options.h"

#include <cairn/base/console.h>
#include <cairn/base/text.h>

#include <errno.h>
#include <inttypes.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

#define MAX_SECONDS 86400u
#define MAX_ROUNDS 1000000u

static const char help[] =
    "usage: crafty world ACTION [NAME] [options]\n"
    "\n"
    "  list                 list the worlds, last played first\n"
    "  create NAME          create a world\n"
    "  info NAME            show everything about a world\n"
    "  rename NAME NEW      rename a world and its file\n"
    "  copy NAME NEW        copy a world\n"
    "  backup NAME          write a copy to the folder backups\n"
    "  restore NAME         bring back the newest backup or deleted world of this name; a backup\n"
    "                       takes the place of the world, which becomes a backup itself\n"
    "  export NAME FILE     write one compact file, to keep or to take to another computer\n"
    "  import FILE          check such a file and add it to the worlds\n"
    "  verify NAME          check every row of a world; exit status 1 if there is damage\n"
    "  repair NAME          keep everything that is not damaged; the original becomes a backup\n"
    "  compact NAME         remove unused space from the file\n"
    "  delete NAME          move a world to the folder deleted\n"
    "  torture              test how this disk keeps worlds: power cuts, kills, faults\n"
    "\n"
    "NAME is the name of a world or of its file, or a path.\n"
    "\n"
    "  --worlds DIR         folder of worlds (default $XDG_DATA_HOME/crafty/worlds)\n"
    "  --json               print one JSON document, also for errors\n"
    "  --quiet              print no progress\n"
    "  --backups, --deleted list: these instead of the worlds\n"
    "  --seed TEXT          create: a number, or any text (default: random); repair: the seed, if\n"
    "                       it is lost\n"
    "  --generator ID       create: the generator (default cairn.terrain)\n"
    "  --mode MODE          create: survival (default), creative or spectator\n"
    "  --allow-commands     create: players may use commands such as /tp, also in survival\n"
    "  --from FILE          restore: this backup or deleted world\n"
    "  --name NEW           restore, import: the name of the new world, which must be free\n"
    "  --all                verify: every world\n"
    "  --permanently        delete: at once and for good\n"
    "  --folder DIR         torture: a folder on the disk to test (default: that of the worlds)\n"
    "  --seconds N          torture: stop after about N seconds (default 60)\n"
    "  --rounds N           torture: stop after N rounds of each kind\n"
    "  --help               show this help\n"
    "\n"
    "Exit status: 0 done, 1 failed or damage found, 2 wrong usage.\n";

/* ---- Actions ---- */

typedef struct ActionDesc {
    const char *name;
    uint32_t words;      /* that follow */
    const char *missing; /* what they are */
} ActionDesc;

static const ActionDesc actions[CRAFTY_WORLD_ACTION_COUNT] = {
    [CRAFTY_WORLD_LIST] = {"list", 0, ""},
    [CRAFTY_WORLD_CREATE] = {"create", 1, "a NAME"},
    [CRAFTY_WORLD_INFO] = {"info", 1, "a NAME"},
    [CRAFTY_WORLD_RENAME] = {"rename", 2, "a NAME and a NEW name"},
    [CRAFTY_WORLD_COPY] = {"copy", 2, "a NAME and a NEW name"},
    [CRAFTY_WORLD_BACKUP] = {"backup", 1, "a NAME"},
    [CRAFTY_WORLD_RESTORE] = {"restore", 1, "a NAME"},
    [CRAFTY_WORLD_EXPORT] = {"export", 2, "a NAME and a FILE"},
    [CRAFTY_WORLD_IMPORT] = {"import", 1, "a FILE"},
    [CRAFTY_WORLD_VERIFY] = {"verify", 1, "a NAME or --all"},
    [CRAFTY_WORLD_REPAIR] = {"repair", 1, "a NAME"},
    [CRAFTY_WORLD_COMPACT] = {"compact", 1, "a NAME"},
    [CRAFTY_WORLD_DELETE] = {"delete", 1, "a NAME"},
    [CRAFTY_WORLD_TORTURE] = {"torture", 0, ""},
};

const char *crafty_world_action_name(CraftyWorldAction action)
{
    return actions[action].name;
}

static const char *next_action(void *user)
{
    uint32_t *next = user;
    return *next < CRAFTY_WORLD_ACTION_COUNT ? actions[(*next)++].name : NULL;
}

static bool read_action(CraftyWorldOptions *options, const char *word)
{
    for (uint32_t i = 0; i < CRAFTY_WORLD_ACTION_COUNT; i++)
        if (!strcmp(word, actions[i].name)) {
            options->action = (CraftyWorldAction)i;
            return true;
        }
    uint32_t next = 0;
    const char *similar = cn_text_most_similar(word, next_action, &next);
    if (similar)
        cn_print_error("crafty world: unknown action \"%s\"; did you mean %s?", word, similar);
    else
        cn_print_error("crafty world: unknown action \"%s\"; see crafty world --help", word);
    return false;
}

/* ---- Options ---- */

typedef enum OptionKind { OPTION_FLAG, OPTION_TEXT, OPTION_NUMBER } OptionKind;

#define ON(action) (1u << CRAFTY_WORLD_##action)
#define ON_ALL UINT32_MAX

typedef struct OptionDesc {
    const char *name;
    OptionKind kind;
    size_t offset;
    uint32_t actions; /* bits */
    uint64_t most;    /* of a number */
} OptionDesc;

static const OptionDesc known[] = {
    {"--worlds", OPTION_TEXT, offsetof(CraftyWorldOptions, worlds), ON_ALL, 0},
    {"--json", OPTION_FLAG, offsetof(CraftyWorldOptions, json), ON_ALL, 0},
    {"--quiet", OPTION_FLAG, offsetof(CraftyWorldOptions, quiet), ON_ALL, 0},
    {"--backups", OPTION_FLAG, offsetof(CraftyWorldOptions, backups), ON(LIST), 0},
    {"--deleted", OPTION_FLAG, offsetof(CraftyWorldOptions, deleted), ON(LIST), 0},
    {"--seed", OPTION_TEXT, offsetof(CraftyWorldOptions, seed), ON(CREATE) | ON(REPAIR), 0},
    {"--generator", OPTION_TEXT, offsetof(CraftyWorldOptions, generator), ON(CREATE), 0},
    {"--mode", OPTION_TEXT, offsetof(CraftyWorldOptions, mode_text), ON(CREATE), 0},
    {"--allow-commands", OPTION_FLAG, offsetof(CraftyWorldOptions, allow_commands), ON(CREATE), 0},
    {"--from", OPTION_TEXT, offsetof(CraftyWorldOptions, from), ON(RESTORE), 0},
    {"--name", OPTION_TEXT, offsetof(CraftyWorldOptions, name), ON(RESTORE) | ON(IMPORT), 0},
    {"--all", OPTION_FLAG, offsetof(CraftyWorldOptions, all), ON(VERIFY), 0},
    {"--permanently", OPTION_FLAG, offsetof(CraftyWorldOptions, permanently), ON(DELETE), 0},
    {"--folder", OPTION_TEXT, offsetof(CraftyWorldOptions, folder), ON(TORTURE), 0},
    {"--seconds", OPTION_NUMBER, offsetof(CraftyWorldOptions, seconds), ON(TORTURE), MAX_SECONDS},
    {"--rounds", OPTION_NUMBER, offsetof(CraftyWorldOptions, rounds), ON(TORTURE), MAX_ROUNDS},
};

static const OptionDesc *find_option(const char *name)
{
    for (uint32_t i = 0; i < CN_COUNT_OF(known); i++)
        if (!strcmp(name, known[i].name))
            return &known[i];
    return NULL;
}

static bool read_number(const OptionDesc *option, const char *text, uint64_t *number)
{
    char *end;
    errno = 0;
    uint64_t value = strtoull(text, &end, 10);
    if (*text >= '0' && *text <= '9' && !*end && !errno && value >= 1 && value <= option->most) {
        *number = value;
        return true;
    }
    cn_print_error("crafty world: %s needs a number from 1 to %" PRIu64 ", not \"%s\"",
                   option->name, option->most, text);
    return false;
}

/* Moves *at to the last word of the option. */
static bool read_option(CraftyWorldOptions *options, uint32_t *given, int count, char **arguments,
                        int *at)
{
    const OptionDesc *option = find_option(arguments[*at]);
    if (!option) {
        cn_print_error("crafty world: unknown option %s; see crafty world --help", arguments[*at]);
        return false;
    }
    *given |= 1u << (option - known);
    void *value = (char *)options + option->offset;
    if (option->kind == OPTION_FLAG) {
        *(bool *)value = true;
        return true;
    }
    if (++*at == count) {
        cn_print_error("crafty world: %s needs a value; see crafty world --help", option->name);
        return false;
    }
    if (option->kind == OPTION_NUMBER)
        return read_number(option, arguments[*at], value);
    *(const char **)value = arguments[*at];
    return true;
}

/* ---- All words ---- */

typedef struct Words {
    const char *items[3]; /* the action and its words */
    uint32_t count;
} Words;

static bool add_word(Words *words, const char *word)
{
    if (words->count < CN_COUNT_OF(words->items)) {
        words->items[words->count++] = word;
        return true;
    }
    cn_print_error("crafty world: \"%s\" is too much; names with blanks need quotes", word);
    return false;
}

static bool check_words(CraftyWorldOptions *options, const Words *words, uint32_t given)
{
    if (words->count == 0) {
        cn_print_error("crafty world: which action? See crafty world --help");
        return false;
    }
    if (!read_action(options, words->items[0]))
        return false;
    const ActionDesc *action = &actions[options->action];
    uint32_t wanted = options->all ? 0 : action->words;
    if (words->count - 1 < wanted) {
        cn_print_error("crafty world: %s needs %s; see crafty world --help", action->name,
                       action->missing);
        return false;
    }
    if (words->count - 1 > wanted) {
        cn_print_error("crafty world: %s takes no \"%s\"; names with blanks need quotes",
                       action->name, words->items[wanted + 1]);
        return false;
    }
    for (uint32_t i = 0; i < CN_COUNT_OF(known); i++)
        if (given >> i & 1u && !(known[i].actions >> options->action & 1u)) {
            cn_print_error("crafty world: %s has no option %s; see crafty world --help",
                           action->name, known[i].name);
            return false;
        }
    options->first = words->count > 1 ? words->items[1] : NULL;
    options->second = words->count > 2 ? words->items[2] : NULL;
    return true;
}

static bool check_values(CraftyWorldOptions *options)
{
    options->mode = CRAFTY_MODE_SURVIVAL;
    if (options->mode_text && !crafty_mode_parse(options->mode_text, &options->mode)) {
        cn_print_error("crafty world: --mode needs survival, creative or spectator, not \"%s\"",
                       options->mode_text);
        return false;
    }
    if (options->worlds && !options->worlds[0]) {
        cn_print_error("crafty world: --worlds needs the path of a folder");
        return false;
    }
    if (options->folder && !options->folder[0]) {
        cn_print_error("crafty world: --folder needs the path of a folder");
        return false;
    }
    if (options->backups && options->deleted) {
        cn_print_error("crafty world: --backups and --deleted cannot be combined");
        return false;
    }
    return true;
}

CraftyWorldParse crafty_world_options_read(CraftyWorldOptions *options, int count, char **arguments)
{
    Words words = {0};
    uint32_t given = 0;
    bool only_words = false;
    *options = (CraftyWorldOptions){0};
    for (int i = 1; i < count; i++) {
        const char *word = arguments[i];
        if (!only_words && !strcmp(word, "--help")) {
            fputs(help, stdout);
            return CRAFTY_WORLD_HELPED;
        }
        if (!only_words && !strcmp(word, "--")) { /* names may begin with dashes */
            only_words = true;
            continue;
        }
        bool is_option = !only_words && !strncmp(word, "--", 2);
        if (is_option ? !read_option(options, &given, count, arguments, &i)
                      : !add_word(&words, word))
            return CRAFTY_WORLD_INVALID;
    }
    return check_words(options, &words, given) && check_values(options) ? CRAFTY_WORLD_RUN
                                                                        : CRAFTY_WORLD_INVALID;
}
