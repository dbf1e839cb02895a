/* What is wrong with a file is said with its place, and the world stays as it was. */
#include "cmocka_tests.h"
#include "memory_files.h"
#include "scene_world.h"

#include <stdlib.h>

static CnWorld *world;
static MemoryFiles memory;
static CnError error;

static int make_world(void **state)
{
    (void)state;
    memory_files_init(&memory);
    world = scene_world_create(NULL);
    if (!world)
        return -1;
    CnObjectDesc desc = {.name = "Old", .uid = 7};
    return cn_entity_is_null(cn_object_create(world, &desc, NULL)) ? -1 : 0;
}

static int drop_world(void **state)
{
    (void)state;
    cn_world_destroy(world);
    return 0;
}

#define ERROR_TEST(name) cmocka_unit_test_setup_teardown(name, make_world, drop_world)

static void assert_refused(CnText text)
{
    uint64_t hash = cn_world_hash(world);
    uint32_t components = cn_component_limit(world), entities = cn_entity_count(world);
    CnSceneFile file;
    memset(&file, 1, sizeof file);
    cn_error_clear(&error);
    assert_false(cn_scene_read_text(world, &memory.files, "test.json", text, &file, &error));
    assert_null(file.id);
    assert_int_equal(cn_entity_count(world), entities);
    assert_int_equal(cn_component_limit(world), components);
    assert_true(cn_world_hash(world) == hash);
}

static void assert_error(const char *text, const char *expected)
{
    char buffer[512];
    assert_refused(cn_text(text));
    assert_string_equal(cn_error_text(&error, buffer, sizeof buffer), expected);
}

/* The text of one node with these components; the list begins at line 3, column 16. */
static void assert_component_error(const char *components, const char *expected)
{
    char text[2048];
    cn_format(text, sizeof text, "{\n\"nodes\": [{\n\"components\": [%s],\n \"id\": \"Node\"}]}",
              components);
    assert_error(text, expected);
}

/* ---- Texts ---- */

static void an_empty_file(void **state)
{
    (void)state;
    assert_error("", "test.json:1:1: the file is empty (malformed)");
    assert_error(" \n\t", "test.json:1:1: the file is empty (malformed)");
    assert_refused((CnText){NULL, 0});
}

static void a_byte_order_mark(void **state)
{
    (void)state;
    assert_error("\xef\xbb\xbf{\"nodes\": []}",
                 "test.json:1:1: the file begins with a byte order mark; save it without one "
                 "(malformed)");
}

static void a_truncated_file(void **state)
{
    (void)state;
    assert_error("{\n\"nodes\": [{", "test.json:2:11: string or '}' expected near end of file "
                                     "(malformed)");
}

static void what_is_not_json(void **state)
{
    (void)state;
    assert_error("{\n  \"nodes\": nil\n}", "test.json:2:14: invalid token near 'nil' (malformed)");
    assert_error("[]", "test.json:1:1: the file must contain an object, not an array (malformed)");
    assert_refused(cn_text("{\"nodes\": []} x"));
    assert_int_equal(error.code, CN_ERROR_FORMAT);
}

static void a_key_that_is_there_twice(void **state)
{
    (void)state;
    assert_error("{\"nodes\": [],\n \"nodes\": []}",
                 "test.json:2:8: duplicate object key near '\"nodes\"' (malformed)");
}

static void text_that_is_not_utf8(void **state)
{
    (void)state;
    assert_refused(cn_text("{\"nodes\": [],\n \"id\": \"\xff\"}"));
    assert_int_equal(error.code, CN_ERROR_FORMAT);
    assert_int_equal(error.line, 2);
}

static void a_zero_in_a_text(void **state)
{
    (void)state;
    assert_refused(cn_text("{\"nodes\": [{\"id\": \"a\\u0000b\"}]}"));
    assert_int_equal(error.code, CN_ERROR_FORMAT);
    assert_refused((CnText){"{\"nodes\": [\0]}", 14});
}

