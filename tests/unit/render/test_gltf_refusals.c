/* glTF files that are refused: the error names the place in the document, nothing crashes. */
#include "cmocka_tests.h"
#include "glb_import.h"
#include "memory_files.h"

#include <stdio.h>

static const float triangle[9] = {0, 0, 0, 1, 0, 0, 0, 1, 0};

static void assert_refused_with(const char *json, CnErrorCode code, const char *what)
{
    GlbImport glb;
    if (glb_import(&glb, json, triangle, sizeof triangle))
        fail_msg("accepted: %s", json);
    if (!strstr(glb.error.message, what))
        fail_msg("\"%s\" instead of \"%s\"", glb.error.message, what);
    assert_int_equal(glb.error.code, code);
    glb_free(&glb);
}

static void assert_refused(const char *json, const char *what)
{
    assert_refused_with(json, CN_ERROR_FORMAT, what);
}

#define ASSET "'asset': {'version': '2.0'}, "
#define BUFFERS "'buffers': [{'byteLength': 36}], "
#define VIEWS "'bufferViews': [{'buffer': 0, 'byteLength': 36}], "
#define POSITIONS "{'bufferView': 0, 'componentType': 5126, 'count': 3, 'type': 'VEC3'}"
#define MESHES "'meshes': [{'primitives': [{'attributes': {'POSITION': 0}}]}], "
#define NODES "'nodes': [{'mesh': 0}]"
/* A triangle, with parts replaced. */
#define GLTF(asset, buffers, views, accessors, meshes, nodes)                                      \
    "{" asset buffers views "'accessors': [" accessors "], " meshes nodes "}"

static void a_triangle_is_accepted(void **state)
{
    (void)state;
    GlbImport glb;
    assert_true(glb_import(&glb, GLTF(ASSET, BUFFERS, VIEWS, POSITIONS, MESHES, NODES), triangle,
                           sizeof triangle));
    assert_int_equal(glb.data.indices.count, 3);
    glb_free(&glb);
}

/* ---- The container ---- */

static void other_versions_are_refused(void **state)
{
    (void)state;
    assert_refused_with(
        GLTF("'asset': {'version': '9.0'}, ", BUFFERS, VIEWS, POSITIONS, MESHES, NODES),
        CN_ERROR_VERSION, "asset.version: version 9.0 is not supported");
    assert_refused_with(GLTF("'asset': {'version': '2.1', 'minVersion': '2.1'}, ", BUFFERS, VIEWS,
                             POSITIONS, MESHES, NODES),
                        CN_ERROR_VERSION, "asset.minVersion: version 2.1 is not supported");
    assert_refused("{}", "asset.version: is missing");
}

/* Two readers that pick different values of a key could be played against each other. */
static void a_key_that_occurs_twice_is_refused(void **state)
{
    (void)state;
    assert_refused("{'asset': {'version': '1.0'}, " ASSET "'nodes': []}", "duplicate object key");
}

static void deep_values_are_refused_before_they_are_parsed(void **state)
{
    (void)state;
    static char json[5000];
    size_t at = (size_t)snprintf(json, sizeof json, "{" ASSET "'extras': ");
    for (uint32_t i = 0; i < 600; i++)
        at += (size_t)snprintf(json + at, sizeof json - at, "[");
    for (uint32_t i = 0; i < 600; i++)
        at += (size_t)snprintf(json + at, sizeof json - at, "]");
    snprintf(json + at, sizeof json - at, "}");
    assert_refused_with(json, CN_ERROR_LIMIT, "values are nested more than 512 deep");
}

static void nested_extras_take_no_time(void **state)
{
    (void)state;
    static char json[8000];
    size_t at = (size_t)snprintf(json, sizeof json,
                                 "{" ASSET BUFFERS VIEWS "'accessors': [" POSITIONS "], " MESHES
                                 "'nodes': [{'mesh': 0, 'extras': ");
    for (uint32_t i = 0; i < 400; i++)
        at += (size_t)snprintf(json + at, sizeof json - at, "{'a': ");
    at += (size_t)snprintf(json + at, sizeof json - at, "1");
    for (uint32_t i = 0; i < 400; i++)
        at += (size_t)snprintf(json + at, sizeof json - at, "}");
    snprintf(json + at, sizeof json - at, "}]}");
    GlbImport glb;
    assert_true(glb_import(&glb, json, triangle, sizeof triangle));
    glb_free(&glb);
}

