/*
 * Shared by tests of stores: a folder, a description with three tables, and shortcuts that fail the
 * test with the error's message. run_store_tests runs a program's tests over both backends.
 */
#ifndef CAIRN_TESTS_SUPPORT_STORE_STORE_FIXTURE_H
#define CAIRN_TESTS_SUPPORT_STORE_STORE_FIXTURE_H

#include "cmocka_tests.h"
#include "postgres_server.h"
#include "scratch.h"

#include <cairn/base/file.h>
#include <cairn/base/log.h>
#include <cairn/base/text.h>
#include <cairn/postgres.h>
#include <cairn/store.h>

#include <string.h>

enum { INFO, CHUNKS, EDITS, STORE_TABLES, FLUSH_MS = 20000 };

static const CnStoreTableDesc store_tables[] = {
    [INFO] = {.name = "info", .kind = CN_STORE_BY_BYTES},
    [CHUNKS] = {.name = "chunks", .kind = CN_STORE_BY_NUMBER, .compress_above_bytes = 64},
    [EDITS] = {.name = "edits", .kind = CN_STORE_LOG},
};

typedef struct StoreFixture {
    Scratch scratch;
    CnStoreDesc desc;
    CnStore *store;
    CnError error;
    CnU8Array value;
    char path[400];
    char schema[32]; /* over PostgreSQL */
} StoreFixture;

static StoreFixture fixture;
static const CnStoreBackend *fixture_backend; /* of the running tests; NULL: SQLite */

static inline bool is_over_postgres(void)
{
    return fixture_backend != NULL;
}

static inline const char *file_path(const char *name)
{
    return scratch_path(&fixture.scratch, name);
}

static inline void assert_ok(bool ok)
{
    if (!ok)
        fail_msg("%s", fixture.error.message);
}

static inline void assert_refused(bool ok, CnErrorCode code, const char *part)
{
    assert_false(ok);
    if (fixture.error.code != code || !strstr(fixture.error.message, part))
        fail_msg("\"%s\" (%s) does not say \"%s\" (%s)", fixture.error.message,
                 cn_error_code_name(fixture.error.code), part, cn_error_code_name(code));
    cn_error_clear(&fixture.error);
}

static inline void open_store(void)
{
    fixture.store = cn_store_create(&fixture.desc, &fixture.error);
    assert_ok(fixture.store);
}

static inline void close_store(void)
{
    cn_store_destroy(fixture.store);
    fixture.store = NULL;
}

static inline void reopen_store(void)
{
    close_store();
    open_store();
}

static inline CnStoreBatch *new_batch(void)
{
    CnStoreBatch *batch = cn_store_batch_create(fixture.store, &fixture.error);
    assert_ok(batch);
    return batch;
}

static inline void put_number(CnStoreBatch *batch, int64_t number, const char *text)
{
    assert_ok(cn_store_batch_put(batch, CHUNKS, cn_store_number(number), text, strlen(text),
                                 &fixture.error));
}

static inline void put_text(CnStoreBatch *batch, const char *key, const char *text)
{
    assert_ok(
        cn_store_batch_put(batch, INFO, cn_store_text(key), text, strlen(text), &fixture.error));
}

static inline void append_text(CnStoreBatch *batch, const char *text)
{
    assert_ok(cn_store_batch_append(batch, EDITS, text, strlen(text), &fixture.error));
}

static inline void flush_store(void)
{
    assert_ok(cn_store_flush(fixture.store, FLUSH_MS, &fixture.error));
}

static inline void save_batch(CnStoreBatch *batch)
{
    assert_true(cn_store_submit(fixture.store, batch));
    flush_store();
}

/* Returns the value as a text, or NULL if there is none. Valid until the next call. */
static inline const char *get_key(uint32_t table, CnStoreKey key)
{
    bool found;
    assert_ok(cn_store_get(fixture.store, table, key, &fixture.value, &found, &fixture.error));
    assert_true(cn_array_push(&fixture.value, 0));
    return found ? (const char *)fixture.value.items : NULL;
}

static inline const char *get_number(int64_t number)
{
    return get_key(CHUNKS, cn_store_number(number));
}

static inline const char *get_text(const char *key)
{
    return get_key(INFO, cn_store_text(key));
}

/* Continues with a copy, which is a file over both backends. */
static inline void use_copy(const char *name)
{
    strcpy(fixture.path, file_path(name));
    fixture.desc.backend = NULL;
}

static inline void choose_path(void)
{
    static uint32_t schemas;
    if (is_over_postgres()) {
        cn_format(fixture.schema, sizeof fixture.schema, "store_%u", ++schemas);
        postgres_server_uri(fixture.schema, fixture.path, sizeof fixture.path);
    } else {
        strcpy(fixture.path, file_path("world.cairn"));
    }
}

static inline int set_up_store(void **state)
{
    (void)state;
    fixture = (StoreFixture){0};
    scratch_init(&fixture.scratch);
    choose_path();
    cn_array_init(&fixture.value, NULL);
    fixture.desc = (CnStoreDesc){.path = fixture.path,
                                 .application = "test.world",
                                 .version = 1,
                                 .tables = store_tables,
                                 .table_count = STORE_TABLES,
                                 .retry_ms = 5,
                                 .backend = fixture_backend};
    cn_log_set_level(CN_LOG_LEVEL_OFF);
    return 0;
}

static inline int tear_down_store(void **state)
{
    (void)state;
    cn_store_destroy(fixture.store);
    cn_array_fini(&fixture.value);
    scratch_fini(&fixture.scratch);
    return 0;
}

#define store_test(name) cmocka_unit_test_setup_teardown(name, set_up_store, tear_down_store)

/* Without a server, the tests are counted as skipped. */
static inline int use_postgres(void **state)
{
    (void)state;
    fixture_backend = cn_store_postgres();
    if (!postgres_server_start())
        cannot_run("PostgreSQL server");
    return 0;
}

static inline int use_sqlite(void **state)
{
    (void)state;
    fixture_backend = NULL;
    postgres_server_stop();
    return 0;
}

/* Runs an array of tests over SQLite, then over PostgreSQL. */
#define run_store_tests(tests)                                                                     \
    (cmocka_run_group_tests_name(#tests " over SQLite", tests, NULL, NULL),                        \
     run_store_tests_over_postgres(tests))
#define run_store_tests_over_postgres(tests)                                                       \
    cmocka_run_group_tests_name(#tests " over PostgreSQL", tests, use_postgres, use_sqlite)

#endif
