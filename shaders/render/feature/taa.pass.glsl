/*
 * Combines jittered frames. The history of a pixel is found through its depth, clipped to the
 * current neighborhood (variance clipping, Salvi 2016), and blended with the current color.
 * TAA_STILL: the camera does not move.
 */
#ifndef RENDER_FEATURE_TAA_GLSL
#define RENDER_FEATURE_TAA_GLSL

#include "render/core/frame.glsl"
#include "render/feature/post.glsl"

#define RESULT_BINDING 6
#define RESULT_FORMAT rgba16f
#define SECOND_RESULT_FORMAT rgba16f
#define THIRD_RESULT_FORMAT r16f

layout(set = 0, binding = 1) uniform sampler2D hdr;
layout(set = 0, binding = 2) uniform sampler2D depth_map;
layout(set = 0, binding = 3) uniform sampler2D history;
layout(set = 0, binding = 4) uniform sampler2D spread_map;
layout(set = 0, binding = 5) uniform sampler2D moving_map;
layout(push_constant) uniform Constants {
    float blend;   /* minimum weight of the current frame, where something moves */
    float is_new;  /* there is no history */
    float has_moving;
    float has_stars; /* small points of the rotating sky */
};

#define WIDTH 1.25          /* of the neighborhood box, in standard deviations */
#define ROUND 16.0 /* length of the jitter sequence, after which the range of a pixel is known */
#define STILL_FRAMES 32.0   /* from here on a still image hardly changes */
#define MAX_FRAMES 64.0
#define MOVING_FRAMES 5.0   /* for water: waves must not be blurred */
#define STAR_FRAMES 4.0     /* for stars and the moon, which rotate */
#define STAR_CONTRAST 1.3   /* to its neighborhood */
#define MOON 0.33           /* at night, nothing else in the sky is as bright */
/* times the deviation: the content has changed; one frame of two sequences may be far off */
#define CHANGE 40.0
#define SMALLEST_CHANGE 1e-4

/* Bright pixels would dominate, so colors are compressed for blending. */
vec3 to_mix(vec3 color)
{
    color = color / (1.0 + max(color.r, max(color.g, color.b)));
    float y = dot(color, vec3(0.25, 0.5, 0.25));
    return vec3(y, 0.5 * (color.r - color.b), 0.5 * color.g - 0.25 * (color.r + color.b));
}

vec3 from_mix(vec3 mixed)
{
    float base = mixed.x - mixed.z;
    vec3 color = max(vec3(base + mixed.y, mixed.x + mixed.z, base - mixed.y), 0.0);
    return min(color / max(1.0 - max(color.r, max(color.g, color.b)), 1.0 / LARGEST_COLOR),
               LARGEST_COLOR);
}

#ifdef TAA_STILL

vec4 find_history(ivec2 pixel)
{
    return texelFetch(history, pixel, 0);
}

#else

/* In uv. Uses the nearest of the neighbors, so that edges move with the foreground. */
vec2 movement(ivec2 pixel)
{
    ivec2 last = textureSize(depth_map, 0) - 1, nearest = pixel;
    float depth = texelFetch(depth_map, pixel, 0).r;
    for (int i = 0; i < 4; i++) {
        ivec2 other = clamp(pixel + ivec2(i & 1, i >> 1) * 2 - 1, ivec2(0), last);
        float d = texelFetch(depth_map, other, 0).r;
        nearest = d > depth ? other : nearest;
        depth = max(depth, d);
    }
    vec2 uv = (vec2(nearest) + 0.5) * frame.size.zw;
    vec4 world = frame.inverse_view_projection * vec4(uv * 2.0 - 1.0, depth, 1.0);
    vec4 now = frame.unjittered_view_projection * world, before = frame.previous_view_projection * world;
    return (now.xy / now.w - before.xy / before.w) * 0.5;
}

/* Catmull-Rom with five filtered reads; the corners have almost no weight. */
vec4 sharp_history(vec2 uv)
{
    vec2 size = vec2(textureSize(history, 0)), place = uv * size;
    vec2 center = floor(place - 0.5) + 0.5, f = place - center;
    vec2 w0 = f * (-0.5 + f * (1.0 - 0.5 * f)), w1 = 1.0 + f * f * (-2.5 + 1.5 * f);
    vec2 w2 = f * (0.5 + f * (2.0 - 1.5 * f)), w3 = f * f * (-0.5 + 0.5 * f);
    vec2 w12 = w1 + w2;
    vec2 at0 = (center - 1.0) / size, at12 = (center + w2 / w12) / size, at3 = (center + 2.0) / size;
    vec4 middle = textureLod(history, at12, 0.0);
    vec3 sum = middle.rgb * (w12.x * w12.y);
    sum += textureLod(history, vec2(at12.x, at0.y), 0.0).rgb * (w12.x * w0.y);
    sum += textureLod(history, vec2(at0.x, at12.y), 0.0).rgb * (w0.x * w12.y);
    sum += textureLod(history, vec2(at3.x, at12.y), 0.0).rgb * (w3.x * w12.y);
    sum += textureLod(history, vec2(at12.x, at3.y), 0.0).rgb * (w12.x * w3.y);
    float weight = w12.x * w12.y + w12.x * (w0.y + w3.y) + w12.y * (w0.x + w3.x);
    return vec4(safe_color(sum / weight), middle.a);
}

