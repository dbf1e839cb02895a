/* Materials: their parameters as shaders and draw sorting need them. */
#include "render/core/renderer_internal.h"

#include <cairn/base/text.h>

#include <math.h>

#define MIN_ROUGHNESS 0.045f /* below, highlights exceed the precision of a float */
#define MATERIAL_ROWS ((uint32_t)sizeof(CniRenderMaterialData) / CNI_RENDER_MATERIAL_ROW_BYTES)
#define EXTENSION_ROWS ((uint32_t)sizeof(CniRenderExtensionData) / CNI_RENDER_MATERIAL_ROW_BYTES)

CN_STATIC_ASSERT(sizeof(CniRenderMaterialData) % CNI_RENDER_MATERIAL_ROW_BYTES == 0 &&
                     sizeof(CniRenderExtensionData) % CNI_RENDER_MATERIAL_ROW_BYTES == 0,
                 "materials and extensions consist of rows");

/* ---- Checks ---- */

static bool is_within(const float *numbers, uint32_t count, float low, float high)
{
    for (uint32_t i = 0; i < count; i++)
        if (!(numbers[i] >= low && numbers[i] <= high))
            return false;
    return true;
}

static bool check_desc(const CnRenderer *renderer, const CnMaterialDesc *desc, CnError *error)
{
    const char *name = desc->name ? desc->name : "unnamed";
    if (!is_within(&desc->base_color.x, 3, 0, 1e6f) || !is_within(&desc->base_color.w, 1, 0, 1) ||
        !is_within(&desc->metallic, 1, 0, 1) || !is_within(&desc->roughness, 1, 0, 1) ||
        !is_within(&desc->emissive.x, 3, 0, 1e6f) ||
        !is_within(&desc->normal_scale, 1, -100, 100) || !is_within(&desc->alpha_cutoff, 1, 0, 1) ||
        !is_within(&desc->uv_scale.x, 2, -1e6f, 1e6f) ||
        !is_within(&desc->occlusion_strength, 1, 0, 1) ||
        !cni_render_material_check_extensions(desc))
        return cn_error_set(error, CN_ERROR_FORMAT, "material %s: a number is out of range", name);
    if (strlen(name) >= CNI_RENDER_NAME_BYTES)
        return cn_error_set(error, CN_ERROR_LIMIT, "material %s: the name is too long", name);
    for (uint32_t i = 0; i < CN_TEXTURE_COUNT; i++)
        if (desc->textures[i].id && !cn_slot_table_get(&renderer->textures, desc->textures[i].id))
            return cn_error_set(error, CN_ERROR_NOT_FOUND, "material %s: texture %u does not exist",
                                name, i);
    if (desc->pipeline && desc->pipeline[0] && !cni_render_surface_find(renderer, desc->pipeline))
        return cn_error_set(error, CN_ERROR_NOT_FOUND, "material %s: pipeline %s does not exist",
                            name, desc->pipeline);
    return true;
}

/* ---- Filling ---- */

static CniRenderMaterialData data_of(const CnMaterialDesc *desc)
{
    const CnVec4 *base = &desc->base_color;
    bool is_white = base->x == 0 && base->y == 0 && base->z == 0 && base->w == 0;
    float roughness = desc->roughness == 0 ? 1 : desc->roughness;
    CniRenderMaterialData data = {
        .base_color = is_white ? (CnVec4){1, 1, 1, 1} : *base,
        .emissive = desc->emissive,
        .alpha_cutoff = desc->alpha_cutoff == 0 ? 0.5f : desc->alpha_cutoff,
        .metallic = desc->metallic,
        .roughness = roughness < MIN_ROUGHNESS ? MIN_ROUGHNESS : roughness,
        .normal_scale = desc->normal_scale == 0 ? 1 : desc->normal_scale,
        .flags = (desc->unlit ? CNI_RENDER_MATERIAL_UNLIT : 0u) |
                 (desc->double_sided ? CNI_RENDER_MATERIAL_DOUBLE_SIDED : 0u) |
                 (desc->alpha_mode == CN_ALPHA_BLEND ? CNI_RENDER_MATERIAL_BLENDED : 0u),
        .uv_scale = {desc->uv_scale.x == 0 ? 1 : desc->uv_scale.x,
                     desc->uv_scale.y == 0 ? 1 : desc->uv_scale.y},
        .occlusion_strength = desc->occlusion_strength == 0 ? 1 : desc->occlusion_strength};
    for (uint32_t i = 0; i < CN_TEXTURE_CORE_COUNT; i++)
        data.flags |= desc->textures[i].id ? 1u << i : 0u;
    return data;
}

