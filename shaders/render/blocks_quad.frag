#version 460
/* Which quad a pixel shows: blocks_lit.frag works out how it looks, once for each pixel. */
layout(location = 1) flat in uvec2 in_quad;

layout(location = 0) out uint out_quad;

void main()
{
    out_quad = in_quad.x;
}
