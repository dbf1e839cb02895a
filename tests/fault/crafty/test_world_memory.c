/* test-labels: slow */
/*
 * Allocations that fail while a world is opened, restored, played, saved and closed: an error with
 * a message, nothing that was saved is lost, and the next save that succeeds contains everything.
 * Leaks are found by the builds with AddressSanitizer. CAIRN_ALLOCATIONS=1 fails every one.
 */
#include "cut_disk.h"
#include "failing_system.h"
#include "saved_game.h"

#include <cairn/base/log.h>

enum { DEFAULT_STEPS = 60, SHORT_MS = 20 };

/* ---- The world ---- */

static CutDisk *disk;
static SavedGame game;
static TestRandom random_numbers;

static SavedGameState make_world(void)
{
    disk = cut_disk_create(5);
    random_numbers.state = 5;
    CraftySaveDesc desc = {
        .path = "world.crafty", .seed = 42, .retry_ms = 1, .sqlite_vfs = cut_disk_name(disk)};
    game = (SavedGame){.desc = desc, .threads = 1};
    saved_game_must_open(&game);
    saved_game_play(&game, &random_numbers, 10);
    assert_true(saved_game_save(&game, NULL));
    assert_true(crafty_save_flush(game.save, SAVED_GAME_FLUSH_MS, NULL));
    SavedGameState saved = saved_game_state(&game);
    saved_game_close(&game);
    return saved;
}

static void assert_contains(SavedGameState expected)
{
    saved_game_must_open(&game);
    assert_true(saved_game_same(saved_game_state(&game), expected));
    saved_game_close(&game);
}

/* The distance of the allocations that fail, if there are so many. */
static int64_t step_of(int64_t allocations)
{
    const char *text = getenv("CAIRN_ALLOCATIONS");
    int64_t step = text ? strtoll(text, NULL, 10) : allocations / DEFAULT_STEPS;
    return step > 0 ? step : 1;
}

static void assert_memory(const CnError *error, int64_t nth)
{
    if (error->code != CN_ERROR_MEMORY)
        fail_msg("allocation %lld: \"%s\" (%s)", (long long)nth, error->message,
                 cn_error_code_name(error->code));
}

/* ---- Opening ---- */

static void open_without_memory(int64_t nth, int64_t count, SavedGameState saved)
{
    CnError error = {0};
    failing_system_begin(nth, count);
    bool opened = saved_game_open(&game, &error);
    failing_system_end();
    if (!opened)
        assert_memory(&error, nth);
    else
        assert_true(saved_game_same(saved_game_state(&game), saved));
    saved_game_close(&game);
}

static void every_allocation_may_fail_while_a_world_is_opened(void **state)
{
    (void)state;
    SavedGameState saved = make_world();
    failing_system_begin(INT64_MAX, 0);
    saved_game_must_open(&game);
    int64_t allocations = failing_system_end();
    saved_game_close(&game);
    assert_true(allocations > 100);
    for (int64_t nth = 0; nth < allocations; nth += step_of(allocations)) {
        open_without_memory(nth, 1, saved);
        open_without_memory(nth, INT64_MAX, saved);
    }
    print_message("%lld allocations\n", (long long)allocations);
    assert_contains(saved);
    cut_disk_destroy(disk);
}

/* ---- Saving ---- */

/* Saves while allocations fail, on this thread and on that of the store. */
static void save_without_memory(int64_t nth, int64_t count)
{
    CnError error = {0};
    saved_game_play(&game, &random_numbers, 2);
    failing_system_begin(nth, count);
    bool written = saved_game_save(&game, &error);
    if (written && !crafty_save_flush(game.save, SHORT_MS, &error))
        assert_true(error.code == CN_ERROR_MEMORY || error.code == CN_ERROR_LIMIT);
    else if (!written)
        assert_memory(&error, nth);
    failing_system_end();
}

static void every_allocation_may_fail_while_a_world_is_saved(void **state)
{
    (void)state;
    make_world();
    saved_game_must_open(&game);
    saved_game_play(&game, &random_numbers, 2);
    failing_system_begin(INT64_MAX, 0);
    assert_true(saved_game_save(&game, NULL));
    assert_true(crafty_save_flush(game.save, SAVED_GAME_FLUSH_MS, NULL));
    int64_t allocations = failing_system_end();
    assert_true(allocations > 20);
    print_message("%lld allocations\n", (long long)allocations);
    for (int64_t nth = 0; nth < allocations; nth += step_of(allocations)) {
        save_without_memory(nth, 1);
        save_without_memory(nth, INT64_MAX);
        CnError error = {0};
        saved_game_play(&game, &random_numbers, 1);
        if (!saved_game_save(&game, &error) ||
            !crafty_save_flush(game.save, SAVED_GAME_FLUSH_MS, &error))
            fail_msg("%s", error.message);
        SavedGameState expected = saved_game_state(&game);
        saved_game_close(&game);
        saved_game_must_open(&game);
        assert_true(saved_game_same(saved_game_state(&game), expected));
    }
    saved_game_close(&game);
    cut_disk_destroy(disk);
}

/* ---- Closing ---- */

static void a_world_is_closed_without_memory(void **state)
{
    (void)state;
    make_world();
    saved_game_must_open(&game);
    saved_game_play(&game, &random_numbers, 2);
    assert_true(saved_game_save(&game, NULL));
    assert_true(crafty_save_flush(game.save, SAVED_GAME_FLUSH_MS, NULL));
    SavedGameState expected = saved_game_state(&game);
    failing_system_begin(0, INT64_MAX);
    saved_game_close(&game);
    failing_system_end();
    assert_contains(expected);
    cut_disk_destroy(disk);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_allocation_may_fail_while_a_world_is_opened),
        cmocka_unit_test(every_allocation_may_fail_while_a_world_is_saved),
        cmocka_unit_test(a_world_is_closed_without_memory),
    };
    cn_log_set_level(CN_LOG_LEVEL_OFF);
    failing_system_install();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
