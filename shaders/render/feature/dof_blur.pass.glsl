/*
 * Gathers over the circle of confusion, at half resolution. A pixel contributes to those that its
 * own circle reaches; background reaches no farther than the circle of the pixel that it would
 * cover, so that sharp pixels neither bleed nor receive.
 */
#include "render/feature/dof.glsl"

#define RESULT_BINDING 2
#define RESULT_FORMAT rgba16f

layout(set = 0, binding = 1) uniform sampler2D half_map;

#define MAX_TAPS 40
#define GOLDEN_ANGLE 2.39996323

/* Alpha: fraction that is in front of the focus. */
vec4 full_screen(ivec2 pixel)
{
    vec2 texel = 1.0 / vec2(textureSize(half_map, 0));
    vec2 uv = (vec2(pixel) + 0.5) * texel;
    vec4 center = texelFetch(half_map, pixel, 0);
    float own = abs(center.a) * 0.5; /* in pixels of this image */
    /* No circle in front of the focus is larger than that at the near plane. */
    float nearest = clamp((focus - frame.planes.x) / range, 0.0, 1.0) * radius * 0.5;
    float reach = max(own, nearest);
    vec3 sum = center.rgb;
    float weights = 1.0, front = center.a < 0.0 ? smoothstep(0.25, 1.0, own) : 0.0;
    int taps = reach > 0.25 ? clamp(int(reach * reach * 4.0) + 4, 0, MAX_TAPS) : 0;
    for (int i = 0; i < taps; i++) {
        float away = sqrt((float(i) + 0.5) / float(taps)) * reach;
        float angle = float(i) * GOLDEN_ANGLE;
        /* Not filtered: values between sharp and blurred pixels are meaningless. */
        vec4 tap = textureLod(half_map, uv + vec2(cos(angle), sin(angle)) * away * texel, 0.0);
        float circle = abs(tap.a) * 0.5;
        if (tap.a > center.a)
            circle = min(circle, own);
        float weight = clamp(circle - away + 0.5, 0.0, 1.0) * min(circle, 1.0);
        sum += mix(sum / weights, tap.rgb, weight);
        weights += 1.0;
        /* Its light covers its circle, not the whole search area. */
        float covers = min(reach * reach / max(circle * circle, 0.0625), 16.0);
        front += tap.a < 0.0 ? weight * covers * smoothstep(0.25, 1.0, circle) : 0.0;
    }
    return vec4(sum / weights, clamp(front / weights * 2.0, 0.0, 1.0));
}
