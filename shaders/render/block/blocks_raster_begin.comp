#version 460
/* Initialises the pixels of blocks_raster.glsl from geometry drawn before: its depth, and no
 * quad. */
layout(local_size_x = 8, local_size_y = 8) in;

layout(set = 0, binding = 0) uniform sampler2D depth;
layout(set = 0, binding = 1, std430) writeonly buffer Visible { uvec2 visible[]; };

void main()
{
    ivec2 pixel = ivec2(gl_GlobalInvocationID.xy), size = textureSize(depth, 0);
    if (all(lessThan(pixel, size)))
        visible[pixel.x + size.x * pixel.y] = uvec2(0u, floatBitsToUint(texelFetch(depth, pixel, 0).r));
}
