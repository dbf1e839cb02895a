/* Puts 4 x 4 texels together, over which the steps of god rays differ; those that are as far away as the middle. */
#include "render/frame.glsl"

#define RESULT_BINDING 2
#define RESULT_FORMAT rgba16f

layout(set = 0, binding = 1) uniform sampler2D rays; /* alpha: distance */

const float LARGEST_DIFFERENCE = 0.1;

vec4 full_screen(ivec2 pixel)
{
    ivec2 last = textureSize(rays, 0) - 1;
    float way = max(texelFetch(rays, pixel, 0).a, 1e-3), weights = 0.0;
    vec3 sum = vec3(0.0);
    for (int i = 0; i < 16; i++) {
        vec4 tap = texelFetch(rays, clamp(pixel + ivec2(i & 3, i >> 2) - 2 + (pixel & 1), ivec2(0), last), 0);
        float off = (tap.a / way - 1.0) / LARGEST_DIFFERENCE, weight = 1.0 / (1.0 + off * off);
        sum += tap.rgb * weight;
        weights += weight;
    }
    return vec4(sum / weights, 1.0);
}
