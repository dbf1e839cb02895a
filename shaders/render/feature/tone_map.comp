#version 460
#include "render/feature/tone_map.glsl"

layout(local_size_x = 8, local_size_y = 8) in;
layout(set = 0, binding = 0) uniform sampler2D hdr;
layout(set = 0, binding = 1, std430) readonly buffer Exposure { float found; };
layout(set = 0, binding = 2, rgba8) writeonly uniform image2D target;
layout(push_constant) uniform Constants {
    float exposure;
    uint flags;
};

void main()
{
    ivec2 pixel = ivec2(gl_GlobalInvocationID.xy);
    if (all(lessThan(pixel, imageSize(target))))
        imageStore(target, pixel, vec4(tone_map(texelFetch(hdr, pixel, 0).rgb, exposure * found, flags, uvec2(pixel)), 1.0));
}
