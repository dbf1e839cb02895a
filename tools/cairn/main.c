/* cairn: runs, records, replays, checks and displays scenes and simulations. */
#include "commands.h"
#include "options.h"

#include <stdio.h>
#include <string.h>

typedef struct Command {
    const char *name, *help;
    int (*run)(int count, char **arguments);
} Command;

static const Command commands[] = {
    {"run", "run a scene or a demo for some ticks", command_run},
    {"replay", "play and verify a recording", command_replay},
    {"view", "show a scene in a window, or render it to an image", command_view},
    {"check", "validate scene files", command_check},
    {"schema", "print the JSON schema of scene files", command_schema},
    {"components", "print a reference of all components", command_components},
    {"annotations", "print Lua annotations for editors", command_annotations},
    {"schedule", "print the schedule of systems", command_schedule},
    {"map", "draw maps of a generated world", command_map},
    {"bench", "measure the cost of ticks and threads", command_bench},
    {"info", "print information about this build and machine", command_info},
};

/* `print` is cn_print or cn_print_error. */
static void print_help(void (*print)(const char *format, ...))
{
    print("usage: cairn COMMAND [options]");
    print("%s", "");
    print("commands:");
    for (size_t i = 0; i < sizeof commands / sizeof commands[0]; i++)
        print("  %-12s %s", commands[i].name, commands[i].help);
    print("%s", "");
    print("Run \"cairn COMMAND --help\" for details.");
}

int main(int count, char **arguments)
{
    if (count > 1 && (!strcmp(arguments[1], "--help") || !strcmp(arguments[1], "-h") ||
                      !strcmp(arguments[1], "help"))) {
        print_help(cn_print);
        return 0;
    }
    for (size_t i = 0; count > 1 && i < sizeof commands / sizeof commands[0]; i++)
        if (!strcmp(arguments[1], commands[i].name))
            return commands[i].run(count - 2, arguments + 2);
    if (count > 1)
        cn_print_error("cairn: unknown command %s (try cairn --help)", arguments[1]);
    else
        print_help(cn_print_error);
    return 2;
}