/* Returns zero, with a frame count of zero, if there is no history. */
vec4 find_history(ivec2 pixel)
{
    vec2 from = (vec2(pixel) + 0.5) * frame.size.zw - movement(pixel);
    bool inside = all(greaterThanEqual(from, vec2(0.0))) && all(lessThanEqual(from, vec2(1.0)));
    return inside ? sharp_history(from) : vec4(0.0);
}

#endif

/* Distance to the side of the box from its center, relative to `value`; at least 1 inside. The
 * history is rounded: a box as thin as a single color still contains it. */
float way_out(vec3 value, vec3 low, vec3 high)
{
    vec3 ratio = abs(value - (low + high) * 0.5) / ((high - low) * 0.5 + 0.003 * high.x + 1e-5);
    return 1.0 / max(max(ratio.x, max(ratio.y, ratio.z)), 1e-5);
}

vec3 color_at(ivec2 pixel)
{
    pixel = clamp(pixel, ivec2(0), textureSize(hdr, 0) - 1);
    return to_mix(safe_color(texelFetch(hdr, pixel, 0).rgb));
}

#ifdef TAA_STILL
/* Extends the box by the first `count` of the 16 texels around the 9 neighbors. */
void widen(ivec2 pixel, int count, inout vec3 low, inout vec3 high)
{
    for (int i = 0; i < count; i++) {
        int side = i >> 2, along = (i & 3) - 2;
        ivec2 offset = side == 0   ? ivec2(along, -2)
                       : side == 1 ? ivec2(2, along)
                       : side == 2 ? ivec2(-along, 2)
                                   : ivec2(-2, -along);
        vec3 value = color_at(pixel + offset);
        low = min(low, value);
        high = max(high, value);
    }
}
#endif

/* Returns the history, with its frame count in alpha; the output color; and the mean squared
 * deviation of frames from the history. */
vec4 full_screen(ivec2 pixel, out vec4 color, out vec4 spread)
{
    vec3 now = color_at(pixel), sum = vec3(0.0), squares = vec3(0.0), low = now, high = now;
    for (int i = 0; i < 9; i++) {
        vec3 value = i == 4 ? now : color_at(pixel + ivec2(i % 3, i / 3) - 1);
        sum += value;
        squares += value * value;
        low = min(low, value);
        high = max(high, value);
    }
    vec3 mean = sum / 9.0, deviation = sqrt(max(squares / 9.0 - mean * mean, 0.0)) * WIDTH;
    vec3 box_low = mean - deviation, box_high = mean + deviation;
    vec4 found = is_new < 0.5 ? find_history(pixel) : vec4(0.0);
    vec3 before = to_mix(safe_color(found.rgb));
    bool is_moving = has_moving > 0.5 && texelFetch(moving_map, pixel, 0).a > 0.0;
    /* A star that is or was here, or the moon. */
    bool is_star = per_pixel(has_stars, now.x) > 0.5 && texelFetch(depth_map, pixel, 0).r <= 0.0 &&
                   max(high.x, before.x) > min(mean.x * STAR_CONTRAST + 0.005, MOON);
    is_moving = is_moving || is_star;
    float most_frames = is_star ? STAR_FRAMES : is_moving ? MOVING_FRAMES : MAX_FRAMES;
#ifdef TAA_STILL
    float frames = min(found.a, most_frames), known_spread = texelFetch(spread_map, pixel, 0).r;
    box_low = is_moving ? box_low : min(box_low, low);
    box_high = is_moving ? box_high : max(box_high, high);
    bool is_known = frames >= ROUND;
    bool is_other = is_known && dot(now - before, now - before) > known_spread * CHANGE + SMALLEST_CHANGE;
    if (is_other)
        frames = 0.0;
    /* Jitter moves fine detail in and out of the neighborhood: only values that no neighbor has
     * are outdated. */
    float t = way_out(before, box_low, box_high);
    widen(pixel, is_known && !is_other && t < 1.0 ? 16 : 0, box_low, box_high);
    t = way_out(before, box_low, box_high);
    before = mix((box_low + box_high) * 0.5, before, min(t, 1.0));
    frames = min(frames + 1.0, is_known && t < 1.0 ? 1.0 / blend : most_frames);
    spread = vec4(frames > 1.0 ? mix(known_spread, dot(now - before, now - before), 1.0 / frames) : 0.0);
#else
    before = mix(mean, before, min(way_out(before, box_low, box_high), 1.0));
    float frames = min(found.a + 1.0, min(1.0 / blend, most_frames));
    spread = vec4(0.0);
#endif
    float slow = max(frames - STILL_FRAMES, 0.0);
    /* The first frame uses only the current color. */
    color = vec4(from_mix(mix(before, now, 1.0 / (frames + slow * 16.0))), 1.0);
    return vec4(color.rgb, frames);
}

#endif
