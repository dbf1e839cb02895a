/* Clients in a server's world: joining, moving, blocks, other players, leaving. */
#include "net_game.h"

#include <crafty/sim/chat.h>
#include <crafty/sim/motion.h>

static int creative(void **state)
{
    (void)state;
    begin_game(&(NetGameDesc){.mode = CRAFTY_MODE_CREATIVE});
    return 0;
}

static NetPlayer *playing(const char *name)
{
    NetPlayer *player = add_player(name);
    play_until(player, CRAFTY_NET_PLAYS);
    CraftyCommand capture = {.kind = CRAFTY_COMMAND_CAPTURE, .choice = 1};
    assert_true(crafty_net_client_send_command(player->client, &capture));
    game_ticks(30);
    return player;
}

static void a_client_joins(void **state)
{
    (void)state;
    NetPlayer *ada = playing("Ada");
    char name[CRAFTY_PLAYER_NAME_BYTES];
    uint32_t number = crafty_net_client_welcome(ada->client)->player;
    assert_string_equal(crafty_player_name(game.world, number, name), "Ada");
    assert_int_equal(crafty_net_server_stats(game.server).players, 1);
}

static void both_have_the_player_at_the_same_place(void **state)
{
    (void)state;
    NetPlayer *ada = playing("Ada");
    set_axes(ada, "move", 0, 1);
    game_ticks(120);
    set_axes(ada, "move", 0, 0);
    game_ticks(60);
    CnVec3 client = predicted_position(ada), server = server_position(ada);
    assert_memory_equal(&client, &server, sizeof client);
}

static void walking_and_looking_need_no_corrections(void **state)
{
    (void)state;
    NetPlayer *ada = playing("Ada");
    uint64_t before = crafty_net_client_stats(ada->client).corrections;
    CnVec3 from = predicted_position(ada);
    set_axes(ada, "move", 0, 1);
    for (uint32_t i = 0; i < 120; i++) {
        set_axes(ada, "look", 3.3f, (float)(i % 3) - 1);
        game_ticks(1);
    }
    CnVec3 way = cn_vec3_sub(predicted_position(ada), from);
    assert_true(cn_vec3_length(way) > 2);
    assert_int_equal(crafty_net_client_stats(ada->client).corrections, before);
}

static void a_broken_block_is_broken_on_the_server(void **state)
{
    (void)state;
    NetPlayer *ada = playing("Ada");
    set_axes(ada, "look", 0, -2000);
    game_ticks(10);
    CnVec3 eye = predicted_position(ada);
    CnCell below = {(int32_t)cn_floorf(eye.x), (int32_t)cn_floorf(eye.y - CRAFTY_PLAYER_EYE - .5f),
                    (int32_t)cn_floorf(eye.z)};
    CnBlock before = cn_voxels_get(server_voxels(), below);
    assert_int_not_equal(before, CN_BLOCK_AIR);
    press(ada, "break_block", true);
    game_ticks(1);
    press(ada, "break_block", false);
    game_ticks(30);
    assert_int_equal(cn_voxels_get(server_voxels(), below), CN_BLOCK_AIR);
    assert_int_equal(cn_voxels_get(client_voxels(ada), below), CN_BLOCK_AIR);
}

static void edits_of_others_arrive(void **state)
{
    (void)state;
    NetPlayer *ada = playing("Ada");
    CnVec3 eye = server_position(ada);
    CnCell cell = {(int32_t)cn_floorf(eye.x) + 3, (int32_t)cn_floorf(eye.y) + 3,
                   (int32_t)cn_floorf(eye.z)};
    CnEdit edit = {.kind = CN_EDIT_TICK, .face = CN_EDIT_NO_FACE, .cell = cell, .new_block = 3};
    assert_true(cn_voxels_edit(server_voxels(), &edit, NULL));
    game_ticks(10);
    assert_int_equal(cn_voxels_get(client_voxels(ada), cell), 3);
}

static void edits_from_before_are_there_after_joining(void **state)
{
    (void)state;
    CnVec3 spawn = crafty_session_start(game.session)->pose.position;
    CnCell cell = {(int32_t)spawn.x + 5, (int32_t)spawn.y + 5, (int32_t)spawn.z};
    for (int32_t i = 0; i < 40; i++, cell.x++) {
        CnEdit edit = {.kind = CN_EDIT_TICK, .face = CN_EDIT_NO_FACE, .cell = cell, .new_block = 3};
        assert_true(cn_voxels_edit(server_voxels(), &edit, NULL));
    }
    NetPlayer *ada = playing("Ada");
    for (int32_t i = 0; i < 40; i++) {
        cell.x--;
        assert_int_equal(cn_voxels_get(client_voxels(ada), cell), 3);
    }
}

