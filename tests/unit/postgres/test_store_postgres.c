/* What is particular about stores in PostgreSQL. tests/unit/store covers what both backends do. */
#include "random.h"
#include "store_fixture.h"

#include <cairn/base/clock.h>

#include <signal.h>

static bool opens(void)
{
    fixture.store = cn_store_create(&fixture.desc, &fixture.error);
    return fixture.store != NULL;
}

static void save_one(const char *text)
{
    open_store();
    CnStoreBatch *batch = new_batch();
    put_number(batch, 1, text);
    save_batch(batch);
    close_store();
}

/* ---- The server ---- */

static void a_server_that_cannot_be_reached_is_named(void **state)
{
    (void)state;
    strcpy(fixture.path, "postgresql:///db?host=/nonexistent&schema=a");
    assert_refused(opens(), CN_ERROR_IO, "the server cannot be reached");
}

static void a_missing_database_is_named(void **state)
{
    (void)state;
    cn_format(fixture.path, sizeof fixture.path, "postgresql://cairn@/no_such_db?host=%s&schema=a",
              postgres_server_folder());
    assert_refused(opens(), CN_ERROR_IO, "no_such_db");
}

static void a_server_that_may_lose_commits_is_refused(void **state)
{
    (void)state;
    postgres_server_sql("public", "ALTER SYSTEM SET full_page_writes=off");
    postgres_server_sql("public", "SELECT pg_reload_conf()");
    for (int i = 0; i < 500 && postgres_server_number("public", "SELECT (current_setting("
                                                                "'full_page_writes')='on')::int");
         i++)
        cn_clock_sleep_ns(10000000);
    bool is_open = opens();
    CnStoreDesc cache = fixture.desc;
    cache.durability = CN_STORE_NOT_DURABLE;
    CnStore *store = is_open ? NULL : cn_store_create(&cache, NULL);
    postgres_server_sql("public", "ALTER SYSTEM RESET full_page_writes");
    postgres_server_sql("public", "SELECT pg_reload_conf()");
    assert_refused(is_open, CN_ERROR_UNSUPPORTED, "set fsync and full_page_writes to on");
    assert_non_null(store);
    cn_store_destroy(store);
}

/* A commit that had not waited would begin behind what is on the disk. */
static void commits_wait_for_the_disk(void **state)
{
    (void)state;
    postgres_server_sql("public", "ALTER ROLE cairn SET synchronous_commit=off");
    open_store();
    postgres_server_sql("public", "ALTER ROLE cairn RESET synchronous_commit");
    for (int64_t i = 0; i < 2; i++) {
        CnStoreBatch *batch = new_batch();
        put_number(batch, i, "x");
        save_batch(batch);
        postgres_server_kill(SIGKILL); /* what is not written is lost */
        postgres_server_run();
        assert_string_equal(get_number(i), "x");
    }
}

/* ---- Schemas ---- */

static void stores_of_a_database_are_independent(void **state)
{
    (void)state;
    save_one("first");
    char first[sizeof fixture.path];
    strcpy(first, fixture.path);
    choose_path();
    open_store();
    assert_null(get_number(1));
    close_store();
    strcpy(fixture.path, first);
    open_store();
    assert_string_equal(get_number(1), "first");
}

static void a_prepared_schema_becomes_a_store(void **state)
{
    (void)state;
    char sql[80];
    cn_format(sql, sizeof sql, "CREATE SCHEMA %s", fixture.schema);
    postgres_server_sql("public", sql);
    fixture.desc.mode = CN_STORE_OPEN;
    assert_refused(opens(), CN_ERROR_FORMAT, "it is empty");
    fixture.desc.mode = CN_STORE_CREATE;
    open_store();
}

static void code_in_the_schema_does_not_run(void **state)
{
    (void)state;
    save_one("there");
    /* Functions and operators of the schema would come before those of the server. */
    postgres_server_sql(fixture.schema,
                        "CREATE FUNCTION octet_length(bytea)RETURNS int LANGUAGE plpgsql AS "
                        "'BEGIN RAISE EXCEPTION ''ran'';END'");
    postgres_server_sql("public", "ALTER ROLE cairn SET search_path=public");
    open_store();
    postgres_server_sql("public", "ALTER ROLE cairn RESET search_path");
    assert_string_equal(get_number(1), "there");
}

