/*
 * glTF documents, changed with their structure in mind: see gltf_mutate.h. A document is imported
 * whole and consistent, or refused with an error. The baked form of an imported one is read back as
 * it is, and its animations can be sampled.
 */
#include "fuzz_surface.h"
#include "gltf_mutate.h"
#include "memory_files.h"

#include "render/decode/decoder.h"

#include <meshoptimizer.h>
#include <string.h>

enum { MAX_BYTES = 4096 };

/* ---- The documents: seeds with some features, and one with all, whose items are added ---- */

typedef struct Binary {
    /* The seeds use these, by offset: */
    float positions[6][3]; /* 0 */
    float uv[6][2];        /* 72 */
    uint8_t joints[6][4];  /* 120 */
    float times[4];        /* 144 */
    uint16_t indices[12];  /* 160 */
    uint8_t sparse[4];     /* 184 */
    uint8_t packed[128];   /* 188 */
    /* Only the large document: */
    float normals[6][3], deltas[6][3], weights[6][4], values[12][4], matrices[2][16], places[3][3];
    uint8_t colors[6][4];
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
        "'extensions': {'KHR_texture_basisu': {'source': 1}}}], "
        "'materials': [{'name': 'A', 'pbrMetallicRoughness': "
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

/* Small documents take less time. */
enum { SEED_BYTES = 316 /* of the binary chunk */ };

static const char *const seed_documents[] = {
    /* A mesh with normals and tangents to compute, a strip. */
    "{'asset':{'version':'2.0'},'buffers':[{'byteLength':316}],'bufferViews':[{'buffer':0,"
    "'byteLength':72},{'buffer':0,'byteOffset':72,'byteLength':48}],'accessors':[{'bufferView':0,"
    "'componentType':5126,'count':6,'type':'VEC3'},{'bufferView':1,'componentType':5126,'count':6,"
    "'type':'VEC2'}],'meshes':[{'primitives':[{'attributes':{'POSITION':0}}]},{'primitives':[{"
    "'attributes':{'POSITION':0,'TEXCOORD_0':1},'mode':5,'material':0}]}],'materials':"
    "[{'normalTexture':{'index':0}}],'textures':[{'source':0}],'images':[{'uri':'a.png'}],'nodes':"
    "[{'mesh':0},{'mesh':1}],'scenes':[{'nodes':[0,1]}]}",
    /* Skin, morph target and animations. */
    "{'asset':{'version':'2.0'},'buffers':[{'byteLength':316}],'bufferViews':[{'buffer':0,"
    "'byteLength':72},{'buffer':0,'byteOffset':120,'byteLength':24},{'buffer':0,'byteOffset':144,"
    "'byteLength':16}],'accessors':[{'bufferView':0,'componentType':5126,'count':6,'type':'VEC3'},"
    "{'bufferView':1,'componentType':5121,'count':6,'type':'VEC4'},{'bufferView':1,"
    "'componentType':5121,'count':6,'type':'VEC4','normalized':true},{'bufferView':2,"
    "'componentType':5126,'count':4,'type':'SCALAR'},{'bufferView':0,'componentType':5126,"
    "'count':4,'type':'VEC3'}],'meshes':[{'primitives':[{'attributes':{'POSITION':0,'JOINTS_0':1,"
    "'WEIGHTS_0':2},'targets':[{'POSITION':0}]}],'weights':[1]}],'skins':[{'joints':[1,2]}],"
    "'nodes':[{'mesh':0,'skin':0},{'translation':[1,0,0],'children':[2]},{}],'scenes':[{"
    "'nodes':[0,1]}],'animations':[{'samplers':[{'input':3,'output':4},{'input':3,'output':3}],"
    "'channels':[{'sampler':0,'target':{'node':1,'path':'translation'}},{'sampler':1,'target':{"
    "'node':0,'path':'weights'}}]}]}",
    /* Instances, a sparse accessor, a compressed view, indices. */
    "{'asset':{'version':'2.0'},'buffers':[{'byteLength':316},{'byteLength':72}],'bufferViews':[{"
    "'buffer':0,'byteLength':72},{'buffer':0,'byteOffset':160,'byteLength':24},{'buffer':0,"
    "'byteOffset':184,'byteLength':4},{'buffer':1,'byteLength':72,'byteStride':12,'extensions':{"
    "'EXT_meshopt_compression':{'buffer':0,'byteOffset':188,'byteLength':74,'byteStride':12,"
    "'count':6,'mode':'ATTRIBUTES'}}}],'accessors':[{'bufferView':3,'componentType':5126,"
    "'count':6,'type':'VEC3'},{'bufferView':1,'componentType':5123,'count':12,'type':'SCALAR'},{"
    "'bufferView':0,'componentType':5126,'count':6,'type':'VEC3','sparse':{'count':3,'indices':{"
    "'bufferView':2,'componentType':5121},'values':{'bufferView':0}}}],'meshes':[{'primitives':[{"
    "'attributes':{'POSITION':0},'indices':1},{'attributes':{'POSITION':2},'mode':6}]}],'nodes':[{"
    "'mesh':0,'extensions':{'EXT_mesh_gpu_instancing':{'attributes':{'TRANSLATION':2}}}}],"
    "'scenes':[{'nodes':[0]}]}",
};

static const char text_document[] =
    "{\"asset\":{\"version\":\"2.0\"},\"buffers\":[{\"byteLength\":36,\"uri\":\"data:;base64,"
    "AAAAAAAAAAAAAAAAAACAPwAAAAAAAAAAAAAAAAAAgD8AAAAA\"}],\"bufferViews\":[{\"buffer\":0,"
    "\"byteLength\":36}],\"accessors\":[{\"bufferView\":0,\"componentType\":5126,\"count\":3,"
    "\"type\":\"VEC3\"}],\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":0}}]}],"
    "\"nodes\":[{\"mesh\":0}]}";

