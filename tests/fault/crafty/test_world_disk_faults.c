/* test-labels: slow */
/*
 * Calls of the disk that fail while a world is opened, played, saved and closed: an error with a
 * message or success, nothing that was saved is lost, and saving goes on when the disk works again.
 */
#include "cut_disk.h"
#include "saved_game.h"

#include <cairn/base/log.h>

enum { CALLS = 1000, SHORT_MS = 5 };

static CutDisk *disk;
static SavedGame game;
static TestRandom random_numbers;

static void repair_disk(void)
{
    cut_disk_fail(disk, DISK_FAULT_NONE, 0, 0);
}

/* Opens the world once more on a disk that works. */
static void assert_contains(SavedGameState expected)
{
    repair_disk();
    saved_game_must_open(&game);
    SavedGameState found = saved_game_state(&game);
    saved_game_close(&game);
    if (!saved_game_same(found, expected))
        fail_msg("the world is in tick %llu instead of %llu, or in another state",
                 (unsigned long long)found.tick, (unsigned long long)expected.tick);
}

/* A saved world on a new disk. */
static SavedGameState make_world(void)
{
    disk = cut_disk_create(3);
    random_numbers.state = 3;
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

/* Leaves a write-ahead log, as a crash does. */
static void crash(void)
{
    saved_game_must_open(&game);
    cut_disk_cut_after(disk, 1);
    saved_game_close(&game);
    cut_disk_reboot(disk);
}

/* Opens the world while the n-th call fails. Returns false once there are fewer calls. */
static bool open_with_fault(DiskFault fault, uint64_t nth, SavedGameState saved)
{
    CnError error = {0};
    if (nth % 2)
        crash();
    cut_disk_fail(disk, fault, nth, 1);
    bool opened = saved_game_open(&game, &error);
    bool was_hit = cut_disk_calls(disk) > nth;
    if (opened)
        assert_true(saved_game_same(saved_game_state(&game), saved));
    else
        assert_true(was_hit && error.code != CN_OK && error.message[0]);
    saved_game_close(&game);
    assert_contains(saved);
    return was_hit;
}

static void every_call_may_fail_while_a_world_is_opened(void **state)
{
    (void)state;
    SavedGameState saved = make_world();
    for (int fault = DISK_FAULT_WRITE; fault < DISK_FAULT_COUNT; fault++)
        for (uint64_t nth = 0; nth < CALLS && open_with_fault((DiskFault)fault, nth, saved);)
            nth += nth < 25 ? 1 : 7;
    cut_disk_destroy(disk);
}

/* Plays and saves while calls from the n-th on fail, and closes the world. What was reported as
 * saved is there again. */
static bool save_with_fault(DiskFault fault, uint64_t nth, uint64_t count)
{
    CnError error = {0};
    saved_game_must_open(&game);
    cut_disk_fail(disk, fault, nth, count);
    for (uint32_t i = 0; i < 3; i++) {
        saved_game_play(&game, &random_numbers, 2);
        assert_true(saved_game_auto(&game, &error));
        if (!crafty_save_flush(game.save, count == 1 ? SAVED_GAME_FLUSH_MS : SHORT_MS, &error))
            assert_true(count > 1 && error.message[0]);
    }
    bool was_hit = cut_disk_calls(disk) > nth;
    if (count > 1)
        repair_disk();
    saved_game_play(&game, &random_numbers, 1);
    assert_true(saved_game_save(&game, &error)); /* contains everything */
    assert_true(crafty_save_flush(game.save, SAVED_GAME_FLUSH_MS, &error));
    SavedGameState expected = saved_game_state(&game);
    saved_game_close(&game);
    assert_contains(expected);
    return was_hit;
}

static void every_call_may_fail_while_a_world_is_saved(void **state)
{
    (void)state;
    make_world();
    for (int fault = DISK_FAULT_WRITE; fault < DISK_FAULT_COUNT; fault++)
        for (uint64_t nth = 0; nth < CALLS && save_with_fault((DiskFault)fault, nth, 1);)
            nth += nth < 12 ? 1 : 5;
    cut_disk_destroy(disk);
}

static void saving_goes_on_when_a_failing_disk_works_again(void **state)
{
    (void)state;
    make_world();
    for (int fault = DISK_FAULT_WRITE; fault < DISK_FAULT_COUNT; fault++)
        for (uint64_t nth = 0; nth < 30; nth += 7)
            save_with_fault((DiskFault)fault, nth, UINT64_MAX);
    cut_disk_destroy(disk);
}

/* The n-th call fails while the world is closed: everything was durable before. */
static bool close_with_fault(DiskFault fault, uint64_t nth)
{
    saved_game_must_open(&game);
    saved_game_play(&game, &random_numbers, 2);
    assert_true(saved_game_save(&game, NULL));
    assert_true(crafty_save_flush(game.save, SAVED_GAME_FLUSH_MS, NULL));
    SavedGameState expected = saved_game_state(&game);
    cut_disk_fail(disk, fault, nth, 1);
    saved_game_close(&game);
    bool was_hit = cut_disk_calls(disk) > nth;
    assert_contains(expected);
    return was_hit;
}

static void every_call_may_fail_while_a_world_is_closed(void **state)
{
    (void)state;
    make_world();
    for (int fault = DISK_FAULT_WRITE; fault < DISK_FAULT_COUNT; fault++)
        for (uint64_t nth = 0; nth < CALLS && close_with_fault((DiskFault)fault, nth);)
            nth += nth < 12 ? 1 : 5;
    cut_disk_destroy(disk);
}

/* Many saves wait while the disk is full; then the queue is full, and the game goes on. */
static void a_full_disk_stops_neither_the_game_nor_later_saves(void **state)
{
    (void)state;
    CnError error = {0};
    make_world();
    saved_game_must_open(&game);
    cut_disk_fail(disk, DISK_FAULT_FULL, 0, UINT64_MAX);
    uint32_t refused = 0;
    for (uint32_t i = 0; i < CN_STORE_DEFAULT_QUEUE + 6; i++) {
        saved_game_play(&game, &random_numbers, 1);
        bool written = saved_game_save(&game, &error);
        refused += !written;
        if (!written)
            assert_non_null(strstr(error.message, "too many saves wait for the disk"));
    }
    assert_true(refused > 0);
    assert_false(crafty_save_flush(game.save, SHORT_MS, &error));
    assert_non_null(strstr(error.message, "the disk is full: free some space"));
    repair_disk();
    assert_true(crafty_save_flush(game.save, SAVED_GAME_FLUSH_MS, &error));
    assert_true(saved_game_save(&game, &error));
    assert_true(crafty_save_flush(game.save, SAVED_GAME_FLUSH_MS, &error));
    SavedGameState expected = saved_game_state(&game);
    saved_game_close(&game);
    assert_contains(expected);
    cut_disk_destroy(disk);
}

/* The thread that saves is not in the way of the next autosave, which waits for it. */
static void an_autosave_waits_for_the_one_before(void **state)
{
    (void)state;
    CnError error = {0};
    make_world();
    saved_game_must_open(&game);
    cut_disk_fail(disk, DISK_FAULT_SYNC, 0, UINT64_MAX);
    for (uint32_t i = 0; i < 10; i++) {
        saved_game_play(&game, &random_numbers, 1);
        assert_true(saved_game_auto(&game, &error));
    }
    CnStoreStatus status;
    cn_store_status(crafty_save_store(game.save), &status);
    assert_int_equal(status.submitted, 1);
    repair_disk();
    assert_true(crafty_save_flush(game.save, SAVED_GAME_FLUSH_MS, &error));
    do
        assert_true(saved_game_auto(&game, &error));
    while (crafty_save_is_building(game.save));
    assert_true(crafty_save_flush(game.save, SAVED_GAME_FLUSH_MS, &error));
    SavedGameState expected = saved_game_state(&game);
    saved_game_close(&game);
    assert_contains(expected);
    cut_disk_destroy(disk);
}

static int silence(void **state)
{
    (void)state;
    cn_log_set_level(CN_LOG_LEVEL_OFF);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_call_may_fail_while_a_world_is_opened),
        cmocka_unit_test(every_call_may_fail_while_a_world_is_saved),
        cmocka_unit_test(saving_goes_on_when_a_failing_disk_works_again),
        cmocka_unit_test(every_call_may_fail_while_a_world_is_closed),
        cmocka_unit_test(a_full_disk_stops_neither_the_game_nor_later_saves),
        cmocka_unit_test(an_autosave_waits_for_the_one_before),
    };
    return cmocka_run_group_tests(tests, silence, NULL);
}
