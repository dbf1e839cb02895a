/* What clips change of items besides joints and morph targets: materials and visible parts. */
#include "render/asset/model_file.h"
#include "render/core/item_plan.h"

#include <math.h>

float cni_render_item_time(const CnRenderer *renderer, const CnFrameDesc *frame_desc,
                           uint32_t source, uint32_t *clip)
{
    const CniRenderItems *items = &renderer->items;
    uint32_t value = items->sources.items[source].value, before = value;
    if (items->previous && items->previous[source] != CN_NO_MATCH)
        before = frame_desc->previous->items[items->previous[source]].value;
    return cni_render_model_time_between(before, value, frame_desc->alpha, clip);
}

/* ---- Materials ---- */

uint32_t cni_render_item_material(CnRenderer *renderer, CnModel model,
                                  const CniRenderModelPart *part)
{
    CniRenderItems *items = &renderer->items;
    uint32_t source = items->sources.count, number = part->animated_material - 1;
    for (uint32_t i = items->animated.count; i > 0; i--) {
        const CniRenderAnimatedMaterial *made = &items->animated.items[i - 1];
        if (made->item.source != source)
            break;
        if (made->number == number)
            return cn_slot_index(made->material.id);
    }
    CnMaterialDesc desc = cn_material_get(renderer, part->part.material);
    CniRenderAnimatedMaterial added = {.item = {source, model},
                                       .number = number,
                                       .material = cn_material_create(renderer, &desc, NULL)};
    const CniRenderModel *found = cn_slot_table_get(&renderer->models, model.id);
    if (found && found->model_file)
        cni_render_material_prepare(renderer, added.material,
                                    found->model_file->changes.items[number]);
    if (added.material.id && cn_array_push(&items->animated, added))
        return cn_slot_index(added.material.id);
    cn_material_destroy(renderer, added.material);
    return cn_slot_table_get(&renderer->materials, part->part.material.id)
               ? cn_slot_index(part->part.material.id) /* it is drawn without the animation */
               : 0;
}

static void animate_material(CnRenderer *renderer, const CnFrameDesc *frame_desc,
                             const CniRenderAnimatedMaterial *animated)
{
    const CniRenderModel *model = cn_slot_table_get(&renderer->models, animated->item.model.id);
    if (!model || !model->model_file)
        return;
    uint32_t clip;
    float seconds = cni_render_item_time(renderer, frame_desc, animated->item.source, &clip);
    CniRenderModelMaterial sampled =
        cni_render_model_sample_material(&model->model_file->data, clip, seconds, animated->number);
    CnMaterialDesc now = cni_render_model_material_desc(&sampled);
    CnMaterialDesc desc = cn_material_get(renderer, animated->material);
    desc.base_color = now.base_color;
    desc.emissive = now.emissive;
    desc.metallic = now.metallic;
    desc.roughness = now.roughness;
    desc.normal_scale = now.normal_scale;
    desc.alpha_cutoff = now.alpha_cutoff;
    desc.occlusion_strength = cni_render_explicit_zero(now.occlusion_strength);
    desc.extensions = cni_render_explicit_extensions(&now.extensions);
    memcpy(desc.coordinates, now.coordinates, sizeof desc.coordinates);
    for (uint32_t i = 0; i < CN_TEXTURE_COUNT; i++) {
        CnVec2 *scale = &desc.coordinates[i].scale;
        *scale = (CnVec2){cni_render_explicit_zero(scale->x), cni_render_explicit_zero(scale->y)};
    }
    cni_render_material_clamp_extensions(&desc);
    cni_render_material_change(renderer, animated->material, &desc);
}

/* ---- Parts ---- */

static void toggle_parts(CnRenderer *renderer, const CnFrameDesc *frame_desc,
                         const CniRenderModelItem *item)
{
    CniRenderItems *items = &renderer->items;
    const CniRenderModel *model = cn_slot_table_get(&renderer->models, item->model.id);
    if (!model || !model->model_file)
        return;
    const CniRenderItemSource *source = &items->sources.items[item->source];
    const uint8_t *hidden = model->model_file->hidden.items;
    uint32_t clip;
    float seconds = cni_render_item_time(renderer, frame_desc, item->source, &clip);
    cni_render_model_sample_hidden(&model->model_file->data, clip, seconds,
                                   model->model_file->hidden.items);
    CnVec3 scale = source->transform.scale;
    float largest = fmaxf(fabsf(scale.x), fmaxf(fabsf(scale.y), fabsf(scale.z)));
    for (uint32_t i = 0; i < source->part_count; i++) {
        uint32_t at = source->first_part + i;
        const CniRenderItemPart *part = &items->parts.items[at];
        if (part->node) /* a sphere of this radius is outside of every frustum */
            items->radius.items[at] = hidden[part->node - 1] ? -INFINITY : part->radius * largest;
    }
}

void cni_render_items_animate(CnRenderer *renderer, const CnFrameDesc *frame_desc)
{
    const CniRenderItems *items = &renderer->items;
    for (uint32_t i = 0; i < items->animated.count; i++)
        animate_material(renderer, frame_desc, &items->animated.items[i]);
    for (uint32_t i = 0; i < items->toggled.count; i++)
        toggle_parts(renderer, frame_desc, &items->toggled.items[i]);
}
