/* Animated properties of a glTF document: KHR_animation_pointer. */
#include "render/import/gltf.h"

#include <cairn/base/log.h>

#define MATERIALS "/materials/"
#define NODES "/nodes/"
#define LIGHTS "/extensions/KHR_lights_punctual/lights/"
#define CAMERAS "/cameras/"

typedef struct Property {
    const char *list, *path; /* before and after the index */
    uint32_t kind, property, width;
} Property;

static const Property properties[] = {
    {NODES, "/translation", CNI_RENDER_CHANNEL_POSITION, 0, 3},
    {NODES, "/rotation", CNI_RENDER_CHANNEL_ROTATION, 0, 4},
    {NODES, "/scale", CNI_RENDER_CHANNEL_SCALE, 0, 3},
    {NODES, "/weights", CNI_RENDER_CHANNEL_WEIGHTS, 0, 1},
    {NODES, "/extensions/KHR_node_visibility/visible", CNI_RENDER_CHANNEL_VISIBLE, 0, 1},
    {MATERIALS, "/pbrMetallicRoughness/baseColorFactor", CNI_RENDER_CHANNEL_MATERIAL,
     CNI_RENDER_MATERIAL_BASE_COLOR, 4},
    {MATERIALS, "/pbrMetallicRoughness/metallicFactor", CNI_RENDER_CHANNEL_MATERIAL,
     CNI_RENDER_MATERIAL_METALLIC, 1},
    {MATERIALS, "/pbrMetallicRoughness/roughnessFactor", CNI_RENDER_CHANNEL_MATERIAL,
     CNI_RENDER_MATERIAL_ROUGHNESS, 1},
    {MATERIALS, "/emissiveFactor", CNI_RENDER_CHANNEL_MATERIAL, CNI_RENDER_MATERIAL_EMISSIVE, 3},
    {MATERIALS, "/extensions/KHR_materials_emissive_strength/emissiveStrength",
     CNI_RENDER_CHANNEL_MATERIAL, CNI_RENDER_MATERIAL_EMISSIVE, 1},
    {MATERIALS, "/normalTexture/scale", CNI_RENDER_CHANNEL_MATERIAL,
     CNI_RENDER_MATERIAL_NORMAL_SCALE, 1},
    {MATERIALS, "/alphaCutoff", CNI_RENDER_CHANNEL_MATERIAL, CNI_RENDER_MATERIAL_ALPHA_CUTOFF, 1},
    {MATERIALS, "/occlusionTexture/strength", CNI_RENDER_CHANNEL_MATERIAL,
     CNI_RENDER_MATERIAL_OCCLUSION_STRENGTH, 1},
    {LIGHTS, "/color", CNI_RENDER_CHANNEL_LIGHT, CNI_RENDER_LIGHT_COLOR, 3},
    {LIGHTS, "/intensity", CNI_RENDER_CHANNEL_LIGHT, CNI_RENDER_LIGHT_INTENSITY, 1},
    {LIGHTS, "/range", CNI_RENDER_CHANNEL_LIGHT, CNI_RENDER_LIGHT_RANGE, 1},
    {LIGHTS, "/spot/innerConeAngle", CNI_RENDER_CHANNEL_LIGHT, CNI_RENDER_LIGHT_INNER, 1},
    {LIGHTS, "/spot/outerConeAngle", CNI_RENDER_CHANNEL_LIGHT, CNI_RENDER_LIGHT_OUTER, 1},
    {CAMERAS, "/perspective/yfov", CNI_RENDER_CHANNEL_CAMERA, CNI_RENDER_CAMERA_SIZE, 1},
    {CAMERAS, "/perspective/aspectRatio", CNI_RENDER_CHANNEL_CAMERA, CNI_RENDER_CAMERA_ASPECT, 1},
    {CAMERAS, "/perspective/znear", CNI_RENDER_CHANNEL_CAMERA, CNI_RENDER_CAMERA_NEAR, 1},
    {CAMERAS, "/perspective/zfar", CNI_RENDER_CHANNEL_CAMERA, CNI_RENDER_CAMERA_FAR, 1},
    {CAMERAS, "/orthographic/ymag", CNI_RENDER_CHANNEL_CAMERA, CNI_RENDER_CAMERA_SIZE, 1},
    {CAMERAS, "/orthographic/znear", CNI_RENDER_CHANNEL_CAMERA, CNI_RENDER_CAMERA_NEAR, 1},
    {CAMERAS, "/orthographic/zfar", CNI_RENDER_CHANNEL_CAMERA, CNI_RENDER_CAMERA_FAR, 1},
};

bool cni_render_gltf_take_text(const char **at, const char *text)
{
    size_t size = strlen(text);
    if (strncmp(*at, text, size) != 0)
        return false;
    *at += size;
    return true;
}

