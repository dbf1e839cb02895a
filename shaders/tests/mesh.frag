#version 460
/* The normal as a color, times the material's. */
#include "render/core/scene.glsl"

layout(location = 1) in vec3 normal;
layout(location = 4) in vec4 color;
layout(location = 5) flat in uvec2 material;
layout(location = 0) out vec4 result;

void main()
{
    result = vec4(normalize(normal) * 0.5 + 0.5, 1.0) * materials[material.x].base_color * color;
}
