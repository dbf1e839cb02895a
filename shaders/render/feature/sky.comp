#version 460
/* Draws the sky where there is no geometry. */
#include "render/feature/sky_background.glsl"

layout(local_size_x = 8, local_size_y = 8) in;
layout(set = 0, binding = 2) uniform sampler2D depth;
layout(set = 0, binding = 3, rgba16f) writeonly uniform image2D hdr;

void main()
{
    ivec2 pixel = ivec2(gl_GlobalInvocationID.xy);
    if (all(lessThan(pixel, imageSize(hdr))) && texelFetch(depth, pixel, 0).r <= 0.0)
        imageStore(hdr, pixel, sky_background((vec2(pixel) + 0.5) * frame.size.zw));
}
