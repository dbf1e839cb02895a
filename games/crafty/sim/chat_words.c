/*
 * The words of command lines: reading them as values of parameters, and listing those that a
 * parameter accepts.
 */
#include "chat.h"
#include "chat_parse.h"
#include "connection.h"
#include "player_index.h"
#include "weather.h"

#define MAX_DIGITS 8u   /* before the point */
#define MAX_FRACTION 4u /* after it */

/* ---- Numbers ---- */

/* Reads digits from the front of the text. Returns false if there are none or too many. */
static bool read_digits(CnText *text, uint32_t most, uint32_t *number, uint32_t *count)
{
    *number = *count = 0;
    while (text->size && text->data[0] >= '0' && text->data[0] <= '9') {
        if (++*count > most)
            return false;
        *number = *number * 10 + (uint32_t)(text->data[0] - '0');
        *text = (CnText){text->data + 1, text->size - 1};
    }
    return *count > 0;
}

static bool skip(CnText *text, char character)
{
    if (!text->size || text->data[0] != character)
        return false;
    *text = (CnText){text->data + 1, text->size - 1};
    return true;
}

/* Reads "-12.5"; the same number everywhere, unlike strtod, which depends on the locale. */
static bool read_number(CnText text, double *number, bool *is_whole)
{
    static const double powers[MAX_FRACTION + 1] = {1, 10, 100, 1000, 10000};
    uint32_t whole = 0, fraction = 0, count = 0, places = 0;
    bool is_negative = skip(&text, '-');
    if (!read_digits(&text, MAX_DIGITS, &whole, &count))
        return false;
    *is_whole = !skip(&text, '.');
    if (!*is_whole && !read_digits(&text, MAX_FRACTION, &fraction, &places))
        return false;
    *number = (double)whole + (double)fraction / powers[places];
    if (is_negative)
        *number = -*number;
    return text.size == 0;
}

/* Reads "7:05" as 7 hours and 5 minutes. */
static bool read_clock(CnText text, double *hours)
{
    uint32_t hour, minute, count;
    bool is_negative = skip(&text, '-');
    if (!read_digits(&text, 3, &hour, &count) || !skip(&text, ':') ||
        !read_digits(&text, 2, &minute, &count) || count != 2 || text.size || minute >= 60)
        return false;
    *hours = hour + minute / 60.0;
    if (is_negative)
        *hours = -*hours;
    return true;
}

static bool read_time(CnText text, double *hours)
{
    const char *word;
    for (uint32_t i = 0; (word = crafty_chat_time_word(i, hours)); i++)
        if (cn_text_equal(text, cn_text(word)))
            return true;
    return read_clock(text, hours) && *hours >= 0 && *hours < 24;
}

static bool is_in_range(const CraftyParam *param, double number)
{
    return number >= param->min && number <= param->max;
}

/* A coordinate that is not relative is within the world. */
static bool read_coordinate(const CraftyParam *param, CnText text, CraftyChatWord *word)
{
    word->is_relative = skip(&text, '~');
    word->number = 0;
    word->is_whole = false;
    if (word->is_relative && !text.size)
        return true;
    if (!read_number(text, &word->number, &word->is_whole))
        return false;
    if (word->is_relative)
        return true;
    return param->kind == CRAFTY_PARAM_Y
               ? word->number >= CRAFTY_CHAT_MIN_Y && word->number <= CRAFTY_CHAT_MAX_Y
               : word->number >= -CRAFTY_CHAT_MAX_XZ && word->number <= CRAFTY_CHAT_MAX_XZ;
}

/* ---- Names ---- */

static bool read_player(const CraftyChatNames *names, CnText text, uint32_t *player)
{
    char name[CRAFTY_PLAYER_NAME_BYTES];
    if (cn_text_equal(text, cn_text("me"))) {
        *player = names->sender;
        return names->sender != CRAFTY_CONSOLE;
    }
    if (names->world) {
        *player = crafty_player_named(names->world, text);
        return *player != 0;
    }
    for (uint32_t i = 0; i < names->player_count; i++) {
        *player = names->players[i];
        if (cn_text_equal(text, cn_text(crafty_player_default_name(*player, name))))
            return true;
    }
    return false;
}

static bool read_item(const CraftyItems *items, CnText text, uint32_t *item)
{
    char name[CRAFTY_ITEM_NAME_BYTES];
    if (!cn_copy_text(name, sizeof name, text))
        return false;
    *item = crafty_items_find(items, name);
    const CraftyItemInfo *info = *item ? crafty_items_info(items, *item) : NULL;
    return info && info->is_known;
}

static bool is_offered(const CnBlockTable *blocks, uint32_t block)
{
    return cn_block_exists(blocks, (CnBlock)block) &&
           !cn_block_info(blocks, (CnBlock)block)->is_placeholder;
}

