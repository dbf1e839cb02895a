#include "chat_run.h"

#include "chat_locate.h"
#include "connection.h"
#include "creature/creature.h"
#include "day.h"
#include "mod/mod_run.h"
#include "player_index.h"
#include "rules.h"
#include "weather.h"

#include <inttypes.h>

/* ---- Answers ---- */

void crafty_chat_reply(const CraftyChatRun *run, const char *format, ...)
{
    CraftyChatLine line = {.to = run->sender, .from = run->sender, .kind = CRAFTY_CHAT_ANSWER};
    va_list arguments;
    va_start(arguments, format);
    cn_format_v(line.text, sizeof line.text, format, arguments);
    va_end(arguments);
    crafty_chat_send(run->world, &line);
}

void crafty_chat_fail(const CraftyChatRun *run, uint32_t word, const char *format, ...)
{
    CraftyChatLine line = {.to = run->sender, .from = run->sender, .kind = CRAFTY_CHAT_ERROR};
    if (word < run->parse->count) {
        line.at = run->parse->words[word].at;
        line.bytes = run->parse->words[word].bytes;
    }
    va_list arguments;
    va_start(arguments, format);
    cn_format_v(line.text, sizeof line.text, format, arguments);
    va_end(arguments);
    crafty_chat_send(run->world, &line);
}

/* The error, and how the form is typed that the line comes closest to. */
static void answer_parse_error(const CraftyChatRun *run)
{
    const CraftyChatParse *parse = run->parse;
    CraftyChatLine line = {.to = run->sender,
                           .from = run->sender,
                           .kind = CRAFTY_CHAT_ERROR,
                           .at = parse->at,
                           .bytes = parse->bytes};
    char usage[CRAFTY_CHAT_USAGE_BYTES];
    size_t size = strlen(parse->error);
    const char *end = size && parse->error[size - 1] == '?' ? "" : ".";
    if (parse->command)
        cn_format(line.text, sizeof line.text, "%s%s Usage: %s", parse->error, end,
                  crafty_chat_usage(parse->command, parse->form, usage));
    else
        cn_format(line.text, sizeof line.text, "%s%s", parse->error, end);
    crafty_chat_send(run->world, &line);
}

/* ---- Arguments ---- */

bool crafty_chat_target(const CraftyChatRun *run, uint32_t word, uint32_t *number, CnEntity *player)
{
    *number = word < run->parse->count ? run->parse->words[word].id : run->sender;
    *player = crafty_player_find(run->players, *number);
    if (player->id && cn_get(run->world, *player, CraftyPlayer))
        return true;
    crafty_chat_fail(run, word, "There is no such player; a console has to name one.");
    return false;
}

/* Returns the value of a coordinate, relative to `origin` if it says so. */
static double resolve(const CraftyChatWord *word, float origin)
{
    return word->is_relative ? (double)origin + word->number : word->number;
}

static bool is_inside(const CraftyChatRun *run, uint32_t first_word, const double at[3])
{
    for (uint32_t i = 0; i < 3; i++) {
        double low = i == 1 ? CRAFTY_CHAT_MIN_Y : -CRAFTY_CHAT_MAX_XZ;
        double high = i == 1 ? CRAFTY_CHAT_MAX_Y : CRAFTY_CHAT_MAX_XZ;
        if (at[i] >= low && at[i] <= high)
            continue;
        crafty_chat_fail(run, first_word + i,
                         "That is outside of the world: %s goes from %d to %d.",
                         i == 1 ? "y" : "x and z", (int)low, (int)high);
        return false;
    }
    return true;
}

/* The position of the feet; that of the origin for the console. */
static CnVec3 feet_of(const CnWorld *world, CnEntity player)
{
    const CnTransform *transform = cn_get(world, player, CnTransform);
    CnVec3 feet = transform ? transform->position : cn_vec3(0, CRAFTY_PLAYER_EYE, 0);
    feet.y -= CRAFTY_PLAYER_EYE;
    return feet;
}

