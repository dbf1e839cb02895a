/* Opening: what is refused, with which message, and what stays unchanged. */
#include "store_fixture.h"

#include "store/sqlite_connection.h"

#include <sqlite3.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static void write_file(const char *path, const char *text)
{
    assert_true(cn_file_write_all(cn_native_files(), path, text, strlen(text), NULL));
}

static void save_one(const char *text)
{
    open_store();
    CnStoreBatch *batch = new_batch();
    put_number(batch, 1, text);
    save_batch(batch);
    close_store();
}

static void run_sql(const char *sql, const char *postgres_sql)
{
    if (is_over_postgres()) {
        postgres_server_sql(fixture.schema, postgres_sql);
        return;
    }
    sqlite3 *db;
    assert_int_equal(sqlite3_open(fixture.path, &db), SQLITE_OK);
    char *message = NULL;
    if (sqlite3_exec(db, sql, NULL, NULL, &message) != SQLITE_OK)
        fail_msg("%s", message);
    sqlite3_close(db);
}

static bool opens(void)
{
    fixture.store = cn_store_create(&fixture.desc, &fixture.error);
    return fixture.store != NULL;
}

/* ---- Presence ---- */

static void a_missing_store_is_not_found(void **state)
{
    (void)state;
    fixture.desc.mode = CN_STORE_OPEN;
    assert_refused(opens(), CN_ERROR_NOT_FOUND,
                   is_over_postgres() ? "there is no such schema" : "there is no such file");
    fixture.desc.mode = CN_STORE_READ_ONLY;
    assert_refused(opens(), CN_ERROR_NOT_FOUND,
                   is_over_postgres() ? "there is no such schema" : "there is no such file");
    assert_int_equal(scratch_count(&fixture.scratch), 0);
}

static void an_existing_store_is_not_created_again(void **state)
{
    (void)state;
    save_one("kept");
    fixture.desc.mode = CN_STORE_CREATE;
    assert_refused(opens(), CN_ERROR_EXISTS, "already exists");
    fixture.desc.mode = CN_STORE_OPEN;
    open_store();
    assert_string_equal(get_number(1), "kept");
}

static void a_missing_folder_is_named(void **state)
{
    (void)state;
    fixture.desc.path = file_path("none/world.cairn");
    assert_refused(opens(), CN_ERROR_PERMISSION, "check that its folder exists");
}

static void a_closed_store_is_one_file(void **state)
{
    (void)state;
    save_one("x");
    assert_int_equal(scratch_count(&fixture.scratch), 1);
}

/* ---- Locking ---- */

static void a_store_opens_only_once_in_a_process(void **state)
{
    (void)state;
    open_store();
    CnStore *second = cn_store_create(&fixture.desc, &fixture.error);
    assert_refused(second, CN_ERROR_PERMISSION, "open in another program, or twice in this one");
    CnStoreBatch *batch = new_batch();
    put_number(batch, 1, "works");
    save_batch(batch);
    reopen_store();
    assert_string_equal(get_number(1), "works");
}

static void an_open_store_is_refused_read_only(void **state)
{
    (void)state;
    save_one("x");
    open_store();
    CnStoreDesc desc = fixture.desc;
    desc.mode = CN_STORE_READ_ONLY;
    assert_refused(cn_store_create(&desc, &fixture.error), CN_ERROR_PERMISSION,
                   is_over_postgres() ? "open in another program" : "open elsewhere");
}

static void other_programs_cannot_write_to_an_open_store(void **state)
{
    (void)state;
    save_one("x");
    open_store();
    sqlite3 *db;
    assert_int_equal(sqlite3_open(fixture.path, &db), SQLITE_OK);
    assert_int_equal(sqlite3_exec(db, "DELETE FROM n_chunks", NULL, NULL, NULL), SQLITE_BUSY);
    sqlite3_close(db);
    assert_string_equal(get_number(1), "x");
}

/* ---- Read-only ---- */

static void a_read_only_store_reads_and_writes_nothing(void **state)
{
    (void)state;
    save_one("there");
    assert_int_equal(chmod(fixture.path, 0444), 0);
    assert_int_equal(chmod(fixture.scratch.folder, 0555), 0);
    fixture.desc.mode = CN_STORE_READ_ONLY;
    open_store();
    assert_string_equal(get_number(1), "there");
    assert_int_equal(scratch_count(&fixture.scratch), 1);
    close_store();
    chmod(fixture.scratch.folder, 0755);
}

static void a_read_only_store_reads(void **state)
{
    (void)state;
    save_one("there");
    fixture.desc.mode = CN_STORE_READ_ONLY;
    open_store();
    assert_string_equal(get_number(1), "there");
}

