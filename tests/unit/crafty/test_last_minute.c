/* The recording of the last minute: what it covers, and that every torn file is read up to its last
 * whole tick. */
#include "cmocka_tests.h"
#include "scratch.h"

#include <crafty/crash/last_minute.h>
#include <crafty/replay/session.h>

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define FLUSH_MS 60000u
#define PART_TICKS 40u

static Scratch scratch;
static char paths[2][512];
static CraftySave *save;
static CraftySession *session;
static CraftyBackgroundFiles *files;
static CraftyLastMinute *last;

static int make(void **state)
{
    (void)state;
    CnError error = {0};
    scratch_init(&scratch);
    save = crafty_save_open(
        &(CraftySaveDesc){.path = scratch_path(&scratch, "w.crafty"), .seed = 7}, &error);
    assert_non_null(save);
    session = crafty_session_create(
        &(CraftySessionDesc){.start = {.viewer = CRAFTY_VIEWER_WALKS, .hours = 9},
                             .finds_spawn = true,
                             .threads = 1,
                             .save = save},
        &error);
    assert_non_null(session);
    files = crafty_background_files_create(&error);
    assert_non_null(files);
    for (uint32_t i = 0; i < 2; i++)
        cn_format(paths[i], sizeof paths[i], "%s", scratch_path(&scratch, i ? "b.cnr" : "a.cnr"));
    last = crafty_last_minute_create(&(CraftyLastMinuteDesc){.files = files,
                                                             .paths = {paths[0], paths[1]},
                                                             .sim = crafty_session_sim(session),
                                                             .world = crafty_session_world(session),
                                                             .start = crafty_session_start(session),
                                                             .save = save,
                                                             .ticks = PART_TICKS},
                                     &error);
    assert_non_null(last);
    return 0;
}

static int unmake(void **state)
{
    (void)state;
    crafty_last_minute_destroy(last);
    crafty_background_files_destroy(files);
    crafty_session_destroy(session);
    crafty_save_close(save);
    scratch_fini(&scratch);
    return 0;
}

static void play(uint64_t ticks, bool saves)
{
    for (uint64_t i = 0; i < ticks; i++) {
        assert_true(cn_sim_tick_n(crafty_session_sim(session), 1, NULL));
        if (saves)
            assert_true(crafty_save_write(save, crafty_session_world(session),
                                          crafty_session_sim(session), NULL) &&
                        crafty_save_flush(save, FLUSH_MS, NULL));
        crafty_last_minute_tick(last);
    }
    crafty_background_files_flush(files);
}

/* Returns whether there is a recording, and what it covers. */
static bool covers(uint32_t part, uint64_t *first, uint64_t *end)
{
    CnError error = {0};
    CnReplay *replay = cn_replay_open(cn_native_files(), paths[part], NULL, &error);
    if (!replay)
        return false;
    *first = cn_replay_info(replay)->first_tick;
    *end = *first + cn_replay_info(replay)->tick_count;
    cn_replay_close(replay);
    return true;
}

static void the_older_part_covers_at_least_a_part(void **state)
{
    (void)state;
    for (uint32_t round = 0; round < 12; round++) {
        uint64_t first[2] = {0}, end[2] = {0};
        play(17, true);
        uint64_t now = cn_sim_tick(crafty_session_sim(session));
        bool is_there[2] = {covers(0, &first[0], &end[0]), covers(1, &first[1], &end[1])};
        uint64_t oldest = UINT64_MAX;
        for (uint32_t i = 0; i < 2; i++)
            if (is_there[i]) {
                assert_int_equal(end[i], now);
                oldest = first[i] < oldest ? first[i] : oldest;
            }
        assert_true(now - oldest >= (now < PART_TICKS ? now : PART_TICKS));
        assert_true(now - oldest <= 2 * PART_TICKS + 1);
    }
}

static void what_is_not_saved_is_kept(void **state)
{
    (void)state;
    uint64_t first, end;
    play(1, true);
    play(5 * PART_TICKS, false);
    assert_true(covers(0, &first, &end) && first == 0);
}