static bool has_same_textures(const CniRenderMaterial *a, const CniRenderMaterial *b)
{
    return !memcmp(a->textures, b->textures, sizeof a->textures) &&
           !memcmp(a->samplers, b->samplers, sizeof a->samplers);
}

/* Returns the set number of a material with the same textures, or the smallest unused one. */
static uint32_t find_set(const CnRenderer *renderer, const CniRenderMaterial *material)
{
    if (!(material->data.flags & ((1u << CN_TEXTURE_CORE_COUNT) - 1)) &&
        !(material->is_extended && material->extension.slots[0] | material->extension.slots[1]))
        return 0;
    /* Of n numbers, one from 1 to n + 1 is unused. */
    uint64_t taken[CN_MAX_MATERIALS / 64 + 1] = {1};
    for (uint32_t i = 0; i < renderer->materials.count; i++) {
        const CniRenderMaterial *other = cni_render_material_at(renderer, i);
        if (!other || other == material || !other->texture_set)
            continue;
        if (has_same_textures(other, material))
            return other->texture_set;
        if (other->texture_set <= CN_MAX_MATERIALS)
            taken[other->texture_set / 64] |= 1ull << other->texture_set % 64;
    }
    uint32_t set = 1;
    while (taken[set / 64] >> set % 64 & 1)
        set++;
    return set;
}

static void resolve_textures(CnRenderer *renderer, CniRenderMaterial *material)
{
    const CniRenderDefaults *defaults = &renderer->defaults;
    for (uint32_t i = 0; i < CN_TEXTURE_CORE_COUNT; i++) {
        CnTexture texture = material->desc.textures[i];
        /* None, or it is still being loaded. */
        bool is_there = texture.id && cn_texture_gpu(renderer, texture).id;
        material->textures[i] = is_there                 ? cn_texture_gpu(renderer, texture)
                                : i == CN_TEXTURE_NORMAL ? defaults->flat_normal
                                                         : defaults->white;
        material->samplers[i] = is_there ? cn_texture_sampler(renderer, texture) : defaults->linear;
    }
    cni_render_material_extend(renderer, material);
    material->texture_set = find_set(renderer, material);
}

/* Fills everything but the name. */
static void fill(CnRenderer *renderer, CniRenderMaterial *material, const CnMaterialDesc *desc)
{
    const char *pipeline = desc->pipeline ? desc->pipeline : "";
    material->desc = *desc;
    material->desc.name = material->desc.pipeline = NULL; /* slots move */
    cn_copy_text(material->pipeline, sizeof material->pipeline, cn_text(pipeline));
    material->data = data_of(desc);
    material->alpha_mode = desc->alpha_mode;
    material->is_double_sided = desc->double_sided;
    material->surface = cni_render_surface_find(renderer, pipeline);
    resolve_textures(renderer, material);
    renderer->materials_changed = true;
    renderer->plan_version++;
}

bool cni_render_default_material_init(CnRenderer *renderer, CnError *error)
{
    CnMaterial made;
    CniRenderMaterial *material = cn_slot_table_acquire(&renderer->materials, &made.id);
    if (!material)
        return cn_error_memory(error, "materials");
    fill(renderer, material, &(CnMaterialDesc){.roughness = 1});
    return true;
}

/* ---- Lookup ---- */

static uint64_t key_of(const char *name)
{
    return cn_hash_keyed(name, strlen(name), 0);
}

uint32_t cni_render_material_find(const CnRenderer *renderer, const char *name)
{
    const uint32_t *index = cn_hash_map_get(&renderer->material_by_name, key_of(name));
    return index ? *index + 1 : 0;
}

CnMaterial cn_material_find(const CnRenderer *renderer, const char *name)
{
    CN_ASSERT(renderer, "%s: renderer is NULL", __func__);
    uint32_t found = name ? cni_render_material_find(renderer, name) : 0;
    return (CnMaterial){found ? cn_slot_table_id(&renderer->materials, found - 1) : 0};
}

