#version 460
/* Adds the moon and stars, which lit_sky.frag omits. */
#include "render/feature/lit_sky.glsl"
#include "render/feature/sky.glsl"
#include "render/feature/sky_night.glsl"

void main()
{
    vec3 direction = normalize(way);
    float left = left_of_sky(direction);
    vec3 seen = sky_moon_and_stars(direction, sun.w) * (left * mix(1.0, textureLod(clouds, uv, 0.0).a, left));
    target = vec4(seen * left_in_water(direction), 0.0);
}