static void too_deep_a_nesting(void **state)
{
    (void)state;
    size_t count = 5000;
    char *text = malloc(count + 1);
    memset(text, '[', count);
    memcpy(text, "{\"nodes\":", 9);
    text[count] = 0;
    assert_refused(cn_text(text));
    assert_int_equal(error.code, CN_ERROR_FORMAT);
    free(text);
}

static void too_large_a_file(void **state)
{
    (void)state;
    assert_refused((CnText){"{}", (size_t)CN_SCENE_FILE_MAX_BYTES + 1});
    assert_string_equal(error.message, "the file is larger than 64 MiB");
}

/* ---- Scenes ---- */

static void a_scene_without_nodes(void **state)
{
    (void)state;
    assert_error(" {}", "test.json:1:2: a scene needs \"nodes\" (malformed)");
    assert_error("{\"nodes\": 1}",
                 "test.json:1:11: \"nodes\" must be an array, not a number (malformed)");
}

static void a_key_that_scenes_do_not_have(void **state)
{
    (void)state;
    assert_error("{\"nodes\": [],\n  \"material\": []}",
                 "test.json:2:3: a scene has no member \"material\" (did you mean \"materials\"?) "
                 "(not found)");
}

static void an_id_that_is_no_text(void **state)
{
    (void)state;
    assert_error("{\"nodes\": [], \"id\": true}",
                 "test.json:1:21: \"id\" must be a string, not true or false (malformed)");
}

static void an_active_camera_that_is_not_there(void **state)
{
    (void)state;
    assert_error("{\"nodes\": [],\n\"activeCamera\": \"Eye\"}",
                 "test.json:2:17: no node of this file has the path \"Eye\" (not found)");
    assert_error("{\"nodes\": [{\"id\": \"Eye\"}],\n\"activeCamera\": \"Eye\"}",
                 "test.json:2:17: \"Eye\" is not a camera (not found)");
    assert_error("{\"nodes\": [],\n\"activeCamera\": 3}",
                 "test.json:2:17: \"activeCamera\" must be a string, not a number (malformed)");
}

/* ---- Nodes ---- */

static void a_node_that_is_no_object(void **state)
{
    (void)state;
    assert_error("{\"nodes\": [ {\"id\": \"A\"},\n  7]}",
                 "test.json:2:3: a node must be an object, not a number (malformed)");
}

static void a_node_without_an_id(void **state)
{
    (void)state;
    assert_error("{\"nodes\": [{}]}", "test.json:1:12: a node needs an \"id\" (malformed)");
    assert_error("{\"nodes\": [{\"origin\": \"x\", \"children\": []}]}",
                 "test.json:1:12: a node needs an \"id\" (malformed)");
}

static void a_key_that_nodes_do_not_have(void **state)
{
    (void)state;
    assert_error("{\"nodes\": [{\"id\": \"\xc3\xa4\", \"childs\": []}]}",
                 "test.json:1:24: a node has no member \"childs\" (not found)");
    assert_error(
        "{\"nodes\": [{\"id\": \"A\", \"component\": []}]}",
        "test.json:1:24: a node has no member \"component\" (did you mean \"components\"?) "
        "(not found)");
}

static void names_that_are_not_valid(void **state)
{
    (void)state;
    assert_error(
        "{\"nodes\": [{\"id\": \"a/b\"}]}",
        "test.json:1:19: \"a/b\" is not a valid name: 1 to 63 bytes without '/' (malformed)");
    assert_error("{\"nodes\": [{\"id\": \"\"}]}",
                 "test.json:1:19: \"\" is not a valid name: 1 to 63 bytes without '/' (malformed)");
    assert_error("{\"nodes\": [{\"id\": 5}]}",
                 "test.json:1:19: \"id\" must be a string, not a number (malformed)");
}

static void siblings_of_one_name(void **state)
{
    (void)state;
    assert_error(
        "{\"nodes\": [{\"id\": \"A\", \"children\": [\n{\"id\": \"B\"},\n{\"id\": \"B\"}]}]}",
        "test.json:3:8: a sibling of this node is also named \"B\" (already exists)");
}

