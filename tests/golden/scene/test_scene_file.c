/*
 * A scene with the six components of evol's format, as it is read, and as it is written again.
 *
 * When the written form changes on purpose: CN_GOLDEN_WRITE=1 writes document.saved.json anew.
 */
#include "cmocka_tests.h"

#include <cairn/physics.h>
#include <cairn/scene.h>
#include <cairn/script.h>

#include <stdlib.h>

#define DOCUMENT "tests/golden/scene/document.json"
#define SAVED "tests/golden/scene/document.saved.json"

static CnScenes *scenes;
static CnWorld *world;

static CnScenes *make_scenes(void)
{
    static CnScriptDesc scripts;
    scripts = (CnScriptDesc){.files = cn_native_files()};
    CnPlugin parts[] = {cn_physics_plugin(NULL), cn_script_plugin(&scripts)};
    CnScenesDesc desc = {.plugins = parts, .plugin_count = CN_COUNT_OF(parts)};
    return cn_scenes_create(&desc, NULL);
}

static int load(void **state)
{
    (void)state;
    CnError error = {0};
    scenes = make_scenes();
    CnScene *scene = scenes ? cn_scene_load(scenes, cn_native_files(), DOCUMENT, &error) : NULL;
    if (!scene) {
        print_error("%s:%d:%d: %s\n", error.file, error.line, error.column, error.message);
        return -1;
    }
    world = cn_scene_world(scene);
    return 0;
}

static int drop(void **state)
{
    (void)state;
    cn_scenes_destroy(scenes);
    return 0;
}

static void the_scene_has_the_name_of_its_file(void **state)
{
    (void)state;
    assert_string_equal(cn_scene_name(cn_scenes_active(scenes)), "MainScene");
    assert_int_equal(cn_camera_active(world).id, cn_object_find(world, "Camera").id);
}

static void all_six_components_have_the_values_of_the_document(void **state)
{
    (void)state;
    CnEntity box = cn_object_find(world, "Box"), lamp = cn_object_find(world, "Box/Lamp");
    CnQuat turn = cn_quat_from_euler(cn_vec3(0, 90, 0));
    const CnTransform *transform = cn_get(world, box, CnTransform);
    assert_memory_equal(&transform->rotation, &turn, sizeof turn);
    assert_string_equal(cn_get(world, box, CnScript)->script_name, "BoxScript");
    assert_string_equal(cn_get(world, box, CnScript)->script_path, "scripts://MainScene/box.lua");
    const CnRigidbody *body = cn_get(world, box, CnRigidbody);
    assert_true(body->kind == CN_BODY_DYNAMIC && body->mass == 1 && body->restitution == 1);
    assert_true(body->shape == CN_SHAPE_BOX && body->half_extents.y == 1);
    const CnMeshRenderer *renderer = cn_get(world, box, CnMeshRenderer);
    assert_string_equal(renderer->material, "WhiteMaterial");
    assert_string_equal(renderer->mesh, "assets://meshes/box.mesh");
    const CnLight *light = cn_get(world, lamp, CnLight);
    assert_true(light->color.x == 1 && light->color.w == 1 && light->intensity == 10);
    const CnCamera *camera = cn_get(world, cn_object_find(world, "Camera"), CnCamera);
    assert_true(camera->projection == CN_PERSPECTIVE && camera->fov == 90);
    assert_true(camera->near_plane == 0.001f && camera->far_plane == 1000);
}

static void it_is_written_as_it_was(void **state)
{
    (void)state;
    CnTextBuilder text;
    CnFileBytes saved;
    CnError error = {0};
    cn_array_init(&text, NULL);
    const CnSceneFile *file = cn_scene_file(cn_scenes_active(scenes));
    if (!cn_scene_write_text(world, &text, file, &error))
        fail_msg("%s", error.message);
    if (getenv("CN_GOLDEN_WRITE"))
        cn_file_write_all(cn_native_files(), SAVED, text.items, text.count, NULL);
    assert_true(cn_file_read_all(cn_native_files(), SAVED, NULL, &saved, NULL));
    assert_string_equal(text.items, (const char *)saved.data);
    cn_file_bytes_free(&saved);
    cn_array_fini(&text);
}

static void what_was_written_is_read_as_the_same_state(void **state)
{
    (void)state;
    CnScenes *others = make_scenes();
    CnScene *other = cn_scene_load(others, cn_native_files(), SAVED, NULL);
    assert_non_null(other);
    assert_true(cn_world_hash(cn_scene_world(other)) == cn_world_hash(world));
    cn_scenes_destroy(others);
}

static void a_key_and_its_alias_together_are_an_error(void **state)
{
    (void)state;
    static const char text[] = "{\"nodes\": [{\"id\": \"x\", \"components\": [{\"type\": "
                               "\"ScriptComponent\",\n\"script_path\": \"a\", \"scriptPath\": "
                               "\"b\"}]}]}";
    CnError error = {0};
    assert_false(cn_scene_read_text(world, NULL, "test.json", cn_text(text), NULL, &error));
    assert_int_equal(error.code, CN_ERROR_EXISTS);
    assert_int_equal(error.line, 2);
    assert_string_equal(error.message, "scriptPath is given twice: remove \"script_path\"");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_scene_has_the_name_of_its_file),
        cmocka_unit_test(all_six_components_have_the_values_of_the_document),
        cmocka_unit_test(it_is_written_as_it_was),
        cmocka_unit_test(a_key_and_its_alias_together_are_an_error),
        cmocka_unit_test(what_was_written_is_read_as_the_same_state),
    };
    return cmocka_run_group_tests(tests, load, drop);
}
