#include "cmocka_tests.h"
#include "failing_heap.h"
#include "standard_blocks.h"

#include <cairn/voxel/edit.h>

/* 300 edits by two players with undos between them. Whatever fails leaves a log that can be asked.
 */
static bool fill_a_log(CnAllocator *allocator, void *user)
{
    (void)user;
    CnEditLog *log = cn_edit_log_create(allocator, 200);
    if (!log)
        return false;
    for (int32_t i = 0; i < 300; i++) {
        CnEdit edit = {.player = 1 + (i & 1), .cell = {i / 3, 0, 0}, .new_block = 1};
        if (i % 7 == 6)
            cn_edit_log_undo(log, 1, &edit);
        uint32_t count = cn_edit_log_count(log);
        if (!cn_edit_log_append(log, &edit)) {
            CnEdit back;
            assert_true(cn_edit_log_count(log) <= count);
            assert_true(count == 0 || cn_edit_log_undo(log, 1 + ((i - 1) & 1), &back) || i < 2);
            cn_edit_log_destroy(log);
            return false;
        }
    }
    cn_edit_log_destroy(log);
    return true;
}

static void a_log_survives_every_failing_allocation(void **state)
{
    (void)state;
    assert_true(run_with_failing_allocations(fill_a_log, NULL) > 5);
}

/* Writes a log and reads it back. What fails reports that memory is out and leaves nothing. */
static bool write_and_read(CnAllocator *allocator, void *user)
{
    const CnEditLog *log = user;
    CnU8Array bytes;
    CnError error = {0};
    cn_array_init(&bytes, allocator);
    CnEditLog *read = NULL;
    if (cn_edit_log_write(log, standard_blocks(), &bytes, &error))
        read =
            cn_edit_log_read(allocator, standard_blocks(), 200, bytes.items, bytes.count, &error);
    else
        assert_int_equal(bytes.count, 0);
    cn_array_fini(&bytes);
    if (!read) {
        assert_int_equal(error.code, CN_ERROR_MEMORY);
        return false;
    }
    assert_int_equal(cn_edit_log_count(read), cn_edit_log_count(log));
    cn_edit_log_destroy(read);
    return true;
}

static void bytes_of_a_log_survive_every_failing_allocation(void **state)
{
    (void)state;
    CnEditLog *log = cn_edit_log_create(NULL, 200);
    for (int32_t i = 0; i < 150; i++) {
        CnEdit edit = {.player = 1, .cell = {i, 0, 0}, .new_block = (CnBlock)i};
        assert_true(cn_edit_log_append(log, &edit));
    }
    assert_true(run_with_failing_allocations(write_and_read, log) > 10);
    cn_edit_log_destroy(log);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_log_survives_every_failing_allocation),
        cmocka_unit_test(bytes_of_a_log_survive_every_failing_allocation),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