static void columns_are_compared_and_equal(void **state)
{
    (void)state;
    NetPlayer *ada = playing("Ada");
    game_ticks(600);
    CraftyNetClientStats stats = crafty_net_client_stats(ada->client);
    assert_true(stats.columns_compared > 0);
    assert_int_equal(stats.columns_different, 0);
}

static void a_difference_of_blocks_is_found_and_repaired(void **state)
{
    (void)state;
    NetPlayer *ada = playing("Ada");
    CnVec3 eye = predicted_position(ada);
    CnCell cell = {(int32_t)cn_floorf(eye.x) + 2, (int32_t)cn_floorf(eye.y) + 2,
                   (int32_t)cn_floorf(eye.z)};
    CnEdit edit = {.kind = CN_EDIT_TICK, .face = CN_EDIT_NO_FACE, .cell = cell, .new_block = 3};
    assert_true(cn_voxels_edit(server_voxels(), &edit, NULL)); /* so that the chunk is edited */
    game_ticks(10);
    edit.cell.x++;
    assert_true(cn_voxels_edit(client_voxels(ada), &edit, NULL));
    game_ticks(1200);
    assert_true(crafty_net_client_stats(ada->client).columns_different > 0);
    assert_int_equal(cn_voxels_get(client_voxels(ada), edit.cell), CN_BLOCK_AIR);
    assert_int_equal(cn_voxels_get(client_voxels(ada), cell), 3);
}

static void a_difference_where_the_server_has_no_edits_is_repaired(void **state)
{
    (void)state;
    NetPlayer *ada = playing("Ada");
    CnVec3 eye = predicted_position(ada);
    CnCell cell = {(int32_t)cn_floorf(eye.x) + 2, (int32_t)cn_floorf(eye.y) + 2,
                   (int32_t)cn_floorf(eye.z)};
    CnEdit edit = {.kind = CN_EDIT_TICK, .face = CN_EDIT_NO_FACE, .cell = cell, .new_block = 3};
    assert_true(cn_voxels_edit(client_voxels(ada), &edit, NULL));
    game_ticks(1200);
    assert_true(crafty_net_client_stats(ada->client).columns_different > 0);
    assert_int_equal(cn_voxels_get(client_voxels(ada), cell), CN_BLOCK_AIR);
}

static void others_are_seen_where_they_are(void **state)
{
    (void)state;
    NetPlayer *ada = playing("Ada"), *bob = playing("Bob");
    CnError error = {0};
    CnWorld *shown = crafty_prediction_world(crafty_net_client_prediction(ada->client));
    set_axes(bob, "move", 0, 1);
    game_ticks(60);
    set_axes(bob, "move", 0, 0);
    game_ticks(60);
    assert_true(crafty_net_client_show(ada->client, shown, &error));
    CnQuery *query = cn_query_acquire(
        shown, &(CnQueryDesc){.all = {cn_reads(CraftyIdentity), cn_reads(CnTransform)}}, NULL);
    CnChunkView view;
    uint32_t seen = 0;
    for (CnQueryIter it = cn_query_iter(query); cn_query_next(&it, &view);)
        for (uint32_t i = 0; i < view.count; i++) {
            if (strcmp(cn_column_const(&view, CraftyIdentity)[i].name, "Bob") != 0)
                continue;
            CnVec3 at = cn_column_const(&view, CnTransform)[i].position, is = server_position(bob);
            assert_true(cn_vec3_length(cn_vec3_sub(at, is)) < 0.05f);
            seen++;
        }
    cn_query_release(query);
    assert_int_equal(seen, 1);
}

static void chat_reaches_everybody(void **state)
{
    (void)state;
    NetPlayer *ada = playing("Ada"), *bob = playing("Bob");
    CraftyCommand say = {.kind = CRAFTY_COMMAND_CHAT, .text = "hello"};
    assert_true(crafty_net_client_send_command(ada->client, &say));
    game_ticks(20);
    CraftyEventKind kind;
    union {
        uint8_t bytes[CRAFTY_EVENT_BYTES];
        CraftyChatLine line;
    } event;
    bool is_heard = false;
    while (crafty_net_client_next_event(bob->client, &kind, &event))
        is_heard |= kind == CRAFTY_EVENT_CHAT && strstr(event.line.text, "hello");
    assert_true(is_heard);
}

static void a_player_who_returns_is_where_it_was(void **state)
{
    (void)state;
    NetPlayer *ada = playing("Ada");
    set_axes(ada, "move", 0, 1);
    game_ticks(60);
    set_axes(ada, "move", 0, 0);
    game_ticks(30);
    CnVec3 before = server_position(ada);
    remove_client(ada);
    game_ticks(30);
    assert_int_equal(crafty_net_server_stats(game.server).sessions, 0);
    join_again(ada, "Ada");
    play_until(ada, CRAFTY_NET_PLAYS);
    assert_true(cn_vec3_length(cn_vec3_sub(server_position(ada), before)) < 0.5f);
}