static bool take_index(const char **at, uint32_t *index)
{
    uint64_t number = 0;
    const char *first = *at;
    for (; **at >= '0' && **at <= '9' && number < UINT32_MAX; (*at)++)
        number = number * 10 + (uint64_t)(**at - '0');
    *index = (uint32_t)number;
    return *at > first && number < UINT32_MAX;
}

static uint32_t count_of(const CniRenderGltf *gltf, uint32_t kind)
{
    switch (kind) {
    case CNI_RENDER_CHANNEL_MATERIAL:
        return gltf->counts[CNI_RENDER_GLTF_MATERIALS];
    case CNI_RENDER_CHANNEL_LIGHT:
        return gltf->light_count;
    case CNI_RENDER_CHANNEL_CAMERA:
        return gltf->counts[CNI_RENDER_GLTF_CAMERAS];
    default:
        return gltf->counts[CNI_RENDER_GLTF_NODES];
    }
}

static bool find_property(const char *pointer, uint32_t *index, Property *found)
{
    const char *at = pointer;
    for (uint32_t i = 0; i < CN_COUNT_OF(properties); i++) {
        at = pointer;
        *found = properties[i];
        if (cni_render_gltf_take_text(&at, found->list) && take_index(&at, index) &&
            !strcmp(at, found->path))
            return true;
    }
    at = pointer;
    *found = (Property){.list = MATERIALS, .kind = CNI_RENDER_CHANNEL_MATERIAL};
    if (!cni_render_gltf_take_text(&at, MATERIALS) || !take_index(&at, index))
        return false;
    found->path = at;
    return cni_render_gltf_find_extension(at, &found->property, &found->width);
}

/* The factor and the strength of emission multiply each other: an animation of one of them is
 * converted with the value that the other has in the material. */
static bool scale_emission(const CniRenderGltf *gltf, CniRenderGltfChannel *channel)
{
    const json_t *item = json_array_get(gltf->lists[CNI_RENDER_GLTF_MATERIALS], channel->target),
                 *extension;
    CniRenderGltfAt above = {NULL, "materials", 0}, at = {&above, NULL, channel->target};
    float factor[3] = {0}, strength = 1;
    if (channel->width == 1) {
        channel->is_spread = true;
        if (!cni_render_gltf_floats(gltf, &at, item, "emissiveFactor", 3, factor))
            return false;
        memcpy(channel->scale, factor, sizeof factor);
        return true;
    }
    if (!cni_render_gltf_extension(gltf, &at, item, "KHR_materials_emissive_strength",
                                   &extension) ||
        !cni_render_gltf_float(gltf, &at, extension, "emissiveStrength", 0, 1e6f, &strength))
        return false;
    for (uint32_t i = 0; i < 3; i++)
        channel->scale[i] = strength;
    return true;
}

static bool ignore(const CniRenderGltf *gltf, const CniRenderGltfAt *at, const char *pointer)
{
    if (cni_render_gltf_requires(gltf, "KHR_animation_pointer"))
        return cni_render_gltf_fails(gltf, at, "pointer", CN_ERROR_UNSUPPORTED,
                                     "%s cannot be animated", pointer);
    CN_LOG_INFO("render", "%s: ignoring the animation of %s", gltf->import->path, pointer);
    return true;
}

bool cni_render_gltf_read_pointer(CniRenderGltf *gltf, const CniRenderGltfAt *above,
                                  const json_t *target, CniRenderGltfChannel *channel,
                                  bool *is_known)
{
    CniRenderGltfAt extensions = {above, "extensions", 0},
                    at = {&extensions, "KHR_animation_pointer", 0};
    const json_t *extension;
    const char *pointer = NULL;
    if (!cni_render_gltf_extension(gltf, above, target, at.key, &extension) ||
        !cni_render_gltf_text(gltf, &at, extension, "pointer", &pointer))
        return false;
    if (!pointer)
        return cni_render_gltf_fails(gltf, &at, "pointer", CN_ERROR_FORMAT, "is missing");
    Property found;
    *is_known = find_property(pointer, &channel->target, &found);
    if (!*is_known)
        return ignore(gltf, &at, pointer);
    if (channel->target >= count_of(gltf, found.kind))
        return cni_render_gltf_fails(gltf, &at, "pointer", CN_ERROR_FORMAT, "%s does not exist",
                                     pointer);
    channel->kind = found.kind;
    channel->property = found.property;
    channel->width = found.width;
    for (uint32_t i = 0; i < 3; i++)
        channel->scale[i] = 1;
    if (found.kind == CNI_RENDER_CHANNEL_CAMERA && strstr(found.path, "ymag"))
        channel->scale[0] = 2; /* a height instead of half of it */
    if (found.kind == CNI_RENDER_CHANNEL_MATERIAL &&
        found.property >= CNI_RENDER_MATERIAL_UV_OFFSET)
        gltf->materials[channel->target].moves_textures = true;
    return found.kind != CNI_RENDER_CHANNEL_MATERIAL ||
           found.property != CNI_RENDER_MATERIAL_EMISSIVE || scale_emission(gltf, channel);
}