static bool read_block(const CnBlockTable *blocks, CnText text, uint32_t *block)
{
    char name[CN_BLOCK_NAME_BYTES];
    if (!cn_copy_text(name, sizeof name, text))
        return false;
    *block = cn_block_find(blocks, name);
    return *block != CN_BLOCK_NONE && is_offered(blocks, *block);
}

static bool read_weather(const CraftyWeatherKinds *kinds, CnText text, uint32_t *weather)
{
    char name[CRAFTY_CHAT_WORD_BYTES];
    return cn_copy_text(name, sizeof name, text) && crafty_weather_find(kinds, name, weather);
}

static const char *next_weather(const CraftyWeatherKinds *kinds, uint32_t index)
{
    const CraftyWeatherKindInfo *kind =
        index < CRAFTY_WEATHER_COUNT ? NULL
                                     : crafty_weather_kind_at(kinds, index - CRAFTY_WEATHER_COUNT);
    if (index < CRAFTY_WEATHER_COUNT)
        return crafty_weather_name((CraftyWeatherKind)index);
    return kind ? kind->name : NULL;
}

/* Finds a word among those of a function that returns NULL after the last. */
static bool read_choice(const char *(*name)(uint32_t index), CnText text, uint32_t *index)
{
    for (*index = 0; name(*index); (*index)++)
        if (cn_text_equal(text, cn_text(name(*index))))
            return true;
    return false;
}

static bool read_creature(const CraftyCreatureKinds *kinds, CnText text, uint32_t *index)
{
    for (*index = 0; *index < crafty_creature_kinds_count(kinds); (*index)++)
        if (cn_text_equal(text, cn_text(crafty_creature_kind_at(kinds, *index)->name)))
            return true;
    return false;
}

uint32_t crafty_chat_names_command_count(const CraftyChatNames *names)
{
    return crafty_chat_command_count() + names->more_count;
}

const CraftyChatCommand *crafty_chat_names_command_at(const CraftyChatNames *names, uint32_t index)
{
    uint32_t own = crafty_chat_command_count();
    return index < own                       ? crafty_chat_command_at(index)
           : index - own < names->more_count ? &names->more[index - own]
                                             : NULL;
}

static bool read_command(const CraftyChatNames *names, CnText text, uint32_t *index)
{
    skip(&text, '/');
    for (*index = 0; *index < crafty_chat_names_command_count(names); (*index)++)
        if (cn_text_equal(text, cn_text(crafty_chat_names_command_at(names, *index)->name)))
            return true;
    return false;
}

const CraftyChatCommand *crafty_chat_names_command(const CraftyChatNames *names, CnText name)
{
    uint32_t index;
    return name.size && name.data[0] != '/' && read_command(names, name, &index)
               ? crafty_chat_names_command_at(names, index)
               : NULL;
}

bool crafty_chat_read_word(const CraftyChatNames *names, const CraftyParam *param, CnText text,
                           CraftyChatWord *word)
{
    switch (param->kind) {
    case CRAFTY_PARAM_LITERAL:
        return cn_text_equal(text, cn_text(param->name));
    case CRAFTY_PARAM_COMMAND:
        return read_command(names, text, &word->id);
    case CRAFTY_PARAM_PLAYER:
        return read_player(names, text, &word->id);
    case CRAFTY_PARAM_ITEM:
        return read_item(names->items, text, &word->id);
    case CRAFTY_PARAM_BLOCK:
        return read_block(names->blocks, text, &word->id);
    case CRAFTY_PARAM_PLACE:
        return read_choice(crafty_chat_place_name, text, &word->id);
    case CRAFTY_PARAM_WEATHER:
        return read_weather(names->weather, text, &word->id);
    case CRAFTY_PARAM_MODE:
        return read_choice(crafty_chat_mode_name, text, &word->id);
    case CRAFTY_PARAM_DIFFICULTY:
        return read_choice(crafty_chat_difficulty_name, text, &word->id);
    case CRAFTY_PARAM_CREATURE:
        return read_creature(names->creatures, text, &word->id);
    case CRAFTY_PARAM_TIME:
        return read_time(text, &word->number);
    case CRAFTY_PARAM_DURATION:
        return (read_clock(text, &word->number) ||
                read_number(text, &word->number, &word->is_whole)) &&
               is_in_range(param, word->number);
    case CRAFTY_PARAM_NUMBER:
        return read_number(text, &word->number, &word->is_whole) &&
               is_in_range(param, word->number);
    case CRAFTY_PARAM_COUNT:
        return read_number(text, &word->number, &word->is_whole) && word->is_whole &&
               is_in_range(param, word->number);
    case CRAFTY_PARAM_X:
    case CRAFTY_PARAM_Y:
    case CRAFTY_PARAM_Z:
        return read_coordinate(param, text, word);
    case CRAFTY_PARAM_TEXT:
        return text.size > 0;
    case CRAFTY_PARAM_NONE:
    case CRAFTY_PARAM_KIND_COUNT:
        break;
    }
    return false;
}

