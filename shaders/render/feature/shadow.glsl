/*
 * Shadows of the sun and of point and spot lights, drawn by the feature "Shadows".
 *
 * Includers may define other binding numbers first. The block is CniRenderShadowData in
 * src/render/feature/shadows.h; all zeros: no shadows. `normal` should be that of the geometry; one from a
 * normal map works as well.
 */
#ifndef RENDER_FEATURE_SHADOW_GLSL
#define RENDER_FEATURE_SHADOW_GLSL

#include "render/core/frame.glsl"

#ifndef SHADOW_DATA_BINDING
#define SHADOW_DATA_BINDING 8
#endif
#ifndef SHADOW_SUN_BINDING
#define SHADOW_SUN_BINDING 9 /* nearest, clamped */
#endif
#ifndef SHADOW_ATLAS_BINDING
#define SHADOW_ATLAS_BINDING 11 /* compared: less or equal, linear */
#endif

layout(set = 0, binding = SHADOW_DATA_BINDING, std140) uniform Shadow {
    mat4 cascades[4]; /* from world space to u, v and depth */
    /* meters per texel; meters of the depth range; distances at which blending begins and ends */
    vec4 cascade_numbers[4];
    /* number of cascades; 1 / size; tangent of half the sun's angular diameter; widest search in
     * meters */
    vec4 sun;
    vec4 atlas; /* width and height of a tile in the atlas; the same of a texel */
    vec4 lights[16]; /* meters per texel at distance 1; near and far plane; unused */
    mat4 tiles[96]; /* from world space into the atlas, times w */
} shadow;
layout(set = 0, binding = SHADOW_SUN_BINDING) uniform sampler2DArray shadow_sun;
layout(set = 0, binding = SHADOW_ATLAS_BINDING) uniform sampler2DShadow shadow_atlas;

const int SHADOW_SEARCH_TAPS = 8;
const int SHADOW_FILTER_TAPS = 16;
const float SHADOW_MIN_RADIUS = 2.0; /* of the filter, in texels: hides their steps */

/* Interleaved gradient noise (Jimenez 2014): constant per pixel over all frames, except where TAA
 * blends them. */
float shadow_noise(vec2 pixel)
{
    if (per_pixel(abs(frame.jitter.x) + abs(frame.jitter.y), pixel.x) > 0.0)
        pixel += 5.588238 * float(frame.counts.w & 63u);
    return fract(52.9829189 * fract(dot(pixel, vec2(0.06711056, 0.00583715))));
}

/* Points that fill a disc evenly (Vogel): each is rotated by the golden angle. */
const mat2 SHADOW_TURN = mat2(-0.73736888, 0.67549029, -0.67549029, -0.73736888);
float shadow_tap_radius(int i, int count)
{
    return sqrt((float(i) + 0.5) / float(count));
}

/*
 * Offset along the normal such that no point of the filter disc, which faces the light, is behind
 * the surface: its radius times the sine of the angle between them. That is sufficient for planes
 * at any angle; the rest is for curved surfaces.
 */
vec3 shadow_offset(vec3 normal, float facing, float radius)
{
    float sine = sqrt(max(1.0 - facing * facing, 0.0));
    return normal * (radius * (0.2 + 0.8 * sine));
}

