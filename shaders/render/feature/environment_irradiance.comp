#version 460
/* Diffuse irradiance: one face of a cube map, each texel from all directions of a small mip of the
 * sky. */
layout(local_size_x = 8, local_size_y = 8) in;

#include "render/feature/environment_cube.glsl"

layout(set = 0, binding = 0, rgba16f) writeonly uniform image2DArray target;
layout(set = 0, binding = 1) uniform samplerCube sky; /* one mip of 8 x 8 */
layout(push_constant) uniform Constants {
    uint first_face;
    float gain;
};

const uint SIZE = 8u, COUNT = 6u * SIZE * SIZE;
shared vec4 lights[COUNT];     /* w: solid angle */
shared vec3 directions[COUNT];

void gather()
{
    for (uint i = gl_LocalInvocationIndex; i < COUNT; i += 64u) {
        vec3 way = texel_direction(i / 64u, uvec2(i % 8u, i / 8u % 8u), float(SIZE));
        float angle = 1.0 / (dot(way, way) * length(way));
        directions[i] = normalize(way);
        lights[i] = vec4(textureLod(sky, way, 0.0).rgb * angle, angle);
    }
    barrier();
}

void main()
{
    gather();
    uvec3 place = gl_GlobalInvocationID + uvec3(0, 0, first_face);
    vec3 normal = normalize(texel_direction(place.z, place.xy, float(imageSize(target).x)));
    vec4 sum = vec4(0.0);
    for (uint i = 0u; i < COUNT; i++)
        sum += lights[i] * max(dot(normal, directions[i]), 0.0);
    imageStore(target, ivec3(place), vec4(sum.rgb * (gain / sum.w), 1.0));
}
