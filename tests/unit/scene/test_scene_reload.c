/* Scenes and prefabs whose files change while they run. */
#include "cmocka_tests.h"
#include "memory_files.h"

#include <cairn/scene.h>

static MemoryFiles memory;
static CnHeap *heap;
static CnScenes *scenes;
static CnScene *scene;
static CnWorld *world;
static CnSceneReload report;
static CnError error;

#define NODE(name, x, intensity)                                                                   \
    "{\"id\": \"" name "\", \"components\": ["                                                     \
    "{\"type\": \"TransformComponent\", \"position\": [" x ", 0, 0]},"                             \
    "{\"type\": \"LightComponent\", \"intensity\": " intensity "}]}"
#define SCENE(nodes) "{\"id\": \"S\", \"nodes\": [" nodes "]}"

static int begin(void **state)
{
    (void)state;
    cn_error_clear(&error);
    memory_files_init(&memory);
    heap = cn_heap_create(NULL, NULL);
    scenes = cn_scenes_create(
        &(CnScenesDesc){.allocator = cn_heap_tag(heap, "scenes"), .reloadable = true}, &error);
    scene = NULL;
    return scenes ? 0 : -1;
}

static int end(void **state)
{
    (void)state;
    cn_scenes_destroy(scenes);
    cn_heap_destroy(heap);
    return 0;
}

#define RELOAD_TEST(name) cmocka_unit_test_setup_teardown(name, begin, end)

static void load(const char *text)
{
    memory_files_set(&memory, "s.json", text);
    scene = cn_scene_load(scenes, &memory.files, "s.json", &error);
    if (!scene)
        fail_msg("%s:%d: %s", error.file, error.line, error.message);
    world = cn_scene_world(scene);
}

static bool reload_path(const char *path)
{
    cn_error_clear(&error);
    return cn_scene_reload(scene, &memory.files, &path, 1, &report, &error);
}

static void change(const char *path, const char *text)
{
    memory_files_set(&memory, path, text);
    if (!reload_path(path))
        fail_msg("%s:%d: %s", error.file, error.line, error.message);
}

static CnEntity object(const char *path)
{
    CnEntity found = cn_object_find(world, path);
    if (cn_entity_is_null(found))
        fail_msg("there is no %s", path);
    return found;
}

static float intensity(const char *path)
{
    return cn_get(world, object(path), CnLight)->intensity;
}

static float position(const char *path)
{
    return cn_get(world, object(path), CnTransform)->position.x;
}

static void move(const char *path, float x)
{
    cn_get_mut(world, object(path), CnTransform)->position.x = x;
}

/* ---- Scenes ---- */

static void a_field_that_changed_in_the_file_changes(void **state)
{
    (void)state;
    load(SCENE(NODE("A", "1", "2")));
    CnEntity before = object("A");
    change("s.json", SCENE(NODE("A", "1", "5")));
    assert_true(intensity("A") == 5);
    assert_true(cn_entity_equal(object("A"), before));
    assert_int_equal(report.changed_objects, 1);
    assert_int_equal(report.changed_fields, 1);
}

static void other_fields_keep_what_the_simulation_wrote(void **state)
{
    (void)state;
    load(SCENE(NODE("A", "1", "2")));
    move("A", 70);
    cn_get_mut(world, object("A"), CnTransform)->position.y = 7;
    change("s.json", SCENE(NODE("A", "1", "5")));
    assert_true(position("A") == 70);
    assert_true(cn_get(world, object("A"), CnTransform)->position.y == 7);
}

static void a_position_that_changed_in_the_file_is_set(void **state)
{
    (void)state;
    load(SCENE(NODE("A", "1", "2")));
    move("A", 70);
    change("s.json", SCENE(NODE("A", "3", "2")));
    assert_true(position("A") == 3);
}

static void nothing_happens_if_only_blanks_changed(void **state)
{
    (void)state;
    load(SCENE(NODE("A", "1", "2")));
    move("A", 70);
    change("s.json", SCENE("  " NODE("A", "1", "2")));
    assert_true(report.is_read);
    assert_int_equal(report.changed_fields + report.added_objects + report.removed_objects, 0);
    assert_true(position("A") == 70);
}

