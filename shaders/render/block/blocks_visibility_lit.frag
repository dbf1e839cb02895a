#version 460
/*
 * Blocks lit by baked light only: sky light stands in for the sun, block light for torches. One
 * texel per pixel, no detail texture. The position of a pixel follows from the plane of its quad
 * (blocks_visibility.frag), so that each pixel is shaded once, however small the quads are.
 */
#define LIT_SKY_BINDING 8
#include "render/feature/baked_light.glsl"
#include "render/block/blocks_vertex.glsl"
#include "render/block/blocks_quad_entries.glsl"
#include "render/block/blocks_nearest_texel.glsl"
#include "render/feature/lit_atmosphere.glsl"

layout(set = 0, binding = 10) uniform usampler2D quads; /* index of the entry, plus 1 */

/* blocks_visibility_lit.vert */
layout(location = 0) in vec3 in_ray;
layout(location = 1) in vec3 in_origin;
layout(location = 2) flat in vec4 in_eye;
layout(location = 3) flat in vec3 in_dx;
layout(location = 4) flat in vec3 in_dy;
layout(location = 5) flat in vec3 in_sun;
layout(location = 6) flat in vec4 in_sun_color;
layout(location = 7) flat in vec4 in_dense;
layout(location = 8) flat in vec2 in_shelter;
layout(location = 9) flat in vec3 in_water;
layout(location = 10) flat in vec3 in_around[6];

layout(location = 0) out vec4 out_light;

const float GLOW = 3.0; /* of the brightest blocks, times their color */

/* Approximation. */
vec3 linear_from_srgb(vec3 c)
{
    return c * (c * (c * 0.305306011 + 0.682171111) + 0.012522878);
}

/* Occlusion, sky light, block light: interpolated between the four corners, so that the triangles'
 * diagonal is not visible. */
vec3 between_corners(uint light, vec2 part)
{
    vec4 weights = vec4((1.0 - part.x) * (1.0 - part.y), part.x * (1.0 - part.y), part.x * part.y, (1.0 - part.x) * part.y);
    vec4 occlusion = vec4((uvec4(light) >> (QUAD_OCCLUSION_BITS * uvec4(0u, 1u, 2u, 3u))) & QUAD_OCCLUSION_MASK);
    uvec4 below = uvec4(light) >> (QUAD_CORNER_SHIFT + QUAD_CORNER_BITS * uvec4(0u, 1u, 2u, 3u));
    vec4 blocks = vec4(float(light >> QUAD_BLOCK_LIGHT_SHIFT & QUAD_LIGHT_MASK)) - vec4(below & 3u);
    vec4 sky = vec4(float(light >> QUAD_SKY_LIGHT_SHIFT & QUAD_LIGHT_MASK)) - vec4(below >> 2 & 3u);
    float closed = 3.0 - dot(weights, occlusion); /* as in blocks_gbuffer_main.glsl: 1, 0.83, 0.64, 0.42 */
    return vec3(1.0 - closed * (0.16 + 0.011 * closed), dot(weights, sky) / 15.0, dot(weights, blocks) / 15.0);
}

/* Climate tint of greens; dirt under the grass is not tinted. */
vec3 in_greens(vec3 color, uvec4 look)
{
    vec3 factor = vec3(look.w >> 20 & 63u, look.w >> 26, look.y >> 22 & 63u) * (252.0 / 63.0 / 128.0);
    float green = clamp((color.g - max(0.9 * color.r, color.b)) / max(0.25 * color.g, 1e-3), 0.0, 1.0);
    return color * mix(vec3(1.0), factor, green);
}

/* The point of a quad that a pixel sees. */
struct Seen {
    vec3 from_eye;
    vec2 at, dx, dy; /* on the face, in blocks, and its change per pixel */
};

Seen seen_at(uvec2 cell_and_face, vec2 size, vec2 offset)
{
    uint face = entry_face(cell_and_face);
    vec3 corner = entry_corner(cell_and_face, offset) - in_eye.xyz, ray = in_ray, origin = in_origin;
    vec3 right = on_plane(face, vec2(1.0, 0.0)), up = on_plane(face, vec2(0.0, 1.0)), normal = face_normal(face);
    if (entry_is_prop(cell_and_face)) {
        vec3 middle = corner + vec3(0.5, 0.0, 0.5);
        right = prop_right(middle);
        normal = vec3(-right.z, 0.0, right.x);
        corner = middle - 0.5 * right;
    }
    float ahead = 1.0 / dot(normal, ray), t = dot(normal, corner - origin) * ahead, wide = mix(t, 1.0, in_eye.w);
    vec3 dx = in_dx * wide, dy = in_dy * wide;
    dx -= ray * (dot(normal, dx) * ahead);
    dy -= ray * (dot(normal, dy) * ahead);
    Seen seen;
    seen.from_eye = origin + ray * t;
    vec3 local = seen.from_eye - corner;
    /* quads overlap */
    seen.at = clamp(vec2(dot(local, right), dot(local, up)), vec2(1e-3), size - 1e-3);
    seen.dx = vec2(dot(dx, right), dot(dx, up));
    seen.dy = vec2(dot(dy, right), dot(dy, up));
    return seen;
}

vec3 around(uint face)
{
    vec3 low = face == 0u ? in_around[0] : face == 1u ? in_around[1] : in_around[2];
    vec3 high = face == 3u ? in_around[3] : face == 4u ? in_around[4] : in_around[5];
    return face < 3u ? low : high;
}

void main()
{
    uint entry = (max(texelFetch(quads, ivec2(gl_FragCoord.xy), 0).r, 1u) - 1u) * 3u;
    uvec2 cell_and_face = entries[entry];
    uvec4 look = uvec4(entries[entry + 1u], entries[entry + 2u]);
    vec2 size = entry_size(cell_and_face, look.w), offset = entry_offset(cell_and_face, look.w);
    Seen seen = seen_at(cell_and_face, size, offset);
    uint face = look.y >> 16 & 7u;
    vec2 uv = turned_uv(face_uv(face, seen.at + offset), entry_turns(cell_and_face));
    vec4 color = read_tile(uv, seen.dx, seen.dy, int(look.y & 0xFFFFu));
    if (color.a < 0.5) /* blocks_visibility_masked.frag sampled the neighboring texel */
        color = texelFetch(block_colors, ivec3(0, 0, int(look.y & 0xFFFFu)), 4);
    face = entry_is_prop(cell_and_face) ? 5u : face; /* plants are lit like the ground */
    vec3 baked = between_corners(look.x, seen.at / size);
    vec3 tint = vec3(look.z & 255u, look.z >> 8 & 255u, look.z >> 16 & 255u) / 255.0;
    float wet = in_sun_color.w * smoothstep(0.94, 0.995, baked.y);
    vec3 albedo = in_greens(color.rgb * linear_from_srgb(tint), look) * (1.0 - 0.4 * wet);
    vec3 normal = face_normal(face);
    float facing = dot(normal, in_sun.xyz);
    facing = (look.y >> 19 & 1u) != 0u ? max(0.28 + 0.5 * facing, 0.0) : max(facing, 0.0);
    vec3 light = in_sun_color.rgb * (facing * sun_guess(baked.y) * (0.4 + 0.6 * baked.x));
    light += (around(face) * sky_part(baked.y) + cell_light(baked.yz, normal)) * baked.x;
    light = albedo * (light + float(look.z >> 24) / 255.0 * GLOW);
    out_light = vec4(lit_through_atmosphere(light, seen.from_eye, baked.y, LitAtmosphere(in_dense, in_shelter, in_water)), 1.0);
}
