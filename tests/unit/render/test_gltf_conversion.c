/* What glTF files turn into: component types, modes, texture coordinates, skins, instances,
 * samplers. */
#include "glb_fixture.h"

#include <math.h>
#include <meshoptimizer.h>

static void import(const char *keys)
{
    if (!glb_build(&glb, &builder, keys))
        fail_msg("%s", glb.error.message);
}

/* Imports a mesh of one primitive. */
static void import_mesh(const char *primitive, const char *keys)
{
    char text[1024];
    assert_true(
        cn_format(text, sizeof text, "'meshes': [{'primitives': [{%s}]}], %s", primitive, keys));
    import(text);
}

static bool is_near(float a, float b)
{
    return fabsf(a - b) < 1e-5f;
}

static const CnVertex *vertex_at(float x, float y)
{
    for (uint32_t i = 0; i < glb.data.vertices.count; i++) {
        const CnVertex *v = &glb.data.vertices.items[i];
        if (is_near(v->position.x, x) && is_near(v->position.y, y))
            return v;
    }
    fail_msg("no vertex at %g, %g", (double)x, (double)y);
    return NULL;
}

#define FLOATS3(count) "'componentType': 5126, 'count': " #count ", 'type': 'VEC3'"
#define FLOATS2(count) "'componentType': 5126, 'count': " #count ", 'type': 'VEC2'"
#define NODE "'nodes': [{'mesh': 0}]"

/* Adds accessor 0: the corners of a square. */
static const float square[4][3] = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}};

static void add_square(void)
{
    glb_add(&builder, square, sizeof square, 0, FLOATS3(4));
}

/* Adds accessor 1: the indices of its triangles. */
static void add_indices(void)
{
    static const uint16_t indices[6] = {0, 1, 2, 0, 2, 3};
    glb_add(&builder, indices, sizeof indices, 0,
            "'componentType': 5123, 'count': 6, 'type': 'SCALAR'");
}

/* ---- Component types ---- */

static void small_integers_are_positions(void **state)
{
    (void)state;
    const int16_t positions[3][4] = {{0, 0}, {1000, 0}, {0, -500}}; /* padded to 8 bytes */
    glb_add(&builder, positions, sizeof positions, 8,
            "'componentType': 5122, 'count': 3, 'type': 'VEC3'");
    import_mesh("'attributes': {'POSITION': 0}",
                "'extensionsRequired': ['KHR_mesh_quantization'], " NODE);
    vertex_at(1000, 0);
    vertex_at(0, -500);
}

static void normalized_integers_are_fractions(void **state)
{
    (void)state;
    const int8_t normals[4][4] = {{0, 0, -127}, {0, 0, -128}, {0, 0, -127}, {0, 0, -127}};
    const uint16_t uv[4][2] = {{0, 0}, {65535, 0}, {65535, 32768}, {0, 32768}};
    const uint8_t colors[4][4] = {
        {51, 0, 0, 255}, {51, 0, 0, 255}, {51, 0, 0, 255}, {51, 0, 0, 255}};
    add_square();
    add_indices();
    glb_add(&builder, normals, sizeof normals, 4,
            "'normalized': true, 'componentType': 5120, 'count': 4, 'type': 'VEC3'");
    glb_add(&builder, uv, sizeof uv, 0,
            "'normalized': true, 'componentType': 5123, 'count': 4, 'type': 'VEC2'");
    glb_add(&builder, colors, sizeof colors, 0,
            "'normalized': true, 'componentType': 5121, 'count': 4, 'type': 'VEC4'");
    import_mesh("'attributes': {'POSITION': 0, 'NORMAL': 2, 'TEXCOORD_0': 3, 'COLOR_0': 4}, "
                "'indices': 1",
                NODE);
    const CnVertex *v = vertex_at(1, 1);
    assert_true(is_near(v->normal.z, -1));
    assert_true(is_near(v->uv.x, 1) && fabsf(v->uv.y - 0.5f) < 1e-4f);
    assert_int_equal(v->color[0], 51);
}

