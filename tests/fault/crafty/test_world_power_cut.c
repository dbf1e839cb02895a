/* test-labels: threads slow */
/*
 * Power cuts while a world is played and saved, on a simulated disk that loses, tears and reorders
 * what was not synced: the world opens, nothing that was reported as saved is lost, and state,
 * blocks and edit log are those of one saved tick. CAIRN_CUTS=10000 runs more of them.
 */
#include "cut_disk.h"
#include "saved_game.h"

#include <cairn/base/log.h>

#include <stdio.h>

/* Sanitizers make each cut slow. */
#if defined(__SANITIZE_THREAD__)
enum { DEFAULT_CUTS = 12, CONTROL_CUTS = 12 };
#elif defined(__SANITIZE_ADDRESS__)
enum { DEFAULT_CUTS = 60, CONTROL_CUTS = 30 };
#else
enum { DEFAULT_CUTS = 120, CONTROL_CUTS = 60 };
#endif
enum { SESSION_SAVES = 24, CUTS_OF_A_DISK = 100 };

typedef struct Run {
    CutDisk *disk;
    SavedGame game;
    TestRandom random;
    SavedGameState states[SESSION_SAVES + 2]; /* the state at the start and of each save */
    uint32_t count;
    bool has_start; /* states[0] is in the file; else the world is new */
    uint64_t durable_tick;
    uint64_t cuts, cuts_while_open, new_worlds, recovered_later; /* statistics */
    uint64_t unreadable, lost, wrong_state, dropped_bytes, saves, edits;
} Run;

static void begin_disk(Run *run)
{
    run->disk = cut_disk_create(test_random(&run->random));
    run->game.desc.sqlite_vfs = cut_disk_name(run->disk);
    run->count = 0;
    run->has_start = false;
    run->durable_tick = 0;
}

static void end_disk(Run *run)
{
    run->dropped_bytes += cut_disk_dropped_bytes(run->disk);
    cut_disk_destroy(run->disk);
}

/* Opens the world. One that cannot be opened is counted, and a new one begins. */
static void open_world(Run *run)
{
    CnError error = {0};
    if (saved_game_open(&run->game, &error))
        return;
    print_message("cut %llu: %s\n", (unsigned long long)run->cuts, error.message);
    run->unreadable++;
    end_disk(run);
    begin_disk(run);
    assert_true(saved_game_open(&run->game, &error));
}

/* The world must be as it was at one of the saves, not before the last durable one. */
static void check(Run *run)
{
    if (crafty_save_is_new(run->game.save)) {
        run->new_worlds++;
        run->lost += run->has_start || run->durable_tick > 0;
        return;
    }
    SavedGameState found = saved_game_state(&run->game);
    run->lost += found.tick < run->durable_tick;
    run->recovered_later += found.tick > run->durable_tick;
    for (uint32_t i = run->has_start ? 0 : 1; i < run->count; i++)
        if (saved_game_same(found, run->states[i]))
            return;
    run->wrong_state++;
}

/* Waits until the last save is durable, the power is cut, or the file turns out to be damaged. */
static bool wait_for_save(Run *run)
{
    CnStore *store = crafty_save_store(run->game.save);
    CnStoreStatus status = {0};
    while (cn_store_durable(store) < run->game.save->batch && !cut_disk_is_cut(run->disk)) {
        crafty_save_flush(run->game.save, 2, &(CnError){0});
        cn_store_status(store, &status);
        if (status.state == CN_STORE_FAILED)
            return false;
    }
    return true;
}

/* Plays and saves until the power is cut or the session ends. */
static void play(Run *run)
{
    CnStore *store = crafty_save_store(run->game.save);
    const CnEditLog *log = cn_voxels_log(saved_game_voxels(&run->game));
    uint64_t ticks[SESSION_SAVES + 2] = {run->durable_tick}; /* by batch */
    uint64_t edits = cn_edit_log_total(log);
    while (run->count <= SESSION_SAVES && !cut_disk_is_cut(run->disk)) {
        uint64_t before = run->game.save->batch;
        for (uint32_t n = 1 + test_random_below(&run->random, 3); n > 0; n--) {
            saved_game_disturb(&run->game, &run->random);
            saved_game_tick(&run->game);
        }
        bool is_auto = test_random_chance(&run->random, 70); /* else several wait for the disk */
        SavedGameState earlier = run->game.saving;           /* of a save in progress */
        assert_true(is_auto ? saved_game_auto(&run->game, NULL)
                            : saved_game_save(&run->game, NULL));
        uint64_t last = run->game.save->batch;
        if (last == before)
            continue; /* the save before is not durable yet, or this one not complete */
        for (uint64_t batch = before + 1; batch <= last; batch++) {
            run->states[run->count] = batch == last ? run->game.saving : earlier;
            ticks[batch] = run->states[run->count++].tick;
        }
        if (test_random_chance(&run->random, 60) && !wait_for_save(run)) {
            run->unreadable++;
            break;
        }
    }
    run->durable_tick = ticks[cn_store_durable(store)];
    run->saves += run->count - 1;
    run->edits += cn_edit_log_total(log) - edits;
}

