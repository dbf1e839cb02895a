/* Sun and image-based lighting of the G-buffer; other pixels are copied. */
#include "render/feature/gbuffer.glsl"

#include "render/feature/lighting.glsl"
#include "render/feature/water_waves.glsl"

#define RESULT_BINDING 23
#define RESULT_FORMAT rgba16f

layout(set = 0, binding = 19) uniform sampler2D emission;

/* Caustics: under water, the surface focuses sunlight into bright lines on the ground. */
float caustic_part(vec3 world)
{
    float depth = frame.camera.y + frame.weather.w - world.y, part = 1.0;
    vec2 place = world.xz + frame.sun_direction.xz * (depth / max(frame.sun_direction.y, 0.3));
    /* A loop instead of an if: see sun_shadow. */
    for (int i = 0; i < (frame.weather.w > 0.0 && depth > 0.0 ? 1 : 0); i++)
        part = caustics(waves_at(place - WAVE_BLOCKS * floor(place / WAVE_BLOCKS), frame.camera.w, Footprint(0.05, vec2(0.0)), 1.0),
                        clamp(depth, 0.5, 3.0));
    return part;
}

vec4 full_screen(ivec2 pixel)
{
    vec4 before = texelFetch(emission, pixel, 0);
    vec3 light = before.rgb;
    Surface s;
    if (read_gbuffer(pixel, s)) {
        s.occlusion = before.a;
        vec3 v = direction_to_eye(s.world);
        vec2 middle = vec2(pixel) + 0.5;
        light += sun_light(s, v, middle) * caustic_part(s.world) + indirect_light(s, v, middle);
    }
    return vec4(bounded_light(light), 1.0);
}
