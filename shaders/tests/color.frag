#version 460
layout(push_constant) uniform Constants { vec4 color; float depth; };
layout(location = 0) out vec4 target;

void main()
{
    target = color;
}