/* Mean distance in meters from the surface to occluders of the sun; negative: none. */
float sun_blocker(uint cascade, vec3 world, vec3 normal, float facing, float radius, vec2 way)
{
    vec4 numbers = shadow.cascade_numbers[cascade];
    float uv_per_meter = shadow.sun.y / numbers.x;
    mat4 matrix = shadow.cascades[cascade];
    vec3 place = (matrix * vec4(world + shadow_offset(normal, facing, 2.0 * numbers.x), 1.0)).xyz;
    /* Depth gradient of the surface's plane. */
    vec2 slope = (mat3(matrix) * normal).xy / (uv_per_meter * max(facing, 0.1));
    float sum = 0.0, count = 0.0;
    for (int i = 0; i < SHADOW_SEARCH_TAPS; i++) {
        /* Denser in the middle: small near occluders count as much as wide distant ones. */
        float part = (float(i) + 0.5) / float(SHADOW_SEARCH_TAPS);
        vec2 tap = radius * part * sqrt(part) * way;
        way = SHADOW_TURN * way;
        float plane = place.z + dot(slope, tap) / numbers.y;
        float depth = textureLod(shadow_sun, vec3(place.xy + tap * uv_per_meter, cascade), 0.0).r;
        if (depth < plane) {
            sum += plane - depth;
            count += 1.0;
        }
    }
    return count > 0.0 ? sum / count * numbers.y : -1.0;
}

/* Emulates a comparison sampler over four texels: maps written by compute shaders cannot use
 * one. */
float sun_compare(uint cascade, vec2 at, float depth)
{
    vec2 place = at / shadow.sun.y - 0.5, first = floor(place), part = place - first;
    vec4 light = step(vec4(depth), textureGather(shadow_sun, vec3((first + 1.0) * shadow.sun.y, float(cascade))));
    vec2 rows = mix(light.wx, light.zy, part.x);
    return mix(rows.x, rows.y, part.y);
}

float sun_cascade(uint cascade, vec3 world, vec3 normal, float facing, vec2 way)
{
    vec4 numbers = shadow.cascade_numbers[cascade];
    float widest = max(shadow.sun.w, 3.0 * numbers.x);
    float blocker = sun_blocker(cascade, world, normal, facing, widest, way);
    float radius = clamp(blocker * shadow.sun.z, SHADOW_MIN_RADIUS * numbers.x, widest);
    vec3 start = world + shadow_offset(normal, facing, radius + numbers.x);
    vec3 place = (shadow.cascades[cascade] * vec4(start, 1.0)).xyz;
    float radius_uv = radius * shadow.sun.y / numbers.x;
    int taps = blocker < 0.0 ? 1 : SHADOW_FILTER_TAPS;
    float light = 0.0;
    int i = 0;
    do {
        vec2 tap = radius_uv * shadow_tap_radius(i, SHADOW_FILTER_TAPS) * way;
        way = SHADOW_TURN * way;
        light += sun_compare(cascade, place.xy + tap, place.z);
    } while (++i < taps);
    return blocker < 0.0 ? 1.0 : light / float(SHADOW_FILTER_TAPS);
}

/* Returns whether shadows fade out or have ended here. */
bool is_beyond_shadows(vec3 world)
{
    uint count = uint(shadow.sun.x);
    float distance = dot(world - frame.camera.xyz, frame.forward.xyz);
    return count > 0u && distance >= shadow.cascade_numbers[max(count, 1u) - 1u].z;
}

/*
 * Visibility of the sun: 1 fully visible, 0 occluded. `pixel` is gl_FragCoord.xy or equivalent;
 * `beyond` is the value beyond the range of shadows. Unneeded work is skipped with loops without
 * iterations, because CPU drivers execute both sides of an if.
 */
float sun_shadow(vec3 world, vec3 normal, vec2 pixel, float beyond)
{
    uint count = uint(shadow.sun.x);
    float facing = dot(normal, frame.sun_direction.xyz);
    float distance = dot(world - frame.camera.xyz, frame.forward.xyz);
    uint cascade = 0u;
    while (cascade < count && distance >= shadow.cascade_numbers[cascade].w)
        cascade++;
    if (cascade == count)
        return beyond;
    vec2 band = shadow.cascade_numbers[cascade].zw;
    float next = distance > band.x ? smoothstep(band.x, band.y, distance) : 0.0;
    uint end = facing <= 0.0 ? cascade : min(cascade + (next > 0.0 ? 2u : 1u), count);
    float turn = shadow_noise(pixel) * 6.2831853;
    vec2 way = vec2(cos(turn), sin(turn));
    float light = cascade + 1u == count && facing > 0.0 ? next * beyond : 0.0;
    uint i = cascade;
    do {
        light += sun_cascade(i, world, normal, facing, way) * (i == cascade ? 1.0 - next : next);
    } while (++i < end);
    return facing > 0.0 ? light : 0.0;
}

