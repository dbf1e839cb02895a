/* Objects and scenes out of memory: what fails leaves the state as it was, and nothing leaks. */
#include "cmocka_tests.h"
#include "failing_heap.h"
#include "memory_files.h"
#include "object_churn.h"

#include <cairn/scene/behavior.h>

#include <string.h>

CN_COMPONENT(FaultyAim, (entity, at));

/* True: it was done. False: memory ran out, and the state is what it was. */
static bool step(CnWorld *world, bool done, uint64_t hash, CnErrorCode code)
{
    if (done)
        return true;
    assert_int_equal(code, CN_ERROR_MEMORY);
    assert_true(cn_world_hash(world) == hash);
    return false;
}

static bool make_some(CnWorld *world, CnEntity *car, CnEntity *wheel)
{
    CnError error = {0};
    uint64_t hash = cn_world_hash(world);
    *car = cn_object_create(world, &(CnObjectDesc){.name = "Car"}, &error);
    if (!step(world, car->id != 0, hash, error.code))
        return false;
    CnValue aim = cn_with(FaultyAim, {*car});
    CnObjectDesc desc = {.name = "Wheel", .parent = *car, .values = &aim, .value_count = 1};
    hash = cn_world_hash(world);
    *wheel = cn_object_create(world, &desc, &error);
    return step(world, wheel->id != 0, hash, error.code);
}

/* Found by uid, whatever could be remembered of it. */
static void assert_known(CnWorld *world, CnEntity object)
{
    assert_true(cn_entity_equal(cn_object_by_uid(world, cn_object_uid(world, object)), object));
}

static bool change_some(CnWorld *world, CnEntity car, CnEntity wheel)
{
    CnError error = {0};
    uint64_t hash = cn_world_hash(world);
    CnEntity copy = cn_object_clone(world, car, CN_NO_PARENT, &error);
    if (!step(world, copy.id != 0, hash, error.code))
        return false;
    assert_known(world, copy);
    hash = cn_world_hash(world);
    if (!cn_object_set_enabled(world, car, false)) {
        assert_true(cn_object_is_active(world, car));
        return false;
    }
    if (!cn_object_set_parent(world, wheel, copy, CN_REPARENT_KEEP_WORLD, &error)) {
        assert_int_equal(error.code, CN_ERROR_MEMORY);
        return false;
    }
    return cn_object_refresh_active(world);
}

static bool use_objects(CnAllocator *allocator, void *user)
{
    (void)user;
    CnError error = {0};
    CnWorld *world = cn_world_create(&(CnWorldDesc){.allocator = allocator}, NULL);
    CnEntity car, wheel;
    bool done = world && cn_object_add(world, &error) && make_some(world, &car, &wheel);
    if (done) {
        assert_known(world, car);
        assert_known(world, wheel);
        done = change_some(world, car, wheel);
        assert_known(world, wheel);
    }
    cn_world_destroy(world);
    return done;
}

static void objects_survive_each_allocation_that_fails(void **state)
{
    (void)state;
    cn_log_set_level(CN_LOG_LEVEL_OFF);
    assert_true(run_with_failing_allocations(use_objects, NULL) > 30);
}

static int attached;

static void attach(const CnBehaviorCall *call, void *self)
{
    (void)call, (void)self;
    attached++;
}

static void detach(const CnBehaviorCall *call, void *self)
{
    (void)call, (void)self;
    attached--;
}

static bool use_behaviors(CnAllocator *allocator, void *user)
{
    (void)user;
    CnError error = {0};
    CnBehavior behavior = {.type = &cn_type_FaultyAim, .on_attach = attach, .on_detach = detach};
    CnWorld *world = cn_world_create(&(CnWorldDesc){.allocator = allocator}, NULL);
    CnEntity car, wheel;
    bool done = world && cn_behavior_add(world, &behavior, &error) &&
                make_some(world, &car, &wheel) && change_some(world, car, wheel);
    cn_world_destroy(world);
    assert_int_equal(attached, 0);
    return done;
}

static void each_that_was_attached_is_detached(void **state)
{
    (void)state;
    assert_true(run_with_failing_allocations(use_behaviors, NULL) > 30);
}

static bool use_scenes(CnAllocator *allocator, void *user)
{
    CnError error = {0};
    CnPlugin churn = object_churn_plugin();
    CnScenes *scenes = cn_scenes_create(
        &(CnScenesDesc){.allocator = allocator, .plugins = &churn, .plugin_count = 1}, &error);
    bool done = scenes && cn_scene_create(scenes, &(CnSceneDesc){.name = "Menu"}, &error);
    if (done && !cn_scene_load(scenes, user, "level.json", &error)) {
        assert_int_equal(cn_scenes_count(scenes), 1);
        done = false;
    }
    done = done && cn_scenes_switch(scenes, "Level", &error) && cn_scenes_tick_n(scenes, 3, &error);
    if (!done && error.code != CN_ERROR_MEMORY)
        fail_msg("another error: %d, %s", error.code, error.message);
    cn_scenes_destroy(scenes);
    return done;
}

static void scenes_survive_each_allocation_that_fails(void **state)
{
    (void)state;
    MemoryFiles memory;
    memory_files_init(&memory);
    memory_files_set(&memory, "level.json",
                     "{\"id\": \"Level\", \"nodes\": [{\"id\": \"Box\", \"components\": "
                     "[{\"type\": \"ChurnLife\", \"age\": 7}]}]}");
    assert_true(run_with_failing_allocations(use_scenes, &memory.files) > 100);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(objects_survive_each_allocation_that_fails),
        cmocka_unit_test(each_that_was_attached_is_detached),
        cmocka_unit_test(scenes_survive_each_allocation_that_fails),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