static void attributes_may_be_interleaved(void **state)
{
    (void)state;
    const float vertices[3][5] = {{0, 0, 0, 0.25f, 0}, {1, 0, 0, 0.5f, 0}, {0, 1, 0, 0.75f, 0}};
    glb_add(&builder, vertices, sizeof vertices, 20, FLOATS3(3));
    strcat(builder.accessors, ", {'bufferView': 0, 'byteOffset': 12, " FLOATS2(3) "}");
    import_mesh("'attributes': {'POSITION': 0, 'TEXCOORD_0': 1}", NODE);
    assert_true(is_near(vertex_at(0, 1)->uv.x, 0.75f));
}

static void sparse_accessors_replace_elements(void **state)
{
    (void)state;
    const uint8_t indices[1] = {2};
    const float values[3] = {5, 6, 0};
    glb_add(&builder, square, 36, 0,
            FLOATS3(3) ", 'sparse': {'count': 1, 'indices': {'bufferView': 1, 'componentType': "
                       "5121}, 'values': {'bufferView': 2}}");
    glb_add(&builder, indices, sizeof indices, 0,
            "'componentType': 5121, 'count': 1, 'type': 'SCALAR'");
    glb_add(&builder, values, sizeof values, 0, FLOATS3(1));
    import_mesh("'attributes': {'POSITION': 0}", NODE);
    vertex_at(5, 6);
    vertex_at(1, 0);
}

static void compressed_views_are_decoded(void **state)
{
    (void)state;
    static const uint32_t triangles[6] = {0, 1, 2, 0, 2, 3};
    unsigned char packed[256], indices[256];
    size_t size = meshopt_encodeVertexBuffer(packed, sizeof packed, square, 4, 12);
    size_t index_size = meshopt_encodeIndexBuffer(indices, sizeof indices, triangles, 6);
    char json[1000];
    uint8_t bin[512] = {0};
    memcpy(bin, packed, size);
    memcpy(bin + 256, indices, index_size);
    cn_format(json, sizeof json,
              "{'asset': {'version': '2.0'}, 'extensionsRequired': ['EXT_meshopt_compression'], "
              "'buffers': [{'byteLength': 512}, {'byteLength': 100}], 'bufferViews': ["
              "{'buffer': 1, 'byteLength': 48, 'extensions': {'EXT_meshopt_compression': "
              "{'buffer': 0, 'byteLength': %zu, 'byteStride': 12, 'count': 4, 'mode': "
              "'ATTRIBUTES'}}}, {'buffer': 1, 'byteOffset': 48, 'byteLength': 24, 'extensions': "
              "{'EXT_meshopt_compression': {'buffer': 0, 'byteOffset': 256, 'byteLength': %zu, "
              "'byteStride': 4, 'count': 6, 'mode': 'TRIANGLES'}}}], 'accessors': ["
              "{'bufferView': 0, 'componentType': 5126, 'count': 4, 'type': 'VEC3'}, "
              "{'bufferView': 1, 'componentType': 5125, 'count': 6, 'type': 'SCALAR'}], "
              "'meshes': [{'primitives': [{'attributes': {'POSITION': 0}, 'indices': 1}]}], "
              "'nodes': [{'mesh': 0}]}",
              size, index_size);
    if (!glb_import(&glb, json, bin, sizeof bin))
        fail_msg("%s", glb.error.message);
    assert_int_equal(glb.data.indices.count, 6);
    vertex_at(1, 1);
    vertex_at(0, 1);
}

/* ---- Primitives ---- */

/* Returns the area of all triangles; negative if they face away from +z. */
static float signed_area(void)
{
    float area = 0;
    for (uint32_t i = 0; i < glb.data.indices.count; i += 3) {
        const CnVec3 a = glb.data.vertices.items[glb.data.indices.items[i]].position,
                     b = glb.data.vertices.items[glb.data.indices.items[i + 1]].position,
                     c = glb.data.vertices.items[glb.data.indices.items[i + 2]].position;
        area += cn_vec3_cross(cn_vec3_sub(b, a), cn_vec3_sub(c, a)).z / 2;
    }
    return area;
}

