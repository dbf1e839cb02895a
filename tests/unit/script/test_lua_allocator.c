/* Memory for Lua's blocks: small ones from slabs, others from the allocator. */
#include "cmocka_tests.h"
#include "script/runtime/lua_allocator.h"

#include <string.h>

#define BLOCKS 2000u

static CnHeap *heap;
static CnAllocator *allocator;
static CniScriptLuaAllocator blocks;

static int make(void **state)
{
    (void)state;
    heap = cn_heap_create(NULL, NULL);
    allocator = cn_heap_tag(heap, "lua");
    bool made = cni_script_lua_allocator_init(&blocks, allocator, 64 * 1024);
    cni_script_lua_allocator_opened(&blocks);
    return made ? 0 : -1;
}

static int drop(void **state)
{
    (void)state;
    cni_script_lua_allocator_fini(&blocks, allocator);
    bool empty = cn_heap_stats(heap).live_blocks == 0;
    cn_heap_destroy(heap);
    return empty ? 0 : -1;
}

static uint8_t *resize(void *block, size_t old_bytes, size_t new_bytes)
{
    return cni_script_lua_allocator_resize(&blocks, allocator, block, old_bytes, new_bytes);
}

static bool is_filled(const uint8_t *block, size_t bytes, uint8_t with)
{
    for (size_t i = 0; i < bytes; i++)
        if (block[i] != with)
            return false;
    return true;
}

static void blocks_of_all_sizes_keep_what_is_theirs(void **state)
{
    (void)state;
    static uint8_t *all[BLOCKS];
    for (uint32_t i = 0; i < BLOCKS; i++) {
        size_t bytes = i % 400 + 1;
        all[i] = resize(NULL, 0, bytes);
        assert_non_null(all[i]);
        assert_int_equal((uintptr_t)all[i] % 8, 0);
        memset(all[i], (int)(i & 255), bytes);
    }
    for (uint32_t i = 0; i < BLOCKS; i++) {
        size_t bytes = i % 400 + 1, other = (i * 7) % 500 + 1, less = bytes < other ? bytes : other;
        assert_true(is_filled(all[i], bytes, (uint8_t)i));
        all[i] = resize(all[i], bytes, other);
        assert_true(is_filled(all[i], less, (uint8_t)i));
        memset(all[i], (int)(i & 255), other);
    }
    for (uint32_t i = 0; i < BLOCKS; i++) {
        size_t bytes = (i * 7) % 500 + 1;
        assert_true(is_filled(all[i], bytes, (uint8_t)i));
        assert_null(resize(all[i], bytes, 0));
    }
}

static void a_block_that_is_given_back_as_smaller_does_no_harm(void **state)
{
    (void)state;
    for (size_t bytes = 1; bytes < 400; bytes++)
        resize(resize(NULL, 0, bytes), bytes / 2 + 1, 0);
    uint8_t *a = resize(NULL, 0, 100), *b = resize(NULL, 0, 100);
    memset(a, 1, 100);
    memset(b, 2, 100);
    assert_true(is_filled(a, 100, 1));
    resize(a, 100, 0);
    resize(b, 100, 0);
}

static void slabs_have_a_limit_and_blocks_have_none(void **state)
{
    (void)state;
    static uint8_t *all[BLOCKS];
    for (uint32_t i = 0; i < BLOCKS; i++)
        all[i] = resize(NULL, 0, 200);
    assert_non_null(all[BLOCKS - 1]);
    assert_true(blocks.slab_bytes <= 64 * 1024);
    for (uint32_t i = 0; i < BLOCKS; i++)
        resize(all[i], 200, 0);
    assert_true(cn_heap_stats(heap).live_bytes <= 64 * 1024 + 128 * 1024);
}

static void out_of_memory_leaves_a_block_as_it_was(void **state)
{
    (void)state;
    uint8_t *block = resize(NULL, 0, 300);
    memset(block, 3, 300);
    cn_heap_fail_after(heap, 0);
    assert_null(resize(block, 300, 3000));
    assert_null(resize(NULL, 0, 3000));
    cn_heap_fail_after(heap, CN_HEAP_NEVER_FAIL);
    assert_true(is_filled(block, 300, 3));
    resize(block, 300, 0);
}

static void while_a_state_is_made_nothing_is_refused(void **state)
{
    (void)state;
    CniScriptLuaAllocator opening;
    assert_true(cni_script_lua_allocator_init(&opening, allocator, 0));
    cn_heap_fail_after(heap, 0);
    void *a = cni_script_lua_allocator_resize(&opening, allocator, NULL, 0, 6000);
    void *b = cni_script_lua_allocator_resize(&opening, allocator, a, 6000, 12000);
    cn_heap_fail_after(heap, CN_HEAP_NEVER_FAIL);
    assert_true(a && b);
    cni_script_lua_allocator_opened(&opening);
    assert_null(cni_script_lua_allocator_resize(&opening, allocator, b, 12000, 0));
    cni_script_lua_allocator_fini(&opening, allocator);
}

int main(void)
{
#define FACT(test) cmocka_unit_test_setup_teardown(test, make, drop)
    const struct CMUnitTest tests[] = {
        FACT(blocks_of_all_sizes_keep_what_is_theirs),
        FACT(a_block_that_is_given_back_as_smaller_does_no_harm),
        FACT(slabs_have_a_limit_and_blocks_have_none),
        FACT(out_of_memory_leaves_a_block_as_it_was),
        FACT(while_a_state_is_made_nothing_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
