/* Images, samplers, textures and materials of a glTF document. */
#include "render/import/gltf.h"

/* ---- Images, samplers and textures ---- */

static bool read_image(CniRenderGltf *gltf, const CniRenderGltfAt *at, const json_t *item,
                       uint32_t number)
{
    CniRenderGltfImage *image = &gltf->images[number];
    const char *uri = NULL;
    uint32_t view = 0;
    if (!cni_render_gltf_text(gltf, at, item, "uri", &uri) ||
        !cni_render_gltf_index(gltf, at, item, "bufferView", CNI_RENDER_GLTF_VIEWS, &view))
        return false;
    if (view) {
        const CniRenderGltfView *from = &gltf->views[view - 1];
        image->bytes = (CnText){(const char *)from->bytes, from->size};
        return true;
    }
    if (!uri)
        return cni_render_gltf_fails(gltf, at, NULL, CN_ERROR_FORMAT,
                                     "has neither a uri nor a bufferView");
    if (cn_text_starts_with(cn_text(uri), cn_text("data:")))
        return cni_render_gltf_decode_uri(gltf, at, uri, &image->bytes);
    image->uri = uri;
    return true;
}

static bool read_wrap(const CniRenderGltf *gltf, const CniRenderGltfAt *at, const json_t *item,
                      const char *key, uint32_t *wrap)
{
    uint32_t value = 10497;
    if (!cni_render_gltf_uint(gltf, at, item, key, UINT32_MAX, &value))
        return false;
    *wrap = value == 33071   ? CNI_RENDER_WRAP_CLAMP
            : value == 33648 ? CNI_RENDER_WRAP_MIRROR
                             : CNI_RENDER_WRAP_REPEAT;
    return value == 10497 || *wrap != CNI_RENDER_WRAP_REPEAT ||
           cni_render_gltf_fails(gltf, at, key, CN_ERROR_FORMAT, "%u is not a wrap mode", value);
}

static bool read_sampler(CniRenderGltf *gltf, const CniRenderGltfAt *at, const json_t *item,
                         uint32_t number)
{
    uint32_t u = 0, v = 0, magnify = 9729, minify = 9987;
    if (!read_wrap(gltf, at, item, "wrapS", &u) || !read_wrap(gltf, at, item, "wrapT", &v) ||
        !cni_render_gltf_uint(gltf, at, item, "magFilter", UINT32_MAX, &magnify) ||
        !cni_render_gltf_uint(gltf, at, item, "minFilter", UINT32_MAX, &minify))
        return false;
    if (magnify != 9728 && magnify != 9729)
        return cni_render_gltf_fails(gltf, at, "magFilter", CN_ERROR_FORMAT, "%u is not a filter",
                                     magnify);
    if (minify != 9728 && minify != 9729 && (minify < 9984 || minify > 9987))
        return cni_render_gltf_fails(gltf, at, "minFilter", CN_ERROR_FORMAT, "%u is not a filter",
                                     minify);
    bool has_mips = minify >= 9984;
    gltf->samplers[number] =
        u << CNI_RENDER_SAMPLER_WRAP_U | v << CNI_RENDER_SAMPLER_WRAP_V |
        (magnify == 9728 ? CNI_RENDER_SAMPLER_MAGNIFY_NEAREST : 0u) |
        (minify == 9728 || minify == 9984 || minify == 9986 ? CNI_RENDER_SAMPLER_MINIFY_NEAREST
                                                            : 0u) |
        (minify == 9984 || minify == 9985 ? CNI_RENDER_SAMPLER_MIP_NEAREST : 0u) |
        (has_mips ? 0u : CNI_RENDER_SAMPLER_NO_MIPS);
    return true;
}

/* Extensions name images of other formats; `source` is the image for readers without them. */
static bool read_source(CniRenderGltf *gltf, const CniRenderGltfAt *at, const json_t *item,
                        uint32_t *image)
{
    CniRenderGltfAt above = {at, "extensions", 0}, place = {&above, "EXT_texture_webp", 0};
    const json_t *webp, *basisu;
    if (!cni_render_gltf_index(gltf, at, item, "source", CNI_RENDER_GLTF_IMAGES, image) ||
        !cni_render_gltf_extension(gltf, at, item, place.key, &webp) ||
        !cni_render_gltf_index(gltf, &place, webp, "source", CNI_RENDER_GLTF_IMAGES, image) ||
        !cni_render_gltf_extension(gltf, at, item, "KHR_texture_basisu", &basisu))
        return false;
    if (basisu)
        gltf->notes |= CNI_RENDER_GLTF_NOTE_BASISU;
    return *image || !basisu || !cni_render_gltf_requires(gltf, "KHR_texture_basisu") ||
           cni_render_gltf_fails(gltf, at, NULL, CN_ERROR_UNSUPPORTED,
                                 "the extension KHR_texture_basisu is not supported, and the "
                                 "texture has no other source; save it as PNG, JPEG or WebP");
}

