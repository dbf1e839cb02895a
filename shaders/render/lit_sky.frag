#version 460
/* The sky of the light path: what lit_air.glsl has of it, sun, moon and stars, and clouds that were drawn small. */
#define LIT_SKY_BINDING 2
#include "render/frame.glsl"
#include "render/lit_air.glsl"
#include "render/sky.glsl"
#include "render/sky_night.glsl"

layout(set = 0, binding = 3) uniform sampler2D clouds; /* light; alpha: what comes through; sky.more.w: 1 if there are any */

layout(location = 0) in vec2 uv;
layout(location = 0) out vec4 target;

void main()
{
    vec3 direction = direction_of_view(uv);
    float spread = 2.0 * frame.size.w / abs(frame.projection[1][1]);
    float left = lit_sky_left(direction, sky.more.z);
    vec3 light = lit_sky_at(direction), seen = vec3(0.0);
    bool has_sun = dot(direction, sky.to_sun.xyz) > SKY_DISC_COSINE - 4.0 * spread;
    bool has_night = per_pixel(frame.wind.w, uv.x) > 0.5 && (sky.to_sun.y < -0.02 || dot(direction, frame.moon.xyz) > 0.95);
    /* Loops instead of ifs: see sun_shadow. */
    for (int i = 0; i < (has_sun ? 1 : 0); i++)
        seen += sky_disc(direction, spread);
    for (int i = 0; i < (has_night ? 1 : 0); i++)
        seen += sky_moon_and_stars(direction, spread);
    vec4 cloud = vec4(0.0, 0.0, 0.0, 1.0);
    for (int i = 0; i < (per_pixel(sky.more.w, uv.x) > 0.5 ? 1 : 0); i++)
        cloud = textureLod(clouds, uv, 0.0);
    light = (light + seen * left) * mix(1.0, cloud.a, left) + cloud.rgb * left;
    for (int i = 0; i < (per_pixel(frame.weather.w, uv.x) > 0.0 ? 1 : 0); i++)
        light *= exp(-LIT_WATER_LOSS * 8.0); /* what the surface does not cover */
    target = vec4(light, 1.0);
}
