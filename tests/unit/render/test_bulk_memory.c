/* The allocator for the large blocks of a load. */
#include "cmocka_tests.h"
#include "render/asset/bulk_memory.h"

#include <string.h>

#define LARGE CNI_RENDER_BULK_LEAST_BYTES

static CniRenderBulkMemory bulk;

static int start(void **state)
{
    (void)state;
    cni_render_bulk_init(&bulk, NULL);
    return 0;
}

static int stop(void **state)
{
    (void)state;
    cni_render_bulk_fini(&bulk);
    return 0;
}

/* AddressSanitizer sees only blocks of the C library; then there are no slabs. */
static void need_slabs(void)
{
    void *block = cn_alloc(&bulk.allocator, LARGE);
    cn_free(&bulk.allocator, block, LARGE);
    if (!bulk.slabs.count)
        skip();
}

static void a_freed_large_block_is_used_again(void **state)
{
    (void)state;
    need_slabs();
    void *first = cn_alloc(&bulk.allocator, LARGE);
    cn_free(&bulk.allocator, first, LARGE);
    void *second = cn_alloc(&bulk.allocator, LARGE);
    assert_ptr_equal(first, second);
    cn_free(&bulk.allocator, second, LARGE);
}

static void small_blocks_need_no_slab(void **state)
{
    (void)state;
    void *block = cn_alloc(&bulk.allocator, LARGE - 1);
    assert_non_null(block);
    assert_int_equal(bulk.slabs.count, 0);
    cn_free(&bulk.allocator, block, LARGE - 1);
}

static void live_blocks_do_not_overlap(void **state)
{
    (void)state;
    enum { COUNT = 100 };
    uint8_t *blocks[COUNT];
    for (uint32_t i = 0; i < COUNT; i++) {
        blocks[i] = cn_alloc(&bulk.allocator, LARGE + i);
        assert_non_null(blocks[i]);
        memset(blocks[i], (int)i, LARGE + i);
    }
    for (uint32_t i = 0; i < COUNT; i++) {
        assert_int_equal(blocks[i][0], i);
        assert_int_equal(blocks[i][LARGE + i - 1], i);
        cn_free(&bulk.allocator, blocks[i], LARGE + i);
    }
}

static void a_block_keeps_its_bytes_when_it_becomes_large(void **state)
{
    (void)state;
    uint8_t *block = cn_alloc(&bulk.allocator, 100);
    memset(block, 7, 100);
    block = cn_realloc(&bulk.allocator, block, 100, LARGE * 2);
    assert_int_equal(block[99], 7);
    block[LARGE * 2 - 1] = 8;
    block = cn_realloc(&bulk.allocator, block, LARGE * 2, LARGE * 40);
    assert_int_equal(block[99], 7);
    assert_int_equal(block[LARGE * 2 - 1], 8);
    cn_free(&bulk.allocator, block, LARGE * 40);
}

static void a_block_keeps_its_bytes_when_it_becomes_small(void **state)
{
    (void)state;
    uint8_t *block = cn_alloc(&bulk.allocator, LARGE * 2);
    memset(block, 7, LARGE * 2);
    block = cn_realloc(&bulk.allocator, block, LARGE * 2, 100);
    assert_int_equal(block[99], 7);
    cn_free(&bulk.allocator, block, 100);
}

static void a_block_larger_than_a_slab_gets_its_own(void **state)
{
    (void)state;
    need_slabs();
    size_t bytes = bulk.slabs.items[0].bytes * 3 + 1;
    uint8_t *block = cn_alloc(&bulk.allocator, bytes);
    assert_non_null(block);
    block[bytes - 1] = 1;
    assert_int_equal(bulk.slabs.count, 2);
    cn_free(&bulk.allocator, block, bytes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_freed_large_block_is_used_again, start, stop),
        cmocka_unit_test_setup_teardown(small_blocks_need_no_slab, start, stop),
        cmocka_unit_test_setup_teardown(live_blocks_do_not_overlap, start, stop),
        cmocka_unit_test_setup_teardown(a_block_keeps_its_bytes_when_it_becomes_large, start, stop),
        cmocka_unit_test_setup_teardown(a_block_keeps_its_bytes_when_it_becomes_small, start, stop),
        cmocka_unit_test_setup_teardown(a_block_larger_than_a_slab_gets_its_own, start, stop),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
