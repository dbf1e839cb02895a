/* test-labels: slow */
/*
 * Allocations that fail while the client opens a world: an error, no file or thread that is left,
 * and the world opens when there is memory again. Leaks are found by the builds with
 * AddressSanitizer. CAIRN_ALLOCATIONS=1 fails every one.
 */
#include "client_options.h"
#include "cmocka_tests.h"
#include "failing_system.h"
#include "scratch.h"

#include <crafty/client/game.h>

#include <cairn/base/log.h>

#include <dirent.h>
#include <stdlib.h>

enum { DEFAULT_STEPS = 40, FLUSH_MS = 60000 };

static Scratch scratch;
static const char *path;
static Crafty *crafty;

static bool open_world(CnError *error)
{
    return crafty_play_open(crafty, &(CraftyPlayDesc){.path = path, .seed = 42}, error);
}

static void run_frames(uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        assert_true(cn_engine_frame(crafty->engine));
}

/* Opens the world, saves it and closes it. Returns the hash of its state. */
static uint64_t use_world(void)
{
    CnError error = {0};
    if (!open_world(&error))
        fail_msg("%s", error.message);
    uint64_t hash = cn_sim_hash(cn_scene_sim(crafty->play->scene));
    if (!crafty_saving_finish(crafty->play, FLUSH_MS, &error))
        fail_msg("%s", error.message);
    crafty_play_close(crafty);
    run_frames(4);
    return hash;
}

/* Returns whether an allocation failed. */
static bool open_without_memory(int64_t first, int64_t count)
{
    CnError error = {0};
    failing_system_begin(first, count);
    bool is_open = open_world(&error);
    bool has_failed = failing_system_end() > first;
    if (!is_open && error.code != CN_ERROR_MEMORY)
        fail_msg("allocation %lld: \"%s\" (%s)", (long long)first, error.message,
                 cn_error_code_name(error.code));
    assert_true(is_open == (crafty->play != NULL));
    crafty_play_close(crafty);
    run_frames(4);
    return has_failed;
}

static size_t count_entries(const char *folder)
{
    DIR *entries = opendir(folder);
    size_t count = 0;
    assert_non_null(entries);
    while (readdir(entries))
        count++;
    closedir(entries);
    return count;
}

static void fail_allocations(int64_t count)
{
    failing_system_begin(INT64_MAX, 0);
    uint64_t hash = use_world();
    int64_t allocations = failing_system_end();
    const char *text = getenv("CAIRN_ALLOCATIONS");
    int64_t step = text ? strtoll(text, NULL, 10) : allocations / DEFAULT_STEPS;
    use_world();
    size_t files = count_entries("/proc/self/fd"), threads = count_entries("/proc/self/task");
    int64_t at = 0;
    while (open_without_memory(at, count)) {
        assert_int_equal(count_entries("/proc/self/fd"), files);
        assert_int_equal(count_entries("/proc/self/task"), threads);
        at += step > 0 ? step : 1;
    }
    assert_true(at > allocations / 4);
    assert_int_equal(use_world(), hash);
}

static void memory_that_ends_leaves_nothing_open(void **state)
{
    (void)state;
    fail_allocations(INT64_MAX);
}

static void one_allocation_that_fails_leaves_nothing_open(void **state)
{
    (void)state;
    fail_allocations(1);
}

static int begin(void **state)
{
    (void)state;
    CnError error = {0};
    CraftyOptions options = null_client_options();
    scratch_init(&scratch);
    setenv("XDG_STATE_HOME", scratch.folder, 1); /* of crash reports */
    path = scratch_path(&scratch, "home.crafty");
    cn_log_set_level(CN_LOG_LEVEL_OFF);
    crafty = crafty_create(&options, &error);
    if (!crafty)
        fail_msg("%s", error.message);
    use_world();
    return 0;
}

static int end(void **state)
{
    (void)state;
    crafty_destroy(crafty);
    scratch_fini(&scratch);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(memory_that_ends_leaves_nothing_open, begin, end),
        cmocka_unit_test_setup_teardown(one_allocation_that_fails_leaves_nothing_open, begin, end),
    };
    failing_system_install();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
