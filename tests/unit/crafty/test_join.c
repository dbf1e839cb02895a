/* Players who join and leave while the simulation runs. */
#include "join_fixture.h"

#include <crafty/sim/undo.h>

static int begin(void **state)
{
    (void)state;
    begin_host();
    return 0;
}

static const CraftyIdentity *identity_of(uint32_t number)
{
    return cn_get(host_world, host_player(number), CraftyIdentity);
}

/* ---- Joining ---- */

static void a_session_without_a_viewer_has_no_players(void **state)
{
    (void)state;
    host_ticks(1);
    assert_int_equal(crafty_present_players(host_world, NULL, 0), 0);
}

static void an_account_that_joins_gets_a_player_at_the_spawn(void **state)
{
    (void)state;
    uint32_t number = joined(account_of(1), "Ada");
    const CnTransform *transform = cn_get(host_world, host_player(number), CnTransform);
    assert_int_equal(number, 1);
    assert_true(transform->position.x == 8.5f && transform->position.z == 8.5f);
}

static void the_event_of_a_join_has_number_name_and_account(void **state)
{
    (void)state;
    CraftyAccount account = account_of(1);
    joined(account, "Ada");
    assert_int_equal(host_last.player, 1);
    assert_string_equal(host_last.name, "Ada");
    assert_true(crafty_account_equal(&host_last.account, &account));
}

static void a_joining_player_has_the_mode_of_the_world(void **state)
{
    (void)state;
    uint32_t number = joined(account_of(1), "Ada");
    assert_int_equal(cn_get(host_world, host_player(number), CraftyPlayer)->mode,
                     CRAFTY_MODE_SURVIVAL);
}

static void players_get_different_numbers(void **state)
{
    (void)state;
    assert_int_equal(joined(account_of(1), "Ada"), 1);
    assert_int_equal(joined(account_of(2), "Bob"), 2);
    assert_int_equal(joined(account_of(3), "Cleo"), 3);
}

static void a_number_can_be_chosen_by_the_host(void **state)
{
    (void)state;
    CraftyHostCommand command = join_command(account_of(1), "Ada");
    command.player = 700;
    assert_int_equal(join_with(&command), 700);
}

static void the_number_of_another_account_is_refused(void **state)
{
    (void)state;
    joined(account_of(1), "Ada");
    CraftyHostCommand command = join_command(account_of(2), "Bob");
    command.player = 1;
    assert_int_equal(join_with(&command), 0);
    assert_int_equal(host_last.reason, CRAFTY_JOIN_REFUSED_NUMBER);
}

static void an_account_cannot_join_twice(void **state)
{
    (void)state;
    joined(account_of(1), "Ada");
    assert_int_equal(try_join(account_of(1), "Eve"), 0);
    assert_int_equal(host_last.reason, CRAFTY_JOIN_REFUSED_PRESENT);
}

static void a_name_can_be_used_once_whatever_its_case(void **state)
{
    (void)state;
    joined(account_of(1), "Äda");
    assert_int_equal(try_join(account_of(2), "äDA"), 0);
    assert_int_equal(host_last.reason, CRAFTY_JOIN_REFUSED_TAKEN);
}

static void the_name_of_an_absent_player_cannot_be_taken(void **state)
{
    (void)state;
    leave(joined(account_of(1), "Ada"));
    assert_int_equal(try_join(account_of(2), "ada"), 0);
    assert_int_equal(host_last.reason, CRAFTY_JOIN_REFUSED_TAKEN);
}

static void a_name_that_is_not_valid_is_refused(void **state)
{
    (void)state;
    assert_int_equal(try_join(account_of(1), "two words"), 0);
    assert_int_equal(host_last.reason, CRAFTY_JOIN_REFUSED_NAME);
}

static void refusals_are_counted(void **state)
{
    (void)state;
    try_join(account_of(1), "two words");
    assert_int_equal(cn_resource(host_world, CraftyHostCounts)->refused, 1);
    assert_int_equal(cn_resource(host_world, CraftyHostCounts)->joined, 0);
}

static void a_player_without_a_name_has_its_default_name(void **state)
{
    (void)state;
    char name[CRAFTY_PLAYER_NAME_BYTES];
    uint32_t number = joined(account_of(1), "");
    assert_string_equal(crafty_player_name(host_world, number, name), "player1");
}

