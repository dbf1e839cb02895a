/* Converts the materials of a glTF document that meshes use, and their textures. */
#include "render/import/gltf_convert.h"

/* Copies an embedded image, or resolves the path of another file; once. */
static bool add_image(CniRenderGltfConversion *conversion, uint32_t number)
{
    const CniRenderGltfImage *image = &conversion->gltf->images[number];
    CniRenderGltfImageState *state = &conversion->images[number];
    CniRenderImport *import = conversion->import;
    CniRenderModelData *data = conversion->data;
    if (state->is_added)
        return true;
    state->is_added = true;
    if (image->uri) {
        char path[CNI_RENDER_PATH_MAX];
        bool ok = true;
        if (!cni_render_import_resolve(import, cn_text(image->uri), path))
            return cni_render_import_fails(import, CN_ERROR_FORMAT,
                                           "images[%u].uri: the path is not valid", number);
        state->path = cni_render_model_text(data, cn_text(path), &ok);
        return ok || cni_render_import_memory(import);
    }
    uint64_t end = (uint64_t)data->bytes.count + image->bytes.size;
    if (end > CNI_RENDER_MODEL_MAX_BYTES)
        return cni_render_import_fails(import, CN_ERROR_LIMIT, "the images exceed %u MiB",
                                       CNI_RENDER_MODEL_MAX_BYTES >> 20);
    if (!cn_array_reserve(&data->bytes, end))
        return cni_render_import_memory(import);
    state->first_byte = data->bytes.count;
    state->byte_count = (uint32_t)image->bytes.size;
    if (image->bytes.size)
        memcpy(data->bytes.items + data->bytes.count, image->bytes.data, image->bytes.size);
    data->bytes.count = (uint32_t)end;
    return true;
}

static bool add_texture(CniRenderGltfConversion *conversion, uint32_t number, bool is_linear,
                        uint32_t *added)
{
    const CniRenderGltfTexture *texture = &conversion->gltf->textures[number];
    if (!texture->image)
        return true; /* its image is in a format of an extension */
    if (!add_image(conversion, texture->image - 1))
        return false;
    const CniRenderGltfImageState *image = &conversion->images[texture->image - 1];
    CniRenderModelTexture from = {.path = image->path,
                                  .first_byte = image->first_byte,
                                  .byte_count = image->byte_count,
                                  .is_linear = is_linear,
                                  .sampler = texture->sampler};
    return cni_render_import_texture(conversion->import, &from, added);
}

static float between(float value, float low, float high)
{
    return value >= low ? (value <= high ? value : high) : low; /* also for NaN */
}

static bool add_material(CniRenderGltfConversion *conversion, const CniRenderGltfMaterial *from)
{
    static const bool is_linear[CN_TEXTURE_COUNT] = {[CN_TEXTURE_METALLIC_ROUGHNESS] = true,
                                                     [CN_TEXTURE_NORMAL] = true,
                                                     [CN_TEXTURE_OCCLUSION] = true};
    CniRenderModelData *data = conversion->data;
    bool ok = true;
    CniRenderModelMaterial material = {
        .name = cni_render_model_text(data, cn_text(from->name ? from->name : ""), &ok),
        .base_color = {between(from->base_color[0], 0, 1e6f), between(from->base_color[1], 0, 1e6f),
                       between(from->base_color[2], 0, 1e6f), between(from->base_color[3], 0, 1)},
        .emissive = {between(from->emissive[0], 0, 1e6f), between(from->emissive[1], 0, 1e6f),
                     between(from->emissive[2], 0, 1e6f)},
        .metallic = from->metallic,
        .roughness = from->roughness,
        .normal_scale = from->textures[CN_TEXTURE_NORMAL].factor,
        .alpha_cutoff = between(from->alpha_cutoff, 0, 1),
        .uv_scale = {1, 1},
        .alpha_mode = from->alpha_mode,
        .is_double_sided = from->is_double_sided,
        .is_unlit = from->is_unlit};
    if (from->alpha_mode == CN_ALPHA_OPAQUE)
        material.base_color.w = 1;
    for (uint32_t i = 0; ok && i < CN_TEXTURE_COUNT; i++)
        if (from->textures[i].texture && !add_texture(conversion, from->textures[i].texture - 1,
                                                      is_linear[i], &material.textures[i]))
            return false;
    return (ok && cn_array_push(&data->materials, material)) ||
           cni_render_import_memory(conversion->import);
}

bool cni_render_gltf_convert_material(CniRenderGltfConversion *conversion, uint32_t material,
                                      uint32_t *number)
{
    uint32_t *added = &conversion->material_of[material];
    if (!*added) {
        if (!add_material(conversion, &conversion->gltf->materials[material]))
            return false;
        *added = conversion->data->materials.count;
    }
    *number = *added;
    return true;
}
