/*
 * A lookup table of atmosphere_scattered for all directions above the horizon: it depends on the
 * elevation and the azimuth relative to the sun. The lower half of the texture is Rayleigh, the
 * upper half Mie; without their phase functions both are smooth, so that few texels are sufficient.
 */
#ifndef RENDER_FEATURE_SKY_VIEW_GLSL
#define RENDER_FEATURE_SKY_VIEW_GLSL

#include "render/feature/atmosphere.glsl"

const vec2 SKY_VIEW_SIZE = vec2(64.0, 64.0); /* of one half */

/* Texel centers reach the ends of both angles and are denser near the horizon. */
vec3 sky_view_direction(vec2 texel, vec3 to_sun)
{
    vec2 part = texel / (SKY_VIEW_SIZE - 1.0);
    float around = part.x * ATMOSPHERE_PI, elevation = part.y * part.y * 0.5 * ATMOSPHERE_PI;
    vec2 ahead = dot(to_sun.xz, to_sun.xz) > 1e-8 ? normalize(to_sun.xz) : vec2(1.0, 0.0);
    vec2 flat_way = ahead * cos(around) + vec2(-ahead.y, ahead.x) * sin(around);
    float rise = sin(elevation), run = cos(elevation);
    return vec3(flat_way.x * run, rise, flat_way.y * run);
}

/* Position of a direction in the lower half. Directions below the horizon use the horizon. */
vec2 sky_view_uv(vec3 direction, vec3 to_sun)
{
    vec2 a = direction.xz, b = to_sun.xz;
    float around = dot(a, a) * dot(b, b) > 1e-12 ? abs(atan(a.x * b.y - a.y * b.x, dot(a, b))) : 0.0;
    float elevation = asin(clamp(direction.y, 0.0, 1.0));
    vec2 part = vec2(around / ATMOSPHERE_PI, sqrt(elevation / (0.5 * ATMOSPHERE_PI)));
    return (part * (SKY_VIEW_SIZE - 1.0) + 0.5) / SKY_VIEW_SIZE * vec2(1.0, 0.5);
}

#endif
