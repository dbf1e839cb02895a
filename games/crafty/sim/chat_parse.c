#include "chat_parse.h"

#include "command.h"

#define MAX_WORDS (CRAFTY_COMMAND_TEXT_BYTES / 2)

typedef struct Line {
    const CraftyChatNames *names;
    const char *text;
    CraftyChatWord words[MAX_WORDS];
    uint32_t count;
} Line;

static CnText text_of(const Line *line, uint32_t word)
{
    return (CnText){line->text + line->words[word].at, line->words[word].bytes};
}

uint32_t crafty_chat_split(const char *text, CraftyChatWord *words, uint32_t capacity)
{
    uint32_t count = 0;
    size_t size = strnlen(text, CRAFTY_COMMAND_TEXT_BYTES - 1);
    for (size_t at = 0; at < size && count < capacity;) {
        if (text[at] == ' ') {
            at++;
            continue;
        }
        size_t end = at;
        while (end < size && text[end] != ' ')
            end++;
        words[count++] = (CraftyChatWord){.at = (uint8_t)at, .bytes = (uint8_t)(end - at)};
        at = end;
    }
    return count;
}

/* ---- Errors ---- */

static void set_error(CraftyChatParse *parse, const Line *line, uint32_t word)
{
    size_t size = strnlen(line->text, CRAFTY_COMMAND_TEXT_BYTES - 1);
    parse->is_incomplete = word >= line->count;
    parse->at = parse->is_incomplete ? (uint8_t)size : line->words[word].at;
    parse->bytes = parse->is_incomplete ? 0 : line->words[word].bytes;
}

/* What a parameter is called in errors. */
static const char *noun_of(const CraftyParam *param)
{
    static const char *const nouns[CRAFTY_PARAM_KIND_COUNT] = {
        [CRAFTY_PARAM_COMMAND] = "a command",
        [CRAFTY_PARAM_PLAYER] = "a player",
        [CRAFTY_PARAM_ITEM] = "an item",
        [CRAFTY_PARAM_BLOCK] = "a block",
        [CRAFTY_PARAM_PLACE] = "a biome or village",
        [CRAFTY_PARAM_WEATHER] = "a kind of weather",
        [CRAFTY_PARAM_MODE] = "survival, creative or spectator",
        [CRAFTY_PARAM_CREATURE] = "a creature",
        [CRAFTY_PARAM_DIFFICULTY] = "peaceful or normal",
        [CRAFTY_PARAM_TIME] = "a time such as noon or 14:30",
        [CRAFTY_PARAM_DURATION] = "hours such as 2 or 1:30",
        [CRAFTY_PARAM_NUMBER] = "a number",
        [CRAFTY_PARAM_COUNT] = "a whole number",
        [CRAFTY_PARAM_X] = "a coordinate such as 10 or ~5",
        [CRAFTY_PARAM_Y] = "a coordinate such as 64 or ~5",
        [CRAFTY_PARAM_Z] = "a coordinate such as 10 or ~5",
        [CRAFTY_PARAM_TEXT] = "a text",
    };
    return param->kind == CRAFTY_PARAM_LITERAL ? param->name : nouns[param->kind];
}

typedef struct Candidates {
    const CraftyChatNames *names;
    const CraftyParam *param;
    uint32_t cursor;
    char buffer[CRAFTY_CHAT_WORD_BYTES];
} Candidates;

static const char *next_candidate(void *user)
{
    Candidates *candidates = user;
    return crafty_chat_candidate(candidates->names, candidates->param, &candidates->cursor,
                                 candidates->buffer);
}

/* Returns the most similar word of a parameter, or NULL. Not for players and coordinates, whose
 * words lie in a buffer. */
static const char *similar_word(const CraftyChatNames *names, const CraftyParam *param, CnText word)
{
    char text[CRAFTY_CHAT_WORD_BYTES];
    Candidates candidates = {.names = names, .param = param};
    if (param->kind == CRAFTY_PARAM_PLAYER || param->kind >= CRAFTY_PARAM_X ||
        !cn_copy_text(text, sizeof text, word))
        return NULL;
    return cn_text_most_similar(text, next_candidate, &candidates);
}

/* Appends a similar word. Returns false if there is none. */
static bool suggest(CraftyChatParse *parse, const Line *line, const CraftyParam *param,
                    uint32_t word)
{
    const char *similar = similar_word(line->names, param, text_of(line, word));
    size_t size = strlen(parse->error);
    if (similar)
        cn_format(parse->error + size, sizeof parse->error - size, "; did you mean %s?", similar);
    return similar != NULL;
}

/* Numbers that are out of range. */
static bool explain_range(CraftyChatParse *parse, const CraftyParam *param)
{
    if (param->kind == CRAFTY_PARAM_Y)
        return cn_format(parse->error, sizeof parse->error,
                         "Expected a height from %d to %d, or one such as ~5", CRAFTY_CHAT_MIN_Y,
                         CRAFTY_CHAT_MAX_Y);
    if (param->kind == CRAFTY_PARAM_COUNT || param->kind == CRAFTY_PARAM_NUMBER ||
        param->kind == CRAFTY_PARAM_DURATION)
        return cn_format(parse->error, sizeof parse->error, "Expected %s, from %d to %d",
                         noun_of(param), param->min, param->max);
    return false;
}