static void too_many_values_are_refused_before_they_are_parsed(void **state)
{
    (void)state;
    size_t count = 1400000, at;
    char *json = cn_alloc(NULL, count * 3 + 100);
    at = (size_t)snprintf(json, 100, "{" ASSET "'extras': [");
    for (size_t i = 0; i < count; i++, at += 3)
        memcpy(json + at, "[],", 3);
    memcpy(json + at, "[]]}", 5);
    assert_refused_with(json, CN_ERROR_LIMIT, "would take more than 192 MiB of memory");
    cn_free(NULL, json, count * 3 + 100);
}

static void a_glb_with_a_wrong_length_is_refused(void **state)
{
    (void)state;
    GlbImport glb;
    const uint32_t truncated[] = {0x46546C67, 2, 400, 4, 0x4E4F534A, 0x20207B7D};
    assert_false(glb_import_file(&glb, "a.glb", truncated, sizeof truncated, NULL));
    assert_non_null(strstr(glb.error.message, "the GLB file is truncated: it has 24 of 400 bytes"));
    const uint32_t long_chunk[] = {0x46546C67, 2, 24, 400, 0x4E4F534A, 0x20207B7D};
    assert_false(glb_import_file(&glb, "a.glb", long_chunk, sizeof long_chunk, NULL));
    assert_non_null(strstr(glb.error.message, "chunk 0 of the GLB file reads past its end"));
    const uint32_t short_length[] = {0x46546C67, 2, 11};
    assert_false(glb_import_file(&glb, "a.glb", short_length, sizeof short_length, NULL));
    assert_non_null(strstr(glb.error.message, "11 bytes, fewer than its header"));
    const uint32_t first[] = {0x46546C67, 1, 24, 4, 0x4E4F534A, 0x20207B7D};
    assert_false(glb_import_file(&glb, "a.glb", first, sizeof first, NULL));
    assert_int_equal(glb.error.code, CN_ERROR_VERSION);
}

/* The name decides the format; the contents of other formats are JSON errors. */
static void contents_do_not_select_another_format(void **state)
{
    (void)state;
    GlbImport glb;
    assert_false(glb_import_file(&glb, "a.gltf", "AC3Db\n", 6, NULL));
    assert_non_null(strstr(glb.error.message, "the document cannot be read"));
    assert_false(glb_import_file(&glb, "a.ac", "AC3Db\n", 6, NULL));
    assert_int_equal(glb.error.code, CN_ERROR_UNSUPPORTED);
}

/* ---- Extensions ---- */

static void an_unknown_extension_that_is_required_is_refused_by_its_name(void **state)
{
    (void)state;
    assert_refused_with(
        GLTF(ASSET "'extensionsUsed': ['EX_holes'], 'extensionsRequired': ['EX_holes'], ", BUFFERS,
             VIEWS, POSITIONS, MESHES, NODES),
        CN_ERROR_UNSUPPORTED, "extensionsRequired[0]: the extension EX_holes is not supported");
}

static void draco_compression_that_is_required_is_refused_with_a_hint(void **state)
{
    (void)state;
    assert_refused_with(
        GLTF(ASSET "'extensionsRequired': ['KHR_draco_mesh_compression'], ", BUFFERS, VIEWS,
             POSITIONS, MESHES, NODES),
        CN_ERROR_UNSUPPORTED,
        "KHR_draco_mesh_compression is not supported; save the model without compression");
}

#define BASISU(source) "{" source "'extensions': {'KHR_texture_basisu': {'source': 0}}}"
#define WITH_BASISU(required, texture)                                                             \
    GLTF(ASSET required "'images': [{'uri': 'a.ktx2'}, {'uri': 'a.png'}], 'textures': [" texture   \
                        "], 'materials': [{'pbrMetallicRoughness': {'baseColorTexture': "          \
                        "{'index': 0}}}], ",                                                       \
         BUFFERS, VIEWS, POSITIONS,                                                                \
         "'meshes': [{'primitives': [{'attributes': {'POSITION': 0}, 'material': 0}]}], ", NODES)

static void a_basisu_texture_without_another_source_is_refused_if_required(void **state)
{
    (void)state;
    assert_refused_with(WITH_BASISU("'extensionsRequired': ['KHR_texture_basisu'], ", BASISU("")),
                        CN_ERROR_UNSUPPORTED,
                        "textures[0]: the extension KHR_texture_basisu is not supported");
}

