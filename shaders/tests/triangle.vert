#version 460
/* Corners are pulled from a buffer; x, y in pixels of a 16 x 16 image. */
layout(binding = 0) readonly buffer Corners { vec2 corners[]; };
layout(push_constant) uniform Constants { vec4 color; float depth; };

void main()
{
    vec2 corner = corners[gl_VertexIndex] / 8.0 - 1.0;
    gl_Position = vec4(corner, depth, 1.0);
}
