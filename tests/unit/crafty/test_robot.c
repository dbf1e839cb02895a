/* The robot player: what it does reaches the world only by messages. */
#include "cmocka_tests.h"

#include <crafty/robot/robot.h>

static CraftySession *session;
static CraftyRobot robot;

static int begin(void **state)
{
    (void)state;
    CnError error = {0};
    session = crafty_session_create(&(CraftySessionDesc){.start = {.seed = 1,
                                                                   .viewer = CRAFTY_VIEWER_WALKS,
                                                                   .mode = CRAFTY_MODE_SURVIVAL,
                                                                   .hours = 8},
                                                         .finds_spawn = true,
                                                         .threads = 1},
                                    &error);
    if (!session || !crafty_robot_begin(&robot, session, &error))
        fail_msg("%s", error.message);
    return !crafty_robot_wait(&robot, 60);
}

static int end(void **state)
{
    (void)state;
    crafty_robot_end(&robot);
    crafty_session_destroy(session);
    return 0;
}

static void it_walks_sixty_blocks(void **state)
{
    (void)state;
    CnCell feet = crafty_robot_feet(&robot);
    assert_true(crafty_robot_go_to_column(&robot, feet.x + 60, feet.z - 10, 1));
}

static void it_mines_logs_and_picks_them_up(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < 4; i++) {
        CnCell log;
        assert_true(crafty_robot_find(&robot, crafty_robot_is_log, 48, &log));
        assert_true(crafty_robot_mine(&robot, log));
    }
    assert_true(crafty_robot_count(&robot, "_log") >= 4);
}

static void it_climbs_a_pillar_of_logs(void **state)
{
    (void)state;
    CnVec3 spawn = crafty_session_start(session)->pose.position; /* under the open sky */
    assert_true(crafty_robot_go_to_column(&robot, (int32_t)spawn.x, (int32_t)spawn.z, 1));
    int32_t y = crafty_robot_feet(&robot).y;
    assert_true(crafty_robot_pillar(&robot, "_log"));
    assert_true(crafty_robot_pillar(&robot, "_log"));
    assert_int_equal(crafty_robot_feet(&robot).y, y + 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(it_walks_sixty_blocks),
        cmocka_unit_test(it_mines_logs_and_picks_them_up),
        cmocka_unit_test(it_climbs_a_pillar_of_logs),
    };
    return cmocka_run_group_tests(tests, begin, end);
}
