/* Upsamples from half to full resolution: of the four texels around a pixel, those at a similar
 * distance count most. */
#include "render/core/frame.glsl"

#define RESULT_BINDING 3
#define RESULT_FORMAT r8

layout(set = 0, binding = 1) uniform sampler2D open_map;
layout(set = 0, binding = 2) uniform sampler2D depth_map;

layout(push_constant) uniform Constants {
    float strength;
};

vec4 full_screen(ivec2 pixel)
{
    ivec2 last = textureSize(open_map, 0) - 1;
    float depth = texelFetch(depth_map, pixel, 0).r;
    if (depth <= 0.0)
        return vec4(1.0);
    float distance = view_distance(depth), sum = 0.0, weights = 0.0;
    vec2 share = vec2(pixel & 1) * 0.5; /* a half-resolution texel is centered on the even pixel */
    for (int i = 0; i < 4; i++) {
        ivec2 corner = ivec2(i & 1, i >> 1);
        vec2 tap = texelFetch(open_map, min(pixel / 2 + corner, last), 0).rg;
        vec2 near = mix(1.0 - share, share, vec2(corner));
        float off = (tap.g / distance - 1.0) / 0.02; /* as much as a curved surface may have */
        float weight = near.x * near.y / (1.0 + off * off);
        sum += tap.r * weight;
        weights += weight;
    }
    return vec4(pow(clamp(sum / weights, 0.0, 1.0), strength));
}
