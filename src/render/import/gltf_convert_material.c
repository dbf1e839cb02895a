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

const CniRenderGltfTextureUse *cni_render_gltf_leading_use(const CniRenderGltfMaterial *material)
{
    static const uint32_t order[] = {CN_TEXTURE_BASE_COLOR, CN_TEXTURE_NORMAL,
                                     CN_TEXTURE_METALLIC_ROUGHNESS, CN_TEXTURE_EMISSIVE,
                                     CN_TEXTURE_OCCLUSION};
    for (uint32_t i = 0; i < CN_COUNT_OF(order); i++)
        if (material->textures[order[i]].texture)
            return &material->textures[order[i]];
    return NULL;
}

static bool has_same_coordinates(const CniRenderGltfTextureUse *a, const CniRenderGltfTextureUse *b)
{
    return a->uv_set == b->uv_set && a->rotation == b->rotation && a->offset[0] == b->offset[0] &&
           a->offset[1] == b->offset[1] && a->scale[0] == b->scale[0] && a->scale[1] == b->scale[1];
}

/*
 * Meshes have one set of texture coordinates. Textures that use others are left out: with the wrong
 * coordinates, a material looks worse than without them. Metallic-roughness textures stay, because
 * the factors alone usually mean rough metal.
 */
static bool is_left_out(const CniRenderGltfMaterial *material, uint32_t texture)
{
    const CniRenderGltfTextureUse *use = &material->textures[texture];
    return use->texture && texture != CN_TEXTURE_METALLIC_ROUGHNESS &&
           !has_same_coordinates(use, cni_render_gltf_leading_use(material));
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
    if (is_left_out(from, CN_TEXTURE_EMISSIVE))
        material.emissive = cn_vec3(0, 0, 0);
    for (uint32_t i = 0; i < CN_TEXTURE_COUNT; i++)
        if (is_left_out(from, i))
            conversion->gltf->notes |= CNI_RENDER_GLTF_NOTE_SECOND_UV;
    for (uint32_t i = 0; ok && i < CN_TEXTURE_COUNT; i++)
        if (from->textures[i].texture && !is_left_out(from, i) &&
            !add_texture(conversion, from->textures[i].texture - 1, is_linear[i],
                         &material.textures[i]))
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
