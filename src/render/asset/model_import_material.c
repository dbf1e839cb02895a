#include "render/asset/model_gltf.h"

#include <assimp/GltfMaterial.h>
#include <assimp/material.h>

/* ---- Textures ---- */

static bool same_texture(const CniRenderModelData *data, const CniRenderModelTexture *a,
                         const CniRenderModelTexture *b)
{
    return a->is_linear == b->is_linear && a->first_byte == b->first_byte &&
           a->byte_count == b->byte_count &&
           strcmp(cni_render_model_text_at(data, a->path),
                  cni_render_model_text_at(data, b->path)) == 0;
}

static bool add_texture(CniRenderImport *import, const CniRenderModelTexture *texture,
                        uint32_t *number)
{
    CniRenderModelData *data = import->data;
    for (uint32_t i = 0; i < data->textures.count; i++)
        if (same_texture(data, &data->textures.items[i], texture)) {
            *number = i + 1;
            return true;
        }
    if (!cn_array_push(&data->textures, *texture))
        return cni_render_import_fails(import, CN_ERROR_MEMORY, "no memory for the model");
    *number = data->textures.count;
    return true;
}

/* Adds an embedded file. Its bytes are copied once; their position follows from its index. */
static bool add_embedded(CniRenderImport *import, const struct aiTexture *inside, bool is_linear,
                         uint32_t *number)
{
    CniRenderModelData *data = import->data;
    if (inside->mHeight != 0 || !inside->pcData || inside->mWidth > CNI_RENDER_MODEL_MAX_BYTES)
        return cni_render_import_fails(
            import, CN_ERROR_UNSUPPORTED,
            "an embedded texture of the model is neither a PNG nor a JPEG");
    CniRenderModelTexture texture = {.byte_count = inside->mWidth, .is_linear = is_linear};
    uint32_t end = data->bytes.count;
    for (uint32_t i = 0; i < data->textures.count; i++) {
        const CniRenderModelTexture *other = &data->textures.items[i];
        if (!other->path && other->byte_count == texture.byte_count &&
            memcmp(data->bytes.items + other->first_byte, inside->pcData, texture.byte_count) ==
                0) {
            texture.first_byte = other->first_byte;
            return add_texture(import, &texture, number);
        }
    }
    if (!cn_array_reserve(&data->bytes, (uint64_t)end + texture.byte_count))
        return cni_render_import_fails(import, CN_ERROR_MEMORY, "no memory for the model");
    memcpy(data->bytes.items + end, inside->pcData, texture.byte_count);
    data->bytes.count += texture.byte_count;
    texture.first_byte = end;
    return add_texture(import, &texture, number);
}

static int hex_digit(char c)
{
    return c >= '0' && c <= '9'                 ? c - '0'
           : (c | 32) >= 'a' && (c | 32) <= 'f' ? (c | 32) - 'a' + 10
                                                : -1;
}

/* Resolves "a%20b\c.png" in the folder of the model to "folder/a b/c.png"; `path` has space for the
 * result. */
static CnText resolve(const CniRenderImport *import, CnText name, char *path)
{
    size_t size = import->folder.size;
    memcpy(path, import->folder.data, size);
    for (size_t i = 0; i < name.size; i++) {
        char c = name.data[i];
        if (c == '%' && i + 2 < name.size && hex_digit(name.data[i + 1]) >= 0 &&
            hex_digit(name.data[i + 2]) >= 0) {
            c = (char)(hex_digit(name.data[i + 1]) * 16 + hex_digit(name.data[i + 2]));
            i += 2;
        }
        if (size == import->folder.size && c == '.' && i + 1 < name.size &&
            name.data[i + 1] == '/') {
            i++;
            continue;
        }
        path[size++] = c == '\\' ? '/' : c;
    }
    return (CnText){path, size};
}