bool crafty_chat_position(const CraftyChatRun *run, CnEntity player, uint32_t first_word,
                          CnVec3 *feet)
{
    const CraftyChatWord *words = &run->parse->words[first_word];
    CnVec3 origin = feet_of(run->world, player);
    double at[3] = {resolve(&words[0], origin.x), resolve(&words[1], origin.y),
                    resolve(&words[2], origin.z)};
    if (!is_inside(run, first_word, at))
        return false;
    for (uint32_t i = 0; i < 3; i += 2)
        if (words[i].is_whole && !words[i].is_relative)
            at[i] += 0.5;
    *feet = cn_vec3((float)at[0], (float)at[1], (float)at[2]);
    return true;
}

bool crafty_chat_cell(const CraftyChatRun *run, uint32_t first_word, CnCell *cell)
{
    const CraftyChatWord *words = &run->parse->words[first_word];
    CnVec3 origin = feet_of(run->world, run->eye);
    double at[3] = {resolve(&words[0], cn_floorf(origin.x)),
                    resolve(&words[1], cn_floorf(origin.y)),
                    resolve(&words[2], cn_floorf(origin.z))};
    if (!is_inside(run, first_word, at))
        return false;
    *cell = (CnCell){(int32_t)cn_floor(at[0]), (int32_t)cn_floor(at[1]), (int32_t)cn_floor(at[2])};
    return true;
}

/* ---- Help ---- */

static void explain(const CraftyChatRun *run, const CraftyChatCommand *command)
{
    char usage[CRAFTY_CHAT_USAGE_BYTES];
    crafty_chat_reply(run, "/%s: %s", command->name, command->help);
    for (uint32_t i = 0; i < command->form_count; i++)
        crafty_chat_reply(run, "Usage: %s", crafty_chat_usage(command, i, usage));
    for (uint32_t i = 0; i < CN_COUNT_OF(command->examples) && command->examples[i]; i++)
        crafty_chat_reply(run, "Example: %s", command->examples[i]);
}

static void help(const CraftyChatRun *run)
{
    CraftyChatLine line = {.to = run->sender, .from = run->sender, .kind = CRAFTY_CHAT_ANSWER};
    if (run->parse->count) {
        explain(run, crafty_chat_names_command_at(run->names, run->parse->words[0].id));
        return;
    }
    cn_copy_text(line.text, sizeof line.text, cn_text("Commands:"));
    for (uint32_t i = 0; i < crafty_chat_names_command_count(run->names); i++) {
        const CraftyChatCommand *command = crafty_chat_names_command_at(run->names, i);
        size_t size = strlen(line.text);
        if (crafty_chat_may_use(command, run->names->role))
            cn_format(line.text + size, sizeof line.text - size, " /%s", command->name);
    }
    crafty_chat_send(run->world, &line);
    crafty_chat_reply(run, run->names->role != CRAFTY_ROLE_OPERATOR
                               ? "This world does not allow other commands to you."
                               : "/help and a name explains a command, such as /help fill. "
                                 "Tab completes words; ~ is your own position.");
}

/* ---- Time and weather ---- */

static void show_time(const CraftyChatRun *run)
{
    const CraftyDay *day = cn_resource(run->world, CraftyDay);
    if (!day) {
        crafty_chat_fail(run, CRAFTY_CHAT_NO_WORD, "This world has no time of day.");
        return;
    }
    uint32_t minutes = (uint32_t)(crafty_day_hours(run->world) * 60 + 0.5f) % (24 * 60);
    crafty_chat_reply(run, "It is %02u:%02u on day %.0f; time runs at %g times the normal speed.",
                      minutes / 60, minutes % 60, cn_floor(day->days) + 1, (double)day->speed);
}

static void change_time(const CraftyChatRun *run, CraftyChatAction action)
{
    CraftyDay *day = cn_resource_mut(run->world, CraftyDay);
    double number = run->parse->words[1].number;
    if (day && action == CRAFTY_CHAT_TIME_SET)
        crafty_day_set_hours(run->world, (float)number);
    else if (day && action == CRAFTY_CHAT_TIME_ADD)
        day->days = day->days + number / 24 > 0 ? day->days + number / 24 : 0;
    else if (day)
        day->speed = (float)number;
    show_time(run);
}

