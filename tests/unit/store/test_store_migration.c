/* Migrations: each in one transaction, after a backup. */
#include "store_fixture.h"

enum { OLD_NOTES = STORE_TABLES, NOTES, NEW_TABLES };

static const CnStoreTableDesc tables_of_3[] = {
    [INFO] = {.name = "info", .kind = CN_STORE_BY_BYTES},
    [CHUNKS] = {.name = "chunks", .kind = CN_STORE_BY_NUMBER},
    [EDITS] = {.name = "edits", .kind = CN_STORE_LOG},
    [OLD_NOTES] = {.name = "notes", .kind = CN_STORE_BY_NUMBER, .last_version = 2},
    [NOTES] = {.name = "notes2", .kind = CN_STORE_BY_BYTES, .first_version = 3},
};
static int calls;
static char backup_path[320];
static bool fails_at_the_end;

static bool rename_home(CnStore *store, CnStoreBatch *batch, void *user, CnError *error)
{
    (void)store, (void)user;
    calls++;
    return cn_store_batch_put(batch, INFO, cn_store_text("name"), "Castle", 6, error);
}

static bool move_note(const CnStoreRow *row, void *user, CnError *error)
{
    char key[24];
    cn_format(key, sizeof key, "note %lld", (long long)row->key.number);
    return cn_store_batch_put(user, NOTES, cn_store_text(key), row->bytes, row->size, error);
}

static bool move_notes(CnStore *store, CnStoreBatch *batch, void *user, CnError *error)
{
    (void)user;
    calls++;
    if (!cn_store_each(store, OLD_NOTES, NULL, NULL, move_note, batch, error) ||
        !cn_store_migration_write(store, batch, error) || cn_store_batch_count(batch) != 0)
        return false;
    return !fails_at_the_end || cn_error_set(error, CN_ERROR_FORMAT, "the notes are wrong");
}

static const CnStoreMigration migrations[] = {{.from = 1, .run = rename_home},
                                              {.from = 2, .run = move_notes}};

static int set_up(void **state)
{
    set_up_store(state);
    calls = 0;
    fails_at_the_end = false;
    fixture.desc.tables = tables_of_3;
    fixture.desc.table_count = NEW_TABLES;
    fixture.desc.version = 1;
    open_store();
    CnStoreBatch *batch = new_batch();
    put_text(batch, "name", "Home");
    assert_ok(cn_store_batch_put(batch, OLD_NOTES, cn_store_number(7), "seven", 5, NULL));
    append_text(batch, "edit");
    save_batch(batch);
    close_store();
    fixture.desc.version = 3;
    fixture.desc.migrations = migrations;
    fixture.desc.migration_count = 2;
    if (is_over_postgres())
        fixture.desc.migration_backup_path = strcpy(backup_path, file_path("backup"));
    return 0;
}

static void an_old_version_is_migrated(void **state)
{
    (void)state;
    open_store();
    assert_int_equal(calls, 2);
    assert_string_equal(get_text("name"), "Castle");
    assert_string_equal(get_key(NOTES, cn_store_text("note 7")), "seven");
    assert_string_equal(get_key(EDITS, cn_store_number(1)), "edit");
    assert_true(cn_store_log_next(fixture.store, EDITS) == 2);
    reopen_store();
    assert_int_equal(calls, 2);
    assert_string_equal(get_text("name"), "Castle");
}

static void a_backup_is_made_first(void **state)
{
    (void)state;
    open_store();
    close_store();
    use_copy(is_over_postgres() ? "backup" : "world.cairn.v1.backup");
    fixture.desc.version = 1;
    fixture.desc.mode = CN_STORE_OPEN;
    open_store();
    assert_string_equal(get_text("name"), "Home");
    assert_string_equal(get_key(OLD_NOTES, cn_store_number(7)), "seven");
}

static void a_migration_that_fails_changes_nothing_of_its_version(void **state)
{
    (void)state;
    fails_at_the_end = true;
    assert_refused(cn_store_create(&fixture.desc, &fixture.error), CN_ERROR_FORMAT,
                   "the notes are wrong");
    fixture.desc.version = 2; /* the first one was complete */
    open_store();
    assert_string_equal(get_text("name"), "Castle");
    assert_string_equal(get_key(OLD_NOTES, cn_store_number(7)), "seven");
    close_store();
    fails_at_the_end = false;
    fixture.desc.version = 3;
    if (is_over_postgres())
        fixture.desc.migration_backup_path = strcpy(backup_path, file_path("backup2"));
    open_store();
    assert_string_equal(get_key(NOTES, cn_store_text("note 7")), "seven");
}

static void a_backup_never_replaces_another(void **state)
{
    (void)state;
    char path[320];
    cn_format(path, sizeof path, "%s.v1.backup", fixture.path);
    assert_true(cn_file_write_all(cn_native_files(), path, "mine", 4, NULL));
    open_store();
    CnFileBytes bytes;
    assert_true(cn_file_read_all(cn_native_files(), path, NULL, &bytes, NULL));
    assert_string_equal((char *)bytes.data, "mine");
    cn_file_bytes_free(&bytes);
    cn_format(path, sizeof path, "%s.v1.backup2", fixture.path);
    CnFileInfo info;
    assert_true(cn_native_files()->info(cn_native_files(), path, &info, NULL));
}

static void without_a_backup_nothing_is_migrated(void **state)
{
    (void)state;
    fixture.desc.migration_backup_path = "/nonexistent/folder/backup";
    assert_refused(cn_store_create(&fixture.desc, &fixture.error), CN_ERROR_PERMISSION,
                   "/nonexistent/folder/backup");
    assert_int_equal(calls, 0);
}

static void a_remote_store_needs_a_name_for_the_backup(void **state)
{
    (void)state;
    fixture.desc.migration_backup_path = NULL;
    assert_refused(cn_store_create(&fixture.desc, &fixture.error), CN_ERROR_UNSUPPORTED,
                   "name a file for the backup");
    assert_int_equal(calls, 0);
}

static void a_version_without_a_migration_is_refused(void **state)
{
    (void)state;
    fixture.desc.migrations = migrations + 1;
    fixture.desc.migration_count = 1;
    assert_refused(cn_store_create(&fixture.desc, &fixture.error), CN_ERROR_VERSION,
                   "version 1, which this program can no longer read");
    assert_int_equal(scratch_count(&fixture.scratch), is_over_postgres() ? 0 : 1);
}

static void an_old_version_is_not_migrated_read_only(void **state)
{
    (void)state;
    fixture.desc.mode = CN_STORE_READ_ONLY;
    assert_refused(cn_store_create(&fixture.desc, &fixture.error), CN_ERROR_VERSION,
                   "must be migrated to 3");
}

#define migration_test(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down_store)

int main(void)
{
    const struct CMUnitTest tests[] = {
        migration_test(an_old_version_is_migrated),
        migration_test(a_backup_is_made_first),
        migration_test(a_migration_that_fails_changes_nothing_of_its_version),
        migration_test(without_a_backup_nothing_is_migrated),
        migration_test(a_version_without_a_migration_is_refused),
        migration_test(an_old_version_is_not_migrated_read_only),
    };
    const struct CMUnitTest file_tests[] = {
        migration_test(a_backup_never_replaces_another),
    };
    const struct CMUnitTest remote_tests[] = {
        migration_test(a_remote_store_needs_a_name_for_the_backup),
    };
    cmocka_run_group_tests(file_tests, NULL, NULL);
    run_store_tests(tests);
    return run_store_tests_over_postgres(remote_tests);
}
