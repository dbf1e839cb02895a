#version 460
/* Boxes, as a camera or a light sees them: 36 vertices each. */
struct Box {
    vec4 center;
    vec4 half_size;
};
layout(set = 0, binding = 1, std430) readonly buffer Boxes { Box boxes[]; };
layout(push_constant) uniform Constants { mat4 world_to_clip; };

layout(location = 0) out vec3 out_world;
layout(location = 1) out vec3 out_normal;

void main()
{
    const vec2 corners[6] = vec2[](vec2(-1, -1), vec2(1, -1), vec2(1, 1), vec2(-1, -1), vec2(1, 1), vec2(-1, 1));
    int face = gl_VertexIndex / 6, axis = face / 2;
    float side = (face & 1) == 0 ? 1.0 : -1.0;
    vec2 corner = corners[gl_VertexIndex % 6];
    if (side < 0.0)
        corner = corner.yx;
    vec3 at = vec3(0.0), normal = vec3(0.0);
    at[axis] = normal[axis] = side;
    at[(axis + 1) % 3] = corner.x;
    at[(axis + 2) % 3] = corner.y;
    out_world = boxes[gl_InstanceIndex].center.xyz + at * boxes[gl_InstanceIndex].half_size.xyz;
    out_normal = normal;
    gl_Position = world_to_clip * vec4(out_world, 1.0);
}
