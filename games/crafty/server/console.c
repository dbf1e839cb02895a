#include "console.h"

#include "crafty/sim/chat.h"

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
    *console = (CraftyServerConsole){0};
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

void crafty_server_console_drain(CraftyServerConsole *console, CnTextBuilder *reply)
{
    char text[CRAFTY_CHAT_LINE_BYTES + CRAFTY_PLAYER_NAME_BYTES + 4];
    for (const CraftyChatLine *line;
         console->lines && (line = cn_read_next(console->lines, CraftyChatLine));) {
        if (!crafty_chat_is_for(line, CRAFTY_CONSOLE))
            continue;
        bool is_said = line->kind == CRAFTY_CHAT_SAID || line->kind == CRAFTY_CHAT_WHISPERED;
        cn_format(text, sizeof text, "%s%s%s", is_said ? line->name : "", is_said ? ": " : "",
                  line->text);
        cn_text_append_format(reply, "%s\n", text);
    }
}