static void a_basisu_texture_is_replaced_by_its_other_source(void **state)
{
    (void)state;
    GlbImport glb;
    cn_log_set_level(CN_LOG_LEVEL_OFF);
    assert_true(glb_import(
        &glb,
        WITH_BASISU("'extensionsRequired': ['KHR_texture_basisu'], ", BASISU("'source': 1, ")),
        triangle, sizeof triangle));
    assert_int_equal(glb.data.textures.count, 1);
    assert_string_equal(cni_render_model_text_at(&glb.data, glb.data.textures.items[0].path),
                        "a.png");
    glb_free(&glb);
}

static void an_unknown_extension_that_is_not_required_is_ignored(void **state)
{
    (void)state;
    GlbImport glb;
    cn_log_set_level(CN_LOG_LEVEL_OFF);
    assert_true(glb_import(
        &glb,
        GLTF(ASSET "'extensionsUsed': ['EX_holes'], ", BUFFERS, VIEWS, POSITIONS, MESHES, NODES),
        triangle, sizeof triangle));
    glb_free(&glb);
}

/* Without them, the material is a usable approximation. */
static void extensions_of_materials_may_be_required(void **state)
{
    (void)state;
    GlbImport glb;
    assert_true(
        glb_import(&glb,
                   GLTF(ASSET "'extensionsUsed': ['KHR_materials_sheen'], 'extensionsRequired': "
                              "['KHR_materials_sheen'], ",
                        BUFFERS, VIEWS, POSITIONS, MESHES, NODES),
                   triangle, sizeof triangle));
    glb_free(&glb);
}

static void a_texture_transform_without_numbers_is_refused(void **state)
{
    (void)state;
    assert_refused(
        GLTF(ASSET, BUFFERS, VIEWS, POSITIONS,
             MESHES "'images': [{'uri': 'a.png'}], 'textures': [{'source': 0}], 'materials': "
                    "[{'pbrMetallicRoughness': {'baseColorTexture': {'index': 0, 'extensions': "
                    "{'KHR_texture_transform': {'offset': ['a', 'b'], 'rotation': 'x'}}}}}], ",
             NODES),
        "materials[0].pbrMetallicRoughness.baseColorTexture.extensions.KHR_texture_transform."
        "offset: must be a list of 2 numbers");
}

static void damaged_meshopt_data_is_refused(void **state)
{
    (void)state;
#define COMPRESSED(stride, count, mode)                                                            \
    "'bufferViews': [{'buffer': 0, 'byteLength': 36, 'extensions': {'EXT_meshopt_compression': "   \
    "{'buffer': 0, 'byteLength': 36, 'byteStride': " stride ", 'count': " count ", 'mode': '" mode \
    "'}}}], "
    assert_refused(
        GLTF(ASSET, BUFFERS, COMPRESSED("12", "3", "ATTRIBUTES"), POSITIONS, MESHES, NODES),
        "bufferViews[0].extensions.EXT_meshopt_compression: the compressed data is damaged");
    assert_refused(
        GLTF(ASSET, BUFFERS, COMPRESSED("12", "4", "ATTRIBUTES"), POSITIONS, MESHES, NODES),
        "mode, count and stride do not match the bufferView");
    assert_refused(
        GLTF(ASSET, BUFFERS, COMPRESSED("12", "3", "TRIANGLES"), POSITIONS, MESHES, NODES),
        "mode, count and stride do not match the bufferView");
}

/* ---- Data ---- */

static void a_view_stays_inside_its_buffer(void **state)
{
    (void)state;
    assert_refused(GLTF(ASSET, BUFFERS,
                        "'bufferViews': [{'buffer': 0, 'byteOffset': 4, "
                        "'byteLength': 36}], ",
                        POSITIONS, MESHES, NODES),
                   "bufferViews[0]: bytes 4 to 40 read past the end of buffer 0, which has 36");
    assert_refused(GLTF(ASSET, BUFFERS,
                        "'bufferViews': [{'buffer': 0, 'byteOffset': 4294967295, 'byteLength': "
                        "4294967295}], ",
                        POSITIONS, MESHES, NODES),
                   "bufferViews[0]: bytes");
}

static void a_buffer_has_the_bytes_that_it_declares(void **state)
{
    (void)state;
    assert_refused(
        GLTF(ASSET, "'buffers': [{'byteLength': 40}], ", VIEWS, POSITIONS, MESHES, NODES),
        "buffers[0].byteLength: is 40, but the buffer has only 36 bytes");
}

