#include "options.h"

#include "crafty/net/message.h"

#include <cairn/base/console.h>

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char help[] =
    "usage: crafty-bots --server ADDRESS:PORT [options]\n"
    "\n"
    "Connects bots to a server of Crafty: real clients without a screen that walk, build, fight,\n"
    "chat and craft. Exits with 0 only if every bot stayed connected and its blocks agreed with\n"
    "those of the server.\n"
    "\n"
    "  --server ADDRESS:PORT  the server; a port is not needed if it is the default\n"
    "  --count N        bots (default 1)\n"
    "  --seconds S      how long they play after all have joined (default 10)\n"
    "  --joins N        bots that join in a second (default 20)\n"
    "  --threads N      threads that run them (default 1)\n"
    "  --view N         view distance in chunks (default 4)\n"
    "  --seed N         what they do (default 1)\n"
    "  --stay           they do not walk: a crowd at the spawn\n"
    "  --quiet          they do not chat\n"
    "  --net-sim TEXT   simulates a network, such as latency=200,jitter=50,loss=5%\n"
    "  --json           print the result as JSON\n"
    "  --help           show this help\n";

static bool wrong(const char *name, const char *wanted, const char *text)
{
    cn_print_error("crafty-bots: %s needs %s, not \"%s\"", name, wanted, text);
    return false;
}

static bool read_number(const char *name, const char *text, uint64_t least, uint64_t most,
                        uint64_t *number)
{
    char *end, wanted[64];
    errno = 0;
    *number = strtoull(text, &end, 10);
    if (*text >= '0' && *text <= '9' && !*end && !errno && *number >= least && *number <= most)
        return true;
    snprintf(wanted, sizeof wanted, "a number from %llu to %llu", (unsigned long long)least,
             (unsigned long long)most);
    return wrong(name, wanted, text);
}

static bool read_u32(const char *name, const char *text, uint32_t least, uint32_t most,
                     uint32_t *number)
{
    uint64_t value;
    if (!read_number(name, text, least, most, &value))
        return false;
    *number = (uint32_t)value;
    return true;
}

static bool read_value(CraftyBotsOptions *options, const char *name, const char *value)
{
    CnError error = {0};
    if (!strcmp(name, "--server"))
        return cn_net_address_resolve(cn_text(value), CRAFTY_NET_PORT, &options->server, &error) ||
               wrong(name, "an address such as 127.0.0.1:25700", value);
    if (!strcmp(name, "--count"))
        return read_u32(name, value, 1, CRAFTY_BOTS_MAX, &options->count);
    if (!strcmp(name, "--seconds"))
        return read_u32(name, value, 1, 86400, &options->seconds);
    if (!strcmp(name, "--joins"))
        return read_u32(name, value, 1, 10000, &options->joins_per_second);
    if (!strcmp(name, "--threads"))
        return read_u32(name, value, 1, 256, &options->threads);
    if (!strcmp(name, "--view"))
        return read_u32(name, value, 2, 32, &options->view_distance);
    if (!strcmp(name, "--seed"))
        return read_number(name, value, 0, UINT64_MAX, &options->seed);
    if (strcmp(name, "--net-sim") != 0)
        return wrong(name, "to be one of the options of crafty-bots --help", value);
    if (cn_net_conditions_parse(cn_text(value), &options->conditions, &error))
        return true;
    cn_print_error("crafty-bots: --net-sim: %s", error.message);
    return false;
}

static bool read_flag(CraftyBotsOptions *options, const char *name)
{
    bool *flag = !strcmp(name, "--json")    ? &options->json
                 : !strcmp(name, "--stay")  ? &options->stay
                 : !strcmp(name, "--quiet") ? &options->quiet
                                            : NULL;
    if (flag)
        *flag = true;
    return flag != NULL;
}

CraftyBotsParse crafty_bots_options_read(CraftyBotsOptions *options, int count, char **arguments)
{
    *options = (CraftyBotsOptions){.count = 1,
                                   .seconds = 10,
                                   .threads = 1,
                                   .view_distance = 4,
                                   .joins_per_second = 20,
                                   .seed = 1};
    bool has_server = false;
    for (int i = 1; i < count; i++) {
        const char *name = arguments[i];
        if (!strcmp(name, "--help")) {
            fputs(help, stdout);
            return CRAFTY_BOTS_HELPED;
        }
        if (read_flag(options, name))
            continue;
        if (i + 1 == count) {
            cn_print_error("crafty-bots: %s is unknown or needs a value; see crafty-bots --help",
                           name);
            return CRAFTY_BOTS_INVALID;
        }
        has_server = has_server || !strcmp(name, "--server");
        if (!read_value(options, name, arguments[++i]))
            return CRAFTY_BOTS_INVALID;
    }
    if (has_server)
        return CRAFTY_BOTS_RUN;
    cn_print_error("crafty-bots: --server ADDRESS:PORT is missing; see crafty-bots --help");
    return CRAFTY_BOTS_INVALID;
}