static void strips_alternate_their_direction(void **state)
{
    (void)state;
    const float strip[5][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, 0}, {0, 2, 0}};
    glb_add(&builder, strip, sizeof strip, 0, FLOATS3(5));
    import_mesh("'attributes': {'POSITION': 0}, 'mode': 5", NODE);
    assert_int_equal(glb.data.indices.count, 9);
    assert_true(is_near(signed_area(), 1.5f));
}

static void fans_share_their_first_vertex(void **state)
{
    (void)state;
    add_square();
    import_mesh("'attributes': {'POSITION': 0}, 'mode': 6", NODE);
    assert_int_equal(glb.data.indices.count, 6);
    assert_true(is_near(signed_area(), 1));
}

static void vertices_that_no_triangle_uses_are_left_out(void **state)
{
    (void)state;
    const uint8_t indices[3] = {0, 1, 3};
    add_square();
    glb_add(&builder, indices, sizeof indices, 0,
            "'componentType': 5121, 'count': 3, 'type': 'SCALAR'");
    const float normals[4][3] = {{0, 0, 1}, {0, 0, 1}, {0, 0, 1}, {0, 0, 1}};
    glb_add(&builder, normals, sizeof normals, 0, FLOATS3(4));
    import_mesh("'attributes': {'POSITION': 0, 'NORMAL': 2}, 'indices': 1", NODE);
    assert_int_equal(glb.data.vertices.count, 3);
}

static void missing_normals_are_flat(void **state)
{
    (void)state;
    const float roof[4][3] = {{0, 0, 0}, {0, 0, 1}, {1, 1, 0}, {2, 0, 1}};
    const uint8_t indices[6] = {0, 1, 2, 2, 1, 3};
    glb_add(&builder, roof, sizeof roof, 0, FLOATS3(4));
    glb_add(&builder, indices, sizeof indices, 0,
            "'componentType': 5121, 'count': 6, 'type': 'SCALAR'");
    import_mesh("'attributes': {'POSITION': 0}, 'indices': 1", NODE);
    assert_int_equal(glb.data.vertices.count, 6);
    for (uint32_t i = 0; i < 6; i += 3) {
        const CnVertex *a = &glb.data.vertices.items[glb.data.indices.items[i]],
                       *b = &glb.data.vertices.items[glb.data.indices.items[i + 1]],
                       *c = &glb.data.vertices.items[glb.data.indices.items[i + 2]];
        CnVec3 normal = cn_vec3_normalize(cn_vec3_cross(cn_vec3_sub(b->position, a->position),
                                                        cn_vec3_sub(c->position, a->position)));
        assert_true(is_near(cn_vec3_dot(normal, a->normal), 1));
        assert_true(is_near(cn_vec3_dot(normal, c->normal), 1));
    }
}

/* ---- Texture coordinates and samplers ---- */

#define TEXTURED(use, samplers)                                                                    \
    "'images': [{'uri': 'a.png'}], 'samplers': [" samplers "], 'textures': [{'source': 0, "        \
    "'sampler': 0}], 'materials': [{'pbrMetallicRoughness': {'baseColorTexture': {'index': 0" use  \
    "}}}], "

static void add_uv_sets(void)
{
    const float first[4][2] = {{0, 0}, {0, 0}, {0, 0}, {0, 0}};
    const float second[4][2] = {{0, 0}, {1, 0}, {1, 1}, {0, 1}};
    add_square();
    glb_add(&builder, first, sizeof first, 0, FLOATS2(4));
    glb_add(&builder, second, sizeof second, 0, FLOATS2(4));
}

#define UV_MESH                                                                                    \
    "'meshes': [{'primitives': [{'attributes': {'POSITION': 0, 'TEXCOORD_0': 1, 'TEXCOORD_1': "    \
    "2}, 'mode': 6, 'material': 0}]}], " NODE