static void change_weather(const CraftyChatRun *run)
{
    CraftyWeather *weather = cn_resource_mut(run->world, CraftyWeather);
    if (!weather) {
        crafty_chat_fail(run, CRAFTY_CHAT_NO_WORD, "This world has no weather.");
        return;
    }
    weather->held = true;
    weather->kind = (uint8_t)run->parse->words[0].id;
    crafty_chat_reply(run, "The weather changes to %s.",
                      crafty_weather_name_of(crafty_weather_kinds(run->world), weather->kind));
}

/* ---- The world ---- */

static void show_seed(const CraftyChatRun *run)
{
    CnGenerator *generator = cn_resource(run->world, CraftyBlocks)->biomes.generator;
    if (generator)
        crafty_chat_reply(run, "Seed: %" PRIu64, cn_generator_seed(generator));
    else
        crafty_chat_fail(run, CRAFTY_CHAT_NO_WORD, "This world has no generator.");
}

static void say(const CraftyChatRun *run, const char *text)
{
    CraftyChatLine line = {
        .to = CRAFTY_CHAT_EVERYONE, .from = run->sender, .kind = CRAFTY_CHAT_SAID};
    const CraftyChatWord *word = &run->parse->words[0];
    cn_copy_text(line.text, sizeof line.text, (CnText){text + word->at, word->bytes});
    crafty_chat_send(run->world, &line);
}

static void list_players(const CraftyChatRun *run)
{
    CraftyChatLine line = {.to = run->sender, .from = run->sender, .kind = CRAFTY_CHAT_ANSWER};
    const CraftyChatNames *names = run->names;
    cn_format(line.text, sizeof line.text, "%u player%s:", names->player_count,
              names->player_count == 1 ? "" : "s");
    for (uint32_t i = 0; i < names->player_count; i++) {
        char name[CRAFTY_PLAYER_NAME_BYTES];
        size_t size = strlen(line.text);
        crafty_player_name(run->world, names->players[i], name);
        if (size + strlen(name) + 5 > sizeof line.text) {
            cn_format(line.text + size, sizeof line.text - size, " ...");
            break;
        }
        cn_format(line.text + size, sizeof line.text - size, " %s", name);
    }
    crafty_chat_send(run->world, &line);
}

/* The sender sees it, too. */
static void whisper(const CraftyChatRun *run, const char *text)
{
    const CraftyChatWord *word = &run->parse->words[1];
    uint32_t number;
    CnEntity player;
    char name[CRAFTY_PLAYER_NAME_BYTES];
    if (!crafty_chat_target(run, 0, &number, &player))
        return;
    CraftyChatLine line = {.to = number, .from = run->sender, .kind = CRAFTY_CHAT_WHISPERED};
    cn_copy_text(line.text, sizeof line.text, (CnText){text + word->at, word->bytes});
    crafty_chat_send(run->world, &line);
    crafty_chat_reply(run, "To %s: %s", crafty_player_name(run->world, number, name), line.text);
}

/* The mod answers. */
static void run_mod(const CraftyChatRun *run, const char *text)
{
    const CraftyChatWord *word = &run->parse->words[0];
    CnText rest = {NULL, 0};
    if (run->parse->count)
        rest = (CnText){text + word->at, word->bytes};
    crafty_mods_run_command(run->world, run->sender, cn_text(run->parse->command->name), rest);
}

/* ---- Lines ---- */

