/*
 * glTF documents with random changes of their structure: numbers, references, types and keys are
 * replaced, values are removed, copied to other places or repeated, and bytes of buffers change.
 * Nothing crashes or hangs; a document is imported whole and consistent, or refused with an error.
 * The cases come from a seed; CN_FUZZ_CASES and CN_FUZZ_SEED in the environment set others.
 */
#include "cmocka_tests.h"
#include "glb_import.h"
#include "random.h"

#include <cairn/base/log.h>

#include <jansson.h>
#include <meshoptimizer.h>
#include <stdlib.h>

static uint32_t cases = 20000;
static TestRandom random_numbers = {18};

static uint32_t below(uint32_t n)
{
    return n ? test_random_below(&random_numbers, n) : 0;
}

/* ---- The document: all features of the reader ---- */

typedef struct Binary {
    float positions[6][3], normals[6][3], uv[6][2], deltas[6][3];
    float weights[6][4], times[4], values[12][4], matrices[2][16], places[3][3];
    uint16_t indices[12];
    uint8_t joints[6][4], colors[6][4], sparse[4];
    uint8_t packed[256];
} Binary;

static Binary binary;
static char document[12288];

#define OFFSET(member) (unsigned)offsetof(Binary, member), (unsigned)sizeof binary.member

static void fill_binary(void)
{
    for (uint32_t i = 0; i < 6; i++) {
        memcpy(binary.positions[i], (float[]){(float)(i % 2), (float)(i / 2), 0}, 12);
        memcpy(binary.normals[i], (float[]){0, 0, 1}, 12);
        memcpy(binary.uv[i], (float[]){(float)(i % 2), (float)(i / 2)}, 8);
        memcpy(binary.weights[i], (float[]){0.75f, 0.25f, 0, 0}, 16);
        memcpy(binary.joints[i], (uint8_t[]){0, 1, 0, 0}, 4);
        memset(binary.colors[i], 200, 4);
        binary.deltas[i][2] = 1;
    }
    memcpy(binary.indices, (uint16_t[]){0, 1, 2, 2, 1, 3, 2, 3, 4, 4, 3, 5}, 24);
    for (uint32_t i = 0; i < 4; i++)
        binary.times[i] = (float)i;
    for (uint32_t i = 0; i < 12; i++)
        binary.values[i][3] = 1;
    for (uint32_t i = 0; i < 2; i++)
        for (uint32_t j = 0; j < 4; j++)
            binary.matrices[i][j * 5] = 1;
    memcpy(binary.sparse, (uint8_t[]){0, 2, 3, 0}, 4);
    meshopt_encodeVertexBuffer(binary.packed, sizeof binary.packed, binary.positions, 6, 12);
}

static void add_view(uint32_t offset, uint32_t size)
{
    size_t at = strlen(document);
    cn_format(document + at, sizeof document - at,
              "{\"buffer\": 0, \"byteOffset\": %u, \"byteLength\": %u}, ", offset, size);
}

static void add_text(const char *text)
{
    size_t at = strlen(document);
    for (; *text; text++)
        document[at++] = *text == '\'' ? '"' : *text;
    document[at] = 0;
}

/* Adds a channel behind others. */
static void add_pointer(uint32_t sampler, const char *pointer)
{
    char text[256];
    cn_format(text, sizeof text,
              ", {'sampler': %u, 'target': {'path': 'pointer', 'extensions': "
              "{'KHR_animation_pointer': {'pointer': '%s'}}}}",
              sampler, pointer);
    add_text(text);
}