/* The word is not what the only possible parameter accepts. */
static void explain_word(CraftyChatParse *parse, const Line *line, const CraftyParam *param,
                         uint32_t word)
{
    CnText text = text_of(line, word);
    if (explain_range(parse, param))
        return;
    bool is_name = param->kind == CRAFTY_PARAM_ITEM || param->kind == CRAFTY_PARAM_BLOCK ||
                   param->kind == CRAFTY_PARAM_PLAYER || param->kind == CRAFTY_PARAM_COMMAND ||
                   param->kind == CRAFTY_PARAM_CREATURE;
    if (is_name)
        cn_format(parse->error, sizeof parse->error, "There is no %s %.*s",
                  noun_of(param) + (param->kind == CRAFTY_PARAM_ITEM ? 3 : 2), (int)text.size,
                  text.data);
    else
        cn_format(parse->error, sizeof parse->error, "Expected %s", noun_of(param));
    suggest(parse, line, param, word);
}

/* ---- Forms ---- */

/* Reads the words of a form. Returns how many fit; all that the line has, and all that the form
 * needs, if it matches. */
static uint32_t match(const Line *line, const CraftyChatForm *form,
                      CraftyChatWord words[CRAFTY_CHAT_MAX_PARAMS], bool *is_complete)
{
    uint32_t count = crafty_chat_param_count(form), given = line->count - 1, i = 0;
    for (; i < count && i < given; i++) {
        CnText text = text_of(line, i + 1);
        bool is_text = form->params[i].kind == CRAFTY_PARAM_TEXT;
        words[i] = line->words[i + 1];
        if (is_text) {
            CnText rest = cn_text_trim(cn_text(text.data));
            words[i].bytes = (uint8_t)rest.size;
        }
        if (!crafty_chat_read_word(line->names, &form->params[i], text, &words[i]))
            break;
        if (is_text)
            given = i + 1;
    }
    *is_complete = i == given && (i == count || form->params[i].is_optional);
    return i;
}

/* Lists what the forms expect that fit as far as the best one: "Expected set, add or speed". */
static void explain_forms(CraftyChatParse *parse, const Line *line, const uint32_t *fits)
{
    const CraftyChatCommand *command = parse->command;
    const CraftyParam *params[CRAFTY_CHAT_MAX_FORMS];
    uint32_t count = 0, fit = fits[parse->form];
    for (uint32_t i = 0; i < command->form_count; i++) {
        const CraftyParam *param = &command->forms[i].params[fit];
        bool is_new = fits[i] == fit && fit < crafty_chat_param_count(&command->forms[i]);
        for (uint32_t k = 0; k < count && is_new; k++)
            is_new = strcmp(noun_of(params[k]), noun_of(param)) != 0;
        if (is_new)
            params[count++] = param;
    }
    set_error(parse, line, fit + 1);
    if (count == 0) {
        CnText word = text_of(line, fit + 1);
        cn_format(parse->error, sizeof parse->error, "There is one word too many: %.*s",
                  (int)word.size, word.data);
        return;
    }
    if (count == 1 && !parse->is_incomplete) {
        explain_word(parse, line, params[0], fit + 1);
        return;
    }
    cn_copy_text(parse->error, sizeof parse->error, cn_text("Expected "));
    for (uint32_t i = 0; i < count; i++) {
        size_t size = strlen(parse->error);
        cn_format(parse->error + size, sizeof parse->error - size, "%s%s",
                  i == 0           ? ""
                  : i + 1 == count ? " or "
                                   : ", ",
                  noun_of(params[i]));
    }
    for (uint32_t i = 0; i < count && !parse->is_incomplete; i++)
        if (suggest(parse, line, params[i], fit + 1))
            break;
}

static bool parse_forms(CraftyChatParse *parse, const Line *line)
{
    const CraftyChatCommand *command = parse->command;
    uint32_t fits[CRAFTY_CHAT_MAX_FORMS] = {0};
    int32_t best = -2;
    for (uint32_t i = 0; i < command->form_count; i++) {
        CraftyChatWord words[CRAFTY_CHAT_MAX_PARAMS] = {{0}};
        bool is_complete;
        fits[i] = match(line, &command->forms[i], words, &is_complete);
        /* A form that is too short is no better than one with a wrong word before its end. */
        bool is_short = fits[i] == crafty_chat_param_count(&command->forms[i]);
        int32_t score = (int32_t)fits[i] - is_short;
        if (!is_complete && score <= best)
            continue;
        best = score;
        parse->form = i;
        parse->count = fits[i];
        memcpy(parse->words, words, sizeof words);
        if (is_complete)
            return true;
    }
    explain_forms(parse, line, fits);
    return false;
}

static void explain_command(CraftyChatParse *parse, const Line *line)
{
    static const CraftyParam any = {.kind = CRAFTY_PARAM_COMMAND};
    CnText word = text_of(line, 0);
    word = (CnText){word.data + 1, word.size - 1};
    const char *similar = similar_word(line->names, &any, word);
    set_error(parse, line, 0);
    if (similar)
        cn_format(parse->error, sizeof parse->error, "There is no command /%.*s; did you mean /%s?",
                  (int)word.size, word.data, similar);
    else
        cn_format(parse->error, sizeof parse->error, "There is no command /%.*s; /help lists all",
                  (int)word.size, word.data);
}

bool crafty_chat_parse(const CraftyChatNames *names, const char *text, CraftyChatParse *parse)
{
    Line line = {.names = names, .text = text};
    *parse = (CraftyChatParse){0};
    line.count = crafty_chat_split(text, line.words, MAX_WORDS);
    CnText first = line.count ? text_of(&line, 0) : (CnText){0};
    if (!first.size || first.data[0] != '/') {
        cn_copy_text(parse->error, sizeof parse->error, cn_text("A command begins with /"));
        return false;
    }
    parse->command = crafty_chat_names_command(names, (CnText){first.data + 1, first.size - 1});
    if (parse->command)
        return parse_forms(parse, &line);
    explain_command(parse, &line);
    return false;
}
