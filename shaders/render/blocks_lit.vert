#version 460
/* Faces of blocks, for the light path; props turn to the eye. */
#include "render/blocks_vertex.glsl"

layout(push_constant) uniform Constants { mat4 eye_to_clip; };

layout(location = 0) out vec2 out_at;
layout(location = 1) flat out uvec4 out_face; /* blocks_lit.glsl */

/* Of the climate at the quad's cell, 6 bits each. */
uvec3 greens_of(ivec3 place, vec3 cell, uint looks)
{
    uvec3 greens = uvec3(32u);
    for (int i = 0; i < ((looks & LOOK_CLIMATE) != 0u ? 1 : 0); i++) {
        vec2 at = vec2((place.xz * 16 + ivec2(cell.xz)) & (CELL_PERIOD - 1));
        greens = uvec3(textureLod(block_climate, at / float(CELL_PERIOD), 0.0).rgb * (63.0 * 255.0 / 252.0) + 0.5);
    }
    return greens;
}

/* As read_vertex and look_of do it, with as few reads as there can be, each once, and loops instead of ifs (see sun_shadow):
 * CPUs pay for every lane. */
void main()
{
    uint instance = uint(gl_InstanceIndex), record = instance >> 3 & 0xFFFFu, level = block_records[record].level & 15u;
    ivec3 place = block_records[record].place;
    uvec2 quad = block_quads[uint(gl_VertexIndex) >> 2];
    BlockVertex v;
    v.part = instance >> 1 & 3u;
    v.face = instance >> 20;
    v.is_skirt = false;
    read_near(quad, v);
    bool is_left_out = false;
    float there = 1.0;
    for (int i = 0; i < (level > 0u ? 1 : 0); i++) {
        read_far(quad, level, v);
        is_left_out = level <= CUT_LEVEL && is_covered(place, v);
        there = clamp((frame.camera.w - block_records[record].born) / FADE_SECONDS, 0.0, 1.0);
    }
    BlockRow row = block_table[v.block];
    bool is_prop = v.part == PART_PROPS;
    uint layer = v.is_skirt || v.face == 5u ? row.top & 0xFFFFu : v.face == 4u ? row.sides >> 16 : row.sides & 0xFFFFu;
    uint face = is_prop ? 1u : v.is_skirt ? 5u : v.face;
    v.light |= is_prop ? 0xFFu : 0u;
    if (level > 0u && (row.top >> 24 & 1u) != 0u)
        v.light = v.light & ~0x55u | (face < 4u ? CROWN_FOOT : 0u);
    uvec2 corner = corner_of(uint(gl_VertexIndex), v.face);
    v.at = vec2(corner * v.size);
    vec2 wide = is_left_out ? vec2(0.0) : v.at + (vec2(corner) * 2.0 - 1.0) * QUAD_OVERLAP;
    v.from_eye = vec3((place - eye_chunk()) * 16) - eye_in_chunk() + v.cell + on_plane(v.face, wide);
    for (int i = 0; i < (is_prop ? 1 : 0); i++) {
        vec3 middle = v.from_eye - vec3(v.at.x, 0.0, 0.0) + vec3(0.5, 0.0, 0.5);
        v.from_eye = middle + prop_right(middle) * (v.at.x - 0.5);
    }
    uvec3 greens = greens_of(place, v.cell, row.looks);
    out_at = v.at;
    out_face = uvec4(v.light, layer | face << 16 | (row.looks / LOOK_FOLIAGE & 1u) << 19 | v.part << 20 | greens.b << 22 | uint(there * 15.0) << 28,
                     row.tint, v.size.x | v.size.y << 10 | greens.r << 20 | greens.g << 26);
    gl_Position = eye_to_clip * vec4(v.from_eye, 1.0);
}
