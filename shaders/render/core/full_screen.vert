#version 460
/* A full-screen triangle: cn_frame_draw_full_screen. */
layout(location = 0) out vec2 uv;

void main()
{
    uv = vec2(gl_VertexIndex & 1, gl_VertexIndex >> 1) * 2.0;
    gl_Position = vec4(uv * 2.0 - 1.0, 0.0, 1.0);
}
