/* Writing scene files: what they look like, and that they are read back as the same. */
#include "cmocka_tests.h"
#include "memory_files.h"
#include "random.h"
#include "scene_world.h"
#include "scratch.h"

#include <cairn/scene/camera.h>
#include <cairn/scene/presentation.h>

#include <float.h>
#include <math.h>

static CnWorld *world;
static MemoryFiles memory;
static CnTextBuilder text;

static int make_world(void **state)
{
    (void)state;
    memory_files_init(&memory);
    world = scene_world_create(NULL);
    cn_array_init(&text, NULL);
    return world ? 0 : -1;
}

static int drop_world(void **state)
{
    (void)state;
    cn_array_fini(&text);
    cn_world_destroy(world);
    return 0;
}

#define WRITE_TEST(name) cmocka_unit_test_setup_teardown(name, make_world, drop_world)

static void fail_with(const CnError *error)
{
    char buffer[512];
    fail_msg("%s", cn_error_text(error, buffer, sizeof buffer));
}

static void read_into(CnWorld *into, const char *json, CnSceneFile *file)
{
    CnError error = {0};
    if (!cn_scene_read_text(into, &memory.files, "test.json", cn_text(json), file, &error))
        fail_with(&error);
}

static void write_from(CnWorld *from, CnTextBuilder *to, const CnSceneFile *file)
{
    CnError error = {0};
    cn_array_clear(to);
    if (!cn_scene_write_text(from, to, file, &error))
        fail_with(&error);
}

/* Writes the world, reads it into another, and compares both worlds and both texts. */
static void check_round_trip(void)
{
    CnWorld *other = scene_world_create(NULL);
    CnTextBuilder again;
    CnSceneFile file;
    cn_array_init(&again, NULL);
    write_from(world, &text, NULL);
    read_into(other, text.items, &file);
    write_from(other, &again, &file);
    assert_string_equal(text.items, again.items);
    if (cn_world_hash(other) != cn_world_hash(world))
        fail_msg("another state was read from %s", text.items);
    cn_scene_file_free(&file);
    cn_array_fini(&again);
    cn_world_destroy(other);
}

/* ---- What it looks like ---- */

static void a_scene_is_pleasant_to_read(void **state)
{
    (void)state;
    const char *json = "{\n"
                       "  \"id\": \"Main\",\n"
                       "  \"nodes\": [\n"
                       "    {\n"
                       "      \"id\": \"Box\",\n"
                       "      \"uid\": 7,\n"
                       "      \"enabled\": false,\n"
                       "      \"components\": [\n"
                       "        {\n"
                       "          \"type\": \"TransformComponent\",\n"
                       "          \"position\": [0, 1.5, -2],\n"
                       "          \"rotation\": [0, 90, 0],\n"
                       "          \"scale\": [1, 1, 0.1]\n"
                       "        },\n"
                       "        {\n"
                       "          \"type\": \"LampComponent\",\n"
                       "          \"watts\": 5,\n"
                       "          \"shape\": {\n"
                       "            \"type\": \"Ball\",\n"
                       "            \"radius\": 2\n"
                       "          },\n"
                       "          \"turn\": [0, 0, 0]\n"
                       "        },\n"
                       "        {\n"
                       "          \"type\": \"SceneMarked\"\n"
                       "        }\n"
                       "      ],\n"
                       "      \"children\": [\n"
                       "        {\n"
                       "          \"id\": \"Lid\",\n"
                       "          \"uid\": 8,\n"
                       "          \"components\": [\n"
                       "            {\n"
                       "              \"type\": \"TransformComponent\",\n"
                       "              \"position\": [0, 0, 0],\n"
                       "              \"rotation\": [0, 0, 0],\n"
                       "              \"scale\": [1, 1, 1]\n"
                       "            },\n"
                       "            {\n"
                       "              \"type\": \"SceneLink\",\n"
                       "              \"target\": \"Box\",\n"
                       "              \"strength\": 1e+20\n"
                       "            }\n"
                       "          ]\n"
                       "        }\n"
                       "      ]\n"
                       "    }\n"
                       "  ],\n"
                       "  \"materials\": [ 1,2 ],\n"
                       "  \"pipelines\": {}\n"
                       "}\n";
    CnSceneFile file;
    read_into(world, json, &file);
    write_from(world, &text, &file);
    assert_string_equal(text.items, json);
    cn_scene_file_free(&file);
}