static void an_unlogged_table_is_refused(void **state)
{
    (void)state;
    save_one("x");
    postgres_server_sql(fixture.schema, "ALTER TABLE n_chunks SET UNLOGGED");
    assert_refused(opens(), CN_ERROR_FORMAT, "did not write");
}

static void constraints_and_defaults_are_refused(void **state)
{
    (void)state;
    save_one("x");
    postgres_server_sql(fixture.schema, "ALTER TABLE n_chunks ADD CHECK(k<>5)");
    assert_refused(opens(), CN_ERROR_FORMAT, "did not write");
    postgres_server_sql(fixture.schema, "ALTER TABLE n_chunks DROP CONSTRAINT n_chunks_k_check,"
                                        "ALTER v SET DEFAULT random()::text::bytea");
    assert_refused(opens(), CN_ERROR_FORMAT, "did not write");
}

static void a_table_without_its_primary_key_is_refused(void **state)
{
    (void)state;
    save_one("x");
    postgres_server_sql(fixture.schema, "ALTER TABLE n_chunks DROP CONSTRAINT n_chunks_pkey");
    assert_refused(opens(), CN_ERROR_FORMAT, "did not write");
}

static void row_security_is_refused(void **state)
{
    (void)state;
    save_one("x");
    postgres_server_sql(fixture.schema, "ALTER TABLE n_chunks ENABLE ROW LEVEL SECURITY");
    assert_refused(opens(), CN_ERROR_FORMAT, "did not write");
}

/* ---- Values ---- */

static bool count_row(const CnStoreRow *row, void *user, CnError *error)
{
    (void)error;
    assert_false(row->is_damaged);
    assert_true(row->key.number == (int64_t) * (uint64_t *)user);
    ++*(uint64_t *)user;
    return true;
}

static void large_rows_are_visited_some_at_a_time(void **state)
{
    (void)state;
    enum { ROWS = 6, BYTES = 700000 };
    uint64_t seen = 0;
    uint8_t *noise = malloc(BYTES);
    assert_non_null(noise);
    open_store();
    for (uint32_t i = 0; i < ROWS; i++) {
        TestRandom random = {i + 1};
        for (uint32_t k = 0; k < BYTES; k++)
            noise[k] = (uint8_t)test_random(&random);
        CnStoreBatch *batch = new_batch();
        assert_ok(cn_store_batch_put(batch, CHUNKS, cn_store_number(i), noise, BYTES, NULL));
        save_batch(batch);
    }
    free(noise);
    assert_ok(cn_store_each(fixture.store, CHUNKS, NULL, NULL, count_row, &seen, &fixture.error));
    assert_true(seen == ROWS);
}

static void damage_of_an_index_is_reported(void **state)
{
    (void)state;
    open_store();
    CnStoreBatch *batch = new_batch();
    for (int64_t i = 0; i < 2000; i++)
        put_number(batch, i, "x");
    save_batch(batch);
    close_store();
    /* Rows that the index does not know. */
    postgres_server_sql(fixture.schema,
                        "UPDATE pg_index SET indisready=false,indislive=false WHERE indexrelid="
                        "'n_chunks_pkey'::regclass;INSERT INTO n_chunks VALUES(5000,'x');"
                        "UPDATE pg_index SET indisready=true,indislive=true WHERE indexrelid="
                        "'n_chunks_pkey'::regclass");
    CnStoreReport report;
    assert_ok(cn_store_check(&fixture.desc, NULL, &report, &fixture.error));
    assert_true(report.damage_count >= 1);
    assert_non_null(strstr(report.items[0].message, "the index does not fit the rows"));
    cn_store_report_free(&report);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        store_test(a_server_that_cannot_be_reached_is_named),
        store_test(a_missing_database_is_named),
        store_test(a_server_that_may_lose_commits_is_refused),
        store_test(commits_wait_for_the_disk),
        store_test(stores_of_a_database_are_independent),
        store_test(a_prepared_schema_becomes_a_store),
        store_test(code_in_the_schema_does_not_run),
        store_test(an_unlogged_table_is_refused),
        store_test(constraints_and_defaults_are_refused),
        store_test(a_table_without_its_primary_key_is_refused),
        store_test(row_security_is_refused),
        store_test(large_rows_are_visited_some_at_a_time),
        store_test(damage_of_an_index_is_reported),
    };
    return run_store_tests_over_postgres(tests);
}
