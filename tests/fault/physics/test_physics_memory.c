/* Physics when memory runs out: the plugin is not added, or a step is skipped and reported; nothing
 * leaks. */
#include "cmocka_tests.h"
#include "failing_heap.h"

#include "boxes/boxes.h"

#include <cairn/physics.h>
#include <cairn/scene/object.h>

#include <string.h>

static bool was_reported;

static void listen(const CnLogRecord *record, void *user)
{
    (void)user;
    was_reported |= strcmp(record->module, "physics") == 0;
}

static void ask(CnSim *sim)
{
    CnRaycastHit hits[4];
    CnWorld *world = cn_sim_world(sim);
    cn_physics_raycast_all(
        world, &(CnRaycastQuery){.origin = {0, 9, 0}, .direction = {0, -1, 0}, .distance = 20},
        hits, 4);
    cn_physics_overlap(world, &(CnShapeQuery){.shape = CN_SHAPE_SPHERE, .radius = 3}, NULL, 0);
}

static bool fall_a_little(CnAllocator *allocator, void *user)
{
    CnError error = {0};
    (void)user;
    was_reported = false;
    CnSim *sim = cn_sim_create(&(CnSimDesc){.allocator = allocator}, &error);
    bool done = sim && boxes_add(sim, &(BoxesDesc){30}, &error);
    for (int i = 0; done && i < 40; i++) {
        done = cn_sim_tick_n(sim, 1, &error);
        if (done && i % 8 == 0)
            ask(sim);
    }
    if (!done && error.code != CN_ERROR_MEMORY)
        fail_msg("another error: %d, %s", error.code, error.message);
    cn_sim_destroy(sim);
    return done && !was_reported;
}

static void physics_gives_all_memory_back_when_some_is_refused(void **state)
{
    (void)state;
    cn_log_set_level(CN_LOG_LEVEL_OFF);
    int sink = cn_log_add_sink(&(CnLogSink){.write = listen, .level = CN_LOG_LEVEL_ERROR});
    assert_true(run_with_failing_allocations(fall_a_little, NULL) > 50);
    cn_log_remove_sink(sink);
}

static void bodies_go_on_falling_when_memory_is_back(void **state)
{
    (void)state;
    CnHeap *heap = cn_heap_create(NULL, NULL);
    CnSim *sim = cn_sim_create(&(CnSimDesc){.allocator = cn_heap_tag(heap, "sim")}, NULL);
    assert_true(boxes_add(sim, &(BoxesDesc){30}, NULL));
    cn_log_set_level(CN_LOG_LEVEL_OFF);
    cn_heap_fail_after(heap, 0);
    cn_sim_tick_n(sim, 3, NULL);
    cn_heap_fail_after(heap, CN_HEAP_NEVER_FAIL);
    cn_sim_tick_n(sim, 400, NULL);
    assert_int_equal(boxes_state(sim).asleep, 30);
    cn_sim_destroy(sim);
    cn_heap_destroy(heap);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(physics_gives_all_memory_back_when_some_is_refused),
        cmocka_unit_test(bodies_go_on_falling_when_memory_is_back),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
