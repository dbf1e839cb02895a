/* The material of a block face at a position, for both ways of drawing blocks. */
#ifndef RENDER_BLOCK_BLOCKS_SURFACE_GLSL
#define RENDER_BLOCK_BLOCKS_SURFACE_GLSL

#include "render/block/blocks.glsl"
#include "render/block/blocks_quad_bits.glsl"
#include "render/feature/foliage.glsl"

const float MAX_BLOCK_LIGHT = 254.0 / 255.0; /* 1 means that nothing is baked: gbuffer.glsl */
const float GLOW = 3.5; /* of the brightest blocks, times their color */

vec3 linear_from_srgb(vec3 c)
{
    return mix(c / 12.92, pow((c + 0.055) / 1.055, vec3(2.4)), greaterThan(c, vec3(0.04045)));
}

/* Occlusion, sky light, block light: interpolated between the four corners, so that the triangles'
 * diagonal is not visible. */
vec3 between_corners(uint light, vec2 part)
{
    const vec4 open = vec4(0.42, 0.64, 0.83, 1.0);
    vec4 weights = vec4((1.0 - part.x) * (1.0 - part.y), part.x * (1.0 - part.y), part.x * part.y, (1.0 - part.x) * part.y);
    uvec4 occlusion = (uvec4(light) >> (QUAD_OCCLUSION_BITS * uvec4(0u, 1u, 2u, 3u))) & QUAD_OCCLUSION_MASK;
    uvec4 below = uvec4(light) >> (QUAD_CORNER_SHIFT + QUAD_CORNER_BITS * uvec4(0u, 1u, 2u, 3u));
    vec4 blocks = vec4(float(light >> QUAD_BLOCK_LIGHT_SHIFT & QUAD_LIGHT_MASK)) - vec4(below & 3u);
    vec4 sky = vec4(float(light >> QUAD_SKY_LIGHT_SHIFT & QUAD_LIGHT_MASK)) - vec4(below >> 2 & 3u);
    float o = dot(weights, vec4(open[occlusion.x], open[occlusion.y], open[occlusion.z], open[occlusion.w]));
    return vec3(o, dot(weights, sky) / 15.0, dot(weights, blocks) / 15.0);
}

/* Texels with edges as sharp as the image's pixels: linear filtering only across an edge. */
vec2 sharp_uv(vec2 uv, vec2 width)
{
    const float texels = 16.0;
    vec2 at = uv * texels, edge = floor(at + 0.5);
    vec2 wide = max(width * texels, 1e-5);
    return (edge + clamp((at - edge) / wide, -0.5, 0.5)) / texels;
}

/* Interleaved gradient noise (Jimenez 2014): surfaces that fade in appear dot by dot. */
float noise(vec2 pixel)
{
    return fract(52.9829189 * fract(dot(floor(pixel), vec2(0.06711056, 0.00583715))));
}

/* ---- Variety ---- */

uint hash_cell(ivec3 cell)
{
    uint h = uint(cell.x) * 0x8DA6B343u ^ uint(cell.y) * 0xD8163841u ^ uint(cell.z) * 0xCB1AB31Fu;
    h = (h ^ h >> 15) * 0x2C1B3C6Du;
    return h ^ h >> 13;
}

/* Hash of the block at a position on the face. */
uint hash_at(uvec4 look, vec2 at)
{
    vec2 size = vec2(look.z >> 12 & 1023u, look.z >> 22);
    vec2 block = clamp(floor(at), vec2(0.0), size - 1.0);
    return hash_cell(unpack_cell(look.w) + ivec3(on_plane(look.y >> 16 & 7u, block)));
}

/* Orientation of a tile on a block: the columns are the directions of u and v of the face. */
mat2 turn_of(uvec4 look, uint appearance, uint hash)
{
    bool is_level = (look.y >> 16 & 7u) >= 4u;
    bool turns = (appearance & APPEARANCE_TURNS) != 0u && (is_level || (appearance & APPEARANCE_MIRRORS) == 0u);
    float u = (hash & 1u) != 0u && (appearance & (APPEARANCE_TURNS | APPEARANCE_MIRRORS)) != 0u ? -1.0 : 1.0;
    float v = (hash & 2u) != 0u && turns ? -1.0 : 1.0;
    bool swaps = (hash & 4u) != 0u && turns;
    uint top_turns = (look.y >> 16 & 7u) == 5u ? appearance >> TOP_TURN_SHIFT & 3u : 0u;
    if (top_turns != 0u)
        return mat2(turned_uv(vec2(1.0, 0.0), top_turns), turned_uv(vec2(0.0, 1.0), top_turns));
    return swaps ? mat2(0.0, v, u, 0.0) : mat2(u, 0.0, 0.0, v);
}

/* Brightness variation of terrain: waves that repeat with the cells, and differences between blocks
 * where they can be distinguished. */
float shade_of(uvec4 look, vec2 at, uint hash, float width)
{
    const float turn = 6.2831853 / float(CELL_PERIOD);
    vec2 p = (vec2(unpack_cell(look.w).xz) + on_plane(look.y >> 16 & 7u, at).xz) * turn;
    float wide = sin(dot(p, vec2(97.0, 61.0)) + 2.0 * sin(dot(p, vec2(-41.0, 88.0))));
    float close = sin(dot(p, vec2(-283.0, 331.0)) + 2.0 * sin(dot(p, vec2(239.0, 151.0))));
    float own = float(hash >> 8 & 255u) / 127.5 - 1.0;
    return 1.0 + 0.05 * wide + 0.04 * close + 0.05 * own * clamp(1.5 - 2.0 * width, 0.0, 1.0);
}

