/*
 * Sunlight in the atmosphere from the results of god_rays.glsl: averages 4 x 4 texels, over which
 * the steps vary, at a similar distance. Haze and sky already contain the light of open air, so
 * rays are drawn only where there is shade around them, as between trees.
 */
#include "render/core/frame.glsl"

#define RESULT_BINDING 2
#define RESULT_FORMAT rgba16f

layout(set = 0, binding = 1) uniform sampler2D rays; /* light, shade; alpha: distance */

const float LARGEST_DIFFERENCE = 0.1;
const float OPEN = 0.1; /* fraction of the light without shade around it */
const float FROM_SHADE = 3.0;
const int AROUND = 16;
const mat2 GOLDEN_TURN = mat2(-0.73736888, 0.67549029, -0.67549029, -0.73736888);
const float AROUND_RADIUS = 0.22; /* fraction of the image height */

/* Shaded fraction of the air around a texel: samples along a spiral. */
float shade_around(ivec2 pixel)
{
    vec2 size = vec2(textureSize(rays, 0)), middle = (vec2(pixel) + 0.5) / size;
    vec2 moved = vec2(pixel);
    if (per_pixel(abs(frame.jitter.x) + abs(frame.jitter.y), moved.x) > 0.0)
        moved += 5.588238 * float(frame.counts.w & 63u); /* TAA smooths it */
    float turn = 6.2831853 * fract(52.9829189 * fract(dot(moved, vec2(0.06711056, 0.00583715)))), sum = 0.0;
    vec2 way = vec2(cos(turn), sin(turn)), wide = vec2(size.y / size.x, 1.0) * AROUND_RADIUS;
    for (int i = 0; i < AROUND; i++) {
        vec2 place = middle + way * wide * sqrt((float(i) + 0.5) / float(AROUND));
        sum += textureLod(rays, clamp(place, 0.0, 1.0), 0.0).g;
        way = GOLDEN_TURN * way;
    }
    return sum / float(AROUND);
}

vec4 full_screen(ivec2 pixel)
{
    ivec2 last = textureSize(rays, 0) - 1;
    float way = max(texelFetch(rays, pixel, 0).a, 1e-3), weights = 0.0, sum = 0.0;
    for (int i = 0; i < 16; i++) {
        vec4 tap = texelFetch(rays, clamp(pixel + ivec2(i & 3, i >> 2) - 2 + (pixel & 1), ivec2(0), last), 0);
        float off = (tap.a / way - 1.0) / LARGEST_DIFFERENCE, weight = 1.0 / (1.0 + off * off);
        sum += tap.r * weight;
        weights += weight;
    }
    float shown = OPEN + FROM_SHADE * shade_around(pixel);
    return vec4(frame.sun_color.rgb * (sum / weights * shown), 1.0);
}