static void a_new_node_becomes_an_object(void **state)
{
    (void)state;
    load(SCENE(NODE("A", "1", "2")));
    change("s.json",
           SCENE(NODE("A", "1", "2") ", {\"id\": \"B\", \"children\": [" NODE("C", "4", "6") "]}"));
    assert_true(intensity("B/C") == 6);
    assert_int_equal(report.added_objects, 2);
    change("s.json",
           SCENE(NODE("A", "1", "2") ", {\"id\": \"B\", \"children\": [" NODE("C", "4", "8") "]}"));
    assert_true(intensity("B/C") == 8);
}

static void a_new_node_is_below_the_object_of_its_parent(void **state)
{
    (void)state;
    load(SCENE("{\"id\": \"A\", \"children\": []}"));
    assert_true(cn_object_rename(world, object("A"), "Renamed", &error));
    change("s.json", SCENE("{\"id\": \"A\", \"children\": [" NODE("C", "4", "6") "]}"));
    assert_true(intensity("Renamed/C") == 6);
}

static void the_object_of_a_node_that_is_gone_is_destroyed(void **state)
{
    (void)state;
    load(SCENE(NODE("A", "1", "2") ", {\"id\": \"B\", \"children\": [" NODE("C", "4", "6") "]}"));
    cn_object(world, "Spawned", .parent = object("B"));
    change("s.json", SCENE(NODE("A", "1", "2")));
    assert_true(cn_entity_is_null(cn_object_find(world, "B")));
    assert_true(cn_entity_is_null(cn_object_find(world, "B/C")));
    assert_int_equal(report.removed_objects, 1);
}

static void an_object_that_the_game_destroyed_stays_away(void **state)
{
    (void)state;
    load(SCENE("{\"id\": \"A\", \"children\": []}"));
    cn_destroy(world, object("A"));
    change("s.json", SCENE("{\"id\": \"A\", \"children\": [" NODE("C", "4", "6") "]}"));
    assert_true(cn_entity_is_null(cn_object_find(world, "A")));
    assert_int_equal(report.skipped, 1);
}

static void components_are_added_and_removed(void **state)
{
    (void)state;
    load(SCENE("{\"id\": \"A\"}"));
    change("s.json", SCENE(NODE("A", "1", "2")));
    assert_true(intensity("A") == 2);
    assert_true(position("A") == 1);
    change("s.json", SCENE("{\"id\": \"A\"}"));
    assert_false(cn_has(world, object("A"), CnLight));
    assert_true(position("A") == 0);
}

static void a_component_that_the_game_removed_stays_away(void **state)
{
    (void)state;
    load(SCENE(NODE("A", "1", "2")));
    cn_remove(world, object("A"), CnLight);
    change("s.json", SCENE(NODE("A", "1", "5")));
    assert_false(cn_has(world, object("A"), CnLight));
    assert_int_equal(report.skipped, 1);
}

static void enabled_changes(void **state)
{
    (void)state;
    load(SCENE("{\"id\": \"A\"}"));
    change("s.json", SCENE("{\"id\": \"A\", \"enabled\": false}"));
    assert_false(cn_object_is_active(world, object("A")));
}

static void uids_in_the_file_are_no_conflict(void **state)
{
    (void)state;
    load(SCENE("{\"id\": \"A\", \"uid\": 7}"));
    change("s.json", SCENE("{\"id\": \"A\", \"uid\": 7, \"enabled\": false}"));
    assert_int_equal(cn_object_uid(world, object("A")), 7);
    change("s.json", SCENE("{\"id\": \"Other\", \"uid\": 7}"));
    assert_int_equal(cn_object_uid(world, object("Other")), 7);
}

static void another_active_camera_is_active(void **state)
{
    (void)state;
    static const char text[] =
        "{\"id\": \"S\", \"nodes\": [{\"id\": \"A\", \"components\": [{\"type\": "
        "\"CameraComponent\"}]}, {\"id\": \"B\", \"components\": [{\"type\": "
        "\"CameraComponent\"}]}], \"activeCamera\": \"%s\"}";
    char first[512], second[512];
    cn_format(first, sizeof first, text, "A");
    cn_format(second, sizeof second, text, "B");
    load(first);
    change("s.json", second);
    assert_true(cn_entity_equal(cn_camera_find(world), object("B")));
}

