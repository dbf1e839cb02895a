#version 460
/* Faces of blocks; props are turned towards the camera. */
#include "render/block/blocks_vertex.glsl"

layout(push_constant) uniform Constants { mat4 eye_to_clip; };

layout(location = 0) out vec2 out_at;
layout(location = 1) flat out uvec4 out_look;

void main()
{
    BlockVertex v = read_vertex(uint(gl_VertexIndex), uint(gl_InstanceIndex));
    if (v.part == PART_PROPS) {
        vec3 middle = v.from_eye - vec3(v.at.x, 0.0, 0.0) + vec3(0.5, 0.0, 0.5);
        v.from_eye = middle + prop_right(middle) * (v.at.x - 0.5);
    }
    out_at = v.at;
    out_look = look_of(v, uint(gl_InstanceIndex) >> 3);
    gl_Position = eye_to_clip * vec4(v.from_eye, 1.0);
}
