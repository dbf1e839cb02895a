/*
 * Shadows of mountains beyond the range of the shadow maps: follows the path to the sun over a
 * height map of the terrain. Blocks provide it (cn_block_view_set_climate); without it there are no
 * such shadows.
 */
#ifndef RENDER_FEATURE_TERRAIN_SHADOW_GLSL
#define RENDER_FEATURE_TERRAIN_SHADOW_GLSL

#include "render/core/frame.glsl"

#ifndef LAND_HEIGHTS_BINDING
#define LAND_HEIGHTS_BINDING 22
#endif
/* alpha: 1 - height / 255; repeats */
layout(set = 0, binding = LAND_HEIGHTS_BINDING) uniform sampler2D land_heights;

const int LAND_PERIOD = 8192;       /* blocks: CN_CLIMATE_BLOCKS * CN_CLIMATE_SIZE */
const float LAND_PEAKS = 220.0;     /* maximum height */
const float LAND_NEAR = 24.0;       /* blocks: closer terrain is the surface itself */
const float LAND_REACH = 1600.0;
const float LAND_ROUGHNESS = 12.0;  /* blocks of error of the map: softens the shadow edges */
const int LAND_STEPS = 24;

float land_height(vec2 place)
{
    vec2 at = place + vec2(frame.origin.xz & (LAND_PERIOD - 1));
    return 255.0 - 255.0 * textureLod(land_heights, at / float(LAND_PERIOD), 0.0).a;
}

/* Fraction of sunlight that passes over the terrain, 0 to 1. `noise` from 0 to 1 hides the
 * steps. */
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
