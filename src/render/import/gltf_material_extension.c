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

/* ---- Pointers ---- */

static bool find_number(const Extension *extension, const char *key, uint32_t *property,
                        uint32_t *width)
{
    for (uint32_t i = 0; i < MAX_NUMBERS && extension->numbers[i].key; i++) {
        const Number *number = &extension->numbers[i];
        if (strcmp(key, number->key) != 0)
            continue;
        *property = (uint32_t)(number->offset / sizeof(float)) +
                    (number->count == 1 ? CNI_RENDER_MATERIAL_NUMBER : CNI_RENDER_MATERIAL_COLOR);
        *width = number->count;
        return true;
    }
    return false;
}

/* Takes the path of a texture. */
static bool take_texture(const char **at, uint32_t *texture)
{
    static const Texture core[] = {
        {"/pbrMetallicRoughness/baseColorTexture", CN_TEXTURE_BASE_COLOR},
        {"/pbrMetallicRoughness/metallicRoughnessTexture", CN_TEXTURE_METALLIC_ROUGHNESS},
        {"/normalTexture", CN_TEXTURE_NORMAL},
        {"/occlusionTexture", CN_TEXTURE_OCCLUSION},
        {"/emissiveTexture", CN_TEXTURE_EMISSIVE},
    };
    for (uint32_t i = 0; i < CN_COUNT_OF(core); i++) {
        *texture = core[i].texture;
        if (cni_render_gltf_take_text(at, core[i].key))
            return true;
    }
    for (uint32_t i = 0; i < CN_COUNT_OF(extensions); i++)
        for (uint32_t j = 0; j < MAX_TEXTURES && extensions[i].textures[j].key; j++) {
            const char *next = *at;
            if (cni_render_gltf_take_text(&next, "/extensions/") &&
                cni_render_gltf_take_text(&next, extensions[i].name) &&
                cni_render_gltf_take_text(&next, "/") &&
                cni_render_gltf_take_text(&next, extensions[i].textures[j].key)) {
                *texture = extensions[i].textures[j].texture;
                *at = next;
                return true;
            }
        }
    return false;
}

static bool find_transform(const char *path, uint32_t texture, uint32_t *property, uint32_t *width)
{
    static const struct {
        const char *key;
        uint32_t property, width;
    } parts[] = {{"offset", CNI_RENDER_MATERIAL_UV_OFFSET, 2},
                 {"rotation", CNI_RENDER_MATERIAL_UV_ROTATION, 1},
                 {"scale", CNI_RENDER_MATERIAL_UV_SCALE, 2}};
    const char *at = path;
    if (!cni_render_gltf_take_text(&at, "/extensions/KHR_texture_transform/"))
        return false;
    for (uint32_t i = 0; i < CN_COUNT_OF(parts); i++)
        if (!strcmp(at, parts[i].key)) {
            *property = parts[i].property + texture;
            *width = parts[i].width;
            return true;
        }
    return false;
}

bool cni_render_gltf_find_extension(const char *path, uint32_t *property, uint32_t *width)
{
    const char *at = path;
    uint32_t texture;
    if (take_texture(&at, &texture)) {
        if (texture == CN_TEXTURE_CLEARCOAT_NORMAL && !strcmp(at, "/scale")) {
            *property = CNI_RENDER_MATERIAL_NUMBER +
                        offsetof(CnMaterialExtensions, clearcoat_normal_scale) / sizeof(float);
            *width = 1;
            return true;
        }
        return find_transform(at, texture, property, width);
    }
    for (uint32_t i = 0; i < CN_COUNT_OF(extensions); i++) {
        at = path;
        if (cni_render_gltf_take_text(&at, "/extensions/") &&
            cni_render_gltf_take_text(&at, extensions[i].name) &&
            cni_render_gltf_take_text(&at, "/") && find_number(&extensions[i], at, property, width))
            return true;
    }
    return false;
}
