/* test-labels: threads */
/* Backup while the store is in use, check, salvage and compaction. */
#include "store_fixture.h"
#include "store_model.h"

#include <sqlite3.h>
#include <stdio.h>

enum { ROWS = 3000 };

static void fill(int64_t rows)
{
    char text[200];
    memset(text, 'v', sizeof text);
    CnStoreBatch *batch = new_batch();
    for (int64_t i = 0; i < rows; i++) {
        uint64_t noise[20];
        for (uint32_t k = 0; k < CN_COUNT_OF(noise); k++)
            noise[k] = model_mix((uint64_t)i, k);
        assert_ok(cn_store_batch_put(batch, CHUNKS, cn_store_number(i), noise, sizeof noise, NULL));
        append_text(batch, "an edit");
    }
    put_text(batch, "name", "Home");
    save_batch(batch);
}

static void run_sql(const char *sql, const char *postgres_sql)
{
    if (is_over_postgres()) {
        postgres_server_sql(fixture.schema, postgres_sql);
        return;
    }
    sqlite3 *db;
    assert_int_equal(sqlite3_open(fixture.path, &db), SQLITE_OK);
    assert_int_equal(sqlite3_exec(db, sql, NULL, NULL, NULL), SQLITE_OK);
    sqlite3_close(db);
}

static void change_byte(long at, uint8_t bits)
{
    FILE *file = fopen(fixture.path, "r+b");
    assert_non_null(file);
    fseek(file, at, SEEK_SET);
    int byte = fgetc(file);
    fseek(file, at, SEEK_SET);
    fputc(byte ^ bits, file);
    fclose(file);
}

/* ---- Backup ---- */

typedef struct Progress {
    uint64_t calls, cancel_at;
    bool writes;
} Progress;

static bool note_progress(uint64_t done, uint64_t total, void *user)
{
    Progress *progress = user;
    assert_true(!total || done <= total);
    if (progress->writes) {
        CnStoreBatch *batch = new_batch();
        put_text(batch, "name", "Castle");
        put_number(batch, 0, "changed meanwhile");
        save_batch(batch);
    }
    return ++progress->calls != progress->cancel_at;
}

static void a_backup_contains_everything(void **state)
{
    (void)state;
    open_store();
    fill(ROWS);
    Progress progress = {0};
    assert_ok(cn_store_backup(fixture.store, file_path("copy"), note_progress, &progress,
                              &fixture.error));
    assert_true(progress.calls >= 1);
    close_store();
    use_copy("copy");
    CnStoreReport report;
    assert_ok(cn_store_check(&fixture.desc, NULL, &report, &fixture.error));
    assert_true(report.damage_count == 0 && report.row_count == 2 * ROWS + 1);
    cn_store_report_free(&report);
}

static void a_store_is_written_during_a_backup(void **state)
{
    (void)state;
    open_store();
    fill(ROWS);
    Progress progress = {.writes = true};
    assert_ok(cn_store_backup(fixture.store, file_path("copy"), note_progress, &progress,
                              &fixture.error));
    assert_true(progress.calls >= 2);
    close_store();
    use_copy("copy");
    open_store();
    /* A copy of a file has the last state, one of a database that of its begin. */
    assert_string_equal(get_text("name"), is_over_postgres() ? "Home" : "Castle");
    assert_true((strcmp(get_number(0), "changed meanwhile") == 0) == !is_over_postgres());
}

static void a_canceled_backup_leaves_no_file(void **state)
{
    (void)state;
    open_store();
    fill(ROWS);
    Progress progress = {.cancel_at = 1};
    assert_refused(
        cn_store_backup(fixture.store, file_path("copy"), note_progress, &progress, &fixture.error),
        CN_ERROR_LIMIT, "canceled");
    close_store();
    assert_int_equal(scratch_count(&fixture.scratch), is_over_postgres() ? 0 : 1);
}

static void a_backup_does_not_replace_a_file(void **state)
{
    (void)state;
    open_store();
    assert_true(cn_file_write_all(cn_native_files(), file_path("mine"), "", 0, NULL));
    assert_refused(cn_store_backup(fixture.store, file_path("mine"), NULL, NULL, &fixture.error),
                   CN_ERROR_EXISTS, "already exists");
}

/* ---- Check ---- */

static void an_intact_store_has_no_damage(void **state)
{
    (void)state;
    open_store();
    fill(100);
    close_store();
    CnStoreReport report;
    assert_ok(cn_store_check(&fixture.desc, NULL, &report, &fixture.error));
    assert_true(report.damage_count == 0);
    assert_true(report.rows[CHUNKS] == 100 && report.rows[EDITS] == 100 && report.rows[INFO] == 1);
    cn_store_report_free(&report);
}