static void fill_document(void)
{
    unsigned char scratch[256];
    size_t packed = meshopt_encodeVertexBuffer(scratch, sizeof scratch, binary.positions, 6, 12);
    char text[512];
    add_text("{'asset': {'version': '2.0'}, 'scene': 0, 'scenes': [{'nodes': [0, 3, 4]}], ");
    cn_format(text, sizeof text, "'buffers': [{'byteLength': %zu}, {'byteLength': 72}], ",
              sizeof binary);
    add_text(text);
    add_text("'bufferViews': [");
    add_view(OFFSET(positions));
    add_view(OFFSET(normals));
    add_view(OFFSET(uv));
    add_view(OFFSET(deltas));
    add_view(OFFSET(weights));
    add_view(OFFSET(times));
    add_view(OFFSET(values));
    add_view(OFFSET(matrices));
    add_view(OFFSET(places));
    add_view(OFFSET(indices));
    add_view(OFFSET(joints));
    add_view(OFFSET(colors));
    add_view(OFFSET(sparse));
    cn_format(text, sizeof text,
              "{'buffer': 1, 'byteLength': 72, 'byteStride': 12, 'extensions': "
              "{'EXT_meshopt_compression': {'buffer': 0, 'byteOffset': %u, 'byteLength': %zu, "
              "'byteStride': 12, 'count': 6, 'mode': 'ATTRIBUTES', 'filter': 'NONE'}}}], ",
              (unsigned)offsetof(Binary, packed), packed);
    add_text(text);
    add_text(
        "'accessors': [{'bufferView': 0, 'componentType': 5126, 'count': 6, 'type': 'VEC3', "
        "'sparse': {'count': 3, 'indices': {'bufferView': 12, 'componentType': 5121}, 'values': "
        "{'bufferView': 3, 'byteOffset': 0}}}, "
        "{'bufferView': 1, 'componentType': 5126, 'count': 6, 'type': 'VEC3'}, "
        "{'bufferView': 2, 'componentType': 5126, 'count': 6, 'type': 'VEC2'}, "
        "{'bufferView': 3, 'componentType': 5126, 'count': 6, 'type': 'VEC3'}, "
        "{'bufferView': 4, 'componentType': 5126, 'count': 6, 'type': 'VEC4'}, "
        "{'bufferView': 5, 'componentType': 5126, 'count': 4, 'type': 'SCALAR'}, "
        "{'bufferView': 6, 'componentType': 5126, 'count': 12, 'type': 'VEC4'}, "
        "{'bufferView': 7, 'componentType': 5126, 'count': 2, 'type': 'MAT4'}, "
        "{'bufferView': 8, 'componentType': 5126, 'count': 3, 'type': 'VEC3'}, "
        "{'bufferView': 9, 'componentType': 5123, 'count': 12, 'type': 'SCALAR'}, "
        "{'bufferView': 10, 'componentType': 5121, 'count': 6, 'type': 'VEC4'}, "
        "{'bufferView': 11, 'componentType': 5121, 'normalized': true, 'count': 6, 'type': "
        "'VEC4'}, "
        "{'bufferView': 13, 'componentType': 5126, 'count': 6, 'type': 'VEC3'}], ");
    add_text(
        "'images': [{'uri': 'a.png'}, {'bufferView': 9, 'mimeType': 'image/png'}, "
        "{'uri': 'data:image/png;base64,iVBORw0KGgo='}], 'samplers': [{'wrapS': 33071, 'wrapT': "
        "33648, 'magFilter': 9728, 'minFilter': 9987}], 'textures': [{'source': 0, 'sampler': 0}, "
        "{'source': 1, 'extensions': {'EXT_texture_webp': {'source': 2}}}, {'source': 2, "
        "'extensions': {'KHR_texture_basisu': {'source': 1}}}], 'materials': [{'name': 'A', 'pbrMetallicRoughness': "
        "{'baseColorFactor': [1, 0.5, 0, 1], 'metallicFactor': 0.5, 'roughnessFactor': 0.25, "
        "'baseColorTexture': {'index': 0, 'texCoord': 0, 'extensions': {'KHR_texture_transform': "
        "{'offset': [0.5, 0], 'rotation': 1, 'scale': [2, 2], 'texCoord': 1}}}, "
        "'metallicRoughnessTexture': {'index': 1}}, 'normalTexture': {'index': 2, 'scale': 2}, "
        "'occlusionTexture': {'index': 1, 'strength': 0.5}, 'emissiveTexture': {'index': 2}, "
        "'emissiveFactor': [1, 1, 0], 'alphaMode': 'MASK', 'alphaCutoff': 0.25, 'doubleSided': "
        "true, 'extensions': {'KHR_materials_emissive_strength': {'emissiveStrength': 4}}}, "
        "{'extensions': {'KHR_materials_unlit': {}}}], ");
    add_text(
        "'meshes': [{'name': 'M', 'weights': [0.5], 'primitives': [{'attributes': {'POSITION': 0, "
        "'NORMAL': 1, 'TEXCOORD_0': 2, 'TEXCOORD_1': 2, 'COLOR_0': 11, 'JOINTS_0': 10, "
        "'WEIGHTS_0': 4}, 'indices': 9, 'material': 0, 'mode': 4, 'targets': [{'POSITION': 3, "
        "'NORMAL': 3}]}]}, {'primitives': [{'attributes': {'POSITION': 12, 'TEXCOORD_0': 2}, "
        "'mode': 5, 'material': 1, 'extensions': {'KHR_materials_variants': {'mappings': "
        "[{'material': 0, 'variants': [0, 1]}]}}}, {'attributes': {'POSITION': 0}, 'mode': 6, "
        "'indices': 9}, {'attributes': {'POSITION': 0}, 'mode': 1}, {'attributes': {'POSITION': 0, "
        "'NORMAL': 1}, 'mode': 0, 'indices': 9}, {'attributes': {'POSITION': 0}, 'mode': 2}]}], "
        "'cameras': [{'name': 'C', 'type': 'perspective', 'perspective': {'yfov': 0.7, 'znear': "
        "0.1, 'zfar': 9, 'aspectRatio': 1.5}}, {'type': 'orthographic', 'orthographic': {'xmag': "
        "1, 'ymag': 1, 'znear': 0.1, 'zfar': 9}}], 'extensions': {'KHR_materials_variants': "
        "{'variants': [{'name': 'V'}, {'name': 'W'}]}, 'KHR_lights_punctual': {'lights': [{'type': "
        "'spot', 'color': [1, 1, 0], 'intensity': 5, 'range': 3, 'spot': {'innerConeAngle': 0.1, "
        "'outerConeAngle': 0.5}}, {'type': 'directional'}]}}, "
        "'skins': [{'joints': [1, 2], 'inverseBindMatrices': 7, 'skeleton': 1}], "
        "'nodes': [{'name': 'root', 'children': [1], 'mesh': 0, 'skin': 0}, {'children': [2], "
        "'translation': [1, 2, 3], 'rotation': [0, 0, 0, 1], 'scale': [1, 1, 2]}, {'matrix': [1, "
        "0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 4, 5, 6, 1]}, {'mesh': 1, 'weights': [1], 'extensions': "
        "{'EXT_mesh_gpu_instancing': {'attributes': {'TRANSLATION': 8}}, 'KHR_node_visibility': "
        "{'visible': true}}}, {'mesh': 1, 'camera': 0, 'extensions': {'KHR_lights_punctual': "
        "{'light': 0}}}], "
        "'animations': [{'name': 'C', 'samplers': [{'input': 5, 'output': 6, 'interpolation': "
        "'CUBICSPLINE'}, {'input': 5, 'output': 3, 'interpolation': 'STEP'}, "
        "{'input': 5, 'output': 6}, {'input': 5, 'output': 5}], 'channels': "
        "[{'sampler': 0, 'target': {'node': 1, 'path': 'rotation'}}, {'sampler': 1, 'target': "
        "{'node': 2, 'path': 'translation'}}, {'sampler': 1, 'target': {'node': 4, 'path': "
        "'scale'}}");
    add_pointer(2, "/materials/0/pbrMetallicRoughness/baseColorFactor");
    add_pointer(3, "/materials/0/extensions/KHR_materials_emissive_strength/emissiveStrength");
    add_pointer(3, "/nodes/3/extensions/KHR_node_visibility/visible");
    add_pointer(3, "/extensions/KHR_lights_punctual/lights/0/intensity");
    add_pointer(3, "/cameras/0/perspective/yfov");
    add_text("]}]}");
}