static void more_than_one_can_join_in_a_tick(void **state)
{
    (void)state;
    for (uint32_t i = 1; i <= 10; i++) {
        CraftyHostCommand command = join_command(account_of(i), "");
        assert_true(crafty_connection_send_host(host, &command));
    }
    host_ticks(1);
    assert_int_equal(crafty_present_players(host_world, NULL, 0), 10);
}

static void players_can_move_from_their_first_tick_on(void **state)
{
    (void)state;
    uint32_t number = joined(account_of(1), "Ada");
    float before = cn_get(host_world, host_player(number), CnTransform)->position.y;
    host_ticks(30);
    assert_true(cn_get(host_world, host_player(number), CnTransform)->position.y < before);
}

/* ---- Leaving and coming back ---- */

static void a_player_who_leaves_is_gone(void **state)
{
    (void)state;
    uint32_t number = joined(account_of(1), "Ada");
    CnEntity player = host_player(number);
    leave(number);
    assert_int_equal(host_last.kind, CRAFTY_PRESENCE_LEFT);
    assert_false(cn_is_alive(host_world, player));
    assert_int_equal(crafty_absent_count(host_world), 1);
}

static void who_comes_back_has_the_same_number(void **state)
{
    (void)state;
    joined(account_of(1), "Ada");
    uint32_t bob = joined(account_of(2), "Bob");
    leave(1);
    leave(bob);
    assert_int_equal(joined(account_of(2), "Bob"), bob);
    assert_int_equal(crafty_absent_count(host_world), 1);
}

static void who_comes_back_is_where_it_left(void **state)
{
    (void)state;
    uint32_t number = joined(account_of(1), "Ada");
    crafty_player_move_to(host_world, host_player(number), cn_vec3(40.5f, 250, -7.5f));
    leave(number);
    joined(account_of(1), "Ada");
    CnVec3 at = cn_get(host_world, host_player(number), CnTransform)->position;
    assert_true(at.x == 40.5f && at.z == -7.5f && at.y > 240);
}

static void who_comes_back_has_its_items(void **state)
{
    (void)state;
    uint32_t number = joined(account_of(1), "Ada");
    cn_get_mut(host_world, host_player(number), CraftyPlayer)->inventory[5] =
        (CraftyStack){.item = 3, .count = 7};
    leave(number);
    joined(account_of(1), "Ada");
    CraftyStack stack = cn_get(host_world, host_player(number), CraftyPlayer)->inventory[5];
    assert_int_equal(stack.item, 3);
    assert_int_equal(stack.count, 7);
}

static void who_comes_back_has_its_health_and_bed(void **state)
{
    (void)state;
    uint32_t number = joined(account_of(1), "Ada");
    CraftyVitals *vitals = cn_get_mut(host_world, host_player(number), CraftyVitals);
    vitals->health = 7;
    vitals->has_spawn = true;
    vitals->spawn[0] = 99;
    leave(number);
    joined(account_of(1), "Ada");
    const CraftyVitals *now = cn_get(host_world, host_player(number), CraftyVitals);
    assert_true(now->health == 7 && now->has_spawn && now->spawn[0] == 99);
}

static void what_a_leaving_player_carries_goes_to_its_slots(void **state)
{
    (void)state;
    uint32_t number = joined(account_of(1), "Ada");
    CraftyPlayer *player = cn_get_mut(host_world, host_player(number), CraftyPlayer);
    player->carried = (CraftyStack){.item = 3, .count = 7};
    player->open = 1;
    leave(number);
    joined(account_of(1), "Ada");
    const CraftyPlayer *now = cn_get(host_world, host_player(number), CraftyPlayer);
    assert_int_equal(now->carried.count, 0);
    assert_int_equal(now->slots[0].count, 7);
    assert_int_equal(now->open, 0);
}

static void dying_is_not_undone_by_leaving(void **state)
{
    (void)state;
    uint32_t number = joined(account_of(1), "Ada");
    crafty_vitals_hurt(host_world, host_player(number), 100, CRAFTY_DAMAGE_COMMAND);
    leave(number);
    joined(account_of(1), "Ada");
    assert_true(crafty_player_is_dead(host_world, host_player(number)));
}

static void a_fall_is_not_ended_by_leaving(void **state)
{
    (void)state;
    uint32_t number = joined(account_of(1), "Ada");
    host_ticks(30);
    float fall = cn_get(host_world, host_player(number), CraftyVitals)->fall;
    leave(number);
    joined(account_of(1), "Ada");
    assert_true(fall > 1);
    assert_true(cn_get(host_world, host_player(number), CraftyVitals)->fall >= fall);
}