static void a_damaged_row_is_named(void **state)
{
    (void)state;
    open_store();
    fill(100);
    close_store();
    run_sql("UPDATE n_chunks SET v=zeroblob(50) WHERE k=42",
            "UPDATE n_chunks SET v=decode(repeat('00',50),'hex')WHERE k=42");
    CnStoreReport report;
    assert_ok(cn_store_check(&fixture.desc, NULL, &report, &fixture.error));
    assert_true(report.damage_count == 1 && report.rows[CHUNKS] == 99);
    assert_int_equal(report.items[0].table, CHUNKS);
    assert_string_equal(report.items[0].message, "table chunks, row 42: the checksum is wrong");
    cn_store_report_free(&report);
}

static void a_gap_in_a_log_is_named(void **state)
{
    (void)state;
    open_store();
    fill(100);
    close_store();
    run_sql("DELETE FROM l_edits WHERE k BETWEEN 10 AND 12",
            "DELETE FROM l_edits WHERE k BETWEEN 10 AND 12");
    CnStoreReport report;
    assert_ok(cn_store_check(&fixture.desc, NULL, &report, &fixture.error));
    assert_true(report.damage_count == 1);
    assert_string_equal(report.items[0].message, "log edits: records 10 to 12 are missing");
    cn_store_report_free(&report);
}

static bool refuse_home(const CnStoreRow *row, void *user, CnError *error)
{
    (void)user;
    return row->table != INFO || cn_error_set(error, CN_ERROR_FORMAT, "no such place");
}

static void the_application_checks_rows(void **state)
{
    (void)state;
    open_store();
    fill(10);
    close_store();
    CnStoreReport report;
    CnStoreCheckDesc check = {.verify = refuse_home};
    assert_ok(cn_store_check(&fixture.desc, &check, &report, &fixture.error));
    assert_true(report.damage_count == 1);
    assert_string_equal(report.items[0].message, "table info, row 'name': no such place");
    cn_store_report_free(&report);
}

static void a_check_can_be_canceled(void **state)
{
    (void)state;
    open_store();
    fill(ROWS);
    close_store();
    CnStoreReport report;
    Progress progress = {.cancel_at = 1};
    CnStoreCheckDesc check = {.progress = note_progress, .user = &progress};
    assert_refused(cn_store_check(&fixture.desc, &check, &report, &fixture.error), CN_ERROR_LIMIT,
                   "canceled");
    cn_store_report_free(&report);
}

static void many_damaged_rows_are_counted(void **state)
{
    (void)state;
    open_store();
    fill(ROWS);
    close_store();
    run_sql("UPDATE n_chunks SET v=x'00'", "UPDATE n_chunks SET v='\\x00'");
    CnStoreReport report;
    assert_ok(cn_store_check(&fixture.desc, NULL, &report, &fixture.error));
    assert_true(report.damage_count == ROWS);
    assert_int_equal(report.item_count, CN_STORE_REPORT_MAX_ITEMS);
    cn_store_report_free(&report);
}

/* ---- Salvage ---- */

static void salvage_to(const char *name, CnStoreReport *report)
{
    assert_ok(cn_store_salvage(&fixture.desc, file_path(name), NULL, report, &fixture.error));
}

static void salvage_keeps_every_row_of_an_intact_store(void **state)
{
    (void)state;
    open_store();
    fill(ROWS);
    close_store();
    CnStoreReport report;
    salvage_to("new", &report);
    assert_true(report.damage_count == 0 && report.row_count == 2 * ROWS + 1);
    cn_store_report_free(&report);
    assert_int_equal(scratch_count(&fixture.scratch), is_over_postgres() ? 1 : 2);
}

static void salvage_does_not_bring_deleted_rows_back(void **state)
{
    (void)state;
    open_store();
    fill(ROWS);
    CnStoreBatch *batch = new_batch();
    CnStoreKey first = cn_store_number(100), last = cn_store_number(2000);
    assert_ok(cn_store_batch_remove_range(batch, CHUNKS, &first, &last, &fixture.error));
    for (int64_t i = 2001; i < 2100; i += 3)
        put_number(batch, i, "shorter");
    save_batch(batch);
    close_store();
    CnStoreReport report;
    salvage_to("new", &report);
    assert_true(report.rows[CHUNKS] == ROWS - 1901);
    cn_store_report_free(&report);
    use_copy("new");
    open_store();
    assert_null(get_number(500));
    assert_string_equal(get_number(2001), "shorter");
}

