/* What the materials of glTF files turn into: their extensions, and textures with coordinates of
 * their own. */
#include "glb_fixture.h"

#include <math.h>

/* Adds accessor 0, the corners of a square, and three sets of coordinates: (0, 0), the position,
 * and half of it. */
static void add_square(void)
{
    static const float square[4][3] = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}};
    static const float sets[3][4][2] = {{{0, 0}, {0, 0}, {0, 0}, {0, 0}},
                                        {{0, 0}, {1, 0}, {1, 1}, {0, 1}},
                                        {{0, 0}, {.5f, 0}, {.5f, .5f}, {0, .5f}}};
    glb_add(&builder, square, sizeof square, 0,
            "'componentType': 5126, 'count': 4, 'type': 'VEC3'");
    for (uint32_t i = 0; i < 3; i++)
        glb_add(&builder, sets[i], sizeof sets[i], 0,
                "'componentType': 5126, 'count': 4, 'type': 'VEC2'");
}

#define SCENE                                                                                      \
    "'images': [{'uri': 'a.png'}, {'uri': 'b.png'}], 'textures': [{'source': 0}, {'source': 1}], " \
    "'meshes': [{'primitives': [{'attributes': {'POSITION': 0, 'TEXCOORD_0': 1, 'TEXCOORD_1': 2, " \
    "'TEXCOORD_2': 3}, 'mode': 6, 'material': 0}]}], 'nodes': [{'mesh': 0}]"

static const CniRenderModelMaterial *import(const char *material)
{
    char text[2048];
    add_square();
    assert_true(cn_format(text, sizeof text, "'materials': [{%s}], " SCENE, material));
    if (!glb_build(&glb, &builder, text))
        fail_msg("%s", glb.error.message);
    return &glb.data.materials.items[0];
}

static const CnMaterialExtensions *import_extension(const char *name, const char *members)
{
    char text[1024];
    assert_true(cn_format(text, sizeof text, "'extensions': {'%s': {%s}}", name, members));
    return &import(text)->extensions;
}

static bool is_near(float a, float b)
{
    return fabsf(a - b) < 1e-5f;
}

static bool is_color(CnVec3 color, float r, float g, float b)
{
    return is_near(color.x, r) && is_near(color.y, g) && is_near(color.z, b);
}

/* ---- Extensions ---- */

static void a_material_without_extensions_has_their_defaults(void **state)
{
    (void)state;
    const CnMaterialExtensions *e = &import("'name': 'plain'")->extensions;
    assert_true(is_near(e->ior, 1.5f) && e->specular == 1 && is_color(e->specular_color, 1, 1, 1));
    assert_true(e->clearcoat == 0 && is_color(e->sheen_color, 0, 0, 0) && e->anisotropy == 0);
    assert_true(e->iridescence == 0 && e->transmission == 0 && e->thickness == 0);
    assert_true(e->attenuation_distance == 0 && is_color(e->attenuation_color, 1, 1, 1));
}

static void ior_is_read(void **state)
{
    (void)state;
    assert_true(is_near(import_extension("KHR_materials_ior", "'ior': 1.8")->ior, 1.8f));
}

static void an_ior_of_zero_reflects_everything(void **state)
{
    (void)state;
    assert_true(import_extension("KHR_materials_ior", "'ior': 0")->ior > 1e5f);
}

static void specular_is_read(void **state)
{
    (void)state;
    const CnMaterialExtensions *e =
        import_extension("KHR_materials_specular",
                         "'specularFactor': 0.25, 'specularColorFactor': [0.5, 2, 0.75], "
                         "'specularTexture': {'index': 0}, 'specularColorTexture': {'index': 0}");
    assert_true(is_near(e->specular, 0.25f) && is_color(e->specular_color, 0.5f, 2, 0.75f));
    const CniRenderModelMaterial *material = &glb.data.materials.items[0];
    assert_int_not_equal(material->textures[CN_TEXTURE_SPECULAR], 0);
    assert_int_equal(material->textures[CN_TEXTURE_SPECULAR],
                     material->textures[CN_TEXTURE_SPECULAR_COLOR]);
}

