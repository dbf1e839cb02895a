/*
 * Shadows of mountains, where those that are drawn end: the way to the sun is followed over a map of the land's heights.
 * Blocks bring it (cn_block_view_set_climate); without it there is no land.
 */
#ifndef RENDER_LAND_SHADOW_GLSL
#define RENDER_LAND_SHADOW_GLSL

#include "render/frame.glsl"

#ifndef LAND_HEIGHTS_BINDING
#define LAND_HEIGHTS_BINDING 22
#endif
layout(set = 0, binding = LAND_HEIGHTS_BINDING) uniform sampler2D land_heights; /* alpha: 1 less height / 255; repeats */

const int LAND_PERIOD = 8192;       /* blocks: CN_CLIMATE_BLOCKS * CN_CLIMATE_SIZE */
const float LAND_PEAKS = 220.0;     /* nothing is higher */
const float LAND_NEAR = 24.0;       /* blocks: what is closer is the place itself */
const float LAND_REACH = 1600.0;
const float LAND_ROUGHNESS = 12.0;  /* blocks that the map may be wrong by: shadows have soft edges */
const int LAND_STEPS = 24;

float land_height(vec2 place)
{
    vec2 at = place + vec2(frame.origin.xz & (LAND_PERIOD - 1));
    return 255.0 - 255.0 * textureLod(land_heights, at / float(LAND_PERIOD), 0.0).a;
}

/* How much of the sun comes over the land, 0 to 1. `noise` from 0 to 1 hides the steps. */
float land_shadow(vec3 world, float noise)
{
    vec3 to_light = frame.sun_direction.xyz;
    float flat_part = max(length(to_light.xz), 1e-3), rise = max(to_light.y, 0.02) / flat_part;
    vec2 way = to_light.xz / flat_part;
    float height = world.y + float(frame.origin.y);
    float reach = min((LAND_PEAKS - height) / rise, LAND_REACH), free = LAND_ROUGHNESS;
    float stride = (reach - LAND_NEAR) / float(LAND_STEPS);
    for (int i = 0; i < (stride > 0.0 ? LAND_STEPS : 0); i++) {
        float away = LAND_NEAR + stride * (float(i) + noise);
        free = min(free, height + rise * away - land_height(world.xz + way * away));
    }
    return smoothstep(-LAND_ROUGHNESS, 0.0, free);
}

#endif
