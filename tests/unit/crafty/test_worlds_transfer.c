/* Exporting, importing and compacting worlds. */
#include "cmocka_tests.h"
#include "scratch.h"

#include <crafty/save/save_internal.h>
#include <crafty/save/worlds.h>

#include <cairn/base/file.h>

#include <string.h>
#include <stdio.h>

enum { ROWS = 200, ROW_BYTES = 2000 };

static Scratch scratch;
static char home[CN_STORE_PATH_BYTES];
static CnError error;

static void check(bool done)
{
    if (!done)
        fail_msg("%s", error.message);
}

/* Writes and removes many rows, so that the file has unused space. */
static void fill(const char *path)
{
    CnStoreDesc desc = crafty_save_store_desc(path, CN_STORE_OPEN);
    CnStore *store = cn_store_create(&desc, &error);
    static uint8_t bytes[ROW_BYTES];
    for (uint32_t pass = 0; pass < 2; pass++) {
        CnStoreBatch *batch = cn_store_batch_create(store, &error);
        for (uint32_t i = 0; i < ROWS; i++) {
            for (uint32_t k = 0; k < ROW_BYTES; k++)
                bytes[k] = (uint8_t)cn_hash_mix(i * ROW_BYTES + k + 1);
            CnStoreKey key = cn_store_bytes(&i, sizeof i);
            check(pass == 0
                      ? cn_store_batch_put(batch, CRAFTY_SAVE_COPY, key, bytes, ROW_BYTES, &error)
                      : i % 10 == 0 || cn_store_batch_remove(batch, CRAFTY_SAVE_COPY, key, &error));
        }
        cn_store_submit(store, batch);
        check(cn_store_flush(store, 60000, &error));
    }
    cn_store_destroy(store);
}

static int begin(void **state)
{
    (void)state;
    scratch_init(&scratch);
    error = (CnError){0};
    check(crafty_worlds_create(scratch.folder, &(CraftyNewWorld){.name = "Home", .seed = 5}, home,
                               &error));
    fill(home);
    return 0;
}

static int end(void **state)
{
    (void)state;
    scratch_fini(&scratch);
    return 0;
}

static uint64_t content(const char *path)
{
    uint64_t hash;
    check(crafty_worlds_content_hash(path, &hash, &error));
    return hash;
}

static void compacting_makes_the_file_smaller_and_keeps_its_content(void **state)
{
    (void)state;
    uint64_t before = content(home), size = crafty_world_file_size(home);
    check(crafty_worlds_compact(home, NULL, NULL, &error));
    assert_true(content(home) == before);
    assert_true(crafty_world_file_size(home) < size / 2);
    assert_int_equal(scratch_count(&scratch), 1);
}

static bool cancel(uint64_t done, uint64_t total, void *user)
{
    (void)done, (void)total, (void)user;
    return false;
}

static void a_canceled_compaction_changes_nothing(void **state)
{
    (void)state;
    uint64_t size = crafty_world_file_size(home);
    assert_false(crafty_worlds_compact(home, cancel, NULL, &error));
    assert_non_null(strstr(error.message, "canceled"));
    assert_int_equal(crafty_world_file_size(home), size);
    assert_int_equal(scratch_count(&scratch), 1);
}

static void an_open_world_is_not_compacted_or_exported(void **state)
{
    (void)state;
    CraftySave *save = crafty_save_open(&(CraftySaveDesc){.path = home}, &error);
    assert_false(crafty_worlds_compact(home, NULL, NULL, &error));
    assert_int_equal(error.code, CN_ERROR_PERMISSION);
    assert_false(crafty_worlds_export(home, scratch_path(&scratch, "out"), NULL, NULL, &error));
    crafty_save_close(save);
}

static void an_exported_world_is_imported_with_its_content(void **state)
{
    (void)state;
    char path[CN_STORE_PATH_BYTES];
    const char *file = scratch_path(&scratch, "out");
    check(crafty_worlds_export(home, file, NULL, NULL, &error));
    assert_true(content(file) == content(home));
    char other[CN_STORE_PATH_BYTES];
    snprintf(other, sizeof other, "%s/other", scratch.folder);
    check(crafty_worlds_import(other, &(CraftyWorldsImport){.file = file}, path, &error));
    assert_non_null(strstr(path, "/other/Home.crafty"));
    assert_true(content(path) == content(home));
}

static void an_export_replaces_no_file(void **state)
{
    (void)state;
    const char *file = scratch_path(&scratch, "out");
    check(cn_file_write_all(cn_native_files(), file, "mine", 4, &error));
    assert_false(crafty_worlds_export(home, file, NULL, NULL, &error));
    assert_int_equal(error.code, CN_ERROR_EXISTS);
    assert_int_equal(crafty_world_file_size(file), 4);
}

static void an_imported_world_gets_a_free_name(void **state)
{
    (void)state;
    char path[CN_STORE_PATH_BYTES];
    const char *file = scratch_path(&scratch, "out");
    CraftySaveInfo info;
    check(crafty_worlds_export(home, file, NULL, NULL, &error));
    check(crafty_worlds_import(scratch.folder, &(CraftyWorldsImport){.file = file}, path, &error));
    check(crafty_save_read_info(path, &info, &error));
    assert_string_equal(info.identity.name, "Home (2)");
    assert_false(crafty_worlds_import(
        scratch.folder, &(CraftyWorldsImport){.file = file, .name = "Home"}, path, &error));
    assert_int_equal(error.code, CN_ERROR_EXISTS);
}

static void a_file_that_is_no_world_is_not_imported(void **state)
{
    (void)state;
    char path[CN_STORE_PATH_BYTES];
    const char *file = scratch_path(&scratch, "out");
    check(cn_file_write_all(cn_native_files(), file, "mine", 4, &error));
    assert_false(
        crafty_worlds_import(scratch.folder, &(CraftyWorldsImport){.file = file}, path, &error));
    assert_int_equal(error.code, CN_ERROR_FORMAT);
    assert_int_equal(scratch_count(&scratch), 2);
}

static bool refuse(const char *path, void *user, CnError *problem)
{
    (void)path, (void)user;
    return cn_error_set(problem, CN_ERROR_FORMAT, "refused");
}

static void what_the_check_refuses_is_not_imported(void **state)
{
    (void)state;
    char path[CN_STORE_PATH_BYTES];
    const char *file = scratch_path(&scratch, "out");
    check(crafty_worlds_export(home, file, NULL, NULL, &error));
    assert_false(crafty_worlds_import(
        scratch.folder, &(CraftyWorldsImport){.file = file, .check = refuse}, path, &error));
    assert_int_equal(scratch_count(&scratch), 2);
}

#define TRANSFER_TEST(test) cmocka_unit_test_setup_teardown(test, begin, end)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TRANSFER_TEST(compacting_makes_the_file_smaller_and_keeps_its_content),
        TRANSFER_TEST(a_canceled_compaction_changes_nothing),
        TRANSFER_TEST(an_open_world_is_not_compacted_or_exported),
        TRANSFER_TEST(an_exported_world_is_imported_with_its_content),
        TRANSFER_TEST(an_export_replaces_no_file),
        TRANSFER_TEST(an_imported_world_gets_a_free_name),
        TRANSFER_TEST(a_file_that_is_no_world_is_not_imported),
        TRANSFER_TEST(what_the_check_refuses_is_not_imported),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
