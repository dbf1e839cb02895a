/* Materials and pipelines of scene files, see docs/formats.md. They are read and created all
 * together, or not at all. */
#include "render/asset/json_reader.h"
#include "render/asset/model_data.h"
#include "render/core/renderer_internal.h"

/* Of the coordinates of a texture: the set, the offset, the scale and the rotation. */
#define UV_NUMBERS 6u

typedef struct Material {
    const char *id;
    CnVec4 base_color;
    float metallic, roughness, normal_scale, alpha_cutoff;
    CnVec3 emissive;
    CnVec2 uv_scale;
    uint32_t alpha_mode;
    bool double_sided, unlit;
    float occlusion_strength;
    CnMaterialExtensions extensions;
    const char *textures[CN_TEXTURE_COUNT];
    float uv[CN_TEXTURE_COUNT][UV_NUMBERS];
    const char *pipeline;
    CnTexture loaded[CN_TEXTURE_COUNT];
    CnMaterial made; /* newly created by this call */
} Material;

typedef struct Pipeline {
    const char *id, *surface;
    uint32_t cull, blend;
    bool depth_write;
    uint32_t made; /* index + 1 of a surface that cannot be looked up yet */
} Pipeline;

static const char *const alpha_modes[] = {"Opaque", "Mask", "Blend", NULL};
static const char *const culls[] = {"None", "Back", "Front", NULL};
static const char *const blends[] = {"None", "Alpha", "Premultiplied", "Add", NULL};

#define NUMBER(key_, field_, low, high)                                                            \
    {                                                                                              \
        .key = key_, .kind = CNI_RENDER_JSON_NUMBER, .offset = offsetof(Material, field_),         \
        .minimum = low, .maximum = high                                                            \
    }
#define LIST(key_, field_, least_, most_, low, high)                                               \
    {                                                                                              \
        .key = key_, .kind = CNI_RENDER_JSON_LIST, .offset = offsetof(Material, field_),           \
        .least = least_, .most = most_, .minimum = low, .maximum = high                            \
    }
#define FIELD(key_, kind_, type, field_)                                                           \
    {                                                                                              \
        .key = key_, .kind = kind_, .offset = offsetof(type, field_)                               \
    }
#define CHOICE(key_, type, field_, choices_)                                                       \
    {                                                                                              \
        .key = key_, .kind = CNI_RENDER_JSON_CHOICE, .offset = offsetof(type, field_),             \
        .choices = choices_                                                                        \
    }

/* A texture, and its coordinates. */
#define TEXTURE(name, number)                                                                      \
    FIELD(name "Texture", CNI_RENDER_JSON_TEXT, Material, textures[number]),                       \
        LIST(name "Uv", uv[number], 1, UV_NUMBERS, -1e6, 1e6)

