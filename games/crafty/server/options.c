#include "options.h"

#include "settings.h"

#include "crafty/save/world_seed.h"

#include <cairn/base/console.h>
#include <cairn/base/text.h>

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define DEFAULT_SEED 42u
#define DEFAULT_TICKS 600u
#define MAX_THREADS 256u

static const char help[] =
    "usage: crafty-server --config FILE | --world NAME [options]\n"
    "       crafty-server [--ticks N] [options]\n"
    "\n"
    "Runs worlds of Crafty without a window until SIGTERM or SIGINT, saves them while they run,\n"
    "and reads commands from the standard input; \"help\" lists them. SIGHUP reads the settings\n"
    "again, SIGUSR1 saves and starts again. docs/server.md is the manual.\n"
    "\n"
    "  report [FILE]    show a crash report, or list them (--json)\n"
    "  account COMMAND  list, ban, unban, bans, allow, disallow, role: accounts while no server\n"
    "                   runs; with --config FILE before COMMAND those of its settings\n"
    "\n"
    "  --config FILE    settings; what the command line sets overrides them\n"
    "  --check-config   check the settings and end\n"
    "  --write-config   print the default settings with comments and end\n"
    "  --set NAME=VALUE set one setting, such as server.max_players=40\n"
    "  --port N         the UDP port of the first world (network.port)\n"
    "  --bind ADDRESS   the address to listen on (network.bind)\n"
    "  --world NAME     open or create this world only; also a path, or\n"
    "                   postgresql://USER@HOST/DATABASE?schema=NAME. With --ticks it runs as\n"
    "                   fast as it can, otherwise in real time\n"
    "  --worlds DIR     folder of worlds (default $XDG_DATA_HOME/crafty/worlds)\n"
    "  --seed TEXT      world seed of a new world: a number, or any text (default 42 with --ticks,\n"
    "                   otherwise random)\n"
    "  --mode MODE      of the players of a new world: survival, creative or spectator (default\n"
    "                   survival)\n"
    "  --threads N      threads of the ticks; 0: one per core (default 1)\n"
    "  --ticks N        number of ticks to run, 60 per second (default 600 without a world, or the\n"
    "                   whole recording); prints the hashes of the state and of the blocks\n"
    "  --mods DIR       also run all mods of this folder, or this one mod\n"
    "  --no-mods        run no mods; what they added stays in the world\n"
    "  --continue       if a world ended unexpectedly, go on from its last tick\n"
    "  --record FILE    record the session, also of a world\n"
    "  --replay FILE    play a recording and compare the state after each tick\n"
    "  --help           show this help\n"
    "\n"
    "Exit status: 0 everything is saved, 1 something failed, 2 wrong options or settings.\n";

static bool wrong(const char *name, const char *wanted, const char *text)
{
    cn_print_error("crafty-server: %s needs %s, not \"%s\"", name, wanted, text);
    return false;
}

static bool read_number(const char *name, const char *text, uint64_t most, uint64_t *number)
{
    char *end, wanted[64];
    errno = 0;
    uint64_t value = strtoull(text, &end, 10);
    if (*text >= '0' && *text <= '9' && !*end && !errno && value <= most) {
        *number = value;
        return true;
    }
    snprintf(wanted, sizeof wanted, "a number from 0 to %" PRIu64, most);
    return wrong(name, wanted, text);
}

static bool add_assignment(CraftyServerOptions *options, const char *assignment)
{
    CraftyServerSettings ignored;
    CnError error = {0};
    crafty_settings_defaults(&ignored);
    if (!crafty_settings_set(&ignored, assignment, &error)) {
        cn_print_error("crafty-server: %s", error.message);
        return false;
    }
    if (options->assignment_count == CRAFTY_SERVER_ASSIGNMENTS) {
        cn_print_error("crafty-server: more than %u settings on the command line",
                       CRAFTY_SERVER_ASSIGNMENTS);
        return false;
    }
    options->assignments[options->assignment_count++] = assignment;
    return true;
}

/* Text of --port and --bind as assignments; one program has one command line. */
static bool add_named(CraftyServerOptions *options, char *text, size_t bytes, const char *name,
                      const char *value)
{
    if (cn_format(text, bytes, "%s=%s", name, value))
        return add_assignment(options, text);
    cn_print_error("crafty-server: the value of %s is too long", name);
    return false;
}

