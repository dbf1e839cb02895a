#include "cmocka_tests.h"
#include "guards.h"

#include <cairn/base/memory.h>
#include <cairn/base/text.h>

static int make_heap(void **state)
{
    *state = cn_heap_create(NULL, NULL);
    return *state ? 0 : -1;
}

static int drop_heap(void **state)
{
    cn_heap_destroy(*state);
    return 0;
}

static void live_bytes_and_blocks_follow_alloc_and_free(void **state)
{
    CnHeap *heap = *state;
    CnAllocator *meshes = cn_heap_tag(heap, "meshes");
    void *a = cn_alloc(meshes, 100);
    void *b = cn_alloc_aligned(meshes, 28, 64);
    assert_int_equal(cn_heap_stats(heap).live_bytes, 128);
    assert_int_equal(cn_heap_stats(heap).live_blocks, 2);
    cn_free(meshes, a, 100);
    assert_int_equal(cn_heap_stats(heap).live_bytes, 28);
    assert_int_equal(cn_heap_stats(heap).live_blocks, 1);
    cn_free_aligned(meshes, b, 28, 64);
    assert_int_equal(cn_heap_stats(heap).live_bytes, 0);
    assert_int_equal(cn_heap_stats(heap).live_blocks, 0);
}

static void the_peak_stays_when_memory_is_freed(void **state)
{
    CnHeap *heap = *state;
    CnAllocator *tag = cn_heap_tag(heap, "peak");
    void *a = cn_alloc(tag, 100);
    a = cn_realloc(tag, a, 100, 300);
    cn_free(tag, a, 300);
    a = cn_alloc(tag, 50);
    assert_int_equal(cn_heap_stats(heap).peak_bytes, 300);
    cn_free(tag, a, 50);
}

static void calls_count_allocations_and_resizes_but_not_frees(void **state)
{
    CnHeap *heap = *state;
    CnAllocator *tag = cn_heap_tag(heap, "calls");
    void *a = cn_alloc(tag, 10);
    a = cn_realloc(tag, a, 10, 20);
    a = cn_realloc(tag, a, 20, 5);
    assert_int_equal(cn_heap_stats(heap).calls, 3);
    cn_free(tag, a, 5);
    assert_int_equal(cn_heap_stats(heap).calls, 3);
}

static void resizing_keeps_content_and_counts_one_block(void **state)
{
    CnHeap *heap = *state;
    CnAllocator *tag = cn_heap_tag(heap, "resize");
    char *a = cn_alloc(tag, 6);
    memcpy(a, "cairn", 6);
    a = cn_realloc(tag, a, 6, 4000);
    assert_string_equal(a, "cairn");
    a = cn_realloc(tag, a, 4000, 6);
    assert_string_equal(a, "cairn");
    assert_int_equal(cn_heap_stats(heap).live_blocks, 1);
    assert_int_equal(cn_heap_stats(heap).live_bytes, 6);
    cn_free(tag, a, 6);
}

static void tags_count_apart(void **state)
{
    CnHeap *heap = *state;
    CnAllocator *meshes = cn_heap_tag(heap, "meshes");
    CnAllocator *sounds = cn_heap_tag(heap, "sounds");
    void *a = cn_alloc(meshes, 10);
    void *b = cn_alloc(sounds, 30);
    assert_int_equal(cn_heap_tag_stats(heap, "meshes").live_bytes, 10);
    assert_int_equal(cn_heap_tag_stats(heap, "sounds").live_bytes, 30);
    assert_int_equal(cn_heap_tag_stats(heap, "never used").live_bytes, 0);
    assert_int_equal(cn_heap_stats(heap).live_bytes, 40);
    cn_free(meshes, a, 10);
    cn_free(sounds, b, 30);
}

static void the_same_tag_gives_the_same_allocator(void **state)
{
    CnHeap *heap = *state;
    assert_ptr_equal(cn_heap_tag(heap, "a"), cn_heap_tag(heap, "a"));
    assert_ptr_not_equal(cn_heap_tag(heap, "a"), cn_heap_tag(heap, "b"));
}

