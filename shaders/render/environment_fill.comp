#version 460
/* The sky, without the sun's disc, on the faces of a cube. */
layout(local_size_x = 8, local_size_y = 8) in;

#include "render/environment_cube.glsl"
#include "render/sky.glsl"

layout(set = 0, binding = 0, rgba16f) writeonly uniform image2DArray target;

void main()
{
    uvec3 place = gl_GlobalInvocationID;
    float size = float(imageSize(target).x);
    vec3 direction = normalize(texel_direction(place.z, place.xy, size));
    imageStore(target, ivec3(place), vec4(sky_light(direction, 1.5 / size), 1.0));
}
