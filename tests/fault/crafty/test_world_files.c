/*
 * Worlds on real file systems that refuse, fill up or lose their files while the game is played,
 * and worlds that are opened twice: a clear message, the game goes on, and the next save that
 * succeeds contains everything.
 */
#include "saved_game.h"
#include "scratch.h"

#include <cairn/base/log.h>

#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum { NOBODY = 65534, SKIPPED = 77, FULL_BYTES = 1 << 20, SHORT_MS = 300 };

static Scratch scratch;
static char folder[300], path[320];
static SavedGame game;
static CnError error;

static const char *in_scratch(const char *name)
{
    return scratch_path(&scratch, name);
}

static void assert_says(const char *part)
{
    if (!strstr(error.message, part))
        fail_msg("\"%s\" does not say \"%s\"", error.message, part);
}

static void open_game(void)
{
    game = (SavedGame){.desc = {.path = path, .seed = 42}, .threads = 1};
    if (!saved_game_open(&game, &error))
        fail_msg("%s", error.message);
}

static void play(uint32_t ticks)
{
    TestRandom random = {ticks};
    for (uint32_t i = 0; i < ticks; i++) {
        saved_game_disturb(&game, &random);
        saved_game_tick(&game);
    }
}

static void save_game(void)
{
    if (!saved_game_save(&game, &error) ||
        !crafty_save_flush(game.save, SAVED_GAME_FLUSH_MS, &error))
        fail_msg("%s", error.message);
}

/* Saves, which fails; the game goes on and saves again. */
static void assert_not_saved(const char *part)
{
    for (uint32_t i = 0; i < 3; i++) {
        play(2);
        assert_true(saved_game_save(&game, &error));
        error = (CnError){0};
        assert_false(crafty_save_flush(game.save, SHORT_MS, &error));
        assert_says(part);
    }
}

static void assert_saved_as(SavedGameState expected)
{
    saved_game_close(&game);
    open_game();
    assert_true(saved_game_same(saved_game_state(&game), expected));
}

/* A game that was saved once, in a folder of its own. */
static int begin(void **state)
{
    (void)state;
    cn_log_set_level(CN_LOG_LEVEL_OFF);
    error = (CnError){0};
    scratch_init(&scratch);
    strcpy(folder, in_scratch("worlds"));
    assert_int_equal(mkdir(folder, 0777), 0);
    cn_format(path, sizeof path, "%s/Home.crafty", folder);
    open_game();
    play(5);
    save_game();
    return 0;
}

static int end(void **state)
{
    (void)state;
    saved_game_close(&game);
    chmod(folder, 0777);
    scratch_fini(&scratch);
    return 0;
}

/* Runs a part of a test in a process of its own, whose rights it may give up. */
static void in_child(void (*run)(void))
{
    fflush(NULL);
    pid_t child = fork();
    assert_true(child >= 0);
    if (!child) {
        run();
        _exit(0);
    }
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status));
    if (WEXITSTATUS(status) == SKIPPED)
        skip();
    assert_int_equal(WEXITSTATUS(status), 0);
}

/* In a child, where a failed assertion would return to the wrong runner. */
static void expect(bool condition, const char *what)
{
    if (condition)
        return;
    fprintf(stderr, "not true: %s; the error is \"%s\"\n", what, error.message);
    _exit(1);
}

/* ---- Full disks ---- */

