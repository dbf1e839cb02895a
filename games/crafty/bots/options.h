/* The command line of crafty-bots. */
#ifndef CRAFTY_BOTS_OPTIONS_H
#define CRAFTY_BOTS_OPTIONS_H

#include <cairn/net/endpoint.h>

#define CRAFTY_BOTS_MAX 4096u

typedef struct CraftyBotsOptions {
    CnNetAddress server;
    uint32_t count, seconds, threads, view_distance;
    uint32_t joins_per_second;
    uint64_t seed;
    CnNetConditions conditions;
    bool json, stay, quiet;
} CraftyBotsOptions;

typedef enum CraftyBotsParse {
    CRAFTY_BOTS_RUN,
    CRAFTY_BOTS_HELPED, /* the help was printed */
    CRAFTY_BOTS_INVALID /* the reason was printed */
} CraftyBotsParse;

CraftyBotsParse crafty_bots_options_read(CraftyBotsOptions *options, int count, char **arguments);

#endif
