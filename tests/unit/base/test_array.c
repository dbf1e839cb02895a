#include "cmocka_tests.h"

#include <cairn/base/array.h>

typedef struct Point {
    float x, y;
    uint8_t kind;
} Point;

typedef CN_ARRAY(Point) PointArray;

static void pushed_items_stay_in_order(void **state)
{
    (void)state;
    CnI32Array numbers;
    cn_array_init(&numbers, NULL);
    for (int32_t i = 0; i < 1000; i++)
        assert_true(cn_array_push(&numbers, i * 3));
    assert_int_equal(numbers.count, 1000);
    for (int32_t i = 0; i < 1000; i++)
        assert_int_equal(numbers.items[i], i * 3);
    cn_array_fini(&numbers);
}

static void a_push_takes_a_compound_literal(void **state)
{
    (void)state;
    PointArray points;
    cn_array_init(&points, NULL);
    assert_true(cn_array_push(&points, (Point){1.0f, 2.0f, 3}));
    assert_int_equal(points.items[0].kind, 3);
    cn_array_fini(&points);
}

static void init_allocates_nothing_and_fini_frees_all(void **state)
{
    (void)state;
    CnHeap *heap = cn_heap_create(NULL, NULL);
    CnF64Array numbers;
    cn_array_init(&numbers, cn_heap_tag(heap, "array"));
    assert_int_equal(cn_heap_stats(heap).calls, 0);
    assert_true(cn_array_push(&numbers, 1.0));
    cn_array_fini(&numbers);
    assert_null(numbers.items);
    assert_int_equal(cn_heap_stats(heap).live_blocks, 0);
    cn_heap_destroy(heap);
}

static void the_store_doubles(void **state)
{
    (void)state;
    CnHeap *heap = cn_heap_create(NULL, NULL);
    CnU16Array numbers;
    cn_array_init(&numbers, cn_heap_tag(heap, "array"));
    for (uint32_t i = 0; i < 8192; i++)
        assert_true(cn_array_push(&numbers, (uint16_t)i));
    assert_int_equal(numbers.capacity, 8192);
    assert_int_equal(cn_heap_stats(heap).calls, 11); /* 8, 16, ..., 8,192 */
    cn_array_fini(&numbers);
    cn_heap_destroy(heap);
}

static void reserved_items_are_pushed_without_a_heap_call(void **state)
{
    (void)state;
    CnHeap *heap = cn_heap_create(NULL, NULL);
    CnF32Array numbers;
    cn_array_init(&numbers, cn_heap_tag(heap, "array"));
    assert_true(cn_array_reserve(&numbers, 100));
    assert_true(cn_array_reserve(&numbers, 50));
    for (int i = 0; i < 100; i++)
        assert_true(cn_array_push(&numbers, (float)i));
    assert_int_equal(cn_heap_stats(heap).calls, 1);
    cn_array_fini(&numbers);
    cn_heap_destroy(heap);
}

static void more_than_32_bits_of_items_are_refused(void **state)
{
    (void)state;
    CnU8Array bytes;
    cn_array_init(&bytes, NULL);
    uint64_t too_many = (uint64_t)UINT32_MAX + 1;
    assert_false(cn_array_reserve(&bytes, too_many));
    assert_null(bytes.items);
    void *items = NULL;
    uint32_t capacity = 0;
    assert_false(cni_base_array_grow(&items, &capacity, NULL, SIZE_MAX / 4, 5));
    assert_null(items);
}

static void pop_takes_the_last_item(void **state)
{
    (void)state;
    CnU64Array numbers;
    cn_array_init(&numbers, NULL);
    assert_true(cn_array_push(&numbers, 1));
    assert_true(cn_array_push(&numbers, 2));
    assert_int_equal(cn_array_pop(&numbers), 2);
    assert_int_equal(numbers.count, 1);
    cn_array_fini(&numbers);
}

static void remove_swap_puts_the_last_item_in_place(void **state)
{
    (void)state;
    CnI64Array numbers;
    cn_array_init(&numbers, NULL);
    for (int64_t i = 0; i < 4; i++)
        assert_true(cn_array_push(&numbers, i));
    cn_array_remove_swap(&numbers, 1);
    assert_int_equal(numbers.count, 3);
    assert_int_equal(numbers.items[1], 3);
    cn_array_remove_swap(&numbers, 2);
    assert_int_equal(numbers.count, 2);
    cn_array_fini(&numbers);
}

static void clear_keeps_the_memory(void **state)
{
    (void)state;
    CnI8Array bytes;
    cn_array_init(&bytes, NULL);
    assert_true(cn_array_push(&bytes, 1));
    cn_array_clear(&bytes);
    assert_int_equal(bytes.count, 0);
    assert_true(bytes.capacity > 0);
    cn_array_fini(&bytes);
}

static void bytes_are_appended(void **state)
{
    (void)state;
    CnU8Array bytes;
    cn_array_init(&bytes, NULL);
    assert_true(cn_bytes_append(&bytes, "ab", 2));
    assert_true(cn_bytes_append(&bytes, NULL, 0));
    assert_true(cn_bytes_append(&bytes, "cde", 3));
    assert_int_equal(bytes.count, 5);
    assert_memory_equal(bytes.items, "abcde", 5);
    cn_array_fini(&bytes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bytes_are_appended),
        cmocka_unit_test(pushed_items_stay_in_order),
        cmocka_unit_test(a_push_takes_a_compound_literal),
        cmocka_unit_test(init_allocates_nothing_and_fini_frees_all),
        cmocka_unit_test(the_store_doubles),
        cmocka_unit_test(reserved_items_are_pushed_without_a_heap_call),
        cmocka_unit_test(more_than_32_bits_of_items_are_refused),
        cmocka_unit_test(pop_takes_the_last_item),
        cmocka_unit_test(remove_swap_puts_the_last_item_in_place),
        cmocka_unit_test(clear_keeps_the_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
