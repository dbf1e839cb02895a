#version 460
/* Quads of the lightweight path; props are turned towards the camera. */
#include "render/block/blocks_vertex.glsl"
#include "render/block/blocks_quad_entries.glsl"

layout(push_constant) uniform Constants { mat4 eye_to_clip; };

layout(location = 0) out vec2 out_at;
/* index of the entry, plus 1; second word of its appearance */
layout(location = 1) flat out uvec2 out_quad;

/* Where quads overlap, the same one is always nearer, independent of the order: tops before sides;
 * within a plane, neighbors have distant ranks, however wide their cells are. blocks_quad_cull.comp
 * accounts for quads being nearer by up to 0.0004. */
uint rank_of(ivec3 cell, uint face)
{
    uint across = face >> 1; /* z, x, y */
    uint u = uint(across == 1u ? cell.y : cell.x), v = uint(across == 0u ? cell.y : cell.z);
    return across * 256u + (u * 3242174889u + v * 2447445413u >> 24);
}

/* As few reads as possible: CPUs pay for every lane. */
void main()
{
    uint vertex = uint(gl_VertexIndex), entry = (vertex >> 2) * 3u;
    uvec2 cell_and_face = entries[entry];
    uint face = entry_face(cell_and_face);
    uvec2 corner = corner_of(vertex, face);
    uint last_word = entries[entry + 2u].y;
    vec2 at = vec2(corner) * entry_size(cell_and_face, last_word), offset = entry_offset(cell_and_face, last_word);
    vec3 from_eye = entry_corner(cell_and_face, offset) - eye_in_chunk() + on_plane(face, at + (vec2(corner) * 2.0 - 1.0) * QUAD_OVERLAP);
    if (entry_is_prop(cell_and_face)) {
        vec3 middle = from_eye - vec3(at.x, 0.0, 0.0) + vec3(0.5, 0.0, 0.5);
        from_eye = middle + prop_right(middle) * (at.x - 0.5);
    }
    out_at = at + offset;
    out_quad = uvec2((vertex >> 2) + 1u, entries[entry + 1u].y);
    gl_Position = eye_to_clip * vec4(from_eye, 1.0);
    gl_Position.z *= 1.0 + float(rank_of(ivec3(entry_cell(cell_and_face)), face)) * 5e-7;
}
