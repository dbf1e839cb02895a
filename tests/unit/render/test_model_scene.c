/* Models in the renderer: selectors of scenes and variants, lights and cameras. */
#include "glb_import.h"
#include "render_fixture.h"
#include "scratch.h"

static RenderFixture fixture;
static Scratch scratch;
static CnCache *cache;

#define FLOATS(count, type) "'componentType': 5126, 'count': " #count ", 'type': '" type "'"

/* Two scenes, two variants, a light that moves along x by 1 m per second, and a camera. */
static void write_model(const char *path)
{
    static const float triangle[3][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, times[2] = {0, 8},
                       places[2][3] = {{0, 2, 0}, {8, 2, 0}};
    GlbBuilder builder = {0};
    CnError error = {0};
    glb_add(&builder, triangle, sizeof triangle, 0, FLOATS(3, "VEC3"));
    glb_add(&builder, times, sizeof times, 0, FLOATS(2, "SCALAR"));
    glb_add(&builder, places, sizeof places, 0, FLOATS(2, "VEC3"));
    assert_true(glb_write(
        &builder,
        "'extensions': {'KHR_materials_variants': {'variants': [{'name': 'Dry'}, {'name': 'Wet & "
        "cold'}]}, 'KHR_lights_punctual': {'lights': [{'type': 'point', 'intensity': 5}]}}, "
        "'materials': [{'pbrMetallicRoughness': {'baseColorFactor': [1, 0, 0, 1]}}, "
        "{'pbrMetallicRoughness': {'baseColorFactor': [0, 0, 1, 1]}}], 'meshes': [{'primitives': "
        "[{'attributes': {'POSITION': 0}, 'material': 0, 'extensions': {'KHR_materials_variants': "
        "{'mappings': [{'material': 1, 'variants': [1]}]}}}]}], 'cameras': [{'type': "
        "'perspective', 'perspective': {'yfov': 0.5, 'znear': 0.1}}], 'scenes': [{'name': 'Small', "
        "'nodes': [0, 1, 2]}, {'name': 'Large', 'nodes': [3, 4]}], 'nodes': [{'mesh': 0, 'name': "
        "'Sail'}, {'extensions': {'KHR_lights_punctual': {'light': 0}}}, {'camera': 0, 'name': "
        "'Eye', 'translation': [0, 0, 3]}, {'mesh': 0}, {'mesh': 0}], 'animations': [{'samplers': "
        "[{'input': 1, 'output': 2}], 'channels': [{'sampler': 0, 'target': {'node': 1, 'path': "
        "'translation'}}]}]",
        path, &error));
}

static int make(void **state)
{
    (void)state;
    scratch_init(&scratch);
    cache = cn_cache_create(&(CnCacheDesc){.folder = scratch_path(&scratch, "cache")}, NULL);
    assert_non_null(cache);
    if (!render_fixture_init_with(&fixture, RENDER_NULL,
                                  &(CnRendererDesc){.files = cn_native_files(), .cache = cache}))
        return -1;
    write_model(scratch_path(&scratch, "m.glb"));
    return 0;
}

static int drop(void **state)
{
    (void)state;
    render_fixture_fini(&fixture);
    cn_cache_destroy(cache);
    scratch_fini(&scratch);
    return 0;
}

#define MODEL_TEST(name) cmocka_unit_test_setup_teardown(name, make, drop)

static CnModel try_load(const char *selector)
{
    char path[300];
    cn_format(path, sizeof path, "%s%s", scratch_path(&scratch, "m.glb"), selector);
    return cn_model_load(fixture.renderer, path, &fixture.error);
}

static CnModel load(const char *selector)
{
    CnModel model = try_load(selector);
    if (!model.id)
        fail_msg("%s", fixture.error.message);
    return model;
}

/* Returns the blue of the material of the first part. */
static float blue_of(CnModel model)
{
    CnModelInfo info = cn_model_info(fixture.renderer, model);
    return cn_material_get(fixture.renderer, info.parts[0].material).base_color.z;
}

static void a_variant_has_its_own_materials(void **state)
{
    (void)state;
    assert_true(blue_of(load("")) == 0);
    assert_true(blue_of(load("#variant=Dry")) == 0);
    assert_true(blue_of(load("#variant=Wet %26 cold")) == 1);
    assert_true(blue_of(load("#variant=Wet %26 cold&Sail")) == 1);
}

static void a_variant_comes_from_the_cache_as_from_the_file(void **state)
{
    (void)state;
    cn_model_destroy(fixture.renderer, load("")); /* has written the cache */
    assert_true(blue_of(load("#variant=Wet %26 cold")) == 1);
    assert_string_equal(cn_model_variant(fixture.renderer, load(""), 1), "Wet & cold");
    assert_null(cn_model_variant(fixture.renderer, load(""), 2));
}

static void a_variant_that_is_not_there_is_refused(void **state)
{
    (void)state;
    assert_int_equal(try_load("#variant=Hot").id, 0);
    assert_int_equal(fixture.error.code, CN_ERROR_NOT_FOUND);
}

static void a_scene_is_selected_by_name_or_index(void **state)
{
    (void)state;
    assert_int_equal(cn_model_info(fixture.renderer, load("")).part_count, 1);
    assert_int_equal(cn_model_info(fixture.renderer, load("#scene=Large")).part_count, 2);
    assert_int_equal(cn_model_info(fixture.renderer, load("#scene=1")).part_count, 2);
    assert_string_equal(cn_model_scene(fixture.renderer, load(""), 1), "Large");
}

static void a_scene_has_variants(void **state)
{
    (void)state;
    assert_true(blue_of(load("#scene=Large&variant=Wet %26 cold")) == 1);
}

static void a_scene_that_is_not_there_is_refused(void **state)
{
    (void)state;
    assert_int_equal(try_load("#scene=Third").id, 0);
    assert_non_null(strstr(fixture.error.message, "no scene with the name or index Third"));
}

static void a_light_moves_with_the_clip(void **state)
{
    (void)state;
    CnModelLight light;
    assert_int_equal(cn_model_info(fixture.renderer, load("")).light_count, 1);
    assert_true(cn_model_light(fixture.renderer, load(""), 0, 0, 3, &light));
    assert_int_equal(light.kind, CN_LIGHT_POINT);
    assert_true(light.color.x == 5 && !light.is_hidden);
    assert_true(light.transform.m[0][3] > 2.99f && light.transform.m[0][3] < 3.01f);
    assert_false(cn_model_light(fixture.renderer, load(""), 1, 0, 3, &light));
}

static void a_camera_has_place_and_angle(void **state)
{
    (void)state;
    CnModelCamera camera;
    assert_true(cn_model_camera(fixture.renderer, load(""), 0, CN_MODEL_REST, 0, &camera));
    assert_string_equal(camera.name, "Eye");
    assert_true(camera.transform.m[2][3] == 3);
    assert_true(camera.fov > 28.6f && camera.fov < 28.7f);
}

static void lights_of_models_shine_where_items_are(void **state)
{
    (void)state;
    render_fixture_add(&fixture, &cn_feature_forward, NULL);
    render_fixture_camera(&fixture, cn_vec3(0, 0, 5), cn_vec3(0, 0, 0), 60);
    for (uint32_t i = 0; i < 3; i++)
        render_fixture_item(&fixture, scratch_path(&scratch, "m.glb"), NULL,
                            cn_vec3((float)i, 0, 0), 1);
    render_fixture_draw(&fixture, 1);
    assert_int_equal(cn_renderer_stats(fixture.renderer).lights, 3);
    assert_int_equal(cn_renderer_stats(fixture.renderer).visible_lights, 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        MODEL_TEST(a_variant_has_its_own_materials),
        MODEL_TEST(a_variant_comes_from_the_cache_as_from_the_file),
        MODEL_TEST(a_variant_that_is_not_there_is_refused),
        MODEL_TEST(a_scene_is_selected_by_name_or_index),
        MODEL_TEST(a_scene_has_variants),
        MODEL_TEST(a_scene_that_is_not_there_is_refused),
        MODEL_TEST(a_light_moves_with_the_clip),
        MODEL_TEST(a_camera_has_place_and_angle),
        MODEL_TEST(lights_of_models_shine_where_items_are),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