static void carry_out(const CraftyChatRun *run, const char *text)
{
    CraftyChatAction action = run->parse->command->forms[run->parse->form].action;
    switch (action) {
    case CRAFTY_CHAT_HELP:
        help(run);
        break;
    case CRAFTY_CHAT_TIME_SHOW:
        show_time(run);
        break;
    case CRAFTY_CHAT_TIME_SET:
    case CRAFTY_CHAT_TIME_ADD:
    case CRAFTY_CHAT_TIME_SPEED:
        change_time(run, action);
        break;
    case CRAFTY_CHAT_TP_CELL:
    case CRAFTY_CHAT_TP_COLUMN:
    case CRAFTY_CHAT_TP_PLAYER:
    case CRAFTY_CHAT_TP_OTHER:
    case CRAFTY_CHAT_TP_OTHER_CELL:
        crafty_chat_teleport(run, action);
        break;
    case CRAFTY_CHAT_SEED:
        show_seed(run);
        break;
    case CRAFTY_CHAT_WEATHER:
        change_weather(run);
        break;
    case CRAFTY_CHAT_GAMEMODE:
        crafty_chat_gamemode(run);
        break;
    case CRAFTY_CHAT_GIVE:
    case CRAFTY_CHAT_GIVE_OTHER:
        crafty_chat_give(run, action);
        break;
    case CRAFTY_CHAT_CLEAR:
        crafty_chat_clear(run);
        break;
    case CRAFTY_CHAT_LOCATE:
        crafty_chat_locate(run);
        break;
    case CRAFTY_CHAT_FILL:
    case CRAFTY_CHAT_FILL_REPLACE:
        crafty_chat_fill(run, action);
        break;
    case CRAFTY_CHAT_UNDO:
    case CRAFTY_CHAT_REDO:
        crafty_chat_undo(run, action);
        break;
    case CRAFTY_CHAT_KILL:
        crafty_chat_kill(run);
        break;
    case CRAFTY_CHAT_HEAL:
        crafty_chat_heal(run);
        break;
    case CRAFTY_CHAT_SPAWNPOINT:
    case CRAFTY_CHAT_SPAWNPOINT_CELL:
        crafty_chat_spawnpoint(run, action);
        break;
    case CRAFTY_CHAT_SAY:
        say(run, text);
        break;
    case CRAFTY_CHAT_MSG:
        whisper(run, text);
        break;
    case CRAFTY_CHAT_LIST:
        list_players(run);
        break;
    case CRAFTY_CHAT_DIFFICULTY:
        crafty_chat_difficulty(run);
        break;
    case CRAFTY_CHAT_KILL_CREATURES:
        crafty_chat_kill_creatures(run);
        break;
    case CRAFTY_CHAT_NAME:
        crafty_chat_name(run);
        break;
    case CRAFTY_CHAT_SUMMON:
        crafty_chat_summon(run);
        break;
    case CRAFTY_CHAT_MOD:
        run_mod(run, text);
        break;
    case CRAFTY_CHAT_ACTION_COUNT:
        break;
    }
}

CraftyChatNames crafty_chat_names(const CnWorld *world, const CnQuery *players, uint32_t sender)
{
    CraftyChatNames names = {.items = cn_resource(world, CraftyItemList)->items,
                             .blocks = cn_voxels_blocks(cn_resource(world, CraftyBlocks)->voxels),
                             .world = world,
                             .sender = sender,
                             .role =
                                 sender == CRAFTY_CONSOLE
                                     ? CRAFTY_ROLE_OPERATOR
                                     : crafty_role_of(world, crafty_player_find(players, sender))};
    const CraftyCreatureList *list = cn_resource(world, CraftyCreatureList);
    names.creatures = list ? list->kinds : NULL;
    names.weather = crafty_weather_kinds(world);
    names.more = crafty_mods_commands(world, &names.more_count);
    names.players = crafty_player_numbers(world, &names.player_count);
    return names;
}

void crafty_chat_run(CnWorld *world, const CnQuery *players, uint32_t sender, const char *text)
{
    CraftyChatParse parse;
    CraftyChatNames names = crafty_chat_names(world, players, sender);
    CraftyChatRun run = {.world = world,
                         .players = players,
                         .sender = sender,
                         .eye = crafty_player_find(players, sender),
                         .names = &names,
                         .parse = &parse,
                         .text = text};
    bool is_valid = crafty_chat_parse(&names, text, &parse);
    if (parse.command && !crafty_chat_may_use(parse.command, names.role))
        crafty_chat_fail(&run, CRAFTY_CHAT_NO_WORD, "This world does not allow /%s to you.",
                         parse.command->name);
    else if (!is_valid)
        answer_parse_error(&run);
    else
        carry_out(&run, text);
}
