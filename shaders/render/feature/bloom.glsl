/* Bloom down and up a chain of half-size levels (Jimenez, Next Generation Post Processing in Call
 * of Duty, 2014). */
#ifndef RENDER_FEATURE_BLOOM_GLSL
#define RENDER_FEATURE_BLOOM_GLSL

#include "render/feature/post.glsl"

/* The part above the threshold, with a soft knee below it. */
vec3 bright_part(vec3 color, float threshold, float knee)
{
    float brightness = max(color.r, max(color.g, color.b));
    float soft = clamp(brightness - threshold + knee, 0.0, 2.0 * knee);
    soft = soft * soft / (4.0 * knee + 1e-4);
    return color * (max(soft, brightness - threshold) / max(brightness, 1e-4));
}

/* 13 reads around a pixel: 4 between its own texels and 9 around those. They form five overlapping
 * boxes. */
#define DOWN_TAPS 13

/* Position of a half-size pixel. */
vec2 half_uv(sampler2D source, ivec2 pixel)
{
    return (vec2(pixel) + 0.5) / vec2((textureSize(source, 0) + 1) / 2);
}

vec4 down_tap(sampler2D source, vec2 uv, vec2 texel, int i)
{
    ivec2 offset = i < 4 ? ivec2(i & 1, i >> 1) * 2 - 1 : (ivec2(i - 4) / ivec2(1, 3) % 3 - 1) * 2;
    float weight = i < 4 ? 0.125 : float((4 - abs(offset.x)) * (4 - abs(offset.y))) / 128.0;
    return vec4(safe_color(textureLod(source, uv + vec2(offset) * texel, 0.0).rgb), weight);
}

vec3 bloom_down(sampler2D source, vec2 uv)
{
    vec2 texel = 1.0 / vec2(textureSize(source, 0));
    vec3 sum = vec3(0.0);
    for (int i = 0; i < DOWN_TAPS; i++) {
        vec4 tap = down_tap(source, uv, texel, i);
        sum += tap.rgb * tap.a;
    }
    return sum;
}

/* The first step keeps bright parts only, with less weight for brighter ones (Karis), because
 * single pixels would flicker. */
vec3 bloom_first(sampler2D source, vec2 uv, float threshold, float knee)
{
    vec2 texel = 1.0 / vec2(textureSize(source, 0));
    vec3 sum = vec3(0.0);
    float weights = 0.0;
    for (int i = 0; i < DOWN_TAPS; i++) {
        vec4 tap = down_tap(source, uv, texel, i);
        vec3 color = bright_part(tap.rgb, threshold, knee);
        float weight = tap.a / (1.0 + luminance(color));
        sum += color * weight;
        weights += weight;
    }
    return sum / weights;
}

/* A 3 x 3 tent filter, from filtered reads half a texel to each side. */
vec3 bloom_tent(sampler2D source, vec2 uv)
{
    vec2 texel = 1.0 / vec2(textureSize(source, 0));
    vec3 sum = vec3(0.0);
    for (int i = 0; i < 4; i++)
        sum += textureLod(source, uv + (vec2(i & 1, i >> 1) - 0.5) * texel, 0.0).rgb;
    return sum * 0.25;
}

#endif
