/* Reading scene files: what they make. */
#include "cmocka_tests.h"
#include "memory_files.h"
#include "scene_world.h"

#include <cairn/scene/camera.h>
#include <cairn/scene/presentation.h>

static CnWorld *world;
static MemoryFiles memory;
static CnSceneFile scene;

static int make_world(void **state)
{
    (void)state;
    memory_files_init(&memory);
    world = scene_world_create(NULL);
    return world ? 0 : -1;
}

static int drop_world(void **state)
{
    (void)state;
    cn_scene_file_free(&scene);
    cn_world_destroy(world);
    return 0;
}

#define READ_TEST(name) cmocka_unit_test_setup_teardown(name, make_world, drop_world)

static void read_scene(const char *text)
{
    CnError error = {0};
    cn_scene_file_free(&scene);
    if (!cn_scene_read_text(world, &memory.files, "test.json", cn_text(text), &scene, &error)) {
        char buffer[512];
        fail_msg("%s", cn_error_text(&error, buffer, sizeof buffer));
    }
}

/* Reads one node with these components, and returns it. */
static CnEntity read_node(const char *components)
{
    char text[4096];
    cn_format(text, sizeof text, "{\"nodes\":[{\"id\":\"Node\",\"components\":[%s]}]}", components);
    read_scene(text);
    return cn_object_find(world, "Node");
}

#define assert_vec3(v, x_, y_, z_)                                                                 \
    do {                                                                                           \
        assert_true((v).x == (x_));                                                                \
        assert_true((v).y == (y_));                                                                \
        assert_true((v).z == (z_));                                                                \
    } while (0)

/* ---- The format as it is documented ---- */

static void a_scene_has_an_id_nodes_and_parts_for_the_renderer(void **state)
{
    (void)state;
    read_scene("{\n"
               "  \"id\":\"MainScene\",\n"
               "  \"nodes\": [\n"
               "    {\"id\": \"Camera\", \"components\": [{\"type\": \"CameraComponent\"}]}\n"
               "  ],\n"
               "  \"materials\": [\n"
               "    {\"z\": 1.50, \"a\": [ ]}\n"
               "  ],\n"
               "  \"pipelines\": [\"\\u0041\"],\n"
               "  \"activeCamera\": \"Camera\"\n"
               "}\n");
    assert_string_equal(scene.id, "MainScene");
    assert_string_equal(scene.materials, "[\n    {\"z\": 1.50, \"a\": [ ]}\n  ]");
    assert_string_equal(scene.pipelines, "[\"\\u0041\"]");
    assert_int_equal(scene.node_count, 1);
    assert_int_equal(scene.active_camera.id, cn_object_find(world, "Camera").id);
    assert_int_equal(cn_camera_active(world).id, scene.active_camera.id);
}

static void nodes_are_objects_and_children_are_below_them_in_order(void **state)
{
    (void)state;
    read_scene("{\"nodes\": [{\"id\": \"Box\", \"components\": [], \"children\": ["
               "{\"id\": \"Lid\"}, {\"id\": \"Lock\", \"children\": [{\"id\": \"Key\"}]}]},"
               "{\"id\": \"Other\"}]}");
    CnEntity box = cn_object_find(world, "Box");
    assert_int_equal(scene.node_count, 5);
    assert_int_equal(cn_child_count(world, box), 2);
    assert_string_equal(cn_object_name(world, cn_first_child(world, box)), "Lid");
    assert_false(cn_entity_is_null(cn_object_find(world, "Box/Lock/Key")));
    CnEntity roots[2];
    assert_int_equal(cn_object_roots(world, roots, 2), 2);
    assert_string_equal(cn_object_name(world, roots[1]), "Other");
}

static void a_transform_has_position_degrees_and_scale(void **state)
{
    (void)state;
    CnEntity node = read_node("{\n"
                              "  \"type\": \"TransformComponent\",\n"
                              "  \"position\": [0.5, -2.0, 3],\n"
                              "  \"rotation\": [0.0, 90.0, 0.0],\n"
                              "  \"scale\": [1.0, 2.0, 1.0]\n"
                              "}");
    const CnTransform *transform = cn_get(world, node, CnTransform);
    assert_vec3(transform->position, 0.5f, -2, 3);
    assert_vec3(transform->scale, 1, 2, 1);
    CnQuat turn = cn_quat_from_euler(cn_vec3(0, 90, 0));
    assert_memory_equal(&transform->rotation, &turn, sizeof turn);
}

static void a_rotation_of_four_numbers_is_a_quaternion(void **state)
{
    (void)state;
    CnEntity node = read_node("{\"type\": \"TransformComponent\", \"rotation\": [0.6, 0, 0, 0.8]}");
    CnQuat turn = {0.6f, 0, 0, 0.8f};
    assert_memory_equal(&cn_get(world, node, CnTransform)->rotation, &turn, sizeof turn);
}

