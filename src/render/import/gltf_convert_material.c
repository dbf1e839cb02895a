/* Converts the materials of a glTF document that meshes use, and their textures. */
#include "render/core/renderer_internal.h"
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

/* ---- Coordinates ---- */

static const CniRenderGltfTextureUse *leading_use(const CniRenderGltfMaterial *material)
{
    static const uint32_t order[] = {CN_TEXTURE_NORMAL, CN_TEXTURE_CLEARCOAT_NORMAL,
                                     CN_TEXTURE_ANISOTROPY};
    for (uint32_t i = 0; i < CN_COUNT_OF(order); i++)
        if (material->textures[order[i]].texture)
            return &material->textures[order[i]];
    for (uint32_t i = 0; i < CN_TEXTURE_COUNT; i++)
        if (material->textures[i].texture)
            return &material->textures[i];
    return NULL;
}

static bool has_same_coordinates(const CniRenderGltfTextureUse *a, const CniRenderGltfTextureUse *b)
{
    return a->uv_set == b->uv_set && a->rotation == b->rotation && a->offset[0] == b->offset[0] &&
           a->offset[1] == b->offset[1] && a->scale[0] == b->scale[0] && a->scale[1] == b->scale[1];
}

CniRenderGltfCoordinates cni_render_gltf_coordinates(const CniRenderGltfMaterial *material)
{
    CniRenderGltfCoordinates found = {.leading = leading_use(material),
                                      .is_uniform = !material->moves_textures};
    if (!found.leading)
        return found;
    found.sets[found.set_count++] = found.leading->uv_set;
    for (uint32_t i = 0; i < CN_TEXTURE_COUNT; i++) {
        const CniRenderGltfTextureUse *use = &material->textures[i];
        if (!use->texture || has_same_coordinates(use, found.leading))
            continue;
        found.is_uniform = false;
        if (use->uv_set != found.sets[0] && found.set_count == 1)
            found.sets[found.set_count++] = use->uv_set;
    }
    return found;
}

/* Meshes have two sets of texture coordinates; textures that use a third one are left out. */
static bool is_left_out(const CniRenderGltfCoordinates *coordinates,
                        const CniRenderGltfTextureUse *use)
{
    return use->uv_set != coordinates->sets[0] &&
           (coordinates->set_count == 1 || use->uv_set != coordinates->sets[1]);
}

static CnTextureCoordinates coordinates_of(const CniRenderGltfCoordinates *coordinates,
                                           const CniRenderGltfTextureUse *use)
{
    return (CnTextureCoordinates){.set = use->uv_set != coordinates->sets[0],
                                  .rotation = use->rotation,
                                  .offset = {use->offset[0], use->offset[1]},
                                  .scale = {cni_render_explicit_zero(use->scale[0]),
                                            cni_render_explicit_zero(use->scale[1])}};
}

/* ---- Materials ---- */

static float between(float value, float low, float high)
{
    return value >= low ? (value <= high ? value : high) : low; /* also for NaN */
}

static bool add_textures(CniRenderGltfConversion *conversion, const CniRenderGltfMaterial *from,
                         CniRenderModelMaterial *material)
{
    CniRenderGltfCoordinates coordinates = cni_render_gltf_coordinates(from);
    for (uint32_t i = 0; i < CN_TEXTURE_COUNT; i++) {
        const CniRenderGltfTextureUse *use = &from->textures[i];
        if (!use->texture)
            continue;
        if (is_left_out(&coordinates, use)) {
            conversion->gltf->notes |= CNI_RENDER_GLTF_NOTE_THIRD_UV;
            if (i == CN_TEXTURE_EMISSIVE) /* alone, its factor would make everything shine */
                material->emissive = cn_vec3(0, 0, 0);
            continue;
        }
        if (!add_texture(conversion, use->texture - 1, cni_render_texture_is_linear(i),
                         &material->textures[i]))
            return false;
        if (!coordinates.is_uniform)
            material->coordinates[i] = coordinates_of(&coordinates, use);
    }
    return true;
}

static void bound_color(CnVec3 *color, float most)
{
    color->x = between(color->x, 0, most);
    color->y = between(color->y, 0, most);
    color->z = between(color->z, 0, most);
}

static CnMaterialExtensions extensions_of(const CnMaterialExtensions *from)
{
    CnMaterialExtensions to = *from;
    to.ior = from->ior == 0 ? 1e6f : between(from->ior, 1, 1e6f); /* 0: reflects everything */
    bound_color(&to.specular_color, 1e6f);
    bound_color(&to.sheen_color, 1e6f);
    bound_color(&to.attenuation_color, 1);
    return cni_render_explicit_extensions(&to);
}

static bool add_material(CniRenderGltfConversion *conversion, const CniRenderGltfMaterial *from)
{
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
        .occlusion_strength =
            cni_render_explicit_zero(between(from->textures[CN_TEXTURE_OCCLUSION].factor, 0, 1)),
        .extensions = extensions_of(&from->extensions),
        .alpha_mode = from->alpha_mode,
        .is_double_sided = from->is_double_sided,
        .is_unlit = from->is_unlit};
    if (from->alpha_mode == CN_ALPHA_OPAQUE)
        material.base_color.w = 1;
    if (ok && !add_textures(conversion, from, &material))
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
