/* test-labels: slow */
/*
 * Processes that are killed at random moments while they play and save a world on the real file
 * system, or together with the server of their database: the world opens in the state of one of
 * its saves, not before the last that was reported as durable. The state contains all inventories.
 * CAIRN_KILLS=200 kills more, CAIRN_POSTGRES_KILLS=50 more servers.
 */
#include "postgres_server.h"
#include "saved_game.h"
#include "scratch.h"

#include <cairn/base/log.h>
#include <cairn/postgres.h>

#include <signal.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

enum { DEFAULT_KILLS = 12, POSTGRES_KILLS = 3, LONGEST_US = 100000, MAX_MESSAGES = 8192 };

/* What a process reports: a save that it is about to submit, or that has become durable. */
typedef struct Message {
    bool is_durable;
    SavedGameState state;
} Message;

static Scratch scratch;
static char path[400];
static const CnStoreBackend *backend; /* NULL: a file */
static SavedGame game;

static CraftySaveDesc save_desc(void)
{
    return (CraftySaveDesc){.path = path, .seed = 42, .name = "Home", .backend = backend};
}

static void open_game(void)
{
    CnError error = {0};
    game = (SavedGame){.desc = save_desc(), .threads = 1};
    if (!saved_game_open(&game, &error))
        fail_msg("%s", error.message);
}

/* ---- The process that is killed ---- */

static void report(int messages, bool is_durable, SavedGameState state)
{
    Message message = {is_durable, state};
    if (write(messages, &message, sizeof message) != sizeof message)
        _exit(2);
}

static void play_until_killed(int messages, uint64_t seed)
{
    TestRandom random = {seed};
    game = (SavedGame){.desc = save_desc(), .threads = 1};
    if (!saved_game_open(&game, &(CnError){0}))
        _exit(1);
    SavedGameState submitted = {0};
    uint64_t reported = 0;
    for (;;) {
        saved_game_disturb(&game, &random);
        saved_game_tick(&game);
        uint64_t durable = cn_store_durable(crafty_save_store(game.save));
        if (durable != reported)
            report(messages, true, submitted);
        reported = durable;
        bool is_building = crafty_save_is_building(game.save);
        if (!is_building && durable < game.save->batch)
            continue;
        if (!is_building) { /* a save begins */
            submitted = saved_game_state(&game);
            report(messages, false, submitted);
        }
        if (!saved_game_auto(&game, &(CnError){0}))
            _exit(3);
    }
}

/* ---- Kills ---- */

static Message received[MAX_MESSAGES];
static uint32_t received_count;

static bool receive(int messages)
{
    assert_true(received_count < MAX_MESSAGES);
    return read(messages, &received[received_count], sizeof(Message)) == sizeof(Message) &&
           ++received_count;
}

/* Kills a process some time after its start, or after its first save. */
static void run_and_kill(uint64_t seed, uint32_t after_us)
{
    int ends[2];
    assert_int_equal(pipe(ends), 0);
    fflush(NULL);
    pid_t child = fork();
    assert_true(child >= 0);
    if (!child) {
        close(ends[0]);
        play_until_killed(ends[1], seed);
    }
    close(ends[1]);
    received_count = 0;
    bool waits = seed % 4;
    while (waits && receive(ends[0]) && !received[received_count - 1].is_durable) {
    }
    usleep(after_us);
    if (backend)
        postgres_server_kill(seed % 2 ? SIGKILL : SIGQUIT);
    kill(child, SIGKILL);
    while (receive(ends[0])) {
    }
    close(ends[0]);
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
    if (backend)
        postgres_server_run();
}

/* Returns whether the process had reported a durable save. */
static bool check(const SavedGameState *before)
{
    uint64_t durable_tick = before->tick;
    bool had_saved = false;
    open_game(); /* the lock of the killed process is gone */
    SavedGameState found = saved_game_state(&game);
    bool is_known = crafty_save_is_new(game.save) || saved_game_same(found, *before);
    for (uint32_t i = 0; i < received_count; i++) {
        if (received[i].is_durable) {
            durable_tick = received[i].state.tick;
            had_saved = true;
        } else {
            is_known |= saved_game_same(found, received[i].state);
        }
    }
    assert_true(found.tick >= durable_tick);
    assert_true(is_known);
    assert_true(!crafty_save_is_new(game.save) || (durable_tick == 0 && !had_saved));
    return had_saved;
}

static uint32_t count_of(const char *variable, uint32_t otherwise)
{
    const char *number = getenv(variable);
    return number ? (uint32_t)strtoul(number, NULL, 10) : otherwise;
}

static void kill_often(uint32_t kills)
{
    uint32_t with_saves = 0, logs_left = 0;
    TestRandom random = {11};
    SavedGameState before = {0};
    for (uint64_t seed = 1; seed <= kills; seed++) {
        run_and_kill(seed, test_random_below(&random, LONGEST_US));
        char wal[320];
        cn_format(wal, sizeof wal, "%s-wal", path);
        logs_left += access(wal, F_OK) == 0;
        with_saves += check(&before);
        before = crafty_save_is_new(game.save) ? (SavedGameState){0} : saved_game_state(&game);
        saved_game_close(&game);
    }
    printf("%u kills, %u after saves, %u left a write-ahead log; the world is in tick %llu\n",
           kills, with_saves, logs_left, (unsigned long long)before.tick);
    assert_true(with_saves > 0 && (logs_left > 0 || backend));
}

static void a_killed_game_loses_nothing_that_was_saved(void **state)
{
    (void)state;
    kill_often(count_of("CAIRN_KILLS", DEFAULT_KILLS));
}

static void a_game_killed_with_its_database_loses_nothing_that_was_saved(void **state)
{
    (void)state;
    kill_often(count_of("CAIRN_POSTGRES_KILLS", POSTGRES_KILLS));
}

static int begin(void **state)
{
    (void)state;
    backend = NULL;
    cn_log_set_level(CN_LOG_LEVEL_OFF);
    scratch_init(&scratch);
    strcpy(path, scratch_path(&scratch, "Home.crafty"));
    return 0;
}

static int begin_database(void **state)
{
    begin(state);
    backend = cn_store_postgres();
    if (!postgres_server_start()) {
        cannot_run("PostgreSQL server");
        return 0;
    }
    postgres_server_uri("home", path, sizeof path);
    return 0;
}

static int end(void **state)
{
    (void)state;
    saved_game_close(&game);
    scratch_fini(&scratch);
    postgres_server_stop();
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_killed_game_loses_nothing_that_was_saved, begin, end),
        cmocka_unit_test_setup_teardown(
            a_game_killed_with_its_database_loses_nothing_that_was_saved, begin_database, end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