/* On a small file system of its own; where mounting one is not allowed, the test is skipped. */
static void fill_disk(void)
{
    char filler[320];
    if (unshare(geteuid() ? CLONE_NEWUSER | CLONE_NEWNS : CLONE_NEWNS) ||
        mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) ||
        mount("tmpfs", folder, "tmpfs", 0, "size=1m"))
        _exit(SKIPPED);
    open_game();
    play(5);
    save_game();
    cn_format(filler, sizeof filler, "%s/filler", folder);
    FILE *file = fopen(filler, "w");
    for (uint32_t i = 0; i < FULL_BYTES && fputc('x', file) != EOF; i++) {
    }
    fclose(file);
    play(20);
    expect(saved_game_save(&game, &error), "a full disk does not stop the game");
    bool flushed = crafty_save_flush(game.save, SHORT_MS, &error);
    expect(!flushed && strstr(error.message, "the disk is full: free some space"), "it is full");
    play(3);
    expect(unlink(filler) == 0, "there is room again");
    save_game();
    SavedGameState expected = saved_game_state(&game);
    saved_game_close(&game);
    open_game();
    expect(saved_game_same(saved_game_state(&game), expected), "everything is saved");
    saved_game_close(&game);
}

static void a_full_disk_is_named_and_everything_is_saved_later(void **state)
{
    (void)state;
    saved_game_close(&game);
    in_child(fill_disk);
}

static void a_limit_of_the_file_size_is_named_and_everything_is_saved_later(void **state)
{
    (void)state;
    struct rlimit before, small = {.rlim_cur = 16384};
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
    small.rlim_max = before.rlim_max;
    signal(SIGXFSZ, SIG_IGN);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
    play(40);
    assert_true(saved_game_save(&game, &error));
    bool flushed = crafty_save_flush(game.save, SHORT_MS, &error);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
    signal(SIGXFSZ, SIG_DFL);
    assert_false(flushed);
    assert_says("cannot write");
    save_game();
    assert_saved_as(saved_game_state(&game));
}

/* ---- Rights ---- */

static void open_without_rights(void)
{
    if (geteuid() == 0 && setuid(NOBODY))
        _exit(SKIPPED);
    SavedGame other = {.desc = {.path = path}, .threads = 1};
    expect(!saved_game_open(&other, &error), "the world is refused");
    expect(strstr(error.message, path) && strstr(error.message, "write-protected"),
           "the message names the file and the reason");
}

static void a_write_protected_file_is_named(void **state)
{
    (void)state;
    saved_game_close(&game);
    assert_int_equal(chmod(scratch.folder, 0755), 0);
    assert_int_equal(chmod(path, 0444), 0);
    in_child(open_without_rights);
}

static void a_write_protected_folder_is_named(void **state)
{
    (void)state;
    SavedGameState expected = saved_game_state(&game);
    saved_game_close(&game);
    assert_int_equal(chmod(scratch.folder, 0755), 0);
    assert_int_equal(chmod(path, 0666), 0);
    assert_int_equal(chmod(folder, 0555), 0);
    in_child(open_without_rights);
    assert_int_equal(chmod(folder, 0777), 0);
    assert_saved_as(expected);
}

/* ---- Files that vanish ---- */

static void a_folder_that_vanishes_is_named_and_may_come_back(void **state)
{
    (void)state;
    char away[320];
    strcpy(away, in_scratch("away"));
    assert_int_equal(rename(folder, away), 0);
    assert_not_saved("it was moved or deleted while it was open: put it back");
    assert_int_equal(rename(away, folder), 0);
    save_game();
    assert_saved_as(saved_game_state(&game));
}

static void a_deleted_folder_is_named_and_the_game_goes_on(void **state)
{
    (void)state;
    char wal[340];
    cn_format(wal, sizeof wal, "%s-wal", path);
    assert_int_equal(unlink(path), 0);
    assert_int_equal(unlink(wal), 0);
    assert_int_equal(rmdir(folder), 0);
    assert_not_saved("it was moved or deleted while it was open");
    assert_int_equal(mkdir(folder, 0777), 0);
    char copy[320]; /* what was saved before can still be copied */
    cn_format(copy, sizeof copy, "%s/Copy.crafty", folder);
    assert_true(cn_store_backup(crafty_save_store(game.save), copy, NULL, NULL, &error));
    saved_game_close(&game);
    strcpy(path, copy);
    open_game();
    assert_int_equal(cn_sim_tick(saved_game_sim(&game)), 5);
}

