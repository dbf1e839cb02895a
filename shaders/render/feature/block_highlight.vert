#version 460
/* A box of the block aimed at: 36 corners, counter-clockwise from outside. */
#include "render/block/blocks_vertex.glsl"

layout(push_constant) uniform Constants {
    mat4 eye_to_clip;
    ivec3 cell;
    int crack_stage;
    float inset; /* from the sides and the top of the cell */
    uint boxes[8]; /* low and high corners in 1/16, 5 bits each */
    uint is_bright;
};

layout(location = 0) out vec2 out_at;
layout(location = 1) flat out uint out_face;
layout(location = 2) out vec2 out_on_tile;

vec3 unpack_corner(uint bits)
{
    return vec3(bits & 31u, bits >> 5 & 31u, bits >> 10 & 31u) / 16.0;
}

void main()
{
    const uint corners[6] = uint[](0u, 1u, 2u, 0u, 2u, 3u);
    uint face = uint(gl_VertexIndex) / 6u;
    vec2 at = vec2(corner_of(corners[uint(gl_VertexIndex) % 6u], face));
    vec3 corner = on_plane(face, at);
    if ((face & 1u) != 0u)
        corner += face_normal(face);
    uint box = boxes[gl_InstanceIndex];
    corner = mix(unpack_corner(box), unpack_corner(box >> 15), corner);
    out_on_tile = plane_part(face, corner);
    corner = corner * (1.0 - vec3(2.0, 1.0, 2.0) * inset) + vec3(inset, 0.0, inset);
    vec3 from_eye = vec3(cell - eye_chunk() * 16) - eye_in_chunk() + corner;
    out_at = at;
    out_face = face;
    gl_Position = eye_to_clip * vec4(from_eye, 1.0);
}
