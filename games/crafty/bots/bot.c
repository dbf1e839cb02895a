#include "bot.h"

#include "crafty/net/net_world.h"
#include "crafty/sim/actions.h"
#include "crafty/sim/chat.h"
#include "crafty/sim/vitals.h"

#include <cairn/sim/random.h>

#include <string.h>

#define TICKS_OF_A_PLAN 90u

/* What it does for a while. */
typedef enum Plan {
    PLAN_WALKS,
    PLAN_BREAKS, /* the block in front of it or below */
    PLAN_PLACES,
    PLAN_STRIKES, /* whoever is before it */
    PLAN_RESTS,
    PLAN_COUNT
} Plan;

struct CraftyBot {
    CraftyBotDesc desc;
    CnNetKey *key;
    CnNetEndpoint *endpoint;
    CraftyNetClient *client;
    CraftyNetWorld world;
    bool has_world, has_begun;
    CnActions actions;
    CraftyActionSet set;
    CnAction look;
    Plan plan;
    uint32_t plan_ticks;
    CnRandom random;
    CraftyBotReport report;
};

static uint32_t draw(CraftyBot *bot, uint32_t below)
{
    return (uint32_t)cn_random_below(&bot->random, below);
}

/* ---- Creation ---- */

CraftyBot *crafty_bot_create(const CraftyBotDesc *desc, CnError *error)
{
    CraftyBot *bot = cn_alloc_zeroed(cn_system_allocator(), sizeof *bot);
    char name[CRAFTY_PLAYER_NAME_BYTES], key[CN_NET_KEY_TEXT_BYTES];
    if (!bot) {
        cn_error_memory(error, "a bot");
        return NULL;
    }
    bot->desc = *desc;
    bot->set = crafty_action_set();
    bot->look = cn_action_find(crafty_actions(), "look");
    bot->random = cn_random_make(desc->seed + desc->number, "bot");
    bot->key = cn_net_key_create(error);
    if (bot->key) /* servers remember names: those of other runs are taken */
        cn_format(name, sizeof name, "bot%u_%.6s", desc->number,
                  cn_net_key_id_text(cn_net_key_id(bot->key), key));
    if (bot->key)
        bot->endpoint = cn_net_endpoint_create(&(CnNetEndpointDesc){.key = bot->key,
                                                                    .protocol = CRAFTY_NET_PROTOCOL,
                                                                    .conditions = desc->conditions},
                                               error);
    if (bot->endpoint)
        bot->client =
            crafty_net_client_create(&(CraftyNetClientDesc){.endpoint = bot->endpoint,
                                                            .address = desc->address,
                                                            .name = name,
                                                            .view_distance = desc->view_distance},
                                     error);
    if (bot->client)
        return bot;
    crafty_bot_destroy(bot);
    return NULL;
}

void crafty_bot_destroy(CraftyBot *bot)
{
    if (!bot)
        return;
    crafty_net_client_destroy(bot->client);
    if (bot->has_world)
        crafty_net_world_fini(&bot->world);
    cn_net_endpoint_destroy(bot->endpoint);
    cn_net_key_destroy(bot->key);
    cn_free(cn_system_allocator(), bot, sizeof *bot);
}

/* ---- Acting ---- */

static void hold(CraftyBot *bot, CnAction action, bool is_held)
{
    uint64_t bit = 1ull << (action.number - 1);
    bool was_held = (bot->actions.held & bit) != 0;
    bot->actions.pressed |= is_held && !was_held ? bit : 0;
    bot->actions.released |= !is_held && was_held ? bit : 0;
    bot->actions.held = is_held ? bot->actions.held | bit : bot->actions.held & ~bit;
}

static void look(CraftyBot *bot, float right, float up)
{
    bot->actions.axes[bot->look.axis] = right;
    bot->actions.axes[bot->look.axis + 1u] = up;
}

static void command(CraftyBot *bot, const CraftyCommand *sent)
{
    crafty_net_client_send_command(bot->client, sent);
}

static void chat(CraftyBot *bot)
{
    CraftyCommand line = {.kind = CRAFTY_COMMAND_CHAT};
    cn_format(line.text, sizeof line.text, "%u blocks so far", (uint32_t)bot->report.broken);
    command(bot, &line);
    bot->report.said++;
}

/* Planks of logs that it has, or nothing. */
static void craft(CraftyBot *bot)
{
    command(bot, &(CraftyCommand){.kind = CRAFTY_COMMAND_OPEN, .choice = 1});
    CraftyCommand fill = {.kind = CRAFTY_COMMAND_FILL_RECIPE, .count = 1};
    cn_copy_text(fill.item, sizeof fill.item, cn_text("oak_planks"));
    command(bot, &fill);
    command(bot, &(CraftyCommand){.kind = CRAFTY_COMMAND_CLOSE});
}

