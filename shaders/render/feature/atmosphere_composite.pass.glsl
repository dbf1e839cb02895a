/* Composites light of the atmosphere that was drawn at reduced resolution over the image, or over
 * its sky only. */
#include "render/feature/atmosphere_upsample.glsl"

#define RESULT_BINDING 4
#define RESULT_FORMAT rgba16f

layout(set = 0, binding = 1) uniform sampler2D scene_color;
layout(set = 0, binding = 2) uniform sampler2D air; /* light; transmittance in alpha */
layout(set = 0, binding = 3) uniform sampler2D depth_map;
layout(push_constant) uniform Constants {
    float divide;
    float sky_only;
};

vec4 full_screen(ivec2 pixel)
{
    vec4 before = texelFetch(scene_color, pixel, 0), light = vec4(0.0, 0.0, 0.0, 1.0);
    bool is_over = texelFetch(depth_map, pixel, 0).r <= 0.0 || per_pixel(sky_only, float(pixel.x)) < 0.5;
    for (int i = 0; i < (is_over ? 1 : 0); i++)
        light = upsample_at(air, depth_map, pixel, int(divide));
    return vec4(before.rgb * light.a + light.rgb, before.a);
}
