/*
 * Completion of command lines while a player types them, and what the form of a line is.
 *
 *     CraftyChatCompletion completion;
 *     crafty_chat_complete(&names, "/give sto", 9, &completion);
 *     for (uint32_t i = 0; i < completion.count; i++)
 *         puts(completion.words[i]); // "stone", "stone_bricks", ...
 *     puts(completion.usage); // "/give item [count]"
 */
#ifndef CRAFTY_SIM_CHAT_COMPLETE_H
#define CRAFTY_SIM_CHAT_COMPLETE_H

#include "chat_parse.h"

#define CRAFTY_CHAT_MAX_COMPLETIONS 64u

typedef struct CraftyChatCompletion {
    uint32_t at, bytes; /* the part of the line that a word replaces */
    uint32_t count;
    char words[CRAFTY_CHAT_MAX_COMPLETIONS][CRAFTY_CHAT_WORD_BYTES]; /* in order of relevance */
    bool is_cut;                                                     /* there are more words */
    char usage[CRAFTY_CHAT_USAGE_BYTES]; /* of the form that the line has so far; may be empty */
    /* The word of the usage that is typed now, in bytes of the usage; 0 bytes: none. */
    uint32_t usage_at, usage_bytes;
} CraftyChatCompletion;

/* Finds the words that can stand at `caret`, a position in bytes, given what stands before it.
 * Words that begin with what is typed come first, then those that contain it. Text that is no
 * command has no completions. */
void crafty_chat_complete(const CraftyChatNames *names, const char *text, uint32_t caret,
                          CraftyChatCompletion *completion);
/* Replaces the part of the line by the word with this index, followed by a blank if `is_final`.
 * Returns the new position of the caret; the line is unchanged if the word does not fit into it. */
uint32_t crafty_chat_insert(const CraftyChatCompletion *completion, uint32_t index, bool is_final,
                            char *text, size_t text_bytes);

#endif
