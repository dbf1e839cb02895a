/*
 * Lines of the standard input, read without waiting.
 *
 *     CraftyLineInput input = {0};
 *     if (crafty_line_input_read(&input, STDIN_FILENO))           // something was read
 *         while (crafty_line_input_next(&input, line)) ...
 */
#ifndef CRAFTY_SERVER_LINE_INPUT_H
#define CRAFTY_SERVER_LINE_INPUT_H

#include "network.h"

typedef struct CraftyLineInput {
    char bytes[4u * CRAFTY_CONSOLE_LINE_BYTES];
    uint32_t size;
    bool is_over;     /* the input has ended */
    bool is_too_long; /* the line that is read; it is dropped as a whole */
    uint32_t dropped; /* lines that were too long or not text */
} CraftyLineInput;

/* Returns whether the file can be read at the moment: a program in the background of a terminal
 * would be stopped by reading. */
bool crafty_line_input_may_read(const CraftyLineInput *input, int file);
/* Reads once. Returns false if nothing was read. */
bool crafty_line_input_read(CraftyLineInput *input, int file);
/* Adds bytes, as reading does; what does not fit is dropped with its line. */
void crafty_line_input_add(CraftyLineInput *input, const char *bytes, size_t size);
/* Takes a complete line without its end. Returns false if there is none. */
bool crafty_line_input_next(CraftyLineInput *input, char line[CRAFTY_CONSOLE_LINE_BYTES]);

#endif
