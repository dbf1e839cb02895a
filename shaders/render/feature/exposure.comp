#version 460
#extension GL_GOOGLE_include_directive : require

/* Computes the exposure from the histogram: brings the average brightness of the image to the key,
 * or closer to it. */
#include "render/feature/exposure.glsl"

layout(local_size_x = BINS) in;

layout(set = 0, binding = 0, std430) readonly buffer Histogram { uint bins[BINS]; };
layout(set = 0, binding = 1, std430) buffer Exposure { float exposure; };
layout(push_constant) uniform Constants {
    float minimum;
    float maximum;
    float share; /* adaptation step; 1: at once, whatever the previous value */
    float key;
    float strength;
};

#define DARK_SHARE 0.2    /* fraction of the darkest pixels to ignore, */
#define BRIGHT_SHARE 0.05 /* and of the brightest */

shared uint sums[BINS];
shared vec2 parts[BINS];

void main()
{
    uint i = gl_LocalInvocationIndex;
    uint count = i == 0u ? 0u : bins[i]; /* black pixels do not count */
    sums[i] = count;
    barrier();
    for (uint step = 1u; step < BINS; step *= 2u) { /* prefix sums */
        uint before = i >= step ? sums[i - step] : 0u;
        barrier();
        sums[i] += before;
        barrier();
    }
    float total = float(sums[BINS - 1]);
    float first = max(float(sums[i] - count), total * DARK_SHARE);
    float last = min(float(sums[i]), total * (1.0 - BRIGHT_SHARE));
    float counted = max(last - first, 0.0);
    parts[i] = vec2(counted * brightness_of(i), counted);
    barrier();
    for (uint step = BINS / 2; step > 0u; step /= 2u) {
        if (i < step)
            parts[i] += parts[i + step];
        barrier();
    }
    if (i != 0u)
        return;
    float before = clamp(exposure, minimum, maximum);
    float wanted = share < 1.0 ? before : 1.0; /* in a black image */
    if (parts[0].y > 0.0)
        wanted = pow(key / exp2(parts[0].x / parts[0].y), strength);
    wanted = clamp(wanted, minimum, maximum);
    exposure = share < 1.0 ? before * pow(wanted / before, share) : wanted;
}