static bool read_texture(CniRenderGltf *gltf, const CniRenderGltfAt *at, const json_t *item,
                         uint32_t number)
{
    CniRenderGltfTexture *texture = &gltf->textures[number];
    uint32_t sampler = 0;
    if (!read_source(gltf, at, item, &texture->image) ||
        !cni_render_gltf_index(gltf, at, item, "sampler", CNI_RENDER_GLTF_SAMPLERS, &sampler))
        return false;
    texture->sampler = sampler ? gltf->samplers[sampler - 1] : 0;
    return true;
}

/* ---- Materials ---- */

static bool read_transform(const CniRenderGltf *gltf, const CniRenderGltfAt *at, const json_t *item,
                           CniRenderGltfTextureUse *use)
{
    const json_t *from;
    if (!cni_render_gltf_extension(gltf, at, item, "KHR_texture_transform", &from))
        return false;
    CniRenderGltfAt above = {at, "extensions", 0}, place = {&above, "KHR_texture_transform", 0};
    return !from ||
           (cni_render_gltf_floats(gltf, &place, from, "offset", 2, use->offset) &&
            cni_render_gltf_floats(gltf, &place, from, "scale", 2, use->scale) &&
            cni_render_gltf_float(gltf, &place, from, "rotation", -1e6f, 1e6f, &use->rotation) &&
            cni_render_gltf_uint(gltf, &place, from, "texCoord", CNI_RENDER_GLTF_MAX_UV_SETS - 1,
                                 &use->uv_set));
}

bool cni_render_gltf_read_use(const CniRenderGltf *gltf, const CniRenderGltfAt *above,
                              const json_t *object, const char *key, const char *factor_key,
                              CniRenderGltfTextureUse *use)
{
    CniRenderGltfAt at = {above, key, 0};
    const json_t *item;
    *use = (CniRenderGltfTextureUse){.scale = {1, 1}, .factor = 1};
    if (!cni_render_gltf_object(gltf, above, object, key, &item))
        return false;
    if (!item)
        return true;
    if (!cni_render_gltf_index(gltf, &at, item, "index", CNI_RENDER_GLTF_TEXTURES, &use->texture) ||
        !cni_render_gltf_uint(gltf, &at, item, "texCoord", CNI_RENDER_GLTF_MAX_UV_SETS - 1,
                              &use->uv_set) ||
        !read_transform(gltf, &at, item, use))
        return false;
    if (!use->texture)
        return cni_render_gltf_fails(gltf, &at, "index", CN_ERROR_FORMAT, "is missing");
    return !factor_key ||
           cni_render_gltf_float(gltf, &at, item, factor_key, -100, 100, &use->factor);
}

static bool read_metallic_roughness(const CniRenderGltf *gltf, const CniRenderGltfAt *above,
                                    const json_t *item, CniRenderGltfMaterial *material)
{
    CniRenderGltfAt at = {above, "pbrMetallicRoughness", 0};
    const json_t *from;
    if (!cni_render_gltf_object(gltf, above, item, at.key, &from) ||
        !cni_render_gltf_floats(gltf, &at, from, "baseColorFactor", 4, material->base_color) ||
        !cni_render_gltf_float(gltf, &at, from, "metallicFactor", 0, 1, &material->metallic) ||
        !cni_render_gltf_float(gltf, &at, from, "roughnessFactor", 0, 1, &material->roughness))
        return false;
    return cni_render_gltf_read_use(gltf, &at, from, "baseColorTexture", NULL,
                                    &material->textures[CN_TEXTURE_BASE_COLOR]) &&
           cni_render_gltf_read_use(gltf, &at, from, "metallicRoughnessTexture", NULL,
                                    &material->textures[CN_TEXTURE_METALLIC_ROUGHNESS]);
}

static bool read_alpha(const CniRenderGltf *gltf, const CniRenderGltfAt *at, const json_t *item,
                       CniRenderGltfMaterial *material)
{
    static const char *const modes[] = {"OPAQUE", "MASK", "BLEND"};
    const char *mode = modes[0];
    if (!cni_render_gltf_text(gltf, at, item, "alphaMode", &mode) ||
        !cni_render_gltf_float(gltf, at, item, "alphaCutoff", 0, 1e6f, &material->alpha_cutoff) ||
        !cni_render_gltf_flag(gltf, at, item, "doubleSided", &material->is_double_sided))
        return false;
    for (uint32_t i = 0; i < CN_COUNT_OF(modes); i++)
        if (!strcmp(modes[i], mode)) {
            material->alpha_mode = (CnAlphaMode)i;
            return true;
        }
    return cni_render_gltf_fails(gltf, at, "alphaMode", CN_ERROR_FORMAT,
                                 "must be OPAQUE, MASK or BLEND");
}

