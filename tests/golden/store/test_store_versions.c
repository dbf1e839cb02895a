/*
 * Files of every version of the format, kept beside this test: all of them must open with the same
 * content forever. `golden.store.store_versions write` in the root of the tree writes the file of a
 * new version; files of old versions are never written again.
 */
#include "store_fixture.h"

#include <stdio.h>

#define FILE_OF_VERSION_1 "tests/golden/store/version_1.cairn"

static const char pattern[] = "A row of 300 bytes is compressed, because it repeats itself. ";

static void make_value(char *value, size_t size)
{
    for (size_t i = 0; i < size; i++)
        value[i] = pattern[i % (sizeof pattern - 1)];
}

static void write_content(void)
{
    char value[301] = {0};
    make_value(value, 300);
    open_store();
    CnStoreBatch *batch = new_batch();
    put_text(batch, "name", "Home");
    put_text(batch, "\xff\x01", "bytes");
    put_number(batch, INT64_MIN, "least");
    put_number(batch, 7, value);
    for (int i = 0; i < 10; i++)
        append_text(batch, "edit");
    CnStoreKey last = cn_store_number(4);
    assert_ok(cn_store_batch_remove_range(batch, EDITS, NULL, &last, &fixture.error));
    save_batch(batch);
    close_store();
}

static void copy_file(const char *from, const char *to)
{
    CnFileBytes bytes;
    CnFileSystem *files = cn_native_files();
    assert_true(cn_file_read_all(files, from, NULL, &bytes, NULL));
    assert_true(cn_file_write_all(files, to, bytes.data, bytes.size, NULL));
    cn_file_bytes_free(&bytes);
}

static void version_1_opens_with_its_content(void **state)
{
    (void)state;
    char value[301] = {0};
    make_value(value, 300);
    copy_file(FILE_OF_VERSION_1, fixture.path);
    CnStoreReport report;
    assert_ok(cn_store_check(&fixture.desc, NULL, &report, &fixture.error));
    assert_true(report.damage_count == 0 && report.row_count == 10);
    cn_store_report_free(&report);
    open_store();
    assert_string_equal(get_text("name"), "Home");
    assert_string_equal(get_text("\xff\x01"), "bytes");
    assert_string_equal(get_number(INT64_MIN), "least");
    assert_string_equal(get_number(7), value);
    assert_null(get_key(EDITS, cn_store_number(4)));
    assert_string_equal(get_key(EDITS, cn_store_number(5)), "edit");
    assert_true(cn_store_log_next(fixture.store, EDITS) == 11);
}

static void write_file(void **state)
{
    (void)state;
    write_content();
    copy_file(fixture.path, FILE_OF_VERSION_1);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest writing[] = {store_test(write_file)};
    const struct CMUnitTest tests[] = {store_test(version_1_opens_with_its_content)};
    if (argc == 2 && strcmp(argv[1], "write") == 0)
        return cmocka_run_group_tests(writing, NULL, NULL);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
