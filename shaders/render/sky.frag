#version 460
/* The sky behind everything. */
#include "render/frame.glsl"
#include "render/sky.glsl"

layout(location = 0) in vec2 uv;
layout(location = 0) out vec4 target;

/* From the entries of the matrices: exact however far from the origin the camera is. */
vec3 direction_of_view(vec2 at)
{
    if (frame.planes.z > 0.5)
        return frame.forward.xyz;
    vec2 ndc = at * 2.0 - 1.0;
    vec3 ray = vec3((ndc.x + frame.projection[2][0]) / frame.projection[0][0],
                    (ndc.y + frame.projection[2][1]) / frame.projection[1][1], -1.0);
    return normalize(transpose(mat3(frame.view)) * ray);
}

void main()
{
    vec3 direction = direction_of_view(uv);
    float spread = 2.0 * frame.size.w / abs(frame.projection[1][1]);
    vec3 light = sky_light(direction, spread);
    if (sky.to_sun.w > 0.5)
        light += sky_disc(direction, spread);
    target = vec4(light, 1.0);
}
