/* test-labels: threads */
/*
 * The first minutes of the robot's game with four threads: short enough for ThreadSanitizer.
 * test_robot.c plays all stages.
 */
#include "robot_game.h"

#define TICKS 20000u

static Scratch scratch;
static RobotGame game = {.seed = 1, .ticks = TICKS, .threads = 4};
static RobotSession play;

static void it_makes_tools_of_wood_with_four_threads(void **state)
{
    (void)state;
    robot_open(&play, &game, 0);
    robot_stages(&play, CRAFTY_ROBOT_WOOD, CRAFTY_ROBOT_TABLE);
    assert_true(crafty_robot_count(&play.robot, "wooden_pickaxe") == 1);
    robot_close(&play);
}

static void one_thread_replays_what_four_recorded(void **state)
{
    (void)state;
    robot_verify(game.recordings[0], 1);
}

int main(void)
{
    scratch_init(&scratch);
    game.world_path = scratch_path(&scratch, "Robot.crafty");
    game.recordings[0] = scratch_path(&scratch, "robot.cnr");
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(it_makes_tools_of_wood_with_four_threads),
        cmocka_unit_test(one_thread_replays_what_four_recorded),
    };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    scratch_fini(&scratch);
    return failed;
}
