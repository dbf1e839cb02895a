/* No heap calls once a scene has settled. */
#include "cmocka_tests.h"

#include <cairn/scene/transform.h>

#define NODES 5000u

static CnHeap *heap;
static CnWorld *world;
static CnEntity entities[NODES];

static int make_scene(void **state)
{
    (void)state;
    heap = cn_heap_create(NULL, NULL);
    world = cn_world_create(&(CnWorldDesc){.allocator = cn_heap_tag(heap, "world")}, NULL);
    if (!world || !cn_transform_add(world, NULL))
        return -1;
    for (uint32_t i = 0; i < NODES; i++) {
        entities[i] = cn_spawn(world, cn_with_default(CnTransform));
        if (i && i < NODES / 2)
            cn_set_parent(world, entities[i], entities[i / 10]);
    }
    return 0;
}

static int drop_scene(void **state)
{
    (void)state;
    cn_world_destroy(world);
    cn_heap_destroy(heap);
    return 0;
}

static void assert_steady(void (*round)(uint32_t i))
{
    for (uint32_t i = 0; i < 4; i++)
        round(i);
    uint64_t calls = cn_heap_stats(heap).calls;
    for (uint32_t i = 4; i < 12; i++)
        round(i);
    assert_int_equal(cn_heap_stats(heap).calls - calls, 0);
}

static void move_and_read(uint32_t round)
{
    for (uint32_t i = round; i < NODES; i += 3) {
        cn_get_mut(world, entities[i], CnTransform)->position.x += 1;
        cn_transform_world_to_local(world, entities[i / 2]);
        cn_transform_world_scale(world, entities[i / 2]);
    }
}

static void move_and_update(uint32_t round)
{
    move_and_read(round);
    assert_true(cn_world_update(world, 0.1f, NULL));
}

static void attach_and_update(uint32_t round)
{
    for (uint32_t i = 1; i < NODES / 2; i += 7)
        cn_set_parent(world, entities[i], entities[round % 2 ? 0 : i / 10]);
    assert_true(cn_world_update(world, 0.1f, NULL));
}

static void reads_make_no_heap_calls(void **state)
{
    (void)state;
    assert_steady(move_and_read);
}

static void passes_make_no_heap_calls(void **state)
{
    (void)state;
    assert_steady(move_and_update);
}

static void passes_over_a_tree_that_changes_make_no_heap_calls(void **state)
{
    (void)state;
    assert_steady(attach_and_update);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(reads_make_no_heap_calls, make_scene, drop_scene),
        cmocka_unit_test_setup_teardown(passes_make_no_heap_calls, make_scene, drop_scene),
        cmocka_unit_test_setup_teardown(passes_over_a_tree_that_changes_make_no_heap_calls,
                                        make_scene, drop_scene),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
