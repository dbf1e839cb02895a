/*
 * Visibility of the sky above a surface, at half resolution: horizons along lines through the
 * pixel, and the integral of the cosine between them (Jimenez et al., Practical Real-Time
 * Strategies for Accurate Indirect Occlusion, 2016). Two lines of 2 x 4 steps; their angles and
 * steps vary over 4 x 4 pixels, which the blur combines.
 */
#ifndef RENDER_FEATURE_AO_GLSL
#define RENDER_FEATURE_AO_GLSL

#include "render/core/frame.glsl"

#define RESULT_BINDING 3
#define RESULT_FORMAT rg16f

layout(set = 0, binding = 1) uniform sampler2D depth_map;
layout(set = 0, binding = 2) uniform sampler2D normal_map;
layout(push_constant) uniform Constants {
    float radius;
    float has_normals;
};

#define PI 3.14159265
#define LINES 2
#define STEPS 4
#define LARGEST_RADIUS 0.2 /* fraction of the image height: limits the reach on near surfaces */
#define LARGEST_DISTANCE 65000.0

float depth_at(ivec2 pixel)
{
    return texelFetch(depth_map, clamp(pixel, ivec2(0), textureSize(depth_map, 0) - 1), 0).r;
}

/* In camera space: x right, y up, looking along -z. */
vec3 position_at(ivec2 pixel)
{
    float distance = view_distance(depth_at(pixel));
    float w = frame.planes.z > 0.5 ? 1.0 : distance;
    vec2 clip = ((vec2(pixel) + 0.5) * frame.size.zw * 2.0 - 1.0) * w;
    clip += frame.projection[2].xy * distance - frame.projection[3].xy;
    return vec3(clip / vec2(frame.projection[0][0], frame.projection[1][1]), -distance);
}

/* Uses the neighbors on the side where the surface continues. */
vec3 normal_from_depth(ivec2 pixel, vec3 position)
{
    vec3 right = position_at(pixel + ivec2(1, 0)) - position;
    vec3 left = position - position_at(pixel - ivec2(1, 0));
    vec3 down = position_at(pixel + ivec2(0, 1)) - position;
    vec3 up = position - position_at(pixel - ivec2(0, 1));
    ivec2 last = textureSize(depth_map, 0) - 1;
    bool use_left = pixel.x == last.x || (pixel.x > 0 && abs(left.z) < abs(right.z));
    bool use_up = pixel.y == last.y || (pixel.y > 0 && abs(up.z) < abs(down.z));
    vec3 normal = cross(use_up ? up : down, use_left ? left : right);
    float size = length(normal);
    normal = size > 0.0 ? normal / size : vec3(0.0, 0.0, 1.0);
    return dot(normal, position) > 0.0 ? -normal : normal;
}

/* Returns the cosine of the highest horizon on one side. */
float horizon(ivec2 pixel, vec3 position, vec3 normal, vec3 to_eye, vec2 reach, float jitter, float lowest)
{
    ivec2 last = textureSize(depth_map, 0) - 1;
    float highest = lowest;
    vec2 first = normalize(reach);
    for (int i = 0; i < STEPS; i++) {
        float t = (float(i) + jitter) / float(STEPS);
        vec2 offset = reach * (t * t) + first;
        ivec2 other = pixel + ivec2(round(offset));
        if (any(lessThan(other, ivec2(0))) || any(greaterThan(other, last)))
            break; /* outside of the image is unoccluded */
        vec3 delta = position_at(other) - position;
        float size = length(delta);
        /* Ignores small rises: whole pixels are not exactly on the line, and surfaces have
         * facets. */
        float rise = smoothstep(0.02, 0.12, dot(delta, normal) / max(size, 1e-6));
        float weight = clamp(2.0 - 2.0 * size / radius, 0.0, 1.0) * rise;
        highest = max(highest, mix(lowest, dot(delta, to_eye) / max(size, 1e-6), weight));
    }
    return highest;
}

float open_along(ivec2 pixel, vec3 position, vec3 normal, vec3 to_eye, float angle, float pixels,
                 float jitter)
{
    /* Even angles around the ray, not in the image: towards its borders they differ. */
    vec3 side = normalize(cross(vec3(0.0, 1.0, 0.0), to_eye));
    vec3 tangent = side * cos(angle) + cross(to_eye, side) * sin(angle);
    vec3 axis = cross(tangent, to_eye);
    vec3 projected = normal - axis * dot(normal, axis);
    float size = length(projected);
    if (size < 1e-4)
        return 0.0;
    float cosine = clamp(dot(projected, to_eye) / size, -1.0, 1.0);
    float tilt = sign(dot(projected, tangent)) * acos(cosine);
    /* The same in the image, whose y may be flipped. */
    vec2 way = tangent.xy + (frame.planes.z > 0.5 ? vec2(0.0) : position.xy * (tangent.z / -position.z));
    vec2 reach = normalize(way * vec2(frame.projection[0][0], frame.projection[1][1]) *
                           frame.size.xy) * pixels;
    float front = horizon(pixel, position, normal, to_eye, reach, jitter, cos(tilt + PI / 2.0));
    float back = horizon(pixel, position, normal, to_eye, -reach, jitter, cos(tilt - PI / 2.0));
    float h1 = acos(clamp(front, -1.0, 1.0)), h0 = -acos(clamp(back, -1.0, 1.0));
    float arc = 2.0 * cosine + 2.0 * (h0 + h1) * sin(tilt) - cos(2.0 * h1 - tilt) - cos(2.0 * h0 - tilt);
    return size * arc / 4.0;
}

/* Returns the visibility of a half-resolution pixel and its distance. */
vec4 full_screen(ivec2 place)
{
    ivec2 pixel = min(place * 2, textureSize(depth_map, 0) - 1);
    float depth = depth_at(pixel);
    vec3 position = position_at(pixel);
    float distance = -position.z;
    vec4 open = vec4(1.0, min(distance, LARGEST_DISTANCE), 0.0, 0.0);
    float pixels = radius * abs(frame.projection[1][1]) * 0.5 * frame.size.y;
    if (frame.planes.z < 0.5)
        pixels /= distance;
    pixels = min(pixels, LARGEST_RADIUS * frame.size.y);
    if (depth <= 0.0 || pixels < 1.0)
        return open;

    vec3 normal = has_normals > 0.5 ? mat3(frame.view) * texelFetch(normal_map, pixel, 0).xyz
                                    : normal_from_depth(pixel, position);
    normal = normalize(normal);
    vec3 to_eye = frame.planes.z > 0.5 ? vec3(0.0, 0.0, 1.0) : normalize(-position);
    const int turns[16] = int[](0, 8, 2, 10, 12, 4, 14, 6, 3, 11, 1, 9, 15, 7, 13, 5);
    ivec2 cell = place & 3;
    float turn = (float(turns[cell.y * 4 + cell.x]) + 0.5) / 16.0;
    float jitter = (float(turns[cell.x * 4 + (3 - cell.y)]) + 0.5) / 16.0;
    float sum = 0.0;
    for (int i = 0; i < LINES; i++)
        sum += open_along(pixel, position, normal, to_eye, (float(i) + turn) * PI / float(LINES),
                          pixels, jitter);
    open.x = sum / float(LINES); /* exceeds 1 along some lines, but their mean does not */
    return open;
}

#endif