/* Opens the store in a process that may not write to its folder, also if this one is root's. */
static bool is_refused_without_rights(void)
{
    pid_t child = fork();
    assert_true(child >= 0);
    if (!child) {
        if (geteuid() == 0 && setuid(65534))
            _exit(2);
        CnStore *store = cn_store_create(&fixture.desc, &fixture.error);
        _exit(!store && fixture.error.code == CN_ERROR_PERMISSION &&
                      strstr(fixture.error.message, "folder")
                  ? 0
                  : 1);
    }
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

static void a_write_protected_folder_is_named(void **state)
{
    (void)state;
    save_one("there");
    assert_int_equal(chmod(fixture.path, 0444), 0);
    assert_int_equal(chmod(fixture.scratch.folder, 0555), 0);
    bool is_file_refused = is_refused_without_rights();
    assert_int_equal(chmod(fixture.path, 0666), 0);
    bool is_folder_refused = is_refused_without_rights();
    chmod(fixture.scratch.folder, 0755);
    assert_true(is_file_refused);
    assert_true(is_folder_refused);
    open_store(); /* nothing has changed */
    assert_string_equal(get_number(1), "there");
}

/* As network file systems without a lock service. */
static void a_file_system_without_locks_is_named(void **state)
{
    (void)state;
    assert_refused(
        cni_store_sqlite_error(NULL, fixture.path, "open", SQLITE_IOERR_LOCK, &fixture.error),
        CN_ERROR_UNSUPPORTED, "the file system cannot lock files");
}

/* The write-ahead log belongs to one of the names. */
static void a_store_with_two_names_is_refused(void **state)
{
    (void)state;
    save_one("there");
    assert_int_equal(link(fixture.path, file_path("other")), 0);
    assert_refused(opens(), CN_ERROR_PERMISSION, "several names (hard links)");
    assert_int_equal(unlink(file_path("other")), 0);
    open_store();
    assert_string_equal(get_number(1), "there");
}

static void a_store_that_was_moved_is_not_written(void **state)
{
    (void)state;
    char away[320];
    strcpy(away, file_path("away"));
    open_store();
    assert_int_equal(rename(fixture.path, away), 0);
    CnStoreBatch *batch = new_batch();
    put_number(batch, 1, "there");
    assert_true(cn_store_submit(fixture.store, batch));
    assert_refused(cn_store_flush(fixture.store, 50, &fixture.error), CN_ERROR_IO,
                   "it was moved or deleted while it was open: put it back");
    assert_int_equal(rename(away, fixture.path), 0);
    flush_store();
    reopen_store();
    assert_string_equal(get_number(1), "there");
}

/* ---- Other files ---- */

static void a_text_is_not_a_store(void **state)
{
    (void)state;
    char text[2000];
    memset(text, 'x', sizeof text);
    text[sizeof text - 1] = '\0';
    write_file(fixture.path, text);
    assert_refused(opens(), CN_ERROR_FORMAT, "not a saved file of this program");
    CnFileBytes bytes;
    assert_true(cn_file_read_all(cn_native_files(), fixture.path, NULL, &bytes, NULL));
    assert_string_equal((char *)bytes.data, text);
    cn_file_bytes_free(&bytes);
}

static void another_database_is_left_alone(void **state)
{
    (void)state;
    const char *fill = "CREATE TABLE bookmarks(name TEXT);INSERT INTO bookmarks VALUES('mine')";
    if (is_over_postgres()) {
        char sql[80];
        cn_format(sql, sizeof sql, "CREATE SCHEMA %s", fixture.schema);
        postgres_server_sql("public", sql);
    }
    run_sql(fill, fill);
    assert_refused(opens(), CN_ERROR_FORMAT,
                   is_over_postgres() ? "its schema contains something else"
                                      : "but not a saved file of this program");
    run_sql("UPDATE bookmarks SET name='still writable'",
            "UPDATE bookmarks SET name='still writable'");
}

static void an_empty_file_becomes_a_store(void **state)
{
    (void)state;
    write_file(fixture.path, "");
    fixture.desc.mode = CN_STORE_OPEN;
    assert_refused(opens(), CN_ERROR_NOT_FOUND,
                   is_over_postgres() ? "there is no such schema" : "there is no such file");
    fixture.desc.mode = CN_STORE_CREATE;
    open_store();
}

static void a_store_of_another_application_is_refused(void **state)
{
    (void)state;
    save_one("x");
    fixture.desc.application = "other.game";
    assert_refused(opens(), CN_ERROR_MISMATCH, "a 'test.world', not a 'other.game'");
}

static void a_newer_version_is_refused(void **state)
{
    (void)state;
    fixture.desc.version = 3;
    save_one("x");
    fixture.desc.version = 2;
    assert_refused(opens(), CN_ERROR_VERSION, "version 3, and this program reads up to 2");
}

static void a_newer_format_is_refused(void **state)
{
    (void)state;
    save_one("x");
    run_sql("PRAGMA user_version=2", "UPDATE cairn SET format=2");
    assert_refused(opens(), CN_ERROR_VERSION, "format is newer");
}

/* ---- Crafted files ---- */

static void triggers_are_refused(void **state)
{
    (void)state;
    save_one("x");
    run_sql("CREATE TRIGGER t AFTER INSERT ON n_chunks BEGIN DELETE FROM n_chunks; END",
            "CREATE FUNCTION f()RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NULL;END';"
            "CREATE TRIGGER t BEFORE INSERT ON n_chunks FOR EACH ROW EXECUTE FUNCTION f()");
    assert_refused(opens(), CN_ERROR_FORMAT, "tables or code that this program did not write");
}

static void views_and_indexes_are_refused(void **state)
{
    (void)state;
    save_one("x");
    run_sql("CREATE VIEW v AS SELECT 1", "CREATE VIEW v AS SELECT 1");
    assert_refused(opens(), CN_ERROR_FORMAT, "did not write");
    run_sql("DROP VIEW v; CREATE INDEX i ON n_chunks(v)",
            "DROP VIEW v;CREATE INDEX i ON n_chunks(sha256(v))");
    assert_refused(opens(), CN_ERROR_FORMAT, "did not write");
}

static void a_table_of_another_shape_is_refused(void **state)
{
    (void)state;
    save_one("x");
    run_sql("DROP TABLE n_chunks; CREATE TABLE n_chunks(k INTEGER PRIMARY KEY, v BLOB, w TEXT)",
            "DROP TABLE n_chunks;CREATE TABLE n_chunks(k bigint PRIMARY KEY,v bytea)");
    assert_refused(opens(), CN_ERROR_FORMAT, "did not write");
}

static void a_missing_table_is_damage(void **state)
{
    (void)state;
    save_one("x");
    run_sql("DROP TABLE n_chunks", "DROP TABLE n_chunks");
    assert_refused(opens(), CN_ERROR_FORMAT, "version 1 has the table 'chunks'");
}

static void an_unknown_table_is_refused(void **state)
{
    (void)state;
    save_one("x");
    run_sql("CREATE TABLE n_secrets(k INTEGER PRIMARY KEY,v BLOB NOT NULL)STRICT",
            "CREATE TABLE n_secrets(k bigint PRIMARY KEY,v bytea NOT NULL)");
    assert_refused(opens(), CN_ERROR_MISMATCH, "the table 'secrets', which this program");
}

static void a_changed_value_is_noticed(void **state)
{
    (void)state;
    save_one("true");
    run_sql("UPDATE n_chunks SET v=cast(replace(cast(v AS TEXT),'true','fake')AS BLOB)",
            "UPDATE n_chunks SET v=decode(replace(encode(v,'hex'),encode('true','hex'),"
            "encode('fake','hex')),'hex')");
    open_store();
    bool found;
    CnStoreKey key = cn_store_number(1);
    assert_refused(cn_store_get(fixture.store, CHUNKS, key, &fixture.value, &found, &fixture.error),
                   CN_ERROR_FORMAT, "row 1 of table chunks is damaged: its checksum is wrong");
}

static void a_moved_row_is_noticed(void **state)
{
    (void)state;
    save_one("mine");
    run_sql("UPDATE n_chunks SET k=2", "UPDATE n_chunks SET k=2");
    open_store();
    bool found;
    assert_refused(cn_store_get(fixture.store, CHUNKS, cn_store_number(2), &fixture.value, &found,
                                &fixture.error),
                   CN_ERROR_FORMAT, "row 2 of table chunks is damaged");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        store_test(a_missing_store_is_not_found),
        store_test(an_existing_store_is_not_created_again),
        store_test(a_store_opens_only_once_in_a_process),
        store_test(an_open_store_is_refused_read_only),
        store_test(another_database_is_left_alone),
        store_test(a_store_of_another_application_is_refused),
        store_test(a_newer_version_is_refused),
        store_test(a_newer_format_is_refused),
        store_test(triggers_are_refused),
        store_test(views_and_indexes_are_refused),
        store_test(a_table_of_another_shape_is_refused),
        store_test(a_missing_table_is_damage),
        store_test(an_unknown_table_is_refused),
        store_test(a_changed_value_is_noticed),
        store_test(a_moved_row_is_noticed),
        store_test(a_read_only_store_reads),
    };
    const struct CMUnitTest file_tests[] = {
        store_test(a_missing_folder_is_named),
        store_test(a_closed_store_is_one_file),
        store_test(other_programs_cannot_write_to_an_open_store),
        store_test(a_write_protected_folder_is_named),
        store_test(a_read_only_store_reads_and_writes_nothing),
        store_test(a_file_system_without_locks_is_named),
        store_test(a_store_with_two_names_is_refused),
        store_test(a_store_that_was_moved_is_not_written),
        store_test(a_text_is_not_a_store),
        store_test(an_empty_file_becomes_a_store),
    };
    cmocka_run_group_tests(file_tests, NULL, NULL);
    return run_store_tests(tests);
}
