#version 460
layout(local_size_x = 8, local_size_y = 8) in;

#include "render/feature/sky_view.glsl"

layout(set = 0, binding = 0, rgba16f) writeonly uniform image2D target;
layout(push_constant) uniform Constants { vec4 to_sun; };

void main()
{
    ivec2 place = ivec2(gl_GlobalInvocationID.xy);
    vec3 rayleigh, mie;
    atmosphere_scattered(sky_view_direction(vec2(place), to_sun.xyz), to_sun.xyz, rayleigh, mie);
    imageStore(target, place, vec4(rayleigh, 1.0));
    imageStore(target, place + ivec2(0, SKY_VIEW_SIZE.y), vec4(mie, 1.0));
}