static void add_seeds(FuzzSeeds *seeds)
{
    static uint8_t bytes[MAX_BYTES];
    fill_binary();
    document[0] = 0;
    fill_document();
    for (uint32_t i = 0; i < CN_COUNT_OF(seed_documents); i++) {
        size_t size = gltf_make_glb(seed_documents[i], &binary, SEED_BYTES, bytes, sizeof bytes);
        FUZZ_CHECK(size);
        fuzz_add(seeds, bytes, size);
    }
    fuzz_add_text(seeds, text_document);
}

static size_t mutate(uint8_t *bytes, size_t size, size_t capacity, TestRandom *random)
{
    return gltf_mutate(bytes, size, capacity, random, document);
}

/* ---- Runs ---- */

/* Reads everything that a clip changes. */
static void sample(const CniRenderModelData *data)
{
    static CnAffine globals[CNI_RENDER_MODEL_MAX_NODES], joints[CN_MODEL_MAX_JOINTS];
    static uint8_t hidden[CNI_RENDER_MODEL_MAX_NODES];
    static float weights[CNI_RENDER_MODEL_MAX_WEIGHTS];
    static const float times[] = {-1, 0, 0.4f, 1, 1e9f};
    for (uint32_t clip = 0; clip < data->clips.count + 1 && clip < 4; clip++) {
        float time = times[(data->keys.count + clip) % CN_COUNT_OF(times)];
        cni_render_model_sample(data, &(CniRenderModelPose){.clip = clip, .seconds = time}, globals,
                                joints);
        cni_render_model_sample_hidden(data, clip, time, hidden);
        for (uint32_t i = 0; i < data->morphs.count && i < 4; i++)
            cni_render_model_sample_weights(data, clip, time, i, weights);
        for (uint32_t i = 0; i < data->materials.count; i++)
            FUZZ_CHECK(cni_render_model_sample_material(data, clip, time, i).metallic <= 1);
        for (uint32_t i = 0; i < data->lights.count; i++)
            FUZZ_CHECK(cni_render_model_sample_light(data, clip, time, i).intensity >= 0);
        for (uint32_t i = 0; i < data->cameras.count; i++)
            FUZZ_CHECK(cni_render_model_sample_camera(data, clip, time, i).node <
                       data->nodes.count);
    }
}

/* The baked form is read back as it was written. */
static void check_baked(const CniRenderModelData *data)
{
    CnU8Array baked, again;
    CniRenderModelData read;
    CnError error = {0};
    cn_array_init(&baked, NULL);
    cn_array_init(&again, NULL);
    cni_render_model_data_init(&read, NULL);
    FUZZ_CHECK(cni_render_model_write_baked(data, &baked));
    FUZZ_CHECK(cni_render_model_read_baked(baked.items, baked.count, "baked", &read, &error));
    FUZZ_CHECK(cni_render_model_write_baked(&read, &again));
    FUZZ_CHECK(baked.count == again.count && !memcmp(baked.items, again.items, baked.count));
    cni_render_model_data_fini(&read);
    cn_array_fini(&again);
    cn_array_fini(&baked);
}

static bool run(const uint8_t *bytes, size_t size)
{
    MemoryFiles memory;
    CniRenderModelData data;
    CnError error = {0};
    memory_files_init(&memory);
    memory_files_set(&memory, "a.bin", "\1\1\2\2\3\3\1\1\2\1\3\1\1\1\1\1\3\1\2\1\1\1\1\1");
    cni_render_model_data_init(&data, NULL);
    CnFileBytes file = {.data = (uint8_t *)(uintptr_t)bytes, .size = size};
    bool accepted = cni_render_model_decode(&memory.files, "a.glb", NULL, file, &data, &error);
    FUZZ_CHECK(accepted == (error.code == CN_OK));
    FUZZ_CHECK(accepted || error.message[0]);
    if (accepted) {
        check_baked(&data);
        sample(&data);
    }
    cni_render_model_data_fini(&data);
    return accepted;
}

const FuzzSurface fuzz_surface = {.max_bytes = MAX_BYTES,
                                  .test_runs = 20000,
                                  .add_seeds = add_seeds,
                                  .run = run,
                                  .mutate = mutate};