static void an_accessor_stays_inside_its_view(void **state)
{
    (void)state;
    assert_refused(
        GLTF(ASSET, BUFFERS, VIEWS,
             "{'bufferView': 0, 'componentType': 5126, 'count': 4, 'type': 'VEC3'}", MESHES, NODES),
        "accessors[0]: 4 elements end at byte 48, past the end of bufferView 0, which has 36");
    assert_refused(GLTF(ASSET, BUFFERS, VIEWS,
                        "{'bufferView': 0, 'byteOffset': 4294967295, 'componentType': 5126, "
                        "'count': 3, 'type': 'VEC3'}",
                        MESHES, NODES),
                   "accessors[0]: 3 elements end at byte");
}

static void a_stride_is_as_large_as_the_elements(void **state)
{
    (void)state;
    assert_refused(GLTF(ASSET, BUFFERS,
                        "'bufferViews': [{'buffer': 0, 'byteLength': 36, 'byteStride': 8}], ",
                        POSITIONS, MESHES, NODES),
                   "accessors[0]: elements of 12 bytes overlap: the stride of bufferView 0 is 8");
}

#define SPARSE(count, type, view)                                                                  \
    "{'componentType': 5126, 'count': 3, 'type': 'VEC3', 'sparse': {'count': " count               \
    ", 'indices': {'bufferView': " view ", 'componentType': " type                                 \
    "}, 'values': {'bufferView': 0}}}"

static void sparse_parts_stay_inside_their_buffers(void **state)
{
    (void)state;
    assert_refused(GLTF(ASSET, BUFFERS, VIEWS, SPARSE("200000000", "5121", "0"), MESHES, NODES),
                   "accessors[0].sparse.count: must be a whole number of at most 3");
    assert_refused(GLTF(ASSET, BUFFERS, VIEWS, SPARSE("2", "5121", "7"), MESHES, NODES),
                   "accessors[0].sparse.indices.bufferView: bufferView 7 does not exist");
    assert_refused(GLTF(ASSET, BUFFERS, VIEWS, SPARSE("2", "5126", "0"), MESHES, NODES),
                   "accessors[0].sparse.indices.componentType: indices must be unsigned");
    assert_refused(GLTF(ASSET, BUFFERS, VIEWS, SPARSE("3", "5125", "0"), MESHES, NODES),
                   "indices must increase and be below 3");
}

/* ---- Meshes ---- */

static void an_attribute_has_one_element_per_vertex(void **state)
{
    (void)state;
    assert_refused(
        GLTF(ASSET, BUFFERS, VIEWS,
             POSITIONS ", {'bufferView': 0, 'componentType': 5126, 'count': 2, 'type': 'VEC3'}",
             "'meshes': [{'primitives': [{'attributes': {'POSITION': 0, 'NORMAL': 1}}]}], ", NODES),
        "meshes[0].primitives[0].attributes.NORMAL: accessor 1 has 2 elements instead of 3");
}

static void an_attribute_has_a_type_that_is_allowed(void **state)
{
    (void)state;
    assert_refused(
        GLTF(ASSET, BUFFERS, VIEWS, POSITIONS,
             "'meshes': [{'primitives': [{'attributes': {'POSITION': 0, 'JOINTS_0': 0}}]}], ",
             NODES),
        "meshes[0].primitives[0].attributes.JOINTS_0: accessor 0 has a type that is not allowed");
}

static void an_index_refers_to_a_vertex(void **state)
{
    (void)state;
    assert_refused(
        GLTF(ASSET, BUFFERS, VIEWS,
             POSITIONS ", {'bufferView': 0, 'componentType': 5125, 'count': 6, 'type': 'SCALAR'}",
             "'meshes': [{'primitives': [{'attributes': {'POSITION': 0}, 'indices': 1}]}], ",
             NODES),
        "meshes[0].primitives[0].indices: an index is 1065353216, but there are only 3 vertices");
}

static void a_small_file_does_not_expand_without_bound(void **state)
{
    (void)state;
    assert_refused_with(GLTF(ASSET, BUFFERS, VIEWS,
                             "{'componentType': 5126, 'count': 16000000, 'type': 'VEC3'}", MESHES,
                             NODES),
                        CN_ERROR_LIMIT, "the model has too many vertices or triangles");
    assert_refused_with(
        GLTF(ASSET, BUFFERS, VIEWS,
             "{'componentType': 5126, 'count': 60000000, 'type': 'VEC3', 'sparse': {'count': 1, "
             "'indices': {'bufferView': 0, 'componentType': 5121}, 'values': {'bufferView': 0}}}",
             MESHES, NODES),
        CN_ERROR_LIMIT, "accessors[0].sparse: the model expands to more than 256 MiB");
}

