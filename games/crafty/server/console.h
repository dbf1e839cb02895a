/*
 * The console of a world: lines are lines of the chat, as CRAFTY_CONSOLE, and what the console sees
 * is the answer.
 *
 *     crafty_server_console_begin(&console, world, &error);
 *     crafty_server_console_feed(&console, "/list\n", 6); // between ticks
 *     crafty_server_console_drain(&console, &reply);      // after the next tick
 *     crafty_server_console_end(&console);                // before the world is destroyed
 */
#ifndef CRAFTY_SERVER_CONSOLE_H
#define CRAFTY_SERVER_CONSOLE_H

#include "crafty/sim/connection.h"

#include <cairn/base/text.h>
#include <cairn/ecs/event.h>

typedef struct CraftyServerConsole {
    CraftyConnection *connection;
    CnEventReader *lines;
    char text[CRAFTY_COMMAND_TEXT_BYTES]; /* the line that is read */
    uint32_t size;
    bool is_too_long; /* the line; it is refused as a whole */
} CraftyServerConsole;

bool crafty_server_console_begin(CraftyServerConsole *console, CnWorld *world, CnError *error);
void crafty_server_console_end(CraftyServerConsole *console);
/* Appends the lines since the last call, each with a line break. */
void crafty_server_console_drain(CraftyServerConsole *console, CnTextBuilder *reply);
/* Adds bytes of the input; complete lines are sent. Returns the number of lines that were
 * refused: too long, or not valid text. */
uint32_t crafty_server_console_feed(CraftyServerConsole *console, const char *bytes, size_t size);

#endif
