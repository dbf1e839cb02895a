#version 460

layout(set = 0, binding = 0) uniform sampler2D ao;

layout(location = 0) in vec2 uv;
layout(location = 0) out vec4 color;

void main()
{
    color = vec4(vec3(textureLod(ao, uv, 0.0).r), 1.0);
}
