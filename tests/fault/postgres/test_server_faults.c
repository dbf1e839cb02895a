/* A PostgreSQL server that is killed, stopped, full or changed while a store is open.
 * CAIRN_POSTGRES_KILLS=50 kills it more often. */
#include "store_fixture.h"
#include "store_model.h"

#include <cairn/base/clock.h>

#include <pthread.h>
#include <signal.h>

enum { KILLS = 4, PLAY_US = 60000 };

/* ---- Kills ---- */

/* Kills the server at a moment and starts it again, beside the thread that plays. */
typedef struct Killer {
    pthread_t thread;
    uint32_t after_us;
    int signal;
} Killer;

static void *kill_server(void *data)
{
    const Killer *killer = data;
    cn_clock_sleep_ns((uint64_t)killer->after_us * 1000u);
    postgres_server_kill(killer->signal);
    postgres_server_run();
    return NULL;
}

static void play(StoreModel *model, TestRandom *random, uint64_t until_ns)
{
    while (cn_clock_ns() < until_ns) {
        CnStoreBatch *batch = new_batch();
        assert_true(model_tick(model, random, batch));
        while (!cn_store_submit(fixture.store, batch))
            cn_clock_sleep_ns(1000000);
        if (test_random_chance(random, 50))
            cn_clock_sleep_ns(test_random_below(random, 3000000));
    }
}

static void assert_is_model(const StoreModel *model)
{
    StoreHash found;
    assert_ok(store_hash(fixture.store, &found, &fixture.error));
    assert_true(!found.damaged && found.tick == model->tick);
    assert_true(found.hash == model_hash(model));
    assert_true(cn_store_log_next(fixture.store, MODEL_EDITS) == model->log_next);
}

/* The store forgets what was acknowledged, so an acknowledged batch that is lost would be missing
 * at the end. */
static void a_killed_server_loses_nothing_and_applies_nothing_twice(void **state)
{
    (void)state;
    const char *number = getenv("CAIRN_POSTGRES_KILLS");
    uint32_t kills = number ? (uint32_t)strtoul(number, NULL, 10) : KILLS;
    StoreModel model = model_start();
    TestRandom random = {11};
    CnStoreDesc desc = model_desc(fixture.path);
    desc.backend = fixture_backend;
    desc.queue_capacity = 4096;
    fixture.store = cn_store_create(&desc, &fixture.error);
    assert_ok(fixture.store);
    for (uint32_t i = 0; i < kills; i++) {
        Killer killer = {.after_us = test_random_below(&random, PLAY_US),
                         .signal = i % 2 ? SIGQUIT : SIGKILL};
        assert_int_equal(pthread_create(&killer.thread, NULL, kill_server, &killer), 0);
        play(&model, &random, cn_clock_ns() + (uint64_t)PLAY_US * 1000u);
        pthread_join(killer.thread, NULL);
        flush_store();
        assert_is_model(&model);
    }
    close_store();
    fixture.store = cn_store_create(&desc, &fixture.error);
    assert_ok(fixture.store);
    assert_is_model(&model);
}

/* ---- Outages ---- */

static void submit_text(int64_t number, const char *text)
{
    CnStoreBatch *batch = new_batch();
    put_number(batch, number, text);
    assert_true(cn_store_submit(fixture.store, batch));
}

static void a_server_that_is_away_is_waited_for(void **state)
{
    (void)state;
    open_store();
    postgres_server_kill(SIGINT);
    submit_text(1, "kept");
    assert_refused(cn_store_flush(fixture.store, 200, &fixture.error), CN_ERROR_IO,
                   "batches are not saved yet: cannot");
    CnStoreStatus status;
    cn_store_status(fixture.store, &status);
    assert_int_equal(status.state, CN_STORE_RETRYING);
    postgres_server_run();
    flush_store();
    assert_string_equal(get_number(1), "kept");
}

static void reading_goes_on_after_a_restart(void **state)
{
    (void)state;
    open_store();
    submit_text(1, "there");
    flush_store();
    postgres_server_kill(SIGINT);
    postgres_server_run();
    assert_string_equal(get_number(1), "there");
}

static void *run_later(void *data)
{
    (void)data;
    cn_clock_sleep_ns(300000000);
    postgres_server_run();
    return NULL;
}

static void reading_waits_for_a_server_that_restarts(void **state)
{
    (void)state;
    open_store();
    submit_text(1, "there");
    flush_store();
    postgres_server_kill(SIGINT);
    pthread_t thread;
    assert_int_equal(pthread_create(&thread, NULL, run_later, NULL), 0);
    bool found = false;
    bool done = cn_store_get(fixture.store, CHUNKS, cn_store_number(1), &fixture.value, &found,
                             &fixture.error);
    pthread_join(thread, NULL);
    assert_ok(done);
    assert_true(found);
}

