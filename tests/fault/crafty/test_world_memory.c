/* test-labels: slow */
/*
 * Allocations that fail while a world is opened, restored, played, saved and closed: an error with
 * a message, nothing that was saved is lost, and the next save that succeeds contains everything.
 * Leaks are found by the builds with AddressSanitizer. CAIRN_ALLOCATIONS=1 fails every one.
 */
#include "cut_disk.h"
#include "saved_game.h"

#include <cairn/base/log.h>

#include <pthread.h>
#include <stdatomic.h>

enum { DEFAULT_STEPS = 60, SHORT_MS = 20 };

/* ---- The engine's heap ---- */

static void *(*system_resize)(CnAllocator *self, void *block, size_t old_bytes, size_t new_bytes,
                              size_t alignment);
static atomic_bool is_counting;
static _Atomic int64_t calls, fails_at, fails_until;

/* Freeing and shrinking never fail. */
static void *resize(CnAllocator *self, void *block, size_t old_bytes, size_t new_bytes,
                    size_t alignment)
{
    if (new_bytes > (block ? old_bytes : 0) && atomic_load(&is_counting)) {
        int64_t call = atomic_fetch_add(&calls, 1);
        if (call >= atomic_load(&fails_at) && call < atomic_load(&fails_until))
            return NULL;
    }
    return system_resize(self, block, old_bytes, new_bytes, alignment);
}

static void fail_from(int64_t first, int64_t count)
{
    atomic_store(&calls, 0);
    atomic_store(&fails_at, first);
    atomic_store(&fails_until, count == INT64_MAX ? INT64_MAX : first + count);
    atomic_store(&is_counting, true);
}

static int64_t stop_failing(void)
{
    atomic_store(&is_counting, false);
    return atomic_load(&calls);
}

/* ---- The world ---- */

static CutDisk *disk;
static SavedGame game;
static TestRandom random_numbers;

static void open_game(void)
{
    CnError error = {0};
    if (!saved_game_open(&game, &error))
        fail_msg("%s", error.message);
}

static void play(uint32_t ticks)
{
    for (uint32_t i = 0; i < ticks; i++) {
        saved_game_disturb(&game, &random_numbers);
        saved_game_tick(&game);
    }
}

static SavedGameState make_world(void)
{
    disk = cut_disk_create(5);
    random_numbers.state = 5;
    CraftySaveDesc desc = {
        .path = "world.crafty", .seed = 42, .retry_ms = 1, .sqlite_vfs = cut_disk_name(disk)};
    game = (SavedGame){.desc = desc, .threads = 1};
    open_game();
    play(10);
    assert_true(saved_game_save(&game, NULL));
    assert_true(crafty_save_flush(game.save, SAVED_GAME_FLUSH_MS, NULL));
    SavedGameState saved = saved_game_state(&game);
    saved_game_close(&game);
    return saved;
}

static void assert_contains(SavedGameState expected)
{
    open_game();
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
    fail_from(nth, count);
    bool opened = saved_game_open(&game, &error);
    stop_failing();
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
    fail_from(INT64_MAX, 0);
    open_game();
    int64_t allocations = stop_failing();
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
    play(2);
    fail_from(nth, count);
    bool written = saved_game_save(&game, &error);
    if (written && !crafty_save_flush(game.save, SHORT_MS, &error))
        assert_true(error.code == CN_ERROR_MEMORY || error.code == CN_ERROR_LIMIT);
    else if (!written)
        assert_memory(&error, nth);
    stop_failing();
}

static void every_allocation_may_fail_while_a_world_is_saved(void **state)
{
    (void)state;
    make_world();
    open_game();
    play(2);
    fail_from(INT64_MAX, 0);
    assert_true(saved_game_save(&game, NULL));
    assert_true(crafty_save_flush(game.save, SAVED_GAME_FLUSH_MS, NULL));
    int64_t allocations = stop_failing();
    assert_true(allocations > 20);
    print_message("%lld allocations\n", (long long)allocations);
    for (int64_t nth = 0; nth < allocations; nth += step_of(allocations)) {
        save_without_memory(nth, 1);
        save_without_memory(nth, INT64_MAX);
        CnError error = {0};
        play(1);
        if (!saved_game_save(&game, &error) ||
            !crafty_save_flush(game.save, SAVED_GAME_FLUSH_MS, &error))
            fail_msg("%s", error.message);
        SavedGameState expected = saved_game_state(&game);
        saved_game_close(&game);
        open_game();
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
    open_game();
    play(2);
    assert_true(saved_game_save(&game, NULL));
    assert_true(crafty_save_flush(game.save, SAVED_GAME_FLUSH_MS, NULL));
    SavedGameState expected = saved_game_state(&game);
    fail_from(0, INT64_MAX);
    saved_game_close(&game);
    stop_failing();
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
    system_resize = cn_system_allocator()->resize;
    cn_system_allocator()->resize = resize;
    return cmocka_run_group_tests(tests, NULL, NULL);
}
