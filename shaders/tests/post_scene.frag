#version 460
#extension GL_GOOGLE_include_directive : require

/* What post features are tested on: a small world of exact shapes, seen by rays, and flat patterns. */
#include "render/core/frame.glsl"

layout(push_constant) uniform Constants {
    uint kind;   /* PostSceneKind */
    float value; /* of flat images; in the world: the position of the green sphere */
};

layout(location = 0) in vec2 uv;
layout(location = 0) out vec4 color;
layout(location = 1) out vec4 normal_out;

#define NOWHERE 1e9

struct Hit {
    float t;
    vec3 normal;
    vec3 albedo;
};

void hit_sphere(vec3 from, vec3 ray, vec3 center, float radius, vec3 albedo, inout Hit hit)
{
    vec3 to = from - center;
    float b = dot(to, ray), c = dot(to, to) - radius * radius, d = b * b - c;
    float t = -b - sqrt(max(d, 0.0));
    if (d > 0.0 && t > 0.0 && t < hit.t)
        hit = Hit(t, normalize(from + ray * t - center), albedo);
}

void hit_box(vec3 from, vec3 ray, vec3 low, vec3 high, vec3 albedo, inout Hit hit)
{
    vec3 a = (low - from) / ray, b = (high - from) / ray, enter = min(a, b), leave = max(a, b);
    float t = max(enter.x, max(enter.y, enter.z));
    if (t > 0.0 && t < min(leave.x, min(leave.y, leave.z)) && t < hit.t)
        hit = Hit(t, -sign(ray) * vec3(equal(vec3(t), enter)), albedo);
}

Hit hit_world(vec3 from, vec3 ray)
{
    Hit hit = Hit(NOWHERE, vec3(0.0), vec3(0.0));
    float floor_t = -from.y / ray.y;
    if (floor_t > 0.0) {
        vec2 place = floor((from + ray * floor_t).xz);
        bool odd = mod(place.x + place.y, 2.0) > 0.5;
        hit = Hit(floor_t, vec3(0.0, 1.0, 0.0), vec3(odd ? 0.25 : 0.6));
    }
    hit_box(from, ray, vec3(-6.0, -1.0, -7.0), vec3(6.0, 3.0, -6.0), vec3(0.7, 0.6, 0.5), hit);
    hit_box(from, ray, vec3(1.2, -1.0, -2.0), vec3(2.8, 1.5, -0.4), vec3(0.2, 0.4, 0.7), hit);
    hit_box(from, ray, vec3(-0.03, -1.0, -0.03), vec3(0.03, 2.2, 0.03), vec3(0.8), hit);
    hit_sphere(from, ray, vec3(-1.6, 1.0, -1.0), 1.0, vec3(0.8, 0.25, 0.2), hit);
    hit_sphere(from, ray, vec3(0.6 + value, 0.4, 1.0), 0.4, vec3(0.3, 0.7, 0.3), hit);
    hit_sphere(from, ray, vec3(5.2, 0.7, -3.5), 0.7, vec3(9.0, 6.0, 3.0), hit);
    return hit;
}

void draw_world()
{
    vec3 from = world_from_depth(uv, 1.0);
    vec3 ray = normalize(world_from_depth(uv, 0.0) - from);
    Hit hit = hit_world(from, ray);
    gl_FragDepth = 0.0;
    normal_out = vec4(0.0);
    color = vec4(mix(vec3(0.7, 0.8, 1.0), vec3(0.2, 0.4, 0.9), clamp(ray.y * 2.0, 0.0, 1.0)), 1.0);
    if (hit.t == NOWHERE)
        return;
    vec3 world = from + ray * hit.t;
    vec4 clip = frame.view_projection * vec4(world, 1.0);
    if (clip.z <= 0.0)
        return; /* beyond the far plane */
    gl_FragDepth = clip.z / clip.w;
    normal_out = vec4(hit.normal, 0.0);
    float light = max(dot(hit.normal, normalize(vec3(0.4, 0.8, 0.5))), 0.0);
    color = vec4(hit.albedo * (0.25 + 0.9 * light), 1.0);
}

void main()
{
    ivec2 pixel = ivec2(gl_FragCoord.xy), middle = ivec2(frame.size.xy) / 2;
    gl_FragDepth = 0.5;
    normal_out = vec4(0.0, 0.0, 1.0, 0.0);
    if (kind == 0u) {
        draw_world();
    } else if (kind == 1u) { /* one color */
        color = vec4(vec3(value), 1.0);
    } else if (kind == 2u) { /* a gradient */
        color = vec4(vec3(uv.x * value), 1.0);
    } else if (kind == 3u) { /* three dots on black */
        bool dot = all(equal(pixel, middle)) || all(equal(pixel, middle / 2)) ||
                   all(lessThan(abs(pixel - middle * 3 / 2), ivec2(3)));
        color = vec4(vec3(dot ? value : 0.0), 1.0);
    } else if (kind == 4u) { /* gray, with what is no color */
        float bad[3] = float[](uintBitsToFloat(0x7fc00000u), uintBitsToFloat(0x7f800000u),
                               uintBitsToFloat(0xff800000u));
        int which = pixel.y == middle.y && pixel.x % 16 == 8 ? (pixel.x / 16) % 3 : -1;
        color = vec4(vec3(which >= 0 ? bad[which] : value), 1.0);
    } else { /* white in front of black, the edge in the middle; depth is near on the left */
        bool left = pixel.x < middle.x;
        gl_FragDepth = left ? value : 0.0;
        color = vec4(vec3(left ? 1.0 : 0.0), 1.0);
    }
}