static void tags_are_copied_and_cut_at_31_characters(void **state)
{
    CnHeap *heap = *state;
    char name[] = "temporary";
    CnAllocator *tag = cn_heap_tag(heap, name);
    name[0] = 'x';
    assert_ptr_equal(cn_heap_tag(heap, "temporary"), tag);
    assert_ptr_equal(cn_heap_tag(heap, "0123456789012345678901234567890"),
                     cn_heap_tag(heap, "0123456789012345678901234567890 and more"));
}

static void collect_tags(const char *tag, CnHeapStats stats, void *user)
{
    (void)stats;
    cn_text_append_format(user, "%s ", tag);
}

static void tags_are_visited_in_order_of_creation(void **state)
{
    CnHeap *heap = *state;
    cn_heap_tag(heap, "walls");
    cn_heap_tag(heap, "air");
    cn_heap_tag(heap, "walls");
    cn_heap_tag(heap, "mud");
    CnTextBuilder order;
    cn_array_init(&order, NULL);
    cn_heap_each_tag(heap, collect_tags, &order);
    assert_string_equal(order.items, "walls air mud ");
    cn_array_fini(&order);
}

static void tags_beyond_the_limit_share_other(void **state)
{
    CnHeap *heap = *state;
    CnAllocator *last = NULL;
    for (int i = 0; i < CN_HEAP_MAX_TAGS; i++) {
        char name[16];
        cn_format(name, sizeof name, "tag %d", i);
        last = cn_heap_tag(heap, name);
    }
    CnAllocator *other = cn_heap_tag(heap, "one too many");
    assert_ptr_not_equal(other, last);
    assert_ptr_equal(cn_heap_tag(heap, "two too many"), other);
    assert_ptr_equal(cn_heap_tag(heap, "other"), other);
    void *a = cn_alloc(other, 5);
    assert_int_equal(cn_heap_tag_stats(heap, "other").live_bytes, 5);
    cn_free(other, a, 5);
}

static void fail_after_lets_so_many_allocations_pass(void **state)
{
    CnHeap *heap = *state;
    CnAllocator *tag = cn_heap_tag(heap, "fail");
    cn_heap_fail_after(heap, 2);
    void *a = cn_alloc(tag, 8);
    void *b = cn_alloc(tag, 8);
    assert_non_null(a);
    assert_non_null(b);
    assert_null(cn_alloc(tag, 8));
    assert_null(cn_alloc(tag, 8));
    cn_heap_fail_after(heap, CN_HEAP_NEVER_FAIL);
    void *c = cn_alloc(tag, 8);
    assert_non_null(c);
    cn_free(tag, a, 8);
    cn_free(tag, b, 8);
    cn_free(tag, c, 8);
}

static void a_failed_growth_leaves_the_block_as_it_was(void **state)
{
    CnHeap *heap = *state;
    CnAllocator *tag = cn_heap_tag(heap, "fail");
    char *a = cn_alloc(tag, 6);
    memcpy(a, "cairn", 6);
    cn_heap_fail_after(heap, 0);
    assert_null(cn_realloc(tag, a, 6, 600));
    assert_string_equal(a, "cairn");
    assert_int_equal(cn_heap_stats(heap).live_bytes, 6);
    assert_int_equal(cn_heap_stats(heap).live_blocks, 1);
    cn_free(tag, a, 6);
}

static void failed_calls_are_counted(void **state)
{
    CnHeap *heap = *state;
    cn_heap_fail_after(heap, 0);
    assert_null(cn_alloc(cn_heap_tag(heap, "fail"), 8));
    assert_int_equal(cn_heap_stats(heap).calls, 1);
    assert_int_equal(cn_heap_stats(heap).peak_bytes, 0);
}

