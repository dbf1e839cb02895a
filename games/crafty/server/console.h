/*
 * The console of the server: lines of the standard input are lines of the chat, as CRAFTY_CONSOLE,
 * and what the console sees is printed.
 *
 *     crafty_server_console_begin(&console, world, &error);
 *     crafty_server_console_frame(&console); // between ticks; never waits
 *     crafty_server_console_end(&console);   // before the world is destroyed
 */
#ifndef CRAFTY_SERVER_CONSOLE_H
#define CRAFTY_SERVER_CONSOLE_H

#include "crafty/sim/connection.h"

#include <cairn/ecs/event.h>

typedef struct CraftyServerConsole {
    CraftyConnection *connection;
    CnEventReader *lines;
    char text[CRAFTY_COMMAND_TEXT_BYTES]; /* the line that is read */
    uint32_t size;
    bool is_too_long; /* the line; it is refused as a whole */
    bool is_over;     /* the standard input has ended */
} CraftyServerConsole;

bool crafty_server_console_begin(CraftyServerConsole *console, CnWorld *world, CnError *error);
void crafty_server_console_end(CraftyServerConsole *console);
/* Reads what the standard input has, and prints the lines since the last call. */
void crafty_server_console_frame(CraftyServerConsole *console);
/* Adds bytes of the input; complete lines are sent. Returns the number of lines that were
 * refused: too long, or not valid text. */
uint32_t crafty_server_console_feed(CraftyServerConsole *console, const char *bytes, size_t size);

#endif
