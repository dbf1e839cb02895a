#version 460
/* Writes the depth of blocks as seen from the sun to layers. */
layout(local_size_x = 8, local_size_y = 8) in;

layout(set = 0, binding = 0, std430) readonly buffer Depths { float depths[]; };
layout(set = 0, binding = 1, r32f) writeonly uniform image2DArray map;

void main()
{
    ivec3 at = ivec3(gl_GlobalInvocationID), size = imageSize(map);
    if (all(lessThan(at, size)))
        imageStore(map, at, vec4(depths[at.x + size.x * (at.y + size.y * at.z)]));
}
