/* Loads models from files: reads them from the cache or imports them, and creates their meshes,
 * materials and textures. */
#include "render/asset/model_file.h"

#include <cairn/base/log.h>

/* ---- The cache ---- */

static void name_entry(const CnRenderer *renderer, const char *path, CnFileBytes main,
                       char name[CN_CACHE_NAME_BYTES])
{
    char version[16];
    cn_format(version, sizeof version, "%u", CNI_RENDER_BAKED_VERSION);
    const CnText parts[] = {cn_text(version), cn_text(path), {(const char *)main.data, main.size}};
    cn_cache_name(renderer->cache, "model", parts, CN_COUNT_OF(parts), name);
}

/* Also finds the least trusted of the files. */
static bool is_fresh(CnRenderer *renderer, CniRenderModelData *data)
{
    for (uint32_t i = 0; i < data->sources.count; i++) {
        const CniRenderModelSource *source = &data->sources.items[i];
        CnFileBytes bytes;
        if (!cn_file_read_all(renderer->files, cni_render_model_text_at(data, source->path),
                              data->bulk, &bytes, NULL))
            return false;
        uint64_t hash = cn_hash_bytes(bytes.data, bytes.size, 0);
        if (bytes.budget->origin == CN_ORIGIN_FOREIGN)
            data->budget = bytes.budget;
        cn_file_bytes_free(&bytes);
        if (hash != source->hash)
            return false;
    }
    return true;
}

static bool read_cache(CnRenderer *renderer, const char *name, CniRenderModelData *data)
{
    CnFileBytes bytes;
    CnError error = {0};
    if (!cn_cache_read(renderer->cache, name, data->bulk, &bytes))
        return false;
    bool ok = cni_render_model_read_baked(bytes.data, bytes.size, name, data, &error);
    cn_file_bytes_free(&bytes);
    if (!ok)
        CN_LOG_WARNING("render", "rebuilding the cached model %s: %s", name, error.message);
    return ok && is_fresh(renderer, data);
}

/* A cache that cannot be written is not an error. */
static void write_cache(CnRenderer *renderer, const char *name, const CniRenderModelData *data)
{
    CnU8Array bytes;
    cn_array_init(&bytes, data->bulk);
    if (cni_render_model_write_baked(data, &bytes))
        cn_cache_write(renderer->cache, name, bytes.items, bytes.count, NULL);
    cn_array_fini(&bytes);
}

/* Splits a path at its scene; `scene` receives the name, or "". */
static bool split_path(const char *path, char file[CNI_RENDER_PATH_BYTES],
                       char scene[CNI_RENDER_PATH_BYTES], CnError *error)
{
    size_t size = strcspn(path, "#");
    const char *at = path + size + strlen(CNI_RENDER_MODEL_SCENE);
    scene[0] = 0;
    return (cn_copy_text(file, CNI_RENDER_PATH_BYTES, (CnText){path, size}) &&
            (!path[size] || cni_render_model_take_name(&at, scene, CNI_RENDER_PATH_BYTES))) ||
           cn_error_set(error, CN_ERROR_LIMIT, "the path of a model is too long: %s", path);
}

bool cni_render_model_read(CnRenderer *renderer, const char *full_path, CniRenderModelData *data,
                           const CnBudget **budget, CnError *error)
{
    CnFileBytes main;
    char name[CN_CACHE_NAME_BYTES], path[CNI_RENDER_PATH_BYTES], scene[CNI_RENDER_PATH_BYTES];
    if (!split_path(full_path, path, scene, error))
        return false;
    if (!renderer->files)
        return cn_error_set(error, CN_ERROR_NOT_FOUND,
                            "cannot read %s: the renderer has no file system", path);
    if (!cn_file_read_all(renderer->files, path, data->bulk, &main, error))
        return false;
    data->budget = main.budget;
    if (renderer->cache)
        name_entry(renderer, full_path, main, name);
    bool ok = renderer->cache && read_cache(renderer, name, data);
    if (ok && !cni_render_model_check_budget(data, data->budget, path, error)) {
        cn_file_bytes_free(&main);
        return false;
    }
    if (!ok) {
        cni_render_model_data_fini(data);
        ok = cni_render_model_import(renderer->files, path, scene[0] ? scene : NULL, main, data,
                                     error);
        if (ok && renderer->cache)
            write_cache(renderer, name, data);
    }
    *budget = data->budget;
    cn_file_bytes_free(&main);
    return ok;
}

