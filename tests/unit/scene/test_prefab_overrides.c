/* Instances of prefabs in files: changes of nodes inside them, and children that are added. */
#include "cmocka_tests.h"
#include "memory_files.h"
#include "scene_world.h"

#include <cairn/scene/presentation.h>

static CnWorld *world;
static MemoryFiles memory;
static CnError error;

#define LIGHT(intensity) "{\"type\": \"LightComponent\", \"intensity\": " intensity "}"
#define OVERRIDE(path, content) "\"overrides\": {\"" path "\": {" content "}}"
#define SCENE(node) "{\"nodes\": [{\"id\": \"Mine\", \"prefab\": \"lamp.json\"," node "}]}"

static const char lamp[] =
    "{\"id\": \"Lamp\", \"children\": [{\"id\": \"Arm\", \"children\": [{\"id\": \"Bulb\","
    "\"components\": [{\"type\": \"LightComponent\", \"intensity\": 2, \"range\": 9},"
    "{\"type\": \"SceneLink\", \"target\": \"Lamp/Foot\"}]}]}, {\"id\": \"Foot\"}]}";

static int make_world(void **state)
{
    (void)state;
    memory_files_init(&memory);
    memory_files_set(&memory, "lamp.json", lamp);
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

#define OVERRIDE_TEST(name) cmocka_unit_test_setup_teardown(name, make_world, drop_world)

static void read_scene(const char *text)
{
    if (!cn_scene_read_text(world, &memory.files, "test.json", cn_text(text), NULL, &error))
        fail_msg("%d:%d: %s", error.line, error.column, error.message);
}

static CnEntity object(const char *path)
{
    CnEntity found = cn_object_find(world, path);
    if (cn_entity_is_null(found))
        fail_msg("there is no %s", path);
    return found;
}

static void assert_error(const char *text, const char *expected)
{
    char buffer[512];
    uint64_t hash = cn_world_hash(world);
    assert_false(
        cn_scene_read_text(world, &memory.files, "test.json", cn_text(text), NULL, &error));
    assert_string_equal(cn_error_text(&error, buffer, sizeof buffer), expected);
    assert_true(cn_world_hash(world) == hash);
}

static void a_field_of_an_inner_node_is_overridden(void **state)
{
    (void)state;
    read_scene(SCENE(OVERRIDE("Arm/Bulb", "\"components\": [" LIGHT("5") "]")));
    const CnLight *light = cn_get(world, object("Mine/Arm/Bulb"), CnLight);
    assert_true(light->intensity == 5 && light->range == 9);
    assert_int_equal(cn_get(world, object("Mine/Arm/Bulb"), SceneLink)->target.id,
                     object("Mine/Foot").id);
}

static void other_instances_are_as_in_the_prefab(void **state)
{
    (void)state;
    read_scene(SCENE(OVERRIDE("Arm/Bulb", "\"components\": [" LIGHT("5") "]")));
    read_scene("{\"nodes\": [{\"id\": \"Other\", \"prefab\": \"lamp.json\"}]}");
    assert_true(cn_get(world, object("Other/Arm/Bulb"), CnLight)->intensity == 2);
}

static void an_inner_node_is_disabled_by_an_override(void **state)
{
    (void)state;
    read_scene(SCENE(OVERRIDE("Arm", "\"enabled\": false")));
    assert_false(cn_object_is_enabled(world, object("Mine/Arm")));
    assert_false(cn_object_is_active(world, object("Mine/Arm/Bulb")));
    assert_true(cn_object_is_active(world, object("Mine/Foot")));
}

static void an_override_adds_a_component(void **state)
{
    (void)state;
    read_scene(SCENE(OVERRIDE("Foot", "\"components\": [{\"type\": \"SceneMarked\"}]")));
    assert_true(cn_has(world, object("Mine/Foot"), SceneMarked));
}

static void an_override_of_a_reference_replaces_that_of_the_prefab(void **state)
{
    (void)state;
    read_scene(SCENE(OVERRIDE("Arm/Bulb", "\"components\": [{\"type\": \"SceneLink\", "
                                          "\"target\": \"Mine/Arm\"}]")));
    assert_int_equal(cn_get(world, object("Mine/Arm/Bulb"), SceneLink)->target.id,
                     object("Mine/Arm").id);
}

static void a_prefab_overrides_nodes_of_another(void **state)
{
    (void)state;
    memory_files_set(
        &memory, "room.json",
        "{\"id\": \"Room\", \"children\": [{\"id\": \"L\", \"prefab\": \"lamp.json\"," //
        OVERRIDE("Arm/Bulb", "\"components\": [" LIGHT("7") "]") "}]}");
    read_scene(
        "{\"nodes\": [{\"prefab\": \"room.json\"}, {\"id\": \"B\", \"prefab\": \"room.json\"," //
        OVERRIDE("L/Arm/Bulb", "\"components\": [" LIGHT("8") "]") "}]}");
    assert_true(cn_get(world, object("Room/L/Arm/Bulb"), CnLight)->intensity == 7);
    assert_true(cn_get(world, object("B/L/Arm/Bulb"), CnLight)->intensity == 8);
}

static void children_are_added_to_those_of_the_prefab(void **state)
{
    (void)state;
    read_scene(SCENE("\"children\": [{\"id\": \"Shade\"}, {\"prefab\": \"lamp.json\"}]"));
    assert_int_equal(cn_child_count(world, object("Mine")), 4);
    object("Mine/Arm/Bulb");
    object("Mine/Shade");
    assert_int_equal(cn_get(world, object("Mine/Lamp/Arm/Bulb"), SceneLink)->target.id,
                     object("Mine/Lamp/Foot").id);
}

static void an_empty_list_of_children_adds_nothing(void **state)
{
    (void)state;
    read_scene(SCENE("\"children\": []"));
    assert_int_equal(cn_child_count(world, object("Mine")), 2);
}

static void an_instance_needs_no_name_to_have_children(void **state)
{
    (void)state;
    read_scene("{\"nodes\": [{\"prefab\": \"lamp.json\", \"children\": [{\"id\": \"Shade\"}]}]}");
    object("Lamp/Arm");
    object("Lamp/Shade");
}

/* ---- Errors ---- */

static void a_path_that_the_prefab_does_not_have(void **state)
{
    (void)state;
    assert_error(SCENE("\n" OVERRIDE("Arm/Blub", "\"enabled\": true")),
                 "test.json:2:15: the prefab lamp.json has no node \"Arm/Blub\" "
                 "(did you mean \"Bulb\"?) (not found)");
    assert_error(SCENE("\n" OVERRIDE("", "\"enabled\": true")),
                 "test.json:2:15: the prefab lamp.json has no node \"\" (not found)");
}

static void what_is_wrong_in_an_override_has_its_position(void **state)
{
    (void)state;
    assert_error(SCENE(OVERRIDE("Foot", "\n\"enable\": true")),
                 "test.json:2:1: an override has no member \"enable\" (did you mean \"enabled\"?) "
                 "(not found)");
    assert_error(SCENE(OVERRIDE("Foot", "\n\"enabled\": 1")),
                 "test.json:2:12: \"enabled\" must be true or false, not a number (malformed)");
    assert_error(SCENE(OVERRIDE("Foot", "\n\"components\": {}")),
                 "test.json:2:15: \"components\" must be an array, not an object (malformed)");
    assert_error(SCENE(OVERRIDE("Arm/Bulb", "\n\"components\": [{\"type\": \"LightComponent\", "
                                            "\"range\": \"far\"}]")),
                 "test.json:2:52: range must be a number (mismatch)");
    assert_error(SCENE("\n\"overrides\": {\"Foot\": 7}"),
                 "test.json:2:23: an override must be an object, not a number (malformed)");
    assert_error(SCENE("\n\"overrides\": []"),
                 "test.json:2:14: \"overrides\" must be an object, not an array (malformed)");
}

static void a_child_with_the_name_of_a_node_of_the_prefab(void **state)
{
    (void)state;
    assert_error(SCENE("\n\"children\": [{\"id\": \"Foot\"}]"),
                 "test.json:2:21: a sibling of this node is also named \"Foot\"; nodes of a prefab "
                 "are changed in \"overrides\" (already exists)");
}

static void a_node_without_a_prefab_has_nothing_to_override(void **state)
{
    (void)state;
    assert_error("{\"nodes\": [{\"id\": \"A\",\n\"overrides\": {}}]}",
                 "test.json:2:14: only a node with a \"prefab\" has something to override "
                 "(not found)");
}

static void a_prefab_and_an_origin_exclude_each_other(void **state)
{
    (void)state;
    assert_error(
        SCENE("\n\"origin\": \"lamp.json\""),
        "test.json:2:11: a node has a \"prefab\", whose content it gets, or an \"origin\", "
        "not both (already exists)");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        OVERRIDE_TEST(a_field_of_an_inner_node_is_overridden),
        OVERRIDE_TEST(other_instances_are_as_in_the_prefab),
        OVERRIDE_TEST(an_inner_node_is_disabled_by_an_override),
        OVERRIDE_TEST(an_override_adds_a_component),
        OVERRIDE_TEST(an_override_of_a_reference_replaces_that_of_the_prefab),
        OVERRIDE_TEST(a_prefab_overrides_nodes_of_another),
        OVERRIDE_TEST(children_are_added_to_those_of_the_prefab),
        OVERRIDE_TEST(an_empty_list_of_children_adds_nothing),
        OVERRIDE_TEST(an_instance_needs_no_name_to_have_children),
        OVERRIDE_TEST(a_path_that_the_prefab_does_not_have),
        OVERRIDE_TEST(what_is_wrong_in_an_override_has_its_position),
        OVERRIDE_TEST(a_child_with_the_name_of_a_node_of_the_prefab),
        OVERRIDE_TEST(a_node_without_a_prefab_has_nothing_to_override),
        OVERRIDE_TEST(a_prefab_and_an_origin_exclude_each_other),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
