/* Light in the air, drawn at a part of the picture's size, over the picture: of the texels around a pixel, those count
 * most that are as far away as it is. */
#include "render/frame.glsl"

#define RESULT_BINDING 4
#define RESULT_FORMAT rgba16f

layout(set = 0, binding = 1) uniform sampler2D picture;
layout(set = 0, binding = 2) uniform sampler2D air; /* light; alpha: what comes through */
layout(set = 0, binding = 3) uniform sampler2D depth_map;
layout(push_constant) uniform Constants { float divide; };

const float LARGEST_DIFFERENCE = 0.1;

/* The sky is farther than anything. */
float far_at(ivec2 pixel)
{
    float depth = texelFetch(depth_map, min(pixel, textureSize(depth_map, 0) - 1), 0).r;
    return depth > 0.0 ? view_distance(depth) : 1e6;
}

vec4 full_screen(ivec2 pixel)
{
    vec4 before = texelFetch(picture, pixel, 0), sum = vec4(0.0);
    int side = int(divide);
    ivec2 last = textureSize(air, 0) - 1;
    vec2 place = (vec2(pixel) - float(side / 2)) / divide, share = fract(place);
    float far = far_at(pixel), weights = 0.0;
    for (int i = 0; i < 4; i++) {
        ivec2 corner = ivec2(i & 1, i >> 1), texel = clamp(ivec2(floor(place)) + corner, ivec2(0), last);
        vec2 near = mix(1.0 - share, share, vec2(corner));
        float off = (far_at(texel * side + side / 2) / far - 1.0) / LARGEST_DIFFERENCE;
        float weight = (near.x * near.y + 1e-3) / (1.0 + off * off);
        sum += texelFetch(air, texel, 0) * weight;
        weights += weight;
    }
    sum /= weights;
    return vec4(before.rgb * sum.a + sum.rgb, before.a);
}