static const CniRenderJsonField material_fields[] = {
    FIELD("id", CNI_RENDER_JSON_TEXT, Material, id),
    LIST("baseColor", base_color, 3, 4, 0, 1e6),
    NUMBER("metallic", metallic, 0, 1),
    NUMBER("roughness", roughness, 0, 1),
    LIST("emissive", emissive, 3, 3, 0, 1e6),
    NUMBER("normalScale", normal_scale, -100, 100),
    CHOICE("alphaMode", Material, alpha_mode, alpha_modes),
    NUMBER("alphaCutoff", alpha_cutoff, 0, 1),
    FIELD("doubleSided", CNI_RENDER_JSON_FLAG, Material, double_sided),
    FIELD("unlit", CNI_RENDER_JSON_FLAG, Material, unlit),
    LIST("uvScale", uv_scale, 2, 2, -1e6, 1e6),
    TEXTURE("baseColor", CN_TEXTURE_BASE_COLOR),
    TEXTURE("metallicRoughness", CN_TEXTURE_METALLIC_ROUGHNESS),
    TEXTURE("normal", CN_TEXTURE_NORMAL),
    TEXTURE("occlusion", CN_TEXTURE_OCCLUSION),
    TEXTURE("emissive", CN_TEXTURE_EMISSIVE),
    TEXTURE("specular", CN_TEXTURE_SPECULAR),
    TEXTURE("specularColor", CN_TEXTURE_SPECULAR_COLOR),
    TEXTURE("clearcoat", CN_TEXTURE_CLEARCOAT),
    TEXTURE("clearcoatRoughness", CN_TEXTURE_CLEARCOAT_ROUGHNESS),
    TEXTURE("clearcoatNormal", CN_TEXTURE_CLEARCOAT_NORMAL),
    TEXTURE("sheenColor", CN_TEXTURE_SHEEN_COLOR),
    TEXTURE("sheenRoughness", CN_TEXTURE_SHEEN_ROUGHNESS),
    TEXTURE("anisotropy", CN_TEXTURE_ANISOTROPY),
    TEXTURE("iridescence", CN_TEXTURE_IRIDESCENCE),
    TEXTURE("iridescenceThickness", CN_TEXTURE_IRIDESCENCE_THICKNESS),
    TEXTURE("transmission", CN_TEXTURE_TRANSMISSION),
    TEXTURE("thickness", CN_TEXTURE_THICKNESS),
    FIELD("pipeline", CNI_RENDER_JSON_TEXT, Material, pipeline),
    NUMBER("occlusionStrength", occlusion_strength, 0, 1),
    NUMBER("ior", extensions.ior, 1, 1e6),
    NUMBER("specular", extensions.specular, 0, 1),
    LIST("specularColor", extensions.specular_color, 3, 3, 0, 1e6),
    NUMBER("clearcoat", extensions.clearcoat, 0, 1),
    NUMBER("clearcoatRoughness", extensions.clearcoat_roughness, 0, 1),
    NUMBER("clearcoatNormalScale", extensions.clearcoat_normal_scale, -100, 100),
    LIST("sheenColor", extensions.sheen_color, 3, 3, 0, 1e6),
    NUMBER("sheenRoughness", extensions.sheen_roughness, 0, 1),
    NUMBER("anisotropy", extensions.anisotropy, 0, 1),
    NUMBER("anisotropyRotation", extensions.anisotropy_rotation, -1e6, 1e6),
    NUMBER("iridescence", extensions.iridescence, 0, 1),
    NUMBER("iridescenceIor", extensions.iridescence_ior, 1, 1e6),
    NUMBER("iridescenceThicknessMinimum", extensions.iridescence_thickness_minimum, 0, 1e6),
    NUMBER("iridescenceThickness", extensions.iridescence_thickness, 0, 1e6),
    NUMBER("transmission", extensions.transmission, 0, 1),
    NUMBER("thickness", extensions.thickness, 0, 1e6),
    LIST("attenuationColor", extensions.attenuation_color, 3, 3, 0, 1),
    NUMBER("attenuationDistance", extensions.attenuation_distance, 0, 1e9),
    NUMBER("dispersion", extensions.dispersion, 0, 1e3),
};

static const CniRenderJsonField pipeline_fields[] = {
    FIELD("id", CNI_RENDER_JSON_TEXT, Pipeline, id),
    FIELD("surface", CNI_RENDER_JSON_TEXT, Pipeline, surface),
    CHOICE("cull", Pipeline, cull, culls),
    CHOICE("blend", Pipeline, blend, blends),
    FIELD("depthWrite", CNI_RENDER_JSON_FLAG, Pipeline, depth_write),
};

typedef struct Reading {
    CnRenderer *renderer;
    CniRenderJsonText materials_text, pipelines_text;
    json_t *materials_json, *pipelines_json;
    CN_ARRAY(Material) materials;
    CN_ARRAY(Pipeline) pipelines;
    CN_ARRAY(CnTexture) new_textures;
} Reading;

static bool no_memory(const CniRenderJsonText *text)
{
    return cn_error_set_at(text->error, CN_ERROR_MEMORY, text->name, 0, 0, "no memory");
}

/* Returns the field of a texture; that of its coordinates follows. */
static const CniRenderJsonField *texture_field(uint32_t texture)
{
    const CniRenderJsonField *field = material_fields;
    while (field->offset != offsetof(Material, textures) + texture * sizeof(const char *))
        field++;
    return field;
}

