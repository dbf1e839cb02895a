#include "cmocka_tests.h"
#include "failing_heap.h"

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

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_log_survives_every_failing_allocation)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
