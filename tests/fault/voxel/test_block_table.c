#include "cmocka_tests.h"
#include "failing_heap.h"

#include <cairn/voxel/block.h>

#include <stdio.h>

static bool make_and_fill(CnAllocator *allocator, void *user)
{
    (void)user;
    CnError error = {0};
    CnBlockTable *table = cn_block_table_create(allocator, &error);
    bool done = table != NULL;
    for (uint32_t i = 0; i < 100 && done; i++) {
        char name[16];
        snprintf(name, sizeof name, "block_%u", i);
        CnBlockInfo info = cn_block_info_default(name);
        CnBlockShape shape = {1, {{{0, 0, 0}, {16, (uint8_t)(1 + i % 7), 16}}}};
        if (i % 3 == 0) {
            info.material = CN_BLOCK_MATERIAL_PROP;
            info.shape = &shape;
        }
        done = cn_block_table_add(table, &info, NULL, &error);
        assert_int_equal(cn_block_find(table, name) != CN_BLOCK_NONE, done);
    }
    assert_int_equal(error.code, done ? CN_OK : CN_ERROR_MEMORY);
    cn_block_table_destroy(table);
    return done;
}

static void a_block_for_which_there_is_no_memory_is_not_registered(void **state)
{
    (void)state;
    run_with_failing_allocations(make_and_fill, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_block_for_which_there_is_no_memory_is_not_registered),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