/* ---- Changes ---- */

/* Returns a random value below `value`, and the container and place that hold it. */
static json_t *pick(json_t *value, json_t **container, const char **key, size_t *index)
{
    *container = NULL;
    for (;;) {
        size_t count = json_is_object(value) ? json_object_size(value) : json_array_size(value);
        if (!count || (*container && below(6) == 0))
            return value;
        size_t which = below((uint32_t)count);
        *container = value;
        if (json_is_array(value)) {
            *key = NULL;
            *index = which;
            value = json_array_get(value, which);
            continue;
        }
        void *entry = json_object_iter(value);
        for (; which; which--)
            entry = json_object_iter_next(value, entry);
        *key = json_object_iter_key(entry);
        value = json_object_iter_value(entry);
    }
}

static json_t *random_value(void)
{
    static const double numbers[] = {0,     1,     2,     3,
                                     4,     5,     6,     12,
                                     36,    -1,    0.5,   255,
                                     256,   65535, 1e9,   1e38,
                                     1e300, 5120,  5121,  5122,
                                     5123,  5125,  5126,  4294967295.0,
                                     33071, 10497, 1e-30, 9007199254740993.0};
    static const char *const texts[] = {"VEC3",
                                        "VEC4",
                                        "SCALAR",
                                        "MAT4",
                                        "STEP",
                                        "LINEAR",
                                        "BLEND",
                                        "",
                                        "scale",
                                        "2.0",
                                        "TRIANGLES",
                                        "OCTAHEDRAL",
                                        "data:;base64,AAAA",
                                        "data:,",
                                        "../a.bin",
                                        "QUATERNION"};
    switch (below(8)) {
    case 0:
        return json_string(texts[below(CN_COUNT_OF(texts))]);
    case 1:
        return json_array();
    case 2:
        return json_object();
    case 3:
        return below(2) ? json_true() : json_null();
    case 4:
        return json_integer(below(16));
    default: {
        double number = numbers[below(CN_COUNT_OF(numbers))];
        return number < 1e16 && number == (double)(json_int_t)number
                   ? json_integer((json_int_t)number)
                   : json_real(number);
    }
    }
}

