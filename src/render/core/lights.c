/* The sun, and the point and spot lights that reach into the view, nearest first: those of the
 * snapshot, and those of the models of its items. */
#include "render/asset/model_file.h"
#include "render/core/item_plan.h"

#include <string.h>

static CnRenderLight light_between(const CnFrameDesc *frame_desc, uint32_t index)
{
    CnRenderLight light = frame_desc->current->lights[index];
    if (index >= frame_desc->previous->light_count)
        return light;
    /* There are few lights and they rarely change, so a light is matched by its index only. */
    const CnRenderLight *before = &frame_desc->previous->lights[index];
    if (!cn_entity_equal(before->entity, light.entity) || before->kind != light.kind)
        return light;
    float t = frame_desc->alpha;
    light.position = cn_vec3_lerp(before->position, light.position, t);
    light.direction = cn_vec3_lerp(before->direction, light.direction, t);
    light.color = cn_vec3_lerp(before->color, light.color, t);
    light.range = before->range + (light.range - before->range) * t;
    light.inner_cosine += (before->inner_cosine - light.inner_cosine) * (1 - t);
    light.outer_cosine += (before->outer_cosine - light.outer_cosine) * (1 - t);
    return light;
}

static void set_sun(CnFrame *frame, const CnRenderLight *light)
{
    if (frame->sun.exists)
        return;
    frame->sun = (CnSun){.exists = true,
                         .casts_shadows = light->flags & CN_RENDER_CASTS_SHADOWS,
                         .direction = cn_vec3_normalize(light->direction),
                         .color = light->color};
}

static float squared_distance(const CnView *view, const CnFrameLight *light)
{
    CnVec3 away = cn_vec3_sub(light->position, view->position);
    return cn_vec3_dot(away, away);
}

/* A stable merge sort: a scene has at most thousands of lights, and their order is not preserved
 * from frame to frame. */
static void sort_lights(const CnView *view, CnFrameLight *lights, CnFrameLight *other,
                        uint32_t count)
{
    for (uint32_t width = 1; width < count; width *= 2) {
        for (uint32_t begin = 0; begin < count; begin += 2 * width) {
            uint32_t middle = begin + width < count ? begin + width : count;
            uint32_t end = begin + 2 * width < count ? begin + 2 * width : count;
            uint32_t a = begin, b = middle;
            for (uint32_t i = begin; i < end; i++) {
                bool left = a < middle && (b >= end || squared_distance(view, &lights[a]) <=
                                                           squared_distance(view, &lights[b]));
                other[i] = left ? lights[a++] : lights[b++];
            }
        }
        memcpy(lights, other, count * sizeof *lights);
    }
}

static bool add_light(CnRenderer *renderer, const CnRenderLight *light, uint32_t id)
{
    CnVec3 direction = cn_vec3_normalize(light->direction);
    CnFrameLight seen = {.position = light->position,
                         .range = light->range,
                         .color = light->color,
                         .kind = light->kind,
                         .direction = direction,
                         .outer_cosine = light->outer_cosine,
                         .inner_cosine = light->inner_cosine,
                         .flags = light->flags,
                         .id = id};
    return cn_array_push(&renderer->items.lights, seen);
}

/* Adds the light if it reaches into the view. Its position is relative to the frame's origin. */
static void use_light(CnRenderer *renderer, const CnRenderLight *light, uint32_t id)
{
    const CnFrame *frame = &renderer->frame;
    if (light->kind == CN_LIGHT_DIRECTIONAL)
        set_sun(&renderer->frame, light);
    else if (light->range > 0 &&
             cn_frustum_intersects_sphere(&frame->view.frustum, light->position, light->range) &&
             !add_light(renderer, light, id))
        renderer->stats.refused_lights++;
}

/* ---- Lights of models ---- */

#define MODEL_LIGHT 0x80000000u /* in ids */

static CnRenderLight place_light(const CniRenderModelLight *from, const CnAffine *place)
{
    CnRenderLight light = {.kind = (CnLightKind)from->kind,
                           .position = {place->m[0][3], place->m[1][3], place->m[2][3]},
                           .direction = {-place->m[0][2], -place->m[1][2], -place->m[2][2]},
                           .color = cn_vec3_scale(from->color, from->intensity),
                           .range = from->range};
    if (from->kind == CN_LIGHT_SPOT) {
        light.inner_cosine = cn_cosf(from->inner);
        light.outer_cosine = cn_cosf(from->outer);
    }
    return light;
}

/* Adds the lights of an item's model, as its clip moves and changes them. */
static uint32_t add_model_lights(CnRenderer *renderer, const CnFrameDesc *frame_desc,
                                 const CniRenderModelItem *item)
{
    const CniRenderModel *model = cn_slot_table_get(&renderer->models, item->model.id);
    if (!model || !model->model_file)
        return 0;
    const CniRenderModelFile *file = model->model_file;
    const CniRenderItemTransform *transform =
        &renderer->items.sources.items[item->source].transform;
    CnVec3 position = cn_vec3_sub(transform->position, renderer->frame.origin);
    CnAffine world = cn_affine_from_trs(position, transform->rotation, transform->scale);
    uint32_t clip;
    float seconds = cni_render_item_time(renderer, frame_desc, item->source, &clip);
    cni_render_model_sample_nodes(&file->data, clip, seconds, file->globals.items);
    cni_render_model_sample_hidden(&file->data, clip, seconds, file->hidden.items);
    for (uint32_t i = 0; i < model->light_count; i++) {
        CniRenderModelLight from = cni_render_model_sample_light(&file->data, clip, seconds, i);
        if (file->hidden.items[from.node])
            continue;
        CnAffine place = cn_affine_mul(&world, &file->globals.items[from.node]);
        CnRenderLight light = place_light(&from, &place);
        use_light(renderer, &light, MODEL_LIGHT | item->source * CN_MODEL_MAX_LIGHTS | i);
    }
    return model->light_count;
}

void cni_render_lights_gather(CnRenderer *renderer, const CnFrameDesc *frame_desc, bool between)
{
    CnFrame *frame = &renderer->frame;
    CniRenderItems *items = &renderer->items;
    cn_array_clear(&items->lights);
    frame->sun = (CnSun){0};
    uint32_t count = frame_desc->current ? frame_desc->current->light_count : 0;
    for (uint32_t i = 0; i < count; i++) {
        CnRenderLight light =
            between ? light_between(frame_desc, i) : frame_desc->current->lights[i];
        light.position = cn_vec3_sub(light.position, frame->origin);
        use_light(renderer, &light, cn_entity_index(light.entity));
    }
    for (uint32_t i = 0; i < items->lit.count; i++)
        count += add_model_lights(renderer, frame_desc, &items->lit.items[i]);
    uint32_t seen = items->lights.count;
    CnFrameLight *other = cn_arena_alloc(&renderer->arena, seen * sizeof *other + 1, 16);
    if (other)
        sort_lights(&frame->view, items->lights.items, other, seen);
    if (seen > CN_MAX_LIGHTS) {
        renderer->stats.refused_lights += seen - CN_MAX_LIGHTS;
        seen = CN_MAX_LIGHTS;
    }
    frame->lights = items->lights.items;
    frame->light_count = seen;
    renderer->stats.lights = count;
    renderer->stats.visible_lights = seen;
}
