#include "console.h"

#include "crafty/sim/chat.h"

#include <cairn/base/console.h>

#include <poll.h>
#include <unistd.h>

bool crafty_server_console_begin(CraftyServerConsole *console, CnWorld *world, CnError *error)
{
    CnChannel *channel = cn_channel(world, CraftyChatLine);
    *console =
        (CraftyServerConsole){.connection = crafty_connection_create(world, CRAFTY_CONSOLE, error),
                              .lines = channel ? cn_event_reader_create(channel, error) : NULL};
    if (console->connection && console->lines)
        return true;
    crafty_server_console_end(console);
    return cn_error_memory(error, "the console");
}

void crafty_server_console_end(CraftyServerConsole *console)
{
    cn_event_reader_destroy(console->lines);
    crafty_connection_destroy(console->connection);
    *console = (CraftyServerConsole){.is_over = true};
}

/* Sends the line that was read. Returns false if it is refused. */
static bool send_line(CraftyServerConsole *console)
{
    CraftyCommand command = {.kind = CRAFTY_COMMAND_CHAT};
    CnText line = cn_text_trim((CnText){console->text, console->size});
    bool is_too_long = console->is_too_long;
    console->size = 0;
    console->is_too_long = false;
    if (!line.size && !is_too_long)
        return true;
    return !is_too_long && cn_copy_text(command.text, sizeof command.text, line) &&
           crafty_connection_send_command(console->connection, &command);
}

uint32_t crafty_server_console_feed(CraftyServerConsole *console, const char *bytes, size_t size)
{
    uint32_t refused = 0;
    for (size_t i = 0; i < size; i++) {
        if (bytes[i] == '\n')
            refused += !send_line(console);
        else if (console->size + 1 < sizeof console->text)
            console->text[console->size++] = bytes[i];
        else
            console->is_too_long = true;
    }
    return refused;
}

/* Returns whether the input can be read without waiting. A program in the background of a terminal
 * would be stopped by reading. */
static bool is_ready(void)
{
    struct pollfd input = {.fd = STDIN_FILENO, .events = POLLIN};
    if (isatty(STDIN_FILENO) && tcgetpgrp(STDIN_FILENO) != getpgrp())
        return false;
    return poll(&input, 1, 0) > 0;
}

static bool is_said(const CraftyChatLine *line)
{
    return line->kind == CRAFTY_CHAT_SAID || line->kind == CRAFTY_CHAT_WHISPERED;
}

void crafty_server_console_frame(CraftyServerConsole *console)
{
    char bytes[256];
    if (!console->connection)
        return;
    if (!console->is_over && is_ready()) {
        ssize_t size = read(STDIN_FILENO, bytes, sizeof bytes);
        console->is_over = size <= 0;
        if (size > 0 && crafty_server_console_feed(console, bytes, (size_t)size))
            cn_print_error("crafty-server: a line has at most %u bytes of plain text",
                           CRAFTY_COMMAND_TEXT_BYTES - 1);
    }
    for (const CraftyChatLine *line; (line = cn_read_next(console->lines, CraftyChatLine));)
        if (crafty_chat_is_for(line, CRAFTY_CONSOLE))
            cn_print_error("%s%s%s", is_said(line) ? line->name : "", is_said(line) ? ": " : "",
                           line->text);
}
