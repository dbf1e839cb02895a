/* Material libraries (.mtl) of OBJ files. */
#include "render/import/obj.h"

#include <cairn/base/log.h>

static uint64_t hash_name(CnText name)
{
    return cn_hash_keyed(name.data, name.size, 0);
}

uint32_t cni_render_obj_find_material(const CniRenderObjMaterials *materials, CnText name)
{
    const uint32_t *found = cn_hash_map_get(&materials->by_name, hash_name(name));
    return found ? *found : 0;
}

static float between(float value, float low, float high)
{
    return value >= low ? (value <= high ? value : high) : low; /* also for NaN */
}

/* Reads a color; one number is a gray. */
static void read_color(CniRenderObjLine *line, CnVec3 *color)
{
    float r, g, b;
    if (!cni_render_obj_float(line, &r))
        return;
    if (!cni_render_obj_float(line, &g))
        g = b = r;
    else if (!cni_render_obj_float(line, &b))
        return;
    *color = cn_vec3(between(r, 0, 1e6f), between(g, 0, 1e6f), between(b, 0, 1e6f));
}

/* Skips options such as "-bm 0.5" in front of the path of a texture. */
static void skip_options(CniRenderObjLine *line)
{
    for (;;) {
        CniRenderObjLine before = *line;
        CnText option = cni_render_obj_word(line);
        if (option.size < 2 || option.data[0] != '-' || option.data[1] < 'a') {
            *line = before;
            return;
        }
        bool takes_word =
            cn_text_equal(option, cn_text("-clamp")) || cn_text_equal(option, cn_text("-blendu")) ||
            cn_text_equal(option, cn_text("-blendv")) ||
            cn_text_equal(option, cn_text("-imfchan")) || cn_text_equal(option, cn_text("-cc")) ||
            cn_text_equal(option, cn_text("-type"));
        float ignored;
        if (takes_word)
            cni_render_obj_word(line);
        else
            for (uint32_t i = 0; i < 3 && cni_render_obj_float(line, &ignored); i++)
                ;
    }
}

static bool read_texture(CniRenderImport *import, CniRenderObjLine *line, bool is_linear,
                         uint32_t *number)
{
    char path[CNI_RENDER_PATH_MAX];
    skip_options(line);
    CnText name = cni_render_obj_rest(line);
    if (!name.size || *number)
        return true;
    bool ok = true;
    if (!cni_render_import_resolve(import, name, path)) {
        CN_LOG_WARNING("render", "%s: skipping a texture whose path is not valid", import->path);
        return true;
    }
    CnText whole = cn_text(path);
    uint64_t key = cn_hash_keyed(path, whole.size, is_linear ? 1 : 2);
    const uint32_t *found = cn_hash_map_get(&import->texture_by_key, key);
    if (found) {
        *number = *found + 1;
        return true;
    }
    CniRenderModelTexture texture = {.path = cni_render_model_text(import->data, whole, &ok),
                                     .is_linear = is_linear};
    uint32_t index = import->data->textures.count;
    if (!ok || !cn_array_push(&import->data->textures, texture) ||
        !cn_hash_map_set(&import->texture_by_key, key, &index))
        return cni_render_import_memory(import);
    *number = index + 1;
    return true;
}