static bool add_file(CniRenderImport *import, CnText name, bool is_linear, uint32_t *number)
{
    char path[CNI_RENDER_PATH_MAX];
    if (import->folder.size + name.size >= sizeof path)
        return cni_render_import_fails(import, CN_ERROR_LIMIT, "the path of a texture is too long");
    CnText whole = resolve(import, name, path);
    if (memchr(whole.data, 0, whole.size))
        return cni_render_import_fails(import, CN_ERROR_FORMAT, "the path of a texture is invalid");
    bool ok = true;
    CniRenderModelTexture texture = {.path = cni_render_model_text(import->data, whole, &ok),
                                     .is_linear = is_linear};
    return ok ? add_texture(import, &texture, number)
              : cni_render_import_fails(import, CN_ERROR_MEMORY, "no memory for the model");
}

/* Reads the texture of this kind, if the material has one. */
static bool read_texture(CniRenderImport *import, const struct aiMaterial *from,
                         enum aiTextureType kind, bool is_linear, uint32_t *number)
{
    struct aiString path;
    if (*number || aiGetMaterialTextureCount(from, kind) == 0 ||
        aiGetMaterialTexture(from, kind, 0, &path, NULL, NULL, NULL, NULL, NULL, NULL) !=
            aiReturn_SUCCESS)
        return true;
    CnText name = cni_render_import_text(&path);
    if (name.size == 0)
        return true;
    if (name.data[0] != '*')
        return add_file(import, name, is_linear, number);
    uint32_t inside = 0;
    for (size_t i = 1; i < name.size && inside < import->scene->mNumTextures; i++)
        inside = inside * 10 + (uint32_t)(name.data[i] - '0') % 10;
    if (inside >= import->scene->mNumTextures)
        return cni_render_import_fails(
            import, CN_ERROR_FORMAT, "the model refers to an embedded texture that does not exist");
    return add_embedded(import, import->scene->mTextures[inside], is_linear, number);
}

static bool read_textures(CniRenderImport *import, const struct aiMaterial *from,
                          CniRenderModelMaterial *material)
{
    static const struct {
        enum aiTextureType kind;
        uint32_t texture;
        bool is_linear;
    } kinds[] = {
        {aiTextureType_BASE_COLOR, CN_TEXTURE_BASE_COLOR, false},
        {aiTextureType_DIFFUSE, CN_TEXTURE_BASE_COLOR, false},
        {aiTextureType_METALNESS, CN_TEXTURE_METALLIC_ROUGHNESS, true},
        {aiTextureType_UNKNOWN, CN_TEXTURE_METALLIC_ROUGHNESS, true}, /* both of glTF */
        {aiTextureType_NORMALS, CN_TEXTURE_NORMAL, true},
        {aiTextureType_LIGHTMAP, CN_TEXTURE_OCCLUSION, true}, /* occlusion in glTF */
        {aiTextureType_EMISSIVE, CN_TEXTURE_EMISSIVE, false},
    };
    for (uint32_t i = 0; i < CN_COUNT_OF(kinds); i++)
        if (!read_texture(import, from, kinds[i].kind, kinds[i].is_linear,
                          &material->textures[kinds[i].texture]))
            return false;
    return true;
}

/* ---- Numbers ---- */

static float between(float value, float low, float high)
{
    return value >= low ? (value <= high ? value : high) : low; /* also for NaN */
}

static void read_float(const struct aiMaterial *from, const char *key, unsigned type,
                       unsigned index, float low, float high, float *value)
{
    float found;
    if (aiGetMaterialFloatArray(from, key, type, index, &found, NULL) == aiReturn_SUCCESS)
        *value = between(found, low, high);
}

static bool read_flag(const struct aiMaterial *from, const char *key, unsigned type, unsigned index)
{
    int found = 0;
    return aiGetMaterialIntegerArray(from, key, type, index, &found, NULL) == aiReturn_SUCCESS &&
           found != 0;
}

