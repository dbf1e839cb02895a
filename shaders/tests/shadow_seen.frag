#version 460
/* How much of the sun and of the first light is seen, and how the surface faces them. */
#include "render/feature/shadow.glsl"

layout(set = 0, binding = 6, std430) readonly buffer Lights { Light lights[]; };

layout(location = 0) in vec3 in_world;
layout(location = 1) in vec3 in_normal;
layout(location = 0) out vec4 out_seen;

void main()
{
    vec3 normal = normalize(in_normal);
    out_seen.r = sun_shadow(in_world, normal, gl_FragCoord.xy, 1.0);
    out_seen.g = light_shadow(0u, lights[0], in_world, normal);
    out_seen.b = max(dot(normal, frame.sun_direction.xyz), 0.0);
    out_seen.a = max(dot(normal, normalize(lights[0].position - in_world)), 0.0);
}