/* Climate tint of greens; dirt under the grass is not tinted. */
vec3 climate_of(uvec4 look, vec2 at, vec3 color)
{
    vec2 p = vec2(unpack_cell(look.w).xz) + on_plane(look.y >> 16 & 7u, at).xz;
    vec3 factor = textureLod(block_climate, p / float(CELL_PERIOD), 0.0).rgb * (255.0 / 128.0);
    float green = clamp((color.g - max(0.9 * color.r, color.b)) / max(0.25 * color.g, 1e-3), 0.0, 1.0);
    return color * mix(vec3(1.0), factor, green);
}

/* ---- The surface ---- */

/* `at` on the face, in blocks, and its change per pixel; `look` is that of look_of. */
struct TileCoords {
    vec3 tile; /* and layer */
    vec2 dx, dy;
    mat2 turn;
    uint hash, appearance;
    float width; /* of a pixel, in blocks */
};

/* The tiles of blocks with a front do not continue in the next block: keeps filtering away from
 * their borders. */
vec2 within_tile(uvec4 look, vec2 at)
{
    vec2 size = vec2(look.z >> 12 & 1023u, look.z >> 22), block = clamp(floor(at), vec2(0.0), size - 1.0);
    return block + clamp(at - block, vec2(1.0 / 32.0), vec2(31.0 / 32.0));
}

TileCoords tile_coords_at(uvec4 look, vec2 at, vec2 at_dx, vec2 at_dy)
{
    uint face = look.y >> 16 & 7u;
    TileCoords coords;
    coords.appearance = block_table[look.z & 4095u].appearance;
    if ((coords.appearance >> FRONT_FACE_SHIFT & 7u) != 7u)
        at = within_tile(look, at);
    coords.hash = hash_at(look, at);
    coords.turn = turn_of(look, coords.appearance, coords.hash);
    coords.dx = coords.turn * face_uv(face, at_dx);
    coords.dy = coords.turn * face_uv(face, at_dy);
    vec2 wide = abs(coords.dx) + abs(coords.dy);
    coords.width = max(wide.x, wide.y);
    coords.tile = vec3(sharp_uv(coords.turn * face_uv(face, at), wide), float(look.y & 0xFFFFu));
    return coords;
}

/* Returns whether the surface has a hole: in cut-out tiles, and in tiles that are fading in. */
bool is_hole(uvec4 look, float alpha, vec2 pixel)
{
    bool is_opaque = (look.y >> 20 & 3u) == PART_OPAQUE;
    return is_opaque ? noise(pixel) >= float(look.y >> 24) / 255.0 : alpha < 0.5;
}

struct BlockSurface {
    vec4 albedo;   /* and roughness */
    vec4 normal;   /* and metallic: FOLIAGE marks translucency */
    vec4 emission; /* and occlusion */
    vec2 baked;    /* sky light, block light */
};

BlockSurface surface_at(uvec4 look, vec2 at, TileCoords coords, vec4 color, bool is_front)
{
    uint face = look.y >> 16 & 7u, part = look.y >> 20 & 3u, tint_bits = block_table[look.z & 4095u].tint;
    vec2 size = vec2(look.z >> 12 & 1023u, look.z >> 22);
    vec4 detail = textureGrad(block_details, coords.tile, coords.dx, coords.dy);
    vec3 light = between_corners(look.x, clamp(at / size, 0.0, 1.0));
    vec3 tint = vec3(tint_bits & 255u, tint_bits >> 8 & 255u, tint_bits >> 16 & 255u) / 255.0;
    vec3 albedo = color.rgb * linear_from_srgb(tint);
    if ((coords.appearance & (APPEARANCE_TURNS | APPEARANCE_MIRRORS)) != 0u)
        albedo *= shade_of(look, at, coords.hash, coords.width);
    if ((coords.appearance & APPEARANCE_CLIMATE) != 0u)
        albedo = climate_of(look, at, albedo);
    bool is_foliage = (coords.appearance & APPEARANCE_FOLIAGE) != 0u;
    /* In the tile: x to the right, y up. */
    vec2 bump = vec2(1.0, -1.0) * (((detail.xy * 255.0 - 128.0) / 127.0 * vec2(1.0, -1.0)) * coords.turn);
    vec3 normal = part == PART_PROPS ? vec3(0.0, 1.0, 0.0) : is_front ? face_normal(face) : -face_normal(face);
    float glow = float(tint_bits >> 24) / 255.0 * detail.w * GLOW;

    BlockSurface s;
    s.albedo = vec4(albedo, clamp(detail.z, 0.045, 1.0));
    s.normal = vec4(normalize(normal + face_right(face) * bump.x + face_up(face) * bump.y), is_foliage ? FOLIAGE : 0.0);
    s.emission = vec4(albedo * glow, light.x);
    s.baked = min(light.yz, vec2(1.0, MAX_BLOCK_LIGHT));
    return s;
}

#endif