static void changed_materials_are_reported(void **state)
{
    (void)state;
    load(SCENE("{\"id\": \"A\"}"));
    change("s.json", "{\"id\": \"S\", \"nodes\": [{\"id\": \"A\"}], \"materials\": [{\"id\": 1}]}");
    assert_true(report.has_other_materials);
    assert_string_equal(cn_scene_file(scene)->materials, "[{\"id\": 1}]");
}

static void a_wrong_file_changes_nothing_until_it_is_mended(void **state)
{
    (void)state;
    load(SCENE(NODE("A", "1", "2")));
    memory_files_set(&memory, "s.json", "{\"id\": \"S\",\n \"nodes\": [{\"id\": 5}]}");
    assert_false(reload_path("s.json"));
    assert_string_equal(error.file, "s.json");
    assert_int_equal(error.line, 2);
    assert_true(intensity("A") == 2);
    change("s.json", SCENE(NODE("A", "1", "3")));
    assert_true(intensity("A") == 3);
}

static void a_file_that_the_scene_does_not_use_is_not_read(void **state)
{
    (void)state;
    load(SCENE(NODE("A", "1", "2")));
    uint32_t reads = memory.reads;
    change("other.json", "nonsense");
    assert_false(report.is_read);
    assert_int_equal(memory.reads, reads);
}

static void scenes_that_are_not_reloadable_refuse(void **state)
{
    (void)state;
    CnScenes *others = cn_scenes_create(NULL, &error);
    memory_files_set(&memory, "s.json", SCENE("{\"id\": \"A\"}"));
    scene = cn_scene_load(others, &memory.files, "s.json", &error);
    assert_false(reload_path("s.json"));
    assert_int_equal(error.code, CN_ERROR_UNSUPPORTED);
    cn_scenes_destroy(others);
}

/* ---- Prefabs ---- */

static CnEntity spawn(const char *path)
{
    CnEntity root = cn_prefab_spawn(world, &memory.files, path, CN_NO_PARENT, &error);
    if (cn_entity_is_null(root))
        fail_msg("%s", error.message);
    return root;
}

static float intensity_of(CnEntity entity)
{
    return cn_get(world, entity, CnLight)->intensity;
}

static void later_spawns_use_the_new_prefab(void **state)
{
    (void)state;
    load(SCENE("{\"id\": \"A\"}"));
    memory_files_set(&memory, "lamp.json", NODE("Lamp", "0", "2"));
    cn_destroy(world, spawn("lamp.json"));
    change("lamp.json", NODE("Lamp", "0", "3"));
    assert_true(intensity_of(spawn("lamp.json")) == 3);
}

static void instances_that_were_spawned_change(void **state)
{
    (void)state;
    load(SCENE("{\"id\": \"A\"}"));
    memory_files_set(&memory, "lamp.json",
                     "{\"id\": \"Lamp\", \"children\": [" NODE("Bulb", "0", "2") "]}");
    CnEntity first = spawn("lamp.json"), second = spawn("lamp.json");
    assert_true(cn_object_rename(world, first, "First", &error));
    change("lamp.json", "{\"id\": \"Lamp\", \"children\": [" NODE("Bulb", "0", "3") ", " NODE(
                            "More", "0", "4") "]}");
    assert_true(intensity_of(cn_object_child(world, first, "Bulb")) == 3);
    assert_true(intensity_of(cn_object_child(world, second, "Bulb")) == 3);
    assert_true(intensity_of(cn_object_child(world, second, "More")) == 4);
    assert_string_equal(cn_object_name(world, first), "First");
    assert_int_equal(report.changed_objects, 2);
    assert_int_equal(report.added_objects, 2);
}

