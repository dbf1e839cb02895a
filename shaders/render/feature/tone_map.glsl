/* Converts scene light to display colors. */
#ifndef RENDER_FEATURE_TONE_MAP_GLSL
#define RENDER_FEATURE_TONE_MAP_GLSL

#include "render/feature/post.glsl"

#define TONE_ACES 1u
#define TONE_ENCODE 2u

/* Narkowicz's fit of the ACES curve. */
vec3 aces(vec3 x)
{
    return clamp(x * (2.51 * x + 0.03) / (x * (2.43 * x + 0.59) + 0.14), 0.0, 1.0);
}

vec3 srgb_encode(vec3 x)
{
    return mix(1.055 * pow(x, vec3(1.0 / 2.4)) - 0.055, x * 12.92, lessThanEqual(x, vec3(0.0031308)));
}

/*
 * Triangular noise of one 8-bit step up and down, so that rounding leaves neither banding nor
 * color-dependent noise. Within half a step of black and white it is uniform noise of half a step,
 * so that these stay exact. The mean is preserved everywhere. Rounded here, because not every GPU
 * rounds exactly when writing 8 bits.
 */
vec3 dither(vec3 color, uvec2 pixel)
{
    uvec3 bits = hash3(uvec3(pixel, 0u));
    vec3 first = vec3(bits & 0xffffu) / 65536.0, second = vec3(bits >> 16u) / 65536.0;
    vec3 steps = color * 255.0;
    bvec3 at_end = lessThan(min(steps, 255.0 - steps), vec3(0.5));
    vec3 even = (first - 0.5) * 0.99; /* white that pow leaves slightly darker stays white */
    return floor(steps + mix(first - second, even, at_end) + 0.5) / 255.0;
}

vec3 tone_map(vec3 hdr, float exposure, uint flags, uvec2 pixel)
{
    /* Brighter values make no visible difference, and the limit keeps the square finite. */
    vec3 color = min(safe_color(hdr) * exposure, 1e4);
    color = (flags & TONE_ACES) != 0u ? aces(color) : clamp(color, 0.0, 1.0);
    if ((flags & TONE_ENCODE) == 0u)
        return color;
    return dither(srgb_encode(color), pixel);
}

#endif
