/* Files whose operations fail, and memory that runs out while one is read. */
#include "cmocka_tests.h"
#include "failing_heap.h"
#include "faulty_files.h"
#include "scratch.h"

#include <cairn/base/file.h>
#include <cairn/base/text.h>

#define OLD_CONTENT "the old content"
#define NEW_CONTENT "the new content, which is a little longer"

static Scratch scratch;
static FaultyFiles faulty;
static CnError error;
static char path[512];

static int make_old_file(void **state)
{
    (void)state;
    scratch_init(&scratch);
    cn_copy_text(path, sizeof path, cn_text(scratch_path(&scratch, "world.save")));
    faulty_files_init(&faulty, cn_native_files());
    error = (CnError){0};
    return cn_file_write_all(&faulty.files, path, OLD_CONTENT, strlen(OLD_CONTENT), &error) ? 0
                                                                                            : -1;
}

static int drop_scratch(void **state)
{
    (void)state;
    scratch_fini(&scratch);
    return 0;
}

static bool write_new(void)
{
    return cn_file_write_all(&faulty.files, path, NEW_CONTENT, strlen(NEW_CONTENT), &error);
}

static bool content_is(const char *expected)
{
    CnFileBytes bytes;
    if (!cn_file_read_all(cn_native_files(), path, NULL, &bytes, NULL))
        return false;
    bool is_same = cn_text_equal((CnText){(char *)bytes.data, bytes.size}, cn_text(expected));
    cn_file_bytes_free(&bytes);
    return is_same;
}

static void fail_and_expect_the_old_file(FaultyOperation operation)
{
    faulty_files_fail(&faulty, operation, 0, FAULT_ONCE);
    assert_false(write_new());
    assert_int_equal(error.code, CN_ERROR_IO);
    assert_string_equal(error.message, "injected fault");
    assert_int_equal(faulty.open_files, 0);
    assert_true(content_is(OLD_CONTENT));
    assert_int_equal(scratch_count(&scratch), 1);
}

static void a_failed_open_leaves_the_old_file_alone(void **state)
{
    (void)state;
    fail_and_expect_the_old_file(FAULT_OPEN);
}

static void a_failed_write_leaves_the_old_file_alone(void **state)
{
    (void)state;
    fail_and_expect_the_old_file(FAULT_WRITE);
}

static void a_failed_sync_leaves_the_old_file_alone(void **state)
{
    (void)state;
    fail_and_expect_the_old_file(FAULT_SYNC);
}

static void a_target_that_cannot_be_looked_at_leaves_the_old_file_alone(void **state)
{
    (void)state;
    fail_and_expect_the_old_file(FAULT_FIND_TARGET);
}

static void permissions_that_cannot_be_kept_leave_the_old_file_alone(void **state)
{
    (void)state;
    fail_and_expect_the_old_file(FAULT_COPY_ATTRIBUTES);
}

static void a_failed_rename_leaves_the_old_file_alone(void **state)
{
    (void)state;
    fail_and_expect_the_old_file(FAULT_RENAME);
}

static void the_next_write_after_a_failure_succeeds(void **state)
{
    (void)state;
    faulty_files_fail(&faulty, FAULT_WRITE, 0, FAULT_ONCE);
    assert_false(write_new());
    assert_true(write_new());
    assert_true(content_is(NEW_CONTENT));
    assert_int_equal(scratch_count(&scratch), 1);
}

static void the_file_is_synced_before_it_is_renamed(void **state)
{
    (void)state;
    faulty_files_fail(&faulty, FAULT_RENAME, 0, FAULT_POWER_CUT);
    assert_false(write_new());
    assert_int_equal(faulty.seen[FAULT_SYNC], 1);
}

static void a_power_cut_at_any_operation_leaves_the_old_or_the_new_content(void **state)
{
    (void)state;
    uint32_t nth = 0;
    for (bool is_done = false; !is_done; nth++) {
        faulty_files_fail(&faulty, FAULT_ANY, nth, FAULT_POWER_CUT);
        is_done = write_new();
        assert_int_equal(faulty.open_files, 0);
        assert_true(content_is(is_done ? NEW_CONTENT : OLD_CONTENT));
    }
    assert_int_equal(nth, 7); /* find, open, attributes, write, sync, rename, nothing to fail */
}