static bool check_id(const CniRenderJsonText *text, uint32_t number, const char *id)
{
    if (!id || !id[0])
        return cni_render_json_fails(text, number, id ? "id" : NULL, CN_ERROR_FORMAT,
                                     "\"id\" is missing");
    return strlen(id) < CNI_RENDER_NAME_BYTES ||
           cni_render_json_fails(text, number, "id", CN_ERROR_LIMIT,
                                 "\"id\" must be shorter than %u bytes", CNI_RENDER_NAME_BYTES);
}

/* ---- Parsing ---- */

static bool read_materials(Reading *reading)
{
    const CniRenderJsonText *text = &reading->materials_text;
    size_t count = json_array_size(reading->materials_json);
    if (count > CN_MAX_MATERIALS)
        return cni_render_json_fails(text, CN_MAX_MATERIALS, NULL, CN_ERROR_LIMIT,
                                     "too many materials");
    for (uint32_t i = 0; i < count; i++) {
        Material material = {.base_color = {1, 1, 1, 1},
                             .roughness = 1,
                             .normal_scale = 1,
                             .alpha_cutoff = 0.5f,
                             .uv_scale = {1, 1},
                             .occlusion_strength = 1,
                             .extensions = cni_render_material_extension_defaults};
        for (uint32_t j = 0; j < CN_TEXTURE_COUNT; j++)
            material.uv[j][3] = material.uv[j][4] = 1;
        if (!cni_render_json_object(text, json_array_get(reading->materials_json, i), i,
                                    material_fields, CN_COUNT_OF(material_fields), &material) ||
            !check_id(text, i, material.id))
            return false;
        if (material.base_color.w > 1)
            return cni_render_json_fails(text, i, "baseColor", CN_ERROR_FORMAT,
                                         "the alpha of \"baseColor\" must be at most 1");
        for (uint32_t j = 0; j < CN_TEXTURE_COUNT; j++)
            if (material.uv[j][0] != 0 && material.uv[j][0] != 1)
                return cni_render_json_fails(text, i, texture_field(j)[1].key, CN_ERROR_FORMAT,
                                             "the set of texture coordinates must be 0 or 1");
        for (uint32_t j = 0; j < reading->materials.count; j++)
            if (!strcmp(reading->materials.items[j].id, material.id))
                return cni_render_json_fails(text, i, "id", CN_ERROR_EXISTS,
                                             "material %s already exists", material.id);
        if (!cn_array_push(&reading->materials, material))
            return no_memory(text);
    }
    return true;
}

static bool read_pipelines(Reading *reading)
{
    const CniRenderJsonText *text = &reading->pipelines_text;
    size_t count = json_array_size(reading->pipelines_json);
    if (count > CNI_RENDER_MAX_SURFACES)
        return cni_render_json_fails(text, CNI_RENDER_MAX_SURFACES, NULL, CN_ERROR_LIMIT,
                                     "too many pipelines");
    for (uint32_t i = 0; i < count; i++) {
        Pipeline pipeline = {.depth_write = true};
        if (!cni_render_json_object(text, json_array_get(reading->pipelines_json, i), i,
                                    pipeline_fields, CN_COUNT_OF(pipeline_fields), &pipeline) ||
            !check_id(text, i, pipeline.id))
            return false;
        if (!pipeline.surface)
            return cni_render_json_fails(text, i, NULL, CN_ERROR_FORMAT, "\"surface\" is missing");
        for (uint32_t j = 0; j < reading->pipelines.count; j++)
            if (!strcmp(reading->pipelines.items[j].id, pipeline.id))
                return cni_render_json_fails(text, i, "id", CN_ERROR_EXISTS,
                                             "pipeline %s already exists", pipeline.id);
        if (!cn_array_push(&reading->pipelines, pipeline))
            return no_memory(text);
    }
    return true;
}

/* ---- References: everything is loaded before anything changes ---- */