static void shrinking_and_freeing_never_fail(void **state)
{
    CnHeap *heap = *state;
    CnAllocator *tag = cn_heap_tag(heap, "fail");
    void *a = cn_alloc(tag, 100);
    void *b = cn_alloc_aligned(tag, 100, 256);
    cn_heap_fail_after(heap, 0);
    a = cn_realloc(tag, a, 100, 10);
    assert_non_null(a);
    b = tag->resize(tag, b, 100, 10, 256);
    assert_non_null(b);
    cn_free(tag, a, 10);
    cn_free_aligned(tag, b, 10, 256);
    assert_int_equal(cn_heap_stats(heap).live_bytes, 0);
}

static void a_heap_can_stand_on_a_heap(void **state)
{
    CnHeap *parent = *state;
    CnHeap *child = cn_heap_create(&(CnHeapDesc){.parent = cn_heap_tag(parent, "child")}, NULL);
    CnAllocator *tag = cn_heap_tag(child, "x");
    void *a = cn_alloc(tag, 1000);
    assert_true(cn_heap_tag_stats(parent, "child").live_bytes > 1000);
    assert_int_equal(cn_heap_stats(child).live_bytes, 1000);
    cn_heap_fail_after(parent, 0);
    assert_null(cn_alloc(tag, 10));
    cn_heap_fail_after(parent, CN_HEAP_NEVER_FAIL);
    cn_free(tag, a, 1000);
    cn_heap_destroy(child);
    assert_int_equal(cn_heap_stats(parent).live_blocks, 0);
}

static void creating_on_a_heap_that_is_out_of_memory_sets_an_error(void **state)
{
    CnHeap *parent = *state;
    CnAllocator *tag = cn_heap_tag(parent, "child");
    cn_heap_fail_after(parent, 0);
    CnError error = {0};
    assert_null(cn_heap_create(&(CnHeapDesc){.parent = tag}, &error));
    assert_int_equal(error.code, CN_ERROR_MEMORY);
}

static void destroying_null_does_nothing(void **state)
{
    (void)state;
    cn_heap_destroy(NULL);
}

#ifdef CN_GUARDS
static void fresh_memory_is_filled(void **state)
{
    CnAllocator *tag = cn_heap_tag(*state, "poison");
    unsigned char *a = cn_alloc(tag, 40);
    for (size_t i = 0; i < 40; i++)
        assert_int_equal(a[i], 0xCD);
    a = cn_realloc(tag, a, 40, 80);
    assert_int_equal(a[79], 0xCD);
    cn_free(tag, a, 80);
}

static unsigned char byte_seen_at_free;

static void *look_at_free(CnAllocator *self, void *block, size_t old_bytes, size_t new_bytes,
                          size_t alignment)
{
    (void)self;
    if (new_bytes == 0)
        byte_seen_at_free = ((unsigned char *)block)[old_bytes / 2];
    CnAllocator *system = cn_system_allocator();
    return system->resize(system, block, old_bytes, new_bytes, alignment);
}

static void freed_memory_is_filled(void **state)
{
    (void)state;
    CnAllocator looking = {look_at_free};
    CnHeap *heap = cn_heap_create(&(CnHeapDesc){.parent = &looking}, NULL);
    CnAllocator *tag = cn_heap_tag(heap, "poison");
    void *a = cn_alloc(tag, 200);
    cn_free(tag, a, 200);
    assert_int_equal(byte_seen_at_free, 0xDD);
    cn_heap_destroy(heap);
}

static void growing_always_moves(void **state)
{
    CnAllocator *tag = cn_heap_tag(*state, "move");
    void *a = cn_alloc(tag, 8);
    uintptr_t before = (uintptr_t)a;
    a = cn_realloc(tag, a, 8, 9);
    assert_true((uintptr_t)a != before);
    cn_free(tag, a, 9);
}

