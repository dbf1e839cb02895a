#version 460
/* Writes the visible quad of each pixel; blocks_visibility_lit.frag shades it, once per pixel. */
layout(location = 1) flat in uvec2 in_quad;

layout(location = 0) out uint out_quad;

void main()
{
    out_quad = in_quad.x;
}