static void uids_that_are_taken_or_wrong(void **state)
{
    (void)state;
    assert_error("{\"nodes\": [{\"id\": \"A\", \"uid\": 5},\n{\"id\": \"B\", \"uid\": 5}]}",
                 "test.json:2:20: another node of this file has the same uid (already exists)");
    assert_error("{\"nodes\": [{\"id\": \"A\", \"uid\": 7}]}",
                 "test.json:1:31: an object of the scene already has this uid (already exists)");
    assert_error("{\"nodes\": [{\"id\": \"A\", \"uid\": 0}]}",
                 "test.json:1:31: \"uid\" must be a number from 1 to 9007199254740991 (malformed)");
    assert_error("{\"nodes\": [{\"id\": \"A\", \"uid\": 1.5}]}",
                 "test.json:1:31: \"uid\" must be an integer, not a number (malformed)");
}

static void lists_that_are_no_arrays(void **state)
{
    (void)state;
    assert_error("{\"nodes\": [{\"id\": \"A\", \"components\": {}}]}",
                 "test.json:1:38: \"components\" must be an array, not an object (malformed)");
    assert_error("{\"nodes\": [{\"id\": \"A\", \"children\": null}]}",
                 "test.json:1:36: \"children\" must be an array, not null (malformed)");
    assert_error("{\"nodes\": [{\"id\": \"A\", \"enabled\": 1}]}",
                 "test.json:1:35: \"enabled\" must be true or false, not a number (malformed)");
}

static void nodes_that_are_nested_too_deep(void **state)
{
    (void)state;
    char text[8192] = "{\"nodes\": [";
    for (uint32_t i = 0; i <= CN_SCENE_FILE_MAX_DEPTH; i++)
        strcat(text, "{\"id\":\"A\",\"children\":[");
    for (uint32_t i = 0; i <= CN_SCENE_FILE_MAX_DEPTH; i++)
        strcat(text, "]}");
    strcat(text, "]}");
    assert_refused(cn_text(text));
    assert_string_equal(error.message, "nodes are nested more than 128 levels deep");
    assert_int_equal(error.code, CN_ERROR_LIMIT);
}

/* ---- Components ---- */

static void a_component_that_is_no_object(void **state)
{
    (void)state;
    assert_component_error("null",
                           "test.json:3:16: a component must be an object, not null (malformed)");
}

static void a_component_without_a_type(void **state)
{
    (void)state;
    assert_component_error("{}", "test.json:3:16: a component needs a \"type\" (malformed)");
    assert_component_error("{\"type\": 1}",
                           "test.json:3:25: \"type\" must be a string, not a number (malformed)");
}

static void a_type_that_is_unknown(void **state)
{
    (void)state;
    assert_component_error("{\"type\": \"LampComponnent\"}",
                           "test.json:3:25: there is no component named \"LampComponnent\" "
                           "(did you mean \"LampComponent\"?) (not found)");
    assert_component_error("{\"type\": \"Nonsense\"}",
                           "test.json:3:25: there is no component named \"Nonsense\" (not found)");
}

static void what_files_may_not_have(void **state)
{
    (void)state;
    const char *const names[] = {"CnObject",     "CnNode",           "CnInactive", "CnPrefabSource",
                                 "ScenePassing", "SceneEngineState", "SceneLamp"};
    for (uint32_t i = 0; i < CN_COUNT_OF(names); i++) {
        char text[256];
        cn_format(text, sizeof text,
                  "{\"nodes\": [{\"id\": \"A\", \"components\": [{\"type\": \"%s\"}]}]}", names[i]);
        assert_refused(cn_text(text));
        assert_int_equal(error.code, CN_ERROR_NOT_FOUND);
        assert_int_equal(error.column, 48);
    }
}

static void a_component_that_is_there_twice(void **state)
{
    (void)state;
    assert_component_error("{\"type\": \"SceneMarked\"},\n{\"type\": \"SceneMarked\"}",
                           "test.json:4:10: the node has a second SceneMarked (already exists)");
}

static void a_component_that_is_there_twice_under_two_names(void **state)
{
    (void)state;
    assert_component_error(
        "{\"type\": \"RenderComponent\"},\n{\"type\": \"MeshRendererComponent\"}",
        "test.json:4:10: the node has a second MeshRendererComponent (already exists)");
}

