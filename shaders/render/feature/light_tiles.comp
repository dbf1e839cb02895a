#version 460
/*
 * Finds the lights that touch each tile of 16 x 16 pixels: two bit sets per tile, in the order of
 * lights. The first contains lights that touch the depth range drawn there, the second those that
 * touch anything from the camera to the farthest depth, for blended geometry.
 */
#include "render/core/frame.glsl"

layout(local_size_x = 64) in;

layout(set = 0, binding = 1, std430) readonly buffer Lights { Light lights[]; };
layout(set = 0, binding = 2) uniform sampler2D depth_map;
layout(set = 0, binding = 3, std430) writeonly buffer LightTiles { uint light_tiles[]; };

const uint TILE = 16u;
const uint MAX_WORDS = 32u;

shared uint least_depth, most_depth;
shared uint opaque_bits[MAX_WORDS], front_bits[MAX_WORDS];

/* Depth is not negative, so its bits have the same order. */
void find_depths(uvec2 tile)
{
    uint least = 0xFFFFFFFFu, most = 0u;
    for (uint i = gl_LocalInvocationIndex; i < TILE * TILE; i += 64u) {
        uvec2 texel = tile * TILE + uvec2(i % TILE, i / TILE);
        if (any(greaterThanEqual(texel, uvec2(frame.size.xy))))
            continue;
        uint depth = floatBitsToUint(max(texelFetch(depth_map, ivec2(texel), 0).r, 0.0));
        least = min(least, depth);
        most = max(most, depth);
    }
    atomicMin(least_depth, least);
    atomicMax(most_depth, most);
}

vec4 projection_row(int row)
{
    return vec4(frame.projection[0][row], frame.projection[1][row], frame.projection[2][row],
                frame.projection[3][row]);
}

/* The sides of the tile, in view space; normals point inwards. */
void tile_planes(uvec2 tile, out vec4 planes[4])
{
    vec2 low = vec2(tile * TILE) * frame.size.zw * 2.0 - 1.0;
    vec2 high = vec2((tile + 1u) * TILE) * frame.size.zw * 2.0 - 1.0;
    vec4 x = projection_row(0), y = projection_row(1), w = projection_row(3);
    planes = vec4[4](x - low.x * w, high.x * w - x, y - low.y * w, high.y * w - y);
    for (int i = 0; i < 4; i++)
        planes[i] *= inversesqrt(max(dot(planes[i].xyz, planes[i].xyz), 1e-30));
}

/* The bounding sphere of a light: smaller than its range for narrow cones. */
vec4 light_sphere(Light light)
{
    if (light.kind != 2u)
        return vec4(light.position, light.range);
    float c = light.outer_cosine;
    if (c < 0.70710678) {
        if (c < 0.0)
            return vec4(light.position, light.range);
        return vec4(light.position + light.direction * (light.range * c),
                    light.range * sqrt(1.0 - c * c));
    }
    float radius = light.range / (2.0 * c);
    return vec4(light.position + light.direction * radius, radius);
}

void main()
{
    uvec2 tile = gl_WorkGroupID.xy;
    uint thread = gl_LocalInvocationIndex;
    uint words = (frame.counts.x + 31u) / 32u;
    if (thread == 0u) {
        least_depth = 0xFFFFFFFFu;
        most_depth = 0u;
    }
    for (uint i = thread; i < MAX_WORDS; i += 64u) {
        opaque_bits[i] = 0u;
        front_bits[i] = 0u;
    }
    barrier();
    find_depths(tile);
    barrier();

    float farthest = view_distance(uintBitsToFloat(least_depth));
    float nearest = view_distance(uintBitsToFloat(most_depth));
    vec4 planes[4];
    tile_planes(tile, planes);
    for (uint i = thread; i < frame.counts.x; i += 64u) {
        vec4 sphere = light_sphere(lights[i]);
        float along = dot(sphere.xyz - frame.camera.xyz, frame.forward.xyz);
        vec4 seen = vec4((frame.view * vec4(sphere.xyz, 1.0)).xyz, 1.0);
        bool touches = along - sphere.w <= farthest && along + sphere.w >= frame.planes.x;
        for (int side = 0; side < 4; side++)
            touches = touches && dot(planes[side], seen) >= -sphere.w;
        if (!touches)
            continue;
        atomicOr(front_bits[i / 32u], 1u << (i & 31u));
        if (along + sphere.w >= nearest)
            atomicOr(opaque_bits[i / 32u], 1u << (i & 31u));
    }
    barrier();

    uint first = (tile.y * frame.counts.y + tile.x) * 2u * words;
    for (uint i = thread; i < words * 2u; i += 64u)
        light_tiles[first + i] = i < words ? opaque_bits[i] : front_bits[i - words];
}
