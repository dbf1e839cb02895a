/* Variants of a glTF document: KHR_materials_variants. */
#include "render/import/gltf.h"

static const char extension[] = "KHR_materials_variants";

bool cni_render_gltf_read_variants(CniRenderGltf *gltf)
{
    CniRenderGltfAt extensions = {NULL, "extensions", 0}, at = {&extensions, extension, 0},
                    above = {&at, "variants", 0};
    const json_t *from, *list;
    if (!cni_render_gltf_extension(gltf, NULL, gltf->root, extension, &from) ||
        !cni_render_gltf_list(gltf, &at, from, above.key, &list, &gltf->variant_count))
        return false;
    if (gltf->variant_count > CN_MODEL_MAX_VARIANTS)
        return cni_render_gltf_fails(gltf, &at, above.key, CN_ERROR_LIMIT, "more than %u variants",
                                     CN_MODEL_MAX_VARIANTS);
    gltf->variants = cni_render_gltf_alloc(gltf, gltf->variant_count, sizeof *gltf->variants);
    bool ok = gltf->variants != NULL;
    for (uint32_t i = 0; ok && i < gltf->variant_count; i++)
        ok = cni_render_gltf_text(gltf, &(CniRenderGltfAt){&above, NULL, i},
                                  json_array_get(list, i), "name", &gltf->variants[i]);
    return ok;
}

/* Appends the variants of a mapping, as many as fit into `capacity`. */
static bool read_mapping(const CniRenderGltf *gltf, const CniRenderGltfAt *at, const json_t *item,
                         uint32_t capacity, CniRenderGltfPrimitive *primitive)
{
    CniRenderGltfMapping mapping = {0};
    const json_t *list;
    uint32_t count;
    if (!json_is_object(item))
        return cni_render_gltf_fails(gltf, at, NULL, CN_ERROR_FORMAT, "must be an object");
    if (!cni_render_gltf_index(gltf, at, item, "material", CNI_RENDER_GLTF_MATERIALS,
                               &mapping.material) ||
        !cni_render_gltf_list(gltf, at, item, "variants", &list, &count))
        return false;
    for (uint32_t i = 0; mapping.material && i < count; i++) {
        const json_t *number = json_array_get(list, i);
        json_int_t variant = json_is_integer(number) ? json_integer_value(number) : -1;
        if (variant < 0 || variant >= gltf->variant_count)
            return cni_render_gltf_fails(gltf, at, "variants", CN_ERROR_FORMAT,
                                         "must be a list of indices of variants");
        mapping.variant = (uint32_t)variant;
        if (primitive->mapping_count < capacity)
            primitive->mappings[primitive->mapping_count++] = mapping;
    }
    return true;
}

bool cni_render_gltf_read_mappings(CniRenderGltf *gltf, const CniRenderGltfAt *at,
                                   const json_t *item, CniRenderGltfPrimitive *primitive)
{
    CniRenderGltfAt extensions = {at, "extensions", 0}, place = {&extensions, extension, 0},
                    above = {&place, "mappings", 0};
    const json_t *from, *list;
    uint32_t count;
    if (!cni_render_gltf_extension(gltf, at, item, extension, &from) ||
        !cni_render_gltf_list(gltf, &place, from, above.key, &list, &count))
        return false;
    if (!count || !gltf->variant_count)
        return true;
    /* A primitive has at most one material per variant. */
    primitive->mappings =
        cni_render_gltf_alloc(gltf, gltf->variant_count, sizeof *primitive->mappings);
    bool ok = primitive->mappings != NULL;
    for (uint32_t i = 0; ok && i < count; i++)
        ok = read_mapping(gltf, &(CniRenderGltfAt){&above, NULL, i}, json_array_get(list, i),
                          gltf->variant_count, primitive);
    return ok;
}