static void a_camera_has_view_fov_near_and_far(void **state)
{
    (void)state;
    CnEntity node = read_node("{\n"
                              "  \"type\": \"CameraComponent\",\n"
                              "  \"view\": \"Perspective\",\n"
                              "  \"fov\": 90,\n"
                              "  \"near\": 0.001,\n"
                              "  \"far\": 1000\n"
                              "}");
    const CnCamera *camera = cn_get(world, node, CnCamera);
    assert_int_equal(camera->projection, CN_PERSPECTIVE);
    assert_true(camera->fov == 90 && camera->near_plane == 0.001f && camera->far_plane == 1000);
}

static void a_render_component_has_material_and_mesh(void **state)
{
    (void)state;
    CnEntity node = read_node("{\n"
                              "  \"type\": \"MeshRendererComponent\",\n"
                              "  \"material\": \"WhiteMaterial\",\n"
                              "  \"mesh\": \"assets://meshes/box.mesh\"\n"
                              "}");
    const CnMeshRenderer *renderer = cn_get(world, node, CnMeshRenderer);
    assert_string_equal(renderer->material, "WhiteMaterial");
    assert_string_equal(renderer->mesh, "assets://meshes/box.mesh");
}

static void a_component_is_read_by_its_alias(void **state)
{
    (void)state;
    CnEntity node = read_node("{\"type\": \"RenderComponent\", \"material\": \"White\"}");
    assert_string_equal(cn_get(world, node, CnMeshRenderer)->material, "White");
}

static void a_light_has_color_and_intensity(void **state)
{
    (void)state;
    CnEntity node = read_node("{\n"
                              "  \"type\": \"LightComponent\",\n"
                              "  \"color\": [1.0, 1.0, 0.5, 1.0],\n"
                              "  \"intensity\": 10\n"
                              "}");
    const CnLight *light = cn_get(world, node, CnLight);
    assert_true(light->color.z == 0.5f && light->color.w == 1 && light->intensity == 10);
}

/* ---- Values ---- */

static void every_type_of_field_is_read(void **state)
{
    (void)state;
    CnEntity node = read_node(
        "{\"type\": \"SceneEvery\", \"f32_value\": 0.1, \"f64_value\": 0.1, \"i8_value\": -128,"
        "\"i16_value\": -32768, \"i32_value\": -2147483648, \"i64_value\": -9223372036854775808,"
        "\"u8_value\": 255, \"u16_value\": 65535, \"u32_value\": 4294967295,"
        "\"u64_value\": \"18446744073709551615\", \"bool_value\": true, \"entity_value\": \"Node\","
        "\"vec2_value\": [1, 2], \"vec3_value\": [1, 2, 3], \"vec4_value\": [1, 2, 3, 4],"
        "\"quat_value\": [0, 1, 0, 0], \"mat4_value\": [1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16],"
        "\"text_value\": \"\\u00e4b\", \"list\": [1, 2, 3, 4], \"corners\": [[1, 2], [3, 4]],"
        "\"friends\": [null, \"Node\"]}");
    const SceneEvery *every = cn_get(world, node, SceneEvery);
    assert_true(every->f32_value == 0.1f && every->f64_value == 0.1);
    assert_true(every->i8_value == INT8_MIN && every->i16_value == INT16_MIN);
    assert_true(every->i32_value == INT32_MIN && every->i64_value == INT64_MIN);
    assert_true(every->u8_value == UINT8_MAX && every->u16_value == UINT16_MAX);
    assert_true(every->u32_value == UINT32_MAX && every->u64_value == UINT64_MAX);
    assert_true(every->bool_value);
    assert_true(every->entity_value.id == node.id);
    assert_true(every->vec2_value.y == 2 && every->vec3_value.z == 3 && every->vec4_value.w == 4);
    assert_true(every->quat_value.y == 1 && every->mat4_value.m[15] == 16);
    assert_string_equal(every->text_value, "\xc3\xa4"
                                           "b");
    assert_true(every->list[3] == 4 && every->corners[1].x == 3);
    assert_true(every->friends[0].id == 0 && every->friends[1].id == node.id);
}

static void fields_that_are_left_out_have_their_defaults(void **state)
{
    (void)state;
    CnEntity node = read_node("{\"type\": \"LampComponent\", \"watts\": 5}");
    const SceneLamp *lamp = cn_get(world, node, SceneLamp);
    assert_true(lamp->power == 5 && lamp->radius == 1 && lamp->turn.w == 1);
    const CnTransform *transform = cn_get(world, node, CnTransform);
    assert_vec3(transform->scale, 1, 1, 1);
}