static bool read_extensions(const CniRenderGltf *gltf, const CniRenderGltfAt *at,
                            const json_t *item, CniRenderGltfMaterial *material)
{
    const json_t *unlit, *strength;
    float factor = 1;
    CniRenderGltfAt above = {at, "extensions", 0},
                    place = {&above, "KHR_materials_emissive_strength", 0};
    if (!cni_render_gltf_extension(gltf, at, item, "KHR_materials_unlit", &unlit) ||
        !cni_render_gltf_extension(gltf, at, item, place.key, &strength) ||
        !cni_render_gltf_float(gltf, &place, strength, "emissiveStrength", 0, 1e6f, &factor))
        return false;
    material->is_unlit = unlit != NULL;
    for (uint32_t i = 0; i < 3; i++)
        material->emissive[i] *= factor;
    return true;
}

/* Tangents are computed for materials that look different without them: those with normal maps or
 * anisotropy. */
static bool find_tangent_use(const CniRenderGltf *gltf, const CniRenderGltfAt *at,
                             const json_t *item, CniRenderGltfMaterial *material)
{
    static const char *const extensions[] = {"KHR_materials_anisotropy", "KHR_materials_clearcoat"};
    material->needs_tangents = material->textures[CN_TEXTURE_NORMAL].texture != 0;
    for (uint32_t i = 0; i < CN_COUNT_OF(extensions); i++) {
        const json_t *found;
        if (!cni_render_gltf_extension(gltf, at, item, extensions[i], &found))
            return false;
        material->needs_tangents |= found != NULL;
    }
    return true;
}

static bool read_material(CniRenderGltf *gltf, const CniRenderGltfAt *at, const json_t *item,
                          uint32_t number)
{
    CniRenderGltfMaterial *material = &gltf->materials[number];
    *material = (CniRenderGltfMaterial){
        .base_color = {1, 1, 1, 1}, .metallic = 1, .roughness = 1, .alpha_cutoff = 0.5f};
    return cni_render_gltf_text(gltf, at, item, "name", &material->name) &&
           read_metallic_roughness(gltf, at, item, material) &&
           cni_render_gltf_read_use(gltf, at, item, "normalTexture", "scale",
                                    &material->textures[CN_TEXTURE_NORMAL]) &&
           cni_render_gltf_read_use(gltf, at, item, "occlusionTexture", "strength",
                                    &material->textures[CN_TEXTURE_OCCLUSION]) &&
           cni_render_gltf_read_use(gltf, at, item, "emissiveTexture", NULL,
                                    &material->textures[CN_TEXTURE_EMISSIVE]) &&
           cni_render_gltf_floats(gltf, at, item, "emissiveFactor", 3, material->emissive) &&
           read_alpha(gltf, at, item, material) && read_extensions(gltf, at, item, material) &&
           cni_render_gltf_read_extensions(gltf, at, item, material) &&
           find_tangent_use(gltf, at, item, material);
}

bool cni_render_gltf_read_materials(CniRenderGltf *gltf)
{
    const uint32_t *counts = gltf->counts;
    gltf->images =
        cni_render_gltf_alloc(gltf, counts[CNI_RENDER_GLTF_IMAGES], sizeof *gltf->images);
    gltf->samplers =
        cni_render_gltf_alloc(gltf, counts[CNI_RENDER_GLTF_SAMPLERS], sizeof *gltf->samplers);
    gltf->textures =
        cni_render_gltf_alloc(gltf, counts[CNI_RENDER_GLTF_TEXTURES], sizeof *gltf->textures);
    gltf->materials =
        cni_render_gltf_alloc(gltf, counts[CNI_RENDER_GLTF_MATERIALS], sizeof *gltf->materials);
    return gltf->images && gltf->samplers && gltf->textures && gltf->materials &&
           cni_render_gltf_each(gltf, CNI_RENDER_GLTF_IMAGES, read_image) &&
           cni_render_gltf_each(gltf, CNI_RENDER_GLTF_SAMPLERS, read_sampler) &&
           cni_render_gltf_each(gltf, CNI_RENDER_GLTF_TEXTURES, read_texture) &&
           cni_render_gltf_each(gltf, CNI_RENDER_GLTF_MATERIALS, read_material);
}