static void a_key_that_the_component_does_not_have(void **state)
{
    (void)state;
    assert_component_error("{\"type\": \"LampComponent\", \"wats\": 3}",
                           "test.json:3:42: LampComponent has no \"wats\" "
                           "(did you mean \"watts\"?) (not found)");
    assert_component_error("{\"type\": \"LampComponent\", \"watts\": 3, \"secret\": 3}",
                           "test.json:3:54: LampComponent has no \"secret\" (not found)");
    assert_component_error("{\"type\": \"LampComponent\", \"watts\": 3,\n\"shape\": "
                           "{\"type\": \"Ball\", \"radios\": 1}}",
                           "test.json:4:27: LampComponent has no \"shape.radios\" "
                           "(did you mean \"shape.radius\"?) (not found)");
}

static void an_object_that_is_something_else(void **state)
{
    (void)state;
    assert_component_error("{\"type\": \"LampComponent\", \"shape\": []}",
                           "test.json:3:51: shape must be an object, not an array (malformed)");
}

static void values_of_a_wrong_type(void **state)
{
    (void)state;
    assert_component_error("{\"type\": \"LampComponent\", \"watts\": \"5\"}",
                           "test.json:3:51: watts must be a number (mismatch)");
    assert_component_error("{\"type\": \"LampComponent\", \"watts\": null}",
                           "test.json:3:51: watts cannot be null (malformed)");
    assert_component_error("{\"type\": \"SceneEvery\", \"u8_value\": 1.5}",
                           "test.json:3:51: u8_value must be an integer (mismatch)");
    assert_component_error("{\"type\": \"SceneEvery\", \"bool_value\": 1}",
                           "test.json:3:53: bool_value must be true or false (mismatch)");
    assert_component_error("{\"type\": \"SceneEvery\", \"text_value\": 1}",
                           "test.json:3:53: text_value must be a string (mismatch)");
    assert_component_error(
        "{\"type\": \"SceneEvery\", \"entity_value\": 1}",
        "test.json:3:55: entity_value must be the path of an object or null, not "
        "a number (malformed)");
    assert_component_error("{\"type\": \"SceneEvery\", \"vec3_value\": [1,\n 2, \"x\"]}",
                           "test.json:4:5: a number is expected here, not a string (malformed)");
    assert_component_error("{\"type\": \"SceneEvery\", \"vec3_value\": [1, 2]}",
                           "test.json:3:53: vec3_value must be 3 numbers (mismatch)");
    assert_component_error("{\"type\": \"SceneEvery\", \"list\": [1, 2]}",
                           "test.json:3:47: list must be an array of 4 elements (malformed)");
    assert_component_error("{\"type\": \"SceneEvery\", \"corners\": [[1, 2],\n[3]]}",
                           "test.json:4:1: corners must be 2 numbers (mismatch)");
}

static void values_out_of_range(void **state)
{
    (void)state;
    assert_component_error("{\"type\": \"LampComponent\", \"watts\": 101}",
                           "test.json:3:51: watts is 101, but must be from 1 to 100 (mismatch)");
    assert_component_error("{\"type\": \"SceneEvery\", \"u8_value\": 256}",
                           "test.json:3:51: u8_value is out of the range of its type (mismatch)");
    assert_component_error("{\"type\": \"SceneEvery\", \"u64_value\": -1}",
                           "test.json:3:52: u64_value is out of the range of its type (mismatch)");
    assert_component_error("{\"type\": \"SceneEvery\", \"f32_value\": 1e300}",
                           "test.json:3:52: f32_value is out of the range of its type (mismatch)");
    assert_component_error("{\"type\": \"SceneEvery\", \"text_value\": \"0123456789abcdef\"}",
                           "test.json:3:53: text_value is longer than 15 bytes (limit reached)");
    assert_component_error("{\"type\": \"LampComponent\", \"shape\": {\"type\": \"Egg\"}}",
                           "test.json:3:60: shape.type is \"Egg\", but must be one of Bulb, "
                           "Ball, Box (mismatch)");
}

