/*
 * A player without a person: a real client that walks, builds, fights, chats and crafts at random.
 *
 *     CraftyBot *bot = crafty_bot_create(&(CraftyBotDesc){.address = address, .number = 1},
 * &error); crafty_bot_tick(bot, &error);   // as often as the server has ticks
 *     crafty_bot_destroy(bot);
 *
 * What a bot does follows from its number and the seed alone, apart from the times at which packets
 * arrive. A thread may run many bots.
 */
#ifndef CRAFTY_BOTS_BOT_H
#define CRAFTY_BOTS_BOT_H

#include "crafty/net/net_client.h"

typedef struct CraftyBotDesc {
    CnNetAddress address;
    uint64_t seed;
    uint32_t number;        /* from 1; its name begins with "bot" and this number */
    uint32_t view_distance; /* chunks */
    CnNetConditions conditions;
    bool is_quiet; /* does not chat */
    bool stays;    /* does not walk: for crowds */
} CraftyBotDesc;

typedef struct CraftyBot CraftyBot;

/* Returns NULL and an error on failure. */
CraftyBot *crafty_bot_create(const CraftyBotDesc *desc, CnError *error);
/* NULL is ignored. */
void crafty_bot_destroy(CraftyBot *bot);

/* Receives, acts and sends. Returns false and an error when out of memory. */
bool crafty_bot_tick(CraftyBot *bot, CnError *error);
/* Returns by how much the next tick should come earlier: crafty_net_client_time_scale. */
float crafty_bot_time_scale(const CraftyBot *bot);
/* Begins to leave; crafty_bot_tick sends what is queued. */
void crafty_bot_leave(CraftyBot *bot);

typedef struct CraftyBotReport {
    CraftyNetState state;
    char reason[CN_NET_REASON_BYTES]; /* why it left */
    CraftyNetClientStats client;
    CnNetConnectionStats connection;
    uint64_t broken, placed, said, heard; /* blocks, lines */
    uint64_t played_ticks;
} CraftyBotReport;
void crafty_bot_report(const CraftyBot *bot, CraftyBotReport *report);

#endif