static void a_deleted_write_ahead_log_loses_nothing(void **state)
{
    (void)state;
    char wal[340], copy[320];
    cn_format(wal, sizeof wal, "%s-wal", path);
    assert_int_equal(unlink(wal), 0);
    play(5);
    save_game();
    assert_int_equal(access(wal, F_OK), 0);
    SavedGameState expected = saved_game_state(&game);
    cn_format(copy, sizeof copy, "%s/Copy.crafty", folder); /* what a crash would leave */
    char command[1200];
    cn_format(command, sizeof command, "cp '%s' '%s' && cp '%s' '%s-wal'", path, copy, wal, copy);
    assert_int_equal(system(command), 0);
    saved_game_close(&game);
    strcpy(path, copy);
    open_game();
    assert_true(saved_game_same(saved_game_state(&game), expected));
}

/* ---- Opened twice ---- */

static void expect_refused(const char *other_path, const char *part)
{
    SavedGame other = {.desc = {.path = other_path}, .threads = 1};
    error = (CnError){0};
    expect(!saved_game_open(&other, &error), "the world is refused");
    expect(strstr(error.message, part), part);
}

static void refuse_in_other_process(void)
{
    expect_refused(path, "it is open in another program");
    expect_refused(in_scratch("link.crafty"), "it is open in another program");
    CraftySaveInfo info;
    error = (CnError){0};
    expect(!crafty_save_read_info(path, &info, &error), "lists do not read it");
    expect(strstr(error.message, "it is open elsewhere or was not closed properly"), "lists");
}

static void an_open_world_is_refused_also_through_links(void **state)
{
    (void)state;
    assert_int_equal(symlink(path, in_scratch("link.crafty")), 0);
    expect_refused(path, "twice in this one");
    expect_refused(in_scratch("link.crafty"), "twice in this one");
    in_child(refuse_in_other_process);
    play(3); /* the world that is open is not disturbed */
    save_game();
    assert_saved_as(saved_game_state(&game));
}

/* After a crash, the write-ahead log of one name would be missed under the other. */
static void a_world_with_two_names_is_refused(void **state)
{
    (void)state;
    SavedGameState expected = saved_game_state(&game);
    assert_int_equal(link(path, in_scratch("hard.crafty")), 0);
    expect_refused(in_scratch("hard.crafty"), "several names");
    saved_game_close(&game);
    expect_refused(in_scratch("hard.crafty"), "copy it and open the copy");
    assert_int_equal(unlink(in_scratch("hard.crafty")), 0);
    open_game();
    assert_true(saved_game_same(saved_game_state(&game), expected));
}

static void a_symbolic_link_opens_the_world_itself(void **state)
{
    (void)state;
    SavedGameState expected = saved_game_state(&game);
    saved_game_close(&game);
    assert_int_equal(symlink(path, in_scratch("link.crafty")), 0);
    char own[320];
    strcpy(own, path);
    strcpy(path, in_scratch("link.crafty"));
    open_game();
    assert_true(saved_game_same(saved_game_state(&game), expected));
    play(3);
    save_game();
    expected = saved_game_state(&game);
    saved_game_close(&game);
    strcpy(path, own);
    open_game();
    assert_true(saved_game_same(saved_game_state(&game), expected));
}

#define TEST(test) cmocka_unit_test_setup_teardown(test, begin, end)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(a_full_disk_is_named_and_everything_is_saved_later),
        TEST(a_limit_of_the_file_size_is_named_and_everything_is_saved_later),
        TEST(a_write_protected_file_is_named),
        TEST(a_write_protected_folder_is_named),
        TEST(a_folder_that_vanishes_is_named_and_may_come_back),
        TEST(a_deleted_folder_is_named_and_the_game_goes_on),
        TEST(a_deleted_write_ahead_log_loses_nothing),
        TEST(an_open_world_is_refused_also_through_links),
        TEST(a_world_with_two_names_is_refused),
        TEST(a_symbolic_link_opens_the_world_itself),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
