/* The sun, and the point and spot lights that reach into the view, nearest first. */
#include "render/core/renderer_internal.h"

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

static bool add_light(CnRenderer *renderer, const CnRenderLight *light)
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
                         .id = cn_entity_index(light->entity)};
    return cn_array_push(&renderer->items.lights, seen);
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
        if (light.kind == CN_LIGHT_DIRECTIONAL)
            set_sun(frame, &light);
        else if (light.range > 0 &&
                 cn_frustum_intersects_sphere(&frame->view.frustum, light.position, light.range) &&
                 !add_light(renderer, &light))
            renderer->stats.refused_lights++;
    }
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
