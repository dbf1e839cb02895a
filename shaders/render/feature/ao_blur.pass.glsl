/* Blurs along one axis over exactly one period of the pattern of ao.glsl, on the same surface. */
#ifndef RENDER_FEATURE_AO_BLUR_GLSL
#define RENDER_FEATURE_AO_BLUR_GLSL

#include "render/core/frame.glsl"

#define RESULT_BINDING 2
#define RESULT_FORMAT rg16f

layout(set = 0, binding = 1) uniform sampler2D open_map;
layout(push_constant) uniform Constants {
    vec2 direction;
};

#define TOLERANCE 0.02 /* relative to the distance */

/* Equal steps on a plane are equal steps of this value. */
float even(float distance)
{
    return frame.planes.z > 0.5 ? distance : 1.0 / distance;
}

vec4 full_screen(ivec2 pixel)
{
    ivec2 last = textureSize(open_map, 0) - 1, way = ivec2(direction);
    int along = pixel.x * way.x + pixel.y * way.y, end = last.x * way.x + last.y * way.y;
    vec2 taps[5];
    float places[5];
    int offsets[5];
    for (int i = 0; i < 5; i++) {
        /* Beyond the border: uses the tap of the same phase on the other side. */
        int offset = i - 2;
        offset += along + offset < 0 ? 4 : along + offset > end ? -4 : 0;
        offsets[i] = clamp(offset, -along, end - along);
        taps[i] = texelFetch(open_map, pixel + way * offsets[i], 0).rg;
        places[i] = even(taps[i].g);
    }
    float before = places[2] - places[1], after = places[3] - places[2];
    bool use_after = along == 0 || (along < end && abs(after) < abs(before));
    float slope = use_after ? after : before;
    float sum = taps[2].r, weights = 1.0;
    for (int i = 0; i < 5; i++) {
        float off = abs(places[i] - places[2] - slope * float(offsets[i])) / (TOLERANCE * places[2]);
        float weight = i == 2 ? 0.0 : clamp(1.0 - off, 0.0, 1.0) * (i == 0 || i == 4 ? 0.5 : 1.0);
        sum += taps[i].r * weight;
        weights += weight;
    }
    return vec4(sum / weights, taps[2].g, 0.0, 0.0);
}

#endif