static void the_place_of_the_schema_is_kept(void **state)
{
    (void)state;
    const char *json = "{\n"
                       "  \"$schema\": \"../cairn.schema.json\",\n"
                       "  \"id\": \"Main\",\n"
                       "  \"nodes\": []\n"
                       "}\n";
    CnSceneFile file;
    read_into(world, json, &file);
    assert_string_equal(file.schema, "\"../cairn.schema.json\"");
    write_from(world, &text, &file);
    assert_string_equal(text.items, json);
    cn_scene_file_free(&file);
}

static void an_empty_world_is_a_scene(void **state)
{
    (void)state;
    write_from(world, &text, NULL);
    assert_string_equal(text.items, "{\n  \"nodes\": []\n}\n");
}

static void siblings_of_one_name_get_numbers(void **state)
{
    (void)state;
    CnEntity last = CN_NO_PARENT;
    for (int i = 0; i < 3; i++)
        last = cn_object(world, "Crate");
    CnEntity link = cn_object(world, "Crate 2");
    cn_set(world, link, SceneLink, {.target = last});
    write_from(world, &text, NULL);
    CnWorld *other = scene_world_create(NULL);
    read_into(other, text.items, NULL);
    assert_int_equal(cn_object_uid(other, cn_object_find(other, "Crate 3")),
                     cn_object_uid(world, last));
    CnEntity read = cn_object_by_uid(other, cn_object_uid(world, link));
    assert_int_equal(cn_get(other, read, SceneLink)->target.id,
                     cn_object_find(other, "Crate 3").id);
    cn_world_destroy(other);
}

static void a_long_name_is_cut_for_its_number(void **state)
{
    (void)state;
    char name[CN_OBJECT_NAME_BYTES];
    memset(name, 'x', sizeof name - 1);
    name[sizeof name - 1] = 0;
    cn_object(world, name);
    cn_object(world, name);
    write_from(world, &text, NULL);
    CnWorld *other = scene_world_create(NULL);
    read_into(other, text.items, NULL);
    assert_int_equal(cn_object_roots(other, NULL, 0), 2);
    cn_world_destroy(other);
}

static void what_files_do_not_show_is_not_written(void **state)
{
    (void)state;
    CnEntity e = cn_object(world, "A");
    cn_set(world, e, ScenePassing, {1});
    cn_set(world, e, SceneEngineState, {1});
    cn_spawn(world, cn_with(SceneLink, {.strength = 1})); /* not an object */
    write_from(world, &text, NULL);
    assert_null(strstr(text.items, "ScenePassing"));
    assert_null(strstr(text.items, "SceneEngineState"));
    assert_null(strstr(text.items, "SceneLink"));
    assert_null(strstr(text.items, "CnObject"));
}

static void references_to_what_is_not_in_the_file_are_null(void **state)
{
    (void)state;
    CnEntity e = cn_object(world, "A");
    cn_set(world, e, SceneLink, {.target = cn_entity_create(world)});
    write_from(world, &text, NULL);
    assert_non_null(strstr(text.items, "\"target\": null"));
}

/* ---- Round trips ---- */