static void choose_plan(CraftyBot *bot)
{
    const CraftyActionSet set = bot->set;
    bot->plan = (Plan)draw(bot, PLAN_COUNT);
    if (bot->desc.stays && bot->plan == PLAN_WALKS)
        bot->plan = PLAN_RESTS;
    bot->plan_ticks = TICKS_OF_A_PLAN / 2 + draw(bot, TICKS_OF_A_PLAN);
    bot->actions.axes[set.move.axis] = 0;
    bot->actions.axes[set.move.axis + 1u] = bot->plan == PLAN_WALKS ? 1 : 0;
    hold(bot, set.break_block, bot->plan == PLAN_BREAKS || bot->plan == PLAN_STRIKES);
    hold(bot, set.place_block, bot->plan == PLAN_PLACES);
    look(bot, (float)draw(bot, 1600) - 800, (float)draw(bot, 400) - 250);
    uint32_t chance = draw(bot, 12);
    if (chance == 0 && !bot->desc.is_quiet)
        chat(bot);
    else if (chance == 1)
        craft(bot);
}

static void act(CraftyBot *bot)
{
    const CraftyActionSet set = bot->set;
    bot->actions.pressed = bot->actions.released = 0;
    look(bot, 0, 0);
    if (!bot->has_begun) {
        bot->has_begun = true;
        command(bot, &(CraftyCommand){.kind = CRAFTY_COMMAND_CAPTURE, .choice = 1});
    }
    if (bot->plan_ticks-- == 0)
        choose_plan(bot);
    if (bot->plan == PLAN_WALKS) {
        look(bot, (float)draw(bot, 9) - 4, 0);
        hold(bot, set.jump, draw(bot, 20) == 0);
    }
}

static void count_events(CraftyBot *bot)
{
    CraftyEventKind kind;
    uint64_t event[CRAFTY_EVENT_BYTES / sizeof(uint64_t)];
    while (crafty_net_client_next_event(bot->client, &kind, event))
        bot->report.heard += kind == CRAFTY_EVENT_CHAT;
    CraftyPrediction *prediction = crafty_net_client_prediction(bot->client);
    for (const CraftyHandEvent *own; (own = crafty_prediction_next_hand_event(prediction));) {
        bot->report.broken += own->kind == CN_INTERACT_BREAK;
        bot->report.placed += own->kind == CN_INTERACT_PLACE;
    }
    const CraftyVitals *vitals = cn_get(crafty_prediction_world(prediction),
                                        crafty_prediction_player(prediction), CraftyVitals);
    if (vitals && vitals->dead && bot->report.played_ticks % 60 == 0)
        command(bot, &(CraftyCommand){.kind = CRAFTY_COMMAND_RESPAWN});
}

/* ---- Ticks ---- */

static bool receive(CraftyBot *bot, CnError *error)
{
    CnNetEvent event;
    if (!cn_net_poll(bot->endpoint, 0, error))
        return false;
    while (cn_net_next_event(bot->endpoint, &event))
        crafty_net_client_event(bot->client, &event);
    if (crafty_net_client_state(bot->client) != CRAFTY_NET_WELCOMED)
        return true;
    bot->has_world = crafty_net_world_init(&bot->world, bot->client, 0, error);
    return bot->has_world && crafty_net_client_enter(bot->client, &bot->world.sim, error);
}

bool crafty_bot_tick(CraftyBot *bot, CnError *error)
{
    if (!receive(bot, error))
        return false;
    CraftyNetState state = crafty_net_client_state(bot->client);
    if (state == CRAFTY_NET_PLAYS) {
        act(bot);
        bot->report.played_ticks++;
        cn_net_connection_stats(bot->endpoint, crafty_net_client_connection(bot->client),
                                &bot->report.connection);
    }
    if (state != CRAFTY_NET_PLAYS && state != CRAFTY_NET_ENTERS)
        return true;
    if (bot->has_world)
        crafty_net_world_prepare(&bot->world, bot->client);
    if (!crafty_net_client_tick(bot->client, &bot->actions, error))
        return false;
    count_events(bot);
    return cn_net_poll(bot->endpoint, 0, error);
}

float crafty_bot_time_scale(const CraftyBot *bot)
{
    return crafty_net_client_time_scale(bot->client);
}

void crafty_bot_leave(CraftyBot *bot)
{
    cn_net_close(bot->endpoint, crafty_net_client_connection(bot->client), CRAFTY_LEAVE_QUIT,
                 "The bot has finished.");
}

void crafty_bot_report(const CraftyBot *bot, CraftyBotReport *report)
{
    *report = bot->report;
    report->state = crafty_net_client_state(bot->client);
    report->client = crafty_net_client_stats(bot->client);
    cn_copy_text(report->reason, sizeof report->reason,
                 cn_text(crafty_net_client_reason(bot->client)));
}
