/* Lights, cameras, scenes, variants and animated properties of glTF files. */
#include "cmocka_tests.h"
#include "glb_import.h"

#include "render/import/import.h"

#include <cairn/base/log.h>

#include <math.h>

static GlbImport glb;
static GlbBuilder builder;

#define FLOATS(count, type) "'componentType': 5126, 'count': " #count ", 'type': '" type "'"

/* Accessor 0: a triangle. Accessor 1: the times 0 s and 2 s. */
static int start(void **state)
{
    (void)state;
    static const float triangle[3][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, times[2] = {0, 2};
    builder = (GlbBuilder){0};
    cn_log_set_level(CN_LOG_LEVEL_OFF);
    glb_add(&builder, triangle, sizeof triangle, 0, FLOATS(3, "VEC3"));
    glb_add(&builder, times, sizeof times, 0, FLOATS(2, "SCALAR"));
    return 0;
}

static int drop(void **state)
{
    (void)state;
    glb_free(&glb);
    return 0;
}

#define SCENE_TEST(name) cmocka_unit_test_setup_teardown(name, start, drop)

static void import(const char *keys)
{
    if (!glb_build(&glb, &builder, keys))
        fail_msg("%s", glb.error.message);
}

static void assert_refused(const char *keys, CnErrorCode code, const char *what)
{
    if (glb_build(&glb, &builder, keys))
        fail_msg("accepted: %s", keys);
    if (!strstr(glb.error.message, what))
        fail_msg("\"%s\" instead of \"%s\"", glb.error.message, what);
    assert_int_equal(glb.error.code, code);
}

static bool is_near(float a, float b)
{
    return fabsf(a - b) < 1e-3f;
}

static const char *text_at(uint32_t text)
{
    return cni_render_model_text_at(&glb.data, text);
}

#define MESH "'meshes': [{'primitives': [{'attributes': {'POSITION': 0}}]}], "
#define CHANNEL(pointer)                                                                           \
    "'animations': [{'samplers': [{'input': 1, 'output': 2}], 'channels': [{'sampler': 0, "        \
    "'target': {'path': 'pointer', 'extensions': {'KHR_animation_pointer': {'pointer': '" pointer  \
    "'}}}}]}], "

/* ---- Lights and cameras ---- */

#define LIGHTS                                                                                     \
    "'extensions': {'KHR_lights_punctual': {'lights': [{'type': 'point', 'name': 'Bulb', "         \
    "'color': [1, 0.5, 0], 'intensity': 20}, {'type': 'spot', 'range': 7, 'spot': "                \
    "{'innerConeAngle': 0.25, 'outerConeAngle': 0.5}}]}}, "
#define LIGHT(number) "'extensions': {'KHR_lights_punctual': {'light': " #number "}}"

static void lights_have_the_place_of_their_node(void **state)
{
    (void)state;
    CnAffine globals[4];
    import(MESH LIGHTS "'nodes': [{'mesh': 0, 'children': [1], 'translation': [0, 3, 0]}, "
                       "{'translation': [0, 0, 5], " LIGHT(0) "}]");
    assert_int_equal(glb.data.lights.count, 1);
    const CniRenderModelLight *light = &glb.data.lights.items[0];
    assert_int_equal(light->kind, CN_LIGHT_POINT);
    assert_string_equal(text_at(light->name), "Bulb");
    assert_true(is_near(light->color.y, 0.5f) && is_near(light->intensity, 20));
    cni_render_model_sample_nodes(&glb.data, UINT32_MAX, 0, globals);
    assert_true(is_near(globals[light->node].m[1][3], 3));
    assert_true(is_near(globals[light->node].m[2][3], 5));
}

static void a_light_without_a_range_reaches_as_far_as_it_matters(void **state)
{
    (void)state;
    import(MESH LIGHTS "'nodes': [{'mesh': 0, " LIGHT(0) "}, {" LIGHT(1) "}]");
    float range = glb.data.lights.items[0].range;
    assert_true(range > 50 && range < 100);
    assert_true(is_near(glb.data.lights.items[1].range, 7));
    assert_true(is_near(glb.data.lights.items[1].outer, 0.5f));
}

static void a_light_that_does_not_exist_is_refused(void **state)
{
    (void)state;
    assert_refused(MESH LIGHTS "'nodes': [{'mesh': 0, " LIGHT(2) "}]", CN_ERROR_FORMAT,
                   "nodes[0].extensions.KHR_lights_punctual.light: light 2 does not exist");
}

static void cameras_are_perspective_or_orthographic(void **state)
{
    (void)state;
    import(MESH "'cameras': [{'type': 'perspective', 'perspective': {'yfov': 0.7, 'znear': 0.5}}, "
                "{'type': 'orthographic', 'orthographic': {'xmag': 1, 'ymag': 3, 'znear': 1, "
                "'zfar': 9}}], 'nodes': [{'mesh': 0}, {'camera': 1, 'name': 'Top'}, "
                "{'camera': 0}]");
    assert_int_equal(glb.data.cameras.count, 2);
    const CniRenderModelCamera *top = &glb.data.cameras.items[0];
    assert_string_equal(text_at(top->name), "Top");
    assert_true(top->is_orthographic && is_near(top->size, 6) && is_near(top->far, 9));
    assert_true(is_near(glb.data.cameras.items[1].size, 0.7f));
}

/* ---- Scenes and variants ---- */

#define SCENES                                                                                     \
    "'scenes': [{'name': 'One', 'nodes': [0]}, {'name': 'Two', 'nodes': [1, 2]}], 'nodes': "       \
    "[{'mesh': 0}, {'mesh': 0}, {'mesh': 0}]"

static void scenes_are_listed_and_the_selected_one_is_imported(void **state)
{
    (void)state;
    import(MESH "'scene': 1, " SCENES);
    assert_int_equal(glb.data.scenes.count, 2);
    assert_string_equal(text_at(glb.data.scenes.items[0]), "One");
    assert_int_equal(glb.data.parts.count, 2);
}

#define VARIANTS "'extensions': {'KHR_materials_variants': {'variants': [{'name': 'Wet'}]}}, "
#define VARIED(material)                                                                           \
    "'materials': [{'name': 'A'}, {'name': 'B'}], 'meshes': [{'primitives': [{'attributes': "      \
    "{'POSITION': 0}, 'material': 0, 'extensions': {'KHR_materials_variants': {'mappings': "       \
    "[{'material': " #material ", 'variants': [0]}]}}}]}], 'nodes': [{'mesh': 0}]"

static void variants_have_names_and_materials(void **state)
{
    (void)state;
    import(VARIANTS VARIED(1));
    assert_string_equal(text_at(glb.data.variants.items[0]), "Wet");
    assert_int_equal(glb.data.mappings.count, 1);
    const CniRenderModelMapping *mapping = &glb.data.mappings.items[0];
    assert_int_equal(mapping->mesh, 0);
    assert_string_equal(text_at(glb.data.materials.items[mapping->material - 1].name), "B");
}

static void a_mapping_to_no_variant_is_refused(void **state)
{
    (void)state;
    assert_refused("'extensions': {'KHR_materials_variants': {'variants': [{'name': 'Wet'}]}}, "
                   "'materials': [{}], 'meshes': [{'primitives': [{'attributes': {'POSITION': 0}, "
                   "'extensions': {'KHR_materials_variants': {'mappings': [{'material': 0, "
                   "'variants': [1]}]}}}]}], 'nodes': [{'mesh': 0}]",
                   CN_ERROR_FORMAT, "variants: must be a list of indices of variants");
}

/* ---- Animated properties ---- */

static void an_animation_hides_parts(void **state)
{
    (void)state;
    static const uint8_t visible[4] = {1, 0};
    uint8_t hidden[4];
    glb_add(&builder, visible, sizeof visible, 0,
            "'componentType': 5121, 'count': 2, 'type': 'SCALAR'");
    import(MESH "'animations': [{'samplers': [{'input': 1, 'output': 2, 'interpolation': 'STEP'}], "
                "'channels': [{'sampler': 0, 'target': {'path': 'pointer', 'extensions': "
                "{'KHR_animation_pointer': {'pointer': "
                "'/nodes/0/extensions/KHR_node_visibility/visible'}}}}]}], "
                "'nodes': [{'children': [1]}, {'mesh': 0}]");
    uint32_t node = glb.data.parts.items[0].node;
    assert_int_not_equal(node, 0);
    cni_render_model_sample_hidden(&glb.data, 0, 0.5f, hidden);
    assert_int_equal(hidden[node - 1], 0);
    glb.data.clips.items[0].seconds = 4; /* beyond its last key */
    cni_render_model_sample_hidden(&glb.data, 0, 3, hidden);
    assert_int_equal(hidden[node - 1], 1);
}

static void a_hidden_node_that_an_animation_can_show_is_imported(void **state)
{
    (void)state;
    static const uint8_t visible[4] = {0, 1};
    uint8_t hidden[4];
    glb_add(&builder, visible, sizeof visible, 0,
            "'componentType': 5121, 'count': 2, 'type': 'SCALAR'");
    import(MESH CHANNEL("/nodes/0/extensions/KHR_node_visibility/visible") /* of a hidden node */
           "'nodes': [{'mesh': 0, 'extensions': {'KHR_node_visibility': {'visible': false}}}]");
    assert_int_equal(glb.data.parts.count, 1);
    cni_render_model_sample_hidden(&glb.data, UINT32_MAX, 0, hidden);
    assert_int_equal(hidden[glb.data.parts.items[0].node - 1], 1);
}

#define LIT                                                                                        \
    "'materials': [{'emissiveFactor': [1, 0.5, 0]}], 'meshes': [{'primitives': "                   \
    "[{'attributes': {'POSITION': 0}, 'material': 0}]}], 'nodes': [{'mesh': 0}]"

static void an_animation_changes_the_color_of_a_material(void **state)
{
    (void)state;
    static const float colors[2][4] = {{1, 0, 0, 1}, {0, 0, 1, 1}};
    glb_add(&builder, colors, sizeof colors, 0, FLOATS(2, "VEC4"));
    import(CHANNEL("/materials/0/pbrMetallicRoughness/baseColorFactor") LIT);
    CnVec4 color = cni_render_model_sample_material(&glb.data, 0, 1, 0).base_color;
    assert_true(is_near(color.x, 0.5f) && is_near(color.z, 0.5f));
}

static void the_strength_of_emission_multiplies_its_color(void **state)
{
    (void)state;
    static const float strengths[2] = {2, 4};
    glb_add(&builder, strengths, sizeof strengths, 0, FLOATS(2, "SCALAR"));
    import(CHANNEL("/materials/0/extensions/KHR_materials_emissive_strength/emissiveStrength") LIT);
    CnVec3 emissive = cni_render_model_sample_material(&glb.data, 0, 1, 0).emissive;
    assert_true(is_near(emissive.x, 3) && is_near(emissive.y, 1.5f) && is_near(emissive.z, 0));
}

#define COATED(extension)                                                                          \
    "'materials': [{'extensions': {" extension "}}], 'meshes': [{'primitives': [{'attributes': "   \
    "{'POSITION': 0}, 'material': 0}]}], 'nodes': [{'mesh': 0}]"

static void an_animation_changes_a_number_of_an_extension(void **state)
{
    (void)state;
    static const float values[2] = {0, 1};
    glb_add(&builder, values, sizeof values, 0, FLOATS(2, "SCALAR"));
    import(CHANNEL("/materials/0/extensions/KHR_materials_clearcoat/clearcoatRoughnessFactor")
               COATED("'KHR_materials_clearcoat': {'clearcoatFactor': 0.75}"));
    CnMaterialExtensions sampled = cni_render_model_sample_material(&glb.data, 0, 1, 0).extensions;
    assert_true(is_near(sampled.clearcoat_roughness, 0.5f) && is_near(sampled.clearcoat, 0.75f));
}

static void an_animation_changes_a_color_of_an_extension(void **state)
{
    (void)state;
    static const float colors[2][3] = {{1, 0, 0}, {0, 0, 1}};
    glb_add(&builder, colors, sizeof colors, 0, FLOATS(2, "VEC3"));
    import(CHANNEL("/materials/0/extensions/KHR_materials_sheen/sheenColorFactor")
               COATED("'KHR_materials_sheen': {'sheenRoughnessFactor': 0.25}"));
    CnMaterialExtensions sampled = cni_render_model_sample_material(&glb.data, 0, 1, 0).extensions;
    assert_true(is_near(sampled.sheen_color.x, 0.5f) && is_near(sampled.sheen_color.z, 0.5f));
    assert_true(is_near(sampled.sheen_roughness, 0.25f));
}

static void an_animation_changes_the_strength_of_occlusion(void **state)
{
    (void)state;
    static const float values[2] = {0, 0.5f};
    glb_add(&builder, values, sizeof values, 0, FLOATS(2, "SCALAR"));
    import(CHANNEL("/materials/0/occlusionTexture/strength") LIT);
    float strength = cni_render_model_sample_material(&glb.data, 0, 1, 0).occlusion_strength;
    assert_true(is_near(strength, 0.25f));
}

static void check_transform(const char *keys, uint32_t texture, CnTextureCoordinates expected)
{
    static const float pairs[2][2] = {{0, 0}, {2, 4}};
    glb_add(&builder, pairs, sizeof pairs, 0, FLOATS(2, "VEC2"));
    import(keys);
    CnTextureCoordinates sampled =
        cni_render_model_sample_material(&glb.data, 0, 1, 0).coordinates[texture];
    assert_true(is_near(sampled.offset.x, expected.offset.x));
    assert_true(is_near(sampled.offset.y, expected.offset.y));
    assert_true(is_near(sampled.scale.x, expected.scale.x));
    assert_true(is_near(sampled.scale.y, expected.scale.y));
}

#define TRANSFORM "/extensions/KHR_texture_transform/"

static void an_animation_changes_the_transform_of_a_texture(void **state)
{
    (void)state;
    check_transform(CHANNEL("/materials/0/normalTexture" TRANSFORM "offset") LIT, CN_TEXTURE_NORMAL,
                    (CnTextureCoordinates){.offset = {1, 2}});
}

static void an_animation_changes_the_transform_of_a_texture_of_an_extension(void **state)
{
    (void)state;
    check_transform(
        CHANNEL("/materials/0/extensions/KHR_materials_volume/thicknessTexture" TRANSFORM "scale")
            LIT,
        CN_TEXTURE_THICKNESS, (CnTextureCoordinates){.scale = {1, 2}});
}

static void an_unknown_part_of_a_transform_is_ignored(void **state)
{
    (void)state;
    static const float values[2] = {0, 1};
    glb_add(&builder, values, sizeof values, 0, FLOATS(2, "SCALAR"));
    import(CHANNEL("/materials/0/normalTexture" TRANSFORM "texCoord") LIT);
    assert_int_equal(glb.data.channels.count, 0);
}

static void an_animation_changes_each_use_of_a_light(void **state)
{
    (void)state;
    static const float intensities[2] = {0, 8};
    glb_add(&builder, intensities, sizeof intensities, 0, FLOATS(2, "SCALAR"));
    import(MESH LIGHTS CHANNEL("/extensions/KHR_lights_punctual/lights/1/intensity") /* of two */
           "'nodes': [{'mesh': 0, " LIGHT(1) "}, {" LIGHT(0) "}, {" LIGHT(1) "}]");
    assert_true(is_near(cni_render_model_sample_light(&glb.data, 0, 1, 0).intensity, 4));
    assert_true(is_near(cni_render_model_sample_light(&glb.data, 0, 1, 1).intensity, 20));
    assert_true(is_near(cni_render_model_sample_light(&glb.data, 0, 1, 2).intensity, 4));
}

static void an_animation_changes_the_view_of_a_camera(void **state)
{
    (void)state;
    static const float angles[2] = {0.5f, 1};
    glb_add(&builder, angles, sizeof angles, 0, FLOATS(2, "SCALAR"));
    import(
        MESH
        "'cameras': [{'type': 'perspective', 'perspective': {'yfov': 0.7, 'znear': 1}}], " CHANNEL(
            "/cameras/0/perspective/yfov") "'nodes': [{'mesh': 0, 'camera': 0}]");
    assert_true(is_near(cni_render_model_sample_camera(&glb.data, 0, 1, 0).size, 0.75f));
}

static void pointers_to_transforms_move_nodes(void **state)
{
    (void)state;
    static const float places[2][3] = {{0, 0, 0}, {4, 0, 0}};
    CnAffine globals[4];
    glb_add(&builder, places, sizeof places, 0, FLOATS(2, "VEC3"));
    import(MESH CHANNEL("/nodes/0/translation") "'nodes': [{'mesh': 0}]");
    cni_render_model_sample_nodes(&glb.data, 0, 1, globals);
    assert_true(is_near(globals[0].m[0][3], 2));
}

static void an_unknown_pointer_is_ignored_unless_it_is_required(void **state)
{
    (void)state;
    static const float values[2] = {0, 1};
    glb_add(&builder, values, sizeof values, 0, FLOATS(2, "SCALAR"));
    import(MESH CHANNEL("/materials/0/extensions/EX_glow/amount") "'nodes': [{'mesh': 0}]");
    glb_free(&glb);
    assert_refused("'extensionsRequired': ['KHR_animation_pointer'], " MESH CHANNEL(
                       "/materials/0/extensions/EX_glow/amount") "'nodes': [{'mesh': 0}]",
                   CN_ERROR_UNSUPPORTED,
                   "pointer: /materials/0/extensions/EX_glow/amount cannot be animated");
}

static void a_pointer_to_nothing_is_refused(void **state)
{
    (void)state;
    static const float values[2] = {0, 1};
    glb_add(&builder, values, sizeof values, 0, FLOATS(2, "SCALAR"));
    assert_refused(MESH CHANNEL("/materials/7/alphaCutoff") "'nodes': [{'mesh': 0}]",
                   CN_ERROR_FORMAT, "/materials/7/alphaCutoff does not exist");
}

static void the_keys_of_a_pointer_have_the_type_of_its_target(void **state)
{
    (void)state;
    static const float values[2] = {0, 1};
    glb_add(&builder, values, sizeof values, 0, FLOATS(2, "SCALAR"));
    assert_refused(CHANNEL("/materials/0/pbrMetallicRoughness/baseColorFactor") LIT,
                   CN_ERROR_FORMAT, "accessor 2 does not have the type of a material property");
}

/* ---- Points and lines ---- */

static void points_and_lines_become_triangles(void **state)
{
    (void)state;
    import("'meshes': [{'primitives': [{'attributes': {'POSITION': 0}, 'mode': 0}, {'attributes': "
           "{'POSITION': 0}, 'mode': 1}, {'attributes': {'POSITION': 0}, 'mode': 2}, "
           "{'attributes': {'POSITION': 0}, 'mode': 3}]}], 'nodes': [{'mesh': 0}]");
    static const uint32_t lines[4] = {0, 1, 3, 2};
    assert_int_equal(glb.data.parts.count, 4);
    assert_int_equal(glb.data.meshes.items[0].index_count, 3 * 12);
    for (uint32_t i = 1; i < 4; i++)
        assert_int_equal(glb.data.meshes.items[i].index_count, lines[i] * 18);
}

static void points_without_normals_are_unlit(void **state)
{
    (void)state;
    static const float normals[3][3] = {{0, 0, 1}, {0, 0, 1}, {0, 0, 1}};
    glb_add(&builder, normals, sizeof normals, 0, FLOATS(3, "VEC3"));
    import("'materials': [{}], 'meshes': [{'primitives': [{'attributes': {'POSITION': 0}, 'mode': "
           "0, 'material': 0}, {'attributes': {'POSITION': 0, 'NORMAL': 2}, 'mode': 0, 'material': "
           "0}]}], 'nodes': [{'mesh': 0}]");
    const CniRenderModelMesh *meshes = glb.data.meshes.items;
    assert_int_equal(glb.data.materials.items[meshes[0].material - 1].is_unlit, 1);
    assert_int_equal(glb.data.materials.items[meshes[1].material - 1].is_unlit, 0);
}

static void a_line_with_a_wrong_index_is_refused(void **state)
{
    (void)state;
    static const uint16_t indices[2] = {0, 3};
    glb_add(&builder, indices, sizeof indices, 0,
            "'componentType': 5123, 'count': 2, 'type': 'SCALAR'");
    assert_refused("'meshes': [{'primitives': [{'attributes': {'POSITION': 0}, 'indices': 2, "
                   "'mode': 1}]}], 'nodes': [{'mesh': 0}]",
                   CN_ERROR_FORMAT, "an index of a primitive is 3, but there are only 3 vertices");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        SCENE_TEST(lights_have_the_place_of_their_node),
        SCENE_TEST(a_light_without_a_range_reaches_as_far_as_it_matters),
        SCENE_TEST(a_light_that_does_not_exist_is_refused),
        SCENE_TEST(cameras_are_perspective_or_orthographic),
        SCENE_TEST(scenes_are_listed_and_the_selected_one_is_imported),
        SCENE_TEST(variants_have_names_and_materials),
        SCENE_TEST(a_mapping_to_no_variant_is_refused),
        SCENE_TEST(an_animation_hides_parts),
        SCENE_TEST(a_hidden_node_that_an_animation_can_show_is_imported),
        SCENE_TEST(an_animation_changes_the_color_of_a_material),
        SCENE_TEST(an_animation_changes_a_number_of_an_extension),
        SCENE_TEST(an_animation_changes_a_color_of_an_extension),
        SCENE_TEST(an_animation_changes_the_strength_of_occlusion),
        SCENE_TEST(an_animation_changes_the_transform_of_a_texture),
        SCENE_TEST(an_animation_changes_the_transform_of_a_texture_of_an_extension),
        SCENE_TEST(an_unknown_part_of_a_transform_is_ignored),
        SCENE_TEST(the_strength_of_emission_multiplies_its_color),
        SCENE_TEST(an_animation_changes_each_use_of_a_light),
        SCENE_TEST(an_animation_changes_the_view_of_a_camera),
        SCENE_TEST(pointers_to_transforms_move_nodes),
        SCENE_TEST(an_unknown_pointer_is_ignored_unless_it_is_required),
        SCENE_TEST(a_pointer_to_nothing_is_refused),
        SCENE_TEST(the_keys_of_a_pointer_have_the_type_of_its_target),
        SCENE_TEST(points_and_lines_become_triangles),
        SCENE_TEST(points_without_normals_are_unlit),
        SCENE_TEST(a_line_with_a_wrong_index_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