static void a_rich_scene_is_read_back_as_the_same(void **state)
{
    (void)state;
    read_into(
        world,
        "{\"nodes\": [{\"id\": \"Every\", \"components\": ["
        "{\"type\": \"SceneEvery\", \"f32_value\": 0.1, \"f64_value\": 0.1, \"i8_value\": -128,"
        "\"i64_value\": -9223372036854775808, \"u64_value\": \"18446744073709551615\","
        "\"bool_value\": true, \"entity_value\": \"Rig/Eye\", \"vec2_value\": [1e-40, -0.0],"
        "\"quat_value\": [0, 1, 0, 0], \"text_value\": \"\\u00e4\\\"\\\\\\n\\u0001\","
        "\"list\": [1, 2, 3, 4], \"corners\": [[1, 2], [3, 4]], \"friends\": [null, \"Every\"]}]},"
        "{\"id\": \"Rig\", \"enabled\": false, \"children\": ["
        "{\"id\": \"Eye\", \"components\": [{\"type\": \"CameraComponent\", \"fov\": 33.3}]},"
        "{\"id\": \"Lamp\", \"components\": [{\"type\": \"LightComponent\", \"intensity\": 3},"
        "{\"type\": \"LampComponent\", \"watts\": 1, \"shape\": {\"type\": \"Box\", \"size\": "
        "[1, 2, 3]}, \"turn\": [10, 20, 30]}]}]},"
        "{\"id\": \"B\", \"components\": [{\"type\": \"SceneMarked\"}]},"
        "{\"id\": \"C\", \"components\": [{\"type\": \"SceneMarked\"}, "
        "{\"type\": \"LightComponent\"}]}], \"activeCamera\": \"Rig/Eye\"}",
        NULL);
    check_round_trip();
}

static void prefabs_keep_their_source_and_what_was_changed(void **state)
{
    (void)state;
    memory_files_set(&memory, "wheel.json",
                     "{\"id\": \"Wheel\", \"components\": [{\"type\": \"SceneMarked\"}]}");
    memory_files_set(&memory, "car.json",
                     "{\"id\": \"Car\", \"components\": [{\"type\": \"LampComponent\", \"watts\": "
                     "7}], \"children\": [{\"id\": \"Left\", \"prefab\": \"wheel.json\"},"
                     "{\"id\": \"Right\", \"prefab\": \"wheel.json\"}]}");
    read_into(world,
              "{\"nodes\": [{\"prefab\": \"car.json\"}, {\"id\": \"B\", \"prefab\": \"car.json\","
              "\"components\": [{\"type\": \"LampComponent\", \"turn\": [0, 45, 0]}]}]}",
              NULL);
    CnEntity left = cn_object_find(world, "B/Left");
    assert_string_equal(cn_get(world, left, CnPrefabSource)->path, "wheel.json");
    assert_true(cn_get(world, cn_object_find(world, "B"), SceneLamp)->power == 7);
    check_round_trip();
}

static void rotations_keep_every_bit(void **state)
{
    (void)state;
    TestRandom random = {5};
    for (int i = 0; i < 300; i++) {
        char name[32];
        cn_format(name, sizeof name, "R%d", i);
        CnQuat q = cn_quat_normalize((CnQuat){
            (float)test_random_unit(&random) - 0.5f, (float)test_random_unit(&random) - 0.5f,
            (float)test_random_unit(&random) - 0.5f, (float)test_random_unit(&random) - 0.5f});
        if (i % 2)
            q = cn_quat_from_euler(cn_vec3((float)(i % 180) - 90, (float)i, 0));
        CnEntity e = cn_object(world, name);
        cn_get_mut(world, e, CnTransform)->rotation = q;
    }
    check_round_trip();
}

