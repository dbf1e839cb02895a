#version 460
#define EXTENDED
/* Depth only, for masked materials. */
#include "render/core/material.glsl"

void main()
{
    if (is_cut_out(read_surface()))
        discard;
}
