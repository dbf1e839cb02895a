#include "chat_complete.h"

#include "command.h"

#define MAX_WORDS (CRAFTY_COMMAND_TEXT_BYTES / 2)

/* ---- Words ---- */

static bool contains(const char *word, CnText part)
{
    for (size_t at = 0; at + part.size <= strlen(word); at++)
        if (part.size == 0 || !memcmp(word + at, part.data, part.size))
            return true;
    return false;
}

static void add(CraftyChatCompletion *completion, const char *word)
{
    for (uint32_t i = 0; i < completion->count; i++)
        if (!strcmp(completion->words[i], word))
            return;
    if (completion->count == CRAFTY_CHAT_MAX_COMPLETIONS) {
        completion->is_cut = true;
        return;
    }
    cn_copy_text(completion->words[completion->count++], CRAFTY_CHAT_WORD_BYTES, cn_text(word));
}

/* Adds the words of a parameter that begin with what is typed, or those that only contain it. */
static void add_words(CraftyChatCompletion *completion, const CraftyChatNames *names,
                      const CraftyParam *param, CnText typed, bool at_start)
{
    char buffer[CRAFTY_CHAT_WORD_BYTES];
    uint32_t cursor = 0;
    for (const char *word; (word = crafty_chat_candidate(names, param, &cursor, buffer));)
        if (cn_text_starts_with(cn_text(word), typed) == at_start && contains(word, typed))
            add(completion, word);
}

/* ---- Forms ---- */

typedef struct Typed {
    const char *text;
    CraftyChatWord words[MAX_WORDS]; /* complete ones, before the one at the caret */
    uint32_t count;
    CnText last; /* the word at the caret, up to it; may be empty */
} Typed;

static bool fits(const CraftyChatNames *names, const CraftyChatForm *form, const Typed *typed)
{
    uint32_t count = crafty_chat_param_count(form);
    if (typed->count > count)
        return false;
    for (uint32_t i = 0; i + 1 < typed->count; i++) {
        CraftyChatWord word = typed->words[i + 1];
        CnText text = {typed->text + word.at, word.bytes};
        if (!crafty_chat_read_word(names, &form->params[i], text, &word))
            return false;
        if (form->params[i].kind == CRAFTY_PARAM_TEXT)
            return false;
    }
    return true;
}

/* Finds the word of the usage for a parameter: they are separated by blanks. */
static void mark_usage(CraftyChatCompletion *completion, uint32_t param)
{
    CraftyChatWord words[CRAFTY_CHAT_MAX_PARAMS + 1];
    uint32_t count = crafty_chat_split(completion->usage, words, CN_COUNT_OF(words));
    if (param + 1 >= count)
        return;
    completion->usage_at = words[param + 1].at;
    completion->usage_bytes = words[param + 1].bytes;
}

/* Words that begin with what is typed, the few players before the many items, then those that only
 * contain it. */
typedef enum Pass { PLAYERS, OTHERS, CONTAINING } Pass;

static void complete_arguments(CraftyChatCompletion *completion, const CraftyChatNames *names,
                               const Typed *typed)
{
    CnText name = {typed->text + typed->words[0].at + 1, (size_t)typed->words[0].bytes - 1};
    const CraftyChatCommand *command = crafty_chat_names_command(names, name);
    uint32_t param = typed->count - 1;
    if (!command)
        return;
    for (Pass pass = PLAYERS; pass <= CONTAINING; pass++)
        for (uint32_t i = 0; i < command->form_count; i++) {
            const CraftyChatForm *form = &command->forms[i];
            if (param >= crafty_chat_param_count(form) || !fits(names, form, typed))
                continue;
            if ((form->params[param].kind == CRAFTY_PARAM_PLAYER) == (pass == PLAYERS) ||
                pass == CONTAINING)
                add_words(completion, names, &form->params[param], typed->last, pass != CONTAINING);
            if (!completion->usage[0]) {
                crafty_chat_usage(command, i, completion->usage);
                mark_usage(completion, param);
            }
        }
    if (!completion->usage[0])
        crafty_chat_usage(command, 0, completion->usage);
}

static void complete_name(CraftyChatCompletion *completion, const CraftyChatNames *names,
                          CnText typed)
{
    static const CraftyParam any = {.kind = CRAFTY_PARAM_COMMAND};
    add_words(completion, names, &any, typed, true);
    add_words(completion, names, &any, typed, false);
    const CraftyChatCommand *command =
        completion->count ? crafty_chat_names_command(names, cn_text(completion->words[0])) : NULL;
    if (command && typed.size)
        crafty_chat_usage(command, 0, completion->usage);
}

void crafty_chat_complete(const CraftyChatNames *names, const char *text, uint32_t caret,
                          CraftyChatCompletion *completion)
{
    char before[CRAFTY_COMMAND_TEXT_BYTES];
    Typed typed = {.text = before};
    size_t size = strnlen(text, CRAFTY_COMMAND_TEXT_BYTES - 1);
    caret = caret < size ? caret : (uint32_t)size;
    *completion = (CraftyChatCompletion){.at = caret};
    cn_copy_text(before, sizeof before, (CnText){text, caret});
    typed.count = crafty_chat_split(before, typed.words, MAX_WORDS);
    if (!typed.count || before[typed.words[0].at] != '/')
        return;
    if (before[caret - 1] != ' ') {
        CraftyChatWord last = typed.words[--typed.count];
        typed.last = (CnText){before + last.at, last.bytes};
        completion->at = last.at;
        completion->bytes = last.bytes;
    }
    while (completion->at + completion->bytes < size &&
           text[completion->at + completion->bytes] != ' ')
        completion->bytes++; /* the rest of the word is replaced, too */
    if (typed.count) {
        complete_arguments(completion, names, &typed);
        return;
    }
    completion->at++; /* after the slash */
    completion->bytes--;
    complete_name(completion, names, (CnText){typed.last.data + 1, typed.last.size - 1});
}

uint32_t crafty_chat_insert(const CraftyChatCompletion *completion, uint32_t index, bool is_final,
                            char *text, size_t text_bytes)
{
    uint32_t end = completion->at + completion->bytes, size = (uint32_t)strlen(text);
    if (index >= completion->count || end > size)
        return end < size ? end : size;
    const char *word = completion->words[index];
    size_t rest = strlen(text + end);
    bool has_blank = is_final && text[end] != ' ';
    size_t added = strlen(word) + has_blank;
    if (completion->at + added + rest + 1 > text_bytes)
        return end;
    memmove(text + completion->at + added, text + end, rest + 1);
    memcpy(text + completion->at, word, strlen(word));
    if (has_blank)
        text[completion->at + added - 1] = ' ';
    return completion->at + (uint32_t)added;
}
