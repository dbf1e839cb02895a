#include <cairn/base/array.h>
#include <cairn/base/hash_map.h>
#include <cairn/ecs/query.h>
#include <cairn/ecs/system.h>
#include <cairn/input/player_actions.h>

#include <string.h>

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

/* The messages of a tick by player: a chain for each, in order of sending. */
typedef struct Drain {
    CnAllocator *allocator;
    CnChannel *channel;
    CN_ARRAY(uint32_t) next; /* by message: the next one of its chain + 1 */
    CN_ARRAY(uint32_t)
    first; /* by slot: the first one of a chain + 1; several players may share a
              slot */
} Drain;

static uint32_t slot_of(const Drain *drain, uint32_t player)
{
    return (uint32_t)cn_hash_mix(player) & (drain->first.count - 1);
}

/* Returns false when out of memory. */
static bool make_chains(Drain *drain, const CnPlayerActionsEvent *events, uint32_t count)
{
    uint32_t slots = 16;
    while (slots < count)
        slots *= 2;
    if (!cn_array_reserve(&drain->next, count) || !cn_array_reserve(&drain->first, slots))
        return false;
    drain->first.count = slots;
    drain->next.count = count;
    memset(drain->first.items, 0, slots * sizeof *drain->first.items);
    for (uint32_t i = count; i-- > 0;) {
        uint32_t *first = &drain->first.items[slot_of(drain, events[i].player)];
        drain->next.items[i] = *first;
        *first = i + 1;
    }
    return true;
}

static void drain_message(CnPlayerActions *player, const CnPlayerActionsEvent *event)
{
    if (event->player != player->player)
        return;
    if (cn_player_actions_event_valid(event))
        apply(player, event);
    else if (!player->ignored++)
        CN_LOG_WARNING("input",
                       "player %u: an invalid message is ignored; further ones are only counted",
                       player->player);
}

static void drain_player(const Drain *drain, CnPlayerActions *player,
                         const CnPlayerActionsEvent *events, uint32_t count)
{
    begin_tick(player);
    if (!count)
        return;
    uint32_t at = drain->first.items[slot_of(drain, player->player)];
    for (; at; at = drain->next.items[at - 1])
        drain_message(player, &events[at - 1]);
}

/* Without memory for chains, all messages are looked at for each player. */
static void drain_slowly(CnPlayerActions *player, const CnPlayerActionsEvent *events,
                         uint32_t count)
{
    begin_tick(player);
    for (uint32_t i = 0; i < count; i++)
        drain_message(player, &events[i]);
}

static void run_drain(CnSystemContext *context)
{
    Drain *drain = context->user;
    const CnPlayerActionsEvent *events = cn_events(drain->channel, CnPlayerActionsEvent);
    uint32_t count = cn_event_count(drain->channel);
    bool has_chains = make_chains(drain, events, count);
    CnChunkView view;
    for (CnQueryIter it = cn_query_iter(context->query); cn_query_next(&it, &view);) {
        CnPlayerActions *players = cn_column(&view, CnPlayerActions);
        for (uint32_t i = 0; i < view.count; i++)
            if (has_chains)
                drain_player(drain, &players[i], events, count);
            else
                drain_slowly(&players[i], events, count);
    }
}

static void destroy_drain(void *user)
{
    Drain *drain = user;
    cn_array_fini(&drain->next);
    cn_array_fini(&drain->first);
    cn_free(drain->allocator, drain, sizeof *drain);
}

static Drain *create_drain(CnWorld *world, CnChannel *channel)
{
    CnAllocator *allocator = cn_world_allocator(world);
    Drain *drain = cn_alloc_zeroed(allocator, sizeof *drain);
    if (!drain)
        return NULL;
    drain->allocator = allocator;
    drain->channel = channel;
    cn_array_init(&drain->next, allocator);
    cn_array_init(&drain->first, allocator);
    return drain;
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
    Drain *drain = create_drain(world, channel);
    if (!drain)
        return cn_error_memory(error, "the channel of player actions");
    CnSystemDesc desc = {
        .name = SYSTEM_NAME,
        .run = run_drain,
        .user = drain,
        .dispose = destroy_drain,
        .stage = CN_STAGE_INPUT,
        .query = {.all = {cn_writes(CnPlayerActions)}},
        .access = {cn_reads(CnPlayerActionsEvent)},
    };
    if (cn_system_add(world, &desc, error).id)
        return true;
    destroy_drain(drain);
    return false;
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
