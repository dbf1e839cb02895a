#include "chat_commands.h"

#include "mode.h"

/* ---- Parameters ---- */

#define LITERAL(word)                                                                              \
    {                                                                                              \
        .kind = CRAFTY_PARAM_LITERAL, .name = (word)                                               \
    }
#define PARAM(type, text)                                                                          \
    {                                                                                              \
        .kind = CRAFTY_PARAM_##type, .name = (text)                                                \
    }
#define OPTIONAL(type, text)                                                                       \
    {                                                                                              \
        .kind = CRAFTY_PARAM_##type, .name = (text), .is_optional = true                           \
    }
#define COORDINATES(a, b, c) PARAM(X, a), PARAM(Y, b), PARAM(Z, c)
#define RANGE(type, text, low, high)                                                               \
    {                                                                                              \
        .kind = CRAFTY_PARAM_##type, .name = (text), .min = (low), .max = (high)                   \
    }
#define OPTIONAL_RANGE(type, text, low, high)                                                      \
    {                                                                                              \
        .kind = CRAFTY_PARAM_##type, .name = (text), .is_optional = true, .min = (low),            \
        .max = (high)                                                                              \
    }

#define FORM(what, ...)                                                                            \
    {                                                                                              \
        .action = CRAFTY_CHAT_##what, .params = { __VA_ARGS__ }                                    \
    }
#define PLAIN_FORM(what)                                                                           \
    {                                                                                              \
        .action = CRAFTY_CHAT_##what                                                               \
    }

/* ---- The table ---- */

