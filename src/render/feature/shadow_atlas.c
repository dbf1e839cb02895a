/* Point and spot lights with shadows: their selection, and their views into the tiles of the
 * atlas. */
#include "render/feature/shadows.h"

#include <cairn/base/linear.h>
#include <cairn/scene/presentation.h>

#define KEEP_BONUS 1.25f     /* factor of importance required to take over a slot */
#define MAX_SPOT_SINE 0.985f /* of the half-angle: 80 degrees */

/* ---- Views ---- */

static CniRenderLightView look(CnVec3 position, CnVec3 forward, float tangent, float near_plane,
                               float far_plane)
{
    CnVec3 up = forward.y > -0.99f && forward.y < 0.99f ? cn_vec3(0, 1, 0) : cn_vec3(0, 0, 1);
    CnVec3 right = cn_vec3_normalize(cn_vec3_cross(forward, up));
    up = cn_vec3_cross(right, forward);
    float depth = far_plane / (far_plane - near_plane);
    CnVec3 rows[4] = {cn_vec3_scale(right, 1 / tangent), cn_vec3_scale(up, -1 / tangent),
                      cn_vec3_scale(forward, depth), forward};
    CniRenderLightView view;
    for (int row = 0; row < 4; row++) {
        view.world_to_clip.m[row] = rows[row].x;
        view.world_to_clip.m[4 + row] = rows[row].y;
        view.world_to_clip.m[8 + row] = rows[row].z;
        view.world_to_clip.m[12 + row] = -cn_vec3_dot(rows[row], position);
    }
    view.world_to_clip.m[14] -= depth * near_plane;
    view.frustum = cn_frustum_from_matrix(&view.world_to_clip);
    return view;
}

static float spot_tangent(float outer_cosine)
{
    float least = cn_sqrtf(1 - MAX_SPOT_SINE * MAX_SPOT_SINE);
    float cosine = outer_cosine > least ? outer_cosine : least;
    if (cosine > 0.9999f)
        cosine = 0.9999f;
    return cn_sqrtf(1 - cosine * cosine) / cosine;
}

uint32_t cni_render_shadow_light_views(const CnFrameLight *light, uint32_t size,
                                       CniRenderLightView views[CNI_RENDER_LIGHT_TILES],
                                       CnVec4 *numbers)
{
    /* In the order of light_face in shadow.glsl. */
    static const CnVec3 ways[CNI_RENDER_LIGHT_TILES] = {{1, 0, 0},  {-1, 0, 0}, {0, 1, 0},
                                                        {0, -1, 0}, {0, 0, 1},  {0, 0, -1}};
    float far_plane = light->range > 1e-3f ? light->range : 1e-3f;
    float near_plane = far_plane < 2 ? 0.05f * far_plane : 0.1f;
    float guard = (float)size / (float)(size - 2 * CNI_RENDER_SHADOW_GUARD);
    bool is_spot = light->kind == CN_LIGHT_SPOT;
    float tangent = guard * (is_spot ? spot_tangent(light->outer_cosine) : 1);
    *numbers = (CnVec4){2 * tangent / (float)size, near_plane, far_plane, 0};
    if (is_spot) {
        CnVec3 forward = cn_vec3_normalize(light->direction);
        if (!(cn_vec3_length(forward) > 0.5f))
            forward = cn_vec3(0, -1, 0);
        views[0] = look(light->position, forward, tangent, near_plane, far_plane);
        return 1;
    }
    for (uint32_t i = 0; i < CNI_RENDER_LIGHT_TILES; i++)
        views[i] = look(light->position, ways[i], tangent, near_plane, far_plane);
    return CNI_RENDER_LIGHT_TILES;
}

void cni_render_shadow_write_atlas(CniRenderShadowData *data, uint32_t rows, uint32_t size)
{
    float width = 1.0f / CNI_RENDER_LIGHT_TILES, height = 1 / (float)rows, texels = (float)size;
    data->atlas = (CnVec4){width, height, width / texels, height / texels};
}

