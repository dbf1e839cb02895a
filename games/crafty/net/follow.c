#include "follow.h"

#include "crafty/sim/chat.h"
#include "crafty/sim/creature/creature.h"
#include "crafty/sim/day.h"
#include "crafty/sim/systems.h"
#include "crafty/sim/weather.h"

#include <cairn/base/log.h>

struct CraftyFollow {
    CnSim *sim;
    CnWorld *world;
    CraftyNetClient *client;
    CnEntity player;
    CnSystem system;
    CnChannel *channels[CRAFTY_EVENT_KIND_COUNT]; /* NULL: the world has no such events */
    uint32_t state; /* number of the state of the world that was applied last */
};

/* They change what only the server may change. */
static const char *const server_systems[] = {
    "CraftyCommands", "CraftyPlayerModes", "FlyCameras",        "PlayerControllers",
    "CraftyWalking",  "CraftyHands",       "CraftyEating",      "CraftyVitals",
    "CraftyBeds",     "CraftyCreatures",   "CraftyDrops",       "ChangeWeather",
    "CraftyFurnaces", "CraftyVillagers",   "CraftyInventories", "CraftyBlocks",
    "CraftySupport",  "CraftyGrowthWatch", "CraftyDropsWake",   "CraftyBlockSum",
    "CraftyMods",     "CraftyModsBegin",   "CraftyModsEnd"};

/* ---- Taking over ---- */

static void take_player(CraftyFollow *follow)
{
    CraftyPrediction *prediction = crafty_net_client_prediction(follow->client);
    uint8_t bytes[CRAFTY_OWN_STATE_BYTES];
    if (crafty_own_state_read(crafty_prediction_world(prediction),
                              crafty_prediction_player(prediction), bytes))
        crafty_own_state_write(follow->world, follow->player, bytes);
    for (const CraftyHandEvent *event; (event = crafty_prediction_next_hand_event(prediction));) {
        CraftyHandEvent own = *event;
        own.player = follow->player;
        cn_send_value(follow->channels[CRAFTY_EVENT_HAND], &own);
    }
    for (const CraftyPlayerEvent *event;
         (event = crafty_prediction_next_player_event(prediction));) {
        CraftyPlayerEvent own = *event;
        own.player = follow->player;
        cn_send_value(follow->channels[CRAFTY_EVENT_PLAYER], &own);
    }
}

static void take_events(CraftyFollow *follow)
{
    CraftyEventKind kind;
    uint64_t event[CRAFTY_EVENT_BYTES / sizeof(uint64_t)];
    while (crafty_net_client_next_event(follow->client, &kind, event))
        if (follow->channels[kind])
            cn_send_value(follow->channels[kind], event);
}

/* The clock goes on by itself in between. */
static void take_state(CraftyFollow *follow)
{
    CraftyWorldState state;
    uint32_t number = crafty_net_client_world_state(follow->client, &state);
    if (number == follow->state)
        return;
    follow->state = number;
    CraftyDay *day = cn_resource_mut(follow->world, CraftyDay);
    CraftyWeather *weather = cn_resource_mut(follow->world, CraftyWeather);
    if (day) {
        day->days = state.days;
        day->speed = state.speed;
    }
    if (!weather)
        return;
    uint8_t biome = weather->biome;
    *weather = state.weather;
    weather->biome = biome; /* that of this player */
}

static void run_follow(CnSystemContext *context)
{
    CraftyFollow *follow = context->user;
    const CnPlayerActions *own = cn_get(follow->world, follow->player, CnPlayerActions);
    CnActions actions = own ? own->actions : (CnActions){0};
    CnError error = {0};
    if (!crafty_net_client_tick(follow->client, &actions, &error))
        CN_LOG_ERROR("net", "%s", error.message);
    cn_sim_time(follow->sim)->scale = (double)crafty_net_client_time_scale(follow->client);
    if (crafty_net_client_state(follow->client) != CRAFTY_NET_PLAYS)
        return;
    take_player(follow);
    if (!crafty_net_client_show(follow->client, follow->world, &error))
        CN_LOG_WARNING("net", "%s", error.message);
    take_events(follow);
    take_state(follow);
}

/* ---- Beginning and ending ---- */

static bool add_system(CraftyFollow *follow, CnError *error)
{
    CnSystemDesc desc = {.name = "CraftyFollow",
                         .run = run_follow,
                         .user = follow,
                         .stage = CN_STAGE_INPUT,
                         .alone = true};
    if (!crafty_system_add(follow->world, &desc, error))
        return false;
    follow->system = cn_system_find(follow->world, desc.name);
    return true;
}

CraftyFollow *crafty_follow_begin(CnSim *sim, CraftyNetClient *client, CnEntity player,
                                  CnError *error)
{
    CraftyFollow *follow = cn_alloc_zeroed(cn_system_allocator(), sizeof *follow);
    if (!follow) {
        cn_error_memory(error, "what follows a server");
        return NULL;
    }
    CnWorld *world = cn_sim_world(sim);
    *follow = (CraftyFollow){.sim = sim, .world = world, .client = client, .player = player};
    for (uint32_t i = 0; i < CRAFTY_EVENT_KIND_COUNT; i++) {
        const CnType *type = crafty_event_type((CraftyEventKind)i);
        if (cn_component_find(world, type->name).id)
            follow->channels[i] = cn_channel_open(world, &(CnChannelDesc){.type = type});
    }
    CnPlayerActions *own = cn_get_mut(world, player, CnPlayerActions);
    if (own)
        own->player = crafty_net_client_welcome(client)->player;
    for (uint32_t i = 0; i < CN_COUNT_OF(server_systems); i++) {
        CnSystem system = cn_system_find(world, server_systems[i]);
        if (system.id)
            cn_system_enable(world, system, false);
    }
    crafty_net_client_set_player(client, player);
    if (add_system(follow, error))
        return follow;
    cn_free(cn_system_allocator(), follow, sizeof *follow);
    return NULL;
}

void crafty_follow_end(CraftyFollow *follow)
{
    if (!follow)
        return;
    cn_system_remove(follow->world, follow->system);
    cn_free(cn_system_allocator(), follow, sizeof *follow);
}

bool crafty_follow_send(void *user, const CraftyCommand *command)
{
    CraftyFollow *follow = user;
    return crafty_net_client_send_command(follow->client, command);
}