static void a_texture_selects_its_coordinates(void **state)
{
    (void)state;
    add_uv_sets();
    import(TEXTURED(", 'texCoord': 1", "{}") UV_MESH);
    assert_true(is_near(vertex_at(1, 1)->uv.x, 1) && is_near(vertex_at(1, 1)->uv.y, 1));
}

/* Scaled by (2, 3), then a quarter turn that maps v to u, then moved. */
static void a_texture_transform_scales_then_rotates_then_moves(void **state)
{
    (void)state;
    add_uv_sets();
    import(TEXTURED(", 'extensions': {'KHR_texture_transform': {'texCoord': 1, 'scale': [2, 3], "
                    "'rotation': 1.5707963267948966, 'offset': [0.5, 0.25]}}",
                    "{}") UV_MESH);
    assert_true(is_near(vertex_at(1, 0)->uv.x, 0.5f) && is_near(vertex_at(1, 0)->uv.y, -1.75f));
    assert_true(is_near(vertex_at(0, 1)->uv.x, 3.5f) && is_near(vertex_at(0, 1)->uv.y, 0.25f));
}

static void samplers_have_wrap_modes_and_filters(void **state)
{
    (void)state;
    add_uv_sets();
    import(TEXTURED("", "{'wrapS': 33071, 'wrapT': 33648, 'magFilter': 9728, 'minFilter': 9985}")
               UV_MESH);
    assert_int_equal(glb.data.textures.items[0].sampler,
                     CNI_RENDER_WRAP_CLAMP << CNI_RENDER_SAMPLER_WRAP_U |
                         CNI_RENDER_WRAP_MIRROR << CNI_RENDER_SAMPLER_WRAP_V |
                         CNI_RENDER_SAMPLER_MAGNIFY_NEAREST | CNI_RENDER_SAMPLER_MIP_NEAREST);
}

static void only_materials_in_use_are_kept(void **state)
{
    (void)state;
    enum { MATERIALS = 16384 };
    size_t bytes = MATERIALS * 20 + 500, at;
    char *keys = cn_alloc(NULL, bytes);
    add_square();
    at = strlen(strcpy(keys, "'meshes': [{'primitives': [{'attributes': {'POSITION': 0}, 'mode': "
                             "6, 'material': 16000}]}], " NODE ", 'materials': [{}"));
    for (uint32_t i = 1; i < MATERIALS; i++)
        at += strlen(strcpy(keys + at, i == 16000 ? ", {'name': 'used'}" : ", {}"));
    strcpy(keys + at, "]");
    import(keys);
    cn_free(NULL, keys, bytes);
    assert_int_equal(glb.data.materials.count, 1);
    assert_string_equal(cni_render_model_text_at(&glb.data, glb.data.materials.items[0].name),
                        "used");
}

/* ---- Nodes ---- */

static void names_keep_blanks_and_letters_of_all_scripts(void **state)
{
    (void)state;
    add_square();
    import_mesh("'attributes': {'POSITION': 0}, 'mode': 6", "'nodes': [{'mesh': 0, 'name': "
                                                            "'T\\u00fcr \u9580 1'}]");
    assert_string_equal(cni_render_model_text_at(&glb.data, glb.data.parts.items[0].name),
                        "T\u00fcr \u9580 1");
}

static void only_the_selected_scene_is_drawn(void **state)
{
    (void)state;
    add_square();
    import_mesh("'attributes': {'POSITION': 0}, 'mode': 6",
                "'scene': 1, 'scenes': [{'nodes': [0]}, {'nodes': [1]}], "
                "'nodes': [{'mesh': 0, 'name': 'A'}, {'mesh': 0, 'name': 'B'}]");
    assert_int_equal(glb.data.parts.count, 1);
    assert_string_equal(cni_render_model_text_at(&glb.data, glb.data.parts.items[0].name), "B");
}

