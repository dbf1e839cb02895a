#version 460
/* Light passes through the holes of leaves. */
#include "render/block/blocks.glsl"

layout(location = 0) in vec3 in_uv;

void main()
{
    if (texture(block_colors, in_uv).a < 0.5)
        discard;
}
