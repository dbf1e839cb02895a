/* Quads listed by blocks_quad_list.comp for the lightweight path. */
#ifndef RENDER_BLOCK_BLOCKS_QUAD_ENTRIES_GLSL
#define RENDER_BLOCK_BLOCKS_QUAD_ENTRIES_GLSL

/*
 * Three word pairs per quad. Position: cell relative to the corner of the camera's chunk, 16 bits
 * each, x and z, y and face and part. Appearance: light; layer, face, translucency, part, blue tint
 * factor, fade. Tint; size, red and green tint factors.
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
    return cell_and_face.y >> 19 == PART_PROPS;
}

/* In blocks. */
uvec2 entry_size(uint last_word)
{
    return uvec2(last_word & 1023u, last_word >> 10 & 1023u);
}

#endif
