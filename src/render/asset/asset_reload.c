/* Loads files again that have changed: textures, models, surfaces. Ids and names stay valid. */
#include "render/asset/model_file.h"

#include <cairn/base/text.h>

#include <string.h>

/* ---- Models ---- */

static bool is_same_file(const char *selected, const char *path)
{
    size_t size = strcspn(selected, "#");
    return strlen(path) == size && !memcmp(selected, path, size);
}

static bool comes_from(const CniRenderModelFile *model_file, const char *path)
{
    const CniRenderModelData *data = &model_file->data;
    bool comes = is_same_file(model_file->path, path);
    for (uint32_t i = 0; i < data->sources.count && !comes; i++)
        comes = !strcmp(cni_render_model_text_at(data, data->sources.items[i].path), path);
    return comes;
}

/* Makes all models of a file again; parts and variants that it no longer has stay as they were. */
static uint32_t rebuild_models(CnRenderer *renderer, const CniRenderModelFile *old, CnError *error)
{
    uint32_t count = 0;
    CniRenderModelFile *now = cni_render_model_file_load(renderer, old->path, error);
    for (uint32_t i = 0; now && i < renderer->models.count; i++) {
        const CniRenderModel *model = cn_slot_table_live_at(&renderer->models, i);
        if (model && model->model_file == old)
            count += cni_render_model_rebuild(renderer, i, now, error);
    }
    cni_render_model_file_release(renderer, now);
    return count;
}

static uint32_t reload_models(CnRenderer *renderer, const char *path, CnError *error)
{
    CN_ARRAY(CniRenderModelFile *) files;
    uint32_t count = 0;
    cn_array_init(&files, renderer->allocator);
    for (uint32_t i = 0; i < renderer->models.count; i++) {
        const CniRenderModel *model = cn_slot_table_live_at(&renderer->models, i);
        bool is_found = model && model->model_file && comes_from(model->model_file, path);
        for (uint32_t k = 0; is_found && k < files.count; k++)
            is_found = files.items[k] != model->model_file;
        if (is_found && cn_array_push(&files, model->model_file))
            model->model_file->uses++; /* until all of its models are made again */
    }
    for (uint32_t i = 0; i < files.count; i++) {
        count += rebuild_models(renderer, files.items[i], error);
        cni_render_model_file_release(renderer, files.items[i]);
    }
    cn_array_fini(&files);
    return count;
}

/* ---- Models that could not be loaded ---- */

static bool is_in_same_folder(const char *a, const char *b)
{
    const char *end_a = strrchr(a, '/'), *end_b = strrchr(b, '/');
    return end_a && end_b && end_a - a == end_b - b && !memcmp(a, b, (size_t)(end_a - a));
}

/* The file that is missing may be beside the model, such as a buffer. */
static uint32_t load_missing(CnRenderer *renderer, const char *path)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < renderer->assets.count; i++) {
        CniRenderAsset *asset = &renderer->assets.items[i];
        char file[CNI_RENDER_PATH_BYTES];
        CnError wrong = {0};
        if (!asset->name || !asset->model_tried ||
            cn_slot_table_get(&renderer->models, asset->model.id) ||
            !cni_render_model_file_of(asset->name, file) || !is_in_same_folder(file, path))
            continue;
        asset->model = cn_model_load(renderer, asset->name, &wrong);
        cni_render_asset_note(renderer, asset, asset->model.id ? NULL : &wrong);
        count += asset->model.id != 0;
    }
    return count;
}

/* ---- The whole ---- */

uint32_t cn_renderer_reload_file(CnRenderer *renderer, const char *path, CnError *error)
{
    CN_ASSERT(renderer, "%s: renderer is NULL", __func__);
    CN_ASSERT(path, "%s: path is NULL", __func__);
    CnError wrong = {0};
    if (!renderer->files)
        return 0;
    uint32_t count = cni_render_textures_reload(renderer, path, &wrong);
    count += reload_models(renderer, path, &wrong);
    count += load_missing(renderer, path);
    count += cni_render_surfaces_reload_file(renderer, path, &wrong);
    if (count)
        renderer->plan_version++;
    if (wrong.code != CN_OK && error) {
        *error = wrong;
        if (!error->file[0])
            cn_copy_text(error->file, sizeof error->file, cn_text(path));
    }
    return count;
}