static void an_instance_of_the_scene_changes_except_where_the_scene_overrides(void **state)
{
    (void)state;
    memory_files_set(&memory, "lamp.json", NODE("Lamp", "1", "2"));
    load(SCENE("{\"id\": \"A\", \"prefab\": \"lamp.json\", \"components\": ["
               "{\"type\": \"LightComponent\", \"intensity\": 9}]}"));
    change("lamp.json", NODE("Lamp", "5", "3"));
    assert_true(position("A") == 5);
    assert_true(intensity("A") == 9);
    assert_int_equal(report.changed_fields, 1);
}

static void a_prefab_in_a_prefab_changes_once(void **state)
{
    (void)state;
    load(SCENE("{\"id\": \"A\"}"));
    memory_files_set(&memory, "lamp.json", NODE("Lamp", "1", "2"));
    memory_files_set(&memory, "room.json",
                     "{\"id\": \"Room\", \"children\": [{\"id\": \"L\", \"prefab\": \"lamp.json\", "
                     "\"components\": [{\"type\": \"LightComponent\", \"intensity\": 9}]}]}");
    CnEntity room = spawn("room.json");
    change("lamp.json", NODE("Lamp", "5", "3"));
    CnEntity lamp = cn_object_child(world, room, "L");
    assert_true(cn_get(world, lamp, CnTransform)->position.x == 5);
    assert_true(intensity_of(lamp) == 9);
    assert_int_equal(report.changed_fields, 1);
}

static void a_wrong_prefab_keeps_the_old_one(void **state)
{
    (void)state;
    load(SCENE("{\"id\": \"A\"}"));
    memory_files_set(&memory, "lamp.json", NODE("Lamp", "0", "2"));
    CnEntity first = spawn("lamp.json");
    memory_files_set(&memory, "lamp.json", "{");
    assert_false(reload_path("lamp.json"));
    assert_string_equal(error.file, "lamp.json");
    assert_true(intensity_of(first) == 2);
    assert_true(intensity_of(spawn("lamp.json")) == 2);
    change("lamp.json", NODE("Lamp", "0", "3"));
    assert_true(intensity_of(first) == 3);
}

static void references_follow_the_file(void **state)
{
    (void)state;
    static const char text[] =
        SCENE("{\"id\": \"A\"}, {\"id\": \"B\"}, {\"id\": \"P\", \"components\": [{\"type\": "
              "\"PlayerControllerComponent\"%s}]}%s");
    char wanted[3][512];
    cn_format(wanted[0], sizeof wanted[0], text, ", \"head\": \"A\"", "");
    cn_format(wanted[1], sizeof wanted[1], text, ", \"head\": \"New\"", ", {\"id\": \"New\"}");
    cn_format(wanted[2], sizeof wanted[2], text, "", ", {\"id\": \"New\"}");
    load(wanted[0]);
    change("s.json", wanted[1]);
    CnEntity player = object("P");
    assert_true(cn_entity_equal(cn_get(world, player, CnPlayerController)->head, object("New")));
    change("s.json", wanted[2]);
    assert_true(cn_entity_is_null(cn_get(world, player, CnPlayerController)->head));
    cn_get_mut(world, player, CnPlayerController)->head = object("B");
    change("s.json", wanted[2]);
    assert_true(cn_entity_equal(cn_get(world, player, CnPlayerController)->head, object("B")));
}

#define LAMP_WITH_BULB(intensity)                                                                  \
    "{\"id\": \"Lamp\", \"children\": [" NODE("Bulb", "1", intensity) ", {\"id\": \"Foot\"}]}"

static void overrides_and_added_children_stay_when_the_prefab_changes(void **state)
{
    (void)state;
    memory_files_set(&memory, "lamp.json", LAMP_WITH_BULB("2"));
    load(SCENE(
        "{\"id\": \"P\", \"prefab\": \"lamp.json\", \"overrides\": {\"Bulb\": {\"components\": "
        "[{\"type\": \"LightComponent\", \"intensity\": 5}]}}, \"children\": [" //
        NODE("Shade", "3", "4") "]}"));
    CnEntity shade = object("P/Shade");
    change("lamp.json", "{\"id\": \"Lamp\", \"children\": [" NODE("Bulb", "6", "3") "]}");
    assert_true(intensity("P/Bulb") == 5);
    assert_true(position("P/Bulb") == 6);
    assert_true(cn_entity_equal(object("P/Shade"), shade));
    assert_true(cn_entity_is_null(cn_object_find(world, "P/Foot")));
}

