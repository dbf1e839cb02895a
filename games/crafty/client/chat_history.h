/*
 * Lines that the player typed before, oldest first, kept over restarts in a file with one line of
 * text for each.
 *
 *     crafty_chat_history_load(&history, cn_native_files(), path);
 *     crafty_chat_history_add(&history, "/time set noon");
 *     const char *line = crafty_chat_history_step(&history, -1, ""); // the one before
 *     crafty_chat_history_save(&history, cn_native_files(), path, &error);
 */
#ifndef CRAFTY_CLIENT_CHAT_HISTORY_H
#define CRAFTY_CLIENT_CHAT_HISTORY_H

#include "crafty/sim/command.h"

#include <cairn/base/file.h>

#define CRAFTY_CHAT_HISTORY_LINES 50u

typedef struct CraftyChatHistory {
    char lines[CRAFTY_CHAT_HISTORY_LINES][CRAFTY_COMMAND_TEXT_BYTES];
    uint32_t count;
    uint32_t at;                           /* the line that is shown; `count`: the new one */
    char draft[CRAFTY_COMMAND_TEXT_BYTES]; /* the new line, while older ones are shown */
    bool is_changed;                       /* since it was loaded or saved */
} CraftyChatHistory;

/* Adds a line, without repeating the last one; the oldest line is dropped when it is full. */
void crafty_chat_history_add(CraftyChatHistory *history, const char *line);
/* Goes to an older (-1) or newer (1) line and returns it; NULL at the ends. `text` is the line that
 * is shown now: the new line is kept while older ones are shown. */
const char *crafty_chat_history_step(CraftyChatHistory *history, int32_t by, const char *text);
/* Goes back to the new line, when typing begins. */
void crafty_chat_history_rewind(CraftyChatHistory *history);

/* Reads the file, if it exists. Lines that cannot have been typed are ignored, as is a file that
 * cannot be read. */
void crafty_chat_history_load(CraftyChatHistory *history, CnFileSystem *files, const char *path);
/* Writes the file if something has changed. */
bool crafty_chat_history_save(CraftyChatHistory *history, CnFileSystem *files, const char *path,
                              CnError *error);

#endif
