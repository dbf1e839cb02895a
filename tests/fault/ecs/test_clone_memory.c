/* Memory that ends in the middle of cloning: no clone, no leak, and the original is as it was. */
#include "check_world.h"
#include "cmocka_tests.h"
#include "rich_world.h"

static void do_nothing(CnSystemContext *context)
{
    (void)context;
}

static CnWorld *make_world(CnHeap *heap)
{
    CnWorld *world = rich_world_create(cn_heap_tag(heap, "original"));
    assert_non_null(world);
    cn_register(world, RichSocket, .flags = CN_COMPONENT_COPYABLE);
    cn_send(cn_channel(world, RichClock), RichClock, {3});
    assert_non_null(cn_commands_create(world, NULL));
    assert_true(cn_system_add(world,
                              &(CnSystemDesc){.name = "reader",
                                              .run = do_nothing,
                                              .query = {.all = {cn_reads(RichPosition)}}},
                              NULL)
                    .id);
    assert_true(cn_flush(world));
    return world;
}

static void every_allocation_of_a_clone_fails_once(void **state)
{
    (void)state;
    CnHeap *heap = cn_heap_create(NULL, NULL);
    CnWorld *world = make_world(heap);
    uint64_t hash = cn_world_hash(world), before = cn_heap_stats(heap).live_bytes;
    CnWorld *clone = NULL;
    uint64_t n = 0;
    for (; !clone; n++) {
        CnError error = {0};
        cn_heap_fail_after(heap, n);
        clone = cn_world_clone(world, cn_heap_tag(heap, "clone"), &error);
        cn_heap_fail_after(heap, CN_HEAP_NEVER_FAIL);
        if (clone)
            break;
        assert_int_equal(error.code, CN_ERROR_MEMORY);
        assert_int_equal(cn_heap_stats(heap).live_bytes, before);
        assert_true(cn_world_hash(world) == hash);
    }
    assert_true(n > 20);
    assert_true(cn_world_hash(clone) == hash);
    assert_world_sound(clone);
    cn_world_destroy(clone);
    assert_int_equal(cn_heap_stats(heap).live_bytes, before);
    cn_world_destroy(world);
    cn_heap_destroy(heap);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_allocation_of_a_clone_fails_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