/* Checks the world that was opened, and plays on from there. */
static void check_and_play(Run *run, bool cuts_later)
{
    check(run);
    run->has_start = !crafty_save_is_new(run->game.save);
    run->states[0] = saved_game_state(&run->game);
    run->durable_tick = run->has_start ? run->states[0].tick : 0;
    run->count = 1;
    if (cuts_later)
        cut_disk_cut_after(run->disk, 1 + test_random_below(&run->random, 150));
    if (cuts_later && test_random_chance(&run->random, 10)) {
        saved_game_close(&run->game); /* a cut while closing or opening */
        run->cuts_while_open++;
        if (!saved_game_open(&run->game, &(CnError){0}))
            return;
    }
    play(run);
}

static void cut_once(Run *run)
{
    if (run->cuts % CUTS_OF_A_DISK == CUTS_OF_A_DISK - 1) {
        end_disk(run);
        begin_disk(run);
    }
    bool cuts_creation = run->count == 0 && test_random_chance(&run->random, 80);
    if (cuts_creation) {
        cut_disk_cut_after(run->disk, 1 + test_random_below(&run->random, 40));
        if (saved_game_open(&run->game, &(CnError){0}))
            check_and_play(run, false);
    } else {
        open_world(run);
        check_and_play(run, true);
    }
    saved_game_close(&run->game);
    cut_disk_reboot(run->disk);
    run->cuts++;
}

static void cut_often(Run *run, uint64_t seed, uint32_t cuts)
{
    run->random.state = seed;
    run->game.desc.path = "world.crafty";
    run->game.desc.seed = 42;
    run->game.threads = 1;
    begin_disk(run);
    for (uint32_t i = 0; i < cuts; i++)
        cut_once(run);
    open_world(run);
    check(run);
    saved_game_close(&run->game);
    end_disk(run);
    printf("%llu cuts (%llu while closing or opening): %llu unreadable, %llu lost, %llu in a wrong "
           "state; %llu had saved more than was reported, %llu worlds were still new; %llu KiB of "
           "unsynced writes dropped; %llu saves with %llu edits\n",
           (unsigned long long)run->cuts, (unsigned long long)run->cuts_while_open,
           (unsigned long long)run->unreadable, (unsigned long long)run->lost,
           (unsigned long long)run->wrong_state, (unsigned long long)run->recovered_later,
           (unsigned long long)run->new_worlds, (unsigned long long)run->dropped_bytes / 1024,
           (unsigned long long)run->saves, (unsigned long long)run->edits);
}

static void nothing_saved_is_lost_by_power_cuts(void **state)
{
    (void)state;
    const char *number = getenv("CAIRN_CUTS");
    Run run = {.game.desc.durability = CN_STORE_DURABLE};
    cut_often(&run, 100, number ? (uint32_t)strtoul(number, NULL, 10) : DEFAULT_CUTS);
    assert_int_equal(run.unreadable, 0);
    assert_int_equal(run.lost, 0);
    assert_int_equal(run.wrong_state, 0);
    assert_true(run.dropped_bytes > 0 && run.edits > 0); /* the cuts hit unfinished commits */
}

/* Otherwise the test above could not fail. */
static void without_syncs_power_cuts_do_lose_worlds(void **state)
{
    (void)state;
    Run run = {.game.desc.durability = CN_STORE_NOT_DURABLE};
    cut_often(&run, 7, CONTROL_CUTS);
    assert_true(run.lost > 0);
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
        cmocka_unit_test(nothing_saved_is_lost_by_power_cuts),
        cmocka_unit_test(without_syncs_power_cuts_do_lose_worlds),
    };
    return cmocka_run_group_tests(tests, silence, NULL);
}