static void a_session_that_is_ended_is_replaced(void **state)
{
    (void)state;
    open_store();
    for (int64_t i = 0; i < 3; i++) {
        postgres_server_sql("public", "SELECT pg_terminate_backend(pid)FROM pg_stat_activity "
                                      "WHERE application_name='cairn'");
        submit_text(i, "x");
        flush_store();
        assert_string_equal(get_number(i), "x");
    }
}

static void closing_without_a_server_reports_what_is_lost(void **state)
{
    (void)state;
    open_store();
    postgres_server_kill(SIGINT);
    submit_text(1, "lost");
    assert_refused(cn_store_flush(fixture.store, 50, &fixture.error), CN_ERROR_IO, "1 batches");
    close_store();
    postgres_server_run();
    open_store();
    assert_null(get_number(1));
}

/* ---- Other programs ---- */

static void a_store_that_another_program_wrote_is_left_alone(void **state)
{
    (void)state;
    open_store();
    submit_text(1, "ours");
    flush_store();
    postgres_server_sql(fixture.schema, "UPDATE cairn SET commits=commits+1");
    submit_text(1, "not written");
    assert_refused(cn_store_flush(fixture.store, 200, &fixture.error), CN_ERROR_MISMATCH,
                   "another program wrote it");
    CnStoreStatus status;
    cn_store_status(fixture.store, &status);
    assert_int_equal(status.state, CN_STORE_FAILED);
    reopen_store();
    assert_string_equal(get_number(1), "ours");
}

static void a_store_that_changed_during_an_outage_is_left_alone(void **state)
{
    (void)state;
    open_store();
    submit_text(1, "ours");
    flush_store();
    postgres_server_kill(SIGINT);
    postgres_server_run();
    postgres_server_sql(fixture.schema, "UPDATE cairn SET opening=opening+1,commits=7");
    submit_text(1, "not written");
    assert_refused(cn_store_flush(fixture.store, 1000, &fixture.error), CN_ERROR_MISMATCH,
                   "while the connection was lost");
}

/* ---- The server refuses ---- */

/* Makes the server fail writes to a table with an error code. */
static void refuse_writes(const char *code)
{
    char sql[400];
    cn_format(sql, sizeof sql,
              "CREATE FUNCTION refuse()RETURNS trigger LANGUAGE plpgsql AS "
              "$$BEGIN RAISE EXCEPTION 'as ordered' USING ERRCODE='%s';END$$;"
              "CREATE TRIGGER refuse BEFORE INSERT ON n_chunks FOR EACH ROW "
              "EXECUTE FUNCTION refuse()",
              code);
    postgres_server_sql(fixture.schema, sql);
}

static void expect_refusal(const char *sqlstate, CnErrorCode code, const char *part,
                           CnStoreState expected)
{
    open_store();
    refuse_writes(sqlstate);
    submit_text(1, "kept");
    assert_refused(cn_store_flush(fixture.store, 100, &fixture.error), code, part);
    CnStoreStatus status;
    cn_store_status(fixture.store, &status);
    assert_int_equal(status.state, expected);
    postgres_server_sql(fixture.schema, "DROP FUNCTION refuse CASCADE");
    flush_store();
    assert_string_equal(get_number(1), "kept");
}

static void a_full_disk_is_waited_for(void **state)
{
    (void)state;
    expect_refusal("53100", CN_ERROR_LIMIT, "the disk of the server is full", CN_STORE_RETRYING);
}

static void a_statement_that_took_too_long_is_repeated(void **state)
{
    (void)state;
    expect_refusal("57014", CN_ERROR_IO, "the server took too long", CN_STORE_RETRYING);
}

static void a_missing_right_is_waited_for(void **state)
{
    (void)state;
    expect_refusal("42501", CN_ERROR_PERMISSION, "the user lacks a right", CN_STORE_RETRYING);
}

static void damage_is_not_repeated_by_itself(void **state)
{
    (void)state;
    expect_refusal("XX001", CN_ERROR_FORMAT, "it is damaged", CN_STORE_FAILED);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        store_test(a_killed_server_loses_nothing_and_applies_nothing_twice),
        store_test(a_server_that_is_away_is_waited_for),
        store_test(reading_goes_on_after_a_restart),
        store_test(reading_waits_for_a_server_that_restarts),
        store_test(a_session_that_is_ended_is_replaced),
        store_test(closing_without_a_server_reports_what_is_lost),
        store_test(a_store_that_another_program_wrote_is_left_alone),
        store_test(a_store_that_changed_during_an_outage_is_left_alone),
        store_test(a_full_disk_is_waited_for),
        store_test(a_statement_that_took_too_long_is_repeated),
        store_test(a_missing_right_is_waited_for),
        store_test(damage_is_not_repeated_by_itself),
    };
    return run_store_tests_over_postgres(tests);
}
