#version 460
/* Blocks as seen from a light; props are crosses, independent of its direction. */
#include "render/block/blocks_vertex.glsl"

layout(push_constant) uniform Constants { mat4 eye_to_clip; };

layout(location = 0) out vec3 out_uv; /* and layer */

void main()
{
    uint instance = uint(gl_InstanceIndex);
    BlockVertex v = read_vertex(uint(gl_VertexIndex), instance);
    BlockRow row = block_table[v.block];
    if (v.part == PART_PROPS)
        v.from_eye += vec3(0.0, 0.0, (instance & 1u) == 0u ? v.at.x : 1.0 - v.at.x);
    out_uv = vec3(face_uv(v.face, v.at), float(face_layer(row, v.face)));
    gl_Position = eye_to_clip * vec4(v.from_eye, 1.0);
}