/* ---- Creation ---- */

static CnImageReadDesc embedded_image(const CniRenderModelFile *model_file,
                                      const CniRenderModelTexture *texture)
{
    return (CnImageReadDesc){.bytes = model_file->data.bytes.items + texture->first_byte,
                             .size = texture->byte_count,
                             .name = model_file->path,
                             .budget = model_file->budget};
}

static bool decode_file(CnRenderer *renderer, const char *path, CnImage *image, CnError *error)
{
    CnFileBytes bytes;
    if (!cn_file_read_all(renderer->files, path, renderer->allocator, &bytes, error))
        return false;
    bool ok = cn_image_read(&(CnImageReadDesc){.bytes = bytes.data,
                                               .size = bytes.size,
                                               .name = path,
                                               .budget = bytes.budget,
                                               .allocator = renderer->allocator},
                            image, error);
    cn_file_bytes_free(&bytes);
    return ok;
}

bool cni_render_model_file_decode_images(CnRenderer *renderer, CniRenderModelFile *model_file)
{
    const CniRenderModelData *data = &model_file->data;
    if (!cn_array_reserve(&model_file->images, data->textures.count))
        return false;
    for (uint32_t i = 0; i < data->textures.count; i++) {
        const CniRenderModelTexture *texture = &data->textures.items[i];
        const char *path = cni_render_model_text_at(data, texture->path);
        CnImage *image = &model_file->images.items[model_file->images.count++];
        CnError error = {0};
        CnImageReadDesc desc = embedded_image(model_file, texture);
        desc.allocator = renderer->allocator;
        *image = (CnImage){.allocator = renderer->allocator};
        if (path[0] ? !decode_file(renderer, path, image, &error)
                    : !cn_image_read(&desc, image, &error))
            CN_LOG_WARNING("render", "skipping a texture of %s: %s", model_file->path,
                           error.message);
    }
    return true;
}

/* Returns the texture of a file, which may have been loaded before, or creates it of the image. */
static CnTexture take_texture(CnRenderer *renderer, const char *path, const CnImage *image,
                              CniRenderTextureUse use, CnError *error)
{
    CnTexture texture = cni_render_texture_find(renderer, path, use);
    if (texture.id)
        return texture;
    texture = cni_render_texture_of_image(renderer, path, image, use, error);
    CniRenderTexture *slot = cn_slot_table_get(&renderer->textures, texture.id);
    if (slot)
        slot->is_file = true;
    return texture;
}

/* A texture that cannot be read is omitted, and the model is drawn without it. */
static CnTexture make_texture(CnRenderer *renderer, CniRenderModelFile *model_file, uint32_t number)
{
    const CniRenderModelData *data = &model_file->data;
    const CniRenderModelTexture *from = &data->textures.items[number];
    const char *path = cni_render_model_text_at(data, from->path);
    CniRenderTextureUse use = {from->is_linear != 0, from->sampler};
    CnError error = {0};
    CnTexture texture = {0};
    if (model_file->images.count && !model_file->images.items[number].pixels)
        return texture; /* reported when it was decoded */
    if (path[0] && model_file->images.count) {
        texture = take_texture(renderer, path, &model_file->images.items[number], use, &error);
    } else if (path[0]) {
        texture = cni_render_texture_load(renderer, path, use, &error);
    } else {
        const CnImageReadDesc desc = embedded_image(model_file, from);
        texture = model_file->images.count
                      ? cni_render_texture_of_image(renderer, model_file->path,
                                                    &model_file->images.items[number], use, &error)
                      : cni_render_texture_decode(renderer, &desc, use, &error);
        if (texture.id && !cn_array_push(&model_file->textures, texture)) {
            cn_texture_destroy(renderer, texture);
            return (CnTexture){0};
        }
    }
    if (!texture.id)
        CN_LOG_WARNING("render", "skipping a texture of %s: %s", model_file->path, error.message);
    return texture;
}