static const CraftyChatCommand commands[] = {
    {.name = "clear",
     .help = "Removes all items of a player.",
     .examples = {"/clear", "/clear player2"},
     .forms = {FORM(CLEAR, OPTIONAL(PLAYER, "player"))},
     .form_count = 1},
    {.name = "despawn",
     .help = "Removes all creatures without a name or an owner.",
     .examples = {"/despawn"},
     .is_for_moderators = true,
     .forms = {PLAIN_FORM(KILL_CREATURES)},
     .form_count = 1},
    {.name = "difficulty",
     .help = "Decides whether hostile creatures appear.",
     .examples = {"/difficulty peaceful", "/difficulty normal"},
     .common = "/difficulty peaceful",
     .forms = {FORM(DIFFICULTY, PARAM(DIFFICULTY, "peaceful|normal"))},
     .form_count = 1},
    {.name = "fill",
     .help = "Fills a box with a block, or replaces one block by another in it: at most 32,768 "
             "blocks, 128 along each axis. In creative mode, contents drop; "
             "otherwise blocks with contents stay.",
     .examples = {"/fill ~ ~ ~ ~4 ~3 ~4 glass", "/fill 0 60 0 15 70 15 air",
                  "/fill ~-8 ~-4 ~-8 ~8 ~4 ~8 stone replace dirt"},
     .forms = {FORM(FILL, COORDINATES("x1", "y1", "z1"), COORDINATES("x2", "y2", "z2"),
                    PARAM(BLOCK, "block")),
               FORM(FILL_REPLACE, COORDINATES("x1", "y1", "z1"), COORDINATES("x2", "y2", "z2"),
                    PARAM(BLOCK, "block"), LITERAL("replace"), PARAM(BLOCK, "old_block"))},
     .form_count = 2},
    {.name = "gamemode",
     .help = "Changes the game mode of a player.",
     .examples = {"/gamemode creative", "/gamemode survival player2"},
     .common = "/gamemode creative",
     .forms = {FORM(GAMEMODE, PARAM(MODE, "survival|creative|spectator"),
                    OPTIONAL(PLAYER, "player"))},
     .form_count = 1},
    {.name = "give",
     .help = "Gives items to a player; what does not fit is not given.",
     .examples = {"/give torch 64", "/give player2 stone 10"},
     .forms = {FORM(GIVE, PARAM(ITEM, "item"),
                    OPTIONAL_RANGE(COUNT, "count", 1, CRAFTY_CHAT_MAX_GIVE)),
               FORM(GIVE_OTHER, PARAM(PLAYER, "player"), PARAM(ITEM, "item"),
                    OPTIONAL_RANGE(COUNT, "count", 1, CRAFTY_CHAT_MAX_GIVE))},
     .form_count = 2},
    {.name = "heal",
     .help = "Restores the health, food and air of a player.",
     .examples = {"/heal", "/heal player2"},
     .common = "/heal",
     .forms = {FORM(HEAL, OPTIONAL(PLAYER, "player"))},
     .form_count = 1},
    {.name = "help",
     .help = "Lists the commands, or explains one of them.",
     .examples = {"/help", "/help fill"},
     .common = "/help",
     .is_always_allowed = true,
     .forms = {FORM(HELP, OPTIONAL(COMMAND, "command"))},
     .form_count = 1},
    {.name = "kill",
     .help = "Kills a player, who then respawns.",
     .examples = {"/kill", "/kill player2"},
     .forms = {FORM(KILL, OPTIONAL(PLAYER, "player"))},
     .form_count = 1},
    {.name = "list",
     .help = "Lists the players.",
     .examples = {"/list"},
     .common = "/list",
     .is_always_allowed = true,
     .forms = {PLAIN_FORM(LIST)},
     .form_count = 1},
    {.name = "locate",
     .help = "Finds the nearest biome of a kind within 6,400 blocks, or village within 3,200; that "
             "may take a few seconds.",
     .examples = {"/locate desert", "/locate village"},
     .common = "/locate village",
     .is_for_moderators = true,
     .forms = {FORM(LOCATE, PARAM(PLACE, "biome|village"))},
     .form_count = 1},
    {.name = "msg",
     .help = "Says something to one player.",
     .examples = {"/msg player2 Dinner is ready"},
     .is_always_allowed = true,
     .forms = {FORM(MSG, PARAM(PLAYER, "player"), PARAM(TEXT, "text"))},
     .form_count = 1},
    {.name = "name",
     .help = "Names the creature that you look at, which then stays.",
     .examples = {"/name Berta"},
     .forms = {FORM(NAME, PARAM(TEXT, "name"))},
     .form_count = 1},
    {.name = "redo",
     .help = "Restores changes of blocks that were undone.",
     .examples = {"/redo", "/redo 3"},
     .common = "/redo",
     .is_for_moderators = true,
     .forms = {FORM(REDO, OPTIONAL_RANGE(COUNT, "count", 1, CRAFTY_CHAT_MAX_UNDO))},
     .form_count = 1},
    {.name = "say",
     .help = "Says something to everyone.",
     .examples = {"/say Dinner is ready"},
     .is_always_allowed = true,
     .forms = {FORM(SAY, PARAM(TEXT, "text"))},
     .form_count = 1},
    {.name = "seed",
     .help = "Shows the seed of the world.",
     .examples = {"/seed"},
     .common = "/seed",
     .is_for_moderators = true,
     .forms = {PLAIN_FORM(SEED)},
     .form_count = 1},
    {.name = "spawnpoint",
     .help = "Makes a position, or the present one, the place where a player respawns.",
     .examples = {"/spawnpoint", "/spawnpoint 10 64 -3"},
     .common = "/spawnpoint",
     .forms = {PLAIN_FORM(SPAWNPOINT), FORM(SPAWNPOINT_CELL, COORDINATES("x", "y", "z"))},
     .form_count = 2},
    {.name = "summon",
     .help = "Makes a creature appear before you, or at a position.",
     .examples = {"/summon duck", "/summon wolf ~ ~ ~5"},
     .forms = {FORM(SUMMON, PARAM(CREATURE, "creature")),
               FORM(SUMMON, PARAM(CREATURE, "creature"), COORDINATES("x", "y", "z"))},
     .form_count = 2},
    {.name = "time",
     .help = "Shows or changes the time of day; a speed of 0 stops it, 1 is normal.",
     .examples = {"/time set noon", "/time add 1:30", "/time speed 20"},
     .common = "/time set day",
     .forms = {PLAIN_FORM(TIME_SHOW),
               FORM(TIME_SET, LITERAL("set"), PARAM(TIME, "day|noon|night|HH:MM")),
               FORM(TIME_ADD, LITERAL("add"),
                    RANGE(DURATION, "hours", -CRAFTY_CHAT_MAX_ADD, CRAFTY_CHAT_MAX_ADD)),
               FORM(TIME_SPEED, LITERAL("speed"),
                    RANGE(NUMBER, "factor", 0, CRAFTY_CHAT_MAX_SPEED))},
     .form_count = 4},
    {.name = "tp",
     .help = "Moves a player to a position, onto the ground at x and z, or to another player.",
     .examples = {"/tp 100 70 -20", "/tp ~ ~10 ~", "/tp 100 -20"},
     .is_for_moderators = true,
     .forms = {FORM(TP_CELL, COORDINATES("x", "y", "z")),
               FORM(TP_COLUMN, PARAM(X, "x"), PARAM(Z, "z")),
               FORM(TP_PLAYER, PARAM(PLAYER, "to_player")),
               FORM(TP_OTHER, PARAM(PLAYER, "player"), PARAM(PLAYER, "to_player")),
               FORM(TP_OTHER_CELL, PARAM(PLAYER, "player"), COORDINATES("x", "y", "z"))},
     .form_count = 5},
    {.name = "undo",
     .help = "Undoes your last changes of blocks; a /fill is one change.",
     .examples = {"/undo", "/undo 3"},
     .common = "/undo",
     .is_for_moderators = true,
     .forms = {FORM(UNDO, OPTIONAL_RANGE(COUNT, "count", 1, CRAFTY_CHAT_MAX_UNDO))},
     .form_count = 1},
    {.name = "weather",
     .help = "Changes the weather, which then stays.",
     .examples = {"/weather clear", "/weather heavy-rain"},
     .common = "/weather clear",
     .forms = {FORM(WEATHER, PARAM(WEATHER, "kind"))},
     .form_count = 1},
};