static void who_comes_back_may_have_another_name(void **state)
{
    (void)state;
    char name[CRAFTY_PLAYER_NAME_BYTES];
    uint32_t number = joined(account_of(1), "Ada");
    leave(number);
    assert_int_equal(joined(account_of(1), "Countess"), number);
    assert_string_equal(crafty_player_name(host_world, number, name), "Countess");
    joined(account_of(2), "Ada");
}

static void a_player_can_leave_and_come_back_in_one_tick(void **state)
{
    (void)state;
    uint32_t number = joined(account_of(1), "Ada");
    CraftyHostCommand back = join_command(account_of(1), "Ada");
    assert_true(crafty_connection_send_host(
        host, &(CraftyHostCommand){.kind = CRAFTY_HOST_LEAVE, .player = number}));
    assert_int_equal(join_with(&back), number);
}

static void leaving_of_nobody_is_ignored_and_counted(void **state)
{
    (void)state;
    leave(5);
    assert_int_equal(cn_resource(host_world, CraftyHostCounts)->ignored, 1);
}

static void the_pose_of_a_join_is_known_before(void **state)
{
    (void)state;
    CraftyAccount account = account_of(1);
    assert_true(crafty_join_pose(host_world, &account).position.x == 8.5f);
    uint32_t number = joined(account, "Ada");
    crafty_player_move_to(host_world, host_player(number), cn_vec3(40.5f, 250, -7.5f));
    leave(number);
    assert_true(crafty_join_pose(host_world, &account).position.x == 40.5f);
}

/* ---- The state ---- */

static void absent_players_are_part_of_the_state(void **state)
{
    (void)state;
    uint32_t number = joined(account_of(1), "Ada");
    cn_get_mut(host_world, host_player(number), CraftyPlayer)->inventory[5] =
        (CraftyStack){.item = 3, .count = 7};
    leave(number);
    CnSnapshot snapshot;
    assert_true(cn_sim_save(host_sim, &snapshot, NULL));
    uint64_t hash = cn_sim_hash(host_sim);
    joined(account_of(1), "Ada");
    assert_true(cn_sim_hash(host_sim) != hash);
    assert_true(cn_sim_restore(host_sim, snapshot.bytes, snapshot.size, NULL));
    cn_snapshot_free(&snapshot);
    assert_true(cn_sim_hash(host_sim) == hash);
    assert_int_equal(joined(account_of(1), "Ada"), number);
    assert_int_equal(cn_get(host_world, host_player(number), CraftyPlayer)->inventory[5].count, 7);
}

static void an_absent_player_does_not_change_with_time(void **state)
{
    (void)state;
    leave(joined(account_of(1), "Ada"));
    CnQuery *absent =
        cn_query_acquire(host_world, &(CnQueryDesc){.all = {cn_reads(CraftyAbsent)}}, NULL);
    CnEntity entity;
    assert_int_equal(cn_query_entities(absent, &entity, 1), 1);
    cn_query_release(absent);
    CraftyVitals before = *cn_get(host_world, entity, CraftyVitals);
    host_ticks(600);
    assert_memory_equal(&before, cn_get(host_world, entity, CraftyVitals), sizeof before);
}

/* ---- Players without an account ---- */

static void the_player_of_a_single_game_gets_an_account_and_stays(void **state)
{
    (void)state;
    CraftyStart start = host_start(CRAFTY_MODE_SURVIVAL);
    start.viewer = CRAFTY_VIEWER_WALKS;
    begin_host_as(&start, 1);
    host_ticks(1);
    CnEntity player = host_player(1);
    CraftyHostCommand command = join_command(account_of(1), "Ada");
    command.player = 1;
    command.role = CRAFTY_ROLE_OPERATOR;
    assert_int_equal(join_with(&command), 1);
    assert_int_equal(host_player(1).id, player.id);
    assert_int_equal(identity_of(1)->role, CRAFTY_ROLE_OPERATOR);
    end_host(NULL);
}

static void an_absent_player_without_an_account_can_be_claimed_by_its_number(void **state)
{
    (void)state;
    CraftyStart start = host_start(CRAFTY_MODE_SURVIVAL);
    start.viewer = CRAFTY_VIEWER_WALKS;
    begin_host_as(&start, 1);
    host_ticks(1);
    crafty_player_move_to(host_world, host_player(1), cn_vec3(40.5f, 250, -7.5f));
    leave(1);
    CraftyHostCommand command = join_command(account_of(1), "Ada");
    command.player = 1;
    assert_int_equal(join_with(&command), 1);
    assert_true(cn_get(host_world, host_player(1), CnTransform)->position.x == 40.5f);
    end_host(NULL);
}