CnMaterialDesc cni_render_model_material_desc(const CniRenderModelMaterial *from)
{
    CnMaterialDesc desc = {.base_color = from->base_color,
                           .metallic = from->metallic,
                           .roughness = cni_render_explicit_zero(from->roughness),
                           .emissive = from->emissive,
                           .normal_scale = cni_render_explicit_zero(from->normal_scale),
                           .alpha_mode = (CnAlphaMode)from->alpha_mode,
                           .alpha_cutoff = cni_render_explicit_zero(from->alpha_cutoff),
                           .double_sided = from->is_double_sided,
                           .unlit = from->is_unlit,
                           .uv_scale = from->uv_scale,
                           .occlusion_strength = from->occlusion_strength,
                           .extensions = from->extensions};
    memcpy(desc.coordinates, from->coordinates, sizeof desc.coordinates);
    desc.base_color.w = cni_render_explicit_zero(desc.base_color.w);
    return desc;
}

static bool make_material(CnRenderer *renderer, CniRenderModelFile *model_file,
                          const CniRenderModelMaterial *from, const CnTexture *textures,
                          CnError *error)
{
    CnMaterialDesc desc = cni_render_model_material_desc(from);
    for (uint32_t i = 0; i < CN_TEXTURE_COUNT; i++)
        if (from->textures[i])
            desc.textures[i] = textures[from->textures[i] - 1];
    CnMaterial material = cn_material_create(renderer, &desc, error);
    return material.id && cn_array_push(&model_file->materials, material);
}

static bool is_used(const CniRenderModelData *data, uint32_t material)
{
    for (uint32_t i = 0; i < data->meshes.count; i++)
        if (data->meshes.items[i].material == material + 1)
            return true;
    for (uint32_t i = 0; i < data->mappings.count; i++)
        if (data->mappings.items[i].material == material + 1)
            return true;
    return false;
}

/* rig->materials has an entry for each material of the data, null if no mesh uses it. */
static bool make_materials(CnRenderer *renderer, CniRenderModelFile *model_file, CnError *error)
{
    const CniRenderModelData *data = &model_file->data;
    size_t bytes = data->textures.count * sizeof(CnTexture);
    CnTexture *textures = cn_alloc_zeroed(renderer->allocator, bytes);
    bool ok = textures || !bytes;
    for (uint32_t i = 0; ok && i < data->textures.count; i++)
        textures[i] = make_texture(renderer, model_file, i);
    for (uint32_t i = 0; ok && i < data->materials.count; i++)
        ok = is_used(data, i)
                 ? make_material(renderer, model_file, &data->materials.items[i], textures, error)
                 : cn_array_push(&model_file->materials, (CnMaterial){0});
    cn_free(renderer->allocator, textures, bytes);
    return ok;
}

static void extend_range(CnVec2 *range, float value)
{
    range->x = value < range->x ? value : range->x;
    range->y = value > range->y ? value : range->y;
}

/* Returns the least and the greatest weight that morph targets can have; they include 0 and 1. */
static CnVec2 weight_range(const CniRenderModelData *data)
{
    CnVec2 range = {0, 1};
    for (uint32_t i = 0; i < data->weights.count; i++)
        extend_range(&range, data->weights.items[i]);
    for (uint32_t i = 0; i < data->channels.count; i++) {
        const CniRenderModelChannel *channel = &data->channels.items[i];
        if (channel->kind != CNI_RENDER_CHANNEL_WEIGHTS)
            continue;
        for (uint32_t k = 0; k < channel->key_count; k++) {
            CnVec4 v = data->keys.items[channel->first_key + k].value;
            extend_range(&range, v.x);
            extend_range(&range, v.y);
            extend_range(&range, v.z);
            extend_range(&range, v.w);
        }
    }
    return range;
}

