/* The sky background. */
#ifndef RENDER_FEATURE_SKY_BACKGROUND_GLSL
#define RENDER_FEATURE_SKY_BACKGROUND_GLSL

#include "render/core/frame.glsl"
#include "render/feature/sky.glsl"

#include "render/feature/sky_night.glsl"

vec4 sky_background(vec2 uv)
{
    vec3 direction = view_direction(uv);
    float spread = 2.0 * frame.size.w / abs(frame.projection[1][1]);
    vec3 light = sky_light(direction, spread);
    bool is_air = per_pixel(sky.to_sun.w, uv.x) > 0.5, has_night = per_pixel(min(sky.to_sun.w, frame.wind.w), uv.x) > 0.5;
    for (int i = 0; i < (is_air ? 1 : 0); i++)
        light += sky_disc(direction, spread);
    for (int i = 0; i < (has_night ? 1 : 0); i++)
        light += sky_moon_and_stars(direction, spread);
    return vec4(light, 1.0);
}

#endif
