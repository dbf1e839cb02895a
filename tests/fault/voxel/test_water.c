/* Water when memory runs out: it waits, and nothing of it is forgotten. */
#include "cmocka_tests.h"
#include "failing_heap.h"
#include "standard_blocks.h"
#include "water_world.h"

static WaterWorld *make_stairs(CnAllocator *allocator)
{
    WaterWorld *world = water_world_create(allocator, 40, 8, 40);
    if (!world)
        return NULL;
    for (int32_t x = 0; x < 40; x++)
        if (x % 10 < 7)
            water_world_fill(world, (CnCell){x, 0, 0}, (CnCell){x, 6 - x / 6, 39}, BLOCK_STONE);
    water_world_set(world, 1, 7, 16, CN_BLOCK_WATER);
    return world;
}

static bool run_and_compare(CnAllocator *allocator, void *user)
{
    const WaterWorld *rest = user;
    WaterWorld *world = make_stairs(allocator);
    if (!world)
        return false;
    bool woken = cn_water_wake(world->water, (CnCell){1, 7, 16});
    if (!woken)
        assert_int_equal(cn_water_awake(world->water), 0);
    /* Where memory stays out, it does not move any more, but it is still awake. */
    water_world_step(world, 200);
    bool rests = woken && cn_water_awake(world->water) == 0;
    if (rests)
        assert_memory_equal(world->blocks, rest->blocks, 40 * 8 * 40 * sizeof *rest->blocks);
    else if (woken)
        assert_true(cn_water_awake(world->water) > 0);
    water_world_destroy(world);
    return rests;
}

static void water_that_finds_no_memory_waits(void **state)
{
    (void)state;
    WaterWorld *rest = make_stairs(NULL);
    cn_water_wake(rest->water, (CnCell){1, 7, 16});
    water_world_settle(rest, 200);
    assert_true(run_with_failing_allocations(run_and_compare, rest) > 10);
    water_world_destroy(rest);
}

/* Memory is out again and again for a while, in the middle of steps. */
static void water_goes_on_when_there_is_memory_again(void **state)
{
    (void)state;
    CnHeap *heap = cn_heap_create(NULL, NULL);
    WaterWorld *rest = make_stairs(NULL), *world = make_stairs(cn_heap_tag(heap, "water"));
    cn_water_wake(rest->water, (CnCell){1, 7, 16});
    water_world_settle(rest, 200);
    cn_water_wake(world->water, (CnCell){1, 7, 16});
    for (uint32_t step = 0; cn_water_awake(world->water) > 0; step++) {
        assert_true(step < 1000);
        cn_heap_fail_after(heap, step % 4 == 3 ? CN_HEAP_NEVER_FAIL : step % 4);
        water_world_step(world, 1);
    }
    assert_memory_equal(world->blocks, rest->blocks, 40 * 8 * 40 * sizeof *rest->blocks);
    water_world_destroy(world);
    water_world_destroy(rest);
    cn_heap_destroy(heap);
}

static void steps_make_no_heap_calls_once_they_have_had_their_room(void **state)
{
    (void)state;
    CnHeap *heap = cn_heap_create(NULL, NULL);
    WaterWorld *world = make_stairs(cn_heap_tag(heap, "water"));
    uint64_t calls = 0;
    for (uint32_t round = 0; round < 3; round++) {
        calls = cn_heap_stats(heap).calls;
        water_world_put(world, 1, 7, 16, CN_BLOCK_WATER);
        water_world_settle(world, 200);
        water_world_put(world, 1, 7, 16, CN_BLOCK_AIR);
        water_world_settle(world, 200);
    }
    assert_int_equal(cn_heap_stats(heap).calls, calls);
    water_world_destroy(world);
    cn_heap_destroy(heap);
}

static void where_water_has_been_is_forgotten(void **state)
{
    (void)state;
    CnHeap *heap = cn_heap_create(NULL, NULL);
    WaterWorld *world = water_world_create(cn_heap_tag(heap, "water"), 16 * 60, 1, 1);
    uint64_t bytes = 0;
    for (int32_t i = 0; i < 60; i++) {
        water_world_put(world, 16 * i + 8, 0, 0, CN_BLOCK_WATER);
        water_world_settle(world, 100);
        if (i == 5)
            bytes = cn_heap_stats(heap).live_bytes;
    }
    assert_int_equal(cn_heap_stats(heap).live_bytes, bytes);
    water_world_destroy(world);
    cn_heap_destroy(heap);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(water_that_finds_no_memory_waits),
        cmocka_unit_test(water_goes_on_when_there_is_memory_again),
        cmocka_unit_test(steps_make_no_heap_calls_once_they_have_had_their_room),
        cmocka_unit_test(where_water_has_been_is_forgotten),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
