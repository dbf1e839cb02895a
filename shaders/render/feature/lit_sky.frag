#version 460
/* The sky of the lightweight path: the sky of lit_atmosphere.glsl, the sun, and clouds drawn at reduced
 * resolution. lit_night.frag adds to it. */
#define LIT_SKY_BINDING 2
#include "render/feature/lit_sky.glsl"

const float DISC = 0.02828; /* its radius: SKY_DISC_COSINE */

/* As sky_disc. */
float sun_disc(vec3 direction)
{
    float off = distance(direction, sun.xyz), edge = sqrt(max(1.0 - off * off / (DISC * DISC), 0.0));
    float inside = clamp((DISC - off) / max(sun.w, 1e-5) + 0.5, 0.0, 1.0);
    return direction.y < -0.01 ? 0.0 : inside * (0.4 + 0.6 * edge);
}

void main()
{
    vec3 direction = normalize(way);
    float left = left_of_sky(direction);
    vec4 cloud = textureLod(clouds, uv, 0.0);
    vec3 light = lit_sky_at(direction) + lit.rgb * (sun_disc(direction) * left);
    light = light * mix(1.0, cloud.a, left) + cloud.rgb * (left * lit.a);
    target = vec4(mix(air.gba, light, left_in_water(direction)), 1.0);
}
