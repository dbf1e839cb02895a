/*
 * Builds a depth pyramid for culling: the farthest depth of depth_pyramid of 4, 16 and 64 pixels. One
 * group processes one square of 64. OF_QUADS: from the pixels of blocks_raster.glsl. The levels
 * follow each other in the buffer; each has a quarter of the width and height of the previous one,
 * rounded up.
 */
#extension GL_EXT_control_flow_attributes : require

layout(local_size_x = 16, local_size_y = 16) in;

#ifdef OF_QUADS
layout(set = 0, binding = 0, std430) readonly buffer Visible { uvec2 visible[]; }; /* quad, depth */
#else
layout(set = 0, binding = 0) uniform sampler2D depth;
#endif
layout(set = 0, binding = 1, std430) writeonly buffer DepthPyramid { float depth_pyramid[]; };
layout(push_constant) uniform Constants { ivec2 size; };

shared float group_depth[256];

float depth_at(ivec2 pixel)
{
#ifdef OF_QUADS
    return uintBitsToFloat(visible[pixel.x + size.x * pixel.y].y);
#else
    return texelFetch(depth, pixel, 0).r;
#endif
}

/* Pixels outside of the image do not count. */
float furthest_of_pixels(ivec2 corner)
{
    float furthest = 1.0;
    [[dont_unroll]] for (int i = 0; i < 16; i++) {
        ivec2 at = corner + ivec2(i & 3, i >> 2);
        if (all(lessThan(at, size)))
            furthest = min(furthest, depth_at(at));
    }
    return furthest;
}

/* Of 4 x 4 values that are `apart` in the group. */
float furthest_of_group(ivec2 corner, int apart)
{
    float furthest = 1.0;
    [[dont_unroll]] for (int i = 0; i < 16; i++) {
        ivec2 at = corner + ivec2(i & 3, i >> 2) * apart;
        furthest = min(furthest, group_depth[at.x + 16 * at.y]);
    }
    return furthest;
}

void main()
{
    ivec2 local = ivec2(gl_LocalInvocationID.xy), group = ivec2(gl_WorkGroupID.xy);
    ivec2 first = (size + 3) / 4, second = (first + 3) / 4, third = (second + 3) / 4;
    ivec2 at = group * 16 + local;
    int index = local.x + 16 * local.y;
    group_depth[index] = furthest_of_pixels(at * 4);
    if (all(lessThan(at, first)))
        depth_pyramid[at.x + first.x * at.y] = group_depth[index];
    barrier();
    float wider = 1.0;
    if (all(lessThan(local, ivec2(4)))) {
        wider = furthest_of_group(local * 4, 1);
        ivec2 texel = group * 4 + local;
        if (all(lessThan(texel, second)))
            depth_pyramid[first.x * first.y + texel.x + second.x * texel.y] = wider;
    }
    barrier();
    if (all(lessThan(local, ivec2(4))))
        group_depth[local.x * 4 + 16 * local.y * 4] = wider;
    barrier();
    if (index == 0 && all(lessThan(group, third)))
        depth_pyramid[first.x * first.y + second.x * second.y + group.x + third.x * group.y] = furthest_of_group(ivec2(0), 4);
}
