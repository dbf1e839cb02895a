/*
 * Shadows of mountains beyond the range of the shadow maps: follows the path to the sun over a
 * height map of the terrain. Blocks provide it (cn_block_view_set_climate); without it there are no
 * such shadows.
 */
#ifndef RENDER_FEATURE_TERRAIN_SHADOW_GLSL
#define RENDER_FEATURE_TERRAIN_SHADOW_GLSL

#include "render/core/frame.glsl"

#ifndef TERRAIN_HEIGHTS_BINDING
#define TERRAIN_HEIGHTS_BINDING 22
#endif
/* alpha: 1 - height / 255; repeats */
layout(set = 0, binding = TERRAIN_HEIGHTS_BINDING) uniform sampler2D terrain_heights;

const int TERRAIN_PERIOD = 8192;       /* blocks: CN_CLIMATE_BLOCKS * CN_CLIMATE_SIZE */
const float TERRAIN_PEAKS = 220.0;     /* maximum height */
const float TERRAIN_NEAR = 24.0;       /* blocks: closer terrain is the surface itself */
const float TERRAIN_REACH = 1600.0;
const float TERRAIN_ROUGHNESS = 12.0;  /* blocks of error of the map: softens the shadow edges */
const int TERRAIN_STEPS = 24;

float terrain_height(vec2 place)
{
    vec2 at = place + vec2(frame.origin.xz & (TERRAIN_PERIOD - 1));
    return 255.0 - 255.0 * textureLod(terrain_heights, at / float(TERRAIN_PERIOD), 0.0).a;
}

/* Fraction of sunlight that passes over the terrain, 0 to 1. `noise` from 0 to 1 hides the
 * steps. */
float terrain_shadow(vec3 world, float noise)
{
    vec3 to_light = frame.sun_direction.xyz;
    float flat_part = max(length(to_light.xz), 1e-3), rise = max(to_light.y, 0.02) / flat_part;
    vec2 way = to_light.xz / flat_part;
    float height = world.y + float(frame.origin.y);
    float reach = min((TERRAIN_PEAKS - height) / rise, TERRAIN_REACH), free = TERRAIN_ROUGHNESS;
    float stride = (reach - TERRAIN_NEAR) / float(TERRAIN_STEPS);
    for (int i = 0; i < (stride > 0.0 ? TERRAIN_STEPS : 0); i++) {
        float away = TERRAIN_NEAR + stride * (float(i) + noise);
        free = min(free, height + rise * away - terrain_height(world.xz + way * away));
    }
    return smoothstep(-TERRAIN_ROUGHNESS, 0.0, free);
}

#endif
