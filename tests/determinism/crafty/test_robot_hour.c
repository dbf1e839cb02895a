/* test-labels: threads soak */
/*
 * An hour of survival, played by the robot: the same with one thread and with four, each change of
 * items explained in each tick, without growth of memory. And all stages in other worlds.
 */
#include "robot_game.h"

#define HOUR 216000u
#define SEEDS 12u
#define SEED_TICKS 120000u
/* Bytes of the heap. What grows is the log of edits, up to its limit, and the list of chunks whose
 * edits are stored; both are a few bytes for each block that the robot changes. */
#define MAX_GROWTH (512u << 10)
#define MAX_HALF_GROWTH (128u << 10)

static Scratch scratch;
static RobotGame games[2] = {{.seed = 1, .ticks = HOUR, .threads = 1},
                             {.seed = 1, .ticks = HOUR, .threads = 4}};
static RobotSession play;

static void play_an_hour(RobotGame *game)
{
    robot_open(&play, game, 0);
    robot_stages(&play, CRAFTY_ROBOT_WOOD, CRAFTY_ROBOT_SLEEP);
    robot_close(&play);
    robot_open(&play, game, 1);
    uint64_t begin = robot_heap_bytes();
    robot_stages(&play, CRAFTY_ROBOT_STARVE, CRAFTY_ROBOT_RESPAWN);
    robot_work(&play, HOUR / 2 - game->played - play.robot.ticks);
    uint64_t half = robot_heap_bytes();
    robot_work(&play, HOUR);
    uint64_t end = robot_heap_bytes();
    print_message("%u threads: the heap has %llu KiB, %llu KiB after half an hour, %llu KiB after "
                  "an hour; %u edits\n",
                  game->threads, (unsigned long long)begin >> 10, (unsigned long long)half >> 10,
                  (unsigned long long)end >> 10,
                  (uint32_t)cn_edit_log_total(cn_voxels_log(play.robot.voxels)));
    assert_true(end < begin + MAX_GROWTH);
    assert_true(end < half + MAX_HALF_GROWTH);
    assert_int_equal(cn_get(play.robot.world, play.robot.player, CnPlayerActions)->ignored, 0);
    robot_close(&play);
    assert_true(game->played >= HOUR);
}

static void an_hour_with_one_thread_has_bounded_memory(void **state)
{
    (void)state;
    play_an_hour(&games[0]);
}

static void an_hour_with_four_threads_ends_in_the_same_state(void **state)
{
    (void)state;
    play_an_hour(&games[1]);
    assert_true(games[0].sim_hash == games[1].sim_hash);
    assert_true(games[0].blocks_hash == games[1].blocks_hash);
}

static void all_recordings_verify_with_1_and_4_threads(void **state)
{
    (void)state;
    robot_verify_game(&games[0]);
    robot_verify_game(&games[1]);
}

static void it_completes_all_stages_in_twelve_worlds(void **state)
{
    (void)state;
    for (uint32_t seed = 1; seed <= SEEDS; seed++) {
        RobotGame game = {.seed = seed, .ticks = SEED_TICKS, .threads = 1};
        char name[32];
        cn_format(name, sizeof name, "Seed%u.crafty", seed);
        game.world_path = scratch_path(&scratch, name);
        game.recordings[0] = scratch_path(&scratch, "seed.cnr");
        robot_open(&play, &game, 0);
        robot_stages(&play, CRAFTY_ROBOT_WOOD, CRAFTY_ROBOT_RESPAWN);
        robot_close(&play);
        print_message("seed %u: %u ticks\n", seed, (uint32_t)game.played);
    }
}

int main(void)
{
    scratch_init(&scratch);
    games[0].world_path = scratch_path(&scratch, "One.crafty");
    games[0].recordings[0] = scratch_path(&scratch, "one_first.cnr");
    games[0].recordings[1] = scratch_path(&scratch, "one_second.cnr");
    games[1].world_path = scratch_path(&scratch, "Four.crafty");
    games[1].recordings[0] = scratch_path(&scratch, "four_first.cnr");
    games[1].recordings[1] = scratch_path(&scratch, "four_second.cnr");
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_hour_with_one_thread_has_bounded_memory),
        cmocka_unit_test(an_hour_with_four_threads_ends_in_the_same_state),
        cmocka_unit_test(all_recordings_verify_with_1_and_4_threads),
        cmocka_unit_test(it_completes_all_stages_in_twelve_worlds),
    };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    scratch_fini(&scratch);
    return failed;
}
