/* Lights, cameras, scenes and variants of models. */
#include "render/asset/model_file.h"

#include <cairn/base/assert.h>

#define DEGREES 57.2957795f

static const CniRenderModelFile *file_of(const CnRenderer *renderer, CnModel model)
{
    CN_ASSERT(renderer, "a function of models was called without a renderer");
    const CniRenderModel *found = cn_slot_table_get(&renderer->models, model.id);
    return found ? found->model_file : NULL;
}

static const CniRenderModelData *data_of(const CnRenderer *renderer, CnModel model)
{
    const CniRenderModelFile *file = file_of(renderer, model);
    return file ? &file->data : NULL;
}

bool cn_model_light(const CnRenderer *renderer, CnModel model, uint32_t index, uint32_t clip,
                    float seconds, CnModelLight *light)
{
    CN_ASSERT(light, "%s: light is NULL", __func__);
    const CniRenderModelFile *file = file_of(renderer, model);
    if (!file || index >= file->data.lights.count)
        return false;
    const CniRenderModelData *data = &file->data;
    CniRenderModelLight from = cni_render_model_sample_light(data, clip, seconds, index);
    cni_render_model_sample_nodes(data, clip, seconds, file->globals.items);
    cni_render_model_sample_hidden(data, clip, seconds, file->hidden.items);
    *light = (CnModelLight){.name = cni_render_model_text_at(data, from.name),
                            .kind = (CnLightKind)from.kind,
                            .transform = file->globals.items[from.node],
                            .color = cn_vec3_scale(from.color, from.intensity),
                            .range = from.range,
                            .inner = 2 * DEGREES * from.inner,
                            .outer = 2 * DEGREES * from.outer,
                            .is_hidden = file->hidden.items[from.node] != 0};
    return true;
}

bool cn_model_camera(const CnRenderer *renderer, CnModel model, uint32_t index, uint32_t clip,
                     float seconds, CnModelCamera *camera)
{
    CN_ASSERT(camera, "%s: camera is NULL", __func__);
    const CniRenderModelFile *file = file_of(renderer, model);
    if (!file || index >= file->data.cameras.count)
        return false;
    const CniRenderModelData *data = &file->data;
    CniRenderModelCamera from = cni_render_model_sample_camera(data, clip, seconds, index);
    cni_render_model_sample_nodes(data, clip, seconds, file->globals.items);
    *camera = (CnModelCamera){.name = cni_render_model_text_at(data, from.name),
                              .transform = file->globals.items[from.node],
                              .is_orthographic = from.is_orthographic != 0,
                              .near = from.near,
                              .far = from.far,
                              .aspect = from.aspect};
    if (from.is_orthographic)
        camera->height = from.size;
    else
        camera->fov = from.size * DEGREES;
    return true;
}

const char *cn_model_scene(const CnRenderer *renderer, CnModel model, uint32_t index)
{
    const CniRenderModelData *data = data_of(renderer, model);
    return data && index < data->scenes.count
               ? cni_render_model_text_at(data, data->scenes.items[index])
               : NULL;
}

const char *cn_model_variant(const CnRenderer *renderer, CnModel model, uint32_t index)
{
    const CniRenderModelData *data = data_of(renderer, model);
    return data && index < data->variants.count
               ? cni_render_model_text_at(data, data->variants.items[index])
               : NULL;
}