/* The face of a point light: +x, -x, +y, -y, +z, -z. */
uint light_face(vec3 way)
{
    vec3 size = abs(way);
    if (size.x >= size.y && size.x >= size.z)
        return way.x >= 0.0 ? 0u : 1u;
    if (size.y >= size.z)
        return way.y >= 0.0 ? 2u : 3u;
    return way.z >= 0.0 ? 4u : 5u;
}

/* A 5 x 5 tent filter in nine filtered taps; only the first row of them if `rows` is 1. */
float atlas_filter(vec2 at, float depth, int rows)
{
    vec2 texel = max(shadow.atlas.zw, 1e-6);
    vec2 place = at / texel;
    vec2 base = floor(place + 0.5);
    vec2 part = place + 0.5 - base;
    vec2 first = 4.0 - 3.0 * part, last = 1.0 + 3.0 * part;
    vec2 before = (3.0 - 2.0 * part) / first - 2.0, middle = (3.0 + part) / 7.0, after = part / last + 2.0;
    vec3 across = (base.x - 0.5 + vec3(before.x, middle.x, after.x)) * texel.x;
    vec3 down = (base.y - 0.5 + vec3(before.y, middle.y, after.y)) * texel.y;
    vec3 weights = vec3(first.y, 7.0, last.y);
    float sum = 0.0;
    int row = 0;
    do {
        float y = row == 0 ? down.x : row == 1 ? down.y : down.z;
        float weight = row == 0 ? weights.x : row == 1 ? weights.y : weights.z;
        sum += weight * (first.x * textureLod(shadow_atlas, vec3(across.x, y, depth), 0.0) +
                         7.0 * textureLod(shadow_atlas, vec3(across.y, y, depth), 0.0) +
                         last.x * textureLod(shadow_atlas, vec3(across.z, y, depth), 0.0));
    } while (++row < rows);
    return sum / 144.0;
}

/* Visibility of a point or spot light. */
float light_shadow(uint light_index, Light light, vec3 world, vec3 normal)
{
    uint place = max(light.shadow, 1u) - 1u;
    vec4 numbers = shadow.lights[place];
    vec3 way = world - light.position, size = abs(way);
    float facing = -dot(normal, way);
    bool is_point = light.kind == 1u;
    float ahead = is_point ? max(size.x, max(size.y, size.z)) : dot(way, light.direction);
    uint face = is_point ? light_face(way) : 0u;
    vec3 axis = is_point ? vec3(face / 2u == 0u, face / 2u == 1u, face / 2u == 2u) : light.direction;
    /* The filter is perpendicular to the axis; from its center to a corner it has slightly more
     * than four texels. */
    float radius = 4.4 * numbers.x * max(ahead, numbers.y);
    vec3 start = world + shadow_offset(normal, min(abs(dot(normal, axis)), 1.0), radius);
    vec4 at = shadow.tiles[place * 6u + face] * vec4(start, 1.0);
    at.xyz /= max(at.w, numbers.y);
    vec2 corner = vec2(face, place) * shadow.atlas.xy, margin = 3.0 * shadow.atlas.zw;
    bool is_inside = light.shadow != 0u && at.w > numbers.y && all(greaterThan(at.xy, corner + margin)) &&
                     all(lessThan(at.xy, corner + shadow.atlas.xy - margin));
    float light_seen = atlas_filter(at.xy, at.z, is_inside && facing > 0.0 ? 3 : 1);
    if (light.shadow != 0u && facing <= 0.0)
        return 0.0;
    return is_inside ? light_seen : 1.0;
}

#endif
