/*
 * The chat: lines above the hotbar, and the screen in which the player types.
 *
 *     crafty_chat_screen_begin(&chat, world, connection, &error); // when a world was entered
 *     crafty_chat_screen_open(&chat, true);                       // with a slash
 *     if (crafty_chat_screen_frame(&chat, engine, &view))         // in before_frame
 *         close_it();                                             // a line was sent
 *     crafty_chat_screen_end(&chat);                              // before the world is destroyed
 *
 * While it is open, the world goes on. Tab and Shift+Tab complete a word, Up and Down go through
 * earlier lines or the list of words, Page Up and Page Down and the wheel scroll. A command line
 * that is wrong is not sent: the wrong word is marked, and the error stands above it. Gamepads and
 * touch screens get a list of common commands.
 */
#ifndef CRAFTY_CLIENT_CHAT_SCREEN_H
#define CRAFTY_CLIENT_CHAT_SCREEN_H

#include "chat_history.h"
#include "chat_log.h"
#include "crafty/sim/chat_complete.h"
#include "crafty/sim/connection.h"

#include <cairn/engine.h>

typedef struct CraftyChatScreen {
    CraftyChatLog log;
    CraftyChatHistory history;
    char path[CN_FILE_PATH_BYTES]; /* of the history; empty: it is not kept */
    CnEventReader *lines;          /* NULL: no world */
    CnQuery *players;
    CraftyConnection *connection;

    /* While it is open: */
    char text[CRAFTY_COMMAND_TEXT_BYTES];
    uint32_t caret;
    uint32_t frames;   /* since it was opened */
    uint32_t scrolled; /* newest lines that are scrolled away */
    CraftyChatCompletion completion;
    uint32_t chosen;       /* word of the completion; UINT32_MAX: none */
    bool is_completing;    /* Tab was pressed: `completion` stays until something is typed */
    CraftyChatParse parse; /* of the text */
    bool is_valid;         /* the text can be sent */
    bool shows_errors;     /* Return was pressed: incomplete lines are errors, too */
} CraftyChatScreen;

typedef struct CraftyChatScreenView {
    CnEntity player;     /* the local one */
    bool is_open;        /* the player types */
    bool is_hidden;      /* lines are not drawn unless it is open */
    bool has_quick_list; /* the device has no keyboard */
} CraftyChatScreenView;

/* Loads the history. `path` may be NULL: it is not kept. */
void crafty_chat_screen_init(CraftyChatScreen *chat, const char *path);
/* Reads the lines of a world. */
bool crafty_chat_screen_begin(CraftyChatScreen *chat, CnWorld *world, CraftyConnection *connection,
                              CnError *error);
/* Stops reading; the lines of this world are forgotten. Harmless without a world. */
void crafty_chat_screen_end(CraftyChatScreen *chat);

/* Prepares an empty line, or one with a slash. */
void crafty_chat_screen_open(CraftyChatScreen *chat, bool with_slash);
/* Draws it; call it in before_frame of an engine with a window. Returns true if it should be
 * closed. */
bool crafty_chat_screen_frame(CraftyChatScreen *chat, CnEngine *engine,
                              const CraftyChatScreenView *view);

#endif