static void hidden_nodes_hide_their_children(void **state)
{
    (void)state;
    add_square();
    import_mesh("'attributes': {'POSITION': 0}, 'mode': 6",
                "'nodes': [{'mesh': 0}, {'children': [2], 'extensions': {'KHR_node_visibility': "
                "{'visible': false}}}, {'mesh': 0}]");
    assert_int_equal(glb.data.parts.count, 1);
}

static void instances_are_parts(void **state)
{
    (void)state;
    const float places[3][3] = {{0, 0, 0}, {5, 0, 0}, {9, 1, 0}};
    add_square();
    glb_add(&builder, places, sizeof places, 0, FLOATS3(3));
    import_mesh("'attributes': {'POSITION': 0}, 'mode': 6",
                "'nodes': [{'mesh': 0, 'translation': [0, 0, 2], 'extensions': "
                "{'EXT_mesh_gpu_instancing': {'attributes': {'TRANSLATION': 1}}}}]");
    assert_int_equal(glb.data.parts.count, 3);
    assert_int_equal(glb.data.meshes.count, 1);
    assert_true(is_near(glb.data.parts.items[2].transform.m[0][3], 9));
    assert_true(is_near(glb.data.parts.items[2].transform.m[2][3], 2));
}

/* ---- Skins ---- */

/* Eight joints: the four with the largest weights are kept. */
static void a_vertex_keeps_its_four_largest_weights(void **state)
{
    (void)state;
    const uint8_t joints[2][4][4] = {{{0, 1, 2, 3}, {0, 1, 2, 3}, {0, 1, 2, 3}, {0, 1, 2, 3}},
                                     {{4, 5, 0, 0}, {4, 5, 0, 0}, {4, 5, 0, 0}, {4, 5, 0, 0}}};
    float weights[2][4][4];
    for (uint32_t i = 0; i < 4; i++) {
        memcpy(weights[0][i], (float[]){0.1f, 0.05f, 0.2f, 0.15f}, 16);
        memcpy(weights[1][i], (float[]){0.3f, 0.2f, 0, 0}, 16);
    }
    add_square();
    for (uint32_t i = 0; i < 2; i++) {
        glb_add(&builder, joints[i], 16, 0, "'componentType': 5121, 'count': 4, 'type': 'VEC4'");
        glb_add(&builder, weights[i], 64, 0, "'componentType': 5126, 'count': 4, 'type': 'VEC4'");
    }
    import("'meshes': [{'primitives': [{'attributes': {'POSITION': 0, 'JOINTS_0': 1, 'WEIGHTS_0': "
           "2, 'JOINTS_1': 3, 'WEIGHTS_1': 4}, 'mode': 6}]}], 'skins': [{'joints': [1, 2, 3, 4, 5, "
           "6]}], 'nodes': [{'mesh': 0, 'skin': 0}, {}, {}, {}, {}, {}, {}]");
    const CnVertexSkin *skin = &glb.data.skins.items[0];
    uint32_t sum = 0;
    for (uint32_t i = 0; i < 4; i++) {
        uint32_t node = glb.data.joints.items[skin->joints[i]].node;
        assert_in_range(node, 0, glb.data.nodes.count - 1);
        assert_true(skin->weights[i] > 30);
        sum += skin->weights[i];
    }
    assert_int_equal(sum, 255);
}

static void a_joint_that_the_skin_lacks_is_refused(void **state)
{
    (void)state;
    const uint8_t joints[4][4] = {{0}, {0}, {7}, {0}};
    float weights[4][4] = {{1}, {1}, {1}, {1}};
    add_square();
    glb_add(&builder, joints, sizeof joints, 0,
            "'componentType': 5121, 'count': 4, 'type': 'VEC4'");
    glb_add(&builder, weights, sizeof weights, 0,
            "'componentType': 5126, 'count': 4, 'type': 'VEC4'");
    assert_false(glb_build(
        &glb, &builder,
        "'meshes': [{'primitives': [{'attributes': {'POSITION': 0, 'JOINTS_0': 1, 'WEIGHTS_0': "
        "2}, 'mode': 6}]}], 'skins': [{'joints': [1]}], 'nodes': [{'mesh': 0, 'skin': 0}, {}]"));
    assert_non_null(strstr(glb.error.message, "meshes[0].primitives[0].attributes.JOINTS_0: vertex "
                                              "2 refers to joint 7, but skins[0] has only 1"));
}

