/* Maps the asset numbers of snapshots to models and materials. Assets are looked up when they are
 * first drawn. */
#include "render/asset/background_load.h"
#include "render/asset/model_file.h"

#include <cairn/base/log.h>
#include <cairn/base/text.h>

#include <string.h>

/* ---- Errors that stand ---- */

void cni_render_asset_note(CnRenderer *renderer, CniRenderAsset *asset, const CnError *error)
{
    if (!error) {
        cn_free(renderer->allocator, asset->error, sizeof *asset->error);
        asset->error = NULL;
        return;
    }
    if (!asset->error)
        asset->error = cn_alloc(renderer->allocator, sizeof *asset->error);
    if (!asset->error)
        return;
    *asset->error = *error;
    if (!error->file[0])
        cn_text_escape(cn_text(asset->name), asset->error->file, sizeof asset->error->file);
}

void cni_render_assets_note(CnRenderer *renderer, const char *path, const CnError *error)
{
    for (uint32_t i = 0; i < renderer->assets.count; i++) {
        CniRenderAsset *asset = &renderer->assets.items[i];
        char file[CNI_RENDER_PATH_BYTES];
        if (asset->name && asset->model_tried && cni_render_model_file_of(asset->name, file) &&
            !strcmp(file, path))
            cni_render_asset_note(renderer, asset, error);
    }
}

uint32_t cn_renderer_errors(const CnRenderer *renderer, CnError *errors, uint32_t capacity)
{
    CN_ASSERT(renderer, "%s: renderer is NULL", __func__);
    CN_ASSERT(errors || !capacity, "%s: errors is NULL", __func__);
    uint32_t count = 0;
    if (renderer->shader_error.count && renderer->shader_failure.code && capacity)
        errors[count++] = renderer->shader_failure;
    for (uint32_t i = 0; i < renderer->assets.count && count < capacity; i++)
        if (renderer->assets.items[i].name && renderer->assets.items[i].error)
            errors[count++] = *renderer->assets.items[i].error;
    return count;
}

/* ---- Names ---- */

bool cn_renderer_set_asset(CnRenderer *renderer, uint32_t number, const char *name)
{
    CN_ASSERT(renderer, "%s: renderer is NULL", __func__);
    if (number >= CN_MAX_ASSETS)
        return false;
    if (number < renderer->assets.count && renderer->assets.items[number].name &&
        !strcmp(renderer->assets.items[number].name, name))
        return true;
    size_t bytes = strlen(name) + 1;
    char *copy = cn_alloc(renderer->allocator, bytes);
    if (!copy || !cn_array_reserve(&renderer->assets, (uint64_t)number + 1)) {
        cn_free(renderer->allocator, copy, bytes);
        return false;
    }
    while (renderer->assets.count <= number)
        renderer->assets.items[renderer->assets.count++] = (CniRenderAsset){0};
    CniRenderAsset *asset = &renderer->assets.items[number];
    cni_render_asset_note(renderer, asset, NULL);
    cn_free(renderer->allocator, asset->name, asset->name_bytes);
    memcpy(copy, name, bytes);
    *asset = (CniRenderAsset){.name = copy, .name_bytes = bytes};
    renderer->plan_version++;
    return true;
}

void cn_renderer_clear_assets(CnRenderer *renderer)
{
    CN_ASSERT(renderer, "%s: renderer is NULL", __func__);
    for (uint32_t i = 0; i < renderer->assets.count; i++) {
        cni_render_asset_note(renderer, &renderer->assets.items[i], NULL);
        cn_free(renderer->allocator, renderer->assets.items[i].name,
                renderer->assets.items[i].name_bytes);
    }
    cn_array_clear(&renderer->assets);
    renderer->plan_version++;
    renderer->world_number++;
}

void cni_render_assets_fini(CnRenderer *renderer)
{
    cn_renderer_clear_assets(renderer);
    cn_array_fini(&renderer->assets);
}

static CniRenderAsset *find_asset(CnRenderer *renderer, uint32_t number)
{
    if (!number || number >= renderer->assets.count || !renderer->assets.items[number].name)
        return NULL;
    return &renderer->assets.items[number];
}

/* A file of foreign origin is loaded in the background, unless the frame waits for it. */
static bool is_left_to_background(CnRenderer *renderer, const CniRenderAsset *asset)
{
    char path[CNI_RENDER_PATH_BYTES];
    return !renderer->waits_for_assets && cni_render_model_file_of(asset->name, path) &&
           !cni_render_model_find(renderer, path) && cni_render_is_foreign(renderer, path) &&
           cni_render_load_model(renderer, path);
}

void cni_render_assets_retry(CnRenderer *renderer, const char *path)
{
    for (uint32_t i = 0; i < renderer->assets.count; i++) {
        CniRenderAsset *asset = &renderer->assets.items[i];
        char file[CNI_RENDER_PATH_BYTES];
        if (asset->name && cni_render_model_file_of(asset->name, file) && !strcmp(file, path))
            asset->model_tried = false;
    }
    renderer->plan_version++;
}

const CniRenderModel *cni_render_asset_model(CnRenderer *renderer, uint32_t number)
{
    CniRenderAsset *asset = find_asset(renderer, number);
    if (!asset)
        return NULL;
    const CniRenderModel *model = cn_slot_table_get(&renderer->models, asset->model.id);
    if (model || asset->model_tried)
        return model;
    CnError error = {0};
    asset->model_tried = true;
    if (is_left_to_background(renderer, asset))
        return NULL;
    asset->model = cn_model_load(renderer, asset->name, &error);
    cni_render_asset_note(renderer, asset, asset->model.id ? NULL : &error);
    if (!asset->model.id)
        CN_LOG_ERROR("render", "cannot draw %s: %s", asset->name, error.message);
    return cn_slot_table_get(&renderer->models, asset->model.id);
}

uint32_t cni_render_asset_material(CnRenderer *renderer, uint32_t number)
{
    CniRenderAsset *asset = find_asset(renderer, number);
    if (!asset)
        return 0;
    if (asset->material_version != renderer->material_version) {
        uint32_t found = cni_render_material_find(renderer, asset->name);
        asset->material = found ? found - 1 : 0;
        asset->material_version = renderer->material_version;
        if (!found && !asset->warned_no_material)
            CN_LOG_WARNING("render", "material %s does not exist; using the default material",
                           asset->name);
        asset->warned_no_material |= !found;
    }
    return asset->material;
}