CnMaterial cn_material_create(CnRenderer *renderer, const CnMaterialDesc *desc, CnError *error)
{
    CN_ASSERT(renderer, "%s: renderer is NULL", __func__);
    CN_ASSERT(desc, "%s: desc is NULL", __func__);
    CnMaterial none = {0}, made;
    const char *name = desc->name ? desc->name : "";
    if (!check_desc(renderer, desc, error))
        return none;
    if (name[0] && cni_render_material_find(renderer, name)) {
        cn_error_set(error, CN_ERROR_EXISTS, "material %s already exists", name);
        return none;
    }
    CniRenderMaterial *material = cn_slot_table_acquire(&renderer->materials, &made.id);
    if (!material) {
        cn_error_set(error, CN_ERROR_LIMIT, "too many materials: cannot create %s", name);
        return none;
    }
    cn_copy_text(material->name, sizeof material->name, cn_text(name));
    uint32_t index = cn_slot_index(made.id);
    if (name[0] && !cn_hash_map_set(&renderer->material_by_name, key_of(name), &index)) {
        cn_slot_table_release(&renderer->materials, index);
        cn_error_memory(error, "a material");
        return none;
    }
    fill(renderer, material, desc);
    renderer->material_version++;
    return made;
}

bool cn_material_set(CnRenderer *renderer, CnMaterial material, const CnMaterialDesc *desc,
                     CnError *error)
{
    CN_ASSERT(renderer, "%s: renderer is NULL", __func__);
    CniRenderMaterial *found = cn_slot_table_get(&renderer->materials, material.id);
    if (!found)
        return cn_error_set(error, CN_ERROR_NOT_FOUND, "the material no longer exists");
    if (!check_desc(renderer, desc, error))
        return false;
    fill(renderer, found, desc);
    return true;
}

void cni_render_material_change(CnRenderer *renderer, CnMaterial material,
                                const CnMaterialDesc *desc)
{
    CniRenderMaterial *found = cn_slot_table_get(&renderer->materials, material.id);
    if (!found)
        return;
    CniRenderMaterial changed = *found;
    changed.desc = *desc;
    changed.desc.name = changed.desc.pipeline = NULL;
    changed.data = data_of(desc);
    cni_render_material_extend(renderer, &changed);
    if (!memcmp(&changed.data, &found->data, sizeof changed.data) &&
        !memcmp(&changed.extension, &found->extension, sizeof changed.extension))
        return;
    *found = changed;
    renderer->materials_changed = true;
}

void cni_render_material_prepare(CnRenderer *renderer, CnMaterial material, uint8_t changes)
{
    CniRenderMaterial *found = cn_slot_table_get(&renderer->materials, material.id);
    if (!found)
        return;
    found->changes = changes;
    resolve_textures(renderer, found);
}

CnMaterialDesc cn_material_get(const CnRenderer *renderer, CnMaterial material)
{
    CN_ASSERT(renderer, "%s: renderer is NULL", __func__);
    const CniRenderMaterial *found = cn_slot_table_get(&renderer->materials, material.id);
    if (!found)
        return (CnMaterialDesc){0};
    CnMaterialDesc desc = found->desc;
    desc.name = found->name;
    desc.pipeline = found->pipeline[0] ? found->pipeline : NULL;
    return desc;
}

void cn_material_destroy(CnRenderer *renderer, CnMaterial material)
{
    uint32_t index = cn_slot_index(material.id);
    const CniRenderMaterial *found = cn_slot_table_get(&renderer->materials, material.id);
    if (!found || index == 0)
        return; /* the default material exists as long as the renderer */
    if (found->name[0])
        cn_hash_map_remove(&renderer->material_by_name, key_of(found->name));
    cn_slot_table_release(&renderer->materials, index);
    renderer->material_version++;
    renderer->plan_version++;
    renderer->materials_changed = true;
}

/* ---- Changes of textures and surfaces ---- */

void cni_render_materials_lose_texture(CnRenderer *renderer, CnTexture texture)
{
    for (uint32_t i = 0; i < renderer->materials.count; i++) {
        CniRenderMaterial *material = cn_slot_table_live_at(&renderer->materials, i);
        bool uses = false;
        for (uint32_t j = 0; material && j < CN_TEXTURE_COUNT; j++)
            if (material->desc.textures[j].id == texture.id) {
                material->desc.textures[j] = (CnTexture){0};
                uses = true;
            }
        if (!uses)
            continue;
        material->data = data_of(&material->desc);
        resolve_textures(renderer, material);
        renderer->materials_changed = true;
        renderer->plan_version++;
    }
}

