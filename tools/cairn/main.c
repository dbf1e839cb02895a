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

static void print_help(FILE *to)
{
    fprintf(to, "usage: cairn COMMAND [options]\n\ncommands:\n");
    for (size_t i = 0; i < sizeof commands / sizeof commands[0]; i++)
        fprintf(to, "  %-12s %s\n", commands[i].name, commands[i].help);
    fprintf(to, "\nRun \"cairn COMMAND --help\" for details.\n");
}

int main(int count, char **arguments)
{
    if (count > 1 && (!strcmp(arguments[1], "--help") || !strcmp(arguments[1], "-h") ||
                      !strcmp(arguments[1], "help"))) {
        print_help(stdout);
        return 0;
    }
    for (size_t i = 0; count > 1 && i < sizeof commands / sizeof commands[0]; i++)
        if (!strcmp(arguments[1], commands[i].name))
            return commands[i].run(count - 2, arguments + 2);
    if (count > 1)
        fprintf(stderr, "cairn: unknown command %s (try cairn --help)\n", ESCAPED(arguments[1]));
    else
        print_help(stderr);
    return 2;
}