/* ---- Nodes ---- */

static void a_node_has_one_parent(void **state)
{
    (void)state;
    assert_refused(GLTF(ASSET, BUFFERS, VIEWS, POSITIONS, MESHES,
                        "'nodes': [{'children': [2]}, {'children': [2]}, {'mesh': 0}]"),
                   "nodes[1].children: node 2 has another parent, node 0");
}

static void a_node_is_not_its_own_descendant(void **state)
{
    (void)state;
    assert_refused(GLTF(ASSET, BUFFERS, VIEWS, POSITIONS, MESHES,
                        "'nodes': [{'children': [1]}, {'children': [0]}, {'mesh': 0}]"),
                   "nodes: some nodes are their own descendants");
}

static void a_scene_has_roots(void **state)
{
    (void)state;
    assert_refused(GLTF(ASSET "'scenes': [{'nodes': [1]}], ", BUFFERS, VIEWS, POSITIONS, MESHES,
                        "'nodes': [{'children': [1]}, {'mesh': 0}]"),
                   "scenes[0].nodes: node 1 is not a root: its parent is node 0");
}

/* 20,000 nodes in a chain: nothing recurses. */
static void a_deep_tree_is_read(void **state)
{
    (void)state;
    enum { DEPTH = 20000 };
    char *json = cn_alloc(NULL, DEPTH * 32 + 1000);
    size_t at = (size_t)snprintf(json, 1000,
                                 "{" ASSET BUFFERS VIEWS "'accessors': [" POSITIONS "], " MESHES
                                 "'scenes': [{'nodes': [0]}], 'nodes': [");
    for (uint32_t i = 0; i + 1 < DEPTH; i++)
        at += (size_t)snprintf(json + at, 64, "{'children': [%u]},", i + 1);
    snprintf(json + at, 64, "{'mesh': 0}]}");
    GlbImport glb;
    assert_true(glb_import(&glb, json, triangle, sizeof triangle));
    assert_int_equal(glb.data.parts.count, 1);
    glb_free(&glb);
    cn_free(NULL, json, DEPTH * 32 + 1000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_triangle_is_accepted),
        cmocka_unit_test(other_versions_are_refused),
        cmocka_unit_test(a_key_that_occurs_twice_is_refused),
        cmocka_unit_test(deep_values_are_refused_before_they_are_parsed),
        cmocka_unit_test(nested_extras_take_no_time),
        cmocka_unit_test(too_many_values_are_refused_before_they_are_parsed),
        cmocka_unit_test(a_glb_with_a_wrong_length_is_refused),
        cmocka_unit_test(contents_do_not_select_another_format),
        cmocka_unit_test(an_unknown_extension_that_is_required_is_refused_by_its_name),
        cmocka_unit_test(draco_compression_that_is_required_is_refused_with_a_hint),
        cmocka_unit_test(a_basisu_texture_without_another_source_is_refused_if_required),
        cmocka_unit_test(a_basisu_texture_is_replaced_by_its_other_source),
        cmocka_unit_test(an_unknown_extension_that_is_not_required_is_ignored),
        cmocka_unit_test(extensions_of_materials_may_be_required),
        cmocka_unit_test(a_texture_transform_without_numbers_is_refused),
        cmocka_unit_test(damaged_meshopt_data_is_refused),
        cmocka_unit_test(a_view_stays_inside_its_buffer),
        cmocka_unit_test(a_buffer_has_the_bytes_that_it_declares),
        cmocka_unit_test(an_accessor_stays_inside_its_view),
        cmocka_unit_test(a_stride_is_as_large_as_the_elements),
        cmocka_unit_test(sparse_parts_stay_inside_their_buffers),
        cmocka_unit_test(an_attribute_has_one_element_per_vertex),
        cmocka_unit_test(an_attribute_has_a_type_that_is_allowed),
        cmocka_unit_test(an_index_refers_to_a_vertex),
        cmocka_unit_test(a_small_file_does_not_expand_without_bound),
        cmocka_unit_test(a_node_has_one_parent),
        cmocka_unit_test(a_node_is_not_its_own_descendant),
        cmocka_unit_test(a_scene_has_roots),
        cmocka_unit_test(a_deep_tree_is_read),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