static bool read_statement(CniRenderImport *import, CniRenderModelMaterial *material, CnText key,
                           CniRenderObjLine *line)
{
    static const struct {
        const char *key;
        uint32_t texture;
        bool is_linear;
    } maps[] = {{"map_Kd", CN_TEXTURE_BASE_COLOR, false},
                {"map_Ke", CN_TEXTURE_EMISSIVE, false},
                {"norm", CN_TEXTURE_NORMAL, true},
                {"map_Kn", CN_TEXTURE_NORMAL, true}};
    CnVec3 color = {material->base_color.x, material->base_color.y, material->base_color.z};
    float value;
    for (uint32_t i = 0; i < CN_COUNT_OF(maps); i++)
        if (cn_text_equal(key, cn_text(maps[i].key)))
            return read_texture(import, line, maps[i].is_linear,
                                &material->textures[maps[i].texture]);
    if (cn_text_equal(key, cn_text("Kd"))) {
        read_color(line, &color);
        material->base_color = (CnVec4){color.x, color.y, color.z, material->base_color.w};
    } else if (cn_text_equal(key, cn_text("Ke"))) {
        read_color(line, &material->emissive);
    } else if (cn_text_equal(key, cn_text("Ns")) && cni_render_obj_float(line, &value)) {
        /* The exponent of Blinn highlights. */
        value = between(value, 0, 1e6f);
        material->roughness = value > 0 ? cn_sqrtf(2 / (value + 2)) : 1;
    } else if (cn_text_equal(key, cn_text("Pr")) && cni_render_obj_float(line, &value)) {
        material->roughness = between(value, 0, 1);
    } else if (cn_text_equal(key, cn_text("Pm")) && cni_render_obj_float(line, &value)) {
        material->metallic = between(value, 0, 1);
    } else if (cn_text_equal(key, cn_text("d")) && cni_render_obj_float(line, &value)) {
        material->base_color.w = between(value, 0, 1);
    } else if (cn_text_equal(key, cn_text("Tr")) && cni_render_obj_float(line, &value)) {
        material->base_color.w = 1 - between(value, 0, 1);
    }
    return true;
}

/* A material of a name that is already known is ignored, as are statements before the first. */
static bool begin_material(CniRenderImport *import, CnText name, CniRenderObjMaterials *materials,
                           CniRenderModelMaterial **material)
{
    CniRenderModelData *data = import->data;
    *material = NULL;
    if (cni_render_obj_find_material(materials, name))
        return true;
    bool ok = true;
    CniRenderModelMaterial made = {.name = cni_render_model_text(data, name, &ok),
                                   .base_color = {1, 1, 1, 1},
                                   .roughness = 1,
                                   .normal_scale = 1,
                                   .alpha_cutoff = 0.5f,
                                   .uv_scale = {1, 1}};
    if (!ok || !cn_array_push(&data->materials, made) ||
        !cn_hash_map_set(&materials->by_name, hash_name(name), &data->materials.count))
        return cni_render_import_memory(import);
    *material = &data->materials.items[data->materials.count - 1];
    return true;
}

static bool read_text(CniRenderImport *import, CnText text, CniRenderObjMaterials *materials)
{
    CniRenderModelMaterial *material = NULL;
    CniRenderObjLine line;
    while (cni_render_obj_line(&text, &line)) {
        CnText key = cni_render_obj_word(&line);
        if (cn_text_equal(key, cn_text("newmtl"))) {
            if (!begin_material(import, cni_render_obj_rest(&line), materials, &material))
                return false;
        } else if (material && !read_statement(import, material, key, &line)) {
            return false;
        }
    }
    return true;
}

bool cni_render_obj_read_library(CniRenderImport *import, CnText name,
                                 CniRenderObjMaterials *materials)
{
    char path[CNI_RENDER_PATH_MAX];
    CnText text;
    CnError why = {0};
    uint32_t first = import->data->materials.count;
    if (!cni_render_import_resolve(import, name, path))
        return cni_render_import_fails(import, CN_ERROR_FORMAT,
                                       "the path of a mtllib is not valid");
    if (!cni_render_import_file(import, path, &text, &why)) {
        if (why.code == CN_ERROR_MEMORY)
            return cni_render_import_memory(import);
        CN_LOG_WARNING("render", "%s: skipping a material library: %s", import->path, why.message);
        return true;
    }
    if (!read_text(import, text, materials))
        return false;
    for (uint32_t i = first; i < import->data->materials.count; i++) {
        CniRenderModelMaterial *material = &import->data->materials.items[i];
        if (material->base_color.w < 1)
            material->alpha_mode = CN_ALPHA_BLEND;
    }
    return true;
}
