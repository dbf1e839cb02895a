#include "cmocka_tests.h"
#include "guards.h"
#include "random.h"

#include <cairn/base/memory.h>

#include <string.h>

typedef struct Fixture {
    CnHeap *heap;
    CnArena arena;
} Fixture;

static Fixture fixture;

static int make_arena(void **state)
{
    fixture.heap = cn_heap_create(NULL, NULL);
    cn_arena_init(&fixture.arena, cn_heap_tag(fixture.heap, "arena"), 1024);
    *state = &fixture;
    return 0;
}

static int drop_arena(void **state)
{
    (void)state;
    cn_arena_fini(&fixture.arena);
    uint64_t live = cn_heap_stats(fixture.heap).live_blocks;
    cn_heap_destroy(fixture.heap);
    return live == 0 ? 0 : -1;
}

static uint64_t heap_calls(void)
{
    return cn_heap_stats(fixture.heap).calls;
}

static void init_allocates_nothing(void **state)
{
    (void)state;
    assert_int_equal(heap_calls(), 0);
}

static void allocations_do_not_overlap(void **state)
{
    Fixture *f = *state;
    unsigned char *blocks[100];
    for (int i = 0; i < 100; i++) {
        blocks[i] = cn_arena_alloc(&f->arena, 50, 1);
        memset(blocks[i], i, 50);
    }
    for (int i = 0; i < 100; i++) {
        for (int k = 0; k < 50; k++)
            assert_int_equal(blocks[i][k], i);
    }
}

static void every_alignment_is_kept(void **state)
{
    Fixture *f = *state;
    for (size_t alignment = 1; alignment <= 4096; alignment *= 2) {
        cn_arena_alloc(&f->arena, 1, 1);
        void *block = cn_arena_alloc(&f->arena, 8, alignment);
        assert_non_null(block);
        assert_int_equal((uintptr_t)block % alignment, 0);
        memset(block, 1, 8);
    }
}

static void an_allocation_larger_than_a_block_succeeds(void **state)
{
    Fixture *f = *state;
    char *large = cn_arena_alloc(&f->arena, 100000, 16);
    assert_non_null(large);
    memset(large, 1, 100000);
}

static void zero_bytes_give_an_address(void **state)
{
    Fixture *f = *state;
    assert_non_null(cn_arena_alloc(&f->arena, 0, 1));
}

static void sizes_that_wrap_give_null(void **state)
{
    Fixture *f = *state;
    volatile size_t huge = SIZE_MAX;
    assert_null(cn_arena_alloc(&f->arena, huge, 1));
    assert_null(cn_arena_alloc(&f->arena, huge - 31, 4096));
    assert_non_null(cn_arena_alloc(&f->arena, 8, 8));
    assert_null(cn_arena_alloc(&f->arena, huge - 8, 16));
    assert_null(cn_arena_copy_text(&f->arena, "", huge));
}

static void used_bytes_counts_what_was_handed_out(void **state)
{
    Fixture *f = *state;
    cn_arena_alloc(&f->arena, 3, 1);
    cn_arena_alloc(&f->arena, 100, 16);
    assert_int_equal(f->arena.used_bytes, 103);
    cn_arena_reset(&f->arena);
    assert_int_equal(f->arena.used_bytes, 0);
}

static void fill(CnArena *arena, uint64_t seed)
{
    TestRandom random = {seed};
    for (int i = 0; i < 300; i++) {
        uint32_t bytes = 1 + test_random_below(&random, i % 50 == 49 ? 5000 : 100);
        size_t alignment = (size_t)1 << test_random_below(&random, 8);
        void *block = cn_arena_alloc(arena, bytes, alignment);
        assert_non_null(block);
        assert_int_equal((uintptr_t)block % alignment, 0);
        memset(block, 7, bytes);
    }
}

static void the_same_round_after_reset_makes_no_heap_call(void **state)
{
    Fixture *f = *state;
    fill(&f->arena, 1);
    uint64_t calls = heap_calls();
    for (int round = 0; round < 5; round++) {
        cn_arena_reset(&f->arena);
        fill(&f->arena, 1);
    }
    assert_int_equal(heap_calls(), calls);
}

static void different_rounds_soon_make_no_heap_call(void **state)
{
    Fixture *f = *state;
    for (uint64_t round = 0; round < 200; round++) {
        cn_arena_reset(&f->arena);
        fill(&f->arena, round % 20);
    }
    uint64_t calls = heap_calls();
    for (uint64_t round = 0; round < 20; round++) {
        cn_arena_reset(&f->arena);
        fill(&f->arena, round);
    }
    assert_int_equal(heap_calls(), calls);
}

static void a_large_allocation_does_not_waste_the_blocks_before_its_own(void **state)
{
    Fixture *f = *state;
    for (int i = 0; i < 4; i++)
        cn_arena_alloc(&f->arena, 900, 1);
    cn_arena_alloc(&f->arena, 9000, 1);
    uint64_t calls = heap_calls();
    cn_arena_reset(&f->arena);
    cn_arena_alloc(&f->arena, 9000, 1);
    for (int i = 0; i < 4; i++)
        cn_arena_alloc(&f->arena, 900, 1);
    assert_int_equal(heap_calls(), calls);
}

