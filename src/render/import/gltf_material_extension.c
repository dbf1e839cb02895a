/* Extensions of glTF materials: their parameters and textures. */
#include "render/import/gltf.h"

typedef struct Number {
    const char *key;
    float minimum, maximum;
    size_t offset; /* in CnMaterialExtensions */
    uint32_t count;
} Number;

typedef struct Texture {
    const char *key;
    uint32_t texture; /* CN_TEXTURE_... */
} Texture;

#define MAX_NUMBERS 4
#define MAX_TEXTURES 3

typedef struct Extension {
    const char *name;
    Number numbers[MAX_NUMBERS];
    Texture textures[MAX_TEXTURES];
} Extension;

#define FLOAT(key_, member, low, high)                                                             \
    {                                                                                              \
        key_, low, high, offsetof(CnMaterialExtensions, member), 1                                 \
    }
#define COLOR(key_, member)                                                                        \
    {                                                                                              \
        key_, 0, 0, offsetof(CnMaterialExtensions, member), 3                                      \
    }

static const Extension extensions[] = {
    {"KHR_materials_ior", {FLOAT("ior", ior, 0, 1e6f)}, {{0}}},
    {"KHR_materials_specular",
     {FLOAT("specularFactor", specular, 0, 1), COLOR("specularColorFactor", specular_color)},
     {{"specularTexture", CN_TEXTURE_SPECULAR},
      {"specularColorTexture", CN_TEXTURE_SPECULAR_COLOR}}},
    {"KHR_materials_clearcoat",
     {FLOAT("clearcoatFactor", clearcoat, 0, 1),
      FLOAT("clearcoatRoughnessFactor", clearcoat_roughness, 0, 1)},
     {{"clearcoatTexture", CN_TEXTURE_CLEARCOAT},
      {"clearcoatRoughnessTexture", CN_TEXTURE_CLEARCOAT_ROUGHNESS},
      {"clearcoatNormalTexture", CN_TEXTURE_CLEARCOAT_NORMAL}}},
    {"KHR_materials_sheen",
     {COLOR("sheenColorFactor", sheen_color), FLOAT("sheenRoughnessFactor", sheen_roughness, 0, 1)},
     {{"sheenColorTexture", CN_TEXTURE_SHEEN_COLOR},
      {"sheenRoughnessTexture", CN_TEXTURE_SHEEN_ROUGHNESS}}},
    {"KHR_materials_anisotropy",
     {FLOAT("anisotropyStrength", anisotropy, 0, 1),
      FLOAT("anisotropyRotation", anisotropy_rotation, -1e6f, 1e6f)},
     {{"anisotropyTexture", CN_TEXTURE_ANISOTROPY}}},
    {"KHR_materials_iridescence",
     {FLOAT("iridescenceFactor", iridescence, 0, 1),
      FLOAT("iridescenceIor", iridescence_ior, 1, 1e6f),
      FLOAT("iridescenceThicknessMinimum", iridescence_thickness_minimum, 0, 1e6f),
      FLOAT("iridescenceThicknessMaximum", iridescence_thickness, 0, 1e6f)},
     {{"iridescenceTexture", CN_TEXTURE_IRIDESCENCE},
      {"iridescenceThicknessTexture", CN_TEXTURE_IRIDESCENCE_THICKNESS}}},
    {"KHR_materials_transmission",
     {FLOAT("transmissionFactor", transmission, 0, 1)},
     {{"transmissionTexture", CN_TEXTURE_TRANSMISSION}}},
    {"KHR_materials_volume",
     {FLOAT("thicknessFactor", thickness, 0, 1e6f), COLOR("attenuationColor", attenuation_color),
      FLOAT("attenuationDistance", attenuation_distance, 0, 1e9f)},
     {{"thicknessTexture", CN_TEXTURE_THICKNESS}}},
    {"KHR_materials_dispersion", {FLOAT("dispersion", dispersion, 0, 1e3f)}, {{0}}},
};

static bool read_number(const CniRenderGltf *gltf, const CniRenderGltfAt *at, const json_t *from,
                        const Number *number, CnMaterialExtensions *to)
{
    float *value = (float *)(void *)((char *)to + number->offset);
    return number->count == 1
               ? cni_render_gltf_float(gltf, at, from, number->key, number->minimum,
                                       number->maximum, value)
               : cni_render_gltf_floats(gltf, at, from, number->key, number->count, value);
}

static bool read_extension(const CniRenderGltf *gltf, const CniRenderGltfAt *above,
                           const json_t *from, const Extension *extension,
                           CniRenderGltfMaterial *material)
{
    CniRenderGltfAt at = {above, extension->name, 0};
    for (uint32_t i = 0; i < MAX_NUMBERS && extension->numbers[i].key; i++)
        if (!read_number(gltf, &at, from, &extension->numbers[i], &material->extensions))
            return false;
    for (uint32_t i = 0; i < MAX_TEXTURES && extension->textures[i].key; i++) {
        uint32_t texture = extension->textures[i].texture;
        bool is_normal = texture == CN_TEXTURE_CLEARCOAT_NORMAL;
        if (!cni_render_gltf_read_use(gltf, &at, from, extension->textures[i].key,
                                      is_normal ? "scale" : NULL, &material->textures[texture]))
            return false;
        if (is_normal)
            material->extensions.clearcoat_normal_scale = material->textures[texture].factor;
    }
    return true;
}

bool cni_render_gltf_read_extensions(const CniRenderGltf *gltf, const CniRenderGltfAt *at,
                                     const json_t *item, CniRenderGltfMaterial *material)
{
    CniRenderGltfAt above = {at, "extensions", 0};
    material->extensions = cni_render_material_extension_defaults;
    for (uint32_t i = 0; i < CN_COUNT_OF(extensions); i++) {
        const json_t *from;
        if (!cni_render_gltf_extension(gltf, at, item, extensions[i].name, &from) ||
            (from && !read_extension(gltf, &above, from, &extensions[i], material)))
            return false;
    }
    return true;
}
