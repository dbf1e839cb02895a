/* A tree that is spawned while memory runs out is there or not, and nothing else changes. */
#include "check_world.h"
#include "cmocka_tests.h"
#include "failing_heap.h"

#include <cairn/ecs.h>

CN_COMPONENT(Place, (f32, x), (f32, y));
CN_COMPONENT(Weight, (f64, kilograms));
CN_COMPONENT(Wide, (f64, numbers, 40));
CN_TAG(Heavy);

#define COUNT 6000u /* more than a page of numbers */

static CnWorld *make_world(CnAllocator *allocator, CnEntity *above)
{
    CnWorld *world = cn_world_create(&(CnWorldDesc){.allocator = allocator}, NULL);
    if (!world)
        return NULL;
    *above = cn_spawn(world, cn_with(Place, {1, 2}));
    CnEntity free = cn_entity_create(world);
    cn_destroy(world, free);
    if (above->id && free.id && cn_id(world, Weight).id && cn_id(world, Wide).id &&
        cn_id(world, Heavy).id)
        return world;
    cn_world_destroy(world);
    return NULL;
}

static bool spawn_a_tree(CnAllocator *allocator, void *user)
{
    static CnTreeSpawn spawns[COUNT];
    static CnEntity entities[COUNT];
    (void)user;
    CnEntity above;
    CnWorld *world = make_world(allocator, &above);
    if (!world)
        return false;
    CnValue values[] = {cn_with(Place, {3, 4}), cn_with(Weight, {1}), cn_with_tag(Heavy),
                        cn_with_default(Wide)};
    for (uint32_t i = 0; i < COUNT; i++)
        spawns[i] = (CnTreeSpawn){values + i % 4, 4 - i % 4, i % 7 ? i - 1 : UINT32_MAX};
    uint64_t before = cn_world_hash(world);
    CnTreeSpawnDesc desc = {.spawns = spawns, .count = COUNT, .root_parent = above};
    bool done = cn_spawn_tree(world, &desc, entities);
    assert_world_sound(world);
    if (done)
        assert_int_equal(cn_entity_count(world), COUNT + 1);
    else
        assert_int_equal(cn_world_hash(world), before);
    cn_world_destroy(world);
    return done;
}

static void a_tree_is_spawned_as_a_whole_or_not_at_all(void **state)
{
    (void)state;
    assert_true(run_with_failing_allocations(spawn_a_tree, NULL) > 20);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_tree_is_spawned_as_a_whole_or_not_at_all),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
