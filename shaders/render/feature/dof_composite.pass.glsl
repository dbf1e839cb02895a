/* Composites blurred over sharp at full resolution: of the four surrounding blurred pixels, those
 * with a similar blur count. */
#include "render/feature/dof.glsl"

#define RESULT_BINDING 5
#define RESULT_FORMAT rgba16f

layout(set = 0, binding = 1) uniform sampler2D hdr;
layout(set = 0, binding = 2) uniform sampler2D depth_map;
layout(set = 0, binding = 3) uniform sampler2D half_map;
layout(set = 0, binding = 4) uniform sampler2D blur_map;

vec4 full_screen(ivec2 pixel)
{
    ivec2 last = textureSize(half_map, 0) - 1;
    vec3 sharp = safe_color(texelFetch(hdr, pixel, 0).rgb);
    float circle = confusion(texelFetch(depth_map, pixel, 0).r);
    vec2 place = vec2(pixel) * 0.5 - 0.25;
    ivec2 base = ivec2(floor(place));
    vec2 share = place - vec2(base);
    vec4 sum = vec4(0.0);
    float weights = 0.0;
    for (int i = 0; i < 4; i++) {
        ivec2 corner = ivec2(i & 1, i >> 1), other = clamp(base + corner, ivec2(0), last);
        vec2 near = mix(1.0 - share, share, vec2(corner));
        float off = abs(texelFetch(half_map, other, 0).a - circle);
        float weight = near.x * near.y / (0.1 + off * off);
        sum += texelFetch(blur_map, other, 0) * weight;
        weights += weight;
    }
    vec4 blurred = sum / weights;
    float amount = max(smoothstep(0.5, 2.0, abs(circle)), blurred.a);
    return vec4(mix(sharp, blurred.rgb, amount), 1.0);
}
