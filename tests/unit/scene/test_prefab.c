/* Prefabs: read once, spawned many times, remembered. */
#include "cmocka_tests.h"
#include "memory_files.h"
#include "scene_world.h"

#include <cairn/scene/camera.h>

static CnWorld *world;
static MemoryFiles memory;
static CnError error;

static const char car[] =
    "{\"id\": \"Car\", \"uid\": 5, \"components\": ["
    "{\"type\": \"TransformComponent\", \"position\": [1, 2, 3]},"
    "{\"type\": \"LampComponent\", \"watts\": 7, \"shape\": {\"type\": \"Ball\", \"radius\": 2}},"
    "{\"type\": \"SceneLink\", \"target\": \"Car/Wheel\", \"strength\": 4}],"
    "\"children\": [{\"id\": \"Wheel\", \"prefab\": \"wheel.json\"}, {\"id\": \"Seat\"}]}";
static const char wheel[] = "{\"id\": \"Wheel\", \"enabled\": false, "
                            "\"components\": [{\"type\": \"SceneMarked\"}]}";

static int make_world(void **state)
{
    (void)state;
    memory_files_init(&memory);
    memory_files_set(&memory, "car.json", car);
    memory_files_set(&memory, "wheel.json", wheel);
    world = scene_world_create(NULL);
    cn_error_clear(&error);
    return world ? 0 : -1;
}

static int drop_world(void **state)
{
    (void)state;
    cn_world_destroy(world);
    return 0;
}

#define PREFAB_TEST(name) cmocka_unit_test_setup_teardown(name, make_world, drop_world)

static CnEntity spawn(const char *path, CnEntity parent)
{
    CnEntity root = cn_prefab_spawn(world, &memory.files, path, parent, &error);
    if (cn_entity_is_null(root))
        fail_msg("%s", error.message);
    return root;
}

static void read_scene(const char *text)
{
    if (!cn_scene_read_text(world, &memory.files, "test.json", cn_text(text), NULL, &error))
        fail_msg("%d:%d: %s", error.line, error.column, error.message);
}

static void a_prefab_is_a_node_in_a_file(void **state)
{
    (void)state;
    CnEntity root = spawn("car.json", CN_NO_PARENT);
    assert_string_equal(cn_object_name(world, root), "Car");
    assert_true(cn_get(world, root, CnTransform)->position.y == 2);
    assert_true(cn_get(world, root, SceneLamp)->radius == 2);
    CnEntity turning = cn_object_child(world, root, "Wheel");
    assert_true(cn_has(world, turning, SceneMarked));
    assert_false(cn_object_is_enabled(world, turning));
    assert_false(cn_object_is_active(world, turning));
    assert_int_equal(cn_get(world, root, SceneLink)->target.id, turning.id);
}

static void it_is_read_once_and_spawned_often(void **state)
{
    (void)state;
    CnEntity first = spawn("car.json", CN_NO_PARENT), second = spawn("car.json", first);
    assert_int_equal(memory.reads, 2); /* the wheel, too */
    assert_int_equal(cn_parent(world, second).id, first.id);
    assert_true(cn_object_uid(world, first) != cn_object_uid(world, second));
    assert_int_equal(cn_get(world, first, SceneLink)->target.id,
                     cn_object_child(world, first, "Wheel").id);
    assert_int_equal(cn_get(world, second, SceneLink)->target.id,
                     cn_object_child(world, second, "Wheel").id);
}

static void it_remembers_its_source(void **state)
{
    (void)state;
    CnEntity root = spawn("car.json", CN_NO_PARENT);
    assert_string_equal(cn_get(world, root, CnPrefabSource)->path, "car.json");
    assert_string_equal(cn_get(world, cn_object_child(world, root, "Wheel"), CnPrefabSource)->path,
                        "wheel.json");
    assert_false(cn_has(world, cn_object_child(world, root, "Seat"), CnPrefabSource));
}

static void what_changed_is_seen_when_it_was_forgotten(void **state)
{
    (void)state;
    spawn("wheel.json", CN_NO_PARENT);
    memory_files_set(&memory, "wheel.json", "{\"id\": \"Round\"}");
    assert_string_equal(cn_object_name(world, spawn("wheel.json", CN_NO_PARENT)), "Wheel");
    cn_prefab_unload(world, "wheel.json");
    assert_string_equal(cn_object_name(world, spawn("wheel.json", CN_NO_PARENT)), "Round");
    memory_files_set(&memory, "wheel.json", "{\"id\": \"Rounder\"}");
    cn_prefab_unload(world, "car.json");
    cn_prefab_unload(world, NULL);
    assert_string_equal(cn_object_name(world, spawn("wheel.json", CN_NO_PARENT)), "Rounder");
}