static void a_recording_that_is_torn_at_any_length_is_read_up_to_its_last_tick(void **state)
{
    (void)state;
    CnFileBytes bytes;
    play(PART_TICKS / 2, false);
    assert_true(cn_file_read_all(cn_native_files(), paths[0], NULL, &bytes, NULL));
    uint64_t ticks = 0;
    size_t step = bytes.size / 700 + 1; /* all lengths of the ticks, some of the start */
    size_t dense = bytes.size > 4000 ? bytes.size - 4000 : 0;
    for (size_t size = 0; size <= bytes.size; size += size < dense ? step : 1) {
        CnError error = {0};
        CnReplay *replay = cn_replay_open_bytes(bytes.data, size, NULL, &error);
        if (!replay) {
            assert_int_equal(error.code, CN_ERROR_FORMAT);
            assert_int_equal(ticks, 0);
            continue;
        }
        assert_true(cn_replay_info(replay)->cut_off);
        assert_true(cn_replay_info(replay)->tick_count >= ticks);
        ticks = cn_replay_info(replay)->tick_count;
        cn_replay_close(replay);
    }
    assert_int_equal(ticks, PART_TICKS / 2);
    cn_file_bytes_free(&bytes);
}

/* ---- Files in the background ---- */

static void written_bytes_are_in_the_file(void **state)
{
    (void)state;
    CnFileSystem *system = crafty_background_files_cn(files);
    const char *path = scratch_path(&scratch, "bytes");
    CnFile *file;
    CnFileBytes bytes;
    assert_true(system->open(system, path, CN_FILE_WRITE, &file, NULL));
    char line[16];
    uint64_t size = 0;
    for (uint32_t i = 0; i < 1000; i++) {
        cn_format(line, sizeof line, "%u\n", i);
        assert_true(system->write(system, file, size, line, strlen(line), NULL));
        size += strlen(line);
    }
    system->close(system, file);
    crafty_background_files_flush(files);
    assert_true(cn_file_read_all(cn_native_files(), path, NULL, &bytes, NULL));
    assert_int_equal(bytes.size, size);
    assert_memory_equal(bytes.data + size - 4, "999\n", 4);
    cn_file_bytes_free(&bytes);
    assert_true(crafty_background_files_remove(files, path));
    crafty_background_files_flush(files);
    assert_int_not_equal(access(path, F_OK), 0);
}

static void more_than_the_ring_holds_is_refused(void **state)
{
    (void)state;
    CnFileSystem *system = crafty_background_files_cn(files);
    CnFile *file;
    CnError error = {0};
    uint8_t *large = calloc(1, CRAFTY_BACKGROUND_RING_BYTES + 1);
    assert_non_null(large);
    assert_true(system->open(system, scratch_path(&scratch, "large"), CN_FILE_WRITE, &file, NULL));
    assert_false(system->write(system, file, 0, large, CRAFTY_BACKGROUND_RING_BYTES + 1, &error));
    assert_int_equal(error.code, CN_ERROR_LIMIT);
    system->close(system, file);
    free(large);
}

static void a_file_that_cannot_be_created_stops_nothing(void **state)
{
    (void)state;
    CnFileSystem *system = crafty_background_files_cn(files);
    CnFile *file;
    assert_true(
        system->open(system, scratch_path(&scratch, "no/such/folder"), CN_FILE_WRITE, &file, NULL));
    assert_true(system->write(system, file, 0, "x", 1, NULL));
    system->close(system, file);
    crafty_background_files_flush(files);
}

#define LAST_TEST(name) cmocka_unit_test_setup_teardown(name, make, unmake)

int main(void)
{
    const struct CMUnitTest tests[] = {
        LAST_TEST(the_older_part_covers_at_least_a_part),
        LAST_TEST(what_is_not_saved_is_kept),
        LAST_TEST(a_recording_that_is_torn_at_any_length_is_read_up_to_its_last_tick),
        LAST_TEST(written_bytes_are_in_the_file),
        LAST_TEST(more_than_the_ring_holds_is_refused),
        LAST_TEST(a_file_that_cannot_be_created_stops_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