static bool nobody(void *user, const CraftyJoinRequest *request, CraftyJoinAnswer *admission)
{
    (void)user;
    cn_format(admission->reason, sizeof admission->reason, "%s is banned.", request->name);
    return false;
}

static int closed(void **state)
{
    (void)state;
    begin_game(&(NetGameDesc){.mode = CRAFTY_MODE_CREATIVE, .admit = nobody});
    return 0;
}

static void who_is_refused_learns_why(void **state)
{
    (void)state;
    NetPlayer *eve = add_player("Eve");
    play_until(eve, CRAFTY_NET_LEFT);
    assert_string_equal(crafty_net_client_reason(eve->client), "Eve is banned.");
    assert_false(crafty_net_client_may_return(eve->client));
}

static int small(void **state)
{
    (void)state;
    begin_game(&(NetGameDesc){.mode = CRAFTY_MODE_CREATIVE, .max_players = 1});
    return 0;
}

static void a_full_server_says_so(void **state)
{
    (void)state;
    playing("Ada");
    NetPlayer *bob = add_player("Bob");
    play_until(bob, CRAFTY_NET_LEFT);
    assert_string_equal(crafty_net_client_reason(bob->client), "The server is full.");
}

static void a_kicked_player_learns_why(void **state)
{
    (void)state;
    NetPlayer *ada = playing("Ada");
    assert_true(crafty_net_server_kick(game.server, crafty_net_client_welcome(ada->client)->player,
                                       CRAFTY_LEAVE_KICKED, "No griefing."));
    play_until(ada, CRAFTY_NET_LEFT);
    assert_string_equal(crafty_net_client_reason(ada->client), "No griefing.");
}

static void clients_of_a_server_that_restarts_may_return(void **state)
{
    (void)state;
    NetPlayer *ada = playing("Ada");
    crafty_net_server_stop(game.server, CRAFTY_LEAVE_RESTARTING, "The server restarts.");
    play_until(ada, CRAFTY_NET_LEFT);
    assert_true(crafty_net_client_may_return(ada->client));
}

/* ---- Bad networks ---- */

static int far_away(void **state)
{
    (void)state;
    CnNetConditions conditions = {0};
    CnError error = {0};
    check_error(
        cn_net_conditions_parse(cn_text("latency=200,jitter=50,loss=5%,duplicate=2%,reorder=4%"),
                                &conditions, &error),
        &error);
    begin_game(&(NetGameDesc){.mode = CRAFTY_MODE_CREATIVE, .conditions = conditions});
    return 0;
}

static void a_bad_network_leaves_both_sides_equal(void **state)
{
    (void)state;
    NetPlayer *ada = playing("Ada");
    game_ticks(120);
    set_axes(ada, "look", 0, -2000);
    set_axes(ada, "move", 0.5f, 1);
    for (uint32_t i = 0; i < 20; i++) {
        press(ada, "break_block", true);
        game_ticks(15);
        press(ada, "break_block", false);
        game_ticks(15);
    }
    set_axes(ada, "move", 0, 0);
    game_ticks(300);
    CnVec3 client = predicted_position(ada), server = server_position(ada);
    CraftyNetClientStats stats = crafty_net_client_stats(ada->client);
    assert_memory_equal(&client, &server, sizeof client);
    assert_true(stats.columns_compared > 0);
    assert_int_equal(stats.columns_different, 0);
    assert_int_equal(crafty_prediction_open_blocks(crafty_net_client_prediction(ada->client)), 0);
}

#define GAME(test, setup) cmocka_unit_test_setup_teardown(test, setup, end_game)

int main(void)
{
    const struct CMUnitTest tests[] = {
        GAME(a_client_joins, creative),
        GAME(both_have_the_player_at_the_same_place, creative),
        GAME(walking_and_looking_need_no_corrections, creative),
        GAME(a_broken_block_is_broken_on_the_server, creative),
        GAME(edits_of_others_arrive, creative),
        GAME(edits_from_before_are_there_after_joining, creative),
        GAME(columns_are_compared_and_equal, creative),
        GAME(a_difference_of_blocks_is_found_and_repaired, creative),
        GAME(a_difference_where_the_server_has_no_edits_is_repaired, creative),
        GAME(others_are_seen_where_they_are, creative),
        GAME(chat_reaches_everybody, creative),
        GAME(a_player_who_returns_is_where_it_was, creative),
        GAME(who_is_refused_learns_why, closed),
        GAME(a_full_server_says_so, small),
        GAME(a_kicked_player_learns_why, creative),
        GAME(clients_of_a_server_that_restarts_may_return, creative),
        GAME(a_bad_network_leaves_both_sides_equal, far_away),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