static void a_schema_that_is_not_a_text(void **state)
{
    (void)state;
    assert_refused(cn_text("{\"nodes\": [], \"$schema\": 1}"));
    assert_string_equal(error.message, "\"$schema\" must be a string, not a number");
}

static void a_number_that_overflows(void **state)
{
    (void)state;
    assert_refused(cn_text("{\"nodes\": [], \"materials\": [1e999]}"));
    assert_int_equal(error.code, CN_ERROR_FORMAT);
    assert_refused(cn_text("{\"nodes\": [], \"materials\": [99999999999999999999]}"));
    assert_int_equal(error.code, CN_ERROR_FORMAT);
}

static void a_key_that_is_missing(void **state)
{
    (void)state;
    assert_component_error("{\"type\": \"LampComponent\"}",
                           "test.json:3:16: LampComponent needs \"watts\" (malformed)");
}

static void a_key_of_another_choice(void **state)
{
    (void)state;
    assert_component_error("{\"type\": \"LampComponent\", \"watts\": 1, \"shape\":\n"
                           "{\"radius\": 1, \"type\": \"Box\"}}",
                           "test.json:4:2: shape.radius is not allowed for this shape.type "
                           "(malformed)");
}

static void what_the_check_of_a_type_refuses(void **state)
{
    (void)state;
    assert_component_error("{\"type\": \"LampComponent\", \"watts\": 100, \"shape\": "
                           "{\"type\": \"Ball\", \"radius\": 10}}",
                           "test.json:3:16: the lamp is too hot (mismatch)");
}

static void a_reference_to_what_is_not_there(void **state)
{
    (void)state;
    assert_component_error("{\"type\": \"SceneLink\",\n\"target\": \"Old\"}",
                           "test.json:4:11: no node of this file has the path \"Old\" (not found)");
    assert_component_error("{\"type\": \"SceneEvery\",\n\"friends\": [null, \"Node/X\"]}",
                           "test.json:4:19: no node of this file has the path \"Node/X\" "
                           "(not found)");
}

static void too_many_components(void **state)
{
    (void)state;
    static char names[40][16];
    static CnType types[40];
    char text[4096] = "{\"nodes\": [{\"id\": \"A\", \"components\": [";
    for (int i = 0; i < 40; i++) {
        cn_format(names[i], sizeof names[i], "Tag%d", i);
        types[i] = (CnType){.name = names[i], .alignment = 1};
        cn_component_register(world, &(CnComponentDesc){.type = &types[i]}, NULL);
        strcat(text, i ? ",{\"type\": \"" : "{\"type\": \"");
        strcat(text, names[i]);
        strcat(text, "\"}");
    }
    strcat(text, "]}]}");
    assert_refused(cn_text(text));
    assert_int_equal(error.code, CN_ERROR_LIMIT);
}

/* ---- Prefabs ---- */

static void a_prefab_that_is_not_there(void **state)
{
    (void)state;
    assert_error("{\"nodes\": [{\"id\": \"A\",\n\"prefab\": \"no.json\"}]}",
                 "test.json:2:11: the prefab cannot be read: there is no 'no.json' (not found)");
    CnError none = {0};
    assert_false(cn_scene_read_text(world, NULL, "x", cn_text("{\"nodes\": [{\"prefab\": \"a\"}]}"),
                                    NULL, &none));
    assert_int_equal(none.code, CN_ERROR_UNSUPPORTED);
    assert_int_equal(none.column, 23);
}

static void an_error_inside_a_prefab_names_its_file(void **state)
{
    (void)state;
    memory_files_set(&memory, "bad.json", "{\n \"id\": \"B\", \"size\": 1}");
    assert_error("{\"nodes\": [{\"id\": \"A\", \"prefab\": \"bad.json\"}]}",
                 "bad.json:2:13: a node has no member \"size\" (not found)");
    memory_files_set(&memory, "cut.json", "{");
    assert_refused(cn_text("{\"nodes\": [{\"id\": \"A\", \"prefab\": \"cut.json\"}]}"));
    assert_string_equal(error.file, "cut.json");
}

