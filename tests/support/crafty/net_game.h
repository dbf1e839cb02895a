/*
 * A server with a world and clients without a screen in one process, with a clock that the test
 * moves: include it once.
 *
 *     begin_game(&(NetGameDesc){.mode = CRAFTY_MODE_CREATIVE});
 *     NetPlayer *ada = add_player("Ada");
 *     play_until(ada, CRAFTY_NET_PLAYS);
 *     press(ada, "break_block", true);
 *     game_ticks(60);
 *     end_game(NULL);
 */
#ifndef CAIRN_TESTS_SUPPORT_CRAFTY_NET_GAME_H
#define CAIRN_TESTS_SUPPORT_CRAFTY_NET_GAME_H

#include "cmocka_tests.h"

#include <crafty/net/net_server.h>
#include <crafty/net/net_world.h>
#include <crafty/replay/session.h>
#include <crafty/sim/actions.h>
#include <crafty/sim/player_index.h>

#include <string.h>

#define NET_GAME_PLAYERS 8u
#define NET_GAME_TICK_NS (1000000000u / 60)

typedef struct NetPlayer {
    CnNetKey *key;
    CnNetEndpoint *endpoint;
    CraftyNetClient *client;
    CraftyNetWorld world;
    CnActions actions;
    bool has_world;
    double ticks; /* part of a tick that is due */
} NetPlayer;

typedef struct NetGameDesc {
    CraftyPlayerMode mode;
    CraftyDifficulty difficulty;
    CnNetConditions conditions; /* of the clients */
    uint64_t seed;
    CnVec3 spawn;
    bool (*admit)(void *user, const CraftyJoinRequest *request, CraftyJoinAnswer *admission);
    uint32_t max_players;
} NetGameDesc;

static struct {
    NetGameDesc desc;
    uint64_t now_ns;
    CraftySession *session;
    CnSim *sim;
    CnWorld *world;
    CnNetKey *key;
    CnNetEndpoint *endpoint;
    CraftyNetServer *server;
    NetPlayer players[NET_GAME_PLAYERS];
    uint32_t player_count;
} game;

static inline uint64_t game_clock(void *user)
{
    (void)user;
    return game.now_ns;
}

static inline void check_error(bool is_done, const CnError *error)
{
    if (!is_done)
        fail_msg("%s", error->message);
}

static inline CnNetEndpoint *game_endpoint(const CnNetKey *key, bool is_server)
{
    CnError error = {0};
    CnNetEndpointDesc desc = {
        .key = key, .protocol = CRAFTY_NET_PROTOCOL, .is_server = is_server, .clock = game_clock};
    if (!is_server)
        desc.conditions = game.desc.conditions;
    check_error(cn_net_address_parse(cn_text("127.0.0.1:0"), &desc.bind, &error), &error);
    CnNetEndpoint *endpoint = cn_net_endpoint_create(&desc, &error);
    check_error(endpoint, &error);
    return endpoint;
}

static inline void begin_game(const NetGameDesc *desc)
{
    CnError error = {0};
    memset(&game, 0, sizeof game);
    game.desc = *desc;
    game.now_ns = 1000000000;
    CraftySessionDesc session = {.start = {.seed = desc->seed ? desc->seed : 42,
                                           .viewer = CRAFTY_VIEWER_NONE,
                                           .mode = desc->mode,
                                           .difficulty = desc->difficulty,
                                           .hours = 12},
                                 .finds_spawn = true,
                                 .threads = 1};
    game.session = crafty_session_create(&session, &error);
    check_error(game.session, &error);
    game.sim = crafty_session_sim(game.session);
    game.world = cn_sim_world(game.sim);
    game.key = cn_net_key_create(&error);
    check_error(game.key, &error);
    game.endpoint = game_endpoint(game.key, true);
    game.server =
        crafty_net_server_create(&(CraftyNetServerDesc){.endpoint = game.endpoint,
                                                        .sim = game.sim,
                                                        .world = crafty_session_world(game.session),
                                                        .start = crafty_session_start(game.session),
                                                        .name = "Test",
                                                        .max_players = desc->max_players,
                                                        .view_distance = 4,
                                                        .admit = desc->admit},
                                 &error);
    check_error(game.server, &error);
}

static inline void join_again(NetPlayer *player, const char *name)
{
    CnError error = {0};
    player->client = crafty_net_client_create(
        &(CraftyNetClientDesc){.endpoint = player->endpoint,
                               .address = cn_net_endpoint_address(game.endpoint),
                               .name = name,
                               .view_distance = 4},
        &error);
    check_error(player->client, &error);
}

static inline NetPlayer *add_player(const char *name)
{
    CnError error = {0};
    assert_true(game.player_count < NET_GAME_PLAYERS);
    NetPlayer *player = &game.players[game.player_count++];
    player->key = cn_net_key_create(&error);
    check_error(player->key, &error);
    player->endpoint = game_endpoint(player->key, false);
    join_again(player, name);
    return player;
}

static inline void remove_client(NetPlayer *player)
{
    crafty_net_client_destroy(player->client);
    player->client = NULL;
    if (player->has_world)
        crafty_net_world_fini(&player->world);
    player->has_world = false;
}