static void a_specular_factor_of_zero_is_not_the_default(void **state)
{
    (void)state;
    float specular = import_extension("KHR_materials_specular", "'specularFactor': 0")->specular;
    assert_true(specular > 0 && specular < 1e-4f);
}

static void clearcoat_is_read(void **state)
{
    (void)state;
    const CnMaterialExtensions *e = import_extension(
        "KHR_materials_clearcoat",
        "'clearcoatFactor': 0.5, 'clearcoatRoughnessFactor': 0.25, 'clearcoatTexture': {'index': "
        "0}, 'clearcoatRoughnessTexture': {'index': 1}, 'clearcoatNormalTexture': {'index': 1, "
        "'scale': 2}");
    assert_true(is_near(e->clearcoat, 0.5f) && is_near(e->clearcoat_roughness, 0.25f));
    assert_true(is_near(e->clearcoat_normal_scale, 2));
    const CniRenderModelMaterial *material = &glb.data.materials.items[0];
    assert_int_not_equal(material->textures[CN_TEXTURE_CLEARCOAT], 0);
    assert_int_not_equal(material->textures[CN_TEXTURE_CLEARCOAT_ROUGHNESS], 0);
    assert_int_not_equal(material->textures[CN_TEXTURE_CLEARCOAT_NORMAL], 0);
}

static void sheen_is_read(void **state)
{
    (void)state;
    const CnMaterialExtensions *e = import_extension(
        "KHR_materials_sheen",
        "'sheenColorFactor': [0.5, 0.25, 1], 'sheenRoughnessFactor': 0.75, 'sheenColorTexture': "
        "{'index': 0}, 'sheenRoughnessTexture': {'index': 0}");
    assert_true(is_color(e->sheen_color, 0.5f, 0.25f, 1) && is_near(e->sheen_roughness, 0.75f));
    const CniRenderModelMaterial *material = &glb.data.materials.items[0];
    assert_int_equal(material->textures[CN_TEXTURE_SHEEN_COLOR],
                     material->textures[CN_TEXTURE_SHEEN_ROUGHNESS]);
    assert_false(glb.data.textures.items[0].is_linear);
}

static void anisotropy_is_read(void **state)
{
    (void)state;
    const CnMaterialExtensions *e = import_extension(
        "KHR_materials_anisotropy",
        "'anisotropyStrength': 0.5, 'anisotropyRotation': -2, 'anisotropyTexture': {'index': 0}");
    assert_true(is_near(e->anisotropy, 0.5f) && is_near(e->anisotropy_rotation, -2));
    assert_int_not_equal(glb.data.materials.items[0].textures[CN_TEXTURE_ANISOTROPY], 0);
    assert_true(glb.data.textures.items[0].is_linear);
}

static void iridescence_is_read(void **state)
{
    (void)state;
    const CnMaterialExtensions *e = import_extension(
        "KHR_materials_iridescence",
        "'iridescenceFactor': 0.5, 'iridescenceIor': 1.6, 'iridescenceThicknessMinimum': 200, "
        "'iridescenceThicknessMaximum': 800, 'iridescenceTexture': {'index': 0}, "
        "'iridescenceThicknessTexture': {'index': 0}");
    assert_true(is_near(e->iridescence, 0.5f) && is_near(e->iridescence_ior, 1.6f));
    assert_true(e->iridescence_thickness_minimum == 200 && e->iridescence_thickness == 800);
    const CniRenderModelMaterial *material = &glb.data.materials.items[0];
    assert_int_not_equal(material->textures[CN_TEXTURE_IRIDESCENCE], 0);
    assert_int_not_equal(material->textures[CN_TEXTURE_IRIDESCENCE_THICKNESS], 0);
}

static void transmission_is_read(void **state)
{
    (void)state;
    const CnMaterialExtensions *e =
        import_extension("KHR_materials_transmission",
                         "'transmissionFactor': 0.75, 'transmissionTexture': {'index': 1}");
    assert_true(is_near(e->transmission, 0.75f));
    assert_int_not_equal(glb.data.materials.items[0].textures[CN_TEXTURE_TRANSMISSION], 0);
}

