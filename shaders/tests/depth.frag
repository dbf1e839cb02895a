#version 460
/* Shows depth as it was drawn. */
layout(binding = 1) uniform sampler2D depths;
layout(push_constant) uniform Constants { vec4 color; float depth; };
layout(location = 0) out vec4 target;

void main()
{
    target = vec4(texelFetch(depths, ivec2(gl_FragCoord.xy), 0).r, color.gba);
}
