/* The ledger of a world with a robot is able to fail. */
#include "world_ledger.h"

#include <crafty/robot/robot.h>

static CraftySession *session;
static CraftyRobot robot;
static WorldLedger ledger;

static bool check_tick(void *user, CnError *error)
{
    (void)user;
    return world_ledger_check(&ledger, error);
}

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
    CraftyItem dirt = crafty_items_find(robot.items, "dirt");
    cn_get_mut(robot.world, robot.player, CraftyPlayer)->slots[3] =
        (CraftyStack){.item = dirt, .count = 10};
    world_ledger_begin(&ledger, session);
    robot.after_tick = check_tick;
    return !crafty_robot_wait(&robot, 60);
}

static int end(void **state)
{
    (void)state;
    world_ledger_end(&ledger);
    crafty_robot_end(&robot);
    crafty_session_destroy(session);
    return 0;
}

static CraftyStack *slot(void)
{
    return &cn_get_mut(robot.world, robot.player, CraftyPlayer)->slots[3];
}

static void placing_and_mining_are_explained(void **state)
{
    (void)state;
    CnCell feet = crafty_robot_feet(&robot);
    assert_true(crafty_robot_pillar(&robot, "dirt"));
    assert_true(crafty_robot_break(&robot, feet));
    assert_true(ledger.counts.placed == 1 && ledger.counts.broken >= 1);
    assert_string_equal(robot.error.message, "");
}

static void a_lost_item_is_noticed(void **state)
{
    (void)state;
    slot()->count--;
    assert_false(crafty_robot_tick(&robot));
    assert_string_equal(robot.error.message, "1 items are missing, but 0 vanished");
}

static void an_item_from_nowhere_is_noticed(void **state)
{
    (void)state;
    slot()->count++;
    assert_false(crafty_robot_tick(&robot));
    assert_string_equal(robot.error.message, "1 of dirt appeared from nowhere");
}

static void an_item_that_became_another_is_noticed(void **state)
{
    (void)state;
    slot()->item = crafty_items_find(robot.items, "diamond");
    assert_false(crafty_robot_tick(&robot));
}

static void a_drop_that_disappeared_early_is_noticed(void **state)
{
    (void)state;
    CraftyCommand drop = {.kind = CRAFTY_COMMAND_DROP_ITEMS, .from = 3, .count = 2};
    assert_true(crafty_robot_command(&robot, drop));
    CnQuery *drops =
        cn_query_acquire(robot.world, &(CnQueryDesc){.all = {cn_reads(CraftyDrop)}}, NULL);
    CnQueryIter it = cn_query_iter(drops);
    CnChunkView view = {0};
    assert_true(cn_query_next(&it, &view));
    CnEntity entity = view.entities[0];
    cn_query_release(drops);
    assert_true(cn_destroy(robot.world, entity));
    assert_false(crafty_robot_tick(&robot));
}

#define TEST(test) cmocka_unit_test_setup_teardown(test, begin, end)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(placing_and_mining_are_explained),
        TEST(a_lost_item_is_noticed),
        TEST(an_item_from_nowhere_is_noticed),
        TEST(an_item_that_became_another_is_noticed),
        TEST(a_drop_that_disappeared_early_is_noticed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