static void read_colors(const struct aiMaterial *from, float glow, CniRenderModelMaterial *material)
{
    struct aiColor4D color;
    material->base_color = (CnVec4){1, 1, 1, 1};
    if (aiGetMaterialColor(from, AI_MATKEY_BASE_COLOR, &color) == aiReturn_SUCCESS ||
        aiGetMaterialColor(from, AI_MATKEY_COLOR_DIFFUSE, &color) == aiReturn_SUCCESS)
        material->base_color = (CnVec4){between(color.r, 0, 1e6f), between(color.g, 0, 1e6f),
                                        between(color.b, 0, 1e6f), between(color.a, 0, 1)};
    if (aiGetMaterialColor(from, AI_MATKEY_COLOR_EMISSIVE, &color) == aiReturn_SUCCESS)
        material->emissive =
            cn_vec3(between(color.r * glow, 0, 1e6f), between(color.g * glow, 0, 1e6f),
                    between(color.b * glow, 0, 1e6f));
}

static void read_alpha(const struct aiMaterial *from, CniRenderModelMaterial *material)
{
    struct aiString mode;
    material->alpha_cutoff = 0.5f;
    if (aiGetMaterialString(from, AI_MATKEY_GLTF_ALPHAMODE, &mode) == aiReturn_SUCCESS) {
        CnText name = cni_render_import_text(&mode);
        if (cn_text_equal(name, cn_text("MASK")))
            material->alpha_mode = CN_ALPHA_MASK;
        else if (cn_text_equal(name, cn_text("BLEND")))
            material->alpha_mode = CN_ALPHA_BLEND;
        read_float(from, AI_MATKEY_GLTF_ALPHACUTOFF, 0, 1, &material->alpha_cutoff);
        return;
    }
    float opacity = 1;
    read_float(from, AI_MATKEY_OPACITY, 0, 1, &opacity);
    material->base_color.w = opacity;
    if (opacity < 1)
        material->alpha_mode = CN_ALPHA_BLEND;
}

static bool read_material(CniRenderImport *import, const struct aiMaterial *from)
{
    CniRenderModelMaterial material = {.roughness = 1, .normal_scale = 1, .uv_scale = {1, 1}};
    struct aiString name;
    bool ok = true;
    float glow = 1;
    if (aiGetMaterialString(from, AI_MATKEY_NAME, &name) == aiReturn_SUCCESS) {
        material.name = cni_render_model_text(import->data, cni_render_import_text(&name), &ok);
        glow = cni_render_gltf_emissive_strength(import->gltf, cni_render_import_text(&name));
    }
    read_colors(from, glow, &material);
    /* Shininess of older formats: the exponent of Blinn highlights. */
    float exponent = 0;
    read_float(from, AI_MATKEY_SHININESS, 0, 1e6f, &exponent);
    if (exponent > 0)
        material.roughness = cn_sqrtf(2 / (exponent + 2));
    read_float(from, AI_MATKEY_METALLIC_FACTOR, 0, 1, &material.metallic);
    read_float(from, AI_MATKEY_ROUGHNESS_FACTOR, 0, 1, &material.roughness);
    read_float(from, AI_MATKEY_GLTF_TEXTURE_SCALE(aiTextureType_NORMALS, 0), -100, 100,
               &material.normal_scale);
    read_alpha(from, &material);
    material.is_double_sided = read_flag(from, AI_MATKEY_TWOSIDED);
    int shading = 0;
    if (aiGetMaterialIntegerArray(from, AI_MATKEY_SHADING_MODEL, &shading, NULL) ==
        aiReturn_SUCCESS)
        material.is_unlit = shading == aiShadingMode_Unlit;
    if (!read_textures(import, from, &material))
        return false;
    return (ok && cn_array_push(&import->data->materials, material)) ||
           cni_render_import_fails(import, CN_ERROR_MEMORY, "no memory for the model");
}

bool cni_render_import_materials(CniRenderImport *import)
{
    for (uint32_t i = 0; i < import->scene->mNumMaterials; i++)
        if (!read_material(import, import->scene->mMaterials[i]))
            return false;
    return true;
}
