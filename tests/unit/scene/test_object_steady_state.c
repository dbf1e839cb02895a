/* Ten thousand objects: a tick makes no heap call. */
#include "cmocka_tests.h"

#include <cairn/scene/behavior.h>
#include <cairn/scene/scene.h>

CN_COMPONENT(SteadySpin, (f32, speed), (u32, turns));
CN_COMPONENT(SteadySpark, (u32, age));

#define OBJECTS 10000u

static CnHeap *heap;
static CnScenes *scenes;
static CnWorld *world;

static void turn(const CnBehaviorCall *call, void *self)
{
    SteadySpin *spin = self;
    spin->turns++;
    cn_get_mut(call->world, call->object, CnTransform)->position.x += spin->speed;
}

static int make_scene(void **state)
{
    (void)state;
    heap = cn_heap_create(NULL, NULL);
    scenes = cn_scenes_create(&(CnScenesDesc){.allocator = cn_heap_tag(heap, "scenes")}, NULL);
    world = cn_scene_world(cn_scene_create(scenes, &(CnSceneDesc){.name = "Main"}, NULL));
    CnBehavior behavior = {.type = &cn_type_SteadySpin, .update = turn};
    if (!cn_behavior_add(world, &behavior, NULL))
        return -1;
    CnEntity parent = CN_NO_PARENT;
    for (uint32_t i = 0; i < OBJECTS; i++) {
        CnEntity object = cn_object(world, "Box", .parent = i % 10 ? parent : CN_NO_PARENT);
        if (i % 10 == 0)
            cn_set(world, object, SteadySpin, {.speed = 1});
        if (i % 10 < 3)
            parent = object;
    }
    return 0;
}

static int drop_scene(void **state)
{
    (void)state;
    cn_scenes_destroy(scenes);
    int leaked = cn_heap_stats(heap).live_blocks != 0;
    cn_heap_destroy(heap);
    return leaked;
}

static uint64_t calls_of(uint64_t ticks)
{
    uint64_t before = cn_heap_stats(heap).calls;
    assert_true(cn_scenes_tick_n(scenes, ticks, NULL));
    return cn_heap_stats(heap).calls - before;
}

static void ticks_with_behaviors_make_no_heap_call(void **state)
{
    (void)state;
    calls_of(10);
    assert_int_equal(calls_of(20), 0);
    assert_int_equal(cn_get(world, cn_object_find(world, "Box"), SteadySpin)->turns, 30);
}

static void frames_make_no_heap_call(void **state)
{
    (void)state;
    for (int i = 0; i < 10; i++)
        assert_true(cn_scenes_frame(scenes, 1.0 / 60, NULL));
    uint64_t before = cn_heap_stats(heap).calls;
    for (int i = 0; i < 20; i++)
        assert_true(cn_scenes_frame(scenes, 1.0 / 60, NULL));
    assert_int_equal(cn_heap_stats(heap).calls, before);
}

/* Each tick: ten die, ten come, some are switched, one changes its parent. */
static void stir(CnSystemContext *context)
{
    CnChunkView view;
    uint32_t died = 0;
    for (CnQueryIter it = cn_query_iter(context->query); cn_query_next(&it, &view);) {
        SteadySpark *sparks = cn_column(&view, SteadySpark);
        for (uint32_t i = 0; i < view.count; i++)
            if (++sparks[i].age > 10 && died++ < 10)
                cn_defer_destroy(context->commands, view.entities[i]);
    }
    CnEntity parent = cn_object_find(context->world, "Box");
    for (uint32_t i = 0; i < 10; i++) {
        CnValue spark = cn_with(SteadySpark, {0});
        CnObjectDesc desc = {.name = "Spark", .parent = parent, .values = &spark, .value_count = 1};
        cn_defer_object(context->commands, &desc);
    }
    for (CnEntity child = cn_first_child(context->world, parent); child.id;
         child = cn_next_sibling(context->world, child))
        cn_get_mut(context->world, child, CnObject)->enabled ^= 1;
}

static void ticks_with_coming_and_going_make_no_heap_call(void **state)
{
    (void)state;
    CnSystemDesc desc = {.name = "stir",
                         .run = stir,
                         .stage = CN_STAGE_UPDATE,
                         .query = {.all = {cn_writes(SteadySpark)}},
                         .access = {cn_writes(CnObject), cn_reads(CnNode), cn_reads(CnObjects)}};
    assert_true(cn_system_add(world, &desc, NULL).id != 0);
    calls_of(60);
    assert_int_equal(calls_of(60), 0);
    assert_true(cn_entity_count(world) > OBJECTS && cn_entity_count(world) < OBJECTS + 200);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, make_scene, drop_scene)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(ticks_with_behaviors_make_no_heap_call),
        TEST(frames_make_no_heap_call),
        TEST(ticks_with_coming_and_going_make_no_heap_call),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
