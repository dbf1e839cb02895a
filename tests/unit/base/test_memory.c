#include "cmocka_tests.h"
#include "guards.h"

#include <cairn/base/memory.h>

#include <string.h>

static bool is_aligned(const void *block, size_t alignment)
{
    return (uintptr_t)block % alignment == 0;
}

static void null_means_the_system_allocator(void **state)
{
    (void)state;
    char *block = cn_alloc(NULL, 10);
    assert_non_null(block);
    memset(block, 1, 10);
    cn_free(cn_system_allocator(), block, 10);
}

static void zero_bytes_give_null(void **state)
{
    (void)state;
    assert_null(cn_alloc(NULL, 0));
    assert_null(cn_alloc_zeroed(NULL, 0));
    assert_null(cn_alloc_aligned(NULL, 0, 64));
    assert_null(cn_realloc(NULL, NULL, 0, 0));
}

static void a_size_that_cannot_be_gives_null(void **state)
{
    (void)state;
    volatile size_t huge = SIZE_MAX; /* volatile: compilers warn about what they can see */
    assert_null(cn_alloc(NULL, huge));
    assert_null(cn_alloc_zeroed(NULL, huge - 8));
    assert_null(cn_alloc_aligned(NULL, huge / 2 + 1, 4096));
    char *block = cn_alloc(NULL, 4);
    assert_null(cn_realloc(NULL, block, 4, huge));
    cn_free(NULL, block, 4);
}

static void blocks_have_the_default_alignment(void **state)
{
    (void)state;
    for (size_t bytes = 1; bytes < 100; bytes++) {
        void *block = cn_alloc(NULL, bytes);
        assert_true(is_aligned(block, CN_DEFAULT_ALIGNMENT));
        cn_free(NULL, block, bytes);
    }
}

static void blocks_have_the_alignment_requested(void **state)
{
    (void)state;
    for (size_t alignment = 1; alignment <= 65536; alignment *= 2) {
        void *block = cn_alloc_aligned(NULL, 24, alignment);
        assert_true(is_aligned(block, alignment));
        cn_free_aligned(NULL, block, 24, alignment);
    }
}

static void zeroed_memory_is_zero(void **state)
{
    (void)state;
    unsigned char *block = cn_alloc_zeroed(NULL, 1000);
    for (size_t i = 0; i < 1000; i++)
        assert_int_equal(block[i], 0);
    cn_free(NULL, block, 1000);
}

static void realloc_keeps_the_content(void **state)
{
    (void)state;
    char *block = cn_realloc(NULL, NULL, 0, 4);
    memcpy(block, "abc", 4);
    block = cn_realloc(NULL, block, 4, 100000);
    assert_string_equal(block, "abc");
    block = cn_realloc(NULL, block, 100000, 4);
    assert_string_equal(block, "abc");
    assert_null(cn_realloc(NULL, block, 4, 0));
}

static void resizing_keeps_content_and_a_large_alignment(void **state)
{
    (void)state;
    CnAllocator *system = cn_system_allocator();
    char *block = cn_alloc_aligned(system, 8, 256);
    memcpy(block, "aligned", 8);
    block = system->resize(system, block, 8, 5000, 256);
    assert_true(is_aligned(block, 256));
    assert_string_equal(block, "aligned");
    block = system->resize(system, block, 5000, 8, 256);
    assert_true(is_aligned(block, 256));
    assert_string_equal(block, "aligned");
    cn_free_aligned(system, block, 8, 256);
}

static void freeing_null_does_nothing(void **state)
{
    (void)state;
    cn_free(NULL, NULL, 0);
    cn_free(NULL, NULL, 12);
    cn_free_aligned(NULL, NULL, 12, 64);
}

#ifdef CN_GUARDS
static void an_alignment_that_is_no_power_of_two_is_a_wrong_call(void **state)
{
    (void)state;
    EXPECT_GUARD(cn_alloc_aligned(NULL, 8, 24));
    EXPECT_GUARD(cn_alloc_aligned(NULL, 8, 0));
}
#endif

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(null_means_the_system_allocator),
        cmocka_unit_test(zero_bytes_give_null),
        cmocka_unit_test(a_size_that_cannot_be_gives_null),
        cmocka_unit_test(blocks_have_the_default_alignment),
        cmocka_unit_test(blocks_have_the_alignment_requested),
        cmocka_unit_test(zeroed_memory_is_zero),
        cmocka_unit_test(realloc_keeps_the_content),
        cmocka_unit_test(resizing_keeps_content_and_a_large_alignment),
        cmocka_unit_test(freeing_null_does_nothing),
#ifdef CN_GUARDS
        cmocka_unit_test(an_alignment_that_is_no_power_of_two_is_a_wrong_call),
#endif
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