static void salvage_works_without_the_first_page(void **state)
{
    (void)state;
    open_store();
    fill(ROWS);
    close_store();
    FILE *file = fopen(fixture.path, "r+b");
    for (int i = 0; i < 4096; i++)
        fputc(0xee, file);
    fclose(file);
    CnStoreReport report;
    assert_refused(cn_store_check(&fixture.desc, NULL, &report, &fixture.error), CN_ERROR_FORMAT,
                   "damaged at its start");
    cn_store_report_free(&report);
    salvage_to("new", &report);
    assert_true(report.row_count == 2 * ROWS + 1);
    assert_true(report.damage_count == 1);
    cn_store_report_free(&report);
    use_copy("new");
    open_store();
    assert_string_equal(get_text("name"), "Home");
    assert_true(cn_store_log_next(fixture.store, EDITS) == ROWS + 1);
}

static void salvage_leaves_out_and_names_damaged_rows(void **state)
{
    (void)state;
    open_store();
    fill(ROWS);
    close_store();
    run_sql("UPDATE n_chunks SET v=zeroblob(90) WHERE k=42",
            "UPDATE n_chunks SET v=decode(repeat('00',90),'hex')WHERE k=42");
    CnStoreReport report;
    salvage_to("new", &report);
    assert_true(report.rows[CHUNKS] == ROWS - 1 && report.damage_count == 1);
    assert_non_null(strstr(report.items[0].message, "row 42"));
    cn_store_report_free(&report);
    use_copy("new");
    assert_ok(cn_store_check(&fixture.desc, NULL, &report, &fixture.error));
    assert_true(report.damage_count == 0);
    cn_store_report_free(&report);
}

static void salvage_keeps_other_pages_when_one_is_damaged(void **state)
{
    (void)state;
    open_store();
    fill(ROWS);
    close_store();
    for (long page = 3; page < 60; page += 8)
        for (long at = 0; at < 4096; at += 7)
            change_byte(page * 4096 + at, 0x5a);
    CnStoreReport report;
    salvage_to("new", &report);
    assert_true(report.damage_count > 0);
    /* Eight of about 150 pages, of which none may be an overflow page. */
    assert_true(report.row_count > 2 * ROWS - 8 * 300 && report.row_count < 2 * ROWS);
    cn_store_report_free(&report);
    use_copy("new");
    open_store();
}

/* ---- Compaction ---- */

static void compact_most(void)
{
    open_store();
    fill(ROWS);
    CnStoreBatch *batch = new_batch();
    CnStoreKey last = cn_store_number(2500);
    assert_ok(cn_store_batch_remove_range(batch, CHUNKS, NULL, &last, &fixture.error));
    save_batch(batch);
    close_store();
    assert_ok(cn_store_compact(&fixture.desc, file_path("small"), NULL, NULL, &fixture.error));
}

static void a_compacted_copy_contains_everything(void **state)
{
    (void)state;
    compact_most();
    use_copy("small");
    CnStoreReport report;
    assert_ok(cn_store_check(&fixture.desc, NULL, &report, &fixture.error));
    assert_true(report.damage_count == 0 && report.rows[CHUNKS] == ROWS - 2501);
    cn_store_report_free(&report);
}

static void a_compacted_copy_is_smaller(void **state)
{
    (void)state;
    compact_most();
    CnFileInfo before, after;
    CnFileSystem *files = cn_native_files();
    assert_true(files->info(files, fixture.path, &before, NULL));
    assert_true(files->info(files, file_path("small"), &after, NULL));
    assert_true(after.size_bytes < before.size_bytes / 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        store_test(a_backup_contains_everything),
        store_test(a_store_is_written_during_a_backup),
        store_test(a_canceled_backup_leaves_no_file),
        store_test(a_backup_does_not_replace_a_file),
        store_test(an_intact_store_has_no_damage),
        store_test(a_damaged_row_is_named),
        store_test(a_gap_in_a_log_is_named),
        store_test(the_application_checks_rows),
        store_test(a_check_can_be_canceled),
        store_test(many_damaged_rows_are_counted),
        store_test(salvage_keeps_every_row_of_an_intact_store),
        store_test(salvage_does_not_bring_deleted_rows_back),
        store_test(salvage_leaves_out_and_names_damaged_rows),
        store_test(a_compacted_copy_contains_everything),
    };
    const struct CMUnitTest file_tests[] = {
        store_test(salvage_works_without_the_first_page),
        store_test(salvage_keeps_other_pages_when_one_is_damaged),
        store_test(a_compacted_copy_is_smaller),
    };
    cmocka_run_group_tests(file_tests, NULL, NULL);
    return run_store_tests(tests);
}
