/* Baked models whose hash is right, so that what is behind it is read. */
#include "fuzz_surface.h"
#include "glb_import.h"

#include <cairn/base/hash_map.h>

#include <string.h>

enum { HASH_OFFSET = 12, HEADER_BYTES = 20 };

static void add_baked(FuzzSeeds *seeds, const char *keys)
{
    static const float positions[4][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, 0}};
    static const float times[2] = {0, 1};
    static const uint8_t joints[4][4] = {{0}, {1}, {0}, {1}};
    GlbBuilder builder = {0};
    GlbImport glb;
    CnU8Array baked;
    glb_add(&builder, positions, sizeof positions, 0,
            "'componentType': 5126, 'count': 4, 'type': 'VEC3'");
    glb_add(&builder, times, sizeof times, 0,
            "'componentType': 5126, 'count': 2, 'type': 'SCALAR'");
    glb_add(&builder, positions, 24, 0, "'componentType': 5126, 'count': 2, 'type': 'VEC3'");
    glb_add(&builder, joints, sizeof joints, 0,
            "'componentType': 5121, 'count': 4, 'type': 'VEC4'");
    FUZZ_CHECK(glb_build(&glb, &builder, keys));
    cn_array_init(&baked, NULL);
    FUZZ_CHECK(cni_render_model_write_baked(&glb.data, &baked));
    fuzz_add(seeds, baked.items, baked.count);
    cn_array_fini(&baked);
    glb_free(&glb);
}

static void add_seeds(FuzzSeeds *seeds)
{
    add_baked(seeds, "'meshes': [{'primitives': [{'attributes': {'POSITION': 0}, 'mode': 5}]}], "
                     "'nodes': [{'name': 'a', 'mesh': 0}]");
    add_baked(seeds,
              "'meshes': [{'weights': [1], 'primitives': [{'attributes': {'POSITION': 0, "
              "'JOINTS_0': 3, 'WEIGHTS_0': 3}, 'mode': 5, 'material': 0, 'targets': [{'POSITION': "
              "0}]}]}], 'materials': [{'name': 'm', 'normalTexture': {'index': 0}}], 'textures': "
              "[{'source': 0}], 'images': [{'uri': 'a.png'}], 'skins': [{'joints': [1, 2]}], "
              "'nodes': [{'mesh': 0, 'skin': 0}, {'children': [2]}, {}], 'scenes': [{'nodes': [0, "
              "1]}], 'animations': [{'samplers': [{'input': 1, 'output': 2}, {'input': 1, "
              "'output': 1}], 'channels': [{'sampler': 0, 'target': {'node': 1, 'path': "
              "'translation'}}, {'sampler': 1, 'target': {'node': 0, 'path': 'weights'}}]}]");
}

static bool run(const uint8_t *bytes, size_t size)
{
    static CnAffine globals[CNI_RENDER_MODEL_MAX_NODES], joints[CN_MODEL_MAX_JOINTS];
    static uint8_t hidden[CNI_RENDER_MODEL_MAX_NODES];
    static float weights[CNI_RENDER_MODEL_MAX_WEIGHTS];
    uint8_t *copy = cn_alloc(NULL, size ? size : 1);
    CniRenderModelData data;
    CnError error = {0};
    FUZZ_CHECK(copy);
    if (size)
        memcpy(copy, bytes, size);
    if (size > HEADER_BYTES) {
        uint64_t hash =
            cn_hash_bytes(copy + HEADER_BYTES, size - HEADER_BYTES, CNI_RENDER_BAKED_VERSION);
        memcpy(copy + HASH_OFFSET, &hash, sizeof hash);
    }
    cni_render_model_data_init(&data, NULL);
    bool accepted = cni_render_model_read_baked(copy, size, "fuzz", &data, &error);
    FUZZ_CHECK(accepted == (error.code == CN_OK));
    cn_free(NULL, copy, size ? size : 1);
    for (uint32_t clip = 0; accepted && clip < 2; clip++) {
        cni_render_model_sample(&data, &(CniRenderModelPose){.clip = clip, .seconds = 0.5f},
                                globals, joints);
        cni_render_model_sample_hidden(&data, clip, 0.5f, hidden);
        for (uint32_t i = 0; i < data.materials.count; i++)
            cni_render_model_sample_material(&data, clip, 0.5f, i);
        for (uint32_t i = 0; i < data.lights.count; i++)
            cni_render_model_sample_light(&data, clip, 0.5f, i);
        for (uint32_t i = 0; i < data.cameras.count; i++)
            cni_render_model_sample_camera(&data, clip, 0.5f, i);
        for (uint32_t i = 0; i < data.morphs.count; i++)
            cni_render_model_sample_weights(&data, clip, 0.5f, i, weights);
    }
    cni_render_model_data_fini(&data);
    return accepted;
}

const FuzzSurface fuzz_surface = {.max_bytes = 4096, .add_seeds = add_seeds, .run = run};