/* ---- Time ---- */

/* All triangles share one vertex: nothing is quadratic in the triangles of a vertex. A quadratic
 * step would take minutes. */
static void a_hub_of_many_triangles_is_linear(void **state)
{
    (void)state;
    enum { RIM = 200000 };
    size_t position_bytes = (RIM + 1) * 12, uv_bytes = (RIM + 1) * 8;
    uint8_t *bin = cn_alloc_zeroed(NULL, position_bytes + uv_bytes);
    float *positions = (float *)(void *)bin, *uv = (float *)(void *)(bin + position_bytes);
    for (uint32_t i = 1; i <= RIM; i++) {
        float angle = (float)i * (2 * CN_PIF / RIM);
        positions[i * 3] = uv[i * 2] = cn_cosf(angle);
        positions[i * 3 + 1] = uv[i * 2 + 1] = cn_sinf(angle);
    }
    char json[600];
    cn_format(json, sizeof json,
              "{'asset': {'version': '2.0'}, 'buffers': [{'byteLength': %zu}], 'bufferViews': "
              "[{'buffer': 0, 'byteLength': %zu}, {'buffer': 0, 'byteOffset': %zu, 'byteLength': "
              "%zu}], 'accessors': [{'bufferView': 0, 'componentType': 5126, 'count': %u, 'type': "
              "'VEC3'}, {'bufferView': 1, 'componentType': 5126, 'count': %u, 'type': 'VEC2'}, "
              "{'componentType': 5126, 'count': %u, 'type': 'VEC3'}], 'meshes': [{'primitives': "
              "[{'attributes': {'POSITION': 0, 'TEXCOORD_0': 1, 'NORMAL': 2}, 'mode': 6}]}], "
              "'nodes': [{'mesh': 0}]}",
              position_bytes + uv_bytes, position_bytes, position_bytes, uv_bytes, RIM + 1, RIM + 1,
              RIM + 1);
    if (!glb_import(&glb, json, bin, position_bytes + uv_bytes))
        fail_msg("%s", glb.error.message);
    assert_int_equal(glb.data.indices.count, (RIM - 1) * 3);
    cn_free(NULL, bin, position_bytes + uv_bytes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        GLTF_TEST(small_integers_are_positions),
        GLTF_TEST(normalized_integers_are_fractions),
        GLTF_TEST(attributes_may_be_interleaved),
        GLTF_TEST(sparse_accessors_replace_elements),
        GLTF_TEST(compressed_views_are_decoded),
        GLTF_TEST(strips_alternate_their_direction),
        GLTF_TEST(fans_share_their_first_vertex),
        GLTF_TEST(vertices_that_no_triangle_uses_are_left_out),
        GLTF_TEST(missing_normals_are_flat),
        GLTF_TEST(a_texture_selects_its_coordinates),
        GLTF_TEST(a_texture_transform_scales_then_rotates_then_moves),
        GLTF_TEST(samplers_have_wrap_modes_and_filters),
        GLTF_TEST(only_materials_in_use_are_kept),
        GLTF_TEST(names_keep_blanks_and_letters_of_all_scripts),
        GLTF_TEST(only_the_selected_scene_is_drawn),
        GLTF_TEST(hidden_nodes_hide_their_children),
        GLTF_TEST(instances_are_parts),
        GLTF_TEST(a_vertex_keeps_its_four_largest_weights),
        GLTF_TEST(a_joint_that_the_skin_lacks_is_refused),
        GLTF_TEST(a_hub_of_many_triangles_is_linear),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
