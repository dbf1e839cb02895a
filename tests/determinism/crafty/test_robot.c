/* test-labels: slow */
/*
 * The robot plays survival with messages only, in a saved world: from an empty inventory to tools
 * of iron, a meal, a house, sleep, hunger, death and respawn; saved, closed and opened again in
 * between. Each change of items is explained in each tick. Both recordings have the same states
 * with one thread and with four. test_robot_threads.c plays a few minutes, test_robot_hour.c an
 * hour.
 */
#include "robot_game.h"

#define TICKS 90000u

static Scratch scratch;
static RobotGame game = {.seed = 1, .ticks = TICKS, .threads = 1};
static RobotSession play;

static void it_gets_from_an_empty_inventory_to_a_night_in_its_house(void **state)
{
    (void)state;
    robot_open(&play, &game, 0);
    for (uint32_t i = 0; i < CRAFTY_PLAYER_SLOTS; i++)
        assert_true(crafty_stack_is_empty(crafty_robot_stack(&play.robot, i)));
    robot_stages(&play, CRAFTY_ROBOT_WOOD, CRAFTY_ROBOT_SLEEP);
    assert_true(crafty_robot_count(&play.robot, "iron_pickaxe") == 1);
    robot_close(&play);
    const WorldLedgerCounts *counts = &game.counts;
    assert_true(counts->crafted > 20 && counts->placed > 50 && counts->broken > 100);
    assert_true(counts->eaten > 0 && counts->lit > 0 && counts->smelted >= 3);
    assert_true(counts->ticks + 1 == game.played); /* the first two ticks are checked together */
}

static void the_world_is_the_same_after_it_was_saved_and_opened(void **state)
{
    (void)state;
    CnError error = {0};
    CraftySave *save = crafty_save_open(&(CraftySaveDesc){.path = game.world_path}, &error);
    robot_check(save != NULL, &error);
    CraftySession *session = crafty_session_create(
        &(CraftySessionDesc){.start = {.viewer = CRAFTY_VIEWER_WALKS}, .threads = 1, .save = save},
        &error);
    robot_check(session != NULL, &error);
    CnVoxels *voxels = crafty_world_voxels(crafty_session_world(session));
    assert_true(cn_sim_hash(crafty_session_sim(session)) == game.sim_hash);
    assert_true(cn_voxels_hash(voxels) == game.blocks_hash);
    crafty_session_destroy(session);
    crafty_save_close(save);
}

static void after_a_reload_it_starves_swims_dies_respawns_and_plays_on(void **state)
{
    (void)state;
    robot_open(&play, &game, 1);
    robot_stages(&play, CRAFTY_ROBOT_STARVE, CRAFTY_ROBOT_RESPAWN);
    robot_work(&play, TICKS);
    assert_string_equal(play.robot.error.message, "");
    assert_int_equal(cn_get(play.robot.world, play.robot.player, CnPlayerActions)->ignored, 0);
    robot_close(&play);
    assert_true(game.played >= TICKS);
}

static void both_recordings_verify_with_1_and_4_threads(void **state)
{
    (void)state;
    robot_verify_game(&game);
}

int main(void)
{
    scratch_init(&scratch);
    game.world_path = scratch_path(&scratch, "Robot.crafty");
    game.recordings[0] = scratch_path(&scratch, "first.cnr");
    game.recordings[1] = scratch_path(&scratch, "second.cnr");
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(it_gets_from_an_empty_inventory_to_a_night_in_its_house),
        cmocka_unit_test(the_world_is_the_same_after_it_was_saved_and_opened),
        cmocka_unit_test(after_a_reload_it_starves_swims_dies_respawns_and_plays_on),
        cmocka_unit_test(both_recordings_verify_with_1_and_4_threads),
    };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    scratch_fini(&scratch);
    return failed;
}
