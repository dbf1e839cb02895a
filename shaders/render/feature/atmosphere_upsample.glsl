/* Upsamples light of the atmosphere that was drawn at reduced resolution to a pixel of the image:
 * of the surrounding texels, those at a similar distance count most. */
#ifndef RENDER_FEATURE_ATMOSPHERE_UPSAMPLE_GLSL
#define RENDER_FEATURE_ATMOSPHERE_UPSAMPLE_GLSL

#include "render/core/frame.glsl"

const float UPSAMPLE_MAX_DIFFERENCE = 0.1;

/* The sky is farther than any geometry. */
float upsample_distance_at(sampler2D depth_map, ivec2 pixel)
{
    float depth = texelFetch(depth_map, min(pixel, textureSize(depth_map, 0) - 1), 0).r;
    return depth > 0.0 ? view_distance(depth) : 1e6;
}

/* A texel of `air` covers `side` x `side` pixels. */
vec4 upsample_at(sampler2D air, sampler2D depth_map, ivec2 pixel, int side)
{
    ivec2 last = textureSize(air, 0) - 1;
    vec2 place = (vec2(pixel) - float(side / 2)) / float(side), share = fract(place);
    float far = upsample_distance_at(depth_map, pixel), weights = 0.0;
    vec4 sum = vec4(0.0);
    for (int i = 0; i < 4; i++) {
        ivec2 corner = ivec2(i & 1, i >> 1), texel = clamp(ivec2(floor(place)) + corner, ivec2(0), last);
        vec2 near = mix(1.0 - share, share, vec2(corner));
        float off = (upsample_distance_at(depth_map, texel * side + side / 2) / far - 1.0) / UPSAMPLE_MAX_DIFFERENCE;
        float weight = (near.x * near.y + 1e-3) / (1.0 + off * off);
        sum += texelFetch(air, texel, 0) * weight;
        weights += weight;
    }
    return sum / weights;
}

#endif