static void change(json_t *root)
{
    json_t *container, *other_container;
    const char *key, *other_key;
    size_t index, other_index;
    json_t *value = pick(root, &container, &key, &index);
    if (!container)
        return;
    json_t *made = NULL;
    switch (below(6)) {
    case 0: /* removed */
        if (key)
            json_object_del(container, key);
        else
            json_array_remove(container, index);
        return;
    case 1: /* repeated */
        if (!key)
            json_array_insert_new(container, index, json_deep_copy(value));
        return;
    case 2: /* a value of another place */
        made = json_deep_copy(pick(root, &other_container, &other_key, &other_index));
        break;
    case 3: /* a number nearby */
        if (json_is_integer(value)) {
            made = json_integer(json_integer_value(value) + (json_int_t)below(5) - 2);
            break;
        }
        made = random_value();
        break;
    default:
        made = random_value();
        break;
    }
    if (key)
        json_object_set_new(container, key, made);
    else
        json_array_set_new(container, index, made);
}

static void damage_binary(uint8_t *bytes)
{
    for (uint32_t n = below(4); n; n--) {
        uint32_t at = below(sizeof binary);
        if (below(3) == 0 && at + 4 <= sizeof binary)
            memcpy(bytes + at, &(float){below(2) ? 1e38f : CN_NANF}, 4);
        else
            bytes[at] = (uint8_t)below(256);
    }
}

/* ---- Cases ---- */

/* Reads everything that a clip changes. */
static void sample(const CniRenderModelData *data)
{
    static CnAffine globals[CNI_RENDER_MODEL_MAX_NODES], joints[CN_MODEL_MAX_JOINTS];
    static uint8_t hidden[CNI_RENDER_MODEL_MAX_NODES];
    uint32_t clip = below(2);
    float seconds = (float)below(100) / 20;
    cni_render_model_sample(data, clip, seconds, globals, joints);
    cni_render_model_sample_hidden(data, clip, seconds, hidden);
    for (uint32_t i = 0; i < data->materials.count; i++)
        assert_true(cni_render_model_sample_material(data, clip, seconds, i).metallic <= 1);
    for (uint32_t i = 0; i < data->lights.count; i++)
        assert_true(cni_render_model_sample_light(data, clip, seconds, i).intensity >= 0);
    for (uint32_t i = 0; i < data->cameras.count; i++)
        assert_true(cni_render_model_sample_camera(data, clip, seconds, i).node <
                    data->nodes.count);
}

static bool run_case(const json_t *base)
{
    static Binary bytes;
    json_t *root = json_deep_copy(base);
    for (uint32_t n = 1 + below(4); n; n--)
        change(root);
    bytes = binary;
    damage_binary((uint8_t *)&bytes);
    char *text = json_dumps(root, JSON_COMPACT | JSON_ENCODE_ANY);
    json_decref(root);
    assert_non_null(text);
    GlbImport glb;
    CnError again = {0};
    bool ok = glb_import(&glb, text, &bytes, sizeof bytes);
    assert_true(ok == (glb.error.code == CN_OK));
    if (ok) {
        assert_true(cni_render_model_check(&glb.data, "again", &again));
        sample(&glb.data);
    }
    glb_free(&glb);
    free(text);
    return ok;
}

static void changed_documents_are_imported_or_refused(void **state)
{
    (void)state;
    cn_log_set_level(CN_LOG_LEVEL_OFF);
    fill_binary();
    fill_document();
    json_error_t wrong;
    json_t *base = json_loads(document, JSON_REJECT_DUPLICATES, &wrong);
    if (!base)
        fail_msg("%s", wrong.text);
    GlbImport glb;
    if (!glb_import(&glb, document, &binary, sizeof binary))
        fail_msg("%s", glb.error.message);
    glb_free(&glb);
    uint32_t taken = 0;
    for (uint32_t i = 0; i < cases; i++)
        taken += run_case(base);
    json_decref(base);
    assert_in_range(taken, cases / 20, cases - cases / 20);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(changed_documents_are_imported_or_refused),
    };
    const char *given = getenv("CN_FUZZ_CASES"), *seed = getenv("CN_FUZZ_SEED");
    if (given)
        cases = (uint32_t)strtoul(given, NULL, 10);
    if (seed)
        random_numbers.state = strtoul(seed, NULL, 10);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
