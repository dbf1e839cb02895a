#version 460
/* Clouds of the lightweight path, at reduced resolution: a few steps through the layer, lit by the
 * density towards the sun. Alpha: transmittance. */
#define COPY_UNIFORMS
#define CLOUD_NOISE_BINDING 1
#include "render/feature/cloud_density.glsl"
#include "render/core/compile_once.glsl"

layout(location = 0) in vec3 way; /* lit_clouds.vert */
layout(location = 1) flat in vec4 camera;
layout(location = 2) flat in vec4 clouds;
layout(location = 3) flat in vec4 wind;
layout(location = 4) flat in vec4 sun_direction;
layout(location = 5) flat in vec3 sun_color;
layout(location = 6) flat in vec3 ambient;
layout(location = 7) flat in vec3 to_sun;
layout(location = 8) flat in vec3 glow;

layout(location = 0) out vec4 target;

const int STEPS = 5;
const float REACH = 7000.0;
const float HAZE = 3200.0; /* as in clouds.glsl */
const float LONG_STEP = 60.0;
const float THICK = 0.06; /* extinction per meter at the mean density of the steps */

void main()
{
    compile_once();
    frame.camera = camera;
    frame.clouds = clouds;
    frame.wind = wind;
    vec3 direction = normalize(way);
    float rise = abs(direction.y) < 1e-4 ? 1e-4 : direction.y;
    vec2 sides = (clouds.yz - camera.y) / rise;
    float first = max(min(sides.x, sides.y), 0.0), last = min(max(sides.x, sides.y), REACH);
    float towards = 0.5 + 0.5 * dot(direction, to_sun), length_of_step = (last - first) / float(STEPS);
    float left = 1.0, blur = 1.0 + smoothstep(0.5, 2.0, length_of_step / LONG_STEP);
    vec3 light = vec3(0.0), from_below = glow * (0.2 + 0.8 * towards * towards);
    /* A loop without iterations below the layer: see sun_shadow. */
    for (int i = 0; i < (last > first ? STEPS : 0); i++) {
        float at = mix(first, last, (float(i) + 0.5) / float(STEPS));
        vec3 world = camera.xyz + direction * at;
        float density = cloud_density(world, blur);
        float shade = cloud_density(world + sun_direction.xyz * 28.0, 2.0);
        float through = exp(-THICK * density * min(length_of_step, 60.0));
        float high = (world.y - clouds.y) / (clouds.z - clouds.y);
        vec3 lit = sun_color * (sun_direction.w * 0.2 * exp(-1.6 * shade)) + ambient * (0.55 + 0.45 * high) +
                   from_below * ((1.0 - 0.65 * high) * (0.4 + 0.6 * exp(-3.0 * shade)));
        light += lit * (left * (1.0 - through));
        left *= through;
    }
    float haze = first / HAZE, seen = exp(-haze * sqrt(haze)) * (1.0 - smoothstep(0.5 * REACH, REACH, first));
    target = vec4(light * seen, mix(1.0, left, seen));
}