static void one_that_contains_another_keeps_it_when_that_is_forgotten(void **state)
{
    (void)state;
    spawn("car.json", CN_NO_PARENT);
    memory_files_set(&memory, "wheel.json", "{\"id\": \"Round\"}");
    cn_prefab_unload(world, "wheel.json");
    CnEntity again = spawn("car.json", CN_NO_PARENT);
    assert_true(cn_has(world, cn_object_child(world, again, "Wheel"), SceneMarked));
}

static void own_values_lie_over_those_of_the_prefab(void **state)
{
    (void)state;
    read_scene("{\"nodes\": [{\"id\": \"Mine\", \"uid\": 9, \"enabled\": false, \"prefab\": "
               "\"car.json\", \"components\": ["
               "{\"type\": \"LampComponent\", \"shape\": {\"radius\": 3}},"
               "{\"type\": \"SceneLink\", \"target\": null},"
               "{\"type\": \"SceneMarked\"}]}]}");
    CnEntity root = cn_object_find(world, "Mine");
    assert_int_equal(cn_object_uid(world, root), 9);
    assert_false(cn_object_is_enabled(world, root));
    const SceneLamp *lamp = cn_get(world, root, SceneLamp);
    assert_true(lamp->power == 7 && lamp->radius == 3 && lamp->kind == 1);
    assert_true(cn_get(world, root, SceneLink)->target.id == 0);
    assert_true(cn_get(world, root, SceneLink)->strength == 4);
    assert_true(cn_has(world, root, SceneMarked));
    CnEntity other = spawn("car.json", CN_NO_PARENT);
    assert_true(cn_get(world, other, SceneLamp)->radius == 2);
    assert_false(cn_has(world, other, SceneMarked));
    assert_true(cn_get(world, other, SceneLink)->target.id != 0);
}

static void a_prefab_can_be_a_variant_of_another(void **state)
{
    (void)state;
    memory_files_set(&memory, "red.json", "{\"id\": \"Red\", \"prefab\": \"car.json\"}");
    CnEntity root = spawn("red.json", CN_NO_PARENT);
    assert_string_equal(cn_object_name(world, root), "Red");
    assert_string_equal(cn_get(world, root, CnPrefabSource)->path, "red.json");
    assert_int_equal(cn_child_count(world, root), 2);
}

static void with_an_origin_a_node_only_remembers(void **state)
{
    (void)state;
    read_scene("{\"nodes\": [{\"id\": \"A\", \"origin\": \"gone.json\"}]}");
    CnEntity a = cn_object_find(world, "A");
    assert_string_equal(cn_get(world, a, CnPrefabSource)->path, "gone.json");
    assert_int_equal(cn_child_count(world, a), 0);
}

static void a_dead_parent_is_refused_and_nothing_changes(void **state)
{
    (void)state;
    CnEntity dead = cn_object(world, "A");
    cn_destroy(world, dead);
    uint64_t hash = cn_world_hash(world);
    assert_true(cn_entity_is_null(cn_prefab_spawn(world, &memory.files, "car.json", dead, &error)));
    assert_int_equal(error.code, CN_ERROR_NOT_FOUND);
    assert_true(cn_world_hash(world) == hash);
}

static void a_prefab_file_may_name_its_schema_but_no_node_in_it(void **state)
{
    (void)state;
    memory_files_set(&memory, "a.json", "{\"$schema\": \"s.json\", \"id\": \"A\"}");
    memory_files_set(&memory, "b.json",
                     "{\"id\": \"B\", \"children\": [{\"$schema\": \"s.json\", \"id\": \"C\"}]}");
    spawn("a.json", CN_NO_PARENT);
    assert_true(
        cn_entity_is_null(cn_prefab_spawn(world, &memory.files, "b.json", CN_NO_PARENT, &error)));
    assert_string_equal(error.message, "a node has no member \"$schema\"");
}

