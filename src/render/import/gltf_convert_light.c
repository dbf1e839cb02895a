/* Converts what a glTF document has besides parts and clips: lights, cameras, scenes, variants. */
#include "render/import/gltf_convert.h"

#include <math.h>

/* A light without a range ends where its light is below this. */
#define LEAST_LIGHT 0.005f
#define MAX_RANGE 10000.0f

static uint32_t add_name(CniRenderGltfConversion *conversion, const char *name, bool *ok)
{
    return cni_render_model_text(conversion->data, cn_text(name ? name : ""), ok);
}

static const char *first_of(const char *name, const char *other)
{
    return name && name[0] ? name : other;
}

/* ---- Lights and cameras ---- */

static float between(float value, float low, float high)
{
    return value >= low ? (value <= high ? value : high) : low; /* also for NaN */
}

static float range_of(const CniRenderGltfLight *light)
{
    if (light->range > 0)
        return light->range;
    float most = fmaxf(light->color[0], fmaxf(light->color[1], light->color[2]));
    return between(sqrtf(light->intensity * most / LEAST_LIGHT), 0.01f, MAX_RANGE);
}

static bool add_light(CniRenderGltfConversion *conversion, uint32_t number)
{
    const CniRenderGltfNode *node = &conversion->gltf->nodes[number];
    const CniRenderGltfLight *from = &conversion->gltf->lights[node->light - 1];
    bool ok = true;
    CniRenderModelLight light = {
        .name = add_name(conversion, first_of(node->name, from->name), &ok),
        .node = number,
        .kind = from->kind,
        .color = {between(from->color[0], 0, 1e6f), between(from->color[1], 0, 1e6f),
                  between(from->color[2], 0, 1e6f)},
        .intensity = from->intensity,
        .range = range_of(from),
        .inner = from->inner < from->outer ? from->inner : from->outer,
        .outer = from->outer};
    return (ok && cn_array_push(&conversion->data->lights, light) &&
            cn_array_push(&conversion->light_of, node->light - 1)) ||
           cni_render_import_memory(conversion->import);
}

static bool add_camera(CniRenderGltfConversion *conversion, uint32_t number)
{
    const CniRenderGltfNode *node = &conversion->gltf->nodes[number];
    const CniRenderGltfCamera *from = &conversion->gltf->cameras[node->camera - 1];
    bool ok = true;
    CniRenderModelCamera camera = {.name =
                                       add_name(conversion, first_of(node->name, from->name), &ok),
                                   .node = number,
                                   .is_orthographic = from->is_orthographic,
                                   .size = from->size,
                                   .near = from->near,
                                   .far = from->far,
                                   .aspect = from->aspect};
    return (ok && cn_array_push(&conversion->data->cameras, camera) &&
            cn_array_push(&conversion->camera_of, node->camera - 1)) ||
           cni_render_import_memory(conversion->import);
}

bool cni_render_gltf_convert_light(CniRenderGltfConversion *conversion, uint32_t number)
{
    const CniRenderGltfNode *node = &conversion->gltf->nodes[number];
    return (!node->light || add_light(conversion, number)) &&
           (!node->camera || add_camera(conversion, number));
}

/* ---- Scenes and variants ---- */

bool cni_render_gltf_convert_names(CniRenderGltfConversion *conversion)
{
    const CniRenderGltf *gltf = conversion->gltf;
    CniRenderModelData *data = conversion->data;
    CniRenderGltfAt above = {NULL, "scenes", 0};
    bool ok = true;
    for (uint32_t i = 0; ok && i < gltf->counts[CNI_RENDER_GLTF_SCENES]; i++) {
        const char *name = NULL;
        if (!cni_render_gltf_text(gltf, &(CniRenderGltfAt){&above, NULL, i},
                                  json_array_get(gltf->lists[CNI_RENDER_GLTF_SCENES], i), "name",
                                  &name))
            return false;
        uint32_t text = add_name(conversion, name, &ok);
        ok = ok && cn_array_push(&data->scenes, text);
    }
    for (uint32_t i = 0; ok && i < gltf->variant_count; i++) {
        uint32_t text = add_name(conversion, gltf->variants[i], &ok);
        ok = ok && cn_array_push(&data->variants, text);
    }
    return ok || cni_render_import_memory(conversion->import);
}

bool cni_render_gltf_convert_mappings(CniRenderGltfConversion *conversion,
                                      const CniRenderGltfPrimitive *primitive, uint32_t mesh)
{
    CniRenderModelData *data = conversion->data;
    for (uint32_t i = 0; i < primitive->mapping_count; i++) {
        CniRenderModelMapping mapping = {.mesh = mesh, .variant = primitive->mappings[i].variant};
        if (data->mappings.count >= CNI_RENDER_MODEL_MAX_MAPPINGS)
            return cni_render_import_fails(conversion->import, CN_ERROR_LIMIT,
                                           "the variants of the model have more than %u materials",
                                           CNI_RENDER_MODEL_MAX_MAPPINGS);
        if (!cni_render_gltf_convert_material(conversion, primitive->mappings[i].material - 1,
                                              &mapping.material))
            return false;
        if (!cn_array_push(&data->mappings, mapping))
            return cni_render_import_memory(conversion->import);
    }
    return true;
}