static void volume_is_read(void **state)
{
    (void)state;
    const CnMaterialExtensions *e = import_extension(
        "KHR_materials_volume",
        "'thicknessFactor': 2, 'attenuationDistance': 3, 'attenuationColor': [1, 0.5, 0.25], "
        "'thicknessTexture': {'index': 1}");
    assert_true(e->thickness == 2 && e->attenuation_distance == 3);
    assert_true(is_color(e->attenuation_color, 1, 0.5f, 0.25f));
    assert_int_not_equal(glb.data.materials.items[0].textures[CN_TEXTURE_THICKNESS], 0);
}

static void dispersion_is_read(void **state)
{
    (void)state;
    assert_true(import_extension("KHR_materials_dispersion", "'dispersion': 0.5")->dispersion ==
                0.5f);
}

static void occlusion_strength_is_read(void **state)
{
    (void)state;
    const CniRenderModelMaterial *material =
        import("'occlusionTexture': {'index': 0, 'strength': 0.5}");
    assert_true(is_near(material->occlusion_strength, 0.5f));
}

static void a_factor_of_the_wrong_type_is_an_error(void **state)
{
    (void)state;
    add_square();
    assert_false(glb_build(&glb, &builder,
                           "'materials': [{'extensions': {'KHR_materials_sheen': "
                           "{'sheenColorFactor': [1, 'a', 1]}}}], " SCENE));
    assert_non_null(strstr(glb.error.message, "KHR_materials_sheen.sheenColorFactor"));
}

static void a_texture_of_an_extension_must_exist(void **state)
{
    (void)state;
    add_square();
    assert_false(glb_build(&glb, &builder,
                           "'materials': [{'extensions': {'KHR_materials_clearcoat': "
                           "{'clearcoatTexture': {'index': 7}}}}], " SCENE));
    assert_non_null(strstr(glb.error.message, "clearcoatTexture.index"));
}

static void the_extensions_may_be_required(void **state)
{
    (void)state;
    add_square();
    assert_true(
        glb_build(&glb, &builder,
                  "'extensionsRequired': ['KHR_materials_anisotropy', 'KHR_materials_clearcoat', "
                  "'KHR_materials_dispersion', 'KHR_materials_ior', 'KHR_materials_iridescence', "
                  "'KHR_materials_sheen', 'KHR_materials_specular', 'KHR_materials_transmission', "
                  "'KHR_materials_volume', 'KHR_texture_transform'], 'materials': [{}], " SCENE));
}

/* ---- Coordinates ---- */

static uint32_t vertex_at(float x, float y)
{
    for (uint32_t i = 0; i < glb.data.vertices.count; i++) {
        const CnVertex *v = &glb.data.vertices.items[i];
        if (is_near(v->position.x, x) && is_near(v->position.y, y))
            return i;
    }
    fail_msg("no vertex at %g, %g", (double)x, (double)y);
    return 0;
}

#define BASE(use) "'pbrMetallicRoughness': {'baseColorTexture': {'index': 0" use "}}"
#define EMISSIVE(use) "'emissiveFactor': [1, 1, 1], 'emissiveTexture': {'index': 1" use "}"

static void textures_of_two_sets_keep_both(void **state)
{
    (void)state;
    const CniRenderModelMaterial *material = import(BASE("") ", " EMISSIVE(", 'texCoord': 1"));
    assert_int_equal(material->coordinates[CN_TEXTURE_BASE_COLOR].set, 0);
    assert_int_equal(material->coordinates[CN_TEXTURE_EMISSIVE].set, 1);
    const CniRenderModelMesh *mesh = &glb.data.meshes.items[0];
    assert_int_equal(mesh->first_uv, 1);
    assert_int_equal(glb.data.second_uvs.count, mesh->vertex_count);
    uint32_t corner = vertex_at(1, 1);
    CnVec2 second = glb.data.second_uvs.items[corner];
    assert_true(is_near(glb.data.vertices.items[corner].uv.x, 0));
    assert_true(is_near(second.x, 1) && is_near(second.y, 1));
}

