#version 460
/* Only depth, of masked materials. */
#include "render/material.glsl"

void main()
{
    if (is_cut_out(read_surface()))
        discard;
}