/* ---- Candidates ---- */

static const char *next_block(const CnBlockTable *blocks, uint32_t *cursor)
{
    while (*cursor < blocks->count && !is_offered(blocks, *cursor))
        ++*cursor;
    return *cursor < blocks->count ? cn_block_info(blocks, (CnBlock)(*cursor)++)->name : NULL;
}

static const char *next_item(const CraftyItems *items, uint32_t *cursor)
{
    return *cursor < crafty_items_count(items)
               ? crafty_items_info(items, crafty_items_at(items, (*cursor)++))->name
               : NULL;
}

static const char *next_command(const CraftyChatNames *names, uint32_t *cursor)
{
    while (*cursor < crafty_chat_names_command_count(names)) {
        const CraftyChatCommand *command = crafty_chat_names_command_at(names, (*cursor)++);
        if (crafty_chat_may_use(command, names->role))
            return command->name;
    }
    return NULL;
}

static const char *next_player(const CraftyChatNames *names, uint32_t *cursor,
                               char buffer[CRAFTY_CHAT_WORD_BYTES])
{
    CN_STATIC_ASSERT(CRAFTY_PLAYER_NAME_BYTES <= CRAFTY_CHAT_WORD_BYTES, "names fit");
    uint32_t index = (*cursor)++;
    if (index < names->player_count && names->world)
        return crafty_player_name(names->world, names->players[index], buffer);
    if (index < names->player_count)
        return crafty_player_default_name(names->players[index], buffer);
    return index == names->player_count && names->sender != CRAFTY_CONSOLE ? "me" : NULL;
}

static const char *next_coordinate(const CraftyChatNames *names, CraftyParamKind kind,
                                   uint32_t *cursor, char buffer[CRAFTY_CHAT_WORD_BYTES])
{
    int32_t aim = kind == CRAFTY_PARAM_X   ? names->aim.x
                  : kind == CRAFTY_PARAM_Y ? names->aim.y
                                           : names->aim.z;
    uint32_t index = (*cursor)++;
    if (index == 0 && names->has_aim) {
        cn_format(buffer, CRAFTY_CHAT_WORD_BYTES, "%d", aim);
        return buffer;
    }
    return index == (names->has_aim ? 1u : 0u) ? "~" : NULL;
}

const char *crafty_chat_candidate(const CraftyChatNames *names, const CraftyParam *param,
                                  uint32_t *cursor, char buffer[CRAFTY_CHAT_WORD_BYTES])
{
    uint32_t index = *cursor;
    switch (param->kind) {
    case CRAFTY_PARAM_LITERAL:
        ++*cursor;
        return index == 0 ? param->name : NULL;
    case CRAFTY_PARAM_COMMAND:
        return next_command(names, cursor);
    case CRAFTY_PARAM_PLAYER:
        return next_player(names, cursor, buffer);
    case CRAFTY_PARAM_ITEM:
        return next_item(names->items, cursor);
    case CRAFTY_PARAM_BLOCK:
        return next_block(names->blocks, cursor);
    case CRAFTY_PARAM_PLACE:
        ++*cursor;
        return crafty_chat_place_name(index);
    case CRAFTY_PARAM_WEATHER:
        ++*cursor;
        return next_weather(names->weather, index);
    case CRAFTY_PARAM_MODE:
        ++*cursor;
        return crafty_chat_mode_name(index);
    case CRAFTY_PARAM_DIFFICULTY:
        ++*cursor;
        return crafty_chat_difficulty_name(index);
    case CRAFTY_PARAM_CREATURE:
        ++*cursor;
        return index < crafty_creature_kinds_count(names->creatures)
                   ? crafty_creature_kind_at(names->creatures, index)->name
                   : NULL;
    case CRAFTY_PARAM_TIME:
        ++*cursor;
        return crafty_chat_time_word(index, NULL);
    case CRAFTY_PARAM_X:
    case CRAFTY_PARAM_Y:
    case CRAFTY_PARAM_Z:
        return next_coordinate(names, param->kind, cursor, buffer);
    case CRAFTY_PARAM_NONE:
    case CRAFTY_PARAM_DURATION:
    case CRAFTY_PARAM_NUMBER:
    case CRAFTY_PARAM_COUNT:
    case CRAFTY_PARAM_TEXT:
    case CRAFTY_PARAM_KIND_COUNT:
        break;
    }
    return NULL;
}