static void textures_of_the_same_set_need_no_second(void **state)
{
    (void)state;
    const CniRenderModelMaterial *material =
        import(BASE(", 'texCoord': 1") ", " EMISSIVE(", 'texCoord': 1"));
    assert_int_equal(material->coordinates[CN_TEXTURE_EMISSIVE].set, 0);
    assert_int_equal(glb.data.second_uvs.count, 0);
    assert_true(is_near(glb.data.vertices.items[vertex_at(1, 1)].uv.x, 1));
}

static void a_transform_of_one_texture_does_not_move_another(void **state)
{
    (void)state;
    const CniRenderModelMaterial *material =
        import(BASE(", 'texCoord': 1, 'extensions': {'KHR_texture_transform': {'scale': [2, 3], "
                    "'offset': [0.5, 0.25], 'rotation': 1}}") ", " EMISSIVE(", 'texCoord': 1"));
    const CnTextureCoordinates *base = &material->coordinates[CN_TEXTURE_BASE_COLOR];
    assert_true(base->scale.x == 2 && base->scale.y == 3 && base->rotation == 1);
    assert_true(base->offset.x == 0.5f && base->offset.y == 0.25f);
    assert_true(material->coordinates[CN_TEXTURE_EMISSIVE].scale.x == 1);
    assert_true(is_near(glb.data.vertices.items[vertex_at(1, 0)].uv.x, 1));
}

static void a_transform_may_select_the_set(void **state)
{
    (void)state;
    const CniRenderModelMaterial *material = import(BASE("") ", " EMISSIVE(
        ", 'texCoord': 2, 'extensions': {'KHR_texture_transform': {'texCoord': 1}}"));
    assert_int_equal(material->coordinates[CN_TEXTURE_EMISSIVE].set, 1);
    assert_true(is_near(glb.data.second_uvs.items[vertex_at(1, 1)].x, 1));
}

static void a_third_set_is_left_out(void **state)
{
    (void)state;
    const CniRenderModelMaterial *material = import(
        BASE("") ", " EMISSIVE(", 'texCoord': 2") ", 'occlusionTexture': {'index': 0, 'texCoord': "
                                                  "1}");
    assert_int_not_equal(material->textures[CN_TEXTURE_OCCLUSION], 0);
    assert_int_equal(material->textures[CN_TEXTURE_EMISSIVE], 0);
    assert_true(material->emissive.x == 0);
}

/* Tangents are along the coordinates of the normal texture. */
static void the_normal_texture_determines_the_tangents(void **state)
{
    (void)state;
    import(BASE("") ", 'normalTexture': {'index': 1, 'texCoord': 1, 'extensions': "
                    "{'KHR_texture_transform': {'rotation': 3.14159265}}}");
    const CnVertex *v = &glb.data.vertices.items[vertex_at(1, 1)];
    assert_true(v->tangent.x < -0.99f);
    assert_true(is_near(v->uv.x, 1) && is_near(v->uv.y, 1));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        GLTF_TEST(a_material_without_extensions_has_their_defaults),
        GLTF_TEST(ior_is_read),
        GLTF_TEST(an_ior_of_zero_reflects_everything),
        GLTF_TEST(specular_is_read),
        GLTF_TEST(a_specular_factor_of_zero_is_not_the_default),
        GLTF_TEST(clearcoat_is_read),
        GLTF_TEST(sheen_is_read),
        GLTF_TEST(anisotropy_is_read),
        GLTF_TEST(iridescence_is_read),
        GLTF_TEST(transmission_is_read),
        GLTF_TEST(volume_is_read),
        GLTF_TEST(dispersion_is_read),
        GLTF_TEST(occlusion_strength_is_read),
        GLTF_TEST(a_factor_of_the_wrong_type_is_an_error),
        GLTF_TEST(a_texture_of_an_extension_must_exist),
        GLTF_TEST(the_extensions_may_be_required),
        GLTF_TEST(textures_of_two_sets_keep_both),
        GLTF_TEST(textures_of_the_same_set_need_no_second),
        GLTF_TEST(a_transform_of_one_texture_does_not_move_another),
        GLTF_TEST(a_transform_may_select_the_set),
        GLTF_TEST(a_third_set_is_left_out),
        GLTF_TEST(the_normal_texture_determines_the_tangents),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
