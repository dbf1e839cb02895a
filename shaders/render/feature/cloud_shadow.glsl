/*
 * Fraction of sunlight that passes the clouds: a map of the bottom of the layer around the camera,
 * projected along the light. The feature "Cloud shadows" fills it; without it the map is white.
 */
#ifndef RENDER_FEATURE_CLOUD_SHADOW_GLSL
#define RENDER_FEATURE_CLOUD_SHADOW_GLSL

#include "render/core/frame.glsl"

const float CLOUD_SHADOW_METERS = 4096.0; /* from edge to edge */
const float CLOUD_SHADOW_STEP = 16.0; /* the map moves with the camera in steps of whole texels */
const float CLOUD_SHADOW_MIN_RISE = 0.08; /* of the light: limits the length of shadows */

/* x and z of the center of the map. */
vec2 cloud_shadow_middle()
{
    return floor(frame.camera.xz / CLOUD_SHADOW_STEP) * CLOUD_SHADOW_STEP;
}

/* x and z at the bottom of the clouds for a position of the map, 0 to 1. */
vec2 cloud_shadow_place(vec2 uv)
{
    return cloud_shadow_middle() + (uv - 0.5) * CLOUD_SHADOW_METERS;
}

#ifndef CLOUD_SHADOW_FILL
#ifndef CLOUD_SHADOW_BINDING
#define CLOUD_SHADOW_BINDING 10
#endif
layout(set = 0, binding = CLOUD_SHADOW_BINDING) uniform sampler2D cloud_shadow_map;

/* 1: unshadowed; also beyond the map, and above the bottom of the clouds. */
float cloud_shadow(vec3 world)
{
    vec3 to_light = frame.sun_direction.xyz;
    float rise = frame.clouds.y - world.y;
    vec2 place = world.xz + to_light.xz * (max(rise, 0.0) / max(to_light.y, CLOUD_SHADOW_MIN_RISE));
    vec2 uv = (place - cloud_shadow_middle()) / CLOUD_SHADOW_METERS + 0.5;
    vec2 inside = 1.0 - abs(uv * 2.0 - 1.0);
    float part = clamp(min(inside.x, inside.y) * 8.0, 0.0, 1.0) * clamp(rise * 0.1, 0.0, 1.0);
    return mix(1.0, textureLod(cloud_shadow_map, uv, 0.0).r, part);
}
#endif

#endif
