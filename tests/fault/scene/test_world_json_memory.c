/* Memory that ends while a world is written as JSON or read from it: an error, no leak, and worlds
 * that stay sound. */
#include "check_world.h"
#include "cmocka_tests.h"
#include "rich_world.h"

#include <cairn/scene/world_json.h>

static CnHeap *heap;
static CnWorld *world;

static int make(void **state)
{
    (void)state;
    heap = cn_heap_create(NULL, NULL);
    world = rich_world_create(cn_heap_tag(heap, "world"));
    return heap && world && cn_flush(world) ? 0 : -1;
}

static int drop(void **state)
{
    (void)state;
    cn_world_destroy(world);
    cn_heap_destroy(heap);
    return 0;
}

static void every_allocation_of_writing_fails_once(void **state)
{
    (void)state;
    uint64_t hash = cn_world_hash(world), before = cn_heap_stats(heap).live_bytes, n = 0;
    for (bool done = false; !done; n++) {
        CnError error = {0};
        CnTextBuilder text;
        cn_array_init(&text, cn_heap_tag(heap, "text"));
        cn_heap_fail_after(heap, n);
        done = cn_world_to_json(world, &text, &error);
        cn_heap_fail_after(heap, CN_HEAP_NEVER_FAIL);
        if (!done)
            assert_int_equal(error.code, CN_ERROR_MEMORY);
        cn_array_fini(&text);
        assert_true(cn_world_hash(world) == hash);
        assert_int_equal(cn_heap_stats(heap).live_bytes, before);
    }
    assert_true(n > 5);
}

static void every_allocation_of_reading_fails_once(void **state)
{
    (void)state;
    CnTextBuilder text;
    cn_array_init(&text, NULL);
    assert_true(cn_world_to_json(world, &text, NULL));
    CnWorld *other = cn_world_create(&(CnWorldDesc){.allocator = cn_heap_tag(heap, "other")}, NULL);
    assert_true(other && rich_world_register(other));
    uint64_t n = 0;
    for (bool done = false; !done; n++) {
        CnError error = {0};
        cn_heap_fail_after(heap, n);
        done = cn_world_from_json(other, "world.json", (CnText){text.items, text.count}, &error);
        cn_heap_fail_after(heap, CN_HEAP_NEVER_FAIL);
        if (!done)
            assert_int_equal(error.code, CN_ERROR_MEMORY);
        assert_world_sound(other);
    }
    assert_true(n > 20);
    assert_true(cn_world_hash(other) == cn_world_hash(world));
    cn_world_destroy(other);
    cn_array_fini(&text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(every_allocation_of_writing_fails_once, make, drop),
        cmocka_unit_test_setup_teardown(every_allocation_of_reading_fails_once, make, drop),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
