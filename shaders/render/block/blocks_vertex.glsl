/* Fetches the corners of quads from the buffer, for vertex shaders. */
#ifndef RENDER_BLOCK_BLOCKS_VERTEX_GLSL
#define RENDER_BLOCK_BLOCKS_VERTEX_GLSL

#include "render/block/blocks.glsl"
#include "render/block/blocks_quad_bits.glsl"

const float QUAD_OVERLAP = 1.0 / 2048.0; /* CN_CHUNK_MESH_OVERLAP */
const float SEA_TOP = 16.0;
const float WATER_LOSS = 2.0;              /* of sky light per block of water */
/* finer tiles border on chunks: block/far_mesh.c cuts their quads at chunk borders */
const uint CUT_LEVEL = 2u;

/* Sides of far terrain: the two corners at the foot are more occluded and see less sky; those of
 * crowns even less. */
const uint FOOT_LIGHT = 0x8800F5u, CROWN_FOOT = 0xCC0000u;

struct BlockVertex {
    vec3 from_eye;
    vec2 at;     /* on the face, in blocks */
    uint face;
    uint part;
    uint block;
    uint light;  /* the upper half of a quad: occlusion, light */
    vec2 size;   /* in blocks */
    vec3 cell;   /* lowest corner, relative to the record's; not whole for faces of shapes */
    bool is_skirt; /* of far terrain: continues the appearance of its top */
};

uint find_face(uint record, uint part, uint quad)
{
    if (part == PART_PROPS)
        return 0u;
    uint face = 0u;
    for (uint i = 0u; i < 5u; i++)
        face += quad >= block_records[record].ends[part * 6u + i] ? 1u : 0u;
    return face;
}

/* Counter-clockwise from outside. */
uvec2 corner_of(uint vertex, uint face)
{
    uint corner = vertex & 3u;
    if (face == 0u || face == 3u || face == 5u)
        corner = (4u - corner) & 3u;
    return uvec2(corner == 1u || corner == 2u ? 1u : 0u, corner >= 2u ? 1u : 0u);
}

/* The depth of a face of a shape lies between the bits of its marker. */
uint shape_depth(uint light)
{
    return (light >> QUAD_SHAPE_DEPTH_SHIFT & QUAD_SHAPE_DEPTH_MASK) |
           (light >> (QUAD_SHAPE_DEPTH_SHIFT + 4) & QUAD_SHAPE_DEPTH_MASK) << 2 | (light >> (QUAD_SHAPE_DEPTH_SHIFT + 8) & 1u) << 4;
}

/* Reads a quad of a chunk. */
void read_near(uvec2 quad, inout BlockVertex v)
{
    v.cell = vec3(quad.x & QUAD_CELL_MASK, quad.x >> QUAD_Y_SHIFT & QUAD_CELL_MASK, quad.x >> QUAD_Z_SHIFT & QUAD_CELL_MASK);
    uvec2 bits = uvec2(quad.x >> QUAD_WIDTH_SHIFT & QUAD_CELL_MASK, quad.x >> QUAD_HEIGHT_SHIFT & QUAD_CELL_MASK);
    v.block = quad.x >> QUAD_BLOCK_SHIFT;
    bool is_shape = (quad.y & QUAD_SHAPE_MARK) == QUAD_SHAPE_MARK && v.part == PART_SEMI;
    uint depth = shape_depth(quad.y);
    float far = (v.face & 1u) != 0u && v.part != PART_PROPS ? 1.0 : 0.0;
    v.cell += abs(face_normal(v.face)) * (is_shape ? float(depth) / 16.0 : far);
    v.cell += on_plane(v.face, is_shape ? vec2(bits) / 16.0 : vec2(0.0));
    v.size = is_shape ? (vec2(quad.y & 15u, quad.y >> 4 & 15u) + 1.0) / 16.0 : vec2(bits + 1u);
    v.light = is_shape ? quad.y & 0xFF00u | 0xFFu : quad.y; /* one light, not occluded */
}

/* Returns whether a chunk is drawn, which replaces far terrain. See cni_render_presence_bit. */
bool is_present(ivec3 chunk)
{
    uint bit = uint(chunk.x & 255) | uint(chunk.y & 31) << 8 | uint(chunk.z & 255) << 13;
    return (block_presence[bit >> 5] >> (bit & 31u) & 1u) != 0u;
}

/* Far terrain near chunks is not drawn where they are. Skirts are drawn only at its border, where
 * the ground of chunks may be lower. */
bool is_covered(ivec3 chunk_position, BlockVertex v)
{
    vec3 normal = face_normal(v.face);
    /* of its highest blocks */
    vec3 top = v.cell + on_plane(v.face, vec2(0.5, v.face < 4u ? v.size.y - 0.5 : 0.5));
    bool own = is_present(chunk_position + ivec3(floor((top - 0.5 * normal) / 16.0)));
    return own || (v.is_skirt && !is_present(chunk_position + ivec3(floor((top + 0.5 * normal) / 16.0))));
}

/* Reads a quad of far terrain in units of cells: x, z, y + 128, width - 1, skirt flag; block,
 * height. */
