/* Memory for large buffers: what is used again, and what is given back. */
#include "cmocka_tests.h"

#include <crafty/save/buffer_memory.h>

#include <string.h>

static CraftyBufferMemory memory;

static int make(void **state)
{
    (void)state;
    crafty_buffer_memory_init(&memory);
    return 0;
}

static int unmake(void **state)
{
    (void)state;
    crafty_buffer_memory_fini(&memory);
    return 0;
}

static void a_freed_buffer_is_used_again(void **state)
{
    (void)state;
    void *first = cn_alloc(&memory.allocator, 1000000);
    cn_free(&memory.allocator, first, 1000000);
    void *second = cn_alloc(&memory.allocator, 700000);
    assert_ptr_equal(first, second);
    cn_free(&memory.allocator, second, 700000);
}

static void a_buffer_in_use_is_not_given_out(void **state)
{
    (void)state;
    void *first = cn_alloc(&memory.allocator, 1000000);
    void *second = cn_alloc(&memory.allocator, 1000000);
    assert_ptr_not_equal(first, second);
    cn_free(&memory.allocator, first, 1000000);
    cn_free(&memory.allocator, second, 1000000);
}

static void a_resized_buffer_keeps_its_bytes(void **state)
{
    (void)state;
    static const size_t sizes[] = {100,    70000,    70001,   200000, 1000000,
                                   131072, 40000000, 5000000, 65536,  65535};
    uint8_t *bytes = NULL;
    size_t size = 0;
    for (uint32_t i = 0; i < CN_COUNT_OF(sizes); i++) {
        bytes = cn_realloc(&memory.allocator, bytes, size, sizes[i]);
        assert_non_null(bytes);
        if (size == 0)
            memset(bytes, 7, 100);
        size = sizes[i];
        for (uint32_t k = 0; k < 100; k++)
            assert_int_equal(bytes[k], 7);
        memset(bytes + 100, (int)i, size - 100);
    }
    cn_free(&memory.allocator, bytes, size);
}

static void no_more_than_two_large_buffers_of_a_size_are_kept(void **state)
{
    (void)state;
    void *buffers[5];
    for (uint32_t i = 0; i < CN_COUNT_OF(buffers); i++)
        buffers[i] = cn_alloc(&memory.allocator, 3000000);
    for (uint32_t i = 0; i < CN_COUNT_OF(buffers); i++)
        cn_free(&memory.allocator, buffers[i], 3000000);
    uint32_t kept = 0;
    for (uint32_t class = 0; class < CRAFTY_BUFFER_CLASSES; class ++)
        for (uint32_t i = 0; i < CRAFTY_BUFFER_KEPT; i++)
            kept += memory.kept[class][i] != NULL;
    assert_int_equal(kept, 2);
}

static void a_very_large_buffer_is_given_back(void **state)
{
    (void)state;
    cn_free(&memory.allocator, cn_alloc(&memory.allocator, 40000000), 40000000);
    for (uint32_t class = 0; class < CRAFTY_BUFFER_CLASSES; class ++)
        assert_null(memory.kept[class][0]);
}

#define TEST(test) cmocka_unit_test_setup_teardown(test, make, unmake)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(a_freed_buffer_is_used_again),
        TEST(a_buffer_in_use_is_not_given_out),
        TEST(a_resized_buffer_keeps_its_bytes),
        TEST(no_more_than_two_large_buffers_of_a_size_are_kept),
        TEST(a_very_large_buffer_is_given_back),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