static bool load_textures(Reading *reading, uint32_t number)
{
    CnRenderer *renderer = reading->renderer;
    Material *material = &reading->materials.items[number];
    for (uint32_t i = 0; i < CN_TEXTURE_COUNT; i++) {
        const char *path = material->textures[i];
        if (!path || !path[0])
            continue;
        bool linear = cni_render_texture_is_linear(i);
        bool is_new = !cni_render_texture_find(renderer, path, (CniRenderTextureUse){linear, 0}).id;
        CnError error = {0};
        CnTexture texture =
            cni_render_texture_request(renderer, path, (CniRenderTextureUse){linear, 0}, &error);
        if (!texture.id)
            return cni_render_json_fails(&reading->materials_text, number, texture_field(i)->key,
                                         error.code, "%s: %s", path, error.message);
        if (is_new && !cn_array_push(&reading->new_textures, texture)) {
            cn_texture_destroy(renderer, texture);
            return no_memory(&reading->materials_text);
        }
        material->loaded[i] = texture;
    }
    return true;
}

static bool find_pipeline(const Reading *reading, uint32_t number)
{
    const char *name = reading->materials.items[number].pipeline;
    if (!name || !name[0] || cni_render_surface_find(reading->renderer, name))
        return true;
    for (uint32_t i = 0; i < reading->pipelines.count; i++)
        if (!strcmp(reading->pipelines.items[i].id, name))
            return true;
    return cni_render_json_fails(&reading->materials_text, number, "pipeline", CN_ERROR_NOT_FOUND,
                                 "pipeline %s does not exist", name);
}

static bool compile_pipeline(Reading *reading, uint32_t number)
{
    CnRenderer *renderer = reading->renderer;
    Pipeline *pipeline = &reading->pipelines.items[number];
    CnError error = {0};
    CnFileBytes bytes;
    if (!renderer->files)
        cn_error_set(&error, CN_ERROR_NOT_FOUND, "the renderer has no file system");
    else if (cn_file_read_all(renderer->files, pipeline->surface, renderer->allocator, &bytes,
                              &error)) {
        pipeline->made = cni_render_surface_prepare(
            renderer,
            &(CnSurfaceDesc){.name = pipeline->id,
                             .glsl = {(const char *)bytes.data, bytes.size},
                             .path = pipeline->surface,
                             .origin = bytes.budget->origin,
                             .cull = (CnGpuCull)pipeline->cull,
                             .blend = (CnGpuBlend)pipeline->blend,
                             .no_depth_write = !pipeline->depth_write},
            &error);
        cn_file_bytes_free(&bytes);
    }
    if (pipeline->made)
        return true;
    if (error.line > 0) { /* an error in the GLSL, reported at its own position */
        if (reading->pipelines_text.error)
            *reading->pipelines_text.error = error;
        return false;
    }
    return cni_render_json_fails(&reading->pipelines_text, number, "surface", error.code, "%s: %s",
                                 pipeline->surface, error.message);
}

/* ---- Creation ---- */

static CnMaterialDesc desc_of(const Material *material)
{
    CnMaterialDesc desc = {.name = material->id,
                           .base_color = material->base_color,
                           .metallic = material->metallic,
                           .roughness = cni_render_explicit_zero(material->roughness),
                           .emissive = material->emissive,
                           .normal_scale = cni_render_explicit_zero(material->normal_scale),
                           .alpha_mode = (CnAlphaMode)material->alpha_mode,
                           .alpha_cutoff = cni_render_explicit_zero(material->alpha_cutoff),
                           .double_sided = material->double_sided,
                           .unlit = material->unlit,
                           .uv_scale = {cni_render_explicit_zero(material->uv_scale.x),
                                        cni_render_explicit_zero(material->uv_scale.y)},
                           .occlusion_strength =
                               cni_render_explicit_zero(material->occlusion_strength),
                           .extensions = cni_render_explicit_extensions(&material->extensions)};
    desc.base_color.w = cni_render_explicit_zero(desc.base_color.w);
    for (uint32_t i = 0; i < CN_TEXTURE_COUNT; i++) {
        const float *uv = material->uv[i];
        desc.coordinates[i] = (CnTextureCoordinates){
            .set = (uint32_t)uv[0],
            .offset = {uv[1], uv[2]},
            .scale = {cni_render_explicit_zero(uv[3]), cni_render_explicit_zero(uv[4])},
            .rotation = uv[5]};
    }
    memcpy(desc.textures, material->loaded, sizeof desc.textures);
    return desc;
}