static bool make_meshes(CnRenderer *renderer, CniRenderModelFile *model_file, CnError *error)
{
    const CniRenderModelData *data = &model_file->data;
    CnVec2 weights = weight_range(data);
    for (uint32_t i = 0; i < data->meshes.count; i++) {
        const CniRenderModelMesh *from = &data->meshes.items[i];
        CnMesh mesh = {0};
        CniRenderMorphTargets targets = {
            .count = from->target_count, .least_weight = weights.x, .most_weight = weights.y};
        if (from->first_delta)
            targets.deltas = data->deltas.items + from->first_delta - 1;
        if (from->index_count)
            mesh = cni_render_mesh_create(
                renderer,
                &(CnMeshDesc){
                    .name = cni_render_model_text_at(data, from->name),
                    .vertices = data->vertices.items + from->first_vertex,
                    .vertex_count = from->vertex_count,
                    .indices = data->indices.items + from->first_index,
                    .index_count = from->index_count,
                    .skin = from->first_skin ? data->skins.items + from->first_skin - 1 : NULL,
                    .second_uv =
                        from->first_uv ? data->second_uvs.items + from->first_uv - 1 : NULL},
                &targets, error);
        if ((from->index_count && !mesh.id) || !cn_array_push(&model_file->meshes, mesh))
            return false;
    }
    return true;
}

/* Returns what of a material a channel changes. */
static uint8_t changes_of(uint32_t first)
{
    uint32_t property = first & CNI_RENDER_MATERIAL_PROPERTY, index = first - property;
    uint32_t transmission = offsetof(CnMaterialExtensions, transmission) / sizeof(float);
    if (property == CNI_RENDER_MATERIAL_NUMBER && index == transmission)
        return CNI_RENDER_CHANGES_TRANSMISSION;
    if (property == CNI_RENDER_MATERIAL_NUMBER || property == CNI_RENDER_MATERIAL_COLOR)
        return CNI_RENDER_CHANGES_LAYERS;
    return property ? CNI_RENDER_CHANGES_COORDINATES : CNI_RENDER_CHANGES_CORE;
}

/* Finds what clips change besides joints and morph targets. */
static bool find_changes(CniRenderModelFile *model_file)
{
    const CniRenderModelData *data = &model_file->data;
    if (!cn_array_reserve(&model_file->changes, data->materials.count))
        return false;
    model_file->changes.count = data->materials.count;
    for (uint32_t i = 0; i < data->materials.count; i++)
        model_file->changes.items[i] = 0;
    for (uint32_t i = 0; i < data->channels.count; i++)
        if (data->channels.items[i].kind == CNI_RENDER_CHANNEL_MATERIAL)
            model_file->changes.items[data->channels.items[i].target] |=
                changes_of(data->channels.items[i].first);
    for (uint32_t i = 0; i < data->parts.count; i++)
        model_file->hides_parts |= data->parts.items[i].node != 0;
    return true;
}

/* Frees data that only the GPU needs. */
static void forget_bulk(CniRenderModelFile *model_file)
{
    cni_render_model_data_drop_bulk(&model_file->data);
    cni_render_bulk_fini(&model_file->bulk);
}

