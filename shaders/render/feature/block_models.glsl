/* Parts of block models: binding 8. The struct ModelRow in feature_block_models.c has the same
 * layout. */
#ifndef RENDER_FEATURE_BLOCK_MODELS_GLSL
#define RENDER_FEATURE_BLOCK_MODELS_GLSL

#include "render/block/blocks_vertex.glsl"

struct ModelRow {
    vec4 x, y, z;    /* rows of the matrix from the part's block to positions relative to the eye */
    uvec3 tiles;     /* two layers each, by face */
    uint bounds;     /* of a box: low and high corner, 5 bits each */
    uint tint;       /* sRGB; from bit 24 on: 1 greens only, 2 has a skin */
    uint light;      /* sky light, block light, glow, flash */
    uint skin[2];    /* origins of six faces in texels, 4 bits each; white, fade */
};

layout(set = 0, binding = 8, std430) readonly buffer Models { ModelRow models[]; };

const uint MODEL_NO_TILE = 0xFFFFu;
const float SPRITE_HALF = 1.0 / 32.0; /* half of the thickness */

struct ModelVertex {
    vec3 position; /* within the block */
    vec3 normal;
    vec2 uv;
    uint layer;
};

vec3 model_bound(uint bits)
{
    return vec3(bits & 31u, bits >> 5 & 31u, bits >> 10 & 31u) / 16.0;
}

/* The texels of a face from its origin on; those of the left side are mirrored. */
vec2 skin_uv(ModelRow row, uint face, vec3 unit, vec3 size)
{
    vec2 at = face < 2u ? unit.xy : face < 4u ? unit.zy : unit.xz;
    vec2 uv = face_uv(face, at) + vec2(face == 0u || face == 3u ? 1.0 : 0.0, face == 5u ? 0.0 : 1.0);
    uv.x = face == 2u ? 1.0 - uv.x : uv.x;
    uint origin = row.skin[face >> 2] >> 8 * (face & 3u);
    /* slightly inside, so that no neighbor is seen at the edges */
    return vec2(origin & 15u, origin >> 4 & 15u) / 16.0 + mix(vec2(1e-3), plane_part(face, size) - 1e-3, uv);
}

ModelVertex box_vertex(ModelRow row, uint vertex)
{
    const uint corners[6] = uint[](0u, 1u, 2u, 0u, 2u, 3u);
    uint face = vertex / 6u;
    vec2 at = vec2(corner_of(corners[vertex % 6u], face));
    vec3 unit = on_plane(face, at);
    if ((face & 1u) != 0u)
        unit += face_normal(face);
    vec3 low = model_bound(row.bounds), high = model_bound(row.bounds >> 15);
    ModelVertex v;
    v.position = mix(low, high, unit);
    v.normal = face_normal(face);
    vec2 plane = face < 2u ? v.position.xy : face < 4u ? v.position.zy : v.position.xz;
    v.uv = face_uv(face, plane) + vec2(face == 0u || face == 3u ? 1.0 : 0.0, face == 5u ? 0.0 : 1.0); /* 0 to 1 */
    v.layer = row.tiles[face >> 1] >> 16 * (face & 1u) & 0xFFFFu;
    if ((row.tint >> 25 & 1u) != 0u)
        v.uv = skin_uv(row, face, unit, high - low);
    return v;
}

/* The quads of a sprite: front, back, and the two sides of each column and row of pixels. Sides
 * between two visible pixels are inside and not seen; those of holes are discarded. */
ModelVertex sprite_vertex(ModelRow row, uint vertex)
{
    const vec2 square[6] = vec2[](vec2(0.0, 0.0), vec2(1.0, 0.0), vec2(1.0, 1.0), vec2(0.0, 0.0), vec2(1.0, 1.0), vec2(0.0, 1.0));
    uint quad = vertex / 6u;
    vec2 at = square[vertex % 6u];
    float depth = 0.5 + SPRITE_HALF * (2.0 * at.x - 1.0);
    ModelVertex v;
    v.layer = row.tiles.x & 0xFFFFu;
    if (quad < 2u) {
        float side = quad == 0u ? 1.0 : -1.0;
        v.position = vec3(at.x, at.y, 0.5 + side * SPRITE_HALF);
        v.normal = vec3(0.0, 0.0, side);
        v.uv = vec2(at.x, 1.0 - at.y);
        return v;
    }
    uint side = (quad - 2u) / 16u, line = (quad - 2u) % 16u;
    float edge = float(line + (side & 1u)) / 16.0, middle = (float(line) + 0.5) / 16.0;
    float sign = (side & 1u) != 0u ? 1.0 : -1.0;
    if (side < 2u) {
        v.position = vec3(edge, at.y, depth);
        v.normal = vec3(sign, 0.0, 0.0);
        v.uv = vec2(middle, 1.0 - at.y);
    } else {
        v.position = vec3(at.y, edge, depth);
        v.normal = vec3(0.0, sign, 0.0);
        v.uv = vec2(at.y, 1.0 - middle);
    }
    return v;
}

/* To the part's place. */
vec3 model_point(ModelRow row, vec3 p)
{
    return vec3(dot(row.x, vec4(p, 1.0)), dot(row.y, vec4(p, 1.0)), dot(row.z, vec4(p, 1.0)));
}

vec3 model_direction(ModelRow row, vec3 d)
{
    return vec3(dot(row.x.xyz, d), dot(row.y.xyz, d), dot(row.z.xyz, d));
}

#endif
