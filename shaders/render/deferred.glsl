/* Sun and light from all around, on what the G-buffer has; the rest as it is. */
#include "render/gbuffer.glsl"

#include "render/lit.glsl"

#define RESULT_BINDING 22
#define RESULT_FORMAT rgba16f

layout(set = 0, binding = 19) uniform sampler2D emission;

vec4 full_screen(ivec2 pixel)
{
    vec4 before = texelFetch(emission, pixel, 0);
    vec3 light = before.rgb;
    Surface s;
    if (read_gbuffer(pixel, s)) {
        s.occlusion = before.a;
        vec3 v = direction_to_eye(s.world);
        vec2 middle = vec2(pixel) + 0.5;
        light += sun_light(s, v, middle) + all_around_light(s, v, middle);
    }
    return vec4(bounded_light(light), 1.0);
}