static void destroy_names_the_tags_with_live_blocks(void **state)
{
    CnHeap *heap = *state;
    CnAllocator *walls = cn_heap_tag(heap, "walls");
    CnAllocator *mud = cn_heap_tag(heap, "mud");
    cn_heap_tag(heap, "clean");
    void *a = cn_alloc(walls, 10);
    void *b = cn_alloc(mud, 20);
    EXPECT_GUARD(cn_heap_destroy(heap));
    assert_string_equal(
        guard_message(),
        "heap destroyed with live blocks: walls (1 blocks, 10 bytes), mud (1 blocks, 20 bytes)");
    cn_free(walls, a, 10);
    cn_free(mud, b, 20);
}

static void a_wrong_size_is_found_when_freeing(void **state)
{
    CnAllocator *tag = cn_heap_tag(*state, "size");
    void *a = cn_alloc(tag, 10);
    EXPECT_GUARD(cn_free(tag, a, 11));
    assert_string_equal(guard_message(), "a block of 10 bytes of \"size\" is freed as 11 bytes");
    cn_free(tag, a, 10);
}

static void a_wrong_tag_is_found_when_freeing(void **state)
{
    CnAllocator *walls = cn_heap_tag(*state, "walls");
    CnAllocator *mud = cn_heap_tag(*state, "mud");
    void *a = cn_alloc(walls, 10);
    EXPECT_GUARD(cn_free(mud, a, 10));
    assert_string_equal(guard_message(), "a block of \"walls\" is freed through \"mud\"");
    cn_free(walls, a, 10);
}

#ifndef TEST_ADDRESS_SANITIZER
/* The address sanitizer stops at the write itself. */
static void a_write_past_the_end_is_found_when_freeing(void **state)
{
    CnAllocator *tag = cn_heap_tag(*state, "end");
    char *volatile a = cn_alloc(tag, 10);
    char saved = a[10];
    a[10] = 1;
    EXPECT_GUARD(cn_free(tag, a, 10));
    assert_non_null(strstr(guard_message(), "past the end of a block of 10 bytes of \"end\""));
    a[10] = saved;
    cn_free(tag, a, 10);
}
#endif
#endif

#define HEAP_TEST(name) cmocka_unit_test_setup_teardown(name, make_heap, drop_heap)

int main(void)
{
    const struct CMUnitTest tests[] = {
        HEAP_TEST(live_bytes_and_blocks_follow_alloc_and_free),
        HEAP_TEST(the_peak_stays_when_memory_is_freed),
        HEAP_TEST(calls_count_allocations_and_resizes_but_not_frees),
        HEAP_TEST(resizing_keeps_content_and_counts_one_block),
        HEAP_TEST(tags_count_apart),
        HEAP_TEST(the_same_tag_gives_the_same_allocator),
        HEAP_TEST(tags_are_copied_and_cut_at_31_characters),
        HEAP_TEST(tags_are_visited_in_order_of_creation),
        HEAP_TEST(tags_beyond_the_limit_share_other),
        HEAP_TEST(fail_after_lets_so_many_allocations_pass),
        HEAP_TEST(a_failed_growth_leaves_the_block_as_it_was),
        HEAP_TEST(failed_calls_are_counted),
        HEAP_TEST(shrinking_and_freeing_never_fail),
        HEAP_TEST(a_heap_can_stand_on_a_heap),
        HEAP_TEST(creating_on_a_heap_that_is_out_of_memory_sets_an_error),
        cmocka_unit_test(destroying_null_does_nothing),
#ifdef CN_GUARDS
        HEAP_TEST(fresh_memory_is_filled),
        cmocka_unit_test(freed_memory_is_filled),
        HEAP_TEST(growing_always_moves),
        HEAP_TEST(destroy_names_the_tags_with_live_blocks),
        HEAP_TEST(a_wrong_size_is_found_when_freeing),
        HEAP_TEST(a_wrong_tag_is_found_when_freeing),
#ifndef TEST_ADDRESS_SANITIZER
        HEAP_TEST(a_write_past_the_end_is_found_when_freeing),
#endif
#endif
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