static void a_prefab_without_a_node_that_a_scene_overrides_keeps_the_old_one(void **state)
{
    (void)state;
    memory_files_set(&memory, "lamp.json", LAMP_WITH_BULB("2"));
    load(SCENE("\n{\"id\": \"P\", \"prefab\": \"lamp.json\",\n\"overrides\": {\"Foot\": {}}}"));
    memory_files_set(&memory, "lamp.json", "{\"id\": \"Lamp\"}");
    assert_false(reload_path("lamp.json"));
    assert_string_equal(error.file, "s.json");
    assert_int_equal(error.line, 3);
    assert_true(intensity("P/Bulb") == 2);
}

static void a_thousand_reloads_do_not_grow_memory(void **state)
{
    (void)state;
    memory_files_set(&memory, "lamp.json", NODE("Lamp", "1", "2"));
    load(SCENE(NODE("A", "1", "2") ", {\"id\": \"P\", \"prefab\": \"lamp.json\"}"));
    CnEntity spawned = spawn("lamp.json");
    size_t bytes = 0;
    for (uint32_t i = 0; i < 1000; i++) {
        change("lamp.json", i % 2 ? NODE("Lamp", "1", "2") : NODE("Lamp", "1", "3"));
        change("s.json", i % 2 ? SCENE(NODE("A", "1", "2") ", {\"id\": \"P\", \"prefab\": "
                                                           "\"lamp.json\"}")
                               : SCENE(NODE("B", "1", "2") ", {\"id\": \"P\", \"prefab\": "
                                                           "\"lamp.json\"}"));
        assert_true(intensity_of(spawned) == (i % 2 ? 2 : 3));
        if (i == 99)
            bytes = cn_heap_stats(heap).live_bytes;
    }
    assert_true(cn_heap_stats(heap).live_bytes <= bytes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RELOAD_TEST(a_field_that_changed_in_the_file_changes),
        RELOAD_TEST(other_fields_keep_what_the_simulation_wrote),
        RELOAD_TEST(a_position_that_changed_in_the_file_is_set),
        RELOAD_TEST(nothing_happens_if_only_blanks_changed),
        RELOAD_TEST(a_new_node_becomes_an_object),
        RELOAD_TEST(a_new_node_is_below_the_object_of_its_parent),
        RELOAD_TEST(the_object_of_a_node_that_is_gone_is_destroyed),
        RELOAD_TEST(an_object_that_the_game_destroyed_stays_away),
        RELOAD_TEST(components_are_added_and_removed),
        RELOAD_TEST(a_component_that_the_game_removed_stays_away),
        RELOAD_TEST(enabled_changes),
        RELOAD_TEST(uids_in_the_file_are_no_conflict),
        RELOAD_TEST(another_active_camera_is_active),
        RELOAD_TEST(changed_materials_are_reported),
        RELOAD_TEST(a_wrong_file_changes_nothing_until_it_is_mended),
        RELOAD_TEST(a_file_that_the_scene_does_not_use_is_not_read),
        RELOAD_TEST(scenes_that_are_not_reloadable_refuse),
        RELOAD_TEST(later_spawns_use_the_new_prefab),
        RELOAD_TEST(instances_that_were_spawned_change),
        RELOAD_TEST(an_instance_of_the_scene_changes_except_where_the_scene_overrides),
        RELOAD_TEST(a_prefab_in_a_prefab_changes_once),
        RELOAD_TEST(a_wrong_prefab_keeps_the_old_one),
        RELOAD_TEST(references_follow_the_file),
        RELOAD_TEST(overrides_and_added_children_stay_when_the_prefab_changes),
        RELOAD_TEST(a_prefab_without_a_node_that_a_scene_overrides_keeps_the_old_one),
        RELOAD_TEST(a_thousand_reloads_do_not_grow_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