static void a_prefab_that_is_made_from_itself(void **state)
{
    (void)state;
    memory_files_set(&memory, "a.json",
                     "{\"id\": \"A\", \"children\": [\n{\"prefab\": \"b.json\"}]}");
    memory_files_set(&memory, "b.json", "{\"id\": \"B\", \"prefab\":\n \"a.json\"}");
    assert_error("{\"nodes\": [{\"prefab\": \"a.json\"}]}",
                 "b.json:2:2: the prefab contains itself (cycle)");
}

static void prefabs_that_are_nested_too_deep(void **state)
{
    (void)state;
    char text[4096] = "";
    for (int i = 0; i < 70; i++)
        strcat(text, i ? ",\"children\":[{\"id\":\"A\"" : "{\"id\":\"A\"");
    strcat(text, ",\"children\":[{\"prefab\":\"inner.json\"}]");
    for (int i = 0; i < 70; i++)
        strcat(text, i ? "}]" : "");
    strcat(text, "}");
    char inner[4096];
    cn_copy_text(inner, sizeof inner, cn_text(text));
    char *reference = strstr(inner, "\"prefab\":\"inner.json\"");
    memcpy(reference, "\"id\":\"the innermost\" ", strlen("\"id\":\"the innermost\" "));
    memory_files_set(&memory, "outer.json", text);
    memory_files_set(&memory, "inner.json", inner);
    assert_refused(cn_text("{\"nodes\": [{\"prefab\": \"outer.json\"}]}"));
    assert_string_equal(error.message, "nodes are nested more than 128 levels deep");
    assert_string_equal(error.file, "inner.json");
}

static void prefabs_that_multiply_are_too_many(void **state)
{
    (void)state;
    static char texts[8][2048], paths[9][16];
    for (int i = 0; i < 8; i++) {
        cn_format(paths[i], sizeof paths[i], "p%d.json", i);
        cn_format(texts[i], sizeof texts[i], "{\"id\": \"A\", \"children\": [");
        for (int c = 0; i < 7 && c < 10; c++) {
            char child[64];
            cn_format(child, sizeof child, "%s{\"id\": \"%d\", \"prefab\": \"p%d.json\"}",
                      c ? "," : "", c, i + 1);
            strcat(texts[i], child);
        }
        strcat(texts[i], "]}");
        memory_files_set(&memory, paths[i], texts[i]);
    }
    assert_refused(cn_text("{\"nodes\": [{\"prefab\": \"p0.json\"}]}"));
    assert_int_equal(error.code, CN_ERROR_LIMIT);
    assert_string_equal(error.message,
                        "scene_objects is 1000001; a file of user origin may have 1000000; a "
                        "mount with a larger CnBudget.scene_objects allows more");
}

static void a_path_that_is_too_long(void **state)
{
    (void)state;
    char text[512], path[200];
    memset(path, 'p', sizeof path - 1);
    path[sizeof path - 1] = 0;
    cn_format(text, sizeof text, "{\"nodes\": [{\"prefab\": \"%s\"}]}", path);
    assert_refused(cn_text(text));
    assert_int_equal(error.code, CN_ERROR_LIMIT);
    assert_int_equal(error.column, 23);
}

/* ---- Files ---- */

static void a_file_that_is_not_there(void **state)
{
    (void)state;
    CnSceneFile file;
    assert_false(cn_scene_read(world, &memory.files, "no.json", &file, &error));
    assert_int_equal(error.code, CN_ERROR_NOT_FOUND);
    assert_null(file.id);
}

static void a_world_without_objects(void **state)
{
    (void)state;
    CnWorld *bare = cn_world_create(NULL, NULL);
    assert_false(cn_scene_read_text(bare, NULL, "x", cn_text("{\"nodes\": [{\"id\": \"A\"}]}"),
                                    NULL, &error));
    assert_int_equal(error.code, CN_ERROR_MISMATCH);
    assert_string_equal(error.file, "x");
    assert_int_equal(cn_entity_count(bare), 0);
    assert_true(cn_entity_is_null(cn_prefab_spawn(bare, &memory.files, "x", CN_NO_PARENT, &error)));
    cn_world_destroy(bare);
}

