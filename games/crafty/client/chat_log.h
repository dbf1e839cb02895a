/*
 * The lines of the chat that this client shows: the newest ones for a few seconds above the hotbar,
 * all of them while the chat is open.
 *
 *     crafty_chat_log_add(&log, line, 1); // of player 1
 *     crafty_chat_log_draw(&log, canvas, &(CraftyChatLogView){.area = area});
 */
#ifndef CRAFTY_CLIENT_CHAT_LOG_H
#define CRAFTY_CLIENT_CHAT_LOG_H

#include "crafty/sim/chat.h"

#include <cairn/render/canvas.h>

#define CRAFTY_CHAT_LOG_LINES 128u
#define CRAFTY_CHAT_SHOWN_SECONDS 10.0f /* of a line, while the chat is closed */
#define CRAFTY_CHAT_FADE_SECONDS 1.5f   /* at the end of that */

typedef struct CraftyChatLogLine {
    char text[CRAFTY_CHAT_LINE_BYTES + CRAFTY_PLAYER_NAME_BYTES + 12];
    uint8_t kind;
    float seconds; /* since it was added */
} CraftyChatLogLine;

typedef struct CraftyChatLog {
    CraftyChatLogLine lines[CRAFTY_CHAT_LOG_LINES]; /* a ring */
    uint32_t next, count;
} CraftyChatLog;

/* Adds a line if the player sees it. */
void crafty_chat_log_add(CraftyChatLog *log, const CraftyChatLine *line, uint32_t player);
/* Adds a text of the client itself. */
void crafty_chat_log_note(CraftyChatLog *log, CraftyChatKind kind, const char *text);
/* Lets lines age. */
void crafty_chat_log_frame(CraftyChatLog *log, float seconds);
/* Returns a line, 0 is the newest one; NULL if there is none. */
const CraftyChatLogLine *crafty_chat_log_at(const CraftyChatLog *log, uint32_t index);

typedef struct CraftyChatLogView {
    CnRect area;      /* the newest line is at its bottom */
    bool is_open;     /* all lines are shown */
    uint32_t skipped; /* newest lines that are scrolled away */
    float text_size;
} CraftyChatLogView;
/* Draws lines from the bottom up, wrapped to the width of the area. Returns how many are visible in
 * part or whole. */
uint32_t crafty_chat_log_draw(const CraftyChatLog *log, CnCanvas *canvas,
                              const CraftyChatLogView *view);

#endif
