#version 460
#extension GL_GOOGLE_include_directive : require

#include "render/core/compile_once.glsl"
#include "render/feature/tone_map.glsl"

layout(set = 0, binding = 0) uniform sampler2D hdr;
layout(set = 0, binding = 1, std430) readonly buffer Exposure { float found; };
layout(push_constant) uniform Constants {
    float exposure;
    uint flags;
};

layout(location = 0) out vec4 color;

void main()
{
    compile_once();
    ivec2 pixel = ivec2(gl_FragCoord.xy);
    color = vec4(tone_map(texelFetch(hdr, pixel, 0).rgb, exposure * found, flags, uvec2(pixel)), 1.0);
}
