#version 460
#include "render/feature/sky_background.glsl"

layout(location = 0) in vec2 uv;
layout(location = 0) out vec4 target;

void main()
{
    target = sky_background(uv);
}