/* Creates the new ones first, so that the rest cannot fail. */
static bool make_room(Reading *reading)
{
    for (uint32_t i = 0; i < reading->materials.count; i++) {
        Material *material = &reading->materials.items[i];
        if (cni_render_material_find(reading->renderer, material->id))
            continue;
        CnMaterialDesc desc = desc_of(material);
        CnError error = {0};
        material->made = cn_material_create(reading->renderer, &desc, &error);
        if (!material->made.id)
            return cni_render_json_fails(&reading->materials_text, i, NULL, error.code, "%s",
                                         error.message);
    }
    return true;
}

static void commit(Reading *reading)
{
    CnRenderer *renderer = reading->renderer;
    for (uint32_t i = 0; i < reading->pipelines.count; i++)
        cni_render_surface_commit(renderer, reading->pipelines.items[i].made,
                                  reading->pipelines.items[i].id);
    for (uint32_t i = 0; i < reading->materials.count; i++) {
        const Material *material = &reading->materials.items[i];
        CnMaterialDesc desc = desc_of(material);
        desc.pipeline = material->pipeline;
        cn_material_set(renderer, cn_material_find(renderer, material->id), &desc, NULL);
    }
}

static void take_back(Reading *reading)
{
    for (uint32_t i = 0; i < reading->pipelines.count; i++)
        if (reading->pipelines.items[i].made)
            cni_render_surface_drop(reading->renderer, reading->pipelines.items[i].made);
    for (uint32_t i = 0; i < reading->materials.count; i++)
        cn_material_destroy(reading->renderer, reading->materials.items[i].made);
    for (uint32_t i = 0; i < reading->new_textures.count; i++)
        cn_texture_destroy(reading->renderer, reading->new_textures.items[i]);
}

static bool read_texts(Reading *reading, CnError *error)
{
    CnError wrong = {0};
    reading->materials_json = cni_render_json_list(&reading->materials_text, &wrong);
    if (wrong.code == CN_OK)
        reading->pipelines_json = cni_render_json_list(&reading->pipelines_text, &wrong);
    if (wrong.code != CN_OK) {
        if (error)
            *error = wrong;
        return false;
    }
    return read_pipelines(reading) && read_materials(reading);
}

static bool make_all(Reading *reading)
{
    for (uint32_t i = 0; i < reading->materials.count; i++)
        if (!find_pipeline(reading, i) || !load_textures(reading, i))
            return false;
    for (uint32_t i = 0; i < reading->pipelines.count; i++)
        if (!compile_pipeline(reading, i))
            return false;
    return make_room(reading);
}

static bool read_all(CnRenderer *renderer, CniRenderJsonText materials, CniRenderJsonText pipelines,
                     CnError *error)
{
    Reading reading = {
        .renderer = renderer, .materials_text = materials, .pipelines_text = pipelines};
    cn_array_init(&reading.materials, renderer->allocator);
    cn_array_init(&reading.pipelines, renderer->allocator);
    cn_array_init(&reading.new_textures, renderer->allocator);
    bool ok = read_texts(&reading, error) && make_all(&reading);
    if (ok)
        commit(&reading);
    else
        take_back(&reading);
    json_decref(reading.materials_json);
    json_decref(reading.pipelines_json);
    cn_array_fini(&reading.materials);
    cn_array_fini(&reading.pipelines);
    cn_array_fini(&reading.new_textures);
    return ok;
}

bool cn_materials_read(CnRenderer *renderer, const char *name, CnText materials, CnText pipelines,
                       CnError *error)
{
    CN_ASSERT(renderer, "%s: renderer is NULL", __func__);
    return read_all(renderer, (CniRenderJsonText){.name = name, .text = materials, .error = error},
                    (CniRenderJsonText){.name = name, .text = pipelines, .error = error}, error);
}

bool cn_materials_read_file(CnRenderer *renderer, const CnSceneFile *file, CnError *error)
{
    CN_ASSERT(renderer, "%s: renderer is NULL", __func__);
    CN_ASSERT(file, "%s: file is NULL", __func__);
    CniRenderJsonText materials = {file->name, cn_text(file->materials), file->materials_location,
                                   error};
    CniRenderJsonText pipelines = {file->name, cn_text(file->pipelines), file->pipelines_location,
                                   error};
    return read_all(renderer, materials, pipelines, error);
}
