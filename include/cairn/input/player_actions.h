/*
 * Player actions: each player's own input, as a component that messages of a tick fill.
 *
 *     static const CnBinding jump[] = {{.control = CN_CONTROL_KEY_OF(CN_KEY_SPACE)}};
 *     static const CnActionDesc descs[] = {
 *         {.name = "jump", .bindings = jump, .binding_count = 1}};
 *     static const CnActionList list = {descs, 1};
 *
 *     CnError error = {0};
 *     CnWorld *world = cn_world_create(NULL, NULL);
 *     cn_player_actions_add(world, list, &error);
 *     CnEntity player = cn_spawn(world, cn_with(CnPlayerActions, {.player = 1}));
 *
 *     // The client: evaluates its bindings and sends the result.
 *     CnProducer *producer = cn_producer_create(world, &(CnProducerDesc){.name = "player 1"},
 * NULL); CnPlayerActionsSource source = cn_player_actions_source(world, producer); CnActions
 * actions = {.held = 1}; cn_player_actions_send(source, 1, list, &actions);
 *
 *     cn_producers_merge(world, NULL, NULL);
 *     cn_world_update(world, 1.0f / 60, &error);
 *     const CnPlayerActions *own = cn_get(world, player, CnPlayerActions);
 *     bool jumps = cn_action_held(&own->actions, cn_action_find(list, "jump"));
 *
 * The messages pass through a producer, so recordings and network connections carry them like all
 * input. They contain evaluated actions instead of keys: the simulation does not depend on
 * anybody's bindings, devices or keyboard layout, and bindings may change during a recording.
 *
 * The system cn_player_actions_drain, in CN_STAGE_INPUT, applies the messages of a tick to all
 * entities with the same player number, in order of sending: the last one determines what is held
 * and the positions of axes; presses, releases and relative axes accumulate. In a tick without a
 * message, held buttons and positions stay as they are, and nothing is pressed, released or moved.
 *
 * All parts that exchange messages must use the same list: names and order of the actions. Messages
 * are not trusted: one with a value that is NaN or out of range changes nothing and is counted in
 * `ignored`. A message for a player that no entity has is dropped.
 */
#ifndef CAIRN_INPUT_PLAYER_ACTIONS_H
#define CAIRN_INPUT_PLAYER_ACTIONS_H

#include <cairn/ecs/producer.h>
#include <cairn/input/action.h>

CN_EXTERN_C_BEGIN

/*
 * player    the player's number, chosen by the program; several entities may have the same
 * relative  axes that cover one tick, as bits; set by messages
 * ignored   invalid messages so far
 * actions   the player's actions in this tick
 */
CN_COMPONENT(CnPlayerActions, (u32, player), (u32, relative), (u64, ignored),
             (struct, CnActions, actions));

/* A message with the actions of a player. */
CN_COMPONENT(CnPlayerActionsEvent, (u32, player), (u32, relative), (struct, CnActions, actions));

/* A transient resource: the actions of all players of a world. Read it with
 * cn_player_actions_list. */
typedef struct CnPlayerActionsList {
    CnActionList list;
} CnPlayerActionsList;
CN_OPAQUE(CnPlayerActionsList);

/* Registers the components without adding anything else. */
CN_API bool cn_player_actions_register(CnWorld *world, CnError *error);
/* Adds the components, the channel and the system. `list` must stay valid as long as the world;
 * only its names and kinds matter here. Calling it again replaces the list. Returns false and an
 * error if the list is wrong or when out of memory. Call it between ticks. */
CN_API bool cn_player_actions_add(CnWorld *world, CnActionList list, CnError *error);
/* Returns the list of the world; an empty one if there is none. For systems that declare that they
 * read CnPlayerActionsList. */
CN_API CnActionList cn_player_actions_list(const CnWorld *world);

/* The destination of messages; a plain value. */
typedef struct CnPlayerActionsSource {
    CnProducer *producer;
    const CnChannel *channel;
} CnPlayerActionsSource;

/* Call it on the world's thread, after cn_player_actions_add. */
CN_API CnPlayerActionsSource cn_player_actions_source(CnWorld *world, CnProducer *producer);
/* Returns whether the message is valid on its own. */
CN_API bool cn_player_actions_event_valid(const CnPlayerActionsEvent *event);
/* Sends the actions of a player, on the thread of the producer. Call it once before each tick, or
 * once per frame. Returns false, and sends nothing, when the actions are invalid or the producer is
 * full, which it counts. */
CN_API bool cn_player_actions_send(CnPlayerActionsSource source, uint32_t player, CnActionList list,
                                   const CnActions *actions);

CN_EXTERN_C_END

#endif