static bool read_option(CraftyServerOptions *options, const char *name, const char *value)
{
    if (!strcmp(name, "--seed")) {
        options->has_seed = true;
        return (*value && crafty_seed_from_text(value, &options->seed, NULL)) ||
               wrong(name, "a number or a text", value);
    }
    if (!strcmp(name, "--set"))
        return add_assignment(options, value);
    if (!strcmp(name, "--port"))
        return add_named(options, options->port_text, sizeof options->port_text, "network.port",
                         value);
    if (!strcmp(name, "--bind"))
        return add_named(options, options->bind_text, sizeof options->bind_text, "network.bind",
                         value);
    options->has_mode = options->has_mode || !strcmp(name, "--mode");
    options->has_threads = options->has_threads || !strcmp(name, "--threads");
    if (!strcmp(name, "--mode"))
        return crafty_mode_parse(value, &options->mode) ||
               wrong(name, "survival, creative or spectator", value);
    if (!strcmp(name, "--ticks")) {
        options->has_ticks = true;
        return read_number(name, value, UINT64_MAX, &options->ticks);
    }
    if (!strcmp(name, "--threads"))
        return read_number(name, value, MAX_THREADS, &options->threads);
    if (!strcmp(name, "--world"))
        options->world = value;
    else if (!strcmp(name, "--worlds"))
        options->worlds = value;
    else if (!strcmp(name, "--config"))
        options->config = value;
    else if (!strcmp(name, "--mods"))
        options->mods = value;
    else if (!strcmp(name, "--record"))
        options->record = value;
    else
        options->replay = value;
    return true;
}

static bool is_option(const char *name)
{
    static const char *const names[] = {"--seed",  "--ticks",  "--threads", "--replay", "--record",
                                        "--world", "--worlds", "--mode",    "--mods",   "--config",
                                        "--set",   "--port",   "--bind"};
    for (uint32_t i = 0; i < sizeof names / sizeof *names; i++)
        if (!strcmp(name, names[i]))
            return true;
    return false;
}

static bool read_switch(CraftyServerOptions *options, const char *name)
{
    const struct {
        const char *name;
        bool *value;
    } switches[] = {{"--continue", &options->continues},
                    {"--no-mods", &options->no_mods},
                    {"--check-config", &options->checks_config},
                    {"--write-config", &options->writes_config}};
    for (uint32_t i = 0; i < sizeof switches / sizeof *switches; i++)
        if (!strcmp(name, switches[i].name))
            return *switches[i].value = true;
    return false;
}

static bool invalid(const char *message)
{
    cn_print_error("crafty-server: %s", message);
    return false;
}

static bool combine(const CraftyServerOptions *options)
{
    bool is_server = options->config || options->assignment_count > 0 || options->checks_config;
    if (options->replay && options->world)
        return invalid("--replay and --world cannot be combined");
    if (options->replay && options->record)
        return invalid("--replay and --record cannot be combined");
    if (options->mods && options->no_mods)
        return invalid("--mods and --no-mods cannot be combined");
    if (is_server && (options->replay || options->has_ticks))
        return invalid("--config, --set, --port and --bind cannot be combined with --replay and "
                       "--ticks");
    if ((options->worlds || options->continues) && !options->world && !is_server) {
        cn_print_error("crafty-server: %s needs --world NAME or --config FILE",
                       options->worlds ? "--worlds" : "--continue");
        return false;
    }
    if ((options->has_seed || options->has_mode) && is_server && !options->world)
        return invalid("--seed and --mode need --world NAME; the file has those of its worlds");
    if (options->replay && options->has_seed)
        return invalid("--replay and --seed cannot be combined: a recording has its own seed");
    return true;
}

CraftyServerParse crafty_server_options_read(CraftyServerOptions *options, int count,
                                             char **arguments)
{
    *options = (CraftyServerOptions){.seed = DEFAULT_SEED,
                                     .ticks = DEFAULT_TICKS,
                                     .threads = 1,
                                     .mode = CRAFTY_MODE_SURVIVAL,
                                     .arguments = arguments};
    for (int i = 1; i < count; i += 2) {
        const char *name = arguments[i];
        if (read_switch(options, name)) {
            i--;
            continue;
        }
        if (!strcmp(name, "--help")) {
            fputs(help, stdout);
            return CRAFTY_SERVER_HELPED;
        }
        if (!is_option(name)) {
            cn_print_error("crafty-server: unknown option %s; see crafty-server --help", name);
            return CRAFTY_SERVER_INVALID;
        }
        if (i + 1 == count) {
            cn_print_error("crafty-server: %s needs a value; see crafty-server --help", name);
            return CRAFTY_SERVER_INVALID;
        }
        if (!read_option(options, name, arguments[i + 1]))
            return CRAFTY_SERVER_INVALID;
    }
    return combine(options) ? CRAFTY_SERVER_RUN : CRAFTY_SERVER_INVALID;
}