void read_far(uvec2 quad, uint level, inout BlockVertex v)
{
    float cell = float(1u << level);
    v.cell = vec3(float(quad.x & FAR_CELL_MASK) * cell, float(quad.x >> FAR_Y_SHIFT & FAR_Y_MASK) - 128.0,
                  float(quad.x >> FAR_Z_SHIFT & FAR_CELL_MASK) * cell);
    uint height = quad.y >> FAR_HEIGHT_SHIFT & FAR_HEIGHT_MASK;
    v.size = vec2(((quad.x >> FAR_WIDTH_SHIFT & FAR_WIDTH_MASK) + 1u) << level, v.face < 4u ? height : height << level);
    v.block = quad.y & FAR_BLOCK_MASK;
    v.is_skirt = (quad.x >> FAR_SKIRT_SHIFT & 1u) != 0u;
    /* Sky light attenuated by water, and no block light; sides are more occluded near the
     * ground. */
    float top = v.cell.y + (v.face < 4u ? float(height) : 0.0);
    uint sky = v.part == PART_OPAQUE ? uint(clamp(15.0 - WATER_LOSS * (SEA_TOP - top), 0.0, 15.0)) : 15u;
    v.light = sky << QUAD_SKY_LIGHT_SHIFT | (v.face < 4u && !v.is_skirt ? FOOT_LIGHT : 0xFFu);
}

/* Reads a quad within its record: everything but `from_eye` and `at`. */
BlockVertex read_quad(uint number, uint part, uint face, uint quad)
{
    BlockVertex v;
    v.part = part;
    v.face = face;
    v.is_skirt = false;
    uint level = block_records[number].level & 15u;
    if (level > 0u)
        read_far(block_quads[quad], level, v);
    else
        read_near(block_quads[quad], v);
    return v;
}

/* Returns whether chunks replace it. */
bool is_left_out(uint number, BlockVertex v)
{
    uint level = block_records[number].level & 15u;
    return level > 0u && level <= CUT_LEVEL && is_covered(block_records[number].chunk_position, v);
}

/* Returns the position of the lowest corner in its cell: the tiles of shapes are those of cubes. */
vec2 tile_offset(BlockVertex v)
{
    return fract(plane_part(v.face, v.cell));
}

BlockVertex read_vertex_of(uint vertex, uint number, uint part, uint face)
{
    BlockVertex v = read_quad(number, part, face, vertex >> 2);
    uvec2 corner = corner_of(vertex, v.face);
    v.at = vec2(corner) * v.size;
    vec2 wide = v.at + (vec2(corner) * 2.0 - 1.0) * QUAD_OVERLAP;
    if (is_left_out(number, v))
        wide = vec2(0.0); /* zero area */
    v.from_eye = record_from_eye(block_records[number]) + v.cell + on_plane(v.face, wide);
    v.at += tile_offset(v);
    return v;
}

BlockVertex read_vertex(uint vertex, uint instance)
{
    uint number = instance >> 3, part = instance >> 1 & 3u;
    return read_vertex_of(vertex, number, part, find_face(number, part, (vertex >> 2) - block_records[number].first));
}

/* Returns the layer of a face. */
uint face_layer(BlockRow row, uint face)
{
    uint layer = face == 5u ? row.top & 0xFFFFu : face == 4u ? row.sides >> 16 : row.sides & 0xFFFFu;
    return face == (row.appearance >> FRONT_FACE_SHIFT & 7u) ? row.appearance >> FRONT_LAYER_SHIFT : layer;
}

/* Packs the appearance of a quad for blocks_surface.glsl: light; layer, face, part, fade; block,
 * size; cell. */
uvec4 look_of(BlockVertex v, uint number)
{
    BlockRow row = block_table[v.block];
    uint layer = v.is_skirt ? row.top & 0xFFFFu : face_layer(row, v.face), face = v.is_skirt ? 5u : v.face;
    if (v.part == PART_PROPS) {
        v.light |= 0xFFu;
        face = 1u;
    }
    bool is_far = block_records[number].level > 0u;
    /* gaps between the leaves are dark */
    if (is_far && (row.top >> 24 & 1u) != 0u)
        v.light = v.light & ~0x55u | (face < 4u ? CROWN_FOOT : 0u);
    float there = is_far ? clamp((frame.camera.w - block_records[number].fade_start) / FADE_SECONDS, 0.0, 1.0) : 1.0;
    ivec3 cell = block_records[number].chunk_position * 16 + ivec3(v.cell);
    return uvec4(v.light, layer | face << 16 | v.part << 20 | uint(there * 255.0) << 24,
                 v.block | uint(ceil(v.size.x)) << 12 | uint(ceil(v.size.y)) << 22, pack_cell(cell));
}

/* Props turn towards the camera around the vertical axis of their cell: returns their right
 * direction as seen by the camera. */
vec3 prop_right(vec3 middle)
{
    vec3 right = cross(vec3(0.0, 1.0, 0.0), -middle);
    return dot(right, right) > 1e-6 ? normalize(right) : vec3(1.0, 0.0, 0.0);
}

#endif
