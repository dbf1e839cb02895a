#version 460
/* Computes one mip of a cube map from the previous one. */
layout(local_size_x = 4, local_size_y = 4) in;

#include "render/feature/environment_cube.glsl"

layout(set = 0, binding = 0, rgba16f) writeonly uniform image2DArray target;
layout(set = 0, binding = 1) uniform samplerCube above;

void main()
{
    uvec3 place = gl_GlobalInvocationID;
    float size = 2.0 * float(imageSize(target).x);
    vec3 sum = vec3(0.0);
    for (uint i = 0u; i < 4u; i++)
        sum += textureLod(above, texel_direction(place.z, place.xy * 2u + uvec2(i & 1u, i >> 1u), size), 0.0).rgb;
    imageStore(target, ivec3(place), vec4(sum * 0.25, 1.0));
}
