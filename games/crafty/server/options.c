#include "options.h"

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
    "usage: crafty-server [options]\n"
    "\n"
    "Runs the simulation of Crafty without a window and prints the hashes of its state "
    "and blocks.\n"
    "\n"
    "  report [FILE]  show a crash report, or list them (--json)\n"
    "\n"
    "  --seed TEXT    world seed: a number, or any text (default 42)\n"
    "  --ticks N      number of ticks to run, 60 per second (default 600, or the whole recording)\n"
    "  --threads N    threads of the ticks; 0: one per core (default 1)\n"
    "  --mode MODE    of the player of a new world: survival, creative or spectator (default\n"
    "                 survival)\n"
    "  --world NAME   open or create a world and save it every 5 seconds and at the end; also a\n"
    "                 path, or postgresql://USER@HOST/DATABASE?schema=NAME. Without --ticks it\n"
    "                 runs in real time until SIGTERM, SIGINT or SIGHUP\n"
    "  --worlds DIR   folder of worlds (default $XDG_DATA_HOME/crafty/worlds)\n"
    "  --mods DIR     also run all mods of this folder, or this one mod\n"
    "  --no-mods      run no mods; what they added stays in the world\n"
    "  --continue     if the world ended unexpectedly, go on from its last tick\n"
    "  --record FILE  record the session, also of a world\n"
    "  --replay FILE  play a recording and compare the state after each tick\n"
    "  --help         show this help\n";

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

static bool read_option(CraftyServerOptions *options, const char *name, const char *value)
{
    if (!strcmp(name, "--seed")) {
        options->has_seed = true;
        return (*value && crafty_seed_from_text(value, &options->seed, NULL)) ||
               wrong(name, "a number or a text", value);
    }
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
                                        "--world", "--worlds", "--mode",    "--mods"};
    for (uint32_t i = 0; i < sizeof names / sizeof *names; i++)
        if (!strcmp(name, names[i]))
            return true;
    return false;
}

CraftyServerParse crafty_server_options_read(CraftyServerOptions *options, int count,
                                             char **arguments)
{
    *options = (CraftyServerOptions){
        .seed = DEFAULT_SEED, .ticks = DEFAULT_TICKS, .threads = 1, .mode = CRAFTY_MODE_SURVIVAL};
    for (int i = 1; i < count; i += 2) {
        const char *name = arguments[i];
        if (!strcmp(name, "--continue") || !strcmp(name, "--no-mods")) {
            *(name[2] == 'c' ? &options->continues : &options->no_mods) = true;
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
    if (options->replay && options->world) {
        fprintf(stderr, "crafty-server: --replay and --world cannot be combined\n");
        return CRAFTY_SERVER_INVALID;
    }
    if (options->replay && options->record) {
        fprintf(stderr, "crafty-server: --replay and --record cannot be combined\n");
        return CRAFTY_SERVER_INVALID;
    }
    if (options->mods && options->no_mods) {
        fprintf(stderr, "crafty-server: --mods and --no-mods cannot be combined\n");
        return CRAFTY_SERVER_INVALID;
    }
    if ((options->worlds || options->continues) && !options->world) {
        cn_print_error("crafty-server: %s needs --world NAME",
                       options->worlds ? "--worlds" : "--continue");
        return CRAFTY_SERVER_INVALID;
    }
    if (options->replay && options->has_seed) {
        fprintf(stderr,
                "crafty-server: --replay and --seed cannot be combined: a recording has its "
                "own seed\n");
        return CRAFTY_SERVER_INVALID;
    }
    return CRAFTY_SERVER_RUN;
}