static void mistakes_in_nested_structs_have_their_place(void **state)
{
    (void)state;
    assert_component_error("{\"type\": \"SceneNested\",\n \"slots\": {}}",
                           "test.json:4:11: slots must be an array, not an object (malformed)");
    assert_component_error("{\"type\": \"SceneNested\",\n \"slots\": [{}, {}, {}, {}]}",
                           "test.json:4:24: slots has only 3 elements (malformed)");
    assert_component_error(
        "{\"type\": \"SceneNested\",\n \"slots\": [{}, {\"wear\": {\"low\": 1}}]}",
        "test.json:4:26: SceneNested has no \"slots.1.wear.low\" (did you mean "
        "\"slots.1.wear.lo\"?) (not found)");
    assert_component_error("{\"type\": \"SceneNested\",\n \"spread\": [1, 2]}",
                           "test.json:4:12: spread must be an object, not an array (malformed)");
}

static void a_rotation_of_zeros_is_refused(void **state)
{
    (void)state;
    assert_component_error(
        "{\"type\": \"TransformComponent\",\n\"rotation\": [0, 0, 0, 0]}",
        "test.json:4:13: rotation is a rotation and cannot be four zeros (mismatch)");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        ERROR_TEST(an_empty_file),
        ERROR_TEST(a_byte_order_mark),
        ERROR_TEST(a_truncated_file),
        ERROR_TEST(what_is_not_json),
        ERROR_TEST(a_key_that_is_there_twice),
        ERROR_TEST(text_that_is_not_utf8),
        ERROR_TEST(a_zero_in_a_text),
        ERROR_TEST(too_deep_a_nesting),
        ERROR_TEST(too_large_a_file),
        ERROR_TEST(a_scene_without_nodes),
        ERROR_TEST(a_key_that_scenes_do_not_have),
        ERROR_TEST(an_id_that_is_no_text),
        ERROR_TEST(an_active_camera_that_is_not_there),
        ERROR_TEST(a_node_that_is_no_object),
        ERROR_TEST(a_node_without_an_id),
        ERROR_TEST(a_key_that_nodes_do_not_have),
        ERROR_TEST(names_that_are_not_valid),
        ERROR_TEST(siblings_of_one_name),
        ERROR_TEST(uids_that_are_taken_or_wrong),
        ERROR_TEST(lists_that_are_no_arrays),
        ERROR_TEST(nodes_that_are_nested_too_deep),
        ERROR_TEST(a_component_that_is_no_object),
        ERROR_TEST(a_component_without_a_type),
        ERROR_TEST(a_type_that_is_unknown),
        ERROR_TEST(what_files_may_not_have),
        ERROR_TEST(a_component_that_is_there_twice),
        ERROR_TEST(a_component_that_is_there_twice_under_two_names),
        ERROR_TEST(a_key_that_the_component_does_not_have),
        ERROR_TEST(an_object_that_is_something_else),
        ERROR_TEST(values_of_a_wrong_type),
        ERROR_TEST(values_out_of_range),
        ERROR_TEST(a_schema_that_is_not_a_text),
        ERROR_TEST(a_number_that_overflows),
        ERROR_TEST(a_key_that_is_missing),
        ERROR_TEST(a_key_of_another_choice),
        ERROR_TEST(what_the_check_of_a_type_refuses),
        ERROR_TEST(a_reference_to_what_is_not_there),
        ERROR_TEST(too_many_components),
        ERROR_TEST(a_prefab_that_is_not_there),
        ERROR_TEST(an_error_inside_a_prefab_names_its_file),
        ERROR_TEST(a_prefab_that_is_made_from_itself),
        ERROR_TEST(prefabs_that_are_nested_too_deep),
        ERROR_TEST(prefabs_that_multiply_are_too_many),
        ERROR_TEST(a_path_that_is_too_long),
        ERROR_TEST(a_file_that_is_not_there),
        ERROR_TEST(a_world_without_objects),
        ERROR_TEST(mistakes_in_nested_structs_have_their_place),
        ERROR_TEST(a_rotation_of_zeros_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