static void keys_with_a_dot_are_members_of_an_object(void **state)
{
    (void)state;
    CnEntity node = read_node("{\"type\": \"LampComponent\", \"shape\": {\"radius\": 2, "
                              "\"type\": \"Ball\"}, \"watts\": 5}");
    const SceneLamp *lamp = cn_get(world, node, SceneLamp);
    assert_true(lamp->kind == 1 && lamp->radius == 2);
}

static void a_tag_is_a_type_alone(void **state)
{
    (void)state;
    assert_true(cn_has(world, read_node("{\"type\": \"SceneMarked\"}"), SceneMarked));
}

static void references_reach_forwards_and_into_prefabs(void **state)
{
    (void)state;
    memory_files_set(&memory, "car.json",
                     "{\"id\": \"Car\", \"components\": [{\"type\": \"SceneLink\", \"target\": "
                     "\"Car/Wheel\"}], \"children\": [{\"id\": \"Wheel\"}]}");
    read_scene("{\"nodes\": [{\"id\": \"A\", \"components\": [{\"type\": \"SceneLink\", "
               "\"target\": \"My car/Wheel\"}]}, {\"id\": \"My car\", \"prefab\": \"car.json\"}]}");
    CnEntity wheel = cn_object_find(world, "My car/Wheel");
    assert_false(cn_entity_is_null(wheel));
    assert_int_equal(cn_get(world, cn_object_find(world, "A"), SceneLink)->target.id, wheel.id);
    assert_int_equal(cn_get(world, cn_object_find(world, "My car"), SceneLink)->target.id,
                     wheel.id);
}

static void uids_and_enabled_are_kept(void **state)
{
    (void)state;
    read_scene("{\"nodes\": [{\"id\": \"A\", \"uid\": 77, \"enabled\": false, "
               "\"children\": [{\"id\": \"B\"}]}]}");
    CnEntity a = cn_object_by_uid(world, 77);
    assert_string_equal(cn_object_name(world, a), "A");
    assert_false(cn_object_is_enabled(world, a));
    CnEntity b = cn_object_find(world, "A/B");
    assert_true(cn_object_is_enabled(world, b));
    assert_false(cn_object_is_active(world, b));
    assert_true(cn_object_uid(world, b) != 0);
}

static void two_files_can_be_read_into_one_world(void **state)
{
    (void)state;
    read_scene("{\"nodes\": [{\"id\": \"A\"}]}");
    read_scene("{\"nodes\": [{\"id\": \"A\"}]}");
    assert_int_equal(cn_object_roots(world, NULL, 0), 2);
}

static void what_the_caller_does_not_want_is_not_needed(void **state)
{
    (void)state;
    assert_true(cn_scene_read_text(world, NULL, "x", cn_text("{\"nodes\":[]}"), NULL, NULL));
}

static void a_quaternion_of_any_length_is_made_a_unit(void **state)
{
    (void)state;
    static const char text[] = "{\"nodes\": [{\"id\": \"x\", \"components\": [{\"type\": "
                               "\"TransformComponent\", \"rotation\": [2, 0, 0, 2]}]}]}";
    CnSceneFile file;
    CnError wrong = {0};
    assert_true(cn_scene_read_text(world, NULL, "test.json", cn_text(text), &file, &wrong));
    const CnTransform *transform = cn_get(world, cn_object_find(world, "x"), CnTransform);
    assert_float_equal(transform->rotation.x, 0.70710678, 1e-7);
    assert_float_equal(transform->rotation.w, 0.70710678, 1e-7);
    cn_scene_file_free(&file);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        READ_TEST(a_scene_has_an_id_nodes_and_parts_for_the_renderer),
        READ_TEST(nodes_are_objects_and_children_are_below_them_in_order),
        READ_TEST(a_transform_has_position_degrees_and_scale),
        READ_TEST(a_rotation_of_four_numbers_is_a_quaternion),
        READ_TEST(a_camera_has_view_fov_near_and_far),
        READ_TEST(a_render_component_has_material_and_mesh),
        READ_TEST(a_component_is_read_by_its_alias),
        READ_TEST(a_light_has_color_and_intensity),
        READ_TEST(every_type_of_field_is_read),
        READ_TEST(fields_that_are_left_out_have_their_defaults),
        READ_TEST(keys_with_a_dot_are_members_of_an_object),
        READ_TEST(a_tag_is_a_type_alone),
        READ_TEST(references_reach_forwards_and_into_prefabs),
        READ_TEST(uids_and_enabled_are_kept),
        READ_TEST(two_files_can_be_read_into_one_world),
        READ_TEST(what_the_caller_does_not_want_is_not_needed),
        READ_TEST(a_quaternion_of_any_length_is_made_a_unit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