void cni_render_shadow_write_light(CniRenderShadowData *data, uint32_t slot,
                                   const CniRenderLightView *views, uint32_t count, CnVec4 numbers)
{
    float width = data->atlas.x, height = data->atlas.y;
    data->lights[slot] = numbers;
    for (uint32_t i = 0; i < count; i++)
        data->tiles[slot * CNI_RENDER_LIGHT_TILES + i] = cni_render_shadow_clip_to_texture(
            &views[i].world_to_clip, (float)i * width, (float)slot * height, width, height);
}

/* ---- Slots ---- */

/* Returns the apparent size times the perceived brightness. */
static float importance(const CnFrameLight *light, CnVec3 eye)
{
    if (!(light->flags & CN_RENDER_CASTS_SHADOWS))
        return 0;
    float distance = cn_vec3_length(cn_vec3_sub(light->position, eye)), least = light->range / 8;
    float brightness =
        0.2126f * light->color.x + 0.7152f * light->color.y + 0.0722f * light->color.z;
    float score = light->range * cn_sqrtf(brightness) / (distance > least ? distance : least);
    return score > 0 ? score : 0;
}

static uint32_t slot_of(const CniRenderShadowSlots *slots, uint32_t capacity, uint32_t id,
                        const uint32_t *lights_at)
{
    for (uint32_t slot = 0; slot < capacity; slot++)
        if (slots->taken[slot] && slots->ids[slot] == id && lights_at[slot] == UINT32_MAX)
            return slot;
    return UINT32_MAX;
}

typedef struct Wish {
    uint32_t light;
    float score;
} Wish;

/* Selects the most important lights in order; equal ones in the order of the lights. */
static uint32_t choose(const CniRenderShadowSlots *slots, uint32_t capacity,
                       const CnFrameLight *lights, uint32_t light_count, CnVec3 eye,
                       const uint32_t *lights_at, Wish best[CNI_RENDER_MAX_SHADOW_LIGHTS])
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < light_count; i++) {
        Wish wish = {i, importance(&lights[i], eye)};
        if (slot_of(slots, capacity, lights[i].id, lights_at) != UINT32_MAX)
            wish.score *= KEEP_BONUS;
        if (!(wish.score > 0) || (count == capacity && !(wish.score > best[count - 1].score)))
            continue;
        uint32_t at = count < capacity ? count++ : count - 1;
        for (; at > 0 && best[at - 1].score < wish.score; at--)
            best[at] = best[at - 1];
        best[at] = wish;
    }
    return count;
}

void cni_render_shadow_assign_slots(CniRenderShadowSlots *slots, uint32_t capacity,
                                    CnFrameLight *lights, uint32_t light_count, CnVec3 eye,
                                    uint32_t lights_at[CNI_RENDER_MAX_SHADOW_LIGHTS])
{
    for (uint32_t slot = 0; slot < CNI_RENDER_MAX_SHADOW_LIGHTS; slot++)
        lights_at[slot] = UINT32_MAX;
    for (uint32_t i = 0; i < light_count; i++)
        lights[i].shadow = 0;
    if (capacity == 0)
        return;
    Wish best[CNI_RENDER_MAX_SHADOW_LIGHTS];
    uint32_t count = choose(slots, capacity, lights, light_count, eye, lights_at, best);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t slot = slot_of(slots, capacity, lights[best[i].light].id, lights_at);
        if (slot == UINT32_MAX)
            continue;
        lights_at[slot] = best[i].light;
        lights[best[i].light].shadow = slot + 1;
    }
    uint32_t next = 0;
    for (uint32_t i = 0; i < count; i++) {
        if (lights[best[i].light].shadow)
            continue;
        while (lights_at[next] != UINT32_MAX)
            next++;
        lights_at[next] = best[i].light;
        lights[best[i].light].shadow = next + 1;
    }
    for (uint32_t slot = 0; slot < capacity; slot++) {
        slots->taken[slot] = lights_at[slot] != UINT32_MAX;
        slots->ids[slot] = slots->taken[slot] ? lights[lights_at[slot]].id : 0;
    }
}