static void rewind_keeps_what_came_before_the_mark(void **state)
{
    Fixture *f = *state;
    char *kept = cn_arena_copy_text(&f->arena, "kept", 4);
    CnArenaMark mark = cn_arena_mark(&f->arena);
    void *first = cn_arena_alloc(&f->arena, 500, 1);
    for (int i = 0; i < 20; i++)
        cn_arena_alloc(&f->arena, 500, 1);
    uint64_t calls = heap_calls();
    cn_arena_rewind(&f->arena, mark);
    assert_string_equal(kept, "kept");
    assert_int_equal(f->arena.used_bytes, 5);
    assert_ptr_equal(cn_arena_alloc(&f->arena, 500, 1), first);
    for (int i = 0; i < 20; i++)
        cn_arena_alloc(&f->arena, 500, 1);
    assert_int_equal(heap_calls(), calls);
}

static void a_mark_of_an_empty_arena_rewinds_to_the_start(void **state)
{
    Fixture *f = *state;
    CnArenaMark mark = cn_arena_mark(&f->arena);
    void *first = cn_arena_alloc(&f->arena, 500, 1);
    cn_arena_alloc(&f->arena, 5000, 1);
    cn_arena_rewind(&f->arena, mark);
    assert_int_equal(f->arena.used_bytes, 0);
    assert_ptr_equal(cn_arena_alloc(&f->arena, 500, 1), first);
}

static void marks_nest(void **state)
{
    Fixture *f = *state;
    char *a = cn_arena_copy_text(&f->arena, "a", 1);
    CnArenaMark outer = cn_arena_mark(&f->arena);
    char *b = cn_arena_copy_text(&f->arena, "b", 1);
    CnArenaMark inner = cn_arena_mark(&f->arena);
    cn_arena_alloc(&f->arena, 3000, 1);
    cn_arena_rewind(&f->arena, inner);
    assert_string_equal(b, "b");
    cn_arena_alloc(&f->arena, 3000, 1);
    cn_arena_rewind(&f->arena, outer);
    assert_string_equal(a, "a");
    assert_int_equal(f->arena.used_bytes, 2);
}

static void copied_text_is_terminated(void **state)
{
    Fixture *f = *state;
    assert_string_equal(cn_arena_copy_text(&f->arena, "grassland", 5), "grass");
    assert_string_equal(cn_arena_copy_text(&f->arena, NULL, 0), "");
}

static void an_arena_can_be_used_again_after_fini(void **state)
{
    Fixture *f = *state;
    cn_arena_alloc(&f->arena, 10, 1);
    cn_arena_fini(&f->arena);
    assert_int_equal(cn_heap_stats(f->heap).live_blocks, 0);
    assert_non_null(cn_arena_alloc(&f->arena, 10, 1));
}

#ifdef CN_GUARDS
static void fresh_memory_is_filled(void **state)
{
    Fixture *f = *state;
    unsigned char *block = cn_arena_alloc(&f->arena, 20, 1);
    memset(block, 0, 20);
    cn_arena_reset(&f->arena);
    assert_ptr_equal(cn_arena_alloc(&f->arena, 20, 1), block);
    for (int i = 0; i < 20; i++)
        assert_int_equal(block[i], 0xCD);
}

#ifndef TEST_ADDRESS_SANITIZER
/* The address sanitizer stops at the read itself. */
static void memory_after_reset_is_filled(void **state)
{
    Fixture *f = *state;
    unsigned char *block = cn_arena_alloc(&f->arena, 20, 1);
    cn_arena_reset(&f->arena);
    assert_int_equal(block[0], 0xDD);
    assert_int_equal(block[19], 0xDD);
}
#endif

static void rewinding_to_a_mark_that_was_passed_is_a_wrong_call(void **state)
{
    Fixture *f = *state;
    cn_arena_alloc(&f->arena, 20, 1);
    CnArenaMark mark = cn_arena_mark(&f->arena);
    cn_arena_reset(&f->arena);
    EXPECT_GUARD(cn_arena_rewind(&f->arena, mark));
}

static void an_alignment_that_is_no_power_of_two_is_a_wrong_call(void **state)
{
    Fixture *f = *state;
    EXPECT_GUARD(cn_arena_alloc(&f->arena, 20, 3));
}
#endif

#define ARENA_TEST(name) cmocka_unit_test_setup_teardown(name, make_arena, drop_arena)

int main(void)
{
    const struct CMUnitTest tests[] = {
        ARENA_TEST(init_allocates_nothing),
        ARENA_TEST(allocations_do_not_overlap),
        ARENA_TEST(every_alignment_is_kept),
        ARENA_TEST(an_allocation_larger_than_a_block_succeeds),
        ARENA_TEST(zero_bytes_give_an_address),
        ARENA_TEST(sizes_that_wrap_give_null),
        ARENA_TEST(used_bytes_counts_what_was_handed_out),
        ARENA_TEST(the_same_round_after_reset_makes_no_heap_call),
        ARENA_TEST(different_rounds_soon_make_no_heap_call),
        ARENA_TEST(a_large_allocation_does_not_waste_the_blocks_before_its_own),
        ARENA_TEST(rewind_keeps_what_came_before_the_mark),
        ARENA_TEST(a_mark_of_an_empty_arena_rewinds_to_the_start),
        ARENA_TEST(marks_nest),
        ARENA_TEST(copied_text_is_terminated),
        ARENA_TEST(an_arena_can_be_used_again_after_fini),
#ifdef CN_GUARDS
        ARENA_TEST(fresh_memory_is_filled),
#ifndef TEST_ADDRESS_SANITIZER
        ARENA_TEST(memory_after_reset_is_filled),
#endif
        ARENA_TEST(rewinding_to_a_mark_that_was_passed_is_a_wrong_call),
        ARENA_TEST(an_alignment_that_is_no_power_of_two_is_a_wrong_call),
#endif
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
