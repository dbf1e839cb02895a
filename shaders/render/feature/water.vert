#version 460
/* Surfaces of water. */
#include "render/block/blocks_vertex.glsl"

layout(push_constant) uniform Constants { mat4 eye_to_clip; };

layout(location = 0) out vec3 out_from_eye;
/* block light and sky light; face, slope flag, fade */
layout(location = 1) flat out uvec2 out_face;

const uint SEA_HEIGHTS = 0xDDDDu; /* of far terrain: 14/16 of a block, like still water in chunks */

/* Depth of a corner below the top of its cell. */
float sunk(BlockVertex v, uint heights)
{
    bvec2 far = greaterThan(v.at, vec2(0.0));
    uint corner = far.y ? (far.x ? 2u : 3u) : (far.x ? 1u : 0u);
    return float(15u - (heights >> (4u * corner) & 15u)) / 16.0;
}

void main()
{
    BlockVertex v = read_vertex(uint(gl_VertexIndex), uint(gl_InstanceIndex));
    uint record = uint(gl_InstanceIndex) >> 3;
    bool is_far = block_records[record].level > 0u;
    uint heights = is_far ? SEA_HEIGHTS : v.light >> 16;
    bool slopes = v.face == 5u && heights != (heights & 15u) * 0x1111u;
    float there = is_far ? clamp((frame.camera.w - block_records[record].fade_start) / FADE_SECONDS, 0.0, 1.0) : 1.0;
    v.from_eye.y -= sunk(v, heights);
    out_from_eye = v.from_eye;
    out_face = uvec2(v.light >> 8 & 255u, v.face | uint(slopes) << 3 | uint(there * 255.0) << 8);
    gl_Position = eye_to_clip * vec4(v.from_eye, 1.0);
}
