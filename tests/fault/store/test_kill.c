/* Processes that are killed while they save, on the real file system and with a real server.
 * CAIRN_KILLS=200 kills more, CAIRN_POSTGRES_KILLS=50 more servers. */
#include "store_fixture.h"
#include "store_model.h"

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

enum { KILLS = 20, POSTGRES_KILLS = 4 };

static void play_until_killed(const char *path, int durable_ticks, uint64_t seed, StoreModel model)
{
    CnStoreDesc desc = model_desc(path);
    desc.backend = fixture_backend;
    CnStore *store = cn_store_create(&desc, NULL);
    TestRandom random = {seed};
    if (!store)
        _exit(1);
    for (;;) {
        CnStoreBatch *batch = cn_store_batch_create(store, NULL);
        if (!batch || !model_tick(&model, &random, batch) || !cn_store_submit(store, batch) ||
            !cn_store_flush(store, FLUSH_MS, NULL))
            _exit(2);
        if (write(durable_ticks, &model.tick, 8) != 8)
            _exit(3);
    }
}

/* Kills a process that saves, with `server_signal` also the server before. Returns the last tick
 * that it reported as durable. */
static uint64_t run_and_kill(uint64_t seed, const StoreModel *model, uint32_t after_us,
                             int server_signal)
{
    int ends[2];
    assert_int_equal(pipe(ends), 0);
    pid_t child = fork();
    assert_true(child >= 0);
    if (!child) {
        close(ends[0]);
        play_until_killed(fixture.path, ends[1], seed, *model);
    }
    close(ends[1]);
    uint64_t tick = 0, last = 0;
    assert_int_equal(read(ends[0], &last, 8), 8); /* it has saved something */
    usleep(after_us);
    if (server_signal)
        postgres_server_kill(server_signal);
    kill(child, SIGKILL);
    while (read(ends[0], &tick, 8) == 8)
        last = tick;
    close(ends[0]);
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
    return last;
}

/* The model after `ticks` more ticks of a process with this seed. */
static StoreModel replay(StoreModel model, uint64_t seed, uint64_t until, CnStore *any)
{
    TestRandom random = {seed};
    while (model.tick < until) {
        CnStoreBatch *batch = cn_store_batch_create(any, NULL);
        assert_true(batch && model_tick(&model, &random, batch));
        cn_store_batch_destroy(batch);
    }
    return model;
}

static uint32_t count_of(const char *variable, uint32_t otherwise)
{
    const char *number = getenv(variable);
    return number ? (uint32_t)strtoul(number, NULL, 10) : otherwise;
}

static void kill_often(uint32_t kills, bool kills_server)
{
    StoreModel model = model_start();
    TestRandom random = {9};
    CnStoreDesc desc = model_desc(fixture.path);
    desc.backend = fixture_backend;
    for (uint64_t seed = 1; seed <= kills; seed++) {
        int signal = seed % 2 ? SIGKILL : SIGQUIT;
        uint64_t durable = run_and_kill(seed, &model, test_random_below(&random, 20000),
                                        kills_server ? signal : 0);
        if (kills_server)
            postgres_server_run();
        fixture.store = cn_store_create(&desc, &fixture.error);
        assert_ok(fixture.store); /* the lock of the killed process is gone */
        StoreHash found;
        assert_ok(store_hash(fixture.store, &found, &fixture.error));
        assert_true(!found.damaged && found.tick >= durable && found.tick <= durable + 1);
        model = replay(model, seed, found.tick, fixture.store);
        assert_true(found.hash == model_hash(&model));
        close_store();
    }
}

static void a_killed_process_loses_nothing_durable(void **state)
{
    (void)state;
    kill_often(count_of("CAIRN_KILLS", KILLS), false);
}

static void a_killed_server_and_process_lose_nothing_durable(void **state)
{
    (void)state;
    kill_often(count_of("CAIRN_POSTGRES_KILLS", POSTGRES_KILLS), true);
}

static void a_store_of_another_process_is_refused(void **state)
{
    (void)state;
    int ends[2];
    assert_int_equal(pipe(ends), 0);
    pid_t child = fork();
    assert_true(child >= 0);
    if (!child)
        play_until_killed(fixture.path, ends[1], 1, model_start());
    uint64_t tick;
    assert_int_equal(read(ends[0], &tick, 8), 8);
    CnStoreDesc desc = model_desc(fixture.path);
    desc.backend = fixture_backend;
    CnStore *store = cn_store_create(&desc, &fixture.error);
    kill(child, SIGKILL);
    waitpid(child, NULL, 0);
    close(ends[0]);
    close(ends[1]);
    assert_refused(store, CN_ERROR_PERMISSION, "it is open in another program");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        store_test(a_killed_process_loses_nothing_durable),
        store_test(a_store_of_another_process_is_refused),
    };
    const struct CMUnitTest server_tests[] = {
        store_test(a_killed_server_and_process_lose_nothing_durable),
    };
    run_store_tests(tests);
    return run_store_tests_over_postgres(server_tests);
}