static void a_new_file_that_fails_is_not_there(void **state)
{
    (void)state;
    cn_copy_text(path, sizeof path, cn_text(scratch_path(&scratch, "other.save")));
    faulty_files_fail(&faulty, FAULT_SYNC, 0, FAULT_ONCE);
    assert_false(write_new());
    assert_int_equal(scratch_count(&scratch), 1);
}

static void expect_read_to_fail(FaultyOperation operation)
{
    CnFileBytes bytes;
    faulty_files_fail(&faulty, operation, 0, FAULT_ONCE);
    assert_false(cn_file_read_all(&faulty.files, path, NULL, &bytes, &error));
    assert_int_equal(error.code, CN_ERROR_IO);
    assert_null(bytes.data);
    assert_int_equal(bytes.size, 0);
    assert_int_equal(faulty.open_files, 0);
}

static void a_failed_read_gives_no_bytes(void **state)
{
    (void)state;
    expect_read_to_fail(FAULT_INFO);
    expect_read_to_fail(FAULT_OPEN);
    expect_read_to_fail(FAULT_READ);
}

/* A file that has changed since its size was asked for. */
static uint64_t claimed_bytes;

static bool claim_another_size(CnFileSystem *fs, const char *file_path, CnFileInfo *info,
                               CnError *failure)
{
    CnFileSystem *under = ((FaultyFiles *)fs)->under;
    bool ok = under->info(under, file_path, info, failure);
    info->size_bytes = claimed_bytes;
    return ok;
}

static void a_file_that_changes_its_size_is_read_as_it_is(void **state)
{
    (void)state;
    faulty.files.info = claim_another_size;
    for (claimed_bytes = 0; claimed_bytes < 100; claimed_bytes++) {
        CnFileBytes bytes;
        assert_true(cn_file_read_all(&faulty.files, path, NULL, &bytes, &error));
        assert_int_equal(bytes.size, strlen(OLD_CONTENT));
        assert_string_equal((char *)bytes.data, OLD_CONTENT);
        cn_file_bytes_free(&bytes);
    }
}

static bool read_with_growth(CnAllocator *allocator, void *user)
{
    (void)user;
    CnFileBytes bytes;
    bool ok = cn_file_read_all(&faulty.files, path, allocator, &bytes, &error);
    assert_int_equal(faulty.open_files, 0);
    if (!ok)
        assert_int_equal(error.code, CN_ERROR_MEMORY);
    cn_file_bytes_free(&bytes);
    return ok;
}

static void reading_survives_every_failed_allocation(void **state)
{
    (void)state;
    faulty.files.info = claim_another_size;
    claimed_bytes = 0;
    assert_true(run_with_failing_allocations(read_with_growth, NULL) >= 3);
}

#define FAULT_TEST(name) cmocka_unit_test_setup_teardown(name, make_old_file, drop_scratch)

int main(void)
{
    const struct CMUnitTest tests[] = {
        FAULT_TEST(a_failed_open_leaves_the_old_file_alone),
        FAULT_TEST(a_failed_write_leaves_the_old_file_alone),
        FAULT_TEST(a_failed_sync_leaves_the_old_file_alone),
        FAULT_TEST(a_target_that_cannot_be_looked_at_leaves_the_old_file_alone),
        FAULT_TEST(permissions_that_cannot_be_kept_leave_the_old_file_alone),
        FAULT_TEST(a_failed_rename_leaves_the_old_file_alone),
        FAULT_TEST(the_next_write_after_a_failure_succeeds),
        FAULT_TEST(the_file_is_synced_before_it_is_renamed),
        FAULT_TEST(a_power_cut_at_any_operation_leaves_the_old_or_the_new_content),
        FAULT_TEST(a_new_file_that_fails_is_not_there),
        FAULT_TEST(a_failed_read_gives_no_bytes),
        FAULT_TEST(a_file_that_changes_its_size_is_read_as_it_is),
        FAULT_TEST(reading_survives_every_failed_allocation),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