uint32_t crafty_chat_command_count(void)
{
    return CN_COUNT_OF(commands);
}

const CraftyChatCommand *crafty_chat_command_at(uint32_t index)
{
    return index < CN_COUNT_OF(commands) ? &commands[index] : NULL;
}

const CraftyChatCommand *crafty_chat_command_find(CnText name)
{
    for (uint32_t i = 0; i < CN_COUNT_OF(commands); i++)
        if (cn_text_equal(name, cn_text(commands[i].name)))
            return &commands[i];
    return NULL;
}

bool crafty_chat_may_use(const CraftyChatCommand *command, CraftyRole role)
{
    return command->is_always_allowed || role == CRAFTY_ROLE_OPERATOR ||
           (command->is_for_moderators && role == CRAFTY_ROLE_MODERATOR);
}

uint32_t crafty_chat_param_count(const CraftyChatForm *form)
{
    uint32_t count = 0;
    while (count < CRAFTY_CHAT_MAX_PARAMS && form->params[count].kind != CRAFTY_PARAM_NONE)
        count++;
    return count;
}

const char *crafty_chat_usage(const CraftyChatCommand *command, uint32_t form,
                              char usage[CRAFTY_CHAT_USAGE_BYTES])
{
    const CraftyParam *params = command->forms[form].params;
    uint32_t count = crafty_chat_param_count(&command->forms[form]);
    size_t size = 0;
    cn_format(usage, CRAFTY_CHAT_USAGE_BYTES, "/%s", command->name);
    if (command->usage) {
        if (*command->usage)
            cn_format(usage, CRAFTY_CHAT_USAGE_BYTES, "/%s %s", command->name, command->usage);
        return usage;
    }
    for (uint32_t i = 0; i < count; i++) {
        size = strlen(usage);
        cn_format(usage + size, CRAFTY_CHAT_USAGE_BYTES - size,
                  params[i].is_optional ? " [%s]" : " %s", params[i].name);
    }
    return usage;
}

/* ---- Words ---- */

const char *crafty_chat_mode_name(uint32_t mode)
{
    return mode < CRAFTY_MODE_COUNT ? crafty_mode_name((CraftyPlayerMode)mode) : NULL;
}

const char *crafty_chat_difficulty_name(uint32_t index)
{
    static const char *const names[] = {"peaceful", "normal"};
    return index < CN_COUNT_OF(names) ? names[index] : NULL;
}

const char *crafty_chat_place_name(uint32_t place)
{
    if (place == CRAFTY_CHAT_VILLAGE)
        return "village";
    return place < CN_BIOME_COUNT ? cn_biome_name((CnBiome)place) : NULL;
}

const char *crafty_chat_time_word(uint32_t index, double *hours)
{
    static const struct {
        const char *word;
        double hours;
    } words[] = {{"dawn", 6},  {"day", 8},    {"noon", 12},
                 {"dusk", 18}, {"night", 20}, {"midnight", 0}};
    if (index >= CN_COUNT_OF(words))
        return NULL;
    if (hours)
        *hours = words[index].hours;
    return words[index].word;
}