static void a_file_that_is_missing_is_an_error(void **state)
{
    (void)state;
    assert_true(
        cn_entity_is_null(cn_prefab_spawn(world, &memory.files, "no", CN_NO_PARENT, &error)));
    assert_int_equal(error.code, CN_ERROR_NOT_FOUND);
    assert_string_equal(error.file, "no");
}

/* ---- Where structure may not change ---- */

static CnEntity spawned;

static void spawn_in_system(CnSystemContext *context)
{
    spawned = cn_defer_prefab(context->commands, &memory.files, "car.json", CN_NO_PARENT, &error);
    assert_false(cn_is_alive(context->world, spawned));
}

static void a_system_gets_the_id_at_once_and_the_objects_later(void **state)
{
    (void)state;
    CnSystemDesc desc = {
        .name = "spawn", .run = spawn_in_system, .stage = CN_STAGE_UPDATE, .alone = true};
    assert_true(cn_system_add(world, &desc, &error).id != 0);
    assert_true(cn_world_update(world, 0.1f, &error));
    assert_true(cn_is_alive(world, spawned));
    CnEntity turning = cn_object_child(world, spawned, "Wheel");
    assert_true(cn_has(world, turning, SceneMarked));
    assert_int_equal(cn_get(world, spawned, SceneLink)->target.id, turning.id);
    assert_string_equal(cn_get(world, spawned, CnPrefabSource)->path, "car.json");
    assert_true(cn_object_uid(world, spawned) != 0);
    assert_false(cn_object_is_active(world, turning));
    assert_true(cn_get(world, spawned, SceneLamp)->radius == 2);
}

static void spawn_in_hook(CnWorld *of, CnEntity entity, CnComponent component, void *user)
{
    (void)component;
    (void)user;
    spawned = cn_prefab_spawn(of, &memory.files, "car.json", entity, &error);
    cn_prefab_unload(of, NULL);
}

static void a_hook_may_spawn_and_forget(void **state)
{
    (void)state;
    CnHooks hooks = {.on_add = {spawn_in_hook, NULL}};
    cn_component_set_hooks(world, cn_id(world, SceneEvery), &hooks);
    memory_files_set(&memory, "every.json",
                     "{\"id\": \"E\", \"components\": [{\"type\": \"SceneEvery\"}]}");
    CnEntity root = spawn("every.json", CN_NO_PARENT);
    assert_int_equal(cn_parent(world, spawned).id, root.id);
    assert_int_equal(cn_get(world, spawned, SceneLink)->target.id,
                     cn_object_child(world, spawned, "Wheel").id);
}

static void spawning_again_and_again_makes_no_heap_calls(void **state)
{
    (void)state;
    CnHeap *heap = cn_heap_create(NULL, NULL);
    CnWorld *counted = scene_world_create(cn_heap_tag(heap, "world"));
    for (int i = 0; i < 20; i++)
        cn_destroy(counted,
                   cn_prefab_spawn(counted, &memory.files, "car.json", CN_NO_PARENT, NULL));
    uint64_t before = cn_heap_stats(heap).calls;
    for (int i = 0; i < 20; i++)
        cn_destroy(counted,
                   cn_prefab_spawn(counted, &memory.files, "car.json", CN_NO_PARENT, NULL));
    assert_int_equal(cn_heap_stats(heap).calls, before);
    cn_world_destroy(counted);
    cn_heap_destroy(heap);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        PREFAB_TEST(a_prefab_is_a_node_in_a_file),
        PREFAB_TEST(it_is_read_once_and_spawned_often),
        PREFAB_TEST(it_remembers_its_source),
        PREFAB_TEST(what_changed_is_seen_when_it_was_forgotten),
        PREFAB_TEST(one_that_contains_another_keeps_it_when_that_is_forgotten),
        PREFAB_TEST(own_values_lie_over_those_of_the_prefab),
        PREFAB_TEST(a_prefab_can_be_a_variant_of_another),
        PREFAB_TEST(with_an_origin_a_node_only_remembers),
        PREFAB_TEST(a_dead_parent_is_refused_and_nothing_changes),
        PREFAB_TEST(a_prefab_file_may_name_its_schema_but_no_node_in_it),
        PREFAB_TEST(a_file_that_is_missing_is_an_error),
        PREFAB_TEST(a_system_gets_the_id_at_once_and_the_objects_later),
        PREFAB_TEST(a_hook_may_spawn_and_forget),
        PREFAB_TEST(spawning_again_and_again_makes_no_heap_calls),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
