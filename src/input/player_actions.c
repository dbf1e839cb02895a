#include <cairn/ecs/query.h>
#include <cairn/ecs/system.h>
#include <cairn/input/player_actions.h>

#define SYSTEM_NAME "cn_player_actions_drain"

CN_STATIC_ASSERT(CN_MAX_ACTION_AXES <= 32, "the bits of relative axes must fit into a word");

static bool is_relative(uint32_t relative, uint32_t axis)
{
    return relative >> axis & 1u;
}

/* ---- Messages ---- */

bool cn_player_actions_event_valid(const CnPlayerActionsEvent *event)
{
    CN_ASSERT(event, "%s: event is NULL", __func__);
    for (uint32_t i = 0; i < CN_MAX_ACTION_AXES; i++) {
        float limit = is_relative(event->relative, i) ? CN_ACTION_MAX_DISTANCE : 1;
        if (!(event->actions.axes[i] >= -limit && event->actions.axes[i] <= limit)) /* or NaN */
            return false;
    }
    return event->relative >> (CN_MAX_ACTION_AXES - 1) <= 1;
}

CnPlayerActionsSource cn_player_actions_source(CnWorld *world, CnProducer *producer)
{
    CN_ASSERT(world, "%s: world is NULL", __func__);
    return (CnPlayerActionsSource){producer, cn_channel(world, CnPlayerActionsEvent)};
}

bool cn_player_actions_send(CnPlayerActionsSource source, uint32_t player, CnActionList list,
                            const CnActions *actions)
{
    CN_ASSERT(actions, "%s: actions is NULL", __func__);
    CnPlayerActionsEvent event = {player, cn_actions_relative_axes(list), *actions};
    return source.channel && cn_player_actions_event_valid(&event) &&
           cn_produce_value(source.producer, source.channel, &event);
}

/* ---- The system ---- */

static void begin_tick(CnPlayerActions *player)
{
    player->actions.pressed = player->actions.released = 0;
    for (uint32_t i = 0; i < CN_MAX_ACTION_AXES; i++)
        if (is_relative(player->relative, i))
            player->actions.axes[i] = 0;
}

static void apply(CnPlayerActions *player, const CnPlayerActionsEvent *event)
{
    CnActions *actions = &player->actions;
    actions->held = event->actions.held;
    actions->pressed |= event->actions.pressed;
    actions->released |= event->actions.released;
    for (uint32_t i = 0; i < CN_MAX_ACTION_AXES; i++) {
        /* An axis that was a position until now does not count as a distance. */
        bool adds = is_relative(event->relative, i) && is_relative(player->relative, i);
        actions->axes[i] = event->actions.axes[i] + (adds ? actions->axes[i] : 0);
    }
    player->relative = event->relative;
}

static void drain_player(CnPlayerActions *player, const CnPlayerActionsEvent *events,
                         uint32_t count)
{
    begin_tick(player);
    for (uint32_t i = 0; i < count; i++) {
        if (events[i].player != player->player)
            continue;
        if (cn_player_actions_event_valid(&events[i]))
            apply(player, &events[i]);
        else if (!player->ignored++)
            CN_LOG_WARNING("input",
                           "player %u: an invalid message is ignored; further ones are only "
                           "counted",
                           player->player);
    }
}

static void drain(CnSystemContext *context)
{
    const CnChannel *channel = context->user;
    const CnPlayerActionsEvent *events = cn_events(channel, CnPlayerActionsEvent);
    uint32_t count = cn_event_count(channel);
    CnChunkView view;
    for (CnQueryIter it = cn_query_iter(context->query); cn_query_next(&it, &view);) {
        CnPlayerActions *players = cn_column(&view, CnPlayerActions);
        for (uint32_t i = 0; i < view.count; i++)
            drain_player(&players[i], events, count);
    }
}

/* ---- Registration ---- */

bool cn_player_actions_register(CnWorld *world, CnError *error)
{
    CN_ASSERT(world, "%s: world is NULL", __func__);
    CN_REPORT_UNHANDLED(error, "input", cn_world_unhandled_errors(world));
    const CnComponentDesc descs[] = {
        {.type = &cn_type_CnPlayerActions},
        {.type = &cn_type_CnPlayerActionsEvent},
        {.type = &cn_type_CnPlayerActionsList, .flags = CN_COMPONENT_TRANSIENT},
    };
    for (uint32_t i = 0; i < CN_COUNT_OF(descs); i++)
        if (!cn_component_register(world, &descs[i], error).id)
            return false;
    return true;
}

static bool add_system(CnWorld *world, CnError *error)
{
    CnChannel *channel = cn_channel(world, CnPlayerActionsEvent);
    if (!channel)
        return cn_error_memory(error, "the channel of player actions");
    if (cn_system_find(world, SYSTEM_NAME).id)
        return true;
    CnSystemDesc desc = {
        .name = SYSTEM_NAME,
        .run = drain,
        .user = channel,
        .stage = CN_STAGE_INPUT,
        .query = {.all = {cn_writes(CnPlayerActions)}},
        .access = {cn_reads(CnPlayerActionsEvent)},
    };
    return cn_system_add(world, &desc, error).id != 0;
}

bool cn_player_actions_add(CnWorld *world, CnActionList list, CnError *error)
{
    CN_ASSERT(world, "%s: world is NULL", __func__);
    CN_REPORT_UNHANDLED(error, "input", cn_world_unhandled_errors(world));
    if (!cn_action_list_check(list, error) || !cn_player_actions_register(world, error) ||
        !add_system(world, error))
        return false;
    return cn_resource_set(world, CnPlayerActionsList, {list}) ||
           cn_error_memory(error, "the list of player actions");
}

CnActionList cn_player_actions_list(const CnWorld *world)
{
    CN_ASSERT(world, "%s: world is NULL", __func__);
    const CnPlayerActionsList *resource = cn_resource(world, CnPlayerActionsList);
    return resource ? resource->list : (CnActionList){NULL, 0};
}