void cni_render_materials_gain_texture(CnRenderer *renderer, CnTexture texture)
{
    for (uint32_t i = 0; i < renderer->materials.count; i++) {
        CniRenderMaterial *material = cn_slot_table_live_at(&renderer->materials, i);
        for (uint32_t j = 0; material && j < CN_TEXTURE_COUNT; j++)
            if (material->desc.textures[j].id == texture.id) {
                resolve_textures(renderer, material);
                renderer->plan_version++;
                break;
            }
    }
}

void cni_render_materials_move_surface(CnRenderer *renderer, uint32_t from, uint32_t to)
{
    for (uint32_t i = 0; i < renderer->materials.count; i++) {
        CniRenderMaterial *material = cn_slot_table_live_at(&renderer->materials, i);
        if (material && material->surface == from)
            material->surface = to;
    }
    renderer->plan_version++;
}

/* ---- Upload ---- */

/* Rows of all materials, and after them of the extensions. */
static uint32_t count_rows(const CnRenderer *renderer)
{
    uint32_t rows = renderer->materials.count * MATERIAL_ROWS;
    for (uint32_t i = 0; i < renderer->materials.count; i++) {
        const CniRenderMaterial *material = cni_render_material_at(renderer, i);
        rows += material && material->is_extended ? EXTENSION_ROWS : 0;
    }
    return rows;
}

static bool make_room(CnRenderer *renderer, uint32_t count, CnError *error)
{
    if (count <= renderer->material_capacity)
        return true;
    uint32_t capacity =
        renderer->material_capacity ? renderer->material_capacity : 64 * MATERIAL_ROWS;
    while (capacity < count)
        capacity *= 2;
    CnGpuBuffer buffer = cn_gpu_buffer_create(
        renderer->gpu,
        &(CnGpuBufferDesc){.name = "materials",
                           .size = (uint64_t)capacity * CNI_RENDER_MATERIAL_ROW_BYTES,
                           .usage = CN_GPU_USE_STORAGE | CN_GPU_USE_COPY_TO},
        error);
    if (!buffer.id)
        return false;
    if (renderer->material_buffer.id)
        cn_gpu_buffer_destroy(renderer->gpu, renderer->material_buffer);
    renderer->material_buffer = buffer;
    renderer->material_capacity = capacity;
    return true;
}

bool cni_render_materials_flush(CnRenderer *renderer, CnGpuCommands *commands, CnError *error)
{
    if (!renderer->materials_changed)
        return true;
    uint32_t count = renderer->materials.count, rows = count_rows(renderer);
    bool is_new = rows > renderer->material_capacity;
    if (!make_room(renderer, rows, error))
        return false;
    CnGpuUpload upload = cn_gpu_upload(commands, (uint64_t)rows * CNI_RENDER_MATERIAL_ROW_BYTES, 0);
    CniRenderMaterialData *data = upload.data;
    if (!data)
        return cn_error_set(error, CN_ERROR_LIMIT,
                            "the upload memory of the frame is too small for the materials");
    uint32_t row = count * MATERIAL_ROWS;
    for (uint32_t i = 0; i < count; i++) {
        const CniRenderMaterial *material = cni_render_material_at(renderer, i);
        data[i] = material ? material->data : (CniRenderMaterialData){.alpha_cutoff = 0.5f};
        if (!material || !material->is_extended)
            continue;
        data[i].extension = row;
        memcpy((char *)upload.data + (size_t)row * CNI_RENDER_MATERIAL_ROW_BYTES,
               &material->extension, sizeof material->extension);
        row += EXTENSION_ROWS;
    }
    CnGpuBarrier barrier = {.buffer = renderer->material_buffer,
                            .before = is_new ? CN_GPU_ACCESS_NONE : CN_GPU_ACCESS_READ,
                            .after = CN_GPU_ACCESS_COPY_TO};
    cn_gpu_barriers(commands, &barrier, 1);
    cn_gpu_copy_buffer(commands, upload.buffer, upload.offset, renderer->material_buffer, 0,
                       (uint64_t)rows * CNI_RENDER_MATERIAL_ROW_BYTES);
    barrier.before = CN_GPU_ACCESS_COPY_TO;
    barrier.after = CN_GPU_ACCESS_READ;
    cn_gpu_barriers(commands, &barrier, 1);
    renderer->materials_changed = false;
    return true;
}