/* ---- Messages ---- */

static void host_commands_that_are_malformed_are_not_sent(void **state)
{
    (void)state;
    const CraftyHostCommand wrong[] = {
        {.kind = CRAFTY_HOST_NONE},
        {.kind = CRAFTY_HOST_KIND_COUNT},
        {.kind = CRAFTY_HOST_LEAVE},
        {.kind = CRAFTY_HOST_ROLE},
        {.kind = CRAFTY_HOST_JOIN, .role = CRAFTY_ROLE_COUNT},
        {.kind = CRAFTY_HOST_JOIN, .player = CRAFTY_MAX_PLAYER_NUMBER + 1},
    };
    CraftyHostCommand endless = {.kind = CRAFTY_HOST_JOIN};
    memset(endless.name, 'a', sizeof endless.name);
    for (uint32_t i = 0; i < CN_COUNT_OF(wrong); i++)
        assert_false(crafty_connection_send_host(host, &wrong[i]));
    assert_false(crafty_connection_send_host(host, &endless));
}

/* As a manipulated recording might contain it. */
static void host_commands_of_players_are_ignored(void **state)
{
    (void)state;
    CnProducer *forger = cn_producer_create(host_world, NULL, NULL);
    CraftyHostCommand command = join_command(account_of(1), "Ada");
    command.sender = 1;
    assert_true(cn_produce_value(forger, cn_channel(host_world, CraftyHostCommand), &command));
    host_ticks(1);
    assert_int_equal(crafty_present_players(host_world, NULL, 0), 0);
    assert_int_equal(cn_resource(host_world, CraftyHostCounts)->ignored, 1);
    cn_producer_destroy(forger);
}

static void a_role_can_be_changed_later(void **state)
{
    (void)state;
    uint32_t number = joined(account_of(1), "Ada");
    assert_true(crafty_connection_send_host(
        host, &(CraftyHostCommand){
                  .kind = CRAFTY_HOST_ROLE, .player = number, .role = CRAFTY_ROLE_MODERATOR}));
    host_ticks(1);
    assert_int_equal(host_last.kind, CRAFTY_PRESENCE_ROLE);
    assert_int_equal(identity_of(number)->role, CRAFTY_ROLE_MODERATOR);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, begin, end_host)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(a_session_without_a_viewer_has_no_players),
        TEST(an_account_that_joins_gets_a_player_at_the_spawn),
        TEST(the_event_of_a_join_has_number_name_and_account),
        TEST(a_joining_player_has_the_mode_of_the_world),
        TEST(players_get_different_numbers),
        TEST(a_number_can_be_chosen_by_the_host),
        TEST(the_number_of_another_account_is_refused),
        TEST(an_account_cannot_join_twice),
        TEST(a_name_can_be_used_once_whatever_its_case),
        TEST(the_name_of_an_absent_player_cannot_be_taken),
        TEST(a_name_that_is_not_valid_is_refused),
        TEST(refusals_are_counted),
        TEST(a_player_without_a_name_has_its_default_name),
        TEST(more_than_one_can_join_in_a_tick),
        TEST(players_can_move_from_their_first_tick_on),
        TEST(a_player_who_leaves_is_gone),
        TEST(who_comes_back_has_the_same_number),
        TEST(who_comes_back_is_where_it_left),
        TEST(who_comes_back_has_its_items),
        TEST(who_comes_back_has_its_health_and_bed),
        TEST(what_a_leaving_player_carries_goes_to_its_slots),
        TEST(dying_is_not_undone_by_leaving),
        TEST(a_fall_is_not_ended_by_leaving),
        TEST(who_comes_back_may_have_another_name),
        TEST(a_player_can_leave_and_come_back_in_one_tick),
        TEST(leaving_of_nobody_is_ignored_and_counted),
        TEST(the_pose_of_a_join_is_known_before),
        TEST(absent_players_are_part_of_the_state),
        TEST(an_absent_player_does_not_change_with_time),
        cmocka_unit_test(the_player_of_a_single_game_gets_an_account_and_stays),
        cmocka_unit_test(an_absent_player_without_an_account_can_be_claimed_by_its_number),
        TEST(host_commands_that_are_malformed_are_not_sent),
        TEST(host_commands_of_players_are_ignored),
        TEST(a_role_can_be_changed_later),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
