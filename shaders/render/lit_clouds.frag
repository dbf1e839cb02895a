#version 460
/* Clouds of the light path, at a part of the picture's size: a few steps through the layer, lit by how much of it lies
 * towards the sun. Alpha: what comes through. */
#define CLOUD_NOISE_BINDING 1
#include "render/cloud_density.glsl"

layout(location = 0) in vec2 uv;
layout(location = 0) out vec4 target;

const int STEPS = 5;
const float REACH = 5000.0;
const float THICK = 0.06; /* extinction a metre of the mean of the steps */

void main()
{
    vec3 direction = direction_of_view(uv);
    float rise = abs(direction.y) < 1e-4 ? 1e-4 : direction.y;
    vec2 sides = (frame.clouds.yz - frame.camera.y) / rise;
    float first = max(min(sides.x, sides.y), 0.0), last = min(max(sides.x, sides.y), REACH);
    vec3 light = vec3(0.0);
    float left = 1.0;
    /* A loop that ends before it begins below the layer: see sun_shadow. */
    for (int i = 0; i < (last > first ? STEPS : 0); i++) {
        float at = mix(first, last, (float(i) + 0.5) / float(STEPS));
        vec3 world = frame.camera.xyz + direction * at;
        float density = cloud_density(world, 0.0);
        float shade = cloud_density(world + frame.sun_direction.xyz * 28.0, 0.0);
        float through = exp(-THICK * density * min((last - first) / float(STEPS), 60.0));
        float high = (world.y - frame.clouds.y) / (frame.clouds.z - frame.clouds.y);
        vec3 lit = frame.sun_color.rgb * (frame.sun_direction.w * 0.2 * exp(-1.6 * shade)) + frame.ambient.rgb * (0.55 + 0.45 * high);
        light += lit * (left * (1.0 - through));
        left *= through;
    }
    float seen = 1.0 - smoothstep(0.15 * REACH, REACH, first);
    target = vec4(light * seen, mix(1.0, left, seen));
}