static inline int end_game(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < game.player_count; i++) {
        remove_client(&game.players[i]);
        cn_net_endpoint_destroy(game.players[i].endpoint);
        cn_net_key_destroy(game.players[i].key);
    }
    crafty_net_server_destroy(game.server);
    cn_net_endpoint_destroy(game.endpoint);
    cn_net_key_destroy(game.key);
    crafty_session_destroy(game.session);
    return 0;
}

static inline void player_poll(NetPlayer *player)
{
    CnError error = {0};
    CnNetEvent event;
    check_error(cn_net_poll(player->endpoint, 0, &error), &error);
    while (cn_net_next_event(player->endpoint, &event))
        if (player->client)
            crafty_net_client_event(player->client, &event);
    if (!player->client || crafty_net_client_state(player->client) != CRAFTY_NET_WELCOMED)
        return;
    check_error(crafty_net_world_init(&player->world, player->client, 0, &error), &error);
    player->has_world = true;
    check_error(crafty_net_client_enter(player->client, &player->world.sim, &error), &error);
}

/* Presses and releases belong to one tick; what is held stays. */
static inline void player_tick(NetPlayer *player)
{
    CnError error = {0};
    check_error(crafty_net_client_tick(player->client, &player->actions, &error), &error);
    player->actions.pressed = player->actions.released = 0;
    uint32_t relative = cn_actions_relative_axes(crafty_actions());
    for (uint32_t i = 0; i < CN_MAX_ACTION_AXES; i++)
        player->actions.axes[i] = relative >> i & 1u ? 0 : player->actions.axes[i];
    check_error(cn_net_poll(player->endpoint, 0, &error), &error);
}

static inline void server_poll(void)
{
    CnError error = {0};
    CnNetEvent event;
    check_error(cn_net_poll(game.endpoint, 0, &error), &error);
    while (cn_net_next_event(game.endpoint, &event))
        crafty_net_server_event(game.server, &event);
}

/* A tick of the server takes four steps of the clock, so that packets travel in between. */
static inline void game_ticks(uint32_t ticks)
{
    CnError error = {0};
    for (uint32_t step = 0; step < 4 * ticks; step++) {
        game.now_ns += NET_GAME_TICK_NS / 4;
        server_poll();
        if (step % 4 == 3) {
            crafty_net_server_before_tick(game.server);
            check_error(cn_sim_tick_n(game.sim, 1, &error), &error);
            crafty_net_server_after_tick(game.server);
            check_error(cn_net_poll(game.endpoint, 0, &error), &error);
        }
        for (uint32_t i = 0; i < game.player_count; i++) {
            NetPlayer *player = &game.players[i];
            player_poll(player);
            if (!player->client)
                continue;
            player->ticks += (double)crafty_net_client_time_scale(player->client) / 4;
            for (; player->ticks >= 1; player->ticks -= 1)
                player_tick(player);
            if (step % 4 == 0 && player->has_world)
                crafty_net_world_prepare(&player->world, player->client);
        }
    }
}

/* Runs until the client is in a state, for at most 30 seconds. */
static inline void play_until(const NetPlayer *player, CraftyNetState state)
{
    for (uint32_t i = 0; i < 1800 && crafty_net_client_state(player->client) != state; i++)
        game_ticks(1);
    if (crafty_net_client_state(player->client) != state)
        fail_msg("the client is in state %d, not %d: %s",
                 (int)crafty_net_client_state(player->client), (int)state,
                 crafty_net_client_reason(player->client));
}

static inline void press(NetPlayer *player, const char *name, bool is_held)
{
    CnAction action = cn_action_find(crafty_actions(), name);
    uint64_t bit = 1ull << (action.number - 1);
    assert_int_not_equal(action.number, 0);
    player->actions.held = is_held ? player->actions.held | bit : player->actions.held & ~bit;
    player->actions.pressed |= is_held ? bit : 0;
    player->actions.released |= is_held ? 0 : bit;
}

static inline void set_axes(NetPlayer *player, const char *name, float x, float y)
{
    CnAction action = cn_action_find(crafty_actions(), name);
    assert_int_not_equal(action.number, 0);
    player->actions.axes[action.axis] = x;
    player->actions.axes[action.axis + 1u] = y;
}

static inline CnEntity on_server(const NetPlayer *player)
{
    return crafty_player_by_number(game.world, crafty_net_client_welcome(player->client)->player);
}

/* The own player, as the client predicts it. */
static inline CnVec3 predicted_position(const NetPlayer *player)
{
    CraftyPrediction *prediction = crafty_net_client_prediction(player->client);
    return cn_get(crafty_prediction_world(prediction), crafty_prediction_player(prediction),
                  CnTransform)
        ->position;
}

static inline CnVec3 server_position(const NetPlayer *player)
{
    return cn_get(game.world, on_server(player), CnTransform)->position;
}

static inline CnVoxels *server_voxels(void)
{
    return crafty_world_voxels(crafty_session_world(game.session));
}

static inline CnVoxels *client_voxels(const NetPlayer *player)
{
    return crafty_world_voxels(player->world.world);
}

#endif