CniRenderModelFile *cni_render_model_file_open(CnRenderer *renderer, const char *path,
                                               CnError *error)
{
    CnAllocator *allocator = renderer->allocator;
    CniRenderModelFile *model_file = cn_alloc_zeroed(allocator, sizeof *model_file);
    if (!model_file || strlen(path) >= sizeof model_file->path) {
        cn_free(allocator, model_file, sizeof *model_file);
        cn_error_set(error, CN_ERROR_LIMIT, "too many models: cannot create %s", path);
        return NULL;
    }
    model_file->uses = 1;
    cn_copy_text(model_file->path, sizeof model_file->path, cn_text(path));
    cni_render_model_data_init(&model_file->data, allocator);
    cn_array_init(&model_file->meshes, allocator);
    cn_array_init(&model_file->materials, allocator);
    cn_array_init(&model_file->textures, allocator);
    cn_array_init(&model_file->images, allocator);
    cn_array_init(&model_file->globals, allocator);
    cn_array_init(&model_file->weights, allocator);
    cn_array_init(&model_file->from_weights, allocator);
    cn_array_init(&model_file->hidden, allocator);
    cn_array_init(&model_file->changes, allocator);
    CnError why = {0};
    cni_render_bulk_init(&model_file->bulk, allocator);
    cni_render_model_data_use_bulk(&model_file->data, &model_file->bulk.allocator);
    if (cni_render_model_read(renderer, path, &model_file->data, &model_file->budget, &why))
        return model_file;
    if (why.code == CN_OK)
        cn_error_memory(&why, "model %s", path);
    if (error)
        *error = why;
    cni_render_model_file_release(renderer, model_file);
    return NULL;
}

static void free_images(CniRenderModelFile *model_file)
{
    for (uint32_t i = 0; i < model_file->images.count; i++)
        cn_image_free(&model_file->images.items[i]);
    cn_array_fini(&model_file->images);
}

bool cni_render_model_file_upload(CnRenderer *renderer, CniRenderModelFile *model_file,
                                  CnError *error)
{
    CnError why = {0};
    if (make_meshes(renderer, model_file, &why) && make_materials(renderer, model_file, &why) &&
        cn_array_reserve(&model_file->globals, model_file->data.nodes.count) &&
        cn_array_reserve(&model_file->weights, model_file->data.weights.count) &&
        cn_array_reserve(&model_file->from_weights, model_file->data.weights.count) &&
        cn_array_reserve(&model_file->hidden, model_file->data.nodes.count) &&
        find_changes(model_file)) {
        forget_bulk(model_file);
        free_images(model_file);
        return true;
    }
    if (why.code == CN_OK)
        cn_error_memory(&why, "model %s", model_file->path);
    if (error)
        *error = why;
    return false;
}

CniRenderModelFile *cni_render_model_file_load(CnRenderer *renderer, const char *path,
                                               CnError *error)
{
    CniRenderModelFile *model_file = cni_render_model_file_open(renderer, path, error);
    if (!model_file || cni_render_model_file_upload(renderer, model_file, error))
        return model_file;
    cni_render_model_file_release(renderer, model_file);
    return NULL;
}

void cni_render_model_file_release(CnRenderer *renderer, CniRenderModelFile *model_file)
{
    if (!model_file || --model_file->uses > 0)
        return;
    for (uint32_t i = 0; i < model_file->meshes.count; i++)
        cn_mesh_destroy(renderer, model_file->meshes.items[i]);
    for (uint32_t i = 0; i < model_file->materials.count; i++)
        cn_material_destroy(renderer, model_file->materials.items[i]);
    for (uint32_t i = 0; i < model_file->textures.count; i++)
        cn_texture_destroy(renderer, model_file->textures.items[i]);
    cn_array_fini(&model_file->meshes);
    cn_array_fini(&model_file->materials);
    cn_array_fini(&model_file->textures);
    free_images(model_file);
    cn_array_fini(&model_file->globals);
    cn_array_fini(&model_file->weights);
    cn_array_fini(&model_file->from_weights);
    cn_array_fini(&model_file->hidden);
    cn_array_fini(&model_file->changes);
    forget_bulk(model_file);
    cni_render_model_data_fini(&model_file->data);
    cn_free(renderer->allocator, model_file, sizeof *model_file);
}
