/* Adds point and spot lights to the lighting of the G-buffer. */
#include "render/feature/gbuffer.glsl"

#include "render/feature/lighting.glsl"

#define RESULT_BINDING 23
#define RESULT_FORMAT rgba16f

layout(set = 0, binding = 19) uniform sampler2D hdr;

vec4 full_screen(ivec2 pixel)
{
    vec4 before = texelFetch(hdr, pixel, 0);
    Surface s;
    if (!read_gbuffer(pixel, s))
        return before;
    vec3 v = direction_to_eye(s.world);
    vec3 light = lights_light(s, v, vec2(pixel) + 0.5, LIGHTS_OPAQUE);
    return vec4(bounded_light(before.rgb + bounded_light(light)), before.a);
}
