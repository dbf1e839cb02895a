/* Quads listed by blocks_quad_list.comp for the lightweight path. */
#ifndef RENDER_BLOCK_BLOCKS_QUAD_ENTRIES_GLSL
#define RENDER_BLOCK_BLOCKS_QUAD_ENTRIES_GLSL

/*
 * Three word pairs per quad. Position: cell relative to the corner of the camera's chunk, 16 bits
 * each, x and z, y and face and part; from bit 21 on the depth of the plane in the cell (4 bits, in
 * 1/16), whether the quad is smaller than a cell, turns of the tile. Appearance: light; layer, face,
 * translucency, part, blue tint factor, fade. Tint; size (10 bits each), red and green tint factors.
 * The size of a small quad is in 1/16, minus 1, followed by the position in its cell (4 bits each).
 */
layout(set = 0, binding = 9, std430) readonly buffer Entries { uvec2 entries[]; };

vec3 entry_cell(uvec2 cell_and_face)
{
    return vec3(int(cell_and_face.x) << 16 >> 16, int(cell_and_face.y) << 16 >> 16, int(cell_and_face.x) >> 16);
}

uint entry_face(uvec2 cell_and_face)
{
    return cell_and_face.y >> 16 & 7u;
}

bool entry_is_prop(uvec2 cell_and_face)
{
    return (cell_and_face.y >> 19 & 3u) == PART_PROPS;
}

bool entry_is_small(uvec2 cell_and_face)
{
    return (cell_and_face.y >> 25 & 1u) != 0u;
}

/* In blocks. */
vec2 entry_size(uvec2 cell_and_face, uint last_word)
{
    uvec2 size = uvec2(last_word & 1023u, last_word >> 10 & 1023u);
    return entry_is_small(cell_and_face) ? vec2(size & 15u) / 16.0 + 1.0 / 16.0 : vec2(size);
}

/* The position of the lowest corner on the tile, in blocks. */
vec2 entry_offset(uvec2 cell_and_face, uint last_word)
{
    return entry_is_small(cell_and_face) ? vec2(last_word >> 4 & 15u, last_word >> 14 & 15u) / 16.0 : vec2(0.0);
}

/* The lowest corner. */
vec3 entry_corner(uvec2 cell_and_face, vec2 offset)
{
    uint face = entry_face(cell_and_face);
    return entry_cell(cell_and_face) + on_plane(face, offset) + abs(face_normal(face)) * (float(cell_and_face.y >> 21 & 15u) / 16.0);
}

uint entry_turns(uvec2 cell_and_face)
{
    return cell_and_face.y >> 26 & 3u;
}

#endif
