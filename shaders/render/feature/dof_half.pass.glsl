/* Downsamples to half resolution, with the circle of confusion in alpha. Blurred pixels take
 * precedence over sharp ones, which stay in the full-resolution image. */
#include "render/feature/dof.glsl"

#define RESULT_BINDING 3
#define RESULT_FORMAT rgba16f

layout(set = 0, binding = 1) uniform sampler2D hdr;
layout(set = 0, binding = 2) uniform sampler2D depth_map;

/* Brighter pixels give a white disc anyway; limits the influence of a single extreme pixel. */
#define BRIGHTEST 256.0

vec4 full_screen(ivec2 pixel)
{
    ivec2 last = textureSize(hdr, 0) - 1;
    vec3 sum = vec3(0.0);
    float circles = 0.0, weights = 0.0;
    for (int i = 0; i < 4; i++) {
        ivec2 other = min(pixel * 2 + ivec2(i & 1, i >> 1), last);
        vec3 color = min(safe_color(texelFetch(hdr, other, 0).rgb), BRIGHTEST);
        float circle = confusion(texelFetch(depth_map, other, 0).r);
        float weight = (abs(circle) + 0.01) / (1.0 + luminance(color));
        sum += color * weight;
        circles += circle * weight;
        weights += weight;
    }
    return vec4(sum, circles) / weights;
}
