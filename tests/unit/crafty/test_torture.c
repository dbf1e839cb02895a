/* test-labels: slow */
/* The parts of `crafty world torture`: they pass on a good disk, and notice what is lost. */
#include "cmocka_tests.h"
#include "scratch.h"

#include <crafty/world_command/torture.h>

#include <cairn/base/log.h>

#include <string.h>

static Scratch scratch;
static CnError error;

static int begin(void **state)
{
    (void)state;
    scratch_init(&scratch);
    error = (CnError){0};
    cn_log_set_level(CN_LOG_LEVEL_OFF);
    return 0;
}

static int end(void **state)
{
    (void)state;
    scratch_fini(&scratch);
    return 0;
}

static void passes(bool (*run)(TortureRound *round, CnError *error))
{
    TortureRound round = {.folder = scratch.folder, .seed = 11};
    if (!run(&round, &error))
        fail_msg("%s", error.message);
    assert_true(round.saves > 0);
}

static void killed_games_lose_nothing(void **state)
{
    (void)state;
    passes(torture_kill);
}

static void power_cuts_lose_nothing(void **state)
{
    (void)state;
    passes(torture_cut);
}

static void full_disks_lose_nothing(void **state)
{
    (void)state;
    passes(torture_full);
}

static void changed_bits_are_noticed_and_repaired(void **state)
{
    (void)state;
    passes(torture_flip);
}

static void the_time_of_a_sync_is_measured(void **state)
{
    (void)state;
    TortureSync sync;
    assert_true(torture_measure_sync(scratch.folder, &sync, &error));
    assert_true(sync.count > 0 && sync.median_us > 0 && sync.worst_us >= sync.median_us);
    assert_int_equal(scratch_count(&scratch), 0);
}

/* ---- What must be noticed ---- */

static TortureSaves saves;
static const char *path;

/* Plays and saves a world; its states are in `saves`. */
static void play(uint32_t count)
{
    TortureGame game;
    CnRandom random = cn_random_make(3, "torture");
    path = scratch_path(&scratch, "game.crafty");
    saves = (TortureSaves){.was_new = true};
    assert_true(torture_game_open(&game, path, NULL, &error));
    while (saves.count < count) {
        assert_true(torture_game_play(&game, &random, &error));
        assert_true(torture_game_save(&game, &error));
        saves.states[++saves.count] = torture_game_state(&game);
    }
    assert_true(crafty_save_flush(game.save, 60000, &error));
    saves.durable = saves.count;
    torture_game_close(&game);
}

static void a_world_with_its_last_save_is_accepted(void **state)
{
    (void)state;
    play(2);
    assert_true(torture_check_saves(&saves, path, NULL, &error));
}

static void an_older_world_than_reported_is_noticed(void **state)
{
    (void)state;
    play(2);
    saves.states[3] = saves.states[2];
    saves.states[3].tick += 5;
    saves.count = saves.durable = 3;
    assert_false(torture_check_saves(&saves, path, NULL, &error));
    assert_non_null(strstr(error.message, "was reported as saved"));
}

static void a_world_that_was_never_saved_like_that_is_noticed(void **state)
{
    (void)state;
    play(2);
    saves.states[2].blocks ^= 1;
    assert_false(torture_check_saves(&saves, path, NULL, &error));
    assert_non_null(strstr(error.message, "none of those that were saved"));
}

static void a_world_that_is_gone_is_noticed(void **state)
{
    (void)state;
    play(1);
    path = scratch_path(&scratch, "other.crafty");
    assert_false(torture_check_saves(&saves, path, NULL, &error));
    assert_non_null(strstr(error.message, "everything that was saved is lost"));
}

#define TORTURE_TEST(test) cmocka_unit_test_setup_teardown(test, begin, end)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TORTURE_TEST(killed_games_lose_nothing),
        TORTURE_TEST(power_cuts_lose_nothing),
        TORTURE_TEST(full_disks_lose_nothing),
        TORTURE_TEST(changed_bits_are_noticed_and_repaired),
        TORTURE_TEST(the_time_of_a_sync_is_measured),
        TORTURE_TEST(a_world_with_its_last_save_is_accepted),
        TORTURE_TEST(an_older_world_than_reported_is_noticed),
        TORTURE_TEST(a_world_that_was_never_saved_like_that_is_noticed),
        TORTURE_TEST(a_world_that_is_gone_is_noticed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