static void floats_are_as_short_as_they_can_be(void **state)
{
    (void)state;
    const struct {
        float number;
        const char *written;
    } cases[] = {{0, "0"},
                 {-0.0f, "-0.0"},
                 {1, "1"},
                 {-9999999, "-9999999"},
                 {0.1f, "0.1"},
                 {1e10f, "1e+10"},
                 {16777216, "16777216"},
                 {0.30000001192f, "0.3"},
                 {3.1415927f, "3.1415927"},
                 {FLT_MAX, "3.4028235e+38"},
                 {FLT_MIN, "1.1754944e-38"},
                 {1e-45f, "1e-45"}};
    CnEntity e = cn_object(world, "A");
    for (uint32_t i = 0; i < CN_COUNT_OF(cases); i++) {
        char wanted[64];
        cn_set(world, e, SceneLink, {.strength = cases[i].number});
        write_from(world, &text, NULL);
        cn_format(wanted, sizeof wanted, "\"strength\": %s\n", cases[i].written);
        if (!strstr(text.items, wanted))
            fail_msg("%s is not in %s", wanted, text.items);
    }
}

static void random_floats_and_doubles_are_read_back_to_the_bit(void **state)
{
    (void)state;
    TestRandom random = {9};
    for (int i = 0; i < 500; i++) {
        char name[32];
        SceneEvery every = {0};
        uint64_t bits = test_random(&random);
        uint32_t half = (uint32_t)(bits >> 17);
        memcpy(&every.f64_value, &bits, sizeof bits);
        memcpy(&every.f32_value, &half, sizeof half);
        if (!isfinite(every.f64_value) || !isfinite(every.f32_value))
            continue;
        cn_format(name, sizeof name, "N%d", i);
        CnEntity e = cn_object(world, name);
        cn_set_component(world, e, cn_id(world, SceneEvery), &every);
    }
    check_round_trip();
}

/* ---- What cannot be written ---- */

static void assert_not_written(const char *message)
{
    CnError error = {0};
    cn_array_clear(&text);
    cn_text_append(&text, cn_text("before"));
    assert_false(cn_scene_write_text(world, &text, NULL, &error));
    assert_string_equal(error.message, message);
    assert_int_equal(text.count, 6);
}

static void a_number_that_is_not_finite_is_named(void **state)
{
    (void)state;
    CnEntity e = cn_object(world, "B", .parent = cn_object(world, "A"));
    cn_set(world, e, SceneLink, {.strength = NAN});
    assert_not_written("A/B: SceneLink.strength: strength is out of the range of its type");
}

static void a_value_that_could_not_be_read_is_named(void **state)
{
    (void)state;
    CnEntity e = cn_object(world, "A");
    cn_set(world, e, SceneLamp, {.kind = 0, .power = 500, .turn = {0, 0, 0, 1}});
    assert_not_written("A: LampComponent.watts: watts is 500, but must be from 1 to 100");
    cn_set(world, e, SceneLamp, {.kind = 9, .power = 5, .turn = {0, 0, 0, 1}});
    assert_not_written("A: LampComponent.shape.type: shape.type must be one of its names");
    cn_set(world, e, SceneLamp, {.power = 50, .radius = 500, .turn = {0, 0, 0, 1}});
    assert_not_written("A: LampComponent: the lamp is too hot");
}

static void materials_that_are_not_json_are_refused(void **state)
{
    (void)state;
    char bad[] = "[1,", none[] = "";
    CnSceneFile file = {.id = none, .materials = bad, .pipelines = none};
    CnError error = {0};
    assert_false(cn_scene_write_text(world, &text, &file, &error));
    assert_int_equal(error.code, CN_ERROR_FORMAT);
}

/* ---- Files ---- */

static void a_scene_is_written_to_a_file_and_read_from_it(void **state)
{
    (void)state;
    Scratch scratch;
    CnError error = {0};
    scratch_init(&scratch);
    const char *path = scratch_path(&scratch, "scene.json");
    cn_object(world, "A");
    assert_true(cn_scene_write(world, cn_native_files(), path, NULL, &error));
    assert_int_equal(scratch_count(&scratch), 1);
    CnWorld *other = scene_world_create(NULL);
    CnSceneFile file;
    assert_true(cn_scene_read(other, cn_native_files(), path, &file, &error));
    assert_int_equal(file.node_count, 1);
    cn_scene_file_free(&file);
    cn_world_destroy(other);
    scratch_fini(&scratch);
}

