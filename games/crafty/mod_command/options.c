#include "options.h"

#include <cairn/base/console.h>
#include <cairn/base/text.h>

#include <stddef.h>
#include <stdio.h>
#include <string.h>

static const char help[] =
    "usage: crafty mod ACTION [NAME|DIR] [options]\n"
    "\n"
    "  list           list the mods that are installed, and what is wrong with them\n"
    "  new NAME       write a working example mod into the folder ./NAME\n"
    "  check DIR      run the definitions of a mod, or of all mods in DIR, and print each mistake\n"
    "                 with mod, file and line; DIR may be a zip archive\n"
    "  enable NAME    run a mod in new worlds, or in one world with --world\n"
    "  disable NAME   the opposite; what the mod added stays in worlds as placeholders\n"
    "  pack DIR       write NAME-VERSION.zip; the same files give the same archive\n"
    "  annotations DIR  write or update the files with which editors know the functions of the game,\n"
    "                 after an update of the game; the game does not read them\n"
    "\n"
    "  --mods DIR     folder of the player's mods (default $XDG_DATA_HOME/crafty/mods)\n"
    "  --world NAME   list, enable, disable: the mods of this world instead of new worlds\n"
    "  --worlds DIR   folder of worlds (default $XDG_DATA_HOME/crafty/worlds)\n"
    "  --output FILE  pack: the archive to write\n"
    "  --help         show this help\n"
    "\n"
    "Exit status: 0 done, 1 failed or mistakes found, 2 wrong usage.\n";

/* ---- Actions ---- */

typedef struct ActionDesc {
    const char *name, *word; /* word: what follows; NULL: nothing */
} ActionDesc;

static const ActionDesc actions[CRAFTY_MOD_ACTION_COUNT] = {
    [CRAFTY_MOD_LIST] = {"list", NULL},
    [CRAFTY_MOD_NEW] = {"new", "a NAME"},
    [CRAFTY_MOD_CHECK] = {"check", "a DIR"},
    [CRAFTY_MOD_ENABLE] = {"enable", "a NAME"},
    [CRAFTY_MOD_DISABLE] = {"disable", "a NAME"},
    [CRAFTY_MOD_PACK] = {"pack", "a DIR"},
    [CRAFTY_MOD_ANNOTATIONS] = {"annotations", "a DIR"},
};

const char *crafty_mod_action_name(CraftyModAction action)
{
    return actions[action].name;
}

static const char *next_action(void *user)
{
    uint32_t *next = user;
    return *next < CRAFTY_MOD_ACTION_COUNT ? actions[(*next)++].name : NULL;
}

static bool read_action(CraftyModOptions *options, const char *word)
{
    for (uint32_t i = 0; i < CRAFTY_MOD_ACTION_COUNT; i++)
        if (!strcmp(word, actions[i].name)) {
            options->action = (CraftyModAction)i;
            return true;
        }
    uint32_t next = 0;
    const char *similar = cn_text_most_similar(word, next_action, &next);
    if (similar)
        cn_print_error("crafty mod: unknown action \"%s\"; did you mean %s?", word, similar);
    else
        cn_print_error("crafty mod: unknown action \"%s\"; see crafty mod --help", word);
    return false;
}

/* ---- Options ---- */

#define ON(action) (1u << CRAFTY_MOD_##action)

typedef struct OptionDesc {
    const char *name;
    size_t offset;
    uint32_t actions; /* bits */
} OptionDesc;

static const OptionDesc known[] = {
    {"--mods", offsetof(CraftyModOptions, mods), ON(LIST) | ON(CHECK) | ON(ENABLE) | ON(DISABLE)},
    {"--world", offsetof(CraftyModOptions, world), ON(LIST) | ON(ENABLE) | ON(DISABLE)},
    {"--worlds", offsetof(CraftyModOptions, worlds), ON(LIST) | ON(ENABLE) | ON(DISABLE)},
    {"--output", offsetof(CraftyModOptions, output), ON(PACK)},
};

static const OptionDesc *find_option(const char *name)
{
    for (uint32_t i = 0; i < CN_COUNT_OF(known); i++)
        if (!strcmp(name, known[i].name))
            return &known[i];
    cn_print_error("crafty mod: unknown option %s; see crafty mod --help", name);
    return NULL;
}

static bool set_option(CraftyModOptions *options, const OptionDesc *option, const char *value,
                       uint32_t *given)
{
    const char **text = (const char **)((char *)options + option->offset);
    if (!value || !value[0]) {
        cn_print_error("crafty mod: %s needs a value", option->name);
        return false;
    }
    if (*text) {
        cn_print_error("crafty mod: %s was given twice", option->name);
        return false;
    }
    *text = value;
    *given |= 1u << (option - known);
    return true;
}

/* ---- The whole ---- */

static bool check(CraftyModOptions *options, const char *action, uint32_t given)
{
    if (!action) {
        cn_print_error("crafty mod: which action? See crafty mod --help");
        return false;
    }
    if (!read_action(options, action))
        return false;
    const ActionDesc *desc = &actions[options->action];
    if (desc->word && !options->word) {
        cn_print_error("crafty mod: %s needs %s; see crafty mod --help", desc->name, desc->word);
        return false;
    }
    if (!desc->word && options->word) {
        cn_print_error("crafty mod: %s takes no \"%s\"", desc->name, options->word);
        return false;
    }
    for (uint32_t i = 0; i < CN_COUNT_OF(known); i++)
        if (given >> i & 1u && !(known[i].actions >> options->action & 1u)) {
            cn_print_error("crafty mod: %s has no option %s; see crafty mod --help", desc->name,
                           known[i].name);
            return false;
        }
    if (options->worlds && !options->world) {
        cn_print_error("crafty mod: --worlds needs --world NAME");
        return false;
    }
    return true;
}

static bool add_word(CraftyModOptions *options, const char **action, const char *word)
{
    if (!*action)
        *action = word;
    else if (!options->word)
        options->word = word;
    else {
        cn_print_error("crafty mod: unexpected \"%s\"; names with blanks need quotes", word);
        return false;
    }
    return true;
}

CraftyModParse crafty_mod_options_read(CraftyModOptions *options, int count, char **arguments)
{
    const char *action = NULL;
    uint32_t given = 0;
    bool only_words = false;
    *options = (CraftyModOptions){0};
    for (int i = 1; i < count; i++) {
        const char *word = arguments[i];
        if (!only_words && !strcmp(word, "--help")) {
            fputs(help, stdout);
            return CRAFTY_MOD_HELPED;
        }
        if (!only_words && !strcmp(word, "--")) { /* names may begin with dashes */
            only_words = true;
        } else if (!only_words && !strncmp(word, "--", 2)) {
            const OptionDesc *option = find_option(word);
            const char *value = i + 1 < count ? arguments[++i] : NULL;
            if (!option || !set_option(options, option, value, &given))
                return CRAFTY_MOD_INVALID;
        } else if (!add_word(options, &action, word))
            return CRAFTY_MOD_INVALID;
    }
    return check(options, action, given) ? CRAFTY_MOD_RUNS : CRAFTY_MOD_INVALID;
}