static void an_object_is_written_as_a_prefab_and_spawned_from_it(void **state)
{
    (void)state;
    Scratch scratch;
    CnError error = {0};
    scratch_init(&scratch);
    const char *path = scratch_path(&scratch, "prefab.json");
    CnEntity a = cn_object(world, "A"), b = cn_object(world, "B", .parent = a);
    cn_set(world, a, SceneLink, {.target = b, .strength = 2});
    assert_true(cn_prefab_write(world, cn_native_files(), path, a, &error));
    CnEntity copy = cn_prefab_spawn(world, cn_native_files(), path, CN_NO_PARENT, &error);
    assert_false(cn_entity_is_null(copy));
    assert_true(cn_object_uid(world, copy) != cn_object_uid(world, a));
    assert_int_equal(cn_get(world, copy, SceneLink)->target.id,
                     cn_object_child(world, copy, "B").id);
    assert_string_equal(cn_get(world, copy, CnPrefabSource)->path, path);
    cn_object_rename(world, a, "Z", NULL);
    assert_true(cn_prefab_write(world, cn_native_files(), path, a, &error));
    copy = cn_prefab_spawn(world, cn_native_files(), path, CN_NO_PARENT, &error);
    assert_string_equal(cn_object_name(world, copy), "Z");
    scratch_fini(&scratch);
}

/* ---- Structs in components ---- */

static const SceneNested nested = {{1, 2}, {{3, {4, 5}}, {6, {7, 8}}, {9, {10, 11}}}, 12};

static void nested_structs_are_objects_and_arrays_of_them(void **state)
{
    (void)state;
    CnEntity object = cn_object(world, "Gun");
    cn_set_component(world, object, cn_id(world, SceneNested), &nested);
    write_from(world, &text, NULL);
    const char *wanted = "          \"spread\": {\n"
                         "            \"lo\": 1,\n"
                         "            \"hi\": 2\n"
                         "          },\n"
                         "          \"slots\": [\n"
                         "            {\n"
                         "              \"item\": 3,\n"
                         "              \"wear\": {\n"
                         "                \"lo\": 4,\n"
                         "                \"hi\": 5\n"
                         "              }\n"
                         "            },\n";
    if (!strstr(text.items, wanted))
        fail_msg("%s", text.items);
}

static void nested_structs_are_read_back(void **state)
{
    (void)state;
    CnEntity object = cn_object(world, "Gun");
    cn_set_component(world, object, cn_id(world, SceneNested), &nested);
    check_round_trip();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        WRITE_TEST(a_scene_is_pleasant_to_read),
        WRITE_TEST(the_place_of_the_schema_is_kept),
        WRITE_TEST(an_empty_world_is_a_scene),
        WRITE_TEST(siblings_of_one_name_get_numbers),
        WRITE_TEST(a_long_name_is_cut_for_its_number),
        WRITE_TEST(what_files_do_not_show_is_not_written),
        WRITE_TEST(references_to_what_is_not_in_the_file_are_null),
        WRITE_TEST(a_rich_scene_is_read_back_as_the_same),
        WRITE_TEST(prefabs_keep_their_source_and_what_was_changed),
        WRITE_TEST(rotations_keep_every_bit),
        WRITE_TEST(floats_are_as_short_as_they_can_be),
        WRITE_TEST(random_floats_and_doubles_are_read_back_to_the_bit),
        WRITE_TEST(a_number_that_is_not_finite_is_named),
        WRITE_TEST(a_value_that_could_not_be_read_is_named),
        WRITE_TEST(materials_that_are_not_json_are_refused),
        WRITE_TEST(a_scene_is_written_to_a_file_and_read_from_it),
        WRITE_TEST(an_object_is_written_as_a_prefab_and_spawned_from_it),
        WRITE_TEST(nested_structs_are_objects_and_arrays_of_them),
        WRITE_TEST(nested_structs_are_read_back),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
